/* Tracks as bytes. Control: the frames of the reference that were tracked, its windows, the offsets, the start, and
 * the world. */
#include "track/record.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define MAGIC 3.14159e-42       /* first number of the control bytes: version 1 */

/* ---- numbers as bytes ---- */

struct writer { unsigned char *bytes; size_t n; };  /* bytes NULL: only counts */

static void put(struct writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++, w->n += 8) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (size_t k = 0; w->bytes && k < 8; k++)
      w->bytes[w->n + k] = (unsigned char)(bits >> (8 * k));
  }
}

static void put_one(struct writer *w, double x)
{
  put(w, &x, 1);
}

struct reader { const unsigned char *bytes; size_t n, at; }; /* at > n: too short */

static double get_one(struct reader *r)
{
  uint64_t bits = 0;
  double x = 0;
  r->at += 8;
  if (r->at > r->n)
    return 0;
  for (size_t k = 0; k < 8; k++)
    bits |= (uint64_t)r->bytes[r->at - 8 + k] << (8 * k);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double *get(struct reader *r, struct arena *arena, size_t n)
{
  if (r->at > r->n || n > (r->n - r->at) / 8) {
    r->at = r->n + 1;
    n = 0;
  }
  double *x = ARENA_NEW(arena, n + 1, double);
  for (size_t i = 0; i < n; i++)
    x[i] = get_one(r);
  return x;
}

/* ---- writing ---- */

static void put_world(struct writer *w, const struct rollout_options *o)
{
  const struct world_options *a = &o->world;
  const double numbers[] = {(double)o->drive, a->step, a->friction, (double)a->terrain.kind, a->terrain.size,
                            a->terrain.spacing,
                            (double)a->terrain.seed, a->servo_scale, a->contact_erp, a->contact_cfm, a->contact_speed,
                            (double)a->no_limits, (double)a->shapes};
  put(w, numbers, sizeof numbers / sizeof *numbers);
}

static void put_bytes(struct writer *w, const unsigned char *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    put_one(w, x[i]);
}

/* Costs of samples, for figures: windows of a track that was found by sampling. */
static void put_windows(struct writer *w, const struct track_result *t)
{
  for (int i = 0; t->windows && i < t->n_windows; i++) {
    const struct track_window *k = &t->windows[i];
    const double head[] = {k->n_samples, k->n_saved, k->chosen, k->best};
    put(w, head, sizeof head / sizeof *head);
    put(w, k->costs, (size_t)k->n_samples);
    put(w, k->saved, (size_t)k->n_saved);
    for (int s = 0; s < k->n_saved; s++)
      put_one(w, k->parents[s]);
  }
}

static void put_control(struct writer *w, const struct track_result *t, const struct track_options *o)
{
  const struct reference *r = t->reference;
  size_t frames = (size_t)r->first[r->n_windows] + 1, n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  const double head[] = {MAGIC, (double)frames, (double)n, (double)p, (double)r->n_windows, (double)t->n_windows,
                         r->dt, r->slope};
  put(w, head, sizeof head / sizeof *head);
  put_world(w, &o->rollout);
  put(w, r->q, frames * n);
  put(w, r->v, frames * n);
  put(w, r->torque, frames * n);
  put(w, r->force, frames * p * 3);
  put_bytes(w, r->contact, frames * p);
  for (int i = 0; i <= r->n_windows; i++)
    put_one(w, r->first[i]);
  put(w, t->start, 2 * n);
  put(w, t->offsets, (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS));
  put_windows(w, t);
}

static void keep_numbers(struct arena *arena, struct store_track *out, enum store_track_bytes which, const double *x,
                         size_t n)
{
  struct writer w = {arena_alloc(arena, 8 * n + 1, 1), 0};
  put(&w, x, n);
  out->bytes[which] = w.bytes;
  out->n_bytes[which] = w.n;
}

static const char *option_words(struct arena *arena, const struct track_options *o)
{
  const struct world_options *a = &o->rollout.world;
  return arena_printf(arena,
                      "guided %d, samples %d, saved %d, spread %g, seed %llu, models %llu, start %g, terrain %d %g, friction %g", o->guided,
                      o->samples, o->saved, o->spread, (unsigned long long)o->seed, (unsigned long long)o->identify.seed, o->start_place,
                      (int)a->terrain.kind, a->terrain.size, a->friction);
}

void record_make(struct arena *arena, const char *what, const struct track_result *t, const struct track_options *o,
                 struct store_track *out)
{
  const struct track_motion *m = t->motion;
  const struct judgement *j = &t->judgement;
  size_t k = (size_t)m->n_frames, n = (size_t)m->n_dofs, p = (size_t)m->n_points;
  *out = (struct store_track){.what = what, .method = track_method_name(o->method), .options = option_words(arena, o),
                              .success = j->success, .fault = j->fault ? j->fault : "", .seconds = reference_seconds(t->reference),
                              .fault_after = j->seconds, .n_frames = m->n_frames, .samples = t->samples,
                              .seconds_models = t->seconds_identify, .seconds_tracking = t->seconds_track};
  const double numbers[N_TRACK_NUMBERS] = {t->cost.total, t->cost.pose, t->cost.root, t->cost.ends, t->cost.balance,
                                           j->height, j->angle, j->foot, j->course};
  memcpy(out->numbers, numbers, sizeof numbers);
  keep_numbers(arena, out, TRACK_Q, m->q, k * n);
  keep_numbers(arena, out, TRACK_TORQUE, m->torque, k * n);
  keep_numbers(arena, out, TRACK_FORCE, m->force, k * p * 3);
  out->bytes[TRACK_CONTACT] = m->contact;
  out->n_bytes[TRACK_CONTACT] = k * p;
  struct writer w = {NULL, 0};
  put_control(&w, t, o);
  w = (struct writer){arena_alloc(arena, w.n, 1), 0};
  put_control(&w, t, o);
  out->bytes[TRACK_CONTROL] = w.bytes;
  out->n_bytes[TRACK_CONTROL] = w.n;
}

/* ---- reading ---- */

/* A number that counts something: -1 if it does not. */
static int get_count(struct reader *r)
{
  double x = get_one(r);
  return x >= 0 && x <= 1e7 && floor(x) == x ? (int)x : -1;
}

static void get_world(struct reader *r, const struct creature *c, struct rollout_options *o)
{
  rollout_defaults(c, o);
  struct world_options *a = &o->world;
  o->drive = get_one(r) == DRIVE_TORQUES ? DRIVE_TORQUES : DRIVE_POSES;
  a->step = get_one(r);
  a->friction = get_one(r);
  int kind = get_count(r);
  a->terrain.kind = kind >= 0 && kind <= TERRAIN_PEBBLES ? (enum terrain_kind)kind : TERRAIN_FLAT;
  a->terrain.size = get_one(r);
  a->terrain.spacing = get_one(r);
  double seed = get_one(r);
  a->terrain.seed = seed >= 0 && seed < 9e15 ? (uint64_t)seed : 0;
  a->servo_scale = get_one(r);
  a->contact_erp = get_one(r);
  a->contact_cfm = get_one(r);
  a->contact_speed = get_one(r);
  a->no_limits = get_one(r) != 0;
  a->shapes = get_one(r) != 0;
}

/* Windows that begin with frame 0, grow and end with the last frame: 0 if they do not. */
static int get_windows(struct reader *r, struct arena *arena, struct reference *ref)
{
  ref->first = ARENA_NEW(arena, (size_t)ref->n_windows + 1, int);
  for (int i = 0; i <= ref->n_windows; i++) {
    ref->first[i] = get_count(r);
    if (i ? ref->first[i] <= ref->first[i - 1] : ref->first[i] != 0)
      return 0;
  }
  return ref->first[ref->n_windows] == ref->n_frames - 1;
}

static unsigned char *get_bytes(struct reader *r, struct arena *arena, size_t n)
{
  double *x = get(r, arena, n);
  unsigned char *bytes = arena_alloc(arena, n + 1, 1);
  for (size_t i = 0; i < n && r->at <= r->n; i++)
    bytes[i] = x[i] != 0;
  return bytes;
}

/* Costs of samples, if they were kept: 0 if they are damaged. */
static int get_samples(struct reader *r, struct arena *arena, struct track_result *t)
{
  if (r->at == r->n)
    return 1;
  t->windows = ARENA_NEW(arena, (size_t)t->reference->n_windows, struct track_window);
  for (int i = 0; i < t->n_windows; i++) {
    struct track_window *k = &t->windows[i];
    k->n_samples = get_count(r);
    k->n_saved = get_count(r);
    k->chosen = get_count(r);
    k->best = get_one(r);
    if (k->n_samples < 0 || k->n_saved < 0 || k->chosen < 0)
      return 0;
    k->costs = get(r, arena, (size_t)k->n_samples);
    k->saved = get(r, arena, (size_t)k->n_saved);
    if (r->at > r->n)
      return 0;
    k->parents = ARENA_NEW(arena, (size_t)k->n_saved + 1, int);
    for (int s = 0; s < k->n_saved; s++)
      k->parents[s] = get_count(r);
  }
  return r->at == r->n;
}

static int get_control(struct reader *r, struct arena *arena, const struct creature *c, struct track_result *t,
                       struct rollout_options *o)
{
  struct reference *ref = ARENA_NEW(arena, 1, struct reference);
  if (get_one(r) != MAGIC)
    return 0;
  *ref = (struct reference){.creature = c, .n_frames = get_count(r)};
  ref->n_dofs = get_count(r);
  ref->n_points = get_count(r);
  ref->n_windows = ref->n_ahead = get_count(r);
  t->n_windows = get_count(r);
  ref->dt = get_one(r);
  ref->slope = get_one(r);
  if (ref->n_dofs != c->n_dofs || ref->n_points != c->n_points || ref->n_frames < 2 || ref->n_windows < 1 ||
      t->n_windows < 0 ||
      t->n_windows > ref->n_windows || !(ref->dt > 0) || !isfinite(ref->slope))
    return 0;
  size_t frames = (size_t)ref->n_frames, n = (size_t)ref->n_dofs, p = (size_t)ref->n_points;
  get_world(r, c, o);
  t->terrain = o->world.terrain;
  ref->q = get(r, arena, frames * n);
  ref->v = get(r, arena, frames * n);
  ref->torque = get(r, arena, frames * n);
  ref->force = get(r, arena, frames * p * 3);
  ref->contact = get_bytes(r, arena, frames * p);
  if (r->at > r->n || !get_windows(r, arena, ref))
    return 0;
  t->start = get(r, arena, 2 * n);
  t->offsets = get(r, arena, (size_t)ref->n_windows * (n - CREATURE_ROOT_DOFS));
  t->reference = ref;
  return r->at <= r->n && get_samples(r, arena, t);
}

/* What it did. Velocities and the ground were not kept: 0. */
static int get_motion(struct arena *arena, const struct store_track *k, struct track_result *t)
{
  struct track_motion *m = track_motion_new(arena, t->reference);
  size_t frames = (size_t)k->n_frames, n = (size_t)m->n_dofs, p = (size_t)m->n_points;
  if (k->n_frames > t->reference->n_frames || k->n_bytes[TRACK_Q] != 8 * frames * n || k->n_bytes[TRACK_TORQUE] != 8 *
      frames * n ||
      k->n_bytes[TRACK_FORCE] != 24 * frames * p || k->n_bytes[TRACK_CONTACT] != frames * p)
    return 0;
  m->n_frames = k->n_frames;
  struct reader q = {k->bytes[TRACK_Q], 8 * frames * n, 0}, torque = {k->bytes[TRACK_TORQUE], 8 * frames * n, 0};
  struct reader force = {k->bytes[TRACK_FORCE], 24 * frames * p, 0};
  m->q = get(&q, arena, frames * n);
  m->torque = get(&torque, arena, frames * n);
  m->force = get(&force, arena, frames * p * 3);
  memcpy(m->contact, k->bytes[TRACK_CONTACT], frames * p);
  t->motion = m;
  return 1;
}

struct track_result *record_read(struct arena *arena, const struct creature *c, const struct store_track *k,
                                 struct rollout_options *o, struct diag *d)
{
  struct track_result *t = ARENA_NEW(arena, 1, struct track_result);
  struct reader r = {k->bytes[TRACK_CONTROL], k->n_bytes[TRACK_CONTROL], 0};
  t->samples = k->samples;
  t->judgement = (struct judgement){.success = k->success, .fault = k->fault[0] ? k->fault : NULL, .seconds = k->fault_after,
                                    .height = k->numbers[TRACK_WORST_HEIGHT], .angle = k->numbers[TRACK_WORST_ANGLE],
                                    .foot = k->numbers[TRACK_WORST_FOOT], .course = k->numbers[TRACK_WORST_COURSE]};
  if (get_control(&r, arena, c, t, o) && get_motion(arena, k, t))
    return t;
  diag_error(d, c->file, 0, "track %d is damaged, or of another creature", k->id);
  return NULL;
}

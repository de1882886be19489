/* Tracks as bytes. Control: the frames of the reference that were tracked, its windows, the offsets, the start, and
 * the world. */
#include "samcon/record.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/pack.h"

#define MAGIC 3.14159e-42       /* first number of the control bytes: version 1 */

/* ---- writing ---- */

static void put_world(struct pack *w, const struct rollout_options *o)
{
  const struct world_options *a = &o->world;
  const double numbers[] = {(double)o->drive, a->step, a->friction, (double)a->terrain.kind, a->terrain.size,
                            a->terrain.spacing,
                            (double)a->terrain.seed, a->servo_scale, a->contact_erp, a->contact_cfm, a->contact_speed,
                            (double)a->no_limits, (double)a->shapes};
  pack_numbers(w, numbers, sizeof numbers / sizeof *numbers);
}

static void put_bytes(struct pack *w, const unsigned char *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    pack_number(w, x[i]);
}

/* Costs of samples, for figures: windows of a track that was found by sampling. */
static void put_windows(struct pack *w, const struct track_result *t)
{
  for (int i = 0; t->windows && i < t->n_windows; i++) {
    const struct track_window *k = &t->windows[i];
    const double head[] = {k->n_samples, k->n_saved, k->chosen, k->best};
    pack_numbers(w, head, sizeof head / sizeof *head);
    pack_numbers(w, k->costs, (size_t)k->n_samples);
    pack_numbers(w, k->saved, (size_t)k->n_saved);
    for (int s = 0; s < k->n_saved; s++)
      pack_number(w, k->parents[s]);
  }
}

static void put_control(struct pack *w, const struct track_result *t, const struct track_options *o)
{
  const struct reference *r = t->reference;
  size_t frames = (size_t)r->first[r->n_windows] + 1, n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  const double head[] = {MAGIC, (double)frames, (double)n, (double)p, (double)r->n_windows, (double)t->n_windows,
                         r->dt, r->slope};
  pack_numbers(w, head, sizeof head / sizeof *head);
  put_world(w, &o->rollout);
  pack_numbers(w, r->q, frames * n);
  pack_numbers(w, r->v, frames * n);
  pack_numbers(w, r->torque, frames * n);
  pack_numbers(w, r->force, frames * p * 3);
  put_bytes(w, r->contact, frames * p);
  for (int i = 0; i <= r->n_windows; i++)
    pack_number(w, r->first[i]);
  pack_numbers(w, t->start, 2 * n);
  pack_numbers(w, t->offsets, (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS));
  put_windows(w, t);
}

static void keep_numbers(struct arena *arena, struct store_performance *out, enum store_performance_bytes which, const double *x,
                         size_t n)
{
  struct pack w = {arena_alloc(arena, 8 * n + 1, 1), 0};
  pack_numbers(&w, x, n);
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
                 struct store_performance *out)
{
  const struct follow_motion *m = t->motion;
  const struct judgement *j = &t->judgement;
  size_t k = (size_t)m->n_frames, n = (size_t)m->n_dofs, p = (size_t)m->n_points;
  *out = (struct store_performance){.series = SERIES_TRACK, .what = what, .way = track_method_name(o->method), .place = "ode", .dt = t->reference->dt, .options = option_words(arena, o),
                              .success = j->success, .fault = j->fault ? j->fault : "", .seconds = reference_seconds(t->reference),
                              .fault_after = j->seconds, .n_frames = m->n_frames, .samples = t->samples,
                              .seconds_models = t->seconds_identify, .seconds_control = t->seconds_track};
  const double numbers[N_PERFORMANCE_NUMBERS] = {t->cost.total, t->cost.pose, t->cost.root, t->cost.ends,
                                                 t->cost.balance, j->height, j->angle, j->foot, j->course, NAN, NAN, NAN};
  memcpy(out->numbers, numbers, sizeof numbers);
  keep_numbers(arena, out, PERFORMANCE_Q, m->q, k * n);
  keep_numbers(arena, out, PERFORMANCE_TORQUE, m->torque, k * n);
  keep_numbers(arena, out, PERFORMANCE_FORCE, m->force, k * p * 3);
  out->bytes[PERFORMANCE_CONTACT] = m->contact;
  out->n_bytes[PERFORMANCE_CONTACT] = k * p;
  struct pack w = {NULL, 0};
  put_control(&w, t, o);
  w = (struct pack){arena_alloc(arena, w.n, 1), 0};
  put_control(&w, t, o);
  out->bytes[PERFORMANCE_CONTROL] = w.bytes;
  out->n_bytes[PERFORMANCE_CONTROL] = w.n;
}

/* ---- reading ---- */

static void get_world(struct unpack *r, const struct creature *c, struct rollout_options *o)
{
  rollout_defaults(c, o);
  struct world_options *a = &o->world;
  o->drive = unpack_number(r) == DRIVE_TORQUES ? DRIVE_TORQUES : DRIVE_POSES;
  a->step = unpack_number(r);
  a->friction = unpack_number(r);
  int kind = unpack_count(r);
  a->terrain.kind = kind >= 0 && kind <= TERRAIN_PEBBLES ? (enum terrain_kind)kind : TERRAIN_FLAT;
  a->terrain.size = unpack_number(r);
  a->terrain.spacing = unpack_number(r);
  double seed = unpack_number(r);
  a->terrain.seed = seed >= 0 && seed < 9e15 ? (uint64_t)seed : 0;
  a->servo_scale = unpack_number(r);
  a->contact_erp = unpack_number(r);
  a->contact_cfm = unpack_number(r);
  a->contact_speed = unpack_number(r);
  a->no_limits = unpack_number(r) != 0;
  a->shapes = unpack_number(r) != 0;
}

/* Windows that begin with frame 0, grow and end with the last frame: 0 if they do not. */
static int get_windows(struct unpack *r, struct arena *arena, struct reference *ref)
{
  ref->first = ARENA_NEW(arena, (size_t)ref->n_windows + 1, int);
  for (int i = 0; i <= ref->n_windows; i++) {
    ref->first[i] = unpack_count(r);
    if (i ? ref->first[i] <= ref->first[i - 1] : ref->first[i] != 0)
      return 0;
  }
  return ref->first[ref->n_windows] == ref->n_frames - 1;
}

static unsigned char *get_bytes(struct unpack *r, struct arena *arena, size_t n)
{
  double *x = unpack_numbers(r, arena, n);
  unsigned char *bytes = arena_alloc(arena, n + 1, 1);
  for (size_t i = 0; i < n && r->at <= r->n; i++)
    bytes[i] = x[i] != 0;
  return bytes;
}

/* Costs of samples, if they were kept: 0 if they are damaged. */
static int get_samples(struct unpack *r, struct arena *arena, struct track_result *t)
{
  if (r->at == r->n)
    return 1;
  t->windows = ARENA_NEW(arena, (size_t)t->reference->n_windows, struct track_window);
  for (int i = 0; i < t->n_windows; i++) {
    struct track_window *k = &t->windows[i];
    k->n_samples = unpack_count(r);
    k->n_saved = unpack_count(r);
    k->chosen = unpack_count(r);
    k->best = unpack_number(r);
    if (k->n_samples < 0 || k->n_saved < 0 || k->chosen < 0)
      return 0;
    k->costs = unpack_numbers(r, arena, (size_t)k->n_samples);
    k->saved = unpack_numbers(r, arena, (size_t)k->n_saved);
    if (r->at > r->n)
      return 0;
    k->parents = ARENA_NEW(arena, (size_t)k->n_saved + 1, int);
    for (int s = 0; s < k->n_saved; s++)
      k->parents[s] = unpack_count(r);
  }
  return r->at == r->n;
}

static int get_control(struct unpack *r, struct arena *arena, const struct creature *c, struct track_result *t,
                       struct rollout_options *o)
{
  struct reference *ref = ARENA_NEW(arena, 1, struct reference);
  if (unpack_number(r) != MAGIC)
    return 0;
  *ref = (struct reference){.creature = c, .n_frames = unpack_count(r)};
  ref->n_dofs = unpack_count(r);
  ref->n_points = unpack_count(r);
  ref->n_windows = ref->n_ahead = unpack_count(r);
  t->n_windows = unpack_count(r);
  ref->dt = unpack_number(r);
  ref->slope = unpack_number(r);
  if (ref->n_dofs != c->n_dofs || ref->n_points != c->n_points || ref->n_frames < 2 || ref->n_windows < 1 ||
      t->n_windows < 0 ||
      t->n_windows > ref->n_windows || !(ref->dt > 0) || !isfinite(ref->slope))
    return 0;
  size_t frames = (size_t)ref->n_frames, n = (size_t)ref->n_dofs, p = (size_t)ref->n_points;
  get_world(r, c, o);
  t->terrain = o->world.terrain;
  ref->q = unpack_numbers(r, arena, frames * n);
  ref->v = unpack_numbers(r, arena, frames * n);
  ref->torque = unpack_numbers(r, arena, frames * n);
  ref->force = unpack_numbers(r, arena, frames * p * 3);
  ref->contact = get_bytes(r, arena, frames * p);
  if (r->at > r->n || !get_windows(r, arena, ref))
    return 0;
  t->start = unpack_numbers(r, arena, 2 * n);
  t->offsets = unpack_numbers(r, arena, (size_t)ref->n_windows * (n - CREATURE_ROOT_DOFS));
  t->reference = ref;
  return r->at <= r->n && get_samples(r, arena, t);
}

/* What it did. Velocities and the ground were not kept: 0. */
static int get_motion(struct arena *arena, const struct store_performance *k, struct track_result *t)
{
  struct follow_motion *m = follow_motion_new(arena, t->reference);
  size_t frames = (size_t)k->n_frames, n = (size_t)m->n_dofs, p = (size_t)m->n_points;
  if (k->n_frames > t->reference->n_frames || k->n_bytes[PERFORMANCE_Q] != 8 * frames * n || k->n_bytes[PERFORMANCE_TORQUE] != 8 *
      frames * n ||
      k->n_bytes[PERFORMANCE_FORCE] != 24 * frames * p || k->n_bytes[PERFORMANCE_CONTACT] != frames * p)
    return 0;
  m->n_frames = k->n_frames;
  struct unpack q = {k->bytes[PERFORMANCE_Q], 8 * frames * n, 0}, torque = {k->bytes[PERFORMANCE_TORQUE], 8 * frames * n, 0};
  struct unpack force = {k->bytes[PERFORMANCE_FORCE], 24 * frames * p, 0};
  m->q = unpack_numbers(&q, arena, frames * n);
  m->torque = unpack_numbers(&torque, arena, frames * n);
  m->force = unpack_numbers(&force, arena, frames * p * 3);
  memcpy(m->contact, k->bytes[PERFORMANCE_CONTACT], frames * p);
  t->motion = m;
  return 1;
}

struct track_result *record_read(struct arena *arena, const struct creature *c, const struct store_performance *k,
                                 struct rollout_options *o, struct diag *d)
{
  struct track_result *t = ARENA_NEW(arena, 1, struct track_result);
  struct unpack r = {k->bytes[PERFORMANCE_CONTROL], k->n_bytes[PERFORMANCE_CONTROL], 0};
  t->samples = k->samples;
  t->judgement = (struct judgement){.success = k->success, .fault = k->fault[0] ? k->fault : NULL, .seconds = k->fault_after,
                                    .height = k->numbers[PERFORMANCE_WORST_HEIGHT], .angle = k->numbers[PERFORMANCE_WORST_ANGLE],
                                    .foot = k->numbers[PERFORMANCE_WORST_FOOT], .course = k->numbers[PERFORMANCE_WORST_COURSE]};
  if (get_control(&r, arena, c, t, o) && get_motion(arena, k, t))
    return t;
  diag_error(d, c->file, 0, "track %d is damaged, or of another creature", k->number);
  return NULL;
}

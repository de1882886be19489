/* Recorded performances as bytes, the same on every machine: little-endian doubles (base/pack.h).
 *
 * Motion (poses, torques, forces, contacts), reference poses and planned forces are arrays of their own. Control bytes
 * hold the rest: a mark, sizes, the world, the start, the reference's velocities, torques, contacts and windows, servo
 * offsets, pushes, a load, and what sampling came to. Lists of options say how long they are: what a later program adds
 * is 0 in an older file. Tracks of version 6 had one mark, all of the reference among the control bytes, and errors for
 * a start. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/pack.h"
#include "follow/recording.h"

#define MARK 1.41421e-42        /* first number of the control bytes                */
#define MARK_TRACK_6 3.14159e-42 /* of a track of version 6                         */

enum { WORLD_NUMBERS = 13, PUSH_NUMBERS = 6 };

/* ---- writing ---- */

static void put_bytes(struct pack *w, const unsigned char *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    pack_number(w, x[i]);
}

static void put_world(struct pack *w, const struct world_options *o)
{
  const double numbers[WORLD_NUMBERS] = {(double)o->engine, o->step, o->friction, (double)o->terrain.kind,
                                         o->terrain.size, o->terrain.spacing, (double)o->terrain.seed, o->servo_scale,
                                         o->contact_erp, o->contact_cfm, o->contact_speed, o->no_limits, o->shapes};
  pack_number(w, WORLD_NUMBERS);
  pack_numbers(w, numbers, WORLD_NUMBERS);
}

static void put_disturbances(struct pack *w, const struct rollout_options *o)
{
  pack_number(w, o->n_pushes);
  for (int i = 0; i < o->n_pushes; i++) {
    const struct disturb_push *p = &o->pushes[i];
    const double numbers[PUSH_NUMBERS] = {p->time, p->seconds, p->force[0], p->force[1], p->force[2], p->limb};
    pack_numbers(w, numbers, PUSH_NUMBERS);
  }
  const double load[] = {o->load.from, o->load.mass, o->load.n_limbs};
  pack_numbers(w, load, sizeof load / sizeof *load);
  for (int i = 0; i < o->load.n_limbs; i++)
    pack_number(w, o->load.limbs[i]);
}

/* What sampling came to, for figures. */
static void put_samples(struct pack *w, const struct recording *k)
{
  for (int i = 0; k->windows && i < k->n_windows; i++) {
    const struct sampled_window *s = &k->windows[i];
    const double head[] = {s->n_samples, s->n_saved, s->chosen, s->best};
    pack_numbers(w, head, sizeof head / sizeof *head);
    pack_numbers(w, s->costs, (size_t)s->n_samples);
    pack_numbers(w, s->saved, (size_t)s->n_saved);
    for (int p = 0; p < s->n_saved; p++)
      pack_number(w, s->parents[p]);
  }
}

static size_t followed_frames(const struct reference *r)
{
  return (size_t)r->first[r->n_windows] + 1;
}

static void put_control(struct pack *w, const struct recording *k)
{
  const struct reference *r = k->reference;
  size_t frames = followed_frames(r), n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  size_t n_offsets = k->offsets ? (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS) : 0;
  const double head[] = {MARK, (double)frames, (double)n, (double)p, r->n_windows, k->n_windows, r->dt, r->slope,
                         (double)k->rollout.drive, k->linear};
  pack_numbers(w, head, sizeof head / sizeof *head);
  put_world(w, &k->rollout.world);
  pack_numbers(w, k->start, 2 * n);
  pack_numbers(w, r->v, frames * n);
  pack_numbers(w, r->torque, frames * n);
  put_bytes(w, r->contact, frames * p);
  for (int i = 0; i <= r->n_windows; i++)
    pack_number(w, r->first[i]);
  pack_number(w, (double)n_offsets);
  pack_numbers(w, k->offsets, n_offsets);
  put_disturbances(w, &k->rollout);
  put_samples(w, k);
}

static void put_array(struct arena *arena, struct store_performance *out, enum store_performance_bytes which,
                      const double *x, size_t n)
{
  struct pack w = {arena_alloc(arena, 8 * n + 1, 1), 0};
  pack_numbers(&w, x, n);
  out->bytes[which] = w.bytes;
  out->n_bytes[which] = w.n;
}

void recording_pack(struct arena *arena, const struct recording *k, struct store_performance *out)
{
  const struct follow_motion *m = k->motion;
  const struct judgement *j = &k->judgement;
  size_t f = (size_t)m->n_frames, n = (size_t)m->n_dofs, p = (size_t)m->n_points;
  size_t frames = followed_frames(k->reference);
  *out = (struct store_performance){
    .series = k->series, .clip = k->clip, .what = k->what, .way = k->way, .place = recording_place(k),
    .options = k->options ? k->options : "", .success = j->success, .fault = j->fault ? j->fault : "",
    .seconds = reference_seconds(k->reference), .fault_after = j->seconds, .n_frames = m->n_frames,
    .dt = k->reference->dt, .samples = k->samples, .seconds_models = k->seconds_models,
    .seconds_control = k->seconds_control};
  const double numbers[N_PERFORMANCE_NUMBERS] = {k->cost.total, k->cost.pose, k->cost.root, k->cost.ends,
                                                 k->cost.balance, j->height, j->angle, j->foot, j->course,
                                                 j->mean_angle, j->mean_joint, NAN};
  memcpy(out->numbers, numbers, sizeof numbers);
  put_array(arena, out, PERFORMANCE_Q, m->q, f * n);
  put_array(arena, out, PERFORMANCE_TORQUE, m->torque, f * n);
  put_array(arena, out, PERFORMANCE_FORCE, m->force, f * p * 3);
  put_array(arena, out, PERFORMANCE_REFERENCE, k->reference->q, frames * n);
  put_array(arena, out, PERFORMANCE_PLANNED, k->reference->force, frames * p * 3);
  out->bytes[PERFORMANCE_CONTACT] = m->contact;
  out->n_bytes[PERFORMANCE_CONTACT] = f * p;
  struct pack w = {NULL, 0};
  put_control(&w, k);
  w = (struct pack){arena_alloc(arena, w.n, 1), 0};
  put_control(&w, k);
  out->bytes[PERFORMANCE_CONTROL] = w.bytes;
  out->n_bytes[PERFORMANCE_CONTROL] = w.n;
}

/* ---- reading ---- */

struct reading {                /* of one recording */
  struct arena *arena;
  const struct creature *c;
  struct unpack u;              /* the control bytes       */
  struct reference *r;
  struct recording *k;
};

/* The numbers of a world; 0 if nothing can be simulated in it. */
static int get_world(const double x[WORLD_NUMBERS], const struct creature *c, struct world_options *o)
{
  world_defaults(c, o);
  if (!(x[0] >= 0 && x[0] < 100 && world_engine_name((int)x[0])))
    return 0;
  *o = (struct world_options){.engine = (enum world_engine)(int)x[0], .step = x[1], .friction = x[2],
                              .servo_scale = x[7], .contact_erp = x[8], .contact_cfm = x[9], .contact_speed = x[10],
                              .no_limits = x[11] != 0, .shapes = x[12] != 0};
  if (x[3] >= 0 && x[3] <= (double)TERRAIN_PEBBLES)
    o->terrain = (struct terrain){.kind = (enum terrain_kind)(int)x[3], .size = x[4], .spacing = x[5],
                                  .seed = x[6] >= 0 && x[6] < 9e15 ? (uint64_t)x[6] : 0};
  return o->terrain.kind <= TERRAIN_SLOPE || o->terrain.spacing > 0;
}

/* A list of numbers that says how long it is: as many as are known of, 0 where it has fewer. */
static int get_list(struct reading *g, int most, double *x)
{
  int n = unpack_count(&g->u);
  memset(x, 0, (size_t)most * sizeof *x);
  if (n < 0 || n > 10000)
    return 0;
  const double *all = unpack_numbers(&g->u, g->arena, (size_t)n);
  if (g->u.at <= g->u.n)
    memcpy(x, all, (size_t)(n < most ? n : most) * sizeof *x);
  return g->u.at <= g->u.n;
}

static unsigned char *get_bytes(struct reading *g, size_t n)
{
  double *x = unpack_numbers(&g->u, g->arena, n);
  unsigned char *bytes = arena_alloc(g->arena, n + 1, 1);
  for (size_t i = 0; i < n && g->u.at <= g->u.n; i++)
    bytes[i] = x[i] != 0;
  return bytes;
}

/* Windows that begin with frame 0, grow and end with the last frame: 0 if they do not. */
static int get_windows(struct reading *g)
{
  struct reference *r = g->r;
  r->first = ARENA_NEW(g->arena, (size_t)r->n_windows + 1, int);
  for (int i = 0; i <= r->n_windows; i++) {
    r->first[i] = unpack_count(&g->u);
    if (i ? r->first[i] <= r->first[i - 1] : r->first[i] != 0)
      return 0;
  }
  return r->first[r->n_windows] == r->n_frames - 1;
}

static int get_limb(struct reading *g, int *limb)
{
  *limb = unpack_count(&g->u);
  return *limb >= 0 && *limb < g->c->n_limbs;
}

static int get_disturbances(struct reading *g, struct rollout_options *o)
{
  int n = unpack_count(&g->u), good = 1;
  if (n < 0 || g->u.at > g->u.n || (size_t)n > (g->u.n - g->u.at) / (8 * PUSH_NUMBERS))
    return 0;
  struct disturb_push *pushes = ARENA_NEW(g->arena, (size_t)n + 1, struct disturb_push);
  for (int i = 0; i < n; i++) {
    pushes[i].time = unpack_number(&g->u);
    pushes[i].seconds = unpack_number(&g->u);
    for (int a = 0; a < 3; a++)
      pushes[i].force[a] = unpack_number(&g->u);
    good &= get_limb(g, &pushes[i].limb);
  }
  o->n_pushes = n;
  o->pushes = pushes;
  o->load.from = unpack_number(&g->u);
  o->load.mass = unpack_number(&g->u);
  o->load.n_limbs = unpack_count(&g->u);
  good &= o->load.n_limbs >= 0 && o->load.n_limbs <= DISTURB_CARRIERS;
  for (int i = 0; good && i < o->load.n_limbs; i++)
    good = get_limb(g, &o->load.limbs[i]);
  return good && (!(o->load.mass > 0) || o->load.n_limbs > 0);
}

/* What sampling came to, if that was kept: 0 if it is damaged. */
static int get_samples(struct reading *g)
{
  struct unpack *u = &g->u;
  if (u->at == u->n)
    return 1;
  g->k->windows = ARENA_NEW(g->arena, (size_t)g->r->n_windows, struct sampled_window);
  for (int i = 0; i < g->k->n_windows; i++) {
    struct sampled_window *s = &g->k->windows[i];
    s->n_samples = unpack_count(u);
    s->n_saved = unpack_count(u);
    s->chosen = unpack_count(u);
    s->best = unpack_number(u);
    if (s->n_samples < 0 || s->n_saved < 0 || s->chosen < 0)
      return 0;
    s->costs = unpack_numbers(u, g->arena, (size_t)s->n_samples);
    s->saved = unpack_numbers(u, g->arena, (size_t)s->n_saved);
    if (u->at > u->n)
      return 0;
    s->parents = ARENA_NEW(g->arena, (size_t)s->n_saved + 1, int);
    for (int p = 0; p < s->n_saved; p++)
      s->parents[p] = unpack_count(u);
  }
  return u->at == u->n;
}

/* An array of the row, as long as it should be; NULL if it is not. */
static double *get_array(struct arena *arena, const struct store_performance *p, enum store_performance_bytes which,
                         size_t n)
{
  struct unpack u = {p->bytes[which], p->n_bytes[which], 0};
  return p->n_bytes[which] == 8 * n ? unpack_numbers(&u, arena, n) : NULL;
}

/* Sizes, after the mark. 0: nonsense, or of another creature. */
static int get_sizes(struct reading *g)
{
  struct reference *r = g->r;
  *r = (struct reference){.creature = g->c, .n_frames = unpack_count(&g->u)};
  r->n_dofs = unpack_count(&g->u);
  r->n_points = unpack_count(&g->u);
  r->n_windows = r->n_ahead = unpack_count(&g->u);
  g->k->n_windows = unpack_count(&g->u);
  r->dt = unpack_number(&g->u);
  r->slope = unpack_number(&g->u);
  g->k->reference = r;
  return r->n_dofs == g->c->n_dofs && r->n_points == g->c->n_points && r->n_frames >= 2 && r->n_windows >= 1 &&
         g->k->n_windows >= 0 && g->k->n_windows <= r->n_windows && r->dt > 0 && isfinite(r->slope);
}

static int get_control(struct reading *g, const struct store_performance *p)
{
  struct reference *r = g->r;
  struct recording *k = g->k;
  double world[WORLD_NUMBERS];
  if (!get_sizes(g))
    return 0;
  size_t frames = (size_t)r->n_frames, n = (size_t)r->n_dofs, points = (size_t)r->n_points;
  int drive = unpack_count(&g->u);
  k->rollout.drive = (enum rollout_drive)drive;
  k->linear = unpack_number(&g->u) != 0;
  if (drive < 0 || drive > DRIVE_HELD || !get_list(g, WORLD_NUMBERS, world) ||
      !get_world(world, g->c, &k->rollout.world))
    return 0;
  k->start = unpack_numbers(&g->u, g->arena, 2 * n);
  r->q = get_array(g->arena, p, PERFORMANCE_REFERENCE, frames * n);
  r->v = unpack_numbers(&g->u, g->arena, frames * n);
  r->torque = unpack_numbers(&g->u, g->arena, frames * n);
  r->contact = get_bytes(g, frames * points);
  r->force = get_array(g->arena, p, PERFORMANCE_PLANNED, frames * points * 3);
  if (g->u.at > g->u.n || !r->q || !r->force || !get_windows(g))
    return 0;
  int n_offsets = unpack_count(&g->u);
  if (n_offsets != 0 && n_offsets != r->n_windows * (r->n_dofs - CREATURE_ROOT_DOFS))
    return 0;
  k->offsets = n_offsets ? unpack_numbers(&g->u, g->arena, (size_t)n_offsets) : NULL;
  return g->u.at <= g->u.n && get_disturbances(g, &k->rollout) && g->u.at <= g->u.n && get_samples(g);
}

/* The control bytes of a track of version 6: all of the reference, and a start as errors against its first frame. The
 * engine was ODE. */
static int get_control_6(struct reading *g)
{
  struct reference *r = g->r;
  struct recording *k = g->k;
  double world[WORLD_NUMBERS] = {(double)WORLD_ODE};
  if (!get_sizes(g))
    return 0;
  size_t frames = (size_t)r->n_frames, n = (size_t)r->n_dofs, points = (size_t)r->n_points;
  k->rollout.drive = unpack_number(&g->u) == DRIVE_TORQUES ? DRIVE_TORQUES : DRIVE_POSES;
  for (int i = 1; i < WORLD_NUMBERS; i++)
    world[i] = unpack_number(&g->u);
  if (!get_world(world, g->c, &k->rollout.world))
    return 0;
  r->q = unpack_numbers(&g->u, g->arena, frames * n);
  r->v = unpack_numbers(&g->u, g->arena, frames * n);
  r->torque = unpack_numbers(&g->u, g->arena, frames * n);
  r->force = unpack_numbers(&g->u, g->arena, frames * points * 3);
  r->contact = get_bytes(g, frames * points);
  if (g->u.at > g->u.n || !get_windows(g))
    return 0;
  const double *errors = unpack_numbers(&g->u, g->arena, 2 * n);
  k->start = ARENA_NEW(g->arena, 2 * n, double);
  rollout_state(r, &k->rollout.world.terrain, 0, errors, k->start, k->start + n);
  k->offsets = unpack_numbers(&g->u, g->arena, (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS));
  return g->u.at <= g->u.n && get_samples(g);
}

/* What it did. Velocities and the ground were not kept: 0. */
static int get_motion(struct arena *arena, const struct store_performance *p, struct recording *k)
{
  struct follow_motion *m = follow_motion_new(arena, k->reference);
  size_t frames = (size_t)p->n_frames, n = (size_t)m->n_dofs, points = (size_t)m->n_points;
  if (p->n_frames > k->reference->n_frames || p->n_bytes[PERFORMANCE_CONTACT] != frames * points)
    return 0;
  m->n_frames = p->n_frames;
  m->q = get_array(arena, p, PERFORMANCE_Q, frames * n);
  m->torque = get_array(arena, p, PERFORMANCE_TORQUE, frames * n);
  m->force = get_array(arena, p, PERFORMANCE_FORCE, frames * points * 3);
  if (frames * points > 0)
    memcpy(m->contact, p->bytes[PERFORMANCE_CONTACT], frames * points);
  k->motion = m;
  return m->q && m->torque && m->force;
}

void recording_columns(const struct store_performance *p, struct recording *k)
{
  k->series = p->series;
  k->what = p->what;
  k->way = p->way;
  k->options = p->options;
  k->clip = p->clip;
  k->samples = p->samples;
  k->seconds_models = p->seconds_models;
  k->seconds_control = p->seconds_control;
  k->judgement = (struct judgement){.success = p->success, .fault = p->fault[0] ? p->fault : NULL,
                                    .seconds = p->fault_after, .height = p->numbers[PERFORMANCE_WORST_HEIGHT],
                                    .angle = p->numbers[PERFORMANCE_WORST_ANGLE],
                                    .foot = p->numbers[PERFORMANCE_WORST_FOOT],
                                    .course = p->numbers[PERFORMANCE_WORST_COURSE],
                                    .mean_angle = p->numbers[PERFORMANCE_RMS_ANGLE],
                                    .mean_joint = p->numbers[PERFORMANCE_RMS_JOINT]};
  k->cost = (struct cost_terms){.total = p->numbers[PERFORMANCE_COST], .pose = p->numbers[PERFORMANCE_COST_POSE],
                                .root = p->numbers[PERFORMANCE_COST_ROOT], .ends = p->numbers[PERFORMANCE_COST_ENDS],
                                .balance = p->numbers[PERFORMANCE_COST_BALANCE]};
}

struct recording *recording_unpack(struct arena *arena, const struct creature *c, const struct store_performance *p,
                                   struct diag *d)
{
  struct reading g = {.arena = arena, .c = c, .u = {p->bytes[PERFORMANCE_CONTROL], p->n_bytes[PERFORMANCE_CONTROL], 0},
                      .r = ARENA_NEW(arena, 1, struct reference), .k = ARENA_NEW(arena, 1, struct recording)};
  recording_columns(p, g.k);
  double mark = unpack_number(&g.u);
  int good = mark == MARK ? get_control(&g, p) : mark == MARK_TRACK_6 && get_control_6(&g);
  if (good && get_motion(arena, p, g.k))
    return g.k;
  diag_error(d, c->file, 0, p->series == SERIES_TRACK ? "track %d is damaged, or of another creature"
                            : "motion %d under modal control is damaged, or of another creature", p->number);
  return NULL;
}

/* Recorded performances as bytes, the same on every machine: little-endian doubles (base/bytes.h).
 *
 * Motion (poses, torques, forces, contacts), reference poses and planned forces are arrays of their own. Control bytes
 * hold the rest: a mark, sizes, the world, the start, the reference's velocities, torques, contacts and windows, servo
 * offsets, pushes, a load, and what sampling came to. Lists of options say how long they are: what a later program adds
 * is 0 in an older file. Tracks of version 6 had one mark, all of the reference among the control bytes, and errors for
 * a start. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/angle.h"
#include "base/bytes.h"
#include "follow/recording.h"

#define MARK 1.41421e-42        /* first number of the control bytes                */
#define MARK_TRACK_6 3.14159e-42 /* of a track of version 6                         */

enum { WORLD_NUMBERS = 15, WORLD_NUMBERS_6 = 13, PUSH_NUMBERS = 6 };

/* ---- writing ---- */

static void put_bytes(struct bytes_writer *w, const unsigned char *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    bytes_put_real(w, x[i]);
}

static void put_world(struct bytes_writer *w, const struct world_options *o)
{
  const double numbers[WORLD_NUMBERS] = {(double)o->engine, o->step, o->friction, (double)o->terrain.kind,
                                         o->terrain.size, o->terrain.spacing, (double)o->terrain.seed, o->servo_scale,
                                         o->contact_erp, o->contact_cfm, o->contact_speed, o->no_limits, o->shapes,
                                         o->limbs, o->limb_friction};
  bytes_put_real(w, WORLD_NUMBERS);
  bytes_put_reals(w, numbers, WORLD_NUMBERS);
}

static void put_disturbances(struct bytes_writer *w, const struct rollout_options *o)
{
  bytes_put_real(w, o->n_pushes);
  for (int i = 0; i < o->n_pushes; i++) {
    const struct disturb_push *p = &o->pushes[i];
    const double numbers[PUSH_NUMBERS] = {p->time, p->seconds, p->force[0], p->force[1], p->force[2], p->limb};
    bytes_put_reals(w, numbers, PUSH_NUMBERS);
  }
  const double load[] = {o->load.from, o->load.mass, o->load.n_limbs};
  bytes_put_reals(w, load, sizeof load / sizeof *load);
  for (int i = 0; i < o->load.n_limbs; i++)
    bytes_put_real(w, o->load.limbs[i]);
}

/* What sampling came to, for figures. */
static void put_samples(struct bytes_writer *w, const struct recording *k)
{
  for (int i = 0; k->windows && i < k->n_windows; i++) {
    const struct sampled_window *s = &k->windows[i];
    const double head[] = {s->n_samples, s->n_saved, s->chosen, s->best};
    bytes_put_reals(w, head, sizeof head / sizeof *head);
    bytes_put_reals(w, s->costs, (size_t)s->n_samples);
    bytes_put_reals(w, s->saved, (size_t)s->n_saved);
    for (int p = 0; p < s->n_saved; p++)
      bytes_put_real(w, s->parents[p]);
  }
}

static size_t followed_frames(const struct reference *r)
{
  return (size_t)r->first[r->n_windows] + 1;
}

static void put_control(struct bytes_writer *w, const void *what)
{
  const struct recording *k = what;
  const struct reference *r = k->reference;
  size_t frames = followed_frames(r), n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  size_t n_offsets = k->offsets ? (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS) : 0;
  const double head[] = {MARK, (double)frames, (double)n, (double)p, r->n_windows, k->n_windows, r->dt, r->slope,
                         (double)k->rollout.drive, k->linear};
  bytes_put_reals(w, head, sizeof head / sizeof *head);
  put_world(w, &k->rollout.world);
  bytes_put_reals(w, k->start, 2 * n);
  bytes_put_reals(w, r->v, frames * n);
  bytes_put_reals(w, r->torque, frames * n);
  put_bytes(w, r->contact, frames * p);
  for (int i = 0; i <= r->n_windows; i++)
    bytes_put_real(w, r->first[i]);
  bytes_put_real(w, (double)n_offsets);
  bytes_put_reals(w, k->offsets, n_offsets);
  put_disturbances(w, &k->rollout);
  put_samples(w, k);
}

static void put_array(struct arena *arena, struct store_performance *out, enum store_performance_bytes which,
                      const double *x, size_t n)
{
  out->bytes[which] = bytes_of_reals(arena, x, n);
  out->n_bytes[which] = 8 * n;
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
  out->bytes[PERFORMANCE_CONTROL] = bytes_pack(arena, put_control, k, &out->n_bytes[PERFORMANCE_CONTROL]);
}

/* ---- reading ---- */

struct reading {                /* of one recording */
  struct arena *arena;
  const struct creature *c;
  struct bytes_reader u;        /* the control bytes       */
  struct reference *r;
  struct recording *k;
};

/* The numbers of a world; 0 if nothing can be simulated in it. Limbs of an older file do not touch each other. */
static int get_world(const double x[WORLD_NUMBERS], const struct creature *c, struct world_options *o)
{
  world_defaults(c, o);
  if (!(x[0] >= 0 && x[0] < 100 && world_engine_name((int)x[0])))
    return 0;
  *o = (struct world_options){.engine = (enum world_engine)(int)x[0], .step = x[1], .friction = x[2],
                              .servo_scale = x[7], .contact_erp = x[8], .contact_cfm = x[9], .contact_speed = x[10],
                              .no_limits = x[11] != 0, .shapes = x[12] != 0, .limbs = x[13] != 0,
                              .limb_friction = x[14]};
  if (x[3] >= 0 && x[3] <= (double)TERRAIN_PEBBLES)
    o->terrain = (struct terrain){.kind = (enum terrain_kind)(int)x[3], .size = x[4], .spacing = x[5],
                                  .seed = x[6] >= 0 && x[6] < 9e15 ? (uint64_t)x[6] : 0};
  return o->terrain.kind <= TERRAIN_SLOPE || o->terrain.spacing > 0;
}

/* A list of numbers that says how long it is: as many as are known of, 0 where it has fewer. */
static int get_list(struct reading *g, int most, double *x)
{
  int n = bytes_get_count(&g->u);
  memset(x, 0, (size_t)most * sizeof *x);
  if (n < 0 || n > 10000)
    return 0;
  const double *all = bytes_get_reals(&g->u, (size_t)n);
  if (!g->u.bad)
    memcpy(x, all, (size_t)(n < most ? n : most) * sizeof *x);
  return !g->u.bad;
}

static unsigned char *get_bytes(struct reading *g, size_t n)
{
  double *x = bytes_get_reals(&g->u, n);
  unsigned char *bytes = arena_alloc(g->arena, n + 1, 1);
  for (size_t i = 0; i < n && !g->u.bad; i++)
    bytes[i] = x[i] != 0;
  return bytes;
}

/* Windows that begin with frame 0, grow and end with the last frame: 0 if they do not. */
static int get_windows(struct reading *g)
{
  struct reference *r = g->r;
  r->first = ARENA_NEW(g->arena, (size_t)r->n_windows + 1, int);
  for (int i = 0; i <= r->n_windows; i++) {
    r->first[i] = bytes_get_count(&g->u);
    if (i ? r->first[i] <= r->first[i - 1] : r->first[i] != 0)
      return 0;
  }
  return r->first[r->n_windows] == r->n_frames - 1;
}

static int get_limb(struct reading *g, int *limb)
{
  *limb = bytes_get_count(&g->u);
  return *limb >= 0 && *limb < g->c->n_limbs;
}

static int get_disturbances(struct reading *g, struct rollout_options *o)
{
  int n = bytes_get_count(&g->u), good = 1;
  if (n < 0 || g->u.bad || (size_t)n > g->u.left / (8 * PUSH_NUMBERS))
    return 0;
  struct disturb_push *pushes = ARENA_NEW(g->arena, (size_t)n + 1, struct disturb_push);
  for (int i = 0; i < n; i++) {
    pushes[i].time = bytes_get_real(&g->u);
    pushes[i].seconds = bytes_get_real(&g->u);
    for (int a = 0; a < 3; a++)
      pushes[i].force[a] = bytes_get_real(&g->u);
    good &= get_limb(g, &pushes[i].limb);
  }
  o->n_pushes = n;
  o->pushes = pushes;
  o->load.from = bytes_get_real(&g->u);
  o->load.mass = bytes_get_real(&g->u);
  o->load.n_limbs = bytes_get_count(&g->u);
  good &= o->load.n_limbs >= 0 && o->load.n_limbs <= DISTURB_CARRIERS;
  for (int i = 0; good && i < o->load.n_limbs; i++)
    good = get_limb(g, &o->load.limbs[i]);
  return good && (!(o->load.mass > 0) || o->load.n_limbs > 0);
}

/* What sampling came to, if that was kept: 0 if it is damaged. */
static int get_samples(struct reading *g)
{
  struct bytes_reader *u = &g->u;
  if (u->left == 0 && !u->bad)
    return 1;
  g->k->windows = ARENA_NEW(g->arena, (size_t)g->r->n_windows, struct sampled_window);
  for (int i = 0; i < g->k->n_windows; i++) {
    struct sampled_window *s = &g->k->windows[i];
    s->n_samples = bytes_get_count(u);
    s->n_saved = bytes_get_count(u);
    s->chosen = bytes_get_count(u);
    s->best = bytes_get_real(u);
    if (s->n_samples < 0 || s->n_saved < 0 || s->chosen < 0)
      return 0;
    s->costs = bytes_get_reals(u, (size_t)s->n_samples);
    s->saved = bytes_get_reals(u, (size_t)s->n_saved);
    if (u->bad)
      return 0;
    s->parents = ARENA_NEW(g->arena, (size_t)s->n_saved + 1, int);
    for (int p = 0; p < s->n_saved; p++)
      s->parents[p] = bytes_get_count(u);
  }
  return u->left == 0 && !u->bad;
}

/* An array of the row, as long as it should be; NULL if it is not. */
static double *get_array(struct arena *arena, const struct store_performance *p, enum store_performance_bytes which,
                         size_t n)
{
  struct bytes_reader u = {.at = p->bytes[which], .left = p->n_bytes[which], .arena = arena};
  return u.left == 8 * n ? bytes_get_reals(&u, n) : NULL;
}

/* Sizes, after the mark. 0: nonsense, or of another creature. */
static int get_sizes(struct reading *g)
{
  struct reference *r = g->r;
  *r = (struct reference){.creature = g->c, .n_frames = bytes_get_count(&g->u)};
  r->n_dofs = bytes_get_count(&g->u);
  r->n_points = bytes_get_count(&g->u);
  r->n_windows = r->n_ahead = bytes_get_count(&g->u);
  g->k->n_windows = bytes_get_count(&g->u);
  r->dt = bytes_get_real(&g->u);
  r->slope = bytes_get_real(&g->u);
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
  int drive = bytes_get_count(&g->u);
  k->rollout.drive = (enum rollout_drive)drive;
  k->linear = bytes_get_real(&g->u) != 0;
  if (drive < 0 || drive > DRIVE_HELD || !get_list(g, WORLD_NUMBERS, world) ||
      !get_world(world, g->c, &k->rollout.world))
    return 0;
  k->start = bytes_get_reals(&g->u, 2 * n);
  r->q = get_array(g->arena, p, PERFORMANCE_REFERENCE, frames * n);
  r->v = bytes_get_reals(&g->u, frames * n);
  r->torque = bytes_get_reals(&g->u, frames * n);
  r->contact = get_bytes(g, frames * points);
  r->force = get_array(g->arena, p, PERFORMANCE_PLANNED, frames * points * 3);
  if (g->u.bad || !r->q || !r->force || !get_windows(g))
    return 0;
  int n_offsets = bytes_get_count(&g->u);
  if (n_offsets != 0 && n_offsets != r->n_windows * (r->n_dofs - CREATURE_ROOT_DOFS))
    return 0;
  k->offsets = n_offsets ? bytes_get_reals(&g->u, (size_t)n_offsets) : NULL;
  return !g->u.bad && get_disturbances(g, &k->rollout) && !g->u.bad && get_samples(g);
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
  k->rollout.drive = bytes_get_real(&g->u) == DRIVE_TORQUES ? DRIVE_TORQUES : DRIVE_POSES;
  for (int i = 1; i < WORLD_NUMBERS_6; i++)
    world[i] = bytes_get_real(&g->u);
  if (!get_world(world, g->c, &k->rollout.world))
    return 0;
  r->q = bytes_get_reals(&g->u, frames * n);
  r->v = bytes_get_reals(&g->u, frames * n);
  r->torque = bytes_get_reals(&g->u, frames * n);
  r->force = bytes_get_reals(&g->u, frames * points * 3);
  r->contact = get_bytes(g, frames * points);
  if (g->u.bad || !get_windows(g))
    return 0;
  const double *errors = bytes_get_reals(&g->u, 2 * n);
  if (!errors)
    return 0;
  k->start = ARENA_NEW(g->arena, 2 * n, double);
  rollout_state(r, &k->rollout.world.terrain, 0, errors, k->start, k->start + n);
  k->offsets = bytes_get_reals(&g->u, (size_t)r->n_windows * (n - CREATURE_ROOT_DOFS));
  return !g->u.bad && get_samples(g);
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
  struct reading g = {.arena = arena, .c = c, .u = {.at = p->bytes[PERFORMANCE_CONTROL],
                      .left = p->n_bytes[PERFORMANCE_CONTROL], .arena = arena},
                      .r = ARENA_NEW(arena, 1, struct reference), .k = ARENA_NEW(arena, 1, struct recording)};
  recording_columns(p, g.k);
  double mark = bytes_get_real(&g.u);
  int good = mark == MARK ? get_control(&g, p) : mark == MARK_TRACK_6 && get_control_6(&g);
  if (good && get_motion(arena, p, g.k))
    return g.k;
  diag_error(d, c->file, 0, p->series == SERIES_TRACK ? "track %d is damaged, or of another creature"
                            : "motion %d under modal control is damaged, or of another creature", p->number);
  return NULL;
}

/* See record.h. Bytes of the way: a mark, what was followed, options, edits, and errors step by step; all else is in
 * the bytes that all recordings have (follow/recording_bytes.c). In version 6 all of it was one row of
 * numbers. Lists of options say how long they are: what a later program adds is 0 in an older file. */
#include "modal/record.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "modal/squat.h"

#define MARK 1.73205e-42        /* first number of the bytes of the way             */
#define MARK_6 2.71828e-42      /* of the control bytes of version 6                */

/* ---- options as numbers ---- */

enum { CONTROL_NUMBERS = 25, WORLD_NUMBERS = 13 };

static void control_numbers(const struct modal_options *o, double x[CONTROL_NUMBERS])
{
  const double all[CONTROL_NUMBERS] = {
    o->step, o->window, o->threshold, o->friction, o->place, o->turn, o->speed, o->spin, o->force, o->hold,
        o->low_place,
    o->low_speed, o->low_effort, o->high, o->yield, o->footholds, o->swing, o->follow, o->comeback, o->hurry, o->muscle,
    o->stand,
    o->frozen, o->still, o->hold_on};
  memcpy(x, all, sizeof all);
}

/* Options that are not among the numbers have their defaults. */
static void control_options(const double x[CONTROL_NUMBERS], struct modal_options *o)
{
  struct modal_options usual;
  modal_defaults(&usual);
  *o = (struct modal_options){.step = x[0], .window = (int)x[1], .threshold = x[2], .friction = x[3], .place = x[4],
                              .turn = x[5], .speed = x[6], .spin = x[7], .force = x[8], .hold = (int)x[9],
                              .low_place = x[10],
                              .low_speed = x[11], .low_effort = x[12], .high = x[13], .yield = x[14],
                              .footholds = x[15],
                              .swing = x[16], .follow = x[17], .comeback = x[18], .hurry = x[19], .muscle = x[20],
                              .stand = (int)x[21], .frozen = (int)x[22], .still = (int)x[23], .hold_on = (int)x[24],
                              .footsteps = usual.footsteps, .ground = usual.ground, .stiffness = usual.stiffness};
}

static void world_of_numbers(const double x[WORLD_NUMBERS], struct world_options *o)
{
  *o = (struct world_options){.engine = x[0] == (double)WORLD_TREE ? WORLD_TREE : WORLD_ODE, .step = x[1],
                              .friction = x[2],
                              .servo_scale = x[7], .contact_erp = x[8], .contact_cfm = x[9], .contact_speed = x[10],
                              .no_limits = x[11] != 0, .shapes = x[12] != 0};
  if (x[3] >= 0 && x[3] <= (double)TERRAIN_PEBBLES)
    o->terrain = (struct terrain){.kind = (enum terrain_kind)(int)x[3], .size = x[4], .spacing = x[5],
                                  .seed = x[6] >= 0 && x[6] < 9e15 ? (uint64_t)x[6] : 0};
}

/* ---- writing ---- */

static void put_list(struct bytes_writer *p, const double *x, int n)
{
  bytes_put_real(p, n);
  bytes_put_reals(p, x, (size_t)n);
}

static void put_way(struct bytes_writer *p, const struct modal_source *source, const struct modal_run *r,
                    const struct modal_run_options *o)
{
  double control[CONTROL_NUMBERS];
  const double head[] = {MARK, source->after, source->arms, o->seconds, o->first, o->slope, o->reaction};
  control_numbers(&o->control, control);
  bytes_put_reals(p, head, sizeof head / sizeof *head);
  put_list(p, control, CONTROL_NUMBERS);
  bytes_put_real(p, o->control.n_chosen);
  for (int i = 0; i < o->control.n_chosen; i++)
    bytes_put_real(p, o->control.chosen[i]);
  bytes_put_real(p, o->n_edits);
  for (int i = 0; i < o->n_edits; i++) {
    const struct reference_edit *k = &o->edits[i];
    const double numbers[] = {(double)k->kind, k->from, k->until, k->value};
    bytes_put_reals(p, numbers, sizeof numbers / sizeof *numbers);
  }
  bytes_put_reals(p, r->angle, (size_t)r->n);
  bytes_put_reals(p, r->place, 2 * (size_t)r->n);
}

void modal_record_make(struct arena *arena, const char *what, const struct modal_source *source,
                       const struct modal_run *r, const struct modal_run_options *o, struct store_performance *out)
{
  const char *options = arena_printf(arena, "window %d, step %g, %d pushes, reaction %g, %d edits, slope %g, load %g, "
                                     "friction %g", o->control.window, o->control.step, o->n_pushes, o->reaction,
                                     o->n_edits, o->slope, o->load.mass, o->control.friction);
  struct recording k = {.series = SERIES_MODAL, .what = what, .way = "modal", .options = options, .clip = source->clip,
                        .reference = r->followed, .rollout = modal_rollout(o), .linear = o->where == MODAL_LINEAR,
                        .start = r->start, .n_windows = r->n, .motion = r->motion, .cost = {NAN, NAN, NAN, NAN, NAN},
                        .seconds_models = NAN, .seconds_control = r->seconds_control};
  k.judgement = (struct judgement){.success = r->success, .fault = r->fault, .seconds = r->n * r->dt,
                                   .height = r->worst_height, .angle = r->worst_angle, .foot = NAN, .course = NAN,
                                   .mean_angle = r->mean_angle, .mean_joint = r->mean_joint};
  recording_pack(arena, &k, out);
  out->numbers[PERFORMANCE_MISSED] = r->most_missed;
  out->unsolved = r->lemke_failures;
  struct bytes_writer w = {NULL, 0};
  put_way(&w, source, r, o);
  w = (struct bytes_writer){arena_alloc(arena, w.n, 1), 0};
  put_way(&w, source, r, o);
  out->bytes[PERFORMANCE_WAY] = w.bytes;
  out->n_bytes[PERFORMANCE_WAY] = w.n;
}

/* ---- reading ---- */

/* A list of at most `most` numbers that are known of; the rest of a longer one is skipped. 0 if it is damaged. */
static int get_list(struct bytes_reader *u, int most, double *x)
{
  int n = bytes_get_count(u);
  if (n < 0)
    return 0;
  const double *all = bytes_get_reals(u, (size_t)n);
  memset(x, 0, (size_t)most * sizeof *x);
  if (!u->bad)
    memcpy(x, all, (size_t)(n < most ? n : most) * sizeof *x);
  return !u->bad;
}

static int get_limb(struct bytes_reader *u, const struct creature *c, int *limb)
{
  *limb = bytes_get_count(u);
  return *limb >= 0 && *limb < c->n_limbs;
}

static int get_pushes(struct bytes_reader *u, struct arena *arena, const struct creature *c,
                      struct modal_run_options *o)
{
  o->n_pushes = bytes_get_count(u);
  if (o->n_pushes < 0 || u->bad || (size_t)o->n_pushes > u->left / 48)
    return 0;
  struct disturb_push *pushes = ARENA_NEW(arena, (size_t)o->n_pushes + 1, struct disturb_push);
  int good = 1;
  for (int i = 0; i < o->n_pushes; i++) {
    pushes[i].time = bytes_get_real(u);
    pushes[i].seconds = bytes_get_real(u);
    for (int a = 0; a < 3; a++)
      pushes[i].force[a] = bytes_get_real(u);
    good &= get_limb(u, c, &pushes[i].limb);
  }
  o->pushes = pushes;
  return good;
}

static int get_edits(struct bytes_reader *u, struct arena *arena, struct modal_run_options *o)
{
  o->n_edits = bytes_get_count(u);
  if (o->n_edits < 0 || o->n_edits > EDITABLE_EDITS)
    return 0;
  struct reference_edit *edits = ARENA_NEW(arena, (size_t)o->n_edits + 1, struct reference_edit);
  for (int i = 0; i < o->n_edits; i++) {
    int kind = bytes_get_count(u);
    if (kind < 0 || kind > EDIT_TRANSITION)
      return 0;
    edits[i].kind = (enum reference_edit_kind)kind;
    edits[i].from = bytes_get_real(u);
    edits[i].until = bytes_get_real(u);
    edits[i].value = bytes_get_real(u);
  }
  o->edits = edits;
  return 1;
}

static int get_load(struct bytes_reader *u, const struct creature *c, struct disturb_load *l)
{
  l->from = bytes_get_real(u);
  l->mass = bytes_get_real(u);
  l->n_limbs = bytes_get_count(u);
  int good = l->n_limbs >= 0 && l->n_limbs <= DISTURB_CARRIERS;
  for (int i = 0; good && i < l->n_limbs; i++)
    good = get_limb(u, c, &l->limbs[i]);
  return good;
}

/* Options of the controller, and modes that were chosen. */
static int get_control(struct bytes_reader *u, struct arena *arena, const struct creature *c, struct modal_options *o)
{
  double control[CONTROL_NUMBERS];
  if (!get_list(u, CONTROL_NUMBERS, control))
    return 0;
  control_options(control, o);
  int n = o->n_chosen = bytes_get_count(u);
  if (n < 0 || n > c->n_dofs)
    return 0;
  int *chosen = ARENA_NEW(arena, (size_t)n + 1, int);
  for (int i = 0; i < n; i++)
    chosen[i] = bytes_get_count(u);
  o->chosen = n ? chosen : NULL;
  return o->step > 0 && o->step < 1 && o->window >= 1 && o->window <= MODAL_WINDOW_MOST;
}

/* Bytes of the way; what all recordings have is there already. */
static int get_way(struct bytes_reader *u, struct arena *arena, const struct creature *c, struct modal_kept *k)
{
  struct modal_run_options *o = &k->options;
  if (bytes_get_real(u) != MARK)
    return 0;
  k->source.clip = k->recording->clip;
  k->source.after = bytes_get_count(u);
  k->source.arms = bytes_get_real(u);
  o->seconds = bytes_get_real(u);
  o->first = bytes_get_count(u);
  o->slope = bytes_get_real(u);
  o->reaction = bytes_get_real(u);
  o->where = k->recording->linear ? MODAL_LINEAR : MODAL_WORLD;
  o->world = k->recording->rollout.world;
  o->n_pushes = k->recording->rollout.n_pushes;
  o->pushes = k->recording->rollout.pushes;
  o->load = k->recording->rollout.load;
  return k->source.after >= 0 && o->first >= 0 && isfinite(o->seconds) && get_control(u, arena, c, &o->control) &&
         get_edits(u, arena, o) && !u->bad;
}

/* What version 6 had before the start and the errors. */
static int get_options_6(struct bytes_reader *u, struct arena *arena, const struct creature *c, struct modal_kept *k)
{
  struct modal_run_options *o = &k->options;
  double world[WORLD_NUMBERS];
  if (bytes_get_real(u) != MARK_6 || bytes_get_count(u) != c->n_dofs || bytes_get_count(u) != c->n_points)
    return 0;
  k->source.clip = bytes_get_count(u);
  k->source.after = bytes_get_count(u);
  k->source.arms = bytes_get_real(u);
  o->where = bytes_get_real(u) == (double)MODAL_LINEAR ? MODAL_LINEAR : MODAL_WORLD;
  o->seconds = bytes_get_real(u);
  o->first = bytes_get_count(u);
  o->slope = bytes_get_real(u);
  o->reaction = bytes_get_real(u);
  if (k->source.clip < 0 || k->source.after < 0 || o->first < 0 || !get_control(u, arena, c, &o->control) ||
      !get_list(u, WORLD_NUMBERS, world))
    return 0;
  world_of_numbers(world, &o->world);
  return get_pushes(u, arena, c, o) && get_edits(u, arena, o) && get_load(u, c, &o->load) && !u->bad &&
         isfinite(o->seconds);
}

/* An array of the row, as long as it should be, into `to`; 0 if it is not. */
static int get_array(struct arena *arena, const struct store_performance *p, enum store_performance_bytes which,
                     size_t n, double *to)
{
  struct bytes_reader u = {.at = p->bytes[which], .left = p->n_bytes[which], .arena = arena};
  if (p->n_bytes[which] != 8 * n)
    return 0;
  memcpy(to, bytes_get_reals(&u, n), n * sizeof *to);
  return 1;
}

/* A row of version 6: control bytes of its own, arrays without a frame for the start. */
static int read_6(struct arena *arena, const struct creature *c, const struct store_performance *p,
                  struct bytes_reader *u, struct modal_kept *k)
{
  size_t steps = (size_t)p->n_frames, n = (size_t)c->n_dofs, points = (size_t)c->n_points;
  int wanted = (int)lround(fmin(1e8, p->seconds / p->dt));
  if (wanted < p->n_frames || !get_options_6(u, arena, c, k))
    return 0;
  struct modal_run *r = k->run = modal_run_new(arena, c, wanted, p->dt);
  r->n = p->n_frames;
  r->start = bytes_get_reals(u, 2 * n);
  r->angle = bytes_get_reals(u, steps);
  r->place = bytes_get_reals(u, 2 * steps);
  if ((u->bad || u->left) || !get_array(arena, p, PERFORMANCE_Q, steps * n, r->q) ||
      !get_array(arena, p, PERFORMANCE_REFERENCE, steps * n, r->reference) ||
      !get_array(arena, p, PERFORMANCE_TORQUE, steps * n, r->torque) ||
      !get_array(arena, p, PERFORMANCE_PLANNED, 3 * steps * points, r->planned) ||
      !get_array(arena, p, PERFORMANCE_FORCE, 3 * steps * points, r->used))
    return 0;
  r->motion->n_frames = r->n + 1;
  memcpy(r->motion->q, r->start, n * sizeof *r->start);
  memcpy(r->followed->q, r->start, n * sizeof *r->start);
  memcpy(r->motion->torque, r->torque, steps * n * sizeof *r->torque);
  for (size_t i = 0; i < steps * points; i++) {
    r->followed->contact[i] = r->planned[3 * i + 2] > 0;
    r->motion->contact[i] = r->used[3 * i + 2] > 0;
  }
  struct recording *out = ARENA_NEW(arena, 1, struct recording);
  recording_columns(p, out);
  out->reference = r->followed;
  out->rollout = modal_rollout(&k->options);
  out->linear = k->options.where == MODAL_LINEAR;
  out->start = r->start;
  out->n_windows = r->n;
  out->motion = r->motion;
  k->recording = out;
  k->version_6 = 1;
  return 1;
}

/* A row of version 7: what all recordings have, then the bytes of the way. */
static int read_7(struct arena *arena, const struct creature *c, const struct store_performance *p,
                  struct modal_kept *k,
                  struct diag *d)
{
  struct bytes_reader u = {.at = p->bytes[PERFORMANCE_WAY], .left = p->n_bytes[PERFORMANCE_WAY], .arena = arena};
  struct recording *out = recording_unpack(arena, c, p, d);
  k->recording = out;
  if (!out || !get_way(&u, arena, c, k))
    return 0;
  struct modal_run *r = k->run = ARENA_NEW(arena, 1, struct modal_run);
  r->followed = (struct reference *)out->reference;
  r->motion = out->motion;
  r->start = out->start;
  r->n = out->n_windows;
  r->n_wanted = out->reference->n_windows;
  r->angle = bytes_get_reals(&u, (size_t)r->n);
  r->place = bytes_get_reals(&u, 2 * (size_t)r->n);
  return !u.bad && u.left == 0 && out->motion->n_frames == r->n + 1;
}

int modal_record_read(struct arena *arena, const struct creature *c, const struct store_performance *p,
                      struct modal_kept *k, struct diag *d)
{
  struct bytes_reader u = {.at = p->bytes[PERFORMANCE_CONTROL], .left = p->n_bytes[PERFORMANCE_CONTROL],
                           .arena = arena};
  struct bytes_reader mark = u;
  *k = (struct modal_kept){.options = {.fall = fall_limits_following}};
  int good = bytes_get_real(&mark) == MARK_6 ? read_6(arena, c, p, &u, k) : read_7(arena, c, p, k, d);
  if (!good) {
    if (!d->n_errors)
      diag_error(d, c->file, 0, "motion %d under modal control is damaged, or of another creature", p->number);
    return 0;
  }
  struct modal_run *r = k->run;
  r->creature = c;
  r->n_dofs = c->n_dofs;
  r->n_points = c->n_points;
  r->dt = p->dt;
  r->success = p->success;
  r->fault = p->fault[0] ? p->fault : NULL;
  r->lemke_failures = p->unsolved;
  r->seconds_control = p->seconds_control;
  r->worst_angle = p->numbers[PERFORMANCE_WORST_ANGLE];
  r->worst_height = p->numbers[PERFORMANCE_WORST_HEIGHT];
  r->mean_angle = p->numbers[PERFORMANCE_RMS_ANGLE];
  r->mean_joint = p->numbers[PERFORMANCE_RMS_JOINT];
  r->most_missed = p->numbers[PERFORMANCE_MISSED];
  modal_run_views(r);
  return 1;
}

/* ---- again ---- */

const struct clip *modal_source_clip(struct arena *arena, struct store *s, const struct creature *c,
                                     const struct modal_source *source, int n_edits, struct reference_edit *edits,
                                     struct diag *d)
{
  const struct clip *clip, *after = source->after ? store_get_clip(arena, s, source->after, d) : NULL;
  if (source->clip) {
    clip = store_get_clip(arena, s, source->clip, d);
    if (clip && !surface_is_level(&clip->ground)) {
      diag_error(d, c->file, 0, "clip %d is on a slope: modal control takes clips on level ground, and --terrain slope",
                 source->clip);
      return NULL;
    }
  } else {
    struct squat squat;
    squat_defaults(&squat);
    squat.arms = source->arms;
    clip = squat_clip(arena, c, &squat, d);
  }
  for (int i = 0; i < n_edits; i++)
    if (edits[i].kind == EDIT_TRANSITION && !(edits[i].clip = after))
      return NULL;
  return clip;
}

int modal_record_load(struct arena *arena, struct store *s, const struct creature *c, const struct store_performance *p,
                      struct modal_kept *k, struct diag *d)
{
  if (!modal_record_read(arena, c, p, k, d))
    return 0;
  k->clip = modal_source_clip(arena, s, c, &k->source, k->options.n_edits, (struct reference_edit *)k->options.edits,
                              d);
  return k->clip != NULL;
}

const struct follow_motion *modal_replay(struct arena *arena, const struct modal_kept *k, struct diag *d)
{
  if (k->recording->linear) {
    const struct modal_run *again = modal_run(arena, k->run->creature, k->clip, &k->options, d);
    return again ? again->motion : NULL;
  }
  struct follow_motion *m = recording_replay(arena, k->recording, d);
  if (m && k->version_6) { /* which kept the start as it was set, and lengths that had been divided by L */
    double length = modal_units(k->run->creature).length;
    memcpy(m->q, k->run->start, (size_t)m->n_dofs * sizeof *m->q);
    for (int i = 1; i < m->n_frames; i++)
      for (int a = 0; a < 3; a++)
        m->q[i * m->n_dofs + a] = length * (m->q[i * m->n_dofs + a] / length);
  }
  return m;
}

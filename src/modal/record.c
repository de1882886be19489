/* See record.h. Control bytes: a mark of the version, what was followed, options, pushes, edits, the load, the start, and
 * errors step by step. Lists of options say how long they are: what a later program adds is 0 in an older file. */
#include "modal/record.h"

#include <math.h>
#include <string.h>

#include "base/pack.h"

#define MAGIC 2.71828e-42       /* first number of the control bytes: version 1 */

/* ---- options as numbers ---- */

enum { CONTROL_NUMBERS = 25, WORLD_NUMBERS = 13 };

static void control_numbers(const struct modal_options *o, double x[CONTROL_NUMBERS])
{
  const double all[CONTROL_NUMBERS] = {
    o->step, o->window, o->threshold, o->friction, o->place, o->turn, o->speed, o->spin, o->force, o->hold, o->low_place,
    o->low_speed, o->low_effort, o->high, o->yield, o->footing, o->swing, o->follow, o->comeback, o->hurry, o->muscle, o->stand,
    o->frozen, o->still, o->hold_on};
  memcpy(x, all, sizeof all);
}

static void control_options(const double x[CONTROL_NUMBERS], struct modal_options *o)
{
  *o = (struct modal_options){.step = x[0], .window = (int)x[1], .threshold = x[2], .friction = x[3], .place = x[4],
                              .turn = x[5], .speed = x[6], .spin = x[7], .force = x[8], .hold = (int)x[9], .low_place = x[10],
                              .low_speed = x[11], .low_effort = x[12], .high = x[13], .yield = x[14], .footing = x[15],
                              .swing = x[16], .follow = x[17], .comeback = x[18], .hurry = x[19], .muscle = x[20],
                              .stand = (int)x[21], .frozen = (int)x[22], .still = (int)x[23], .hold_on = (int)x[24]};
}

static void world_numbers(const struct world_options *o, double x[WORLD_NUMBERS])
{
  const double all[WORLD_NUMBERS] = {(double)o->engine, o->step, o->friction, (double)o->terrain.kind, o->terrain.size,
                                     o->terrain.spacing, (double)o->terrain.seed, o->servo_scale, o->contact_erp,
                                     o->contact_cfm, o->contact_speed, o->no_limits, o->shapes};
  memcpy(x, all, sizeof all);
}

static void world_of_numbers(const double x[WORLD_NUMBERS], struct world_options *o)
{
  *o = (struct world_options){.engine = x[0] == (double)WORLD_TREE ? WORLD_TREE : WORLD_ODE, .step = x[1], .friction = x[2],
                              .servo_scale = x[7], .contact_erp = x[8], .contact_cfm = x[9], .contact_speed = x[10],
                              .no_limits = x[11] != 0, .shapes = x[12] != 0};
  if (x[3] >= 0 && x[3] <= (double)TERRAIN_PEBBLES)
    o->terrain = (struct terrain){.kind = (enum terrain_kind)(int)x[3], .size = x[4], .spacing = x[5],
                                  .seed = x[6] >= 0 && x[6] < 9e15 ? (uint64_t)x[6] : 0};
}

/* ---- writing ---- */

static void put_list(struct pack *p, const double *x, int n)
{
  pack_number(p, n);
  pack_numbers(p, x, (size_t)n);
}

static void put_events(struct pack *p, const struct modal_run_options *o)
{
  pack_number(p, o->n_pushes);
  for (int i = 0; i < o->n_pushes; i++) {
    const struct modal_run_push *k = &o->pushes[i];
    const double numbers[] = {k->from, k->seconds, k->force[0], k->force[1], k->force[2], k->limb};
    pack_numbers(p, numbers, sizeof numbers / sizeof *numbers);
  }
  pack_number(p, o->n_edits);
  for (int i = 0; i < o->n_edits; i++) {
    const struct guide_edit *k = &o->edits[i];
    const double numbers[] = {(double)k->kind, k->from, k->until, k->value};
    pack_numbers(p, numbers, sizeof numbers / sizeof *numbers);
  }
  const double load[] = {o->load.from, o->load.mass, o->load.n_limbs};
  pack_numbers(p, load, sizeof load / sizeof *load);
  for (int i = 0; i < o->load.n_limbs; i++)
    pack_number(p, o->load.limbs[i]);
}

static void put_control(struct pack *p, const struct modal_source *source, const struct modal_run *r,
                        const struct modal_run_options *o)
{
  double control[CONTROL_NUMBERS], world[WORLD_NUMBERS];
  const double head[] = {MAGIC, r->n_dofs, r->n_points, source->clip, source->after, source->arms, (double)o->where,
                         o->seconds, o->first, o->slope, o->reaction};
  control_numbers(&o->control, control);
  world_numbers(&o->world, world);
  pack_numbers(p, head, sizeof head / sizeof *head);
  put_list(p, control, CONTROL_NUMBERS);
  pack_number(p, o->control.n_chosen);
  for (int i = 0; i < o->control.n_chosen; i++)
    pack_number(p, o->control.chosen[i]);
  put_list(p, world, WORLD_NUMBERS);
  put_events(p, o);
  pack_numbers(p, r->start, 2 * (size_t)r->n_dofs);
  pack_numbers(p, r->angle, (size_t)r->n);
  pack_numbers(p, r->place, 2 * (size_t)r->n);
}

static void keep(struct arena *arena, struct store_performance *out, enum store_performance_bytes which, const double *x, size_t n)
{
  struct pack p = {arena_alloc(arena, 8 * n + 1, 1), 0};
  pack_numbers(&p, x, n);
  out->bytes[which] = p.bytes;
  out->n_bytes[which] = p.n;
}

static const char *option_words(struct arena *arena, const struct modal_run_options *o)
{
  return arena_printf(arena, "window %d, step %g, %d pushes, reaction %g, %d edits, slope %g, load %g, friction %g",
                      o->control.window, o->control.step, o->n_pushes, o->reaction, o->n_edits, o->slope, o->load.mass,
                      o->control.friction);
}

void modal_record_make(struct arena *arena, const char *what, const struct modal_source *source,
                       const struct modal_run *r, const struct modal_run_options *o, struct store_performance *out)
{
  size_t k = (size_t)r->n, n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  *out = (struct store_performance){.series = SERIES_MODAL, .way = "modal", .clip = source->clip, .what = what, .options = option_words(arena, o), .success = r->success,
                              .fault = r->fault ? r->fault : "", .n_frames = r->n, .seconds = r->n_wanted * r->dt, .fault_after = r->n * r->dt, .dt = r->dt,
                              .unsolved = r->lemke_failures, .seconds_models = NAN, .seconds_control = r->seconds_control};
  out->place = o->where == MODAL_OWN ? "linear" : o->world.engine == WORLD_TREE ? "tree" : "ode";
  const double numbers[N_PERFORMANCE_NUMBERS] = {NAN, NAN, NAN, NAN, NAN, r->worst_height, r->worst_angle, NAN, NAN,
                                                 r->mean_angle, r->mean_joint, r->most_missed};
  memcpy(out->numbers, numbers, sizeof numbers);
  keep(arena, out, PERFORMANCE_Q, r->q, k * n);
  keep(arena, out, PERFORMANCE_REFERENCE, r->reference, k * n);
  keep(arena, out, PERFORMANCE_TORQUE, r->torque, k * n);
  keep(arena, out, PERFORMANCE_PLANNED, r->planned, 3 * k * p);
  keep(arena, out, PERFORMANCE_FORCE, r->used, 3 * k * p);
  struct pack count = {NULL, 0};
  put_control(&count, source, r, o);
  struct pack w = {arena_alloc(arena, count.n, 1), 0};
  put_control(&w, source, r, o);
  out->bytes[PERFORMANCE_CONTROL] = w.bytes;
  out->n_bytes[PERFORMANCE_CONTROL] = w.n;
}

/* ---- reading ---- */

/* A list of at most `most` numbers that are known of; the rest of a longer one is skipped. 0 if it is damaged. */
static int get_list(struct unpack *u, struct arena *arena, int most, double *x)
{
  int n = unpack_count(u);
  if (n < 0)
    return 0;
  const double *all = unpack_numbers(u, arena, (size_t)n);
  memset(x, 0, (size_t)most * sizeof *x);
  if (u->at <= u->n)
    memcpy(x, all, (size_t)(n < most ? n : most) * sizeof *x);
  return u->at <= u->n;
}

static int get_limb(struct unpack *u, const struct creature *c, int *limb)
{
  *limb = unpack_count(u);
  return *limb >= 0 && *limb < c->n_limbs;
}

static int get_pushes(struct unpack *u, struct arena *arena, const struct creature *c, struct modal_run_options *o)
{
  o->n_pushes = unpack_count(u);
  if (o->n_pushes < 0 || u->at > u->n || (size_t)o->n_pushes > (u->n - u->at) / 48)
    return 0;
  struct modal_run_push *pushes = ARENA_NEW(arena, (size_t)o->n_pushes + 1, struct modal_run_push);
  int good = 1;
  for (int i = 0; i < o->n_pushes; i++) {
    pushes[i].from = unpack_number(u);
    pushes[i].seconds = unpack_number(u);
    for (int a = 0; a < 3; a++)
      pushes[i].force[a] = unpack_number(u);
    good &= get_limb(u, c, &pushes[i].limb);
  }
  o->pushes = pushes;
  return good;
}

static int get_edits(struct unpack *u, struct arena *arena, struct modal_run_options *o)
{
  o->n_edits = unpack_count(u);
  if (o->n_edits < 0 || o->n_edits > GUIDE_EDITS)
    return 0;
  struct guide_edit *edits = ARENA_NEW(arena, (size_t)o->n_edits + 1, struct guide_edit);
  for (int i = 0; i < o->n_edits; i++) {
    int kind = unpack_count(u);
    if (kind < 0 || kind > GUIDE_TRANSITION)
      return 0;
    edits[i].kind = (enum guide_edit_kind)kind;
    edits[i].from = unpack_number(u);
    edits[i].until = unpack_number(u);
    edits[i].value = unpack_number(u);
  }
  o->edits = edits;
  return 1;
}

static int get_load(struct unpack *u, const struct creature *c, struct modal_run_load *l)
{
  l->from = unpack_number(u);
  l->mass = unpack_number(u);
  l->n_limbs = unpack_count(u);
  int good = l->n_limbs >= 0 && l->n_limbs <= MODAL_CARRIERS;
  for (int i = 0; good && i < l->n_limbs; i++)
    good = get_limb(u, c, &l->limbs[i]);
  return good;
}

static int get_options(struct unpack *u, struct arena *arena, const struct creature *c, struct modal_source *source,
                       struct modal_run_options *o)
{
  double control[CONTROL_NUMBERS], world[WORLD_NUMBERS];
  if (unpack_number(u) != MAGIC || unpack_count(u) != c->n_dofs || unpack_count(u) != c->n_points)
    return 0;
  source->clip = unpack_count(u);
  source->after = unpack_count(u);
  source->arms = unpack_number(u);
  o->where = unpack_number(u) == (double)MODAL_OWN ? MODAL_OWN : MODAL_WORLD;
  o->seconds = unpack_number(u);
  o->first = unpack_count(u);
  o->slope = unpack_number(u);
  o->reaction = unpack_number(u);
  if (source->clip < 0 || source->after < 0 || o->first < 0 || !get_list(u, arena, CONTROL_NUMBERS, control))
    return 0;
  control_options(control, &o->control);
  int n = o->control.n_chosen = unpack_count(u);
  if (n < 0 || n > c->n_dofs)
    return 0;
  int *chosen = ARENA_NEW(arena, (size_t)n + 1, int);
  for (int i = 0; i < n; i++)
    chosen[i] = unpack_count(u);
  o->control.chosen = n ? chosen : NULL;
  if (!get_list(u, arena, WORLD_NUMBERS, world))
    return 0;
  world_of_numbers(world, &o->world);
  return get_pushes(u, arena, c, o) && get_edits(u, arena, o) && get_load(u, c, &o->load) && u->at <= u->n &&
         o->control.step > 0 && o->control.step < 1 && o->control.window >= 1 && o->control.window <= MODAL_WINDOW_MOST &&
         isfinite(o->seconds);
}

/* An array of the record, as long as it should be; NULL if it is not. */
static double *get_array(struct arena *arena, const struct store_performance *k, enum store_performance_bytes which, size_t n)
{
  struct unpack u = {k->bytes[which], k->n_bytes[which], 0};
  return k->n_bytes[which] == 8 * n ? unpack_numbers(&u, arena, n) : NULL;
}

struct modal_run *modal_record_read(struct arena *arena, const struct creature *c, const struct store_performance *k,
                                    struct modal_source *source, struct modal_run_options *o, struct diag *d)
{
  struct modal_run *r = ARENA_NEW(arena, 1, struct modal_run);
  struct unpack u = {k->bytes[PERFORMANCE_CONTROL], k->n_bytes[PERFORMANCE_CONTROL], 0};
  size_t steps = (size_t)k->n_frames, n = (size_t)c->n_dofs, p = (size_t)c->n_points;
  *r = (struct modal_run){.creature = c, .n = k->n_frames, .n_wanted = (int)lround(k->seconds / k->dt), .n_dofs = c->n_dofs,
                          .n_points = c->n_points, .dt = k->dt, .success = k->success,
                          .fault = k->fault[0] ? k->fault : NULL, .lemke_failures = k->unsolved, .seconds_control = k->seconds_control,
                          .worst_angle = k->numbers[PERFORMANCE_WORST_ANGLE], .worst_height = k->numbers[PERFORMANCE_WORST_HEIGHT],
                          .mean_angle = k->numbers[PERFORMANCE_RMS_ANGLE], .mean_joint = k->numbers[PERFORMANCE_RMS_JOINT],
                          .most_missed = k->numbers[PERFORMANCE_MISSED]};
  *o = (struct modal_run_options){0};
  int good = get_options(&u, arena, c, source, o);
  r->start = unpack_numbers(&u, arena, good ? 2 * n : 0);
  r->angle = unpack_numbers(&u, arena, good ? steps : 0);
  r->place = unpack_numbers(&u, arena, good ? 2 * steps : 0);
  r->q = get_array(arena, k, PERFORMANCE_Q, steps * n);
  r->reference = get_array(arena, k, PERFORMANCE_REFERENCE, steps * n);
  r->torque = get_array(arena, k, PERFORMANCE_TORQUE, steps * n);
  r->planned = get_array(arena, k, PERFORMANCE_PLANNED, 3 * steps * p);
  r->used = get_array(arena, k, PERFORMANCE_FORCE, 3 * steps * p);
  if (good && u.at == u.n && r->q && r->reference && r->torque && r->planned && r->used && r->n <= r->n_wanted)
    return r;
  diag_error(d, c->file, 0, "motion %d under modal control is damaged, or of another creature", k->number);
  return NULL;
}

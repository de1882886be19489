/* Trials of a controller, on the farm. */
#include "control/trials.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/seconds.h"
#include "follow/disturb.h"
#include "motion/ground.h"
#include "follow/errors.h"

#define STREAM 0x545249414cULL

void trial_defaults(const struct creature *c, enum trial_kind kind, struct trial_options *o)
{
  *o = (struct trial_options){.kind = kind, .start = 0.02, .size = 0.26, .push_seconds = 0.1, .every = 2,
                              .growth = 0.002, .only_cycle = -1, .workers = 1, .seed = 1, .earliest = 1, .cycles = 2};
  o->seconds = kind == TRIAL_WALK ? 600 : kind == TRIAL_PUSH ? 6 : 900;
  runner_defaults(c, &o->runner);
}

/* ---- one trial ---- */

struct course {                 /* of a trial */
  const struct trial_options *o;
  const struct controls *controls;
  struct rng rng;
  int trunk;
  double next;                  /* push [s]   */
  struct trial_result *out;
};

static int trials_choose(void *user, int node, double heading)
{
  struct course *t = user;
  const struct motion_graph *m = t->controls->graph->motion;
  int first = m->first_segment[node], n = m->first_segment[node + 1] - first;
  (void)heading;
  return t->o->only_cycle >= 0 ? first : first + rng_below(&t->rng, n);
}

/* Pushes when it is time. */
static void trials_before_frame(void *user, struct runner *r)
{
  struct course *t = user;
  const struct creature *c = t->controls->graph->creature;
  if (t->o->kind == TRIAL_WALK || r->time < t->next)
    return;
  double size = t->o->kind == TRIAL_PUSH ? t->o->size : fabs(t->o->growth * r->time * rng_normal(&t->rng));
  double angle = rng_uniform(&t->rng, -PI, PI), force = size * c->mass * CREATURE_GRAVITY;
  world_get(r->body->world, r->q, NULL);
  double push[3] = {force * cos(r->q[3] + angle), force * sin(r->q[3] + angle), 0};
  world_push(r->body->world, t->trunk, push, t->o->push_seconds);
  t->out->last_push = size;
  t->out->angle = angle;
  t->out->phase_fragment = r->path.fragment;
  t->next = t->o->kind == TRIAL_PUSH ? INFINITY : t->next + t->o->every;
}

/* Where it begins: any fragment, with random errors. */
static void trials_start(struct course *t, struct runner *r)
{
  const struct control_graph *g = t->controls->graph;
  int m = 2 * g->creature->n_dofs, only = t->o->only_cycle;
  double x[m], size = t->o->start;
  int fragment = only >= 0 ? g->strips[only].first + rng_below(&t->rng, g->strips[only].n)
                           : rng_below(&t->rng, g->n_fragments);
  for (int i = 0; i < m; i++)
    x[i] = (i < 2 ? 0 : i < m / 2 ? size : 3 * size) * rng_normal(&t->rng);
  const struct clip *clip = g->strips[g->fragments[fragment].strip].clip;
  double cycle = clip->n_frames * g->dt;
  t->next = t->o->kind == TRIAL_GROWING ? t->o->every : t->o->earliest + rng_uniform(&t->rng, 0, t->o->cycles * cycle);
  runner_start(r, fragment, 0, 0, 0, x);
}

static void run_trial(const struct controls *c, const struct trial_options *o, int number, struct runner *r,
                      struct trial_result *out)
{
  struct course t = {.o = o, .controls = c, .out = out, .rng = rng_stream(o->seed, STREAM + (uint64_t)number)};
  const struct control_graph *g = c->graph;
  double until = o->seconds;
  *out = (struct trial_result){0};
  t.trunk = disturb_trunk(g->creature);
  r->rng = rng_stream(o->seed, 2 * STREAM + (uint64_t)number);
  r->choose = trials_choose;
  r->choose_user = &t;
  r->every_frame = trials_before_frame;
  r->frame_user = &t;
  trials_start(&t, r);
  double from = processor_seconds();
  while (r->time < until && runner_go(r)) {
    if (o->kind == TRIAL_PUSH && isinf(t.next) && until == o->seconds)
      until = r->time + o->seconds;
    else if (o->kind == TRIAL_PUSH && !isinf(t.next))
      until = fmax(until, r->time + o->seconds);
    out->course = fmax(out->course, hypot(r->x[ERRORS_X], r->x[ERRORS_Y]));
    out->heading = fmax(out->heading, fabs(r->x[ERRORS_YAW]));
  }
  out->processor = processor_seconds() - from;
  out->seconds = r->time;
  out->up = r->state == RUNNER_UP;
  out->fragment = r->path.fragment;
  out->looks = r->fragments ? (double)r->looks / (double)r->fragments : 0;
}

/* ---- on the farm ---- */

static void trials_run_job(const struct controls *c, const void *options, const void *in, size_t n_in,
                           struct farm_reply *out)
{
  const struct trial_options *o = options;
  struct arena *scratch = arena_new();
  struct trial_result result;
  struct diag d;
  int number = 0;
  diag_init(&d);
  memcpy(&number, in, n_in < sizeof number ? n_in : sizeof number);
  struct runner *r = runner_new(scratch, c, &o->runner, &d);
  if (r) {
    run_trial(c, o, number, r, &result);
    farm_reply_write(out, &result, sizeof result);
  } else {
    farm_reply_fail(out, "this creature cannot be simulated so");
  }
  runner_free(r);
  diag_clear(&d);
  arena_free(scratch);
}

const struct control_jobs_kind trials_jobs = {"trials", sizeof(struct trial_options), trials_run_job};

struct trial_result *trials_run(struct arena *arena, const struct controls *c, int n, const struct trial_options *o,
                                struct diag *d)
{
  struct arena *scratch = arena_new();
  struct control_jobs jobs = {.kind = &trials_jobs, .controls = c, .options = o, .workers = o->workers,
                              .progress = o->progress, .user = o->user};
  struct trial_result *results = ARENA_NEW(arena, (size_t)n + 1, struct trial_result);
  int *numbers = ARENA_NEW(scratch, (size_t)n + 1, int), good;
  for (int i = 0; i < n; i++)
    numbers[i] = i;
  const struct control_jobs_result *got = control_jobs_run(scratch, &jobs, n, numbers, sizeof *numbers, d);
  good = got != NULL;
  for (int i = 0; good && i < n; i++) {
    good = got[i].n == sizeof *results;
    if (good)
      memcpy(&results[i], got[i].bytes, sizeof *results);
    else
      diag_error(d, c->graph->motion->file, 0, "trial %d of %d sent something else than its result", i + 1, n);
  }
  arena_free(scratch);
  return good ? results : NULL;
}

struct trial_summary trials_summary(const struct trial_result *r, int n)
{
  struct trial_summary s = {.n = n};
  double sum = 0, squares = 0, processor = 0;
  for (int i = 0; i < n; i++) {
    sum += r[i].seconds;
    squares += r[i].seconds * r[i].seconds;
    processor += r[i].processor;
    s.up += r[i].up != 0;
    s.looks += r[i].looks / n;
    s.course = fmax(s.course, r[i].course);
  }
  s.mean_seconds = n ? sum / n : 0;
  s.deviation = n > 1 ? sqrt(fmax(0, (squares - sum * sum / n) / (n - 1))) : 0;
  s.speed = processor > 0 ? sum / processor : 0;
  return s;
}

int *trials_falls(struct arena *arena, const struct control_graph *g, const struct trial_result *r, int n)
{
  int *falls = ARENA_NEW(arena, (size_t)g->n_strips, int);
  for (int i = 0; i < n; i++)
    falls[g->fragments[(int)r[i].fragment].strip] += !r[i].up;
  return falls;
}

int trials_passed(enum trial_kind kind, int up, int n)
{
  return kind == TRIAL_WALK ? up == n : kind == TRIAL_PUSH ? up >= 0 && 20 * up >= 19 * n : up >= 0;
}

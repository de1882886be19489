/* Batches of samples as bytes, simulated wherever the farm says. */
#include "track/crew.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "farm/farm.h"
#include "track/design.h"
#include "track/errors.h"
#include "track/matrices.h"

struct crew {
  struct rollout *rollout;
  struct rollout *scout;        /* NULL: there is none */
  struct farm *farm;
  int n_errors, n_controls, n_points;
  long samples;
  double seconds;
};

/* What a job is told; mean, spread and state follow. */
struct order {
  uint64_t seed, stream;
  int kind, window, n, first, uniform, with_mean, recentre, full, scout, scouted;
  double place, velocity, control;
  uint64_t n_mean, n_spread, n_state, n_after; /* numbers, numbers, bytes of the state, bytes of those that come back */
};

/* What comes of a sample; then begin, u, end, state. */
struct answer { double good; struct cost_terms cost; };

/* ---- in a worker ---- */

struct work {
  struct rollout *ro;
  const struct order *order;
  const double *mean, *spread;
  const void *state;
  double *begin, *u, *end, *centre, *design;
  void *after;
  const double *q, *v;          /* of the state, for the scout; NULL: it is one of the world that simulates */
};

/* u += offsets by chance */
static void draw(const struct work *w, struct rng *rng, int n)
{
  const struct order *o = w->order;
  double z[n];
  for (int i = 0; i < n; i++)
    z[i] = o->uniform ? rng_uniform(rng, -1, 1) : rng_normal(rng);
  if (o->full)
    matrices_lower_apply(n, w->spread, z);
  for (int i = 0; i < n; i++)
    w->u[i] += o->full ? z[i] : z[i] * w->spread[i];
}

/* A state near the reference; of two samples in a row the second one is the first one mirrored, and pairs are
 * perpendicular. */
static void perturb(const struct work *w, int i, int n_errors, int n_controls)
{
  const struct order *o = w->order;
  int pair = (o->first + i) / 2, n = n_errors - 2 + n_controls, k = 0;
  double sign = (o->first + i) % 2 ? -1 : 1;
  if (i == 0 || (sign > 0 && pair % n == 0))
    design_fill(o->seed, o->stream + (uint64_t)(pair / n), n, w->design);
  const double *row = w->design + (size_t)(pair % n) * (size_t)n;
  for (int e = 2; e < n_errors; e++)
    w->begin[e] = sign * (e < n_errors / 2 ? o->place : o->velocity) * row[k++];
  for (int e = 0; e < n_controls; e++)
    w->u[e] = sign * o->control * row[k++];
}

static void prepare_sample(const struct work *w, int i, const struct crew *c)
{
  const struct order *o = w->order;
  size_t n = (size_t)c->n_controls;
  if (o->kind == BATCH_PERTURBED) {
    perturb(w, i, c->n_errors, c->n_controls);
    rollout_start(w->ro, w->ro->reference->first[o->window], w->begin);
    return;
  }
  struct rng rng = rng_stream(o->seed, o->stream + (uint64_t)i);
  int first = i == 0 && (o->with_mean || o->recentre);
  memcpy(w->u, first ? w->mean : w->centre, n * sizeof *w->u);
  if (!first)
    draw(w, &rng, c->n_controls);
  if (w->q)
    world_set(w->ro->world, w->q, w->v);
  else
    world_restore(w->ro->world, w->state);
}

/* Where the first sample ended is where targets have to aim higher: what it missed, joint by joint. */
static void recentre(const struct work *w, const struct crew *c, int good)
{
  for (int i = 0; i < c->n_controls; i++)
    w->centre[i] = w->mean[i] - (good ? w->end[CREATURE_ROOT_DOFS + i] : 0);
}

static void run_sample(const struct work *w, int i, const struct crew *c, struct farm_reply *out)
{
  const struct order *o = w->order;
  int end = w->ro->reference->first[o->window + 1];
  struct answer a = {0};
  prepare_sample(w, i, c);
  a.good = rollout_window(w->ro, o->window, w->u, NULL) && rollout_errors(w->ro, end, w->end) &&
           rollout_cost(w->ro, end, &a.cost);
  if (o->recentre && i == 0)
    recentre(w, c, a.good != 0);
  if (o->n_after)
    world_save(w->ro->world, w->after);
  farm_reply_write(out, &a, sizeof a);
  farm_reply_write(out, w->begin, (size_t)c->n_errors * sizeof(double));
  farm_reply_write(out, w->u, (size_t)c->n_controls * sizeof(double));
  farm_reply_write(out, w->end, (size_t)c->n_errors * sizeof(double));
  farm_reply_write(out, w->after, o->n_after);
}

/* A state of the world of record as the scout can begin with it. */
static void translate(const struct crew *c, struct arena *scratch, struct work *w)
{
  size_t n = (size_t)c->n_errors / 2;
  double *q = ARENA_NEW(scratch, 2 * n, double);
  world_restore(c->rollout->world, w->state);
  world_get(c->rollout->world, q, q + n);
  w->q = q;
  w->v = q + n;
}

static void run_batch(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  struct crew *c = user;
  const struct order *o = in;
  const unsigned char *rest = (const unsigned char *)in + sizeof *o;
  if (n_in != sizeof *o + (o->n_mean + o->n_spread) * sizeof(double) + o->n_state) {
    farm_reply_fail(out, "a batch of samples has the wrong size");
    return;
  }
  struct arena *scratch = arena_new();
  struct work w = {.ro = o->scout ? c->scout : c->rollout, .order = o};
  w.begin = ARENA_NEW(scratch, (size_t)c->n_errors, double);
  w.end = ARENA_NEW(scratch, (size_t)c->n_errors, double);
  w.u = ARENA_NEW(scratch, (size_t)c->n_controls, double);
  w.centre = ARENA_NEW(scratch, (size_t)c->n_controls, double);
  size_t n_design = o->kind == BATCH_PERTURBED ? (size_t)(c->n_errors - 2 + c->n_controls) : 0;
  w.design = ARENA_NEW(scratch, n_design * n_design + 1, double);
  w.after = arena_alloc(scratch, o->n_after + 1, 1);
  double *numbers = ARENA_NEW(scratch, o->n_mean + o->n_spread + (size_t)c->n_controls + 1, double);
  memcpy(numbers, rest, (o->n_mean + o->n_spread) * sizeof(double));
  w.mean = o->n_mean ? numbers : numbers + o->n_mean + o->n_spread; /* zeros */
  w.spread = numbers + o->n_mean;
  w.state = rest + (o->n_mean + o->n_spread) * sizeof(double);
  memcpy(w.centre, w.mean, (size_t)c->n_controls * sizeof(double));
  if (o->n_state && o->scout && !o->scouted)
    translate(c, scratch, &w);
  for (int i = 0; i < o->n; i++)
    run_sample(&w, i, c, out);
  arena_free(scratch);
}

/* ---- here ---- */

/* The scout of a world; NULL where there is none. */
static struct rollout *find_scout(struct arena *arena, const struct reference *r, const struct rollout_options *o)
{
  struct rollout_options own = *o;
  struct diag ignored;
  own.world.engine = WORLD_OWN;
  diag_init(&ignored);
  struct rollout *scout = o->world.engine == WORLD_OWN ? NULL : rollout_new(arena, r, &own, &ignored);
  diag_clear(&ignored);
  return scout;
}

struct crew *crew_open(struct arena *arena, const struct reference *r, const struct rollout_options *o, int workers,
                       struct diag *d)
{
  struct crew *c = ARENA_NEW(arena, 1, struct crew);
  c->rollout = rollout_new(arena, r, o, d);
  if (!c->rollout)
    return NULL;
  c->scout = find_scout(arena, r, o);
  c->n_errors = 2 * r->n_dofs;
  c->n_controls = r->n_dofs - CREATURE_ROOT_DOFS;
  c->n_points = r->n_points;
  struct farm_options options = {.kind = workers < 2 ? FARM_INLINE : FARM_FORK, .workers = workers, .user = c,
                                 .run = run_batch};
  c->farm = farm_open(arena, &options, d);
  if (c->farm)
    return c;
  rollout_free(c->rollout);
  rollout_free(c->scout);
  return NULL;
}

void crew_close(struct crew *c)
{
  if (!c)
    return;
  farm_close(c->farm);
  rollout_free(c->rollout);
  rollout_free(c->scout);
}

int crew_has_scout(const struct crew *c)
{
  return c->scout != NULL;
}

size_t crew_state_size(const struct crew *c, int scout)
{
  return scout && c->scout ? c->scout->state_size : c->rollout->state_size;
}

struct rollout *crew_rollout(struct crew *c)
{
  return c->rollout;
}

/* Bytes of a state, so many that numbers after them are aligned. */
static size_t whole_words(size_t n)
{
  return (n + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

void crew_submit(struct crew *c, const struct batch *b)
{
  size_t n = (size_t)c->n_controls, n_spread = b->spread ? (b->full ? n * n : n) : 0;
  int scout = b->scout && c->scout, scouted = b->scouted && c->scout, samples = b->kind == BATCH_SAMPLES;
  size_t begin = crew_state_size(c, scouted), end = crew_state_size(c, scout);
  struct order o = {.seed = b->seed, .stream = b->stream, .kind = (int)b->kind, .window = b->window, .n = b->n,
                    .first = b->first, .uniform = b->uniform,
                    .with_mean = b->with_mean, .recentre = b->recentre, .full = b->full, .place = b->place,
                    .velocity = b->velocity, .control = b->control, .n_mean = b->mean ? n : 0, .n_spread = n_spread,
                    .scout = scout, .scouted = scouted, .n_state = samples ? whole_words(begin) : 0,
                    .n_after = samples && !b->stateless ? whole_words(end) : 0};
  size_t size = sizeof o + (o.n_mean + o.n_spread) * sizeof(double) + o.n_state, at = sizeof o;
  struct arena *scratch = arena_new();
  unsigned char *bytes = arena_alloc(scratch, size, 1);
  memcpy(bytes, &o, sizeof o);
  if (o.n_mean)
    memcpy(bytes + at, b->mean, o.n_mean * sizeof(double));
  at += o.n_mean * sizeof(double);
  if (o.n_spread)
    memcpy(bytes + at, b->spread, o.n_spread * sizeof(double));
  at += o.n_spread * sizeof(double);
  if (o.n_state)
    memcpy(bytes + at, b->state, begin);
  farm_submit(c->farm, (uint64_t)b->n, bytes, size);
  arena_free(scratch);
}

int crew_collect(struct crew *c, struct arena *arena, struct batch_sample **out, struct diag *d)
{
  struct farm_result result;
  size_t m = (size_t)c->n_errors * sizeof(double), n = (size_t)c->n_controls * sizeof(double);
  int got = farm_collect(c->farm, &result);
  if (got != 1 || result.outcome != FARM_DONE) {
    diag_error(d, c->rollout->reference->creature->file, 0, "a worker that simulates failed: %s",
               got == 1 ? result.words : "nothing came of it");
    return -1;
  }
  int count = (int)result.tag;
  size_t each = result.n_bytes / (size_t)count, n_state = each - sizeof(struct answer) - 2 * m - n;
  unsigned char *bytes = memcpy(arena_alloc(arena, result.n_bytes, 1), result.bytes, result.n_bytes);
  struct batch_sample *samples = ARENA_NEW(arena, (size_t)count, struct batch_sample);
  for (int i = 0; i < count; i++) {
    unsigned char *at = bytes + (size_t)i * each;
    struct answer a;
    memcpy(&a, at, sizeof a);
    at += sizeof a;
    samples[i] = (struct batch_sample){.good = a.good != 0, .cost = a.cost, .begin = (double *)(void *)at,
                                       .u = (double *)(void *)(at + m), .end = (double *)(void *)(at + m + n),
                                       .state = n_state ? at + 2 * m + n : NULL};
  }
  c->samples += count;
  c->seconds += result.cpu_seconds;
  *out = samples;
  return count;
}

long crew_samples(const struct crew *c)
{
  return c->samples;
}

double crew_seconds(const struct crew *c)
{
  return c->seconds;
}

int crew_workers(const struct crew *c)
{
  return farm_workers(c->farm);
}

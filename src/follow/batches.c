/* Batches of samples as bytes, simulated wherever the farm says.
 *
 * A job is as many batches in a row as make it worth a process: a window in the surrogate simulator
 * takes less time than a fork. How
 * batches are put together depends on the number of workers; what comes of a batch does not. */
#include "follow/batches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrices.h"
#include "base/rng.h"
#include "creature/creature_bytes.h"
#include "follow/design.h"
#include "follow/errors.h"
#include "follow/reference_bytes.h"

#define JOBS_EACH 3             /* so many jobs for each worker: one more than the others may be slow */

struct sent {                   /* a batch */
  int samples;
  size_t from, until;           /* its bytes among those that wait     */
  size_t each;                  /* bytes of a sample that come back    */
};

struct batches {
  struct rollout *rollout;
  struct rollout *surrogate;    /* NULL: there is none */
  struct farm *farm;
  int elsewhere;                /* jobs are not done in this process */
  int n_errors, n_controls, n_points;
  long samples;
  double seconds;
  struct arena *own;            /* at a rank that serves: of all that batches_prepare() made */

  struct sent *sent;            /* batches whose samples have not been collected, oldest first (n_sent of room_sent) */
  int n_sent, room_sent;
  int n_waiting;                /* the last so many of them are not yet with the farm */
  unsigned char *waiting;       /* their bytes                                        */
  size_t n_bytes, room_bytes;
  struct farm_result result;    /* of a job that is being collected                   */
  size_t taken;                 /* bytes of it                                        */
};

/* What a job is sent; mean, spread and state follow. */
struct order {
  uint64_t seed, stream;
  int kind, window, n, first, uniform, with_mean, recentre, full, surrogate, from_surrogate;
  double place, velocity, control;
  uint64_t n_mean, n_spread, n_state, n_after; /* numbers, numbers, bytes of the state, bytes of those that come back */
};

/* What comes of a sample; then start, u, end, state. */
struct answer { double good; struct cost_terms cost; };

/* ---- in a worker ---- */

struct work {
  struct rollout *ro;
  const struct order *order;
  const double *mean, *spread;
  const void *state;
  double *start, *u, *end, *centre, *design;
  void *after;
  const double *q, *v;          /* of the state, for the surrogate; NULL: it is one of the world that simulates */
};

/* u += random offsets */
static void batches_draw(const struct work *w, struct rng *rng, int n)
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
static void batches_perturb(const struct work *w, int i, int n_errors, int n_controls)
{
  const struct order *o = w->order;
  int pair = (o->first + i) / 2, n = n_errors - 2 + n_controls, k = 0;
  double sign = (o->first + i) % 2 ? -1 : 1;
  if (i == 0 || (sign > 0 && pair % n == 0))
    design_fill(o->seed, o->stream + (uint64_t)(pair / n), n, w->design);
  const double *row = w->design + (size_t)(pair % n) * (size_t)n;
  for (int e = 2; e < n_errors; e++)
    w->start[e] = sign * (e < n_errors / 2 ? o->place : o->velocity) * row[k++];
  for (int e = 0; e < n_controls; e++)
    w->u[e] = sign * o->control * row[k++];
}

static void batches_prepare_sample(const struct work *w, int i, const struct batches *c)
{
  const struct order *o = w->order;
  size_t n = (size_t)c->n_controls;
  if (o->kind == BATCH_PERTURBED) {
    batches_perturb(w, i, c->n_errors, c->n_controls);
    rollout_start(w->ro, w->ro->reference->first[o->window], w->start);
    return;
  }
  struct rng rng = rng_stream(o->seed, o->stream + (uint64_t)i);
  int first = i == 0 && (o->with_mean || o->recentre);
  memcpy(w->u, first ? w->mean : w->centre, n * sizeof *w->u);
  if (!first)
    batches_draw(w, &rng, c->n_controls);
  if (w->q)
    world_set(w->ro->world, w->q, w->v);
  else
    world_restore(w->ro->world, w->state);
}

/* Where the first sample ended is where targets have to aim higher: what it missed, joint by joint. */
static void batches_recentre(const struct work *w, const struct batches *c, int good)
{
  for (int i = 0; i < c->n_controls; i++)
    w->centre[i] = w->mean[i] - (good ? w->end[CREATURE_ROOT_DOFS + i] : 0);
}

static void batches_run_sample(const struct work *w, int i, const struct batches *c, struct farm_reply *out)
{
  const struct order *o = w->order;
  int end = w->ro->reference->first[o->window + 1];
  struct answer a = {0};
  batches_prepare_sample(w, i, c);
  a.good = rollout_window(w->ro, o->window, w->u, NULL) && rollout_errors(w->ro, end, w->end) &&
           rollout_cost(w->ro, end, &a.cost);
  if (o->recentre && i == 0)
    batches_recentre(w, c, a.good != 0);
  if (o->n_after)
    world_save(w->ro->world, w->after);
  farm_reply_write(out, &a, sizeof a);
  farm_reply_write(out, w->start, (size_t)c->n_errors * sizeof(double));
  farm_reply_write(out, w->u, (size_t)c->n_controls * sizeof(double));
  farm_reply_write(out, w->end, (size_t)c->n_errors * sizeof(double));
  farm_reply_write(out, w->after, o->n_after);
}

/* A state of the world of record as the surrogate simulator can start with it. */
static void batches_translate(const struct batches *c, struct arena *scratch, struct work *w)
{
  size_t n = (size_t)c->n_errors / 2;
  double *q = ARENA_NEW(scratch, 2 * n, double);
  world_restore(c->rollout->world, w->state);
  world_get(c->rollout->world, q, q + n);
  w->q = q;
  w->v = q + n;
}

static size_t order_size(const struct order *o)
{
  return sizeof *o + (size_t)(o->n_mean + o->n_spread) * sizeof(double) + (size_t)o->n_state;
}

static void batches_run_one(const struct batches *c, const struct order *o, struct farm_reply *out)
{
  const unsigned char *rest = (const unsigned char *)o + sizeof *o;
  struct arena *scratch = arena_new();
  struct work w = {.ro = o->surrogate ? c->surrogate : c->rollout, .order = o};
  w.start = ARENA_NEW(scratch, (size_t)c->n_errors, double);
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
  if (o->n_state && o->surrogate && !o->from_surrogate)
    batches_translate(c, scratch, &w);
  for (int i = 0; i < o->n; i++)
    batches_run_sample(&w, i, c, out);
  arena_free(scratch);
}

/* Batches one after the other. */
static void batches_run_job(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  for (size_t at = 0; at < n_in;) {
    const struct order *o = (const void *)((const unsigned char *)in + at);
    if (n_in - at < sizeof *o || n_in - at < order_size(o)) {
      farm_reply_fail(out, "a batch of samples has the wrong size");
      return;
    }
    batches_run_one(user, o, out);
    at += order_size(o);
  }
}

/* ---- here, or at a rank that serves ---- */

/* The surrogate simulator of a world: the same world, stepped by the tree engine. NULL where there is none. */
static struct rollout *new_surrogate(struct arena *arena, const struct reference *r, const struct rollout_options *o)
{
  struct rollout_options own = *o;
  struct diag ignored;
  own.world.engine = WORLD_TREE;
  diag_init(&ignored);
  struct rollout *surrogate = o->world.engine == WORLD_TREE ? NULL : rollout_new(arena, r, &own, &ignored);
  diag_clear(&ignored);
  return surrogate;
}

/* The worlds that batches are simulated in; 0 after an error. */
static int make_worlds(struct batches *c, struct arena *arena, const struct reference *r,
                       const struct rollout_options *o,
                       struct diag *d)
{
  c->rollout = rollout_new(arena, r, o, d);
  if (!c->rollout)
    return 0;
  c->surrogate = new_surrogate(arena, r, o);
  c->n_errors = 2 * r->n_dofs;
  c->n_controls = r->n_dofs - CREATURE_ROOT_DOFS;
  c->n_points = r->n_points;
  return 1;
}

static void free_worlds(struct batches *c)
{
  rollout_free(c->rollout);
  rollout_free(c->surrogate);
  c->rollout = c->surrogate = NULL;
}

/* ---- what is sent to ranks ---- */

struct shared { const struct reference *r; const struct rollout_options *o; };

static void batches_put_shared(struct bytes_writer *w, const void *what)
{
  const struct shared *s = what;
  struct rollout_options o = *s->o;
  o.weights = NULL;
  o.pushes = NULL; /* samples are not disturbed */
  o.n_pushes = 0;
  creature_put(w, s->r->creature);
  reference_put(w, s->r);
  bytes_put(w, &o, sizeof o);
  bytes_put_int(w, s->o->weights != NULL);
  bytes_put(w, s->o->weights, s->o->weights ? sizeof *s->o->weights : 0);
}

/* At a rank that serves, worlds of the bytes that all share; where the batches were opened they are there. */
static int batches_prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct batches *c = user;
  struct cost_weights weights;
  struct rollout_options o;
  if (c->rollout)
    return 1;
  c->own = arena_new();
  struct bytes_reader b = {.at = shared, .left = n_shared, .arena = c->own};
  const struct creature *creature = creature_get(&b);
  const struct reference *r = creature ? reference_get(&b, creature) : NULL;
  bytes_get(&b, &o, sizeof o);
  if (bytes_get_within(&b, 0, 1)) {
    bytes_get(&b, &weights, sizeof weights);
    o.weights = &weights;
  }
  if (!r || b.bad || b.left) {
    diag_error(d, "batches", 0, "what is to be simulated cannot be read");
    return 0;
  }
  return make_worlds(c, c->own, r, &o, d);
}

static void batches_finish(void *user)
{
  struct batches *c = user;
  free_worlds(c);
  arena_free(c->own);
  *c = (struct batches){0};
}

struct farm_options batches_service(struct arena *arena)
{
  return (struct farm_options){.service = "windows", .user = ARENA_NEW(arena, 1, struct batches),
                               .run = batches_run_job, .prepare = batches_prepare, .finish = batches_finish};
}

/* ---- here ---- */

struct batches *batches_open(struct arena *arena, const struct reference *r, const struct rollout_options *o,
                             int workers,
                       struct diag *d)
{
  struct batches *c = ARENA_NEW(arena, 1, struct batches);
  struct shared shared = {r, o};
  if (!make_worlds(c, arena, r, o, d))
    return NULL;
  struct farm_options options = {.kind = workers == BATCHES_RANKS ? FARM_MPI : workers < 2 ? FARM_INLINE : FARM_FORK,
                                 .workers = workers, .service = "windows", .user = c, .run = batches_run_job,
                                 .prepare = batches_prepare};
  if (options.kind == FARM_MPI)
    options.shared = bytes_pack(arena, batches_put_shared, &shared, &options.n_shared);
  c->elsewhere = options.kind != FARM_INLINE;
  c->farm = farm_open(arena, &options, d);
  if (c->farm)
    return c;
  free_worlds(c);
  return NULL;
}

void batches_close(struct batches *c)
{
  if (!c)
    return;
  farm_close(c->farm);
  free_worlds(c);
  free(c->sent);
  free(c->waiting);
}

int batches_has_surrogate(const struct batches *c)
{
  return c->surrogate != NULL;
}

size_t batches_state_size(const struct batches *c, int surrogate)
{
  return surrogate && c->surrogate ? c->surrogate->state_size : c->rollout->state_size;
}

struct rollout *batches_rollout(struct batches *c)
{
  return c->rollout;
}

/* Bytes of a state, so many that numbers after them are aligned. */
static size_t whole_words(size_t n)
{
  return (n + sizeof(double) - 1) / sizeof(double) * sizeof(double);
}

/* Room for more at the end of what has n of them; the old ones stay. */
static void *more_room(void *old, size_t n, size_t more, size_t size, size_t *room)
{
  if (n + more <= *room)
    return old;
  *room = 2 * (n + more);
  void *all = realloc(old, *room * size);
  if (!all)
    arena_out_of_memory();
  return all;
}

static void add_waiting(struct batches *c, const struct order *o, const struct batch *b, size_t n_start)
{
  size_t size = order_size(o), at = c->n_bytes, room = (size_t)c->room_sent;
  c->sent = more_room(c->sent, (size_t)c->n_sent, 1, sizeof *c->sent, &room);
  c->room_sent = (int)room;
  c->waiting = more_room(c->waiting, c->n_bytes, size, 1, &c->room_bytes);
  size_t numbers = 2 * (size_t)c->n_errors + (size_t)c->n_controls;
  c->sent[c->n_sent++] = (struct sent){o->n, at, at + size,
                                       sizeof(struct answer) + numbers * sizeof(double) + (size_t)o->n_after};
  c->n_waiting++;
  memset(c->waiting + at, 0, size);
  memcpy(c->waiting + at, o, sizeof *o);
  at += sizeof *o;
  if (o->n_mean)
    memcpy(c->waiting + at, b->mean, (size_t)o->n_mean * sizeof(double));
  at += (size_t)o->n_mean * sizeof(double);
  if (o->n_spread)
    memcpy(c->waiting + at, b->spread, (size_t)o->n_spread * sizeof(double));
  at += (size_t)o->n_spread * sizeof(double);
  if (o->n_state)
    memcpy(c->waiting + at, b->state, n_start);
  c->n_bytes += size;
}

void batches_submit(struct batches *c, const struct batch *b)
{
  size_t n = (size_t)c->n_controls, n_spread = b->spread ? (b->full ? n * n : n) : 0;
  int surrogate = b->surrogate && c->surrogate, from_surrogate = b->from_surrogate && c->surrogate,
      samples = b->kind == BATCH_SAMPLES;
  size_t start = batches_state_size(c, from_surrogate), end = batches_state_size(c, surrogate);
  struct order o = {.seed = b->seed, .stream = b->stream, .kind = (int)b->kind, .window = b->window, .n = b->n,
                    .first = b->first, .uniform = b->uniform,
                    .with_mean = b->with_mean, .recentre = b->recentre, .full = b->full, .place = b->place,
                    .velocity = b->velocity, .control = b->control, .n_mean = b->mean ? n : 0, .n_spread = n_spread,
                    .surrogate = surrogate, .from_surrogate = from_surrogate, .n_state = samples ? whole_words(start)
                    : 0,
                    .n_after = samples && !b->stateless ? whole_words(end) : 0};
  add_waiting(c, &o, b, start);
}

/* Gives what waits to the farm, in jobs of about as many samples each; inline, batch by batch. */
static void send_jobs(struct batches *c)
{
  const struct sent *s = c->sent + c->n_sent - c->n_waiting;
  int jobs = c->elsewhere ? JOBS_EACH * farm_workers(c->farm) : c->n_waiting, total = 0, done = 0;
  for (int i = 0; i < c->n_waiting; i++)
    total += s[i].samples;
  for (int i = 0, from = 0, job = 1; i < c->n_waiting; i++) {
    done += s[i].samples;
    if (i + 1 < c->n_waiting && c->elsewhere && (long)done * jobs < (long)job * total)
      continue;
    farm_submit(c->farm, (uint64_t)(i + 1 - from), c->waiting + s[from].from, s[i].until - s[from].from);
    from = i + 1;
    while ((long)done * jobs >= (long)job * total && job < jobs)
      job++;
  }
  c->n_waiting = 0;
  c->n_bytes = 0;
}

/* The next job's samples; 0 after an error. */
static int next_result(struct batches *c, struct diag *d)
{
  int got = farm_collect(c->farm, &c->result);
  c->taken = 0;
  if (got == 1 && c->result.outcome == FARM_DONE) {
    c->seconds += c->result.cpu_seconds;
    return 1;
  }
  diag_error(d, c->rollout->reference->creature->file, 0, "a worker that simulates failed: %s",
             got == 1 ? c->result.words : "nothing came of it");
  c->result = (struct farm_result){0};
  return 0;
}

static struct batch_sample read_sample(const struct batches *c, unsigned char *at, size_t each)
{
  size_t m = (size_t)c->n_errors * sizeof(double), n = (size_t)c->n_controls * sizeof(double);
  struct answer a;
  memcpy(&a, at, sizeof a);
  at += sizeof a;
  return (struct batch_sample){.good = a.good != 0, .cost = a.cost, .start = (double *)(void *)at,
                               .u = (double *)(void *)(at + m), .end = (double *)(void *)(at + m + n),
                               .state = each > sizeof a + 2 * m + n ? at + 2 * m + n : NULL};
}

int batches_collect(struct batches *c, struct arena *arena, struct batch_sample **out, struct diag *d)
{
  if (c->n_waiting)
    send_jobs(c);
  if (c->taken == c->result.n_bytes && !next_result(c, d))
    return -1;
  struct sent b = c->sent[0];
  size_t size = b.each * (size_t)b.samples;
  if (size > c->result.n_bytes - c->taken) {
    diag_error(d, c->rollout->reference->creature->file, 0, "a worker that simulates sent too few samples");
    return -1;
  }
  unsigned char *bytes = memcpy(arena_alloc(arena, size, 1), (const char *)c->result.bytes + c->taken, size);
  struct batch_sample *samples = ARENA_NEW(arena, (size_t)b.samples, struct batch_sample);
  for (int i = 0; i < b.samples; i++)
    samples[i] = read_sample(c, bytes + (size_t)i * b.each, b.each);
  memmove(c->sent, c->sent + 1, (size_t)--c->n_sent * sizeof *c->sent);
  c->taken += size;
  c->samples += b.samples;
  *out = samples;
  return b.samples;
}

long batches_samples(const struct batches *c)
{
  return c->samples;
}

double batches_seconds(const struct batches *c)
{
  return c->seconds;
}

int batches_workers(const struct batches *c)
{
  return farm_workers(c->farm);
}

int batches_is_elsewhere(const struct batches *c)
{
  return c->elsewhere;
}

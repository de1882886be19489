/* Walks that look ahead, and training samples from them. See lookahead_distillation.h. */
#include "control/lookahead_distillation.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/seconds.h"
#include "follow/disturb.h"
#include "control/distill.h"

#define STREAM 0x494d49ULL

void lookahead_defaults(const struct creature *c, struct lookahead_options *o)
{
  *o = (struct lookahead_options){.walks = 8, .visits = 200, .every = 1.5, .push = 0.1, .noise = 0.03,
                                .ridge = 1e-6, .seed = 1, .workers = 1, .push_seconds = 0.1, .forgotten = 16};
  runner_defaults(c, &o->runner);
  o->runner.world.engine = WORLD_TREE;
}

/* ---- a walk ---- */

struct order { int iteration, walk, fragments; };
struct account { double walked, lost; }; /* fragments; after rows of fragment, s, a */

struct stroll {
  const struct controls *c;
  const struct lookahead_options *o;
  struct farm_reply *out;
  struct rng rng;
  int trunk;
  double next;                  /* push [s]                                                     */
  int left;                     /* fragments that are still to be seen                          */
  int n_last;                   /* rows of the last fragments, reported when it has not fallen  */
  double *rows;                 /* (forgotten x (1 + n_features + n_actions))                   */
  int *chosen;                  /* times that each strip was chosen               (n_strips)    */
};

static int lookahead_choose(void *user, int node, double heading)
{
  struct stroll *w = user;
  (void)heading;
  return path_choose_least(w->c->graph, node, w->chosen, &w->rng);
}

static void push_sometimes(void *user, struct runner *r)
{
  struct stroll *w = user;
  const struct creature *c = w->c->graph->creature;
  if (r->time < w->next)
    return;
  double force = w->o->push * fabs(rng_normal(&w->rng)) * c->mass * CREATURE_GRAVITY;
  double angle = rng_uniform(&w->rng, -PI, PI);
  double push[3] = {force * cos(angle), force * sin(angle), 0};
  world_push(r->body->world, w->trunk, push, w->o->push_seconds);
  w->next = r->time + w->o->every * rng_uniform(&w->rng, 0.5, 1.5);
}

/* The state and what is done there: remembered, and reported when `forgotten` more fragments have been walked. Then a
 * little noise that is not recorded, so that the same place is seen in many states. */
static void lookahead_remember(void *user, struct runner *r, int shift)
{
  struct stroll *w = user;
  int n = features_count(w->c->features), m = features_actions(w->c->features), each = 1 + n + m;
  const int *dofs = features_action_dofs(w->c->features);
  double row[each];
  w->left--;
  if (!shift) {
    row[0] = r->path.fragment;
    controls_features(w->c, r->path.fragment, r->q, r->v, r->x, row + 1);
    for (int i = 0; i < m; i++)
      row[1 + n + i] = r->u[dofs[i] - CREATURE_ROOT_DOFS];
    if (w->n_last == w->o->forgotten) {
      farm_reply_write(w->out, w->rows, (size_t)each * sizeof *row);
      memmove(w->rows, w->rows + each, (size_t)((w->o->forgotten - 1) * each) * sizeof *row);
      w->n_last--;
    }
    memcpy(w->rows + w->n_last++ * each, row, sizeof row);
  }
  for (int i = 0; i < m; i++)
    r->u[dofs[i] - CREATURE_ROOT_DOFS] += w->o->noise * rng_normal(&w->rng);
}

static void lookahead_walk(struct stroll *w, struct runner *r, struct account *a)
{
  const struct control_graph *g = w->c->graph;
  r->choose = lookahead_choose;
  r->choose_user = r->frame_user = w;
  r->every_frame = push_sometimes;
  r->every_fragment = lookahead_remember;
  while (w->left > 0) {
    w->n_last = 0;
    w->next = w->o->every * rng_uniform(&w->rng, 0.5, 1.5);
    runner_start(r, rng_below(&w->rng, g->n_fragments), 0, 0, 0, NULL);
    while (w->left > 0 && runner_go(r))
      a->walked++;
    a->lost += r->state != RUNNER_UP ? w->n_last : 0;
  }
}

static void lookahead_run_job(const struct controls *c, const void *options, const void *in, size_t n_in,
                              struct farm_reply *out)
{
  const struct lookahead_options *o = options;
  struct arena *scratch = arena_new();
  struct account account = {0};
  struct order order = {0};
  struct diag d;
  diag_init(&d);
  memcpy(&order, in, n_in < sizeof order ? n_in : sizeof order);
  struct stroll w = {.c = c, .o = o, .out = out, .trunk = disturb_trunk(c->graph->creature), .left = order.fragments};
  uint64_t stream = STREAM + 2 * ((uint64_t)order.iteration * 65536 + (uint64_t)order.walk);
  w.rng = rng_stream(o->seed, stream);
  size_t each = 1 + (size_t)features_count(c->features) + (size_t)features_actions(c->features);
  w.rows = ARENA_NEW(scratch, (size_t)o->forgotten * each, double);
  w.chosen = ARENA_NEW(scratch, (size_t)c->graph->n_strips, int);
  struct runner *r = runner_new(scratch, c, &o->runner, &d);
  if (r) {
    r->rng = rng_stream(o->seed, stream + 1);
    lookahead_walk(&w, r, &account);
    farm_reply_write(out, &account, sizeof account);
  } else {
    farm_reply_fail(out, "this creature cannot be simulated so");
  }
  runner_free(r);
  diag_clear(&d);
  arena_free(scratch);
}

const struct control_jobs_kind lookahead_jobs = {"imitation", sizeof(struct lookahead_options), lookahead_run_job};

/* ---- an iteration ---- */

static int count_unique(const struct control_graph *g)
{
  int n = 0;
  for (int i = 0; i < g->n_fragments; i++)
    n += g->fragments[i].mirror < 0 || g->fragments[i].mirror >= i;
  return n;
}

/* The rows of a walk, and its account after them. 0: they are not as they must be. */
static int lookahead_learn_from(struct training_set *l, const struct control_jobs_result *got, struct account *sum)
{
  struct account a;
  if (got->n < sizeof a || !training_set_read(l, got->bytes, got->n - sizeof a))
    return 0;
  memcpy(&a, (const unsigned char *)got->bytes + got->n - sizeof a, sizeof a);
  sum->walked += a.walked;
  sum->lost += a.lost;
  return 1;
}

int lookahead_iterate(struct arena *arena, struct controls *c, int iteration, const struct lookahead_options *o,
                    struct lookahead_report *out, struct diag *d)
{
  struct arena *scratch = arena_new();
  enum control_kind kind = c->kind;
  struct control_jobs jobs = {.kind = &lookahead_jobs, .controls = c, .options = o, .workers = o->workers,
                              .progress = o->progress, .user = o->user};
  struct order *orders = ARENA_NEW(scratch, (size_t)o->walks, struct order);
  struct training_set *l = training_set_new(scratch, c);
  struct account sum = {0};
  double from = processor_seconds();
  *out = (struct lookahead_report){0};
  if (!c->compact)
    controls_add_compact(arena, c);
  c->kind = iteration ? CONTROL_COMPACT : CONTROL_FULL;
  for (int i = 0; i < o->walks; i++)
    orders[i] = (struct order){iteration, i, o->visits * count_unique(c->graph) / o->walks + o->forgotten};
  const struct control_jobs_result *got = control_jobs_run(scratch, &jobs, o->walks, orders, sizeof *orders, d);
  int good = got != NULL;
  for (int i = 0; good && i < o->walks; i++) {
    good = lookahead_learn_from(l, &got[i], &sum);
    out->seconds += got[i].seconds;
    if (!good)
      diag_error(d, c->graph->motion->file, 0, "walk %d of iteration %d did not send training samples", i,
                 iteration);
  }
  if (good)
    out->residual = training_set_fit(l, c, o->ridge, 1);
  out->success = sum.walked > 0 ? 1 - sum.lost / sum.walked : 0;
  out->seconds += processor_seconds() - from;
  c->kind = kind;
  training_set_free(l);
  arena_free(scratch);
  return good;
}

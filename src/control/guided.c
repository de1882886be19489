/* Guided SAMCON over random walks, and the regression that follows. */
#include "control/guided.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrices.h"
#include "base/rng.h"
#include "base/seconds.h"
#include "control/body.h"
#include "control/distill.h"
#include "control/path.h"
#include "control/runner.h"
#include "motion/ground.h"
#include "follow/cost.h"

void guided_defaults(const struct creature *c, struct guided_options *o)
{
  *o = (struct guided_options){.samples_first = 40, .samples = 40, .saved = 12, .visits = 100, .walks = 4,
                               .spread = 0.06, .noise = 0.01, .ridge = 1e-8, .memory = 0.7, .value_weight = 10,
                               .seed = 1, .workers = 1, .roll_back = 25, .most_rolls = 8, .path_memory = 0.5,
                               .effort = 0.5, .least_spread = 0.25};
  world_defaults(c, &o->world);
  o->world.engine = WORLD_TREE;
}

/* ---- a walk ---- */

struct node { int parent; double cost; double *s, *a; unsigned char *state; };

struct sampling {
  const struct controls *c;
  const struct guided_options *o;
  struct control_body *body;
  struct costs *costs;
  struct rng rng;
  int n_steps;                  /* of the walk                                                 */
  struct control_path *path;    /* where each begins                            (n_steps + 1)  */
  struct node *saved;           /*                                     ((n_steps + 1) x saved) */
  int *n_saved;
  struct node *drawn;           /* of one step                                  (samples)      */
  size_t state_size;
  int samples;
  int stage;                    /* of learning, below                                          */
  int *chosen;                  /* times that the plan chose each strip         (n_strips)     */
  long simulated, again;
};

/* Progressive learning (section 6.2): cycles, each for itself; then what leads between them, cycles being run by what
 * was learned; or all at once. */
enum { STAGE_ALL, STAGE_CYCLES, STAGE_TRANSITIONS };

static int stage_of(const struct guided_options *o, const struct control_graph *g, int iteration)
{
  int transitions = 0;
  for (int i = 0; i < g->n_strips; i++)
    transitions += g->strips[i].n > 0 && !g->strips[i].clip->cyclic;
  if (o->cycles_first < 1 || !transitions)
    return STAGE_ALL;
  return iteration < o->cycles_first ? STAGE_CYCLES : STAGE_TRANSITIONS;
}

/* Is a fragment being learned, and not only run? */
static int is_learned(const struct control_graph *g, int fragment, int stage)
{
  int cyclic = g->strips[g->fragments[fragment].strip].clip->cyclic;
  return stage == STAGE_ALL || (stage == STAGE_CYCLES) == (cyclic != 0);
}

/* Cycles, learned each for itself, go on for ever. */
static int guided_choose(void *user, int node, double heading)
{
  struct sampling *w = user;
  (void)heading;
  return w->stage == STAGE_CYCLES ? w->c->graph->motion->first_segment[node]
                                  : path_choose_least(w->c->graph, node, w->chosen, &w->rng);
}

/* The cost of the body's state at the end of a step; infinite when it fell. */
static double cost_at(struct sampling *w, int step, const double *a)
{
  const struct control_graph *g = w->c->graph;
  const struct control_path *p = &w->path[step + 1];
  const struct control_fragment *f = &g->fragments[p->fragment];
  int n = g->creature->n_dofs;
  double x[2 * n], effort = 0;
  if (world_lost(w->body->world))
    return INFINITY;
  world_get(w->body->world, w->body->q, w->body->v);
  path_errors(g, p, w->body->q, w->body->v, x);
  if (fall_of(&fall_limits_upright, g->creature, w->body->q, control_graph_q(g, f->strip, f->from), 0).fault)
    return INFINITY;
  struct clip_advance back = ground_inverse(p->ref_place);
  double s = sin(back.yaw), c = cos(back.yaw), vx = w->body->v[0], vy = w->body->v[1];
  clip_move_pose(back, w->body->q);
  w->body->v[0] = c * vx - s * vy;
  w->body->v[1] = s * vx + c * vy;
  for (int i = 0; i < features_actions(w->c->features); i++)
    effort += a[i] * a[i];
  struct cost_terms t = costs_of(w->costs, w->body->q, w->body->v, control_graph_q(g, p->ref_strip, p->ref_frame),
                                 control_graph_v(g, p->ref_strip, p->ref_frame), 0);
  double value = w->o->value_weight > 0 && w->c->gains ? controls_value(w->c, p->fragment, x) : 0;
  return t.total + w->o->effort * effort + w->o->value_weight * value;
}

/* Draws an action from a saved state and simulates it. */
static void guided_draw(struct sampling *w, int step, int parent, int with_mean, struct node *out)
{
  const struct control_graph *g = w->c->graph;
  const struct node *from = &w->saved[step * w->o->saved + parent];
  const struct control_path *p = &w->path[step];
  const struct control_fragment *f = &g->fragments[p->fragment];
  const struct compact_policy *policy = &w->c->compact[p->fragment];
  int n = g->creature->n_dofs, m = features_actions(w->c->features);
  double x[2 * n], noisy[m], u[n];
  out->parent = parent;
  out->cost = INFINITY;
  world_restore(w->body->world, from->state);
  world_get(w->body->world, w->body->q, w->body->v);
  path_errors(g, p, w->body->q, w->body->v, x);
  controls_features(w->c, p->fragment, w->body->q, w->body->v, x, out->s);
  matrices_apply(m, features_count(w->c->features), policy->M, out->s, out->a);
  for (int i = 0; i < m; i++) {
    double least = w->o->least_spread * w->o->spread;
    out->a[i] += policy->offset[i] + (with_mean ? 0 : sqrt(fmax(policy->variance[i], least * least)) *
                                      rng_normal(&w->rng));
    noisy[i] = out->a[i] + w->o->noise * rng_normal(&w->rng);
  }
  controls_offsets(w->c, noisy, u);
  w->simulated++;
  if (!body_frames(w->body, f->strip, f->from, f->until, u))
    return;
  double cost = cost_at(w, step, out->a);
  out->cost = cost + w->o->path_memory * from->cost;
  world_save(w->body->world, out->state);
}

static int by_cost(const void *a, const void *b)
{
  const struct node *x = a, *y = b;
  return x->cost < y->cost ? -1 : x->cost > y->cost;
}

static void guided_keep(struct sampling *w, const struct node *from, struct node *to)
{
  to->parent = from->parent;
  to->cost = from->cost;
  memcpy(to->s, from->s, (size_t)features_count(w->c->features) * sizeof *to->s);
  memcpy(to->a, from->a, (size_t)features_actions(w->c->features) * sizeof *to->a);
  memcpy(to->state, from->state, w->state_size);
}

/* One step for all saved states; 0 when all samples fell. What is learned already is only run: one sample each. */
static int sample_step(struct sampling *w, int step)
{
  int learned = is_learned(w->c->graph, w->path[step].fragment, w->stage);
  int samples = learned || w->n_saved[step] > w->samples ? w->samples : w->n_saved[step], n = 0;
  for (int i = 0; i < samples; i++)
    guided_draw(w, step, i % w->n_saved[step], i < w->n_saved[step], &w->drawn[i]);
  qsort(w->drawn, (size_t)samples, sizeof *w->drawn, by_cost);
  while (n < w->o->saved && n < samples && isfinite(w->drawn[n].cost)) {
    guided_keep(w, &w->drawn[n], &w->saved[(step + 1) * w->o->saved + n]);
    n++;
  }
  w->n_saved[step + 1] = n;
  return n > 0;
}

static void take_nodes(struct arena *a, const struct sampling *w, struct node *nodes, int n)
{
  for (int i = 0; i < n; i++) {
    nodes[i].s = ARENA_NEW(a, (size_t)features_count(w->c->features), double);
    nodes[i].a = ARENA_NEW(a, (size_t)features_actions(w->c->features), double);
    nodes[i].state = arena_alloc(a, w->state_size, 1);
  }
}

/* How far the walk came; rolling back where all fell. */
static int guided_walk(struct sampling *w)
{
  const struct control_graph *g = w->c->graph;
  const struct control_fragment *f = &g->fragments[w->path[0].fragment];
  int step = 0, rolls = 0;
  body_set(w->body, f->strip, f->from, w->path[0].place, NULL);
  world_save(w->body->world, w->saved[0].state);
  w->n_saved[0] = 1;
  while (step < w->n_steps) {
    if (sample_step(w, step)) {
      step++;
      continue;
    }
    if (++rolls > w->o->most_rolls)
      break;
    int back = rolls < 4 ? w->o->roll_back / 5 * rolls : w->o->roll_back;
    w->again += back < step ? back : step;
    step = step > back ? step - back : 0;
  }
  return step;
}

/* ---- as a job ---- */

struct order { int iteration, walk, n_steps, samples; };
struct account { double done, wanted, again, simulated, cost; }; /* then tuples: fragment, s, a */

/* Where a walk begins: all over the graph; of cycles, at one cycle after the other. */
static int first_fragment(const struct control_graph *g, int walk, int walks, int stage)
{
  int cycles = 0, at = (int)((long)walk * g->n_fragments / walks);
  for (int i = 0; i < g->n_strips; i++)
    cycles += g->strips[i].n > 0 && g->strips[i].clip->cyclic;
  for (int i = 0, k = 0; stage == STAGE_CYCLES && i < g->n_strips; i++)
    if (g->strips[i].n > 0 && g->strips[i].clip->cyclic && k++ == walk % cycles)
      return g->strips[i].first;
  return at;
}

static void guided_plan(struct sampling *w, struct arena *a, const struct order *o)
{
  const struct control_graph *g = w->c->graph;
  w->rng = rng_stream(w->o->seed, ((uint64_t)o->iteration * 4096 + (uint64_t)o->walk) * 16 + 0x47554944);
  w->path = ARENA_NEW(a, (size_t)w->n_steps + 1, struct control_path);
  w->stage = stage_of(w->o, g, o->iteration);
  w->chosen = ARENA_NEW(a, (size_t)g->n_strips, int);
  path_start(g, first_fragment(g, o->walk, w->o->walks, w->stage), 0, 0, 0, &w->path[0]);
  for (int i = 0; i < w->n_steps; i++) {
    w->path[i + 1] = w->path[i];
    path_next(g, &w->path[i + 1], guided_choose, w);
  }
}

/* States and actions of the best path, but of its last steps, which may lead to a fall. */
static void guided_report_walk(struct sampling *w, int done, struct farm_reply *out)
{
  struct account account = {.done = done, .wanted = w->n_steps, .again = (double)w->again,
                            .simulated = (double)w->simulated};
  int at = 0, *way = malloc(((size_t)done + 1) * sizeof *way);
  if (!way)
    return;
  for (int i = done; i > 0; i--) {
    way[i] = at;
    at = w->saved[i * w->o->saved + at].parent;
  }
  account.cost = done > 0 ? w->saved[done * w->o->saved + way[done]].cost : 0;
  farm_reply_write(out, &account, sizeof account);
  int last = done < w->n_steps ? done - w->o->roll_back : done;
  for (int i = 1; i <= last; i++) {
    const struct node *k = &w->saved[i * w->o->saved + way[i]];
    double fragment = w->path[i - 1].fragment;
    if (!is_learned(w->c->graph, w->path[i - 1].fragment, w->stage))
      continue;
    farm_reply_write(out, &fragment, sizeof fragment);
    farm_reply_write(out, k->s, (size_t)features_count(w->c->features) * sizeof *k->s);
    farm_reply_write(out, k->a, (size_t)features_actions(w->c->features) * sizeof *k->a);
  }
  free(way);
}

static void guided_run_job(const struct controls *c, const void *options, const void *in, size_t n_in,
                           struct farm_reply *out)
{
  struct arena *a = arena_new();
  struct order o = {0};
  struct diag d;
  diag_init(&d);
  memcpy(&o, in, n_in < sizeof o ? n_in : sizeof o);
  struct sampling w = {.c = c, .o = options, .n_steps = o.n_steps, .samples = o.samples};
  w.body = body_new(a, w.c->graph, &w.o->world, &d);
  if (w.body) {
    w.costs = costs_new(a, w.c->graph->creature, NULL);
    w.state_size = world_state_size(w.body->world);
    w.saved = ARENA_NEW(a, (size_t)((w.n_steps + 1) * w.o->saved), struct node);
    w.drawn = ARENA_NEW(a, (size_t)w.samples, struct node);
    w.n_saved = ARENA_NEW(a, (size_t)w.n_steps + 1, int);
    take_nodes(a, &w, w.saved, (w.n_steps + 1) * w.o->saved);
    take_nodes(a, &w, w.drawn, w.samples);
    guided_plan(&w, a, &o);
    guided_report_walk(&w, guided_walk(&w), out);
  } else {
    farm_reply_fail(out, "this creature cannot be simulated so");
  }
  body_free(w.body);
  diag_clear(&d);
  arena_free(a);
}

const struct control_jobs_kind guided_jobs = {"walks", sizeof(struct guided_options), guided_run_job};

/* ---- an iteration ---- */

/* The tuples of a walk into the training samples. 0: they are not as they must be. */
static int guided_learn_from(struct training_set *l, const struct control_jobs_result *got, struct account *sum)
{
  struct account a;
  if (got->n < sizeof a)
    return 0;
  memcpy(&a, got->bytes, sizeof a);
  sum->done += a.done;
  sum->wanted += a.wanted;
  sum->again += a.again;
  sum->simulated += a.simulated;
  sum->cost += a.cost;
  return training_set_read(l, (const unsigned char *)got->bytes + sizeof a, got->n - sizeof a);
}

static void first_policies(struct arena *arena, struct controls *c, const struct guided_options *o)
{
  controls_add_compact(arena, c);
  for (int i = 0; i < c->graph->n_fragments; i++)
    for (int k = 0; k < features_actions(c->features); k++)
      c->compact[i].variance[k] = o->spread * o->spread;
}

/* Policies as they were, mixed into what they are now: what was learned is not forgotten in one iteration. */
static struct compact_policy *copy_policies(struct arena *arena, const struct controls *c)
{
  struct controls copy = *c;
  size_t n = (size_t)features_count(c->features), m = (size_t)features_actions(c->features);
  controls_add_compact(arena, &copy);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    memcpy(copy.compact[i].M, c->compact[i].M, n * m * sizeof(double));
    memcpy(copy.compact[i].offset, c->compact[i].offset, m * sizeof(double));
  }
  return copy.compact;
}

static void mix_policies(struct controls *c, const struct compact_policy *before, double share)
{
  int n = features_count(c->features), m = features_actions(c->features);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    for (int k = 0; k < n * m; k++)
      c->compact[i].M[k] += share * (before[i].M[k] - c->compact[i].M[k]);
    for (int k = 0; k < m; k++)
      c->compact[i].offset[k] += share * (before[i].offset[k] - c->compact[i].offset[k]);
  }
}

/* Fragments that an iteration walks over, mirror images counted once: while transitions are learned, cycles between
 * them too. */
static int count_unique(const struct control_graph *g, int stage)
{
  int n = 0;
  for (int i = 0; i < g->n_fragments; i++)
    if (stage != STAGE_CYCLES || is_learned(g, i, stage))
      n += g->fragments[i].mirror < 0 || g->fragments[i].mirror >= i;
  return n;
}

static int least_samples(const struct controls *c, const struct training_set *l, int stage)
{
  int least = 1 << 30;
  for (int i = 0; i < l->n_fragments; i++) {
    if (!is_learned(c->graph, i, stage))
      continue;
    int other = c->graph->fragments[i].mirror, n = l->of[i].n + (other >= 0 && other != i ? l->of[other].n : 0);
    least = n < least ? n : least;
  }
  return least;
}

/* Has nothing been learned yet of what is being learned? */
static int is_first(const struct guided_options *o, int stage, int iteration)
{
  int begun = stage == STAGE_TRANSITIONS ? o->cycles_first : 0;
  return iteration == begun || (o->refine && stage != STAGE_TRANSITIONS && iteration == 1);
}

/* Walks of an iteration: of cycles, as many for each. */
static int count_walks(const struct control_graph *g, int walks, int stage)
{
  int cycles = 0;
  for (int i = 0; i < g->n_strips; i++)
    cycles += g->strips[i].n > 0 && g->strips[i].clip->cyclic;
  return stage == STAGE_CYCLES ? (walks + cycles - 1) / cycles * cycles : walks;
}

int guided_iterate(struct arena *arena, struct controls *c, int iteration, const struct guided_options *o,
                   struct guided_report *out, struct diag *d)
{
  struct arena *scratch = arena_new();
  if (!c->compact)
    first_policies(arena, c, o);
  struct control_jobs jobs = {.kind = &guided_jobs, .controls = c, .options = o, .workers = o->workers,
                              .progress = o->progress, .user = o->user};
  struct training_set *l = training_set_new(scratch, c);
  struct account sum = {0};
  int stage = stage_of(o, c->graph, iteration);
  int walks = count_walks(c->graph, o->walks, stage), steps = o->visits * count_unique(c->graph, stage) / walks +
              o->roll_back;
  double from = processor_seconds();
  *out = (struct guided_report){0};
  struct order *orders = ARENA_NEW(scratch, (size_t)walks, struct order);
  for (int i = 0; i < walks; i++)
    orders[i] = (struct order){iteration, i, steps, is_first(o, stage, iteration) ? o->samples_first : o->samples};
  const struct control_jobs_result *got = control_jobs_run(scratch, &jobs, walks, orders, sizeof *orders, d);
  int good = got != NULL;
  for (int i = 0; good && i < walks; i++) {
    good = guided_learn_from(l, &got[i], &sum);
    out->seconds += got[i].seconds;
    if (!good)
      diag_error(d, c->graph->motion->file, 0, "walk %d of iteration %d did not send training samples", i,
                 iteration);
  }
  if (good) {
    const struct compact_policy *before = copy_policies(scratch, c);
    if (o->refine && iteration == 0)
      training_set_average(l, c, o->spread * o->spread, 1);
    else
      out->residual = training_set_fit(l, c, o->ridge, 1);
    if (!is_first(o, stage, iteration))
      mix_policies(c, before, o->memory);
    out->success = sum.wanted > 0 ? fmax(0, sum.done - sum.again) / sum.wanted : 0;
    out->cost = sum.cost / walks;
    out->samples = (long)sum.simulated;
    out->least = least_samples(c, l, stage);
  }
  out->seconds += processor_seconds() - from;
  training_set_free(l);
  arena_free(scratch);
  return good;
}

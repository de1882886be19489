/* Running a control graph: policy, look-ahead, phase, falls. */
#include "control/runner.h"

#include <math.h>
#include <string.h>

#include "control/level.h"
#include "motion/ground.h"
#include "follow/errors.h"

#define LOST 1e9                /* cost of a candidate that falls               */

void runner_defaults(const struct creature *c, struct runner_options *o)
{
  *o = (struct runner_options){.candidates = 16, .rounds = 2, .horizon = 4, .held = 2, .shift = 2, .spread = 0.05,
                               .step_horizon = 12, .calm = 0.1, .patience = 1, .fall = fall_limits_upright,
                               .seed = 1, .widest = 3, .narrower = 0.6, .desperate = 0.7, .longer = 4,
                               .effort = 0.5, .hopeless = 2.5, .glance = 2, .alarm = 0.3,
                               .kept = 0.9, .leash_along = 0.5,
                               .leash_aside = 0.15, .elite = 4};
  world_defaults(c, &o->world);
}

struct runner *runner_new(struct arena *arena, const struct controls *c, const struct runner_options *o, struct diag *d)
{
  struct runner *r = ARENA_NEW(arena, 1, struct runner);
  size_t n = (size_t)c->graph->creature->n_dofs;
  struct world_options own = o->world;
  own.engine = WORLD_TREE;
  *r = (struct runner){.controls = c, .options = *o, .rng = rng_stream(o->seed, 0x52554e)};
  r->body = body_new(arena, c->graph, &o->world, d);
  if (r->body && o->candidates > 0 && c->gains && !(r->ahead = body_new(arena, c->graph, &own, d))) {
    body_free(r->body);
    return NULL;
  }
  if (r->body && o->body && !runner_change_world(r, &o->world, 0, d)) {
    runner_free(r);
    return NULL;
  }
  size_t held = (size_t)(o->held > 0 ? o->held : 1);
  double *a = ARENA_NEW(arena, (5 + 3 * held) * n, double);
  int farthest = o->horizon > o->step_horizon ? o->horizon : o->step_horizon;
  r->least = ARENA_NEW(arena, (size_t)(farthest > 0 ? farthest : 1), double);
  r->q = a;
  r->v = a + n;
  r->x = a + 2 * n;
  r->u = a + 4 * n;
  r->best = a + 5 * n;
  r->trial = r->best + n * held;
  r->plan = r->trial + n * held;
  return r->body ? r : NULL;
}

void runner_free(struct runner *r)
{
  if (!r)
    return;
  body_free(r->body);
  body_free(r->ahead);
}

int runner_change_world(struct runner *r, const struct world_options *o, double lift, struct diag *d)
{
  const struct creature *c = r->options.body ? r->options.body : r->controls->graph->creature;
  struct world_options own = *o;
  own.engine = WORLD_TREE;
  if (!body_change_world(r->body, c, o, lift, d))
    return 0;
  r->options.world = *o;
  return !r->ahead || body_change_world(r->ahead, c, &own, 0, d); /* what one engine takes, another takes too */
}

void runner_start(struct runner *r, int fragment, double x, double y, double heading, const double *errors)
{
  const struct control_fragment *f = &r->controls->graph->fragments[fragment];
  path_start(r->controls->graph, fragment, x, y, heading, &r->path);
  body_set(r->body, f->strip, f->from, r->path.place, errors);
  r->state = RUNNER_UP;
  r->time = 0;
  r->fragments = r->looks = r->leaves = r->put_off = 0;
  r->planned = -1;
  r->frame = f->from;
  r->until = f->until;
  r->under_way = 0;
}

/* ---- the ground ---- */

/* The state of a body as policies know it: over level ground. */
static void runner_see(const struct runner *r, const struct control_body *b, double *q, double *v)
{
  world_get(b->world, q, v);
  level_state(&r->options.world.terrain, r->controls->graph->creature, q, v);
}

static int runner_has_fallen(const struct runner *r, const double *q, const double *wanted)
{
  return fall_of(&r->options.fall, r->controls->graph->creature, q, wanted, 0).fault != NULL;
}

/* ---- looking ahead ---- */

struct look_ahead { double cost; int shift; };

/* What policy says of the ahead-world's state at a frame; 0 when it fell. */
static int act_ahead(struct runner *r, const struct control_path *p, int frame, double *x, double *u)
{
  struct control_body *b = r->ahead;
  const struct control_fragment *f = &r->controls->graph->fragments[p->fragment];
  if (world_lost(b->world))
    return 0;
  runner_see(r, b, b->q, b->v);
  if (frame == f->from)
    path_errors(r->controls->graph, p, b->q, b->v, x);
  else
    body_errors(r->controls->graph, f->strip, frame, p->place, b->q, b->v, x);
  const double *wanted = control_graph_q(r->controls->graph, f->strip, frame);
  if (runner_has_fallen(r, b->q, wanted))
    return 0;
  controls_act(r->controls, p->fragment, b->q, b->v, x, u);
  return 1;
}

/* After fragment h of looking ahead: is its value near the least that any candidate had there? */
static int runner_promising(struct runner *r, const struct control_path *p, int h)
{
  double x[2 * r->controls->graph->creature->n_dofs];
  runner_see(r, r->ahead, r->ahead->q, r->ahead->v);
  path_errors(r->controls->graph, p, r->ahead->q, r->ahead->v, x);
  double value = controls_value(r->controls, p->fragment, x);
  r->least[h] = fmin(r->least[h], fmax(value, r->options.calm));
  return value <= r->options.hopeless * r->least[h];
}

/* The cost of a candidate: the first fragment begun at frame from + shift, offsets beside the policy's in the first
 * `held` ones; then the policy alone. One whose offsets alone cost more than the limit is not tried. */
static double runner_foresee(struct runner *r, int horizon, const double *beside, int shift, double limit)
{
  const struct control_graph *g = r->controls->graph;
  int n = g->creature->n_dofs, controls = n - CREATURE_ROOT_DOFS;
  struct control_path p = r->path;
  double u[n], x[2 * n], effort = 0;
  world_get(r->body->world, r->ahead->q, r->ahead->v);
  world_set(r->ahead->world, r->ahead->q, r->ahead->v);
  for (int h = 0; h < horizon; h++) {
    const struct control_fragment *f = &g->fragments[p.fragment];
    int from = f->from + (h == 0 ? shift : 0);
    if (!act_ahead(r, &p, from, x, u))
      return LOST * (1 + horizon - h);
    if (h < r->options.held && beside)
      for (int i = 0; i < controls; i++) {
        u[i] += beside[h * controls + i];
        effort += r->options.effort * beside[h * controls + i] * beside[h * controls + i];
      }
    if (effort >= limit || !body_frames(r->ahead, f->strip, from, f->until, u))
      return LOST * (1 + horizon - h);
    path_next(g, &p, NULL, NULL);
    if (h + 1 < horizon && !runner_promising(r, &p, h))
      return LOST * (horizon - h);
  }
  const struct control_fragment *f = &g->fragments[p.fragment];
  if (!act_ahead(r, &p, f->from, x, u))
    return LOST;
  return effort + controls_value(r->controls, p.fragment, x);
}

/* Does the policy alone lead into trouble before long? A foot that is about to strike the ground or the other leg is
 * seen in no error of the state, and a fragment later it is too late. */
static int runner_foresees_trouble(struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  int n = g->creature->n_dofs;
  struct control_path p = r->path;
  double u[n], x[2 * n];
  world_get(r->body->world, r->ahead->q, r->ahead->v);
  world_set(r->ahead->world, r->ahead->q, r->ahead->v);
  for (int h = 0; h < r->options.glance; h++) {
    const struct control_fragment *f = &g->fragments[p.fragment];
    if (!act_ahead(r, &p, f->from, x, u) || !body_frames(r->ahead, f->strip, f->from, f->until, u))
      return 1;
    path_next(g, &p, NULL, NULL);
    runner_see(r, r->ahead, r->ahead->q, r->ahead->v);
    path_errors(g, &p, r->ahead->q, r->ahead->v, x);
    if (!(controls_value(r->controls, p.fragment, x) <= r->options.alarm))
      return 1;
  }
  return 0;
}

/* A look ahead that suffices: a calm end, or one that is better than what the look before had in mind. Most that
 * is wrong after a push cannot be mended within the horizon, however long one searches; it is enough that it gets
 * less. */
static double runner_good_enough(const struct runner *r)
{
  return fmax(r->options.calm, r->planned == r->fragments ? r->options.kept * r->promised : 0);
}

/* What costs little to find out: the policy alone; else what the look before this one had in mind for now; else the
 * policy in the phase that bodes best. */
static struct look_ahead choose_phase(struct runner *r)
{
  const struct control_fragment *f = &r->controls->graph->fragments[r->path.fragment];
  size_t n = (size_t)(r->options.held * (r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS));
  struct look_ahead best = {runner_foresee(r, r->options.horizon, NULL, 0, INFINITY), 0};
  double enough = runner_good_enough(r), cost;
  memset(r->best, 0, n * sizeof *r->best);
  if (best.cost > enough && r->planned == r->fragments &&
      (cost = runner_foresee(r, r->options.horizon, r->plan, 0, best.cost)) < best.cost) {
    best.cost = cost;
    memcpy(r->best, r->plan, n * sizeof *r->best);
  }
  for (int i = -r->options.shift; best.cost > enough && i <= r->options.shift; i++) {
    if (i == 0 || f->from + i < 0 || f->from + i >= f->until ||
        (cost = runner_foresee(r, r->options.horizon, NULL, i, INFINITY)) >= best.cost)
      continue;
    best = (struct look_ahead){cost, i};
    memset(r->best, 0, n * sizeof *r->best);
  }
  return best;
}

/* A candidate of n offsets, if it is among the best of a round, into their list (most), in order. */
static void runner_keep_elite(int n, const double *trial, double now, int most, double *elite, double *cost)
{
  int at = most;
  while (at > 0 && now < cost[at - 1])
    at--;
  if (at == most)
    return;
  memmove(elite + (at + 1) * n, elite + at * n, (size_t)((most - 1 - at) * n) * sizeof *elite);
  memmove(cost + at + 1, cost + at, (size_t)(most - 1 - at) * sizeof *cost);
  memcpy(elite + at * n, trial, (size_t)n * sizeof *elite);
  cost[at] = now;
}

/* A candidate: random offsets around a centre, of the joints that balance (features.h). The others, of neck, arms and
 * tail, would only add noise to what is compared. */
static void runner_draw(struct runner *r, const double *centre, double spread)
{
  const struct controls *c = r->controls;
  int controls = c->graph->creature->n_dofs - CREATURE_ROOT_DOFS, n = features_actions(c->features);
  const int *dofs = features_action_dofs(c->features);
  memcpy(r->trial, centre, (size_t)(r->options.held * controls) * sizeof *centre);
  for (int h = 0; h < r->options.held; h++)
    for (int i = 0; i < n; i++)
      r->trial[h * controls + dofs[i] - CREATURE_ROOT_DOFS] += spread * rng_normal(&r->rng);
}

/* Random offsets beside the policy's, around the best that is known; each round around the mean of the best of the
 * last, and narrower; until one suffices. */
static struct look_ahead choose_offsets(struct runner *r, struct look_ahead best, double spread)
{
  const struct runner_options *o = &r->options;
  int n = o->held * (r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS);
  double centre[n], elite[o->elite * n], cost[o->elite];
  double enough = runner_good_enough(r);
  memcpy(centre, r->best, sizeof centre);
  /* where nothing ends well it is worth thinking longer: such moments are rare, and one of them is a fall */
  for (int round = 0; round < (best.cost > o->desperate ? o->longer : 1) * o->rounds; round++, spread *= o->narrower) {
    if (round > 0 && round % o->rounds == 0) {
      memcpy(centre, r->best, sizeof centre);
      spread /= pow(o->narrower, o->rounds);
    }
    for (int e = 0; e < o->elite; e++)
      cost[e] = LOST;
    for (int i = 0; i < o->candidates && best.cost > enough; i++) {
      runner_draw(r, centre, spread);
      double now = runner_foresee(r, o->horizon, r->trial, best.shift, best.cost);
      runner_keep_elite(n, r->trial, now, o->elite, elite, cost);
      if (now < best.cost) {
        best.cost = now;
        memcpy(r->best, r->trial, (size_t)n * sizeof *r->best);
      }
    }
    int up = 0; /* of the elite, those that do not fall: the next round is around their mean */
    while (up < o->elite && cost[up] < LOST)
      up++;
    if (up > 0)
      memset(centre, 0, sizeof centre);
    for (int e = 0; e < up; e++)
      for (int k = 0; k < n; k++)
        centre[k] += elite[e * n + k] / up;
  }
  return best;
}

/* What is left of the best offsets when the present fragment has been run, for the next look. */
static void keep_plan(struct runner *r, double cost)
{
  size_t controls = (size_t)(r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS), held = (size_t)r->options.held;
  if (held < 1)
    return;
  memcpy(r->plan, r->best + controls, (held - 1) * controls * sizeof *r->plan);
  memset(r->plan + (held - 1) * controls, 0, controls * sizeof *r->plan);
  r->planned = r->fragments + 1;
  r->promised = cost;
}

/* Changes the offsets and the frame to start at where that bodes better. */
static int look_ahead(struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  const struct control_fragment *f = &g->fragments[r->path.fragment];
  double wider = fmin(r->options.widest, sqrt(r->value / r->options.calm));
  for (int h = 0; h < r->options.horizon; h++)
    r->least[h] = INFINITY;
  struct look_ahead best = choose_phase(r);
  if (best.cost > runner_good_enough(r))
    best = choose_offsets(r, best, r->options.spread * wider);
  keep_plan(r, best.cost);
  if (best.shift) {
    body_errors(g, f->strip, f->from + best.shift, r->path.place, r->q, r->v, r->x);
    controls_act(r->controls, r->path.fragment, r->q, r->v, r->x, r->u);
  }
  for (int i = 0; i < g->creature->n_dofs - CREATURE_ROOT_DOFS; i++)
    r->u[i] += r->best[i];
  r->looks++;
  return best.shift;
}

/* ---- running ---- */

/* On a stand, where the policy alone bodes ill: the way out of it that bodes best. On two points, or on narrow feet,
 * nothing but a step mends a push. `stand` is the segment that stands on. */
static int runner_find_step(struct runner *r, int node, int stand)
{
  const struct control_graph *g = r->controls->graph;
  const struct control_path here = r->path;
  int best = stand, last = g->motion->first_segment[node + 1];
  double least = INFINITY;
  if (!r->ahead || r->options.step_horizon < 1 || world_lost(r->body->world))
    return stand;
  runner_see(r, r->body, r->q, r->v);
  path_errors(g, &r->path, r->q, r->v, r->x);
  if (controls_value(r->controls, r->path.fragment, r->x) <= r->options.calm)
    return stand;
  for (int e = g->motion->first_segment[node]; e < last; e++) {
    for (int h = 0; h < r->options.step_horizon; h++)
      r->least[h] = INFINITY; /* each for itself: how soon a step is better than none differs from step to step */
    path_take(g, &r->path, e);
    double cost = runner_foresee(r, r->options.step_horizon, NULL, 0, INFINITY);
    r->path = here;
    if (e == stand && cost <= r->options.patience)
      return stand;
    if (e == stand)
      cost *= r->options.kept;
    if (cost < least)
      best = e, least = cost;
  }
  r->leaves += best != stand;
  return best;
}

/* What is chosen at a node, unless it is a transition that is no good in this state and the clip can go on. The path
 * stands at the node's own fragment. */
static int choose_wisely(void *user, int node, double heading)
{
  struct runner *r = user;
  const struct control_graph *g = r->controls->graph;
  const struct control_fragment *f = &g->fragments[r->path.fragment];
  int first = g->motion->first_segment[node], chosen = r->choose ? r->choose(r->choose_user, node, heading) : first;
  int strip = g->motion->segments[chosen].choice;
  if (strip == f->strip)
    return clip_is_still(g->strips[strip].clip) ? runner_find_step(r, node, chosen) : chosen;
  r->leaves++;
  if (!r->controls->gains || g->motion->segments[first].choice != f->strip || world_lost(r->body->world))
    return chosen;
  runner_see(r, r->body, r->q, r->v);
  path_errors(g, &r->path, r->q, r->v, r->x);
  double value = controls_value(r->controls, g->strips[strip].first, r->x);
  if (value <= r->options.patience || value <= controls_value(r->controls, r->path.fragment, r->x))
    return chosen;
  r->put_off++;
  return first;
}

static double runner_beyond(double x, double most)
{
  return x > most ? x - most : x < -most ? x + most : 0;
}

/* The path yields to a creature that is farther off it than the leash: only where it goes matters, not where it would
 * have been. Along the path it may be off by more than aside: that is what keeps the pace, uphill for instance. */
static void runner_yield(struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  double L = g->creature->height, yaw = r->path.ref_place.yaw +
                                        control_graph_q(g, r->path.ref_strip, r->path.ref_frame)[ERRORS_YAW];
  double along = L * runner_beyond(r->x[ERRORS_X], r->options.leash_along);
  double aside = L * runner_beyond(r->x[ERRORS_Y], r->options.leash_aside);
  if (along == 0 && aside == 0)
    return;
  path_shift(g, &r->path, cos(yaw) * along - sin(yaw) * aside, sin(yaw) * along + cos(yaw) * aside, 0);
  path_errors(g, &r->path, r->q, r->v, r->x);
}

/* At a fragment's start: what servos will be off by all through it, and the frame to begin with. */
static void runner_decide(struct runner *r)
{
  const struct controls *c = r->controls;
  const struct control_fragment *f = &c->graph->fragments[r->path.fragment];
  int shift = 0;
  runner_see(r, r->body, r->q, r->v);
  path_errors(c->graph, &r->path, r->q, r->v, r->x);
  runner_yield(r);
  controls_act(c, r->path.fragment, r->q, r->v, r->x, r->u);
  r->value = c->gains ? controls_value(c, r->path.fragment, r->x) : 0;
  if (r->ahead && (r->value > r->options.calm || runner_foresees_trouble(r)))
    shift = look_ahead(r);
  if (r->every_fragment)
    r->every_fragment(r->frame_user, r, shift);
  r->fragments++;
  r->frame = f->from + shift;
  r->until = f->until;
  r->under_way = 1;
}

/* One frame in the world. 0: it fell. */
static int runner_run_frame(struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  int strip = g->fragments[r->path.fragment].strip;
  if (r->every_frame)
    r->every_frame(r->frame_user, r);
  for (int i = 0; i < g->steps; i++) {
    if (r->every_step)
      r->every_step(r->frame_user, r);
    if (!body_step(r->body, strip, r->frame, i, r->u))
      return 0;
  }
  r->time += g->dt;
  runner_see(r, r->body, r->q, NULL);
  return !runner_has_fallen(r, r->q, control_graph_q(g, strip, r->frame + 1));
}

int runner_frame(struct runner *r)
{
  if (r->state != RUNNER_UP || world_lost(r->body->world))
    return 0;
  if (!r->under_way)
    runner_decide(r);
  if (!runner_run_frame(r)) {
    r->state = RUNNER_FALLEN;
    r->under_way = 0;
    return 0;
  }
  r->frame++;
  if (r->frame >= r->until) {
    r->under_way = 0;
    path_next(r->controls->graph, &r->path, choose_wisely, r);
    r->frame = r->controls->graph->fragments[r->path.fragment].from;
    r->until = r->controls->graph->fragments[r->path.fragment].until;
  }
  return 1;
}

int runner_go(struct runner *r)
{
  do
    if (!runner_frame(r))
      return 0;
  while (r->under_way);
  return 1;
}

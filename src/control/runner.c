/* Running a control graph: policy, look-ahead, phase, falls. */
#include "control/runner.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"
#include "track/errors.h"

#define LOST 1e9                /* cost of a candidate that falls               */
#define WIDEST 3.0              /* times the spread, when values are high       */
#define EFFORT 2.0              /* on squared offsets beside the policy's       */

void runner_defaults(const struct creature *c, struct runner_options *o)
{
  *o = (struct runner_options){.candidates = 8, .rounds = 2, .horizon = 4, .held = 2, .shift = 2, .spread = 0.1,
                               .calm = 0.1, .seed = 1};
  world_defaults(c, &o->world);
}

int runner_fallen(const double *q, const double *q_ref)
{
  return !(q[2] >= FALL_HEIGHT * q_ref[2]) || !(cos(q[4]) * cos(q[5]) >= cos(FALL_TILT));
}

struct runner *runner_new(struct arena *arena, const struct controls *c, const struct runner_options *o, struct diag *d)
{
  struct runner *r = ARENA_NEW(arena, 1, struct runner);
  size_t n = (size_t)c->graph->creature->n_dofs;
  struct world_options own = o->world;
  own.engine = WORLD_OWN;
  *r = (struct runner){.controls = c, .options = *o, .rng = rng_stream(o->seed, 0x52554e)};
  r->body = body_new(arena, c->graph, &o->world, d);
  if (r->body && o->candidates > 0 && c->gains && !(r->ahead = body_new(arena, c->graph, &own, d))) {
    body_free(r->body);
    return NULL;
  }
  double *a = ARENA_NEW(arena, (5 + 2 * (size_t)(o->held > 0 ? o->held : 1)) * n, double);
  r->q = a;
  r->v = a + n;
  r->x = a + 2 * n;
  r->u = a + 4 * n;
  r->best = a + 5 * n;
  r->trial = r->best + n * (size_t)(o->held > 0 ? o->held : 1);
  return r->body ? r : NULL;
}

void runner_free(struct runner *r)
{
  if (!r)
    return;
  body_free(r->body);
  body_free(r->ahead);
}

void runner_start(struct runner *r, int fragment, double x, double y, double heading, const double *errors)
{
  const struct control_fragment *f = &r->controls->graph->fragments[fragment];
  path_begin(r->controls->graph, fragment, x, y, heading, &r->path);
  body_set(r->body, f->strip, f->from, r->path.place, errors);
  r->state = RUNNER_UP;
  r->time = 0;
  r->fragments = r->looks = 0;
  r->frame = f->from;
}

/* ---- looking ahead ---- */

struct outlook { double cost; int shift; };

/* What policy says of the ahead-world's state at a frame; 0 when it fell. */
static int act_ahead(struct runner *r, const struct control_path *p, int frame, double *x, double *u)
{
  struct control_body *b = r->ahead;
  const struct control_fragment *f = &r->controls->graph->fragments[p->fragment];
  if (!body_get_errors(b, f->strip, frame, p->place, x) ||
      runner_fallen(b->q, control_graph_q(r->controls->graph, f->strip, frame)))
    return 0;
  controls_act(r->controls, p->fragment, b->q, b->v, x, u);
  return 1;
}

/* The cost of a candidate: the first fragment begun at frame from + shift, offsets beside the policy's in the first
 * `held` ones; then the policy alone. */
static double foresee(struct runner *r, const double *beside, int shift, double limit)
{
  const struct control_graph *g = r->controls->graph;
  int n = g->creature->n_dofs, controls = n - CREATURE_ROOT_DOFS;
  struct control_path p = r->path;
  double u[n], x[2 * n], effort = 0;
  world_set(r->ahead->world, r->q, r->v);
  for (int h = 0; h < r->options.horizon; h++) {
    const struct control_fragment *f = &g->fragments[p.fragment];
    int from = f->from + (h == 0 ? shift : 0);
    if (!act_ahead(r, &p, from, x, u))
      return LOST * (1 + r->options.horizon - h);
    if (h < r->options.held && beside)
      for (int i = 0; i < controls; i++) {
        u[i] += beside[h * controls + i];
        effort += EFFORT * beside[h * controls + i] * beside[h * controls + i];
      }
    if (effort > limit || !body_frames(r->ahead, f->strip, from, f->until, u))
      return LOST * (1 + r->options.horizon - h);
    path_next(g, &p, NULL, NULL);
  }
  const struct control_fragment *f = &g->fragments[p.fragment];
  if (!act_ahead(r, &p, f->from, x, u))
    return LOST;
  return effort + controls_value(r->controls, p.fragment, x);
}

/* The phase that bodes best for the policy alone. */
static struct outlook choose_phase(struct runner *r)
{
  const struct control_fragment *f = &r->controls->graph->fragments[r->path.fragment];
  struct outlook best = {foresee(r, NULL, 0, INFINITY), 0};
  for (int i = -r->options.shift; i <= r->options.shift; i++) {
    if (i == 0 || f->from + i < 0 || f->from + i >= f->until)
      continue;
    double cost = foresee(r, NULL, i, INFINITY);
    if (cost < best.cost)
      best = (struct outlook){cost, i};
  }
  return best;
}

/* Offsets beside the policy's, by chance around the best so far, round by round narrower. */
static struct outlook choose_offsets(struct runner *r, struct outlook best, double spread)
{
  int n = r->options.held * (r->controls->graph->creature->n_dofs - CREATURE_ROOT_DOFS);
  memset(r->best, 0, (size_t)n * sizeof *r->best);
  for (int round = 0; round < r->options.rounds; round++, spread /= 2) {
    double centre[n];
    memcpy(centre, r->best, sizeof centre);
    for (int i = 0; i < r->options.candidates; i++) {
      for (int k = 0; k < n; k++)
        r->trial[k] = centre[k] + spread * rng_normal(&r->rng);
      double cost = foresee(r, r->trial, best.shift, best.cost);
      if (cost < best.cost) {
        best.cost = cost;
        memcpy(r->best, r->trial, (size_t)n * sizeof *r->best);
      }
    }
  }
  return best;
}

/* Changes the offsets and the frame to begin at where that bodes better. */
static int look_ahead(struct runner *r)
{
  const struct control_graph *g = r->controls->graph;
  const struct control_fragment *f = &g->fragments[r->path.fragment];
  double wider = fmin(WIDEST, sqrt(r->value / r->options.calm));
  struct outlook best = choose_phase(r);
  best = choose_offsets(r, best, r->options.spread * wider);
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

static int run_frames(struct runner *r, int from, int until)
{
  const struct control_graph *g = r->controls->graph;
  int strip = g->fragments[r->path.fragment].strip;
  for (r->frame = from; r->frame < until; r->frame++) {
    if (r->every_frame)
      r->every_frame(r->frame_user, r);
    if (!body_frame(r->body, strip, r->frame, r->u))
      return 0;
    r->time += g->dt;
    world_get(r->body->world, r->q, NULL);
    if (runner_fallen(r->q, control_graph_q(g, strip, r->frame + 1)))
      return 0;
  }
  return 1;
}

int runner_go(struct runner *r)
{
  const struct controls *c = r->controls;
  const struct control_fragment *f = &c->graph->fragments[r->path.fragment];
  int shift = 0;
  if (r->state != RUNNER_UP || world_lost(r->body->world))
    return 0;
  world_get(r->body->world, r->q, r->v);
  body_errors(c->graph, f->strip, f->from, r->path.place, r->q, r->v, r->x);
  controls_act(c, r->path.fragment, r->q, r->v, r->x, r->u);
  r->value = c->gains ? controls_value(c, r->path.fragment, r->x) : 0;
  if (r->ahead && r->value > r->options.calm)
    shift = look_ahead(r);
  r->fragments++;
  if (!run_frames(r, f->from + shift, f->until)) {
    r->state = RUNNER_FALLEN;
    return 0;
  }
  path_next(c->graph, &r->path, r->choose, r->choose_user);
  return 1;
}

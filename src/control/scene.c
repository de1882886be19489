/* Playing and recording a scene. */
#include "control/scene.h"

#include <math.h>
#include <string.h>

#include "base/seconds.h"
#include "motion/ground.h"
#include "follow/errors.h"

void scene_defaults(const struct creature *c, struct scene_options *o)
{
  *o = (struct scene_options){.seconds = 20, .limp = 3, .start = 0.01, .rest = 0.02};
  runner_defaults(c, &o->runner);
  disturb_flight_defaults(&o->flight);
}

struct stage {
  struct arena *arena;
  const struct controls *c;
  const struct scene_options *o;
  struct scene *scene;
  struct runner *runner;
  struct dynamics *dynamics;
  struct disturb_ball *balls;
  unsigned char *given;         /* pushes that have been given, then balls thrown            */
  int n, room;                  /* frames recorded                                           */
};

/* ---- recording ---- */

static void scene_record(struct stage *s, struct world *w)
{
  struct clip *m = s->scene->motion;
  if (s->n >= s->room)
    return;
  size_t k = (size_t)s->n, n = (size_t)m->n_dofs, p = (size_t)m->n_points, b = (size_t)s->o->n_balls;
  double q[n], v[n];
  world_get(w, q, v);
  memcpy(m->q + k * n, q, sizeof q);
  world_contacts(w, m->force + k * p * 3, m->contact + k * p);
  const struct runner *r = s->runner;
  const struct control_fragment *f = &s->c->graph->fragments[r->path.fragment];
  double x[2 * n];
  body_errors(s->c->graph, f->strip, r->frame, r->path.place, q, v, x);
  s->scene->value[k] = r->value;
  double *e = s->scene->errors + 4 * k;
  e[0] = x[4];
  e[1] = x[5];
  e[2] = hypot(x[ERRORS_X], x[ERRORS_Y]);
  e[3] = x[ERRORS_YAW];
  for (size_t i = 0; i < 3 * b; i++)
    s->scene->balls[3 * b * k + i] = s->balls[i / 3].flying ? s->balls[i / 3].x[i % 3] : NAN;
  s->n++;
}

/* ---- what happens ---- */

static void give_push(const struct stage *s, struct runner *r, const struct disturb_push *p)
{
  double q[s->c->graph->creature->n_dofs], force[3] = {p->force[0], p->force[1], p->force[2]};
  world_get(r->body->world, q, NULL);
  if (p->turned) {
    double sn = sin(q[3]), cs = cos(q[3]);
    force[0] = cs * p->force[0] - sn * p->force[1];
    force[1] = sn * p->force[0] + cs * p->force[1];
  }
  world_push(r->body->world, p->limb, force, p->seconds);
}

static void scene_before_frame(void *user, struct runner *r)
{
  struct stage *s = user;
  if (s->o->tick)
    s->o->tick(s->o->tick_user, r->time);
  for (int i = 0; i < s->o->n_pushes; i++)
    if (!s->given[i] && r->time >= s->o->pushes[i].time) {
      s->given[i] = 1;
      give_push(s, r, &s->o->pushes[i]);
    }
  for (int i = 0; i < s->o->n_balls; i++)
    if (!s->given[s->o->n_pushes + i] && r->time >= s->balls[i].time) {
      s->given[s->o->n_pushes + i] = 1;
      disturb_aim(s->c->graph->creature, s->dynamics, r->body->world, s->o->ball_direction[i], s->o->ball_speed[i],
                  &s->o->flight, &s->balls[i]);
    }
  scene_record(s, r->body->world);
}

static void scene_before_step(void *user, struct runner *r)
{
  struct stage *s = user;
  for (int i = 0; i < s->o->n_balls; i++)
    disturb_fly(s->c->graph->creature, s->dynamics, r->body->world, s->c->graph->step, &s->o->flight, &s->balls[i]);
}

/* ---- after a fall ---- */

static int at_rest(const struct creature *c, struct world *w, double rest)
{
  double v[c->n_dofs];
  struct errors_units u = errors_units(c);
  world_get(w, NULL, v);
  for (int i = 0; i < c->n_dofs; i++)
    if (!(fabs(v[i]) < rest * (i < 3 ? u.speed : u.rate)))
      return 0;
  return 1;
}

/* Limp, in a world in which limbs touch the ground too, until it lies still or time is over. */
static void lie_down(struct stage *s, struct diag *d)
{
  const struct control_graph *g = s->c->graph;
  struct world_options o = s->o->runner.world;
  double q[g->creature->n_dofs], v[g->creature->n_dofs];
  o.step = g->step;
  o.shapes = 1;
  o.engine = WORLD_ODE;
  struct world *w = world_new(g->creature, &o);
  if (!w) {
    world_check(g->creature, &o, d);
    return;
  }
  world_get(s->runner->body->world, q, v);
  world_set(w, q, v);
  int frames = (int)(s->o->limp / g->dt), still = 0;
  for (int k = 0; k < frames && still < 10 && !world_lost(w); k++) {
    scene_record(s, w);
    for (int i = 0; i < g->steps && world_step(w, NULL); i++)
      ;
    still = at_rest(g->creature, w, s->o->rest) ? still + 1 : 0;
  }
  world_free(w);
}

/* ---- the whole ---- */

static struct scene *scene_new(struct stage *s)
{
  struct scene *out = ARENA_NEW(s->arena, 1, struct scene);
  const struct control_graph *g = s->c->graph;
  s->room = (int)((s->o->seconds + s->o->limp) / g->dt) + 64;
  size_t n = (size_t)s->room, b = (size_t)s->o->n_balls;
  out->motion = clip_new(s->arena, g->creature, s->room, g->dt);
  out->motion->name = "scene";
  out->value = ARENA_NEW(s->arena, n, double);
  out->errors = ARENA_NEW(s->arena, 4 * n, double);
  out->balls = ARENA_NEW(s->arena, 3 * b * n + 1, double);
  out->ball_impulse = ARENA_NEW(s->arena, b + 1, double);
  out->fallen = -1;
  return out;
}

static void scene_start(struct stage *s)
{
  struct runner *r = s->runner;
  int m = 2 * s->c->graph->creature->n_dofs;
  double x[m];
  struct rng rng = rng_stream(s->o->runner.seed, 0x5343454e45);
  for (int i = 0; i < m; i++)
    x[i] = (i < 2 ? 0 : i < m / 2 ? s->o->start : 3 * s->o->start) * rng_normal(&rng);
  r->choose = s->o->choose;
  r->choose_user = s->o->choose_user;
  r->every_frame = scene_before_frame;
  r->every_step = s->o->n_balls ? scene_before_step : NULL;
  r->frame_user = s;
  runner_start(r, s->o->fragment, 0, 0, 0, x);
}

struct scene *scene_play(struct arena *arena, const struct controls *c, const struct scene_options *o, struct diag *d)
{
  struct stage s = {.arena = arena, .c = c, .o = o, .dynamics = dynamics_new(arena, c->graph->creature)};
  s.balls = ARENA_NEW(arena, (size_t)o->n_balls + 1, struct disturb_ball);
  s.given = ARENA_NEW(arena, (size_t)(o->n_balls + o->n_pushes) + 1, unsigned char);
  if (o->n_balls)
    memcpy(s.balls, o->balls, (size_t)o->n_balls * sizeof *s.balls);
  s.scene = scene_new(&s);
  s.runner = runner_new(arena, c, &o->runner, d);
  if (!s.runner)
    return NULL;
  scene_start(&s);
  double from = processor_seconds();
  while (s.runner->time < o->seconds && runner_go(s.runner))
    ;
  s.scene->processor = processor_seconds() - from;
  s.scene->fell_after = s.runner->time;
  if (s.runner->state == RUNNER_FALLEN) {
    s.scene->fallen = s.n;
    lie_down(&s, d);
  }
  s.scene->motion->n_frames = s.n;
  s.scene->fragments = s.runner->fragments;
  s.scene->looks = s.runner->looks;
  s.scene->leaves = s.runner->leaves;
  s.scene->put_off = s.runner->put_off;
  for (int i = 0; i < o->n_balls; i++)
    s.scene->ball_impulse[i] = s.balls[i].impulse;
  runner_free(s.runner);
  return s.scene;
}

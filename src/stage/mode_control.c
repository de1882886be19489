/* Mode control: a control graph walks in a simulated world, the tree engine, with look-ahead. At every node the
 * controller's policy chooses, by what is asked; without a controller clips go on. */
#include <math.h>
#include <string.h>

#include "control/runner.h"
#include "control/runner_bytes.h"
#include "motion/ground.h"
#include "stage/room.h"

/* Looking ahead, a page has one core and a sixtieth of a second: fewer candidates than elsewhere. Of 160 pushes of 0.3
 * body weights, half of them in turns, a biped of 17 clips did not stand 3; with 16 candidates 2, with 4 and half as
 * long where nothing ends well 17. */
#define CANDIDATES 8

struct mode_control {
  struct stage *stage;
  struct runner *runner;
  double heading;               /* of the path at the node that was passed last                                    */
};

static int control_can(const struct stage_cast *c)
{
  return c->controls != NULL;
}

/* ---- what is asked ---- */

/* The segment that a node would choose, the path heading so. */
static int choose_at(const struct stage *s, int node, double heading)
{
  const struct stage_cast *c = s->cast;
  double theta[MUY_PLAYER_PARAMETERS_MOST] = {0};
  if (!c->player)
    return c->graph->first_segment[node];
  for (int i = 0; i < c->n_parameters; i++)
    theta[i] = s->scene.asked[i] - (c->parameters[i].relative ? heading : 0);
  return muy_player_choose(c->player, node, theta);
}

static int control_choose(void *user, int node, double heading)
{
  struct mode_control *m = user;
  m->heading = heading;
  return choose_at(m->stage, node, heading);
}

static void before_step(void *user, struct runner *r)
{
  struct mode_control *m = user;
  stage_disturb(m->stage, r->body->world);
}

/* ---- beginning ---- */

/* The fragment to begin with: the first of a clip, or of the first cycle. */
static int first_fragment(const struct control_graph *g, int clip)
{
  if (clip >= 0 && g->strips[clip].n > 0)
    return g->strips[clip].first;
  for (int i = 0; i < g->n_strips; i++)
    if (g->strips[i].n > 0 && g->strips[i].clip->cyclic)
      return g->strips[i].first;
  return 0;
}

/* A world that was just set on level ground, on the ground that there is. */
static void control_lift(struct stage *s, struct world *w)
{
  static const struct terrain level = {.kind = TERRAIN_FLAT};
  double q[s->cast->creature->n_dofs], v[s->cast->creature->n_dofs];
  if (s->scene.terrain.kind == TERRAIN_FLAT)
    return;
  world_get(w, q, v);
  q[2] += stage_lift(s, q, &level, &s->scene.terrain, 0);
  world_set(w, q, v);
}

static void *control_enter(struct stage *s, struct arena *arena, int clip, struct clip_advance at, struct diag *d)
{
  struct mode_control *m = ARENA_NEW(arena, 1, struct mode_control);
  struct runner_options o;
  runner_defaults(s->cast->creature, &o);
  o.candidates = CANDIDATES;
  o.world = stage_world_options(s);
  o.body = s->laden;
  m->stage = s;
  m->runner = runner_new(arena, s->cast->controls, &o, d);
  if (!m->runner)
    return NULL;
  m->runner->choose = control_choose;
  m->runner->choose_user = m;
  m->runner->every_step = before_step;
  m->runner->frame_user = m;
  m->heading = at.yaw;
  runner_start(m->runner, first_fragment(s->cast->controls->graph, clip), at.x, at.y, at.yaw, NULL);
  control_lift(s, m->runner->body->world);
  return m;
}

static void control_leave(void *data)
{
  struct mode_control *m = data;
  runner_free(m->runner);
}

/* ---- going on ---- */

static enum stage_state control_frame(struct stage *s)
{
  struct mode_control *m = s->mode_data;
  return runner_frame(m->runner) ? STAGE_UP : STAGE_FALLEN;
}

static struct world *control_world(const struct stage *s)
{
  const struct mode_control *m = s->mode_data;
  return m->runner->body->world;
}

static int control_change(struct stage *s, double lift, struct diag *d)
{
  struct mode_control *m = s->mode_data;
  struct world_options o = stage_world_options(s);
  const struct creature *before = m->runner->options.body;
  m->runner->options.body = s->laden;
  if (runner_change_world(m->runner, &o, lift, d))
    return 1;
  m->runner->options.body = before;
  return 0;
}

/* The reference's pose at this frame, on the ground that there is. */
static void control_ghost(struct stage *s, const struct runner *r, int strip)
{
  static const struct terrain level = {.kind = TERRAIN_FLAT};
  const struct control_graph *g = r->controls->graph;
  memcpy(s->now.ghost, control_graph_q(g, strip, r->frame), (size_t)g->creature->n_dofs * sizeof(double));
  clip_move_pose(r->path.place, s->now.ghost);
  if (s->scene.terrain.kind != TERRAIN_FLAT)
    s->now.ghost[2] += stage_lift(s, s->now.ghost, &level, &s->scene.terrain, 0);
  s->now.has_ghost = 1;
}

static void control_look(struct stage *s)
{
  const struct mode_control *m = s->mode_data;
  const struct runner *r = m->runner;
  const struct control_graph *g = r->controls->graph;
  struct world *w = r->body->world;
  int strip = g->fragments[r->path.fragment].strip, segment = r->path.segment;
  if (!world_lost(w)) {
    world_get(w, s->now.q, s->now.v);
    world_torques(w, s->now.torque);
    world_contacts(w, s->now.force, s->now.on);
    world_limb_contacts(w, s->now.limb_force, NULL);
  }
  s->now.clip = strip;
  s->now.frame = r->frame;
  s->now.segment = segment;
  s->now.node = segment >= 0 ? g->motion->segments[segment].from : -1;
  s->now.next = segment < 0 ? -1 : choose_at(s, g->motion->segments[segment].to,
                                             m->heading + g->motion->segments[segment].turn);
  s->now.value = r->value;
  s->now.heading = r->path.place.yaw + ground_heading(g->strips[strip].clip, r->frame);
  if (s->scene.show[STAGE_GHOST])
    control_ghost(s, r, strip);
}

static int control_looks(const struct stage *s)
{
  const struct mode_control *m = s->mode_data;
  return (int)m->runner->looks;
}

static int control_put_off(const struct stage *s)
{
  const struct mode_control *m = s->mode_data;
  return (int)m->runner->put_off;
}

static void control_put(const struct stage *s, struct bytes_writer *w)
{
  const struct mode_control *m = s->mode_data;
  bytes_put_real(w, m->heading);
  runner_put(w, m->runner);
}

static int control_get(struct stage *s, struct bytes_reader *r)
{
  struct mode_control *m = s->mode_data;
  m->heading = bytes_get_real(r);
  return runner_get(r, m->runner) && isfinite(m->heading);
}

const struct stage_mode_kind stage_mode_control = {
  .name = "control", .can = control_can, .enter = control_enter, .leave = control_leave, .frame = control_frame,
  .look = control_look, .world = control_world, .change = control_change, .looks = control_looks,
  .put_off = control_put_off, .put = control_put, .get = control_get,
};

/* A stand in a control graph: one fragment that follows itself, and feedback that keeps the balance on it; from it a
 * creature turns on the spot and comes back to it. The biped, which has nothing but two points to stand on. */
#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "check.h"
#include "control/lqr_teacher.h"
#include "control/runner.h"
#include "follow/errors.h"
#include "spacetime/repertoire.h"
#include "zoo.h"

enum { STAND, TURN, N_CLIPS };

struct stage {
  struct arena *arena;
  const struct creature *c;
  struct graph_clip clips[N_CLIPS];
  const struct motion_graph *motion;
  const struct control_graph *graph;
  struct controls *controls;
  struct diag d;
};

/* A turn by 45 degrees is all of the repertoire that is needed. */
static int make_clips(struct stage *s)
{
  const double turn = 0.25 * PI;
  struct spacetime_options o;
  spacetime_defaults(&o);
  s->c = zoo_find(s->arena, "biped");
  struct repertoire r = repertoire_plan(s->arena, s->c, &(struct repertoire_options){.turns = &turn, .n_turns = 1});
  for (int i = 0; i < r.n; i++) {
    struct repertoire_motion *m = &r.motions[i];
    int is_turn = m->turn != 0;
    m->id = 1 + is_turn;
    if ((i == 0 || is_turn) && repertoire_solve(s->arena, &r, i, &o))
      s->clips[is_turn] = (struct graph_clip){m->id, m->clip, NULL};
  }
  return s->clips[STAND].clip && s->clips[TURN].clip;
}

static int prepare(struct stage *s)
{
  struct lqr_teacher_options o;
  struct graph_input in = {.creature = s->c, .file = "test.muy", .n_clips = N_CLIPS, .clips = s->clips};
  s->motion = graph_new(s->arena, &in, &s->d);
  s->graph = s->motion ? control_graph_new(s->arena, s->motion, 0, &s->d) : NULL;
  if (!s->graph)
    return 0;
  lqr_teacher_defaults(s->c, &o);
  const struct lqr_teacher *t = lqr_teacher_learn(s->arena, s->graph, &o, &s->d);
  if (!t)
    return 0;
  s->controls = controls_new(s->arena, s->graph);
  s->controls->gains = t->gains;
  return 1;
}

/* Whoever stands may choose again as soon as in the motion graph. */
static void test_fragment(const struct stage *s)
{
  const struct control_graph *g = s->graph;
  const struct control_strip *stand = &g->strips[STAND];
  const struct control_fragment *f = &g->fragments[stand->first];
  CHECK_INT(stand->n, 1);
  CHECK(f->from == 0 && f->until == stand->n_frames && f->next == stand->first && f->node >= 0);
  CHECK_INT(stand->n_frames, graph_still_frames(s->clips[STAND].clip));
  CHECK_INT(control_graph_at(g, STAND, 17), stand->first);
  CHECK_INT(g->fragments[g->strips[TURN].first + g->strips[TURN].n - 1].next, stand->first);
  struct control_path p;
  path_start(g, stand->first, 1, 2, 0.3, &p);
  struct clip_advance place = p.place;
  for (int i = 0; i < 50; i++)
    path_next(g, &p, NULL, NULL);
  CHECK(p.fragment == stand->first && p.place.x == place.x && p.place.y == place.y && p.place.yaw == place.yaw);
}

struct wish { const struct stage *s; int turns; };

/* Stands on, but for so many turns. */
static int choose(void *user, int node, double heading)
{
  struct wish *w = user;
  const struct motion_graph *m = w->s->motion;
  (void)heading;
  for (int e = m->first_segment[node]; e < m->first_segment[node + 1]; e++)
    if ((m->segments[e].choice == TURN) == (w->turns > 0)) {
      w->turns--;
      return e;
    }
  return m->first_segment[node];
}

/* From a state that is off by some hundredths, it stands for ten seconds where it stood; after a turn it stands again,
 * looking elsewhere. */
static void test_balance(struct stage *s)
{
  struct runner_options o;
  runner_defaults(s->c, &o);
  o.world.engine = WORLD_TREE;
  struct runner *r = runner_new(s->arena, s->controls, &o, &s->d);
  double *off = ARENA_NEW(s->arena, 2 * (size_t)s->c->n_dofs, double);
  struct wish wish = {s, 0};
  CHECK(r != NULL);
  if (!r)
    return;
  off[4] = 0.01, off[(size_t)s->c->n_dofs + 4] = 0.02; /* it falls forwards */
  r->choose = choose;
  r->choose_user = &wish;
  runner_start(r, s->graph->strips[STAND].first, 0, 0, 0, off);
  while (r->time < 10 && runner_go(r))
    ;
  CHECK(r->state == RUNNER_UP);
  CHECK(hypot(r->q[0], r->q[1]) < 0.3 * s->c->height);
  CHECK(fabs(r->q[ERRORS_YAW]) < 0.2);
  wish.turns = 1;
  while (r->time < 20 && runner_go(r))
    ;
  CHECK(r->state == RUNNER_UP);
  CHECK_NEAR(r->q[ERRORS_YAW], 0.25 * PI, 0.2);
  runner_free(r);
}

int main(void)
{
  struct stage s = {.arena = arena_new()};
  diag_init(&s.d);
  CHECK(make_clips(&s) && prepare(&s));
  if (s.controls) {
    test_fragment(&s);
    test_balance(&s);
  }
  diag_clear(&s.d);
  arena_free(s.arena);
  return test_finish();
}

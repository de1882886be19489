/* The runner in the simulated world: what it stands and what it does not, pushes, balls, falls, the same for any number
 * of workers. */
#include <math.h>

#include "check.h"
#include "control/scene.h"
#include "control/lqr_teacher.h"
#include "control/trials.h"
#include "follow/errors.h"
#include "follow/walk.h"

struct stage {
  struct arena *arena;
  struct walk walk;
  const struct control_graph *graph;
  struct controls *controls;
  struct diag d;
};

static struct trial_summary run(struct stage *s, enum trial_kind kind, int n, double size, int look)
{
  struct trial_options o;
  trial_defaults(s->walk.creature, kind, &o);
  o.runner.candidates = look;
  o.size = size;
  o.seconds = kind == TRIAL_WALK ? 10 : 2;
  const struct trial_result *r = trials_run(s->arena, s->controls, n, &o, &s->d);
  CHECK(r != NULL);
  return r ? trials_summary(r, n) : (struct trial_summary){0};
}

/* With its policies it walks and stands a push; without, it does neither; nobody stands five body weights. */
static void test_trials(struct stage *s)
{
  CHECK_INT(run(s, TRIAL_WALK, 2, 0, 8).up, 2);
  CHECK_INT(run(s, TRIAL_PUSH, 4, 0.2, 8).up, 4);
  CHECK_INT(run(s, TRIAL_PUSH, 2, 5, 8).up, 0);
  const struct window_gain *gains = s->controls->gains;
  s->controls->gains = NULL;
  s->controls->kind = CONTROL_COMPACT;
  controls_add_compact(s->arena, s->controls); /* zeros: the reference alone */
  CHECK_INT(run(s, TRIAL_WALK, 2, 0, 0).up, 0);
  s->controls->gains = gains;
  s->controls->kind = CONTROL_FULL;
}

static void test_workers(struct stage *s)
{
  struct trial_options o;
  struct trial_result *r[2];
  trial_defaults(s->walk.creature, TRIAL_GROWING, &o);
  o.runner.candidates = 4;
  o.growth = 0.05;
  o.every = 0.7;
  o.seconds = 4;
  for (int i = 0; i < 2; i++) {
    o.workers = i + 1;
    r[i] = trials_run(s->arena, s->controls, 4, &o, &s->d);
    CHECK(r[i] != NULL);
  }
  for (int i = 0; i < 4 && r[0] && r[1]; i++) {
    r[0][i].processor = r[1][i].processor = 0; /* for people */
    CHECK(!memcmp(&r[0][i], &r[1][i], sizeof r[0][i]));
    CHECK(r[0][i].seconds > 0 && r[0][i].last_push >= 0);
  }
}

/* A creature that is knocked over falls, goes limp, and lies still and low in the end. */
static void test_fall(struct stage *s)
{
  double weight = s->walk.creature->mass * CREATURE_GRAVITY, L = s->walk.creature->height;
  struct disturb_push push = {.time = 0.5, .seconds = 0.1, .force = {0, 3 * weight, 0},
                              .limb = disturb_trunk(s->walk.creature),
                              .turned = 1};
  struct scene_options o;
  scene_defaults(s->walk.creature, &o);
  o.seconds = 3;
  o.limp = 4;
  o.start = 0;
  o.n_pushes = 1;
  o.pushes = &push;
  o.runner.candidates = 4;
  const struct scene *scene = scene_play(s->arena, s->controls, &o, &s->d);
  CHECK(scene && scene->fallen > 0 && scene->fell_after > 0.5 && scene->fell_after < 3);
  if (!scene)
    return;
  int n = scene->motion->n_frames, m = scene->motion->n_dofs;
  const double *last = scene->motion->q + (size_t)(n - 1) * (size_t)m, *before = last - m;
  CHECK(n > scene->fallen + 20 && last[2] < 0.6 * L && last[2] > 0);
  CHECK_NEAR(last[2], before[2], 1e-3 * L);
  double fine[6] = {0, 0, L, 0, 0, 0}, lost[6] = {0, 0, NAN, 0, 0, 0}, tilted[6] = {0, 0, L, 0, 0, 1},
         low[6] = {0, 0, 0.6 * L, 0, 0, 0};
  const struct creature *c = s->walk.creature;
  const struct fall_limits *up = &fall_limits_upright, *near = &fall_limits_following;
  CHECK(!fall_of(up, c, fine, fine, 0).fault && fall_of(up, c, lost, fine, 0).fault &&
        fall_of(near, c, lost, fine, 0).fault);
  CHECK_STR(fall_of(up, c, low, fine, 0).fault, "height");
  CHECK_STR(fall_of(up, c, tilted, fine, 0).fault, "tilt");
  CHECK(!fall_of(up, c, low, fine, -0.2 * L).fault); /* the ground is lower there */
  double turned[6] = {0, 0, L, 0.6, 0, 0}, high[6] = {0, 0, 1.2 * L, 0, 0, 0};
  CHECK(!fall_of(up, c, turned, fine, 0).fault && !fall_of(up, c, high, fine, 0).fault); /* on its feet */
  CHECK_STR(fall_of(near, c, turned, fine, 0).fault, "tilt");                            /* not where it should be */
  CHECK_STR(fall_of(near, c, high, fine, 0).fault, "height");
  CHECK_NEAR(fall_of(near, c, turned, fine, 0).angle, 0.6, 1e-12);
  CHECK_NEAR(fall_of(near, c, high, fine, 0).height, 0.2, 1e-12);
}

/* A ball that is thrown at the trunk hits it, gives it between one and two times its momentum, and flies back. */
static void test_ball(struct stage *s)
{
  struct disturb_ball ball = {.mass = 0.01 * s->walk.creature->mass, .radius = 0.05, .time = 0.3};
  double direction = 1.5707963, speed = 6;
  struct scene_options o;
  scene_defaults(s->walk.creature, &o);
  o.seconds = 1.6;
  o.limp = 0.1;
  o.start = 0;
  o.n_balls = 1;
  o.balls = &ball;
  o.ball_direction = &direction;
  o.ball_speed = &speed;
  const struct scene *scene = scene_play(s->arena, s->controls, &o, &s->d);
  CHECK(scene && scene->fallen < 0);
  if (scene)
    CHECK(scene->ball_impulse[0] > 0.7 * ball.mass * speed && scene->ball_impulse[0] < 2.2 * ball.mass * speed);
}

/* How far off its path a creature is when it decides what to do, along and aside; it begins a height behind and half a
 * height to the left, heading elsewhere than along an axis. */
struct place_off { double along, aside, heading; };
static struct place_off off_path(struct stage *s, double along, double aside)
{
  double *errors = ARENA_NEW(s->arena, 2 * (size_t)s->walk.creature->n_dofs, double);
  struct runner_options o;
  runner_defaults(s->walk.creature, &o);
  o.leash_along = along;
  o.leash_aside = aside;
  o.candidates = 0;
  errors[ERRORS_X] = -1;
  errors[ERRORS_Y] = 0.5;
  struct runner *r = runner_new(s->arena, s->controls, &o, &s->d);
  CHECK(r != NULL);
  if (!r)
    return (struct place_off){NAN, NAN, NAN};
  runner_start(r, 0, 1, 2, 0.7, errors);
  runner_frame(r);
  struct place_off off = {r->x[ERRORS_X], r->x[ERRORS_Y], path_heading(s->graph, &r->path)};
  runner_free(r);
  return off;
}

/* A path yields to a creature that is farther from it than the leash, and keeps its heading. */
static void test_leash(struct stage *s)
{
  struct place_off free = off_path(s, INFINITY, INFINITY), held = off_path(s, 0.4, 0.1), both = off_path(s, 2, 2);
  CHECK_NEAR(free.along, -1, 1e-9);
  CHECK_NEAR(free.aside, 0.5, 1e-9);
  CHECK_NEAR(held.along, -0.4, 1e-9);
  CHECK_NEAR(held.aside, 0.1, 1e-9);
  CHECK(both.along == free.along && both.aside == free.aside);
  CHECK(held.heading == free.heading);
}

int main(void)
{
  struct stage s = {.arena = arena_new()};
  struct lqr_teacher_options o;
  diag_init(&s.d);
  if (!walk_make(s.arena, 1, &s.walk))
    return 1;
  const struct motion_graph *m = graph_new(s.arena, &s.walk.in, &s.d);
  s.graph = m ? control_graph_new(s.arena, m, 0, &s.d) : NULL;
  lqr_teacher_defaults(s.walk.creature, &o);
  const struct lqr_teacher *t = s.graph ? lqr_teacher_learn(s.arena, s.graph, &o, &s.d) : NULL;
  CHECK(t != NULL);
  if (t) {
    s.controls = controls_new(s.arena, s.graph);
    s.controls->gains = t->gains;
    test_trials(&s);
  test_leash(&s);
    test_workers(&s);
    test_fall(&s);
    test_ball(&s);
  }
  CHECK_INT(s.d.n_errors, 0);
  diag_clear(&s.d);
  arena_free(s.arena);
  return test_finish();
}

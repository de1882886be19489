/* From clips and a task to a controller: costs of segments by another way, parts that add up, left and right alike,
 * what is left out and what is refused, and the player's tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "base/quat.h"
#include "dynamics/dynamics.h"
#include "policy/controller.h"
#include "policy/small_controller.h"
#include "player/player_write.h"

static const double pi = 3.14159265358979323846;

/* ---- costs of segments: the distribution of theta is carried forward, where the library carries costs back ---- */

static double expected_cost(const struct small_controller *s, int segment, int start)
{
  const struct graph_segment *e = &s->controller->graph->segments[segment];
  const struct task_parameter *p = &s->task->parameters[0];
  const double *K = s->controller->process->parameters[0].chain;
  double chance[72] = {0}, next[72], cost[72], sum = 0;
  chance[start] = 1;
  for (int k = 0; k < e->length; k++) {
    task_costs(p, &e->features[k], cost);
    memset(next, 0, sizeof next);
    for (int i = 0; i < 72; i++) {
      sum += chance[i] * cost[i];
      for (int j = 0; j < 72; j++)
        next[j] += chance[i] * K[i * 72 + j];
    }
    memcpy(chance, next, sizeof chance);
  }
  return sum;
}

static void test_costs(const struct small_controller *s)
{
  const struct controller *c = s->controller;
  for (int e = 0; e < c->graph->n_segments; e += 3)
    for (int start = 0; start < 72; start += 17)
      CHECK_NEAR(c->process->segments[e].cost[0][start], expected_cost(s, e, start), 1e-10);
  for (int e = 0; e < c->graph->n_segments; e++) {
    const struct graph_segment *g = &c->graph->segments[e];
    const struct decision_segment *d = &c->process->segments[e];
    double body = 0;
    for (int k = 0; k < g->length; k++)
      body += 0.3 * log(g->features[k].counted_effort) - 0.3 * log(features_effort(s->creature, s->clips[0].clip));
    CHECK_NEAR(d->constant, body, 1e-10);
    CHECK(d->from == g->from && d->to == g->to && d->length == g->length && d->turn == g->turn);
  }
}

/* ---- what follows from the values ---- */

static void test_parts(const struct small_controller *s)
{
  const struct controller *c = s->controller;
  double segments = 0, clips = 0;
  for (int e = 0; e < c->graph->n_segments; e++)
    segments += c->segment_share[e];
  for (int i = 0; i < c->graph->n_clips; i++)
    clips += c->clip_share[i];
  CHECK_NEAR(segments, 1, 1e-12);
  CHECK_NEAR(clips, 1, 1e-12);
  CHECK(c->lower <= c->cost && c->cost <= c->upper && c->upper - c->lower < 1e-3 * c->cost);
  CHECK(c->influence->solved && c->influence->cost >= c->lower - 1e-6 && c->influence->cost <= c->upper + 1e-6);
  CHECK_NEAR(c->body_cost + c->task_cost[0], c->influence->cost, 1e-9);
  CHECK(c->body_cost > 0 && c->task_cost[0] > c->body_cost); /* turning is an effort, being wrong is worse */
  CHECK_INT((long)c->grid, 72);
  CHECK_STR(controller_grid_text(c->task).words, "72");
}

/* The frame that shows the same in the mirror. */
static int mirrored_node(const struct motion_graph *g, int node)
{
  int n = g->clips[0].clip->n_frames, frame = (g->nodes[node].frame + n / 2) % n;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].clip == 0 && g->nodes[i].frame == frame)
      return i;
  return -1;
}

/* Clips come in pairs of mirror images: what it costs to be asked to go left on one foot is what it costs to be asked
 * to go right on the other, and both are used as often. */
static void test_symmetry(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct controller_options o;
  struct diag d;
  diag_init(&d);
  controller_defaults(&o);
  o.values.relative = 1e-8;
  const struct controller *c = controller_solve(arena, s->controller->graph, s->task, &o, &d);
  CHECK(c && d.n_messages == 0);
  for (int node = 0; c && node < c->graph->n_nodes; node++) {
    int other = mirrored_node(c->graph, node);
    CHECK(other >= 0 && other != node);
    for (int i = 0; other >= 0 && i < 72; i++)
      CHECK_NEAR(c->values->V[node * 72 + i], c->values->V[other * 72 + (72 - i) % 72], 1e-5);
  }
  for (int i = 1; c && i + 1 < c->graph->n_clips; i += 2)
    CHECK_NEAR(c->clip_share[i], c->clip_share[i + 1], 1e-5);
  diag_clear(&d);
  arena_free(arena);
}

/* More to choose from is never worse, and one who cannot turn is wrong by a quarter turn on average. */
static void test_fewer_clips(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct diag d;
  double before = INFINITY;
  diag_init(&d);
  for (int n = 1; n <= s->n_clips; n += 4) {
    struct graph_input in = {.creature = s->creature, .file = "test.muy", .n_clips = n, .clips = s->clips};
    const struct controller *c = controller_new(arena, &in, s->task, NULL, &d);
    CHECK(c && c->lower <= before);
    if (c && n == 1) {
      CHECK(c->graph->n_nodes == 1 && c->graph->n_segments == 1);
      CHECK_NEAR(c->cost, pi / 2 - 0.02, 0.01); /* costs are rounded off by up to 0.02 */
      CHECK_NEAR(c->body_cost, 0, 1e-12);
    }
    before = c ? c->upper : NAN;
  }
  diag_clear(&d);
  arena_free(arena);
}

/* ---- what is left out, what is refused ---- */

/* A second walk from which no way leads back is left out, with the way there, and changes nothing. */
static void test_left_out(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct graph_clip clips[SMALL_MOST_CLIPS + 2];
  struct graph_input in = {.creature = s->creature, .file = "test.muy", .n_clips = s->n_clips + 2, .clips = clips};
  struct clip away = *s->clips[1].clip;
  struct diag d;
  char why[100];
  size_t length;
  diag_init(&d);
  away.to.clip = 90;
  clips[0] = s->clips[0];
  clips[1] = (struct graph_clip){90, s->clips[0].clip, NULL};
  clips[2] = (struct graph_clip){91, &away, NULL};
  memcpy(clips + 3, s->clips + 1, (size_t)(s->n_clips - 1) * sizeof *clips);
  const struct controller *c = controller_new(arena, &in, s->task, NULL, &d);
  CHECK(c != NULL);
  if (c) {
    CHECK_INT(c->graph->n_left_out, 2);
    CHECK_NEAR(c->cost, s->controller->cost, 0);
    CHECK_NEAR(c->clip_share[1] + c->clip_share[2], 0, 0);
    const void *bytes = controller_bytes(arena, c, &length, &d);
    struct muy_player_controller *p = bytes ? muy_player_load_memory(bytes, length, why, sizeof why) : NULL;
    CHECK(p && p->n_clips == s->n_clips && p->n_segments == s->player->n_segments);
    CHECK(p && controller_effort(p, s->creature) == c->effort);
    muy_player_unload(p);
  }
  diag_clear(&d);
  arena_free(arena);
}

static void test_refusals(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct controller_options o;
  struct diag d;
  diag_init(&d);
  controller_defaults(&o);
  o.values.memory = 200000;
  CHECK(!controller_solve(arena, s->controller->graph, s->task, &o, &d));
  char *text = diag_text(&d);
  CHECK(strstr(text, "test.task: error: a grid of 72 over 6 nodes needs ") && strstr(text, " would fit"));
  free(text);
  diag_clear(&d);

  struct clip slow = *s->clips[0].clip;
  struct graph_clip clips[] = {{1, &slow, NULL}};
  struct graph_input in = {.creature = s->creature, .file = "test.muy", .n_clips = 1, .clips = clips};
  slow.dt *= 2;
  CHECK(!controller_new(arena, &in, s->task, NULL, &d));
  text = diag_text(&d);
  CHECK(strstr(text, "test.muy: error: its clips have 41.5") && strstr(text, "but creature 'biped' has 83.1"));
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- the player's tables ---- */

static void test_player(const struct small_controller *s)
{
  const struct motion_graph *g = s->controller->graph;
  const struct muy_player_controller *p = s->player;
  int segment, gaits = s->creature->n_gaits;
  CHECK(p->n_nodes == g->n_nodes && p->n_segments == g->n_segments && p->n_clips == s->n_clips && p->n_gaits == gaits);
  CHECK(muy_player_gap(p, &segment) < 1e-7);
  for (int e = 0; e < g->n_segments; e++) {
    const struct graph_segment *a = &g->segments[e];
    const struct muy_player_segment *b = &p->segments[e];
    CHECK(a->from == b->from && a->to == b->to && a->length == b->n_frames);
    CHECK(a->turn == b->motion.yaw && a->x == b->motion.x && a->y == b->motion.y);
    CHECK(memcmp(b->values, s->controller->q + (size_t)e * 72, 72 * sizeof *b->values) == 0);
    for (int k = 0; k < a->length; k++) {
      struct frame_features f = controller_features(b->features[k]);
      CHECK(f.direction == a->features[k].direction && f.torso == a->features[k].torso);
      CHECK(f.speed == a->features[k].speed && f.gait == a->features[k].gait);
      CHECK(f.counted_effort == a->features[k].counted_effort);
    }
  }
  CHECK_NEAR(controller_effort(p, s->creature), s->controller->effort, 0);
  for (int node = 0; node < g->n_nodes; node++) /* on the grid the player chooses what the values say */
    for (int i = 0; i < 72; i++) {
      const double *theta = &s->task->parameters[0].values[i];
      int best = s->controller->values->choice[node * 72 + i], chosen = muy_player_choose(p, node, theta);
      CHECK(chosen == best || fabs(muy_player_value(p, chosen, theta) - muy_player_value(p, best, theta)) < 1e-6);
    }
}

/* Bones are where dynamics has the limbs, and so are the ends of their shapes' axes. */
static void test_bones(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  const struct creature *c = s->creature;
  const struct muy_player_controller *p = s->player;
  struct dynamics *dynamics = dynamics_new(arena, c);
  struct muy_player_place *bones = ARENA_NEW(arena, (size_t)c->n_limbs, struct muy_player_place);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct muy_player player;
  muy_player_init(&player, p);
  muy_player_set(&player, 0, 1.5);
  CHECK_INT(p->n_bones, c->n_limbs);
  for (int n = 0; n < 40 && p->n_bones == c->n_limbs; n++) {
    muy_player_advance(&player, 0.03);
    muy_player_pose(&player, q);
    CHECK(muy_player_bones(&player, bones));
    dynamics_kinematics(dynamics, q);
    for (int i = 0; i < c->n_limbs; i++) {
      const struct limb *l = &c->limbs[i];
      const struct muy_player_bone *b = &p->bones[i];
      double R[9], M[9], S[9], at[3];
      dynamics_rotation(dynamics, l->body, R);
      quat_to_matrix(bones[i].turn, M);
      quat_to_matrix(b->turn, S);
      dynamics_point(dynamics, l->body, l->origin, at);
      CHECK(strcmp(b->name, l->name) == 0 && b->parent == l->parent);
      for (int k = 0; k < 9; k++) {
        CHECK_NEAR(M[k], R[k], 1e-12);
        if (l->shape.kind != SHAPE_NONE) CHECK_NEAR(S[k], l->shape.frame[k], 1e-12);
      }
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(bones[i].at[k], at[k], 1e-12);
        CHECK(b->centre[k] == l->shape.centre[k] && b->size[k] == l->shape.size[k]);
      }
    }
  }
  arena_free(arena);
}

/* Gaits in an order of the task's own; another task does not fit. */
static void test_other_task(const struct small_controller *s)
{
  struct diag d;
  const struct task *t = small_task(s, "parameter gait { gaits = {run, walk} }  parameter direction { grid = 24 }");
  const struct controller *c = small_solve(s, t);
  struct muy_player_controller *p = small_player(s, c);
  const struct task_parameter *gait = &t->parameters[0];
  diag_init(&d);
  CHECK_STR(controller_grid_text(t).words, "2 x 24");
  CHECK(gait->values[0] == 1 && gait->values[1] == 0); /* as the creature counts them */
  CHECK(controller_asked(gait, 1) == 0 && controller_asked(gait, 0) == 1);
  CHECK(controller_asked(&t->parameters[1], 0.3) == 0.3);
  CHECK_STR(p->parameters[0].categories[0], "run");
  CHECK_NEAR(c->task_cost[0], 5, 1e-3); /* it only walks: half of the time that is the wrong gait, which costs 10 */
  CHECK(controller_fits(p, t, "a.muy", &d) && controller_fits(s->player, s->task, "a.muy", &d) && d.n_errors == 0);
  CHECK(!controller_fits(p, s->task, "a.muy", &d));
  CHECK_INT(d.n_errors, 1);
  muy_player_unload(p);
  diag_clear(&d);
}

int main(void)
{
  struct small_controller s = small_controller_new();
  test_costs(&s);
  test_parts(&s);
  test_symmetry(&s);
  test_fewer_clips(&s);
  test_left_out(&s);
  test_refusals(&s);
  test_player(&s);
  test_bones(&s);
  test_other_task(&s);
  small_controller_free(&s);
  return test_finish();
}

/* The scene of a search: what it proposes fits, what is imagined is worth what it says, and what is solved comes with
 * its mirror image and costs what the controller costs. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "motion/ground.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "search/choose.h"
#include "search/predicted_gain.h"
#include "search/task_gradients.h"
#include "search/surrogate.h"
#include "spacetime/spacetime.h"
#include "search/solved.h"
#include "search/scene.h"
#include "stage.h"
#include "zoo.h"

#define STAND_IN 1900000000 /* ids of mirror images that are not in a run file */

static const double pi = 3.14159265358979323846;

/* ---- proposals ---- */

static int is_branch(const struct scene *s, int id, int frame)
{
  int clip = scene_find(s, id);
  for (int k = 0; clip >= 0 && k < STAGE_BRANCHES; k++)
    if (graph_branch_frame(s->clips[clip].clip->n_frames, STAGE_BRANCHES, k) == frame)
      return 1;
  return 0;
}

static int same_candidate(const struct candidate *a, const struct candidate *b)
{
  return a->kind == b->kind && a->from_clip == b->from_clip && a->from_frame == b->from_frame &&
         a->to_clip == b->to_clip && a->to_frame == b->to_frame && a->turn == b->turn && a->frames == b->frames &&
         a->gait == b->gait && a->speed == b->speed && a->strafe == b->strafe;
}

/* Seen twice in the mirror it is itself; and what has no mirror image is its own, or names a clip without one. */
static void check_mirror(const struct scene *s, const struct candidate *x)
{
  struct candidate once, twice;
  if (scene_mirror(s, x, &once)) {
    CHECK(!same_candidate(x, &once) && once.turn == -x->turn && once.strafe == -x->strafe && once.frames == x->frames);
    CHECK(is_branch(s, once.from_clip, once.from_frame) && is_branch(s, once.to_clip, once.to_frame));
    CHECK(scene_mirror(s, &once, &twice) && same_candidate(x, &twice));
  } else if (s->symmetric)
    CHECK(same_candidate(x, &once));
}

static void check_transition(const struct scene *s, const struct candidate *x)
{
  const struct clip *from = s->clips[scene_find(s, x->from_clip)].clip;
  CHECK(fabs(x->turn) <= pi && (!s->symmetric || x->turn >= 0 || x->from_clip != x->to_clip));
  CHECK(from->cyclic && x->frames >= 8);
  if (x->from_clip == x->to_clip) { /* in step with itself: it comes out where the cycle would have been */
    CHECK_INT(((x->frames - 2 - x->to_frame + x->from_frame) % from->n_frames + from->n_frames) % from->n_frames, 0);
    CHECK(x->frames - 2 >= from->n_frames - 1 && x->frames - 2 <= 3 * from->n_frames + 1);
  }
}

/* Nobody is hurried more than to 0.6 of what takes its time, in eighths of a cycle. */
static void check_length(const struct scene *s, const struct candidate *x)
{
  struct arena *scratch = arena_new();
  const struct clip *from = s->clips[scene_find(s, x->from_clip)].clip, *to = s->clips[scene_find(s, x->to_clip)].clip;
  struct transition_request r = {.c = s->c, .from = from, .to = to, .from_frame = x->from_frame, .turn = x->turn};
  r.to_frame = from == to ? x->from_frame : x->to_frame;
  int natural = spacetime_transition_frames(scratch, &r);
  CHECK(natural > 0 && x->frames >= 0.6 * natural - 2 - from->n_frames / STAGE_BRANCHES);
  arena_free(scratch);
}

static void check_cycle(const struct scene *s, const struct candidate *x)
{
  const struct gait *g = &s->c->gaits[x->gait];
  CHECK(x->gait >= 0 && x->gait < s->c->n_gaits && x->speed > 0 && x->speed <= g->speed_max);
  CHECK(fabs(x->strafe) > pi / 6 || x->speed >= g->speed_min);
  CHECK(fabs(x->strafe) <= pi && (!s->symmetric || x->strafe >= 0));
}

static void check_outlook(const struct scene *s, const struct candidate *x)
{
  struct arena *scratch = arena_new();
  struct imagined o;
  struct candidate mirrored;
  int ways = x->kind == CANDIDATE_CYCLE ? 3 : 1, copies = scene_mirror(s, x, &mirrored) ? 2 : 1;
  CHECK(predicted_gain_imagine(scratch, s, x, 1, &o) && o.n_ways >= copies * ways &&
        o.n_ways <= IMAGINED_SEGMENTS_MOST);
  CHECK(predicted_gain_imagine(scratch, s, x, 0, &o));
  CHECK_INT(o.n_ways, copies * ways);
  CHECK_INT(o.n_new_nodes, x->kind == CANDIDATE_CYCLE ? copies : 0);
  for (int i = 0; i < o.n_ways; i++) {
    int nodes = s->controller->graph->n_nodes + o.n_new_nodes;
    CHECK(o.ways[i].from >= 0 && o.ways[i].from < nodes && o.ways[i].to >= 0 && o.ways[i].to < nodes);
    CHECK(o.ways[i].length > 0 && o.ways[i].features[o.ways[i].length - 1].counted_effort > 0);
  }
  arena_free(scratch);
}

/* How many were transitions, cycles, and from one clip to another. */
static void test_proposals(const struct scene *s, int counts[3])
{
  struct rng r = rng_stream(1, 0);
  counts[0] = counts[1] = counts[2] = 0;
  for (int i = 0; i < 400; i++) {
    struct arena *scratch = arena_new();
    struct candidate x;
    if (scene_propose(scratch, s, &r, &x)) {
      CHECK(is_branch(s, x.from_clip, x.from_frame) && is_branch(s, x.to_clip, x.to_frame));
      (x.kind == CANDIDATE_CYCLE ? check_cycle : check_transition)(s, &x);
      if (x.kind == CANDIDATE_TRANSITION)
        check_length(s, &x);
      check_mirror(s, &x);
      check_outlook(s, &x);
      counts[x.kind == CANDIDATE_CYCLE]++;
      counts[2] += x.from_clip != x.to_clip;
    }
    arena_free(scratch);
  }
}

/* ---- predicted gain ---- */

static double fixed_effort(void *user, const struct scene *s, const struct candidate *x)
{
  (void)s, (void)x;
  return *(const double *)user;
}

/* More to choose from never costs more, and a cycle with more ways to it is not worth less. On the coarse grid
 * candidates come in much the same order. Gains are known to a thousandth of the cost. */
static void test_gains(const struct scene *s, int n)
{
  struct rng r = rng_stream(2, 0);
  struct scene mine = *s;
  double effort = 0, near = 1e-3 * s->controller->cost, fine[64], coarse[64];
  int known = 0;
  mine.log_effort = fixed_effort;
  mine.user = &effort;
  for (int i = 0; i < n && known < 64; i++) {
    struct arena *scratch = arena_new();
    struct candidate x;
    struct imagined o, settled;
    effort = rng_uniform(&r, -0.2, 2);
    if (scene_propose(scratch, s, &r, &x) && predicted_gain_imagine(scratch, &mine, &x, 0, &o)) {
      fine[known] = predicted_gain(scratch, &mine, &o, PREDICTED_GAIN_FINE);
      coarse[known] = predicted_gain(scratch, &mine, &o, PREDICTED_GAIN_COARSE);
      CHECK(fine[known] >= -near && coarse[known] >= -near);
      CHECK(predicted_gain_imagine(scratch, &mine, &x, 1, &settled));
      CHECK(predicted_gain(scratch, &mine, &settled, PREDICTED_GAIN_FINE) >= fine[known] - near);
      known++;
    }
    arena_free(scratch);
  }
  CHECK(known > n / 2 && surrogate_rank_correlation(known, fine, coarse) > 0.9);
}

/* A cycle like the one that is there, with a little less effort: all that follows stays as it was, so that it gains
 * alpha x the logarithm of what is saved. */
static void test_small_gain(const struct scene *s)
{
  struct arena *scratch = arena_new();
  struct scene mine = *s;
  double effort = -0.1;
  int frame = graph_branch_frame(s->clips[0].clip->n_frames, STAGE_BRANCHES, 1);
  struct candidate x = {.kind = CANDIDATE_TRANSITION,
                        .from_clip = 1,
                        .from_frame = frame,
                        .to_clip = 1,
                        .to_frame = frame,
                        .frames = s->clips[0].clip->n_frames + 2};
  struct imagined o;
  mine.log_effort = fixed_effort;
  mine.user = &effort;
  CHECK(predicted_gain_imagine(scratch, &mine, &x, 0, &o) && o.n_ways == 2);
  CHECK_NEAR(predicted_gain(scratch, &mine, &o, PREDICTED_GAIN_FINE), 0.3 * 0.1, 1e-3 * s->controller->cost);
  CHECK_NEAR(predicted_gain(scratch, &mine, &o, PREDICTED_GAIN_COARSE), 0.3 * 0.1, 1e-3 * s->controller->cost);
  arena_free(scratch);
}

/* A turn: the more effort it takes the less it is worth, on either grid, until it is worth nothing, on both. */
static void test_dear_turn(const struct scene *s)
{
  struct scene mine = *s;
  double effort, near = 1e-3 * s->controller->cost, last[2] = {INFINITY, INFINITY};
  int frame = graph_branch_frame(s->clips[0].clip->n_frames, STAGE_BRANCHES, 1);
  struct candidate x = {.kind = CANDIDATE_TRANSITION,
                        .from_clip = 1,
                        .from_frame = frame,
                        .to_clip = 1,
                        .to_frame = frame,
                        .turn = 1,
                        .frames = s->clips[0].clip->n_frames + 2};
  mine.log_effort = fixed_effort;
  mine.user = &effort;
  for (effort = 0; effort <= 15; effort += 3)
    for (int grid = PREDICTED_GAIN_FINE; grid <= PREDICTED_GAIN_COARSE; grid++) {
      struct arena *scratch = arena_new();
      struct imagined o;
      CHECK(predicted_gain_imagine(scratch, &mine, &x, 0, &o));
      double gain = predicted_gain(scratch, &mine, &o, (enum predicted_gain_grid)grid);
      CHECK(gain < last[grid] + near && (gain > near) == (effort < 12));
      last[grid] = gain;
      arena_free(scratch);
    }
}

/* ---- task gradients ---- */

/* A turn to the left is chosen by whoever is asked to go left, and pulled there, from its first frame on; on the way
 * what is asked is known less and less. Seen in the mirror all is the same. What nobody would choose has none. */
static void test_gradients(const struct scene *s)
{
  struct arena *scratch = arena_new();
  struct scene mine = *s;
  double effort = 0.1, mass[72], sum = 0, left = 0;
  int frame = graph_branch_frame(s->clips[0].clip->n_frames, STAGE_BRANCHES, 1);
  struct candidate x = {.kind = CANDIDATE_TRANSITION, .from_clip = 1, .from_frame = frame, .to_clip = 1,
                        .to_frame = frame, .turn = 1.2, .frames = s->clips[0].clip->n_frames + 2}, y;
  struct task_gradient a[TASK_GRADIENTS], b[TASK_GRADIENTS];
  struct imagined o;
  mine.log_effort = fixed_effort;
  mine.user = &effort;
  CHECK(predicted_gain_imagine(scratch, &mine, &x, 0, &o) && s->controller->grid == 72);
  CHECK(predicted_gain_demand(scratch, &mine, &o, 0, mass) > 0);
  for (int k = 0; k < 72; k++)
    sum += mass[k], left += k > 0 && k < 36 ? mass[k] : 0;
  CHECK_NEAR(sum, 1, 1e-12);
  CHECK(left > 0.8);
  CHECK_INT(task_gradients_of(scratch, &mine, &x, a), TASK_GRADIENTS);
  CHECK(scene_mirror(&mine, &x, &y) && task_gradients_of(scratch, &mine, &y, b) == TASK_GRADIENTS);
  for (int i = 0; i < TASK_GRADIENTS; i++) {
    CHECK(a[i].velocity_weight > 0 && a[i].torso_weight == 0 && a[i].velocity[1] > 0.5 * fabs(a[i].velocity[0]));
    CHECK(i == 0 || a[i].velocity_weight < a[i - 1].velocity_weight);
    CHECK_NEAR(b[i].velocity_weight, a[i].velocity_weight, 0.02 * a[i].velocity_weight);
    CHECK(b[i].velocity[1] < 0);
  }
  effort = 20;
  CHECK_INT(task_gradients_of(scratch, &mine, &x, a), 0);
  arena_free(scratch);
}

/* ---- solved candidates ---- */

static void tell_errors(struct diag *d)
{
  char *text = diag_text(d);
  if (d->n_errors)
    fputs(text, stderr);
  free(text);
  diag_clear(d);
}

/* The graph of a scene's clips and those of a candidate, whose mirror images get ids of their own. */
static double cost_with(const struct scene *s, const struct solved_candidate *f)
{
  struct arena *arena = arena_new();
  struct diag d;
  const struct motion_graph *g = s->controller->graph;
  int n = g->n_clips;
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)(n + f->n_clips), struct graph_clip);
  for (int i = 0; i < n; i++)
    clips[i] = (struct graph_clip){g->clips[i].id, g->clips[i].clip, NULL};
  for (int i = 0; i < f->n_clips; i++) {
    const struct clip *clip = f->clips[i].clip;
    clips[n++] = (struct graph_clip){f->clips[i].id ? f->clips[i].id
                                     : clip->cyclic ? clip->from.clip
                                                    : 1000 + i,
                                     clip, NULL};
  }
  diag_init(&d);
  struct graph_input in = {s->c, "test.muy", n, clips, 0, NULL};
  const struct motion_graph *plain = graph_new(arena, &in, &d);
  CHECK(plain && graph_check(plain, &d) == 0 && plain->n_left_out == 0);
  tell_errors(&d);
  in.branches = STAGE_BRANCHES;
  const struct controller *c = controller_new(arena, &in, s->task, NULL, &d);
  CHECK(c != NULL);
  double cost = c ? c->cost : NAN;
  tell_errors(&d);
  arena_free(arena);
  return cost;
}

/* Its cost is the controller's, to a part in ten thousand each; with the mirror image no higher than without. */
static void check_find(const struct scene *s, struct solved_candidate *f, int n_mirrored)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  f->n_clips = f->n_solved;
  double alone = solved_cost(arena, s, &f, 1, &d);
  CHECK_NEAR(alone, cost_with(s, f), 2e-4 * fabs(alone));
  solved_mirror(arena, s, f, STAND_IN);
  CHECK_INT(f->n_clips, f->n_solved + n_mirrored);
  double both = solved_cost(arena, s, &f, 1, &d);
  CHECK_NEAR(both, cost_with(s, f), 2e-4 * fabs(both));
  CHECK(both <= alone + 1e-4 * fabs(alone));
  CHECK(alone <= s->controller->cost + 1e-4 * fabs(s->controller->cost));
  CHECK_INT(d.n_errors, 0);
  for (int i = f->n_solved; i < f->n_clips; i++) {
    struct verify_report v;
    verify_clip(arena, s->c, f->clips[i].clip, &v);
    CHECK(v.passed && f->clips[i].id == 0);
  }
  solved_mirror(arena, s, f, STAND_IN); /* again: nothing is added twice */
  CHECK_INT(f->n_clips, f->n_solved + n_mirrored);
  diag_clear(&d);
  arena_free(arena);
}

/* A candidate whose end does not lie on the clip cannot be, and the reason is said. */
static void test_bad_find(const struct stage *g, const struct scene *s, const struct solved_candidate *turn)
{
  struct arena *arena = arena_new();
  struct solved_candidate f = *turn, *only = &f;
  struct clip clip = *f.clips[0].clip;
  struct diag d;
  diag_init(&d);
  clip.to.frame = (clip.to.frame + 3) % g->clips[0].clip->n_frames;
  f.clips[0].clip = &clip;
  f.n_clips = f.n_solved;
  CHECK(isinf(solved_cost(arena, s, &only, 1, &d)) && d.n_errors > 0);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- mirrors of cycles ---- */

/* Two clips of a gallop that leads with the left, and both mirror images, may all have the same names and numbers: the
 * mirror image of one is a clip that looks like it in the mirror, not one that looks like it. */
static void test_leads(const struct stage *g, const char *task)
{
  struct stage four = *g;
  four.n_clips = 1;
  for (int i = 0; i < 4; i++) { /* the cycle of clip 2, its mirror image, and both again */
    struct clip *clip = ARENA_NEW(g->arena, 1, struct clip);
    *clip = *g->clips[i % 2 ? 4 : 1].clip;
    clip->strafe = 0;
    four.clips[four.n_clips++] = (struct graph_clip){10 + i, clip, NULL};
  }
  const struct scene *s = stage_scene_of(&four, 5, task);
  for (int i = 1; i <= 4; i++)
    CHECK(s->clips[i].mirror > 0 && (s->clips[i].mirror - i) % 2 != 0);
}

/* From a hop, whose frames are their own mirror images, to one side: in the mirror it leads to the other. */
static void test_to_the_side(const struct scene *s)
{
  struct scene hop = *s;
  struct scene_clip clips[8];
  struct candidate x = {.kind = CANDIDATE_TRANSITION, .from_clip = 1, .to_clip = s->clips[1].id, .frames = 80}, y;
  memcpy(clips, s->clips, (size_t)s->n_clips * sizeof *clips);
  clips[0].shift = 0;
  hop.clips = clips;
  CHECK(scene_mirror(&hop, &x, &y) && y.to_clip == s->clips[s->clips[1].mirror].id && y.from_clip == 1);
}

/* ---- the words ---- */

static const char *name_of(void *user, int id)
{
  (void)user;
  return id == 1 ? "walk" : "?";
}

static void test_words(const struct scene *s)
{
  struct arena *arena = arena_new();
  struct candidate turn = {.kind = CANDIDATE_TRANSITION,
                           .from_clip = 1,
                           .from_frame = 12,
                           .to_clip = 1,
                           .to_frame = 43,
                           .turn = pi / 4,
                           .frames = 33};
  struct candidate side = {.kind = CANDIDATE_CYCLE, .gait = 0, .speed = 0.5, .strafe = pi / 2};
  CHECK_STR(candidate_text(arena, s->c, &turn, name_of, NULL),
            "turn by 45 degrees from walk:12 to walk:43 in 33 frames");
  CHECK_STR(candidate_text(arena, s->c, &side, name_of, NULL), "walk at 0.5 m/s, 90 degrees off the nose");
  arena_free(arena);
}

/* ---- choices ---- */

/* All strategies: as many as were asked for at most, each one new, the same again for the same dice. */
static void test_choices(const struct scene *s)
{
  for (int strategy = 0; choose_names[strategy]; strategy++) {
    struct arena *arena = arena_new();
    struct choice a[4], b[4];
    int looked = 0, again = 0;
    struct choose_input in = {s, (enum choose_strategy)strategy, 12, 4, rng_stream(3, 0), 0, NULL};
    int n = choose_candidates(arena, &in, a, &looked), m = choose_candidates(arena, &in, b, &again);
    CHECK(n > 0 && n <= 4 && n == m && looked == again && looked >= n && looked <= 12);
    for (int i = 0; i < n && i < m; i++) {
      CHECK(same_candidate(&a[i].candidate, &b[i].candidate) && a[i].gain == b[i].gain && a[i].chance == b[i].chance);
      CHECK(a[i].chance > 0 && a[i].chance <= 1);
      CHECK(!a[i].small_step || (strategy == CHOOSE_GUIDED && i < 2));
      if (strategy == CHOOSE_GUIDED && !a[i].small_step)
        CHECK(a[i].gain > 0 && (i == n - 1 || a[i].gain * a[i].chance >= a[i + 1].gain * a[i + 1].chance));
    }
    struct trial tried = {.candidate = a[0].candidate}; /* in vain: not once more */
    in.n_trials = 1;
    in.trials = &tried;
    m = choose_candidates(arena, &in, b, &again);
    for (int i = 0; i < m; i++)
      CHECK(!same_candidate(&b[i].candidate, &tried.candidate));
    arena_free(arena);
  }
}

/* ---- a body that is not its own mirror image ---- */

/* A biped with a weight on its left thigh: nothing comes twice, and turns to both sides are proposed. */
static void test_uneven(void)
{
  struct stage g = {.arena = arena_new(),
                    .more = "limb weight { parent = left_thigh  at = {0, 0, -0.1}  shape = none  mass = 0.3 }\n"};
  int counts[3];
  g.c = stage_creature(&g);
  struct solved_candidate walk = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6});
  stage_give_ids(&g, &walk);
  int n = g.clips[0].clip->n_frames, at = graph_branch_frame(n, STAGE_BRANCHES, 1), left = 0, right = 0;
  const struct scene *s = stage_scene_of(&g, 1, stage_direction);
  CHECK(!s->symmetric_body && !s->symmetric && s->clips[0].mirror < 0);
  test_proposals(s, counts);
  struct rng r = rng_stream(3, 0);
  for (int i = 0; i < 100; i++) {
    struct candidate x, mirrored;
    if (!scene_propose(g.arena, s, &r, &x))
      continue;
    left += x.turn > 0, right += x.turn < 0;
    CHECK(!scene_mirror(s, &x, &mirrored));
  }
  CHECK(left > 20 && right > 20);
  struct solved_candidate turn = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_TRANSITION,
                                                   .from_clip = 1,
                                                   .from_frame = at,
                                                   .to_clip = 1,
                                                   .to_frame = at,
                                                   .turn = pi / 3,
                                                   .frames = n + 2});
  turn.clips[0].id = 2;
  check_find(s, &turn, 0);
  arena_free(g.arena);
}

int main(void)
{
  struct stage g = {.arena = arena_new()};
  int counts[3];
  g.c = zoo_load(g.arena, STAGE_BIPED);
  struct solved_candidate walk = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6});
  stage_give_ids(&g, &walk);
  int n = g.clips[0].clip->n_frames, at = graph_branch_frame(n, STAGE_BRANCHES, 1);
  const struct scene *alone = stage_scene_of(&g, 1, stage_direction), *looking = stage_scene_of(&g, 1, stage_torso);
  CHECK(alone->symmetric && alone->clips[0].mirror == 0 && alone->clips[0].shift == n / 2);
  test_words(alone);
  test_proposals(alone, counts);
  CHECK(counts[0] >= 399 && counts[1] == 0);
  test_proposals(looking, counts);
  CHECK(counts[0] > 0 && counts[1] > 0);
  test_proposals(stage_scene_of(&g, 1, stage_speed), counts);
  CHECK(counts[0] == 0 && counts[1] == 400);
  test_gains(alone, 40);
  test_gains(looking, 40);
  test_small_gain(alone);
  test_dear_turn(alone);
  test_gradients(alone);
  test_choices(alone);

  struct solved_candidate turn = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_TRANSITION,
                                                   .from_clip = 1,
                                                   .from_frame = at,
                                                   .to_clip = 1,
                                                   .to_frame = at,
                                                   .turn = pi / 3,
                                                   .frames = n + 2});
  turn.clips[0].id = 2;
  check_find(alone, &turn, 1);
  test_bad_find(&g, alone, &turn);

  /* one that walks to the left; its mirror image, which walks to the right, comes with ways of its own */
  struct solved_candidate side = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_CYCLE,
                                                   .from_clip = 1,
                                                   .from_frame = at,
                                                   .to_clip = 1,
                                                   .to_frame = at,
                                                   .gait = 0,
                                                   .speed = 0.5,
                                                   .strafe = pi / 6});
  for (int i = 0; i < 3; i++)
    side.clips[i].id = 0;
  stage_give_ids(&g, &side); /* 2, 3, 4 */
  check_find(looking, &side, 3);
  solved_mirror(g.arena, looking, &side, STAND_IN);
  for (int i = 0; i < 3; i++)
    g.n_clips--;
  stage_give_ids(&g, &side); /* 2 .. 7 */
  const struct scene *both = stage_scene_of(&g, 7, stage_torso);
  CHECK(both->symmetric && both->clips[1].mirror == 4 && both->clips[4].mirror == 1 && both->clips[1].shift == 0);
  CHECK(scene_find(both, 5) == 4 && scene_find(both, 99) < 0 && scene_node(both, 0, at) >= 0 &&
        scene_node(both, 0, at + 1) < 0);
  test_proposals(both, counts);
  CHECK(counts[2] > 0);
  test_gains(both, 10);
  test_leads(&g, stage_torso);
  test_to_the_side(both);
  CHECK(!stage_scene_of(&g, 4, stage_torso)->symmetric); /* without the mirror image of the cycle */
  test_proposals(stage_scene_of(&g, 4, stage_torso), counts);
  arena_free(g.arena);
  test_uneven();
  return test_finish();
}

/* What is proposed for a task that asks a creature to stop: a stand, then turns on the spot, each once, before all
 * else. And what becomes of them: nodes and candidates of a graph with a stand. */
#include <math.h>

#include "base/angle.h"
#include "check.h"
#include "search/job.h"
#include "search/stand.h"
#include "stage.h"
#include "zoo.h"

#define MOST 16

static const char stroll[] = "alpha = 0.1 parameter direction { grid = 36 } "
                             "parameter speed { weight = 4 range = {stop, 0.5} grid = 5 }";
static const char straight_on[] = "parameter speed { range = {stop, 0.5} grid = 5 }";

struct proposals {
  int n, looked;
  struct choice all[MOST];
};

static struct proposals choose(const struct scene *s, int n_trials, const struct trial *trials)
{
  struct arena *scratch = arena_new();
  struct choose_input in = {.s = s, .strategy = CHOOSE_GUIDED, .proposals = 16, .solves = 8, .n_trials = n_trials,
                            .trials = trials, .rng = rng_stream(5, 0)};
  struct proposals p = {0};
  p.n = choose_candidates(scratch, &in, p.all, &p.looked);
  arena_free(scratch);
  return p;
}

static int propose(const struct scene *s)
{
  struct arena *scratch = arena_new();
  struct choose_input in = {.s = s, .solves = 8};
  struct choice out[MOST];
  int n = stand_propose(scratch, &in, out, MOST);
  arena_free(scratch);
  return n;
}

/* The walk alone: first of all a stand, unless it was tried, or nobody asks for it. */
static struct candidate test_first(struct stage *g)
{
  struct scene *s = stage_scene_of(g, 1, stroll);
  struct proposals p = choose(s, 0, NULL);
  CHECK_INT(p.n, 1);
  CHECK_INT(p.all[0].candidate.kind, CANDIDATE_CYCLE);
  CHECK_STR(g->c->gaits[p.all[0].candidate.gait].name, CREATURE_STAND);
  CHECK_NEAR(p.all[0].candidate.speed, 0, 0);
  struct trial failed = {.candidate = p.all[0].candidate, .solved = 0};
  struct proposals after = choose(s, 1, &failed);
  for (int i = 0; i < after.n; i++)
    CHECK(after.all[i].candidate.gait != p.all[0].candidate.gait ||
          after.all[i].candidate.kind != CANDIDATE_CYCLE);
  CHECK_INT(propose(stage_scene_of(g, 1, stage_direction)), 0);
  CHECK_INT(propose(stage_scene_of(g, 1, stage_speed)), 0);
  return p.all[0].candidate;
}

/* A stand has one branch; the ways into it and out of it fit there. */
static void test_stand(struct stage *g, const struct candidate *x)
{
  struct solved_candidate f = stage_solve(g, x);
  CHECK_INT(f.n_solved, 3);
  CHECK(clip_is_still(f.clips[0].clip));
  CHECK(!f.clips[1].clip->cyclic && f.clips[1].clip->to.frame == 0);
  CHECK(!f.clips[2].clip->cyclic && f.clips[2].clip->from.frame == 0);
  stage_give_ids(g, &f);
  struct scene *s = stage_scene_of(g, g->n_clips, stroll);
  CHECK(scene_node(s, 1, 0) >= 0);
  for (int frame = 1; frame < f.clips[0].clip->n_frames; frame++)
    CHECK_INT(scene_node(s, 1, frame), -1);
  struct arena *scratch = arena_new();
  struct rng r = rng_stream(3, 0);
  for (int i = 0; i < 40; i++) { /* any candidate leaves and enters it there */
    struct candidate c;
    if (!scene_propose(scratch, s, &r, &c))
      continue;
    CHECK(c.from_clip != 2 || c.from_frame == 0);
    CHECK(c.to_clip != 2 || c.to_frame == 0);
  }
  arena_free(scratch);
}

/* Four turns, to the left: the biped is its own mirror image. Once tried they are not proposed again. */
static void test_turns(struct stage *g)
{
  struct scene *s = stage_scene_of(g, g->n_clips, stroll);
  struct proposals p = choose(s, 0, NULL);
  struct trial trials[MOST];
  CHECK_INT(p.n, 4);
  for (int i = 0; i < p.n; i++) {
    const struct candidate *x = &p.all[i].candidate;
    CHECK_INT(x->kind, CANDIDATE_TRANSITION);
    CHECK(x->from_clip == 2 && x->to_clip == 2);
    CHECK_NEAR(x->turn, (i + 1) * 45 * TO_RADIANS, 1e-12);
    CHECK(stand_asked(s, x));
    trials[i] = (struct trial){.candidate = *x};
  }
  struct candidate other = p.all[0].candidate;
  other.turn = 0.5;
  CHECK(!stand_asked(s, &other));
  struct arena *scratch = arena_new();
  struct choose_input in = {.s = s, .solves = 8, .n_trials = 4, .trials = trials};
  struct choice out[MOST];
  CHECK_INT(stand_propose(scratch, &in, out, MOST), 0);
  arena_free(scratch);
  CHECK_INT(propose(stage_scene_of(g, g->n_clips, straight_on)), 0);
}

/* The longest is found in two parts, and its mirror image is the turn to the right. */
static void test_about_face(struct stage *g)
{
  struct scene *s = stage_scene_of(g, g->n_clips, stroll);
  struct proposals p = choose(s, 0, NULL);
  struct solved_candidate f = stage_solve(g, &p.all[3].candidate);
  solved_mirror(g->arena, s, &f, 1000);
  CHECK_INT(f.n_clips, 2);
  CHECK_NEAR(f.clips[0].clip->turn, PI, 1e-12);
  CHECK_NEAR(f.clips[1].clip->turn, -PI, 1e-12);
}

int main(void)
{
  struct stage g = {.arena = arena_new()};
  g.c = stage_creature(&g);
  struct solved_candidate walk = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6});
  stage_give_ids(&g, &walk);
  struct candidate stand = test_first(&g);
  test_stand(&g, &stand);
  test_turns(&g);
  test_about_face(&g);
  arena_free(g.arena);
  return test_finish();
}

/* The net: which small steps are missing, and that they are proposed until something answers them or they have failed
 * often enough. */
#include <math.h>

#include "check.h"
#include "motion/ground.h"
#include "search/coverage.h"
#include "stage.h"
#include "zoo.h"

static const double small = 3.14159265358979323846 / 6;

#define MOST 16
#define TRIES 3 /* coverage_tries, by default */

struct proposals {
  int n;
  struct candidate all[MOST];
};

static struct proposals propose(const struct scene *s, int n_trials, const struct trial *trials, int most)
{
  struct arena *scratch = arena_new();
  struct choose_input in = {.s = s, .solves = 8, .n_trials = n_trials, .trials = trials};
  struct rng r = rng_stream(5, 0);
  struct proposals p = {0};
  p.n = coverage_propose(scratch, &in, &r, p.all, most);
  arena_free(scratch);
  return p;
}

static int is_angle(double a, double b)
{
  return fabs(ground_wrap(a - b)) < 1e-9;
}

/* How many of them are of a kind, between these clips, with this turn (its sign is free where mirrors are). */
static int count(const struct proposals *p, enum candidate_kind kind, int from, int to, double turn)
{
  int n = 0;
  for (int i = 0; i < p->n; i++)
    n += p->all[i].kind == kind && p->all[i].from_clip == from && p->all[i].to_clip == to &&
         is_angle(fabs(p->all[i].turn), turn);
  return n;
}

static int lacks(const struct scene *s, const struct candidate *x)
{
  struct arena *scratch = arena_new();
  int answer = coverage_lacks(scratch, s, x);
  arena_free(scratch);
  return answer;
}

/* Walks straight on; asked for is the direction. A turn to one side is all: the other is its mirror image. */
static void test_turns(const struct scene *s)
{
  struct proposals p = propose(s, 0, NULL, MOST);
  CHECK_INT(p.n, 1);
  CHECK_INT(count(&p, CANDIDATE_TRANSITION, 1, 1, small), 1);
  CHECK(p.all[0].frames > s->clips[0].clip->n_frames && lacks(s, &p.all[0]));
  struct candidate other = p.all[0];
  other.turn *= 2;
  CHECK(!lacks(s, &other));
  CHECK_INT(propose(s, 0, NULL, 0).n, 0);
}

/* What was tried is tried from another branch, and then no more. */
static void test_tries(const struct scene *s)
{
  struct trial tried[TRIES];
  for (int n = 0; n < TRIES; n++) {
    struct proposals p = propose(s, n, tried, MOST);
    CHECK_INT(p.n, 1);
    for (int i = 0; i < n; i++)
      CHECK(p.all[0].from_frame != tried[i].candidate.from_frame);
    tried[n] = (struct trial){.candidate = p.all[0]};
  }
  CHECK_INT(propose(s, TRIES, tried, MOST).n, 0);
}

/* Asked for are direction and torso, and nothing walks 30 degrees off its nose yet. */
static void test_cycles(const struct scene *s)
{
  struct proposals p = propose(s, 0, NULL, MOST);
  CHECK_INT(p.n, 1);
  CHECK(p.all[0].kind == CANDIDATE_CYCLE && is_angle(fabs(p.all[0].strafe), small) && !lacks(s, &p.all[0]));
}

/* Clips 2 and 5 walk to the left and to the right, with ways to clip 1 and back that do not turn: 3 and 4, 6 and 7.
 * What is missing: ways that turn, one way and the other, and the next cycles. */
static void test_neighbours(const struct scene *s)
{
  struct proposals p = propose(s, 0, NULL, MOST);
  struct candidate straight = {.kind = CANDIDATE_TRANSITION, .from_clip = 1, .to_clip = 2}, turning = straight;
  turning.turn = -s->clips[1].clip->strafe;
  CHECK(!lacks(s, &straight) && lacks(s, &turning));
  CHECK_INT(count(&p, CANDIDATE_TRANSITION, 1, 2, small) + count(&p, CANDIDATE_TRANSITION, 1, 5, small), 1);
  CHECK_INT(count(&p, CANDIDATE_TRANSITION, 2, 1, small) + count(&p, CANDIDATE_TRANSITION, 5, 1, small), 1);
  CHECK_INT(p.n, 3);
  for (int i = 0; i < p.n; i++)
    CHECK(p.all[i].kind == CANDIDATE_TRANSITION || is_angle(fabs(p.all[i].strafe), 2 * small));
}

/* Asked for are speed and gait. The walk in the middle of its range wants one at either end, and the other gaits. */
static void test_speeds(const struct scene *s)
{
  struct proposals p = propose(s, 0, NULL, MOST);
  struct task_speeds walks = scene_speeds(s, 0, 0);
  int slow = 0, fast = 0, others = 0;
  for (int i = 0; i < p.n; i++) {
    CHECK_INT(p.all[i].kind, CANDIDATE_CYCLE);
    others += p.all[i].gait != 0;
    slow += p.all[i].gait == 0 && fabs(p.all[i].speed - walks.least) < 1e-9;
    fast += p.all[i].gait == 0 && fabs(p.all[i].speed - walks.most) < 1e-9;
  }
  CHECK(walks.least < 0.6 && walks.most > 0.6);
  CHECK_INT(slow, 1);
  CHECK_INT(fast, 1);
  CHECK_INT(others, s->c->n_gaits - 1);
  struct trial tried[2 * TRIES] = {
      {{0}, 0, 0}}; /* one end that cannot be found does not keep the other from being looked for */
  for (int i = 0; i < 2 * TRIES; i++)
    tried[i].candidate =
        (struct candidate){.kind = CANDIDATE_CYCLE, .from_clip = 1, .to_clip = 1, .speed = walks.most};
  CHECK_INT(propose(s, 2 * TRIES, tried, MOST).n, p.n - 1);
}

/* What moves so fast that the ground allows no turn by 30 degrees in a second turns by 15. */
static void test_fast(struct stage g)
{
  struct clip fast = *g.clips[0].clip;
  fast.advance.x *= 15;
  fast.speed *= 15;
  g.clips[0] = (struct graph_clip){1, &fast, NULL};
  struct proposals p = propose(stage_scene_of(&g, 1, stage_direction), 0, NULL, MOST);
  CHECK_INT(count(&p, CANDIDATE_TRANSITION, 1, 1, small / 2), p.n);
}

int main(void)
{
  struct stage g = {.arena = arena_new()};
  g.c = zoo_load(g.arena, STAGE_BIPED);
  struct solved_candidate walk = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6});
  stage_give_ids(&g, &walk);
  const struct scene *looking = stage_scene_of(&g, 1, stage_torso);
  test_turns(stage_scene_of(&g, 1, stage_direction));
  test_tries(stage_scene_of(&g, 1, stage_direction));
  test_cycles(looking);
  test_speeds(stage_scene_of(&g, 1, stage_speed));
  test_fast(g);
  int at = graph_branch_frame(g.clips[0].clip->n_frames, STAGE_BRANCHES, 1);
  struct solved_candidate side = stage_solve(&g, &(struct candidate){.kind = CANDIDATE_CYCLE,
                                                                     .from_clip = 1,
                                                                     .from_frame = at,
                                                                     .to_clip = 1,
                                                                     .to_frame = at,
                                                                     .speed = 0.5,
                                                                     .strafe = small});
  solved_mirror(g.arena, looking, &side, 1900000000);
  stage_give_ids(&g, &side);
  test_neighbours(stage_scene_of(&g, 7, stage_torso));
  arena_free(g.arena);
  return test_finish();
}

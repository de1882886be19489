/* The verifier where clips meet: a transition that leaves a cycle and comes back to it, moved over the ground, fits;
 * whatever is moved beside that is measured. */
#include <math.h>

#include "base/rng.h"
#include "check.h"
#include "motion/verify.h"
#include "motion/stand.h"

enum { JOINED = 7, CYCLE = 9 };

/* A transition that leaves a cycle at `frame` and comes back to it there, moved differently at either end. */
static struct clip *join(struct arena *arena, const struct creature *c, const struct clip *cycle, int frame)
{
  struct clip *t = clip_new(arena, c, JOINED, cycle->dt);
  const struct clip_advance by[2] = {{3, -1, 2.5}, {-0.5, 4, -0.8}};
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 2; k++) {
      double *q = t->q + (end * (JOINED - 2) + k) * c->n_dofs;
      clip_frame(cycle, frame + k, q);
      clip_move_pose(by[end], q);
    }
  return t;
}

static void check_corrupted(const struct creature *c, struct clip *t, const struct clip *cycle, int frame)
{
  const double amount[] = {0.01, 0.01, -0.01, 0.001, 0.002, 0.003, -0.004};
  for (int i = 0; i < 7; i++)
    for (int k = 0; k < 2; k++) {
      double *q = t->q + (JOINED - 2 + k) * c->n_dofs + i, before = *q, unit = i < 3 ? c->height : 1;
      *q += amount[i];
      double found = verify_junction(c, t, 1, cycle, frame);
      if (!(i == 3 && k == 0)) /* the first frame's yaw also swings the second about it */
        CHECK_NEAR(found, fabs(amount[i]) / unit, 1e-13);
      CHECK(found >= (1 - 1e-9) * fabs(amount[i]) / unit);
      CHECK_NEAR(verify_junction(c, t, 0, cycle, frame), 0, 1e-13);
      *q = NAN;
      CHECK(isnan(verify_junction(c, t, 1, cycle, frame)));
      *q = before;
    }
}

static void test_junctions(void)
{
  struct stand s = stand_new(0);
  const struct creature *c = s.c;
  struct rng r = rng_stream(2, 2);
  struct clip *cycle = clip_new(s.arena, c, CYCLE, 0.02);
  cycle->cyclic = 1;
  cycle->advance = (struct clip_advance){0.6, 0.1, 0.3};
  for (int i = 0; i < CYCLE * c->n_dofs; i++)
    cycle->q[i] = rng_uniform(&r, -1, 1);
  for (int frame = -CYCLE - 1; frame < 2 * CYCLE; frame++) {
    struct clip *t = join(s.arena, c, cycle, frame);
    CHECK_NEAR(verify_junction(c, t, 0, cycle, frame), 0, 1e-13);
    CHECK_NEAR(verify_junction(c, t, 1, cycle, frame + CYCLE), 0, 1e-13);
    CHECK(verify_junction(c, t, 0, cycle, frame + 1) > 0.01);
    check_corrupted(c, t, cycle, frame);
  }
  struct clip *t = join(s.arena, c, cycle, 0);
  cycle->cyclic = 0;
  CHECK_NEAR(verify_junction(c, t, 1, cycle, 0), 0, 1e-13);
  CHECK(isinf(verify_junction(c, t, 1, cycle, CYCLE - 1)));
  CHECK(isinf(verify_junction(c, t, 1, cycle, -1)));
  cycle->n_dofs--;
  CHECK(isinf(verify_junction(c, t, 1, cycle, 0)));
  arena_free(s.arena);
}

int main(void)
{
  test_junctions();
  return test_finish();
}

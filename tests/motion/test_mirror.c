/* Mirror images of clips: of a turn, a turn to the other side; of a walk, the walk itself half a cycle later, unless
 * one side differs from the other by anything at all. */
#include <string.h>

#include "check.h"
#include "motion/biped_clips.h"
#include "motion/mirror.h"
#include "motion/verify.h"

static void check_same_clip(const struct clip *a, const struct clip *b)
{
  size_t frames = (size_t)a->n_frames, points = frames * (size_t)a->n_points;
  CHECK(memcmp(a->contact, b->contact, points) == 0);
  for (size_t i = 0; i < frames * (size_t)a->n_dofs; i++)
    CHECK_NEAR(a->q[i], b->q[i], 0);
  for (size_t i = 0; i < 3 * points; i++)
    CHECK_NEAR(a->force[i], b->force[i], 0);
  CHECK_NEAR(a->advance.x, b->advance.x, 0);
  CHECK_NEAR(a->advance.y, b->advance.y, 0);
  CHECK_NEAR(a->advance.yaw, b->advance.yaw, 0);
  CHECK_NEAR(a->turn, b->turn, 0);
  CHECK_NEAR(a->strafe, b->strafe, 0);
}

/* The mirror of a turn is a valid clip that turns to the other side; mirrored again it is itself. */
static void test_mirror(const struct biped_clips *w)
{
  struct verify_report r;
  const struct clip *right = w->made[RIGHT], *left = w->made[LEFT];
  verify_clip(w->arena, w->c, right, &r);
  CHECK(r.passed);
  CHECK_NEAR(right->turn, -0.8, 0);
  CHECK_NEAR(right->advance.yaw, -left->advance.yaw, 0);
  CHECK_NEAR(right->advance.y, -left->advance.y, 0);
  CHECK(verify_junction(w->c, right, 0, w->made[WALK], 3) > 1e-3);
  struct clip *strafing = clip_mirror(w->arena, w->c, left);
  strafing->strafe = 0.3;
  CHECK_NEAR(clip_mirror(w->arena, w->c, strafing)->strafe, -0.3, 0);
  check_same_clip(clip_mirror(w->arena, w->c, clip_mirror(w->arena, w->c, left)), left);
}

/* Whatever differs from one side to the other: no longer its own mirror image. */
static void test_mirror_shift(const struct biped_clips *w)
{
  struct clip walk = *w->made[WALK];
  int shift = -1, n = walk.n_frames, row = 9 * w->c->n_dofs;
  CHECK(clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  CHECK_INT(shift, n / 2);
  CHECK_INT(w->shift, n / 2);
  for (int i = 0; i < w->c->n_dofs; i++) {
    double before = walk.q[row + i];
    walk.q[row + i] += 1e-4;
    CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
    CHECK(clip_mirror_shift(w->c, &walk, 1e-3, &shift));
    walk.q[row + i] = before;
  }
  walk.contact[2 * w->c->n_points] ^= 1;
  CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  walk.contact[2 * w->c->n_points] ^= 1;
  for (int i = 0; i < 3 * n * w->c->n_points; i += 5) {
    walk.force[i] += 0.01;
    CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
    walk.force[i] -= 0.01;
  }
  walk.advance.y = 0.01;
  CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  CHECK(!clip_mirror_shift(w->c, w->made[LEFT], 1e-7, &shift));
  struct clip *still = clip_new(w->arena, w->c, 6, 0.01); /* stands: as a hop, the same on both sides all the time */
  still->cyclic = 1;
  for (int k = 0; k < 6; k++)
    creature_rest_pose(w->c, still->q + k * w->c->n_dofs);
  CHECK(clip_mirror_shift(w->c, still, 1e-9, &shift));
  CHECK_INT(shift, 0);
}

int main(void)
{
  struct biped_clips w = biped_clips_new(RIGHT + 1);
  test_mirror(&w);
  test_mirror_shift(&w);
  arena_free(w.arena);
  return test_finish();
}

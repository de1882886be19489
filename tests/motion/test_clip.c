/* Frames of clips: a cycle goes on over the ground for ever, and differences of a quadratic motion are exact. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "motion/clip.h"

#define DOFS 9
#define FRAMES 7

/* A creature that is only a number of dofs and points: frames need no more. */
static const struct creature bare = {.name = "bare", .n_dofs = DOFS, .n_points = 2};

/* A cycle whose frames are random: any numbers must come back moved, and only moved. */
static struct clip *random_cycle(struct arena *arena, struct clip_advance advance)
{
  struct clip *clip = clip_new(arena, &bare, FRAMES, 0.02);
  struct rng r = rng_stream(5, 1);
  clip->cyclic = 1;
  clip->advance = advance;
  for (int i = 0; i < FRAMES * DOFS; i++)
    clip->q[i] = rng_uniform(&r, -2, 2);
  return clip;
}

static void test_new(void)
{
  struct arena *arena = arena_new();
  const struct clip *clip = clip_new(arena, &bare, FRAMES, 0.02);
  CHECK_INT(clip->n_frames, FRAMES);
  CHECK_INT(clip->n_dofs, DOFS);
  CHECK_INT(clip->n_points, 2);
  CHECK_NEAR(clip->dt, 0.02, 0);
  CHECK_STR(clip->name, "");
  CHECK_STR(clip->gait_after, "");
  CHECK(!clip->cyclic);
  for (int i = 0; i < FRAMES * DOFS; i++)
    CHECK(clip->q[i] == 0);
  for (int i = 0; i < FRAMES * 2; i++)
    CHECK(clip->contact[i] == 0 && clip->force[3 * i + 2] == 0);
  arena_free(arena);
}

/* Turn about the origin first, then move: (1, 0) by a quarter and (3, 5) goes to (3, 6). */
static void test_move(void)
{
  double q[DOFS] = {1, 0, 0.7, 0.25, 0.1, 0.2, 0.3};
  clip_move_pose((struct clip_advance){3, 5, acos(-1) / 2}, q);
  const double expected[DOFS] = {3, 6, 0.7, 0.25 + acos(-1) / 2, 0.1, 0.2, 0.3};
  for (int i = 0; i < DOFS; i++)
    CHECK_NEAR(q[i], expected[i], 1e-15);
}

/* Frame k + n is frame k moved once, frame k + 3 n thrice; moving frame k - 2 n twice gives frame k. */
static void check_wrap(struct clip_advance advance)
{
  struct arena *arena = arena_new();
  const struct clip *clip = random_cycle(arena, advance);
  for (int k = -2 * FRAMES; k < 2 * FRAMES; k++)
    for (int cycles = 0; cycles < 4; cycles++) {
      double here[DOFS], there[DOFS];
      clip_frame(clip, k, here);
      clip_frame(clip, k + cycles * FRAMES, there);
      for (int i = 0; i < cycles; i++)
        clip_move_pose(advance, here);
      for (int i = 0; i < DOFS; i++)
        CHECK_NEAR(here[i], there[i], 1e-13);
    }
  for (int k = 0; k < FRAMES; k++) { /* within the cycle: the very numbers */
    double here[DOFS];
    clip_frame(clip, k, here);
    CHECK(memcmp(here, clip->q + k * DOFS, sizeof here) == 0);
  }
  arena_free(arena);
}

/* Four quarter turns with steps of one along the nose close a square: the motion returns, a whole turn later. */
static void test_square(void)
{
  struct arena *arena = arena_new();
  struct clip *clip = random_cycle(arena, (struct clip_advance){1, 0, acos(-1) / 2});
  for (int k = -FRAMES; k < FRAMES; k++)
    for (int turn = -4; turn <= 4; turn += 8) {
      double here[DOFS], there[DOFS];
      clip_frame(clip, k, here);
      clip_frame(clip, k + turn * FRAMES, there);
      CHECK_NEAR(there[0], here[0], 1e-13);
      CHECK_NEAR(there[1], here[1], 1e-13);
      CHECK_NEAR(there[3], here[3] + turn * acos(-1) / 2, 1e-13);
      CHECK_NEAR(there[8], here[8], 0);
    }
  arena_free(arena);
}

/* q = p + r t + s t^2 / 2: velocity r + s t and acceleration s, at every frame that has neighbours. */
static void test_quadratic(void)
{
  struct arena *arena = arena_new();
  struct clip *clip = clip_new(arena, &bare, FRAMES, 0.02);
  struct rng r = rng_stream(6, 1);
  double rate[DOFS], bend[DOFS], q[DOFS], v[DOFS], a[DOFS];
  for (int i = 0; i < DOFS; i++) {
    double start = rng_uniform(&r, -1, 1);
    rate[i] = rng_uniform(&r, -3, 3), bend[i] = rng_uniform(&r, -9, 9);
    for (int k = 0; k < FRAMES; k++)
      clip->q[k * DOFS + i] = start + rate[i] * k * 0.02 + bend[i] * k * k * 0.0002;
  }
  for (int k = 0; k < FRAMES; k++) {
    int inside = k > 0 && k + 1 < FRAMES;
    CHECK_INT(clip_state(clip, k, q, v, a), inside);
    for (int i = 0; i < DOFS; i++) {
      CHECK_NEAR(q[i], clip->q[k * DOFS + i], 0);
      CHECK_NEAR(v[i], inside ? rate[i] + bend[i] * k * 0.02 : 0, 1e-13);
      CHECK_NEAR(a[i], inside ? bend[i] : 0, 1e-11);
    }
  }
  arena_free(arena);
}

/* On a circle the discrete velocity is the tangent times sin(w h) / (w h), whichever cycle the frame is in. */
static void test_circle(void)
{
  struct arena *arena = arena_new();
  struct clip *clip = clip_new(arena, &bare, FRAMES, 0.02);
  double turn = 0.15, w = turn / clip->dt, q[DOFS], v[DOFS], a[DOFS]; /* turn: per frame */
  clip->cyclic = 1;
  clip->advance = (struct clip_advance){.yaw = turn * FRAMES};
  for (int k = 0; k < FRAMES; k++) {
    clip->q[k * DOFS] = 2 * cos(turn * k), clip->q[k * DOFS + 1] = 2 * sin(turn * k);
    clip->q[k * DOFS + 3] = turn * k;
  }
  for (int k = -3 * FRAMES; k < 3 * FRAMES; k++) {
    CHECK(clip_state(clip, k, q, v, a));
    CHECK_NEAR(q[0], 2 * cos(turn * k), 1e-13);
    CHECK_NEAR(v[0], -2 * w * sin(turn * k) * sin(turn) / turn, 1e-11);
    CHECK_NEAR(v[1], 2 * w * cos(turn * k) * sin(turn) / turn, 1e-11);
    CHECK_NEAR(v[3], w, 1e-11);
    CHECK_NEAR(a[1], -2 * sin(turn * k) * (2 - 2 * cos(turn)) / (0.02 * 0.02), 1e-9);
    CHECK_NEAR(a[3], 0, 1e-9);
  }
  arena_free(arena);
}

int main(void)
{
  test_new();
  test_move();
  check_wrap((struct clip_advance){0.8, 0, 0});
  check_wrap((struct clip_advance){0.8, -0.3, 0.9});
  check_wrap((struct clip_advance){-0.1, 0.2, -2.5});
  test_square();
  test_quadratic();
  test_circle();
  return test_finish();
}

/* See smooth_clip.h. */
#include "exchange/smooth_clip.h"

#include <math.h>

#include "base/rng.h"

#define FRAMES 40
#define TURN   0.15707963267948966 /* of a frame, so that 40 make a cycle */

struct clip *smooth_clip(struct arena *arena, const struct creature *c, uint64_t seed, int cyclic, double swing)
{
  struct rng r = rng_stream(seed, (uint64_t)cyclic);
  struct clip *k = clip_new(arena, c, FRAMES, 1 / c->frame_rate);
  k->name = cyclic ? "walk" : "walk-trot";
  k->gait = "walk";
  k->gait_after = cyclic ? "walk" : "trot";
  k->cyclic = cyclic;
  k->advance = (struct clip_advance){cyclic ? 0.1 * FRAMES : 0, 0, 0};
  for (int i = 0; i < c->n_dofs; i++) {
    double most = i < 3 ? 0.3 : swing, size = rng_uniform(&r, 0.2, 1) * most, phase = rng_uniform(&r, 0, 6);
    for (int f = 0; f < FRAMES; f++)
      k->q[f * c->n_dofs + i] = size * sin(TURN * f + phase) + (i == 0 ? 0.1 * f : i == 2 ? c->height : 0);
  }
  for (int i = 0; i < FRAMES * c->n_points; i++) {
    k->contact[i] = (unsigned char)(i / c->n_points % 20 < 10);
    for (int x = 0; x < 3 && k->contact[i]; x++)
      k->force[3 * i + x] = rng_normal(&r) * c->mass;
  }
  return k;
}

/* Which parts of a captured body come to the floor beside its feet: contact points for rolls, falls and crawls.
 *
 * A handful of places on the outside of limbs is watched: back, sides and front of the trunk, head, shoulders, elbows,
 * knees. A limb with a place that is on the floor for a while gets those of its places that are as contact points, as
 * the text of a foot of a creature file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "capture/capture.h"
#include "capture/floor.h"

/* Along x, y, z from the middle of the limb's solid, in half sizes of it upright; y of a mirrored limb is outwards. */
static const struct place {
  const char *limb, *foot, *point;
  int mirrored;                 /* limb is one of two: written without its side */
  double at[3];
  int from_origin;              /* from the limb's joint instead, half sizes across */
} places[] = {
  {"pelvis", "seat", "back", 0, {-1, 0, 0}, 0},      {"pelvis", "seat", "front", 0, {1, 0, 0}, 0},
  {"pelvis", "seat", "left", 0, {0, 1, 0}, 0},       {"pelvis", "seat", "right", 0, {0, -1, 0}, 0},
  {"chest", "trunk", "back", 0, {-1, 0, 0}, 0},      {"chest", "trunk", "front", 0, {1, 0, 0}, 0},
  {"chest", "trunk", "left", 0, {0, 1, 0}, 0},       {"chest", "trunk", "right", 0, {0, -1, 0}, 0},
  {"head", "skull", "back", 0, {-1, 0, 0.3}, 0},     {"head", "skull", "front", 0, {1, 0, 0.3}, 0},
  {"head", "skull", "left", 0, {0, 1, 0.3}, 0},      {"head", "skull", "right", 0, {0, -1, 0.3}, 0},
  {"head", "skull", "top", 0, {0, 0, 1}, 0},         {"upper_arm", "shoulder", "outer", 1, {0, 1, 0}, 1},
  {"upper_arm", "shoulder", "back", 1, {-1, 0, 0}, 1}, {"forearm", "elbow", "back", 1, {-1, 0, 0}, 1},
  {"forearm", "elbow", "outer", 1, {0, 1, 0}, 1},    {"shank", "knee", "front", 1, {1, 0, 0}, 1}};
#define N_PLACES ((int)(sizeof places / sizeof *places))

/* Half of what a solid measures along x, y, z; for one along a coordinate axis, as those of people are about. */
static void half_sizes(const struct shape *s, double half[3])
{
  for (int a = 0; a < 3; a++) {
    half[a] = 0;
    for (int k = 0; k < 3; k++)
      half[a] = fmax(half[a], 0.5 * s->size[k] * fabs(s->frame[3 * a + k]));
  }
}

static int limb_of(const struct creature *c, const struct place *p, const char *side)
{
  char name[64];
  snprintf(name, sizeof name, "%s%s", p->mirrored ? side : "", p->limb);
  return creature_find_limb(c, name);
}

/* In the frame of the left limb. */
static void touch_locate(const struct creature *c, const struct place *p, double *at)
{
  const struct shape *s = &c->limbs[limb_of(c, p, "left_")].shape;
  double half[3];
  half_sizes(s, half);
  for (int a = 0; a < 3; a++)
    at[a] = (p->from_origin ? 0 : s->centre[a]) + p->at[a] * half[a];
}

/* How long the place, or its mirror image, is nearer to the floor than `near` [s]. */
static double time_down(const struct creature *c, struct dynamics *d, const struct clip *clip, const struct place *p,
                        double near)
{
  double left[3], right[3], at[3];
  int frames = 0;
  touch_locate(c, p, left);
  memcpy(right, left, sizeof right);
  right[1] = -right[1];
  for (int k = 0; k < clip->n_frames; k++) {
    dynamics_kinematics(d, clip->q + (size_t)k * (size_t)c->n_dofs);
    dynamics_point(d, c->limbs[limb_of(c, p, "left_")].body, left, at);
    int down = at[2] < near;
    dynamics_point(d, c->limbs[limb_of(c, p, "right_")].body, right, at);
    down |= at[2] < near;
    frames += down;
  }
  return frames * clip->dt;
}

const char *capture_touching(struct arena *arena, const struct creature *c, const double *q, int n_frames, double dt,
                             const struct capture_guesses *guesses)
{
  struct arena *scratch = arena_new();
  struct clip *clip = clip_new(scratch, c, n_frames, dt);
  struct dynamics *d = dynamics_new(scratch, c);
  struct capture_floor_options o;
  const char *text = "", *open = NULL;
  memcpy(clip->q, q, (size_t)n_frames * (size_t)c->n_dofs * sizeof *q);
  capture_floor_defaults(c, &o);
  o.with_slope = 1;
  struct capture_floor floor = capture_fit_floor(scratch, c, clip, &o);
  capture_apply_floor(c, &floor, clip);
  double near = guesses->touch_height * c->height / CAPTURE_PERSON_HEIGHT;
  for (int i = 0; i < N_PLACES; i++) {
    double at[3];
    if (time_down(c, d, clip, &places[i], near) < guesses->touch_time)
      continue;
    touch_locate(c, &places[i], at);
    if (!open || strcmp(open, places[i].foot) != 0)
      text = arena_printf(arena, "%s%sfoot %s { limb = %s", text, open ? " }\n" : "", places[i].foot, places[i].limb);
    open = places[i].foot;
    text = arena_printf(arena, "%s\n  point %s { at = {%.4f, %.4f, %.4f} }", text, places[i].point, at[0], at[1],
                        at[2]);
  }
  arena_free(scratch);
  return open ? arena_printf(arena, "%s }\n", text) : "";
}

/* The creature as the optimizer sees it: ends of limbs that must stay out of the ground. */
#include "spacetime/body.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"

/* Where the limb ends, in the frame of its body. */
static void body_end_of_limb(const struct limb *l, double *at)
{
  for (int k = 0; k < 3; k++)
    at[k] = l->origin[k] + l->shape.to[k];
}

static int body_carries_a_limb(const struct creature *c, int limb)
{
  for (int i = limb + 1; i < c->n_limbs; i++)
    if (c->limbs[i].parent == limb && !c->limbs[i].is_load)
      return 1;
  return 0;
}

static int body_is_contact_point(const struct creature *c, const struct limb *l, const double *at)
{
  for (int i = 0; i < c->n_points; i++) {
    const double *p = c->points[i].at;
    if (c->points[i].body == l->body && hypot(hypot(p[0] - at[0], p[1] - at[1]), p[2] - at[2]) < 0.02 * c->height)
      return 1;
  }
  return 0;
}

/* An end that lies on the ground at rest, such as a dragging tail, is left alone. */
static int body_hangs_free(const struct dynamics *d, const struct limb *l, const double *at)
{
  double x[3];
  dynamics_point(d, l->body, at, x);
  return x[2] > 0;
}

const struct creature *body_of(struct arena *arena, const struct creature *c)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  struct creature *body = memcpy(ARENA_NEW(arena, 1, struct creature), c, sizeof *c);
  struct contact_point *points = ARENA_NEW(arena, (size_t)(c->n_points + c->n_limbs), struct contact_point);
  int *end_of = ARENA_NEW(arena, (size_t)c->n_limbs, int);
  if (c->n_points)
    memcpy(points, c->points, (size_t)c->n_points * sizeof *points);
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    double at[3];
    body_end_of_limb(l, at);
    end_of[i] = -1;
    if (l->parent < 0 || l->is_load || body_carries_a_limb(c, i) || body_is_contact_point(c, l, at) ||
        !body_hangs_free(d, l, at))
      continue;
    end_of[i] = body->n_points;
    points[body->n_points] = (struct contact_point){.name = l->name, .foot = -1, .limb = i, .body = l->body};
    memcpy(points[body->n_points++].at, at, sizeof at);
  }
  for (int i = c->n_points; i < body->n_points; i++) {
    int twin = end_of[c->limbs[points[i].limb].mirror];
    points[i].mirror = twin < 0 ? i : twin;
  }
  body->points = points;
  return body;
}

/* A shape for each limb, for the picture and for what must not meet: a creature's limb has one. A limb that reaches to
 * the next joint or to a foot is a capsule from joint to joint, as thick as the thinnest way through its largest solid;
 * a flat foot is a sole, any other limb its largest solid. Where there is no solid a capsule has 1000 kg/m3, and what
 * is none is the box that the limb's mass is like. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "robots/limbs.h"

#define PI 3.14159265358979323846
#define DENSITY 1000.0          /* [kg/m3] */

/* The largest of those that collide; of those that are seen, if none does. */
static const struct robot_solid *largest_of(const struct limbs *k, int limb)
{
  const struct robot_solid *found = NULL;
  for (int touches = 1; touches >= 0 && !found; touches--)
    for (int i = 0; i < k->n_solids; i++) {
      const struct robot_solid *s = &k->solids[i];
      if (s->body == limb && s->touches == touches && (!found || robot_solid_volume(s) > robot_solid_volume(found)))
        found = s;
    }
  return found;
}

static double thickness(const struct robot_solid *s)
{
  const double *a = s->size;
  switch (s->kind) {
  case ROBOT_SPHERE: return a[0];
  case ROBOT_CAPSULE:
  case ROBOT_CYLINDER: return fmin(a[0], a[1]);
  default: return fmin(a[0], fmin(a[1], a[2]));
  }
}

/* Where the limb goes to: the joint of its only child, the middle of its feet, the farthest of what is part of it. */
static int limb_end(const struct limbs *k, int i, double end[3])
{
  const struct limb *l = &k->limb[i];
  memset(end, 0, 3 * sizeof *end);
  if (l->n_children == 1)
    for (int c = i + 1; c < k->n; c++)
      if (k->limb[c].parent == i)
        memcpy(end, k->limb[c].at, 3 * sizeof *end);
  if (l->is_foot && !l->is_flat)
    memcpy(end, l->points[0].at, 3 * sizeof *end);
  return l->n_children == 1 || (l->is_foot && !l->is_flat);
}

/* The solid itself, as far as a creature file has it: boxes and ellipsoids along the axes of the limb. */
static void shape_of_solid(struct limb *l, const struct robot_solid *s)
{
  double R[9];
  quat_to_matrix(s->quat, R);
  memcpy(l->from, s->pos, sizeof l->from);
  memcpy(l->to, s->pos, sizeof l->to);
  if (s->kind == ROBOT_CAPSULE || s->kind == ROBOT_CYLINDER) {
    double half = s->kind == ROBOT_CAPSULE ? s->size[1] : fmax(0, s->size[1] - 0.5 * s->size[0]);
    for (int i = 0; i < 3; i++) {
      l->from[i] -= half * R[3 * i + 2];
      l->to[i] += half * R[3 * i + 2];
    }
    l->shape = LIMB_CAPSULE;
    l->radius = s->size[0];
    return;
  }
  l->shape = s->kind == ROBOT_BOX ? LIMB_BOX : LIMB_ELLIPSOID;
  for (int i = 0; i < 3; i++) { /* of one that is turned, as wide along each axis as it is on average */
    double most = 0;
    for (int j = 0; j < 3; j++)
      most += s->size[s->kind == ROBOT_SPHERE ? 0 : j] * R[3 * i + j] * R[3 * i + j];
    l->size[i] = 2 * most;
  }
}

/* A flat foot: a sole over its contact points, as high as what touches the ground. */
static void shape_of_sole(const struct limbs *k, struct limb *l)
{
  static const double up[3] = {0, 0, 1};
  double least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int p = 0; p < l->n_points; p++)
    for (int x = 0; x < 3; x++) {
      least[x] = fmin(least[x], l->points[p].at[x]);
      most[x] = fmax(most[x], l->points[p].at[x]);
    }
  for (int i = 0; i < k->n_solids; i++)
    if (&k->limb[k->solids[i].body] == l && k->solids[i].touches)
      most[2] = fmax(most[2], fmin(robot_solid_reach(&k->solids[i], up), 0));
  l->shape = LIMB_BOX;
  for (int x = 0; x < 3; x++) {
    l->from[x] = l->to[x] = 0.5 * (least[x] + most[x]);
    l->size[x] = fmax(most[x] - least[x], 0.01 * k->size);
  }
  l->from[2] = l->to[2] = least[2] + 0.5 * l->size[2];
}

static void shape_find(struct limbs *k, int i)
{
  struct limb *l = &k->limb[i];
  const struct robot_solid *s = largest_of(k, i);
  double end[3], length;
  int goes = limb_end(k, i, end);
  length = vec3_norm(end);
  double round = s ? thickness(s) : 0, by_mass = length > 0 ? sqrt(l->mass / (DENSITY * PI * length)) : 0;
  if (!(round > 0))
    round = by_mass;
  l->shape = LIMB_NONE;
  if (l->is_foot && l->is_flat) {
    shape_of_sole(k, l);
  } else if (goes && i > 0 && length > 0.06 * k->size && round < 0.5 * length) {
    l->shape = LIMB_CAPSULE;
    memcpy(l->to, end, sizeof l->to);
    l->radius = fmin(round, 0.25 * length);
    if (l->is_foot) /* its cap ends where it touches the ground */
      vec3_add_scaled(l->to, l->down, -l->radius);
  } else if (s && (l->n_children != 1 || i == 0)) {
    shape_of_solid(l, s);
  } else if (i == 0 || l->n_children == 0) {
    const struct robot_solid box = limbs_inertia_box(l);
    shape_of_solid(l, &box);
  }
}

/* On the midline nothing is on one side. */
static void shape_centre(struct limb *l)
{
  if (fabs(l->from[1] + l->to[1]) < 0.5 * fabs(l->from[1] - l->to[1]))
    return; /* it lies across */
  l->from[1] = l->to[1] = 0;
}

void limbs_find_shapes(struct limbs *k)
{
  for (int i = 0; i < k->n; i++) {
    shape_find(k, i);
    if (k->limb[i].mirror == i)
      shape_centre(&k->limb[i]);
  }
}

/* Feet: the ends of limbs that reach lowest, and the points of them that touch the ground. A foot with points one
 * before the other or side by side is flat and is held level; one with a single point, such as a ball, rolls. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "robots/limbs.h"

#define LOW    0.15             /* of the robot's height: ends of limbs that are so low are feet           */
#define LEVEL  0.02             /* of the height: points so much above the lowest touch the ground, too     */
#define SPREAD 0.05             /* of the height: points that are farther apart are two                    */
#define MAX_CANDIDATES 4000

struct candidates { int n; double (*at)[3]; };

static void candidate_add(struct candidates *c, const double at[3])
{
  if (c->n < MAX_CANDIDATES)
    memcpy(c->at[c->n++], at, 3 * sizeof *at);
}

/* Points of a solid that may be the lowest: of corners, and of ends with what is round under them. */
static void candidates_of(struct candidates *c, const struct robot_solid *s, const double down[3])
{
  double R[9], corner[3], at[3];
  int boxy = s->kind == ROBOT_BOX, n = boxy ? 8 : s->kind == ROBOT_SPHERE || s->kind == ROBOT_ELLIPSOID ? 1 : 2;
  quat_to_matrix(s->quat, R);
  for (int i = 0; i < n; i++) {
    double half[3] = {0, 0, n == 2 ? (i ? -s->size[1] : s->size[1]) : 0}, end[3];
    for (int k = 0; k < 3 && boxy; k++)
      half[k] = (i >> k & 1) ? s->size[k] : -s->size[k];
    mat3_mul_vec(R, half, corner);
    for (int k = 0; k < 3; k++)
      at[k] = s->pos[k] + corner[k];
    if (s->kind == ROBOT_CYLINDER) { /* four points of the rim */
      for (int rim = 0; rim < 4; rim++) {
        memcpy(end, at, sizeof end);
        for (int k = 0; k < 3; k++)
          end[k] += (rim & 1 ? -1 : 1) * s->size[0] * R[3 * k + (rim >> 1)];
        candidate_add(c, end);
      }
      continue;
    }
    double round = s->kind == ROBOT_ELLIPSOID ? robot_solid_reach(s, down) - vec3_dot(s->pos, down)
                                              : boxy ? 0 : s->size[0];
    vec3_add_scaled(at, down, round);
    candidate_add(c, at);
  }
}

/* Of what collides; of what is seen, if nothing does; else of the box that its mass is like, or of the origin of the
 * farthest body that is part of it, if that is lower. */
static void candidates_find(const struct limbs *k, int limb, const double down[3], struct candidates *c)
{
  c->n = 0;
  for (int touches = 1; touches >= 0 && c->n == 0; touches--)
    for (int i = 0; i < k->n_solids; i++)
      if (k->solids[i].body == limb && k->solids[i].touches == touches)
        candidates_of(c, &k->solids[i], down);
  if (c->n > 0)
    return;
  const struct limb *l = &k->limb[limb];
  const struct robot_solid box = limbs_inertia_box(l);
  if (vec3_dot(l->tip, down) > robot_solid_reach(&box, down))
    candidate_add(c, l->tip);
  else
    candidates_of(c, &box, down);
}

/* Keeps those that are about as low as the lowest. */
static void candidates_keep_low(struct candidates *c, const double down[3], double level)
{
  double lowest = -INFINITY;
  int n = 0;
  for (int i = 0; i < c->n; i++)
    lowest = fmax(lowest, vec3_dot(c->at[i], down));
  for (int i = 0; i < c->n; i++)
    if (vec3_dot(c->at[i], down) >= lowest - level)
      memcpy(c->at[n++], c->at[i], sizeof c->at[0]);
  c->n = n;
}

static double spread(const struct candidates *c, int axis, double *least, double *most)
{
  *least = INFINITY, *most = -INFINITY;
  for (int i = 0; i < c->n; i++) {
    *least = fmin(*least, c->at[i][axis]);
    *most = fmax(*most, c->at[i][axis]);
  }
  return *most - *least;
}

/* Which way is down, in a limb whose axes are the columns of R. */
static void down_in(const double *R, double down[3])
{
  for (int x = 0; x < 3; x++)
    down[x] = 0 - R[6 + x];
}

/* The lowest place of limb i, and into c its points that are about as low. */
static double find_low(const struct limbs *k, int i, const double *R, const double *p, double level,
                       struct candidates *c)
{
  double down[3], low = -INFINITY;
  down_in(R + 9 * i, down);
  candidates_find(k, i, down, c);
  for (int n = 0; n < c->n; n++)
    low = fmax(low, vec3_dot(c->at[n], down));
  candidates_keep_low(c, down, level);
  return p[3 * i + 2] - low;
}

/* Does the leg that ends in limb i go down rather than aside? One that is straight out is flat on the ground all along,
 * and has no flat foot. */
static int leg_goes_down(const struct limbs *k, int i, const double *p)
{
  int top = i;
  while (k->limb[top].parent > 0 && k->limb[k->limb[top].parent].n_children == 1)
    top = k->limb[top].parent;
  const double *a = p + 3 * top, *b = p + 3 * i;
  return top == i || a[2] - b[2] > hypot(a[0] - b[0], a[1] - b[1]);
}

void limbs_find_feet(struct limbs *k)
{
  struct candidates c = {0, arena_alloc(k->arena, MAX_CANDIDATES, sizeof(double[3]))};
  double *R = ARENA_NEW(k->arena, 9 * (size_t)k->n, double), *p = ARENA_NEW(k->arena, 3 * (size_t)k->n, double);
  double lowest = 0, highest = 0, least, most;
  limbs_place(k, 1, R, p);
  for (int i = 0; i < k->n; i++) {
    highest = fmax(highest, p[3 * i + 2]);
    if (k->limb[i].n_children == 0)
      lowest = fmin(lowest, find_low(k, i, R, p, 0, &c));
  }
  k->height = 0 - lowest;
  for (int i = 1; i < k->n; i++) {
    struct limb *l = &k->limb[i];
    if (l->n_children > 0)
      continue;
    l->is_foot = find_low(k, i, R, p, LEVEL * k->height, &c) < lowest + LOW * (highest - lowest);
    l->is_flat = l->is_foot && leg_goes_down(k, i, p) &&
                 (spread(&c, 0, &least, &most) > SPREAD * k->height ||
                  spread(&c, 1, &least, &most) > SPREAD * k->height);
  }
  for (int i = 1; i < k->n; i++) /* both images, or none */
    if (k->limb[i].mirror >= 0 && !k->limb[i].left) {
      k->limb[i].is_foot = k->limb[k->limb[i].mirror].is_foot;
      k->limb[i].is_flat = k->limb[k->limb[i].mirror].is_flat;
    }
}

static void point_add(struct limb *l, const char *name, double x, double y, double z)
{
  struct limbs_point *p = &l->points[l->n_points++];
  *p = (struct limbs_point){name, {x, y, z}};
}

/* One or two points of those between two places along x: side by side, if they are wide apart. */
static void points_across(struct limb *l, const struct candidates *all, double from, double to, double wide,
                          const char *const names[3])
{
  double x = 0, y = 0, z = INFINITY, least = INFINITY, most = -INFINITY;
  int n = 0;
  for (int i = 0; i < all->n; i++) {
    const double *at = all->at[i];
    if (at[0] < from || at[0] > to)
      continue;
    n++;
    x += at[0], y += at[1], z = fmin(z, at[2]);
    least = fmin(least, at[1]), most = fmax(most, at[1]);
  }
  if (most - least > wide) {
    point_add(l, names[1], x / n, least, z);
    point_add(l, names[2], x / n, most, z);
  } else {
    point_add(l, names[0], x / n, y / n, z);
  }
}

static void points_of_flat(const struct limbs *k, struct limb *l, struct candidates *c)
{
  static const char *const heel[] = {"heel", "heel_inner", "heel_outer"};
  static const char *const toe[] = {"toe", "toe_inner", "toe_outer"};
  static const char *const middle[] = {"middle", "inner", "outer"};
  double least, most, length = spread(c, 0, &least, &most), wide = 0.5 * SPREAD * k->height, low = INFINITY;
  if (length > SPREAD * k->height) {
    points_across(l, c, least, least + 0.15 * length, wide, heel);
    points_across(l, c, most - 0.15 * length, most, wide, toe);
  } else {
    points_across(l, c, least, most, wide, middle);
  }
  for (int i = 0; i < l->n_points; i++) /* all can be on the ground together */
    low = fmin(low, l->points[i].at[2]);
  for (int i = 0; i < l->n_points; i++)
    l->points[i].at[2] = low;
}

void limbs_find_points(struct limbs *k)
{
  static const double level[3] = {0, 0, -1};
  struct candidates c = {0, arena_alloc(k->arena, MAX_CANDIDATES, sizeof(double[3]))};
  double *R = ARENA_NEW(k->arena, 9 * (size_t)k->n, double), *p = ARENA_NEW(k->arena, 3 * (size_t)k->n, double);
  double lowest = 0;
  limbs_place(k, 1, R, p);
  for (int i = 1; i < k->n; i++) {
    struct limb *l = &k->limb[i];
    double down[3], at[3];
    down_in(R + 9 * i, down);
    memcpy(l->down, down, sizeof down);
    if (!l->is_foot)
      continue;
    candidates_find(k, i, l->is_flat ? level : down, &c);
    candidates_keep_low(&c, l->is_flat ? level : down, l->is_flat ? LEVEL * k->height : 1e-9);
    if (l->is_flat)
      points_of_flat(k, l, &c);
    else
      point_add(l, "tip", c.at[0][0], c.at[0][1], c.at[0][2]);
    for (int n = 0; n < l->n_points; n++) {
      mat3_mul_vec(R + 9 * i, l->points[n].at, at);
      lowest = fmin(lowest, at[2] + p[3 * i + 2]);
    }
  }
  if (lowest < 0)
    k->height = 0 - lowest;
}

/* The legs of a creature. See gaits/legs.h. */
#include "gaits/legs.h"

#include <math.h>
#include <stdlib.h>

#include "dynamics/dynamics.h"

/* All in leg lengths. */
#define LEGS_SAME_ROW  0.15 /* legs on both sides that are no farther apart along the body make a pair */
#define LEGS_MIDDLE    0.02 /* to the side: nearer than this it is in the middle                       */
#define LEGS_FOOT_LONG 0.03 /* shorter feet do not roll                                                */

struct found_leg {
  struct leg leg;
  int top, foot;                 /* limb, first foot           */
  double foot_y;                 /* of its first point at rest */
  int mirror;                    /* by the creature's own word */
};

/* A pair by the creature's word, or by where the legs are. */
static int legs_pair(const struct found_leg *a, const struct found_leg *b)
{
  double l = fmin(a->leg.length, b->leg.length);
  return a->mirror == b->top || (a->mirror == a->top && b->mirror == b->top && a->leg.side * b->leg.side < 0 &&
                                 fabs(a->leg.at[0] - b->leg.at[0]) < LEGS_SAME_ROW * l);
}

static int legs_find(const struct creature *c, const struct dynamics *d, struct found_leg *out)
{
  int n = 0;
  for (int f = 0; f < c->n_feet; f++) {
    const struct foot *foot = &c->feet[f];
    const struct limb *top = &c->limbs[foot->first_leg_limb];
    int k = 0;
    double hip[3], tip[3];
    while (k < n && out[k].top != foot->first_leg_limb)
      k++;
    if (k < n) {
      out[k].leg.length = fmax(out[k].leg.length, foot->leg_length);
      continue;
    }
    const struct contact_point *p = &c->points[foot->first_point];
    dynamics_point(d, top->body, top->origin, hip);
    dynamics_point(d, p->body, p->at, tip);
    double y = fabs(hip[1]) > LEGS_MIDDLE * foot->leg_length ? hip[1] : tip[1];
    out[n++] = (struct found_leg){
        .top = foot->first_leg_limb, .foot = f, .foot_y = tip[1], .mirror = top->mirror,
        .leg = {.name = foot->name, .other = -1, .at = {hip[0], hip[1]}, .length = foot->leg_length, .height = hip[2],
                .side = fabs(y) <= LEGS_MIDDLE * foot->leg_length ? LEG_MIDDLE : y > 0 ? LEG_LEFT : LEG_RIGHT}};
  }
  return n;
}

static double legs_row_x(const struct found_leg *f, int n, int i)
{
  for (int k = 0; k < n; k++)
    if (k != i && legs_pair(&f[i], &f[k]))
      return 0.5 * (f[i].leg.at[0] + f[k].leg.at[0]);
  return f[i].leg.at[0];
}

/* Rows from the hind end, left legs first, else in the order of the file. */
static void legs_sort(const struct found_leg *f, int n, int *order)
{
  for (int i = 0; i < n; i++) {
    int k = i;
    double x = legs_row_x(f, n, i);
    for (; k > 0; k--) {
      double before = legs_row_x(f, n, order[k - 1]);
      if (before < x || (before == x && f[order[k - 1]].leg.side >= f[i].leg.side))
        break;
      order[k] = order[k - 1];
    }
    order[k] = i;
  }
}

/* Where each point is on its foot. */
static void legs_measure_feet(const struct creature *c, const struct dynamics *d, struct legs *legs)
{
  for (int l = 0; l < legs->n; l++) {
    double lo = INFINITY, hi = -INFINITY, at[3];
    for (int pass = 0; pass < 2; pass++)
      for (int p = 0; p < c->n_points; p++) {
        if (legs->of_point[p] != l)
          continue;
        dynamics_point(d, c->points[p].body, c->points[p].at, at);
        if (pass && legs->leg[l].rolls)
          legs->along[p] = (at[0] - lo) / (hi - lo);
        lo = fmin(lo, at[0]), hi = fmax(hi, at[0]);
        if (!pass)
          legs->leg[l].rolls = hi - lo > LEGS_FOOT_LONG * legs->leg[l].length;
      }
  }
}

const struct legs *legs_of(struct arena *arena, const struct creature *c)
{
  if (!c->n_feet)
    return NULL;
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  struct found_leg *f = ARENA_NEW(arena, (size_t)c->n_feet, struct found_leg);
  int n = legs_find(c, d, f), *order = ARENA_NEW(arena, (size_t)n, int);
  legs_sort(f, n, order);
  struct legs *legs = ARENA_NEW(arena, 1, struct legs);
  *legs = (struct legs){.n = n, .leg = ARENA_NEW(arena, (size_t)n, struct leg),
                        .of_point = ARENA_NEW(arena, (size_t)c->n_points, int),
                        .along = ARENA_NEW(arena, (size_t)c->n_points, double), .length = INFINITY,
                        .symmetric = creature_is_symmetric(c, NULL)};
  for (int i = 0; i < n; i++) {
    const struct found_leg *a = &f[order[i]], *before = i ? &f[order[i - 1]] : NULL;
    legs->leg[i] = a->leg;
    legs->length = fmin(legs->length, a->leg.length);
    if (before && legs->leg[i - 1].other < 0 && legs_pair(a, before)) {
      legs->leg[i].row = legs->leg[i - 1].row;
      legs->leg[i].other = i - 1, legs->leg[i - 1].other = i;
      legs->symmetric &= a->mirror == before->top;
    } else {
      legs->leg[i].row = legs->n_rows++;
    }
  }
  for (int p = 0; p < c->n_points; p++)
    for (int i = 0; i < n; i++)
      if (c->feet[c->points[p].foot].first_leg_limb == f[order[i]].top)
        legs->of_point[p] = i;
  legs_measure_feet(c, d, legs);
  return legs;
}

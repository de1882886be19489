/* Contact forces that are not impulses: their size, their rate from frame to frame, their bend over three frames, and
 * their size on the first and last frame of a stance.
 *
 * The bend is what linear forces and smooth motion disagree about between frames (doc/spacetime.md, "Objective"). */
#include "spacetime/formulation.h"

enum { SIZE, RATE, BEND, EDGE, JUNCTION };

/* Of the weight of an edge, where another point of the same foot carries on: a heel that rises is no lift-off. */
#define ROLL_OVER_SHARE 0.1

/* The second difference of a force, 0 where the foot is in the air; at the ends of a transition with the force that the
 * clip beyond has there. */
static void force_add_bend(struct square_list *l, int k, int i, int axis)
{
  const struct problem *p = l->p;
  double h2 = p->in.h * p->in.h, coefficient[3] = {-2 / h2}, target = 0;
  int var[3] = {problem_force_var(p, k, i) + axis}, count = 1;
  for (int side = -1; side <= 1; side += 2) {
    if (side < 0 ? !problem_has_before(p, k) : !problem_has_after(p, k)) {
      const struct problem_beyond *b = &p->in.beyond[side > 0];
      if (!b->known)
        return;
      target -= b->force[3 * i + axis] / h2;
      continue;
    }
    struct point_of o = problem_point(p, k + side, i);
    int first = problem_force_var(p, o.frame, o.point);
    if (first < 0)
      continue;
    var[count] = first + axis;
    coefficient[count++] = (axis == 1 ? o.y_sign : 1) / h2;
  }
  square_list_add(l, l->weight[BEND], target, count, var, coefficient);
}

/* Does any point of the foot of point i touch at frame k? */
static int force_foot_touches(const struct problem *p, int k, int i)
{
  const struct foot *f = &p->in.c->feet[p->in.c->points[i].foot];
  int touches = 0;
  for (int j = f->first_point; j < f->first_point + f->n_points; j++)
    touches |= problem_touches(p, k, j);
  return touches;
}

static void force_point_squares(struct square_list *l, int k, int i)
{
  const struct problem *p = l->p;
  const double one = 1, h = p->in.h, *w = l->weight;
  int has_before = problem_has_before(p, k), has_after = problem_has_after(p, k);
  int came = has_before && problem_touches(p, k - 1, i), stays = has_after && problem_touches(p, k + 1, i);
  int edges = (has_before && !came) + (has_after && !stays); /* comes now, goes now */
  int foot_carries_on = edges && (came || (has_before && force_foot_touches(p, k - 1, i))) &&
                        (stays || (has_after && force_foot_touches(p, k + 1, i)));
  for (int axis = 0; axis < 3; axis++) {
    int var[2] = {problem_force_var(p, k, i) + axis, 0};
    square_list_add(l, w[SIZE], 0, 1, var, &one);
    force_add_bend(l, k, i, axis);
    if (problem_hold(p, k) != FRAME_FREE && !problem_force_is_held(p, k))
      square_list_add(l, w[JUNCTION] / (h * h), p->in.force_held[3 * (k * p->n_points + i) + axis], 1, var, &one);
    if (edges)
      square_list_add(l, (foot_carries_on ? ROLL_OVER_SHARE : 1) * edges * w[EDGE] / (h * h), 0, 1, var, &one);
    if (stays) {
      struct point_of next = problem_point(p, k + 1, i);
      var[1] = problem_force_var(p, next.frame, next.point) + axis;
      square_list_add(l, w[RATE], 0, 2, var, (const double[2]){-1 / h, (axis == 1 ? next.y_sign : 1) / h});
    }
  }
}

static void force_squares(struct square_list *l, int k)
{
  for (int i = 0; i < l->p->n_points; i++)
    if (problem_force_var(l->p, k, i) >= 0)
      force_point_squares(l, k, i);
}

const struct cost_term cost_term_force = {
    .name = "force",
    .weights = {[SIZE] = {"force", 1e-3},
                [RATE] = {"force_rate", 1e-3},
                [BEND] = {"force_bend", 1e-5},
                [EDGE] = {"force_edge", 1e-2},
                [JUNCTION] = {"force_junction", 1e-2}},
    .squares = force_squares,
};

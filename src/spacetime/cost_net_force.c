/* The force of the ground on the whole body bends little from frame to frame, its corners at touch-down and lift-off
 * included.
 *
 * With D the second differences of the motion, which balance the forces at frames, and M the second derivative of the
 * spline through it, (M[k-1] + 4 M[k] + M[k+1]) / 6 = D[k]: what the spline misses at a frame is a sixth of the bend of
 * the net force. That is the residual between frames which verify measures. Forces of single points may bend as long as
 * others make up for it; to forbid that (force_bend) costs more than it needs. The weight is 0 until a clip is found to
 * be too rough. */
#include "spacetime/formulation.h"

static void net_force_add(struct square_list *l, int k, int axis)
{
  const struct problem *p = l->p;
  struct arena *work = arena_new();
  double h2 = p->in.h * p->in.h, *coefficient = ARENA_NEW(work, 3 * (size_t)p->n_points, double);
  int count = 0, *var = ARENA_NEW(work, 3 * (size_t)p->n_points, int);
  for (int i = 0; i < p->n_points; i++)
    for (int side = -1; side <= 1; side++) {
      struct point_of o = problem_point(p, k + side, i);
      int first = problem_force_var(p, o.frame, o.point);
      if (first < 0)
        continue;
      var[count] = first + axis;
      coefficient[count++] = (side ? 1 : -2) * (axis == 1 ? o.y_sign : 1) / h2;
    }
  if (count)
    square_list_add(l, l->weight[0], 0, count, var, coefficient);
  arena_free(work);
}

static void net_force_squares(struct square_list *l, int k)
{
  if (l->weight[0] > 0 && problem_has_before(l->p, k) && problem_has_after(l->p, k))
    for (int axis = 0; axis < 3; axis++)
      net_force_add(l, k, axis);
}

const struct cost_term cost_term_net_force = {
    .name = "net force",
    .weights = {{"net_force_bend", 0}},
    .squares = net_force_squares,
};

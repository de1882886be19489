/* See held.h. */
#include "spacetime/held.h"

#include <math.h>
#include <string.h>

#include "spacetime/body.h"

/* Of a row of slopes, in standing heights: what is left of it after all before it is rounding below this. */
#define HELD_NOTHING 1e-7

/* How far joints are from their rest [rad], at most: far enough that no row depends on others by accident of the pose,
 * as where toes lie flat. */
#define HELD_AWAY 0.15

static int held_leg(const struct problem *p, int i)
{
  return body_is_free_end(p->in.c, i) ? -1 : p->in.c->feet[p->in.c->points[i].foot].first_leg_limb;
}

static int held_most_points(const struct problem *p)
{
  int most = 0;
  for (int i = 0; i < p->n_points; i++) {
    int count = 0;
    for (int j = 0; j < p->n_points; j++)
      count += held_leg(p, i) >= 0 && held_leg(p, i) == held_leg(p, j);
    most = count > most ? count : most;
  }
  return most;
}

const struct held *held_new(struct arena *arena, const struct problem *p)
{
  size_t n = (size_t)p->n, points = (size_t)p->n_points;
  int most = held_most_points(p);
  if (most < 2)
    return NULL;
  struct held *h = ARENA_NEW(arena, 1, struct held);
  double *slopes = ARENA_NEW(arena, points * 3 * n, double), *q = ARENA_NEW(arena, n, double);
  for (size_t i = 0; i < n; i++) /* the root stays level: heights are heights */
    q[i] = p->in.rest[i] + (i < CREATURE_ROOT_DOFS ? 0 : HELD_AWAY * sin(2.4 * (double)(i + 1)));
  dynamics_kinematics(p->d, q);
  for (size_t i = 0; i < points; i++) {
    const struct contact_point *point = &p->in.c->points[i];
    double unit = p->in.c->height, at[3] = {point->at[0] / unit, point->at[1] / unit, point->at[2] / unit};
    dynamics_point_jacobian(p->d, point->body, at, slopes + i * 3 * n);
  }
  *h = (struct held){slopes, ARENA_NEW(arena, 3 * (size_t)most * n, double), ARENA_NEW(arena, n, double)};
  return h;
}

/* What is left of h->row, a row of slopes, after the rows so far. Twice, as rounding leaves some. */
static double held_reduce(const struct held *h, int n, int n_rows)
{
  double size = 0;
  for (int again = 0; again < 2; again++)
    for (int r = 0; r < n_rows; r++) {
      const double *b = h->basis + (size_t)r * (size_t)n;
      double along = 0;
      for (int j = 0; j < n; j++)
        along += b[j] * h->row[j];
      for (int j = 0; j < n; j++)
        h->row[j] -= along * b[j];
    }
  for (int j = 0; j < n; j++)
    size += h->row[j] * h->row[j];
  return sqrt(size);
}

/* Adds h->row, reduced, whose size is known. */
static int held_add(const struct held *h, int n, int n_rows, double size)
{
  for (int j = 0; j < n; j++)
    h->basis[(size_t)n_rows * (size_t)n + (size_t)j] = h->row[j] / size;
  return n_rows + 1;
}

/* The slopes of a coordinate of point i into h->row, as they are at the heading of frame k. */
static void held_load(const struct problem *p, int k, int i, int axis)
{
  const double *at = p->held->slopes + (size_t)i * 3 * (size_t)p->n;
  int n = p->n;
  double s = sin(p->in.heading[k]), c = cos(p->in.heading[k]);
  for (int j = 0; j < n; j++)
    p->held->row[j] = axis == 2 ? at[2 * n + j] : axis ? s * at[j] + c * at[n + j] : c * at[j] - s * at[n + j];
}

/* Rows of heights of points of the leg of point i that touch at frame k, and at the next if `both`, up to point `until`
 * (not with it); *is_held: would that one's be a row? */
static int held_heights(const struct problem *p, int k, int i, int both, int until, int *is_held)
{
  int n_rows = 0;
  *is_held = 0;
  for (int j = 0; j < p->n_points && j <= until; j++) {
    if (held_leg(p, j) != held_leg(p, i) || !problem_touches(p, k, j) || (both && !problem_touches(p, k + 1, j)))
      continue;
    held_load(p, k, j, 2);
    double size = held_reduce(p->held, p->n, n_rows);
    if (j == until)
      *is_held = size > HELD_NOTHING;
    else if (size > HELD_NOTHING)
      n_rows = held_add(p->held, p->n, n_rows, size);
  }
  return n_rows;
}

int held_height(const struct problem *p, int k, int i)
{
  int is_held = 1;
  if (p->held)
    held_heights(p, k, i, 0, i, &is_held);
  return is_held;
}

/* x and y of point j: of both axes the one that says more comes first. */
static int held_slip_of(const struct problem *p, int k, int j, int *n_rows)
{
  double size[2];
  int held = 0;
  for (int axis = 0; axis < 2; axis++) {
    held_load(p, k, j, axis);
    size[axis] = held_reduce(p->held, p->n, *n_rows);
  }
  int first = size[1] > size[0];
  for (int which = 0; which < 2; which++) {
    int axis = which ? !first : first;
    held_load(p, k, j, axis);
    double left = held_reduce(p->held, p->n, *n_rows);
    if (!(left > HELD_NOTHING))
      continue;
    *n_rows = held_add(p->held, p->n, *n_rows, left);
    held |= axis ? HELD_Y : HELD_X;
  }
  return held;
}

int held_slip(const struct problem *p, int k, int i)
{
  int ignored, held = HELD_X | HELD_Y;
  if (!p->held)
    return held;
  int n_rows = held_heights(p, k, i, 1, p->n_points, &ignored);
  for (int j = 0; j <= i; j++)
    if (held_leg(p, j) == held_leg(p, i) && problem_touches(p, k, j) && problem_touches(p, k + 1, j))
      held = held_slip_of(p, k, j, &n_rows);
  return held;
}

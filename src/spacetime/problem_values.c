/* Evaluation of a clip's problem: residuals and first derivatives of all frames, four at a time, and what the solver asks of them. */
#include <math.h>
#include <string.h>

#include "spacetime/problem.h"

static struct dynamics_contacts group_contacts(const struct problem *p, int g)
{
  size_t at = (size_t)g * DYNAMICS_LANES * 3 * (size_t)p->n_points;
  return (struct dynamics_contacts){p->n_points, p->points, p->force + at, p->lambda + at};
}

/* q, v, a and forces of frame k, into its lane. Frames without neighbours stand still: only their positions are asked for. */
static void load_frame(struct problem *p, const double *x, int k)
{
  size_t n = (size_t)p->n, group = (size_t)(k / DYNAMICS_LANES), lane = (size_t)(k % DYNAMICS_LANES);
  double h = p->in.h;
  int still = !p->in.cyclic && (k == 0 || k + 1 == p->in.n_frames);
  for (int i = 0; i < p->n; i++) {
    size_t at = (group * n + (size_t)i) * DYNAMICS_LANES + lane;
    double here = x[p->q_var[k] + i];
    p->q[at] = here;
    if (still)
      continue;
    struct place_of before = problem_q(p, k - 1, i), after = problem_q(p, k + 1, i);
    double q0 = before.sign * x[before.var], q1 = after.sign * x[after.var];
    p->v[at] = (q1 - q0) / (2 * h);
    p->a[at] = (q1 - 2 * here + q0) / (h * h);
  }
  for (int i = 0; i < p->n_points; i++) {
    int var = p->f_var[k * p->n_points + i];
    for (int axis = 0; axis < 3; axis++)
      p->force[(group * 3 * (size_t)p->n_points + (size_t)(3 * i + axis)) * DYNAMICS_LANES + lane] =
          var < 0 ? 0 : x[var + axis];
  }
}

static void evaluate_group(struct problem *p, int g, int level)
{
  size_t n = (size_t)p->n, lanes = DYNAMICS_LANES, state = (size_t)g * lanes * n, matrix = state * n;
  size_t points = (size_t)g * lanes * 3 * (size_t)p->n_points;
  struct dynamics_contacts contacts = group_contacts(p, g);
  const double *q = p->q + state, *v = p->v + state, *a = p->a + state;
  if (level == 1) {
    dynamics_residual_x4(p->d, q, v, a, &contacts, p->tau + state, p->position + points);
    return;
  }
  struct dynamics_derivatives out = {p->tau + state, p->dq + matrix,       p->dv + matrix,
                                     p->M + matrix,  p->position + points, p->jacobian + points * n};
  dynamics_derivatives_x4(p->d, q, v, a, &contacts, &out);
}

void problem_evaluate(struct problem *p, const double *x, int level)
{
  size_t bytes = (size_t)p->n_vars * sizeof *x;
  if (p->level > 0 && memcmp(x, p->x_seen, bytes) != 0)
    p->level = 0;
  if (p->level >= level)
    return;
  if (p->level == 0) {
    memcpy(p->x_seen, x, bytes);
    for (int k = 0; k < p->in.n_frames; k++)
      load_frame(p, x, k);
  }
  for (int g = 0; g < p->n_groups; g++)
    evaluate_group(p, g, level);
  p->level = level;
}

/* ---- objective ---- */

double problem_torque_weight(const struct problem *p, int k)
{
  double factor = p->in.frame_factor ? p->in.frame_factor[k] : 1;
  return factor * p->in.weights.torque * p->in.weights.scale / p->in.n_frames;
}

static double term_value(const struct problem *p, const struct linear_term *t, const double *x)
{
  double sum = -t->target;
  for (int i = t->first; i < t->first + t->count; i++)
    sum += p->term_coefficient[i] * x[p->term_var[i]];
  return sum;
}

double problem_objective(void *self, const double *x)
{
  struct problem *p = self;
  double sum = 0, torque = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++)
    for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++) {
      double tau = problem_value(p->tau, (size_t)p->n, k, (size_t)i);
      torque += problem_torque_weight(p, k) * tau * tau;
    }
  for (int i = 0; i < p->n_terms; i++) {
    double r = term_value(p, &p->terms[i], x);
    sum += p->terms[i].weight * r * r;
  }
  return sum + torque;
}

void problem_frame_costs(struct problem *p, const double *x, double *cost)
{
  problem_evaluate(p, x, 1);
  double unit = p->in.weights.scale / p->in.n_frames;
  memset(cost, 0, (size_t)p->in.n_frames * sizeof *cost);
  for (int i = 0; i < p->n_terms; i++) {
    const struct linear_term *t = &p->terms[i];
    double r = term_value(p, t, x), factor = t->frame >= 0 && p->in.frame_factor ? p->in.frame_factor[t->frame] : 1;
    if (t->frame >= 0)
      cost[t->frame] += t->weight * r * r / (unit * factor);
  }
  for (int k = 0; k < p->in.n_frames; k++)
    for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++) {
      double tau = problem_value(p->tau, (size_t)p->n, k, (size_t)i);
      cost[k] += p->in.weights.torque * tau * tau;
    }
}

/* One entry d tau_i / d q_j of frame k: to the frame itself and to its neighbours. */
struct triple { double minus, here, plus; };

static struct triple torque_slope(const struct problem *p, int k, int i, int j)
{
  size_t nn = (size_t)(p->n * p->n), at = (size_t)(i * p->n + j);
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  double dq = problem_value(p->dq, nn, k, at), dv = problem_value(p->dv, nn, k, at), M = problem_value(p->M, nn, k, at);
  return (struct triple){c2 * M - c1 * dv, dq - 2 * c2 * M, c2 * M + c1 * dv};
}

static double point_slope(const struct problem *p, int k, int point, int axis, int j)
{
  return problem_value(p->jacobian, (size_t)(3 * p->n_points * p->n), k, (size_t)((3 * point + axis) * p->n + j));
}

/* Visits d tau_i of frame k by all variables. */
static void visit_torque(const struct problem *p, int k, int i, int row, visit_entry visit, void *to)
{
  for (int m = 0; m < p->near_count[i]; m++) {
    int j = p->near[i * p->n + m];
    struct triple s = torque_slope(p, k, i, j);
    struct place_of before = problem_q(p, k - 1, j), after = problem_q(p, k + 1, j);
    visit(to, row, before.var, before.sign * s.minus);
    visit(to, row, p->q_var[k] + j, s.here);
    visit(to, row, after.var, after.sign * s.plus);
  }
  for (int c = 0; c < p->n_points; c++) {
    int var = p->f_var[k * p->n_points + c];
    int carried = 0;
    for (int m = 0; var >= 0 && m < p->chain_count[c]; m++)
      carried |= p->chain[c * p->n + m] == i;
    for (int axis = 0; carried && axis < 3; axis++)
      if (i >= 3 || i == axis)
        visit(to, row, var + axis, -point_slope(p, k, c, axis, i));
  }
}

struct gradient_sum { double *grad, factor; };

static void add_to_gradient(void *to, int row, int var, double value)
{
  struct gradient_sum *s = to;
  (void)row;
  s->grad[var] += s->factor * value;
}

void problem_gradient(void *self, const double *x, double *grad)
{
  struct problem *p = self;
  problem_evaluate(p, x, 2);
  memset(grad, 0, (size_t)p->n_vars * sizeof *grad);
  for (int i = 0; i < p->n_terms; i++) {
    const struct linear_term *t = &p->terms[i];
    double slope = 2 * t->weight * term_value(p, t, x);
    for (int m = t->first; m < t->first + t->count; m++)
      grad[p->term_var[m]] += slope * p->term_coefficient[m];
  }
  for (int k = 0; k < p->in.n_frames; k++)
    for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++) {
      struct gradient_sum s = {grad, 2 * problem_torque_weight(p, k) * problem_value(p->tau, (size_t)p->n, k, (size_t)i)};
      visit_torque(p, k, i, 0, add_to_gradient, &s);
    }
}

/* ---- constraints ---- */

static double position(const struct problem *p, int k, int point, int axis)
{
  struct point_of o = problem_point(p, k, point);
  double x = problem_value(p->position, (size_t)(3 * p->n_points), o.frame, (size_t)(3 * o.point + axis));
  return axis == 1 ? o.y_sign * x : x;
}


static double row_value(const struct problem *p, const struct row *r, const double *x)
{
  switch (r->family) {
  case ROW_ROOT:
  case ROW_TORQUE: return problem_value(p->tau, (size_t)p->n, r->frame, (size_t)r->index);
  case ROW_HEIGHT:
  case ROW_SWING: return position(p, r->frame, r->index, 2);
  case ROW_LANE: {
    double s[2];
    problem_sideways(p, r->frame, s);
    return s[0] * (position(p, r->frame, r->index, 0) - x[p->q_var[r->frame]]) +
           s[1] * (position(p, r->frame, r->index, 1) - x[p->q_var[r->frame] + 1]);
  }
  case ROW_LINK: return x[p->q_var[r->frame + 1] + r->index] - x[p->q_var[r->frame] + r->index];
  case ROW_SLIP: return position(p, r->frame + 1, r->index, r->axis) - position(p, r->frame, r->index, r->axis);
  case ROW_CONE: {
    const double *f = x + p->f_var[r->frame * p->n_points + r->index];
    return p->in.friction * p->in.friction * f[2] * f[2] - f[0] * f[0] - f[1] * f[1];
  }
  default: {
    int other = p->in.c->points[r->index].mirror;
    double s[2];
    problem_sideways(p, r->frame, s);
    return s[0] * (position(p, r->frame, r->index, 0) - position(p, r->frame, other, 0)) +
           s[1] * (position(p, r->frame, r->index, 1) - position(p, r->frame, other, 1));
  }
  }
}

void problem_constraints(void *self, const double *x, double *g)
{
  struct problem *p = self;
  problem_evaluate(p, x, 1);
  for (int i = 0; i < p->n_rows; i++)
    g[i] = row_value(p, &p->rows[i], x);
}

static void visit_position(const struct problem *p, int k, int point, int axis, double factor, int row, visit_entry visit,
                           void *to)
{
  struct point_of o = problem_point(p, k, point);
  double sign = factor * (axis == 1 ? o.y_sign : 1);
  for (int m = 0; m < p->chain_count[o.point]; m++) {
    int j = p->chain[o.point * p->n + m];
    if (j >= 3 || j == axis)
      visit(to, row, p->q_var[o.frame] + j, sign * point_slope(p, o.frame, o.point, axis, j));
  }
}

static void visit_row(const struct problem *p, int i, visit_entry visit, void *to)
{
  const struct row *r = &p->rows[i];
  switch (r->family) {
  case ROW_ROOT:
  case ROW_TORQUE: visit_torque(p, r->frame, r->index, i, visit, to); break;
  case ROW_HEIGHT:
  case ROW_SWING: visit_position(p, r->frame, r->index, 2, 1, i, visit, to); break;
  case ROW_SLIP:
    visit_position(p, r->frame + 1, r->index, r->axis, 1, i, visit, to);
    visit_position(p, r->frame, r->index, r->axis, -1, i, visit, to);
    break;
  case ROW_LANE: {
    double s[2];
    problem_sideways(p, r->frame, s);
    for (int m = 0; m < p->chain_count[r->index]; m++) { /* relative to the root: its slides do not matter */
      int j = p->chain[r->index * p->n + m];
      if (j >= 3)
        visit(to, i, p->q_var[r->frame] + j,
              s[0] * point_slope(p, r->frame, r->index, 0, j) + s[1] * point_slope(p, r->frame, r->index, 1, j));
    }
    break;
  }
  case ROW_LINK:
    visit(to, i, p->q_var[r->frame + 1] + r->index, 1);
    visit(to, i, p->q_var[r->frame] + r->index, -1);
    break;
  case ROW_CONE: {
    int var = p->f_var[r->frame * p->n_points + r->index];
    double mu2 = p->in.friction * p->in.friction;
    visit(to, i, var, -2 * p->x_seen[var]);
    visit(to, i, var + 1, -2 * p->x_seen[var + 1]);
    visit(to, i, var + 2, 2 * mu2 * p->x_seen[var + 2]);
    break;
  }
  default: {
    double s[2];
    problem_sideways(p, r->frame, s);
    for (int axis = 0; axis < 2; axis++) {
      visit_position(p, r->frame, r->index, axis, s[axis], i, visit, to);
      visit_position(p, r->frame, p->in.c->points[r->index].mirror, axis, -s[axis], i, visit, to);
    }
  }
  }
}

void problem_visit_jacobian(const struct problem *p, visit_entry visit, void *to)
{
  for (int i = 0; i < p->n_rows; i++)
    visit_row(p, i, visit, to);
}

static void store_entry(void *to, int row, int var, double value)
{
  double **next = to;
  (void)row, (void)var;
  *(*next)++ = value;
}

void problem_jacobian(void *self, const double *x, double *values)
{
  struct problem *p = self;
  problem_evaluate(p, x, 2);
  problem_visit_jacobian(p, store_entry, &values);
}

/* Evaluation of a clip's problem: residuals and first derivatives of all frames, four at a time; from them objective,
 * gradient, constraints and Jacobian, as families and cost terms say. */
#include <math.h>
#include <string.h>

#include "spacetime/formulation.h"

/* ---- the state of all frames ---- */

/* q, v, a and forces of frame k, into its lane. Frames without neighbours stand still: only their positions matter. */
static void problem_load_frame(struct problem *p, const double *x, int k)
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
    int var = problem_force_var(p, k, i);
    for (int axis = 0; axis < 3; axis++)
      p->force[(group * 3 * (size_t)p->n_points + (size_t)(3 * i + axis)) * DYNAMICS_LANES + lane] =
          var < 0 ? 0 : x[var + axis];
  }
}

static void problem_evaluate_group(struct problem *p, int g, int level)
{
  size_t n = (size_t)p->n, lanes = DYNAMICS_LANES, state = (size_t)g * lanes * n, matrix = state * n;
  size_t points = (size_t)g * lanes * 3 * (size_t)p->n_points;
  struct dynamics_contacts contacts = {p->n_points, p->points, p->force + points, p->lambda + points};
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
  const struct formulation *f = p->in.formulation;
  size_t bytes = (size_t)p->n_vars * sizeof *x;
  if (p->level > 0 && memcmp(x, p->x, bytes) != 0)
    p->level = 0;
  if (p->level >= level)
    return;
  if (p->level == 0) {
    memcpy(p->x, x, bytes);
    memset(p->has_limb_frames, 0, (size_t)p->in.n_frames);
    for (int k = 0; k < p->in.n_frames; k++)
      problem_load_frame(p, x, k);
  }
  for (int g = 0; g < p->n_groups; g++)
    problem_evaluate_group(p, g, level);
  for (int t = 0; t < f->n_laws; t++)
    for (int k = 0; k < p->in.n_frames; k++)
      if (problem_has_dynamics(p, k))
        f->laws[t]->subtract(p, k, level);
  p->level = level;
}

/* ---- torques and positions, for families and cost terms ---- */

/* d tau_i / d q_j of frame k by q_j of the frame before, of the frame itself and of the one after: the chain rule
 * through v = (q+ - q-) / 2h and a = (q+ - 2 q + q-) / h^2. */
struct torque_slope { double minus, here, plus; };

static struct torque_slope problem_torque_slope(const struct problem *p, int k, int i, int j)
{
  size_t nn = (size_t)(p->n * p->n), at = (size_t)(i * p->n + j);
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  double dq = problem_value(p->dq, nn, k, at), dv = problem_value(p->dv, nn, k, at), M = problem_value(p->M, nn, k, at);
  return (struct torque_slope){c2 * M - c1 * dv, dq - 2 * c2 * M, c2 * M + c1 * dv};
}

double problem_point_slope(const struct problem *p, int k, int point, int axis, int j)
{
  return problem_value(p->jacobian, (size_t)(3 * p->n_points * p->n), k, (size_t)((3 * point + axis) * p->n + j));
}

void problem_visit_torque(const struct problem *p, int k, int i, int row, visit_entry visit, void *to)
{
  for (int m = 0; m < p->near_count[i]; m++) {
    int j = p->near[i * p->n + m];
    struct torque_slope s = problem_torque_slope(p, k, i, j);
    struct place_of before = problem_q(p, k - 1, j), after = problem_q(p, k + 1, j);
    visit(to, row, before.var, before.sign * s.minus);
    visit(to, row, p->q_var[k] + j, s.here);
    visit(to, row, after.var, after.sign * s.plus);
  }
  for (int c = 0; c < p->n_points; c++) {
    int var = problem_force_var(p, k, c);
    int carried = 0;
    for (int m = 0; var >= 0 && m < p->chain_count[c]; m++)
      carried |= p->chain[c * p->n + m] == i;
    for (int axis = 0; carried && axis < 3; axis++)
      if (i >= 3 || i == axis)
        visit(to, row, var + axis, -problem_point_slope(p, k, c, axis, i));
  }
}

double problem_position(const struct problem *p, int k, int point, int axis)
{
  struct point_of o = problem_point(p, k, point);
  double x = problem_value(p->position, (size_t)(3 * p->n_points), o.frame, (size_t)(3 * o.point + axis));
  return axis == 1 ? o.y_sign * x : x;
}

void problem_visit_position(const struct problem *p, int k, int point, int axis, double factor, int row,
                            visit_entry visit, void *to)
{
  struct point_of o = problem_point(p, k, point);
  double sign = factor * (axis == 1 ? o.y_sign : 1);
  for (int m = 0; m < p->chain_count[o.point]; m++) {
    int j = p->chain[o.point * p->n + m];
    if (j >= 3 || j == axis)
      visit(to, row, p->q_var[o.frame] + j, sign * problem_point_slope(p, o.frame, o.point, axis, j));
  }
}

/* ---- objective ---- */

void problem_weights_at(const struct problem *p, int t, int k, double *weight)
{
  double factor = p->in.frame_factor && !p->in.formulation->terms[t]->of_task ? p->in.frame_factor[k] : 1;
  for (int i = 0; i < COST_WEIGHTS; i++)
    weight[i] = factor * p->in.weights[t * COST_WEIGHTS + i] * p->in.scale / p->in.n_frames;
}

static double problem_square_root(const struct problem *p, const struct square *s, const double *x)
{
  double sum = -s->target;
  for (int i = s->first; i < s->first + s->count; i++)
    sum += p->square_coefficient[i] * x[p->square_var[i]];
  return sum;
}

double problem_objective(void *self, const double *x)
{
  struct problem *p = self;
  const struct formulation *f = p->in.formulation;
  double sum = 0;
  problem_evaluate(p, x, 1);
  for (int i = 0; i < p->n_squares; i++) {
    double r = problem_square_root(p, &p->squares[i], x);
    sum += p->squares[i].weight * r * r;
  }
  for (int t = 0; t < f->n_terms; t++) {
    double cost = 0, weight[COST_WEIGHTS];
    for (int k = 0; k < p->in.n_frames && f->terms[t]->value; k++) {
      problem_weights_at(p, t, k, weight);
      f->terms[t]->value(p, k, weight, &cost);
    }
    sum += cost;
  }
  return sum;
}

void problem_gradient(void *self, const double *x, double *grad)
{
  struct problem *p = self;
  const struct formulation *f = p->in.formulation;
  problem_evaluate(p, x, 2);
  memset(grad, 0, (size_t)p->n_vars * sizeof *grad);
  for (int i = 0; i < p->n_squares; i++) {
    const struct square *s = &p->squares[i];
    double slope = 2 * s->weight * problem_square_root(p, s, x);
    for (int m = s->first; m < s->first + s->count; m++)
      grad[p->square_var[m]] += slope * p->square_coefficient[m];
  }
  for (int t = 0; t < f->n_terms; t++)
    for (int k = 0; k < p->in.n_frames && f->terms[t]->value; k++) {
      double weight[COST_WEIGHTS];
      problem_weights_at(p, t, k, weight);
      f->terms[t]->gradient(p, k, weight, grad);
    }
}

void problem_frame_costs(struct problem *p, const double *x, double *cost)
{
  const struct formulation *f = p->in.formulation;
  problem_evaluate(p, x, 1);
  double unit = p->in.scale / p->in.n_frames;
  memset(cost, 0, (size_t)p->in.n_frames * sizeof *cost);
  for (int i = 0; i < p->n_squares; i++) {
    const struct square *s = &p->squares[i];
    double r = problem_square_root(p, s, x);
    if (s->frame >= 0)
      cost[s->frame] += s->weight * r * r / (unit * (p->in.frame_factor ? p->in.frame_factor[s->frame] : 1));
  }
  for (int t = 0; t < f->n_terms; t++)
    for (int k = 0; k < p->in.n_frames && f->terms[t]->value && !f->terms[t]->of_task; k++)
      f->terms[t]->value(p, k, p->in.weights + t * COST_WEIGHTS, &cost[k]);
}

/* ---- constraints ---- */

void problem_constraints(void *self, const double *x, double *g)
{
  struct problem *p = self;
  problem_evaluate(p, x, 1);
  for (int i = 0; i < p->n_rows; i++)
    g[i] = p->rows[i].family->value(p, &p->rows[i]);
}

void problem_visit_jacobian(const struct problem *p, visit_entry visit, void *to)
{
  for (int i = 0; i < p->n_rows; i++)
    p->rows[i].family->jacobian(p, &p->rows[i], i, visit, to);
}

static void problem_store_entry(void *to, int row, int var, double value)
{
  double **next = to;
  (void)row, (void)var;
  *(*next)++ = value;
}

void problem_jacobian(void *self, const double *x, double *values)
{
  struct problem *p = self;
  problem_evaluate(p, x, 2);
  problem_visit_jacobian(p, problem_store_entry, &values);
}

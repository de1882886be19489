/* Torques that jump where a foot touches or lifts: price_i (tau_i of k + 1 - tau_i of k)^2 / h^2 over the joints, near
 * the frames at which contacts change.
 *
 * Without it, the cheapest motion has a step in its torques wherever a foot comes down, for a foot that is about to
 * stand may be slowed down by one set of forces and held by another. Muscles cannot: it takes them some 50 ms to be
 * activated. Elsewhere torques are smooth by themselves, and the term would only cost time: it couples four frames.
 *
 * With r = tau of k + 1 - tau of k the Hessian is 2 weight (r'' r + r' r'^T): the first part as multipliers of the two
 * torques, the second as pairs of all variables of r. */
#include "spacetime/formulation.h"

/* How far from a change of contacts, in sqrt(L / g): a human's 30 ms. */
#define RATE_REACH 0.1

/* Does a contact change between frames k and k + 1? Both may be one beyond the ends of a cycle. */
static int rate_is_edge(const struct problem *p, int k)
{
  if (!p->in.cyclic && (k < 0 || k + 1 >= p->in.n_frames))
    return 0;
  for (int i = 0; i < p->n_points; i++)
    if (problem_touches(p, k, i) != problem_touches(p, k + 1, i))
      return 1;
  return 0;
}

/* Is the change of torques from frame k to the next one part of the cost? */
static int rate_counts(const struct problem *p, int k)
{
  const double *weight = formulation_weight(&p->in, "torque_rate");
  if (!weight || !(*weight > 0) || p->in.coarse)
    return 0;
  if (!problem_has_dynamics(p, k) || !(p->in.cyclic || problem_has_dynamics(p, k + 1)))
    return 0;
  int n = p->in.n_frames, reach = (int)lround(RATE_REACH / p->in.h);
  for (int m = k - reach; m <= k + reach; m++)
    if (!(p->in.cyclic && (m < -n || m >= 2 * n - 1)) && rate_is_edge(p, m))
      return 1;
  return 0;
}

/* Where torque i of the frame after k is: beyond the end of half a cycle that of the mirror image. */
struct rate_torque { int frame, dof; double sign; };
static struct rate_torque rate_next(const struct problem *p, int k, int i)
{
  if (k + 1 < p->in.n_frames)
    return (struct rate_torque){k + 1, i, 1};
  if (!p->in.mirrored)
    return (struct rate_torque){0, i, 1};
  return (struct rate_torque){0, p->in.c->dofs[i].mirror, p->in.c->dofs[i].mirror_sign};
}

static double rate_change(const struct problem *p, int k, int i)
{
  struct rate_torque next = rate_next(p, k, i);
  return next.sign * problem_torque(p, next.frame, next.dof) - problem_torque(p, k, i);
}

static double rate_price(const struct problem *p, int i, const double *weight)
{
  return weight[0] * p->in.effort[i] / (p->in.h * p->in.h);
}

static void rate_value(const struct problem *p, int k, const double *weight, double *sum)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && rate_counts(p, k); i++) {
    double r = rate_change(p, k, i);
    *sum += rate_price(p, i, weight) * r * r;
  }
}

/* The slopes of r as entries, each variable once. */
struct rate_entries {
  const struct problem *p;
  int count;
  double sign;
};

static void rate_add_entry(void *to, int row, int var, double value)
{
  struct rate_entries *e = to;
  struct slope_list *s = e->p->slopes;
  (void)row;
  if (s->place[var] < 0) {
    s->place[var] = e->count;
    s->var[e->count] = var;
    s->value[e->count++] = 0;
  }
  s->value[s->place[var]] += e->sign * value;
}

static int rate_slopes(const struct problem *p, int k, int i)
{
  struct rate_torque next = rate_next(p, k, i);
  struct rate_entries e = {p, 0, -1};
  problem_visit_torque(p, k, i, 0, rate_add_entry, &e);
  e.sign = next.sign;
  problem_visit_torque(p, next.frame, next.dof, 0, rate_add_entry, &e);
  for (int a = 0; a < e.count; a++)
    p->slopes->place[p->slopes->var[a]] = -1;
  return e.count;
}

static void rate_gradient(const struct problem *p, int k, const double *weight, double *grad)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && rate_counts(p, k); i++) {
    double factor = 2 * rate_price(p, i, weight) * rate_change(p, k, i);
    int count = rate_slopes(p, k, i);
    for (int a = 0; a < count; a++)
      grad[p->slopes->var[a]] += factor * p->slopes->value[a];
  }
}

static void rate_hand_on(struct problem *p, int k, const double *weight)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n && rate_counts(p, k); i++) {
    struct rate_torque next = rate_next(p, k, i);
    double pull = 2 * rate_price(p, i, weight) * rate_change(p, k, i);
    problem_pull_torque(p, k, i, -pull);
    problem_pull_torque(p, next.frame, next.dof, next.sign * pull);
  }
}

static void rate_pairs(const struct problem *p, int k, const double *weight, visit_pair visit, void *to)
{
  const struct slope_list *e = p->slopes;
  for (int i = CREATURE_ROOT_DOFS; i < p->n && rate_counts(p, k); i++) {
    double factor = 2 * rate_price(p, i, weight);
    int count = rate_slopes(p, k, i);
    for (int a = 0; a < count; a++)
      for (int b = 0; b <= a; b++)
        visit(to, e->var[a], e->var[b], factor * e->value[a] * e->value[b]);
  }
}

const struct cost_term cost_term_torque_rate = {
    .name = "torque rate",
    /* Off. 3e-3 takes a fifth off the largest steps and doubles the time of a human's gaits; 1e-2 over all frames
     * brings them to 40-50 % of a joint's peak in three times the time. 20 % was not reached. */
    .weights = {{"torque_rate", 0}},
    .value = rate_value,
    .gradient = rate_gradient,
    .hand_on = rate_hand_on,
    .pairs = rate_pairs,
};

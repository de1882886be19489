/* Layout of a clip's problem: variables and their bounds, then rows and terms of the families and costs of its
 * formulation, and the structure of the derivatives. */
#include "spacetime/problem.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/held.h"
#include "spacetime/limb_frames.h"

/* Pitch and roll of the root stay within this of upright: its coordinates fail at a right angle [rad]. */
#define STEEPEST_ROOT 1.2

struct place_of problem_q(const struct problem *p, int k, int i)
{
  int last = p->in.n_frames;
  if (k >= 0 && k < last)
    return (struct place_of){p->q_var[k] + i, 1};
  int frame = k < 0 ? k + last : k - last;
  if (!p->in.mirrored)
    return (struct place_of){p->q_var[frame] + i, 1};
  const struct dof *dof = &p->in.c->dofs[i];
  return (struct place_of){p->q_var[frame] + dof->mirror, dof->mirror_sign};
}

struct point_of problem_point(const struct problem *p, int k, int i)
{
  int last = p->in.n_frames;
  if (k >= 0 && k < last)
    return (struct point_of){k, i, 1};
  int frame = k < 0 ? k + last : k - last;
  if (!p->in.mirrored)
    return (struct point_of){frame, i, 1};
  return (struct point_of){frame, p->in.c->points[i].mirror, -1};
}

int problem_touches(const struct problem *p, int k, int i)
{
  struct point_of o = problem_point(p, k, i);
  return p->in.on[o.frame * p->n_points + o.point];
}

double problem_swing_share(const struct problem *p, int k, int i)
{
  int before = 0, after = 0;
  if (p->in.cyclic || problem_touches(p, k, i))
    return 1;
  while (k - before >= 0 && !problem_touches(p, k - before, i))
    before++;
  while (k + after < p->in.n_frames && !problem_touches(p, k + after, i))
    after++;
  double s = sin(PI * before / (before + after));
  return s * s;
}

double problem_leg_swing(const struct problem *p, int k, int dof)
{
  double least = 1;
  int found = 0;
  for (int c = 0; c < p->n_points; c++)
    for (int m = 0; m < p->chain_count[c] && !body_is_free_end(p->in.c, c); m++)
      if (p->chain[c * p->n + m] == dof) {
        least = fmin(least, p->in.swing[k * p->n_points + c]);
        found = 1;
      }
  return found ? least : 0;
}

/* ---- variables ---- */

static void problem_lay_out_variables(struct arena *arena, struct problem *p)
{
  int at = 0;
  p->q_var = ARENA_NEW(arena, (size_t)p->in.n_frames, int);
  p->f_var = ARENA_NEW(arena, (size_t)(p->in.n_frames * p->n_points), int);
  for (int k = 0; k < p->in.n_frames; k++) {
    p->q_var[k] = at;
    at += p->n;
    for (int i = 0; i < p->n_points; i++) {
      int on = p->in.on[k * p->n_points + i];
      p->f_var[k * p->n_points + i] = on ? at : -1;
      at += on ? 3 : 0;
    }
  }
  p->n_vars = at;
}

/* Frames of a neighbouring clip are given, the outermost one's forces too. */
static void problem_hold_frame(struct problem *p, int k)
{
  for (int i = problem_hold(p, k) == FRAME_SHIFTED ? 2 : 0; i < p->n; i++) {
    int var = p->q_var[k] + i;
    p->x_lower[var] = p->x_upper[var] = p->in.q_held[k * p->n + i];
  }
  for (int i = 0; i < p->n_points && problem_force_is_held(p, k); i++)
    for (int axis = 0; axis < 3 && problem_force_var(p, k, i) >= 0; axis++) {
      int var = problem_force_var(p, k, i) + axis;
      p->x_lower[var] = p->x_upper[var] = p->in.force_held[3 * (k * p->n_points + i) + axis];
    }
}

static double problem_clamp_bound(double v)
{
  return fmax(-NLP_INFINITY, fmin(NLP_INFINITY, v));
}

static void problem_bound_variables(struct arena *arena, struct problem *p)
{
  p->x_lower = ARENA_NEW(arena, (size_t)p->n_vars, double);
  p->x_upper = ARENA_NEW(arena, (size_t)p->n_vars, double);
  for (int v = 0; v < p->n_vars; v++)
    p->x_lower[v] = -NLP_INFINITY, p->x_upper[v] = NLP_INFINITY;
  for (int k = 0; k < p->in.n_frames; k++) {
    double *lower = p->x_lower + p->q_var[k], *upper = p->x_upper + p->q_var[k];
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
      lower[i] = problem_clamp_bound(p->in.c->dofs[i].lower);
      upper[i] = problem_clamp_bound(p->in.c->dofs[i].upper);
    }
    lower[2] = p->in.lowest_root; /* on a slope, too: a cycle keeps its place on the treadmill but for its sway */
    for (int i = 4; i < 6; i++)
      lower[i] = -STEEPEST_ROOT, upper[i] = STEEPEST_ROOT;
    for (int i = 0; i < p->n_points; i++)
      if (problem_force_var(p, k, i) >= 0)
        p->x_lower[problem_force_var(p, k, i) + 2] = 0;
    if (problem_hold(p, k) != FRAME_FREE)
      problem_hold_frame(p, k);
  }
  if (p->in.cyclic) /* where along the ground the cycle is does not matter */
    for (int i = 0; i < 2; i++)
      if (!(i == 1 && p->in.mirrored)) /* a mirrored y has its place already */
        p->x_lower[p->q_var[0] + i] = p->x_upper[p->q_var[0] + i] = 0;
}

/* ---- rows and squares ---- */

static void problem_measure_rest(struct arena *arena, struct problem *p)
{
  p->rest_side = ARENA_NEW(arena, (size_t)p->n_points, double);
  dynamics_kinematics(p->d, p->in.rest);
  for (int i = 0; i < p->n_points; i++) {
    const struct contact_point *point = &p->in.c->points[i];
    double unit = p->in.c->height, at[3] = {point->at[0] / unit, point->at[1] / unit, point->at[2] / unit}, x[3];
    dynamics_point(p->d, point->body, at, x);
    p->rest_side[i] = x[1];
  }
}

/* Family number t of the formulation adds rows now. */
static const struct row_family *problem_family_adds(struct row_list *l, int t)
{
  l->chosen = l->p->in.chosen[t];
  return l->family = l->p->in.formulation->families[t];
}

/* Frame by frame, in each the families of frames and then, point by point, those of points; last those of the clip. */
static void problem_add_rows(struct row_list *l)
{
  int n_families = l->p->in.formulation->n_families;
  for (int k = 0; k < l->p->in.n_frames; k++) {
    for (int t = 0; t < n_families; t++)
      if (problem_family_adds(l, t)->frame_rows)
        l->family->frame_rows(l, k);
    for (int i = 0; i < l->p->n_points; i++)
      for (int t = 0; t < n_families; t++)
        if (problem_family_adds(l, t)->point_rows)
          l->family->point_rows(l, k, i);
  }
  for (int t = 0; t < n_families; t++)
    if (problem_family_adds(l, t)->clip_rows)
      l->family->clip_rows(l);
}

static void problem_lay_out_rows(struct arena *arena, struct problem *p)
{
  struct row_list count = {.arena = arena, .p = p}, fill = count;
  problem_add_rows(&count);
  p->n_rows = count.count;
  fill.rows = p->rows = ARENA_NEW(arena, (size_t)p->n_rows, struct row);
  fill.lower = p->g_lower = ARENA_NEW(arena, (size_t)p->n_rows, double);
  fill.upper = p->g_upper = ARENA_NEW(arena, (size_t)p->n_rows, double);
  problem_add_rows(&fill);
}

static void problem_add_squares(struct square_list *l)
{
  const struct formulation *f = l->p->in.formulation;
  for (int k = 0; k < l->p->in.n_frames; k++)
    for (int t = 0; t < f->n_terms; t++)
      if (f->terms[t]->squares) {
        l->frame = f->terms[t]->of_task ? -1 : k;
        l->weight = l->p->in.weights + t * COST_WEIGHTS;
        f->terms[t]->squares(l, k);
      }
}

static void problem_lay_out_squares(struct arena *arena, struct problem *p)
{
  struct square_list count = {.p = p}, fill = count;
  problem_add_squares(&count);
  p->n_squares = count.n_squares;
  fill.squares = p->squares = ARENA_NEW(arena, (size_t)count.n_squares, struct square);
  fill.var = p->square_var = ARENA_NEW(arena, (size_t)count.n_vars, int);
  fill.coefficient = p->square_coefficient = ARENA_NEW(arena, (size_t)count.n_vars, double);
  problem_add_squares(&fill);
}

/* ---- relations of dofs, memory, structure ---- */

static int problem_carries(const struct creature *c, int above, int below)
{
  while (below > above)
    below = c->dofs[below].parent;
  return below == above;
}

static void problem_relate_dofs(struct arena *arena, struct problem *p)
{
  size_t n = (size_t)p->n;
  p->near_count = ARENA_NEW(arena, n, int);
  p->near = ARENA_NEW(arena, n * n, int);
  p->chain_count = ARENA_NEW(arena, (size_t)p->n_points, int);
  p->chain = ARENA_NEW(arena, (size_t)p->n_points * n, int);
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      if (problem_carries(p->in.c, i, j) || problem_carries(p->in.c, j, i))
        p->near[i * p->n + p->near_count[i]++] = j;
  for (int i = 0; i < p->n_points; i++)
    for (int j = 0; j < p->n; j++)
      if (problem_carries(p->in.c, j, p->in.c->points[i].body))
        p->chain[i * p->n + p->chain_count[i]++] = j;
}

static void problem_take_memory(struct arena *arena, struct problem *p)
{
  size_t n = (size_t)p->n, groups = (size_t)p->n_groups * DYNAMICS_LANES, points = 3 * (size_t)p->n_points;
  double **state[] = {&p->q, &p->v, &p->a, &p->tau, &p->w}, **touch[] = {&p->force, &p->lambda, &p->position};
  double **matrix[] = {&p->dq, &p->dv, &p->M};
  double **block[] = {&p->curvature.qq, &p->curvature.qv, &p->curvature.qa, &p->curvature.vv};
  double **slope[] = {&p->curvature.gq, &p->curvature.gv, &p->curvature.ga};
  double **frame[] = {&p->minus, &p->here, &p->plus};
  for (size_t i = 0; i < 5; i++)
    *state[i] = ARENA_NEW(arena, groups * n, double);
  for (size_t i = 0; i < 3; i++)
    *touch[i] = ARENA_NEW(arena, groups * points, double);
  for (size_t i = 0; i < 3; i++)
    *matrix[i] = ARENA_NEW(arena, groups * n * n, double);
  for (size_t i = 0; i < 4; i++)
    *block[i] = ARENA_NEW(arena, DYNAMICS_LANES * n * n, double);
  for (size_t i = 0; i < 3; i++)
    *slope[i] = ARENA_NEW(arena, DYNAMICS_LANES * n, double);
  for (size_t i = 0; i < 3; i++)
    *frame[i] = ARENA_NEW(arena, n * n, double);
  p->curvature.qf = ARENA_NEW(arena, DYNAMICS_LANES * points * n, double);
  p->jacobian = ARENA_NEW(arena, groups * points * n, double);
  p->local_size = 3 * p->n + 3 * p->n_points;
  p->local = ARENA_NEW(arena, (size_t)p->local_size * (size_t)p->local_size, double);
  p->seen = ARENA_NEW(arena, (size_t)p->local_size, int);
  p->slope = ARENA_NEW(arena, (size_t)p->local_size, double);
  p->x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  p->has_limb_frames = ARENA_NEW(arena, (size_t)p->in.n_frames, unsigned char);
  p->limb_frames = ARENA_NEW(arena, (size_t)p->in.n_frames * n, struct limb_frame);
  p->points = ARENA_NEW(arena, (size_t)p->n_points, int);
  for (int i = 0; i < p->n_points; i++)
    p->points[i] = i;
}

struct problem_entries {
  int *row, *col, count;
};

static void problem_count_entry(void *to, int row, int var, double value)
{
  struct problem_entries *l = to;
  (void)value;
  if (l->row) {
    l->row[l->count] = row;
    l->col[l->count] = var;
  }
  l->count++;
}

static void problem_structure_jacobian(struct arena *arena, struct problem *p)
{
  struct problem_entries l = {NULL, NULL, 0};
  problem_visit_jacobian(p, problem_count_entry, &l);
  p->n_jacobian = l.count;
  p->jacobian_row = ARENA_NEW(arena, (size_t)l.count, int);
  p->jacobian_col = ARENA_NEW(arena, (size_t)l.count, int);
  l = (struct problem_entries){p->jacobian_row, p->jacobian_col, 0};
  problem_visit_jacobian(p, problem_count_entry, &l);
}

struct problem *problem_new(struct arena *arena, const struct problem_input *in)
{
  struct problem *p = ARENA_NEW(arena, 1, struct problem);
  p->in = *in;
  p->d = dynamics_new_dimensionless(arena, in->c);
  p->n = in->c->n_dofs;
  p->n_points = in->c->n_points;
  p->n_groups = (in->n_frames + DYNAMICS_LANES - 1) / DYNAMICS_LANES;
  surface_axes(&in->ground, &p->ground);
  problem_lay_out_variables(arena, p);
  problem_bound_variables(arena, p);
  problem_measure_rest(arena, p);
  problem_relate_dofs(arena, p);
  p->held = held_new(arena, p);
  problem_lay_out_rows(arena, p);
  problem_take_memory(arena, p);
  problem_lay_out_squares(arena, p);
  problem_structure_jacobian(arena, p);
  problem_structure_hessian(arena, p);
  return p;
}

struct nlp problem_nlp(struct problem *p)
{
  return (struct nlp){.n = p->n_vars, .m = p->n_rows, .x_lower = p->x_lower, .x_upper = p->x_upper,
                      .g_lower = p->g_lower, .g_upper = p->g_upper, .n_jacobian = p->n_jacobian,
                      .n_hessian = p->n_hessian, .jacobian_row = p->jacobian_row, .jacobian_col = p->jacobian_col,
                      .hessian_row = p->hessian_row, .hessian_col = p->hessian_col, .self = p,
                      .objective = problem_objective, .gradient = problem_gradient,
                      .constraints = problem_constraints, .jacobian = problem_jacobian,
                      .hessian = problem_hessian};
}

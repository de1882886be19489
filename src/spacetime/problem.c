/* Layout of a clip's problem: variables and their bounds, constraints and theirs, the quadratic terms of the objective. */
#include "spacetime/problem.h"

#include <math.h>
#include <string.h>

#include "spacetime/body.h"

/* The cone is written with squares: near its tip a row met to 1e-8 would leave 1e-4 of sideways force. This much inside, it cannot. */
#define CONE_MARGIN 4e-8

struct weights weights_default(void)
{
  return (struct weights){.scale = 1000, .torque = 1, .height = 0.3, .orientation = 0.2, .limb = 0.01,
                          .limb_aside = 0.03, .spine = 0.04, .spine_aside = 0.2, .acceleration = 1e-4,
                          .force = 1e-3, .force_rate = 1e-3, .force_bend = 1e-5, .force_edge = 1e-2, .path = 1, .together = 1};
}

struct place_of problem_q(const struct problem *p, int k, int i)
{
  int last = p->in.n_frames;
  if (k >= 0 && k < last)
    return (struct place_of){p->q_var[k] + i, 1};
  int frame = k < 0 ? last - 1 : 0;
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
  int frame = k < 0 ? last - 1 : 0;
  if (!p->in.mirrored)
    return (struct point_of){frame, i, 1};
  return (struct point_of){frame, p->in.c->points[i].mirror, -1};
}

static int touches(const struct problem *p, int k, int i)
{
  struct point_of o = problem_point(p, k, i);
  return p->in.on[o.frame * p->n_points + o.point];
}

/* Does the clip have a frame after k, so that something can be said of the pair? */
static int has_next(const struct problem *p, int k)
{
  return p->in.cyclic || k + 1 < p->in.n_frames;
}

static enum frame_hold hold_of(const struct problem *p, int k)
{
  return p->in.hold ? p->in.hold[k] : FRAME_FREE;
}

/* Are the forces of a frame given? Those of the outermost frames: the next ones answer to frames that are free. */
static int force_is_held(const struct problem *p, int k)
{
  return p->in.hold && (k == 0 || k + 1 == p->in.n_frames);
}

/* ---- variables ---- */

static void layout_variables(struct arena *arena, struct problem *p)
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

static double clamp_bound(double v)
{
  return fmax(-NLP_INFINITY, fmin(NLP_INFINITY, v));
}

static void hold_frame(struct problem *p, int k)
{
  for (int i = hold_of(p, k) == FRAME_SHIFTED ? 2 : 0; i < p->n; i++) {
    int var = p->q_var[k] + i;
    p->x_lower[var] = p->x_upper[var] = p->in.q_held[k * p->n + i];
  }
  for (int i = 0; i < p->n_points && force_is_held(p, k); i++)
    for (int axis = 0; axis < 3 && p->f_var[k * p->n_points + i] >= 0; axis++) {
      int var = p->f_var[k * p->n_points + i] + axis;
      p->x_lower[var] = p->x_upper[var] = p->in.force_held[3 * (k * p->n_points + i) + axis];
    }
}

static void bound_variables(struct arena *arena, struct problem *p)
{
  p->x_lower = ARENA_NEW(arena, (size_t)p->n_vars, double);
  p->x_upper = ARENA_NEW(arena, (size_t)p->n_vars, double);
  for (int v = 0; v < p->n_vars; v++)
    p->x_lower[v] = -NLP_INFINITY, p->x_upper[v] = NLP_INFINITY;
  for (int k = 0; k < p->in.n_frames; k++) {
    double *lower = p->x_lower + p->q_var[k], *upper = p->x_upper + p->q_var[k];
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
      lower[i] = clamp_bound(p->in.c->dofs[i].lower);
      upper[i] = clamp_bound(p->in.c->dofs[i].upper);
    }
    lower[2] = p->in.lowest_root;
    for (int i = 4; i < 6; i++)
      lower[i] = -1.2, upper[i] = 1.2; /* pitch and roll: coordinates fail at a right angle */
    for (int i = 0; i < p->n_points; i++)
      if (p->f_var[k * p->n_points + i] >= 0)
        p->x_lower[p->f_var[k * p->n_points + i] + 2] = 0;
    if (hold_of(p, k) != FRAME_FREE)
      hold_frame(p, k);
  }
  if (p->in.cyclic) /* where along the ground the cycle is does not matter */
    for (int i = 0; i < 2; i++)
      if (!(i == 1 && p->in.mirrored)) /* a mirrored y has its place already */
        p->x_lower[p->q_var[0] + i] = p->x_upper[p->q_var[0] + i] = 0;
}

/* ---- constraints ---- */

struct row_list {
  struct problem *p;
  int count, fill;      /* fill: 0 when only counting */
};

static void add_row(struct row_list *l, struct row r, double lower, double upper)
{
  if (l->fill) {
    l->p->rows[l->count] = r;
    l->p->g_lower[l->count] = lower;
    l->p->g_upper[l->count] = upper;
  }
  l->count++;
}

/* How many points of the same body, before i, touch at frame k (and at frame k + 1 if both). */
static int rank_on_body(const struct problem *p, int k, int i, int both)
{
  int rank = 0;
  for (int j = 0; j < i; j++)
    rank += p->in.c->points[j].body == p->in.c->points[i].body && touches(p, k, j) && (!both || touches(p, k + 1, j));
  return rank;
}

/* The first point of the body that touches: a second one needs to be held only across the line between them. */
static int across_axis(const struct problem *p, int i)
{
  for (int j = 0; j < i; j++)
    if (p->in.c->points[j].body == p->in.c->points[i].body)
      return fabs(p->in.c->points[j].at[0] - p->in.c->points[i].at[0]) >=
                     fabs(p->in.c->points[j].at[1] - p->in.c->points[i].at[1])
                 ? 1
                 : 0;
  return 1;
}

/* A point on the ground: height 0, no slip to the next frame, friction cone. Of several points of one rigid body the first is held in three
 * directions, the second in two, the third in one: more would say the same twice. */
static void add_stance_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  int held = hold_of(p, k) != FRAME_FREE, next_held = has_next(p, k) && k + 1 < p->in.n_frames && hold_of(p, k + 1) != FRAME_FREE;
  if (!held && rank_on_body(p, k, i, 0) < 3)
    add_row(l, (struct row){ROW_HEIGHT, k, i, 2}, 0, 0);
  if (has_next(p, k) && touches(p, k + 1, i) && !(held && next_held)) {
    int rank = rank_on_body(p, k, i, 1);
    for (int axis = 0; axis < 2; axis++)
      if (rank == 0 || (rank == 1 && axis == across_axis(p, i)))
        add_row(l, (struct row){ROW_SLIP, k, i, axis}, -p->in.travel[axis], -p->in.travel[axis]);
  }
  if (!force_is_held(p, k))
    add_row(l, (struct row){ROW_CONE, k, i, 0}, CONE_MARGIN, NLP_INFINITY);
}

/* How far to the left of the root a point is at rest. */
static double rest_side(const struct problem *p, int i)
{
  const struct contact_point *point = &p->in.c->points[i];
  double unit = p->in.c->height, at[3] = {point->at[0] / unit, point->at[1] / unit, point->at[2] / unit}, x[3];
  dynamics_point(p->d, point->body, at, x);
  return x[1];
}

static double rest_separation(const struct problem *p, int i)
{
  return rest_side(p, i) - rest_side(p, p->in.c->points[i].mirror);
}

/* A foot keeps to its lane: legs fold to clear the ground, they do not swing around it. */
static void add_lane_row(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  double width = p->in.lane * p->in.c->feet[p->in.c->points[i].foot].leg_length / p->in.c->height;
  double side = p->in.aside ? p->in.aside[k * p->n_points + i] : rest_side(p, i);
  add_row(l, (struct row){ROW_LANE, k, i, 1}, side - width, side + width);
}

static void add_frame_rows(struct row_list *l, int k)
{
  const struct problem *p = l->p;
  const struct creature *c = p->in.c;
  if (problem_has_dynamics(p, k)) {
    for (int i = 0; i < CREATURE_ROOT_DOFS; i++)
      add_row(l, (struct row){ROW_ROOT, k, i, 0}, 0, 0);
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
      double limit = c->dofs[i].torque_max / (c->mass * CREATURE_GRAVITY * c->height);
      if (p->in.limited[i])
        add_row(l, (struct row){ROW_TORQUE, k, i, 0}, -limit, limit);
    }
  }
  int held = hold_of(p, k) != FRAME_FREE;
  for (int i = 0; i < p->n_points; i++) {
    if (p->in.on[k * p->n_points + i])
      add_stance_rows(l, k, i);
    else if (!held)
      add_row(l, (struct row){ROW_SWING, k, i, 2}, p->in.clearance[k * p->n_points + i], NLP_INFINITY);
    int other = c->points[i].mirror, down = p->in.on[k * p->n_points + i], other_down = p->in.on[k * p->n_points + other];
    if (held || body_is_free_end(c, i))
      continue;
    if (!down) /* a foot on the ground is where it came down */
      add_lane_row(l, k, i);
    double apart = other > i && !(down && other_down) ? rest_separation(p, i) : 0;
    if (apart > 0)
      add_row(l, (struct row){ROW_APART, k, i, 1}, p->in.apart * apart, NLP_INFINITY);
  }
}

/* The last two frames may be anywhere on the ground, but together. */
static void add_link_rows(struct row_list *l)
{
  const struct problem *p = l->p;
  int k = p->in.n_frames - 2;
  for (int i = 0; i < 2 && hold_of(p, k) == FRAME_SHIFTED; i++) {
    double step = p->in.q_held[(k + 1) * p->n + i] - p->in.q_held[k * p->n + i];
    add_row(l, (struct row){ROW_LINK, k, i, i}, step, step);
  }
}

static void layout_rows(struct arena *arena, struct problem *p)
{
  dynamics_kinematics(p->d, p->in.rest); /* for rest_side() */
  for (int fill = 0; fill < 2; fill++) {
    struct row_list l = {p, 0, fill};
    for (int k = 0; k < p->in.n_frames; k++)
      add_frame_rows(&l, k);
    add_link_rows(&l);
    p->n_rows = l.count;
    if (!fill) {
      p->rows = ARENA_NEW(arena, (size_t)l.count, struct row);
      p->g_lower = ARENA_NEW(arena, (size_t)l.count, double);
      p->g_upper = ARENA_NEW(arena, (size_t)l.count, double);
    }
  }
}

/* ---- quadratic terms ---- */

struct term_list {
  struct problem *p;
  int terms, vars, fill;
  int frame;            /* whose terms are being added, -1: the task's */
};

static void add_term(struct term_list *l, double weight, double target, int count, const int *var,
                     const double *coefficient)
{
  struct problem *p = l->p;
  if (l->fill) {
    double factor = l->frame >= 0 && p->in.frame_factor ? p->in.frame_factor[l->frame] : 1;
    p->terms[l->terms] = (struct linear_term){l->frame, l->vars, count,
                                              factor * weight * p->in.weights.scale / p->in.n_frames, target};
    memcpy(p->term_var + l->vars, var, (size_t)count * sizeof *var);
    memcpy(p->term_coefficient + l->vars, coefficient, (size_t)count * sizeof *coefficient);
  }
  l->terms++;
  l->vars += count;
}

/* Bending in the plane of travel is what joints are for; a trunk that bends sideways or twists looks ill. */
static double posture_weight(const struct problem *p, int i)
{
  const struct dof *dof = &p->in.c->dofs[i];
  const struct weights *w = &p->in.weights;
  int aside = fabs(dof->axis[1]) < 0.7, spine = dof->mirror == i;
  return spine ? aside ? w->spine_aside : w->spine : aside ? w->limb_aside : w->limb;
}

/* Left and right alike: otherwise one leg of a hopper learns to do the work of both. */
static void add_together_term(struct term_list *l, int k, int i)
{
  const struct problem *p = l->p;
  const struct dof *dof = &p->in.c->dofs[i];
  const int var[2] = {p->q_var[k] + i, p->q_var[k] + dof->mirror};
  const double coefficient[2] = {1, -dof->mirror_sign};
  if (dof->mirror > i)
    add_term(l, p->in.weights.together, 0, 2, var, coefficient);
  else if (dof->mirror == i && dof->mirror_sign < 0)
    add_term(l, p->in.weights.together, 0, 1, var, coefficient);
}

static void add_posture_terms(struct term_list *l, int k)
{
  const struct problem *p = l->p;
  const struct weights *w = &p->in.weights;
  const double one = 1, h2 = p->in.h * p->in.h;
  for (int i = 2; i < p->n; i++) {
    int v = p->q_var[k] + i;
    int turning = i >= 3 && i < CREATURE_ROOT_DOFS;
    double target = i == 3 ? p->in.heading[k] : turning ? 0 : i == 2 ? 1 : p->in.rest[i];
    add_term(l, turning ? w->orientation : i == 2 ? w->height : posture_weight(p, i), target, 1, &v, &one);
  }
  for (int i = 1; i < p->n && p->in.together; i++)
    add_together_term(l, k, i);
  for (int i = 0; i < 2 && p->in.path; i++) {
    int v = p->q_var[k] + i;
    add_term(l, w->path, p->in.path[2 * k + i], 1, &v, &one);
  }
  if (!problem_has_dynamics(p, k))
    return;
  for (int i = 0; i < p->n; i++) {
    struct place_of o[3] = {problem_q(p, k - 1, i), problem_q(p, k, i), problem_q(p, k + 1, i)};
    const int var[3] = {o[0].var, o[1].var, o[2].var};
    const double coefficient[3] = {o[0].sign / h2, -2 * o[1].sign / h2, o[2].sign / h2};
    add_term(l, w->acceleration, 0, 3, var, coefficient);
  }
}

/* The bend of a force over three frames, 0 where the foot is in the air: it is what linear forces and smooth motion disagree about between frames. */
static void add_bend_term(struct term_list *l, int k, int i, int axis)
{
  const struct problem *p = l->p;
  double h2 = p->in.h * p->in.h, coefficient[3] = {-2 / h2};
  int var[3] = {p->f_var[k * p->n_points + i] + axis}, count = 1;
  for (int side = -1; side <= 1; side += 2) {
    int at = k + side;
    if (!p->in.cyclic && (at < 0 || at >= p->in.n_frames))
      return;
    struct point_of o = problem_point(p, at, i);
    int first = p->f_var[o.frame * p->n_points + o.point];
    if (first < 0)
      continue;
    var[count] = first + axis;
    coefficient[count++] = (axis == 1 ? o.y_sign : 1) / h2;
  }
  add_term(l, p->in.weights.force_bend, 0, count, var, coefficient);
}

/* Does another point of the foot carry on where this one comes or goes, as when a heel rises? */
static int rolls_over(const struct problem *p, int k, int i, int came, int stays)
{
  const struct foot *f = &p->in.c->feet[p->in.c->points[i].foot];
  int before = 0, after = 0;
  for (int j = f->first_point; j < f->first_point + f->n_points; j++) {
    before |= (p->in.cyclic || k > 0) && touches(p, k - 1, j);
    after |= (p->in.cyclic || k + 1 < p->in.n_frames) && touches(p, k + 1, j);
  }
  return (came || before) && (stays || after);
}

static void add_force_terms(struct term_list *l, int k, int i)
{
  const struct problem *p = l->p;
  const struct weights *w = &p->in.weights;
  struct point_of next = problem_point(p, k + 1, i);
  int last = p->in.cyclic || k + 1 < p->in.n_frames;
  int stays = last && touches(p, k + 1, i), came = (p->in.cyclic || k > 0) && touches(p, k - 1, i);
  int edges = (p->in.cyclic || k > 0 ? !came : 0) + (last ? !stays : 0);
  int foot_stays = edges && rolls_over(p, k, i, came, stays);
  for (int axis = 0; axis < 3; axis++) {
    const double one = 1, h = p->in.h;
    int var[2] = {p->f_var[k * p->n_points + i] + axis, 0};
    add_term(l, w->force, 0, 1, var, &one);
    add_bend_term(l, k, i, axis);
    if (edges)
      add_term(l, (foot_stays ? 0.1 : 1) * edges * w->force_edge / (h * h), 0, 1, var, &one);
    if (stays) {
      var[1] = p->f_var[next.frame * p->n_points + next.point] + axis;
      add_term(l, w->force_rate, 0, 2, var, (const double[2]){-1 / h, (axis == 1 ? next.y_sign : 1) / h});
    }
  }
}

/* Pulls towards what will be asked: velocity by central differences, and the torso's yaw. */
static void add_task_terms(struct term_list *l, int k)
{
  const struct problem *p = l->p;
  const struct task_pull *t = &p->in.task[k];
  const double one = 1;
  int yaw = p->q_var[k] + 3;
  if (t->torso_weight > 0)
    add_term(l, t->torso_weight, t->torso, 1, &yaw, &one);
  for (int i = 0; i < 2 && t->velocity_weight > 0 && problem_has_dynamics(p, k); i++) {
    struct place_of before = problem_q(p, k - 1, i), after = problem_q(p, k + 1, i);
    double c1 = 1 / (2 * p->in.h), ground = p->in.travel[i] / p->in.h;
    add_term(l, t->velocity_weight, t->velocity[i] - ground, 2, (const int[2]){before.var, after.var},
             (const double[2]){-c1 * before.sign, c1 * after.sign});
  }
}

static void layout_terms(struct arena *arena, struct problem *p)
{
  for (int fill = 0; fill < 2; fill++) {
    struct term_list l = {p, 0, 0, fill, 0};
    for (int k = 0; k < p->in.n_frames; k++) {
      l.frame = -1;
      if (p->in.task)
        add_task_terms(&l, k);
      l.frame = k;
      add_posture_terms(&l, k);
      for (int i = 0; i < p->n_points; i++)
        if (p->f_var[k * p->n_points + i] >= 0)
          add_force_terms(&l, k, i);
    }
    p->n_terms = l.terms;
    if (!fill) {
      p->terms = ARENA_NEW(arena, (size_t)l.terms, struct linear_term);
      p->term_var = ARENA_NEW(arena, (size_t)l.vars, int);
      p->term_coefficient = ARENA_NEW(arena, (size_t)l.vars, double);
    }
  }
}

/* ---- relations of dofs, memory, structure ---- */

static int carries(const struct creature *c, int above, int below)
{
  while (below > above)
    below = c->dofs[below].parent;
  return below == above;
}

static void relate_dofs(struct arena *arena, struct problem *p)
{
  size_t n = (size_t)p->n;
  p->near_count = ARENA_NEW(arena, n, int);
  p->near = ARENA_NEW(arena, n * n, int);
  p->chain_count = ARENA_NEW(arena, (size_t)p->n_points, int);
  p->chain = ARENA_NEW(arena, (size_t)p->n_points * n, int);
  for (int i = 0; i < p->n; i++)
    for (int j = 0; j < p->n; j++)
      if (carries(p->in.c, i, j) || carries(p->in.c, j, i))
        p->near[i * p->n + p->near_count[i]++] = j;
  for (int i = 0; i < p->n_points; i++)
    for (int j = 0; j < p->n; j++)
      if (carries(p->in.c, j, p->in.c->points[i].body))
        p->chain[i * p->n + p->chain_count[i]++] = j;
}

static void take_memory(struct arena *arena, struct problem *p)
{
  size_t n = (size_t)p->n, groups = (size_t)p->n_groups * DYNAMICS_LANES, points = 3 * (size_t)p->n_points;
  double **state[] = {&p->q, &p->v, &p->a, &p->tau, &p->w}, **touch[] = {&p->force, &p->lambda, &p->position};
  double **matrix[] = {&p->dq, &p->dv, &p->M};
  double **block[] = {&p->curvature.qq, &p->curvature.qv, &p->curvature.qa, &p->curvature.vv};
  double **slope[] = {&p->curvature.gq, &p->curvature.gv, &p->curvature.ga}, **frame[] = {&p->minus, &p->here, &p->plus};
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
  p->x_seen = ARENA_NEW(arena, (size_t)p->n_vars, double);
  p->points = ARENA_NEW(arena, (size_t)p->n_points, int);
  for (int i = 0; i < p->n_points; i++)
    p->points[i] = i;
}

struct entry_list {
  int *row, *col, count;
};

static void count_entry(void *to, int row, int var, double value)
{
  struct entry_list *l = to;
  (void)value;
  if (l->row) {
    l->row[l->count] = row;
    l->col[l->count] = var;
  }
  l->count++;
}

static void structure_jacobian(struct arena *arena, struct problem *p)
{
  struct entry_list l = {NULL, NULL, 0};
  problem_visit_jacobian(p, count_entry, &l);
  p->n_jacobian = l.count;
  p->jacobian_row = ARENA_NEW(arena, (size_t)l.count, int);
  p->jacobian_col = ARENA_NEW(arena, (size_t)l.count, int);
  l = (struct entry_list){p->jacobian_row, p->jacobian_col, 0};
  problem_visit_jacobian(p, count_entry, &l);
}

struct problem *problem_new(struct arena *arena, const struct problem_input *in)
{
  struct problem *p = ARENA_NEW(arena, 1, struct problem);
  p->in = *in;
  p->d = dynamics_new_dimensionless(arena, in->c);
  p->n = in->c->n_dofs;
  p->n_points = in->c->n_points;
  p->n_groups = (in->n_frames + DYNAMICS_LANES - 1) / DYNAMICS_LANES;
  layout_variables(arena, p);
  bound_variables(arena, p);
  layout_rows(arena, p);
  layout_terms(arena, p);
  relate_dofs(arena, p);
  take_memory(arena, p);
  structure_jacobian(arena, p);
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

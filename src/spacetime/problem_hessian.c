/* The exact Hessian of the Lagrangian (doc/spacetime.md). Frame by frame: the curvature of inverse dynamics and of the feet's positions, weighted by the
 * multipliers, and the square of the torques' slopes, gathered in a small dense matrix over (q of frame k-1, q of k, q of k+1, forces of k)
 * and scattered to the sparse one. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "spacetime/problem.h"

/* ---- structure ---- */

/* A set of pairs of variables, hashed: open addressing, grown when half full. */
struct pair_set {
  struct arena *memory; /* its own: all of it is needed while the structure is laid out, none after */
  uint64_t *keys;       /* key + 1, 0 when free */
  int *slots;
  size_t size;          /* power of two         */
  int count;
};

static size_t find_key(const struct pair_set *s, uint64_t key)
{
  size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (s->size - 1);
  while (s->keys[at] && s->keys[at] != key + 1)
    at = (at + 1) & (s->size - 1);
  return at;
}

static void pair_set_init(struct pair_set *s, size_t size)
{
  s->memory = arena_new();
  s->keys = ARENA_NEW(s->memory, size, uint64_t);
  s->slots = ARENA_NEW(s->memory, size, int);
  s->size = size;
}

static void grow(struct pair_set *s)
{
  struct pair_set old = *s;
  pair_set_init(s, old.size * 2);
  for (size_t i = 0; i < old.size; i++)
    if (old.keys[i]) {
      size_t at = find_key(s, old.keys[i] - 1);
      s->keys[at] = old.keys[i];
      s->slots[at] = old.slots[i];
    }
  arena_free(old.memory);
}

/* The entry for variables a and b: the same for b and a. */
static int slot_of(struct pair_set *s, int a, int b)
{
  uint64_t high = (uint64_t)(a > b ? a : b), low = (uint64_t)(a > b ? b : a), key = high << 32 | low;
  if (2 * (size_t)s->count >= s->size)
    grow(s);
  size_t at = find_key(s, key);
  if (!s->keys[at]) {
    s->keys[at] = key + 1;
    s->slots[at] = s->count++;
  }
  return s->slots[at];
}

/* Which pairs of local variables of a frame can have an entry: those that some joint torque, or the root's balance, sees together. */
static void couple_locals(const struct problem *p, int k, unsigned char *coupled)
{
  int n = p->n, size = p->local_size, *seen = p->seen;
  memset(coupled, 0, (size_t)size * (size_t)size);
  for (int i = 0; i < n; i++) {
    int count = 0;
    for (int m = 0; m < p->near_count[i]; m++)
      for (int block = 0; block < 3 && i >= CREATURE_ROOT_DOFS; block++)
        seen[count++] = block * n + p->near[i * n + m];
    for (int c = 0; c < p->n_points; c++)
      for (int m = 0; m < p->chain_count[c] && p->f_var[k * p->n_points + c] >= 0 && i >= CREATURE_ROOT_DOFS; m++)
        if (p->chain[c * n + m] == i)
          for (int axis = 0; axis < 3; axis++)
            seen[count++] = 3 * n + 3 * c + axis;
    for (int a = 0; a < count; a++)
      for (int b = 0; b < count; b++)
        if (seen[a] >= seen[b])
          coupled[(size_t)seen[a] * (size_t)size + (size_t)seen[b]] = 1;
  }
}

static struct place_of local_place(const struct problem *p, int k, int local)
{
  int n = p->n;
  if (local < 3 * n)
    return problem_q(p, k - 1 + local / n, local % n);
  int c = (local - 3 * n) / 3, axis = (local - 3 * n) % 3;
  return (struct place_of){p->f_var[k * p->n_points + c] + axis, 1};
}

/* Frames at the ends of a clip that is not cyclic have no neighbours: only the curvature of their feet's positions remains. */
static int end_local(const struct problem *p, int local)
{
  return local >= p->n && local < 2 * p->n;
}

static void scatter_frame(struct problem *p, int k, const unsigned char *coupled, struct pair_set *set,
                          struct scatter **next)
{
  int size = p->local_size;
  for (int a = 0; a < size; a++)
    for (int b = 0; b <= a; b++) {
      if (!coupled[(size_t)a * (size_t)size + (size_t)b])
        continue;
      if (!problem_has_dynamics(p, k) && !(end_local(p, a) && end_local(p, b)))
        continue;
      struct place_of pa = local_place(p, k, a), pb = local_place(p, k, b);
      *(*next)++ = (struct scatter){a * size + b, slot_of(set, pa.var, pb.var), pa.sign * pb.sign};
    }
}

static void structure_frames(struct arena *arena, struct problem *p, struct pair_set *set)
{
  size_t size = (size_t)p->local_size, total = 0;
  unsigned char *coupled = ARENA_NEW(arena, size * size, unsigned char);
  p->scatter_first = ARENA_NEW(arena, (size_t)p->in.n_frames + 1, int);
  for (int k = 0; k < p->in.n_frames; k++) { /* an upper bound first: memory is cheap, a second pass is not */
    couple_locals(p, k, coupled);
    for (size_t i = 0; i < size * size; i++)
      total += coupled[i];
  }
  p->scatter = ARENA_NEW(arena, total, struct scatter);
  struct scatter *next = p->scatter;
  for (int k = 0; k < p->in.n_frames; k++) {
    p->scatter_first[k] = (int)(next - p->scatter);
    couple_locals(p, k, coupled);
    scatter_frame(p, k, coupled, set, &next);
  }
  p->scatter_first[p->in.n_frames] = (int)(next - p->scatter);
}

static void structure_cones(struct arena *arena, struct problem *p, struct pair_set *set)
{
  int count = p->in.n_frames * p->n_points;
  p->cone_slot = ARENA_NEW(arena, 3 * (size_t)count, int);
  for (int i = 0; i < count; i++)
    for (int axis = 0; axis < 3 && p->f_var[i] >= 0; axis++)
      p->cone_slot[3 * i + axis] = slot_of(set, p->f_var[i] + axis, p->f_var[i] + axis);
}

/* Visits the products of each quadratic term; the second time their weights are summed. */
static void structure_terms(struct problem *p, struct pair_set *set, double *sums)
{
  for (int i = 0; i < p->n_terms; i++) {
    const struct linear_term *t = &p->terms[i];
    for (int a = t->first; a < t->first + t->count; a++)
      for (int b = t->first; b <= a; b++) {
        int slot = slot_of(set, p->term_var[a], p->term_var[b]);
        if (sums)
          sums[slot] += 2 * t->weight * p->term_coefficient[a] * p->term_coefficient[b];
      }
  }
}

void problem_structure_hessian(struct arena *arena, struct problem *p)
{
  struct pair_set set = {.count = 0};
  pair_set_init(&set, 1 << 16);
  structure_frames(arena, p, &set);
  structure_cones(arena, p, &set);
  structure_terms(p, &set, NULL);
  p->n_hessian = set.count;
  p->hessian_row = ARENA_NEW(arena, (size_t)set.count, int);
  p->hessian_col = ARENA_NEW(arena, (size_t)set.count, int);
  for (size_t i = 0; i < set.size; i++)
    if (set.keys[i]) {
      p->hessian_row[set.slots[i]] = (int)((set.keys[i] - 1) >> 32);
      p->hessian_col[set.slots[i]] = (int)((set.keys[i] - 1) & 0xffffffff);
    }
  p->constant_hessian = ARENA_NEW(arena, (size_t)set.count, double);
  structure_terms(p, &set, p->constant_hessian);
  arena_free(set.memory);
}

/* ---- values ---- */

static double *lane_at(double *array, size_t size, int k, int i)
{
  return &array[((size_t)(k / DYNAMICS_LANES) * size + (size_t)i) * DYNAMICS_LANES + (size_t)(k % DYNAMICS_LANES)];
}

static void pull_position(struct problem *p, int k, int point, int axis, double lambda)
{
  struct point_of o = problem_point(p, k, point);
  *lane_at(p->lambda, 3 * (size_t)p->n_points, o.frame, 3 * o.point + axis) += axis == 1 ? o.y_sign * lambda : lambda;
}

/* Multipliers to where they act: on torques (w) and on positions (lambda). */
static void distribute_row(struct problem *p, const struct row *r, double lambda)
{
  switch (r->family) {
  case ROW_ROOT:
  case ROW_TORQUE: *lane_at(p->w, (size_t)p->n, r->frame, r->index) += lambda; break;
  case ROW_HEIGHT:
  case ROW_SWING: pull_position(p, r->frame, r->index, 2, lambda); break;
  case ROW_SLIP:
    pull_position(p, r->frame + 1, r->index, r->axis, lambda);
    pull_position(p, r->frame, r->index, r->axis, -lambda);
    break;
  case ROW_LANE:
  case ROW_APART: {
    double s[2];
    problem_sideways(p, r->frame, s);
    for (int axis = 0; axis < 2; axis++) {
      pull_position(p, r->frame, r->index, axis, s[axis] * lambda);
      if (r->family == ROW_APART)
        pull_position(p, r->frame, p->in.c->points[r->index].mirror, axis, -s[axis] * lambda);
    }
    break;
  }
  default: break;
  }
}

static void distribute_multipliers(struct problem *p, double sigma, const double *lambda)
{
  size_t states = (size_t)p->n_groups * DYNAMICS_LANES, n = (size_t)p->n;
  memset(p->w, 0, states * n * sizeof *p->w);
  memset(p->lambda, 0, states * 3 * (size_t)p->n_points * sizeof *p->lambda);
  for (int k = 0; k < p->in.n_frames; k++)
    for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_has_dynamics(p, k); i++)
      *lane_at(p->w, n, k, i) = 2 * sigma * problem_torque_weight(p, k) * problem_value(p->tau, n, k, (size_t)i);
  for (int i = 0; i < p->n_rows; i++)
    distribute_row(p, &p->rows[i], lambda[i]);
}

/* Slopes of all torques of frame k by q of the frame before, the frame itself, and the one after. */
static void frame_slopes(struct problem *p, int k)
{
  size_t n = (size_t)p->n, nn = n * n;
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    for (int m = 0; m < p->near_count[i]; m++) {
      size_t at = (size_t)i * n + (size_t)p->near[i * p->n + m];
      double dq = problem_value(p->dq, nn, k, at), dv = problem_value(p->dv, nn, k, at), M = problem_value(p->M, nn, k, at);
      p->minus[at] = c2 * M - c1 * dv;
      p->here[at] = dq - 2 * c2 * M;
      p->plus[at] = c2 * M + c1 * dv;
    }
}

/* Adds weight * (slope of torque i) (slope of torque i)^T. */
static void add_torque_square(struct problem *p, int k, int i, double weight)
{
  int n = p->n, size = p->local_size, count = 0, *index = p->seen;
  double *slope = p->slope;
  const double *blocks[3] = {p->minus, p->here, p->plus};
  for (int block = 0; block < 3; block++)
    for (int m = 0; m < p->near_count[i]; m++) {
      int j = p->near[i * n + m];
      index[count] = block * n + j;
      slope[count++] = blocks[block][i * n + j];
    }
  for (int c = 0; c < p->n_points; c++)
    for (int m = 0; m < p->chain_count[c] && p->f_var[k * p->n_points + c] >= 0; m++)
      if (p->chain[c * n + m] == i)
        for (int axis = 0; axis < 3; axis++) {
          index[count] = 3 * n + 3 * c + axis;
          slope[count++] = -problem_value(p->jacobian, (size_t)(3 * p->n_points * n), k, (size_t)((3 * c + axis) * n + i));
        }
  for (int a = 0; a < count; a++) { /* index grows with a, so b <= a is the lower triangle */
    double *row = p->local + (size_t)index[a] * (size_t)size, s = weight * slope[a];
    for (int b = 0; b <= a; b++)
      row[index[b]] += s * slope[b];
  }
}

/* Curvature of w . torques + lambda . positions: blocks in time by the chain rule through v and a. */
static void add_curvature(struct problem *p, int k)
{
  int n = p->n, size = p->local_size, lane = k % DYNAMICS_LANES;
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  const struct dynamics_curvature *o = &p->curvature;
  double *minus = p->local, *here = p->local + (size_t)n * (size_t)size, *plus = p->local + 2 * (size_t)n * (size_t)size;
  int active = problem_has_dynamics(p, k);
  for (int i = 0; i < n; i++)
    for (int m = 0; m < p->near_count[i]; m++) {
      int j = p->near[i * n + m];
      size_t ij = (size_t)(DYNAMICS_LANES * (i * n + j) + lane), ji = (size_t)(DYNAMICS_LANES * (j * n + i) + lane);
      size_t row = (size_t)i * (size_t)size;
      if (!active) {
        if (j <= i)
          here[row + (size_t)(n + j)] += o->qq[ij];
        continue;
      }
      if (j <= i) { /* lower triangles of the diagonal blocks */
        here[row + (size_t)(n + j)] += o->qq[ij] - 2 * c2 * (o->qa[ij] + o->qa[ji]);
        minus[row + (size_t)j] += c1 * c1 * o->vv[ij];
        plus[row + (size_t)(2 * n + j)] += c1 * c1 * o->vv[ij];
      }
      here[row + (size_t)j] += c2 * o->qa[ij] - c1 * o->qv[ij];           /* (q_i of k, q_j of k - 1) */
      plus[row + (size_t)(n + j)] += c2 * o->qa[ji] + c1 * o->qv[ji];     /* (q_i of k + 1, q_j of k) */
      plus[row + (size_t)j] -= c1 * c1 * o->vv[ij];                       /* (q_i of k + 1, q_j of k - 1) */
    }
  for (int c = 0; c < p->n_points && active; c++)
    for (int m = 0; m < p->chain_count[c] && p->f_var[k * p->n_points + c] >= 0; m++) {
      int j = p->chain[c * n + m];
      for (int axis = 0; axis < 3 && j >= 3; axis++)
        p->local[(size_t)(3 * n + 3 * c + axis) * (size_t)size + (size_t)(n + j)] +=
            o->qf[((size_t)(c * n + j) * 3 + (size_t)axis) * DYNAMICS_LANES + (size_t)lane];
    }
}

static void group_curvature(struct problem *p, int g)
{
  size_t state = (size_t)g * DYNAMICS_LANES * (size_t)p->n, points = (size_t)g * DYNAMICS_LANES * 3 * (size_t)p->n_points;
  struct dynamics_contacts contacts = {p->n_points, p->points, p->force + points, p->lambda + points};
  dynamics_curvature_x4(p->d, p->q + state, p->v + state, p->a + state, p->w + state, &contacts, &p->curvature);
}

static void add_frame(struct problem *p, int k, double torque_weight, double *values)
{
  for (int e = p->scatter_first[k]; e < p->scatter_first[k + 1]; e++)
    p->local[p->scatter[e].local] = 0;
  if (problem_has_dynamics(p, k)) {
    frame_slopes(p, k);
    for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
      add_torque_square(p, k, i, 2 * torque_weight);
  }
  add_curvature(p, k);
  for (int e = p->scatter_first[k]; e < p->scatter_first[k + 1]; e++)
    values[p->scatter[e].slot] += p->scatter[e].sign * p->local[p->scatter[e].local];
}

void problem_hessian(void *self, const double *x, double sigma, const double *lambda, double *values)
{
  struct problem *p = self;
  problem_evaluate(p, x, 2);
  distribute_multipliers(p, sigma, lambda);
  for (int e = 0; e < p->n_hessian; e++)
    values[e] = sigma * p->constant_hessian[e];
  for (int k = 0; k < p->in.n_frames; k++) {
    if (k % DYNAMICS_LANES == 0)
      group_curvature(p, k / DYNAMICS_LANES);
    add_frame(p, k, sigma * problem_torque_weight(p, k), values);
  }
  double mu2 = p->in.friction * p->in.friction;
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].family == ROW_CONE) {
      const int *slot = p->cone_slot + 3 * (p->rows[i].frame * p->n_points + p->rows[i].index);
      values[slot[0]] -= 2 * lambda[i];
      values[slot[1]] -= 2 * lambda[i];
      values[slot[2]] += 2 * mu2 * lambda[i];
    }
}

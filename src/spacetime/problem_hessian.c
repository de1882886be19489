/* The exact Hessian of the Lagrangian (doc/spacetime.md). Frame by frame: the curvature of inverse dynamics and of the
 * feet's positions, weighted by the multipliers, and the square of the torques' slopes, gathered in a small dense
 * matrix over (q of frame k-1, q of k, q of k+1, forces of k) and scattered to the sparse one. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "spacetime/formulation.h"

/* ---- structure ---- */

/* A set of pairs of variables, hashed: open addressing, grown when half full. */
struct pair_set {
  struct arena *memory; /* its own: all of it is needed while the structure is laid out, none after */
  uint64_t *keys;       /* key + 1, 0 when free */
  int *slots;
  size_t size;          /* power of two         */
  int count;
};

static size_t pair_set_find(const struct pair_set *s, uint64_t key)
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

static void pair_set_grow(struct pair_set *s)
{
  struct pair_set old = *s;
  pair_set_init(s, old.size * 2);
  for (size_t i = 0; i < old.size; i++)
    if (old.keys[i]) {
      size_t at = pair_set_find(s, old.keys[i] - 1);
      s->keys[at] = old.keys[i];
      s->slots[at] = old.slots[i];
    }
  arena_free(old.memory);
}

/* The entry for variables a and b: the same for b and a. */
static int pair_set_slot(struct pair_set *s, int a, int b)
{
  uint64_t high = (uint64_t)(a > b ? a : b), low = (uint64_t)(a > b ? b : a), key = high << 32 | low;
  if (2 * (size_t)s->count >= s->size)
    pair_set_grow(s);
  size_t at = pair_set_find(s, key);
  if (!s->keys[at]) {
    s->keys[at] = key + 1;
    s->slots[at] = s->count++;
  }
  return s->slots[at];
}

/* Which pairs of local variables of a frame can have an entry: those that some joint torque, or the root's balance,
 * sees together. */
static void hessian_couple_locals(const struct problem *p, int k, unsigned char *coupled)
{
  int n = p->n, size = p->local_size, *seen = p->seen;
  memset(coupled, 0, (size_t)size * (size_t)size);
  for (int i = CREATURE_ROOT_DOFS; i < n; i++) {
    int count = 0;
    for (int m = 0; m < p->near_count[i]; m++)
      for (int block = 0; block < 3; block++)
        seen[count++] = block * n + p->near[i * n + m];
    for (int c = 0; c < p->n_points; c++)
      for (int m = 0; m < p->chain_count[c] && problem_force_var(p, k, c) >= 0; m++)
        if (p->chain[c * n + m] == i)
          for (int axis = 0; axis < 3; axis++)
            seen[count++] = 3 * n + 3 * c + axis;
    for (int a = 0; a < count; a++)
      for (int b = 0; b < count; b++)
        if (seen[a] >= seen[b])
          coupled[(size_t)seen[a] * (size_t)size + (size_t)seen[b]] = 1;
  }
}

static struct place_of hessian_local_place(const struct problem *p, int k, int local)
{
  int n = p->n;
  if (local < 3 * n)
    return problem_q(p, k - 1 + local / n, local % n);
  int c = (local - 3 * n) / 3, axis = (local - 3 * n) % 3;
  return (struct place_of){problem_force_var(p, k, c) + axis, 1};
}

/* Frames at the ends of a clip that is not cyclic have no neighbours: only the curvature of their feet's positions
 * remains. */
static int hessian_is_here(const struct problem *p, int local)
{
  return local >= p->n && local < 2 * p->n;
}

static void hessian_scatter_frame(struct problem *p, int k, const unsigned char *coupled, struct pair_set *set,
                                  struct scatter **next)
{
  int size = p->local_size;
  for (int a = 0; a < size; a++)
    for (int b = 0; b <= a; b++) {
      if (!coupled[(size_t)a * (size_t)size + (size_t)b])
        continue;
      if (!problem_has_dynamics(p, k) && !(hessian_is_here(p, a) && hessian_is_here(p, b)))
        continue;
      struct place_of pa = hessian_local_place(p, k, a), pb = hessian_local_place(p, k, b);
      *(*next)++ = (struct scatter){a * size + b, pair_set_slot(set, pa.var, pb.var), pa.sign * pb.sign};
    }
}

/* Do the same points touch at frame k as at the one before? Then the same variables are coupled. */
static int hessian_touches_as_before(const struct problem *p, int k)
{
  size_t n = (size_t)p->n_points;
  return k > 0 && memcmp(p->in.on + (size_t)k * n, p->in.on + (size_t)(k - 1) * n, n) == 0;
}

static void hessian_structure_frames(struct arena *arena, struct problem *p, struct pair_set *set)
{
  size_t size = (size_t)p->local_size, total = 0, of_frame = 0;
  unsigned char *coupled = ARENA_NEW(arena, size * size, unsigned char);
  p->scatter_first = ARENA_NEW(arena, (size_t)p->in.n_frames + 1, int);
  for (int k = 0; k < p->in.n_frames; k++) { /* an upper bound first: memory is cheap, a second pass is not */
    if (!hessian_touches_as_before(p, k)) {
      hessian_couple_locals(p, k, coupled);
      of_frame = 0;
      for (size_t i = 0; i < size * size; i++)
        of_frame += coupled[i];
    }
    total += of_frame;
  }
  p->scatter = ARENA_NEW(arena, total, struct scatter);
  struct scatter *next = p->scatter;
  for (int k = 0; k < p->in.n_frames; k++) {
    p->scatter_first[k] = (int)(next - p->scatter);
    if (!hessian_touches_as_before(p, k))
      hessian_couple_locals(p, k, coupled);
    hessian_scatter_frame(p, k, coupled, set, &next);
  }
  p->scatter_first[p->in.n_frames] = (int)(next - p->scatter);
}

/* Pairs of variables that rows and cost terms visit get a slot each, in the order of the visits. */
struct pair_slots {
  struct pair_set *set;
  int *slot, count;     /* slot: NULL while counting */
};

static void hessian_slot_pair(void *to, int a, int b, double value)
{
  struct pair_slots *s = to;
  (void)value;
  if (s->slot)
    s->slot[s->count] = pair_set_slot(s->set, a, b);
  s->count++;
}

static void hessian_visit_row_pairs(const struct problem *p, struct pair_slots *to)
{
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].family->pairs)
      p->rows[i].family->pairs(p, &p->rows[i], hessian_slot_pair, to);
}

static void hessian_visit_term_pairs(const struct problem *p, struct pair_slots *to)
{
  const struct formulation *f = p->in.formulation;
  const double weight[COST_WEIGHTS] = {0};
  for (int t = 0; t < f->n_terms; t++)
    for (int k = 0; k < p->in.n_frames && f->terms[t]->pairs; k++)
      f->terms[t]->pairs(p, k, weight, hessian_slot_pair, to);
}

/* The products of each square: entries that never change. With sums, adds them up. */
static void hessian_structure_squares(struct problem *p, struct pair_set *set, double *sums)
{
  for (int i = 0; i < p->n_squares; i++) {
    const struct square *t = &p->squares[i];
    for (int a = t->first; a < t->first + t->count; a++)
      for (int b = t->first; b <= a; b++) {
        int slot = pair_set_slot(set, p->square_var[a], p->square_var[b]);
        if (sums)
          sums[slot] += 2 * t->weight * p->square_coefficient[a] * p->square_coefficient[b];
      }
  }
}

void problem_structure_hessian(struct arena *arena, struct problem *p)
{
  struct pair_set set = {.count = 0};
  struct pair_slots count = {.set = &set}, slots = count;
  pair_set_init(&set, 1 << 16);
  hessian_structure_frames(arena, p, &set);
  hessian_visit_row_pairs(p, &count);
  hessian_visit_term_pairs(p, &count);
  p->pair_slot = slots.slot = ARENA_NEW(arena, (size_t)count.count, int);
  hessian_visit_row_pairs(p, &slots);
  hessian_visit_term_pairs(p, &slots);
  hessian_structure_squares(p, &set, NULL);
  p->n_hessian = set.count;
  p->hessian_row = ARENA_NEW(arena, (size_t)set.count, int);
  p->hessian_col = ARENA_NEW(arena, (size_t)set.count, int);
  for (size_t i = 0; i < set.size; i++)
    if (set.keys[i]) {
      p->hessian_row[set.slots[i]] = (int)((set.keys[i] - 1) >> 32);
      p->hessian_col[set.slots[i]] = (int)((set.keys[i] - 1) & 0xffffffff);
    }
  p->constant_hessian = ARENA_NEW(arena, (size_t)set.count, double);
  hessian_structure_squares(p, &set, p->constant_hessian);
  arena_free(set.memory);
}

/* ---- values ---- */

/* Slopes of all torques of frame k by q of the frame before, the frame itself, and the one after. */
static void hessian_torque_slopes(struct problem *p, int k)
{
  size_t n = (size_t)p->n, nn = n * n;
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    for (int m = 0; m < p->near_count[i]; m++) {
      size_t at = (size_t)i * n + (size_t)p->near[i * p->n + m];
      double dq = problem_value(p->dq, nn, k, at), dv = problem_value(p->dv, nn, k, at);
      double M = problem_value(p->M, nn, k, at);
      p->minus[at] = c2 * M - c1 * dv;
      p->here[at] = dq - 2 * c2 * M;
      p->plus[at] = c2 * M + c1 * dv;
    }
}

/* Adds weight * (slope of torque i) (slope of torque i)^T. */
void problem_add_torque_square(struct problem *p, int k, int i, double weight)
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
    for (int m = 0; m < p->chain_count[c] && problem_force_var(p, k, c) >= 0; m++)
      if (p->chain[c * n + m] == i)
        for (int axis = 0; axis < 3; axis++) {
          index[count] = 3 * n + 3 * c + axis;
          slope[count++] = -problem_point_slope(p, k, c, axis, i);
        }
  for (int a = 0; a < count; a++) { /* index grows with a, so b <= a is the lower triangle */
    double *row = p->local + (size_t)index[a] * (size_t)size, s = weight * slope[a];
    for (int b = 0; b <= a; b++)
      row[index[b]] += s * slope[b];
  }
}

/* Curvature of w . torques + lambda . positions: blocks in time by the chain rule through v and a. */
static void hessian_add_curvature(struct problem *p, int k)
{
  int n = p->n, size = p->local_size, lane = k % DYNAMICS_LANES;
  double c1 = 1 / (2 * p->in.h), c2 = 1 / (p->in.h * p->in.h);
  const struct dynamics_curvature *o = &p->curvature;
  size_t block = (size_t)n * (size_t)size;
  double *minus = p->local, *here = minus + block, *plus = here + block;
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
    for (int m = 0; m < p->chain_count[c] && problem_force_var(p, k, c) >= 0; m++) {
      int j = p->chain[c * n + m];
      for (int axis = 0; axis < 3 && j >= 3; axis++)
        p->local[(size_t)(3 * n + 3 * c + axis) * (size_t)size + (size_t)(n + j)] +=
            o->qf[((size_t)(c * n + j) * 3 + (size_t)axis) * DYNAMICS_LANES + (size_t)lane];
    }
}

void problem_pull_torque(struct problem *p, int k, int i, double multiplier)
{
  *problem_value_at(p->w, (size_t)p->n, k, (size_t)i) += multiplier;
}

void problem_pull_position(struct problem *p, int k, int point, int axis, double multiplier)
{
  struct point_of o = problem_point(p, k, point);
  *problem_value_at(p->lambda, 3 * (size_t)p->n_points, o.frame, (size_t)(3 * o.point + axis)) +=
      axis == 1 ? o.y_sign * multiplier : multiplier;
}

/* Weights of term t at frame k in sigma times the objective. */
static void hessian_weights_at(const struct problem *p, int t, int k, double sigma, double *weight)
{
  problem_weights_at(p, t, k, weight);
  for (int i = 0; i < COST_WEIGHTS; i++)
    weight[i] *= sigma;
}

/* Multipliers of rows and slopes of costs to where they act: on torques (w) and on positions (lambda). */
static void hessian_hand_on(struct problem *p, double sigma, const double *lambda)
{
  const struct formulation *f = p->in.formulation;
  size_t states = (size_t)p->n_groups * DYNAMICS_LANES;
  double weight[COST_WEIGHTS];
  memset(p->w, 0, states * (size_t)p->n * sizeof *p->w);
  memset(p->lambda, 0, states * 3 * (size_t)p->n_points * sizeof *p->lambda);
  for (int t = 0; t < f->n_terms; t++)
    for (int k = 0; k < p->in.n_frames && f->terms[t]->hand_on; k++) {
      hessian_weights_at(p, t, k, sigma, weight);
      f->terms[t]->hand_on(p, k, weight);
    }
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].family->hand_on)
      p->rows[i].family->hand_on(p, &p->rows[i], lambda[i]);
}

/* Curvature of the group of frames that begins with frame k. */
static void hessian_curve_group(struct problem *p, int k)
{
  const struct formulation *f = p->in.formulation;
  size_t state = (size_t)k * (size_t)p->n, points = (size_t)k * 3 * (size_t)p->n_points;
  struct dynamics_contacts contacts = {p->n_points, p->points, p->force + points, p->lambda + points};
  dynamics_curvature_x4(p->d, p->q + state, p->v + state, p->a + state, p->w + state, &contacts, &p->curvature);
  for (int t = 0; t < f->n_laws; t++)
    for (int j = k; j < k + DYNAMICS_LANES && j < p->in.n_frames && f->laws[t]->subtract_curvature; j++)
      if (problem_has_dynamics(p, j))
        f->laws[t]->subtract_curvature(p, j);
}

/* All that frame k adds through torques and positions: gathered in the local matrix, scattered to the sparse one. */
static void hessian_add_frame(struct problem *p, int k, double sigma, double *values)
{
  const struct formulation *f = p->in.formulation;
  const struct scatter *first = p->scatter + p->scatter_first[k], *end = p->scatter + p->scatter_first[k + 1];
  double weight[COST_WEIGHTS];
  for (const struct scatter *s = first; s < end; s++)
    p->local[s->local] = 0;
  if (problem_has_dynamics(p, k)) {
    hessian_torque_slopes(p, k);
    for (int t = 0; t < f->n_terms; t++)
      if (f->terms[t]->local_hessian) {
        hessian_weights_at(p, t, k, sigma, weight);
        f->terms[t]->local_hessian(p, k, weight);
      }
  }
  hessian_add_curvature(p, k);
  for (const struct scatter *s = first; s < end; s++)
    values[s->slot] += s->sign * p->local[s->local];
}

struct pair_sum {
  const int *slot;      /* of the next pair */
  double factor, *values;
};

static void hessian_add_pair(void *to, int a, int b, double value)
{
  struct pair_sum *s = to;
  (void)a, (void)b;
  s->values[*s->slot++] += s->factor * value;
}

void problem_hessian(void *self, const double *x, double sigma, const double *lambda, double *values)
{
  struct problem *p = self;
  const struct formulation *f = p->in.formulation;
  problem_evaluate(p, x, 2);
  hessian_hand_on(p, sigma, lambda);
  for (int e = 0; e < p->n_hessian; e++)
    values[e] = sigma * p->constant_hessian[e];
  for (int k = 0; k < p->in.n_frames; k++) {
    if (k % DYNAMICS_LANES == 0)
      hessian_curve_group(p, k);
    hessian_add_frame(p, k, sigma, values);
  }
  struct pair_sum sum = {p->pair_slot, 1, values};
  for (int i = 0; i < p->n_rows; i++)
    if (p->rows[i].family->pairs) {
      sum.factor = lambda[i];
      p->rows[i].family->pairs(p, &p->rows[i], hessian_add_pair, &sum);
    }
  sum.factor = 1;
  for (int t = 0; t < f->n_terms; t++)
    for (int k = 0; k < p->in.n_frames && f->terms[t]->pairs; k++) {
      double weight[COST_WEIGHTS];
      hessian_weights_at(p, t, k, sigma, weight);
      f->terms[t]->pairs(p, k, weight, hessian_add_pair, &sum);
    }
}

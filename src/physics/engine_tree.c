/* The tree engine: a step in reduced coordinates, on the tree of joints (doc/physics.md, "The tree engine").
 *
 * With M the mass matrix, c the bias (gravity included), u - D v' the torque of servos and tissue (reduced.h), J the
 * rows of contacts and ranges and f their forces, the step is ODE's, without the joints that ODE must keep together:
 *   (M + h D) (v' - v) = h (u - D v - c + J^T f),    J v' + e f >= s,    q' = q + h v'
 * M + h D = L^T diag L keeps the tree's pattern, so a row costs the square of the dofs that carry its body. Of a row
 * only the entries of dofs that carry its own are kept, from the root on: then what one row does to another that
 * carries it is done to entries in the same places, side by side. Torques at their limit lose their part of D.
 *
 * A row that acts on two bodies, limbs that touch each other, is the sum of two strands, each along the dofs that carry
 * one of them; dofs that carry both do not see it. Rows of one body have one strand. */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "physics/lcp.h"
#include "physics/reduced.h"

#define PASSES          12      /* of finding out which torques are at their limits */
#define LIMP_TRIES      3       /* guesses at the forces on a body that lies: many places share its weight */
#define SHARED_FRICTION 1e-3    /* softness of friction that points of one body share, in sqrt(g L) / (m g) */

struct tree {
  int n, n_rows, n_strands;
  int *depth;                   /* how many dofs carry each                    (n)    */
  int *carriers;                /* of each: these, from the root on, then itself (n x n) */
  double *M, *H;                /* (n x n); H: M + h D, then its factors; entry k of a row is of its kth carrier */
  double *bias, *load;          /* load: pushes                                (n)    */
  double *fall, *next;          /* v' without and with rows                    (n)    */
  double *scaled;               /* scratch                                     (n)    */
  int *row_of, *leaf;           /* of a strand: its row, the last dof that it sees (strands) */
  double *J;                    /* strands; entry k is of the leaf's kth carrier (strands x n) */
  double *Z;                    /* L^-T of them, alike                      (strands x n) */
  int *first_row;               /* of each touch                     (WORLD_TOUCHES)  */
  double *A, *b, *f, *work, *soft, *wanted;
  struct lcp_row *rows;
  int *sides, *place;
};

static double *numbers(struct world *w, size_t n)
{
  return ARENA_NEW(w->arena, n, double);
}

static void open_rows(struct world *w, struct tree *t)
{
  size_t n = (size_t)t->n, probes = (size_t)w->c->n_points + (w->options.shapes ? 8 * (size_t)w->c->n_limbs : 0);
  size_t touches = w->limbs ? WORLD_TOUCHES : 0, m = 3 * probes + 3 * touches + n, strands = m + 3 * touches;
  t->J = numbers(w, strands * n), t->Z = numbers(w, strands * n);
  t->A = numbers(w, m * m), t->work = numbers(w, m * (m + 2));
  t->b = numbers(w, m), t->f = numbers(w, m), t->soft = numbers(w, m), t->wanted = numbers(w, m);
  t->rows = ARENA_NEW(w->arena, m, struct lcp_row);
  t->leaf = ARENA_NEW(w->arena, strands, int);
  t->row_of = ARENA_NEW(w->arena, strands, int);
  t->first_row = ARENA_NEW(w->arena, touches, int);
  t->sides = ARENA_NEW(w->arena, m, int);
  t->place = ARENA_NEW(w->arena, m, int);
}

static int tree_open(struct world *w)
{
  struct tree *t = w->engine_data = ARENA_NEW(w->arena, 1, struct tree);
  size_t n = (size_t)w->c->n_dofs;
  reduced_open(w);
  t->n = (int)n;
  t->M = numbers(w, n * n), t->H = numbers(w, n * n);
  double **all[] = {&t->bias, &t->load, &t->fall, &t->next, &t->scaled};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = numbers(w, n);
  t->depth = ARENA_NEW(w->arena, n, int);
  t->carriers = ARENA_NEW(w->arena, n * n, int);
  for (size_t i = 0; i < n; i++) {
    int parent = w->c->dofs[i].parent, depth = t->depth[i] = parent < 0 ? 0 : t->depth[parent] + 1;
    const int *inherited = t->carriers + (parent < 0 ? i : (size_t)parent) * n;
    memcpy(t->carriers + i * n, inherited, (size_t)depth * sizeof *inherited);
    t->carriers[i * n + (size_t)depth] = (int)i;
  }
  open_rows(w, t);
  return 1;
}

static void tree_close(struct world *w)
{
  (void)w; /* all of it is in the world's arena */
}

static void tree_place(struct world *w)
{
  struct tree *t = w->engine_data;
  memset(t->load, 0, (size_t)t->n * sizeof *t->load);
  reduced_choose_chart(w);
  reduced_place(w);
}

/* ---- rows ---- */

/* How the dofs that carry a body move a place x on it along u. */
static void fill_row(const struct world *w, int body, const double *x, const double *u, double *J)
{
  const struct tree *t = w->engine_data;
  for (int k = body; k >= 0; k = w->bodies[k].parent) {
    const struct body *b = &w->bodies[k];
    const double *joint = w->reduced->joints + 3 * k;
    double arm[3] = {x[0] - joint[0], x[1] - joint[1], x[2] - joint[2]}, moment[3];
    vec3_cross(arm, u, moment);
    for (int i = 0; i < b->n; i++)
      J[t->depth[b->first + i]] = vec3_dot(b->axes[i], moment);
  }
  memcpy(J, u, 3 * sizeof *J);
}

static void add_row(struct tree *t, struct lcp_row row, double soft, double wanted)
{
  int r = t->n_rows++;
  t->rows[r] = row;
  t->soft[r] = soft;
  t->wanted[r] = wanted;
}

/* The entries of a strand of the last row, for the caller to fill. */
static double *add_strand(struct tree *t, int leaf)
{
  int s = t->n_strands++;
  t->leaf[s] = leaf;
  t->row_of[s] = t->n_rows - 1;
  return t->J + (size_t)s * (size_t)t->n;
}

static int leaf_of(const struct world *w, int body)
{
  return w->bodies[body].first + w->bodies[body].n - 1;
}

/* How points of one body that stand together share its friction is not determined: a little softness makes one of the
 * ways the answer. */
static double friction_softness(const struct world *w, const struct probe *p)
{
  int points = 0;
  for (int i = 0; i < w->n_probes; i++)
    points += w->probes[i].body == p->body;
  return points > 1 ? SHARED_FRICTION : WORLD_CFM;
}

static void add_contact(struct world *w, struct probe *p, const double *ahead)
{
  struct tree *t = w->engine_data;
  double x[3], u[3][3], depth = contact_depth(w, p, x, u[0]);
  p->on = depth >= 0;
  if (!p->on)
    return;
  contact_ahead(ahead, u[0], u[1]);
  vec3_cross(u[0], u[1], u[2]);
  int normal = t->n_rows;
  double out = fmin(w->options.contact_erp / w->h * depth, w->options.contact_speed);
  for (int i = 0; i < (w->options.friction > 0 ? 3 : 1); i++) {
    struct lcp_row row = {i ? LCP_FRICTION : LCP_NORMAL, normal, w->options.friction};
    add_row(t, row, i ? friction_softness(w, p) : w->options.contact_cfm, i ? 0 : out);
    fill_row(w, p->body, x, u[i], add_strand(t, leaf_of(w, p->body)));
  }
}

/* How many dofs carry both: they are the first ones of each. */
static int common_carriers(const struct tree *t, int a, int b)
{
  const int *x = t->carriers + a * t->n, *y = t->carriers + b * t->n;
  int most = t->depth[a] < t->depth[b] ? t->depth[a] : t->depth[b], k = 0;
  while (k <= most && x[k] == y[k])
    k++;
  return k;
}

/* Limb against limb. Both move the same place, so that what dofs do that carry both cancels: these entries are 0. */
static void add_touch(struct world *w, const struct touch *touch)
{
  struct tree *t = w->engine_data;
  int normal = t->n_rows, leaf[2] = {leaf_of(w, touch->body[0]), leaf_of(w, touch->body[1])};
  size_t common = (size_t)common_carriers(t, leaf[0], leaf[1]);
  for (int i = 0; i < (w->options.limb_friction > 0 ? 3 : 1); i++) {
    struct lcp_row row = {i ? LCP_FRICTION : LCP_NORMAL, normal, w->options.limb_friction};
    add_row(t, row, i ? SHARED_FRICTION : w->options.contact_cfm, i ? 0 : touch->out);
    for (int side = 0; side < 2; side++) {
      double u[3] = {0, 0, 0}, *J = add_strand(t, leaf[side]);
      vec3_add_scaled(u, touch->u[i], side ? -1 : 1);
      fill_row(w, touch->body[side], touch->x, u, J);
      memset(J, 0, common * sizeof *J);
    }
  }
}

/* A stop, as ODE has them (engine_ode_motor.c): from the step on that would pass it. */
static void add_stop(struct world *w, int i, double speed)
{
  struct tree *t = w->engine_data;
  const struct dof *d = &w->c->dofs[i];
  double q = w->q[i], then = q + w->h * speed, sooner = q + 2 * w->h * w->v[i];
  int low = fmin(q, fmin(then, sooner)) < d->lower, high = fmax(q, fmax(then, sooner)) > d->upper;
  if (!low && !high)
    return;
  low = low && (!high || q - d->lower < d->upper - q);
  double beyond = low ? d->lower - q : q - d->upper;
  add_row(t, (struct lcp_row){LCP_NORMAL, 0, 0}, WORLD_CFM, beyond / w->h * (beyond > 0 ? WORLD_ERP : 1));
  double *J = add_strand(t, i);
  memset(J, 0, (size_t)t->depth[i] * sizeof *J);
  J[t->depth[i]] = low ? 1 : -1;
}

static void find_contacts(struct world *w)
{
  struct tree *t = w->engine_data;
  const double ahead[3] = {cos(w->q[3]), sin(w->q[3]), 0}; /* of the x axis; in the other chart of the z axis */
  t->n_rows = t->n_strands = 0;
  for (int i = 0; i < w->n_probes; i++)
    add_contact(w, &w->probes[i], ahead);
  limb_contact_find(w);
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++) {
    t->first_row[i] = t->n_rows;
    add_touch(w, &w->limbs->touches[i]);
  }
}

static void tree_push(struct world *w, int body, const double *force, const double *at)
{
  struct tree *t = w->engine_data;
  const struct body *b = &w->bodies[body];
  int leaf = leaf_of(w, body);
  double x[3];
  reduced_place_carriers(w, body);
  for (int i = 0; i < 3; i++)
    x[i] = b->x[i] + vec3_dot(b->R + 4 * i, at);
  fill_row(w, body, x, force, t->next);
  for (int k = 0; k <= t->depth[leaf]; k++)
    t->load[t->carriers[leaf * t->n + k]] += t->next[k];
}

/* ---- the linear part ---- */

/* H = L^T diag L in place: the diagonal, and L before it (Featherstone 2005; the pattern of the tree stays). */
FOR_EACH_PROCESSOR static void factor(int n, const int *depth, const int *carriers, double *H)
{
  for (int k = n - 1; k >= 0; k--) {
    double *row = H + k * n, one = 1 / row[depth[k]];
    for (int i = depth[k] - 1; i >= 0; i--) {
      double a = row[i] * one, *restrict target = H + carriers[k * n + i] * n;
      const double *restrict from = row;
      for (int j = 0; j <= i; j++)
        target[j] -= a * from[j];
      row[i] = a;
    }
  }
}

/* x = L^-T x, where x has the entries of the dofs that carry leaf. */
FOR_EACH_PROCESSOR static void half_solve(int n, int depth, const int *carriers, const double *H, double *x)
{
  for (int i = depth; i > 0; i--) {
    const double *restrict row = H + carriers[i] * n;
    double *restrict to = x, a = x[i];
    for (int j = 0; j < i; j++)
      to[j] -= row[j] * a;
  }
}

/* x = L^-T x, of all dofs. */
static void solve_inwards(const struct tree *t, double *x)
{
  int n = t->n;
  for (int i = n - 1; i >= 0; i--) {
    const double *row = t->H + i * n, a = x[i];
    const int *carriers = t->carriers + i * n;
    for (int j = t->depth[i] - 1; j >= 0; j--)
      x[carriers[j]] -= row[j] * a;
  }
}

/* x = L^-1 diag^-1 x; two sums, so that one need not wait for the other. */
static void solve_outwards(const struct tree *t, double *x)
{
  int n = t->n;
  for (int i = 0; i < n; i++) {
    const double *row = t->H + i * n;
    const int *carriers = t->carriers + i * n;
    int depth = t->depth[i], j = 0;
    double even = 0, odd = 0;
    for (; j + 1 < depth; j += 2) {
      even += row[j] * x[carriers[j]];
      odd += row[j + 1] * x[carriers[j + 1]];
    }
    if (j < depth)
      even += row[j] * x[carriers[j]];
    x[i] = x[i] / row[depth] - (even + odd);
  }
}

/* Speeds without rows, with these torques at their limits. */
static void fall(struct world *w)
{
  struct tree *t = w->engine_data;
  const struct reduced *r = w->reduced;
  int n = t->n;
  reduced_fill_torques(w);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= t->depth[i]; k++)
      t->H[i * n + k] = t->M[i * n + t->carriers[i * n + k]];
    t->H[i * n + t->depth[i]] += w->h * r->damping[i];
    t->fall[i] = w->h * (r->torque[i] - r->damping[i] * w->v[i] - t->bias[i] + t->load[i]);
  }
  for (int i = 0; i < r->n_couplings; i++) { /* both dofs are on one way to the root, so the pattern has the entry */
    const struct reduced_coupling *c = &r->couplings[i];
    t->H[c->dof[1] * n + t->depth[c->dof[0]]] += w->h * c->damping;
  }
  factor(n, t->depth, t->carriers, t->H);
  solve_inwards(t, t->fall);
  solve_outwards(t, t->fall);
  for (int i = 0; i < n; i++)
    t->fall[i] += w->v[i];
}

/* Z and b of a strand; its products with those before it, and with itself, to A below the diagonal. */
static void fill_strand(const struct world *w, size_t strand)
{
  struct tree *t = w->engine_data;
  size_t n = (size_t)t->n, m = (size_t)t->n_rows;
  int leaf = t->leaf[strand], depth = t->depth[leaf], common = 0, r = t->row_of[strand];
  const int *carriers = t->carriers + (size_t)leaf * n;
  double *z = t->Z + strand * n, *scaled = t->scaled, sum = 0;
  memcpy(z, t->J + strand * n, ((size_t)depth + 1) * sizeof *z);
  half_solve(t->n, depth, carriers, t->H, z);
  for (int j = depth; j >= 0; j--) {
    sum += t->J[strand * n + (size_t)j] * t->fall[carriers[j]];
    scaled[j] = w->h * z[j] / t->H[(size_t)carriers[j] * n + (size_t)j];
  }
  t->b[r] -= sum;
  for (size_t s = 0; s <= strand; s++) {
    const double *other = t->Z + s * n;
    double product = 0;
    if (s == 0 || t->leaf[s] != t->leaf[s - 1])
      common = common_carriers(t, leaf, t->leaf[s]);
    for (int j = common - 1; j >= 0; j--)
      product += scaled[j] * other[j];
    t->A[(size_t)r * m + (size_t)t->row_of[s]] += s < strand && t->row_of[s] == r ? 2 * product : product;
  }
}

/* A = h J H^-1 J^T + softness, b = wanted - J fall. */
static void fill_problem(const struct world *w)
{
  struct tree *t = w->engine_data;
  size_t m = (size_t)t->n_rows;
  memset(t->A, 0, m * m * sizeof *t->A);
  memcpy(t->b, t->wanted, m * sizeof *t->b);
  for (int s = 0; s < t->n_strands; s++)
    fill_strand(w, (size_t)s);
  for (size_t r = 0; r < m; r++) {
    t->A[r * m + r] += t->soft[r];
    for (size_t s = 0; s < r; s++)
      t->A[s * m + r] = t->A[r * m + s];
  }
}

/* Speeds with the rows' forces. */
static void constrain(struct world *w)
{
  struct tree *t = w->engine_data;
  size_t n = (size_t)t->n, m = (size_t)t->n_rows;
  memcpy(t->next, t->fall, n * sizeof *t->next);
  if (!m)
    return;
  fill_problem(w);
  lcp_solve(&(struct lcp){(int)m, t->A, t->b, t->rows, t->f, t->work, t->work + m * m, t->sides, t->place,
                          w->limp ? LIMP_TRIES : 0});
  memset(t->next, 0, n * sizeof *t->next);
  for (size_t s = 0; s < (size_t)t->n_strands; s++) {
    const int *carriers = t->carriers + (size_t)t->leaf[s] * n;
    for (int k = 0; k <= t->depth[t->leaf[s]]; k++)
      t->next[carriers[k]] += w->h * t->Z[s * n + (size_t)k] * t->f[t->row_of[s]];
  }
  solve_outwards(t, t->next);
  for (size_t i = 0; i < n; i++)
    t->next[i] += t->fall[i];
}

/* ---- the step ---- */

/* Forces of the ground and between limbs, from those of the rows. */
static void collect_forces(struct world *w)
{
  const struct tree *t = w->engine_data;
  int rows = w->options.friction > 0 ? 3 : 1, r = 0;
  for (int i = 0; i < w->n_probes; i++) {
    struct probe *p = &w->probes[i];
    memset(p->force, 0, sizeof p->force);
    for (int k = 0; p->on && k < rows; k++, r++) /* its only strand's first entries are its direction */
      vec3_add_scaled(p->force, t->J + (size_t)r * (size_t)t->n, t->f[r]);
  }
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++) {
    struct touch *k = &w->limbs->touches[i];
    for (int u = 0; u < (w->options.limb_friction > 0 ? 3 : 1); u++)
      vec3_add_scaled(k->force, k->u[u], t->f[t->first_row[i] + u]);
  }
}

static int tree_step(struct world *w, const struct world_target *target)
{
  struct tree *t = w->engine_data;
  int n = t->n;
  if (!reduced_set_target(w, target))
    return 0;
  dynamics_mass_matrix(w->reduced->dynamics, w->q, t->M);
  dynamics_inverse(w->reduced->dynamics, w->q, w->v, w->reduced->zero, t->bias);
  find_contacts(w);
  fall(w);
  for (int i = CREATURE_ROOT_DOFS; !w->options.no_limits && i < n; i++)
    add_stop(w, i, t->fall[i]);
  constrain(w);
  for (int k = 0; k < PASSES && reduced_review(w, t->next); k++) {
    fall(w);
    constrain(w);
  }
  for (int i = 0; i < n; i++) {
    w->v[i] = t->next[i];
    w->q[i] += w->h * w->v[i];
  }
  collect_forces(w);
  contact_collect(w);
  return 1;
}

const struct engine engine_tree = {
  .open = tree_open, .close = tree_close, .set = tree_place, .step = tree_step, .push = tree_push,
  .motion = reduced_motion, .is_sane = reduced_is_sane, .update = tree_place, .velocity = reduced_velocity,
  .momentum = reduced_momentum,
};

/* A step in our own coordinates (doc/physics.md, "The engine of our own").
 *
 * With M the mass matrix, c the bias (gravity included), D = diag(h kp + kd) of servos and springs, u their torque at
 * speed 0, J the rows of contacts and ranges and f their forces, the step is ODE's, without the joints that ODE must
 * keep together:
 *   (M + h D) (v' - v) = h (u - D v - c + J^T f),    J v' + e f >= s,    q' = q + h v'
 * M + h D = L^T diag L keeps the tree's pattern, so a row costs the square of the dofs that carry its body. Of a row only
 * the entries of dofs that carry its own are kept, from the root on: then what one row does to another that carries it
 * is done to entries in the same places, side by side. Torques at their limit lose their part of D. */
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "physics/lcp.h"
#include "physics/room.h"

#define PASSES      12          /* of finding out which torques are at their limits */
#define SHARED_GRIP 1e-3        /* softness of a grip that points of one body share, in sqrt(g L) / (m g) */
#define LEAST_PITCH 0.05        /* cosine of the root's pitch; less is gimbal lock  */

struct own {
  struct dynamics *d;
  int n, n_rows, most_rows;
  int *depth;                   /* how many dofs carry each                    (n)    */
  int *carriers;                /* of each: these, from the root on, then itself (n x n) */
  double *frames;               /* per body: place 3, rotation 12, spin 3 (0)         */
  double *joints;               /* place of each body's joint             (n_bodies x 3) */
  unsigned char *touches;       /* a body that has probes, or carries one that has (n_bodies) */
  double *M, *H;                /* (n x n); H: M + h D, then its factors; entry k of a row is of its kth carrier */
  double *bias, *zero, *load;   /* load: pushes                                (n)    */
  double *kp, *kd, *limit;      /* of servos                                   (n)    */
  double *drive, *given;        /* u of servos; torque at a limit              (n)    */
  int *at_limit;                /* -1, 0, 1                                    (n)    */
  double *fall, *next;          /* v' without and with rows                    (n)    */
  double *scaled;               /* scratch                                     (n)    */
  int *leaf;                    /* last dof that a row sees          (most_rows)      */
  double *J;                    /* rows; entry k is of the leaf's kth carrier   (most_rows x n) */
  double *Z;                    /* L^-T of them, alike                          (most_rows x n) */
  double *A, *b, *f, *work, *soft, *wanted;
  struct lcp_row *rows;
  int *sides, *place;
};

static double *numbers(struct world *w, size_t n)
{
  return ARENA_NEW(w->arena, n, double);
}

static void build_rows(struct world *w, struct own *o)
{
  size_t n = (size_t)o->n, probes = (size_t)w->c->n_points + (w->options.shapes ? 8 * (size_t)w->c->n_limbs : 0);
  size_t m = 3 * probes + n;
  o->most_rows = (int)m;
  o->J = numbers(w, m * n), o->Z = numbers(w, m * n);
  o->A = numbers(w, m * m), o->work = numbers(w, m * (m + 2));
  o->b = numbers(w, m), o->f = numbers(w, m), o->soft = numbers(w, m), o->wanted = numbers(w, m);
  o->rows = ARENA_NEW(w->arena, m, struct lcp_row);
  o->leaf = ARENA_NEW(w->arena, m, int);
  o->sides = ARENA_NEW(w->arena, m, int);
  o->place = ARENA_NEW(w->arena, m, int);
}

void own_build(struct world *w)
{
  struct own *o = w->own = ARENA_NEW(w->arena, 1, struct own);
  size_t n = (size_t)w->c->n_dofs, bodies = (size_t)w->n_bodies;
  o->d = dynamics_new_dimensionless(w->arena, w->c);
  o->n = (int)n;
  o->frames = numbers(w, 18 * bodies);
  o->joints = numbers(w, 3 * bodies);
  o->touches = ARENA_NEW(w->arena, bodies, unsigned char);
  o->M = numbers(w, n * n), o->H = numbers(w, n * n);
  double **all[] = {&o->bias, &o->zero, &o->load, &o->kp, &o->kd, &o->limit, &o->drive, &o->given, &o->fall, &o->next,
                    &o->scaled};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = numbers(w, n);
  o->at_limit = ARENA_NEW(w->arena, n, int);
  o->depth = ARENA_NEW(w->arena, n, int);
  o->carriers = ARENA_NEW(w->arena, n * n, int);
  for (size_t i = 0; i < n; i++) {
    int parent = w->c->dofs[i].parent, depth = o->depth[i] = parent < 0 ? 0 : o->depth[parent] + 1;
    memcpy(o->carriers + i * n, o->carriers + (parent < 0 ? i : (size_t)parent) * n, (size_t)depth * sizeof *o->carriers);
    o->carriers[i * n + (size_t)depth] = (int)i;
  }
  for (size_t i = 0; i < bodies; i++) {
    struct body *b = &w->bodies[i];
    b->x = o->frames + 18 * i, b->R = b->x + 3, b->spin = b->x + 15;
  }
  for (size_t i = CREATURE_ROOT_DOFS; i < n; i++) {
    const struct dof *d = &w->c->dofs[i];
    o->kp[i] = w->options.servo_scale * d->servo_kp / w->torque;
    o->kd[i] = w->options.servo_scale * d->servo_kd / w->torque / w->time;
    o->limit[i] = d->torque_max / w->torque;
  }
  build_rows(w, o);
}

static void place_body(struct world *w, int i)
{
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, nowhere[3] = {0, 0, 0};
  struct own *o = w->own;
  struct body *b = &w->bodies[i];
  const double *P = i ? w->bodies[b->parent].R : identity, *from = i ? w->bodies[b->parent].x : nowhere;
  double *x = o->frames + 18 * i, *R = x + 3, *joint = o->joints + 3 * i;
  chain_follow(&b->chain, P, w->q + b->first, R, b->axes);
  for (int k = 0; k < 3; k++) {
    joint[k] = from[k] + (i ? vec3_dot(P + 4 * k, b->place) : w->q[k]);
    x[k] = joint[k] + vec3_dot(R + 4 * k, b->com);
  }
}

/* Those that may touch the ground; others wait until they are asked for: see place_carriers(). */
void own_place(struct world *w)
{
  struct own *o = w->own;
  memset(o->load, 0, (size_t)o->n * sizeof *o->load);
  for (int i = 0; i < w->n_probes; i++) /* probes are known only after the bodies were placed once */
    for (int k = w->probes[i].body; k >= 0 && !o->touches[k]; k = w->bodies[k].parent)
      o->touches[k] = 1;
  for (int i = 0; i < w->n_bodies; i++)
    if (o->touches[i] || !w->n_probes)
      place_body(w, i);
}

static void place_carriers(struct world *w, int body)
{
  if (body < 0 || w->own->touches[body])
    return;
  place_carriers(w, w->bodies[body].parent);
  place_body(w, body);
}

/* ---- rows ---- */

/* How the dofs that carry a body move a place x on it along u. */
static void fill_row(const struct world *w, int body, const double *x, const double *u, double *J)
{
  const struct own *o = w->own;
  for (int k = body; k >= 0; k = w->bodies[k].parent) {
    const struct body *b = &w->bodies[k];
    double arm[3] = {x[0] - o->joints[3 * k], x[1] - o->joints[3 * k + 1], x[2] - o->joints[3 * k + 2]}, moment[3];
    vec3_cross(arm, u, moment);
    for (int i = 0; i < b->n; i++)
      J[o->depth[b->first + i]] = vec3_dot(b->axes[i], moment);
  }
  memcpy(J, u, 3 * sizeof *J);
}

static int add_row(struct own *o, int leaf, struct lcp_row row, double soft, double wanted)
{
  int r = o->n_rows++;
  o->leaf[r] = leaf;
  o->rows[r] = row;
  o->soft[r] = soft;
  o->wanted[r] = wanted;
  return r;
}

/* Points that stand on the ground with others of their body share its grip in ways that cannot be told apart: a
 * little softness makes one of them the answer. */
static double grip_softness(const struct world *w, const struct probe *p)
{
  int points = 0;
  for (int i = 0; i < w->n_probes; i++)
    points += w->probes[i].body == p->body;
  return points > 1 ? SHARED_GRIP : WORLD_CFM;
}

static void add_contact(struct world *w, struct probe *p, const double *ahead)
{
  struct own *o = w->own;
  double x[3], u[3][3], depth = contact_depth(w, p, x, u[0]);
  p->on = depth >= 0;
  if (!p->on)
    return;
  contact_ahead(ahead, u[0], u[1]);
  vec3_cross(u[0], u[1], u[2]);
  int leaf = w->bodies[p->body].first + w->bodies[p->body].n - 1, pressing = o->n_rows;
  double out = fmin(w->options.contact_erp / w->h * depth, w->options.contact_speed);
  for (int i = 0; i < (w->options.friction > 0 ? 3 : 1); i++) {
    struct lcp_row row = {i ? LCP_GRIPPING : LCP_PRESSING, pressing, w->options.friction};
    int r = add_row(o, leaf, row, i ? grip_softness(w, p) : w->options.contact_cfm, i ? 0 : out);
    fill_row(w, p->body, x, u[i], o->J + (size_t)r * (size_t)o->n);
  }
}

/* A stop, as motor.c has them: from the step on that would pass it. */
static void add_stop(struct world *w, int i, double speed)
{
  struct own *o = w->own;
  const struct dof *d = &w->c->dofs[i];
  double q = w->q[i], then = q + w->h * speed, sooner = q + 2 * w->h * w->v[i];
  int low = fmin(q, fmin(then, sooner)) < d->lower, high = fmax(q, fmax(then, sooner)) > d->upper;
  if (!low && !high)
    return;
  low = low && (!high || q - d->lower < d->upper - q);
  double beyond = low ? d->lower - q : q - d->upper;
  int r = add_row(o, i, (struct lcp_row){LCP_PRESSING, 0, 0}, WORLD_CFM, beyond / w->h * (beyond > 0 ? WORLD_ERP : 1));
  double *J = o->J + (size_t)r * (size_t)o->n;
  memset(J, 0, (size_t)o->depth[i] * sizeof *J);
  J[o->depth[i]] = low ? 1 : -1;
}

static void find_contacts(struct world *w)
{
  const double ahead[3] = {cos(w->q[3]), sin(w->q[3]), 0};
  w->own->n_rows = 0;
  for (int i = 0; i < w->n_probes; i++)
    add_contact(w, &w->probes[i], ahead);
}

void own_push(struct world *w, int body, const double *force, const double *at)
{
  struct own *o = w->own;
  const struct body *b = &w->bodies[body];
  int leaf = b->first + b->n - 1;
  double x[3];
  place_carriers(w, body);
  for (int i = 0; i < 3; i++)
    x[i] = b->x[i] + vec3_dot(b->R + 4 * i, at);
  fill_row(w, body, x, force, o->next);
  for (int k = 0; k <= o->depth[leaf]; k++)
    o->load[o->carriers[leaf * o->n + k]] += o->next[k];
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
static void solve_inwards(const struct own *o, double *x)
{
  int n = o->n;
  for (int i = n - 1; i >= 0; i--) {
    const double *row = o->H + i * n, a = x[i];
    const int *carriers = o->carriers + i * n;
    for (int j = o->depth[i] - 1; j >= 0; j--)
      x[carriers[j]] -= row[j] * a;
  }
}

/* x = L^-1 diag^-1 x; two sums, so that one need not wait for the other. */
static void solve_outwards(const struct own *o, double *x)
{
  int n = o->n;
  for (int i = 0; i < n; i++) {
    const double *row = o->H + i * n;
    const int *carriers = o->carriers + i * n;
    int depth = o->depth[i], j = 0;
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
  struct own *o = w->own;
  int n = o->n;
  for (int i = 0; i < n; i++) {
    const struct dof *d = &w->c->dofs[i];
    double yield = o->at_limit[i] || w->limp ? 0 : w->h * o->kp[i] + o->kd[i], drive = w->limp ? 0 : o->drive[i];
    if (o->at_limit[i])
      drive = o->given[i];
    for (int k = 0; k <= o->depth[i]; k++)
      o->H[i * n + k] = o->M[i * n + o->carriers[i * n + k]];
    if (i >= CREATURE_ROOT_DOFS && (d->stiffness > 0 || d->damping > 0)) {
      double k = d->stiffness / w->torque;
      yield += w->h * k + d->damping / w->torque / w->time;
      drive += k * (d->rest - w->q[i]);
    }
    o->H[i * n + o->depth[i]] += w->h * yield;
    o->fall[i] = w->h * (drive - yield * w->v[i] - o->bias[i] + o->load[i]);
  }
  factor(n, o->depth, o->carriers, o->H);
  solve_inwards(o, o->fall);
  solve_outwards(o, o->fall);
  for (int i = 0; i < n; i++)
    o->fall[i] += w->v[i];
}

/* How many dofs carry both: they are the first ones of each. */
static int common_carriers(const struct own *o, int a, int b)
{
  const int *x = o->carriers + a * o->n, *y = o->carriers + b * o->n;
  int most = o->depth[a] < o->depth[b] ? o->depth[a] : o->depth[b], k = 0;
  while (k <= most && x[k] == y[k])
    k++;
  return k;
}

/* A = h J H^-1 J^T + softness, b = wanted - J fall. */
static void fill_problem(const struct world *w)
{
  struct own *o = w->own;
  size_t n = (size_t)o->n, m = (size_t)o->n_rows;
  for (size_t r = 0; r < m; r++) {
    int leaf = o->leaf[r], depth = o->depth[leaf], common = 0;
    const int *carriers = o->carriers + (size_t)leaf * n;
    double *z = o->Z + r * n, *scaled = o->scaled, sum = 0;
    memcpy(z, o->J + r * n, ((size_t)depth + 1) * sizeof *z);
    half_solve(o->n, depth, carriers, o->H, z);
    for (int j = depth; j >= 0; j--) {
      sum += o->J[r * n + (size_t)j] * o->fall[carriers[j]];
      scaled[j] = w->h * z[j] / o->H[(size_t)carriers[j] * n + (size_t)j];
    }
    o->b[r] = o->wanted[r] - sum;
    for (size_t s = 0; s <= r; s++) {
      const double *other = o->Z + s * n;
      double product = 0;
      if (s == 0 || o->leaf[s] != o->leaf[s - 1])
        common = common_carriers(o, leaf, o->leaf[s]);
      for (int j = common - 1; j >= 0; j--)
        product += scaled[j] * other[j];
      o->A[r * m + s] = o->A[s * m + r] = product + (r == s ? o->soft[r] : 0);
    }
  }
}

/* Speeds with the rows' forces. */
static void constrain(struct world *w)
{
  struct own *o = w->own;
  size_t n = (size_t)o->n, m = (size_t)o->n_rows;
  memcpy(o->next, o->fall, n * sizeof *o->next);
  if (!m)
    return;
  fill_problem(w);
  lcp_solve(&(struct lcp){(int)m, o->A, o->b, o->rows, o->f, o->work, o->work + m * m, o->sides, o->place});
  memset(o->next, 0, n * sizeof *o->next);
  for (size_t r = 0; r < m; r++) {
    const int *carriers = o->carriers + (size_t)o->leaf[r] * n;
    for (int k = 0; k <= o->depth[o->leaf[r]]; k++)
      o->next[carriers[k]] += w->h * o->Z[r * n + (size_t)k] * o->f[r];
  }
  solve_outwards(o, o->next);
  for (size_t i = 0; i < n; i++)
    o->next[i] += o->fall[i];
}

/* ---- torques ---- */

static void aim(struct world *w, const struct world_target *t)
{
  struct own *o = w->own;
  for (int i = CREATURE_ROOT_DOFS; t && i < o->n; i++)
    o->drive[i] = o->kp[i] * (t->q[i] - w->q[i]) + (t->v ? o->kd[i] * t->v[i] * w->time : 0) +
                  (t->torque ? t->torque[i] * w->per_torque : 0);
}

/* The servos' law at the new speeds; torques beyond their limits are taken there, those at limits that they no
 * longer need are let go. How many changed? */
static int review_torques(struct world *w)
{
  struct own *o = w->own;
  int changed = 0;
  for (int i = CREATURE_ROOT_DOFS; !w->limp && i < o->n; i++) {
    double law = o->drive[i] - (w->h * o->kp[i] + o->kd[i]) * o->next[i];
    int side = law > o->limit[i] ? 1 : law < -o->limit[i] ? -1 : 0;
    changed += side != o->at_limit[i];
    o->at_limit[i] = side;
    o->given[i] = side * (side ? o->limit[i] : 0);
    w->torques[i] = side ? o->given[i] : law;
  }
  return changed;
}

static void read_forces(struct world *w)
{
  struct own *o = w->own;
  int rows = w->options.friction > 0 ? 3 : 1, r = 0;
  for (int i = 0; i < w->n_probes; i++) {
    struct probe *p = &w->probes[i];
    memset(&p->feedback, 0, sizeof p->feedback);
    for (int k = 0; p->on && k < rows; k++, r++) /* a row's first entries are its direction */
      vec3_add_scaled(p->feedback.f1, o->J + (size_t)r * (size_t)o->n, o->f[r]);
  }
  contact_collect(w);
}

int own_step(struct world *w, const struct world_target *target)
{
  struct own *o = w->own;
  int n = o->n;
  if ((target && !motor_target_is_sane(w, target)) || !(fabs(cos(w->q[4])) > LEAST_PITCH))
    return 0;
  w->limp = !target;
  memset(w->torques, 0, (size_t)n * sizeof *w->torques);
  memset(o->at_limit, 0, (size_t)n * sizeof *o->at_limit);
  dynamics_mass_matrix(o->d, w->q, o->M);
  dynamics_inverse(o->d, w->q, w->v, o->zero, o->bias);
  aim(w, target);
  find_contacts(w);
  fall(w);
  for (int i = CREATURE_ROOT_DOFS; !w->options.no_limits && i < n; i++)
    add_stop(w, i, o->fall[i]);
  constrain(w);
  for (int k = 0; k < PASSES && review_torques(w); k++) {
    fall(w);
    constrain(w);
  }
  for (int i = 0; i < n; i++) {
    w->v[i] = o->next[i];
    w->q[i] += w->h * w->v[i];
  }
  read_forces(w);
  return 1;
}

void own_momentum(const struct world *w, double *com, double *momentum, double *angular)
{
  struct dynamics_whole whole;
  dynamics_whole(w->own->d, w->q, w->v, w->own->zero, &whole);
  memcpy(com, whole.com, sizeof whole.com);
  memcpy(momentum, whole.momentum, sizeof whole.momentum);
  memcpy(angular, whole.angular, sizeof whole.angular);
}

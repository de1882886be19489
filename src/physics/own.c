/* A step in our own coordinates (doc/physics.md, "The engine of our own").
 *
 * With M the mass matrix, c the bias (gravity included), D = diag(h kp + kd) of servos and springs, u their torque at
 * speed 0, J the rows of contacts and ranges and f their forces, the step is ODE's, without the joints that ODE must
 * keep together:
 *   (M + h D) (v' - v) = h (u - D v - c + J^T f),    J v' + e f >= s,    q' = q + h v'
 * M + h D = L^T diag L keeps the tree's pattern, so a row costs the square of the dofs that carry its body. Torques at
 * their limit lose their part of D. */
#include <math.h>
#include <string.h>

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
  int *parent;                  /* of each dof, close together                 (n)    */
  double *frames;               /* per body: place 3, rotation 12, spin 3 (0)         */
  double *joints;               /* place of each body's joint             (n_bodies x 3) */
  double *M, *H;                /* (n x n); H: M + h D, then its factors             */
  double *bias, *zero, *load;   /* load: pushes                                (n)    */
  double *kp, *kd, *limit;      /* of servos                                   (n)    */
  double *drive, *given;        /* u of servos; torque at a limit              (n)    */
  int *at_limit;                /* -1, 0, 1                                    (n)    */
  double *fall, *next;          /* v' without and with rows                    (n)    */
  double *scaled;               /* scratch                                     (n)    */
  double *J, *Z;                /* rows, and L^-T of them            (most_rows x n)  */
  int *leaf;                    /* last dof that a row sees          (most_rows)      */
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
  o->M = numbers(w, n * n), o->H = numbers(w, n * n);
  double **all[] = {&o->bias, &o->zero, &o->load, &o->kp, &o->kd, &o->limit, &o->drive, &o->given, &o->fall, &o->next,
                    &o->scaled};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = numbers(w, n);
  o->at_limit = ARENA_NEW(w->arena, n, int);
  o->parent = ARENA_NEW(w->arena, n, int);
  for (size_t i = 0; i < n; i++)
    o->parent[i] = w->c->dofs[i].parent;
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

void own_place(struct world *w)
{
  static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, nowhere[3] = {0, 0, 0};
  struct own *o = w->own;
  memset(o->load, 0, (size_t)o->n * sizeof *o->load);
  for (int i = 0; i < w->n_bodies; i++) {
    struct body *b = &w->bodies[i];
    const double *P = i ? w->bodies[b->parent].R : identity, *from = i ? w->bodies[b->parent].x : nowhere;
    double *x = o->frames + 18 * i, *R = x + 3, *joint = o->joints + 3 * i;
    chain_follow(&b->chain, P, w->q + b->first, R, b->axes);
    for (int k = 0; k < 3; k++) {
      joint[k] = from[k] + (i ? vec3_dot(P + 4 * k, b->place) : w->q[k]);
      x[k] = joint[k] + vec3_dot(R + 4 * k, b->com);
    }
  }
}

/* ---- rows ---- */

/* How dofs move a place x on a body along u; all other entries are 0. */
static void fill_row(const struct world *w, int body, const double *x, const double *u, double *J)
{
  const struct own *o = w->own;
  memset(J, 0, (size_t)o->n * sizeof *J);
  for (int k = body; k >= 0; k = w->bodies[k].parent) {
    const struct body *b = &w->bodies[k];
    double arm[3] = {x[0] - o->joints[3 * k], x[1] - o->joints[3 * k + 1], x[2] - o->joints[3 * k + 2]}, moment[3];
    vec3_cross(arm, u, moment);
    for (int i = 0; i < b->n; i++)
      J[b->first + i] = vec3_dot(b->axes[i], moment);
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
  memset(J, 0, (size_t)o->n * sizeof *J);
  J[i] = low ? 1 : -1;
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
  double x[3];
  for (int i = 0; i < 3; i++)
    x[i] = b->x[i] + vec3_dot(b->R + 4 * i, at);
  fill_row(w, body, x, force, o->next);
  for (int i = 0; i < o->n; i++)
    o->load[i] += o->next[i];
}

/* ---- the linear part ---- */

/* H = L^T diag L in place: the diagonal, and L below it (Featherstone 2005; the pattern of the tree stays). */
static void factor(const struct world *w)
{
  const int *parent = w->own->parent;
  int n = w->own->n;
  double *H = w->own->H;
  for (int k = n - 1; k >= 0; k--) {
    const double *row = H + k * n;
    double one = 1 / row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      double a = row[i] * one, *target = H + i * n;
      for (int j = i; j >= 0; j = parent[j])
        target[j] -= a * row[j];
      H[k * n + i] = a;
    }
  }
}

/* x = L^-T x, where x is zero but for the dofs that carry leaf. */
static void half_solve(const struct world *w, int leaf, double *x)
{
  const int *parent = w->own->parent;
  const double *H = w->own->H;
  int n = w->own->n;
  for (int i = leaf; i >= 0; i = parent[i])
    for (int j = parent[i]; j >= 0; j = parent[j])
      x[j] -= H[i * n + j] * x[i];
}

/* x = H^-1 x */
static void solve(const struct world *w, double *x)
{
  const int *parent = w->own->parent;
  const double *H = w->own->H;
  int n = w->own->n;
  for (int i = n - 1; i >= 0; i--)
    for (int j = parent[i]; j >= 0; j = parent[j])
      x[j] -= H[i * n + j] * x[i];
  for (int i = 0; i < n; i++) {
    x[i] /= H[i * n + i];
    for (int j = parent[i]; j >= 0; j = parent[j])
      x[i] -= H[i * n + j] * x[j];
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
    for (int j = i; j >= 0; j = o->parent[j])
      o->H[i * n + j] = o->M[i * n + j];
    if (i >= CREATURE_ROOT_DOFS && (d->stiffness > 0 || d->damping > 0)) {
      double k = d->stiffness / w->torque;
      yield += w->h * k + d->damping / w->torque / w->time;
      drive += k * (d->rest - w->q[i]);
    }
    o->H[i * n + i] += w->h * yield;
    o->fall[i] = w->h * (drive - yield * w->v[i] - o->bias[i] + o->load[i]);
  }
  factor(w);
  solve(w, o->fall);
  for (int i = 0; i < n; i++)
    o->fall[i] += w->v[i];
}

/* A = h J H^-1 J^T + softness, b = wanted - J fall. */
static void fill_problem(const struct world *w)
{
  struct own *o = w->own;
  const int *parent = w->own->parent;
  size_t n = (size_t)o->n, m = (size_t)o->n_rows;
  for (size_t r = 0; r < m; r++) {
    double *z = o->Z + r * n, *scaled = o->scaled, sum = 0;
    memcpy(z, o->J + r * n, n * sizeof *z);
    half_solve(w, o->leaf[r], z);
    for (int j = o->leaf[r]; j >= 0; j = parent[j]) {
      sum += o->J[r * n + (size_t)j] * o->fall[j];
      scaled[j] = w->h * z[j] / o->H[(size_t)j * (n + 1)];
    }
    o->b[r] = o->wanted[r] - sum;
    for (size_t s = 0; s <= r; s++) {
      double product = 0;
      for (int j = o->leaf[r]; j >= 0; j = parent[j])
        product += scaled[j] * o->Z[s * n + (size_t)j];
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
  for (size_t r = 0; r < m; r++)
    for (size_t i = 0; i < n; i++)
      o->next[i] += w->h * o->J[r * n + i] * o->f[r];
  solve(w, o->next);
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

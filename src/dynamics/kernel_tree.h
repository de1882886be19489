/* Private to src/dynamics. Mass matrix, residual with contact forces, and its first derivatives, in the world's axes
 * about the root's origin (doc/equations.md, 3 and 4).
 *
 * In one common frame the sums over subtrees are plain sums, and what dof k does to an ancestor j is a few dot products
 * of a vector of k with a vector of j. */
#include "dynamics/kernels.h"
#include "dynamics/lanes.h"

/* Four arrays, one entry per dof, so that a kernel touches only the memory that it needs. Sums are over the body and
 * all it carries; they hold the body alone until the pass inwards. */
struct place {
  struct vec ex, ey, ez;        /* columns of the body's rotation                */
  struct vec o;                 /* its origin                                    */
  struct spatial S;             /* joint axis                                    */
  lane mass;                    /* sum of mass,                                  */
  struct vec h;                 /*   of first moments,                           */
  struct sym J;                 /*   of second moments                           */
};

struct motion {
  struct spatial v, a;          /* velocity, acceleration with gravity           */
  struct spatial psi, psi2;     /* v x S, and a x S + v x psi, of the parent     */
  struct vec p;                 /* sum of momentum,                              */
  struct mat D;                 /*   of velocity moments, the integral of r' r^T */
  struct spatial F;             /*   of forces and moments that the motion needs */
};

struct touch {
  int touched;                  /* some contact is below; if not, the rest is unset */
  struct mat T;                 /* sum of f r^T,                                 */
  struct vec f;                 /*   of f                                        */
};

struct virtual {                /* only the curvature kernel's                   */
  struct spatial W, omega;      /* virtual velocity, W x S of the parent         */
  struct vec p;                 /* sum of W(r) dm,                               */
  struct mat E;                 /*   of W(r) r^T dm,                             */
  struct vec P;                 /*   of B^T W, purely angular                    */
  struct mat TW, TL;            /* sums of f W(r)^T, lambda r^T, if touched      */
  struct vec lambda;            /* sum of lambda                                 */
};

struct tree_work {
  struct place *place;
  struct motion *motion;
  struct touch *touch;
  struct virtual *virtual;
};

static inline struct tree_work tree_work(void *scratch, int n)
{
  struct tree_work w;
  w.place = scratch;
  w.motion = (struct motion *)(w.place + n);
  w.touch = (struct touch *)(w.motion + n);
  w.virtual = (struct virtual *)(w.touch + n);
  return w;
}

static inline void turn_frame(const struct kernel_body *b, const struct place *p, struct place *m, lane angle)
{
  lane s, c;
  lane_sincos(angle * b->sign, &s, &c);
  m->ex = p->ex, m->ey = p->ey, m->ez = p->ez;
  switch (b->axis) {
  case AXIS_X:
    m->S.ang = scale(p->ex, lane_of(b->sign));
    m->ey = fuse(scale(p->ey, c), p->ez, s);
    m->ez = sub(scale(p->ez, c), scale(p->ey, s));
    break;
  case AXIS_Y:
    m->S.ang = scale(p->ey, lane_of(b->sign));
    m->ez = fuse(scale(p->ez, c), p->ex, s);
    m->ex = sub(scale(p->ex, c), scale(p->ez, s));
    break;
  case AXIS_Z:
    m->S.ang = scale(p->ez, lane_of(b->sign));
    m->ex = fuse(scale(p->ex, c), p->ey, s);
    m->ey = sub(scale(p->ey, c), scale(p->ex, s));
    break;
  default: {
    struct vec u = fuse(fuse(scale(p->ex, lane_of(b->direction[0])), p->ey, lane_of(b->direction[1])), p->ez,
                        lane_of(b->direction[2]));
    lane k = 1.0 - c;
    m->S.ang = u;
    m->ex = fuse(fuse(scale(p->ex, c), cross(u, p->ex), s), u, k * b->direction[0]);
    m->ey = fuse(fuse(scale(p->ey, c), cross(u, p->ey), s), u, k * b->direction[1]);
    m->ez = fuse(fuse(scale(p->ez, c), cross(u, p->ez), s), u, k * b->direction[2]);
  }
  }
}

static inline struct vec to_world(const struct place *m, const double *local)
{
  return fuse(fuse(scale(m->ex, lane_of(local[0])), m->ey, lane_of(local[1])), m->ez, lane_of(local[2]));
}

/* Mass and moments of the body in the world: J = R J R^T + (R h) o^T + o (R h)^T + m o o^T. */
static inline void body_moments(const struct kernel_body *b, struct place *s)
{
  if (!b->has_mass) {
    s->mass = lane_of(0);
    s->h = vec_zero();
    s->J = (struct sym){lane_of(0), lane_of(0), lane_of(0), lane_of(0), lane_of(0), lane_of(0)};
    return;
  }
  const double *j = b->moment2;
  struct vec ex = s->ex, ey = s->ey, ez = s->ez, o = s->o;
  struct vec jx = fuse(fuse(scale(ex, lane_of(j[0])), ey, lane_of(j[3])), ez, lane_of(j[4])); /* columns of R J */
  struct vec jy = fuse(fuse(scale(ex, lane_of(j[3])), ey, lane_of(j[1])), ez, lane_of(j[5]));
  struct vec jz = fuse(fuse(scale(ex, lane_of(j[4])), ey, lane_of(j[5])), ez, lane_of(j[2]));
  struct vec rh = to_world(s, b->moment1);
  struct vec k = fuse(rh, o, lane_of(b->mass));
  s->mass = lane_of(b->mass);
  s->h = k;
  s->J.xx = jx.x * ex.x + jy.x * ey.x + jz.x * ez.x + rh.x * o.x + o.x * k.x;
  s->J.yy = jx.y * ex.y + jy.y * ey.y + jz.y * ez.y + rh.y * o.y + o.y * k.y;
  s->J.zz = jx.z * ex.z + jy.z * ey.z + jz.z * ez.z + rh.z * o.z + o.z * k.z;
  s->J.xy = jx.x * ex.y + jy.x * ey.y + jz.x * ez.y + rh.x * o.y + o.x * k.y;
  s->J.xz = jx.x * ex.z + jy.x * ey.z + jz.x * ez.z + rh.x * o.z + o.x * k.z;
  s->J.yz = jx.y * ex.z + jy.y * ey.z + jz.y * ez.z + rh.y * o.z + o.y * k.z;
}

static inline void root_frame(struct place *root)
{
  root->ex = vec(lane_of(1), lane_of(0), lane_of(0));
  root->ey = vec(lane_of(0), lane_of(1), lane_of(0));
  root->ez = vec(lane_of(0), lane_of(0), lane_of(1));
  root->o = vec_zero();
}

/* Frame, origin, axis and moments of body i. */
static inline void place_body(const struct kernel_body *b, struct place *place, int i, lane angle)
{
  struct place *m = &place[i];
  const struct place *p = &place[b->parent];
  m->o = b->has_offset ? add(p->o, to_world(p, b->offset)) : p->o;
  turn_frame(b, p, m, angle);
  m->S.lin = cross(m->o, m->S.ang);
  body_moments(b, m);
}

static inline void add_moments(struct place *a, const struct place *b)
{
  a->mass += b->mass;
  a->h = add(a->h, b->h);
  a->J.xx += b->J.xx, a->J.yy += b->J.yy, a->J.zz += b->J.zz;
  a->J.xy += b->J.xy, a->J.xz += b->J.xz, a->J.yz += b->J.yz;
}

/* I x of the composite body. */
static inline struct spatial inertia_times(const struct place *s, struct spatial x)
{
  lane t = s->J.xx + s->J.yy + s->J.zz;
  return (struct spatial){add(sub(scale(x.ang, t), mul_sym(&s->J, x.ang)), cross(s->h, x.lin)),
                          add(scale(x.lin, s->mass), cross(x.ang, s->h))};
}

/* B x = x x* I v + v x* I x - I (v x x), which is twice the moment and force of Coriolis: equation 4.3. */
static inline struct spatial coriolis_times(const struct motion *s, struct vec x)
{
  return (struct spatial){scale(sub(scale(x, trace(&s->D)), mul(&s->D, x)), lane_of(2)),
                          scale(cross(x, s->p), lane_of(2))};
}

/* B^T x; its linear part is zero. */
static inline struct vec coriolis_transposed(const struct motion *s, struct spatial x)
{
  return scale(add(sub(scale(x.ang, trace(&s->D)), mul_transposed(&s->D, x.ang)), cross(s->p, x.lin)), lane_of(2));
}

/* Entry (i, j), in lanes. */
#define AT(i, j) ((size_t)(i) * (size_t)n + (size_t)(j))

/* What dof k does to the root's slides, and they to it. */
static inline void store_root_column(double *out, int n, int k, struct vec x)
{
  lane_store(out, AT(0, k), x.x), lane_store(out, AT(1, k), x.y), lane_store(out, AT(2, k), x.z);
}

static inline void store_root_row(double *out, int n, int k, struct vec x)
{
  lane_store(out, AT(k, 0), x.x), lane_store(out, AT(k, 1), x.y), lane_store(out, AT(k, 2), x.z);
}

static void kernel_mass_matrix(const struct kernel_tree *t, void *scratch, const double *q, double *M)
{
  struct place *place = scratch;
  int n = t->n;
  root_frame(&place[2]);
  for (int i = 3; i < n; i++)
    place_body(&t->bodies[i], place, i, lane_load(q, i));
  for (int k = n - 1; k >= 3; k--) {
    struct spatial I = inertia_times(&place[k], place[k].S);
    for (int j = k; j > 2; j = t->bodies[j].parent) {
      lane e = spatial_dot(place[j].S, I);
      lane_store(M, AT(j, k), e);
      lane_store(M, AT(k, j), e);
    }
    store_root_column(M, n, k, I.lin);
    store_root_row(M, n, k, I.lin);
    if (k > 3)
      add_moments(&place[t->bodies[k].parent], &place[k]);
  }
  for (int i = 0; i < 3; i++)
    lane_store(M, AT(i, i), place[3].mass);
}

/* Velocity, acceleration and their transports over the joint; force and momentum of the body alone. */
static inline void move_body(const struct kernel_body *b, const struct tree_work *work, int i, lane v, lane a)
{
  const struct place *at = &work->place[i];
  const struct motion *p = &work->motion[b->parent];
  struct motion *m = &work->motion[i];
  m->psi = cross_motion(p->v, at->S);
  m->psi2 = spatial_add(cross_motion(p->a, at->S), cross_motion(p->v, m->psi));
  m->v = spatial_fuse(p->v, at->S, v);
  m->a = spatial_fuse(spatial_fuse(p->a, at->S, a), m->psi, v);
  if (!b->has_mass) {
    m->p = vec_zero();
    m->D = (struct mat){vec_zero(), vec_zero(), vec_zero()};
    m->F = spatial_zero();
    return;
  }
  struct vec acc = add(m->a.lin, cross(m->v.ang, m->v.lin)); /* of the body's point at the root's origin */
  struct mat field = acceleration_matrix(m->v.ang, m->a.ang);
  m->p = fuse(cross(m->v.ang, at->h), m->v.lin, at->mass);
  m->D = velocity_moment(m->v.ang, m->v.lin, at->h, &at->J);
  m->F.lin = fuse(mul(&field, at->h), acc, at->mass);
  m->F.ang = add(turning_moment(&field, &at->J), cross(at->h, acc));
}

/* Adds the forces that k and what it carries need to those of its parent. */
static inline void add_forces_to_parent(const struct tree_work *work, int parent, int k)
{
  const struct touch *y = &work->touch[k];
  struct touch *x = &work->touch[parent];
  work->motion[parent].F = spatial_add(work->motion[parent].F, work->motion[k].F);
  if (!y->touched)
    return;
  if (!x->touched) {
    *x = *y;
    return;
  }
  accumulate_mat(&x->T, &y->T);
  x->f = add(x->f, y->f);
}

/* Adds the sums of k to those of its parent. */
static inline void add_to_parent(const struct tree_work *work, int parent, int k)
{
  struct motion *a = &work->motion[parent];
  const struct motion *b = &work->motion[k];
  add_moments(&work->place[parent], &work->place[k]);
  a->p = add(a->p, b->p);
  accumulate_mat(&a->D, &b->D);
  add_forces_to_parent(work, parent, k);
}

static inline void root_motion(const struct tree_work *work, double gravity, const double *a)
{
  struct motion *root = &work->motion[2];
  root_frame(&work->place[2]);
  root->v = spatial_zero(); /* a constant velocity of the whole changes nothing */
  root->a.ang = vec_zero();
  root->a.lin = vec(lane_load(a, 0), lane_load(a, 1), lane_load(a, 2) + gravity);
}

/* All bodies in place and moving. */
static inline void move_tree(const struct kernel_tree *t, const struct tree_work *work, const double *const qva[3])
{
  root_motion(work, t->gravity, qva[2]);
  for (int i = 3; i < t->n; i++) {
    place_body(&t->bodies[i], work->place, i, lane_load(qva[0], i));
    move_body(&t->bodies[i], work, i, lane_load(qva[1], i), lane_load(qva[2], i));
    work->touch[i].touched = 0;
  }
}

/* A contact's place, from the root's origin; its force joins the sums of its body. */
static inline struct vec touch_ground(const struct kernel_tree *t, const struct tree_work *work,
                                      const struct dynamics_contacts *contacts, int c)
{
  const struct kernel_point *point = &t->points[contacts->point[c]];
  const struct place *at = &work->place[point->body];
  struct touch *x = &work->touch[point->body];
  struct vec f = vec(lane_load(contacts->force, 3 * c), lane_load(contacts->force, 3 * c + 1),
                     lane_load(contacts->force, 3 * c + 2));
  struct vec r = add(at->o, to_world(at, point->at));
  struct mat T = outer(f, r);
  if (x->touched) {
    accumulate_mat(&x->T, &T);
    x->f = add(x->f, f);
  } else {
    *x = (struct touch){1, T, f};
  }
  return r;
}

static inline void store_position(double *position, int c, const double *q, struct vec r)
{
  lane_store(position, 3 * (size_t)c, lane_load(q, 0) + r.x);
  lane_store(position, 3 * (size_t)c + 1, lane_load(q, 1) + r.y);
  lane_store(position, 3 * (size_t)c + 2, lane_load(q, 2) + r.z);
}

/* tau of dof k: what the motion needs less what the contacts give. */
static inline lane joint_torque(const struct tree_work *work, int k)
{
  struct spatial S = work->place[k].S;
  lane tau = spatial_dot(S, work->motion[k].F);
  const struct touch *x = &work->touch[k];
  return x->touched ? tau - (dot(S.ang, vee(&x->T)) + dot(S.lin, x->f)) : tau;
}

static inline void store_root_force(const struct tree_work *work, double *tau)
{
  struct vec f = work->motion[3].F.lin;
  if (work->touch[3].touched)
    f = sub(f, work->touch[3].f);
  lane_store(tau, 0, f.x), lane_store(tau, 1, f.y), lane_store(tau, 2, f.z);
}

static void kernel_residual(const struct kernel_tree *t, void *scratch, const double *const qva[3],
                            const struct dynamics_contacts *contacts, double *tau, double *position)
{
  struct tree_work work = tree_work(scratch, t->n);
  move_tree(t, &work, qva);
  for (int c = 0; contacts && c < contacts->n; c++) {
    struct vec r = touch_ground(t, &work, contacts, c);
    if (position)
      store_position(position, c, qva[0], r);
  }
  for (int k = t->n - 1; k >= 3; k--) {
    lane_store(tau, (size_t)k, joint_torque(&work, k));
    if (k > 3)
      add_forces_to_parent(&work, t->bodies[k].parent, k);
  }
  store_root_force(&work, tau);
}

/* The sum of x(r) x f for a motion x, where E is the sum of f r^T and p that of f. */
static inline struct vec crossed_moment(const struct mat *E, struct vec p, struct spatial x)
{
  return add(sub(mul_transposed(E, x.ang), scale(x.ang, trace(E))), cross(x.lin, p));
}

/* S x* F + I psi2 + B psi, equation 4.5 */
static inline struct spatial position_vector(const struct place *at, const struct motion *m)
{
  return spatial_add(cross_force(at->S, m->F),
                     spatial_add(inertia_times(at, m->psi2), coriolis_times(m, m->psi.ang)));
}

/* 2 I psi + B S, equation 4.6 */
static inline struct spatial velocity_vector(const struct place *at, const struct motion *m)
{
  struct spatial I = inertia_times(at, m->psi);
  return spatial_add(spatial_add(I, I), coriolis_times(m, at->S.ang));
}

/* Rows and columns k of the derivatives, equations 4.4 to 4.7. */
static inline void store_derivatives(const struct kernel_tree *t, const struct tree_work *work, int k,
                                     struct dynamics_derivatives *out)
{
  int n = t->n;
  const struct place *at = &work->place[k];
  const struct motion *m = &work->motion[k];
  const struct touch *x = &work->touch[k];
  struct spatial I = inertia_times(at, at->S), I2 = spatial_add(I, I);
  struct vec B = coriolis_transposed(m, at->S);
  struct vec Y = x->touched ? crossed_moment(&x->T, x->f, at->S) : vec_zero();
  struct spatial Q = position_vector(at, m), V = velocity_vector(at, m);
  Q.ang = sub(Q.ang, Y);
  for (int j = k; j > 2; j = t->bodies[j].parent) {
    struct spatial S = work->place[j].S;
    const struct motion *g = &work->motion[j];
    lane e = spatial_dot(S, I);
    lane_store(out->M, AT(j, k), e);
    lane_store(out->M, AT(k, j), e);
    lane_store(out->dq, AT(j, k), spatial_dot(S, Q));
    lane_store(out->dv, AT(j, k), spatial_dot(S, V));
    lane_store(out->dq, AT(k, j), spatial_dot(g->psi2, I) + dot(g->psi.ang, B) - dot(S.ang, Y));
    lane_store(out->dv, AT(k, j), spatial_dot(g->psi, I2) + dot(S.ang, B));
  }
  store_root_column(out->M, n, k, I.lin);
  store_root_row(out->M, n, k, I.lin);
  store_root_column(out->dq, n, k, Q.lin);
  store_root_column(out->dv, n, k, V.lin);
}

/* How a contact moves with each dof that carries it. */
static inline void store_jacobian(const struct kernel_tree *t, const struct tree_work *work, int body, struct vec r,
                                  double *jacobian)
{
  int n = t->n;
  for (int j = body; j > 2; j = t->bodies[j].parent) {
    struct spatial S = work->place[j].S;
    store_root_column(jacobian, n, j, add(S.lin, cross(S.ang, r)));
  }
  for (int i = 0; i < 3; i++)
    lane_store(jacobian, AT(i, i), lane_of(1));
}

static void kernel_derivatives(const struct kernel_tree *t, void *scratch, const double *const qva[3],
                               const struct dynamics_contacts *contacts, struct dynamics_derivatives *out)
{
  int n = t->n;
  struct tree_work work = tree_work(scratch, n);
  move_tree(t, &work, qva);
  for (int c = 0; contacts && c < contacts->n; c++) {
    struct vec r = touch_ground(t, &work, contacts, c);
    if (out->position)
      store_position(out->position, c, qva[0], r);
    if (out->jacobian)
      store_jacobian(t, &work, t->points[contacts->point[c]].body, r,
                     out->jacobian + (size_t)LANES * 3 * (size_t)n * (size_t)c);
  }
  for (int k = n - 1; k >= 3; k--) {
    lane_store(out->tau, (size_t)k, joint_torque(&work, k));
    store_derivatives(t, &work, k, out);
    if (k > 3)
      add_to_parent(&work, t->bodies[k].parent, k);
  }
  store_root_force(&work, out->tau);
  for (int i = 0; i < 3; i++)
    lane_store(out->M, AT(i, i), work.place[3].mass);
}

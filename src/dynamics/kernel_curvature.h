/* Private to src/dynamics. Second derivatives of w . (inverse dynamics - contact forces) + lambda . contact positions
 * (doc/equations.md, 5).
 *
 * Exact, and as cheap as the first derivatives: for dof k and each dof j that carries it, a handful of dot products of
 * vectors of k (A, C, G, U, V, I below, sums over all that k carries) with vectors of j (S, psi, psi2, omega). */
#include "dynamics/kernel_tree.h"

/* Virtual velocity of a body, and what it makes of the body's own moments and momentum. */
static inline void move_virtually(const struct kernel_body *b, const struct tree_work *work, int i, lane w)
{
  const struct place *at = &work->place[i];
  const struct virtual *p = &work->virtual[b->parent];
  struct virtual *x = &work->virtual[i];
  x->omega = cross_motion(p->W, at->S);
  x->W = spatial_fuse(p->W, at->S, w);
  if (!b->has_mass) {
    x->p = x->P = vec_zero();
    x->E = (struct mat){vec_zero(), vec_zero(), vec_zero()};
    return;
  }
  x->p = fuse(cross(x->W.ang, at->h), x->W.lin, at->mass);
  x->E = velocity_moment(x->W.ang, x->W.lin, at->h, &at->J);
  x->P = coriolis_transposed(&work->motion[i], x->W);
}

/* Adds a contact to its body's sums and stores d2 phi / dq dforce, equation 5.9. */
static void add_contact(const struct kernel_tree *t, const struct tree_work *work,
                        const struct dynamics_contacts *contacts, int c, double *qf)
{
  int body = t->points[contacts->point[c]].body, first = !work->touch[body].touched;
  struct virtual *x = &work->virtual[body];
  struct vec r = touch_ground(t, work, contacts, c), W = add(x->W.lin, cross(x->W.ang, r));
  struct vec f = vec(lane_load(contacts->force, 3 * c), lane_load(contacts->force, 3 * c + 1),
                     lane_load(contacts->force, 3 * c + 2));
  struct vec lambda = vec(lane_load(contacts->lambda, 3 * c), lane_load(contacts->lambda, 3 * c + 1),
                          lane_load(contacts->lambda, 3 * c + 2));
  struct mat TW = outer(f, W), TL = outer(lambda, r);
  if (first) {
    x->TW = TW, x->TL = TL, x->lambda = lambda;
  } else {
    accumulate_mat(&x->TW, &TW);
    accumulate_mat(&x->TL, &TL);
    x->lambda = add(x->lambda, lambda);
  }
  for (int j = body; qf && j > 2; j = t->bodies[j].parent) {
    struct spatial omega = work->virtual[j].omega;
    struct vec d = add(add(omega.lin, cross(omega.ang, r)), cross(work->place[j].S.ang, W));
    size_t at = 3 * ((size_t)c * (size_t)t->n + (size_t)j);
    lane_store(qf, at, -d.x);
    lane_store(qf, at + 1, -d.y);
    lane_store(qf, at + 2, -d.z);
  }
}

/* Adds the virtual sums of k to those of its parent; before add_to_parent(), which marks the parent as touched. */
static inline void add_virtual_to_parent(const struct tree_work *work, int parent, int k)
{
  struct virtual *a = &work->virtual[parent];
  const struct virtual *b = &work->virtual[k];
  a->p = add(a->p, b->p);
  a->P = add(a->P, b->P);
  accumulate_mat(&a->E, &b->E);
  if (!work->touch[k].touched)
    return;
  if (!work->touch[parent].touched) {
    a->TW = b->TW, a->TL = b->TL, a->lambda = b->lambda;
    return;
  }
  accumulate_mat(&a->TW, &b->TW);
  accumulate_mat(&a->TL, &b->TL);
  a->lambda = add(a->lambda, b->lambda);
}

/* First derivatives, equations 5.2 to 5.4. */
static inline void store_gradient(const struct tree_work *work, int k, struct dynamics_curvature *out)
{
  const struct place *at = &work->place[k];
  const struct motion *m = &work->motion[k];
  const struct virtual *x = &work->virtual[k];
  const struct touch *y = &work->touch[k];
  struct spatial Q = {vee(&x->E), x->p};
  lane gq = spatial_dot(x->omega, m->F) + spatial_dot(m->psi2, Q) + dot(m->psi.ang, x->P);
  lane psi_q = spatial_dot(m->psi, Q);
  if (y->touched) {
    struct spatial X = {vee(&y->T), y->f}, L = {vee(&x->TL), x->lambda};
    gq += spatial_dot(at->S, L) - spatial_dot(x->omega, X) - dot(at->S.ang, vee(&x->TW));
  }
  lane_store(out->gq, (size_t)k, gq);
  lane_store(out->gv, (size_t)k, psi_q + psi_q + dot(at->S.ang, x->P));
  lane_store(out->ga, (size_t)k, spatial_dot(at->S, Q));
}

/* The vectors of dof k that meet those of the dofs that carry it. */
struct curvature_vectors {
  struct spatial A, C, V, I;
  struct vec G, U, Z;
};

static inline void curvature_vectors(const struct tree_work *work, int k, struct curvature_vectors *o)
{
  const struct place *at = &work->place[k];
  const struct motion *m = &work->motion[k];
  const struct virtual *x = &work->virtual[k];
  const struct touch *y = &work->touch[k];
  struct spatial Q = {vee(&x->E), x->p};
  o->I = inertia_times(at, at->S);
  o->A = position_vector(at, m);
  o->C = spatial_add(inertia_times(at, x->omega), cross_force(at->S, Q));
  o->V = velocity_vector(at, m);
  o->U = scale(crossed_moment(&x->E, x->p, at->S), lane_of(2));
  o->G = add(add(coriolis_transposed(m, x->omega), cross(at->S.ang, x->P)),
             scale(crossed_moment(&x->E, x->p, m->psi), lane_of(2)));
  o->Z = vec_zero();
  if (y->touched) {
    struct vec moving = sub(mul_transposed(&x->TW, at->S.ang), scale(at->S.ang, trace(&x->TW)));
    o->A.ang = sub(o->A.ang, crossed_moment(&y->T, y->f, at->S));
    o->Z = sub(sub(crossed_moment(&x->TL, x->lambda, at->S), crossed_moment(&y->T, y->f, x->omega)), moving);
  }
}

/* Row and column k of all blocks, equations 5.5 to 5.8. */
static inline void store_curvature(const struct kernel_tree *t, const struct tree_work *work, int k,
                                   struct dynamics_curvature *out)
{
  int n = t->n;
  struct curvature_vectors o;
  curvature_vectors(work, k, &o);
  for (int j = k; j > 2; j = t->bodies[j].parent) {
    struct spatial S = work->place[j].S, omega = work->virtual[j].omega;
    const struct motion *g = &work->motion[j];
    lane qq = spatial_dot(omega, o.A) + spatial_dot(g->psi2, o.C) + dot(g->psi.ang, o.G) + dot(S.ang, o.Z);
    lane vv = dot(S.ang, o.U);
    lane psi_c = spatial_dot(g->psi, o.C);
    lane_store(out->qq, AT(j, k), qq);
    lane_store(out->qq, AT(k, j), qq);
    lane_store(out->vv, AT(j, k), vv);
    lane_store(out->vv, AT(k, j), vv);
    lane_store(out->qv, AT(k, j), psi_c + psi_c + dot(S.ang, o.G)); /* the next two overwrite it where j = k */
    lane_store(out->qa, AT(k, j), spatial_dot(S, o.C));
    lane_store(out->qv, AT(j, k), spatial_dot(omega, o.V) + dot(g->psi.ang, o.U));
    lane_store(out->qa, AT(j, k), spatial_dot(omega, o.I));
  }
  store_root_row(out->qa, n, k, o.C.lin);
}

static void kernel_curvature(const struct kernel_tree *t, void *scratch, const double *const qvaw[4],
                             const struct dynamics_contacts *contacts, struct dynamics_curvature *out)
{
  int n = t->n;
  struct tree_work work = tree_work(scratch, n);
  const double *w = qvaw[3];
  move_tree(t, &work, qvaw);
  work.virtual[2].W = (struct spatial){vec_zero(), vec(lane_load(w, 0), lane_load(w, 1), lane_load(w, 2))};
  for (int i = 3; i < n; i++)
    move_virtually(&t->bodies[i], &work, i, lane_load(w, i));
  for (int c = 0; contacts && c < contacts->n; c++)
    add_contact(t, &work, contacts, c, out->qf);
  for (int k = n - 1; k >= 3; k--) {
    store_gradient(&work, k, out);
    store_curvature(t, &work, k, out);
    if (k > 3) {
      add_virtual_to_parent(&work, t->bodies[k].parent, k);
      add_to_parent(&work, t->bodies[k].parent, k);
    }
  }
  const struct virtual *whole = &work.virtual[3];
  struct vec pull = work.touch[3].touched ? whole->lambda : vec_zero(); /* moving the root moves all points alike */
  lane_store(out->gq, 0, pull.x), lane_store(out->gq, 1, pull.y), lane_store(out->gq, 2, pull.z);
  lane_store(out->ga, 0, whole->p.x), lane_store(out->ga, 1, whole->p.y), lane_store(out->ga, 2, whole->p.z);
  for (int i = 0; i < 3; i++)
    lane_store(out->gv, (size_t)i, lane_of(0));
}

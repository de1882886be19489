/* Rigid-body dynamics of a creature: where it is, what it takes to move, and how that changes.
 *
 * doc/equations.md numbers the equations; each function names its own. All arrays belong to the caller; a struct
 * dynamics is scratch memory for one creature and one thread. No function allocates, fails or looks at what an earlier
 * call left behind, except that the functions under "at a pose" read the last dynamics_kinematics().
 *
 * q, v, a, tau and w have n = n_dofs numbers. Matrices are n x n, row-major. Only entries (i, j) where one dof carries
 * the other can differ from zero, and only those are written: clear a matrix once, before its first use.
 *
 * The room gives this header, and may call base and creature only. The kernels (kernel_*.h) are compiled several times,
 * for one state and for four, for several sets of vector instructions; dynamics.c chooses. */
#ifndef MUYBRIDGE_DYNAMICS_H
#define MUYBRIDGE_DYNAMICS_H

#include "base/arena.h"
#include "creature/creature.h"

struct dynamics;

struct dynamics *dynamics_new(struct arena *arena, const struct creature *c);

/* The same in units in which the creature's mass, its standing height and gravity are 1: what optimizers like. */
struct dynamics *dynamics_new_dimensionless(struct arena *arena, const struct creature *c);

/* Torques (forces on dofs 0..2) that give accelerations a in state q, v under gravity: tau = M(q) a + h(q, v). */
void dynamics_inverse(struct dynamics *d, const double *q, const double *v, const double *a, double *tau);

/* M(q), both triangles. */
void dynamics_mass_matrix(struct dynamics *d, const double *q, double *M);

/* Accelerations under torques tau: a = M^-1 (tau - h(q, v)), by the sparse factorisation M = L^T D L. */
void dynamics_forward(struct dynamics *d, const double *q, const double *v, const double *tau, double *a);

/* Points of the creature that one asks about, and the world's forces on them. NULL stands for none. */
struct dynamics_contacts {
  int n;
  const int *point;             /* indices into creature->points                      (n)     */
  const double *force;          /* [N]                                                (n x 3) */
  const double *lambda;         /* multipliers of the positions, for the curvature    (n x 3) */
};

/* What the joints must supply beside the contacts: tau = M a + h - sum J^T force. Its first six are zero in a motion
 * that obeys physics. Also the points' positions (n_contacts x 3), unless NULL. */
void dynamics_residual(struct dynamics *d, const double *q, const double *v, const double *a,
                       const struct dynamics_contacts *contacts, double *tau, double *position);

/* The residual and its derivatives. */
struct dynamics_derivatives {
  double *tau;                  /* as above                                           (n)     */
  double *dq, *dv;              /* d tau / d q, d tau / d v                           (n x n) */
  double *M;                    /* d tau / d a, the mass matrix                       (n x n) */
  double *position;             /* of the contacts; NULL: not wanted                  (n_contacts x 3)     */
  double *jacobian;             /* d position / d q, which is also -d tau / d force, transposed; NULL: not wanted
                                   (n_contacts x 3 x n; only dofs that carry the point are written) */
};
void dynamics_derivatives(struct dynamics *d, const double *q, const double *v, const double *a,
                          const struct dynamics_contacts *contacts, struct dynamics_derivatives *out);

/* Second derivatives of phi(q, v, a) = w . (tau(q, v, a) - sum J^T force) + sum lambda . position(q).
 * Those in (v, a) and (a, a) are zero. qv[i n + j] = d2 phi / dq_i dv_j; qa likewise. */
struct dynamics_curvature {
  double *gq, *gv, *ga;         /* first derivatives                  (n each)     */
  double *qq, *qv, *qa, *vv;    /*                                    (n x n each) */
  double *qf;                   /* d2 phi / dq_i dforce_c: (c n + i) 3 + axis; NULL: not wanted (n_contacts x n x 3) */
};
void dynamics_curvature(struct dynamics *d, const double *q, const double *v, const double *a, const double *w,
                        const struct dynamics_contacts *contacts, struct dynamics_curvature *out);

/* ---- four states at once ----
 * The same functions with every number of the above replaced by four, one of each state: number i of state l is at
 * 4 i + l. They take little longer than one state where the machine has vectors of four numbers, and give the same
 * bits. */
#define DYNAMICS_LANES 4
void dynamics_inverse_x4(struct dynamics *d, const double *q, const double *v, const double *a, double *tau);
void dynamics_mass_matrix_x4(struct dynamics *d, const double *q, double *M);
void dynamics_residual_x4(struct dynamics *d, const double *q, const double *v, const double *a,
                          const struct dynamics_contacts *contacts, double *tau, double *position);
void dynamics_derivatives_x4(struct dynamics *d, const double *q, const double *v, const double *a,
                             const struct dynamics_contacts *contacts, struct dynamics_derivatives *out);
void dynamics_curvature_x4(struct dynamics *d, const double *q, const double *v, const double *a, const double *w,
                           const struct dynamics_contacts *contacts, struct dynamics_curvature *out);

/* Which vector instructions the kernels were built for and run with: "avx2", "generic". */
const char *dynamics_instructions(void);

/* ---- at a pose ---- */

/* Frames of all bodies, in the world. */
void dynamics_kinematics(struct dynamics *d, const double *q);

/* The same again after a few dofs have changed: of bodies with moved[i] alone (n; those of the dofs that changed, and
 * all that they carry; NULL: of all). */
void dynamics_kinematics_of(struct dynamics *d, const double *q, const unsigned char *moved);

/* World position of a point given in a body's frame. */
void dynamics_point(const struct dynamics *d, int body, const double *local, double *world);

/* d position / d q: 3 x n, row-major, all entries written. */
void dynamics_point_jacobian(const struct dynamics *d, int body, const double *local, double *J);

/* Rotation of a body: 3 x 3, row-major, columns are the body's axes in the world. */
void dynamics_rotation(const struct dynamics *d, int body, double *R);

/* ---- the body as a whole ---- */

/* Does dynamics_kinematics() as well. */
struct dynamics_whole {
  double mass, weight;                                 /* [kg], [N]                                        */
  double com[3], com_velocity[3], com_acceleration[3]; /* [m], [m/s], [m/s2]                               */
  double momentum[3], momentum_rate[3];                /* [kg m/s], [N]: mass times the above              */
  double angular[3], angular_rate[3];                  /* momentum about the centre of mass [kg m2/s], [N m] */
  double kinetic, potential;                           /* energies, the latter zero at z = 0 [J]           */
};
void dynamics_whole(struct dynamics *d, const double *q, const double *v, const double *a, struct dynamics_whole *out);

/* Zero-moment point on the plane z = ground: where the ground's push must act. 0 if the body pulls or floats (vertical
 * force not above 1e-9 of the weight): then there is none. */
int dynamics_zmp(const struct dynamics_whole *w, double ground, double *xy);

/* Convex hull of n points in the plane, counter-clockwise; hull has room for n points of 2. Returns its size. */
int dynamics_support_polygon(int n, const double *xy, double *hull);

/* Distance of a point to the border of a convex polygon, positive inside. One or two vertices: minus the distance to
 * them. */
double dynamics_support_margin(int n, const double *hull, const double *xy);

#endif

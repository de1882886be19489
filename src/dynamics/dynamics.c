/* Set-up of the dynamics, choice of kernels, and forward dynamics. For everybody who asks how a creature moves. */
#include "dynamics/dynamics.h"

#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "dynamics/room.h"

/* The best kernels this processor can run; MUYBRIDGE_SIMD=generic asks for the portable ones. */
static int dynamics_use_avx2(void)
{
#ifdef HAVE_AVX2
  const char *wish = getenv("MUYBRIDGE_SIMD");
  return !(wish && strcmp(wish, "generic") == 0) && __builtin_cpu_supports("avx2");
#else
  return 0;
#endif
}

static const struct kernel_table *dynamics_choose_kernels(int lanes)
{
#ifdef HAVE_AVX2
  if (dynamics_use_avx2())
    return lanes == 1 ? &kernels_avx2_x1 : &kernels_avx2_x4;
#endif
  return lanes == 1 ? &kernels_generic_x1 : &kernels_generic_x4;
}

const char *dynamics_instructions(void)
{
  return dynamics_use_avx2() ? "avx2" : "generic";
}

/* What one unit is in SI; the unit of time follows. */
struct units { double mass, length, gravity; };

static void dynamics_scaled(const double *in, int n, double factor, double *out)
{
  for (int i = 0; i < n; i++)
    out[i] = in[i] * factor;
}

static struct kernel_body *dynamics_compile_bodies(struct arena *arena, const struct creature *c, struct units u)
{
  struct kernel_body *bodies = ARENA_NEW(arena, (size_t)c->n_dofs, struct kernel_body);
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *dof = &c->dofs[i];
    struct kernel_body *b = &bodies[i];
    b->parent = dof->parent;
    b->axis = (int)dof->kind;
    b->sign = dof->kind != AXIS_ANY && dof->axis[dof->kind] < 0 ? -1 : 1;
    b->has_offset = dof->has_offset;
    b->has_mass = dof->has_mass;
    b->needs_field |= dof->has_mass;
    if (dof->has_offset && dof->parent >= 0)
      bodies[dof->parent].needs_field = 1;
    b->mass = dof->mass / u.mass;
    dynamics_scaled(dof->axis, 3, 1.0, b->direction);
    dynamics_scaled(dof->offset, 3, 1 / u.length, b->offset);
    dynamics_scaled(dof->moment1, 3, 1 / (u.mass * u.length), b->moment1);
    dynamics_scaled(dof->moment2, 6, 1 / (u.mass * u.length * u.length), b->moment2);
  }
  return bodies;
}

static struct kernel_point *dynamics_compile_points(struct arena *arena, const struct creature *c, struct units u)
{
  struct kernel_point *points = ARENA_NEW(arena, (size_t)c->n_points, struct kernel_point);
  for (int i = 0; i < c->n_points; i++) {
    points[i].body = c->points[i].body;
    dynamics_scaled(c->points[i].at, 3, 1 / u.length, points[i].at);
  }
  return points;
}

static struct dynamics *dynamics_new_in_units(struct arena *arena, const struct creature *c, struct units u)
{
  struct dynamics *d = ARENA_NEW(arena, 1, struct dynamics);
  size_t n = (size_t)c->n_dofs;
  d->tree = (struct kernel_tree){c->n_dofs, CREATURE_GRAVITY / u.gravity, dynamics_compile_bodies(arena, c, u),
                                 dynamics_compile_points(arena, c, u)};
  d->one = dynamics_choose_kernels(1);
  d->four = dynamics_choose_kernels(4);
  d->scratch = arena_alloc(arena, n, d->four->scratch);
  d->frames = ARENA_NEW(arena, n, struct body_frame);
  d->M = ARENA_NEW(arena, n * n, double);
  d->bias = ARENA_NEW(arena, n, double);
  d->zero = ARENA_NEW(arena, n, double);
  return d;
}

struct dynamics *dynamics_new(struct arena *arena, const struct creature *c)
{
  return dynamics_new_in_units(arena, c, (struct units){1, 1, 1});
}

struct dynamics *dynamics_new_dimensionless(struct arena *arena, const struct creature *c)
{
  return dynamics_new_in_units(arena, c, (struct units){c->mass, c->height, CREATURE_GRAVITY});
}

void dynamics_inverse(struct dynamics *d, const double *q, const double *v, const double *a, double *tau)
{
  d->one->inverse(&d->tree, d->scratch, q, v, a, tau);
}

void dynamics_inverse_x4(struct dynamics *d, const double *q, const double *v, const double *a, double *tau)
{
  d->four->inverse(&d->tree, d->scratch, q, v, a, tau);
}

void dynamics_mass_matrix(struct dynamics *d, const double *q, double *M)
{
  d->one->mass_matrix(&d->tree, d->scratch, q, M);
}

void dynamics_mass_matrix_x4(struct dynamics *d, const double *q, double *M)
{
  d->four->mass_matrix(&d->tree, d->scratch, q, M);
}

void dynamics_residual(struct dynamics *d, const double *q, const double *v, const double *a,
                       const struct dynamics_contacts *contacts, double *tau, double *position)
{
  d->one->residual(&d->tree, d->scratch, (const double *const[3]){q, v, a}, contacts, tau, position);
}

void dynamics_residual_x4(struct dynamics *d, const double *q, const double *v, const double *a,
                          const struct dynamics_contacts *contacts, double *tau, double *position)
{
  d->four->residual(&d->tree, d->scratch, (const double *const[3]){q, v, a}, contacts, tau, position);
}

void dynamics_derivatives(struct dynamics *d, const double *q, const double *v, const double *a,
                          const struct dynamics_contacts *contacts, struct dynamics_derivatives *out)
{
  d->one->derivatives(&d->tree, d->scratch, (const double *const[3]){q, v, a}, contacts, out);
}

void dynamics_derivatives_x4(struct dynamics *d, const double *q, const double *v, const double *a,
                             const struct dynamics_contacts *contacts, struct dynamics_derivatives *out)
{
  d->four->derivatives(&d->tree, d->scratch, (const double *const[3]){q, v, a}, contacts, out);
}

void dynamics_curvature(struct dynamics *d, const double *q, const double *v, const double *a, const double *w,
                        const struct dynamics_contacts *contacts, struct dynamics_curvature *out)
{
  d->one->curvature(&d->tree, d->scratch, (const double *const[4]){q, v, a, w}, contacts, out);
}

void dynamics_curvature_x4(struct dynamics *d, const double *q, const double *v, const double *a, const double *w,
                           const struct dynamics_contacts *contacts, struct dynamics_curvature *out)
{
  d->four->curvature(&d->tree, d->scratch, (const double *const[4]){q, v, a, w}, contacts, out);
}

/* M = L^T D L in place: L (unit, strictly lower) and D on the diagonal. No fill: row k has entries only at dofs that
 * carry k. */
static void dynamics_factor(const struct kernel_body *bodies, int n, double *M)
{
  for (int k = n - 1; k >= 0; k--) {
    double *row = M + (size_t)k * (size_t)n;
    for (int i = bodies[k].parent; i >= 0; i = bodies[i].parent) {
      double l = row[i] / row[k];
      for (int j = i; j >= 0; j = bodies[j].parent)
        M[(size_t)i * (size_t)n + (size_t)j] -= l * row[j];
      row[i] = l;
    }
  }
}

/* x = (L^T D L)^-1 x */
static void dynamics_solve(const struct kernel_body *bodies, int n, const double *L, double *x)
{
  for (int k = n - 1; k >= 0; k--)
    for (int i = bodies[k].parent; i >= 0; i = bodies[i].parent)
      x[i] -= L[(size_t)k * (size_t)n + (size_t)i] * x[k];
  for (int k = 0; k < n; k++) {
    x[k] /= L[(size_t)k * (size_t)n + (size_t)k];
    for (int i = bodies[k].parent; i >= 0; i = bodies[i].parent)
      x[k] -= L[(size_t)k * (size_t)n + (size_t)i] * x[i];
  }
}

void dynamics_forward(struct dynamics *d, const double *q, const double *v, const double *tau, double *a)
{
  int n = d->tree.n;
  dynamics_inverse(d, q, v, d->zero, d->bias);
  dynamics_mass_matrix(d, q, d->M);
  d->M[n] = d->M[2 * n] = d->M[2 * n + 1] = 0; /* between slides: never written, but filled by the last factorisation */
  for (int i = 0; i < n; i++)
    a[i] = tau[i] - d->bias[i];
  dynamics_factor(d->tree.bodies, n, d->M);
  dynamics_solve(d->tree.bodies, n, d->M, a);
}

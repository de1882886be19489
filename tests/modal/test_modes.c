/* Modes: M- and K-orthogonal, rigid ones rigid, energies; propagation of one mode against its difference equation; the
 * spline through a clip. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "modal/modes.h"
#include "follow/reference.h"
#include "zoo.h"

static void random_pose(struct rng *r, const struct creature *c, double *q)
{
  for (int i = 0; i < c->n_dofs; i++)
    q[i] = i < 3 ? rng_normal(r) : i < 6 ? 0.5 * rng_normal(r) : c->dofs[i].rest + 0.3 * rng_normal(r);
}

static void test_orthogonal(struct arena *arena, const struct creature *c)
{
  struct rng r = rng_stream(11, (uint64_t)c->n_dofs);
  struct dynamics *d = dynamics_new_dimensionless(arena, c);
  struct modes *m = modes_new(arena, c, 0.113);
  int n = c->n_dofs;
  double *q = ARENA_NEW(arena, (size_t)n, double), *M = ARENA_NEW(arena, (size_t)(n * n), double);
  random_pose(&r, c, q);
  CHECK(modes_at(m, d, q));
  dynamics_mass_matrix(d, q, M);
  double mass = 0, springs = 0, weighed = 0, order = 0, rigid = 0, root = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double MM = 0, KK = 0;
      for (int a = 0; a < n; a++) {
        double Mx = 0;
        for (int b = 0; b < n; b++)
          Mx += M[a * n + b] * m->shape[j * n + b];
        MM += m->shape[i * n + a] * Mx;
        KK += m->shape[i * n + a] * m->stiffness[a] * m->shape[j * n + a];
        if (i == 0)
          weighed = fmax(weighed, fabs(Mx - m->weighed[j * n + a]));
      }
      mass = fmax(mass, fabs(MM - (i == j)));
      springs = fmax(springs, fabs(KK - (i == j) * m->square[i]) / fmax(1, m->square[i]));
    }
    order = fmax(order, i ? m->square[i - 1] - m->square[i] : 0);
    for (int a = 0; a < n; a++) {
      if (i < MODAL_RIGID && a >= CREATURE_ROOT_DOFS)
        rigid = fmax(rigid, fabs(m->shape[i * n + a]));
      if (i >= MODAL_RIGID && a < CREATURE_ROOT_DOFS)
        root = fmax(root, fabs(m->weighed[i * n + a]));
    }
  }
  CHECK_NEAR(mass, 0, 1e-9);
  CHECK_NEAR(springs, 0, 1e-9);
  CHECK_NEAR(weighed, 0, 1e-9);
  CHECK_NEAR(rigid, 0, 0);
  CHECK_NEAR(root, 0, 0); /* actuation of a mode that vibrates needs no force on the root */
  CHECK(order <= 0);
  CHECK(m->square[5] == 0 && m->square[6] > 0);
  int below = modes_below(m, m->square[8]);
  CHECK_INT(below, 2);
}

/* A displacement has the same coordinates by modes_coordinates() and back. */
static void test_back(struct arena *arena, const struct creature *c)
{
  struct rng r = rng_stream(12, 1);
  struct modes *m = modes_new(arena, c, 0.113);
  int n = c->n_dofs;
  double *q = ARENA_NEW(arena, (size_t)n, double), *x = ARENA_NEW(arena, (size_t)n, double),
          *p = ARENA_NEW(arena, (size_t)n, double);
  random_pose(&r, c, q);
  CHECK(modes_at(m, dynamics_new_dimensionless(arena, c), q));
  for (int i = 0; i < n; i++)
    x[i] = rng_normal(&r);
  modes_coordinates(m, x, 0, n, p);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < n; k++)
      sum += p[k] * m->shape[k * n + i];
    CHECK_NEAR(sum, x[i], 1e-8);
  }
  q[7] = NAN;
  CHECK(!modes_at(m, dynamics_new_dimensionless(arena, c), q));
}

/* ---- the spline ---- */

static void test_spline(struct arena *arena, const struct creature *c)
{
  struct clip *clip = clip_new(arena, c, 40, 0.02);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  clip->cyclic = 1;
  clip->advance = (struct clip_advance){0.8, 0.1, 0.2};
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < c->n_dofs; i++) {
      double s = k / 40.0, turn = i == 3 ? 0.2 * s : 0, way = i == 0 ? 0.8 * s : 0;
      clip->q[k * c->n_dofs + i] = (i < 3 ? 0 : 0.2 * sin(6.283185307179586 * s + i)) + way + turn;
    }
  const struct reference *s = reference_of_clip(arena, c, clip);
  for (int k = -50; k < 130; k += 7) { /* through the frames, any number of cycles on */
    double *frame = ARENA_NEW(arena, (size_t)c->n_dofs, double);
    clip_frame(clip, k, frame);
    reference_at(s, k, q, NULL, NULL);
    for (int i = 0; i < c->n_dofs; i++)
      CHECK_NEAR(q[i], frame[i], 1e-9);
  }
  for (double x = 3.3; x < 37; x += 1.7) { /* and near to what is between them */
    reference_at(s, x, q, NULL, NULL);
    CHECK_NEAR(q[7], 0.2 * sin(6.283185307179586 * x / 40 + 7), 2e-5);
  }
}

int main(void)
{
  struct arena *arena = arena_new();
  for (int i = 0; i < zoo_size(); i++) {
    const struct creature *c = zoo_load(arena, i);
    if (!c || c->n_dofs > 60)
      continue;
    test_orthogonal(arena, c);
    if (!strcmp(zoo_name(i), "human") || !strcmp(zoo_name(i), "biped")) {
      test_back(arena, c);
      test_spline(arena, c);
    }
  }
  arena_free(arena);
  return test_finish();
}

/* References: they obey physics where their clips do, their windows part them, and the same motion has the same
 * model. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "follow/captured.h"
#include "motion/ground.h"
#include "follow/errors.h"
#include "follow/subject.h"
#include "follow/walk.h"

/* Torques and forces of a frame give back the accelerations that its neighbours have: the root's too, which no
 * torque moves. */
static void check_physics(const struct reference *r)
{
  struct arena *arena = arena_new();
  size_t n = (size_t)r->n_dofs;
  struct dynamics *d = dynamics_new(arena, r->creature);
  double *tau = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double), *J = ARENA_NEW(arena, 3 * n,
      double), worst = 0;
  for (int k = 1; k + 1 < r->n_frames; k++) {
    const double *q = r->q + (size_t)k * n;
    for (size_t i = 0; i < n; i++)
      tau[i] = r->torque[(size_t)k * n + i];
    dynamics_kinematics(d, q);
    for (int p = 0; p < r->n_points; p++) {
      const double *f = r->force + ((size_t)k * (size_t)r->n_points + (size_t)p) * 3;
      dynamics_point_jacobian(d, r->creature->points[p].body, r->creature->points[p].at, J);
      for (size_t i = 0; i < n; i++)
        tau[i] += J[i] * f[0] + J[n + i] * f[1] + J[2 * n + i] * f[2];
    }
    dynamics_forward(d, q, r->v + (size_t)k * n, tau, a);
    for (size_t i = 0; i < n; i++) {
      double wanted = (q[i + n] - 2 * q[i] + q[(ptrdiff_t)i - (ptrdiff_t)n]) / (r->dt * r->dt);
      worst = fmax(worst, fabs(a[i] - wanted));
    }
  }
  CHECK_NEAR(worst, 0, 0.05); /* of some hundred rad/s2 */
  arena_free(arena);
}

static void check_windows(const struct reference *r)
{
  CHECK_INT(r->first[0], 0);
  CHECK_INT(r->first[r->n_ahead], r->n_frames - 1);
  CHECK(r->n_windows > 0 && r->n_windows <= r->n_ahead);
  for (int w = 0; w < r->n_ahead; w++) {
    CHECK(r->first[w + 1] > r->first[w]);
    CHECK(r->first[w + 1] - r->first[w] <= 16);
    CHECK(r->model[w] >= 0 && r->model[w] < r->n_models);
  }
}

/* The share of contact changes that are edges of windows. */
static double edges_at_changes(const struct reference *r)
{
  int changes = 0, found = 0;
  for (int k = 1; k < r->n_frames - 1; k++) {
    size_t m = (size_t)r->n_points;
    if (!memcmp(r->contact + (size_t)k * m, r->contact + (size_t)(k - 1) * m, m))
      continue;
    changes++;
    for (int w = 0; w <= r->n_ahead; w++)
      found += r->first[w] == k;
  }
  return changes ? (double)found / changes : 0;
}

static void test_cycle(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct reference *r = subject_clip(arena, &w->in, 0, 3, NULL, &d);
  CHECK(r != NULL);
  if (!r)
    return;
  CHECK_INT(r->n_frames, 4 * 62 + 1);
  CHECK_INT(r->first[r->n_windows], 3 * 62);
  CHECK_NEAR(reference_seconds(r), 3 * 62 * r->dt, 1e-12);
  CHECK_INT(r->n_models, 8);
  CHECK_INT(r->model[0], r->model[r->n_windows]); /* the cycle after it is the same one */
  check_windows(r);
  check_physics(r);
  CHECK(edges_at_changes(r) >= 0.99);
  arena_free(arena);
}

static void test_transition(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct reference *r = subject_clip(arena, &w->in, 1, 3, NULL, &d);
  CHECK(r != NULL);
  if (!r)
    return;
  CHECK_INT(r->first[r->n_windows], 31 + 62 + 62); /* half a cycle, the turn, a cycle */
  check_windows(r);
  check_physics(r); /* also across the junctions */
  size_t n = (size_t)r->n_dofs;
  double turned = r->q[(size_t)(31 + 62 + 62) * n + 3] - r->q[(size_t)31 * n + 3];
  CHECK_NEAR(turned, 0.5, 1e-6); /* the same phase of the walk, half a radian on */
  arena_free(arena);
}

static void test_path(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  const char *names = "";
  diag_init(&d);
  struct subject_path path = {.transitions = 4, .seed = 3};
  const struct reference *r = subject_path(arena, &w->in, &path, NULL, &names, &d);
  CHECK(r != NULL);
  CHECK_STR(names, "2 2 2 2");
  if (r) {
    check_windows(r);
    check_physics(r);
    CHECK(r->n_models < 40);
  }
  arena_free(arena);
}

/* Cubic between frames: through them, with their velocities, and the derivative is the velocity. */
static void test_between(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct reference *r = subject_clip(arena, &w->in, 0, 1, NULL, &d);
  size_t n = (size_t)r->n_dofs;
  double q[64], v[64], before[64], after[64], h = 1e-4;
  for (int k = 0; k < 60; k += 7) {
    reference_between(r, k, 0, q, v, NULL);
    CHECK_NEAR(q[8], r->q[(size_t)k * n + 8], 1e-14);
    CHECK_NEAR(v[8], r->v[(size_t)k * n + 8], 1e-12);
    reference_between(r, k, 0.4, q, v, NULL);
    reference_between(r, k, 0.4 - h, before, NULL, NULL);
    reference_between(r, k, 0.4 + h, after, NULL, NULL);
    CHECK_NEAR(v[8], (after[8] - before[8]) / (2 * h * r->dt), 1e-5);
  }
  arena_free(arena);
}

/* Errors: there and back; and they do not see where on the ground, or in which direction, it all happens. */
static void test_errors(const struct walk *w)
{
  struct rng rng = rng_stream(1, 1);
  int n = w->creature->n_dofs;
  double x[64], y[64], q[32], v[32], q_ref[32], v_ref[32];
  for (int i = 0; i < n; i++) {
    q_ref[i] = rng_normal(&rng);
    v_ref[i] = rng_normal(&rng);
    x[i] = 0.1 * rng_normal(&rng);
    x[n + i] = 0.1 * rng_normal(&rng);
  }
  errors_apply(w->creature, x, q_ref, v_ref, q, v);
  errors_of(w->creature, q, v, q_ref, v_ref, y);
  for (int i = 0; i < 2 * n; i++)
    CHECK_NEAR(y[i], x[i], 1e-12);
  struct clip_advance by = {3, -2, 1.1};
  double turned[2] = {cos(1.1), sin(1.1)};
  clip_move_pose(by, q);
  clip_move_pose(by, q_ref);
  double *both[2] = {v, v_ref};
  for (int k = 0; k < 2; k++) {
    double vx = both[k][0], vy = both[k][1];
    both[k][0] = turned[0] * vx - turned[1] * vy;
    both[k][1] = turned[1] * vx + turned[0] * vy;
  }
  errors_of(w->creature, q, v, q_ref, v_ref, y);
  for (int i = 0; i < 2 * n; i++)
    CHECK_NEAR(y[i], x[i], 1e-12);
}

/* One clip at any time: velocities are those of the poses, accelerations have no steps at frames, and any number of
 * cycles on it is the same motion elsewhere, with the clip's contacts and forces. */
static void test_clip(const struct walk *w)
{
  struct arena *arena = arena_new();
  const struct clip *clip = w->clips[0].clip;
  const struct reference *r = reference_of_clip(arena, w->creature, clip);
  int n = clip->n_frames, dofs = r->n_dofs, points = r->n_points;
  double *a = ARENA_NEW(arena, 4 * (size_t)dofs, double), *b = a + dofs, *v = b + dofs, *u = v + dofs;
  unsigned char *contact = ARENA_NEW(arena, (size_t)points, unsigned char);
  double *force = ARENA_NEW(arena, 3 * (size_t)points, double), e = 1e-4, off = 0, jump = 0, size = 0;
  CHECK(r->cyclic && r->n_frames == n + 1);
  for (double x = -1.4 * n; x < 2.7 * n; x += 0.37) {
    reference_at(r, x + e, a, NULL, NULL);
    reference_at(r, x - e, b, NULL, NULL);
    reference_at(r, x, NULL, v, NULL);
    for (int i = 0; i < dofs; i++) {
      off = fmax(off, fabs((a[i] - b[i]) / (2 * e * r->dt) - v[i]));
      size = fmax(size, fabs(v[i]));
    }
  }
  CHECK_NEAR(off, 0, 1e-5 * size);
  for (int k = -3; k < n; k++) { /* accelerations just before and after a frame */
    double most = 0;
    reference_at(r, k, NULL, v, NULL);
    reference_at(r, k - e, NULL, u, NULL);
    reference_at(r, k + e, NULL, a, NULL);
    for (int i = 0; i < dofs; i++) {
      jump = fmax(jump, fabs(a[i] - 2 * v[i] + u[i]) / (e * r->dt));
      most = fmax(most, fabs(a[i] - u[i]) / (2 * e * r->dt));
    }
    size = fmax(size, most);
  }
  CHECK(jump < 0.01 * size);
  for (int k = -n; k < 2 * n; k += 5) {
    int at = ((k % n) + n) % n;
    reference_contacts(r, k, contact, force);
    CHECK(!memcmp(contact, clip->contact + at * points, (size_t)points));
    for (int p = 0; p < points; p++)
      CHECK_NEAR(force[3 * p + 2], contact[p] ? clip->force[3 * (at * points + p) + 2] : 0, 1e-12);
  }
  arena_free(arena);
}

/* The largest difference of the torques of two references from what tissue of the second one's creature gives at q, v
 * (n_frames x n_dofs), and the largest torque of that tissue. */
static void tissue_error(const struct reference *a, const struct reference *b, const double *q, const double *v,
                         double *error, double *most)
{
  struct arena *arena = arena_new();
  size_t n = (size_t)b->n_dofs;
  double *passive = ARENA_NEW(arena, n, double);
  *error = *most = 0;
  for (size_t k = 0; k < (size_t)b->n_frames * n; k++) {
    if (k % n == 0) {
      memset(passive, 0, n * sizeof *passive);
      tissue_subtract(b->creature, q + k, v + k, passive);
    }
    double off = fabs(b->torque[k] - a->torque[k] - passive[k % n]);
    if (!(off <= *error))
      *error = off;
    *most = fmax(*most, fabs(passive[k % n]));
  }
  arena_free(arena);
}

/* Feed-forward is the muscles' part: of clips with their forces, and of captured motion, whatever its torques are
 * worth. */
static void test_tissue(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct walk elastic = *w;
  struct diag d;
  double error, most;
  diag_init(&d);
  elastic.creature = elastic.in.creature = walk_elastic(arena, w->creature);
  elastic.in.clips = elastic.clips;
  const struct reference *a = subject_clip(arena, &w->in, 0, 1, NULL, &d);
  const struct reference *b = subject_clip(arena, &elastic.in, 0, 1, NULL, &d);
  CHECK(a && b);
  tissue_error(a, b, b->q, b->v, &error, &most);
  CHECK(most > 0.05 * w->creature->mass * CREATURE_GRAVITY * w->creature->height && error < 1e-12 * most);
  struct clip once = *w->clips[0].clip;
  once.cyclic = 0;
  const struct captured *c = captured_reference(arena, w->creature, &once, NULL, &d);
  const struct captured *e = captured_reference(arena, elastic.creature, &once, NULL, &d);
  CHECK(c && e);
  tissue_error(c->reference, e->reference, e->inverse->q, e->inverse->v, &error, &most);
  CHECK(most > 0 && error < 1e-12 * most);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  if (!walk_make(arena, 1, &w))
    return 99;
  test_cycle(&w);
  test_transition(&w);
  test_path(&w);
  test_between(&w);
  test_errors(&w);
  test_clip(&w);
  test_tissue(&w);
  arena_free(arena);
  return test_finish();
}

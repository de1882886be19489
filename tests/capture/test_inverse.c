/* Filter, ZMP, wrenches, floor and torques of the inverse pipeline, each against something worked out another way. */
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/random_creature.h"
#include "spacetime/spacetime.h"
#include "capture/butterworth.h"
#include "capture/angles.h"
#include "capture/feedforward.h"
#include "capture/floor.h"
#include "capture/zmp.h"
#include "zoo.h"

#define PI 3.14159265358979323846

/* ---- the filter ---- */

/* Amplitude and phase of the part of x with a frequency, over whole periods in the middle. */
static void measure(const double *x, int from, int n, double turn, double *amplitude, double *phase)
{
  double c = 0, s = 0;
  for (int k = from; k < from + n; k++)
    c += x[k] * cos(turn * k) * 2 / n, s += x[k] * sin(turn * k) * 2 / n;
  *amplitude = hypot(c, s);
  *phase = atan2(c, s); /* of sin(turn k + phase) */
}

static void test_gain(void)
{
  static const double frequencies[] = {0.5, 2, 4, 6, 8, 12, 30};
  const double rate = 100;
  struct butterworth f = butterworth_low_pass(6, rate);
  CHECK_NEAR(butterworth_gain(&f, 0, rate), 1, 1e-13);
  CHECK_NEAR(butterworth_gain(&f, 6, rate), sqrt(0.5), 1e-12); /* -3 dB */
  CHECK_NEAR(butterworth_gain(&f, 50, rate), 0, 1e-12);
  for (int i = 0; i < 7; i++) {
    enum { N = 4000, PAD = 400 };
    static double once[N], both[N + 2 * PAD];
    double turn = 2 * PI * frequencies[i] / rate, amplitude, phase;
    for (int k = 0; k < N; k++)
      once[k] = both[PAD + k] = sin(turn * k);
    butterworth_pass(&f, N, once, 0);
    butterworth_both_ways(&f, N, PAD, both);
    measure(once, 1000, 2000, turn, &amplitude, &phase);
    double wanted = 1 / sqrt(1 + pow(tan(PI * frequencies[i] / rate) / tan(PI * 6 / rate),
                                     4)); /* what Butterworth's filter is */
    CHECK_NEAR(amplitude, wanted, 1e-9);
    CHECK_NEAR(butterworth_gain(&f, frequencies[i], rate), wanted, 1e-12);
    CHECK(phase < -0.01); /* one pass is late ... */
    measure(both + PAD, 1000, 2000, turn, &amplitude, &phase);
    CHECK_NEAR(amplitude, wanted * wanted, 1e-9); /* ... two are not */
    CHECK_NEAR(phase, 0, 1e-9);
  }
}

static void test_filter_ends(void)
{
  double x[300];
  struct butterworth f = butterworth_low_pass(2, 100);
  for (int k = 0; k < 300; k++)
    x[k] = 5;
  butterworth_both_ways(&f, 100, 100, x);
  for (int k = 0; k < 100; k++)
    CHECK_NEAR(x[100 + k], 5, 1e-12); /* what stands still stays */
  for (int k = 0; k < 100; k++)
    x[100 + k] = 3 + 0.2 * k;
  butterworth_both_ways(&f, 100, 100, x);
  for (int k = 0; k < 100; k++)
    CHECK_NEAR(x[100 + k], 3 + 0.2 * k, 0.01); /* what goes on evenly goes on, at the ends, too */
}

/* Balls near their pole: the limb turns evenly, two of its angles whirl. A filter of quaternions hardly changes where
 * it points. */
static void test_smooth_ball(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = clip_new(arena, c, 200, 0.01);
  struct levenberg *l = levenberg_new(arena, 3, 9);
  int first = c->limbs[creature_find_limb(c, "left_upper_arm")].first_dof;
  double axis[3] = {0.6, 0.64, 0.48}, q[4], R[9], S[9], x[3] = {0, PI / 2 - 0.05, 0};
  for (int k = 0; k < 200; k++) {
    double *pose = clip->q + k * c->n_dofs, start[9];
    creature_rest_pose(c, pose);
    quat_about(axis, 0.3 * sin(0.03 * k), q);
    quat_to_matrix(q, S);
    capture_joint_rotation(c->dofs + first, 3, (double[3]){0.4, PI / 2, 0}, start);
    mat3_mul(S, start, R);
    CHECK_NEAR(capture_find_angles(l, c->dofs + first, 3, R, x), 0, 1e-6);
    memcpy(pose + first, x, sizeof x);
  }
  struct clip *smooth = capture_smooth(arena, c, clip, 6);
  double worst = 0;
  for (int k = 20; k < 180; k++) {
    double a[4], b[4];
    capture_joint_rotation(c->dofs + first, 3, clip->q + k * c->n_dofs + first, R);
    capture_joint_rotation(c->dofs + first, 3, smooth->q + k * c->n_dofs + first, S);
    quat_of_matrix(R, a);
    quat_of_matrix(S, b);
    worst = fmax(worst, quat_angle(a, b));
  }
  CHECK(worst < 0.002);
  for (int i = 0; i < c->n_dofs; i++)
    if (i < first || i > first + 2)
      CHECK_NEAR(smooth->q[100 * c->n_dofs + i], clip->q[100 * c->n_dofs + i], 1e-7);
  arena_free(arena);
}

/* An arm that turns evenly, by a little more than 0, through the pole of its three angles: its rates give the limb's
 * velocity back. */
static void test_rates_at_pole(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  size_t n = (size_t)c->n_dofs;
  struct clip *clip = clip_new(arena, c, 101, 0.01);
  struct levenberg *l = levenberg_new(arena, 3, 9);
  int first = c->limbs[creature_find_limb(c, "left_upper_arm")].first_dof, worst_frame = 0;
  double *q = ARENA_NEW(arena, 3 * n, double), x[3] = {0.3, 0.8, 0}, worst = 0, plain = 0;
  const double axis[3] = {0.28, 0, 0.96}, speed = 2;
  for (int k = 0; k <= 100; k++) {
    double turn[4], T[9], start[9], R[9];
    creature_rest_pose(c, clip->q + (size_t)k * n);
    quat_about(axis, speed * (k - 50) * 0.01, turn);
    quat_to_matrix(turn, T);
    capture_joint_rotation(c->dofs + first, 3, (double[3]){0.3, PI / 2 - 0.004, 0.2}, start);
    mat3_mul(T, start, R);
    CHECK_NEAR(capture_find_angles(l, c->dofs + first, 3, R, x), 0, 1e-6);
    memcpy(clip->q + (size_t)k * n + first, x, sizeof x);
  }
  for (int k = 1; k < 100; k++) {
    double w[3] = {0, 0, 0}, rough[3] = {0, 0, 0};
    capture_state(c, clip, k, q, q + n, q + 2 * n);
    for (int i = 0; i < 3; i++) {
      double R[9], e[3];
      const double *angle = clip->q + (size_t)k * n + (size_t)(first + i);
      capture_joint_rotation(c->dofs + first, i, q + first, R);
      mat3_mul_vec(R, c->dofs[first + i].axis, e);
      vec3_add_scaled(w, e, q[n + (size_t)(first + i)]);
      vec3_add_scaled(rough, e, (angle[n] - *(angle - n)) / 0.02);
    }
    vec3_add_scaled(w, axis, -speed);
    vec3_add_scaled(rough, axis, -speed);
    plain = fmax(plain, vec3_norm(rough));
    if (vec3_norm(w) > worst)
      worst = vec3_norm(w), worst_frame = k;
  }
  CHECK(plain > 1); /* what differences of angles would have made of it */
  if (!test_count(worst < 0.12))
    fprintf(stderr, "angular velocity missed by %g at frame %d\n", worst, worst_frame);
  arena_free(arena);
}

/* A cyclic clip has no ends: filtered, it is as cyclic as before. */
static void test_smooth_cycle(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct clip *clip = clip_new(arena, c, 50, 0.02);
  clip->cyclic = 1;
  clip->advance = (struct clip_advance){1.5, 0, 0};
  for (int k = 0; k < 50; k++)
    for (int i = 0; i < c->n_dofs; i++)
      clip->q[k * c->n_dofs + i] = i == 0 ? 1.5 * k / 50 : i < 3 ? 1 : 0.2 * sin(2 * PI * k / 50 + i);
  struct clip *smooth = capture_smooth(arena, c, clip, 3);
  struct butterworth f = butterworth_low_pass(3, 50);
  double gain = butterworth_gain(&f, 1, 50);
  for (int k = 0; k < 50; k++) {
    CHECK_NEAR(smooth->q[k * c->n_dofs], clip->q[k * c->n_dofs], 1e-6);
    for (int i = 0; i < c->n_limbs; i++)
      for (int j = 0; i > 0 && c->limbs[i].n_dofs < 3 && j < c->limbs[i].n_dofs; j++) {
        int dof = c->limbs[i].first_dof + j;
        CHECK_NEAR(smooth->q[k * c->n_dofs + dof], gain * gain * clip->q[k * c->n_dofs + dof], 1e-6);
      }
  }
  arena_free(arena);
}

/* ---- the ZMP ---- */

struct mass_point { int body; double mass, at[3]; };

/* Six points for each body, with its mass, centre and second moments: mechanics cannot tell them from the body. */
static int mass_points(const struct creature *c, struct mass_point *out)
{
  int n = 0;
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    if (!(d->mass > 0))
      continue;
    double mean[3], S[6], L[9] = {0};
    for (int k = 0; k < 3; k++)
      mean[k] = d->moment1[k] / d->mass;
    for (int k = 0; k < 6; k++) {
      static const int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
      S[k] = d->moment2[k] / d->mass - mean[row[k]] * mean[column[k]];
    }
    L[0] = sqrt(fmax(S[0], 0)); /* Cholesky */
    L[3] = S[3] / L[0], L[6] = S[4] / L[0];
    L[4] = sqrt(fmax(S[1] - L[3] * L[3], 0));
    L[7] = (S[5] - L[6] * L[3]) / L[4];
    L[8] = sqrt(fmax(S[2] - L[6] * L[6] - L[7] * L[7], 0));
    for (int k = 0; k < 6; k++, n++) {
      out[n] = (struct mass_point){i, d->mass / 6, {mean[0], mean[1], mean[2]}};
      for (int a = 0; a < 3; a++)
        out[n].at[a] += (k % 2 ? -1 : 1) * sqrt(3) * L[3 * a + k / 2];
    }
  }
  return n;
}

static void moving_pose(const struct creature *c, double t, double *q, double *v, double *a)
{
  for (int i = 0; i < c->n_dofs; i++) {
    double w = 2 + 0.37 * i, size = i < 3 ? 0.03 : 0.15, phase = 1.3 * i;
    q[i] = (i == 2 ? 1 : i < 6 ? 0 : c->dofs[i].rest) + size * sin(w * t + phase);
    v[i] = size * w * cos(w * t + phase);
    a[i] = -size * w * w * sin(w * t + phase);
  }
}

/* Where the points are at three times; accelerations are second differences; then Newton's law for each of them. */
static void zmp_of_points(const struct creature *c, double t, double *zmp)
{
  struct arena *arena = arena_new();
  struct dynamics *d = dynamics_new(arena, c);
  struct mass_point *points = ARENA_NEW(arena, 6 * (size_t)c->n_dofs, struct mass_point);
  size_t n_dofs = (size_t)c->n_dofs;
  int n = mass_points(c, points);
  double *state = ARENA_NEW(arena, 3 * n_dofs, double), (*x)[3][3] = arena_alloc(arena, (size_t)n, sizeof *x);
  double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, h = 1e-4;
  for (int k = 0; k < 3; k++) {
    moving_pose(c, t + (k - 1) * h, state, state + n_dofs, state + 2 * n_dofs);
    dynamics_kinematics(d, state);
    for (int i = 0; i < n; i++)
      dynamics_point(d, points[i].body, points[i].at, x[i][k]);
  }
  for (int i = 0; i < n; i++) {
    double f[3];
    for (int a = 0; a < 3; a++)
      f[a] = points[i].mass * ((x[i][0][a] - 2 * x[i][1][a] + x[i][2][a]) / (h * h) + (a == 2 ? 9.81 : 0));
    vec3_add_scaled(force, f, 1);
    vec3_add_cross(moment, x[i][1], f);
  }
  zmp[0] = -moment[1] / force[2];
  zmp[1] = moment[0] / force[2];
  arena_free(arena);
}

static void test_zmp(void)
{
  struct arena *arena = arena_new();
  static const char *const names[] = {"human", "horse", "hexapod"};
  for (int k = 0; k < 3; k++) {
    const struct creature *c = zoo_find(arena, names[k]);
    size_t n = (size_t)c->n_dofs;
    double *q = ARENA_NEW(arena, 3 * n, double), zmp[2], wanted[2];
    struct dynamics *d = dynamics_new(arena, c);
    struct dynamics_whole w;
    for (int i = 0; i < 5; i++) {
      moving_pose(c, 0.4 * i, q, q + n, q + 2 * n);
      dynamics_whole(d, q, q + n, q + 2 * n, &w);
      if (!dynamics_zmp(&w, 0, zmp))
        continue;
      zmp_of_points(c, 0.4 * i, wanted);
      CHECK_NEAR(zmp[0], wanted[0], 2e-5);
      CHECK_NEAR(zmp[1], wanted[1], 2e-5);
    }
    memset(q + n, 0, 2 * n * sizeof *q); /* still: below the centre of mass */
    dynamics_whole(d, q, q + n, q + 2 * n, &w);
    CHECK(dynamics_zmp(&w, 0, zmp));
    CHECK_NEAR(zmp[0], w.com[0], 1e-12);
    CHECK_NEAR(zmp[1], w.com[1], 1e-12);
  }
  arena_free(arena);
}

static void test_support(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double), hull[2 * 4 * ZMP_CORNERS], at[3];
  unsigned char contact[4] = {0, 0, 0, 0};
  creature_rest_pose(c, q);
  dynamics_kinematics(d, q);
  CHECK_INT(c->n_points, 4);
  CHECK_INT(zmp_support(c, d, contact, -1, hull), 0);
  CHECK(isnan(zmp_distance(0, hull, q)));
  contact[1] = 1;
  dynamics_point(d, c->points[1].body, c->points[1].at, at);
  int n = zmp_support(c, d, contact, 0.05, hull);
  double away[2] = {at[0] + 0.25, at[1]};
  CHECK_INT(n, ZMP_CORNERS);
  CHECK_NEAR(zmp_distance(n, hull, away), 0.20, 1e-12);
  CHECK_NEAR(zmp_distance(n, hull, at), -0.05 * cos(PI / ZMP_CORNERS), 1e-12);
  CHECK_NEAR(zmp_patch_radius(c, 0), 0.033, 1e-12);
  CHECK_INT(zmp_support(c, d, contact, 0, hull), 1);
  CHECK_NEAR(zmp_distance(1, hull, away), 0.25, 1e-12);
  arena_free(arena);
}

/* Equation 17 where it is simple, and that it is smooth. */
static void test_quality(void)
{
  CHECK_NEAR(zmp_quality(-0.3, 0.2), 1, 0);
  CHECK_NEAR(zmp_quality(0, 0.2), 1, 0);
  CHECK_NEAR(zmp_quality(0.1, 0.2), 0.5, 1e-15);
  CHECK_NEAR(zmp_quality(0.05, 0.2), 0.84375, 1e-15);
  CHECK_NEAR(zmp_quality(0.2, 0.2), 0, 0);
  CHECK_NEAR(zmp_quality(INFINITY, 0.2), 0, 0);
  CHECK_NEAR(zmp_quality(NAN, 0.2), 0, 0);
  CHECK((1 - zmp_quality(1e-5, 0.2)) < 1e-7 && zmp_quality(0.2 - 1e-5, 0.2) < 1e-7); /* flat at both ends */
}

/* ---- wrenches ---- */

static double effort(int n, const double *w, double length)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += vec3_dot(w + 6 * i, w + 6 * i) + vec3_dot(w + 6 * i + 3, w + 6 * i + 3) / (length * length);
  return sum;
}

static void total(int n, const double *place, const double *w, double *force, double *moment)
{
  memset(force, 0, 3 * sizeof *force);
  memset(moment, 0, 3 * sizeof *moment);
  for (int i = 0; i < n; i++) {
    vec3_add_scaled(force, w + 6 * i, 1);
    vec3_add_scaled(moment, w + 6 * i + 3, 1);
    vec3_add_cross(moment, place + 3 * i, w + 6 * i);
  }
}

static void test_wrenches(void)
{
  struct rng r = rng_stream(7, 1);
  for (int round = 0; round < 40; round++) {
    int n = 1 + round % 5;
    double place[15], force[3], moment[3], w[30], other[30], f[3], m[3], length = rng_uniform(&r, 0.02, 1);
    for (int i = 0; i < 3 * n; i++)
      place[i] = rng_uniform(&r, -1, 1) + (i % 3 == 0 ? 30 : 0); /* far from the origin */
    for (int a = 0; a < 3; a++)
      force[a] = rng_uniform(&r, -700, 700), moment[a] = rng_uniform(&r, -2e4, 2e4);
    capture_share_wrench(n, place, force, moment, length, w);
    total(n, place, w, f, m);
    for (int a = 0; a < 3; a++) {
      CHECK_NEAR(f[a], force[a], 1e-6);
      CHECK_NEAR(m[a], moment[a], 1e-5);
    }
    double least = effort(n, w, length);
    for (int i = 0; n > 1 && i < 6; i++) { /* any other way with the same sums takes more */
      double change[3] = {rng_uniform(&r, -5, 5), rng_uniform(&r, -5, 5), rng_uniform(&r, -5, 5)}, arm[3];
      memcpy(other, w, sizeof other);
      int a = rng_below(&r, n), b = (a + 1) % n;
      vec3_add_scaled(other + 6 * a, change, 1);
      vec3_add_scaled(other + 6 * b, change, -1);
      for (int k = 0; k < 3; k++)
        arm[k] = place[3 * b + k] - place[3 * a + k];
      vec3_add_cross(other + 6 * b + 3, arm, change);
      total(n, place, other, f, m);
      CHECK_NEAR(m[0], moment[0], 1e-5);
      CHECK(effort(n, other, length) > least);
    }
  }
}

/* ---- our own clips ---- */

static struct clip *solve(struct arena *arena, const struct creature *c, const char *gait, double speed, int frames)
{
  struct spacetime_options o;
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, gait), .speed = speed, .frames = frames};
  spacetime_defaults(&o);
  return spacetime_gait(arena, &r, &o, report);
}

/* The clip's own torques, with its own forces. */
static void clip_torques(struct arena *arena, const struct creature *c, const struct clip *clip, int k, double *tau)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, 3 * n, double);
  int *all = ARENA_NEW(arena, (size_t)c->n_points, int);
  for (int p = 0; p < c->n_points; p++)
    all[p] = p;
  clip_state(clip, k, q, q + n, q + 2 * n);
  struct dynamics_contacts contacts = {c->n_points, all, clip->force + (size_t)k * (size_t)c->n_points * 3, NULL};
  dynamics_residual(d, q, q + n, q + 2 * n, &contacts, tau, NULL);
}

/* With its forces taken away and given back by the pipeline: the same torques wherever one foot alone stands, and in
 * the air. */
static void check_own_clip(const char *name, const char *gait, double speed, int frames, int least)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, name);
  struct clip *clip = solve(arena, c, gait, speed, frames);
  CHECK(clip != NULL);
  if (clip) {
    struct capture_feedforward_options o;
    struct clip stripped = *clip;
    double *tau = ARENA_NEW(arena, (size_t)c->n_dofs, double), scale = c->mass * 9.81 * c->height;
    int compared = 0;
    stripped.force = ARENA_NEW(arena, (size_t)clip->n_frames * (size_t)c->n_points * 3, double);
    capture_feedforward_defaults(c, &o);
    o.cutoff = INFINITY;
    o.given_contacts = 1;
    struct capture_feedforward *f = capture_feedforward(arena, c, &stripped, &o);
    for (int k = 0; k < clip->n_frames; k++) {
      int standing = 0;
      for (int p = 0; p < c->n_points; p++)
        standing += clip->contact[k * c->n_points + p];
      if (standing > 1)
        continue;
      compared++;
      clip_torques(arena, c, clip, k, tau);
      for (int i = 0; i < c->n_dofs; i++)
        CHECK_NEAR(f->torque[k * c->n_dofs + i] / scale, tau[i] / scale, 2e-6);
      for (int i = 0; i < 3 * c->n_points; i++)
        CHECK_NEAR(f->force[k * c->n_points * 3 + i] / (c->mass * 9.81),
                   clip->force[k * c->n_points * 3 + i] / (c->mass * 9.81), 1e-5);
      CHECK(f->in_cone[k]);
      CHECK(f->quality[k] > 0.999); /* the ZMP of one point that stands is that point */
    }
    CHECK(compared >= least);
    for (int k = 0; k < clip->n_frames; k++) /* and everywhere nothing is left for the root */
      for (int i = 0; i < 6; i++)
        CHECK_NEAR(f->torque[k * c->n_dofs + i] / scale, 0, 1e-5);
    double largest = 0;
    for (int i = 0; i < c->n_dofs; i++)
      largest = fmax(largest, f->covariance[i]);
    CHECK_NEAR(largest, 1, 0);
    CHECK_NEAR(f->covariance[0], 0, 0);
  }
  arena_free(arena);
}

/* Low and slow points are those that the clip says stand. */
static void test_contacts(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct clip *clip = solve(arena, c, "walk", 1.2, 40);
  CHECK(clip != NULL);
  if (clip) {
    struct capture_feedforward_options o;
    unsigned char *found = ARENA_NEW(arena, (size_t)clip->n_frames * (size_t)c->n_points, unsigned char);
    int same = 0, n = clip->n_frames * c->n_points;
    capture_feedforward_defaults(c, &o);
    capture_find_contacts(arena, c, clip, &o, found);
    for (int i = 0; i < n; i++)
      same += found[i] == clip->contact[i];
    CHECK(same > 0.9 * n);
  }
  arena_free(arena);
}

/* A body that leaves the ground and falls back touches nothing on its way; one that is held up there touches something,
 * though all its feet are high. */
static void test_floating(void)
{
  static const char text[] = "name = table\nlimb body { to = {0, 0, 0.5} radius = 0.2 mass = 10 }\n"
                             "foot base { limb = body point a { at = {-1, -1, -1} } point b { at = {1, -1, -1} } point "
                             "c { at = {0, 2, -1} } }\n";
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "table", text, strlen(text), &d);
  CHECK(c != NULL);
  for (int held = 0; c && held < 2; held++) {
    struct clip *clip = clip_new(arena, c, 130, 0.01);
    unsigned char found[130 * 3];
    struct capture_feedforward_options o;
    capture_feedforward_defaults(c, &o);
    for (int k = 0; k < 130; k++) {
      double t = (k - 50) * 0.01, up = CREATURE_GRAVITY * 0.15 * t - 0.5 * CREATURE_GRAVITY * t * t;
      double lift = fmax(0, fmin(0.05, fmin(t, 0.6 - t)));
      clip->q[k * c->n_dofs + 2] = 1 + (held ? lift : fmax(0, up));
    }
    capture_find_contacts(arena, c, clip, &o, found);
    for (int k = 56; k < 75; k++)
      CHECK_INT(found[3 * k] + found[3 * k + 1] + found[3 * k + 2], held);
    CHECK_INT(found[3 * 20] + found[3 * 20 + 1] + found[3 * 20 + 2], 3);
    CHECK_INT(found[3 * 120] + found[3 * 120 + 1] + found[3 * 120 + 2], 3);
  }
  arena_free(arena);
}

/* Variance of the torques of a motion whose torques we know: a pendulum's dof swings, the others do not. */
static void test_variance(void)
{
  static const char text[] =
      "name = pair\nlimb body { to = {0, 0, 1} radius = 0.2 mass = 1000 }\n"
      "limb rod { parent = body at = {0, 0, 0.5} to = {0, 0, -0.5} radius = 0.02 mass = 1 axis swing { about = y } }\n"
      "limb stick { parent = body at = {0, 1, 0.5} to = {0, 0, -0.5} radius = 0.02 mass = 1 axis swing { about = y } "
      "}\n"
      "foot base { limb = body point a { at = {-1, -1, -1} } point b { at = {1, -1, -1} } point c { at = {0, 2, -1} } "
      "}\n";
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "pair", text, strlen(text), &d);
  CHECK(c != NULL);
  if (c) {
    struct clip *clip = clip_new(arena, c, 400, 0.01);
    struct capture_feedforward_options o;
    capture_feedforward_defaults(c, &o);
    o.cutoff = INFINITY;
    for (int k = 0; k < 400; k++) {
      clip->q[k * c->n_dofs + 2] = 1;
      clip->q[k * c->n_dofs + 6] = 0.4 * sin(2 * PI * k / 100);
    }
    struct capture_feedforward *f = capture_feedforward(arena, c, clip, &o);
    double mean = 0, square = 0;
    for (int k = 0; k < 400; k++) {
      mean += f->torque[k * c->n_dofs + 6] / 400;
      CHECK(f->quality[k] == 1 && f->contact[3 * k] && f->distance[k] < 0);
    }
    for (int k = 0; k < 400; k++)
      square += pow(f->torque[k * c->n_dofs + 6] - mean, 2) / 400;
    CHECK_NEAR(f->variance[6], square, 1e-9 * square);
    CHECK_NEAR(f->covariance[6], 1, 0);
    CHECK(f->covariance[7] < 1e-6);
    CHECK_NEAR(f->inside, 1, 0);
  }
  diag_clear(&d);
  arena_free(arena);
}

/* ---- the floor ---- */

/* Stands on a floor that slopes, is not at 0, and with feet that point the wrong way by a constant. */
static void test_floor(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = clip_new(arena, c, 240, 0.05);
  struct levenberg *l = levenberg_new(arena, 3, 9);
  const double slope[2] = {0.03, -0.02}, height = 0.7, wrong[2] = {0.12, -0.08};
  int dofs[2] = {creature_find_dof(c, "left_foot.dorsiflexion"), creature_find_dof(c, "right_foot.dorsiflexion")};
  double normal[3] = {-slope[0], -slope[1], 1}, turn[4] = {1}, T[9], R[9], turned[9], at[3];
  double up[3] = {0, 0, 1}, n = vec3_norm(normal);
  for (int a = 0; a < 3; a++)
    normal[a] /= n;
  turn[0] = 1 + vec3_dot(up, normal);
  vec3_cross(up, normal, turn + 1);
  quat_normalize(turn);
  quat_to_matrix(turn, T);
  for (int k = 0; k < 240; k++) {
    double *q = clip->q + k * c->n_dofs, t = 2 * PI * k / 240;
    creature_rest_pose(c, q);
    double level[3] = {0.6 * cos(t), 0.6 * sin(t), q[2]};
    mat3_mul_vec(T, level, q);
    q[2] += height;
    memcpy(at, q, sizeof at);
    capture_joint_rotation(c->dofs + 3, 3, q + 3, R);
    mat3_mul(T, R, turned);
    capture_find_angles(l, c->dofs + 3, 3, turned, q + 3);
    q[dofs[0]] -= wrong[0];
    q[dofs[1]] -= wrong[1];
  }
  struct capture_floor_options o;
  capture_floor_defaults(c, &o);
  o.with_slope = 1;
  struct capture_floor f = capture_fit_floor(arena, c, clip, &o);
  CHECK_INT(f.n_samples, 960);
  CHECK_NEAR(f.slope[0], slope[0], 5e-4);
  CHECK_NEAR(f.slope[1], slope[1], 5e-4);
  CHECK_NEAR(f.height, height, 2e-3);
  CHECK_NEAR(f.offset[dofs[0]], wrong[0], 0.01);
  CHECK_NEAR(f.offset[dofs[1]], wrong[1], 0.01);
  CHECK(f.rms < 0.1 * f.rms_before);
  capture_apply_floor(c, &f, clip);
  struct capture_tracks t;
  capture_point_tracks(arena, c, clip, &t);
  for (int i = 0; i < 960; i++)
    CHECK_NEAR(t.place[3 * i + 2], 0, 3e-3);
  f = capture_fit_floor(arena, c, clip, &o); /* what is right stays */
  CHECK_NEAR(f.height, 0, 2e-3);
  arena_free(arena);
}

/* A motion in which nothing stands has no floor, and no harm comes of it. */
static void test_no_floor(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = clip_new(arena, c, 30, 0.01);
  for (int k = 0; k < 30; k++) {
    creature_rest_pose(c, clip->q + k * c->n_dofs);
    clip->q[k * c->n_dofs] = 0.1 * k; /* 10 m/s */
    clip->q[k * c->n_dofs + 2] += 5 + 0.05 * k - 0.5 * 9.81 * 1e-4 * k * k;
  }
  struct capture_floor floor = capture_fit_floor(arena, c, clip, NULL);
  CHECK_INT(floor.n_samples, 0);
  CHECK_NEAR(floor.height, 0, 0);
  struct capture_feedforward_options o;
  capture_feedforward_defaults(c, &o);
  o.cutoff = INFINITY;
  o.gamma = 0.2;
  struct capture_feedforward *f = capture_feedforward(arena, c, clip, &o);
  for (int k = 1; k < 29; k++) {
    CHECK(isnan(f->distance[k]));
    CHECK(f->quality[k] > 0.999); /* it falls as it must */
    for (int i = 0; i < c->n_dofs; i++)
      CHECK_NEAR(f->torque[k * c->n_dofs + i], 0, 1e-6);
  }
  CHECK(!capture_feedforward(arena, c, &(struct clip){.n_frames = 2}, NULL));
  arena_free(arena);
}

/* ---- least squares, angles ---- */

static void rosenbrock(void *user, const double *x, double *r, double *J)
{
  (void)user;
  r[0] = 10 * (x[1] - x[0] * x[0]);
  r[1] = 1 - x[0];
  if (J)
    J[0] = -20 * x[0], J[1] = 10, J[2] = -1, J[3] = 0;
}

static void test_levenberg(void)
{
  struct arena *arena = arena_new();
  struct levenberg *l = levenberg_new(arena, 2, 2);
  struct levenberg_problem p = {.n = 2, .m = 2, .evaluate = rosenbrock, .max_iterations = 200, .tolerance = 1e-12};
  double x[2] = {-1.2, 1}, upper[2] = {0.5, 10}, lower[2] = {-10, -10}, y[2] = {-1.2, 1};
  struct levenberg_result r = levenberg_solve(l, &p, x);
  CHECK(r.converged && r.cost < 1e-20);
  CHECK_NEAR(x[0], 1, 1e-9);
  CHECK_NEAR(x[1], 1, 1e-9);
  p.lower = lower, p.upper = upper; /* the best within the box: x = 0.5, y = 0.25 */
  r = levenberg_solve(l, &p, y);
  CHECK_NEAR(y[0], 0.5, 1e-12);
  CHECK_NEAR(y[1], 0.25, 1e-6);
  CHECK_NEAR(r.cost, 0.25, 1e-9);
  arena_free(arena);
}

static void test_angles(void)
{
  struct arena *arena = arena_new();
  struct levenberg *l = levenberg_new(arena, 3, 9);
  struct rng r = rng_stream(3, 9);
  for (int round = 0; round < 200; round++) {
    struct dof dofs[3] = {{0}};
    double x[3], y[3], R[9], S[9];
    for (int i = 0; i < 3; i++) {
      double *a = dofs[i].axis;
      for (int k = 0; k < 3; k++)
        a[k] = round % 2 ? rng_normal(&r) : k == i;
      double n = vec3_norm(a);
      for (int k = 0; k < 3; k++)
        a[k] /= n;
      x[i] = rng_uniform(&r, -9, 9);
      y[i] = x[i] + (round % 3 ? rng_uniform(&r, -0.3, 0.3) : rng_uniform(&r, -3, 3));
    }
    capture_joint_rotation(dofs, 3, x, R);
    CHECK_NEAR(capture_find_angles(l, dofs, 3, R, y), 0, 1e-7);
    capture_joint_rotation(dofs, 3, y, S);
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(S[k], R[k], 1e-7);
  }
  arena_free(arena);
}

int main(void)
{
  test_gain();
  test_filter_ends();
  test_smooth_ball();
  test_smooth_cycle();
  test_rates_at_pole();
  test_zmp();
  test_support();
  test_quality();
  test_wrenches();
  check_own_clip("biped", "walk", 1.2, 40, 20);
  check_own_clip("biped", "run", 3, 30, 20);
  check_own_clip("human", "sprint", 6, 24, 20);
  test_contacts();
  test_floating();
  test_variance();
  test_floor();
  test_no_floor();
  test_levenberg();
  test_angles();
  return test_finish();
}

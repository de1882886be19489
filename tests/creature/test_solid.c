/* Volumes, moments of inertia and lowest points of solids: against textbook values, and against sums over a million
 * random points, which share no formula with solid.c. */
#include <math.h>

#include "base/rng.h"
#include "check.h"
#include "creature/solid.h"

#define PI 3.14159265358979323846

/* Is a point, given in the solid's own axes from its centre, inside? By definition, not by formula of solid.c. */
static int is_inside(const struct shape *s, const double x[3])
{
  if (s->kind == SHAPE_CAPSULE) { /* near enough to the line from end to end */
    double r = s->size[0] / 2, half = s->size[2] / 2 - r, z = fmax(-half, fmin(half, x[2]));
    return x[0] * x[0] + x[1] * x[1] + (x[2] - z) * (x[2] - z) <= r * r;
  }
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double u = x[i] / (s->size[i] / 2);
    if (fabs(u) > 1)
      return 0;
    sum += u * u;
  }
  return s->kind == SHAPE_BOX || sum <= 1;
}

/* Throws points into the box around the solid and sums over those inside: volume, inertia about the centre, reach. */
static void check_by_points(const struct shape *s, uint64_t seed)
{
  enum { N = 1000000 };
  struct rng rng = rng_stream(seed, 0);
  const double up[3] = {0.6, 0, 0.8};
  double n = 0, second[3][3] = {{0}}, reach = -INFINITY;
  for (int k = 0; k < N; k++) {
    double x[3], r[3] = {0};
    for (int i = 0; i < 3; i++)
      x[i] = rng_uniform(&rng, -0.5, 0.5) * s->size[i];
    if (!is_inside(s, x))
      continue;
    n++;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        r[i] += s->frame[3 * i + j] * x[j];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        second[i][j] += r[i] * r[j];
    reach =
        fmax(reach, -(up[0] * (r[0] + s->centre[0]) + up[1] * (r[1] + s->centre[1]) + up[2] * (r[2] + s->centre[2])));
  }
  double box = s->size[0] * s->size[1] * s->size[2], inertia[6],
         trace = (second[0][0] + second[1][1] + second[2][2]) / n;
  CHECK_NEAR(solid_volume(s) / box, n / N, 2.5e-3); /* five standard errors of N throws */
  solid_inertia(s, 1.0, inertia);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(inertia[i], trace - second[i][i] / n, 5e-3 * trace);
  CHECK_NEAR(inertia[3], -second[0][1] / n, 5e-3 * trace);
  CHECK_NEAR(inertia[4], -second[0][2] / n, 5e-3 * trace);
  CHECK_NEAR(inertia[5], -second[1][2] / n, 5e-3 * trace);
  CHECK(solid_reach(s, up) >= reach);
  CHECK_NEAR(solid_reach(s, up), reach, 0.03 * sqrt(trace)); /* no point falls quite on the tip */
}

static struct shape between(double x, double y, double z)
{
  return (struct shape){.from = {0.1, 0.2, 0.3}, .to = {0.1 + x, 0.2 + y, 0.3 + z}};
}

static void test_points(void)
{
  const double size[3] = {0.3, 0.2, 0.5};
  struct shape s = between(0.4, 0.3, -1.2);
  solid_capsule(&s, 0.2);
  check_by_points(&s, 1);
  solid_along(&s, SHAPE_BOX, 0.3, 0.1);
  check_by_points(&s, 2);
  solid_along(&s, SHAPE_ELLIPSOID, 0.3, 0.6);
  check_by_points(&s, 3);
  solid_upright(&s, SHAPE_BOX, size);
  check_by_points(&s, 4);
  solid_upright(&s, SHAPE_ELLIPSOID, size);
  check_by_points(&s, 5);
  solid_mirror(&s);
  check_by_points(&s, 6);
}

static void test_closed_forms(void)
{
  double I[6];
  struct shape ball = between(0, 0, 0);
  solid_capsule(&ball, 0.5);
  CHECK_NEAR(solid_volume(&ball), 4.0 / 3 * PI * 0.125, 1e-15);
  solid_inertia(&ball, 3, I);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(I[i], i < 3 ? 0.4 * 3 * 0.25 : 0, 1e-15);

  struct shape rod = between(0, 0, -2); /* a thin capsule is a rod: m l^2 / 12 across, nothing along */
  solid_capsule(&rod, 1e-6);
  solid_inertia(&rod, 3, I);
  CHECK_NEAR(I[0], 3 * 4.0 / 12, 1e-5);
  CHECK_NEAR(I[1], 3 * 4.0 / 12, 1e-5);
  CHECK_NEAR(I[2], 3 * 1e-12 / 2, 1e-17);

  /* a cylinder and two half balls, each by itself about its own centre of mass (83/320 m r2), then moved */
  struct shape capsule = between(0, 0, 0.7);
  double r = 0.2, h = 0.7, mc = PI * r * r * h, mh = 2.0 / 3 * PI * r * r * r, off = h / 2 + 3.0 / 8 * r;
  solid_capsule(&capsule, r);
  CHECK_NEAR(solid_volume(&capsule), mc + 2 * mh, 1e-15);
  solid_inertia(&capsule, mc + 2 * mh, I);
  CHECK_NEAR(I[0], mc * (3 * r * r + h * h) / 12 + 2 * (83.0 / 320 * mh * r * r + mh * off * off), 1e-15);
  CHECK_NEAR(I[1], I[0], 1e-15);
  CHECK_NEAR(I[2], mc * r * r / 2 + 2 * 0.4 * mh * r * r, 1e-15);

  struct shape box = between(0, 0, 0);
  solid_upright(&box, SHAPE_BOX, (double[]){1, 2, 3});
  solid_inertia(&box, 12, I);
  CHECK_NEAR(solid_volume(&box), 6, 1e-15);
  CHECK_NEAR(I[0], 4 + 9, 1e-14);
  CHECK_NEAR(I[1], 1 + 9, 1e-14);
  CHECK_NEAR(I[2], 1 + 4, 1e-14);

  struct shape none = between(1, 0, 0);
  solid_none(&none);
  solid_inertia(&none, 12, I);
  CHECK_NEAR(solid_volume(&none), 0, 0);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(I[i], 0, 0);
}

/* Where the width of a solid along from .. to lies: sideways, which is x for a limb that points sideways itself. */
static void test_frames(void)
{
  struct shape leg = between(0, 0, -1), wing = between(0, 1, 0);
  solid_along(&leg, SHAPE_BOX, 0.2, 0.1);
  CHECK_NEAR(leg.frame[3], 1, 1e-15);       /* first column: y */
  CHECK_NEAR(fabs(leg.frame[1]), 1, 1e-15); /* second column: x, front or back */
  CHECK_NEAR(leg.frame[8], -1, 1e-15);      /* third column: down */
  CHECK_NEAR(leg.size[2], 1, 1e-15);
  solid_along(&wing, SHAPE_BOX, 0.2, 0.1);
  CHECK_NEAR(wing.frame[0], 1, 1e-15);
  CHECK_NEAR(wing.frame[5], 1, 1e-15);
  CHECK_NEAR(wing.frame[6 + 1], -1, 1e-15); /* right-handed: x, -z, y */
}

static double determinant(const double m[9])
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static void test_mirror(void)
{
  struct shape s = between(0.4, 0.3, -1.2), m;
  double I[6], J[6];
  solid_along(&s, SHAPE_BOX, 0.3, 0.1);
  m = s;
  solid_mirror(&m);
  CHECK_NEAR(determinant(s.frame), 1, 1e-14);
  CHECK_NEAR(determinant(m.frame), 1, 1e-14);
  CHECK_NEAR(m.to[1], -s.to[1], 0);
  solid_inertia(&s, 2, I);
  solid_inertia(&m, 2, J);
  solid_mirror_inertia(I);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(I[i], J[i], 1e-15);
  solid_mirror(&m);
  for (int i = 0; i < 9; i++) /* twice is nothing, to the bit */
    CHECK_NEAR(m.frame[i], s.frame[i], 0);
}

static void test_principal(void)
{
  double values[3], I[6];
  struct shape s = between(0.4, 0.3, -1.2);
  solid_along(&s, SHAPE_BOX, 0.3, 0.1);
  solid_inertia(&s, 12, I);
  solid_principal(I, values);
  double length = s.size[2];
  CHECK_NEAR(values[0], 0.3 * 0.3 + 0.1 * 0.1, 1e-13);
  CHECK_NEAR(values[1], 0.1 * 0.1 + length * length, 1e-13);
  CHECK_NEAR(values[2], 0.3 * 0.3 + length * length, 1e-13);
  solid_principal((double[]){2, 2, 2, 0, 0, 0}, values);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(values[i], 2, 0);
}

int main(void)
{
  test_closed_forms();
  test_points();
  test_frames();
  test_mirror();
  test_principal();
  return test_finish();
}

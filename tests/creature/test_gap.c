/* Gaps between solids, by certificates that share no formula with gap.c. A gap g along a normal n is right when (1) no
 * point of a is nearer to b along n than g, by the support functions, so that the distance is at least g, and (2) the
 * two points half of g to either side of `at` belong to a and b, so that it is at most g. Of solids that overlap, (1)
 * says that moving a by -g along n sets it free. */
#include <math.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"
#include "creature/gap.h"

static struct solid random_solid(struct rng *rng, enum shape_kind kind)
{
  struct limb l = {.shape = {.kind = kind, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
  struct solid local, out;
  double axis[3], angle = rng_uniform(rng, 0, 6.28), x[3], R[9];
  for (int i = 0; i < 3; i++) {
    l.shape.size[i] = rng_uniform(rng, 0.1, 1.5);
    axis[i] = rng_uniform(rng, -1, 1);
    x[i] = rng_uniform(rng, -1, 1);
  }
  if (kind == SHAPE_CAPSULE) {
    l.shape.size[1] = l.shape.size[0];
    l.shape.size[2] += l.shape.size[0];
  }
  double norm = vec3_norm(axis), c = cos(angle), s = sin(angle);
  for (int i = 0; i < 3; i++)
    axis[i] /= norm;
  const double cross[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0};
  for (int i = 0; i < 9; i++)
    R[i] = (i % 4 == 0 ? c : 0) + s * cross[i] + (1 - c) * axis[i / 3] * axis[i % 3];
  solid_of_limb(&l, 1, &local);
  solid_move(&local, x, R, 3, &out);
  return out;
}

/* The greatest n . x over the solid, from its own description. */
static double support(const struct solid *s, const double *n)
{
  double sum = 0;
  if (s->kind == SHAPE_CAPSULE)
    return fmax(vec3_dot(n, s->from), vec3_dot(n, s->to)) + s->half[0];
  for (int k = 0; k < 3; k++) {
    double along = fabs(n[0] * s->axes[k] + n[1] * s->axes[3 + k] + n[2] * s->axes[6 + k]) * s->half[k];
    sum += s->kind == SHAPE_BOX ? along : along * along;
  }
  return vec3_dot(n, s->centre) + (s->kind == SHAPE_BOX ? sum : sqrt(sum));
}

/* How far outside of the solid a point is, 0 inside; lengths to about 1e-6 */
static int holds(const struct solid *s, const double *p, double slack)
{
  double sum = 0, d[3] = {p[0] - s->centre[0], p[1] - s->centre[1], p[2] - s->centre[2]};
  if (s->kind == SHAPE_CAPSULE) {
    double u[3], t = 0, uu = 0, away = 0;
    for (int i = 0; i < 3; i++)
      u[i] = s->to[i] - s->from[i], t += u[i] * (p[i] - s->from[i]), uu += u[i] * u[i];
    t = fmax(0, fmin(1, t / uu));
    for (int i = 0; i < 3; i++)
      away += pow(p[i] - s->from[i] - t * u[i], 2);
    return sqrt(away) <= s->half[0] + slack;
  }
  for (int k = 0; k < 3; k++) {
    double x = fabs(d[0] * s->axes[k] + d[1] * s->axes[3 + k] + d[2] * s->axes[6 + k]) / (s->half[k] + slack);
    if (s->kind == SHAPE_BOX && x > 1)
      return 0;
    sum += x * x;
  }
  return s->kind == SHAPE_BOX || sum <= 1;
}

static int check_pair(const struct solid *a, const struct solid *b)
{
  struct gap g, back;
  double n[3], minus[3], pa[3], pb[3];
  gap_between(a, b, &g);
  gap_between(b, a, &back);
  CHECK_NEAR(back.gap, g.gap, 1e-8);
  CHECK_NEAR(vec3_norm(g.normal), 1, 1e-12);
  for (int i = 0; i < 3; i++) {
    n[i] = g.normal[i], minus[i] = -g.normal[i];
    pa[i] = g.at[i] + 0.5 * g.gap * n[i], pb[i] = g.at[i] - 0.5 * g.gap * n[i];
  }
  double separation = -support(a, minus) - support(b, n);
  if (g.gap > 0)
    CHECK_NEAR(separation, g.gap, 1e-7);
  else if (-g.gap < a->radius) /* the axis is outside: else there may be several ways out, none of them straight */
    CHECK_NEAR(separation, g.gap, 1e-6);
  CHECK(holds(a, pa, 1e-6));
  CHECK(holds(b, pb, 1e-6));
  CHECK(!gap_exceeds(a, b, g.gap + 1e-9)); /* the balls around them never say more than the gap itself */
  return g.gap > 0;
}

static void test_random_pairs(void)
{
  static const enum shape_kind others[] = {SHAPE_CAPSULE, SHAPE_ELLIPSOID, SHAPE_BOX};
  struct rng rng = rng_stream(7, 0);
  for (int k = 0; k < 3; k++) {
    int apart = 0;
    for (int i = 0; i < 2000; i++) {
      struct solid a = random_solid(&rng, SHAPE_CAPSULE), b = random_solid(&rng, others[k]);
      apart += check_pair(&a, &b);
    }
    CHECK(apart > 300 && apart < 1900); /* both kinds of cases were there */
  }
}

static struct solid rod(double x, double y, double z, double ux, double uy, double uz, double radius)
{
  struct solid s = {.kind = SHAPE_CAPSULE, .from = {x - ux, y - uy, z - uz}, .to = {x + ux, y + uy, z + uz},
                    .centre = {x, y, z}, .half = {radius, radius, radius}, .radius = radius};
  s.bound = sqrt(ux * ux + uy * uy + uz * uz) + radius;
  return s;
}

/* Cases where formulas divide by nothing. */
static void test_special(void)
{
  struct gap g;
  struct solid a = rod(0, 0, 0, 1, 0, 0, 0.1), parallel = rod(0.5, 0, 0.5, 1, 0, 0, 0.1);
  struct solid across = rod(0, 0, 0, 0, 1, 0, 0.1), ball = rod(0, 0, 0.3, 0, 0, 0, 0.1), same = a;
  gap_between(&a, &parallel, &g);
  CHECK_NEAR(g.gap, 0.3, 1e-12);
  CHECK_NEAR(g.at[0], 0.25, 1e-12); /* the middle of where they pass each other */
  gap_between(&a, &across, &g);     /* axes that cross */
  CHECK_NEAR(g.gap, -0.2, 1e-12);
  CHECK_NEAR(fabs(g.normal[2]), 1, 1e-12);
  gap_between(&ball, &a, &g);
  CHECK_NEAR(g.gap, 0.1, 1e-12);
  CHECK_NEAR(g.normal[2], 1, 1e-12);
  gap_between(&ball, &ball, &g);
  CHECK_NEAR(g.gap, -0.2, 1e-12);
  CHECK_NEAR(vec3_norm(g.normal), 1, 1e-12);
  gap_between(&a, &same, &g);
  CHECK_NEAR(g.gap, -0.2, 1e-12);
  CHECK_NEAR(vec3_norm(g.normal), 1, 1e-12);
  struct solid egg = {.kind = SHAPE_ELLIPSOID, .axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .half = {2, 1, 0.5}, .radius = 0.5,
                      .bound = 2};
  gap_between(&a, &egg, &g); /* through its centre: out along the shortest axis */
  CHECK_NEAR(g.gap, -0.6, 1e-6);
  CHECK_NEAR(fabs(g.normal[2]), 1, 1e-6);
  CHECK_NEAR(solid_lowest(&egg), -0.5, 1e-12);
  CHECK_NEAR(solid_lowest(&ball), 0.2, 1e-12);
}

int main(void)
{
  test_random_pairs();
  test_special();
  return test_finish();
}

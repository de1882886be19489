/* Passive tissue: what the file says becomes the law, derivatives are those of differences, the pull is the slope of
 * the energy, images mirror each other, and muscles give what tissue does not. */
#include <math.h>

#include "base/angle.h"
#include "base/rng.h"
#include "check.h"
#include "creature/creature.h"
#include "dynamics/tissue.h"

static const char text[] =
    "limb body  { from = {-0.2, 0, 0} to = {0.2, 0, 0} radius = 0.1 mass = 8 }\n"
    "limb tail  { parent = body at = {-0.2, 0, 0} to = {-0.3, 0, 0} radius = 0.02 mass = 0.3\n"
    "             axis yaw { about = z stiffness = 2 }\n"
    "             axis pitch { about = y rest = 10 stiffness = 3 damping = 0.2 } }\n"
    "limb thigh { parent = body mirror = true at = {0, 0.1, 0} to = {0, 0, -0.3} radius = 0.04 mass = 1\n"
    "             axis flexion { about = -y range = {-40, 90} rest = 25 } }\n"
    "limb shank { parent = thigh to = {0, 0, -0.3} radius = 0.03 mass = 0.5\n"
    "             axis flexion { about = y range = {0, 130} rest = 50 } }\n"
    "tendon patella { over = shank.flexion stiffness = 40 slack = 60 damping = 0.5 }\n"
    "tendon heel { over = shank.flexion stiffness = 400 slack = 10 taut = below toe = 3 }\n"
    "tendon hamstring { over = {thigh.flexion, shank.flexion} arms = {1, -0.5} stiffness = 30\n"
    "                   taut = both slack = 5 }\n";

static const struct creature *load(struct arena *arena, const char *what, int errors)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "tissue.creature", what, strlen(what), &d);
  CHECK_INT(d.n_errors, errors);
  diag_clear(&d);
  return c;
}

static const struct tissue *find(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_tissues; i++)
    if (!strcmp(c->tissues[i].name, name))
      return &c->tissues[i];
  CHECK(!"the tissue is there");
  return &c->tissues[0];
}

static void test_file(const struct creature *c)
{
  CHECK_INT(c->n_tissues, 2 + 6);
  const struct tissue *t = find(c, "right_heel"), *h = find(c, "left_hamstring"), *tail = find(c, "tail.pitch");
  CHECK(t->one_sided && t->arm[0] == -1 && t->n_dofs == 1);
  CHECK_NEAR(t->slack, -10 * TO_RADIANS, 1e-15);
  CHECK_NEAR(t->toe, 3 * TO_RADIANS, 1e-15);
  CHECK_STR(c->dofs[t->dof[0]].name, "right_shank.flexion");
  CHECK(!h->one_sided && h->n_dofs == 2 && h->arm[0] == 1 && h->arm[1] == -0.5);
  CHECK_STR(c->dofs[h->dof[0]].name, "left_thigh.flexion");
  CHECK_STR(c->dofs[h->dof[1]].name, "left_shank.flexion");
  CHECK(&c->tissues[h->mirror] == find(c, "right_hamstring"));
  CHECK_NEAR(tail->slack, 10 * TO_RADIANS, 1e-15);
  CHECK(tissue_of_axis(c, tail->dof[0]) == tail && !tissue_of_axis(c, h->dof[0]));
  CHECK(creature_is_symmetric(c, NULL));
}

/* A tendon on one side, or one that pulls a tail to one side, is not symmetric, and is named. */
static void test_one_side(struct arena *arena)
{
  static const char *const more[] = {"tendon scar { over = left_shank.flexion stiffness = 5 }\n",
                                     "tendon scar { over = tail.yaw stiffness = 5 slack = 3 }\n",
                                     "tendon scar { over = {left_shank.flexion, thigh.flexion} damping = 5 }\n"};
  for (int i = 0; i < 3; i++) {
    struct creature_asymmetry why;
    const struct creature *c = load(arena, arena_printf(arena, "%s%s", text, more[i]), 0);
    CHECK(c && !creature_is_symmetric(c, &why));
    CHECK_STR(why.kind, "tendon");
    CHECK_STR(why.part, i == 1 ? "scar" : "left_scar");
  }
}

static void test_law(const struct tissue *t)
{
  const double e = 1e-5;
  struct tissue_pull p, more, less;
  for (double s = -0.4; s < 0.4; s += 0.0173)
    for (double v = -3; v <= 3; v += 1.5) {
      tissue_pull(t, s, v, &p);
      tissue_pull(t, s + e, v, &more);
      tissue_pull(t, s - e, v, &less);
      double unit = t->stiffness + t->damping;
      CHECK_NEAR(p.by_stretch, (more.pull - less.pull) / (2 * e), 1e-6 * unit);
      CHECK_NEAR(p.by_stretch2, (more.by_stretch - less.by_stretch) / (2 * e), 1e-3 * unit);
      CHECK_NEAR(p.by_stretch_rate, (more.by_rate - less.by_rate) / (2 * e), 1e-3 * unit);
      CHECK_NEAR((tissue_energy(t, s + e) - tissue_energy(t, s - e)) / (2 * e) + p.by_rate * v, p.pull, 1e-8 * unit);
      tissue_pull(t, s, v + e, &more);
      tissue_pull(t, s, v - e, &less);
      CHECK_NEAR(p.by_rate, (more.pull - less.pull) / (2 * e), 1e-6 * unit);
      CHECK_NEAR(more.by_rate, less.by_rate, 0);
      CHECK(p.by_rate >= 0);
    }
  tissue_pull(t, -0.3, 1, &p);
  CHECK_NEAR(p.pull, t->one_sided ? 0 : -0.3 * t->stiffness + t->damping, 1e-12 * (1 + t->stiffness));
  tissue_pull(t, 0.3, 1, &p);
  CHECK_NEAR(p.pull, 0.3 * t->stiffness + t->damping, 1e-12 * (1 + t->stiffness));
}

/* The torques are minus the gradient of the energy, less damping: muscles give the rest. */
static void test_torques(const struct creature *c)
{
  double q[64] = {0}, v[64] = {0}, torque[64] = {0};
  struct rng r = rng_stream(11, 0);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    q[i] = rng_uniform(&r, -0.5, 1.5);
  tissue_subtract(c, q, v, torque);
  for (int i = 0; i < c->n_dofs; i++) {
    double slope = 0, e = 1e-6;
    for (int side = -1; side <= 1; side += 2) {
      double at = q[i];
      q[i] = at + side * e;
      for (int k = 0; k < c->n_tissues; k++)
        slope += side * tissue_energy(&c->tissues[k], tissue_stretch(&c->tissues[k], q)) / (2 * e);
      q[i] = at;
    }
    CHECK_NEAR(torque[i], slope, 1e-6 * (1 + fabs(slope)));
  }
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = load(arena, text, 0);
  if (c) {
    test_file(c);
    for (int i = 0; i < c->n_tissues; i++)
      test_law(&c->tissues[i]);
    test_torques(c);
  }
  test_one_side(arena);
  arena_free(arena);
  return test_finish();
}

/* Throws damaged creature files at the parser. It may refuse them, but must not crash, leak or hang, and what it
 * accepts must be a creature: finite, with a mirror that is its own inverse.
 *
 * With -fsanitize=fuzzer (clang) and -DMUYBRIDGE_LIBFUZZER it is a libFuzzer target. Otherwise it is a program:
 *   fuzz_creature [--seconds N] [--seed S] [--run R] FILE...
 * It damages the given files for N seconds (10). Run R of seed S is the same on every machine; a run that dies leaves
 * its input in fuzz_creature.crash, and --run R repeats it. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "creature/creature.h"
#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is tried ---- */

static int accepted; /* texts that made a creature */

static void require(int condition, const char *what)
{
  if (condition)
    return;
  fprintf(stderr, "fuzz_creature: an accepted creature is broken: %s\n", what);
  abort();
}

static void check_dof(const struct creature *c, int i)
{
  const struct dof *d = &c->dofs[i];
  double sum = d->mass + d->rest + d->servo_kp + d->servo_kd;
  for (int k = 0; k < 6; k++)
    sum += d->moment2[k] + (k < 3 ? d->moment1[k] + d->axis[k] + d->offset[k] : 0);
  require(isfinite(sum), "a number of a dof is not finite");
  require(d->parent < i && c->dofs[d->mirror].mirror == i, "the tree or the mirror of dofs");
  require(d->lower <= d->rest && d->rest <= d->upper, "rest outside of the range");
  require(d->limb >= 0 && d->limb < c->n_limbs, "the limb of a dof");
}

static void check_tissue(const struct creature *c, const struct tissue *t)
{
  require(isfinite(t->slack + t->toe + t->stiffness + t->damping + t->arm[0] + t->arm[1]), "a number of a tissue");
  require(t->n_dofs >= 1 && t->n_dofs <= CREATURE_TISSUE_DOFS, "how many joints a tissue spans");
  require(t->mirror >= -1 && t->mirror < c->n_tissues, "the mirror image of a tissue");
  for (int i = 0; i < CREATURE_TISSUE_DOFS; i++)
    require(t->dof[i] >= CREATURE_ROOT_DOFS && t->dof[i] < c->n_dofs, "a joint of a tissue");
}

static void check_gait(const struct creature *c, const struct gait *g)
{
  for (int p = 0; p < c->n_points; p++) {
    double duty = gait_duty(g, p), seen = 0;
    for (int k = 0; k < 100; k++)
      seen += gait_contact(g, p, (k + 0.5) / 100) / 100.0;
    require(duty >= 0 && duty <= 1 + 1e-6, "a duty factor");
    require(fabs(seen - duty) <= 0.011 * (1 + g->n_intervals[p]), "contacts do not add up to the duty factor");
  }
  require(gait_period(g, 1) > 0, "a period");
}

static void check_creature(const struct creature *c)
{
  double *q = calloc((size_t)c->n_dofs, sizeof *q), *m = calloc((size_t)c->n_dofs, sizeof *m);
  require(c->height > 0 && c->mass > 0 && isfinite(c->frame_rate) && c->frame_rate > 0, "height, mass or frame rate");
  creature_rest_pose(c, q);
  creature_mirror_pose(c, q, m);
  creature_mirror_pose(c, m, q);
  for (int i = 0; i < c->n_dofs; i++) {
    check_dof(c, i);
    require(q[i] == c->dofs[i].rest, "the mirror of the mirror");
  }
  for (int i = 0; i < c->n_tissues; i++)
    check_tissue(c, &c->tissues[i]);
  for (int i = 0; i < c->n_limbs; i++)
    require(c->limbs[i].mass > 0 && c->limbs[c->limbs[i].mirror].mirror == i, "a limb");
  for (int i = 0; i < c->n_points; i++)
    require(c->points[c->points[i].mirror].mirror == i && c->points[i].body < c->n_dofs, "a contact point");
  for (int i = 0; i < c->n_feet; i++)
    require(isfinite(c->feet[i].leg_length) && c->feet[i].first_leg_limb >= 0, "a leg");
  for (int i = 0; i < c->n_gaits; i++)
    check_gait(c, &c->gaits[i]);
  free(q);
  free(m);
}

/* Does it ask for a file by its full name? Those beside the text's own name cannot exist, see below. */
static int includes_from_root(const uint8_t *data, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    if (data[i] != '(')
      continue;
    size_t j = i + 1;
    while (j < size && (data[j] <= ' ' || data[j] == '"' || data[j] == '\''))
      j++;
    if (j < size && data[j] == '/')
      return 1;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (includes_from_root(data, size))
    return 0;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  char *copy = malloc(size ? size : 1); /* exactly so long, for the sanitizer to see who reads beyond */
  memcpy(copy, data, size);
  const struct creature *c = creature_parse(arena, "/no/such/folder/fuzz.creature", copy, size, &d);
  free(copy);
  char *messages = diag_text(&d);
  require((c != NULL) == (d.n_errors == 0), "a creature and an error, or neither");
  require(strlen(messages) < (DIAG_MAX + 1) * 2000, "messages without end");
  if (c)
    check_creature(c);
  accepted += c != NULL;
  free(messages);
  diag_clear(&d);
  arena_free(arena);
  return 0;
}

#ifndef MUYBRIDGE_LIBFUZZER
/* clang-format off */
static const char *const dictionary[] = {
    "limb", "foot", "gait", "axis", "point", "contact", "include(\"x\")", "parent", "at", "from", "to", "shape",
    "radius", "size", "mass", "density", "com", "inertia", "joint", "mirror", "like", "about", "range", "rest",
    "torque", "servo", "period", "speed", "right_lag", "on", "name", "body_mass", "friction", "frame_rate", "true",
    "false", "end", "none", "capsule", "box", "ellipsoid", "hinge", "ball", "fixed", "left_", "right_", "body", "x",
    "-y", "z", "{", "}", "{}", "{0, 0, 0}", "{1, 2}", "=", ",", "(", ")", "\"", "'", "\\", "#", "//", "/*", "*/", "+",
    "*", "|", "limb|mass", "$", "${HOME}", "\n", "\r", "\r\n", "\t", " ", "0", "1", "-1", "0.5", "1e-3", "1e3",
    "1e308", "1e-308", "1e999", "-0", "nan", "inf", "-inf", "0x1p3", "1e", ".", "-", "180", "360", "1e-6", "1000",
    "1e6", "50%", "100%", "%", "10kg", "\xC3\xA9", "\xFF", "\x01", "\xEF\xBB\xBF", "limb a { radius = 0.1 }",
    "axis b { about = y }", "gait g { period = 1 speed = {0, 1} }"};
/* clang-format on */

int main(int argc, char **argv)
{
  const struct fuzz_target t = {"fuzz_creature", (int)(sizeof dictionary / sizeof *dictionary), dictionary, fuzz_read,
                                LLVMFuzzerTestOneInput};
  int status = fuzz_main(&t, argc, argv);
  if (status == 0)
    printf("%d of them made a creature\n", accepted);
  return status;
}
#endif

/* Bodies that were written as robots, read back by the reader of robots: all of the zoo in URDF, those without tendons
 * as MuJoCo's models with a free joint. The same axes, the same mass in the same places. */
#include <stdlib.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "exchange/exchange.h"
#include "robots/robots.h"
#include "zoo.h"

static const struct creature *read_back(struct arena *arena, const struct creature *c,
                                        int (*write)(const struct creature *c, FILE *out), const char *path)
{
  char *text = NULL;
  size_t n = 0;
  struct diag d;
  struct robots_options o = {0};
  struct robots_report report;
  FILE *out = open_memstream(&text, &n);
  CHECK(out && write(c, out) == 0);
  fclose(out);
  diag_init(&d);
  const char *again = robots_creature_of_text(arena, path, text, n, &o, &report, &d);
  const struct creature *read = again ? creature_parse(arena, "again", again, strlen(again), &d) : NULL;
  if (!read) {
    char *words = diag_text(&d);
    fprintf(stderr, "%s: %s\n", c->name, words);
    free(words);
  }
  diag_clear(&d);
  free(text);
  return read;
}

/* At zero angles, about the root: mass, its first moments, inertia of the whole; and of every joint, in whatever order
 * the axes come. */
static void compare(struct arena *arena, const struct creature *a, const struct creature *b, double tolerance)
{
  size_t n = (size_t)a->n_dofs;
  CHECK_INT(b->n_dofs, a->n_dofs);
  if (a->n_dofs != b->n_dofs)
    return;
  double *q = ARENA_NEW(arena, n, double), *M = ARENA_NEW(arena, n * n, double), *N = ARENA_NEW(arena, n * n, double);
  dynamics_mass_matrix(dynamics_new(arena, a), q, M);
  dynamics_mass_matrix(dynamics_new(arena, b), q, N);
  double scale = a->mass * a->height * a->height, joints[2] = {0, 0};
  for (size_t i = 0; i < CREATURE_ROOT_DOFS; i++)
    for (size_t k = 0; k < CREATURE_ROOT_DOFS; k++)
      CHECK_NEAR(N[i * n + k], M[i * n + k], tolerance * (i < 3 || k < 3 ? a->mass * fmax(1, a->height) : scale));
  for (size_t i = CREATURE_ROOT_DOFS; i < n; i++)
    joints[0] += M[i * n + i], joints[1] += N[i * n + i];
  CHECK_NEAR(joints[1], joints[0], tolerance * scale);
}

int main(void)
{
  int models = 0;
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    const struct creature *read = c ? read_back(arena, c, exchange_write_urdf, "x.urdf") : NULL;
    CHECK(read != NULL);
    if (read)
      compare(arena, c, read, 1e-5); /* links between axes have a millionth of a limb's mass */
    int tendons = 0;
    for (int k = 0; c && k < c->n_tissues; k++)
      tendons += c->tissues[k].n_dofs > 1 || c->tissues[k].one_sided;
    if (c && !tendons) {
      read = read_back(arena, c, exchange_write_mjcf_free, "x.xml");
      CHECK(read != NULL);
      if (read)
        compare(arena, c, read, 1e-9);
      models++;
    }
    arena_free(arena);
  }
  CHECK(models > 0);
  return test_finish();
}

/* Models and gains in a mirror. See mirror.h. */
#include "feedback/mirror.h"

/* Where the number of an error or a control is found on the other side, and with which sign. */
struct image { size_t at; double sign; };

/* Errors are as poses, and velocities after them (2 n_dofs). */
static struct image *images_of_errors(struct arena *arena, const struct creature *c)
{
  size_t n = (size_t)c->n_dofs;
  struct image *out = ARENA_NEW(arena, 2 * n, struct image);
  for (size_t i = 0; i < n; i++) {
    out[i] = (struct image){(size_t)c->dofs[i].mirror, c->dofs[i].mirror_sign};
    out[n + i] = (struct image){n + out[i].at, out[i].sign};
  }
  return out;
}

/* Controls are those of the joints: all dofs but the root's. */
static struct image *images_of_controls(struct arena *arena, const struct creature *c)
{
  size_t n = (size_t)c->n_dofs - CREATURE_ROOT_DOFS;
  struct image *out = ARENA_NEW(arena, n, struct image);
  for (size_t i = 0; i < n; i++)
    out[i] = (struct image){(size_t)c->dofs[i + CREATURE_ROOT_DOFS].mirror - CREATURE_ROOT_DOFS,
                            c->dofs[i + CREATURE_ROOT_DOFS].mirror_sign};
  return out;
}

static double *mirror_vector(struct arena *arena, const double *x, const struct image *of, size_t n)
{
  double *out = ARENA_NEW(arena, n, double);
  for (size_t i = 0; i < n; i++)
    out[i] = of[i].sign * x[of[i].at];
  return out;
}

/* M (rows x columns), each of them mirrored. */
static double *mirror_matrix(struct arena *arena, const double *M, const struct image *rows, size_t n_rows,
                             const struct image *columns, size_t n_columns)
{
  double *out = ARENA_NEW(arena, n_rows * n_columns, double);
  for (size_t i = 0; i < n_rows; i++)
    for (size_t j = 0; j < n_columns; j++)
      out[i * n_columns + j] = rows[i].sign * columns[j].sign * M[rows[i].at * n_columns + columns[j].at];
  return out;
}

struct window_model *mirror_model(struct arena *arena, const struct creature *c, const struct window_model *model)
{
  struct arena *scratch = arena_new();
  size_t m = 2 * (size_t)c->n_dofs, r = (size_t)c->n_dofs - CREATURE_ROOT_DOFS;
  const struct image *errors = images_of_errors(scratch, c), *controls = images_of_controls(scratch, c);
  struct window_model *out = ARENA_NEW(arena, 1, struct window_model);
  *out = *model;
  out->A = mirror_matrix(arena, model->A, errors, m, errors, m);
  out->B = mirror_matrix(arena, model->B, errors, m, controls, r);
  out->d = mirror_vector(arena, model->d, errors, m);
  arena_free(scratch);
  return out;
}

struct window_gain mirror_gain(struct arena *arena, const struct creature *c, const struct window_gain *g)
{
  struct arena *scratch = arena_new();
  size_t m = 2 * (size_t)c->n_dofs, r = (size_t)c->n_dofs - CREATURE_ROOT_DOFS;
  const struct image *errors = images_of_errors(scratch, c), *controls = images_of_controls(scratch, c);
  struct window_gain out = {.K = mirror_matrix(arena, g->K, controls, r, errors, m),
                            .k = mirror_vector(arena, g->k, controls, r),
                            .P = mirror_matrix(arena, g->P, errors, m, errors, m),
                            .p = mirror_vector(arena, g->p, errors, m)};
  arena_free(scratch);
  return out;
}

/* Anderson acceleration: equations 8 and 9 of doc/values.md. */
#include "policy/accelerator.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "base/matrix.h"

#define FALL 0.95     /* the best merit must fall by that factor ...                                       */
#define PATIENCE 12   /* ... within as many points                                                         */
#define WORST 1e3     /* a merit so many times the best one is not waited for                              */
#define RIDGE 1e-12   /* of the largest product of steps: keeps steps that repeat each other from mattering */

void accelerator_init(struct accelerator *a, struct arena *arena, size_t n, size_t n_residual, int depth)
{
  *a = (struct accelerator){.n = n, .depth = depth, .best = HUGE_VAL};
  a->stride = n_residual / DECISION_SAMPLES + 1; /* all of them would cost more than a sweep */
  while (a->stride % 2 == 0 || a->stride % 3 == 0)
    a->stride++; /* grids are multiples of these: the samples should not all fall on the same points */
  a->n_samples = n_residual / a->stride;
  if (a->n_samples == 0)
    a->n_samples = a->stride = 1;
  a->spare = ARENA_NEW(arena, n, double);
  for (int i = 0; i <= depth; i++) {
    a->image[i] = ARENA_NEW(arena, n, double);
    a->sample[i] = ARENA_NEW(arena, a->n_samples, double);
    if (i < depth)
      a->step[i] = ARENA_NEW(arena, a->n_samples, double);
  }
  a->best_image = a->image[0];
}

void accelerator_restart(struct accelerator *a)
{
  a->used = a->since_best = 0;
  a->best = HUGE_VAL;
}

/* The image takes the place of the oldest, unless that is the best. */
static void keep(struct accelerator *a, const double *image, const double *residual, int better)
{
  int slot = a->newest = (a->newest + 1) % (a->depth + 1);
  if (a->image[slot] == a->best_image && !better) {
    a->image[slot] = a->spare;
    a->spare = a->best_image;
  }
  memcpy(a->image[slot], image, a->n * sizeof *image);
  for (size_t k = 0; k < a->n_samples; k++)
    a->sample[slot][k] = residual[k * a->stride];
  if (better)
    a->best_image = a->image[slot];
  if (a->used <= a->depth)
    a->used++;
}

/* The k-th image back. */
static int back(const struct accelerator *a, int k)
{
  return (a->newest - k + a->depth + 1) % (a->depth + 1);
}

/* How much of each step to take back: least squares over the samples, equation 9. */
static void weigh_steps(const struct accelerator *a, int m, double *gamma)
{
  double A[DECISION_HISTORY * DECISION_HISTORY], largest = 0;
  for (int i = 0; i < m; i++) {
    for (size_t k = 0; k < a->n_samples; k++)
      a->step[i][k] = a->sample[back(a, i)][k] - a->sample[back(a, i + 1)][k];
    gamma[i] = matrix_dot(a->n_samples, a->step[i], a->sample[a->newest]);
    for (int k = 0; k <= i; k++)
      A[i * m + k] = A[k * m + i] = matrix_dot(a->n_samples, a->step[i], a->step[k]);
    largest = fmax(largest, A[i * m + i]);
  }
  for (int i = 0; i < m; i++)
    A[i * m + i] += largest > 0 ? RIDGE * largest : 1; /* nothing changes any more: nothing to take back */
  if (!matrices_solve_positive(m, A, gamma))
    memset(gamma, 0, (size_t)m * sizeof *gamma); /* a plain step */
}

static void mix(const struct accelerator *a, double *next)
{
  const double *images[DECISION_HISTORY + 1];
  double weight[DECISION_HISTORY + 1] = {1}, gamma[DECISION_HISTORY];
  int m = a->used - 1;
  weigh_steps(a, m, gamma);
  for (int k = 0; k < m; k++) {
    weight[k] -= gamma[k];
    weight[k + 1] += gamma[k];
  }
  for (int k = 0; k <= m; k++)
    images[k] = a->image[back(a, k)];
  matrix_combine(a->n, m + 1, weight, images, next);
}

int accelerator_next(struct accelerator *a, const double *image, const double *residual, double merit, double *next)
{
  int better = merit <= FALL * a->best;
  if (better) {
    a->since_best = 0;
    a->best = merit;
  } else if (++a->since_best > PATIENCE || !(merit < WORST * a->best)) /* NaN: no progress */
    return 0;
  keep(a, image, residual, better);
  mix(a, next);
  return 1;
}

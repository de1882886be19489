/* Gains in 16 bits a number, and in a mirror. See short_gains.h. */
#include "control/short_gains.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MOST 32767               /* of a number of 16 bits */

/* ---- numbers of 4 and 2 bytes ---- */

static void put_single(struct bytes_writer *w, double x)
{
  float single = (float)x;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  bytes_put_bits(w, bits, sizeof bits);
}

static double get_single(struct bytes_reader *b)
{
  uint32_t bits = (uint32_t)bytes_get_bits(b, sizeof bits);
  float single;
  memcpy(&single, &bits, sizeof single);
  b->bad |= !isfinite(single);
  return isfinite(single) ? (double)single : 0;
}

static void put_singles(struct bytes_writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    put_single(w, x[i]);
}

static double *get_singles(struct bytes_reader *b, size_t n)
{
  double *x = ARENA_NEW(b->arena, n, double);
  for (size_t i = 0; i < n; i++)
    x[i] = get_single(b);
  return x;
}

/* A number in parts of the largest of its kind, as a float has it. */
static void put_part(struct bytes_writer *w, double x, double largest)
{
  double scale = (double)(float)largest, part = scale > 0 ? x / scale : 0;
  bytes_put_bits(w, (uint16_t)(int16_t)lrint(MOST * fmax(-1, fmin(1, part))), 2);
}

static double get_part(struct bytes_reader *b, double largest)
{
  return largest * (int16_t)(uint16_t)bytes_get_bits(b, 2) / MOST;
}

/* ---- gains and values ---- */

static double column_size(const double *K, size_t m, size_t r, size_t j)
{
  double largest = 0;
  for (size_t i = 0; i < r; i++)
    largest = fmax(largest, fabs(K[i * m + j]));
  return largest;
}

static double root_of_own(const double *P, size_t m, size_t i)
{
  return sqrt(fmax(0, P[i * m + i]));
}

/* C_ij of P = D C D; P is symmetric but for rounding. */
static double correlation(const double *P, size_t m, size_t i, size_t j)
{
  double own = root_of_own(P, m, i) * root_of_own(P, m, j);
  return own > 0 ? 0.5 * (P[i * m + j] + P[j * m + i]) / own : 0;
}

void short_gain_put(struct bytes_writer *w, const struct window_gain *g, size_t m, size_t r)
{
  for (size_t j = 0; j < m; j++)
    put_single(w, column_size(g->K, m, r, j));
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < m; j++)
      put_part(w, g->K[i * m + j], column_size(g->K, m, r, j));
  put_singles(w, g->k, r);
  for (size_t i = 0; i < m; i++)
    put_single(w, root_of_own(g->P, m, i));
  for (size_t i = 0; i < m; i++)
    for (size_t j = i + 1; j < m; j++)
      put_part(w, correlation(g->P, m, i, j), 1);
  put_singles(w, g->p, m);
}

int short_gain_get(struct bytes_reader *b, size_t m, size_t r, struct window_gain *g)
{
  bytes_need(b, 4 * (3 * m + r) + 2 * (r * m + m * (m - 1) / 2));
  if (b->bad)
    return 0;
  const double *columns = get_singles(b, m);
  g->K = ARENA_NEW(b->arena, r * m, double);
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < m; j++)
      g->K[i * m + j] = get_part(b, columns[j]);
  g->k = get_singles(b, r);
  const double *roots = get_singles(b, m);
  g->P = ARENA_NEW(b->arena, m * m, double);
  for (size_t i = 0; i < m; i++) {
    g->P[i * m + i] = roots[i] * roots[i];
    for (size_t j = i + 1; j < m; j++)
      g->P[i * m + j] = g->P[j * m + i] = get_part(b, 1) * roots[i] * roots[j];
  }
  g->p = get_singles(b, m);
  return !b->bad;
}

double short_gain_difference(const struct window_gain *a, const struct window_gain *b, size_t m, size_t r)
{
  double worst = 0;
  for (size_t j = 0; j < m; j++) {
    double gains = fmax(column_size(a->K, m, r, j), column_size(b->K, m, r, j));
    for (size_t i = 0; i < r && gains > 0; i++)
      worst = fmax(worst, fabs(a->K[i * m + j] - b->K[i * m + j]) / gains);
    for (size_t i = 0; i < m; i++) {
      double own = fmax(root_of_own(a->P, m, i) * root_of_own(a->P, m, j),
                        root_of_own(b->P, m, i) * root_of_own(b->P, m, j));
      worst = fmax(worst, own > 0 ? fabs(a->P[i * m + j] - b->P[i * m + j]) / own : 0);
    }
  }
  return worst;
}

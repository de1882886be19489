/* Covariance matrix adaptation: weighted recombination, step length by its path, rank-one and rank-mu updates. */
#include "samcon/cma.h"

#include <math.h>
#include <string.h>

#include "base/eigen.h"
#include "base/matrices.h"

void cma_init(struct arena *arena, struct cma *c, int n, double sigma, const double *diagonal)
{
  size_t m = (size_t)n;
  *c = (struct cma){.n = n, .sigma = sigma};
  c->mean = ARENA_NEW(arena, m, double);
  c->C = ARENA_NEW(arena, m * m, double);
  c->path_sigma = ARENA_NEW(arena, m, double);
  c->path_c = ARENA_NEW(arena, m, double);
  for (int i = 0; i < n; i++)
    c->C[i * n + i] = diagonal ? diagonal[i] : 1;
}

int cma_lower(const struct cma *c, double *L)
{
  int n = c->n;
  for (int i = 0; i < n * n; i++)
    L[i] = c->sigma * c->sigma * c->C[i];
  return matrices_cholesky(n, L);
}

/* Constants of Hansen 2006 for this dimension and number of samples. */
struct constants { double mu, c_sigma, d_sigma, c_c, c_1, c_mu, chi; };

static struct constants constants_of(int n, int count, const double *weights)
{
  struct constants k;
  double squares = 0, N = n;
  for (int i = 0; i < count; i++)
    squares += weights[i] * weights[i];
  k.mu = 1 / squares;
  k.c_sigma = (k.mu + 2) / (N + k.mu + 5);
  k.d_sigma = 1 + 2 * fmax(0, sqrt((k.mu - 1) / (N + 1)) - 1) + k.c_sigma;
  k.c_c = (4 + k.mu / N) / (N + 4 + 2 * k.mu / N);
  k.c_1 = 2 / ((N + 1.3) * (N + 1.3) + k.mu);
  k.c_mu = fmin(1 - k.c_1, 2 * (k.mu - 2 + 1 / k.mu) / ((N + 2) * (N + 2) + k.mu));
  k.chi = sqrt(N) * (1 - 1 / (4 * N) + 1 / (21 * N * N));
  return k;
}

/* Weights of the samples that are kept: falling with the logarithm of the rank, those of the worse half of all drawn
 * being 0. */
static int cma_weigh(int count, int drawn, double *weights)
{
  double sum = 0, half = 0.5 * (drawn + 1);
  int n = 0;
  for (int i = 0; i < count && i + 1 < half; i++, n++)
    sum += weights[i] = log(half) - log(i + 1);
  for (int i = 0; i < n; i++)
    weights[i] /= sum;
  return n;
}

/* out = inv(sqrt(C)) y */
static void cma_whiten(const struct cma *c, const double *y, double *out)
{
  int n = c->n;
  double V[n * n], values[n], scratch[eigen_scratch(n)];
  memcpy(V, c->C, sizeof V);
  memset(out, 0, (size_t)n * sizeof *out);
  if (!eigen_symmetric(n, V, values, scratch))
    return;
  for (int k = 0; k < n; k++) {
    double along = 0;
    for (int i = 0; i < n; i++)
      along += V[k * n + i] * y[i];
    along /= sqrt(fmax(values[k], 1e-20));
    for (int i = 0; i < n; i++)
      out[i] += V[k * n + i] * along;
  }
}

static void adapt_covariance(struct cma *c, const struct constants *k, int count, const double *weights,
                             const double *const *samples,
                             const double *old, double stalled)
{
  int n = c->n;
  double keep = 1 - k->c_1 - k->c_mu + k->c_1 * stalled * k->c_c * (2 - k->c_c);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double rank = 0;
      for (int s = 0; s < count; s++)
        rank += weights[s] * (samples[s][i] - old[i]) * (samples[s][j] - old[j]);
      c->C[i * n + j] = keep * c->C[i * n + j] + k->c_1 * c->path_c[i] * c->path_c[j] + k->c_mu * rank / (c->sigma *
          c->sigma);
    }
}

void cma_update(struct cma *c, int count, const double *const *samples, int drawn)
{
  int n = c->n;
  double weights[count + 1], old[n], y[n], white[n], length = 0;
  count = cma_weigh(count, drawn, weights);
  if (count < 1)
    return;
  struct constants k = constants_of(n, count, weights);
  memcpy(old, c->mean, sizeof old);
  memset(c->mean, 0, sizeof old);
  for (int s = 0; s < count; s++)
    for (int i = 0; i < n; i++)
      c->mean[i] += weights[s] * samples[s][i];
  for (int i = 0; i < n; i++)
    y[i] = (c->mean[i] - old[i]) / c->sigma;
  cma_whiten(c, y, white);
  c->updates++;
  for (int i = 0; i < n; i++) {
    c->path_sigma[i] = (1 - k.c_sigma) * c->path_sigma[i] + sqrt(k.c_sigma * (2 - k.c_sigma) * k.mu) * white[i];
    length += c->path_sigma[i] * c->path_sigma[i];
  }
  length = sqrt(length);
  int going = length / sqrt(1 - pow(1 - k.c_sigma, 2 * c->updates)) < (1.4 + 2 / (n + 1.0)) * k.chi;
  for (int i = 0; i < n; i++)
    c->path_c[i] = (1 - k.c_c) * c->path_c[i] + going * sqrt(k.c_c * (2 - k.c_c) * k.mu) * y[i];
  adapt_covariance(c, &k, count, weights, samples, old, 1.0 - going);
  c->sigma *= exp(fmin(1, k.c_sigma / k.d_sigma * (length / k.chi - 1)));
}

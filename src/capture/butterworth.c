/* The filter of order 2 from its analogue form 1 / (s^2 + sqrt 2 s + 1), by the bilinear transform s = (1 - z^-1) / (w
 * (1 + z^-1)) with w = tan(pi cutoff / rate), which puts the cutoff exactly where it was asked for. */
#include "capture/butterworth.h"

#include <complex.h>
#include <math.h>

#include "base/angle.h"

struct butterworth butterworth_low_pass(double cutoff, double rate)
{
  double w = tan(PI * cutoff / rate), w2 = w * w, r = sqrt(2.0) * w, scale = 1 / (1 + r + w2);
  return (struct butterworth){{w2 * scale, 2 * w2 * scale, w2 * scale}, {2 * (w2 - 1) * scale, (1 - r + w2) * scale}};
}

double butterworth_gain(const struct butterworth *f, double frequency, double rate)
{
  double complex z = cexp(-I * 2 * PI * frequency / rate); /* one sample later */
  return cabs((f->b[0] + f->b[1] * z + f->b[2] * z * z) / (1 + f->a[0] * z + f->a[1] * z * z));
}

void butterworth_pass(const struct butterworth *f, int n, double *x, int backward)
{
  double *at = backward ? x + n - 1 : x;
  double x1 = n ? *at : 0, x2 = x1, y1 = x1, y2 = x1;
  for (int k = 0; k < n; k++, at += backward ? -1 : 1) {
    double y = f->b[0] * *at + f->b[1] * x1 + f->b[2] * x2 - f->a[0] * y1 - f->a[1] * y2;
    x2 = x1, x1 = *at;
    y2 = y1, y1 = y;
    *at = y;
  }
}

void butterworth_both_ways(const struct butterworth *f, int n, int pad, double *x)
{
  double *first = x + pad, *last = first + n - 1;
  for (int k = 1; k <= pad; k++) {
    int reach = n < 2 ? 0 : k > n - 1 ? n - 1 : k;
    first[-k] = 2 * first[0] - first[reach];
    last[k] = 2 * last[0] - last[-reach];
  }
  butterworth_pass(f, n + 2 * pad, x, 0);
  butterworth_pass(f, n + 2 * pad, x, 1);
}

int butterworth_memory(double cutoff, double rate)
{
  return (int)ceil(3 * rate / cutoff); /* exp(-pi sqrt 2 3) = 2e-6 */
}

#include "nature/curves.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double curve_mean(int n, const double *x)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += x[k];
  return sum / n;
}

double curve_correlation(int n, const double *x, const double *y)
{
  double mx = curve_mean(n, x), my = curve_mean(n, y), xx = 0, yy = 0, xy = 0;
  for (int k = 0; k < n; k++) {
    xx += (x[k] - mx) * (x[k] - mx);
    yy += (y[k] - my) * (y[k] - my);
    xy += (x[k] - mx) * (y[k] - my);
  }
  return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double curve_rms(int n, const double *x, const double *y)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sqrt(sum / n);
}

double curve_rms_centred(int n, const double *x, const double *y)
{
  double offset = curve_mean(n, x) - curve_mean(n, y), sum = 0;
  for (int k = 0; k < n; k++)
    sum += (x[k] - y[k] - offset) * (x[k] - y[k] - offset);
  return sqrt(sum / n);
}

struct curve_range curve_range(int n, const double *x)
{
  return curve_range_where(n, x, 0, 0);
}

struct curve_range curve_range_where(int n, const double *x, const unsigned char *on, int wanted)
{
  struct curve_range r = {NAN, NAN};
  for (int k = 0; k < n; k++)
    if (!on || on[k] == wanted) {
      r.low = fmin(r.low, x[k]); /* fmin(NaN, x) is x */
      r.high = fmax(r.high, x[k]);
    }
  return r;
}

void curve_resample(int n, const double *x, double first, int m, double *out)
{
  for (int i = 0; i < m; i++) {
    double at = fmod(first + n * (double)i / (m - 1), n);
    int k = (int)floor(at);
    double share = at - k;
    out[i] = (1 - share) * x[k % n] + share * x[(k + 1) % n];
  }
}

int curve_touchdown(int n, const unsigned char *on)
{
  for (int k = 0; k < n; k++)
    if (on[k] && !on[(k + n - 1) % n])
      return k;
  return -1;
}

int curve_stance(int n, const unsigned char *on, int first)
{
  int length = 0;
  while (length < n && on[(first + length) % n])
    length++;
  return length;
}

double curve_last_peak(int n, const double *x)
{
  double peak = NAN;
  for (int k = (n + 1) / 2; k + 1 < n; k++)
    if (k > 0 && x[k] > x[k - 1] && x[k] >= x[k + 1])
      peak = fmax(peak, x[k]);
  return peak;
}

double curve_harmonic(int n, const double *x, int h)
{
  double c = 0, s = 0;
  for (int k = 0; k < n; k++) {
    c += x[k] * cos(2 * pi * h * k / n);
    s += x[k] * sin(2 * pi * h * k / n);
  }
  return 2 * 2 * hypot(c, s) / n;
}

static double curve_increase(double before, double after)
{
  return after > before ? after - before : 0;
}

double curve_recovery(int n, const double *forward, const double *vertical)
{
  double alone = 0, both = 0;
  for (int k = 0; k < n; k++) {
    int next = (k + 1) % n;
    alone += curve_increase(forward[k], forward[next]) + curve_increase(vertical[k], vertical[next]);
    both += curve_increase(forward[k] + vertical[k], forward[next] + vertical[next]);
  }
  return (alone - both) / alone;
}

struct curve_jump curve_jump(int n, const double *x)
{
  struct curve_jump j = {0};
  for (int k = 0; k < n; k++) {
    double change = fabs(x[(k + 1) % n] - x[k]);
    j.peak = fmax(j.peak, fabs(x[k]));
    if (change > j.change)
      j.change = change, j.frame = k;
  }
  j.share = j.peak > 0 ? j.change / j.peak : NAN;
  return j;
}

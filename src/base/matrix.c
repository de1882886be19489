/* Vector kernels; see matrix.h. Each function is compiled for several processors (base/clones.h) and the best one is
 * chosen when the program starts; the bits are the same.
 *
 * In the product of a small matrix with a tensor, blocks of out are kept in registers while j runs: 4 rows of out by 12
 * columns, twelve vectors of four; narrower ones at the edges. */
#include "base/matrix.h"

#include <string.h>

#include "base/clones.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed only to functions that are inlined */

typedef double four __attribute__((vector_size(32)));

struct shape {
  struct matrix_columns T;
  int n;
  size_t rest;
};

/* out[r .. r + rows)[i .. i + 4 wide): rows and wide are constants wherever this is inlined. */
static inline __attribute__((always_inline)) void block(const struct shape *s, const double *in, double *out, int i,
                                                        int rows, int wide)
{
  four sum[12];
#pragma GCC unroll 12
  for (int k = 0; k < rows * wide; k++)
    sum[k] = (four){0, 0, 0, 0};
  const double *column = s->T.columns + i;
  for (int j = 0; j < s->n; j++, column += s->T.stride, in += s->rest) {
    four t[6];
#pragma GCC unroll 6
    for (int b = 0; b < wide; b++)
      memcpy(&t[b], column + 4 * b, sizeof t[b]);
#pragma GCC unroll 4
    for (int a = 0; a < rows; a++) {
      four v = {in[a], in[a], in[a], in[a]};
#pragma GCC unroll 6
      for (int b = 0; b < wide; b++)
        sum[a * wide + b] += v * t[b];
    }
  }
#pragma GCC unroll 4
  for (int a = 0; a < rows; a++)
#pragma GCC unroll 6
    for (int b = 0; b < wide; b++)
      memcpy(out + (size_t)a * (size_t)s->n + i + 4 * b, &sum[a * wide + b], sizeof sum[0]);
}

/* The columns that are left over when n is no multiple of four. */
static inline __attribute__((always_inline)) void edge(const struct shape *s, const double *in, double *out, int i,
                                                       int rows)
{
  for (; i < s->n; i++)
    for (int a = 0; a < rows; a++) {
      double sum = 0;
      for (int j = 0; j < s->n; j++)
        sum += in[(size_t)j * s->rest + (size_t)a] * s->T.columns[j * s->T.stride + i];
      out[(size_t)a * (size_t)s->n + (size_t)i] = sum;
    }
}

static inline __attribute__((always_inline)) void strip(const struct shape *s, const double *in, double *out, int rows)
{
  int i = 0;
  for (; rows == 1 && i + 24 <= s->n; i += 24) /* one row alone needs more sums at a time to keep the adders busy */
    block(s, in, out, i, rows, 6);
  for (; i + 12 <= s->n; i += 12)
    block(s, in, out, i, rows, 3);
  if (i + 8 <= s->n) {
    block(s, in, out, i, rows, 2);
    i += 8;
  }
  if (i + 4 <= s->n) {
    block(s, in, out, i, rows, 1);
    i += 4;
  }
  edge(s, in, out, i, rows);
}

FOR_EACH_PROCESSOR void matrix_turn_product(struct matrix_columns T, int n, const double *in, size_t rest, double *out)
{
  const struct shape shape = {T, n, rest}, *s = &shape;
  size_t r = 0;
  for (; r + 4 <= s->rest; r += 4)
    strip(s, in + r, out + r * (size_t)s->n, 4);
  for (; r < s->rest; r++)
    strip(s, in + r, out + r * (size_t)s->n, 1);
}

typedef long long four_bits __attribute__((vector_size(32)));
typedef int four_ints __attribute__((vector_size(16)));

static inline __attribute__((always_inline)) four load(const double *p)
{
  four v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* Macros, because the compiler remarks on functions with such parameters. a where less is set, b elsewhere: */
#define CHOOSE(less, a, b) ((four)(((four_bits)(a) & (less)) | ((four_bits)(b) & ~(less))))
#define STORE(p, v)                 \
  do {                              \
    four stored_ = (v);             \
    memcpy((p), &stored_, sizeof stored_); \
  } while (0)

FOR_EACH_PROCESSOR void matrix_least(size_t n, double offset, const double *x, const double *y, double *best)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four o = {offset, offset, offset, offset}, v = (load(x + i) + load(y + i)) + o, m = load(best + i);
    STORE(best + i, CHOOSE(v < m, v, m));
  }
  for (; i < n; i++) {
    double v = (x[i] + y[i]) + offset;
    best[i] = v < best[i] ? v : best[i];
  }
}

FOR_EACH_PROCESSOR struct matrix_range matrix_trade(size_t n, double *x, double *y)
{
  struct matrix_range range = {y[0] - x[0], y[0] - x[0], 0};
  four low = {range.least, range.least, range.least, range.least}, high = low, sum = {0, 0, 0, 0};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four renewed = load(y + i), d = renewed - load(x + i);
    STORE(x + i, renewed);
    STORE(y + i, d);
    low = CHOOSE(d < low, d, low);
    high = CHOOSE(d > high, d, high);
    sum += d;
  }
  for (int k = 0; k < 4; k++) {
    range.least = low[k] < range.least ? low[k] : range.least;
    range.most = high[k] > range.most ? high[k] : range.most;
    range.sum += sum[k];
  }
  for (; i < n; i++) {
    double d = y[i] - x[i];
    x[i] = y[i];
    y[i] = d;
    range.least = d < range.least ? d : range.least;
    range.most = d > range.most ? d : range.most;
    range.sum += d;
  }
  return range;
}

FOR_EACH_PROCESSOR void matrix_combine(size_t n, int count, const double *weight, const double *const *x, double *out)
{
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four sum = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
      four w = {weight[k], weight[k], weight[k], weight[k]};
      sum += w * load(x[k] + i);
    }
    STORE(out + i, sum);
  }
  for (; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < count; k++)
      sum += weight[k] * x[k][i];
    out[i] = sum;
  }
}

FOR_EACH_PROCESSOR int matrix_select(size_t n, const int *choice, int which, const double *x, double *out)
{
  four some = {0, 0, 0, 0};
  int any = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four_ints c;
    memcpy(&c, choice + i, sizeof c);
    four_bits chosen = __builtin_convertvector(c == which, four_bits);
    four v = (four)((four_bits)load(x + i) & chosen);
    STORE(out + i, v);
    some = (four)((four_bits)some | (v != 0));
  }
  for (; i < n; i++) {
    out[i] = choice[i] == which ? x[i] : 0;
    any |= out[i] != 0;
  }
  four_bits bits = (four_bits)some;
  return any || (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
}

FOR_EACH_PROCESSOR double matrix_change(size_t n, const double *x, const double *y, double *out)
{
  four sums = {0, 0, 0, 0};
  double sum = 0;
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four d = load(x + i) - load(y + i);
    STORE(out + i, d);
    sums += CHOOSE(d < 0, -d, d);
  }
  for (; i < n; i++) {
    out[i] = x[i] - y[i];
    sum += out[i] < 0 ? -out[i] : out[i];
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + sum;
}

/* Eight sums at a time, in the same order on every machine. */
FOR_EACH_PROCESSOR double matrix_dot(size_t n, const double *x, const double *y)
{
  four a = {0, 0, 0, 0}, b = a;
  double rest = 0;
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    a += load(x + i) * load(y + i);
    b += load(x + i + 4) * load(y + i + 4);
  }
  for (; i < n; i++)
    rest += x[i] * y[i];
  a += b;
  return (a[0] + a[1]) + (a[2] + a[3]) + rest;
}

FOR_EACH_PROCESSOR void matrix_add_scaled(size_t n, double factor, const double *x, double *y)
{
  four f = {factor, factor, factor, factor};
  size_t i = 0;
  for (; i + 4 <= n; i += 4)
    STORE(y + i, load(y + i) + f * load(x + i));
  for (; i < n; i++)
    y[i] += factor * x[i];
}

FOR_EACH_PROCESSOR void matrix_rotate(size_t n, double c, double s, double *x, double *y)
{
  four cc = {c, c, c, c}, ss = {s, s, s, s};
  size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four a = load(x + i), b = load(y + i);
    STORE(x + i, cc * a - ss * b);
    STORE(y + i, ss * a + cc * b);
  }
  for (; i < n; i++) {
    double a = x[i], b = y[i];
    x[i] = c * a - s * b;
    y[i] = s * a + c * b;
  }
}

/* Checks for tests. A test is a program: it calls CHECK and its friends, and ends with return test_finish(). What fails
 * is told on stderr with its place and what differed; the rest of the test goes on. A NaN is near to nothing. */
#ifndef MUYBRIDGE_CHECK_H
#define MUYBRIDGE_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static int test_checks, test_failures;

/* Counts a check; what it says is for the caller to print. */
static inline int test_count(int passed)
{
  test_checks++;
  if (!passed) test_failures++;
  return passed;
}

static inline void test_near(const char *file, int line, const char *what, double a, double b, double tolerance)
{
  if (!test_count(a == b || fabs(a - b) <= tolerance)) /* a == b: two infinities are equal */
    fprintf(stderr, "%s:%d: %s: %.17g and %.17g differ by %g, more than %g\n", file, line, what, a, b, fabs(a - b),
            tolerance);
}

static inline void test_same(const char *file, int line, const char *what, const char *a, const char *b)
{
  if (test_count(a && b && !strcmp(a, b))) return;
  fprintf(stderr, "%s:%d: %s differ:\n--- %s\n+++ %s\n", file, line, what, b ? b : "(null)", a ? a : "(null)");
}

static inline void test_int(const char *file, int line, const char *what, long a, long b)
{
  if (!test_count(a == b)) fprintf(stderr, "%s:%d: %s: %ld is not %ld\n", file, line, what, a, b);
}

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!test_count((condition) != 0)) fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);       \
  } while (0)
#define CHECK_NEAR(a, b, tolerance) test_near(__FILE__, __LINE__, #a, (a), (b), (tolerance))
#define CHECK_STR(found, expected) test_same(__FILE__, __LINE__, #found, (found), (expected))
#define CHECK_INT(a, b) test_int(__FILE__, __LINE__, #a, (a), (b))

static inline int test_finish(void)
{
  fprintf(stderr, "%d checks, %d failed\n", test_checks, test_failures);
  return test_failures ? 1 : 0;
}

#endif

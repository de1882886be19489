/* Checks of what the verifier found: which measures fail, and by how much, at which frame, where. For test programs:
 * the counts of check.h are theirs. */
#ifndef MUYBRIDGE_TESTS_CHECK_REPORT_H
#define MUYBRIDGE_TESTS_CHECK_REPORT_H

#include "check.h"
#include "motion/verify.h"

#define BIT(measure) (1u << (measure))

static inline struct verify_report verify(const struct creature *c, const struct clip *clip)
{
  struct arena *arena = arena_new();
  struct verify_report r;
  verify_clip(arena, c, clip, &r);
  arena_free(arena);
  return r;
}

static inline void check_failing_at(const char *file, int line, const struct verify_report *r, unsigned expected)
{
  unsigned failing = 0;
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    failing |= r->lines[i].passed ? 0 : BIT(i);
  test_int(file, line, "set of measures that fail", failing, expected);
  test_int(file, line, "passed", r->passed, expected == 0);
}
#define CHECK_FAILING(report, expected) check_failing_at(__FILE__, __LINE__, (report), (expected))

struct expected_line { double value, tolerance; int frame; const char *where; };

static inline void check_line_at(const char *file, int line, const struct verify_line *l, struct expected_line e)
{
  test_near(file, line, l->what, l->value, e.value, e.tolerance);
  test_int(file, line, l->what, l->frame, e.frame);
  if (e.where)
    test_same(file, line, l->what, l->where, e.where);
}
#define CHECK_LINE(report, measure, ...)                                                                              \
  check_line_at(__FILE__, __LINE__, &(report)->lines[measure], (struct expected_line){__VA_ARGS__})

#endif

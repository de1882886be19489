/* What every page must be: all texts on it, none over another, and something drawn. For test programs: the counts of
 * check.h are theirs. */
#ifndef MUYBRIDGE_TESTS_PLOTS_PAGE_H
#define MUYBRIDGE_TESTS_PLOTS_PAGE_H

#include "check.h"
#include "plots/kit.h"

static inline int page_overlap(struct rect a, struct rect b)
{
  const double slack = 0.3; /* [points] */
  return a.x + a.w > b.x + slack && b.x + b.w > a.x + slack && a.y + a.h > b.y + slack && b.y + b.h > a.y + slack;
}

/* At least so many texts (those beyond the page were left out) and this share of ink; then the canvas is gone. */
static inline void check_page(const char *what, struct canvas *cv, int least_texts, double least_ink)
{
  CHECK(cv != NULL);
  if (!cv) return;
  struct rect page = canvas_bounds(cv);
  int n = canvas_texts(cv), outside = 0, overlaps = 0;
  for (int i = 0; i < n; i++) {
    struct rect box = canvas_text_box(cv, i);
    outside += !(box.x >= 0.0 && box.y >= 0.0 && box.x + box.w <= page.w && box.y + box.h <= page.h);
    for (int k = 0; k < i; k++) overlaps += page_overlap(box, canvas_text_box(cv, k));
  }
  double ink = canvas_ink(cv);
  if (outside || overlaps || n < least_texts || !(ink > least_ink))
    fprintf(stderr, "%s: %d texts of at least %d, %d outside, %d over others, ink %g\n", what, n, least_texts, outside,
            overlaps, ink);
  CHECK(n >= least_texts);
  CHECK(outside == 0);
  CHECK(overlaps == 0);
  CHECK(ink > least_ink);
  canvas_discard(cv);
}

#endif

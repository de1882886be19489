/* Contact forces: what presses is not negative, friction stays within mu times what presses.
 *
 * Find f with w = A f - b and, row by row: PRESSING f >= 0, w >= 0, f w = 0; GRIPPING |f| <= mu f(its pressing row),
 * w = 0 inside, and against f at the bounds. A is symmetric and positive definite. Inside of src/physics only. */
#ifndef MUYBRIDGE_LCP_H
#define MUYBRIDGE_LCP_H

enum lcp_kind { LCP_PRESSING, LCP_GRIPPING };

struct lcp_row {
  enum lcp_kind kind;
  int pressing;                 /* of a gripping row: which row presses it, < own index */
  double mu;
};

struct lcp {
  int n;
  const double *A, *b;          /* (n x n), (n)                                           */
  const struct lcp_row *rows;   /* (n)                                                    */
  double *f;                    /* what is found                                    (n)   */
  double *matrix, *guess;       /* scratch                                 (n x n), (n)   */
  int *sides, *place;           /* scratch                                          (n)   */
};

/* 1: exact; 0: as near as it got. */
int lcp_solve(const struct lcp *p);

#endif

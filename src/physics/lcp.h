/* Private to src/physics. Contact forces: normal forces are not negative, friction stays within mu times the normal
 * force.
 *
 * Find f with w = A f - b and, row by row: NORMAL f >= 0, w >= 0, f w = 0; FRICTION |f| <= mu f(its normal row), w = 0
 * inside, and against f at the bounds. A is symmetric and positive definite. */
#ifndef MUYBRIDGE_LCP_H
#define MUYBRIDGE_LCP_H

enum lcp_kind { LCP_NORMAL, LCP_FRICTION };

struct lcp_row {
  enum lcp_kind kind;
  int normal;                   /* of a friction row: which normal row it belongs to, < its own index */
  double mu;
};

struct lcp {
  int n;
  const double *A, *b;          /* (n x n), (n)                                           */
  const struct lcp_row *rows;   /* (n)                                                    */
  double *f;                    /* what is found                                    (n)   */
  double *matrix, *guess;       /* scratch                                 (n x n), (n)   */
  int *sides, *place;           /* scratch                                          (n)   */
  int tries;                    /* guesses at the sides; 0: 16                            */
};

/* 1: exact; 0: as near as it got. */
int lcp_solve(const struct lcp *p);

#endif

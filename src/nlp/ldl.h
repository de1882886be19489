/* Private to src/nlp. Sparse symmetric indefinite systems, of the kind that an interior-point method for motions
 * solves: A = L D L' by fronts.
 *
 * Pivots are chosen within the unknowns that a front eliminates; those that would make entries of L larger than
 * 1/threshold are left to the parent. Same input, same bits. */
#ifndef MUYBRIDGE_NLP_LDL_H
#define MUYBRIDGE_NLP_LDL_H

struct ldl;

enum ldl_status { LDL_DONE, LDL_SINGULAR, LDL_MEMORY };

/* A matrix of order n whose entries are at zero-based (row, col), of either triangle; entries that come twice are
 * added. */
struct ldl *ldl_new(int n, int count, const int *row, const int *col);
void ldl_free(struct ldl *l); /* NULL is fine */

enum ldl_status ldl_factor(struct ldl *l, const double *values, double threshold);
int ldl_negative(const struct ldl *l);          /* eigenvalues below 0, of the matrix factored last */
void ldl_solve(struct ldl *l, double *x);       /* x: right-hand side, then the solution     (n)    */

struct ldl_facts { int fronts, largest_front, delayed; double operations; };
struct ldl_facts ldl_facts(const struct ldl *l);

#endif

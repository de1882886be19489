/* Private to src/nlp. Our factorisation (ldl.h) as a linear solver of Ipopt. Only for nlp_solve().
 *
 * Ipopt can be given the functions of the HSL solver MA27 at run time: LSL_setMA27() in its public header HSLLoader.h.
 * ipopt_ldl.c has functions with MA27's arguments that factor with ldl.h. They are set when nlp_solve() starts and
 * taken back when it ends, they answer only on its thread, and MUMPS is not touched. doc/decisions.md, 15, has the
 * other doors that were tried. */
#ifndef MUYBRIDGE_NLP_IPOPT_LDL_H
#define MUYBRIDGE_NLP_IPOPT_LDL_H

struct ldl;

/* Ipopt's options ma27_pivtol and ma27_pivtolmax. When a solution is not good enough, Ipopt raises the first towards
 * the second (u^0.75, so three times with these two) and has the matrix factored again before it changes the matrix.
 * ldl.h always gets the same threshold, see ipopt_ldl.c. */
#define IPOPT_LDL_PIVOT_TOLERANCE 1e-6
#define IPOPT_LDL_PIVOT_TOLERANCE_MAX 1e-3

struct ipopt_ldl {              /* the matrices of one nlp_solve(); by ipopt_ldl_begin()      */
  struct ldl **ldl;             /* one for each analysis that Ipopt asked for       (count)  */
  int count;
  double threshold;             /* of pivots, see ldl.h                                       */
  struct ipopt_ldl *outer;      /* of the nlp_solve() that this one was called from, or NULL */
};

/* From here to the matching end, Ipopt's linear solver "ma27" on this thread is ldl.h. Returns 0, and changes nothing,
 * if this Ipopt cannot be given functions, or if someone else has given it an MA27. */
int ipopt_ldl_begin(struct ipopt_ldl *s, double threshold);
void ipopt_ldl_end(struct ipopt_ldl *s);

/* Factorisations by ldl.h that Ipopt asked for on this thread, in all: to see which solver was used. */
long ipopt_ldl_factorisations(void);

#endif

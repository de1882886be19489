/* Our own linear solver, where Ipopt looks for MUMPS.
 *
 * Ipopt's C interface has no door for a linear solver, but it calls MUMPS through one function, dmumps_c(). A program
 * that has a function of that name comes before the library: stand_in.c has one. It solves with ldl.h; it hands over to
 * the real MUMPS when told so, and on its own when Ipopt asks for more careful pivots than it was content with at
 * first, or when memory runs out. */
#ifndef MUYBRIDGE_NLP_STAND_IN_H
#define MUYBRIDGE_NLP_STAND_IN_H

/* Who solves from here on: 1 our own solver (the beginning), 0 MUMPS. Of the whole process, as the function is. */
void stand_in_for_mumps(int yes);

/* How many factorisations were our own and how many were MUMPS's, since the process began. */
struct stand_in_count { long own, mumps; };
struct stand_in_count stand_in_factorisations(void);

#endif

/* Linear complementarity: z >= 0, w = C z + h >= 0, z . w = 0 (doc/modal.md, 5).
 *
 * Lemke's algorithm with the lexicographic rule, which cannot cycle. It ends at a solution or along a ray; for the
 * copositive matrices of contact with friction a ray means that there is no solution (Stewart and Trinkle 1996,
 * Anitescu and Potra 1997). */
#ifndef MUYBRIDGE_MODAL_LEMKE_H
#define MUYBRIDGE_MODAL_LEMKE_H

#include "base/arena.h"

struct lemke {
  int most;                     /* largest order                                       */
  double *tableau;              /* by lemke_solve()           (most x (2 most + 2))    */
  int *basis;                   /*                            (most)                   */
};

enum lemke_outcome { LEMKE_SOLVED, LEMKE_RAY, LEMKE_TOO_LONG };

struct lemke *lemke_new(struct arena *arena, int most);

/* C is n x n, row by row. z is written when it is solved. pivots: how many it took; NULL: not wanted. */
enum lemke_outcome lemke_solve(struct lemke *l, int n, const double *C, const double *h, double *z, int *pivots);

#endif

/* Private to src/motion. The verifier while it looks at a clip: what verify.c and the files of single subjects
 * (verify_solid.c) share. */
#ifndef MUYBRIDGE_VERIFIER_H
#define MUYBRIDGE_VERIFIER_H

#include "base/spline.h"
#include "dynamics/dynamics.h"
#include "motion/verify.h"

struct verifier {
  const struct creature *c;
  const struct clip *clip;
  struct dynamics *d;
  struct verify_line *lines;
  double weight, arm;           /* [N]; of moments [m], see verify_moment_arm()               */
  double *q, *v, *a, *tau;      /* of the moment in question            (n_dofs)       */
  double *force, *at, *before;  /* on the points, where they are, were  (n_points x 3) */
  double *J;                    /* of a point                           (3 x n_dofs)   */
};

/* Keeps the worst; nothing is worse than NaN. */
void verify_note(struct verify_line *l, double value, int frame, const char *where);

/* verify_solid.c: limbs in each other and in the ground, at frames and between. p is the spline through the frames, of
 * which row 0 is frame -unrolled. */
void verify_check_solids(struct arena *arena, struct verifier *s, const struct spline *p, int unrolled);

#endif

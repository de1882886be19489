/* Private to src/motion. The verifier while it looks at a clip: what verify.c and the files of single subjects
 * (verify_between.c, verify_solid.c) share. */
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
  struct surface_axes ground;   /* of the surface that the clip is on                         */
  double weight, arm;           /* [N]; of moments [m], see verify_moment_arm()               */
  double *q, *v, *a, *tau;      /* of the moment in question            (n_dofs)       */
  double *force, *at, *before;  /* on the points, where they are, were  (n_points x 3) */
  double *J;                    /* of a point                           (3 x n_dofs)   */
};

/* Keeps the worst; nothing is worse than NaN. */
void verify_note(struct verify_line *l, double value, int frame, const char *where);

/* Does a point touch the ground in frame k, 0 .. n_frames of a cycle? */
int verify_touches(const struct clip *clip, int k, int point);

/* Force on a point in frames 0 .. n_frames; the last is the first again, turned as the cycle turns. */
void verify_force_at(const struct clip *clip, int k, int point, double *f);

/* The length by which a point is measured: its leg's. A point that is its own leg is measured by the whole creature. */
double verify_leg_of(const struct creature *c, int point);

/* Where the points are at s->q: s->at, and dynamics_kinematics(). */
void verify_place_points(struct verifier *s);

/* The size of the part of a vector that lies within the surface of the ground. */
double verify_along_ground(const struct verifier *s, const double *v);

/* What Newton and Euler miss at s->q, v, a under s->force; places the points. */
struct verify_residual { double force[3], moment[3]; }; /* [body weights], [body weights x arm] */
struct verify_residual verify_root_residual(struct verifier *s);

/* "x", "y" or "z". */
const char *verify_largest_axis(const double *r);

/* verify_between.c: all measures between frames. */
void verify_check_between(struct arena *arena, struct verifier *s, const struct verify_neighbours *beside);

/* The motion between frames: a spline through the frames of the clip and through those that come before and after it,
 * so that where the spline ends does not matter. */
struct between {
  struct spline spline;
  int before, after;            /* frames of other clips; row 0 of the spline is frame -before          */
  int begin, end;               /* frames from begin on have an interval that is judged, those from end on have not */
};

/* verify_solid.c: limbs in each other and in the ground, at frames and between. */
void verify_check_solids(struct arena *arena, struct verifier *s, const struct between *b);

#endif

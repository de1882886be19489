/* Is a clip physically valid? Recomputed from positions and forces alone.
 *
 * Shares nothing with the optimizer: it uses the whole-body momentum of dynamics/whole.c, point kinematics, and the
 * definition of each bar. The ground is the clip's (surface.h); heights above it and slip are measured along its normal
 * and within it. */
#ifndef MUYBRIDGE_VERIFY_H
#define MUYBRIDGE_VERIFY_H

#include "base/arena.h"
#include "motion/clip.h"

/* A moment's arm is the standing height L, or half the distance of the outermost feet at rest where that is more. */
enum verify_measure {
  VERIFY_FORCE,          /* root force residual at frames, largest [body weights]                        */
  VERIFY_MOMENT,         /* root moment residual at frames, largest [body weights x arm]                 */
  VERIFY_FORCE_BETWEEN,  /* rms of the force residual between frames: spline of q, linear forces [body weights];
                            without the first and last interval of a transition, which are other clips'  */
  VERIFY_MOMENT_BETWEEN, /* the same of the moment [body weights x arm]                                  */
  VERIFY_FORCE_PEAK,     /* the force residual between frames, largest [body weights]                    */
  VERIFY_MOMENT_PEAK,    /* the moment residual between frames, largest [body weights x arm]             */
  VERIFY_SLIDE,          /* speed over the ground, between two frames, of a point that touches at both
                            [sqrt(g x leg length)]                                                       */
  VERIFY_LIFT,           /* its height there, or depth [leg lengths]                                     */
  VERIFY_CONE,           /* excess of |f_xy| over mu f_z, or pull [body weights]                         */
  VERIFY_SLIP,           /* motion of a point while it stays on the ground, per frame [leg lengths]      */
  VERIFY_PENETRATION,    /* depth of a point below the ground, or height of one that stands on it [leg lengths] */
  VERIFY_OVERLAP,        /* how deep a limb is in another that it keeps apart from, at and between frames, the latter as
                            above [smaller radius of the two]                                            */
  VERIFY_LIMB_GROUND,    /* how deep a limb is in the ground, beyond what it is at rest, likewise [standing heights] */
  VERIFY_JOINT_LIMITS,   /* excess [rad]                                                                 */
  VERIFY_TORQUE_LIMITS,  /* excess [share of the limit; of m g L if that is 0]                           */
  VERIFY_AIR_FORCE,      /* force on a point that is in the air [body weights]                           */
  VERIFY_NUMBERS,        /* 1 when a number is not finite, a size is not the creature's, dt is not above 0, a contact
                            is neither 0 nor 1, a transition has fewer than 4 frames; all else is NaN then */
  N_VERIFY_MEASURES
};

struct verify_line {
  const char *what;      /* in words, with the unit                                */
  double value, bar;     /* passes when value <= bar; NaN does not                 */
  int frame;             /* where it is worst, -1 if nowhere; solids, slip and "between": or from there to the next  */
  const char *where;     /* the dof's, point's, limb's or pair's name there, or a residual's largest axis "x", "y", "z";
                            or NULL                                                */
  int passed;
};

struct verify_report {
  struct verify_line lines[N_VERIFY_MEASURES];
  int passed;            /* all of them                                            */
};

/* Scratch memory is the arena's; names in the report are the creature's. */
void verify_clip(struct arena *arena, const struct creature *c, const struct clip *clip, struct verify_report *out);

/* The same of a transition between the clips that it joins: what happens between its frames, the first and the last
 * interval included, depends on the frames beyond its ends, too. A clip that is not known is NULL. Whether the ends fit
 * is verify_junction()'s business. */
struct verify_neighbours {
  const struct clip *from, *to; /* it leaves `from` at frames from_frame, from_frame + 1; enters `to` likewise */
  int from_frame, to_frame;
};
void verify_transition(struct arena *arena, const struct creature *c, const struct clip *clip,
                       const struct verify_neighbours *beside, struct verify_report *out);

/* Do frames `frame` and `frame + 1` of `clip` (any, if cyclic) and the two frames at the start (or end) of the
 * transition match, up to a motion over the ground? The largest difference of a coordinate [rad], [L]; infinite when
 * a clip has no such frames or another number of dofs. */
double verify_junction(const struct creature *c, const struct clip *transition, int at_end, const struct clip *clip,
                       int frame);

#endif

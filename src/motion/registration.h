/* Registration curves: which moment of one motion belongs to which moment of another, and how the two stand to each
 * other there. After Kovar and Gleicher 2003, "Flexible automatic motion blending with registration curves".
 *
 * The timewarp curve is the cheapest way through the table of distances of all pairs of frames (dynamic time warping),
 * with steps in one motion alone not more than REGISTRATION_RUN in a row. Simpler than there, because two motions are
 * all we blend and the blend only ever goes from the first to the second: the curve is smoothed by a moving average and
 * not by a spline, weights are monotone, and the ends may be free: the second motion need not be used from its start,
 * nor the first to its end. */
#ifndef MUYBRIDGE_REGISTRATION_H
#define MUYBRIDGE_REGISTRATION_H

#include "motion/cloud.h"
#include "motion/path.h"

#define REGISTRATION_RUN 3
#define REGISTRATION_LONGEST 300 /* frames of a motion; longer ones are not registered */

struct registration {
  int n;                        /* points of the curve                                                            */
  double *a, *b;                /* frames of the motions, real, strictly increasing                      (n each) */
  struct clip_advance *beside;  /* where the first motion's ground frame lies in the second's ground frame at that
                                   moment, the two brought nearest to each other                         (n)      */
  double cost;                  /* mean distance along the curve [standing heights]                               */
};

struct registration_input {
  const struct cloud_space *space;
  const struct path *a, *b;
  const struct clouds *clouds_a, *clouds_b; /* of all their frames                                                */
  int free_a, free_b;           /* frames that may be left off at the end of a, at the start of b                 */
  int frames;                   /* of the blend that is wanted: another tempo has its price; 0: any               */
};

/* NULL when a motion is shorter than four frames or longer than REGISTRATION_LONGEST, or when no curve keeps the
 * slope. */
struct registration *registration_new(struct arena *arena, const struct registration_input *in);

/* Contacts of a point in both motions and how they belong together along the curve: stretches of the curve, in its
 * points; -inf and inf where a contact begins before the motion or goes on after it. weight[i] is that of the second
 * motion at point i of the curve (n). Writes at most `room` stretches, returns how many. */
struct registration_contact { double on, off; };
int registration_contacts(const struct registration *r, const struct path *a, const struct path *b, int point,
                          const double *weight, int room, struct registration_contact *out);

#endif

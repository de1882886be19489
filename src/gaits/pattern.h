/* Families of footfall orders, each with a few numbers: what is searched. doc/gaits.md shows them.
 *
 * Rows of legs are counted from the hind end. A row comes down `lag` of a cycle after the row behind it. */
#ifndef MUYBRIDGE_GAITS_PATTERN_H
#define MUYBRIDGE_GAITS_PATTERN_H

#include "gaits/footfall.h"

enum pattern_family {
  PATTERN_ALTERNATE,             /* the legs of a pair half a cycle apart: walks, trots, runs, waves              */
  PATTERN_TOGETHER,              /* at once: hops, bounds                                                         */
  PATTERN_LEAD,                  /* one soon after the other, in two rows: gallops, canters                       */
  PATTERN_RING,                  /* one leg after the other round the body: where legs are no pairs               */
  PATTERN_GIVEN                  /* touch-downs that somebody gives (struct pattern_fixed)                        */
};
#define PATTERN_FAMILIES 5

struct pattern {
  enum pattern_family family;
  double duty_hind, duty_fore;   /* of the hindmost and the foremost row; rows between lie between                */
  double lag;                    /* of a row after the one behind it (LEAD: of their middles; RING: of a leg)     */
  double lead_hind, lead_fore;   /* LEAD: left after right; hind > 0, fore < 0 is rotary                          */
  double toe_down, heel_off;     /* see struct footfall                                                           */
  double period;                 /* [s]                                                                           */
};

/* What is not searched. */
struct pattern_fixed {
  const double *touch;           /* touch-down of each leg: the one family is PATTERN_GIVEN; NULL: free  (legs.n) */
  double duty, period;           /* 0: free                                                                       */
  int feet;                      /* 1: when heel and toe come down and leave                                      */
};

/* Does this body have such patterns at all? */
int pattern_family_fits(const struct legs *legs, enum pattern_family family);

/* Without touch-downs, if they are given. */
void pattern_footfall(const struct legs *legs, const struct pattern *p, struct footfall *out);

/* Brings lags, leads and duties into their ranges; 0 if the pattern is no longer of its family. */
int pattern_normalize(const struct legs *legs, struct pattern *p);

/* Are they the same to `step` of a cycle, and their periods to 2 %? */
int pattern_same(const struct pattern *a, const struct pattern *b, double step);

/* How far a leg may travel while it stands, in its lengths: what the search tries. The horse's gallop takes 1.0. */
#define PATTERN_REACH 1.05

/* How long a stride of an animal of such legs takes at a speed, in nature: strides are 2.3 Fr^0.3 leg lengths, with the
 * Froude number Fr = v^2 / (g l) (Alexander and Jayes 1983, rounded, from memory: there 2.4 Fr^0.34 for walking, 1.9
 * Fr^0.40 for running). [s] */
double pattern_natural_period(const struct legs *legs, double speed);

/* The coarse grid at a speed, in steps of 1 / frames of a cycle. fixed: NULL, or what is. In the arena, *n of them. */
const struct pattern *pattern_grid(struct arena *arena, const struct legs *legs, double speed, int frames,
                                   const struct pattern_fixed *fixed, int *n);

/* The neighbours of a pattern, one number changed by a step of a cycle, the period by a factor of 1 + pace. The number
 * of them, at most PATTERN_NEIGHBOURS. */
#define PATTERN_NEIGHBOURS 16
int pattern_neighbours(const struct legs *legs, const struct pattern *p, double speed, double step, double pace,
                       const struct pattern_fixed *fixed, struct pattern *out);

/* What people call it. `key` is a name for a creature file, `words` a few words. */
struct pattern_name { const char *key, *words; };
struct pattern_name pattern_name(const struct legs *legs, const struct pattern *p);

#endif

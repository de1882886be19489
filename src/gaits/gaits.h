/* Gaits found, not given: from limbs and feet alone, which gaits a body should use at which speed.
 *
 * Families of footfall orders that the legs allow (pattern.h) are laid out as a grid over duty, lag and lead at each
 * speed; each is solved roughly by spacetime (job.h), judged by effort alone (effort.h), and the best are refined from
 * their own clips and those of neighbouring speeds. What wins over a range of speeds becomes a gait with a name, is
 * solved finely and verified. Nothing is random, and limits are counts of iterations: results are the same for any
 * number and kind of workers. doc/gaits.md explains the method.
 *
 * Gives:     gaits.h, effort.h (balance.h, burst.h), pattern.h, open.h, footfall.h, legs.h, sections.h; job.h for ranks
 *            of MPI.
 * May call:  base, creature, dynamics, motion, spacetime, farm. */
#ifndef MUYBRIDGE_GAITS_GAITS_H
#define MUYBRIDGE_GAITS_GAITS_H

#include "farm/farm.h"
#include "gaits/effort.h"
#include "gaits/pattern.h"

struct gaits_progress { int round, rounds, done, jobs; };

/* What is solved finely in the end, and verified: nothing; each gait at the middle of its speeds; all speeds. */
enum gaits_fine { GAITS_FINE_NONE, GAITS_FINE_GAITS, GAITS_FINE_SPEEDS };

struct gaits_options {           /* by gaits_defaults()                                                          */
  struct effort_prices prices;
  int frames;                    /* 24 of a rough cycle; 20 where more than four rows of legs take tenths of it   */
  int rounds;                    /* 3 of refinement                                                               */
  int keep;                      /* 3 gaits refined at each speed                                                 */
  double spread;                 /* 0.2: gaits that cost more than the best by this share are not refined         */
  double change;                 /* 0.03: a gait gives way to another only where that saves such a share of its cost,
                                    in all                                                                        */
  int comfortable;               /* 0; 1: only the cheapest gait of all, at the one speed where effort per distance is
                                    least; only about there is refined                                            */
  const struct open_gait *open;  /* NULL: any gait; else one gait, that of the creature's file which leaves something
                                    open: what it says is kept                                                    */
  double duties;                 /* 0.15: duties of one gait over its speeds differ by no more                    */
  enum gaits_fine fine;          /* GAITS_FINE_GAITS                                                              */
  int workers;
  enum farm_kind farm;
  int (*progress)(void *user, const struct gaits_progress *p); /* 0: stop; may be NULL                           */
  void *user;
};
void gaits_defaults(struct gaits_options *o);

/* A footfall order, solved at a speed. */
struct gaits_trial {
  int speed;                     /* index                                                                        */
  int round;                     /* 0: of the coarse grid                                                        */
  struct pattern pattern;
  struct pattern_name name;
  int solved;
  const char *reason;            /* why not                                                                      */
  struct effort effort;
  struct clip *clip;             /* rough                                                                        */
};

/* A gait over a range of speeds. */
struct gaits_gait {
  const char *name;              /* of the section; unique                                                       */
  const char *words;
  int first, last;               /* speeds, by index                                                             */
  struct pattern pattern;        /* of its section: one schedule for all its speeds                              */
};

struct gaits_speed {
  double speed;                  /* [m/s]                                                                        */
  int best;                      /* trial that costs least; -1: none was solved                                  */
  int gait;                      /* that is used; -1                                                             */
  int trial;                     /* the best of those of that name; -1                                           */
  const char *reason;            /* why there is none; NULL                                                      */
  struct clip *clip;             /* of the gait, fine and verified; NULL                                         */
  struct effort effort;          /* of that clip                                                                 */
  const char *fault;             /* why there is no such clip; NULL                                              */
};

struct gaits_change { double speed; int from, to; }; /* gaits; [m/s] */

struct gaits_result {
  const struct legs *legs;
  const struct creature *creature; /* with the gaits that were found and no other                                */
  int n_speeds, n_trials, n_gaits, n_changes;
  struct gaits_speed *speeds;
  struct gaits_trial *trials;    /* in the order of their submission                                             */
  struct gaits_gait *gaits;      /* from slow to fast; of the same index in the creature                         */
  struct gaits_change *changes;
  double seconds;                /* of processor time, of all jobs: for people                                   */
};

/* Speeds to try: from to until, by equal factors of about 1.25, at most `most`. Negative: from the legs, from Froude
 * number 0.01 to 4. *n of them, in the arena. */
#define GAITS_SPEEDS_MOST 12
const double *gaits_speeds(struct arena *arena, const struct creature *c, double from, double until, int *n);

/* NULL after an error: no feet, no farm, stopped. Found or not is in the result. */
const struct gaits_result *gaits_find(struct arena *arena, const struct creature *c, const double *speeds,
                                      int n_speeds, const struct gaits_options *o, struct diag *d);

/* The sections of all gaits found, each with a comment that says what it is. In the arena. */
const char *gaits_sections(struct arena *arena, const struct gaits_result *r);

/* The cheapest trial of a name at a speed; -1. */
int gaits_best_of(const struct gaits_result *r, int speed, const char *key);

#endif

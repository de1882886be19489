/* What a creature can do with nothing in its file but a body: stand, shift its weight, look around, set off and halt,
 * turn on the spot, back up, go sideways, jump, leap. A list of motions, each of which is solved from those before it.
 * doc/spacetime.md, "Repertoire". */
#ifndef MUYBRIDGE_REPERTOIRE_H
#define MUYBRIDGE_REPERTOIRE_H

#include "motion/verify.h"
#include "spacetime/natural.h"
#include "spacetime/spacetime.h"

struct repertoire_motion {
  const char *name;              /* of the clip: "stand", "walk", "stand-walk", "stand-turn-90"                */
  int cyclic;
  int gait;                      /* of a cycle: index into creature->gaits, speed [m/s], direction [rad]       */
  double speed, strafe;
  int from, to;                  /* of a transition: motions before this one, both cycles                      */
  double turn;                   /* [rad]                                                                      */
  struct leap leap;              /* of one that leaves the ground                                              */
  int n_keys;                    /* of one that stays where it is: what it does on the way                     */
  const struct style_key *keys;
  double seconds;                /* that such a one takes [s]                                                  */

  /* by repertoire_solve() */
  struct clip *clip;             /* NULL: not found                                                            */
  int from_frame, to_frame;
  struct spacetime_report *report;
  struct verify_report verified;
  struct natural_report judged;  /* of a transition that was found: a result that is not natural is kept, and said */
  int passed;                    /* found, and verified                                                        */
  char reason[600];              /* if not: why                                                                */

  int id;                        /* the caller's, for the record: set before a motion that leads from or to it */
};

struct repertoire {
  const struct creature *c;
  int n;
  struct repertoire_motion *motions;
};

struct repertoire_options {
  const int *gaits;              /* to set off into and halt from; NULL: the slowest of the file               */
  int n_gaits;
  const double *turns;           /* [rad]                                                                      */
  int n_turns;
};

/* The list, in an order in which it can be solved. A creature without a foot on the ground has none: n is 0. */
struct repertoire repertoire_plan(struct arena *arena, const struct creature *c, const struct repertoire_options *o);

/* Solves motion i, all before it being done. Where a cycle is left or entered, and in how many frames, is chosen here:
 * where feet need not reach far, and at the next best such places if that fails. 1 if it passed. */
int repertoire_solve(struct arena *arena, struct repertoire *r, int i, const struct spacetime_options *o);

#endif

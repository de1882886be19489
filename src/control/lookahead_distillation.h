/* Look-ahead distillation: what looking ahead does becomes a policy. The creature walks its graph in the tree engine,
 * is pushed now and then, and looks ahead wherever the value says so (control/runner.h); states and the actions that it
 * took are explained by compact policies (control/distill.h). Each iteration looks ahead from the policies of the one
 * before it, the first from the full ones: so states become those that the policies themselves meet. Walks are jobs of
 * the farm; an iteration depends on the policies before it, the seed and its number alone. */
#ifndef MUYBRIDGE_CONTROL_LOOKAHEAD_DISTILLATION_H
#define MUYBRIDGE_CONTROL_LOOKAHEAD_DISTILLATION_H

#include "control/jobs.h"
#include "control/runner.h"

struct lookahead_options {
  struct runner_options runner;
  int walks;                    /* jobs of an iteration                                                */
  int visits;                   /* of a fragment in it, mirror images together, on average             */
  double every, push;           /* a push: about so often [s]; deviation [body weights]                */
  double noise;                 /* on actions, not recorded [rad]: the more, the more states are seen  */
  double ridge;
  uint64_t seed;
  int workers;                  /* control/jobs.h                                                      */
  int (*progress)(void *user, int walk, int n); /* walks done; 0: stop; may be NULL                            */
  void *user;
  double push_seconds;          /* that a push lasts                                                   */
  int forgotten;                /* fragments before a fall that are not learned from: they led to it; at least 1 */
};
void lookahead_defaults(const struct creature *c, struct lookahead_options *o);

struct lookahead_report {
  double residual;              /* share of the actions' variance that is not explained                */
  double success;               /* share of the walk that did not end in a fall                        */
  double seconds;               /* of processors                                                       */
};

extern const struct control_jobs_kind lookahead_jobs; /* for ranks that serve */

/* One iteration, the first being 0: changes the compact policies of c, which must have full ones too. 0 after an
 * error. */
int lookahead_iterate(struct arena *arena, struct controls *c, int iteration, const struct lookahead_options *o,
                    struct lookahead_report *out, struct diag *d);

#endif

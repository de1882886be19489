/* What drives a creature over its control graph: for every fragment a policy and a value.
 *
 * A full policy is a gain on all errors of a state (feedback/feedback.h). A compact one is of the paper's form, a = M s
 * + a0 on the features and weight-carrying joints of control/features.h; both may be there. The value, which look-ahead
 * needs, is the teacher's. */
#ifndef MUYBRIDGE_CONTROL_CONTROLS_H
#define MUYBRIDGE_CONTROL_CONTROLS_H

#include "control/features.h"
#include "control/graph.h"
#include "feedback/feedback.h"

struct compact_policy {
  double *M, *offset;           /* a = M (s - s of the reference) + offset   (n_actions x n_features), (n_actions)   */
  double *variance;             /* of actions that it does not explain       (n_actions)                            */
};

enum control_kind { CONTROL_FULL, CONTROL_COMPACT };

struct controls {
  const struct control_graph *graph;
  enum control_kind kind;
  const struct window_gain *gains; /* NULL: no values are known, no look-ahead         (n_fragments)                 */
  struct compact_policy *compact;  /* NULL: only full policies                          (n_fragments)                 */
  struct features *features;
  double *standard;             /* features of the reference at each fragment's start   (n_fragments x n_features)   */
};

/* Without policies: gains and compact are for the caller to fill. */
struct controls *controls_new(struct arena *arena, const struct control_graph *g);

/* Compact policies of zeros. */
void controls_add_compact(struct arena *arena, struct controls *c);

/* Features of a state less those of the reference where a fragment begins; x: its errors there. */
void controls_features(const struct controls *c, int fragment, const double *q, const double *v, const double *x,
                       double *s);

/* Servo offsets (n_dofs - 6) of a state at the start of a fragment. */
void controls_act(const struct controls *c, int fragment, const double *q, const double *v, const double *x,
                  double *u);

/* Actions as servo offsets. */
void controls_offsets(const struct controls *c, const double *action, double *u);

/* Value of errors at the start of a fragment: what it will cost to bring them back. */
double controls_value(const struct controls *c, int fragment, const double *x);

#endif

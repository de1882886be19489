/* Private to src/policy. Influence: where a controller spends its time, once it has run for long under its policy.
 *
 * The distribution of (segment, theta) at the moments of choice; what a frame of a segment sees of theta follows.
 * Equation 10 and on of doc/values.md. */
#ifndef MUYBRIDGE_INFLUENCE_H
#define MUYBRIDGE_INFLUENCE_H

#include "policy/values.h"

struct influence {
  int solved;             /* the distribution is as near to stationary as asked                             */
  double defect;          /* how far it is from it: sum of absolute differences of one round, of mass 1     */
  double cost;            /* average cost of a frame: between the bounds of the values                      */
  double frames;          /* average length of a choice                                                     */
  int sweeps, retreats;
  int n_nodes;
  size_t grid;
  double *state;          /* distribution at moments of choice, sum 1                      (n_nodes x grid) */
  double *mass;           /* share of the choices that take a segment, sum 1                   (n_segments) */
  double **theta;         /* of parameter p at the start of segment e at e * n_parameters + p; sum 1, or all zero when
                             the segment is never taken                                               (n_p) */
};

struct influence_options { /* by influence_defaults()                                                       */
  double defect;
  int max_sweeps;
  int depth;              /* of the acceleration                                                            */
  int safe_sweeps;        /* after fast ones that did not help, 4, doubled each time                        */
  const struct influence *start; /* as in values_options: where to begin; NULL: the uniform distribution    */
  const int *start_node;
};
void influence_defaults(struct influence_options *o);

/* The values must be of this process and not refused. */
struct influence *influence_solve(struct arena *arena, const struct decision_process *process,
                                  const struct values *values, const struct influence_options *o);

/* Distribution of theta_p at frame t of a segment, given that the controller is there (n_p). */
void influence_at(const struct decision_process *process, const struct influence *influence, int segment, int t, int p,
                  double *out);

/* Share of all frames that are one given frame of the segment: any of its frames, each is played as often as the
 * segment. */
double influence_of_frame(const struct influence *influence, int segment);

#endif

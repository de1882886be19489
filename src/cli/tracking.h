/* What the commands that track have in common: options and summaries. */
#ifndef MUYBRIDGE_CLI_TRACKING_H
#define MUYBRIDGE_CLI_TRACKING_H

#include "motion/graph.h"
#include "samcon/track_trials.h"

enum tracking_torques { TORQUES_OF_METHOD, TORQUES_OWN, TORQUES_INVERSE, TORQUES_NONE };

struct tracking_options {
  struct track_request request; /* without workers                         */
  int method_given;
  int inverse;                  /* with torques by inverse dynamics and first variances by them */
  enum tracking_torques torques;
  int path;
  uint64_t path_seed;
  int table, compare, runs;
  const char *methods;          /* of a table or comparison; NULL: the usual ones */
  const char *picture, *creature, *output;
  int jobs, ranks;              /* forked processes, or 1: ranks of MPI instead of them */
  int no_store, json, quiet;
  int argc;                     /* the whole command line, for the record  */
  char **argv;
};
void tracking_defaults(struct tracking_options *o);

/* "slope:5" as a terrain; 0 and a message when it is none. */
int tracking_terrain(const char *text, struct terrain *out);

void tracking_fill(const struct creature *c, const struct tracking_options *o, struct track_options *out);
void tracking_print(const char *title, const struct recording *r, const struct track_options *o);
void tracking_print_json(const char *title, const struct recording *r, const struct track_options *o);

/* Draws what came of it: samples, motion and forces. 0 after an error. */
int tracking_draw(struct arena *arena, const char *title, const struct recording *r,
                  const struct tracking_options *o, struct diag *d);

/* All clips by several methods; improved sampling with and without torques by inverse dynamics; the exit status
 * (track_trials.c). */
int tracking_table(struct arena *arena, const struct graph_input *in, const struct tracking_options *o, struct diag *d);
int tracking_compare(struct arena *arena, int n, char **paths, const struct tracking_options *o, struct diag *d);

#endif

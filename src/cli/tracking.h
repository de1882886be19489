/* What the commands that track have in common: options, summaries, the table of methods. */
#ifndef MUYBRIDGE_CLI_TRACKING_H
#define MUYBRIDGE_CLI_TRACKING_H

#include "base/bytes.h"
#include "motion/graph.h"
#include "samcon/track.h"

enum tracking_torques { TORQUES_OF_METHOD, TORQUES_OWN, TORQUES_INVERSE, TORQUES_NONE };

struct tracking_options {
  enum track_method method;
  int method_given;
  int inverse;                  /* with torques by inverse dynamics and first variances by them */
  enum tracking_torques torques;
  const double *variances;      /* of offsets at first; NULL: even          */
  int guided, samples, saved, models; /* 0: as the method has it                 */
  double spread;                /* NaN: likewise                           */
  int engine;                   /* enum world_engine                       */
  int no_surrogate;             /* 1: all samples in that engine           */
  uint64_t seed, identify_seed;
  double start, friction;       /* NaN: the creature's                     */
  int cycles, path;
  uint64_t path_seed;
  struct terrain terrain;
  int table, compare, runs;
  const char *methods;          /* of a table or comparison; NULL: the usual ones */
  const char *picture, *creature, *output;
  int jobs, ranks;              /* forked processes, or 1: ranks of MPI instead of them */
  int no_store, json, quiet;
  int argc;                     /* the whole command line, for the record  */
  char **argv;
};
void tracking_defaults(struct tracking_options *o);

/* For whoever does one run of many, by itself: without texts and what they were read from. */
void tracking_put_options(struct bytes_writer *w, const struct tracking_options *o);
void tracking_get_options(struct bytes_reader *r, struct tracking_options *out);

/* "slope:5" as a terrain; 0 and a message when it is none. */
int tracking_terrain(const char *text, struct terrain *out);

void tracking_fill(const struct creature *c, const struct tracking_options *o, struct track_options *out);
void tracking_print(const char *title, const struct recording *r, const struct track_options *o);
void tracking_print_json(const char *title, const struct recording *r, const struct track_options *o);

/* Draws what came of it: samples, motion and forces. 0 after an error. */
int tracking_draw(struct arena *arena, const char *title, const struct recording *r,
                  const struct tracking_options *o, struct diag *d);

/* All clips by several methods; the exit status (tabling.c). */
int tracking_table(struct arena *arena, const struct graph_input *in, const struct tracking_options *o, struct diag *d);

/* Improved sampling with and without torques by inverse dynamics; the exit status (comparing.c). */
int tracking_compare(struct arena *arena, int n, char **paths, const struct tracking_options *o, struct diag *d);

/* What ranks of MPI serve these two with (farm_serve()); in the arena. */
struct farm_options tracking_table_service(struct arena *arena);
struct farm_options tracking_compare_service(struct arena *arena);

#endif

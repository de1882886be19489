/* Jobs over a control graph, on the farm: walks of guided learning, trials.
 *
 * A kind of job needs controls and options; forked workers inherit them, and ranks of MPI make them again from bytes:
 * the same clips give the same graph. A job whose process came to grief is tried again, so that a crash costs an
 * attempt and not the run; what comes of a job depends on its bytes alone, so that nobody can tell. */
#ifndef MUYBRIDGE_CONTROL_JOBS_H
#define MUYBRIDGE_CONTROL_JOBS_H

#include "control/controls.h"
#include "farm/farm.h"

struct control_jobs_kind {
  const char *service;          /* what ranks know it by                                                           */
  size_t n_options;             /* bytes of its options, which cross as they are: pointers in them mean nothing    */
  void (*run)(const struct controls *c, const void *options, const void *in, size_t n_in, struct farm_reply *out);
};

struct control_jobs_result {
  const void *bytes;
  size_t n;
  double seconds;               /* of processors, where they were another process'                                 */
};

struct control_jobs {
  const struct control_jobs_kind *kind;
  const struct controls *controls;
  const void *options;
  int workers;                  /* 0 or 1: here; 2 or more: so many processes; BATCHES_RANKS (follow/batches.h): the
                                   other ranks of MPI, and then no other farm may be open */
  int (*progress)(void *user, int done, int n); /* 0: stop; may be NULL */
  void *user;
};

/* Runs n jobs, each of so many bytes, which lie one after the other. Results in the arena, in the order of jobs. NULL
 * after an error: a job that says that it failed, or that three processes died of; NULL without an error: stopped. */
struct control_jobs_result *control_jobs_run(struct arena *arena, const struct control_jobs *j, int n, const void *in,
                                             size_t each, struct diag *d);

/* For farm_serve(). Lives in the arena. */
struct farm_options control_jobs_service(struct arena *arena, const struct control_jobs_kind *kind);

#endif

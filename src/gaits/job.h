/* A job of the search for gaits: one footfall order at one speed, solved, judged by effort and, if it is to be kept,
 * verified; bytes in, bytes out, by a worker of the farm. Its reply is a function of its bytes. */
#ifndef MUYBRIDGE_GAITS_JOB_H
#define MUYBRIDGE_GAITS_JOB_H

#include "farm/farm.h"
#include "gaits/effort.h"
#include "gaits/footfall.h"

struct gaits_job {
  struct gait gait;              /* of this speed alone                                                        */
  double speed;                  /* [m/s]                                                                      */
  int frames;                    /* of the cycle, for a rough solve; 0: as fine as the creature's, verified    */
  const struct clip *near;       /* to start from, or NULL                                                     */
};

struct gaits_reply {
  int solved;
  char reason[512];              /* why not                                                                    */
  struct effort effort;
  struct clip *clip;             /* NULL: not solved                                                           */
  double cost;                   /* the optimizer's                                                            */
};

/* What a process that makes workers knows. The farm's `user` must point to one, or to a struct that begins with one;
 * all zero before the farm is opened. */
struct gaits_worker {
  struct arena *arena;
  const struct creature *creature;
  struct effort_prices prices;
};

/* shared: see gaits_shared(). */
int gaits_job_prepare(void *user, const void *shared, size_t n_shared, struct diag *d);
void gaits_job_run(void *user, const void *in, size_t n_in, struct farm_reply *out);
void gaits_worker_clear(void *user);

const void *gaits_shared(struct arena *arena, const struct creature *c, const struct effort_prices *prices, size_t *n);
const void *gaits_job_pack(struct arena *arena, const struct creature *c, const struct gaits_job *job, size_t *n);
/* NULL if the bytes are damaged. */
struct gaits_reply *gaits_reply_unpack(struct arena *arena, const void *bytes, size_t n);

#endif

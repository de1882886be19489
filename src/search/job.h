/* A job: one candidate solved and verified by a worker of the farm, as bytes in and bytes out.
 *
 * A job carries all that it needs beside the creature, which all jobs share: so its reply is a function of its bytes,
 * wherever it is run, unless its time runs out. Bytes are the same on every machine, numbers come through to the last
 * bit, and bytes that no job_pack() made are refused, never believed. */
#ifndef MUYBRIDGE_JOB_H
#define MUYBRIDGE_JOB_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "farm/farm.h"
#include "motion/clip.h"
#include "motion/verify.h"
#include "search/candidate.h"
#include "spacetime/spacetime.h"

struct job {
  struct candidate candidate;
  double max_seconds;            /* of processor time, for all solves together; 0: spacetime_defaults()            */
  const struct clip *from, *to;  /* those that the candidate names; NULL for a first gait                          */
  const struct clip *near;       /* a solved cyclic clip of the same gait to start from, or NULL                   */
  double alpha;                  /* of the task term                                                               */
  int n_gradients;               /* 0: no task term (equation 6)                                                   */
  const struct task_gradient *gradients; /* along the clip, evenly from its first frame to its last; of a cycle: along
                                    the cyclic clip; its ways in and out have none. Gaits are then solved as whole
                                    cycles, not mirrored halves                                        (n_gradients) */
  int n_targets;                 /* postures to keep, of a transition or a cycle; its ways in and out              */
  struct posture_target targets[SPACETIME_TARGETS], in_targets[SPACETIME_TARGETS], out_targets[SPACETIME_TARGETS];
  int branches;                  /* of a cycle, even: graph_branch_frame(); of other candidates of no meaning      */
  int patient;                   /* 1: a solve that is slow to become feasible goes on for longer                  */
  int lenient;                   /* 1: a transition that no animal would choose is better than none                */
};

#define JOB_CLIPS 3              /* a cycle, the way into it and the way out of it                                 */

struct job_clip {
  struct clip *clip;
  struct spacetime_report *report;
  struct clip_summary summary;
  struct verify_report verification;
  int from, to;                  /* earlier clips of this reply that its ends refer to; -1: the ids in clip->from
                                    and clip->to hold                                                              */
};

struct job_reply {
  enum spacetime_status status;
  char reason[512];              /* why there are no clips: what stood in the way, or which bar was missed; or why
                                    a clip is not what one would want, and was taken for lack of another           */
  const char *what;              /* which part failed: "the gait", "the way into the cycle"; "" when none did       */
  int n_clips;                   /* all that the candidate asks for, or none                                       */
  struct job_clip clips[JOB_CLIPS];
  double seconds;                /* of processor time that the solver took. For people: as those in the reports,
                                    it differs from run to run; all else is the same                               */
};

/* The task gradient at a place along the clip, 0 to 1, interpolated between two of the job's, which has some. */
void job_gradient_at(const struct job *job, double along, struct task_gradient *out);

/* ---- for the farm ---- */

/* What a process that makes workers knows. The farm's `user` must point to one, or to a struct that begins with one;
 * all zero before the farm is opened. */
struct job_worker {
  struct arena *arena;
  const struct creature *creature;
};
void job_worker_clear(struct job_worker *w);

/* prepare() and run() of the farm; shared is the text of the creature, includes and all. Whether the candidate works
 * out is in the reply; a job that fails (FARM_FAILED) was not one: damaged bytes, clips of another creature, frames
 * that are not there. */
int job_prepare(void *user, const void *shared, size_t n_shared, struct diag *d);
void job_run(void *user, const void *in, size_t n_in, struct farm_reply *out);

/* ---- bytes (job_bytes.c) ---- */

/* Bytes live in the arena, *n of them. What is unpacked lives there too, and has no pointer into the bytes; NULL if
 * they are not what a job_pack() made. */
const void *job_pack(struct arena *arena, const struct job *job, size_t *n);
struct job *job_unpack(struct arena *arena, const void *bytes, size_t n);
const void *job_reply_pack(struct arena *arena, const struct job_reply *reply, size_t *n);
struct job_reply *job_reply_unpack(struct arena *arena, const void *bytes, size_t n);

#endif

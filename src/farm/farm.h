/* The farm: pure jobs, run by many workers behind one small interface.
 *
 * A job is bytes in, bytes out. Each is run in a process of its own, forked for it from a small one that was made when
 * the farm was opened, and gone when the job is: so a job that crashes, hangs or eats the memory costs that one job,
 * what a job leaves behind in memory cannot reach the next one, and what is measured is of that job alone. Workers are
 * processes on this machine, or, when the program was started by mpirun, the other ranks. Results come in the order of
 * submission and are the same for any number and kind of workers, if run() is a function of its input and of what
 * prepare() made. How it works: doc/farm.md.
 *
 * A farm is for one thread of the process that opened it. */
#ifndef MUYBRIDGE_FARM_H
#define MUYBRIDGE_FARM_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"

struct farm;
struct farm_reply;

enum farm_kind {
  FARM_AUTO,   /* MPI if mpirun started two ranks or more, else forked processes                                   */
  FARM_FORK,
  FARM_MPI,
  FARM_INLINE  /* in the caller, in farm_collect(): for debugging. No limits, and a crash is a crash of the caller */
};

struct farm_options {
  enum farm_kind kind;
  int workers;        /* of FARM_FORK; fewer than 1 are 1, which is a process too                                   */
  double job_seconds; /* a job is hung after so many seconds of processor time, or when it used none for so long; 0:
                         never. Time on the wall does not count: other work on the machine must not change results */
  size_t job_memory;  /* bytes that a job may take beyond what the process had before it; 0: as many as there are   */
  int as_they_come;   /* results in any order, to be told apart by their tags                                       */
  const char *service; /* of FARM_MPI: which of those that ranks offer (farm_serve()), at most 31 characters; NULL: one
                         without a name                                                                             */
  void *user;         /* for all functions below                                                                    */

  /* Runs a job, somewhere else: what it changes in memory is forgotten, files that were open are closed, and there is
   * no standard input. in is aligned to 16 bytes. */
  void (*run)(void *user, const void *in, size_t n_in, struct farm_reply *out);

  /* Called once in every process that makes workers, before the first job, with the bytes of shared: here when the farm
   * is opened, and at every other rank of MPI, whose memory is not ours. What all jobs need belongs there, and what is
   * slow to begin with. 0 after an error, reported to d. May be NULL. The bytes live until the farm is closed. */
  int (*prepare)(void *user, const void *shared, size_t n_shared, struct diag *d);
  const void *shared;
  size_t n_shared;

  /* Undoes prepare() at a rank that serves, when rank 0 closes the farm; also one that failed. May be NULL. */
  void (*finish)(void *user);

  /* Words from jobs that are being run, in no certain order; they may get lost on the way. May be NULL. Called by
   * farm_collect() and farm_turn(). */
  void (*progress)(void *user, uint64_t tag, const char *words);

  /* Asked at least once a second and after every signal while farm_collect() waits; 1 makes it return. May be NULL. */
  int (*stop)(void *user);
};

enum farm_outcome {
  FARM_DONE,
  FARM_FAILED,  /* the job itself says why it failed: farm_reply_fail()                                             */
  FARM_CRASHED, /* by a signal                                                                                      */
  FARM_HUNG,    /* over job_seconds                                                                                 */
  FARM_MEMORY,  /* ended for want of memory; over job_memory as a rule                                              */
  FARM_EXITED,  /* called exit()                                                                                    */
  FARM_LOST     /* not the job's fault: killed from outside, or no process could be made. It may be tried again     */
};

struct farm_result {
  uint64_t tag;
  enum farm_outcome outcome;
  int number;             /* the signal of FARM_CRASHED, the status of FARM_EXITED                                  */
  const char *words;      /* why it failed, "" when it did not; the same wherever it ran                            */
  const void *bytes;      /* of FARM_DONE, aligned to 16 bytes                                                      */
  size_t n_bytes;
  double cpu_seconds;     /* these three are for people, and differ from run to run                                 */
  double wall_seconds;
  size_t peak_memory;     /* resident, with what the process had before [bytes]                                     */
};

/* NULL after an error. The farm lives in the arena but must be closed before the arena is freed. Open it early: its
 * processes are copies of this one as it is then. Of farms on ranks of MPI one is open at a time: a second one is an
 * error. */
struct farm *farm_open(struct arena *arena, const struct farm_options *options, struct diag *d);

/* Kills the jobs that are being run, forgets the others and waits for all processes to be gone. NULL is fine. */
void farm_close(struct farm *f);

/* The bytes are copied. Does not wait for any job. */
void farm_submit(struct farm *f, uint64_t tag, const void *bytes, size_t n);

/* Waits for the next result: 1. 0: all have been collected; -1: stop() said so, and nothing is lost. What the result
 * points to lives until the next call, or farm_close(). */
int farm_collect(struct farm *f, struct farm_result *result);

/* Takes what has come and gives idle workers something to do, without waiting: for callers that compute for long. */
void farm_turn(struct farm *f);

int farm_workers(const struct farm *f);
int farm_outstanding(const struct farm *f);           /* jobs submitted and not yet collected                       */
const char *farm_outcome_name(enum farm_outcome o);   /* "done", "crashed" and so on                                */
int farm_limits_memory(void);                         /* 0: job_memory does nothing here (address sanitizer)        */

/* ---- what run() has to say ---- */

void farm_reply_write(struct farm_reply *out, const void *bytes, size_t n); /* appended to what is there            */
void farm_reply_fail(struct farm_reply *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void farm_reply_progress(struct farm_reply *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define FARM_WORDS 512 /* no more characters of words come through, the final 0 included                            */

/* ---- MPI: for main() ---- */

/* Joins the other ranks if mpirun started this program, and does nothing otherwise: the first thing that main() does.
 * farm_stop() is the last, at every rank; at rank 0 it ends the others. */
void farm_start(int *argc, char ***argv);
void farm_stop(void);

int farm_rank(void);                                  /* 0 without MPI                                              */
int farm_ranks(void);                                 /* 1 without MPI                                              */

/* What a rank other than 0 does: serves all farms that rank 0 opens, with run(), prepare(), finish() and user of the
 * service of that name among these n, and the limits of rank 0's, until farm_stop() at rank 0. */
void farm_serve(const struct farm_options *services, int n);

#endif

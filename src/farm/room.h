/* Private to src/farm. What the files of this room share.
 *
 *   farm.c       the queue: who gets which job, and in which order results go out
 *   frame.c      messages on pipes and sockets
 *   process.c    what a process of ours does first: signals, files, limits
 *   job.c        a job in its process: reply and end
 *   attempt.c    one job in a child process, watched from outside
 *   farm_fork.c  workers on this machine: a supervisor each, that makes attempts one after the other
 *   farm_mpi.c   workers that are ranks of MPI, making attempts likewise; farm_alone.c when there is no MPI
 *   farm_inline.c */
#ifndef MUYBRIDGE_FARM_ROOM_H
#define MUYBRIDGE_FARM_ROOM_H

#include "farm/farm.h"

/* ---- frames: a kind, a length, and so many bytes ---- */

enum frame_kind {
  FRAME_LINE = 1, /* words of progress                              job to supervisor to parent */
  FRAME_FAILED,   /* words: farm_reply_fail()                       job to supervisor           */
  FRAME_ANSWER,   /* the bytes of the reply                         job to supervisor           */
  FRAME_MEMORY,   /* there was none left, and now it ends           job to supervisor           */
  FRAME_JOB,      /* the bytes of a job                             parent to supervisor        */
  FRAME_VERDICT,  /* struct verdict and the bytes of the reply      supervisor to parent        */
  FRAME_OPEN,     /* struct opening and the shared bytes            rank 0 to a rank            */
  FRAME_READY,    /* words that prepare() complained with, or none  rank to rank 0              */
  FRAME_CLOSE,    /* drop what you do                               rank 0 to a rank            */
  FRAME_BYE,      /* nothing more comes from this farm              rank to rank 0              */
  FRAME_END       /* farm_stop(): the rank ends                     rank 0 to a rank            */
};

struct frame {
  uint32_t kind, unused;
  uint64_t length;
};

/* How an attempt ended, but for the bytes of the reply. Its size is a multiple of 16: those follow it. */
struct verdict {
  int32_t outcome, number;
  double cpu_seconds, wall_seconds;
  uint64_t peak_memory;
  char words[FARM_WORDS];
};

#define SERVICE_NAME 32
struct opening {
  double job_seconds;
  uint64_t job_memory;
  char service[SERVICE_NAME];
};

/* What has been read and not been dealt with; a frame, if any, begins at its start. All zero: empty. */
struct inbox {
  unsigned char *bytes;
  size_t n, room;
};

int inbox_fill(struct inbox *box, int fd);                        /* 1 read some, 0 the end or an error, -1 none now */
const void *inbox_frame(const struct inbox *box, struct frame *f); /* what is in the first frame; NULL: not all there */
void inbox_drop(struct inbox *box, const struct frame *f);
void inbox_clear(struct inbox *box);

int write_all(int fd, const void *bytes, size_t n);                /* to a blocking pipe or socket; 0 after an error  */
int frame_write(int fd, enum frame_kind kind, const void *bytes, size_t n);

/* ---- processes ---- */

/* First thing after fork(): dies with the parent, ignores Ctrl-C and its like, closes all files but 2 and keep, writes
 * standard output to standard error. The new number of keep. */
int process_begin(int parent, int keep);

/* Limits for the process of a job; when memory runs out, FRAME_MEMORY goes to out before the end. */
void process_limit(const struct farm_options *options, int out);

/* ---- a job in its process ---- */

struct farm_reply {
  int out;                        /* the pipe to the supervisor; -1: inline                               */
  unsigned char *bytes;
  size_t n, room;
  int failed;
  char words[FARM_WORDS];
  void (*line)(void *where, const char *words); /* inline: takes words of progress; may be NULL       */
  void *where;
};

_Noreturn void job_main(const struct farm_options *options, const void *in, size_t n_in, int out);

/* ---- one job in a child process ---- */

struct attempt {
  const struct farm_options *options;
  void *watcher;                                              /* for the functions                    */
  int (*stop)(void *watcher);                                 /* 1: drop it; asked every now and then */
  void (*line)(void *watcher, const char *words, size_t n);
};

/* 1: v tells how it ended, and when it is done the reply is what inbox_frame(reply) says. 0: stop() said so. The child
 * is gone either way. */
int attempt_make(const struct attempt *a, const void *in, size_t n_in, struct verdict *v, struct inbox *reply);

void verdict_say(struct verdict *v, enum farm_outcome o, int number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- the queue ---- */

struct job {
  uint64_t tag;
  unsigned char *in;              /* gone when there is a result                                      */
  size_t n_in;
  int finished;
  struct verdict verdict;
  void *owned;                    /* that bytes lie in                                                */
  const void *bytes;
  size_t n_bytes;
  struct job *next_waiting, *next_out;
};

struct farm_ways {                /* of one kind of farm                                              */
  int (*open)(struct farm *f, struct arena *arena, struct diag *d);   /* sets data; 0 after an error   */
  int (*give)(struct farm *f, int worker);                            /* it begins serving[worker]; 0: it cannot now */
  void (*turn)(struct farm *f, int milliseconds);                     /* takes what comes, and waits no longer */
  void (*close)(struct farm *f);
};

struct farm {
  struct farm_options options;
  const struct farm_ways *ways;
  void *data;                     /* of the kind                                                      */
  int n_workers;                  /* set before open(); MPI knows better                              */
  struct job **serving;           /* what each worker is at; NULL: nothing             (n_workers)    */
  struct job *waiting, **waiting_end;
  struct job *out, **out_end;     /* submitted in this order, or, as they come, finished              */
  struct job *collected;          /* the caller may be looking at it                                  */
  int n_outstanding;
};

extern const struct farm_ways farm_fork_ways, farm_inline_ways, farm_mpi_ways;

/* The job of a worker has ended; the farm owns what bytes lie in. */
void farm_finish(struct farm *f, int worker, const struct verdict *v, void *owned, const void *bytes, size_t n);
/* The body of a FRAME_VERDICT: the same. */
void farm_finish_body(struct farm *f, int worker, void *owned, const void *body, size_t length);
/* Words of progress, without a final 0. */
void farm_report_progress(struct farm *f, int worker, const char *words, size_t n);

void *farm_memory(void *old, size_t n); /* realloc() that ends the process instead of failing */

#endif

/* One job in a child process, watched from outside: whatever it does, there is a verdict. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/seconds.h"
#include "farm/room.h"

#define TICK 0.05     /* how often the watch looks, at least [s]                                          */
#define AWAKE 0.001   /* of the time: a job that uses a smaller share of it than this is doing nothing    */

struct watch {
  const struct attempt *a;
  struct inbox *reply;            /* all that has come, words of progress taken out  */
  pid_t child;
  int pipe;                       /* -1: the child has closed its end                */
  double nap;                     /* until the next look once the pipe is closed [s] */
  double began, last;             /* when the child was made, and the last look      */
  double lived;                   /* time that it could have used                    */
  double lived_mark, cpu_mark;    /* at the last sign of life                        */
  enum { IN_TIME, BUSY, IDLE } overdue; /* BUSY, IDLE: killed for having been so for too long */
  int status;                     /* of wait4()                                      */
  struct rusage used;
};

void verdict_say(struct verdict *v, enum farm_outcome o, int number, const char *format, ...)
{
  va_list args;
  v->outcome = (int32_t)o;
  v->number = number;
  va_start(args, format);
  vsnprintf(v->words, sizeof v->words, format, args);
  va_end(args);
}

/* ---- listening ---- */

/* Hands on words of progress as soon as they are whole; the rest stays for the end. */
static void pass_lines(struct watch *w)
{
  struct frame f;
  for (const void *words; (words = inbox_frame(w->reply, &f)) && f.kind == FRAME_LINE;) {
    if (w->a->line)
      w->a->line(w->a->watcher, words, (size_t)f.length);
    inbox_drop(w->reply, &f);
  }
}

static void read_pipe(struct watch *w)
{
  int more = 1;
  while (w->pipe >= 0 && more > 0) {
    more = inbox_fill(w->reply, w->pipe);
    if (more == 0) {
      close(w->pipe);
      w->pipe = -1;
    }
    pass_lines(w);
  }
}

/* Waits for the child to say something, or, once it has closed the pipe, to end: that is a matter of microseconds as
 * a rule, so the first naps are short. */
static void listen_for(struct watch *w, double seconds)
{
  if (w->pipe >= 0) {
    struct pollfd p = {.fd = w->pipe, .events = POLLIN};
    poll(&p, 1, (int)(1000 * seconds));
    read_pipe(w);
    return;
  }
  w->nap = w->nap < seconds ? w->nap * 2 : seconds;
  nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * w->nap)}, NULL);
}

/* ---- hanging ---- */

static double cpu_seconds(pid_t child)
{
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(child, &clock) || clock_gettime(clock, &t))
    return 0; /* it has just ended */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Kills what hangs. A look that comes much too late means that we were not running ourselves, because of Ctrl-Z or a
 * closed lid: that time is not held against the job. */
static void look_at_clock(struct watch *w)
{
  double now = wall_seconds(), passed = now - w->last, limit = w->a->options->job_seconds;
  w->last = now;
  w->lived += passed < 2 * TICK ? passed : 2 * TICK;
  if (!(limit > 0) || w->overdue)
    return;
  double cpu = cpu_seconds(w->child);
  if (cpu - w->cpu_mark > AWAKE * (w->lived - w->lived_mark)) {
    w->cpu_mark = cpu;
    w->lived_mark = w->lived;
  }
  if (cpu > limit)
    w->overdue = BUSY;
  else if (w->lived - w->lived_mark > limit)
    w->overdue = IDLE;
  if (w->overdue)
    kill(w->child, SIGKILL);
}

/* ---- the end ---- */

static double of_timeval(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static const char *signal_words(int sig)
{
  switch (sig) {
  case SIGSEGV: return "segmentation fault";
  case SIGABRT: return "abort";
  case SIGBUS: return "bus error";
  case SIGFPE: return "arithmetic exception";
  case SIGILL: return "illegal instruction";
  default: return "signal";
  }
}

static void judge_hang(const struct watch *w, struct verdict *v)
{
  double limit = w->a->options->job_seconds;
  if (w->overdue == IDLE)
    verdict_say(v, FARM_HUNG, 0, "did nothing for %g s", limit);
  else
    verdict_say(v, FARM_HUNG, 0, "used more than %g s of processor time", limit);
}

static void judge_signal(const struct watch *w, struct verdict *v, int no_memory)
{
  int sig = WTERMSIG(w->status);
  double limit = w->a->options->job_seconds;
  if (no_memory)
    verdict_say(v, FARM_MEMORY, sig, "out of memory");
  else if (sig == SIGXCPU || (sig == SIGKILL && limit > 0 && v->cpu_seconds > limit))
    judge_hang(w, v); /* the system was quicker than we */
  else if (sig == SIGKILL)
    verdict_say(v, FARM_LOST, sig, "killed from outside, perhaps because the machine ran out of memory");
  else
    verdict_say(v, FARM_CRASHED, sig, "crashed: %s (%d)", signal_words(sig), sig);
}

/* A reply counts only if it is whole and the process ended well. */
static void judge(const struct watch *w, struct verdict *v)
{
  struct frame f = {0};
  const void *body = inbox_frame(w->reply, &f);
  int kind = body ? (int)f.kind : 0, status = WIFEXITED(w->status) ? WEXITSTATUS(w->status) : -1;
  if (w->overdue)
    judge_hang(w, v);
  else if (status < 0)
    judge_signal(w, v, kind == FRAME_MEMORY);
  else if (status == 0 && kind == FRAME_ANSWER)
    verdict_say(v, FARM_DONE, 0, "%s", "");
  else if (status == 0 && kind == FRAME_FAILED)
    verdict_say(v, FARM_FAILED, 0, "%.*s", (int)f.length, (const char *)body);
  else if (status == 0)
    verdict_say(v, FARM_EXITED, 0, "ended without a reply");
  else
    verdict_say(v, FARM_EXITED, status, "exit status %d", status);
}

/* 1 when the child is gone. */
static int reap(struct watch *w, int how)
{
  pid_t gone;
  do
    gone = wait4(w->child, &w->status, how, &w->used);
  while (gone < 0 && errno == EINTR);
  if (gone < 0)
    w->status = SIGKILL; /* somebody else waited for it: we cannot know */
  return gone != 0;
}

static int watch_child(struct watch *w)
{
  while (!reap(w, WNOHANG)) {
    listen_for(w, TICK);
    if (w->a->stop && w->a->stop(w->a->watcher)) {
      kill(w->child, SIGKILL);
      reap(w, 0);
      return 0;
    }
    look_at_clock(w);
  }
  read_pipe(w);
  return 1;
}

static pid_t make_child(const struct attempt *a, const void *in, size_t n_in, int *pipe_end)
{
  int ends[2], parent = getpid();
  if (pipe(ends))
    return -1;
  pid_t child = fork();
  if (child == 0)
    job_main(a->options, in, n_in, process_begin(parent, ends[1]));
  close(ends[1]);
  *pipe_end = ends[0];
  if (child < 0)
    close(ends[0]);
  else
    fcntl(*pipe_end, F_SETFL, O_NONBLOCK);
  return child;
}

int attempt_make(const struct attempt *a, const void *in, size_t n_in, struct verdict *v, struct inbox *reply)
{
  struct watch w = {.a = a, .reply = reply, .pipe = -1, .nap = 20e-6};
  *v = (struct verdict){0};
  w.began = w.last = wall_seconds();
  w.child = make_child(a, in, n_in, &w.pipe);
  if (w.child < 0) {
    verdict_say(v, FARM_LOST, 0, "cannot make a process for it: %s", strerror(errno));
    return 1;
  }
  int ended = watch_child(&w);
  if (w.pipe >= 0) /* a child of the child holds it open */
    close(w.pipe);
  v->cpu_seconds = of_timeval(w.used.ru_utime) + of_timeval(w.used.ru_stime);
  v->wall_seconds = wall_seconds() - w.began;
  v->peak_memory = (uint64_t)w.used.ru_maxrss * 1024;
  if (ended)
    judge(&w, v);
  return ended;
}

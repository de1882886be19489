/* Workers on this machine: one supervisor each, a small process forked when the farm is opened. It runs no code of the
 * caller: it makes one attempt after the other, each in a child of its own, and so does not crash with them. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "farm/room.h"

struct supervisor {
  pid_t pid;                      /* 0: there is none                                            */
  int fd;                         /* of our end of the socket                                    */
  struct frame head;              /* of the job it is at                                         */
  size_t sent;                    /* bytes of head and job                                       */
  struct inbox in;
};

struct fork_workers {
  struct supervisor *supervisors; /* (n_workers) */
  struct pollfd *poll;            /* (n_workers) */
};

/* ---- the supervisor ---- */

static int parent_has_more(void *watcher)
{
  struct pollfd p = {.fd = *(int *)watcher, .events = POLLIN};
  return poll(&p, 1, 0) > 0; /* which sends no second job before the first is answered: it is the end */
}

/* Words of progress must not hold up the watch when the parent has no time to read: then they are lost. */
static void pass_line(void *watcher, const char *words, size_t n)
{
  unsigned char all[sizeof(struct frame) + FARM_WORDS];
  n = n < FARM_WORDS ? n : FARM_WORDS - 1;
  struct frame f = {.kind = FRAME_LINE, .length = n};
  memcpy(all, &f, sizeof f);
  memcpy(all + sizeof f, words, n);
  ssize_t sent = send(*(int *)watcher, all, sizeof f + n, MSG_DONTWAIT);
  if (sent > 0)
    write_all(*(int *)watcher, all + sent, sizeof f + n - (size_t)sent);
}

static int answer(int parent, const struct verdict *v, const struct inbox *reply)
{
  struct frame got = {0}, f = {.kind = FRAME_VERDICT, .length = sizeof *v};
  const void *bytes = v->outcome == FARM_DONE ? inbox_frame(reply, &got) : NULL;
  size_t n = bytes ? (size_t)got.length : 0;
  f.length += n;
  return write_all(parent, &f, sizeof f) && write_all(parent, v, sizeof *v) && write_all(parent, bytes, n);
}

static _Noreturn void supervisor_main(const struct farm_options *options, int parent)
{
  struct attempt a = {.options = options, .watcher = &parent, .stop = parent_has_more, .line = pass_line};
  struct inbox in = {0};
  struct verdict v;
  struct frame f;
  signal(SIGPIPE, SIG_IGN); /* a parent that does not listen any more is the end of a write, as of a read */
  for (;;) {
    const void *job = inbox_frame(&in, &f);
    if (!job && !inbox_fill(&in, parent))
      _exit(0);
    if (!job)
      continue;
    struct inbox reply = {0};
    if (!attempt_make(&a, job, (size_t)f.length, &v, &reply) || !answer(parent, &v, &reply))
      _exit(0);
    inbox_clear(&reply);
    inbox_clear(&in); /* not kept: the next job would be forked from all that */
  }
}

static void set_private(int fd)
{
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, O_NONBLOCK);
}

/* 0 when the system has no more processes or files for us. */
static int start_supervisor(struct farm *f, struct supervisor *s)
{
  int ends[2], parent = getpid();
  *s = (struct supervisor){0};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 0;
  pid_t pid = fork();
  if (pid == 0)
    supervisor_main(&f->options, process_begin(parent, ends[1]));
  int because = errno;
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    errno = because;
    return 0;
  }
  set_private(ends[0]);
  s->pid = pid;
  s->fd = ends[0];
  return 1;
}

/* ---- the parent ---- */

static int wait_for(pid_t pid)
{
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return -1; /* somebody else has waited for it */
  return status;
}

/* A supervisor that is gone was killed by somebody: the job is lost, and the next one gets a new supervisor. */
static void lose_supervisor(struct farm *f, int worker)
{
  struct supervisor *s = &((struct fork_workers *)f->data)->supervisors[worker];
  struct verdict v = {0};
  kill(s->pid, SIGKILL);
  close(s->fd);
  wait_for(s->pid);
  inbox_clear(&s->in);
  *s = (struct supervisor){0};
  verdict_say(&v, FARM_LOST, 0, "the process that watched it was killed from outside");
  if (f->serving[worker])
    farm_finish(f, worker, &v, NULL, NULL, 0);
}

/* Sends what the socket takes of the job; 0 when the supervisor is gone. */
static int push(struct farm *f, int worker)
{
  struct supervisor *s = &((struct fork_workers *)f->data)->supervisors[worker];
  const struct job *j = f->serving[worker];
  while (s->sent < sizeof s->head + j->n_in) {
    int in_head = s->sent < sizeof s->head;
    const unsigned char *from = in_head ? (unsigned char *)&s->head + s->sent : j->in + (s->sent - sizeof s->head);
    size_t n = in_head ? sizeof s->head - s->sent : j->n_in - (s->sent - sizeof s->head);
    ssize_t put = send(s->fd, from, n, MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    if (put > 0)
      s->sent += (size_t)put;
  }
  return 1;
}

static int fork_give(struct farm *f, int worker)
{
  struct supervisor *s = &((struct fork_workers *)f->data)->supervisors[worker];
  for (int trial = 0; trial < 2; trial++) { /* one that died unseen shows now; nothing of the job has been begun */
    if (!s->pid && !start_supervisor(f, s))
      return 0;
    s->head = (struct frame){.kind = FRAME_JOB, .length = f->serving[worker]->n_in};
    s->sent = 0;
    if (push(f, worker))
      return 1;
    struct job *j = f->serving[worker];
    f->serving[worker] = NULL;
    lose_supervisor(f, worker);
    f->serving[worker] = j;
  }
  return 0;
}

/* Deals with all whole frames; the memory of a verdict is handed on, not copied. */
static void take_frames(struct farm *f, int worker)
{
  struct supervisor *s = &((struct fork_workers *)f->data)->supervisors[worker];
  struct frame got;
  for (const void *body; (body = inbox_frame(&s->in, &got));) {
    if (got.kind == FRAME_VERDICT && f->serving[worker]) {
      unsigned char *owned = farm_memory(s->in.bytes, s->in.n); /* nothing follows a verdict before the next job */
      s->in = (struct inbox){0};
      farm_finish_body(f, worker, owned, owned + sizeof got, (size_t)got.length);
      return;
    }
    farm_report_progress(f, worker, body, (size_t)got.length);
    inbox_drop(&s->in, &got);
  }
}

static void pull(struct farm *f, int worker)
{
  struct supervisor *s = &((struct fork_workers *)f->data)->supervisors[worker];
  int more;
  do {
    more = inbox_fill(&s->in, s->fd);
    take_frames(f, worker);
  } while (more > 0);
  if (more == 0)
    lose_supervisor(f, worker);
}

static void fork_turn(struct farm *f, int milliseconds)
{
  struct fork_workers *workers = f->data;
  for (int i = 0; i < f->n_workers; i++) {
    const struct job *j = f->serving[i];
    int unsent = j && workers->supervisors[i].sent < sizeof workers->supervisors[i].head + j->n_in;
    workers->poll[i] = (struct pollfd){.fd = workers->supervisors[i].pid ? workers->supervisors[i].fd : -1,
                                   .events = (short)(POLLIN | (unsent ? POLLOUT : 0))};
  }
  if (poll(workers->poll, (nfds_t)f->n_workers, milliseconds) <= 0)
    return; /* a signal: the caller asks whether to stop */
  for (int i = 0; i < f->n_workers; i++) {
    int seen = workers->poll[i].revents;
    if (seen & POLLOUT && f->serving[i] && !push(f, i))
      lose_supervisor(f, i);
    else if (seen & (POLLIN | POLLHUP | POLLERR))
      pull(f, i);
  }
}

/* Told by the end of the socket; each kills its job, waits for it, and ends. */
static void fork_close(struct farm *f)
{
  struct fork_workers *workers = f->data;
  for (int i = 0; i < f->n_workers; i++)
    if (workers->supervisors[i].pid) {
      close(workers->supervisors[i].fd);
      kill(workers->supervisors[i].pid, SIGCONT); /* in case somebody stopped it */
    }
  for (int i = 0; i < f->n_workers; i++) {
    if (workers->supervisors[i].pid)
      wait_for(workers->supervisors[i].pid);
    inbox_clear(&workers->supervisors[i].in);
  }
}

static int fork_open(struct farm *f, struct arena *arena, struct diag *d)
{
  struct fork_workers *workers = f->data = ARENA_NEW(arena, 1, struct fork_workers);
  workers->supervisors = ARENA_NEW(arena, (size_t)f->n_workers, struct supervisor);
  workers->poll = ARENA_NEW(arena, (size_t)f->n_workers, struct pollfd);
  for (int i = 0; i < f->n_workers; i++)
    if (!start_supervisor(f, &workers->supervisors[i])) {
      diag_error(d, "farm", 0, "cannot start worker %d of %d: %s", i + 1, f->n_workers, strerror(errno));
      fork_close(f);
      return 0;
    }
  return 1;
}

const struct farm_ways farm_fork_ways = {fork_open, fork_give, fork_turn, fork_close};

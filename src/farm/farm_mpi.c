/* Workers that are ranks of MPI: rank 0 is the farm, every other rank makes one attempt after the other, each in a
 * child process of its own, which never calls MPI. The only file that includes <mpi.h>.
 *
 * MPI's own waiting keeps a processor busy; ours looks, and naps longer the longer nothing comes. Numbers cross as
 * bytes: all ranks run the same program on the same kind of machine. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/seconds.h"
#include "farm/room.h"

/* Sequential builds of MUMPS carry toy versions of these three, which the linker may prefer; the other names that the
 * standard gives them are only in the real library. */
#define MPI_Init PMPI_Init
#define MPI_Comm_rank PMPI_Comm_rank
#define MPI_Finalize PMPI_Finalize

enum { TAG_FRAME = 1, TAG_BODY = 2 };

#define MOST_AT_ONCE ((size_t)1 << 30) /* bytes of a message: MPI counts in ints  */
#define SHORTEST_NAP 20000L            /* nanoseconds                             */
#define LONGEST_NAP 5000000L

/* ---- ranks ---- */

/* Whether somebody like mpirun started this program: Open MPI, MPICH and its relatives, and PMIx say so. MPI_Init() is
 * slow, and not for a program that was started by hand. */
static int started_by_mpirun(void)
{
  return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_RANK") || getenv("PMI_ID") || getenv("PMIX_RANK");
}

void farm_start(int *argc, char ***argv)
{
  if (started_by_mpirun())
    MPI_Init(argc, argv);
}

static int together(void)
{
  int begun = 0, over = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&over);
  return begun && !over;
}

int farm_rank(void)
{
  int rank = 0;
  if (together())
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int farm_ranks(void)
{
  int n = 1;
  if (together())
    MPI_Comm_size(MPI_COMM_WORLD, &n);
  return n;
}

/* ---- messages ---- */

/* 1 when a signal cut it short. */
static int nap(long *nanoseconds)
{
  int cut = nanosleep(&(struct timespec){.tv_nsec = *nanoseconds}, NULL);
  *nanoseconds = *nanoseconds < LONGEST_NAP / 2 ? 2 * *nanoseconds : LONGEST_NAP;
  return cut != 0;
}

static void wait_for(MPI_Request *r)
{
  int done = 0;
  for (long ns = SHORTEST_NAP; MPI_Test(r, &done, MPI_STATUS_IGNORE), !done;)
    nap(&ns);
}

static void send_bytes(int rank, int tag, const void *bytes, size_t n)
{
  const char *from = bytes;
  while (n > 0) {
    size_t part = n < MOST_AT_ONCE ? n : MOST_AT_ONCE;
    MPI_Request r;
    MPI_Isend(from, (int)part, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &r);
    wait_for(&r);
    from += part;
    n -= part;
  }
}

/* A frame of two parts, either of which may be empty. */
static void send_frame(int rank, enum frame_kind kind, const void *first, size_t n_first, const void *second,
                       size_t n_second)
{
  struct frame f = {.kind = kind, .length = n_first + n_second};
  send_bytes(rank, TAG_FRAME, &f, sizeof f);
  send_bytes(rank, TAG_BODY, first, n_first);
  send_bytes(rank, TAG_BODY, second, n_second);
}

static int frame_waits(int from, int *rank)
{
  int there = 0;
  MPI_Status s;
  MPI_Iprobe(from, TAG_FRAME, MPI_COMM_WORLD, &there, &s);
  if (there && rank)
    *rank = s.MPI_SOURCE;
  return there;
}

static void receive_bytes(int rank, int tag, void *bytes, size_t n)
{
  for (size_t got = 0; got < n;) { /* in whatever parts they were sent: a message says how long it is */
    size_t part = n - got < MOST_AT_ONCE ? n - got : MOST_AT_ONCE;
    int count = 0, done = 0;
    MPI_Request r;
    MPI_Status s;
    MPI_Irecv((char *)bytes + got, (int)part, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &r);
    for (long ns = SHORTEST_NAP; MPI_Test(&r, &done, &s), !done;)
      nap(&ns);
    MPI_Get_count(&s, MPI_BYTE, &count);
    got += (size_t)count;
  }
}

/* The next frame from a rank; the caller frees what is in it. */
static void *receive_frame(int rank, struct frame *f)
{
  receive_bytes(rank, TAG_FRAME, f, sizeof *f);
  void *body = farm_memory(NULL, (size_t)f->length);
  receive_bytes(rank, TAG_BODY, body, (size_t)f->length);
  return body;
}

void farm_stop(void)
{
  if (!together())
    return;
  for (int i = 1; farm_rank() == 0 && i < farm_ranks(); i++)
    send_frame(i, FRAME_END, NULL, 0, NULL, 0);
  MPI_Finalize();
}

/* ---- a rank that serves ---- */

static int master_has_more(void *watcher)
{
  (void)watcher;
  return frame_waits(0, NULL); /* no second job comes before the first is answered: it is the end */
}

static void pass_line(void *watcher, const char *words, size_t n)
{
  (void)watcher;
  send_frame(0, FRAME_LINE, words, n, NULL, 0);
}

static void serve_job(const struct farm_options *options, const void *job, size_t n)
{
  struct attempt a = {.options = options, .stop = master_has_more, .line = pass_line};
  struct inbox reply = {0};
  struct verdict v;
  struct frame f = {0};
  if (attempt_make(&a, job, n, &v, &reply)) {
    const void *bytes = v.outcome == FARM_DONE ? inbox_frame(&reply, &f) : NULL;
    send_frame(0, FRAME_VERDICT, &v, sizeof v, bytes, bytes ? (size_t)f.length : 0);
  }
  inbox_clear(&reply);
}

/* Words why this rank is not ready, for rank 0; none if it is. */
static void send_ready(int ready, const struct diag *d)
{
  char *words = diag_text(d);
  size_t n = strlen(words);
  if (ready)
    send_frame(0, FRAME_READY, NULL, 0, NULL, 0);
  else if (n > 1)
    send_frame(0, FRAME_READY, words, n - 1, NULL, 0); /* without the end of the line */
  else
    send_frame(0, FRAME_READY, "no reason given", 15, NULL, 0);
  free(words);
}

static const char *service_of(const struct farm_options *o)
{
  return o->service ? o->service : "";
}

/* Another farm: its service, its limits, and what all its jobs share. */
static void serve_opening(const struct farm_options *services, int n_services, const unsigned char *body, size_t n,
                          struct farm_options *own)
{
  struct opening o;
  struct diag d;
  diag_init(&d);
  memcpy(&o, body, sizeof o);
  *own = (struct farm_options){0};
  for (int i = 0; i < n_services; i++)
    if (!strcmp(service_of(&services[i]), o.service))
      *own = services[i];
  own->job_seconds = o.job_seconds;
  own->job_memory = (size_t)o.job_memory;
  if (!own->run)
    diag_error(&d, "farm", 0, "there is no service '%s'", o.service);
  send_ready(own->run && (!own->prepare || own->prepare(own->user, body + sizeof o, n - sizeof o, &d)), &d);
  diag_clear(&d);
}

static void serve_close(const struct farm_options *own)
{
  if (own->finish)
    own->finish(own->user);
  send_frame(0, FRAME_BYE, NULL, 0, NULL, 0);
}

void farm_serve(const struct farm_options *services, int n)
{
  struct farm_options own = {0};
  unsigned char *shared = NULL;
  signal(SIGCHLD, SIG_DFL); /* ignored, children would be gone before we see how they ended */
  for (int at_work = together() && farm_rank() > 0; at_work;) {
    struct frame f;
    unsigned char *body = receive_frame(0, &f);
    if (f.kind == FRAME_JOB)
      serve_job(&own, body, (size_t)f.length);
    if (f.kind == FRAME_CLOSE)
      serve_close(&own);
    if (f.kind == FRAME_OPEN) {
      free(shared);
      shared = body;
      body = NULL;
      serve_opening(services, n, shared, (size_t)f.length, &own);
    }
    free(body);
    at_work = f.kind != FRAME_END;
  }
  free(shared);
}

/* ---- rank 0 ---- */

static int is_open;               /* ranks are serving a farm: they know one at a time */

static int mpi_give(struct farm *f, int worker)
{
  const struct job *j = f->serving[worker];
  send_frame(worker + 1, FRAME_JOB, j->in, j->n_in, NULL, 0);
  return 1;
}

static void take(struct farm *f, int rank)
{
  struct frame got;
  void *body = receive_frame(rank, &got);
  if (got.kind == FRAME_VERDICT && f->serving[rank - 1]) {
    farm_finish_body(f, rank - 1, body, body, (size_t)got.length);
    return;
  }
  if (got.kind == FRAME_LINE)
    farm_report_progress(f, rank - 1, body, (size_t)got.length);
  free(body);
}

static void mpi_turn(struct farm *f, int milliseconds)
{
  double until = wall_seconds() + 1e-3 * milliseconds;
  int rank, cut = 0;
  for (long ns = SHORTEST_NAP; !frame_waits(MPI_ANY_SOURCE, &rank); cut = nap(&ns))
    if (cut || wall_seconds() >= until)
      return; /* a signal: the caller asks whether to stop */
  do
    take(f, rank);
  while (frame_waits(MPI_ANY_SOURCE, &rank));
}

/* A rank may be about to send what nobody wants any more: all is taken until it has said that this was the last. */
static void mpi_close(struct farm *f)
{
  struct frame close = {.kind = FRAME_CLOSE};
  is_open = 0;
  for (int rank = 1; rank <= f->n_workers; rank++) {
    struct frame got = {0};
    MPI_Request r;
    MPI_Isend(&close, sizeof close, MPI_BYTE, rank, TAG_FRAME, MPI_COMM_WORLD, &r);
    while (got.kind != FRAME_BYE)
      free(receive_frame(rank, &got));
    wait_for(&r);
  }
}

/* The first complaint of a rank, with its number; 0 if there is one. */
static int all_ready(const struct farm *f, struct diag *d)
{
  int complaints = 0;
  for (int rank = 1; rank <= f->n_workers; rank++) {
    struct frame got;
    char *words = receive_frame(rank, &got);
    int n = (int)got.length;
    if (n > 0 && complaints++ == 0)
      diag_error(d, "farm", 0, "rank %d of %d is not ready: %.*s", rank, f->n_workers + 1, n, words);
    free(words);
  }
  return complaints == 0;
}

static int mpi_open(struct farm *f, struct arena *arena, struct diag *d)
{
  struct opening o = {.job_seconds = f->options.job_seconds, .job_memory = f->options.job_memory};
  (void)arena;
  snprintf(o.service, sizeof o.service, "%s", service_of(&f->options));
  f->n_workers = farm_ranks() - 1;
  if (is_open) {
    diag_error(d, "farm", 0, "ranks of MPI are serving another farm, which has to be closed first");
    return 0;
  }
  if (f->n_workers < 1) {
    diag_error(d, "farm", 0, "there are no workers: MPI needs two ranks, as in mpirun -n 2 ...");
    return 0;
  }
  is_open = 1;
  for (int rank = 1; rank <= f->n_workers; rank++)
    send_frame(rank, FRAME_OPEN, &o, sizeof o, f->options.shared, f->options.n_shared);
  if (all_ready(f, d))
    return 1;
  mpi_close(f);
  return 0;
}

const struct farm_ways farm_mpi_ways = {mpi_open, mpi_give, mpi_turn, mpi_close};

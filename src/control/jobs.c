/* See jobs.h. */
#include "control/jobs.h"

#include <string.h>

#include "base/bytes.h"
#include "control/record.h"
#include "follow/batches.h"

#define ATTEMPTS 3              /* at a job whose worker is lost */

/* ---- in a worker ---- */

struct server {
  const struct control_jobs_kind *kind;
  const struct controls *controls;
  const void *options;
  struct arena *own;            /* at a rank that serves: of all that jobs_prepare() made */
};

static void jobs_run(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct server *s = user;
  s->kind->run(s->controls, s->options, in, n_in, out);
}

/* ---- what is sent to ranks ---- */

static void jobs_put_shared(struct bytes_writer *w, const void *what)
{
  const struct control_jobs *jobs = what;
  bytes_put(w, jobs->options, jobs->kind->n_options);
  controls_put(w, jobs->controls);
}

/* At a rank that serves; where the farm was opened all is there. */
static int jobs_prepare(void *user, const void *bytes, size_t n, struct diag *d)
{
  struct server *s = user;
  if (s->controls)
    return 1;
  s->own = arena_new();
  struct bytes_reader b = {.at = bytes, .left = n, .arena = s->own};
  void *options = arena_alloc(s->own, s->kind->n_options + 1, 1);
  bytes_get(&b, options, s->kind->n_options);
  s->options = options;
  struct controls *c = controls_get(&b, d);
  s->controls = b.left ? NULL : c;
  if (!s->controls && !d->n_errors)
    diag_error(d, s->kind->service, 0, "the control graph cannot be read");
  return s->controls != NULL;
}

static void jobs_finish(void *user)
{
  struct server *s = user;
  arena_free(s->own);
  *s = (struct server){.kind = s->kind};
}

struct farm_options control_jobs_service(struct arena *arena, const struct control_jobs_kind *kind)
{
  struct server *s = ARENA_NEW(arena, 1, struct server);
  s->kind = kind;
  return (struct farm_options){.service = kind->service, .user = s, .run = jobs_run, .prepare = jobs_prepare,
                               .finish = jobs_finish};
}

/* ---- here ---- */

struct round {                  /* of jobs, all of which are wanted */
  const struct control_jobs *jobs;
  struct arena *arena;
  struct farm *farm;
  const unsigned char *in;
  size_t each;
  int n;
  int *attempts;                /* of each job       (n) */
  struct control_jobs_result *results;  /*                   (n) */
};

/* Takes one result: 1 if it is there for good, 0 if it is being tried again, -1 after an error. */
static int take_result(struct round *r, struct diag *d)
{
  struct farm_result got;
  if (farm_collect(r->farm, &got) != 1) {
    diag_error(d, r->jobs->controls->graph->motion->file, 0, "%s: nothing came of a job", r->jobs->kind->service);
    return -1;
  }
  int i = (int)got.tag;
  r->results[i].seconds += r->jobs->workers == 0 || r->jobs->workers == 1 ? 0 : got.cpu_seconds;
  if (got.outcome == FARM_DONE) {
    r->results[i].bytes = memcpy(arena_alloc(r->arena, got.n_bytes + 1, 1), got.bytes, got.n_bytes);
    r->results[i].n = got.n_bytes;
    return 1;
  }
  /* a job that failed by itself would fail again; one whose worker was lost may be done by another */
  if (got.outcome != FARM_FAILED && ++r->attempts[i] < ATTEMPTS) {
    farm_submit(r->farm, got.tag, r->in + (size_t)i * r->each, r->each);
    return 0;
  }
  diag_error(d, r->jobs->controls->graph->motion->file, 0, "%s: job %d of %d could not be done: %s",
             r->jobs->kind->service, i + 1, r->n, got.words);
  return -1;
}

struct control_jobs_result *control_jobs_run(struct arena *arena, const struct control_jobs *j, int n, const void *in,
                                             size_t each, struct diag *d)
{
  struct arena *scratch = arena_new();
  struct server server = {.kind = j->kind, .controls = j->controls, .options = j->options};
  struct round r = {.jobs = j, .arena = arena, .in = in, .each = each, .n = n};
  struct farm_options options = {.kind = j->workers == BATCHES_RANKS ? FARM_MPI : j->workers < 2 ? FARM_INLINE
                                 : FARM_FORK,
                                 .workers = j->workers, .service = j->kind->service, .user = &server, .run = jobs_run,
                                 .prepare = jobs_prepare, .as_they_come = 1};
  if (options.kind == FARM_MPI)
    options.shared = bytes_pack(scratch, jobs_put_shared, j, &options.n_shared);
  r.results = ARENA_NEW(arena, (size_t)n + 1, struct control_jobs_result);
  r.attempts = ARENA_NEW(scratch, (size_t)n + 1, int);
  r.farm = farm_open(scratch, &options, d);
  int done = 0, good = r.farm != NULL;
  for (int i = 0; good && i < n; i++)
    farm_submit(r.farm, (uint64_t)i, r.in + (size_t)i * each, each);
  while (good && done < n) {
    int got = take_result(&r, d);
    good = got >= 0;
    done += got == 1;
    if (got == 1 && j->progress && !j->progress(j->user, done, n))
      good = 0;
  }
  farm_close(r.farm);
  arena_free(scratch);
  return good ? r.results : NULL;
}

/* Jobs of the search for gaits. See gaits/job.h. */
#include "gaits/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "creature/creature_bytes.h"
#include "motion/motion_bytes.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"

#define JOB_MARK        0x4742554du /* "MUBG"; changes with the format                                              */
#define ROUGH_ITERATIONS 60         /* of a rough solve: those that succeed take 10 to 40                           */
#define FINE_ITERATIONS 120         /* of a fine one. Time as a limit would give other results every day            */
#define HOPELESS_AFTER  25          /* iterations                                                                   */

/* ---- bytes ---- */

struct shared { const struct creature *creature; const struct effort_prices *prices; };

static void job_put_shared(struct bytes_writer *w, const void *what)
{
  const struct shared *s = what;
  bytes_put_reals(w, (const double[]){s->prices->work, s->prices->balance, s->prices->burst, s->prices->living},
                  4);
  creature_put(w, s->creature);
}

const void *gaits_shared(struct arena *arena, const struct creature *c, const struct effort_prices *prices, size_t *n)
{
  return bytes_pack(arena, job_put_shared, &(struct shared){c, prices}, n);
}

struct packing { const struct creature *c; const struct gaits_job *job; };

static void job_put(struct bytes_writer *w, const void *what)
{
  const struct packing *p = what;
  const struct gaits_job *job = p->job;
  bytes_put_bits(w, JOB_MARK, 4);
  bytes_put_int(w, p->c->n_points);
  creature_put_gait(w, p->c, &job->gait);
  bytes_put_real(w, job->speed);
  bytes_put_int(w, job->frames);
  clip_put(w, job->near);
}

const void *gaits_job_pack(struct arena *arena, const struct creature *c, const struct gaits_job *job, size_t *n)
{
  return bytes_pack(arena, job_put, &(struct packing){c, job}, n);
}

static int job_get(struct bytes_reader *r, const struct creature *c, struct gaits_job *job)
{
  r->bad |= bytes_get_bits(r, 4) != JOB_MARK || bytes_get_int(r) != c->n_points;
  if (!r->bad)
    creature_get_gait(r, c, &job->gait);
  job->speed = bytes_get_real(r);
  job->frames = bytes_get_within(r, 0, 1000);
  job->near = r->bad ? NULL : clip_get(r);
  return !r->bad;
}

static void reply_put(struct bytes_writer *w, const void *what)
{
  const struct gaits_reply *y = what;
  bytes_put_int(w, y->solved);
  bytes_put_text(w, y->reason);
  bytes_put_reals(w, (const double[]){y->effort.torque, y->effort.work, y->effort.fall, y->effort.burst,
                                      y->effort.rate, y->effort.transport, y->cost}, 7);
  clip_put(w, y->clip);
}

struct gaits_reply *gaits_reply_unpack(struct arena *arena, const void *bytes, size_t n)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  struct gaits_reply *y = ARENA_NEW(arena, 1, struct gaits_reply);
  y->solved = bytes_get_within(&r, 0, 1);
  const char *reason = bytes_get_text(&r);
  snprintf(y->reason, sizeof y->reason, "%s", reason ? reason : "");
  double *number[7] = {&y->effort.torque, &y->effort.work, &y->effort.fall, &y->effort.burst, &y->effort.rate,
                       &y->effort.transport, &y->cost};
  for (int i = 0; i < 7; i++)
    *number[i] = bytes_get_real(&r);
  y->clip = clip_get(&r);
  return r.bad || r.left || y->solved != (y->clip != NULL) ? NULL : y;
}

/* ---- the worker ---- */

int gaits_job_prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct gaits_worker *w = user;
  gaits_worker_clear(w);
  w->arena = arena_new();
  struct bytes_reader r = {.at = shared, .left = n_shared, .arena = w->arena};
  w->prices.work = bytes_get_real(&r);
  w->prices.balance = bytes_get_real(&r);
  w->prices.burst = bytes_get_real(&r);
  w->prices.living = bytes_get_real(&r);
  w->creature = creature_get(&r);
  if (r.bad)
    w->creature = NULL;
  if (!w->creature)
    diag_error(d, "gaits", 0, "the bytes of the creature are damaged");
  return w->creature != NULL;
}

void gaits_worker_clear(void *user)
{
  struct gaits_worker *w = user;
  arena_free(w->arena);
  w->arena = NULL;
  w->creature = NULL;
}

/* What can be solved comes near to feasibility soon. */
static int job_progress(void *user, const struct nlp_progress *p)
{
  double *nearest = user;
  *nearest = p->iteration == 0 ? p->infeasibility : fmin(*nearest, p->infeasibility);
  return p->iteration < HOPELESS_AFTER || *nearest <= 0.1;
}

static struct spacetime_options job_options(const struct gaits_job *job, double *nearest)
{
  struct spacetime_options o;
  spacetime_defaults(&o);
  o.max_seconds = 1e6; /* iterations are the limit */
  o.max_iterations = FINE_ITERATIONS;
  o.guesses = 1;
  if (job->frames) {
    o.max_iterations = ROUGH_ITERATIONS;
    o.torque_change = 0;
    o.large = 1 << 30;
    o.progress = job_progress;
    o.user = nearest;
  }
  return o;
}

static void job_solve(struct arena *arena, const struct gaits_worker *w, const struct gaits_job *job,
                      struct gaits_reply *reply)
{
  const struct creature *c = footfall_creature(arena, w->creature, &job->gait, 1);
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  double nearest = INFINITY;
  struct spacetime_options o = job_options(job, &nearest);
  struct gait_request r = {.c = c, .gait = 0, .speed = job->speed, .frames = job->frames, .near = job->near};
  if (!job->frames && job->near)
    r.near_frames = (int)lround(job->gait.period_slow * c->frame_rate);
  struct clip *clip = spacetime_gait(arena, &r, &o, report);
  reply->cost = report->cost;
  if (!clip) {
    snprintf(reply->reason, sizeof reply->reason, "%s", report->reason);
    return;
  }
  if (!job->frames) {
    struct verify_report v;
    verify_clip(arena, c, clip, &v);
    for (int i = 0; i < N_VERIFY_MEASURES; i++)
      if (!v.lines[i].passed)
        snprintf(reply->reason, sizeof reply->reason, "the motion misses a bar: %s is %.3g, allowed is %.3g",
                 v.lines[i].what, v.lines[i].value, v.lines[i].bar);
    if (!v.passed)
      return;
  }
  effort_of_clip(arena, c, clip, &w->prices, &reply->effort);
  reply->clip = clip;
  reply->solved = 1;
}

void gaits_job_run(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct gaits_worker *w = user;
  struct arena *arena = arena_new();
  struct bytes_reader r = {.at = in, .left = n_in, .arena = arena};
  struct gaits_job *job = ARENA_NEW(arena, 1, struct gaits_job);
  if (!w->creature || !job_get(&r, w->creature, job)) {
    farm_reply_fail(out, "this is not a job of a search for gaits");
  } else {
    struct gaits_reply reply = {0};
    size_t n;
    job_solve(arena, w, job, &reply);
    const void *bytes = bytes_pack(arena, reply_put, &reply, &n);
    farm_reply_write(out, bytes, n);
  }
  arena_free(arena);
}

/* Jobs and their replies as bytes (base/bytes.h). What is read is believed only after a look: an enum must be one of
 * its values, a text must have room. The first thing that is wrong makes the whole NULL. */
#include <stdint.h>
#include <string.h>

#include "motion/motion_bytes.h"
#include "search/job.h"

#define JOB_MARK   0x4a42554du   /* "MUBJ": a job; changes with the format */
#define REPLY_MARK 0x5242554du   /* "MUBR"                                 */
#define MOST       1000000       /* gradients or parts of a job, at most   */

/* ---- jobs ---- */

static void put_candidate(struct bytes_writer *w, const struct candidate *x)
{
  bytes_put_int(w, (int)x->kind);
  bytes_put_int(w, x->from_clip);
  bytes_put_int(w, x->from_frame);
  bytes_put_int(w, x->to_clip);
  bytes_put_int(w, x->to_frame);
  bytes_put_real(w, x->turn);
  bytes_put_int(w, x->frames);
  bytes_put_int(w, x->gait);
  bytes_put_real(w, x->speed);
  bytes_put_real(w, x->strafe);
  bytes_put_reals(w, x->measured, FEATURES_MEASURES);
}

static struct candidate get_candidate(struct bytes_reader *r)
{
  struct candidate x = {.kind = (enum candidate_kind)bytes_get_within(r, CANDIDATE_FIRST, CANDIDATE_CYCLE)};
  x.from_clip = bytes_get_int(r);
  x.from_frame = bytes_get_int(r);
  x.to_clip = bytes_get_int(r);
  x.to_frame = bytes_get_int(r);
  x.turn = bytes_get_real(r);
  x.frames = bytes_get_int(r);
  x.gait = bytes_get_int(r);
  x.speed = bytes_get_real(r);
  x.strafe = bytes_get_real(r);
  for (int i = 0; i < FEATURES_MEASURES; i++)
    x.measured[i] = bytes_get_real(r);
  return x;
}

static void put_targets(struct bytes_writer *w, const struct posture_target *t, int n)
{
  bytes_put_int(w, n);
  for (int i = 0; i < n; i++) {
    bytes_put_int(w, t[i].dof);
    bytes_put_reals(w, (const double[]){t[i].from, t[i].to, t[i].weight}, 3);
  }
}

static int get_targets(struct bytes_reader *r, struct posture_target *t)
{
  int n = bytes_get_within(r, 0, SPACETIME_TARGETS);
  for (int i = 0; i < n; i++) {
    t[i].dof = bytes_get_int(r);
    t[i].from = bytes_get_real(r);
    t[i].to = bytes_get_real(r);
    t[i].weight = bytes_get_real(r);
  }
  return n;
}

static void put_gradients(struct bytes_writer *w, const struct task_gradient *gradients, int n)
{
  bytes_put_int(w, n);
  for (int i = 0; i < n; i++) {
    const struct task_gradient *p = &gradients[i];
    const double numbers[] = {p->velocity_weight, p->velocity[0], p->velocity[1], p->torso_weight, p->torso};
    bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
    put_targets(w, p->targets, p->n_targets);
  }
}

static const struct task_gradient *get_gradients(struct bytes_reader *r, int *n)
{
  *n = bytes_get_within(r, 0, MOST);
  if (*n == 0)
    return NULL;
  r->bad |= (size_t)*n > r->left; /* or a damaged number could ask for any room */
  struct task_gradient *gradients = ARENA_NEW(r->arena, r->bad ? 1 : (size_t)*n, struct task_gradient);
  for (int i = 0; i < *n && !r->bad; i++) {
    const double *x = bytes_get_reals(r, 5);
    if (!x)
      break;
    gradients[i] =
        (struct task_gradient){.velocity_weight = x[0], .velocity = {x[1], x[2]}, .torso_weight = x[3], .torso = x[4]};
    gradients[i].n_targets = get_targets(r, gradients[i].targets);
  }
  return r->bad ? NULL : gradients;
}

static void put_job(struct bytes_writer *w, const void *what)
{
  const struct job *job = what;
  bytes_put_bits(w, JOB_MARK, 4);
  put_candidate(w, &job->candidate);
  bytes_put_real(w, job->max_seconds);
  bytes_put_real(w, job->alpha);
  bytes_put_int(w, job->branches);
  bytes_put_int(w, job->patient);
  bytes_put_int(w, job->lenient);
  put_gradients(w, job->gradients, job->n_gradients);
  put_targets(w, job->targets, job->n_targets);
  put_targets(w, job->in_targets, job->n_targets);
  put_targets(w, job->out_targets, job->n_targets);
  clip_put(w, job->from);
  clip_put(w, job->to);
  clip_put(w, job->near);
}

struct job *job_unpack(struct arena *arena, const void *bytes, size_t n)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  struct job *job = ARENA_NEW(arena, 1, struct job);
  r.bad = bytes_get_bits(&r, 4) != JOB_MARK;
  job->candidate = get_candidate(&r);
  job->max_seconds = bytes_get_real(&r);
  job->alpha = bytes_get_real(&r);
  job->branches = bytes_get_within(&r, 0, MOST);
  job->patient = bytes_get_within(&r, 0, 1);
  job->lenient = bytes_get_within(&r, 0, 1);
  job->gradients = get_gradients(&r, &job->n_gradients);
  job->n_targets = get_targets(&r, job->targets);
  r.bad |= get_targets(&r, job->in_targets) != job->n_targets;
  r.bad |= get_targets(&r, job->out_targets) != job->n_targets;
  job->from = clip_get(&r);
  job->to = clip_get(&r);
  job->near = clip_get(&r);
  return r.bad || r.left ? NULL : job;
}

/* ---- replies ---- */

static void put_report(struct bytes_writer *w, const struct spacetime_report *p)
{
  const struct nlp_result *nlp = &p->nlp;
  const double numbers[] = {nlp->objective,          nlp->infeasibility,   nlp->seconds,
                            nlp->seconds_evaluating, nlp->seconds_hessian, p->seconds, p->cost};
  bytes_put_int(w, (int)p->status);
  bytes_put_text(w, p->reason);
  bytes_put_int(w, (int)nlp->status);
  bytes_put_int(w, nlp->iterations);
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  bytes_put_int(w, p->n_vars);
  bytes_put_int(w, p->n_rows);
  bytes_put_int(w, p->solves);
  bytes_put_int(w, p->half_cycle);
  bytes_put_int(w, p->n_history);
  for (int i = 0; i < p->n_history; i++) {
    bytes_put_int(w, p->history[i].iteration);
    bytes_put_real(w, p->history[i].objective);
    bytes_put_real(w, p->history[i].infeasibility);
    bytes_put_real(w, p->history[i].dual_infeasibility);
  }
}

/* A text into an array, in which it must have room. */
static void get_reason(struct bytes_reader *r, char *reason, size_t room)
{
  const char *text = bytes_get_name(r);
  size_t n = strlen(text);
  r->bad |= n >= room;
  memcpy(reason, text, n < room ? n + 1 : 1);
  reason[room - 1] = 0;
}

static struct spacetime_report *get_report(struct bytes_reader *r)
{
  struct spacetime_report *p = ARENA_NEW(r->arena, 1, struct spacetime_report);
  struct nlp_result *nlp = &p->nlp;
  double *numbers[] = {&nlp->objective,          &nlp->infeasibility,   &nlp->seconds,
                       &nlp->seconds_evaluating, &nlp->seconds_hessian, &p->seconds, &p->cost};
  p->status = (enum spacetime_status)bytes_get_within(r, SPACETIME_SOLVED, SPACETIME_STOPPED);
  get_reason(r, p->reason, sizeof p->reason);
  nlp->status = (enum nlp_status)bytes_get_within(r, NLP_SOLVED, NLP_FAILED);
  nlp->iterations = bytes_get_int(r);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bytes_get_real(r);
  p->n_vars = bytes_get_int(r);
  p->n_rows = bytes_get_int(r);
  p->solves = bytes_get_int(r);
  p->half_cycle = bytes_get_int(r);
  p->n_history = bytes_get_within(r, 0, (int)(sizeof p->history / sizeof *p->history));
  for (int i = 0; i < p->n_history; i++) {
    p->history[i].iteration = bytes_get_int(r);
    p->history[i].objective = bytes_get_real(r);
    p->history[i].infeasibility = bytes_get_real(r);
    p->history[i].dual_infeasibility = bytes_get_real(r);
  }
  return p;
}

static void put_summary(struct bytes_writer *w, const struct clip_summary *m)
{
  const double numbers[] = {m->period,      m->stride,     m->speed,      m->cost_of_transport,
                            m->peak_torque, m->peak_force, m->lowest_root};
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  bytes_put_int(w, m->peak_torque_dof);
  bytes_put_int(w, m->peak_force_point);
}

static void get_summary(struct bytes_reader *r, struct clip_summary *m)
{
  double *numbers[] = {&m->period,      &m->stride,     &m->speed,      &m->cost_of_transport,
                       &m->peak_torque, &m->peak_force, &m->lowest_root};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bytes_get_real(r);
  m->peak_torque_dof = bytes_get_within(r, 0, MOST);
  m->peak_force_point = bytes_get_within(r, 0, MOST);
}

static void put_verification(struct bytes_writer *w, const struct verify_report *v)
{
  bytes_put_int(w, v->passed);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &v->lines[i];
    bytes_put_text(w, l->what);
    bytes_put_real(w, l->value);
    bytes_put_real(w, l->bar);
    bytes_put_int(w, l->frame);
    bytes_put_text(w, l->where);
    bytes_put_int(w, l->passed);
  }
}

static void get_verification(struct bytes_reader *r, struct verify_report *v)
{
  v->passed = bytes_get_within(r, 0, 1);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    struct verify_line *l = &v->lines[i];
    l->what = bytes_get_name(r);
    l->value = bytes_get_real(r);
    l->bar = bytes_get_real(r);
    l->frame = bytes_get_int(r);
    l->where = bytes_get_text(r);
    l->passed = bytes_get_within(r, 0, 1);
  }
}

static void put_reply(struct bytes_writer *w, const void *what)
{
  const struct job_reply *reply = what;
  bytes_put_bits(w, REPLY_MARK, 4);
  bytes_put_int(w, (int)reply->status);
  bytes_put_text(w, reply->reason);
  bytes_put_text(w, reply->what);
  bytes_put_real(w, reply->seconds);
  bytes_put_int(w, reply->n_clips);
  for (int i = 0; i < reply->n_clips; i++) {
    const struct job_clip *c = &reply->clips[i];
    bytes_put_int(w, c->from);
    bytes_put_int(w, c->to);
    clip_put(w, c->clip);
    put_report(w, c->report);
    put_summary(w, &c->summary);
    put_verification(w, &c->verification);
  }
}

struct job_reply *job_reply_unpack(struct arena *arena, const void *bytes, size_t n)
{
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  struct job_reply *reply = ARENA_NEW(arena, 1, struct job_reply);
  r.bad = bytes_get_bits(&r, 4) != REPLY_MARK;
  reply->status = (enum spacetime_status)bytes_get_within(&r, SPACETIME_SOLVED, SPACETIME_STOPPED);
  get_reason(&r, reply->reason, sizeof reply->reason);
  reply->what = bytes_get_name(&r);
  reply->seconds = bytes_get_real(&r);
  reply->n_clips = bytes_get_within(&r, 0, JOB_CLIPS);
  for (int i = 0; i < reply->n_clips && !r.bad; i++) {
    struct job_clip *c = &reply->clips[i];
    c->from = bytes_get_within(&r, -1, i - 1);
    c->to = bytes_get_within(&r, -1, i - 1);
    c->clip = clip_get(&r);
    c->report = get_report(&r);
    get_summary(&r, &c->summary);
    get_verification(&r, &c->verification);
    r.bad |= !c->clip;
  }
  return r.bad || r.left ? NULL : reply;
}

/* ---- both ---- */

const void *job_pack(struct arena *arena, const struct job *job, size_t *n)
{
  return bytes_pack(arena, put_job, job, n);
}

const void *job_reply_pack(struct arena *arena, const struct job_reply *reply, size_t *n)
{
  return bytes_pack(arena, put_reply, reply, n);
}

/* Jobs and their replies as bytes: little-endian, numbers of 4 and 8 bytes, texts and arrays after their lengths.
 *
 * What is read is believed only after a look: a length must fit into the bytes that are left before anything of that
 * length is allocated, an enum must be one of its values, a contact 0 or 1. The first thing that is wrong makes all
 * that follows read as zero, and the whole as NULL. */
#include <stdint.h>
#include <string.h>

#include "search/job.h"

#define JOB_MARK   0x4a42554du   /* "MUBJ": a job; changes with the format */
#define REPLY_MARK 0x5242554du   /* "MUBR"                                 */
#define MOST       1000000       /* frames, dofs, points or pulls that may be believed */
#define NO_TEXT    UINT32_MAX    /* length of a text that is NULL          */

/* ---- writing ---- */

/* Counts first (bytes NULL), then writes. */
struct writer {
  unsigned char *bytes;
  size_t n;
};

static void put_bytes(struct writer *w, const void *x, size_t n)
{
  if (w->bytes && n)
    memcpy(w->bytes + w->n, x, n);
  w->n += n;
}

static void put_bits(struct writer *w, uint64_t bits, size_t n)
{
  unsigned char out[8];
  for (size_t i = 0; i < n; i++)
    out[i] = (unsigned char)(bits >> (8 * i));
  put_bytes(w, out, n);
}

static void put_int(struct writer *w, int x)
{
  put_bits(w, (uint32_t)x, 4);
}

static void put_reals(struct writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    put_bits(w, bits, 8);
  }
}

static void put_real(struct writer *w, double x)
{
  put_reals(w, &x, 1);
}

static void put_text(struct writer *w, const char *x)
{
  size_t n = x ? strlen(x) : 0;
  put_bits(w, x ? n : NO_TEXT, 4);
  put_bytes(w, x, n);
}

/* ---- reading ---- */

struct reader {
  const unsigned char *at;
  size_t left;
  int bad;
  struct arena *arena;
};

/* The next n bytes, or NULL. */
static const unsigned char *take(struct reader *r, size_t n)
{
  const unsigned char *x = r->at;
  if (r->bad || n > r->left) {
    r->bad = 1;
    return NULL;
  }
  r->at += n;
  r->left -= n;
  return x;
}

static uint64_t get_bits(struct reader *r, size_t n)
{
  const unsigned char *x = take(r, n);
  uint64_t bits = 0;
  for (size_t i = 0; x && i < n; i++)
    bits |= (uint64_t)x[i] << (8 * i);
  return bits;
}

static int get_int(struct reader *r)
{
  uint32_t bits = (uint32_t)get_bits(r, 4);
  int32_t x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A number from least to most; anything else is bad, and least. */
static int get_within(struct reader *r, int least, int most)
{
  int x = get_int(r);
  if (x >= least && x <= most)
    return x;
  r->bad = 1;
  return least;
}

static double get_real(struct reader *r)
{
  uint64_t bits = get_bits(r, 8);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double *get_reals(struct reader *r, size_t n)
{
  if (r->bad || n > r->left / 8) {
    r->bad = 1;
    return NULL;
  }
  double *x = ARENA_NEW(r->arena, n, double);
  for (size_t i = 0; i < n; i++)
    x[i] = get_real(r);
  return x;
}

static const char *get_text(struct reader *r)
{
  uint32_t n = (uint32_t)get_bits(r, 4);
  const unsigned char *x = n == NO_TEXT ? NULL : take(r, n);
  if (!x)
    return NULL;
  char *text = arena_alloc(r->arena, (size_t)n + 1, 1);
  memcpy(text, x, n);
  r->bad |= strlen(text) != n; /* a 0 in its middle */
  return text;
}

/* A text that must be there; "" if it is not. */
static const char *get_name(struct reader *r)
{
  const char *text = get_text(r);
  r->bad |= !text;
  return text ? text : "";
}

/* ---- clips ---- */

static void put_clip(struct writer *w, const struct clip *c)
{
  put_int(w, c != NULL);
  if (!c)
    return;
  const double numbers[] = {c->dt, c->speed, c->strafe, c->turn, c->advance.x, c->advance.y, c->advance.yaw};
  const int ends[] = {c->from.clip, c->from.frame, c->to.clip, c->to.frame};
  size_t n_q = (size_t)c->n_frames * (size_t)c->n_dofs, n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  put_text(w, c->name);
  put_text(w, c->gait);
  put_text(w, c->gait_after);
  put_int(w, c->n_frames);
  put_int(w, c->n_dofs);
  put_int(w, c->n_points);
  put_int(w, c->cyclic);
  put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  for (int i = 0; i < 4; i++)
    put_int(w, ends[i]);
  put_reals(w, c->q, n_q);
  put_reals(w, c->force, 3 * n_contact);
  put_bytes(w, c->contact, n_contact);
}

static void get_frames(struct reader *r, struct clip *c)
{
  size_t n_contact = (size_t)c->n_frames * (size_t)c->n_points;
  c->q = get_reals(r, (size_t)c->n_frames * (size_t)c->n_dofs);
  c->force = get_reals(r, 3 * n_contact);
  const unsigned char *contact = take(r, n_contact);
  if (!contact)
    return;
  c->contact = arena_alloc(r->arena, n_contact, 1);
  for (size_t i = 0; i < n_contact; i++) {
    c->contact[i] = contact[i];
    r->bad |= contact[i] > 1;
  }
}

/* NULL for one that was NULL, or when something is wrong. */
static struct clip *get_clip(struct reader *r)
{
  if (!get_within(r, 0, 1))
    return NULL;
  struct clip *c = ARENA_NEW(r->arena, 1, struct clip);
  double *numbers[] = {&c->dt, &c->speed, &c->strafe, &c->turn, &c->advance.x, &c->advance.y, &c->advance.yaw};
  int *ends[] = {&c->from.clip, &c->from.frame, &c->to.clip, &c->to.frame};
  c->name = get_name(r);
  c->gait = get_name(r);
  c->gait_after = get_name(r);
  c->n_frames = get_within(r, 1, MOST);
  c->n_dofs = get_within(r, 1, MOST);
  c->n_points = get_within(r, 0, MOST);
  c->cyclic = get_within(r, 0, 1);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = get_real(r);
  for (int i = 0; i < 4; i++)
    *ends[i] = get_int(r);
  r->bad |= !(c->dt > 0);
  get_frames(r, c);
  return r->bad ? NULL : c;
}

/* ---- jobs ---- */

static void put_candidate(struct writer *w, const struct candidate *x)
{
  put_int(w, (int)x->kind);
  put_int(w, x->from_clip);
  put_int(w, x->from_frame);
  put_int(w, x->to_clip);
  put_int(w, x->to_frame);
  put_real(w, x->turn);
  put_int(w, x->frames);
  put_int(w, x->gait);
  put_real(w, x->speed);
  put_real(w, x->strafe);
}

static struct candidate get_candidate(struct reader *r)
{
  struct candidate x = {.kind = (enum candidate_kind)get_within(r, CANDIDATE_FIRST, CANDIDATE_CYCLE)};
  x.from_clip = get_int(r);
  x.from_frame = get_int(r);
  x.to_clip = get_int(r);
  x.to_frame = get_int(r);
  x.turn = get_real(r);
  x.frames = get_int(r);
  x.gait = get_int(r);
  x.speed = get_real(r);
  x.strafe = get_real(r);
  return x;
}

static void put_pulls(struct writer *w, const struct task_pull *pulls, int n)
{
  put_int(w, n);
  for (int i = 0; i < n; i++) {
    const struct task_pull *p = &pulls[i];
    const double numbers[] = {p->velocity_weight, p->velocity[0], p->velocity[1], p->torso_weight, p->torso};
    put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  }
}

static const struct task_pull *get_pulls(struct reader *r, int *n)
{
  *n = get_within(r, 0, MOST);
  const double *x = get_reals(r, 5 * (size_t)*n);
  if (!x || *n == 0)
    return NULL;
  struct task_pull *pulls = ARENA_NEW(r->arena, (size_t)*n, struct task_pull);
  for (int i = 0; i < *n; i++, x += 5)
    pulls[i] = (struct task_pull){x[0], {x[1], x[2]}, x[3], x[4]};
  return pulls;
}

static void put_job(struct writer *w, const void *what)
{
  const struct job *job = what;
  put_bits(w, JOB_MARK, 4);
  put_candidate(w, &job->candidate);
  put_real(w, job->max_seconds);
  put_real(w, job->alpha);
  put_int(w, job->branches);
  put_pulls(w, job->pulls, job->n_pulls);
  put_clip(w, job->from);
  put_clip(w, job->to);
  put_clip(w, job->near);
}

struct job *job_unpack(struct arena *arena, const void *bytes, size_t n)
{
  struct reader r = {.at = bytes, .left = n, .arena = arena};
  struct job *job = ARENA_NEW(arena, 1, struct job);
  r.bad = get_bits(&r, 4) != JOB_MARK;
  job->candidate = get_candidate(&r);
  job->max_seconds = get_real(&r);
  job->alpha = get_real(&r);
  job->branches = get_within(&r, 0, MOST);
  job->pulls = get_pulls(&r, &job->n_pulls);
  job->from = get_clip(&r);
  job->to = get_clip(&r);
  job->near = get_clip(&r);
  return r.bad || r.left ? NULL : job;
}

/* ---- replies ---- */

static void put_report(struct writer *w, const struct spacetime_report *p)
{
  const struct nlp_result *nlp = &p->nlp;
  const double numbers[] = {nlp->objective,          nlp->infeasibility,   nlp->seconds,
                            nlp->seconds_evaluating, nlp->seconds_hessian, p->seconds, p->cost};
  put_int(w, (int)p->status);
  put_text(w, p->reason);
  put_int(w, (int)nlp->status);
  put_int(w, nlp->iterations);
  put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  put_int(w, p->n_vars);
  put_int(w, p->n_rows);
  put_int(w, p->solves);
  put_int(w, p->half_cycle);
  put_int(w, p->n_history);
  for (int i = 0; i < p->n_history; i++) {
    put_int(w, p->history[i].iteration);
    put_real(w, p->history[i].objective);
    put_real(w, p->history[i].infeasibility);
    put_real(w, p->history[i].dual_infeasibility);
  }
}

/* A text into an array, in which it must have room. */
static void get_reason(struct reader *r, char *reason, size_t room)
{
  const char *text = get_name(r);
  size_t n = strlen(text);
  r->bad |= n >= room;
  memcpy(reason, text, n < room ? n + 1 : 1);
  reason[room - 1] = 0;
}

static struct spacetime_report *get_report(struct reader *r)
{
  struct spacetime_report *p = ARENA_NEW(r->arena, 1, struct spacetime_report);
  struct nlp_result *nlp = &p->nlp;
  double *numbers[] = {&nlp->objective,          &nlp->infeasibility,   &nlp->seconds,
                       &nlp->seconds_evaluating, &nlp->seconds_hessian, &p->seconds, &p->cost};
  p->status = (enum spacetime_status)get_within(r, SPACETIME_SOLVED, SPACETIME_STOPPED);
  get_reason(r, p->reason, sizeof p->reason);
  nlp->status = (enum nlp_status)get_within(r, NLP_SOLVED, NLP_FAILED);
  nlp->iterations = get_int(r);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = get_real(r);
  p->n_vars = get_int(r);
  p->n_rows = get_int(r);
  p->solves = get_int(r);
  p->half_cycle = get_int(r);
  p->n_history = get_within(r, 0, (int)(sizeof p->history / sizeof *p->history));
  for (int i = 0; i < p->n_history; i++) {
    p->history[i].iteration = get_int(r);
    p->history[i].objective = get_real(r);
    p->history[i].infeasibility = get_real(r);
    p->history[i].dual_infeasibility = get_real(r);
  }
  return p;
}

static void put_summary(struct writer *w, const struct clip_summary *m)
{
  const double numbers[] = {m->period,      m->stride,     m->speed,      m->cost_of_transport,
                            m->peak_torque, m->peak_force, m->lowest_root};
  put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  put_int(w, m->peak_torque_dof);
  put_int(w, m->peak_force_point);
}

static void get_summary(struct reader *r, struct clip_summary *m)
{
  double *numbers[] = {&m->period,      &m->stride,     &m->speed,      &m->cost_of_transport,
                       &m->peak_torque, &m->peak_force, &m->lowest_root};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = get_real(r);
  m->peak_torque_dof = get_within(r, 0, MOST);
  m->peak_force_point = get_within(r, 0, MOST);
}

static void put_verification(struct writer *w, const struct verify_report *v)
{
  put_int(w, v->passed);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &v->lines[i];
    put_text(w, l->what);
    put_real(w, l->value);
    put_real(w, l->bar);
    put_int(w, l->frame);
    put_text(w, l->where);
    put_int(w, l->passed);
  }
}

static void get_verification(struct reader *r, struct verify_report *v)
{
  v->passed = get_within(r, 0, 1);
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    struct verify_line *l = &v->lines[i];
    l->what = get_name(r);
    l->value = get_real(r);
    l->bar = get_real(r);
    l->frame = get_int(r);
    l->where = get_text(r);
    l->passed = get_within(r, 0, 1);
  }
}

static void put_reply(struct writer *w, const void *what)
{
  const struct job_reply *reply = what;
  put_bits(w, REPLY_MARK, 4);
  put_int(w, (int)reply->status);
  put_text(w, reply->reason);
  put_text(w, reply->what);
  put_real(w, reply->seconds);
  put_int(w, reply->n_clips);
  for (int i = 0; i < reply->n_clips; i++) {
    const struct job_clip *c = &reply->clips[i];
    put_int(w, c->from);
    put_int(w, c->to);
    put_clip(w, c->clip);
    put_report(w, c->report);
    put_summary(w, &c->summary);
    put_verification(w, &c->verification);
  }
}

struct job_reply *job_reply_unpack(struct arena *arena, const void *bytes, size_t n)
{
  struct reader r = {.at = bytes, .left = n, .arena = arena};
  struct job_reply *reply = ARENA_NEW(arena, 1, struct job_reply);
  r.bad = get_bits(&r, 4) != REPLY_MARK;
  reply->status = (enum spacetime_status)get_within(&r, SPACETIME_SOLVED, SPACETIME_STOPPED);
  get_reason(&r, reply->reason, sizeof reply->reason);
  reply->what = get_name(&r);
  reply->seconds = get_real(&r);
  reply->n_clips = get_within(&r, 0, JOB_CLIPS);
  for (int i = 0; i < reply->n_clips && !r.bad; i++) {
    struct job_clip *c = &reply->clips[i];
    c->from = get_within(&r, -1, i - 1);
    c->to = get_within(&r, -1, i - 1);
    c->clip = get_clip(&r);
    c->report = get_report(&r);
    get_summary(&r, &c->summary);
    get_verification(&r, &c->verification);
    r.bad |= !c->clip;
  }
  return r.bad || r.left ? NULL : reply;
}

/* ---- both ---- */

static const void *pack(struct arena *arena, void (*put)(struct writer *, const void *), const void *what, size_t *n)
{
  struct writer w = {NULL, 0};
  put(&w, what);
  w.bytes = arena_alloc(arena, w.n, 1);
  *n = w.n;
  w.n = 0;
  put(&w, what);
  return w.bytes;
}

const void *job_pack(struct arena *arena, const struct job *job, size_t *n)
{
  return pack(arena, put_job, job, n);
}

const void *job_reply_pack(struct arena *arena, const struct job_reply *reply, size_t *n)
{
  return pack(arena, put_reply, reply, n);
}

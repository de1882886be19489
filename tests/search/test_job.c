/* Jobs: to bytes and back, garbage instead of bytes, and candidates of the biped really solved, with the same bytes for
 * any number of workers. */
#include <stdint.h>
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "motion/graph.h"
#include "search/job.h"
#include "spacetime/natural.h"
#include "zoo.h"

#define BIPED    0               /* of the zoo */
#define BRANCHES 4

static const double degree = 3.14159265358979323846 / 180;

/* ---- to bytes and back ---- */

static double random_number(struct rng *r)
{
  static const double special[] = {0.0, -0.0, 5e-324, 1.7976931348623157e308, -1e-17, -INFINITY};
  return rng_below(r, 10) ? rng_normal(r) : special[rng_below(r, 6)];
}

static struct clip *random_clip(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct rng r = rng_stream(7, seed);
  struct clip *k = clip_new(arena, c, 5 + rng_below(&r, 30), 1 / rng_uniform(&r, 20, 200));
  k->name = arena_printf(arena, "clip-%d", (int)seed);
  k->gait = "walk";
  k->gait_after = "";
  k->cyclic = rng_below(&r, 2);
  k->speed = random_number(&r);
  k->strafe = -0.0;
  k->turn = random_number(&r);
  k->advance = (struct clip_advance){random_number(&r), -0.0, random_number(&r)};
  k->from = (struct clip_end){rng_below(&r, 99), -1};
  k->to = (struct clip_end){INT32_MIN, rng_below(&r, 99)};
  for (int i = 0; i < k->n_frames * k->n_dofs; i++)
    k->q[i] = random_number(&r);
  for (int i = 0; i < k->n_frames * k->n_points; i++)
    k->contact[i] = (unsigned char)rng_below(&r, 2);
  for (int i = 0; i < k->n_frames * k->n_points * 3; i++)
    k->force[i] = random_number(&r);
  return k;
}

static int same_bits(const void *a, const void *b, size_t n)
{
  return n == 0 || memcmp(a, b, n) == 0;
}

static int same_clip(const struct clip *a, const struct clip *b)
{
  if (!a || !b)
    return a == b;
  size_t frames = (size_t)a->n_frames, n = frames * (size_t)a->n_dofs, m = frames * (size_t)a->n_points;
  const double x[] = {a->dt, a->speed, a->strafe, a->turn, a->advance.x, a->advance.y, a->advance.yaw};
  const double y[] = {b->dt, b->speed, b->strafe, b->turn, b->advance.x, b->advance.y, b->advance.yaw};
  return a->n_frames == b->n_frames && a->n_dofs == b->n_dofs && a->n_points == b->n_points &&
         a->cyclic == b->cyclic && !strcmp(a->name, b->name) && !strcmp(a->gait, b->gait) &&
         !strcmp(a->gait_after, b->gait_after) && a->from.clip == b->from.clip && a->from.frame == b->from.frame &&
         a->to.clip == b->to.clip && a->to.frame == b->to.frame && same_bits(x, y, sizeof x) &&
         same_bits(a->q, b->q, n * sizeof *a->q) && same_bits(a->force, b->force, 3 * m * sizeof *a->force) &&
         same_bits(a->contact, b->contact, m);
}

static struct posture_target random_target(struct rng *r)
{
  return (struct posture_target){rng_below(r, 99), random_number(r), random_number(r), random_number(r)};
}

static struct task_gradient random_gradient(struct rng *r)
{
  struct task_gradient p = {.velocity_weight = random_number(r), .velocity = {random_number(r), random_number(r)},
                            .torso_weight = random_number(r), .torso = random_number(r),
                            .n_targets = rng_below(r, SPACETIME_TARGETS + 1)};
  for (int i = 0; i < p.n_targets; i++)
    p.targets[i] = random_target(r);
  return p;
}

static int same_targets(const struct posture_target *a, const struct posture_target *b, int n)
{
  int same = 1;
  for (int i = 0; i < n; i++)
    same &= a[i].dof == b[i].dof && same_bits(&a[i].from, &b[i].from, 3 * sizeof a[i].from);
  return same;
}

static int same_gradient(const struct task_gradient *a, const struct task_gradient *b)
{
  const double x[] = {a->velocity_weight, a->velocity[0], a->velocity[1], a->torso_weight, a->torso};
  const double y[] = {b->velocity_weight, b->velocity[0], b->velocity[1], b->torso_weight, b->torso};
  return same_bits(x, y, sizeof x) && a->n_targets == b->n_targets &&
         same_targets(a->targets, b->targets, a->n_targets);
}

static struct job random_job(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct rng r = rng_stream(8, seed);
  struct job job = {.max_seconds = random_number(&r), .alpha = random_number(&r), .branches = rng_below(&r, 9),
                    .n_gradients = rng_below(&r, 5), .patient = rng_below(&r, 2), .lenient = rng_below(&r, 2)};
  struct task_gradient *gradients = ARENA_NEW(arena, (size_t)job.n_gradients, struct task_gradient);
  for (int i = 0; i < job.n_gradients; i++)
    gradients[i] = random_gradient(&r);
  job.candidate = (struct candidate){(enum candidate_kind)(seed % 3), 1, 2, 3, 4, random_number(&r), 5, 6,
                                     random_number(&r), random_number(&r), {random_number(&r), 0, 1}};
  job.n_targets = rng_below(&r, SPACETIME_TARGETS + 1);
  for (int i = 0; i < job.n_targets; i++) {
    job.targets[i] = random_target(&r);
    job.in_targets[i] = random_target(&r);
    job.out_targets[i] = random_target(&r);
  }
  job.gradients = gradients;
  job.from = seed % 2 ? random_clip(arena, c, 10 * seed) : NULL;
  job.to = seed % 3 ? random_clip(arena, c, 10 * seed + 1) : NULL;
  job.near = seed % 5 ? NULL : random_clip(arena, c, 10 * seed + 2);
  return job;
}

static int same_job(const struct job *a, const struct job *b)
{
  const struct candidate *x = &a->candidate, *y = &b->candidate;
  int same = a->n_gradients == b->n_gradients && a->n_targets == b->n_targets;
  for (int i = 0; same && i < a->n_gradients; i++)
    same = same_gradient(&a->gradients[i], &b->gradients[i]);
  const double u[] = {a->max_seconds, a->alpha, x->turn, x->speed, x->strafe};
  const double v[] = {b->max_seconds, b->alpha, y->turn, y->speed, y->strafe};
  return x->kind == y->kind && x->from_clip == y->from_clip && x->from_frame == y->from_frame &&
         x->to_clip == y->to_clip && x->to_frame == y->to_frame && x->frames == y->frames && x->gait == y->gait &&
         same_bits(u, v, sizeof u) && a->branches == b->branches && a->patient == b->patient &&
         a->lenient == b->lenient && same &&
         same_bits(x->measured, y->measured, sizeof x->measured) &&
         same_targets(a->targets, b->targets, a->n_targets) &&
         same_targets(a->in_targets, b->in_targets, a->n_targets) &&
         same_targets(a->out_targets, b->out_targets, a->n_targets) && same_clip(a->from, b->from) &&
         same_clip(a->to, b->to) && same_clip(a->near, b->near);
}

static struct job_reply *random_reply(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct rng r = rng_stream(9, seed);
  struct job_reply *reply = ARENA_NEW(arena, 1, struct job_reply);
  *reply = (struct job_reply){.status = (enum spacetime_status)(seed % 5), .what = "the gait",
                              .n_clips = (int)(seed % 4), .seconds = random_number(&r)};
  memset(reply->reason, 'x', seed % 2 ? sizeof reply->reason - 1 : 0);
  for (int i = 0; i < reply->n_clips; i++) {
    struct job_clip *k = &reply->clips[i];
    struct spacetime_report *p = k->report = ARENA_NEW(arena, 1, struct spacetime_report);
    *k = (struct job_clip){.clip = random_clip(arena, c, seed), .report = p, .from = i - 1, .to = -1};
    k->summary = (struct clip_summary){.period = 1, .stride = 2, .speed = 3, .cost_of_transport = random_number(&r),
                                       .peak_torque = 5, .peak_torque_dof = 6, .peak_force = random_number(&r),
                                       .peak_force_point = 8, .lowest_root = NAN};
    *p = (struct spacetime_report){.status = SPACETIME_REJECTED, .reason = "because", .n_vars = 2, .n_rows = 3,
                                   .seconds = 4, .solves = 5, .half_cycle = 1, .cost = random_number(&r),
                                   .n_history = i * 200};
    p->nlp = (struct nlp_result){NLP_TIME, 6, random_number(&r), 7, 8, 9, 10};
    for (int j = 0; j < p->n_history; j++)
      p->history[j] = (struct spacetime_iteration){j, random_number(&r), 1, random_number(&r)};
    k->verification.passed = 1;
    for (int j = 0; j < N_VERIFY_MEASURES; j++)
      k->verification.lines[j] = (struct verify_line){"measure", random_number(&r), NAN, j - 1,
                                                      j % 2 ? "knee" : NULL, j % 2};
  }
  return reply;
}

static int same_report(const struct spacetime_report *a, const struct spacetime_report *b)
{
  const struct nlp_result *m = &a->nlp, *n = &b->nlp;
  const double x[] = {a->seconds, a->cost, m->objective, m->infeasibility, m->seconds,
                      m->seconds_evaluating, m->seconds_hessian};
  const double y[] = {b->seconds, b->cost, n->objective, n->infeasibility, n->seconds,
                      n->seconds_evaluating, n->seconds_hessian};
  int same = a->status == b->status && !strcmp(a->reason, b->reason) && m->status == n->status &&
             m->iterations == n->iterations && a->n_vars == b->n_vars && a->n_rows == b->n_rows &&
             a->solves == b->solves && a->half_cycle == b->half_cycle && a->n_history == b->n_history &&
             same_bits(x, y, sizeof x);
  for (int i = 0; same && i < a->n_history; i++)
    same = a->history[i].iteration == b->history[i].iteration &&
           same_bits(&a->history[i].objective, &b->history[i].objective, 3 * sizeof(double));
  return same;
}

static int same_line(const struct verify_line *a, const struct verify_line *b)
{
  return !strcmp(a->what, b->what) && same_bits(&a->value, &b->value, 8) && same_bits(&a->bar, &b->bar, 8) &&
         a->frame == b->frame && a->passed == b->passed &&
         (a->where && b->where ? !strcmp(a->where, b->where) : a->where == b->where);
}

static int same_summary(const struct clip_summary *a, const struct clip_summary *b)
{
  const double x[] = {a->period, a->stride, a->speed, a->cost_of_transport, a->peak_torque,
                      a->peak_force, a->lowest_root};
  const double y[] = {b->period, b->stride, b->speed, b->cost_of_transport, b->peak_torque,
                      b->peak_force, b->lowest_root};
  return same_bits(x, y, sizeof x) && a->peak_torque_dof == b->peak_torque_dof &&
         a->peak_force_point == b->peak_force_point;
}

static int same_reply(const struct job_reply *a, const struct job_reply *b)
{
  int same = a->status == b->status && !strcmp(a->reason, b->reason) && !strcmp(a->what, b->what) &&
             a->n_clips == b->n_clips && same_bits(&a->seconds, &b->seconds, 8);
  for (int i = 0; same && i < a->n_clips; i++) {
    const struct job_clip *x = &a->clips[i], *y = &b->clips[i];
    same = same_clip(x->clip, y->clip) && same_report(x->report, y->report) && same_summary(&x->summary, &y->summary) &&
           x->from == y->from && x->to == y->to && x->verification.passed == y->verification.passed;
    for (int j = 0; same && j < N_VERIFY_MEASURES; j++)
      same = same_line(&x->verification.lines[j], &y->verification.lines[j]);
  }
  return same;
}

static void test_round_trips(const struct creature *c)
{
  for (uint64_t seed = 0; seed < 40; seed++) {
    struct arena *arena = arena_new();
    struct job job = random_job(arena, c, seed);
    size_t n, m;
    const void *bytes = job_pack(arena, &job, &n);
    const struct job *job_again = job_unpack(arena, bytes, n);
    CHECK(job_again && same_job(&job, job_again));
    const struct job_reply *reply = random_reply(arena, c, seed), *again;
    bytes = job_reply_pack(arena, reply, &m);
    again = job_reply_unpack(arena, bytes, m);
    CHECK(again && same_reply(reply, again));
    CHECK(!job_unpack(arena, bytes, m)); /* a reply is not a job */
    arena_free(arena);
  }
}

/* ---- garbage ---- */

/* Bytes as long as they say, so that reading past their end is seen by the address sanitizer. */
static void *copy_of(const void *bytes, size_t n)
{
  void *copy = malloc(n ? n : 1);
  if (!copy)
    abort();
  if (n)
    memcpy(copy, bytes, n);
  return copy;
}

static int accepted(int is_reply, const void *bytes, size_t n)
{
  struct arena *arena = arena_new();
  void *copy = copy_of(bytes, n);
  const void *x = is_reply ? (const void *)job_reply_unpack(arena, copy, n) : job_unpack(arena, copy, n);
  free(copy);
  arena_free(arena);
  return x != NULL;
}

/* Some bytes changed: whatever comes of it, it does not crash, and what is accepted can be packed again. */
static void change_bytes(int is_reply, const unsigned char *bytes, size_t n, uint64_t seed)
{
  struct rng r = rng_stream(12, seed);
  unsigned char *copy = copy_of(bytes, n);
  struct arena *arena = arena_new();
  size_t m, within = seed % 2 ? n : n < 200 ? n : 200;
  for (int k = 1 + rng_below(&r, 4); k > 0; k--)
    copy[rng_below(&r, (int)within)] = (unsigned char)(rng_below(&r, 3) ? rng_below(&r, 256) : 255);
  const struct job_reply *reply = is_reply ? job_reply_unpack(arena, copy, n) : NULL;
  const struct job *job = is_reply ? NULL : job_unpack(arena, copy, n);
  const void *again = reply ? job_reply_pack(arena, reply, &m) : job ? job_pack(arena, job, &m) : NULL;
  if (again)
    CHECK(m == n && !memcmp(again, copy, n));
  free(copy);
  arena_free(arena);
}

/* Wrong in one thing each. */
static void test_wrong_jobs(const struct creature *c)
{
  struct arena *arena = arena_new();
  for (int i = 0; i < 6; i++) {
    struct job job = random_job(arena, c, 5);
    struct job_reply *reply = random_reply(arena, c, 3);
    struct clip *clip = (struct clip *)job.near;
    size_t n, m;
    clip->contact[3] = i == 1 ? 2 : 1;
    clip->dt = i == 2 ? NAN : 0.01;
    clip->cyclic = i == 3 ? 2 : 1;
    job.candidate.kind = i == 4 ? (enum candidate_kind)3 : CANDIDATE_CYCLE;
    reply->clips[1].to = i == 5 ? 1 : 0; /* itself */
    const void *bytes = job_pack(arena, &job, &n), *reply_bytes = job_reply_pack(arena, reply, &m);
    CHECK_INT(accepted(0, bytes, n), i == 0 || i == 5);
    CHECK_INT(accepted(1, reply_bytes, m), i != 5);
  }
  arena_free(arena);
}

static void test_garbage(const struct creature *c)
{
  struct arena *arena = arena_new();
  for (int is_reply = 0; is_reply < 2; is_reply++) {
    struct job job = random_job(arena, c, 5);
    size_t n;
    const unsigned char *bytes = is_reply ? job_reply_pack(arena, random_reply(arena, c, 3), &n)
                                          : job_pack(arena, &job, &n);
    unsigned char *longer = arena_alloc(arena, n + 1, 1);
    memcpy(longer, bytes, n);
    CHECK(accepted(is_reply, bytes, n));
    CHECK(!accepted(is_reply, longer, n + 1));
    for (size_t i = 0; i < n; i += i < 500 ? 1 : 97)
      CHECK(!accepted(is_reply, bytes, i));
    for (uint64_t seed = 0; seed < 3000; seed++)
      change_bytes(is_reply, bytes, n, seed);
    memset(longer, 255, n);
    CHECK(!accepted(is_reply, longer, n));
  }
  arena_free(arena);
}

/* ---- task gradients ---- */

static void test_gradients(void)
{
  const struct task_gradient gradients[] = {{1, {2, 3}, 4, 5, 1, {{2, 1, 1, 4}}},
                                            {2, {0, 3}, 6, -5, 1, {{2, 2, 2, 6}}},
                                            {2, {0, 5}, 8, -5, 1, {{2, 0, 0, 0}}}};
  struct job job = {.n_gradients = 3, .gradients = gradients};
  struct task_gradient p;
  job_gradient_at(&job, 0.25, &p);
  CHECK(p.velocity_weight == 1.5 && p.velocity[0] == 1 && p.velocity[1] == 3 && p.torso_weight == 5 && p.torso == 0);
  CHECK(p.n_targets == 1 && p.targets[0].dof == 2 && p.targets[0].from == 1.5 && p.targets[0].weight == 5);
  job_gradient_at(&job, 0.75, &p);
  CHECK(p.velocity_weight == 2 && p.velocity[0] == 0 && p.velocity[1] == 4 && p.torso_weight == 7 && p.torso == -5);
  for (int i = 0; i < 3; i++) {
    job_gradient_at(&job, 0.5 * i, &p);
    CHECK(same_gradient(&p, &gradients[i]));
  }
  job.n_gradients = 1;
  job_gradient_at(&job, 0.9, &p);
  CHECK(same_gradient(&p, &gradients[0]));
}

/* ---- really run ---- */

struct boss {
  struct job_worker worker;
  int n_words;                   /* of progress */
};

static void count_words(void *user, uint64_t tag, const char *words)
{
  (void)tag;
  ((struct boss *)user)->n_words += strstr(words, ": iteration ") != NULL;
}

struct outcome {
  enum farm_outcome outcome;
  const char *words;
  const struct job_reply *reply;
};

static char *biped_text(struct arena *arena, size_t *n)
{
  const char *folder = getenv("MUYBRIDGE_CREATURES");
  char *text = arena_alloc(arena, 1, 1 << 16);
  FILE *in = fopen(arena_printf(arena, "%s/biped.creature", folder ? folder : "creatures"), "rb");
  CHECK(in != NULL);
  *n = in ? fread(text, 1, 1 << 16, in) : 0;
  CHECK(*n > 100 && *n < 1 << 16);
  if (in)
    fclose(in);
  return text;
}

/* Runs all jobs; how many lines of progress came. */
static int run_jobs(struct arena *arena, enum farm_kind kind, int workers, const struct job *jobs, int n,
                    struct outcome *out)
{
  struct boss boss = {{NULL, NULL}, 0};
  struct farm_options options = {.kind = kind, .workers = workers, .user = &boss, .run = job_run,
                                 .prepare = job_prepare, .progress = count_words};
  struct farm_result r;
  struct diag d;
  diag_init(&d);
  options.shared = biped_text(arena, &options.n_shared);
  struct farm *f = farm_open(arena, &options, &d);
  CHECK(f && d.n_errors == 0);
  for (int i = 0; f && i < n; i++) {
    size_t length;
    const void *bytes = job_pack(arena, &jobs[i], &length);
    farm_submit(f, (uint64_t)i, bytes, length);
  }
  for (int i = 0; f && i < n; i++) {
    CHECK(farm_collect(f, &r) == 1 && r.tag == (uint64_t)i);
    out[i] = (struct outcome){r.outcome, arena_strdup(arena, r.words), NULL};
    if (r.outcome == FARM_DONE)
      out[i].reply = job_reply_unpack(arena, r.bytes, r.n_bytes);
    CHECK(r.outcome == FARM_FAILED || out[i].reply);
  }
  farm_close(f);
  job_worker_clear(&boss.worker);
  diag_clear(&d);
  return boss.n_words;
}

/* The bytes of a reply without its seconds, which differ from run to run. */
static const void *timeless(struct arena *arena, const struct job_reply *reply, size_t *n)
{
  struct job_reply copy = *reply;
  copy.seconds = 0;
  for (int i = 0; i < copy.n_clips; i++) {
    struct spacetime_report *p = ARENA_NEW(arena, 1, struct spacetime_report);
    *p = *copy.clips[i].report;
    p->seconds = p->nlp.seconds = p->nlp.seconds_evaluating = p->nlp.seconds_hessian = 0;
    copy.clips[i].report = p;
  }
  return job_reply_pack(arena, &copy, n);
}

static void check_same_outcome(struct arena *arena, const struct outcome *a, const struct outcome *b)
{
  size_t n = 0, m = 0;
  CHECK_INT(a->outcome, b->outcome);
  CHECK_STR(a->words, b->words);
  CHECK(!a->reply == !b->reply);
  if (!a->reply || !b->reply)
    return;
  const void *x = timeless(arena, a->reply, &n), *y = timeless(arena, b->reply, &m);
  CHECK(n == m && !memcmp(x, y, n));
}

/* All that a reply with clips must hold, and that the bars are kept is looked up once more; `reason` says why they are
 * not what one would want. */
static void check_solved_but(struct arena *arena, const struct creature *c, const struct job_reply *reply, int n_clips,
                             const char *reason)
{
  CHECK(reply && reply->status == SPACETIME_SOLVED && reply->n_clips == n_clips && reply->seconds > 0);
  if (reply)
    CHECK_STR(reply->reason, reason);
  for (int i = 0; reply && i < reply->n_clips; i++) {
    const struct job_clip *k = &reply->clips[i];
    struct verify_report v;
    verify_clip(arena, c, k->clip, &v);
    CHECK(v.passed && k->verification.passed && k->report->status == SPACETIME_SOLVED && k->report->n_history > 0);
    CHECK(k->summary.period > 0.2 && k->summary.period < 5 && k->summary.lowest_root > 0.5);
    CHECK(same_bits(&k->verification.lines[VERIFY_FORCE].value, &v.lines[VERIFY_FORCE].value, 8));
  }
}

static void check_solved(struct arena *arena, const struct creature *c, const struct job_reply *reply, int n_clips)
{
  check_solved_but(arena, c, reply, n_clips, "");
}

static void check_failed(const struct outcome *o, enum spacetime_status status, const char *what, const char *reason)
{
  CHECK(o->reply && o->reply->status == status && o->reply->n_clips == 0);
  if (!o->reply)
    return;
  CHECK_STR(o->reply->what, what);
  if (!strstr(o->reply->reason, reason))
    CHECK_STR(o->reply->reason, reason);
}

static void check_junction(const struct creature *c, const struct clip *transition, int at_end, const struct clip *clip,
                           int id)
{
  struct clip_end end = at_end ? transition->to : transition->from;
  CHECK_INT(end.clip, id);
  CHECK(verify_junction(c, transition, at_end, clip, end.frame) <= GRAPH_JUNCTION);
}

/* A new cycle has a way in and a way out, each at the branch that needs the fewest frames. */
static void check_cycle(struct arena *arena, const struct creature *c, const struct job *job,
                        const struct job_reply *reply)
{
  const struct clip *cycle = reply->clips[0].clip, *in = reply->clips[1].clip, *out = reply->clips[2].clip;
  struct transition_request to_it = {.c = c, .from = job->from, .from_frame = job->candidate.from_frame, .to = cycle};
  struct transition_request from_it = {.c = c, .from = cycle, .to = job->to, .to_frame = job->candidate.to_frame};
  int fewest_in = 0, fewest_out = 0, n = cycle->n_frames, found_in = 0, found_out = 0;
  CHECK(cycle->cyclic && !in->cyclic && !out->cyclic && n % 2 == 0);
  CHECK(reply->clips[0].from == -1 && reply->clips[0].to == -1 && reply->clips[1].from == -1 &&
        reply->clips[1].to == 0 && reply->clips[2].from == 0 && reply->clips[2].to == -1);
  check_junction(c, in, 0, job->from, job->candidate.from_clip);
  check_junction(c, in, 1, cycle, 0);
  check_junction(c, out, 0, cycle, 0);
  check_junction(c, out, 1, job->to, job->candidate.to_clip);
  for (int i = 0; i < BRANCHES; i++) {
    int branch = to_it.to_frame = from_it.from_frame = graph_branch_frame(n, BRANCHES, i);
    int frames_in = spacetime_transition_frames(arena, &to_it);
    int frames_out = spacetime_transition_frames(arena, &from_it);
    fewest_in = i && fewest_in <= frames_in ? fewest_in : frames_in;
    fewest_out = i && fewest_out <= frames_out ? fewest_out : frames_out;
    found_in += in->to.frame == branch;
    found_out += out->from.frame == branch;
  }
  CHECK(found_in == 1 && found_out == 1);
  CHECK_INT(in->n_frames, fewest_in);
  CHECK_INT(out->n_frames, fewest_out);
}

enum {
  JOB_FIRST,
  JOB_TURN,
  JOB_CYCLE,
  JOB_TOO_FAST,
  JOB_OTHER_RATE,
  JOB_DAMAGED,
  JOB_NO_GRADIENT,
  JOB_NO_GRADIENT_OF_TURN,
  JOB_HASTY,
  JOB_BOWED,
  JOB_BOWED_LENIENT,
  JOB_NO_FRAME,
  JOB_NO_GAIT,
  JOB_NO_BRANCHES,
  JOB_OTHER_GAIT,
  N_JOBS
};

static const struct task_gradient no_gradient = {.torso_weight = 1, .torso = NAN};

/* The walk, but below the ground by more than the bar. */
static struct clip *sunk(struct arena *arena, const struct clip *walk)
{
  struct clip *low = ARENA_NEW(arena, 1, struct clip);
  size_t n = (size_t)(walk->n_frames * walk->n_dofs);
  *low = *walk;
  low->q = memcpy(ARENA_NEW(arena, n, double), walk->q, n * sizeof *walk->q);
  for (int k = 0; k < low->n_frames; k++)
    low->q[k * low->n_dofs + 2] -= 1e-4;
  return low;
}

static void list_jobs(struct arena *arena, const struct creature *c, struct clip *walk, struct job *jobs)
{
  struct candidate first = {.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6}, fast = first, wrong = first, run = first;
  struct candidate turn = {.kind = CANDIDATE_TRANSITION, .from_clip = 7, .from_frame = 0, .to_clip = 7,
                           .to_frame = walk->n_frames / 2, .turn = 45 * degree}, nowhere = turn, hasty = turn;
  struct candidate cycle = {.kind = CANDIDATE_CYCLE, .gait = 0, .speed = 0.75, .from_clip = 7, .from_frame = 0,
                            .to_clip = 8, .to_frame = walk->n_frames / 2};
  struct transition_request length = {.c = c, .from = walk, .to = walk, .to_frame = turn.to_frame, .turn = turn.turn};
  struct posture_target bow = {creature_find_dof(c, "root_pitch"), 0.6, 0.6, 1};
  struct clip *slow = ARENA_NEW(arena, 1, struct clip), *low = sunk(arena, walk);
  *slow = *walk;
  slow->dt *= 2;
  fast.speed = 50;
  wrong.gait = c->n_motions;
  run.gait = 1;
  turn.frames = spacetime_transition_frames(arena, &length) + 1;
  nowhere.to_frame = walk->n_frames;
  hasty.to_frame = walk->n_frames / 4;
  hasty.turn = 135 * degree;
  hasty.frames = walk->n_frames + walk->n_frames / 4 + 2;
  jobs[JOB_FIRST] = (struct job){.candidate = first};
  jobs[JOB_TURN] = (struct job){.candidate = turn, .from = walk, .to = walk};
  jobs[JOB_CYCLE] = (struct job){.candidate = cycle, .from = walk, .to = walk, .near = walk, .branches = BRANCHES};
  jobs[JOB_TOO_FAST] = (struct job){.candidate = fast};
  jobs[JOB_OTHER_RATE] = (struct job){.candidate = cycle, .from = slow, .to = walk, .near = walk, .branches = BRANCHES};
  jobs[JOB_DAMAGED] = (struct job){.candidate = turn, .from = low, .to = low};
  jobs[JOB_NO_GRADIENT] =
      (struct job){.candidate = first, .near = walk, .alpha = 1, .n_gradients = 1, .gradients = &no_gradient};
  jobs[JOB_NO_GRADIENT_OF_TURN] = (struct job){
      .candidate = turn, .from = walk, .to = walk, .alpha = 1, .n_gradients = 1, .gradients = &no_gradient};
  jobs[JOB_HASTY] = (struct job){.candidate = hasty, .from = walk, .to = walk};
  jobs[JOB_BOWED] = (struct job){.candidate = turn, .from = walk, .to = walk, .n_targets = 1, .targets = {bow}};
  jobs[JOB_BOWED_LENIENT] = jobs[JOB_BOWED];
  jobs[JOB_BOWED_LENIENT].lenient = 1;
  jobs[JOB_NO_FRAME] = (struct job){.candidate = nowhere, .from = walk, .to = walk};
  jobs[JOB_NO_GAIT] = (struct job){.candidate = wrong};
  jobs[JOB_NO_BRANCHES] = (struct job){.candidate = cycle, .from = walk, .to = walk, .branches = 3};
  jobs[JOB_OTHER_GAIT] = (struct job){.candidate = run, .near = walk};
}

static void check_told(const struct outcome *o, const char *words)
{
  CHECK_INT(o->outcome, FARM_FAILED);
  CHECK_STR(o->words, words);
}

static void check_turn(const struct creature *c, const struct job *job, const struct job_reply *reply)
{
  const struct clip *turn = reply->clips[0].clip;
  check_junction(c, turn, 0, job->from, 7);
  check_junction(c, turn, 1, job->to, 7);
  CHECK(turn->from.frame == job->candidate.from_frame && turn->to.frame == job->candidate.to_frame);
  CHECK_NEAR(turn->turn, 45 * degree, 0);
  CHECK_INT(turn->n_frames, job->candidate.frames);
}

/* Nobody would want it in the time asked for: it takes a whole number of cycles more. */
static void check_hasty(struct arena *arena, const struct creature *c, const struct job *job,
                        const struct job_reply *reply)
{
  struct natural_report n;
  const struct clip *turn = reply->clips[0].clip;
  natural_judge(arena, c, turn, job->from, job->to, &n);
  CHECK(n.passed && turn->n_frames > job->candidate.frames);
  CHECK_INT((turn->n_frames - job->candidate.frames) % job->from->n_frames, 0);
}

/* Where more time does not help there is none, and why; or one, and why it is not what one would want. */
static void check_bowed(struct arena *arena, const struct creature *c, const struct outcome *strict,
                        const struct outcome *lenient)
{
  const char *why = "no animal would choose it: root tilted beyond what it is in the cycle [rad] is 0.";
  check_failed(strict, SPACETIME_REJECTED, "the transition", why);
  check_solved_but(arena, c, lenient->reply, 1, strict->reply ? strict->reply->reason : why);
}

static void check_outcomes(struct arena *arena, const struct creature *c, const struct job *jobs,
                           const struct outcome *o)
{
  check_solved(arena, c, o[JOB_FIRST].reply, 1);
  check_solved(arena, c, o[JOB_TURN].reply, 1);
  check_solved(arena, c, o[JOB_CYCLE].reply, 3);
  if (o[JOB_TURN].reply && o[JOB_TURN].reply->n_clips == 1)
    check_turn(c, &jobs[JOB_TURN], o[JOB_TURN].reply);
  check_solved(arena, c, o[JOB_HASTY].reply, 1);
  if (o[JOB_HASTY].reply && o[JOB_HASTY].reply->n_clips == 1)
    check_hasty(arena, c, &jobs[JOB_HASTY], o[JOB_HASTY].reply);
  check_bowed(arena, c, &o[JOB_BOWED], &o[JOB_BOWED_LENIENT]);
  if (o[JOB_CYCLE].reply && o[JOB_CYCLE].reply->n_clips == 3)
    check_cycle(arena, c, &jobs[JOB_CYCLE], o[JOB_CYCLE].reply);
  check_failed(&o[JOB_TOO_FAST], SPACETIME_REFUSED, "the gait", "lower the speed");
  check_failed(&o[JOB_OTHER_RATE], SPACETIME_REFUSED, "the way into the cycle", "different frame rates");
  check_failed(&o[JOB_DAMAGED], SPACETIME_REJECTED, "the transition",
               "misses a bar: point below the ground or not on it [leg lengths] is 0.000207, allowed is 1e-06 at");
  check_failed(&o[JOB_NO_GRADIENT], SPACETIME_FAILED, "the gait", "the optimizer stopped");
  check_solved(arena, c, o[JOB_NO_GRADIENT_OF_TURN].reply, 1); /* without them, since it cannot be with them */
  const struct clip *turn = o[JOB_TURN].reply ? o[JOB_TURN].reply->clips[0].clip : NULL,
                    *again = o[JOB_NO_GRADIENT_OF_TURN].reply ? o[JOB_NO_GRADIENT_OF_TURN].reply->clips[0].clip : NULL;
  CHECK(turn && again && turn->n_frames == again->n_frames &&
        same_bits(turn->q, again->q, (size_t)turn->n_frames * (size_t)turn->n_dofs * sizeof *turn->q));
  check_told(&o[JOB_NO_FRAME],
             "this is not a job: the clip to enter is missing, of another creature, or without that frame");
  check_told(&o[JOB_NO_GAIT], "this is not a job: the creature has no such gait");
  check_told(&o[JOB_NO_BRANCHES], "this is not a job: a cycle needs an even number of branches");
  check_told(&o[JOB_OTHER_GAIT], "this is not a job: the clip to start from is not a cycle of the same gait");
}

static void test_runs(const struct creature *c)
{
  struct arena *arena = arena_new();
  struct job jobs[N_JOBS] = {{.candidate = {.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.6}}};
  struct outcome first, one[N_JOBS], two[N_JOBS];
  int words = run_jobs(arena, FARM_INLINE, 1, jobs, 1, &first);
  CHECK(words > 1);
  check_solved(arena, c, first.reply, 1);
  if (first.reply && first.reply->n_clips == 1) {
    list_jobs(arena, c, first.reply->clips[0].clip, jobs);
    run_jobs(arena, FARM_FORK, 1, jobs, N_JOBS, one);
    check_outcomes(arena, c, jobs, one);
    check_same_outcome(arena, &first, &one[JOB_FIRST]);
    run_jobs(arena, FARM_FORK, 2, jobs, N_JOBS, two);
    for (int i = 0; i < N_JOBS; i++)
      check_same_outcome(arena, &one[i], &two[i]);
  }
  arena_free(arena);
}

/* Bytes that are no job cost an attempt and say why; a text that is no creature is told before the first job. */
static void test_no_jobs(void)
{
  struct arena *arena = arena_new();
  struct boss boss = {{NULL, NULL}, 0};
  struct farm_options options = {.kind = FARM_FORK, .workers = 1, .user = &boss, .run = job_run,
                                 .prepare = job_prepare};
  struct farm_result r;
  struct diag d;
  diag_init(&d);
  options.shared = "name = stone\n";
  options.n_shared = strlen(options.shared);
  CHECK(!farm_open(arena, &options, &d) && d.n_errors > 0);
  diag_clear(&d);
  options.shared = biped_text(arena, &options.n_shared);
  struct farm *f = farm_open(arena, &options, &d);
  farm_submit(f, 1, "nothing of the sort", 19);
  farm_submit(f, 2, "", 0);
  for (int i = 0; i < 2; i++) {
    CHECK(farm_collect(f, &r) == 1 && r.outcome == FARM_FAILED);
    CHECK_STR(r.words, "this is not a job: its bytes are damaged");
  }
  farm_close(f);
  job_worker_clear(&boss.worker);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_load(arena, BIPED);
  CHECK(c != NULL);
  test_gradients();
  if (c) {
    test_round_trips(c);
    test_wrong_jobs(c);
    test_garbage(c);
    test_no_jobs();
    test_runs(c);
  }
  arena_free(arena);
  return test_finish();
}

/* What a worker does: solves a candidate, and verifies what it found. */
#include "search/job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/graph.h"
#include "spacetime/unhurried.h"

#define TOLD_EVERY    10         /* iterations of the solver: words of progress */
#define MOST_ITERATIONS 80 /* what needs more is rarely found; time as a limit would give other results every day */
#define MOST_WAYS     3          /* from different branches, until one is found */
#define MOST_BRANCHES 1000       /* more than anybody could mean                */

/* ---- the creature that all jobs share ---- */

/* Errors in d; warnings were reported when the creature came into the run file. */
int job_prepare(void *user, const void *shared, size_t n_shared, struct diag *d)
{
  struct job_worker *w = user;
  struct diag own;
  diag_init(&own);
  job_worker_clear(w);
  w->arena = arena_new();
  char *text = arena_alloc(w->arena, n_shared + 1, 1); /* which ends in 0 */
  if (n_shared)
    memcpy(text, shared, n_shared);
  w->creature = creature_parse(w->arena, "creature", text, n_shared, &own);
  for (int i = 0; i < own.n_messages; i++)
    if (own.messages[i].level == DIAG_ERROR)
      diag_error(d, own.messages[i].file, own.messages[i].line, "%s", own.messages[i].text);
  diag_clear(&own);
  return w->creature != NULL;
}

void job_worker_clear(struct job_worker *w)
{
  arena_free(w->arena);
  *w = (struct job_worker){0};
}

/* ---- is it a job of this creature? ---- */

/* The clip is this creature's, and has this frame and, unless it goes round, the one after it. */
static int clip_fits(const struct creature *c, const struct clip *clip, int frame)
{
  return clip && clip->n_dofs == c->n_dofs && clip->n_points == c->n_points && frame >= 0 &&
         frame < clip->n_frames - !clip->cyclic;
}

static int targets_fit(const struct creature *c, const struct posture_target *t, int n)
{
  for (int i = 0; i < n; i++)
    if (t[i].dof < 0 || t[i].dof >= c->n_dofs)
      return 0;
  return 1;
}

/* What is wrong with the job; NULL if nothing is. */
static const char *find_fault(const struct creature *c, const struct job *job)
{
  const struct candidate *x = &job->candidate;
  int is_transition = x->kind == CANDIDATE_TRANSITION, is_cycle = x->kind == CANDIDATE_CYCLE;
  if (!is_transition && (x->gait < 0 || x->gait >= c->n_motions))
    return "the creature has no such gait";
  if ((is_transition || is_cycle) && !clip_fits(c, job->from, x->from_frame))
    return "the clip to leave is missing, of another creature, or without that frame";
  if ((is_transition || is_cycle) && !clip_fits(c, job->to, x->to_frame))
    return "the clip to enter is missing, of another creature, or without that frame";
  if (is_cycle && (job->branches < 2 || job->branches % 2 || job->branches > MOST_BRANCHES))
    return "a cycle needs an even number of branches";
  if (!is_transition && job->near &&
      (!clip_fits(c, job->near, 0) || !job->near->cyclic || strcmp(job->near->gait, c->gaits[x->gait].name) != 0))
    return "the clip to start from is not a cycle of the same gait";
  if (!targets_fit(c, job->targets, job->n_targets) || !targets_fit(c, job->in_targets, job->n_targets) ||
      !targets_fit(c, job->out_targets, job->n_targets))
    return "the creature has no such coordinate to keep";
  for (int i = 0; i < job->n_gradients; i++)
    if (!targets_fit(c, job->gradients[i].targets, job->gradients[i].n_targets))
      return "the creature has no such coordinate";
  return NULL;
}

/* ---- solving a part ---- */

/* How soon a solve is given up. PATIENT: it begins with nothing, as a gait does, or more than one clip hangs on it.
 * UNTIL_SOLVED: never before its iterations end; what is given up ends the search for a transition, and long turns on
 * the spot are found after a first attempt in one piece failed, in two parts. */
enum patience { HASTY, PATIENT, UNTIL_SOLVED };

struct work {
  struct arena *arena;
  const struct creature *c;
  const struct job *job;
  struct job_reply *reply;
  struct farm_reply *out;
  const char *part;              /* which is being solved */
  enum patience patience;
  double nearest;                /* to feasibility in this solve */
  int solves;                    /* that it took          */
};

/* What can be solved comes near to feasibility soon: most of the time of a search would go into what cannot. It may go
 * away again while the cost comes down. Nor do multipliers of what can be solved grow without bound on the way; where
 * they do, each iteration takes longer than all before it. */
static int is_hopeless(struct work *w, const struct nlp_progress *p)
{
  if (w->patience == UNTIL_SOLVED)
    return 0;
  if (p->dual_infeasibility > 1e6 && p->infeasibility > 0.01)
    return 1;
  int early = w->patience == PATIENT ? 30 : 15;
  w->nearest = p->iteration == 0 ? p->infeasibility : fmin(w->nearest, p->infeasibility);
  return (p->iteration >= early && w->nearest > 0.3) || (p->iteration >= 2 * early && w->nearest > 0.01);
}

static int show_progress(void *user, const struct nlp_progress *p)
{
  struct work *w = user;
  if (p->iteration % TOLD_EVERY == 0)
    farm_reply_progress(w->out, "%s: iteration %d%s, infeasibility %.1e", w->part, p->iteration,
                        p->restoring ? " (restoring)" : "", p->infeasibility);
  return !is_hopeless(w, p);
}

/* With what is left of the time. */
static struct spacetime_options options_of(struct work *w)
{
  struct spacetime_options o;
  spacetime_defaults(&o);
  o.max_iterations = MOST_ITERATIONS;
  if (w->job->max_seconds > 0)
    o.max_seconds = w->job->max_seconds;
  o.max_seconds -= w->reply->seconds;
  o.progress = show_progress;
  o.user = w;
  return o;
}

void job_gradient_at(const struct job *job, double along, struct task_gradient *out)
{
  double at = fmin(1, fmax(0, along)) * (job->n_gradients - 1), share = at - floor(at);
  int i = (int)floor(at), next = i + 1 < job->n_gradients ? i + 1 : i;
  const struct task_gradient *a = &job->gradients[i], *b = &job->gradients[next];
#define BETWEEN(member) (a->member + share * (b->member - a->member))
  *out = (struct task_gradient){.velocity_weight = BETWEEN(velocity_weight),
                            .velocity = {BETWEEN(velocity[0]), BETWEEN(velocity[1])},
                            .torso_weight = BETWEEN(torso_weight), .torso = BETWEEN(torso), .n_targets = a->n_targets};
  for (int k = 0; k < a->n_targets && k < b->n_targets; k++)
    out->targets[k] = (struct posture_target){a->targets[k].dof, BETWEEN(targets[k].from), BETWEEN(targets[k].from),
                                              BETWEEN(targets[k].weight)};
#undef BETWEEN
}

static void gradient_at(void *user, double along, struct task_gradient *out)
{
  job_gradient_at(user, along, out);
}

static int fail(struct work *w, enum spacetime_status status)
{
  w->reply->status = status;
  w->reply->what = w->part;
  w->reply->n_clips = 0;
  return 0;
}

/* With so many clips that are solved, as if nothing had failed. */
static void start_again(struct work *w, int n_clips)
{
  w->reply->n_clips = n_clips;
  w->reply->status = SPACETIME_SOLVED;
  w->reply->what = "";
  w->reply->reason[0] = '\0';
}

/* ---- verifying it ---- */

/* Where on the clip, in words. */
static const char *place(struct arena *arena, const struct verify_line *l)
{
  if (l->frame < 0)
    return "";
  return arena_printf(arena, " at frame %d%s%s", l->frame, l->where ? ", " : "", l->where ? l->where : "");
}

/* How many times the bar; a NaN says less than any number. */
static double excess(const struct verify_line *l)
{
  return isnan(l->value) ? 0 : l->bar > 0 ? l->value / l->bar : (double)INFINITY;
}

/* Says which bar is missed by how much: the one that is missed by the largest factor, and how many others. */
static void explain_verification(struct work *w, const struct verify_report *v)
{
  const struct verify_line *worst = NULL;
  int missed = 0;
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &v->lines[i];
    missed += !l->passed;
    if (!l->passed && (!worst || excess(l) > excess(worst)))
      worst = l;
  }
  const char *others = missed > 1 ? arena_printf(w->arena, "; %d more missed", missed - 1) : "";
  if (worst)
    snprintf(w->reply->reason, sizeof w->reply->reason, "the motion misses a bar: %s is %.3g, allowed is %.3g%s%s",
             worst->what, worst->value, worst->bar, place(w->arena, worst), others);
}

static int keeps_bars(struct work *w, const struct job_clip *k)
{
  if (k->verification.passed)
    return 1;
  explain_verification(w, &k->verification);
  return fail(w, SPACETIME_REJECTED);
}

/* Does an end of a transition lie on the clip's frames? The graph would refuse one that does not. */
static int end_fits(struct work *w, const struct clip *transition, int at_end, const struct clip *clip)
{
  int frame = at_end ? transition->to.frame : transition->from.frame;
  double off = verify_junction(w->c, transition, at_end, clip, frame);
  if (off <= GRAPH_JUNCTION)
    return 1;
  snprintf(w->reply->reason, sizeof w->reply->reason,
           "the motion does not %s at frame %d of '%s': it is off by %.3g rad or standing heights, allowed is %.3g",
           at_end ? "arrive" : "begin", frame, clip->name, off, GRAPH_JUNCTION);
  return fail(w, SPACETIME_REJECTED);
}

/* Takes what the solver found, or why it found nothing, into the reply. 0: the attempt has failed. */
static int keep(struct work *w, struct clip *clip, const struct verify_neighbours *beside,
                struct spacetime_report *report)
{
  w->reply->seconds += report->seconds;
  if (!clip) {
    memcpy(w->reply->reason, report->reason, sizeof w->reply->reason);
    return fail(w, report->status);
  }
  struct job_clip *k = &w->reply->clips[w->reply->n_clips++];
  *k = (struct job_clip){.clip = clip, .report = report, .from = -1, .to = -1};
  spacetime_summarize(w->arena, w->c, clip, &k->summary);
  verify_transition(w->arena, w->c, clip, beside, &k->verification);
  return keeps_bars(w, k);
}

/* ---- the kinds of candidates ---- */

static int run_gait(struct work *w)
{
  const struct candidate *x = &w->job->candidate;
  struct spacetime_report *report = ARENA_NEW(w->arena, 1, struct spacetime_report);
  struct spacetime_options o = options_of(w);
  struct spacetime_task task = {w->job->alpha, gradient_at, (void *)w->job};
  w->patience = PATIENT;
  o.whole_cycle = w->job->n_gradients > 0; /* what is asked need not be its own mirror image half a cycle later */
  struct gait_request r = {.c = w->c, .gait = x->gait, .speed = x->speed, .strafe = x->strafe, .near = w->job->near,
                           .n_targets = w->job->n_targets, .targets = w->job->targets,
                           .task = w->job->n_gradients ? &task : NULL};
  return keep(w, spacetime_gait(w->arena, &r, &o, report), &(struct verify_neighbours){0}, report);
}

/* Takes a solved transition into the reply, or why there is none. 0: the attempt has failed. */
static int keep_transition(struct work *w, const struct transition_request *r, struct clip *clip,
                           struct spacetime_report *report)
{
  struct verify_neighbours beside = {r->from, r->to, r->from_frame, r->to_frame};
  w->solves = report->solves;
  return keep(w, clip, &beside, report) && end_fits(w, clip, 0, r->from) && end_fits(w, clip, 1, r->to);
}

/* ---- is it wanted? ---- */

/* A solved transition, and how far it is from one that an animal would choose: 0 if it is one. */
struct solved_way { struct job_clip clip; int frame; double excess; char why[200]; };

static void judge_way(struct solved_way *way, const struct natural_report *n)
{
  way->excess = n->passed ? 0 : n->excess;
  natural_explain(n, way->why, sizeof way->why);
}

/* Takes the newest clip of the reply out of it, to be compared with others. */
static struct solved_way take_way(struct work *w, const struct transition_request *r, int frame)
{
  struct natural_report n;
  struct solved_way way = {.clip = w->reply->clips[--w->reply->n_clips], .frame = frame};
  natural_judge(w->arena, w->c, way.clip.clip, r->from, r->to, &n);
  judge_way(&way, &n);
  return way;
}

static void put_way(struct work *w, int n_clips, const struct solved_way *way)
{
  start_again(w, n_clips);
  w->reply->clips[w->reply->n_clips++] = way->clip;
  snprintf(w->reply->reason, sizeof w->reply->reason, "%s", way->why);
}

/* The attempts of run_unhurried(): any of them may turn out to be the best. */
struct attempts {
  struct work *w;
  const struct transition_request *r;
  int n;
  struct job_clip clips[1 + UNHURRIED_CYCLES];
};

static int accepts_attempt(void *user, struct clip *clip, struct spacetime_report *report)
{
  struct attempts *a = user;
  start_again(a->w, 0);
  if (!keep_transition(a->w, a->r, clip, report))
    return 0;
  a->clips[a->n++] = a->w->reply->clips[--a->w->reply->n_clips];
  return 1;
}

/* In the time that was asked for; if that is more haste than an animal would be in, a cycle longer, then two. A turn on
 * the spot for which as much time is asked as its steps take may be divided: its length is left to the solver. */
static int run_unhurried(struct work *w, const struct transition_request *r)
{
  struct attempts a = {.w = w, .r = r};
  struct unhurried_check check = {accepts_attempt, &a};
  struct spacetime_report report;
  struct natural_report judged;
  struct spacetime_options o = options_of(w);
  struct transition_request open = *r;
  int on_spot = clip_is_still(r->from) && clip_is_still(r->to), may_last = r->frames > 0;
  open.frames = 0;
  if (!on_spot || r->frames != spacetime_transition_frames(w->arena, &open))
    open.frames = r->frames;
  w->patience = on_spot ? UNTIL_SOLVED : w->job->patient ? PATIENT : HASTY;
  struct clip *clip =
      unhurried_transition(w->arena, &open, may_last ? UNHURRIED_CYCLES : 0, &o, &check, &report, &judged);
  if (!clip || isinf(judged.excess))
    return 0;
  struct solved_way best = {.clip = a.clips[0]};
  for (int i = 1; i < a.n; i++)
    if (a.clips[i].clip == clip)
      best.clip = a.clips[i];
  judge_way(&best, &judged);
  put_way(w, 0, &best);
  return best.excess == 0 || w->job->lenient ? 1 : fail(w, SPACETIME_REJECTED);
}

/* Some motions are feasible only without task gradients: better that than none. */
static int run_candidate_transition(struct work *w)
{
  const struct candidate *x = &w->job->candidate;
  struct spacetime_task task = {w->job->alpha, gradient_at, (void *)w->job};
  struct transition_request r = {.c = w->c, .from = w->job->from, .to = w->job->to, .from_frame = x->from_frame,
                                 .to_frame = x->to_frame, .from_id = x->from_clip, .to_id = x->to_clip,
                                 .turn = x->turn, .frames = x->frames, .n_targets = w->job->n_targets,
                                 .targets = w->job->targets};
  w->part = "the transition";
  w->solves = 0;
  r.task = w->job->n_gradients ? &task : NULL;
  if (run_unhurried(w, &r))
    return 1;
  if (!r.task || w->solves < 2)
    return 0;
  r.task = NULL;
  return run_unhurried(w, &r);
}

/* As a part of a cycle: more than one clip hangs on it. */
static int run_transition(struct work *w, const struct transition_request *r)
{
  struct spacetime_report *report = ARENA_NEW(w->arena, 1, struct spacetime_report);
  struct spacetime_options o = options_of(w);
  w->patience = PATIENT;
  return keep_transition(w, r, spacetime_transition(w->arena, r, &o, report), report);
}

#define SAME_WAY 1e-6            /* shares by which the ways of a branch and of its mirror image differ */

/* What a way is chosen by: its frames; from or to a stand how far its feet must reach. 0: there is none. */
static double way_length(struct work *w, const struct transition_request *r)
{
  struct arena *scratch = arena_new();
  double length = spacetime_transition_frames(scratch, r);
  arena_free(scratch);
  if (length > 0 && (clip_is_still(r->from) || clip_is_still(r->to))) {
    struct spacetime_options o = options_of(w);
    length = spacetime_transition_strain(r, &o);
  }
  return length;
}

/* Puts into *frame, which belongs to the request, the branch of the cycle that makes the way shortest, the first of
 * equals, but longer than `longer`; 0 if there is none. Within a gait asks for that length: what is to be longer is
 * another candidate. To another gait there may be no way but a longer one, and without it that gait is lost: the solver
 * looks for it. */
static double choose_branch(struct work *w, struct transition_request *r, const struct clip *cycle, int *frame,
                            double longer)
{
  int best = graph_branch_frame(cycle->n_frames, w->job->branches, 0);
  double shortest = 0;
  r->frames = 0;
  for (int i = 0; i < w->job->branches; i++) {
    *frame = graph_branch_frame(cycle->n_frames, w->job->branches, i);
    double length = way_length(w, r);
    if (length > longer * (1 + SAME_WAY) && (shortest == 0 || length < shortest * (1 - SAME_WAY)))
      best = *frame, shortest = length;
  }
  *frame = best;
  r->frames = strcmp(r->from->gait, r->to->gait) == 0 ? (int)shortest : 0;
  return shortest;
}

/* From or to a cycle, by the branch that makes the way shortest, or the next longer ones: all that was solved so far
 * hangs on it. If none is possible, from the first branch: then the solver says why not. Of ways that no animal would
 * choose the best one is taken if there is no other. */
static int run_way(struct work *w, struct transition_request *r, const struct clip *cycle, int *frame)
{
  struct solved_way best = {.excess = INFINITY};
  int solved = w->reply->n_clips;
  double length = choose_branch(w, r, cycle, frame, 0);
  for (int tries = 0; tries < MOST_WAYS && (length > 0 || tries == 0) && best.excess > 0; tries++) {
    start_again(w, solved);
    if (run_transition(w, r)) {
      struct solved_way way = take_way(w, r, *frame);
      if (way.excess < best.excess)
        best = way;
    }
    length = length > 0 ? choose_branch(w, r, cycle, frame, length) : 0;
  }
  if (isinf(best.excess))
    return 0;
  put_way(w, solved, &best);
  *frame = best.frame;
  return 1;
}

/* A stand is the same all along: it is the cycle that the way comes from, or leads to, whose branch is chosen. */
static int run_cycle(struct work *w)
{
  const struct job *job = w->job;
  const struct candidate *x = &job->candidate;
  struct job_clip *clips = w->reply->clips;
  w->part = "the cycle";
  if (!run_gait(w))
    return 0;
  const struct clip *cycle = clips[0].clip;
  w->part = "the way into the cycle";
  struct transition_request in = {.c = w->c, .from = job->from, .to = cycle, .from_frame = x->from_frame,
                                  .from_id = x->from_clip, .turn = x->turn, .n_targets = job->n_targets,
                                  .targets = job->in_targets};
  int still = clip_is_still(cycle);
  if (!run_way(w, &in, still ? job->from : cycle, still ? &in.from_frame : &in.to_frame))
    return 0;
  clips[1].to = 0;
  w->part = "the way out of the cycle";
  struct transition_request out = {.c = w->c, .from = cycle, .to = job->to, .to_frame = x->to_frame,
                                   .to_id = x->to_clip, .turn = -x->turn, .n_targets = job->n_targets,
                                   .targets = job->out_targets};
  if (!run_way(w, &out, still ? job->to : cycle, still ? &out.to_frame : &out.from_frame))
    return 0;
  clips[2].from = 0;
  return 1;
}

static void run_candidate(struct work *w)
{
  switch (w->job->candidate.kind) {
  case CANDIDATE_FIRST:
    w->part = "the gait";
    run_gait(w);
    break;
  case CANDIDATE_TRANSITION: run_candidate_transition(w); break;
  case CANDIDATE_CYCLE: run_cycle(w); break;
  }
}

void job_run(void *user, const void *in, size_t n_in, struct farm_reply *out)
{
  const struct job_worker *worker = user;
  struct arena *arena = arena_new();
  const struct job *job = job_unpack(arena, in, n_in);
  const char *fault = !worker->creature ? "no creature was prepared" : !job ? "its bytes are damaged"
                                                                            : find_fault(worker->creature, job);
  if (fault) {
    farm_reply_fail(out, "this is not a job: %s", fault);
  } else {
    struct job_reply reply = {.status = SPACETIME_SOLVED, .what = ""};
    struct work w = {.arena = arena, .c = worker->creature, .job = job, .reply = &reply, .out = out};
    size_t n;
    run_candidate(&w);
    const void *bytes = job_reply_pack(arena, &reply, &n);
    farm_reply_write(out, bytes, n);
  }
  arena_free(arena);
}

/* The loop: choose, solve, verify, weigh, add. */
#include "search/synth.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "search/additions.h"
#include "search/job.h"
#include "search/predicted_gain.h"
#include "search/task_gradients.h"

static_assert(STORE_ATTEMPT_MEASURES == FEATURES_MEASURES, "what a candidate should measure is kept");

#define MOST_SOLVED 4096
#define IDLE_STEPS 4             /* in a row that gain too little: the end                                         */
#define LENIENT_AFTER 12         /* transitions that no animal would choose, and none that one would               */

static const char *const kind_words[] = {"first", "transition", "cycle"};
static const char *const status_words[] = {"solved", "refused", "failed", "rejected", "stopped"};

struct synth {
  struct job_worker worker;      /* must come first: what the farm's jobs see                                      */
  struct arena *arena;           /* of the whole run                                                               */
  struct store *store;
  const struct synth_options *o;
  struct diag *d;
  const struct creature *c;
  const struct task *task;
  int task_id;
  struct farm *farm;
  double start;                  /* of the clock                                                                   */

  int iteration, n_clips;        /* in the graph                                                                   */
  struct graph_clip *clips;
  int n_solved_candidates;       /* in the graph or not                                                            */
  struct solved_candidate *solved_candidates;
  int n_trials, room;            /* all that was tried                                                             */
  struct trial *trials;
  int solved, failed, idle;
  int transitions, rejected;     /* solved; that no animal would choose                                            */
  int lenient;                   /* all were of that kind: one of them is better than none                         */
  double cost, lower, upper, first_cost;
  int stop;                      /* somebody said so                                                               */
  int out_of_time;               /* in the middle of a step                                                        */
};

void synth_defaults(struct synth_options *o)
{
  *o = (struct synth_options){.strategy = CHOOSE_GUIDED,
                              .seed = 1,
                              .branches = 8,
                              .proposals = 96,
                              .solves = 4,
                              .job_seconds = 300, /* a last resort: iterations are limited, the same on all machines */
                              .clips = 0,
                              .target = -INFINITY,
                              .least_gain = 0.002,
                              .budget = INFINITY,
                              .workers = 2,
                              .farm = FARM_AUTO};
}

const char *synth_options_text(struct arena *arena, const struct synth_options *o)
{
  return arena_printf(arena,
                      "strategy=%s branches=%d proposals=%d solves=%d pulls=%d job_seconds=%.17g clips=%d target=%.17g",
                      choose_names[o->strategy], o->branches, o->proposals, o->solves, o->task_gradients,
                      o->job_seconds, o->clips, o->target);
}

int synth_options_read(const char *text, struct synth_options *o)
{
  char name[16];
  o->task_gradients = 0; /* run files of old know of none */
  int after_gradients = 0;
  if (sscanf(text, "strategy=%15s branches=%d proposals=%d solves=%d pulls=%d %n", name, &o->branches, &o->proposals,
             &o->solves, &o->task_gradients, &after_gradients) != 5 &&
      sscanf(text, "strategy=%15s branches=%d proposals=%d solves=%d %n", name, &o->branches, &o->proposals, &o->solves,
             &after_gradients) != 4)
    return 0;
  if (sscanf(text + after_gradients, "job_seconds=%lf clips=%d target=%lf", &o->job_seconds, &o->clips, &o->target) !=
      3)
    return 0;
  for (int i = 0; choose_names[i]; i++)
    if (strcmp(choose_names[i], name) == 0) {
      o->strategy = (enum choose_strategy)i;
      return o->branches >= 2 && o->branches % 2 == 0 && o->proposals > 0 && o->solves > 0 && o->solves <= 64;
    }
  return 0;
}

const char *synth_end_text(enum synth_end end)
{
  static const char *const texts[] = {"the graph has as many clips as were asked for",
                                      "the cost that was asked for is reached",
                                      "nothing more is to be gained",
                                      "the time is used up",
                                      "it was stopped",
                                      "there was an error"};
  return texts[end];
}

/* ---- progress ---- */

static double elapsed(const struct synth *y)
{
  return y->o->clock ? y->o->clock() - y->start : 0;
}

static void tell(struct synth *y, const char *words)
{
  struct synth_progress p = {y->iteration, y->n_clips, y->cost, y->first_cost, y->solved, y->failed, elapsed(y), words};
  if (y->o->progress && !y->o->progress(y->o->user, &p))
    y->stop = 1;
}

static int stop_asked(void *user)
{
  struct synth *y = user;
  if (!y->stop)
    tell(y, NULL);
  y->out_of_time |= elapsed(y) >= y->o->budget;
  return y->stop || y->out_of_time;
}

static const char *name_of_clip(void *user, int id)
{
  const struct synth *y = user;
  for (int i = 0; i < y->n_clips; i++)
    if (y->clips[i].id == id)
      return y->clips[i].clip->name;
  return "?";
}

/* ---- what the file holds ---- */

static const struct clip *load_clip(struct synth *y, int id)
{
  return store_get_clip(y->arena, y->store, id, y->d);
}

static void add_trial(struct synth *y, struct trial t)
{
  if (y->n_trials == y->room) {
    int room = 2 * y->room + 64;
    struct trial *more = ARENA_NEW(y->arena, (size_t)room, struct trial);
    if (y->n_trials)
      memcpy(more, y->trials, (size_t)y->n_trials * sizeof *more);
    y->trials = more, y->room = room;
  }
  y->trials[y->n_trials++] = t;
}

static int word_index(const char *const *words, int n, const char *word)
{
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], word) == 0)
      return i;
  return 0;
}

static struct candidate candidate_of(const struct store_attempt *a)
{
  struct candidate x = {(enum candidate_kind)word_index(kind_words, 3, a->kind),
                        a->from_clip,
                        a->from_frame,
                        a->to_clip,
                        a->to_frame,
                        a->turn,
                        a->frames,
                        a->gait,
                        a->speed,
                        a->strafe,
                        {0}};
  for (int i = 0; i < a->n_measured; i++)
    x.measured[i] = a->measured[i];
  return x;
}

/* Ends that name a clip of the same attempt. */
static int index_in(const struct store_attempt *a, int id, int before)
{
  for (int i = 0; i < before; i++)
    if (a->clips[i] == id)
      return i;
  return -1;
}

static const struct clip *clip_by_id(const struct synth *y, int id);

/* Of the cycles that a clip is, or leads from and to: see features_counted_effort(). 0 if they are not known. */
static double usual_effort(const struct synth *y, const struct solved_candidate *f, const struct clip *clip)
{
  double most = 0;
  if (clip->cyclic)
    return features_usual_effort(clip, features_effort(y->c, clip));
  for (int end = 0; end < 2; end++) {
    int id = end ? clip->to.clip : clip->from.clip;
    const struct clip *beside = clip_by_id(y, id);
    for (int i = 0; i < f->n_solved && !beside; i++)
      if (f->clips[i].id == id)
        beside = f->clips[i].clip;
    most = fmax(most, beside ? usual_effort(y, f, beside) : 0);
  }
  return most;
}

static double mean_log_effort(const struct synth *y, const struct solved_candidate *f)
{
  double sum = 0, unit = features_effort(y->c, y->n_clips ? y->clips[0].clip : f->clips[0].clip);
  for (int i = 0; i < f->n_solved; i++) {
    const struct clip *clip = f->clips[i].clip;
    sum += log(features_counted_effort(features_effort(y->c, clip), usual_effort(y, f, clip)) / unit);
  }
  return sum / f->n_solved;
}

/* Takes an attempt that is in the file into the books. 0 after an error. */
static int book_attempt(struct synth *y, const struct store_attempt *a)
{
  struct trial t = {.candidate = candidate_of(a), .solved = a->n_clips > 0};
  y->solved += t.solved;
  y->failed += !t.solved;
  y->transitions += t.solved && t.candidate.kind == CANDIDATE_TRANSITION;
  y->rejected += strcmp(a->status, status_words[SPACETIME_REJECTED]) == 0;
  if (t.solved && y->n_solved_candidates < MOST_SOLVED) {
    struct solved_candidate *f = &y->solved_candidates[y->n_solved_candidates++];
    *f = (struct solved_candidate){.candidate = t.candidate, .n_clips = a->n_clips, .n_solved = a->n_clips};
    for (int i = 0; i < a->n_clips; i++) {
      const struct clip *clip = load_clip(y, a->clips[i]);
      if (!clip)
        return 0;
      f->clips[i] = (struct solved_clip){a->clips[i], clip, clip->cyclic ? -1 : index_in(a, clip->from.clip, i),
                                       clip->cyclic ? -1 : index_in(a, clip->to.clip, i)};
    }
    t.log_effort = f->log_effort = mean_log_effort(y, f);
    if (t.candidate.kind == CANDIDATE_TRANSITION && f->clips[0].clip->n_frames > t.candidate.frames) {
      add_trial(y, (struct trial){.candidate = t.candidate}); /* in the time asked for it did not work out */
      t.candidate.frames = f->candidate.frames = f->clips[0].clip->n_frames;
    }
  }
  add_trial(y, t);
  return 1;
}

static void book_step(struct synth *y, const struct store_step *s)
{
  double before = y->cost;
  y->cost = s->cost, y->lower = s->lower, y->upper = s->upper;
  if (s->iteration == 0)
    y->first_cost = s->cost;
  y->idle = s->iteration > 0 && !(before - s->cost > y->o->least_gain * fabs(before)) ? y->idle + 1 : 0;
  y->iteration = s->iteration + 1;
}

static int add_to_graph(struct synth *y, int id)
{
  const struct clip *clip = load_clip(y, id);
  y->clips[y->n_clips++] = (struct graph_clip){id, clip, NULL};
  for (int i = 0; i < y->n_solved_candidates; i++)
    for (int k = 0; k < y->solved_candidates[i].n_solved; k++)
      if (y->solved_candidates[i].clips[k].id == id)
        y->solved_candidates[i].in_graph = 1;
  return clip != NULL;
}

/* Reads steps and attempts, in the order in which they came about. */
static int restore(struct synth *y)
{
  int n_steps = 0, n = 0;
  struct store_step *steps = store_list_steps(y->arena, y->store, &n_steps, y->d);
  for (int i = 0; steps && i < n_steps; i++) {
    struct store_attempt *attempts = store_list_attempts(y->arena, y->store, i, &n, y->d);
    for (int k = 0; attempts && k < n; k++)
      if (!book_attempt(y, &attempts[k]))
        return 0;
    for (int k = 0; attempts && k < steps[i].n_clips; k++)
      if (!add_to_graph(y, steps[i].clips[k]))
        return 0;
    if (!attempts)
      return 0;
    book_step(y, &steps[i]);
  }
  return steps != NULL;
}

/* ---- solving ---- */

static const struct clip *clip_by_id(const struct synth *y, int id)
{
  for (int i = 0; i < y->n_clips; i++)
    if (y->clips[i].id == id)
      return y->clips[i].clip;
  return NULL;
}

/* How far a cyclic clip's velocity, seen from the nose, is from what a candidate asks for [m/s]. */
static double velocity_gap(const struct clip *clip, const struct candidate *x)
{
  return hypot(clip->speed * cos(clip->strafe) - x->speed * cos(x->strafe),
               clip->speed * sin(clip->strafe) - x->speed * sin(x->strafe));
}

/* The cyclic clip of the gait that is nearest in velocity and in what the task measures; none, if to stand still would
 * be nearer in velocity. */
static const struct clip *nearest_cycle(const struct scene *s, const struct candidate *x)
{
  const struct clip *best = NULL;
  double least = INFINITY, unit = 0.2 * sqrt(CREATURE_GRAVITY * s->c->height); /* as in scene.c */
  for (int i = 0; i < s->n_clips; i++) {
    const struct clip *clip = s->clips[i].clip;
    if (!clip->cyclic || strcmp(clip->gait, s->c->gaits[x->gait].name) != 0 ||
        !(velocity_gap(clip, x) < 0.5 * x->speed))
      continue;
    double gap = velocity_gap(clip, x);
    if (s->task->measures.n > 0)
      gap = hypot(gap, unit * task_measured_gap(s->task, scene_features(s, i).measured, x->measured));
    if (gap < least)
      best = clip, least = gap;
  }
  return best;
}

/* What the clips of a candidate should measure, from the cycles at their ends. */
static void set_targets(const struct scene *s, const struct candidate *x, struct job *job)
{
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  if (s->task->measures.n == 0 || a < 0 || b < 0)
    return;
  struct frame_features from = scene_features(s, a), to = scene_features(s, b);
  if (x->kind == CANDIDATE_TRANSITION) {
    job->n_targets = task_targets(s->task, from.measured, to.measured, job->targets);
  } else {
    job->n_targets = task_targets(s->task, x->measured, x->measured, job->targets);
    task_targets(s->task, from.measured, x->measured, job->in_targets);
    task_targets(s->task, x->measured, to.measured, job->out_targets);
  }
}

/* s: the scene that it was chosen in, NULL for the first. */
static void submit(struct synth *y, const struct scene *s, int place, const struct choice *choice)
{
  const struct candidate *x = &choice->candidate;
  struct arena *scratch = arena_new();
  struct job job = {.candidate = *x, .max_seconds = y->o->job_seconds, .branches = y->o->branches,
                    .alpha = y->task->alpha, .patient = choice->small_step, .lenient = y->lenient};
  struct task_gradient gradients[TASK_GRADIENTS];
  size_t n;
  if (s && y->o->task_gradients) {
    job.n_gradients = task_gradients_of(scratch, s, x, gradients);
    job.gradients = gradients;
  }
  if (s)
    set_targets(s, x, &job);
  if (x->kind != CANDIDATE_FIRST) {
    job.from = clip_by_id(y, x->from_clip);
    job.to = clip_by_id(y, x->to_clip);
    job.near = x->kind == CANDIDATE_CYCLE ? nearest_cycle(s, x) : NULL;
  }
  const void *bytes = job_pack(scratch, &job, &n);
  farm_submit(y->farm, (uint64_t)place, bytes, n);
  arena_free(scratch);
}

/* Keeps what came of an attempt. 0 after an error. */
static int keep_attempt(struct synth *y, const struct choice *x, int place, const struct farm_result *r)
{
  struct arena *scratch = arena_new();
  const struct job_reply *reply = r->outcome == FARM_DONE ? job_reply_unpack(scratch, r->bytes, r->n_bytes) : NULL;
  const struct candidate *c = &x->candidate;
  struct store_attempt a = {.iteration = y->iteration,
                            .place = place,
                            .kind = kind_words[c->kind],
                            .from_clip = c->from_clip,
                            .from_frame = c->from_frame,
                            .to_clip = c->to_clip,
                            .to_frame = c->to_frame,
                            .turn = c->turn,
                            .frames = c->frames,
                            .gait = c->gait,
                            .speed = c->speed,
                            .strafe = c->strafe,
                            .gain = x->gain,
                            .chance = x->chance,
                            .outcome = farm_outcome_name(r->outcome),
                            .status = reply ? reply->n_clips                      ? "solved"
                                              : reply->status == SPACETIME_SOLVED ? "not valid"
                                                                                  : status_words[reply->status]
                                            : "failed",
                            .reason = reply ? arena_printf(scratch, "%s%s%s", reply->what, *reply->what ? ": " : "",
                                                           reply->reason)
                                            : r->words,
                            .seconds = r->cpu_seconds,
                            .peak_memory = r->peak_memory,
                            .n_clips = reply ? reply->n_clips : 0};
  a.n_measured = c->kind == CANDIDATE_CYCLE ? y->task->measures.n : 0;
  memcpy(a.measured, c->measured, sizeof a.measured);
  struct store_new_clip clips[JOB_CLIPS];
  for (int i = 0; reply && i < reply->n_clips; i++)
    clips[i] =
        (struct store_new_clip){reply->clips[i].clip,
                                {&reply->clips[i].summary, reply->clips[i].report, &reply->clips[i].verification},
                                reply->clips[i].from,
                                reply->clips[i].to};
  int good = store_add_attempt(y->store, &a, clips, y->d) && book_attempt(y, &a);
  arena_free(scratch);
  return good;
}

#define MOST_LOST 8              /* workers in a row that were killed from outside: then it is the job's fault      */

/* The next result. What is lost by no fault of its own, such as to a machine without memory, is tried again, and so are
 * those behind it: results come in order. Returns as farm_collect() does. */
static int collect(struct synth *y, const struct scene *s, const struct choice *choices, int place, int n,
                   struct farm_result *r)
{
  int got = farm_collect(y->farm, r);
  for (int i = 0; i < MOST_LOST && got == 1 && r->outcome == FARM_LOST; i++) {
    while ((got = farm_collect(y->farm, r)) == 1)
      ;
    for (int k = place; k < n && got == 0; k++)
      submit(y, s, k, &choices[k]);
    got = got == 0 ? farm_collect(y->farm, r) : got;
  }
  return got;
}

/* Solves what was chosen, apart from what was solved before the run was interrupted. 0 after an error or when it is to
 * stop. */
static int solve_choices(struct synth *y, const struct scene *s, const struct choice *choices, int n)
{
  struct arena *scratch = arena_new();
  int done = 0, good = 1;
  struct store_attempt *old = store_list_attempts(scratch, y->store, y->iteration, &done, y->d);
  for (int k = 0; old && k < done; k++)
    good = good && book_attempt(y, &old[k]);
  for (int k = done; k < n; k++)
    submit(y, s, k, &choices[k]);
  for (int k = done; old && good && k < n; k++) {
    struct farm_result r;
    tell(y, candidate_text(scratch, y->c, &choices[k].candidate, name_of_clip, y));
    good = collect(y, s, choices, k, n, &r) == 1 && keep_attempt(y, &choices[k], k, &r);
  }
  arena_free(scratch);
  return old && good;
}

/* ---- adding ---- */

/* A mirror image, with what is known of it: it is verified here. The clips of its candidate begin at `first`. */
static struct store_new_clip judge_mirror(struct synth *y, struct arena *arena, const struct solved_clip *k, int first)
{
  struct clip_summary *summary = ARENA_NEW(arena, 1, struct clip_summary);
  struct verify_report *verification = ARENA_NEW(arena, 1, struct verify_report);
  spacetime_summarize(arena, y->c, k->clip, summary);
  verify_clip(arena, y->c, k->clip, verification);
  return (struct store_new_clip){k->clip, {summary, NULL, verification}, k->from < 0 ? -1 : first + k->from,
                                 k->to < 0 ? -1 : first + k->to};
}

/* Adds solved candidates to the graph, in the file first. 0 after an error. */
static int keep_step(struct synth *y, const struct addition *a, struct store_step *step)
{
  struct arena *scratch = arena_new();
  int ids[SOLVED_CLIPS * ADDITIONS_MOST] = {0};
  struct store_new_clip clips[SOLVED_CLIPS * ADDITIONS_MOST] = {{0}};
  step->iteration = y->iteration;
  step->clips = ids;
  for (int k = 0; k < a->n; k++)
    for (int i = 0, first = step->n_clips; i < a->solved_candidates[k]->n_clips; i++) {
      const struct solved_clip *f = &a->solved_candidates[k]->clips[i];
      int at = step->n_clips++;
      ids[at] = f->id;
      if (!f->id)
        clips[at] = judge_mirror(y, scratch, f, first);
    }
  int good = store_add_step(y->store, step, clips, y->d);
  arena_free(scratch);
  for (int i = 0; good && i < step->n_clips; i++)
    good = add_to_graph(y, ids[i]);
  if (good)
    book_step(y, step);
  return good;
}

/* ---- steps ---- */

/* Features of clips are kept for the next time. */
static struct controller *controller_now(struct synth *y, struct arena *arena, int branches)
{
  struct graph_input in = {y->c, "the run", y->n_clips, y->clips, branches, &y->task->measures};
  struct controller *c = controller_new(arena, &in, y->task, NULL, y->d);
  for (int i = 0; c && i < y->n_clips; i++)
    if (!y->clips[i].features) {
      size_t n = (size_t)y->clips[i].clip->n_frames;
      struct frame_features *kept = ARENA_NEW(y->arena, n, struct frame_features);
      y->clips[i].features = memcpy(kept, c->graph->clips[i].features, n * sizeof *kept);
    }
  return c;
}

/* Step 0: the first gait, at the middle of its range of speeds. */
static int first_step(struct synth *y)
{
  const struct gait *g = &y->c->gaits[0];
  struct choice first = {{.kind = CANDIDATE_FIRST, .gait = 0, .speed = 0.5 * (g->speed_min + g->speed_max)}, 0, 1, 0};
  struct store_step step = {.n_candidates = 1};
  double begun = elapsed(y);
  if (!solve_choices(y, NULL, &first, 1))
    return 0;
  if (y->n_solved_candidates == 0) {
    diag_error(y->d, y->c->name, 0, "the first gait, '%s', was not found; `muybridge gait` says more", g->name);
    return 0;
  }
  step.seconds_solving = elapsed(y) - begun;
  y->clips[0] = (struct graph_clip){y->solved_candidates[0].clips[0].id, y->solved_candidates[0].clips[0].clip, NULL};
  y->n_clips = 1;
  struct arena *scratch = arena_new();
  const struct controller *c = controller_now(y, scratch, y->o->branches);
  y->n_clips = 0;
  if (c)
    step.cost = c->cost, step.lower = c->lower, step.upper = c->upper;
  arena_free(scratch);
  return c && keep_step(y, &(struct addition){1, {&y->solved_candidates[0]}, step.cost}, &step);
}

static int next_step(struct synth *y)
{
  struct arena *scratch = arena_new();
  struct store_step step = {0};
  /* with several parameters choosing takes longer, and there is more to choose */
  int solves = (y->task->n_parameters > 1 ? 2 : 1) * y->o->solves;
  struct choice *choices = ARENA_NEW(scratch, (size_t)solves, struct choice);
  double t0 = elapsed(y);
  struct controller *c = controller_now(y, scratch, y->o->branches);
  struct scene *s = c ? scene_new(scratch, c, y->o->branches) : NULL;
  int good = c != NULL, n = 0, first = y->n_solved_candidates;
  if (good) {
    s->base = predicted_gain_prepare(scratch, s);
    double t1 = elapsed(y);
    struct choose_input in = {
        s,           y->o->strategy, y->o->proposals, solves, rng_stream(y->o->seed, (uint64_t)y->iteration),
        y->n_trials, y->trials};
    y->lenient = y->rejected >= LENIENT_AFTER && y->transitions == 0; /* known before the step: the same if resumed */
    tell(y, y->lenient ? "looking for candidates, even such as no animal would choose" : "looking for candidates");
    n = choose_candidates(scratch, &in, choices, &step.n_candidates);
    double t2 = elapsed(y);
    good = solve_choices(y, s, choices, n);
    double t3 = elapsed(y);
    if (good) {
      tell(y, "weighing what was found");
      struct additions_input found = {s, y->n_solved_candidates, y->solved_candidates, first, y->o->strategy, y->cost,
                                   y->o->clips > 0 ? y->o->clips - y->n_clips : INT_MAX};
      struct addition a = additions_choose(scratch, &found);
      step.cost = a.cost;
      step.lower = a.n ? step.cost : y->lower, step.upper = a.n ? step.cost : y->upper;
      step.seconds_estimating = t2 - t1, step.seconds_solving = t3 - t2,
      step.seconds_evaluating = elapsed(y) - t3 + t1 - t0;
      good = keep_step(y, &a, &step);
    }
  }
  arena_free(scratch);
  return good;
}

/* The end that has been reached, -1: none. */
static int end_reached(const struct synth *y)
{
  const struct synth_options *o = y->o;
  if (y->stop)
    return SYNTH_STOPPED;
  if (o->clips > 0 && y->n_clips >= o->clips)
    return SYNTH_CLIPS;
  if (y->iteration > 0 && y->cost <= o->target)
    return SYNTH_TARGET;
  if (y->idle >= IDLE_STEPS && o->strategy != CHOOSE_UNIFORM)
    return SYNTH_GAIN;
  return elapsed(y) >= o->budget ? SYNTH_BUDGET : -1;
}

/* The controller of the graph as it is now goes into the run file. */
static int keep_controller(struct synth *y)
{
  struct arena *scratch = arena_new();
  const struct controller *c = y->n_clips ? controller_now(y, scratch, 0) : NULL;
  size_t n = 0;
  const void *bytes = c ? controller_bytes(scratch, c, &n, y->d) : NULL;
  int good =
      bytes && store_put_controller(y->store,
                                    &(struct store_controller){.task = y->task_id,
                                                               .cost = c->cost,
                                                               .cost_lower = c->lower,
                                                               .cost_upper = c->upper,
                                                               .n_clips = c->graph->n_clips - c->graph->n_left_out,
                                                               .n_nodes = c->graph->n_nodes,
                                                               .n_segments = c->graph->n_segments,
                                                               .bytes = bytes,
                                                               .n_bytes = n},
                                    y->d);
  arena_free(scratch);
  return good;
}

/* ---- set-up ---- */

static const struct task *load_task(struct synth *y)
{
  const char *file;
  size_t length;
  const char *text = store_get_task_text(y->arena, y->store, y->task_id, &file, &length, y->d);
  const struct task_file *t = text ? task_parse(y->arena, file, text, length, y->d) : NULL;
  return t ? task_bind(y->arena, t, y->c, y->d) : NULL;
}

static int open_farm(struct synth *y)
{
  size_t n;
  const char *text = store_get_creature_text(y->arena, y->store, &n, y->d);
  struct farm_options o = {.kind = y->o->farm,
                           .service = "search",
                           .workers = y->o->workers,
                           .job_seconds = 4 * y->o->job_seconds + 10,
                           .job_memory = (size_t)2 << 30,
                           .user = y,
                           .run = job_run,
                           .prepare = job_prepare,
                           .shared = text,
                           .n_shared = n,
                           .stop = stop_asked};
  y->farm = text ? farm_open(y->arena, &o, y->d) : NULL;
  return y->farm != NULL;
}

static int set_up(struct synth *y)
{
  struct store_synth stored;
  int there = store_get_synth(y->arena, y->store, &stored, y->d);
  if (there == 0)
    diag_error(y->d, "the run", 0, "there is no synthesis in this run file");
  if (there != 1)
    return 0;
  y->task_id = stored.task;
  y->c = store_get_creature(y->arena, y->store, y->d);
  y->task = y->c ? load_task(y) : NULL;
  y->solved_candidates = ARENA_NEW(y->arena, MOST_SOLVED, struct solved_candidate);
  y->clips = ARENA_NEW(y->arena, SOLVED_CLIPS * MOST_SOLVED, struct graph_clip);
  return y->task && open_farm(y) && restore(y);
}

enum synth_end synth_run(struct store *store, const struct synth_options *o, struct diag *d)
{
  struct synth y = {.arena = arena_new(), .store = store, .o = o, .d = d, .start = o->clock ? o->clock() : 0};
  int end = set_up(&y) ? end_reached(&y) : SYNTH_FAILED;
  while (end < 0) {
    int good = y.iteration == 0 ? first_step(&y) : next_step(&y);
    end = good            ? end_reached(&y)
          : y.stop        ? SYNTH_STOPPED
          : y.out_of_time ? SYNTH_BUDGET
                          : SYNTH_FAILED;
  }
  farm_close(y.farm);
  if (end != SYNTH_FAILED && y.n_clips && !keep_controller(&y))
    end = SYNTH_FAILED;
  job_worker_clear(&y.worker);
  arena_free(y.arena);
  return (enum synth_end)end;
}

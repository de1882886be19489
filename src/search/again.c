/* See again.h. Cycles first, then transitions whose ends are there, until nothing more can be done: a transition may
 * leave or enter another one. */
#include "search/again.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/mirror.h"
#include "motion/verify.h"

#define MIRROR_TOLERANCE 1e-6   /* as search/scene.c */

struct work {
  struct arena *arena;
  const struct graph_input *was;
  const struct creature *now;
  const struct task *task;
  const struct again_options *o;
  const struct motion_graph *graph; /* of what was, with the task's measures; NULL without a task */
  struct clip **clips;          /* new ones; NULL: none yet                            (n_clips) */
  int *is_tried;                /*                                                     (n_clips) */
  struct again *out;
};

void again_defaults(struct again_options *o)
{
  *o = (struct again_options){.mirror = 1};
  spacetime_defaults(&o->spacetime);
  o->spacetime.max_seconds = 10;
}

static const struct clip *old_clip(const struct work *w, int i) { return w->was->clips[i].clip; }

static int index_of(const struct work *w, int id)
{
  for (int i = 0; i < w->was->n_clips; i++)
    if (w->was->clips[i].id == id)
      return i;
  return -1;
}

static void lose(struct work *w, int i, const char *why)
{
  w->out->n_lost++;
  if (!w->out->reason[0])
    snprintf(w->out->reason, sizeof w->out->reason, "clip %d, %s: %s", w->was->clips[i].id, old_clip(w, i)->name, why);
}

/* A frame of a clip in its new version, at the same phase. */
static int new_frame(const struct work *w, int i, int frame)
{
  const struct clip *old = old_clip(w, i), *new = w->clips[i];
  if (!old->cyclic || old->n_frames == new->n_frames)
    return frame;
  return (int)lround((double)frame * new->n_frames / old->n_frames) % new->n_frames;
}

/* What a clip measured of what the task measures: of a cycle on average, of a transition at a frame. */
static void measured_at(const struct work *w, int i, int frame, double *out)
{
  const struct frame_features *f = w->graph->clips[i].features;
  int n = old_clip(w, i)->n_frames;
  for (int m = 0; m < FEATURES_MEASURES; m++) {
    out[m] = old_clip(w, i)->cyclic ? 0 : f[frame].measured[m];
    for (int k = 0; old_clip(w, i)->cyclic && k < n; k++)
      out[m] += f[k].measured[m] / n;
  }
}

static int targets_of(const struct work *w, int from, int from_frame, int to, int to_frame, struct posture_target *out)
{
  double a[FEATURES_MEASURES], b[FEATURES_MEASURES];
  if (!w->graph)
    return 0;
  measured_at(w, from, from_frame, a);
  measured_at(w, to, to_frame, b);
  return task_targets(w->task, a, b, out);
}

static struct clip *verified(const struct work *w, struct clip *clip, const struct verify_neighbours *beside)
{
  struct verify_report v;
  if (!clip)
    return NULL;
  verify_transition(w->arena, w->now, clip, beside, &v);
  return v.passed ? clip : NULL;
}

static void solve_cycle(struct work *w, int i)
{
  const struct clip *old = old_clip(w, i);
  const struct creature *c = w->now;
  struct posture_target targets[SPACETIME_TARGETS];
  struct spacetime_report *report = ARENA_NEW(w->arena, 1, struct spacetime_report);
  int gait = creature_find_gait(c, old->gait), before = creature_find_gait(w->was->creature, old->gait);
  if (gait < 0) {
    lose(w, i, "the creature has no such gait any more");
    return;
  }
  double period = gait_period(&c->gaits[gait], old->speed);
  double old_period = before < 0 ? period : gait_period(&w->was->creature->gaits[before], old->speed);
  struct gait_request r = {.c = c, .gait = gait, .speed = old->speed, .strafe = old->strafe, .near = old,
                           .targets = targets};
  r.near_frames = (int)lround(old->n_frames * period / old_period * c->frame_rate / w->was->creature->frame_rate);
  r.n_targets = targets_of(w, i, 0, i, 0, targets);
  w->clips[i] = verified(w, spacetime_gait(w->arena, &r, &w->o->spacetime, report), &(struct verify_neighbours){0});
  w->out->n_solved += w->clips[i] != NULL;
  w->out->is_stopped |= report->status == SPACETIME_STOPPED;
  if (!w->clips[i])
    lose(w, i, report->reason[0] ? report->reason : "it misses a bar of the verification");
}

/* ---- transitions ---- */

static int same_frame(const struct clip *clip, int a, int b)
{
  return clip->cyclic ? (a - b) % clip->n_frames == 0 : a == b;
}

/* By how many frames the mirror image of a new clip goes on before it is the clip; -1: it is not. */
static int shift_of(const struct work *w, int i)
{
  int shift;
  return w->clips[i]->cyclic && clip_mirror_shift(w->now, w->clips[i], MIRROR_TOLERANCE, &shift) ? shift : -1;
}

/* A transition that is solved already and that clip i is the mirror image of; -1: there is none. */
static int image_of(const struct work *w, int i, int from, int to)
{
  const struct clip *old = old_clip(w, i);
  int a = shift_of(w, from), b = shift_of(w, to);
  if (!w->o->mirror || a < 0 || b < 0 || !creature_is_symmetric(w->now, NULL))
    return -1;
  for (int k = 0; k < w->was->n_clips; k++) {
    const struct clip *x = old_clip(w, k);
    if (w->clips[k] && !x->cyclic && x->from.clip == old->from.clip && x->to.clip == old->to.clip &&
        x->n_frames == old->n_frames && fabs(x->turn + old->turn) < 1e-9 &&
        same_frame(w->clips[from], new_frame(w, from, x->from.frame) + a, new_frame(w, from, old->from.frame)) &&
        same_frame(w->clips[to], new_frame(w, to, x->to.frame) + b, new_frame(w, to, old->to.frame)))
      return k;
  }
  return -1;
}

static void solve_transition(struct work *w, int i, int from, int to)
{
  const struct clip *old = old_clip(w, i);
  struct posture_target targets[SPACETIME_TARGETS];
  struct spacetime_report *report = ARENA_NEW(w->arena, 1, struct spacetime_report);
  struct transition_request r = {.c = w->now, .from = w->clips[from], .to = w->clips[to],
                                 .from_frame = new_frame(w, from, old->from.frame),
                                 .to_frame = new_frame(w, to, old->to.frame), .from_id = old->from.clip,
                                 .to_id = old->to.clip, .turn = old->turn, .near = old, .targets = targets};
  struct verify_neighbours beside = {r.from, r.to, r.from_frame, r.to_frame};
  int image = image_of(w, i, from, to);
  if (image >= 0) {
    struct clip *clip = clip_mirror(w->arena, w->now, w->clips[image]);
    clip->from = (struct clip_end){r.from_id, r.from_frame};
    clip->to = (struct clip_end){r.to_id, r.to_frame};
    clip->name = old->name;
    w->clips[i] = verified(w, clip, &beside);
    w->out->n_mirrored += w->clips[i] != NULL;
  }
  if (w->clips[i])
    return;
  r.n_targets = targets_of(w, from, old->from.frame, to, old->to.frame, targets);
  r.frames = old_clip(w, from)->n_frames == w->clips[from]->n_frames &&
             old_clip(w, to)->n_frames == w->clips[to]->n_frames ? old->n_frames : 0;
  struct clip *clip = verified(w, spacetime_transition(w->arena, &r, &w->o->spacetime, report), &beside);
  w->out->is_stopped |= report->status == SPACETIME_STOPPED;
  if (!clip) {
    lose(w, i, report->reason[0] ? report->reason : "it misses a bar of the verification");
    return;
  }
  clip->name = old->name;
  w->clips[i] = clip;
  w->out->n_solved++;
}

/* ---- all ---- */

/* Tries what can be tried now. 0: nothing could. */
static int solve_round(struct work *w, int *n_done)
{
  int any = 0;
  for (int i = 0; i < w->was->n_clips && !w->out->is_stopped; i++) {
    const struct clip *old = old_clip(w, i);
    int from = index_of(w, old->from.clip), to = index_of(w, old->to.clip);
    int ready = old->cyclic || (from >= 0 && to >= 0 && w->clips[from] && w->clips[to]);
    if (w->is_tried[i] || !ready)
      continue;
    if (old->cyclic)
      solve_cycle(w, i);
    else
      solve_transition(w, i, from, to);
    w->is_tried[i] = any = 1;
    if (w->o->progress && !w->o->progress(w->o->user, ++*n_done, w->was->n_clips))
      w->out->is_stopped = 1;
  }
  return any;
}

static int same_axes(const struct creature *a, const struct creature *b)
{
  int same = a->n_dofs == b->n_dofs && a->n_points == b->n_points;
  for (int i = 0; same && i < a->n_dofs; i++)
    same = !strcmp(a->dofs[i].name, b->dofs[i].name);
  for (int i = 0; same && i < a->n_points; i++)
    same = !strcmp(a->points[i].name, b->points[i].name);
  return same;
}

/* The clips that are there, in their order. */
static void collect(struct work *w)
{
  struct graph_clip *kept = ARENA_NEW(w->arena, (size_t)w->was->n_clips, struct graph_clip);
  w->out->clips = (struct graph_input){.creature = w->now, .file = w->was->file, .clips = kept,
                                       .branches = w->was->branches, .measures = w->was->measures};
  for (int i = 0; i < w->was->n_clips; i++)
    if (w->clips[i])
      kept[w->out->clips.n_clips++] = (struct graph_clip){w->was->clips[i].id, w->clips[i], NULL};
    else if (!w->is_tried[i])
      lose(w, i, "a clip at its end is lost");
}

int again_solve(struct arena *arena, const struct graph_input *was, const struct creature *now, const struct task *task,
                const struct again_options *o, struct again *out, struct diag *d)
{
  size_t n = (size_t)was->n_clips;
  struct work w = {.arena = arena, .was = was, .now = now, .task = task, .o = o, .out = out,
                   .clips = ARENA_NEW(arena, n, struct clip *), .is_tried = ARENA_NEW(arena, n, int)};
  struct graph_input measured = *was;
  int n_done = 0, cycles = 0;
  *out = (struct again){0};
  if (!same_axes(was->creature, now)) {
    diag_error(d, now->file, 0, "axes or contact points have changed: clips of before are no start");
    return 0;
  }
  if (task && task->measures.n > 0) {
    measured.measures = &task->measures;
    w.graph = graph_new(arena, &measured, d);
    if (!w.graph)
      return 0;
  }
  while (!out->is_stopped && solve_round(&w, &n_done)) {}
  if (out->is_stopped)
    return 1;
  collect(&w);
  for (int i = 0; i < out->clips.n_clips; i++)
    cycles += out->clips.clips[i].clip->cyclic;
  if (!cycles)
    diag_error(d, now->file, 0, "no cycle of the controller can be solved any more: %s", out->reason);
  return cycles > 0;
}

/* Strategies. All draw from the same candidates and differ in how they weigh them. */
#include "search/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"
#include "search/initial.h"
#include "search/coverage.h"
#include "search/predicted_gain.h"
#include "search/stand.h"
#include "search/surrogate.h"

const char *const choose_names[] = {"guided", "paper", "uniform", NULL};

/* ---- what a candidate asks for, as the surrogates see it ---- */

/* What is measured at its start and its end, in units. */
static void put_measured(const struct scene *s, const double *from, const double *to, struct surrogate_request *r)
{
  for (int i = 0; i < s->task->n_parameters; i++) {
    const struct task_parameter *p = &s->task->parameters[i];
    if (p->measure < 0)
      continue;
    r->measured[p->measure] = to[p->measure] / p->unit;
    r->measured_change[p->measure] = (to[p->measure] - from[p->measure]) / p->unit;
  }
}

static struct surrogate_request request_of(const struct scene *s, const struct candidate *x)
{
  double unit = sqrt(CREATURE_GRAVITY * s->c->height);
  int a = scene_find(s, x->from_clip), b = scene_find(s, x->to_clip);
  if (a < 0 || b < 0)
    return (struct surrogate_request){.cycles = 1, .speed = x->speed / unit, .strafe = x->strafe, .gait = x->gait};
  const struct clip *from = s->clips[a].clip, *to = s->clips[b].clip;
  struct surrogate_request r = {.cycles = 1,
                                .speed = x->speed / unit,
                                .speed_change = (x->speed - from->speed) / unit,
                                .strafe = x->strafe,
                                .gait = x->gait};
  if (x->kind == CANDIDATE_CYCLE) {
    r.gait_change = strcmp(from->gait, s->c->gaits[x->gait].name) != 0;
    put_measured(s, scene_features(s, a).measured, x->measured, &r);
    return r;
  }
  double cycle = 0.5 * (from->n_frames + to->n_frames);
  r = (struct surrogate_request){.turn = x->turn,
                                 .cycles = (x->frames - 2) / cycle,
                                 .speed = to->speed / unit,
                                 .speed_change = (to->speed - from->speed) / unit,
                                 .strafe = to->strafe,
                                 .gait = creature_find_gait(s->c, to->gait),
                                 .gait_change = strcmp(from->gait, to->gait) != 0};
  put_measured(s, scene_features(s, a).measured, scene_features(s, b).measured, &r);
  return r;
}

/* How far two frames of a cycle are apart, for want of anything better before they are compared pose by pose: by their
 * phase. */
static double phase_distance(const struct scene *s, int id_a, int frame_a, int id_b, int frame_b)
{
  int a = scene_find(s, id_a), b = scene_find(s, id_b);
  if (a < 0 || b < 0 || a != b)
    return 1;
  return 0.3 * sqrt(2 - 2 * cos(2 * PI * (frame_a - frame_b) / s->clips[a].clip->n_frames));
}

/* The square of the distance that success is learned by. Of two turns in one cycle the foot on which they begin, and
 * how many cycles they take, tell more than equation 10 has it; where they end follows from these. */
static double distance2_of(const struct scene *s, const struct candidate *x, const struct candidate *t)
{
  struct surrogate_request mine = request_of(s, x), other = request_of(s, t);
  double from = 2 * phase_distance(s, x->from_clip, x->from_frame, t->from_clip, t->from_frame),
         to = x->to_clip == t->to_clip ? 0 : 0.7;
  other.cycles = mine.cycles + 2 * (other.cycles - mine.cycles);
  mine.turn = x->turn, other.turn = t->turn; /* of a cycle: that of its ways */
  return surrogate_distance2(&mine, &other, x->from_clip == t->from_clip ? from : 0.7, to);
}

static double chance_of(struct arena *scratch, const struct choose_input *in, const struct candidate *x)
{
  struct surrogate_attempt *attempts = ARENA_NEW(scratch, (size_t)in->n_trials + 1, struct surrogate_attempt);
  int n = 0;
  for (int i = 0; i < in->n_trials; i++) {
    const struct trial *t = &in->trials[i];
    if (t->candidate.kind == x->kind)
      attempts[n++] = (struct surrogate_attempt){t->solved, 1, distance2_of(in->s, x, &t->candidate)};
  }
  return surrogate_chance(n, attempts);
}

/* That of the paper, as it is printed. */
static double chance_of_paper(struct arena *scratch, const struct choose_input *in, const struct candidate *x)
{
  struct surrogate_attempt *attempts = ARENA_NEW(scratch, (size_t)in->n_trials + 1, struct surrogate_attempt);
  struct surrogate_request mine = request_of(in->s, x);
  int n = 0;
  for (int i = 0; i < in->n_trials; i++) {
    const struct candidate *t = &in->trials[i].candidate;
    if (t->kind != x->kind)
      continue;
    struct surrogate_request other = request_of(in->s, t);
    double from = phase_distance(in->s, x->from_clip, x->from_frame, t->from_clip, t->from_frame);
    double to = phase_distance(in->s, x->to_clip, x->to_frame, t->to_clip, t->to_frame);
    attempts[n++] = (struct surrogate_attempt){in->trials[i].solved, 1, surrogate_distance2(&mine, &other, from, to)};
  }
  return surrogate_success(n, attempts, 1, SURROGATE_PRIOR);
}

/* ---- efforts, learned ---- */

struct efforts {
  struct surrogate_model model;
  int usable;
};

static struct efforts learn_efforts(struct arena *scratch, const struct choose_input *in)
{
  struct efforts e = {0};
  double *features = ARENA_NEW(scratch, (size_t)in->n_trials * SURROGATE_FEATURES + 1, double),
         *log_effort = ARENA_NEW(scratch, (size_t)in->n_trials + 1, double);
  int n = 0;
  for (int i = 0; i < in->n_trials; i++)
    if (in->trials[i].solved && in->trials[i].candidate.kind != CANDIDATE_FIRST) {
      struct surrogate_request r = request_of(in->s, &in->trials[i].candidate);
      surrogate_features(&r, features + (size_t)n * SURROGATE_FEATURES);
      log_effort[n++] = in->trials[i].log_effort;
    }
  e.usable = n >= 6;
  if (e.usable)
    surrogate_fit(n, features, log_effort, &e.model);
  return e;
}

/* Before anything is known: turning costs with the square of the turn in a cycle, as the biped's walk does. */
static double effort_by_rule(const struct surrogate_request *r)
{
  double rate = r->turn / fmax(0.25, r->cycles);
  return 0.5 * rate * rate + 2 * r->speed_change * r->speed_change + 0.5 * r->strafe * r->strafe;
}

static double guess_effort(void *user, const struct scene *s, const struct candidate *x)
{
  const struct efforts *e = user;
  struct surrogate_request r = request_of(s, x);
  double f[SURROGATE_FEATURES];
  if (!e->usable)
    return effort_by_rule(&r);
  surrogate_features(&r, f);
  return surrogate_predict(&e->model, f, NULL);
}

/* ---- candidates ---- */

static int is_cyclic(const struct candidate *x)
{
  return x->kind != CANDIDATE_TRANSITION; /* the first clip is a cycle like any other */
}

/* A cycle is the same wherever one comes from. */
#define SAME_MEASURED 0.2 /* units */
static int alike(const struct task *t, const struct candidate *a, const struct candidate *b)
{
  if (is_cyclic(a) != is_cyclic(b))
    return 0;
  if (is_cyclic(a))
    return a->gait == b->gait && fabs(a->speed - b->speed) <= 0.05 * b->speed &&
           fabs(ground_wrap(a->strafe - b->strafe)) < 0.2 &&
           task_measured_gap(t, a->measured, b->measured) < SAME_MEASURED;
  return a->from_clip == b->from_clip && a->to_clip == b->to_clip && a->from_frame == b->from_frame &&
         abs(a->frames - b->frames) < 0.2 * b->frames && fabs(ground_wrap(a->turn - b->turn)) < 0.15;
}

/* Nothing is tried twice, but cycles that failed may be tried from elsewhere, or by other ways. */
static int is_new(const struct choose_input *in, const struct candidate *x, const struct choice *chosen, int n)
{
  for (int i = 0; i < in->n_trials; i++) {
    const struct trial *t = &in->trials[i];
    int same_way = t->candidate.from_clip == x->from_clip && fabs(t->candidate.turn - x->turn) < 0.15;
    if (alike(in->s->task, x, &t->candidate) && (!is_cyclic(x) || t->solved || same_way))
      return 0;
  }
  for (int i = 0; i < n; i++) {
    struct candidate mirrored;
    if (alike(in->s->task, x, &chosen[i].candidate) ||
        (scene_mirror(in->s, &chosen[i].candidate, &mirrored) && alike(in->s->task, x, &mirrored)))
      return 0;
  }
  return 1;
}

/* As many different candidates as were asked for, in no order. */
static int propose(struct arena *scratch, struct choose_input *in, struct choice *out)
{
  int n = 0;
  for (int throw = 0; throw < 4 * in->proposals && n < in->proposals; throw++) {
    struct choice x = {.gain = 0, .chance = 1};
    if (scene_propose(scratch, in->s, &in->rng, &x.candidate) && is_new(in, &x.candidate, NULL, 0))
      out[n++] = x;
  }
  return n;
}

static int compare_worth(const void *left, const void *right)
{
  const struct choice *a = left, *b = right;
  double x = a->gain * a->chance, y = b->gain * b->chance;
  return (x < y) - (x > y);
}

/* ---- guided ---- */

/* Gains are those of a clip: a cycle comes with a way in and a way out, and most things come twice. */
static void weigh(struct choose_input *in, struct scene *s, struct choice *x, enum predicted_gain_grid grid)
{
  struct arena *scratch = arena_new();
  struct imagined o;
  struct candidate mirrored;
  int cycle = x->candidate.kind == CANDIDATE_CYCLE, twice = scene_mirror(s, &x->candidate, &mirrored);
  int clips = (cycle ? 3 : 1) * (twice ? 2 : 1);
  x->gain = predicted_gain_imagine(scratch, s, &x->candidate, cycle, &o)
                ? predicted_gain(scratch, s, &o, grid) / clips
                : 0;
  x->chance = chance_of(scratch, in, &x->candidate);
  arena_free(scratch);
}

/* How much of what one candidate is good for another one is good for too. */
static double overlap(const struct choose_input *in, const struct candidate *a, const struct candidate *b)
{
  double unit = sqrt(CREATURE_GRAVITY * in->s->c->height), turn = (a->turn - b->turn) / 0.6,
         strafe = (a->strafe - b->strafe) / 0.6, speed = (a->speed - b->speed) / (0.2 * unit),
         measured = task_measured_gap(in->s->task, a->measured, b->measured) / 0.5;
  if (a->kind != b->kind)
    return 0;
  if (a->kind == CANDIDATE_CYCLE)
    return a->gait == b->gait ? exp(-strafe * strafe - speed * speed - measured * measured) : 0;
  return a->from_clip == b->from_clip && a->to_clip == b->to_clip ? exp(-turn * turn) : 0;
}

/* They are solved together: each is to be good for what those before it, should they be found, leave to be wished
 * for. `chosen` are chosen already. */
static int pick(const struct choose_input *in, const struct choice *all, int n, struct choice *out, int chosen)
{
  int linked = chosen < in->solves / 2; /* no more cycles while those that are there lack ways to each other */
  while (chosen < in->solves) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < n; i++) {
      double worth = all[i].gain * all[i].chance;
      for (int k = 0; k < chosen; k++)
        worth *= 1 - out[k].chance * overlap(in, &all[i].candidate, &out[k].candidate);
      if (worth > most && (linked || all[i].candidate.kind != CANDIDATE_CYCLE) &&
          is_new(in, &all[i].candidate, out, chosen))
        best = i, most = worth;
    }
    if (best < 0)
      break;
    out[chosen++] = all[best];
  }
  return chosen;
}

/* Half of all attempts go to small steps that nothing answers yet, whatever they gain: coverage.h. With several
 * parameters these pay late: at first everything goes to what gains most. */
static int choose_small_steps(struct arena *scratch, struct choose_input *in, struct scene *s, struct choice *out)
{
  int most = s->task->n_parameters > 1 && s->n_clips < s->settings.coverage_from ? 0 : in->solves / 2;
  struct candidate *missing = ARENA_NEW(scratch, (size_t)most + 1, struct candidate);
  int n = coverage_propose(scratch, in, &in->rng, missing, most);
  for (int i = 0; i < n; i++) {
    out[i] = (struct choice){.candidate = missing[i], .small_step = 1};
    weigh(in, s, &out[i], PREDICTED_GAIN_COARSE); /* for the record */
  }
  return n;
}

/* On a large grid gains are predicted on a coarse one, and the best ones once more on the fine one. */
static int choose_guided(struct arena *scratch, struct choose_input *in, struct choice *out, int *looked)
{
  struct choice *all = ARENA_NEW(scratch, (size_t)in->proposals, struct choice);
  struct efforts efforts = learn_efforts(scratch, in);
  struct scene s = *in->s;
  int n = *looked = propose(scratch, in, all), large = s.controller->grid > s.settings.large_grid;
  s.log_effort = guess_effort;
  s.user = &efforts;
  for (int i = 0; i < n; i++)
    weigh(in, &s, &all[i], large ? PREDICTED_GAIN_COARSE : PREDICTED_GAIN_FINE);
  qsort(all, (size_t)n, sizeof *all, compare_worth);
  for (int i = 0; large && i < n && i < s.settings.shortlist; i++)
    weigh(in, &s, &all[i], PREDICTED_GAIN_FINE);
  return pick(in, all, n, out, choose_small_steps(scratch, in, &s, out));
}

/* ---- uniform ---- */

/* The distance of equation 10 to the nearest of all that was tried or is chosen. */
static double nearest(const struct choose_input *in, const struct candidate *x, const struct choice *chosen, int n)
{
  struct surrogate_request mine = request_of(in->s, x);
  double least = INFINITY;
  for (int i = 0; i < in->n_trials + n; i++) {
    const struct candidate *t = i < in->n_trials ? &in->trials[i].candidate : &chosen[i - in->n_trials].candidate;
    if (t->kind != x->kind)
      continue;
    struct surrogate_request other = request_of(in->s, t);
    double from = phase_distance(in->s, x->from_clip, x->from_frame, t->from_clip, t->from_frame),
           to = phase_distance(in->s, x->to_clip, x->to_frame, t->to_clip, t->to_frame);
    least = fmin(least, surrogate_distance2(&mine, &other, from, to));
  }
  return least;
}

static int of_kind(const struct choose_input *in, enum candidate_kind kind, const struct choice *chosen, int n)
{
  int count = 0;
  for (int i = 0; i < in->n_trials; i++)
    count += in->trials[i].candidate.kind == kind;
  for (int i = 0; i < n; i++)
    count += chosen[i].candidate.kind == kind;
  return count;
}

/* Each template in turn, and of each the farthest from all that was tried before. */
static int choose_uniform(struct arena *scratch, struct choose_input *in, struct choice *out, int *looked)
{
  struct choice *all = ARENA_NEW(scratch, (size_t)in->proposals, struct choice);
  int n = *looked = propose(scratch, in, all), chosen = 0;
  for (; chosen < in->solves; chosen++) {
    int rarer = of_kind(in, CANDIDATE_CYCLE, out, chosen) < of_kind(in, CANDIDATE_TRANSITION, out, chosen)
                    ? CANDIDATE_CYCLE
                    : CANDIDATE_TRANSITION,
        best = -1;
    double farthest = -1;
    for (int i = 0; i < n; i++) {
      const struct candidate *x = &all[i].candidate;
      double far = is_new(in, x, out, chosen) ? fmin(1e3, nearest(in, x, out, chosen)) : -1;
      far += far >= 0 && (int)x->kind == rarer ? 1e6 : 0;
      if (far > farthest)
        best = i, farthest = far;
    }
    if (best < 0)
      break;
    out[chosen] = all[best];
  }
  return chosen;
}

/* ---- the paper's ---- */

/* Mean over the imagined frames of costs interpolated between those of all frames that there are. */
static double interpolated_effort(struct initial_library *lib, const struct scene *s, const struct clip *imagined)
{
  const struct motion_graph *g = s->controller->graph;
  double sum = 0, *cost, *distance;
  struct arena *scratch = arena_new();
  int index = initial_library_add(lib, 2000000000 - initial_library_size(lib), imagined), total = 0;
  for (int i = 0; i < g->n_clips; i++)
    total += g->clips[i].clip->n_frames;
  cost = ARENA_NEW(scratch, (size_t)total, double);
  distance = ARENA_NEW(scratch, (size_t)total, double);
  for (int k = 0; k < imagined->n_frames; k++) {
    int n = 0;
    for (int i = 0; i < g->n_clips; i++)
      for (int j = 0; j < g->clips[i].clip->n_frames; j++, n++) {
        cost[n] = log(g->clips[i].features[j].counted_effort / s->controller->effort);
        distance[n] = distance_between(initial_distances(lib), index, k, i, j);
      }
    sum += surrogate_interpolate(n, cost, distance);
  }
  arena_free(scratch);
  return sum / imagined->n_frames;
}

struct imagined_effort { double log_effort; };

static double imagined_effort(void *user, const struct scene *s, const struct candidate *x)
{
  (void)s, (void)x;
  return ((struct imagined_effort *)user)->log_effort;
}

/* Equation 5: the cost that is to be expected if this were solved. */
static void weigh_as_paper(struct choose_input *in, struct scene *s, struct choice *x)
{
  struct arena *scratch = arena_new();
  struct initial_library *lib = initial_library_new(scratch, s->c);
  struct initial_options options;
  struct imagined_effort imagined = {0};
  struct imagined o;
  initial_defaults(&options);
  for (int i = 0; i < s->n_clips; i++)
    initial_library_add(lib, s->clips[i].id, s->clips[i].clip);
  if (x->candidate.kind == CANDIDATE_TRANSITION) {
    struct initial_motion m = initial_transition(
        scratch, lib,
        &(struct initial_transition){x->candidate.from_clip, x->candidate.from_frame, x->candidate.to_clip,
                                     x->candidate.to_frame, x->candidate.turn, x->candidate.frames},
        &options);
    imagined.log_effort = m.clip ? interpolated_effort(lib, s, m.clip) : 0;
  }
  s->log_effort = imagined_effort;
  s->user = &imagined;
  x->gain = predicted_gain_imagine(scratch, s, &x->candidate, 0, &o)
                ? predicted_gain(scratch, s, &o, PREDICTED_GAIN_FINE)
                : 0;
  x->chance = chance_of_paper(scratch, in, &x->candidate);
  arena_free(scratch);
}

/* One solve an iteration, as the paper does, after a look at a few dozen candidates. */

static int choose_as_paper(struct arena *scratch, struct choose_input *in, struct choice *out, int *looked)
{
  struct choice *all = ARENA_NEW(scratch, (size_t)in->proposals, struct choice);
  struct scene s = *in->s;
  int n = propose(scratch, in, all);
  n = *looked = n < s.settings.paper_candidates ? n : s.settings.paper_candidates;
  for (int i = 0; i < n; i++)
    weigh_as_paper(in, &s, &all[i]);
  qsort(all, (size_t)n, sizeof *all, compare_worth);
  if (n > 0)
    out[0] = all[0];
  return n > 0;
}

int choose_candidates(struct arena *scratch, const struct choose_input *in, struct choice *out, int *looked)
{
  static int (*const strategies[])(struct arena *, struct choose_input *, struct choice *,
                                   int *) = {choose_guided, choose_as_paper, choose_uniform};
  struct choose_input mine = *in;
  int first = *looked = stand_propose(scratch, in, out, in->solves);
  return first ? first : strategies[in->strategy](scratch, &mine, out, looked);
}

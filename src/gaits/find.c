/* The search for gaits: a coarse grid, rounds of refinement, and what comes of it. See gaits/gaits.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gaits/gaits.h"
#include "gaits/job.h"
#include "gaits/open.h"
#include "gaits/sections.h"

#define SPEEDS_RATIO 1.25
#define FROUDE_LEAST 0.01        /* of speeds that nobody gave                                                     */
#define FROUDE_MOST  4.0
#define JOB_SECONDS  600         /* of processor time: far above what jobs take, which are limited by iterations   */
#define JOB_MEMORY   ((size_t)2 << 30)

void gaits_defaults(struct gaits_options *o)
{
  *o = (struct gaits_options){.rounds = 3, .keep = 3, .spread = 0.2, .change = 0.03, .duties = 0.15,
                              .fine = GAITS_FINE_GAITS,
                              .workers = 1, .farm = FARM_AUTO};
  effort_defaults(&o->prices);
}

struct find {
  struct gaits_worker worker;    /* first: the farm's user */
  struct arena *arena;
  const struct creature *c;
  const struct gaits_options *o;
  struct diag *d;
  struct gaits_result *r;
  struct farm *farm;
  int frames;
  int room;                      /* for trials */
  int submitted;                 /* trials handed to the farm; those after it are new */
  struct gaits_progress progress;
  int stopped;
  struct pattern_fixed *fixed;   /* at each speed (n_speeds); NULL: everything is searched */
};

const double *gaits_speeds(struct arena *arena, const struct creature *c, double from, double until, int *n)
{
  const struct legs *legs = legs_of(arena, c);
  double pace = legs ? sqrt(CREATURE_GRAVITY * legs->length) : 1;
  from = from > 0 ? from : sqrt(FROUDE_LEAST) * pace;
  until = until > 0 ? until : sqrt(FROUDE_MOST) * pace;
  *n = until > from ? 1 + (int)ceil(log(until / from) / log(SPEEDS_RATIO) - 1e-9) : 1;
  *n = *n > GAITS_SPEEDS_MOST ? GAITS_SPEEDS_MOST : *n;
  double *speeds = ARENA_NEW(arena, (size_t)*n, double);
  for (int i = 0; i < *n; i++)
    speeds[i] = *n > 1 ? from * pow(until / from, (double)i / (*n - 1)) : from;
  return speeds;
}

/* ---- trials ---- */

static int find_asked(void *user)
{
  struct find *f = user;
  f->stopped |= f->o->progress && !f->o->progress(f->o->user, &f->progress);
  return f->stopped;
}

static struct gaits_trial *find_new_trial(struct find *f)
{
  if (f->r->n_trials == f->room) {
    struct gaits_trial *old = f->r->trials;
    f->room = f->room ? 2 * f->room : 1024;
    f->r->trials = ARENA_NEW(f->arena, (size_t)f->room, struct gaits_trial);
    if (old)
      memcpy(f->r->trials, old, (size_t)f->r->n_trials * sizeof *old);
  }
  return &f->r->trials[f->r->n_trials++];
}

static const struct pattern_fixed *find_fixed(const struct find *f, int speed)
{
  return f->fixed ? &f->fixed[speed] : NULL;
}

/* The gait of a pattern. */
static struct gait find_gait(const struct find *f, struct arena *arena, const struct pattern *p, const char *name,
                             double speed)
{
  struct footfall fall;
  pattern_footfall(f->r->legs, p, &fall);
  if (f->fixed && f->fixed[0].touch)
    memcpy(fall.touch, f->fixed[0].touch, (size_t)f->r->legs->n * sizeof *fall.touch);
  struct gait g = footfall_gait(arena, f->c, f->r->legs, &fall, name, speed);
  return f->o->open ? open_completed(arena, f->c, f->r->legs, f->o->open, &g) : g;
}

static struct pattern_name find_name(const struct find *f, const struct pattern *p)
{
  struct pattern_name name = pattern_name(f->r->legs, p);
  if (f->o->open)
    name.key = f->o->open->gait.name;
  return name;
}

/* Submits a pattern at a speed, unless it has been. */
static void find_try(struct find *f, int speed, const struct pattern *p, int round, const struct clip *near)
{
  for (int i = 0; i < f->r->n_trials; i++)
    if (f->r->trials[i].speed == speed && pattern_same(&f->r->trials[i].pattern, p, 1.0 / f->frames))
      return;
  struct gaits_trial *t = find_new_trial(f);
  *t = (struct gaits_trial){.speed = speed, .round = round, .pattern = *p, .name = find_name(f, p)};
  struct arena *scratch = arena_new();
  double v = f->r->speeds[speed].speed;
  struct gaits_job job = {.gait = find_gait(f, scratch, p, t->name.key, v), .speed = v, .frames = f->frames,
                          .near = near};
  size_t n;
  const void *bytes = gaits_job_pack(scratch, f->c, &job, &n);
  farm_submit(f->farm, (uint64_t)(f->r->n_trials - 1), bytes, n);
  arena_free(scratch);
  f->progress.jobs++;
}

/* What a job replied; NULL: it did not. */
static const struct gaits_reply *find_reply(struct find *f, const struct farm_result *result, const char **reason)
{
  f->r->seconds += result->cpu_seconds;
  f->progress.done++;
  const struct gaits_reply *y =
      result->outcome == FARM_DONE ? gaits_reply_unpack(f->arena, result->bytes, result->n_bytes) : NULL;
  *reason = y ? arena_strdup(f->arena, y->reason)
              : arena_printf(f->arena, "the attempt %s: %s", farm_outcome_name(result->outcome), result->words);
  return y;
}

/* 0: stopped. */
static int find_collect(struct find *f)
{
  struct farm_result result;
  int more;
  while ((more = farm_collect(f->farm, &result)) > 0) {
    struct gaits_trial *t = &f->r->trials[result.tag];
    const struct gaits_reply *y = find_reply(f, &result, &t->reason);
    if (y && y->solved && isfinite(y->effort.transport))
      t->solved = 1, t->effort = y->effort, t->clip = y->clip;
    if (find_asked(f))
      return 0;
  }
  return more == 0;
}

/* At every other speed and the last: what is good there is tried at those between. */
static void find_grid(struct find *f)
{
  struct arena *scratch = arena_new();
  for (int s = 0; s < f->r->n_speeds; s += s + 2 < f->r->n_speeds ? 2 : 1) {
    int n;
    const struct pattern *grid = pattern_grid(scratch, f->r->legs, f->r->speeds[s].speed, f->frames,
                                              find_fixed(f, s), &n);
    for (int i = 0; i < n; i++)
      find_try(f, s, &grid[i], 0, NULL);
  }
  arena_free(scratch);
}

/* ---- refinement ---- */

int gaits_best_of(const struct gaits_result *r, int speed, const char *key)
{
  int best = -1;
  for (int i = 0; i < r->n_trials; i++) {
    const struct gaits_trial *t = &r->trials[i];
    if (t->speed == speed && t->solved && (!key || !strcmp(t->name.key, key)) &&
        (best < 0 || t->effort.transport < r->trials[best].effort.transport))
      best = i;
  }
  return best;
}

/* The cheapest trial of each name at a speed, from cheap to costly; at most `most`, within the spread. */
static int find_leaders(const struct find *f, int speed, int most, int *out)
{
  int n = 0;
  const struct gaits_trial *t = f->r->trials;
  for (int i = 0; i < f->r->n_trials; i++) {
    if (t[i].speed != speed || !t[i].solved || gaits_best_of(f->r, speed, t[i].name.key) != i)
      continue;
    int k = n < most ? n++ : most;
    for (; k > 0 && t[out[k - 1]].effort.transport > t[i].effort.transport; k--)
      if (k < most)
        out[k] = out[k - 1];
    if (k < most)
      out[k] = i;
  }
  while (n > 1 && t[out[n - 1]].effort.transport > (1 + f->o->spread) * t[out[0]].effort.transport)
    n--;
  return n;
}

#define LEADERS_MOST 16

/* The best of a neighbouring speed, at this one. */
static void find_try_neighbour(struct find *f, int speed, int from, int trial, int round)
{
  const struct gaits_trial t = f->r->trials[trial];
  struct pattern p = t.pattern;
  struct footfall fall;
  double v = f->r->speeds[speed].speed, u = f->r->speeds[from].speed;
  p.period *= pattern_natural_period(f->r->legs, v) / pattern_natural_period(f->r->legs, u);
  if (f->fixed && f->fixed[speed].period > 0)
    p.period = f->fixed[speed].period;
  pattern_footfall(f->r->legs, &p, &fall);
  if (footfall_reach(f->r->legs, &fall, v) <= PATTERN_REACH)
    find_try(f, speed, &p, round, t.clip);
}

/* The speed with the trial that costs least of all; -1: nothing was solved. */
static int find_cheapest_speed(const struct find *f)
{
  int best = -1;
  for (int i = 0; i < f->r->n_trials; i++) {
    const struct gaits_trial *t = &f->r->trials[i];
    if (t->solved && (best < 0 || t->effort.transport < f->r->trials[best].effort.transport))
      best = i;
  }
  return best < 0 ? -1 : f->r->trials[best].speed;
}

static void find_refine(struct find *f, int round)
{
  int only = f->o->comfortable ? find_cheapest_speed(f) : -1;
  int n_speeds = f->r->n_speeds, keep = f->o->keep < LEADERS_MOST ? f->o->keep : LEADERS_MOST;
  double step = (round == 1 ? 2.0 : 1.0) / f->frames, pace = round == 1 ? 0.2 : round == 2 ? 0.12 : 0.07;
  int *leaders = ARENA_NEW(f->arena, (size_t)(n_speeds * LEADERS_MOST), int);
  int *n = ARENA_NEW(f->arena, (size_t)n_speeds, int);
  for (int s = 0; s < n_speeds; s++)
    n[s] = find_leaders(f, s, round == 1 ? keep : 2, leaders + s * LEADERS_MOST);
  for (int s = 0; s < n_speeds; s++) {
    if (only >= 0 && abs(s - only) > 1)
      continue;
    for (int i = 0; i < n[s]; i++) {
      const struct gaits_trial t = f->r->trials[leaders[s * LEADERS_MOST + i]];
      struct pattern near[PATTERN_NEIGHBOURS];
      int m = pattern_neighbours(f->r->legs, &t.pattern, f->r->speeds[s].speed, step, pace,
                                 find_fixed(f, s), near);
      for (int k = 0; k < m; k++)
        find_try(f, s, &near[k], round, t.clip);
    }
    for (int other = s - 1; other <= s + 1; other += 2)
      for (int i = 0; other >= 0 && other < n_speeds && i < n[other]; i++)
        find_try_neighbour(f, s, other, leaders[other * LEADERS_MOST + i], round);
  }
}

/* ---- which gait at which speed ---- */

/* All names that were solved anywhere, in the order of trials. */
static int find_names(const struct find *f, const char **names)
{
  int n = 0;
  for (int i = 0; i < f->r->n_trials; i++) {
    int k = 0;
    while (k < n && strcmp(names[k], f->r->trials[i].name.key) != 0)
      k++;
    if (k == n && f->r->trials[i].solved)
      names[n++] = f->r->trials[i].name.key;
  }
  return n;
}

/* The sequence of names over the speeds that costs least: the sum of logarithms of costs, and a price for each
 * change. */
static void find_sequence(struct find *f, int n_names, const char **names)
{
  struct gaits_result *r = f->r;
  size_t cells = (size_t)(r->n_speeds * n_names);
  double *sum = ARENA_NEW(f->arena, cells + 1, double), nothing = 100; /* more than any cost's logarithm differs */
  int *from = ARENA_NEW(f->arena, cells + 1, int), *trial = ARENA_NEW(f->arena, cells + 1, int);
  for (int s = 0; s < r->n_speeds; s++)
    for (int k = 0; k < n_names; k++) {
      int at = s * n_names + k, best = 0;
      trial[at] = gaits_best_of(r, s, names[k]);
      for (int j = 0; s && j < n_names; j++) {
        double a = sum[at - k - n_names + j] + (j == k ? 0 : f->o->change);
        if (!j || a < sum[at])
          sum[at] = a, best = j;
      }
      from[at] = best;
      sum[at] += trial[at] < 0 ? nothing : log(r->trials[trial[at]].effort.transport);
    }
  int last = 0, end = (r->n_speeds - 1) * n_names;
  for (int k = 1; k < n_names; k++)
    if (sum[end + k] < sum[end + last])
      last = k;
  for (int s = r->n_speeds - 1; s >= 0; s--) {
    r->speeds[s].trial = trial[s * n_names + last];
    last = from[s * n_names + last];
  }
}

static double find_duty(const struct find *f, int speed)
{
  const struct pattern *p = &f->r->trials[f->r->speeds[speed].trial].pattern;
  return 0.5 * (p->duty_hind + p->duty_fore);
}

/* A gait of these speeds, or two, if their duties differ by more than one schedule can serve. */
static void find_add_gait(struct find *f, int first, int last)
{
  struct gaits_result *r = f->r;
  double least = INFINITY, most = 0;
  for (int s = first; s <= last; s++)
    least = fmin(least, find_duty(f, s)), most = fmax(most, find_duty(f, s));
  if (most - least > f->o->duties && last > first && !f->o->open) { /* one that is given stays one */
    int middle = first;
    while (middle + 1 < last && find_duty(f, middle + 1) > 0.5 * (least + most))
      middle++;
    find_add_gait(f, first, middle);
    find_add_gait(f, middle + 1, last);
    return;
  }
  const struct gaits_trial *t = &r->trials[r->speeds[(first + last) / 2].trial];
  struct gaits_gait *g = &r->gaits[r->n_gaits];
  *g = (struct gaits_gait){.name = t->name.key, .words = t->name.words, .first = first, .last = last,
                           .pattern = t->pattern};
  int same = 1;
  for (int i = 0; i < r->n_gaits; i++)
    same += !strcmp(r->trials[r->speeds[r->gaits[i].first].trial].name.key, t->name.key);
  if (same > 1)
    g->name = arena_printf(f->arena, "%s_%d", t->name.key, same);
  for (int s = first; s <= last; s++)
    r->speeds[s].gait = r->n_gaits;
  r->n_gaits++;
}

static const char *find_key(const struct find *f, int speed)
{
  int t = f->r->speeds[speed].trial;
  return t < 0 ? "" : f->r->trials[t].name.key;
}

/* Why there is nothing at a speed: what the trials say that came last. */
static const char *find_reason(const struct find *f, int speed)
{
  const char *reason = "no footfall order lets the legs reach";
  for (int i = 0; i < f->r->n_trials; i++)
    if (f->r->trials[i].speed == speed && f->r->trials[i].reason && f->r->trials[i].reason[0])
      reason = f->r->trials[i].reason;
  return reason;
}

static void find_group(struct find *f)
{
  struct gaits_result *r = f->r;
  const char *names[64];
  int n_names = find_names(f, names);
  r->gaits = ARENA_NEW(f->arena, (size_t)r->n_speeds + 1, struct gaits_gait);
  for (int s = 0; s < r->n_speeds; s++)
    r->speeds[s].best = gaits_best_of(r, s, NULL), r->speeds[s].gait = r->speeds[s].trial = -1;
  int only = f->o->comfortable ? find_cheapest_speed(f) : -1;
  if (only >= 0)
    r->speeds[only].trial = r->speeds[only].best;
  else if (n_names)
    find_sequence(f, n_names, names);
  for (int s = 0; s < r->n_speeds; s++) {
    int last = s;
    if (r->speeds[s].trial < 0) {
      r->speeds[s].reason = only >= 0 && r->speeds[s].best >= 0 ? "at another speed the same way costs less"
                                                                : find_reason(f, s);
      continue;
    }
    while (last + 1 < r->n_speeds && !strcmp(find_key(f, last + 1), find_key(f, s)))
      last++;
    find_add_gait(f, s, last);
    s = last;
  }
}

/* Where one gait gives way to the next: where the lines of their costs meet, if both were solved on both sides. */
static void find_changes(struct find *f)
{
  struct gaits_result *r = f->r;
  r->changes = ARENA_NEW(f->arena, (size_t)r->n_speeds, struct gaits_change);
  for (int s = 0; s + 1 < r->n_speeds; s++) {
    int a = r->speeds[s].gait, b = r->speeds[s + 1].gait;
    if (a < 0 || b < 0 || a == b)
      continue;
    double slow = r->speeds[s].speed, fast = r->speeds[s + 1].speed, at = 0.5;
    const char *key_a = find_key(f, s), *key_b = find_key(f, s + 1);
    int a_fast = gaits_best_of(r, s + 1, key_a), b_slow = gaits_best_of(r, s, key_b);
    if (a_fast >= 0 && b_slow >= 0 && strcmp(key_a, key_b) != 0) {
      double before = r->trials[b_slow].effort.transport - r->trials[r->speeds[s].trial].effort.transport;
      double after = r->trials[r->speeds[s + 1].trial].effort.transport - r->trials[a_fast].effort.transport;
      at = before - after != 0 ? fmin(1, fmax(0, before / (before - after))) : 0.5;
    }
    r->changes[r->n_changes++] = (struct gaits_change){slow + at * (fast - slow), a, b};
  }
}

/* The file's own numbers, digit for digit. */
static void find_keep_given(const struct open_gait *open, struct gait *g)
{
  g->speed_min = open->gait.speed_min;
  g->speed_max = open->gait.speed_max;
  if (open->gait.period_slow > 0)
    g->period_slow = open->gait.period_slow, g->period_fast = open->gait.period_fast;
}

/* The gaits as those of a creature: each with one schedule, from change to change. */
static void find_build(struct find *f)
{
  struct gaits_result *r = f->r;
  struct gait *gaits = ARENA_NEW(f->arena, (size_t)r->n_gaits + 1, struct gait);
  for (int i = 0; i < r->n_gaits; i++) {
    const struct gaits_gait *g = &r->gaits[i];
    gaits[i] = find_gait(f, f->arena, &g->pattern, g->name, 0);
    if (!f->o->open)
      gaits[i].right_lag = g->pattern.family == PATTERN_TOGETHER ? 0 : 0.5;
    gaits[i].speed_min = r->speeds[g->first].speed;
    gaits[i].speed_max = r->speeds[g->last].speed;
    gaits[i].period_slow = r->trials[r->speeds[g->first].trial].pattern.period;
    gaits[i].period_fast = r->trials[r->speeds[g->last].trial].pattern.period;
    for (int k = 0; k < r->n_changes; k++) { /* it is used from change to change */
      if (r->changes[k].to == i)
        gaits[i].speed_min = r->changes[k].speed;
      if (r->changes[k].from == i)
        gaits[i].speed_max = r->changes[k].speed;
    }
  }
  for (int i = 0; i < r->n_gaits; i++)
    footfall_tidy(&gaits[i]);
  if (f->o->open && r->n_gaits)
    find_keep_given(f->o->open, &gaits[0]);
  r->creature = footfall_creature(f->arena, f->c, gaits, r->n_gaits);
}

const char *gaits_sections(struct arena *arena, const struct gaits_result *r)
{
  const char *text = "";
  for (int i = 0; i < r->n_gaits; i++) {
    const struct gaits_gait *g = &r->gaits[i];
    const char *comment = arena_printf(arena, "%s: found by muybridge gaits at %.3g m/s", g->words,
                                       r->speeds[(g->first + g->last) / 2].speed);
    text = arena_printf(arena, "%s%s", text, sections_of_gait(arena, r->creature, &r->creature->gaits[i], comment));
  }
  return text;
}

/* ---- fine clips ---- */

static void find_submit_fine(struct find *f, int speed, int from_nothing)
{
  const struct gaits_speed *s = &f->r->speeds[speed];
  const struct gaits_gait *g = &f->r->gaits[s->gait];
  const struct clip *rough = f->r->trials[s->trial].clip;
  struct arena *scratch = arena_new();
  struct pattern p = g->pattern;
  p.period = gait_period(&f->r->creature->gaits[s->gait], s->speed);
  struct gaits_job job = {.gait = find_gait(f, scratch, &p, g->name, s->speed), .speed = s->speed,
                          .near = from_nothing ? NULL : rough};
  size_t n;
  const void *bytes = gaits_job_pack(scratch, f->c, &job, &n);
  farm_submit(f->farm, (uint64_t)speed, bytes, n);
  arena_free(scratch);
  f->progress.jobs++;
}

static int find_wants_fine(const struct find *f, int speed)
{
  const struct gaits_gait *g = &f->r->gaits[f->r->speeds[speed].gait < 0 ? 0 : f->r->speeds[speed].gait];
  return f->r->speeds[speed].gait >= 0 &&
         (f->o->fine == GAITS_FINE_SPEEDS || (f->o->fine == GAITS_FINE_GAITS && speed == (g->first + g->last) / 2));
}

/* From the rough clip; where that fails, from nothing. 0: stopped. */
static int find_fine(struct find *f)
{
  for (int attempt = 0; attempt < 2; attempt++) {
    struct farm_result result;
    int more;
    for (int s = 0; s < f->r->n_speeds; s++)
      if (find_wants_fine(f, s) && !f->r->speeds[s].clip)
        find_submit_fine(f, s, attempt);
    while ((more = farm_collect(f->farm, &result)) > 0) {
      struct gaits_speed *s = &f->r->speeds[result.tag];
      const struct gaits_reply *y = find_reply(f, &result, &s->fault);
      if (y && y->solved) {
        s->clip = y->clip, s->effort = y->effort, s->fault = NULL;
        s->clip->name = s->clip->gait = s->clip->gait_after = f->r->gaits[s->gait].name;
      }
      if (find_asked(f))
        return 0;
    }
    if (more < 0)
      return 0;
  }
  return 1;
}

/* ---- all of it ---- */

static int find_run(struct find *f)
{
  f->progress.rounds = f->o->rounds + 1 + (f->o->fine != GAITS_FINE_NONE);
  find_grid(f);
  if (!find_collect(f))
    return 0;
  for (int round = 1; round <= f->o->rounds; round++) {
    f->progress.round = round;
    find_refine(f, round);
    if (!find_collect(f))
      return 0;
  }
  find_group(f);
  find_changes(f);
  find_build(f);
  f->progress.round++;
  return find_fine(f);
}

const struct gaits_result *gaits_find(struct arena *arena, const struct creature *c, const double *speeds,
                                      int n_speeds, const struct gaits_options *o, struct diag *d)
{
  struct find f = {.arena = arena, .c = footfall_creature(arena, c, NULL, 0), .o = o, .d = d};
  f.r = ARENA_NEW(arena, 1, struct gaits_result);
  f.r->legs = legs_of(arena, c);
  if (!f.r->legs) {
    diag_error(d, c->file, 0, "%s has no foot to stand on: it can have no gait. Give it sections foot", c->name);
    return NULL;
  }
  f.frames = o->frames ? o->frames : f.r->legs->n_rows > 4 ? 20 : 24;
  f.r->n_speeds = n_speeds;
  f.r->speeds = ARENA_NEW(arena, (size_t)n_speeds, struct gaits_speed);
  for (int s = 0; s < n_speeds; s++)
    f.r->speeds[s].speed = speeds[s];
  for (int s = 0; s < n_speeds && o->open; s++) {
    if (!s)
      f.fixed = ARENA_NEW(arena, (size_t)n_speeds, struct pattern_fixed);
    f.fixed[s] = open_fixed(arena, c, f.r->legs, o->open, speeds[s]);
  }
  size_t n;
  const void *shared = gaits_shared(arena, f.c, &o->prices, &n);
  struct farm_options farm = {.kind = o->farm, .service = "gaits", .workers = o->workers, .job_seconds = JOB_SECONDS,
                              .job_memory = JOB_MEMORY, .user = &f, .run = gaits_job_run,
                              .prepare = gaits_job_prepare, .shared = shared, .n_shared = n, .stop = find_asked};
  f.farm = farm_open(arena, &farm, d);
  int found = f.farm && find_run(&f);
  farm_close(f.farm);
  gaits_worker_clear(&f.worker);
  return found ? f.r : NULL;
}

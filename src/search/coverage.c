/* Small steps from every cycle, and candidates for those that nothing answers. See coverage.h. */
#include "search/coverage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/ground.h"
#include "spacetime/spacetime.h"

#define NEAR  0.1                /* angles that are the same [rad]                                                 */
#define SAME_SPEED 0.05          /* speeds that are the same, as a share of them                                   */

/* From a cyclic clip to one that does this, turning on the way. */
struct step {
  int from, to;                  /* clips of the scene; to < 0: there is none yet                                  */
  struct frame_features wanted;
  double turn;
};

/* ---- which steps there are ---- */

static int same_angle(double a, double b)
{
  return fabs(ground_wrap(a - b)) < NEAR;
}

/* Of the cycles that are the same but for their speed the nearest one, TASK_CYCLE_NEW: none. */
static int find_cycle(const struct task_place *place, const struct frame_features *wanted)
{
  int best = TASK_CYCLE_NEW;
  for (int i = 0; i < place->n_cycles; i++)
    if (task_same_cycle(place->task, &place->cycles[i], wanted, NULL) &&
        (best < 0 || fabs(place->cycles[i].speed - wanted->speed) < fabs(place->cycles[best].speed - wanted->speed)))
      best = i;
  return best;
}

/* Half as much in a gait so fast that the ground allows no more in a second: one who is turning minds nothing else. */
static double small_turn(const struct scene *s, int clip)
{
  const struct clip *c = s->clips[clip].clip;
  struct transition_request turn = {.c = s->c, .from = c, .to = c, .turn = s->settings.small_angle};
  return spacetime_least_frames(&turn) * c->dt > s->settings.long_answer ? turn.turn / 2 : turn.turn;
}

/* All small steps from a cycle. */
static struct step *steps_from(struct arena *arena, const struct scene *s, int clip, int *n)
{
  struct frame_features *cycles = ARENA_NEW(arena, (size_t)s->n_clips, struct frame_features);
  int *clip_of = ARENA_NEW(arena, (size_t)s->n_clips, int);
  struct task_place place = {.task = s->task, .here = scene_features(s, clip), .cycles = cycles,
                             .small_angle = s->settings.small_angle, .small_turn = small_turn(s, clip)};
  place.speeds = scene_speeds(s, place.here.gait, place.here.direction);
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].clip->cyclic) {
      clip_of[place.n_cycles] = i;
      cycles[place.n_cycles++] = scene_features(s, i);
    }
  struct task_step *asked = ARENA_NEW(arena, (size_t)task_steps_most(s->task), struct task_step);
  *n = task_steps(&place, asked);
  struct step *steps = ARENA_NEW(arena, (size_t)*n + 1, struct step);
  for (int i = 0; i < *n; i++) {
    struct task_step *x = &asked[i];
    if (x->cycle == TASK_CYCLE_NEAREST) {
      struct task_speeds able = scene_speeds(s, x->to.gait, x->to.direction);
      x->to.speed = fmax(able.least, fmin(able.most, x->to.speed));
      x->cycle = find_cycle(&place, &x->to);
    }
    steps[i] = (struct step){clip, x->cycle < 0 ? -1 : clip_of[x->cycle], x->to, x->turn};
  }
  return steps;
}

/* ---- which are missing ---- */

static int answers(const struct step *x, int from, int to, double turn)
{
  return x->from == from && x->to == to && same_angle(x->turn, turn);
}

static int is_answered(const struct scene *s, const struct step *x)
{
  for (int i = 0; i < s->n_clips; i++) {
    const struct clip *c = s->clips[i].clip;
    if (!c->cyclic && answers(x, scene_find(s, c->from.clip), scene_find(s, c->to.clip), c->turn))
      return 1;
  }
  return 0;
}

int coverage_lacks(struct arena *scratch, const struct scene *s, const struct candidate *x)
{
  int from = scene_find(s, x->from_clip), to = scene_find(s, x->to_clip), n;
  if (x->kind != CANDIDATE_TRANSITION || from < 0 || to < 0)
    return 0;
  const struct step *steps = steps_from(scratch, s, from, &n);
  for (int i = 0; i < n; i++)
    if (answers(&steps[i], from, to, x->turn))
      return !is_answered(s, &steps[i]);
  return 0;
}

/* ---- proposing ---- */

static int is_same_cycle(const struct scene *s, const struct candidate *t, const struct frame_features *wanted)
{
  struct frame_features f = candidate_features(t);
  return task_same_cycle(s->task, &f, wanted, NULL) && fabs(f.speed - wanted->speed) < SAME_SPEED * wanted->speed;
}

static int is_like(const struct choose_input *in, const struct step *x, const struct candidate *t)
{
  if (x->to < 0)
    return t->kind == CANDIDATE_CYCLE && is_same_cycle(in->s, t, &x->wanted);
  return t->kind == CANDIDATE_TRANSITION &&
         answers(x, scene_find(in->s, t->from_clip), scene_find(in->s, t->to_clip), t->turn);
}

/* How often it was tried, itself or its mirror image. */
static int tries_of(const struct choose_input *in, const struct step *x)
{
  int n = 0;
  for (int i = 0; i < in->n_trials; i++) {
    struct candidate mirrored;
    const struct candidate *t = &in->trials[i].candidate;
    n += is_like(in, x, t) || (scene_mirror(in->s, t, &mirrored) && is_like(in, x, &mirrored));
  }
  return n;
}

/* Without a cycle all steps to it are missing. */
static int most_tries(const struct scene *s, const struct step *x)
{
  return x->to < 0 ? 2 * s->settings.coverage_tries : s->settings.coverage_tries;
}

static int was_tried_from(const struct choose_input *in, const struct candidate *x)
{
  for (int i = 0; i < in->n_trials; i++) {
    const struct candidate *t = &in->trials[i].candidate;
    if (t->kind == x->kind && t->from_clip == x->from_clip && t->to_clip == x->to_clip &&
        t->from_frame == x->from_frame && same_angle(t->turn, x->turn))
      return 1;
  }
  return 0;
}

/* A cycle may be come to while the heading stays, or the direction of travel, and from the first clip too. */
static void make_cycle(const struct choose_input *in, struct rng *r, const struct step *x, struct candidate *out)
{
  int tries = tries_of(in, x), hub = tries % 3 == 2 ? 0 : x->from;
  double keeping = ground_wrap(in->s->clips[hub].clip->strafe - x->wanted.direction);
  int keeps_heading = (fabs(x->turn) < NEAR) ^ (tries % 2);
  *out = scene_cycle(in->s, r, hub, &x->wanted);
  out->turn = keeps_heading ? 0 : keeping;
}

static int make(struct arena *scratch, const struct choose_input *in, struct rng *r, const struct step *x,
                struct candidate *out)
{
  if (x->to < 0) {
    make_cycle(in, r, x, out);
    return 1;
  }
  for (int i = 0; i < in->s->branches; i++)
    if (scene_passage(scratch, in->s, r, (int[2]){x->from, x->to}, x->turn, SCENE_NATURAL, out) &&
        !was_tried_from(in, out))
      return 1;
  return 0;
}

/* Whether it, or its mirror image, is among those chosen already: a cycle may end several steps. */
static int is_chosen(const struct choose_input *in, const struct step *x, const struct candidate *out, int n)
{
  for (int i = 0; i < n; i++) {
    struct candidate mirrored;
    if (is_like(in, x, &out[i]) || (scene_mirror(in->s, &out[i], &mirrored) && is_like(in, x, &mirrored)))
      return 1;
  }
  return 0;
}

struct place { int clip; double share; };

static int compare_places(const void *left, const void *right)
{
  const struct place *a = left, *b = right;
  return a->share != b->share ? (a->share < b->share) - (a->share > b->share)
                              : (a->clip > b->clip) - (a->clip < b->clip);
}

/* Cyclic clips, those where most time is spent first. */
static int cycles_by_share(const struct scene *s, struct place *out)
{
  int n = 0;
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].clip->cyclic)
      out[n++] = (struct place){i, s->controller->clip_share[i]};
  qsort(out, (size_t)n, sizeof *out, compare_places);
  return n;
}

int coverage_propose(struct arena *scratch, const struct choose_input *in, struct rng *r, struct candidate *out,
                     int most)
{
  struct place *places = ARENA_NEW(scratch, (size_t)in->s->n_clips, struct place);
  int n_places = cycles_by_share(in->s, places), chosen = 0;
  for (int i = 0; i < n_places && chosen < most; i++) {
    int n;
    const struct step *steps = steps_from(scratch, in->s, places[i].clip, &n);
    for (int k = 0; k < n && chosen < most; k++)
      if ((steps[k].to < 0 || !is_answered(in->s, &steps[k])) &&
          tries_of(in, &steps[k]) < most_tries(in->s, &steps[k]) && !is_chosen(in, &steps[k], out, chosen))
        chosen += make(scratch, in, r, &steps[k], &out[chosen]);
  }
  return chosen;
}

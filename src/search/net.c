/* Small steps from every cycle, and what is missing for them. */
#include "search/net.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/ground.h"
#include "spacetime/spacetime.h"

static const double pi = 3.14159265358979323846;

#define SMALL (pi / 6)           /* a small step of an angle: the distance of strafes, scene.c                     */
#define NEAR  0.1                /* angles that are the same [rad]                                                 */
#define LONG_ANSWER 1.0          /* [s]                                                                            */
#define SAME_SPEED 0.05          /* speeds that are the same, as a share of them                                   */

/* From a cyclic clip to one of this kind, turning on the way. */
struct step {
  int from, to;                  /* clips of the scene; to < 0: there is none yet                                  */
  int gait;
  double strafe, turn, speed;
};

static int asks_for(const struct scene *s, const char *kind)
{
  return task_find(s->task, kind) >= 0;
}

/* ---- which steps there are ---- */

static int same_angle(double a, double b)
{
  return fabs(ground_wrap(a - b)) < NEAR;
}

/* The cyclic clip of a gait and a strafe whose speed is nearest, -1: none. */
static int find_cycle(const struct scene *s, int gait, double strafe, double speed)
{
  int best = -1;
  for (int i = 0; i < s->n_clips; i++) {
    const struct clip *c = s->clips[i].clip;
    if (c->cyclic && creature_find_gait(s->c, c->gait) == gait && same_angle(c->strafe, strafe) &&
        (best < 0 || fabs(c->speed - speed) < fabs(s->clips[best].clip->speed - speed)))
      best = i;
  }
  return best;
}

static void add_step(const struct scene *s, struct step x, struct step *out, int *n)
{
  struct scene_speeds able = scene_speeds(s, x.gait, x.strafe);
  x.speed = fmax(able.least, fmin(able.most, x.speed));
  x.to = find_cycle(s, x.gait, x.strafe, x.speed);
  out[(*n)++] = x;
}

/* Half as much in a gait so fast that the ground allows no more in a second: one who is turning minds nothing else. */
static double small_turn(const struct scene *s, int clip)
{
  const struct clip *c = s->clips[clip].clip;
  struct transition_request turn = {.c = s->c, .from = c, .to = c, .turn = SMALL};
  return spacetime_least_frames(&turn) * c->dt > LONG_ANSWER ? SMALL / 2 : SMALL;
}

static void add_angles(const struct scene *s, const struct step *here, struct step *out, int *n)
{
  int both = asks_for(s, "direction") && asks_for(s, "torso");
  for (int side = -1; side <= 1; side += 2) {
    struct step x = *here;
    x.turn = side * (both ? SMALL : small_turn(s, here->from));
    if (both) {
      x.strafe = ground_wrap(here->strafe - x.turn); /* the torso turns, the direction stays */
      add_step(s, x, out, n);
      x.turn = 0; /* and the other way round */
    }
    if (both || asks_for(s, "direction") || asks_for(s, "torso"))
      add_step(s, x, out, n);
  }
}

static void add_gaits(const struct scene *s, const struct step *here, struct step *out, int *n)
{
  int p = task_find(s->task, "gait");
  for (int i = 0; p >= 0 && i < s->task->parameters[p].n; i++) {
    struct step x = *here;
    x.gait = (int)s->task->parameters[p].values[i];
    if (x.gait != here->gait) {
      x.speed = 0.5 * (s->c->gaits[x.gait].speed_min + s->c->gaits[x.gait].speed_max);
      add_step(s, x, out, n);
    }
  }
}

/* The next faster and the next slower cycle that there are; beyond the last, the end of what is asked for. */
static void add_speeds(const struct scene *s, const struct step *here, struct step *out, int *n)
{
  for (int side = -1; asks_for(s, "speed") && side <= 1; side += 2) {
    int best = -1;
    double gap = INFINITY;
    for (int i = 0; i < s->n_clips; i++) {
      const struct clip *c = s->clips[i].clip;
      double faster = side * (c->speed - here->speed);
      if (c->cyclic && creature_find_gait(s->c, c->gait) == here->gait && same_angle(c->strafe, here->strafe) &&
          faster > 1e-3 * here->speed && faster < gap)
        best = i, gap = faster;
    }
    struct scene_speeds asked = scene_speeds(s, here->gait, here->strafe);
    struct step x = *here;
    x.to = best;
    x.speed = best >= 0 ? s->clips[best].clip->speed : side < 0 ? asked.least : asked.most;
    if (best >= 0 || side * (x.speed - here->speed) > SAME_SPEED * x.speed)
      out[(*n)++] = x;
  }
}

/* All small steps from a cycle. */
static struct step *steps_from(struct arena *arena, const struct scene *s, int clip, int *n)
{
  const struct clip *c = s->clips[clip].clip;
  struct step here = {clip, clip, creature_find_gait(s->c, c->gait), c->strafe, 0, c->speed},
              *steps = ARENA_NEW(arena, (size_t)s->c->n_gaits + 6, struct step); /* four of angles, two of speeds */
  *n = 0;
  add_angles(s, &here, steps, n);
  add_gaits(s, &here, steps, n);
  add_speeds(s, &here, steps, n);
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

int net_lacks(struct arena *scratch, const struct scene *s, const struct candidate *x)
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

static int is_like(const struct choose_input *in, const struct step *x, const struct candidate *t)
{
  if (x->to < 0)
    return t->kind == CANDIDATE_CYCLE && t->gait == x->gait && same_angle(t->strafe, x->strafe) &&
           fabs(t->speed - x->speed) < SAME_SPEED * x->speed;
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
static int most_tries(const struct step *x)
{
  return x->to < 0 ? 2 * NET_TRIES : NET_TRIES;
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
  double keeping = ground_wrap(in->s->clips[hub].clip->strafe - x->strafe);
  int keeps_heading = (fabs(x->turn) < NEAR) ^ (tries % 2);
  *out = scene_cycle(in->s, r, hub, x->gait, x->speed, x->strafe);
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
    if (scene_passage(scratch, in->s, r, (int[2]){x->from, x->to}, x->turn, SCENE_AT_EASE, out) &&
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
  return a->share != b->share ? (a->share < b->share) - (a->share > b->share) : (a->clip > b->clip) - (a->clip < b->clip);
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

int net_propose(struct arena *scratch, const struct choose_input *in, struct rng *r, struct candidate *out, int most)
{
  struct place *places = ARENA_NEW(scratch, (size_t)in->s->n_clips, struct place);
  int n_places = cycles_by_share(in->s, places), chosen = 0;
  for (int i = 0; i < n_places && chosen < most; i++) {
    int n;
    const struct step *steps = steps_from(scratch, in->s, places[i].clip, &n);
    for (int k = 0; k < n && chosen < most; k++)
      if ((steps[k].to < 0 || !is_answered(in->s, &steps[k])) && tries_of(in, &steps[k]) < most_tries(&steps[k]) &&
          !is_chosen(in, &steps[k], out, chosen))
        chosen += make(scratch, in, r, &steps[k], &out[chosen]);
  }
  return chosen;
}

/* What to solve first for a task that asks a creature to stop. See stand.h. */
#include "search/stand.h"

#include <math.h>

#include "base/angle.h"
#include "spacetime/spacetime.h"

#define SAME_TURN 0.01 /* [rad] */

static const double turns[] = {45 * TO_RADIANS, 90 * TO_RADIANS, 135 * TO_RADIANS, 180 * TO_RADIANS};

/* Index of the clip that stands; -1: there is none yet. */
static int stand_find(const struct scene *s)
{
  for (int i = 0; i < s->n_clips; i++)
    if (clip_is_still(s->clips[i].clip))
      return i;
  return -1;
}

static int stand_is_turn(const struct scene *s, const struct candidate *x)
{
  int stand = stand_find(s);
  return stand >= 0 && x->kind == CANDIDATE_TRANSITION && x->from_clip == s->clips[stand].id &&
         x->to_clip == x->from_clip;
}

int stand_asked(const struct scene *s, const struct candidate *x)
{
  int asked = 0;
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    asked |= fabs(fabs(x->turn) - turns[i]) < SAME_TURN;
  return asked && task_stand(s->task) >= 0 && stand_is_turn(s, x);
}

static int stand_was_tried(const struct choose_input *in, int gait)
{
  for (int i = 0; i < in->n_trials; i++)
    if (in->trials[i].candidate.kind == CANDIDATE_CYCLE && in->trials[i].candidate.gait == gait)
      return 1;
  return 0;
}

static int stand_turn_was_tried(const struct choose_input *in, double turn)
{
  for (int i = 0; i < in->n_trials; i++)
    if (stand_is_turn(in->s, &in->trials[i].candidate) && fabs(in->trials[i].candidate.turn - turn) < SAME_TURN)
      return 1;
  return 0;
}

int stand_propose(struct arena *scratch, const struct choose_input *in, struct choice *out, int most)
{
  const struct scene *s = in->s;
  int gait = task_stand(s->task), stand = stand_find(s), n = 0;
  struct rng rng = in->rng;
  if (gait < 0 || most < 1)
    return 0;
  if (stand < 0) {
    struct frame_features wanted = {.gait = gait};
    if (stand_was_tried(in, gait))
      return 0;
    out[0] = (struct choice){.candidate = scene_cycle(s, &rng, 0, &wanted), .chance = 1};
    return 1;
  }
  int sides = s->symmetric_body && s->clips[stand].mirror >= 0 ? 1 : 2;
  for (size_t i = 0; i < sizeof turns / sizeof *turns && task_turns(s->task); i++)
    for (int side = 0; side < sides && n < most; side++) {
      double turn = side ? -turns[i] : turns[i];
      struct candidate x = {.kind = CANDIDATE_TRANSITION, .from_clip = s->clips[stand].id,
                            .to_clip = s->clips[stand].id, .turn = turn};
      struct transition_request r = {.c = s->c, .from = s->clips[stand].clip, .to = s->clips[stand].clip, .turn = turn};
      x.frames = spacetime_transition_frames(scratch, &r);
      if (!stand_turn_was_tried(in, turn))
        out[n++] = (struct choice){.candidate = x, .chance = 1};
    }
  return n;
}

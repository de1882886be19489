/* Solved clips of the biped that make a small graph. */
#include "motion/biped_clips.h"

#include <stdio.h>
#include <stdlib.h>

#include "motion/mirror.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

int biped_clip_id(int i) { return 11 + i; }

static struct clip *solve_gait(struct biped_clips *w, const char *name, double speed)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct gait_request r = {.c = w->c, .gait = creature_find_gait(w->c, name), .speed = speed};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(w->arena, &r, &o, &report);
  if (!clip)
    fprintf(stderr, "%s: %s\n", name, report.reason), exit(99);
  return clip;
}

/* From a frame of one clip to a frame of another, both by their places in `made`. */
struct link { int from, from_frame, to, to_frame, frames; double turn; };

static struct clip *solve_link(struct biped_clips *w, struct link l)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct transition_request r = {.c = w->c, .from = w->made[l.from], .to = w->made[l.to], .from_frame = l.from_frame,
                                 .to_frame = l.to_frame, .from_id = biped_clip_id(l.from), .to_id = biped_clip_id(l.to),
                                 .turn = l.turn, .frames = l.frames};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(w->arena, &r, &o, &report);
  if (!clip)
    fprintf(stderr, "transition from %d to %d: %s\n", l.from, l.to, report.reason), exit(99);
  return clip;
}

/* The mirror of a turn out of the walk and back. */
static struct clip *other_side(struct biped_clips *w, const struct clip *turn)
{
  struct clip *clip = clip_mirror(w->arena, w->c, turn);
  clip->from.frame += w->shift;
  clip->to.frame += w->shift;
  return clip;
}

static struct clip *solve_clip(struct biped_clips *w, int which)
{
  struct clip **m = w->made;
  switch (which) {
  case WALK: return solve_gait(w, "walk", 0.6);
  case RUN: return solve_gait(w, "run", 1.5);
  case LEFT: /* its length asked for: without, the solver tries shorter ones first, for seven seconds */
    return solve_link(w, (struct link){WALK, 3, WALK, 5, 2 * m[WALK]->n_frames + 4, 0.8});
  case RIGHT: return other_side(w, m[LEFT]);
  case LATE_LEFT: return solve_link(w, (struct link){WALK, 20, WALK, 20, 0, 0.6});
  case LATE_RIGHT: return other_side(w, m[LATE_LEFT]);
  case FASTER: return solve_link(w, (struct link){WALK, 10, RUN, 9, 0, 0});
  case SLOWER: return solve_link(w, (struct link){RUN, 9, WALK, 30, 0, 0});
  case SECOND_THOUGHT: return solve_link(w, (struct link){LEFT, 6, WALK, 7, m[LEFT]->n_frames - 6, -0.4});
  case JOINER:
    return solve_link(w, (struct link){WALK, 3, LEFT, m[LEFT]->n_frames - 5, m[LEFT]->n_frames - 3, 0.3});
  }
  return NULL;
}

struct biped_clips biped_clips_new(int n)
{
  struct biped_clips w = {.arena = arena_new()};
  w.c = zoo_find(w.arena, "biped");
  if (!w.c)
    exit(99);
  for (int i = 0; i < n && i < N_CLIPS; i++) {
    w.made[i] = solve_clip(&w, i);
    w.clips[i] = (struct graph_clip){biped_clip_id(i), w.made[i], NULL};
    if (i == WALK && !clip_mirror_shift(w.c, w.made[WALK], 1e-7, &w.shift))
      fprintf(stderr, "the walk is not its own mirror image\n"), exit(99);
  }
  return w;
}

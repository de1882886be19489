/* Depth-first walks through clips, by number of transitions. */
#include "search/walk.h"

#include <string.h>

#include "motion/ground.h"

#define MOST_STEPS 50000 /* frames visited in one search: the bound on its work */

struct walk {
  struct arena *arena;
  const struct clip_list *clips;
  int direction, n_frames;
  int cyclic, first_transition; /* around: back to spots[0], along transitions of no lower index  */
  int steps;
  struct spot *spots;           /* in the order of walking                                        */
  struct walk_list found;
  int limit;
};

static int index_of(const struct clip_list *clips, int id)
{
  for (int i = 0; i < clips->n; i++)
    if (clips->ids[i] == id)
      return i;
  return -1;
}

static int same_frame(const struct clip *clip, int a, int b)
{
  return clip->cyclic ? (a - b) % clip->n_frames == 0 : a == b;
}

/* The same pose in another clip. */
static struct spot hop(const struct walk *w, struct spot at, int clip, int frame)
{
  struct clip_advance match = ground_match(w->clips->clips[at.clip], at.frame, w->clips->clips[clip], frame);
  return (struct spot){clip, frame, ground_after(at.place, match)};
}

/* Moves on to the clip where a transition arrives (or from which it comes) once its last own frame is passed. 0 if that
 * is not in the list. */
static int pass_end(const struct walk *w, struct spot *at)
{
  const struct clip *clip = w->clips->clips[at->clip];
  int end = w->direction > 0 ? clip->n_frames - 2 : 0;
  if (clip->cyclic || (at->frame - end) * w->direction < 0)
    return 1;
  struct clip_end to = w->direction > 0 ? clip->to : clip->from;
  int next = index_of(w->clips, to.clip);
  if (next < 0)
    return 0;
  struct spot junction = {at->clip, end, at->place};
  int beyond = at->frame - end;
  *at = hop(w, junction, next, to.frame);
  at->frame += beyond;
  return 1;
}

static int step_on(const struct walk *w, struct spot *at)
{
  at->frame += w->direction;
  return pass_end(w, at);
}

/* Is transition t left (or entered) at this spot? */
static int branches_off(const struct walk *w, int t, struct spot at)
{
  const struct clip *clip = w->clips->clips[t], *here = w->clips->clips[at.clip];
  struct clip_end end = w->direction > 0 ? clip->from : clip->to;
  return !clip->cyclic && end.clip == w->clips->ids[at.clip] && same_frame(here, end.frame, at.frame);
}

/* Was transition t taken before step k? */
static int taken(const struct walk *w, int t, int k)
{
  for (int i = 0; i < k; i++)
    if (w->spots[i].clip == t && w->spots[i + 1].clip == t)
      return 1;
  return 0;
}

static void keep_walk(struct walk *w, int count)
{
  struct walk_list *f = &w->found;
  struct spot *spots = ARENA_NEW(w->arena, (size_t)count, struct spot);
  for (int k = 0; k < count; k++)
    spots[k] = w->spots[w->direction > 0 ? k : count - 1 - k];
  f->spots[f->n] = spots;
  f->lengths[f->n++] = w->cyclic ? count - 1 : count;
}

/* Is the walk done at step k? */
static int arrived(const struct walk *w, int k)
{
  const struct spot *first = w->spots, *at = w->spots + k;
  if (!w->cyclic)
    return k + 1 == w->n_frames;
  return k > 0 && at->clip == first->clip && same_frame(w->clips->clips[at->clip], at->frame, first->frame);
}

/* From a spot on, with exactly so many transitions to take. */
static void follow(struct walk *w, struct spot at, int k, int branches)
{
  for (;; k++) {
    w->spots[k] = at;
    if (arrived(w, k)) {
      if (branches == 0)
        keep_walk(w, k + 1);
      return;
    }
    if (k + 1 >= w->n_frames || w->steps++ > MOST_STEPS)
      return;
    for (int t = w->first_transition; branches > 0 && t < w->clips->n && !(w->direction < 0 && k == 0); t++) {
      struct spot other;
      if (!branches_off(w, t, at) || (w->cyclic && taken(w, t, k)))
        continue;
      other = hop(w, at, t, w->direction > 0 ? 0 : w->clips->clips[t]->n_frames - 2);
      if (w->found.n < w->limit && step_on(w, &other))
        follow(w, other, k + 1, branches - 1);
      if (w->cyclic && k == 0)
        return; /* around along its first transition only */
    }
    if (w->found.n >= w->limit || !step_on(w, &at))
      return;
  }
}

static struct walk new_walk(struct arena *arena, const struct clip_list *clips, int n_frames, int limit)
{
  struct walk w = {.arena = arena, .clips = clips, .direction = 1, .n_frames = n_frames, .limit = limit};
  w.spots = ARENA_NEW(arena, (size_t)n_frames, struct spot);
  w.found.spots = ARENA_NEW(arena, (size_t)limit, struct spot *);
  w.found.lengths = ARENA_NEW(arena, (size_t)limit, int);
  return w;
}

struct walk_list walk_paths(struct arena *arena, const struct clip_list *clips, int clip, int frame, int n_frames,
                            int direction, const struct walk_limits *limits)
{
  struct walk w = new_walk(arena, clips, n_frames, limits->max_walks);
  w.direction = direction;
  for (int branches = 0; branches <= limits->max_branches && w.found.n < w.limit; branches++)
    follow(&w, (struct spot){clip, direction > 0 ? frame : frame + 1, {0, 0, 0}}, 0, branches);
  return w.found;
}

struct walk_list walk_cycles(struct arena *arena, const struct clip_list *clips, int max_frames,
                             const struct walk_limits *limits)
{
  struct walk w = new_walk(arena, clips, max_frames + 1, limits->max_walks);
  for (int i = 0; i < clips->n; i++) /* several rounds of a cyclic clip are so many cycles */
    for (int n = clips->clips[i]->n_frames; clips->clips[i]->cyclic && n <= max_frames && w.found.n < w.limit;
         n += clips->clips[i]->n_frames) {
      w.cyclic = 0, w.n_frames = n + 1;
      follow(&w, (struct spot){i, 0, {0, 0, 0}}, 0, 0);
      w.found.lengths[w.found.n - 1] = n;
    }
  w.cyclic = 1, w.n_frames = max_frames + 1;
  for (int branches = 1; branches <= limits->max_branches; branches++)
    for (int t = 0; t < clips->n && w.found.n < w.limit; t++) {
      int from = clips->clips[t]->cyclic ? -1 : index_of(clips, clips->clips[t]->from.clip);
      w.first_transition = t;
      if (from >= 0)
        follow(&w, (struct spot){from, clips->clips[t]->from.frame, {0, 0, 0}}, 0, branches);
    }
  return w.found;
}

/* What is known of the clips of a search, and what could be tried next. */
#include "search/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "motion/mirror.h"
#include "spacetime/spacetime.h"

static const double pi = 3.14159265358979323846;

/* ---- clips ---- */

int scene_find(const struct scene *s, int id)
{
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].id == id)
      return i;
  return -1;
}

int scene_node(const struct scene *s, int clip, int frame)
{
  const struct motion_graph *g = s->controller->graph;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].clip == clip && g->nodes[i].frame == frame)
      return i;
  return -1;
}

/* Names and numbers do not tell: two gallops that lead with the same foot have the same ones. */
static int same_poses(const struct clip *a, const struct clip *b)
{
  return a->n_frames == b->n_frames &&
         memcmp(a->q, b->q, (size_t)a->n_frames * (size_t)a->n_dofs * sizeof *a->q) == 0;
}

/* A cyclic clip that is not its own mirror image, such as one that strafes, may have it beside it: the same to the
 * other side. */
static int find_other_side(const struct scene *s, int i)
{
  struct arena *scratch = arena_new();
  const struct clip *mirrored = clip_mirror(scratch, s->c, s->clips[i].clip);
  int found = -1;
  for (int k = 0; k < s->n_clips && found < 0; k++)
    if (k != i && s->clips[k].clip->cyclic && same_poses(s->clips[k].clip, mirrored))
      found = k;
  arena_free(scratch);
  return found;
}

static void find_mirrors(struct scene *s)
{
  s->symmetric = 1;
  for (int i = 0; i < s->n_clips; i++) {
    struct scene_clip *x = &s->clips[i];
    x->mirror = -1;
    if (!x->clip->cyclic)
      continue;
    if (clip_mirror_shift(s->c, x->clip, 1e-6, &x->shift))
      x->mirror = i;
    else
      x->mirror = find_other_side(s, i), x->shift = 0;
    s->symmetric &= x->mirror >= 0;
  }
}

struct scene *scene_new(struct arena *arena, const struct controller *controller, int branches)
{
  const struct motion_graph *g = controller->graph;
  struct scene *s = ARENA_NEW(arena, 1, struct scene);
  *s = (struct scene){.c = g->creature, .task = controller->task, .controller = controller, .branches = branches,
                      .n_clips = g->n_clips, .clips = ARENA_NEW(arena, (size_t)g->n_clips, struct scene_clip)};
  for (int i = 0; i < g->n_clips; i++)
    s->clips[i] = (struct scene_clip){g->clips[i].id, g->clips[i].clip, -1, 0};
  find_mirrors(s);
  return s;
}

static int mirror_end(const struct scene *s, int id, int frame, int *new_id, int *new_frame)
{
  int i = scene_find(s, id);
  if (i < 0 || s->clips[i].mirror < 0)
    return 0;
  *new_id = s->clips[s->clips[i].mirror].id;
  *new_frame = (frame + s->clips[i].shift) % s->clips[i].clip->n_frames;
  return 1;
}

int scene_mirror(const struct scene *s, const struct candidate *x, struct candidate *out)
{
  *out = *x;
  if (x->kind == CANDIDATE_FIRST || !mirror_end(s, x->from_clip, x->from_frame, &out->from_clip, &out->from_frame) ||
      !mirror_end(s, x->to_clip, x->to_frame, &out->to_clip, &out->to_frame))
    return 0;
  out->turn = -x->turn;
  out->strafe = -x->strafe;
  return out->from_clip != x->from_clip || out->from_frame != x->from_frame || out->to_clip != x->to_clip ||
         out->to_frame != x->to_frame || x->turn != 0 || x->strafe != 0;
}

/* ---- candidates ---- */

static int asks_for(const struct task *t, const char *kind)
{
  return task_find(t, kind) >= 0;
}

/* A cyclic clip, at random. */
static int any_cycle(const struct scene *s, struct rng *r)
{
  int n = 0, which;
  for (int i = 0; i < s->n_clips; i++)
    n += s->clips[i].clip->cyclic;
  which = rng_below(r, n);
  for (int i = 0; i < s->n_clips; i++)
    if (s->clips[i].clip->cyclic && which-- == 0)
      return i;
  return 0;
}

static int branch_frame(const struct scene *s, int clip, int k)
{
  return graph_branch_frame(s->clips[clip].clip->n_frames, s->branches, (k % s->branches + s->branches) % s->branches);
}

/* From a branch of a cycle to the branch of the same one that its feet come to in so many steps of the grid: one to two
 * cycles. (In less a walker cannot both turn and be in step again: which way it falls is set by where its feet stand.).
 */
static int propose_turn(const struct scene *s, struct rng *r, int clip, struct candidate *out)
{
  const struct clip *cycle = s->clips[clip].clip;
  int k = rng_below(r, s->branches), steps = s->branches + rng_below(r, s->branches + 1), n = cycle->n_frames;
  int from = branch_frame(s, clip, k), to = branch_frame(s, clip, k + steps);
  out->from_frame = from;
  out->to_frame = to;
  out->frames = ((to - from) % n + n) % n + 2;
  while (out->frames < steps * n / s->branches + 1)
    out->frames += n;
  return asks_for(s->task, "direction") || asks_for(s->task, "torso");
}

static int propose_transition(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out)
{
  int a = any_cycle(s, r), b = any_cycle(s, r), turning = asks_for(s->task, "direction") || asks_for(s->task, "torso");
  *out = (struct candidate){.kind = CANDIDATE_TRANSITION, .from_clip = s->clips[a].id, .to_clip = s->clips[b].id};
  out->turn = turning ? rng_uniform(r, s->symmetric ? 0 : -pi, pi) : 0;
  if (a == b)
    return propose_turn(s, r, a, out);
  out->from_frame = branch_frame(s, a, rng_below(r, s->branches));
  out->to_frame = branch_frame(s, b, rng_below(r, s->branches));
  if (rng_below(r, 2))
    out->turn = 0;
  out->frames = spacetime_transition_frames(scratch, &(struct transition_request){.c = s->c,
                                                                                  .from = s->clips[a].clip,
                                                                                  .to = s->clips[b].clip,
                                                                                  .from_frame = out->from_frame,
                                                                                  .to_frame = out->to_frame,
                                                                                  .turn = out->turn});
  return out->frames > 0;
}

/* A gait that may be asked for; only the first if the task does not ask for gaits. */
static int any_gait(const struct scene *s, struct rng *r)
{
  int p = task_find(s->task, "gait");
  return p < 0 ? creature_find_gait(s->c, s->clips[0].clip->gait)
               : (int)s->task->parameters[p].values[rng_below(r, s->task->parameters[p].n)];
}

static int propose_cycle(const struct scene *s, struct rng *r, struct candidate *out)
{
  int a = any_cycle(s, r), speeds = asks_for(s->task, "speed"), p = task_find(s->task, "speed");
  *out = (struct candidate){
      .kind = CANDIDATE_CYCLE, .from_clip = s->clips[a].id, .to_clip = s->clips[a].id, .gait = any_gait(s, r)};
  const struct gait *g = &s->c->gaits[out->gait];
  double least = g->speed_min, most = g->speed_max;
  if (speeds) { /* what is asked, as far as the gait can */
    least = fmax(least, s->task->parameters[p].least);
    most = fmin(most, s->task->parameters[p].most);
  }
  out->speed = least >= most ? 0.5 * (g->speed_min + g->speed_max)
               : speeds      ? rng_uniform(r, least, most)
                             : 0.5 * (least + most);
  if (asks_for(s->task, "torso") && asks_for(s->task, "direction") && rng_below(r, 4)) {
    out->strafe = rng_uniform(r, s->symmetric ? 0 : -pi, pi);
    if (fabs(out->strafe) > pi / 6) /* legs are made for going ahead */
      out->speed = fmin(out->speed, 0.35 * sqrt(CREATURE_GRAVITY * s->c->height));
  }
  out->from_frame = branch_frame(s, a, rng_below(r, s->branches));
  out->to_frame = branch_frame(s, a, rng_below(r, s->branches));
  return asks_for(s->task, "gait") || speeds || out->strafe != 0;
}

int scene_propose(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out)
{
  int cycles = asks_for(s->task, "gait") || asks_for(s->task, "speed") || asks_for(s->task, "torso");
  int turns = asks_for(s->task, "direction") || asks_for(s->task, "torso");
  if (cycles && (!turns || rng_below(r, 3) == 0))
    return propose_cycle(s, r, out);
  return propose_transition(scratch, s, r, out);
}

/* ---- words ---- */

const char *candidate_text(struct arena *arena, const struct creature *c, const struct candidate *x,
                           const char *(*clip_name)(void *user, int id), void *user)
{
  const char *gait = x->kind == CANDIDATE_TRANSITION ? "" : c->gaits[x->gait].name;
  const char *strafe = x->strafe != 0 ? arena_printf(arena, ", %.0f degrees off the nose", x->strafe * 180 / pi) : "";
  if (x->kind != CANDIDATE_TRANSITION)
    return arena_printf(arena, "%s at %.3g m/s%s", gait, x->speed, strafe);
  return arena_printf(arena, "turn by %.0f degrees from %s:%d to %s:%d in %d frames", x->turn * 180 / pi,
                      clip_name(user, x->from_clip), x->from_frame, clip_name(user, x->to_clip), x->to_frame,
                      x->frames);
}

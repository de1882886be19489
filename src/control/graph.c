/* Clips as strips of frames, cut into fragments. */
#include "control/graph.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"
#include "physics/world.h"

#define FRAGMENTS_OF_CYCLE 8
#define MIRROR_TOLERANCE 1e-3   /* of a pose [rad], [L], that counts as the same in the mirror */

/* ---- frames ---- */

static int find_clip(const struct motion_graph *g, int id)
{
  for (int i = 0; i < g->n_clips; i++)
    if (g->clips[i].id == id)
      return i;
  return -1;
}

static struct reference_piece piece_of(const struct motion_graph *g, int clip, int first, int count,
                                       struct clip_advance place)
{
  return (struct reference_piece){g->clips[clip].clip, g->clips[clip].id, first, count, place};
}

/* A frame of the clip before it, so that its first frame has the speed that it has there; then it; then a little of
 * where it arrives. */
static int pieces_of_transition(const struct motion_graph *g, int which, struct reference_piece *out, int *lead)
{
  const struct clip *t = g->clips[which].clip;
  struct clip_advance origin = {0, 0, 0};
  int n = 0, before = find_clip(g, t->from.clip), after = find_clip(g, t->to.clip);
  *lead = 0;
  if (before >= 0 && (g->clips[before].clip->cyclic || t->from.frame > 0)) {
    out[n++] = piece_of(g, before, t->from.frame - 1, 1, ground_match(t, 0, g->clips[before].clip, t->from.frame));
    *lead = 1;
  }
  out[n++] = piece_of(g, which, 0, t->n_frames - 2, origin);
  if (after >= 0)
    out[n++] = piece_of(g, after, t->to.frame, 3,
                        ground_match(t, t->n_frames - 2, g->clips[after].clip, t->to.frame));
  return n;
}

static struct reference *strip_reference(struct arena *arena, const struct motion_graph *g, int which, int *lead,
                                         struct diag *d)
{
  struct reference_piece pieces[3];
  struct clip_advance origin = {0, 0, 0};
  int n = 1;
  *lead = 0;
  if (g->clips[which].clip->cyclic)
    pieces[0] = piece_of(g, which, 0, g->clips[which].clip->n_frames, origin);
  else
    n = pieces_of_transition(g, which, pieces, lead);
  return reference_of_pieces(arena, g->creature, n, pieces, NULL, d);
}

const double *control_graph_q(const struct control_graph *g, int strip, int frame)
{
  const struct control_strip *s = &g->strips[strip];
  return s->reference->q + (size_t)(s->lead + frame) * (size_t)g->creature->n_dofs;
}

const double *control_graph_v(const struct control_graph *g, int strip, int frame)
{
  const struct control_strip *s = &g->strips[strip];
  return s->reference->v + (size_t)(s->lead + frame) * (size_t)g->creature->n_dofs;
}

/* ---- fragments ---- */

/* All frames at which a clip is left or entered; a stand is at frame 0, by whatever name. */
static void mark_edges(const struct motion_graph *g, int which, int *edge)
{
  int id = g->clips[which].id, n = g->clips[which].clip->n_frames;
  if (clip_is_still(g->clips[which].clip))
    return;
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *t = g->clips[i].clip;
    if (t->cyclic || g->use[i] != GRAPH_USED)
      continue;
    if (t->from.clip == id && t->from.frame < n)
      edge[t->from.frame] = 1;
    if (t->to.clip == id && t->to.frame < n)
      edge[t->to.frame] = 1;
  }
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].clip == which)
      edge[g->nodes[i].frame] = 1;
}

/* More edges between two, so that fragments have about `size` frames. */
static void cut_between(const struct control_strip *s, int from, int until, int size, int *edge)
{
  int count = (until - from + size / 2) / size, last = from, least = size >= 4 ? size / 2 : 1;
  for (int i = 1; i < count; i++) {
    int at = from + (until - from) * i / count, moved = reference_nearest_change(s->reference, s->lead + at,
                                                                                 size / 2 - 1) - s->lead;
    if (moved - last >= least && until - moved >= least)
      at = moved;
    if (at - last >= least && until - at >= least)
      edge[last = at] = 1;
  }
}

/* About how many frames a fragment of a cycle has: an eighth of it, as tracking has it. A walk's eighth is a third of a
 * gallop, too long for one linear model; so each cycle has its own. */
static int cycle_size(const struct clip *cycle)
{
  int n = (cycle->n_frames + FRAGMENTS_OF_CYCLE / 2) / FRAGMENTS_OF_CYCLE;
  return n > 0 ? n : 1;
}

/* Of a clip: its own if it is a cycle, else of the faster of the two that it leads between. */
static int fragment_size(const struct motion_graph *g, int which)
{
  const struct clip *c = g->clips[which].clip;
  if (c->cyclic)
    return cycle_size(c);
  int ends[] = {find_clip(g, c->from.clip), find_clip(g, c->to.clip)}, size = 0;
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0 && g->clips[ends[i]].clip->cyclic) {
      int n = cycle_size(g->clips[ends[i]].clip);
      size = size && size < n ? size : n;
    }
  return size ? size : 8;
}

static int find_node(const struct motion_graph *g, int clip, int frame)
{
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].clip == clip && g->nodes[i].frame == frame)
      return i;
  return -1;
}

/* The edges of a strip become its fragments, and the windows of its reference. */
static void cut_strip(struct arena *arena, struct control_graph *g, int which)
{
  struct control_strip *s = &g->strips[which];
  int *edge = ARENA_NEW(arena, (size_t)s->n_frames + 2, int), n = 0, size = fragment_size(g->motion, which);
  struct reference *r = s->reference;
  mark_edges(g->motion, which, edge);
  edge[0] = edge[s->n_frames] = 1;
  for (int k = 0, last = 0; k <= s->n_frames; k++)
    if (edge[k] == 1 && k > last) {
      cut_between(s, last, k, size, edge);
      last = k;
    }
  for (int k = 0; k < s->n_frames; k++)
    n += edge[k] != 0;
  s->first = g->n_fragments;
  s->n = n;
  r->first = ARENA_NEW(arena, (size_t)n + 1, int);
  r->model = ARENA_NEW(arena, (size_t)n, int);
  r->typical = ARENA_NEW(arena, (size_t)n, int);
  r->keys = ARENA_NEW(arena, (size_t)n, struct reference_key);
  r->n_windows = r->n_ahead = r->n_models = n;
  for (int k = 0, w = 0; k <= s->n_frames; k++)
    if (edge[k]) {
      r->first[w++] = s->lead + k;
    }
  for (int w = 0; w < n; w++) {
    struct control_fragment *f = &g->fragments[g->n_fragments++];
    *f = (struct control_fragment){.strip = which, .from = r->first[w] - s->lead, .until = r->first[w + 1] - s->lead,
                                   .mirror = -1, .node = find_node(g->motion, which, r->first[w] - s->lead)};
    r->model[w] = r->typical[w] = w;
    r->keys[w] = (struct reference_key){g->motion->clips[which].id, f->from, f->until - f->from,
                                        g->motion->clips[which].id, f->until, 0};
  }
}

int control_graph_at(const struct control_graph *g, int clip, int frame)
{
  const struct control_strip *s = &g->strips[clip];
  if (s->clip->cyclic)
    frame %= s->n_frames;
  if (clip_is_still(s->clip))
    frame = 0;
  for (int i = s->first; i < s->first + s->n; i++)
    if (g->fragments[i].from == frame)
      return i;
  return -1;
}

/* What follows each fragment. 0 after an error. */
static int link_fragments(struct control_graph *g, struct diag *d)
{
  for (int i = 0; i < g->n_fragments; i++) {
    struct control_fragment *f = &g->fragments[i];
    const struct control_strip *s = &g->strips[f->strip];
    int last = i == s->first + s->n - 1, to = last && !s->clip->cyclic ? find_clip(g->motion, s->clip->to.clip) : -1;
    f->next = !last ? i + 1 : s->clip->cyclic ? s->first : to >= 0 ? control_graph_at(g, to, s->clip->to.frame) : -1;
    if (f->next < 0) {
      diag_error(d, g->motion->file, 0, "clip %d leads nowhere: no control graph can be made of it",
                 g->motion->clips[f->strip].id);
      return 0;
    }
  }
  return 1;
}

/* ---- mirror images ---- */

/* Is pose b what pose a is in a mirror, place and heading aside? */
static int graph_is_mirrored(const struct creature *c, const double *a, const double *b, double *scratch)
{
  creature_mirror_pose(c, a, scratch);
  if (!(fabs(scratch[2] - b[2]) <= MIRROR_TOLERANCE * c->height))
    return 0;
  for (int i = 4; i < c->n_dofs; i++)
    if (!(fabs(scratch[i] - b[i]) <= MIRROR_TOLERANCE))
      return 0;
  return 1;
}

static void find_mirrors(struct arena *arena, struct control_graph *g)
{
  if (!creature_is_symmetric(g->creature, NULL))
    return; /* what holds on one side need not hold on the other */
  double *scratch = ARENA_NEW(arena, (size_t)g->creature->n_dofs, double);
  for (int i = 0; i < g->n_fragments; i++)
    for (int k = i; k < g->n_fragments && g->fragments[i].mirror < 0; k++) {
      const struct control_fragment *a = &g->fragments[i], *b = &g->fragments[k];
      if (a->until - a->from != b->until - b->from || b->mirror >= 0)
        continue;
      int same = 1;
      for (int part = 0; part <= 4 && same; part++) {
        int off = (a->until - a->from) * part / 4;
        same = graph_is_mirrored(g->creature, control_graph_q(g, a->strip, a->from + off),
                        control_graph_q(g, b->strip, b->from + off), scratch);
      }
      if (same) {
        g->fragments[i].mirror = k;
        g->fragments[k].mirror = i;
      }
    }
}

/* ---- the whole ---- */

/* Targets of the servos at every step: they are implicit and look at the step's end; torques act all through it. */
static void fill_targets(struct arena *arena, struct control_graph *g, struct control_strip *s)
{
  size_t n = (size_t)g->creature->n_dofs;
  s->target = ARENA_NEW(arena, (size_t)(s->n_frames * g->steps) * 3 * n, double);
  for (int k = 0; k < s->n_frames; k++)
    for (int i = 0; i < g->steps; i++) {
      double *t = s->target + (size_t)(k * g->steps + i) * 3 * n;
      reference_between(s->reference, s->lead + k, (i + 0.5) / g->steps, t, NULL, t + 2 * n);
      reference_between(s->reference, s->lead + k, (i + 1.0) / g->steps, t, t + n, NULL);
    }
}

/* Of a stand, as many as the motion graph shows of it until it may be left: one fragment, which follows itself. */
static int shown_frames(const struct clip *clip)
{
  return clip_is_still(clip) ? graph_still_frames(clip) : clip->cyclic ? clip->n_frames : clip->n_frames - 2;
}

static int choose_step(struct control_graph *g, double step, struct diag *d)
{
  struct world_options o;
  world_defaults(g->creature, &o);
  if (!world_check(g->creature, &o, d))
    return 0;
  struct world *w = world_new(g->creature, &o);
  double longest = step > 0 ? step : world_step_seconds(w);
  world_free(w);
  g->steps = (int)ceil(g->dt / longest - 1e-6);
  g->step = g->dt / g->steps;
  return 1;
}

struct control_graph *control_graph_new(struct arena *arena, const struct motion_graph *m, double step, struct diag *d)
{
  struct control_graph *g = ARENA_NEW(arena, 1, struct control_graph);
  int room = 0;
  *g = (struct control_graph){.creature = m->creature, .motion = m, .n_strips = m->n_clips,
                              .dt = m->clips[0].clip->dt};
  g->strips = ARENA_NEW(arena, (size_t)m->n_clips, struct control_strip);
  if (!choose_step(g, step, d))
    return NULL;
  for (int i = 0; i < m->n_clips; i++)
    room += m->clips[i].clip->n_frames;
  g->fragments = ARENA_NEW(arena, (size_t)room + 1, struct control_fragment);
  for (int i = 0; i < m->n_clips; i++) {
    struct control_strip *s = &g->strips[i];
    const struct clip *clip = m->clips[i].clip;
    *s = (struct control_strip){.clip = clip, .first = g->n_fragments,
                                .n_frames = shown_frames(clip)};
    if (m->use[i] != GRAPH_USED)
      continue;
    if (!(s->reference = strip_reference(arena, m, i, &s->lead, d)))
      return NULL;
    cut_strip(arena, g, i);
    fill_targets(arena, g, s);
  }
  if (!link_fragments(g, d))
    return NULL;
  find_mirrors(arena, g);
  return g;
}

/* From clips to decision nodes and segments.
 *
 * First the key frames: those where a transition leaves or arrives, under one name each (a transition's frame 0 and
 * its last but one belong to other clips). Then arcs: what is shown between one key frame and the next. Of these only
 * those stay that can be reached from the first cyclic clip and lead back to it. Key frames with more than one arc out
 * are the decision nodes, and chains of arcs between these the segments.
 *
 * A clip that stands still has one key frame, frame 0, and an arc from there to itself. */
#include "motion/graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"
#include "motion/verify.h"

#define STILL_SHARE 8           /* of the frames of a stand are an arc: a gait has 8 branches in a cycle, too */

/* From a key frame to a key frame, by `count` frames of a clip. */
struct arc {
  int from, to;                 /* key frames                                                       */
  int clip, first, count;
  int kept;
};

struct builder {
  struct arena *arena, *scratch; /* of the graph; of this file                                      */
  struct motion_graph *g;
  struct diag *d;
  int *from, *to;               /* clips at the ends, -1: none                        (n_clips)     */
  int *order;                   /* of clips, each after those at its ends             (n_clips)     */
  int *still;                   /* clip_is_still()                                    (n_clips)     */
  int start;                    /* the first cyclic clip                                            */
  int branches;                 /* of every cycle                                                   */
  const struct features_measures *measures; /* of the task, or NULL                                 */
  int n_keys, n_arcs;
  struct graph_node *keys;      /* by clip and frame                                  (n_keys)      */
  struct arc *arcs;             /* by `from`; the clip that goes on, then transitions (n_arcs)      */
  int *node;                    /* of a key frame, -1: no choice there                (n_keys)      */
};

static const struct clip *graph_clip_at(const struct motion_graph *g, int i)
{
  return g->clips[i].clip;
}

static int graph_find_id(const struct motion_graph *g, int id)
{
  for (int i = 0; i < g->n_clips; i++)
    if (g->clips[i].id == id)
      return i;
  return -1;
}

/* ---- what can be wrong with the clips ---- */

__attribute__((format(printf, 4, 5)))
static void graph_complain(const struct motion_graph *g, struct diag *d, int i, const char *format, ...)
{
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_error(d, g->file, 0, "clip %d (%s) %s", g->clips[i].id, graph_clip_at(g, i)->name, text);
}

static int graph_clip_fits(const struct builder *b, int i)
{
  const struct motion_graph *g = b->g;
  const struct clip *clip = graph_clip_at(g, i), *first = graph_clip_at(g, 0);
  int errors = b->d->n_errors, least = clip->cyclic ? 1 : 4;
  if (clip->n_dofs != g->creature->n_dofs || clip->n_points != g->creature->n_points)
    graph_complain(g, b->d, i, "is not a motion of %s: it has %d dofs and %d contact points, not %d and %d",
                   g->creature->name, clip->n_dofs, clip->n_points, g->creature->n_dofs, g->creature->n_points);
  if (!surface_is_level(&clip->ground))
    graph_complain(g, b->d, i, "is on a slope of %.3g degrees: graphs are of level ground",
                   surface_steepness(&clip->ground, NULL) * TO_DEGREES);
  if (clip->n_frames < least)
    graph_complain(g, b->d, i, "has %d frames; it needs %d at least", clip->n_frames, least);
  if (!(clip->dt > 0) || !(fabs(clip->dt - first->dt) <= 1e-9 * first->dt))
    graph_complain(g, b->d, i, "has %.6g frames a second, clip %d has %.6g: all must have the same", 1 / clip->dt,
                   g->clips[0].id, 1 / first->dt);
  if (graph_find_id(g, g->clips[i].id) != i)
    graph_complain(g, b->d, i, "is there twice");
  for (int after = 0; after < 2; after++)
    if (creature_find_gait(g->creature, after ? clip->gait_after : clip->gait) < 0)
      graph_complain(g, b->d, i, "is in gait '%s', which %s does not have", after ? clip->gait_after : clip->gait,
                     g->creature->name);
  return b->d->n_errors == errors;
}

/* One end of a transition: index of the clip there, -1 after an error. */
static int graph_find_end(const struct builder *b, int i, int at_end)
{
  const struct motion_graph *g = b->g;
  const struct clip *clip = graph_clip_at(g, i);
  struct clip_end end = at_end ? clip->to : clip->from;
  const char *verb = at_end ? "goes to" : "comes from";
  int other = graph_find_id(g, end.clip);
  if (other < 0) {
    graph_complain(g, b->d, i, end.clip ? "%s clip %d, which is not there" : "does not say which clip it %s", verb,
                   end.clip);
    return -1;
  }
  const struct clip *there = graph_clip_at(g, other);
  if (!there->cyclic && (end.frame < 0 || end.frame > there->n_frames - 2)) {
    graph_complain(g, b->d, i, "%s frames %d and %d of clip %d, which has frames 0 to %d", verb, end.frame,
                   end.frame + 1, end.clip, there->n_frames - 1);
    return -1;
  }
  double apart = verify_junction(g->creature, clip, at_end, there, end.frame);
  if (!(apart <= GRAPH_JUNCTION)) {
    graph_complain(g, b->d, i, "%s frame %d of clip %d, but does not match there: it is off by %.3g, allowed is %g",
                   verb, end.frame, end.clip, apart, GRAPH_JUNCTION);
    return -1;
  }
  return other;
}

/* Puts each clip behind those at its ends: whoever cannot be placed refers to itself in the end. */
static void graph_order_clips(struct builder *b)
{
  int n = b->g->n_clips, placed = 0, before;
  int *done = ARENA_NEW(b->scratch, (size_t)n, int);
  do {
    before = placed;
    for (int i = 0; i < n; i++) {
      int ready = (b->from[i] < 0 || done[b->from[i]]) && (b->to[i] < 0 || done[b->to[i]]);
      if (!done[i] && ready)
        done[i] = 1, b->order[placed++] = i;
    }
  } while (placed > before);
  for (int i = 0; i < n; i++)
    if (!done[i])
      graph_complain(b->g, b->d, i, "comes from or goes to transitions that come from or go to it");
}

static int graph_clips_are_good(struct builder *b)
{
  struct motion_graph *g = b->g;
  int errors = b->d->n_errors, fit = 1;
  for (int i = 0; i < g->n_clips; i++)
    fit &= graph_clip_fits(b, i);
  for (int i = 0; i < g->n_clips; i++)
    b->still[i] = clip_is_still(graph_clip_at(g, i));
  b->start = -1;
  for (int i = g->n_clips - 1; i >= 0; i--) {
    b->from[i] = b->to[i] = -1;
    if (graph_clip_at(g, i)->cyclic)
      b->start = i;
  }
  if (b->start < 0)
    diag_error(b->d, g->file, 0, "no clip is cyclic: there is nothing to start with");
  for (int i = 0; fit && i < g->n_clips; i++)
    if (!graph_clip_at(g, i)->cyclic) {
      b->from[i] = graph_find_end(b, i, 0);
      b->to[i] = graph_find_end(b, i, 1);
    }
  if (b->d->n_errors == errors)
    graph_order_clips(b);
  return b->d->n_errors == errors;
}

/* ---- key frames ---- */

/* The one name of a frame that several clips share. */
static struct graph_node graph_name_of(const struct builder *b, int clip, int frame)
{
  for (;;) {
    const struct clip *c = graph_clip_at(b->g, clip);
    if (c->cyclic)
      return (struct graph_node){clip, b->still[clip] ? 0 : (frame % c->n_frames + c->n_frames) % c->n_frames};
    if (frame > 0 && frame < c->n_frames - 2)
      return (struct graph_node){clip, frame};
    struct clip_end end = frame == 0 ? c->from : c->to;
    clip = frame == 0 ? b->from[clip] : b->to[clip];
    frame = end.frame;
  }
}

static int graph_compare_frames(const void *left, const void *right)
{
  const struct graph_node *a = left, *b = right;
  return a->clip != b->clip ? (a->clip > b->clip) - (a->clip < b->clip) : (a->frame > b->frame) - (a->frame < b->frame);
}

static int graph_key_of(const struct builder *b, struct graph_node frame)
{
  const struct graph_node *k = bsearch(&frame, b->keys, (size_t)b->n_keys, sizeof frame, graph_compare_frames);
  return (int)(k - b->keys);
}

int graph_branch_frame(int n_frames, int branches, int k)
{
  int half = branches / 2, second = half > 0 && n_frames % 2 == 0 && k >= half;
  return second ? n_frames / 2 + graph_branch_frame(n_frames, branches, k - half) : k * n_frames / branches;
}

int graph_still_frames(const struct clip *stand)
{
  return stand->n_frames > STILL_SHARE ? stand->n_frames / STILL_SHARE : 1;
}

static int graph_is_branch_frame(const struct builder *b, struct graph_node frame)
{
  const struct clip *c = graph_clip_at(b->g, frame.clip);
  for (int k = 0; k < b->branches && c->cyclic; k++)
    if (graph_branch_frame(c->n_frames, b->branches, k) == frame.frame)
      return 1;
  return 0;
}

/* Frame 0 of the clip where play begins is always one, so that there is a start. */
static void graph_collect_keys(struct builder *b)
{
  const struct motion_graph *g = b->g;
  int n = 0, distinct = 0;
  b->keys = ARENA_NEW(b->scratch, (size_t)(2 + b->branches) * (size_t)g->n_clips + 1, struct graph_node);
  b->keys[n++] = (struct graph_node){b->start, 0};
  for (int i = 0; i < g->n_clips; i++)
    if (!graph_clip_at(g, i)->cyclic) {
      b->keys[n++] = graph_name_of(b, i, 0);
      b->keys[n++] = graph_name_of(b, i, graph_clip_at(g, i)->n_frames - 2);
    } else
      for (int k = 0; k < (b->still[i] && b->branches ? 1 : b->branches); k++)
        b->keys[n++] = (struct graph_node){i, graph_branch_frame(graph_clip_at(g, i)->n_frames, b->branches, k)};
  qsort(b->keys, (size_t)n, sizeof *b->keys, graph_compare_frames);
  for (int i = 0; i < n; i++)
    if (i == 0 || graph_compare_frames(&b->keys[i - 1], &b->keys[i]) != 0)
      b->keys[distinct++] = b->keys[i];
  b->n_keys = distinct;
}

/* ---- arcs ---- */

/* Along a clip from one of its frames to the next key frame behind it. */
static void graph_add_arc(struct builder *b, int from, int clip, int frame)
{
  const struct clip *c = graph_clip_at(b->g, clip);
  struct arc *arc = &b->arcs[b->n_arcs++];
  *arc = (struct arc){.from = from, .clip = clip, .first = frame};
  if (b->still[clip]) {
    arc->to = from;
    arc->count = graph_still_frames(c);
    return;
  }
  int next = 0, first = -1;
  while (next < b->n_keys && (b->keys[next].clip != clip || b->keys[next].frame <= frame)) {
    if (first < 0 && b->keys[next].clip == clip)
      first = next;
    next++;
  }
  if (next < b->n_keys) {
    arc->to = next;
    arc->count = b->keys[next].frame - frame;
  } else if (c->cyclic) { /* round to its first key frame */
    arc->to = first;
    arc->count = b->keys[first].frame + c->n_frames - frame;
  } else {
    arc->to = graph_key_of(b, graph_name_of(b, clip, c->n_frames - 2));
    arc->count = c->n_frames - 2 - frame;
  }
}

static void graph_collect_arcs(struct builder *b)
{
  const struct motion_graph *g = b->g;
  b->arcs = ARENA_NEW(b->scratch, (size_t)(b->n_keys + g->n_clips), struct arc);
  for (int k = 0; k < b->n_keys; k++) {
    graph_add_arc(b, k, b->keys[k].clip, b->keys[k].frame);
    for (int i = 0; i < g->n_clips; i++)
      if (!graph_clip_at(g, i)->cyclic && graph_key_of(b, graph_name_of(b, i, 0)) == k)
        graph_add_arc(b, k, i, 0);
  }
}

/* Marks all key frames to which a way leads from the start (or, backwards, from which one leads there). */
static int *graph_spread_from_start(const struct builder *b, int backwards)
{
  int *seen = ARENA_NEW(b->scratch, (size_t)b->n_keys, int), again = 1;
  seen[graph_key_of(b, (struct graph_node){b->start, 0})] = 1;
  while (again) {
    again = 0;
    for (int i = 0; i < b->n_arcs; i++) {
      int near = backwards ? b->arcs[i].to : b->arcs[i].from, far = backwards ? b->arcs[i].from : b->arcs[i].to;
      if (seen[near] && !seen[far])
        seen[far] = again = 1;
    }
  }
  return seen;
}

/* Keeps what is on a way from the start back to the start. */
static void graph_keep_connected(struct builder *b)
{
  struct motion_graph *g = b->g;
  const int *reached = graph_spread_from_start(b, 0), *returning = graph_spread_from_start(b, 1);
  for (int i = 0; i < g->n_clips; i++)
    g->use[i] = GRAPH_UNREACHABLE;
  for (int i = 0; i < b->n_arcs; i++) {
    struct arc *arc = &b->arcs[i];
    arc->kept = reached[arc->from] && returning[arc->to];
    if (arc->kept)
      g->use[arc->clip] = GRAPH_USED;
    else if (reached[arc->from] && g->use[arc->clip] == GRAPH_UNREACHABLE)
      g->use[arc->clip] = GRAPH_NO_WAY_BACK;
  }
  for (int i = 0; i < g->n_clips; i++)
    g->n_left_out += g->use[i] != GRAPH_USED;
}

/* ---- nodes ---- */

static void graph_collect_nodes(struct builder *b)
{
  struct motion_graph *g = b->g;
  int *ways = ARENA_NEW(b->scratch, (size_t)b->n_keys, int), start = graph_key_of(b, (struct graph_node){b->start, 0});
  b->node = ARENA_NEW(b->scratch, (size_t)b->n_keys, int);
  g->nodes = ARENA_NEW(b->arena, (size_t)b->n_keys, struct graph_node);
  int branches = 0;
  for (int i = 0; i < b->n_arcs; i++)
    if (b->arcs[i].kept)
      branches += ++ways[b->arcs[i].from] == 2;
  for (int k = 0; k < b->n_keys; k++) {
    int is_node = ways[k] > 1 || (ways[k] && graph_is_branch_frame(b, b->keys[k])) || (branches == 0 && k == start);
    b->node[k] = is_node ? g->n_nodes : -1;
    if (is_node)
      g->nodes[g->n_nodes++] = b->keys[k];
  }
}

/* ---- segments ---- */

/* A segment that is being followed: where it is, and how the clip that is shown is placed. */
struct trail {
  struct graph_segment *s;
  struct clip_advance place;    /* of the clip of the last key frame                                 */
};

/* Frames of the same clip, right behind those of the last piece, are more of that piece. */
static void graph_add_piece(const struct motion_graph *g, struct trail *t, const struct arc *arc)
{
  struct graph_segment *s = t->s;
  struct graph_piece *last = s->n_pieces ? &s->pieces[s->n_pieces - 1] : NULL;
  int n = graph_clip_at(g, arc->clip)->n_frames;
  if (last && last->clip == arc->clip && (last->first + last->count) % n == arc->first)
    last->count += arc->count;
  else
    s->pieces[s->n_pieces++] = (struct graph_piece){arc->clip, arc->first, arc->count, t->place};
  s->length += arc->count;
}

/* Goes along an arc: into its clip where it begins, into that of the key frame where it ends. */
static void graph_follow_arc(const struct builder *b, struct trail *t, const struct arc *arc)
{
  const struct motion_graph *g = b->g;
  struct graph_node from = b->keys[arc->from], to = b->keys[arc->to];
  const struct clip *clip = graph_clip_at(g, arc->clip);
  if (arc->clip != from.clip)
    t->place = ground_after(t->place, ground_match(graph_clip_at(g, from.clip), from.frame, clip, 0));
  graph_add_piece(g, t, arc);
  int end = arc->first + arc->count;
  if (to.clip != arc->clip)
    t->place = ground_after(t->place, ground_match(clip, end, graph_clip_at(g, to.clip), to.frame));
  else if (end >= clip->n_frames)
    t->place = ground_after(t->place, clip->advance);
}

/* A key frame that is no node has one way out. */
static const struct arc *graph_only_way(const struct builder *b, int key)
{
  int i = 0;
  while (b->arcs[i].from != key || !b->arcs[i].kept)
    i++;
  return &b->arcs[i];
}

/* The frame in which a transition arrives is the same pose in both clips, but what the ground must give there depends
 * on the frame before: the transition shows it, with its forces, and the next piece begins one frame later. */
static void graph_show_arrivals(const struct motion_graph *g, struct graph_segment *s)
{
  int n = 1;
  for (int p = 1; p < s->n_pieces; p++) {
    struct graph_piece *last = &s->pieces[n - 1], next = s->pieces[p];
    const struct clip *before = graph_clip_at(g, last->clip), *clip = graph_clip_at(g, next.clip);
    if (!before->cyclic && last->first + last->count == before->n_frames - 2) {
      last->count++, next.first++, next.count--;
      if (clip->cyclic && next.first == clip->n_frames)
        next.first = 0, next.place = ground_after(next.place, clip->advance);
    }
    if (next.count > 0)
      s->pieces[n++] = next;
  }
  s->n_pieces = n;
}

/* Features of the frames that are shown, turned as their pieces are placed. */
static void graph_gather_features(struct arena *arena, const struct motion_graph *g, struct graph_segment *s)
{
  int at = 0;
  s->features = ARENA_NEW(arena, (size_t)s->length, struct frame_features);
  for (int p = 0; p < s->n_pieces; p++) {
    const struct graph_piece *piece = &s->pieces[p];
    const struct clip *clip = graph_clip_at(g, piece->clip);
    for (int i = 0; i < piece->count; i++) {
      int frame = piece->first + i, cycles = frame / clip->n_frames; /* 0 in a transition */
      double turn = piece->place.yaw + cycles * clip->advance.yaw;
      s->features[at++] = features_turned(g->clips[piece->clip].features[frame - cycles * clip->n_frames], turn);
    }
  }
}

static void graph_follow_segment(struct builder *b, const struct arc *arc, struct graph_segment *s)
{
  const struct motion_graph *g = b->g;
  struct graph_node from = b->keys[arc->from];
  struct graph_piece *pieces = ARENA_NEW(b->scratch, (size_t)b->n_arcs, struct graph_piece);
  struct trail t = {s, ground_inverse(ground_frame(graph_clip_at(g, from.clip), from.frame))};
  *s = (struct graph_segment){.from = b->node[arc->from], .choice = arc->clip, .pieces = pieces};
  graph_follow_arc(b, &t, arc);
  while (b->node[arc->to] < 0) {
    arc = graph_only_way(b, arc->to);
    graph_follow_arc(b, &t, arc);
  }
  struct graph_node to = b->keys[arc->to];
  struct clip_advance end = ground_after(t.place, ground_frame(graph_clip_at(g, to.clip), to.frame));
  s->to = b->node[arc->to];
  s->turn = end.yaw;
  s->x = end.x;
  s->y = end.y;
  graph_show_arrivals(g, s);
  s->pieces = ARENA_NEW(b->arena, (size_t)s->n_pieces, struct graph_piece);
  memcpy(s->pieces, pieces, (size_t)s->n_pieces * sizeof *pieces);
  graph_gather_features(b->arena, g, s);
}

/* Arcs and nodes are both in the order of key frames, so segments come out in the order of their nodes. */
static void graph_collect_segments(struct builder *b)
{
  struct motion_graph *g = b->g;
  g->segments = ARENA_NEW(b->arena, (size_t)b->n_arcs, struct graph_segment);
  g->first_segment = ARENA_NEW(b->arena, (size_t)g->n_nodes + 1, int);
  for (int i = 0; i < b->n_arcs; i++)
    if (b->arcs[i].kept && b->node[b->arcs[i].from] >= 0) {
      graph_follow_segment(b, &b->arcs[i], &g->segments[g->n_segments++]);
      g->first_segment[b->node[b->arcs[i].from] + 1] = g->n_segments;
    }
}

/* ---- all of it ---- */

/* Clips at the ends come first, so that their features are there. */
static void graph_compute_features(struct builder *b)
{
  struct motion_graph *g = b->g;
  for (int i = 0; i < g->n_clips; i++) {
    int clip = b->order[i];
    struct features_end end[2];
    if (g->clips[clip].features)
      continue;
    for (int e = 0; e < 2 && !graph_clip_at(g, clip)->cyclic; e++) {
      struct graph_node at = graph_name_of(b, clip, e ? graph_clip_at(g, clip)->n_frames - 2 : 0);
      end[e] = (struct features_end){graph_clip_at(g, at.clip), g->clips[at.clip].features, at.frame};
    }
    g->clips[clip].features =
        features_of_clip(b->arena, g->creature, graph_clip_at(g, clip), &end[0], &end[1], b->measures);
  }
}

static struct motion_graph *graph_of_input(struct arena *arena, const struct graph_input *in)
{
  struct motion_graph *g = ARENA_NEW(arena, 1, struct motion_graph);
  size_t n = (size_t)in->n_clips;
  g->creature = in->creature;
  g->file = arena_strdup(arena, in->file);
  g->n_clips = in->n_clips;
  g->clips = ARENA_NEW(arena, n, struct graph_clip);
  g->use = ARENA_NEW(arena, n, enum graph_use);
  if (n)
    memcpy(g->clips, in->clips, n * sizeof *g->clips);
  return g;
}

struct motion_graph *graph_new(struct arena *arena, const struct graph_input *in, struct diag *d)
{
  struct builder b = {.arena = arena,
                      .scratch = arena_new(),
                      .g = graph_of_input(arena, in),
                      .d = d,
                      .branches = in->branches,
                      .measures = in->measures};
  size_t n = (size_t)in->n_clips;
  b.from = ARENA_NEW(b.scratch, n, int);
  b.to = ARENA_NEW(b.scratch, n, int);
  b.order = ARENA_NEW(b.scratch, n, int);
  b.still = ARENA_NEW(b.scratch, n, int);
  struct diag own; /* d does not count what was reported to it before */
  diag_init(&own);
  b.d = &own;
  int good = graph_clips_are_good(&b);
  for (int i = 0; i < own.n_messages; i++)
    diag_error(d, own.messages[i].file, own.messages[i].line, "%s", own.messages[i].text);
  diag_clear(&own);
  b.d = d;
  if (good) {
    graph_collect_keys(&b);
    graph_collect_arcs(&b);
    graph_keep_connected(&b);
    graph_collect_nodes(&b);
    graph_compute_features(&b);
    graph_collect_segments(&b);
  }
  arena_free(b.scratch);
  return good ? b.g : NULL;
}

struct clip_advance graph_step(const struct motion_graph *g, int clip, int frame)
{
  const struct clip *c = graph_clip_at(g, clip);
  while (!c->cyclic && frame >= c->n_frames - 2) { /* there it is another clip already */
    frame += c->to.frame - (c->n_frames - 2);
    c = graph_clip_at(g, graph_find_id(g, c->to.clip));
  }
  return ground_after(ground_inverse(ground_frame(c, frame)), ground_frame(c, frame + 1));
}

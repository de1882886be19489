/* A look at a finished graph, from what it says and the clips alone: nothing of how it was built is used. */
#include "motion/graph.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "motion/ground.h"
#include "motion/verify.h"

static const struct clip *graph_check_clip_at(const struct motion_graph *g, int i)
{
  return g->clips[i].clip;
}

static int graph_check_find_id(const struct motion_graph *g, int id)
{
  int i = g->n_clips - 1;
  while (i >= 0 && g->clips[i].id != id)
    i--;
  return i;
}

struct checker {
  const struct motion_graph *g;
  struct diag *d;
  struct arena *arena;
  double *q, *other;            /* poses                                               (n_dofs) */
  int faults;
};

__attribute__((format(printf, 2, 3)))
static void graph_check_fault(struct checker *k, const char *format, ...)
{
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_error(k->d, k->g->file, 0, "%s", text);
  k->faults++;
}

/* Every node from node 0, and node 0 from every node. */
static void graph_check_connected(struct checker *k)
{
  const struct motion_graph *g = k->g;
  for (int backwards = 0; backwards < 2; backwards++) {
    int *seen = ARENA_NEW(k->arena, (size_t)g->n_nodes, int), again = 1;
    seen[0] = 1;
    while (again) {
      again = 0;
      for (int i = 0; i < g->n_segments; i++) {
        const struct graph_segment *s = &g->segments[i];
        int near = backwards ? s->to : s->from, far = backwards ? s->from : s->to;
        if (seen[near] && !seen[far])
          seen[far] = again = 1;
      }
    }
    for (int i = 0; i < g->n_nodes; i++)
      if (!seen[i])
        graph_check_fault(k, "no way leads from node %d to node %d", backwards ? i : 0, backwards ? 0 : i);
  }
}

static void graph_check_choices(struct checker *k)
{
  const struct motion_graph *g = k->g;
  for (int i = 0; i < g->n_nodes; i++) {
    int ways = g->first_segment[i + 1] - g->first_segment[i];
    if (ways < 1)
      graph_check_fault(k, "node %d is a dead end", i);
    else if (ways < 2 && g->n_nodes > 1)
      graph_check_fault(k, "node %d is no choice: only one way leads on", i);
    for (int s = g->first_segment[i]; s < g->first_segment[i + 1]; s++)
      if (g->segments[s].from != i)
        graph_check_fault(k, "segment %d is listed at node %d, but begins at node %d", s, i, g->segments[s].from);
  }
}

/* Largest difference of two placed frames [rad], [standing heights]. */
static double graph_check_gap(struct checker *k, const struct graph_piece *a, int i, const struct graph_piece *b, int j)
{
  const struct creature *c = k->g->creature;
  double worst = 0;
  clip_frame(graph_check_clip_at(k->g, a->clip), i, k->q);
  clip_frame(graph_check_clip_at(k->g, b->clip), j, k->other);
  clip_move_pose(a->place, k->q);
  clip_move_pose(b->place, k->other);
  for (int n = 0; n < c->n_dofs; n++) {
    double apart = fabs(k->q[n] - k->other[n]) / (n < 3 ? c->height : 1);
    worst = apart <= worst ? worst : apart; /* a NaN stays */
  }
  return worst;
}

/* The node's frame as a piece: standing on its ground frame, and that moved. */
static struct graph_piece graph_check_node_piece(const struct motion_graph *g, int node, struct clip_advance by)
{
  struct graph_node at = g->nodes[node];
  struct clip_advance place = ground_inverse(ground_frame(graph_check_clip_at(g, at.clip), at.frame));
  return (struct graph_piece){at.clip, at.frame, 1, ground_after(by, place)};
}

/* A segment begins with the frame of its node, goes on without a jump, and ends where the next one begins. */
static void graph_check_segment(struct checker *k, int i)
{
  const struct motion_graph *g = k->g;
  const struct graph_segment *s = &g->segments[i];
  struct graph_piece start = graph_check_node_piece(g, s->from, (struct clip_advance){0, 0, 0});
  struct graph_piece end = graph_check_node_piece(g, s->to, (struct clip_advance){s->x, s->y, s->turn});
  int length = 0;
  for (int p = 0; p <= s->n_pieces; p++) {
    const struct graph_piece *here = p ? &s->pieces[p - 1] : &start, *next = p < s->n_pieces ? &s->pieces[p] : &end;
    double apart = graph_check_gap(k, here, p ? here->first + here->count : here->first, next, next->first);
    if (!(apart <= 4 * GRAPH_JUNCTION)) /* a frame may go by several names, one junction from each to the next */
      graph_check_fault(k, "segment %d jumps by %.3g at its frame %d", i, apart, length);
    length += p < s->n_pieces ? next->count : 0;
  }
  if (length != s->length || length < 1)
    graph_check_fault(k, "segment %d shows %d frames, but says %d", i, length, s->length);
}

/* The clip at an end of a transition; NULL if there is none. */
static const struct clip *graph_check_end(const struct motion_graph *g, const struct clip *clip, struct clip_end end)
{
  int other = clip->cyclic ? -1 : graph_check_find_id(g, end.clip);
  return other < 0 ? NULL : graph_check_clip_at(g, other);
}

/* Junctions and physics of a clip. */
static void graph_check_clip(struct checker *k, int i)
{
  const struct motion_graph *g = k->g;
  const struct clip *clip = graph_check_clip_at(g, i);
  struct verify_neighbours beside = {graph_check_end(g, clip, clip->from), graph_check_end(g, clip, clip->to),
                                     clip->from.frame, clip->to.frame};
  struct verify_report report;
  verify_transition(k->arena, g->creature, clip, &beside, &report);
  for (int m = 0; m < N_VERIFY_MEASURES; m++) {
    const struct verify_line *l = &report.lines[m];
    if (!l->passed)
      graph_check_fault(k, "clip %d (%s), frame %d, %s: %s is %.3g, allowed is %g", g->clips[i].id, clip->name,
                        l->frame, l->where ? l->where : "all of it", l->what, l->value, l->bar);
  }
  for (int e = 0; e < 2 && !clip->cyclic; e++) {
    struct clip_end end = e ? clip->to : clip->from;
    int other = graph_check_find_id(g, end.clip);
    double apart =
        other < 0 ? INFINITY : verify_junction(g->creature, clip, e, graph_check_clip_at(g, other), end.frame);
    if (!(apart <= GRAPH_JUNCTION))
      graph_check_fault(k, "clip %d (%s) is off by %.3g where it %s clip %d, allowed is %g", g->clips[i].id, clip->name,
                        apart, e ? "enters" : "leaves", end.clip, GRAPH_JUNCTION);
  }
}

int graph_check(const struct motion_graph *g, struct diag *d)
{
  struct checker k = {.g = g, .d = d, .arena = arena_new()};
  k.q = ARENA_NEW(k.arena, (size_t)g->creature->n_dofs, double);
  k.other = ARENA_NEW(k.arena, (size_t)g->creature->n_dofs, double);
  graph_check_connected(&k);
  graph_check_choices(&k);
  for (int i = 0; i < g->n_segments; i++)
    graph_check_segment(&k, i);
  for (int i = 0; i < g->n_clips; i++)
    if (g->use[i] == GRAPH_USED)
      graph_check_clip(&k, i);
  arena_free(k.arena);
  return k.faults;
}

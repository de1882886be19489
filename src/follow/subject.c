/* References from clips in their surroundings, and from paths through a motion graph. */
#include "follow/subject.h"

#include <string.h>

#include "base/rng.h"
#include "motion/ground.h"

#define MOST_PIECES 64          /* of the surroundings of a clip                     */
#define PATH_STREAM 0x50415448ULL

/* ---- a clip ---- */

/* Index of a clip by its id; -1 if it is not there. */
static int find_clip(const struct graph_input *in, int id)
{
  for (int i = 0; i < in->n_clips; i++)
    if (in->clips[i].id == id)
      return i;
  return -1;
}

struct chain { const struct graph_input *in; int n; struct reference_piece pieces[MOST_PIECES]; };

static void add_piece(struct chain *c, int which, int first, int count, struct clip_advance place)
{
  if (count > 0 && c->n < MOST_PIECES)
    c->pieces[c->n++] = (struct reference_piece){c->in->clips[which].clip, c->in->clips[which].id, first, count, place};
}

/* Half a cycle, or as much as there is, of what comes before a transition that stands at `place`. */
static void lead_in(struct chain *c, int which, struct clip_advance place)
{
  const struct clip *t = c->in->clips[which].clip;
  int before = find_clip(c->in, t->from.clip);
  if (before < 0)
    return;
  const struct clip *a = c->in->clips[before].clip;
  int lead = a->n_frames / 2;
  if (!a->cyclic && lead > t->from.frame - 1)
    lead = t->from.frame - 1;
  add_piece(c, before, t->from.frame - lead, lead, ground_after(place, ground_match(t, 0, a, t->from.frame)));
}

/* The clip from frame `first` on, then what it leads to, until a cycle has been gone round. */
static void go_on(struct chain *c, int which, int first, struct clip_advance place)
{
  while (c->n < MOST_PIECES - 1) {
    const struct clip *t = c->in->clips[which].clip;
    int next = t->cyclic ? -1 : find_clip(c->in, t->to.clip);
    if (next < 0) {
      add_piece(c, which, first, t->cyclic ? t->n_frames : t->n_frames - first, place);
      return;
    }
    add_piece(c, which, first, t->n_frames - 2 - first, place);
    first = t->to.frame;
    place = ground_after(place, ground_match(t, t->n_frames - 2, c->in->clips[next].clip, first));
    which = next;
  }
}

/* The motion of a clip's own frame after so many of its cycles. */
static struct clip_advance cycles_on(const struct clip *clip, int cycles)
{
  struct clip_advance a = {0, 0, 0};
  for (int i = 0; i < cycles; i++)
    a = ground_after(a, clip->advance);
  return a;
}

struct reference *subject_clip(struct arena *arena, const struct graph_input *in, int which, int cycles,
                               const struct reference_options *o,
                               struct diag *d)
{
  const struct clip *clip = in->clips[which].clip;
  struct clip_advance origin = {0, 0, 0};
  if (clip->cyclic) {
    struct reference_piece *p = ARENA_NEW(arena, (size_t)cycles, struct reference_piece);
    for (int i = 0; i < cycles; i++)
      p[i] = (struct reference_piece){clip, in->clips[which].id, 0, clip->n_frames, cycles_on(clip, i)};
    return reference_of_pieces(arena, in->creature, cycles, p, o, d);
  }
  struct chain c = {.in = in};
  lead_in(&c, which, origin);
  go_on(&c, which, 0, origin);
  return reference_of_pieces(arena, in->creature, c.n, c.pieces, o, d);
}

/* ---- a path ---- */

struct reference_piece *subject_pieces_of_path(struct arena *arena, const struct motion_graph *g, int n_segments,
                                               const int *segments, int *n)
{
  int room = 0;
  for (int i = 0; i < n_segments; i++)
    room += g->segments[segments[i]].n_pieces;
  struct reference_piece *out = ARENA_NEW(arena, (size_t)room, struct reference_piece);
  struct clip_advance here = {0, 0, 0};
  *n = 0;
  for (int i = 0; i < n_segments; i++) {
    const struct graph_segment *s = &g->segments[segments[i]];
    for (int k = 0; k < s->n_pieces; k++) {
      const struct graph_piece *p = &s->pieces[k];
      const struct graph_clip *clip = &g->clips[p->clip];
      out[(*n)++] = (struct reference_piece){clip->clip, clip->id, p->first, p->count, ground_after(here, p->place)};
    }
    here = ground_after(here, (struct clip_advance){s->x, s->y, s->turn});
  }
  return out;
}

/* A random choice at a node, by preference one that leaves the clip. */
static int subject_choose(const struct motion_graph *g, int node, struct rng *rng)
{
  int first = g->first_segment[node], n = g->first_segment[node + 1] - first;
  return first + (n > 1 && rng_below(rng, 4) > 0 ? 1 + rng_below(rng, n - 1) : 0);
}

struct reference *subject_path(struct arena *arena, const struct graph_input *in, const struct subject_path *path,
                               const struct reference_options *o, const char **names, struct diag *d)
{
  const struct motion_graph *g = graph_new(arena, in, d);
  if (!g)
    return NULL;
  struct rng rng = rng_stream(path->seed, PATH_STREAM);
  int room = 64 * (path->transitions + 1), n = 0, taken = 0, node = 0, n_pieces = 0;
  int *segments = ARENA_NEW(arena, (size_t)room, int);
  *names = "";
  while (n < room && taken < path->transitions) {
    const struct graph_segment *s = &g->segments[segments[n++] = subject_choose(g, node, &rng)];
    if (!g->clips[s->choice].clip->cyclic) {
      taken++;
      *names = arena_printf(arena, "%s%s%d", *names, taken > 1 ? " " : "", g->clips[s->choice].id);
    }
    node = s->to;
  }
  struct reference_piece *pieces = subject_pieces_of_path(arena, g, n, segments, &n_pieces);
  struct reference_piece *all = ARENA_NEW(arena, (size_t)n_pieces + MOST_PIECES, struct reference_piece);
  memcpy(all, pieces, (size_t)n_pieces * sizeof *all);
  struct clip_advance here = {0, 0, 0};
  for (int i = 0; i < n; i++) {
    const struct graph_segment *s = &g->segments[segments[i]];
    here = ground_after(here, (struct clip_advance){s->x, s->y, s->turn});
  }
  const struct graph_node *end = &g->nodes[node];
  const struct clip *last = g->clips[end->clip].clip;
  struct chain c = {.in = in};
  go_on(&c, end->clip, end->frame, ground_after(here, ground_inverse(ground_frame(last, end->frame))));
  memcpy(all + n_pieces, c.pieces, (size_t)c.n * sizeof *all);
  return reference_of_pieces(arena, in->creature, n_pieces + c.n, all, o, d);
}

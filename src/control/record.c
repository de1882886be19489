/* Controls as bytes: a head that tells the graph apart from others, then fragment by fragment. All are real numbers of
 * 8 bytes, little-endian, the head's counts and marks too.
 *
 * In the short form there is only what drives: gains and values as in short_gains.h, each fragment's after a byte: 0,
 * or 1 where there are none, because they are those of its mirror image, which comes before it; and compact policies
 * where these drive. */
#include "control/record.h"

#include <stdint.h>
#include <string.h>

#include "control/short_gains.h"
#include "feedback/mirror.h"
#include "motion/motion_bytes.h"

#define MAGIC       2.71828e-42 /* first number: version 1               */
#define MAGIC_SHORT 2.71830e-42 /* the short form                        */
#define ALIKE       1e-3        /* mirror images of gains that differ by no more (short_gains.h) are kept once */

/* Numbers of the head: up to FINGERPRINT those of the graph, then 0 or 1, what there is and what drives. */
enum { FINGERPRINT = 5, HAS_GAINS, HAS_COMPACT, KIND, HEAD };

/* Depends on which clips, and how they are cut. */
static double fingerprint(const struct control_graph *g)
{
  uint64_t hash = 1469598103934665603ULL;
  for (int i = 0; i < g->n_fragments; i++) {
    const struct control_fragment *f = &g->fragments[i];
    const uint64_t parts[] = {(uint64_t)g->motion->clips[f->strip].id, (uint64_t)f->from, (uint64_t)f->until};
    for (size_t k = 0; k < 3; k++)
      hash = (hash ^ parts[k]) * 1099511628211ULL;
  }
  return (double)(hash >> 12);
}

static void fill_head(const struct controls *c, int is_short, double *head)
{
  const struct control_graph *g = c->graph;
  const double numbers[HEAD] = {is_short ? MAGIC_SHORT : MAGIC, g->n_fragments, g->creature->n_dofs,
                                features_count(c->features), features_actions(c->features), fingerprint(g),
                                c->gains != NULL, c->compact && !(is_short && c->kind == CONTROL_FULL),
                                (double)c->kind};
  memcpy(head, numbers, sizeof numbers);
}

/* ---- policies ---- */

static void put_gain(struct bytes_writer *w, const struct window_gain *g, size_t m, size_t r)
{
  bytes_put_reals(w, g->K, r * m);
  bytes_put_reals(w, g->k, r);
  bytes_put_reals(w, g->P, m * m);
  bytes_put_reals(w, g->p, m);
}

/* The fragment that is this one in a mirror, if it comes before it; else -1. */
static int twin_before(const struct control_graph *g, int fragment)
{
  int twin = g->fragments[fragment].mirror;
  return twin < fragment ? twin : -1;
}

/* Are the gains of a fragment those of its twin in a mirror? Not so where the two go on to different clips, as
 * policies look ahead. */
static int is_mirrored(const struct controls *c, int fragment, size_t m, size_t r)
{
  int twin = twin_before(c->graph, fragment);
  if (twin < 0)
    return 0;
  struct arena *scratch = arena_new();
  struct window_gain image = mirror_gain(scratch, c->graph->creature, &c->gains[twin]);
  int alike = short_gain_difference(&c->gains[fragment], &image, m, r) <= ALIKE;
  arena_free(scratch);
  return alike;
}

static void put_gain_short(struct bytes_writer *w, const struct controls *c, int fragment, size_t m, size_t r)
{
  int mirrored = is_mirrored(c, fragment, m, r);
  bytes_put_bits(w, (uint64_t)mirrored, 1);
  if (!mirrored)
    short_gain_put(w, &c->gains[fragment], m, r);
}

static void put_compact(struct bytes_writer *w, const struct compact_policy *p, size_t n, size_t k)
{
  bytes_put_reals(w, p->M, k * n);
  bytes_put_reals(w, p->offset, k);
  bytes_put_reals(w, p->variance, k);
}

static void put_policies(struct bytes_writer *w, const struct controls *c, int is_short)
{
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  double head[HEAD];
  fill_head(c, is_short, head);
  bytes_put_reals(w, head, HEAD);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    if (c->gains && is_short)
      put_gain_short(w, c, i, m, r);
    else if (c->gains)
      put_gain(w, &c->gains[i], m, r);
    if (head[HAS_COMPACT] == 1)
      put_compact(w, &c->compact[i], n, k);
  }
}

static void put_whole(struct bytes_writer *w, const void *what)
{
  put_policies(w, what, 0);
}

static void put_short(struct bytes_writer *w, const void *what)
{
  put_policies(w, what, 1);
}

const void *controls_write(struct arena *arena, const struct controls *c, size_t *n)
{
  return bytes_pack(arena, put_whole, c, n);
}

const void *controls_write_short(struct arena *arena, const struct controls *c, size_t *n)
{
  return bytes_pack(arena, put_short, c, n);
}

/* Every mark is 0 or 1, and the kind of policy that drives is there. */
static int marks_fit(const double *head)
{
  for (int i = HAS_GAINS; i < HEAD; i++)
    if (head[i] != 0 && head[i] != 1)
      return 0;
  return head[KIND] == (double)CONTROL_COMPACT ? head[HAS_COMPACT] == 1 : head[HAS_GAINS] == 1;
}

static void get_gain(struct bytes_reader *b, size_t m, size_t r, struct window_gain *g)
{
  g->K = bytes_get_reals(b, r * m);
  g->k = bytes_get_reals(b, r);
  g->P = bytes_get_reals(b, m * m);
  g->p = bytes_get_reals(b, m);
}

static void get_gain_short(struct bytes_reader *b, const struct control_graph *g, int fragment, size_t m, size_t r,
                           struct window_gain *gains)
{
  uint64_t mirrored = bytes_get_bits(b, 1);
  int twin = twin_before(g, fragment);
  b->bad |= mirrored > 1 || (mirrored && twin < 0);
  if (!b->bad && mirrored)
    gains[fragment] = mirror_gain(b->arena, g->creature, &gains[twin]);
  else if (!b->bad)
    short_gain_get(b, m, r, &gains[fragment]);
}

static void get_compact(struct bytes_reader *b, size_t n, size_t k, struct compact_policy *p)
{
  p->M = bytes_get_reals(b, k * n);
  p->offset = bytes_get_reals(b, k);
  p->variance = bytes_get_reals(b, k);
}

struct controls *controls_read(struct arena *arena, const struct control_graph *g, const void *bytes, size_t n,
                               struct diag *d)
{
  struct controls *c = controls_new(arena, g);
  struct bytes_reader b = {.at = bytes, .left = n, .arena = arena};
  double expected[HEAD];
  const double *head = bytes_get_reals(&b, HEAD);
  int is_short = head && head[0] == MAGIC_SHORT;
  fill_head(c, is_short, expected);
  if (!head || memcmp(head, expected, (FINGERPRINT + 1) * sizeof *head)) {
    diag_error(d, g->motion->file, 0, "the control graph that was kept is of other clips than are here now; learn it "
                                      "anew");
    return NULL;
  }
  size_t m = 2 * (size_t)g->creature->n_dofs, r = (size_t)g->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t features = (size_t)features_count(c->features), actions = (size_t)features_actions(c->features);
  c->kind = head[KIND] == (double)CONTROL_COMPACT ? CONTROL_COMPACT : CONTROL_FULL;
  b.bad |= !marks_fit(head);
  struct window_gain *gains = head[HAS_GAINS] == 1 ? ARENA_NEW(arena, (size_t)g->n_fragments, struct window_gain)
                              : NULL;
  c->gains = gains;
  if (head[HAS_COMPACT] == 1)
    c->compact = ARENA_NEW(arena, (size_t)g->n_fragments, struct compact_policy);
  for (int i = 0; i < g->n_fragments && !b.bad; i++) {
    if (gains && is_short)
      get_gain_short(&b, g, i, m, r, gains);
    else if (gains)
      get_gain(&b, m, r, &gains[i]);
    if (c->compact)
      get_compact(&b, features, actions, &c->compact[i]);
  }
  if (b.bad || b.left > 0) {
    diag_error(d, g->motion->file, 0, "the control graph that was kept is damaged: of its %zu bytes, %s", n,
               b.bad ? "some are missing or cannot be" : "some do not belong to it");
    return NULL;
  }
  return c;
}

/* ---- with their graph ---- */

void controls_put(struct bytes_writer *w, const struct controls *c)
{
  const struct motion_graph *m = c->graph->motion;
  const struct graph_input in = {.creature = c->graph->creature, .file = m->file, .n_clips = m->n_clips,
                                 .clips = m->clips};
  struct bytes_writer policies = {NULL, 0}; /* only counts */
  put_policies(&policies, c, 0);
  bytes_put_real(w, c->graph->step);
  graph_input_put(w, &in);
  bytes_put_bits(w, policies.n, 8);
  put_policies(w, c, 0);
}

struct controls *controls_get(struct bytes_reader *b, struct diag *d)
{
  struct graph_input in;
  double step = bytes_get_real(b);
  if (!graph_input_get(b, &in))
    return NULL;
  const struct motion_graph *motion = graph_new(b->arena, &in, d);
  const struct control_graph *g = motion ? control_graph_new(b->arena, motion, step, d) : NULL;
  uint64_t n = bytes_get_bits(b, 8);
  const unsigned char *policies = n <= b->left ? bytes_take(b, (size_t)n) : NULL;
  b->bad |= !policies;
  return g && policies ? controls_read(b->arena, g, policies, (size_t)n, d) : NULL;
}

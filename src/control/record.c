/* Controls as bytes: a head that tells the graph apart from others, then fragment by fragment. All are real numbers of
 * 8 bytes, little-endian, the head's counts and marks too. */
#include "control/record.h"

#include <stdint.h>
#include <string.h>

#include "motion/motion_bytes.h"

#define MAGIC 2.71828e-42       /* first number: version 1 */

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

static void fill_head(const struct controls *c, double *head)
{
  const struct control_graph *g = c->graph;
  const double numbers[HEAD] = {MAGIC, g->n_fragments, g->creature->n_dofs, features_count(c->features),
                                features_actions(c->features), fingerprint(g), c->gains != NULL, c->compact != NULL,
                                (double)c->kind};
  memcpy(head, numbers, sizeof numbers);
}

static void put_policies(struct bytes_writer *w, const void *what)
{
  const struct controls *c = what;
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  double head[HEAD];
  fill_head(c, head);
  bytes_put_reals(w, head, HEAD);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    if (c->gains) {
      const struct window_gain *g = &c->gains[i];
      bytes_put_reals(w, g->K, r * m);
      bytes_put_reals(w, g->k, r);
      bytes_put_reals(w, g->P, m * m);
      bytes_put_reals(w, g->p, m);
    }
    if (c->compact) {
      const struct compact_policy *p = &c->compact[i];
      bytes_put_reals(w, p->M, k * n);
      bytes_put_reals(w, p->offset, k);
      bytes_put_reals(w, p->variance, k);
    }
  }
}

const void *controls_write(struct arena *arena, const struct controls *c, size_t *n)
{
  return bytes_pack(arena, put_policies, c, n);
}

/* Every mark is 0 or 1, and the kind of policy that drives is there. */
static int marks_fit(const double *head)
{
  for (int i = HAS_GAINS; i < HEAD; i++)
    if (head[i] != 0 && head[i] != 1)
      return 0;
  return head[KIND] == (double)CONTROL_COMPACT ? head[HAS_COMPACT] == 1 : head[HAS_GAINS] == 1;
}

/* Numbers of a fragment's gains and compact policy. */
static size_t fragment_numbers(const struct controls *c, const double *head)
{
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  return (head[HAS_GAINS] == 1 ? r * m + r + m * m + m : 0) + (head[HAS_COMPACT] == 1 ? k * n + 2 * k : 0);
}

struct controls *controls_read(struct arena *arena, const struct control_graph *g, const void *bytes, size_t n,
                               struct diag *d)
{
  struct controls *c = controls_new(arena, g);
  struct bytes_reader b = {.at = bytes, .left = n, .arena = arena};
  double expected[HEAD];
  const double *head = bytes_get_reals(&b, HEAD);
  fill_head(c, expected);
  if (!head || memcmp(head, expected, (FINGERPRINT + 1) * sizeof *head)) {
    diag_error(d, g->motion->file, 0, "the control graph that was kept is of other clips than are here now; learn it "
                                      "anew");
    return NULL;
  }
  size_t whole = 8 * (HEAD + (size_t)g->n_fragments * fragment_numbers(c, head));
  if (!marks_fit(head) || n != whole) {
    diag_error(d, g->motion->file, 0, "the control graph that was kept is damaged: %zu bytes, found %zu", whole, n);
    return NULL;
  }
  size_t m = 2 * (size_t)g->creature->n_dofs, r = (size_t)g->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t features = (size_t)features_count(c->features), actions = (size_t)features_actions(c->features);
  c->kind = head[KIND] == (double)CONTROL_COMPACT ? CONTROL_COMPACT : CONTROL_FULL;
  struct window_gain *gains = head[HAS_GAINS] == 1 ? ARENA_NEW(arena, (size_t)g->n_fragments, struct window_gain)
                              : NULL;
  c->gains = gains;
  if (head[HAS_COMPACT] == 1)
    c->compact = ARENA_NEW(arena, (size_t)g->n_fragments, struct compact_policy);
  for (int i = 0; i < g->n_fragments; i++) { /* as many numbers as there are bytes for: none is NULL */
    if (gains) {
      gains[i].K = bytes_get_reals(&b, r * m);
      gains[i].k = bytes_get_reals(&b, r);
      gains[i].P = bytes_get_reals(&b, m * m);
      gains[i].p = bytes_get_reals(&b, m);
    }
    if (c->compact) {
      c->compact[i].M = bytes_get_reals(&b, actions * features);
      c->compact[i].offset = bytes_get_reals(&b, actions);
      c->compact[i].variance = bytes_get_reals(&b, actions);
    }
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
  put_policies(&policies, c);
  bytes_put_real(w, c->graph->step);
  graph_input_put(w, &in);
  bytes_put_bits(w, policies.n, 8);
  put_policies(w, c);
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

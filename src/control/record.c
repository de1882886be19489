/* Controls as bytes: a head that tells the graph apart from others, then fragment by fragment. All are real numbers of
 * 8 bytes, little-endian, the head's counts and marks too. In the short form gains and values have 4 bytes a number,
 * and of P, which is symmetric, there is the upper triangle. */
#include "control/record.h"

#include <stdint.h>
#include <string.h>

#include "motion/motion_bytes.h"

#define MAGIC       2.71828e-42 /* first number: version 1               */
#define MAGIC_SHORT 2.71829e-42 /* the same with gains in the short form */

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
                                c->gains != NULL, c->compact != NULL, (double)c->kind};
  memcpy(head, numbers, sizeof numbers);
}

/* ---- numbers of 4 bytes ---- */

static void put_single(struct bytes_writer *w, double x)
{
  float single = (float)x;
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  bytes_put_bits(w, bits, sizeof bits);
}

static void put_singles(struct bytes_writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    put_single(w, x[i]);
}

static double get_single(struct bytes_reader *b)
{
  uint32_t bits = (uint32_t)bytes_get_bits(b, sizeof bits);
  float single;
  memcpy(&single, &bits, sizeof single);
  return (double)single;
}

static double *get_singles(struct bytes_reader *b, size_t n)
{
  double *x = ARENA_NEW(b->arena, n, double);
  for (size_t i = 0; i < n; i++)
    x[i] = get_single(b);
  return x;
}

static void put_triangle(struct bytes_writer *w, const double *P, size_t m)
{
  for (size_t i = 0; i < m; i++)
    for (size_t j = i; j < m; j++)
      put_single(w, 0.5 * (P[i * m + j] + P[j * m + i])); /* symmetric but for rounding */
}

static double *get_triangle(struct bytes_reader *b, size_t m)
{
  double *P = ARENA_NEW(b->arena, m * m, double);
  for (size_t i = 0; i < m; i++)
    for (size_t j = i; j < m; j++)
      P[i * m + j] = P[j * m + i] = get_single(b);
  return P;
}

/* ---- policies ---- */

static void put_gain(struct bytes_writer *w, const struct window_gain *g, size_t m, size_t r)
{
  bytes_put_reals(w, g->K, r * m);
  bytes_put_reals(w, g->k, r);
  bytes_put_reals(w, g->P, m * m);
  bytes_put_reals(w, g->p, m);
}

static void put_gain_short(struct bytes_writer *w, const struct window_gain *g, size_t m, size_t r)
{
  put_singles(w, g->K, r * m);
  put_singles(w, g->k, r);
  put_triangle(w, g->P, m);
  put_singles(w, g->p, m);
}

static void put_policies(struct bytes_writer *w, const struct controls *c, int is_short)
{
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  double head[HEAD];
  fill_head(c, is_short, head);
  bytes_put_reals(w, head, HEAD);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    if (c->gains)
      (is_short ? put_gain_short : put_gain)(w, &c->gains[i], m, r);
    if (c->compact) {
      const struct compact_policy *p = &c->compact[i];
      bytes_put_reals(w, p->M, k * n);
      bytes_put_reals(w, p->offset, k);
      bytes_put_reals(w, p->variance, k);
    }
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

/* Bytes of a fragment's gains and compact policy. */
static size_t fragment_bytes(const struct controls *c, const double *head, int is_short)
{
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  size_t gain = is_short ? 4 * (r * m + r + m * (m + 1) / 2 + m) : 8 * (r * m + r + m * m + m);
  return (head[HAS_GAINS] == 1 ? gain : 0) + (head[HAS_COMPACT] == 1 ? 8 * (k * n + 2 * k) : 0);
}

/* As many numbers as there are bytes for: none is NULL. */
static struct window_gain get_gain(struct bytes_reader *b, size_t m, size_t r, int is_short)
{
  struct window_gain g;
  g.K = is_short ? get_singles(b, r * m) : bytes_get_reals(b, r * m);
  g.k = is_short ? get_singles(b, r) : bytes_get_reals(b, r);
  g.P = is_short ? get_triangle(b, m) : bytes_get_reals(b, m * m);
  g.p = is_short ? get_singles(b, m) : bytes_get_reals(b, m);
  return g;
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
  size_t whole = 8 * HEAD + (size_t)g->n_fragments * fragment_bytes(c, head, is_short);
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
  for (int i = 0; i < g->n_fragments; i++) {
    if (gains)
      gains[i] = get_gain(&b, m, r, is_short);
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

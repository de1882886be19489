/* Controls as bytes: a head that tells the graph apart from others, then fragment by fragment. */
#include "control/record.h"

#include <stdint.h>
#include <string.h>

#define MAGIC 2.71828e-42       /* first number: version 1 */
#define HEAD 9

/* ---- numbers as bytes ---- */

struct writer { unsigned char *bytes; size_t n; };  /* bytes NULL: only counts */

static void put(struct writer *w, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++, w->n += 8) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (size_t k = 0; w->bytes && k < 8; k++)
      w->bytes[w->n + k] = (unsigned char)(bits >> (8 * k));
  }
}

struct reader { const unsigned char *bytes; size_t n, at; int short_of; };

static void get(struct reader *r, double *x, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = 0;
    x[i] = 0;
    if (r->short_of || r->n - r->at < 8) {
      r->short_of = 1;
      continue;
    }
    for (size_t k = 0; k < 8; k++)
      bits |= (uint64_t)r->bytes[r->at + k] << (8 * k);
    r->at += 8;
    memcpy(&x[i], &bits, sizeof bits);
  }
}

/* ---- the whole ---- */

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

static void put_all(struct writer *w, const struct controls *c)
{
  size_t m = 2 * (size_t)c->graph->creature->n_dofs, r = (size_t)c->graph->creature->n_dofs - CREATURE_ROOT_DOFS;
  size_t n = (size_t)features_count(c->features), k = (size_t)features_actions(c->features);
  double head[HEAD];
  fill_head(c, head);
  put(w, head, HEAD);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    if (c->gains) {
      const struct window_gain *g = &c->gains[i];
      put(w, g->K, r * m);
      put(w, g->k, r);
      put(w, g->P, m * m);
      put(w, g->p, m);
    }
    if (c->compact) {
      const struct compact_policy *p = &c->compact[i];
      put(w, p->M, k * n);
      put(w, p->offset, k);
      put(w, p->variance, k);
    }
  }
}

const void *controls_write(struct arena *arena, const struct controls *c, size_t *n)
{
  struct writer count = {0};
  put_all(&count, c);
  struct writer w = {arena_alloc(arena, count.n, 1), 0};
  put_all(&w, c);
  *n = w.n;
  return w.bytes;
}

static void get_gain(struct arena *arena, struct reader *r, size_t n_dofs, struct window_gain *g)
{
  size_t m = 2 * n_dofs, u = n_dofs - CREATURE_ROOT_DOFS;
  g->K = ARENA_NEW(arena, u * m, double);
  g->k = ARENA_NEW(arena, u, double);
  g->P = ARENA_NEW(arena, m * m, double);
  g->p = ARENA_NEW(arena, m, double);
  get(r, g->K, u * m);
  get(r, g->k, u);
  get(r, g->P, m * m);
  get(r, g->p, m);
}

struct controls *controls_read(struct arena *arena, const struct control_graph *g, const void *bytes, size_t n,
                               struct diag *d)
{
  struct controls *c = controls_new(arena, g);
  struct reader r = {bytes, n, 0, 0};
  double head[HEAD], expected[HEAD];
  fill_head(c, expected);
  get(&r, head, HEAD);
  if (r.short_of || memcmp(head, expected, 6 * sizeof *head)) {
    diag_error(d, g->motion->file, 0, "the control graph that was kept is of other clips than are here now; learn it anew");
    return NULL;
  }
  struct window_gain *gains = ARENA_NEW(arena, (size_t)g->n_fragments, struct window_gain);
  size_t features = (size_t)features_count(c->features), actions = (size_t)features_actions(c->features);
  c->gains = head[6] != 0 ? gains : NULL;
  c->kind = head[8] != 0 ? CONTROL_COMPACT : CONTROL_FULL;
  if (head[7] != 0)
    controls_add_compact(arena, c);
  for (int i = 0; i < g->n_fragments && !r.short_of; i++) {
    if (c->gains)
      get_gain(arena, &r, (size_t)g->creature->n_dofs, &gains[i]);
    if (c->compact) {
      get(&r, c->compact[i].M, actions * features);
      get(&r, c->compact[i].offset, actions);
      get(&r, c->compact[i].variance, actions);
    }
  }
  if (!r.short_of && r.at == n)
    return c;
  diag_error(d, g->motion->file, 0, "the control graph that was kept is damaged: %zu bytes, found %zu", r.at, n);
  return NULL;
}

/* From the pattern of a matrix to fronts: supernodes of the factor, joined where one large front is cheaper than two
 * small ones. */
#include "nlp/fronts.h"

#include <stdlib.h>
#include <string.h>

enum {
  WIDEST_FRONT = 96, /* unknowns eliminated together: pivots are chosen among them one by one, which is slow */
};

/* Supernodes while they are found and joined: chains of unknowns with the same neighbours. */
struct node {
  int own, size;        /* as in front_plan                               */
  int parent;           /* node, -1: none                                 */
  int *border;          /* unknowns                         (size - own)  */
  int first, last;      /* own unknowns, linked by next[]                 */
  int joined;           /* went into its parent                           */
};

struct builder {
  const struct graph *g;
  const int *order;
  int *rank;            /* when an unknown is eliminated          (n) */
  int *next;            /* unknown after it in its node, -1: last (n) */
  int *mark, *list;     /* work                                   (n) */
  int *waiting, *next_waiting; /* nodes whose parent is the unknown, as linked lists (n each) */
  struct node *node;
  int count;
};

/* ---- supernodes ---- */

static void visit(struct builder *b, int i, int now, int *length)
{
  if (b->rank[i] > now && b->mark[i] != now) {
    b->mark[i] = now;
    b->list[(*length)++] = i;
  }
}

/* Who is a neighbour of the unknown eliminated at `now`, by then: into list[]; how many. */
static int gather_neighbours(struct builder *b, int now)
{
  int i = b->order[now], length = 0;
  for (int e = b->g->first[i]; e < b->g->first[i + 1]; e++)
    visit(b, b->g->other[e], now, &length);
  for (int c = b->waiting[i]; c >= 0; c = b->next_waiting[c])
    for (int e = 0; e < b->node[c].size - b->node[c].own; e++)
      visit(b, b->node[c].border[e], now, &length);
  return length;
}

static int earliest(const struct builder *b, const int *list, int length)
{
  int best = -1;
  for (int e = 0; e < length; e++)
    if (best < 0 || b->rank[list[e]] < b->rank[best])
      best = list[e];
  return best;
}

/* The unknown joins a node that waits for it and has no other neighbours than it has itself; then none else may wait
 * for it. */
static int continues(const struct builder *b, int i, int length)
{
  int c = b->waiting[i];
  if (c < 0 || b->next_waiting[c] >= 0 || b->node[c].own >= WIDEST_FRONT)
    return -1;
  return b->node[c].size - b->node[c].own == length + 1 ? c : -1;
}

static void drop_from_border(struct node *node, int i)
{
  int kept = 0;
  for (int e = 0; e < node->size - node->own; e++)
    if (node->border[e] != i)
      node->border[kept++] = node->border[e];
}

static void find_nodes(struct arena *arena, struct builder *b)
{
  for (int now = 0; now < b->g->n; now++) {
    int i = b->order[now], length = gather_neighbours(b, now), c = continues(b, i, length);
    if (c >= 0) {
      drop_from_border(&b->node[c], i);
      b->next[b->node[c].last] = i;
      b->node[c].last = i;
      b->node[c].own++;
    } else {
      c = b->count++;
      b->node[c] = (struct node){1, 1 + length, -1, ARENA_NEW(arena, (size_t)length + 1, int), i, i, 0};
      memcpy(b->node[c].border, b->list, (size_t)length * sizeof *b->list);
      for (int child = b->waiting[i]; child >= 0; child = b->next_waiting[child])
        b->node[child].parent = c;
    }
    int until = earliest(b, b->node[c].border, length);
    if (until >= 0) {
      b->next_waiting[c] = b->waiting[until];
      b->waiting[until] = c;
    }
  }
}

/* ---- joining ---- */

/* Eliminating, putting together, choosing pivots, and being there at all. Times
 * hardly change when the weights are halved or doubled. */
double fronts_cost(double own, double size)
{
  double middle = size - own / 2;
  return own * middle * middle + 12 * size * size + 40 * own * own + 8000;
}

static void join(struct builder *b, int child, int parent)
{
  struct node *c = &b->node[child], *p = &b->node[parent];
  b->next[c->last] = p->first;
  p->first = c->first;
  p->own += c->own;
  p->size += c->own;
  c->joined = 1;
}

static int living_parent(struct builder *b, int k)
{
  int parent = b->node[k].parent;
  while (parent >= 0 && b->node[parent].joined)
    parent = b->node[parent].parent;
  return b->node[k].parent = parent;
}

static void join_nodes(struct builder *b)
{
  for (int k = 0; k < b->count; k++) {
    int parent = living_parent(b, k);
    if (parent < 0)
      continue;
    const struct node *c = &b->node[k], *p = &b->node[parent];
    double apart = fronts_cost(c->own, c->size) + fronts_cost(p->own, p->size);
    if (c->own + p->own <= WIDEST_FRONT && fronts_cost(c->own + p->own, c->own + p->size) <= apart)
      join(b, k, parent);
  }
  for (int k = 0; k < b->count; k++)
    living_parent(b, k);
}

/* ---- the plan ---- */

/* Numbers the nodes that are left so that a subtree's are consecutive, children first; a parent is found after its
 * children. */
static int *number_nodes(struct arena *arena, const struct builder *b, int *count)
{
  size_t room = (size_t)b->count + 1;
  int *below = ARENA_NEW(arena, room, int), *number = ARENA_NEW(arena, room, int), *end = ARENA_NEW(arena, room, int);
  for (int k = 0; k < b->count; k++) {
    below[k] += !b->node[k].joined;
    *count += !b->node[k].joined;
    if (!b->node[k].joined && b->node[k].parent >= 0)
      below[b->node[k].parent] += below[k];
  }
  int free_end = *count;
  for (int k = b->count - 1; k >= 0; k--) {
    if (b->node[k].joined)
      continue;
    int *last = b->node[k].parent >= 0 ? &end[b->node[k].parent] : &free_end;
    number[k] = end[k] = *last - 1;
    *last -= below[k];
  }
  return number;
}

static void describe_fronts(struct arena *arena, struct builder *b, struct fronts *f)
{
  int *number = number_nodes(arena, b, &f->count);
  f->front = ARENA_NEW(arena, (size_t)f->count + 1, struct front_plan);
  for (int k = 0; k < b->count; k++) {
    const struct node *node = &b->node[k];
    if (node->joined)
      continue;
    struct front_plan *front = &f->front[number[k]];
    front->own = node->own;
    front->size = node->size;
    front->parent = node->parent < 0 ? -1 : number[node->parent];
    front->member = ARENA_NEW(arena, (size_t)node->size, int);
    int at = 0;
    for (int i = node->first; at < node->own; i = b->next[i])
      front->member[at++] = i;
    memcpy(front->member + at, node->border, (size_t)(node->size - node->own) * sizeof *node->border);
    f->operations += fronts_cost(node->own, node->size);
  }
}

/* The order of elimination that the fronts make. */
static void rank_unknowns(struct builder *b, const struct fronts *f, int *front_of)
{
  for (int k = 0, rank = 0; k < f->count; k++)
    for (int e = 0; e < f->front[k].own; e++) {
      b->rank[f->front[k].member[e]] = rank++;
      front_of[f->front[k].member[e]] = k;
    }
}

/* Borders in the order of elimination, so that a child's is part of its parent's in the same order. */
static void sort_borders(struct arena *arena, struct builder *b, struct fronts *f)
{
  int *unknown = ARENA_NEW(arena, (size_t)f->n + 1, int), *fill = ARENA_NEW(arena, (size_t)f->count + 1, int);
  int *head = ARENA_NEW(arena, (size_t)f->n + 1, int), total = 0, at = 0;
  for (int k = 0; k < f->count; k++)
    total += f->front[k].size - f->front[k].own, fill[k] = f->front[k].own;
  int *front = ARENA_NEW(arena, (size_t)total + 1, int), *link = ARENA_NEW(arena, (size_t)total + 1, int);
  for (int i = 0; i < f->n; i++)
    unknown[b->rank[i]] = i, head[i] = -1;
  for (int k = 0; k < f->count; k++)
    for (int e = f->front[k].own; e < f->front[k].size; e++, at++) {
      int i = f->front[k].member[e];
      front[at] = k, link[at] = head[i], head[i] = at;
    }
  for (int r = 0; r < f->n; r++)
    for (int e = head[unknown[r]]; e >= 0; e = link[e])
      f->front[front[e]].member[fill[front[e]]++] = unknown[r];
}

static void hand_out_entries(struct arena *arena, const struct builder *b, struct fronts *f, const int *front_of,
                             int count, const int *row, const int *col)
{
  int *entries = ARENA_NEW(arena, (size_t)count + 1, int), at = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int e = 0; e < count; e++) {
      struct front_plan *front = &f->front[front_of[b->rank[row[e]] < b->rank[col[e]] ? row[e] : col[e]]];
      if (pass)
        front->entry[front->n_entries] = e;
      front->n_entries++;
    }
    for (int k = 0; k < f->count && !pass; k++) {
      f->front[k].entry = entries + at;
      at += f->front[k].n_entries;
      f->front[k].n_entries = 0;
    }
  }
}

struct fronts fronts_plan(struct arena *arena, int n, int count, const int *row, const int *col)
{
  struct graph g = graph_of_triplets(arena, n, count, row, col);
  size_t size = (size_t)n + 1;
  int *order = ARENA_NEW(arena, size, int), *front_of = ARENA_NEW(arena, size, int);
  struct builder b = {&g, order, ARENA_NEW(arena, size, int), ARENA_NEW(arena, size, int), ARENA_NEW(arena, size, int),
                      ARENA_NEW(arena, size, int), ARENA_NEW(arena, size, int), ARENA_NEW(arena, size, int),
                      ARENA_NEW(arena, size, struct node), 0};
  struct fronts f = {.n = n};
  ordering_along_line(arena, &g, order);
  for (int k = 0; k < n; k++)
    b.rank[order[k]] = k, b.mark[k] = b.next[k] = b.waiting[k] = b.next_waiting[k] = -1;
  find_nodes(arena, &b);
  join_nodes(&b);
  describe_fronts(arena, &b, &f);
  rank_unknowns(&b, &f, front_of);
  sort_borders(arena, &b, &f);
  hand_out_entries(arena, &b, &f, front_of, count, row, col);
  for (int k = 0; k < f.count; k++)
    if (f.front[k].parent >= 0)
      f.front[f.front[k].parent].n_children++;
  return f;
}

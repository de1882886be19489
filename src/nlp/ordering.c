/* A line is swept from end to end, a ring dissected; minimum degree within the pieces. */
#include "nlp/ordering.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A piece is short when it is less than this many times the separator that would part it: minimum degree does better
 * then. Unknowns of a slab, at least. */
enum { SHORT_PIECE = 8, SLIMMEST = 8 };

/* ---- the graph ---- */

/* Neighbours in both directions; when `other` is filled with rows in ascending order, so are the lists. */
static void fill_neighbours(struct graph *g, int count, const int *row, const int *col)
{
  for (int k = 0; k < count; k++)
    if (row[k] != col[k])
      g->first[row[k] + 1]++, g->first[col[k] + 1]++;
  for (int i = 0; i < g->n; i++)
    g->first[i + 1] += g->first[i];
  for (int k = count - 1; k >= 0; k--)
    if (row[k] != col[k]) {
      g->other[--g->first[row[k] + 1]] = col[k];
      g->other[--g->first[col[k] + 1]] = row[k];
    }
  /* every first[i + 1] has gone back to the beginning of list i: shift them to where they belong */
  int total = 0;
  for (int k = 0; k < count; k++)
    total += row[k] != col[k] ? 2 : 0;
  memmove(g->first, g->first + 1, (size_t)g->n * sizeof *g->first);
  g->first[g->n] = total;
}

/* The graph with rows and columns exchanged, each neighbour once: lists come out ascending. */
static struct graph transposed(struct arena *arena, const struct graph *g)
{
  struct graph t = {g->n, ARENA_NEW(arena, (size_t)g->n + 2, int), ARENA_NEW(arena, (size_t)g->first[g->n] + 1, int)};
  int *last = ARENA_NEW(arena, (size_t)g->n + 1, int);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < g->n; i++)
      last[i] = -1;
    for (int i = 0; i < g->n; i++)
      for (int e = g->first[i]; e < g->first[i + 1]; e++) {
        int j = g->other[e];
        if (last[j] == i)
          continue;
        last[j] = i;
        if (pass)
          t.other[t.first[j + 1]++] = i;
        else
          t.first[j + 2]++;
      }
    for (int i = 0; i < g->n && !pass; i++)
      t.first[i + 2] += t.first[i + 1];
  }
  return t;
}

struct graph graph_of_triplets(struct arena *arena, int n, int count, const int *row, const int *col)
{
  struct graph g = {n, ARENA_NEW(arena, (size_t)n + 2, int), ARENA_NEW(arena, 2 * (size_t)count + 1, int)};
  fill_neighbours(&g, count, row, col);
  return transposed(arena, &g);
}

static int degree(const struct graph *g, int i)
{
  return g->first[i + 1] - g->first[i];
}

/* ---- places on the line ---- */

/* The last unknowns that are not neighbours of each other are taken for multipliers: the first of them. */
static int first_multiplier(const struct graph *g)
{
  int i = g->n;
  while (i > 0 && (degree(g, i - 1) == 0 || g->other[g->first[i] - 1] < i))
    i--;
  return i;
}

/* Variables stand where they are. A multiplier stands at its first variable; on a ring, at the first of those before
 * the seam. */
static int place_of_multiplier(const struct graph *g, int i, int variables, const int *place)
{
  int low = INT_MAX, high = -1, before_seam = INT_MAX;
  for (int e = g->first[i]; e < g->first[i + 1]; e++) {
    int p = place[g->other[e]];
    if (p < 0)
      continue;
    low = p < low ? p : low;
    high = p > high ? p : high;
    before_seam = p > variables / 2 && p < before_seam ? p : before_seam;
  }
  if (high < 0)
    return variables;
  return high - low > variables / 2 ? before_seam : low;
}

/* Slacks have one neighbour, their multiplier, and stand with it. */
static int *places(struct arena *arena, const struct graph *g, int multipliers)
{
  int *place = ARENA_NEW(arena, (size_t)g->n, int);
  for (int i = 0; i < g->n; i++)
    place[i] = i < multipliers && degree(g, i) != 1 ? i : -1;
  for (int i = multipliers; i < g->n; i++)
    place[i] = place_of_multiplier(g, i, multipliers, place);
  for (int i = 0; i < g->n; i++)
    if (place[i] < 0)
      place[i] = place[g->other[g->first[i]]] < 0 ? i : place[g->other[g->first[i]]];
  return place;
}

/* ---- dissection ---- */

struct dissection {
  const struct graph *g;
  int multipliers;       /* the first of them                                             */
  int *line;             /* unknowns, piece by piece                             (n)      */
  int *at;               /* where an unknown is on the line; -1: in a separator  (n)      */
  int *crossing;         /* work                                                 (n + 1)  */
  int *block, blocks;    /* pieces and separators, counted in order; which one an unknown is in */
  int *column;           /* an unknown's column among the bits of a block, -1: none  (n)  */
};

/* A multiplier with a slack; one without has nothing on its diagonal until variables have gone. */
static int has_slack(const struct graph *g, int i)
{
  for (int e = g->first[i]; e < g->first[i + 1]; e++)
    if (degree(g, g->other[e]) == 1)
      return 1;
  return 0;
}

static int comes_later(const struct dissection *d, int i)
{
  return i >= d->multipliers && !has_slack(d->g, i);
}

/* How many unknowns of [from, to) stand at or after `cut` with a neighbour in the piece before it: for all cuts, the
 * best near the middle. */
static int best_cut(const struct dissection *d, int from, int to, int *size)
{
  int best = -1, middle = (from + to) / 2, slack = (to - from) / 5;
  memset(d->crossing, 0, (size_t)(to - from + 1) * sizeof *d->crossing);
  for (int k = from; k < to; k++) {
    int i = d->line[k], lowest = k;
    for (int e = d->g->first[i]; e < d->g->first[i + 1]; e++) {
      int at = d->at[d->g->other[e]];
      if (at >= from && at < lowest)
        lowest = at;
    }
    d->crossing[lowest + 1 - from]++; /* cuts lowest + 1 .. k */
    d->crossing[k + 1 - from]--;
  }
  *size = INT_MAX;
  for (int cut = from, crossing = 0; cut < to; cut++) {
    crossing += d->crossing[cut - from];
    int nearer = crossing == *size && abs(cut - middle) < abs(best - middle);
    if (abs(cut - middle) <= slack && (crossing < *size || nearer))
      best = cut, *size = crossing;
  }
  return best;
}

/* Takes the marked unknowns (place -1) out of [from, to) to its end; where they begin. */
static int part_separator(struct dissection *d, int from, int to)
{
  int kept = from, taken = 0;
  for (int k = from; k < to; k++)
    if (d->at[d->line[k]] >= 0)
      d->at[d->line[k]] = kept, d->line[kept++] = d->line[k];
    else
      d->crossing[taken++] = d->line[k];
  memcpy(d->line + kept, d->crossing, (size_t)taken * sizeof *d->line);
  return kept;
}

static void end_block(struct dissection *d, int from, int to)
{
  for (int k = from; k < to; k++)
    d->block[d->line[k]] = d->blocks;
  d->blocks++;
}

static void dissect(struct dissection *d, int from, int to)
{
  int size, cut = best_cut(d, from, to, &size);
  if (cut <= from || to - from < SHORT_PIECE * size) {
    end_block(d, from, to);
    return;
  }
  for (int k = cut; k < to; k++)
    for (int e = d->g->first[d->line[k]]; e < d->g->first[d->line[k] + 1]; e++) {
      int at = d->at[d->g->other[e]];
      if (at >= from && at < cut) {
        d->at[d->line[k]] = -1;
        break;
      }
    }
  int separator = part_separator(d, cut, to);
  dissect(d, from, cut);
  dissect(d, cut, separator);
  end_block(d, separator, to);
}

/* A line is eliminated from its beginning to its end, slab by slab: what is left of a slab touches only the next ones,
 * so that fronts stay half as wide as between two separators of a dissection. On a ring they would have the seam in
 * them all the way, and be as wide. */
static void sweep(struct dissection *d, int to)
{
  int size;
  best_cut(d, 0, to, &size);
  int slab = size < INT_MAX && size > 2 * SLIMMEST ? size / 2 : SLIMMEST; /* a third to all of it are as good */
  for (int k = 0; k < to; k += slab)
    end_block(d, k, to - k < slab ? to : k + slab);
}

/* On a ring, the unknowns just after the seam that have neighbours just before it hold it together: they are the first
 * separator. */
static void cut_seam(struct dissection *d, const int *place)
{
  int half = d->multipliers / 2;
  for (int i = 0; i < d->g->n; i++)
    for (int e = d->g->first[i]; e < d->g->first[i + 1]; e++)
      if (place[d->g->other[e]] - place[i] > half)
        d->at[i] = -1;
}

/* A multiplier without a slack goes with the block that has most of its variables, or, of several, that of its first
 * variable. With few of its variables it would often say the same as another one: a foot that stays speaks of each
 * frame twice, with the frame before and with the frame after. */
static int block_of_multiplier(const struct dissection *d, int i, int *votes)
{
  const int *begin = d->g->other + d->g->first[i], *end = d->g->other + d->g->first[i + 1];
  int best = d->blocks - 1, most = 0;
  for (const int *j = begin; j < end; j++)
    votes[d->block[*j]]++;
  for (const int *j = begin; j < end; j++)
    if (votes[d->block[*j]] > most)
      best = d->block[*j], most = votes[best];
  for (const int *j = begin; j < end; j++)
    votes[d->block[*j]] = 0;
  return best;
}

/* ---- minimum degree within a block ---- */

struct piece {
  const struct dissection *d;
  int inner, size;       /* unknowns of the block; and with their neighbours elsewhere    */
  int words;             /* of a row of bits                                              */
  int *member;           /* unknown of a column                                  (size)   */
  uint64_t *bits;        /* who is whose neighbour by now             (inner x words)     */
  unsigned char *gone;   /* eliminated                                           (inner)  */
  int *degree;           /* neighbours by now                                    (inner)  */
  int *waits;            /* for so many to go                                    (inner)  */
  unsigned char *slack;  /* it is a multiplier that has one                      (inner)  */
};

static uint64_t *row_of(const struct piece *p, int i)
{
  return p->bits + (size_t)i * (size_t)p->words;
}

/* The block's unknowns are in member[] already. */
static void add_neighbours(struct piece *p)
{
  const struct dissection *d = p->d;
  for (int k = 0; k < p->inner; k++)
    d->column[p->member[k]] = k;
  for (int k = 0; k < p->inner; k++)
    for (int e = d->g->first[p->member[k]]; e < d->g->first[p->member[k] + 1]; e++)
      if (d->column[d->g->other[e]] < 0)
        d->column[d->g->other[e]] = p->size, p->member[p->size++] = d->g->other[e];
  p->words = (p->size + 63) / 64;
}

/* Bits of a word by adding neighbours, then pairs, then fours: the processor's own instruction may not be there. */
static int bits_of_word(uint64_t w)
{
  w -= w >> 1 & 0x5555555555555555u;
  w = (w & 0x3333333333333333u) + (w >> 2 & 0x3333333333333333u);
  w = (w + (w >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)(w * 0x0101010101010101u >> 56);
}

static int count_bits(const uint64_t *row, int words)
{
  int count = 0;
  for (int w = 0; w < words; w++)
    count += bits_of_word(row[w]);
  return count;
}

static void fill_bits(struct piece *p)
{
  const struct graph *g = p->d->g;
  for (int k = 0; k < p->inner; k++) {
    for (int e = g->first[p->member[k]]; e < g->first[p->member[k] + 1]; e++) {
      int j = p->d->column[g->other[e]];
      row_of(p, k)[j / 64] |= (uint64_t)1 << j % 64;
    }
    p->degree[k] = count_bits(row_of(p, k), p->words);
  }
}

/* A multiplier has nothing on its diagonal until a neighbour has gone: it waits for its slack, or for half of its
 * variables in the block. */
static void set_waits(struct piece *p)
{
  const struct graph *g = p->d->g;
  for (int k = 0; k < p->inner; k++) {
    int i = p->member[k], here = 0;
    p->slack[k] = i >= p->d->multipliers && has_slack(g, i);
    for (int e = g->first[i]; e < g->first[i + 1] && i >= p->d->multipliers; e++)
      here += p->d->column[g->other[e]] < p->inner;
    p->waits[k] = p->slack[k] ? here > 0 : (here + 1) / 2;
  }
}

/* Tells the multipliers that wait for it that an unknown has gone. */
static void end_waits(struct piece *p, int gone)
{
  const struct graph *g = p->d->g;
  int i = p->member[gone];
  for (int e = g->first[i]; e < g->first[i + 1]; e++) {
    int j = p->d->column[g->other[e]];
    if (j < p->inner && (degree(g, i) == 1 || !p->slack[j]))
      p->waits[j]--;
  }
}

static int least_degree(const struct piece *p)
{
  int best = -1, least = INT_MAX;
  for (int k = 0; k < p->inner; k++)
    if (!p->gone[k] && p->degree[k] < least && p->waits[k] <= 0)
      best = k, least = p->degree[k];
  for (int k = 0; best < 0; k++) /* all wait for each other: any */
    best = p->gone[k] ? -1 : k;
  return best;
}

static int has_bit(const uint64_t *row, int i)
{
  return (int)(row[i / 64] >> i % 64 & 1);
}

static void clear_bit(uint64_t *row, int i)
{
  row[i / 64] &= ~((uint64_t)1 << i % 64);
}

/* The neighbours of what goes become neighbours of each other. They are already if the last to go was its neighbour and
 * had no others. */
static void eliminate(struct piece *p, int going, int last)
{
  const uint64_t *row = row_of(p, going);
  int same = last >= 0 && has_bit(row_of(p, last), going) && p->degree[last] == p->degree[going] + 1;
  p->gone[going] = 1;
  end_waits(p, going);
  for (int v = 0; v < (p->inner + 63) / 64; v++)
    for (uint64_t left = row[v]; left; left &= left - 1) {
      int j = 64 * v + __builtin_ctzll(left);
      if (j >= p->inner)
        break;
      uint64_t *other = row_of(p, j);
      for (int w = 0; w < p->words && !same; w++)
        other[w] |= row[w];
      clear_bit(other, going);
      clear_bit(other, j);
      p->degree[j] = same ? p->degree[j] - 1 : count_bits(other, p->words);
    }
}

/* Orders `count` unknowns in place. */
static void order_block(const struct dissection *d, int *unknown, int count)
{
  struct arena *arena = arena_new();
  struct piece p = {.d = d, .inner = count, .size = count, .member = ARENA_NEW(arena, (size_t)d->g->n, int)};
  memcpy(p.member, unknown, (size_t)count * sizeof *unknown);
  add_neighbours(&p);
  p.bits = ARENA_NEW(arena, (size_t)p.inner * (size_t)p.words + 1, uint64_t);
  p.gone = ARENA_NEW(arena, (size_t)count + 1, unsigned char);
  p.degree = ARENA_NEW(arena, (size_t)count + 1, int);
  p.waits = ARENA_NEW(arena, (size_t)count + 1, int);
  p.slack = ARENA_NEW(arena, (size_t)count + 1, unsigned char);
  fill_bits(&p);
  set_waits(&p);
  for (int k = 0, last = -1; k < count; k++) {
    int next = least_degree(&p);
    eliminate(&p, next, last);
    unknown[k] = p.member[next];
    last = next;
  }
  for (int k = 0; k < p.size; k++)
    d->column[p.member[k]] = -1;
  arena_free(arena);
}

/* ---- all together ---- */

/* The unknowns along the line, those at the same place as they are numbered. */
static void lay_out(struct arena *arena, struct dissection *d, const int *place)
{
  int n = d->g->n, *first = ARENA_NEW(arena, (size_t)n + 2, int);
  for (int i = 0; i < n; i++)
    first[place[i] + 1]++;
  for (int i = 0; i <= n; i++)
    first[i + 1] += first[i];
  for (int i = 0; i < n; i++)
    d->at[i] = first[place[i]]++, d->line[d->at[i]] = i;
}

/* Unknowns by blocks, each block in order. */
static void order_blocks(struct arena *arena, const struct dissection *d, int *order)
{
  int *end = ARENA_NEW(arena, (size_t)d->blocks + 2, int), begin = 0;
  for (int i = 0; i < d->g->n; i++)
    end[d->block[i] + 1]++;
  for (int b = 0; b < d->blocks; b++)
    end[b + 1] += end[b];
  for (int i = 0; i < d->g->n; i++)
    order[end[d->block[i]]++] = i;
  for (int b = 0; b < d->blocks; begin = end[b++])
    order_block(d, order + begin, end[b] - begin);
}

void ordering_along_line(struct arena *arena, const struct graph *g, int *order)
{
  size_t n = (size_t)g->n;
  struct dissection d = {.g = g, .multipliers = first_multiplier(g), .line = ARENA_NEW(arena, n, int),
                         .at = ARENA_NEW(arena, n, int), .crossing = ARENA_NEW(arena, n + 1, int),
                         .block = ARENA_NEW(arena, n, int), .column = ARENA_NEW(arena, n, int)};
  int *place = places(arena, g, d.multipliers);
  lay_out(arena, &d, place);
  cut_seam(&d, place);
  int seam = part_separator(&d, 0, g->n);
  if (seam == g->n)
    sweep(&d, seam);
  else
    dissect(&d, 0, seam);
  end_block(&d, seam, g->n);
  int *votes = ARENA_NEW(arena, (size_t)d.blocks + 1, int);
  for (int i = 0; i < g->n; i++)
    d.column[i] = -1;
  for (int i = 0; i < g->n; i++)
    if (comes_later(&d, i))
      d.block[i] = block_of_multiplier(&d, i, votes);
  order_blocks(arena, &d, order);
}

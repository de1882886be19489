/* Which 255 colours a film is shown in. See plots/gif.h.
 *
 * Boxes of colours are split, always the one that is worst, across the channel in which it spreads most, at its mean;
 * then each colour goes to the nearest of the boxes' means, and the means move there (Lloyd 1982), a few times. Colours
 * count by the root of how often they occur: a thin bright arrow is worth a colour, though it covers few pixels. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plots/gif.h"

#define BITS 6
#define BINS (1 << 3 * BITS)
#define ROUNDS 3
#define UNKNOWN 255

struct bin { double count, sum[3]; };
struct gif_colours { struct bin *bins; };

struct swatch { double weight, at[3]; };      /* a colour that occurs                                           */
struct box { int first, n; double at[3], worst; int axis; }; /* swatches; mean; deviation along the worst axis  */

struct gif_palette {
  int n;
  unsigned char rgb[GIF_COLOURS][3];
  unsigned char *nearest;                     /* of each bin, UNKNOWN until it was asked for         (BINS)      */
};

static int bin_of(unsigned rgb)
{
  unsigned r = rgb >> 16 & 255, g = rgb >> 8 & 255, b = rgb & 255;
  return (int)((r >> (8 - BITS)) << 2 * BITS | (g >> (8 - BITS)) << BITS | b >> (8 - BITS));
}

struct gif_colours *gif_colours_new(struct arena *arena)
{
  struct gif_colours *c = ARENA_NEW(arena, 1, struct gif_colours);
  c->bins = ARENA_NEW(arena, BINS, struct bin);
  return c;
}

void gif_colours_add(struct gif_colours *c, const struct pixels *page)
{
  for (int y = 0; y < page->height; y++)
    for (int x = 0; x < page->width; x++) {
      uint32_t rgb;
      memcpy(&rgb, page->data + (size_t)y * page->stride + 4 * (size_t)x, sizeof rgb);
      struct bin *b = &c->bins[bin_of(rgb)];
      b->count++;
      for (int k = 0; k < 3; k++) b->sum[k] += rgb >> (16 - 8 * k) & 255;
    }
}

/* ---- boxes ---- */

/* Mean of a box and the axis of its largest squared deviation; green counts most, as eyes have it. */
static void measure(struct box *b, const struct swatch *s)
{
  static const double eye[3] = {0.8, 1.0, 0.6};
  double weight = 0.0, sum[3] = {0.0, 0.0, 0.0}, square[3] = {0.0, 0.0, 0.0};
  for (int i = b->first; i < b->first + b->n; i++) {
    weight += s[i].weight;
    for (int k = 0; k < 3; k++) sum[k] += s[i].weight * s[i].at[k];
  }
  for (int k = 0; k < 3; k++) b->at[k] = sum[k] / weight;
  for (int i = b->first; i < b->first + b->n; i++)
    for (int k = 0; k < 3; k++) square[k] += s[i].weight * eye[k] * (s[i].at[k] - b->at[k]) * (s[i].at[k] - b->at[k]);
  b->worst = 0.0;
  for (int k = 0; k < 3; k++)
    if (b->n > 1 && square[k] > b->worst) {
      b->worst = square[k];
      b->axis = k;
    }
}

/* The swatches below the mean go first; b keeps them, the rest are returned. */
static struct box split(struct box *b, struct swatch *s)
{
  int lower = b->first, upper = b->first + b->n;
  while (lower < upper)
    if (s[lower].at[b->axis] <= b->at[b->axis]) {
      lower++;
    } else {
      struct swatch swap = s[--upper];
      s[upper] = s[lower];
      s[lower] = swap;
    }
  struct box rest = {.first = lower, .n = b->first + b->n - lower};
  b->n = lower - b->first;
  measure(b, s);
  measure(&rest, s);
  return rest;
}

static int split_all(struct box *boxes, struct swatch *s, int n_swatches)
{
  int n = 1;
  boxes[0] = (struct box){.n = n_swatches};
  measure(&boxes[0], s);
  while (n < GIF_COLOURS) {
    int worst = 0;
    for (int i = 1; i < n; i++)
      if (boxes[i].worst > boxes[worst].worst) worst = i;
    if (!(boxes[worst].worst > 0.0)) break;
    boxes[n] = split(&boxes[worst], s);
    n++;
  }
  return n;
}

static int nearest_box(const struct box *boxes, int n, const double *at)
{
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    double r = boxes[i].at[0] - at[0], g = boxes[i].at[1] - at[1], b = boxes[i].at[2] - at[2];
    double off = 0.8 * r * r + g * g + 0.6 * b * b;
    if (off < least) {
      least = off;
      best = i;
    }
  }
  return best;
}

static void move_means(struct box *boxes, int n, const struct swatch *s, int n_swatches)
{
  double weight[GIF_COLOURS] = {0.0}, sum[GIF_COLOURS][3] = {{0.0}};
  for (int i = 0; i < n_swatches; i++) {
    int b = nearest_box(boxes, n, s[i].at);
    weight[b] += s[i].weight;
    for (int k = 0; k < 3; k++) sum[b][k] += s[i].weight * s[i].at[k];
  }
  for (int b = 0; b < n; b++)
    for (int k = 0; k < 3 && weight[b] > 0.0; k++) boxes[b].at[k] = sum[b][k] / weight[b];
}

/* ---- asking ---- */

struct gif_palette *gif_palette_choose(struct arena *arena, const struct gif_colours *c)
{
  struct gif_palette *p = ARENA_NEW(arena, 1, struct gif_palette);
  struct box boxes[GIF_COLOURS];
  int n = 0;
  for (int i = 0; i < BINS; i++) n += c->bins[i].count > 0.0;
  struct swatch *s = ARENA_NEW(arena, (size_t)n + 1, struct swatch);
  n = 0;
  for (int i = 0; i < BINS; i++)
    if (c->bins[i].count > 0.0) {
      for (int k = 0; k < 3; k++) s[n].at[k] = c->bins[i].sum[k] / c->bins[i].count;
      s[n++].weight = sqrt(c->bins[i].count);
    }
  if (n == 0) s[n++].weight = 1.0; /* no page: black */
  p->n = split_all(boxes, s, n);
  for (int round = 0; round < ROUNDS && n > p->n; round++) move_means(boxes, p->n, s, n);
  for (int i = 0; i < p->n; i++)
    for (int k = 0; k < 3; k++) p->rgb[i][k] = (unsigned char)(boxes[i].at[k] + 0.5);
  p->nearest = ARENA_NEW(arena, BINS, unsigned char);
  memset(p->nearest, UNKNOWN, BINS);
  return p;
}

int gif_palette_size(const struct gif_palette *p) { return p->n; }

const unsigned char *gif_palette_rgb(const struct gif_palette *p, int i) { return p->rgb[i]; }

static int search(const struct gif_palette *p, int bin)
{
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < p->n; i++) {
    double off = 0.0;
    for (int k = 0; k < 3; k++) {
      static const double eye[3] = {0.8, 1.0, 0.6};
      int at = (bin >> BITS * (2 - k) & ((1 << BITS) - 1)) << (8 - BITS); /* of the bin: its middle */
      double d = at + (1 << (7 - BITS)) - 0.5 - p->rgb[i][k];
      off += eye[k] * d * d;
    }
    if (off < least) {
      least = off;
      best = i;
    }
  }
  return best;
}

int gif_palette_nearest(struct gif_palette *p, unsigned rgb)
{
  int bin = bin_of(rgb);
  if (p->nearest[bin] == UNKNOWN) p->nearest[bin] = (unsigned char)search(p, bin);
  return p->nearest[bin];
}

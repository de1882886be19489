/* Animated GIF: a palette that fits the whole film, and frames that say only what changed.
 *
 * Counting colours comes first: gif_colours_new(), gif_colours_add() for pages that show what the film looks like, and
 * gif_palette_choose(). Then gif_new(), gif_add() for each frame in turn, gif_finish(). No dithering: its noise would
 * crawl over still surfaces. The same pages give the same bytes. */
#ifndef MUYBRIDGE_PLOTS_GIF_H
#define MUYBRIDGE_PLOTS_GIF_H

#include "base/arena.h"
#include "plots/kit.h"

#define GIF_COLOURS 255                       /* and one that says: as in the frame before                      */
#define GIF_MOST 65535                        /* pixels of an edge                                              */

/* ---- the palette (gif_palette.c) ---- */
struct gif_colours;                           /* how often each colour occurs, 6 bits a channel                 */
struct gif_colours *gif_colours_new(struct arena *arena);
void gif_colours_add(struct gif_colours *c, const struct pixels *page);

struct gif_palette;
struct gif_palette *gif_palette_choose(struct arena *arena, const struct gif_colours *c);

int gif_palette_size(const struct gif_palette *p);
const unsigned char *gif_palette_rgb(const struct gif_palette *p, int i);
int gif_palette_nearest(struct gif_palette *p, unsigned rgb);

/* ---- the film (gif.c) ---- */
struct gif;
struct gif *gif_new(struct arena *arena, int width, int height, struct gif_palette *palette);

/* Shows a page, of the size given to gif_new(), for a time in 1/100 s, 1 to 65535. */
void gif_add(struct gif *g, const struct pixels *page, int hundredths);

/* All of the file; it plays again and again. */
const struct bytes *gif_finish(struct gif *g);

#endif

/* Animated GIF: the file. See plots/gif.h, and for the format the specification of GIF89a (CompuServe 1990). */
#include "plots/gif.h"

#include <stdint.h>
#include <string.h>

#define CLEAR 256                             /* codes of LZW that are no colours                               */
#define END 257
#define CODES 4096
#define HASH 16411                            /* a prime, several times as many as there are codes              */
#define SAME GIF_COLOURS                      /* the colour that says: as before                                */
#define ALIKE 8                               /* colours that may stand in for one                              */
#define UNSEEN 14.0                           /* squared distance of colours that nobody tells apart in a film  */
#define STAYS 30.0                            /* of a pixel that is left as it is: more, or it would come and go */

struct gif {
  struct bytes file;
  int width, height, n_frames;
  struct gif_palette *palette;
  unsigned char *shown, *page, *crop;         /* colours of the frame before, of this one; what of it is written */
  int n_alike[256];
  unsigned char alike[256][ALIKE];            /* nearest first                                                  */
  struct lzw *lzw;
};

static void put_byte(struct bytes *b, int value)
{
  unsigned char byte = (unsigned char)value;
  bytes_add(b, &byte, 1);
}

static void put_word(struct bytes *b, int value)
{
  put_byte(b, value & 255);
  put_byte(b, value >> 8 & 255);
}

/* ---- LZW: strings that occurred before become one code, of 9 to 12 bits ---- */

struct lzw {
  struct bytes *out;
  unsigned char block[255];                   /* data comes in blocks of at most 255 bytes                      */
  int n_block;
  uint32_t bits;                              /* not yet in a block                                             */
  int n_bits, width;                          /* how many; of a code                                            */
  int n_codes;
  int32_t key[HASH];                          /* string of a code and a colour, -1: free                        */
  int16_t code[HASH];
};

static void flush_block(struct lzw *z)
{
  if (z->n_block == 0) return;
  put_byte(z->out, z->n_block);
  bytes_add(z->out, z->block, (size_t)z->n_block);
  z->n_block = 0;
}

static void put_code(struct lzw *z, int code)
{
  z->bits |= (uint32_t)code << z->n_bits;
  z->n_bits += z->width;
  while (z->n_bits >= 8) {
    z->block[z->n_block++] = (unsigned char)(z->bits & 255);
    z->bits >>= 8;
    z->n_bits -= 8;
    if (z->n_block == 255) flush_block(z);
  }
}

static void forget_strings(struct lzw *z)
{
  memset(z->key, -1, sizeof z->key);
  z->n_codes = END + 1;
  z->width = 9;
}

/* Where the string is, or where it belongs. */
static int find_string(const struct lzw *z, int32_t key)
{
  int at = (int)((uint32_t)key * 2654435761u % HASH);
  while (z->key[at] >= 0 && z->key[at] != key) at = at + 1 == HASH ? 0 : at + 1;
  return at;
}

/* The code of the string with the colour at data, or with one that looks the same, which then takes its place: longer
 * strings make a smaller file. Else -1, and *at is where the string belongs. */
static int longer_string(const struct lzw *z, const struct gif *g, int string, unsigned char *data, int *at)
{
  *at = find_string(z, (int32_t)string << 8 | *data);
  if (z->key[*at] >= 0) return z->code[*at];
  for (int i = 0; i < g->n_alike[*data]; i++) {
    int other = find_string(z, (int32_t)string << 8 | g->alike[*data][i]);
    if (z->key[other] < 0) continue;
    *data = g->alike[*data][i];
    return z->code[other];
  }
  return -1;
}

static void compress(struct gif *g, unsigned char *data, size_t n)
{
  struct lzw *z = g->lzw;
  z->out = &g->file;
  z->n_block = z->n_bits = 0;
  z->bits = 0;
  forget_strings(z);
  put_byte(z->out, 8); /* bits of a colour */
  put_code(z, CLEAR);
  int string = data[0];
  for (size_t i = 1; i < n; i++) {
    int at, longer = longer_string(z, g, string, &data[i], &at);
    if (longer >= 0) {
      string = longer;
      continue;
    }
    put_code(z, string);
    int32_t key = (int32_t)string << 8 | data[i];
    string = data[i];
    if (z->n_codes == CODES) {
      put_code(z, CLEAR);
      forget_strings(z);
      continue;
    }
    if (z->n_codes == 1 << z->width) z->width++; /* the reader is one code behind */
    z->key[at] = key;
    z->code[at] = (int16_t)z->n_codes++;
  }
  put_code(z, string);
  if (z->n_codes == 1 << z->width && z->width < 12) z->width++; /* the code that the reader makes of the last one */
  put_code(z, END);
  z->width = 7;
  put_code(z, 0); /* pushes out what is left */
  flush_block(z);
  put_byte(z->out, 0);
}

/* ---- frames ---- */

static double distance(const unsigned char *a, const unsigned char *b)
{
  double r = a[0] - b[0], g = a[1] - b[1], bl = a[2] - b[2];
  return 0.8 * r * r + g * g + 0.6 * bl * bl;
}

/* For each colour those that look like it. */
static void find_alike(struct gif *g)
{
  int n = gif_palette_size(g->palette);
  for (int i = 0; i < n; i++) {
    double off[ALIKE];
    for (int j = 0; j < n; j++) {
      double d = distance(gif_palette_rgb(g->palette, i), gif_palette_rgb(g->palette, j));
      int k = g->n_alike[i];
      if (j == i || d > UNSEEN || (k == ALIKE && d >= off[k - 1])) continue;
      if (k < ALIKE) g->n_alike[i] = ++k;
      for (k--; k > 0 && off[k - 1] > d; k--) {
        off[k] = off[k - 1];
        g->alike[i][k] = g->alike[i][k - 1];
      }
      off[k] = d;
      g->alike[i][k] = (unsigned char)j;
    }
  }
}

struct gif *gif_new(struct arena *arena, int width, int height, struct gif_palette *palette)
{
  struct gif *g = ARENA_NEW(arena, 1, struct gif);
  size_t n = (size_t)width * (size_t)height;
  *g = (struct gif){.file = {.arena = arena}, .width = width, .height = height, .palette = palette};
  g->shown = ARENA_NEW(arena, n, unsigned char);
  g->page = ARENA_NEW(arena, n, unsigned char);
  g->crop = ARENA_NEW(arena, n, unsigned char);
  g->lzw = ARENA_NEW(arena, 1, struct lzw);
  find_alike(g);
  bytes_add(&g->file, "GIF89a", 6);
  put_word(&g->file, width);
  put_word(&g->file, height);
  put_byte(&g->file, 0xf7); /* 256 colours of 8 bits for all frames */
  put_byte(&g->file, 0);
  put_byte(&g->file, 0);
  for (int i = 0; i < 256; i++) {
    static const unsigned char black[3] = {0, 0, 0};
    bytes_add(&g->file, i < gif_palette_size(palette) ? gif_palette_rgb(palette, i) : black, 3);
  }
  bytes_add(&g->file, "\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0", 19); /* for ever */
  return g;
}

struct cut { int left, top, right, bottom; }; /* right and bottom are outside                                   */

/* The least rectangle outside of which nothing changed; one pixel if nothing did at all. */
static struct cut find_change(const struct gif *g)
{
  struct cut c = {g->width, g->height, 0, 0};
  for (int y = 0; y < g->height; y++)
    for (int x = 0; x < g->width; x++) {
      size_t i = (size_t)y * (size_t)g->width + (size_t)x;
      if (g->n_frames > 0 && g->page[i] == g->shown[i]) continue;
      if (x < c.left) c.left = x;
      if (x >= c.right) c.right = x + 1;
      if (y < c.top) c.top = y;
      c.bottom = y + 1;
    }
  return c.right > 0 ? c : (struct cut){0, 0, 1, 1};
}

/* Colours of a frame within its rectangle. Returns how many. */
static size_t cut_out(struct gif *g, struct cut c)
{
  size_t n = 0;
  for (int y = c.top; y < c.bottom; y++)
    for (int x = c.left; x < c.right; x++) {
      size_t i = (size_t)y * (size_t)g->width + (size_t)x;
      g->crop[n++] = g->n_frames > 0 && g->page[i] == g->shown[i] ? SAME : g->page[i];
    }
  return n;
}

/* What is seen after that: what was written, not what was meant. */
static void show(struct gif *g, struct cut c)
{
  const unsigned char *from = g->crop;
  for (int y = c.top; y < c.bottom; y++)
    for (int x = c.left; x < c.right; x++, from++)
      if (*from != SAME) g->shown[(size_t)y * (size_t)g->width + (size_t)x] = *from;
}

/* A pixel whose colour looks like the one that is shown stays as it is. */
static void look(struct gif *g, const struct pixels *page)
{
  for (int y = 0; y < g->height; y++)
    for (int x = 0; x < g->width; x++) {
      uint32_t rgb;
      size_t i = (size_t)y * (size_t)g->width + (size_t)x;
      memcpy(&rgb, page->data + (size_t)y * page->stride + 4 * (size_t)x, sizeof rgb);
      const unsigned char now[3] = {(unsigned char)(rgb >> 16), (unsigned char)(rgb >> 8), (unsigned char)rgb};
      g->page[i] = g->n_frames > 0 && distance(now, gif_palette_rgb(g->palette, g->shown[i])) < STAYS
                       ? g->shown[i]
                       : (unsigned char)gif_palette_nearest(g->palette, rgb);
    }
}

void gif_add(struct gif *g, const struct pixels *page, int hundredths)
{
  look(g, page);
  struct cut c = find_change(g);
  size_t n = cut_out(g, c);
  bytes_add(&g->file, "\x21\xf9\x04\x05", 4); /* stays when the next one comes; has a colour for what stays as it is */
  put_word(&g->file, hundredths);
  put_byte(&g->file, SAME);
  put_byte(&g->file, 0);
  put_byte(&g->file, 0x2c);
  put_word(&g->file, c.left);
  put_word(&g->file, c.top);
  put_word(&g->file, c.right - c.left);
  put_word(&g->file, c.bottom - c.top);
  put_byte(&g->file, 0);
  compress(g, g->crop, n);
  show(g, c);
  g->n_frames++;
}

const struct bytes *gif_finish(struct gif *g)
{
  put_byte(&g->file, 0x3b);
  return &g->file;
}

/* The GIF writer, against a reader of our own that shares nothing with it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "plots/gif.h"

/* ---- a reader, after the specification ---- */

struct reader {
  const unsigned char *p, *end;
  int width, height, n_frames, bad, loops;
  int delays[64], clears;                     /* of LZW, over all frames                                         */
  unsigned char rgb[256][3];
  unsigned char *page;                        /* colours that are seen                                           */
};

static int byte(struct reader *r)
{
  if (r->p >= r->end) {
    r->bad = 1;
    return 0;
  }
  return *r->p++;
}

static int word(struct reader *r)
{
  int low = byte(r);
  return low | byte(r) << 8;
}

/* Blocks of a length and so many bytes, until an empty one. Returns how many bytes. */
static size_t read_blocks(struct reader *r, unsigned char *out, size_t room)
{
  size_t n = 0;
  for (int length; (length = byte(r)) > 0 && !r->bad;)
    for (int i = 0; i < length && !r->bad; i++) {
      int value = byte(r);
      if (n < room) out[n] = (unsigned char)value;
      n++;
    }
  return n;
}

/* Strings are chains: a code is its colour after the string of another code. */
static size_t expand(struct reader *r, const unsigned char *data, size_t n, unsigned char *out, size_t room)
{
  static int before[4096], last[4096], length[4096];
  const int clear = 256, end = 257;
  int size = 9, next = 258, previous = -1;
  uint32_t bits = 0;
  int n_bits = 0;
  size_t done = 0;
  for (int i = 0; i < 256; i++) before[i] = -1, last[i] = i, length[i] = 1;
  for (size_t at = 0;;) {
    while (n_bits < size && at < n) bits |= (uint32_t)data[at++] << n_bits, n_bits += 8;
    if (n_bits < size) break; /* no end: wrong */
    int code = (int)(bits & ((1u << size) - 1));
    bits >>= size;
    n_bits -= size;
    if (code == end) return done;
    if (code == clear) {
      size = 9, next = 258, previous = -1;
      r->clears++;
      continue;
    }
    if (code > next || code == clear || (code == next && previous < 0)) break;
    int string = code < next ? code : previous, first = string;
    while (before[first] >= 0) first = before[first];
    if (previous >= 0 && next < 4096) {
      before[next] = previous, last[next] = last[first], length[next] = length[previous] + 1;
      next++;
    }
    if (done + (size_t)length[code] > room) break;
    size_t stop = done + (size_t)length[code];
    for (int c = code; c >= 0; c = before[c]) out[--stop] = (unsigned char)last[c];
    done += (size_t)length[code];
    previous = code;
    if (next == 1 << size && size < 12) size++;
  }
  r->bad = 1;
  return done;
}

static void read_image(struct reader *r, int same)
{
  int left = word(r), top = word(r), w = word(r), h = word(r), flags = byte(r), bits = byte(r);
  size_t room = (size_t)r->width * (size_t)r->height, n;
  if (flags != 0 || bits != 8 || left + w > r->width || top + h > r->height) r->bad = 1;
  unsigned char *data = malloc(4 * room + 64), *colours = malloc(room + 1);
  n = read_blocks(r, data, 4 * room + 64);
  if (n > 4 * room + 64) r->bad = 1;
  if (!r->bad && expand(r, data, n, colours, room) != (size_t)w * (size_t)h) r->bad = 1;
  for (int y = 0; y < h && !r->bad; y++)
    for (int x = 0; x < w; x++) {
      unsigned char c = colours[(size_t)y * (size_t)w + (size_t)x];
      if (c != same) r->page[(size_t)(top + y) * (size_t)r->width + (size_t)(left + x)] = c;
    }
  free(data);
  free(colours);
}

static struct reader open_gif(const struct bytes *file)
{
  struct reader r = {.p = file->data, .end = file->data + file->length};
  if (file->length < 13 || memcmp(r.p, "GIF89a", 6) != 0) r.bad = 1;
  r.p += 6;
  r.width = word(&r);
  r.height = word(&r);
  if (byte(&r) != 0xf7) r.bad = 1;
  r.p += 2;
  for (int i = 0; i < 256; i++)
    for (int k = 0; k < 3; k++) r.rgb[i][k] = (unsigned char)byte(&r);
  r.page = calloc((size_t)r.width * (size_t)r.height + 1, 1);
  return r;
}

/* Up to the end of the next picture; 0 when there is none. */
static int next_picture(struct reader *r)
{
  int same = -1, delay = -1;
  while (!r->bad) {
    int sign = byte(r);
    if (sign == 0x3b) {
      if (r->p != r->end) r->bad = 1;
      return 0;
    }
    if (sign == 0x2c) {
      read_image(r, same);
      if (r->n_frames < 64) r->delays[r->n_frames] = delay;
      r->n_frames++;
      return !r->bad;
    }
    int label = byte(r);
    unsigned char block[64];
    size_t n = read_blocks(r, block, sizeof block);
    if (sign != 0x21) r->bad = 1;
    if (label == 0xff && n >= 14 && !memcmp(block, "NETSCAPE2.0\x01\0\0", 14)) r->loops = 1;
    if (label != 0xf9) continue;
    if (n != 4 || (block[0] >> 2 & 7) != 1) r->bad = 1; /* pictures stay */
    delay = block[1] | block[2] << 8;
    if (block[0] & 1) same = block[3];
  }
  return 0;
}

/* ---- pages ---- */

#define W 97
#define H 61
static uint32_t pages[40][H][W];

static struct pixels page(int i)
{
  return (struct pixels){W, H, W * sizeof(uint32_t), (const unsigned char *)pages[i]};
}

static const struct bytes *make_gif(struct arena *arena, int n)
{
  struct gif_colours *colours = gif_colours_new(arena);
  for (int i = 0; i < n; i++) {
    struct pixels p = page(i);
    gif_colours_add(colours, &p);
  }
  struct gif *g = gif_new(arena, W, H, gif_palette_choose(arena, colours));
  for (int i = 0; i < n; i++) {
    struct pixels p = page(i);
    gif_add(g, &p, 2 + i);
  }
  return gif_finish(g);
}

/* The largest difference of a channel between what is read and what was given, over all pages; -1 if it is no GIF. */
static int worst_difference(const struct bytes *file, int n, int *clears)
{
  struct reader r = open_gif(file);
  int worst = 0;
  CHECK_INT(r.width, W);
  CHECK_INT(r.height, H);
  while (next_picture(&r)) {
    CHECK_INT(r.delays[r.n_frames - 1], 1 + r.n_frames);
    for (int y = 0; y < H && r.n_frames <= n; y++)
      for (int x = 0; x < W; x++)
        for (int k = 0; k < 3; k++) {
          int given = (int)(pages[r.n_frames - 1][y][x] >> (16 - 8 * k) & 255), found = r.rgb[r.page[y * W + x]][k];
          if (abs(given - found) > worst) worst = abs(given - found);
        }
  }
  CHECK(r.loops == 1);
  CHECK_INT(r.n_frames, n);
  *clears = r.clears;
  free(r.page);
  CHECK(!r.bad);
  return r.bad ? -1 : worst;
}

/* 64 colours far apart come back as they were, also when nothing is alike from pixel to pixel and tables run full. */
static void test_exact(struct arena *arena)
{
  struct rng rng = rng_stream(1, 1);
  int clears = 0;
  for (int i = 0; i < 6; i++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        unsigned c = i == 4 ? 0 : (unsigned)rng_below(&rng, 64); /* one page of a single colour; */
        if (i == 5) c = y == 20 && x == 30;                      /* one that differs from it in one pixel */
        pages[i][y][x] = 0xff000000u | (c >> 4) * 85 << 16 | (c >> 2 & 3) * 85 << 8 | (c & 3) * 85;
      }
  CHECK_INT(worst_difference(make_gif(arena, 6), 6, &clears), 0);
  CHECK(clears > 6); /* some table was full */
}

/* Every length of the last code: pictures that end at any place of a table. */
static void test_ends(struct arena *arena)
{
  struct rng rng = rng_stream(1, 2);
  int clears = 0;
  for (int i = 0; i < 40; i++) {
    memset(pages[i], 0, sizeof pages[i]);
    for (int k = 0; k < 40 * i; k++)
      pages[i][k / W][k % W] = (unsigned)rng_below(&rng, 4) * 85 << 8 * rng_below(&rng, 3);
  }
  CHECK_INT(worst_difference(make_gif(arena, 40), 40, &clears), 0);
}

/* Smooth shades, more than there are colours: close. A picture that moves over them leaves no trail. */
static void test_close(struct arena *arena)
{
  int clears = 0;
  for (int i = 0; i < 20; i++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        int on = x >= 4 * i && x < 4 * i + 9 && y > 10 && y < 50;
        unsigned r = (unsigned)(2 * x), g = (unsigned)(3 * y), b = (unsigned)(x + y) / 2;
        pages[i][y][x] = on ? 0xe69f00 : r << 16 | g << 8 | b;
      }
  int worst = worst_difference(make_gif(arena, 20), 20, &clears);
  CHECK(worst >= 0 && worst <= 26);
}

/* As many colours as fit, each pixel the nearest of them but for half a step of the counting. */
static void test_palette(struct arena *arena)
{
  struct rng rng = rng_stream(1, 3);
  struct gif_colours *colours = gif_colours_new(arena);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) pages[0][y][x] = (uint32_t)rng_next(&rng) & 0xffffff;
  struct pixels p = page(0);
  gif_colours_add(colours, &p);
  struct gif_palette *palette = gif_palette_choose(arena, colours);
  CHECK_INT(gif_palette_size(palette), GIF_COLOURS);
  int farther = 0;
  for (int i = 0; i < 500; i++) {
    uint32_t rgb = pages[0][i / W][i % W];
    int chosen = gif_palette_nearest(palette, rgb);
    double off[GIF_COLOURS], least = 1e9;
    for (int j = 0; j < GIF_COLOURS; j++) {
      const unsigned char *c = gif_palette_rgb(palette, j);
      double r = c[0] - (double)(rgb >> 16), g = c[1] - (double)(rgb >> 8 & 255), b = c[2] - (double)(rgb & 255);
      off[j] = sqrt(0.8 * r * r + g * g + 0.6 * b * b);
      least = fmin(least, off[j]);
    }
    farther += !(off[chosen] <= least + 6.0);
  }
  CHECK_INT(farther, 0);
  struct gif_palette *none = gif_palette_choose(arena, gif_colours_new(arena));
  CHECK_INT(gif_palette_size(none), 1);
  CHECK_INT(gif_palette_nearest(none, 0xffffff), 0);
}

/* The same pages, the same bytes; and the reader finds a bit that was turned. */
static void test_bytes(struct arena *arena)
{
  const struct bytes *a = make_gif(arena, 3), *b = make_gif(arena, 3);
  CHECK(a->length == b->length && !memcmp(a->data, b->data, a->length));
  struct bytes broken = {.arena = arena};
  bytes_add(&broken, a->data, a->length - 40);
  struct reader r = open_gif(&broken);
  while (next_picture(&r)) {}
  CHECK(r.bad == 1);
  free(r.page);
}

int main(void)
{
  struct arena *arena = arena_new();
  test_exact(arena);
  test_ends(arena);
  test_close(arena);
  test_palette(arena);
  test_bytes(arena);
  arena_free(arena);
  return test_finish();
}

/* The drawing kit: texts that fit. See plots/kit.h. */
#include "base/utf8.h"
#include "plots/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS "\xe2\x80\xa6"
#define EDGE 2.0 /* texts stay this far inside of the page [points] */

char *text_clean(struct arena *arena, const char *text, int names)
{
  if (!text) text = "";
  char *clean = arena_alloc(arena, 3 * strlen(text) + 1, 1), *out = clean;
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    int n = utf8_length((const char *)s);
    if (n == 0) {
      memcpy(out, UTF8_REPLACEMENT, 3);
      out += 3;
      s++;
    } else if (n == 1) {
      *out++ = *s < 0x20 || *s == 0x7f || (names && *s == '_') ? ' ' : (char)*s;
      s++;
    } else {
      memcpy(out, s, (size_t)n);
      out += n;
      s += n;
    }
  }
  *out = '\0';
  return clean;
}

char *text_number3(struct arena *arena, double value)
{
  if (!isfinite(value)) return arena_strdup(arena, "\xe2\x80\x93");
  double size = fabs(value);
  if (size != 0.0 && (size < 9.995e-4 || size >= 999999.5)) return arena_printf(arena, "%.3g", value);
  int decimals = size < 9.995e-3 ? 5 : size < 0.09995 ? 4 : size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  char *text = arena_printf(arena, "%.*f", size == 0.0 ? 0 : decimals, value + 0.0); /* no minus zero */
  if (strchr(text, '.')) { /* 2.50 is 2.5 */
    size_t n = strlen(text);
    while (text[n - 1] == '0') text[--n] = '\0';
    if (text[n - 1] == '.') text[n - 1] = '\0';
  }
  return text;
}

char *text_mass(struct arena *arena, double kilograms)
{
  double m = kilograms;
  const char *unit = m >= 0.09995 || !(m > 0.0) ? "kg" : m >= 9.995e-5 ? "g" : "mg";
  return arena_printf(arena, "%s %s", text_number3(arena, *unit == 'k' ? m : *unit == 'g' ? 1e3 * m : 1e6 * m), unit);
}

char *text_length(struct arena *arena, double metres)
{
  int small = metres > 0.0 && metres < 0.09995;
  return arena_printf(arena, "%s %s", text_number3(arena, small ? 1e3 * metres : metres), small ? "mm" : "m");
}

double text_width(struct canvas *cv, const struct font *f, const char *text)
{
  return canvas_text_width(cv, f, text_clean(canvas_arena(cv), text, 0));
}

/* Bytes of the longest start of text (clean; whole characters) that tail can follow within width. */
static size_t longest_start(struct canvas *cv, const struct font *f, double width, const char *text, const char *tail)
{
  size_t low = 0, high = strlen(text), room = high + strlen(tail) + 1;
  char *trial = arena_alloc(canvas_arena(cv), room, 1);
  while (low < high) { /* invariant: low bytes fit, more than high do not */
    size_t middle = low + (high - low + 1) / 2;
    while (middle < high && ((unsigned char)text[middle] & 0xc0) == 0x80) middle++;
    memcpy(trial, text, middle);
    strcpy(trial + middle, tail);
    if (canvas_text_width(cv, f, trial) <= width) {
      low = middle;
    } else {
      size_t below = middle - 1;
      while (below > low && ((unsigned char)text[below] & 0xc0) == 0x80) below--;
      high = below;
    }
  }
  return low;
}

char *text_cut(struct canvas *cv, const struct font *f, double width, const char *text)
{
  struct arena *arena = canvas_arena(cv);
  char *clean = text_clean(arena, text, 0);
  if (canvas_text_width(cv, f, clean) <= width) return clean;
  if (canvas_text_width(cv, f, ELLIPSIS) > width) return arena_strdup(arena, "");
  size_t n = longest_start(cv, f, width, clean, ELLIPSIS);
  while (n > 0 && clean[n - 1] == ' ') n--;
  return arena_printf(arena, "%.*s%s", (int)n, clean, ELLIPSIS);
}

/* How far a text at x may reach without leaving 0..length. */
static double room_on_page(double x, double length, enum align align)
{
  double left = x - EDGE, right = length - EDGE - x;
  return fmax(0.0, align == ALIGN_LEFT ? right : align == ALIGN_RIGHT ? left : 2.0 * fmin(left, right));
}

static double shift(double width, enum align align)
{
  return align == ALIGN_LEFT ? 0.0 : align == ALIGN_CENTRE ? 0.5 * width : width;
}

void text_fit(struct canvas *cv, const struct font *f, struct xy at, double width, enum align align, const char *text)
{
  struct rect page = canvas_bounds(cv);
  char *cut = text_cut(cv, f, fmin(width, room_on_page(at.x, page.w, align)), text);
  if (at.y < EDGE + 0.8 * f->size || at.y > page.h - EDGE - 0.25 * f->size) return;
  canvas_show_text(cv, f, (struct xy){at.x - shift(canvas_text_width(cv, f, cut), align), at.y}, 0, cut);
}

void text_draw(struct canvas *cv, const struct font *f, struct xy at, enum align align, const char *text)
{
  text_fit(cv, f, at, CANVAS_MAX, align, text);
}

void text_up(struct canvas *cv, const struct font *f, struct xy at, double length, enum align align, const char *text)
{
  struct rect page = canvas_bounds(cv);
  char *cut = text_cut(cv, f, fmin(length, room_on_page(page.h - at.y, page.h, align)), text);
  if (at.x < EDGE + 0.8 * f->size || at.x > page.w - EDGE - 0.25 * f->size) return;
  canvas_show_text(cv, f, (struct xy){at.x, at.y + shift(canvas_text_width(cv, f, cut), align)}, 1, cut);
}

/* Bytes of the next line of text: up to a space if there is one, else as many characters as fit, at least one. */
static size_t next_line(struct canvas *cv, const struct font *f, double width, const char *text)
{
  size_t n = longest_start(cv, f, width, text, "");
  if (text[n] == '\0') return n;
  size_t space = n;
  while (space > 0 && text[space] != ' ') space--;
  if (space > 0) return space;
  if (n == 0)
    do n++;
    while (((unsigned char)text[n] & 0xc0) == 0x80);
  return n;
}

int text_wrap(struct canvas *cv, const struct font *f, struct xy at, const struct paragraph *p, const char *text)
{
  const char *rest = text_clean(canvas_arena(cv), text, 0);
  int lines = 0;
  while (*rest == ' ') rest++;
  while (*rest && lines < p->most) {
    size_t n = lines + 1 < p->most ? next_line(cv, f, p->width, rest) : strlen(rest);
    char *line = arena_printf(canvas_arena(cv), "%.*s", (int)n, rest);
    if (p->draw) text_fit(cv, f, (struct xy){at.x, at.y + lines * TEXT_LEADING * f->size}, p->width, p->align, line);
    lines++;
    rest += n;
    while (*rest == ' ') rest++;
  }
  return lines;
}

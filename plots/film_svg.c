/* Pages of SVG as one that moves. See plots/film.h.
 *
 * Each page becomes a group that is shown for its part of the round (SMIL, which browsers play also in pictures of a
 * page); names get the number of their page, or they would mean each other's. A viewer that does not move shows the
 * first page. Coordinates are rounded to hundredths of a pixel: half of the bytes of such a file are decimals. Letters,
 * which cairo draws as symbols, are the same on most pages and are written once. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plots/film.h"

static void add_text(struct bytes *b, const char *text) { bytes_add(b, text, strlen(text)); }

/* Where needle begins in text, end if it does not. */
static const char *find(const char *text, const char *end, const char *needle)
{
  size_t n = strlen(needle);
  for (; (size_t)(end - text) >= n; text++)
    if (!memcmp(text, needle, n)) return text;
  return end;
}

static int is_name(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_'; }

/* Names of a page and what they become, both ending in a 0. cairo counts some of them through the life of the process:
 * new ones go by the order in which they appear. */
struct names { struct bytes list; int n; };

static const char *new_name(struct names *names, const char *name, size_t length, const char *becomes)
{
  bytes_add(&names->list, name, length);
  bytes_add(&names->list, "", 1);
  size_t at = names->list.length;
  bytes_add(&names->list, becomes, strlen(becomes) + 1);
  return (const char *)names->list.data + at;
}

static const char *find_name(struct names *names, const char *name, size_t length, int frame)
{
  const char *p = (const char *)names->list.data, *end = p + names->list.length;
  while (p < end) {
    const char *becomes = p + strlen(p) + 1;
    if (strlen(p) == length && !memcmp(p, name, length)) return becomes;
    p = becomes + strlen(becomes) + 1;
  }
  char fresh[32];
  snprintf(fresh, sizeof fresh, "f%d-%d", frame, names->n++);
  return new_name(names, name, length, fresh);
}

/* Does a name stand at p? Those in id="...", and after the # of a reference in quotes or in url(). */
static int at_name(const char *text, const char *p)
{
  return (p - text >= 4 && !memcmp(p - 4, "id=\"", 4)) ||
         (p - text >= 2 && p[-1] == '#' && (p[-2] == '"' || p[-2] == '('));
}

/* Copies a number with at most two decimals; returns where it ends. */
static const char *copy_number(struct bytes *out, const char *p, const char *end)
{
  const char *stop = p;
  while (stop < end && (isdigit((unsigned char)*stop) || *stop == '.')) stop++;
  const char *dot = memchr(p, '.', (size_t)(stop - p));
  if (!dot || stop - dot <= 3) {
    bytes_add(out, p, (size_t)(stop - p));
    return stop;
  }
  char number[48];
  int n = snprintf(number, sizeof number, "%.2f", strtod(p, NULL));
  while (number[n - 1] == '0') n--;
  if (number[n - 1] == '.') n--;
  bytes_add(out, number, (size_t)n);
  return stop;
}

/* Copies text, names changed and numbers of paths, whose units are pixels, rounded; colours and matrices keep their
 * decimals. */
static void copy_text(struct bytes *out, struct names *names, const char *p, const char *end, int frame)
{
  const char *text = p;
  int in_path = 0;
  while (p < end) {
    if (!in_path && end - p > 4 && !memcmp(p, " d=\"", 4)) {
      in_path = 1;
      bytes_add(out, p, 4);
      p += 4;
    } else if (in_path && *p == '"') {
      in_path = 0;
      bytes_add(out, p++, 1);
    } else if (in_path && isdigit((unsigned char)*p)) {
      p = copy_number(out, p, end);
    } else if (is_name(*p) && at_name(text, p)) {
      const char *stop = p;
      while (stop < end && is_name(*stop)) stop++;
      add_text(out, find_name(names, p, (size_t)(stop - p), frame));
      p = stop;
    } else {
      bytes_add(out, p++, 1);
    }
  }
}

/* The number of a letter of this shape, which is added to the others if it is new. */
static int letter_of(struct svg_film *f, const char *shape, size_t length)
{
  const char *p = (const char *)f->known.data, *end = p + f->known.length;
  for (int i = 0; p < end; i++, p += strlen(p) + 1)
    if (strlen(p) == length && !memcmp(p, shape, length)) return i;
  char open[64];
  struct names none = {.list = {.arena = f->letters.arena}};
  snprintf(open, sizeof open, "<symbol overflow=\"visible\" id=\"f-%d\"", f->n_letters);
  add_text(&f->letters, open);
  copy_text(&f->letters, &none, shape, shape + length, 0);
  add_text(&f->letters, "</symbol>\n");
  bytes_add(&f->known, shape, length);
  bytes_add(&f->known, "", 1);
  return f->n_letters++;
}

/* A page without its letters. */
static void copy_body(struct svg_film *f, const char *p, const char *end)
{
  struct names names = {.list = {.arena = f->pages.arena}};
  for (const char *symbol; p < end; p = symbol) {
    symbol = find(p, end, "<symbol");
    copy_text(&f->pages, &names, p, symbol, f->n_done);
    if (symbol == end) return;
    const char *close = find(symbol, end, "</symbol>"), *inside = find(symbol, close, ">");
    const char *id = find(symbol, inside, "id=\""), *name = id < inside ? id + 4 : inside, *stop = name;
    while (stop < inside && is_name(*stop)) stop++;
    char letter[32];
    snprintf(letter, sizeof letter, "f-%d", letter_of(f, inside, (size_t)(close - inside)));
    new_name(&names, name, (size_t)(stop - name), letter);
    symbol = close < end ? close + strlen("</symbol>") : end;
  }
}

/* When a page is shown. The first is there also for those who do not move. */
static void add_timing(struct svg_film *f)
{
  char text[400];
  int k = f->n_done, n = f->n_frames;
  double from = (double)k / n, until = (k + 1.0) / n;
  if (n == 1)
    snprintf(text, sizeof text, "<g>\n");
  else if (k == 0)
    snprintf(text, sizeof text,
             "<g><animate attributeName=\"display\" values=\"inline;none\" keyTimes=\"0;%.6g\" calcMode=\"discrete\" "
             "dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n",
             until, f->seconds);
  else if (k == n - 1)
    snprintf(text, sizeof text,
             "<g display=\"none\"><animate attributeName=\"display\" values=\"none;inline\" keyTimes=\"0;%.6g\" "
             "calcMode=\"discrete\" dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n",
             from, f->seconds);
  else
    snprintf(text, sizeof text, "<g display=\"none\"><animate attributeName=\"display\" values=\"none;inline;none\" "
             "keyTimes=\"0;%.6g;%.6g\" calcMode=\"discrete\" dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n",
             from, until, f->seconds);
  add_text(&f->pages, text);
}

/* cairo's sizes are points; a film's are pixels, or a browser would show it a third larger than the same film as
 * GIF. */
static void add_head(struct svg_film *f, const char *p, const char *end)
{
  for (const char *unit; p < end; p = unit + 3) {
    unit = find(p, end, "pt\"");
    bytes_add(&f->head, p, (size_t)(unit - p));
    if (unit == end) return;
    add_text(&f->head, "px\"");
  }
}

void svg_film_add(struct svg_film *f, const struct bytes *page)
{
  const char *text = (const char *)page->data, *end = text + page->length;
  const char *open = find(text, end, "<svg"), *body = find(open, end, ">"), *close = end;
  while (close > body && (size_t)(end - close) < 6) close--;
  while (close > body && memcmp(close, "</svg>", 6) != 0) close--;
  if (body >= close) return;
  body++;
  if (f->n_done == 0) add_head(f, text, body);
  add_timing(f);
  copy_body(f, body, close);
  add_text(&f->pages, "</g>\n");
  f->n_done++;
}

struct svg_film svg_film_new(struct arena *arena, int n_frames, double seconds)
{
  struct bytes none = {.arena = arena};
  return (struct svg_film){
      .head = none, .letters = none, .pages = none, .known = none, .n_frames = n_frames, .seconds = seconds};
}

const struct bytes *svg_film_end(struct svg_film *f)
{
  add_text(&f->head, "\n<defs>\n");
  bytes_add(&f->head, f->letters.data, f->letters.length);
  add_text(&f->head, "</defs>\n");
  bytes_add(&f->head, f->pages.data, f->pages.length);
  add_text(&f->head, "</svg>\n");
  return &f->head;
}

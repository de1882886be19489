/* Pages of SVG as one that moves. See plots/film.h.
 *
 * Each page becomes a group that is shown for its part of the round (SMIL, which browsers play also in pictures of a
 * page); names get the number of their page, or they would mean each other's. A viewer that does not move shows the
 * first page. Coordinates are rounded to hundredths of a pixel: half of the bytes of such a file are decimals. */
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

/* A name of a page, by the order in which they appear: cairo counts some of them through the life of the process. */
struct names { struct bytes list; int n; };

static int number_of(struct names *names, const char *name, size_t length)
{
  const char *p = (const char *)names->list.data, *end = p + names->list.length;
  for (int i = 0; p < end; i++, p += strlen(p) + 1)
    if (strlen(p) == length && !memcmp(p, name, length)) return i;
  bytes_add(&names->list, name, length);
  bytes_add(&names->list, "", 1);
  return names->n++;
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

/* Is the number at p one of a path, whose units are pixels? Colours and matrices keep their decimals. */
static void copy_body(struct bytes *out, const char *p, const char *end, int frame)
{
  struct names names = {.list = {.arena = out->arena}};
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
      char name[32];
      while (stop < end && is_name(*stop)) stop++;
      int n = snprintf(name, sizeof name, "f%d-%d", frame, number_of(&names, p, (size_t)(stop - p)));
      bytes_add(out, name, (size_t)n);
      p = stop;
    } else {
      bytes_add(out, p++, 1);
    }
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
    snprintf(text, sizeof text, "<g><animate attributeName=\"display\" values=\"inline;none\" keyTimes=\"0;%.6g\" calcMode=\"discrete\" "
             "dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n", until, f->seconds);
  else if (k == n - 1)
    snprintf(text, sizeof text, "<g display=\"none\"><animate attributeName=\"display\" values=\"none;inline\" keyTimes=\"0;%.6g\" "
             "calcMode=\"discrete\" dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n", from, f->seconds);
  else
    snprintf(text, sizeof text, "<g display=\"none\"><animate attributeName=\"display\" values=\"none;inline;none\" "
             "keyTimes=\"0;%.6g;%.6g\" calcMode=\"discrete\" dur=\"%.6gs\" repeatCount=\"indefinite\"/>\n",
             from, until, f->seconds);
  add_text(&f->out, text);
}

void svg_film_add(struct svg_film *f, const struct bytes *page)
{
  const char *text = (const char *)page->data, *end = text + page->length;
  const char *open = find(text, end, "<svg"), *body = find(open, end, ">"), *close = end;
  while (close > body && (size_t)(end - close) < 6) close--;
  while (close > body && memcmp(close, "</svg>", 6) != 0) close--;
  if (body >= close) return;
  body++;
  if (f->n_done == 0) bytes_add(&f->out, text, (size_t)(body - text)), add_text(&f->out, "\n");
  add_timing(f);
  copy_body(&f->out, body, close, f->n_done);
  add_text(&f->out, "</g>\n");
  f->n_done++;
}

void svg_film_end(struct svg_film *f) { add_text(&f->out, "</svg>\n"); }

/* The drawing kit: bytes in memory and the file that they become. See plots/kit.h. */
#include "base/file.h"
#include "plots/kit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bytes_add(struct bytes *b, const void *data, size_t length)
{
  if (b->room - b->length < length) {
    size_t room = 2 * (b->length + length) + 4096;
    unsigned char *grown = arena_alloc(b->arena, room, 1);
    if (b->length > 0) memcpy(grown, b->data, b->length);
    b->data = grown;
    b->room = room;
  }
  if (length > 0) memcpy(b->data + b->length, data, length);
  b->length += length;
}

int file_replace(const char *path, const void *data, size_t length, struct diag *d)
{
  int error = file_write_bytes(path, data, length);
  if (error) diag_error(d, path, 0, "cannot write this file: %s", strerror(error));
  return !error;
}

/* The length of a word such as "surface" if text starts with it and a digit follows, else 0. */
static size_t numbered_word(const char *text, const char *end)
{
  static const char *const words[] = {"surface", "image", "source"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(end - text) > n && !memcmp(text, words[i], n) && isdigit((unsigned char)text[n])) return n;
  }
  return 0;
}

/* The new number of a counter: its place in the order of appearance. Pages have few of them: a list suffices. */
static int renumber(struct bytes *seen, long old)
{
  const long *list = (const long *)(const void *)seen->data;
  int n = (int)(seen->length / sizeof old);
  for (int i = 0; i < n; i++)
    if (list[i] == old) return i + 1;
  bytes_add(seen, &old, sizeof old);
  return n + 1;
}

void svg_renumber(struct bytes *svg)
{
  if (svg->length == 0) return;
  bytes_add(svg, "", 1); /* an end for strtol */
  struct bytes out = {.arena = svg->arena}, seen = {.arena = svg->arena};
  const char *text = (const char *)svg->data, *end = text + svg->length - 1;
  for (const char *p = text; p < end;) {
    const char *stop = p;
    size_t word = 0;
    /* only names in quotes or references: id="surface3", "#surface3", url(#surface3) */
    for (; stop < end; stop++)
      if (stop > text && (stop[-1] == '"' || stop[-1] == '#') && (word = numbered_word(stop, end)) > 0) break;
    bytes_add(&out, p, (size_t)(stop - p) + word);
    p = stop + word;
    if (word == 0) break;
    char *rest, number[16];
    int n = snprintf(number, sizeof number, "%d", renumber(&seen, strtol(p, &rest, 10)));
    bytes_add(&out, number, (size_t)n);
    p = rest;
  }
  *svg = out;
}

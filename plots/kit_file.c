/* The drawing kit: bytes in memory and the file that they become. See plots/kit.h. */
#include "plots/kit.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A new file beside path; *name is its name. -1 if there can be none, with errno. */
static int open_temporary(struct arena *arena, const char *path, char **name)
{
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  for (int attempt = 0; attempt < 100; attempt++) {
    *name = arena_printf(arena, "%.*s.muybridge-%ld-%d.part", folder, path, (long)getpid(), attempt);
    int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

static int write_all(int fd, const unsigned char *data, size_t length)
{
  while (length > 0) {
    ssize_t done = write(fd, data, length);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return 0;
    data += done;
    length -= (size_t)done;
  }
  return 1;
}

int file_replace(const char *path, const void *data, size_t length, struct diag *d)
{
  struct arena *arena = arena_new();
  char *name;
  int fd = open_temporary(arena, path, &name), done = 0;
  if (fd >= 0) {
    int written = write_all(fd, data, length), error = errno;
    if (close(fd) != 0 && written) written = 0, error = errno;
    done = written && rename(name, path) == 0;
    if (!done) {
      if (written) error = errno;
      unlink(name);
      errno = error;
    }
  }
  if (!done) diag_error(d, path, 0, "cannot write this file: %s", strerror(errno));
  arena_free(arena);
  return done;
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

/* The new number of a counter: its place in the order of appearance. Pages have few of them: a list will do. */
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

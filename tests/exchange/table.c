/* See table.h. */
#include "exchange/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/exchange.h"

/* Cuts a line into n pieces at its commas; how many there were. */
static int split(char *line, const char **pieces, int room)
{
  int n = 0;
  for (char *p = line; p; n++) {
    char *comma = strchr(p, ',');
    if (n < room)
      pieces[n] = p;
    if (comma)
      *comma++ = '\0';
    p = comma;
  }
  return n;
}

static int count(const char *text, char c)
{
  int n = 0;
  for (; *text; text++)
    n += *text == c;
  return n;
}

static int read_row(struct table *t, char *line, const char **pieces)
{
  int n = split(line, pieces, t->n_columns);
  for (int i = 0; i < n && i < t->n_columns; i++) {
    char *end;
    t->cells[t->n_rows * t->n_columns + i] = strtod(pieces[i], &end);
    if (end == pieces[i] || *end)
      return 0;
  }
  t->n_rows++;
  return n == t->n_columns;
}

static struct table *read_table(struct arena *arena, char *text)
{
  struct table *t = ARENA_NEW(arena, 1, struct table);
  const char **pieces = NULL;
  int lines = count(text, '\n');
  t->text = arena_strdup(arena, text);
  t->comments = arena_alloc(arena, strlen(text) + 1, 1);
  for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    if (*line == '#') {
      strcat(strcat(t->comments, line), "\n");
    } else if (!t->names) {
      t->n_columns = count(line, ',') + 1;
      t->names = ARENA_NEW(arena, (size_t)t->n_columns, const char *);
      t->cells = ARENA_NEW(arena, (size_t)t->n_columns * (size_t)lines, double);
      pieces = ARENA_NEW(arena, (size_t)t->n_columns, const char *);
      split(line, t->names, t->n_columns);
    } else if (!read_row(t, line, pieces)) {
      fprintf(stderr, "row %d cannot be read\n", t->n_rows);
      return NULL;
    }
  }
  return t;
}

struct table *table_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  int failed = !out || exchange_write_csv(c, clip, out);
  if (out)
    failed |= fclose(out) != 0;
  if (failed)
    fprintf(stderr, "the clip could not be written\n");
  char *copy = failed ? NULL : arena_strdup(arena, text);
  free(text);
  return copy ? read_table(arena, copy) : NULL;
}

int table_find(const struct table *t, const char *prefix, const char *name, const char *suffix)
{
  char full[300];
  snprintf(full, sizeof full, "%s.%s%s%s", prefix, name, suffix ? "." : "", suffix ? suffix : "");
  for (int i = 0; i < t->n_columns; i++)
    if (strcmp(t->names[i], full) == 0)
      return i;
  return -1;
}

double table_cell(const struct table *t, int row, int column)
{
  int there = row >= 0 && row < t->n_rows && column >= 0 && column < t->n_columns;
  return there ? t->cells[row * t->n_columns + column] : (double)NAN;
}

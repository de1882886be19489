#include "nature/reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE_PLACES 1001   /* at most */
#define REFERENCE_LINE 4096     /* characters */

static _Noreturn void reference_bad(const char *path, int line, const char *what)
{
  fprintf(stderr, "%s:%d: %s\n", path, line, what);
  exit(2);
}

static void reference_read_names(struct arena *arena, struct reference_walk *r, char *line)
{
  r->names = ARENA_NEW(arena, strlen(line) + 1, char *);
  for (char *name = strtok(line, ",\r\n"); name; name = strtok(NULL, ",\r\n"))
    r->names[r->n_columns++] = arena_strdup(arena, name);
}

const struct reference_walk *reference_read(struct arena *arena, const char *path)
{
  static double rows[REFERENCE_PLACES][64];
  char line[REFERENCE_LINE];
  struct reference_walk *r = ARENA_NEW(arena, 1, struct reference_walk);
  FILE *in = path ? fopen(path, "r") : NULL;
  if (!in)
    return NULL;
  if (!fgets(line, sizeof line, in))
    reference_bad(path, 1, "a line of names of columns is missing");
  reference_read_names(arena, r, line);
  if (r->n_columns < 2 || r->n_columns > 64)
    reference_bad(path, 1, "2 to 64 columns are allowed");
  while (fgets(line, sizeof line, in)) {
    char *at = line, *end;
    if (r->n == REFERENCE_PLACES)
      reference_bad(path, r->n + 2, "more than 1001 places");
    for (int i = 0; i < r->n_columns; i++, at = end + (*end == ',')) {
      rows[r->n][i] = strtod(at, &end);
      if (end == at)
        reference_bad(path, r->n + 2, "a number is missing");
    }
    r->n++;
  }
  fclose(in);
  if (r->n < 3)
    reference_bad(path, r->n + 1, "at least 3 places are needed");
  r->x = ARENA_NEW(arena, (size_t)(r->n_columns * r->n), double);
  for (int i = 0; i < r->n_columns; i++)
    for (int k = 0; k < r->n; k++)
      r->x[i * r->n + k] = rows[k][i];
  return r;
}

const double *reference_column(const struct reference_walk *r, const char *name)
{
  for (int i = 0; i < r->n_columns; i++)
    if (!strcmp(r->names[i], name))
      return r->x + i * r->n;
  fprintf(stderr, "nature: the reference file has no column '%s'\n", name);
  exit(2);
}

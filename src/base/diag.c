/* Diagnostics: a list of messages that owns its strings. */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void diag_init(struct diag *d) { *d = (struct diag){0}; }

void diag_clear(struct diag *d)
{
  for (int i = 0; i < d->n_messages; i++) {
    free((char *)d->messages[i].file);
    free(d->messages[i].text);
  }
  free(d->messages);
  diag_init(d);
}

static char *format_text(const char *format, va_list args)
{
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = n < 0 ? NULL : malloc((size_t)n + 1);
  if (!text)
    arena_out_of_memory();
  vsnprintf(text, (size_t)n + 1, format, args);
  return text;
}

static char *copy(const char *text)
{
  char *c = strdup(text);
  if (!c)
    arena_out_of_memory();
  return c;
}

/* What one value causes in two places (a limb and another one like it) is said once. */
static int is_known(const struct diag *d, const struct diag_message *m)
{
  for (int i = 0; i < d->n_messages; i++) {
    const struct diag_message *k = &d->messages[i];
    if (k->line == m->line && !strcmp(k->file, m->file) && !strcmp(k->text, m->text))
      return 1;
  }
  return 0;
}

/* An error is worth more than a warning: when all room is taken, the last warning goes. */
static void make_room(struct diag *d)
{
  int i = d->n_messages - 1;
  while (i >= 0 && d->messages[i].level == DIAG_ERROR)
    i--;
  if (i < 0)
    return;
  free((char *)d->messages[i].file);
  free(d->messages[i].text);
  d->n_messages--;
  memmove(&d->messages[i], &d->messages[i + 1], (size_t)(d->n_messages - i) * sizeof d->messages[0]);
}

static void add(struct diag *d, struct diag_message m)
{
  int known = is_known(d, &m);
  if (!known && m.level == DIAG_ERROR)
    d->n_errors++;
  if (!known && m.level == DIAG_WARNING)
    d->n_warnings++;
  if (!known && m.level == DIAG_ERROR && d->n_messages == DIAG_MAX)
    make_room(d);
  if (known || d->n_messages == DIAG_MAX) {
    free(m.text);
    return;
  }
  if (!d->messages)
    d->messages = calloc(DIAG_MAX, sizeof *d->messages);
  if (!d->messages)
    arena_out_of_memory();
  m.file = copy(m.file);
  d->messages[d->n_messages++] = m;
}

void diag_error(struct diag *d, const char *file, int line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add(d, (struct diag_message){DIAG_ERROR, file, line, format_text(format, args)});
  va_end(args);
}

void diag_warning(struct diag *d, const char *file, int line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add(d, (struct diag_message){DIAG_WARNING, file, line, format_text(format, args)});
  va_end(args);
}

/* By file, then by line, then in the order in which they were found: both point into one array. */
static int compare(const void *left, const void *right)
{
  const struct diag_message *a = *(const struct diag_message *const *)left;
  const struct diag_message *b = *(const struct diag_message *const *)right;
  int by_file = strcmp(a->file, b->file);
  if (by_file)
    return by_file;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void print_message(FILE *out, const struct diag_message *m)
{
  fprintf(out, "%s:", m->file);
  if (m->line)
    fprintf(out, "%d:", m->line);
  fprintf(out, " %s: %s\n", m->level == DIAG_ERROR ? "error" : "warning", m->text);
}

char *diag_text(const struct diag *d)
{
  const struct diag_message *sorted[DIAG_MAX];
  for (int i = 0; i < d->n_messages; i++)
    sorted[i] = &d->messages[i];
  qsort(sorted, (size_t)d->n_messages, sizeof sorted[0], compare);

  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    arena_out_of_memory();
  for (int i = 0; i < d->n_messages; i++)
    print_message(out, sorted[i]);
  int left_out = d->n_errors + d->n_warnings - d->n_messages;
  if (left_out > 0)
    fprintf(out, "(%d more not shown)\n", left_out);
  if (fclose(out) || !text)
    arena_out_of_memory();
  return text;
}

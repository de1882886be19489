/* See log.h. */
#include "task/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define FIRST_LINE "# muybridge log 1"
#define MOST_BYTES (1u << 24) /* some ten hours of a line for every frame */

struct log_reading {
  struct arena *arena;
  struct diag *d;
  struct task_log *log;
  struct task_log_line *lines;
  int line;                     /* that is read                    */
  int seconds_line;             /* where `# seconds` stands; 0: nowhere yet */
};

/* A number of a line, named in messages. 0 after an error. */
static int log_number(struct log_reading *r, const char *what, const char *word, const struct text_range *range,
                      double *out)
{
  static const struct text_section file = {0};
  const char *values[] = {word};
  const struct text_entry e = {what, r->log->file, r->line, 1, values, NULL, &file};
  return text_number(&e, 0, range, out, r->d);
}

/* ---- lines that begin with # ---- */

/* "# task NAME creature NAME"; names may have blanks, the task's even the word creature. */
static void read_names(struct log_reading *r, char *names)
{
  char *creature = NULL;
  for (char *at = names; (at = strstr(at, " creature ")); at++)
    creature = at;
  if (!creature || creature == names || !creature[10]) {
    diag_error(r->d, r->log->file, r->line, "expected '# task NAME creature NAME', found '# task %s'",
               text_clip(names).word);
    r->log->task = r->log->creature = ""; /* it is there */
    return;
  }
  *creature = 0;
  r->log->task = names;
  r->log->creature = creature + 10;
}

static void read_comment(struct log_reading *r, char *text)
{
  static const struct text_range range = {0, 1e6, 1, "s"};
  if (!strncmp(text, "# task ", 7))
    read_names(r, text + 7);
  if (!strncmp(text, "# seconds ", 10)) {
    log_number(r, "seconds", text + 10, &range, &r->log->seconds);
    r->seconds_line = r->line;
  }
}

/* ---- changes ---- */

/* time,parameter,value: splits it. 0 after an error. */
static int read_change(struct log_reading *r, char *text)
{
  static const struct text_range range = {0, 1e6, 0, "s"};
  struct task_log_line *x = &r->lines[r->log->n_lines];
  char *first = strchr(text, ','), *second = first ? strchr(first + 1, ',') : NULL;
  if (!second || strchr(second + 1, ',') || second == first + 1 || !second[1]) {
    diag_error(r->d, r->log->file, r->line, "expected time,parameter,value, found '%s'", text_clip(text).word);
    return 0;
  }
  *first = *second = 0;
  *x = (struct task_log_line){.parameter = first + 1, .value = second + 1, .line = r->line};
  if (!log_number(r, "time", text, &range, &x->time))
    return 0;
  const struct task_log_line *before = r->log->n_lines ? x - 1 : NULL;
  if (before && x->time < before->time) {
    diag_error(r->d, r->log->file, r->line, "time: %g s is before the line above it, %g s", x->time, before->time);
    return 0;
  }
  return 1;
}

static void read_line(struct log_reading *r, char *text)
{
  size_t n = strlen(text);
  while (n && (text[n - 1] == '\r' || text[n - 1] == ' '))
    text[--n] = 0;
  if (text[0] == '#')
    read_comment(r, text);
  else if (n && strcmp(text, "time,parameter,value"))
    r->log->n_lines += read_change(r, text);
}

/* ---- the whole ---- */

/* Is it a log at all, and of this version? */
static int check_first(struct log_reading *r, const char *text)
{
  char first[80];
  snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\r\n"), text);
  if (!strcmp(first, FIRST_LINE))
    return 1;
  if (!text[strspn(text, " \r\n\t")])
    diag_error(r->d, r->log->file, 0, "the log is empty; a log begins with '%s'", FIRST_LINE);
  else if (!strncmp(first, FIRST_LINE, strlen(FIRST_LINE) - 1))
    diag_error(r->d, r->log->file, 1, "expected '%s', found '%s': a log of another version", FIRST_LINE,
               text_clip(first).word);
  else
    diag_error(r->d, r->log->file, 1, "this is no log: it must begin with '%s', found '%s'", FIRST_LINE,
               text_clip(first).word);
  return 0;
}

/* What only the whole can say. */
static void check_whole(const struct log_reading *r)
{
  const struct task_log *log = r->log;
  if (!log->task)
    diag_error(r->d, log->file, 0, "there is no line '# task NAME creature NAME'");
  if (!r->seconds_line)
    diag_error(r->d, log->file, 0, "there is no line '# seconds N': how long was the person observed?");
  const struct task_log_line *last = log->n_lines ? &log->lines[log->n_lines - 1] : NULL;
  if (last && log->seconds > 0 && last->time > log->seconds)
    diag_error(r->d, log->file, last->line, "time: %g s is after the end of the log, %g s at line %d", last->time,
               log->seconds, r->seconds_line);
  if (!last && log->task && r->seconds_line)
    diag_error(r->d, log->file, 0, "nothing was asked: there is no line time,parameter,value");
}

const struct task_log *task_log_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                      struct diag *d)
{
  int errors_before = d->n_errors;
  struct task_log *log = ARENA_NEW(arena, 1, struct task_log);
  struct log_reading r = {.arena = arena, .d = d, .log = log, .line = 1};
  char *copy = ARENA_NEW(arena, length + 1, char), *at = copy;
  log->file = arena_strdup(arena, name);
  if (memchr(text, 0, length)) {
    diag_error(d, name, 0, "this is no log: it is not text");
    return NULL;
  }
  memcpy(copy, text, length);
  if (!strncmp(at, "\xef\xbb\xbf", 3))
    at += 3; /* a byte order mark */
  if (!check_first(&r, at))
    return NULL;
  size_t most = 1;
  for (const char *s = at; (s = strchr(s, '\n')); s++)
    most++;
  log->lines = r.lines = ARENA_NEW(arena, most, struct task_log_line);
  for (; at; r.line++) {
    char *end = strchr(at, '\n');
    if (end)
      *end = 0;
    read_line(&r, at);
    at = end ? end + 1 : NULL;
  }
  check_whole(&r);
  return d->n_errors > errors_before ? NULL : log;
}

const struct task_log *task_log_load(struct arena *arena, const char *path, struct diag *d)
{
  FILE *in = fopen(path, "rb");
  if (!in) {
    diag_error(d, path, 0, "cannot read this file: %s", strerror(errno));
    return NULL;
  }
  struct arena *scratch = arena_new();
  const struct task_log *log = NULL;
  char *bytes = NULL;
  size_t n = 0, room = 1 << 16;
  for (size_t got = 1; got && n <= MOST_BYTES; n += got) {
    char *more = ARENA_NEW(scratch, room, char);
    if (n)
      memcpy(more, bytes, n);
    bytes = more;
    got = fread(bytes + n, 1, room - n, in);
    room *= 2;
  }
  if (ferror(in))
    diag_error(d, path, 0, "cannot read this file: %s", strerror(errno));
  else if (n > MOST_BYTES)
    diag_error(d, path, 0, "the file has more than %u bytes, which no log has", MOST_BYTES);
  else
    log = task_log_parse(arena, path, bytes, n, d);
  fclose(in);
  arena_free(scratch);
  return log;
}

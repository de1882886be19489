/* Reading scripts, and asking them. */
#include "task/script.h"

#include <stdlib.h>
#include <string.h>

#include "task/room.h"

#define MAX_COMMANDS 10000 /* sections */
#define AFTER_LAST   5.0   /* how long to go on after the last command [s] */

struct reading {
  struct arena *arena;
  const struct task *t;
  struct diag *d;
  int errors_before;
  int n;
  struct script_command *commands;
};

static const struct text_range seconds = {0, 1e6, 0, "s"};

/* Keys are the names of all kinds of parameters, also of those that this task does not have: these deserve words of
 * their own. */
static const struct text_schema *make_schema(struct arena *arena)
{
  static const char *const file_keys[] = {"end", NULL};
  int n = 0;
  while (task_kinds[n])
    n++;
  const char **keys = ARENA_NEW(arena, (size_t)n + 1, const char *);
  for (int k = 0; k < n; k++)
    keys[k] = task_kinds[k]->name;
  struct text_schema *at = ARENA_NEW(arena, 1, struct text_schema), *file = ARENA_NEW(arena, 1, struct text_schema);
  const struct text_schema **sections = ARENA_NEW(arena, 2, const struct text_schema *);
  *at = (struct text_schema){"at", keys, NULL, MAX_COMMANDS};
  sections[0] = at;
  *file = (struct text_schema){NULL, file_keys, sections, 0};
  return file;
}

/* The time in the title of a section: 0 after an error. */
static int read_time(const struct text_section *s, double *time, struct diag *d)
{
  const char *values[] = {s->title};
  const struct text_entry title = {"time", s->file, s->line, 1, values, NULL, s};
  return text_number(&title, 0, &seconds, time, d);
}

static void complain_absent(const struct reading *r, const struct text_entry *e)
{
  const char **names = ARENA_NEW(r->arena, (size_t)r->t->n_parameters + 1, const char *);
  for (int i = 0; i < r->t->n_parameters; i++)
    names[i] = r->t->parameters[i].kind->name;
  TASK_ERROR(r->d, e, "%s: the task '%s' has no such parameter%s", text_describe_entry(e).words,
             text_clip(r->t->name).word, text_suggest(e->key, names).words);
}

static void read_command(struct reading *r, const struct text_entry *e, double time)
{
  int p = task_find(r->t, e->key);
  double theta = 0.0;
  if (p < 0)
    complain_absent(r, e);
  if (p >= 0 && task_read_value(&r->t->parameters[p], e, &theta, r->d))
    r->commands[r->n++] = (struct script_command){time, p, theta, e->file, e->line};
}

static void read_section(struct reading *r, const struct text_section *s)
{
  double time = 0.0;
  int good = read_time(s, &time, r->d), before = r->n;
  if (!s->entries && r->d->n_errors == r->errors_before) /* or else an unknown key may have been taken out */
    diag_warning(r->d, s->file, s->line, "%s asks for nothing", text_describe(s).words);
  for (const struct text_entry *e = s->entries; e; e = e->next)
    read_command(r, e, time);
  if (!good)
    r->n = before; /* what has no time has been looked at for its other faults only */
}

static int by_time(const void *a, const void *b)
{
  const struct script_command *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return x->parameter != y->parameter ? x->parameter - y->parameter : x->line - y->line;
}

/* Sorted, one parameter cannot be asked to be two things at once. */
static void check_order(const struct reading *r)
{
  for (int i = 1; i < r->n; i++) {
    const struct script_command *a = &r->commands[i - 1], *b = &r->commands[i];
    if (a->time == b->time && a->parameter == b->parameter)
      TASK_ERROR(r->d, b, "%s at %g s is already given at %s", r->t->parameters[b->parameter].kind->name, b->time,
                 text_place(a->file, a->line, b->file).words);
  }
}

static double read_end(const struct reading *r, const struct text_section *file)
{
  const struct text_entry *e = text_find(file, "end");
  double last = r->n ? r->commands[r->n - 1].time : 0.0, end = last + AFTER_LAST;
  if (!e || !text_numbers(e, 1, 1, &seconds, &end, r->d) || end >= last)
    return end;
  const struct script_command *c = &r->commands[r->n - 1];
  TASK_ERROR(r->d, e, "end: %g s is before the last command, at %g s, %s", end, last,
             text_place(c->file, c->line, e->file).words);
  return end;
}

static int count_entries(const struct text_section *file)
{
  int n = 0;
  for (const struct text_section *s = file->sections; s; s = s->next)
    for (const struct text_entry *e = s->entries; e; e = e->next)
      n++;
  return n;
}

static const struct script *finish(struct arena *arena, const struct text_section *file, const struct task *t,
                                   int errors_before, struct diag *d)
{
  if (!file)
    return NULL;
  struct reading r = {.arena = arena, .t = t, .d = d, .errors_before = errors_before};
  r.commands = ARENA_NEW(arena, (size_t)count_entries(file), struct script_command);
  for (const struct text_section *s = file->sections; s; s = s->next)
    read_section(&r, s);
  qsort(r.commands, (size_t)r.n, sizeof *r.commands, by_time);
  check_order(&r);
  struct script *script = ARENA_NEW(arena, 1, struct script);
  double *initial = ARENA_NEW(arena, (size_t)t->n_parameters, double);
  task_initial(t, initial);
  *script = (struct script){file->file, t, initial, r.n, r.commands, read_end(&r, file)};
  return d->n_errors > errors_before ? NULL : script;
}

const struct script *script_load(struct arena *arena, const char *path, const struct task *t, struct diag *d)
{
  int errors_before = d->n_errors;
  return finish(arena, text_read_file(arena, path, make_schema(arena), d), t, errors_before, d);
}

const struct script *script_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                  const struct task *t, struct diag *d)
{
  int errors_before = d->n_errors;
  return finish(arena, text_read_memory(arena, name, text, length, make_schema(arena), d), t, errors_before, d);
}

void script_theta(const struct script *s, double time, double *theta)
{
  memcpy(theta, s->initial, (size_t)s->task->n_parameters * sizeof *theta);
  for (int i = 0; i < s->n_commands && s->commands[i].time <= time; i++)
    theta[s->commands[i].parameter] = s->commands[i].theta;
}

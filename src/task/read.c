/* From the text of a task file to what it asks for: the schema of doc/task-format.md and the keys that all parameters
 * have. A kind's own keys: kind_*.c. */
#include <math.h>
#include <string.h>

#include "task/room.h"

#define MAX_PARAMETERS 16 /* sections; of different kinds there are fewer */

static const char *const file_keys[] = {"name", "summary", "alpha", NULL};
static const char *const moving_keys[] = {"weight",      "power", "grid",         "jump_every",
                                          "drift_every", "drift", "jump_weights", NULL};
static const char *const category_keys[] = {"weight", "jump_every", "jump_weights", NULL};

/* ---- keys ---- */

static int add_words(const char **words, int n, const char *const *more)
{
  for (; more && *more; more++) {
    int known = 0;
    for (int i = 0; i < n; i++)
      known |= !strcmp(words[i], *more);
    if (!known)
      words[n++] = *more;
  }
  return n;
}

static const char *const *keys_of_space(enum task_space space)
{
  return space == TASK_CATEGORY ? category_keys : moving_keys;
}

#define MAX_KEYS 60 /* of all kinds together: what the text room can hold */

/* The keys of a kind; of all kinds when it is NULL. */
static const char *const *keys_of(struct arena *arena, const struct task_kind *kind)
{
  const char **words = ARENA_NEW(arena, MAX_KEYS + 1, const char *);
  int n = 0;
  for (int k = 0; task_kinds[k]; k++)
    if (!kind || kind == task_kinds[k]) {
      n = add_words(words, n, keys_of_space(task_kinds[k]->space));
      n = add_words(words, n, task_kinds[k]->keys);
    }
  return words;
}

const struct text_schema *task_schema(struct arena *arena)
{
  struct text_schema *parameter = ARENA_NEW(arena, 1, struct text_schema);
  struct text_schema *file = ARENA_NEW(arena, 1, struct text_schema);
  const struct text_schema **sections = ARENA_NEW(arena, 2, const struct text_schema *);
  *parameter = (struct text_schema){"parameter", keys_of(arena, NULL), NULL, MAX_PARAMETERS};
  sections[0] = parameter;
  *file = (struct text_schema){NULL, file_keys, sections, 0};
  return file;
}

/* Keys that other kinds have, but not this one. */
static void check_keys(const struct task_asked *a, struct arena *arena, struct diag *d)
{
  const char *const *allowed = keys_of(arena, a->kind);
  for (const struct text_entry *e = a->section->entries; e; e = e->next) {
    int known = 0;
    for (int i = 0; allowed[i]; i++)
      known |= !strcmp(allowed[i], e->key);
    if (!known)
      TASK_ERROR(d, e, "%s has no '%s'%s", text_describe(a->section).words, e->key,
                 text_suggest(e->key, allowed).words);
  }
}

/* ---- what all parameters have ---- */

/* A mean time between two events, or the word never. */
static void read_every(const struct task_asked *a, const char *key, double *every, struct diag *d)
{
  static const struct text_range seconds = {1e-3, 1e6, 0, "s"};
  static const char *const words[] = {"never", NULL};
  const struct text_entry *e = text_find(a->section, key);
  if (!e)
    return;
  if (e->n_values == 1 && text_nearest(e->values[0], words)) {
    if (text_word(e, words, d) == 0)
      *every = INFINITY;
    return;
  }
  text_numbers(e, 1, 1, &seconds, every, d);
}

static void read_grid(struct task_asked *a, struct diag *d)
{
  static const struct text_range circle = {8, 720, 0, "values"}, interval = {2, 200, 0, "values"};
  const struct text_entry *e = text_find(a->section, "grid");
  double n = 0.0;
  if (!e || !text_numbers(e, 1, 1, a->kind->space == TASK_CIRCLE ? &circle : &interval, &n, d))
    return;
  if (n != floor(n))
    TASK_ERROR(d, e, "%s: must be a whole number, found %s", text_describe_entry(e).words,
               text_clip(e->values[0]).word);
  a->grid = (int)n;
}

/* Where a jump goes: how many numbers a list or the gaits need is known when they are (task.c). */
static void read_weights(struct task_asked *a, struct arena *arena, struct diag *d)
{
  static const struct text_range any = {0, 1e6, 0, ""};
  const struct text_entry *e = text_find(a->section, "jump_weights");
  int is_circle = a->kind->space == TASK_CIRCLE, positive = 0;
  if (!e)
    return;
  double *weights = ARENA_NEW(arena, TASK_MOST_WEIGHTS, double);
  int n = text_numbers(e, is_circle ? TASK_LEAST_TURNS : 2, is_circle ? TASK_MOST_TURNS : TASK_MOST_WEIGHTS, &any,
                       weights, d);
  for (int i = 0; i < n; i++)
    positive += weights[i] > 0;
  int least = a->listed || a->kind->space == TASK_CATEGORY ? 2 : 1; /* a jump goes to another value */
  if (n && positive < least)
    TASK_ERROR(d, e, "%s: at least %d of the numbers must be more than 0, found %d", text_describe_entry(e).words,
               least, positive);
  const struct text_entry *every = text_find(a->section, "jump_every");
  if (n && every && isinf(a->jump_every))
    TASK_ERROR(d, e, "%s has no meaning: %s says that it never jumps", text_describe_entry(e).words,
               text_place(every->file, every->line, e->file).words);
  a->n_weights = n;
  a->weights = weights;
}

static void read_motion(struct task_asked *a, struct diag *d)
{
  a->jump_every = a->kind->jump_every;
  a->drift_every = a->listed || a->kind->space == TASK_CATEGORY ? INFINITY : a->kind->drift_every;
  a->drift = a->kind->drift;
  read_every(a, "jump_every", &a->jump_every, d);
  if (isinf(a->jump_every) && (a->listed || a->kind->space == TASK_CATEGORY))
    TASK_ERROR(d, text_find(a->section, "jump_every"), "%s never changes: it can only jump",
               text_describe(a->section).words);
  if (a->listed || a->kind->space == TASK_CATEGORY)
    return;
  read_every(a, "drift_every", &a->drift_every, d);
  if (isinf(a->jump_every) && isinf(a->drift_every))
    TASK_ERROR(d, text_find(a->section, "jump_every"), "%s never changes: jump_every and drift_every are both never",
               text_describe(a->section).words);
  const struct text_entry *e = text_find(a->section, "drift");
  const struct text_range step = {0, a->drift_most, 1, a->unit};
  if (!e || !text_numbers(e, 1, 1, &step, &a->drift, d) || !isinf(a->drift_every))
    return;
  const struct text_entry *never = text_find(a->section, "drift_every");
  TASK_ERROR(d, e, "%s has no meaning: %s says that it never drifts", text_describe_entry(e).words,
             text_place(never->file, never->line, e->file).words);
}

static void read_parameter(struct task_asked *a, struct arena *arena, struct diag *d)
{
  static const struct text_range weight = {0, 1000, 1, ""}, power = {1, 4, 0, ""};
  const struct text_entry *e;
  check_keys(a, arena, d);
  a->weight = a->kind->weight;
  a->power = 1.0;
  a->unit = a->kind->unit;
  a->drift_most = a->kind->drift_most;
  if ((e = text_find(a->section, "weight")))
    text_numbers(e, 1, 1, &weight, &a->weight, d);
  if (a->kind->read)
    a->kind->read(a, arena, d);
  read_motion(a, d);
  read_weights(a, arena, d);
  if (a->kind->space == TASK_CATEGORY)
    return;
  if ((e = text_find(a->section, "power")))
    text_numbers(e, 1, 1, &power, &a->power, d);
  if (!a->listed)
    read_grid(a, d);
}

/* ---- the file ---- */

static const struct task_kind *find_kind(const char *name)
{
  for (int k = 0; task_kinds[k]; k++)
    if (!strcmp(task_kinds[k]->name, name))
      return task_kinds[k];
  return NULL;
}

static const char *const *kind_names(struct arena *arena)
{
  int n = 0;
  while (task_kinds[n])
    n++;
  const char **names = ARENA_NEW(arena, (size_t)n + 1, const char *);
  for (int k = 0; k < n; k++)
    names[k] = task_kinds[k]->name;
  return names;
}

/* The kind of a section that is neither unknown nor there a second time; NULL after an error. */
static const struct task_kind *check_section(const struct text_section *s, struct arena *arena, struct diag *d)
{
  const struct task_kind *kind = find_kind(s->title);
  if (!kind)
    TASK_ERROR(d, s, "there is no parameter '%s'%s", text_clip(s->title).word,
               text_suggest(s->title, kind_names(arena)).words);
  for (const struct text_section *t = s->parent->sections; kind && t != s; t = t->next)
    if (!strcmp(t->title, s->title)) {
      TASK_ERROR(d, s, "%s is already described at %s", text_describe(s).words,
                 text_place(t->file, t->line, s->file).words);
      return NULL;
    }
  return kind;
}

/* "direction" of "tasks/direction.task". */
static const char *name_of_file(struct arena *arena, const char *file)
{
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
  size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  return arena_printf(arena, "%.*s", (int)n, base);
}

void task_read(struct task_file *t, struct arena *arena, const struct text_section *file, struct diag *d)
{
  static const struct text_range alpha = {0, 10, 0, ""};
  const struct text_entry *name = text_find(file, "name"), *summary = text_find(file, "summary"), *e;
  t->file = file->file;
  t->name = name ? text_string(name, d) : name_of_file(arena, file->file);
  t->summary = summary ? text_string(summary, d) : "";
  t->alpha = 0.3;
  if ((e = text_find(file, "alpha")))
    text_numbers(e, 1, 1, &alpha, &t->alpha, d);
  if (!file->sections)
    diag_error(d, t->file, 0, "there is no parameter; a task needs at least one: parameter direction { }");
  t->parameters = ARENA_NEW(arena, MAX_PARAMETERS, struct task_asked);
  for (const struct text_section *s = file->sections; s; s = s->next) {
    const struct task_kind *kind = check_section(s, arena, d);
    if (!kind)
      continue;
    struct task_asked *a = &t->parameters[t->n_parameters++];
    *a = (struct task_asked){.kind = kind, .section = s};
    read_parameter(a, arena, d);
  }
}

/* Loading a creature: text, sketch, creature. */
#include "creature/creature.h"

#include <string.h>

#include "creature/gait.h"
#include "creature/sketch.h"

/* The creature of a text that has been read; NULL if the text could not be, or after an error. The last n_given
 * sections are styles from files of their own. */
static const struct creature *creature_finish(struct arena *arena, struct arena *scratch,
                                              const struct text_section *file, int n_given, int errors_before,
                                              struct diag *d)
{
  if (!file)
    return NULL;
  struct sketch k = {.arena = scratch, .d = d, .file = file, .n_given = n_given};
  sketch_read(&k);
  const struct gait *gaits = k.broken_names ? NULL : gait_read(&k, arena);
  const struct open_gait *open = k.broken_names ? NULL : gait_read_open(&k, arena);
  return d->n_errors > errors_before ? NULL : sketch_build(&k, gaits, open, arena);
}

const char *creature_style_name(struct arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
  char *name = arena_printf(arena, "style_%.*s", dot && dot > start ? (int)(dot - start) : 50, start);
  for (char *c = name; *c; c++)
    if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
      *c = '_';
  int begins_well = (name[6] >= 'a' && name[6] <= 'z') || (name[6] >= 'A' && name[6] <= 'Z');
  if (strlen(name) > 56)
    name[56] = '\0';
  return begins_well ? name + 6 : name;
}

/* The text of a style file becomes a section of the creature's. */
static int creature_add_style(struct arena *scratch, struct text_section *file, const char *path, struct diag *d)
{
  struct text_section *s = text_read_file(scratch, path, &sketch_style_file_schema, d), **end = &file->sections;
  if (!s)
    return 0;
  s->kind = sketch_style_schema.kind;
  s->title = creature_style_name(scratch, path);
  s->line = 1;
  s->parent = file;
  while (*end)
    end = &(*end)->next;
  *end = s;
  return 1;
}

const struct creature *creature_load_styled(struct arena *arena, const char *path, const char *const *styles,
                                            int n_styles, struct diag *d)
{
  int errors_before = d->n_errors, n = 0;
  struct arena *scratch = arena_new();
  struct text_section *file = text_read_file(scratch, path, &sketch_schema, d);
  for (int i = 0; file && i < n_styles; i++)
    n += creature_add_style(scratch, file, styles[i], d);
  const struct creature *c = creature_finish(arena, scratch, file, n, errors_before, d);
  arena_free(scratch);
  return c;
}

const struct creature *creature_load(struct arena *arena, const char *path, struct diag *d)
{
  return creature_load_styled(arena, path, NULL, 0, d);
}

const struct creature *creature_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                      struct diag *d)
{
  int errors_before = d->n_errors;
  struct arena *scratch = arena_new();
  const struct text_section *file = text_read_memory(scratch, name, text, length, &sketch_schema, d);
  const struct creature *c = creature_finish(arena, scratch, file, 0, errors_before, d);
  arena_free(scratch);
  return c;
}

/* Loading a creature: text, sketch, creature. */
#include "creature/creature.h"

#include "creature/gait.h"
#include "creature/sketch.h"

/* The creature of a text that has been read; NULL if the text could not be, or after an error. */
static const struct creature *creature_finish(struct arena *arena, struct arena *scratch,
                                              const struct text_section *file, int errors_before, struct diag *d)
{
  if (!file)
    return NULL;
  struct sketch k = {.arena = scratch, .d = d, .file = file};
  sketch_read(&k);
  const struct gait *gaits = k.broken_names ? NULL : gait_read(&k, arena);
  return d->n_errors > errors_before ? NULL : sketch_build(&k, gaits, arena);
}

const struct creature *creature_load(struct arena *arena, const char *path, struct diag *d)
{
  int errors_before = d->n_errors;
  struct arena *scratch = arena_new();
  const struct text_section *file = text_read_file(scratch, path, &sketch_schema, d);
  const struct creature *c = creature_finish(arena, scratch, file, errors_before, d);
  arena_free(scratch);
  return c;
}

const struct creature *creature_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                      struct diag *d)
{
  int errors_before = d->n_errors;
  struct arena *scratch = arena_new();
  const struct text_section *file = text_read_memory(scratch, name, text, length, &sketch_schema, d);
  const struct creature *c = creature_finish(arena, scratch, file, errors_before, d);
  arena_free(scratch);
  return c;
}

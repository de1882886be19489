/* Creatures, styles, tasks, scripts and parts of the stage by name. */
#include "base/find.h"

#include <string.h>
#include <unistd.h>

static const struct find_about {
  const char *what, *ending, *folder;
  const char *hint;             /* said where there is none; such a file is nobody's own, and in the folder only */
} kinds[] = {
  [FIND_CREATURE] = {"creature", "creature", "creatures", NULL},
  [FIND_TASK] = {"task", "task", "tasks", NULL},
  [FIND_SCRIPT] = {"script", "script", "tasks", NULL},
  [FIND_STYLE] = {"style", "style", "styles", NULL},
  [FIND_PAGE] = {"page of the stage", "html", "stage", "'make stage' makes it"},
  [FIND_MODULE] = {"module of the stage", "wasm", "stage", "'make stage' makes it"}};

/* "." is left out, so that a path in the working folder reads as a user would write it. */
static const char *join(struct arena *arena, const char *folder, const char *below)
{
  if (strcmp(folder, ".") == 0)
    return below;
  return arena_printf(arena, strcmp(folder, "/") == 0 ? "%s%s" : "%s/%s", folder, below);
}

const char *find_file(struct arena *arena, const char *const *folders, const char *name, enum find_kind kind,
                      struct diag *d)
{
  const struct find_about *about = &kinds[kind];
  const char *file = arena_printf(arena, "%s.%s", name, about->ending), *looked = "";
  if (!about->hint && (strchr(name, '/') || strchr(name, '.') || access(name, F_OK) == 0))
    return name;
  for (int i = 0; folders[i]; i++) {
    const char *places[2] = {folders[i], join(arena, folders[i], about->folder)};
    for (int k = about->hint != NULL; k < 2; k++) {
      const char *path = join(arena, places[k], file);
      if (access(path, R_OK) == 0)
        return path;
      looked = arena_printf(arena, "%s\n  %s", looked, places[k]);
    }
  }
  diag_error(d, name, 0, "there is no %s of this name%s%s; looked for %s in%s", about->what, about->hint ? ": " : "",
             about->hint ? about->hint : "", file, looked);
  return NULL;
}

/* Creatures, styles, tasks and scripts by name. */
#include "base/find.h"

#include <string.h>
#include <unistd.h>

static const struct { const char *what, *folder; } kinds[] = {
  [FIND_CREATURE] = {"creature", "creatures"}, [FIND_TASK] = {"task", "tasks"}, [FIND_SCRIPT] = {"script", "tasks"},
  [FIND_STYLE] = {"style", "styles"}};

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
  const char *file = arena_printf(arena, "%s.%s", name, kinds[kind].what), *looked = "";
  if (strchr(name, '/') || strchr(name, '.') || access(name, F_OK) == 0)
    return name;
  for (int i = 0; folders[i]; i++) {
    const char *places[2] = {folders[i], join(arena, folders[i], kinds[kind].folder)};
    for (int k = 0; k < 2; k++) {
      const char *path = join(arena, places[k], file);
      if (access(path, R_OK) == 0)
        return path;
      looked = arena_printf(arena, "%s\n  %s", looked, places[k]);
    }
  }
  diag_error(d, name, 0, "there is no %s of this name; looked for %s in%s", kinds[kind].what, file, looked);
  return NULL;
}

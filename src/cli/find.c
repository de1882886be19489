/* Where the program finds creatures, styles, tasks and scripts that are given by name: the working folder, the folder
 * that the program is in, the folders of MUYBRIDGE_PATH, and the installed data folder. */
#define _GNU_SOURCE /* readlink */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "base/folders.h" /* by the Makefile: INSTALLED_BIN, INSTALLED_DATA */
#include "task/script.h"
#include "task/task.h"

/* The folder that the running program is in; NULL if the system does not say. */
static const char *program_folder(struct arena *arena)
{
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0 || length >= (ssize_t)sizeof path - 1)
    return NULL;
  path[length] = 0;
  char *slash = strrchr(path, '/');
  if (!slash)
    return NULL;
  slash[slash == path] = 0; /* the root keeps its slash */
  return arena_printf(arena, "%s", path);
}

/* The way from the installed program's folder to the installed data, from where the program is now: an installation
 * may be moved as a whole. */
static const char *data_folder(struct arena *arena, const char *program)
{
  const char *bin = INSTALLED_BIN, *data = INSTALLED_DATA;
  size_t same = 0;
  for (size_t i = 0; bin[i] && bin[i] == data[i]; i++)
    if (bin[i] == '/')
      same = i + 1;
  const char *path = program;
  for (const char *rest = bin + same; rest; rest = strchr(rest, '/') ? strchr(rest, '/') + 1 : NULL)
    if (*rest) {
      const char *slash = strrchr(path, '/');
      if (!slash)
        return NULL;
      path = slash == path ? "/" : arena_printf(arena, "%.*s", (int)(slash - path), path);
    }
  return arena_printf(arena, "%s/%s", strcmp(path, "/") ? path : "", data + same);
}

/* Ends with NULL; no folder twice. */
static const char *const *search_path(struct arena *arena)
{
  const char *listed = getenv("MUYBRIDGE_PATH"), *program = program_folder(arena);
  size_t most = 6;
  for (const char *c = listed; c && *c; c++)
    most += *c == ':';
  const char **folders = ARENA_NEW(arena, most, const char *);
  int n = 0;
  folders[n++] = ".";
  if (program)
    folders[n++] = program;
  for (const char *at = listed; at && *at; at += strcspn(at, ":"), at += *at == ':')
    if (*at != ':')
      folders[n++] = arena_printf(arena, "%.*s", (int)strcspn(at, ":"), at);
  if (program)
    folders[n++] = data_folder(arena, program);
  folders[n++] = INSTALLED_DATA;
  int kept = 0;
  for (int i = 0; i < n; i++) {
    int known = !folders[i];
    for (int k = 0; k < kept && !known; k++)
      known = strcmp(folders[k], folders[i]) == 0;
    if (!known)
      folders[kept++] = folders[i];
  }
  folders[kept] = NULL;
  return folders;
}

const char *cli_find(struct arena *arena, const char *name, enum find_kind kind, struct diag *d)
{
  return find_file(arena, search_path(arena), name, kind, d);
}

const struct creature *cli_load_styled(struct arena *arena, const char *name, const struct cli_styles *styles,
                                       struct diag *d)
{
  const char *path = cli_find(arena, name, FIND_CREATURE, d);
  const char **files = ARENA_NEW(arena, (size_t)styles->n + 1, const char *);
  int found = path != NULL;
  for (int i = 0; i < styles->n; i++) {
    files[i] = cli_find(arena, styles->names[i], FIND_STYLE, d);
    found &= files[i] != NULL;
  }
  return found ? creature_load_styled(arena, path, files, styles->n, d) : NULL;
}

const struct creature *cli_load_creature(struct arena *arena, const char *name, struct diag *d)
{
  return cli_load_styled(arena, name, &(struct cli_styles){0}, d);
}

const struct script *cli_load_script(struct arena *arena, const char *name, const struct task *task, struct diag *d)
{
  const char *path = cli_find(arena, name, FIND_SCRIPT, d);
  return path ? script_load(arena, path, task, d) : NULL;
}

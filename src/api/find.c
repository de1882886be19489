/* Where the library finds creatures, styles, tasks and scripts that are given by name: the working folder, the folders
 * of MUYBRIDGE_PATH, and the installed data folder. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/folders.h" /* by the Makefile: INSTALLED_DATA */

const char *api_find(struct arena *arena, const char *name, enum find_kind kind, struct diag *d)
{
  const char *listed = getenv("MUYBRIDGE_PATH");
  size_t most = 4, n = 0;
  for (const char *c = listed; c && *c; c++)
    most += *c == ':';
  const char **folders = ARENA_NEW(arena, most, const char *);
  folders[n++] = ".";
  for (const char *at = listed; at && *at; at += strcspn(at, ":"), at += *at == ':')
    if (*at != ':')
      folders[n++] = arena_printf(arena, "%.*s", (int)strcspn(at, ":"), at);
  folders[n++] = INSTALLED_DATA;
  return find_file(arena, folders, name ? name : "", kind, d);
}

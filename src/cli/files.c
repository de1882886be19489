/* See files.h. */
#include "cli/files.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "config.h"

struct store_session cli_session_now(struct arena *arena, int argc, char **argv)
{
  const char *line = "muybridge";
  char now[32];
  time_t t = time(NULL);
  for (int i = 0; i < argc; i++)
    line = arena_printf(arena, "%s %s", line, argv[i]);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
  return (struct store_session){PACKAGE_STRING, line, arena_strdup(arena, now)};
}

int cli_session(struct arena *arena, struct store *s, int argc, char **argv, struct diag *d)
{
  struct store_session session = cli_session_now(arena, argc, argv);
  return store_add_session(s, &session, d);
}

const char *cli_split_run(struct arena *arena, const char *name, const char **clip)
{
  const char *colon = strrchr(name, ':');
  *clip = NULL;
  if (!colon || access(name, F_OK) == 0)
    return name;
  *clip = colon + 1;
  return arena_printf(arena, "%.*s", (int)(colon - name), name);
}

int cli_write(const char *command, const char *path, int (*write)(const void *what, FILE *out), const void *what)
{
  int error = file_write(path, write, what);
  if (error)
    fprintf(stderr, "muybridge %s: cannot write %s: %s\n", command, path, strerror(error));
  return !error;
}

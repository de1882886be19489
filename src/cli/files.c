/* See files.h. */
#include "cli/files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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

static int is_special(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

int cli_write(struct arena *arena, const char *command, const char *path,
              int (*write)(const void *what, FILE *out), const void *what)
{
  const char *part = is_special(path) ? path : arena_printf(arena, "%s.part", path);
  FILE *out = fopen(part, "wb");
  int failed = !out || write(what, out);
  if (out)
    failed |= fclose(out) != 0;
  if (!failed && part != path)
    failed = rename(part, path) != 0;
  if (!failed)
    return 1;
  fprintf(stderr, "muybridge %s: cannot write %s: %s\n", command, path, strerror(errno));
  if (out && part != path)
    remove(part);
  return 0;
}

/* See changes.h. Folders are watched, as a file that is replaced is another file; what has changed is found by looking
 * at the bytes. */
#define _GNU_SOURCE /* realpath */
#include "serve/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

struct seen { char *path; uint64_t hash; };

struct changes {
  int fd, n, must_poll;
  struct seen *files;
};

/* Of the bytes (FNV-1a); 0: it is not there. A pipe or a device is never opened: that might wait forever. */
static uint64_t hash_file(const char *path)
{
  unsigned char part[8192];
  struct stat about;
  uint64_t hash = 14695981039346656037u;
  FILE *in = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
  if (!in)
    return 0;
  for (size_t n; (n = fread(part, 1, sizeof part, in)) > 0;)
    for (size_t i = 0; i < n; i++)
      hash = (hash ^ part[i]) * 1099511628211u;
  fclose(in);
  return hash ? hash : 1;
}

static void watch_folder(struct changes *c, const char *path)
{
  char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
  if (!folder)
    arena_out_of_memory();
  if (slash)
    slash[slash == folder] = 0;
  int w = inotify_add_watch(c->fd, slash ? folder : ".", IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE);
  c->must_poll |= w < 0;
  free(folder);
}

struct changes *changes_open(struct diag *d)
{
  struct changes *c = calloc(1, sizeof *c);
  if (!c)
    arena_out_of_memory();
  c->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (c->fd < 0) {
    diag_error(d, "inotify", 0, "the system does not tell of changed files: %s", strerror(errno));
    free(c);
    return NULL;
  }
  return c;
}

void changes_close(struct changes *c)
{
  if (!c)
    return;
  for (int i = 0; i < c->n; i++)
    free(c->files[i].path);
  close(c->fd);
  free(c->files);
  free(c);
}

int changes_fd(const struct changes *c) { return c->fd; }
int changes_must_poll(const struct changes *c) { return c->must_poll; }

static int is_known(const struct changes *c, const char *path)
{
  for (int i = 0; i < c->n; i++)
    if (!strcmp(c->files[i].path, path))
      return 1;
  return 0;
}

void changes_add(struct changes *c, int n, const char *const *files)
{
  c->files = realloc(c->files, (size_t)(c->n + n + 1) * sizeof *c->files);
  if (!c->files)
    arena_out_of_memory();
  for (int i = 0; i < n; i++) {
    if (is_known(c, files[i]))
      continue;
    char *real = realpath(files[i], NULL), *path = strdup(files[i]);
    if (!path)
      arena_out_of_memory();
    watch_folder(c, files[i]);
    if (real && strcmp(real, files[i])) /* behind a link, it is changed elsewhere */
      watch_folder(c, real);
    free(real);
    c->files[c->n++] = (struct seen){path, hash_file(path)}; /* after the folder is watched: nothing is missed */
  }
}

int changes_look(struct changes *c)
{
  char events[4096];
  int changed = 0;
  while (read(c->fd, events, sizeof events) > 0) {} /* that there were some is all that matters */
  for (int i = 0; i < c->n; i++) {
    uint64_t hash = hash_file(c->files[i].path);
    changed |= hash != c->files[i].hash;
    c->files[i].hash = hash;
  }
  return changed;
}

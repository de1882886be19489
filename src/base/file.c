/* See file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_special(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* A new file in the folder of path, whose name no other process has; NULL, with errno, if there can be none. */
static FILE *open_part(const char *path, char *part, size_t room)
{
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0, fd = -1;
  for (int attempt = 0; fd < 0 && attempt < 100; attempt++) {
    snprintf(part, room, "%.*s.muybridge-%ld-%d.part", folder, path, (long)getpid(), attempt);
    fd = open(part, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0 && errno != EEXIST)
      return NULL;
  }
  FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
  if (fd >= 0 && !out) {
    close(fd);
    remove(part);
  }
  return out;
}

int file_write(const char *path, int (*write)(const void *what, FILE *out), const void *what)
{
  size_t room = strlen(path) + 64;
  int special = is_special(path);
  char *part = special ? NULL : malloc(room);
  errno = 0;
  if (!special && !part)
    return ENOMEM;
  FILE *out = part ? open_part(path, part, room) : fopen(path, "wb");
  int error = out ? 0 : errno;
  if (out) {
    if (write(what, out) != 0 || ferror(out))
      error = errno ? errno : EIO;
    if (fclose(out) != 0 && !error)
      error = errno;
    if (part && !error && rename(part, path) != 0)
      error = errno;
    if (part && error)
      remove(part);
  }
  free(part);
  return error;
}

struct piece { const void *data; size_t length; };

static int write_piece(const void *what, FILE *out)
{
  const struct piece *p = what;
  return p->length > 0 && fwrite(p->data, 1, p->length, out) != p->length;
}

int file_write_bytes(const char *path, const void *data, size_t length)
{
  return file_write(path, write_piece, &(struct piece){data, length});
}

char *file_read(struct arena *arena, const char *path, size_t *n)
{
  struct stat about;
  FILE *in = fopen(path, "rb");
  char *bytes = NULL;
  errno = in ? 0 : errno;
  if (in && fstat(fileno(in), &about) == 0 && S_ISDIR(about.st_mode))
    errno = EISDIR;
  else if (in && errno == 0) {
    *n = (size_t)about.st_size;
    bytes = ARENA_NEW(arena, *n + 1, char);
    if (fread(bytes, 1, *n, in) != *n)
      bytes = NULL, errno = errno ? errno : EIO;
  }
  int error = errno;
  if (in)
    fclose(in);
  errno = error;
  return bytes;
}

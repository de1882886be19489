/* Messages on pipes and sockets: frames, and a box that collects what has been read of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "farm/room.h"

#define ONE_READ (16u << 10) /* bytes of room that are there for a read, at least */

void *farm_memory(void *old, size_t n)
{
  void *p = realloc(old, n ? n : 1);
  if (!p)
    arena_out_of_memory();
  return p;
}

/* ---- in ---- */

/* Room grows with what has come, never on the word of a length: a sender may have lost its mind. */
int inbox_fill(struct inbox *box, int fd)
{
  if (box->room - box->n < ONE_READ) {
    box->room = box->room < 2 * ONE_READ ? 2 * ONE_READ : 2 * box->room;
    box->bytes = farm_memory(box->bytes, box->room);
  }
  ssize_t got = read(fd, box->bytes + box->n, box->room - box->n);
  if (got > 0)
    box->n += (size_t)got;
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
    return -1;
  return got > 0;
}

const void *inbox_frame(const struct inbox *box, struct frame *f)
{
  if (box->n < sizeof *f)
    return NULL;
  memcpy(f, box->bytes, sizeof *f);
  return box->n - sizeof *f < f->length ? NULL : box->bytes + sizeof *f;
}

void inbox_drop(struct inbox *box, const struct frame *f)
{
  size_t all = sizeof *f + (size_t)f->length;
  box->n -= all;
  memmove(box->bytes, box->bytes + all, box->n); /* to the start, where it is aligned */
}

void inbox_clear(struct inbox *box)
{
  free(box->bytes);
  *box = (struct inbox){0};
}

/* ---- out ---- */

int write_all(int fd, const void *bytes, size_t n)
{
  const char *p = bytes;
  while (n > 0) {
    ssize_t put = write(fd, p, n);
    if (put < 0 && errno != EINTR)
      return 0;
    if (put > 0)
      p += put, n -= (size_t)put;
  }
  return 1;
}

int frame_write(int fd, enum frame_kind kind, const void *bytes, size_t n)
{
  struct frame f = {.kind = kind, .length = n};
  return write_all(fd, &f, sizeof f) && write_all(fd, bytes, n);
}

/* Files that are there whole or not at all: whoever reads one, and whatever interrupts who writes it. */
#ifndef MUYBRIDGE_BASE_FILE_H
#define MUYBRIDGE_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

/* Writes a new file beside path, and gives it that name when all is written; a file that was there is replaced, or left
 * as it was. A device or a pipe is written in place. write() returns 0 when it is done, else errno says why not.
 * Returns 0, or the number of the error, for strerror(). */
int file_write(const char *path, int (*write)(const void *what, FILE *out), const void *what);

/* The same, of bytes. */
int file_write_bytes(const char *path, const void *data, size_t length);

/* All bytes of a file and a 0, in the arena; *n without the 0. NULL, and errno says why. */
char *file_read(struct arena *arena, const char *path, size_t *n);

#endif

/* A file of arrays (.npz), read back by code that knows nothing of its writer. */
#ifndef MUYBRIDGE_TESTS_NPZ_H
#define MUYBRIDGE_TESTS_NPZ_H

#include <stddef.h>

#include "base/arena.h"

struct npz_array {
  const char *name, *type;      /* "qpos"; "<f8", "<i4", "|b1", "<U12"                        */
  const char *shape;            /* as it stands there: "(24, 3)"                              */
  const unsigned char *data;
  size_t n;                     /* numbers (texts: characters)                                */
};
struct npz { int n; struct npz_array arrays[40]; };

/* NULL, and the reason on standard error, if anything in the archive is not as it must be: checksums, sizes, the
 * directory, alignment. */
const struct npz *npz_read(struct arena *arena, const unsigned char *bytes, size_t n);

const struct npz_array *npz_find(const struct npz *z, const char *name); /* ends the program if there is none */
double npz_real(const struct npz *z, const char *name, size_t i);
int npz_int(const struct npz *z, const char *name, size_t i);            /* of flags, too                     */
const char *npz_text(struct arena *arena, const struct npz *z, const char *name, size_t i); /* ASCII          */

#endif

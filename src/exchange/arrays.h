/* Named arrays in one file, as NumPy reads them: numpy.load("x.npz")["name"]. A zip archive that stores, without
 * compression, one .npy file for each array; same arrays, same bytes. */
#ifndef MUYBRIDGE_EXCHANGE_ARRAYS_H
#define MUYBRIDGE_EXCHANGE_ARRAYS_H

#include <stddef.h>
#include <stdio.h>

#include "base/arena.h"

#define ARRAYS_DIMENSIONS 4     /* at most */

struct arrays;
struct arrays_shape { int n; size_t size[ARRAYS_DIMENSIONS]; }; /* n = 0: one number */

struct arrays *arrays_new(struct arena *arena);

/* A name is a C identifier and given once. Data is copied, in C order. */
void arrays_add_reals(struct arrays *a, const char *name, struct arrays_shape shape, const double *x);
void arrays_add_ints(struct arrays *a, const char *name, struct arrays_shape shape, const int *x);
void arrays_add_flags(struct arrays *a, const char *name, struct arrays_shape shape, const unsigned char *x);
void arrays_add_texts(struct arrays *a, const char *name, size_t n, const char *const *x); /* UTF-8            (n) */
void arrays_add_real(struct arrays *a, const char *name, double x);
void arrays_add_int(struct arrays *a, const char *name, int x);
void arrays_add_text(struct arrays *a, const char *name, const char *x); /* of no dimension: str(file[name]) */

/* 1 when the stream cannot be written. */
int arrays_write(const struct arrays *a, FILE *out);

#endif

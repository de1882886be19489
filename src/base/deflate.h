/* Bytes made smaller: the compressed format "deflate" (RFC 1951), raw, as browsers unpack it with
 * DecompressionStream("deflate-raw"). For pages that carry their data with them. */
#ifndef MUYBRIDGE_BASE_DEFLATE_H
#define MUYBRIDGE_BASE_DEFLATE_H

#include <stddef.h>

#include "base/arena.h"

/* The n bytes at data, compressed; in the arena, *length of them, never many more than n. Same bytes, same result. */
const unsigned char *deflate_bytes(struct arena *arena, const void *data, size_t n, size_t *length);

#endif

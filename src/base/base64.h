/* Bytes as text (RFC 4648, section 4): for data in pages and addresses. */
#ifndef MUYBRIDGE_BASE_BASE64_H
#define MUYBRIDGE_BASE_BASE64_H

#include <stddef.h>

#include "base/arena.h"

/* Letters, digits, + and /, filled up with = to a multiple of four; in the arena. */
const char *base64_text(struct arena *arena, const void *data, size_t n);

#endif

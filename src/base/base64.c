/* See base64.h. */
#include "base/base64.h"

#include <stdint.h>

const char *base64_text(struct arena *arena, const void *data, size_t n)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *bytes = data;
  char *text = ARENA_NEW(arena, (n + 2) / 3 * 4 + 1, char), *out = text;
  for (size_t i = 0; i < n; i += 3) { /* three bytes are four letters */
    size_t left = n - i;
    uint32_t bits = (uint32_t)bytes[i] << 16;
    bits |= left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
    bits |= left > 2 ? bytes[i + 2] : 0;
    *out++ = letters[bits >> 18];
    *out++ = letters[bits >> 12 & 63];
    *out++ = left > 1 ? letters[bits >> 6 & 63] : '=';
    *out++ = left > 2 ? letters[bits & 63] : '=';
  }
  return text;
}

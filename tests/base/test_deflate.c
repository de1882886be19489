/* Compressed bytes are unpacked by another program, gzip, which also compares a checksum; bytes as text. Without gzip,
 * sizes and texts alone are looked at. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/base64.h"
#include "base/deflate.h"
#include "base/rng.h"
#include "check.h"

static char folder[] = "/tmp/test_deflate.XXXXXX";

static uint32_t checksum(const unsigned char *x, size_t n) /* of gzip, RFC 1952 */
{
  uint32_t c = ~0u;
  for (size_t i = 0; i < n; i++) {
    c ^= x[i];
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

static void put_32(FILE *f, uint32_t x)
{
  for (int i = 0; i < 4; i++)
    fputc((int)(x >> 8 * i & 255), f);
}

static int has_gzip(void)
{
  return system("gzip --version > /dev/null 2>&1") == 0;
}

/* Compresses, unpacks with gzip, compares. The compressed length. */
static size_t check_round_trip(const unsigned char *data, size_t n)
{
  struct arena *arena = arena_new();
  size_t length;
  const unsigned char *packed = deflate_bytes(arena, data, n, &length);
  CHECK(length <= n + n / 1000 + 64);
  if (has_gzip()) {
    char path[64], command[128];
    snprintf(path, sizeof path, "%s/x.gz", folder);
    FILE *f = fopen(path, "wb");
    fwrite("\x1f\x8b\x08\0\0\0\0\0\0\xff", 1, 10, f);
    fwrite(packed, 1, length, f);
    put_32(f, checksum(data, n));
    put_32(f, (uint32_t)n);
    fclose(f);
    snprintf(command, sizeof command, "gzip -dc %s", path);
    unsigned char *back = ARENA_NEW(arena, n + 2, unsigned char);
    FILE *in = popen(command, "r");
    size_t got = fread(back, 1, n + 1, in);
    CHECK_INT(pclose(in), 0);
    CHECK_INT((long)got, (long)n);
    CHECK(memcmp(back, data, n) == 0);
    remove(path);
  }
  arena_free(arena);
  return length;
}

static void test_sizes(void)
{
  struct rng rng = rng_stream(1, 1);
  size_t most = 300000;
  unsigned char *x = malloc(most);
  for (size_t n = 0; n < 12; n++) { /* the smallest, of one letter */
    memset(x, 'a', n);
    check_round_trip(x, n);
  }
  memset(x, 0, most); /* long matches */
  CHECK(check_round_trip(x, most) < 1000);
  for (size_t i = 0; i < most; i++) /* none at all: stored, in several blocks */
    x[i] = (unsigned char)rng_below(&rng, 256);
  check_round_trip(x, most);
  for (size_t i = 0; i < most; i++) /* few letters, of very different frequency: long words of codes */
    for (x[i] = 0; x[i] < 60 && rng_below(&rng, 2);)
      x[i]++;
  CHECK(check_round_trip(x, most) < most / 3);
  for (size_t i = 0; i < most; i++) /* matches at all distances up to the window and beyond */
    x[i] = (unsigned char)(i < 33000 ? rng_below(&rng, 256) : x[i - 1 - (size_t)rng_below(&rng, 2) * 32767]);
  check_round_trip(x, most);
  double value = 0; /* numbers of 8 bytes as in packages */
  for (size_t i = 0; i + 8 <= most; i += 8) {
    value += rng_below(&rng, 3) ? 0 : 0.25;
    memcpy(x + i, &value, 8);
  }
  CHECK(check_round_trip(x, most) < most / 6);
  free(x);
}

/* Counts that grow like Fibonacci's numbers want words of more than 15 bits. */
static void test_long_words(void)
{
  size_t n = 0, most = 120000;
  unsigned char *x = malloc(most);
  for (size_t a = 1, b = 1, c = 0; n + a < most; c++) {
    memset(x + n, (int)c, a);
    n += a;
    size_t next = a + b;
    a = b, b = next;
  }
  struct rng rng = rng_stream(2, 2);
  for (size_t i = n - 1; i > 0; i--) { /* shuffled, so that matches do not take the letters away */
    size_t k = (size_t)rng_below(&rng, (int)i + 1);
    unsigned char t = x[i];
    x[i] = x[k], x[k] = t;
  }
  check_round_trip(x, n);
  free(x);
}

static void test_base64(void)
{
  struct arena *arena = arena_new();
  CHECK_STR(base64_text(arena, "", 0), ""); /* RFC 4648, section 10 */
  CHECK_STR(base64_text(arena, "f", 1), "Zg==");
  CHECK_STR(base64_text(arena, "fo", 2), "Zm8=");
  CHECK_STR(base64_text(arena, "foo", 3), "Zm9v");
  CHECK_STR(base64_text(arena, "foob", 4), "Zm9vYg==");
  CHECK_STR(base64_text(arena, "\xff\xef\xbe", 3), "/+++");
  arena_free(arena);
}

int main(void)
{
  if (!mkdtemp(folder))
    return 99;
  test_sizes();
  test_long_words();
  test_base64();
  rmdir(folder);
  return test_finish();
}

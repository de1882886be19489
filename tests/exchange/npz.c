/* See npz.h. */
#include "exchange/npz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word(const unsigned char *b, int n)
{
  uint32_t x = 0;
  for (int i = 0; i < n; i++)
    x |= (uint32_t)b[i] << 8 * i;
  return x;
}

/* CRC-32 by its definition: the remainder of a polynomial, bit by bit, highest power first. */
static uint32_t remainder_of(const unsigned char *b, size_t n)
{
  uint32_t r = 0xffffffffu, turned = 0;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 8; k++) {
      uint32_t bit = (b[i] >> k & 1u) ^ r >> 31;
      r = r << 1 ^ (bit ? 0x04c11db7u : 0);
    }
  for (int k = 0; k < 32; k++)
    turned |= (~r >> k & 1u) << (31 - k);
  return turned;
}

static const char *copy(struct arena *arena, const unsigned char *from, size_t n)
{
  char *text = ARENA_NEW(arena, n + 1, char);
  memcpy(text, from, n);
  return text;
}

/* The text between two marks of the head. */
static const char *between(struct arena *arena, const char *head, const char *before, const char *after)
{
  const char *from = strstr(head, before), *to = from ? strstr(from + strlen(before), after) : NULL;
  from += from ? strlen(before) : 0;
  return to ? copy(arena, (const unsigned char *)from, (size_t)(to - from)) : "";
}

static const char *read_array(struct arena *arena, const unsigned char *b, size_t n, struct npz_array *a)
{
  size_t head = n < 10 ? 0 : 10 + word(b + 8, 2), count = 1, width;
  if (n < 10 || memcmp(b, "\x93NUMPY\x01", 8) != 0 || head > n || head % 64 || b[head - 1] != '\n')
    return "the head of an array is wrong";
  const char *words = copy(arena, b + 10, head - 10);
  a->type = between(arena, words, "'descr': '", "'");
  a->shape = arena_printf(arena, "(%s)", between(arena, words, "'shape': (", ")"));
  if (!strstr(words, "'fortran_order': False"))
    return "an array is not in C order";
  for (const char *at = a->shape + 1; *at && *at != ')'; at += strcspn(at, ",)"), at += strspn(at, ", "))
    count *= strtoul(at, NULL, 10);
  width = a->type[1] == 'U' ? 4 * strtoul(a->type + 2, NULL, 10) : strtoul(a->type + 2, NULL, 10);
  if (n - head != count * width)
    return "an array is too short or too long";
  a->data = b + head;
  a->n = a->type[1] == 'U' ? count * width / 4 : count;
  return NULL;
}

const struct npz *npz_read(struct arena *arena, const unsigned char *b, size_t n)
{
  struct npz *z = ARENA_NEW(arena, 1, struct npz);
  const unsigned char *end = n < 22 ? b : b + n - 22, *line = NULL;
  const char *fault = NULL;
  size_t count = n < 22 ? 0 : word(end + 10, 2), at = 0;
  if (n < 22 || word(end, 4) != 0x06054b50u || word(end + 16, 4) + word(end + 12, 4) != n - 22)
    fault = "the end of the archive is wrong";
  line = fault ? b : b + word(end + 16, 4);
  for (size_t i = 0; !fault && i < count; i++) {
    const unsigned char *file = b + at;
    size_t name = word(file + 26, 2), size = word(file + 22, 4);
    struct npz_array *a = &z->arrays[z->n++];
    if (word(file, 4) != 0x04034b50u || word(line, 4) != 0x02014b50u || word(line + 42, 4) != at)
      fault = "a record or the directory is wrong";
    else if (memcmp(file + 4, line + 6, 26) != 0 || memcmp(file + 30, line + 46, name) != 0 ||
             word(file + 18, 4) != size)
      fault = "the directory says other things than the record";
    else if (word(file + 14, 4) != remainder_of(file + 30 + name, size))
      fault = "a checksum is wrong";
    else if (name < 5 || memcmp(file + 30 + name - 4, ".npy", 4) != 0)
      fault = "a file is no .npy";
    else
      fault = read_array(arena, file + 30 + name, size, a);
    a->name = fault ? "" : copy(arena, file + 30, name - 4);
    at += 30 + name + size, line += 46 + name;
  }
  if (!fault && line != end)
    fault = "the directory is longer than it says";
  if (fault)
    fprintf(stderr, "npz: %s\n", fault);
  return fault ? NULL : z;
}

const struct npz_array *npz_find(const struct npz *z, const char *name)
{
  for (int i = 0; i < z->n; i++)
    if (strcmp(z->arrays[i].name, name) == 0)
      return &z->arrays[i];
  fprintf(stderr, "npz: no array '%s'\n", name);
  exit(1);
}

double npz_real(const struct npz *z, const char *name, size_t i)
{
  uint64_t bits = 0;
  double x;
  const unsigned char *b = npz_find(z, name)->data + 8 * i;
  for (int k = 8; k-- > 0;)
    bits = bits << 8 | b[k];
  memcpy(&x, &bits, sizeof x);
  return x;
}

int npz_int(const struct npz *z, const char *name, size_t i)
{
  const struct npz_array *a = npz_find(z, name);
  return a->type[1] == 'b' ? a->data[i] : (int)word(a->data + 4 * i, 4);
}

const char *npz_text(struct arena *arena, const struct npz *z, const char *name, size_t i)
{
  const struct npz_array *a = npz_find(z, name);
  size_t width = strtoul(a->type + 2, NULL, 10);
  char *text = ARENA_NEW(arena, width + 1, char);
  for (size_t k = 0; k < width; k++)
    text[k] = (char)word(a->data + 4 * (i * width + k), 4);
  return text;
}

/* Memory that is freed all at once: a list of blocks, each cut from its start. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT  64u         /* a cache line, and enough for any vector instruction                */
#define BLOCK_SIZE (64u << 10) /* of an ordinary block; what does not fit gets a block of its own    */

struct block {
  struct block *next;
  size_t used, size; /* bytes of the block, this header included */
};

struct arena {
  struct block *blocks; /* the first is the one being cut */
};

void arena_out_of_memory(void)
{
  abort();
}

static size_t round_up(size_t n) { return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static struct block *new_block(size_t size)
{
  struct block *b = aligned_alloc(ALIGNMENT, size);
  if (!b)
    arena_out_of_memory();
  b->next = NULL;
  b->used = round_up(sizeof *b);
  b->size = size;
  return b;
}

struct arena *arena_new(void)
{
  struct arena *a = calloc(1, sizeof *a);
  if (!a)
    arena_out_of_memory();
  return a;
}

void arena_free(struct arena *a)
{
  if (!a)
    return;
  for (struct block *b = a->blocks, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(a);
}

void arena_adopt(struct arena *whole, struct arena *part)
{
  struct block **end = &whole->blocks; /* behind those of whole, whose first goes on being cut */
  while (*end)
    end = &(*end)->next;
  *end = part->blocks;
  free(part);
}

/* A block with room for n bytes. A large one goes behind the first, so that the rest of the first is not wasted. */
static struct block *block_for(struct arena *a, size_t n)
{
  struct block *first = a->blocks;
  if (first && first->size - first->used >= n)
    return first;
  size_t least = round_up(sizeof(struct block)) + n;
  struct block *b = new_block(least > BLOCK_SIZE ? least : BLOCK_SIZE);
  if (first && least > BLOCK_SIZE) {
    b->next = first->next;
    first->next = b;
  } else {
    b->next = first;
    a->blocks = b;
  }
  return b;
}

void *arena_alloc(struct arena *a, size_t count, size_t size)
{
  if (size && count > (SIZE_MAX / 2 - BLOCK_SIZE) / size)
    arena_out_of_memory(); /* the product would overflow */
  size_t n = round_up(count * size);
  if (n == 0)
    n = ALIGNMENT; /* an empty array still has an address of its own */
  struct block *b = block_for(a, n);
  void *p = (char *)b + b->used;
  b->used += n;
  return memset(p, 0, n);
}

char *arena_strdup(struct arena *a, const char *text)
{
  size_t n = strlen(text) + 1;
  return memcpy(arena_alloc(a, n, 1), text, n);
}

char *arena_printf(struct arena *a, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0)
    abort(); /* only a format string that is itself wrong */
  char *text = arena_alloc(a, (size_t)n + 1, 1);
  vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  return text;
}

/* Memory that is freed all at once.
 *
 * A loader or a set-up function takes all it needs from an arena; whoever made the arena frees everything with one
 * call. Allocation never returns NULL: running out of memory ends the process, as it would on the stack. */
#ifndef MUYBRIDGE_ARENA_H
#define MUYBRIDGE_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* NULL is fine */

/* Frees part, but what lives in it lives on in whole, as if it had been taken from there. */
void arena_adopt(struct arena *whole, struct arena *part);

/* Ends the process. The one place where the library does: whoever allocates without an arena calls it too. */
_Noreturn void arena_out_of_memory(void);

/* Zeroed, aligned to 64 bytes. */
void *arena_alloc(struct arena *a, size_t count, size_t size);
char *arena_strdup(struct arena *a, const char *text);
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ARENA_NEW(arena, count, type) ((type *)arena_alloc((arena), (count), sizeof(type)))

#endif

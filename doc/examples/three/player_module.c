/* The player as a WebAssembly module that imports nothing, for player.mjs. To build it with clang, lld and wasi-libc:
 *
 *     clang --target=wasm32-wasi -O2 -nostartfiles -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all \
 *       -I ../../../src/player player_module.c ../../../src/player/muybridge-player*.c \
 *       ../../../src/stage/no_system.c -o player.wasm
 *
 * Arrays are handed out as addresses of the module's memory; they are valid until the next call. */
#include <stdint.h>
#include <stdlib.h>

#include "muybridge-player.h"

#define EXPORT(name) __attribute__((export_name(#name)))

struct creature {                 /* one that moves */
  struct muy_player player;
  struct muy_player_place *bones; /* (n_bones)      */
};

static char why[200];

EXPORT(memory_for) void *memory_for(int32_t n) { return malloc((size_t)n); }
EXPORT(release) void release(void *memory) { free(memory); }
EXPORT(why) const char *why_not(void) { return why; }

EXPORT(load) struct muy_player_controller *load(const void *bytes, int32_t n)
{
  return muy_player_load_memory(bytes, (size_t)n, why, sizeof why);
}

EXPORT(n_bones) int32_t n_bones(const struct muy_player_controller *c) { return c->n_bones; }
EXPORT(bone_name) const char *bone_name(const struct muy_player_controller *c, int32_t i) { return c->bones[i].name; }
EXPORT(bone_parent) int32_t bone_parent(const struct muy_player_controller *c, int32_t i) { return c->bones[i].parent; }
EXPORT(bone_solid) int32_t bone_solid(const struct muy_player_controller *c, int32_t i) { return c->bones[i].solid; }

/* centre, turn and size of its solid, one after the other (3 + 4 + 3) */
EXPORT(bone_shape) const double *bone_shape(const struct muy_player_controller *c, int32_t i)
{
  return c->bones[i].centre;
}

EXPORT(find) int32_t find(const struct muy_player_controller *c, const char *name) { return muy_player_find(c, name); }

EXPORT(create) struct creature *create(const struct muy_player_controller *c)
{
  struct creature *k = malloc(sizeof *k);
  struct muy_player_place *bones = malloc(sizeof *bones * (size_t)(c->n_bones + 1));
  if (!k || !bones) {
    free(k);
    free(bones);
    return NULL;
  }
  k->bones = bones;
  muy_player_init(&k->player, c);
  return k;
}

EXPORT(set) int32_t set(struct creature *k, int32_t i, double value) { return muy_player_set(&k->player, i, value); }
EXPORT(advance) int32_t advance(struct creature *k, double s) { return muy_player_advance(&k->player, s); }

/* Place and quaternion w, x, y, z of every limb (n_bones x 7). */
EXPORT(bones) const double *bones(struct creature *k)
{
  muy_player_bones(&k->player, k->bones);
  return k->bones[0].at;
}

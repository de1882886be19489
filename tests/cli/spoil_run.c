/* Spoils the newest controller of a run file: adds one whose first clip pushes the ground with half its forces. For
 * test_play.sh, which wants to see that `muybridge play` notices. Usage: spoil_run RUN */
#include <stdio.h>
#include <stdlib.h>

#include "player/muybridge-player.h"
#include "player/player_write.h"
#include "store/store.h"

static int spoil(struct arena *arena, struct store *s, struct diag *d)
{
  struct store_controller kept;
  char why[160] = "";
  if (!store_get_controller(arena, s, 0, &kept, d))
    return 0;
  struct muy_player_controller *p = muy_player_load_memory(kept.bytes, kept.n_bytes, why, sizeof why);
  if (!p)
    return 0;
  const struct muy_player_clip *clip = &p->clips[0];
  double *force = (double *)clip->force; /* ours, and about to be thrown away */
  for (int i = 0; i < clip->n_frames * p->n_points * 3; i++)
    force[i] *= 0.5;
  kept.bytes = muy_player_write_memory(p, &kept.n_bytes, why, sizeof why);
  int id = kept.bytes ? store_put_controller(s, &kept, d) : 0;
  free((void *)kept.bytes);
  muy_player_unload(p);
  return id > 0;
}

int main(int argc, char **argv)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = argc == 2 ? store_open(arena, argv[1], STORE_WRITE, &d) : NULL;
  int spoilt = s && spoil(arena, s, &d);
  store_close(s);
  diag_clear(&d);
  arena_free(arena);
  return spoilt ? 0 : 1;
}

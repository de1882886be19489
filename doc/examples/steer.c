/* Steers a controller around a square and prints its path. To build it, wherever the files are:
 *
 *     cc -I ../../src/player -o steer steer.c ../../src/player/muybridge-player*.c -lm
 *     ./steer horse.play
 *
 * or, with the installed library: cc steer.c $(pkg-config --cflags --libs muybridge-player) -lm -o steer */
#include <math.h>
#include <stdio.h>

#include "muybridge-player.h"

#define QUARTER 1.57079632679489661923 /* a quarter of a turn [rad] */
#define DOFS_MOST 1000

/* Four sides of six seconds; a line of the path every half second. 0 if this controller cannot be steered. */
static int steer(const struct muy_player_controller *c, FILE *out)
{
  double q[DOFS_MOST];
  struct muy_player p;
  int direction = muy_player_find(c, "direction"), lines = 0;
  if (direction < 0 || c->n_dofs > DOFS_MOST) return 0;

  muy_player_init(&p, c); /* at the origin, heading along x */
  fprintf(out, "# %s: time, x, y, heading, asked, gait\n", c->creature);
  while (muy_player_time(&p) < 24) {
    int side = (int)(muy_player_time(&p) / 6);
    muy_player_set(&p, direction, side * QUARTER); /* headings are in the world; the player knows its own */
    muy_player_advance(&p, 1. / 60);               /* a game's frame, whatever the controller's are        */
    if (muy_player_time(&p) * 2 < lines) continue;

    struct muy_player_features now = muy_player_features(&p);
    muy_player_pose(&p, q); /* all dofs, for the game to draw; here the root will do */
    fprintf(out, "%6.2f %8.3f %8.3f %7.1f %7.1f  %s\n", muy_player_time(&p), q[0], q[1], now.direction * 90 / QUARTER,
            remainder(side * 90, 360), c->gait_names[now.gait]);
    lines++;
  }
  return 1;
}

int main(int argc, char **argv)
{
  char why[200];
  struct muy_player_controller *c = argc == 2 ? muy_player_load(argv[1], why, sizeof why) : NULL;
  if (!c) {
    fprintf(stderr, "%s\n", argc == 2 ? why : "usage: steer FILE.play");
    return 1;
  }
  int steered = steer(c, stdout);
  if (!steered) fprintf(stderr, "%s has no parameter 'direction'\n", argv[1]);
  muy_player_unload(c);
  return steered ? 0 : 1;
}

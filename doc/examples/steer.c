/* Steers a controller around a square and prints its path. To build it, wherever the three files are:
 *
 *     cc -I ../../src/runtime -o steer steer.c ../../src/runtime/player.c -lm
 *     ./steer horse.play */
#include <math.h>
#include <stdio.h>

#include "player.h"

#define QUARTER 1.57079632679489661923 /* a quarter of a turn [rad] */
#define DOFS_MOST 1000

/* Four sides of six seconds; a line of the path every half second. 0 if this controller cannot be steered. */
static int steer(const struct player_controller *c, FILE *out)
{
  double q[DOFS_MOST];
  struct player p;
  int direction = player_find(c, "direction"), lines = 0;
  if (direction < 0 || c->n_dofs > DOFS_MOST) return 0;

  player_init(&p, c); /* at the origin, heading along x */
  fprintf(out, "# %s: time, x, y, heading, asked, gait\n", c->creature);
  while (player_time(&p) < 24) {
    int side = (int)(player_time(&p) / 6);
    player_set(&p, direction, side * QUARTER); /* headings are in the world; the player knows its own */
    player_advance(&p, 1. / 60);               /* a game's frame, whatever the controller's are        */
    if (player_time(&p) * 2 < lines) continue;

    struct player_features now = player_features(&p);
    player_pose(&p, q); /* all dofs, for the game to draw; here the root will do */
    fprintf(out, "%6.2f %8.3f %8.3f %7.1f %7.1f  %s\n", player_time(&p), q[0], q[1], now.direction * 90 / QUARTER,
            remainder(side * 90, 360), c->gait_names[now.gait]);
    lines++;
  }
  return 1;
}

int main(int argc, char **argv)
{
  char why[200];
  struct player_controller *c = argc == 2 ? player_load(argv[1], why, sizeof why) : NULL;
  if (!c) {
    fprintf(stderr, "%s\n", argc == 2 ? why : "usage: steer FILE.play");
    return 1;
  }
  int steered = steer(c, stdout);
  if (!steered) fprintf(stderr, "%s has no parameter 'direction'\n", argv[1]);
  player_unload(c);
  return steered ? 0 : 1;
}

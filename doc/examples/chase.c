/* A game loop: a creature chases a ball that rolls around, and all of its limbs are drawn, as one picture (SVG) seen
 * from above and from the side. To build it, wherever the files are:
 *
 *     cc -I ../../src/player -o chase chase.c ../../src/player/muybridge-player*.c -lm
 *     ./chase horse.play > chase.svg
 *
 * or, with the installed library: cc chase.c $(pkg-config --cflags --libs muybridge-player) -lm -o chase */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "muybridge-player.h"

#define PIXELS 100 /* of a metre */

struct game {
  const struct muy_player_controller *controller;
  struct muy_player player;
  struct muy_player_place *bones; /* where all limbs are now           (n_bones) */
  int direction;                  /* the parameter that the game asks            */
  double ball[2];                 /* [m]                                         */
};

/* Once in each frame of the screen. */
static void update(struct game *g, double time, double seconds)
{
  const double *root = g->bones[0].at;
  g->ball[0] = 4 * cos(0.1 * time), g->ball[1] = 4 * sin(0.1 * time);
  double heading = atan2(g->ball[1] - root[1], g->ball[0] - root[0]);
  muy_player_set(&g->player, g->direction, heading); /* in the world; the player knows where it looks */
  muy_player_advance(&g->player, seconds); /* whatever the rate of the controller's own frames */
  muy_player_bones(&g->player, g->bones);
}

/* The tip of a unit vector that a quaternion w, x, y, z turns: z of the solid, along which a capsule lies. */
static void turned_z(const double *t, double *out)
{
  out[0] = 2 * (t[1] * t[3] + t[0] * t[2]);
  out[1] = 2 * (t[2] * t[3] - t[0] * t[1]);
  out[2] = 1 - 2 * (t[1] * t[1] + t[2] * t[2]);
}

/* A vector of a bone's frame in the world: v + 2 w (u x v) + 2 u x (u x v). */
static void to_world(const struct muy_player_place *bone, const double *v, double *out)
{
  const double w = bone->turn[0], *u = bone->turn + 1;
  const double c[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double d[3] = {u[1] * c[2] - u[2] * c[1], u[2] * c[0] - u[0] * c[2], u[0] * c[1] - u[1] * c[0]};
  for (int k = 0; k < 3; k++)
    out[k] = bone->at[k] + v[k] + 2 * (w * c[k] + d[k]);
}

/* Every limb that has a shape as a thick line, from above (side = 0) or from the side. */
static void draw(const struct game *g, int side, FILE *out)
{
  for (int i = 0; i < g->controller->n_bones; i++) {
    const struct muy_player_bone *b = &g->controller->bones[i];
    double along[3], from[3], to[3], p[3], q[3], half = (b->size[2] - b->size[0]) / 2;
    if (b->solid == MUY_PLAYER_NO_SOLID) continue;
    turned_z(b->turn, along);
    for (int k = 0; k < 3; k++)
      from[k] = b->centre[k] - half * along[k], to[k] = b->centre[k] + half * along[k];
    to_world(&g->bones[i], from, p);
    to_world(&g->bones[i], to, q);
    int up = side ? 2 : 1;
    fprintf(out, "<path d='M%.1f %.1fL%.1f %.1f' stroke-width='%.1f'/>\n", PIXELS * p[0], -PIXELS * p[up],
            PIXELS * q[0], -PIXELS * q[up], PIXELS * b->size[0]);
  }
}

/* A minute; a picture every two seconds, those from the side below. 0: this controller cannot be steered or drawn. */
static int play(const struct muy_player_controller *c, FILE *out)
{
  struct game g = {.controller = c, .direction = muy_player_find(c, "direction")};
  if (g.direction < 0 || c->n_bones == 0) return 0;
  if (!(g.bones = calloc((size_t)c->n_bones, sizeof *g.bones))) return 0;
  muy_player_init(&g.player, c);
  muy_player_bones(&g.player, g.bones);
  fprintf(out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-500 -500 1000 1250' stroke='#654'"
               " stroke-linecap='round' stroke-opacity='0.6'>\n");
  for (int frame = 0; frame < 3600; frame++) {
    update(&g, frame / 60., 1. / 60);
    if (frame % 120) continue;
    draw(&g, 0, out);
    fprintf(out, "<circle cx='%.1f' cy='%.1f' r='6' fill='#c31'/>\n<g transform='translate(0 700)'>\n",
            PIXELS * g.ball[0], -PIXELS * g.ball[1]);
    draw(&g, 1, out);
    fprintf(out, "</g>\n");
  }
  fprintf(out, "</svg>\n");
  free(g.bones);
  return 1;
}

int main(int argc, char **argv)
{
  char why[200];
  struct muy_player_controller *c = argc == 2 ? muy_player_load(argv[1], why, sizeof why) : NULL;
  if (!c) {
    fprintf(stderr, "%s\n", argc == 2 ? why : "usage: chase FILE.play > PICTURE.svg");
    return 1;
  }
  int played = play(c, stdout);
  if (!played) fprintf(stderr, "%s has no parameter 'direction', or no bones\n", argv[1]);
  muy_player_unload(c);
  return played ? 0 : 1;
}

/* Writes the turtle's controller into a file, and prints what examples in other languages must print too: where its
 * bones are after a hundred frames of a screen, when it was asked to go to the left. */
#include <stdio.h>

#include "turtle.h"

int main(int argc, char **argv)
{
  static struct turtle t;
  struct muy_player p;
  struct muy_player_place bones[BONES];
  char why[200] = "";
  turtle_make(&t);
  if (argc != 2 || !muy_player_write(argv[1], &t.c, why, sizeof why))
    return fprintf(stderr, "%s\n", argc == 2 ? why : "usage: write_turtle FILE"), 1;
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&p, c);
  muy_player_set(&p, muy_player_find(c, "direction"), 2);
  for (int i = 0; i < 100; i++)
    muy_player_advance(&p, 1. / 60);
  muy_player_bones(&p, bones);
  for (int i = 0; i < c->n_bones; i++) {
    printf("%s %s", c->bones[i].name, i == 0 ? "none" : c->bones[c->bones[i].parent].name);
    for (int k = 0; k < 7; k++)
      printf(" %.9f", k < 3 ? bones[i].at[k] : bones[i].turn[k - 3]);
    putchar('\n');
  }
  muy_player_unload(c);
  return 0;
}

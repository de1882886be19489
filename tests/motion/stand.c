/* A table that stands. */
#include "motion/stand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct creature *stand_parse(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "test.creature", text, strlen(text), &d);
  char *messages = diag_text(&d);
  fputs(messages, stderr);
  free(messages);
  diag_clear(&d);
  if (!c)
    exit(99); /* a test that is wrong itself */
  return c;
}

/* Four legs of 0.5 m straight under their hips, 12 kg, centre of mass in the middle: each leg carries a quarter, and
 * no hip needs a torque. */
static const char table_text[] =
  "name = table  friction = 0.5\n"
  "limb top   { from = {-0.5, 0, 0}  to = {0.5, 0, 0}  shape = box  size = {0.6, 0.1}  mass = 10 }\n"
  "limb front { parent = top  mirror = true  at = {0.4, 0.25, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 0.5\n"
  "             axis swing { about = -y  range = {-30, 30}  torque = 5 } }\n"
  "limb hind  { parent = top  like = front  at = {-0.4, 0.25, 0} }\n"
  "foot fore  { limb = front }\n"
  "foot rear  { limb = hind }\n";

double *stand_force(const struct clip *clip, int k, int point)
{
  return clip->force + 3 * (k * clip->n_points + point);
}

struct stand stand_new_of(const char *text, int n_frames, int cyclic)
{
  struct arena *arena = arena_new();
  const struct creature *c = stand_parse(arena, text);
  struct stand s = {arena, c, clip_new(arena, c, n_frames, 0.03), c->mass * CREATURE_GRAVITY};
  s.clip->cyclic = cyclic;
  for (int k = 0; k < n_frames; k++) {
    creature_rest_pose(s.c, s.clip->q + k * s.c->n_dofs);
    for (int i = 0; i < 4; i++) {
      s.clip->contact[k * c->n_points + i] = 1;
      stand_force(s.clip, k, i)[2] = s.weight / 4;
    }
  }
  return s;
}

struct stand stand_new(int cyclic)
{
  return stand_new_of(table_text, STAND_FRAMES, cyclic);
}

double *stand_angle(const struct stand *s, int k, const char *dof)
{
  return s->clip->q + k * s->c->n_dofs + creature_find_dof(s->c, dof);
}

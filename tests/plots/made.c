/* See made.h. */
#include "plots/made.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

const char made_walker[] =
    "name = \"walker\" summary = \"a body on two legs with feet\" friction = 0.7\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb head  { parent = body  from = {0.1, 0, 0.1}  to = {0.2, 0, 0.2}  shape = ellipsoid  size = {0.1, 0.12}\n"
    "             mass = 1  axis nod { about = y  range = {-30, 30} } }\n"
    "limb arm   { parent = body  mirror = true  at = {0.2, 0.1, 0}  to = {0, 0, -0.2}  radius = 0.02  mass = 0.5\n"
    "             axis swing { about = -y  range = {-90, 90} } }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  range = {-40, 60}  rest = 25  torque = 60 }\n"
    "             axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  range = {0, 90}  rest = 50 } }\n"
    "foot paw   { limb = shank  point heel { at = {-0.05, 0, -0.33} }  point toe { at = {0.05, 0, -0.33} } }\n"
    "gait walk  { period = 0.8  speed = {0.2, 1}  contact paw.heel { on = {0, 0.5} }\n"
    "             contact paw.toe { on = {0.1, 0.6} } }\n";

const struct creature *made_creature(struct arena *arena, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "test.creature", text, strlen(text), &d);
  char *messages = diag_text(&d);
  if (!c) fputs(messages, stderr);
  free(messages);
  diag_clear(&d);
  return c;
}

struct clip *made_clip(struct arena *arena, const struct creature *c, const struct made *m)
{
  struct clip *clip = clip_new(arena, c, m->frames, 0.02);
  double pi = acos(-1.0), step = 0.03 * fabs(c->height);
  clip->name = m->cyclic ? "walk" : "walk-turn";
  clip->gait = clip->gait_after = "walk";
  clip->cyclic = m->cyclic;
  clip->turn = m->turn;
  if (m->cyclic) clip->advance = (struct clip_advance){step * m->frames, 0.0, m->turn};
  for (int k = 0; k < m->frames; k++) {
    double phase = (k + 0.5) / m->frames, yaw = m->turn * k / (m->frames - 1);
    double *q = clip->q + (size_t)k * (size_t)c->n_dofs;
    creature_rest_pose(c, q);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) q[i] += 0.2 * sin(2.0 * pi * phase + i);
    q[0] = fabs(m->turn) > 0.0 ? step * m->frames / m->turn * sin(yaw) : step * k;
    q[1] = fabs(m->turn) > 0.0 ? step * m->frames / m->turn * (1.0 - cos(yaw)) : 0.0;
    q[3] = m->cyclic ? 0.0 : yaw;
    for (int p = 0; p < c->n_points; p++) {
      size_t at = (size_t)k * (size_t)c->n_points + (size_t)p;
      clip->contact[at] = (unsigned char)(c->n_gaits ? gait_contact(&c->gaits[0], p, phase) : p % 2);
      if (!clip->contact[at]) continue;
      clip->force[3 * at] = 0.1 * c->mass * CREATURE_GRAVITY * cos(2.0 * pi * phase);
      clip->force[3 * at + 2] = 0.5 * c->mass * CREATURE_GRAVITY;
    }
  }
  return clip;
}

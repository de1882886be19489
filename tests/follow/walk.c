#include "follow/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/spacetime.h"
#include "zoo.h"

int walk_make(struct arena *arena, int turn, struct walk *w)
{
  struct spacetime_options o;
  struct spacetime_report report;
  memset(w, 0, sizeof *w);
  w->creature = zoo_find(arena, "biped");
  spacetime_defaults(&o);
  struct gait_request r = {.c = w->creature, .gait = 0, .speed = 0.6, .frames = 62};
  w->clips[0] = (struct graph_clip){1, w->creature ? spacetime_gait(arena, &r, &o, &report) : NULL, NULL};
  if (w->clips[0].clip && turn) {
    struct transition_request t = {.c = w->creature, .from = w->clips[0].clip, .to = w->clips[0].clip, .from_frame = 7,
                                   .to_frame = 7,
                                   .from_id = 1, .to_id = 1, .turn = 0.5, .frames = 64};
    w->clips[1] = (struct graph_clip){2, spacetime_transition(arena, &t, &o, &report), NULL};
  }
  w->in = (struct graph_input){.creature = w->creature, .file = "walk", .n_clips = 1 + turn, .clips = w->clips};
  if (w->clips[0].clip && (!turn || w->clips[1].clip))
    return 1;
  fprintf(stderr, "no walk: %s\n", report.reason);
  return 0;
}

const struct clip *walk_of(struct arena *arena, const struct creature *c)
{
  struct spacetime_options o;
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  spacetime_defaults(&o);
  struct gait_request request = {.c = c, .speed = c ? 0.5 * (c->gaits[0].speed_min + c->gaits[0].speed_max) : 0};
  const struct clip *clip = c ? spacetime_gait(arena, &request, &o, report) : NULL;
  if (!clip)
    fprintf(stderr, "no walk: %s\n", c ? report->reason : "no creature");
  return clip;
}

const struct creature *walk_elastic(struct arena *arena, const struct creature *biped)
{
  static const char *const dofs[2][2] = {{"left_thigh.flexion", "left_shank.flexion"},
                                         {"right_thigh.flexion", "right_shank.flexion"}};
  struct creature *c = ARENA_NEW(arena, 1, struct creature);
  struct tissue *t = ARENA_NEW(arena, 4, struct tissue);
  double unit = biped->mass * CREATURE_GRAVITY * biped->height, time = sqrt(biped->height / CREATURE_GRAVITY);
  for (int i = 0; i < 2; i++) {
    int thigh = creature_find_dof(biped, dofs[i][0]), shank = creature_find_dof(biped, dofs[i][1]);
    t[i] = (struct tissue){.name = "patella", .n_dofs = 1, .dof = {shank, shank}, .mirror = !i, .one_sided = 1,
                           .arm = {1, 0}, .slack = 0.4, .toe = 0.1, .stiffness = 2 * unit,
                           .damping = 0.02 * unit * time};
    t[2 + i] = (struct tissue){.name = "hamstring", .n_dofs = 2, .dof = {thigh, shank}, .mirror = 2 + !i,
                               .arm = {1, -0.5}, .stiffness = 0.3 * unit};
  }
  *c = *biped;
  c->n_tissues = 4;
  c->tissues = t;
  return c;
}

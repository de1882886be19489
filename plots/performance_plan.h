/* A performance from above: the way of the root, bodies and footprints along it, and what was asked where. */
#ifndef MUYBRIDGE_PLOTS_PERFORMANCE_PLAN_H
#define MUYBRIDGE_PLOTS_PERFORMANCE_PLAN_H

#include "plots/creature_view.h"
#include "plots/kit.h"
#include "policy/performance.h"

/* Something new is asked: by a script, or because the task's own user jumps. */
struct plan_command { int frame, parameter; double asked; };

struct performance_plan {
  struct canvas *cv;
  const struct performance *p;
  struct theme theme;
  int n_commands;
  int n_all, n_shown;           /* all commands of one frame as one; with numbers if they are few, else none is      */
  struct plan_command *commands;
  struct figure *figure;
  struct camera camera;
  int n_bodies, *bodies;        /* frames in which it is drawn                                        (n_bodies)     */
  struct rect extent;           /* u, v [m]                                                                          */
  double height;                /* of the picture [points]                                                           */
};
#define PLAN_COMMANDS 40        /* that are marked, at most */

/* Measures all of it for a picture of this width. */
struct performance_plan performance_plan_new(struct canvas *cv, const struct performance *p, double width);
void performance_plan_draw(struct performance_plan *plan, struct rect area);

/* What asked commands look like, here and over time. */
struct colour performance_asked_colour(void);

#endif

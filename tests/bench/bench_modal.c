/* Steps per second of modal control on one core, in its own dynamics, and what that is of the paper's 4 to 10: make
 * bench. */
#include <stdio.h>

#include "modal/run.h"
#include "follow/walk.h"
#include "zoo.h"

#define PAPER 10.0              /* frames per second of a human's walk, the better of its two numbers */

static void bench(const char *name, int window, int paper)
{
  struct arena *arena = arena_new();
  struct modal_run_options o;
  struct diag d;
  const struct creature *c = zoo_find(arena, name);
  diag_init(&d);
  const struct clip *clip = walk_of(arena, c);
  modal_run_defaults(c, &o);
  o.control.window = window;
  if (paper) { /* no edits, no footholds: what the paper's own algorithm does */
    o.control.footholds = o.control.follow = 0;
    o.control.stand = 0;
    o.control.hold = 1;
    o.seconds = 1.5;
  }
  const struct modal_run *r = clip ? modal_run(arena, c, clip, &o, &d) : NULL;
  if (r)
    printf("%-8s window %2d%s  %7.0f steps per second, %6.1f of the paper's %g; %5.2f times real time%s\n", name,
           window,
           paper ? ", plain" : "       ", r->n / r->seconds_control, r->n / r->seconds_control / PAPER, PAPER,
           r->n * r->dt / r->seconds_control, r->success ? "" : " (it fell)");
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  static const char *const names[] = {"human", "biped", "triped", "horse"};
  for (int i = 0; i < 4; i++)
    for (int paper = 0; paper < 2; paper++)
      bench(names[i], 12, paper);
  bench("human", 10, 0);
  bench("human", 15, 0);
  return 0;
}

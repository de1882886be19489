/* How long the optimizer takes: gaits of creatures of several sizes from nothing, a neighbour from a solved one, and
 * what exact second derivatives are worth. Processor seconds of one core, medians over the gaits and three speeds of
 * each creature; ratios in the same run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spacetime/spacetime.h"
#include "zoo.h"

enum { MAX_SOLVES = 64 };

struct times {
  int n;
  double cold[MAX_SOLVES], searched[MAX_SOLVES], warm[MAX_SOLVES], evaluating[MAX_SOLVES], hessian[MAX_SOLVES];
};

static int by_value(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const double *x, int n)
{
  double sorted[MAX_SOLVES];
  memcpy(sorted, x, (size_t)n * sizeof *x);
  qsort(sorted, (size_t)n, sizeof *sorted, by_value);
  return n ? sorted[n / 2] : NAN;
}

static int even(double n)
{
  return 2 * (int)lround(n / 2);
}

static void measure(const struct creature *c, int gait, double speed, struct times *t)
{
  static struct spacetime_report report;
  struct arena *arena = arena_new();
  struct spacetime_options o;
  struct gait_request r = {.c = c, .gait = gait, .speed = speed};
  r.frames = even(gait_period(&c->gaits[gait], speed) * c->frame_rate);
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(arena, &r, &o, &report);
  if (clip && t->n < MAX_SOLVES) {
    t->cold[t->n] = report.seconds;
    t->evaluating[t->n] = report.seconds_evaluating - report.seconds_hessian;
    t->hessian[t->n] = report.seconds_hessian;
    r.near = clip;
    r.speed *= 1.03;
    spacetime_gait(arena, &r, &o, &report);
    t->warm[t->n] = report.seconds;
    r = (struct gait_request){.c = c, .gait = gait, .speed = speed};
    spacetime_gait(arena, &r, &o, &report);
    t->searched[t->n++] = report.seconds;
  }
  arena_free(arena);
}

/* The same problem with limited-memory BFGS; NaN when it does not get there in 500 iterations. */
static double bfgs_ratio(const struct creature *c)
{
  static struct spacetime_report exact, bfgs;
  struct arena *arena = arena_new();
  struct spacetime_options o;
  const struct gait *g = &c->gaits[0];
  struct gait_request r = {.c = c, .speed = 0.5 * (g->speed_min + g->speed_max)};
  r.frames = even(gait_period(g, r.speed) * c->frame_rate);
  spacetime_defaults(&o);
  o.max_iterations = 500;
  struct clip *a = spacetime_gait(arena, &r, &o, &exact);
  o.limited_memory = 1;
  struct clip *b = spacetime_gait(arena, &r, &o, &bfgs);
  printf("%-10s %-10s exact: %3d iterations %6.2f s;  BFGS: %3d iterations %6.2f s, %s\n", c->name, g->name,
         exact.nlp.iterations, exact.seconds, bfgs.nlp.iterations, bfgs.seconds, b ? "solved" : "not solved");
  arena_free(arena);
  return a && b ? bfgs.seconds / exact.seconds : NAN;
}

int main(void)
{
  static const char *const race[] = {"biped", "strider", "triped", "hyq", "horse", "human", "dog", "centipede"};
  printf("one cycle of a gait from the rest pose, processor seconds of one core, median over gaits and three speeds\n");
  printf("%-10s %5s %7s  %8s  %10s %10s %10s  %10s  %10s\n", "creature", "dofs", "solves", "one", "derivatives",
         "hessian", "the rest",
         "neighbour", "with tempo");
  for (size_t k = 0; k < sizeof race / sizeof *race; k++)
    for (int i = 0; i < zoo_size(); i++) {
      if (strcmp(zoo_name(i), race[k]) != 0)
        continue;
      struct arena *arena = arena_new();
      static struct times t;
      const struct creature *c = zoo_load(arena, i);
      t.n = 0;
      for (int g = 0; c && g < c->n_gaits; g++)
        for (int s = 0; s < 3; s++)
          measure(c, g, c->gaits[g].speed_min + 0.5 * s * (c->gaits[g].speed_max - c->gaits[g].speed_min), &t);
      double one = median(t.cold, t.n), derivatives = median(t.evaluating, t.n), hessian = median(t.hessian, t.n);
      printf("%-10s %5d %7d  %8.3f  %10.3f %10.3f %10.3f  %10.3f  %10.3f\n", race[k], c->n_dofs, t.n, one, derivatives,
             hessian,
             one - derivatives - hessian, median(t.warm, t.n), median(t.searched, t.n));
      fflush(stdout);
      arena_free(arena);
    }
  printf("\nexact second derivatives against limited-memory BFGS, the first gait at its middle speed\n");
  for (int i = 0; i < zoo_size(); i++)
    if (strcmp(zoo_name(i), "biped") == 0 || strcmp(zoo_name(i), "hyq") == 0 || strcmp(zoo_name(i), "horse") == 0) {
      struct arena *arena = arena_new();
      const struct creature *c = zoo_load(arena, i);
      if (c)
        printf("           ratio %.1f\n", bfgs_ratio(c));
      arena_free(arena);
    }
  printf("\nFor reference, measured on ANOTHER machine: Crocoddyl, HyQ, 1.08 s of walking with footholds and schedule "
         "given: 0.146-0.212 s;\n"
         "TOWR, a trot of one rigid body without cost: 0.6-0.8 s.\n");
  return 0;
}

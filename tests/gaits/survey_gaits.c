/* The search for gaits against nature, for make check-long: of some creatures, from limbs and feet alone, which gaits
 * are found in which order, where the first gives way to the second, and how long feet stand. Two to five minutes. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "gaits/gaits.h"
#include "zoo.h"

struct expectation {
  const char *creature;
  double from, until;            /* [m/s]                                                            */
  const char *slow, *fast;       /* names of the first gait and of one that follows                  */
  double change[2];              /* least and most speed at which the first gives way [m/s]          */
  double duty[2], lag[2];        /* of the first                                                     */
  double natural[2];             /* at which speed effort per distance is least; 0: not looked at    */
};

/* Changes: Griffin 2004 (horse), Alexander 1989 (human); natural: the speed at which they walk by themselves, within a
 * quarter. */
static const struct expectation expectations[] = {
    {"biped", 0.3, 3, "walk", "run", {1.0, 2.0}, {0.5, 0.7}, {0, 0}, {0, 0}},
    {"human", 0.7, 3.5, "walk", "run", {1.7, 2.3}, {0.58, 0.68}, {0, 0}, {1.0, 1.65}},
    {"horse", 1, 12, "walk", "trot", {1.7, 2.4}, {0.54, 0.68}, {0.14, 0.31}, {1.05, 1.75}},
    {"hexapod", 0.015, 0.35, NULL, "tripod", {0, 0}, {0.6, 0.9}, {0, 1}, {0, 0}},
};

/* Where its effort per distance is least. */
static double cheapest_speed(const struct gaits_result *r, int gait)
{
  int best = -1;
  for (int s = 0; s < r->n_speeds; s++)
    if (r->speeds[s].gait == gait && (best < 0 || r->trials[r->speeds[s].trial].effort.transport <
                                                      r->trials[r->speeds[best].trial].effort.transport))
      best = s;
  return best < 0 ? NAN : r->speeds[best].speed;
}

static void check_creature(struct arena *arena, const struct expectation *e)
{
  struct gaits_options o;
  struct diag d;
  int n, found_fast = 0;
  const struct creature *c = zoo_find(arena, e->creature);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  diag_init(&d);
  gaits_defaults(&o);
  o.fine = GAITS_FINE_NONE;
  o.workers = processors > 1 ? (int)processors : 1;
  const double *speeds = gaits_speeds(arena, c, e->from, e->until, &n);
  const struct gaits_result *r = gaits_find(arena, c, speeds, n, &o, &d);
  CHECK(r && r->n_gaits > 1);
  diag_clear(&d);
  if (!r || r->n_gaits < 2)
    return;
  const struct pattern *p = &r->gaits[0].pattern;
  for (int i = 0; i < r->n_gaits; i++) {
    printf("%-9s %-16s %6.3g to %-6.3g m/s  duty %.2f  lag %.2f  period %.3g s\n", e->creature, r->gaits[i].name,
           r->creature->gaits[i].speed_min, r->creature->gaits[i].speed_max,
           0.5 * (r->gaits[i].pattern.duty_hind + r->gaits[i].pattern.duty_fore), r->gaits[i].pattern.lag,
           r->gaits[i].pattern.period);
    found_fast |= i && !strcmp(r->gaits[i].name, e->fast);
  }
  if (e->slow)
    CHECK_STR(r->gaits[0].name, e->slow);
  CHECK(found_fast);
  double duty = 0.5 * (p->duty_hind + p->duty_fore), least = cheapest_speed(r, 0);
  CHECK(duty >= e->duty[0] && duty <= e->duty[1]);
  CHECK(p->lag >= e->lag[0] && p->lag <= e->lag[1]);
  if (e->change[1] > 0)
    CHECK(r->n_changes > 0 && r->changes[0].speed >= e->change[0] && r->changes[0].speed <= e->change[1]);
  if (e->natural[1] > 0)
    CHECK(least >= e->natural[0] && least <= e->natural[1]);
  printf("%-9s %.0f s of processor time\n", e->creature, r->seconds);
  fflush(stdout);
}

int main(int argc, char **argv)
{
  struct arena *arena = arena_new();
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++)
    if (argc < 2 || !strcmp(argv[1], expectations[i].creature))
      check_creature(arena, &expectations[i]);
  arena_free(arena);
  return test_finish();
}

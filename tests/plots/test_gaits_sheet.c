/* The page of a search for gaits, of made-up costs: texts on the page and apart, the same bytes twice, nothing to draw
 * without a gait. */
#include <stdlib.h>

#include "check.h"
#include "plots/gaits_sheet.h"
#include "plots/page.h"
#include "zoo.h"

#define SPEEDS 6
#define TRIALS (SPEEDS * 32)

/* Trots and walks of any body with two rows or more, the former cheaper from the fourth speed on; some not solved. */
static struct gaits_result *made_up(struct arena *arena, const char *name)
{
  const struct creature *c = zoo_find(arena, name);
  struct gaits_result *r = ARENA_NEW(arena, 1, struct gaits_result);
  *r = (struct gaits_result){.legs = legs_of(arena, c), .n_speeds = SPEEDS, .n_trials = TRIALS, .n_gaits = 2,
                             .n_changes = 1, .speeds = ARENA_NEW(arena, SPEEDS, struct gaits_speed),
                             .trials = ARENA_NEW(arena, TRIALS, struct gaits_trial),
                             .gaits = ARENA_NEW(arena, 2, struct gaits_gait),
                             .changes = ARENA_NEW(arena, 1, struct gaits_change)};
  for (int i = 0; i < TRIALS; i++) {
    struct gaits_trial *t = &r->trials[i];
    t->speed = i / 32;
    t->pattern = (struct pattern){.family = PATTERN_ALTERNATE, .duty_hind = 0.3 + 0.1 * (i % 4), .lag = i / 4 % 8 / 8.0,
                                  .heel_off = 1, .period = 1};
    t->pattern.duty_fore = t->pattern.duty_hind;
    t->name = pattern_name(r->legs, &t->pattern);
    t->solved = i % 7 != 3;
    t->effort.transport = 0.05 + 0.01 * fabs(t->pattern.duty_hind - 0.65 + 0.06 * t->speed) +
                          0.02 * fabs(t->pattern.lag - (t->speed < 3 ? 0.25 : 0.5));
  }
  struct gait *gaits = ARENA_NEW(arena, 2, struct gait);
  for (int s = 0; s < SPEEDS; s++) {
    r->speeds[s].speed = 0.5 * (s + 1);
    r->speeds[s].best = r->speeds[s].trial = gaits_best_of(r, s, NULL);
    r->speeds[s].gait = s >= 3;
  }
  for (int g = 0; g < 2; g++) {
    const struct gaits_trial *t = &r->trials[r->speeds[3 * g + 1].trial];
    struct footfall f;
    pattern_footfall(r->legs, &t->pattern, &f);
    r->gaits[g] = (struct gaits_gait){t->name.key, t->name.words, 3 * g, 3 * g + 2, t->pattern};
    gaits[g] = footfall_gait(arena, c, r->legs, &f, t->name.key, 1);
  }
  r->changes[0] = (struct gaits_change){1.73, 0, 1};
  r->creature = footfall_creature(arena, c, gaits, 2);
  return r;
}

int main(void)
{
  static const char *const names[] = {"horse", "hexapod", "biped"};
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  for (int i = 0; i < 3; i++) {
    struct gaits_result *r = made_up(arena, names[i]);
    check_page(names[i], gaits_sheet_draw(r, "x.png", &d), 20, 0.05);
    CHECK_INT(d.n_errors, 0);
    r->n_changes = 0, r->n_gaits = 1, r->n_speeds = 1;
    check_page("one speed", gaits_sheet_draw(r, "x.png", &d), 12, 0.03);
    r->n_gaits = 0;
    CHECK(!gaits_sheet_draw(r, "x.png", &d));
    CHECK_INT(d.n_errors, 1);
    diag_clear(&d);
    diag_init(&d);
  }
  if (getenv("GAITS_SHEET")) /* to look at */
    plot_gaits_sheet(made_up(arena, "horse"), getenv("GAITS_SHEET"), &d);
  diag_clear(&d);
  arena_free(arena);
  return test_finish();
}

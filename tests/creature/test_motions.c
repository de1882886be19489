/* Gaits that are built in: what every creature with feet on the ground has without a word in its file. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "creature/creature_bytes.h"
#include "zoo.h"

static const struct gait *find(const struct creature *c, const char *name)
{
  int g = creature_find_gait(c, name);
  return g < 0 ? NULL : &c->gaits[g];
}

/* Points on the ground at a phase. */
static int standing(const struct creature *c, const struct gait *g, double phase)
{
  int n = 0;
  for (int p = 0; p < c->n_points; p++)
    n += gait_contact(g, p, phase);
  return n;
}

static int leg_touches(const struct creature *c, const struct gait *g, int leg, double phase)
{
  int on = 0;
  for (int p = 0; p < c->n_points; p++)
    if (c->feet[c->points[p].foot].first_leg_limb == leg)
      on |= gait_contact(g, p, phase);
  return on;
}

/* It stands on all that stepping uses; each leg steps once in a cycle, and never are all in the air. */
static void check_steps(const struct creature *c, const struct gait *stand, const struct gait *step)
{
  enum { N = 240 };
  for (int f = 0; f < c->n_feet; f++) {
    int leg = c->feet[f].first_leg_limb, lifts = 0, on = 0;
    if (!leg_touches(c, stand, leg, 0))
      continue;
    for (int k = 0; k < N; k++) {
      int now = leg_touches(c, step, leg, (k + 0.5) / N);
      on += now;
      lifts += now && !leg_touches(c, step, leg, (k + 1.5) / N);
    }
    CHECK_INT(lifts, 1);
    CHECK(on > N / 2);
  }
  for (int k = 0; k < N; k++) {
    CHECK(standing(c, step, (k + 0.5) / N) > 0);
    for (int p = 0; p < c->n_points; p++) /* feet are flat: heel and ball come and go together */
      if (gait_contact(stand, p, 0))
        CHECK_INT(gait_contact(step, p, (k + 0.5) / N),
                  leg_touches(c, step, c->feet[c->points[p].foot].first_leg_limb, (k + 0.5) / N));
  }
}

static void put_creature(struct bytes_writer *w, const void *what)
{
  creature_put(w, what);
}

static void check_creature(struct arena *arena, const struct creature *c)
{
  const struct gait *stand = find(c, CREATURE_STAND), *step = find(c, CREATURE_STEP), *back = find(c, "back"),
                    *side = find(c, "side");
  CHECK(stand && step && back && side);
  if (!stand || !step || !back || !side)
    return;
  CHECK_INT(c->n_motions, c->n_gaits + 4);
  CHECK(creature_find_gait(c, CREATURE_STAND) >= c->n_gaits);
  CHECK(gait_is_still(c, stand) && !gait_is_still(c, step) && !gait_is_still(c, back));
  for (int g = 0; g < c->n_gaits; g++)
    CHECK(!gait_is_still(c, &c->gaits[g]) && c->gaits[g].strafe == 0);
  CHECK(standing(c, stand, 0.3) >= 2);
  CHECK(stand->speed_max == 0 && step->speed_max == 0);
  CHECK(back->speed_max > 0 && back->speed_min < back->speed_max && side->speed_max <= back->speed_max);
  CHECK_NEAR(cos(back->strafe), -1, 1e-12);
  CHECK_NEAR(sin(side->strafe), 1, 1e-12);
  check_steps(c, stand, step);

  size_t n; /* they are not written, and are there again */
  struct bytes_reader r = {.at = bytes_pack(arena, put_creature, c, &n), .arena = arena};
  r.left = n;
  const struct creature *again = creature_get(&r);
  CHECK(again && again->n_motions == c->n_motions && again->n_gaits == c->n_gaits);
  for (int p = 0; again && p < c->n_points; p++)
    for (int k = 0; k < 50; k++)
      CHECK(gait_contact(find(again, CREATURE_STEP), p, k / 50.0) == gait_contact(step, p, k / 50.0));
}

static const struct creature *parse(struct arena *arena, const char *gaits)
{
  struct diag d;
  diag_init(&d);
  const char *text = arena_printf(arena,
                                  "limb trunk { from = {-0.4, 0, 0}  to = {0.4, 0, 0}  radius = 0.1  mass = 20 }\n"
                                  "limb fore { mirror = true  parent = trunk  at = {0.3, 0.1, 0}  from = {0, 0, 0}\n"
                                  "  to = {0, 0, -0.6}  radius = 0.03  mass = 1  axis flexion { about = -y\n"
                                  "  range = {-60, 60} } }\n"
                                  "limb hind { mirror = true  parent = trunk  at = {-0.3, 0.1, 0}  from = {0, 0, 0}\n"
                                  "  to = {0, 0, -0.6}  radius = 0.03  mass = 1  axis flexion { about = -y\n"
                                  "  range = {-60, 60} } }\n"
                                  "foot paw { limb = fore }\nfoot hoof { limb = hind }\n%s",
                                  gaits);
  const struct creature *c = creature_parse(arena, "cat", text, strlen(text), &d);
  char *said = diag_text(&d);
  if (!c)
    fprintf(stderr, "%s", said);
  free(said);
  diag_clear(&d);
  return c;
}

/* Without a gait in the file, it steps with one leg at a time: left hind, left fore, right hind, right fore. */
static void check_order(struct arena *arena)
{
  const struct creature *c = parse(arena, "");
  CHECK(c != NULL);
  if (!c)
    return;
  const struct gait *step = find(c, CREATURE_STEP);
  CHECK_INT(c->n_gaits, 0);
  static const char *const order[] = {"left_hoof", "left_paw", "right_hoof", "right_paw"};
  for (int i = 0; i < 4; i++)
    for (int p = 0; p < c->n_points; p++)
      if (strcmp(c->points[p].name, order[i]) == 0)
        CHECK_NEAR(step->on[p][0].from, 0.25 * i, 1e-12);
  for (int k = 0; k < 100; k++)
    CHECK(standing(c, step, (k + 0.5) / 100) >= 3);
}

/* A gait of the file's own stays what it is; one that leaves the ground is none to step in. */
static void check_file_comes_first(struct arena *arena)
{
  const struct creature *c = parse(arena, "gait stand { period = 0.5  speed = {1, 2}  right_lag = 0\n"
                                          "  contact paw { on = {0, 0.4} } contact hoof { on = {0.5, 0.9} } }\n");
  CHECK(c != NULL);
  if (!c)
    return;
  CHECK_INT(creature_find_gait(c, "stand"), 0);
  CHECK_INT(c->n_motions, c->n_gaits + 3);
  CHECK(find(c, "stand")->speed_max == 2);
  CHECK_NEAR(gait_duty(find(c, CREATURE_STEP), 0), 0.75, 1e-12);
}

int main(void)
{
  struct arena *arena = arena_new();
  for (int i = 0; i < zoo_size(); i++) {
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c)
      check_creature(arena, c);
  }
  check_order(arena);
  check_file_comes_first(arena);
  arena_free(arena);
  return test_finish();
}

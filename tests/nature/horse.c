/* Lower legs, energy and head of the horse, in walk and trot. */
#include <math.h>

#include "nature/curves.h"
#include "nature/measures.h"

#define HORSE_NOD 2.0 /* [cm]: a head that moves so much against the trunk nods */

static const char horse_prose[] =
    "\nLeft legs. Angles are the creature file's: the carpus and the hock are straight at 0 and bend towards positive\n"
    "angles; the fetlock is straight at 0, bent forwards (extended) above, folded back below. Swing: frames in\n"
    "which the foot is not on the ground.\n"
    "\n"
    "Pendular recovery (Cavagna 1976) is R = (Wf + Wv - Wt) / (Wf + Wv). Each W is the sum of all increases over a\n"
    "cycle: Wf of the kinetic energy of forward motion m vx^2 / 2 of the centre of mass, Wv of its energy of height\n"
    "m g z + m vz^2 / 2, Wt of the sum of both.\n"
    "\n"
    "Head nod: twice the amplitude of the second harmonic of the height of the head's centre of mass, i.e. from\n"
    "lowest to highest at twice the stride's frequency, in the world and less that of the joint between neck and\n"
    "trunk. The smaller of both counts: a head that the neck holds still does not nod, nor does one that only goes\n"
    "with the trunk. It is there from 2 cm on (our threshold). Beside it: the correlation of the heights of head\n"
    "and of that joint.\n";

/* A joint in walk and trot. */
struct horse_joint {
  const char *what, *dof, *foot;
  int highest;                  /* 1: the largest angle in swing is what counts, 0: the least */
  struct table_bar bar[2];
  const char *nature[2];
};

static void horse_legs(struct measures *m, const struct motion *g, int trot)
{
  static const char yearlings[] = "Tennessee yearlings, flat walk";
  const struct horse_joint joints[] = {
      {"carpus, largest flexion", "left_cannon.flexion", "left_fore", 1, {table_above(40), table_above(60)},
       {"49", "about 70 to 80*"}},
      {"fore fetlock, least extension", "left_pastern.extension", "left_fore", 0,
       {table_below(5), table_below(-20)}, {"-3", ""}},
      {"hock, largest flexion", "left_hind_cannon.flexion", "left_hind", 1, {table_no_bar(), table_no_bar()},
       {"53", "well beyond stance*"}},
      {"hind fetlock, least extension", "left_hind_pastern.extension", "left_hind", 0,
       {table_no_bar(), table_no_bar()}, {"-24", ""}},
  };
  for (size_t i = 0; i < sizeof joints / sizeof *joints; i++) {
    const struct horse_joint *j = &joints[i];
    const unsigned char *on = motion_contact(g, j->foot);
    const double *x = motion_angle(g, j->dof);
    struct curve_range swing = curve_range_where(g->n, x, on, 0), stance = curve_range_where(g->n, x, on, 1);
    const char *nature = j->nature[trot];
    if (!trot && *nature)
      nature = arena_printf(g->arena, "%s (%s)", nature, yearlings);
    table_number_said(&m->table, j->bar[trot], j->highest ? swing.high : swing.low, 0,
                      arena_printf(g->arena, " (swing %.0f to %.0f, stance %.0f to %.0f)", swing.low, swing.high,
                                   stance.low, stance.high),
                      nature, "%s: %s in swing [degrees]", g->gait, j->what);
  }
}

static void horse_forces(struct measures *m, const struct motion *g, const char *fore, const char *hind)
{
  const char *feet[] = {"left_fore", "left_hind"}, *nature[] = {fore, hind};
  for (int i = 0; i < 2; i++)
    table_number(&m->table, table_no_bar(),
                 CREATURE_GRAVITY * curve_range(g->n, motion_force_up(g, feet[i])).high, 1, nature[i],
                 "%s: largest vertical force of a %s leg [N/kg]", g->gait, i ? "hind" : "fore");
}

static void horse_head(struct measures *m, const struct motion *g, struct table_bar bar)
{
  double *head = motion_height(g, "head"), *base = motion_joint_height(g, "neck");
  double *against = ARENA_NEW(g->arena, (size_t)g->n, double);
  for (int k = 0; k < g->n; k++)
    against[k] = head[k] - base[k];
  double nod = 100 * curve_harmonic(g->n, head, 2), neck = 100 * curve_harmonic(g->n, against, 2);
  struct curve_range travel = curve_range(g->n, head), pitch = curve_range(g->n, motion_pitch(g, "head"));
  table_number_said(&m->table, bar, fmin(nod, neck), 1,
                    arena_printf(g->arena, " (world %.1f, against the trunk %.1f; correlation of head and trunk %.2f)",
                                 nod, neck, curve_correlation(g->n, head, base)),
                    bar.low > 0 ? "there (Loscher 2016, from memory)" : NULL, "%s: head nod [cm]", g->gait);
  table_number(&m->table, table_no_bar(), 100 * (travel.high - travel.low), 1, NULL,
               "%s: the head's vertical travel in the world [cm]", g->gait);
  table_number(&m->table, table_no_bar(), pitch.high - pitch.low, 1, "at most 20 (Dunbar 2008)",
               "%s: pitch of the head, peak to peak [degrees]", g->gait);
}

static double horse_recovery(const struct motion *g)
{
  return 100 * curve_recovery(g->n, motion_energy_forward(g), motion_energy_vertical(g));
}

void measure_horse(struct measures *m)
{
  table_section(&m->table, "Horse", horse_prose);
  const struct motion *walk = measures_gait(m, "horse", "walk", 1.4), *trot = measures_gait(m, "horse", "trot", 3.5);
  if (walk) {
    horse_legs(m, walk, 0);
    table_number(&m->table, table_above(30), horse_recovery(walk), 0, NULL, "walk: pendular recovery [%%]");
    horse_head(m, walk, table_above(HORSE_NOD));
    horse_forces(m, walk, "6.2*", NULL);
  }
  if (trot) {
    horse_legs(m, trot, 1);
    table_number(&m->table, table_no_bar(), horse_recovery(trot), 0, NULL, "trot: pendular recovery [%%]");
    horse_head(m, trot, table_no_bar());
    horse_forces(m, trot, "11.6 (Merkens 1993)", "10.2 (Merkens 1993)");
  }
}

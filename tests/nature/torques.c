/* Torques that jump: where a foot touches or lifts, muscles would have to change their force in one frame. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "nature/curves.h"
#include "nature/measures.h"
#include "zoo.h"

#define TORQUES_SMALL 0.02 /* of the creature's largest: a joint axis whose peak is below has no say */

static const char torques_prose[] =
    "\nEvery gait of the zoo (but the centipede's, unless asked for) at the middle of its range of speeds. Torque of a\n"
    "joint axis: inverse dynamics less the forces of the ground, tau = M a + h - sum J^T f. A jump is the largest\n"
    "change from a frame to the next over the largest |tau| of that axis in the cycle; shown is the axis with the\n"
    "largest. Axes whose largest |tau| is below 2 % of that of the creature's strongest axis do not count.\n"
    "\n"
    "For comparison: a torque that rises and falls as half a sine over the shortest contact of n frames changes by\n"
    "sin(pi / n) of its peak from its first frame to the next. At few frames a contact, smooth is not below the bar.\n";

/* Frames of the shortest contact of any point. */
static int torques_shortest_contact(const struct motion *g)
{
  int shortest = g->n;
  for (int p = 0; p < g->c->n_points; p++) {
    const unsigned char *on = motion_contact(g, g->c->points[p].name);
    for (int k = 0; k < g->n; k++)
      if (on[k] && !on[(k + g->n - 1) % g->n])
        shortest = (int)fmin(shortest, curve_stance(g->n, on, k));
  }
  return shortest;
}

static void torques_of_gait(struct measures *m, const char *creature, const char *gait)
{
  const struct motion *g = measures_gait(m, creature, gait, 0);
  if (!g)
    return;
  double *tau = motion_torques(g), strongest = 0;
  struct curve_jump worst = {.share = -1};
  int axis = CREATURE_ROOT_DOFS, first = CREATURE_ROOT_DOFS;
  for (int i = first; i < g->c->n_dofs; i++)
    strongest = fmax(strongest, curve_jump(g->n, tau + i * g->n).peak);
  for (int i = first; i < g->c->n_dofs; i++) {
    struct curve_jump j = curve_jump(g->n, tau + i * g->n);
    if (j.peak >= TORQUES_SMALL * strongest && j.share > worst.share)
      worst = j, axis = i;
  }
  table_number_said(&m->table, table_below(20), 100 * worst.share, 0,
                    arena_printf(g->arena, ": %s, %.3g of %.3g N m, frame %d of %d", g->c->dofs[axis].name,
                                 worst.change, worst.peak, worst.frame, g->n),
                    arena_printf(g->arena, "half sine: %.0f", 100 * sin(PI / torques_shortest_contact(g))),
                    "%s %s, %.3g m/s [%%]", creature, gait, g->speed);
}

void measure_torques(struct measures *m)
{
  table_section(&m->table, "Torque jumps", torques_prose);
  for (int i = 0; i < zoo_size(); i++) {
    const char *name = zoo_name(i);
    if (m->creature ? strcmp(name, m->creature) != 0 : !m->all && !strcmp(name, "centipede"))
      continue;
    const struct creature *c = motion_creature(m->library, name);
    for (int g = 0; g < c->n_gaits; g++)
      torques_of_gait(m, name, c->gaits[g].name);
  }
}

/* Torques that jump: where a foot touches or lifts, muscles would have to change their force in one frame. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "nature/curves.h"
#include "nature/measures.h"
#include "zoo.h"

#define TORQUES_SMALL 0.02 /* of the creature's largest: a joint axis whose peak is below has no say */

static const char torques_prose[] =
    "\nEvery gait of the zoo (but the centipede's, unless asked for) at the middle of its range of speeds. The torque\n"
    "of a joint axis is the muscles': inverse dynamics less the forces of the ground and the torques of passive\n"
    "tissue, tau = M a + h - sum J^T f - tau_tissue. The peak of an axis is its largest absolute torque in the\n"
    "cycle. A jump is the largest change from a frame to the next over the peak; shown is the axis with the\n"
    "largest. Axes whose peak is below 2 % of that of the strongest axis do not count. In parentheses: how many\n"
    "axes miss the bar, of those that count, and the largest change of any axis over the peak of the strongest [%].\n"
    "\n"
    "For comparison: a torque that rises and falls as half a sine over the shortest contact of n frames changes by\n"
    "sin(pi / n) of its peak from its first frame to the next. With few frames a contact, even that misses the bar.\n";

#define TORQUES_BAR 20.0 /* [%] */

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

struct torques_worst {
  struct curve_jump jump;       /* of the worst axis                              */
  int axis;
  int n_counted, n_missed;      /* axes                                           */
  double strongest, change;     /* of any axis: largest torque, largest change    */
};

static struct torques_worst torques_find_worst(const struct motion *g)
{
  const double *tau = motion_torques(g);
  struct torques_worst w = {.jump = {.share = -1}};
  for (int i = CREATURE_ROOT_DOFS; i < g->c->n_dofs; i++) {
    struct curve_jump j = curve_jump(g->n, tau + i * g->n);
    w.strongest = fmax(w.strongest, j.peak);
    w.change = fmax(w.change, j.change);
  }
  for (int i = CREATURE_ROOT_DOFS; i < g->c->n_dofs; i++) {
    struct curve_jump j = curve_jump(g->n, tau + i * g->n);
    if (j.peak < TORQUES_SMALL * w.strongest)
      continue;
    w.n_counted++;
    w.n_missed += !(100 * j.share < TORQUES_BAR);
    if (!(j.share <= w.jump.share))
      w.jump = j, w.axis = i;
  }
  return w;
}

static void torques_of_gait(struct measures *m, const char *creature, const char *gait)
{
  const struct motion *g = measures_gait(m, creature, gait, 0);
  if (!g)
    return;
  struct torques_worst w = torques_find_worst(g);
  table_number_said(&m->table, table_below(TORQUES_BAR), 100 * w.jump.share, 0,
                    arena_printf(g->arena, ": %s, %.4g of %.4g N m, frame %d of %d (%d of %d axes; %.0f)",
                                 g->c->dofs[w.axis].name, w.jump.change, w.jump.peak, w.jump.frame, g->n, w.n_missed,
                                 w.n_counted, 100 * w.change / w.strongest),
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

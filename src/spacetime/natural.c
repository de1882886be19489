#include "spacetime/natural.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/dynamics.h"
#include "spacetime/spacetime.h"

/* Animals in a bend of up to 25 degrees a stride pay 1.0 to 1.2 times what the straight gait costs. Twice is haste. */
static const struct verify_line natural_blank[N_NATURAL_MEASURES] = {
    [NATURAL_COST] = {.what = "cost of transport [that of its cycle]", .bar = 2},
    [NATURAL_SINKING] = {.what = "root below its lowest height in the cycle [share of that]", .bar = 0.06},
    [NATURAL_TILT] = {.what = "trunk tilted beyond what it is in the cycle [rad]", .bar = 12 * TO_RADIANS},
    [NATURAL_BOW] = {.what = "neck or back bent beyond what they are in the cycle [rad]", .bar = 25 * TO_RADIANS},
};

static double natural_coordinate(const struct clip *clip, int k, int dof)
{
  return clip->q[(size_t)k * (size_t)clip->n_dofs + (size_t)dof];
}

/* The range of a coordinate over both clips. */
struct natural_range { double low, high; };
static struct natural_range natural_range_of(const struct clip *a, const struct clip *b, int dof)
{
  struct natural_range r = {INFINITY, -INFINITY};
  for (int which = 0; which < 2; which++) {
    const struct clip *clip = which ? b : a;
    for (int k = 0; k < clip->n_frames; k++) {
      r.low = fmin(r.low, natural_coordinate(clip, k, dof));
      r.high = fmax(r.high, natural_coordinate(clip, k, dof));
    }
  }
  return r;
}

static void natural_note(struct verify_line *l, double value, int frame, const char *where)
{
  if (value > l->value || isnan(value))
    l->value = value, l->frame = frame, l->where = where;
}

static void natural_note_range(struct verify_line *l, const struct creature *c, const struct clip *clip,
                               struct natural_range r, int dof)
{
  for (int k = 0; k < clip->n_frames; k++) {
    double q = natural_coordinate(clip, k, dof);
    natural_note(l, fmax(r.low - q, q - r.high), k, c->dofs[dof].name);
  }
}

/* A joint of the midline that bends in the plane of travel, not behind the root: neck and back. Tails may swing. */
static int natural_is_spine(const struct creature *c, const struct dynamics *at_rest, int i)
{
  static const double origin[3] = {0, 0, 0};
  double root[3], joint[3];
  dynamics_point(at_rest, CREATURE_ROOT_DOFS - 1, origin, root);
  dynamics_point(at_rest, i, origin, joint);
  return c->dofs[i].mirror == i && fabs(c->dofs[i].axis[1]) > 0.7 && joint[0] > root[0] - 0.05 * c->height;
}

static void natural_check_cost(struct arena *arena, const struct creature *c, const struct clip *clip,
                               const struct clip *from, const struct clip *to, struct verify_line *l)
{
  struct clip_summary s, a, b;
  spacetime_summarize(arena, c, clip, &s);
  spacetime_summarize(arena, c, from, &a);
  spacetime_summarize(arena, c, to, &b);
  l->value = s.cost_of_transport / fmax(a.cost_of_transport, b.cost_of_transport);
}

void natural_judge(struct arena *arena, const struct creature *c, const struct clip *clip, const struct clip *from,
                   const struct clip *to, struct natural_report *out)
{
  memcpy(out->lines, natural_blank, sizeof natural_blank);
  for (int i = 0; i < N_NATURAL_MEASURES; i++)
    out->lines[i].frame = -1;
  natural_check_cost(arena, c, clip, from, to, &out->lines[NATURAL_COST]);
  double lowest = natural_range_of(from, to, 2).low;
  for (int k = 0; k < clip->n_frames; k++)
    natural_note(&out->lines[NATURAL_SINKING], 1 - natural_coordinate(clip, k, 2) / lowest, k, c->dofs[2].name);
  for (int i = 4; i < CREATURE_ROOT_DOFS; i++) { /* to either side: a turn leans where its cycle does not */
    struct natural_range r = natural_range_of(from, to, i);
    double most = fmax(fabs(r.low), fabs(r.high));
    natural_note_range(&out->lines[NATURAL_TILT], c, clip, (struct natural_range){-most, most}, i);
  }
  struct dynamics *at_rest = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  dynamics_kinematics(at_rest, rest);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    if (natural_is_spine(c, at_rest, i))
      natural_note_range(&out->lines[NATURAL_BOW], c, clip, natural_range_of(from, to, i), i);
  out->passed = 1;
  out->excess = 0;
  for (int i = 0; i < N_NATURAL_MEASURES; i++) {
    struct verify_line *l = &out->lines[i];
    l->passed = l->value <= l->bar;
    out->passed &= l->passed;
    out->excess = isnan(l->value) ? (double)INFINITY : fmax(out->excess, l->value / l->bar);
  }
}

#include "spacetime/natural.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/dynamics.h"
#include "spacetime/spacetime.h"

/* Animals in a bend of up to 25 degrees a stride pay 1.0 to 1.2 times what the straight gait costs. Twice is haste. */
static const struct verify_line natural_blank[N_NATURAL_MEASURES] = {
    [NATURAL_COST] = {.what = "cost of transport [that of its cycle]", .bar = 2},
    [NATURAL_SINKING] = {.what = "root below its lowest height in the cycle [share of that]", .bar = 0.06},
    [NATURAL_TILT] = {.what = "root tilted beyond what it is in the cycle [rad]", .bar = 12 * TO_RADIANS},
    [NATURAL_BOW] = {.what = "trunk, neck or head lean beyond what they do in the cycle [rad]", .bar = 20 * TO_RADIANS},
    [NATURAL_FLING] = {.what = "trunk bent or arm raised beyond what they are in the cycle [rad]",
                       .bar = 30 * TO_RADIANS},
};

/* Power that steps on the spot may take, half of it [m g sqrt(g L)]. */
#define ON_THE_SPOT 0.05

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

/* ---- trunk, neck and head ---- */

/* Where the direction that is up at rest points now, of a body, seen from where the creature heads: forward, left. */
struct natural_lean { double forward, left; };
static struct natural_lean natural_lean_of(const struct dynamics *d, const double *q, int body, const double *rest)
{
  double R[9], up[3] = {0, 0, 0};
  dynamics_rotation(d, body, R);
  for (int i = 0; i < 3; i++) /* rest: the body's rotation at rest; its last row is "up" in the body's frame */
    for (int j = 0; j < 3; j++)
      up[i] += R[3 * i + j] * rest[6 + j];
  double x = cos(q[3]) * up[0] + sin(q[3]) * up[1], y = cos(q[3]) * up[1] - sin(q[3]) * up[0];
  return (struct natural_lean){atan2(x, up[2]), atan2(y, up[2])};
}

/* Limbs of the midline that are not behind the root, and those of the root itself. Tails may swing. */
static int natural_is_trunk(const struct creature *c, const struct dynamics *at_rest, const struct limb *l)
{
  double root[3], here[3];
  dynamics_point(at_rest, c->limbs[0].body, c->limbs[0].origin, root);
  dynamics_point(at_rest, l->body, l->origin, here);
  return l == &c->limbs[l->mirror] && here[0] > root[0] - 0.05 * c->height;
}

/* Leans of a body over a clip. To the sides a range is the same to both: a turn leans where its cycle does not. */
struct natural_leans { struct natural_range forward, left; };
static void natural_gather(struct dynamics *d, const struct clip *clip, int body, const double *rest,
                           struct natural_leans *out)
{
  for (int k = 0; k < clip->n_frames; k++) {
    const double *q = clip->q + (size_t)k * (size_t)clip->n_dofs;
    dynamics_kinematics(d, q);
    struct natural_lean l = natural_lean_of(d, q, body, rest);
    out->forward.low = fmin(out->forward.low, l.forward);
    out->forward.high = fmax(out->forward.high, l.forward);
    out->left.high = fmax(out->left.high, fabs(l.left));
  }
}

static void natural_check_trunk(struct arena *arena, const struct creature *c, const struct clip *clip,
                                const struct clip *from, const struct clip *to, struct verify_line *line)
{
  struct dynamics *d = dynamics_new(arena, c), *at_rest = dynamics_new(arena, c);
  double *q_rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), rest[9];
  creature_rest_pose(c, q_rest);
  dynamics_kinematics(at_rest, q_rest);
  for (int i = 0; i < c->n_limbs; i++) {
    int body = c->limbs[i].body;
    struct natural_leans usual = {{INFINITY, -INFINITY}, {0, 0}};
    if (!natural_is_trunk(c, at_rest, &c->limbs[i]))
      continue;
    dynamics_rotation(at_rest, body, rest);
    natural_gather(d, from, body, rest, &usual);
    natural_gather(d, to, body, rest, &usual);
    for (int k = 0; k < clip->n_frames; k++) {
      const double *q = clip->q + (size_t)k * (size_t)clip->n_dofs;
      dynamics_kinematics(d, q);
      struct natural_lean l = natural_lean_of(d, q, body, rest);
      double pitch = fmax(usual.forward.low - l.forward, l.forward - usual.forward.high);
      natural_note(line, fmax(pitch, fabs(l.left) - usual.left.high), k, c->limbs[i].name);
    }
  }
}

/* ---- trunk and arms ---- */

/* A trunk that is wound up and arms that are thrown pay in a turn that is too quick: they move what the feet cannot. A
 * joint may do what it does in the cycle on either side of the body. */
static void natural_check_joints(const struct creature *c, const struct clip *clip, const struct clip *from,
                                 const struct clip *to, struct verify_line *l)
{
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
    enum limb_role role = creature_limb_role(c, c->dofs[i].limb);
    if (role != LIMB_TRUNK && role != LIMB_ARM)
      continue;
    struct natural_range r = natural_range_of(from, to, i), m = natural_range_of(from, to, c->dofs[i].mirror);
    if (c->dofs[i].mirror_sign < 0)
      m = (struct natural_range){-m.high, -m.low};
    natural_note_range(l, c, clip, (struct natural_range){fmin(r.low, m.low), fmax(r.high, m.high)}, i);
  }
}

static void natural_check_cost(struct arena *arena, const struct creature *c, const struct clip *clip,
                               const struct clip *from, const struct clip *to, struct verify_line *l)
{
  struct clip_summary s, a, b;
  spacetime_summarize(arena, c, clip, &s);
  spacetime_summarize(arena, c, from, &a);
  spacetime_summarize(arena, c, to, &b);
  if (a.stride > 0 && b.stride > 0)
    l->value = s.cost_of_transport / fmax(a.cost_of_transport, b.cost_of_transport);
  else /* nothing is transported where it stands: by time */
    l->value = s.power / fmax(ON_THE_SPOT, fmax(a.power, b.power));
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
  natural_check_trunk(arena, c, clip, from, to, &out->lines[NATURAL_BOW]);
  natural_check_joints(c, clip, from, to, &out->lines[NATURAL_FLING]);
  out->passed = 1;
  out->excess = 0;
  for (int i = 0; i < N_NATURAL_MEASURES; i++) {
    struct verify_line *l = &out->lines[i];
    l->passed = l->value <= l->bar;
    out->passed &= l->passed;
    out->excess = isnan(l->value) ? (double)INFINITY : fmax(out->excess, l->value / l->bar);
  }
}

void natural_explain(const struct natural_report *report, char *out, size_t n)
{
  const struct verify_line *l = report->lines;
  while (l < report->lines + N_NATURAL_MEASURES && l->passed)
    l++;
  if (l < report->lines + N_NATURAL_MEASURES)
    snprintf(out, n, "no animal would choose it: %s is %.3g, allowed is %.3g", l->what, l->value, l->bar);
  else
    snprintf(out, n, "%s", "");
}

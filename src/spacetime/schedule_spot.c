/* Steps on the spot: from a stand to a stand that looks elsewhere. Every foot is lifted and put down some times, in the
 * order and rhythm of the creature's `step` (creature.h). */
#include <math.h>

#include "dynamics/dynamics.h"
#include "spacetime/body.h"
#include "spacetime/schedule.h"

/* Share of a cycle of steps in which nothing leaves the ground yet, and likewise in the end: the weight must first be
 * on the feet that stay. */
#define LEAD 0.2

/* Turned in a cycle of steps, on average and at most: 45 degrees; in the middle of a turn it is half as much again. */
#define MOST_TURN 0.8

/* Of a leg's length: how far a foot is moved in a cycle, on average. Of the range of those axes of a leg that turn a
 * foot that lies flat: the share used. And a turn that is always tried [rad]. */
#define REACH_USED 0.35
#define RANGE_USED 0.8
#define LEAST_TURN 0.15

/* One cycle of steps, and the order in which it begins. */
struct spot {
  const struct creature *c;
  struct schedule cycle;
  int *lift, *swing;            /* frame in which a foot leaves the ground, frames in the air; 0: never (n_feet) */
  int start;                    /* frame of the cycle with which steps begin: the first lift-off                 */
  int span;                     /* frames from there to the last touch-down of a cycle's steps                   */
};

int schedule_is_on_spot(const struct creature *c, const char *gait, const char *gait_after, double turn)
{
  int a = creature_find_gait(c, gait), b = creature_find_gait(c, gait_after);
  return turn != 0 && a >= 0 && b >= 0 && gait_is_still(c, &c->gaits[a]) && gait_is_still(c, &c->gaits[b]) &&
         creature_find_gait(c, CREATURE_STEP) >= 0;
}

static const struct gait *spot_step(const struct creature *c)
{
  return &c->gaits[creature_find_gait(c, CREATURE_STEP)];
}

static int spot_wrap(int frames, int n)
{
  return (frames % n + n) % n;
}

/* Feet of one leg, such as heel and ball, step as one. */
static int spot_leg_touches(const struct spot *s, int k, int foot)
{
  int touches = 0;
  for (int f = 0; f < s->c->n_feet; f++)
    if (s->c->feet[f].first_leg_limb == s->c->feet[foot].first_leg_limb)
      touches |= schedule_foot_touches(s->c, &s->cycle, k, s->c->feet[f].first_point);
  return touches;
}

static void spot_find_swing(struct spot *s, int foot)
{
  int n = s->cycle.n_frames;
  for (int k = 0; k < n; k++) {
    if (spot_leg_touches(s, k, foot))
      continue;
    s->swing[foot]++;
    if (spot_leg_touches(s, spot_wrap(k - 1, n), foot))
      s->lift[foot] = k;
  }
  if (s->swing[foot] == n) /* of a leg that never touches */
    s->swing[foot] = 0;
}

/* It begins where all that begins with it ends soonest; of equals, with a foot on the side it turns to. */
static struct spot spot_new(struct arena *arena, const struct creature *c, int cycle, double turn,
                            const struct spacetime_options *o)
{
  struct spot s = {.c = c, .cycle = schedule_of_gait(arena, c, spot_step(c), cycle, o), .span = 1 << 30};
  s.lift = ARENA_NEW(arena, (size_t)c->n_feet, int);
  s.swing = ARENA_NEW(arena, (size_t)c->n_feet, int);
  for (int f = 0; f < c->n_feet; f++)
    spot_find_swing(&s, f);
  for (int i = 0; i < c->n_feet; i++) {
    int first = turn < 0 ? c->feet[i].mirror : i, span = 0;
    if (!s.swing[first])
      continue;
    for (int f = 0; f < c->n_feet; f++) {
      int end = s.swing[f] ? spot_wrap(s.lift[f] - s.lift[first], cycle) + s.swing[f] : 0;
      span = end > span ? end : span;
    }
    if (span < s.span)
      s.span = span, s.start = s.lift[first];
  }
  return s;
}

/* Length in cycles, when each foot steps so many times. */
static double spot_cycles(const struct spot *s, int steps)
{
  return 2 * LEAD + steps - 1 + (double)s->span / s->cycle.n_frames;
}

/* How far a body may turn in a cycle of steps. */
static double spot_turn_in_cycle(struct arena *arena, const struct creature *c)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), most = MOST_TURN;
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int f = 0; f < c->n_feet; f++) {
    const struct foot *foot = &c->feet[f];
    double at[3], R[9], range = 0;
    int points = 0; /* of the leg */
    for (int p = 0; p < c->n_points; p++)
      points += c->feet[c->points[p].foot].first_leg_limb == foot->first_leg_limb;
    dynamics_point(d, c->points[foot->first_point].body, c->points[foot->first_point].at, at);
    double away = hypot(at[0] - rest[0], at[1] - rest[1]);
    most = fmin(most, REACH_USED * foot->leg_length / fmax(away, 1e-9));
    if (points < 2) /* a point turns where it stands */
      continue;
    for (int l = foot->limb; l >= foot->first_leg_limb; l = c->limbs[l].parent)
      for (int i = c->limbs[l].first_dof; i < c->limbs[l].first_dof + c->limbs[l].n_dofs; i++) {
        dynamics_rotation(d, i, R);
        double up = R[6] * c->dofs[i].axis[0] + R[7] * c->dofs[i].axis[1] + R[8] * c->dofs[i].axis[2];
        range += fabs(up) > 0.7 ? c->dofs[i].upper - c->dofs[i].lower : 0;
      }
    most = fmin(most, RANGE_USED * range);
  }
  return fmax(most, LEAST_TURN);
}

static int spot_steps(struct arena *arena, const struct creature *c, double turn)
{
  return (int)fmax(1, ceil(fabs(turn) / spot_turn_in_cycle(arena, c) - 0.05));
}

static int spot_usual_cycle(const struct creature *c, double dt)
{
  return (int)fmax(12, (double)lround(gait_period(spot_step(c), 0) / dt));
}

int schedule_spot_frames(struct arena *arena, const struct creature *c, double turn, double dt,
                         const struct spacetime_options *o)
{
  int cycle = spot_usual_cycle(c, dt);
  struct spot s = spot_new(arena, c, cycle, turn, o);
  return (int)lround(spot_cycles(&s, spot_steps(arena, c, turn)) * cycle);
}

struct schedule schedule_on_spot(struct arena *arena, const struct creature *c, const struct schedule *stand,
                                 double turn, int n_frames, double dt, const struct spacetime_options *o)
{
  struct schedule out = schedule_new(arena, c, n_frames);
  struct spot s = spot_new(arena, c, spot_usual_cycle(c, dt), turn, o);
  int steps = spot_steps(arena, c, turn);
  while (spot_cycles(&s, steps + 1) * s.cycle.n_frames <= n_frames + 1) /* more time is for more steps */
    steps++;
  int cycle = (int)fmax(8, floor(n_frames / spot_cycles(&s, steps))), lead;
  s = spot_new(arena, c, cycle, turn, o);
  lead = (n_frames - (steps - 1) * cycle - s.span) / 2;
  for (int i = 0; i < stand->n_points; i++) {
    int foot = c->points[i].foot;
    for (int k = 0; k < n_frames; k++) {
      /* its cycles, each from the middle of a stance to the middle of the next, as many as it makes steps */
      int since = k - lead - spot_wrap(s.lift[foot] - s.start, cycle) + (cycle - s.swing[foot]) / 2;
      int steps_now = s.swing[foot] && since >= 0 && since < steps * cycle && k >= 2 && k < n_frames - 2;
      int in_step = s.cycle.on[spot_wrap(s.start + k - lead, cycle) * s.cycle.n_points + i];
      out.on[k * out.n_points + i] = stand->on[i] && (!steps_now || in_step);
    }
  }
  schedule_set_swings(c, &out, o);
  schedule_set_free_ends(c, &out, o);
  return out;
}

/* Leaps: see leap.h. */
#include "spacetime/leap.h"

#include <math.h>

#include "dynamics/dynamics.h"
#include "spacetime/body.h"

/* Times in sqrt(leg / g), a person's 0.3 s. From the stand to lift-off, and from touch-down to the stand: people take
 * 0.7 to 0.9 s for a jump with a countermovement (from memory). */
#define GATHER 2.8

/* In a leap by a leg length or more, hind legs leave so much after forelegs, and land so much after them: a horse over
 * a fence, 0.15 s (from memory). In shorter ones less, by its length: in place all feet leave at once. */
#define LEGS_APART 0.4

/* A foot rolls: what is behind in it leaves so much before what is in front. It lands with the front first from above,
 * with the back first where it has gone far; by a leg length flat. */
#define ROLL 0.3

/* Lengths in legs. The root is before the feet when they leave, and behind them when they land, by this. */
#define LEAN 0.3

/* Of a leap that was given no height: the angle at which the centre of mass leaves (people: 30 to 40 degrees, from
 * memory), and the rise at least [leg lengths]. Of the way, the part that is flown at least. */
#define TAKE_OFF_SLOPE 0.75
#define LEAST_RISE     0.15
#define LEAST_FLOWN    0.6

/* [m], [s] */
struct leap_plan {
  double unit;                   /* of time: sqrt(leg / g)                                       */
  double reach;                  /* forward, in leg lengths                                      */
  double way;                    /* forward                                                      */
  double lean, speed;            /* of the root before lift-off; forwards, in the air            */
  double rise, flight;
};

static struct leap_plan leap_plan_of(const struct creature *c, const struct leap *l)
{
  double leg = 0;
  for (int f = 0; f < c->n_feet; f++)
    leg = fmax(leg, c->feet[f].leg_length);
  double flown = fmax(LEAST_FLOWN * l->forward, l->forward - 2 * LEAN), lean = (l->forward - flown) / 2;
  double rise = l->rise > 0 ? l->rise : fmax(LEAST_RISE, TAKE_OFF_SLOPE * flown / 4);
  double unit = sqrt(leg / CREATURE_GRAVITY), flight = sqrt(8 * rise) * unit;
  return (struct leap_plan){.unit = unit, .reach = l->forward, .way = l->forward * leg, .lean = lean * leg,
                            .speed = flown * leg / flight, .rise = rise * leg, .flight = flight};
}

static int leap_flight_frames(const struct leap_plan *p, double dt)
{
  return (int)fmax(2, (double)lround(p->flight / dt));
}

int leap_is_possible(const struct creature *c, const char *gait, const char *gait_after)
{
  int a = creature_find_gait(c, gait), b = creature_find_gait(c, gait_after);
  return a >= 0 && b >= 0 && gait_is_still(c, &c->gaits[a]) && gait_is_still(c, &c->gaits[b]);
}

int leap_frames(const struct creature *c, const struct leap *l, double dt)
{
  struct leap_plan p = leap_plan_of(c, l);
  return leap_flight_frames(&p, dt) + 2 * leap_gather_frames(c, l, dt);
}

int leap_gather_frames(const struct creature *c, const struct leap *l, double dt)
{
  return (int)lround(GATHER * leap_plan_of(c, l).unit / dt);
}

/* ---- contacts ---- */

/* Where a point is along the body, 0 at the hind end and 1 in front: its leg among the legs, it in its leg. */
struct leap_place { double leg, point; };

static struct leap_place *leap_places(struct arena *arena, const struct creature *c)
{
  struct dynamics *d = dynamics_new(arena, c);
  size_t points = (size_t)c->n_points;
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), *x = ARENA_NEW(arena, points, double);
  double *back = ARENA_NEW(arena, points, double), *front = ARENA_NEW(arena, points, double); /* of a point's leg */
  double hindmost = INFINITY, foremost = -INFINITY;
  struct leap_place *out = ARENA_NEW(arena, points, struct leap_place);
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_points; i++) {
    double at[3];
    dynamics_point(d, c->points[i].body, c->points[i].at, at);
    x[i] = at[0];
  }
  for (int i = 0; i < c->n_points; i++) {
    back[i] = INFINITY, front[i] = -INFINITY;
    if (body_is_free_end(c, i))
      continue;
    int leg = c->feet[c->points[i].foot].first_leg_limb;
    for (int j = 0; j < c->n_points; j++)
      if (!body_is_free_end(c, j) && c->feet[c->points[j].foot].first_leg_limb == leg) {
        back[i] = fmin(back[i], x[j]);
        front[i] = fmax(front[i], x[j]);
      }
    hindmost = fmin(hindmost, (back[i] + front[i]) / 2);
    foremost = fmax(foremost, (back[i] + front[i]) / 2);
  }
  for (int i = 0; i < c->n_points; i++) {
    double length = front[i] - back[i], middle = (back[i] + front[i]) / 2, span = foremost - hindmost;
    out[i].point = length > 1e-3 * c->height ? (x[i] - back[i]) / length : 1;
    out[i].leg = span > 1e-3 * c->height ? (middle - hindmost) / span : 0;
  }
  return out;
}

struct schedule leap_schedule(struct arena *arena, const struct creature *c, const struct schedule *stand,
                              const struct leap *l, enum leap_legs legs, int n_frames, double dt,
                              const struct spacetime_options *o)
{
  struct schedule s = schedule_new(arena, c, n_frames);
  struct leap_plan p = leap_plan_of(c, l);
  const struct leap_place *place = leap_places(arena, c);
  int flight = leap_flight_frames(&p, dt), lift_off = (n_frames - flight) / 2;
  double apart = legs == LEAP_TOGETHER ? 0 : LEGS_APART * fmin(1, p.reach);
  double roll = fmax(-1, 1 - p.reach), first = INFINITY;
  double *late = ARENA_NEW(arena, (size_t)stand->n_points, double); /* it touches down, in units of time */
  for (int i = 0; i < stand->n_points; i++) { /* a body has more points: its free ends */
    late[i] = apart * (1 - place[i].leg) + ROLL * roll * (1 - place[i].point);
    if (stand->on[i])
      first = fmin(first, late[i]);
  }
  for (int i = 0; i < stand->n_points; i++) {
    double early = apart * place[i].leg + ROLL * (1 - place[i].point);
    int off = lift_off - (int)lround(early * p.unit / dt);
    int on = lift_off + flight + (int)lround((late[i] - first) * p.unit / dt);
    for (int k = 0; k < n_frames; k++)
      s.on[k * s.n_points + i] = stand->on[i] && (k < off || k >= on || k < 2 || k >= n_frames - 2);
  }
  schedule_set_swings(c, &s, o);
  schedule_set_free_ends(c, &s, o);
  return s;
}

/* ---- the way of the root ---- */

/* Forward, at a time before lift-off, negative, or after it: with even acceleration to its speed in the air. */
static double leap_gathered(const struct leap_plan *p, double time)
{
  double push = 2 * p->lean / fmax(p->speed, 1e-9), share = fmax(0, 1 + time / fmax(push, 1e-9));
  return p->lean * share * share;
}

/* Upwards, likewise, over a time of `gather`: down, and up to the speed of lift-off, with no jump of force on the way.
 * In a share s of that time it is at s^4 - s^3, of that speed times that time. */
static double leap_crouched(const struct leap_plan *p, double gather, double time)
{
  double s = fmax(0, 1 + time / gather);
  return CREATURE_GRAVITY * p->flight / 2 * gather * s * s * s * (s - 1);
}

struct leap_way leap_way_of(struct arena *arena, const struct creature *c, const struct leap *l, int n_frames,
                            double dt)
{
  size_t n = (size_t)n_frames;
  struct leap_plan p = leap_plan_of(c, l);
  int frames = leap_flight_frames(&p, dt), lift_off = (n_frames - frames) / 2;
  double gather = (lift_off - 1) * dt, leg = CREATURE_GRAVITY * p.unit * p.unit;
  struct leap_way w = {ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double),
                       ARENA_NEW(arena, n, double)};
  for (int k = 0; k < n_frames; k++) {
    double since = (k - lift_off + 0.5) * dt, left = p.flight - since; /* frame k stands for what is around it */
    double share = fmin(1, fmax(0, since / p.flight));
    int held = k < 2 || k >= n_frames - 2;
    double gathered = held ? 0 : leap_gathered(&p, since < 0 ? since : left);
    double forward = since < 0 ? gathered : left > 0 ? p.lean + share * p.speed * p.flight : p.way - gathered;
    double ahead = since < 0 ? -gathered : left > 0 ? (2 * share - 1) * p.lean : gathered;
    double crouch = held || (since >= 0 && left > 0) ? 0 : leap_crouched(&p, gather, since < 0 ? since : left);
    double arc = -ahead * ahead / (2 * leg); /* of a leg that leans */
    w.forward[k] = forward / c->height;
    w.up[k] = (crouch + arc + 4 * share * (1 - share) * p.rise) / c->height;
    w.ahead[k] = ahead / c->height;
    w.down[k] = (crouch + arc) / c->height;
  }
  return w;
}

void leap_force(const struct leap_way *w, int k, int n_frames, double h, double out[3])
{
  int has = k > 0 && k + 1 < n_frames;
  out[0] = has ? (w->forward[k + 1] - 2 * w->forward[k] + w->forward[k - 1]) / (h * h) : 0;
  out[1] = 0;
  out[2] = fmax(0, 1 + (has ? (w->up[k + 1] - 2 * w->up[k] + w->up[k - 1]) / (h * h) : 0));
}

/* Footstep placement by the capture point (doc/modal.md, 6). The paper names it as future work. Creatures that stand on
 * lines or points need it, since contact forces have no moment about these.
 *
 * What a foot that stands cannot change is the moment of gravity about it. About a point the body falls away like x'' =
 * F (x - s) / z, where x is its error against the reference, s how far the foot stands from the reference's, F what the
 * feet carry and z the height of the centre of mass; and it does so whatever the joints do, if its rotation is counted
 * in: turning back by an angle costs the place that the angular momentum says. Left to itself it ends up at x + x' / w,
 * w^2 = 1 / z. So the error is carried on to the time at which the next foot lands, and the foot is set that far from
 * where the reference has it: then the body comes to rest over it, one step later. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "modal/footholds.h"
#include "modal/room.h"

static int leg_stands(const struct modal *m, const struct footholds *f, int leg, const unsigned char *contact)
{
  int stands = 0;
  for (int p = 0; p < m->n_points; p++)
    stands |= f->leg_of_point[p] == leg && contact[p];
  return stands;
}

/* ---- how far off the body is ---- */

struct error { double x[2], v[2], z; };

/* Errors of place and velocity against the reference, with rotation as the place and velocity that turning back
 * costs. */
static struct error error_of(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  const struct editable_frame *now = editable_frame(g, i);
  struct dynamics_whole whole, turned;
  struct error e;
  for (int k = 0; k < m->n; k++)
    m->difference[k] = s->q[k] - now->q[k];
  dynamics_whole(m->d, s->q, m->difference, m->bias, &turned); /* the way from the reference's pose as a velocity */
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);           /* accelerations do not matter */
  e.z = fmax(m->o.footsteps.least_height, now->com[2] - editable_ground(g, now->com[0]));
  for (int k = 0; k < 2; k++) {
    int axis = 1 - k;
    double sign = (k == 0 ? 1 : -1) * 1.0 / (e.z * m->mass);
    e.x[k] = whole.com[k] - now->com[k] + sign * turned.angular[axis];
    e.v[k] = whole.com_velocity[k] - now->speed[k] + sign * (whole.angular[axis] - now->angular[axis]);
  }
  return e;
}

static void limit_offset(const struct modal *m, double x[2])
{
  double far = hypot(x[0], x[1]);
  for (int i = 0; i < 2 && far > m->o.footsteps.farthest; i++)
    x[i] *= m->o.footsteps.farthest / far;
}

/* ---- feet ---- */

/* The middle of a leg's points that stand: how far from the reference's without offsets. */
static void place_standing(const struct modal *m, const struct editable_reference *g, const struct footholds *f,
                           int leg, const struct editable_frame *now, struct footholds_leg *l)
{
  int n = 0;
  double off[2] = {0, 0}, normal[3];
  for (int p = 0; p < m->n_points; p++)
    if (f->leg_of_point[p] == leg && now->contact[p] &&
        modal_gap(g, m->at + 3 * p, normal) < m->o.ground.touch) {
      for (int i = 0; i < 2; i++)
        off[i] += m->at[3 * p + i] - (now->point[3 * p + i] - l->offset[i]);
      n++;
    }
  for (int i = 0; i < 2; i++)
    l->goal[i] = l->foothold[i] = n ? off[i] / n : l->offset[i];
  limit_offset(m, l->goal);
  l->goal[2] = 0;
  l->left = 1;
}

/* A foothold beyond the reach of the leg is moved towards where the hip will be, but not nearer than the reference's:
 * otherwise the body would sink until the leg reaches it, and strike the ground. */
static void within_reach(const struct modal *m, struct editable_reference *g, int step, int leg, const struct error *e,
                         double goal[2])
{
  double from_hip[3], length, far = 0, own = 0;
  if (!editable_leg(g, step, leg, from_hip, &length))
    return;
  for (int a = 0; a < 2; a++) {
    far += (from_hip[a] + goal[a] - e->x[a]) * (from_hip[a] + goal[a] - e->x[a]);
    own += from_hip[a] * from_hip[a];
  }
  double stretched = m->o.footsteps.stretched;
  double most = sqrt(fmax(own, stretched * stretched * length * length - from_hip[2] * from_hip[2]));
  for (int a = 0; a < 2 && sqrt(far) > most; a++)
    goal[a] = (from_hip[a] + goal[a] - e->x[a]) * most / sqrt(far) - from_hip[a] + e->x[a];
}

/* Capture point: the foot of a leg lands k steps ahead, when the error of the body is e. */
static void place_swinging(const struct modal *m, struct editable_reference *g, int i, int leg, int k,
                           const struct error *e)
{
  struct footholds_leg *l = &editable_footholds(g)->legs[leg];
  double led[2];
  editable_lead(g, i + k, leg, led);
  for (int a = 0; a < 2; a++)
    l->goal[a] = m->o.footholds * (e->x[a] + sqrt(e->z) * e->v[a]) + led[a];
  within_reach(m, g, i + k, leg, e, l->goal);
  limit_offset(m, l->goal);
  memcpy(l->foothold, l->goal, sizeof l->foothold);
  l->goal[2] = 0;
  l->left = k * m->o.step;
}

/* The error one step later, from what the ground carries and where. */
static void footsteps_fall(const struct modal *m, const struct footholds *f, const unsigned char *contact,
                           const double *force, struct error *e)
{
  double load = 0, at[2] = {0, 0}, h = m->o.step, lift;
  int n = 0;
  for (int p = 0; p < m->n_points; p++)
    load += contact[p] ? force[3 * p + 2] : 0, n += contact[p];
  for (int p = 0; p < m->n_points; p++)
    for (int a = 0; a < 2 && contact[p]; a++)
      at[a] += (load > 0 ? force[3 * p + 2] / load : 1.0 / n) * f->legs[f->leg_of_point[p]].foothold[a];
  lift = load > 0 ? load : n > 0;
  for (int a = 0; a < 2; a++) {
    e->v[a] += h * lift / e->z * (e->x[a] - at[a]);
    e->x[a] += h * e->v[a];
  }
}

/* Predicts the error step by step, and places the feet that swing now, one by one as they land. */
static void place_legs(const struct modal *m, struct editable_reference *g, int i, struct error *e)
{
  struct footholds *f = editable_footholds(g);
  int open = 0;
  for (int leg = 0; leg < f->n_legs; leg++)
    open += f->legs[leg].swings;
  for (int k = 0; k <= m->o.footsteps.look && open > 0; k++) {
    const unsigned char *contact;
    const double *force;
    editable_contacts(g, i + k, &contact, &force);
    for (int leg = 0; leg < f->n_legs; leg++)
      if (f->legs[leg].swings && (leg_stands(m, f, leg, contact) || k == m->o.footsteps.look)) {
        place_swinging(m, g, i, leg, k, e);
        f->legs[leg].swings = 0;
        open--;
      }
    editable_contacts(g, i + k, &contact, &force); /* place_swinging() asked for those of other steps */
    footsteps_fall(m, f, contact, force, e);
  }
}

/* What is carried on grows like e^t until the foot lands: where that makes a foothold too far off, the foot lands
 * sooner. All of the reference plays faster, with shorter steps: its way over the ground stays what it was, since any
 * change of speed would be another push. */
static void footsteps_hurry(const struct modal *m, struct editable_reference *g, int i)
{
  struct footholds *f = editable_footholds(g);
  const struct modal_footstep_options *o = &m->o.footsteps;
  double far = 0, wanted;
  for (int leg = 0; leg < f->n_legs; leg++) {
    const struct footholds_leg *l = &f->legs[leg];
    double along = f->ahead[0] * l->goal[0] + f->ahead[1] * l->goal[1];
    double aside = f->ahead[0] * l->goal[1] - f->ahead[1] * l->goal[0];
    if (!l->stands && l->left > o->too_late * m->o.step)
      far = fmax(far, hypot(fmax(0, along), aside)); /* a body that is behind needs no faster steps */
  }
  wanted = 1 + m->o.hurry * fmin(1, fmax(0, (far - o->far) / o->far_range));
  f->pace += fmin(o->haste, fmax(-o->haste, wanted - f->pace));
  editable_pace(g, i, f->pace);
}

/* The reference's lane moves to a body that was pushed aside, and comes back slowly: coming back fast is another push.
 * Feet stay where they are meanwhile. */
static void footsteps_follow(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  struct footholds *f = editable_footholds(g);
  const struct editable_frame *now = editable_frame(g, i);
  struct dynamics_whole whole;
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);
  for (int k = 0; k < 2; k++) {
    double by = m->o.step * ((whole.com[k] - now->com[k]) / m->o.follow - (f->lane[k] - f->led[k]) / m->o.comeback);
    f->lane[k] += by;
    for (int leg = 0; leg < f->n_legs; leg++)
      f->legs[leg].offset[k] -= by;
  }
  editable_refresh(g, i);
}

/* A leg continues from where its foot really is: the difference to the reference becomes its offset. */
static void take_as_is(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s, int leg)
{
  struct footholds *f = editable_footholds(g);
  struct footholds_leg *l = &f->legs[leg];
  const struct editable_frame *before = editable_frame(g, i - 1), *now = editable_frame(g, i);
  double off[3] = {0}, fast[3] = {0};
  int n = 0;
  for (int p = 0; p < m->n_points; p++) {
    if (f->leg_of_point[p] != leg)
      continue;
    for (int a = 0; a < 3; a++) {
      const double *J = m->J + (size_t)((3 * p + a) * m->n);
      fast[a] -= (now->point[3 * p + a] - before->point[3 * p + a]) / m->o.step;
      off[a] += m->at[3 * p + a] - now->point[3 * p + a];
      for (int k = 0; k < m->n; k++)
        fast[a] += J[k] * s->v[k];
    }
    n++;
  }
  for (int a = 0; a < 3; a++) {
    l->offset[a] += off[a] / n;
    l->rate[a] += fast[a] / n;
  }
}

/* After a push was not noticed for a while: feet in the air continue from where they really are. */
static void footsteps_look_again(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  struct footholds *f = editable_footholds(g);
  for (int leg = 0; leg < f->n_legs; leg++)
    if (!leg_stands(m, f, leg, editable_frame(g, i)->contact))
      take_as_is(m, g, i, s, leg);
  editable_refresh(g, i);
}

/* How much farther ahead of the body the nearest foot is that shall go on standing than the reference has it: what is
 * behind that must not be lifted before the body has come over it. */
static double footsteps_lag(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s,
                            const unsigned char *due)
{
  const struct footholds *f = editable_footholds(g);
  const struct editable_frame *now = editable_frame(g, i);
  double here = INFINITY, there = INFINITY, n[3];
  struct dynamics_whole whole;
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);
  for (int p = 0; p < m->n_points; p++)
    if (due[p] && modal_gap(g, m->at + 3 * p, n) < m->o.ground.touch) {
      double a = 0, b = 0;
      for (int k = 0; k < 2; k++) {
        a += f->ahead[k] * (m->at[3 * p + k] - whole.com[k]);
        b += f->ahead[k] * (now->point[3 * p + k] - f->legs[f->leg_of_point[p]].offset[k] - now->com[k]);
      }
      here = fmin(here, a);
      there = fmin(there, b);
    }
  return isfinite(here) ? here - fmax(0, there) : 0;
}

/* Does this leg go on standing on another of its points? */
static int stands_on(const struct modal *m, const struct footholds *f, int point, const unsigned char *due)
{
  int stands = 0;
  for (int p = 0; p < m->n_points; p++)
    stands |= p != point && f->leg_of_point[p] == f->leg_of_point[point] && due[p];
  return stands;
}

/* The only foot that stands is not lifted while the next one is late: it stays until that one is down. A heel is not
 * lifted before the body is over the ball of the foot. */
static void footsteps_hold_on(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  struct footholds *f = editable_footholds(g);
  const unsigned char *due;
  const double *force;
  double wait = INFINITY, n[3];
  editable_due(g, i, &due, &force);
  for (int leg = 0; leg < f->n_legs; leg++)
    f->legs[leg].lets_go = 0;
  for (int p = 0; p < m->n_points; p++)
    if (due[p])
      wait = fmin(wait, fmax(0, modal_gap(g, m->at + 3 * p, n) - m->o.ground.touch));
  double behind = footsteps_lag(m, g, i, s, due);
  for (int p = 0; p < m->n_points; p++) {
    int down = modal_gap(g, m->at + 3 * p, n) < m->o.ground.touch, stood = editable_frame(g, i - 1)->contact[p];
    int late = wait > 0 || (behind > m->o.footsteps.lag && stands_on(m, f, p, due));
    if (!due[p] && down && stood && isfinite(wait) && late) {
      f->held[p] = i + 1 + (wait > 0 ? (int)(wait / (m->o.ground.settle * m->o.step)) : m->o.footsteps.lag_steps);
    } else if (f->held[p] >= i && !due[p]) {
      f->held[p] = 0;
      f->legs[f->leg_of_point[p]].lets_go = 1;
    }
  }
  editable_refresh(g, i);
  for (int leg = 0; leg < f->n_legs; leg++)
    if (f->legs[leg].lets_go && !leg_stands(m, f, leg, editable_frame(g, i)->contact)) {
      take_as_is(m, g, i, s, leg);
      editable_refresh(g, i);
    }
}

void modal_place_footsteps(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  struct footholds *f = editable_footholds(g);
  if (m->o.follow > 0)
    footsteps_follow(m, g, i, s);
  if (m->blind)
    footsteps_look_again(m, g, i, s);
  if (m->o.hold_on)
    footsteps_hold_on(m, g, i, s);
  const struct editable_frame *now = editable_frame(g, i);
  struct error e = error_of(m, g, i, s);
  for (int leg = 0; leg < f->n_legs; leg++) {
    f->legs[leg].stands = leg_stands(m, f, leg, now->contact);
    f->legs[leg].swings = !f->legs[leg].stands;
    if (!f->legs[leg].swings)
      place_standing(m, g, f, leg, now, &f->legs[leg]);
  }
  place_legs(m, g, i, &e);
  if (m->o.hurry > 0)
    footsteps_hurry(m, g, i);
  editable_refresh(g, i);
}

/* Where to set feet (doc/modal.md, 6): the paper names it as the thing to add, and creatures that stand on lines or
 * points need it, since no force of theirs turns them about these.
 *
 * What a foot that stands cannot change is the moment of gravity about it. About a point the body falls away like
 * x'' = F (x - s) / z, where x is its error against the reference, s how far the foot stands from the reference's, F what
 * the feet carry and z the height of the centre of mass; and it does so whatever the joints do, if its rotation is counted
 * in: turning back by an angle costs the place that the angular momentum says. Left to itself it ends up at x + x' / w,
 * w^2 = 1 / z. So the error is carried on to the time at which the next foot lands, and the foot is set that far from where
 * the reference has it: then the body comes to rest over it, one step later. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "modal/footing.h"
#include "modal/room.h"

#define FARTHEST 0.35           /* from the reference's foothold [L] */
#define LOOK 150                /* steps ahead for the next landing  */
#define LEAST_HEIGHT 0.3        /* of the centre of mass, whatever happens [L] */

static int leg_stands(const struct modal *m, const struct footing *f, int leg, const unsigned char *contact)
{
  int stands = 0;
  for (int p = 0; p < m->n_points; p++)
    stands |= f->leg_of_point[p] == leg && contact[p];
  return stands;
}

/* ---- how far off the body is ---- */

struct error { double x[2], v[2], z; };

/* Errors of place and velocity against the guide, with rotation as the place and velocity that turning back costs. */
static struct error error_of(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  const struct guide_frame *now = guide_frame(g, i);
  struct dynamics_whole whole, turned;
  struct error e;
  for (int k = 0; k < m->n; k++)
    m->difference[k] = s->q[k] - now->q[k];
  dynamics_whole(m->d, s->q, m->difference, m->bias, &turned); /* the way from the guide's pose as a velocity */
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);           /* accelerations do not matter */
  e.z = fmax(LEAST_HEIGHT, now->com[2] - guide_ground(g, now->com[0]));
  for (int k = 0; k < 2; k++) {
    int axis = 1 - k;
    double sign = (k == 0 ? 1 : -1) * 1.0 / (e.z * m->mass);
    e.x[k] = whole.com[k] - now->com[k] + sign * turned.angular[axis];
    e.v[k] = whole.com_velocity[k] - now->speed[k] + sign * (whole.angular[axis] - now->angular[axis]);
  }
  return e;
}

static void limit(double x[2])
{
  double far = hypot(x[0], x[1]);
  for (int i = 0; i < 2 && far > FARTHEST; i++)
    x[i] *= FARTHEST / far;
}

/* ---- feet ---- */

/* The middle of a leg's points that stand: how far from the reference's without offsets. */
static void aim_standing(const struct modal *m, const struct footing *f, int leg, const struct guide_frame *now,
                         struct footing_leg *l)
{
  int n = 0;
  double off[2] = {0, 0};
  for (int p = 0; p < m->n_points; p++)
    if (f->leg_of_point[p] == leg && now->contact[p] && m->at[3 * p + 2] < MODAL_TOUCH) {
      for (int i = 0; i < 2; i++)
        off[i] += m->at[3 * p + i] - (now->point[3 * p + i] - l->offset[i]);
      n++;
    }
  for (int i = 0; i < 2; i++)
    l->aim[i] = l->foothold[i] = n ? off[i] / n : l->offset[i];
  limit(l->aim);
  l->aim[2] = 0;
  l->left = 1;
}

/* The foot of a leg lands k steps ahead, the body then being off by e. */
static void aim_swinging(const struct modal *m, struct footing_leg *l, int k, const struct error *e)
{
  for (int a = 0; a < 2; a++)
    l->aim[a] = m->o.footing * (e->x[a] + sqrt(e->z) * e->v[a]);
  limit(l->aim);
  memcpy(l->foothold, l->aim, sizeof l->foothold);
  l->aim[2] = 0;
  l->left = k * m->o.step;
}

/* One step on: what the ground carries, and from where. */
static void fall(const struct modal *m, const struct footing *f, const unsigned char *contact, const double *force,
                 struct error *e)
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

/* Carries the error on and sets the feet that swing now, one by one as they land. */
static void aim_legs(const struct modal *m, struct guide *g, int i, struct error *e)
{
  struct footing *f = guide_footing(g);
  int open = 0;
  for (int leg = 0; leg < f->n_legs; leg++)
    open += f->legs[leg].swings;
  for (int k = 0; k <= LOOK && open > 0; k++) {
    const unsigned char *contact;
    const double *force;
    guide_contacts(g, i + k, &contact, &force);
    for (int leg = 0; leg < f->n_legs; leg++)
      if (f->legs[leg].swings && (leg_stands(m, f, leg, contact) || k == LOOK)) {
        aim_swinging(m, &f->legs[leg], k, e);
        f->legs[leg].swings = 0;
        open--;
      }
    fall(m, f, contact, force, e);
  }
}

/* A body that was pushed aside goes on where it is, and comes back slowly: hurrying back is another push. Feet stay where they
 * are meanwhile. */
static void follow(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  struct footing *f = guide_footing(g);
  const struct guide_frame *now = guide_frame(g, i);
  struct dynamics_whole whole;
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);
  for (int k = 0; k < 2; k++) {
    double by = m->o.step * ((whole.com[k] - now->com[k]) / m->o.follow - f->lane[k] / m->o.comeback);
    f->lane[k] += by;
    for (int leg = 0; leg < f->n_legs; leg++)
      f->legs[leg].offset[k] -= by;
  }
  guide_refresh(g, i);
}

/* After a time in which nobody looked: feet in the air are where they are, and go on from there. */
static void look_again(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  struct footing *f = guide_footing(g);
  const struct guide_frame *before = guide_frame(g, i - 1), *now = guide_frame(g, i);
  for (int leg = 0; leg < f->n_legs; leg++) {
    struct footing_leg *l = &f->legs[leg];
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
    for (int a = 0; a < 3 && !leg_stands(m, f, leg, now->contact); a++) {
      l->offset[a] += off[a] / n;
      l->rate[a] += fast[a] / n;
    }
  }
  guide_refresh(g, i);
}

void modal_aim(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  struct footing *f = guide_footing(g);
  if (m->o.follow > 0)
    follow(m, g, i, s);
  if (m->blind)
    look_again(m, g, i, s);
  const struct guide_frame *now = guide_frame(g, i);
  struct error e = error_of(m, g, i, s);
  for (int leg = 0; leg < f->n_legs; leg++) {
    f->legs[leg].swings = !leg_stands(m, f, leg, now->contact);
    if (!f->legs[leg].swings)
      aim_standing(m, f, leg, now, &f->legs[leg]);
  }
  aim_legs(m, g, i, &e);
  guide_refresh(g, i);
}

/* Where to set feet (doc/modal.md, 6): the paper names it as the thing to add, and creatures that stand on lines or
 * points need it, since no force of theirs turns them about these.
 *
 * A body of height z that stands on a point falls away from it like exp(w t), w^2 = g / z; it comes to rest over a point
 * that lies ahead of its centre of mass by its velocity divided by w. So the foot that lands next goes where it would, as
 * seen from the body, and further by the error of velocity divided by w. A foot that stands is taken to be where it is. */
#include <math.h>

#include "modal/footing.h"
#include "modal/room.h"

#define FARTHEST 0.3            /* from the reference's foothold [L] */
#define LOOK 150                /* steps ahead for the next landing  */

static int leg_stands(const struct modal *m, const struct footing *f, int leg, const unsigned char *contact)
{
  int stands = 0;
  for (int p = 0; p < m->n_points; p++)
    stands |= f->leg_of_point[p] == leg && contact[p];
  return stands;
}

static double limited(double x)
{
  return fmin(FARTHEST, fmax(-FARTHEST, x));
}

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
    l->aim[i] = n ? limited(off[i] / n) : l->offset[i];
  l->left = 1;
}

/* What the last plan leaves of errors of place and velocity at the end of its window, and what that grows to until the
 * foot lands, if this is later. */
static void aim_swinging(const struct modal *m, struct guide *g, int i, struct footing_leg *l)
{
  double z = fmax(0.3, guide_frame(g, i)->com[2]), w = 1 / sqrt(z);
  int left = guide_landing(g, i, (int)(l - guide_footing(g)->legs), LOOK);
  double t = fmax(0, (left - m->o.window) * m->o.step) * w;
  for (int k = 0; k < 2; k++) {
    double drift = -m->plan.missed_place[k], slide = -m->plan.missed_speed[k] / w;
    double drift_then = cosh(t) * drift + sinh(t) * slide, slide_then = sinh(t) * drift + cosh(t) * slide;
    l->aim[k] = limited(m->o.footing * slide_then + (m->o.footing - 1) * drift_then);
  }
  l->left = left * m->o.step;
}

/* A body that was pushed aside goes on where it is, and comes back slowly: hurrying back is another push. */
static void follow(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  struct footing *f = guide_footing(g);
  const struct guide_frame *now = guide_frame(g, i);
  struct dynamics_whole whole;
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole);
  for (int k = 0; k < 2; k++)
    f->lane[k] += m->o.step * ((whole.com[k] - now->com[k]) / m->o.follow - f->lane[k] / m->o.comeback);
  guide_refresh(g, i);
}

void modal_aim(struct modal *m, struct guide *g, int i, const struct modal_state *s)
{
  struct footing *f = guide_footing(g);
  if (m->o.follow > 0)
    follow(m, g, i, s);
  const struct guide_frame *now = guide_frame(g, i);
  for (int leg = 0; leg < f->n_legs; leg++) {
    if (leg_stands(m, f, leg, now->contact))
      aim_standing(m, f, leg, now, &f->legs[leg]);
    else
      aim_swinging(m, g, i, &f->legs[leg]);
  }
  guide_refresh(g, i);
}

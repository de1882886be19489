/* Passive tissue in a step; see passive.h and doc/physics.md, "Passive tissue". */
#include "physics/passive.h"

void passive_open(struct world *w)
{
  const struct creature *c = w->c;
  size_t n = (size_t)c->n_tissues;
  if (!n)
    return;
  struct passive *p = w->passive = ARENA_NEW(w->arena, 1, struct passive);
  p->n = c->n_tissues;
  p->law = ARENA_NEW(w->arena, n, struct tissue);
  p->pull = ARENA_NEW(w->arena, n, double);
  p->gain = ARENA_NEW(w->arena, n, double);
  for (size_t i = 0; i < n; i++) {
    p->law[i] = c->tissues[i];
    p->law[i].stiffness /= w->torque;
    p->law[i].damping = c->tissues[i].damping / w->torque / w->time;
  }
}

/* The tangent of k ramp(s) touches where the present rate leads in this step, and d ramp'(s) is taken there. At s
 * itself a tendon that goes slack would hold back a light limb for a step, and one that becomes taut would come a step
 * late. What damping adds to dT/ds, d ramp''(s) s', is left out: it may be negative, and such gains are not stable. */
void passive_linearise(struct world *w, const double *v)
{
  struct passive *p = w->passive;
  for (int i = 0; i < p->n; i++) {
    const struct tissue *t = &p->law[i];
    struct tissue_pull at;
    double ahead = t->one_sided ? w->h * tissue_rate(t, v) : 0; /* of a straight line any tangent is the same */
    tissue_pull(t, tissue_stretch(t, w->q) + ahead, 0, &at);
    p->pull[i] = at.pull - at.by_stretch * ahead;
    p->gain[i] = w->h * at.by_stretch + at.by_rate;
  }
}

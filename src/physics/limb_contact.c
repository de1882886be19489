/* Limbs that touch each other: which do, or may do so within the step, and where; the same for every engine
 * (doc/physics.md, "Limbs against limbs").
 *
 * A contact is there one step before the limbs meet: fast thin limbs would pass each other between two steps.
 *
 * Most pairs are far apart, and stay so for a while. In reduced coordinates q tells how far a body can have moved
 * against the root since it was last seen: a pair that was a gap apart cannot touch before the two have moved as far.
 * Until then it is not looked at, and its bodies are not even placed. What is found does not depend on that. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/gap.h"
#include "physics/reduced.h"

#define NEAR     0.001          /* limbs so near to each other after a step at their speeds are in contact [L]  */
#define SLIPS    1e-6           /* limbs that slip faster than this have a direction of slip [sqrt(g L)]           */
#define FARTHEST_TRAVEL 1e5     /* from here on, digits of travel are missing: start anew [L]                      */

struct limb_solid {
  int limb, body;
  unsigned when_centre, when;   /* w->limbs->now when these were set          */
  double centre[3];             /* in the world                               */
  struct solid now;             /* in the world; all but its centre is seldom needed */
  struct solid at_rest;         /* from the body's centre of mass             */
};

struct limb_near {
  double due;                   /* travel of both bodies at which they may touch */
  double bounds;                /* radii of the balls around both together       */
  int body[2];
  struct limb_solid *solid[2];
};

/* ---- making ---- */

static struct limb_solid *solid_of(struct world *w, int limb)
{
  struct limb_contacts *k = w->limbs;
  const struct limb *l = &w->c->limbs[limb];
  for (int i = 0; i < k->n_solids; i++)
    if (k->solids[i].limb == limb)
      return &k->solids[i];
  struct limb_solid *s = &k->solids[k->n_solids++];
  s->limb = limb;
  s->body = w->body_of[l->body];
  solid_of_limb(l, w->length, &s->at_rest);
  k->radius[s->body] = fmax(k->radius[s->body], vec3_norm(s->at_rest.centre) + s->at_rest.bound);
  vec3_add_scaled(s->at_rest.from, w->bodies[s->body].com, -1);
  vec3_add_scaled(s->at_rest.to, w->bodies[s->body].com, -1);
  vec3_add_scaled(s->at_rest.centre, w->bodies[s->body].com, -1);
  return s;
}

void limb_contact_build(struct world *w)
{
  const struct creature *c = w->c;
  size_t bodies = (size_t)w->n_bodies;
  if (!w->options.limbs || c->n_pairs == 0)
    return;
  struct limb_contacts *k = w->limbs = ARENA_NEW(w->arena, 1, struct limb_contacts);
  k->solids = ARENA_NEW(w->arena, (size_t)c->n_limbs, struct limb_solid);
  k->pairs = ARENA_NEW(w->arena, (size_t)c->n_pairs, struct limb_near);
  k->seen = ARENA_NEW(w->arena, (size_t)c->n_dofs, double);
  double **all[] = {&k->radius, &k->arm, &k->turned, &k->moved, &k->travel, &k->reach};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    *all[i] = ARENA_NEW(w->arena, bodies, double);
  for (int i = 1; i < w->n_bodies; i++)
    k->arm[i] = vec3_norm(c->dofs[w->bodies[i].first].offset) / w->length;
  for (int i = 0; i < c->n_pairs; i++) {
    struct limb_near *p = &k->pairs[k->n_pairs++];
    p->due = -INFINITY;
    p->solid[0] = solid_of(w, c->pairs[i].a), p->solid[1] = solid_of(w, c->pairs[i].b);
    p->bounds = p->solid[0]->at_rest.bound + p->solid[1]->at_rest.bound;
    p->body[0] = p->solid[0]->body, p->body[1] = p->solid[1]->body;
  }
}

void limb_contact_forget(struct world *w)
{
  if (w->limbs)
    w->limbs->n_touches = 0;
}

/* ---- how far bodies can have moved ---- */

/* Most that the solids of each body move against the root while joints turn by `turn` (n_dofs): a joint moves as far as
 * its parent's joint, and by the turn of its parent at its distance. */
static void limb_contact_sweep(const struct world *w, const double *turn)
{
  struct limb_contacts *k = w->limbs;
  for (int i = 1; i < w->n_bodies; i++) {
    const struct body *b = &w->bodies[i];
    double angle = 0;
    for (int d = b->first; d < b->first + b->n; d++)
      angle += fabs(turn[d]);
    k->turned[i] = k->turned[b->parent] + angle;
    k->moved[i] = k->moved[b->parent] + k->turned[b->parent] * k->arm[i];
  }
}

static void limb_contact_start_anew(struct limb_contacts *k, int n_bodies)
{
  memset(k->travel, 0, (size_t)n_bodies * sizeof *k->travel);
  for (int i = 0; i < k->n_pairs; i++)
    k->pairs[i].due = -INFINITY;
}

/* Where joints give, q does not tell all: every pair is looked at. Speeds are those against the root. */
static void limb_contact_reach_of_bodies(struct world *w)
{
  struct limb_contacts *k = w->limbs;
  double u[3], spin[3], root[3];
  limb_contact_start_anew(k, w->n_bodies);
  w->engine->motion(w, 0, root, spin);
  for (int i = 0; i < w->n_bodies; i++) {
    w->engine->motion(w, i, u, spin);
    vec3_add_scaled(u, root, -1);
    double speed = vec3_norm(u) + vec3_norm(spin) * (k->radius[i] + vec3_norm(w->bodies[i].com));
    k->reach[i] = w->h * speed + 0.5 * NEAR;
  }
}

/* Travel until now, and reach: that and the way of a step at the present speeds. */
static void limb_contact_travel(struct world *w)
{
  struct limb_contacts *k = w->limbs;
  int far = 0;
  for (int i = 0; i < w->c->n_dofs; i++)
    k->seen[i] -= w->q[i];
  limb_contact_sweep(w, k->seen);
  memcpy(k->seen, w->q, (size_t)w->c->n_dofs * sizeof *k->seen);
  for (int i = 0; i < w->n_bodies; i++) {
    k->travel[i] += k->moved[i] + k->turned[i] * k->radius[i];
    far |= !(k->travel[i] < FARTHEST_TRAVEL);
  }
  if (far)
    limb_contact_start_anew(k, w->n_bodies);
  limb_contact_sweep(w, w->v);
  for (int i = 0; i < w->n_bodies; i++)
    k->reach[i] = k->travel[i] + w->h * (k->moved[i] + k->turned[i] * k->radius[i]) + 0.5 * NEAR;
}

/* ---- a step ---- */

static const double *limb_contact_centre(struct world *w, struct limb_solid *s)
{
  const struct body *b = &w->bodies[s->body];
  if (s->when_centre == w->limbs->now)
    return s->centre;
  s->when_centre = w->limbs->now;
  if (w->reduced)
    reduced_place_carriers(w, s->body);
  for (int i = 0; i < 3; i++)
    s->centre[i] = b->x[i] + vec3_dot(b->R + 4 * i, s->at_rest.centre);
  return s->centre;
}

static const struct solid *limb_contact_solid(struct world *w, struct limb_solid *s)
{
  const struct body *b = &w->bodies[s->body];
  if (s->when != w->limbs->now)
    solid_move(&s->at_rest, b->x, b->R, 4, &s->now);
  s->when = w->limbs->now;
  return &s->now;
}

/* Velocity of the place where they meet on a, against that on b. */
static void limb_contact_slip(const struct world *w, const struct touch *t, double *slip)
{
  memset(slip, 0, 3 * sizeof *slip);
  for (int side = 0; side < 2; side++) {
    const double *x = w->bodies[t->body[side]].x, arm[3] = {t->x[0] - x[0], t->x[1] - x[1], t->x[2] - x[2]};
    double u[3], spin[3];
    w->engine->motion(w, t->body[side], u, spin);
    vec3_add_cross(u, spin, arm);
    vec3_add_scaled(slip, u, side ? -1 : 1);
  }
}

/* Directions of friction: the first is that in which they slip, for there the pyramid of friction is as large as the
 * cone; where they do not, along the axis of the first body that is farthest from the normal. Both turn with the
 * creature. */
static void limb_contact_directions(const struct world *w, const double *slip, struct touch *t)
{
  const double *R = w->bodies[t->body[0]].R;
  double along[3], least = INFINITY;
  vec3_cross(t->u[0], slip, along);
  if (vec3_norm(along) > SLIPS) {
    memcpy(along, slip, sizeof along);
    least = 0;
  }
  for (int i = 0; i < 3; i++) {
    const double axis[3] = {R[i], R[4 + i], R[8 + i]};
    if (fabs(vec3_dot(axis, t->u[0])) < least) {
      least = fabs(vec3_dot(axis, t->u[0]));
      memcpy(along, axis, sizeof along);
    }
  }
  contact_ahead(along, t->u[0], t->u[1]);
  vec3_cross(t->u[0], t->u[1], t->u[2]);
}

/* Adds it in the order of pairs; of too many the one with the widest gap is left out. */
static void limb_contact_keep(struct limb_contacts *k, const struct touch *t)
{
  int out = 0;
  if (k->n_touches < WORLD_TOUCHES) {
    k->touches[k->n_touches++] = *t;
    return;
  }
  for (int i = 1; i < k->n_touches; i++)
    out = k->touches[i].gap > k->touches[out].gap ? i : out;
  if (k->touches[out].gap <= t->gap)
    return;
  memmove(k->touches + out, k->touches + out + 1, (size_t)(k->n_touches - 1 - out) * sizeof *t);
  k->touches[k->n_touches - 1] = *t;
}

/* The speed at which they must part: as feet from the ground while one is in the other; below 0 and such that they
 * arrive while they are apart. */
static double limb_contact_out(const struct world *w, double gap)
{
  return gap > 0 ? -gap / w->h : fmin(w->options.contact_erp / w->h * -gap, w->options.contact_speed);
}

static void limb_contact_look(struct world *w, struct limb_near *p)
{
  struct limb_contacts *k = w->limbs;
  double travel = k->travel[p->body[0]] + k->travel[p->body[1]];
  double near = k->reach[p->body[0]] + k->reach[p->body[1]] - travel;
  const double *a = limb_contact_centre(w, p->solid[0]), *b = limb_contact_centre(w, p->solid[1]);
  const double between[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  double apart = vec3_norm(between) - p->bounds; /* at least */
  struct gap g;
  if (apart > near) {
    p->due = travel + apart;
    return;
  }
  gap_between(limb_contact_solid(w, p->solid[0]), limb_contact_solid(w, p->solid[1]), &g);
  p->due = travel + g.gap;
  if (!(g.gap < near))
    return;
  struct touch t = {.limb = {p->solid[0]->limb, p->solid[1]->limb}, .body = {p->body[0], p->body[1]}, .gap = g.gap};
  memcpy(t.x, g.at, sizeof t.x);
  memcpy(t.u[0], g.normal, sizeof t.u[0]);
  double slip[3];
  limb_contact_slip(w, &t, slip);
  if (!(g.gap < 0 || g.gap + w->h * vec3_dot(slip, t.u[0]) < NEAR))
    return;
  limb_contact_directions(w, slip, &t);
  t.out = limb_contact_out(w, g.gap);
  limb_contact_keep(k, &t);
}

void limb_contact_find(struct world *w)
{
  struct limb_contacts *k = w->limbs;
  if (!k)
    return;
  k->n_touches = 0;
  k->now++;
  if (w->reduced)
    limb_contact_travel(w);
  else
    limb_contact_reach_of_bodies(w);
  for (int i = 0; i < k->n_pairs; i++) {
    struct limb_near *p = &k->pairs[i];
    if (k->reach[p->body[0]] + k->reach[p->body[1]] >= p->due)
      limb_contact_look(w, p);
  }
}

int world_touches(const struct world *w, struct world_touch *out, int most)
{
  int n = 0;
  for (int i = 0; w->limbs && i < w->limbs->n_touches; i++) {
    const struct touch *t = &w->limbs->touches[i];
    if (t->gap > 0 && !(vec3_norm(t->force) > 0))
      continue; /* might have met, and did not */
    if (n < most) {
      struct world_touch *o = &out[n];
      *o = (struct world_touch){.a = t->limb[0], .b = t->limb[1], .depth = -t->gap * w->length};
      vec3_add_scaled(o->place, t->x, w->length);
      vec3_add_scaled(o->force, t->force, w->force);
    }
    n++;
  }
  return n;
}

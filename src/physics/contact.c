/* Feet, and limbs if wanted, on the ground: which places may touch it, how deep they are in it, and the forces there,
 * the same for every engine (doc/physics.md, "Contacts"). */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "physics/room.h"

/* Height and normal of the ground, in our units. */
static double ground(const struct world *w, const double *x, double *normal)
{
  if (w->options.terrain.kind != TERRAIN_FLAT)
    return terrain_height(&w->options.terrain, x[0] * w->length, x[1] * w->length, normal) / w->length;
  normal[0] = normal[1] = 0, normal[2] = 1;
  return w->options.terrain.level / w->length;
}

/* x: from the probe's centre to its lowest point. */
static void lower(const struct probe *p, const double *R, const double *normal, double *x)
{
  if (p->spread[0] > 0) { /* an ellipsoid: -S n / sqrt(n . S n), S in the world */
    double local[3], S[3];
    for (int i = 0; i < 3; i++)
      local[i] = R[i] * normal[0] + R[4 + i] * normal[1] + R[8 + i] * normal[2];
    sym3_mul_vec(p->spread, local, S);
    double reach = sqrt(vec3_dot(local, S));
    for (int i = 0; i < 3; i++)
      x[i] -= vec3_dot(R + 4 * i, S) / reach;
  } else if (p->radius > 0) {
    vec3_add_scaled(x, normal, -p->radius);
  }
}

/* How deep the probe is in the ground, where, and which way is out. */
double contact_depth(const struct world *w, const struct probe *p, double *x, double *normal)
{
  const struct body *b = &w->bodies[p->body];
  for (int i = 0; i < 3; i++)
    x[i] = b->x[i] + vec3_dot(b->R + 4 * i, p->at);
  double z = ground(w, x, normal);
  lower(p, b->R, normal, x);
  return (z - x[2]) * normal[2];
}

/* ---- which places can touch ---- */

/* place: in the limb's frame [m] */
static struct probe *add_probe(struct world *w, int limb, const double *place)
{
  const struct limb *l = &w->c->limbs[limb];
  struct probe *p = &w->probes[w->n_probes++];
  memset(p, 0, sizeof *p);
  p->body = w->body_of[l->body];
  p->limb = limb;
  p->point = -1;
  for (int i = 0; i < 3; i++)
    p->at[i] = (l->origin[i] + place[i]) / w->length - w->bodies[p->body].com[i];
  return p;
}

/* Takes the last probe back if it comes near to flat ground in the rest pose, in which the bodies are: there the
 * points of the feet touch. */
static void drop_foot(struct world *w)
{
  const struct probe *p = &w->probes[w->n_probes - 1];
  const struct body *b = &w->bodies[p->body];
  const double up[3] = {0, 0, 1};
  double x[3];
  for (int i = 0; i < 3; i++)
    x[i] = b->x[i] + vec3_dot(b->R + 4 * i, p->at);
  lower(p, b->R, up, x);
  if (x[2] < SHAPE_CLEARANCE)
    w->n_probes--;
}

static void add_corners(struct world *w, int limb)
{
  const struct shape *s = &w->c->limbs[limb].shape;
  for (int k = 0; k < 8; k++) {
    double half[3], place[3];
    for (int i = 0; i < 3; i++)
      half[i] = (k >> i & 1 ? 0.5 : -0.5) * s->size[i];
    mat3_mul_vec(s->frame, half, place);
    vec3_add_scaled(place, s->centre, 1);
    add_probe(w, limb, place);
    drop_foot(w);
  }
}

static void add_shape(struct world *w, int limb)
{
  const struct shape *s = &w->c->limbs[limb].shape;
  if (s->kind == SHAPE_CAPSULE) {
    double ends[2][3];
    creature_capsule_axis(s, ends[0], ends[1]);
    for (int end = 0; end < 2; end++) {
      add_probe(w, limb, ends[end])->radius = s->size[0] / 2 / w->length;
      drop_foot(w);
    }
  } else if (s->kind == SHAPE_BOX) {
    add_corners(w, limb);
  } else if (s->kind == SHAPE_ELLIPSOID) {
    double square[6] = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 3; i++)
      square[i] = s->size[i] * s->size[i] / 4 / (w->length * w->length);
    sym3_turn(s->frame, square, add_probe(w, limb, s->centre)->spread);
    drop_foot(w);
  }
}

void contact_build(struct world *w)
{
  const struct creature *c = w->c;
  w->probes = ARENA_NEW(w->arena, (size_t)c->n_points + 8 * (size_t)c->n_limbs, struct probe);
  for (int i = 0; i < c->n_points; i++) {
    const struct limb *l = &c->limbs[c->points[i].limb];
    double place[3]; /* a point is given in its body's frame */
    for (int k = 0; k < 3; k++)
      place[k] = c->points[i].at[k] - l->origin[k];
    add_probe(w, c->points[i].limb, place)->point = i;
  }
  for (int i = 0; w->options.shapes && i < c->n_limbs; i++)
    if (c->limbs[i].solid)
      add_shape(w, i);
}

/* ---- a step ---- */

/* Friction has two directions; they go with the creature, so that turning it turns all that happens to it. */
void contact_ahead(const double *ahead, const double *normal, double *direction)
{
  double along = vec3_dot(ahead, normal);
  for (int i = 0; i < 3; i++)
    direction[i] = ahead[i] - along * normal[i];
  double length = vec3_norm(direction);
  for (int i = 0; i < 3; i++)
    direction[i] /= length;
}

void contact_collect(struct world *w)
{
  size_t n_points = (size_t)w->c->n_points, n_limbs = (size_t)w->c->n_limbs;
  memset(w->forces, 0, 3 * n_points * sizeof *w->forces);
  memset(w->limb_forces, 0, 3 * n_limbs * sizeof *w->limb_forces);
  memset(w->on, 0, n_points);
  memset(w->limb_on, 0, n_limbs);
  for (int i = 0; i < w->n_probes; i++) {
    const struct probe *p = &w->probes[i];
    if (!p->on)
      continue;
    vec3_add_scaled(p->point >= 0 ? w->forces + 3 * p->point : w->limb_forces + 3 * p->limb, p->force, 1);
    *(p->point >= 0 ? &w->on[p->point] : &w->limb_on[p->limb]) = 1;
  }
}

static void read_out(size_t n, double unit, const double *forces, const unsigned char *on, double *force,
                     unsigned char *touching)
{
  for (size_t i = 0; force && i < 3 * n; i++)
    force[i] = forces[i] * unit;
  if (touching)
    memcpy(touching, on, n);
}

void world_contacts(const struct world *w, double *force, unsigned char *touching)
{
  read_out((size_t)w->c->n_points, w->force, w->forces, w->on, force, touching);
}

void world_limb_contacts(const struct world *w, double *force, unsigned char *touching)
{
  read_out((size_t)w->c->n_limbs, w->force, w->limb_forces, w->limb_on, force, touching);
}

double world_ground(const struct world *w, double x, double y)
{
  return terrain_height(&w->options.terrain, x, y, NULL);
}

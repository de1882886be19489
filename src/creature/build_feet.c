/* From the sketch to the creature: feet, their contact points, the legs that they stand on. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/build.h"

/* Children of each limb whose subtrees turn about something; a hoof or a spur that is fixed is no branch. */
static int *build_feet_count_moving(const struct build *b, int *moves)
{
  int *n_moving = ARENA_NEW(b->k->arena, (size_t)b->c->n_limbs, int);
  for (int i = b->c->n_limbs - 1; i > 0; i--) { /* children before parents */
    moves[i] = b->limbs[i].n_dofs > 0 || n_moving[i] > 0;
    n_moving[b->limbs[i].parent] += moves[i];
  }
  return n_moving;
}

/* Up from the foot's limb for as long as nothing else that moves hangs on the way; the root is no leg. */
static void build_feet_set_leg(struct build *b, struct foot *f, const int *moves, const int *n_moving)
{
  int n = f->limb, parent = b->limbs[n].parent;
  const double *origin = b->limbs[n].origin;
  double farthest = 0.0;
  for (int i = 0; i < f->n_points; i++) { /* points are in the body's frame; the limb's origin may be elsewhere */
    const double *at = b->points[f->first_point + i].at;
    farthest = fmax(farthest, vec3_norm((double[]){at[0] - origin[0], at[1] - origin[1], at[2] - origin[2]}));
  }
  f->leg_length = farthest;
  while (parent > 0 && n_moving[parent] - moves[n] == 0) {
    f->leg_length += vec3_norm(b->limbs[n].at);
    n = parent;
    parent = b->limbs[n].parent;
  }
  f->first_leg_limb = n;
}

static void build_feet_add_points(struct build *b, int foot, const struct sketch_foot *from, enum side side)
{
  struct foot *f = &b->feet[foot];
  const struct limb *l = &b->limbs[f->limb];
  f->first_point = b->c->n_points;
  f->n_points = from->n_points;
  for (int i = 0; i < from->n_points; i++) {
    struct contact_point *p = &b->points[b->c->n_points++];
    const struct sketch_point *s = &from->points[i];
    const double *at = s->section ? s->at : l->shape.to; /* the latter is of this image already */
    double y_sign = s->section && side == SIDE_RIGHT ? -1.0 : 1.0;
    p->name = s->section ? arena_printf(b->arena, "%s.%s", f->name, s->section->title) : f->name;
    p->foot = foot;
    p->limb = f->limb;
    p->body = l->body;
    for (int j = 0; j < 3; j++)
      p->at[j] = l->origin[j] + (j == 1 ? y_sign : 1.0) * at[j];
  }
}

static void build_feet_add_foot(struct build *b, const struct sketch_foot *from, enum side side)
{
  int n = b->c->n_feet++;
  struct foot *f = &b->feet[n];
  b->foot_of[n] = from;
  f->name = build_image_name(b->arena, from->name, side);
  f->limb = b->image[from->limb][side != SIDE_BOTH ? side : from->side];
  f->clearance = from->clearance;
  f->mirror = side == SIDE_BOTH ? n : side == SIDE_LEFT ? n + 1 : n - 1;
  build_feet_add_points(b, n, from, side);
}

/* Of a foot on the midline: the point across, if there is one, else itself. */
static int build_feet_point_across(const struct build *b, const struct foot *f, int p)
{
  const double *at = b->points[p].at;
  for (int i = f->first_point; i < f->first_point + f->n_points; i++) {
    const double *other = b->points[i].at;
    if (fabs(at[0] - other[0]) + fabs(at[1] + other[1]) + fabs(at[2] - other[2]) < 1e-9)
      return i;
  }
  return p;
}

static void build_feet_set_point_mirrors(struct build *b)
{
  for (int i = 0; i < b->c->n_points; i++) {
    const struct foot *f = &b->feet[b->points[i].foot];
    int is_own = &b->feet[f->mirror] == f;
    b->points[i].mirror =
        is_own ? build_feet_point_across(b, f, i) : b->feet[f->mirror].first_point + i - f->first_point;
  }
}

void build_feet(struct build *b)
{
  const struct sketch *k = b->k;
  size_t n_feet = 2 * (size_t)k->n_feet;
  b->feet = ARENA_NEW(b->arena, n_feet, struct foot);
  b->points = ARENA_NEW(b->arena, n_feet * SKETCH_MAX_POINTS, struct contact_point);
  b->foot_of = ARENA_NEW(k->arena, n_feet, const struct sketch_foot *);
  for (int i = 0; i < k->n_feet; i++) {
    if (k->feet[i].mirrored) {
      build_feet_add_foot(b, &k->feet[i], SIDE_LEFT);
      build_feet_add_foot(b, &k->feet[i], SIDE_RIGHT);
    } else {
      build_feet_add_foot(b, &k->feet[i], SIDE_BOTH);
    }
  }
  build_feet_set_point_mirrors(b);
  int *moves = ARENA_NEW(k->arena, (size_t)b->c->n_limbs, int), *n_moving = build_feet_count_moving(b, moves);
  for (int i = 0; i < b->c->n_feet; i++)
    build_feet_set_leg(b, &b->feet[i], moves, n_moving);
}

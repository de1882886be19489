/* Changes of a body that its file or a style asks for, limb by limb and axis by axis, also of one side of what is
 * mirrored: made when both images exist, those of limbs before joints are placed, all before masses are added up. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "creature/build.h"

int build_images(const struct build *b, const struct sketch_part *p, int limbs[2])
{
  const int *image = b->image[p->limb];
  int n = 0;
  if (!b->k->limbs[p->limb].mirrored)
    limbs[n++] = image[SIDE_BOTH];
  else
    for (enum side side = SIDE_LEFT; side <= SIDE_RIGHT; side++)
      if (p->side == SIDE_BOTH || p->side == side)
        limbs[n++] = image[side];
  return n;
}

static void build_replace(double *value, const double *given, size_t n)
{
  if (!isnan(given[0]))
    memcpy(value, given, n * sizeof *value);
}

/* A limb of the same shape with another mass; a moment of inertia that is given stands as it is. */
static void build_change_limb(struct build *b, struct limb *l, const struct sketch_change *x)
{
  double mass = isnan(x->mass) ? l->mass : x->mass, factor;
  if (!isnan(x->mass_factor))
    mass *= x->mass_factor;
  if (!(mass >= 1e-12 && mass <= 1e6)) { /* by many factors */
    SKETCH_ERROR(b, x->section, "%s: the mass of '%s' would be %g kg", text_describe(x->section).words, l->name, mass);
    return;
  }
  factor = mass / l->mass;
  l->mass = mass;
  for (int i = 0; i < 6; i++)
    l->inertia[i] *= factor;
  build_replace(l->inertia, x->inertia, 6);
  build_replace(l->com, x->com, 3);
  build_replace(l->at, x->at, 3);
}

static double build_changed(double value, double given, double factor)
{
  double x = isnan(given) ? value : given;
  return isnan(factor) ? x : x * factor;
}

/* The image of the axis becomes one of its own: its other side stays as it is described. */
static void build_change_axis(struct build *b, int i, const struct sketch_axis_change *x)
{
  struct sketch_axis *a = ARENA_NEW(b->k->arena, 1, struct sketch_axis);
  struct dof *d = &b->dofs[i];
  *a = *b->axis_of[i];
  b->axis_of[i] = a;
  if (!isnan(x->lower)) {
    d->lower = x->lower;
    d->upper = x->upper;
  }
  if (!isnan(x->rest))
    d->rest = x->rest;
  if (!isnan(x->range_factor)) {
    d->lower = d->rest + x->range_factor * (d->lower - d->rest);
    d->upper = d->rest + x->range_factor * (d->upper - d->rest);
  }
  build_replace(d->axis, x->about, 3);
  d->kind = build_kind_of(d->axis);
  d->torque_max = build_changed(d->torque_max, x->torque, x->torque_factor);
  a->rest = d->rest;
  a->stiffness = build_changed(a->stiffness, x->stiffness, x->stiffness_factor);
  a->damping = build_changed(a->damping, x->damping, x->damping_factor);
  if (!(d->lower <= d->rest && d->rest <= d->upper))
    SKETCH_ERROR(b, x->section, "%s: rest is %g, outside of the range %g to %g of '%s'",
                 text_describe(x->section).words, d->rest * TO_DEGREES, d->lower * TO_DEGREES, d->upper * TO_DEGREES,
                 d->name);
}

/* The axes of limb n that a section speaks of: those of its name, or any. */
static void build_change_axes(struct build *b, int n, int only, const struct sketch_axis_change *x)
{
  const struct sketch_limb *from = b->limb_of[n];
  for (int i = 0; i < from->n_axes; i++)
    if ((only < 0 || only == i) &&
        (!strcmp(x->section->title, "any") || !strcmp(x->section->title, from->axes[i].section->title)))
      build_change_axis(b, b->limbs[n].first_dof + i, x);
}

void build_limb_changes(struct build *b)
{
  for (int i = 0; i < b->k->n_changes; i++) {
    const struct sketch_change *x = &b->k->changes[i];
    for (int p = 0; p < x->of.n; p++) {
      int limbs[2], n = build_images(b, &x->of.parts[p], limbs);
      for (int j = 0; j < n; j++)
        build_change_limb(b, &b->limbs[limbs[j]], x);
    }
  }
}

/* After another direction: do the axes of limb n still turn it in different ways? */
static void build_check_axes(struct build *b, int n, const struct sketch_change *x)
{
  int n_axes = b->limb_of[n]->n_axes, others = 0;
  double about[SKETCH_MAX_AXES][3];
  for (int i = 0; i < n_axes; i++)
    memcpy(about[i], b->dofs[b->limbs[n].first_dof + i].axis, sizeof about[i]);
  for (int i = 0; i < x->n_axes; i++)
    others |= !isnan(x->axes[i].about[0]);
  if (others && sketch_find_dependent((const double (*)[3])about, n_axes))
    SKETCH_ERROR(b, x->section, "%s: the axes of limb '%s' would be parallel, or all in one plane",
                 text_describe(x->section).words, b->limbs[n].name);
}

void build_axis_changes(struct build *b)
{
  for (int i = 0; i < b->k->n_changes; i++) {
    const struct sketch_change *x = &b->k->changes[i];
    for (int p = 0; p < x->of.n && x->n_axes; p++) {
      int limbs[2], n = build_images(b, &x->of.parts[p], limbs);
      for (int j = 0; j < n; j++) {
        for (int a = 0; a < x->n_axes; a++)
          build_change_axes(b, limbs[j], x->of.parts[p].axis, &x->axes[a]);
        build_check_axes(b, limbs[j], x);
      }
    }
  }
}

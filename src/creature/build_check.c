/* What is wrong or odd about a creature that shows only when it is whole: joints that move no mass, feet in the air, a
 * mirror that does not fit. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/build.h"

#define WARN(b, s, ...) diag_warning((b)->d, (s)->file, (s)->line, __VA_ARGS__)

/* ---- joints that move no mass ---- */

struct moments {                    /* of some mass, in the world, about the world's origin */
  double mass, first[3], second[6]; /* as in struct dof: integrals of 1, r, r r^T */
};

static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

/* second moments about a point moved by p: sum m (r - p)(r - p)^T */
static void build_check_move_moments(struct moments *m, const double p[3])
{
  for (int n = 0; n < 6; n++) {
    int i = row[n], j = column[n];
    m->second[n] += m->mass * p[i] * p[j] - m->first[i] * p[j] - p[i] * m->first[j];
  }
  for (int i = 0; i < 3; i++)
    m->first[i] -= m->mass * p[i];
}

/* The moments of one body, turned and moved into the world. */
static struct moments build_check_world_moments(const struct dof *d, const struct pose_frame *f)
{
  struct moments w = {.mass = d->mass};
  mat3_mul_vec(f->R, d->moment1, w.first);
  sym3_turn(f->R, d->moment2, w.second);
  build_check_move_moments(&w, (double[]){-f->p[0], -f->p[1], -f->p[2]});
  return w;
}

static void build_check_add_moments(struct moments *sum, const struct moments *m)
{
  sum->mass += m->mass;
  for (int i = 0; i < 3; i++)
    sum->first[i] += m->first[i];
  for (int n = 0; n < 6; n++)
    sum->second[n] += m->second[n];
}

/* Does all mass lie on the line through p along the axis? Then its inertia about it is nothing beside the second moment
 * about p, or beside what rounding leaves of moments about the world's origin, or it is nearer than 0.3 micrometres. */
static int build_check_lies_on_axis(struct moments m, const double p[3], const double axis[3])
{
  double along[3], rounding = 1e-13 * m.mass * (1.0 + vec3_dot(p, p));
  build_check_move_moments(&m, p);
  sym3_mul_vec(m.second, axis, along);
  double trace = m.second[0] + m.second[1] + m.second[2], inertia = trace - vec3_dot(axis, along);
  return !(inertia > 1e-9 * trace && inertia > rounding);
}

static void build_check_complain_massless(struct build *b, int i)
{
  const struct sketch_limb *l = b->limb_of[b->dofs[i].limb];
  const struct sketch_axis *a = b->axis_of[i];
  if (a)
    SKETCH_ERROR(b, a->section, "limb '%s': axis '%s' moves no mass, all that it carries lies on it", l->name,
                 a->section->title);
  else
    SKETCH_ERROR(b, l->section, "the creature has no inertia about the axis of '%s'; give limb '%s' a shape",
                 b->dofs[i].name, l->name);
}

static void build_check_inertias(struct build *b)
{
  int n = b->c->n_dofs;
  struct moments *carried = ARENA_NEW(b->k->arena, (size_t)n, struct moments);
  for (int i = n - 1; i >= 0; i--) {
    struct moments own = build_check_world_moments(&b->dofs[i], &b->rest[i]);
    build_check_add_moments(&carried[i], &own);
    if (i > 0)
      build_check_add_moments(&carried[b->dofs[i].parent], &carried[i]);
    if (i < 3)
      continue; /* these move the whole mass along */
    double axis[3];
    mat3_mul_vec(b->rest[i].R, b->dofs[i].axis, axis);
    if (build_check_lies_on_axis(carried[i], b->rest[i].p, axis))
      build_check_complain_massless(b, i);
  }
}

/* Three axes of a joint that lie in one plane at rest: the joint cannot turn across that plane (gimbal lock), and the
 * mass matrix is singular. */
static void build_check_lock(struct build *b, const struct limb *l)
{
  double axes[3][3], normal[3];
  if (l->n_dofs != 3)
    return;
  for (int i = 0; i < 3; i++)
    mat3_mul_vec(b->rest[l->first_dof + i].R, b->dofs[l->first_dof + i].axis, axes[i]);
  vec3_cross(axes[0], axes[1], normal);
  if (fabs(vec3_dot(normal, axes[2])) > 0.1) /* for a right angle between neighbours: 6 degrees */
    return;
  const struct sketch_limb *from = b->limb_of[l - b->limbs];
  WARN(b, from->axes[2].section, "limb '%s': at rest its three axes nearly lie in one plane, the joint locks there",
       from->name);
}

/* ---- the mirror ---- */

static int build_check_is_on_midline(const struct limb *l)
{
  return l->at[1] == 0.0 && l->shape.from[1] == 0.0 && l->shape.to[1] == 0.0 && l->com[1] == 0.0;
}

/* n is the left image of a limb on the midline: do it and all that hangs on it coincide with their images? */
static void build_check_pair(struct build *b, int n)
{
  const struct sketch_limb *from = b->limb_of[n];
  int flat = build_check_is_on_midline(&b->limbs[n]);
  for (int i = n + 1; i < b->c->n_limbs && b->limbs[i].parent >= n; i++)
    flat &= build_check_is_on_midline(&b->limbs[i]);
  if (flat)
    WARN(b, from->section, "limb '%s' is mirrored but has y = 0 everywhere: its two images coincide", from->name);
  else if (b->limbs[n].at[1] < 0.0)
    WARN(b, from->section, "limb '%s' is mirrored and must be written for the left side, but its joint is at y = %g",
         from->name, b->limbs[n].at[1]);
}

/* n has no image: is it its own? */
static void build_check_single(struct build *b, int n)
{
  const struct sketch_limb *from = b->limb_of[n];
  const struct limb *l = &b->limbs[n];
  if (from->is_load)
    return;
  if (from->parent_side != SIDE_BOTH)
    WARN(b, from->section, "limb '%s' hangs on one side only: a mirrored pose leaves it on that side", from->name);
  else if (l->at[1] != 0.0 && n > 0)
    WARN(b, from->section, "limb '%s' is not mirrored, but its joint is off the middle, at y = %g", from->name,
         l->at[1]);
  for (int i = l->first_dof; n > 0 && i < l->first_dof + l->n_dofs; i++) {
    double along = fabs(b->dofs[i].axis[1]);
    if (along == 0.0 || along == 1.0)
      continue;
    WARN(b, b->axis_of[i]->section, "limb '%s': axis '%s' is neither along y nor across it, mirrored poses are inexact",
         from->name, b->axis_of[i]->section->title);
  }
}

static void build_check_mirror(struct build *b)
{
  for (int n = 0; n < b->c->n_limbs; n++) {
    int parent = b->limbs[n].parent;
    if (b->side_of[n] == SIDE_BOTH)
      build_check_single(b, n);
    else if (b->side_of[n] == SIDE_LEFT && b->side_of[parent] == SIDE_BOTH)
      build_check_pair(b, n);
  }
}

/* ---- masses, feet ---- */

static void build_check_mass(struct build *b)
{
  double wanted = b->k->body_mass, mass = b->own_mass;
  if (wanted > 0.0 && fabs(mass - wanted) > 0.01 * wanted)
    WARN(b, b->k->body_mass_entry, "the limbs together have %.4g kg, but body_mass is %.4g kg", mass, wanted);
}

static void build_check_height(struct build *b)
{
  const struct sketch_limb *root = b->limb_of[0];
  if (b->c->height > 0.0)
    return;
  const char *what = b->c->n_points > 0 ? "lowest contact point" : "lowest point";
  SKETCH_ERROR(b, root->section, "at rest the %s is %.3g m above the origin of the root, limb '%s'; it must be below",
               what, 0.0 - b->c->height, root->name);
}

static int build_check_is_used(const struct build *b, int point)
{
  for (int i = 0; i < b->c->n_gaits; i++)
    if (b->c->gaits[i].n_intervals[point] > 0)
      return 1;
  return 0;
}

/* A creature whose feet are not level at rest cannot stand as it is described. */
static void build_check_level(struct build *b)
{
  int lowest = -1, n = b->c->n_points;
  double *z = ARENA_NEW(b->k->arena, (size_t)n, double), world[3];
  for (int i = 0; i < n; i++) {
    pose_point(&b->rest[b->points[i].body], b->points[i].at, world);
    z[i] = world[2];
    if (build_check_is_used(b, i) && (lowest < 0 || z[i] < z[lowest]))
      lowest = i;
  }
  for (int i = 0; i < n; i++) {
    int is_image = b->points[i].mirror < i; /* its left side was reported */
    if (!build_check_is_used(b, i) || is_image || !(z[i] - z[lowest] > 0.05 * b->c->height))
      continue;
    WARN(b, b->foot_of[b->points[i].foot]->section, "at rest '%s' is %.3g m above '%s'; feet of a gait should be level",
         b->points[i].name, z[i] - z[lowest], b->points[lowest].name);
  }
}

void build_check(struct build *b)
{
  build_check_inertias(b);
  build_check_height(b);
  if (b->d->n_errors > 0)
    return;
  build_check_mass(b);
  for (int n = 1; n < b->c->n_limbs; n++)
    build_check_lock(b, &b->limbs[n]);
  build_check_mirror(b);
  build_check_level(b);
  build_pairs_check(b);
}

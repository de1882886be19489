/* From the sketch to the creature: mirror images, tree order, degrees of freedom, the masses that each carries. */
#include "creature/build.h"

#include <math.h>
#include <string.h>

#include "creature/motions.h"
#include "creature/solid.h"

/* ---- limbs ---- */

const char *build_image_name(struct arena *arena, const char *name, enum side side)
{
  if (side == SIDE_BOTH)
    return arena_strdup(arena, name);
  return arena_printf(arena, "%s_%s", side == SIDE_LEFT ? "left" : "right", name);
}

static void build_mirror_limb(struct limb *l)
{
  l->at[1] = 0.0 - l->at[1]; /* not -y: there is no need for a negative zero */
  l->com[1] = 0.0 - l->com[1];
  solid_mirror(&l->shape);
  solid_mirror_inertia(l->inertia);
}

/* One image of a described limb. */
static void build_add_limb(struct build *b, int i, enum side side, int parent)
{
  const struct sketch_limb *from = &b->k->limbs[i];
  int n = b->c->n_limbs++;
  struct limb *l = &b->limbs[n];
  b->limb_of[n] = from;
  b->side_of[n] = side;
  b->image[i][side] = n;
  l->name = build_image_name(b->arena, from->name, side);
  l->parent = parent;
  l->shape = from->shape;
  l->mass = from->mass;
  l->volume = from->volume;
  l->solid = from->solid;
  l->is_load = from->is_load;
  memcpy(l->at, from->at, sizeof l->at);
  memcpy(l->com, from->com, sizeof l->com);
  memcpy(l->inertia, from->inertia, sizeof l->inertia);
  if (side == SIDE_RIGHT)
    build_mirror_limb(l);
  if (from->at_end && parent >= 0)
    memcpy(l->at, b->limbs[parent].shape.to, sizeof l->at);
}

/* Depth first, in the order of the file: each side of a mirrored limb with all that hangs on it, left before right. The
 * depth of the recursion is at most SKETCH_MAX_LIMBS. */
static void build_add_tree(struct build *b, int i, enum side side, int parent)
{
  int n = b->c->n_limbs;
  build_add_limb(b, i, side, parent);
  for (int j = 0; j < b->k->n_limbs; j++) {
    const struct sketch_limb *child = &b->k->limbs[j];
    if (child->parent != i)
      continue;
    if (child->parent_side != SIDE_BOTH) {
      if (child->parent_side == side)
        build_add_tree(b, j, SIDE_BOTH, n);
    } else if (side == SIDE_BOTH && child->mirrored) {
      build_add_tree(b, j, SIDE_LEFT, n);
      build_add_tree(b, j, SIDE_RIGHT, n);
    } else {
      build_add_tree(b, j, side, n);
    }
  }
}

void build_limbs(struct build *b)
{
  size_t most = 2 * (size_t)b->k->n_limbs;
  b->limbs = ARENA_NEW(b->arena, most, struct limb);
  b->limb_of = ARENA_NEW(b->k->arena, most, const struct sketch_limb *);
  b->side_of = ARENA_NEW(b->k->arena, most, enum side);
  b->image = arena_alloc(b->k->arena, (size_t)b->k->n_limbs, sizeof *b->image);
  build_add_tree(b, b->k->root, SIDE_BOTH, -1);
  for (int n = 0; n < b->c->n_limbs; n++) {
    const int *images = b->image[b->limb_of[n] - b->k->limbs];
    enum side side = b->side_of[n];
    b->limbs[n].mirror = side == SIDE_BOTH ? n : images[side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT];
  }
}

/* ---- degrees of freedom ---- */

enum axis_kind build_kind_of(const double axis[3])
{
  for (int i = 0; i < 3; i++)
    if (axis[(i + 1) % 3] == 0.0 && axis[(i + 2) % 3] == 0.0)
      return (enum axis_kind)i;
  return AXIS_ANY;
}

static void build_add_root(struct build *b)
{
  static const struct {
    const char *name;
    int axis, mirror_sign;
  } root[CREATURE_ROOT_DOFS] = {{"root_x", 0, 1},    {"root_y", 1, -1},    {"root_z", 2, 1},
                                {"root_yaw", 2, -1}, {"root_pitch", 1, 1}, {"root_roll", 0, -1}};
  for (int i = 0; i < CREATURE_ROOT_DOFS; i++) {
    struct dof *d = &b->dofs[b->c->n_dofs++];
    d->name = root[i].name;
    d->parent = i - 1;
    d->mirror = i;
    d->mirror_sign = root[i].mirror_sign;
    d->axis[root[i].axis] = 1.0;
    d->kind = build_kind_of(d->axis);
    d->lower = -INFINITY;
    d->upper = INFINITY;
  }
  b->limbs[0].n_dofs = CREATURE_ROOT_DOFS;
  b->limbs[0].body = CREATURE_ROOT_DOFS - 1;
}

static void build_add_dof(struct build *b, int n, const struct sketch_axis *a, int parent)
{
  struct dof *d = &b->dofs[b->c->n_dofs];
  b->axis_of[b->c->n_dofs++] = a;
  d->name = arena_printf(b->arena, "%s.%s", b->limbs[n].name, a->section->title);
  d->parent = parent;
  d->limb = n;
  memcpy(d->axis, a->about, sizeof d->axis);
  if (b->side_of[n] == SIDE_RIGHT) { /* the same angle turns the other way about x and z: an axis is a pseudovector */
    d->axis[0] = 0.0 - d->axis[0];
    d->axis[2] = 0.0 - d->axis[2];
  }
  d->kind = build_kind_of(d->axis);
  d->lower = a->lower;
  d->upper = a->upper;
  d->rest = a->rest;
  d->torque_max = a->torque;
}

/* The joint of limb n: its axes, and the place of the first in the body that carries it. */
static void build_add_joint(struct build *b, int n)
{
  struct limb *l = &b->limbs[n];
  const struct limb *parent = &b->limbs[l->parent];
  const struct sketch_limb *from = b->limb_of[n];
  double place[3];
  for (int i = 0; i < 3; i++)
    place[i] = parent->origin[i] + l->at[i];
  l->n_dofs = from->n_axes;
  l->first_dof = from->n_axes ? b->c->n_dofs : parent->body;
  l->body = parent->body;
  if (from->n_axes == 0) {
    memcpy(l->origin, place, sizeof place);
    return;
  }
  memcpy(b->dofs[l->first_dof].offset, place, sizeof place);
  b->dofs[l->first_dof].has_offset = place[0] != 0.0 || place[1] != 0.0 || place[2] != 0.0;
  for (int i = 0; i < from->n_axes; i++) {
    build_add_dof(b, n, &from->axes[i], l->body);
    l->body = b->c->n_dofs - 1;
  }
}

/* An axis on the midline is its own mirror image: along y it turns the same way, across y the other way. */
static void build_set_mirror(struct build *b, int i)
{
  struct dof *d = &b->dofs[i];
  const struct limb *l = &b->limbs[d->limb], *other = &b->limbs[l->mirror];
  d->mirror = other->first_dof + (i - l->first_dof);
  d->mirror_sign = d->mirror == i && d->axis[1] == 0.0 ? -1 : 1;
}

/* Adds the mass of limb l to its body: moments about the body's origin, from those about the centre of mass. */
static void build_add_mass(struct build *b, const struct limb *l)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  struct dof *d = &b->dofs[l->body];
  double c[3], own[6];
  for (int i = 0; i < 3; i++)
    c[i] = l->origin[i] + l->com[i];
  solid_second_moment(l->inertia, own);
  d->has_mass = 1;
  d->mass += l->mass;
  b->c->mass += l->mass;
  for (int i = 0; i < 3; i++)
    d->moment1[i] += l->mass * c[i];
  for (int n = 0; n < 6; n++)
    d->moment2[n] += own[n] + l->mass * c[row[n]] * c[column[n]];
}

void build_dofs(struct build *b)
{
  size_t n_dofs = CREATURE_ROOT_DOFS;
  for (int n = 0; n < b->c->n_limbs; n++)
    n_dofs += (size_t)b->limb_of[n]->n_axes;
  b->dofs = ARENA_NEW(b->arena, n_dofs, struct dof);
  b->axis_of = ARENA_NEW(b->k->arena, n_dofs, const struct sketch_axis *);
  build_add_root(b);
  for (int n = 1; n < b->c->n_limbs; n++)
    build_add_joint(b, n);
}

void build_mirrors(struct build *b)
{
  for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs; i++)
    build_set_mirror(b, i);
}

void build_masses(struct build *b)
{
  for (int n = 0; n < b->c->n_limbs; n++) {
    build_add_mass(b, &b->limbs[n]);
    b->own_mass += b->limb_of[n]->is_load ? 0.0 : b->limb_of[n]->mass;
  }
}

/* ---- the whole ---- */

/* Needs dofs and feet. */
static void build_set_height(struct build *b)
{
  double *q = ARENA_NEW(b->k->arena, (size_t)b->c->n_dofs, double);
  b->rest = ARENA_NEW(b->k->arena, (size_t)b->c->n_dofs, struct pose_frame);
  creature_rest_pose(b->c, q);
  pose_frames(b->c, q, b->rest);
  b->c->height = pose_height(b->c, b->rest);
  b->dofs[2].rest = b->c->height;
}

/* Frames per second, if the file says nothing: so many in sqrt(size / g), but no more in the shortest period of its
 * gaits than a slow walk needs. Insects are slow for their size; a person has 65 frames in a cycle of 1.1 s. */
#define FRAME_RATE       18.0
#define FRAMES_OF_PERIOD 60.0

static double build_frame_rate(const struct creature *c)
{
  double rate = FRAME_RATE * sqrt(CREATURE_GRAVITY / creature_size(c));
  for (int i = 0; i < c->n_gaits; i++)
    rate = fmin(rate, FRAMES_OF_PERIOD / fmin(c->gaits[i].period_slow, c->gaits[i].period_fast));
  return rate;
}

/* Defaults that scale with the creature: gains of servos, frame rate. */
static void build_set_scaled(struct build *b)
{
  double L = b->c->height, g = CREATURE_GRAVITY, torque = b->c->mass * g * L;
  for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs; i++) {
    const double *servo = b->axis_of[i]->servo;
    b->dofs[i].servo_kp = servo[0] >= 0.0 ? servo[0] : torque;
    b->dofs[i].servo_kd = servo[1] >= 0.0 ? servo[1] : 0.3 * torque * sqrt(L / g);
  }
  b->c->frame_rate = b->k->frame_rate > 0.0 ? b->k->frame_rate : build_frame_rate(b->c);
}

/* "creatures/horse.creature" -> "horse" */
static const char *build_name_of_file(struct arena *arena, const char *file)
{
  const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
  size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
  return arena_printf(arena, "%.*s", (int)length, start);
}

const struct creature *sketch_build(const struct sketch *k, const struct gait *gaits, const struct open_gait *open,
                                    struct arena *arena)
{
  int errors_before = k->d->n_errors;
  struct creature *c = ARENA_NEW(arena, 1, struct creature);
  struct build b = {.k = k, .arena = arena, .d = k->d, .c = c};
  c->file = arena_strdup(arena, k->file->file);
  c->name = k->name ? arena_strdup(arena, k->name) : build_name_of_file(arena, c->file);
  c->summary = arena_strdup(arena, k->summary ? k->summary : "");
  c->friction = k->friction;
  c->gaits = gaits;
  c->n_gaits = k->n_gaits;
  c->open = open;
  c->n_open = k->n_open;
  build_limbs(&b);
  c->limbs = b.limbs;
  build_limb_changes(&b);
  build_dofs(&b);
  c->dofs = b.dofs;
  build_axis_changes(&b);
  build_mirrors(&b);
  build_tissue(&b);
  c->tissues = b.tissues;
  build_feet(&b);
  c->feet = b.feet;
  c->points = b.points;
  build_masses(&b);
  build_set_height(&b);
  build_set_scaled(&b);
  build_styles(&b);
  motions_build_in(arena, c);
  build_pairs(&b);
  build_check(&b);
  return k->d->n_errors > errors_before ? NULL : c;
}

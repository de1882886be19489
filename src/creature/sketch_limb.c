/* What a file says about one limb: where it is, its shape, its mass, its axes. Every value is checked here, alone and
 * against the others of the same limb. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "creature/sketch.h"
#include "creature/solid.h"

/* Wide enough for any animal, narrow enough for all that is computed from them to stay finite. */
const struct text_range sketch_length = {-1000, 1000, 0, "m"};
static const struct text_range size_range = {1e-6, 1000, 0, "m"}, mass_range = {1e-12, 1e6, 0, "kg"};
static const struct text_range share_range = {1e-3, 100, 0, "%"}, density_range = {1e-3, 1e5, 0, "kg/m3"};
static const struct text_range inertia_range = {-1e9, 1e9, 0, "kg m2"}, angle_range = {-360, 360, 0, "degrees"};
static const struct text_range torque_range = {0, 1e9, 0, "N m"}, servo_range = {0, 1e9, 0, "N m/rad"};
static const struct text_range stiffness_range = {0, 1e9, 0, "N m/rad"}, damping_range = {0, 1e9, 0, "N m s/rad"};
static const struct text_range direction_range = {-1e6, 1e6, 0, ""};

static int sketch_is_same(const double a[3], const double b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static int sketch_read_vector(struct sketch *k, const struct sketch_limb *l, const char *key, double out[3])
{
  const struct text_entry *e = sketch_find(k, l, key);
  return e && text_numbers(e, 3, 3, &sketch_length, out, k->d);
}

static void sketch_read_at(struct sketch *k, struct sketch_limb *l)
{
  const struct text_entry *e = sketch_find(k, l, "at");
  l->at_end = !e;
  if (e && e->n_values == 1) {
    l->at_end = 1;
    if (strcmp(e->values[0], "end"))
      SKETCH_ERROR(k, e, "%s: expected {x, y, z} or the word end, found '%s'", text_describe_entry(e).words,
                   text_clip(e->values[0]).word);
  } else if (e) {
    text_numbers(e, 3, 3, &sketch_length, l->at, k->d);
  }
}

/* ---- shape ---- */

static const char *const shape_words[] = {"none", "capsule", "box", "ellipsoid", NULL}; /* as in enum shape_kind */

static enum shape_kind sketch_read_kind(struct sketch *k, const struct sketch_limb *l, int has_radius)
{
  const struct text_entry *e = sketch_find(k, l, "shape");
  int word = e ? text_word(e, shape_words, k->d) : -1;
  if (word >= 0)
    return (enum shape_kind)word;
  return has_radius ? SHAPE_CAPSULE : SHAPE_NONE;
}

/* Does the limb give the sizes that its shape needs, and no others? */
static int sketch_check_sizes(struct sketch *k, const struct sketch_limb *l, enum shape_kind kind,
                              const struct text_entry *radius, const struct text_entry *size)
{
  const char *word = shape_words[kind];
  int is_solid = kind == SHAPE_BOX || kind == SHAPE_ELLIPSOID;
  if (radius && kind != SHAPE_CAPSULE)
    SKETCH_ERROR(k, radius, "limb '%s' has a radius, which is for a capsule, but its shape is '%s'", l->name, word);
  else if (size && !is_solid)
    SKETCH_ERROR(k, size, "limb '%s' has a size, which is for a box or an ellipsoid, but its shape is '%s'", l->name,
                 word);
  else if (kind == SHAPE_CAPSULE && !radius)
    SKETCH_ERROR(k, l->section, "limb '%s' is a capsule and needs a radius", l->name);
  else if (is_solid && !size)
    SKETCH_ERROR(k, l->section, "limb '%s' has shape '%s' and needs a size", l->name, word);
  else
    return 1;
  return 0;
}

/* Is the end of the limb what touches the ground: has it a foot without points of its own? */
static int sketch_ends_in_foot(const struct sketch *k, const struct sketch_limb *l)
{
  for (int i = 0; i < k->n_feet; i++) {
    const struct text_section *foot = k->feet[i].section;
    const struct text_entry *e = text_find(foot, "limb");
    if (e && e->n_values == 1 && !foot->sections &&
        (!strcmp(e->values[0], l->name) || sketch_image_side(e->values[0], l->name) != SIDE_BOTH))
      return 1;
  }
  return 0;
}

static void sketch_read_shape(struct sketch *k, struct sketch_limb *l)
{
  struct shape *s = &l->shape;
  const struct text_entry *radius = sketch_find(k, l, "radius"), *size = sketch_find(k, l, "size");
  enum shape_kind kind = sketch_read_kind(k, l, radius != NULL);
  double r, sizes[3];
  sketch_read_vector(k, l, "from", s->from);
  sketch_read_vector(k, l, "to", s->to);
  solid_none(s); /* what remains after an error */
  if (!sketch_check_sizes(k, l, kind, radius, size))
    return;
  if (radius && text_numbers(radius, 1, 1, &size_range, &r, k->d)) {
    solid_capsule(s, r);
    if (sketch_ends_in_foot(k, l))
      solid_shorten(s);
  }
  int n = size ? text_numbers(size, 2, 3, &size_range, sizes, k->d) : 0;
  if (n == 3)
    solid_upright(s, kind, sizes);
  if (n == 2 && sketch_is_same(s->from, s->to))
    SKETCH_ERROR(k, size, "limb '%s' has a size of two numbers, for which 'from' and 'to' must differ; give three",
                 l->name);
  else if (n == 2)
    solid_along(s, kind, sizes[0], sizes[1]);
}

/* ---- mass ---- */

/* A share of body_mass, written with a percent sign. */
static double sketch_read_share(struct sketch *k, const struct sketch_limb *l, const struct text_entry *e)
{
  char *word = arena_strdup(k->arena, e->values[0]);
  word[strlen(word) - 1] = '\0';
  const char *values[1] = {word};
  struct text_entry bare = *e;
  bare.values = values;
  double percent = 0.0;
  int good = text_number(&bare, 0, &share_range, &percent, k->d);
  if (!k->body_mass_entry)
    SKETCH_ERROR(k, e, "mass of limb '%s' is a share, %s, but the file gives no body_mass", l->name,
                 text_clip(e->values[0]).word);
  return good ? percent / 100.0 * k->body_mass : 0.0;
}

static int sketch_is_share(const struct text_entry *e)
{
  size_t n = e->n_values == 1 ? strlen(e->values[0]) : 0;
  return n > 0 && e->values[0][n - 1] == '%';
}

/* Is something wrong that the file already has an error for: its shape, or what it is like? */
static int sketch_lacks_more(const struct sketch *k, const struct sketch_limb *l)
{
  const struct text_entry *shape = sketch_find(k, l, "shape");
  if (sketch_find(k, l, "radius") || sketch_find(k, l, "size") || (shape && strcmp(shape->values[0], "none")))
    return 1;
  for (; l->like >= 0; l = &k->limbs[l->like]) {}
  return text_find(l->section, "like") != NULL;
}

static void sketch_read_mass(struct sketch *k, struct sketch_limb *l)
{
  const struct text_entry *mass = sketch_find(k, l, "mass"), *density = sketch_find(k, l, "density");
  double rho = 1000.0;
  l->mass = 1.0; /* what remains after an error */
  if (mass && density)
    SKETCH_ERROR(k, density, "limb '%s' has a mass and a density; give one of them", l->name);
  if (density)
    text_numbers(density, 1, 1, &density_range, &rho, k->d);
  if (mass && sketch_is_share(mass))
    l->mass = sketch_read_share(k, l, mass);
  else if (mass)
    text_numbers(mass, 1, 1, &mass_range, &l->mass, k->d);
  else if (l->volume > 0.0)
    l->mass = rho * l->volume;
  else if (!sketch_lacks_more(k, l))
    SKETCH_ERROR(k, l->section, "limb '%s' has no mass; give it one, or a radius or size to derive it from", l->name);
}

/* Moments of a real body are positive, and none exceeds the sum of the other two. */
static void sketch_check_inertia(struct sketch *k, const struct text_entry *e, const double inertia[6], double mass)
{
  double p[3];
  solid_principal(inertia, p);
  if (fabs(p[0]) < 1e-12 * fabs(p[2]) || fabs(p[0]) < 1e-13 * mass)
    p[0] = 0.0; /* rounding, or smaller than any solid that sizes allow */
  if (!(p[0] > 0.0))
    SKETCH_ERROR(k, e, "%s: must be positive definite, but its principal moments are %g, %g, %g",
                 text_describe_entry(e).words, p[0], p[1], p[2]);
  else if (!(p[2] <= (p[0] + p[1]) * (1.0 + 1e-6)))
    SKETCH_ERROR(k, e, "%s: no body has these principal moments, %g, %g, %g: the last is more than the others together",
                 text_describe_entry(e).words, p[0], p[1], p[2]);
}

int sketch_read_inertia(struct sketch *k, const struct text_entry *e, double mass, double out[6])
{
  double given[6] = {0};
  if (e->n_values != 3 && e->n_values != 6) {
    SKETCH_ERROR(k, e, "%s: expected 3 values (Ixx, Iyy, Izz) or 6 (and Ixy, Ixz, Iyz), found %d",
                 text_describe_entry(e).words, e->n_values);
    return 0;
  }
  if (!text_numbers(e, 3, 6, &inertia_range, given, k->d))
    return 0;
  sketch_check_inertia(k, e, given, mass);
  memcpy(out, given, sizeof given);
  return 1;
}

static void sketch_read_moments(struct sketch *k, struct sketch_limb *l)
{
  const struct text_entry *e = sketch_find(k, l, "inertia");
  memcpy(l->com, l->shape.centre, sizeof l->com);
  sketch_read_vector(k, l, "com", l->com);
  solid_inertia(&l->shape, l->mass, l->inertia);
  if (e)
    sketch_read_inertia(k, e, l->mass, l->inertia);
}

/* ---- joint ---- */

/* "-y" to a vector. 0 if the word is none of the six. */
static int sketch_read_letter(const char *word, double about[3])
{
  double sign = word[0] == '-' ? -1.0 : 1.0;
  const char *letter = word[0] == '-' ? word + 1 : word;
  if (letter[0] < 'x' || letter[0] > 'z' || letter[1])
    return 0;
  about[letter[0] - 'x'] = sign;
  return 1;
}

int sketch_read_direction(struct sketch *k, const struct text_entry *e, double out[3])
{
  double v[3] = {0}, norm;
  if (e->n_values == 1 && !sketch_read_letter(e->values[0], v)) {
    SKETCH_ERROR(k, e, "%s: expected x, y, z, -x, -y, -z or {x, y, z}, found '%s'", text_describe_entry(e).words,
                 text_clip(e->values[0]).word);
    return 0;
  }
  if (e->n_values != 1 && !text_numbers(e, 3, 3, &direction_range, v, k->d))
    return 0;
  norm = vec3_norm(v);
  if (!(norm > 1e-6)) {
    SKETCH_ERROR(k, e, "%s: the direction has no length", text_describe_entry(e).words);
    return 0;
  }
  for (int i = 0; i < 3; i++)
    out[i] = v[i] / norm;
  return 1;
}

static void sketch_read_about(struct sketch *k, struct sketch_axis *a)
{
  const struct text_entry *e = text_find(a->section, "about");
  if (e)
    sketch_read_direction(k, e, a->about);
  else
    SKETCH_ERROR(k, a->section, "%s needs a direction: about = x, y, z, -x, -y, -z or {x, y, z}",
                 text_describe(a->section).words);
}

static void sketch_read_range(struct sketch *k, struct sketch_axis *a)
{
  const struct text_entry *e = text_find(a->section, "range"), *at_rest = text_find(a->section, "rest");
  double range[2] = {-180, 180}, rest = 0;
  int good = !e || text_numbers(e, 2, 2, &angle_range, range, k->d);
  if (at_rest)
    good &= text_numbers(at_rest, 1, 1, &angle_range, &rest, k->d);
  if (good && !(range[0] < range[1]))
    SKETCH_ERROR(k, e, "%s: the least, %g, must be below the greatest, %g", text_describe_entry(e).words, range[0],
                 range[1]);
  else if (good && !(range[0] <= rest && rest <= range[1]))
    SKETCH_ERROR(k, at_rest ? at_rest : e, "%s: rest is %g%s, outside of the range %g to %g",
                 text_describe(a->section).words, rest, at_rest ? "" : " by default", range[0], range[1]);
  a->lower = range[0] * TO_RADIANS;
  a->upper = range[1] * TO_RADIANS;
  a->rest = rest * TO_RADIANS;
}

static void sketch_read_optional(struct sketch *k, const struct text_section *s, const char *key,
                                 const struct text_range *range, double *out)
{
  const struct text_entry *e = text_find(s, key);
  if (e)
    text_numbers(e, 1, 1, range, out, k->d);
}

static void sketch_read_axis(struct sketch *k, struct sketch_axis *a)
{
  a->torque = INFINITY;
  a->servo[0] = a->servo[1] = -1.0;
  sketch_read_about(k, a);
  sketch_read_range(k, a);
  sketch_read_optional(k, a->section, "torque", &torque_range, &a->torque);
  sketch_read_optional(k, a->section, "stiffness", &stiffness_range, &a->stiffness);
  sketch_read_optional(k, a->section, "damping", &damping_range, &a->damping);
  const struct text_entry *servo = text_find(a->section, "servo");
  if (servo)
    text_numbers(servo, 2, 2, &servo_range, a->servo, k->d);
}

/* The limb whose axes these are: itself, or the one that it is like. A joint of its own that is fixed wants none. */
static const struct text_section *sketch_axes_owner(const struct sketch *k, const struct sketch_limb *l)
{
  for (;; l = &k->limbs[l->like]) {
    const struct text_entry *joint = text_find(l->section, "joint");
    int is_fixed = joint && !strcmp(joint->values[0], "fixed");
    if (l->section->sections || l->like < 0 || is_fixed)
      return l->section;
  }
}

int sketch_find_dependent(const double (*about)[3], int n)
{
  double normal[3];
  for (int i = 0; i + 1 < n; i++)
    if (fabs(vec3_dot(about[i], about[i + 1])) > 0.9999995) /* the cosine of 0.06 degrees */
      return i + 1;
  if (n < 3)
    return 0;
  vec3_cross(about[0], about[1], normal);
  return fabs(vec3_dot(normal, about[2])) > 1e-3 ? 0 : 2;
}

static void sketch_check_independent(struct sketch *k, const struct sketch_limb *l)
{
  const struct sketch_axis *a = l->axes;
  double about[SKETCH_MAX_AXES][3];
  for (int i = 0; i < l->n_axes; i++)
    memcpy(about[i], a[i].about, sizeof about[i]);
  int last = sketch_find_dependent((const double (*)[3])about, l->n_axes);
  if (last && sketch_find_dependent((const double (*)[3])about + last - 1, 2))
    SKETCH_ERROR(k, a[last].section, "axes '%s' and '%s' of limb '%s' are parallel",
                 text_clip(a[last - 1].section->title).word, text_clip(a[last].section->title).word, l->name);
  else if (last)
    SKETCH_ERROR(k, a[2].section, "the three axes of limb '%s' lie in one plane: one of them adds nothing", l->name);
}

static void sketch_check_joint(struct sketch *k, const struct sketch_limb *l, int n_axes)
{
  static const char *const words[] = {"fixed", "hinge", "universal", "ball", NULL};
  const struct text_entry *e = sketch_find(k, l, "joint");
  int expected = e ? text_word(e, words, k->d) : -1;
  if (expected >= 0 && expected != n_axes)
    SKETCH_ERROR(k, e, "joint of limb '%s': '%s' means %d ax%s, but there %s %d", l->name, words[expected], expected,
                 expected == 1 ? "is" : "es", n_axes == 1 ? "is" : "are", n_axes);
}

static void sketch_read_joint(struct sketch *k, struct sketch_limb *l)
{
  const struct text_section *owner = sketch_axes_owner(k, l);
  int n = sketch_check_names(k, owner, "axis"), before = k->d->n_errors;
  if (n > SKETCH_MAX_AXES)
    SKETCH_ERROR(k, l->section, "limb '%s' has %d axes, a joint has at most %d", l->name, n, SKETCH_MAX_AXES);
  for (const struct text_section *s = owner->sections; s && l->n_axes < SKETCH_MAX_AXES; s = s->next) {
    l->axes[l->n_axes].section = s;
    sketch_read_axis(k, &l->axes[l->n_axes++]);
  }
  sketch_check_joint(k, l, n);
  if (k->d->n_errors == before)
    sketch_check_independent(k, l);
}

/* The root has no joint and hangs nowhere. */
static void sketch_check_root(struct sketch *k, const struct sketch_limb *l)
{
  static const char *const keys[] = {"at", "joint"};
  for (int i = 0; i < 2; i++) {
    const struct text_entry *e = text_find(l->section, keys[i]);
    if (e)
      SKETCH_ERROR(k, e, "limb '%s' is the root, which moves freely: '%s' has no meaning there", l->name, keys[i]);
  }
  if (l->section->sections)
    SKETCH_ERROR(k, l->section->sections, "limb '%s' is the root, which moves freely: it has no axes", l->name);
}

/* A shape that is only flesh for the picture says solid = false. */
static void sketch_read_solid(struct sketch *k, struct sketch_limb *l)
{
  static const char *const words[] = {"false", "true", NULL};
  const struct text_entry *e = sketch_find(k, l, "solid");
  l->solid = l->shape.kind != SHAPE_NONE && (!e || text_word(e, words, k->d) != 0);
}

void sketch_read_limb(struct sketch *k, struct sketch_limb *l)
{
  sketch_read_shape(k, l);
  sketch_read_solid(k, l);
  l->volume = solid_volume(&l->shape);
  sketch_read_mass(k, l);
  sketch_read_moments(k, l);
  int is_root = !text_find(l->section, "parent");
  if (is_root)
    sketch_check_root(k, l);
  if (is_root)
    return;
  sketch_read_at(k, l);
  sketch_read_joint(k, l);
}

void sketch_check_shares(struct sketch *k)
{
  double sum = 0.0;
  for (int i = 0; i < k->n_limbs; i++) {
    const struct text_entry *e = sketch_find(k, &k->limbs[i], "mass");
    if (e && sketch_is_share(e) && k->body_mass > 0.0)
      sum += 100.0 * k->limbs[i].mass / k->body_mass * (k->limbs[i].mirrored ? 2 : 1);
  }
  if (sum > 100.5)
    SKETCH_ERROR(k, k->body_mass_entry, "the limbs' shares of body_mass add up to %.4g %%, both sides counted", sum);
}

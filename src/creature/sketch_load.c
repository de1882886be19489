/* Loads that a style puts on a creature: a pack on the back, boots, a bundle in one hand. A load is a limb like others,
 * with an ellipsoid for a shape and a joint that is fixed, that touches nothing: so its mass is where it is, and every
 * picture shows it. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/sketch.h"
#include "creature/solid.h"

#define DENSITY 500.0 /* of a load that does not say how large it is [kg/m3]: a full rucksack                     */
#define SUNK    0.7   /* of its half thickness: how far the centre of a load is from the surface that it lies on  */

static double load_whole_mass(const struct sketch *k)
{
  double sum = 0.0;
  for (int i = 0; i < k->n_limbs; i++)
    sum += k->limbs[i].mass * (k->limbs[i].mirrored ? 2 : 1);
  return sum;
}

/* Kilograms, or a share of the creature's own mass. */
static double load_read_mass(struct sketch *k, const struct text_section *s, double whole)
{
  static const struct text_range mass_range = {1e-6, 1e6, 0, "kg"}, share_range = {1e-3, 1000, 0, "%"};
  const struct text_entry *e = text_find(s, "mass");
  double mass = 1.0, percent;
  size_t n = e && e->n_values == 1 ? strlen(e->values[0]) : 0;
  if (!e)
    SKETCH_ERROR(k, s, "%s needs a mass: mass = KG, or a share of the creature's, such as 20%%",
                 text_describe(s).words);
  else if (n > 0 && e->values[0][n - 1] == '%') {
    char *word = arena_strdup(k->arena, e->values[0]);
    word[n - 1] = '\0';
    struct text_entry bare = *e;
    bare.values = (const char *[]){word};
    if (text_number(&bare, 0, &share_range, &percent, k->d))
      mass = percent / 100.0 * whole;
  } else {
    text_numbers(e, 1, 1, &mass_range, &mass, k->d);
  }
  return mass;
}

/* Full lengths along x, y, z. What lies on a back and does not say how large it is, is longer than thick. */
static void load_read_size(struct sketch *k, const struct text_section *s, double mass, int thin, int long_axis,
                           double size[3])
{
  static const struct text_range range = {1e-6, 1000, 0, "m"};
  const struct text_entry *radius = text_find(s, "radius"), *sizes = text_find(s, "size");
  double r = cbrt(3.0 * mass / (4.0 * acos(-1.0) * DENSITY));
  if (radius && sizes)
    SKETCH_ERROR(k, sizes, "%s has a radius and a size; give one of them", text_describe(s).words);
  if (radius)
    text_numbers(radius, 1, 1, &range, &r, k->d);
  for (int i = 0; i < 3; i++)
    size[i] = 2.0 * r * (radius || thin < 0 ? 1.0 : i == thin ? 0.7 : i == long_axis ? 1.4 : 1.0);
  if (sizes)
    text_numbers(sizes, 3, 3, &range, size, k->d);
}

/* Its shape, and where it is in the frame of the limb that carries it: where the file says, in the middle of that limb,
 * or on its back, which is above a level limb and behind an upright one. */
static void load_read_shape(struct sketch *k, const struct text_section *s, const struct shape *on,
                            struct sketch_limb *l)
{
  static const char *const words[] = {"middle", "back", NULL};
  const struct text_entry *given = text_find(s, "at"), *place = text_find(s, "place");
  int upright = fabs(on->to[2] - on->from[2]) > fabs(on->to[0] - on->from[0]), axis = upright ? 0 : 2;
  int on_back = place && text_word(place, words, k->d) == 1;
  double size[3];
  load_read_size(k, s, l->mass, on_back ? axis : -1, 2 - axis, size);
  solid_upright(&l->shape, SHAPE_ELLIPSOID, size);
  memcpy(l->at, on->centre, sizeof l->at);
  if (given && place)
    SKETCH_ERROR(k, place, "%s has a point 'at' and a 'place'; give one of them", text_describe(s).words);
  if (given)
    text_numbers(given, 3, 3, &sketch_length, l->at, k->d);
  else if (on_back) {
    double back[3] = {upright ? -1.0 : 0.0, 0.0, upright ? 0.0 : 1.0}, ahead[3] = {-back[0], 0.0, -back[2]};
    double to_surface = solid_reach(on, ahead) - vec3_dot(back, on->centre);
    vec3_add_scaled(l->at, back, to_surface + SUNK * 0.5 * size[axis]);
  }
}

static void load_read(struct sketch *k, const struct text_section *s, double whole)
{
  const struct text_entry *e = text_find(s, "limb");
  const char *word = e ? text_string(e, k->d) : sketch_group_names[GROUP_TRUNK];
  struct sketch_parts on;
  enum side side;
  if (sketch_find_limb(k, s->title, &side) >= 0) {
    SKETCH_ERROR(k, s, "%s: there is a limb or a load of this name already", text_describe(s).words);
    return;
  }
  double mass = load_read_mass(k, s, whole);
  if (!word || !sketch_find_parts(k, s, e, word, 0, &on) || on.n == 0)
    return;
  if (on.n > 1 || on.parts[0].axis >= 0) {
    SKETCH_ERROR(k, e, "%s: expected one limb, but '%s' is %s", text_describe(s).words, text_clip(word).word,
                 on.n > 1 ? "several" : "an axis");
    return;
  }
  const struct sketch_limb *parent = &k->limbs[on.parts[0].limb];
  struct sketch_limb *l = &k->limbs[k->n_limbs];
  *l = (struct sketch_limb){.section = s, .name = s->title, .like = -1, .parent = on.parts[0].limb,
                            .parent_side = on.parts[0].side, .mass = mass, .is_load = 1};
  l->mirrored = parent->mirrored && l->parent_side == SIDE_BOTH;
  load_read_shape(k, s, &parent->shape, l);
  l->volume = solid_volume(&l->shape);
  solid_inertia(&l->shape, mass, l->inertia);
  k->n_limbs++;
}

void sketch_read_loads(struct sketch *k)
{
  double whole = load_whole_mass(k);
  for (const struct text_section *style = k->file->sections; style; style = style->next) {
    if (strcmp(style->kind, "style"))
      continue;
    int before = k->d->n_errors;
    sketch_check_names(k, style, "load");
    int good = k->d->n_errors == before;
    for (const struct text_section *s = style->sections; s; s = s->next)
      if (good && !strcmp(s->kind, "load"))
        load_read(k, s, whole);
  }
}

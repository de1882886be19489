/* Tendons: passive tissue over one joint axis or two, as the file describes it. The springs and dampers of single axes
 * (stiffness, damping of an axis) are the same tissue; build_tissue.c brings both together. */
#include <string.h>

#include "base/angle.h"
#include "creature/sketch.h"

static const struct text_range tendon_stiffness = {0, 1e9, 0, "N m/rad"}, tendon_damping = {0, 1e9, 0, "N m s/rad"};
static const struct text_range tendon_slack = {-720, 720, 0, "degrees"}, tendon_toe = {0.1, 90, 0, "degrees"};
static const struct text_range tendon_arm = {-100, 100, 0, ""};
static const char *const tendon_sides[] = {"above", "below", "both", NULL};

/* Of the angles over which a tendon becomes taut: collagen fibres are crimped, and straighten one after the other. */
#define USUAL_TOE 6 /* degrees, to both sides of slack */

/* The axes of a limb, for suggestions: "shank.flexion". */
static const char *const *tendon_axis_names(const struct sketch *k, const struct sketch_limb *l, const char *limb)
{
  const char **names = ARENA_NEW(k->arena, (size_t)l->n_axes + 1, const char *);
  for (int i = 0; i < l->n_axes; i++)
    names[i] = arena_printf(k->arena, "%s.%s", limb, l->axes[i].section->title);
  return names;
}

/* One of the joint axes that a tendon spans: "shank.flexion", or "left_shank.flexion" for one side only. */
static int tendon_read_axis(struct sketch *k, struct sketch_tendon *t, const struct text_entry *e, int i)
{
  const char *word = e->values[i], *dot = strchr(word, '.');
  enum side side = SIDE_BOTH;
  const char *limb = dot ? arena_printf(k->arena, "%.*s", (int)(dot - word), word) : word;
  int found = sketch_find_limb(k, limb, &side);
  if (!dot) {
    SKETCH_ERROR(k, e, "%s: '%s' is no joint axis; write LIMB.AXIS", text_describe_entry(e).words,
                 text_clip(word).word);
    return 0;
  }
  if (found < 0) {
    SKETCH_ERROR(k, e, "%s: there is no limb '%s'%s", text_describe_entry(e).words, text_clip(limb).word,
                 text_suggest(limb, sketch_limb_names(k)).words);
    return 0;
  }
  const struct sketch_limb *l = &k->limbs[found];
  for (int axis = 0; axis < l->n_axes; axis++)
    if (!strcmp(l->axes[axis].section->title, dot + 1)) {
      t->limb[i] = found, t->axis[i] = axis, t->side[i] = side;
      return 1;
    }
  if (l->n_axes)
    SKETCH_ERROR(k, e, "%s: there is no joint axis '%s'%s", text_describe_entry(e).words, text_clip(word).word,
                 text_suggest(word, tendon_axis_names(k, l, limb)).words);
  else
    SKETCH_ERROR(k, e, "%s: limb '%s' has no joint axis", text_describe_entry(e).words, text_clip(limb).word);
  return 0;
}

/* Does limb a carry limb b, or the other way about, or are they the same? */
static int tendon_is_chain(const struct sketch *k, int a, int b)
{
  for (int turn = 0; turn < 2; turn++) {
    int below = turn ? a : b, above = turn ? b : a;
    for (int steps = 0; below >= 0 && steps < k->n_limbs; steps++, below = k->limbs[below].parent)
      if (below == above)
        return 1;
  }
  return 0;
}

static int tendon_read_span(struct sketch *k, struct sketch_tendon *t)
{
  const struct text_entry *e = text_find(t->section, "over");
  if (!e) {
    SKETCH_ERROR(k, t->section, "%s needs a joint axis that it spans: over = LIMB.AXIS, or two of them",
                 text_describe(t->section).words);
    return 0;
  }
  if (e->n_values < 1 || e->n_values > CREATURE_TISSUE_DOFS) {
    SKETCH_ERROR(k, e, "%s: a tendon spans 1 or 2 joint axes, found %d", text_describe_entry(e).words, e->n_values);
    return 0;
  }
  t->n = e->n_values;
  for (int i = 0; i < t->n; i++)
    if (!tendon_read_axis(k, t, e, i))
      return 0;
  if (t->n < 2)
    return 1;
  if (t->limb[0] == t->limb[1] && t->axis[0] == t->axis[1]) {
    SKETCH_ERROR(k, e, "%s: the same joint axis twice", text_describe_entry(e).words);
    return 0;
  }
  if (!k->broken_tree && !tendon_is_chain(k, t->limb[0], t->limb[1])) {
    SKETCH_ERROR(k, e, "%s: neither '%s' nor '%s' carries the other", text_describe_entry(e).words,
                 k->limbs[t->limb[0]].name, k->limbs[t->limb[1]].name);
    return 0;
  }
  for (int i = 0; i < 2; i++) /* "left_shank.flexion" with "thigh.flexion": both are of the left leg */
    if (t->side[i] == SIDE_BOTH && k->limbs[t->limb[i]].mirrored)
      t->side[i] = t->side[!i];
  if (t->side[0] != t->side[1] && k->limbs[t->limb[0]].mirrored && k->limbs[t->limb[1]].mirrored) {
    SKETCH_ERROR(k, e, "%s: one joint axis is on the left, the other on the right", text_describe_entry(e).words);
    return 0;
  }
  return 1;
}

static void tendon_read_arms(struct sketch *k, struct sketch_tendon *t)
{
  const struct text_entry *e = text_find(t->section, "arms");
  t->arm[0] = t->arm[1] = 1;
  if (e && t->n && text_numbers(e, t->n, t->n, &tendon_arm, t->arm, k->d))
    for (int i = 0; i < t->n; i++)
      if (t->arm[i] == 0)
        SKETCH_ERROR(k, e, "%s: an arm of 0 means that the tendon does not span that joint",
                     text_describe_entry(e).words);
}

static void tendon_read_optional(struct sketch *k, struct sketch_tendon *t, const char *key,
                                 const struct text_range *range, double *out)
{
  const struct text_entry *e = text_find(t->section, key);
  if (e)
    text_numbers(e, 1, 1, range, out, k->d);
}

static void tendon_read(struct sketch *k, struct sketch_tendon *t)
{
  const struct text_entry *taut = text_find(t->section, "taut");
  double slack = 0, toe = USUAL_TOE;
  int good = tendon_read_span(k, t), side = taut ? text_word(taut, tendon_sides, k->d) : 0;
  tendon_read_arms(k, t);
  tendon_read_optional(k, t, "stiffness", &tendon_stiffness, &t->stiffness);
  tendon_read_optional(k, t, "damping", &tendon_damping, &t->damping);
  tendon_read_optional(k, t, "slack", &tendon_slack, &slack);
  tendon_read_optional(k, t, "toe", &tendon_toe, &toe);
  if (good && !text_find(t->section, "stiffness") && !text_find(t->section, "damping"))
    SKETCH_ERROR(k, t->section, "%s needs a stiffness or a damping", text_describe(t->section).words);
  t->slack = slack * TO_RADIANS;
  t->one_sided = side != 2;
  t->toe = t->one_sided ? toe * TO_RADIANS : 0;
  if (side == 1) { /* taut below an angle: the same with the angle turned about */
    t->slack = 0.0 - t->slack;
    for (int i = 0; i < CREATURE_TISSUE_DOFS; i++)
      t->arm[i] = 0.0 - t->arm[i];
  }
}

void sketch_read_tendons(struct sketch *k)
{
  for (int i = 0; i < k->n_tendons; i++)
    tendon_read(k, &k->tendons[i]);
}

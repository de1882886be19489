/* What files say about changes of a body and about styles: the schema of doc/style-format.md, values and names. Loads:
 * sketch_load.c; what the names mean: sketch_groups.c; what becomes of it all: build_change.c and build_style.c. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "creature/sketch.h"
#include "creature/style.h"

static const char *const change_axis_keys[] = {
    "about",        "range",         "rest",             "torque",         "stiffness", "damping",
    "range_factor", "torque_factor", "stiffness_factor", "damping_factor", NULL};
static const char *const change_keys[] = {"at", "com", "inertia", "mass", "mass_factor", "optional", NULL};
static const char *const load_keys[] = {"limb", "mass", "at", "place", "radius", "size", "optional", NULL};
static const char *const joints_keys[] = {"of", "effort", "posture", "rest", "pitch", "only", "optional", NULL};
static const char *const stance_keys[] = {"of", "time", "only", "optional", NULL};
static const char *const weight_keys[] = {"factor", NULL};
static const char *const pose_keys[] = {"phase", "width", "weight", "mirror", "only", "optional", NULL};
static const char *const joint_keys[] = {"angle", "optional", NULL};
static const char *const style_keys[] = {"summary", "clearance", "crouch", "lean", "gaze", "tempo", "speed", NULL};

#define MANY (100 * SKETCH_MAX_STYLES)
static const struct text_schema change_axis_schema = {"axis", change_axis_keys, NULL, 10000};
static const struct text_schema *const change_sections[] = {&change_axis_schema, NULL};
const struct text_schema sketch_change_schema = {"change", change_keys, change_sections, MANY};
static const struct text_schema load_schema = {"load", load_keys, NULL, SKETCH_MAX_STYLES};
static const struct text_schema joints_schema = {"joints", joints_keys, NULL, MANY};
static const struct text_schema stance_schema = {"stance", stance_keys, NULL, MANY};
static const struct text_schema weight_schema = {"weight", weight_keys, NULL, MANY};
static const struct text_schema joint_schema = {"joint", joint_keys, NULL, MANY};
static const struct text_schema *const pose_sections[] = {&joint_schema, NULL};
static const struct text_schema pose_schema = {"pose", pose_keys, pose_sections, MANY};

static const struct text_schema *const style_sections[] = {&load_schema,   &sketch_change_schema, &joints_schema,
                                                           &stance_schema, &pose_schema,          &weight_schema, NULL};
static const struct text_schema *const gait_style_sections[] = {&joints_schema, &stance_schema, &pose_schema,
                                                                &weight_schema, NULL};
const struct text_schema sketch_style_schema = {"style", style_keys, style_sections, SKETCH_MAX_STYLES};
const struct text_schema sketch_gait_style_schema = {"style", style_keys, gait_style_sections, SKETCH_MAX_STYLES};
const struct text_schema sketch_style_file_schema = {NULL, style_keys, style_sections, 0};

const char *const style_weight_names[] = {
    "height", "orientation", "heading", "leg", "leg_aside", "arm", "arm_aside", "trunk", "trunk_aside", "twist", "neck",
    "neck_aside", "together", "path", "acceleration", "joint_acceleration", "spin", "force", "force_rate", "force_bend",
    "force_edge", "torque", NULL};

static const struct text_range angle_range = {-360, 360, 0, "degrees"}, lean_range = {-45, 45, 0, "degrees"};
static const struct text_range bend_range = {-90, 90, 0, "degrees"}, factor_range = {0, 1000, 0, ""};
static const struct text_range some_range = {1e-3, 1000, 0, ""}, mass_range = {1e-12, 1e6, 0, "kg"};
static const struct text_range torque_range = {0, 1e9, 0, "N m"}, stiffness_range = {0, 1e9, 0, "N m/rad"};
static const struct text_range damping_range = {0, 1e9, 0, "N m s/rad"}, share_range = {0, 1, 0, ""};

int sketch_count(const struct text_section *in, const char *kind)
{
  int n = 0;
  for (const struct text_section *s = in->sections; s; s = s->next)
    n += strcmp(s->kind, kind) == 0;
  return n;
}

void sketch_read_number(struct sketch *k, const struct text_section *s, const char *key, const struct text_range *range,
                        double *out)
{
  const struct text_entry *e = text_find(s, key);
  if (e)
    text_numbers(e, 1, 1, range, out, k->d);
}

/* Degrees in the file. */
static void style_read_angle(struct sketch *k, const struct text_section *s, const char *key,
                             const struct text_range *range, double *out)
{
  double degrees = NAN;
  sketch_read_number(k, s, key, range, &degrees);
  if (!isnan(degrees))
    *out = degrees * TO_RADIANS;
}

/* All that a list of words means, one after the other. */
static struct sketch_parts style_read_of(struct sketch *k, const struct text_section *s)
{
  const struct text_entry *e = text_find(s, "of");
  struct sketch_parts all = {0};
  if (!e)
    SKETCH_ERROR(k, s, "%s must say what it is about: of = NAME or {NAME, NAME}", text_describe(s).words);
  for (int i = 0; e && i < e->n_values; i++) {
    struct sketch_parts some;
    if (!sketch_find_parts(k, s, e, e->values[i], 0, &some) || some.n == 0)
      continue;
    struct sketch_part *both = ARENA_NEW(k->arena, (size_t)(all.n + some.n), struct sketch_part);
    if (all.n)
      memcpy(both, all.parts, (size_t)all.n * sizeof *both);
    memcpy(both + all.n, some.parts, (size_t)some.n * sizeof *both);
    all.parts = both;
    all.n += some.n;
  }
  return all;
}

/* Is an angle one that all these joints can have? */
static void style_check_angle(struct sketch *k, const struct text_section *s, const char *key,
                              const struct sketch_parts *of, double angle)
{
  const struct text_entry *e = text_find(s, key);
  for (int i = 0; e && !isnan(angle) && i < of->n; i++) {
    const struct sketch_limb *l = &k->limbs[of->parts[i].limb];
    for (int a = 0; a < l->n_axes; a++) {
      const struct sketch_axis *x = &l->axes[a];
      if ((of->parts[i].axis >= 0 && of->parts[i].axis != a) || (angle >= x->lower && angle <= x->upper))
        continue;
      SKETCH_ERROR(k, e, "%s: %g is outside of the range %g to %g of '%s.%s'", text_describe_entry(e).words,
                   angle * TO_DEGREES, x->lower * TO_DEGREES, x->upper * TO_DEGREES, l->name, x->section->title);
      return;
    }
  }
}

/* ---- changes of the body ---- */

/* What has a place or a direction is of one limb: the other image has the mirror image of it. */
static int change_is_of_one(struct sketch *k, const struct sketch_change *c, const struct text_entry *e)
{
  const struct sketch_limb *l = c->of.n ? &k->limbs[c->of.parts[0].limb] : NULL;
  if (!l || (c->of.n == 1 && (c->of.parts[0].side != SIDE_BOTH || !l->mirrored)))
    return l != NULL;
  if (c->of.n == 1)
    SKETCH_ERROR(k, e, "%s is of one limb, and '%s' has two images: name left_%s or right_%s",
                 text_describe_entry(e).words, l->name, l->name, l->name);
  else
    SKETCH_ERROR(k, e, "%s is of one limb, but '%s' means %d", text_describe_entry(e).words,
                 text_clip(c->section->title).word, c->of.n);
  return 0;
}

static void change_read_axis(struct sketch *k, const struct sketch_change *c, const struct text_section *s,
                             struct sketch_axis_change *a)
{
  const struct text_entry *range = text_find(s, "range");
  double ends[2] = {NAN, NAN};
  *a = (struct sketch_axis_change){s, {NAN}, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  const struct text_entry *about = text_find(s, "about");
  if (about && change_is_of_one(k, c, about))
    sketch_read_direction(k, about, a->about);
  if (range && text_numbers(range, 2, 2, &angle_range, ends, k->d)) {
    a->lower = ends[0] * TO_RADIANS;
    a->upper = ends[1] * TO_RADIANS;
    if (!(ends[0] < ends[1]))
      SKETCH_ERROR(k, range, "%s: the least, %g, must be below the greatest, %g", text_describe_entry(range).words,
                   ends[0], ends[1]);
  }
  style_read_angle(k, s, "rest", &angle_range, &a->rest);
  sketch_read_number(k, s, "torque", &torque_range, &a->torque);
  sketch_read_number(k, s, "stiffness", &stiffness_range, &a->stiffness);
  sketch_read_number(k, s, "damping", &damping_range, &a->damping);
  sketch_read_number(k, s, "range_factor", &some_range, &a->range_factor);
  sketch_read_number(k, s, "torque_factor", &some_range, &a->torque_factor);
  sketch_read_number(k, s, "stiffness_factor", &factor_range, &a->stiffness_factor);
  sketch_read_number(k, s, "damping_factor", &factor_range, &a->damping_factor);

  int found = c->of.n != 1 || strcmp(s->title, "any") == 0; /* a group has what its limbs have */
  for (int i = 0; !found && i < k->limbs[c->of.parts[0].limb].n_axes; i++)
    found = strcmp(k->limbs[c->of.parts[0].limb].axes[i].section->title, s->title) == 0;
  if (found)
    return;
  struct sketch_parts unused; /* it says what is wrong */
  sketch_find_parts(k, s, NULL, arena_printf(k->arena, "%s.%s", c->section->title, s->title), 1, &unused);
}

static void change_read(struct sketch *k, const struct text_section *s)
{
  struct sketch_change *c = &k->changes[k->n_changes];
  const struct text_entry *at = text_find(s, "at"), *com = text_find(s, "com"), *inertia = text_find(s, "inertia");
  *c = (struct sketch_change){.section = s, .at = {NAN}, .com = {NAN}, .inertia = {NAN}, .mass = NAN,
                              .mass_factor = NAN};
  if (!sketch_find_parts(k, s, NULL, s->title, 0, &c->of))
    return;
  if (at && change_is_of_one(k, c, at) && k->limbs[c->of.parts[0].limb].parent < 0)
    SKETCH_ERROR(k, at, "limb '%s' is the root, which moves freely: 'at' has no meaning there", s->title);
  else if (at && change_is_of_one(k, c, at))
    text_numbers(at, 3, 3, &sketch_length, c->at, k->d);
  if (com && change_is_of_one(k, c, com))
    text_numbers(com, 3, 3, &sketch_length, c->com, k->d);
  if (inertia && change_is_of_one(k, c, inertia))
    sketch_read_inertia(k, inertia, k->limbs[c->of.parts[0].limb].mass, c->inertia);
  sketch_read_number(k, s, "mass", &mass_range, &c->mass);
  sketch_read_number(k, s, "mass_factor", &some_range, &c->mass_factor);
  c->axes = ARENA_NEW(k->arena, (size_t)sketch_count(s, "axis"), struct sketch_axis_change);
  for (const struct text_section *axis = s->sections; axis; axis = axis->next)
    change_read_axis(k, c, axis, &c->axes[c->n_axes++]);
  k->n_changes++;
}

static void style_read_changes(struct sketch *k)
{
  size_t most = (size_t)sketch_count(k->file, "change");
  for (const struct text_section *s = k->file->sections; s; s = s->next)
    most += strcmp(s->kind, "style") ? 0 : (size_t)sketch_count(s, "change");
  k->changes = ARENA_NEW(k->arena, most, struct sketch_change);
  for (const struct text_section *s = k->file->sections; s; s = s->next)
    if (!strcmp(s->kind, "change"))
      change_read(k, s);
  for (const struct text_section *style = k->file->sections; style; style = style->next)
    for (const struct text_section *s = strcmp(style->kind, "style") ? NULL : style->sections; s; s = s->next)
      if (!strcmp(s->kind, "change"))
        change_read(k, s);
}

/* ---- styles ---- */

/* Is a section for creatures of this kind? A back that slumps is one that was upright. Where it is not, it is read and
 * checked as others are, and speaks of nothing. */
static int style_applies(struct sketch *k, const struct text_section *s)
{
  static const char *const words[] = {"level", "upright", NULL};
  const struct text_entry *e = text_find(s, "only");
  int word = e ? text_word(e, words, k->d) : -1;
  return word < 0 || word == sketch_trunk_is_upright(k);
}

static void style_read_joints(struct sketch *k, const struct text_section *s, struct sketch_joints *j)
{
  *j = (struct sketch_joints){.section = s, .of = style_read_of(k, s), .effort = 1, .posture = 1, .rest = NAN,
                              .pitch = NAN};
  sketch_read_number(k, s, "effort", &some_range, &j->effort);
  sketch_read_number(k, s, "posture", &factor_range, &j->posture);
  style_read_angle(k, s, "rest", &angle_range, &j->rest);
  style_read_angle(k, s, "pitch", &bend_range, &j->pitch);
  for (int i = 0; !isnan(j->rest) && i < j->of.n; i++)
    if (j->of.parts[i].axis < 0 && k->limbs[j->of.parts[i].limb].n_axes > 1) {
      SKETCH_ERROR(k, text_find(s, "rest"), "%s is one angle, but limb '%s' has %d axes; name one, as in thigh.flexion",
                   text_describe_entry(text_find(s, "rest")).words, k->limbs[j->of.parts[i].limb].name,
                   k->limbs[j->of.parts[i].limb].n_axes);
      return;
    }
  style_check_angle(k, s, "rest", &j->of, j->rest);
  if (!style_applies(k, s))
    j->of.n = 0;
}

static void style_read_stance(struct sketch *k, const struct text_section *s, struct sketch_stance *x)
{
  static const struct text_range time_range = {0.3, 1.5, 0, ""};
  *x = (struct sketch_stance){style_read_of(k, s), 1};
  sketch_read_number(k, s, "time", &time_range, &x->time);
  if (!text_find(s, "time"))
    SKETCH_ERROR(k, s, "%s needs a factor on the time on the ground: time = 0.8", text_describe(s).words);
  if (!style_applies(k, s))
    x->of.n = 0;
}

static void style_read_weight(struct sketch *k, const struct text_section *s, struct sketch_weight *w)
{
  int i = 0;
  while (style_weight_names[i] && strcmp(style_weight_names[i], s->title))
    i++;
  *w = (struct sketch_weight){s->title, 1};
  if (!style_weight_names[i])
    SKETCH_ERROR(k, s, "the objective has no weight '%s'%s", text_clip(s->title).word,
                 text_suggest(s->title, style_weight_names).words);
  sketch_read_number(k, s, "factor", &factor_range, &w->factor);
  if (!text_find(s, "factor"))
    SKETCH_ERROR(k, s, "%s needs a factor: factor = 2", text_describe(s).words);
}

static void style_read_pose(struct sketch *k, const struct text_section *s, struct sketch_pose *p)
{
  static const struct text_range width_range = {0.01, 0.5, 0, ""};
  static const char *const words[] = {"false", "true", NULL};
  const struct text_entry *mirror = text_find(s, "mirror");
  *p = (struct sketch_pose){.section = s, .width = 0.1, .weight = 1};
  if (!text_find(s, "phase"))
    SKETCH_ERROR(k, s, "%s needs a phase of the cycle: phase = 0.3", text_describe(s).words);
  sketch_read_number(k, s, "phase", &share_range, &p->phase);
  sketch_read_number(k, s, "width", &width_range, &p->width);
  sketch_read_number(k, s, "weight", &factor_range, &p->weight);
  p->mirror = mirror && text_word(mirror, words, k->d) == 1;
  if (!s->sections)
    SKETCH_ERROR(k, s, "%s needs angles: joint LIMB.AXIS { angle = DEGREES }", text_describe(s).words);
  p->keys = ARENA_NEW(k->arena, (size_t)sketch_count(s, "joint"), struct sketch_key);
  for (const struct text_section *joint = s->sections; joint; joint = joint->next) {
    struct sketch_key *key = &p->keys[p->n_keys];
    key->angle = NAN;
    style_read_angle(k, joint, "angle", &angle_range, &key->angle);
    if (!text_find(joint, "angle"))
      SKETCH_ERROR(k, joint, "%s needs an angle: angle = DEGREES", text_describe(joint).words);
    if (!sketch_find_parts(k, joint, NULL, joint->title, 1, &key->of))
      continue;
    style_check_angle(k, joint, "angle", &key->of, key->angle);
    p->n_keys++;
  }
  if (!style_applies(k, s))
    p->n_keys = 0;
}

static void style_read(struct sketch *k, const struct text_section *s, struct sketch_style *y)
{
  static const struct text_range clearance = {0, 5, 0, ""}, crouch = {0.7, 1.1, 0, ""}, gaze = {-80, 80, 0, "degrees"};
  static const struct text_range tempo = {0.4, 2.5, 0, ""}, speed = {0.1, 5, 0, ""};
  *y = (struct sketch_style){.section = s, .clearance = 1, .crouch = 1, .tempo = 1, .speed = 1, .lean = NAN,
                             .gaze = NAN};
  sketch_read_number(k, s, "clearance", &clearance, &y->clearance);
  sketch_read_number(k, s, "crouch", &crouch, &y->crouch);
  sketch_read_number(k, s, "tempo", &tempo, &y->tempo);
  sketch_read_number(k, s, "speed", &speed, &y->speed);
  style_read_angle(k, s, "lean", &lean_range, &y->lean);
  style_read_angle(k, s, "gaze", &gaze, &y->gaze);
  y->joints = ARENA_NEW(k->arena, (size_t)sketch_count(s, "joints"), struct sketch_joints);
  y->stances = ARENA_NEW(k->arena, (size_t)sketch_count(s, "stance"), struct sketch_stance);
  y->poses = ARENA_NEW(k->arena, (size_t)sketch_count(s, "pose"), struct sketch_pose);
  y->weights = ARENA_NEW(k->arena, (size_t)sketch_count(s, "weight"), struct sketch_weight);
  for (const struct text_section *x = s->sections; x; x = x->next) {
    if (!strcmp(x->kind, "joints"))
      style_read_joints(k, x, &y->joints[y->n_joints++]);
    if (!strcmp(x->kind, "stance"))
      style_read_stance(k, x, &y->stances[y->n_stances++]);
    if (!strcmp(x->kind, "pose"))
      style_read_pose(k, x, &y->poses[y->n_poses++]);
    if (!strcmp(x->kind, "weight"))
      style_read_weight(k, x, &y->weights[y->n_weights++]);
  }
}

static struct sketch_style *style_read_all(struct sketch *k, const struct text_section *in, int *n)
{
  struct sketch_style *styles = ARENA_NEW(k->arena, (size_t)sketch_check_names(k, in, "style"), struct sketch_style);
  *n = 0;
  for (const struct text_section *s = in->sections; s; s = s->next)
    if (!strcmp(s->kind, "style"))
      style_read(k, s, &styles[(*n)++]);
  return styles;
}

void sketch_read_styles(struct sketch *k)
{
  style_read_changes(k);
  k->styles = style_read_all(k, k->file, &k->n_styles);
  for (int i = 0; i < k->n_gaits; i++)
    k->gaits[i].styles = style_read_all(k, k->gaits[i].section, &k->gaits[i].n_styles);
}

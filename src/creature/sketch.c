/* From the text of a creature file to a sketch: the schema of doc/creature-format.md, the lists of limbs, feet and
 * gaits, and what the file says of the creature as a whole, of feet and of gaits. Limbs: sketch_limb.c, their tree:
 * sketch_tree.c, contacts: gait.c. */
#include "creature/sketch.h"

#include <math.h>
#include <string.h>

#define MAX_NAME 60

static const char *const axis_keys[] = {"about", "range", "rest", "torque", "stiffness", "damping", "servo", NULL};
static const char *const limb_keys[] = {"parent",  "at",  "from",    "to",    "shape",  "radius", "size", "mass",
                                        "density", "com", "inertia", "joint", "mirror", "like",   "solid",
                                        "may_overlap", "must_clear",
                                        NULL};
static const char *const point_keys[] = {"at", NULL}, *const foot_keys[] = {"limb", "clearance", NULL};
static const char *const contact_keys[] = {"on", "at", NULL};
static const char *const gait_keys[] = {"period", "speed", "right_lag", "duty", NULL};
static const char *const tendon_keys[] = {"over",    "arms",  "slack", "taut", "toe", "stiffness",
                                          "damping", NULL};
static const char *const file_keys[] = {"name", "summary", "body_mass", "friction", "frame_rate", NULL};

static const struct text_schema axis_schema = {"axis", axis_keys, NULL, 10000};
static const struct text_schema *const limb_sections[] = {&axis_schema, NULL};
static const struct text_schema limb_schema = {"limb", limb_keys, limb_sections, SKETCH_MAX_LIMBS};
static const struct text_schema point_schema = {"point", point_keys, NULL, 10000};
static const struct text_schema *const foot_sections[] = {&point_schema, NULL};
static const struct text_schema foot_schema = {"foot", foot_keys, foot_sections, SKETCH_MAX_FEET};
static const struct text_schema contact_schema = {"contact", contact_keys, NULL, 10000};
static const struct text_schema *const gait_sections[] = {&contact_schema, &sketch_gait_style_schema, NULL};
static const struct text_schema gait_schema = {"gait", gait_keys, gait_sections, SKETCH_MAX_GAITS};
static const struct text_schema tendon_schema = {"tendon", tendon_keys, NULL, SKETCH_MAX_TENDONS};
static const struct text_schema *const file_sections[] = {
    &limb_schema, &foot_schema, &gait_schema, &tendon_schema, &sketch_change_schema, &sketch_style_schema, NULL};
const struct text_schema sketch_schema = {NULL, file_keys, file_sections, 0};

/* ---- names ---- */

static int sketch_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static int sketch_is_name(const char *name)
{
  if (!sketch_is_letter(name[0]) || strlen(name) > MAX_NAME)
    return 0;
  for (; *name; name++)
    if (!sketch_is_letter(*name) && !(*name >= '0' && *name <= '9') && *name != '_')
      return 0;
  return 1;
}

int sketch_check_names(struct sketch *k, const struct text_section *in, const char *kind)
{
  int n = 0;
  for (const struct text_section *s = in->sections; s; s = s->next) {
    if (strcmp(s->kind, kind))
      continue;
    n++;
    if (!sketch_is_name(s->title))
      SKETCH_ERROR(k, s, "%s: a name has letters, digits and underscores, begins with a letter, and is at most %d long",
                   text_describe(s).words, MAX_NAME);
    for (const struct text_section *t = in->sections; t != s; t = t->next)
      if (!strcmp(t->kind, kind) && !strcmp(t->title, s->title)) {
        SKETCH_ERROR(k, s, "%s is already described at %s", text_describe(s).words,
                     text_place(t->file, t->line, s->file).words);
        break;
      }
  }
  return n;
}

/* ---- limbs: which there are, and which are like others ---- */

/* A name that is much too long would make the messages about it so, too; it is an error already. */
static const char *sketch_short_name(struct sketch *k, const char *title)
{
  return strlen(title) > MAX_NAME ? arena_strdup(k->arena, text_clip(title).word) : title;
}

static int sketch_index_of_limb(const struct sketch *k, const char *name)
{
  for (int i = 0; i < k->n_limbs; i++)
    if (!strcmp(k->limbs[i].name, name))
      return i;
  return -1;
}

const char *const *sketch_limb_names(const struct sketch *k)
{
  const char **names = ARENA_NEW(k->arena, (size_t)k->n_limbs + 1, const char *);
  for (int i = 0; i < k->n_limbs; i++)
    names[i] = k->limbs[i].name;
  return names;
}

/* The chain of limbs that are like each other must end; a circle is cut. */
static void sketch_check_like(struct sketch *k, int i)
{
  int j = k->limbs[i].like, steps = 0;
  while (j >= 0 && j != i && steps++ < k->n_limbs)
    j = k->limbs[j].like;
  if (j != i)
    return;
  const struct text_entry *e = text_find(k->limbs[i].section, "like");
  SKETCH_ERROR(k, e, "limb '%s' is like '%s', which is like limb '%s'", k->limbs[i].name, text_clip(e->values[0]).word,
               k->limbs[i].name);
  k->limbs[i].like = -1;
}

static void sketch_read_like(struct sketch *k, struct sketch_limb *l)
{
  l->like = -1;
  const struct text_entry *e = text_find(l->section, "like");
  const char *name = e ? text_string(e, k->d) : NULL;
  if (!name)
    return;
  l->like = sketch_index_of_limb(k, name);
  if (l->like < 0)
    SKETCH_ERROR(k, e, "%s: there is no limb '%s'%s", text_describe_entry(e).words, text_clip(name).word,
                 text_suggest(name, sketch_limb_names(k)).words);
}

void sketch_list(struct sketch *k)
{
  int before = k->d->n_errors;
  size_t most = (size_t)sketch_check_names(k, k->file, "limb"); /* and loads, which sketch_read_loads() will add */
  for (const struct text_section *s = k->file->sections; s; s = s->next)
    most += strcmp(s->kind, "style") == 0 ? (size_t)sketch_count(s, "load") : 0;
  k->limbs = ARENA_NEW(k->arena, most, struct sketch_limb);
  k->feet = ARENA_NEW(k->arena, (size_t)sketch_check_names(k, k->file, "foot"), struct sketch_foot);
  k->broken_names = k->d->n_errors > before;
  k->gaits = ARENA_NEW(k->arena, (size_t)sketch_check_names(k, k->file, "gait"), struct sketch_gait);
  k->tendons = ARENA_NEW(k->arena, (size_t)sketch_check_names(k, k->file, "tendon"), struct sketch_tendon);
  for (const struct text_section *s = k->file->sections; s; s = s->next) {
    const char *name = sketch_short_name(k, s->title);
    if (!strcmp(s->kind, limb_schema.kind))
      k->limbs[k->n_limbs++] = (struct sketch_limb){.section = s, .name = name};
    if (!strcmp(s->kind, foot_schema.kind))
      k->feet[k->n_feet++] = (struct sketch_foot){.section = s, .name = name};
    if (!strcmp(s->kind, tendon_schema.kind))
      k->tendons[k->n_tendons++] = (struct sketch_tendon){.section = s};
    if (!strcmp(s->kind, gait_schema.kind))
      k->gaits[k->n_gaits++] = (struct sketch_gait){.section = s};
  }
  for (int i = 0; i < k->n_limbs; i++)
    sketch_read_like(k, &k->limbs[i]);
  for (int i = 0; i < k->n_limbs; i++)
    sketch_check_like(k, i);
}

/* A limb that says one of these has said enough not to take the other from the limb that it is like. */
static int sketch_says_instead(const struct text_section *s, const char *key)
{
  static const char *const pairs[][2] = {{"mass", "density"},
                                         {"density", "mass"},
                                         {"radius", "size"},
                                         {"size", "radius"},
                                         {"joint", NULL}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
    if (!strcmp(key, pairs[i][0]))
      return pairs[i][1] ? text_find(s, pairs[i][1]) != NULL : s->sections != NULL;
  return !strcmp(key, "parent");
}

const struct text_entry *sketch_find(const struct sketch *k, const struct sketch_limb *l, const char *key)
{
  for (;;) {
    const struct text_entry *e = text_find(l->section, key);
    if (e || sketch_says_instead(l->section, key) || l->like < 0)
      return e;
    l = &k->limbs[l->like];
  }
}

/* ---- the whole, feet, gaits ---- */

static void sketch_read_whole(struct sketch *k)
{
  static const struct text_range mass = {1e-9, 1e6, 0, "kg"}, friction = {0, 10, 0, ""}, rate = {0.1, 1e4, 0, "Hz"};
  const struct text_entry *e;
  k->friction = 0.8;
  if ((e = text_find(k->file, "name")))
    k->name = text_string(e, k->d);
  if ((e = text_find(k->file, "summary")))
    k->summary = text_string(e, k->d);
  if ((e = text_find(k->file, "friction")))
    text_numbers(e, 1, 1, &friction, &k->friction, k->d);
  if ((e = text_find(k->file, "frame_rate")))
    text_numbers(e, 1, 1, &rate, &k->frame_rate, k->d);
  if ((e = text_find(k->file, "body_mass")))
    text_numbers(e, 1, 1, &mass, &k->body_mass, k->d);
  k->body_mass_entry = e;
}

static void sketch_read_points(struct sketch *k, struct sketch_foot *f)
{
  const struct sketch_limb *l = &k->limbs[f->limb];
  int before = k->d->n_errors, n = sketch_check_names(k, f->section, "point");
  if (n > SKETCH_MAX_POINTS)
    SKETCH_ERROR(k, f->section, "%s has %d points, at most %d are allowed", text_describe(f->section).words, n,
                 SKETCH_MAX_POINTS);
  for (const struct text_section *s = f->section->sections; s && f->n_points < SKETCH_MAX_POINTS; s = s->next) {
    struct sketch_point *p = &f->points[f->n_points++];
    p->section = s;
    const struct text_entry *e = text_find(s, "at");
    if (e)
      text_numbers(e, 3, 3, &sketch_length, p->at, k->d);
    else
      SKETCH_ERROR(k, s, "%s needs a place: at = {x, y, z}", text_describe(s).words);
  }
  if (k->d->n_errors > before)
    k->broken_names = 1;
  if (f->n_points == 0) {
    memcpy(f->points[0].at, l->shape.to, sizeof f->points[0].at);
    f->n_points = 1;
  }
}

static void sketch_read_foot(struct sketch *k, struct sketch_foot *f)
{
  static const struct text_range clearance = {0, 1000, 1, "m"};
  const struct text_entry *e = text_find(f->section, "limb");
  const char *name = e ? text_string(e, k->d) : NULL;
  if (!e)
    SKETCH_ERROR(k, f->section, "%s needs a limb: limb = NAME", text_describe(f->section).words);
  f->limb = name ? sketch_find_limb(k, name, &f->side) : -1;
  if (name && f->limb < 0)
    SKETCH_ERROR(k, e, "%s: there is no limb '%s'%s", text_describe_entry(e).words, text_clip(name).word,
                 text_suggest(name, sketch_limb_names(k)).words);
  if (f->limb < 0) {
    f->limb = 0; /* any, so that the rest of the file can be looked at */
    k->broken_names = 1;
  }
  f->mirrored = k->limbs[f->limb].mirrored && f->side == SIDE_BOTH;
  if ((e = text_find(f->section, "clearance")))
    text_numbers(e, 1, 1, &clearance, &f->clearance, k->d);
  sketch_read_points(k, f);
}

void sketch_read_feet(struct sketch *k)
{
  for (int i = 0; i < k->n_feet; i++)
    sketch_read_foot(k, &k->feet[i]);
  for (int i = 0; i < k->n_feet; i++)
    for (int j = 0; j < k->n_feet; j++) {
      const struct text_section *s = k->feet[i].section, *t = k->feet[j].section;
      if (!k->feet[j].mirrored || sketch_image_side(s->title, t->title) == SIDE_BOTH)
        continue;
      SKETCH_ERROR(k, s, "foot '%s' already exists: it is an image of the mirrored foot '%s' at %s",
                   text_clip(s->title).word, text_clip(t->title).word, text_place(t->file, t->line, s->file).words);
      k->broken_names = 1;
    }
}

/* What a gait leaves open: its period, how long its contacts are, all of them. */
static void sketch_read_openness(struct sketch *k, struct sketch_gait *g)
{
  static const struct text_range share = {0, 1, 1, ""};
  int n_without = 0, has_style = 0;
  for (const struct text_section *s = g->section->sections; s; s = s->next) {
    int is_contact = !strcmp(s->kind, contact_schema.kind);
    g->has_order |= is_contact;
    n_without += is_contact && !text_find(s, "on") && text_find(s, "at");
    has_style |= !is_contact;
  }
  const struct text_entry *duty = text_find(g->section, "duty");
  if (duty)
    text_numbers(duty, 1, 1, &share, &g->duty, k->d);
  if (duty && g->has_order && !n_without)
    SKETCH_ERROR(k, duty, "%s: all contacts of this gait have times of their own: on = {from, until}; duty is for "
                 "those that only have a touch-down: at", text_describe_entry(duty).words);
  g->is_open = !text_find(g->section, "period") || !g->has_order || n_without;
  if (g->is_open && has_style)
    SKETCH_ERROR(k, g->section, "%s leaves something open and has a style: only complete gaits can have one; "
                 "muybridge gait prints what is missing", text_describe(g->section).words);
}

static void sketch_read_gait(struct sketch *k, struct sketch_gait *g)
{
  static const struct text_range period = {1e-3, 1000, 0, "s"}, speed = {0, 1000, 0, "m/s"}, lag = {0, 1, 0, ""};
  const struct text_entry *e = text_find(g->section, "period");
  if (e && text_numbers(e, 1, 2, &period, g->period, k->d) == 1)
    g->period[1] = g->period[0];

  e = text_find(g->section, "speed");
  if (!e)
    SKETCH_ERROR(k, g->section, "%s needs a speed: speed = {slowest, fastest}", text_describe(g->section).words);
  else if (text_numbers(e, 2, 2, &speed, g->speed, k->d) && g->speed[0] > g->speed[1])
    SKETCH_ERROR(k, e, "%s: the slowest, %g, is more than the fastest, %g", text_describe_entry(e).words, g->speed[0],
                 g->speed[1]);

  g->right_lag = 0.5;
  e = text_find(g->section, "right_lag");
  if (e && text_numbers(e, 1, 1, &lag, &g->right_lag, k->d) && g->right_lag == 1.0) {
    SKETCH_ERROR(k, e, "%s: must be less than 1; a whole cycle later is 0", text_describe_entry(e).words);
    g->right_lag = 0.0;
  }
}

/* Those that leave something open come last. */
void sketch_read_gaits(struct sketch *k)
{
  struct sketch_gait *open = ARENA_NEW(k->arena, (size_t)k->n_gaits + 1, struct sketch_gait);
  int n = 0;
  for (int i = 0; i < k->n_gaits; i++) {
    struct sketch_gait *g = &k->gaits[i];
    sketch_read_gait(k, g);
    sketch_read_openness(k, g);
    if (g->is_open)
      open[k->n_open++] = *g;
    else
      k->gaits[n++] = *g;
  }
  memcpy(k->gaits + n, open, (size_t)k->n_open * sizeof *open);
  k->n_gaits = n;
}

void sketch_read(struct sketch *k)
{
  sketch_read_whole(k);
  sketch_list(k);
  if (k->n_limbs == 0) {
    diag_error(k->d, k->file->file, 0, "there is no limb; a creature needs at least one: limb NAME { ... }");
    k->broken_names = 1;
    return;
  }
  sketch_join(k);
  for (int i = 0; i < k->n_limbs; i++)
    sketch_read_limb(k, &k->limbs[i]);
  sketch_check_shares(k);
  sketch_read_feet(k);
  sketch_read_pairs(k);
  sketch_read_tendons(k);
  sketch_read_gaits(k);
  if (k->broken_names)
    return;
  sketch_find_groups(k);
  sketch_read_loads(k);
  sketch_read_styles(k);
}

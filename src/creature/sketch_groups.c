/* Groups of limbs that a style can speak of in any creature: legs, arms, spine, neck, head, tail, trunk. Found from the
 * tree of limbs, their places at zero angles and their masses; names mean nothing. A creature may lack any of them. */
#include <math.h>
#include <string.h>

#include "creature/sketch.h"

/* A head or a limb of the neck or tail is lighter than this share of the whole; a heavier one is a trunk. */
#define LIGHT 0.15

/* Legs whose hips are nearer to each other than this, along x and in lengths of the longest reach from the root to a
 * hip or to the ground, are not fore and hind legs. */
#define FORE_AND_HIND 0.25

const char *const sketch_group_names[N_GROUPS + 1] = {"legs", "fore_legs", "hind_legs", "arms",  "spine", "neck",
                                                      "head", "tail",      "trunk",     "all",   NULL};

#define BIT(group) (1u << (group))

struct grouping {
  struct sketch *k;
  int *midline;                 /* neither mirrored nor on one side              */
  int *has_foot;                /* on it or on what it carries                   */
  int *n_moving;                /* limbs with axes that hang on it               */
  double (*at)[3];              /* its joint, from the root's origin [m]         */
  double mass;                  /* of the whole [kg]                             */
};

static struct sketch_limb *grouping_limb(const struct grouping *g, int i) { return &g->k->limbs[i]; }

static int grouping_is_light(const struct grouping *g, int i) { return grouping_limb(g, i)->mass < LIGHT * g->mass; }

static void grouping_mark(const struct grouping *g, int i, enum sketch_group group)
{
  grouping_limb(g, i)->groups |= BIT(group);
}

static int grouping_has(const struct grouping *g, int i, unsigned groups)
{
  return (grouping_limb(g, i)->groups & groups) != 0;
}

/* Where a limb ends. */
static double grouping_tip(const struct grouping *g, int i, int axis)
{
  return g->at[i][axis] + grouping_limb(g, i)->shape.to[axis];
}

static void grouping_measure(struct grouping *g)
{
  const struct sketch *k = g->k;
  for (int i = 0; i < k->n_limbs; i++) {
    const struct sketch_limb *l = &k->limbs[i];
    g->mass += l->mass * (l->mirrored ? 2 : 1);
    g->midline[i] = 1;
    for (int n = i; n >= 0 && n != k->root; n = k->limbs[n].parent) {
      const struct sketch_limb *x = &k->limbs[n];
      g->midline[i] &= !x->mirrored && x->parent_side == SIDE_BOTH;
      for (int axis = 0; axis < 3; axis++)
        g->at[i][axis] += x->at_end ? k->limbs[x->parent].shape.to[axis] : x->at[axis];
    }
    if (l->parent >= 0)
      g->n_moving[l->parent] += l->n_axes > 0;
  }
  for (int i = 0; i < k->n_feet; i++)
    for (int n = k->feet[i].limb; n >= 0; n = k->limbs[n].parent)
      g->has_foot[n] = 1;
}

/* A leg is all that is on one side on the way from a foot to the body; on the midline, what carries nothing else. */
static void grouping_find_legs(const struct grouping *g)
{
  const struct sketch *k = g->k;
  double first = INFINITY, last = -INFINITY, reach = 0;
  for (int i = 0; i < k->n_feet; i++) {
    int foot = k->feet[i].limb, top = foot;
    for (int n = foot; n != k->root && (g->midline[foot] ? g->n_moving[n] <= 1 : !g->midline[n]);
         n = k->limbs[n].parent)
      grouping_mark(g, top = n, GROUP_LEGS);
    first = fmin(first, g->at[top][0]);
    last = fmax(last, g->at[top][0]);
    reach = fmax(reach, fmax(fabs(g->at[top][0]), -grouping_tip(g, foot, 2)));
  }
  int all_hind = !(last - first > FORE_AND_HIND * reach);
  for (int i = 0; i < k->n_limbs; i++) {
    int top = i;
    if (!grouping_has(g, i, BIT(GROUP_LEGS)))
      continue;
    while (grouping_has(g, k->limbs[top].parent, BIT(GROUP_LEGS)))
      top = k->limbs[top].parent;
    double place = all_hind ? 0 : (g->at[top][0] - first) / (last - first);
    if (place < 0.4)
      grouping_mark(g, i, GROUP_HIND_LEGS);
    if (place > 0.6)
      grouping_mark(g, i, GROUP_FORE_LEGS);
  }
}

/* Ends of the midline: limbs that carry no other limb of it. */
static int grouping_is_end(const struct grouping *g, int i)
{
  const struct sketch *k = g->k;
  if (!g->midline[i] || i == k->root || g->has_foot[i] || !grouping_is_light(g, i))
    return 0;
  for (int j = 0; j < k->n_limbs; j++)
    if (k->limbs[j].parent == i && g->midline[j])
      return 0;
  return 1;
}

/* Marks what the limb hangs on, up to what carries more than it, as the same group or as `above`. */
static void grouping_climb(const struct grouping *g, int i, enum sketch_group above)
{
  int moves = grouping_limb(g, i)->n_axes > 0;
  for (int n = grouping_limb(g, i)->parent; n != g->k->root && g->midline[n] && !g->has_foot[n]; ) {
    if (g->n_moving[n] > moves || !grouping_is_light(g, n) || grouping_limb(g, n)->groups)
      return;
    grouping_mark(g, n, above);
    moves = grouping_limb(g, n)->n_axes > 0;
    n = grouping_limb(g, n)->parent;
  }
}

/* The head is the end of the midline that is farthest to the front and above; tails are ends that point backwards. */
static void grouping_find_ends(const struct grouping *g)
{
  const struct sketch *k = g->k;
  int head = -1;
  double most = 0;
  for (int i = 0; i < k->n_limbs; i++) {
    double ahead = grouping_tip(g, i, 0) + grouping_tip(g, i, 2);
    if (grouping_is_end(g, i) && ahead > most)
      head = i, most = ahead;
  }
  if (head >= 0) {
    grouping_mark(g, head, GROUP_HEAD);
    grouping_climb(g, head, GROUP_NECK);
  }
  for (int i = 0; i < k->n_limbs; i++)
    if (i != head && grouping_is_end(g, i) && grouping_tip(g, i, 0) < g->at[i][0]) {
      grouping_mark(g, i, GROUP_TAIL);
      grouping_climb(g, i, GROUP_TAIL);
    }
}

static void grouping_find_rest(const struct grouping *g)
{
  const struct sketch *k = g->k;
  int trunk = -1, carries_arms = 0;
  for (int i = 0; i < k->n_limbs; i++) {
    int n = i;
    while (!g->midline[n])
      n = k->limbs[n].parent;
    if (n != i && !g->has_foot[i] && !grouping_has(g, n, BIT(GROUP_HEAD) | BIT(GROUP_NECK) | BIT(GROUP_TAIL)) &&
        k->limbs[i].mirrored && !grouping_has(g, i, BIT(GROUP_LEGS)))
      grouping_mark(g, i, GROUP_ARMS);
    if (n == i && i != k->root && !k->limbs[i].groups)
      grouping_mark(g, i, GROUP_SPINE);
    grouping_mark(g, i, GROUP_ALL);
  }
  for (int i = 0; i < k->n_limbs; i++) {
    int arms = 0;
    for (int j = 0; j < k->n_limbs; j++)
      arms |= k->limbs[j].parent == i && k->limbs[j].n_axes > 0 && grouping_has(g, j, BIT(GROUP_ARMS));
    if (g->midline[i] && (trunk < 0 || arms > carries_arms ||
                          (arms == carries_arms && k->limbs[i].mass > k->limbs[trunk].mass)))
      trunk = i, carries_arms = arms;
  }
  grouping_mark(g, trunk, GROUP_TRUNK); /* the root is on the midline: there is one */
}

void sketch_find_groups(struct sketch *k)
{
  size_t n = (size_t)k->n_limbs;
  struct grouping g = {k, ARENA_NEW(k->arena, n, int), ARENA_NEW(k->arena, n, int), ARENA_NEW(k->arena, n, int),
                       arena_alloc(k->arena, n, sizeof(double[3])), 0};
  grouping_measure(&g);
  grouping_find_legs(&g);
  grouping_find_ends(&g);
  grouping_find_rest(&g);
}

int sketch_trunk_is_upright(const struct sketch *k)
{
  for (int i = 0; i < k->n_limbs; i++) {
    const struct shape *s = &k->limbs[i].shape;
    if (k->limbs[i].groups & BIT(GROUP_TRUNK))
      return fabs(s->to[2] - s->from[2]) > fabs(s->to[0] - s->from[0]);
  }
  return 0;
}

/* ---- the words of a style ---- */

static void parts_add(struct sketch_parts *out, int limb, enum side side, int axis)
{
  if (out->parts)
    out->parts[out->n] = (struct sketch_part){limb, side, axis};
  out->n++;
}

static int parts_find_axis(const struct sketch_limb *l, const char *axis)
{
  for (int i = 0; i < l->n_axes; i++)
    if (!strcmp(l->axes[i].section->title, axis))
      return i;
  return -1;
}

/* Counts them, or fills them in. Of a group, limbs that have the axis; a side has only limbs that are mirrored. */
static void parts_of_group(const struct sketch *k, int group, enum side side, const char *axis,
                           struct sketch_parts *out)
{
  for (int i = 0; i < k->n_limbs; i++) {
    const struct sketch_limb *l = &k->limbs[i];
    int which = axis ? parts_find_axis(l, axis) : -1;
    if (l->groups & BIT(group) && (side == SIDE_BOTH || l->mirrored) && (!axis || which >= 0))
      parts_add(out, i, side, which);
  }
}

/* "legs", "left_legs"; -1 if the name is no group's. */
static int parts_find_group(const char *name, enum side *side)
{
  for (int i = 0; i < N_GROUPS; i++) {
    *side = sketch_image_side(name, sketch_group_names[i]);
    if (*side != SIDE_BOTH || !strcmp(name, sketch_group_names[i]))
      return i;
  }
  return -1;
}

static int parts_are_optional(struct sketch *k, const struct text_section *s)
{
  static const char *const words[] = {"false", "true", NULL};
  for (; s && s->kind; s = s->parent) {
    const struct text_entry *e = text_find(s, "optional");
    if (e)
      return text_word(e, words, k->d) == 1;
  }
  return 0;
}

/* What may have been meant by a name that is none. */
static struct text_phrase parts_suggest(const struct sketch *k, const char *name)
{
  const char **names = ARENA_NEW(k->arena, 3 * ((size_t)k->n_limbs + N_GROUPS) + 1, const char *);
  enum side side;
  int n = 0;
  for (int i = 0; i < N_GROUPS; i++)
    names[n++] = sketch_group_names[i];
  for (int i = 0; i < k->n_limbs; i++)
    if (parts_find_group(k->limbs[i].name, &side) < 0)
      names[n++] = k->limbs[i].name;
  int n_plain = n;
  for (int i = 0; i < n_plain; i++) {
    int limb = i < N_GROUPS ? -1 : sketch_find_limb(k, names[i], &side);
    if (limb < 0 ? i > GROUP_ARMS : !k->limbs[limb].mirrored)
      continue;
    names[n++] = arena_printf(k->arena, "left_%s", names[i]);
    names[n++] = arena_printf(k->arena, "right_%s", names[i]);
  }
  if (!text_nearest(name, names))
    names[n_plain] = NULL; /* all that there is, without sides */
  return text_suggest(name, names);
}

static int parts_complain(struct sketch *k, const struct text_section *s, const struct text_entry *e, const char *text)
{
  diag_error(k->d, e ? e->file : s->file, e ? e->line : s->line, "%s: %s", text_describe(s).words, text);
  return 0;
}

int sketch_find_parts(struct sketch *k, const struct text_section *s, const struct text_entry *e, const char *word,
                      int needs_axis, struct sketch_parts *out)
{
  char *name = arena_strdup(k->arena, word), *dot = strchr(name, '.');
  const char *axis = dot ? dot + 1 : NULL;
  enum side side, limb_side;
  if (dot)
    *dot = '\0';
  int limb = sketch_find_limb(k, name, &limb_side), group = parts_find_group(name, &side), optional, which = -1;
  *out = (struct sketch_parts){0};
  if (needs_axis && !axis)
    return parts_complain(k, s, e, arena_printf(k->arena, "'%s' names no axis; write LIMB.AXIS, such as head.flexion",
                                                text_clip(word).word));
  optional = parts_are_optional(k, s);
  if (limb < 0 && group < 0)
    return optional || parts_complain(k, s, e, arena_printf(k->arena, "there is no limb or group '%s'%s",
                                                            text_clip(name).word,
                                                            parts_suggest(k, name).words));
  if (group >= 0 && !(axis && limb >= 0)) { /* a word that is both means the group, unless it names an axis */
    for (int fill = 0; fill < 2; fill++) {
      if (fill)
        out->parts = ARENA_NEW(k->arena, (size_t)out->n, struct sketch_part);
      out->n = 0;
      parts_of_group(k, group, side, axis, out);
    }
    if (out->n == 0 && axis && !optional)
      return parts_complain(k, s, e, arena_printf(k->arena, "no limb of '%s' has an axis '%s'", text_clip(name).word,
                                                  text_clip(axis).word));
    return 1;
  }
  if (axis && (which = parts_find_axis(&k->limbs[limb], axis)) < 0) {
    const char *names[SKETCH_MAX_AXES + 1] = {NULL};
    for (int i = 0; i < k->limbs[limb].n_axes; i++)
      names[i] = k->limbs[limb].axes[i].section->title;
    return optional || parts_complain(k, s, e, arena_printf(k->arena, "limb '%s' has no axis '%s'%s",
                                                            k->limbs[limb].name, text_clip(axis).word,
                                                            names[0] ? text_suggest(axis, names).words : ""));
  }
  out->parts = ARENA_NEW(k->arena, 1, struct sketch_part);
  parts_add(out, limb, limb_side, which);
  return 1;
}

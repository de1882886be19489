/* The tree of limbs: who carries whom, which limb is the root, which have mirror images. */
#include <string.h>

#include "creature/sketch.h"

enum side sketch_image_side(const char *image, const char *name)
{
  if (!strncmp(image, "left_", 5) && !strcmp(image + 5, name))
    return SIDE_LEFT;
  if (!strncmp(image, "right_", 6) && !strcmp(image + 6, name))
    return SIDE_RIGHT;
  return SIDE_BOTH;
}

/* By its own name, else by that of one of its images, whether it has any or not. */
static int sketch_find_any(const struct sketch *k, const char *name, enum side *side)
{
  *side = SIDE_BOTH;
  for (int i = 0; i < k->n_limbs; i++)
    if (!strcmp(k->limbs[i].name, name))
      return i;
  for (int i = 0; i < k->n_limbs; i++)
    if ((*side = sketch_image_side(name, k->limbs[i].name)) != SIDE_BOTH)
      return i;
  return -1;
}

int sketch_find_limb(const struct sketch *k, const char *name, enum side *side)
{
  int i = sketch_find_any(k, name, side);
  if (k->broken_tree)
    return i; /* then nothing is known about images */
  return i >= 0 && *side != SIDE_BOTH && !k->limbs[i].mirrored ? -1 : i;
}

/* ---- parents ---- */

static void sketch_read_parent(struct sketch *k, int i)
{
  struct sketch_limb *l = &k->limbs[i];
  const struct text_entry *e = text_find(l->section, "parent");
  l->parent = -1;
  if (!e && k->root < 0)
    k->root = i;
  else if (!e) {
    const struct text_section *root = k->limbs[k->root].section;
    SKETCH_ERROR(k, l->section, "limb '%s' has no parent, but limb '%s' at %s is the root already", l->name,
                 k->limbs[k->root].name, text_place(root->file, root->line, l->section->file).words);
    k->broken_tree = 1;
  }
  const char *name = e ? text_string(e, k->d) : NULL;
  if (e && !name)
    k->broken_tree = 1;
  if (!name)
    return;
  l->parent = sketch_find_any(k, name, &l->parent_side);
  if (l->parent >= 0)
    return;
  SKETCH_ERROR(k, e, "%s: there is no limb '%s'%s", text_describe_entry(e).words, text_clip(name).word,
               text_suggest(name, sketch_limb_names(k)).words);
  k->broken_tree = 1;
}

/* The limbs of a circle, beginning and ending with the same: "a -> b -> a"; a long circle is cut short. */
static const char *sketch_describe_circle(const struct sketch *k, int start)
{
  char *text = arena_strdup(k->arena, k->limbs[start].name);
  int n = 1;
  for (int i = k->limbs[start].parent; i != start; i = k->limbs[i].parent, n++) {
    if (n < 8)
      text = arena_printf(k->arena, "%s -> %s", text, k->limbs[i].name);
    if (n == 8)
      text = arena_printf(k->arena, "%s -> ...", text);
  }
  return arena_printf(k->arena, "%s -> %s", text, k->limbs[start].name);
}

/* Walks up from every limb. mark: 0 not seen, i + 1 seen on the walk that began at i. */
static void sketch_check_circles(struct sketch *k)
{
  int *mark = ARENA_NEW(k->arena, (size_t)k->n_limbs, int);
  for (int i = 0; i < k->n_limbs; i++) {
    int j = i;
    for (; j >= 0 && mark[j] == 0; j = k->limbs[j].parent)
      mark[j] = i + 1;
    if (j < 0 || mark[j] != i + 1)
      continue;
    const struct text_entry *e = text_find(k->limbs[j].section, "parent");
    SKETCH_ERROR(k, e, "limbs carry each other in a circle: %s", sketch_describe_circle(k, j));
    k->broken_tree = 1;
  }
}

/* ---- mirror images ---- */

/* What a limb says about its mirror image: 1, 0, or -1 for nothing. */
static int sketch_read_mirror(struct sketch *k, const struct sketch_limb *l, const struct text_entry **entry)
{
  static const char *const words[] = {"false", "true", NULL};
  *entry = sketch_find(k, l, "mirror");
  return *entry ? text_word(*entry, words, k->d) : -1;
}

/* Needs the parent's. */
static void sketch_set_mirrored(struct sketch *k, struct sketch_limb *l)
{
  const struct text_entry *e;
  int says = sketch_read_mirror(k, l, &e);
  const struct sketch_limb *p = l->parent >= 0 ? &k->limbs[l->parent] : NULL;
  l->mirrored = p && l->parent_side == SIDE_BOTH && (p->mirrored || says == 1);
  if (!p && says == 1)
    SKETCH_ERROR(k, e, "limb '%s' is the root and cannot be mirrored", l->name);
  if (p && l->parent_side != SIDE_BOTH && !p->mirrored) {
    SKETCH_ERROR(k, text_find(l->section, "parent"), "limb '%s': there is no limb '%s_%s', '%s' is not mirrored",
                 l->name, l->parent_side == SIDE_LEFT ? "left" : "right", p->name, p->name);
    k->broken_names = 1;
  } else if (p && l->parent_side != SIDE_BOTH && says == 1) {
    SKETCH_ERROR(k, e, "limb '%s' cannot be mirrored: it hangs on one side only; write parent = %s, or mirror = false",
                 l->name, p->name);
  } else if (p && p->mirrored && l->parent_side == SIDE_BOTH && says == 0) {
    SKETCH_ERROR(k, e, "limb '%s' has two images, as its parent '%s' has; for one side write parent = left_%s", l->name,
                 p->name, p->name);
  }
}

static void sketch_set_all_mirrored(struct sketch *k)
{
  int *done = ARENA_NEW(k->arena, (size_t)k->n_limbs, int), *path = ARENA_NEW(k->arena, (size_t)k->n_limbs, int);
  for (int i = 0; i < k->n_limbs; i++) {
    int n = 0;
    for (int j = i; j >= 0 && !done[j]; j = k->limbs[j].parent)
      path[n++] = j;
    while (n > 0) { /* parents first */
      sketch_set_mirrored(k, &k->limbs[path[--n]]);
      done[path[n]] = 1;
    }
  }
}

/* An image's name may also be the name of a limb that is written out. */
static void sketch_check_image_names(struct sketch *k)
{
  for (int i = 0; i < k->n_limbs; i++)
    for (int j = 0; j < k->n_limbs; j++) {
      const struct text_section *s = k->limbs[i].section, *t = k->limbs[j].section;
      if (!k->limbs[j].mirrored || sketch_image_side(s->title, t->title) == SIDE_BOTH)
        continue;
      SKETCH_ERROR(k, s, "limb '%s' already exists: it is an image of the mirrored limb '%s' at %s", s->title, t->title,
                   text_place(t->file, t->line, s->file).words);
      k->broken_names = 1;
    }
}

void sketch_join(struct sketch *k)
{
  k->root = -1;
  for (int i = 0; i < k->n_limbs; i++)
    sketch_read_parent(k, i);
  sketch_check_circles(k);
  k->broken_names |= k->broken_tree;
  if (k->broken_tree)
    return;
  sketch_set_all_mirrored(k);
  sketch_check_image_names(k);
}

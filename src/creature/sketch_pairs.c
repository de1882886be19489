/* What a file says about limbs that meet: may_overlap and must_clear, lists of other limbs. */
#include "creature/sketch.h"

static const char *const pair_keys[2] = {"may_overlap", "must_clear"};

static void sketch_read_pair(struct sketch *k, const struct text_entry *e, int limb, int value, int must_clear)
{
  struct sketch_pair *p = &k->pairs[k->n_pairs];
  const char *name = e->values[value];
  *p = (struct sketch_pair){.entry = e, .a = limb, .must_clear = must_clear};
  p->b = sketch_find_limb(k, name, &p->side_b);
  if (p->b < 0)
    SKETCH_ERROR(k, e, "%s: there is no limb '%s'%s", text_describe_entry(e).words, text_clip(name).word,
                 text_suggest(name, sketch_limb_names(k)).words);
  else if (p->b == limb && !k->limbs[limb].mirrored)
    SKETCH_ERROR(k, e, "%s: limb '%s' is this limb itself", text_describe_entry(e).words, text_clip(name).word);
  else
    k->n_pairs++;
}

void sketch_read_pairs(struct sketch *k)
{
  size_t most = 0;
  for (int i = 0; i < k->n_limbs; i++)
    for (int key = 0; key < 2; key++) {
      const struct text_entry *e = sketch_find(k, &k->limbs[i], pair_keys[key]);
      most += e ? (size_t)e->n_values : 0;
    }
  k->pairs = ARENA_NEW(k->arena, most, struct sketch_pair);
  for (int i = 0; i < k->n_limbs && !k->broken_tree; i++)
    for (int key = 0; key < 2; key++) {
      const struct text_entry *e = sketch_find(k, &k->limbs[i], pair_keys[key]);
      for (int v = 0; e && v < e->n_values; v++)
        sketch_read_pair(k, e, i, v, key);
    }
}

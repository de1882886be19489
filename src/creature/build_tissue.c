/* From the sketch to the creature: passive tissue. The springs and dampers of single axes first, in the order of the
 * dofs, then tendons in the order of the file, the left image before the right. */
#include "creature/build.h"

static void build_tissue_add(struct build *b, struct tissue t)
{
  b->tissues[b->c->n_tissues] = t;
  b->c->n_tissues++;
}

/* A spring about the rest angle, to both sides, and a damper. */
static void build_tissue_of_axis(struct build *b, int i)
{
  const struct sketch_axis *a = b->axis_of[i];
  if (!(a->stiffness > 0 || a->damping > 0))
    return;
  build_tissue_add(b, (struct tissue){.name = b->dofs[i].name,
                                      .n_dofs = 1,
                                      .dof = {i, i},
                                      .arm = {1, 0},
                                      .slack = a->rest,
                                      .stiffness = a->stiffness,
                                      .damping = a->damping});
}

static void build_tissue_of_tendon(struct build *b, const struct sketch_tendon *t, enum side side)
{
  struct tissue new = {.name = build_image_name(b->arena, t->section->title, side),
                       .n_dofs = t->n,
                       .slack = t->slack,
                       .toe = t->toe,
                       .one_sided = t->one_sided,
                       .stiffness = t->stiffness,
                       .damping = t->damping};
  for (int i = 0; i < t->n; i++) {
    const int *images = b->image[t->limb[i]];
    int limb = images[b->k->limbs[t->limb[i]].mirrored ? side : SIDE_BOTH];
    new.dof[i] = b->limbs[limb].first_dof + t->axis[i];
    const struct dof *d = &b->dofs[new.dof[i]];
    new.arm[i] = side == SIDE_RIGHT && d->mirror == new.dof[i] ? d->mirror_sign * t->arm[i] : t->arm[i];
  }
  if (t->n == 1)
    new.dof[1] = new.dof[0], new.arm[1] = 0;
  build_tissue_add(b, new);
}

/* On which side a tendon is; SIDE_BOTH: on either side one, if any of its joints has two images. */
static enum side build_tissue_side(const struct build *b, const struct sketch_tendon *t, int *has_images)
{
  enum side side = SIDE_BOTH;
  *has_images = 0;
  for (int i = 0; i < t->n; i++)
    if (b->k->limbs[t->limb[i]].mirrored) {
      *has_images = 1;
      side = t->side[i];
    }
  return side;
}

/* Is o what t is in the mirror? There, angles of the midline that turn across y have the other sign; a spring to both
 * sides may be stretched the other way. */
static int build_tissue_is_image(const struct build *b, const struct tissue *t, const struct tissue *o)
{
  int law = o->n_dofs == t->n_dofs && o->one_sided == t->one_sided && o->stiffness == t->stiffness &&
            o->damping == t->damping && o->toe == t->toe;
  for (int turned = 0; turned < (t->one_sided ? 1 : 2); turned++) {
    double sign = turned ? -1 : 1;
    int same = law && o->slack == sign * t->slack;
    for (int i = 0; i < t->n_dofs; i++) {
      const struct dof *d = &b->dofs[t->dof[i]];
      same &= o->dof[i] == d->mirror && o->arm[i] == sign * d->mirror_sign * t->arm[i];
    }
    if (same)
      return 1;
  }
  return 0;
}

static void build_tissue_set_mirrors(struct build *b)
{
  for (int i = 0; i < b->c->n_tissues; i++) {
    b->tissues[i].mirror = -1;
    for (int j = 0; j < b->c->n_tissues && b->tissues[i].mirror < 0; j++)
      if (build_tissue_is_image(b, &b->tissues[i], &b->tissues[j]))
        b->tissues[i].mirror = j;
  }
}

void build_tissue(struct build *b)
{
  size_t most = (size_t)b->c->n_dofs + 2 * (size_t)b->k->n_tendons;
  b->tissues = ARENA_NEW(b->arena, most, struct tissue);
  for (int i = CREATURE_ROOT_DOFS; i < b->c->n_dofs; i++)
    build_tissue_of_axis(b, i);
  for (int i = 0; i < b->k->n_tendons; i++) {
    int has_images;
    enum side side = build_tissue_side(b, &b->k->tendons[i], &has_images);
    if (has_images && side == SIDE_BOTH) {
      build_tissue_of_tendon(b, &b->k->tendons[i], SIDE_LEFT);
      build_tissue_of_tendon(b, &b->k->tendons[i], SIDE_RIGHT);
    } else {
      build_tissue_of_tendon(b, &b->k->tendons[i], side);
    }
  }
  build_tissue_set_mirrors(b);
}

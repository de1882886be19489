/* Private to src/creature. Steps of sketch_build(). */
#ifndef MUYBRIDGE_BUILD_H
#define MUYBRIDGE_BUILD_H

#include "creature/pose.h"
#include "creature/sketch.h"

struct build {
  const struct sketch *k;
  struct arena *arena;             /* the creature's                              */
  struct diag *d;
  struct creature *c;
  double own_mass;                 /* as described: without loads and changes [kg] */
  struct limb *limbs;              /* the creature's arrays, still open for change */
  struct dof *dofs;
  struct foot *feet;
  struct contact_point *points;
  struct tissue *tissues;
  const struct sketch_limb **limb_of;     /* limb -> as described                 (n_limbs)  */
  enum side *side_of;                     /* limb -> which image, if it has one   (n_limbs)  */
  int (*image)[3];                        /* described limb, side -> limb         (k->n_limbs) */
  const struct sketch_axis **axis_of;     /* dof -> as described, NULL for the root (n_dofs) */
  const struct sketch_foot **foot_of;     /* foot -> as described                 (n_feet)   */
  struct pose_frame *rest;                /* at the rest pose, root at the origin (n_dofs)   */
};

void build_limbs(struct build *b);  /* images, in tree order                       build.c       */
void build_limb_changes(struct build *b); /* of places and masses                  build_change.c */
void build_dofs(struct build *b);   /* joints to dofs                              build.c       */
void build_axis_changes(struct build *b); /* of dofs                               build_change.c */
void build_mirrors(struct build *b); /* who is the image of whom                   build.c       */
void build_tissue(struct build *b); /* springs, dampers, tendons                   build_tissue.c */
void build_feet(struct build *b);   /* feet and contact points                     build_feet.c  */
void build_masses(struct build *b); /* of bodies                                   build.c       */
void build_pairs(struct build *b);  /* limbs that keep apart; needs the rest pose  build_pairs.c */
void build_pairs_check(struct build *b); /* overlaps at rest that look like mistakes             */
void build_styles(struct build *b); /* what styles make of gaits; needs the height build_style.c */
void build_check(struct build *b);  /* what only the whole can show                build_check.c */

/* The limbs that a part of a change or of a style speaks of: one, or two images. */
int build_images(const struct build *b, const struct sketch_part *p, int limbs[2]);

/* Along which coordinate axis a direction is. */
enum axis_kind build_kind_of(const double axis[3]);

/* "thigh" -> "left_thigh"; itself when it has no images. */
const char *build_image_name(struct arena *arena, const char *name, enum side side);

#endif

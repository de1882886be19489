/* Private to src/robots. The robot as limbs of a creature: frames parallel at zero angles, what no joint moves made one
 * limb, pairs of mirror images, a pose to stand in, feet, shapes. */
#ifndef MUYBRIDGE_ROBOTS_LIMBS_H
#define MUYBRIDGE_ROBOTS_LIMBS_H

#include "robots/robot.h"
#include "robots/robots.h"

#define LIMBS_MAX_AXES 3
#define LIMBS_MAX_POINTS 8

struct limbs_axis {
  const struct robot_joint *joint;
  const char *name;             /* "roll", "pitch", "yaw", unique in its limb                  */
  double sign;                  /* -1: the robot's angle has the other sign                    */
  double about[3], lower, upper, rest, slack; /* [rad]; sign applied                           */
};

struct limbs_point { const char *name; double at[3]; };

struct limb {
  const struct robot_body *body;
  const char *name;             /* in the file: without its side when it is written once       */
  int parent;                   /* limb, < own index; -1: the root                             */
  int mirror;                   /* its image; itself on the midline; -1: none                  */
  int left;                     /* of two images the one that is written                       */
  double at[3], place[3];       /* joint in the parent's frame; in the root's, at zero [m]     */
  double mass, com[3], inertia[6];
  int n_axes, n_children;
  struct limbs_axis axes[LIMBS_MAX_AXES];
  double tip[3];                /* origin of the farthest body that is part of it [m]          */
  /* feet.c */
  int is_foot, is_flat;
  double down[3];               /* which way is down at rest, in its frame                     */
  int n_points;
  struct limbs_point points[LIMBS_MAX_POINTS];
  /* shapes.c */
  enum { LIMB_NONE, LIMB_CAPSULE, LIMB_BOX, LIMB_ELLIPSOID } shape;
  double from[3], to[3], radius, size[3];
};

struct limbs {
  struct robot *r;
  struct arena *arena;
  int n;
  struct limb *limb;            /* parents first                                               */
  int n_solids;
  struct robot_solid *solids;   /* of the robot, in the frames of limbs; body: limb            */
  double size;                  /* of the robot: the greatest distance of joints and feet at zero [m] */
  double height;                /* of the root above the lowest point, at rest [m]             */
  const char *rest;             /* where the rest pose comes from                              */
};

/* Steps of limbs_text(), in this order; 0 after an error. */
int limbs_make(struct limbs *k);          /* limbs.c  */
void limbs_find_pairs(struct limbs *k);   /* mirror.c */
void limbs_make_symmetric(struct limbs *k); /* mirror.c */
void limbs_begin_rest(struct limbs *k);   /* rest.c: of the file, or near zero */
void limbs_find_feet(struct limbs *k);    /* feet.c: which limbs, in that pose */
void limbs_find_rest(struct limbs *k);    /* rest.c   */
void limbs_find_points(struct limbs *k);  /* feet.c: where they touch the ground at rest */
void limbs_find_shapes(struct limbs *k);  /* shapes.c */
void limbs_name(struct limbs *k);         /* names.c  */
const char *limbs_write(struct limbs *k, const struct robots_options *o, const char **gaits); /* write.c */

const char *limbs_text(struct robot *r, const struct robots_options *o, struct robots_report *report);

/* Places of all limbs in the root's frame when joints have their rest angles (at_rest) or are at zero:
 * R (n x 9) and p (n x 3). */
void limbs_place(const struct limbs *k, int at_rest, double *R, double *p);

/* The frame of a limb from that of its parent: R (3 x 3) and p. */
void limbs_place_one(const struct limb *l, int at_rest, const double *R_parent, const double *p_parent, double *R,
                     double *p);

/* The box of uniform density that has the limb's mass and moments, about its centre of mass and along its axes: what is
 * known of a limb without solids. */
struct robot_solid limbs_inertia_box(const struct limb *l);

/* A name of a creature file from any text: letters, digits and underscores. In the arena. */
const char *limbs_clean(struct arena *arena, const char *text);

/* Gait sections to begin with, by the number of legs; NULL: none. *names: "trot, walk". */
const char *limbs_gaits(const struct limbs *k, const char **names);

#endif

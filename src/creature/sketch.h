/* Private to src/creature. The sketch: a creature as its file describes it, before mirror images are made and joints
 * become dofs.
 *
 * creature_load() goes text -> sketch (sketch_*.c: every value checked, every name resolved) -> creature (build.c,
 * gait.c). A sketch lives in a scratch arena; the creature takes nothing from it but copies. */
#ifndef MUYBRIDGE_SKETCH_H
#define MUYBRIDGE_SKETCH_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "creature/creature.h"

#define SKETCH_MAX_LIMBS  1000
#define SKETCH_MAX_FEET   100
#define SKETCH_MAX_GAITS  100
#define SKETCH_MAX_TENDONS 1000
#define SKETCH_MAX_AXES   3
#define SKETCH_MAX_POINTS 8
#define SKETCH_MAX_STYLES 100  /* and parts of one kind in all of them */

/* Which of the two images of a mirrored limb or foot. */
enum side { SIDE_BOTH, SIDE_LEFT, SIDE_RIGHT };

struct sketch_axis {
  const struct text_section *section;
  double about[3];                    /* unit vector                               */
  double lower, upper, rest;          /* [rad]                                     */
  double torque, stiffness, damping;  /* [N m], [N m/rad], [N m s/rad]             */
  double servo[2];                    /* negative when the file does not say       */
};

struct sketch_limb {
  const struct text_section *section;
  const char *name;
  int like;                           /* limb, -1 if none                          */
  int parent;                         /* limb, -1 for the root                     */
  enum side parent_side;              /* of a mirrored parent: the one named       */
  int mirrored;                       /* has two images                            */
  int at_end;                         /* at is the parent's to                     */
  double at[3];                       /* [m]                                       */
  struct shape shape;
  double volume, mass, com[3], inertia[6];
  int solid;                          /* 0: the shape is for the picture only      */
  int is_load;                        /* by sketch_read_loads()                    */
  unsigned groups;                    /* bits 1 << enum sketch_group, by sketch_find_groups() */
  int n_axes;
  struct sketch_axis axes[SKETCH_MAX_AXES];
};

struct sketch_point {
  const struct text_section *section; /* NULL for the one that a foot has by default */
  double at[3];                       /* in the limb's frame [m]                     */
};

struct sketch_foot {
  const struct text_section *section;
  const char *name;
  int limb;
  enum side side;                     /* of a mirrored limb: the one named         */
  int mirrored;
  double clearance;                   /* [m], 0 when the file does not say         */
  int n_points;
  struct sketch_point points[SKETCH_MAX_POINTS];
};

struct sketch_tendon {
  const struct text_section *section;
  int n, limb[CREATURE_TISSUE_DOFS];        /* that it spans; 0 after an error     */
  int axis[CREATURE_TISSUE_DOFS];           /* of that limb                        */
  enum side side[CREATURE_TISSUE_DOFS];     /* of a mirrored limb: the one named   */
  int one_sided;
  double arm[CREATURE_TISSUE_DOFS], slack, toe, stiffness, damping; /* as in struct tissue */
};

struct sketch_gait {
  const struct text_section *section;
  double period[2], speed[2], right_lag; /* period 0: open                           */
  double duty;                        /* 0: not given                             */
  int is_open, has_order;             /* see struct open_gait                      */
  int n_styles;
  struct sketch_style *styles;        /* of this gait alone                        */
};

/* ---- changes and styles: doc/style-format.md ---- */

/* Limbs that a style may speak of in any creature; a creature may lack them. In the order of sketch_group_names. */
enum sketch_group {
  GROUP_LEGS, GROUP_FORE_LEGS, GROUP_HIND_LEGS, GROUP_ARMS, GROUP_SPINE, GROUP_NECK, GROUP_HEAD, GROUP_TAIL,
  GROUP_TRUNK, GROUP_ALL, N_GROUPS
};

/* A limb, or one axis of it, on one side or both. */
struct sketch_part {
  int limb;
  enum side side;                     /* SIDE_BOTH: all images that there are      */
  int axis;                           /* -1: all, or the limb itself               */
};
struct sketch_parts {
  int n;
  struct sketch_part *parts;
};

/* NaN, or of vectors its first number: left as it is. Angles [rad]. */
struct sketch_axis_change {
  const struct text_section *section;
  double about[3];                    /* unit vector                               */
  double lower, upper, rest, torque, stiffness, damping;
  double range_factor, torque_factor, stiffness_factor, damping_factor;
};
struct sketch_change {
  const struct text_section *section;
  struct sketch_parts of;
  double at[3], com[3], inertia[6];   /* of one limb or one image, in its frame [m], [kg m2] */
  double mass, mass_factor;           /* [kg]                                      */
  int n_axes;
  struct sketch_axis_change *axes;
};

struct sketch_joints {
  const struct text_section *section;
  struct sketch_parts of;
  double effort, posture;             /* factors                                   */
  double rest, pitch;                 /* [rad]; NaN: left as it is                 */
};

struct sketch_stance {
  struct sketch_parts of;
  double time;                        /* factor on the time on the ground          */
};

struct sketch_key {
  struct sketch_parts of;
  double angle;                       /* [rad]                                     */
};
struct sketch_pose {
  const struct text_section *section;
  double phase, width, weight;
  int mirror;                         /* also its mirror image, later by right_lag */
  int n_keys;
  struct sketch_key *keys;
};

struct sketch_style {
  const struct text_section *section;
  double clearance, crouch, tempo, speed; /* factors                               */
  double lean, gaze;                  /* [rad]; NaN: not said                      */
  int n_joints, n_stances, n_poses, n_weights;
  struct sketch_joints *joints;
  struct sketch_stance *stances;
  struct sketch_pose *poses;
  struct sketch_weight { const char *name; double factor; } *weights;
};

/* What the file says of two limbs: they may overlap, or must keep clear of each other. */
struct sketch_pair {
  const struct text_entry *entry;
  int a, b;                           /* limbs                                     */
  enum side side_b;                   /* of a mirrored b: the one named            */
  int must_clear;
};

struct sketch {
  struct arena *arena;
  struct diag *d;
  const struct text_section *file;
  const char *name, *summary;
  double body_mass, friction, frame_rate; /* 0 when the file does not say; friction then has its default */
  const struct text_entry *body_mass_entry;
  int n_limbs, n_feet, n_gaits, n_pairs, n_tendons;
  struct sketch_tendon *tendons;
  struct sketch_pair *pairs;
  struct sketch_limb *limbs;
  struct sketch_foot *feet;
  struct sketch_gait *gaits;          /* and after them those that leave something open (n_open) */
  int n_open;
  int n_changes, n_styles, n_given;   /* n_given: the last styles come from files of their own */
  struct sketch_change *changes;      /* of the file and of its styles, in this order */
  struct sketch_style *styles;
  int root;           /* limb                                                                */
  int broken_tree;    /* limbs do not form a tree: who is mirrored cannot be known            */
  int broken_names;   /* that, or names are wrong: of the contacts of gaits nothing can be said */
};

extern const struct text_schema sketch_schema;
extern const struct text_schema sketch_style_file_schema; /* of a style file: the same as a section style { ... } */
extern const struct text_schema sketch_change_schema, sketch_style_schema, sketch_gait_style_schema;

/* The whole sketch from the text. Errors go to d; what is wrong keeps a harmless default. */
void sketch_read(struct sketch *k);

/* Steps of sketch_read(), in this order. */
void sketch_list(struct sketch *k);         /* sections to arrays, names, duplicates, like           sketch.c      */
void sketch_join(struct sketch *k);         /* parents, root, cycles, mirror                         sketch_tree.c */
void sketch_read_limb(struct sketch *k, struct sketch_limb *l);  /* numbers of a limb and its axes   sketch_limb.c */
void sketch_check_shares(struct sketch *k); /* of body_mass                                          sketch_limb.c */
void sketch_read_feet(struct sketch *k);    /*                                                       sketch.c      */
void sketch_read_pairs(struct sketch *k);   /* may_overlap, must_clear                              sketch_pairs.c */
void sketch_read_tendons(struct sketch *k); /*                                                     sketch_tendon.c */
void sketch_read_gaits(struct sketch *k);   /* without their contacts                                sketch.c      */
void sketch_find_groups(struct sketch *k);  /* legs, spine, head ...                                 sketch_groups.c */
void sketch_read_loads(struct sketch *k);   /* which become limbs; needs groups                      sketch_load.c */
void sketch_read_styles(struct sketch *k);  /* changes, styles, those of gaits                       sketch_style.c */

/* The entry of a key in a limb, or in the limb that it is like; NULL. */
const struct text_entry *sketch_find(const struct sketch *k, const struct sketch_limb *l, const char *key);

/* Which image of the name this is: "left_thigh" of "thigh". SIDE_BOTH if it is none. */
enum side sketch_image_side(const char *image, const char *name);

/* How many sections of this kind there are in another; bad and repeated names are errors. */
int sketch_check_names(struct sketch *k, const struct text_section *in, const char *kind);

/* All names of limbs, for suggestions. NULL-terminated. */
const char *const *sketch_limb_names(const struct sketch *k);

extern const struct text_range sketch_length; /* of any position [m] */

extern const char *const sketch_group_names[N_GROUPS + 1]; /* "legs" ... NULL */

/* Is the trunk, the limb that loads are carried on, upright rather than level? */
int sketch_trunk_is_upright(const struct sketch *k);

/* What a word of a style means: a group, a limb, an axis of either ("legs", "left_thigh", "thigh.flexion"). With
 * needs_axis it must name an axis. An error at the line of e, or of s if that is NULL, unless the section s
 * says optional = true. 1: it was understood; that may be no part at all, of a creature without a tail. */
int sketch_find_parts(struct sketch *k, const struct text_section *s, const struct text_entry *e, const char *word,
                      int needs_axis, struct sketch_parts *out);

/* How many sections of this kind there are in another. */
int sketch_count(const struct text_section *in, const char *kind);

/* The value of a key, a single number in this range, if it is given and good; else *out stays. */
void sketch_read_number(struct sketch *k, const struct text_section *s, const char *key, const struct text_range *range,
                        double *out);

/* A limb by the name that a file uses for it: "thigh", or "left_thigh" when thigh is mirrored; then side says which
 * one. -1 if there is none. */
int sketch_find_limb(const struct sketch *k, const char *name, enum side *side);

/* Values of the keys `inertia` (of a limb of this mass) and `about`, checked. 1 if they are good; else *out stays. */
int sketch_read_inertia(struct sketch *k, const struct text_entry *e, double mass, double out[6]);
int sketch_read_direction(struct sketch *k, const struct text_entry *e, double out[3]);

/* Axes that do not turn a limb in different ways make the motion of its joint ambiguous: the first that adds nothing to
 * those before it, 0 if all do. */
int sketch_find_dependent(const double (*about)[3], int n);

/* An error at a section or an entry. */
#define SKETCH_ERROR(k, s, ...) diag_error((k)->d, (s)->file, (s)->line, __VA_ARGS__)

/* The creature, built from a sketch without errors and its gaits (gait.h); NULL after an error that shows only when it
 * is whole. */
const struct creature *sketch_build(const struct sketch *k, const struct gait *gaits, const struct open_gait *open,
                                    struct arena *arena);

#endif

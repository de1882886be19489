/* The creature: limbs, joints, masses, feet and gaits, as read from a creature file.
 *
 * Written by creature_load(), read by everybody, changed by nobody. The format is in doc/creature-format.md.
 *
 * Two views of one body. Anatomy: limbs in a tree, each with a shape and a joint of 0 to 3 axes. Dynamics: a chain of
 * degrees of freedom (dofs), each a body that turns about one axis, with massless bodies between the axes of one joint.
 * Dofs 0..2 move the root along x, y, z, dofs 3..5 turn it by yaw, pitch, roll; then one dof per joint axis, parents
 * first. At zero angles all frames are parallel: x forward, y left, z up. SI units, radians.
 *
 * The room gives creature.h, style.h, gap.h and creature_bytes.h, and may call base only. Its other headers are private
 * to it: text becomes a sketch (sketch*.c), a sketch a creature (build*.c, gait.c). */
#ifndef MUYBRIDGE_CREATURE_H
#define MUYBRIDGE_CREATURE_H

#include "base/arena.h"
#include "base/diag.h"

#define CREATURE_ROOT_DOFS 6
#define CREATURE_GRAVITY   9.81 /* [m/s2] */

enum shape_kind { SHAPE_NONE, SHAPE_CAPSULE, SHAPE_BOX, SHAPE_ELLIPSOID };
enum axis_kind { AXIS_X, AXIS_Y, AXIS_Z, AXIS_ANY };

/* A solid, in the frame of the limb that it belongs to. */
struct shape {
  enum shape_kind kind;
  double from[3], to[3]; /* ends of the limb's line, as in the file [m]                          */
  double centre[3];      /* [m]                                                                  */
  double frame[9];       /* columns: the solid's own axes; a capsule lies along its third        */
  double size[3];        /* full lengths along these axes [m]; capsule: 2r, 2r, length with caps */
};

/* One degree of freedom and the body that it carries; the frame's origin is on the axis. */
struct dof {
  const char *name;             /* "root_x", "left_thigh.flexion"                                */
  int parent;                   /* dof that carries this one, < own index; -1 for root_x         */
  int limb;                     /* limb whose joint this axis belongs to                         */
  int mirror;                   /* dof of the other side; itself when on the midline             */
  int mirror_sign;              /* +1 or -1: angle of the mirrored pose = sign * angle of mirror */
  enum axis_kind kind;          /* along which coordinate axis, either way; AXIS_ANY: oblique     */
  double axis[3];               /* unit vector in the parent's (and own) frame                   */
  double offset[3];             /* own origin in the parent's frame [m]                          */
  int has_offset, has_mass;     /* so that kernels can skip zeros                                */
  double mass;                  /* of the body carried [kg], 0 between the axes of a joint       */
  double moment1[3];            /* mass * centre of mass, own frame [kg m]                       */
  double moment2[6];            /* integral of r r^T dm about own origin [kg m2]: xx yy zz xy xz yz */
  double lower, upper, rest;    /* angles [rad], -inf and inf when free                          */
  double torque_max;            /* [N m], inf when unlimited, 0 for the root                     */
  double servo_kp, servo_kd;    /* [N m/rad], [N m s/rad]                                        */
};

/* Passive tissue over one joint axis or two, one of which carries the other: a tendon, ligament, stop, spring, damper.
 * It is stretched by s = sum arm[i] q[dof[i]] - slack [rad] and pulls its joints back with torques -arm[i] T, where
 * T = stiffness ramp(s) + damping ramp'(s) s'. To both sides the ramp is s itself; one that is one-sided pulls only
 * while it is taut, s > 0, and becomes so over the toe region -toe < s < toe. The law is in dynamics/tissue.h. */
#define CREATURE_TISSUE_DOFS 2  /* at most                                                       */
struct tissue {
  const char *name;             /* "left_suspensory"; of an axis's own spring and damper: that axis */
  int n_dofs, dof[CREATURE_TISSUE_DOFS];
  int mirror;                   /* tissue of the other side; itself when on the midline; -1: none is its image */
  int one_sided;
  double arm[CREATURE_TISSUE_DOFS]; /* of dofs that it does not have: 0                          */
  double slack, toe;            /* [rad]                                                         */
  double stiffness, damping;    /* [N m/rad], [N m s/rad]                                        */
};

struct limb {
  const char *name;
  int parent;                   /* limb, < own index; -1 for the root                            */
  int mirror;                   /* limb of the other side; itself on the midline                 */
  int first_dof, n_dofs;        /* its joint's axes; the root has 0, 6; a fixed limb x, 0        */
  int body;                     /* dof whose body this limb is part of                           */
  double at[3];                 /* joint, in the parent limb's frame [m]                         */
  double origin[3];             /* own origin in the frame of that body [m]; 0 unless fixed      */
  struct shape shape;
  double mass, com[3];          /* [kg]; in the limb's frame [m]                                 */
  double inertia[6];            /* about com, limb's frame [kg m2]: xx yy zz xy xz yz            */
  double volume;                /* of the shape [m3]                                             */
  int solid;                    /* 0: its shape is for the picture only and touches nothing      */
  int is_load;                  /* carried, and no part of the body: doc/style-format.md                   */
  double sunk;                  /* how deep the shape is in the ground at rest or on flat feet [m] */
};

/* Two limbs that can meet, and whether they must keep apart. */
enum pair_why {
  PAIR_APART,                   /* not at rest, so never                                         */
  PAIR_MUST_CLEAR,              /* the file says so                                              */
  PAIR_NEIGHBOURS,              /* a joint connects them: its range says what may be             */
  PAIR_AT_REST,                 /* they touch, or nearly so, when the creature stands at rest    */
  PAIR_MAY_OVERLAP              /* the file says so                                              */
};
struct limb_pair {
  const char *name;             /* "left_shank x right_thigh"                                    */
  int a, b;                     /* limbs, a < b                                                  */
  int mirror;                   /* pair of their mirror images, in the same list; itself on the midline */
  enum pair_why why;
  double rest_gap;              /* at rest [m], below 0: overlap                                 */
};

/* A point of a foot that may touch the ground. */
struct contact_point {
  const char *name;             /* "left_hoof", "left_foot.heel"                                 */
  int foot, limb, body;         /* body: dof index                                               */
  int mirror;                   /* contact point of the other side                               */
  double at[3];                 /* in the body's frame [m]                                       */
};

struct foot {
  const char *name;
  int limb, mirror;
  int first_point, n_points;
  int first_leg_limb;           /* top of the unbranched chain of limbs that ends in this foot   */
  double leg_length;            /* from that joint to the farthest point, limbs stretched [m]    */
  double clearance;             /* how high it is lifted in the middle of a swing, at least [m]; 0: as usual */
};

struct interval { double from, until; }; /* fractions of a cycle; from > until passes the end */

struct style;

struct gait {
  const char *name;
  double period_slow, period_fast; /* at the ends of the range of speeds [s] */
  double speed_min, speed_max;     /* [m/s]                                  */
  double right_lag;                /* fraction of a cycle                    */
  const int *n_intervals;          /* per contact point               (n_points) */
  const struct interval *const *on;/* in order of from                (n_points) */
  const struct style *style;       /* how it is to look, see style.h; NULL: as the body alone says */
  double strafe;                   /* direction of travel unless another is asked for, to the left of the nose [rad];
                                      0 in gaits of files                    */
};

/* A gait of the file that leaves something open, which is to be searched (src/gaits): gait.period_slow is 0 where the
 * period is open, gait.on has the contacts whose times are complete. */
struct open_gait {
  struct gait gait;
  double duty;                  /* of legs of which only the touch-down is known; 0: open               */
  int has_order;                /* there are contacts, and legs without stay in the air; 0: no order is given */
  const double *touch;          /* touch-down of points without complete times; NAN: none of them (n_points) */
};

/* A style that the creature was loaded with: what it changed is in the limbs, the dofs and the gaits. */
struct creature_style {
  const char *name;
  const char *file;             /* that was given beside the creature's; NULL: the style stands in the creature's own */
};

struct creature {               /* read-only once creature_load() returns     */
  const char *name, *summary, *file;
  int n_dofs, n_limbs, n_feet, n_points, n_gaits;
  int n_motions;                /* gaits of the file and after them those that are built in, see below */
  const struct dof *dofs;       /* parents first           (n_dofs)           */
  const struct limb *limbs;     /* parents first           (n_limbs)          */
  const struct foot *feet;      /*                         (n_feet)           */
  const struct contact_point *points; /* grouped by foot   (n_points)         */
  const struct gait *gaits;     /* of the file, then built in (n_motions)     */
  int n_open;
  const struct open_gait *open; /* gaits of the file with something left open; not among `gaits` (n_open) */
  int n_tissues;
  const struct tissue *tissues; /*                         (n_tissues)        */
  int n_pairs, n_exempt;
  const struct limb_pair *pairs;  /* of limbs that keep apart  (n_pairs)        */
  const struct limb_pair *exempt; /* of limbs that need not    (n_exempt)       */
  double mass;                  /* [kg]                                       */
  double friction;
  double height;                /* L: of the root origin when standing at rest [m] */
  double frame_rate;            /* [Hz]                                       */
  int n_styles;
  const struct creature_style *styles; /* in the order in which they act (n_styles) */
};

/* What a creature's time and its torques scale with [m]: L or, of what hangs low between its legs, 0.35 of their mean
 * length. By its height alone a spider would be as quick as a flea, and standing would seem hard work to it. */
double creature_size(const struct creature *c);

/* Measures gaps of all pairs and depths of limbs in the ground at rest, and sorts the pairs into those that keep apart
 * and those that need not. For whoever made or changed a body: limbs are c->limbs, still open for change. */
void creature_sort_pairs(struct arena *arena, struct creature *c, struct limb *limbs);

/* Reads a file. Errors and warnings go to d, each with file and line; NULL when there was an error.
 * The creature and all it points to live in the arena. */
const struct creature *creature_load(struct arena *arena, const char *path, struct diag *d);

/* The same with style files (doc/style-format.md), as if each stood in the creature's file as a section
 * style NAME { ... } at its end. */
const struct creature *creature_load_styled(struct arena *arena, const char *path, const char *const *styles,
                                            int n_styles, struct diag *d);

/* The name of that section: "styles/tired.style" is tired. In the arena. */
const char *creature_style_name(struct arena *arena, const char *path);

/* The same as creature_load() from text in memory; name stands for the file in messages, and includes are looked for
 * beside it. */
const struct creature *creature_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                      struct diag *d);

/* q of the rest pose, standing with its lowest contact point at z = 0 (n_dofs). */
void creature_rest_pose(const struct creature *c, double *q);

/* The ends of a capsule's axis, in the limb's frame. They are from and to, but for the limb of a foot whose contact
 * point is its end: there the capsule, cap and all, ends with it. */
void creature_capsule_axis(const struct shape *s, double from[3], double to[3]);

/* The pose seen in a mirror: left becomes right (n_dofs; q and mirrored must not overlap). */
void creature_mirror_pose(const struct creature *c, const double *q, double *mirrored);

/* The first thing in which a creature differs from its mirror image. */
struct creature_asymmetry {
  const char *kind;             /* "limb", "joint axis", "contact point" or "style of gait"      */
  const char *part;             /* name of it                                                    */
  char what[200];               /* "y of its centre of mass is 0.002 m, but -0.002 m in the mirror" */
};

/* Is the creature its own mirror image, limb by limb, joint by joint and point by point? Only then is the mirror image
 * of each of its motions a motion of it. If not and `why` is not NULL, it says what differs first. */
int creature_is_symmetric(const struct creature *c, struct creature_asymmetry *why);

/* What a limb is for: a leg ends in a foot; arms are pairs that do not, ears and wings too; the trunk carries pairs;
 * what hangs on the trunk alone is neck and head, or behind the root a tail. */
enum limb_role { LIMB_TRUNK, LIMB_NECK, LIMB_TAIL, LIMB_LEG, LIMB_ARM };
enum limb_role creature_limb_role(const struct creature *c, int limb);

/* Its name and those of its styles, for titles: "human, tired, laden". In the arena, or the name itself. */
const char *creature_title(struct arena *arena, const struct creature *c);

/* Gaits that every creature with feet on the ground has, unless its file has one of that name (motions.c):
 *   stand  still, on all contact points that reach the ground at rest; speed 0
 *   step   steps on the spot, speed 0, few feet at a time: in the order of the file's slowest gait, if that never
 *          leaves the ground, else from hind to fore, the left side half a cycle before the right
 *   back, side  the same steps, backwards and to the left
 * They are found by name and have indices from n_gaits on; whoever lists what the file has goes to n_gaits. */
#define CREATURE_STAND "stand"
#define CREATURE_STEP "step"

/* Index by name, -1 if there is none. */
int creature_find_gait(const struct creature *c, const char *name);
int creature_find_limb(const struct creature *c, const char *name);
int creature_find_dof(const struct creature *c, const char *name);

/* Is contact point p on the ground at this phase (any real; whole cycles are dropped) of the gait? */
int gait_contact(const struct gait *g, int p, double phase);

/* Does nothing ever leave the ground that touches it, and the body go nowhere? A pose that is held. */
int gait_is_still(const struct creature *c, const struct gait *g);

/* Share of the cycle that contact point p spends on the ground. */
double gait_duty(const struct gait *g, int p);

/* Period at a speed, between the two of the file [s]. */
double gait_period(const struct gait *g, double speed);

#endif

/* Captured motion: from the numbers of a motion file to a creature that moves so (doc/capture.md).
 *
 *   bvh_read.h        text -> joints and channels, in the file's unit and axes
 *   capture_new()     -> metres, z up, rotations as quaternions; which joint is which; a pose to compare bodies in
 *   capture_fit()     -> poses of a creature: by the names of its limbs, or of a human by what the joints are
 *   capture_creature  -> the text of a creature with this skeleton
 *   capture_clip()    -> all of it: a clip on the floor, with contacts and the forces of the ground */
#ifndef MUYBRIDGE_CAPTURE_H
#define MUYBRIDGE_CAPTURE_H

#include "base/arena.h"
#include "base/diag.h"
#include "creature/creature.h"
#include "exchange/bvh_read.h"
#include "motion/clip.h"
#include "capture/feedforward.h"
#include "capture/floor.h"

/* What a joint of a person is. A role names the segment below the joint: CAPTURE_THIGH is the hip joint. Left first,
 * right next. */
enum capture_role {
  CAPTURE_PELVIS,               /* the root                                                            */
  CAPTURE_ABDOMEN,              /* may be missing                                                      */
  CAPTURE_CHEST,                /* the joint that carries both arms                                    */
  CAPTURE_HEAD,                 /* may be missing                                                      */
  CAPTURE_THIGH, CAPTURE_RIGHT_THIGH,
  CAPTURE_SHANK, CAPTURE_RIGHT_SHANK,
  CAPTURE_FOOT, CAPTURE_RIGHT_FOOT,
  CAPTURE_TOES, CAPTURE_RIGHT_TOES,           /* may be missing                                        */
  CAPTURE_UPPER_ARM, CAPTURE_RIGHT_UPPER_ARM,
  CAPTURE_FOREARM, CAPTURE_RIGHT_FOREARM,
  CAPTURE_HAND, CAPTURE_RIGHT_HAND,           /* may be missing                                        */
  N_CAPTURE_ROLES
};

struct capture_joint {
  const char *name;
  int parent, is_end;
  double offset[3];             /* from the parent's, in its frame [m]                                 */
};

/* What a motion file does not say is guessed with these. Heights are the actor's standing height. */
struct capture_guesses {
  double leg_share;             /* thigh and shank as a share of the height (Winter 2009)              */
  double body_mass_index;       /* of an actor whose mass is not given [kg/m2]                         */
  double jump_ratio;            /* the first frame is apart if it differs from the second by so many times the largest
                                   change between the frames that follow ...                           */
  double jump_least;            /* ... and by more than this, mean over joints [rad]                   */
  int jump_frames;              /* ... of which this many are looked at                                */
  double range_margin;          /* joint ranges are wider than what the actor does by this [degrees]   */
  double hand_low;              /* a wrist nearer to the floor than this [heights] ...                 */
  double hand_slow;             /* ... and slower than this stands on it [m/s] ...                     */
  double hand_time;             /* ... if it does so for this long, both hands together [s]            */
  double wrist_height;          /* of a wrist whose hand is on the floor [heights]                     */
  double touch_height;          /* a limb nearer to the floor than this touches it [m, of a person] ... */
  double touch_time;            /* ... and gets contact points if it does so for this long in all [s]  */
  double bone_radius;           /* of a limb of any skeleton, in lengths of its bone                   */
  double branch_radius;         /* of a limb that branches, in distances of its ends                   */
  double foot_lowest;           /* an end of a skeleton whose lowest frames, this share of them, ...    */
  double foot_near;             /* ... are nearer to the lowest end than this is a foot's [heights]    */
  double hips_weight;           /* of the place of the hips in the fit of a pose [1/m]                 */
  double ankle_weight;          /* of the place of the ankles [1/m]                                    */
  double stay_weight;           /* of changes from the frame before [1/rad]                            */
  double travel;                /* a motion that gets farther than this has a direction; of others the first attitude
                                   counts [m]                                                          */
};
extern const struct capture_guesses capture_guesses_usual;

/* World frame: z up; frames of joints are parallel to it when nothing is turned. */
struct capture {
  const char *file;
  int n_joints, n_frames;
  double dt;                    /* [s]                                                                 */
  const struct capture_joint *joints;
  double *turn;                 /* of a joint in its parent, quaternions    (n_frames x n_joints x 4)  */
  double *place;                /* of the root [m]                          (n_frames x 3)             */
  double *reference;            /* turns of the pose to compare bodies in   (n_joints x 4)             */
  int role[N_CAPTURE_ROLES];    /* joint, -1 if there is none                                          */
  int is_human;                 /* all roles are there but those that may be missing                   */
  /* what was found out */
  double unit;                  /* length of the file's unit [m]                                       */
  const char *unit_name;        /* "centimetres"                                                       */
  const char *up;               /* "Y"                                                                 */
  int dropped;                  /* frames at the start that are no part of the motion: 0 or 1          */
  const struct capture_guesses *guesses; /* by capture_new(): those of its options                     */
};

struct capture_options {
  double unit;                  /* [m]; 0: find out                                                    */
  const char *up;               /* "X", "-Y", ...; NULL: find out                                      */
  int keep_first;               /* the first frame is part of the motion, whatever it looks like       */
  double rate;                  /* frames per second of the result; 0: the creature's, or that of a file that Muybridge
                                   wrote                                                               */
  int keep_rate;                /* ... or that of the file                                             */
  int keep_place;               /* do not move the motion to the origin and turn it along x            */
  int keep_floor;               /* the floor is at 0 and the feet are right                            */
  int fit_floor;                /* look for it, and move the motion, even of a file that Muybridge wrote */
  double smooth;                /* poses themselves are filtered with this cutoff [Hz]; 0: as they are  */
  double cutoff;                /* of the filter before forces are computed [Hz]; 0: chosen by the ZMP */
  const struct creature *like;  /* creature whose limbs' names the joints may have; NULL: none         */
  const struct capture_guesses *guesses; /* NULL: capture_guesses_usual; must outlive the capture      */
};

/* NULL after an error, which has the file's name. Warnings report what had to be guessed. */
struct capture *capture_new(struct arena *arena, const struct bvh *bvh, const struct capture_options *o,
                            struct diag *d);

/* Which joint is which, by name and by who carries whom. Missing ones are -1. */
void capture_find_roles(const struct bvh *bvh, int role[N_CAPTURE_ROLES]);
int capture_is_human(const int role[N_CAPTURE_ROLES]);
const char *capture_role_name(enum capture_role role); /* "left_thigh", as the human of the zoo calls it */

/* The joint of each limb of a creature (n_limbs), where there is one for all, by name, and they hang on each other
 * alike, other joints between them or not; else NULL. In the arena. */
const int *capture_joints_of(struct arena *arena, const struct capture *k, const struct creature *c);

/* The name of a joint as that of a limb: letters, digits and underscores; in the arena. */
const char *capture_limb_name(struct arena *arena, const struct capture *k, int joint);

/* From a joint to another below it when nothing is turned [the file's unit, or m]. */
void capture_way(const struct capture *k, int from, int to, double way[3]);

/* The name of a file without folders and ending, fit for a text in quotes; in the arena. */
const char *capture_name(struct arena *arena, const char *file);

/* Frames of all joints in the world: R (n_joints x 9), p (n_joints x 3). frame < 0: of the reference pose. */
void capture_kinematics(const struct capture *k, int frame, double *R, double *p);

/* As many frames per second, by cubic splines. */
void capture_resample(struct arena *arena, struct capture *k, double rate);

struct capture_fit_report {
  int by_name;                  /* limbs have the names of joints: poses are exact                     */
  double scale;                 /* of lengths, the creature's to the actor's                           */
  double worst_angle, mean_angle; /* between a limb's direction and the actor's [rad]                  */
  double worst_foot;            /* of an ankle from where it should be [m]                             */
  int at_limits;                /* angles that stand at a limit, of all frames                         */
};

/* q of every frame (n_frames x n_dofs), in the arena; NULL after an error. */
double *capture_fit(struct arena *arena, const struct capture *k, const struct creature *c,
                    struct capture_fit_report *report, struct diag *d);

struct capture_report {
  const struct capture *capture;
  struct capture_fit_report fit;
  struct capture_floor floor;   /* where it was, in the creature's size; n_samples 0: not looked for   */
  const struct capture_feedforward *inverse;
};

/* A clip of the creature. NULL after an error. */
struct clip *capture_clip(struct arena *arena, const struct bvh *bvh, const struct creature *c,
                          const struct capture_options *o, struct capture_report *report, struct diag *d);

/* The text of a creature file: a person of the size of this skeleton, with the limbs of the human of the zoo
 * (capture/creature.c); of another skeleton one limb a bone (capture/skeleton.c). mass 0: from the height; from the
 * volume. NULL after an error. */
const char *capture_creature(struct arena *arena, const struct bvh *bvh, double mass, const struct capture_options *o,
                             struct diag *d);

/* The second of these. */
const char *capture_skeleton(struct arena *arena, const struct capture *k, double mass, struct diag *d);

/* Feet, as text of a creature file, for limbs that come to the floor beside the feet in these poses (n_frames x n_dofs)
 * of a creature with a person's limbs; "" if none does (capture/touch.c). */
const char *capture_touching(struct arena *arena, const struct creature *c, const double *q, int n_frames, double dt,
                             const struct capture_guesses *guesses);

#endif

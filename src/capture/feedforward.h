/* Torques that a motion needs, worked out from its poses: what a tracker adds to its servos (Xie and Kry 2021;
 * doc/capture.md).
 *
 *   filter        every angle, forward and backward, with the cutoff that keeps the ZMP over the feet best
 *   contacts      points that are low and slow, or those that the clip names
 *   wrenches      of the ground on each limb that touches it: the least that give the body its momentum
 *   torques       M a + h - sum J^T w: of the joints, by muscles and passive tissue together
 *   quality       1 where the ZMP is over the feet, 0 where it is more than gamma away: to multiply the torques by
 *   variance      of each joint's torque over time, for the first covariance of a tracker's samples
 *
 * Optimized clips carry their forces: for them the torques are exact, and this is not needed (but given_contacts and
 * no filter give the same answer wherever it is the only one: one foot down). */
#ifndef MUYBRIDGE_CAPTURE_FEEDFORWARD_H
#define MUYBRIDGE_CAPTURE_FEEDFORWARD_H

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/clip.h"

/* Which cutoff is the best? */
enum capture_cutoff_choice {
  CAPTURE_BY_QUALITY,           /* the greatest mean quality of all frames, those in the air included    */
  CAPTURE_BY_INSIDE             /* the paper's: most frames on the ground with the ZMP over the feet     */
};

struct capture_feedforward_options {
  double cutoff;                /* [Hz]; 0: chosen from those below; INFINITY: no filter                 */
  enum capture_cutoff_choice choice;
  int n_cutoffs;                /* 0: CAPTURE_CUTOFFS from lowest_cutoff to highest_cutoff                */
  const double *cutoffs;        /* [Hz], rising; those of half the frame rate and above do not filter    */
  double gamma;                 /* where quality ends [m]                                                */
  double patch;                 /* radius of the ground under a contact point [m]; < 0: its limb's       */
  double moment_length;         /* moments weigh 1 / this against forces, when wrenches are shared [m]   */
  double contact_height;        /* a point is on the ground below this [m] ...                           */
  double contact_speed;         /* ... and slower than this [m/s]                                        */
  int given_contacts;           /* the clip's contacts instead                                           */
  double lowest_cutoff, highest_cutoff; /* of the CAPTURE_CUTOFFS that are tried, in even ratios [Hz]    */
  double flicker;               /* contacts, and gaps between them, shorter than this are noise [s]      */
  double flight;                /* a shorter time without contacts is not asked whether the body falls [s] */
  double carried;               /* mean share of the weight above which it does not: something touches   */
};

#define CAPTURE_CUTOFFS 25
#define CAPTURE_PERSON_HEIGHT 0.92 /* of the hips of the human of the zoo [m]: lengths of people are scaled by it */

/* gamma 0.2 m for a creature of a person's height, contacts below 0.03 m and 1 m/s, others in proportion; the cutoff is
 * chosen. */
void capture_feedforward_defaults(const struct creature *c, struct capture_feedforward_options *o);

/* All frames have numbers, the first and the last too: beyond its ends a clip that is not cyclic goes on evenly. */
struct capture_feedforward {
  int n_frames, n_dofs, n_points;
  double dt;                    /* [s]                                                                    */
  double cutoff;                /* that was used [Hz]; INFINITY: none                                     */
  double *q, *v, *a;            /* filtered; capture_state()                (n_frames x n_dofs)           */
  double *torque;               /* [N m], not yet times quality; root: what no wrench gives (n_frames x n_dofs) */
  double *force;                /* on points [N]: what of the wrenches points can give  (n_frames x n_points x 3) */
  unsigned char *contact;       /* 1: on the ground                         (n_frames x n_points)         */
  double *zmp;                  /* x, y on z = 0 [m]; NaN where there is none  (n_frames x 2)             */
  double *distance;             /* of it to the support polygon, negative inside [m]; NaN in the air (n_frames) */
  unsigned char *in_cone;       /* every leg's force pushes, within friction  (n_frames)                  */
  double *quality;              /* 0 to 1; in the air by how little force the body would need  (n_frames) */
  double *variance;             /* of the torque over frames of quality above 0 [(N m)^2]; 0 for the root (n_dofs) */
  double *covariance;           /* the same, its largest 1                  (n_dofs)                      */
  double inside;                /* share of the frames on the ground with the ZMP over the feet            */
  int n_cutoffs;                /* that were tried                                                        */
  const double *cutoffs;        /* [Hz]                                     (n_cutoffs)                   */
  double *inside_of;            /* `inside` with each of them               (n_cutoffs)                   */
  double *quality_of;           /* mean quality, whatever the friction      (n_cutoffs)                   */
};

/* NULL if the clip has fewer than 3 frames or is not of this creature. o may be NULL: the defaults. */
struct capture_feedforward *capture_feedforward(struct arena *arena, const struct creature *c, const struct clip *clip,
                                                const struct capture_feedforward_options *o);

/* ---- its steps, for tests and figures ---- */

/* The clip with every angle filtered; balls and the root by their quaternions, which have no poles. In the arena. */
struct clip *capture_smooth(struct arena *arena, const struct creature *c, const struct clip *clip, double cutoff);

/* contact (n_frames x n_points): which points are low and slow; where none is for a while, but the body does not fall,
 * the lowest slow one. */
void capture_find_contacts(struct arena *arena, const struct creature *c, const struct clip *clip,
                           const struct capture_feedforward_options *o, unsigned char *contact);

/* Signed distance of the ZMP of `smooth` to the feet of `clip` in every frame; NaN in the air (n_frames). zmp (n_frames
 * x 2) may be NULL. */
void capture_distances(const struct creature *c, const struct clip *clip, const struct clip *smooth,
                       const unsigned char *contact, double patch, double *distance, double *zmp);

/* Shares a wrench among n places: the least sum of |force|^2 + |moment|^2 / length^2 with the given sum of forces and
 * of moments about the origin. wrench (n x 6): force, moment about its place. n >= 1. */
void capture_share_wrench(int n, const double *place, const double force[3], const double moment[3], double length,
                          double *wrench);

/* q, v, a of a frame: central differences; also where a neighbour is missing, and where a ball is near its pole
 * (capture/state.c). */
void capture_state(const struct creature *c, const struct clip *clip, int k, double *q, double *v, double *a);

#endif

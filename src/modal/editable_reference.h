/* The reference motion while it plays, step by step, with edits: another tempo, longer strides, a slope, a transition
 * into another clip (doc/modal.md, 8). Edits may be added at any time; steps that were not played yet follow them.
 *
 * Units of the modal room. Velocities of step i are differences to step i - 1, as the linearised dynamics has them. */
#ifndef MUYBRIDGE_MODAL_EDITABLE_REFERENCE_H
#define MUYBRIDGE_MODAL_EDITABLE_REFERENCE_H

#include "modal/footholds.h"
#include "modal/modes.h"
#include "motion/clip.h"

enum reference_edit_kind {
  EDIT_TEMPO,                  /* value: factor on speed of playing, while it lasts                       */
  EDIT_STRIDE,                 /* value: factor on distances over the ground, from then on                */
  EDIT_TRANSITION              /* into a clip, blended while it lasts                                     */
};

struct reference_edit {
  enum reference_edit_kind kind;
  double from, until;           /* [s] since the start                                                     */
  double value;
  const struct clip *clip;      /* of a transition; must outlive the reference                                 */
};

struct editable_options {
  double step;                  /* time from step to step                                                  */
  double slope;                 /* of the ground, up along x [rad]                                         */
  int first;                    /* frame of the clip at step 0                                             */
  double stride_begins;         /* footholds farther ahead of the root than this follow an edit of the stride [L] */
  double stride_eases;          /* which then comes in over this distance [L]                              */
  double soonest;               /* no foot is moved to another foothold in less time than this [steps]     */
  double settled;               /* standing feet of a clip that are nearer to the ground than this are on it [L] */
};

/* Step 0.02, level ground, from the clip's first frame. */
void editable_defaults(struct editable_options *o);

struct editable_frame {
  int step;                     /* -1: none                                                                */
  double *q, *v;                /*                                                       (n_dofs)          */
  unsigned char *contact;       /* points that stand                                     (n_points)        */
  double *force;                /* of the ground, if the clip says any                   (n_points x 3)    */
  double *point;                /* where contact points are                              (n_points x 3)    */
  double com[3], speed[3], angular[3]; /* of the whole body                                                */
  double missed;                /* by how much legs are too short for an edit                              */
};

struct editable_reference;

/* most: steps that will be played. The clip and creature must outlive it. */
struct editable_reference *editable_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                                        const struct editable_options *o, int most);

/* From when on, in seconds, is for the caller to choose; parts before `now` (step) are not changed. 0 if there are too
 * many. */
#define EDITABLE_EDITS 32
int editable_edit(struct editable_reference *g, const struct reference_edit *e, int now);

/* Dynamics of a body that carries something, or NULL: momenta of frames are its from now on. */
void editable_load(struct editable_reference *g, struct dynamics *d);

/* Valid until EDITABLE_RING further steps were asked for; i >= -1. */
#define EDITABLE_RING 256
const struct editable_frame *editable_frame(struct editable_reference *g, int i);

/* Offsets of footholds at step `now`, for footstep placement; editable_refresh() then makes all later frames anew. With
 * footstep placement frames must be asked for in order: at every step editable_proceed(), new goals for the offsets,
 * editable_refresh(). */
struct footholds *editable_footholds(struct editable_reference *g);
void editable_refresh(struct editable_reference *g, int now);
void editable_proceed(struct editable_reference *g, int now); /* offsets are those of step `now`, one on */

/* From step `now` on it plays so many times as fast, with steps as much shorter: the way stays what it was. */
void editable_pace(struct editable_reference *g, int now, double pace);

/* Which points the reference has on the ground at a step, and its forces on them [weights]; valid until the next call.
 * With those that are held there (footholds.h), and without. */
void editable_due(struct editable_reference *g, int i, const unsigned char **contact, const double **force);
void editable_contacts(struct editable_reference *g, int i, const unsigned char **contact, const double **force);

/* Without offsets of footholds: how a leg of the footholds stands at a step, from its first joint to the middle of the
 * points that stand then, and how long it is when stretched. 0 if none does. */
int editable_leg(struct editable_reference *g, int i, int leg, double from_hip[3], double *length);

double editable_ground(const struct editable_reference *g, double x); /* height of the ground */

#endif

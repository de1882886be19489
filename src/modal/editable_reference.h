/* The reference motion while it plays, step by step, with edits: another tempo, longer strides, a slope, a transition
 * into another clip, a limb that is taken hold of (doc/modal.md, 8). Edits may be added at any time; steps that were
 * not played yet follow them. It plays for so many steps, or for ever: then its memory does not grow.
 *
 * Units of the modal room. Velocities of step i are differences to step i - 1, as the linearised dynamics has them. */
#ifndef MUYBRIDGE_MODAL_EDITABLE_REFERENCE_H
#define MUYBRIDGE_MODAL_EDITABLE_REFERENCE_H

#include "base/bytes.h"
#include "modal/footholds.h"
#include "modal/hold.h"
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
  struct clip_advance place;    /* of the clip's own ground frame                                          */
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

/* most: steps that will be played; 0: it plays for ever, and editable_tidy() is called at every step. The clip and
 * creature must outlive it. */
struct editable_reference *editable_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                                        const struct editable_options *o, int most);

/* From when on, in seconds, is for the caller to choose; parts before `now` (step) are not changed. 0 if there are too
 * many at a time, or if one that plays for ever is asked for what is farther than EDITABLE_AHEAD steps ahead. */
#define EDITABLE_AHEAD 500
#define EDITABLE_EDITS 32
int editable_edit(struct editable_reference *g, const struct reference_edit *e, int now);

/* One setting for all of the time to come, to be changed as often as one likes: it comes in softly. The factor on
 * strides is the sum of what all edits of the stride add. */
void editable_tempo(struct editable_reference *g, double factor, int now);
int editable_stride(struct editable_reference *g, double factor, int now); /* 0: too many changes at a time */

/* The ground from now on: its slope, and its height at x = 0 [L]. */
void editable_tilt(struct editable_reference *g, double slope, double level);

/* A point of a limb (its frame, [L]) is led to a place in the world [L], as far as legs, joints and balance allow,
 * until editable_release(). 0: that limb cannot be led. See hold.h. */
int editable_hold(struct editable_reference *g, int limb, const double at[3], const double target[3]);
void editable_release(struct editable_reference *g);

/* Before step `now` is planned, of one that plays for ever: what is over is dropped, what is held moves on. */
void editable_tidy(struct editable_reference *g, int now);

/* How far the motion is along: seconds of its clip until that ends; infinite if it is a cycle. */
double editable_left(struct editable_reference *g, int now);

/* All that changes while it plays, exactly; clips by their number in a list. get: into one made anew with the same
 * creature and options; `now`: the next step. Bad bytes set r->bad. */
void editable_put(struct bytes_writer *w, const struct editable_reference *g, int now, int n_clips,
                  const struct clip *const *clips);
void editable_get(struct bytes_reader *r, struct editable_reference *g, int now, int n_clips,
                  const struct clip *const *clips);

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

/* How far from the reference's a leg that lands at a step must land so that a body that is led aside stays over its
 * feet: half of the way that it goes while the leg stands. 0 if nobody leads it. */
void editable_lead(struct editable_reference *g, int i, int leg, double by[2]);

/* Without offsets of footholds: how a leg of the footholds stands at a step, from its first joint to the middle of the
 * points that stand then, and how long it is when stretched. 0 if none does. */
int editable_leg(struct editable_reference *g, int i, int leg, double from_hip[3], double *length);

double editable_ground(const struct editable_reference *g, double x); /* height of the ground */
double editable_rise(const struct editable_reference *g, double x);   /* by so much over a way of x */

#endif

/* The reference motion while it plays, step by step, with edits: another tempo, longer strides, a slope, a transition
 * into another clip (doc/modal.md, 8). Edits may be added at any time; steps that were not played yet obey them.
 *
 * Units of the modal room. Velocities of step i are differences to step i - 1, as the room's own dynamics has them. */
#ifndef MUYBRIDGE_MODAL_GUIDE_H
#define MUYBRIDGE_MODAL_GUIDE_H

#include "modal/footing.h"
#include "modal/modes.h"
#include "motion/clip.h"

enum guide_edit_kind {
  GUIDE_TEMPO,                  /* value: factor on speed of playing, while it lasts                       */
  GUIDE_STRIDE,                 /* value: factor on distances over the ground, from then on                */
  GUIDE_TRANSITION              /* into a clip, blended while it lasts                                     */
};

struct guide_edit {
  enum guide_edit_kind kind;
  double from, until;           /* [s] since the start                                                     */
  double value;
  const struct clip *clip;      /* of a transition; must outlive the guide                                 */
};

struct guide_options {
  double step;                  /* time from step to step                                                  */
  double slope;                 /* of the ground, up along x [rad]                                         */
  int first;                    /* frame of the clip at step 0                                             */
};

struct guide_frame {
  int step;                     /* -1: none                                                                */
  double *q, *v;                /*                                                       (n_dofs)          */
  unsigned char *contact;       /* points that stand                                     (n_points)        */
  double *force;                /* of the ground, if the clip says any                   (n_points x 3)    */
  double *point;                /* where contact points are                              (n_points x 3)    */
  double com[3], speed[3], angular[3]; /* of the whole body                                                */
  double missed;                /* by how much legs are too short for an edit                              */
};

struct guide;

/* most: steps that will be played. The clip and creature must outlive it. */
struct guide *guide_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                        const struct guide_options *o, int most);

/* From when on, in seconds, is for the caller to choose; parts before `now` (step) are not changed. 0 if there are too
 * many. */
#define GUIDE_EDITS 32
int guide_edit(struct guide *g, const struct guide_edit *e, int now);

/* Dynamics of a body that carries something, or NULL: momenta of frames are its from now on. */
void guide_load(struct guide *g, struct dynamics *d);

/* Valid until GUIDE_RING further steps were asked for; i >= -1. */
#define GUIDE_RING 256
const struct guide_frame *guide_frame(struct guide *g, int i);

/* Offsets of footholds at step `now`, for somebody to aim; then all later frames are made anew. Frames must be asked for
 * in turn once anybody aims: at every step guide_proceed(), then aiming, then guide_refresh(). */
struct footing *guide_footing(struct guide *g);
void guide_refresh(struct guide *g, int now);
void guide_proceed(struct guide *g, int now); /* offsets are those of step `now`, one on */

/* From step `now` on it plays so many times as fast, with steps as much shorter: the way stays what it was. */
void guide_pace(struct guide *g, int now, double pace);

/* Which points the reference has on the ground at a step, and its forces on them [weights]; valid until the next call. With
 * those that are held there (footing.h), and without. */
void guide_due(struct guide *g, int i, const unsigned char **contact, const double **force);
void guide_contacts(struct guide *g, int i, const unsigned char **contact, const double **force);

/* Without what is aimed at: how a leg of the footing stands at a step, from its first joint to the middle of the points that
 * stand then, and how long it is when stretched. 0 if none does. */
int guide_leg(struct guide *g, int i, int leg, double from_hip[3], double *length);

double guide_ground(const struct guide *g, double x); /* height of the ground */

#endif

/* Private to src/modal. The reference while it plays, for the files that make it: editable_reference.c, and what it
 * takes to play for ever, editable_live.c. */
#ifndef MUYBRIDGE_MODAL_EDITABLE_ROOM_H
#define MUYBRIDGE_MODAL_EDITABLE_ROOM_H

#include "dynamics/reach.h"
#include "follow/reference.h"
#include "modal/editable_reference.h"

/* A clip that has been played, ready to be sampled. */
struct known {
  const struct clip *clip;
  struct reference *reference;
  double *lift;                 /* settle.h; NULL: none                                                    */
  struct known *next;
};

struct passage {
  const struct known *what;
  struct clip_advance place;
  double start;                 /* frame at its first step                                                 */
  int step;
  double length;                /* of the blend from the one before [s]                                    */
  int began;                    /* the time of the motion at its first step is fixed:                      */
  double from;                  /*   it is this [s]                                                        */
};

struct editable_reference {
  const struct creature *c;
  struct modal_units units;
  struct editable_options o;
  struct dynamics *own, *loaded;
  struct reach *reach;
  struct arena *arena;
  struct passage clips[EDITABLE_EDITS + 1]; /* that play one after the other                                  */
  struct known *known;
  int n_clips, n_edits, most;   /* most 0: for ever                                                        */
  struct reference_edit edits[EDITABLE_EDITS];
  double way[EDITABLE_EDITS];      /* of a stride: place along the way from which it holds                    */
  double ahead[2];              /* unit vector: which way it goes                                          */
  double speed;                 /* on the whole, that way                                                  */
  double pace;                  /* factor on the speed of playing, beside edits                            */
  double *clock;                /* time of the motion at steps [s]; a ring               (n_ring)          */
  double *tempos;               /* factor on the speed of playing at steps, of `tempo`   (n_ring)          */
  int n_clock, n_ring;
  double tempo;                 /* that is asked for by editable_tempo()                                   */
  double stretch, stretch_at;   /* of strides that are past: moved by stretch * s + stretch_at             */
  double level;                 /* height of the ground at x = 0                                           */
  struct hold holds[EDITABLE_HOLDS];
  double lead[2];               /* speed at which the lane is led aside                                    */
  int held_at;                  /* the step that their offsets belong to                                   */
  struct hold_chain *chains;    /*                                                       (EDITABLE_HOLDS)  */
  struct editable_frame ring[EDITABLE_RING];
  struct footholds *footholds;
  int placed;                   /* the step that offsets belong to; -1: no foot was placed yet             */
  double *goal, *blend, *blend_pose, *blend_force, *zero; /* scratch                                       */
  unsigned char *blend_contact;
};

/* Time of a step, and that of the motion then [s]: it may run slower or faster. */
double editable_seconds(const struct editable_reference *g, int i);
double editable_clock(struct editable_reference *g, int i);

/* The clip, ready to be sampled; the frame of a passage at a step; which passage plays, and its share: the rest is of
 * the one before. */
const struct known *editable_know(struct editable_reference *g, const struct clip *clip);
double editable_frame_of(struct editable_reference *g, const struct passage *p, int i);
int editable_passage(const struct editable_reference *g, int i, double *share);

/* How far along the way the root is at a step, before strides are stretched [L]. */
double editable_along(struct editable_reference *g, int i);

/* The pose of a step, edits and all, in the room's units; held 0: without what is held. By how much legs are too short.
 * contact and force may be NULL. */
double editable_pose(struct editable_reference *g, int i, int held, double *q, unsigned char *contact, double *force);

/* Frames are kept in a ring: where, and all from a step on are made anew. */
struct editable_frame *editable_slot(struct editable_reference *g, int i);
void editable_forget(struct editable_reference *g, int from);

#endif

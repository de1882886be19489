/* A clip as numbers to draw: what every figure of a clip starts from.
 *
 * Torques are computed from positions and forces by inverse dynamics; forces are in body weights, along the heading.
 * All of it lives in the arena, and the creature and the clip must outlive it. */
#ifndef MUYBRIDGE_PLOTS_TRACES_H
#define MUYBRIDGE_PLOTS_TRACES_H

#include "base/arena.h"
#include "base/diag.h"
#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/kit.h"

enum side { SIDE_LEFT, SIDE_RIGHT, SIDE_MIDDLE };

/* What stands on the ground as one: all contact points at the end of one chain of limbs. */
struct leg {
  const char *name;             /* "left hind", "right heel, ball"                                   */
  int first_limb;               /* top of the chain                                                  */
  int mirror;                   /* leg of the other side; itself on the midline                      */
  enum side side;
  int n_points;
  const int *points;            /*                                            (n_points)             */
};

struct traces {
  const struct creature *creature;
  const struct clip *clip;
  int n, first;                 /* samples, and the frame of the first: all frames, and of a cyclic  */
                                /* clip one more on either side, so that curves reach the edges      */
  double *x;                    /* what curves are drawn over: phase, or time [s]      (n)           */
  double x_hi;                  /* where x ends; it starts at 0                                      */
  double x_frame;               /* from frame to frame; frame 0 is at half of it, or at 0 s          */
  const char *x_label;
  int turns;                    /* does it end with another heading than it began with?              */
  double *heading;              /* [rad]: of each frame if it turns, else their mean   (n)           */
  double *q;                    /*                                                     (n x n_dofs)  */
  double *torque;               /* [N m]; NaN where a neighbour is missing             (n x n_dofs)  */
  double *force;                /* fore, left, up [body weights]                       (n x n_points x 3) */
  double *place;                /* of contact points in the world [m]                  (n x n_points x 3) */
  int n_legs;
  const struct leg *legs;       /* in the order of their points                        (n_legs)      */
};

/* NULL after an error, told about file: the clip is of another creature, too short, or has numbers that are none. */
const struct traces *traces_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                                const char *file, struct diag *d);

/* When any of these points is on the ground, in units of x; a frame lasts from half a frame before it to half a frame
 * after, as in the optimizer's schedule. In the arena; *n is how many. */
const struct xy *traces_stance(const struct traces *t, struct arena *arena, int n_points, const int *points, int *n);

/* Share of the frames in which any of these points is on the ground. */
double traces_duty(const struct traces *t, int n_points, const int *points);

/* Force of a leg, the sum over its points, along axis 0, 1, 2 (n). */
void traces_leg_force(const struct traces *t, int leg, int axis, double *out);

/* Column i of a table with width columns, times scale (n). */
void traces_column(const struct traces *t, const double *table, int width, int i, double scale, double *out);

/* q of any frame, see clip_frame(). */
void traces_pose(const struct traces *t, int frame, double *q);

/* "horse: walk", and "1.4 m/s, 72 frames in 1.2 s, ..."; in the arena. */
char *traces_title(const struct traces *t, struct arena *arena);
char *traces_facts(const struct traces *t, struct arena *arena);

/* A name as people write it: without side, underscores and dots as spaces. In the arena. */
char *traces_plain_name(struct arena *arena, const char *name);
enum side traces_side(const char *name);

#endif

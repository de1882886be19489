/* Foothold offsets: how far each leg's foot is from where the reference would set it (doc/modal.md, 6).
 *
 * The offset of a leg moves smoothly over the ground towards a goal, and is there when the foot lands. The reference's
 * legs are bent by it (modal/editable_reference.c). The whole reference may also be moved over the ground: its lane.
 * Goals are set by modal/footsteps.c. */
#ifndef MUYBRIDGE_MODAL_FOOTHOLDS_H
#define MUYBRIDGE_MODAL_FOOTHOLDS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "creature/creature.h"

struct footholds_leg {
  int limb;                     /* first limb of the leg                        */
  double offset[3], rate[3];    /* at the present step                          */
  double goal[3];               /* where the offset goes                        */
  double left;                  /* time until it shall be there                 */
  int stands;                   /* at the present step                          */
  double foothold[2];           /* where it stands, or shall stand when it lands, against the reference's */
  int swings;                   /* its goal is not set yet at this step         */
  int lets_go;                  /* of a point that was held, at the present step */
};

struct footholds {
  int n_legs, *leg_of_point;    /*                                  (n_points)  */
  struct footholds_leg *legs;   /*                                  (n_feet)    */
  int *held;                    /* step before which a point stands, though the reference lifts it (n_points) */
  double lane[2];               /* how far all of the reference is moved aside */
  double led[2];                /* of it by somebody who leads the trunk: there it stays */
  double ahead[2];              /* unit vector: which way the reference goes   */
  double pace;                  /* how fast it plays, against the clip and its edits */
  double drift[2];              /* at what speed; feet that stand stay         */
  double drifted[2];            /* how far by now: this much of the lane is owed to the pace */
  double step;
  double soonest;               /* no goal is reached in less time than this [steps] */
};

struct footholds *footholds_new(struct arena *arena, const struct creature *c, double step, double soonest);

/* Offset of a leg k >= 0 steps on, with the same goal, and the lane then. */
void footholds_ahead(const struct footholds *f, int leg, int k, double offset[3]);
void footholds_lane(const struct footholds *f, int k, double lane[2]);

/* One step on. */
void footholds_advance(struct footholds *f);

/* All that changes, exactly. get: into those of the same creature. */
void footholds_put(struct bytes_writer *w, const struct footholds *f, int n_points);
void footholds_get(struct bytes_reader *r, struct footholds *f, int n_points);

#endif

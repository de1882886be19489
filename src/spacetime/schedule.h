/* Private to src/spacetime. When which contact point touches the ground, frame by frame, and how high it must be in
 * between. */
#ifndef MUYBRIDGE_SPACETIME_SCHEDULE_H
#define MUYBRIDGE_SPACETIME_SCHEDULE_H

#include "base/arena.h"
#include "creature/creature.h"
#include "spacetime/spacetime.h"

struct schedule {
  int n_frames, n_points;
  unsigned char *on;            /*                                     (n_frames x n_points) */
  double *swing;                /* how far in its swing: 0 on the ground and at its ends, 1 in the middle of the air
                                                                       (n_frames x n_points) */
  double *clearance;            /* least height in the air, in standing heights L    (n_frames x n_points) */
};

/* c is a body (body.h) in all of these. One cycle of a gait in n_frames frames; frame k is at phase (k + 1/2) /
 * n_frames. */
struct schedule schedule_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames,
                                 const struct spacetime_options *o);

/* Does the second half of the cycle do what the first does, left and right exchanged? n_frames must be even. */
int schedule_is_mirrored(const struct creature *c, const struct schedule *s);

/* Do left and right do the same at the same time? */
int schedule_is_together(const struct creature *c, const struct schedule *s);

/* ---- between two gaits: schedule_change.c ---- */

/* Where a clip is in its steps, at the frame at which it is left or entered. */
struct stride {
  struct schedule cycle;        /* one cycle of its steps                                                  */
  int frame;                    /* of the cycle, at that frame; used by feet that do not step regularly    */
  double *phase;                /* of each foot, at that frame: cycles since its last touch-down; negative: from `frame`
                                   (n_feet)                                                                 */
};

/* From one stride to another in n_frames frames, of which the first two are `before`'s and the last two `after`'s. Each
 * foot goes through its steps from its phase in the one to its phase in the other; its tempo and its share of time on
 * the ground go over gradually, as an animal's do. Feet that do not touch down exactly once in both cycles change over
 * at once, in the air if they can. */
struct schedule schedule_between(struct arena *arena, const struct creature *c, const struct stride *before,
                                 const struct stride *after, int n_frames, const struct spacetime_options *o);

/* How much the steps must be hurried or held up for that, in cycles: root of the mean square over the feet. */
double schedule_haste(struct arena *arena, const struct creature *c, const struct stride *before,
                      const struct stride *after, int n_frames);

/* ---- from stand to stand: schedule_spot.c ---- */

/* Is a transition between gaits of these names one that steps on the spot? Both stand still, the body is to turn. */
int schedule_is_on_spot(const struct creature *c, const char *gait, const char *gait_after, double turn);

/* Frames that it takes: as many steps as the ranges of the legs need. */
int schedule_spot_frames(struct arena *arena, const struct creature *c, double turn, double dt,
                         const struct spacetime_options *o);

/* Every foot leaves the ground some times, few at a time, in the order of the creature's `step`; what has more frames
 * than it takes steps more often. stand: contacts of a stand. */
struct schedule schedule_on_spot(struct arena *arena, const struct creature *c, const struct schedule *stand,
                                 double turn, int n_frames, double dt, const struct spacetime_options *o);

/* ---- for schedule_change.c, schedule_spot.c, leap.c ---- */

struct schedule schedule_new(struct arena *arena, const struct creature *c, int n_frames);

/* Is any point of the foot of point i on the ground at a frame? */
int schedule_foot_touches(const struct creature *c, const struct schedule *s, int k, int i);

/* Sets swing and clearance of point i at frame k: the square of half a sine from lift-off to touch-down of the whole
 * foot. before and after count the frames to the nearest ones on the ground; 0: it stands. */
void schedule_set_swing(const struct creature *c, struct schedule *s, int k, int i, int before, int after,
                        const struct spacetime_options *o);

/* The same for all points and frames of a schedule that is no cycle: a foot in the air at one of its ends does not
 * swing. */
void schedule_set_swings(const struct creature *c, struct schedule *s, const struct spacetime_options *o);

/* Lifts the feet as a style says; NULL: it says nothing. */
void schedule_scale_clearance(const struct creature *c, struct schedule *s, const struct style *style);

void schedule_set_free_ends(const struct creature *c, struct schedule *s, const struct spacetime_options *o);

#endif

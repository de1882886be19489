/* Private to src/spacetime. A leap from a stand to a stand: crouch, push off, fly, land, stand up. When which contact
 * point is on the ground, and where the root should be. doc/spacetime.md, "Leaps". */
#ifndef MUYBRIDGE_SPACETIME_LEAP_H
#define MUYBRIDGE_SPACETIME_LEAP_H

#include "spacetime/schedule.h"

static inline int leap_is_none(const struct leap *l) { return l->rise == 0 && l->forward == 0; }

/* Does a transition between gaits of these names begin and end in a stand, as a leap must? */
int leap_is_possible(const struct creature *c, const char *gait, const char *gait_after);

/* Frames that it takes in all, and from the stand to lift-off; the landing takes as many. c is a body
 * (body.h) here and below. */
int leap_frames(const struct creature *c, const struct leap *l, double dt);
int leap_gather_frames(const struct creature *c, const struct leap *l, double dt);

/* What has more frames than it takes crouches and stands up more slowly; the flight lasts as long as gravity says.
 * stand: contacts of a stand. */
enum leap_legs { LEAP_FORE_FIRST, LEAP_TOGETHER }; /* forelegs leave and land before hind legs; or all at once */
struct schedule leap_schedule(struct arena *arena, const struct creature *c, const struct schedule *stand,
                              const struct leap *l, enum leap_legs legs, int n_frames, double dt,
                              const struct spacetime_options *o);

/* Where the root should be, along x and above where it stands, and its feet: ahead of where they are under the standing
 * body, and farther down than there; in standing heights (n_frames each). All of the way is made in the last frame but
 * one. */
struct leap_way { double *forward, *up, *ahead, *down; };
struct leap_way leap_way_of(struct arena *arena, const struct creature *c, const struct leap *l, int n_frames,
                            double dt);

/* What the ground must give at a frame for that [body weights]. h: time between frames, in sqrt(standing height / g) */
void leap_force(const struct leap_way *w, int k, int n_frames, double h, double out[3]);

#endif

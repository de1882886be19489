/* Private to src/search. Initial motions: what a clip that is yet to be solved may look like, made from the clips that
 * are there.
 *
 * Section 3.2 and appendix B of the 2013 paper; doc/search.md, "Initial motions". The result is kinematic: it has the
 * right ends, turn and rhythm, and breaks physics. Its quality q (equation 8) says how far it is from anything solved:
 * 0 would be a piece of the clips themselves. Work is bounded, and the same input gives the same bits. */
#ifndef MUYBRIDGE_INITIAL_H
#define MUYBRIDGE_INITIAL_H

#include "motion/clip.h"
#include "motion/distance.h"

/* Clips to make motions from: grows as clips are solved. */
struct initial_library;

struct initial_library *initial_library_new(struct arena *arena, const struct creature *c);

/* Adds a clip, which must live on and have an id of its own, after the clips at its ends. Returns its index: 0, 1 .. */
int initial_library_add(struct initial_library *lib, int id, const struct clip *clip);

/* The distances of all frames of the clips, by those indices. */
const struct distance_matrix *initial_distances(const struct initial_library *lib);

int initial_library_size(const struct initial_library *lib);
const struct clip *initial_library_clip(const struct initial_library *lib, int index);

struct initial_options {        /* by initial_defaults()                                                             */
  double longest_cycle;         /* that is searched for [s]; the paper's 1.5                                         */
  int max_cycles;               /* that are warped and judged                                                        */
  int max_paths;                /* out of the first frame, and into the last                                         */
  int max_branches;             /* transitions along a path or around a cycle                                        */
  int shortlist;                /* pairs of paths that are blended and judged                                        */
};
void initial_defaults(struct initial_options *o);

struct initial_motion {
  struct clip *clip;            /* in the caller's arena, with forces that share out the weight; NULL: none was found */
  double quality;               /* q, lower is better [standing heights, summed over frames]                         */
  double linear_quality;        /* of a transition: of the linear blend before the registration took over            */
  int registered;               /* of a transition: the registration blend was no worse and is the result            */
  int n_tried;                  /* cycles that were judged; pairs of paths that were compared                        */
};

struct initial_cycle {
  int gait;                     /* index into creature->gaits                                                        */
  double speed, strafe;         /* [m/s], [rad]                                                                      */
  int frames;
};

/* Cycles of the clips with the right number of contacts, in the rhythm of the gait, at the velocity asked. */
struct initial_motion initial_cycle(struct arena *arena, struct initial_library *lib, const struct initial_cycle *r,
                                    const struct initial_options *o);

struct initial_transition {
  int from_clip, from_frame;    /* ids; leaves there, with that frame and the next                                   */
  int to_clip, to_frame;        /* arrives there                                                                     */
  double turn;                  /* [rad]                                                                             */
  int frames;                   /* in all, with the four shared ones; at least 8                                     */
};

/* A path out of the one frame blended into a path to the other, and bent. */
struct initial_motion initial_transition(struct arena *arena, struct initial_library *lib,
                                         const struct initial_transition *r, const struct initial_options *o);

/* An estimate of q for that, without making the motion: for long lists of candidates. Infinite when there is none. */
double initial_rough_quality(struct initial_library *lib, const struct initial_transition *r,
                             const struct initial_options *o);

/* q of any clip against the library: sum over its frames of the distance to the nearest frame;
 * infinite when there are none. */
double initial_quality(struct initial_library *lib, const struct clip *clip);

#endif

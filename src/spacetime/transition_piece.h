/* Private to src/spacetime. A transition in one piece: how long it takes, and attempts at solving it. */
#ifndef MUYBRIDGE_SPACETIME_TRANSITION_PIECE_H
#define MUYBRIDGE_SPACETIME_TRANSITION_PIECE_H

#include "spacetime/solve.h"

struct piece {
  const struct transition_request *r;
  int n_frames;                 /* that it takes at least, or that were asked for */
  int cycle;                    /* frames of a cycle, the mean of both gaits       */
};

/* About a cycle for every 90 degrees, at least one, more at speed and for long bodies, and half a cycle more into
 * another gait; then whatever hurries the feet least. */
struct piece piece_plan(struct arena *arena, const struct transition_request *r, const struct spacetime_options *o);

/* How far a transition is from the verifier's bars, between the clips that it joins; see solve_roughness(). */
double piece_roughness(const struct transition_request *r, const struct clip *clip);

/* More smoothness and, if that may be, more time, where the first idea was too hasty; a length that was asked for
 * stays. What it returns may be too rough: see piece_roughness(). */
enum piece_length { PIECE_SHORTEST, PIECE_LONGER, PIECE_ANY };
struct clip *piece_find(struct arena *arena, const struct piece *p, enum piece_length length,
                        const struct spacetime_options *o, struct spacetime_report *report);

/* From a solved transition between clips like these, with its number of frames; NULL if nothing passes that way. */
struct clip *piece_find_near(struct arena *arena, const struct transition_request *r,
                             const struct spacetime_options *o, struct spacetime_report *report);

/* The whole, solved from a start that is joined of parts; NULL if that fails. */
struct clip *piece_polish(struct arena *arena, const struct transition_request *r, const struct clip *joined,
                          const struct spacetime_options *o, struct spacetime_report *report);

#endif

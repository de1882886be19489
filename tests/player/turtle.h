/* A turtle made by hand, for the tests of the player: it crawls, turns left and right by thirty degrees, and can turn
 * about. What it does is known without a player: where a frame leads is in the clips, what to choose is in values that
 * follow from a formula. Clips lie in frames of their own, some moved away and turned. */
#ifndef MUYBRIDGE_TURTLE_H
#define MUYBRIDGE_TURTLE_H

#include <math.h>

#include "base/rng.h"
#include "muybridge-player.h"
#include "player_write.h"

#define PI 3.14159265358979323846
#define DOFS 7
#define POINTS 2
#define CYCLE 12
#define STEP 0.05 /* metres a frame */
#define HEADINGS 36
#define CLIPS 6
#define SEGMENTS 9
#define BONES 3
#define FOUR_CELLS (7 * 5 * 3 * 4)

enum { CRAWL, LEFT_A, RIGHT_A, ABOUT, LEFT_B, RIGHT_B };                          /* clips               */
enum { A_ON, A_LEFT, A_RIGHT, A_ABOUT, B_ON, B_LEFT, B_RIGHT, B_SWEEP, B_ROUND }; /* segments            */
enum { NODE_A = 3, NODE_B = 9 };                                                  /* frames of the crawl */

struct turtle {
  struct muy_player_controller c;
  struct muy_player_clip clips[CLIPS];
  struct muy_player_node nodes[2];
  struct muy_player_segment segments[SEGMENTS];
  struct muy_player_piece pieces[SEGMENTS][4];
  struct muy_player_features features[SEGMENTS][40];
  struct muy_player_parameter parameters[2];
  struct muy_player_bone bones[BONES];
  double axes[DOFS][3];
  double q[CLIPS][CYCLE + 2][DOFS], force[CLIPS][CYCLE + 2][POINTS][3];
  unsigned char contact[CLIPS][CYCLE + 2][POINTS];
  double headings[HEADINGS];
  float values[SEGMENTS][HEADINGS * 2], four_values[SEGMENTS][FOUR_CELLS];
};

extern const double turtle_turn[SEGMENTS];          /* by how much a segment turns [rad] */
extern const struct muy_player_parameter turtle_four[4];

/* Three bones: the shell, a tail that wags about an oblique axis, and its tip. Two parameters: the direction, and a
 * mood, without which it does not turn about. */
void turtle_make(struct turtle *t);

/* Four parameters and random values: all segments get chosen. */
void turtle_make_four(struct turtle *t, struct rng *r);

/* The turtle as a player gets it; *bytes, if asked for, is the caller's to free. */
struct muy_player_controller *turtle_load(struct turtle *t, unsigned char **bytes, size_t *length);

static inline double turtle_wrap(double angle)
{
  return remainder(angle, 2 * PI);
}

#endif

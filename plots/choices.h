/* Choices of a controller as figures name and colour them: what goes on is grey, left is blue, right is vermilion, the
 * more so the farther it turns, and green says that the gait changes. */
#ifndef MUYBRIDGE_PLOTS_CHOICES_H
#define MUYBRIDGE_PLOTS_CHOICES_H

#include "motion/graph.h"
#include "plots/kit.h"

struct choice {
  const char *name;             /* of the clip                                                     */
  int cyclic;
  int changes_gait;
  double turn;                  /* to the left [rad]                                               */
};
struct choice choice_of_clip(const struct clip *clip);

enum choice_side { CHOICE_LEFT, CHOICE_RIGHT, CHOICE_STRAIGHT };
enum choice_side choice_side(const struct choice *c);

/* The colour of its kind, and the same paler for turns smaller than the largest [rad]. */
struct colour choice_hue(const struct choice *c);
struct colour choice_colour(const struct choice *c, double largest);

/* "walk-turn 30° left", "walk"; and "30°", "−30°", "0°". In the arena. */
char *choice_label(struct arena *arena, const struct choice *c);
char *choice_turn(struct arena *arena, double turn);

/* The largest turn of the clips that a graph uses [rad]. */
double choice_largest(const struct motion_graph *g);

/* "biped: direction". In the arena. */
char *choice_title(struct arena *arena, const char *creature, const char *task);

/* Pairs of clips that are each other's mirror images: the other of the pair, -1 for those without (n_clips). */
void choice_mirrors(const struct motion_graph *g, int *mirror);

#endif

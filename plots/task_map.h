/* A controller's grid as a map to draw: one or two parameters of the task along axes, the others held where they begin,
 * a map for each of the nodes that are visited most. For the figures of values and policies. */
#ifndef MUYBRIDGE_PLOTS_TASK_MAP_H
#define MUYBRIDGE_PLOTS_TASK_MAP_H

#include "plots/kit.h"
#include "policy/controller.h"

#define TASK_MAP_NODES 9        /* maps of a page, at most */

struct task_cell { int index; double lo, hi; };  /* of the grid; where it lies on the axis  */

struct task_axis {
  int parameter;                /* of the task                                                              */
  const struct task_parameter *p;
  const char *label;            /* "direction asked [°], to the left"                                       */
  double lo, hi;                /* degrees, m/s, or from 0 to the number of categories                       */
  int n;
  struct task_cell *cells;      /* ascending; of a circle the one at 180 degrees is halved, at either end    */
};

struct task_map {
  const struct controller *c;
  int n_axes;                   /* 1, or 2 for tasks of more than one parameter                             */
  struct task_axis axis[2];
  const char *held;             /* "torso at 0 degrees, speed at 1.2 m/s"; NULL: none is                    */
  size_t base, stride[2];       /* of a node's tensor: where all begins, and the step along the axes        */
  int n_nodes;
  int nodes[TASK_MAP_NODES];    /* most visited first                                                       */
  double visits[TASK_MAP_NODES]; /* share of all choices                                                    */
};
struct task_map *task_map_new(struct arena *arena, const struct controller *c);

/* Where a cell's number is in values->V and values->choice; y is 0 on a map of one axis. */
size_t task_map_at(const struct task_map *m, int node, int x, int y);

/* "walk, frame 31"; "3 walk, frame 31" if several clips have that name. In the arena. */
char *task_map_node(const struct task_map *m, struct arena *arena, int node);

/* Axes around cells: degrees by quarters, names of categories. left: room for labels. */
double task_axis_left(struct canvas *cv, const struct task_axis *y, double size);
void task_map_axes(struct canvas *cv, const struct task_map *m, struct axes *a);
void task_map_draw_axes(struct canvas *cv, const struct task_map *m, const struct axes *a);

/* Draws runs of equal colour along the rows; colour_of is called for each cell. */
struct task_painter { struct colour (*colour_of)(const void *user, size_t at); const void *user; };
void task_map_paint(struct canvas *cv, const struct task_map *m, int node, const struct axes *a,
                    const struct task_painter *painter);

/* A circle seen from above: ahead is up, left is left. angle to the left of ahead [rad]. */
struct xy polar_at(struct xy centre, double radius, double angle);
void polar_labels(struct canvas *cv, struct xy centre, double radius, const struct theme *theme, double size);

#endif

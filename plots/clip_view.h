/* A creature in a frame of a clip, with the forces of the ground and the ground itself. */
#ifndef MUYBRIDGE_PLOTS_CLIP_VIEW_H
#define MUYBRIDGE_PLOTS_CLIP_VIEW_H

#include "plots/creature_view.h"
#include "plots/traces.h"

struct clip_view {
  struct canvas *cv;
  const struct traces *traces;
  struct figure *figure;
  struct theme theme;
  struct view_style style;
  struct font small;
  double *q;                    /* of the frame that the figure shows                          */
  double depth;                 /* from the near side to the far one, at rest [m]              */
  double metres;                /* length of an arrow for one body weight [m]                  */
  int frame;
};
struct clip_view clip_view_new(struct canvas *cv, const struct traces *t);

/* Shows any frame of a cyclic clip, one of 0 .. n_frames - 1 of another. */
void clip_view_pose(struct clip_view *v, int frame);

/* What it covers [m], its arrows included. */
struct rect clip_view_extent(const struct clip_view *v, const struct camera *cam);

/* A view without marks, the frame in it, the ground over it. */
struct view clip_view_look(const struct clip_view *v, struct camera cam, struct rect area, struct to_scale map);

/* Arrows at the contact points, and a triangle under those that stand. */
void clip_view_forces(const struct clip_view *v, const struct view *look);

/* The ground as a ruler of fields, step long and fixed to the world. */
void clip_view_ruler(const struct clip_view *v, const struct view *look, double step);

/* Scale bar, legend arrow and the signs of the sides, in one line: sits at its left end. Returns its width. */
double clip_view_legend(const struct clip_view *v, struct xy at, double scale, double step);

/* The colour of a side. */
struct colour clip_view_colour(const struct clip_view *v, enum side side);

#endif

/* Where a scene is on the page while it is drawn. Inside of the film's files only: film_stage.c, film_terrain.c. */
#ifndef MUYBRIDGE_PLOTS_FILM_STAGE_H
#define MUYBRIDGE_PLOTS_FILM_STAGE_H

#include "plots/film_scene.h"

#define STAGE_THREADS_MOST 400

struct film_stage {
  struct canvas *cv;
  const struct film_scene *s;
  struct rect area;
  struct to_scale map;
  struct plane ground;   /* x, y of the world on the page: the ground, or a level plane near it                    */
  double pen;            /* width of a thread [points]                                                             */
};
struct film_span { double lo, hi; };

/* Page positions: of a point of the world; of a place on the ground; of one given along the way and across it [m]. */
struct xy film_point(const struct film_stage *t, const double *world);
struct xy film_ground(const struct film_stage *t, double x, double y);
struct xy film_floor(const struct film_stage *t, double a, double b);

/* The part of the floor that is seen in a rectangle, along the way and across it, from where threads cross. */
void film_visible(const struct film_stage *t, struct rect floor, struct film_span *along, struct film_span *across);

/* Wall and floor of a scene whose ground is not level. */
void film_draw_terrain(const struct film_stage *t);

#endif

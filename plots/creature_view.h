/* A creature in a pose, drawn to scale: limbs as the bodies that they are, the far side in shade.
 *
 * A figure holds where everything is; figure_pose() changes the pose without allocating, so that films can use it. */
#ifndef MUYBRIDGE_PLOTS_CREATURE_VIEW_H
#define MUYBRIDGE_PLOTS_CREATURE_VIEW_H

#include "creature/creature.h"
#include "plots/kit.h"
#include "plots/ground_view.h"
#include "plots/projection.h"

struct figure;

/* The creature must outlive the figure, which lives in the arena. Stands in its rest pose. */
struct figure *figure_new(struct arena *arena, const struct creature *c);
void figure_pose(struct figure *f, const double *q);

/* Puts it on another ground than level one (NULL), which must outlive the figure. */
void figure_stand_on(struct figure *f, const struct terrain *t);
const struct terrain *figure_ground(const struct figure *f);

/* Where things are at that pose, in the world [m]: a limb's solid, its joint, a contact point, the centre of mass. */
const struct shape *figure_solid(const struct figure *f, int limb);
const double *figure_joint(const struct figure *f, int limb);
const double *figure_contact(const struct figure *f, int point);
const double *figure_mass(const struct figure *f);

/* How far it reaches towards the viewer and away from them at that pose: what is seen as near and far [m]. */
double figure_depth(const struct figure *f, const struct camera *cam);

/* What the creature covers in this view [m], the ground under its feet included; at least 1 mm wide and high. */
struct rect figure_extent(const struct figure *f, const struct camera *cam);

struct view_style {
  struct colour near_side, far_side;    /* of limbs                                            */
  struct colour outline, joint;
  struct colour ground, earth;          /* its line, and what is below it                      */
  struct colour left, right, middle;    /* contact points                                      */
  struct colour mass;
};
struct view_style view_style_paper(void);
struct view_style view_style_plate(void);

struct view {
  struct camera camera;
  struct rect area;                     /* of the page; nothing is drawn outside of it         */
  struct to_scale map;                  /* metres of the camera to points of the page          */
  struct view_style style;
  int ground, joints, contacts, mass;   /* what is shown apart from the limbs                  */
  int taper;                            /* limbs narrow towards thinner ones that they carry   */
  double depth;                         /* from near to far side, the root in the middle; 0: as it is [m] */
  double haze;                          /* 0: none, 1: limbs have the colour of the air        */
  struct colour air;
};

/* Room left around the creature [points], below for the marks on the ground. */
#define VIEW_MARGIN 12.0
#define VIEW_BELOW 18.0

/* A view of all of it in area, standing at its lower edge, drawn at most at that scale (0: as large as fits). */
struct view view_fit(const struct figure *f, struct camera cam, struct rect area, double most);

void figure_draw(struct canvas *cv, const struct figure *f, const struct view *v);

/* Adds its shadow straight below to the path: x and y of the world [m], for canvas_onto() the ground. */
void figure_shadow_path(struct canvas *cv, const struct figure *f);

/* How large the end of the limb is that has this contact point [m], at least a fiftieth of the creature's height. */
double figure_foot_radius(const struct figure *f, int point);

/* Level ground alone, as figure_draw() does it. */
void view_draw_ground(struct canvas *cv, const struct view *v);

/* The colour of a contact point, by the side that its name tells. */
struct colour view_side_colour(const struct view_style *s, const char *name);

#endif

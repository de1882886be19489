/* A creature in motion before a camera that goes with it: what one panel of a film or of a plate shows.
 *
 * A scene holds where everything is at one time, whole frames or between them; film_stage.c draws it. The ground is
 * fixed to the world: it passes by below the creature, and feet that stand do not slide on it. */
#ifndef MUYBRIDGE_PLOTS_FILM_SCENE_H
#define MUYBRIDGE_PLOTS_FILM_SCENE_H

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/clip.h"
#include "plots/creature_view.h"
#include "plots/kit.h"
#include "policy/performance.h"

enum film_view { FILM_SIDE, FILM_FRONT, FILM_TOP, FILM_THREE_QUARTER, FILM_OWN }; /* own: what suits the clip    */

/* The colours of a stage. */
struct film_look {
  struct colour wall, floor, far_floor, thread, floor_thread, shadow, text, trail, asked, push;
  struct view_style style;
};
struct film_look film_look_plate(void);       /* a pale body before a black wall of threads                      */
struct film_look film_look_paper(void);       /* the same on white                                               */

/* A push: when [frames of the clip], on which limb, how hard [N, in the world]. */
struct film_push { double from, until; int limb; double force[3]; };

struct film_scene_options {
  enum film_view view;
  int paper;                                  /* light, else dark                                                */
  int forces;                                 /* arrows where the ground pushes                                  */
  int ghosts;                                 /* how many earlier poses are seen, pale                           */
  int lines;                                  /* threads across a stride or a view, about; 0: as it suits        */
  const struct performance *play;             /* of the clip: shows what is asked; NULL: none                    */
  const struct terrain *terrain;              /* what it walks on; NULL: level ground                            */
  int n_pushes, n_balls;                      /* that come from outside                                          */
  const struct film_push *pushes;             /*                                             (n_pushes)          */
  const double *balls;                        /* where they fly [m]; NaN: they do not (n_frames x n_balls x 3)   */
  double ball_radius;                         /* [m]                                                             */
};

struct film_scene {
  const struct creature *creature;
  const struct clip *clip;
  struct film_scene_options options;
  struct film_look look;
  int closes;                                 /* a cycle that leads where it began, moved over the ground        */
  struct figure *figure;
  struct camera camera;
  struct xy *way;                             /* what the camera looks at, on the ground [m]       (n_frames + 1) */
  struct terrain own_ground;                  /* of the clip, if the options name none and it is not level        */
  double *high;                               /* how high the ground is there, evened out [m]      (n_frames + 1) */
  double travel;                              /* direction of threads [rad]                                      */
  double step;                                /* from thread to thread [m]                                       */
  struct xy origin;                           /* where two of them cross [m]                                     */
  int has_wall, wall_follows;                 /* fixed to the world, or the camera's backdrop                    */
  double wall;                                /* height of its foot in the picture, or above what is looked at [m] */
  double behind;                              /* how far it stands behind what is looked at [m]                  */
  double depth;                               /* from the near side to the far one [m]                           */
  double metres;                              /* length of an arrow for a newton [m]                             */
  double longest;                             /* of all arrows [m]                                               */
  double ghost_gap;                           /* [frames]                                                        */
  struct rect extent;                         /* of all that is ever seen, from what the camera looks at [m]     */
  double at;                                  /* the time that is shown [frames]                                 */
  double *q, *next;                           /* pose of that time; scratch                        (n_dofs)      */
  double *force;                              /* on contact points, in the world [N]               (n_points x 3) */
};

/* The creature and the clip, of this creature, must outlive the scene, which lives in the arena. */
struct film_scene *film_scene_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                        const struct film_scene_options *o);

/* Shows a time, in frames: any of a cycle that closes, else from 0 to n_frames - 1. */
void film_scene_show(struct film_scene *s, double frame);

/* What the camera looks at then; and where that is in the picture. */
struct xy film_scene_target(const struct film_scene *s, double frame);
struct xy film_scene_aim(const struct film_scene *s, double frame);
double film_scene_height(const struct film_scene *s, double frame); /* of the ground there, evened out [m]         */

/* Where the arrow of a contact point's force ends [m]; those of the few largest forces are cut. */
void film_scene_tip(const struct film_scene *s, int point, double *tip);

/* The push that is seen at this time, while it acts and, paler, a little longer (1 to 0: how clearly); NULL: none. Its
 * arrow ends in the middle of the limb, and is that long for a body weight, in heights of the creature. */
const struct film_push *film_scene_push(const struct film_scene *s, double frame, double *clearly);
#define FILM_PUSH_LENGTH 2.5

/* From thread to thread when the ground moves by this much from picture to picture [m]: less than half a field, or it
 * would seem to go backwards. Of a cycle that closes a whole part of its stride, so that the ground closes too. */
void film_scene_choose_step(struct film_scene *s, double shift);

/* A map that shows all of the extent in area, below it room for the ground; at most so many points a metre (0: any). */
struct to_scale film_scene_fit(const struct film_scene *s, struct rect area, double most);

/* Which way a player is told to go now, in the world [rad]; 0 if nobody says so. The arrow that shows it lies on the
 * ground, from a place before the creature to another, in heights of the creature. */
int film_scene_asked(const struct film_scene *s, double *heading);
#define FILM_ARROW_FROM 0.55
#define FILM_ARROW_UNTIL 1.05

/* Draws it, the map made by film_scene_fit(). Nothing is drawn outside of area. */
void film_scene_draw(struct canvas *cv, struct film_scene *s, struct rect area, struct to_scale map);

/* "1.4 m/s"; "10 m/s, 25° to the left"; for a transition "", or what it does. In the arena. */
char *film_scene_pace(const struct film_scene *s, struct arena *arena);

#endif

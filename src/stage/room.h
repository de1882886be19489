/* Private to src/stage. What the files of this room share: the stage itself, and what a mode is.
 *
 * A package becomes `struct stage_cast`, which does not change while it is open. What a person has set up around the
 * creature (ground, load, balls, what is asked) is `struct stage_scene`, plain numbers that modes share. A mode has
 * data of its own, and after every frame fills in `struct stage_moment`, all that a record is made of. */
#ifndef MUYBRIDGE_STAGE_ROOM_H
#define MUYBRIDGE_STAGE_ROOM_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/diag.h"
#include "control/controls.h"
#include "dynamics/dynamics.h"
#include "follow/disturb.h"
#include "motion/graph.h"
#include "physics/world.h"
#include "player/muybridge-player.h"
#include "stage/package.h"
#include "stage/stage.h"

/* ---- what is in the package ---- */

struct stage_cast {
  struct arena *arena;          /* of all of it                                                                    */
  struct stage_package package;
  uint64_t fingerprint;         /* of its bytes                                                                    */
  const struct creature *creature;
  const struct motion_graph *graph; /* NULL: the clips make none                                                   */
  struct muy_player_controller *player; /* NULL: there is no controller                                            */
  int *player_clip;             /* which clip of the package a clip of the player is                (its n_clips)  */
  const struct controls *controls; /* NULL: there is no control graph                                              */
  int n_parameters;             /* that can be asked                                                               */
  const struct stage_parameter *parameters; /*                                                      (n_parameters) */
  const struct task_kind **kinds; /* of them; NULL: a kind that is not known                        (n_parameters) */
  int *measure;                 /* place among what is measured beyond every frame; -1: none        (n_parameters) */
  double dt;                    /* of a frame [s]                                                                  */
  int trunk;                    /* the heaviest limb                                                               */
  struct dynamics *dynamics;    /* scratch of whoever needs places of limbs                                        */
};

/* Where numbers are in a record: about.record. */
struct stage_layout {
  int length, limbs, ghost, com, capture, points, limb_forces, torques, balls, asked, done, clip, frame, node, segment,
      next, value, heading;
};

/* ---- what a person has set up ---- */

struct stage_drag { int limb; double at[3], target[3]; }; /* limb -1: nothing is held */

struct stage_scene {
  struct terrain terrain;
  double friction;              /* < 0: the creature's                                                             */
  int load_limb;                /* -1: no load                                                                     */
  double load_mass;
  double asked[MUY_PLAYER_PARAMETERS_MOST]; /* as muy_player_set() takes it                                        */
  struct stage_drag drag;
  int n_balls;                  /* the oldest first                                                                */
  struct disturb_ball balls[STAGE_BALLS];
  int show[N_STAGE_SHOWS];
};

/* ---- what is shown ---- */

struct stage_moment {           /* by the mode's look()                                                            */
  double *q, *v;                /*                                                                  (n_dofs)       */
  double *torque;               /* of muscles, or servos                                            (n_dofs)       */
  double *force;                /* of the ground                                                    (n_points x 3) */
  unsigned char *on;            /*                                                                  (n_points)     */
  double *limb_force;           /*                                                                  (n_limbs x 3)  */
  double *ghost;                /* pose of the reference; only if has_ghost                         (n_dofs)       */
  int has_ghost;
  int clip, frame;              /* of the package; -1: none                                                        */
  int node, segment, next;      /* of the graph: begun from, being played, to follow if nothing else is asked; -1  */
  double value, heading;
};

/* What the creature did in the last seconds, for what it does in the mean over a stride. */
#define STAGE_HISTORY_SECONDS 2.5
struct stage_history_frame { double x, y, yaw, measured[FEATURES_MEASURES]; };
struct stage_history {
  int room, n, last;            /* a ring; last: where the newest is                                               */
  struct stage_history_frame *frames;                                                            /* (room)         */
};

/* ---- what a mode is ---- */

struct stage_mode_kind {
  const char *name;             /* in about.modes                                                                  */

  /* Can the package do this? */
  int (*can)(const struct stage_cast *c);

  /* Its data, in the arena, with the root above at.x, at.y, heading at.yaw; clip: to begin in, -1: it may choose. The
   * scene is what s->scene says. NULL after an error in d. */
  void *(*enter)(struct stage *s, struct arena *arena, int clip, struct clip_advance at, struct diag *d);
  void (*leave)(void *data);    /* frees what is not in the arena; may be NULL                                     */

  /* One frame on; STAGE_FALLEN: the ragdoll takes over. */
  enum stage_state (*frame)(struct stage *s);

  /* Fills s->now, arrays included, which are 0 before. */
  void (*look)(struct stage *s);

  /* The world in which pushes act; NULL: there is none, as nothing is simulated. */
  struct world *(*world)(const struct stage *s);

  /* The scene's ground, friction or load has changed: continue in it, lifted by so much. 0 after an error in d: then it
   * is as before. NULL: nothing to do. */
  int (*change)(struct stage *s, double lift, struct diag *d);

  /* A push, where it does not act on the world alone; NULL: it does. 0: there are too many. */
  int (*push)(struct stage *s, int limb, const double force[3], double seconds);

  /* What is asked has changed; may be NULL. */
  void (*asked)(struct stage *s, int parameter);

  /* Counters; each may be NULL: 0. */
  int (*looks)(const struct stage *s);
  int (*put_off)(const struct stage *s);

  /* What only some modes do; NULL: this one does not. 0: it cannot do that; then it says why in d. */
  int (*seek)(struct stage *s, int frame, struct diag *d);
  int (*edit)(struct stage *s, int kind, double value, struct diag *d);
  int (*grab)(struct stage *s); /* s->scene.drag is held, moved or let go; NULL: a spring in the world pulls       */

  /* Its data as bytes, and from bytes into data that were just entered; 0 if they are wrong. */
  void (*put)(const struct stage *s, struct bytes_writer *w);
  int (*get)(struct stage *s, struct bytes_reader *r);
};

extern const struct stage_mode_kind stage_mode_clip, stage_mode_play, stage_mode_control, stage_mode_modal;
const struct stage_mode_kind *stage_mode_kind(int mode); /* NULL: there is none */

/* ---- the stage ---- */

struct stage {
  struct stage_cast *cast;      /* NULL: nothing is open                                                           */
  struct stage_layout layout;
  struct stage_scene scene;
  enum stage_mode mode;
  struct arena *mode_arena;
  void *mode_data;
  enum stage_state state;
  double time;                  /* since the restart [s]                                                           */
  struct stage_moment now;
  struct stage_history history;
  struct world *ragdoll;        /* after a fall                                                                    */
  struct arena *laden_arena;
  const struct creature *laden; /* the creature with its load; NULL: it has none                                   */
  int log_on;
  struct stage_log *log;        /* NULL: nothing was recorded                                                      */
  float *record;                /*                                                            (layout.length)      */
  char *about;                  /* by stage_about(), on its first call                                             */
  void *bytes;                  /* what was handed out last                                                        */
  char *why;
};

/* stage.c: takes the text of the first error; returns 0. */
int stage_fail(struct stage *s, struct diag *d);
int stage_refuse(struct stage *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
int stage_is_open(struct stage *s);           /* 0, and why, if nothing is */
struct clip_advance stage_here(const struct stage *s); /* below the root, along the heading */
void stage_look(struct stage *s);             /* s->now of the present frame */
int stage_enter(struct stage *s, int mode, int clip, struct clip_advance at); /* a mode anew */
void *stage_hand_out(struct stage *s, void *bytes); /* to be freed with the next; returns it */

/* cast.c */
struct stage_cast *stage_cast_new(const void *bytes, size_t n, struct diag *d); /* NULL after an error */
void stage_cast_free(struct stage_cast *c);

/* scene.c */
void stage_scene_defaults(const struct stage_cast *c, struct stage_scene *s);
struct world_options stage_world_options(const struct stage *s);
const struct creature *stage_body(const struct stage *s);          /* that is simulated: with its load */
struct world *stage_world(const struct stage *s);                  /* that is simulated now; NULL: none */
void stage_fly(struct stage *s, struct world *w, double h);        /* balls, before a step of h seconds */
void stage_disturb(struct stage *s, struct world *w);              /* these and the drag, before a step of the world */
double stage_lift(struct stage *s, const double *q, const struct terrain *from, const struct terrain *to, int all);
void stage_make_laden(struct stage *s);                            /* s->laden, of the scene's load */
void stage_put_scene(struct bytes_writer *w, const struct stage *s);
int stage_get_scene(struct bytes_reader *r, const struct stage *s, struct stage_scene *out);

/* ragdoll.c */
int stage_ragdoll_start(struct stage *s, const double *q, const double *v); /* 0: there is no such world */
enum stage_state stage_ragdoll_frame(struct stage *s);
void stage_ragdoll_look(struct stage *s);
int stage_ragdoll_change(struct stage *s, double lift);
void stage_ragdoll_end(struct stage *s);

/* kinematic.c: torques and speeds of motions that are shown and not simulated */
void stage_derive(struct stage *s, const double *before, const double *q, const double *after);

/* record.c */
struct stage_layout stage_layout_of(const struct stage_cast *c);
void stage_history_add(struct stage *s);
void stage_history_clear(struct stage *s);
double stage_done(const struct stage *s, int parameter);
void stage_fill_record(struct stage *s);

/* about.c: JSON, to be freed */
char *stage_describe(const struct stage *s);

/* logging.c */
void stage_log_add(struct stage *s);
void stage_log_free(struct stage *s);

#endif

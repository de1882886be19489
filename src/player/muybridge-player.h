/* The player: what a game embeds to bring a controller to life. This header, muybridge-player.c,
 * muybridge-player-read.c, libc and libm are all it takes; make install has it as libmuybridge-player, too
 * (pkg-config muybridge-player).
 *
 *     struct muy_player_controller *c = muy_player_load("horse.play", why, sizeof why);
 *     struct muy_player p;
 *     muy_player_init(&p, c);
 *     for (;;) {
 *       muy_player_set(&p, muy_player_find(c, "direction"), heading);
 *       muy_player_step(&p);
 *       muy_player_pose(&p, q);          all joint angles, or
 *       muy_player_bones(&p, bones);     where each limb is
 *     }
 *
 * A controller is read-only once it is loaded: any number of players, in any number of threads, may share it. A player
 * is a plain struct that owns nothing; to save it, to take a step back, or to try something out, copy it by assignment.
 * Only muy_player_load() and muy_player_load_memory() allocate. Nothing here prints, exits or looks at a clock, and the
 * same calls give the same poses.
 *
 * SI units, radians; x forward, y to the left, z up; headings are counted from x to y. doc/player-format.md describes
 * the file byte by byte, doc/examples/steer.c is a whole program. */
#ifndef MUYBRIDGE_PLAYER_H
#define MUYBRIDGE_PLAYER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef MUY_PLAYER_EXPORT /* only when the shared library itself is built: all else of it is hidden */
#pragma GCC visibility push(default)
#endif

#define MUY_PLAYER_VERSION 2          /* of the file; older ones are read, too                                  */
#define MUY_PLAYER_PARAMETERS_MOST 8  /* of a task                                                              */
#define MUY_PLAYER_MEASURES_MOST 4    /* of a frame, beyond those of every frame                                */
#define MUY_PLAYER_ADVANCE_MOST 3600. /* of one muy_player_advance() [s]                                            */

/* ---- the controller: what there is to play ---- */

struct muy_player_motion { double x, y, yaw; }; /* turn by yaw about the origin, then move by x, y              */
struct muy_player_motion muy_player_compose(struct muy_player_motion a, struct muy_player_motion b); /* b, then a  */
struct muy_player_motion muy_player_inverse(struct muy_player_motion a);

struct muy_player_clip {            /* frames of motion in a frame of the clip's own                            */
  const char *name;
  int n_frames;
  int cyclic;                   /* frame n_frames is frame 0 moved by `advance`                             */
  struct muy_player_motion advance;
  const double *q;              /* dofs 0..2: root x, y, z; 3: its yaw              (n_frames x n_dofs)     */
  const double *force;          /* of the ground on a point [N], or NULL            (n_frames x n_points x 3) */
  const unsigned char *contact; /* 1: the point is on the ground; or NULL           (n_frames x n_points)   */
};

struct muy_player_node { int clip, frame; }; /* a frame at which it is decided how to go on                     */

struct muy_player_piece {           /* frames first .. first + count - 1 of a clip                              */
  int clip, first, count;
  struct muy_player_motion place;   /* from the clip's own frame to the ground frame at the segment's start     */
};

struct muy_player_features {        /* what a frame does                                                        */
  double direction;             /* of travel, mean over a stride                                            */
  double torso;                 /* yaw of the torso, mean over a stride                                     */
  double speed;                 /* over the ground, mean over a stride [m/s]                                */
  double effort;                /* of the clip, as its task counted it: the mean of the squared joint torques over
                                   (m g L)^2, of a transition in haste more than that (doc/task-format.md) */
  int gait;                     /* index into gait_names                                                    */
  double measured[MUY_PLAYER_MEASURES_MOST]; /* what the task measures on top of that, mean over a stride: n_measures
                                                of the controller, the others 0 */
};

/* A way from one node to the next. The ground frame at its start has its origin under the root in the segment's first
 * frame, and x along the creature's reference heading there. */
struct muy_player_segment {
  int from, to;                 /* nodes                                                                    */
  int n_frames;                 /* the frame at node `to` is not among them: the next segment shows it      */
  int n_pieces;
  struct muy_player_motion motion;  /* from the ground frame at the start to the one at the end                 */
  const struct muy_player_piece *pieces;
  const struct muy_player_features *features; /* angles against the heading at the start        (n_frames)      */
  const float *values;          /* expected cost of choosing it, on the grid of the parameters, the last parameter
                                   running fastest; relative to other segments of its node  (n_cells)       */
};

enum muy_player_space { MUY_PLAYER_CIRCLE, MUY_PLAYER_INTERVAL, MUY_PLAYER_CATEGORY };

struct muy_player_parameter {       /* something that the user asks for                                         */
  const char *name, *kind, *unit;
  enum muy_player_space space;
  int relative;                 /* of a circle: its grid is counted from the creature's heading             */
  int n_values;
  const double *values;         /* the grid, ascending; a circle's spans less than a whole turn (n_values)  */
  const char *const *categories; /* their names, else NULL                                      (n_values)  */
};

enum muy_player_solid { MUY_PLAYER_NO_SOLID, MUY_PLAYER_CAPSULE, MUY_PLAYER_BOX, MUY_PLAYER_ELLIPSOID };

/* A limb. Its frame turns with it and has its origin at its joint; at zero angles all frames are parallel, x forward.
 * Quaternions are w, x, y, z. */
struct muy_player_bone {
  const char *name;
  int parent;                   /* bone, < own index; -1 of the first, which alone has none                 */
  int first_dof, n_dofs;        /* that turn it, one after the other, about their axes; of the first bone 0 and 6 */
  double at[3];                 /* its joint in the parent's frame [m]                                      */
  enum muy_player_solid solid;  /* the shape of it, in its frame:                                           */
  double centre[3], turn[4];    /* place [m] and quaternion of the solid's own axes                         */
  double size[3];               /* full lengths along these [m]; a capsule: 2r, 2r, length with its caps    */
};

struct muy_player_controller {
  const char *creature;
  double dt;                    /* from frame to frame [s]                                                  */
  int n_dofs, n_points, n_gaits, n_clips, n_nodes, n_segments, n_parameters;
  int has_forces;               /* clips have forces and contacts                                           */
  int n_measures;               /* of frames                                                                */
  int n_bones;                  /* 0 in files of version 1                                                  */
  const struct muy_player_bone *bones; /* parents first                                         (n_bones)   */
  const double *axes;           /* unit vectors about which dofs 3 and on turn, 0..2 move; or NULL (n_dofs x 3) */
  const char *const *dof_names, *const *point_names, *const *gait_names;
  const struct muy_player_clip *clips;
  const struct muy_player_node *nodes;
  const struct muy_player_segment *segments; /* sorted by `from`                                                */
  const struct muy_player_parameter *parameters;
  size_t n_cells;               /* of the grid of all parameters; by muy_player_load                            */
  const int *first_segment;     /* node i chooses from [i] .. [i + 1] - 1 of it; by muy_player_load                */
  void *memory;                 /* all of the above, by muy_player_load                                         */
};

/* NULL if the file cannot be read or anything in it is not as it must be; then `why` says what, in one line.
 * Bytes in memory are copied. */
struct muy_player_controller *muy_player_load(const char *path, char *why, size_t size);
struct muy_player_controller *muy_player_load_memory(const void *bytes, size_t length, char *why, size_t size);
void muy_player_unload(struct muy_player_controller *c); /* NULL is fine; no player of it may be used after this    */

/* The parameter of that name, or -1. */
int muy_player_find(const struct muy_player_controller *c, const char *name);

/* The segment to choose at a node for values of the parameters, relative ones against the heading at the node: the one
 * with the least value, of equals the first. */
int muy_player_choose(const struct muy_player_controller *c, int node, const double *theta);

/* The value of a segment there: linear in each parameter between grid points, around the circle, an interval's end
 * beyond its ends, the nearest category. */
double muy_player_value(const struct muy_player_controller *c, int segment, const double *theta);

/* ---- a player: one creature that moves. Fields are for reading; the functions change them ---- */

/* Two clips that share a frame have the same pose there, but not the same forces: these depend on the frame before. So
 * a node shows the pose with the forces and contacts of the way one came. */
struct muy_player_moment {          /* a frame and where it is                                                  */
  int clip, frame;
  struct muy_player_motion place;   /* from the clip's own frame to the world; whole turns are kept             */
  int force_clip, force_frame;  /* whose forces and contacts it has                                         */
  double force_yaw;             /* from the own frame of that clip to the world                             */
};

struct muy_player {
  const struct muy_player_controller *controller;
  double asked[MUY_PLAYER_PARAMETERS_MOST]; /* by muy_player_set(); relative circles as headings in the world      */
  int segment;                  /* being played                                                             */
  int at;                       /* frame of the segment, 0 .. n_frames - 1                                  */
  int piece, within;            /* the same as piece of the segment and frame of the piece                  */
  struct muy_player_motion ground; /* from the ground frame at the segment's start to the world; yaw is the heading
                                   there, in (-pi, pi]                                                             */
  struct muy_player_moment now;     /* the frame reached                                                        */
  struct muy_player_moment before;  /* the frame before it                                                      */
  double behind;                /* how far the moment shown lies before `now`, in frames, 0 .. 1            */
  long long n_steps;            /* frames since the start                                                   */
};

/* At node 0, at the origin, heading along x, asked to go on straight: circles are at the heading (those that are not
 * relative at their first value), intervals at their middle, categories at the first. */
void muy_player_init(struct muy_player *p, const struct muy_player_controller *c);

/* Begins anew at a node with the root above (x, y); time is 0. What is asked stays, and until the first step
 * muy_player_set() still changes the choice made here. 0 if there is no such node or the numbers are not finite: then
 * nothing happens. */
int muy_player_start(struct muy_player *p, int node, double x, double y, double heading);

/* Puts the creature elsewhere in the middle of its motion: the root of frame `now` above (x, y), and the segment's
 * heading turned to `heading`. 0 if the numbers are not finite. */
int muy_player_place(struct muy_player *p, double x, double y, double heading);

/* Asks for a value. Relative circles: a heading in the world. Intervals: in their unit, clamped. Categories: their
 * index. 0 if there is no such parameter (-1 may be given), or the value is not finite or no category: then nothing
 * happens. */
int muy_player_set(struct muy_player *p, int parameter, double value);
int muy_player_set_category(struct muy_player *p, int parameter, const char *category);

/* Goes on by one frame. A step that arrives at a node chooses the next segment by what is asked then; it is not asked
 * again before the next node. So the order is: set, step, read. */
void muy_player_step(struct muy_player *p);

/* Goes on by any time [s]; what is read afterwards lies between two frames. Returns how many frames were reached, or
 * -1 if seconds are negative, not finite or more than MUY_PLAYER_ADVANCE_MOST: then nothing happens. */
int muy_player_advance(struct muy_player *p, double seconds);

/* The segment that will follow the present one if nothing else is asked. */
int muy_player_peek(const struct muy_player *p);

/* ---- reading a player ---- */

double muy_player_time(const struct muy_player *p); /* since the start [s] */

/* The pose in the world (n_dofs). Its yaw is continuous: it counts whole turns. */
void muy_player_pose(const struct muy_player *p, double *q);

/* Where a limb is in the world: its joint [m], and the rotation of its frame as a quaternion w, x, y, z. */
struct muy_player_place { double at[3], turn[4]; };

/* All limbs in the pose (n_bones). 0 if the file has no bones: it is of version 1. */
int muy_player_bones(const struct muy_player *p, struct muy_player_place *bones);

/* Forces of the ground in the world (n_points x 3) and which points are on the ground, of the nearer frame
 * (n_points). 0 if the file has none: then all are 0. */
int muy_player_forces(const struct muy_player *p, double *force);
int muy_player_contacts(const struct muy_player *p, unsigned char *contact);

/* Features of frame `now`; direction and torso as headings in the world, in (-pi, pi]. With what is asked they are all
 * that the cost of the frame depends on. */
struct muy_player_features muy_player_features(const struct muy_player *p);

#ifdef MUY_PLAYER_EXPORT
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif

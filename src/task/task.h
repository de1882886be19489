/* The task: what a user will ask of a creature, how often that changes, and what it costs not to follow.
 *
 * The room `task` reads task files and scripts, binds them to a creature, and holds all that is known of kinds of
 * parameters: one file kind_NAME.c each, and a line in kinds.c. Nobody else compares kinds by name: rooms above ask the
 * functions of struct task_kind. The room may call spacetime, motion, creature and base.
 *
 * A task file (doc/task-format.md) names parameters: the direction of travel, the yaw of the torso, the speed, the
 * gait, any of them together. It is read once, task_load(), and fits several creatures; task_bind() makes it a task of
 * one creature: names of gaits become indices, shares of a range become m/s, seconds become chances per frame.
 *
 * Each parameter has a value theta, a double: radians on a circle, m/s on an interval, the index of a gait of the
 * creature. It lives on a grid of n values, moves by a Markov chain of its own, and costs
 *     weight * cost(what the creature does in this frame, theta).
 * The equations are in doc/task-format.md, "What it means". */
#ifndef MUYBRIDGE_TASK_H
#define MUYBRIDGE_TASK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/rng.h"
#include "base/text.h"
#include "creature/creature.h"
#include "motion/features.h"
#include "spacetime/spacetime.h"

struct task_asked; /* room.h */
struct task_binding;

enum task_space { TASK_CIRCLE, TASK_INTERVAL, TASK_CATEGORY };

/* What a turn of the creature changes, for kinds that are headings: a creature that can be asked for both must be able
 * to strafe. */
enum task_heading { TASK_NO_HEADING, TASK_HEADING_OF_TRAVEL, TASK_HEADING_OF_TORSO };

struct task;
struct task_parameter;

/* ---- what a kind tells the search (search/): all cycles are described by the features that their frames have in the
 * mean, against the nose: direction is the strafe, torso is 0, effort is not looked at ---- */

struct task_speeds { double least, most; }; /* [m/s] */

struct task_place {               /* a cycle of the controller and what lies around it                             */
  const struct task *task;
  struct frame_features here;
  int n_cycles;                   /* of the controller, this one among them                                        */
  const struct frame_features *cycles;                                                            /* (n_cycles)    */
  double small_angle, small_turn; /* a small step of a heading [rad]; how much of it can be turned in a second     */
  struct task_speeds speeds;      /* that are asked for in this gait with this strafe                              */
};

struct task_step {                /* from a cycle to another, or a turn                                            */
  struct frame_features to;
  double turn;                    /* of the heading, on the way [rad]                                              */
  int cycle;                      /* it ends at: index into the cycles of the place, or one of these               */
};
enum { TASK_CYCLE_NEAREST = -2,   /* the one that is nearest in speed to `to`, alike in all else                   */
       TASK_CYCLE_NEW = -1 };     /* one that is not there yet                                                     */

struct task_wish { double at, weight; }; /* weight (x - at)^2: the parabola that is most like the expected cost    */

struct task_wishes {              /* what is wished for at one place along a clip: the terms that the solver has   */
  struct task_wish travel, torso; /* headings against the one at the clip's start [rad]                            */
  struct task_wish speed;         /* [m/s]                                                                         */
  struct task_wish measured[FEATURES_MEASURES];
};

/* A kind of parameter. Each has a file kind_NAME.c, which says all about it, and a line in kinds.c. A function that is
 * NULL has no effect, unless it must be there. */
struct task_kind {
  const char *name;               /* "direction", as in parameter direction { ... }                        */
  enum task_space space;
  int relative;                   /* to the creature's heading: when it turns by psi, theta becomes theta - psi */
  const char *unit;               /* of values in files: "degrees", "m/s", "" for names                    */
  const char *si_unit;            /* of theta: "rad", "m/s", ""                                            */
  const char *zero;               /* the word for theta = 0 in scripts and texts; NULL: there is none      */
  double scale;                   /* theta = scale * value in a file: radians in a degree                  */
  double weight;                  /* when the file does not say, and so the next ...                       */
  double jump_every, drift_every; /* mean time from one to the next [s], INFINITY: never                   */
  double drift, drift_most;       /* width of a step and its largest, in units of files                    */
  const char *const *keys;        /* beyond those of every parameter of this space; NULL-terminated        */
  double there_share, there_units; /* it is there when it is off by less than this share of what is asked, or so many
                                     units; not for categories                                             */
  int decimals;                   /* of a distance in units of files, in tables                            */
  enum task_heading heading;
  int axis_from_zero;             /* of figures                                                            */
  int is_arrow;                   /* drawn as an arrow on the ground, which needs no name                  */

  /* ---- the file ---- */
  /* Reads its own keys, without a creature; NULL when it has none. */
  void (*read)(struct task_asked *a, struct arena *arena, struct diag *d);
  /* The speeds that it asks for of a creature that has no gaits yet, into v, which is as it was where they are those
   * that the creature can do: see task_lacks(). NULL: it can do with any gait. */
  void (*lacks)(const struct task_asked *a, const struct creature *c, struct task_speeds *v);
  /* Fills in grid, range, width and unit for a creature. 0 after an error. */
  int (*bind)(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p);

  /* ---- a frame of a clip ---- */
  /* The number that a pose gives, where frame_features has no field for it; its mean over a stride is then
   * measured[p->measure] of a frame's features. */
  double (*measure)(const struct creature *c, const double *q);
  /* What a frame does, as a value of theta; and makes features those of a frame that does x. Both must be there. */
  double (*done)(const struct task_parameter *p, const struct frame_features *f);
  void (*set)(const struct task_parameter *p, double x, struct frame_features *f);
  /* What a frame costs when theta is asked, before the weight: 0 for perfect, about 1 for one unit off. */
  double (*cost)(const struct task_parameter *p, const struct frame_features *f, double theta);

  /* ---- the search ---- */
  /* Draws what a new cycle should do; NULL: a new cycle is of no use to it by itself. */
  void (*draw)(const struct task *t, const struct task_parameter *p, struct rng *r, struct frame_features *f);
  /* Leaves of the speeds of a gait those that may be asked for. */
  void (*narrow)(const struct task_parameter *p, struct task_speeds *v);
  /* Small steps from a cycle that a controller should answer, at most p->n + 4; returns how many. */
  int (*steps)(const struct task_parameter *p, const struct task_place *place, struct task_step *out);
  /* Makes a wish for it known to the solver's task term. */
  void (*wish)(const struct task_parameter *p, struct task_wish w, struct task_wishes *out);
  /* The coordinate of the pose that makes a clip measure x, for kinds with a measure. */
  struct posture_target (*target)(const struct task_parameter *p, double x);
  /* How many clips are a good end for a task that has so many without it. */
  int (*usual_clips)(const struct task *t, const struct task_parameter *p, int clips);
};

struct task_parameter {
  const struct task_kind *kind;
  double weight;
  double power;             /* the cost of a difference is |difference / unit|^power                       */
  double unit;              /* a difference that costs 1: 1 rad, sqrt(g L) m/s                             */
  int n;                    /* values of the grid                                                          */
  const double *values;     /* circle: 2 pi i / n; else ascending, a category's in the file's order    (n) */
  const char *const *names; /* of a category's values, and NULL at the end; of others there are none    (n + 1) */
  double least, most;       /* of an interval                                                              */
  int listed;               /* an interval of which only the grid's values are ever asked                  */
  double jump, drift;       /* chances per frame to jump anywhere, to drift by a step; else it stays       */
  double width;             /* standard deviation of that step: rad, m/s                                   */
  double drift_unit;        /* of `drift` in the file, as theta: radians in a degree; 0: it has no drift   */
  int n_weights;            /* of the law of jumps, 0: all values alike                                    */
  const double *weights;    /* sum 1. Circle: of turns from the present value, in as many even parts, the first from
                               half a part to the right to half a part to the left; interval: of new values, in even
                               parts from least to most; else of each value of the grid              (n_weights) */
  int measure;              /* of a kind with a measure: its place in frame_features.measured; else -1     */
};

struct task {               /* bound to a creature, read-only */
  const char *name, *summary, *file;
  double alpha;             /* weight of the biomechanical cost, against task costs                        */
  double dt;                /* of the creature's frames [s]                                                */
  const struct creature *creature;
  int n_parameters;
  const struct task_parameter *parameters; /* in the order of the file                         (n_parameters) */
  struct features_measures measures;       /* of its parameters: for graph_input                              */
};

#define TASK_MAX_POINTS (1 << 24) /* of the whole grid: the product of all n */

/* ---- from file to task ---- */

struct task_file; /* a task as written, of no creature yet */

/* Errors and warnings go to d, each with file and line; NULL when there was an error. All lives in the arena. */
const struct task_file *task_load(struct arena *arena, const char *path, struct diag *d);

/* The same from text in memory; name stands for the file in messages, and includes are looked for beside it. */
const struct task_file *task_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                   struct diag *d);

/* What a creature without gaits lacks for a task: gaits for these speeds, of which an end below 0 is the creature's
 * slowest or fastest: 1. 0: one gait at one speed will do. */
int task_lacks(const struct task_file *t, const struct creature *c, struct task_speeds *v);

/* The task for a creature, which must outlive it, as must the task file. NULL after errors, at lines of that file. */
const struct task *task_bind(struct arena *arena, const struct task_file *t, const struct creature *c, struct diag *d);

/* ---- asking a task ---- */

/* Index of the parameter of that kind, -1 if the task has none. */
int task_find(const struct task *t, const char *kind);

/* Index of the parameter that is a heading of travel, or of the torso; -1 if the task has none. */
int task_find_heading(const struct task *t, enum task_heading heading);

/* Index of the parameter that is drawn as an arrow on the ground; -1 if the task has none. */
int task_find_arrow(const struct task *t);

/* How many combinations of grid values there are. */
size_t task_points(const struct task *t);

/* Where every parameter begins: circles at 0, intervals in the middle (a list at its middle value), gaits at the first
 * (n_parameters). */
void task_initial(const struct task *t, double *theta);

/* "90 degrees", "1.25 m/s", "trot". */
struct text_phrase task_value_text(const struct task_parameter *p, double theta);

/* The value of an entry of a script: degrees; m/s, or a share of the range with %; a name. 0 after an error. A value
 * beyond the range is brought back to its end, with a warning. */
int task_read_value(const struct task_parameter *p, const struct text_entry *e, double *theta, struct diag *d);

/* weight * cost of a frame when theta is asked, and the same for all values of the grid (n). */
double task_cost(const struct task_parameter *p, const struct frame_features *f, double theta);
void task_costs(const struct task_parameter *p, const struct frame_features *f, double *out);

/* ---- what a search should try (answers.c) ---- */

/* Does a task ask for a heading, for strafing (both headings), for anything that needs cycles of its own? */
int task_turns(const struct task *t);
int task_strafes(const struct task *t);
int task_draws(const struct task *t);

/* Does it ask for standing still, of a creature that can? The gait it stands in; -1: no. */
int task_stand(const struct task *t);

/* The speeds of a gait that may be asked for; the one in the middle of the gait's own, twice, where no speed is asked
 * for, or none that it has. */
struct task_speeds task_speeds(const struct task *t, int gait);

/* Draws what a new cycle should do, in the order of task_kinds; f has the gait that it has if no kind draws one. The
 * strafe is not drawn. */
void task_draw(const struct task *t, struct rng *r, struct frame_features *f);

/* All small steps from a place, in the order of task_kinds; returns how many. There is room for task_steps_most(). */
int task_steps(const struct task_place *place, struct task_step *out);
int task_steps_most(const struct task *t);

/* Are two cycles the same but for their speeds: gait, strafe, and what is measured but for parameter `but` (NULL)? */
int task_same_cycle(const struct task *t, const struct frame_features *a, const struct frame_features *b,
                    const struct task_parameter *but);

/* How far apart in all that is measured, in units. */
double task_measured_gap(const struct task *t, const double *a, const double *b);

/* Posture targets for a clip that measures `from` at its start and `to` at its end; returns how many. */
int task_targets(const struct task *t, const double *from, const double *to, struct posture_target *out);

/* So many clips are a good end for a task: more gain little. */
int task_usual_clips(const struct task *t);

/* ---- how parameters move, from one frame to the next (chain.c) ---- */

/* The chain on the grid: element (i, j) is the chance to go from value i to value j (n x n). Rows add up to 1; on a
 * circle row i is row 0 shifted by i, to the bit, with weights too. */
const double *task_chain(struct arena *arena, const struct task *t, int p);

/* The same chain in all values, not only the grid's: theta of the next frame. */
double task_sample(const struct task *t, int p, double theta, struct rng *rng);

/* The angle in [-pi, pi). */
double task_wrap(double angle);

/* All kinds, NULL-terminated. */
extern const struct task_kind *const task_kinds[];

#endif

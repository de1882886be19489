/* The task: what a user will ask of a creature, how often he changes his mind, and what it costs not to obey.
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

struct frame_features; /* motion/features.h */
struct task_asked;     /* room.h            */
struct task_binding;

enum task_space { TASK_CIRCLE, TASK_INTERVAL, TASK_CATEGORY };

struct task_parameter;

/* A kind of parameter. Each has a file kind_NAME.c, which says all about it, and a line in kinds.c. */
struct task_kind {
  const char *name;               /* "direction", as in parameter direction { ... }                        */
  enum task_space space;
  int relative;                   /* to the creature's heading: when it turns by psi, theta becomes theta - psi */
  const char *unit;               /* of values in files: "degrees", "m/s", "" for names                    */
  double scale;                   /* theta = scale * value in a file: radians in a degree                  */
  double weight;                  /* when the file does not say, and so the next ...                       */
  double jump_every, drift_every; /* mean time from one to the next [s], INFINITY: never                   */
  double drift, drift_most;       /* width of a step and its largest, in units of files                    */
  const char *const *keys;        /* beyond those of every parameter of this space; NULL-terminated        */

  /* Reads its own keys, without a creature; NULL when it has none. */
  void (*read)(struct task_asked *a, struct arena *arena, struct diag *d);
  /* Fills in grid, range, width and unit for a creature. 0 after an error. */
  int (*bind)(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p);
  /* What a frame costs when theta is asked, before the weight: 0 for perfect, about 1 for one unit off. */
  double (*cost)(const struct task_parameter *p, const struct frame_features *f, double theta);
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
};

struct task {               /* bound to a creature, read-only */
  const char *name, *summary, *file;
  double alpha;             /* weight of the biomechanical cost, against task costs                        */
  double dt;                /* of the creature's frames [s]                                                */
  const struct creature *creature;
  int n_parameters;
  const struct task_parameter *parameters; /* in the order of the file                         (n_parameters) */
};

#define TASK_MAX_POINTS (1 << 24) /* of the whole grid: the product of all n */

/* ---- from file to task ---- */

struct task_file; /* a task as written, of no creature yet */

/* Errors and warnings go to d, each with file and line; NULL when there was an error. All lives in the arena. */
const struct task_file *task_load(struct arena *arena, const char *path, struct diag *d);

/* The same from text in memory; name stands for the file in messages, and includes are looked for beside it. */
const struct task_file *task_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                   struct diag *d);

/* The task for a creature, which must outlive it, as must the task file. NULL after errors, at lines of that file. */
const struct task *task_bind(struct arena *arena, const struct task_file *t, const struct creature *c, struct diag *d);

/* ---- asking a task ---- */

/* Index of the parameter of that kind, -1 if the task has none. */
int task_find(const struct task *t, const char *kind);

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

/* ---- how parameters move, from one frame to the next (chain.c) ---- */

/* The chain on the grid: element (i, j) is the chance to go from value i to value j (n x n). Rows add up to 1; on a
 * circle row i is row 0 shifted by i, to the bit. */
const double *task_chain(struct arena *arena, const struct task *t, int p);

/* The same chain in all values, not only the grid's: theta of the next frame. */
double task_sample(const struct task *t, int p, double theta, struct rng *rng);

/* The angle in [-pi, pi). */
double task_wrap(double angle);

/* All kinds, NULL-terminated. */
extern const struct task_kind *const task_kinds[];

#endif

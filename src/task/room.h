/* Private to src/task. A parameter as its file asks for it, and what kinds of parameters share. */
#ifndef MUYBRIDGE_TASK_ROOM_H
#define MUYBRIDGE_TASK_ROOM_H

#include "base/angle.h"
#include "base/text.h"
#include "task/task.h"

/* How many jump_weights there may be: of a circle, and of all else. */
#define TASK_LEAST_TURNS  4
#define TASK_MOST_TURNS   72
#define TASK_MOST_WEIGHTS 100

/* A parameter before it is bound. Filled by read.c from the keys that all have, and by kind->read(). */
struct task_asked {
  const struct task_kind *kind;
  const struct text_section *section; /* for messages                                            */
  double weight, power;
  int grid;                           /* number of values, 0 when the file does not say          */
  double jump_every, drift_every;     /* [s], INFINITY: never                                    */
  double drift;                       /* in units of the file; 0 when neither file nor kind says */
  const char *unit;                   /* of drift, for messages: the kind's, or what its read() says */
  double drift_most;
  int listed;                         /* the values are listed one by one: no grid, no drift     */
  int n_weights;                      /* of jumps, 0: all alike                                  */
  double *weights;                    /* as written: 0 and more, not all 0           (n_weights) */
  const void *own;                    /* of the kind's read() for its bind()                     */
};

struct task_file {
  const char *name, *summary, *file;
  double alpha;
  int n_parameters;
  struct task_asked *parameters;
};

struct task_binding {
  struct arena *arena;
  const struct creature *creature;
  int n_parameters;
  struct diag *d;
};

/* The file's keys and its parameters (read.c). Errors go to d. */
void task_read(struct task_file *t, struct arena *arena, const struct text_section *file, struct diag *d);
const struct text_schema *task_schema(struct arena *arena);

/* The grids of circles and of intervals whose least and most are known (space.c). Both serve as the end of bind(). */
int task_bind_circle(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p);
int task_bind_interval(const struct task_asked *a, const struct task_binding *b, struct task_parameter *p);

/* What kinds of angles against the heading have in common. */
#define TASK_HEADING                                                                                                   \
  .space = TASK_CIRCLE, .relative = 1, .unit = "degrees", .si_unit = "rad", .scale = TO_RADIANS, .weight = 1.0,       \
  .drift_every = 1.0, .drift = 5.0, .drift_most = 180.0, .there_units = 10 * TO_RADIANS, .decimals = 1,               \
  .bind = task_bind_circle, .steps = task_heading_steps, .usual_clips = task_heading_clips

/* The cost of a difference in units: |difference|^power, rounded off where it is small (space.c). */
double task_difference_cost(double difference, double power);

/* Small steps and clips of the two headings, which have them together (answers.c). */
int task_heading_steps(const struct task_parameter *p, const struct task_place *place, struct task_step *out);
int task_heading_clips(const struct task *t, const struct task_parameter *p, int clips);

/* Small steps of an interval: to the next cycle that does more, and to the next that does less; beyond the last, the
 * end of what is asked for. `same`: what counts as no difference, as a share of the value (answers.c). */
int task_interval_steps(const struct task_parameter *p, const struct task_place *place, double least, double most,
                        double same, struct task_step *out);

/* Clips of an interval: a few levels where something turns, else only ways up and down (answers.c). */
int task_interval_clips(const struct task *t, const struct task_parameter *p, int clips);

/* Names of a creature's gaits, for suggestions. NULL-terminated. */
const char *const *task_gait_names(struct arena *arena, const struct creature *c);

/* An error at a section or an entry. */
#define TASK_ERROR(d, s, ...) diag_error((d), (s)->file, (s)->line, __VA_ARGS__)

#endif

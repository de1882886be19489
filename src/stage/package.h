/* The package: one creature with all that the stage can do with it, as bytes. `muybridge view` puts it into a page;
 * the stage, in the page, opens it.
 *
 * Little-endian. "MUYSTAGE", the version as u32, then sections: a tag of 4 bytes, the length as u64, the bytes. Tags
 * that are not known are skipped, so that an older page opens a newer package. doc/stage.md lists the sections. */
#ifndef MUYBRIDGE_STAGE_PACKAGE_H
#define MUYBRIDGE_STAGE_PACKAGE_H

#include "base/bytes.h"
#include "base/diag.h"
#include "motion/graph.h"
#include "task/task.h"

#define STAGE_PACKAGE_VERSION 1

/* Something that may be asked, as a page shows it. In the order of the task, which is also the player's. */
struct stage_parameter {
  const char *name, *kind;      /* "speed"; the name of its kind                                                   */
  const char *unit;             /* of values: "rad", "m/s", ""                                                     */
  enum task_space space;
  int relative;                 /* of a circle: what is asked is a heading in the world                            */
  int n;                        /* of the grid                                                                     */
  const double *values;         /* as the task has them: ascending, but for a category's            (n)            */
  const char *const *names;     /* of a category's values; NULL: it is none                         (n)            */
};

struct stage_task {
  const char *name;
  int n_parameters;
  const struct stage_parameter *parameters;
};

struct stage_package {
  struct graph_input clips;     /* creature and clips; measures are not packed: features are not needed            */
  const void *player;           /* the player's file, by controller_bytes(); NULL: there is no controller          */
  size_t n_player;
  const struct stage_task *task; /* of the controller, by stage_task_of(); NULL: the player's names serve          */
  const void *controls;         /* policies for the control graph of the clips, as in record.h; NULL: none       */
  size_t n_controls;
  double step;                  /* of the world that they were learned in, control_graph.step [s]; with controls   */
  const char *note;             /* JSON for the page, which the stage hands on as it is; NULL: none                */
};

/* What a page needs to know of a task; in the arena, but names and values are the task's. */
const struct stage_task *stage_task_of(struct arena *arena, const struct task *t);

/* Writes all of it. Together with bytes_pack(): see stage_package_bytes(). */
void stage_package_put(struct bytes_writer *w, const struct stage_package *p);

/* The same as bytes in the arena, *n of them. */
const void *stage_package_bytes(struct arena *arena, const struct stage_package *p, size_t *n);

/* Reads and checks it: lengths before anything is allocated, indices before anybody uses them. 0 after an error in d,
 * which `file` names. What is read lives in the arena; player and controls point into the bytes, and are checked by
 * who reads them (muy_player_load_memory(), controls_read()). */
int stage_package_get(struct arena *arena, const void *bytes, size_t n, const char *file, struct stage_package *out,
                      struct diag *d);

#endif

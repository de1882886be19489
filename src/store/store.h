/* The run file: a creature, its clips and how they came about, tasks, and the controllers made of all these, in one
 * file that survives being killed.
 *
 * It is an SQLite database, its name ending in .muy; `sqlite3 horse.muy .schema` shows the tables to the
 * curious. It needs no other file: the creature's text is in it, includes and all. Every function that writes does so
 * in one transaction of its own: once it has returned, what it wrote is on the disk; killed before that, none of it is.
 * Several processes may read and write one file; each waits for its turn. A file of an older version is read as it is,
 * and brought up to date when it is opened for writing; one of a newer version is refused.
 *
 * Errors go to d with the name of the file. After an error the file is as it was, and the store can go on being used.
 * A store is for one thread, and not for the children of a process that opened it (SQLite's rule). */
#ifndef MUYBRIDGE_STORE_H
#define MUYBRIDGE_STORE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "creature/creature.h"
#include "motion/clip.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"

struct store;

enum store_mode {
  STORE_READ,
  STORE_WRITE   /* and read; the file is made if there is none. Where nothing can be written, that is said at once */
};

/* Does the name end in .muy, or the file begin as SQLite's do? Then it is not a creature file. Not to be asked of a
 * file that this process has open as a store: closing it again would undo the store's locks. */
int store_is_run_file(const char *path);

/* NULL after an error. The store lives in the arena but must be closed before the arena is freed. */
struct store *store_open(struct arena *arena, const char *path, enum store_mode mode, struct diag *d);
void store_close(struct store *s); /* NULL is fine */

/* How long to wait while another process writes [s]; 5 unless told. */
void store_set_patience(struct store *s, double seconds);

/* Who adds the clips, tasks and controllers that follow. The caller says what time it is: results do not look at
 * clocks. */
struct store_session {
  const char *program;           /* "muybridge 0.1.0"                                     */
  const char *command;           /* "muybridge gait horse trot --speed 3.5 -o horse.muy"  */
  const char *time;              /* "2026-01-31T12:00:00Z"                                */
};
int store_add_session(struct store *s, const struct store_session *session, struct diag *d); /* 0 after an error */

/* ---- the creature: one to a file ---- */

/* Keeps the text of a creature file, and of all that it includes. 1 if it did or if it was there already; 0 after an
 * error, such as clips of a creature with another text. Go on with what store_get_creature() gives: then a run and its
 * resumption use the same creature, whatever becomes of the file. */
int store_put_creature(struct store *s, const char *path, struct diag *d);

/* The same of a text in memory; file stands for the name of its file, and nothing may be included. */
int store_put_creature_text(struct store *s, const char *file, const char *text, size_t length, struct diag *d);

/* NULL after an error. Warnings about the text are left out: they were told when it came in. */
const struct creature *store_get_creature(struct arena *arena, struct store *s, struct diag *d);

/* ---- clips ---- */

/* What is known of a clip beside its motion; NULL for what is not. */
struct store_record {
  const struct clip_summary *summary;
  const struct spacetime_report *report;
  const struct verify_report *verification;
};

/* Its id, 1 and up and never used again; 0 after an error. Numbers that are not finite are refused. about may be
 * NULL. */
int store_add_clip(struct store *s, const struct clip *clip, const struct store_record *about, struct diag *d);

/* The same clip, bit for bit. NULL after an error. */
struct clip *store_get_clip(struct arena *arena, struct store *s, int id, struct diag *d);

/* The summary and the report of a clip, in the arena; NULL for what was not given. The verification is not read back:
 * it is there for people with SQL, and verify_clip() recomputes it. 0 after an error. */
int store_get_record(struct arena *arena, struct store *s, int id, struct store_record *out, struct diag *d);

struct store_line {
  int id;
  struct clip clip;              /* without its frames: q, force and contact are NULL     */
  struct clip_summary summary;   /* zeros when there is none                              */
  int has_summary;
  int verified;                  /* 1 passed, 0 did not, -1 nobody looked                 */
};

/* All clips in the order of their ids, *n of them. NULL after an error. */
struct store_line *store_list_clips(struct arena *arena, struct store *s, int *n, struct diag *d);

/* Id of a clip by number ("3") or name ("walk"); NULL stands for the first. 0 after an error: none, or several, of that
 * name. */
int store_find_clip(struct store *s, const char *which, struct diag *d);

/* ---- tasks ---- */

/* Keeps the text of a task file, and of all that it includes: its id, 1 and up and never used again; 0 after an error.
 * The same text is kept once: it has the id that it got the first time, and the file's name of then. Whether it is a
 * good task is for the caller to ask, before and after. */
int store_put_task(struct store *s, const char *path, struct diag *d);

/* The same of a text in memory; file stands for the name of its file, and nothing may be included. */
int store_put_task_text(struct store *s, const char *file, const char *text, size_t length, struct diag *d);

/* The text, of *length characters and a 0, and the name of its file. NULL after an error. */
const char *store_get_task_text(struct arena *arena, struct store *s, int id, const char **file, size_t *length,
                                struct diag *d);

struct store_task {
  int id;
  const char *file;              /* that it was read from                                 */
};

/* All tasks in the order of their ids, *n of them. NULL after an error. */
struct store_task *store_list_tasks(struct arena *arena, struct store *s, int *n, struct diag *d);

/* ---- controllers ---- */

struct store_controller {
  int id;                        /* that the run file gave it                             */
  int task;                      /* the id of what it was made for                        */
  double cost;                   /* per frame, the mean over all that will be asked       */
  double cost_lower, cost_upper; /* between which it was found to be                      */
  int n_clips, n_nodes, n_segments;
  const void *bytes;             /* the player's file: these are for others to understand */
  size_t n_bytes;
};

/* Its id, 1 and up and never used again, whatever c->id is; 0 after an error. Numbers that are not finite are refused,
 * and so is an empty player. */
int store_put_controller(struct store *s, const struct store_controller *c, struct diag *d);

/* The same controller, bit for bit; id 0 stands for the newest. 0 after an error. */
int store_get_controller(struct arena *arena, struct store *s, int id, struct store_controller *out, struct diag *d);

/* All controllers in the order of their ids, *n of them, bytes being NULL. NULL after an error. */
struct store_controller *store_list_controllers(struct arena *arena, struct store *s, int *n, struct diag *d);

#endif

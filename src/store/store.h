/* The run file: a creature, its clips and how they came about, tasks, the controllers made of all these, and how far
 * the synthesis of one has come, in one file that survives being killed.
 *
 * It is an SQLite database, its name ending in .muy; `sqlite3 horse.muy .schema` shows the tables to the curious. It
 * needs no other file: the creature's text is in it, includes and all. Every function that writes does so in one
 * transaction of its own: once it has returned, what it wrote is on the disk; killed before that, none of it is.
 * Several processes may read and write one file; each waits for its turn. A file of an older version is read as it is,
 * and brought up to date when it is opened for writing; one of a newer version is refused.
 *
 * Errors go to d with the name of the file. After an error the file is as it was, and the store can go on being used. A
 * store is for one thread, and not for the children of a process that opened it (SQLite's rule). */
#ifndef MUYBRIDGE_STORE_H
#define MUYBRIDGE_STORE_H

#include <stddef.h>
#include <stdint.h>

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

/* All sessions in their order, *n of them. NULL after an error. */
struct store_session *store_list_sessions(struct arena *arena, struct store *s, int *n, struct diag *d);

/* ---- the creature: one to a file ---- */

/* Keeps the text of a creature file, and of all that it includes. 1 if it did or if it was there already; 0 after an
 * error, such as clips of a creature with another text. Go on with what store_get_creature() gives: then a run and its
 * resumption use the same creature, whatever becomes of the file. */
int store_put_creature(struct store *s, const char *path, struct diag *d);

/* The same of the files that a creature was loaded from, its own and those of its styles, which become sections of the
 * text. */
int store_put_creature_files(struct store *s, const struct creature *c, struct diag *d);

/* What the former would keep, for those who want to change it before: in the arena, of *length characters and a 0. NULL
 * after an error. */
const char *store_creature_text(struct arena *arena, const struct creature *c, size_t *length, struct diag *d);

/* The same of a text in memory; file stands for the name of its file, and nothing may be included. */
int store_put_creature_text(struct store *s, const char *file, const char *text, size_t length, struct diag *d);

/* NULL after an error. Warnings about the text are left out: they were told when it came in. */
const struct creature *store_get_creature(struct arena *arena, struct store *s, struct diag *d);

/* Its text alone, of *length characters and a 0: for other processes to parse. NULL after an error. */
const char *store_get_creature_text(struct arena *arena, struct store *s, size_t *length, struct diag *d);

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

/* The clips that a transition joins, for verify_transition(); NULL where it joins none of this file. 0 after an
 * error. */
int store_get_neighbours(struct arena *arena, struct store *s, const struct clip *clip, struct verify_neighbours *out,
                         struct diag *d);

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

/* ---- a synthesis: one to a file (store_synth.c) ----
 *
 * All that a killed one needs to go on as if nothing had happened: what it was told, every attempt with the clips that
 * came of it, and what became part of the graph in which step. Clips of attempts that are in no step are a pool. */

struct store_synth {
  int task;                      /* its id                                                */
  uint64_t seed;
  const char *strategy;
  int branches;                  /* of a cycle                                            */
  double alpha;
  const char *options;           /* all others, as the caller likes to write them         */
  const char *state;             /* how it stands, in words                               */
};

/* Writes it, over the one that is there. 0 after an error. */
int store_put_synth(struct store *s, const struct store_synth *y, struct diag *d);
/* 1: this is it; 0: there is none; -1 after an error. */
int store_get_synth(struct arena *arena, struct store *s, struct store_synth *out, struct diag *d);

/* A clip that becomes part of the file together with others. Its ends may refer to these. */
struct store_new_clip {
  const struct clip *clip;
  struct store_record about;
  int from, to;                  /* its ends are clips before it in the same list, by index; -1: what the clip says */
};

#define STORE_ATTEMPT_CLIPS 6    /* a cycle, ways in and out of it, and their mirrors     */
#define STORE_ATTEMPT_MEASURES 4

struct store_attempt {
  int id;                        /* that the run file gave it                             */
  int iteration, place;          /* place among those of the iteration: no two are at the same one */
  const char *kind;              /* the candidate, as in search/candidate.h: "transition" */
  int from_clip, from_frame, to_clip, to_frame;
  double turn;
  int frames, gait;
  double speed, strafe;
  int n_measured;                /* of a cycle                                            */
  double measured[STORE_ATTEMPT_MEASURES]; /* what it should measure, see motion/features.h */
  double gain, chance;           /* what the strategy thought of it                       */
  const char *outcome;           /* of the worker: "done", "crashed"                      */
  const char *status, *reason;   /* of the attempt: "solved", and why not                 */
  double seconds;
  size_t peak_memory;            /* [bytes]                                               */
  int n_clips;
  int clips[STORE_ATTEMPT_CLIPS]; /* ids                                                  */
};

/* An attempt and the clips that came of it (a->n_clips; NULL if none), all of them or nothing. Its id, which with those
 * of the clips is also put into a; 0 after an error: then a is as it was. */
int store_add_attempt(struct store *s, struct store_attempt *a, const struct store_new_clip *clips, struct diag *d);

/* Those of an iteration by their places, all if that is -1; *n of them. NULL after an error. */
struct store_attempt *store_list_attempts(struct arena *arena, struct store *s, int iteration, int *n,
                                          struct diag *d);

struct store_step {
  int iteration;                 /* of which there is one step                            */
  int n_clips;
  int *clips;                    /* ids that became part of the graph, in order; a clip does so once  (n_clips) */
  double cost, lower, upper;     /* of the graph with them                                */
  int n_candidates;              /* that were proposed                                    */
  double seconds_proposing, seconds_estimating, seconds_solving, seconds_evaluating;
};

/* 1 if it was added, 0 after an error. Where step->clips is 0, the clip at the same place of `clips` becomes part of
 * the file too and its id is put there: a mirror image, say. All or nothing. clips may be NULL if there are none. */
int store_add_step(struct store *s, struct store_step *step, const struct store_new_clip *clips, struct diag *d);

/* All steps by iteration, *n of them. NULL after an error. */
struct store_step *store_list_steps(struct arena *arena, struct store *s, int *n, struct diag *d);

/* Words for those who watch from another terminal, over the last ones. 1 if they were written; when others are at the
 * file they are left out, after a moment: progress is worth neither waiting nor an error. */
int store_heartbeat(struct store *s, const char *time, const char *words);

struct store_progress {
  const char *time;              /* "2026-01-31T12:00:00Z"                                */
  const char *words;
};

/* 1: this is what was said last; 0: nothing was; -1 after an error. */
int store_get_progress(struct arena *arena, struct store *s, struct store_progress *out, struct diag *d);

#endif

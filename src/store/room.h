/* Private to src/store. What the files of this room share: statements, transactions, errors in plain words. */
#ifndef MUYBRIDGE_STORE_ROOM_H
#define MUYBRIDGE_STORE_ROOM_H

#include <sqlite3.h>

#include "store/store.h"

struct store {
  const char *path;
  sqlite3 *db;
  sqlite3_int64 session;         /* that adds clips and so on; 0: nobody said             */
};

/* A statement whose parameters, and then columns, follow one another. After an error, which is reported once,
 * all that follows does nothing. */
struct row {
  struct store *s;
  struct diag *d;
  sqlite3_stmt *statement;       /* NULL after an error                                   */
  int i;                         /* of the next parameter or column, from 0               */
};

struct row row_open(struct store *s, const char *sql, struct diag *d);
struct row row_open_since(struct store *s, int version, const char *sql, struct diag *d); /* see below            */
void row_put_int(struct row *r, sqlite3_int64 x);
void row_put_real(struct row *r, double x);                              /* NaN becomes NULL                      */
void row_put_text(struct row *r, const char *x);                         /* which must live until row_close()     */
void row_put_bytes(struct row *r, const void *x, size_t n);              /* likewise                              */
int row_next(struct row *r);                                             /* 1: there is a row                     */
sqlite3_int64 row_int(struct row *r);
double row_real(struct row *r);                                          /* NULL becomes NaN                      */
const char *row_text(struct row *r, struct arena *arena);                /* "" for NULL                           */
const unsigned char *row_bytes(struct row *r, size_t *n);                /* until the next row_next(), row_close() */
int row_close(struct row *r);                                            /* 0 after an error                      */

/* row_open_since() is for reading tables that files of older versions lack, with at most one parameter: there are no
 * rows there. Such a file need not stay so while it is open, for another process may bring it up to date: so its
 * version is asked each time. */

/* Runs statements without parameters and results; a single number of the first row. 0 after an error. */
int store_run(struct store *s, const char *sql, struct diag *d);
int store_number(struct store *s, const char *sql, sqlite3_int64 *x, struct diag *d);

/* A transaction that no other writer can come between; end keeps (or forgets) what was done. 0 after an error. */
int store_begin(struct store *s, struct diag *d);
int store_end(struct store *s, int keep, struct diag *d);

/* What store_add_clip() does, within a transaction: the id, 0 after an error. */
sqlite3_int64 store_write_clip(struct store *s, const struct clip *clip, const struct store_record *about,
                               struct diag *d);

/* Rows of the tables of version 6 as rows of the table of performances: its columns, by name. Tracks of version 6 were
 * all simulated in ODE; the linearised dynamics of modal control was called "own", the tree engine "engine". */
#define STORE_OLD_TRACKS                                                                                               \
  "SELECT session, 'track' AS series, id AS number, NULL AS clip, what, method AS way, 'ode' AS place, options, "      \
  "success, fault, seconds, fault_after, n_frames, NULL AS dt, cost, cost_pose, cost_root, cost_ends, cost_balance, "  \
  "worst_height, worst_angle, worst_foot, worst_course, NULL AS rms_angle, NULL AS rms_joint, NULL AS missed, "        \
  "samples, 0 AS unsolved, seconds_models, seconds_tracking AS seconds_control, q, torque, force, contact, "           \
  "NULL AS reference, NULL AS planned, control, NULL AS way_bytes FROM track"
#define STORE_OLD_MODALS                                                                                               \
  "SELECT session, 'modal' AS series, id AS number, clip, what, 'modal' AS way, CASE place WHEN 'own' THEN 'linear' "  \
  "WHEN 'engine' THEN 'tree' ELSE place END AS place, options, success, fault, n_wanted * dt AS seconds, "             \
  "n_steps * dt AS fault_after, n_steps AS n_frames, dt, NULL AS cost, NULL AS cost_pose, NULL AS cost_root, "         \
  "NULL AS cost_ends, NULL AS cost_balance, worst_height, worst_angle, NULL AS worst_foot, NULL AS worst_course, "     \
  "rms_angle, rms_joint, missed, 0 AS samples, unsolved, NULL AS seconds_models, seconds AS seconds_control, q, "      \
  "torque, used AS force, NULL AS contact, reference, planned, control, NULL AS way_bytes FROM modal"

/* Rows of the table of control graphs of versions 5 and 6, whose settings were a sentence, as rows of the new one. */
#define STORE_OLD_CONTROLS                                                                                             \
  "SELECT id, session, teacher, control_setting(options, 'seed') AS seed, control_setting(options, 'skill') AS skill," \
  " control_setting(options, 'samples_first') AS samples_first, control_setting(options, 'samples') AS samples, "      \
  "control_setting(options, 'saved') AS saved, control_setting(options, 'visits') AS visits, "                         \
  "control_setting(options, 'value_weight') AS value_weight, control_setting(options, 'refine') AS refine, "           \
  "control_setting(options, 'cycles_first') AS cycles_first, iteration, n_iterations, seconds, residual, success, "    \
  "robustness, bytes FROM control"

/* Functions that the statement above needs. 0 after an error. */
int store_add_control_functions(struct store *s);

/* What SQLite's last error means to a person. */
void store_complain(struct store *s, struct diag *d);

/* The text of a creature or task file with that of the files it includes in their places. NULL after an error. */
char *store_flatten(struct arena *arena, const char *path, size_t *length, struct diag *d);

/* The same of a creature's file with the style files that it was loaded with, each a section style NAME { ... } at its
 * end. */
char *store_flatten_styled(struct arena *arena, const struct creature *c, size_t *length, struct diag *d);

#endif

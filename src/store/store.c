/* The run file: opening it, telling what is wrong with it, and the creature in it.
 *
 * A rollback journal (journal_mode DELETE), not a write-ahead log: between transactions the run is one file that can
 * be copied, moved and mailed; a log would leave two more beside it, and needs shared memory, which the network disks
 * of clusters lack. While a journal (horse.muy-journal) is there, a write is under way or was cut short: the next to
 * open the file undoes it, so journal and file belong together. Our writes are few and take milliseconds where solves
 * take seconds: the speed of a log is not missed.
 *
 * synchronous EXTRA: FULL, and the folder is synced after the journal is gone, so that what was committed survives not
 * only a kill but the power cut after it. */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/room.h"

#define APPLICATION_ID 0x4d757962 /* "Muyb" */
#define VERSION        8          /* of the tables below */
#define ENDING         ".muy"
#define PATIENCE       5.0        /* [s] */

/* What makes a file of version 1 of an empty one, one of version 2 of that, and so on: what has been released is never
 * edited, only added to. Columns of numbers have no type: in one of type REAL, SQLite makes 0 of -0. Ids are never used
 * again (AUTOINCREMENT), because clips and controllers refer to others by id. */
static const char *const steps[VERSION] = {
    "CREATE TABLE session (id INTEGER PRIMARY KEY, program TEXT, command TEXT, time TEXT);"
    "CREATE TABLE creature (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT, file TEXT, n_dofs INTEGER,"
    " n_points INTEGER, text TEXT);"
    "CREATE TABLE clip (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " name TEXT, gait TEXT, gait_after TEXT, n_frames INTEGER, n_dofs INTEGER, n_points INTEGER, cyclic INTEGER,"
    " dt, speed, strafe, turn, advance_x, advance_y, advance_yaw,"
    " from_clip INTEGER, from_frame INTEGER, to_clip INTEGER, to_frame INTEGER,"
    " q BLOB, force BLOB, contact BLOB);" /* little-endian doubles; bytes 0 and 1 */
    "CREATE TABLE summary (clip INTEGER PRIMARY KEY REFERENCES clip, period, stride, speed, cost_of_transport,"
    " peak_torque, peak_torque_dof INTEGER, peak_force, peak_force_point INTEGER, lowest_root);"
    "CREATE TABLE solve (clip INTEGER PRIMARY KEY REFERENCES clip, status TEXT, reason TEXT, n_vars INTEGER,"
    " n_rows INTEGER, seconds, solves INTEGER, half_cycle INTEGER, cost, solver_status TEXT, iterations INTEGER,"
    " objective, infeasibility, solver_seconds, seconds_evaluating, seconds_hessian);"
    "CREATE TABLE iteration (clip INTEGER REFERENCES clip, step INTEGER, iteration INTEGER, objective, infeasibility,"
    " dual_infeasibility, PRIMARY KEY (clip, step)) WITHOUT ROWID;"
    "CREATE TABLE verification (clip INTEGER REFERENCES clip, measure INTEGER, what TEXT, value, bar, frame INTEGER,"
    " place TEXT, passed INTEGER, PRIMARY KEY (clip, measure)) WITHOUT ROWID;",

    "CREATE TABLE task (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, file TEXT,"
    " n_bytes INTEGER, text TEXT);"
    "CREATE TABLE controller (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " task INTEGER REFERENCES task, cost, cost_lower, cost_upper, n_clips INTEGER, n_nodes INTEGER,"
    " n_segments INTEGER, n_bytes INTEGER, bytes BLOB);",

    "CREATE TABLE synth (id INTEGER PRIMARY KEY CHECK (id = 1), session INTEGER REFERENCES session,"
    " task INTEGER REFERENCES task, seed INTEGER, strategy TEXT, branches INTEGER, alpha, options TEXT, state TEXT);"
    "CREATE TABLE attempt (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " iteration INTEGER, place INTEGER, kind TEXT, from_clip INTEGER, from_frame INTEGER, to_clip INTEGER,"
    " to_frame INTEGER, turn, frames INTEGER, gait INTEGER, speed, strafe, gain, chance, outcome TEXT, status TEXT,"
    " reason TEXT, seconds, peak_memory INTEGER, UNIQUE (iteration, place));"
    "CREATE TABLE attempt_clip (attempt INTEGER REFERENCES attempt, place INTEGER, clip INTEGER REFERENCES clip,"
    " PRIMARY KEY (attempt, place)) WITHOUT ROWID;"
    "CREATE TABLE step (iteration INTEGER PRIMARY KEY, session INTEGER REFERENCES session, cost, lower, upper,"
    " n_candidates INTEGER, seconds_proposing, seconds_estimating, seconds_solving, seconds_evaluating);"
    "CREATE TABLE step_clip (iteration INTEGER REFERENCES step, place INTEGER, clip INTEGER UNIQUE REFERENCES clip,"
    " PRIMARY KEY (iteration, place)) WITHOUT ROWID;"
    "CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), time TEXT, words TEXT);",

    "CREATE TABLE track (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, what TEXT, method "
    "TEXT, options TEXT, success INTEGER, fault TEXT, seconds, fault_after, n_frames INTEGER, cost, cost_pose, "
    "cost_root, cost_ends, cost_balance, worst_height, worst_angle, worst_foot, worst_course, samples INTEGER, "
    "seconds_models, seconds_tracking, q BLOB, torque BLOB, force BLOB, contact BLOB, control BLOB);",

    "CREATE TABLE control (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, teacher TEXT,"
    " options TEXT, iteration INTEGER, n_iterations INTEGER, seconds, residual, success, robustness, bytes BLOB);",

    "CREATE TABLE modal (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session,"
    " clip INTEGER REFERENCES clip, what TEXT, place TEXT, options TEXT, success INTEGER, fault TEXT, n_steps INTEGER,"
    " n_wanted INTEGER, dt, worst_angle, worst_height, rms_angle, rms_joint, missed, unsolved INTEGER, seconds,"
    " q BLOB, reference BLOB, torque BLOB, planned BLOB, used BLOB, control BLOB);",

    /* one table of all that was performed; older rows keep their bytes and their numbers */
    "CREATE TABLE performance (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, series TEXT,"
    " number INTEGER, clip INTEGER REFERENCES clip, what TEXT, way TEXT, place TEXT, options TEXT, success INTEGER,"
    " fault TEXT, seconds, fault_after, n_frames INTEGER, dt, cost, cost_pose, cost_root, cost_ends, cost_balance,"
    " worst_height, worst_angle, worst_foot, worst_course, rms_angle, rms_joint, missed, samples INTEGER,"
    " unsolved INTEGER, seconds_models, seconds_control, q BLOB, torque BLOB, force BLOB, contact BLOB, reference BLOB,"
    " planned BLOB, control BLOB, way_bytes BLOB, UNIQUE (series, number));"
    "INSERT INTO performance SELECT NULL, * FROM (" STORE_OLD_TRACKS " ORDER BY id);"
    "INSERT INTO performance SELECT NULL, * FROM (" STORE_OLD_MODALS " ORDER BY id);"
    "DROP TABLE track; DROP TABLE modal;"
    "CREATE TABLE control_graph (id INTEGER PRIMARY KEY AUTOINCREMENT, session INTEGER REFERENCES session, teacher "
    "TEXT, seed INTEGER, skill TEXT, samples_first INTEGER, samples INTEGER, saved INTEGER, visits INTEGER, "
    "value_weight, refine INTEGER, cycles_first INTEGER, iteration INTEGER, n_iterations INTEGER, seconds, residual, "
    "success, robustness, bytes BLOB);"
    "INSERT INTO control_graph SELECT * FROM (" STORE_OLD_CONTROLS " ORDER BY id);"
    "DROP TABLE control;"
    "CREATE TABLE attempt_measure (attempt INTEGER REFERENCES attempt, place INTEGER, value,"
    " PRIMARY KEY (attempt, place)) WITHOUT ROWID;",

    /* of clips that are not on level ground */
    "CREATE TABLE surface (clip INTEGER PRIMARY KEY REFERENCES clip, rise_x, rise_y);"};

/* ---- errors ---- */

void store_complain(struct store *s, struct diag *d)
{
  int code = sqlite3_extended_errcode(s->db), errno_then = sqlite3_system_errno(s->db);
  const char *system = errno_then ? strerror(errno_then) : sqlite3_errmsg(s->db);
#define SAY(...) diag_error(d, s->path, 0, __VA_ARGS__)
  switch (code & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED: SAY("another process is writing to this file; try again when it has finished"); break;
  case SQLITE_FULL: SAY("the disk is full; nothing was changed, and what was saved before is safe"); break;
  case SQLITE_READONLY:
    if (code == SQLITE_READONLY_ROLLBACK)
      SAY("the last write was cut short and cannot be undone, because the file or its folder is read-only");
    else
      SAY("cannot write: the file or its folder is read-only");
    break;
  case SQLITE_CANTOPEN: SAY("cannot open the file, or make one beside it for the journal: %s", system); break;
  case SQLITE_IOERR: SAY("cannot read or write: %s; nothing was changed", system); break;
  case SQLITE_NOTADB: SAY("this is not a run file of muybridge"); break;
  case SQLITE_CORRUPT: SAY("the file is damaged: %s", sqlite3_errmsg(s->db)); break;
  default: SAY("%s", sqlite3_errmsg(s->db));
  }
#undef SAY
}

/* ---- statements ---- */

struct row row_open(struct store *s, const char *sql, struct diag *d)
{
  struct row r = {.s = s, .d = d};
  if (sqlite3_prepare_v2(s->db, sql, -1, &r.statement, NULL) != SQLITE_OK)
    store_complain(s, d);
  return r;
}

struct row row_open_since(struct store *s, int version, const char *sql, struct diag *d)
{
  sqlite3_int64 has;
  if (!store_number(s, "PRAGMA user_version", &has, d))
    return (struct row){.s = s, .d = d};
  return row_open(s, has < version ? "SELECT ? WHERE 0" : sql, d);
}

/* Looks at what SQLite answered; an error ends the statement. */
static void row_check(struct row *r, int code)
{
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE)
    return;
  store_complain(r->s, r->d);
  sqlite3_finalize(r->statement);
  r->statement = NULL;
}

void row_put_int(struct row *r, sqlite3_int64 x)
{
  if (r->statement)
    row_check(r, sqlite3_bind_int64(r->statement, ++r->i, x));
}

void row_put_real(struct row *r, double x)
{
  if (r->statement)
    row_check(r, sqlite3_bind_double(r->statement, ++r->i, x));
}

void row_put_text(struct row *r, const char *x)
{
  if (r->statement)
    row_check(r, sqlite3_bind_text(r->statement, ++r->i, x, -1, SQLITE_STATIC));
}

void row_put_bytes(struct row *r, const void *x, size_t n)
{
  if (r->statement)
    row_check(r, sqlite3_bind_blob64(r->statement, ++r->i, x, n, SQLITE_STATIC));
}

int row_next(struct row *r)
{
  int code = r->statement ? sqlite3_step(r->statement) : SQLITE_DONE;
  if (r->statement)
    row_check(r, code);
  r->i = 0;
  return code == SQLITE_ROW;
}

sqlite3_int64 row_int(struct row *r)
{
  return sqlite3_column_int64(r->statement, r->i++);
}

double row_real(struct row *r)
{
  int i = r->i++;
  return sqlite3_column_type(r->statement, i) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(r->statement, i);
}

const char *row_text(struct row *r, struct arena *arena)
{
  const unsigned char *text = sqlite3_column_text(r->statement, r->i++);
  return text ? arena_strdup(arena, (const char *)text) : "";
}

const unsigned char *row_bytes(struct row *r, size_t *n)
{
  const unsigned char *bytes = sqlite3_column_blob(r->statement, r->i);
  *n = (size_t)sqlite3_column_bytes(r->statement, r->i++);
  return bytes;
}

int row_close(struct row *r)
{
  int good = r->statement != NULL;
  sqlite3_finalize(r->statement);
  r->statement = NULL;
  return good;
}

int store_run(struct store *s, const char *sql, struct diag *d)
{
  if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK)
    return 1;
  store_complain(s, d);
  return 0;
}

int store_number(struct store *s, const char *sql, sqlite3_int64 *x, struct diag *d)
{
  struct row r = row_open(s, sql, d);
  *x = row_next(&r) ? row_int(&r) : 0;
  return row_close(&r);
}

int store_begin(struct store *s, struct diag *d)
{
  return store_run(s, "BEGIN IMMEDIATE", d);
}

int store_end(struct store *s, int keep, struct diag *d)
{
  int kept = keep && store_run(s, "COMMIT", d);
  if (!kept && !sqlite3_get_autocommit(s->db)) /* some errors have rolled back by themselves */
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
  return kept;
}

/* ---- opening ---- */

int store_is_run_file(const char *path)
{
  static const char magic[] = "SQLite format 3";
  char start[sizeof magic] = "";
  size_t length = strlen(path), n = strlen(ENDING);
  struct stat about;
  if (length > n && strcmp(path + length - n, ENDING) == 0)
    return 1;
  FILE *in = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
  n = in ? fread(start, 1, sizeof start, in) : 0;
  if (in)
    fclose(in);
  return n == sizeof magic && memcmp(start, magic, n) == 0;
}

/* An empty file, which is what SQLite begins with; SQLite itself would not say why it could not make it. */
static int make_file(const char *path, struct diag *d)
{
  int file = open(path, O_RDWR | O_CREAT, 0666);
  if (file < 0)
    diag_error(d, path, 0, "cannot make this run file: %s", strerror(errno));
  else
    close(file);
  return file >= 0;
}

static int can_be_opened(const char *path, enum store_mode mode, struct diag *d)
{
  struct stat about;
  int found = stat(path, &about) == 0;
  if (!found && mode == STORE_WRITE && errno == ENOENT)
    return make_file(path, d);
  if (!found)
    diag_error(d, path, 0, "cannot open this run file: %s", strerror(errno));
  else if (!S_ISREG(about.st_mode))
    diag_error(d, path, 0, "cannot open this run file: it is %s", S_ISDIR(about.st_mode) ? "a folder" : "not a file");
  return found && S_ISREG(about.st_mode);
}

/* Is the file as long as it says? What is missing of its last page SQLite takes for zeros, without a word. */
static int has_end(struct store *s, struct diag *d)
{
  sqlite3_int64 pages, size;
  struct stat about;
  if (!store_number(s, "PRAGMA page_count", &pages, d) || !store_number(s, "PRAGMA page_size", &size, d))
    return 0;
  int whole = stat(s->path, &about) == 0 && about.st_size >= pages * size;
  if (!whole)
    diag_error(d, s->path, 0, "the file is damaged: its end is missing");
  return whole;
}

/* Is it ours, and may this program read it? *version: of its tables, 0 if nothing was ever written to it. To be
 * asked within a transaction. 0 after an error. */
static int identify(struct store *s, sqlite3_int64 *version, struct diag *d)
{
  sqlite3_int64 application, tables;
  if (!store_number(s, "PRAGMA application_id", &application, d) ||
      !store_number(s, "PRAGMA user_version", version, d) ||
      !store_number(s, "SELECT count(*) FROM sqlite_master", &tables, d))
    return 0;
  if (application == 0 && *version == 0 && tables == 0)
    return 1;
  if (application != APPLICATION_ID)
    diag_error(d, s->path, 0, "this is a database of another program, not a run file of muybridge");
  else if (*version > VERSION)
    diag_error(d, s->path, 0, "this run file is from a newer muybridge (format %lld, this one knows up to %d)",
               (long long)*version, VERSION);
  else if (*version < 1)
    diag_error(d, s->path, 0, "the file is damaged: there is no format %lld of run files", (long long)*version);
  else
    return has_end(s, d);
  return 0;
}

static int set_up_reading(struct store *s, struct diag *d)
{
  sqlite3_int64 version = 0;
  if (!store_run(s, "BEGIN", d)) /* so that nobody writes between one question and the next */
    return 0;
  int good = identify(s, &version, d);
  store_end(s, 0, d);
  if (good && version == 0)
    diag_error(d, s->path, 0, "this run file is empty");
  return good && version > 0 && store_run(s, "PRAGMA query_only = ON", d);
}

/* In one transaction, so that of two processes only one makes the tables, those of a new file or those that an older
 * version lacks. A file that has them all is written to and the change undone, to learn at once whether it can be. */
static int set_up_writing(struct store *s, struct diag *d)
{
  sqlite3_int64 version = 0;
  char mark[80];
  snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID, VERSION);
  if (!store_run(s, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA", d) || !store_begin(s, d))
    return 0;
  int good = identify(s, &version, d) && store_run(s, mark, d), older = version < VERSION;
  for (; good && version < VERSION; version++)
    good = store_run(s, steps[version], d);
  int kept = store_end(s, good && older, d);
  return older ? kept : good;
}

/* A reader too opens for writing where it may, for it must undo a write that was cut short before it can read. The ./
 * keeps SQLite from seeing more than a name in ":memory:" and "file:...". */
struct store *store_open(struct arena *arena, const char *path, enum store_mode mode, struct diag *d)
{
  if (!can_be_opened(path, mode, d))
    return NULL;
  struct store *s = ARENA_NEW(arena, 1, struct store);
  const char *name = arena_printf(arena, "%s%s", path[0] == '/' ? "" : "./", path);
  s->path = arena_strdup(arena, path);
  int good = sqlite3_open_v2(name, &s->db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK;
  if (!s->db)
    arena_out_of_memory();
  if (!good)
    store_complain(s, d);
  store_set_patience(s, PATIENCE);
  good = good && store_add_control_functions(s) &&
         store_run(s, "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF", d) &&
         (mode == STORE_WRITE ? set_up_writing(s, d) : set_up_reading(s, d));
  if (good)
    return s;
  store_close(s);
  return NULL;
}

void store_close(struct store *s)
{
  if (s)
    sqlite3_close(s->db);
}

void store_set_patience(struct store *s, double seconds)
{
  sqlite3_busy_timeout(s->db, (int)(1000 * seconds));
}

int store_add_session(struct store *s, const struct store_session *session, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  struct row r = row_open(s, "INSERT INTO session (program, command, time) VALUES (?, ?, ?)", d);
  row_put_text(&r, session->program);
  row_put_text(&r, session->command);
  row_put_text(&r, session->time);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  if (!store_end(s, row_close(&r), d))
    return 0;
  s->session = id;
  return 1;
}

struct store_session *store_list_sessions(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  struct row count = row_open(s, "SELECT count(*) FROM session", d);
  sqlite3_int64 room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_session *sessions = ARENA_NEW(arena, (size_t)room, struct store_session);
  struct row r = row_open(s, "SELECT program, command, time FROM session ORDER BY id", d);
  while (*n < room && row_next(&r)) {
    struct store_session *x = &sessions[(*n)++];
    x->program = row_text(&r, arena);
    x->command = row_text(&r, arena);
    x->time = row_text(&r, arena);
  }
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? sessions : NULL;
}

/* ---- the creature ---- */

static int write_creature(struct store *s, const struct creature *c, const char *text, struct diag *d)
{
  struct row r = row_open(s, "INSERT OR REPLACE INTO creature (id, name, file, n_dofs, n_points, text) "
                             "VALUES (1, ?, ?, ?, ?, ?)", d);
  row_put_text(&r, c->name);
  row_put_text(&r, c->file);
  row_put_int(&r, c->n_dofs);
  row_put_int(&r, c->n_points);
  row_put_text(&r, text);
  row_next(&r);
  return row_close(&r);
}

/* Is this text there already (1), may it be written (0), or is another in its place that has clips (-1, an error)? */
static int compare_creature(struct store *s, const char *text, struct diag *d)
{
  struct arena *scratch = arena_new();
  int answer = 0;
  struct row r = row_open(s, "SELECT text, name, file, (SELECT count(*) FROM clip) FROM creature", d);
  if (row_next(&r)) {
    answer = strcmp(row_text(&r, scratch), text) == 0;
    const char *name = row_text(&r, scratch), *file = row_text(&r, scratch);
    sqlite3_int64 clips = row_int(&r);
    if (!answer && clips > 0) {
      diag_error(d, s->path, 0, "this run file has clips of another creature, '%s' as it was in %s; "
                                "write to another file", name, file);
      answer = -1;
    }
  }
  if (!row_close(&r))
    answer = -1;
  arena_free(scratch);
  return answer;
}

static int keep_creature(struct store *s, const struct creature *c, const char *text, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  int there = compare_creature(s, text, d);
  int written = there == 0 && write_creature(s, c, text, d);
  return store_end(s, written, d) || there == 1;
}

/* The creature of a text, its errors in d, its warnings nowhere. */
static const struct creature *parse(struct arena *arena, const char *file, const char *text, size_t length,
                                    struct diag *d)
{
  struct diag own;
  diag_init(&own);
  const struct creature *c = creature_parse(arena, file, text, length, &own);
  for (int i = 0; i < own.n_messages; i++)
    if (own.messages[i].level == DIAG_ERROR)
      diag_error(d, own.messages[i].file, own.messages[i].line, "%s", own.messages[i].text);
  diag_clear(&own);
  return c;
}

int store_put_creature_text(struct store *s, const char *file, const char *text, size_t length, struct diag *d)
{
  struct arena *scratch = arena_new();
  char *copy = arena_alloc(scratch, length + 1, 1); /* which ends in 0 */
  if (length)
    memcpy(copy, text, length);
  const struct creature *c = parse(scratch, file, copy, length, d);
  int kept = c && keep_creature(s, c, copy, d);
  arena_free(scratch);
  return kept;
}

int store_put_creature(struct store *s, const char *path, struct diag *d)
{
  struct arena *scratch = arena_new();
  size_t length = 0;
  char *text = store_flatten(scratch, path, &length, d);
  int kept = text && store_put_creature_text(s, path, text, length, d);
  arena_free(scratch);
  return kept;
}

int store_put_creature_files(struct store *s, const struct creature *c, struct diag *d)
{
  struct arena *scratch = arena_new();
  size_t length = 0;
  char *text = store_flatten_styled(scratch, c, &length, d);
  int kept = text && store_put_creature_text(s, c->file, text, length, d);
  arena_free(scratch);
  return kept;
}

const char *store_creature_text(struct arena *arena, const struct creature *c, size_t *length, struct diag *d)
{
  return store_flatten_styled(arena, c, length, d);
}

const struct creature *store_get_creature(struct arena *arena, struct store *s, struct diag *d)
{
  struct arena *scratch = arena_new();
  struct row r = row_open(s, "SELECT file, text, n_dofs, n_points FROM creature", d);
  const struct creature *c = NULL;
  if (row_next(&r)) {
    const char *file = row_text(&r, scratch), *text = row_text(&r, scratch);
    sqlite3_int64 n_dofs = row_int(&r), n_points = row_int(&r);
    c = parse(arena, file, text, strlen(text), d);
    if (c && (c->n_dofs != n_dofs || c->n_points != n_points)) {
      diag_error(d, s->path, 0, "the file is damaged: its creature '%s' is not the one that was written", c->name);
      c = NULL;
    }
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no creature in this run file");
  }
  row_close(&r);
  arena_free(scratch);
  return c;
}

const char *store_get_creature_text(struct arena *arena, struct store *s, size_t *length, struct diag *d)
{
  const char *text = NULL;
  struct row r = row_open(s, "SELECT text FROM creature", d);
  if (row_next(&r))
    text = row_text(&r, arena);
  else if (r.statement)
    diag_error(d, s->path, 0, "there is no creature in this run file");
  *length = text ? strlen(text) : 0;
  return row_close(&r) ? text : NULL;
}

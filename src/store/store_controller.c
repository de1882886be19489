/* The run file: its tasks and controllers. A file of version 1 that is open for reading has no tables of these. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text_lex.h"
#include "store/room.h"

#define SINCE_VERSION 2 /* there are tasks and controllers */
#define CONTROLLER_COLUMNS "id, task, cost, cost_lower, cost_upper, n_clips, n_nodes, n_segments"

/* A statement with at most one parameter that reads tasks or controllers; where there are no tables, it has no rows. */
static struct row reading_row(struct store *s, const char *sql, struct diag *d)
{
  return row_open_since(s, SINCE_VERSION, sql, d);
}

/* How many rows a list will have. 0 after an error. */
static int read_count(struct store *s, const char *sql, sqlite3_int64 *n, struct diag *d)
{
  struct row r = reading_row(s, sql, d);
  *n = row_next(&r) ? row_int(&r) : 0;
  return row_close(&r);
}

/* ---- tasks ---- */

/* The id of a text that is there already: 0 if it is not, -1 after an error. */
static sqlite3_int64 find_text(struct store *s, const char *text, struct diag *d)
{
  struct row r = row_open(s, "SELECT id FROM task WHERE text = ? ORDER BY id", d);
  row_put_text(&r, text);
  sqlite3_int64 id = row_next(&r) ? row_int(&r) : 0;
  return row_close(&r) ? id : -1;
}

/* Its id, 0 after an error. */
static sqlite3_int64 write_task(struct store *s, const char *file, const char *text, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO task (session, file, n_bytes, text) VALUES (nullif(?, 0), ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_text(&r, file);
  row_put_int(&r, (sqlite3_int64)strlen(text));
  row_put_text(&r, text);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  return row_close(&r) ? id : 0;
}

static int keep_task(struct store *s, const char *file, const char *text, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 there = find_text(s, text, d), written = there == 0 ? write_task(s, file, text, d) : 0;
  if (store_end(s, written > 0, d))
    return (int)written;
  return there > 0 ? (int)there : 0;
}

int store_put_task_text(struct store *s, const char *file, const char *text, size_t length, struct diag *d)
{
  struct arena *scratch = arena_new();
  struct text_lexer lex;
  int id = 0;
  char *copy = arena_alloc(scratch, length + 1, 1); /* which ends in 0 */
  if (length)
    memcpy(copy, text, length);
  if (text_lex_open(scratch, file, text, length, d, &lex)) /* a text, then, without a 0 in its middle */
    id = keep_task(s, file, copy, d);
  arena_free(scratch);
  return id;
}

int store_put_task(struct store *s, const char *path, struct diag *d)
{
  struct arena *scratch = arena_new();
  size_t length = 0;
  const char *text = store_flatten(scratch, path, &length, d);
  int id = text ? store_put_task_text(s, path, text, length, d) : 0;
  arena_free(scratch);
  return id;
}

const char *store_get_task_text(struct arena *arena, struct store *s, int id, const char **file, size_t *length,
                                struct diag *d)
{
  const char *text = NULL;
  struct row r = reading_row(s, "SELECT file, text, n_bytes FROM task WHERE id = ?", d);
  row_put_int(&r, id);
  if (row_next(&r)) {
    *file = row_text(&r, arena);
    text = row_text(&r, arena);
    *length = strlen(text);
    if ((sqlite3_int64)*length != row_int(&r)) {
      diag_error(d, s->path, 0, "the file is damaged: task %d, from %s, is not whole", id, *file);
      text = NULL;
    }
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no task %d in this run file", id);
  }
  return row_close(&r) ? text : NULL;
}

struct store_task *store_list_tasks(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  int good = read_count(s, "SELECT count(*) FROM task", &room, d);
  struct store_task *tasks = ARENA_NEW(arena, (size_t)room, struct store_task);
  struct row r = reading_row(s, "SELECT id, file FROM task ORDER BY id", d);
  while (*n < room && row_next(&r)) {
    struct store_task *t = &tasks[(*n)++];
    t->id = (int)row_int(&r);
    t->file = row_text(&r, arena);
  }
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? tasks : NULL;
}

/* ---- controllers ---- */

/* What is wrong with the numbers of a controller; NULL if nothing is. */
static const char *find_fault(const struct store_controller *c)
{
  if (!isfinite(c->cost) || !isfinite(c->cost_lower) || !isfinite(c->cost_upper))
    return "its cost or a bound of it is not finite";
  if (c->n_clips < 1 || c->n_nodes < 1 || c->n_segments < 1)
    return "it has no clips, no nodes or no segments";
  if (c->n_bytes < 1)
    return "its player is empty";
  return NULL;
}

/* 0 after an error: what no controller of this run file can be. */
static int check_controller(struct store *s, const struct store_controller *c, struct diag *d)
{
  const char *fault = find_fault(c);
  size_t most = (size_t)sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, -1) - 1000; /* the other columns need some of it */
  struct row r = row_open(s, "SELECT 1 FROM task WHERE id = ?", d);
  row_put_int(&r, c->task);
  int has_task = row_next(&r);
  if (!row_close(&r))
    return 0;
  if (!has_task)
    diag_error(d, s->path, 0, "the controller is not written: there is no task %d in this run file", c->task);
  else if (fault)
    diag_error(d, s->path, 0, "the controller is not written: %s", fault);
  else if (c->n_bytes > most)
    diag_error(d, s->path, 0, "the controller is not written: its player has %zu bytes, a run file takes up to %zu",
               c->n_bytes, most);
  else
    return 1;
  return 0;
}

/* Its id, 0 after an error. */
static sqlite3_int64 write_controller(struct store *s, const struct store_controller *c, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO controller (session, task, cost, cost_lower, cost_upper, n_clips, n_nodes, "
                             "n_segments, n_bytes, bytes) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_int(&r, c->task);
  row_put_real(&r, c->cost);
  row_put_real(&r, c->cost_lower);
  row_put_real(&r, c->cost_upper);
  row_put_int(&r, c->n_clips);
  row_put_int(&r, c->n_nodes);
  row_put_int(&r, c->n_segments);
  row_put_int(&r, (sqlite3_int64)c->n_bytes);
  row_put_bytes(&r, c->bytes, c->n_bytes);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  return row_close(&r) ? id : 0;
}

int store_put_controller(struct store *s, const struct store_controller *c, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 id = check_controller(s, c, d) ? write_controller(s, c, d) : 0;
  return store_end(s, id > 0, d) ? (int)id : 0;
}

/* A number of a column; one that is no int becomes 0, which no column of ours may be. */
static int row_count(struct row *r)
{
  sqlite3_int64 x = row_int(r);
  return x > 0 && x <= INT_MAX ? (int)x : 0;
}

static void get_columns(struct row *r, struct store_controller *c)
{
  c->id = row_count(r);
  c->task = row_count(r);
  c->cost = row_real(r);
  c->cost_lower = row_real(r);
  c->cost_upper = row_real(r);
  c->n_clips = row_count(r);
  c->n_nodes = row_count(r);
  c->n_segments = row_count(r);
}

/* The player, if it is as long as it was when it was written: 0 if not. */
static int get_player(struct row *r, struct store_controller *c, struct arena *arena)
{
  sqlite3_int64 n_bytes = row_int(r);
  const unsigned char *bytes = row_bytes(r, &c->n_bytes);
  if (!bytes || (sqlite3_int64)c->n_bytes != n_bytes || find_fault(c))
    return 0;
  c->bytes = memcpy(arena_alloc(arena, c->n_bytes, 1), bytes, c->n_bytes);
  return 1;
}

int store_get_controller(struct arena *arena, struct store *s, int id, struct store_controller *out, struct diag *d)
{
  int whole = 0;
  struct row r = reading_row(s, "SELECT " CONTROLLER_COLUMNS ", n_bytes, bytes FROM controller "
                                "WHERE id = ifnull(nullif(?, 0), (SELECT max(id) FROM controller))", d);
  *out = (struct store_controller){0};
  row_put_int(&r, id);
  if (row_next(&r)) {
    get_columns(&r, out);
    whole = get_player(&r, out, arena);
    if (!whole)
      diag_error(d, s->path, 0, "the file is damaged: controller %d is not whole", out->id);
  } else if (r.statement && id == 0) {
    diag_error(d, s->path, 0, "there are no controllers in this run file; muybridge policy makes one");
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no controller %d in this run file", id);
  }
  return row_close(&r) && whole;
}

struct store_controller *store_list_controllers(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d))
    return NULL;
  int good = read_count(s, "SELECT count(*) FROM controller", &room, d);
  struct store_controller *list = ARENA_NEW(arena, (size_t)room, struct store_controller);
  struct row r = reading_row(s, "SELECT " CONTROLLER_COLUMNS ", ifnull(length(bytes), 0) FROM controller ORDER BY id",
                             d);
  while (*n < room && row_next(&r)) {
    struct store_controller *c = &list[(*n)++];
    get_columns(&r, c);
    c->n_bytes = (size_t)row_int(&r);
  }
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

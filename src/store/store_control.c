/* The run file: control graphs. A file of version 4 or less that is open for reading has no table of them. */
#include <limits.h>
#include <string.h>

#include "store/controls.h"
#include "store/room.h"

#define SINCE_VERSION 5
#define COLUMNS "id, teacher, options, iteration, n_iterations, seconds, residual, success, robustness"

int store_put_control(struct store *s, const struct store_control *c, struct diag *d)
{
  if (c->n_bytes < 1) {
    diag_error(d, s->path, 0, "the control graph is not written: it is empty");
    return 0;
  }
  if (!store_begin(s, d))
    return 0;
  struct row r = row_open(s,
                          "INSERT INTO control (session, teacher, options, iteration, n_iterations, seconds, residual, success, "
                          "robustness, bytes) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_text(&r, c->teacher);
  row_put_text(&r, c->options);
  row_put_int(&r, c->iteration);
  row_put_int(&r, c->n_iterations);
  row_put_real(&r, c->seconds);
  row_put_real(&r, c->residual);
  row_put_real(&r, c->success);
  row_put_real(&r, c->robustness);
  row_put_bytes(&r, c->bytes, c->n_bytes);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  int good = row_close(&r);
  return store_end(s, good, d) && good ? (int)id : 0;
}

static void get_columns(struct row *r, struct arena *arena, struct store_control *c)
{
  c->id = (int)row_int(r);
  c->teacher = row_text(r, arena);
  c->options = row_text(r, arena);
  c->iteration = (int)row_int(r);
  c->n_iterations = (int)row_int(r);
  c->seconds = row_real(r);
  c->residual = row_real(r);
  c->success = row_real(r);
  c->robustness = row_real(r);
}

int store_get_control(struct arena *arena, struct store *s, const char *teacher, struct store_control *out,
                      struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION,
                                "SELECT " COLUMNS ", bytes FROM control WHERE id = (SELECT max(id) FROM control "
                                "WHERE teacher = coalesce(?, teacher))", d);
  int there = 0;
  *out = (struct store_control){0};
  if (teacher)
    row_put_text(&r, teacher);
  if (row_next(&r)) {
    get_columns(&r, arena, out);
    const unsigned char *bytes = row_bytes(&r, &out->n_bytes);
    there = bytes && out->n_bytes > 0;
    if (there)
      out->bytes = memcpy(arena_alloc(arena, out->n_bytes, 1), bytes, out->n_bytes);
    else
      diag_error(d, s->path, 0, "the file is damaged: control graph %d is empty", out->id);
  }
  return row_close(&r) ? there : -1;
}

struct store_control *store_list_controls(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  struct row count = row_open_since(s, SINCE_VERSION, "SELECT count(*) FROM control", d);
  sqlite3_int64 room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_control *list = ARENA_NEW(arena, (size_t)room + 1, struct store_control);
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " COLUMNS " FROM control ORDER BY id", d);
  while (*n < room && row_next(&r))
    get_columns(&r, arena, &list[(*n)++]);
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

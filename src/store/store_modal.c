/* The run file: motions under modal-space control. A file of version 5 or less that is open for reading has no table of
 * them. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "store/modals.h"
#include "store/room.h"

#define SINCE_VERSION 6
#define COLUMNS                                                                                                        \
  "id, clip, what, place, options, success, fault, n_steps, n_wanted, dt, worst_angle, worst_height, rms_angle, "      \
  "rms_joint, missed, unsolved, seconds"

static const char *const blob_names[N_STORE_MODAL_BYTES] = {"q", "reference", "torque", "planned", "used", "control"};

/* What is wrong with it; NULL if nothing is. */
static const char *find_fault(const struct store_modal *m)
{
  if (m->n_steps < 1)
    return "it has no steps";
  for (int i = 0; i < N_STORE_MODAL_BYTES; i++)
    if (m->n_bytes[i] < 1)
      return "a part of it is empty";
  if (!(m->dt > 0) || !isfinite(m->dt))
    return "its step is no time";
  return NULL;
}

static sqlite3_int64 write_modal(struct store *s, const struct store_modal *m, struct diag *d)
{
  struct row r = row_open(s,
                          "INSERT INTO modal (session, clip, what, place, options, success, fault, n_steps, n_wanted, dt, "
                          "worst_angle, worst_height, rms_angle, rms_joint, missed, unsolved, seconds, q, reference, torque, "
                          "planned, used, control) VALUES (nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                          "?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_int(&r, m->clip);
  row_put_text(&r, m->what);
  row_put_text(&r, m->place);
  row_put_text(&r, m->options);
  row_put_int(&r, m->success);
  row_put_text(&r, m->fault);
  row_put_int(&r, m->n_steps);
  row_put_int(&r, m->n_wanted);
  row_put_real(&r, m->dt);
  for (int i = 0; i < N_STORE_MODAL_NUMBERS; i++)
    row_put_real(&r, m->numbers[i]);
  row_put_int(&r, m->unsolved);
  row_put_real(&r, m->seconds);
  for (int i = 0; i < N_STORE_MODAL_BYTES; i++)
    row_put_bytes(&r, m->bytes[i], m->n_bytes[i]);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  return row_close(&r) ? id : 0;
}

int store_put_modal(struct store *s, const struct store_modal *m, struct diag *d)
{
  const char *fault = find_fault(m);
  if (fault) {
    diag_error(d, s->path, 0, "the motion under modal control is not written: %s", fault);
    return 0;
  }
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 id = write_modal(s, m, d);
  return store_end(s, id > 0, d) ? (int)id : 0;
}

static int whole(struct row *r)
{
  sqlite3_int64 n = row_int(r);
  return n > 0 && n <= INT_MAX ? (int)n : 0;
}

static void get_columns(struct row *r, struct store_modal *m, struct arena *arena)
{
  m->id = whole(r);
  m->clip = whole(r);
  m->what = row_text(r, arena);
  m->place = row_text(r, arena);
  m->options = row_text(r, arena);
  m->success = row_int(r) != 0;
  m->fault = row_text(r, arena);
  m->n_steps = whole(r);
  m->n_wanted = whole(r);
  m->dt = row_real(r);
  for (int i = 0; i < N_STORE_MODAL_NUMBERS; i++)
    m->numbers[i] = row_real(r);
  m->unsolved = whole(r);
  m->seconds = row_real(r);
}

int store_get_modal(struct arena *arena, struct store *s, int id, struct store_modal *out, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION,
                                "SELECT " COLUMNS ", q, reference, torque, planned, used, control FROM modal "
                                "WHERE id = ifnull(nullif(?, 0), (SELECT max(id) FROM modal))", d);
  int there = 0;
  *out = (struct store_modal){0};
  row_put_int(&r, id);
  if (row_next(&r)) {
    get_columns(&r, out, arena);
    for (int i = 0; i < N_STORE_MODAL_BYTES; i++) {
      const unsigned char *bytes = row_bytes(&r, &out->n_bytes[i]);
      if (bytes)
        out->bytes[i] = memcpy(arena_alloc(arena, out->n_bytes[i], 1), bytes, out->n_bytes[i]);
      else
        diag_error(d, s->path, 0, "the file is damaged: column %s of modal %d is empty", blob_names[i], out->id);
    }
    there = !find_fault(out);
    if (!there && !d->n_errors)
      diag_error(d, s->path, 0, "the file is damaged: modal %d: %s", out->id, find_fault(out));
  } else if (r.statement && id == 0) {
    diag_error(d, s->path, 0,
               "there is no motion under modal control in this run file; muybridge track --method modal makes one");
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no motion %d under modal control in this run file", id);
  }
  return row_close(&r) && there;
}

struct store_modal *store_list_modals(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  struct row count = row_open_since(s, SINCE_VERSION, "SELECT count(*) FROM modal", d);
  room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_modal *list = ARENA_NEW(arena, (size_t)room + 1, struct store_modal);
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " COLUMNS " FROM modal ORDER BY id", d);
  while (*n < room && row_next(&r))
    get_columns(&r, &list[(*n)++], arena);
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

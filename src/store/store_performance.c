/* See performances.h. Files of version 6 and older have a table of tracks and one of motions under modal control, or
 * neither; open for reading they are read as they are, through a view of the table that they would have. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "store/performances.h"
#include "store/room.h"

#define COLUMNS                                                                                                        \
  "number, clip, what, way, place, options, success, fault, seconds, fault_after, n_frames, dt, cost, cost_pose, "     \
  "cost_root, cost_ends, cost_balance, worst_height, worst_angle, worst_foot, worst_course, rms_angle, rms_joint, "    \
  "missed, samples, unsolved, seconds_models, seconds_control"
#define BLOBS "q, torque, force, contact, reference, planned, control, way_bytes"

static const struct { const char *name, *noun, *by, *none; } series_words[N_SERIES] = {
  {"track", "track", "", "there are no tracks in this run file; muybridge track makes one"},
  {"modal", "motion", " under modal control",
   "there is no motion under modal control in this run file; muybridge track --method modal makes one"}};

/* What is wrong with a performance; NULL if nothing is. */
static const char *find_fault(const struct store_performance *p)
{
  static const enum store_performance_bytes needed[] = {PERFORMANCE_Q, PERFORMANCE_TORQUE, PERFORMANCE_FORCE,
                                                        PERFORMANCE_CONTROL};
  if (p->n_frames < 1)
    return "it has no frames";
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (p->n_bytes[needed[i]] < 1)
      return "a part of it is empty";
  if (!isfinite(p->seconds))
    return "its duration is not finite";
  if (p->dt <= 0 || isinf(p->dt))
    return "its frame time is no time";
  return NULL;
}

/* ---- writing ---- */

static int write_performance(struct store *s, const struct store_performance *p, int number, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO performance (session, series, " COLUMNS ", " BLOBS ") VALUES (nullif(?, 0), "
                             "?, ?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_text(&r, series_words[p->series].name);
  row_put_int(&r, number);
  row_put_int(&r, p->clip);
  row_put_text(&r, p->what);
  row_put_text(&r, p->way);
  row_put_text(&r, p->place);
  row_put_text(&r, p->options);
  row_put_int(&r, p->success);
  row_put_text(&r, p->fault);
  row_put_real(&r, p->seconds);
  row_put_real(&r, p->fault_after);
  row_put_int(&r, p->n_frames);
  row_put_real(&r, p->dt);
  for (int i = 0; i < N_PERFORMANCE_NUMBERS; i++)
    row_put_real(&r, p->numbers[i]);
  row_put_int(&r, p->samples);
  row_put_int(&r, p->unsolved);
  row_put_real(&r, p->seconds_models);
  row_put_real(&r, p->seconds_control);
  for (int i = 0; i < N_PERFORMANCE_BYTES; i++)
    row_put_bytes(&r, p->bytes[i], p->n_bytes[i]);
  row_next(&r);
  return row_close(&r);
}

int store_put_performance(struct store *s, const struct store_performance *p, struct diag *d)
{
  const char *fault = find_fault(p);
  if (fault) {
    diag_error(d, s->path, 0, "the %s%s is not written: %s", series_words[p->series].noun, series_words[p->series].by,
               fault);
    return 0;
  }
  if (!store_begin(s, d))
    return 0;
  struct row last = row_open(s, "SELECT ifnull(max(number), 0) FROM performance WHERE series = ?", d);
  row_put_text(&last, series_words[p->series].name);
  int number = row_next(&last) ? (int)row_int(&last) + 1 : 0;
  int good = row_close(&last) && number > 0 && write_performance(s, p, number, d);
  return store_end(s, good, d) && good ? number : 0;
}

/* ---- reading ---- */

/* A query of the performances of a series. In an older file they are found in the tables that it has. */
static struct row open_series(struct store *s, enum store_series series, const char *columns, const char *rest,
                              struct arena *arena, struct diag *d)
{
  sqlite3_int64 version = 0;
  if (!store_number(s, "PRAGMA user_version", &version, d))
    return (struct row){.s = s, .d = d};
  const char *name = series_words[series].name;
  if (version < (series == SERIES_TRACK ? 4 : 6))
    return row_open(s, "SELECT ? WHERE 0", d);
  if (version < 7)
    return row_open(s, arena_printf(arena, "WITH performance AS (%s) SELECT %s FROM performance %s",
                                    series == SERIES_TRACK ? STORE_OLD_TRACKS : STORE_OLD_MODALS, columns, rest), d);
  return row_open(s, arena_printf(arena, "WITH performance AS (SELECT * FROM main.performance WHERE series = '%s') "
                                  "SELECT %s FROM performance %s", name, columns, rest), d);
}

/* A count that fits; 0 where it is none. */
static int row_count(struct row *r)
{
  sqlite3_int64 n = row_int(r);
  return n > 0 && n <= INT_MAX ? (int)n : 0;
}

static void get_columns(struct row *r, enum store_series series, struct store_performance *p, struct arena *arena)
{
  p->series = series;
  p->number = row_count(r);
  p->clip = row_count(r);
  p->what = row_text(r, arena);
  p->way = row_text(r, arena);
  p->place = row_text(r, arena);
  p->options = row_text(r, arena);
  p->success = row_int(r) != 0;
  p->fault = row_text(r, arena);
  p->seconds = row_real(r);
  p->fault_after = row_real(r);
  p->n_frames = row_count(r);
  p->dt = row_real(r);
  for (int i = 0; i < N_PERFORMANCE_NUMBERS; i++)
    p->numbers[i] = row_real(r);
  p->samples = (long)row_int(r);
  p->unsolved = row_count(r);
  p->seconds_models = row_real(r);
  p->seconds_control = row_real(r);
}

int store_get_performance(struct arena *arena, struct store *s, enum store_series series, int number,
                          struct store_performance *out, struct diag *d)
{
  struct row r = open_series(s, series, COLUMNS ", " BLOBS,
                             "WHERE number = ifnull(nullif(?, 0), (SELECT max(number) FROM performance))", arena, d);
  int there = 0;
  *out = (struct store_performance){.series = series};
  row_put_int(&r, number);
  if (row_next(&r)) {
    get_columns(&r, series, out, arena);
    for (int i = 0; i < N_PERFORMANCE_BYTES; i++) {
      const unsigned char *bytes = row_bytes(&r, &out->n_bytes[i]);
      if (bytes)
        out->bytes[i] = memcpy(arena_alloc(arena, out->n_bytes[i], 1), bytes, out->n_bytes[i]);
    }
    const char *fault = find_fault(out);
    there = !fault;
    if (fault)
      diag_error(d, s->path, 0, "the file is damaged: %s %d%s: %s", series_words[series].noun, out->number,
                 series_words[series].by, fault);
  } else if (r.statement && number == 0) {
    diag_error(d, s->path, 0, "%s", series_words[series].none);
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no %s %d%s in this run file", series_words[series].noun, number,
               series_words[series].by);
  }
  return row_close(&r) && there;
}

struct store_performance *store_list_performances(struct arena *arena, struct store *s, enum store_series series,
                                                  int *n, struct diag *d)
{
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  struct row count = open_series(s, series, "count(*)", "", arena, d);
  sqlite3_int64 room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_performance *list = ARENA_NEW(arena, (size_t)room + 1, struct store_performance);
  struct row r = open_series(s, series, COLUMNS, "ORDER BY number", arena, d);
  while (*n < room && row_next(&r))
    get_columns(&r, series, &list[(*n)++], arena);
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

/* The run file: tracks, what creatures did in a simulated world. A file of version 3 or less that is open for
 * reading has no table of them. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "store/room.h"
#include "store/tracks.h"

#define SINCE_VERSION 4
#define TRACK_COLUMNS                                                                                                 \
  "id, what, method, options, success, fault, seconds, fault_after, n_frames, cost, cost_pose, cost_root, cost_ends, "  \
  "cost_balance, worst_height, worst_angle, worst_foot, worst_course, samples, seconds_models, seconds_tracking"

static const char *const blob_names[N_TRACK_BYTES] = {"q", "torque", "force", "contact", "control"};

/* What is wrong with a track; NULL if nothing is. */
static const char *find_fault(const struct store_track *t)
{
  if (t->n_frames < 1)
    return "it has no frames";
  for (int i = 0; i < N_TRACK_BYTES; i++)
    if (t->n_bytes[i] < 1)
      return "a part of it is empty";
  if (!isfinite(t->seconds))
    return "its duration is not finite";
  return NULL;
}

static sqlite3_int64 write_track(struct store *s, const struct store_track *t, struct diag *d)
{
  struct row r = row_open(s,
                          "INSERT INTO track (session, what, method, options, success, fault, seconds, fault_after, n_frames, cost, "
                             "cost_pose, cost_root, cost_ends, cost_balance, worst_height, worst_angle, worst_foot, worst_course, samples, "
                             "seconds_models, seconds_tracking, q, torque, force, contact, control) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, "
                             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_text(&r, t->what);
  row_put_text(&r, t->method);
  row_put_text(&r, t->options);
  row_put_int(&r, t->success);
  row_put_text(&r, t->fault);
  row_put_real(&r, t->seconds);
  row_put_real(&r, t->fault_after);
  row_put_int(&r, t->n_frames);
  for (int i = 0; i < N_TRACK_NUMBERS; i++)
    row_put_real(&r, t->numbers[i]);
  row_put_int(&r, t->samples);
  row_put_real(&r, t->seconds_models);
  row_put_real(&r, t->seconds_tracking);
  for (int i = 0; i < N_TRACK_BYTES; i++)
    row_put_bytes(&r, t->bytes[i], t->n_bytes[i]);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  return row_close(&r) ? id : 0;
}

int store_put_track(struct store *s, const struct store_track *t, struct diag *d)
{
  const char *fault = find_fault(t);
  if (fault) {
    diag_error(d, s->path, 0, "the track is not written: %s", fault);
    return 0;
  }
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 id = write_track(s, t, d);
  return store_end(s, id > 0, d) ? (int)id : 0;
}

static void get_columns(struct row *r, struct store_track *t, struct arena *arena)
{
  t->id = (int)row_int(r);
  t->what = row_text(r, arena);
  t->method = row_text(r, arena);
  t->options = row_text(r, arena);
  t->success = row_int(r) != 0;
  t->fault = row_text(r, arena);
  t->seconds = row_real(r);
  t->fault_after = row_real(r);
  sqlite3_int64 n = row_int(r);
  t->n_frames = n > 0 && n <= INT_MAX ? (int)n : 0;
  for (int i = 0; i < N_TRACK_NUMBERS; i++)
    t->numbers[i] = row_real(r);
  t->samples = (long)row_int(r);
  t->seconds_models = row_real(r);
  t->seconds_tracking = row_real(r);
}

int store_get_track(struct arena *arena, struct store *s, int id, struct store_track *out, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION,
                                "SELECT " TRACK_COLUMNS ", q, torque, force, contact, control FROM track "
                                                  "WHERE id = ifnull(nullif(?, 0), (SELECT max(id) FROM track))", d);
  int there = 0;
  *out = (struct store_track){0};
  row_put_int(&r, id);
  if (row_next(&r)) {
    get_columns(&r, out, arena);
    for (int i = 0; i < N_TRACK_BYTES; i++) {
      const unsigned char *bytes = row_bytes(&r, &out->n_bytes[i]);
      if (bytes)
        out->bytes[i] = memcpy(arena_alloc(arena, out->n_bytes[i], 1), bytes, out->n_bytes[i]);
      else
        diag_error(d, s->path, 0, "the file is damaged: column %s of track %d is empty", blob_names[i], out->id);
    }
    there = !find_fault(out);
  } else if (r.statement && id == 0) {
    diag_error(d, s->path, 0, "there are no tracks in this run file; muybridge track makes one");
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no track %d in this run file", id);
  }
  return row_close(&r) && there;
}

struct store_track *store_list_tracks(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  struct row count = row_open_since(s, SINCE_VERSION, "SELECT count(*) FROM track", d);
  room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_track *list = ARENA_NEW(arena, (size_t)room + 1, struct store_track);
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " TRACK_COLUMNS " FROM track ORDER BY id", d);
  while (*n < room && row_next(&r))
    get_columns(&r, &list[(*n)++], arena);
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

/* The run file: how far a synthesis has come. A file of version 1 or 2 that is open for reading has no tables of
 * this. */
#include "store/room.h"

#define SINCE_VERSION      3
#define SINCE_MEASURES     7     /* attempts say what they should measure */
#define HEARTBEAT_PATIENCE 0.1   /* [s] */
#define SYNTH_COLUMNS      "task, seed, strategy, branches, alpha, options, state"
#define ATTEMPT_COLUMNS                                                                                              \
  "iteration, place, kind, from_clip, from_frame, to_clip, to_frame, turn, frames, gait, speed, strafe, gain, "      \
  "chance, outcome, status, reason, seconds, peak_memory"
#define STEP_COLUMNS                                                                                                 \
  "iteration, cost, lower, upper, n_candidates, seconds_proposing, seconds_estimating, seconds_solving, "            \
  "seconds_evaluating"

/* The first number that a question with up to two numbers has for an answer: 0 if it has none, -1 after an error. */
static sqlite3_int64 find_number(struct store *s, const char *sql, int n, const int *about, struct diag *d)
{
  struct row r = row_open(s, sql, d);
  for (int i = 0; i < n; i++)
    row_put_int(&r, about[i]);
  sqlite3_int64 x = row_next(&r) ? row_int(&r) : 0;
  return row_close(&r) ? x : -1;
}

/* ---- what it was told ---- */

static int write_synth(struct store *s, const struct store_synth *y, struct diag *d)
{
  struct row r = row_open(s, "INSERT OR REPLACE INTO synth (id, session, " SYNTH_COLUMNS ") "
                             "VALUES (1, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_int(&r, y->task);
  row_put_int(&r, (sqlite3_int64)y->seed);
  row_put_text(&r, y->strategy);
  row_put_int(&r, y->branches);
  row_put_real(&r, y->alpha);
  row_put_text(&r, y->options);
  row_put_text(&r, y->state);
  row_next(&r);
  return row_close(&r);
}

int store_put_synth(struct store *s, const struct store_synth *y, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 task = find_number(s, "SELECT id FROM task WHERE id = ?", 1, &y->task, d);
  if (task == 0)
    diag_error(d, s->path, 0, "the synthesis is not written: there is no task %d in this run file", y->task);
  return store_end(s, task > 0 && write_synth(s, y, d), d);
}

int store_get_synth(struct arena *arena, struct store *s, struct store_synth *out, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " SYNTH_COLUMNS " FROM synth", d);
  int there = row_next(&r);
  *out = (struct store_synth){0};
  if (there) {
    out->task = (int)row_int(&r);
    out->seed = (uint64_t)row_int(&r);
    out->strategy = row_text(&r, arena);
    out->branches = (int)row_int(&r);
    out->alpha = row_real(&r);
    out->options = row_text(&r, arena);
    out->state = row_text(&r, arena);
  }
  return row_close(&r) ? there : -1;
}

/* ---- clips that come together ---- */

/* The id of an earlier clip of the list, for an end that refers to it. 0 after an error. */
static int resolve_end(struct store *s, const struct clip *clip, struct clip_end *end, int index, const int *ids,
                       int n_before, struct diag *d)
{
  if (index >= n_before)
    diag_error(d, s->path, 0, "clip '%s' is not written: an end of it refers to a clip that does not come before it",
               clip->name);
  else if (index >= 0)
    end->clip = ids[index];
  return index < n_before;
}

/* Writes clip i of a list whose ids up to there are known, and puts its id there. 0 after an error. */
static int write_new_clip(struct store *s, const struct store_new_clip *k, int i, int *ids, struct diag *d)
{
  struct clip clip = *k->clip;
  if (!resolve_end(s, k->clip, &clip.from, k->from, ids, i, d) || !resolve_end(s, k->clip, &clip.to, k->to, ids, i, d))
    return 0;
  ids[i] = (int)store_write_clip(s, &clip, &k->about, d);
  return ids[i] > 0;
}

/* A row of a table that says which clips belong to something, in which order. */
static int write_member(struct store *s, const char *sql, sqlite3_int64 whole, int place, int clip, struct diag *d)
{
  struct row r = row_open(s, sql, d);
  row_put_int(&r, whole);
  row_put_int(&r, place);
  row_put_int(&r, clip);
  row_next(&r);
  return row_close(&r);
}

/* ---- attempts ---- */

/* 0 after an error: what no attempt of this run file can be. */
static int check_attempt(struct store *s, const struct store_attempt *a, struct diag *d)
{
  sqlite3_int64 there = find_number(s, "SELECT id FROM attempt WHERE iteration = ? AND place = ?", 2,
                                    (int[]){a->iteration, a->place}, d);
  if (there > 0)
    diag_error(d, s->path, 0, "attempt %d of iteration %d is in this file already; does another process work on it?",
               a->place, a->iteration);
  else if (a->n_clips < 0 || a->n_clips > STORE_ATTEMPT_CLIPS)
    diag_error(d, s->path, 0, "the attempt is not written: it has %d clips, a run file takes up to %d", a->n_clips,
               STORE_ATTEMPT_CLIPS);
  else
    return there == 0;
  return 0;
}

/* Its id, 0 after an error. */
static sqlite3_int64 write_attempt(struct store *s, const struct store_attempt *a, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO attempt (session, " ATTEMPT_COLUMNS ") VALUES (nullif(?, 0), ?, ?, ?, ?, ?, "
                             "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_int(&r, a->iteration);
  row_put_int(&r, a->place);
  row_put_text(&r, a->kind);
  row_put_int(&r, a->from_clip);
  row_put_int(&r, a->from_frame);
  row_put_int(&r, a->to_clip);
  row_put_int(&r, a->to_frame);
  row_put_real(&r, a->turn);
  row_put_int(&r, a->frames);
  row_put_int(&r, a->gait);
  row_put_real(&r, a->speed);
  row_put_real(&r, a->strafe);
  row_put_real(&r, a->gain);
  row_put_real(&r, a->chance);
  row_put_text(&r, a->outcome);
  row_put_text(&r, a->status);
  row_put_text(&r, a->reason);
  row_put_real(&r, a->seconds);
  row_put_int(&r, (sqlite3_int64)a->peak_memory);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  return row_close(&r) ? id : 0;
}

static int write_measure(struct store *s, sqlite3_int64 attempt, int place, double value, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO attempt_measure VALUES (?, ?, ?)", d);
  row_put_int(&r, attempt);
  row_put_int(&r, place);
  row_put_real(&r, value);
  row_next(&r);
  return row_close(&r);
}

int store_add_attempt(struct store *s, struct store_attempt *a, const struct store_new_clip *clips, struct diag *d)
{
  struct store_attempt filled = *a;
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 id = check_attempt(s, a, d) ? write_attempt(s, a, d) : 0;
  int good = id > 0;
  for (int i = 0; good && i < a->n_measured; i++)
    good = write_measure(s, id, i, a->measured[i], d);
  for (int i = 0; good && i < a->n_clips; i++)
    good = write_new_clip(s, &clips[i], i, filled.clips, d) &&
           write_member(s, "INSERT INTO attempt_clip VALUES (?, ?, ?)", id, i, filled.clips[i], d);
  if (!store_end(s, good, d))
    return 0;
  filled.id = (int)id;
  *a = filled;
  return a->id;
}

static void get_attempt(struct row *r, struct store_attempt *a, struct arena *arena)
{
  a->iteration = (int)row_int(r);
  a->place = (int)row_int(r);
  a->kind = row_text(r, arena);
  a->from_clip = (int)row_int(r);
  a->from_frame = (int)row_int(r);
  a->to_clip = (int)row_int(r);
  a->to_frame = (int)row_int(r);
  a->turn = row_real(r);
  a->frames = (int)row_int(r);
  a->gait = (int)row_int(r);
  a->speed = row_real(r);
  a->strafe = row_real(r);
  a->gain = row_real(r);
  a->chance = row_real(r);
  a->outcome = row_text(r, arena);
  a->status = row_text(r, arena);
  a->reason = row_text(r, arena);
  a->seconds = row_real(r);
  a->peak_memory = (size_t)row_int(r);
  a->id = (int)row_int(r);
}

static int get_attempt_clips(struct store *s, struct store_attempt *a, struct diag *d)
{
  struct row r = row_open(s, "SELECT clip FROM attempt_clip WHERE attempt = ? ORDER BY place", d);
  row_put_int(&r, a->id);
  while (a->n_clips < STORE_ATTEMPT_CLIPS && row_next(&r))
    a->clips[a->n_clips++] = (int)row_int(&r);
  return row_close(&r);
}

static int get_attempt_measures(struct store *s, struct store_attempt *a, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_MEASURES, "SELECT value FROM attempt_measure WHERE attempt = ? ORDER BY place",
                                d);
  row_put_int(&r, a->id);
  while (a->n_measured < STORE_ATTEMPT_MEASURES && row_next(&r))
    a->measured[a->n_measured++] = row_real(&r);
  return row_close(&r);
}

/* How many rows a list will have; 0 where there are no tables. 0 after an error. */
static int read_count(struct store *s, const char *sql, int about, sqlite3_int64 *n, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION, sql, d);
  row_put_int(&r, about);
  *n = row_next(&r) ? row_int(&r) : 0;
  return row_close(&r);
}

struct store_attempt *store_list_attempts(struct arena *arena, struct store *s, int iteration, int *n,
                                          struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* all of one moment, though others write */
    return NULL;
  int good = read_count(s, "SELECT count(*) FROM attempt WHERE ?1 = -1 OR iteration = ?1", iteration, &room, d);
  struct store_attempt *list = ARENA_NEW(arena, (size_t)room, struct store_attempt);
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " ATTEMPT_COLUMNS ", id FROM attempt "
                                                  "WHERE ?1 = -1 OR iteration = ?1 ORDER BY iteration, place", d);
  row_put_int(&r, iteration);
  while (good && *n < room && row_next(&r)) {
    struct store_attempt *a = &list[(*n)++];
    get_attempt(&r, a, arena);
    good = get_attempt_clips(s, a, d) && get_attempt_measures(s, a, d);
  }
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

/* ---- steps ---- */

/* 0 after an error: the file has no such clip, or it is part of the graph. */
static int check_member(struct store *s, int id, struct diag *d)
{
  sqlite3_int64 known = find_number(s, "SELECT id FROM clip WHERE id = ?", 1, &id, d);
  sqlite3_int64 used = known > 0 ? find_number(s, "SELECT 1 FROM step_clip WHERE clip = ?", 1, &id, d) : 0;
  if (known == 0)
    diag_error(d, s->path, 0, "the step is not written: there is no clip %d in this run file", id);
  else if (used > 0)
    diag_error(d, s->path, 0, "the step is not written: clip %d is part of the graph already", id);
  return known > 0 && used == 0;
}

/* 0 after an error: what no step of this run file can be. */
static int check_step(struct store *s, const struct store_step *step, int has_new, struct diag *d)
{
  sqlite3_int64 there = find_number(s, "SELECT 1 FROM step WHERE iteration = ?", 1, &step->iteration, d);
  int good = there == 0;
  if (there > 0)
    diag_error(d, s->path, 0, "the step of iteration %d is in this file already; does another process work on it?",
               step->iteration);
  for (int i = 0; good && i < step->n_clips; i++)
    good = (step->clips[i] == 0 && has_new) || check_member(s, step->clips[i], d);
  return good;
}

static int write_step(struct store *s, const struct store_step *step, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO step (session, " STEP_COLUMNS ") "
                             "VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_int(&r, step->iteration);
  row_put_real(&r, step->cost);
  row_put_real(&r, step->lower);
  row_put_real(&r, step->upper);
  row_put_int(&r, step->n_candidates);
  row_put_real(&r, step->seconds_proposing);
  row_put_real(&r, step->seconds_estimating);
  row_put_real(&r, step->seconds_solving);
  row_put_real(&r, step->seconds_evaluating);
  row_next(&r);
  return row_close(&r);
}

int store_add_step(struct store *s, struct store_step *step, const struct store_new_clip *clips, struct diag *d)
{
  struct arena *scratch = arena_new();
  int *ids = ARENA_NEW(scratch, (size_t)step->n_clips, int), kept = 0;
  if (store_begin(s, d)) {
    int good = check_step(s, step, clips != NULL, d) && write_step(s, step, d);
    for (int i = 0; good && i < step->n_clips; i++) {
      ids[i] = step->clips[i];
      good = (ids[i] || write_new_clip(s, &clips[i], i, ids, d)) &&
             write_member(s, "INSERT INTO step_clip VALUES (?, ?, ?)", step->iteration, i, ids[i], d);
    }
    kept = store_end(s, good, d);
  }
  for (int i = 0; kept && i < step->n_clips; i++)
    step->clips[i] = ids[i];
  arena_free(scratch);
  return kept;
}

static void get_step(struct row *r, struct store_step *step)
{
  step->iteration = (int)row_int(r);
  step->cost = row_real(r);
  step->lower = row_real(r);
  step->upper = row_real(r);
  step->n_candidates = (int)row_int(r);
  step->seconds_proposing = row_real(r);
  step->seconds_estimating = row_real(r);
  step->seconds_solving = row_real(r);
  step->seconds_evaluating = row_real(r);
}

static int get_step_clips(struct arena *arena, struct store *s, struct store_step *step, struct diag *d)
{
  sqlite3_int64 room = find_number(s, "SELECT count(*) FROM step_clip WHERE iteration = ?", 1, &step->iteration, d);
  if (room < 0)
    return 0;
  step->clips = ARENA_NEW(arena, (size_t)room, int);
  struct row r = row_open(s, "SELECT clip FROM step_clip WHERE iteration = ? ORDER BY place", d);
  row_put_int(&r, step->iteration);
  while (step->n_clips < room && row_next(&r))
    step->clips[step->n_clips++] = (int)row_int(&r);
  return row_close(&r);
}

struct store_step *store_list_steps(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d))
    return NULL;
  int good = read_count(s, "SELECT count(*) FROM step WHERE ? = 0", 0, &room, d);
  struct store_step *list = ARENA_NEW(arena, (size_t)room, struct store_step);
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT " STEP_COLUMNS " FROM step ORDER BY iteration", d);
  while (good && *n < room && row_next(&r)) {
    struct store_step *step = &list[(*n)++];
    get_step(&r, step);
    good = get_step_clips(arena, s, step, d);
  }
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

/* ---- for those who watch ---- */

static int write_progress(struct store *s, const char *time, const char *words, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  struct row r = row_open(s, "INSERT OR REPLACE INTO progress VALUES (1, ?, ?)", d);
  row_put_text(&r, time);
  row_put_text(&r, words);
  row_next(&r);
  return store_end(s, row_close(&r), d);
}

int store_heartbeat(struct store *s, const char *time, const char *words)
{
  sqlite3_int64 patience = 0; /* as it was [ms] */
  struct diag unheard;
  diag_init(&unheard);
  int written = store_number(s, "PRAGMA busy_timeout", &patience, &unheard);
  store_set_patience(s, HEARTBEAT_PATIENCE);
  written = written && write_progress(s, time, words, &unheard);
  store_set_patience(s, (double)patience / 1000);
  diag_clear(&unheard);
  return written;
}

int store_get_progress(struct arena *arena, struct store *s, struct store_progress *out, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT time, words FROM progress", d);
  int there = row_next(&r);
  *out = (struct store_progress){"", ""};
  if (there) {
    out->time = row_text(&r, arena);
    out->words = row_text(&r, arena);
  }
  return row_close(&r) ? there : -1;
}

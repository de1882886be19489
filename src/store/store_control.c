/* The run file: control graphs. A file of version 4 or less that is open for reading has no table of them; one of
 * version 5 or 6 has the settings as a sentence, which is taken apart here. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/controls.h"
#include "store/room.h"

#define SINCE_VERSION 5
#define COLUMNS                                                                                                        \
  "id, teacher, seed, skill, samples_first, samples, saved, visits, value_weight, refine, cycles_first, iteration, "   \
  "n_iterations, seconds, residual, success, robustness"

/* ---- sentences of versions 5 and 6 ----
 *
 *     seed 1[, skill NAME]
 *     seed 1, 200 visits[, skill NAME]
 *     seed 1, 40 then 40 samples, 4 saved, 100 visits, value 10[, refined][, 3 of cycles first][, skill NAME] */

/* The number before or after a word of a sentence; 0 if the word is not in it. */
static double number_before(const char *words, const char *end, const char *word)
{
  const char *at = strstr(words, word);
  if (!at || at >= end)
    return 0;
  while (at > words && at[-1] != ' ' && at[-1] != ',')
    at--;
  return strtod(at, NULL);
}

static double number_after(const char *words, const char *end, const char *word)
{
  const char *at = strstr(words, word);
  return at && at < end ? strtod(at + strlen(word), NULL) : 0;
}

/* control_setting(SENTENCE, NAME), for SQL: the setting of that name, NULL for a skill that there is not. */
static void get_setting(sqlite3_context *context, int n, sqlite3_value **arguments)
{
  const char *words = (const char *)sqlite3_value_text(arguments[0]),
              *name = (const char *)sqlite3_value_text(arguments[1]);
  (void)n;
  if (!words || !name)
    return;
  const char *skill = strstr(words, "skill "), *end = skill ? skill : words + strlen(words);
  if (!strcmp(name, "skill") && skill)
    sqlite3_result_text(context, skill + 6, -1, SQLITE_TRANSIENT);
  else if (!strcmp(name, "seed"))
    sqlite3_result_int64(context, (sqlite3_int64)strtoull(strncmp(words, "seed ", 5) ? "0" : words + 5, NULL, 10));
  else if (!strcmp(name, "samples_first"))
    sqlite3_result_int(context, (int)number_before(words, end, " then "));
  else if (!strcmp(name, "samples"))
    sqlite3_result_int(context, (int)number_before(words, end, " samples"));
  else if (!strcmp(name, "saved"))
    sqlite3_result_int(context, (int)number_before(words, end, " saved"));
  else if (!strcmp(name, "visits"))
    sqlite3_result_int(context, (int)number_before(words, end, " visits"));
  else if (!strcmp(name, "value_weight"))
    sqlite3_result_double(context, number_after(words, end, "value "));
  else if (!strcmp(name, "refine"))
    sqlite3_result_int(context, strstr(words, ", refined") && strstr(words, ", refined") < end);
  else if (!strcmp(name, "cycles_first"))
    sqlite3_result_int(context, (int)number_before(words, end, " of cycles first"));
}

int store_add_control_functions(struct store *s)
{
  return sqlite3_create_function(s->db, "control_setting", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, get_setting,
                                 NULL,
                                 NULL) == SQLITE_OK;
}

/* Where rows are read from: the table, or what an older one would be. */
static const char *source_of(struct store *s, struct diag *d)
{
  sqlite3_int64 version;
  return store_number(s, "PRAGMA user_version", &version, d) && version < 7 ? "(" STORE_OLD_CONTROLS ")"
         : "control_graph";
}

static struct row open_from(struct store *s, const char *before, const char *after, struct diag *d)
{
  char sql[1600];
  snprintf(sql, sizeof sql, "%s FROM %s %s", before, source_of(s, d), after);
  return row_open_since(s, SINCE_VERSION, sql, d);
}

/* ---- rows ---- */

int store_put_control(struct store *s, const struct store_control *c, struct diag *d)
{
  if (c->n_bytes < 1) {
    diag_error(d, s->path, 0, "the control graph is not written: it is empty");
    return 0;
  }
  if (!store_begin(s, d))
    return 0;
  struct row r = row_open(s,
                          "INSERT INTO control_graph (session, teacher, seed, skill, samples_first, samples, saved, "
                          "visits, value_weight, refine, cycles_first, iteration, n_iterations, seconds, residual, "
                          "success, robustness, bytes) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                          "?, ?, ?)", d);
  row_put_int(&r, s->session);
  row_put_text(&r, c->teacher);
  row_put_int(&r, (sqlite3_int64)c->seed);
  row_put_text(&r, c->skill);
  row_put_int(&r, c->samples_first);
  row_put_int(&r, c->samples);
  row_put_int(&r, c->saved);
  row_put_int(&r, c->visits);
  row_put_real(&r, c->value_weight);
  row_put_int(&r, c->refine);
  row_put_int(&r, c->cycles_first);
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
  c->seed = (uint64_t)row_int(r);
  c->skill = row_text(r, arena);
  c->skill = *c->skill ? c->skill : NULL;
  c->samples_first = (int)row_int(r);
  c->samples = (int)row_int(r);
  c->saved = (int)row_int(r);
  c->visits = (int)row_int(r);
  c->value_weight = row_real(r);
  c->refine = (int)row_int(r);
  c->cycles_first = (int)row_int(r);
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
  struct row r = open_from(s, "SELECT " COLUMNS ", bytes", "WHERE teacher = coalesce(?, teacher) ORDER BY id DESC "
                                                           "LIMIT 1",
                           d);
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
  struct row count = open_from(s, "SELECT count(*)", "", d);
  sqlite3_int64 room = row_next(&count) ? row_int(&count) : 0;
  int good = row_close(&count);
  struct store_control *list = ARENA_NEW(arena, (size_t)room + 1, struct store_control);
  struct row r = open_from(s, "SELECT " COLUMNS, "ORDER BY id", d);
  while (*n < room && row_next(&r))
    get_columns(&r, arena, &list[(*n)++]);
  good &= row_close(&r);
  store_end(s, 0, d);
  return good ? list : NULL;
}

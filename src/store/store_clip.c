/* The run file: its clips. Files of version 7 and older know no ground but level one. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "store/room.h"

#define SINCE_VERSION 8   /* there is a table of surfaces */
#define MAX_COUNT 1000000 /* frames, dofs or points of a clip that may be believed */
#define CLIP_COLUMNS                                                                                                 \
  "clip.name, clip.gait, clip.gait_after, clip.n_frames, clip.n_dofs, clip.n_points, clip.cyclic, clip.dt, "         \
  "clip.speed, clip.strafe, clip.turn, clip.advance_x, clip.advance_y, clip.advance_yaw, clip.from_clip, "           \
  "clip.from_frame, clip.to_clip, clip.to_frame"
#define SUMMARY_COLUMNS                                                                                              \
  "summary.period, summary.stride, summary.speed, summary.cost_of_transport, summary.peak_torque, "                  \
  "summary.peak_torque_dof, summary.peak_force, summary.peak_force_point, summary.lowest_root"

/* Words of the file, which stay when an enum changes. */
static const char *const solve_words[] = {[SPACETIME_SOLVED] = "solved",
                                          [SPACETIME_REFUSED] = "refused",
                                          [SPACETIME_FAILED] = "failed",
                                          [SPACETIME_REJECTED] = "rejected",
                                          [SPACETIME_STOPPED] = "stopped",
                                          NULL};
static const char *const solver_words[] = {[NLP_SOLVED] = "solved",
                                           [NLP_ACCEPTABLE] = "acceptable",
                                           [NLP_INFEASIBLE] = "infeasible",
                                           [NLP_ITERATIONS] = "too many iterations",
                                           [NLP_TIME] = "out of time",
                                           [NLP_STOPPED] = "stopped",
                                           [NLP_ASTRAY] = "led astray",
                                           [NLP_NUMBERS] = "not a number",
                                           [NLP_FAILED] = "failed",
                                           NULL};

/* Index of a word; that of the last one for a word that this program does not know. */
static int find_word(const char *const *words, const char *word)
{
  int i = 0;
  while (words[i + 1] && strcmp(words[i], word) != 0)
    i++;
  return i;
}

/* ---- numbers as bytes, the same on every machine ---- */

static size_t count(const struct clip *c, int per_frame)
{
  return (size_t)c->n_frames * (size_t)per_frame;
}

/* ---- writing ---- */

static int all_finite(const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return 0;
  return 1;
}

/* 0 after an error: what no clip of this run file can be. */
static int check_clip(struct store *s, const struct clip *c, struct diag *d)
{
  const double numbers[] = {c->dt, c->speed, c->strafe, c->turn, c->advance.x, c->advance.y, c->advance.yaw,
                            c->ground.rise[0], c->ground.rise[1]};
  sqlite3_int64 n_dofs, n_points;
  if (!store_number(s, "SELECT n_dofs FROM creature", &n_dofs, d) ||
      !store_number(s, "SELECT n_points FROM creature", &n_points, d))
    return 0;
  if (c->n_frames < 1 || c->n_dofs != n_dofs || c->n_points != n_points)
    diag_error(d, s->path, 0,
               "clip '%s' has %d frames, %d dofs and %d contact points; the file's creature has %lld and %lld",
               c->name, c->n_frames, c->n_dofs, c->n_points, (long long)n_dofs, (long long)n_points);
  else if (!all_finite(numbers, sizeof numbers / sizeof *numbers) || !all_finite(c->q, count(c, c->n_dofs)) ||
           !all_finite(c->force, 3 * count(c, c->n_points)))
    diag_error(d, s->path, 0, "clip '%s' is not written: it has numbers that are not finite", c->name);
  else
    return 1;
  return 0;
}

static void put_columns(struct row *r, const struct clip *c)
{
  row_put_text(r, c->name);
  row_put_text(r, c->gait);
  row_put_text(r, c->gait_after);
  row_put_int(r, c->n_frames);
  row_put_int(r, c->n_dofs);
  row_put_int(r, c->n_points);
  row_put_int(r, c->cyclic);
  row_put_real(r, c->dt);
  row_put_real(r, c->speed);
  row_put_real(r, c->strafe);
  row_put_real(r, c->turn);
  row_put_real(r, c->advance.x);
  row_put_real(r, c->advance.y);
  row_put_real(r, c->advance.yaw);
  row_put_int(r, c->from.clip);
  row_put_int(r, c->from.frame);
  row_put_int(r, c->to.clip);
  row_put_int(r, c->to.frame);
}

/* Its id, 0 after an error. */
static sqlite3_int64 write_clip(struct store *s, const struct clip *c, struct diag *d)
{
  struct arena *scratch = arena_new();
  size_t n_q = count(c, c->n_dofs), n_contact = count(c, c->n_points);
  struct row r = row_open(s,
                          "INSERT INTO clip (name, gait, gait_after, n_frames, n_dofs, n_points, cyclic, dt, speed, "
                          "strafe, turn, advance_x, advance_y, advance_yaw, from_clip, from_frame, to_clip, to_frame, "
                          "session, q, force, contact) "
                          "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?, ?)",
                          d);
  put_columns(&r, c);
  row_put_int(&r, s->session);
  row_put_bytes(&r, bytes_of_reals(scratch, c->q, n_q), 8 * n_q);
  row_put_bytes(&r, bytes_of_reals(scratch, c->force, 3 * n_contact), 24 * n_contact);
  row_put_bytes(&r, c->contact, n_contact);
  row_next(&r);
  sqlite3_int64 id = sqlite3_last_insert_rowid(s->db);
  arena_free(scratch);
  return row_close(&r) ? id : 0;
}

/* Of a clip on level ground there is nothing to say. */
static int write_surface(struct store *s, sqlite3_int64 id, const struct clip *c, struct diag *d)
{
  if (surface_is_level(&c->ground))
    return 1;
  struct row r = row_open(s, "INSERT INTO surface VALUES (?, ?, ?)", d);
  row_put_int(&r, id);
  row_put_real(&r, c->ground.rise[0]);
  row_put_real(&r, c->ground.rise[1]);
  row_next(&r);
  return row_close(&r);
}

static int write_summary(struct store *s, sqlite3_int64 id, const struct clip_summary *m, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO summary VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, id);
  row_put_real(&r, m->period);
  row_put_real(&r, m->stride);
  row_put_real(&r, m->speed);
  row_put_real(&r, m->cost_of_transport);
  row_put_real(&r, m->peak_torque);
  row_put_int(&r, m->peak_torque_dof);
  row_put_real(&r, m->peak_force);
  row_put_int(&r, m->peak_force_point);
  row_put_real(&r, m->lowest_root);
  row_next(&r);
  return row_close(&r);
}

static int write_history(struct store *s, sqlite3_int64 id, const struct spacetime_report *p, struct diag *d)
{
  int good = 1;
  for (int i = 0; good && i < p->n_history; i++) {
    struct row r = row_open(s, "INSERT INTO iteration VALUES (?, ?, ?, ?, ?, ?)", d);
    row_put_int(&r, id);
    row_put_int(&r, i);
    row_put_int(&r, p->history[i].iteration);
    row_put_real(&r, p->history[i].objective);
    row_put_real(&r, p->history[i].infeasibility);
    row_put_real(&r, p->history[i].dual_infeasibility);
    row_next(&r);
    good = row_close(&r);
  }
  return good;
}

static int write_report(struct store *s, sqlite3_int64 id, const struct spacetime_report *p, struct diag *d)
{
  struct row r = row_open(s, "INSERT INTO solve VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", d);
  row_put_int(&r, id);
  row_put_text(&r, solve_words[p->status]);
  row_put_text(&r, p->reason);
  row_put_int(&r, p->n_vars);
  row_put_int(&r, p->n_rows);
  row_put_real(&r, p->seconds);
  row_put_int(&r, p->solves);
  row_put_int(&r, p->half_cycle);
  row_put_real(&r, p->cost);
  row_put_text(&r, solver_words[p->nlp.status]);
  row_put_int(&r, p->nlp.iterations);
  row_put_real(&r, p->nlp.objective);
  row_put_real(&r, p->nlp.infeasibility);
  row_put_real(&r, p->nlp.seconds);
  row_put_real(&r, p->nlp.seconds_evaluating);
  row_put_real(&r, p->nlp.seconds_hessian);
  row_next(&r);
  return row_close(&r) && write_history(s, id, p, d);
}

static int write_verification(struct store *s, sqlite3_int64 id, const struct verify_report *v, struct diag *d)
{
  int good = 1;
  for (int i = 0; good && i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &v->lines[i];
    struct row r = row_open(s, "INSERT INTO verification VALUES (?, ?, ?, ?, ?, ?, ?, ?)", d);
    row_put_int(&r, id);
    row_put_int(&r, i);
    row_put_text(&r, l->what);
    row_put_real(&r, l->value);
    row_put_real(&r, l->bar);
    row_put_int(&r, l->frame);
    row_put_text(&r, l->where);
    row_put_int(&r, l->passed);
    row_next(&r);
    good = row_close(&r);
  }
  return good;
}

sqlite3_int64 store_write_clip(struct store *s, const struct clip *clip, const struct store_record *about,
                               struct diag *d)
{
  static const struct store_record nothing = {0};
  const struct store_record *a = about ? about : &nothing;
  sqlite3_int64 id = check_clip(s, clip, d) ? write_clip(s, clip, d) : 0;
  int good = id > 0 && write_surface(s, id, clip, d) && (!a->summary || write_summary(s, id, a->summary, d)) &&
             (!a->report || write_report(s, id, a->report, d)) &&
             (!a->verification || write_verification(s, id, a->verification, d));
  return good ? id : 0;
}

int store_add_clip(struct store *s, const struct clip *clip, const struct store_record *about, struct diag *d)
{
  if (!store_begin(s, d))
    return 0;
  sqlite3_int64 id = store_write_clip(s, clip, about, d);
  return store_end(s, id > 0, d) ? (int)id : 0;
}

/* ---- reading ---- */

static void get_columns(struct row *r, struct clip *c, struct arena *arena)
{
  c->name = row_text(r, arena);
  c->gait = row_text(r, arena);
  c->gait_after = row_text(r, arena);
  c->n_frames = (int)row_int(r);
  c->n_dofs = (int)row_int(r);
  c->n_points = (int)row_int(r);
  c->cyclic = (int)row_int(r);
  c->dt = row_real(r);
  c->speed = row_real(r);
  c->strafe = row_real(r);
  c->turn = row_real(r);
  c->advance.x = row_real(r);
  c->advance.y = row_real(r);
  c->advance.yaw = row_real(r);
  c->from.clip = (int)row_int(r);
  c->from.frame = (int)row_int(r);
  c->to.clip = (int)row_int(r);
  c->to.frame = (int)row_int(r);
}

static int is_count(int n, int least)
{
  return n >= least && n <= MAX_COUNT;
}

/* The frames, if they are as many as the columns say: 0 if not. */
static int get_frames(struct row *r, struct clip *c, struct arena *arena)
{
  size_t n_q, n_force, n_contact;
  const unsigned char *q = row_bytes(r, &n_q), *force = row_bytes(r, &n_force), *contact = row_bytes(r, &n_contact);
  sqlite3_int64 n_dofs = row_int(r), n_points = row_int(r);
  if (!is_count(c->n_frames, 1) || !is_count(c->n_dofs, 1) || !is_count(c->n_points, 0) || c->n_dofs != n_dofs ||
      c->n_points != n_points || n_q != 8 * count(c, c->n_dofs) || n_force != 24 * count(c, c->n_points) ||
      n_contact != count(c, c->n_points) || !(c->dt > 0))
    return 0;
  c->q = bytes_get_reals(&(struct bytes_reader){.at = q, .left = n_q, .arena = arena}, n_q / 8);
  c->force = bytes_get_reals(&(struct bytes_reader){.at = force, .left = n_force, .arena = arena}, n_force / 8);
  c->contact = arena_alloc(arena, n_contact, 1);
  if (n_contact)
    memcpy(c->contact, contact, n_contact);
  return all_finite(c->q, n_q / 8) && all_finite(c->force, n_force / 8);
}

static int get_surface(struct store *s, int id, struct clip *c, struct diag *d)
{
  struct row r = row_open_since(s, SINCE_VERSION, "SELECT rise_x, rise_y FROM surface WHERE clip = ?", d);
  row_put_int(&r, id);
  if (row_next(&r)) {
    c->ground.rise[0] = row_real(&r);
    c->ground.rise[1] = row_real(&r);
  }
  int good = row_close(&r), finite = isfinite(c->ground.rise[0]) && isfinite(c->ground.rise[1]);
  if (good && !finite)
    diag_error(d, s->path, 0, "the file is damaged: the ground of clip %d, '%s', is none", id, c->name);
  return good && finite;
}

struct clip *store_get_clip(struct arena *arena, struct store *s, int id, struct diag *d)
{
  struct clip *clip = ARENA_NEW(arena, 1, struct clip);
  struct row r = row_open(s, "SELECT " CLIP_COLUMNS ", q, force, contact, creature.n_dofs, creature.n_points "
                             "FROM clip, creature WHERE clip.id = ?", d);
  int whole = 0;
  row_put_int(&r, id);
  if (row_next(&r)) {
    get_columns(&r, clip, arena);
    whole = get_frames(&r, clip, arena);
    if (!whole)
      diag_error(d, s->path, 0, "the file is damaged: clip %d, '%s', is not whole", id, clip->name);
  } else if (r.statement) {
    diag_error(d, s->path, 0, "there is no clip %d in this run file", id);
  }
  row_close(&r);
  return whole && get_surface(s, id, clip, d) ? clip : NULL;
}

int store_get_neighbours(struct arena *arena, struct store *s, const struct clip *clip, struct verify_neighbours *out,
                         struct diag *d)
{
  int from = clip->cyclic ? 0 : clip->from.clip, to = clip->cyclic ? 0 : clip->to.clip;
  *out = (struct verify_neighbours){.from_frame = clip->from.frame, .to_frame = clip->to.frame};
  out->from = from ? store_get_clip(arena, s, from, d) : NULL;
  out->to = to ? store_get_clip(arena, s, to, d) : NULL;
  return (!from || out->from) && (!to || out->to);
}

static void get_summary(struct row *r, struct clip_summary *m)
{
  m->period = row_real(r);
  m->stride = row_real(r);
  m->speed = row_real(r);
  m->cost_of_transport = row_real(r);
  m->peak_torque = row_real(r);
  m->peak_torque_dof = (int)row_int(r);
  m->peak_force = row_real(r);
  m->peak_force_point = (int)row_int(r);
  m->lowest_root = row_real(r);
}

static const struct clip_summary *read_summary(struct arena *arena, struct store *s, int id, struct diag *d)
{
  struct clip_summary *m = NULL;
  struct row r = row_open(s, "SELECT " SUMMARY_COLUMNS " FROM summary WHERE clip = ?", d);
  row_put_int(&r, id);
  if (row_next(&r)) {
    m = ARENA_NEW(arena, 1, struct clip_summary);
    get_summary(&r, m);
  }
  row_close(&r);
  return m;
}

static void get_report(struct row *r, struct spacetime_report *p, struct arena *arena)
{
  p->status = (enum spacetime_status)find_word(solve_words, row_text(r, arena));
  strncpy(p->reason, row_text(r, arena), sizeof p->reason - 1);
  p->n_vars = (int)row_int(r);
  p->n_rows = (int)row_int(r);
  p->seconds = row_real(r);
  p->solves = (int)row_int(r);
  p->half_cycle = (int)row_int(r);
  p->cost = row_real(r);
  p->nlp.status = (enum nlp_status)find_word(solver_words, row_text(r, arena));
  p->nlp.iterations = (int)row_int(r);
  p->nlp.objective = row_real(r);
  p->nlp.infeasibility = row_real(r);
  p->nlp.seconds = row_real(r);
  p->nlp.seconds_evaluating = row_real(r);
  p->nlp.seconds_hessian = row_real(r);
}

static void read_history(struct store *s, int id, struct spacetime_report *p, struct diag *d)
{
  int room = (int)(sizeof p->history / sizeof *p->history);
  struct row r = row_open(s, "SELECT iteration, objective, infeasibility, dual_infeasibility FROM iteration "
                             "WHERE clip = ? ORDER BY step", d);
  row_put_int(&r, id);
  while (p->n_history < room && row_next(&r)) {
    struct spacetime_iteration *h = &p->history[p->n_history++];
    h->iteration = (int)row_int(&r);
    h->objective = row_real(&r);
    h->infeasibility = row_real(&r);
    h->dual_infeasibility = row_real(&r);
  }
  row_close(&r);
}

static const struct spacetime_report *read_report(struct arena *arena, struct store *s, int id, struct diag *d)
{
  struct spacetime_report *p = NULL;
  struct row r = row_open(s, "SELECT status, reason, n_vars, n_rows, seconds, solves, half_cycle, cost, solver_status, "
                             "iterations, objective, infeasibility, solver_seconds, seconds_evaluating, "
                             "seconds_hessian FROM solve WHERE clip = ?", d);
  row_put_int(&r, id);
  if (row_next(&r)) {
    p = ARENA_NEW(arena, 1, struct spacetime_report);
    get_report(&r, p, arena);
  }
  row_close(&r);
  if (p)
    read_history(s, id, p, d);
  return p;
}

int store_get_record(struct arena *arena, struct store *s, int id, struct store_record *out, struct diag *d)
{
  int before = d->n_errors;
  *out = (struct store_record){.summary = read_summary(arena, s, id, d), .report = read_report(arena, s, id, d)};
  return d->n_errors == before;
}

struct store_line *store_list_clips(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  sqlite3_int64 room = 0;
  *n = 0;
  if (!store_run(s, "BEGIN", d)) /* the number and the list of one moment, though others write */
    return NULL;
  int good = store_number(s, "SELECT count(*) FROM clip", &room, d);
  struct store_line *lines = ARENA_NEW(arena, (size_t)room, struct store_line);
  struct row r = row_open(s, "SELECT clip.id, "
                             "ifnull((SELECT min(passed) FROM verification v WHERE v.clip = clip.id), -1), "
                             "summary.clip IS NOT NULL, " CLIP_COLUMNS ", " SUMMARY_COLUMNS
                             " FROM clip LEFT JOIN summary ON summary.clip = clip.id ORDER BY clip.id", d);
  while (*n < room && row_next(&r)) {
    struct store_line *l = &lines[(*n)++];
    l->id = (int)row_int(&r);
    l->verified = (int)row_int(&r);
    l->has_summary = (int)row_int(&r);
    get_columns(&r, &l->clip, arena);
    if (l->has_summary)
      get_summary(&r, &l->summary);
  }
  good &= row_close(&r);
  for (int i = 0; i < *n && good; i++)
    good = get_surface(s, lines[i].id, &lines[i].clip, d);
  store_end(s, 0, d);
  return good ? lines : NULL;
}

/* ---- finding ---- */

static int is_number(const char *text)
{
  size_t digits = strspn(text, "0123456789");
  return digits > 0 && digits < 10 && text[digits] == '\0';
}

/* "; did you mean 'walk'?", of all names that there are. */
static struct text_phrase suggest(struct arena *arena, const char *which, const struct store_line *lines, int n)
{
  const char **names = ARENA_NEW(arena, (size_t)n + 1, const char *);
  int known = 0;
  for (int i = 0, k; i < n; i++) {
    for (k = 0; k < known && strcmp(names[k], lines[i].clip.name) != 0; k++) {}
    names[k] = lines[i].clip.name;
    known += k == known;
  }
  return text_suggest(which, names);
}

static int find_in(struct arena *arena, struct store *s, const char *which, const struct store_line *lines, int n,
                   struct diag *d)
{
  int found = 0, first = 0, last = 0;
  for (int i = 0; i < n; i++) {
    int same = !which || (is_number(which) ? lines[i].id == atoi(which) : strcmp(lines[i].clip.name, which) == 0);
    if (same && found++ == 0)
      first = lines[i].id;
    if (same)
      last = lines[i].id;
  }
  if (n == 0)
    diag_error(d, s->path, 0, "there are no clips in this run file");
  else if (!found && is_number(which))
    diag_error(d, s->path, 0, "there is no clip %s; they go from %d to %d", which, lines[0].id, lines[n - 1].id);
  else if (!found)
    diag_error(d, s->path, 0, "there is no clip '%s'%s", text_clip(which).word,
               suggest(arena, which, lines, n).words);
  else if (which && found > 1)
    diag_error(d, s->path, 0, "there are %d clips '%s', the first %d, the last %d; say which by its number", found,
               text_clip(which).word, first, last);
  else
    return first;
  return 0;
}

int store_find_clip(struct store *s, const char *which, struct diag *d)
{
  struct arena *scratch = arena_new();
  int n, id = 0;
  const struct store_line *lines = store_list_clips(scratch, s, &n, d);
  if (lines)
    id = find_in(scratch, s, which, lines, n, d);
  arena_free(scratch);
  return id;
}

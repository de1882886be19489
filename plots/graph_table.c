/* The clips of a controller as a table. See plots/graph_table.h. */
#include "plots/graph_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plots/choices.h"

#define TEXT 7.5
#define ROW 10.5
#define ROWS_MAX 110

/* ---- which rows, in which order ---- */

struct row { int clip, mirror; struct choice choice; double key[5]; };

/* Cyclic clips first; then by the clips that they lead from and to, by size of the turn, mirror images together. */
static int compare_rows(const void *a, const void *b)
{
  const struct row *x = a, *y = b;
  for (int i = 0; i < 5; i++)
    if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
  return x->clip < y->clip ? -1 : x->clip > y->clip;
}

static struct row *rows_of(struct arena *arena, const struct motion_graph *g, int *n)
{
  struct row *rows = ARENA_NEW(arena, (size_t)g->n_clips + 1, struct row);
  int *mirror = ARENA_NEW(arena, (size_t)g->n_clips + 1, int);
  choice_mirrors(g, mirror);
  *n = 0;
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *clip = g->clips[i].clip;
    if (g->use[i] != GRAPH_USED) continue;
    int first = mirror[i] >= 0 && mirror[i] < i ? mirror[i] : i;
    rows[(*n)++] = (struct row){i, mirror[i], choice_of_clip(clip),
                                {clip->cyclic ? 0.0 : 1.0, clip->from.clip, clip->to.clip,
                                 floor(1e3 * fabs(clip->turn) + 0.5), clip->cyclic ? i : first}};
  }
  qsort(rows, (size_t)*n, sizeof *rows, compare_rows);
  return rows;
}

/* ---- drawing ---- */

enum column { CLIP, TURN, WAY, FRAMES, RATE, SHARE, N_COLUMNS };
static const double ends[N_COLUMNS] = {90.0, 126.0, 175.0, 195.0, 232.0, GRAPH_TABLE_WIDTH};
static const char *const heads[N_COLUMNS] = {"clip", "turn", "way", "s", "per min", "time"};

struct table { struct canvas *cv; const struct controller *c; struct xy at; struct theme theme; };

static void cell(const struct table *t, double y, enum column column, const struct font *f, const char *text)
{
  double from = column > 0 ? ends[column - 1] + 3.0 : 22.0, right = t->at.x + ends[column];
  if (column == CLIP)
    text_fit(t->cv, f, (struct xy){t->at.x + from, y}, ends[CLIP] - from, ALIGN_LEFT, text);
  else
    text_fit(t->cv, f, (struct xy){right, y}, ends[column] - from, ALIGN_RIGHT, text);
}

static char *percent(struct arena *arena, double share)
{
  return share > 0.0 && share < 5e-4 ? arena_printf(arena, "<0.1 %%") : arena_printf(arena, "%.1f %%", 100.0 * share);
}

/* How often one of its frames is shown, on average: for a transition, how often it is taken. */
static double per_minute(const struct controller *c, int clip)
{
  const struct clip *k = c->graph->clips[clip].clip;
  int shown = k->cyclic ? k->n_frames : k->n_frames - 2;
  return 60.0 * c->clip_share[clip] / (shown > 0 ? shown : 1) / k->dt;
}

static void draw_row(const struct table *t, const struct row *r, double y)
{
  struct arena *arena = canvas_arena(t->cv);
  const struct graph_clip *g = &t->c->graph->clips[r->clip];
  const struct clip *clip = g->clip;
  double rate = per_minute(t->c, r->clip);
  struct font f = {.size = TEXT, .colour = rate > 0.0 ? t->theme.ink : t->theme.muted};
  struct pen sign = {.colour = clip->cyclic ? t->theme.ink : choice_hue(&r->choice), .width = 2.0,
                     .dash = rate > 0.0 ? 0.0 : 2.0};
  struct xy at = {t->at.x + 10.0, y - 0.36 * TEXT};
  canvas_line(t->cv, at, (struct xy){at.x + 8.0, at.y}, &sign);
  cell(t, y, CLIP, &f, arena_printf(arena, "%d %s", g->id, text_clean(arena, clip->name ? clip->name : "", 1)));
  cell(t, y, TURN, &f, clip->cyclic ? "" : choice_turn(arena, clip->turn));
  cell(t, y, WAY, &f, clip->cyclic ? arena_printf(arena, "%s m/s", text_number3(arena, clip->speed))
                                   : arena_printf(arena, "%d:%d\xe2\x80\x93%d:%d", clip->from.clip, clip->from.frame,
                                                  clip->to.clip, clip->to.frame));
  int shown = clip->cyclic ? clip->n_frames : clip->n_frames - 2;
  cell(t, y, FRAMES, &f, arena_printf(arena, "%.2f", shown * clip->dt));
  cell(t, y, RATE, &f, rate >= 5e-3 ? text_number3(arena, rate) : rate > 0.0 ? "<0.01" : "never");
  cell(t, y, SHARE, &f, percent(arena, t->c->clip_share[r->clip]));
}

/* Joins a row and the next. */
static void draw_bracket(const struct table *t, double y)
{
  double x = t->at.x + 1.0, top = y - 0.36 * TEXT;
  path_move(t->cv, x + 4.0, top);
  path_line(t->cv, x, top);
  path_line(t->cv, x, top + ROW);
  path_line(t->cv, x + 4.0, top + ROW);
  canvas_paint(t->cv, NULL, &(struct pen){.colour = t->theme.muted, .width = 0.7});
}

static void draw_head(const struct table *t, double y)
{
  struct font f = {.size = TEXT, .bold = 1, .colour = t->theme.ink};
  struct pen rule = {.colour = t->theme.muted, .width = 0.6};
  for (int i = 0; i < N_COLUMNS; i++) cell(t, y, (enum column)i, &f, heads[i]);
  canvas_line(t->cv, (struct xy){t->at.x, y + 3.0}, (struct xy){t->at.x + GRAPH_TABLE_WIDTH, y + 3.0}, &rule);
}

double graph_table_draw(struct canvas *cv, const struct controller *c, struct xy at, const struct theme *theme,
                        int draw)
{
  int n, pairs = 0;
  struct arena *arena = canvas_arena(cv);
  const struct row *rows = rows_of(arena, c->graph, &n);
  int shown = n < ROWS_MAX ? n : ROWS_MAX;
  struct table t = {cv, c, at, *theme};
  struct font f = {.size = TEXT, .colour = theme->muted};
  double y = at.y + TEXT;
  if (draw) draw_head(&t, y);
  y += 3.0;
  for (int i = 0; i < shown; i++) {
    y += ROW;
    int pair = i + 1 < shown && rows[i].mirror == rows[i + 1].clip;
    pairs += pair;
    if (draw) draw_row(&t, &rows[i], y);
    if (draw && pair) draw_bracket(&t, y);
  }
  char *note = arena_printf(arena, "%s%sway: from clip:frame to clip:frame. s: how long. time: share of all.",
                            n > shown ? arena_printf(arena, "And %d more. ", n - shown) : "",
                            pairs ? "Joined by a bracket: mirror images. " : "");
  struct paragraph lines = {.width = GRAPH_TABLE_WIDTH, .most = 3, .draw = draw};
  y += 1.5 * ROW;
  return y + TEXT_LEADING * TEXT * text_wrap(cv, &f, (struct xy){at.x, y}, &lines, note) - at.y;
}

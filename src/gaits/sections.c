/* Gaits as text. See gaits/sections.h. */
#include "gaits/sections.h"

#include <math.h>
#include <string.h>

#include "base/text_lex.h"

#define SAME 1e-9 /* of a cycle: phases are not nearer than this without being the same */

/* ---- writing ---- */

static const char *section_interval(struct arena *arena, const struct gait *g, int p)
{
  const char *text = NULL;
  for (int i = 0; i < g->n_intervals[p]; i++)
    text = arena_printf(arena, "%s%s%.4g, %.4g", text ? text : "", text ? ", " : "", g->on[p][i].from,
                        g->on[p][i].until);
  return text;
}

static int section_shifted(const struct gait *g, int p, int q, double lag)
{
  if (g->n_intervals[p] != 1 || g->n_intervals[q] != 1)
    return g->n_intervals[p] == 0 && g->n_intervals[q] == 0;
  struct interval a = g->on[p][0], b = g->on[q][0];
  int whole = a.from == 0 && a.until == 1;
  double from = a.from + lag - b.from, until = a.until + lag - b.until;
  return whole ? b.from == 0 && b.until == 1
               : fabs(from - round(from)) < SAME && fabs(until - round(until)) < SAME;
}

/* Does the right foot do what the left one does, later by the gait's lag, as in a file that names both in one? */
static int section_lags(const struct creature *c, const struct gait *g, int foot)
{
  const struct foot *f = &c->feet[foot];
  for (int i = f->first_point; i < f->first_point + f->n_points; i++)
    if (!section_shifted(g, i, c->points[i].mirror, g->right_lag))
      return 0;
  return 1;
}

static int section_points_agree(const struct creature *c, const struct gait *g, int foot)
{
  const struct foot *f = &c->feet[foot];
  for (int i = f->first_point + 1; i < f->first_point + f->n_points; i++)
    if (!section_shifted(g, f->first_point, i, 0))
      return 0;
  return 1;
}

/* The lines of one foot, under this name. */
static const char *section_of_foot(struct arena *arena, const struct creature *c, const struct gait *g, int foot,
                                   const char *name, const char *text)
{
  const struct foot *f = &c->feet[foot];
  int agree = section_points_agree(c, g, foot);
  for (int i = f->first_point; i < f->first_point + (agree ? 1 : f->n_points); i++) {
    const char *dot = strchr(c->points[i].name, '.'), *on = section_interval(arena, g, i);
    if (on)
      text = arena_printf(arena, "%s  contact %s%s { on = {%s} }\n", text, name, agree || !dot ? "" : dot, on);
  }
  return text;
}

const char *sections_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, const char *comment)
{
  const char *text = arena_printf(arena, "%s%s%sgait %s {\n", comment ? "# " : "", comment ? comment : "",
                                  comment ? "\n" : "", g->name);
  if (g->period_slow == g->period_fast)
    text = arena_printf(arena, "%s  period = %.4g", text, g->period_slow);
  else
    text = arena_printf(arena, "%s  period = {%.4g, %.4g}", text, g->period_slow, g->period_fast);
  text = arena_printf(arena, "%s  speed = {%.4g, %.4g}", text, g->speed_min, g->speed_max);
  text = arena_printf(arena, g->right_lag == 0.5 ? "%s\n" : "%s  right_lag = %.4g\n", text, g->right_lag);
  for (int i = 0; i < c->n_feet; i++) {
    const struct foot *f = &c->feet[i];
    if (f->mirror == i)
      text = section_of_foot(arena, c, g, i, f->name, text);
    else if (section_lags(c, g, i < f->mirror ? i : f->mirror)) /* left feet come first */
      text = i < f->mirror ? section_of_foot(arena, c, g, i, f->name + strlen("left_"), text) : text;
    else
      text = section_of_foot(arena, c, g, i, f->name, text);
  }
  return arena_printf(arena, "%s}\n", text);
}

/* ---- a text without them ---- */

static const char section_kind[] = "gait";

const char *sections_without_gaits(struct arena *arena, const char *file, const char *text, size_t length,
                                   const char *only, struct diag *d)
{
  struct text_lexer lex;
  if (!text_lex_open(arena, file, text, length, d, &lex))
    return NULL;
  char *out = ARENA_NEW(arena, length + 1, char);
  size_t n = 0, copied = 0, start = 0;
  int depth = 0, is_gait = 0;
  struct text_token before = {0}, first = {0};
  for (struct text_token t; (t = text_lex_next(&lex)).kind; before = t) {
    if (depth == 0 && t.kind == TEXT_WORD && (before.kind == 0 || before.kind != TEXT_WORD))
      first = t; /* of "kind name {" */
    if (t.kind == '{' && depth++ == 0) {
      is_gait = before.kind == TEXT_WORD && !strcmp(text_lex_word(arena, &lex, &first), section_kind) &&
                (!only || !strcmp(text_lex_word(arena, &lex, &before), only));
      start = first.from;
    } else if (t.kind == '}' && --depth == 0 && is_gait) {
      memcpy(out + n, text + copied, start - copied);
      n += start - copied;
      copied = t.until;
      is_gait = 0;
    }
  }
  memcpy(out + n, text + copied, length - copied);
  return out;
}

const char *sections_in_place(struct arena *arena, const char *file, const char *text, size_t length,
                              const char *sections, struct diag *d)
{
  const char *bare = sections_without_gaits(arena, file, text, length, NULL, d);
  return bare ? arena_printf(arena, "%s\n%s", bare, sections) : NULL;
}

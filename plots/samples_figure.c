/* A track on one page, part by part. See plots/samples_figure.h. */
#include "plots/samples_figure.h"

#include "plots/track_sheet.h"

struct part {
  unsigned which;
  double (*height)(const struct track_sheet *s);
  void (*draw)(const struct track_sheet *s, double top);
};

static const struct part parts[] = {
  {SAMPLES_COSTS, track_costs_height, track_costs_draw},
  {SAMPLES_TREE, track_tree_height, track_tree_draw},
  {SAMPLES_STRIPS, track_strips_height, track_strips_draw},
  {SAMPLES_FORCES, track_forces_height, track_forces_draw},
};
#define N_PARTS ((int)(sizeof parts / sizeof *parts))

static char *facts(const struct track_sheet *s)
{
  const struct judgement *j = &s->t->judgement;
  struct arena *arena = canvas_arena(s->cv);
  char *text = arena_printf(arena,
                            "%s; %s s, %d windows, %ld simulated; at worst height off by %s L, orientation %s rad, "
                            "foothold %s L, course %s L (L: the height of the root when it stands)",
                            j->success ? "tracked" : "not tracked", text_number3(arena,
                                s->seconds), s->t->reference->n_windows,
                            s->t->samples, text_number3(arena, j->height), text_number3(arena,
                                j->angle), text_number3(arena, j->foot),
                            text_number3(arena, j->course));
  return j->fault ? arena_printf(arena, "%s; first fault: %s", text, j->fault) : text;
}

struct canvas *samples_draw_parts(const char *title, const struct recording *t, unsigned which, const char *path,
                                  struct diag *d)
{
  struct track_sheet s = {.cv = canvas_open(path, d), .t = t, .theme = theme_paper(),
                          .seconds = reference_seconds(t->reference)};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.done = traces_new(arena, t->reference->creature, recording_clip(arena, t, "simulated"), path, d);
  s.wanted = s.done ? traces_new(arena, t->reference->creature, recording_reference_clip(arena, t, "reference"), path,
                                 d) : NULL;
  if (!s.wanted) {
    canvas_discard(s.cv);
    return NULL;
  }
  if (!t->windows) which &= ~(unsigned)(SAMPLES_COSTS | SAMPLES_TREE);
  struct page page = {.width = TRACK_WIDTH, .margin = TRACK_MARGIN, .theme = s.theme, .title = title,
                      .subtitle = facts(&s)};
  page.height = 2 * TRACK_MARGIN + page_head_height(s.cv, &page) + 8.0;
  for (int i = 0; i < N_PARTS; i++)
    if (parts[i].which & which) page.height += parts[i].height(&s);
  double top = page_start(s.cv, &page).y;
  for (int i = 0; i < N_PARTS; i++) {
    if (!(parts[i].which & which)) continue;
    parts[i].draw(&s, top);
    top += parts[i].height(&s);
  }
  return s.cv;
}

struct canvas *samples_draw(const char *title, const struct recording *t, const char *path, struct diag *d)
{
  return samples_draw_parts(title, t, SAMPLES_COSTS | SAMPLES_STRIPS | SAMPLES_FORCES, path, d);
}

int plot_samples(const char *title, const struct recording *t, const char *path, struct diag *d)
{
  struct canvas *cv = samples_draw(title, t, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

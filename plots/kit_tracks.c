/* The drawing kit: tracks, rows of horizontal bars over a common axis. See plots/kit.h. */
#include "plots/kit.h"

#include <math.h>

static double head_height(const struct tracks *t) { return t->notes_label ? TEXT_LEADING * t->size : 0.0; }
static double foot_height(const struct tracks *t) { return (t->axis_label ? 2.9 : 1.5) * t->size; }

double tracks_height(const struct tracks *t) { return head_height(t) + t->n * t->row_height + foot_height(t); }

/* Room for labels on the left, notes on the right, bars between. */
static struct rect bars_area(struct canvas *cv, const struct tracks *t, const struct font *f)
{
  double labels = 0.0, notes = t->notes_label ? text_width(cv, f, t->notes_label) : 0.0;
  for (int i = 0; i < t->n; i++) {
    if (t->rows[i].label) labels = fmax(labels, text_width(cv, f, t->rows[i].label));
    if (t->rows[i].note) notes = fmax(notes, text_width(cv, f, t->rows[i].note));
  }
  double gap = 0.7 * t->size, end = 0.8 * t->size; /* half of the axis' last label */
  double left = labels > 0.0 ? fmin(labels, 0.4 * t->width) + gap : end;
  double right = notes > 0.0 ? fmin(notes, 0.2 * t->width) + gap : end;
  return (struct rect){t->at.x + left, t->at.y + head_height(t), fmax(1.0, t->width - left - right),
                       t->n * t->row_height};
}

static double map(const struct tracks *t, struct rect area, double value)
{
  double share = (value - t->lo) / (t->hi - t->lo);
  return area.x + fmin(fmax(share, 0.0), 1.0) * area.w;
}

static void draw_axis(struct canvas *cv, const struct tracks *t, struct rect area, const struct font *f)
{
  struct pen thread = {.colour = t->theme.faint, .width = 0.6};
  struct ticks ticks;
  char label[48];
  ticks_choose(t->lo, t->hi, area.w > 16.0 * t->size ? 6 : 3, &ticks);
  for (int i = 0; i < ticks.n; i++) {
    double x = map(t, area, ticks.at[i]);
    canvas_line(cv, (struct xy){x, area.y}, (struct xy){x, area.y + area.h + 2.0}, &thread);
    ticks_label(&ticks, i, label, sizeof label);
    text_draw(cv, f, (struct xy){x, area.y + area.h + 1.4 * t->size}, ALIGN_CENTRE, label);
  }
  struct xy below = {area.x + 0.5 * area.w, area.y + area.h + 2.7 * t->size};
  if (t->axis_label) text_fit(cv, f, below, area.w, ALIGN_CENTRE, t->axis_label);
}

static void draw_row(struct canvas *cv, const struct tracks *t, int i, struct rect area, const struct font *f)
{
  const struct track *row = &t->rows[i];
  double top = area.y + i * t->row_height, thick = t->row_height > 3.0 ? 0.68 * t->row_height : 0.9 * t->row_height;
  for (int k = 0; k < row->n_bars; k++) {
    double from = map(t, area, row->bars[k].x), until = map(t, area, row->bars[k].y);
    if (until > from)
      canvas_box(cv, (struct rect){from, top + 0.5 * (t->row_height - thick), until - from, thick}, row->colour);
  }
  if (t->row_height < TRACKS_LABEL_ROW) return;
  double base = top + 0.5 * t->row_height + 0.36 * f->size, right = t->at.x + t->width, gap = 0.7 * t->size;
  if (row->label)
    text_fit(cv, f, (struct xy){area.x - gap, base}, area.x - gap - t->at.x + 0.1, ALIGN_RIGHT, row->label);
  if (row->note)
    text_fit(cv, f, (struct xy){right, base}, right - area.x - area.w - gap + 0.1, ALIGN_RIGHT, row->note);
}

struct rect tracks_area(struct canvas *cv, const struct tracks *t)
{
  struct font small = {.size = t->size, .colour = t->theme.muted};
  return bars_area(cv, t, &small);
}

void tracks_draw(struct canvas *cv, const struct tracks *t)
{
  struct font label = {.size = fmin(t->size, 0.85 * t->row_height), .colour = t->theme.ink};
  struct font small = {.size = t->size, .colour = t->theme.muted};
  struct rect area = bars_area(cv, t, &small);
  canvas_box(cv, area, t->theme.panel);
  draw_axis(cv, t, area, &small);
  for (int i = 0; i < t->n; i++) draw_row(cv, t, i, area, &label);
  struct pen frame = {.colour = t->theme.muted, .width = 0.6};
  path_rect(cv, area);
  canvas_paint(cv, NULL, &frame);
  double right = t->at.x + t->width;
  if (t->notes_label)
    text_fit(cv, &small, (struct xy){right, t->at.y + 0.8 * t->size}, right - area.x - area.w, ALIGN_RIGHT,
             t->notes_label);
}

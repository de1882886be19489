/* Bars of mean torque squares. See plots/torque_squares.h. */
#include "plots/torque_squares.h"

#include <math.h>
#include <string.h>

#define PAGE_WIDTH 620.0 /* [points] */
#define MARGIN 30.0
#define ROW 15.0
#define GAP 22.0         /* above a motion, with its name */
#define LABELS 130.0     /* width of the methods' names   */
#define NUMBERS 54.0
#define TEXT 9.0

static double greatest(const struct torque_squares *t)
{
  double most = 0;
  for (int i = 0; i < t->n; i++)
    if (t->bars[i].square > most && isfinite(t->bars[i].square)) most = t->bars[i].square;
  return most > 0 ? most : 1;
}

static int begins(const struct torque_squares *t, int i)
{
  return i == 0 || strcmp(t->bars[i].motion, t->bars[i - 1].motion) != 0;
}

/* The same method has the same colour everywhere: that of its first appearance. */
static struct colour colour_of(const struct torque_squares *t, int i)
{
  int kinds = 0;
  for (int k = 0; k <= i; k++) {
    int seen = 0;
    for (int j = 0; j < k; j++) seen |= !strcmp(t->bars[j].method, t->bars[k].method);
    if (!strcmp(t->bars[k].method, t->bars[i].method)) break;
    kinds += !seen;
  }
  return palette(1 + kinds);
}

static void draw_bar(struct canvas *cv, const struct torque_squares *t, int i, double y, const struct font *f)
{
  const struct torque_bar *b = &t->bars[i];
  double room = PAGE_WIDTH - 2.0 * MARGIN - LABELS - NUMBERS, x = MARGIN + LABELS;
  double length = isfinite(b->square) ? room * b->square / greatest(t) : 0;
  struct colour c = colour_of(t, i);
  text_fit(cv, f, (struct xy){x - 6.0, y + 10.0}, LABELS - 8.0, ALIGN_RIGHT, b->method);
  canvas_box(cv, (struct rect){x, y + 2.0, length, ROW - 4.0}, b->success ? c : colour_fade(c, 0.35));
  const char *number = isfinite(b->square) ? text_number3(canvas_arena(cv), b->square) : "none";
  text_fit(cv, f, (struct xy){x + length + 4.0, y + 10.0}, NUMBERS, ALIGN_LEFT, number);
}

struct canvas *torque_squares_draw(const struct torque_squares *t, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = theme_paper(), .title = "How hard joints work",
                      .subtitle = "mean over time of the sum of the joints' torques squared, in (weight × height)²; "
                                  "pale: the motion was not followed to its end as it should be"};
  int groups = 0;
  for (int i = 0; i < t->n; i++) groups += begins(t, i);
  page.height = 2.0 * MARGIN + page_head_height(cv, &page) + groups * GAP + t->n * ROW + 8.0;
  double y = page_start(cv, &page).y;
  struct font f = {.size = TEXT, .colour = page.theme.ink};
  for (int i = 0; i < t->n; i++, y += ROW) {
    if (begins(t, i)) {
      text_fit(cv, &f, (struct xy){MARGIN, y + GAP - 6.0}, PAGE_WIDTH - 2.0 * MARGIN, ALIGN_LEFT, t->bars[i].motion);
      y += GAP;
    }
    draw_bar(cv, t, i, y, &f);
  }
  return cv;
}

int plot_torque_squares(const struct torque_squares *t, const char *path, struct diag *d)
{
  struct canvas *cv = torque_squares_draw(t, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

/* The drawing kit: a page with margins, a title and a line about it. See plots/kit.h. */
#include "plots/kit.h"

#include <math.h>

static const struct font title_font = {.size = 24.0, .serif = 1, .bold = 1};
static const struct font subtitle_font = {.size = 10.0};

static struct paragraph subtitle_lines(const struct page *p, int draw)
{
  return (struct paragraph){.width = fmax(1.0, p->width - 2.0 * p->margin), .most = 3, .draw = draw};
}

/* The title that is shown; NULL for none. */
static const char *title_of(struct canvas *cv, const struct page *p)
{
  const char *title = canvas_title(cv, p->title);
  return title && *title ? title : NULL;
}

double page_head_height(struct canvas *cv, const struct page *p)
{
  struct paragraph lines = subtitle_lines(p, 0);
  int n = p->subtitle ? text_wrap(cv, &subtitle_font, (struct xy){0.0, 0.0}, &lines, p->subtitle) : 0;
  double height = (title_of(cv, p) ? 30.0 : 0.0) + n * TEXT_LEADING * subtitle_font.size;
  return height > 0.0 ? height + 12.0 : 0.0;
}

struct rect page_start(struct canvas *cv, const struct page *p)
{
  const char *shown = title_of(cv, p);
  struct font title = title_font, subtitle = subtitle_font;
  struct paragraph lines = subtitle_lines(p, 1);
  double head = page_head_height(cv, p), base = p->margin + (shown ? 38.0 : 8.0);
  title.colour = subtitle.colour = p->theme.ink;
  canvas_page(cv, p->width, p->height, p->theme.paper);
  if (shown) text_fit(cv, &title, (struct xy){p->margin, p->margin + 20.0}, lines.width, ALIGN_LEFT, shown);
  if (p->subtitle) text_wrap(cv, &subtitle, (struct xy){p->margin, base}, &lines, p->subtitle);
  return (struct rect){p->margin, p->margin + head, lines.width, fmax(1.0, p->height - 2.0 * p->margin - head)};
}

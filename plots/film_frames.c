/* Frames of a controller in use. See plots/film_frames.h. */
#include "plots/film_frames.h"

#include <math.h>

#include "base/angle.h"
#include "plots/choices.h"
#include "plots/film_scene.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define GAP 8.0
#define CAPTION 17.0     /* below each panel                   */
#define COLUMNS 4
#define FRAMES 12

char *film_asked_text(const struct performance *p, double frame, struct arena *arena)
{
  int k = (int)fmin(fmax(frame, 0.0), p->n_frames - 1.0);
  char *text = arena_strdup(arena, "");
  for (int i = 0; i < p->n_parameters; i++) {
    const struct task_parameter *parameter = &p->task->parameters[i];
    double asked = p->asked[(size_t)k * (size_t)p->n_parameters + (size_t)i], degrees = asked * 180.0 / PI;
    const char *comma = *text ? ", " : "", *name = parameter->kind->name;
    if (parameter->kind->space == TASK_CIRCLE) /* -180 to 180, as a heading in the world */
      text =
          arena_printf(arena, "%s%s%s %s", text, comma, name,
                       choice_turn(arena, (degrees - 360.0 * floor((degrees + 179.5) / 360.0)) * PI / 180.0));
    else
      text = arena_printf(arena, "%s%s%s %s", text, comma, name, task_value_text(parameter, asked).words);
  }
  return text;
}

static void draw_frame(struct canvas *cv, struct film_scene *s, double frame, struct rect cell, struct to_scale map)
{
  const struct performance *p = s->options.play;
  struct theme theme = theme_paper();
  struct font font = {.size = 8.5, .colour = theme.ink}, muted = {.size = 8.5, .colour = theme.muted};
  struct rect area = {cell.x, cell.y, cell.w, cell.h - CAPTION};
  char *time = arena_printf(canvas_arena(cv), "%.1f s", frame * p->dt);
  film_scene_show(s, frame);
  film_scene_draw(cv, s, area, map);
  path_rect(cv, area);
  canvas_paint(cv, NULL, &(struct pen){.colour = theme.faint, .width = 0.7});
  double base = cell.y + cell.h - 5.0, width = text_width(cv, &muted, time);
  text_fit(cv, &font, (struct xy){cell.x + 1.0, base}, cell.w - width - 10.0, ALIGN_LEFT,
           film_asked_text(p, frame, canvas_arena(cv)));
  text_fit(cv, &muted, (struct xy){cell.x + cell.w - 1.0, base}, width + 1.0, ALIGN_RIGHT, time);
}

struct canvas *film_frames_draw(const struct performance *p, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  struct arena *arena = canvas_arena(cv);
  const struct creature *c = p->task->creature;
  if (!traces_new(arena, c, p->motion, path, d)) {
    canvas_discard(cv);
    return NULL;
  }
  int dark = canvas_seen(cv, colour_rgb(0xffffff)).g < 0.5;
  struct film_scene_options o = {.view = FILM_THREE_QUARTER, .paper = !dark, .play = p};
  struct film_scene *s = film_scene_new(arena, c, p->motion, &o);
  int n = p->n_frames < FRAMES ? p->n_frames : FRAMES;
  struct panels panels = {.width = PAGE_WIDTH - 2.0 * MARGIN, .gap_x = GAP, .gap_y = GAP, .columns = COLUMNS};
  double width = (panels.width - (COLUMNS - 1) * GAP) / COLUMNS;
  panels.height = width * fmin(1.2, fmax(0.6, s->extent.h / s->extent.w)) + CAPTION;
  struct page page = {
      .width = PAGE_WIDTH,
      .margin = MARGIN,
      .theme = theme_paper(),
      .title = choice_title(arena, c->name, p->task->name),
      .subtitle =
          "Frames of the controller in use, the camera going with it: the arrow on the ground is where it is told "
          "to go, the line where it came from."};
  page.height = 2.0 * MARGIN + page_head_height(cv, &page) + panels_height(&panels, n);
  panels.at = (struct xy){MARGIN, page_start(cv, &page).y};
  for (int i = 0; i < n; i++) {
    struct rect cell = panels_cell(&panels, i);
    struct to_scale map = film_scene_fit(s, (struct rect){cell.x, cell.y, cell.w, cell.h - CAPTION}, 0.0);
    draw_frame(cv, s, (i + 0.5) * (p->n_frames - 1.0) / n, cell, map);
  }
  return cv;
}

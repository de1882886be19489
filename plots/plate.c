/* A plate in the manner of Muybridge. See plots/plate.h. */
#include "plots/plate.h"

#include <math.h>

#include "plots/film_scene.h"
#include "plots/traces.h"

#define PAGE_WIDTH 900.0 /* [points] */
#define MARGIN 34.0      /* of paper around the plate          */
#define BLACK 9.0        /* of the plate around its views      */
#define GAP 3.0          /* from view to view                  */
#define BETWEEN 9.0      /* from the rows of one camera to those of the other */
#define FOOT 40.0        /* below the plate, for words         */
#define VIEWS 12
#define SIDE_HIGHEST 460.0 /* all rows of a camera together    */
#define FRONT_HIGHEST 200.0

static const double content = PAGE_WIDTH - 2.0 * (MARGIN + BLACK);

struct row_block {       /* all views of one camera            */
  struct film_scene *scene;
  struct panels panels;
  struct to_scale map;   /* in the first panel, at the origin  */
};

static struct film_look plate_look(void)
{
  struct film_look l = film_look_plate();
  l.wall = colour_rgb(0x0d0b09);
  l.floor = colour_rgb(0x25201b);
  l.far_floor = colour_rgb(0x14110e);
  l.thread = colour_rgb(0x564c40);
  l.floor_thread = colour_rgb(0x4a4137);
  l.style.near_side = colour_rgb(0xf6eedd);
  l.style.far_side = colour_rgb(0x7b6d58);
  return l;
}

/* Height of a view of this width: as its creature needs it, but no narrow tower and no slit. */
static double view_height(const struct film_scene *s, double width)
{
  return width * fmin(1.9, fmax(0.42, 1.2 * s->extent.h / s->extent.w));
}

/* As many columns as show it largest, among those that divide the views. */
static void arrange(struct row_block *b, double highest)
{
  static const int columns[] = {12, 6, 4, 3};
  double best = 0.0;
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    int rows = VIEWS / columns[i];
    double width = (content - (columns[i] - 1) * GAP) / columns[i], height = view_height(b->scene, width);
    height = fmin(height, (highest - (rows - 1) * GAP) / rows);
    struct to_scale map = film_scene_fit(b->scene, (struct rect){0.0, 0.0, width, height}, 0.0);
    if (!(map.scale > 1.02 * best)) continue;
    best = map.scale;
    b->map = map;
    b->panels = (struct panels){.width = content, .height = height, .gap_x = GAP, .gap_y = GAP, .columns = columns[i]};
  }
}

static struct row_block new_block(struct arena *arena, const struct creature *c, const struct clip *clip,
                                  enum film_view view)
{
  struct film_scene_options o = {.view = view, .lines = 7};
  struct row_block b = {.scene = film_scene_new(arena, c, clip, &o)};
  b.scene->look = plate_look();
  arrange(&b, view == FILM_SIDE ? SIDE_HIGHEST : FRONT_HIGHEST);
  return b;
}

/* Frame of a view: of a cycle the last leads to the first, of anything else it is the end. */
static double view_frame(const struct film_scene *s, int i)
{
  int n = s->clip->n_frames;
  return s->closes ? (double)i * n / VIEWS : (double)i * (n - 1) / (VIEWS - 1);
}

static void draw_block(struct canvas *cv, struct row_block *b, double top)
{
  struct pen frame = {.colour = colour_rgb(0x6e6252), .width = 0.5};
  struct font number = {.size = 6.5, .serif = 1, .colour = colour_rgb(0xb7a88f)};
  b->panels.at = (struct xy){MARGIN + BLACK, top};
  for (int i = 0; i < VIEWS; i++) {
    struct rect area = panels_cell(&b->panels, i);
    struct to_scale map = {b->map.x0 + area.x, b->map.y0 + area.y, b->map.scale};
    film_scene_show(b->scene, view_frame(b->scene, i));
    film_scene_draw(cv, b->scene, area, map);
    path_rect(cv, area);
    canvas_paint(cv, NULL, &frame);
    text_fit(cv, &number, (struct xy){area.x + 3.0, area.y + 8.0}, 20.0, ALIGN_LEFT,
             arena_printf(canvas_arena(cv), "%d", i + 1));
  }
}

/* Name in the middle, pace on the left, interval on the right, as on old plates. */
static void draw_words(struct canvas *cv, const struct film_scene *s, double base)
{
  struct arena *arena = canvas_arena(cv);
  struct theme theme = theme_plate();
  struct font name = {.size = 15.0, .serif = 1, .bold = 1, .colour = theme.ink};
  struct font small = {.size = 9.0, .serif = 1, .italic = 1, .colour = theme.muted};
  char *own =
      arena_printf(arena, "%s. %s.", text_clean(arena, creature_title(arena, s->creature), 1),
                   text_clean(arena, s->clip->name, 1));
  double interval = (view_frame(s, 1) - view_frame(s, 0)) * s->clip->dt, side = 0.26 * PAGE_WIDTH;
  char *time = interval < 1.0 ? arena_printf(arena, "%.3g ms from view to view", 1e3 * interval)
                              : arena_printf(arena, "%.3g s from view to view", interval);
  text_fit(cv, &small, (struct xy){MARGIN, base}, side, ALIGN_LEFT, film_scene_pace(s, arena));
  text_fit(cv, &small, (struct xy){PAGE_WIDTH - MARGIN, base}, side, ALIGN_RIGHT, time);
  for (char *p = own; *p; p++)
    if (*p >= 'a' && *p <= 'z') *p = (char)(*p - 'a' + 'A');
  text_fit(cv, &name, (struct xy){0.5 * PAGE_WIDTH, base}, PAGE_WIDTH - 2.0 * (MARGIN + side) - 16.0, ALIGN_CENTRE,
           canvas_title(cv, own));
}

struct canvas *plate_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = canvas_open(path, d);
  if (!cv) return NULL;
  struct arena *arena = canvas_arena(cv);
  if (!traces_new(arena, c, clip, path, d)) { /* it knows what is wrong with a clip */
    canvas_discard(cv);
    return NULL;
  }
  struct row_block side = new_block(arena, c, clip, FILM_SIDE), front = new_block(arena, c, clip, FILM_FRONT);
  double upper = panels_height(&side.panels, VIEWS), lower = panels_height(&front.panels, VIEWS);
  double plate = upper + BETWEEN + lower + 2.0 * BLACK;
  canvas_page(cv, PAGE_WIDTH, MARGIN + plate + FOOT, theme_plate().paper);
  canvas_as_is(cv, 1);
  canvas_box(cv, (struct rect){MARGIN, MARGIN, PAGE_WIDTH - 2.0 * MARGIN, plate}, colour_rgb(0x050403));
  draw_block(cv, &side, MARGIN + BLACK);
  draw_block(cv, &front, MARGIN + BLACK + upper + BETWEEN);
  canvas_as_is(cv, 0);
  draw_words(cv, side.scene, MARGIN + plate + 24.0);
  return cv;
}

/* The drawing kit: the canvas, the one file that knows cairo. See plots/kit.h. */
#include "plots/kit.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PIXELS_PER_POINT 2.0   /* 144 dots per inch                          */
#define PIXELS_MOST 30e6       /* larger pages are drawn with fewer pixels   */
#define CREATED "2000-01-01T00:00:00Z" /* a date of creation would make every PDF another one */

enum format { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF };

struct canvas {
  struct arena *arena;
  const char *path;            /* NULL: pages are taken one by one   */
  enum format format;
  struct canvas_wish wish;
  int as_is;                   /* depth of canvas_as_is()            */
  cairo_surface_t *surface;    /* before canvas_page: a scrap on which texts are measured */
  cairo_t *cr;
  struct bytes file;
  double width, height;        /* [points], 0 before canvas_page */
  double scale;                /* pixels, or points of the file, per point */
  struct colour background;
  struct bytes boxes;          /* struct rect: extents of texts */
};

static cairo_status_t collect(void *file, const unsigned char *data, unsigned length)
{
  bytes_add(file, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* ---- from opening to closing ---- */

static void start_drawing(struct canvas *cv)
{
  cv->cr = cairo_create(cv->surface);
  cairo_font_options_t *options = cairo_font_options_create();
  /* the same widths in all formats */
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cv->cr, options);
  cairo_font_options_destroy(options);
  cairo_set_line_join(cv->cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(cv->cr, CAIRO_LINE_CAP_ROUND);
}

static void stop_drawing(struct canvas *cv)
{
  cairo_destroy(cv->cr);
  cairo_surface_destroy(cv->surface);
  cv->cr = NULL;
  cv->surface = NULL;
}

static int find_format(const char *path)
{
  static const char *const endings[] = {[FORMAT_PNG] = ".png", [FORMAT_SVG] = ".svg", [FORMAT_PDF] = ".pdf"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  for (int i = 0; dot && dot > name && i < 3; i++)
    if (strcasecmp(dot, endings[i]) == 0) return i;
  return -1;
}

/* What canvases that are opened from now on shall be like: see canvas_wish(). */
static struct canvas_wish wished;

void canvas_wish(const struct canvas_wish *wish)
{
  wished = wish ? *wish : (struct canvas_wish){0};
}

static struct canvas *new_canvas(enum format format, const struct canvas_wish *wish)
{
  struct arena *arena = arena_new();
  struct canvas *cv = ARENA_NEW(arena, 1, struct canvas);
  *cv = (struct canvas){.arena = arena, .format = format, .wish = *wish};
  cv->file.arena = cv->boxes.arena = arena;
  cv->surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  start_drawing(cv);
  return cv;
}

struct canvas *canvas_open(const char *path, struct diag *d)
{
  int format = find_format(path);
  if (format < 0) {
    diag_error(d, path, 0, "the name of a picture must end in .png, .svg or .pdf");
    return NULL;
  }
  struct canvas *cv = new_canvas((enum format)format, &wished);
  cv->path = arena_strdup(cv->arena, path);
  return cv;
}

struct canvas *canvas_open_pages(enum canvas_pages kind, int dark)
{
  return new_canvas(kind == CANVAS_SVG ? FORMAT_SVG : FORMAT_PNG, &(struct canvas_wish){.dark = dark});
}

const char *canvas_title(const struct canvas *cv, const char *title)
{
  return cv->wish.title ? cv->wish.title : title;
}

/* Pixels, or points of the file, per point of the page. */
static double page_scale(const struct canvas *cv)
{
  const struct canvas_wish *w = &cv->wish;
  double scale = cv->format == FORMAT_PNG && cv->path ? PIXELS_PER_POINT : 1.0;
  double most = cv->format == FORMAT_PNG ? sqrt(PIXELS_MOST / (cv->width * cv->height))
                                         : CANVAS_MAX / fmax(cv->width, cv->height);
  if (w->width > 0.0 || w->height > 0.0)
    scale = fmin(w->width > 0.0 ? w->width / cv->width : INFINITY, w->height > 0.0 ? w->height / cv->height : INFINITY);
  return fmin(scale, most);
}

static cairo_surface_t *new_surface(struct canvas *cv)
{
  cairo_surface_t *s;
  double w = cv->scale * cv->width, h = cv->scale * cv->height;
  if (cv->format == FORMAT_SVG) {
    s = cairo_svg_surface_create_for_stream(collect, &cv->file, w, h);
  } else if (cv->format == FORMAT_PDF) {
    s = cairo_pdf_surface_create_for_stream(collect, &cv->file, w, h);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, CREATED);
    cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "Muybridge");
  } else {
    s = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(w - 1e-6), (int)ceil(h - 1e-6));
    cairo_surface_set_device_scale(s, cv->scale, cv->scale);
  }
  return s;
}

static struct colour seen(const struct canvas *cv, struct colour c)
{
  return cv->wish.dark && cv->as_is == 0 ? colour_dark(c) : c;
}

struct colour canvas_seen(const struct canvas *cv, struct colour c) { return seen(cv, c); }

void canvas_as_is(struct canvas *cv, int on) { cv->as_is += on ? 1 : -1; }

static double page_length(double x)
{
  return x > 16.0 ? fmin(x, CANVAS_MAX) : 16.0; /* NaN becomes 16 */
}

void canvas_page(struct canvas *cv, double width, double height, struct colour background)
{
  stop_drawing(cv);
  cv->width = page_length(width);
  cv->height = page_length(height);
  cv->background = seen(cv, background);
  cv->as_is = 0;
  cv->file.length = cv->boxes.length = 0;
  cv->scale = page_scale(cv);
  cv->surface = new_surface(cv);
  start_drawing(cv);
  if (cv->format != FORMAT_PNG) cairo_scale(cv->cr, cv->scale, cv->scale);
  cairo_set_source_rgb(cv->cr, cv->background.r, cv->background.g, cv->background.b);
  cairo_paint(cv->cr);
}

void canvas_discard(struct canvas *cv)
{
  if (!cv) return;
  stop_drawing(cv);
  arena_free(cv->arena);
}

const struct bytes *canvas_take_page(struct canvas *cv, struct diag *d)
{
  if (cv->width == 0.0) canvas_page(cv, 16.0, 16.0, colour_rgb(0xffffff));
  cairo_status_t status = cairo_status(cv->cr);
  if (status == CAIRO_STATUS_SUCCESS && cv->format == FORMAT_PNG)
    status = cairo_surface_write_to_png_stream(cv->surface, collect, &cv->file);
  cairo_surface_finish(cv->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(cv->surface);
  if (status == CAIRO_STATUS_SUCCESS) return &cv->file;
  diag_error(d, cv->path ? cv->path : "", 0, "cannot draw this picture: %s", cairo_status_to_string(status));
  return NULL;
}

struct pixels canvas_pixels(struct canvas *cv)
{
  cairo_surface_flush(cv->surface);
  return (struct pixels){cairo_image_surface_get_width(cv->surface), cairo_image_surface_get_height(cv->surface),
                         (size_t)cairo_image_surface_get_stride(cv->surface),
                         cairo_image_surface_get_data(cv->surface)};
}

int canvas_finish(struct canvas *cv, struct diag *d)
{
  int done = canvas_take_page(cv, d) != NULL;
  if (done && cv->format == FORMAT_SVG) svg_renumber(&cv->file);
  if (done) done = file_replace(cv->path, cv->file.data, cv->file.length, d);
  canvas_discard(cv);
  return done;
}

struct arena *canvas_arena(struct canvas *cv) { return cv->arena; }

/* ---- what tests ask ---- */

struct rect canvas_bounds(const struct canvas *cv) { return (struct rect){0.0, 0.0, cv->width, cv->height}; }

int canvas_texts(const struct canvas *cv) { return (int)(cv->boxes.length / sizeof(struct rect)); }

struct rect canvas_text_box(const struct canvas *cv, int i)
{
  struct rect box;
  memcpy(&box, cv->boxes.data + (size_t)i * sizeof box, sizeof box);
  return box;
}

double canvas_ink(const struct canvas *cv)
{
  if (cv->format != FORMAT_PNG || cv->width == 0.0) return -1.0;
  cairo_surface_flush(cv->surface);
  int w = cairo_image_surface_get_width(cv->surface), h = cairo_image_surface_get_height(cv->surface);
  int stride = cairo_image_surface_get_stride(cv->surface);
  const unsigned char *data = cairo_image_surface_get_data(cv->surface);
  const struct colour b = cv->background;
  const int background[3] = {(int)(255.0 * b.b + 0.5), (int)(255.0 * b.g + 0.5), (int)(255.0 * b.r + 0.5)};
  long inked = 0;
  if (!data) return -1.0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      unsigned pixel;
      memcpy(&pixel, data + (size_t)y * (size_t)stride + 4 * (size_t)x, sizeof pixel);
      int differs = 0;
      for (int k = 0; k < 3; k++) differs |= abs((int)(pixel >> 8 * k & 255) - background[k]) > 5;
      inked += differs;
    }
  return (double)inked / ((double)w * h);
}

/* ---- paths ---- */

void path_move(struct canvas *cv, double x, double y) { cairo_move_to(cv->cr, x, y); }
void path_line(struct canvas *cv, double x, double y) { cairo_line_to(cv->cr, x, y); }
void path_close(struct canvas *cv) { cairo_close_path(cv->cr); }

void path_curve(struct canvas *cv, struct xy control1, struct xy control2, struct xy end)
{
  cairo_curve_to(cv->cr, control1.x, control1.y, control2.x, control2.y, end.x, end.y);
}

void path_arc(struct canvas *cv, struct xy centre, double radius, double from, double until)
{
  cairo_arc(cv->cr, centre.x, centre.y, radius, from, until);
}

void path_polygon(struct canvas *cv, int n, const struct xy *points)
{
  for (int i = 0; i < n; i++) cairo_line_to(cv->cr, points[i].x, points[i].y);
  if (n > 0) cairo_close_path(cv->cr);
}

void path_rect(struct canvas *cv, struct rect r) { cairo_rectangle(cv->cr, r.x, r.y, r.w, r.h); }

void path_round_rect(struct canvas *cv, struct rect r, double radius)
{
  double c = fmin(radius, 0.5 * fmin(r.w, r.h)), quarter = acos(0.0);
  cairo_new_sub_path(cv->cr);
  cairo_arc(cv->cr, r.x + r.w - c, r.y + c, c, -quarter, 0.0);
  cairo_arc(cv->cr, r.x + r.w - c, r.y + r.h - c, c, 0.0, quarter);
  cairo_arc(cv->cr, r.x + c, r.y + r.h - c, c, quarter, 2.0 * quarter);
  cairo_arc(cv->cr, r.x + c, r.y + c, c, 2.0 * quarter, 3.0 * quarter);
  cairo_close_path(cv->cr);
}

void path_ellipse(struct canvas *cv, const struct ellipse *e)
{
  if (!(e->a > 0.0 && e->b > 0.0)) return; /* cairo would refuse all that follows */
  cairo_save(cv->cr);
  cairo_translate(cv->cr, e->x, e->y);
  cairo_rotate(cv->cr, e->angle);
  cairo_scale(cv->cr, e->a, e->b);
  cairo_new_sub_path(cv->cr);
  cairo_arc(cv->cr, 0.0, 0.0, 1.0, 0.0, 4.0 * acos(0.0));
  cairo_close_path(cv->cr);
  cairo_restore(cv->cr);
}

/* ---- paint ---- */

struct fill fill_flat(struct colour c) { return (struct fill){.colour = c}; }

static void set_colour(struct canvas *cv, struct colour c)
{
  c = seen(cv, c);
  cairo_set_source_rgba(cv->cr, c.r, c.g, c.b, c.a);
}

/* A radial gradient is a circle's, in the ellipse's own frame. */
static cairo_pattern_t *radial_gradient(const struct fill *f)
{
  const struct ellipse *e = &f->over;
  cairo_pattern_t *p = cairo_pattern_create_radial(f->spot.x, f->spot.y, 0.0, 0.0, 0.0, 1.0);
  cairo_matrix_t m;
  cairo_matrix_init_identity(&m);
  cairo_matrix_translate(&m, e->x, e->y);
  cairo_matrix_rotate(&m, e->angle);
  cairo_matrix_scale(&m, e->a, e->b);
  if (cairo_matrix_invert(&m) == CAIRO_STATUS_SUCCESS) cairo_pattern_set_matrix(p, &m);
  return p;
}

static void set_fill(struct canvas *cv, const struct fill *f)
{
  if (f->n_stops == 0 || (f->radial && !(f->over.a > 0.0 && f->over.b > 0.0))) {
    set_colour(cv, f->n_stops == 0 ? f->colour : f->stop[0]);
    return;
  }
  cairo_pattern_t *p = f->radial ? radial_gradient(f)
                                 : cairo_pattern_create_linear(f->p0.x, f->p0.y, f->p1.x, f->p1.y);
  for (int i = 0; i < f->n_stops && i < FILL_STOPS; i++) {
    struct colour c = seen(cv, f->stop[i]);
    cairo_pattern_add_color_stop_rgba(p, f->at[i], c.r, c.g, c.b, c.a);
  }
  cairo_set_source(cv->cr, p);
  cairo_pattern_destroy(p);
}

void canvas_paint(struct canvas *cv, const struct fill *fill, const struct pen *pen)
{
  if (fill) {
    set_fill(cv, fill);
    cairo_fill_preserve(cv->cr);
  }
  if (pen && pen->width > 0.0) {
    set_colour(cv, pen->colour);
    cairo_set_line_width(cv->cr, pen->width);
    cairo_set_dash(cv->cr, &pen->dash, pen->dash > 0.0 ? 1 : 0, 0.0);
    cairo_stroke_preserve(cv->cr);
  }
  cairo_new_path(cv->cr);
}

void canvas_line(struct canvas *cv, struct xy a, struct xy b, const struct pen *pen)
{
  cairo_move_to(cv->cr, a.x, a.y);
  cairo_line_to(cv->cr, b.x, b.y);
  canvas_paint(cv, NULL, pen);
}

void canvas_box(struct canvas *cv, struct rect r, struct colour c)
{
  path_rect(cv, r);
  canvas_paint(cv, &(struct fill){.colour = c}, NULL);
}

void canvas_clip(struct canvas *cv, struct rect r)
{
  cairo_save(cv->cr);
  cairo_rectangle(cv->cr, r.x, r.y, r.w, r.h);
  cairo_clip(cv->cr);
}

void canvas_unclip(struct canvas *cv) { cairo_restore(cv->cr); }

void canvas_onto(struct canvas *cv, const struct plane *p)
{
  cairo_matrix_t m;
  cairo_matrix_init(&m, p->x.x, p->x.y, p->y.x, p->y.y, p->origin.x, p->origin.y);
  cairo_save(cv->cr);
  cairo_transform(cv->cr, &m);
}

void canvas_back(struct canvas *cv) { cairo_restore(cv->cr); }

/* ---- text ---- */

static void set_font(struct canvas *cv, const struct font *f)
{
  cairo_select_font_face(cv->cr, f->serif ? "serif" : "sans-serif",
                         f->italic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
                         f->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cv->cr, f->size);
}

double canvas_text_width(struct canvas *cv, const struct font *f, const char *text)
{
  cairo_text_extents_t e;
  set_font(cv, f);
  cairo_text_extents(cv->cr, text, &e);
  return fmax(e.x_advance, e.x_bearing + e.width);
}

void canvas_show_text(struct canvas *cv, const struct font *f, struct xy at, int upwards, const char *text)
{
  cairo_text_extents_t e;
  set_font(cv, f);
  cairo_text_extents(cv->cr, text, &e);
  struct rect box = {at.x + e.x_bearing, at.y + e.y_bearing, e.width, e.height};
  if (upwards) box = (struct rect){at.x + e.y_bearing, at.y - e.x_bearing - e.width, e.height, e.width};
  if (box.w > 0.0 && box.h > 0.0) bytes_add(&cv->boxes, &box, sizeof box);
  set_colour(cv, f->colour);
  cairo_save(cv->cr);
  cairo_move_to(cv->cr, at.x, at.y);
  if (upwards) cairo_rotate(cv->cr, -acos(0.0));
  cairo_show_text(cv->cr, text);
  cairo_restore(cv->cr);
  cairo_new_path(cv->cr);
}

/* The drawing kit: what every figure in plots/ is made of.
 *
 * A canvas is one page that becomes a PNG, SVG or PDF file. Lengths are in points (1/72 inch), x to the right, y down.
 * The life of a canvas: canvas_open(), measure texts, canvas_page() once the size is known, draw, canvas_finish().
 * Nothing is on disk before canvas_finish(), and then the whole file is, under its name, or none of it.
 *
 * Texts cannot leave the page: those too long are cut and end in an ellipsis. Invalid UTF-8 is shown as U+FFFD.
 * The same calls give the same bytes, whatever was drawn before. Only kit_canvas.c knows cairo. */
#ifndef MUYBRIDGE_PLOTS_KIT_H
#define MUYBRIDGE_PLOTS_KIT_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

struct xy { double x, y; };
struct rect { double x, y, w, h; };          /* x, y: the corner of least x and y      */
struct colour { double r, g, b, a; };        /* 0 to 1                                 */

/* ---- colours (kit_colour.c) ---- */

/* The palette of Okabe and Ito (2008): told apart by the colour-blind, in print and on a screen. */
enum palette_colour {
  PALETTE_BLACK, PALETTE_ORANGE, PALETTE_SKY, PALETTE_GREEN, PALETTE_YELLOW, PALETTE_BLUE, PALETTE_VERMILION,
  PALETTE_PURPLE, PALETTE_SIZE
};
struct colour palette(int i);                /* any i: the palette starts again, black only for 0 */
struct colour colour_rgb(unsigned rgb);      /* 0xrrggbb */
struct colour colour_mix(struct colour a, struct colour b, double share_of_b);

/* A scale for heat maps, from pale (0) to dark (1), darker all the way; to be drawn as it is, also on a dark page. */
struct colour colour_heat(double share);
struct colour colour_fade(struct colour c, double alpha);

/* The colours of a page. */
struct theme {
  struct colour paper, panel;                /* background of the page, of a panel     */
  struct colour ink, muted, faint;           /* text; secondary text; lines of a grid  */
};
/* The same hue with light and dark exchanged, for dark screens. */
struct colour colour_dark(struct colour c);

struct theme theme_paper(void);              /* dark on light */
struct theme theme_plate(void);              /* warm paper, dark panels with light threads, after Muybridge's plates */

/* ---- a canvas (kit_canvas.c) ---- */
struct canvas;
struct bytes;                                /* see files, below */

/* The ending of path (.png, .svg or .pdf, any case) tells the format. NULL after an error. */
struct canvas *canvas_open(const char *path, struct diag *d);

/* What canvases opened from now on are like, whichever figure opens them; NULL: as the figure has it. For the program
 * that draws for one user at a time: it is the one thing here that outlives a call. The title must live as long. */
struct canvas_wish {
  double width, height;                      /* pixels (PNG) or points that the picture fits into, 0: its own    */
  const char *title;                         /* in place of the figure's own, NULL: that; "": none               */
  int dark;                                  /* light and dark exchanged                                         */
};
void canvas_wish(const struct canvas_wish *wish);

/* The title that was wished for, or this one. */
const char *canvas_title(const struct canvas *cv, const char *title);

/* Starts the page: its size and background. Sizes are kept within 16 to CANVAS_MAX points. */
#define CANVAS_MAX 14400.0                   /* the most that PDF readers take */
void canvas_page(struct canvas *cv, double width, double height, struct colour background);

/* Writes the file and frees the canvas. 1 when it is there, 0 after an error: then no file is left behind, and one that
 * was there before is as it was. */
int canvas_finish(struct canvas *cv, struct diag *d);
void canvas_discard(struct canvas *cv);      /* frees the canvas without a file; NULL is fine */

/* A canvas for one page after another, none of which becomes a file by itself. After each page its pixels or bytes are
 * taken, and canvas_page() starts the next. One pixel a point. */
enum canvas_pages { CANVAS_PNG, CANVAS_SVG };
struct canvas *canvas_open_pages(enum canvas_pages kind, int dark);
struct pixels { int width, height; size_t stride; const unsigned char *data; }; /* 0x??rrggbb, stride bytes a row */
struct pixels canvas_pixels(struct canvas *cv);      /* until the next page; only of PNG                         */
const struct bytes *canvas_take_page(struct canvas *cv, struct diag *d); /* ends the page; NULL after an error   */

/* Between canvas_as_is(cv, 1) and canvas_as_is(cv, 0) colours are as given, also on a dark page. */
void canvas_as_is(struct canvas *cv, int on);

/* What a colour looks like on this canvas. */
struct colour canvas_seen(const struct canvas *cv, struct colour c);

/* Memory that lives as long as the canvas. */
struct arena *canvas_arena(struct canvas *cv);

/* For tests: the page, the extents of each text on it, the share of pixels that are not background (PNG, else -1). */
struct rect canvas_bounds(const struct canvas *cv);
int canvas_texts(const struct canvas *cv);
struct rect canvas_text_box(const struct canvas *cv, int i);
double canvas_ink(const struct canvas *cv);

/* Paths: built step by step, used up by canvas_paint(). */
void path_move(struct canvas *cv, double x, double y);
void path_line(struct canvas *cv, double x, double y);
void path_curve(struct canvas *cv, struct xy control1, struct xy control2, struct xy end);
void path_arc(struct canvas *cv, struct xy centre, double radius, double from, double until); /* clockwise */
void path_close(struct canvas *cv);
void path_polygon(struct canvas *cv, int n, const struct xy *points);
void path_rect(struct canvas *cv, struct rect r);
void path_round_rect(struct canvas *cv, struct rect r, double radius);

/* An ellipse: half-axes a and b, a turned by angle (clockwise on the page). */
struct ellipse { double x, y, a, b, angle; };
void path_ellipse(struct canvas *cv, const struct ellipse *e);

struct pen { struct colour colour; double width, dash; };   /* dash 0: a solid line */

/* A flat colour when there are no stops; else a gradient along p0 to p1, or over an ellipse from a spot outwards. */
#define FILL_STOPS 8
struct fill {
  struct colour colour;
  int n_stops;
  double at[FILL_STOPS];                     /* 0 to 1, ascending */
  struct colour stop[FILL_STOPS];
  int radial;
  struct xy p0, p1;                          /* of a linear gradient                                   */
  struct ellipse over;                       /* of a radial one: where it ends                         */
  struct xy spot;                            /* its centre, in units of the half-axes, length below 1  */
};
struct fill fill_flat(struct colour c);

/* Fills and strokes the path (NULL: does not), and forgets it. */
void canvas_paint(struct canvas *cv, const struct fill *fill, const struct pen *pen);

void canvas_line(struct canvas *cv, struct xy a, struct xy b, const struct pen *pen);
void canvas_box(struct canvas *cv, struct rect r, struct colour c);

/* A bar of the scale of heat maps, its end on the right or, upright, at the top (kit_colour.c). */
void heat_bar_draw(struct canvas *cv, struct rect area, int upright);

/* Draws only inside of r until the matching canvas_unclip(). */
void canvas_clip(struct canvas *cv, struct rect r);
void canvas_unclip(struct canvas *cv);

/* Draws onto a plane, seen from afar, until the matching canvas_back(): where its unit steps and its origin are. */
struct plane { struct xy x, y, origin; };
void canvas_onto(struct canvas *cv, const struct plane *p);
void canvas_back(struct canvas *cv);

/* ---- text (kit_text.c) ---- */
struct font { double size; int serif, bold, italic; struct colour colour; };
enum align { ALIGN_LEFT, ALIGN_CENTRE, ALIGN_RIGHT };

#define TEXT_LEADING 1.3                     /* line to line, in font sizes */

double text_width(struct canvas *cv, const struct font *f, const char *text);

/* One line, x, y on its baseline, cut to width and to the page. */
void text_fit(struct canvas *cv, const struct font *f, struct xy at, double width, enum align align, const char *text);

/* The same, cut only to the page. */
void text_draw(struct canvas *cv, const struct font *f, struct xy at, enum align align, const char *text);

/* One line that reads upwards, x, y on its baseline, cut to length. */
void text_up(struct canvas *cv, const struct font *f, struct xy at, double length, enum align align, const char *text);

/* Several lines broken at spaces, at most most; the first baseline is at. Returns how many. draw 0: only counts. */
struct paragraph { double width; int most; enum align align; int draw; };
int text_wrap(struct canvas *cv, const struct font *f, struct xy at, const struct paragraph *p, const char *text);

/* The text cut to width, ending in an ellipsis if anything was cut; in the canvas's arena. */
char *text_cut(struct canvas *cv, const struct font *f, double width, const char *text);

/* Valid UTF-8 without control characters; underscores become spaces when names is not 0. In the arena. */
char *text_clean(struct arena *arena, const char *text, int names);

/* A number to three digits as a person writes it: "0.0123", "1.23", "523", "1.2e+09"; "–" when not finite. */
char *text_number3(struct arena *arena, double value);

/* The same with a unit: "2.5 g", "75 kg"; "12 mm", "1.8 m". */
char *text_mass(struct arena *arena, double kilograms);
char *text_length(struct arena *arena, double metres);

/* Used by the functions above; in kit_canvas.c. The text must be clean. */
double canvas_text_width(struct canvas *cv, const struct font *f, const char *text);
void canvas_show_text(struct canvas *cv, const struct font *f, struct xy at, int upwards, const char *text);

/* ---- a page with margins and a title (kit_page.c) ---- */
struct page {
  double width, height, margin;
  const char *title, *subtitle;              /* NULL: none; the subtitle takes up to three lines */
  struct theme theme;
};

/* What the title and the subtitle take, for pages whose height depends on it; height is not read. */
double page_head_height(struct canvas *cv, const struct page *p);

/* canvas_page() with background and title; returns what is left inside of the margins. */
struct rect page_start(struct canvas *cv, const struct page *p);

/* ---- marks (kit_marks.c) ---- */
enum marker {
  MARKER_DOT, MARKER_RING, MARKER_SQUARE, MARKER_DIAMOND, MARKER_TRIANGLE, MARKER_CROSS,
  MARKER_MASS                                /* the quartered circle of a centre of mass */
};
void marker_draw(struct canvas *cv, enum marker kind, struct xy at, double radius, struct colour c);

/* A view to scale: metres to points. u to the right, v up. */
struct to_scale { double x0, y0, scale; };   /* page position of (0, 0); points per metre */
struct xy to_scale_map(const struct to_scale *t, double u, double v);

/* The largest scale at which world (metres; y is the least v) fits into page, at most most (0: no limit); centred, the
 * lower edge of world on that of page. */
struct to_scale to_scale_fit(struct rect world, struct rect page, double most);

/* A scale bar with its left end at, not longer than width, and to its right how long it is: a round number of mm, cm, m
 * or km. Returns the length of both [points]. */
struct scale_bar { double length; char label[32]; };              /* [m] */
struct scale_bar scale_bar_choose(double points_per_metre, double width);
double scale_bar_draw(struct canvas *cv, struct xy at, double width, double points_per_metre, const struct font *f);

/* Threads of a square grid, step points apart, through origin, inside of area. */
void grid_draw(struct canvas *cv, struct rect area, struct xy origin, double step, const struct pen *pen);

/* An arrow; its head shrinks with short ones, and there is none below half a point. halo: around it, if not clear. */
struct arrow { struct xy from, to; double width; struct colour colour, halo; };
void arrow_draw(struct canvas *cv, const struct arrow *a);

/* A legend: entries side by side, on as many lines as the width takes. Returns its height. draw 0: only measures. */
struct legend_entry {
  const char *label;
  enum marker marker;
  struct colour colour;
  int line;                                  /* a stroke instead of the marker         */
  double dash;                               /* of that stroke                         */
};
struct legend { struct xy at; double width; struct font font; int n; const struct legend_entry *entries; int draw; };
double legend_draw(struct canvas *cv, const struct legend *l);

/* ---- axes (kit_axes.c) ---- */
#define TICKS_MAX 32
struct ticks { int n; double at[TICKS_MAX], step; int decimals, log; };

/* Round numbers (steps of 1, 2 or 5 times a power of ten) from lo to hi, at most most of them; if most >= 5, at least
 * two. None if the range is empty or not finite. */
void ticks_choose(double lo, double hi, int most, struct ticks *t);
void ticks_label(const struct ticks *t, int i, char *label, size_t size);

/* Powers of ten from lo > 0 to hi, at most most of them, labelled as such. */
void ticks_choose_log(double lo, double hi, int most, struct ticks *t);

struct axes {
  struct rect outer;                         /* where all of it goes                                     */
  double x_lo, x_hi, y_lo, y_hi;
  const char *title, *x_label, *y_label;     /* NULL: none                                               */
  struct theme theme;
  double size;                               /* of its text                                              */
  int grid;                                  /* lines at the ticks                                       */
  int y_log;                                 /* 0 < y_lo < y_hi, in powers of ten                        */
  double left;                               /* least room left of the data, so that columns align       */
  int bare_x;                                /* no labels at the ticks of x: another below has them      */
  struct rect area;                          /* by axes_layout: of the data                              */
  struct ticks x_ticks, y_ticks;             /* by axes_layout                                           */
};
void axes_layout(struct canvas *cv, struct axes *a);
void axes_draw(struct canvas *cv, const struct axes *a);
struct xy axes_map(const struct axes *a, double x, double y);

/* Data of n points, clipped to the area; a point that is not finite interrupts a curve. */
void axes_curve(struct canvas *cv, const struct axes *a, int n, const double *x, const double *y,
                const struct pen *pen);
void axes_marks(struct canvas *cv, const struct axes *a, int n, const double *x, const double *y,
                const struct legend_entry *look);
struct band { const double *x, *low, *high; int n; }; /* low NULL: zero */
void axes_band(struct canvas *cv, const struct axes *a, const struct band *b, struct colour c);

/* Intervals of x (from, until) over a share of the height, 0 at the lower edge and 1 at the upper one. */
struct spans { int n; const struct xy *x; double from, until; };
void axes_spans(struct canvas *cv, const struct axes *a, const struct spans *s, struct colour c);

/* A line at y; and all from y to the upper (direction > 0) or lower edge. Nothing when it is outside of the area. */
void axes_level(struct canvas *cv, const struct axes *a, double y, const struct pen *pen);
void axes_beyond(struct canvas *cv, const struct axes *a, double y, int direction, struct colour c);

/* Limits for data from *lo to *hi: a little wider, at least by least, 0 kept as it is; of logs: whole powers of ten. */
void axes_widen(double *lo, double *hi, double least);
void axes_widen_log(double *lo, double *hi);

/* ---- panels (kit_panels.c): small multiples, row by row ---- */
struct panels { struct xy at; double width, height, gap_x, gap_y; int columns; }; /* width of all, height of each */
struct rect panels_cell(const struct panels *p, int i);
double panels_height(const struct panels *p, int n);

/* Panels of given shapes in rows that fill a width: rows come as close as can be to a height. Panels i to next[i] - 1
 * make a row, for i = 0, next[0], next[next[0]] and so on. */
struct rows { int n; const double *aspects; double width, gap, target; }; /* width of a panel over its height     (n) */
void rows_break(struct arena *arena, const struct rows *r, int *next);

/* Height of a row of panels i to j - 1 that fills the width. */
double rows_height(const struct rows *r, int i, int j);

/* ---- tracks (kit_tracks.c): rows of horizontal bars over a common axis ---- */
struct track { const char *label, *note; struct colour colour; int n_bars; const struct xy *bars; }; /* from, until */
struct tracks {
  struct xy at;                              /* upper left corner                                        */
  double width, row_height;                  /* below TRACKS_LABEL_ROW: labels are left out              */
  double lo, hi;                             /* of the axis                                              */
  const char *axis_label, *notes_label;      /* NULL: none                                               */
  struct theme theme;
  double size;                               /* of its text                                              */
  int n;
  const struct track *rows;
};
#define TRACKS_LABEL_ROW 7.0
double tracks_height(const struct tracks *t);
struct rect tracks_area(struct canvas *cv, const struct tracks *t);  /* of the bars: the axis from lo to hi */
void tracks_draw(struct canvas *cv, const struct tracks *t);

/* ---- files (kit_file.c) ---- */

/* Bytes that grow; in the arena. */
struct bytes { struct arena *arena; unsigned char *data; size_t length, room; };
void bytes_add(struct bytes *b, const void *data, size_t length);

/* The file appears under its name when it is complete. 1, or 0 after an error. */
int file_replace(const char *path, const void *data, size_t length, struct diag *d);

/* Renumbers the names that cairo derives from a counter of the process ("surface17"), in order of appearance. */
void svg_renumber(struct bytes *svg);

#endif

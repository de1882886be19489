/* The ZMP from above. See plots/zmp_figure.h. */
#include "plots/zmp_figure.h"

#include <math.h>

#include "dynamics/dynamics.h"
#include "plots/creature_view.h"
#include "plots/traces.h"
#include "capture/zmp.h"

#define PAGE_WIDTH 842.0 /* [points] */
#define MARGIN 30.0
#define GAP 12.0
#define PANEL_HEIGHT 190.0
#define TEXT 8.5
#define COLUMNS 3
#define ROWS 2
#define SPAN 0.75 /* of the ground that a panel shows, up and down [leg lengths of a person: heights of the root] */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct creature *c;
  const struct clip *clip;
  const struct traces *t;
  struct theme theme;
  struct view_style style;
  struct capture_feedforward_options o;
  const struct capture_feedforward *f;
  struct dynamics *d;
  int n_columns;
  double cutoffs[4];
  double *zmp[COLUMNS], *distance[COLUMNS]; /* (n_frames x 2), (n_frames)                       */
  int frames[ROWS];             /* on many points, on few                                         */
  double *q, *hull;
};

/* ---- shared with the histograms ---- */

struct capture_feedforward *zmp_study(struct arena *arena, const struct creature *c, const struct clip *clip,
                                      struct capture_feedforward_options *o, const char *path, struct diag *d)
{
  capture_feedforward_defaults(c, o);
  o->choice = CAPTURE_BY_INSIDE;
  for (int i = 0; i < clip->n_frames * clip->n_points; i++) o->given_contacts |= clip->contact[i];
  struct capture_feedforward *f = capture_feedforward(arena, c, clip, o);
  if (!f) diag_error(d, path, 0, "a clip must have 3 frames, and be of the creature");
  return f;
}

int zmp_compare(double chosen, double rate, int none, double cutoffs[4])
{
  double high = fmin(fmax(10, 4 * chosen), 0.45 * rate);
  cutoffs[0] = fmin(0.2, 0.25 * chosen);
  cutoffs[1] = chosen;
  cutoffs[2] = high;
  cutoffs[3] = INFINITY;
  return none ? 4 : 3;
}

char *zmp_cutoff_name(struct arena *arena, double cutoff)
{
  return isinf(cutoff) ? arena_printf(arena, "no filter") : arena_printf(arena, "%s Hz", text_number3(arena, cutoff));
}

/* ---- data ---- */

static int touching(const struct sheet *s, int frame)
{
  int n = 0;
  for (int p = 0; p < s->c->n_points; p++) n += s->f->contact[frame * s->c->n_points + p];
  return n;
}

/* How many legs have a point down. */
static int legs_down(const struct sheet *s, int frame)
{
  int n = 0;
  for (int i = 0; i < s->t->n_legs; i++) {
    int down = 0;
    for (int p = 0; p < s->t->legs[i].n_points; p++)
      down |= s->f->contact[frame * s->c->n_points + s->t->legs[i].points[p]];
    n += down;
  }
  return n;
}

/* The middle of the longest time on most legs, and of that on fewest. */
static void choose_frames(struct sheet *s)
{
  int most = 0, fewest = 1 << 20;
  for (int k = 0; k < s->clip->n_frames; k++)
    if (touching(s, k)) {
      int n = legs_down(s, k);
      most = n > most ? n : most;
      fewest = n < fewest ? n : fewest;
    }
  for (int row = 0; row < ROWS; row++) {
    int wanted = row ? fewest : most, longest = 0;
    for (int k = 0; k < s->clip->n_frames;) {
      int end = k;
      while (end < s->clip->n_frames && touching(s, end) && legs_down(s, end) == wanted) end++;
      if (end - k > longest) {
        longest = end - k;
        s->frames[row] = (k + end) / 2;
      }
      k = end + 1;
    }
  }
}

static void compute(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  size_t n = (size_t)s->clip->n_frames;
  s->n_columns = zmp_compare(s->f->cutoff, 1 / s->clip->dt, 0, s->cutoffs);
  for (int i = 0; i < s->n_columns; i++) {
    struct arena *scratch = arena_new();
    const struct clip *smooth = capture_smooth(scratch, s->c, s->clip, s->cutoffs[i]);
    s->zmp[i] = ARENA_NEW(arena, 2 * n, double);
    s->distance[i] = ARENA_NEW(arena, n, double);
    capture_distances(s->c, s->clip, smooth, s->f->contact, s->o.patch, s->distance[i], s->zmp[i]);
    arena_free(scratch);
  }
}

/* ---- panels ---- */

/* Camera of a panel: the heading to the right, the middle of the feet in the middle. */
struct plan { struct to_scale map; double x, y, c, s; };

static struct xy on_page(const struct plan *p, double x, double y)
{
  double dx = x - p->x, dy = y - p->y;
  return to_scale_map(&p->map, p->c * dx + p->s * dy, -p->s * dx + p->c * dy);
}

static void draw_polygon(const struct sheet *s, const struct plan *p, int frame)
{
  clip_frame(s->clip, frame, s->q);
  dynamics_kinematics(s->d, s->q);
  int n = zmp_support(s->c, s->d, s->f->contact + frame * s->c->n_points, s->o.patch, s->hull);
  if (n == 0) return;
  for (int i = 0; i < n; i++) {
    struct xy at = on_page(p, s->hull[2 * i], s->hull[2 * i + 1]);
    i ? path_line(s->cv, at.x, at.y) : path_move(s->cv, at.x, at.y);
  }
  path_close(s->cv);
  struct fill fill = fill_flat(colour_fade(palette(PALETTE_SKY), 0.35));
  canvas_paint(s->cv, &fill, &(struct pen){palette(PALETTE_BLUE), 1.0, 0.0});
  for (int k = 0; k < s->c->n_points; k++) {
    double at[3];
    if (!s->f->contact[frame * s->c->n_points + k]) continue;
    dynamics_point(s->d, s->c->points[k].body, s->c->points[k].at, at);
    marker_draw(s->cv, MARKER_DOT, on_page(p, at[0], at[1]), 2.0, view_side_colour(&s->style, s->c->points[k].name));
  }
}

/* Its way: a thread, and a dot a frame, purple where it is off the feet of its frame. */
static void draw_way(const struct sheet *s, const struct plan *p, int column)
{
  int drawing = 0;
  for (int k = 0; k < s->clip->n_frames; k++) {
    const double *z = s->zmp[column] + 2 * k;
    if (isnan(s->distance[column][k]) || isnan(z[0])) {
      drawing = 0;
      continue;
    }
    struct xy at = on_page(p, z[0], z[1]);
    drawing ? path_line(s->cv, at.x, at.y) : path_move(s->cv, at.x, at.y);
    drawing = 1;
  }
  canvas_paint(s->cv, NULL, &(struct pen){colour_fade(s->theme.muted, 0.6), 0.6, 0.0});
  for (int k = 0; k < s->clip->n_frames; k++) {
    const double *z = s->zmp[column] + 2 * k;
    if (isnan(s->distance[column][k]) || isnan(z[0])) continue;
    struct colour c = palette(s->distance[column][k] <= 0.0 ? PALETTE_GREEN : PALETTE_PURPLE);
    marker_draw(s->cv, MARKER_DOT, on_page(p, z[0], z[1]), 1.1, colour_fade(c, 0.75));
  }
}

/* The middle of the points that touch. */
static void centre_on_feet(const struct sheet *s, struct plan *p, int frame)
{
  int n = 0;
  double x = 0, y = 0;
  clip_frame(s->clip, frame, s->q);
  dynamics_kinematics(s->d, s->q);
  for (int k = 0; k < s->c->n_points; k++) {
    double at[3];
    if (!s->f->contact[frame * s->c->n_points + k]) continue;
    dynamics_point(s->d, s->c->points[k].body, s->c->points[k].at, at);
    x += at[0], y += at[1], n++;
  }
  p->x = n ? x / n : s->q[0];
  p->y = n ? y / n : s->q[1];
  p->c = cos(s->q[3]);
  p->s = sin(s->q[3]);
}

static void draw_panel(const struct sheet *s, struct rect cell, int row, int column)
{
  int frame = s->frames[row];
  double span = SPAN * s->c->height, ppm = (cell.h - 20) / span;
  struct rect area = {cell.x, cell.y + 16, cell.w, cell.h - 20};
  struct plan p = {.map = {area.x + 0.5 * area.w, area.y + 0.5 * area.h, ppm}};
  struct arena *arena = canvas_arena(s->cv);
  struct font font = {.size = TEXT, .colour = s->theme.ink}, small = {.size = TEXT - 1, .colour = s->theme.muted};
  char *name = zmp_cutoff_name(arena, s->cutoffs[column]);
  double d = s->distance[column][frame];
  centre_on_feet(s, &p, frame);
  text_fit(s->cv, &font, (struct xy){cell.x, cell.y + 10}, 0.5 * cell.w, ALIGN_LEFT,
           row ? name : arena_printf(arena, "%s%s", name, column == 1 ? ", chosen" : ""));
  char *where = isnan(d)   ? "no foot stands"
                : isinf(d) ? "no ZMP"
                           : arena_printf(arena, "%.1f cm %s", 100 * fabs(d), d <= 0 ? "inside" : "outside");
  text_fit(s->cv, &small, (struct xy){cell.x + cell.w, cell.y + 10}, 0.45 * cell.w, ALIGN_RIGHT, where);
  canvas_box(s->cv, area, s->theme.panel);
  canvas_clip(s->cv, area);
  grid_draw(s->cv, area, on_page(&p, p.x, p.y), 0.1 * ppm, &(struct pen){s->theme.faint, 0.5, 0.0});
  draw_polygon(s, &p, frame);
  draw_way(s, &p, column);
  const double *z = s->zmp[column] + 2 * frame;
  if (!isnan(z[0])) {
    marker_draw(s->cv, MARKER_CROSS, on_page(&p, z[0], z[1]), 5.0, s->theme.ink);
    marker_draw(s->cv, MARKER_RING, on_page(&p, z[0], z[1]), 5.0, s->theme.ink);
  }
  canvas_unclip(s->cv);
}

static double draw_legend(const struct sheet *s, double top, int draw)
{
  const struct legend_entry e[] = {
      {.label = "support polygon", .marker = MARKER_SQUARE, .colour = palette(PALETTE_SKY)},
      {.label = "ZMP in this frame", .marker = MARKER_CROSS, .colour = s->theme.ink},
      {.label = "in other frames, over the feet", .marker = MARKER_DOT, .colour = palette(PALETTE_GREEN)},
      {.label = "off them", .marker = MARKER_DOT, .colour = palette(PALETTE_PURPLE)},
      {.label = "left point", .marker = MARKER_DOT, .colour = s->style.left},
      {.label = "right point", .marker = MARKER_DOT, .colour = s->style.right}};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted},
                     .n = (int)(sizeof e / sizeof *e), .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static void draw_page(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s->theme, .title = traces_title(s->t, arena)};
  page.subtitle = arena_printf(arena,
                               "Zero-moment point and support polygon from above, at %.2f s on %d leg%s and at %.2f s "
                               "on %d; threads 10 cm apart. "
                               "With the cutoff of %s the ZMP is over the feet in %.0f %% of the frames on the ground",
                               s->frames[0] * s->clip->dt, legs_down(s, s->frames[0]),
                               legs_down(s, s->frames[0]) == 1 ? "" : "s", s->frames[1] * s->clip->dt,
                               legs_down(s, s->frames[1]), zmp_cutoff_name(arena, s->f->cutoff), 100 * s->f->inside);
  double legend = draw_legend(s, 0.0, 0) + 8.0;
  struct panels panels = {.width = content, .height = PANEL_HEIGHT, .gap_x = GAP, .gap_y = GAP, .columns = COLUMNS};
  page.height = MARGIN + page_head_height(s->cv, &page) + panels_height(&panels, ROWS * COLUMNS) + legend + MARGIN;
  panels.at = (struct xy){MARGIN, page_start(s->cv, &page).y};
  for (int i = 0; i < ROWS * COLUMNS; i++) draw_panel(s, panels_cell(&panels, i), i / COLUMNS, i % COLUMNS);
  draw_legend(s, panels.at.y + panels_height(&panels, ROWS * COLUMNS) + 8.0, 1);
}

struct canvas *zmp_figure_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {
      .cv = canvas_open(path, d), .c = c, .clip = clip, .theme = theme_paper(), .style = view_style_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.t = traces_new(arena, c, clip, path, d);
  s.f = s.t ? zmp_study(arena, c, clip, &s.o, path, d) : NULL;
  if (!s.f) {
    canvas_discard(s.cv);
    return NULL;
  }
  s.d = dynamics_new(arena, c);
  s.q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  s.hull = ARENA_NEW(arena, (size_t)c->n_points * ZMP_CORNERS * 2 + 2, double);
  compute(&s);
  choose_frames(&s);
  draw_page(&s);
  return s.cv;
}

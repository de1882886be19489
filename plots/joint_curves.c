/* Joint angles and torques over a clip. See plots/curves.h. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "plots/creature_view.h"
#include "plots/curves.h"
#include "plots/traces.h"

#define PAGE_WIDTH 842.0 /* as high as it needs [points] */
#define MARGIN 30.0
#define ANGLE_HEIGHT 84.0
#define TORQUE_HEIGHT 66.0
#define HEADING 20.0     /* above the panels of a part   */
#define BELOW 8.0        /* them                         */
#define GAP 8.0
#define TEXT 7.0
#define COLUMNS_LEAST 3
#define COLUMNS_MOST 7

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

/* A part of the body: the joints of a pair of legs or arms, or of the trunk. */
struct part {
  int top;                      /* its first limb, -1 for the trunk                          */
  const char *name;
  int n, *dofs;                 /* of a pair the left one                                    */
  int leg;                      /* whose stance is shaded, -1: none                          */
  int column, row;              /* of its first panel                                        */
};

struct sheet {
  struct canvas *cv;
  const struct traces *t;
  struct theme theme;
  struct view_style style;
  int n_parts, n_rows, columns;
  struct part *parts;
  double unit, largest;         /* of torque [N m]; the largest in it                        */
  const char *unit_name;
  double *y[2];                 /* scratch: left and right                        (n each)   */
};

/* ---- parts of the body ---- */

/* The limb that a limb's part of the body begins with: that of its leg, else of the pair it is in; -1: the trunk. */
static int part_top(const struct creature *c, int limb)
{
  for (int i = 0; i < c->n_feet; i++)
    for (int l = c->feet[i].limb; l >= 0; l = l == c->feet[i].first_leg_limb ? -1 : c->limbs[l].parent)
      if (l == limb) return c->feet[i].first_leg_limb;
  if (c->limbs[limb].mirror == limb) return -1;
  while (c->limbs[limb].parent >= 0 && c->limbs[c->limbs[limb].parent].mirror != c->limbs[limb].parent)
    limb = c->limbs[limb].parent;
  return limb;
}

static int leg_of(const struct traces *t, int top)
{
  for (int i = 0; i < t->n_legs; i++)
    if (t->legs[i].first_limb == top) return i;
  return -1;
}

/* "humerus to pastern", "trunk". */
static const char *part_name(struct arena *arena, const struct creature *c, const struct part *p)
{
  if (p->top < 0) return "trunk";
  char *first = traces_plain_name(arena, c->limbs[p->top].name);
  char *last = traces_plain_name(arena, c->limbs[c->dofs[p->dofs[p->n - 1]].limb].name);
  return strcmp(first, last) ? arena_printf(arena, "%s to %s", first, last) : first;
}

static void add_dof(struct sheet *s, int dof, int top)
{
  struct part *p = s->parts;
  while (p < s->parts + s->n_parts && p->top != top) p++;
  if (p == s->parts + s->n_parts) {
    *p = (struct part){.top = top, .leg = leg_of(s->t, top)};
    p->dofs = ARENA_NEW(canvas_arena(s->cv), (size_t)s->t->creature->n_dofs, int);
    s->n_parts++;
  }
  p->dofs[p->n++] = dof;
}

/* Legs first, in the order of their feet, then arms, then the trunk; each as in the tree. */
static void sort_parts(struct sheet *s)
{
  for (int i = 1; i < s->n_parts; i++) {
    struct part p = s->parts[i];
    int k = i;
    for (; k > 0 && p.leg >= 0 && s->parts[k - 1].leg > p.leg; k--) s->parts[k] = s->parts[k - 1];
    s->parts[k] = p;
  }
}

static void find_parts(struct sheet *s)
{
  const struct creature *c = s->t->creature;
  s->parts = ARENA_NEW(canvas_arena(s->cv), (size_t)c->n_dofs + 1, struct part);
  for (int kind = 0; kind < 3; kind++)
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
      int top = part_top(c, c->dofs[i].limb), is = top < 0 ? 2 : leg_of(s->t, top) >= 0 ? 0 : 1;
      if (is == kind && c->dofs[i].mirror >= i) add_dof(s, i, top);
    }
  sort_parts(s);
  for (int i = 0; i < s->n_parts; i++) s->parts[i].name = part_name(canvas_arena(s->cv), c, &s->parts[i]);
}

/* ---- layout ---- */

/* Parts follow one another in rows; long ones begin a row of their own and break. Returns how many rows. */
static int place_parts(struct sheet *s, int columns)
{
  int column = 0, row = 0;
  for (int i = 0; i < s->n_parts; i++) {
    struct part *p = &s->parts[i];
    if (column > 0 && column + p->n > columns) {
      column = 0;
      row++;
    }
    p->column = column;
    p->row = row;
    column += p->n;
    row += (column - 1) / columns;
    column = (column - 1) % columns + 1;
  }
  return s->n_parts > 0 ? row + 1 : 0;
}

/* The fewest columns that give the fewest rows. */
static void layout(struct sheet *s)
{
  s->columns = COLUMNS_MOST;
  for (int columns = COLUMNS_MOST; columns >= COLUMNS_LEAST; columns--)
    if (place_parts(s, columns) <= place_parts(s, s->columns)) s->columns = columns;
  s->n_rows = place_parts(s, s->columns);
}

static double row_height(void)
{
  return HEADING + ANGLE_HEIGHT + TORQUE_HEIGHT + BELOW;
}

/* The unit that makes the largest torque a number of one to four digits. */
static void choose_unit(struct sheet *s)
{
  static const struct { double size; const char *name; } units[] = {
      {1e3, "kN m"}, {1.0, "N m"}, {1e-3, "mN m"}, {1e-6, "\xc2\xb5N m"}, {1e-9, "nN m"}};
  double largest = 0.0;
  int n_dofs = s->t->creature->n_dofs, i = 0;
  for (int k = 0; k < s->t->n; k++)
    for (int j = CREATURE_ROOT_DOFS; j < n_dofs; j++)
      largest = fmax(largest, fabs(s->t->torque[(size_t)k * (size_t)n_dofs + (size_t)j])); /* a NaN is left out */
  while (i < 4 && largest < 1.5 * units[i].size) i++;
  s->unit = largest > 0.0 ? units[i].size : 1.0;
  s->unit_name = largest > 0.0 ? units[i].name : "N m";
  s->largest = largest / s->unit;
}

/* ---- panels ---- */

struct limits { double lo, hi; };

/* The data of a pair, and how far they go; returns how many curves. */
static int collect(struct sheet *s, int dof, const double *table, double scale, struct limits *range)
{
  const struct creature *c = s->t->creature;
  int n = c->dofs[dof].mirror == dof ? 1 : 2;
  *range = (struct limits){INFINITY, -INFINITY};
  for (int side = 0; side < n; side++) {
    int i = side ? c->dofs[dof].mirror : dof;
    traces_column(s->t, table, c->n_dofs, i, scale, s->y[side]);
    for (int k = 0; k < s->t->n; k++) {
      range->lo = fmin(range->lo, s->y[side][k]); /* a NaN is left out */
      range->hi = fmax(range->hi, s->y[side][k]);
    }
  }
  return n;
}

/* Limits that are near enough are brought into the picture. */
static void show_limits(struct limits *range, const struct limits *hard)
{
  double span = range->hi - range->lo;
  if (hard->lo > range->lo - 0.35 * span && hard->lo - 0.06 * span < range->lo) range->lo = hard->lo - 0.06 * span;
  if (hard->hi < range->hi + 0.35 * span && hard->hi + 0.06 * span > range->hi) range->hi = hard->hi + 0.06 * span;
}

static struct colour side_colour(const struct sheet *s, enum side side)
{
  return side == SIDE_LEFT ? s->style.left : side == SIDE_RIGHT ? s->style.right : s->style.middle;
}

static void draw_stance(struct sheet *s, const struct axes *a, int leg)
{
  struct arena *arena = canvas_arena(s->cv);
  for (int side = 0; leg >= 0 && side < 2; side++) {
    int i = side ? s->t->legs[leg].mirror : leg;
    const struct leg *l = &s->t->legs[i];
    struct colour colour = side_colour(s, l->side);
    struct spans spans = {.until = 1.0};
    if (side && i == leg) continue;
    spans.x = traces_stance(s->t, arena, l->n_points, l->points, &spans.n);
    axes_spans(s->cv, a, &spans, colour_fade(colour, 0.09));
    spans.from = side ? 0.0 : 0.03;
    spans.until = spans.from + 0.03;
    axes_spans(s->cv, a, &spans, colour_fade(colour, 0.8));
  }
}

static void draw_curves(struct sheet *s, const struct axes *a, int dof, int n)
{
  enum side side = traces_side(s->t->creature->dofs[dof].name);
  struct pen pens[2] = {{.colour = side_colour(s, side), .width = 1.2},
                        {.colour = side == SIDE_RIGHT ? s->style.left : s->style.right, .width = 1.2, .dash = 3.0}};
  axes_level(s->cv, a, 0.0, &(struct pen){.colour = s->theme.muted, .width = 0.5});
  for (int i = 0; i < n; i++) axes_curve(s->cv, a, s->t->n, s->t->x, s->y[i], &pens[i]);
}

static void draw_panel(struct sheet *s, struct axes *a, int dof, int leg, int n, const struct limits *hard)
{
  struct colour beyond = colour_fade(s->theme.muted, 0.28);
  axes_layout(s->cv, a);
  canvas_box(s->cv, a->area, s->theme.panel);
  draw_stance(s, a, leg);
  axes_beyond(s->cv, a, hard->lo, -1, beyond);
  axes_beyond(s->cv, a, hard->hi, 1, beyond);
  axes_draw(s->cv, a);
  draw_curves(s, a, dof, n);
}

static struct rect cell(const struct sheet *s, int column, int row, double top)
{
  struct panels p = {.at = {MARGIN, top}, .width = content, .height = row_height(), .gap_x = GAP,
                     .columns = s->columns};
  return panels_cell(&p, row * s->columns + column);
}

static void draw_joint(struct sheet *s, const struct part *p, int i, double top)
{
  const struct dof *dof = &s->t->creature->dofs[p->dofs[i]];
  int at = p->column + i;
  struct rect r = cell(s, at % s->columns, p->row + at / s->columns, top);
  struct limits range, hard = {dof->lower * TO_DEGREES, dof->upper * TO_DEGREES};
  int n = collect(s, p->dofs[i], s->t->q, TO_DEGREES, &range);
  axes_widen(&range.lo, &range.hi, 6.0);
  show_limits(&range, &hard);
  struct axes a = {.outer = {r.x, r.y + HEADING, r.w, ANGLE_HEIGHT}, .x_hi = s->t->x_hi, .y_lo = range.lo,
                   .y_hi = range.hi, .theme = s->theme, .size = TEXT, .grid = 1, .left = 24.0, .bare_x = 1,
                   .title = traces_plain_name(canvas_arena(s->cv), dof->name)};
  draw_panel(s, &a, p->dofs[i], p->leg, n, &hard);
  hard = (struct limits){-dof->torque_max / s->unit, dof->torque_max / s->unit};
  n = collect(s, p->dofs[i], s->t->torque, 1.0 / s->unit, &range);
  axes_widen(&range.lo, &range.hi, fmax(1e-3, 2e-3 * s->largest));
  show_limits(&range, &hard);
  a.outer = (struct rect){r.x, r.y + HEADING + ANGLE_HEIGHT, r.w, TORQUE_HEIGHT};
  a.title = NULL;
  a.bare_x = 0;
  a.y_lo = range.lo;
  a.y_hi = range.hi;
  draw_panel(s, &a, p->dofs[i], p->leg, n, &hard);
}

/* ---- the sheet ---- */

static double draw_legend(struct sheet *s, double top, int draw)
{
  struct legend_entry e[6];
  int n = 0;
  e[n++] = (struct legend_entry){.label = "left", .colour = s->style.left, .line = 1};
  e[n++] = (struct legend_entry){.label = "right", .colour = s->style.right, .line = 1, .dash = 3.0};
  e[n++] = (struct legend_entry){.label = "midline", .colour = s->style.middle, .line = 1};
  e[n++] = (struct legend_entry){.label = "left foot stands", .marker = MARKER_SQUARE, .colour = s->style.left};
  e[n++] = (struct legend_entry){.label = "right foot stands", .marker = MARKER_SQUARE, .colour = s->style.right};
  e[n++] = (struct legend_entry){.label = "beyond a limit", .marker = MARKER_SQUARE,
                                 .colour = colour_fade(s->theme.muted, 0.4)};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = 8.5, .colour = s->theme.muted}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static void draw_parts(struct sheet *s, double top)
{
  struct font font = {.size = 10.0, .bold = 1, .colour = s->theme.ink};
  struct pen rule = {.colour = s->theme.muted, .width = 0.6};
  for (int i = 0; i < s->n_parts; i++) {
    const struct part *p = &s->parts[i];
    int wide = p->n < s->columns - p->column ? p->n : s->columns - p->column;
    struct rect first = cell(s, p->column, p->row, top), last = cell(s, p->column + wide - 1, p->row, top);
    double width = last.x + last.w - first.x;
    canvas_line(s->cv, (struct xy){first.x, first.y + 2.0}, (struct xy){first.x + width, first.y + 2.0}, &rule);
    text_fit(s->cv, &font, (struct xy){first.x, first.y + 13.0}, width, ALIGN_LEFT, p->name);
    for (int k = 0; k < p->n; k++) draw_joint(s, p, k, top);
  }
}

static void draw_nothing(struct sheet *s, double top)
{
  struct font font = {.size = 10.0, .italic = 1, .colour = s->theme.muted};
  text_fit(s->cv, &font, (struct xy){MARGIN, top + 12.0}, content, ALIGN_LEFT, "no joints");
}

struct canvas *joint_curves_draw(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .theme = theme_paper(), .style = view_style_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  s.t = traces_new(arena, c, clip, path, d);
  if (!s.t) {
    canvas_discard(s.cv);
    return NULL;
  }
  for (int i = 0; i < 2; i++) s.y[i] = ARENA_NEW(arena, (size_t)s.t->n, double);
  find_parts(&s);
  layout(&s);
  choose_unit(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .title = traces_title(s.t, arena)};
  page.subtitle = arena_printf(arena, "%s. Above: angles [\xc2\xb0]; below: torques [%s]; over the %s",
                               traces_facts(s.t, arena), s.unit_name, s.t->x_label);
  double legend = draw_legend(&s, 0.0, 0), parts = fmax(20.0, s.n_rows * row_height());
  page.height = MARGIN + page_head_height(s.cv, &page) + parts + legend + MARGIN;
  double top = page_start(s.cv, &page).y;
  draw_parts(&s, top);
  if (s.n_parts == 0) draw_nothing(&s, top);
  draw_legend(&s, top + parts, 1);
  return s.cv;
}

int plot_joint_curves(const struct creature *c, const struct clip *clip, const char *path, struct diag *d)
{
  struct canvas *cv = joint_curves_draw(c, clip, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

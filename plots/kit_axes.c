/* The drawing kit: axes with round ticks, curves, marks and bands on them. See plots/kit.h. */
#include "plots/kit.h"

#include <math.h>
#include <stdio.h>

/* ---- ticks ---- */

/* k times digit times ten to the power: exact where decimals are, so that 3 * 0.1 reads 0.3. */
static double tick_value(double k, double digit, int power)
{
  double value = power < 0 ? k * digit / pow(10.0, -power) : k * digit * pow(10.0, power);
  return value == 0.0 ? 0.0 : value; /* no minus zero */
}

/* How many multiples of step lie in lo..hi, and the first. */
static double count_multiples(double lo, double hi, double step, double *first)
{
  const double slack = 1e-9; /* the ends count as inside in spite of rounding */
  *first = ceil(lo / step - slack);
  return floor(hi / step + slack) - *first + 1.0;
}

void ticks_choose(double lo, double hi, int most, struct ticks *t)
{
  static const double digits[] = {1.0, 2.0, 5.0};
  *t = (struct ticks){0};
  if (most > TICKS_MAX) most = TICKS_MAX;
  if (!(lo < hi) || !isfinite(hi - lo) || most < 1) return;
  int power = (int)floor(log10((hi - lo) / most)) - 1;
  if (power < -300 || power > 300) return;
  for (int i = 0;; i++) { /* ever larger steps; few enough after at most nine */
    int p = power + i / 3;
    double digit = digits[i % 3], first, n = count_multiples(lo, hi, tick_value(1.0, digit, p), &first);
    if (n > most) continue;
    t->n = n > 0.0 ? (int)n : 0;
    t->step = tick_value(1.0, digit, p);
    t->decimals = p < 0 ? -p : 0;
    for (int k = 0; k < t->n; k++) t->at[k] = tick_value(first + k, digit, p);
    return;
  }
}

void ticks_choose_log(double lo, double hi, int most, struct ticks *t)
{
  const double slack = 1e-9;
  *t = (struct ticks){.log = 1};
  if (most > TICKS_MAX) most = TICKS_MAX;
  if (!(lo > 0.0 && lo < hi && isfinite(hi)) || most < 1) return;
  int first = (int)ceil(log10(lo) - slack), last = (int)floor(log10(hi) + slack), step = 1;
  while ((last - first) / step + 1 > most) step++;
  t->step = step;
  for (int power = first; power <= last; power += step) t->at[t->n++] = pow(10.0, power);
}

/* "10" and its exponent in raised digits. */
static void label_power(double value, char *label, size_t size)
{
  static const char *const raised[] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
                                       "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
  int power = (int)floor(log10(value) + 0.5), size_of = power < 0 ? -power : power;
  const char *hundreds = size_of >= 100 ? raised[size_of / 100 % 10] : "", *minus = power < 0 ? "\xe2\x81\xbb" : "";
  const char *tens = size_of >= 10 ? raised[size_of / 10 % 10] : "";
  snprintf(label, size, "10%s%s%s%s", minus, hundreds, tens, raised[size_of % 10]);
}

void ticks_label(const struct ticks *t, int i, char *label, size_t size)
{
  if (t->log) {
    label_power(t->at[i], label, size);
    return;
  }
  double value = t->at[i], largest = t->n > 0 ? fmax(fabs(t->at[0]), fabs(t->at[t->n - 1])) : 0.0;
  if (t->decimals > 6 || largest >= 1e7)
    snprintf(label, size, "%.6g", value);
  else
    snprintf(label, size, "%s%.*f", value < 0.0 ? "\xe2\x88\x92" : "", t->decimals, fabs(value));
}

static double widest_label(struct canvas *cv, const struct font *f, const struct ticks *t)
{
  double widest = 0.0;
  char label[48];
  for (int i = 0; i < t->n; i++) {
    ticks_label(t, i, label, sizeof label);
    widest = fmax(widest, text_width(cv, f, label));
  }
  return widest;
}

/* As many ticks as have room for their labels side by side. */
static void choose_for_width(struct canvas *cv, const struct font *f, const struct axes *a, struct ticks *t)
{
  for (int most = 10; most > 1; most--) {
    ticks_choose(a->x_lo, a->x_hi, most, t);
    if (t->n == 0) return;
    double apart = t->step / (a->x_hi - a->x_lo) * a->area.w;
    if (widest_label(cv, f, t) + f->size <= apart || t->n < 2) return;
  }
}

/* ---- axes ---- */

static struct font axes_font(const struct axes *a) { return (struct font){.size = a->size, .colour = a->theme.muted}; }

void axes_layout(struct canvas *cv, struct axes *a)
{
  struct font f = axes_font(a);
  double line = TEXT_LEADING * a->size, gap = 0.5 * a->size;
  double top = a->title ? 1.2 * line + gap : gap;
  double bottom = gap + (a->bare_x ? 0.0 : line) + (a->x_label ? line : 0.0);
  a->area.y = a->outer.y + top;
  a->area.h = fmax(1.0, a->outer.h - top - bottom);
  int most = (int)fmin(10.0, fmax(a->area.h / (2.2 * line), fmin(4.0, a->area.h / (1.2 * line))));
  (a->y_log ? ticks_choose_log : ticks_choose)(a->y_lo, a->y_hi, most, &a->y_ticks);
  double left = fmax(a->left, widest_label(cv, &f, &a->y_ticks) + 2.0 * gap + (a->y_label ? line : 0.0));
  a->area.x = a->outer.x + left;
  a->area.w = fmax(1.0, a->outer.w - left - gap);
  choose_for_width(cv, &f, a, &a->x_ticks);
  char label[48] = ""; /* half of the last label sticks out */
  if (a->x_ticks.n > 0) ticks_label(&a->x_ticks, a->x_ticks.n - 1, label, sizeof label);
  a->area.w = fmax(1.0, a->area.w - fmax(0.0, 0.5 * text_width(cv, &f, label) - gap));
}

struct xy axes_map(const struct axes *a, double x, double y)
{
  double up = a->y_log ? log(y / a->y_lo) / log(a->y_hi / a->y_lo) : (y - a->y_lo) / (a->y_hi - a->y_lo);
  return (struct xy){a->area.x + (x - a->x_lo) / (a->x_hi - a->x_lo) * a->area.w, a->area.y + (1.0 - up) * a->area.h};
}

static void draw_x_ticks(struct canvas *cv, const struct axes *a, const struct font *f)
{
  struct pen thread = {.colour = a->theme.faint, .width = 0.6}, mark = {.colour = a->theme.muted, .width = 0.8};
  double bottom = a->area.y + a->area.h;
  char label[48];
  for (int i = 0; i < a->x_ticks.n; i++) {
    double x = axes_map(a, a->x_ticks.at[i], a->y_lo).x;
    if (a->grid) canvas_line(cv, (struct xy){x, a->area.y}, (struct xy){x, bottom}, &thread);
    canvas_line(cv, (struct xy){x, bottom}, (struct xy){x, bottom + 0.3 * a->size}, &mark);
    if (a->bare_x) continue;
    ticks_label(&a->x_ticks, i, label, sizeof label);
    text_draw(cv, f, (struct xy){x, bottom + 1.35 * a->size}, ALIGN_CENTRE, label);
  }
}

static void draw_y_ticks(struct canvas *cv, const struct axes *a, const struct font *f)
{
  struct pen thread = {.colour = a->theme.faint, .width = 0.6}, mark = {.colour = a->theme.muted, .width = 0.8};
  double left = a->area.x;
  char label[48];
  for (int i = 0; i < a->y_ticks.n; i++) {
    double y = axes_map(a, 0.0, a->y_ticks.at[i]).y;
    if (a->grid) canvas_line(cv, (struct xy){left, y}, (struct xy){left + a->area.w, y}, &thread);
    canvas_line(cv, (struct xy){left - 0.3 * a->size, y}, (struct xy){left, y}, &mark);
    ticks_label(&a->y_ticks, i, label, sizeof label);
    text_draw(cv, f, (struct xy){left - 0.5 * a->size, y + 0.36 * a->size}, ALIGN_RIGHT, label);
  }
}

void axes_draw(struct canvas *cv, const struct axes *a)
{
  struct font f = axes_font(a), title = {.size = 1.2 * a->size, .bold = 1, .colour = a->theme.ink};
  struct pen line = {.colour = a->theme.muted, .width = 0.8};
  draw_x_ticks(cv, a, &f);
  draw_y_ticks(cv, a, &f);
  path_move(cv, a->area.x, a->area.y);
  path_line(cv, a->area.x, a->area.y + a->area.h);
  path_line(cv, a->area.x + a->area.w, a->area.y + a->area.h);
  canvas_paint(cv, NULL, &line);
  double x = a->area.x + 0.5 * a->area.w, y = a->area.y + 0.5 * a->area.h;
  struct xy above = {a->outer.x, a->outer.y + title.size};
  if (a->title) text_fit(cv, &title, above, a->outer.w, ALIGN_LEFT, a->title);
  if (a->x_label)
    text_fit(cv, &f, (struct xy){x, a->outer.y + a->outer.h - 0.3 * a->size}, a->area.w, ALIGN_CENTRE, a->x_label);
  if (a->y_label) text_up(cv, &f, (struct xy){a->outer.x + a->size, y}, a->area.h, ALIGN_CENTRE, a->y_label);
}

/* ---- data ---- */

void axes_curve(struct canvas *cv, const struct axes *a, int n, const double *x, const double *y,
                const struct pen *pen)
{
  int drawing = 0;
  canvas_clip(cv, a->area);
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i]) || !isfinite(y[i])) {
      drawing = 0;
      continue;
    }
    struct xy p = axes_map(a, x[i], y[i]);
    if (!isfinite(p.y)) { /* nothing or less, on an axis of powers */
      drawing = 0;
      continue;
    }
    if (drawing)
      path_line(cv, p.x, p.y);
    else
      path_move(cv, p.x, p.y);
    drawing = 1;
  }
  canvas_paint(cv, NULL, pen);
  canvas_unclip(cv);
}

void axes_marks(struct canvas *cv, const struct axes *a, int n, const double *x, const double *y,
                const struct legend_entry *look)
{
  for (int i = 0; i < n; i++) {
    struct xy p = axes_map(a, x[i], y[i]);
    int inside = p.x >= a->area.x && p.x <= a->area.x + a->area.w && p.y >= a->area.y && p.y <= a->area.y + a->area.h;
    if (inside) marker_draw(cv, look->marker, p, 0.32 * a->size, look->colour);
  }
}

void axes_band(struct canvas *cv, const struct axes *a, const struct band *b, struct colour c)
{
  struct fill fill = fill_flat(c);
  canvas_clip(cv, a->area);
  for (int i = 0; i < b->n; i++) {
    struct xy p = axes_map(a, b->x[i], b->high[i]);
    if (isfinite(p.x) && isfinite(p.y)) path_line(cv, p.x, p.y);
  }
  for (int i = b->n - 1; i >= 0; i--) {
    struct xy p = axes_map(a, b->x[i], b->low ? b->low[i] : 0.0);
    if (isfinite(p.x) && isfinite(p.y)) path_line(cv, p.x, p.y);
  }
  canvas_paint(cv, &fill, NULL);
  canvas_unclip(cv);
}

void axes_spans(struct canvas *cv, const struct axes *a, const struct spans *s, struct colour c)
{
  canvas_clip(cv, a->area);
  for (int i = 0; i < s->n; i++) {
    double from = axes_map(a, s->x[i].x, a->y_lo).x, until = axes_map(a, s->x[i].y, a->y_lo).x;
    canvas_box(cv, (struct rect){from, a->area.y + (1.0 - s->until) * a->area.h, until - from,
                                 (s->until - s->from) * a->area.h}, c);
  }
  canvas_unclip(cv);
}

void axes_level(struct canvas *cv, const struct axes *a, double y, const struct pen *pen)
{
  if (y > a->y_lo && y < a->y_hi) canvas_line(cv, axes_map(a, a->x_lo, y), axes_map(a, a->x_hi, y), pen);
}

void axes_beyond(struct canvas *cv, const struct axes *a, double y, int direction, struct colour c)
{
  double at = axes_map(a, a->x_lo, y).y, bottom = a->area.y + a->area.h;
  if (!(y > a->y_lo && y < a->y_hi)) return;
  struct rect r = {a->area.x, direction > 0 ? a->area.y : at, a->area.w, direction > 0 ? at - a->area.y : bottom - at};
  canvas_box(cv, r, c);
}

void axes_widen(double *lo, double *hi, double least)
{
  double room = 0.06 * (*hi - *lo), missing = 0.5 * (least - (*hi - *lo));
  int from_zero = *lo == 0.0;
  if (!(*lo <= *hi && isfinite(*hi - *lo))) { /* no data */
    *lo = 0.0;
    *hi = least;
    return;
  }
  if (missing > 0.0) room = fmax(room, missing);
  *lo = from_zero ? 0.0 : *lo - room;
  *hi += room;
}

void axes_widen_log(double *lo, double *hi)
{
  if (!(*lo > 0.0 && *lo <= *hi && isfinite(*hi))) {
    *lo = 0.1;
    *hi = 10.0;
    return;
  }
  *lo = pow(10.0, floor(log10(*lo)));
  *hi = pow(10.0, ceil(log10(*hi)));
  if (!(*hi > *lo)) *hi = 10.0 * *lo;
}

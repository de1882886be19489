/* A controller's grid as a map to draw. See plots/task_map.h. */
#include "plots/task_map.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"

#define NAME_WIDTH 54.0  /* of a category, at most [points]                    */
#define RARE 5e-4        /* nodes of fewer choices are not shown, if others are */

/* ---- which parameters ---- */

static size_t stride_of(const struct task *t, int parameter)
{
  size_t stride = 1;
  for (int p = t->n_parameters - 1; p > parameter; p--) stride *= (size_t)t->parameters[p].n;
  return stride;
}

/* The grid value nearest to where a parameter begins. */
static int start_index(const struct task_parameter *p, double theta)
{
  int best = 0;
  for (int i = 1; i < p->n; i++) {
    double far = fabs(p->values[i] - theta), least = fabs(p->values[best] - theta);
    if (p->kind->space == TASK_CIRCLE) {
      far = fabs(task_wrap(p->values[i] - theta));
      least = fabs(task_wrap(p->values[best] - theta));
    }
    if (far < least) best = i;
  }
  return best;
}

/* How far the values spread along a parameter, all others where they begin: mean over the nodes of the variance. */
static double spread_along(const struct task_map *m, int parameter)
{
  const struct values *v = m->c->values;
  const struct task *t = m->c->task;
  size_t stride = stride_of(t, parameter), base = m->base;
  double theta[DECISION_MAX_PARAMETERS] = {0}, sum = 0.0;
  int n = t->parameters[parameter].n;
  task_initial(t, theta);
  base -= stride * (size_t)start_index(&t->parameters[parameter], theta[parameter]);
  for (int node = 0; node < v->n_nodes; node++) {
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < n; i++) {
      double x = v->V[(size_t)node * v->grid + base + (size_t)i * stride];
      mean += x / n;
      square += x * x / n;
    }
    sum += fmax(0.0, square - mean * mean);
  }
  return sum;
}

/* The two along which values spread most, in the order of the task. */
static void choose_axes(struct task_map *m)
{
  int n = m->c->task->n_parameters, best[2] = {0, n > 1 ? 1 : 0};
  m->n_axes = n > 1 ? 2 : 1;
  for (int k = 0; k < 2 && n > 2; k++) {
    double most = -1.0;
    for (int p = 0; p < n; p++) {
      double spread = k == 1 && p == best[0] ? -1.0 : spread_along(m, p);
      if (!(spread > most)) continue;
      most = spread;
      best[k] = p;
    }
  }
  int swap = best[1] < best[0];
  m->axis[0].parameter = best[swap];
  m->axis[1].parameter = best[!swap];
}

static char *held_text(struct arena *arena, const struct task_map *m, const double *theta)
{
  const struct task *t = m->c->task;
  char *text = NULL;
  for (int p = 0; p < t->n_parameters; p++) {
    const struct task_parameter *q = &t->parameters[p];
    if (p == m->axis[0].parameter || p == m->axis[1].parameter) continue;
    struct text_phrase value = task_value_text(q, q->values[start_index(q, theta[p])]);
    text = arena_printf(arena, "%s%s%s at %s", text ? text : "", text ? ", " : "", q->kind->name, value.words);
  }
  return text;
}

/* ---- cells ---- */

static void add_cell(struct task_axis *a, struct task_cell c)
{
  int k = a->n++;
  for (; k > 0 && a->cells[k - 1].lo > c.lo; k--) a->cells[k] = a->cells[k - 1];
  a->cells[k] = c;
}

static void circle_cells(struct task_axis *a)
{
  double half = 180.0 / a->p->n;
  a->lo = -180.0;
  a->hi = 180.0;
  for (int i = 0; i < a->p->n; i++) {
    double at = TO_DEGREES * task_wrap(a->p->values[i]), lo = at - half, hi = at + half;
    if (lo < -180.0 - 1e-9) add_cell(a, (struct task_cell){i, lo + 360.0, 180.0});
    if (hi > 180.0 + 1e-9) add_cell(a, (struct task_cell){i, -180.0, hi - 360.0});
    add_cell(a, (struct task_cell){i, fmax(-180.0, lo), fmin(180.0, hi)});
  }
}

static void interval_cells(struct task_axis *a)
{
  const double *v = a->p->values;
  int n = a->p->n;
  for (int i = 0; i < n; i++) {
    double before = i > 0 ? 0.5 * (v[i] - v[i - 1]) : n > 1 ? 0.5 * (v[1] - v[0]) : 0.5;
    double after = i + 1 < n ? 0.5 * (v[i + 1] - v[i]) : before;
    if (i == 0) before = after;
    add_cell(a, (struct task_cell){i, v[i] - before, v[i] + after});
  }
  a->lo = a->cells[0].lo;
  a->hi = a->cells[n - 1].hi;
}

static void fill_axis(struct arena *arena, const struct task *t, struct task_axis *a)
{
  a->p = &t->parameters[a->parameter];
  a->cells = ARENA_NEW(arena, (size_t)a->p->n + 2, struct task_cell);
  if (a->p->kind->space == TASK_CIRCLE)
    circle_cells(a);
  else if (a->p->kind->space == TASK_INTERVAL)
    interval_cells(a);
  for (int i = 0; a->p->kind->space == TASK_CATEGORY && i < a->p->n; i++)
    add_cell(a, (struct task_cell){i, a->hi++, i + 1.0});
  const char *unit = a->p->kind->space == TASK_CIRCLE ? " [\xc2\xb0], + left"
                     : a->p->kind->space == TASK_INTERVAL ? arena_printf(arena, " [%s]", a->p->kind->si_unit) : "";
  a->label = arena_printf(arena, "%s asked%s", a->p->kind->name, unit);
}

/* ---- nodes ---- */

static void choose_nodes(struct task_map *m)
{
  const struct motion_graph *g = m->c->graph;
  for (int node = 0; node < g->n_nodes; node++) {
    double visits = 0.0;
    for (int e = g->first_segment[node]; e < g->first_segment[node + 1]; e++) visits += m->c->influence->mass[e];
    int k = m->n_nodes < TASK_MAP_NODES ? m->n_nodes++ : TASK_MAP_NODES;
    for (; k > 0 && m->visits[k - 1] < visits; k--)
      if (k < TASK_MAP_NODES) {
        m->nodes[k] = m->nodes[k - 1];
        m->visits[k] = m->visits[k - 1];
      }
    if (k == TASK_MAP_NODES) continue;
    m->nodes[k] = node;
    m->visits[k] = visits;
  }
  while (m->n_nodes > 1 && m->visits[m->n_nodes - 1] < RARE) m->n_nodes--;
}

struct task_map *task_map_new(struct arena *arena, const struct controller *c)
{
  struct task_map *m = ARENA_NEW(arena, 1, struct task_map);
  const struct task *t = c->task;
  double theta[DECISION_MAX_PARAMETERS] = {0};
  m->c = c;
  task_initial(t, theta);
  for (int p = 0; p < t->n_parameters; p++)
    m->base += stride_of(t, p) * (size_t)start_index(&t->parameters[p], theta[p]);
  choose_axes(m);
  for (int k = 0; k < m->n_axes; k++) {
    int p = m->axis[k].parameter;
    m->stride[k] = stride_of(t, p);
    m->base -= m->stride[k] * (size_t)start_index(&t->parameters[p], theta[p]);
    fill_axis(arena, t, &m->axis[k]);
  }
  m->held = t->n_parameters > 2 ? held_text(arena, m, theta) : NULL;
  choose_nodes(m);
  return m;
}

size_t task_map_at(const struct task_map *m, int node, int x, int y)
{
  size_t at = (size_t)node * m->c->values->grid + m->base + m->stride[0] * (size_t)m->axis[0].cells[x].index;
  return m->n_axes > 1 ? at + m->stride[1] * (size_t)m->axis[1].cells[y].index : at;
}

char *task_map_node(const struct task_map *m, struct arena *arena, int node)
{
  const struct motion_graph *g = m->c->graph;
  const struct graph_node *n = &g->nodes[node];
  const char *name = g->clips[n->clip].clip->name;
  char *clean = text_clean(arena, name ? name : "", 1);
  int same = 0;
  for (int i = 0; i < g->n_clips; i++) {
    const char *other = g->clips[i].clip->name;
    same += g->use[i] == GRAPH_USED && strcmp(other ? other : "", name ? name : "") == 0;
  }
  if (same < 2) return arena_printf(arena, "%s, frame %d", clean, n->frame);
  return arena_printf(arena, "%d %s, frame %d", g->clips[n->clip].id, clean, n->frame); /* as in the table of clips */
}

/* ---- drawing ---- */

/* Quarters of a turn, or halves where there is little room [points]. */
static void ticks_of(const struct task_axis *a, double room, double size, struct ticks *t)
{
  const double step = room < 19.0 * size ? 180.0 : 90.0;
  if (a->p->kind->space == TASK_CATEGORY) *t = (struct ticks){0};
  if (a->p->kind->space != TASK_CIRCLE) return;
  *t = (struct ticks){.step = step};
  for (double at = -180.0; at <= 180.0; at += step) t->at[t->n++] = at;
}

double task_axis_left(struct canvas *cv, const struct task_axis *y, double size)
{
  struct font f = {.size = size};
  double widest = 0.0;
  if (y->p->kind->space == TASK_CIRCLE) return text_width(cv, &f, "\xe2\x88\x92" "180") + 2.6 * size;
  if (y->p->kind->space == TASK_INTERVAL) return 0.0;
  for (int i = 0; i < y->p->n; i++) widest = fmax(widest, text_width(cv, &f, y->p->names[i]));
  return fmin(widest, NAME_WIDTH) + 2.6 * size;
}

void task_map_axes(struct canvas *cv, const struct task_map *m, struct axes *a)
{
  a->x_lo = m->axis[0].lo;
  a->x_hi = m->axis[0].hi;
  a->x_label = m->axis[0].label;
  if (m->n_axes > 1) {
    a->y_lo = m->axis[1].lo;
    a->y_hi = m->axis[1].hi;
    a->y_label = m->axis[1].label;
    a->left = fmax(a->left, task_axis_left(cv, &m->axis[1], a->size));
  }
  axes_layout(cv, a);
  ticks_of(&m->axis[0], a->area.w, a->size, &a->x_ticks);
  if (m->n_axes > 1) ticks_of(&m->axis[1], 4.0 * a->area.h, a->size, &a->y_ticks);
}

static void draw_names(struct canvas *cv, const struct task_map *m, const struct axes *a, int k)
{
  const struct task_axis *axis = &m->axis[k];
  struct font f = {.size = a->size, .colour = a->theme.muted};
  if (k >= m->n_axes || axis->p->kind->space != TASK_CATEGORY) return;
  for (int i = 0; i < axis->n; i++) {
    double middle = 0.5 * (axis->cells[i].lo + axis->cells[i].hi), each = a->area.w / axis->n;
    struct xy at = k == 0 ? axes_map(a, middle, a->y_lo) : axes_map(a, a->x_lo, middle);
    const char *name = text_clean(canvas_arena(cv), axis->p->names[axis->cells[i].index], 1);
    if (k == 0)
      text_fit(cv, &f, (struct xy){at.x, at.y + 1.35 * a->size}, each - 2.0, ALIGN_CENTRE, name);
    else if (a->area.h / axis->n >= 1.1 * a->size)
      text_fit(cv, &f, (struct xy){at.x - 0.5 * a->size, at.y + 0.36 * a->size}, NAME_WIDTH, ALIGN_RIGHT, name);
  }
}

void task_map_draw_axes(struct canvas *cv, const struct task_map *m, const struct axes *a)
{
  axes_draw(cv, a);
  for (int k = 0; k < 2; k++) draw_names(cv, m, a, k);
}

static int same_colour(struct colour a, struct colour b)
{
  return a.r == b.r && a.g == b.g && a.b == b.b && a.a == b.a;
}

void task_map_paint(struct canvas *cv, const struct task_map *m, int node, const struct axes *a,
                    const struct task_painter *painter)
{
  const struct task_axis *x = &m->axis[0], *y = &m->axis[1];
  const double seam = 0.5;  /* cells overlap a little, or the paper shines through between them [points] */
  canvas_clip(cv, a->area);
  for (int row = 0; row < (m->n_axes > 1 ? y->n : 1); row++)
    for (int from = 0, until; from < x->n; from = until) {
      struct colour c = painter->colour_of(painter->user, task_map_at(m, node, from, row));
      for (until = from + 1; until < x->n; until++)
        if (!same_colour(c, painter->colour_of(painter->user, task_map_at(m, node, until, row)))) break;
      struct xy low = axes_map(a, x->cells[from].lo, m->n_axes > 1 ? y->cells[row].lo : a->y_lo);
      struct xy high = axes_map(a, x->cells[until - 1].hi, m->n_axes > 1 ? y->cells[row].hi : a->y_hi);
      canvas_box(cv, (struct rect){low.x - seam, high.y - seam, high.x - low.x + 2.0 * seam,
                                   low.y - high.y + 2.0 * seam}, c);
    }
  canvas_unclip(cv);
}

struct xy polar_at(struct xy centre, double radius, double angle)
{
  return (struct xy){centre.x - radius * sin(angle), centre.y - radius * cos(angle)};
}

void polar_labels(struct canvas *cv, struct xy centre, double radius, const struct theme *theme, double size)
{
  struct font f = {.size = size, .colour = theme->muted};
  struct pen mark = {.colour = theme->muted, .width = 0.8};
  for (int angle = -150; angle <= 180; angle += 30) {
    double a = angle / TO_DEGREES;
    canvas_line(cv, polar_at(centre, radius, a), polar_at(centre, radius + 0.3 * size, a), &mark);
    struct xy at = polar_at(centre, radius + 1.6 * size, a);
    char *label = arena_printf(canvas_arena(cv), "%s%d\xc2\xb0", angle < 0 ? "\xe2\x88\x92" : "",
                               angle < 0 ? -angle : angle);
    text_draw(cv, &f, (struct xy){at.x, at.y + 0.36 * size}, ALIGN_CENTRE, label);
  }
}

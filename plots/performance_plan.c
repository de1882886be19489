/* A performance from above. See plots/performance_plan.h. */
#include "plots/performance_plan.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "plots/choices.h"

#define HIGHEST 380.0    /* of the picture [points]                                         */
#define LEAST 110.0
#define INNER 30.0       /* around what is drawn: arrows of commands, their labels          */
#define ARROW 26.0       /* of a command                                                    */
#define BODIES 28        /* drawn, at most                                                  */
#define POINTS 6000      /* of the way, at most                                             */
#define PRINTS 12000     /* frames of a performance that shows footprints                   */
#define OBSTACLES 2000   /* points of lines that labels keep clear of, at most              */
#define CLOSE 110.0      /* points per standing height, at most                             */

struct colour performance_asked_colour(void) { return palette(PALETTE_PURPLE); }

static const double *pose(const struct performance *p, int frame)
{
  return p->motion->q + (size_t)frame * (size_t)p->motion->n_dofs;
}

/* ---- commands ---- */

/* Of a script every change counts; the task's own user also drifts, which is not a command. */
static int is_command(const struct performance *p, int parameter, double before, double now)
{
  const struct task_parameter *t = &p->task->parameters[parameter];
  if (t->kind->space == TASK_CATEGORY) return before != now;
  double change = t->kind->space == TASK_CIRCLE ? fabs(task_wrap(now - before)) : fabs(now - before);
  double least = t->kind->space == TASK_CIRCLE ? 0.25 : 0.1 * (t->most - t->least);
  return change > (p->script ? 1e-9 : fmax(least, 4.0 * t->width));
}

static int find_commands(const struct performance *p, struct plan_command *out)
{
  int n = 0, width = p->n_parameters;
  for (int k = 1; k < p->n_frames; k++)
    for (int i = 0; i < width; i++) {
      const double *now = p->asked + (size_t)k * (size_t)width;
      if (!is_command(p, i, now[i - width], now[i])) continue;
      if (out) out[n] = (struct plan_command){k, i, now[i]};
      n++;
    }
  return n;
}

/* ---- measures ---- */

static struct xy on_ground(const struct performance_plan *s, int frame)
{
  return camera_project(&s->camera, pose(s->p, frame));
}

static int stride_of(const struct performance *p) { return p->n_frames > POINTS ? p->n_frames / POINTS + 1 : 1; }

/* Evenly along the way, about a body's length apart, the last frame included. */
static void choose_bodies(struct performance_plan *s, double length)
{
  double way = 0.0, gone = 0.0;
  for (int k = 1; k < s->p->n_frames; k++) {
    struct xy a = on_ground(s, k - 1), b = on_ground(s, k);
    way += hypot(b.x - a.x, b.y - a.y);
  }
  int n = (int)fmin(BODIES, fmax(2.0, floor(way / fmax(1e-9, 1.1 * length)) + 1.0));
  s->bodies = ARENA_NEW(canvas_arena(s->cv), BODIES + 1, int);
  s->bodies[s->n_bodies++] = 0;
  for (int k = 1; k < s->p->n_frames; k++) {
    struct xy a = on_ground(s, k - 1), b = on_ground(s, k);
    gone += hypot(b.x - a.x, b.y - a.y);
    double next = way * s->n_bodies / (n - 1.0) * (1.0 - 1e-9);
    if (s->n_bodies < n && way > 0.0 && gone >= next) s->bodies[s->n_bodies++] = k;
  }
}

static void measure(struct performance_plan *s)
{
  for (int k = 0, step = stride_of(s->p); k < s->p->n_frames; k += step) {
    struct xy at = on_ground(s, k);
    struct rect r = {at.x, at.y, 0.0, 0.0};
    s->extent = k ? rect_union(s->extent, r) : r;
  }
  for (int i = 0; i < s->n_bodies; i++) {
    figure_pose(s->figure, pose(s->p, s->bodies[i]));
    s->extent = rect_union(s->extent, figure_extent(s->figure, &s->camera));
  }
}

static struct rect inside(struct rect area)
{
  return (struct rect){area.x + INNER, area.y + INNER, fmax(1.0, area.w - 2.0 * INNER),
                       fmax(1.0, area.h - 2.0 * INNER)};
}

static double scale_most(const struct performance_plan *s)
{
  return CLOSE / fmax(1e-6, fabs(s->p->task->creature->height));
}

struct performance_plan performance_plan_new(struct canvas *cv, const struct performance *p, double width)
{
  struct arena *arena = canvas_arena(cv);
  struct performance_plan s = {.cv = cv, .p = p, .theme = theme_paper()};
  s.n_commands = find_commands(p, NULL);
  s.commands = ARENA_NEW(arena, (size_t)s.n_commands + 1, struct plan_command);
  find_commands(p, s.commands);
  for (int i = 0; i < s.n_commands; i++) s.n_all += i == 0 || s.commands[i].frame != s.commands[i - 1].frame;
  s.n_shown = s.n_all <= PLAN_COMMANDS ? s.n_all : 0;
  s.figure = figure_new(arena, p->task->creature);
  s.camera = camera_above(0.0);
  figure_pose(s.figure, pose(p, 0));
  choose_bodies(&s, figure_extent(s.figure, &s.camera).w);
  measure(&s);
  struct rect fit = inside((struct rect){0.0, 0.0, width, HIGHEST});
  double scale = to_scale_fit(s.extent, fit, scale_most(&s)).scale;
  s.height = fmin(HIGHEST, fmax(LEAST, scale * s.extent.h + 2.0 * INNER));
  return s;
}

/* ---- drawing ---- */

static struct xy page_at(const struct performance_plan *s, const struct to_scale *map, const double *world)
{
  struct xy at = camera_project(&s->camera, world);
  return to_scale_map(map, at.x, at.y);
}

static void draw_bodies(const struct performance_plan *s, struct rect area, const struct to_scale *map)
{
  struct view look = {.camera = s->camera, .area = area, .map = *map, .style = view_style_paper(), .taper = 1,
                      .air = s->theme.panel};
  for (int i = 0; i < s->n_bodies; i++) {
    figure_pose(s->figure, pose(s->p, s->bodies[i]));
    look.haze = i + 1 == s->n_bodies ? 0.2 : 0.65;
    figure_draw(s->cv, s->figure, &look);
  }
}

static void draw_prints(const struct performance_plan *s, const struct to_scale *map)
{
  const struct clip *clip = s->p->motion;
  const struct creature *c = s->p->task->creature;
  struct view_style style = view_style_paper();
  if (clip->n_frames > PRINTS) return;
  for (int k = 1; k < clip->n_frames; k++) {
    const unsigned char *now = clip->contact + (size_t)k * (size_t)clip->n_points, *before = now - clip->n_points;
    int posed = 0;
    for (int i = 0; i < clip->n_points; i++) {
      if (!now[i] || before[i]) continue;
      if (!posed) figure_pose(s->figure, pose(s->p, k));
      posed = 1;
      struct colour colour = view_side_colour(&style, c->points[i].name);
      marker_draw(s->cv, MARKER_DOT, page_at(s, map, figure_contact(s->figure, i)), 1.4, colour_fade(colour, 0.9));
    }
  }
}

static void draw_way(const struct performance_plan *s, const struct to_scale *map)
{
  for (int k = 0, step = stride_of(s->p); k < s->p->n_frames; k += step) {
    struct xy at = page_at(s, map, pose(s->p, k));
    path_line(s->cv, at.x, at.y);
  }
  canvas_paint(s->cv, NULL, &(struct pen){.colour = s->theme.ink, .width = 1.1});
}

/* ---- commands: an arrow if an angle is asked, and what it is ---- */

/* What is on the page already: texts, which must not be met, and lines, which should not. */
struct taken { int n_texts, n_lines; struct rect texts[PLAN_COMMANDS], lines[OBSTACLES]; };

static void take_point(struct taken *t, struct xy at, double half)
{
  if (t->n_lines < OBSTACLES) t->lines[t->n_lines++] = (struct rect){at.x - half, at.y - half, 2.0 * half, 2.0 * half};
}

static void take_way(const struct performance_plan *s, struct taken *t, const struct to_scale *map)
{
  struct xy last = {-INFINITY, 0.0};
  for (int k = 0, step = stride_of(s->p); k < s->p->n_frames && t->n_lines < OBSTACLES / 2; k += step) {
    struct xy at = page_at(s, map, pose(s->p, k));
    if (hypot(at.x - last.x, at.y - last.y) < 5.0) continue;
    take_point(t, at, 2.5);
    last = at;
  }
}

static int meets(struct rect r, int n, const struct rect *others)
{
  for (int i = 0; i < n; i++) {
    struct rect o = others[i];
    if (r.x < o.x + o.w && o.x < r.x + r.w && r.y < o.y + o.h && o.y < r.y + r.h) return 1;
  }
  return 0;
}

static int is_inside(struct rect r, struct rect area)
{
  return r.x >= area.x + 1.0 && r.y >= area.y + 1.0 && r.x + r.w <= area.x + area.w - 1.0 &&
         r.y + r.h <= area.y + area.h - 1.0;
}

/* The first place next to at that has room: clear of all; else clear of texts only, and near. 0 if there is none. */
static int find_room(const struct taken *t, struct xy at, struct rect area, struct rect *box)
{
  static const double ways[][2] = {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {0.8, -1}, {0.8, 1}, {-0.8, -1}, {-0.8, 1}};
  const int n = (int)(sizeof ways / sizeof *ways);
  double w = box->w, h = box->h;
  for (int strict = 1; strict >= 0; strict--)
    for (int i = 0; i < (strict ? 4 : 2) * n; i++) {
      const double *way = ways[i % n], away = 6.0 + 7.0 * (i / n);
      struct xy middle = {at.x + way[0] * (0.5 * w + away), at.y + way[1] * (0.5 * h + away)};
      *box = (struct rect){middle.x - 0.5 * w, middle.y - 0.5 * h, w, h};
      if (is_inside(*box, area) && !meets(*box, t->n_texts, t->texts) && !(strict && meets(*box, t->n_lines, t->lines)))
        return 1;
    }
  return 0;
}

static void put_label(const struct performance_plan *s, struct taken *t, struct xy at, struct rect area,
                      const char *text)
{
  struct font f = {.size = 8.0, .bold = 1, .colour = colour_mix(performance_asked_colour(), s->theme.ink, 0.45)};
  struct rect box = {0.0, 0.0, text_width(s->cv, &f, text) + 3.0, 1.2 * f.size};
  if (t->n_texts == PLAN_COMMANDS || !find_room(t, at, area, &box)) return;
  t->texts[t->n_texts++] = box;
  path_round_rect(s->cv, box, 2.0);
  canvas_paint(s->cv, &(struct fill){.colour = colour_fade(s->theme.panel, 0.8)}, NULL);
  text_draw(s->cv, &f, (struct xy){box.x + 0.5 * box.w, box.y + 0.5 * box.h + 0.36 * f.size}, ALIGN_CENTRE, text);
}

static char *command_text(const struct performance_plan *s, const struct plan_command *c)
{
  const struct task_parameter *p = &s->p->task->parameters[c->parameter];
  struct arena *arena = canvas_arena(s->cv);
  double whole = floor(task_wrap(c->asked) / TO_RADIANS + 0.5);
  if (p->kind->space == TASK_INTERVAL)
    return arena_printf(arena, "%s %s", text_number3(arena, c->asked), p->kind->unit);
  if (p->kind->space == TASK_CATEGORY)
    return text_clean(arena, task_value_text(p, c->asked).words, 1);
  char *angle = choice_turn(arena, (whole < -179.5 ? 180.0 : whole) * TO_RADIANS);
  return p->kind->is_arrow ? angle : arena_printf(arena, "%s %s", p->kind->name, angle);
}

static struct xy arrow_tip(struct xy at, double angle)
{
  return (struct xy){at.x + ARROW * cos(angle), at.y - ARROW * sin(angle)};
}

static void draw_arrows(const struct performance_plan *s, const struct plan_command *c, struct taken *t,
                        const struct to_scale *map)
{
  struct colour colour = performance_asked_colour();
  struct xy at = page_at(s, map, pose(s->p, c->frame)), to = arrow_tip(at, c->asked);
  marker_draw(s->cv, MARKER_DOT, at, 3.0, colour);
  take_point(t, at, 3.5);
  if (s->p->task->parameters[c->parameter].kind->space != TASK_CIRCLE) return;
  arrow_draw(s->cv, &(struct arrow){at, to, 1.8, colour, colour_fade(s->theme.paper, 0.9)});
  for (int i = 1; i <= 4; i++)
    take_point(t, (struct xy){at.x + 0.25 * i * (to.x - at.x), at.y + 0.25 * i * (to.y - at.y)}, 3.0);
}

/* All commands of one frame; returns the next. */
static int label_command(const struct performance_plan *s, int first, int number, struct taken *t, struct rect area,
                         const struct to_scale *map)
{
  struct arena *arena = canvas_arena(s->cv);
  int frame = s->commands[first].frame, k = first, arrows = 0;
  struct xy at = page_at(s, map, pose(s->p, frame)), tip = at;
  char *text = arena_printf(arena, "%d:", number);
  for (; k < s->n_commands && s->commands[k].frame == frame; k++) {
    const struct plan_command *c = &s->commands[k];
    text = arena_printf(arena, "%s%s %s", text, k > first ? "," : "", command_text(s, c));
    if (s->p->task->parameters[c->parameter].kind->space == TASK_CIRCLE && !arrows++) tip = arrow_tip(at, c->asked);
  }
  put_label(s, t, tip, area, text);
  return k;
}

static void draw_commands(const struct performance_plan *s, struct rect area, const struct to_scale *map)
{
  struct taken *t = ARENA_NEW(canvas_arena(s->cv), 1, struct taken);
  take_way(s, t, map);
  for (int k = 0, number = 0; k < s->n_commands; k++) {
    number += k == 0 || s->commands[k].frame != s->commands[k - 1].frame;
    if (number <= s->n_shown) draw_arrows(s, &s->commands[k], t, map);
  }
  for (int k = 0, number = 1; k < s->n_commands && number <= s->n_shown; number++)
    k = label_command(s, k, number, t, area, map);
}

void performance_plan_draw(struct performance_plan *s, struct rect area)
{
  struct pen thread = {.colour = s->theme.faint, .width = 0.5}, frame = {.colour = s->theme.muted, .width = 0.7};
  struct font f = {.size = 8.0, .colour = s->theme.muted};
  struct to_scale map = to_scale_fit(s->extent, inside(area), scale_most(s));
  map.y0 = area.y + 0.5 * area.h + map.scale * (s->extent.y + 0.5 * s->extent.h);
  struct scale_bar bar = scale_bar_choose(map.scale, 80.0);
  canvas_box(s->cv, area, s->theme.panel);
  grid_draw(s->cv, area, to_scale_map(&map, 0.0, 0.0), bar.length * map.scale, &thread);
  draw_bodies(s, area, &map);
  canvas_clip(s->cv, area);
  draw_prints(s, &map);
  draw_way(s, &map);
  draw_commands(s, area, &map);
  canvas_unclip(s->cv);
  path_rect(s->cv, area);
  canvas_paint(s->cv, NULL, &frame);
  text_fit(s->cv, &f, (struct xy){area.x, area.y - 4.0}, area.w, ALIGN_LEFT,
           arena_printf(canvas_arena(s->cv), "from above: the way of the root, footprints, and what was asked where; "
                        "threads %s apart", bar.label));
}

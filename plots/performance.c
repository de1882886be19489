/* A performance. See plots/performance.h. */
#include "plots/performance.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "plots/choices.h"
#include "plots/performance_plan.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define TEXT 8.5
#define LEFT 50.0        /* of all axes                                  */
#define CURVE 112.0      /* heights of panels                            */
#define BANDS 62.0
#define COST 104.0
#define CLIPS 46.0
#define SAMPLES 4000     /* of a curve, at most                          */
#define LEGEND_TERMS 8   /* of a cost that the legend names, at most      */

static const double content = PAGE_WIDTH - 2.0 * MARGIN;

struct sheet {
  struct canvas *cv;
  const struct performance *p;
  struct theme theme;
  struct performance_plan plan;
  int n, step;                  /* samples of curves, and frames from one to the next */
  double *time, *y[3];          /* [s]                                                */
  double end;                   /* [s]                                                */
  int numbered;                 /* commands have their numbers in a panel already     */
};

/* ---- numbers ---- */

static double asked_at(const struct performance *p, int parameter, int frame)
{
  return p->asked[(size_t)frame * (size_t)p->n_parameters + (size_t)parameter];
}

/* done - asked is known in [-pi, pi), whatever the kind of angle. */
static double done_at(const struct performance *p, int parameter, int frame)
{
  double asked = asked_at(p, parameter, frame);
  return asked + performance_error(&p->task->parameters[parameter], &p->features[frame], asked);
}

void performance_angles(const struct performance *p, int parameter, double *asked, double *done)
{
  const double jump = 0.25; /* a smaller step is a drift [rad] */
  for (int k = 0; k < p->n_frames; k++) {
    done[k] = done_at(p, parameter, k);
    asked[k] = asked_at(p, parameter, k);
    if (k == 0) continue;
    done[k] = done[k - 1] + task_wrap(done[k] - done[k - 1]);
    double change = task_wrap(asked[k] - asked[k - 1]);
    if (fabs(change) < jump) asked[k] = asked[k - 1] + change;
  }
  for (int from = 0, until; from < p->n_frames; from = until) {
    for (until = from + 1; until < p->n_frames; until++)
      if (!(fabs(asked[until] - asked[until - 1]) < jump)) break;
    double turns = floor((done[until - 1] - asked[until - 1]) / (2.0 * PI) + 0.5);
    for (int k = from; k < until; k++) asked[k] += 2.0 * PI * turns;
  }
}

static void widen(double *lo, double *hi, int n, const double *y)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(y[i])) continue;
    *lo = fmin(*lo, y[i]);
    *hi = fmax(*hi, y[i]);
  }
}

/* ---- panels over time ---- */

static struct axes axes_of(const struct sheet *s, double top, double height, const char *title)
{
  return (struct axes){.outer = {MARGIN, top, content, height}, .x_hi = s->end, .y_hi = 1.0, .theme = s->theme,
                       .size = TEXT, .grid = 1, .left = LEFT, .bare_x = 1, .title = title};
}

static void draw_commands(const struct sheet *s, const struct axes *a)
{
  struct pen pen = {.colour = colour_fade(performance_asked_colour(), 0.8), .width = 0.8, .dash = 2.0};
  int shown = 0;
  for (int i = 0; i < s->plan.n_commands && shown < s->plan.n_shown; i++) {
    if (i > 0 && s->plan.commands[i].frame == s->plan.commands[i - 1].frame) continue;
    double x = axes_map(a, s->plan.commands[i].frame * s->p->dt, 0.0).x;
    canvas_line(s->cv, (struct xy){x, a->area.y}, (struct xy){x, a->area.y + a->area.h}, &pen);
    shown++;
  }
}

/* The numbers that the commands have from above, where there is room. */
static void number_commands(const struct sheet *s, const struct axes *a)
{
  struct font f = {.size = 7.5, .bold = 1, .colour = colour_mix(performance_asked_colour(), s->theme.ink, 0.45)};
  double last = -INFINITY;
  int shown = 0;
  for (int i = 0; i < s->plan.n_commands && shown < s->plan.n_shown; i++) {
    if (i > 0 && s->plan.commands[i].frame == s->plan.commands[i - 1].frame) continue;
    char *text = arena_printf(canvas_arena(s->cv), "%d", ++shown);
    double x = axes_map(a, s->plan.commands[i].frame * s->p->dt, 0.0).x + 2.5, width = text_width(s->cv, &f, text);
    if (x < last + 2.0 || x + width > a->area.x + a->area.w) continue;
    text_draw(s->cv, &f, (struct xy){x, a->area.y + 8.0}, ALIGN_LEFT, text);
    last = x + width;
  }
}

static void start_panel(struct sheet *s, const struct axes *a)
{
  canvas_box(s->cv, a->area, s->theme.panel);
  axes_draw(s->cv, a);
  draw_commands(s, a);
  if (!s->numbered) number_commands(s, a);
  s->numbered = 1;
}

/* Ticks at eighths of a turn, or at as many as there is room for. */
static void angle_ticks(struct axes *a)
{
  double step = 45.0;
  while ((a->y_hi - a->y_lo) / step > 5.0) step *= 2.0;
  a->y_ticks = (struct ticks){.step = step};
  for (double y = ceil(a->y_lo / step) * step; y <= a->y_hi && a->y_ticks.n < TICKS_MAX; y += step)
    a->y_ticks.at[a->y_ticks.n++] = y;
}

static void draw_pair(struct sheet *s, struct axes *a, int angle)
{
  axes_layout(s->cv, a);
  if (angle) angle_ticks(a);
  start_panel(s, a);
  axes_curve(s->cv, a, s->n, s->time, s->y[0], &(struct pen){performance_asked_colour(), 1.8, 0.0});
  axes_curve(s->cv, a, s->n, s->time, s->y[1], &(struct pen){s->theme.ink, 1.2, 0.0});
}

static void draw_angle(struct sheet *s, int parameter, double top)
{
  const struct performance *p = s->p;
  struct arena *arena = arena_new();
  double *asked = ARENA_NEW(arena, (size_t)p->n_frames, double), *done = ARENA_NEW(arena, (size_t)p->n_frames, double);
  char *title = arena_printf(canvas_arena(s->cv), "%s [\xc2\xb0], to the left of the heading at the start",
                             p->task->parameters[parameter].kind->name);
  struct axes a = axes_of(s, top, CURVE, title);
  double lo = INFINITY, hi = -INFINITY;
  performance_angles(p, parameter, asked, done);
  for (int i = 0; i < s->n; i++) {
    s->y[0][i] = TO_DEGREES * asked[i * s->step];
    s->y[1][i] = TO_DEGREES * done[i * s->step];
  }
  widen(&lo, &hi, s->n, s->y[0]);
  widen(&lo, &hi, s->n, s->y[1]);
  axes_widen(&lo, &hi, 60.0);
  a.y_lo = lo;
  a.y_hi = hi + (s->numbered ? 0.0 : 0.12 * (hi - lo)); /* room for the numbers of commands */
  draw_pair(s, &a, 1);
  arena_free(arena);
}

static void draw_speed(struct sheet *s, int parameter, double top)
{
  const struct task_parameter *t = &s->p->task->parameters[parameter];
  struct axes a = axes_of(s, top, CURVE, arena_printf(canvas_arena(s->cv), "%s [%s]", t->kind->name, t->kind->si_unit));
  double lo = INFINITY, hi = -INFINITY;
  for (int i = 0; i < s->n; i++) {
    s->y[0][i] = asked_at(s->p, parameter, i * s->step);
    s->y[1][i] = done_at(s->p, parameter, i * s->step);
  }
  widen(&lo, &hi, s->n, s->y[0]);
  widen(&lo, &hi, s->n, s->y[1]);
  if (lo > 0.0 && t->kind->axis_from_zero) lo = 0.0;
  axes_widen(&lo, &hi, 1e-3);
  a.y_lo = lo;
  a.y_hi = hi;
  draw_pair(s, &a, 0);
}

/* A stretch of time in one colour, with a word in it if there is room. */
static void draw_stretch(const struct sheet *s, const struct axes *a, const struct xy *time, const struct xy *share,
                         struct colour c, const char *word)
{
  struct font f = {.size = 7.5, .colour = 0.3 * c.r + 0.59 * c.g + 0.11 * c.b > 0.55 ? s->theme.ink : s->theme.paper};
  double from = axes_map(a, time->x, 0.0).x, until = fmin(axes_map(a, time->y, 0.0).x, a->area.x + a->area.w);
  double low = a->area.y + (1.0 - share->x) * a->area.h, high = a->area.y + (1.0 - share->y) * a->area.h;
  canvas_box(s->cv, (struct rect){from, high, until - from, low - high}, c);
  if (word && text_width(s->cv, &f, word) + 6.0 < until - from)
    text_draw(s->cv, &f, (struct xy){0.5 * (from + until), 0.5 * (low + high) + 0.36 * f.size}, ALIGN_CENTRE, word);
}

/* The category of a frame, asked or done: its value. */
static int category_at(const struct performance *p, int parameter, int frame, int done)
{
  const struct task_parameter *t = &p->task->parameters[parameter];
  return (int)(done ? t->kind->done(t, &p->features[frame]) : asked_at(p, parameter, frame));
}

static void draw_gaits(const struct sheet *s, int parameter, double top)
{
  const struct performance *p = s->p;
  struct axes a = axes_of(s, top, BANDS, p->task->parameters[parameter].kind->name);
  struct font f = {.size = TEXT, .colour = s->theme.muted};
  axes_layout(s->cv, &a);
  a.y_ticks.n = 0;
  a.grid = 0;
  canvas_box(s->cv, a.area, s->theme.panel);
  draw_commands(s, &a);
  for (int done = 0; done < 2; done++) {
    struct xy share = {done ? 0.04 : 0.54, done ? 0.46 : 0.96};
    for (int from = 0, until; from < p->n_frames; from = until) {
      int gait = category_at(p, parameter, from, done);
      for (until = from + 1; until < p->n_frames && category_at(p, parameter, until, done) == gait;) until++;
      const char *name = gait >= 0 && gait < p->task->creature->n_motions ? p->task->creature->gaits[gait].name : "";
      struct colour c = colour_mix(palette(1 + (gait < 0 ? 0 : gait)), s->theme.paper, 0.35);
      draw_stretch(s, &a, &(struct xy){from * p->dt, until * p->dt}, &share, c,
                   text_clean(canvas_arena(s->cv), name, 1));
    }
    text_draw(s->cv, &f, (struct xy){a.area.x - 5.0, a.area.y + (done ? 0.75 : 0.25) * a.area.h + 0.36 * TEXT},
              ALIGN_RIGHT, done ? "done" : "asked");
  }
  axes_draw(s->cv, &a);
}

/* ---- costs ---- */

static struct colour cost_colour(int parameter)
{
  static const int colours[] = {PALETTE_ORANGE, PALETTE_SKY, PALETTE_GREEN, PALETTE_YELLOW};
  return palette(colours[parameter % 4]);
}

static double task_cost_at(const struct performance *p, int parameter, int frame)
{
  return p->task_cost[(size_t)frame * (size_t)p->n_parameters + (size_t)parameter];
}

/* Terms of the task upon each other, the body's as a line (it may be negative), the mean so far as a thick one. */
static void draw_costs(struct sheet *s, double top)
{
  const struct performance *p = s->p;
  struct arena *arena = arena_new();
  double *running = ARENA_NEW(arena, (size_t)p->n_frames, double), lo = 0.0, hi = 0.0;
  struct axes a = axes_of(s, top, COST, "cost of a frame");
  performance_running(p, running);
  for (int i = 0; i < s->n; i++) {
    double sum = 0.0;
    for (int k = 0; k < p->n_parameters; k++) sum += task_cost_at(p, k, i * s->step);
    lo = fmin(lo, p->body_cost[i * s->step]);
    hi = fmax(hi, fmax(sum, fmax(running[i * s->step], p->body_cost[i * s->step])));
  }
  axes_widen(&lo, &hi, 1e-3);
  a.y_lo = lo;
  a.y_hi = hi;
  axes_layout(s->cv, &a);
  start_panel(s, &a);
  for (int i = 0; i < s->n; i++) s->y[0][i] = 0.0;
  for (int k = 0; k < p->n_parameters; k++) {
    for (int i = 0; i < s->n; i++) s->y[1][i] = s->y[0][i] + task_cost_at(p, k, i * s->step);
    axes_band(s->cv, &a, &(struct band){s->time, s->y[0], s->y[1], s->n}, colour_fade(cost_colour(k), 0.75));
    memcpy(s->y[0], s->y[1], (size_t)s->n * sizeof(double));
  }
  for (int i = 0; i < s->n; i++) {
    s->y[1][i] = p->body_cost[i * s->step];
    s->y[2][i] = running[i * s->step];
  }
  axes_level(s->cv, &a, 0.0, &(struct pen){s->theme.muted, 0.6, 0.0});
  axes_curve(s->cv, &a, s->n, s->time, s->y[1], &(struct pen){palette(PALETTE_BLUE), 1.1, 0.0});
  axes_curve(s->cv, &a, s->n, s->time, s->y[2], &(struct pen){s->theme.ink, 1.6, 0.0});
  arena_free(arena);
}

/* ---- clips ---- */

/* The clip shown in a frame. */
static int clip_at(const struct performance *p, int frame)
{
  const struct muy_player_segment *e = &p->player->segments[p->segment[frame]];
  int k = 0, at = p->at[frame];
  while (k + 1 < e->n_pieces && at >= e->pieces[k].count) at -= e->pieces[k++].count;
  return e->pieces[k].clip;
}

/* Changes of gait show in the segments that choose the clip. */
static struct choice choice_of(const struct performance *p, int clip)
{
  const struct muy_player_clip *c = &p->player->clips[clip];
  struct choice choice = {.name = c->name ? c->name : "", .cyclic = c->cyclic,
                          .turn = c->cyclic ? 0.0 : c->advance.yaw};
  for (int e = 0; e < p->player->n_segments && !c->cyclic; e++) {
    const struct muy_player_segment *s = &p->player->segments[e];
    if (s->pieces[0].clip == clip) choice.changes_gait |= s->features[0].gait != s->features[s->n_frames - 1].gait;
  }
  return choice;
}

static double largest_turn(const struct performance *p)
{
  double largest = 0.0;
  for (int i = 0; i < p->player->n_clips; i++)
    if (!p->player->clips[i].cyclic) largest = fmax(largest, fabs(p->player->clips[i].advance.yaw));
  return largest;
}

static void draw_clips(const struct sheet *s, double top)
{
  const struct performance *p = s->p;
  struct axes a = axes_of(s, top, CLIPS + 2.6 * TEXT, "clips played");
  struct arena *arena = canvas_arena(s->cv);
  double largest = largest_turn(p);
  a.bare_x = 0;
  a.x_label = "time [s]";
  axes_layout(s->cv, &a);
  a.y_ticks.n = 0;
  a.grid = 0;
  for (int from = 0, until; from < p->n_frames; from = until) {
    int clip = clip_at(p, from);
    for (until = from + 1; until < p->n_frames && clip_at(p, until) == clip;) until++;
    struct choice c = choice_of(p, clip);
    const char *word = choice_side(&c) == CHOICE_STRAIGHT ? text_clean(arena, c.name, 1) : choice_turn(arena, c.turn);
    draw_stretch(s, &a, &(struct xy){from * p->dt, until * p->dt}, &(struct xy){0.0, 1.0}, choice_colour(&c, largest),
                 word);
  }
  axes_draw(s->cv, &a);
}

/* ---- the page ---- */

static double draw_legend(const struct sheet *s, double top, int draw)
{
  struct arena *arena = canvas_arena(s->cv);
  struct legend_entry e[LEGEND_TERMS + 4];
  int n = 0;
  e[n++] = (struct legend_entry){.label = "asked", .colour = performance_asked_colour(), .line = 1};
  e[n++] = (struct legend_entry){.label = "done; of costs, the mean so far", .colour = s->theme.ink, .line = 1};
  for (int k = 0; k < s->p->n_parameters && k < LEGEND_TERMS; k++)
    e[n++] = (struct legend_entry){.label = arena_printf(arena, "cost of %s", s->p->task->parameters[k].kind->name),
                                   .marker = MARKER_SQUARE, .colour = cost_colour(k)};
  e[n++] = (struct legend_entry){.label = "cost of the body", .colour = palette(PALETTE_BLUE), .line = 1};
  struct legend l = {.at = {MARGIN, top}, .width = content, .font = {.size = TEXT, .colour = s->theme.muted}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

static char *error_text(struct arena *arena, const struct performance *p, int parameter)
{
  const struct task_parameter *t = &p->task->parameters[parameter];
  double e = p->mean_error[parameter];
  if (t->kind->space == TASK_CIRCLE)
    return arena_printf(arena, "%s %s\xc2\xb0", t->kind->name, text_number3(arena, TO_DEGREES * e));
  if (t->kind->space == TASK_INTERVAL)
    return arena_printf(arena, "%s %s %s", t->kind->name, text_number3(arena, e), t->kind->si_unit);
  return arena_printf(arena, "%s wrong for %.1f %% of the time", t->kind->name, 100.0 * e);
}

static char *facts(const struct sheet *s)
{
  const struct performance *p = s->p;
  struct arena *arena = canvas_arena(s->cv);
  char *errors = NULL, *costs = arena_printf(arena, "body %s", text_number3(arena, p->mean_body));
  for (int k = 0; k < p->n_parameters; k++) {
    errors = arena_printf(arena, "%s%s%s", errors ? errors : "", errors ? ", " : "", error_text(arena, p, k));
    costs = arena_printf(arena, "%s, %s %s", costs, p->task->parameters[k].kind->name,
                         text_number3(arena, p->mean_task[k]));
  }
  const char *file = p->script && p->script->file ? p->script->file : "", *slash = strrchr(file, '/');
  char *who = p->script ? arena_printf(arena, "a script (%s)", slash ? slash + 1 : file)
                        : arena_printf(arena, "the task's own user");
  char *text = arena_printf(arena, "Play of %s s, asked by %s; mean cost %s a frame (%s); mean error: %s",
                            text_number3(arena, s->end), who, text_number3(arena, p->cost), costs, errors);
  return s->plan.n_all > s->plan.n_shown ? arena_printf(arena, "%s; %d commands, too many to mark", text, s->plan.n_all)
                                         : text;
}

static double panel_height(const struct performance *p, int parameter)
{
  return p->task->parameters[parameter].kind->space == TASK_CATEGORY ? BANDS : CURVE;
}

static void draw_panels(struct sheet *s, double top)
{
  for (int k = 0; k < s->p->n_parameters; k++) {
    enum task_space space = s->p->task->parameters[k].kind->space;
    if (space == TASK_CIRCLE)
      draw_angle(s, k, top);
    else if (space == TASK_INTERVAL)
      draw_speed(s, k, top);
    else
      draw_gaits(s, k, top);
    top += panel_height(s->p, k);
  }
  draw_costs(s, top);
  draw_clips(s, top + COST);
}

static void init(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  s->end = (s->p->n_frames - 1) * s->p->dt;
  s->step = s->p->n_frames > SAMPLES ? s->p->n_frames / SAMPLES + 1 : 1;
  s->n = (s->p->n_frames - 1) / s->step + 1;
  s->time = ARENA_NEW(arena, (size_t)s->n, double);
  for (int i = 0; i < 3; i++) s->y[i] = ARENA_NEW(arena, (size_t)s->n, double);
  for (int i = 0; i < s->n; i++) s->time[i] = i * s->step * s->p->dt;
  s->plan = performance_plan_new(s->cv, s->p, content);
}

struct canvas *performance_draw(const struct performance *p, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .p = p, .theme = theme_paper()};
  if (!s.cv) return NULL;
  init(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme, .subtitle = facts(&s),
                      .title = choice_title(canvas_arena(s.cv), p->task->creature->name, p->task->name)};
  double legend = draw_legend(&s, 0.0, 0), panels = COST + CLIPS + 2.6 * TEXT;
  for (int k = 0; k < p->n_parameters; k++) panels += panel_height(p, k);
  page.height = MARGIN + page_head_height(s.cv, &page) + 14.0 + s.plan.height + 12.0 + panels + legend + MARGIN;
  double top = page_start(s.cv, &page).y + 14.0;
  performance_plan_draw(&s.plan, (struct rect){MARGIN, top, content, s.plan.height});
  draw_panels(&s, top + s.plan.height + 12.0);
  draw_legend(&s, page.height - MARGIN - legend, 1);
  return s.cv;
}

int plot_performance(const struct performance *p, const char *path, struct diag *d)
{
  struct canvas *cv = performance_draw(p, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

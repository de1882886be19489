/* Films: when each picture is, where each panel. See plots/film.h. */
#include "plots/film.h"

#include <math.h>

#include "plots/film_frames.h"
#include "plots/traces.h"

#define WIDTH 560           /* of a film of one panel [pixels]                                                   */
#define WIDTH_MANY 800
#define HIGHEST 420         /* of a film of one panel, if nobody says so                                         */
#define LOWEST 150
#define ROW 150.0           /* height of a row of panels, about                                                  */
#define GAP 3.0
#define PICTURES_LEAST 7.0  /* of a cycle: faster ones are slowed down                                           */
#define OFF_MOST 0.10       /* from true speed, to bring cycles of several clips to one length                   */

struct panel {
  struct film_subject subject;
  struct film_scene *scene;
  double speed;             /* film time against real time                                                       */
  double step;              /* frames of the clip from picture to picture                                        */
  struct rect area;         /* with the caption                                                                  */
  struct to_scale map;
  const char *captions[3], *note; /* the longest that fits is shown                                              */
};

struct film {
  struct arena *arena;
  int n, n_frames, hundredths, width, height, closes;
  struct panel *panels;
  double head, band, text;  /* heights: of the title, of a caption, of its letters                               */
  const char *title;
  struct film_look look;
};

int film_frames(const struct film *f) { return f->n_frames; }
int film_hundredths(const struct film *f) { return f->hundredths; }
int film_width(const struct film *f) { return f->width; }
int film_height(const struct film *f) { return f->height; }
int film_closes(const struct film *f) { return f->closes; }
double film_speed(const struct film *f, int i) { return f->panels[i].speed; }

/* ---- time ---- */

/* Real time, or the largest simple fraction of it at which a cycle is not over after a few pictures. */
static double own_speed(const struct clip *clip, double tick)
{
  static const double speeds[] = {1.0, 0.5, 0.25, 0.1, 0.05, 0.025, 0.01};
  int n = (int)(sizeof speeds / sizeof *speeds);
  for (int i = 0; i < n; i++)
    if (clip->n_frames * clip->dt / speeds[i] >= PICTURES_LEAST * tick) return speeds[i];
  return speeds[n - 1];
}

/* How long a panel is in the film before it begins again [s]. */
static double length_of(const struct panel *p)
{
  const struct clip *clip = p->subject.clip;
  return (p->scene->closes ? clip->n_frames : clip->n_frames - 1) * clip->dt / p->speed;
}

/* How far the cycles are from whole numbers in so many pictures, at worst. */
static double misfit(const struct film *f, double seconds)
{
  double worst = 0.0;
  for (int i = 0; i < f->n; i++) {
    double cycles = seconds / length_of(&f->panels[i]);
    if (f->panels[i].scene->closes) worst = fmax(worst, fabs(cycles / fmax(1.0, floor(cycles + 0.5)) - 1.0));
  }
  return worst;
}

/* The shortest film in which all cycles close, at nearly their own speed. */
static int choose_frames(const struct film *f, double tick)
{
  double longest = 0.0, open = 0.0, least = INFINITY;
  for (int i = 0; i < f->n; i++) {
    double length = length_of(&f->panels[i]);
    longest = fmax(longest, length);
    if (!f->panels[i].scene->closes) open = fmax(open, length);
  }
  if (open > 0.0) return (int)fmin(1e9, floor(open / tick + 1e-6) + 1.0); /* as long as what does not close */
  int from = (int)fmax(2.0, floor(fmin(longest / tick, 1e9) + 0.5)), best = from;
  if (f->n == 1 || from > FILM_FRAMES_MOST) return from;
  for (int n = from; n <= 4 * from; n++) {
    double off = misfit(f, n * tick);
    if (off < least - 1e-9) {
      least = off;
      best = n;
    }
    if (least <= OFF_MOST) break;
  }
  return best;
}

static void set_pace(struct film *f, struct panel *p, double tick)
{
  const struct clip *clip = p->subject.clip;
  double cycles = fmax(1.0, floor(f->n_frames * tick / length_of(p) + 0.5));
  p->step = p->scene->closes ? cycles * clip->n_frames / f->n_frames : tick * p->speed / clip->dt;
  p->speed = p->step * clip->dt / tick;
  double way = 0.0;
  for (int k = 0; k < clip->n_frames; k++) {
    struct xy a = film_scene_target(p->scene, k), b = film_scene_target(p->scene, k + 1.0);
    way += hypot(b.x - a.x, b.y - a.y);
  }
  film_scene_choose_step(p->scene, way / clip->n_frames * p->step);
}

/* ---- space ---- */

/* Width to height of the room that a scene wants, margins included. */
static double aspect_of(const struct panel *p)
{
  struct rect e = p->scene->extent;
  return fmin(3.5, fmax(0.6, 1.15 * e.w / (1.18 * e.h)));
}

static void lay_out_one(struct film *f, const struct film_options *o)
{
  double aspect = aspect_of(&f->panels[0]);
  int w = o->width, h = o->height;
  if (!w && !h) w = (int)fmin(WIDTH, fmax(0.85, aspect) * HIGHEST);
  if (!h) h = (int)fmin(HIGHEST * fmax(1.0, w / (double)WIDTH), fmax(LOWEST * w / (double)WIDTH, w / aspect));
  if (!w) w = (int)fmax(0.5 * h, h * aspect);
  f->width = w;
  f->height = h;
  f->text = fmin(18.0, fmax(8.0, fmin(0.024 * f->width, 0.09 * f->height)));
  f->band = 2.0 * f->text;
  f->panels[0].area = (struct rect){0.0, 0.0, f->width, f->height};
}

/* Rows from edge to edge; returns the height of all. */
static double hang(struct film *f, double target)
{
  double *aspects = ARENA_NEW(f->arena, (size_t)f->n, double), y = f->head;
  int *next = ARENA_NEW(f->arena, (size_t)f->n + 1, int);
  struct rows rows = {.n = f->n, .aspects = aspects, .width = f->width, .gap = GAP, .target = target};
  for (int i = 0; i < f->n; i++) aspects[i] = aspect_of(&f->panels[i]);
  rows_break(f->arena, &rows, next);
  for (int i = 0; i < f->n; i = next[i]) {
    double height = fmin(rows_height(&rows, i, next[i]), 2.0 * target), x = 0.0, given = height * rows.width;
    given /= rows_height(&rows, i, next[i]) * rows.width; /* of a row too short for the width all get more of it */
    for (int k = i; k < next[i]; k++) {
      double w = aspects[k] * height / given;
      f->panels[k].area = (struct rect){x, y, w, height + f->band};
      x += w + GAP;
    }
    y += height + f->band + GAP;
  }
  return y - GAP;
}

static void lay_out_many(struct film *f, const struct film_options *o)
{
  f->width = o->width ? o->width : WIDTH_MANY;
  double scale = f->width / (double)WIDTH_MANY, target = ROW * scale;
  f->text = fmin(16.0, fmax(8.0, 11.0 * scale));
  f->band = 1.7 * f->text;
  f->head = f->title ? 2.6 * f->text : 0.0;
  double height = hang(f, target), best = target, least = INFINITY;
  f->height = o->height ? o->height : (int)ceil(height);
  if (!o->height) return;
  for (double other = 2.5 * target; other > 0.25 * target; other *= 0.93) { /* rows that come closest to the height */
    double off = fabs(log(hang(f, other) / o->height));
    if (off < least) {
      least = off;
      best = other;
    }
  }
  height = hang(f, best);
  double stretch = (o->height - f->head) / (height - f->head);
  for (int i = 0; i < f->n; i++) {
    struct rect *a = &f->panels[i].area;
    a->y = f->head + stretch * (a->y - f->head);
    a->h = fmax(f->band + 4.0, stretch * (a->h + GAP) - GAP);
  }
}

/* ---- words ---- */

static const char *name_of(struct film *f, const struct film_subject *s)
{
  if (s->name) return text_clean(f->arena, s->name, 0);
  return arena_printf(f->arena, "%s: %s", text_clean(f->arena, creature_title(f->arena, s->creature), 1),
                      text_clean(f->arena, s->clip->name, 1));
}

/* "1/4 of real time"; nothing near real time. */
static const char *speed_note(struct film *f, double speed)
{
  double slower = 1.0 / speed, whole = floor(slower + 0.5);
  if (fabs(speed - 1.0) < 0.13) return "";
  if (slower > 1.5 && fabs(slower / whole - 1.0) < 0.13) return arena_printf(f->arena, "1/%.0f of real time", whole);
  return arena_printf(f->arena, "%s times real time", text_number3(f->arena, speed));
}

/* ---- the film ---- */

static int make_panel(struct film *f, struct panel *p, const struct film_options *o, const char *file, struct diag *d)
{
  struct film_scene_options look = o->scene;
  double tick = f->hundredths / 100.0;
  if (!traces_new(f->arena, p->subject.creature, p->subject.clip, file, d))
    return 0; /* it knows what is wrong with a clip */
  look.play = p->subject.play;
  look.terrain = p->subject.terrain;
  look.n_pushes = p->subject.n_pushes;
  look.pushes = p->subject.pushes;
  look.n_balls = p->subject.n_balls;
  look.balls = p->subject.balls;
  look.ball_radius = p->subject.ball_radius;
  if (f->n > 1) look.lines = 3; /* small panels: fewer threads */
  p->scene = film_scene_new(f->arena, p->subject.creature, p->subject.clip, &look);
  p->speed = o->speed > 0.0 ? o->speed : p->scene->closes ? own_speed(p->subject.clip, tick) : 1.0;
  const char *name = name_of(f, &p->subject), *pace = film_scene_pace(p->scene, f->arena);
  p->captions[0] = *pace ? arena_printf(f->arena, "%s, %s", name, pace) : name;
  p->captions[1] = name;
  p->captions[2] = p->subject.name && !p->subject.n_pushes
                       ? name
                       : text_clean(f->arena, creature_title(f->arena, p->subject.creature), 1);
  return 1;
}

struct film *film_new(struct arena *arena, int n, const struct film_subject *subjects, const struct film_options *o,
                      const char *file, struct diag *d)
{
  struct film *f = ARENA_NEW(arena, 1, struct film);
  double fps = o->fps > 0.0 ? o->fps : FILM_FPS;
  *f = (struct film){
      .arena = arena, .n = n, .hundredths = (int)fmin(1000.0, fmax(2.0, floor(100.0 / fps + 0.5))), .closes = 1};
  f->look = o->scene.paper ? film_look_paper() : film_look_plate();
  f->title = n > 1 && o->title && *o->title ? text_clean(arena, o->title, 0) : NULL;
  f->panels = ARENA_NEW(arena, (size_t)n, struct panel);
  for (int i = 0; i < n; i++) {
    f->panels[i].subject = subjects[i];
    if (n == 1 && o->title) f->panels[i].subject.name = o->title;
    if (!make_panel(f, &f->panels[i], o, file, d)) return NULL;
    f->closes &= f->panels[i].scene->closes;
  }
  double tick = f->hundredths / 100.0;
  f->n_frames = choose_frames(f, tick);
  if (f->n_frames > FILM_FRAMES_MOST) {
    diag_error(d, file, 0, "the film would have %d pictures, at most %d are possible: make it faster or its rate lower",
               f->n_frames, FILM_FRAMES_MOST);
    return NULL;
  }
  for (int i = 0; i < n; i++) set_pace(f, &f->panels[i], tick);
  if (n == 1)
    lay_out_one(f, o);
  else
    lay_out_many(f, o);
  for (int i = 0; i < n; i++) {
    struct panel *p = &f->panels[i];
    p->map = film_scene_fit(p->scene, (struct rect){p->area.x, p->area.y, p->area.w, p->area.h - f->band}, 0.0);
    p->note = speed_note(f, p->speed);
  }
  return f;
}

/* ---- drawing ---- */

/* What happens now: the push while it is seen, the time; of a player, what is asked. "" if nothing has to be told. */
static const char *events_text(const struct film *f, const struct panel *p, double frame, struct arena *arena,
                               struct colour *colour)
{
  const struct film_subject *s = &p->subject;
  double seconds = frame * s->clip->dt, clearly, weight = s->creature->mass * CREATURE_GRAVITY;
  if (s->play) {
    *colour = f->look.asked;
    return arena_printf(arena, "%s   %.1f s", film_asked_text(s->play, frame, arena), seconds);
  }
  const struct film_push *push = film_scene_push(p->scene, frame, &clearly);
  if (push) {
    double size = sqrt(push->force[0] * push->force[0] + push->force[1] * push->force[1] + push->force[2] *
                       push->force[2]);
    *colour = f->look.push;
    return arena_printf(arena, "a push of %.2f body weights   %.1f s", size / weight, seconds);
  }
  return s->n_pushes || s->n_balls ? arena_printf(arena, "%s%s%.1f s", p->note, *p->note ? "   " : "", seconds)
         : p->note;
}

static void draw_caption(const struct film *f, struct canvas *cv, const struct panel *p, double frame)
{
  struct font font = {.size = f->text, .colour = f->look.text}, note = font;
  double base = p->area.y + p->area.h - f->band + 0.5 * f->band + 0.36 * f->text, edge = 0.6 * f->text;
  note.colour = colour_mix(f->look.text, f->look.floor, 0.35);
  const char *right = events_text(f, p, frame, canvas_arena(cv), &note.colour);
  double width = *right ? text_width(cv, &note, right) : 0.0, room = p->area.w - 2.0 * edge;
  double left = fmax((p->subject.n_pushes ? 0.2 : 0.4) * room, room - width - f->text);
  int which = 0;
  while (which < 2 && text_width(cv, &font, p->captions[which]) > left) which++;
  text_fit(cv, &font, (struct xy){p->area.x + edge, base}, left, ALIGN_LEFT, p->captions[which]);
  text_fit(cv, &note, (struct xy){p->area.x + p->area.w - edge, base}, room - left, ALIGN_RIGHT, right);
}

void film_draw(struct film *f, struct canvas *cv, int frame)
{
  struct colour page = f->panels[0].scene->options.paper ? f->look.wall : colour_rgb(0x15110e);
  canvas_page(cv, f->width, f->height, page);
  if (f->title) {
    struct font font = {.size = 1.4 * f->text, .serif = 1, .bold = 1, .colour = f->look.text};
    text_fit(cv, &font, (struct xy){0.6 * f->text, 1.75 * f->text}, f->width - 1.2 * f->text, ALIGN_LEFT, f->title);
  }
  for (int i = 0; i < f->n; i++) {
    struct panel *p = &f->panels[i];
    double at = frame * p->step;
    if (!p->scene->closes) at = fmin(at, p->subject.clip->n_frames - 1.0);
    film_scene_show(p->scene, at);
    film_scene_draw(cv, p->scene, (struct rect){p->area.x, p->area.y, p->area.w, p->area.h - f->band}, p->map);
    draw_caption(f, cv, p, at);
  }
}

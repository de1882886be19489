/* The motion graph of a controller. See plots/graph_figure.h. */
#include "plots/graph_figure.h"

#include <math.h>

#include "base/angle.h"
#include "plots/choices.h"
#include "plots/graph_layout.h"
#include "plots/graph_table.h"

#define PAGE_WIDTH 842.0 /* A4 on its side; as high as it needs [points] */
#define MARGIN 30.0
#define GAP 18.0
#define DRAWING 490.0    /* height of the drawing; of two rings          */
#define TWO_RINGS 330.0
#define WIDEST 5.0       /* lines                                        */
#define THINNEST 0.6
#define TEXT 7.5

static const double drawing_width = PAGE_WIDTH - 2.0 * MARGIN - GAP - GRAPH_TABLE_WIDTH;

/* Boxes on the page that texts have taken. */
struct taken { int n, room; struct rect *boxes; };

struct sheet {
  struct canvas *cv;
  const struct controller *c;
  const struct motion_graph *g;
  struct theme theme;
  const struct graph_layout *l;
  double **use;                 /* of each clip's frames, times a second  */
  double most;                  /* of all                                 */
  double middle;                /* of the drawing, from above             */
  struct taken taken;
};

/* ---- how often ---- */

void graph_figure_use(const struct controller *c, int clip, double *out)
{
  const struct motion_graph *g = c->graph;
  int n = g->clips[clip].clip->n_frames;
  for (int k = 0; k < n; k++) out[k] = 0.0;
  for (int e = 0; e < g->n_segments; e++) {
    double rate = influence_of_frame(c->influence, e) / g->clips[clip].clip->dt;
    for (int i = 0; i < g->segments[e].n_pieces; i++) {
      const struct graph_piece *p = &g->segments[e].pieces[i];
      if (p->clip != clip) continue;
      for (int k = 0; k < p->count; k++) out[(p->first + k) % n] += rate;
    }
  }
}

static void gather_use(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  s->use = ARENA_NEW(arena, (size_t)s->g->n_clips + 1, double *);
  for (int i = 0; i < s->g->n_clips; i++) {
    int n = s->g->clips[i].clip->n_frames;
    s->use[i] = ARENA_NEW(arena, (size_t)n, double);
    graph_figure_use(s->c, i, s->use[i]);
    for (int k = 0; k < n; k++) s->most = fmax(s->most, s->use[i][k]);
  }
}

/* As the root: rare ones can still be told from never. */
static double width_of(const struct sheet *s, double use)
{
  return s->most > 0.0 ? THINNEST + (WIDEST - THINNEST) * sqrt(use / s->most) : THINNEST;
}

/* Of a transition: the most of its frames. */
static double use_of(const struct sheet *s, int clip)
{
  double most = 0.0;
  for (int k = 0; k < s->g->clips[clip].clip->n_frames; k++) most = fmax(most, s->use[clip][k]);
  return most;
}

/* ---- texts that must not meet ---- */

static int is_free(const struct sheet *s, struct rect r)
{
  for (int i = 0; i < s->taken.n; i++) {
    struct rect o = s->taken.boxes[i];
    if (r.x < o.x + o.w && o.x < r.x + r.w && r.y < o.y + o.h && o.y < r.y + r.h) return 0;
  }
  return s->taken.n < s->taken.room;
}

/* A text around a point, with paper behind it, if there is room. */
static int put_text(struct sheet *s, const struct font *f, struct xy at, const char *text)
{
  double w = text_width(s->cv, f, text) + 2.0, h = 1.15 * f->size;
  struct rect box = {at.x - 0.5 * w, at.y - 0.5 * h, w, h};
  if (!is_free(s, box)) return 0;
  s->taken.boxes[s->taken.n++] = box;
  path_round_rect(s->cv, box, 2.0);
  canvas_paint(s->cv, &(struct fill){.colour = colour_fade(s->theme.paper, 0.85)}, NULL);
  text_draw(s->cv, f, (struct xy){at.x, at.y + 0.36 * f->size}, ALIGN_CENTRE, text);
  return 1;
}

/* ---- rings ---- */

static struct xy step(struct xy at, double k, struct xy way)
{
  return (struct xy){at.x + k * way.x, at.y + k * way.y};
}

/* A head that points ahead, its middle at. */
static void draw_head(const struct sheet *s, struct xy at, struct xy ahead, double size, struct colour colour)
{
  struct xy aside = {ahead.y, -ahead.x}, back = step(at, -0.6 * size, ahead);
  struct xy p[3] = {step(at, 0.8 * size, ahead), step(back, 0.62 * size, aside), step(back, -0.62 * size, aside)};
  path_polygon(s->cv, 3, p);
  canvas_paint(s->cv, &(struct fill){.colour = colour}, NULL);
}

/* Frames from .. until of a ring, which are played equally often. */
static void draw_arc(const struct sheet *s, int clip, int from, int until)
{
  double top = s->l->rotation[clip] - 0.5 * PI, per_frame = 2.0 * PI / s->g->clips[clip].clip->n_frames;
  double use = s->use[clip][from], middle = 0.5 * (from + until), width = width_of(s, use);
  struct colour ink = use > 0.0 ? s->theme.ink : s->theme.muted;
  path_arc(s->cv, s->l->centre[clip], s->l->radius, top + from * per_frame, top + until * per_frame);
  canvas_paint(s->cv, NULL, &(struct pen){.colour = ink, .width = width, .dash = use > 0.0 ? 0.0 : 2.5});
  if ((until - from) * per_frame * s->l->radius < 30.0) return;
  struct xy out = graph_layout_out(s->l, clip, middle);
  draw_head(s, graph_layout_frame(s->l, clip, middle), (struct xy){-out.y, out.x}, 3.0 + 0.9 * width, ink);
}

static void draw_ring(const struct sheet *s, int clip)
{
  int n = s->g->clips[clip].clip->n_frames, from = 0;
  for (int k = 1; k <= n; k++)
    if (k == n || fabs(s->use[clip][k] - s->use[clip][from]) > 1e-9 * s->most) {
      draw_arc(s, clip, from, k);
      from = k;
    }
  for (int k = 0; k < n && n <= s->l->radius; k++) { /* a tick a frame, if there is room */
    struct xy at = graph_layout_frame(s->l, clip, k), out = graph_layout_out(s->l, clip, k);
    canvas_line(s->cv, step(at, 4.5, out), step(at, 6.5, out), &(struct pen){.colour = s->theme.muted, .width = 0.4});
  }
}

static void name_ring(struct sheet *s, int clip)
{
  struct arena *arena = canvas_arena(s->cv);
  const struct clip *c = s->g->clips[clip].clip;
  struct font name = {.size = 11.0, .bold = 1, .colour = s->theme.ink};
  char *text = arena_printf(arena, "%d %s, %s m/s", s->g->clips[clip].id, text_clean(arena, c->name ? c->name : "", 1),
                            text_number3(arena, c->speed));
  if (fabs(c->strafe) > 0.01) text = arena_printf(arena, "%s, %s", text, choice_turn(arena, c->strafe));
  struct xy at = s->l->centre[clip];
  double up = s->l->n_rings > 2 && at.y > s->middle + 1.0 ? 1.0 : -1.0; /* away from the other rings */
  if (s->l->radius < 70.0) name.size = 8.5;
  for (int i = 0; i < 4; i++) {
    double far = s->l->radius + (s->l->n_rings > 2 ? 15.0 : 27.0) + (i < 2 ? 0.0 : 11.0);
    if (put_text(s, &name, (struct xy){at.x, at.y + (i % 2 ? -up : up) * far}, text)) return;
  }
}

/* ---- transitions ---- */

static void draw_transition(const struct sheet *s, int clip)
{
  const struct graph_curve *curve = &s->l->curve[clip];
  struct choice choice = choice_of_clip(s->g->clips[clip].clip);
  struct colour hue = choice_hue(&choice);
  double use = use_of(s, clip), width = width_of(s, use);
  path_move(s->cv, curve->p[0].x, curve->p[0].y);
  path_curve(s->cv, curve->p[1], curve->p[2], curve->p[3]);
  canvas_paint(s->cv, NULL, &(struct pen){colour_fade(hue, use > 0.0 ? 0.85 : 0.6), width, use > 0.0 ? 0.0 : 2.5});
  draw_head(s, graph_curve_at(curve, 0.93), graph_curve_tangent(curve, 0.93), 3.0 + 0.9 * width, hue);
}

/* Frequent ones first: they are wide, and are seen below the rare ones. */
static void draw_transitions(const struct sheet *s)
{
  struct arena *arena = arena_new();
  int n = s->g->n_clips, *done = ARENA_NEW(arena, (size_t)n + 1, int);
  for (;;) {
    int next = -1;
    for (int i = 0; i < n; i++)
      if (!done[i] && s->l->drawn[i] && !s->g->clips[i].clip->cyclic && (next < 0 || use_of(s, i) > use_of(s, next)))
        next = i;
    if (next < 0) break;
    draw_transition(s, next);
    done[next] = 1;
  }
  arena_free(arena);
}

/* Anywhere along it where there is room, nearest to its middle. */
static void label_transition(struct sheet *s, int clip)
{
  struct choice choice = choice_of_clip(s->g->clips[clip].clip);
  struct font f = {.size = TEXT, .bold = use_of(s, clip) > 0.0,
                   .colour = colour_mix(choice_hue(&choice), palette(PALETTE_BLACK), 0.35)};
  char *text = choice_turn(canvas_arena(s->cv), choice.turn);
  for (int i = 0; i <= 20; i++) {
    double t = 0.5 + 0.03 * (i % 2 ? -(i + 1) / 2 : i / 2);
    if (put_text(s, &f, graph_curve_at(&s->l->curve[clip], t), text)) return;
  }
}

/* ---- nodes ---- */

static void draw_node(struct sheet *s, int node)
{
  const struct graph_node *n = &s->g->nodes[node];
  if (!s->l->drawn[n->clip]) return;
  struct xy at = graph_layout_frame(s->l, n->clip, n->frame), out = graph_layout_out(s->l, n->clip, n->frame);
  struct font f = {.size = TEXT, .colour = s->theme.muted};
  marker_draw(s->cv, MARKER_DOT, at, 5.0, s->theme.paper);
  marker_draw(s->cv, MARKER_DOT, at, 3.8, s->theme.ink);
  if (s->taken.n < s->taken.room) s->taken.boxes[s->taken.n++] = (struct rect){at.x - 4.5, at.y - 4.5, 9.0, 9.0};
  put_text(s, &f, step(at, 14.0, out), arena_printf(canvas_arena(s->cv), "%d", n->frame));
}

static void draw_graph(struct sheet *s)
{
  draw_transitions(s);
  for (int i = 0; i < s->g->n_clips; i++)
    if (s->l->drawn[i] && s->g->clips[i].clip->cyclic) draw_ring(s, i);
  for (int i = 0; i < s->g->n_nodes; i++) draw_node(s, i);
  for (int i = 0; i < s->g->n_clips; i++)
    if (s->l->drawn[i] && s->g->clips[i].clip->cyclic) name_ring(s, i);
  for (int i = 0; i < s->g->n_clips; i++)
    if (s->l->drawn[i] && !s->g->clips[i].clip->cyclic) label_transition(s, i);
}

/* ---- the page ---- */

static double draw_legend(const struct sheet *s, struct xy at, int draw)
{
  static const struct choice kinds[] = {{.turn = 1.0}, {.turn = -1.0}, {.changes_gait = 1}, {.turn = 0.0}};
  static const char *const words[] = {"turns left", "turns right", "changes the gait", "straight on"};
  struct legend_entry e[8];
  int n = 0, used[4] = {0}, never = 0;
  for (int i = 0; i < s->g->n_clips; i++) {
    struct choice c = choice_of_clip(s->g->clips[i].clip);
    if (!s->l->drawn[i] || c.cyclic) continue;
    used[c.changes_gait ? 2 : choice_side(&c) == CHOICE_LEFT ? 0 : choice_side(&c) == CHOICE_RIGHT ? 1 : 3] = 1;
    never |= !(use_of(s, i) > 0.0);
  }
  e[n++] = (struct legend_entry){.label = "a decision, with its frame", .marker = MARKER_DOT, .colour = s->theme.ink};
  for (int i = 0; i < 4; i++)
    if (used[i]) e[n++] = (struct legend_entry){.label = words[i], .colour = choice_hue(&kinds[i]), .line = 1};
  if (never) e[n++] = (struct legend_entry){.label = "never taken", .colour = s->theme.muted, .line = 1, .dash = 2.5};
  struct legend l = {.at = at, .width = drawing_width, .font = {.size = 8.0, .colour = s->theme.muted}, .n = n,
                     .entries = e, .draw = draw};
  return legend_draw(s->cv, &l);
}

/* Lines as wide as a round number of times a minute. */
static void draw_scale(const struct sheet *s, struct xy at)
{
  struct arena *arena = canvas_arena(s->cv);
  struct font f = {.size = 8.0, .colour = s->theme.muted};
  struct ticks t;
  double x = at.x;
  ticks_choose(0.0, 60.0 * s->most, 5, &t);
  for (int i = 0; i < t.n; i++) {
    if (!(t.at[i] > 0.0)) continue;
    char *label = arena_printf(arena, i + 1 < t.n ? "%s" : "%s times a minute", text_number3(arena, t.at[i]));
    canvas_line(s->cv, (struct xy){x, at.y}, (struct xy){x + 16.0, at.y},
                &(struct pen){.colour = s->theme.muted, .width = width_of(s, t.at[i] / 60.0)});
    text_draw(s->cv, &f, (struct xy){x + 22.0, at.y + 0.36 * f.size}, ALIGN_LEFT, label);
    x += 22.0 + text_width(s->cv, &f, label) + 16.0;
  }
}

static int count_rings(const struct motion_graph *g)
{
  int n = 0;
  for (int i = 0; i < g->n_clips; i++) n += g->use[i] == GRAPH_USED && g->clips[i].clip->cyclic;
  return n;
}

static char *facts(const struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  int cyclic = count_rings(s->g), used = s->g->n_clips - s->g->n_left_out;
  char *text = arena_printf(arena, "Motion graph: %d cyclic clip%s and %d transition%s, %d decision node%s, %d "
                            "choices; mean cost %s a frame", cyclic, cyclic == 1 ? "" : "s", used - cyclic,
                            used - cyclic == 1 ? "" : "s", s->g->n_nodes, s->g->n_nodes == 1 ? "" : "s",
                            s->g->n_segments, text_number3(arena, s->c->cost));
  if (s->g->n_left_out)
    text = arena_printf(arena, "%s. %d clip%s left out: no way there, or none back", text, s->g->n_left_out,
                        s->g->n_left_out == 1 ? "" : "s");
  return text;
}

static void init(struct sheet *s)
{
  struct arena *arena = canvas_arena(s->cv);
  s->taken.room = s->g->n_clips + 2 * s->g->n_nodes + 8;
  s->taken.boxes = ARENA_NEW(arena, (size_t)s->taken.room, struct rect);
  gather_use(s);
}

struct canvas *graph_figure_draw(const struct controller *c, const char *path, struct diag *d)
{
  struct sheet s = {.cv = canvas_open(path, d), .c = c, .g = c->graph, .theme = theme_paper()};
  if (!s.cv) return NULL;
  struct arena *arena = canvas_arena(s.cv);
  init(&s);
  struct page page = {.width = PAGE_WIDTH, .margin = MARGIN, .theme = s.theme,
                      .title = choice_title(arena, s.g->creature->name, c->task->name), .subtitle = facts(&s)};
  double head = MARGIN + page_head_height(s.cv, &page), table = graph_table_draw(s.cv, c, (struct xy){0}, &s.theme, 0);
  double high = count_rings(s.g) == 2 ? fmin(DRAWING, fmax(TWO_RINGS, table - 50.0)) : DRAWING;
  s.l = graph_layout(arena, s.g, (struct rect){MARGIN, head, drawing_width, high});
  s.middle = head + 0.5 * high;
  double legend = draw_legend(&s, (struct xy){0}, 0), below = head + high + 6.0;
  page.height = head + fmax(high + legend + 22.0, table) + MARGIN;
  page_start(s.cv, &page);
  draw_graph(&s);
  draw_legend(&s, (struct xy){MARGIN, below}, 1);
  draw_scale(&s, (struct xy){MARGIN, below + legend + 9.0});
  graph_table_draw(s.cv, c, (struct xy){PAGE_WIDTH - MARGIN - GRAPH_TABLE_WIDTH, head}, &s.theme, 1);
  return s.cv;
}

int plot_graph(const struct controller *c, const char *path, struct diag *d)
{
  struct canvas *cv = graph_figure_draw(c, path, d);
  return cv ? canvas_finish(cv, d) : 0;
}

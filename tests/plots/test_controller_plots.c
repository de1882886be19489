/* Figures of controllers: pages, files, and the numbers that they show. The clips are made up, without physics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "motion/ground.h"
#include "motion/mirror.h"
#include "plots/choices.h"
#include "plots/film_frames.h"
#include "plots/folder.h"
#include "plots/graph_figure.h"
#include "plots/graph_layout.h"
#include "plots/page.h"
#include "plots/performance.h"
#include "plots/policy_figure.h"
#include "plots/response.h"
#include "plots/task_map.h"
#include "plots/values_figure.h"

static const double pi = 3.14159265358979323846;

static const char walker[] =
    "name = \"walker\" summary = \"a body on two legs\" friction = 0.7\n"
    "limb body  { from = {-0.2, 0, 0}  to = {0.2, 0, 0}  radius = 0.1  mass = 8 }\n"
    "limb thigh { parent = body  mirror = true  at = {0, 0.1, 0}  to = {0, 0, -0.3}  radius = 0.04  mass = 1\n"
    "             axis flexion { about = -y  range = {-40, 60}  rest = 25  torque = 60 }\n"
    "             axis abduction { about = x } }\n"
    "limb shank { parent = thigh  to = {0, 0, -0.3}  radius = 0.03  mass = 0.5\n"
    "             axis flexion { about = y  range = {0, 90}  rest = 50 } }\n"
    "foot paw   { limb = shank }\n"
    "gait walk  { period = 0.8  speed = {0.2, 1}  contact paw { on = {0, 0.6} } }\n"
    "gait trot  { period = 0.8  speed = {1, 3}  contact paw { on = {0, 0.4} } }\n"
    "gait a_gait_with_a_name_that_no_one_would_give_it { period = 0.8  speed = {1, 3}\n"
    "             contact paw { on = {0, 0.4} } }\n";

/* ---- clips made up for the test ---- */

#define FRAMES 40
#define MOST 64

struct made {
  struct arena *arena;
  const struct creature *c;
  int n;
  struct graph_clip clips[MOST];
};

static struct clip *add(struct made *m, struct clip *clip)
{
  m->clips[m->n] = (struct graph_clip){.id = m->n + 1, .clip = clip};
  m->n++;
  return clip;
}

/* A cycle that is its own mirror image, half of it later. */
static void add_cycle(struct made *m, int gait, double speed)
{
  const struct creature *c = m->c;
  struct clip *clip = add(m, clip_new(m->arena, c, FRAMES, 1.0 / c->frame_rate));
  clip->name = clip->gait = clip->gait_after = c->gaits[gait].name;
  clip->cyclic = 1;
  clip->speed = speed;
  clip->advance.x = speed * FRAMES * clip->dt;
  for (int k = 0; k < FRAMES; k++) {
    double *q = clip->q + k * c->n_dofs;
    creature_rest_pose(c, q);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) q[i] += (0.2 + 0.05 * m->n) * sin(2.0 * pi * k / FRAMES + i);
    if (k >= FRAMES / 2) creature_mirror_pose(c, clip->q + (k - FRAMES / 2) * c->n_dofs, q);
    q[0] = speed * k * clip->dt;
    for (int p = 0; p < c->n_points; p++) {
      clip->contact[k * c->n_points + p] = (unsigned char)gait_contact(&c->gaits[gait], p, (k + 0.5) / FRAMES);
      clip->force[3 * (k * c->n_points + p) + 2] = 0.5 * c->mass * CREATURE_GRAVITY;
    }
  }
}

/* A frame of a clip, moved so that its ground frame becomes `place`. */
static void put_frame(const struct made *m, int from, int reference, int frame, struct clip_advance place, double *q)
{
  const struct clip *clip = m->clips[from].clip;
  clip_frame(clip, frame, q);
  clip_move_pose(ground_inverse(ground_frame(clip, reference)), q);
  clip_move_pose(place, q);
}

struct turn { int from, leave, to, arrive, frames; double angle; };

/* A blend of the poses at its ends along an arc. */
static struct clip *add_turn(struct made *m, const struct turn *t)
{
  const struct creature *c = m->c;
  const struct clip *a = m->clips[t->from].clip, *b = m->clips[t->to].clip;
  struct clip *clip = clip_new(m->arena, c, t->frames, 1.0 / c->frame_rate);
  double step = 0.5 * (a->speed + b->speed) * clip->dt;
  struct clip_advance end = {0.0, 0.0, t->angle}, none = {0.0, 0.0, 0.0};
  int n = t->frames;
  clip->name = t->from == t->to ? "turn" : "change";
  clip->gait = a->gait_after;
  clip->gait_after = b->gait;
  clip->turn = t->angle;
  clip->speed = 0.5 * (a->speed + b->speed);
  clip->from = (struct clip_end){m->clips[t->from].id, t->leave};
  clip->to = (struct clip_end){m->clips[t->to].id, t->arrive};
  for (int k = 0; k < n - 2; k++) {
    end.x += step * cos(t->angle * k / (n - 2));
    end.y += step * sin(t->angle * k / (n - 2));
  }
  double *first = clip->q, *last = clip->q + (n - 2) * c->n_dofs;
  for (int k = 0; k < 2; k++) {
    put_frame(m, t->from, t->leave, t->leave + k, none, clip->q + k * c->n_dofs);
    put_frame(m, t->to, t->arrive, t->arrive + k, end, last + k * c->n_dofs);
  }
  for (int k = 2; k < n - 2; k++)
    for (int i = 0; i < c->n_dofs; i++)
      clip->q[k * c->n_dofs + i] = first[i] + (last[i] - first[i]) * k / (n - 2);
  for (int i = 0; i < n * c->n_points; i++) clip->contact[i] = (unsigned char)(i / 7 % 2);
  clip->advance = end;
  return add(m, clip);
}

/* So many cycles, each with turns to both sides and ways to the next cycle and back. */
static void make_clips(struct made *m, int n_rings, int n_turns, int n_leaves)
{
  m->n = 0;
  for (int r = 0; r < n_rings; r++) add_cycle(m, r % 2, 0.5 + 0.4 * r);
  for (int r = 0; r < n_rings; r++) {
    for (int k = 0; k < n_turns && m->n < MOST; k++) {
      int leave = k % n_leaves * FRAMES / n_leaves, length = k % 3 == 2 ? FRAMES : FRAMES / 2;
      double angle = (k / n_leaves % 2 ? -1.0 : 1.0) * (0.25 + 0.25 * (k / n_leaves / 2));
      add_turn(m, &(struct turn){r, leave, r, (leave + length) % FRAMES, length + 2, angle});
    }
    if (n_rings > 1) add_turn(m, &(struct turn){r, 0, (r + 1) % n_rings, 10, 30, 0.0});
    if (n_rings > 2) add_turn(m, &(struct turn){(r + 1) % n_rings, 7, r, 3, 30, r % 2 ? 0.5 : -0.5});
  }
}

static void print_errors(struct diag *d)
{
  char *text = diag_text(d);
  fputs(text, stderr);
  free(text);
}

static const struct task *make_task(const struct made *m, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *f = task_parse(m->arena, "test.task", text, strlen(text), &d);
  const struct task *t = f ? task_bind(m->arena, f, m->c, &d) : NULL;
  if (!t) print_errors(&d);
  CHECK(t != NULL);
  diag_clear(&d);
  return t;
}

static const struct controller *make_controller(const struct made *m, const char *task)
{
  struct diag d;
  diag_init(&d);
  const struct task *t = make_task(m, task);
  struct graph_input in = {.creature = m->c, .file = "test.muy", .n_clips = m->n, .clips = m->clips};
  const struct controller *c = t ? controller_new(m->arena, &in, t, NULL, &d) : NULL;
  if (!c) print_errors(&d);
  CHECK(c != NULL);
  diag_clear(&d);
  return c;
}

static struct muy_player_controller *make_player(const struct made *m, const struct controller *c)
{
  struct diag d;
  diag_init(&d);
  size_t length = 0;
  char why[300] = "no bytes";
  const void *bytes = controller_bytes(m->arena, c, &length, &d);
  struct muy_player_controller *p = bytes ? muy_player_load_memory(bytes, length, why, sizeof why) : NULL;
  if (!p) fprintf(stderr, "%s\n", why);
  CHECK(p != NULL);
  diag_clear(&d);
  return p;
}

static const char direction[] = "name = direction\nparameter direction { grid = 24  jump_every = 2 }\n";
static const char *const tasks[] = {
    direction,
    "name = speed\nparameter speed { unit = share  gait = all  grid = 9 }\n",
    "name = gait\nparameter gait { gaits = {walk, trot} }\n",
    "name = \"direction and gait\"\nparameter direction { grid = 24 }\nparameter gait { gaits = all }\n",
    "name = \"direction and torso\"\nparameter direction { grid = 24 }\nparameter torso { grid = 9 }\n",
    "name = three\nparameter speed { grid = 3 }\nparameter gait { gaits = all }\nparameter direction { grid = 12 }\n",
    "name = four\nparameter direction { grid = 8 }\nparameter torso { grid = 8 }\nparameter speed { grid = 3 }\n"
    "parameter gait { gaits = all }\n"};
#define N_TASKS ((int)(sizeof tasks / sizeof *tasks))

/* ---- numbers ---- */

/* All frames of all clips are all of the time; a transition's frames are played equally often. */
static void test_use(struct made *m)
{
  make_clips(m, 2, 6, 2);
  const struct controller *c = make_controller(m, direction);
  double sum = 0.0, use[FRAMES + 2];
  for (int i = 0; c && i < m->n; i++) {
    double clip = 0.0;
    int n = m->clips[i].clip->n_frames;
    graph_figure_use(c, i, use);
    for (int k = 0; k < n; k++) clip += use[k] / m->c->frame_rate;
    CHECK_NEAR(clip, c->clip_share[i], 1e-9);
    if (!m->clips[i].clip->cyclic) CHECK_NEAR(use[0], use[n - 4], 1e-9);
    sum += clip;
  }
  CHECK_NEAR(sum, 1.0, 1e-9);
}

/* Of a turn that leaves half a cycle later to the other side, and of no other. */
static void test_mirrors(struct made *m)
{
  struct diag d;
  int mirror[MOST], shift = -1;
  diag_init(&d);
  m->n = 0;
  add_cycle(m, 0, 0.5);
  CHECK(clip_mirror_shift(m->c, m->clips[0].clip, 1e-9, &shift) && shift == FRAMES / 2);
  add_turn(m, &(struct turn){0, 0, 0, 20, 22, 0.5});
  add_turn(m, &(struct turn){0, 0, 0, 20, 22, -0.5});
  add_turn(m, &(struct turn){0, 20, 0, 0, 22, -0.5});
  add_turn(m, &(struct turn){0, 20, 0, 0, 22, -0.6});
  add_turn(m, &(struct turn){0, 20, 0, 20, 42, -0.5});
  struct graph_input in = {.creature = m->c, .file = "test.muy", .n_clips = m->n, .clips = m->clips};
  const struct motion_graph *g = graph_new(m->arena, &in, &d);
  if (!g) print_errors(&d);
  CHECK(g != NULL);
  if (g) choice_mirrors(g, mirror);
  static const int expected[] = {-1, 3, -1, 1, -1, -1};
  for (int i = 0; g && i < m->n; i++) CHECK_INT(mirror[i], expected[i]);
  diag_clear(&d);
}

static double apart(struct xy a, struct xy b) { return hypot(a.x - b.x, a.y - b.y); }

/* Two curves do not lie upon each other, nor does one the other way. */
static void check_curves(const struct graph_layout *l, int i, int k)
{
  const struct clip *a = l->graph->clips[i].clip, *b = l->graph->clips[k].clip;
  int back = a->from.clip == b->to.clip && a->from.frame == b->to.frame && a->to.clip == b->from.clip &&
             a->to.frame == b->from.frame;
  CHECK(apart(graph_curve_at(&l->curve[i], 0.4), graph_curve_at(&l->curve[k], 0.4)) > 0.3);
  if (back) CHECK(apart(graph_curve_at(&l->curve[i], 0.5), graph_curve_at(&l->curve[k], 0.5)) > 0.3);
}

/* Curves begin and end at their frames, no two lie upon each other, rings do not meet, all is inside. */
static void check_layout(const struct motion_graph *g)
{
  struct arena *arena = arena_new();
  struct rect area = {10.0, 20.0, 500.0, 400.0};
  struct graph_layout *l = graph_layout(arena, g, area);
  for (int i = 0; i < g->n_clips; i++) {
    const struct clip *c = g->clips[i].clip;
    CHECK(l->drawn[i] == (g->use[i] == GRAPH_USED));
    for (int k = 0; k < i; k++) {
      if (c->cyclic && g->clips[k].clip->cyclic) CHECK(apart(l->centre[i], l->centre[k]) > 2.2 * l->radius);
      if (!c->cyclic && !g->clips[k].clip->cyclic) check_curves(l, i, k);
    }
    for (int f = 0; f < c->n_frames; f++) {
      struct xy at = graph_layout_frame(l, i, f);
      CHECK(at.x > area.x && at.x < area.x + area.w && at.y > area.y && at.y < area.y + area.h);
    }
    if (c->cyclic) continue;
    int from = graph_layout_find(g, c->from.clip), to = graph_layout_find(g, c->to.clip);
    struct xy middle = graph_curve_at(&l->curve[i], 0.5);
    struct xy early = graph_curve_at(&l->curve[i], 0.15);
    if (from != to && g->clips[from].clip->cyclic) /* outside of the rings that it links, from the beginning */
      CHECK(apart(middle, l->centre[from]) > l->radius && apart(middle, l->centre[to]) > l->radius &&
            apart(early, l->centre[from]) > l->radius);
    for (int k = 0; k <= 20 && l->n_rings == 1; k++) /* inside of the only one */
      CHECK(apart(graph_curve_at(&l->curve[i], 0.05 * k), l->centre[0]) < 1.001 * l->radius);
    CHECK_NEAR(apart(graph_curve_at(&l->curve[i], 0.0), graph_layout_frame(l, from, c->from.frame)), 0.0, 1e-9);
    CHECK_NEAR(apart(graph_curve_at(&l->curve[i], 1.0), graph_layout_frame(l, to, c->to.frame)), 0.0, 1e-9);
  }
  arena_free(arena);
}

/* A transition that leaves another one on its way. */
static void add_chain(struct made *m)
{
  int first = m->n;
  add_turn(m, &(struct turn){0, 0, 0, 0, 42, 0.8});
  add_turn(m, &(struct turn){first, 20, 0, 20, 24, 0.4});
}

static void test_layout(struct made *m)
{
  static const struct { int rings, turns, leaves; } shapes[] = {
      {1, 2, 1}, {1, 12, 2}, {2, 8, 2}, {5, 4, 1}, {12, 2, 1}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    struct diag d;
    diag_init(&d);
    make_clips(m, shapes[i].rings, shapes[i].turns, shapes[i].leaves);
    if (i == 1) add_chain(m);
    struct graph_input in = {.creature = m->c, .file = "test.muy", .n_clips = m->n, .clips = m->clips};
    const struct motion_graph *g = graph_new(m->arena, &in, &d);
    if (!g) print_errors(&d);
    CHECK(g != NULL);
    if (g) check_layout(g);
    diag_clear(&d);
  }
}

/* Cells follow each other without gaps, and each has the number of its place in the tensor. */
static void check_map(const struct controller *c)
{
  struct arena *arena = arena_new();
  const struct task_map *m = task_map_new(arena, c);
  const struct task *t = c->task;
  CHECK_INT(m->n_axes, t->n_parameters > 1 ? 2 : 1);
  CHECK((m->held != NULL) == (t->n_parameters > 2));
  for (int k = 0; k < m->n_axes; k++) {
    const struct task_axis *a = &m->axis[k];
    CHECK_NEAR(a->cells[0].lo, a->lo, 1e-9);
    CHECK_NEAR(a->cells[a->n - 1].hi, a->hi, 1e-9);
    for (int i = 1; i < a->n; i++) CHECK_NEAR(a->cells[i].lo, a->cells[i - 1].hi, 1e-9);
    for (int i = 0; i < a->n && a->p->kind->space == TASK_CIRCLE; i++) {
      double value = task_wrap(a->p->values[a->cells[i].index]) * 180.0 / pi, half = 180.0 / a->p->n;
      double middle = 0.5 * (a->cells[i].lo + a->cells[i].hi);
      CHECK(fabs(middle - value) < half + 1e-9 || fabs(middle - value - 360.0) < half + 1e-9);
    }
  }
  for (int k = 0; k < m->n_nodes; k++)
    for (int x = 0; x < m->axis[0].n; x++) {
      double start[8];
      size_t at = (size_t)m->nodes[k];
      task_initial(t, start);
      for (int p = 0; p < t->n_parameters; p++) { /* the long way round */
        int index = 0, n = t->parameters[p].n;
        for (int i = 0; i < n; i++)
          if (fabs(t->parameters[p].values[i] - start[p]) < 1e-9) index = i;
        if (p == m->axis[0].parameter) index = m->axis[0].cells[x].index;
        if (m->n_axes > 1 && p == m->axis[1].parameter) index = m->axis[1].cells[1].index;
        at = at * (size_t)n + (size_t)index;
      }
      CHECK(task_map_at(m, m->nodes[k], x, 1) == at);
    }
  arena_free(arena);
}

/* Quarters of a turn where there is room, halves where there is not. */
static void check_ticks(const struct controller *c)
{
  struct diag d;
  diag_init(&d);
  struct canvas *cv = canvas_open("x.png", &d);
  const struct task_map *m = task_map_new(canvas_arena(cv), c);
  for (int wide = 0; wide < 2; wide++) {
    struct axes a = {.outer = {0.0, 0.0, wide ? 400.0 : 120.0, 200.0}, .theme = theme_paper(), .size = 8.5};
    task_map_axes(cv, m, &a);
    CHECK_INT(a.x_ticks.n, wide ? 5 : 3);
    CHECK_NEAR(a.x_ticks.at[a.x_ticks.n - 1], 180.0, 0.0);
  }
  canvas_discard(cv);
  diag_clear(&d);
}

static void test_maps(struct made *m)
{
  make_clips(m, 2, 6, 2);
  for (int i = 0; i < N_TASKS; i++) {
    const struct controller *c = make_controller(m, tasks[i]);
    if (c) check_map(c);
    if (c && i == 3) check_ticks(c);
  }
  struct arena *arena = arena_new();
  const struct controller *c = make_controller(m, tasks[5]); /* speed, gait and direction: speeds hardly matter */
  if (c) {
    const struct task_map *map = task_map_new(arena, c);
    CHECK_STR(map->axis[0].label, "gait asked");
    CHECK_STR(map->axis[1].label, "direction asked [\xc2\xb0], + left");
    CHECK_STR(map->held, "speed at 0.6 m/s");
  }
  arena_free(arena);
}

/* Across the back, and the long way round: asked is where done comes to. */
static void test_angles(const struct made *m)
{
  enum { N = 300 };
  struct frame_features f[N] = {{0}};
  double theta[N], asked[N], done[N];
  struct performance p = {.task = make_task(m, direction), .n_frames = N, .n_parameters = 1, .features = f,
                          .asked = theta};
  for (int k = 0; k < N; k++) { /* asked about face, and once more; it turns to the right all the time */
    double way = k < 100 ? 0.0 : k < 200 ? -3.1 * (k - 100) / 99.0 : -3.1 - 3.1 * (k - 200) / 99.0;
    f[k].direction = task_wrap(way);
    theta[k] = k < 100 ? 0.0 : k < 200 ? 3.14 : 0.0;
  }
  performance_angles(&p, 0, asked, done);
  for (int k = 0; k < N; k++) {
    CHECK_NEAR(task_wrap(done[k] - f[k].direction), 0.0, 1e-9);
    CHECK_NEAR(fabs(task_wrap(asked[k] - theta[k])), 0.0, 1e-9);
    if (k) CHECK(fabs(done[k] - done[k - 1]) < 0.1);
  }
  CHECK_NEAR(done[N - 1], -6.2, 1e-9);
  CHECK_NEAR(asked[150], 3.14 - 2.0 * pi, 1e-9);
  CHECK_NEAR(asked[N - 1], -2.0 * pi, 1e-9);
}

static void test_labels(struct arena *arena)
{
  struct choice c = {.name = "walk_turn", .turn = 0.5235987755982988}, straight = {.name = "walk", .cyclic = 1};
  CHECK_STR(choice_label(arena, &c), "walk turn 30\xc2\xb0 left");
  c.turn = -c.turn;
  CHECK_STR(choice_label(arena, &c), "walk turn 30\xc2\xb0 right");
  CHECK_STR(choice_turn(arena, c.turn), "\xe2\x88\x92" "30\xc2\xb0");
  CHECK_STR(choice_turn(arena, -1e-9), "0\xc2\xb0");
  CHECK_STR(choice_label(arena, &straight), "walk");
  CHECK(choice_side(&c) == CHOICE_RIGHT && choice_side(&straight) == CHOICE_STRAIGHT);
}

/* ---- pages ---- */

static void check_play(const struct made *m, const struct controller *c, const struct script *script, double seconds)
{
  struct diag d;
  diag_init(&d);
  struct muy_player_controller *player = make_player(m, c);
  struct performance_request r = {.task = c->task, .player = player, .script = script, .seconds = seconds, .seed = 3};
  const struct performance *p = player ? performance_play(m->arena, &r, &d) : NULL;
  CHECK(p != NULL);
  if (p) check_page("play", performance_draw(p, "x.png", &d), 8 + 2 * c->task->n_parameters, 0.01);
  int frames = p && p->n_frames < 12 ? p->n_frames : 12; /* each with two words below it */
  if (p) check_page("frames", film_frames_draw(p, "x.png", &d), 2 + 2 * frames, 0.01);
  const struct response_table *t = player ? response_of_nodes(m->arena, player, c->task, 3.0, &d) : NULL;
  CHECK(t != NULL);
  if (t) check_page("response", response_draw(t, "x.png", &d), 8 * t->n_steps, 0.01);
  print_errors(&d);
  CHECK(d.n_errors == 0);
  muy_player_unload(player);
  diag_clear(&d);
}

static void check_figures(const struct made *m, const struct controller *c, double seconds)
{
  struct diag d;
  diag_init(&d);
  if (!c) return;
  check_page("graph", graph_figure_draw(c, "x.png", &d), 10 + 6 * c->graph->n_clips, 0.01);
  check_page("values", values_figure_draw(c, "x.png", &d), 8 + task_map_new(m->arena, c)->n_nodes, 0.01);
  check_page("policy", policy_figure_draw(c, "x.png", &d), 8 + task_map_new(m->arena, c)->n_nodes, 0.01);
  CHECK(d.n_errors == 0);
  diag_clear(&d);
  check_play(m, c, NULL, seconds);
}

static void test_pages(struct made *m)
{
  static const char endless[] = "a clip whose name is longer than anything that a table, a key or a title has room for";
  static const struct { int rings, turns, leaves, task; double seconds; } cases[] = {
      {1, 0, 1, 0, 0.1}, {1, 2, 1, 0, 5.0}, {1, 8, 2, 4, 20.0}, {1, 39, 3, 0, 60.0}, {2, 8, 2, 3, 20.0},
      {2, 2, 1, 1, 5.0}, {2, 2, 1, 2, 5.0}, {3, 8, 4, 5, 10.0}, {5, 4, 1, 6, 10.0},  {12, 2, 1, 0, 300.0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    make_clips(m, cases[i].rings, cases[i].turns, cases[i].leaves);
    if (i == 1) add_chain(m);
    if (i == 5) add_turn(m, &(struct turn){0, 5, 0, 10, 45, 3.0})->name = endless;
    check_figures(m, make_controller(m, tasks[cases[i].task]), cases[i].seconds);
  }
}

/* A script: several commands at once, one after another in no time, and some that change nothing. */
static void test_script(struct made *m)
{
  static const char text[] =
      "at 0 { direction = 0 }\nat 1 { direction = 90  gait = trot }\nat 1.1 { direction = -90 }\n"
      "at 1.2 { direction = 180 }\nat 1.3 { direction = 90  gait = walk }\nat 4 { direction = 90 }\n"
      "at 5 { gait = a_gait_with_a_name_that_no_one_would_give_it }\nend = 8\n";
  struct diag d;
  diag_init(&d);
  make_clips(m, 2, 8, 2);
  const struct controller *c = make_controller(m, tasks[3]);
  const struct script *s = c ? script_parse(m->arena, "some/where/t.script", text, strlen(text), c->task, &d) : NULL;
  CHECK(s != NULL);
  if (s) check_play(m, c, s, 0.0);
  diag_clear(&d);
}

/* ---- files ---- */

enum kind { GRAPH, VALUES, POLICY, PLAY, RESPONSE, N_KINDS };
struct drawn { const struct controller *c; const struct performance *p; const struct response_table *r; };

static int plot(const struct drawn *x, int kind, const char *path, struct diag *d)
{
  if (kind == GRAPH) return plot_graph(x->c, path, d);
  if (kind == VALUES) return plot_values(x->c, path, d);
  if (kind == POLICY) return plot_policy(x->c, path, d);
  return kind == PLAY ? plot_performance(x->p, path, d) : plot_response(x->r, path, d);
}

/* The same bytes each time, in all formats. */
static void check_files(const struct drawn *x)
{
  static const char *const names[] = {"a.png", "a.svg", "a.pdf"};
  struct diag d;
  diag_init(&d);
  for (int kind = 0; kind < N_KINDS; kind++)
    for (int i = 0; i < 3; i++) {
      const char *path = in_folder(names[i]);
      size_t first_length = 0, length = 0;
      CHECK(plot(x, kind, path, &d) == 1);
      char *first = read_all(path, &first_length);
      CHECK(plot(x, (kind + 1) % N_KINDS, path, &d) == 1); /* something else in between */
      CHECK(plot(x, kind, path, &d) == 1);
      char *second = read_all(path, &length);
      CHECK(first && second && first_length > 2000 && length == first_length && !memcmp(first, second, length));
      free(first);
      free(second);
      CHECK_INT(count_files(folder), 1);
      unlink(path);
    }
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

static void refuse(const struct drawn *x, int kind, const char *name, const char *expected)
{
  struct diag d;
  diag_init(&d);
  CHECK(plot(x, kind, in_folder(name), &d) == 0);
  CHECK_INT(d.n_errors, 1);
  if (d.n_errors) CHECK_STR(d.messages[0].text, expected);
  CHECK_INT(count_files(folder), 0);
  diag_clear(&d);
}

static void check_refusals(const struct drawn *x)
{
  struct response_table nothing = {.task = x->c->task, .n_nodes = 3, .n_frames = 10};
  for (int kind = 0; kind < N_KINDS; kind++)
    refuse(x, kind, "a.gif", "the name of a picture must end in .png, .svg or .pdf");
  refuse(&(struct drawn){.r = &nothing}, RESPONSE, "a.png",
         "there is no response: the task has nothing to ask, or the controller no node");
}

static void test_files(struct made *m)
{
  struct diag d;
  diag_init(&d);
  make_clips(m, 2, 4, 2);
  struct drawn x = {.c = make_controller(m, tasks[3])};
  struct muy_player_controller *player = x.c ? make_player(m, x.c) : NULL;
  if (player) {
    struct performance_request r = {.task = x.c->task, .player = player, .seconds = 5.0, .seed = 1};
    x.p = performance_play(m->arena, &r, &d);
    x.r = response_of_nodes(m->arena, player, x.c->task, 2.0, &d);
  }
  CHECK(x.p && x.r);
  if (x.p && x.r) check_files(&x);
  if (x.p && x.r) check_refusals(&x);
  muy_player_unload(player);
  diag_clear(&d);
}

int main(void)
{
  struct diag d;
  diag_init(&d);
  strcpy(folder, "test_controller_plots.XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  static struct made m;
  m.arena = arena_new();
  m.c = creature_parse(m.arena, "test.creature", walker, strlen(walker), &d);
  if (!m.c) print_errors(&d);
  CHECK(m.c != NULL);
  test_labels(m.arena);
  if (m.c) {
    test_angles(&m);
    test_use(&m);
    test_mirrors(&m);
    test_layout(&m);
    test_maps(&m);
    test_pages(&m);
    test_script(&m);
    test_files(&m);
  }
  diag_clear(&d);
  arena_free(m.arena);
  CHECK(count_files(folder) == 0);
  rmdir(folder);
  return test_finish();
}

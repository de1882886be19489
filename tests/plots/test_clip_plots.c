/* Figures of clips: pages, files, and the numbers that they show. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "plots/components.h"
#include "plots/figures.h"
#include "plots/folder.h"
#include "plots/made.h"
#include "plots/page.h"
#include "plots/traces.h"

static const unsigned of_controllers =
    FIGURES_CONTROLLER | FIGURES_RESPONSES | FIGURES_STEPS | FIGURES_PLAY | FIGURES_TRACK | FIGURES_SAMPLES |
    FIGURES_TRACKS | FIGURES_CONTROL | FIGURES_ITERATIONS |
    FIGURES_MODAL; /* test_controller_plots.c, test_track_plots.c, test_control and test_modal.sh have them */

static const char ball[] = "name = \"ball\"\nlimb body { to = {0.1, 0, 0}  radius = 0.1  mass = 1 }\n";

/* ---- numbers made up for the test ---- */

static const struct transport_point points[] = {
    {"walk", 0.5, 0.4, 0.01}, {"walk", 1.5, 0.5, 0.03},  {"walk", 1.0, 0.3, 0.02}, {"trot", 1.0, 0.5, 0.02},
    {"trot", 2.0, 0.3, 0.03}, {"trot", 3.0, 0.4, 0.05},  {"pace", 2.0, NAN, 0.02}, {"gallop", 3.5, 0.44, 0.1},
    {"gallop", 4.5, 0.34, NAN}};

static struct spacetime_report make_report(int n)
{
  struct spacetime_report r = {.status = SPACETIME_SOLVED, .n_vars = 1000, .n_rows = 500, .solves = 3, .n_history = n};
  r.nlp.iterations = n - 1;
  r.nlp.seconds = 0.5;
  for (int k = 0; k < n; k++)
    r.history[k] = (struct spacetime_iteration){k, 100.0 - k, pow(10.0, -0.3 * k),
                                                k % 5 ? pow(10.0, 2.0 - 0.2 * k) : 0.0};
  return r;
}

/* ---- numbers ---- */

/* Samples reach beyond the edges of a cycle; both points of a foot are one leg. */
static void test_traces(struct arena *arena, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  struct clip *clip = made_clip(arena, c, &(struct made){.frames = 20, .cyclic = 1});
  const struct traces *t = traces_new(arena, c, clip, "x", &d);
  double fz[22], mean = 0.0;
  CHECK(t != NULL && d.n_errors == 0);
  diag_clear(&d);
  if (!t) return;
  CHECK_INT(t->n, 22);
  CHECK_NEAR(t->x[0], -0.025, 1e-15);
  CHECK_NEAR(t->x[21], 1.025, 1e-15);
  CHECK_NEAR(t->x_hi, 1.0, 0.0);
  CHECK_INT(t->n_legs, 2);
  CHECK_STR(t->legs[0].name, "left paw");
  CHECK_INT(t->legs[0].mirror, 1);
  CHECK_INT(t->legs[0].n_points, 2);
  traces_leg_force(t, 0, 2, fz);
  for (int k = 1; k <= 20; k++) mean += fz[k] / 20.0;
  CHECK_NEAR(mean, 0.5 * (traces_duty(t, 1, (int[]){0}) + traces_duty(t, 1, (int[]){1})), 1e-12);
}

/* Torques are inverse dynamics less J^T f, here the long way round. */
static void test_torques(struct arena *arena, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  struct clip *clip = made_clip(arena, c, &(struct made){.frames = 20, .cyclic = 1});
  const struct traces *t = traces_new(arena, c, clip, "x", &d);
  size_t n = (size_t)c->n_dofs;
  double *q = ARENA_NEW(arena, 7 * n, double), *v = q + n, *a = v + n, *tau = a + n, *J = tau + n;
  struct dynamics *dynamics = dynamics_new(arena, c);
  for (int k = 0; k < 20; k++) {
    CHECK(clip_state(clip, k, q, v, a) == 1);
    dynamics_inverse(dynamics, q, v, a, tau);
    dynamics_kinematics(dynamics, q);
    for (int p = 0; p < c->n_points; p++) {
      const double *f = clip->force + 3 * (k * c->n_points + p);
      dynamics_point_jacobian(dynamics, c->points[p].body, c->points[p].at, J);
      for (size_t i = 0; i < n; i++) tau[i] -= J[i] * f[0] + J[n + i] * f[1] + J[2 * n + i] * f[2];
    }
    for (size_t i = 0; i < n; i++) CHECK_NEAR(t->torque[(size_t)(k + 1) * n + i], tau[i], 1e-9 * (1.0 + fabs(tau[i])));
  }
  diag_clear(&d);
}

/* Stance as the schedule that the clip was made from: a frame lasts from half before to half after. */
static void test_stance(struct arena *arena, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  struct clip *clip = made_clip(arena, c, &(struct made){.frames = 20, .cyclic = 1});
  const struct traces *t = traces_new(arena, c, clip, "x", &d);
  int n = 0, heel = 0, both[] = {0, 1};
  const struct xy *spans = traces_stance(t, arena, 1, &heel, &n);
  CHECK_INT(n, 1);
  CHECK_NEAR(spans[0].x, 0.0, 1e-12);
  CHECK_NEAR(spans[0].y, 0.5, 1e-12);
  spans = traces_stance(t, arena, 2, both, &n);
  CHECK_INT(n, 1);
  CHECK_NEAR(spans[0].y, 0.6, 1e-12);
  CHECK_NEAR(traces_duty(t, 2, both), 0.6, 1e-12);
  int right[] = {c->points[0].mirror};
  spans = traces_stance(t, arena, 1, right, &n); /* half a cycle later */
  CHECK_INT(n, 1);
  CHECK_NEAR(spans[0].x, 0.5, 1e-12);
  CHECK_NEAR(spans[0].y, 1.0, 1e-12);
  diag_clear(&d);
}

/* Fore-aft is along the heading, also in a turn; the ends of a transition have no torques. */
static void test_turned_forces(struct arena *arena, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  struct clip *clip = made_clip(arena, c, &(struct made){.frames = 30, .turn = 1.2});
  for (int k = 0; k < 30; k++) {
    double yaw = clip->q[k * c->n_dofs + 3], *f = clip->force + 3 * k * c->n_points;
    f[0] = c->mass * CREATURE_GRAVITY * cos(yaw);
    f[1] = c->mass * CREATURE_GRAVITY * sin(yaw);
  }
  const struct traces *t = traces_new(arena, c, clip, "x", &d);
  CHECK(t->turns == 1 && t->n == 30);
  for (int k = 0; k < 30; k++) {
    CHECK_NEAR(t->force[3 * k * c->n_points], 1.0, 1e-12);
    CHECK_NEAR(t->force[3 * k * c->n_points + 1], 0.0, 1e-12);
    CHECK(isnan(t->torque[k * c->n_dofs + 6]) == (k == 0 || k == 29));
  }
  diag_clear(&d);
}

static void test_crossings(void)
{
  struct transport t = {.creature = "x", .n = (int)(sizeof points / sizeof *points), .points = points};
  struct transport_crossing c[8];
  CHECK_INT(transport_crossings(&t, 8, c), 2);
  CHECK_NEAR(c[0].speed, 4.0 / 3.0, 1e-12); /* 0.3 + 0.4 (v - 1) = 0.5 - 0.2 (v - 1) */
  CHECK_NEAR(c[0].cost_of_transport, 0.3 + 0.4 / 3.0, 1e-12);
  CHECK_STR(points[c[0].a].gait, "walk");
  CHECK_STR(points[c[0].b].gait, "trot");
  CHECK(c[0].extended == 0);
  CHECK_NEAR(c[1].speed, 3.45, 1e-12); /* in the gap: 0.4 + 0.1 (v - 3) = 0.44 - 0.1 (v - 3.5) */
  CHECK(c[1].extended == 1);
  CHECK_INT(transport_crossings(&t, 1, c), 1);
}

static void test_log_ticks(void)
{
  struct ticks t;
  char label[48];
  ticks_choose_log(1e-9, 1e3, 32, &t);
  CHECK_INT(t.n, 13);
  ticks_label(&t, 0, label, sizeof label);
  CHECK_STR(label, "10\xe2\x81\xbb\xe2\x81\xb9");
  ticks_choose_log(1e-9, 1e3, 5, &t);
  CHECK(t.n <= 5 && t.n >= 3);
  ticks_choose_log(0.0, 1.0, 5, &t);
  CHECK_INT(t.n, 0);
  ticks_choose_log(1.0, NAN, 5, &t);
  CHECK_INT(t.n, 0);
  struct axes a = {.x_hi = 1.0, .y_lo = 0.01, .y_hi = 100.0, .y_log = 1, .area = {0.0, 0.0, 100.0, 100.0}};
  CHECK_NEAR(axes_map(&a, 0.0, 1.0).y, 50.0, 1e-9);
  double lo = 3e-4, hi = 20.0;
  axes_widen_log(&lo, &hi);
  CHECK_NEAR(lo, 1e-4, 1e-12);
  CHECK_NEAR(hi, 100.0, 1e-9);
}

/* ---- pages ---- */

static void check_figures(const struct figures_input *in)
{
  struct diag d;
  diag_init(&d);
  for (int i = 0; i < figures_count(); i++) {
    const struct figures_kind *k = figures_kind(i);
    if ((k->needs & FIGURES_POINTS && !in->n_points) || (k->needs & FIGURES_REPORT && !in->report)) continue;
    if (k->needs & of_controllers) continue;
    check_page(k->name, figures_canvas(k->name, in, "x.png", &d), 1, 0.01);
  }
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_clear(&d);
}

static void test_pages(struct arena *arena, const struct creature *c)
{
  static const struct made made[] = {{3, 1, 0.0},  {20, 1, 0.0}, {60, 1, 0.0}, {30, 0, 0.0},   {40, 0, 1.5},
                                     {60, 0, -3.1}, {30, 1, 0.3}, {12, 0, 0.3}, {500, 1, 0.0}};
  struct spacetime_report report = make_report(40);
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    check_figures(&(struct figures_input){.creature = c, .clip = made_clip(arena, c, &made[i]), .report = &report,
                                          .n_points = (int)(sizeof points / sizeof *points), .points = points});
}

/* Nothing moves and nothing pushes; long names; one frame of history, or as many as there can be. */
static void test_odd_pages(struct arena *arena, const struct creature *c)
{
  struct clip *still = clip_new(arena, c, 8, 0.02);
  struct creature odd = *c;
  char endless[400];
  memset(endless, 'W', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  struct spacetime_report report = make_report(1);
  struct transport_point one = {endless, 1.0, 0.5, 0.1};
  for (int k = 0; k < 8; k++) creature_rest_pose(c, still->q + k * c->n_dofs);
  still->cyclic = 1;
  struct figures_input in = {.creature = c, .clip = still, .report = &report, .n_points = 1, .points = &one};
  check_figures(&in);
  odd.name = endless;
  still->name = endless;
  report = make_report(400);
  report.solves = 1;
  report.status = SPACETIME_FAILED;
  memcpy(report.reason, endless, sizeof endless);
  in.creature = &odd;
  check_figures(&in);
  report.history[3].objective = NAN;
  report.history[4].infeasibility = -1.0;
  report.history[5].dual_infeasibility = INFINITY;
  check_figures(&(struct figures_input){.creature = &odd, .clip = still, .report = &report});
}

/* Many legs on a chain, each with a knee. */
static void test_many_legs(struct arena *arena)
{
  static const int counts[] = {1, 3, 12, 45};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    size_t room = 65536;
    char *text = arena_alloc(arena, room, 1), *p = text, *end = text + room;
    p += snprintf(p, (size_t)(end - p), "name = \"crawler\"\nlimb s0 { to = {-0.1, 0, 0}  radius = 0.04 }\n");
    for (int k = 0; k < counts[i]; k++) {
      if (k > 0)
        p += snprintf(p, (size_t)(end - p), "limb s%d { parent = s%d  to = {-0.1, 0, 0}  radius = 0.04  mass = 1\n"
                      "axis yaw { about = z } }\n", k, k - 1);
      p += snprintf(p, (size_t)(end - p), "limb leg%d { parent = s%d  mirror = true  at = {0, 0.04, 0}\n"
                    "to = {0, 0.1, -0.1}  radius = 0.01  mass = 0.1  axis lift { about = x }\n"
                    "axis swing { about = z } }\nfoot leg%d { limb = leg%d }\n", k, k, k, k);
    }
    const struct creature *c = made_creature(arena, text);
    if (!c) continue;
    check_figures(&(struct figures_input){.creature = c, .clip = made_clip(arena, c, &(struct made){24, 1, 0.0})});
  }
}

/* ---- files ---- */

static void test_files(struct arena *arena, const struct creature *c)
{
  static const struct { const char *name, *magic; } formats[] = {
      {"a.png", "\x89PNG\r\n\x1a\n"}, {"a.svg", "<?xml"}, {"a.pdf", "%PDF-"}};
  struct spacetime_report report = make_report(12);
  struct figures_input in = {.creature = c, .clip = made_clip(arena, c, &(struct made){24, 0, 0.8}), .report = &report,
                             .n_points = (int)(sizeof points / sizeof *points), .points = points};
  struct diag d;
  diag_init(&d);
  for (int i = 0; i < figures_count(); i++)
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
      if (figures_kind(i)->needs & of_controllers) continue;
      const char *path = in_folder(formats[k].name), *kind = figures_kind(i)->name;
      size_t first_length = 0, length = 0;
      CHECK(figures_draw(kind, &in, path, &d) == 1);
      char *first = read_all(path, &first_length);
      CHECK(figures_draw("forces", &in, path, &d) == 1); /* something else in between */
      CHECK(figures_draw(kind, &in, path, &d) == 1);
      char *second = read_all(path, &length);
      CHECK(first && second && first_length > 2000 && !memcmp(first, formats[k].magic, strlen(formats[k].magic)));
      CHECK(first && second && length == first_length && !memcmp(first, second, length)); /* the same bytes */
      free(first);
      free(second);
      CHECK(count_files(folder) == 1);
      unlink(path);
    }
  CHECK(d.n_errors == 0);
  diag_clear(&d);
}

/* Draws a kind of figure that cannot be, and compares what is said about it. */
static void refuse(const char *kind, const struct figures_input *in, const char *name, const char *expected)
{
  struct diag d;
  diag_init(&d);
  CHECK(figures_draw(kind, in, in_folder(name), &d) == 0);
  CHECK_INT(d.n_errors, 1);
  if (d.n_errors) CHECK_STR(d.messages[0].text, expected);
  CHECK_INT(count_files(folder), 0);
  diag_clear(&d);
}

static void test_refusals(struct arena *arena, const struct creature *c)
{
  struct clip *clip = made_clip(arena, c, &(struct made){20, 1, 0.0});
  struct spacetime_report report = make_report(0);
  struct transport_point nothing = {"walk", 1.0, NAN, 1.0};
  struct figures_input in = {.creature = c, .clip = clip, .report = &report, .n_points = 1, .points = &nothing};
  refuse("filmstrip", &in, "a.gif", "the name of a picture must end in .png, .svg or .pdf");
  refuse("filmstripe", &in, "a.png", "there is no figure 'filmstripe'; did you mean 'filmstrip'?");
  refuse("convergence", &in, "a.png",
         "the solve has no history: it was refused before the first iteration, or not recorded");
  refuse("transport", &in, "a.png", "there is no point with a finite speed and cost of transport");
  refuse("joints", &(struct figures_input){.creature = c}, "a.png", "figure 'joints' needs a clip and its creature");
  refuse("policy", &in, "a.png", "figure 'policy' needs a controller");
  refuse("response", &in, "a.png", "figure 'response' needs a controller");
  refuse("transport", &(struct figures_input){.creature = c}, "a.png",
         "figure 'transport' needs a creature and clips of it at several speeds");
  for (int i = 0; i < figures_count(); i++) {
    const struct figures_kind *k = figures_kind(i);
    CHECK(figures_find(k->name) == k && strlen(k->what) > 10 && strlen(k->what) < 90 && !strchr(k->what, '\n'));
    if (!(k->needs & FIGURES_CLIP)) continue;
    clip->q[7] = NAN;
    refuse(k->name, &in, "a.png", "the clip has a number that is not finite, or absurdly large");
    clip->q[7] = 0.1;
    clip->n_points--;
    refuse(k->name, &in, "a.svg", "the clip has 15 dofs and 3 contact points, creature 'walker' has 15 and 4");
    clip->n_points++;
    clip->dt = 0.0;
    refuse(k->name, &in, "a.pdf",
           "a clip must have 3 frames and a time > 0 s between them, this one has 20 and 0 s");
    clip->dt = 0.02;
  }
  CHECK(figures_find("nothing") == NULL && figures_kind(-1) == NULL && figures_kind(figures_count()) == NULL);
}

/* ---- principal components ---- */

/* Shares add up to all, projections to all of the variance; what swings at one frequency is one line of the spectrum,
 * of its amplitude, at its place. */
static void test_components(struct arena *arena)
{
  const struct creature *c = made_creature(arena, made_walker);
  struct clip *clip = made_clip(arena, c, &(struct made){64, 1, 0.0});
  int n = c->n_dofs - CREATURE_ROOT_DOFS;
  for (int k = 0; k < 64; k++)
    for (int i = 0; i < n; i++)
      clip->q[k * c->n_dofs + CREATURE_ROOT_DOFS + i] =
          i == 2 ? 0.4 * cos(2 * acos(-1.0) * 3 * k / 64.0) : i == 5 ? 0.1 * sin(2 * acos(-1.0) * 11 * k / 64.0) : 0.3;
  struct components *p = components_new(arena, c, clip);
  double amplitude[33], sum = 0.0;
  CHECK(p && p->n == n);
  if (!p) return;
  for (int i = 0; i < n; i++) sum += p->share[i];
  CHECK_NEAR(sum, 1.0, 1e-12);
  CHECK_NEAR(p->share[0], 0.16 / 0.17, 1e-9);
  CHECK_NEAR(p->share[1], 0.01 / 0.17, 1e-9);
  components_spectrum(p, 0, amplitude);
  for (int h = 0; h <= 32; h++) CHECK_NEAR(amplitude[h], h == 3 ? 0.4 : 0.0, 1e-9);
  CHECK_NEAR(components_frequency(p, amplitude), 3 / (64 * clip->dt), 1e-6);
  components_spectrum(p, 1, amplitude);
  for (int h = 0; h <= 32; h++) CHECK_NEAR(amplitude[h], h == 11 ? 0.1 : 0.0, 1e-9);
}

int main(void)
{
  strcpy(folder, "test_clip_plots.XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  test_log_ticks();
  test_crossings();
  struct arena *arena = arena_new();
  const struct creature *c = made_creature(arena, made_walker), *b = made_creature(arena, ball);
  CHECK(c && b);
  if (c && b) {
    test_traces(arena, c);
    test_torques(arena, c);
    test_stance(arena, c);
    test_turned_forces(arena, c);
    test_refusals(arena, c);
    test_pages(arena, c);
    test_odd_pages(arena, c);
    test_files(arena, c);
    check_figures(&(struct figures_input){.creature = b, .clip = made_clip(arena, b, &(struct made){10, 1, 0.0})});
    test_many_legs(arena);
    test_components(arena);
  }
  arena_free(arena);
  CHECK(count_files(folder) == 0);
  rmdir(folder);
  return test_finish();
}

/* Figures of tracks: a track that was made up is drawn by every kind, nothing sticks out or covers another text, and
 * what a kind needs is asked for. The squares of torques are recomputed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plots/figures.h"
#include "plots/page.h"
#include "follow/subject.h"
#include "follow/walk.h"

static const char *const with_samples[] = {"track", "samples", "sample-tree", "tracked", "track-forces",
                                           "torque-squares"};

/* A track as if sampling had found it: the reference itself, with costs that grow. */
static struct recording *made_track(struct arena *arena, const struct reference *r)
{
  struct recording *t = ARENA_NEW(arena, 1, struct recording);
  size_t frames = (size_t)r->first[r->n_windows] + 1;
  *t = (struct recording){.reference = r, .n_windows = r->n_windows, .motion = follow_motion_new(arena, r),
                          .samples = 99};
  t->motion->n_frames = (int)frames;
  memcpy(t->motion->q, r->q, frames * (size_t)r->n_dofs * sizeof(double));
  memcpy(t->motion->torque, r->torque, frames * (size_t)r->n_dofs * sizeof(double));
  memcpy(t->motion->force, r->force, frames * (size_t)r->n_points * 3 * sizeof(double));
  t->windows = ARENA_NEW(arena, (size_t)r->n_windows, struct sampled_window);
  for (int w = 0; w < r->n_windows; w++) {
    struct sampled_window *k = &t->windows[w];
    *k = (struct sampled_window){.n_samples = 20, .n_saved = 4, .costs = ARENA_NEW(arena, 20, double),
                               .saved = ARENA_NEW(arena, 4, double), .parents = ARENA_NEW(arena, 4, int), .chosen = 1};
    for (int i = 0; i < 20; i++)
      k->costs[i] = 0.1 * i + 0.02 * w;
    for (int i = 0; i < 4; i++)
      k->saved[i] = k->costs[2 * i], k->parents[i] = (i + 1) / 2;
    k->best = k->saved[1];
  }
  return t;
}

static void refuse(const char *kind, const struct figures_input *in, const char *why)
{
  struct diag d;
  diag_init(&d);
  CHECK(figures_canvas(kind, in, "x.png", &d) == NULL);
  char *text = diag_text(&d);
  CHECK(strstr(text, why) != NULL);
  free(text);
  diag_clear(&d);
}

static void test_squares(const struct creature *c, const struct recording *t)
{
  double sum = 0, unit = c->mass * 9.81 * c->height;
  int n = t->motion->n_frames - 1;
  for (int i = 0; i < n * t->motion->n_dofs; i++)
    if (i % t->motion->n_dofs >= 6)
      sum += t->motion->torque[i] * t->motion->torque[i];
  CHECK(sum > 0);
  CHECK_NEAR(recording_torque_squares(t), sum / n / unit / unit, 2e-3 * sum / n / unit / unit); /* g to four digits */
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk walk;
  struct diag d;
  diag_init(&d);
  if (!walk_make(arena, 0, &walk))
    return 99;
  const struct reference *r = subject_clip(arena, &walk.in, 0, 2, NULL, &d);
  struct recording *t = made_track(arena, r);
  struct torque_bar bars[] = {{"walk", "samcon", 0.2, 1}, {"walk", "a method with quite a long name of its own", 0.1,
                                                           0},
                              {"run", "samcon", NAN, 0}};
  struct torque_squares squares = {3, bars};
  struct figures_input in = {.creature = walk.creature, .track = t, .track_title = "biped: a walk",
                             .squares = &squares};
  for (size_t i = 0; i < sizeof with_samples / sizeof *with_samples; i++)
    check_page(with_samples[i], figures_canvas(with_samples[i], &in, "x.png", &d), 4, 0.005);
  CHECK_INT(d.n_errors, 0);
  t->windows = NULL;
  check_page("track", figures_canvas("track", &in, "x.svg.png", &d), 4, 0.005);
  refuse("samples", &in, "needs a track that was found by sampling");
  refuse("tracked", &(struct figures_input){.creature = walk.creature}, "needs a track");
  refuse("torque-squares", &(struct figures_input){.creature = walk.creature}, "needs tracks");
  test_squares(walk.creature, t);
  diag_clear(&d);
  arena_free(arena);
  return test_finish();
}

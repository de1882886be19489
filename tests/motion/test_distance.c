/* Distances of frames: the closed form against a search over the angle with clouds made anew, the properties of a
 * metric, and a matrix that grows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "motion/cloud.h"
#include "motion/distance.h"
#include "motion/ground.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

enum { WALK, RUN, TURN, MOVED, N_CLIPS, ASIDE = 30 };

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *made[N_CLIPS];
  struct distance_matrix *m;
};

static struct clip *solve_gait(struct world *w, const char *name, double speed)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct gait_request r = {.c = w->c, .gait = creature_find_gait(w->c, name), .speed = speed};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(w->arena, &r, &o, &report);
  if (!clip)
    exit(99);
  return clip;
}

static struct clip *solve_turn(struct world *w)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct transition_request r = {.c = w->c, .from = w->made[WALK], .to = w->made[WALK], .from_frame = 3, .to_frame = 9,
                                 .from_id = WALK + 1, .to_id = WALK + 1, .turn = 0.7};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(w->arena, &r, &o, &report);
  if (!clip)
    exit(99);
  return clip;
}

/* A copy that goes on elsewhere. */
static struct clip *moved(struct world *w, const struct clip *clip, struct clip_advance by)
{
  struct clip *out = clip_new(w->arena, w->c, clip->n_frames, clip->dt), sizes = *out;
  *out = *clip;
  out->q = sizes.q;
  memcpy(out->q, clip->q, (size_t)(clip->n_frames * clip->n_dofs) * sizeof *out->q);
  out->advance = ground_after(ground_after(by, clip->advance), ground_inverse(by));
  for (int k = 0; k < clip->n_frames; k++)
    clip_move_pose(by, out->q + k * clip->n_dofs);
  return out;
}

static struct world new_world(void)
{
  struct world w = {.arena = arena_new()};
  w.c = zoo_load(w.arena, 0);
  if (!w.c)
    exit(99);
  w.made[WALK] = solve_gait(&w, "walk", 0.6);
  w.made[RUN] = solve_gait(&w, "run", 1.5);
  w.made[TURN] = solve_turn(&w);
  w.made[MOVED] = moved(&w, w.made[WALK], (struct clip_advance){3, -20, 2});
  w.m = distance_new(w.arena, w.c);
  for (int i = 0; i < N_CLIPS; i++)
    CHECK_INT(distance_add(w.m, i + 1, w.made[i]), i);
  return w;
}

static int frame_in(const struct world *w, int clip, struct rng *r)
{
  return rng_below(r, w->made[clip]->n_frames);
}

/* ---- properties ---- */

static void test_metric(const struct world *w)
{
  struct rng r = rng_stream(3, 1);
  for (int i = 0; i < 20000; i++) {
    int a = rng_below(&r, N_CLIPS), b = rng_below(&r, N_CLIPS), c = rng_below(&r, N_CLIPS);
    int ka = frame_in(w, a, &r), kb = frame_in(w, b, &r), kc = frame_in(w, c, &r);
    double ab = distance_between(w->m, a, ka, b, kb), bc = distance_between(w->m, b, kb, c, kc);
    double ac = distance_between(w->m, a, ka, c, kc);
    CHECK(ab >= 0 && ab < 1);
    CHECK_NEAR(ab, distance_between(w->m, b, kb, a, ka), 0);
    CHECK(ac <= ab + bc + 1e-12);
  }
  for (int k = 0; k < w->made[WALK]->n_frames; k++) {
    CHECK_NEAR(distance_between(w->m, WALK, k, WALK, k), 0, 1e-12);
    CHECK_NEAR(distance_between(w->m, WALK, k, MOVED, k), 0, 1e-12);
    CHECK_NEAR(distance_between(w->m, WALK, k - 5 * w->made[WALK]->n_frames, MOVED, k), 0, 1e-12);
    CHECK(distance_between(w->m, WALK, k, WALK, k + 1) > 1e-3);
    CHECK(distance_between(w->m, WALK, k, RUN, k % w->made[RUN]->n_frames) > 0.05);
  }
}

/* The ends of a transition are frames of the walk, and so are those around them on one side. */
static void test_ends(const struct world *w)
{
  int n = w->made[TURN]->n_frames;
  double start = distance_between(w->m, TURN, 0, WALK, 3), end = distance_between(w->m, TURN, n - 2, WALK, 9);
  CHECK(start < 0.03 && end < 0.03);
  for (int k = 0; k < w->made[WALK]->n_frames; k++) {
    CHECK(k == 3 || distance_between(w->m, TURN, 0, WALK, k) > start);
    CHECK(k == 9 || distance_between(w->m, TURN, n - 2, WALK, k) > end);
  }

  /* the same as one clip, with the walk before and after: windows at the ends of the turn see that */
  const struct clip *walk = w->made[WALK], *turn = w->made[TURN];
  struct clip *all = clip_new(w->arena, w->c, n + 2 * ASIDE, turn->dt);
  struct clip_advance before = ground_match(turn, 0, walk, 3), after = ground_match(turn, n - 2, walk, 9);
  for (int k = -ASIDE; k < n + ASIDE; k++) {
    double *q = all->q + (k + ASIDE) * w->c->n_dofs;
    clip_frame(k < 0 || k >= n ? walk : turn, k < 0 ? 3 + k : k >= n ? 9 + k - (n - 2) : k, q);
    clip_move_pose(k < 0 ? before : k >= n ? after : (struct clip_advance){0, 0, 0}, q);
  }
  int whole = distance_add(w->m, 50, all);
  CHECK(2 * cloud_step(w->c, turn->dt) <= ASIDE);
  for (int k = 0; k < n; k++)
    CHECK_NEAR(distance_between(w->m, TURN, k, whole, k + ASIDE), 0, 1e-12);
}

/* ---- the same by search ---- */

struct point { double weight, at[3]; };

/* The window of a frame that has all its frames within the clip, limb by limb. */
static int make_cloud(const struct world *w, const struct clip *clip, int k, struct point *cloud)
{
  const double part[CLOUD_SAMPLES] = {1, 2, 3, 2, 1};
  struct dynamics *d = dynamics_new(w->arena, w->c);
  double *q = ARENA_NEW(w->arena, (size_t)w->c->n_dofs, double);
  int n = 0, step = cloud_step(w->c, clip->dt);
  for (int s = 0; s < CLOUD_SAMPLES; s++) {
    clip_frame(clip, k + (s - 2) * step, q);
    dynamics_kinematics(d, q);
    for (int i = 0; i < w->c->n_limbs; i++)
      for (int end = 0; end < 2; end++, n++) {
        const struct limb *l = &w->c->limbs[i];
        double local[3];
        for (int j = 0; j < 3; j++)
          local[j] = l->origin[j] + (end ? l->shape.to[j] : l->shape.from[j]);
        dynamics_point(d, l->body, local, cloud[n].at);
        cloud[n].weight = part[s] / 9 * l->mass / w->c->mass / 2;
      }
  }
  return n;
}

/* Mean square distance with b turned about the origin, then moved to the best place. */
static double missed(int n, const struct point *a, const struct point *b, double angle)
{
  double s = sin(angle), c = cos(angle), sum[2] = {0, 0}, square = 0;
  for (int i = 0; i < n; i++) {
    double gap[3] = {a[i].at[0] - (c * b[i].at[0] - s * b[i].at[1]), a[i].at[1] - (s * b[i].at[0] + c * b[i].at[1]),
                     a[i].at[2] - b[i].at[2]};
    for (int j = 0; j < 3; j++)
      square += a[i].weight * gap[j] * gap[j];
    for (int j = 0; j < 2; j++)
      sum[j] += a[i].weight * gap[j];
  }
  return square - sum[0] * sum[0] - sum[1] * sum[1];
}

/* All around in steps, then finer and finer about the best. */
static double search_distance(int n, const struct point *a, const struct point *b)
{
  double best = 0, value = INFINITY;
  for (double wide = acos(-1); wide > 1e-9; wide /= 8) {
    double centre = best;
    for (int i = -20; i <= 20; i++) {
      double angle = centre + wide * i / 20, found = missed(n, a, b, angle);
      if (found < value)
        value = found, best = angle;
    }
  }
  return sqrt(fmax(0, value));
}

static void test_search(const struct world *w)
{
  static struct point a[400], b[400];
  struct rng r = rng_stream(3, 2);
  int margin = 2 * cloud_step(w->c, w->made[0]->dt);
  CHECK(w->c->n_limbs * 2 * CLOUD_SAMPLES <= 400);
  for (int i = 0; i < 300; i++) {
    int ca = rng_below(&r, N_CLIPS), cb = rng_below(&r, N_CLIPS);
    int ka = margin + rng_below(&r, w->made[ca]->n_frames - 2 * margin);
    int kb = margin + rng_below(&r, w->made[cb]->n_frames - 2 * margin);
    int n = make_cloud(w, w->made[ca], ka, a);
    make_cloud(w, w->made[cb], kb, b);
    CHECK_NEAR(distance_between(w->m, ca, ka, cb, kb), search_distance(n, a, b) / w->c->height, 1e-6);
  }
}

/* ---- growing ---- */

/* Clip by clip is the same as whichever order, as long as a transition comes after the clips at its ends. */
static void test_growing(const struct world *w)
{
  static const int order[N_CLIPS] = {MOVED, WALK, TURN, RUN};
  struct distance_matrix *m = distance_new(w->arena, w->c);
  struct rng r = rng_stream(3, 3);
  int where[N_CLIPS];
  for (int i = 0; i < N_CLIPS; i++)
    where[order[i]] = distance_add(m, order[i] + 1, w->made[order[i]]);
  for (int i = 0; i < 20; i++) /* past the room for the first clips */
    CHECK_INT(distance_add(m, 100 + i, w->made[RUN]), N_CLIPS + i);
  for (int i = 0; i < 5000; i++) {
    int a = rng_below(&r, N_CLIPS), b = rng_below(&r, N_CLIPS), ka = frame_in(w, a, &r), kb = frame_in(w, b, &r);
    CHECK_NEAR(distance_between(w->m, a, ka, b, kb), distance_between(m, where[a], ka, where[b], kb), 1e-12);
  }
  CHECK_NEAR(distance_between(m, N_CLIPS + 19, 7, where[RUN], 7), 0, 1e-12);
}

/* A transition whose ends nobody knows, and one whose ends name frames that are not there: still a number. */
static void test_unknown_ends(const struct world *w)
{
  struct distance_matrix *m = distance_new(w->arena, w->c);
  struct clip turn = *w->made[TURN], lost = turn;
  distance_add(m, 7, &turn);
  lost.from = (struct clip_end){7, 500}, lost.to = (struct clip_end){7, -500};
  distance_add(m, 8, &lost);
  for (int k = 0; k < turn.n_frames; k++) {
    CHECK_NEAR(distance_between(m, 0, k, 1, k), 0, 1e-12);
    CHECK(distance_between(m, 0, k, 0, 0) < 1);
  }
}

int main(void)
{
  struct world w = new_world();
  test_metric(&w);
  test_ends(&w);
  test_search(&w);
  test_growing(&w);
  test_unknown_ends(&w);
  arena_free(w.arena);
  return test_finish();
}

/* Blends and registration curves: the cheapest curve against all curves there are, time that was stretched is found
 * again, ends are kept, contacts that belong together become one; clouds against the matrix of distances. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "motion/blend.h"
#include "motion/cloud.h"
#include "motion/distance.h"
#include "motion/ground.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *walk, *run, *turn;
  struct cloud_space *space;
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

static struct world new_world(void)
{
  struct world w = {.arena = arena_new()};
  struct spacetime_options o;
  struct spacetime_report report;
  w.c = zoo_load(w.arena, 0);
  if (!w.c)
    exit(99);
  spacetime_defaults(&o);
  w.walk = solve_gait(&w, "walk", 0.6);
  w.run = solve_gait(&w, "run", 1.5);
  struct transition_request r = {.c = w.c, .from = w.walk, .to = w.walk, .from_frame = 3, .to_frame = 9, .from_id = 1,
                                 .to_id = 1, .turn = 0.7};
  w.turn = spacetime_transition(w.arena, &r, &o, &report);
  if (!w.turn)
    exit(99);
  w.space = cloud_space_new(w.arena, w.c);
  return w;
}

/* ---- clouds ---- */

static void test_clouds(const struct world *w)
{
  struct distance_matrix *m = distance_new(w->arena, w->c);
  const struct clip *clips[3] = {w->walk, w->run, w->turn};
  const int ids[3] = {1, 2, 3};
  struct clouds *clouds[3];
  for (int i = 0; i < 3; i++) {
    struct clip_list all = {i, ids, clips};
    distance_add(m, ids[i], clips[i]);
    clouds[i] = clouds_of_clip(w->arena, w->space, &all, clips[i]);
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int i = 0; i < clips[a]->n_frames; i++)
        for (int j = 0; j < clips[b]->n_frames; j++)
          CHECK_NEAR(cloud_distance(w->space, clouds[a], i, clouds[b], j), distance_between(m, a, i, b, j), 1e-12);

  /* a motion over the ground is found again */
  struct clouds *moved = clouds_room(w->arena, w->space, w->run->n_frames);
  struct clip_advance by = {3, -2, 2.5};
  for (int k = 0; k < w->run->n_frames; k++) {
    clouds_copy(clouds[1], k, by, moved, k);
    struct clip_advance found = cloud_alignment(moved, k, clouds[1], k);
    CHECK_NEAR(found.x, by.x, 1e-9);
    CHECK_NEAR(found.y, by.y, 1e-9);
    CHECK_NEAR(found.yaw, by.yaw, 1e-9);
    CHECK_NEAR(cloud_distance(w->space, moved, k, clouds[1], k), 0, 1e-9);
  }
}

/* ---- linear ---- */

static void check_junctions(const struct world *w, const struct path *p, int from, const struct clip *to, int arrival)
{
  struct clip *clip = path_to_clip(w->arena, w->c, p);
  CHECK_NEAR(verify_junction(w->c, clip, 0, w->walk, from), 0, 1e-9);
  CHECK_NEAR(verify_junction(w->c, clip, 1, to, arrival), 0, 1e-9);
}

static void test_linear(const struct world *w)
{
  int n = 30;
  struct path *a = path_of_clip(w->arena, w->c, w->walk, 5, n), *b = path_of_clip(w->arena, w->c, w->run, 2, n);
  struct path *moved = path_of_clip(w->arena, w->c, w->run, 2, n);
  path_carry(moved, (struct clip_advance){4, 5, -2});
  struct path *same = blend_linear(w->arena, w->c, a, a), *mixed = blend_linear(w->arena, w->c, a, b);
  struct path *again = blend_linear(w->arena, w->c, a, moved);
  for (int i = 0; i < n * w->c->n_dofs; i++) {
    CHECK_NEAR(same->q[i], a->q[i], 1e-12);
    CHECK_NEAR(mixed->q[i], again->q[i], 1e-9);
  }
  check_junctions(w, mixed, 5, w->run, 2 + n - 2);
  double weight[30];
  blend_weights(n, weight);
  int knee = creature_find_dof(w->c, "left_shank.flexion");
  for (int k = 0; k < n; k++) {
    double x = path_pose(a, k)[knee], y = path_pose(b, k)[knee];
    CHECK_NEAR(path_pose(mixed, k)[knee], x + weight[k] * (y - x), 1e-12);
    CHECK(k == 0 || weight[k] >= weight[k - 1]);
  }
  CHECK(weight[1] == 0 && weight[2] > 0 && weight[n - 3] < 1 && weight[n - 2] == 1);
}

/* ---- the curve ---- */

/* Clouds of one point at random: distances of a table that nobody chose. */
static struct clouds *random_clouds(const struct world *w, int n, struct rng *r)
{
  struct clouds *c = ARENA_NEW(w->arena, 1, struct clouds);
  *c = (struct clouds){.n_frames = n, .size = 1};
  c->x = ARENA_NEW(w->arena, (size_t)n, double);
  c->y = ARENA_NEW(w->arena, (size_t)n, double);
  c->z = ARENA_NEW(w->arena, (size_t)n, double);
  c->spread = ARENA_NEW(w->arena, (size_t)n, double);
  c->centre = ARENA_NEW(w->arena, 2 * (size_t)n, double);
  for (int k = 0; k < n; k++)
    c->z[k] = rng_uniform(r, 0, 1);
  return c;
}

/* All curves from a cell to the last one: cost of the cheapest. run: steps in the first alone > 0, the second < 0. */
static double try_all(const struct world *w, const struct clouds *a, const struct clouds *b, int i, int j, int run)
{
  if (i >= a->n_frames || j >= b->n_frames || abs(run) > REGISTRATION_RUN)
    return INFINITY;
  double d[3] = {INFINITY, INFINITY, INFINITY};
  if (i == a->n_frames - 1 && j == b->n_frames - 1)
    return 0;
  for (int way = 0; way < 3; way++) {
    int ni = i + (way != 2), nj = j + (way != 1), next = 0;
    if (way)
      next = way == 1 ? (run > 0 ? run : 0) + 1 : (run < 0 ? run : 0) - 1;
    if (ni < a->n_frames && nj < b->n_frames && abs(next) <= REGISTRATION_RUN)
      d[way] = (way ? 1 : 2) * cloud_distance(w->space, a, ni, b, nj) + try_all(w, a, b, ni, nj, next);
  }
  return fmin(d[0], fmin(d[1], d[2]));
}

static void test_cheapest(const struct world *w)
{
  struct rng r = rng_stream(7, 1);
  for (int i = 0; i < 60; i++) {
    int na = 4 + rng_below(&r, 4), nb = 4 + rng_below(&r, 4);
    struct clouds *a = random_clouds(w, na, &r), *b = random_clouds(w, nb, &r);
    struct registration_input in = {.space = w->space, .clouds_a = a, .clouds_b = b};
    in.a = path_of_clip(w->arena, w->c, w->walk, 0, na);
    in.b = path_of_clip(w->arena, w->c, w->walk, 0, nb);
    struct registration *found = registration_new(w->arena, &in);
    CHECK(found != NULL);
    if (!found)
      continue;
    CHECK_NEAR(found->cost, try_all(w, a, b, 0, 0, 0) / (na + nb - 2), 1e-12);
    CHECK_NEAR(found->a[0], 0, 0);
    CHECK_NEAR(found->b[found->n - 1], nb - 1, 1e-12);
    for (int k = 1; k < found->n; k++)
      CHECK(found->a[k] > found->a[k - 1] && found->b[k] > found->b[k - 1]);
  }
}

static void clamped(const void *user, int k, double *q)
{
  const struct path *p = user;
  int last = p->n_frames - 1;
  memcpy(q, path_pose(p, k < 0 ? 0 : k > last ? last : k), (size_t)p->n_dofs * sizeof *q);
}

static struct registration *registered(const struct world *w, const struct path *a, const struct path *b, int loose)
{
  struct registration_input in = {w->space, a, b, NULL, NULL, loose, loose, 0};
  in.clouds_a = clouds_new(w->arena, w->space, a->n_frames, a->dt, clamped, a);
  in.clouds_b = clouds_new(w->arena, w->space, b->n_frames, b->dt, clamped, b);
  return registration_new(w->arena, &in);
}

/* The walk at another tempo, elsewhere on the ground. */
static struct path *stretched(const struct world *w, const struct path *p, int n, double bow)
{
  struct path *out = path_new(w->arena, w->c, n, p->dt);
  for (int k = 0; k < n; k++) {
    double s = (double)k / (n - 1), t = (s + bow * s * (1 - s)) * (p->n_frames - 1);
    int i = (int)fmin(floor(t), p->n_frames - 2);
    for (int j = 0; j < p->n_dofs; j++)
      path_pose(out, k)[j] = path_pose(p, i)[j] + (t - i) * (path_pose(p, i + 1)[j] - path_pose(p, i)[j]);
    memcpy(out->contact + k * p->n_points, p->contact + (int)lround(t) * p->n_points, (size_t)p->n_points);
  }
  path_carry(out, (struct clip_advance){-3, 1, 1.2});
  return out;
}

static void test_stretched(const struct world *w)
{
  struct path *a = path_of_clip(w->arena, w->c, w->walk, 0, 40);
  for (int i = 0; i < 3; i++) {
    double bow = 0.3 * (i - 1);
    struct path *b = stretched(w, a, 44 + 8 * i, bow);
    struct registration *r = registered(w, a, b, 0);
    CHECK(r != NULL);
    for (int k = 16; r && k < r->n - 16; k++) {
      double s = r->b[k] / (b->n_frames - 1), t = (s + bow * s * (1 - s)) * (a->n_frames - 1);
      CHECK_NEAR(r->a[k], t, 2.0); /* frames: windows cover more time in the slower one */
      CHECK_NEAR(r->beside[k].yaw, 0, 0.12);
      CHECK_NEAR(hypot(r->beside[k].x, r->beside[k].y), 0, 0.03);
    }
  }
}

/* Out of phase by a third of a cycle: with free ends the curve finds the phase, without it cannot. */
static void test_free_ends(const struct world *w)
{
  int third = w->walk->n_frames / 3, n = 60;
  struct path *a = path_of_clip(w->arena, w->c, w->walk, 0, n), *b = path_of_clip(w->arena, w->c, w->walk, -third, n);
  struct registration *tied = registered(w, a, b, 0), *loose = registered(w, a, b, third + 3);
  CHECK(tied && loose);
  if (!tied || !loose)
    return;
  CHECK(loose->cost < 0.3 * tied->cost);
  for (int k = 4; k < loose->n - 4; k++)
    CHECK_NEAR(loose->b[k] - loose->a[k], third, 1.5);
}

/* ---- along the curve ---- */

/* Mean distance to the walk, away from the ends, where windows see less. */
static double apart_from_walk(const struct world *w, const struct path *p)
{
  struct clip_list none = {0, NULL, NULL};
  struct clouds *walk = clouds_of_clip(w->arena, w->space, &none, w->walk);
  struct clouds *clouds = clouds_new(w->arena, w->space, p->n_frames, p->dt, clamped, p);
  double sum = 0;
  for (int k = 8; k < p->n_frames - 8; k++) {
    double best = INFINITY;
    for (int j = 0; j < w->walk->n_frames; j++)
      best = fmin(best, cloud_distance(w->space, clouds, k, walk, j));
    sum += best / (p->n_frames - 16);
  }
  return sum;
}

/* Free ends are used as far as the tempo that is asked for allows. */
static void test_tempo(const struct world *w)
{
  int third = w->walk->n_frames / 3, n = 60;
  struct path *a = path_of_clip(w->arena, w->c, w->walk, 0, n), *b = path_of_clip(w->arena, w->c, w->walk, -third, n);
  struct registration_input in = {w->space, a, b, NULL, NULL, third + 3, third + 3, n - third};
  in.clouds_a = clouds_new(w->arena, w->space, n, a->dt, clamped, a);
  in.clouds_b = clouds_new(w->arena, w->space, n, b->dt, clamped, b);
  struct registration *easy = registration_new(w->arena, &in);
  in.frames = 2 * n;
  struct registration *slow = registration_new(w->arena, &in);
  CHECK(easy && slow && easy->cost < slow->cost);
  CHECK_NEAR(easy->b[0], third, 2.5);
  CHECK_NEAR(slow->b[0], 0, 0);
  CHECK_NEAR(slow->a[slow->n - 1], n - 1, 1e-12);
}

static void test_registered(const struct world *w)
{
  int n = 45, third = w->walk->n_frames / 3;
  struct path *a = path_of_clip(w->arena, w->c, w->walk, 5, n);
  struct registration *own = registered(w, a, a, 0);
  struct path *same = blend_registered(w->arena, w->c, own, a, a, n);
  for (int i = 0; i < n * w->c->n_dofs; i++)
    CHECK_NEAR(same->q[i], a->q[i], 1e-9);
  CHECK(memcmp(same->contact, a->contact, (size_t)(n * a->n_points)) == 0);

  struct path *b = path_of_clip(w->arena, w->c, w->run, 2, n);
  path_carry(b, (struct clip_advance){1, 2, 3});
  for (int length = 20; length < 60; length += 13) {
    struct path *mixed = blend_registered(w->arena, w->c, registered(w, a, b, 10), a, b, length);
    check_junctions(w, mixed, 5, w->run, 2 + n - 2);
    CHECK_INT(mixed->n_frames, length);
    CHECK_NEAR(mixed->heading[length - 1], 0, 0.3); /* straight on, wherever b stood */
  }

  /* two walks out of phase: blended in phase, in the time that this takes, it is the walk; frame by frame it is not */
  struct path *late = path_of_clip(w->arena, w->c, w->walk, 5 - third, n);
  struct path *good = blend_registered(w->arena, w->c, registered(w, a, late, third + 3), a, late, n - third);
  CHECK(apart_from_walk(w, good) < 0.2 * apart_from_walk(w, blend_linear(w->arena, w->c, a, late)));
}

/* ---- contacts ---- */

static void test_contacts(const struct world *w)
{
  enum { N = 21 };
  struct path *a = path_new(w->arena, w->c, N, 0.02), *b = path_new(w->arena, w->c, N, 0.02);
  double time[N], weight[N];
  struct clip_advance beside[N] = {{0}};
  struct registration r = {N, time, time, beside, 0};
  struct registration_contact out[8];
  for (int k = 0; k < N; k++) {
    time[k] = k, weight[k] = k / (N - 1.);
    a->contact[k * 2] = k < 3 || (k >= 8 && k < 12);  /* from before; from 7.5 to 11.5     */
    b->contact[k * 2] = (k >= 10 && k < 15) || k == 1; /* from 9.5 to 14.5; and one on its own */
    b->contact[k * 2 + 1] = k >= 18;                   /* of a point that a keeps in the air   */
  }
  int n = registration_contacts(&r, a, b, 0, weight, 8, out);
  CHECK_INT(n, 2);
  CHECK(out[0].on == -INFINITY);
  CHECK_NEAR(out[0].off, 2.5 + (1.5 - 2.5) * weight[2], 0.02);
  CHECK_NEAR(out[1].on, 7.5 + 2 * 8.5 / 20, 1e-12);
  CHECK_NEAR(out[1].off, 11.5 + 3 * 13. / 20, 1e-12);
  n = registration_contacts(&r, a, b, 1, weight, 8, out);
  CHECK_INT(n, 1);
  CHECK_NEAR(out[0].on, 17.5, 1e-12);
  CHECK(out[0].off == INFINITY);
}

int main(void)
{
  struct world w = new_world();
  test_clouds(&w);
  test_linear(&w);
  test_cheapest(&w);
  test_stretched(&w);
  test_free_ends(&w);
  test_tempo(&w);
  test_registered(&w);
  test_contacts(&w);
  arena_free(w.arena);
  return test_finish();
}

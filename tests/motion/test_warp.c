/* Warps: rhythms of random gaits against their own definition, the identity, weights of single joints, velocities, and
 * bends that are circles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "motion/ground.h"
#include "motion/verify.h"
#include "motion/warp.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double pi = 3.14159265358979323846;

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *walk;
};

static struct world new_world(void)
{
  struct world w = {.arena = arena_new()};
  struct spacetime_options o;
  struct spacetime_report report;
  w.c = zoo_load(w.arena, 0);
  if (!w.c)
    exit(99);
  spacetime_defaults(&o);
  struct gait_request r = {.c = w.c, .gait = creature_find_gait(w.c, "walk"), .speed = 0.6};
  w.walk = spacetime_gait(w.arena, &r, &o, &report);
  if (!w.walk)
    exit(99);
  return w;
}

/* ---- rhythm ---- */

/* One contact a foot and cycle, from a phase on, for a share of it. */
static struct rhythm steps(const struct world *w, int n, const double *from, const double *duty)
{
  unsigned char *on = ARENA_NEW(w->arena, (size_t)(n * w->c->n_points), unsigned char);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < w->c->n_points; i++) {
      int foot = w->c->points[i].foot;
      double phase = (k + 0.5) / n - from[foot];
      on[k * w->c->n_points + i] = phase - floor(phase) < duty[foot];
    }
  return (struct rhythm){n, w->c->n_points, 0.02, on};
}

static void test_counting(const struct world *w)
{
  int points = w->c->n_points;
  unsigned char on[8 * 2] = {0};
  struct rhythm r = {8, points, 0.02, on};
  CHECK_INT(points, 2);
  CHECK_INT(rhythm_contacts(w->c, &r, 0), 0);
  for (int k = 0; k < 8; k++)
    on[2 * k + 1] = 1;
  CHECK_INT(rhythm_contacts(w->c, &r, 1), -1);
  on[2 * 3 + 1] = 0;
  CHECK_INT(rhythm_contacts(w->c, &r, 1), 1);
  on[2 * 0] = on[2 * 7] = on[2 * 4] = 1; /* around the end, and once more */
  CHECK_INT(rhythm_contacts(w->c, &r, 0), 2);
  struct rhythm walk = rhythm_of_clip(w->walk);
  CHECK(rhythm_matches(w->c, &walk, &walk));
  CHECK(!rhythm_matches(w->c, &walk, &r));
}

/* On the ground in the target is on the ground in the source; time goes forward and comes around. */
static void check_times(const struct world *w, const struct rhythm *from, const struct rhythm *to)
{
  double *t = ARENA_NEW(w->arena, (size_t)to->n_frames, double);
  for (int foot = 0; foot < w->c->n_feet; foot++) {
    int point = w->c->feet[foot].first_point;
    warp_foot_times(w->c, from, to, foot, t);
    for (int k = 0; k < to->n_frames; k++) {
      int near = (int)lround(t[k]), row = ((near % from->n_frames) + from->n_frames) % from->n_frames;
      double edge = fabs(fabs(t[k] - near) - 0.5); /* on an edge either is right */
      CHECK(edge < 1e-9 || to->contact[k * to->n_points + point] == from->contact[row * from->n_points + point]);
      CHECK(k == 0 || t[k] > t[k - 1]);
    }
    CHECK(t[to->n_frames - 1] < t[0] + from->n_frames);
  }
}

static void test_times(const struct world *w)
{
  struct rng r = rng_stream(5, 1);
  for (int i = 0; i < 200; i++) {
    double from[2], duty[2];
    struct rhythm two[2];
    for (int j = 0; j < 2; j++) {
      for (int foot = 0; foot < 2; foot++)
        from[foot] = rng_uniform(&r, 0, 1), duty[foot] = rng_uniform(&r, 0.15, 0.85);
      two[j] = steps(w, 12 + rng_below(&r, 40), from, duty);
    }
    check_times(w, &two[0], &two[1]);
  }
}

/* A change of the foot in the target is one in the source, to the half frame; in between time is even. */
static void test_edges(const struct world *w)
{
  const double from[2] = {0, 0.5}, late[2] = {0.25, 0.75}, long_duty[2] = {0.5, 0.5}, short_duty[2] = {0.25, 0.25};
  struct rhythm a = steps(w, 40, from, long_duty), b = steps(w, 20, late, short_duty);
  double t[20];
  warp_foot_times(w->c, &a, &b, 0, t); /* on from 5 to 9 of 20, and from 0 to 19 of 40: edges -0.5, 19.5 at 4.5, 9.5 */
  CHECK_NEAR(t[5], 1.5, 1e-12);
  CHECK_NEAR(t[7], 9.5, 1e-12);
  CHECK_NEAR(t[9], 17.5, 1e-12);
  CHECK_NEAR(t[10], 19.5 + 20. / 15 / 2, 1e-12);
  CHECK_NEAR(t[4], -0.5 - 20. / 15 / 2, 1e-12);
}

/* Two contacts a cycle are paired so that neither is hurried, wherever the cycle was cut. */
static void test_rotation(const struct world *w)
{
  unsigned char on[2][40 * 2] = {{0}};
  struct rhythm r[2] = {{40, 2, 0.02, on[0]}, {40, 2, 0.02, on[1]}};
  for (int k = 0; k < 40; k++) { /* a long step and a short one */
    on[0][2 * k] = (k >= 2 && k < 16) || (k >= 28 && k < 32);
    on[1][2 * ((k + 20) % 40)] = on[0][2 * k];
  }
  double t[40];
  warp_foot_times(w->c, &r[0], &r[1], 0, t);
  for (int k = 0; k < 40; k++)
    CHECK_NEAR(remainder(t[k] - (k - 20), 40), 0, 1e-12);
  warp_foot_times(w->c, &r[0], &r[1], 1, t); /* never on the ground: goes with the others */
  CHECK_NEAR(fabs(remainder(t[7] - 7, 40)), 20, 1e-9);
}

static void check_same_poses(const struct clip *a, const struct clip *b, int shift, double tolerance)
{
  double x[64], y[64], first[64], other[64];
  clip_frame(a, 0, first);
  clip_frame(b, shift, other);
  for (int k = 0; k < a->n_frames; k++) {
    clip_frame(a, k, x);
    clip_frame(b, k + shift, y);
    for (int i = 0; i < a->n_dofs; i++)
      CHECK_NEAR(x[i] - (i < 2 ? first[i] : 0), y[i] - (i < 2 ? other[i] : 0), tolerance);
  }
}

/* Its own rhythm changes nothing; the same rhythm a quarter later shifts time. */
static void test_identity(const struct world *w)
{
  struct rhythm own = rhythm_of_clip(w->walk), shifted = own;
  check_same_poses(warp_rhythm(w->arena, w->c, w->walk, &own), w->walk, 0, 1e-12);
  int n = own.n_frames, quarter = n / 4;
  unsigned char *on = ARENA_NEW(w->arena, (size_t)(n * own.n_points), unsigned char);
  for (int k = 0; k < n; k++)
    memcpy(on + (k + quarter) % n * own.n_points, own.contact + k * own.n_points, (size_t)own.n_points);
  shifted.contact = on;
  check_same_poses(warp_rhythm(w->arena, w->c, w->walk, &shifted), w->walk, -quarter, 1e-12);
}

/* A joint of the left leg goes by the left foot, all but a hundredth of it. */
static void test_weights(const struct world *w)
{
  const double from[2] = {0.1, 0.7}, duty[2] = {0.5, 0.65};
  struct rhythm target = steps(w, 37, from, duty), source = rhythm_of_clip(w->walk);
  struct clip *out = warp_rhythm(w->arena, w->c, w->walk, &target);
  int n = w->c->n_dofs, N = w->walk->n_frames, knee = creature_find_dof(w->c, "left_shank.flexion");
  int torso = creature_find_dof(w->c, "torso.flexion");
  double t[2][37];
  CHECK(knee > 0 && torso > 0);
  warp_foot_times(w->c, &source, &target, 0, t[0]);
  warp_foot_times(w->c, &source, &target, 1, t[1]);
  int left = strncmp(w->c->feet[0].name, "left", 4) == 0 ? 0 : 1;
  for (int k = 0; k < 37; k++)
    for (int which = 0; which < 2; which++) {
      int dof = which ? knee : torso;
      double sum = 0, weight[2] = {1, 1};
      weight[1 - left] = which ? 0.01 : 1;
      for (int foot = 0; foot < 2; foot++) {
        int a = (int)floor(t[foot][k]), i = ((a % N) + N) % N, j = (i + 1) % N;
        double part = t[foot][k] - a;
        sum += weight[foot] * ((1 - part) * w->walk->q[i * n + dof] + part * w->walk->q[j * n + dof]);
      }
      CHECK_NEAR(out->q[k * n + dof], sum / (weight[0] + weight[1]), 1e-12);
    }
  CHECK_NEAR(hypot(out->advance.x, out->advance.y), hypot(w->walk->advance.x, w->walk->advance.y), 1e-12);
  CHECK(memcmp(out->contact, target.contact, (size_t)(37 * target.n_points)) == 0);
}

/* ---- velocity ---- */

static void test_velocity(const struct world *w)
{
  struct rhythm own = rhythm_of_clip(w->walk);
  struct clip *out = warp_rhythm(w->arena, w->c, w->walk, &own);
  int n = out->n_frames, dofs = w->c->n_dofs;
  warp_velocity(out, 1.25, 0.5);
  CHECK_NEAR(out->advance.x / (n * out->dt), 1.25 * cos(0.5), 1e-12);
  CHECK_NEAR(out->advance.y / (n * out->dt), 1.25 * sin(0.5), 1e-12);
  CHECK_NEAR(out->advance.yaw, 0, 0);
  for (int k = 0; k < n; k++) { /* the sway about even progress is the old one */
    const double *x = out->q + k * dofs, *y = w->walk->q + k * dofs;
    CHECK_NEAR(x[0] - out->advance.x * k / n, y[0] - w->walk->q[0] - w->walk->advance.x * k / n, 1e-12);
    CHECK_NEAR(x[1] - out->advance.y * k / n, y[1] - w->walk->q[1] - w->walk->advance.y * k / n, 1e-12);
    CHECK_NEAR(x[3], y[3], 1e-12);
  }
}

/* A cycle that walks evenly round a circle has no sway: made straight, it is even. */
static void test_circling(const struct world *w)
{
  struct clip *clip = clip_new(w->arena, w->c, 24, 0.02);
  clip->cyclic = 1;
  for (int k = 0; k < 24; k++) {
    double angle = 0.05 * k, *q = clip->q + k * w->c->n_dofs;
    q[0] = 5 + 2 * sin(angle), q[1] = 7 - 2 * cos(angle), q[3] = angle;
  }
  double end = 24 * 0.05; /* about the centre (5, 7) */
  clip->advance = (struct clip_advance){5 - (cos(end) * 5 - sin(end) * 7), 7 - (sin(end) * 5 + cos(end) * 7), end};
  warp_velocity(clip, 1, 0);
  for (int k = 0; k < 24; k++) {
    CHECK_NEAR(clip->q[k * w->c->n_dofs], 0.02 * k, 1e-9);
    CHECK_NEAR(clip->q[k * w->c->n_dofs + 1], 0, 1e-9);
    CHECK_NEAR(clip->q[k * w->c->n_dofs + 3], 0, 1e-9);
  }
}

/* ---- bends ---- */

/* Frames 2 .. n - 3 of an even straight path lie on a circle, evenly. */
static void test_circle(const struct world *w)
{
  enum { FRAMES = 43 };
  struct path *p = path_new(w->arena, w->c, FRAMES, 0.02);
  double share[FRAMES], turn = 2.2, step = 0.03;
  for (int k = 0; k < FRAMES; k++)
    path_pose(p, k)[0] = step * k;
  warp_share_circular(w->c, p, share);
  warp_turn(p, turn, share);
  double per_frame = turn / (FRAMES - 3), radius = 0.5 * step / sin(0.5 * per_frame);
  double centre[2] = {step, radius}; /* straight up to frame 1 */
  for (int k = 1; k <= FRAMES - 2; k++) {
    const double *q = path_pose(p, k);
    CHECK_NEAR(hypot(q[0] - centre[0], q[1] - centre[1]), radius, 1e-12);
    CHECK_NEAR(p->heading[k], per_frame * (k - 1), 1e-12);
    CHECK_NEAR(q[3], p->heading[k], 1e-12);
  }
  CHECK_NEAR(p->heading[FRAMES - 1], turn, 1e-12);
}

/* What belongs to other clips stays as it is, and a bend can be taken off again. */
static void test_bend(const struct world *w)
{
  int n = 60;
  struct path *p = path_of_clip(w->arena, w->c, w->walk, 3, n), *was = path_of_clip(w->arena, w->c, w->walk, 3, n);
  double *share = ARENA_NEW(w->arena, (size_t)n, double);
  for (int smooth = 0; smooth < 2; smooth++) {
    if (smooth)
      warp_share_smooth(p, share);
    else
      warp_share_circular(w->c, p, share);
    for (int k = 1; k < n; k++)
      CHECK(share[k] >= share[k - 1] && share[k] <= 1);
    warp_turn(p, -1.3, share);
    CHECK_NEAR(p->heading[n - 1], -1.3, 1e-12);
    struct clip *clip = path_to_clip(w->arena, w->c, p);
    CHECK_NEAR(clip->turn, -1.3, 1e-12);
    CHECK_NEAR(verify_junction(w->c, clip, 0, w->walk, 3), 0, 1e-12);
    CHECK_NEAR(verify_junction(w->c, clip, 1, w->walk, 3 + n - 2), 0, 1e-12);
    CHECK(verify_junction(w->c, clip, 1, w->walk, 3 + n - 3) > 1e-3);
    warp_straight(p);
    for (int i = 0; i < n * w->c->n_dofs; i++)
      CHECK_NEAR(p->q[i], was->q[i], 1e-12);
  }
  path_carry(p, (struct clip_advance){1, 2, pi / 2});
  CHECK_NEAR(path_ground(p, 0).yaw, pi / 2, 1e-12);
  path_go_home(p);
  CHECK_NEAR(path_ground(p, 0).x, 0, 1e-12);
  CHECK_NEAR(path_ground(p, 0).yaw, 0, 1e-12);
}

int main(void)
{
  struct world w = new_world();
  test_counting(&w);
  test_times(&w);
  test_edges(&w);
  test_rotation(&w);
  test_identity(&w);
  test_weights(&w);
  test_velocity(&w);
  test_circling(&w);
  test_circle(&w);
  test_bend(&w);
  arena_free(w.arena);
  return test_finish();
}

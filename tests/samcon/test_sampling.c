/* Covariances that adapt, costs of states, motions laid on slopes and given to other creatures. */
#include <stdlib.h>

#include "base/matrices.h"
#include "base/rng.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "samcon/cma.h"
#include "follow/cost.h"
#include "follow/retarget.h"
#include "follow/subject.h"
#include "samcon/track_trials.h"
#include "follow/walk.h"

/* ---- CMA-ES ---- */

#define N 6
#define DRAWN 24
#define KEPT 12

static double bent_valley(const double *x)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += pow(100, (double)i / (N - 1)) * (x[i] - 0.3 * i) * (x[i] - 0.3 * i);
  return sum;
}

struct candidate { double x[N], cost; };

static int by_cost(const void *a, const void *b)
{
  const struct candidate *p = a, *q = b;
  return p->cost < q->cost ? -1 : p->cost > q->cost;
}

/* It finds the minimum of an ellipsoid of condition 100, and its covariance becomes the inverse of the curvature. */
static void test_cma(void)
{
  struct arena *arena = arena_new();
  struct rng rng = rng_stream(8, 1);
  struct cma c;
  struct candidate all[DRAWN];
  const double *best[KEPT];
  double L[N * N];
  cma_init(arena, &c, N, 0.5, NULL);
  for (int round = 0; round < 150; round++) {
    CHECK(cma_lower(&c, L));
    for (int i = 0; i < DRAWN; i++) {
      for (int k = 0; k < N; k++)
        all[i].x[k] = rng_normal(&rng);
      matrices_lower_apply(N, L, all[i].x);
      for (int k = 0; k < N; k++)
        all[i].x[k] += c.mean[k];
      all[i].cost = bent_valley(all[i].x);
    }
    qsort(all, DRAWN, sizeof *all, by_cost);
    for (int i = 0; i < KEPT; i++)
      best[i] = all[i].x;
    cma_update(&c, KEPT, best, DRAWN);
  }
  CHECK(bent_valley(c.mean) < 1e-12);
  CHECK(c.sigma < 1e-4);
  CHECK(c.C[0] > 20 * c.C[N * N - 1]); /* 100 in the end */
  arena_free(arena);
}

/* ---- costs ---- */

static void test_costs(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = w->creature;
  const struct reference *r = subject_clip(arena, &w->in, 0, 1, NULL, &d);
  struct costs *k = costs_new(arena, c, NULL);
  int n = c->n_dofs, knee = creature_find_dof(c, "left_shank.flexion");
  double q[64], v[64];
  const double *q_ref = r->q + 10 * n, *v_ref = r->v + 10 * n;
  struct cost_terms t = costs_of(k, q_ref, v_ref, q_ref, v_ref, 0);
  CHECK_NEAR(t.total, 0, 1e-12);
  memcpy(q, q_ref, (size_t)n * sizeof *q);
  memcpy(v, v_ref, (size_t)n * sizeof *v);
  q[0] += 2; /* where it is on the ground does not count */
  q[1] -= 1;
  t = costs_of(k, q, v, q_ref, v_ref, 0);
  CHECK_NEAR(t.total, 0, 1e-12);
  q[knee] += 0.2;
  t = costs_of(k, q, v, q_ref, v_ref, 0);
  CHECK_NEAR(t.pose, 0.2 / 5, 1e-9); /* one of five joints: torso, thighs, shanks */
  CHECK_NEAR(t.root, 0, 1e-12);
  CHECK(t.ends > 0 && t.balance > 0);
  CHECK_NEAR(t.total, 8 * t.pose + 5 * t.root + 20 * t.ends + 20 * t.balance, 1e-9);
  q[knee] -= 0.2;
  q[2] += 0.1 * c->height; /* higher by a tenth: so are both feet, and nothing else is different */
  t = costs_of(k, q, v, q_ref, v_ref, 0);
  CHECK_NEAR(t.ends, 0.1, 1e-9);
  CHECK_NEAR(t.pose + t.root + t.balance, 0, 1e-9);
  t = costs_of(k, q, v, q_ref, v_ref, 0.1 * c->height); /* so is the ground */
  CHECK_NEAR(t.total, 0, 1e-9);
  q[5] += 0.3;
  CHECK_NEAR(cost_root_angle(c, q, q_ref), 0.3, 1e-9);
  arena_free(arena);
}

/* ---- another ground, another creature ---- */

static void place(const struct creature *c, const double *q, int p, double *at)
{
  struct arena *arena = arena_new();
  struct dynamics *d = dynamics_new(arena, c);
  dynamics_kinematics(d, q);
  dynamics_point(d, c->points[p].body, c->points[p].at, at);
  arena_free(arena);
}

static void test_slope(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  double slope = 0.09, at[3], was[3];
  const struct reference *level = subject_clip(arena, &w->in, 0, 2, NULL, &d);
  struct reference *laid = subject_clip(arena, &w->in, 0, 2, NULL, &d);
  reference_lay(laid, slope);
  for (int k = 0; k < 100; k += 9)
    for (int p = 0; p < w->creature->n_points; p++) {
      place(w->creature, level->q + k * level->n_dofs, p, was);
      place(w->creature, laid->q + k * laid->n_dofs, p, at);
      CHECK_NEAR(at[2] - at[0] * tan(slope), was[2], 0.015 * w->creature->height);
      CHECK_NEAR(at[0], was[0], 0.01 * w->creature->height);
    }
  CHECK_INT(laid->n_models, level->n_models); /* it goes straight on */
  CHECK_INT(laid->n_windows, level->n_windows);
  arena_free(arena);
}

/* To itself, nothing changes; to itself twice as large, lengths and times do. */
static void test_retarget(const struct walk *w)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct clip *clip = w->clips[0].clip, *same = retarget_clip(arena, w->creature, w->creature, clip, &d);
  for (int i = 0; i < 62 * clip->n_dofs; i++)
    CHECK_NEAR(same->q[i], clip->q[i], 1e-9);
  CHECK(!memcmp(same->force, clip->force, 62 * 6 * sizeof(double)));
  static const char large[] =
      "name = large\n"
      "limb pelvis { from = {0, -0.06, 0.02}  to = {0, 0.06, 0.02}  radius = 0.11 mass = 10 }\n"
      "limb thigh { parent = pelvis  mirror = true  at = {0, 0.096, 0}  to = {0, 0, -0.446}  radius = 0.08 mass = 5\n"
      "  axis flexion { about = -y  range = {-40, 120}  rest = 20 }  axis abduction { about = x range = {-25, 45} rest "
      "= 1 }\n"
      "  axis rotation { about = z range = {-40, 40} } }\n"
      "limb shank { parent = thigh to = {0, 0, -0.518} radius = 0.05 mass = 2 axis flexion { about = y range = {0, "
      "140} rest = 35 } }\n"
      "foot tip { limb = shank }\n"
      "gait walk { period = 1  speed = {0.5, 1}  contact tip { on = {0, 0.6} } }\n";
  const struct creature *c = creature_parse(arena, "large.creature", large, strlen(large), &d);
  CHECK(c != NULL);
  struct clip *out = c ? retarget_clip(arena, w->creature, c, clip, &d) : NULL;
  CHECK(out != NULL);
  if (out) {
    double L = c->height / w->creature->height, at[3], was[3];
    CHECK_NEAR(out->dt, clip->dt * sqrt(L), 1e-12);
    CHECK_NEAR(out->advance.x, clip->advance.x * L, 1e-12);
    place(w->creature, clip->q, 0, was);
    place(c, out->q, 0, at);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(at[k], L * was[k], 0.01 * c->height);
  }
  arena_free(arena);
}

static int same_result(const struct recording *a, const struct recording *b)
{
  const struct follow_motion *m = a->motion, *n = b->motion;
  size_t numbers = (size_t)(m->n_frames * m->n_dofs) * sizeof(double), windows = (size_t)a->reference->n_windows;
  return m->n_frames == n->n_frames && a->trials == b->trials && a->samples == b->samples &&
         !memcmp(a->offsets, b->offsets, windows * (size_t)(m->n_dofs - CREATURE_ROOT_DOFS) * sizeof(double)) &&
         !memcmp(m->q, n->q, numbers) && !memcmp(m->v, n->v, numbers) && !memcmp(m->torque, n->torque, numbers);
}

/* Improved sampling is guided sampling that is tried again and again: no costlier in the end, and the same for one, two
 * and five workers, bit for bit; without a guide too, where saved states are many and batches small. */
static void test_improved(const struct walk *w, int guided)
{
  static const int workers[] = {1, 1, 2, 5};
  struct arena *arena = arena_new();
  struct diag d;
  struct track_options o;
  diag_init(&d);
  struct reference_options ro = {0};
  const struct reference *r = subject_clip(arena, &w->in, 0, 1, &ro, &d);
  const struct recording *t[4] = {NULL};
  for (int i = guided ? 0 : 1; i < 4; i++) {
    track_defaults(w->creature, i ? TRACK_IMPROVED : TRACK_SAMCON, guided, &o);
    o.samples = guided ? 12 : 20;
    o.saved = 4;
    o.sliding = 3;
    o.trials_least = 2;
    o.trials_most = 4;
    o.identify.samples = 100;
    o.workers = workers[i];
    o.seed = 3;
    t[i] = track(arena, r, &o, &d);
    CHECK(t[i] && (!guided || t[i]->judgement.success));
  }
  CHECK(!guided || t[1]->cost.total < t[0]->cost.total);
  CHECK(same_result(t[1], t[2]));
  CHECK(same_result(t[1], t[3]));
  o.seed = 4; /* and the comparison can fail */
  CHECK(!same_result(t[1], track(arena, r, &o, &d)));
  arena_free(arena);
}

/* What many runs come to: medians, means, the most frequent fault; a crash is no success. */
static void test_trials(void)
{
  struct track_trial_answer a[] = {{.success = 1, .until = 4, .course = 0.1, .trials = 10, .trials_good = 9},
                                   {.until = 1, .course = 0.5, .trials = 20, .trials_good = 3, .fault = "tilt"},
                                   {.until = 2, .course = 0.3, .trials = 30, .fault = "height"},
                                   {.until = 3, .course = 0.2, .fault = "tilt"}};
  struct track_trial_summary s;
  track_trials_summarize(4, a, &s);
  CHECK_INT(s.good, 1);
  CHECK_NEAR(s.median.until, 2.5, 0);
  CHECK_NEAR(s.mean.until, 2.5, 1e-15);
  CHECK_NEAR(s.median.course, 0.25, 1e-15);
  CHECK_NEAR(s.mean.trials, 60, 0);
  CHECK_NEAR(s.mean.trials_good, 12, 0);
  CHECK_STR(s.fault, "tilt");
  track_trials_summarize(3, a, &s);
  CHECK_NEAR(s.median.until, 2, 0);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  if (!walk_make(arena, 0, &w))
    return 99;
  test_cma();
  test_costs(&w);
  test_slope(&w);
  test_retarget(&w);
  test_improved(&w, 1);
  test_improved(&w, 0);
  arena_free(arena);
  test_trials();
  return test_finish();
}

/* The control graph and its policies: fragments that fit, values that end where they should, mirror images, records. */
#define _DEFAULT_SOURCE 1       /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "check.h"
#include "control/distill.h"
#include "control/guided.h"
#include "control/lookahead_distillation.h"
#include "control/path.h"
#include "control/record.h"
#include "control/runner.h"
#include "control/short_gains.h"
#include "control/lqr_teacher.h"
#include "motion/ground.h"
#include "follow/errors.h"
#include "follow/walk.h"

struct stage {
  struct arena *arena;
  struct walk walk;
  const struct motion_graph *motion;
  const struct control_graph *graph;
  struct controls *controls;
  struct diag d;
};

static int choose_by_chance(void *user, int node, double heading)
{
  struct stage *s = user;
  static struct rng rng = {1};
  int first = s->motion->first_segment[node];
  (void)heading;
  return first + rng_below(&rng, s->motion->first_segment[node + 1] - first);
}

/* ---- the graph ---- */

/* Fragments cover each clip without gaps, and each begins where the one before it ends. */
static void test_fragments(struct stage *s)
{
  const struct control_graph *g = s->graph;
  int nodes = 0;
  CHECK(g->n_strips == 2 && g->strips[0].n >= 6 && g->strips[1].n >= 6);
  for (int i = 0; i < g->n_strips; i++) {
    const struct control_strip *t = &g->strips[i];
    CHECK_INT(g->fragments[t->first].from, 0);
    CHECK_INT(g->fragments[t->first + t->n - 1].until, t->n_frames);
    for (int k = t->first; k < t->first + t->n; k++) {
      const struct control_fragment *f = &g->fragments[k];
      CHECK(f->until > f->from && f->strip == i && (f->until - f->from) * g->dt < 0.2);
      CHECK(k == t->first || f->from == g->fragments[k - 1].until);
      CHECK(control_graph_at(g, i, f->from) == k);
      nodes += f->node >= 0;
      if (f->mirror >= 0)
        CHECK_INT(g->fragments[f->mirror].mirror, k);
    }
  }
  CHECK_INT(nodes, s->motion->n_nodes);
}

/* On a path over all clips, a fragment ends in the pose and with the speeds in which the next begins. */
static void test_path(struct stage *s)
{
  const struct control_graph *g = s->graph;
  struct control_path p;
  int n = g->creature->n_dofs, seen[2] = {0, 0}, start = g->strips[0].first;
  double x[2 * n], q[n], v[n], travelled = 0;
  path_start(g, start, 1, 2, 0.3, &p);
  for (int i = 0; i < 200; i++) {
    const struct control_fragment *f = &g->fragments[p.fragment];
    struct clip_advance place = p.place;
    seen[f->strip]++;
    memcpy(q, control_graph_q(g, f->strip, f->until), sizeof q);
    memcpy(v, control_graph_v(g, f->strip, f->until), sizeof v);
    clip_move_pose(place, q);
    double vx = v[0], vy = v[1];
    v[0] = cos(place.yaw) * vx - sin(place.yaw) * vy;
    v[1] = sin(place.yaw) * vx + cos(place.yaw) * vy;
    path_next(g, &p, choose_by_chance, s);
    const struct control_fragment *next = &g->fragments[p.fragment];
    path_errors(g, &p, q, v, x);
    for (int k = 0; k < 2 * n; k++)
      CHECK_NEAR(x[k], 0, 1e-9);
    body_errors(g, next->strip, next->from, p.place, q, v, x); /* the same pose, and but for accelerations that jump,
                                                                  speeds */
    for (int k = 0; k < 2 * n; k++)
      CHECK_NEAR(x[k], 0, k >= n && f->strip == 1 && f->until == g->strips[1].n_frames ? 0.7 : 1e-5);
    travelled += hypot(p.place.x, p.place.y) > 0;
  }
  CHECK(seen[0] > 20 && seen[1] > 20 && travelled > 0);
  struct control_path moved = p;
  const struct control_fragment *f = &g->fragments[p.fragment];
  path_shift(g, &moved, 0.5, -0.25, 0.7);
  CHECK_NEAR(ground_wrap(path_heading(g, &moved) - path_heading(g, &p)), 0.7, 1e-12);
  memcpy(q, control_graph_q(g, f->strip, f->from), sizeof q);
  clip_move_pose(moved.place, q);
  memcpy(v, control_graph_q(g, f->strip, f->from), sizeof v);
  clip_move_pose(p.place, v);
  CHECK_NEAR(q[0] - v[0], 0.5, 1e-9);
  CHECK_NEAR(q[1] - v[1], -0.25, 1e-9);
}

/* ---- the teacher ---- */

/* A cycle's gains are those of the same windows gone through once, when that ends in the cycle's own value. */
static void test_end_value(struct stage *s)
{
  const struct control_strip *t = &s->graph->strips[0];
  struct rollout_options ro;
  struct identify_options o;
  struct feedback_weights weights;
  rollout_defaults(s->walk.creature, &ro);
  ro.world.engine = WORLD_TREE;
  ro.world.step = s->graph->step;
  identify_defaults(&o);
  feedback_weights_defaults(&weights);
  struct batches *batches = batches_open(s->arena, t->reference, &ro, 1, &s->d);
  const struct window_model *const *models = identify_windows(s->arena, batches, t->reference, &o, &s->d);
  struct window_gain cycle[t->n + 1], once[t->n + 1], none[t->n + 1];
  struct feedback_problem f = {.n = t->n, .cycle = 0, .which = t->reference->model, .models = models,
                               .weights = &weights,
                               .creature = s->walk.creature};
  CHECK(feedback_solve(s->arena, &f, cycle));
  f.cycle = f.n;
  CHECK(feedback_solve(s->arena, &f, none));
  f.end = &cycle[0];
  CHECK(feedback_solve(s->arena, &f, once));
  int m = 2 * s->walk.creature->n_dofs;
  double largest = 0, apart = 0;
  for (int i = 0; i < m * m; i++) {
    largest = fmax(largest, fabs(cycle[0].P[i]));
    apart = fmax(apart, fabs(none[0].P[i] - cycle[0].P[i]));
  }
  for (int i = 0; i < m * m; i++)
    CHECK_NEAR(once[0].P[i], cycle[0].P[i], 1e-5 * largest);
  CHECK(apart > 1e-3 * largest); /* without it they are others */
  batches_close(batches);
}

/* ---- policies ---- */

static void random_errors(struct stage *s, uint64_t seed, double size, double *x)
{
  struct rng rng = rng_stream(seed, 5);
  int m = 2 * s->walk.creature->n_dofs;
  for (int i = 0; i < m; i++)
    x[i] = size * rng_normal(&rng);
}

static void mirror_errors(const struct creature *c, const double *x, double *out)
{
  static const double sign[CREATURE_ROOT_DOFS] = {1, -1, 1, -1, 1, -1};
  int n = c->n_dofs;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < n; i++)
      out[half * n + i] = i < CREATURE_ROOT_DOFS ? sign[i] * x[half * n + i]
                                                 : c->dofs[i].mirror_sign * x[half * n + c->dofs[i].mirror];
}

/* What a policy says of a state is, in the mirror, what its mirror image says of the mirrored state. */
static void test_mirror(struct stage *s)
{
  const struct control_graph *g = s->graph;
  const struct creature *c = g->creature;
  int n = c->n_dofs;
  double x[2 * n], y[2 * n], q[n], v[n], u[n], w[n], largest = 0;
  s->controls->kind = CONTROL_COMPACT;
  for (int i = g->strips[0].first; i < g->strips[0].first + g->strips[0].n; i++) {
    const struct control_fragment *f = &g->fragments[i], *m = &g->fragments[f->mirror];
    CHECK(f->mirror >= 0); /* the walk is its own mirror image */
    if (f->mirror < 0)
      return;
    random_errors(s, (uint64_t)i, 0.03, x);
    mirror_errors(c, x, y);
    errors_apply(c, x, control_graph_q(g, f->strip, f->from), control_graph_v(g, f->strip, f->from), q, v);
    controls_act(s->controls, i, q, v, x, u);
    errors_apply(c, y, control_graph_q(g, m->strip, m->from), control_graph_v(g, m->strip, m->from), q, v);
    controls_act(s->controls, f->mirror, q, v, y, w);
    for (int k = CREATURE_ROOT_DOFS; k < n; k++) {
      double seen = c->dofs[k].mirror_sign * u[c->dofs[k].mirror - CREATURE_ROOT_DOFS];
      CHECK_NEAR(w[k - CREATURE_ROOT_DOFS], seen, 1e-3); /* the clip is its own mirror image to 1e-3 or so */
      largest = fmax(largest, fabs(seen));
    }
  }
  CHECK(largest > 0.02);
  s->controls->kind = CONTROL_FULL;
}

/* Joints that carry weight: all of the biped's legs, and the waist. */
static void test_features(struct stage *s)
{
  struct features *f = s->controls->features;
  const int *dofs = features_action_dofs(f);
  CHECK_INT(features_count(f), 12 + 3 * 2 + 3);
  CHECK_INT(features_actions(f), 10);
  for (int i = 1; i < features_actions(f); i++)
    CHECK(dofs[i] > dofs[i - 1] && dofs[i] >= CREATURE_ROOT_DOFS);
  CHECK_STR(features_name(f, s->arena, 1), "roll");
  CHECK_STR(features_name(f, s->arena, 20), "place y");
  /* turning and moving the creature changes nothing that it sees */
  int n = s->walk.creature->n_dofs, m = features_count(f);
  double q[n], v[n], a[m], b[m];
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  memcpy(q, control_graph_q(s->graph, 0, 3), sizeof q);
  memcpy(v, control_graph_v(s->graph, 0, 3), sizeof v);
  features_of_state(f, q, v, a);
  clip_move_pose((struct clip_advance){3, -1, 1.1}, q);
  double vx = v[0], vy = v[1];
  v[0] = cos(1.1) * vx - sin(1.1) * vy;
  v[1] = sin(1.1) * vx + cos(1.1) * vy;
  features_of_state(f, q, v, b);
  for (int i = 0; i < m - 3; i++)
    CHECK_NEAR(b[i], a[i], 1e-9);
}

/* ---- records ---- */

static void test_record(struct stage *s)
{
  size_t n, m;
  const unsigned char *bytes = controls_write(s->arena, s->controls, &n);
  struct controls *back = controls_read(s->arena, s->graph, bytes, n, &s->d);
  CHECK(back && s->d.n_errors == 0);
  const unsigned char *again = back ? controls_write(s->arena, back, &m) : NULL;
  CHECK(again && n == m && !memcmp(bytes, again, n));
  CHECK(!controls_read(s->arena, s->graph, bytes, n - 8, &s->d) && s->d.n_errors == 1);
  unsigned char *harmed = memcpy(arena_alloc(s->arena, n, 1), bytes, n);
  harmed[8 * 5] ^= 1; /* another graph */
  CHECK(!controls_read(s->arena, s->graph, harmed, n, &s->d) && s->d.n_errors == 2);
  diag_clear(&s->d);
  diag_init(&s->d);
}

/* The short form: a sixth as long, as the walk's second half is the first one in a mirror (0.19 without); gains and
 * values agree to 16 bits and the mirror's tolerance; what was read is written again as the same bytes; cut short or
 * with another head it is refused. */
static void test_record_short(struct stage *s)
{
  size_t n, whole, m = 2 * (size_t)s->graph->creature->n_dofs, r = m / 2 - CREATURE_ROOT_DOFS;
  const unsigned char *bytes = controls_write_short(s->arena, s->controls, &n);
  controls_write(s->arena, s->controls, &whole);
  struct controls *back = controls_read(s->arena, s->graph, bytes, n, &s->d);
  CHECK(n < 0.17 * (double)whole && back && s->d.n_errors == 0);
  for (int i = 0; back && i < s->graph->n_fragments; i++)
    CHECK(short_gain_difference(&s->controls->gains[i], &back->gains[i], m, r) <= 1e-3);
  size_t again;
  const unsigned char *same = back ? controls_write_short(s->arena, back, &again) : NULL;
  CHECK(same && again == n && !memcmp(same, bytes, n));
  CHECK(!controls_read(s->arena, s->graph, bytes, n - 4, &s->d) && s->d.n_errors == 1);
  CHECK(!controls_read(s->arena, s->graph, bytes, 8 * 9, &s->d) && s->d.n_errors == 2);
  diag_clear(&s->d);
  diag_init(&s->d);
}

/* Marks of the head that cannot be: neither 0 nor 1, or no policy of the kind that drives. Any of them is refused, and
 * so is the whole cut short anywhere. */
static void test_record_damage(struct stage *s)
{
  static const double marks[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 1}, {2, 1, 0}, {1, NAN, 0}, {1, 1, 0.5}};
  size_t n;
  const unsigned char *bytes = controls_write(s->arena, s->controls, &n);
  unsigned char *harmed = malloc(n);
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    struct bytes_writer w = {memcpy(harmed, bytes, n), 8 * 6};
    bytes_put_reals(&w, marks[i], 3);
    CHECK(!controls_read(s->arena, s->graph, harmed, n, &s->d));
    CHECK(!controls_read(s->arena, s->graph, harmed, 8 * 9, &s->d)); /* what a graph without policies would have */
  }
  for (size_t length = 0; length < 800; length++)
    CHECK(!controls_read(s->arena, s->graph, memcpy(harmed, bytes, length), length, &s->d));
  free(harmed);
  diag_clear(&s->d);
  diag_init(&s->d);
}

static void put_controls(struct bytes_writer *w, const void *what)
{
  controls_put(w, what);
}

/* With creature and clips: what is read is the same again; damaged, it is refused or read, and nothing crashes. */
static void test_record_whole(struct stage *s)
{
  size_t n, again;
  const unsigned char *bytes = bytes_pack(s->arena, put_controls, s->controls, &n);
  struct bytes_reader b = {.at = bytes, .left = n, .arena = s->arena};
  const struct controls *back = controls_get(&b, &s->d);
  CHECK(back && !b.bad && b.left == 0);
  const void *twice = back ? bytes_pack(s->arena, put_controls, back, &again) : NULL;
  CHECK(twice && again == n && !memcmp(bytes, twice, n));
  struct rng rng = rng_stream(3, 1);
  int refused = 0;
  for (int i = 0; i < 300; i++) {
    struct arena *arena = arena_new();
    size_t length = i % 3 ? n : (size_t)rng_below(&rng, (int)n);
    unsigned char *copy = memcpy(malloc(n), bytes, n);
    copy[rng_below(&rng, i % 2 ? (int)n : 4000)] ^= (unsigned char)(1 + rng_below(&rng, 255));
    b = (struct bytes_reader){.at = copy, .left = length, .arena = arena};
    int read = controls_get(&b, &s->d) != NULL;
    CHECK(length == n || !read);
    refused += !read;
    free(copy);
    arena_free(arena);
  }
  CHECK(refused > 20);
  diag_clear(&s->d);
  diag_init(&s->d);
}

/* ---- guided learning ---- */

/* The same policies for one worker and two; a second iteration differs from the first. */
static void test_guided(struct stage *s)
{
  struct guided_options o;
  struct guided_report report[2];
  struct controls c[2] = {*s->controls, *s->controls};
  guided_defaults(s->walk.creature, &o);
  o.samples_first = o.samples = 16;
  o.saved = 4;
  o.visits = 12;
  o.walks = 2;
  for (int i = 0; i < 2; i++) {
    c[i].compact = NULL;
    o.workers = i + 1;
    CHECK(guided_iterate(s->arena, &c[i], 0, &o, &report[i], &s->d));
    CHECK(report[i].samples > 500 && report[i].residual >= 0 && report[i].residual <= 1.5 && report[i].success <= 1);
  }
  size_t n = (size_t)(features_count(c[0].features) * features_actions(c[0].features)), same = 0;
  for (int i = 0; i < s->graph->n_fragments; i++)
    same += !memcmp(c[0].compact[i].M, c[1].compact[i].M, n * sizeof(double));
  CHECK_INT(same, s->graph->n_fragments);
  CHECK_INT(report[0].samples, report[1].samples);
}

/* What looking ahead does: the same policies for one worker and three, other ones than before, and they explain it; an
 * iteration that begins with what was written down comes to the same. */
static void test_imitation(struct stage *s)
{
  struct lookahead_options o;
  struct lookahead_report report[3];
  const void *bytes[3], *before = NULL;
  size_t n[3], n_before = 0;
  lookahead_defaults(s->walk.creature, &o);
  o.visits = 30;
  o.walks = 3;
  const void *start = controls_write(s->arena, s->controls, &n_before);
  for (int i = 0; i < 3; i++) {
    struct controls *c = controls_read(s->arena, s->graph, i < 2 ? start : before, n_before, &s->d);
    o.workers = i < 2 ? 2 * i + 1 : 1;
    CHECK(c && (i == 2 || lookahead_iterate(s->arena, c, 0, &o, &report[i], &s->d)));
    before = controls_write(s->arena, c, &n_before);
    CHECK(lookahead_iterate(s->arena, c, 1, &o, &report[i], &s->d));
    CHECK(report[i].residual >= 0 && report[i].residual < 0.9 && report[i].success > 0.5 && report[i].success <= 1);
    CHECK_INT(c->kind, s->controls->kind);
    bytes[i] = controls_write(s->arena, c, &n[i]);
    CHECK(n[i] == n[0] && !memcmp(bytes[i], bytes[0], n[0]) && memcmp(bytes[i], start, n[0]));
  }
}

/* Feedback and open-loop controls of strips, kept for comparison. */
static double *copy_strips(struct stage *s, const struct controls *c, int cyclic, size_t *n)
{
  size_t m = (size_t)features_actions(c->features), each = m * (size_t)features_count(c->features) + m;
  double *out = ARENA_NEW(s->arena, (size_t)s->graph->n_fragments * each, double);
  *n = 0;
  for (int i = 0; i < s->graph->n_fragments; i++)
    if (s->graph->strips[s->graph->fragments[i].strip].clip->cyclic == cyclic) {
      memcpy(out + *n, c->compact[i].M, (each - m) * sizeof *out);
      memcpy(out + *n + each - m, c->compact[i].offset, m * sizeof *out);
      *n += each;
    }
  return out;
}

static int any(const double *x, size_t n)
{
  size_t i = 0;
  while (i < n && x[i] == 0)
    i++;
  return i < n;
}

/* Progressive learning: first cycles only, open-loop controls before feedback. */
static void test_cycles_first(struct stage *s, const struct guided_options *o)
{
  struct guided_report report;
  struct controls c = *s->controls;
  size_t n, feedback = (size_t)(features_actions(c.features) * features_count(c.features));
  c.compact = NULL;
  CHECK(guided_iterate(s->arena, &c, 0, o, &report, &s->d));
  CHECK(!any(c.compact[0].M, feedback) && any(c.compact[0].offset, (size_t)features_actions(c.features)));
  CHECK(guided_iterate(s->arena, &c, 1, o, &report, &s->d));
  const double *transitions = copy_strips(s, &c, 0, &n);
  int learned = 0; /* of so few samples, not every fragment learns some */
  for (int i = 0; i < s->graph->n_fragments; i++)
    learned += any(c.compact[i].M, feedback);
  CHECK(learned > 0 && n > 0 && !any(transitions, n));
}

/* Then transitions only, cycles staying as they are (here: distilled). Written down and read before, it is the same. */
static void test_transitions_then(struct stage *s, const struct guided_options *o)
{
  struct guided_report report;
  size_t n, m, bytes;
  const void *kept = controls_write(s->arena, s->controls, &bytes);
  const double *cycles = copy_strips(s, s->controls, 1, &n), *before = copy_strips(s, s->controls, 0, &m), *after[2];
  for (int i = 0; i < 2; i++) {
    struct controls *c = controls_read(s->arena, s->graph, kept, bytes, &s->d);
    CHECK(c && guided_iterate(s->arena, c, 2, o, &report, &s->d));
    CHECK(report.least > features_count(c->features));
    CHECK(!memcmp(cycles, copy_strips(s, c, 1, &n), n * sizeof *cycles));
    after[i] = copy_strips(s, c, 0, &m);
  }
  CHECK(memcmp(before, after[0], m * sizeof *before) && !memcmp(after[0], after[1], m * sizeof *before));
}

static void test_progressive(struct stage *s)
{
  struct guided_options o;
  guided_defaults(s->walk.creature, &o);
  o.samples_first = o.samples = 40;
  o.saved = 4;
  o.visits = 30;
  o.walks = 2;
  o.refine = 1;
  o.cycles_first = 2;
  test_cycles_first(s, &o);
  test_transitions_then(s, &o);
}

/* ---- jobs ---- */

static int *crashes;            /* so many of job 1 are still to come; in memory that all processes share */

/* Answers with twice its number. Job 1 may crash, job 2 may say that it failed. */
static void run_job(const struct controls *c, const void *options, const void *in, size_t n, struct farm_reply *out)
{
  int number = 0, fails = *(const int *)options;
  memcpy(&number, in, n);
  if (number == 1 && (*crashes)-- > 0)
    abort();
  if (number == 2 && fails)
    farm_reply_fail(out, "job of %d fragments", c->graph->n_fragments);
  number *= 2;
  farm_reply_write(out, &number, sizeof number);
}

/* A worker that dies costs an attempt; what kills three is an error, and so is a job that says that it failed. */
static void test_crash(struct stage *s)
{
  static const struct control_jobs_kind kind = {"doubles", sizeof(int), run_job};
  const int numbers[3] = {0, 1, 2};
  crashes = mmap(NULL, sizeof *crashes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(crashes != MAP_FAILED);
  for (int dying = 0; dying < 4; dying++) {
    int fails = 0;
    struct control_jobs jobs = {.kind = &kind, .controls = s->controls, .options = &fails, .workers = 2};
    *crashes = dying;
    const struct control_jobs_result *r = control_jobs_run(s->arena, &jobs, 3, numbers, sizeof *numbers, &s->d);
    CHECK((r != NULL) == (dying < 3) && s->d.n_errors == (dying == 3));
    for (int i = 0; r && i < 3; i++)
      CHECK(r[i].n == sizeof(int) && *(const int *)r[i].bytes == 2 * i);
    fails = 1;
    *crashes = 0;
    CHECK(!control_jobs_run(s->arena, &jobs, 3, numbers, sizeof *numbers, &s->d));
    diag_clear(&s->d);
    diag_init(&s->d);
  }
  munmap(crashes, sizeof *crashes);
}

/* A graph of the first n clips, with both kinds of policies. 0 after an error. */
static int prepare(struct stage *s, int n)
{
  struct lqr_teacher_options o;
  struct distill_options distilling;
  s->walk.in.n_clips = n;
  s->motion = graph_new(s->arena, &s->walk.in, &s->d);
  s->graph = s->motion ? control_graph_new(s->arena, s->motion, 0, &s->d) : NULL;
  CHECK(s->graph != NULL);
  if (!s->graph)
    return 0;
  lqr_teacher_defaults(s->walk.creature, &o);
  distill_defaults(&distilling);
  distilling.samples = 40;
  const struct lqr_teacher *t = lqr_teacher_learn(s->arena, s->graph, &o, &s->d);
  CHECK(t != NULL);
  s->controls = controls_new(s->arena, s->graph);
  s->controls->gains = t ? t->gains : NULL;
  double left = t ? distill(s->arena, s->controls, &distilling, &s->d) : NAN;
  CHECK(left >= 0 && left < 0.5);
  return t != NULL;
}

int main(void)
{
  struct stage s = {.arena = arena_new()};
  diag_init(&s.d);
  if (!walk_make(s.arena, 1, &s.walk))
    return 1;
  if (prepare(&s, 1))
    test_mirror(&s);
  if (prepare(&s, 2)) {
    test_fragments(&s);
    test_path(&s);
    test_end_value(&s);
    test_features(&s);
    test_record(&s);
    test_record_short(&s);
  test_record_damage(&s);
    test_record_whole(&s);
    test_guided(&s);
    test_imitation(&s);
    test_crash(&s);
    test_progressive(&s);
  }
  diag_clear(&s.d);
  arena_free(s.arena);
  return test_finish();
}

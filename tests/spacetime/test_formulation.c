/* Every constraint family, cost term and torque law by itself: derivatives against differences, words for failures.
 *
 * The test walks the table (spacetime/formulation.h), so a new line of it is tested without a new test; it fails for a
 * family that has no row, and a cost term that has no value, in any of the scenes below. Then examples of what will be
 * added, each as small as it can be: limbs that keep apart, a key pose, a cost that is no square, a tendon. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/spline.h"
#include "check.h"
#include "creature/style.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/schedule.h"
#include "spacetime/solve.h"
#include "zoo.h"

enum { FRAMES = 12 };

/* ---- scenes: problems in which every family has something to say ---- */

static struct problem_input scene_new(struct arena *arena, const char *name, int gait, int n_frames)
{
  const struct creature *c = body_of(arena, zoo_find(arena, name));
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct schedule s = schedule_of_gait(arena, c, &c->gaits[gait], FRAMES, &o);
  struct problem_input in = solve_input(arena, c, n_frames, 0.2, &o);
  CHECK(n_frames == FRAMES || schedule_is_mirrored(c, &s));
  in.mirrored = n_frames < FRAMES;
  in.together = schedule_is_together(c, &s);
  in.on = s.on;
  in.swing = s.swing;
  in.clearance = s.clearance;
  in.every_row = 1;
  return in;
}

/* The height of the root, on its way down. */
static const struct posture_target low = {.dof = 2, .from = 0.95, .to = 0.9, .weight = 5};

/* A style with a key pose, and the phases that it needs. */
static void scene_style(struct arena *arena, struct problem_input *in)
{
  static const struct style_key key = {.pose = "test", .dof = 8, .angle = 0.3, .phase = 0.2, .width = 0.2, .weight = 2};
  struct style *s = ARENA_NEW(arena, 1, struct style);
  double *factor = ARENA_NEW(arena, (size_t)in->c->n_dofs, double), *phase = ARENA_NEW(arena, FRAMES, double);
  double *rest = ARENA_NEW(arena, (size_t)in->c->n_dofs, double);
  creature_rest_pose(in->c, rest);
  for (int i = 0; i < in->c->n_dofs; i++)
    factor[i] = 1 + 0.1 * i, rest[i] += 0.05;
  for (int k = 0; k < FRAMES; k++)
    phase[k] = (k + 0.5) / FRAMES;
  *s = (struct style){.effort = factor, .posture = factor, .rest = rest, .n_keys = 1, .keys = &key};
  solve_set_style(arena, in, s);
  in->phase = phase;
}

/* A cycle on the treadmill, asked for a velocity, a yaw and a height. */
static struct problem_input scene_cycle(struct arena *arena, const char *name, int gait, int n_frames)
{
  struct problem_input in = scene_new(arena, name, gait, n_frames);
  double *factor = ARENA_NEW(arena, FRAMES, double);
  struct task_gradient *task = ARENA_NEW(arena, FRAMES, struct task_gradient);
  for (int k = 0; k < FRAMES; k++) {
    factor[k] = 1 + 0.1 * k;
    task[k] = (struct task_gradient){.velocity_weight = 0.3, .velocity = {0.2, 0.1}, .torso_weight = 0.4,
                                     .torso = 0.1 * k, .n_targets = 1, .targets = {low}};
  }
  in.cyclic = 1;
  in.travel[0] = 0.05;
  in.frame_factor = factor;
  in.task = task;
  in.n_targets = 1;
  in.targets = &low;
  if (n_frames == FRAMES / 2)
    scene_style(arena, &in);
  return in;
}

/* Numbers that a test can do something with. */
static const double *scene_numbers(struct arena *arena, int n, uint64_t stream)
{
  struct rng r = rng_stream(5, stream);
  double *x = ARENA_NEW(arena, (size_t)n, double);
  for (int i = 0; i < n; i++)
    x[i] = rng_uniform(&r, -1, 1);
  return x;
}

/* A transition that turns: ends held, what is beyond them, path, junction. */
static struct problem_input scene_transition(struct arena *arena, const char *name)
{
  static const enum frame_hold hold[FRAMES] = {[0] = FRAME_HELD,
                                               [1] = FRAME_HELD,
                                               [FRAMES - 2] = FRAME_SHIFTED,
                                               [FRAMES - 1] = FRAME_SHIFTED};
  struct problem_input in = scene_new(arena, name, 0, FRAMES);
  double *heading = ARENA_NEW(arena, FRAMES, double);
  for (int k = 0; k < FRAMES; k++)
    heading[k] = 0.1 * k;
  in.heading = heading;
  in.hold = hold;
  in.q_held = ARENA_NEW(arena, (size_t)(FRAMES * in.c->n_dofs), double);
  in.force_held = ARENA_NEW(arena, (size_t)(FRAMES * in.c->n_points * 3), double);
  for (int end = 0; end < 2; end++)
    in.beyond[end] = (struct problem_beyond){1, scene_numbers(arena, 3 * in.c->n_points, 2 * (uint64_t)end),
                                             scene_numbers(arena, 3 * in.c->n_points, 2 * (uint64_t)end + 1)};
  in.path = ARENA_NEW(arena, 2 * FRAMES, double);
  return in;
}

/* A cycle on a slope, up along x and, unless left and right must be alike, to the side as well. */
static struct problem_input scene_slope(struct arena *arena, const char *name, int n_frames)
{
  struct problem_input in = scene_cycle(arena, name, 0, n_frames);
  solve_set_ground(arena, &in, &(struct surface){{0.25, in.mirrored ? 0 : -0.15}});
  in.travel[2] = 0.25 * in.travel[0];
  return in;
}

enum { N_SCENES = 7 };

static struct problem_input scene_number(struct arena *arena, int i)
{
  switch (i) {
  case 0: return scene_cycle(arena, "biped", 0, FRAMES / 2);
  case 1: return scene_cycle(arena, "human", 0, FRAMES / 2); /* feet of several points; hands */
  case 2: return scene_cycle(arena, "kangaroo", 0, FRAMES);  /* left and right together; a tail */
  case 3: return scene_transition(arena, "biped");
  case 4: return scene_slope(arena, "human", FRAMES / 2);
  case 5: return scene_slope(arena, "kangaroo", FRAMES);
  default: return scene_transition(arena, "hyq");
  }
}

/* ---- one part of the formulation alone ---- */

/* A weight that is 0 until something needs it is 1e-5 here. */
static struct problem *problem_with(struct arena *arena, struct problem_input in, const struct formulation *f)
{
  formulation_set(arena, &in, f);
  for (int t = 0; t < f->n_terms; t++)
    for (int i = 0; i < COST_WEIGHTS && f->terms[t]->weights[i].name; i++)
      if (in.weights[t * COST_WEIGHTS + i] == 0)
        in.weights[t * COST_WEIGHTS + i] = 1e-5;
  return problem_new(arena, &in);
}

/* A point that satisfies nothing. */
static double *point_near_rest(struct arena *arena, const struct problem *p)
{
  struct rng r = rng_stream(1, 3);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  for (int k = 0; k < p->in.n_frames; k++)
    memcpy(x + p->q_var[k], p->in.rest, (size_t)p->n * sizeof *x);
  for (int i = 0; i < p->n_vars; i++)
    x[i] += rng_uniform(&r, -0.1, 0.1);
  return x;
}

static struct nlp_check derivatives_of(struct arena *arena, struct problem *p)
{
  struct nlp nlp = problem_nlp(p);
  return nlp_check_derivatives(arena, &nlp, point_near_rest(arena, p), 1);
}

static void check_derivatives(struct arena *arena, struct problem *p, const char *name)
{
  struct nlp_check c = derivatives_of(arena, p);
  int before = test_failures;
  CHECK_NEAR(c.gradient, 0, 1e-6);
  CHECK_NEAR(c.jacobian, 0, 1e-7);
  CHECK_NEAR(c.hessian, 0, 1e-6);
  if (test_failures > before)
    fprintf(stderr, "  these were derivatives of: %s\n", name);
}

static int is_text(const char *s)
{
  return s && *s;
}

/* Names itself, the row, by how much, and what to try. */
static void check_words(struct problem *p, const struct row *r)
{
  struct row_words w = {.what = NULL};
  r->family->words(p, r, &w);
  CHECK(is_text(w.what) && is_text(w.subject) && is_text(w.unit) && is_text(w.advice));
}

static void test_family(const struct row_family *family)
{
  const struct formulation alone = {.families = &family, .n_families = 1};
  int rows = 0, relented = 0;
  CHECK(is_text(family->name) && !family->choose == !family->endless);
  for (int i = 0; i < N_SCENES; i++) {
    struct arena *arena = arena_new();
    struct problem *p = problem_with(arena, scene_number(arena, i), &alone);
    const double *x = point_near_rest(arena, p);
    rows += p->n_rows;
    check_derivatives(arena, p, family->name);
    problem_evaluate(p, x, 1);
    for (int j = 0; j < p->n_rows; j++)
      check_words(p, &p->rows[j]);
    if (family->choose) { /* what was chosen once is not chosen again; bounds may be raised */
      struct problem_input in = p->in;
      in.every_row = 0;
      family->choose(arena, p, x, in.chosen);
      int chosen = problem_new(arena, &in)->n_rows;
      CHECK(family->choose(arena, p, x, in.chosen) == 0 || family->may_lack);
      struct problem *again = problem_new(arena, &in);
      CHECK_INT(again->n_rows, chosen);
      if (family->relent && chosen && family->relent(again, x, NLP_INFEASIBLE, in.chosen[0])) {
        int left = problem_new(arena, &in)->n_rows;
        CHECK(left < chosen);
        family->choose(arena, p, x, in.chosen); /* what was given up is not chosen any more */
        CHECK_INT(problem_new(arena, &in)->n_rows, left);
        relented++;
      }
    }
    arena_free(arena);
  }
  if (!rows)
    fprintf(stderr, "no scene of this test has a row of family: %s\n", family->name);
  CHECK(rows > 0);
  CHECK(!family->relent || relented > 0 || family == &row_family_torque_change); /* test_torque_share() */
}

/* Where contacts are short, torques may change by more at first, by less once that is nearly kept; a solve that fails
 * with less brings the first share back, for good. */
static void test_torque_share(void)
{
  const struct row_family *family = &row_family_torque_change;
  const struct formulation alone = {.families = &family, .n_families = 1};
  struct arena *arena = arena_new();
  struct problem_input in = scene_number(arena, 0);
  in.every_row = 0;
  in.torque_change = 0.33; /* half a sine over the shortest contact changes by half of its peak */
  struct problem *p = problem_with(arena, in, &alone);
  in = p->in;
  double *still = ARENA_NEW(arena, (size_t)p->n_vars, double), sum[2] = {0, 0};
  const double *rough = point_near_rest(arena, p);
  for (int k = 0; k < in.n_frames; k++)
    memcpy(still + p->q_var[k], in.rest, (size_t)p->n * sizeof *still);
  for (int round = 0; round < 2; round++) {
    CHECK_INT(family->choose(arena, p, still, in.chosen), 0); /* nothing changes: less is asked for, once */
    CHECK(family->choose(arena, p, rough, in.chosen) > 0);
    struct problem *bounded = problem_new(arena, &in);
    CHECK(bounded->n_rows > 0);
    for (int i = 0; i < bounded->n_rows; i++)
      sum[round] += bounded->g_upper[i] / bounded->n_rows;
    CHECK_INT(family->relent(bounded, rough, NLP_ITERATIONS, in.chosen[0]), round == 0);
  }
  CHECK(sum[1] > 1.02 * sum[0]); /* not more: bounds are never far below a change */
  arena_free(arena);
}

static void test_term(const struct cost_term *term)
{
  const struct formulation alone = {.terms = &term, .n_terms = 1};
  double most = 0;
  CHECK(is_text(term->name) && !term->value == !term->gradient);
  for (int i = 0; i < N_SCENES; i++) {
    struct arena *arena = arena_new();
    struct problem *p = problem_with(arena, scene_number(arena, i), &alone);
    const double *x = point_near_rest(arena, p);
    double *cost = ARENA_NEW(arena, (size_t)p->in.n_frames, double), sum = 0, all = problem_objective(p, x);
    check_derivatives(arena, p, term->name);
    problem_frame_costs(p, x, cost);
    for (int k = 0; k < p->in.n_frames; k++)
      sum += cost[k] * (p->in.frame_factor ? p->in.frame_factor[k] : 1) * p->in.scale / p->in.n_frames;
    CHECK_NEAR(sum, term->of_task ? 0 : all, 1e-12 * all); /* the frames' costs are the objective */
    most = fmax(most, all);
    arena_free(arena);
  }
  if (!(most > 0))
    fprintf(stderr, "no scene of this test has a value of cost term: %s\n", term->name);
  CHECK(most > 0);
}

static void test_table(void)
{
  const struct formulation *f = &formulation_default;
  for (int i = 0; i < f->n_families; i++)
    test_family(f->families[i]);
  for (int i = 0; i < f->n_terms; i++)
    test_term(f->terms[i]);
  for (int i = 0; i < N_SCENES; i++) { /* all of them together, laws included */
    struct arena *arena = arena_new();
    check_derivatives(arena, problem_with(arena, scene_number(arena, i), f), "all");
    arena_free(arena);
  }
}

/* Weights have one name each, and all of them are found. */
static void test_weights(void)
{
  struct arena *arena = arena_new();
  struct problem_input in = scene_number(arena, 0);
  const struct formulation *f = in.formulation;
  for (int t = 0; t < f->n_terms; t++)
    for (int i = 0; i < COST_WEIGHTS && f->terms[t]->weights[i].name; i++)
      CHECK(formulation_weight(&in, f->terms[t]->weights[i].name) == &in.weights[t * COST_WEIGHTS + i]);
  CHECK(formulation_weight(&in, "no such weight") == NULL);
  for (int i = 0; style_weight_names[i]; i++) /* what a style may name is there */
    CHECK(formulation_weight(&in, style_weight_names[i]) != NULL);
  arena_free(arena);
}

static const struct formulation landing_alone = {.families = (const struct row_family *const[]){&row_family_landing},
                                                 .n_families = 1};

/* The biped stands upright in a cycle and is carried about: its root goes anywhere while the left foot is in the air,
 * and stays while that is on the ground. A row of that foot is the velocity of the spline through the frames. */
static void test_landing_is_spline(void)
{
  struct arena *arena = arena_new();
  struct problem_input in = scene_cycle(arena, "biped", 0, FRAMES);
  in.travel[0] = in.travel[1] = 0;
  struct problem *p = problem_with(arena, in, &landing_alone);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double), *y = ARENA_NEW(arena, 3 * 3 * FRAMES, double);
  struct rng r = rng_stream(5, 9);
  double place[3] = {0, 0, 1};
  for (int k = 0; k < FRAMES; k++) {
    memcpy(x + p->q_var[k], in.rest, (size_t)p->n * sizeof *x);
    for (int i = 0; i < 3; i++) {
      double other = rng_uniform(&r, -0.3, 0.3) + (i == 2);
      x[p->q_var[k] + i] = problem_touches(p, k, 0) ? place[i] : other;
      for (int cycle = 0; cycle < 3; cycle++)
        y[3 * (cycle * FRAMES + k) + i] = x[p->q_var[k] + i];
    }
  }
  struct spline s = spline_fit(arena, 3 * FRAMES, 3, y, in.h, SPLINE_JOINED);
  int seen = 0;
  problem_evaluate(p, x, 1);
  for (int i = 0; i < p->n_rows; i++) {
    double v[3], fourth = 0.0122 * 0.6 / in.h; /* the term left out, of steps of 0.6 */
    if (p->rows[i].index != 0)
      continue;
    spline_at(&s, FRAMES + p->rows[i].frame, 0, NULL, v, NULL);
    CHECK_NEAR(p->rows[i].family->value(p, &p->rows[i]) / in.h, v[p->rows[i].axis % 3], 1.3 * fourth);
    CHECK(fabs(v[p->rows[i].axis % 3]) > 0);
    seen++;
  }
  CHECK_INT(seen, 6); /* once down, once up, three axes */
  arena_free(arena);
}

/* Of a transition: rows only where a frame is free, and what lies beyond the ends is part of them. */
static void test_landing_beyond(void)
{
  struct arena *arena = arena_new();
  struct problem_input in = scene_transition(arena, "biped");
  unsigned char *on = ARENA_NEW(arena, (size_t)(FRAMES * in.c->n_points), unsigned char);
  in.on = on;
  for (int first = 1; first < 4; first++) { /* the left foot comes down at this frame */
    for (int k = 0; k < FRAMES; k++)
      on[k * in.c->n_points] = k >= first;
    struct problem *p = problem_with(arena, in, &landing_alone);
    CHECK_INT(p->n_rows, first == 1 ? 0 : 3);
    for (int i = 0; i < p->n_rows; i++) {
      double middle = 0.5 * (p->g_lower[i] + p->g_upper[i]);
      CHECK_NEAR(middle, first == 2 ? -0.0455173280956658 * in.beyond[0].step[i] : 0, 1e-12);
      CHECK(p->g_upper[i] - p->g_lower[i] > 0 && p->g_upper[i] - p->g_lower[i] < 0.1);
    }
  }
  in.landing_speed = INFINITY;
  CHECK_INT(problem_with(arena, in, &landing_alone)->n_rows, 0);
  arena_free(arena);
}

/* ---- proof that it can fail ---- */

static void cone_wrong_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  int var = problem_force_var(p, r->frame, r->index);
  for (int axis = 0; axis < 3; axis++)
    visit(to, row, var + axis, -2 * p->x[var + axis]); /* friction forgotten */
}

static void test_wrong_derivatives_are_seen(void)
{
  struct arena *arena = arena_new();
  struct row_family no_pairs = row_family_cone, wrong_slope = row_family_cone, not_handed_on = row_family_slip;
  struct cost_term half = cost_term_torque;
  const struct row_family *family[] = {&no_pairs, &wrong_slope, &not_handed_on};
  const struct cost_term *term[] = {&half};
  no_pairs.pairs = NULL;
  wrong_slope.jacobian = cone_wrong_jacobian;
  not_handed_on.hand_on = NULL;
  half.local_hessian = NULL;
  for (int i = 0; i < 3; i++) {
    const struct formulation alone = {.families = &family[i], .n_families = 1};
    struct problem *p = problem_with(arena, scene_number(arena, 0), &alone);
    struct nlp_check c = derivatives_of(arena, p);
    CHECK(i == 1 ? c.jacobian > 1e-3 : c.jacobian < 1e-7);
    CHECK(c.hessian > 1e-3);
  }
  struct problem *p = problem_with(arena, scene_number(arena, 0), &(struct formulation){.terms = term, .n_terms = 1});
  CHECK(derivatives_of(arena, p).hessian > 1e-3);
  arena_free(arena);
}

/* ---- an example of a family: spheres at contact points keep apart ---- */

#define SPHERES_APART 0.3       /* standing heights */

struct sphere_pair { int a, b; };

/* Rows at the frames where a solution had them too near. */
static void spheres_rows(struct row_list *l, int k)
{
  const struct problem *p = l->p;
  const unsigned char *near = l->chosen; /* (n_frames x n_points x n_points) */
  for (int a = 0; a < p->n_points; a++)
    for (int b = a + 1; b < p->n_points; b++)
      if (p->in.every_row || (near && near[(k * p->n_points + a) * p->n_points + b])) {
        struct sphere_pair *pair = l->rows ? ARENA_NEW(l->arena, 1, struct sphere_pair) : NULL;
        if (pair)
          *pair = (struct sphere_pair){a, b};
        row_list_add(l, (struct row){.frame = k, .index = a, .data = pair}, SPHERES_APART * SPHERES_APART,
                     NLP_INFINITY);
      }
}

static double spheres_offset(const struct problem *p, const struct row *r, int axis)
{
  const struct sphere_pair *s = r->data;
  return problem_position(p, r->frame, s->a, axis) - problem_position(p, r->frame, s->b, axis);
}

static double spheres_value(const struct problem *p, const struct row *r)
{
  double sum = 0;
  for (int axis = 0; axis < 3; axis++)
    sum += spheres_offset(p, r, axis) * spheres_offset(p, r, axis);
  return sum;
}

static void spheres_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  const struct sphere_pair *s = r->data;
  for (int axis = 0; axis < 3; axis++) {
    problem_visit_position(p, r->frame, s->a, axis, 2 * spheres_offset(p, r, axis), row, visit, to);
    problem_visit_position(p, r->frame, s->b, axis, -2 * spheres_offset(p, r, axis), row, visit, to);
  }
}

/* d'' = 2 offset . offset'' (handed on) + 2 offset' offset'^T (pairs). */
static void spheres_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  const struct sphere_pair *s = r->data;
  for (int axis = 0; axis < 3; axis++) {
    problem_pull_position(p, r->frame, s->a, axis, 2 * spheres_offset(p, r, axis) * multiplier);
    problem_pull_position(p, r->frame, s->b, axis, -2 * spheres_offset(p, r, axis) * multiplier);
  }
}

static double spheres_slope(const struct problem *p, const struct row *r, int axis, int j)
{
  const struct sphere_pair *s = r->data;
  double slope = 0;
  for (int m = 0; m < p->chain_count[s->a]; m++)
    if (p->chain[s->a * p->n + m] == j)
      slope += problem_point_slope(p, r->frame, s->a, axis, j);
  for (int m = 0; m < p->chain_count[s->b]; m++)
    if (p->chain[s->b * p->n + m] == j)
      slope -= problem_point_slope(p, r->frame, s->b, axis, j);
  return slope;
}

static void spheres_pairs(const struct problem *p, const struct row *r, visit_pair visit, void *to)
{
  for (int i = 3; i < p->n; i++)
    for (int j = 3; j <= i; j++) {
      double sum = 0;
      for (int axis = 0; axis < 3; axis++)
        sum += 2 * spheres_slope(p, r, axis, i) * spheres_slope(p, r, axis, j);
      visit(to, p->q_var[r->frame] + i, p->q_var[r->frame] + j, sum);
    }
}

static void spheres_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  *out = (struct row_words){.what = "two limbs that must keep apart", .subject = p->in.c->points[r->index].name,
                            .unit = "squared standing heights", .advice = "spread the legs"};
}

static int spheres_choose(struct arena *arena, struct problem *p, const double *x, void **chosen)
{
  size_t count = (size_t)(p->in.n_frames * p->n_points * p->n_points);
  unsigned char *near = *chosen ? *chosen : ARENA_NEW(arena, count, unsigned char);
  int found = 0;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++)
    for (int a = 0; a < p->n_points; a++)
      for (int b = a + 1; b < p->n_points; b++) {
        struct row r = {.frame = k, .data = &(struct sphere_pair){a, b}};
        unsigned char *mark = &near[(k * p->n_points + a) * p->n_points + b];
        if (!*mark && spheres_value(p, &r) < SPHERES_APART * SPHERES_APART * (1 - 1e-6))
          *mark = 1, found++;
      }
  *chosen = near;
  return found;
}

static const struct row_family spheres_apart = {
    .name = "spheres apart",
    .frame_rows = spheres_rows,
    .value = spheres_value,
    .jacobian = spheres_jacobian,
    .hand_on = spheres_hand_on,
    .pairs = spheres_pairs,
    .words = spheres_words,
    .choose = spheres_choose,
    .endless = "limbs come near one after the other",
};

/* ---- of cost terms: a key pose (squares), a posture that forgives large distances (no square) ---- */

static void key_pose_squares(struct square_list *l, int k)
{
  const double one = 1;
  int var = l->p->q_var[k] + 4; /* pitch, a bow in the middle of the clip */
  if (k == l->p->in.n_frames / 2)
    square_list_add(l, l->weight[0], 0.3, 1, &var, &one);
}

static const struct cost_term key_pose = {
    .name = "key pose", .weights = {{"key_pose", 5}}, .squares = key_pose_squares};

/* sqrt(1 + d^2) - 1, d the distance of a joint from rest */
static void robust_value(const struct problem *p, int k, const double *weight, double *sum)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    *sum += weight[0] * (sqrt(1 + pow(p->x[p->q_var[k] + i] - p->in.rest[i], 2)) - 1);
}

static void robust_gradient(const struct problem *p, int k, const double *weight, double *grad)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    double d = p->x[p->q_var[k] + i] - p->in.rest[i];
    grad[p->q_var[k] + i] += weight[0] * d / sqrt(1 + d * d);
  }
}

static void robust_pairs(const struct problem *p, int k, const double *weight, visit_pair visit, void *to)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    double d = p->x[p->q_var[k] + i] - p->in.rest[i];
    visit(to, p->q_var[k] + i, p->q_var[k] + i, weight[0] * pow(1 + d * d, -1.5));
  }
}

static const struct cost_term robust_posture = {.name = "robust posture",
                                                .weights = {{"robust_posture", 0.01}},
                                                .value = robust_value,
                                                .gradient = robust_gradient,
                                                .pairs = robust_pairs};

/* ---- of a law: a tendon at every joint, taut beyond its slack angle: torque -K s(q - slack), s a smooth ramp ---- */

#define TENDON_STIFFNESS 0.5    /* m g L per rad */
#define TENDON_SLACK 0.05       /* beyond the rest pose [rad] */
#define TENDON_ROUND 0.1        /* of the ramp's corner [rad] */

struct ramp { double value, slope, bend; };

static struct ramp tendon_ramp(double u)
{
  double root = sqrt(u * u + TENDON_ROUND * TENDON_ROUND);
  return (struct ramp){0.5 * (u + root), 0.5 * (1 + u / root),
                       0.5 * TENDON_ROUND * TENDON_ROUND / (root * root * root)};
}

static struct ramp tendon_at(const struct problem *p, int k, int i)
{
  return tendon_ramp(problem_value(p->q, (size_t)p->n, k, (size_t)i) - p->in.rest[i] - TENDON_SLACK);
}

static void tendon_subtract(struct problem *p, int k, int level)
{
  size_t n = (size_t)p->n;
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    struct ramp s = tendon_at(p, k, i);
    *problem_value_at(p->tau, n, k, (size_t)i) -= -TENDON_STIFFNESS * s.value;
    if (level == 2)
      *problem_value_at(p->dq, n * n, k, (size_t)i * n + (size_t)i) -= -TENDON_STIFFNESS * s.slope;
  }
}

static void tendon_subtract_curvature(struct problem *p, int k)
{
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    p->curvature.qq[DYNAMICS_LANES * (i * p->n + i) + k % DYNAMICS_LANES] -=
        -TENDON_STIFFNESS * tendon_at(p, k, i).bend * problem_value(p->w, (size_t)p->n, k, (size_t)i);
}

static const struct torque_law tendon = {"tendon", tendon_subtract, tendon_subtract_curvature};

/* ---- the examples are tested as the table is, and clips are solved with them ---- */

static void test_law(const struct torque_law *law)
{
  const struct row_family *families[] = {&row_family_balance, &row_family_torque_limit};
  const struct cost_term *terms[] = {&cost_term_torque};
  const struct formulation with = {families, terms, &law, 2, 1, 1};
  for (int i = 0; i < N_SCENES; i++) {
    struct arena *arena = arena_new();
    check_derivatives(arena, problem_with(arena, scene_number(arena, i), &with), law->name);
    arena_free(arena);
  }
}

/* A biped's walk, half a cycle, from a start or from standing (NULL). Returns the solution, NULL if there is none. */
static double *solve_walk(struct arena *arena, const struct formulation *f, const double *start, struct problem **out,
                          struct spacetime_report *report)
{
  const struct creature *c = body_of(arena, zoo_find(arena, "biped"));
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct schedule s = schedule_of_gait(arena, c, &c->gaits[0], 24, &o);
  double time = sqrt(c->height / CREATURE_GRAVITY), dt = gait_period(&c->gaits[0], 0.6) / 24;
  struct problem_input in = solve_input(arena, c, 12, dt / time, &o);
  in.cyclic = in.mirrored = 1;
  in.on = s.on;
  in.swing = s.swing;
  in.clearance = s.clearance;
  in.travel[0] = 0.6 * dt / c->height;
  struct problem *p = problem_with(arena, in, f);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  for (int k = 0; k < 12; k++) {
    memcpy(x + p->q_var[k], p->in.rest, (size_t)p->n * sizeof *x);
    for (int i = 0; i < p->n_points; i++)
      if (problem_force_var(p, k, i) >= 0)
        x[problem_force_var(p, k, i) + 2] = 0.5;
  }
  if (start)
    memcpy(x, start, (size_t)p->n_vars * sizeof *x);
  memset(report, 0, sizeof *report);
  *out = solve_with_rows_needed(arena, p, x, start != NULL, &o, report);
  return report->status == SPACETIME_SOLVED ? x : NULL;
}

static double least_distance(const struct problem *p)
{
  double least = INFINITY;
  for (int k = 0; k < p->in.n_frames; k++)
    for (int a = 0; a < p->n_points; a++)
      for (int b = a + 1; b < p->n_points; b++)
        least = fmin(least, sqrt(spheres_value(p, &(struct row){.frame = k, .data = &(struct sphere_pair){a, b}})));
  return least;
}

static double torque_cost(struct arena *arena, struct problem *p, const double *x)
{
  const struct cost_term *term = &cost_term_torque;
  const struct formulation *old = p->in.formulation;
  const struct formulation with = {&(const struct row_family *){0}, &term, old->laws, 0, 1, old->n_laws};
  return problem_objective(problem_with(arena, p->in, &with), x);
}

static void test_examples(void)
{
  struct arena *arena = arena_new();
  static struct spacetime_report report;
  const struct formulation *f = &formulation_default;
  const struct row_family *families[16];
  const struct cost_term *terms[16];
  const struct torque_law *law = &tendon;
  struct problem *p;
  test_family(&spheres_apart);
  test_term(&key_pose);
  test_term(&robust_posture);
  test_law(&tendon);
  memcpy(families, f->families, (size_t)f->n_families * sizeof *families);
  memcpy(terms, f->terms, (size_t)f->n_terms * sizeof *terms);
  families[f->n_families] = &spheres_apart;
  terms[f->n_terms] = &key_pose;
  terms[f->n_terms + 1] = &robust_posture;

  const double *plain = solve_walk(arena, f, NULL, &p, &report);
  CHECK(plain && least_distance(p) < 0.9 * SPHERES_APART);
  int rows = p->n_rows;
  double pitch = plain ? plain[p->q_var[6] + 4] : NAN, cost = plain ? torque_cost(arena, p, plain) : NAN;

  const struct formulation with_spheres = {families, f->terms, NULL, f->n_families + 1, f->n_terms, 0};
  const double *apart = solve_walk(arena, &with_spheres, NULL, &p, &report);
  CHECK(apart && report.solves > 1 && p->n_rows > rows);
  CHECK(apart && least_distance(p) > SPHERES_APART * (1 - 1e-6));
  const double *again = plain ? solve_walk(arena, &with_spheres, plain, &p, &report) : NULL;
  CHECK(again && report.solves > 1); /* rows are lacking once more */
  struct row_family looks_first = spheres_apart;
  looks_first.choose_at_start = 1;
  families[f->n_families] = &looks_first;
  int solves = report.solves;
  again = plain ? solve_walk(arena, &with_spheres, plain, &p, &report) : NULL;
  CHECK(again && report.solves < solves && least_distance(p) > SPHERES_APART * (1 - 1e-6));

  const struct formulation with_pose = {f->families, terms, NULL, f->n_families, f->n_terms + 2, 0};
  const double *bowed = solve_walk(arena, &with_pose, NULL, &p, &report);
  CHECK(bowed && bowed[p->q_var[6] + 4] > pitch + 0.05);

  const struct formulation with_tendon = {f->families, f->terms, &law, f->n_families, f->n_terms, 1};
  const double *sprung = solve_walk(arena, &with_tendon, NULL, &p, &report);
  CHECK(sprung && fabs(torque_cost(arena, p, sprung) - cost) > 0.01 * cost); /* muscles do other work beside tendons */
  arena_free(arena);
}

int main(void)
{
  test_table();
  test_torque_share();
  test_weights();
  test_landing_is_spline();
  test_landing_beyond();
  test_wrong_derivatives_are_seen();
  test_examples();
  return test_finish();
}

/* The motion graph of a small set of solved clips, their features and mirror images: a random walk over its segments is
 * one long clip that the verifier passes, and what segments say of themselves is what the walk does. Graphs of random
 * shape against a search frame by frame. Hand-made sets of clips have the faults that a graph must find. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "motion/features.h"
#include "motion/graph.h"
#include "motion/ground.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

/* ---- a world of solved clips ---- */

enum { WALK, LEFT, RIGHT, LATE_LEFT, LATE_RIGHT, RUN, FASTER, SLOWER, SECOND_THOUGHT, JOINER, N_CLIPS };

struct world {
  struct arena *arena;
  const struct creature *c;
  int shift;                         /* of the walk in the mirror */
  struct clip *made[N_CLIPS];
  struct graph_clip clips[N_CLIPS];  /* ids are 11, 12, ...       */
};

static int id_of(int i) { return 11 + i; }

static struct clip *solve_gait(struct world *w, const char *name, double speed)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct gait_request r = {.c = w->c, .gait = creature_find_gait(w->c, name), .speed = speed};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(w->arena, &r, &o, &report);
  if (!clip)
    fprintf(stderr, "%s: %s\n", name, report.reason), exit(99);
  return clip;
}

/* From a frame of one clip to a frame of another, both by their numbers in the world. */
struct link { int from, from_frame, to, to_frame, frames; double turn; };

static struct clip *solve_link(struct world *w, struct link l)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct transition_request r = {.c = w->c, .from = w->made[l.from], .to = w->made[l.to], .from_frame = l.from_frame,
                                 .to_frame = l.to_frame, .from_id = id_of(l.from), .to_id = id_of(l.to),
                                 .turn = l.turn, .frames = l.frames};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(w->arena, &r, &o, &report);
  if (!clip)
    fprintf(stderr, "transition from %d to %d: %s\n", l.from, l.to, report.reason), exit(99);
  return clip;
}

/* The mirror of a turn out of the walk and back. */
static struct clip *other_side(struct world *w, const struct clip *turn)
{
  struct clip *clip = clip_mirror(w->arena, w->c, turn);
  clip->from.frame += w->shift;
  clip->to.frame += w->shift;
  return clip;
}

static struct world new_world(void)
{
  struct world w = {.arena = arena_new()};
  w.c = zoo_load(w.arena, 0); /* the biped */
  if (!w.c)
    exit(99);
  struct clip **m = w.made;
  m[WALK] = solve_gait(&w, "walk", 0.6);
  m[RUN] = solve_gait(&w, "run", 1.5);
  CHECK(clip_mirror_shift(w.c, m[WALK], 1e-7, &w.shift));
  CHECK_INT(w.shift, m[WALK]->n_frames / 2);
  m[LEFT] = solve_link(&w, (struct link){WALK, 3, WALK, 5, 0, 0.8});
  m[RIGHT] = other_side(&w, m[LEFT]);
  m[LATE_LEFT] = solve_link(&w, (struct link){WALK, 20, WALK, 20, 0, 0.6});
  m[LATE_RIGHT] = other_side(&w, m[LATE_LEFT]);
  m[FASTER] = solve_link(&w, (struct link){WALK, 10, RUN, 9, 0, 0});
  m[SLOWER] = solve_link(&w, (struct link){RUN, 9, WALK, 30, 0, 0});
  int n = m[LEFT]->n_frames;
  m[SECOND_THOUGHT] = solve_link(&w, (struct link){LEFT, 6, WALK, 7, n - 6, -0.4});
  m[JOINER] = solve_link(&w, (struct link){WALK, 3, LEFT, n - 5, n - 3, 0.3});
  for (int i = 0; i < N_CLIPS; i++)
    w.clips[i] = (struct graph_clip){id_of(i), m[i], NULL};
  return w;
}

/* ---- mirror ---- */

static void check_same_clip(const struct clip *a, const struct clip *b)
{
  size_t frames = (size_t)a->n_frames, points = frames * (size_t)a->n_points;
  CHECK(memcmp(a->contact, b->contact, points) == 0);
  for (size_t i = 0; i < frames * (size_t)a->n_dofs; i++)
    CHECK_NEAR(a->q[i], b->q[i], 0);
  for (size_t i = 0; i < 3 * points; i++)
    CHECK_NEAR(a->force[i], b->force[i], 0);
  CHECK_NEAR(a->advance.x, b->advance.x, 0);
  CHECK_NEAR(a->advance.y, b->advance.y, 0);
  CHECK_NEAR(a->advance.yaw, b->advance.yaw, 0);
  CHECK_NEAR(a->turn, b->turn, 0);
  CHECK_NEAR(a->strafe, b->strafe, 0);
}

/* The mirror of a turn is a valid clip that turns to the other side; mirrored again it is itself. */
static void test_mirror(const struct world *w)
{
  struct verify_report r;
  const struct clip *right = w->made[RIGHT], *left = w->made[LEFT];
  verify_clip(w->arena, w->c, right, &r);
  CHECK(r.passed);
  CHECK_NEAR(right->turn, -0.8, 0);
  CHECK_NEAR(right->advance.yaw, -left->advance.yaw, 0);
  CHECK_NEAR(right->advance.y, -left->advance.y, 0);
  CHECK(verify_junction(w->c, right, 0, w->made[WALK], 3) > 1e-3);
  struct clip *strafing = clip_mirror(w->arena, w->c, left);
  strafing->strafe = 0.3;
  CHECK_NEAR(clip_mirror(w->arena, w->c, strafing)->strafe, -0.3, 0);
  check_same_clip(clip_mirror(w->arena, w->c, clip_mirror(w->arena, w->c, left)), left);
}

/* Whatever differs from one side to the other: no longer its own mirror image. */
static void test_mirror_shift(const struct world *w)
{
  struct clip walk = *w->made[WALK];
  int shift = -1, n = walk.n_frames, row = 9 * w->c->n_dofs;
  CHECK(clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  for (int i = 0; i < w->c->n_dofs; i++) {
    double before = walk.q[row + i];
    walk.q[row + i] += 1e-4;
    CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
    CHECK(clip_mirror_shift(w->c, &walk, 1e-3, &shift));
    walk.q[row + i] = before;
  }
  walk.contact[2 * w->c->n_points] ^= 1;
  CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  walk.contact[2 * w->c->n_points] ^= 1;
  for (int i = 0; i < 3 * n * w->c->n_points; i += 5) {
    walk.force[i] += 0.01;
    CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
    walk.force[i] -= 0.01;
  }
  walk.advance.y = 0.01;
  CHECK(!clip_mirror_shift(w->c, &walk, 1e-7, &shift));
  CHECK(!clip_mirror_shift(w->c, w->made[LEFT], 1e-7, &shift));
  struct clip *still = clip_new(w->arena, w->c, 6, 0.01); /* stands: as a hop, the same on both sides all the time */
  still->cyclic = 1;
  for (int k = 0; k < 6; k++)
    creature_rest_pose(w->c, still->q + k * w->c->n_dofs);
  CHECK(clip_mirror_shift(w->c, still, 1e-9, &shift));
  CHECK_INT(shift, 0);
}

/* ---- features ---- */

/* Torques by inverse dynamics without contacts, and those of the contacts by their Jacobians. */
static double effort_of(const struct world *w, const struct clip *clip)
{
  const struct creature *c = w->c;
  struct dynamics *d = dynamics_new(w->arena, c);
  double *q = ARENA_NEW(w->arena, 7 * (size_t)c->n_dofs, double), *v = q + c->n_dofs, *a = v + c->n_dofs;
  double *tau = a + c->n_dofs, *J = tau + c->n_dofs, sum = 0, unit = c->mass * CREATURE_GRAVITY * c->height;
  int count = 0;
  for (int k = 0; k < clip->n_frames; k++) {
    if (!clip_state(clip, k, q, v, a))
      continue;
    dynamics_inverse(d, q, v, a, tau);
    dynamics_kinematics(d, q);
    for (int p = 0; p < c->n_points; p++) {
      dynamics_point_jacobian(d, c->points[p].body, c->points[p].at, J);
      for (int i = 0; i < 3 * c->n_dofs; i++)
        tau[i % c->n_dofs] -= J[i] * clip->force[3 * (k * c->n_points + p) + i / c->n_dofs];
    }
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      sum += tau[i] * tau[i] / (unit * unit);
    count++;
  }
  return sum / count;
}

/* Of the costlier cycle that a clip leads from or to. */
static double usual_effort_of(const struct world *w, int i)
{
  const struct clip *clip = w->made[i];
  if (clip->cyclic)
    return effort_of(w, clip);
  return fmax(usual_effort_of(w, clip->from.clip - id_of(0)), usual_effort_of(w, clip->to.clip - id_of(0)));
}

/* By logarithm, as tasks see it: transitions count linearly beyond their cycles. */
static double log_counted_effort(const struct world *w, int i)
{
  double effort = effort_of(w, w->made[i]), usual = usual_effort_of(w, i);
  return effort > usual ? log(usual) + effort / usual - 1 : log(effort);
}

static void test_cyclic_features(const struct world *w, const struct motion_graph *g)
{
  for (int i = 0; i < N_CLIPS; i++) {
    const struct clip *clip = w->made[i];
    CHECK_NEAR(log(g->clips[i].features[0].counted_effort), log_counted_effort(w, i), 1e-9);
    for (int k = 0; clip->cyclic && k < clip->n_frames; k++) {
      const struct frame_features *f = &g->clips[i].features[k];
      CHECK_NEAR(f->direction, 0, 1e-9);
      CHECK_NEAR(f->torso, 0, 1e-6);
      CHECK_NEAR(f->speed, clip->speed, 1e-12);
      CHECK_INT(f->gait, creature_find_gait(w->c, clip->gait));
    }
  }
  CHECK(g->clips[RUN].features[0].counted_effort > g->clips[WALK].features[0].counted_effort);
  /* haste: twelve times the effort of walking counts for more than a radian, whatever the gait */
  CHECK_NEAR(log(features_counted_effort(12 * 0.3, 0.3) / 0.3), 11, 1e-12);
  int hasty = 0;
  for (int i = 0; i < N_CLIPS; i++)
    hasty += g->clips[i].features[0].counted_effort > 1.01 * effort_of(w, w->made[i]);
  CHECK(hasty > 0);
}

/* The first frame of a transition and its last two have the features of the clips there, turned; in between nothing
 * jumps. */
static void test_transition_features(const struct world *w, const struct motion_graph *g)
{
  for (int i = 0; i < N_CLIPS; i++) {
    const struct clip *clip = w->made[i];
    int n = clip->n_frames;
    const struct frame_features *f = g->clips[i].features;
    for (int end = 0; end < 2 && !clip->cyclic; end++) {
      const struct clip_end *e = end ? &clip->to : &clip->from;
      int at = end ? n - 2 : 0, other = e->clip - id_of(0), frame = e->frame;
      const struct frame_features *there = &g->clips[other].features[frame % w->made[other]->n_frames];
      double turn = ground_match(clip, at, w->made[other], frame).yaw, tolerance = other == LEFT ? 0.004 : 1e-9;
      CHECK_NEAR(f[at].direction, there->direction + turn, tolerance);
      CHECK_NEAR(f[at].torso, there->torso + turn, tolerance);
      CHECK_NEAR(f[at].speed, there->speed, tolerance);
    }
    for (int k = 0; k + 1 < n && !clip->cyclic; k++) {
      CHECK_NEAR(f[k].direction, f[k + 1].direction, 0.03);
      CHECK_NEAR(f[k].torso, f[k + 1].torso, 0.03);
      CHECK_NEAR(f[k].speed, f[k + 1].speed, 0.03);
      CHECK_INT(f[k].gait, creature_find_gait(w->c, k < (n - 2) / 2 ? clip->gait : clip->gait_after));
    }
  }
  for (int k = 0; k < w->made[LEFT]->n_frames; k++) { /* what is left is right in the mirror */
    const struct frame_features *left = &g->clips[LEFT].features[k], *right = &g->clips[RIGHT].features[k];
    CHECK_NEAR(left->direction, -right->direction, 1e-6);
    CHECK_NEAR(left->torso, -right->torso, 1e-6);
    CHECK_NEAR(left->speed, right->speed, 1e-6);
    CHECK_NEAR(left->counted_effort, right->counted_effort, 1e-12);
  }
}

enum { CYCLE = 12, FRAMES = 30 };

/* Sways on the spot, or while it goes ahead. */
static struct clip *swaying(const struct world *w, double speed)
{
  struct clip *clip = clip_new(w->arena, w->c, CYCLE, 0.01);
  clip->cyclic = 1;
  clip->advance.x = speed * CYCLE * 0.01;
  for (int k = 0; k < CYCLE; k++) {
    double *q = clip->q + k * w->c->n_dofs, phase = k * 2 * acos(-1) / CYCLE;
    creature_rest_pose(w->c, q);
    q[0] = speed * k * 0.01 + 0.002 * sin(phase), q[1] = 0.003 * cos(phase), q[3] = 0.1 + q[1];
  }
  return clip;
}

/* The same sway, and a speed that grows evenly from 0 to 0.5 m/s: what is left without the sway is known. An end that
 * nobody knows does no harm. */
static void test_made_features(const struct world *w)
{
  struct clip *still = swaying(w, 0), *walk = swaying(w, 0.5), *t = clip_new(w->arena, w->c, FRAMES, 0.01);
  struct frame_features *standing = features_of_clip(w->arena, w->c, still, NULL, NULL, NULL), *made;
  for (int k = 0; k < CYCLE; k++) {
    CHECK_NEAR(standing[k].speed, 0, 1e-12);
    CHECK_NEAR(standing[k].torso, 0.1, 1e-12);
    CHECK_NEAR(standing[k].direction, standing[k].torso, 0);
    CHECK_INT(standing[k].gait, -1);
  }
  for (int k = 0; k < FRAMES; k++) { /* s: intervals that are faster than the one before */
    double *q = t->q + k * w->c->n_dofs, s = k < 1 ? 0 : k > FRAMES - 2 ? FRAMES - 3 : k - 1;
    clip_frame(still, 5 + k, q);
    q[0] += 0.01 * 0.5 / (FRAMES - 3) * s * (s + 1) / 2 + (k > FRAMES - 2 ? 0.005 : 0);
  }
  struct features_end from = {still, standing, 5};
  struct features_end to = {walk, features_of_clip(w->arena, w->c, walk, NULL, NULL, NULL), 5 + FRAMES - 2};
  made = features_of_clip(w->arena, w->c, t, &from, &to, NULL);
  for (int k = 0; k < FRAMES - 1; k++) {
    CHECK_NEAR(made[k].speed, 0.5 * k / (FRAMES - 2), 0.012);
    CHECK_NEAR(made[k].torso, 0.1, 1e-12);
    CHECK_NEAR(made[k].direction, k ? 0 : 0.1, 1e-9);
  }
  CHECK_NEAR(made[FRAMES - 2].speed, 0.5, 1e-12);
  made = features_of_clip(w->arena, w->c, t, NULL, &to, NULL);
  CHECK_NEAR(made[FRAMES - 2].speed, 0.5, 1e-12);
  CHECK(isfinite(made[0].speed) && isfinite(made[0].direction));
}

/* ---- the graph of the solved clips ---- */

static struct motion_graph *new_graph(struct arena *arena, const struct creature *c, const struct graph_clip *clips,
                                      int n)
{
  struct diag d;
  diag_init(&d);
  struct graph_input in = {c, "run.muy", n, clips, 0, NULL};
  struct motion_graph *g = graph_new(arena, &in, &d);
  char *text = diag_text(&d);
  fputs(text, stderr);
  CHECK((g != NULL) == (d.n_errors == 0));
  free(text);
  diag_clear(&d);
  if (!g)
    exit(99);
  return g;
}

static void check_node(const struct motion_graph *g, int i, int clip, int frame)
{
  CHECK_INT(g->nodes[i].clip, clip);
  CHECK_INT(g->nodes[i].frame, frame);
}

static void test_structure(const struct world *w, const struct motion_graph *g)
{
  int n = w->made[WALK]->n_frames;
  CHECK_INT(g->n_left_out, 0);
  CHECK_INT(g->n_nodes, 7);
  check_node(g, 0, WALK, 3);
  check_node(g, 1, WALK, 10);
  check_node(g, 2, WALK, 20);
  check_node(g, 3, WALK, 3 + n / 2);
  check_node(g, 4, WALK, 20 + n / 2);
  check_node(g, 5, LEFT, 6);
  check_node(g, 6, RUN, 9);
  CHECK_INT(g->n_segments, 15);
  CHECK_INT(g->first_segment[0], 0);
  CHECK_INT(g->first_segment[1], 3);
  CHECK_INT(g->first_segment[g->n_nodes], g->n_segments);
  CHECK_INT(g->segments[2].choice, JOINER); /* through the end of LEFT into the walk */
  CHECK_INT(g->segments[2].n_pieces, 3);
  CHECK_INT(g->segments[2].pieces[1].clip, LEFT);
  CHECK_INT(g->segments[2].to, 1);
  for (int i = 0; i < g->n_segments; i++) { /* a whole transition turns by what it was asked for */
    const struct graph_segment *s = &g->segments[i];
    if (s->choice == LATE_LEFT || s->choice == LATE_RIGHT || s->choice == RIGHT || s->choice == SECOND_THOUGHT)
      CHECK_NEAR(s->turn, w->made[s->choice]->turn, 1e-9);
  }
  CHECK_NEAR(g->segments[1].turn + g->segments[11].turn, 0.8, 1e-9); /* LEFT, in two parts */
}

/* Features along a segment go where it goes: the sum of the velocities is the way, up to sway within a stride. */
static void test_segment_features(const struct motion_graph *g)
{
  for (int i = 0; i < g->n_segments; i++) {
    const struct graph_segment *s = &g->segments[i];
    double x = 0, y = 0, dt = g->clips[0].clip->dt;
    for (int k = 0; k < s->length; k++) {
      x += s->features[k].speed * cos(s->features[k].direction) * dt;
      y += s->features[k].speed * sin(s->features[k].direction) * dt;
    }
    CHECK_NEAR(x, s->x, 0.05);
    CHECK_NEAR(y, s->y, 0.05);
    for (int next = g->first_segment[s->to]; next < g->first_segment[s->to + 1]; next++) { /* and on without a jump */
      const struct frame_features *last = &s->features[s->length - 1], *first = &g->segments[next].features[0];
      CHECK_NEAR(last->direction, ground_wrap(first->direction + s->turn), 0.03);
      CHECK_NEAR(last->torso, ground_wrap(first->torso + s->turn), 0.03);
      CHECK_NEAR(last->speed, first->speed, 0.03);
    }
  }
}

/* ---- a long walk ---- */

struct journey {
  struct clip *clip;
  int n;                        /* frames so far                                                    */
  struct clip_advance place, steps; /* of the segment, by segments; by steps from frame to frame    */
};

/* Adds a frame: its pose as placed; forces and contacts of a frame that may be another clip's. */
static void show(struct journey *j, const struct clip *clip, int frame, struct clip_advance place)
{
  int points = clip->n_points;
  double *q = j->clip->q + (size_t)j->n * (size_t)clip->n_dofs;
  clip_frame(clip, frame, q);
  clip_move_pose(place, q);
  for (int i = 0; i < points; i++) {
    int from = frame % clip->n_frames * points + i;
    double *out = j->clip->force + 3 * (j->n * points + i), *f = clip->force + 3 * from, s = sin(place.yaw);
    double c = cos(place.yaw);
    j->clip->contact[j->n * points + i] = clip->contact[from];
    out[0] = c * f[0] - s * f[1], out[1] = s * f[0] + c * f[1], out[2] = f[2];
  }
  j->n++;
}

/* All frames of a segment but its first, which is shown as the end of the one before; then the frame at its end. */
static void walk_segment(struct journey *j, const struct motion_graph *g, const struct graph_segment *s, int as_arrived)
{
  for (int p = 0; p < s->n_pieces; p++) {
    const struct graph_piece *piece = &s->pieces[p];
    for (int i = 0; i < piece->count; i++) {
      if ((p > 0 || i > 0) || !as_arrived || j->n == 0)
        show(j, g->clips[piece->clip].clip, piece->first + i, ground_after(j->place, piece->place));
      j->steps = ground_after(j->steps, graph_step(g, piece->clip, piece->first + i));
    }
  }
  const struct graph_piece *last = &s->pieces[s->n_pieces - 1];
  if (as_arrived)
    show(j, g->clips[last->clip].clip, last->first + last->count, ground_after(j->place, last->place));
  j->place = ground_after(j->place, (struct clip_advance){s->x, s->y, s->turn});
}

static struct journey walk_randomly(struct arena *arena, const struct motion_graph *g, int n_segments, int as_arrived)
{
  struct rng r = rng_stream(4, 1);
  struct journey j = {.n = 0};
  int longest = 0, node = 0;
  for (int i = 0; i < g->n_segments; i++)
    longest = g->segments[i].length > longest ? g->segments[i].length : longest;
  j.clip = clip_new(arena, g->creature, longest * n_segments + 1, g->clips[0].clip->dt);
  for (int i = 0; i < n_segments; i++) {
    int first = g->first_segment[node];
    const struct graph_segment *s = &g->segments[first + rng_below(&r, g->first_segment[node + 1] - first)];
    walk_segment(&j, g, s, as_arrived);
    node = s->to;
  }
  j.clip->n_frames = j.n;
  return j;
}

static void test_journey(const struct world *w, const struct motion_graph *g)
{
  struct arena *arena = arena_new();
  struct verify_report report;
  struct journey j = walk_randomly(arena, g, 150, 1);
  verify_clip(arena, w->c, j.clip, &report);
  for (int m = 0; m < N_VERIFY_MEASURES; m++)
    if (!test_count(report.lines[m].passed))
      fprintf(stderr, "journey: %s: %g at frame %d of %d\n", report.lines[m].what, report.lines[m].value,
              report.lines[m].frame, j.n);
  CHECK_NEAR(j.place.x, j.steps.x, 1e-6 * w->c->height * 150);
  CHECK_NEAR(j.place.y, j.steps.y, 1e-6 * w->c->height * 150);
  CHECK_NEAR(j.place.yaw, j.steps.yaw, 1e-9);
  double largest = 0;
  for (int k = 0; k + 1 < j.n; k++)
    largest = fmax(largest, fabs(j.clip->q[(k + 1) * w->c->n_dofs + 3] - j.clip->q[k * w->c->n_dofs + 3]));
  CHECK(largest < 0.1);
  j = walk_randomly(arena, g, 150, 0); /* with the forces of the clip that goes on, physics does not hold */
  verify_clip(arena, w->c, j.clip, &report);
  CHECK(!report.lines[VERIFY_FORCE].passed);
  CHECK(report.lines[VERIFY_SLIP].passed);
  arena_free(arena);
}

/* ---- looking a graph over ---- */

static char *check_text(const struct motion_graph *g, int *faults)
{
  struct diag d;
  diag_init(&d);
  *faults = graph_check(g, &d);
  CHECK_INT(d.n_errors, *faults);
  char *text = diag_text(&d);
  diag_clear(&d);
  return text;
}

static void expect_fault(const struct motion_graph *g, const char *expected)
{
  int faults;
  char *text = check_text(g, &faults);
  CHECK(faults > 0);
  if (!test_count(strstr(text, expected) != NULL))
    fprintf(stderr, "expected '%s' in\n%s", expected, text);
  free(text);
}

/* All clips but the hasty one; then one fault at a time. */
static void test_check(const struct world *w)
{
  struct arena *arena = arena_new();
  struct motion_graph *g = new_graph(arena, w->c, w->clips, SECOND_THOUGHT);
  int faults;
  char *text = check_text(g, &faults);
  CHECK_INT(faults, 0);
  CHECK_STR(text, "");
  free(text);
  struct graph_segment *s = &g->segments[4], was = *s;
  s->x += 1e-4, expect_fault(g, "jumps by"), *s = was;
  s->turn += 1e-4, expect_fault(g, "jumps by"), *s = was;
  s->length++, expect_fault(g, "frames, but says"), *s = was;
  s->from = s->from ? 0 : 1, expect_fault(g, "is listed at node"), *s = was;
  s->pieces[0].place.y += 1e-4, expect_fault(g, "jumps by"), s->pieces[0].place.y -= 1e-4;
  s->pieces[0].first++, expect_fault(g, "jumps by"), s->pieces[0].first--;
  int ends[32];
  for (int i = 0; i < g->n_segments; i++)
    ends[i] = g->segments[i].to, g->segments[i].to = 0;
  expect_fault(g, "no way leads from node 0 to node 1");
  for (int i = 0; i < g->n_segments; i++)
    g->segments[i].to = ends[i];
  int keep = g->first_segment[1];
  g->first_segment[1] = 0, expect_fault(g, "node 0 is a dead end"), g->first_segment[1] = keep;
  double *joint = &w->made[LEFT]->q[20 * w->c->n_dofs + 8];
  *joint += 1e-3, expect_fault(g, "clip 12 (walk-turn), frame"), *joint -= 1e-3;
  joint = &w->made[LEFT]->q[8];
  *joint += 1e-3, expect_fault(g, "clip 12 (walk-turn) is off by 0.001 where it leaves clip 11"), *joint -= 1e-3;
  arena_free(arena);
}

/* ---- what is left out ---- */

static void test_left_out(const struct world *w)
{
  struct arena *arena = arena_new();
  const struct graph_clip *c = w->clips;
  const struct graph_clip one_way[] = {c[WALK], c[RUN], c[FASTER]}, lost[] = {c[WALK], c[RUN], c[SLOWER], c[LEFT]};
  struct motion_graph *g = new_graph(arena, w->c, one_way, 3);
  CHECK_INT(g->n_left_out, 2);
  CHECK(g->use[0] == GRAPH_USED && g->use[1] == GRAPH_NO_WAY_BACK && g->use[2] == GRAPH_NO_WAY_BACK);
  CHECK(g->n_nodes == 1 && g->n_segments == 1 && g->nodes[0].frame == 0 && g->nodes[0].clip == 0);
  CHECK_INT(g->segments[0].length, w->made[WALK]->n_frames);
  CHECK_INT(g->segments[0].n_pieces, 1);
  CHECK_NEAR(g->segments[0].x, w->made[WALK]->advance.x, 1e-12);
  g = new_graph(arena, w->c, lost, 4);
  CHECK_INT(g->n_left_out, 2);
  CHECK(g->use[1] == GRAPH_UNREACHABLE && g->use[2] == GRAPH_UNREACHABLE && g->use[3] == GRAPH_USED);
  CHECK(g->n_nodes == 1 && g->n_segments == 2 && g->nodes[0].frame == 3);
  CHECK_INT(g->segments[0].length, w->made[WALK]->n_frames);
  arena_free(arena);
}

/* ---- faults of clips ---- */

static void expect_error(const struct world *w, const struct graph_clip *clips, int n, const char *expected)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct graph_input in = {w->c, "run.muy", n, clips, 0, NULL};
  CHECK(graph_new(arena, &in, &d) == NULL);
  char *text = diag_text(&d);
  CHECK_STR(text, expected);
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

static void test_errors(const struct world *w)
{
  struct clip left = *w->made[LEFT];
  struct graph_clip pair[] = {w->clips[WALK], {12, &left, NULL}};
  expect_error(w, pair, 0, "run.muy: error: no clip is cyclic: there is nothing to start with\n");
  left.from.clip = 99;
  expect_error(w, pair, 2, "run.muy: error: clip 12 (walk-turn) comes from clip 99, which is not there\n");
  left.from.clip = 0;
  expect_error(w, pair, 2, "run.muy: error: clip 12 (walk-turn) does not say which clip it comes from\n");
  left = *w->made[LEFT], left.to.frame++;
  double apart = verify_junction(w->c, &left, 1, w->made[WALK], left.to.frame);
  expect_error(w, pair, 2, arena_printf(w->arena, "run.muy: error: clip 12 (walk-turn) goes to frame 6 of clip 11, but "
                                        "does not match there: it is off by %.3g, allowed is 1e-06\n", apart));
  left = *w->made[LEFT], left.dt *= 1.01;
  expect_error(w, pair, 2, arena_printf(w->arena, "run.muy: error: clip 12 (walk-turn) has %.6g frames a second, clip "
                                        "11 has %.6g: all must have the same\n", 1 / left.dt, 1.01 / left.dt));
  left = *w->made[LEFT], left.n_points++;
  expect_error(w, pair, 2, "run.muy: error: clip 12 (walk-turn) is not a motion of biped: it has 16 dofs and 3 contact "
                           "points, not 16 and 2\n");
  left = *w->made[LEFT], left.gait_after = "gallop";
  expect_error(w, pair, 2, "run.muy: error: clip 12 (walk-turn) is in gait 'gallop', which biped does not have\n");
  left = *w->made[LEFT], left.n_frames = 3;
  expect_error(w, pair, 2, "run.muy: error: clip 12 (walk-turn) has 3 frames; it needs 4 at least\n");
  left = *w->made[LEFT], pair[1].id = 11;
  expect_error(w, pair, 2, "run.muy: error: clip 11 (walk-turn) is there twice\n");
  struct clip second = *w->made[SECOND_THOUGHT];
  struct graph_clip three[] = {w->clips[WALK], w->clips[LEFT], {13, &second, NULL}};
  second.from.frame = w->made[LEFT]->n_frames - 1;
  int last = second.from.frame;
  expect_error(w, three, 3, arena_printf(w->arena, "run.muy: error: clip 13 (walk-turn) comes from frames %d and %d of "
                                         "clip 12, which has frames 0 to %d\n", last, last + 1, last));
}

/* ---- graphs of random shape ---- */

enum { MADE = 14, LONGEST = 12, ROOM = MADE * LONGEST };
static const struct clip_advance glide = {0.1, 0.02, 0.05}; /* from frame to frame: any two clips can be joined */

struct maze {                  /* frames are clip * LONGEST + frame; names: frames that are the same have the same */
  struct graph_clip clips[MADE];
  struct clip *made[MADE];
  int name[ROOM], kept[ROOM];   /* kept: the step from there to the next frame of the clip is of use */
};

static struct clip_advance power(struct clip_advance a, int n)
{
  struct clip_advance out = {0, 0, 0};
  while (n-- > 0)
    out = ground_after(out, a);
  return out;
}

static struct maze random_maze(struct arena *arena, const struct creature *c, struct rng *r)
{
  struct maze s;
  for (int i = 0; i < MADE; i++) {
    int cyclic = i == 0 || rng_below(r, 4) == 0, n = 4 + rng_below(r, LONGEST - 4);
    struct clip *clip = s.made[i] = clip_new(arena, c, n, 0.01);
    clip->name = clip->gait = clip->gait_after = "walk";
    clip->cyclic = cyclic;
    clip->turn = cyclic ? 0 : glide.yaw * (n - 2);
    clip->advance = power(glide, n);
    for (int k = 0; k < n; k++) {
      creature_rest_pose(c, clip->q + k * c->n_dofs);
      clip_move_pose(power(glide, k), clip->q + k * c->n_dofs);
    }
    s.clips[i] = (struct graph_clip){i + 1, clip, NULL};
    struct clip_end *ends[] = {&clip->from, &clip->to};
    for (int e = 0; e < 2 && !cyclic; e++) {
      int other = rng_below(r, 3) ? rng_below(r, i) : 0;
      *ends[e] = (struct clip_end){other + 1, rng_below(r, s.made[other]->n_frames - !s.made[other]->cyclic)};
    }
  }
  return s;
}

static int at(int clip, int frame) { return clip * LONGEST + frame; }

static int next_frame(const struct maze *s, int frame)
{
  int clip = frame / LONGEST, k = frame % LONGEST + 1;
  return at(clip, s->made[clip]->cyclic ? k % s->made[clip]->n_frames : k);
}

/* Does a step lead on from this frame of its clip? Not from the last two of a transition, which are another clip's. */
static int has_step(const struct maze *s, int frame)
{
  const struct clip *clip = s->made[frame / LONGEST];
  return frame % LONGEST < (clip->cyclic ? clip->n_frames : clip->n_frames - 2);
}

static void unite(struct maze *s, int a, int b)
{
  int old = s->name[a], new = s->name[b];
  for (int i = 0; i < ROOM; i++)
    if (s->name[i] == old)
      s->name[i] = new;
}

/* Marks the names that can be reached from the first frame, or backwards. */
static void flood(const struct maze *s, int backwards, int *seen)
{
  memset(seen, 0, ROOM * sizeof *seen);
  seen[s->name[0]] = 1;
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < ROOM; i++) {
      int near = s->name[i], far = has_step(s, i) ? s->name[next_frame(s, i)] : near, swap = near;
      if (backwards)
        near = far, far = swap;
      if (seen[near] && !seen[far])
        seen[far] = again = 1;
    }
  }
}

static void solve_maze(struct maze *s)
{
  int reached[ROOM], returning[ROOM];
  for (int i = 0; i < ROOM; i++)
    s->name[i] = i;
  for (int i = 0; i < MADE; i++)
    if (!s->made[i]->cyclic) {
      unite(s, at(i, 0), at(s->made[i]->from.clip - 1, s->made[i]->from.frame));
      unite(s, at(i, s->made[i]->n_frames - 2), at(s->made[i]->to.clip - 1, s->made[i]->to.frame));
    }
  flood(s, 0, reached);
  flood(s, 1, returning);
  for (int i = 0; i < ROOM; i++)
    s->kept[i] = has_step(s, i) && reached[s->name[i]] && returning[s->name[next_frame(s, i)]];
}

static int ways_out(const struct maze *s, int name)
{
  int ways = 0;
  for (int i = 0; i < ROOM; i++)
    ways += s->kept[i] && s->name[i] == name;
  return ways;
}

/* Steps on from a frame until the next choice: how many, and where that is. */
static int steps_to_choice(const struct maze *s, int frame, int single, int *end)
{
  int steps = 0;
  do {
    frame = next_frame(s, frame);
    steps++;
    for (int i = 0; i < ROOM && !s->kept[frame]; i++)
      if (s->kept[i] && s->name[i] == s->name[frame])
        frame = i;
  } while (single ? s->name[frame] != s->name[0] : ways_out(s, s->name[frame]) < 2);
  *end = s->name[frame];
  return steps;
}

/* A node's ground frame against its root's: headings are not yaws in the middle of a transition. */
static struct clip_advance node_heading(const struct maze *s, const struct graph_node *n)
{
  return (struct clip_advance){0, 0, ground_heading(s->made[n->clip], n->frame) - glide.yaw * n->frame};
}

static void check_maze_segment(const struct maze *s, const struct motion_graph *g, const struct graph_segment *e)
{
  const struct graph_node *from = &g->nodes[e->from], *to = &g->nodes[e->to];
  int first = at(e->choice, e->choice == from->clip ? from->frame : 0), end;
  CHECK(s->kept[first] && s->name[first] == s->name[at(from->clip, from->frame)]);
  CHECK_INT(steps_to_choice(s, first, g->n_segments == 1, &end), e->length);
  CHECK_INT(end, s->name[at(to->clip, to->frame)]);
  struct clip_advance way = ground_after(power(glide, e->length), node_heading(s, to));
  way = ground_after(ground_inverse(node_heading(s, from)), way);
  CHECK_NEAR(e->x, way.x, 1e-9);
  CHECK_NEAR(e->y, way.y, 1e-9);
  CHECK_NEAR(e->turn, way.yaw, 1e-9);
  int k = 0;
  for (int p = 0; p < e->n_pieces; p++)
    for (int i = 0; i < e->pieces[p].count; i++, k++) { /* every frame is where k steps lead */
      double q[64] = {0};
      clip_frame(s->made[e->pieces[p].clip], e->pieces[p].first + i, q);
      clip_move_pose(e->pieces[p].place, q);
      way = ground_after(ground_inverse(node_heading(s, from)), power(glide, k));
      CHECK_NEAR(q[0], way.x, 1e-9);
      CHECK_NEAR(q[1], way.y, 1e-9);
      CHECK_NEAR(q[3], way.yaw, 1e-9);
    }
  CHECK_INT(k, e->length);
}

static void test_random_mazes(const struct world *w)
{
  struct rng r = rng_stream(8, 3);
  int most_nodes = 0, left_out = 0, longest = 0;
  for (int trial = 0; trial < 150; trial++) {
    struct arena *arena = arena_new();
    struct maze s = random_maze(arena, w->c, &r);
    solve_maze(&s);
    struct motion_graph *g = new_graph(arena, w->c, s.clips, MADE);
    int ways = 0, choices = 0, single = 1;
    for (int name = 0; name < ROOM; name++)
      if (ways_out(&s, name) > 1)
        ways += ways_out(&s, name), choices++, single = 0;
    CHECK_INT(g->n_nodes, single ? 1 : choices);
    CHECK_INT(g->n_segments, single ? 1 : ways);
    for (int i = 0; i < MADE; i++) {
      int used = 0;
      for (int k = 0; k < LONGEST; k++)
        used |= s.kept[at(i, k)];
      CHECK_INT(g->use[i] == GRAPH_USED, used);
    }
    for (int i = 0; i < g->n_segments; i++) {
      check_maze_segment(&s, g, &g->segments[i]);
      longest = g->segments[i].n_pieces > longest ? g->segments[i].n_pieces : longest;
    }
    most_nodes = g->n_nodes > most_nodes ? g->n_nodes : most_nodes;
    left_out += g->n_left_out > 0;
    arena_free(arena);
  }
  CHECK(most_nodes > 6 && left_out > 30 && longest > 2); /* the shapes are not all alike */
}

/* Two transitions that come from each other. */
static void test_circle(const struct world *w)
{
  struct rng r = rng_stream(8, 3);
  struct maze s = random_maze(w->arena, w->c, &r);
  for (int i = 1; i < 3; i++) {
    s.made[i]->cyclic = 0;
    s.made[i]->from = (struct clip_end){4 - i, 1};
    s.made[i]->to = (struct clip_end){1, 0};
  }
  expect_error(w, s.clips, 3,
               "run.muy: error: clip 2 (walk) comes from or goes to transitions that come from or go to it\n"
               "run.muy: error: clip 3 (walk) comes from or goes to transitions that come from or go to it\n");
}

int main(void)
{
  struct world w = new_world();
  struct motion_graph *g = new_graph(w.arena, w.c, w.clips, N_CLIPS);
  test_mirror(&w);
  test_mirror_shift(&w);
  test_cyclic_features(&w, g);
  test_transition_features(&w, g);
  test_made_features(&w);
  test_structure(&w, g);
  test_segment_features(g);
  test_journey(&w, g);
  test_check(&w);
  test_left_out(&w);
  test_errors(&w);
  test_random_mazes(&w);
  test_circle(&w);
  arena_free(w.arena);
  return test_finish();
}

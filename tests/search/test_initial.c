/* Initial motions from a small set of solved clips: what is there is found again, ends and turns are what was asked,
 * the quality is that of the distances made anew, walks through the clips are all there are, and the same twice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "motion/ground.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "search/initial.h"
#include "search/walk.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

enum { WALK, RUN, LEFT, RIGHT, FASTER, SLOWER, N_CLIPS };

struct world {
  struct arena *arena;
  const struct creature *c;
  struct clip *made[N_CLIPS];
  struct initial_library *lib;
  struct initial_options o;
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
    exit(99);
  return clip;
}

static struct clip *solve_link(struct world *w, int from, int from_frame, int to, int to_frame, double turn)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct transition_request r = {.c = w->c, .from = w->made[from], .to = w->made[to], .from_frame = from_frame,
                                 .to_frame = to_frame, .from_id = id_of(from), .to_id = id_of(to), .turn = turn};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(w->arena, &r, &o, &report);
  if (!clip)
    exit(99);
  return clip;
}

static struct world new_world(void)
{
  struct world w = {.arena = arena_new()};
  int shift = 0;
  w.c = zoo_load(w.arena, 0);
  if (!w.c)
    exit(99);
  w.made[WALK] = solve_gait(&w, "walk", 0.6);
  w.made[RUN] = solve_gait(&w, "run", 1.5);
  w.made[LEFT] = solve_link(&w, WALK, 3, WALK, 9, 0.7);
  CHECK(clip_mirror_shift(w.c, w.made[WALK], 1e-7, &shift));
  w.made[RIGHT] = clip_mirror(w.arena, w.c, w.made[LEFT]);
  w.made[RIGHT]->from.frame += shift;
  w.made[RIGHT]->to.frame += shift;
  w.made[FASTER] = solve_link(&w, WALK, 10, RUN, 9, 0);
  w.made[SLOWER] = solve_link(&w, RUN, 9, WALK, 30, 0);
  w.lib = initial_library_new(w.arena, w.c);
  for (int i = 0; i < N_CLIPS; i++)
    CHECK_INT(initial_library_add(w.lib, id_of(i), w.made[i]), i);
  CHECK_INT(initial_library_size(w.lib), N_CLIPS);
  CHECK(initial_library_clip(w.lib, LEFT) == w.made[LEFT]);
  initial_defaults(&w.o);
  return w;
}

/* ---- walks ---- */

/* Every spot follows from the one before: poses go on without a jump, and the way is one that the clips allow. */
static void check_walk(const struct world *w, const struct spot *s, int n)
{
  double q[64], before[64], ahead[64];
  for (int k = 0; k < n; k++) {
    clip_frame(w->made[s[k].clip], s[k].frame, q);
    clip_move_pose(s[k].place, q);
    for (int i = 0; i < w->c->n_dofs && k > 1; i++) /* no farther from the straight line than a fast motion goes */
      CHECK_NEAR(q[i] - 2 * before[i] + ahead[i], 0, 0.14);
    memcpy(ahead, before, sizeof ahead);
    memcpy(before, q, sizeof before);
  }
}

static int count_walks(const struct world *w, const struct walk_list *found, int transition)
{
  int count = 0;
  (void)w;
  for (int i = 0; i < found->n; i++)
    for (int k = 0, seen = 0; k < found->lengths[i] && !seen; k++)
      if (found->spots[i][k].clip == transition)
        count++, seen = 1;
  return count;
}

static void test_walks(const struct world *w)
{
  int ids[N_CLIPS];
  const struct clip *clips[N_CLIPS];
  struct clip_list all = {N_CLIPS, ids, clips};
  struct walk_limits limits = {100, 1};
  for (int i = 0; i < N_CLIPS; i++)
    ids[i] = id_of(i), clips[i] = w->made[i];
  int n = 30; /* from 0: past the departures at 3 and 10, not at 34 */
  struct walk_list out = walk_paths(w->arena, &all, WALK, 0, n, 1, &limits);
  CHECK_INT(out.n, 3);
  CHECK_INT(count_walks(w, &out, LEFT), 1);
  CHECK_INT(count_walks(w, &out, FASTER), 1);
  CHECK_INT(out.spots[0][n - 1].frame, n - 1);
  CHECK(out.spots[1][3].clip == WALK && out.spots[1][4].clip == LEFT && out.spots[1][4].frame == 1);
  struct walk_list in = walk_paths(w->arena, &all, WALK, 35, n, -1, &limits); /* arrivals at 9 and 30 */
  CHECK_INT(in.n, 3);
  for (int i = 0; i < in.n; i++) {
    CHECK(in.spots[i][n - 1].frame == 36 && in.spots[i][n - 2].frame == 35 && in.spots[i][n - 1].clip == WALK);
    check_walk(w, in.spots[i], n);
  }
  for (int i = 0; i < out.n; i++)
    check_walk(w, out.spots[i], n);
  limits.max_walks = 2;
  CHECK_INT(walk_paths(w->arena, &all, WALK, 0, n, 1, &limits).n, 2);
}

/* Cycles: each gait, once and as often as there is time; each turn; both turns; out and back. */
static void test_cycles(const struct world *w)
{
  int ids[N_CLIPS], walk = w->made[WALK]->n_frames, run = w->made[RUN]->n_frames, most = 4 * walk;
  const struct clip *clips[N_CLIPS];
  struct clip_list all = {N_CLIPS, ids, clips};
  struct walk_limits limits = {100, 2};
  for (int i = 0; i < N_CLIPS; i++)
    ids[i] = id_of(i), clips[i] = w->made[i];
  struct walk_list found = walk_cycles(w->arena, &all, most, &limits);
  CHECK_INT(count_walks(w, &found, LEFT), 2);
  CHECK_INT(count_walks(w, &found, RIGHT), 2);
  CHECK_INT(count_walks(w, &found, FASTER), count_walks(w, &found, SLOWER));
  CHECK_INT(found.n, 4 + most / run + 3 + count_walks(w, &found, FASTER));
  for (int i = 0; i < found.n; i++) {
    const struct spot *first = found.spots[i], *last = first + found.lengths[i];
    CHECK(first->clip == last->clip && (first->frame - last->frame) % clips[first->clip]->n_frames == 0);
    CHECK(found.lengths[i] <= most);
    check_walk(w, found.spots[i], found.lengths[i] + 1);
  }
}

/* A loop within a way around is gone through once, not for ever: hand-made clips that stand still. */
static void test_loops(const struct world *w)
{
  struct clip *walk = clip_new(w->arena, w->c, 40, 0.02), *start = clip_new(w->arena, w->c, 10, 0.02);
  struct clip *back = clip_new(w->arena, w->c, 10, 0.02);
  const struct clip *clips[3] = {walk, start, back};
  const int ids[3] = {1, 2, 3};
  struct clip_list all = {3, ids, clips};
  struct walk_limits limits = {100, 3};
  walk->cyclic = 1;
  start->from = (struct clip_end){1, 0}, start->to = (struct clip_end){1, 5};
  back->from = (struct clip_end){1, 20}, back->to = (struct clip_end){1, 10}; /* earlier than it left */
  struct walk_list found = walk_cycles(w->arena, &all, 100, &limits);
  CHECK_INT(found.n, 2 + 3); /* the walk once and twice; along start, along back, along both */
  CHECK_INT(count_walks(w, &found, 2), 2);
}

/* ---- quality ---- */

static void test_quality(const struct world *w)
{
  for (int i = 0; i < N_CLIPS; i++)
    CHECK_NEAR(initial_quality(w->lib, w->made[i]), 0, 1e-9);
  struct clip *bent = clip_mirror(w->arena, w->c, w->made[LEFT]); /* any clip that is not there */
  for (int k = 0; k < bent->n_frames; k++)
    for (int i = 6; i < w->c->n_dofs; i++)
      bent->q[k * w->c->n_dofs + i] += 0.2 * sin(0.3 * k + i);
  struct distance_matrix *m = distance_new(w->arena, w->c);
  for (int i = 0; i < N_CLIPS; i++)
    distance_add(m, id_of(i), w->made[i]);
  distance_add(m, 99, bent);
  double sum = 0;
  for (int k = 0; k < bent->n_frames; k++) {
    double best = INFINITY;
    for (int i = 0; i < N_CLIPS; i++)
      for (int j = 0; j < w->made[i]->n_frames; j++)
        best = fmin(best, distance_between(m, N_CLIPS, k, i, j));
    sum += best;
  }
  CHECK(sum > 0.5);
  CHECK_NEAR(initial_quality(w->lib, bent), sum, 1e-9);
}

/* ---- transitions ---- */

static void check_transition(const struct world *w, const struct initial_transition *r, const struct initial_motion *m)
{
  CHECK(m->clip != NULL);
  if (!m->clip)
    return;
  CHECK_INT(m->clip->n_frames, r->frames);
  CHECK_NEAR(m->clip->turn, r->turn, 0);
  CHECK_NEAR(verify_junction(w->c, m->clip, 0, w->made[r->from_clip - 11], r->from_frame), 0, 1e-9);
  CHECK_NEAR(verify_junction(w->c, m->clip, 1, w->made[r->to_clip - 11], r->to_frame), 0, 1e-9);
  double end[4], there[4]; /* the last pose looks where the clip it joins would, turned */
  ground_pose(m->clip, r->frames - 2, end);
  ground_pose(w->made[r->to_clip - 11], r->to_frame, there);
  there[3] -= ground_heading(w->made[r->to_clip - 11], r->to_frame);
  CHECK_NEAR(ground_wrap(end[3] - there[3] - r->turn), 0, 1e-9);
  CHECK_NEAR(m->quality, initial_quality(w->lib, m->clip), 0);
  CHECK(m->quality <= m->linear_quality);
  for (int k = 0; k < r->frames; k++) {
    double weight = 0;
    int touching = 0;
    for (int i = 0; i < w->c->n_points; i++) {
      weight += m->clip->force[3 * (k * w->c->n_points + i) + 2];
      touching += m->clip->contact[k * w->c->n_points + i];
    }
    CHECK_NEAR(weight, touching ? w->c->mass * CREATURE_GRAVITY : 0, 1e-9);
  }
}

/* A clip that is there is found: the blend of a path with itself. */
static void test_known(const struct world *w)
{
  for (int i = LEFT; i < N_CLIPS; i++) {
    const struct clip *t = w->made[i];
    struct initial_transition r = {t->from.clip, t->from.frame, t->to.clip, t->to.frame, t->turn, t->n_frames};
    struct initial_motion m = initial_transition(w->arena, w->lib, &r, &w->o);
    check_transition(w, &r, &m);
    CHECK_NEAR(m.quality, 0, 1e-6);
    CHECK_NEAR(initial_rough_quality(w->lib, &r, &w->o), 0, 1e-6);
    for (int k = 0; m.clip && k < t->n_frames * w->c->n_dofs; k++)
      CHECK_NEAR(m.clip->q[k], t->q[k], 1e-6);
  }
}

static void test_transitions(const struct world *w)
{
  static const struct initial_transition asked[] = {
    {11, 3, 11, 9, 0.5, 70}, {11, 20, 11, 50, -1.5, 90}, {11, 40, 12, 3, 0.3, 60}, {12, 5, 11, 0, 0, 50},
    {13, 20, 11, 9, -0.4, 50}, {11, 5, 13, 30, 0.9, 40}, {12, 0, 12, 0, 3, 100}, {11, 0, 11, 0, 0, 8}};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    struct initial_motion m = initial_transition(w->arena, w->lib, &asked[i], &w->o);
    struct initial_motion again = initial_transition(w->arena, w->lib, &asked[i], &w->o);
    check_transition(w, &asked[i], &m);
    CHECK(m.n_tried > 1 && m.n_tried <= w->o.max_paths * w->o.max_paths);
    CHECK(m.quality > 0 && m.quality < 0.1 * asked[i].frames);
    double rough = initial_rough_quality(w->lib, &asked[i], &w->o);
    CHECK(rough > 0.1 * m.linear_quality && rough < 5 * m.linear_quality);
    CHECK(m.clip && again.clip &&
          memcmp(m.clip->q, again.clip->q, (size_t)(m.clip->n_frames * w->c->n_dofs) * sizeof *m.clip->q) == 0);
  }
  struct initial_transition lost = {99, 0, 11, 0, 0, 30};
  CHECK(initial_transition(w->arena, w->lib, &lost, &w->o).clip == NULL);
  CHECK(isinf(initial_transition(w->arena, w->lib, &lost, &w->o).quality));
  CHECK(isinf(initial_rough_quality(w->lib, &lost, &w->o)));
}

/* Out of step and past the end of a cycle: the registration finds what belongs together, wherever it
 * stands. */
static void test_registration(const struct world *w)
{
  static const struct initial_transition asked[] = {{11, 50, 12, 20, 0, 90}, {12, 40, 11, 20, 0.4, 80}};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    struct initial_motion m = initial_transition(w->arena, w->lib, &asked[i], &w->o);
    CHECK(m.registered && m.quality < 0.75 * m.linear_quality);
  }
}

/* The nearer the turn is to one that is there, the better the start. */
static void test_nearer(const struct world *w)
{
  const struct clip *t = w->made[LEFT];
  double last = 0;
  for (int i = 0; i < 4; i++) {
    struct initial_transition r = {t->from.clip, t->from.frame, t->to.clip, t->to.frame, 0, t->n_frames};
    r.turn = t->turn + 0.4 * i;
    double q = initial_transition(w->arena, w->lib, &r, &w->o).quality;
    CHECK(q > last - 1e-9);
    last = q + 0.05;
  }
}

/* ---- cycles ---- */

static void test_cycle(const struct world *w)
{
  int walk = creature_find_gait(w->c, "walk"), run = creature_find_gait(w->c, "run"), n = w->made[WALK]->n_frames;
  struct initial_cycle same = {walk, w->made[WALK]->speed, 0, n}, fast = {run, 1.8, 0.3, 50};
  struct initial_motion m = initial_cycle(w->arena, w->lib, &same, &w->o);
  CHECK(m.clip && m.clip->cyclic && m.n_tried >= 2);
  CHECK_NEAR(m.quality / n, 0, 0.01); /* the walk itself, but for a frame of phase */
  m = initial_cycle(w->arena, w->lib, &fast, &w->o);
  CHECK(m.clip != NULL);
  if (!m.clip)
    return;
  CHECK_INT(m.clip->n_frames, 50);
  CHECK_STR(m.clip->gait, "run");
  CHECK_NEAR(m.clip->advance.x, 1.8 * cos(0.3) * 50 * m.clip->dt, 1e-9);
  CHECK_NEAR(m.clip->advance.y, 1.8 * sin(0.3) * 50 * m.clip->dt, 1e-9);
  for (int k = 0; k < 50; k++)
    for (int i = 0; i < w->c->n_points; i++)
      CHECK_INT(m.clip->contact[k * w->c->n_points + i], gait_contact(&w->c->gaits[run], i, (k + 0.5) / 50));
  CHECK_NEAR(m.quality, initial_quality(w->lib, m.clip), 0);
  struct initial_library *empty = initial_library_new(w->arena, w->c);
  CHECK(initial_cycle(w->arena, empty, &fast, &w->o).clip == NULL);
}

/* A cycle of turns is made straight. */
static void test_turning_cycle(struct world *w)
{
  const struct clip *walk = w->made[WALK];
  struct spacetime_options so;
  struct spacetime_report report;
  struct transition_request t = {.c = w->c, .from = walk, .to = walk, .from_frame = 20, .to_frame = 20, .from_id = 11,
                                 .to_id = 11, .turn = 0.8, .frames = walk->n_frames};
  spacetime_defaults(&so);
  struct clip *turn = spacetime_transition(w->arena, &t, &so, &report);
  struct initial_library *lib = initial_library_new(w->arena, w->c);
  struct initial_options o = w->o;
  struct initial_cycle r = {creature_find_gait(w->c, "walk"), 0.6, 0, 60};
  CHECK(turn != NULL);
  if (!turn)
    return;
  initial_library_add(lib, 11, walk);
  initial_library_add(lib, 12, turn);
  o.longest_cycle = (walk->n_frames - 1.5) * walk->dt; /* too short for the walk itself */
  struct initial_motion m = initial_cycle(w->arena, lib, &r, &o);
  CHECK_INT(m.n_tried, 1);
  for (int k = 0; m.clip && k < m.clip->n_frames; k++)
    CHECK_NEAR(m.clip->q[k * w->c->n_dofs + 3], walk->q[20 * w->c->n_dofs + 3], 0.3);
}

/* A cycle made this way is a start from which the optimizer arrives. */
static void test_solving(const struct world *w)
{
  struct initial_cycle faster = {creature_find_gait(w->c, "walk"), 0.8, 0, 60};
  struct initial_motion m = initial_cycle(w->arena, w->lib, &faster, &w->o);
  struct spacetime_options o;
  struct spacetime_report report;
  struct verify_report verification;
  struct gait_request r = {.c = w->c, .gait = faster.gait, .speed = 0.8, .frames = 60, .near = m.clip};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(w->arena, &r, &o, &report);
  CHECK(clip != NULL);
  if (!clip)
    return;
  verify_clip(w->arena, w->c, clip, &verification);
  CHECK(verification.passed);
}

int main(void)
{
  struct world w = new_world();
  test_walks(&w);
  test_cycles(&w);
  test_loops(&w);
  test_quality(&w);
  test_known(&w);
  test_transitions(&w);
  test_registration(&w);
  test_nearer(&w);
  test_cycle(&w);
  test_turning_cycle(&w);
  test_solving(&w);
  arena_free(w.arena);
  return test_finish();
}

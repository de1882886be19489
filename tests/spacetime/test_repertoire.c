/* Standing, and what begins and ends in a stand: of the biped, whose feet are points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "creature/style.h"
#include "motion/ground.h"
#include "spacetime/repertoire.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

/* ---- the stand ---- */

static void check_stand(struct arena *arena, const struct creature *c, const struct clip *stand)
{
  struct verify_report report;
  size_t n = (size_t)c->n_dofs;
  int same = 1, all_on = 1;
  for (int k = 1; k < stand->n_frames; k++) {
    same &= memcmp(stand->q, stand->q + (size_t)k * n, n * sizeof *stand->q) == 0;
    for (int p = 0; p < c->n_points; p++)
      all_on &= stand->contact[k * c->n_points + p];
  }
  CHECK(same && all_on);
  CHECK(stand->cyclic && stand->speed == 0 && stand->advance.x == 0 && stand->advance.y == 0);
  CHECK(stand->q[2] > 0.97 * c->height); /* no crouch */
  for (int i = 0; i < c->n_dofs; i++) /* its own mirror image */
    CHECK_NEAR(stand->q[i], c->dofs[i].mirror_sign * stand->q[c->dofs[i].mirror], 1e-9);
  verify_clip(arena, c, stand, &report);
  CHECK(report.passed);
  clip_frame(stand, 3, stand->q); /* the check can fail: a frame that floats */
  stand->q[2] += 0.01;
  verify_clip(arena, c, stand, &report);
  CHECK(!report.passed);
  stand->q[2] -= 0.01;
}

static void check_refusal(struct arena *arena, const struct creature *c)
{
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, CREATURE_STAND), .speed = 0.1};
  CHECK(!spacetime_gait(arena, &r, &o, &report) && report.status == SPACETIME_REFUSED);
  CHECK(strstr(report.reason, "stays on the ground for the whole cycle") != NULL);
}

/* ---- turns ---- */

/* Every foot steps, never are all in the air, and the last frame is the stand, turned. */
static void check_turn(const struct creature *c, const struct repertoire_motion *m, const struct clip *stand)
{
  const struct clip *t = m->clip;
  const double *last = t->q + (size_t)(t->n_frames - 1) * (size_t)c->n_dofs;
  int lifts[16] = {0};
  for (int k = 0; k + 1 < t->n_frames; k++) {
    int touching = 0;
    for (int p = 0; p < c->n_points; p++) {
      touching += t->contact[k * c->n_points + p];
      lifts[p] += t->contact[k * c->n_points + p] && !t->contact[(k + 1) * c->n_points + p];
    }
    CHECK(touching > 0);
  }
  int steps = (int)ceil(m->turn / 0.8 - 0.05);
  for (int p = 0; p < c->n_points; p++)
    CHECK(lifts[p] >= steps && lifts[p] <= steps + 1);
  CHECK_NEAR(last[3], m->turn, 1e-6);
  for (int i = 4; i < c->n_dofs; i++)
    CHECK_NEAR(last[i], stand->q[i], 1e-6);
  CHECK(hypot(last[0], last[1]) < 0.5 * c->height); /* on the spot */
}

/* To the right it begins with the other foot: the mirror image of the same to the left. */
static void check_right(struct arena *arena, const struct creature *c, const struct clip *stand,
                        const struct clip *left)
{
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct transition_request r = {.c = c, .from = stand, .to = stand, .turn = -45 * degree};
  struct clip *right = spacetime_transition(arena, &r, &o, &report);
  CHECK(right && right->n_frames == left->n_frames);
  for (int k = 0; right && k < left->n_frames; k++)
    for (int p = 0; p < c->n_points; p++)
      CHECK(right->contact[k * c->n_points + p] == left->contact[k * c->n_points + c->points[p].mirror]);
}

/* A turn that is too large for one piece is two that are alike, with a stand between them. */
static void check_large_turn(struct arena *arena, const struct creature *c, const struct clip *stand,
                             const struct clip *half)
{
  struct spacetime_options o;
  struct spacetime_report report;
  struct verify_report v;
  struct transition_request r = {.c = c, .from = stand, .to = stand, .turn = 90 * degree};
  spacetime_defaults(&o);
  o.largest_on_spot = half->n_frames * (double)c->n_dofs * c->n_dofs + 1;
  o.longest_polished = 0;
  struct clip *whole = spacetime_transition(arena, &r, &o, &report);
  CHECK(whole && whole->n_frames == 2 * half->n_frames - 2);
  if (!whole)
    return;
  verify_transition(arena, c, whole, &(struct verify_neighbours){stand, stand, 0, 0}, &v);
  CHECK(v.passed);
  CHECK_NEAR(whole->q[(size_t)(half->n_frames - 1) * (size_t)c->n_dofs + 3], 45 * degree, 1e-6);
}

static const struct repertoire_motion *find(const struct repertoire *r, const char *name)
{
  for (int i = 0; i < r->n; i++)
    if (strcmp(r->motions[i].name, name) == 0)
      return &r->motions[i];
  fprintf(stderr, "there is no %s\n", name);
  exit(99);
}

/* What it does on the way is what was asked: the head to the left, then to the right, and back. */
static void check_idle(const struct creature *c, const struct repertoire_motion *m)
{
  double low = 0, high = 0;
  int dof = m->keys[0].dof, on = 1;
  for (int k = 0; k < m->clip->n_frames; k++) {
    double q = m->clip->q[k * c->n_dofs + dof];
    low = fmin(low, q), high = fmax(high, q);
    for (int p = 0; p < c->n_points; p++)
      on &= m->clip->contact[k * c->n_points + p];
  }
  CHECK(on);
  CHECK(m->clip->n_frames * m->clip->dt >= 1);
  CHECK(high > 0.5 * m->keys[0].angle && low < 0.5 * m->keys[1].angle);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct spacetime_options o;
  const double turns[] = {45 * degree, 90 * degree};
  const struct creature *c = zoo_find(arena, "biped");
  spacetime_defaults(&o);
  if (!c)
    return 99;
  struct repertoire r = repertoire_plan(arena, c, &(struct repertoire_options){.turns = turns, .n_turns = 2});
  CHECK_INT(r.n, 17);
  check_refusal(arena, c);
  for (int i = 0; i < r.n; i++) {
    struct repertoire_motion *m = &r.motions[i];
    int passed = repertoire_solve(arena, &r, i, &o);
    if (!passed)
      fprintf(stderr, "%s: %s\n", m->name, m->reason);
    CHECK(passed && m->clip && !m->reason[0]);
    if (!passed)
      return test_finish();
    CHECK_STR(m->clip->name, m->name);
    CHECK(m->cyclic || m->judged.passed);
  }
  const struct clip *stand = r.motions[0].clip;
  check_stand(arena, c, stand);
  check_turn(c, find(&r, "stand-turn-45"), stand);
  check_turn(c, find(&r, "stand-turn-90"), stand);
  check_right(arena, c, stand, find(&r, "stand-turn-45")->clip);
  check_large_turn(arena, c, stand, find(&r, "stand-turn-45")->clip);
  check_idle(c, find(&r, "stand-look"));
  check_idle(c, find(&r, "stand-shift"));
  CHECK(find(&r, "back")->clip->advance.x < 0 && find(&r, "side")->clip->advance.y > 0);

  struct repertoire broken = r; /* what cannot be is not tried, and it is said why */
  struct repertoire_motion motions[32];
  memcpy(motions, r.motions, (size_t)r.n * sizeof *motions);
  broken.motions = motions;
  for (int i = 0; i < r.n; i++)
    if (strcmp(motions[i].name, "walk") == 0)
      motions[i].passed = 0;
  for (int i = 0; i < r.n; i++)
    if (strcmp(motions[i].name, "stand-walk") == 0) {
      motions[i].reason[0] = 0, motions[i].passed = 0;
      CHECK(!repertoire_solve(arena, &broken, i, &o));
      CHECK_STR(motions[i].reason, "there is no walk");
    }
  arena_free(arena);
  return test_finish();
}

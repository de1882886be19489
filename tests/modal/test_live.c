/* Modal control one step at a time: with the same inputs it is what modal_run() does, to the bit; edits, loads, slopes
 * and hands that lead hold at any time; it goes on for ever in the same memory; saved and restored it goes on exactly
 * so. */
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "modal/live.h"
#include "follow/walk.h"
#include "zoo.h"

struct stage {
  struct arena *arena;
  const struct creature *c;
  const struct clip *clips[2];
  struct modal_run_options o;
};

static struct stage stage_of(const char *name)
{
  struct stage s = {.arena = arena_new()};
  s.c = zoo_find(s.arena, name);
  s.clips[0] = s.clips[1] = walk_of(s.arena, s.c);
  modal_run_defaults(s.c, &s.o);
  s.o.where = MODAL_WORLD;
  s.o.world.engine = WORLD_TREE;
  s.o.seconds = 0;
  return s;
}

static struct modal_live *begin(const struct stage *s)
{
  struct diag d;
  diag_init(&d);
  struct modal_live *l = modal_live_new(s->c, 2, s->clips, &s->o, &d);
  CHECK(l && d.n_errors == 0);
  diag_clear(&d);
  return l;
}

static int steps_of(const struct modal_live *l, double seconds)
{
  return (int)(seconds / modal_live_step_seconds(l));
}

/* ---- the same as modal_run() ---- */

/* What the options of modal_run() say beforehand is done to a live one when its time has come. */
static void check_same(const struct stage *s, enum modal_ground where, int with_edits)
{
  struct modal_run_options o = s->o;
  int trunk = disturb_trunk(s->c), n = s->c->n_dofs;
  struct disturb_push push = {.time = 0.8, .seconds = 0.08, .force = {0, 0.06 * s->c->mass * CREATURE_GRAVITY, 0},
                              .limb = trunk};
  struct reference_edit edits[] = {{EDIT_TEMPO, 0.3, 0.9, 0.95, NULL}, {EDIT_STRIDE, 0.5, 9, 1.03, NULL}};
  struct diag d;
  diag_init(&d);
  struct modal_live *l;
  o.where = where;
  l = modal_live_new(s->c, 1, s->clips, &o, &d);
  o.seconds = 2.5;
  o.n_pushes = 1, o.pushes = &push;
  o.n_edits = with_edits ? 2 : 0, o.edits = edits;
  o.load = (struct disturb_load){.from = 1.1, .mass = 0.02 * s->c->mass, .n_limbs = 1, .limbs = {trunk}};
  const struct modal_run *r = modal_run(s->arena, s->c, s->clips[0], &o, &d);
  double *q = ARENA_NEW(s->arena, (size_t)n, double), *ref = ARENA_NEW(s->arena, (size_t)n, double);
  int same = r->success;
  for (int i = 0; i < r->n && same; i++) {
    double t = i * modal_live_step_seconds(l);
    for (int k = 0; with_edits && i == 0 && k < 2; k++)
      CHECK(modal_live_edit(l, &edits[k]));
    if (t >= push.time && t < push.time + modal_live_step_seconds(l)) {
      double left = push.time + push.seconds - t; /* so that it ends with the same step */
      CHECK(modal_live_push(l, push.limb, push.force, left));
    }
    if (t >= 1.1 && t < 1.1 + modal_live_step_seconds(l))
      CHECK(modal_live_load(l, trunk, o.load.mass));
    CHECK_INT(modal_live_step(l), MODAL_LIVE_UP);
    modal_live_pose(l, q, NULL);
    modal_live_reference(l, ref, NULL);
    same = !memcmp(q, r->q + i * n, (size_t)n * sizeof *q) &&
           !memcmp(ref, r->reference + i * n, (size_t)n * sizeof *q) &&
           !memcmp(modal_live_report(l).torque, r->torque + i * n, (size_t)n * sizeof *q);
    if (!same)
      fprintf(stderr, "%s differs from modal_run() at step %d of %d\n", s->c->name, i, r->n);
  }
  CHECK(same);
  modal_live_free(l);
  diag_clear(&d);
}

/* ---- what is done to it ---- */

/* Are two of them the same to the bit? */
static int same_state(const struct stage *s, struct modal_live *a, struct modal_live *b)
{
  struct bytes_writer count[2] = {{NULL, 0}, {NULL, 0}}, w[2];
  modal_live_put(&count[0], a);
  modal_live_put(&count[1], b);
  if (count[0].n != count[1].n)
    return 0;
  for (int i = 0; i < 2; i++) {
    w[i] = (struct bytes_writer){arena_alloc(s->arena, 1, count[i].n), 0};
    modal_live_put(&w[i], i ? b : a);
  }
  return !memcmp(w[0].bytes, w[1].bytes, count[0].n);
}

/* Steps on for some time. How far was the root off at most [rad]? Negative: it fell. */
static double walk(struct modal_live *l, double seconds)
{
  double worst = 0;
  for (int n = steps_of(l, seconds); n > 0; n--) {
    if (modal_live_step(l) != MODAL_LIVE_UP)
      return -1;
    worst = fmax(worst, modal_live_report(l).angle);
  }
  return worst;
}

static void say(const struct stage *s, const char *what, double worst)
{
  printf("%-6s %-28s %s, root off by at most %.1f degrees\n", s->c->name, what, worst < 0 ? "FELL" : "up",
         worst * 57.29578);
  CHECK(worst >= 0);
}

static double speed_of(struct modal_live *l, double seconds)
{
  double q[200], x, y;
  modal_live_pose(l, q, NULL);
  x = q[0], y = q[1];
  CHECK(walk(l, seconds) >= 0);
  modal_live_pose(l, q, NULL);
  return hypot(q[0] - x, q[1] - y) / seconds;
}

static void check_edits(const struct stage *s)
{
  struct modal_live *l = begin(s);
  double plain, cycle = s->clips[0]->n_frames * s->clips[0]->dt;
  CHECK(walk(l, 1) >= 0);
  plain = speed_of(l, 4 * cycle);
  CHECK(modal_live_tempo(l, 0.9));
  say(s, "tempo 0.9", walk(l, 4));
  CHECK_NEAR(speed_of(l, 4 * cycle) / plain, 0.9, 0.05);
  CHECK(modal_live_tempo(l, 1));
  CHECK(walk(l, 2) >= 0);
  CHECK(!modal_live_tempo(l, 0) && !modal_live_tempo(l, NAN) && !modal_live_stride(l, 5));
  modal_live_free(l);

  l = begin(s);
  CHECK(walk(l, 1) >= 0 && modal_live_stride(l, 1.15));
  say(s, "stride 1.15", walk(l, 6));
  CHECK_NEAR(speed_of(l, 4 * cycle) / plain, 1.15, 0.06);
  modal_live_free(l);

  l = begin(s);
  CHECK(walk(l, 1) >= 0 && modal_live_load(l, disturb_trunk(s->c), 0.05 * s->c->mass));
  say(s, "5 % more on the trunk", walk(l, 4));
  CHECK(modal_live_load(l, disturb_trunk(s->c), 0));
  say(s, "and without again", walk(l, 3));
  CHECK(!modal_live_load(l, 0, -1) && !modal_live_load(l, 0, NAN));
  modal_live_free(l);

  l = begin(s);
  CHECK(walk(l, 1) >= 0 && modal_live_go_over(l, 1, 0.3)); /* into the same walk, where it is most alike */
  say(s, "over into another clip", walk(l, 4));
  CHECK(!modal_live_go_over(l, 2, 0.3) && !modal_live_go_over(l, -1, 0.3));
  CHECK(isinf(modal_live_left(l)));
  modal_live_free(l);
}

/* A slope that comes while it walks: it is on it then, as high as its way says. */
static void check_slope(const struct stage *s, double degrees, double stride)
{
  struct modal_live *l = begin(s);
  double q[200], x, z, slope = degrees / 57.29578;
  char what[40];
  snprintf(what, sizeof what, "slope of %g degrees", degrees);
  CHECK(walk(l, 1) >= 0 && modal_live_slope(l, slope) && modal_live_stride(l, stride));
  say(s, what, walk(l, 5));
  modal_live_pose(l, q, NULL);
  x = q[0], z = q[2];
  CHECK(walk(l, 2 * s->clips[0]->n_frames * s->clips[0]->dt) >= 0);
  modal_live_pose(l, q, NULL);
  CHECK_NEAR((q[2] - z) / (q[0] - x), tan(slope), 0.03);
  CHECK_NEAR(q[2] - world_ground(modal_live_world(l), q[0], q[1]), s->c->height, 0.2 * s->c->height);
  CHECK(!modal_live_slope(l, 1.5) && !modal_live_slope(l, NAN));
  modal_live_free(l);
}

/* Pulled as hard as one likes at a limb of the reference, then let go. Returns how far its point on the body was led
 * along the pull, against the root. */
static double check_hold(const struct stage *s, const char *limb_name, const double pull[3], const char *what)
{
  struct modal_live *l = begin(s);
  int limb = creature_find_limb(s->c, limb_name), n = s->c->n_dofs;
  const struct limb *b = &s->c->limbs[limb];
  struct dynamics *d = dynamics_new(s->arena, s->c);
  double q[200], far[3], at[2][3] = {{0}}, local[3], worst = 0;
  double cycle = s->clips[0]->n_frames * s->clips[0]->dt;
  int whole = steps_of(l, cycle);
  for (int k = 0; k < 3; k++)
    local[k] = b->origin[k] + b->com[k];
  CHECK(limb >= 0 && n < 200 && walk(l, 1) >= 0);
  for (int i = 0; i < 5 * whole && worst >= 0; i++) { /* one cycle as it is, four led: first and last are compared */
    modal_live_pose(l, q, NULL);
    for (int k = 0; k < 3; k++)
      far[k] = q[k] + 100 * pull[k];
    if (i >= whole)
      CHECK(modal_live_hold(l, limb, b->com, far));
    double p[3];
    dynamics_kinematics(d, q);
    dynamics_point(d, b->body, local, p);
    for (int k = 0; k < 3; k++)
      at[1][k] += i >= 4 * whole ? (p[k] - q[k]) / whole : 0, at[0][k] += i < whole ? (p[k] - q[k]) / whole : 0;
    worst = modal_live_step(l) == MODAL_LIVE_UP ? fmax(worst, modal_live_report(l).angle) : -1;
  }
  modal_live_release(l);
  double after = worst < 0 ? -1 : walk(l, 3), led = 0;
  for (int k = 0; k < 3; k++)
    led += pull[k] * (at[1][k] - at[0][k]);
  say(s, what, after < 0 ? -1 : fmax(worst, after));
  modal_live_free(l);
  return led / s->c->height;
}

/* Pulled aside at the trunk it walks there, and stays where it is let go. */
static void check_lead(const struct stage *s, double side)
{
  struct modal_live *l = begin(s);
  double q[200], y[3], worst = 0, zero[3] = {0, 0, 0};
  double cycle = s->clips[0]->n_frames * s->clips[0]->dt;
  for (int k = 0; k < 3 && worst >= 0; k++) { /* a while as it is, led, and let go again */
    for (int i = steps_of(l, (k == 1 ? 8 : 4) * cycle); i > 0 && worst >= 0; i--) {
      modal_live_pose(l, q, NULL);
      double far[3] = {q[0], q[1] + 100 * side, q[2]};
      if (k == 1)
        CHECK(modal_live_hold(l, 0, zero, far));
      worst = modal_live_step(l) == MODAL_LIVE_UP ? fmax(worst, modal_live_report(l).angle) : -1;
    }
    modal_live_release(l);
    y[k] = q[1];
  }
  double way = 8 * cycle * 0.03 * sqrt(CREATURE_GRAVITY * s->c->height);
  say(s, "led aside by the trunk", worst);
  CHECK(side * (y[1] - y[0]) > 0.5 * way && side * (y[1] - y[0]) < 1.5 * way);
  CHECK(fabs(y[2] - y[1]) < 0.4 * way);
  modal_live_free(l);
}

/* ---- for ever ---- */

/* Everything is done to it again and again, for a minute: memory stays what it was after the first seconds. */
static void check_memory(const struct stage *s)
{
  struct modal_live *l = begin(s);
  size_t early = 0;
  int falls = 0, trunk = disturb_trunk(s->c);
  double push[3] = {0, 0.03 * s->c->mass * CREATURE_GRAVITY, 0};
  for (int t = 0; t < 60; t++) {
    if (t % 10 == 9) {
      modal_live_go_over(l, t / 10 % 2, 0.3);
      modal_live_load(l, trunk, t % 20 == 9 ? 0.01 * s->c->mass : 0);
    }
    if (t % 7 == 3)
      CHECK(modal_live_push(l, trunk, push, 0.05));
    for (int k = 0; k < 10 && t % 5 == 1; k++) { /* as a slider does */
      CHECK(modal_live_tempo(l, 1 + 0.002 * k) && modal_live_stride(l, 1 + 0.002 * k));
      CHECK(walk(l, 0.1) >= 0);
    }
    if (walk(l, t % 5 == 1 ? 0.01 : 1) < 0) {
      falls++;
      CHECK(modal_live_restart(l, 0, 0, (struct clip_advance){1, 2, 0.5}));
    }
    if (t == 20)
      early = mallinfo2().uordblks;
  }
  size_t late = mallinfo2().uordblks;
  printf("%-6s a minute of all sorts: %d falls, %zu bytes at 20 s, %zu at the end\n", s->c->name, falls, early, late);
  CHECK(late <= early + 4096 && falls <= 2);
  modal_live_free(l);
}

/* Nothing is done to it: it walks on. */
static void check_minute(const struct stage *s)
{
  struct modal_live *l = begin(s);
  CHECK(walk(l, 2) >= 0);
  size_t early = mallinfo2().uordblks;
  say(s, "walks for a minute", walk(l, 58));
  CHECK(mallinfo2().uordblks <= early);
  modal_live_free(l);
}

/* Saved at some time and restored into another that has a past of its own: all that follows is the same to the bit. */
static void check_saving(const struct stage *s)
{
  struct modal_live *a = begin(s), *b = begin(s);
  int trunk = disturb_trunk(s->c), hand = s->c->n_limbs - 1, compared = 0;
  double push[3] = {0.02 * s->c->mass * CREATURE_GRAVITY, 0, 0}, far[3] = {0, 0, 100};
  CHECK(walk(b, 0.7) >= 0 && modal_live_load(b, trunk, 0.01 * s->c->mass));
  for (int k = 0; k < 24; k++) {
    if (k == 3)
      CHECK(modal_live_push(a, trunk, push, 0.1));
    if (k == 6)
      CHECK(modal_live_load(a, trunk, 0.02 * s->c->mass));
    if (k == 8)
      CHECK(modal_live_slope(a, -0.02));
    if (k == 10)
      CHECK(modal_live_hold(a, hand, s->c->limbs[hand].com, far));
    if (k == 14)
      CHECK(modal_live_go_over(a, 1, 0.2));
    if (k == 16)
      modal_live_release(a);
    if (k == 18)
      CHECK(modal_live_stride(a, 1.02) && modal_live_tempo(a, 0.98));
    struct bytes_writer count = {NULL, 0}, w;
    modal_live_put(&count, a);
    w = (struct bytes_writer){arena_alloc(s->arena, 1, count.n), 0};
    modal_live_put(&w, a);
    struct bytes_reader r = {w.bytes, count.n, 0, s->arena};
    CHECK(modal_live_get(&r, b) && r.left == 0);
    CHECK(same_state(s, a, b));
    CHECK(walk(a, 0.13) >= 0 && walk(b, 0.13) >= 0);
    CHECK(same_state(s, a, b));
    compared++;
    for (size_t cut = 0; k == 12 && cut < count.n; cut += count.n / 50 + 1) { /* bytes that end too soon are refused */
      struct bytes_reader part = {w.bytes, cut, 0, s->arena};
      CHECK(!modal_live_get(&part, b));
    }
    if (k == 12)
      printf("%-6s %zu bytes of state\n", s->c->name, count.n);
  }
  CHECK_INT(compared, 24);
  modal_live_free(a);
  modal_live_free(b);
}

/* After a fall it stays where it fell; back on its feet elsewhere, turned, it walks that way. */
static void check_restart(const struct stage *s)
{
  struct modal_live *l = begin(s);
  double push[3] = {0, 2 * s->c->mass * CREATURE_GRAVITY, 0}, q[200], p[200], yaw = 2;
  CHECK(modal_live_push(l, disturb_trunk(s->c), push, 0.2));
  CHECK(walk(l, 4) < 0);
  CHECK_INT(modal_live_state(l), MODAL_LIVE_FALLEN);
  CHECK(modal_live_fault(l) != NULL);
  modal_live_pose(l, q, NULL);
  CHECK_INT(modal_live_step(l), MODAL_LIVE_FALLEN);
  modal_live_pose(l, p, NULL);
  CHECK(!memcmp(p, q, (size_t)s->c->n_dofs * sizeof *p));
  CHECK(modal_live_restart(l, 0, 3, (struct clip_advance){5, -4, yaw}));
  CHECK_INT(modal_live_state(l), MODAL_LIVE_UP);
  modal_live_pose(l, p, NULL);
  say(s, "back on its feet, turned", walk(l, 3));
  modal_live_pose(l, q, NULL);
  CHECK_NEAR(atan2(q[1] - p[1], q[0] - p[0]), yaw, 0.1);
  CHECK(hypot(p[0] - 5, p[1] + 4) < 2 * s->c->height);
  CHECK(!modal_live_restart(l, 7, 0, (struct clip_advance){0, 0, 0}));
  modal_live_free(l);
}

int main(void)
{
  static const double down[3] = {0, 0, -1}, up[3] = {0, 0, 1}, ahead[3] = {1, 0, 0}, aside[3] = {0, 1, 0};
  for (int k = 0; k < 2; k++) {
    struct stage s = stage_of(k ? "human" : "biped");
    check_same(&s, MODAL_WORLD, 1);
    check_same(&s, MODAL_LINEAR, 0);
    check_edits(&s);
    check_slope(&s, -3, 1);
    check_slope(&s, 3, k ? 1.1 : 1); /* the human's own steps are too short for it: doc/modal.md, 9 */
    CHECK(check_hold(&s, "head", ahead, "led by the head, ahead") > 0.005);
    CHECK(check_hold(&s, k ? "left_foot" : "left_shank", up, "led by a foot, up") > 0.002);
    if (k) {
      CHECK(check_hold(&s, "left_hand", up, "led by a hand, up") > 0.1);
      CHECK(check_hold(&s, "left_hand", aside, "led by a hand, aside") > 0.1);
    }
    check_hold(&s, k ? "abdomen" : "torso", down, "trunk pressed down");
    check_lead(&s, k ? 1 : -1);
    check_restart(&s);
    check_saving(&s);
    check_minute(&s);
    if (!k)
      check_memory(&s);
    arena_free(s.arena);
  }
  return test_finish();
}

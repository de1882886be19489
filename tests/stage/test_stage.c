/* The stage natively: clips and play as clip and player have them; control walks, turns, stands a push, falls, gets up;
 * drags, balls, ground, friction, loads; what is saved continues with the same bits; recordings. */
#include <stdlib.h>

#include "base/angle.h"
#include "check.h"
#include "motion/ground.h"
#include "stage/small_package.h"
#include "stage/stage.h"

#define MOST_DOFS 64

static int n_dofs;

static struct stage *opened(const struct small_package *p)
{
  struct stage *s = stage_new();
  CHECK(stage_open(s, p->bytes, p->n));
  return s;
}

static int run(struct stage *s, double seconds, double dt)
{
  int state = STAGE_UP;
  for (int i = 0; i < (int)(seconds / dt + 0.5); i++)
    state = stage_frame(s);
  return state;
}

static double weight_of(const struct small_package *p)
{
  return p->small.creature->mass * CREATURE_GRAVITY;
}

static int same_pose(struct stage *a, struct stage *b)
{
  return !memcmp(stage_pose(a), stage_pose(b), (size_t)n_dofs * sizeof(double)) &&
         !memcmp(stage_speeds(a), stage_speeds(b), (size_t)n_dofs * sizeof(double));
}

/* ---- what is shown ---- */

static void test_clip(const struct small_package *p)
{
  const struct clip *walk = p->small.clips[0].clip, *turn = p->small.clips[1].clip;
  struct stage *s = opened(p);
  double q[MOST_DOFS];
  for (int k = 0; k < 3 * walk->n_frames; k++) {
    struct clip_advance home = ground_inverse(ground_frame(walk, 0));
    clip_frame(walk, k, q);
    clip_move_pose(home, q);
    for (int i = 0; i < n_dofs; i++)
      CHECK_NEAR(stage_pose(s)[i], q[i], 1e-9);
    CHECK_INT(stage_frame(s), STAGE_UP);
  }
  CHECK(stage_seek(s, 5) && !stage_seek(s, walk->n_frames));
  CHECK_STR(stage_why(s), "stage: error: clip 'walk' has no frame 62; frames are 0 to 61");
  CHECK(stage_mode(s, STAGE_CLIP, 1));
  CHECK(run(s, turn->n_frames * turn->dt, turn->dt) == STAGE_UP); /* and begins again where it began */
  double here[2] = {stage_pose(s)[0], stage_pose(s)[1]};
  CHECK(run(s, turn->n_frames * turn->dt, turn->dt) == STAGE_UP);
  CHECK_NEAR(stage_pose(s)[0], here[0], 1e-12);
  CHECK_NEAR(stage_pose(s)[1], here[1], 1e-12);
  CHECK(!stage_push(s, 0, (double[3]){1, 0, 0}, 0.1));
  CHECK_STR(stage_why(s), "push: nothing is simulated in mode clip");
  stage_free(s);
}

static void test_play(const struct small_package *p)
{
  struct stage *s = opened(p);
  struct muy_player player;
  double q[MOST_DOFS];
  muy_player_init(&player, p->small.player);
  CHECK(stage_mode(s, STAGE_PLAY, -1));
  for (int k = 0; k < 600; k++) {
    if (k % 150 == 40) {
      muy_player_set(&player, 0, 0.7 * k);
      CHECK(stage_ask(s, 0, 0.7 * k));
    }
    muy_player_step(&player);
    stage_frame(s);
    muy_player_pose(&player, q);
    for (int i = 0; i < n_dofs; i++)
      CHECK_NEAR(stage_pose(s)[i], q[i], 1e-12);
  }
  CHECK(!stage_ask(s, 1, 0) && !stage_ask(s, 0, NAN));
  stage_free(s);
}

/* ---- control ---- */

static double heading_of(struct stage *s, double seconds, double dt)
{
  double x = stage_pose(s)[0], y = stage_pose(s)[1];
  CHECK_INT(run(s, seconds, dt), STAGE_UP);
  return atan2(stage_pose(s)[1] - y, stage_pose(s)[0] - x);
}

static void test_walk_and_turn(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  CHECK(stage_mode(s, STAGE_CONTROL, -1));
  CHECK_NEAR(heading_of(s, 4, dt), 0, 0.1);
  CHECK_NEAR(hypot(stage_pose(s)[0], stage_pose(s)[1]) / 4, 0.6, 0.1);
  CHECK(stage_ask(s, 0, PI / 2));
  CHECK_INT(run(s, 4, dt), STAGE_UP);
  CHECK_NEAR(heading_of(s, 2, dt), PI / 2, 0.15);
  CHECK(stage_ask(s, 0, -2));
  CHECK_INT(run(s, 5, dt), STAGE_UP);
  CHECK_NEAR(heading_of(s, 2, dt), -2, 0.15);
  stage_free(s);
}

/* It stands a quarter of its weight and not five times it; then it lies, low and slow, and gets up where it lies. */
static void test_push(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  double weight = weight_of(p), L = p->small.creature->height;
  CHECK(stage_mode(s, STAGE_CONTROL, -1));
  CHECK_INT(run(s, 1, dt), STAGE_UP);
  CHECK(stage_push(s, 1, (double[3]){0, 0.25 * weight, 0}, 0.1));
  CHECK_INT(run(s, 4, dt), STAGE_UP);
  CHECK(stage_looks(s) > 0 && stage_time(s) > 4.9);
  CHECK(stage_push(s, 1, (double[3]){0, 5 * weight, 0}, 0.1));
  CHECK_INT(run(s, 5, dt), STAGE_FALLEN);
  CHECK(stage_pose(s)[2] < 0.5 * L && stage_pose(s)[2] > 0 && stage_pose(s)[1] > 0.5);
  CHECK(hypot(stage_speeds(s)[0], stage_speeds(s)[1]) < 0.2);
  double x = stage_pose(s)[0], y = stage_pose(s)[1];
  CHECK(stage_restart(s));
  CHECK_NEAR(stage_pose(s)[0], x, 1e-9);
  CHECK_NEAR(stage_pose(s)[1], y, 1e-9);
  CHECK_NEAR(stage_time(s), 0, 0);
  CHECK_NEAR(heading_of(s, 3, dt), 0, 0.15);
  stage_free(s);
}

/* Where a point of a limb is, by the record. */
static void limb_point(struct stage *s, int limb, const double *at, double *x)
{
  const float *r = stage_record(s) + 2 + 12 * limb;
  for (int i = 0; i < 3; i++)
    x[i] = r[i] + r[3 + 3 * i] * at[0] + r[4 + 3 * i] * at[1] + r[5 + 3 * i] * at[2];
}

/* A limb that is held goes to where it is led, and nowhere near it otherwise; let go, it is as free as before. */
static void test_drag(const struct small_package *p, double dt)
{
  struct stage *s = opened(p), *free_one = opened(p);
  int hand = p->small.creature->n_limbs - 1;
  double at[3] = {0, 0, 0}, from[3], x[3], other[3], L = p->small.creature->height;
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_mode(free_one, STAGE_CONTROL, -1));
  limb_point(s, hand, at, from);
  double target[3] = {from[0] + 0.1 * L, from[1], from[2] + 0.6 * L};
  CHECK(stage_grab(s, hand, at, target));
  run(s, 0.4, dt);
  run(free_one, 0.4, dt);
  limb_point(s, hand, at, x);
  limb_point(free_one, hand, at, other);
  CHECK(x[2] - from[2] > 0.1 * L);
  CHECK(fabs(other[2] - from[2]) < 0.1 * L);
  stage_release(s);
  CHECK(stage_push(s, 1, (double[3]){0, 6 * weight_of(p), 0}, 0.1));
  CHECK_INT(run(s, 3, dt), STAGE_FALLEN);
  limb_point(s, 1, at, from);
  double above[3] = {from[0], from[1], 2.5 * L};
  CHECK(stage_grab(s, 1, at, above)); /* one that lies can be lifted */
  CHECK_INT(run(s, 3, dt), STAGE_FALLEN);
  limb_point(s, 1, at, x);
  CHECK(x[2] > from[2] + L);
  CHECK(!stage_grab(s, 99, at, above));
  stage_free(s);
  stage_free(free_one);
}

static void test_balls(const struct small_package *p, double dt)
{
  struct stage *s = opened(p), *calm = opened(p);
  const struct creature *c = p->small.creature;
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_mode(calm, STAGE_CONTROL, -1));
  CHECK(stage_throw_ball(s, (double[3]){0.15, 1, c->height}, (double[3]){0, -4, 1}, 0.02 * c->mass, 0.05));
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  run(calm, 2, dt);
  CHECK(!same_pose(s, calm));
  for (int i = 0; i < STAGE_BALLS + 3; i++)
    CHECK(stage_throw_ball(s, (double[3]){stage_pose(s)[0] + 2 + i, 3, 5}, (double[3]){0, 0, 0}, 0.1, 0.05));
  CHECK(!stage_throw_ball(s, (double[3]){0, 0, 5}, (double[3]){0, 0, 0}, -1, 0.05));
  CHECK_INT(stage_frame(s), STAGE_UP);
  stage_free(s);
  stage_free(calm);
}

/* ---- modal ---- */

/* Follows the walk; faster where that is asked, on a slope that comes up slowly; led, it is moved; knocked over, it
 * lies and gets up. */
static void test_modal(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  CHECK(stage_mode(s, STAGE_MODAL, -1));
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  double x = stage_pose(s)[0], usual, z;
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  usual = stage_pose(s)[0] - x;
  CHECK_NEAR(usual / 2, 0.6, 0.1);
  CHECK(stage_edit(s, STAGE_TEMPO, 1.2) && !stage_edit(s, STAGE_TEMPO, 9) && !stage_edit(s, STAGE_GO_OVER, 400));
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  x = stage_pose(s)[0];
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  CHECK_NEAR((stage_pose(s)[0] - x) / usual, 1.2, 0.1);
  CHECK(stage_edit(s, STAGE_TEMPO, 1));
  x = stage_pose(s)[0], z = stage_pose(s)[2];
  CHECK(!stage_ground(s, 4, 0.02, 0.2, 1) && stage_ground(s, 1, 0.02, 0, 0));
  CHECK_INT(run(s, 3, dt), STAGE_UP);
  CHECK_NEAR(stage_height(s, 1, 0) - stage_height(s, 0, 0), tan(0.02), 1e-9);
  CHECK(stage_pose(s)[2] - z > 0.4 * (stage_pose(s)[0] - x) * tan(0.02));
  CHECK(stage_push(s, 1, (double[3]){0, 3 * weight_of(p), 0}, 0.1));
  CHECK_INT(run(s, 3, dt), STAGE_FALLEN);
  CHECK(stage_pose(s)[2] - stage_height(s, stage_pose(s)[0], stage_pose(s)[1]) < 0.6 * p->small.creature->height);
  CHECK(stage_restart(s));
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  stage_free(s);
}

/* What leads the trunk leads the reference: the body follows it down. */
static void test_hold(const struct small_package *p, double dt)
{
  struct stage *s = opened(p), *free_one = opened(p);
  double at[3] = {0, 0, 0}, low = 0, other = 0;
  CHECK(stage_mode(s, STAGE_MODAL, -1) && stage_mode(free_one, STAGE_MODAL, -1));
  run(s, 1, dt);
  run(free_one, 1, dt);
  for (int i = 0; i < 60; i++) {
    double target[3] = {stage_pose(free_one)[0], stage_pose(free_one)[1], stage_pose(free_one)[2] - 0.03};
    CHECK(stage_grab(s, 0, at, target));
    CHECK(stage_frame(s) == STAGE_UP && stage_frame(free_one) == STAGE_UP);
    low += stage_pose(s)[2] / 60;
    other += stage_pose(free_one)[2] / 60;
  }
  CHECK(low < other - 0.005);
  stage_release(s);
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  stage_free(s);
  stage_free(free_one);
}

/* ---- the ground ---- */

static double lowest_point(struct stage *s, const struct small_package *p)
{
  const struct creature *c = p->small.creature;
  const float *r = stage_record(s) + 2 + 24 * c->n_limbs + 6;
  double least = INFINITY;
  for (int i = 0; i < c->n_points; i++)
    least = fmin(least, r[7 * i + 2] - stage_height(s, r[7 * i], r[7 * i + 1]));
  return least;
}

static void test_ground(const struct small_package *p, double dt)
{
  static const struct { int kind; double size, spacing; } grounds[] = {
    {1, 0.04, 0}, {2, 0.015, 0.5}, {3, 0.01, 0.6}, {4, 0.015, 0.2}, {0, 0, 0}};
  struct stage *s = opened(p);
  double L = p->small.creature->height;
  CHECK(stage_mode(s, STAGE_CONTROL, -1));
  CHECK_INT(run(s, 1.33, dt), STAGE_UP);
  for (size_t i = 0; i < sizeof grounds / sizeof *grounds; i++) {
    double x = stage_pose(s)[0], y = stage_pose(s)[1], before = lowest_point(s, p);
    CHECK(stage_ground(s, grounds[i].kind, grounds[i].size, grounds[i].spacing, 7));
    CHECK_NEAR(stage_pose(s)[0], x, 1e-9);
    CHECK_NEAR(stage_pose(s)[1], y, 1e-9);
    CHECK_NEAR(lowest_point(s, p), before, 1e-5);
    CHECK_INT(run(s, 3, dt), STAGE_UP);
    CHECK(stage_pose(s)[0] > x + 0.8); /* it went on, */
    CHECK_NEAR(lowest_point(s, p), 0, 0.02 * L); /* with a foot on the ground */
  }
  CHECK(!stage_ground(s, 9, 0, 0, 0));
  CHECK_STR(stage_why(s), "ground: there is no kind 9; kinds are 0 (flat) to 4 (pebbles)");
  CHECK(!stage_ground(s, 4, 0.1, 0, 0)); /* pebbles need a spacing */
  CHECK(stage_height(s, 3.3, 1) == 0);   /* and the ground is as it was */
  CHECK_INT(run(s, 1, dt), STAGE_UP);
  stage_free(s);
}

/* On ice it falls, or slides on where it was going, however it is asked to turn. */
static void test_friction(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_ask(s, 0, PI / 2));
  CHECK(stage_friction(s, 0.01));
  int state = run(s, 4, dt);
  CHECK(state == STAGE_FALLEN || fabs(atan2(stage_pose(s)[1], stage_pose(s)[0])) < 0.3);
  CHECK(stage_friction(s, -1) && stage_ask(s, 0, 0) && stage_restart(s));
  CHECK_INT(run(s, 5, dt), STAGE_UP);
  CHECK_NEAR(heading_of(s, 2, dt), 0, 0.4); /* it may lie in any heading, and its few clips turn by 45 degrees */
  CHECK(!stage_friction(s, NAN));
  stage_free(s);
}

static void test_load(const struct small_package *p, double dt)
{
  struct stage *s = opened(p), *bare = opened(p);
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_mode(bare, STAGE_CONTROL, -1));
  CHECK(stage_load_limb(s, 1, 0.05 * p->small.creature->mass));
  CHECK_INT(run(s, 3, dt), STAGE_UP);
  run(bare, 3, dt);
  CHECK(!same_pose(s, bare));
  CHECK(stage_load_limb(s, 1, 0) && !stage_load_limb(s, 1, -1));
  CHECK_INT(run(s, 2, dt), STAGE_UP);
  stage_free(s);
  stage_free(bare);
}

/* ---- saving ---- */

/* All that was set up and done comes back, in another stage too; both continue with the same bits. */
static void check_same_after(const struct small_package *p, struct stage *s, double seconds, double dt)
{
  struct stage *other = opened(p);
  size_t n, m;
  const void *handed = stage_save(s, &n);
  void *saved = malloc(n);
  memcpy(saved, handed, n);
  CHECK(stage_restore(other, saved, n));
  CHECK(same_pose(s, other));
  handed = stage_save(other, &m);
  CHECK(m == n && !memcmp(handed, saved, n));
  for (int i = 0; i < (int)(seconds / dt); i++) {
    CHECK_INT(stage_frame(s), stage_frame(other));
    CHECK(same_pose(s, other));
  }
  size_t length = (size_t)atoi(strstr(stage_about(s), "\"record\": {\"length\": ") + 21) * sizeof(float);
  CHECK(length > 0 && !memcmp(stage_record(s), stage_record(other), length));
  unsigned char *spoilt = malloc(n);
  for (size_t i = 0; i < n; i += 1 + n / 400) { /* a damaged byte is refused, or read as another state: no crash */
    memcpy(spoilt, saved, n);
    spoilt[i] ^= 0xff;
    if (stage_restore(other, spoilt, n))
      stage_frame(other);
  }
  for (size_t k = 0; k < n; k += 1 + n / 50)
    CHECK(!stage_restore(other, saved, k));
  CHECK(stage_restore(other, saved, n));
  free(spoilt);
  free(saved);
  stage_free(other);
}

static void test_save(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  run(s, 0.7, dt);
  check_same_after(p, s, 1, dt);
  CHECK(stage_mode(s, STAGE_PLAY, -1) && stage_ask(s, 0, 1));
  run(s, 0.77, dt);
  check_same_after(p, s, 3, dt);
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_ask(s, 0, -1));
  CHECK(stage_ground(s, 4, 0.01, 0.2, 3) && stage_friction(s, 0.9) && stage_load_limb(s, 2, 0.1));
  run(s, 0.5, dt);
  CHECK(stage_push(s, 1, (double[3]){0, 0.3 * weight_of(p), 0}, 0.1));
  CHECK(stage_throw_ball(s, (double[3]){0, 2, 1}, (double[3]){0, -2, 1}, 0.1, 0.05));
  run(s, 0.06, dt); /* in the middle of a push and of a fragment */
  CHECK(stage_grab(s, 1, (double[3]){0, 0, 0.1}, (double[3]){1, 0, 1}));
  check_same_after(p, s, 1.5, dt);
  stage_release(s);
  CHECK(stage_restart(s) && stage_push(s, 1, (double[3]){0, -5 * weight_of(p), 0}, 0.1));
  CHECK_INT(run(s, 1.2, dt), STAGE_FALLEN);
  check_same_after(p, s, 1, dt);
  CHECK(stage_ground(s, 0, 0, 0, 0) && stage_load_limb(s, 2, 0) && stage_mode(s, STAGE_MODAL, -1));
  CHECK(stage_edit(s, STAGE_STRIDE, 0.9) && stage_friction(s, -1) && stage_ground(s, 1, 0.03, 0, 0));
  run(s, 0.5, dt);
  CHECK(stage_push(s, 1, (double[3]){0, 0.05 * weight_of(p), 0}, 0.1));
  CHECK(stage_grab(s, 0, (double[3]){0, 0, 0}, (double[3]){1, 0, 0.4}));
  run(s, 0.05, dt);
  check_same_after(p, s, 0.7, dt);
  CHECK(!stage_restore(s, "MUYSAVE1", 8));
  CHECK_STR(stage_why(s), "restore: these bytes are no saved stage");
  stage_free(s);
}

/* ---- recordings ---- */

static void test_log(const struct small_package *p, double dt)
{
  struct stage *s = opened(p);
  size_t n;
  CHECK(!stage_export(s, "csv", &n));
  CHECK_STR(stage_why(s), "export: three frames at least must have been recorded, found 0");
  CHECK(!stage_export(s, "doc", &n) && strstr(stage_why(s), "there is no format 'doc'; formats are "));
  stage_log_on(s, 1);
  run(s, STAGE_LOG_SECONDS + 3, dt); /* the first seconds are forgotten */
  double x = stage_pose(s)[0];
  stage_log_on(s, 0);
  run(s, 1, dt);
  const char *csv = stage_export(s, "csv", &n);
  CHECK(csv && n > 1000 && csv[n - 1] == '\n');
  int lines = 0;
  const char *last = csv;
  for (const char *at = csv; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
    if (*at != '#' && *at)
      lines++, last = at;
  CHECK_INT(lines, 1 + (int)(STAGE_LOG_SECONDS / dt) + 1);
  CHECK_NEAR(atof(strchr(last, ',') + 1), x, 1e-9);
  const char *bvh = stage_export(s, "bvh", &n);
  CHECK(bvh && !strncmp(bvh, "HIERARCHY", 9));
  const char *mjcf = stage_export(s, "mjcf", &n);
  CHECK(mjcf && strstr(mjcf, "<mujoco"));
  stage_free(s);
}

/* ---- what is said ---- */

static void test_words(const struct small_package *p)
{
  struct stage *s = stage_new();
  CHECK(!stage_mode(s, 0, 0) && !stage_about(s) && !stage_record(s) && stage_frame(s) == STAGE_LOST);
  CHECK_STR(stage_why(s), "no package is open");
  CHECK(!stage_open(s, "MUYSTAGF", 8));
  CHECK_STR(stage_why(s), "package: error: this is no package of the stage: it does not begin with \"MUYSTAGE\"");
  CHECK(stage_open(s, p->bytes, p->n));
  const char *about = stage_about(s);
  CHECK(strstr(about, "\"modes\": {\"clip\": true, \"play\": true, \"control\": true, \"modal\": true}"));
  CHECK(strstr(about, "\"name\": \"direction\", \"kind\": \"direction\", \"space\": \"circle\", \"relative\": true"));
  CHECK(strstr(about, "\"note\": \"{\\\"run\\\": \\\"small\\\"}\""));
  CHECK(!stage_mode(s, 7, 0) && !stage_mode(s, STAGE_CLIP, 400) && !stage_edit(s, 0, 1) && !stage_show(s, 5, 1));
  CHECK(stage_mode(s, STAGE_CONTROL, -1) && stage_show(s, STAGE_GHOST, 1));
  stage_frame(s);
  const float *r = stage_record(s), *ghost = r + 2 + 12 * p->small.creature->n_limbs;
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(ghost[i], r[2 + i], 0.05); /* the reference is near, and shown */
  CHECK(stage_show(s, STAGE_GHOST, 0));
  r = stage_record(s);
  CHECK(r[2 + 12 * p->small.creature->n_limbs] == 0);
  CHECK(stage_place(s, 5, -3, 1));
  CHECK_NEAR(stage_pose(s)[0], 5, 1e-9);
  CHECK_NEAR(stage_pose(s)[1], -3, 1e-9);
  CHECK_NEAR(stage_pose(s)[3], 1, 0.2);
  CHECK(stage_open(s, p->bytes, p->n)); /* again: all anew */
  CHECK_INT(stage_mode_now(s), STAGE_CLIP);
  stage_free(s);
}

int main(void)
{
  struct small_package p = small_package_new();
  double dt = p.small.clips[0].clip->dt;
  n_dofs = p.small.creature->n_dofs;
  test_words(&p);
  test_clip(&p);
  test_play(&p);
  test_walk_and_turn(&p, dt);
  test_push(&p, dt);
  test_drag(&p, dt);
  test_balls(&p, dt);
  test_modal(&p, dt);
  test_hold(&p, dt);
  test_ground(&p, dt);
  test_friction(&p, dt);
  test_load(&p, dt);
  test_save(&p, dt);
  test_log(&p, dt);
  small_package_free(&p);
  return test_finish();
}

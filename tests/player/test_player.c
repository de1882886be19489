/* Playing a controller: choices, poses, places and times, against what is known of the turtle without a player. Linked
 * with --wrap for malloc, calloc and realloc, so that what the player allocates is counted. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "turtle.h"

#define main steer_main /* the example, to see that it runs */
#include "doc/examples/steer.c"
#undef main

/* ---- counting what is allocated ---- */

static long allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
  allocations++;
  return __real_realloc(old, size);
}

/* ---- choosing ---- */

static double reference_share(const struct muy_player_parameter *p, double x, int *low, int *high)
{
  int n = p->n_values;
  *low = *high = 0;
  if (p->space == MUY_PLAYER_CATEGORY) {
    *low = *high = (int)x;
    return 0;
  }
  if (p->space == MUY_PLAYER_INTERVAL && x <= p->values[0]) return 0;
  if (p->space == MUY_PLAYER_INTERVAL && x >= p->values[n - 1]) return *low = *high = n - 1, 0;
  for (int turns = -3; turns <= 3; turns++)
    for (int i = 0; i < n; i++) {
      double a = p->values[i], b = i + 1 < n ? p->values[i + 1] : p->values[0] + 2 * PI, y = x + 2 * PI * turns;
      if (p->space == MUY_PLAYER_INTERVAL && (turns != 0 || i + 1 == n)) continue;
      if (y >= a && y < b) return *low = i, *high = (i + 1) % n, (y - a) / (b - a);
    }
  return NAN;
}

/* The definition: interpolate along the first parameter between the interpolations along the others. */
static double reference_value(const struct muy_player_controller *c, const float *values, int p, size_t cell,
                              const double *x)
{
  if (p == c->n_parameters) return (double)values[cell];
  int low, high;
  double share = reference_share(&c->parameters[p], x[p], &low, &high);
  size_t row = cell * (size_t)c->parameters[p].n_values;
  return (1 - share) * reference_value(c, values, p + 1, row + (size_t)low, x)
         + share * reference_value(c, values, p + 1, row + (size_t)high, x);
}

static void test_values(void)
{
  static struct turtle t;
  struct rng r = rng_stream(3, 1);
  turtle_make_four(&t, &r);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  for (int i = 0; i < 2000; i++) {
    double x[4] = {rng_uniform(&r, -12, 12), rng_uniform(&r, 0, 5), rng_below(&r, 3), rng_uniform(&r, -7, 7)};
    for (int p = 0; i % 5 == 0 && p < 4; p++) /* on the grid itself */
      if (p != 2) x[p] = turtle_four[p].values[i % turtle_four[p].n_values];
    int node = i % 2, best = c->first_segment[node];
    double least = INFINITY;
    for (int e = c->first_segment[node]; e < c->first_segment[node + 1]; e++) {
      double value = reference_value(c, t.four_values[e], 0, 0, x);
      CHECK_NEAR(muy_player_value(c, e, x), value, 1e-13);
      if (value < least) least = value, best = e;
    }
    CHECK_INT(muy_player_choose(c, node, x), best);
  }
  const double odd[4] = {NAN, NAN, NAN, NAN}, far[4] = {1e300, 1e300, 1e300, -1e300}; /* nonsense gives some choice */
  CHECK(muy_player_choose(c, 1, odd) >= B_ON);
  CHECK(muy_player_choose(c, 0, far) <= A_ABOUT);
  muy_player_unload(c);
}

/* Of equals the first. */
static void test_ties(void)
{
  static struct turtle t;
  turtle_make(&t);
  memset(t.values, 0, sizeof t.values);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  CHECK_INT(muy_player_choose(c, 0, (const double[]){1, 0}), A_ON);
  CHECK_INT(muy_player_choose(c, 1, (const double[]){1, 1}), B_ON);
  muy_player_unload(c);
}

static void test_asking(void)
{
  static struct turtle t;
  struct rng r = rng_stream(3, 2);
  struct muy_player p;
  turtle_make_four(&t, &r);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&p, c);
  CHECK_NEAR(p.asked[0], 0, 0);
  CHECK_NEAR(p.asked[1], 2.25, 0);
  CHECK_NEAR(p.asked[3], 0, 0);
  CHECK_INT(muy_player_find(c, "gait"), 2);
  CHECK_INT(muy_player_find(c, "gaits"), -1);
  CHECK(muy_player_set(&p, 0, 3 * PI + 0.5) && fabs(p.asked[0] - (0.5 - PI)) < 1e-14);
  CHECK(muy_player_set(&p, 1, 9) && p.asked[1] == 4);
  CHECK(muy_player_set(&p, 1, -9) && p.asked[1] == 0.5);
  CHECK(muy_player_set(&p, 2, 1.2) && p.asked[2] == 1);
  CHECK(!muy_player_set(&p, 2, 2.6) && !muy_player_set(&p, 2, -0.6) && p.asked[2] == 1);
  CHECK(muy_player_set_category(&p, 2, "run") && p.asked[2] == 2);
  CHECK(!muy_player_set_category(&p, 2, "fly") && !muy_player_set_category(&p, 0, "run"));
  CHECK(!muy_player_set_category(&p, -1, "run") && p.asked[2] == 2);
  CHECK(!muy_player_set(&p, -1, 0) && !muy_player_set(&p, 4, 0));
  CHECK(!muy_player_set(&p, 1, NAN) && !muy_player_set(&p, 0, INFINITY));
  CHECK(!muy_player_start(&p, 2, 0, 0, 0) && !muy_player_start(&p, 0, NAN, 0, 0));
  CHECK(!muy_player_place(&p, 0, 0, INFINITY));
  CHECK_INT(muy_player_advance(&p, -1), -1);
  CHECK_INT(muy_player_advance(&p, NAN), -1);
  CHECK_INT(muy_player_advance(&p, 4000), -1);
  CHECK_INT(muy_player_advance(&p, 0), 0);
  muy_player_unload(c);
}

/* ---- playing ---- */

/* Asked to go left, it turns thrice by thirty degrees and settles; asked to go back, it turns about if it is hasty. */
static void test_turning(void)
{
  static struct turtle t;
  struct muy_player p;
  double q[DOFS], x;
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&p, c);
  CHECK_INT(p.segment, A_ON);
  CHECK(muy_player_set(&p, 0, PI / 2)); /* before the first step, so it counts at once */
  CHECK_INT(p.segment, A_LEFT);
  const int expected[] = {A_LEFT, B_LEFT, A_LEFT, B_ON, A_ON, B_ON};
  for (int k = 0; k < 36; k++) {
    CHECK_INT(p.segment, expected[k / 6]);
    CHECK_INT(p.at, k % 6);
    CHECK_NEAR(muy_player_time(&p), k / 30., 1e-12);
    if (k % 6 == 2 && k < 30) CHECK_INT(muy_player_peek(&p), expected[k / 6 + 1]);
    muy_player_step(&p);
  }
  CHECK_NEAR(p.ground.yaw, PI / 2, 1e-14);
  CHECK_NEAR(muy_player_features(&p).direction, PI / 2, 1e-14);
  muy_player_pose(&p, q);
  x = q[0];
  for (int k = 0; k < 12; k++)
    muy_player_step(&p);
  CHECK_NEAR(p.ground.x, x, 1e-13); /* a whole cycle further it is straight ahead */
  muy_player_set(&p, 0, -PI / 2);
  muy_player_set_category(&p, 1, "hasty");
  muy_player_step(&p); /* not before the next node */
  CHECK(p.segment == A_ON && p.at == 1);
  for (int k = 0; k < 11; k++)
    muy_player_step(&p);
  CHECK_INT(p.segment, A_ABOUT);
  for (int k = 0; k < 18; k++) /* at node B there was no way about, so it turned by thirty degrees first, now back */
    muy_player_step(&p);
  CHECK_INT(p.segment, B_ON);
  CHECK_NEAR(p.ground.yaw, -PI / 2, 1e-13);
  muy_player_unload(c);
}

/* From a pose to the next as the clip has it, put where the pose is. */
static void expect_next(const struct muy_player_controller *c, const struct muy_player_moment *m, const double *was,
                        double *next)
{
  const struct muy_player_clip *clip = &c->clips[m->clip];
  int wraps = m->frame + 1 == clip->n_frames;
  const double *a = clip->q + m->frame * DOFS, *b = clip->q + (wraps ? 0 : m->frame + 1) * DOFS;
  double dx = b[0] + wraps * clip->advance.x - a[0], dy = b[1] - a[1], turn = was[3] - a[3];
  memcpy(next, b, DOFS * sizeof *next);
  next[0] = was[0] + cos(turn) * dx - sin(turn) * dy;
  next[1] = was[1] + sin(turn) * dx + cos(turn) * dy;
  next[3] = was[3] + b[3] - a[3];
}

/* A thousand random commands: each frame is where the clip of the frame before leads. Yaw never jumps, though the
 * turtle turns many times; all segments are used; nothing is allocated. */
static void test_no_gaps(void)
{
  static struct turtle t;
  struct rng r = rng_stream(8, 1);
  struct muy_player p;
  double q[DOFS], was[DOFS], next[DOFS], force[POINTS * 3], most = 0;
  unsigned char contact[POINTS];
  struct muy_player_place bones[BONES];
  int used[SEGMENTS] = {0};
  long before = allocations;
  turtle_make_four(&t, &r);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  CHECK(allocations > before); /* the counter counts */
  before = allocations;
  muy_player_init(&p, c);
  muy_player_start(&p, 1, 5, 6, 2);
  muy_player_pose(&p, q);
  for (int k = 0; k < 20000; k++) {
    if (k % 20 == 0) muy_player_set(&p, rng_below(&r, 4), rng_uniform(&r, -4, 4));
    memcpy(was, q, sizeof q);
    struct muy_player_moment m = p.now;
    muy_player_step(&p);
    muy_player_pose(&p, q);
    muy_player_bones(&p, bones);
    muy_player_forces(&p, force);
    muy_player_contacts(&p, contact);
    expect_next(c, &m, was, next);
    for (int i = 0; i < DOFS; i++)
      CHECK_NEAR(q[i], next[i], 1e-11);
    used[p.segment]++;
    most = fmax(most, fabs(q[3]));
  }
  CHECK_INT(allocations - before, 0);
  CHECK(most > 20);
  for (int e = 0; e < SEGMENTS; e++)
    CHECK(used[e] > 0);
  muy_player_unload(c);
}

/* An hour of play. Headings are multiples of thirty degrees, so where it ends is one sum over how often each segment
 * was played at each heading, without the roundings of the way. */
static void test_hour(void)
{
  static struct turtle t;
  struct rng r = rng_stream(9, 1);
  struct muy_player p;
  static long count[12][SEGMENTS];
  double x = 0, y = 0;
  long heading = 0;
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  memset(count, 0, sizeof count);
  muy_player_init(&p, c);
  for (int k = 0; k < 108000; k++) {
    if (rng_below(&r, 40) == 0) muy_player_set(&p, 0, rng_uniform(&r, -PI, PI));
    if (rng_below(&r, 400) == 0) muy_player_set(&p, 1, rng_below(&r, 2));
    int segment = p.segment;
    muy_player_step(&p);
    if (p.at > 0) continue;
    count[heading][segment]++;
    heading = (heading + 12 + lround(turtle_turn[segment] * 6 / PI)) % 12;
    CHECK_NEAR(turtle_wrap(p.ground.yaw - (double)heading * PI / 6), 0, 1e-11);
    CHECK(p.ground.yaw > -PI && p.ground.yaw <= PI);
  }
  for (int h = 0; h < 12; h++)
    for (int e = 0; e < SEGMENTS; e++) {
      const struct muy_player_motion *m = &t.segments[e].motion;
      double co = cos(h * PI / 6), si = sin(h * PI / 6), n = (double)count[h][e];
      x += n * (co * m->x - si * m->y), y += n * (si * m->x + co * m->y);
    }
  while (p.at > 0) { /* to the end of the segment that was not counted */
    const struct muy_player_motion *m = &t.segments[p.segment].motion;
    double co = cos((double)heading * PI / 6), si = sin((double)heading * PI / 6);
    if (p.at + 1 == c->segments[p.segment].n_frames) x += co * m->x - si * m->y, y += si * m->x + co * m->y;
    muy_player_step(&p);
  }
  CHECK_NEAR(p.ground.x, x, 1e-8);
  CHECK_NEAR(p.ground.y, y, 1e-8);
  CHECK(hypot(x, y) > 5);
  CHECK_NEAR(muy_player_time(&p), 3600, 2);
  muy_player_unload(c);
}

/* Between two frames, put elsewhere: both frames go along. */
static void check_place_between(struct muy_player here, struct muy_player there)
{
  double a[DOFS], b[DOFS];
  muy_player_advance(&here, here.controller->dt / 4);
  muy_player_advance(&there, there.controller->dt / 4);
  struct muy_player reached = there;
  reached.behind = 0;
  muy_player_pose(&reached, b);
  CHECK(muy_player_place(&here, b[0], b[1], there.ground.yaw));
  muy_player_pose(&here, a);
  muy_player_pose(&there, b);
  for (int i = 0; i < DOFS; i++)
    CHECK_NEAR(a[i], b[i], 1e-13);
}

/* The same commands, turned: the same motion, moved and turned, forces too. And a player put elsewhere in the middle of
 * a turn goes on as if it had always been there. */
static void test_elsewhere(void)
{
  static struct turtle t;
  struct muy_player here, there, moved;
  double a[DOFS], b[DOFS], f[POINTS * 3], g[POINTS * 3], m[DOFS];
  unsigned char contact[POINTS];
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&here, c);
  muy_player_init(&there, c);
  CHECK(muy_player_start(&there, 0, 10, -20, 1));
  CHECK_INT(there.segment, A_RIGHT); /* asked for heading 0 in the world */
  muy_player_set(&here, 0, 2);
  muy_player_set(&there, 0, 3);
  for (int k = 0; k < 60; k++) {
    muy_player_pose(&here, a);
    muy_player_pose(&there, b);
    CHECK_NEAR(b[0], 10 + cos(1) * a[0] - sin(1) * a[1], 1e-13);
    CHECK_NEAR(b[1], -20 + sin(1) * a[0] + cos(1) * a[1], 1e-13);
    CHECK_NEAR(b[3], a[3] + 1, 1e-13);
    CHECK(memcmp(a + 4, b + 4, 3 * sizeof *a) == 0);
    CHECK(muy_player_forces(&here, f) && muy_player_forces(&there, g) && muy_player_contacts(&here, contact));
    for (int i = 0; i < POINTS; i++) {
      CHECK_NEAR(g[3 * i], cos(1) * f[3 * i] - sin(1) * f[3 * i + 1], 1e-13);
      CHECK_NEAR(g[3 * i + 1], sin(1) * f[3 * i] + cos(1) * f[3 * i + 1], 1e-13);
      CHECK_NEAR(f[3 * i + 2], 40. * contact[i], 0);
      CHECK_NEAR(hypot(f[3 * i], f[3 * i + 1]), 3. * contact[i], 1e-13);
    }
    CHECK_NEAR(turtle_wrap(muy_player_features(&there).torso - muy_player_features(&here).torso - 1), 0, 1e-13);
    if (k == 8) {
      check_place_between(here, there);
      moved = here;
      CHECK(muy_player_place(&moved, b[0], b[1], there.ground.yaw));
      muy_player_set(&moved, 0, 3);
    }
    if (k >= 8) {
      muy_player_pose(&moved, m);
      for (int i = 0; i < DOFS; i++)
        CHECK_NEAR(m[i], b[i], 1e-13);
      muy_player_step(&moved);
    }
    muy_player_step(&here);
    muy_player_step(&there);
  }
  muy_player_unload(c);
}

/* Parts of frames: at frames the same as by steps, between them on the line; forces too. A copy is a player of its
 * own. */
static void test_advance(void)
{
  static struct turtle t;
  struct muy_player a, b, copy;
  double qa[DOFS], qb[DOFS], before[DOFS], f[POINTS * 3];
  int frames = 0;
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&a, c);
  muy_player_init(&b, c);
  muy_player_set(&a, 0, 2);
  muy_player_set(&b, 0, 2);
  muy_player_pose(&b, before);
  for (int k = 1; k <= 300; k++) {
    copy = a;
    muy_player_step(&b);
    muy_player_pose(&b, qb);
    frames += muy_player_advance(&a, c->dt / 4);
    muy_player_pose(&a, qa);
    for (int i = 0; i < DOFS; i++)
      CHECK_NEAR(qa[i], before[i] + (qb[i] - before[i]) / 4, 1e-9);
    muy_player_forces(&a, f);
    CHECK_NEAR(muy_player_time(&a), (k - 0.75) * c->dt, 1e-9);
    frames += muy_player_advance(&a, c->dt / 4) + muy_player_advance(&a, c->dt / 2);
    muy_player_pose(&a, qa);
    for (int i = 0; i < DOFS; i++)
      CHECK_NEAR(qa[i], qb[i], 1e-9);
    muy_player_step(&copy); /* a step keeps what part of a frame is missing */
    muy_player_pose(&copy, qa);
    for (int i = 0; i < DOFS; i++)
      CHECK_NEAR(qa[i], qb[i], 1e-9);
    memcpy(before, qb, sizeof qb);
    if (k % 50 == 0) muy_player_set(&a, 0, k), muy_player_set(&b, 0, k);
  }
  CHECK(frames >= 300 && frames <= 301);
  muy_player_advance(&a, c->dt / 3);
  CHECK(muy_player_start(&a, 1, 0, 0, 0) && muy_player_time(&a) == 0);
  muy_player_init(&a, c);
  CHECK_INT(muy_player_advance(&a, 998.5 * c->dt), 999); /* where the feet change */
  CHECK_NEAR(a.behind, 0.5, 1e-9);
  CHECK(muy_player_forces(&a, f));
  const unsigned char *now = c->clips[a.now.clip].contact + POINTS * a.now.frame;
  const unsigned char *last = c->clips[a.before.clip].contact + POINTS * a.before.frame;
  unsigned char contact[POINTS];
  for (int i = 0; i < POINTS; i++) { /* half of the 40 N of each of the two frames in which the point is down */
    CHECK_NEAR(f[3 * i + 2], 20. * (now[i] + last[i]), 1e-7);
    int nearer = 0;
    for (a.behind = 0.4; a.behind < 0.7; a.behind += 0.2, nearer++)
      CHECK(muy_player_contacts(&a, contact) && contact[i] == (nearer ? last : now)[i]);
    a.behind = 0.5;
  }
  CHECK(now[0] != last[0]); /* or this would not have told the frames apart */
  muy_player_unload(c);
}

/* R becomes R times the rotation by an angle about a unit vector: c 1 + (1 - c) a a^T + s [a]. */
static void turn_matrix(double *R, const double *a, double angle)
{
  double c = cos(angle), s = sin(angle), out[9];
  const double cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      out[3 * i + k] = 0;
      for (int m = 0; m < 3; m++)
        out[3 * i + k] += R[3 * i + m] * ((m == k) * c + (1 - c) * a[m] * a[k] + s * cross[3 * m + k]);
    }
  memcpy(R, out, sizeof out);
}

/* Bones are where matrices put them, of the pose that is shown, between frames too; and the tail follows the shell
 * around, though yaw counts whole turns. */
static void test_bones(void)
{
  static struct turtle t;
  struct rng r = rng_stream(14, 1);
  struct muy_player p;
  struct muy_player_place bones[BONES];
  double q[DOFS];
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&p, c);
  for (int n = 0; n < 500; n++) {
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, at[3] = {0, 0, 0};
    if (n % 20 == 0) muy_player_set(&p, 0, rng_uniform(&r, -4, 4));
    muy_player_advance(&p, 0.7 * c->dt);
    muy_player_pose(&p, q);
    CHECK(muy_player_bones(&p, bones));
    for (int i = 0; i < BONES; i++) {
      const double *turn = bones[i].turn, w = turn[0], x = turn[1], y = turn[2], z = turn[3];
      const double M[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
      for (int k = 0; k < 3; k++) /* joints of the tail and of its tip in the frame before; the root is where q says */
        at[k] = i == 0 ? q[k] : at[k] + R[3 * k] * t.bones[i].at[0] + R[3 * k + 1] * t.bones[i].at[1]
                                    + R[3 * k + 2] * t.bones[i].at[2];
      for (int k = 0; k < (i == 0 ? 3 : i == 1 ? 1 : 0); k++)
        turn_matrix(R, t.axes[i == 0 ? 3 + k : 6], q[i == 0 ? 3 + k : 6]);
      for (int k = 0; k < 9; k++)
        CHECK_NEAR(M[k], R[k], 1e-12);
      for (int k = 0; k < 3; k++)
        CHECK_NEAR(bones[i].at[k], at[k], 1e-12);
    }
  }
  muy_player_unload(c);
}

/* Without forces the file is shorter and the player says so. */
static void test_no_forces(void)
{
  static struct turtle t;
  struct muy_player p;
  double f[POINTS * 3] = {1, 1, 1, 1, 1, 1};
  unsigned char contact[POINTS] = {1, 1};
  turtle_make(&t);
  t.c.has_forces = 0;
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  muy_player_init(&p, c);
  CHECK(!muy_player_forces(&p, f) && f[2] == 0 && f[5] == 0);
  CHECK(!muy_player_contacts(&p, contact) && contact[0] == 0 && contact[1] == 0);
  muy_player_unload(c);
}

/* The example goes around: at the end of each side it goes where it was asked to, and it comes back near its start. */
static void test_example(void)
{
  static struct turtle t;
  char line[200];
  double time, x = NAN, y = NAN, heading, asked, side[4][2] = {{0}};
  int lines = 0;
  turtle_make(&t);
  struct muy_player_controller *c = turtle_load(&t, NULL, NULL);
  FILE *f = tmpfile();
  CHECK(f && steer(c, f));
  rewind(f);
  CHECK(fgets(line, sizeof line, f) && strcmp(line, "# turtle: time, x, y, heading, asked, gait\n") == 0);
  while (fscanf(f, "%lf %lf %lf %lf %lf %199s", &time, &x, &y, &heading, &asked, line) == 6) {
    lines++;
    if (lines % 12 == 0 && lines < 49) side[lines / 12 - 1][0] = x, side[lines / 12 - 1][1] = y;
    if (lines % 12 == 0) CHECK_NEAR(remainder(heading - asked, 360), 0, 1e-9);
  }
  fclose(f);
  CHECK_INT(lines, 49);
  CHECK_NEAR(side[0][0], 30 * STEP * 5.5, 0.1);
  CHECK_NEAR(side[1][1] - side[0][1], 30 * STEP * 6, 1.5);
  CHECK_NEAR(x, 0, 1.5);
  CHECK_NEAR(y, 0, 1.5);
  muy_player_unload(c);
}

int main(void)
{
  test_values();
  test_ties();
  test_asking();
  test_turning();
  test_no_gaps();
  test_hour();
  test_elsewhere();
  test_advance();
  test_bones();
  test_no_forces();
  test_example();
  return test_finish();
}

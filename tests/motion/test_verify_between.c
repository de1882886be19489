/* The verifier in motion, at frames and between them: flights, turns and bounces whose residuals are known in closed
 * form; peaks, points that stand, and ends that are seen together with the neighbours' frames. */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "motion/check_report.h"
#include "motion/stand.h"
#include "zoo.h"

static const double G = CREATURE_GRAVITY, PI = 3.14159265358979323846, LEG = STAND_LEG;
enum { FRAMES = STAND_FRAMES };

/* ---- flight ---- */

/* Thrown upwards, its pose kept: a parabola, whose differences and whose spline are exact. */
static struct clip *throw_clip(struct arena *arena, const struct creature *c, double gravity)
{
  struct clip *clip = clip_new(arena, c, FRAMES, 0.3 * sqrt(c->height / G) / FRAMES);
  for (int k = 0; k < FRAMES; k++) {
    double t = k * clip->dt, *q = clip->q + k * c->n_dofs, v = sqrt(G * c->height);
    creature_rest_pose(c, q);
    q[0] += 0.7 * v * t;
    q[1] -= 0.2 * v * t;
    q[2] += c->height + 0.5 * v * t - gravity * t * t / 2;
  }
  return clip;
}

static void test_flight(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    if (test_count(c != NULL)) {
      struct verify_report r = verify(c, throw_clip(arena, c, G));
      CHECK_FAILING(&r, 0);
      for (int m = 0; m < N_VERIFY_MEASURES; m++)
        CHECK_NEAR(r.lines[m].value, 0, 1e-9);
      r = verify(c, throw_clip(arena, c, 0.9 * G));
      CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0.1, 1e-9);
      CHECK_STR(r.lines[VERIFY_FORCE].where, "z");
      CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, 0.1, 1e-9);
      CHECK(r.lines[VERIFY_MOMENT].passed && r.lines[VERIFY_MOMENT_BETWEEN].passed);
    }
    arena_free(arena);
  }
}

/* The table spins in the air about its upright axis, evenly: nothing acts. Faster and faster: a moment about z. */
static void test_spin(void)
{
  struct stand s = stand_new(0);
  struct clip *clip = throw_clip(s.arena, s.c, G);
  for (int k = 0; k < FRAMES; k++)
    clip->q[k * s.c->n_dofs + 3] = 2 * k * clip->dt;
  struct verify_report r = verify(s.c, clip);
  CHECK_FAILING(&r, 0);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, 0, 1e-9);
  for (int k = 0; k < FRAMES; k++)
    clip->q[k * s.c->n_dofs + 3] += k * clip->dt * k * clip->dt / 2;
  r = verify(s.c, clip);
  CHECK_FAILING(&r, BIT(VERIFY_MOMENT));
  CHECK_STR(r.lines[VERIFY_MOMENT].where, "z");
  double inertia = r.lines[VERIFY_MOMENT].value * s.weight * LEG; /* box 1 x 0.6 x 0.1; legs, thin, 0.47 m away */
  CHECK_NEAR(inertia, 10 * (1 + 0.36) / 12 + 2 * (0.4 * 0.4 + 0.25 * 0.25), 5e-4);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, r.lines[VERIFY_MOMENT].value, 1e-9);
  arena_free(s.arena);
}

/* ---- between frames ---- */

/* The table bounces, z = L + A sin, under forces that are right at frames. There the spline's curvature is that of the
 * frames times 6 / (4 + 2 cos(phase per frame)); both it and the force are linear between frames. */
static void test_bounce(void)
{
  struct stand s = stand_new(1);
  double step = 2 * PI / FRAMES, h = s.clip->dt, amplitude = 0.1 * LEG, square = 0;
  double more = 6 / (4 + 2 * cos(step)) - 1, bend = amplitude * (2 * cos(step) - 2) / (h * h);
  for (int k = 0; k < FRAMES; k++) {
    stand_angle(&s, k, "root_z")[0] += amplitude * sin(step * k);
    for (int i = 0; i < 4; i++)
      stand_force(s.clip, k, i)[2] = 3 * (G + bend * sin(step * k));
    for (int i = 0; i < 4; i++) {
      double u = (i + 0.5) / 4, a = bend * ((1 - u) * sin(step * k) + u * sin(step * (k + 1)));
      square += more * a / G * more * a / G;
    }
  }
  struct verify_report r = verify(s.c, s.clip);
  CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0, 1e-12);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, 0, 1e-12);
  CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, sqrt(square / (4 * FRAMES)), 1e-11);
  arena_free(s.arena);
}

/* A brick, pitched by 0.3, turns and goes ahead as cubics of time, which the spline gives back exactly, under a force
 * that does not belong: Euler's equations in a frame that turns with it tell what must be missing. Its first and last
 * interval are not judged. */
static void test_cubic(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = stand_parse(arena, "limb brick { mass = 2  com = {0, 0, 0}  inertia = {0.2, 0.25, 0.4} }\n"
                                          "foot base { limb = brick  point tip { at = {0.2, 0, -0.3} } }\n");
  struct clip *clip = clip_new(arena, c, FRAMES, 0.05);
  double sine = sin(0.3), cosine = cos(0.3), push = 5, force = 0, moment = 0, count = (FRAMES - 3) * 4.0;
  double Ixz = sine * cosine * (0.4 - 0.2), Izz = sine * sine * 0.2 + cosine * cosine * 0.4;
  double arm_x = 0.2 * cosine - 0.3 * sine, arm_z = -0.2 * sine - 0.3 * cosine;
  for (int k = 0; k < FRAMES; k++) {
    double t = k * clip->dt, *q = clip->q + k * c->n_dofs;
    q[0] = 0.3 * t * t - t * t * t, q[3] = 0.4 * t - 3 * t * t * t, q[4] = 0.3;
    stand_force(clip, k, 0)[0] = push;
  }
  for (int i = 4; i < 4 * (FRAMES - 2); i++) { /* yaw: its rate w and the rate of that, b */
    double t = (i + 0.5) / 4 * clip->dt, yaw = 0.4 * t - 3 * t * t * t, w = 0.4 - 9 * t * t, b = -18 * t;
    double missing = 2 * (0.6 - 6 * t) - push, fx = push * cos(yaw), fy = -push * sin(yaw);
    double mx = Ixz * b + arm_z * fy, my = Ixz * w * w - arm_z * fx, mz = Izz * b - arm_x * fy;
    force += missing * missing + 4 * G * G;
    moment += mx * mx + my * my + mz * mz;
  }
  struct verify_report r = verify(c, clip);
  CHECK_NEAR(r.lines[VERIFY_FORCE_BETWEEN].value, sqrt(force / count) / (2 * G), 1e-11);
  CHECK_NEAR(r.lines[VERIFY_MOMENT_BETWEEN].value, sqrt(moment / count) / (2 * G * c->height), 1e-11);
  arena_free(arena);
}

/* A ball with the same inertia about all axes slides on a point along a circle of 1 m around the origin, its nose
 * ahead. The force goes through its centre. One cycle is a part of the circle: the clip goes on by turning. */
struct orbit { struct arena *arena; const struct creature *c; struct clip *clip; double slip, slide; };

static struct orbit new_orbit(int n_frames, double turn, double dt)
{
  struct orbit o = {.arena = arena_new()};
  double pull = (2 - 2 * cos(turn)) / (dt * dt), out = 0.3 * pull / G, quarter = acos(0);
  o.c = stand_parse(o.arena, arena_printf(o.arena,
                                    "limb ball { shape = ellipsoid  size = {0.2, 0.2, 0.2}  mass = 2 }\n"
                                    "foot base { limb = ball  point tip { at = {0, %.17g, -0.3} } }\n", -out));
  o.clip = clip_new(o.arena, o.c, n_frames, dt);
  o.clip->cyclic = 1;
  o.clip->advance.yaw = n_frames * turn;
  for (int k = 0; k < n_frames; k++) {
    double *q = o.clip->q + k * o.c->n_dofs, *f = stand_force(o.clip, k, 0), s = sin(k * turn), c = cos(k * turn);
    o.clip->contact[k] = 1;
    q[0] = c, q[1] = s, q[2] = 0.3, q[3] = k * turn + quarter;
    f[0] = -2 * pull * c, f[1] = -2 * pull * s, f[2] = 2 * G;
  }
  o.slip = 2 * sin(turn / 2) * (1 + out) / hypot(out, 0.3);
  o.slide = turn / dt * (1 + out) / sqrt(G * hypot(out, 0.3));
  return o;
}

static void test_orbit(void)
{
  double rms[3];
  for (int i = 0; i < 3; i++) { /* a part of the circle, all of it, a part at twice the rate */
    double finer = i == 2 ? 0.5 : 1;
    struct orbit o = new_orbit(i == 1 ? 40 : 10, 2 * PI / 40 * finer, 0.1 * finer);
    struct verify_report r = verify(o.c, o.clip);
    CHECK_FAILING(&r, BIT(VERIFY_SLIP) | BIT(VERIFY_SLIDE));
    CHECK_NEAR(r.lines[VERIFY_SLIP].value, o.slip, 1e-12);
    CHECK_NEAR(r.lines[VERIFY_SLIDE].value, o.slide, 1e-3 * o.slide); /* of the spline: the fourth power of the step */
    CHECK_NEAR(r.lines[VERIFY_FORCE].value, 0, 1e-12);
    CHECK_NEAR(r.lines[VERIFY_MOMENT].value, 0, 1e-12);
    rms[i] = r.lines[VERIFY_FORCE_BETWEEN].value;
    arena_free(o.arena);
  }
  CHECK(rms[0] > 1e-5);
  CHECK_NEAR(rms[0], rms[1], 1e-11);
  CHECK_NEAR(rms[0] / rms[2], 4, 0.1);
}

/* ---- peaks, and points that stand ---- */

/* The table carries two wings that reach out to the sides, and a wheel about its upright axis; beside its feet it has
 * two probes of next to no mass: a leg that swings, and a paddle on the ground that flaps. The wings' hinges and the
 * wheel's are in its middle: what one of them does, the feet can answer by lifting alone, or by turning alone. */
static const char machine_text[] =
  "name = machine\n"
  "limb top    { from = {-0.5, 0, 0}  to = {0.5, 0, 0}  shape = box  size = {0.6, 0.1}  mass = 5 }\n"
  "limb front  { parent = top  mirror = true  at = {0.4, 0.25, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 0.5\n"
  "              axis swing { about = -y } }\n"
  "limb hind   { parent = top  like = front  at = {-0.4, 0.25, 0} }\n"
  "limb wing   { parent = top  mirror = true  at = {0, 0, 0}  to = {0, 1, 0}  mass = 1  com = {0, 0.5, 0}\n"
  "              inertia = {0.02, 0.01, 0.02}  axis flap { about = x } }\n"
  "limb wheel  { parent = top  at = {0, 0, 0}  mass = 1  com = {0, 0, 0}  inertia = {0.5, 0.5, 0.9}\n"
  "              axis spin { about = z } }\n"
  "limb probe  { parent = top  at = {0.2, 0, 0}  to = {0, 0, -0.5}  radius = 0.02  mass = 1e-6 solid = false\n"
  "              axis swing { about = -y } }\n"
  "limb paddle { parent = top  at = {0, 0, -0.5}  to = {0.3, 0, 0}  radius = 0.02  mass = 1e-6 solid = false\n"
  "              axis flap { about = -y } }\n"
  "foot fore   { limb = front }\n"
  "foot rear   { limb = hind }\n"
  "foot probe  { limb = probe }\n"
  "foot paddle { limb = paddle }\n";
enum { PROBE = 4, PADDLE = 5, LONG = 200, KICK = 90 };

/* Forces of the feet that answer, at all frames, to what the machine does there: a push upwards by all alike, and a
 * couple about the upright axis. */
static void answer(const struct stand *s)
{
  struct arena *arena = arena_new();
  struct dynamics *d = dynamics_new(arena, s->c);
  size_t n = (size_t)s->c->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  for (int k = 0; k < s->clip->n_frames; k++) {
    struct dynamics_whole w;
    clip_state(s->clip, k, q, v, a);
    dynamics_whole(d, q, v, a, &w);
    for (int i = 0; i < 4; i++) {
      double side = i % 2 ? -1 : 1, *f = stand_force(s->clip, k, i);
      f[0] = -side * w.angular_rate[2] / 4 / 0.25;
      f[2] = (w.weight + w.momentum_rate[2]) / 4;
    }
  }
  arena_free(arena);
}

/* A joint that is elsewhere in one frame. The second differences there are e/h^2 (1, -2, 1); the spline's second
 * derivative at that frame is 6 (1 - sqrt(3)) e/h^2. What is missing between frames is largest there. */
static struct verify_report kick(const struct stand *s, const char *left, const char *right, double e)
{
  for (int k = 0; k < LONG; k++) {
    *stand_angle(s, k, left) = k == KICK ? e : 0;
    if (right)
      *stand_angle(s, k, right) = k == KICK ? e : 0;
  }
  answer(s);
  return verify(s->c, s->clip);
}

static void test_peaks(void)
{
  struct stand s = stand_new_of(machine_text, LONG, 1);
  double missing = (6 * (sqrt(3) - 1) - 2) / (s.clip->dt * s.clip->dt);
  for (int fails = 0; fails < 2; fails++) {
    double peak = fails ? 0.27 : 0.23, mass = 2, out = 0.5; /* of both wings; of their middles */
    struct verify_report r = kick(&s, "left_wing.flap", "right_wing.flap", peak * s.weight / (mass * out * missing));
    CHECK_FAILING(&r, fails ? BIT(VERIFY_FORCE_PEAK) : 0);
    CHECK_LINE(&r, VERIFY_FORCE_PEAK, peak, 2e-3, KICK - 1, "z");
    CHECK(r.lines[VERIFY_FORCE_BETWEEN].value < 0.04);
    kick(&s, "left_wing.flap", "right_wing.flap", 0);
    peak = fails ? 0.22 : 0.18;
    r = kick(&s, "wheel.spin", NULL, peak * s.weight * LEG / (0.9 * missing));
    CHECK_FAILING(&r, fails ? BIT(VERIFY_MOMENT_PEAK) : 0);
    CHECK_LINE(&r, VERIFY_MOMENT_PEAK, peak, 2e-3, KICK - 1, "z");
    CHECK(r.lines[VERIFY_MOMENT_BETWEEN].value < 0.04);
    kick(&s, "wheel.spin", NULL, 0);
  }
  arena_free(s.arena);
}

/* The tip of a limb comes at an even speed and stands from frame KICK on. The spline cannot stop within a frame: at
 * KICK it still has half that speed, then -0.268 times as much at each frame. */
static void arrive(const struct stand *s, int point, const char *dof, double turn)
{
  for (int k = 0; k < LONG; k++) {
    s->clip->contact[k * s->c->n_points + point] = k >= KICK;
    *stand_angle(s, k, dof) = k < KICK && k > KICK - 20 ? turn * (KICK - k) : 0;
  }
}

static void test_standing(void)
{
  for (int fails = 0; fails < 2; fails++) {
    struct stand s = stand_new_of(machine_text, LONG, 0);
    double slide = fails ? 0.11 : 0.09, unit = sqrt(G * LEG);
    CHECK_STR(s.c->points[PROBE].name, "probe");
    CHECK_STR(s.c->points[PADDLE].name, "paddle");
    arrive(&s, PROBE, "probe.swing", 2 * slide * unit / LEG * s.clip->dt);
    struct verify_report r = verify(s.c, s.clip);
    CHECK_FAILING(&r, fails ? BIT(VERIFY_SLIDE) : 0);
    CHECK_LINE(&r, VERIFY_SLIDE, slide, 1e-3 * slide, KICK, "probe");

    /* half the speed at one end, -0.268 times that at the other: height h v (u - 1.732 u^2 + 0.732 u^3) */
    struct stand t = stand_new_of(machine_text, LONG, 0);
    double leg = 0.3, lift = fails ? 0.0033 : 0.0027, z = sqrt(3) - 2, shape = 0;
    for (int i = 0; i < 4; i++) {
      double u = (i + 0.5) / 4;
      shape = fmax(shape, u - (2 + z) * u * u + (1 + z) * u * u * u);
    }
    arrive(&t, PADDLE, "paddle.flap", 2 * lift / shape);
    r = verify(t.c, t.clip);
    CHECK_FAILING(&r, fails ? BIT(VERIFY_LIFT) : 0);
    CHECK_LINE(&r, VERIFY_LIFT, lift, 2e-3 * lift, KICK, "paddle");
    CHECK_NEAR(t.c->feet[t.c->points[PADDLE].foot].leg_length, leg, 1e-12);
    arena_free(s.arena);
    arena_free(t.arena);
  }
}

/* ---- between neighbours ---- */

/* Frames first .. first + n - 1 of a cycle as a transition that leaves it and comes back, moved over the ground. */
static struct clip *cut(struct arena *arena, const struct creature *c, const struct clip *cycle, int first, int n)
{
  const struct clip_advance away = {2, -1, 0.7};
  struct clip *t = clip_new(arena, c, n, cycle->dt);
  for (int k = 0; k < n; k++) {
    int from = (first + k) % cycle->n_frames;
    clip_frame(cycle, first + k, t->q + k * c->n_dofs);
    clip_move_pose(away, t->q + k * c->n_dofs);
    memcpy(t->contact + k * c->n_points, cycle->contact + from * c->n_points, (size_t)c->n_points);
    for (int i = 0; i < c->n_points; i++) {
      const double *f = stand_force(cycle, from, i);
      double *g = stand_force(t, k, i);
      g[0] = cos(away.yaw) * f[0] - sin(away.yaw) * f[1];
      g[1] = sin(away.yaw) * f[0] + cos(away.yaw) * f[1];
      g[2] = f[2];
    }
  }
  return t;
}

static struct verify_report verify_beside(const struct stand *s, const struct clip *t, const struct clip *from,
                                          int first, const struct clip *to)
{
  struct arena *arena = arena_new();
  struct verify_neighbours beside = {from, to, first, first + t->n_frames - 2};
  struct verify_report r;
  verify_transition(arena, s->c, t, &beside, &r);
  arena_free(arena);
  return r;
}

/* A piece of a cycle is as good as the cycle when it is seen between the cycle's frames. The machine's wings are
 * elsewhere in one frame: from there on, what is missing falls by 0.268 with every frame. Where the neighbours are not
 * known, the first and the last interval are not judged. */
static void test_neighbours(void)
{
  struct stand s = stand_new_of(machine_text, LONG, 1);
  struct verify_report whole = kick(&s, "left_wing.flap", "right_wing.flap", 0.01);
  double peak = whole.lines[VERIFY_FORCE_PEAK].value;
  for (int first = KICK - 2; first <= KICK; first++) {
    struct clip *t = cut(s.arena, s.c, s.clip, first, LONG + 1);
    struct verify_report r = verify_beside(&s, t, s.clip, first, s.clip);
    for (int m = 0; m < N_VERIFY_MEASURES; m++)
      if (m != VERIFY_FORCE && m != VERIFY_MOMENT) /* at frames its ends have no acceleration */
        CHECK_NEAR(r.lines[m].value, whole.lines[m].value, 1e-9);
    struct verify_report alone = verify(s.c, t), half = verify_beside(&s, t, s.clip, first, NULL);
    CHECK(first < KICK || fabs(alone.lines[VERIFY_FORCE_PEAK].value - peak) > 0.1 * peak);
    CHECK_NEAR(half.lines[VERIFY_FORCE_PEAK].value, peak, 1e-9);
    CHECK_INT(r.lines[VERIFY_FORCE_PEAK].frame, first == KICK ? 0 : KICK - 1 - first);
  }
  struct clip *t = cut(s.arena, s.c, s.clip, KICK, LONG + 1);
  struct clip other = *s.clip; /* one that has not got this creature's dofs is not looked at */
  other.n_dofs--;
  CHECK_NEAR(verify_beside(&s, t, &other, KICK, NULL).lines[VERIFY_FORCE_PEAK].value,
             verify(s.c, t).lines[VERIFY_FORCE_PEAK].value, 1e-12);
  arena_free(s.arena);
}

int main(void)
{
  test_flight();
  test_spin();
  test_bounce();
  test_cubic();
  test_orbit();
  test_peaks();
  test_standing();
  test_neighbours();
  return test_finish();
}

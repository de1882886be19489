/* Captured people on the human of the zoo and on creatures of their own size: are units, axes, sides and forces those
 * of people?
 *
 * The files are not ours to carry. They are looked for in $MUYBRIDGE_MOCAP, then in ../shared/data/mocap beside the
 * sources; without them the test is skipped. What the numbers are compared with: free fall, and what is known of
 * walking and running. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "dynamics/dynamics.h"
#include "capture/capture.h"
#include "zoo.h"

static const char *folder;

struct scene {
  struct arena *arena;
  const struct creature *c;
  struct clip *clip;
  struct capture_report report;
};

static const char *find_folder(struct arena *arena)
{
  const char *told = getenv("MUYBRIDGE_MOCAP"), *srcdir = getenv("srcdir");
  const char *candidates[] = {told, arena_printf(arena, "%s/../shared/data/mocap", srcdir ? srcdir : ".")};
  for (int i = 0; i < 2; i++)
    if (candidates[i] && access(arena_printf(arena, "%s/07_01.bvh", candidates[i]), R_OK) == 0)
      return candidates[i];
  return NULL;
}

/* A file on the human, or on a creature built from it. */
static struct scene take(const char *name, int build)
{
  struct scene s = {.arena = arena_new()};
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = bvh_load(s.arena, arena_printf(s.arena, "%s/%s.bvh", folder, name), &d);
  struct capture_options o = {.keep_rate = build};
  if (bvh && build) {
    const char *text = capture_creature(s.arena, bvh, 0, &o, &d);
    s.c = text ? creature_parse(s.arena, "built", text, strlen(text), &d) : NULL;
  } else {
    s.c = zoo_find(s.arena, "human");
  }
  s.clip = bvh && s.c ? capture_clip(s.arena, bvh, s.c, &o, &s.report, &d) : NULL;
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_clear(&d);
  CHECK(s.clip != NULL);
  return s;
}

static int standing(const struct scene *s, int frame)
{
  int n = 0;
  for (int p = 0; p < s->c->n_points; p++)
    n += s->clip->contact[frame * s->c->n_points + p];
  return n;
}

/* What must be so of every file. */
static void check_common(const struct scene *s)
{
  const struct capture_feedforward *f = s->report.inverse;
  const struct clip *clip = s->clip;
  CHECK_INT(s->report.capture->dropped, 1);
  CHECK_STR(s->report.capture->unit_name, "units of 0.45 per inch");
  CHECK_STR(s->report.capture->up, "Y");
  CHECK(s->report.fit.mean_angle < 0.08 && s->report.fit.worst_foot < 0.02);
  CHECK(s->report.floor.rms < 0.012 && s->report.floor.n_samples > 40);
  for (int k = 0; k < clip->n_frames; k++) {
    CHECK(f->quality[k] >= 0 && f->quality[k] <= 1);
    CHECK(standing(s, k) ? !isnan(f->distance[k]) : isnan(f->distance[k]));
    double sum = 0;
    for (int i = 0; i < s->c->n_dofs; i++) {
      sum += f->torque[k * s->c->n_dofs + i];
      CHECK(clip->q[k * s->c->n_dofs + i] >= s->c->dofs[i].lower - 1e-9 &&
            clip->q[k * s->c->n_dofs + i] <= s->c->dofs[i].upper + 1e-9);
      if (i < 6 && standing(s, k)) /* all that the root needs is given by the ground */
        CHECK(fabs(f->torque[k * s->c->n_dofs + i]) < 1e-6 * s->c->mass * 9.81);
    }
    CHECK(isfinite(sum));
  }
  double largest = 0, chosen = -1;
  for (int i = 0; i < f->n_cutoffs; i++) {
    largest = fmax(largest, f->quality_of[i]);
    if (f->cutoffs[i] == f->cutoff)
      chosen = f->quality_of[i];
  }
  CHECK_NEAR(chosen, largest, 0);
}

/* Feet do not sink, and those that stand stay. */
static void check_feet(const struct scene *s, double depth, double slide)
{
  struct capture_tracks t;
  capture_point_tracks(s->arena, s->c, s->clip, &t);
  double lowest = 0, speed = 0;
  int n = 0;
  for (int i = 0; i < s->clip->n_frames * s->c->n_points; i++) {
    lowest = fmin(lowest, t.place[3 * i + 2]);
    if (s->clip->contact[i])
      speed += t.speed[i], n++;
  }
  CHECK(lowest > -depth);
  CHECK(n > 0 && speed / n < slide);
}

/* The left of the body is left of its right, seen from behind; knees bend backwards, toes point ahead. */
static void check_sides(const struct scene *s)
{
  struct dynamics *d = dynamics_new(s->arena, s->c);
  double *q = ARENA_NEW(s->arena, (size_t)s->c->n_dofs, double);
  int knees = 0, ahead_of_ankle = 0, n = 0;
  for (int k = 0; k < s->clip->n_frames; k += 5) {
    static const double origin[3] = {0, 0, 0}, ahead[3] = {1, 0, 0};
    double left[3], right[3], toe[3], ankle[3];
    clip_frame(s->clip, k, q);
    dynamics_kinematics(d, q);
    dynamics_point(d, s->c->limbs[creature_find_limb(s->c, "left_foot")].body, origin, left);
    dynamics_point(d, s->c->limbs[creature_find_limb(s->c, "right_foot")].body, origin, right);
    dynamics_point(d, s->c->limbs[creature_find_limb(s->c, "left_foot")].body, ahead, toe);
    memcpy(ankle, left, sizeof ankle);
    double c = cos(q[3]), sn = sin(q[3]);
    CHECK(-sn * (left[0] - right[0]) + c * (left[1] - right[1]) > -0.08); /* feet may cross a little */
    int on = 0; /* is the left foot down? */
    for (int p = 0; p < s->c->n_points; p++)
      on += s->clip->contact[k * s->c->n_points + p] && strncmp(s->c->points[p].name, "left", 4) == 0;
    ahead_of_ankle += on && c * (toe[0] - ankle[0]) + sn * (toe[1] - ankle[1]) > 0.5;
    n += on > 0;
    knees += q[creature_find_dof(s->c, "left_shank.flexion")] > 0.6 ||
             q[creature_find_dof(s->c, "right_shank.flexion")] > 0.6;
  }
  CHECK(knees > 2 && n > 2 && ahead_of_ankle > 0.7 * n);
}

/* In the air the body falls as bodies do: the unit and the frame rate are right. The middle of the longest flight. */
static void check_free_fall(const struct scene *s)
{
  int from = 0, length = 0;
  for (int k = 0, run = 0; k < s->clip->n_frames; k++) {
    run = standing(s, k) ? 0 : run + 1;
    if (run > length && run <= k) /* not from the first frame on */
      length = run, from = k - run + 1;
  }
  CHECK(length * s->clip->dt > 0.08);
  struct dynamics *d = dynamics_new(s->arena, s->c);
  size_t n = (size_t)s->c->n_dofs;
  double *q = ARENA_NEW(s->arena, 3 * n, double), sum[4] = {0}, tz = 0, ttz = 0;
  for (int k = from + length / 5; k < from + length - length / 5;
       k++) { /* a parabola through the heights, by least squares */
    struct dynamics_whole w;
    clip_frame(s->clip, k, q);
    dynamics_whole(d, q, q + n, q + 2 * n, &w);
    double t = (k - from - 0.5 * (length - 1)) * s->clip->dt;
    sum[0] += 1, sum[1] += t * t, sum[2] += t * t * t * t, sum[3] += w.com[2];
    tz += t * w.com[2], ttz += t * t * w.com[2];
  }
  double a = (sum[0] * ttz - sum[1] * sum[3]) / (sum[0] * sum[2] - sum[1] * sum[1]);
  CHECK_NEAR(2 * a / -9.81, 1, 0.15);
}

/* The paper's choice of the cutoff has as many frames inside as any; ours, more torques of use. */
static void check_choices(const struct scene *s)
{
  struct capture_feedforward_options o;
  capture_feedforward_defaults(s->c, &o);
  o.given_contacts = 1;
  o.choice = CAPTURE_BY_INSIDE;
  const struct capture_feedforward *f = capture_feedforward(s->arena, s->c, s->clip, &o), *ours = s->report.inverse;
  double largest = 0, mean = 0, our_mean = 0;
  for (int i = 0; i < f->n_cutoffs; i++)
    largest = fmax(largest, f->inside_of[i]);
  for (int k = 0; k < f->n_frames; k++)
    mean += f->quality[k], our_mean += ours->quality[k];
  CHECK_NEAR(f->inside, largest, 0);
  CHECK(ours->inside <= f->inside && our_mean >= mean);
}

static void test_walk(void)
{
  struct scene s = take("07_01", 0);
  check_common(&s);
  check_feet(&s, 0.02, 0.3);
  check_sides(&s);
  CHECK(s.clip->speed > 1.2 && s.clip->speed < 1.7);
  CHECK_NEAR(s.report.floor.slope[0], 0.018,
             0.004); /* the calibration of this recording slopes: by eye, 6 cm in 3.5 m */
  int in_air = 0, both = 0;
  for (int k = 0; k < s.clip->n_frames; k++) {
    const unsigned char *on = s.clip->contact + 4 * k;
    in_air += !standing(&s, k);
    both += (on[0] || on[2]) && (on[1] || on[3]);
  }
  CHECK_INT(in_air, 0); /* walking: always a foot down, for a fifth of the time both */
  CHECK(both > 0.1 * s.clip->n_frames && both < 0.4 * s.clip->n_frames);
  arena_free(s.arena);
  s = take("07_01", 1); /* a body of the actor's own size and feet as wide as feet */
  check_common(&s);
  CHECK(s.report.inverse->inside > 0.6);
  CHECK(s.report.inverse->cutoff > 0.6 && s.report.inverse->cutoff < 6);
  check_choices(&s);
  double peak = 0;
  for (int k = 0; k < s.clip->n_frames; k++) {
    double sum = 0;
    for (int p = 0; p < s.c->n_points; p++)
      sum += s.clip->force[3 * (k * s.c->n_points + p) + 2];
    peak = fmax(peak, sum / (s.c->mass * 9.81));
  }
  CHECK(peak > 1.1 && peak < 1.4); /* of both feet together; one alone has 1.1 to 1.2 in the books */
  double mean = 0;
  for (int i = 0; i < s.clip->n_frames * s.c->n_points; i++)
    mean += s.clip->force[3 * i + 2] / s.clip->n_frames;
  CHECK_NEAR(mean / (s.c->mass * 9.81), 1, 0.05); /* over two strides the ground carries the body */
  arena_free(s.arena);
}

static void test_run(void)
{
  struct scene s = take("09_01", 0);
  check_common(&s);
  check_feet(&s, 0.04, 0.6);
  check_sides(&s);
  CHECK(s.clip->speed > 3 && s.clip->speed < 4.2);
  check_free_fall(&s);
  check_choices(&s);
  arena_free(s.arena);
}

static void test_jump(void)
{
  struct scene s = take("13_11", 0);
  check_common(&s);
  check_feet(&s, 0.03, 0.2);
  check_sides(&s);
  check_free_fall(&s);
  CHECK(s.report.inverse->inside > 0.85);
  arena_free(s.arena);
}

static double turn_of_root(const struct scene *s, int dof)
{
  double least = 0, most = 0;
  for (int k = 0; k < s->clip->n_frames; k++) {
    double x = s->clip->q[k * s->c->n_dofs + dof] - s->clip->q[dof];
    least = fmin(least, x);
    most = fmax(most, x);
  }
  return most - least;
}

/* A cartwheel: hands are feet, and the root goes over sideways. */
static void test_cartwheel(void)
{
  struct scene s = take("49_06", 1);
  check_common(&s);
  CHECK_INT(s.c->n_feet, 6);
  int on_hands = 0, palm = -1;
  for (int p = 0; p < s.c->n_points; p++)
    if (strcmp(s.c->points[p].name, "left_palm.palm") == 0 || strcmp(s.c->points[p].name, "left_palm") == 0)
      palm = p;
  CHECK(palm >= 0);
  for (int k = 0; palm >= 0 && k < s.clip->n_frames; k++)
    on_hands += s.clip->contact[k * s.c->n_points + palm];
  CHECK(on_hands > 10);
  CHECK(turn_of_root(&s, 3) + turn_of_root(&s, 4) + turn_of_root(&s, 5) > 3);
  arena_free(s.arena);
}

static void test_roll(void)
{
  struct scene s = take("128_09", 0);
  check_common(&s);
  double lowest = INFINITY;
  for (int k = 0; k < s.clip->n_frames; k++)
    lowest = fmin(lowest, s.clip->q[k * s.c->n_dofs + 2]);
  CHECK(lowest < 0.3 && s.clip->q[2] > 0.8); /* from running down to the floor */
  arena_free(s.arena);
  s = take("128_09", 1); /* with points where the body rolls over */
  check_common(&s);
  int down = 0;
  for (int p = 0; p < s.c->n_points; p++)
    for (int k = 0; strncmp(s.c->points[p].name, "trunk", 5) == 0 && k < s.clip->n_frames; k++)
      down += s.clip->contact[k * s.c->n_points + p];
  CHECK(s.c->n_feet > 6 && down > 5);
  arena_free(s.arena);
}

int main(void)
{
  struct arena *arena = arena_new();
  folder = find_folder(arena);
  if (!folder) {
    fprintf(stderr, "skipped: no captured motion here; MUYBRIDGE_MOCAP names a folder with it\n");
    arena_free(arena);
    return 77;
  }
  test_walk();
  test_run();
  test_jump();
  test_cartwheel();
  test_roll();
  arena_free(arena);
  return test_finish();
}

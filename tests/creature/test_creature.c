/* Creature files: what good ones mean, in numbers worked out by hand or by formulas of this file, and what is said
 * about bad ones, to the letter. Data: good/ and bad/ beside this file; bad/x.creature must give the messages of
 * bad/x.expected. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bad_files.h"
#include "creature/creature.h"
#include "creature/pose.h"

#define DEGREE (3.14159265358979323846 / 180.0)
#define PI     3.14159265358979323846

static struct arena *arena;

/* Loads a file that must be good; its messages must be these. */
static const struct creature *load(const char *path, const char *messages)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, path, &d);
  char *text = diag_text(&d);
  CHECK(c != NULL);
  CHECK_STR(text, messages);
  free(text);
  diag_clear(&d);
  if (!c)
    exit(test_finish());
  return c;
}

/* The messages about a text that must be bad; the caller frees them. */
static char *complaints(const char *text, size_t length)
{
  struct diag d;
  diag_init(&d);
  CHECK(creature_parse(arena, "text", text, length, &d) == NULL);
  CHECK(d.n_errors > 0);
  char *messages = diag_text(&d);
  diag_clear(&d);
  return messages;
}

static const struct dof *dof(const struct creature *c, const char *name)
{
  int i = creature_find_dof(c, name);
  CHECK(i >= 0);
  return &c->dofs[i < 0 ? 0 : i];
}

static const struct limb *limb(const struct creature *c, const char *name)
{
  int i = creature_find_limb(c, name);
  CHECK(i >= 0);
  return &c->limbs[i < 0 ? 0 : i];
}

static void check_vector(const double *v, double x, double y, double z)
{
  CHECK_NEAR(v[0], x, 1e-14);
  CHECK_NEAR(v[1], y, 1e-14);
  CHECK_NEAR(v[2], z, 1e-14);
}

/* ---- facts that hold for every creature ---- */

static void world_of(const struct creature *c, const double *q, struct pose_frame *frames)
{
  pose_frames(c, q, frames);
}

/* Mass and centre of mass from limbs and from dofs are the same; so is the second moment about the root's origin. */
static void check_masses(const struct creature *c, const double *q)
{
  struct pose_frame *f = calloc((size_t)c->n_dofs, sizeof *f);
  double by_limb[4] = {0}, by_dof[4] = {0}, trace_limb = 0, trace_dof = 0;
  world_of(c, q, f);
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    double local[3], r[3];
    for (int k = 0; k < 3; k++)
      local[k] = l->origin[k] + l->com[k];
    pose_point(&f[l->body], local, r);
    by_limb[3] += l->mass;
    for (int k = 0; k < 3; k++)
      by_limb[k] += l->mass * r[k];
    trace_limb +=
        (l->inertia[0] + l->inertia[1] + l->inertia[2]) / 2 + l->mass * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  }
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    double r[3], cross = 0;
    pose_point(&f[i], d->moment1, r); /* p + R h; the first moment is m p + R h */
    by_dof[3] += d->mass;
    for (int k = 0; k < 3; k++) {
      double turned = r[k] - f[i].p[k];
      by_dof[k] += d->mass * f[i].p[k] + turned;
      cross += f[i].p[k] * (d->mass * f[i].p[k] + 2 * turned);
    }
    trace_dof += d->moment2[0] + d->moment2[1] + d->moment2[2] + cross;
    CHECK_INT(d->has_mass, d->mass > 0);
    CHECK_INT(d->has_offset, d->offset[0] != 0 || d->offset[1] != 0 || d->offset[2] != 0);
  }
  for (int k = 0; k < 4; k++)
    CHECK_NEAR(by_limb[k], by_dof[k], 1e-12 * c->mass);
  CHECK_NEAR(trace_limb, trace_dof, 1e-12 * trace_limb);
  CHECK_NEAR(by_dof[3], c->mass, 1e-12 * c->mass);
  free(f);
}

/* Parents first; the mirror of the mirror is oneself; axes are unit vectors; kinds say the truth. */
static void check_structure(const struct creature *c)
{
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    CHECK(d->parent < i && d->parent >= (i ? 0 : -1));
    CHECK_INT(c->dofs[d->mirror].mirror, i);
    CHECK_NEAR(d->axis[0] * d->axis[0] + d->axis[1] * d->axis[1] + d->axis[2] * d->axis[2], 1, 1e-15);
    if (d->kind != AXIS_ANY)
      CHECK_NEAR(fabs(d->axis[d->kind]), 1, 0);
    CHECK(d->lower <= d->rest && d->rest <= d->upper);
  }
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    CHECK(l->parent < i && l->parent >= (i ? 0 : -1));
    CHECK_INT(c->limbs[l->mirror].mirror, i);
    CHECK_INT(l->body, l->n_dofs ? l->first_dof + l->n_dofs - 1 : c->limbs[l->parent].body);
  }
  for (int i = 0; i < c->n_points; i++)
    CHECK_INT(c->points[c->points[i].mirror].mirror, i);
}

/* A pose and its mirror image put every contact point and its partner at mirrored places (for a symmetric creature). */
static void check_mirror(const struct creature *c)
{
  struct pose_frame *f = calloc((size_t)c->n_dofs, sizeof *f), *g = calloc((size_t)c->n_dofs, sizeof *g);
  double *q = calloc((size_t)c->n_dofs, sizeof *q), *m = calloc((size_t)c->n_dofs, sizeof *m);
  for (int i = 0; i < c->n_dofs; i++)
    q[i] = sin(1.0 + 2.3 * i);
  creature_mirror_pose(c, q, m);
  world_of(c, q, f);
  world_of(c, m, g);
  check_masses(c, q);
  for (int i = 0; i < c->n_points; i++) {
    const struct contact_point *p = &c->points[i], *o = &c->points[p->mirror];
    double here[3], there[3];
    pose_point(&f[p->body], p->at, here);
    pose_point(&g[o->body], o->at, there);
    check_vector(there, here[0], -here[1], here[2]);
  }
  free(f), free(g), free(q), free(m);
}

/* At rest the lowest contact point is on the ground. */
static void check_rest(const struct creature *c)
{
  struct pose_frame *f = calloc((size_t)c->n_dofs, sizeof *f);
  double *q = calloc((size_t)c->n_dofs, sizeof *q), lowest = INFINITY, r[3];
  creature_rest_pose(c, q);
  world_of(c, q, f);
  for (int i = 0; i < c->n_points; i++) {
    pose_point(&f[c->points[i].body], c->points[i].at, r);
    lowest = fmin(lowest, r[2]);
  }
  CHECK_NEAR(lowest, 0, 1e-14);
  CHECK_NEAR(f[5].p[2], c->height, 0);
  free(f), free(q);
}

/* ---- frames per second, where the file says nothing ---- */

/* A table on four legs of 0.2 m, bent outwards: it stands 0.02 m high; with a gait of that period, or with none. */
static double frame_rate_of_crawler(double period)
{
  char text[1000];
  int n = snprintf(text, sizeof text,
                   "limb body { from = {-0.1, 0, 0}  to = {0.1, 0, 0}  radius = 0.01  mass = 1 }\n"
                   "limb leg  { parent = body  mirror = true  at = {0.1, 0.02, 0}  to = {0, 0.1, 0}  mass = 0.1\n"
                   "            axis lift { about = x  rest = 40 } }\n"
                   "limb shin { parent = leg  to = {0, 0.1, 0}  mass = 0.1  axis bend { about = -x  rest = 97.4 } }\n"
                   "foot tip  { limb = shin }\n");
  if (period > 0)
    snprintf(text + n, sizeof text - (size_t)n,
             "gait walk { period = {2, %g}  speed = {0, 1}  contact tip { on = {0, 0.6} } }\n", period);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "text", text, strlen(text), &d);
  CHECK(c != NULL && d.n_errors == 0);
  double rate = c ? c->frame_rate : 0;
  CHECK(c && c->height > 0.015 && c->height < 0.025);
  diag_clear(&d);
  return rate;
}

static void test_frame_rate(void)
{
  CHECK_NEAR(frame_rate_of_crawler(0), 18 * sqrt(9.81 / (0.35 * 0.2)), 1e-9); /* its legs', not its height's */
  CHECK_NEAR(frame_rate_of_crawler(0.25), 18 * sqrt(9.81 / (0.35 * 0.2)), 1e-9);
  CHECK_NEAR(frame_rate_of_crawler(0.8), 75, 1e-9); /* slow for its size: 60 frames in a cycle */
}

/* ---- the example of the manual ---- */

static void test_hopper(void)
{
  const struct creature *c = load("good/hopper.creature", "");
  CHECK_STR(c->name, "hopper");
  CHECK_STR(c->summary, "");
  CHECK_STR(c->file, "good/hopper.creature");
  CHECK_INT(c->n_limbs, 5);
  CHECK_INT(c->n_dofs, 6 + 2 * 3);
  CHECK_INT(c->n_feet, 2);
  CHECK_INT(c->n_points, 2);
  CHECK_NEAR(c->mass, 8 + 2 * 1.5, 1e-14);
  double height = 0.3 * cos(25 * DEGREE) + 0.3 * cos(25 * DEGREE); /* thigh forward by 25, shank back by 50 - 25 */
  CHECK_NEAR(c->height, height, 1e-15);
  CHECK_NEAR(c->frame_rate, 18 * sqrt(9.81 / height), 1e-12);
  CHECK_NEAR(c->friction, 0.8, 0);
  static const char *const names[] = {"root_x",
                                      "root_y",
                                      "root_z",
                                      "root_yaw",
                                      "root_pitch",
                                      "root_roll",
                                      "left_thigh.flexion",
                                      "left_thigh.abduction",
                                      "left_shank.flexion",
                                      "right_thigh.flexion",
                                      "right_thigh.abduction",
                                      "right_shank.flexion"};
  for (int i = 0; i < c->n_dofs; i++)
    CHECK_STR(c->dofs[i].name, names[i]);
  check_structure(c);
  check_mirror(c);
  check_rest(c);
}

static void test_hopper_dofs(void)
{
  const struct creature *c = load("good/hopper.creature", "");
  const struct dof *flexion = dof(c, "left_thigh.flexion"), *abduction = dof(c, "right_thigh.abduction");
  check_vector(flexion->axis, 0, -1, 0);
  check_vector(flexion->offset, 0, 0.1, 0);
  CHECK_INT(flexion->kind, AXIS_Y);
  CHECK_INT(flexion->parent, 5);
  CHECK_NEAR(flexion->mass, 0, 0);
  CHECK_NEAR(flexion->lower, -40 * DEGREE, 1e-15);
  CHECK_NEAR(flexion->upper, 90 * DEGREE, 1e-15);
  CHECK_NEAR(flexion->rest, 25 * DEGREE, 1e-15);
  CHECK(isinf(flexion->torque_max));
  CHECK_NEAR(flexion->servo_kp, 11 * 9.81 * c->height, 1e-12);
  CHECK_NEAR(flexion->servo_kd, 0.3 * 11 * 9.81 * c->height * sqrt(c->height / 9.81), 1e-12);
  check_vector(abduction->axis, -1, 0, 0); /* the same angle swings the right leg out to the right */
  check_vector(abduction->offset, 0, 0, 0);
  CHECK_NEAR(abduction->mass, 1, 0);
  check_vector(abduction->moment1, 0, 0, -0.15);
  CHECK_STR(c->dofs[flexion->mirror].name, "right_thigh.flexion");
  CHECK_INT(flexion->mirror_sign, 1);
  static const int signs[6] = {1, -1, 1, -1, 1, -1};
  for (int i = 0; i < 6; i++) {
    CHECK_INT(c->dofs[i].mirror, i);
    CHECK_INT(c->dofs[i].mirror_sign, signs[i]);
    CHECK(isinf(c->dofs[i].lower) && isinf(c->dofs[i].upper));
    CHECK_NEAR(c->dofs[i].torque_max, 0, 0);
  }
  CHECK_NEAR(c->dofs[5].mass, 8, 0);
  CHECK_NEAR(c->feet[0].leg_length, 0.6, 1e-15);
  CHECK_STR(c->limbs[c->feet[1].first_leg_limb].name, "right_thigh");
}

static void test_hopper_gait(void)
{
  const struct creature *c = load("good/hopper.creature", "");
  CHECK_INT(creature_find_gait(c, "hop"), 0);
  CHECK_INT(creature_find_gait(c, "run"), -1);
  CHECK_INT(creature_find_limb(c, "thigh"), -1);
  CHECK_INT(creature_find_dof(c, "hop"), -1);
  const struct gait *g = &c->gaits[0];
  for (int p = 0; p < 2; p++) {
    CHECK_NEAR(gait_duty(g, p), 0.4, 1e-15);
    CHECK(gait_contact(g, p, 0) && gait_contact(g, p, 0.39) && gait_contact(g, p, -0.8) && gait_contact(g, p, 7.2));
    CHECK(!gait_contact(g, p, 0.4) && !gait_contact(g, p, 0.99) && !gait_contact(g, p, -0.1));
    CHECK(!gait_contact(g, p, NAN));
  }
  CHECK_NEAR(gait_period(g, 1), 0.5, 0);
}

/* ---- every feature ---- */

static const char *const everything_warnings =
    "good/everything.creature:3: warning: limb 'claw' hangs on one side only: a mirrored pose leaves it on that side\n"
    "good/everything.creature:18: warning: at rest 'pad.palm' is 1.09 m above 'left_foot.toe'; feet of a gait should "
    "be "
    "level\n"
    "good/legs.inc:10: warning: at rest 'left_foot' is 0.015 m deep in the ground, from where it is measured; end its "
    "shape above the points of its foot\n"
    "good/legs.inc:13: warning: at rest 'left_foot.heel' is 0.173 m above 'left_foot.toe'; feet of a gait should be "
    "level\n";

static void test_everything_tree(const struct creature *c)
{
  static const char *const order[] = {"hips",        "chest",       "left_arm",   "left_hand",
                                      "right_arm",   "right_hand",  "claw",       "plate",
                                      "horn",        "left_thigh",  "left_shank", "left_foot",
                                      "right_thigh", "right_shank", "right_foot", "tail"};
  CHECK_INT(c->n_limbs, 16);
  for (int i = 0; i < c->n_limbs && i < 16; i++)
    CHECK_STR(c->limbs[i].name, order[i]);
  CHECK_INT(limb(c, "left_arm")->n_dofs, 3);
  CHECK_INT(limb(c, "tail")->n_dofs, 1);
  CHECK_INT(limb(c, "left_foot")->n_dofs, 1);
  CHECK_STR(c->dofs[limb(c, "left_foot")->first_dof].name, "left_foot.knee"); /* axes and all, like the shank */
  CHECK_INT(limb(c, "plate")->n_dofs, 0);
  CHECK_INT(limb(c, "plate")->body, limb(c, "chest")->body);
  CHECK_INT(limb(c, "claw")->mirror, creature_find_limb(c, "claw"));
  check_structure(c);
  check_rest(c);
}

static void test_everything_places(const struct creature *c)
{
  check_vector(limb(c, "plate")->origin, 0.1, 0, 0.1);
  check_vector(dof(c, "horn.nod")->offset, 0.1, 0, 0.1 + 0.1); /* through the plate to the chest */
  check_vector(limb(c, "left_hand")->at, 0, 0.1, -0.4);        /* the arm's end */
  check_vector(limb(c, "right_hand")->at, 0, -0.1, -0.4);
  check_vector(limb(c, "right_hand")->shape.to, 0.1, -0.02, 0);
  check_vector(limb(c, "claw")->at, 0.1, -0.02, 0); /* the right hand's end, as written for nobody but the right */
  check_vector(limb(c, "claw")->shape.to, 0.05, 0, -0.05);
  check_vector(limb(c, "left_shank")->shape.to, 0, 0, -0.45); /* like the thigh */
  check_vector(limb(c, "tail")->at, -0.1, 0, 0);
  const struct dof *twist = dof(c, "left_arm.twist"), *other = dof(c, "right_arm.twist");
  check_vector(twist->axis, 0.3 / 1.3, 0.4 / 1.3, -1.2 / 1.3);
  check_vector(other->axis, -0.3 / 1.3, 0.4 / 1.3, 1.2 / 1.3);
  CHECK_INT(twist->kind, AXIS_ANY);
  CHECK_INT(dof(c, "left_arm.abduction")->kind, AXIS_X);
  CHECK_INT(dof(c, "chest.bend")->mirror_sign, 1);
  CHECK_INT(dof(c, "chest.lean")->mirror_sign, -1);
  CHECK_INT(dof(c, "chest.twist")->mirror_sign, -1);
}

static void test_everything_masses(const struct creature *c)
{
  double hand = 500 * PI / 6 * 0.1 * 0.04 * 0.06, foot = 1200 * PI * 0.03 * 0.03 * (0.2 + 4.0 / 3 * 0.03);
  CHECK_NEAR(limb(c, "left_hand")->mass, hand, 1e-15);
  CHECK_NEAR(limb(c, "left_foot")->mass, foot, 1e-14); /* its density, not the mass of the shank that it is like */
  CHECK_NEAR(limb(c, "left_thigh")->mass, 6, 1e-14);
  CHECK_NEAR(c->mass, 60 * (0.05 + 0.3 + 0.05 + 0.01 + 0.25 + 0.2 + 0.08 + 0.02) + 0.1 + 2 * (hand + foot), 1e-12);
  CHECK_NEAR(dof(c, "chest.twist")->mass, 60 * 0.35, 1e-13); /* with the plate */
  double h = 18 * 0.15 + 3 * (0.1 + 0.02);                   /* first moment: chest and plate */
  CHECK_NEAR(dof(c, "chest.twist")->moment1[2], h, 1e-14);
  CHECK_NEAR(dof(c, "chest.twist")->moment1[0], 3 * 0.11, 1e-15);
  const double *claw = limb(c, "claw")->inertia;
  CHECK_NEAR(claw[3], 2e-5, 0);
  CHECK_NEAR(claw[5], 3e-5, 0);
  const double *left = limb(c, "left_arm")->inertia, *right = limb(c, "right_arm")->inertia;
  static const int signs[6] = {1, 1, 1, -1, 1, -1};
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(left[i], signs[i] * right[i], 1e-15);
  CHECK(fabs(left[5]) > 1e-4);
  CHECK_NEAR(limb(c, "hips")->inertia[0], 15.0 / 12 * (0.3 * 0.3 + 0.2 * 0.2), 1e-14);
  double q[100];
  creature_rest_pose(c, q);
  check_masses(c, q);
}

static const struct tissue *tissue(const struct creature *c, const char *name)
{
  for (int i = 0; i < c->n_tissues; i++)
    if (!strcmp(c->tissues[i].name, name))
      return &c->tissues[i];
  return NULL;
}

static void test_everything_values(const struct creature *c)
{
  CHECK_STR(c->name, "everything");
  CHECK_STR(c->summary, "all of it; with {braces} and # signs");
  CHECK_NEAR(c->friction, 1.5, 0);
  CHECK_NEAR(c->frame_rate, 120, 0);
  const struct dof *d = dof(c, "left_arm.flexion");
  CHECK_NEAR(d->torque_max, 50, 0);
  const struct tissue *spring = tissue(c, "left_arm.flexion");
  CHECK(spring && spring->n_dofs == 1 && &c->dofs[spring->dof[0]] == d && !spring->one_sided);
  CHECK(spring && spring->arm[0] == 1 && spring->slack == d->rest);
  CHECK(spring && spring->stiffness == 3 && spring->damping == 0.25);
  d = dof(c, "right_arm.abduction");
  CHECK_NEAR(d->servo_kp, 200, 0);
  CHECK_NEAR(d->servo_kd, 10, 0);
  CHECK_NEAR(d->lower, -180 * DEGREE, 1e-15);
}

static void test_everything_feet(const struct creature *c)
{
  static const char *const points[] = {"left_foot.heel", "left_foot.toe", "right_foot.heel", "right_foot.toe",
                                       "pad.palm",       "tailtip.l",     "tailtip.r",       "tailtip.c"};
  static const int mirrors[] = {2, 3, 0, 1, 4, 6, 5, 7};
  CHECK_INT(c->n_points, 8);
  for (int i = 0; i < c->n_points && i < 8; i++) {
    CHECK_STR(c->points[i].name, points[i]);
    CHECK_INT(c->points[i].mirror, mirrors[i]);
  }
  check_vector(c->points[0].at, -0.05, 0.01, -0.08);
  check_vector(c->points[2].at, -0.05, -0.01, -0.08);
  const struct limb *hand = limb(c, "right_hand"); /* fixed to the arm: the point is in the arm's frame, as written */
  check_vector(c->points[4].at, hand->at[0] + 0.1, hand->at[1] + 0.03, hand->at[2]);
  CHECK_STR(c->limbs[c->feet[0].first_leg_limb].name, "left_thigh");
  CHECK_NEAR(c->feet[0].leg_length, 0.45 + 0.45 + sqrt(0.15 * 0.15 + 0.08 * 0.08), 1e-14);
  CHECK_STR(c->limbs[c->feet[2].first_leg_limb].name, "right_arm"); /* the chest carries more than this arm */
  CHECK_STR(c->limbs[c->feet[3].first_leg_limb].name, "tail");
}

static void check_interval(const struct gait *g, int p, int i, double from, double until)
{
  CHECK(i < g->n_intervals[p]);
  CHECK_NEAR(g->on[p][i].from, from, 1e-12);
  CHECK_NEAR(g->on[p][i].until, until, 1e-12);
}

static void test_everything_gaits(const struct creature *c)
{
  const struct gait *walk = &c->gaits[creature_find_gait(c, "walk")], *limp = &c->gaits[creature_find_gait(c, "limp")];
  check_interval(walk, 0, 0, 0.9, 0.2); /* left heel */
  check_interval(walk, 2, 0, 0.4, 0.7); /* right heel: half a cycle later */
  check_interval(walk, 1, 0, 0, 0.4);
  check_interval(walk, 1, 1, 0.6, 0.7);
  check_interval(walk, 3, 0, 0.1, 0.2); /* right toe, in order of from; 0.5 .. 0.9 comes second */
  check_interval(walk, 3, 1, 0.5, 0.9);
  check_interval(walk, 4, 0, 0, 1);
  CHECK_INT(walk->n_intervals[5], 0);
  CHECK_NEAR(gait_duty(walk, 0), 0.3, 1e-12);
  CHECK_NEAR(gait_duty(walk, 3), 0.5, 1e-12);
  CHECK_NEAR(gait_duty(walk, 4), 1, 0);
  CHECK(gait_contact(walk, 0, 0.95) && gait_contact(walk, 0, 0.1) && !gait_contact(walk, 0, 0.5));
  CHECK(gait_contact(walk, 4, 0) && gait_contact(walk, 4, 0.999) && gait_contact(walk, 4, -3.5));
  CHECK(gait_contact(walk, 4, -1e-20)); /* rounds to a whole cycle */
  CHECK_NEAR(gait_period(walk, 2), 0.9, 1e-15);
  CHECK_NEAR(gait_period(walk, 0), 1.2, 0);
  CHECK_NEAR(gait_period(walk, 9), 0.6, 0);
  check_interval(limp, 0, 0, 0.5, 0.9);
  check_interval(limp, 1, 0, 0.5, 0.9);
  check_interval(limp, 2, 0, 0.2, 0.6); /* a side that is named is not shifted */
  check_interval(limp, 3, 0, 0, 0.3);
  CHECK_NEAR(gait_period(limp, 5), 1, 0);
}

static void test_everything(void)
{
  const struct creature *c = load("good/everything.creature", everything_warnings);
  test_everything_tree(c);
  test_everything_places(c);
  test_everything_masses(c);
  test_everything_values(c);
  test_everything_feet(c);
  test_everything_gaits(c);
}

/* ---- from memory ---- */

/* A limb that gives a mass does not take the density of the one that it is like, nor a size with its radius. */
static void test_like(void)
{
  static const char text[] = "limb a { shape = capsule  radius = 0.1  density = 500 }\n"
                             "limb b { parent = a  like = a  mass = 3 }\n"
                             "limb c { parent = a  shape = box  size = {1, 1, 1}  mass = 2  joint = fixed }\n"
                             "limb d { parent = a  like = c  shape = capsule  radius = 0.2  axis s { about = y } }\n"
                             "limb e { parent = a  like = a  shape = box  size = {1, 1, 1} }\n";
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "text", text, strlen(text), &d);
  CHECK(c && d.n_errors == 0 && d.n_warnings == 0);
  if (c) {
    CHECK_NEAR(limb(c, "b")->mass, 3, 0);
    CHECK_NEAR(limb(c, "d")->mass, 2, 0);
    CHECK_NEAR(limb(c, "d")->shape.size[0], 0.4, 1e-15);
    CHECK_INT(limb(c, "d")->n_dofs, 1);
    CHECK_NEAR(limb(c, "e")->mass, 500, 1e-12);
  }
  diag_clear(&d);
}

/* Intervals that meet are one, also across the end of the cycle. */
static void test_joined(void)
{
  static const char text[] = "limb a { to = {0, 0, -1}  radius = 0.1 }\nfoot f { limb = a }\n"
                             "gait a { period = 1 speed = {0, 1} contact f { on = {0.3, 0.4, 0, 0.3, 0.6, 0.7} } }\n"
                             "gait b { period = 1 speed = {0, 1} contact f { on = {0, 0.1, 0.9, 1, 0.2, 0.3} } }\n"
                             "gait c { period = 1 speed = {0, 1} contact f { on = {0.7, 0.2, 0.2, 0.5, 0.5, 0.7} } }\n"
                             "gait d { period = 1 speed = {0, 1} contact f { on = {0.1, 0.2, 0.9, 0.1} } }\n"
                             "gait e { period = 1 speed = {0, 1} contact f { on = {0.2, 0.3, 0.9, 0.1} } }\n";
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "text", text, strlen(text), &d);
  CHECK(c && d.n_errors == 0 && d.n_warnings == 0);
  if (c) {
    static const int n[] = {2, 2, 1, 1, 2};
    for (int i = 0; i < 5; i++)
      CHECK_INT(c->gaits[i].n_intervals[0], n[i]);
    check_interval(&c->gaits[0], 0, 0, 0, 0.4);
    check_interval(&c->gaits[0], 0, 1, 0.6, 0.7);
    check_interval(&c->gaits[1], 0, 0, 0.2, 0.3);
    check_interval(&c->gaits[1], 0, 1, 0.9, 0.1);
    check_interval(&c->gaits[2], 0, 0, 0, 1);
    check_interval(&c->gaits[3], 0, 0, 0.9, 0.2);
    check_interval(&c->gaits[4], 0, 0, 0.2, 0.3);
    check_interval(&c->gaits[4], 0, 1, 0.9, 0.1);
  }
  diag_clear(&d);
}

static void test_memory(void)
{
  static const char text[] = "limb log { from = {0, 0, 0.1}  to = {1, 0, 0.1}  radius = 0.3 }";
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "some/wood.creature", text, strlen(text), &d);
  CHECK(c && d.n_errors == 0 && d.n_warnings == 0);
  if (c) {
    CHECK_STR(c->name, "wood");
    CHECK_NEAR(c->height, 0.2, 1e-15);
    CHECK_INT(c->n_dofs, 6);
    CHECK_INT(c->n_gaits, 0);
  }
  diag_clear(&d);
}

/* ---- bad files ---- */

static void check_bad(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, arena_printf(arena, "bad/%s", name), &d);
  CHECK_INT(c != NULL, d.n_errors == 0);
  CHECK(d.n_errors + d.n_warnings > 0);
  bad_files_compare(name, "", &d);
}

/* Styles, on a creature that is good. */
static void check_bad_style(const char *name)
{
  struct diag d;
  diag_init(&d);
  const char *style = arena_printf(arena, "bad/%s", name);
  const struct creature *c = creature_load_styled(arena, "good/styled.creature", &style, 1, &d);
  CHECK(!c && d.n_errors > 0);
  bad_files_compare(name, "", &d);
}

static void test_bad(void)
{
  bad_files_each(".creature", 40, check_bad);
  bad_files_each(".style", 5, check_bad_style);
}

/* ---- bad texts too large to keep ---- */

static char *repeat(const char *piece, size_t times)
{
  size_t n = strlen(piece);
  char *text = malloc(n * times + 1);
  for (size_t i = 0; i < times; i++)
    memcpy(text + i * n, piece, n);
  text[n * times] = '\0';
  return text;
}

static void check_repeated(const char *piece, size_t times, const char *expected)
{
  char *text = repeat(piece, times);
  clock_t start = clock();
  char *messages = complaints(text, strlen(text));
  CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 5); /* at once, with room for sanitizers on a busy machine */
  CHECK_STR(messages, expected);
  free(messages);
  free(text);
}

static void test_large(void)
{
  check_repeated("\x8f!~", 3495253, "text: error: file is 10.0 MiB, at most 1 MiB is allowed\n");
  check_repeated("limb a{}\n", 100000, "text:1001: error: more than 1000 limb sections\n");
  check_repeated("foot a{}\n", 100000, "text:101: error: more than 100 foot sections\n");
  check_repeated("a=1 ", 250000,
                 "text: error: there is no limb; a creature needs at least one: limb NAME { ... }\n"
                 "text:1: error: unknown key 'a'; allowed are name, summary, body_mass, friction, frame_rate, limb, "
                 "foot, gait, tendon, change, style\n");
}

/* A thousand limbs in a row are allowed, and a thousand that carry each other are not. */
static void test_long_chains(void)
{
  char *text = calloc(1, 200000), *end = text;
  end += sprintf(end, "limb l0 { radius = 1 }\n");
  for (int i = 1; i < 1000; i++)
    end += sprintf(end, "limb l%d { parent = l%d  mirror = true  at = {0, 1, 0}  radius = 1  axis a { about = y } }\n",
                   i, i - 1);
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "text", text, strlen(text), &d);
  CHECK(c && c->n_limbs == 1 + 2 * 999 && c->n_dofs == 6 + 2 * 999);
  CHECK_INT(d.n_errors + d.n_warnings, 0);
  diag_clear(&d);
  memcpy(text, "limb l0 { parent=l999}\n", 23);
  char *messages = complaints(text, strlen(text));
  CHECK(strstr(messages, "limbs carry each other in a circle: l0 -> l999 -> l998 ->") != NULL);
  free(messages);
  free(text);
}

/* What reads one file after another must not be disturbed by what was wrong with the one before. */
static void test_after_failure(void)
{
  static const char *const broken[] = {"name = \"",      "limb a {", "include(\"nowhere\"",
                                       "limb a { x = {", "/*",       "\"\\8\""};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    free(complaints(broken[i], strlen(broken[i])));
    const struct creature *c = load("good/hopper.creature", "");
    CHECK_INT(c->n_dofs, 12);
  }
}

/* What gaits leave open is apart from those that are complete, and what they say is kept. */
static void test_open_gaits(void)
{
  static const char text[] =
      "limb body { radius = 0.1 }"
      "limb leg { parent = body  mirror = true  at = {0, 0.1, -0.1}  to = {0, 0, -0.3}  radius = 0.02"
      "  axis a { about = y } }"
      "foot toe { limb = leg }"
      "gait all { speed = {0.5, 1} }"
      "gait done { period = 1  speed = {0.5, 1}  contact toe { on = {0, 0.6} } }"
      "gait duty { speed = {0.5, 1}  duty = 0.7 }"
      "gait order { period = {1, 0.8}  speed = {0.5, 1}  right_lag = 0.25  contact toe { at = 0.875 } }"
      "gait tempo { speed = {0.5, 1}  contact left_toe { on = {0.1, 0.6} } }";
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "text", text, strlen(text), &d);
  CHECK_INT(d.n_errors + d.n_warnings, 0);
  if (!c)
    return;
  CHECK_INT(c->n_gaits, 1);
  CHECK_STR(c->gaits[0].name, "done");
  CHECK_INT(c->n_open, 4);
  const struct open_gait *all = &c->open[0], *duty = &c->open[1], *order = &c->open[2], *tempo = &c->open[3];
  CHECK(!all->has_order && !(all->duty > 0) && !(all->gait.period_slow > 0) && all->gait.speed_max == 1);
  CHECK(!duty->has_order && duty->duty == 0.7);
  CHECK(order->has_order && order->gait.period_slow == 1 && order->gait.period_fast == 0.8);
  CHECK_NEAR(order->touch[0], 0.875, 1e-12);
  CHECK_NEAR(order->touch[1], 0.125, 1e-12); /* the right foot, later by right_lag */
  CHECK_INT(order->gait.n_intervals[0] + order->gait.n_intervals[1], 0);
  CHECK(tempo->has_order && isnan(tempo->touch[0]) && isnan(tempo->touch[1]));
  CHECK_INT(tempo->gait.n_intervals[0], 1);
  CHECK_INT(tempo->gait.n_intervals[1], 0);
  diag_clear(&d);
}

int main(void)
{
  if (!bad_files_enter("tests/creature"))
    return 99; /* automake: a hard error */
  arena = arena_new();
  test_frame_rate();
  test_hopper();
  test_hopper_dofs();
  test_hopper_gait();
  test_everything();
  test_like();
  test_joined();
  test_memory();
  test_open_gaits();
  test_bad();
  test_large();
  test_long_chains();
  test_after_failure();
  arena_free(arena);
  return test_finish();
}

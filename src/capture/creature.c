/* A creature of the size of a captured person: the text of an ordinary creature file, with the limbs of the human of
 * the zoo.
 *
 * Lengths are the skeleton's, the mean of left and right, measured in the reference pose. What a skeleton does not have
 * comes from books: masses and centres of mass are de Leva's (1996, men), the height follows from the legs (Winter
 * 2009), thicknesses are those of the human of the zoo, changed so that flesh keeps its density. Ranges are a person's,
 * widened to what the actor does. Hands that come down to the floor get contact points. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "capture/capture.h"

#define ZOO_MASS   75.0  /* of the human of the zoo, which radii, torques and gains are scaled from [kg] */
#define ZOO_HEIGHT 1.74  /* [m]                                                                          */

struct body {                   /* measures [m], vectors in the facing frame                          */
  double height, mass;
  double hip[3], abdomen[3];    /* from the middle of the hips                                        */
  double chest[3];              /* from the abdomen                                                   */
  double neck[3], shoulder[3];  /* from the chest                                                     */
  double thigh, shank, upper_arm, forearm, hand;
  double toe;                   /* from the ankle ahead to the toe joint                              */
  double toes;
  int stands_on_hands;
};

/* ---- measuring ---- */

struct measure {
  const struct capture *k;
  double *R, *p;
  double facing[9];             /* rows: ahead, left, up                                              */
};

static const double *measure_place(const struct measure *m, int joint)
{
  return m->p + 3 * joint;
}

static double measure_between(const struct measure *m, int a, int b)
{
  const double *x = measure_place(m, a), *y = measure_place(m, b);
  double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return vec3_norm(d);
}

/* The mean of both sides' bones between two roles. */
static double measure_bone(const struct measure *m, int from, int to)
{
  const int *role = m->k->role;
  return 0.5 * (measure_between(m, role[from], role[to]) + measure_between(m, role[from + 1], role[to + 1]));
}

static void middle_of(const struct measure *m, int role, double *out)
{
  const double *left = measure_place(m, m->k->role[role]), *right = measure_place(m, m->k->role[role + 1]);
  for (int a = 0; a < 3; a++)
    out[a] = 0.5 * (left[a] + right[a]);
}

/* to - from, as the facing frame sees it. */
static void measure_arm(const struct measure *m, const double *from, const double *to, double *out)
{
  double d[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  mat3_mul_vec(m->facing, d, out);
}

static void measure_facing(struct measure *m)
{
  const int *role = m->k->role;
  const double *left = measure_place(m, role[CAPTURE_THIGH]), *right = measure_place(m, role[CAPTURE_RIGHT_THIGH]);
  double x = left[0] - right[0], y = left[1] - right[1], n = hypot(x, y);
  const double rows[9] = {y / n, -x / n, 0, x / n, y / n, 0, 0, 0, 1};
  memcpy(m->facing, rows, sizeof rows);
}

/* The first joint from the chest to the head that is away from the chest. */
static int neck_joint(const struct measure *m)
{
  int chest = m->k->role[CAPTURE_CHEST], found = -1;
  for (int i = m->k->role[CAPTURE_HEAD]; i > chest; i = m->k->joints[i].parent)
    if (measure_between(m, i, chest) > 0.01)
      found = i;
  return found;
}

/* How far the end of a chain is from its joint: the longest way down. */
static double measure_reach(const struct measure *m, int joint)
{
  double most = 0;
  for (int i = joint + 1; i < m->k->n_joints; i++) {
    int above = i;
    while (above > joint)
      above = m->k->joints[above].parent;
    if (above == joint)
      most = fmax(most, measure_between(m, i, joint));
  }
  return most;
}

static void measure_trunk(const struct measure *m, struct body *b)
{
  const int *role = m->k->role;
  double hips[3], shoulders[3];
  const double *chest = measure_place(m, role[CAPTURE_CHEST]);
  middle_of(m, CAPTURE_THIGH, hips);
  middle_of(m, CAPTURE_UPPER_ARM, shoulders);
  if (role[CAPTURE_ABDOMEN] >= 0) {
    measure_arm(m, hips, measure_place(m, role[CAPTURE_ABDOMEN]), b->abdomen);
    measure_arm(m, measure_place(m, role[CAPTURE_ABDOMEN]), chest, b->chest);
  } else {
    measure_arm(m, hips, chest, b->chest);
    for (int a = 0; a < 3; a++) {
      b->abdomen[a] = 0.4 * b->chest[a];
      b->chest[a] *= 0.6;
    }
  }
  measure_arm(m, chest, shoulders, b->shoulder);
  b->shoulder[1] = 0.5 * measure_between(m, role[CAPTURE_UPPER_ARM], role[CAPTURE_RIGHT_UPPER_ARM]);
  b->hip[1] = 0.5 * measure_between(m, role[CAPTURE_THIGH], role[CAPTURE_RIGHT_THIGH]);
  int neck = role[CAPTURE_HEAD] >= 0 ? neck_joint(m) : -1;
  b->neck[2] = b->shoulder[2] + 0.03 * b->height;
  if (neck >= 0)
    measure_arm(m, chest, measure_place(m, neck), b->neck);
  b->abdomen[1] = b->chest[1] = b->neck[1] = 0; /* left and right are mirror images */
}

static double clamp(double x, double least, double most)
{
  return x < least ? least : x > most ? most : x;
}

static void measure_limbs(const struct measure *m, struct body *b)
{
  const int *role = m->k->role;
  b->thigh = measure_bone(m, CAPTURE_THIGH, CAPTURE_SHANK);
  b->shank = measure_bone(m, CAPTURE_SHANK, CAPTURE_FOOT);
  b->height = (b->thigh + b->shank) / m->k->guesses->leg_share;
  b->upper_arm = measure_bone(m, CAPTURE_UPPER_ARM, CAPTURE_FOREARM);
  b->forearm = 0.146 * b->height; /* Winter 2009, as all that stands in for what is not there */
  b->hand = 0.09 * b->height;
  if (role[CAPTURE_HAND] >= 0 && role[CAPTURE_RIGHT_HAND] >= 0) {
    b->forearm = measure_bone(m, CAPTURE_FOREARM, CAPTURE_HAND);
    double hand = 0.5 * (measure_reach(m, role[CAPTURE_HAND]) + measure_reach(m, role[CAPTURE_RIGHT_HAND]));
    b->hand = clamp(hand, 0.06 * b->height, 0.12 * b->height);
  }
  b->toe = 0.078 * b->height;
  b->toes = 0.04 * b->height;
  if (role[CAPTURE_TOES] >= 0 && role[CAPTURE_RIGHT_TOES] >= 0) {
    double ahead = 0, end = 0;
    for (int side = 0; side < 2; side++) {
      const double *ankle = measure_place(m, role[CAPTURE_FOOT + side]);
      const double *toe = measure_place(m, role[CAPTURE_TOES + side]);
      ahead += 0.5 * hypot(toe[0] - ankle[0], toe[1] - ankle[1]);
      end += 0.5 * measure_reach(m, role[CAPTURE_TOES + side]);
    }
    b->toe = clamp(ahead, 0.05 * b->height, 0.12 * b->height);
    b->toes = clamp(end, 0.02 * b->height, 0.06 * b->height);
  }
}

/* Does the actor stand on the hands? Skeletons of files have short arms: wrists that rest, slow and low, well above the
 * floor. Then the forearms are made longer, so that the hands get there. The floor is taken to be where an ankle is
 * lowest, less its height. */
static void measure_hands(const struct measure *m, struct body *b)
{
  const struct capture_guesses *guesses = m->k->guesses;
  const int *role = m->k->role;
  double floor = INFINITY, height = 0, before[2][3];
  int n = 0;
  for (int f = 0; f < m->k->n_frames; f++) {
    capture_kinematics(m->k, f, m->R, m->p);
    for (int side = 0; side < 2; side++)
      floor = fmin(floor, measure_place(m, role[CAPTURE_FOOT + side])[2]);
  }
  floor -= 0.039 * b->height;
  for (int f = 0; f < m->k->n_frames && role[CAPTURE_HAND] >= 0 && role[CAPTURE_RIGHT_HAND] >= 0; f++) {
    capture_kinematics(m->k, f, m->R, m->p);
    for (int side = 0; side < 2; side++) {
      const double *at = measure_place(m, role[CAPTURE_HAND + side]);
      double way[3] = {at[0] - before[side][0], at[1] - before[side][1], at[2] - before[side][2]};
      if (f > 0 && vec3_norm(way) / m->k->dt < guesses->hand_slow && at[2] - floor < guesses->hand_low * b->height)
        height += at[2] - floor, n++;
      memcpy(before[side], at, sizeof before[side]);
    }
  }
  b->stands_on_hands = n * m->k->dt > guesses->hand_time;
  if (b->stands_on_hands)
    b->forearm = clamp(b->forearm + height / n - guesses->wrist_height * b->height, b->forearm, 0.18 * b->height);
}

static struct body measure_body(struct arena *arena, const struct capture *k, double mass)
{
  struct body b = {0};
  struct measure m = {.k = k,
                      .R = ARENA_NEW(arena, 9 * (size_t)k->n_joints, double),
                      .p = ARENA_NEW(arena, 3 * (size_t)k->n_joints, double)};
  capture_kinematics(k, -1, m.R, m.p);
  measure_facing(&m);
  measure_limbs(&m, &b);
  measure_trunk(&m, &b);
  b.mass = mass > 0 ? mass : k->guesses->body_mass_index * b.height * b.height;
  measure_hands(&m, &b);
  return b;
}

/* ---- writing ---- */

struct range { const char *dof; double lower, upper; }; /* of the left side [degrees] */

static const struct range natural[] = {
  {"abdomen.flexion", -30, 70},        {"abdomen.lean", -30, 30},           {"abdomen.twist", -30, 30},
  {"chest.flexion", -25, 45},          {"chest.lean", -25, 25},             {"chest.twist", -35, 35},
  {"head.flexion", -50, 50},           {"head.lean", -40, 40},              {"head.twist", -70, 70},
  {"left_upper_arm.flexion", -60, 170}, {"left_upper_arm.abduction", -20, 150}, {"left_upper_arm.rotation", -80, 80},
  {"left_forearm.flexion", 0, 145},    {"left_forearm.pronation", -85, 85},
  {"left_hand.flexion", -80, 80},      {"left_hand.deviation", -30, 25},
  {"left_thigh.flexion", -30, 125},    {"left_thigh.abduction", -30, 45},   {"left_thigh.rotation", -40, 45},
  {"left_shank.flexion", 0, 140},      {"left_foot.dorsiflexion", -55, 35}, {"left_foot.eversion", -30, 25},
  {"left_toes.extension", -35, 80}};
#define N_RANGES ((int)(sizeof natural / sizeof *natural))

struct writer {
  FILE *out;
  const struct body *b;
  struct range ranges[N_RANGES];
  double size, strength;        /* of lengths, and of torques and gains, against the human of the zoo  */
};

/* "axis NAME { about = A range = {..} rest = R torque = T servo = {kp, kd} }"; torque 0: none. */
struct axis_text { const char *dof, *about; double rest, torque, kp, kd; };

static void write_axis(struct writer *w, struct axis_text a)
{
  const char *name = strchr(a.dof, '.') + 1;
  int i = 0;
  while (strcmp(w->ranges[i].dof, a.dof) != 0)
    i++;
  fprintf(w->out, "\n  axis %-12s { about = %-2s  range = {%.0f, %.0f}  rest = %g  ", name, a.about, w->ranges[i].lower,
          w->ranges[i].upper, a.rest);
  if (a.torque > 0)
    fprintf(w->out, "torque = %.0f  ", a.torque * w->strength);
  fprintf(w->out, "servo = {%.1f, %.2f} }", a.kp * w->strength, a.kd * w->strength);
}

/* The radius of a limb of the zoo's human, for this mass and length: the same density. */
static double radius(const struct writer *w, double of_zoo, double length, double length_of_zoo)
{
  return of_zoo * sqrt(w->b->mass / ZOO_MASS * length_of_zoo / length);
}

static void write_trunk(struct writer *w)
{
  const struct body *b = w->b;
  double s = w->size, wide = sqrt(w->b->mass / ZOO_MASS / s);
  fprintf(w->out, "limb pelvis { from = {%.4f, %.4f, %.4f}  to = {%.4f, %.4f, %.4f}  radius = %.4f  mass = 11.17%% }\n",
          -0.01 * s, -0.06 * s, 0.03 * s, -0.01 * s, 0.06 * s, 0.03 * s, 0.105 * wide);
  fprintf(w->out, "limb abdomen { parent = pelvis  at = {%.4f, 0, %.4f}  from = {0, 0, %.4f}  to = {%.4f, 0, %.4f}\n"
                  "  shape = ellipsoid  size = {%.4f, %.4f}  mass = 16.33%%", b->abdomen[0], b->abdomen[2],
          -clamp(b->abdomen[2] - 0.06 * s, 0.04 * s, 0.14 * s), b->chest[0],
          b->chest[2] + 0.04 * s, 0.29 * wide, 0.21 * wide);
  write_axis(w, (struct axis_text){"abdomen.flexion", "y", 0, 0, 600, 30});
  write_axis(w, (struct axis_text){"abdomen.lean", "x", 0, 0, 600, 30});
  write_axis(w, (struct axis_text){"abdomen.twist", "z", 0, 0, 600, 30});
  fprintf(w->out,
          " }\nlimb chest { parent = abdomen  at = {%.4f, 0, %.4f}  from = {0, 0, %.4f}  to = {%.4f, 0, %.4f}\n"
          "  shape = ellipsoid  size = {%.4f, %.4f}  mass = 15.96%%",
          b->chest[0], b->chest[2], -0.06 * s, b->neck[0], fmax(b->neck[2], b->shoulder[2] + 0.02 * s), 0.34 * wide,
          0.22 * wide);
  write_axis(w, (struct axis_text){"chest.flexion", "y", 0, 0, 600, 30});
  write_axis(w, (struct axis_text){"chest.lean", "x", 0, 0, 600, 30});
  write_axis(w, (struct axis_text){"chest.twist", "z", 0, 0, 600, 30});
  fprintf(w->out,
          " }\nlimb head { parent = chest  at = {%.4f, 0, %.4f}  to = {%.4f, 0, %.4f}\n  shape = ellipsoid  size = "
          "{%.4f, %.4f}  mass = 6.94%%",
          b->neck[0], b->neck[2], 0.02 * s, 0.285 * s, 0.155 * wide, 0.19 * wide);
  write_axis(w, (struct axis_text){"head.flexion", "y", 0, 0, 100, 10});
  write_axis(w, (struct axis_text){"head.lean", "x", 0, 0, 100, 10});
  write_axis(w, (struct axis_text){"head.twist", "z", 0, 0, 100, 10});
  fputs(" }\n\n", w->out);
}

static void write_arm(struct writer *w)
{
  const struct body *b = w->b;
  fprintf(w->out,
          "limb upper_arm { parent = chest  mirror = true  at = {%.4f, %.4f, %.4f}  to = {0, 0, %.4f}  radius = %.4f\n"
          "  com = {0, 0, %.4f}  mass = 2.71%%",
          b->shoulder[0], b->shoulder[1], b->shoulder[2], -b->upper_arm, radius(w, 0.045, b->upper_arm, 0.28),
          -0.577 * b->upper_arm);
  write_axis(w, (struct axis_text){"left_upper_arm.flexion", "-y", -4, 0, 300, 15});
  write_axis(w, (struct axis_text){"left_upper_arm.abduction", "x", 8, 0, 300, 15});
  write_axis(w, (struct axis_text){"left_upper_arm.rotation", "z", -12, 0, 300, 15});
  fprintf(w->out,
          " }\nlimb forearm { parent = upper_arm  to = {0, 0, %.4f}  radius = %.4f  com = {0, 0, %.4f}  mass = 1.62%%",
          -b->forearm, radius(w, 0.036, b->forearm, 0.27), -0.457 * b->forearm);
  write_axis(w, (struct axis_text){"left_forearm.flexion", "-y", 22, 0, 200, 10});
  write_axis(w, (struct axis_text){"left_forearm.pronation", "z", 0, 0, 60, 3});
  fprintf(w->out,
          " }\nlimb hand { parent = forearm  to = {0, 0, %.4f}  shape = box  size = {%.4f, %.4f}  mass = 0.61%%",
          -b->hand, 0.035 * w->size, 0.085 * w->size);
  write_axis(w, (struct axis_text){"left_hand.flexion", "-x", 0, 0, 30, 1.5});
  write_axis(w, (struct axis_text){"left_hand.deviation", "-y", 0, 0, 30, 1.5});
  fputs(" }\n\n", w->out);
}

static void write_leg(struct writer *w)
{
  const struct body *b = w->b;
  double s = w->size, ankle = 0.07 * s, heel = 0.055 * s;
  fprintf(w->out,
          "limb thigh { parent = pelvis  mirror = true  at = {0, %.4f, 0}  to = {0, 0, %.4f}  radius = %.4f  com = {0, "
          "0, %.4f}  mass = 14.16%%",
          b->hip[1], -b->thigh, radius(w, 0.082, b->thigh, 0.42), -0.41 * b->thigh);
  write_axis(w, (struct axis_text){"left_thigh.flexion", "-y", 13, 450, 800, 40});
  write_axis(w, (struct axis_text){"left_thigh.abduction", "x", 0, 0, 800, 40});
  write_axis(w, (struct axis_text){"left_thigh.rotation", "z", 3, 0, 800, 40});
  fprintf(w->out,
          " }\nlimb shank { parent = thigh  to = {0, 0, %.4f}  radius = %.4f  com = {0, 0, %.4f}  mass = 4.33%%",
          -b->shank, radius(w, 0.048, b->shank, 0.43), -0.44 * b->shank);
  write_axis(w, (struct axis_text){"left_shank.flexion", "y", 25, 450, 800, 40});
  fprintf(w->out,
          " }\nlimb foot { parent = shank  from = {%.4f, 0, %.4f}  to = {%.4f, 0, %.4f}  radius = %.4f  mass = 1.25%%",
          -0.03 * s, -0.5 * ankle, b->toe, -0.65 * ankle, 0.033 * s);
  write_axis(w, (struct axis_text){"left_foot.dorsiflexion", "-y", 12, 450, 300, 25});
  write_axis(w, (struct axis_text){"left_foot.eversion", "x", 0, 0, 300, 25});
  fprintf(w->out,
          " }\nlimb toes { parent = foot  at = {%.4f, 0, %.4f}  from = {%.4f, 0, 0}  to = {%.4f, 0, %.4f}  radius = "
          "%.4f  mass = 0.12%%",
          b->toe, 0.022 * s - ankle, 0.01 * s, fmax(b->toes - 0.02 * s, 0.02 * s), -0.003 * s, 0.019 * s);
  write_axis(w, (struct axis_text){"left_toes.extension", "-y", 0, 0, 60, 3});
  fprintf(w->out,
          " }\n\nfoot heel { limb = foot  point inner { at = {%.4f, %.4f, %.4f} }  point outer { at = {%.4f, %.4f, "
          "%.4f} } }\n",
          -heel, -0.025 * s, -ankle, -heel, 0.025 * s, -ankle);
  fprintf(
      w->out,
      "foot ball { limb = toes  point inner { at = {%.4f, %.4f, %.4f} }  point outer { at = {%.4f, %.4f, %.4f} } }\n",
      0.02 * s, -0.035 * s, -0.022 * s, 0.02 * s, 0.035 * s, -0.022 * s);
  if (b->stands_on_hands)
    fprintf(w->out, "foot palm { limb = hand  point palm { at = {0, %.4f, %.4f} } }\n", -0.02 * b->height,
            -0.4 * b->hand);
}

static void write_gaits(struct writer *w)
{
  double t = sqrt(w->size);
  fprintf(w->out,
          "\ngait walk { period = {%.3f, %.3f}  speed = {%.2f, %.2f}\n  contact heel { on = {0, 0.38} }  contact ball "
          "{ on = {0.10, 0.62} } }\n",
          1.30 * t, 0.92 * t, 0.6 * t, 1.8 * t);
  fprintf(w->out,
          "gait run { period = {%.3f, %.3f}  speed = {%.2f, %.2f}\n  contact heel { on = {0, 0.15} }  contact ball { "
          "on = {0.04, 0.35} } }\n",
          0.74 * t, 0.66 * t, 2.2 * t, 4.2 * t);
}

static const char *write_creature(struct arena *arena, const struct body *b, const struct range *ranges,
                                  const char *file, double rate)
{
  char *text = NULL;
  size_t length = 0;
  struct writer w = {.out = open_memstream(&text, &length), .b = b, .size = b->height / ZOO_HEIGHT};
  if (!w.out)
    arena_out_of_memory();
  w.strength = b->mass / ZOO_MASS * w.size;
  memcpy(w.ranges, ranges, sizeof w.ranges);
  const char *name = capture_name(arena, file);
  fprintf(w.out,
          "# A person of %.2f m and %.1f kg, built from the skeleton of a captured motion.\n"
          "# Limbs of the human of the zoo, with forearms that turn. Lengths: the skeleton's. Masses, centres of "
          "mass:\n"
          "# de Leva 1996 (men). Height from the legs: Winter 2009. Gains: Xie and Kry 2021.\n"
          "name       = \"actor of %.40s\"\nsummary    = \"a captured person, %.2f m\"\nbody_mass  = %.2f\nfriction   "
          "= 0.8\nframe_rate = %.6g\n\n",
          b->height, b->mass, name, b->height, b->mass, rate);
  write_trunk(&w);
  write_arm(&w);
  write_leg(&w);
  write_gaits(&w);
  fclose(w.out);
  const char *kept = arena_strdup(arena, text);
  free(text);
  return kept;
}

/* ---- ranges ---- */

/* By so much, for a first fit. Not wrists: they would bend sideways instead of letting the forearm turn. */
static void widen_ranges(struct range *ranges, double by)
{
  for (int i = 0; i < N_RANGES; i++) {
    if (strstr(natural[i].dof, "hand"))
      continue;
    ranges[i].lower = fmax(natural[i].lower - by, -180);
    ranges[i].upper = fmin(natural[i].upper + by, 180);
  }
}

/* Natural ranges, as far as the actor keeps them. */
static void find_ranges(const struct creature *c, const double *q, int n_frames, double margin, struct range *ranges)
{
  for (int i = 0; i < N_RANGES; i++) {
    int dof = creature_find_dof(c, natural[i].dof), mirror = c->dofs[dof].mirror;
    double least = INFINITY, most = -INFINITY;
    for (int f = 0; f < n_frames; f++) {
      double left = q[f * c->n_dofs + dof], right = q[f * c->n_dofs + mirror];
      least = fmin(least, fmin(left, right));
      most = fmax(most, fmax(left, right));
    }
    if (strstr(natural[i].dof, "hand"))
      continue;
    ranges[i].lower = fmin(natural[i].lower, floor(least * TO_DEGREES - margin));
    ranges[i].upper = fmax(natural[i].upper, ceil(most * TO_DEGREES + margin));
    ranges[i].lower = fmax(ranges[i].lower, -180);
    ranges[i].upper = fmin(ranges[i].upper, 180);
  }
}

const char *capture_creature(struct arena *arena, const struct bvh *bvh, double mass, const struct capture_options *o,
                             struct diag *d)
{
  struct range ranges[N_RANGES];
  struct capture_fit_report report;
  struct capture *k = capture_new(arena, bvh, o, d);
  if (!k || !k->is_human)
    return k ? capture_skeleton(arena, k, mass, d) : NULL;
  double rate = k->dt > 0 ? round(1e3 / k->dt) / 1e3 : 120;
  struct body b = measure_body(arena, k, mass);
  memcpy(ranges, natural, sizeof ranges);
  widen_ranges(ranges, 40);
  const char *text = write_creature(arena, &b, ranges, bvh->file, rate);
  const struct creature *c = creature_parse(arena, "a creature being built", text, strlen(text), d);
  double *q = c ? capture_fit(arena, k, c, &report, d) : NULL;
  if (!q)
    return NULL;
  find_ranges(c, q, k->n_frames, k->guesses->range_margin, ranges);
  return arena_printf(arena, "%s%s", write_creature(arena, &b, ranges, bvh->file, rate),
                      capture_touching(arena, c, q, k->n_frames, k->dt, k->guesses));
}

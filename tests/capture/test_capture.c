/* Captured motion: what we wrote ourselves comes back; one motion, written in many ways, is one motion; bad ideas are
 * refused. */
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "capture/capture.h"
#include "exchange/exchange.h"
#include "exchange/smooth_clip.h"
#include "capture/angles.h"
#include "zoo.h"

#define PI 3.14159265358979323846

/* ---- there and back ---- */

static const struct bvh *parse(struct arena *arena, const char *text, struct diag *d)
{
  return bvh_parse(arena, "folder/motion.bvh", text, strlen(text), d);
}

static void print(struct diag *d)
{
  char *text = diag_text(d);
  fputs(text, stderr);
  free(text);
}

/* Largest distance between the same points of two poses, over all limbs and frames [m]. */
static double pose_distance(const struct creature *c, const struct clip *a, const struct clip *b)
{
  static const double corners[4][3] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
  struct arena *arena = arena_new();
  struct dynamics *d = dynamics_new(arena, c), *e = dynamics_new(arena, c);
  double worst = 0, x[3], y[3];
  for (int k = 0; k < a->n_frames; k++) {
    dynamics_kinematics(d, a->q + (size_t)k * (size_t)c->n_dofs);
    dynamics_kinematics(e, b->q + (size_t)k * (size_t)c->n_dofs);
    for (int i = 0; i < 4 * c->n_limbs; i++) {
      dynamics_point(d, c->limbs[i / 4].body, corners[i % 4], x);
      dynamics_point(e, c->limbs[i / 4].body, corners[i % 4], y);
      double way[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
      worst = fmax(worst, vec3_norm(way));
    }
  }
  arena_free(arena);
  return worst;
}

/* Written by us and read again: the same poses, whatever the creature, near and far from its limits. */
static void check_round_trip(const char *name, double swing)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, name);
  struct clip *clip = smooth_clip(arena, c, 3, 0, swing);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  struct diag d;
  diag_init(&d);
  clip->n_frames = clip->n_frames < 12 ? clip->n_frames : 12;
  CHECK(out && exchange_write_bvh(c, clip, out) == 0);
  fclose(out);
  const struct bvh *bvh = parse(arena, text, &d);
  struct capture_report report;
  struct clip *back = bvh ? capture_clip(arena, bvh, c, &(struct capture_options){.keep_rate = 1, .cutoff = INFINITY},
                                         &report, &d)
                          : NULL;
  print(&d);
  CHECK(back != NULL);
  if (back) {
    CHECK(report.fit.by_name && report.capture->dropped == 0);
    CHECK_STR(report.capture->unit_name, "centimetres");
    CHECK_STR(back->name, "motion");
    CHECK_INT(back->n_frames, clip->n_frames);
    CHECK_NEAR(back->dt, clip->dt, 1e-9);
    double away = pose_distance(c, clip, back);
    if (!test_count(away < 1e-7 * (1 + c->height)))
      fprintf(stderr, "%s, swing %g: poses differ by %g m\n", name, swing, away);
  }
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- one motion, written in many ways ---- */

struct style {
  int up;                       /* which of their axes is up: 0 .. 2                                     */
  double unit;                  /* [m]                                                                   */
  const char *order;            /* of the rotations: "ZYX"                                               */
  int rotations_first;          /* of the root: rotations before positions                               */
  int six;                      /* position channels on inner joints                                     */
  int calibration;              /* a first frame that is no part of the motion                           */
  int extra;                    /* joints of no length between hips and thighs                           */
  int naming;
};

/* Limb -> joint, in the ways of several programs. */
static const char *const names[][6] = {
  {"pelvis", "Hips", "hip", "root", "mixamorig:Hips", "Hips"},
  {"abdomen", "Spine", "abdomen", "lowerback", "mixamorig:Spine", "Chest"},
  {"chest", "Spine1", "chest", "thorax", "mixamorig:Spine1", "Chest2"},
  {"head", "Head", "head", "head", "mixamorig:Head", "Head"},
  {"left_upper_arm", "LeftArm", "lShldr", "lhumerus", "mixamorig:LeftArm", "LeftShoulder"},
  {"right_upper_arm", "RightArm", "rShldr", "rhumerus", "mixamorig:RightArm", "RightShoulder"},
  {"left_forearm", "LeftForeArm", "lForeArm", "lradius", "mixamorig:LeftForeArm", "LeftElbow"},
  {"right_forearm", "RightForeArm", "rForeArm", "rradius", "mixamorig:RightForeArm", "RightElbow"},
  {"left_hand", "LeftHand", "lHand", "lwrist", "mixamorig:LeftHand", "LeftWrist"},
  {"right_hand", "RightHand", "rHand", "rwrist", "mixamorig:RightHand", "RightWrist"},
  {"left_thigh", "LeftUpLeg", "lThigh", "lfemur", "mixamorig:LeftUpLeg", "LeftHip"},
  {"right_thigh", "RightUpLeg", "rThigh", "rfemur", "mixamorig:RightUpLeg", "RightHip"},
  {"left_shank", "LeftLeg", "lShin", "ltibia", "mixamorig:LeftLeg", "LeftKnee"},
  {"right_shank", "RightLeg", "rShin", "rtibia", "mixamorig:RightLeg", "RightKnee"},
  {"left_foot", "LeftFoot", "lFoot", "lfoot", "mixamorig:LeftFoot", "LeftAnkle"},
  {"right_foot", "RightFoot", "rFoot", "rfoot", "mixamorig:RightFoot", "RightAnkle"},
  {"left_toes", "LeftToeBase", "lToe", "ltoes", "mixamorig:LeftToeBase", "LeftToe"},
  {"right_toes", "RightToeBase", "rToe", "rtoes", "mixamorig:RightToeBase", "RightToe"}};
#define N_NAMES ((int)(sizeof names / sizeof *names))

static const char *joint_name(const char *limb, int naming)
{
  for (int i = 0; i < N_NAMES; i++)
    if (strcmp(names[i][0], limb) == 0)
      return names[i][naming];
  return limb;
}

struct writer {
  FILE *out;
  const struct creature *c;
  const struct clip *clip;
  struct style s;
  struct dynamics *d;
  struct levenberg *l;
  int sequence[64], n;          /* limbs in the order of the file                                        */
  double angles[64][3];
};

/* Their axis of number i is our axis (i + 2 - up) mod 3: up is z. */
static int ours(const struct writer *w, int theirs)
{
  return (theirs + 2 - w->s.up + 3) % 3;
}

static void put_vector(struct writer *w, const double *v)
{
  for (int i = 0; i < 3; i++)
    fprintf(w->out, " %.10f", v[ours(w, i)] / w->s.unit);
}

static void put_channels(struct writer *w, int is_root)
{
  static const char positions[] = " Xposition Yposition Zposition";
  int six = is_root || w->s.six;
  fprintf(w->out, "\tCHANNELS %d%s", six ? 6 : 3, six && !w->s.rotations_first ? positions : "");
  for (int k = 0; k < 3; k++)
    fprintf(w->out, " %crotation", w->s.order[k]);
  fprintf(w->out, "%s\n", six && w->s.rotations_first ? positions : "");
}

static void put_joint(struct writer *w, int limb)
{
  const struct limb *l = &w->c->limbs[limb];
  static const double none[3] = {0, 0, 0};
  int is_leaf = 1, is_extra = w->s.extra && strstr(l->name, "thigh");
  if (is_extra) {
    fprintf(w->out, "JOINT %cHipJoint\n{\n\tOFFSET 0 0 0\n", l->name[0] == 'l' ? 'L' : 'R');
    put_channels(w, 0);
    w->sequence[w->n++] = -1;
  }
  w->sequence[w->n++] = limb;
  fprintf(w->out, "%s %s\n{\n\tOFFSET", limb ? "JOINT" : "ROOT", joint_name(l->name, w->s.naming));
  put_vector(w, limb ? l->at : none);
  fputc('\n', w->out);
  put_channels(w, !limb);
  for (int i = limb + 1; i < w->c->n_limbs; i++)
    if (w->c->limbs[i].parent == limb)
      put_joint(w, i), is_leaf = 0;
  if (is_leaf) {
    fputs("\tEnd Site\n\t{\n\t\tOFFSET", w->out);
    put_vector(w, l->shape.to);
    fputs("\n\t}\n", w->out);
  }
  fputs(is_extra ? "}\n}\n" : "}\n", w->out);
}

/* The rotation of a limb in its parent as three angles of theirs, in their order. */
static void find_turn(struct writer *w, int limb, double *angles)
{
  const struct limb *l = &w->c->limbs[limb];
  double own[9], parent[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, R[9];
  struct dof dofs[3] = {{0}};
  dynamics_rotation(w->d, l->body, own);
  if (limb)
    dynamics_rotation(w->d, w->c->limbs[l->parent].body, parent);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      R[3 * i + j] = parent[i] * own[j] + parent[3 + i] * own[3 + j] + parent[6 + i] * own[6 + j];
  for (int k = 0; k < 3; k++)
    dofs[k].axis[ours(w, w->s.order[k] - 'X')] = 1;
  CHECK_NEAR(capture_find_angles(w->l, dofs, 3, R, angles), 0, 1e-6);
}

static void put_frame(struct writer *w, const double *q)
{
  dynamics_kinematics(w->d, q);
  for (int i = 0; i < w->n; i++) {
    static const double none[3] = {0, 0, 0};
    int limb = w->sequence[i], six = limb == 0 || w->s.six;
    double *angles = w->angles[i];
    if (limb >= 0)
      find_turn(w, limb, angles);
    if (six && !w->s.rotations_first)
      put_vector(w, limb < 0 ? none : limb ? w->c->limbs[limb].at : q);
    for (int k = 0; k < 3; k++)
      fprintf(w->out, " %.9f", angles[k] * 180 / PI);
    if (six && w->s.rotations_first)
      put_vector(w, limb < 0 ? none : limb ? w->c->limbs[limb].at : q);
  }
  fputc('\n', w->out);
}

static char *write_style(const struct creature *c, const struct clip *clip, struct style s)
{
  struct arena *arena = arena_new();
  struct writer *w = ARENA_NEW(arena, 1, struct writer);
  char *text = NULL;
  size_t size = 0;
  *w = (struct writer){.out = open_memstream(&text, &size), .c = c, .clip = clip, .s = s};
  w->d = dynamics_new(arena, c);
  w->l = levenberg_new(arena, 3, 9);
  fputs("HIERARCHY\n", w->out);
  put_joint(w, 0);
  fprintf(w->out, "MOTION\nFrames: %d\nFrame Time: %.9f\n", clip->n_frames + s.calibration, clip->dt);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  if (s.calibration) { /* all angles zero, arms out */
    memcpy(q, clip->q, 3 * sizeof *q);
    q[creature_find_dof(c, "left_upper_arm.abduction")] = q[creature_find_dof(c, "right_upper_arm.abduction")] = PI / 2;
    put_frame(w, q);
  }
  for (int k = 0; k < clip->n_frames; k++)
    put_frame(w, clip->q + (size_t)k * (size_t)c->n_dofs);
  fclose(w->out);
  arena_free(arena);
  return text;
}

/* A clip written in a style, and read again. */
static const struct bvh *written(struct arena *arena, const struct creature *c, const struct clip *clip,
                                 struct style style,
                                 struct diag *d)
{
  char *text = write_style(c, clip, style);
  const struct bvh *bvh = parse(arena, arena_strdup(arena, text), d);
  free(text);
  return bvh;
}

static void check_messages(const struct diag *d, const char *expected)
{
  char *messages = diag_text(d);
  CHECK_STR(messages, expected);
  free(messages);
}

/* Walks on the spot, within all limits. */
static struct clip *human_clip(struct arena *arena, const struct creature *c)
{
  struct clip *clip = clip_new(arena, c, 60, 0.01);
  for (int k = 0; k < 60; k++) {
    double *q = clip->q + k * c->n_dofs;
    creature_rest_pose(c, q);
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
      double room = fmin(c->dofs[i].upper - c->dofs[i].rest, c->dofs[i].rest - c->dofs[i].lower);
      q[i] += fmin(0.8 * room, 0.3) * sin(0.05 * k + i);
    }
    q[0] += 0.012 * k;
    q[3] = 0.3 + 0.1 * sin(0.06 * k);
    q[4] = 0.1 * cos(0.05 * k);
  }
  return clip;
}

static struct clip *read_style(struct arena *arena, const struct creature *c, const struct clip *clip, struct style s,
                               struct capture_report *report)
{
  struct diag d;
  diag_init(&d);
  char *text = write_style(c, clip, s);
  const struct bvh *bvh = parse(arena, text, &d);
  struct capture_options o = {.keep_rate = 1, .keep_place = 1, .keep_floor = 1, .cutoff = INFINITY};
  struct clip *out = bvh ? capture_clip(arena, bvh, c, &o, report, &d) : NULL;
  print(&d);
  diag_clear(&d);
  free(text);
  CHECK(out != NULL);
  return out;
}

static void test_styles(void)
{
  static const struct style styles[] = {
    {1, 0.01, "ZYX", 0, 0, 0, 0, 1},          {2, 0.0254, "XYZ", 0, 0, 0, 0, 1}, {0, 1, "YXZ", 1, 1, 0, 0, 2},
    {1, 0.0254 / 0.45, "ZXY", 0, 0, 0, 1, 3}, {1, 0.001, "XZY", 1, 0, 0, 1, 4},  {2, 0.3048, "YZX", 0, 1, 0, 0, 5}};
  static const char *const units[] = {"centimetres", "inches", "metres", "units of 0.45 per inch",
                                      "millimetres", "feet"};
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = human_clip(arena, c), *first = NULL;
  for (int i = 0; i < 6; i++) {
    struct capture_report report;
    struct clip *found = read_style(arena, c, clip, styles[i], &report);
    if (!found)
      continue;
    CHECK(!report.fit.by_name && report.capture->is_human && !report.capture->dropped);
    CHECK_STR(report.capture->unit_name, units[i]);
    CHECK_STR(report.capture->up, styles[i].up == 0 ? "X" : styles[i].up == 1 ? "Y" : "Z");
    CHECK_NEAR(report.fit.scale, 1, 1e-6);
    CHECK(pose_distance(c, clip, found) < 0.02); /* the fit holds back a little */
    CHECK(report.fit.worst_angle < 0.05);
    if (first)
      CHECK(pose_distance(c, first, found) < 1e-4); /* however it is written */
    first = first ? first : found;
  }
  arena_free(arena);
}

/* A first frame for calibration is left out, and bodies are compared in it; kept if told so. */
static void test_calibration(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = human_clip(arena, c);
  struct capture_report report;
  struct clip *found = read_style(arena, c, clip, (struct style){1, 0.01, "ZYX", 0, 0, 1, 1, 1}, &report);
  CHECK_INT(report.capture->dropped, 1);
  CHECK_INT(found->n_frames, 60);
  CHECK(pose_distance(c, clip, found) < 0.02);
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = written(arena, c, clip, (struct style){1, 0.01, "ZYX", 0, 0, 1, 0, 1}, &d);
  struct capture *k = capture_new(arena, bvh, &(struct capture_options){.keep_first = 1, .unit = 0.02}, &d);
  CHECK(k->dropped == 0 && k->n_frames == 61);
  CHECK_NEAR(k->unit, 0.02, 0);
  CHECK(!capture_new(arena, bvh, &(struct capture_options){.up = "W"}, &d));
  check_messages(&d, "folder/motion.bvh: error: up is one of X, Y, Z, -X, -Y, -Z, not 'W'\n");
  diag_clear(&d);
  arena_free(arena);
}

/* Half the frames, and one and a half times as many: the same motion between. */
static void test_resampling(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = human_clip(arena, c);
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = written(arena, c, clip, (struct style){1, 0.01, "ZYX", 0, 0, 0, 0, 1}, &d);
  struct capture *k = capture_new(arena, bvh, &(struct capture_options){0}, &d),
                 *fine = capture_new(arena, bvh, &(struct capture_options){0}, &d);
  capture_resample(arena, fine, 150);
  CHECK_INT(fine->n_frames, 89);
  CHECK_NEAR(fine->dt, 1 / 150.0, 1e-15);
  for (int f = 0; f < 29; f++) /* every third of these is every second of those */
    for (int i = 0; i < 4 * k->n_joints; i++)
      CHECK_NEAR(fine->turn[3 * f * 4 * k->n_joints + i], k->turn[2 * f * 4 * k->n_joints + i], 1e-9);
  struct capture *coarse = fine;
  capture_resample(arena, coarse, 50);
  for (int f = 2; f < 27; f++) /* and where there was no frame, between */
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(coarse->place[3 * f + i], k->place[6 * f + i], 1e-5);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- what is refused ---- */

static void check_refused(const char *creature, const char *text, const char *expected)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, creature);
  struct capture_report report;
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = parse(arena, text, &d);
  CHECK(bvh && !capture_clip(arena, bvh, c, &(struct capture_options){0}, &report, &d));
  check_messages(&d, expected);
  diag_clear(&d);
  arena_free(arena);
}

static void test_refused(void)
{
  static const char rod[] = "HIERARCHY\nROOT rod\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
                            "Site\n{\nOFFSET 0 1 0\n}\n}\n"
                            "MOTION\nFrames: 4\nFrame Time: 0.1\n0 0 0\n0 0 1\n0 0 2\n0 0 3\n";
  static const char brief[] =
      "HIERARCHY\nROOT rod\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0\n";
  check_refused("human", rod,
                "folder/motion.bvh: error: no joint looks like the chest of a person, nor have the joints the names of "
                "the limbs of 'human'\n");
  check_refused("human", brief, "folder/motion.bvh: error: 1 frames are no motion; at least 3 are needed\n");
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  char *text = write_style(c, human_clip(arena, c), (struct style){1, 0.01, "ZYX", 0, 0, 0, 0, 1});
  check_refused("horse", text,
                "folder/motion.bvh: error: creature 'horse' has no limb 'pelvis': it can take neither this file's "
                "joints nor a person's motion\n");
  free(text);
  arena_free(arena);
}

/* Twice as large as any person, in any unit: said, and scaled. */
static void test_unknown_unit(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = written(arena, c, human_clip(arena, c), (struct style){1, 0.0375, "ZYX", 0, 0, 0, 0, 1}, &d);
  struct capture *k = capture_new(arena, bvh, &(struct capture_options){0}, &d);
  check_messages(&d, "folder/motion.bvh: warning: no known unit gives the legs, 22.67 units long, a person's length; "
                      "scaled to 0.85 m\n");
  CHECK_NEAR(k->unit, 0.0375, 1e-6);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- a creature of the actor's size ---- */

static void test_creature(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "human");
  struct clip *clip = human_clip(arena, c);
  struct diag d;
  diag_init(&d);
  const struct bvh *bvh = written(arena, c, clip, (struct style){1, 0.01, "ZYX", 0, 0, 0, 0, 1}, &d);
  const char *built_text = capture_creature(arena, bvh, 75, &(struct capture_options){0}, &d);
  const struct creature *built = built_text ? creature_parse(arena, "built", built_text, strlen(built_text), &d) : NULL;
  print(&d);
  CHECK(built && d.n_errors == 0 && d.n_warnings == 0);
  if (built) {
    CHECK_STR(built->name, "actor of motion");
    CHECK_INT(built->n_dofs, c->n_dofs + 2); /* forearms turn */
    CHECK_NEAR(built->mass, 75, 0.05);
    CHECK_NEAR(built->frame_rate, 100, 1e-6);
    CHECK_NEAR(built->height, c->height, 0.02);
    CHECK_INT(built->n_points, 8);
    for (int i = 0; i < c->n_limbs; i++) {
      int j = creature_find_limb(built, c->limbs[i].name);
      CHECK(j >= 0);
      for (int a = 0; a < 3 && j >= 0 && !strstr(c->limbs[i].name, "toes"); a++)
        CHECK_NEAR(built->limbs[j].at[a], c->limbs[i].at[a], 0.006); /* what was measured is what it was */
      CHECK(j >= 0 && fabs(built->limbs[j].mass / c->limbs[i].mass - 1) < 0.01);
    }
    struct capture_report report;
    struct clip *found = capture_clip(arena, bvh, built, &(struct capture_options){.cutoff = INFINITY, .keep_rate = 1},
                                      &report, &d);
    CHECK(found && report.fit.worst_angle < 0.05 && report.fit.worst_foot < 0.005 && report.fit.at_limits == 0);
  }
  diag_clear(&d);
  arena_free(arena);
}

/* Skeletons of other animals: a limb a bone, and the poses of the file exactly. */
static void check_skeleton(const char *name)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, name);
  struct clip *clip = smooth_clip(arena, c, 9, 0, 0.4);
  struct diag d;
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  diag_init(&d);
  clip->n_frames = 10;
  CHECK(out && exchange_write_bvh(c, clip, out) == 0);
  fclose(out);
  const struct bvh *bvh = parse(arena, text, &d);
  struct capture *k = capture_new(arena, bvh, &(struct capture_options){.unit = 0.01, .up = "Y"}, &d);
  const char *built_text = k ? capture_skeleton(arena, k, 50, &d) : NULL;
  const struct creature *built = built_text ? creature_parse(arena, "bones", built_text, strlen(built_text), &d) : NULL;
  CHECK(built && d.n_errors == 0);
  if (!built)
    print(&d);
  struct capture_report report;
  struct clip *found = built ? capture_clip(arena, bvh, built,
                                            &(struct capture_options){.keep_rate = 1, .cutoff = INFINITY}, &report, &d)
                             : NULL;
  CHECK(found && report.fit.by_name && report.fit.worst_angle < 1e-6);
  if (found) {
    struct dynamics *one = dynamics_new(arena, c), *other = dynamics_new(arena, built);
    CHECK_NEAR(built->mass, 50, 1e-3);
    CHECK(built->n_points > 0);
    for (int f = 0; f < 10; f++) {
      dynamics_kinematics(one, clip->q + f * c->n_dofs);
      dynamics_kinematics(other, found->q + f * built->n_dofs);
      for (int i = 0; i < built->n_limbs; i++) { /* joints are where they were */
        int limb = creature_find_limb(c, built->limbs[i].name);
        double x[3], y[3];
        CHECK(limb >= 0);
        dynamics_point(one, c->limbs[limb].body, c->limbs[limb].origin, x);
        dynamics_point(other, built->limbs[i].body, built->limbs[i].origin, y);
        for (int a = 0; a < 3; a++)
          CHECK_NEAR(x[a], y[a], 2e-4); /* the text of the creature has five digits */
      }
    }
  }
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  for (int i = 0; i < zoo_size(); i++)
    check_round_trip(zoo_name(i), 0.5);
  check_round_trip("human", 2.5);
  check_round_trip("hyq", 2.5);
  test_styles();
  test_calibration();
  test_resampling();
  test_refused();
  test_unknown_unit();
  test_creature();
  check_skeleton("horse");
  check_skeleton("dog");
  check_skeleton("hexapod");
  check_skeleton("strider");
  return test_finish();
}

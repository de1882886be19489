/* From a motion file to metres, z up and quaternions: which way is up, how long is its unit, is the first frame part of
 * the motion.
 *
 * None of this stands in the file. Up is the axis along which the head is above the feet, on average over the frames.
 * The unit is the known one that makes the legs as long as a person's, or the creature's whose limbs' names the joints
 * have. A first frame that is far from the second, compared with how far frames are from each other, is a pose for
 * calibration; it then serves to compare the actor's body with the creature's. (The 2010 conversion of a well-known
 * collection has such a frame, and a unit of 5.6 cm.) */
#include "capture/capture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/spline.h"
#include "base/vec3.h"

const struct capture_guesses capture_guesses_usual = {
  .leg_share = 0.491, .body_mass_index = 22, .jump_ratio = 5, .jump_least = 0.10, .jump_frames = 20, .range_margin = 5,
  .hand_low = 0.14, .hand_slow = 1, .hand_time = 0.1, .wrist_height = 0.03, .touch_height = 0.035, .touch_time = 0.06,
  .bone_radius = 0.07, .branch_radius = 0.22, .foot_lowest = 0.05, .foot_near = 0.06, .hips_weight = 5,
  .ankle_weight = 10, .stay_weight = 0.03, .travel = 0.5};

struct axes { double M[9]; };    /* rows: our x, y, z in the file's axes */

/* ---- axes ---- */

static const char *const up_names[6] = {"X", "Y", "Z", "-X", "-Y", "-Z"};

/* Right-handed, whatever is up: Y up gives x = Z, y = X, which is how Muybridge writes files. */
static struct axes axes_with_up(int up)
{
  struct axes a = {{0}};
  int k = up % 3, sign = up < 3 ? 1 : -1;
  a.M[(k + 1) % 3] = 1;
  a.M[3 + (k + 2) % 3] = sign;
  a.M[6 + k] = sign;
  return a;
}

static int find_up_by_name(const char *name)
{
  for (int i = 0; i < 6; i++)
    if (strcmp(name, up_names[i]) == 0)
      return i;
  return -1;
}

/* ---- in the file's axes ---- */

/* Rotation of a joint in its parent, in the file's axes. */
static void joint_turn(const struct bvh *bvh, int joint, int frame, double *q)
{
  const struct bvh_joint *j = &bvh->joints[joint];
  const double *values = bvh->values + (size_t)frame * (size_t)bvh->n_channels + j->first_channel;
  q[0] = 1, q[1] = q[2] = q[3] = 0;
  for (int k = 0; k < j->n_channels; k++) {
    if (j->channels[k] < BVH_X_ROTATION)
      continue;
    double axis[3] = {0, 0, 0}, turn[4], before[4];
    axis[j->channels[k] - BVH_X_ROTATION] = 1;
    quat_about(axis, TO_RADIANS * values[k], turn);
    memcpy(before, q, sizeof before);
    quat_multiply(before, turn, q);
  }
}

/* Position channels of a joint; 0 if it has none. */
static int joint_place(const struct bvh *bvh, int joint, int frame, double *p)
{
  const struct bvh_joint *j = &bvh->joints[joint];
  const double *values = bvh->values + (size_t)frame * (size_t)bvh->n_channels + j->first_channel;
  int n = 0;
  p[0] = p[1] = p[2] = 0;
  for (int k = 0; k < j->n_channels; k++)
    if (j->channels[k] <= BVH_Z_POSITION)
      p[j->channels[k]] = values[k], n++;
  return n;
}

/* The offset of an inner joint. Where it has position channels these are its place in the parent; what varies is taken
 * as its mean. */
static void joint_offset(const struct bvh *bvh, int joint, double *offset, struct diag *d)
{
  double p[3], mean[3] = {0, 0, 0}, spread = 0;
  memcpy(offset, bvh->joints[joint].offset, 3 * sizeof *offset);
  if (bvh->joints[joint].parent < 0 || !joint_place(bvh, joint, 0, p))
    return;
  for (int f = 0; f < bvh->n_frames; f++) {
    joint_place(bvh, joint, f, p);
    vec3_add_scaled(mean, p, 1.0 / bvh->n_frames);
  }
  for (int f = 0; f < bvh->n_frames; f++) {
    joint_place(bvh, joint, f, p);
    vec3_add_scaled(p, mean, -1);
    spread = fmax(spread, vec3_norm(p));
  }
  if (spread > 0.05 * vec3_norm(mean) + 1e-9)
    diag_warning(d, bvh->file, bvh->joints[joint].line, "joint '%s' moves in its parent; its mean place is used",
                 bvh->joints[joint].name);
  double difference[3] = {mean[0] - offset[0], mean[1] - offset[1], mean[2] - offset[2]};
  int replaces = vec3_norm(difference) < 0.5 * vec3_norm(mean);
  for (int k = 0; k < 3; k++)
    offset[k] = replaces ? mean[k] : offset[k] + mean[k]; /* some writers repeat the offset there, others add to it */
}

void capture_kinematics(const struct capture *k, int frame, double *R, double *p)
{
  const double *turn = frame < 0 ? k->reference : k->turn + (size_t)frame * (size_t)k->n_joints * 4;
  for (int i = 0; i < k->n_joints; i++) {
    const struct capture_joint *j = &k->joints[i];
    double own[9];
    quat_to_matrix(turn + 4 * i, own);
    if (j->parent < 0) {
      memcpy(R, own, sizeof own);
      memcpy(p, k->place + (frame < 0 ? 0 : 3 * (size_t)frame), 3 * sizeof *p);
    } else {
      double arm[3];
      mat3_mul(R + 9 * j->parent, own, R + 9 * i);
      mat3_mul_vec(R + 9 * j->parent, j->offset, arm);
      memcpy(p + 3 * i, p + 3 * j->parent, 3 * sizeof *p);
      vec3_add_scaled(p + 3 * i, arm, 1);
    }
  }
}

/* ---- what the file does not say ---- */

/* From the ankles to the neck or head, the mean over frames; k still has the file's axes. */
static int find_up(const struct capture *k, double *R, double *p)
{
  double mean[3] = {0, 0, 0};
  int top = k->role[CAPTURE_HEAD] >= 0 ? k->role[CAPTURE_HEAD] : k->role[CAPTURE_CHEST], best = 0;
  for (int f = 0; f < k->n_frames; f++) {
    capture_kinematics(k, f, R, p);
    vec3_add_scaled(mean, p + 3 * top, 1);
    vec3_add_scaled(mean, p + 3 * k->role[CAPTURE_FOOT], -0.5);
    vec3_add_scaled(mean, p + 3 * k->role[CAPTURE_RIGHT_FOOT], -0.5);
  }
  for (int i = 1; i < 3; i++)
    if (fabs(mean[i]) > fabs(mean[best]))
      best = i;
  return mean[best] >= 0 ? best : best + 3;
}

/* Length of the chain of bones from a joint up to another that carries it. */
static double bone_length(const struct capture *k, int from, int to)
{
  double sum = 0;
  for (int i = to; i > from; i = k->joints[i].parent)
    sum += vec3_norm(k->joints[i].offset);
  return sum;
}

static double leg_length(const struct capture *k)
{
  return 0.5 * (bone_length(k, k->role[CAPTURE_THIGH], k->role[CAPTURE_FOOT]) +
                bone_length(k, k->role[CAPTURE_RIGHT_THIGH], k->role[CAPTURE_RIGHT_FOOT]));
}

static const struct { double metres; const char *name; } units[] = {
  {0.01, "centimetres"}, {1, "metres"}, {0.001, "millimetres"}, {0.0254, "inches"}, {0.3048, "feet"},
  {0.0254 / 0.45, "units of 0.45 per inch"}};
#define N_UNITS ((int)(sizeof units / sizeof *units))

/* The unit that makes the legs a person's; their heights span 1.2 to 2.3 m, less than any two units differ by. */
static void find_unit_of_person(struct capture *k, struct diag *d)
{
  double leg = leg_length(k);
  for (int i = 0; i < N_UNITS; i++) {
    double height = leg * units[i].metres / k->guesses->leg_share;
    if (height >= 1.2 && height <= 2.3) {
      k->unit = units[i].metres;
      k->unit_name = units[i].name;
      return;
    }
  }
  k->unit = leg > 0 ? 0.85 / leg : 0.01;
  k->unit_name = "an unknown unit";
  diag_warning(d, k->file, 0, "no known unit gives the legs, %.4g units long, a person's length; scaled to 0.85 m",
               leg);
}

/* The unit that makes the bones as long as the creature's: a known one if it is near. */
static void find_unit_of_creature(struct capture *k, const struct creature *c, const int *joints)
{
  double ours = 0, theirs = 0, way[3];
  for (int i = 1; i < c->n_limbs; i++) {
    capture_way(k, joints[c->limbs[i].parent], joints[i], way);
    ours += vec3_norm(c->limbs[i].at);
    theirs += vec3_norm(way);
  }
  k->unit = theirs > 0 && ours > 0 ? ours / theirs : 0.01;
  k->unit_name = "the creature's scale";
  for (int i = 0; i < N_UNITS; i++)
    if (fabs(k->unit / units[i].metres - 1) < 0.005) {
      k->unit = units[i].metres;
      k->unit_name = units[i].name;
    }
}

/* Mean over joints of how far one frame is from the next [rad]. */
static double frame_change(const struct capture *k, int frame)
{
  size_t width = (size_t)k->n_joints * 4;
  double sum = 0;
  for (int i = 0; i < k->n_joints; i++)
    sum += quat_angle(k->turn + (size_t)frame * width + 4 * i, k->turn + (size_t)(frame + 1) * width + 4 * i);
  return sum / k->n_joints;
}

static int first_frame_is_apart(const struct capture *k)
{
  double usual = 0;
  if (k->n_frames < 4)
    return 0;
  for (int f = 1; f < k->n_frames - 1 && f <= k->guesses->jump_frames; f++)
    usual = fmax(usual, frame_change(k, f));
  double first = frame_change(k, 0);
  return first > k->guesses->jump_least && first > k->guesses->jump_ratio * usual;
}

/* ---- all of it ---- */

/* In the file's axes and unit. */
static struct capture *copy_motion(struct arena *arena, const struct bvh *bvh, struct diag *d)
{
  struct capture *k = ARENA_NEW(arena, 1, struct capture);
  size_t n = (size_t)bvh->n_joints, frames = (size_t)bvh->n_frames;
  *k = (struct capture){.file = bvh->file, .n_joints = bvh->n_joints, .n_frames = bvh->n_frames, .dt = bvh->frame_time};
  struct capture_joint *joints = ARENA_NEW(arena, n, struct capture_joint);
  k->joints = joints;
  k->turn = ARENA_NEW(arena, frames * n * 4, double);
  k->place = ARENA_NEW(arena, frames * 3, double);
  k->reference = ARENA_NEW(arena, n * 4, double);
  for (int i = 0; i < bvh->n_joints; i++) {
    joints[i] = (struct capture_joint){
        .name = bvh->joints[i].name, .parent = bvh->joints[i].parent, .is_end = bvh->joints[i].is_end};
    joint_offset(bvh, i, joints[i].offset, d);
    k->reference[4 * i] = 1;
    for (size_t f = 0; f < frames; f++) {
      double *q = k->turn + (f * n + (size_t)i) * 4;
      joint_turn(bvh, i, (int)f, q);
      if (f > 0)
        quat_keep_near(q - 4 * n, q);
    }
  }
  for (size_t f = 0; f < frames; f++) {
    joint_place(bvh, 0, (int)f, k->place + 3 * f);
    vec3_add_scaled(k->place + 3 * f, bvh->joints[0].offset, 1);
  }
  return k;
}

/* A vector from the file's axes and unit to metres and z up. */
static void convert_vector(const struct axes *a, double unit, double *v)
{
  double old[3];
  memcpy(old, v, sizeof old);
  mat3_mul_vec(a->M, old, v);
  for (int i = 0; i < 3; i++)
    v[i] *= unit;
}

static void convert_all(struct capture *k, struct capture_joint *joints, const struct axes *a)
{
  size_t n = (size_t)k->n_frames * (size_t)k->n_joints;
  for (int i = 0; i < k->n_joints; i++)
    convert_vector(a, k->unit, joints[i].offset);
  for (int f = 0; f < k->n_frames; f++)
    convert_vector(a, k->unit, k->place + 3 * (size_t)f);
  for (size_t i = 0; i < n; i++)
    convert_vector(a, 1, k->turn + 4 * i + 1); /* of a quaternion only the axis turns */
}

static void drop_first(struct capture *k)
{
  memcpy(k->reference, k->turn, (size_t)k->n_joints * 4 * sizeof *k->turn);
  k->turn += (size_t)k->n_joints * 4;
  k->place += 3;
  k->n_frames--;
  k->dropped = 1;
}

/* The axes in which bones point where the creature's do. */
static int find_up_of_creature(const struct capture *k, const struct creature *c, const int *joints)
{
  double least = INFINITY;
  int best = 1;
  for (int i = 0; i < 6; i++) {
    int up = (i + 1) % 6; /* Y first: where bones do not say, it is as in files that Muybridge writes */
    struct axes a = axes_with_up(up);
    double sum = 0;
    for (int l = 1; l < c->n_limbs; l++) {
      double way[3], v[3];
      capture_way(k, joints[c->limbs[l].parent], joints[l], way);
      mat3_mul_vec(a.M, way, v);
      sum -= vec3_dot(v, c->limbs[l].at);
    }
    if (sum < least - 1e-9 * fabs(sum)) {
      least = sum;
      best = up;
    }
  }
  return best;
}

static int find_axes(struct arena *arena, struct capture *k, const struct capture_options *o, const int *named,
                     struct diag *d)
{
  int up = 1;
  if (o->up) {
    up = find_up_by_name(o->up);
    if (up < 0)
      diag_error(d, k->file, 0, "up is one of X, Y, Z, -X, -Y, -Z, not '%s'", o->up);
  } else if (named) {
    up = find_up_of_creature(k, o->like, named);
  } else if (k->is_human) {
    up = find_up(k, ARENA_NEW(arena, 9 * (size_t)k->n_joints, double),
                 ARENA_NEW(arena, 3 * (size_t)k->n_joints, double));
  }
  k->up = up >= 0 ? up_names[up] : "";
  return up;
}

struct capture *capture_new(struct arena *arena, const struct bvh *bvh, const struct capture_options *o, struct diag *d)
{
  struct capture *k = copy_motion(arena, bvh, d);
  k->guesses = o->guesses ? o->guesses : &capture_guesses_usual;
  capture_find_roles(bvh, k->role);
  k->is_human = capture_is_human(k->role);
  const int *named = o->like ? capture_joints_of(arena, k, o->like) : NULL;
  int up = find_axes(arena, k, o, named, d);
  if (up < 0)
    return NULL;
  if (o->unit > 0)
    k->unit = o->unit, k->unit_name = "as told";
  else if (named)
    find_unit_of_creature(k, o->like, named);
  else if (k->is_human)
    find_unit_of_person(k, d);
  else
    k->unit = 0.01, k->unit_name = "centimetres, guessed";
  struct axes axes = axes_with_up(up);
  convert_all(k, (struct capture_joint *)k->joints, &axes);
  if (!o->keep_first && (!named || o->fit_floor) && first_frame_is_apart(k))
    drop_first(k);
  return k;
}

/* ---- another frame rate ---- */

static double *resample(struct arena *arena, const double *y, size_t width, int n, int n_new, double step)
{
  double *out = ARENA_NEW(arena, (size_t)n_new * width, double);
  struct arena *scratch = arena_new();
  struct spline s = spline_fit(scratch, n, width, y, 1, SPLINE_NATURAL);
  for (int f = 0; f < n_new; f++) {
    int k = (int)(f * step) < n - 2 ? (int)(f * step) : n - 2;
    spline_at(&s, k, f * step - k, out + (size_t)f * width, NULL, NULL);
  }
  arena_free(scratch);
  return out;
}

void capture_resample(struct arena *arena, struct capture *k, double rate)
{
  double step = 1 / (rate * k->dt); /* in frames of the file */
  if (k->n_frames < 2 || fabs(step - 1) < 1e-4)
    return;
  int n = (int)floor((k->n_frames - 1) / step + 1e-9) + 1;
  k->turn = resample(arena, k->turn, (size_t)k->n_joints * 4, k->n_frames, n, step);
  k->place = resample(arena, k->place, 3, k->n_frames, n, step);
  for (size_t i = 0; i < (size_t)n * (size_t)k->n_joints; i++)
    quat_normalize(k->turn + 4 * i);
  k->n_frames = n;
  k->dt = 1 / rate;
}

/* Poses of a creature after captured ones.
 *
 * By name: where every limb has a joint of its name, the joint's rotation is taken apart into the limb's own angles,
 * limb by limb. A file that we wrote ourselves so comes back as it was.
 *
 * By role: a person's motion on a creature with the limbs of the human of the zoo. Bodies are compared in the reference
 * pose: there, trunk and head look ahead, limbs point where the actor's bones do, soles are flat; from then on each
 * limb turns as its joint does. Hinges, limits and other proportions allow this only about, so a pose is the
 * least-squares answer within the limits to
 *
 *   sum w |R u - R* u|^2 + w' |R s - R* s|^2       directions of limbs along (u) and across (s); R*: the actor's bone
 *   + w |p - p*|^2                                 middle of the hips and ankles; p*: the actor's, scaled by the legs
 *   + w |q - q before|^2                           so that nothing jumps where nothing is said
 *
 * from the pose before. Directions, not angles: what a joint of one axis cannot follow costs, but does not bend its
 * neighbours. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "capture/capture.h"
#include "capture/angles.h"
#include "capture/levenberg.h"

/* ---- by name ---- */

/* Rotation of a limb's joint in that of the limb that carries it. */
static void rotation_between(const double *R, int above, int joint, double *out)
{
  const double *P = R + 9 * above, *own = R + 9 * joint;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = P[i] * own[j] + P[3 + i] * own[3 + j] + P[6 + i] * own[6 + j];
}

static void fit_by_name(struct arena *arena, const struct capture *k, const struct creature *c, const int *joints,
                        double *q, struct capture_fit_report *report)
{
  struct levenberg *l = levenberg_new(arena, 3, 9);
  double *all = ARENA_NEW(arena, 9 * (size_t)k->n_joints, double),
         *p = ARENA_NEW(arena, 3 * (size_t)k->n_joints, double);
  for (int f = 0; f < k->n_frames; f++, q += c->n_dofs) {
    if (f > 0)
      memcpy(q, q - c->n_dofs, (size_t)c->n_dofs * sizeof *q);
    else
      creature_rest_pose(c, q);
    memcpy(q, k->place + 3 * (size_t)f, 3 * sizeof *q);
    capture_kinematics(k, f, all, p);
    for (int i = 0; i < c->n_limbs; i++) {
      int first = i ? c->limbs[i].first_dof : 3, n = i ? c->limbs[i].n_dofs : 3;
      double R[9];
      memcpy(R, all, sizeof R);
      if (i > 0)
        rotation_between(all, joints[c->limbs[i].parent], joints[i], R);
      report->worst_angle = fmax(report->worst_angle, capture_find_angles(l, c->dofs + first, n, R, q + first));
    }
  }
  report->by_name = 1;
  report->scale = 1;
}

/* ---- by role ---- */

static const struct weights { double along, across; } weights[N_CAPTURE_ROLES] = {
  [CAPTURE_PELVIS] = {1, 1}, [CAPTURE_ABDOMEN] = {0.3, 0.3}, [CAPTURE_CHEST] = {1, 1}, [CAPTURE_HEAD] = {0.5, 0.5},
  [CAPTURE_THIGH] = {1, 0.2}, [CAPTURE_SHANK] = {1, 0.1}, [CAPTURE_FOOT] = {1.5, 0.5}, [CAPTURE_TOES] = {0.3, 0.1},
  [CAPTURE_UPPER_ARM] = {1, 0.1}, [CAPTURE_FOREARM] = {1, 0.1}, [CAPTURE_HAND] = {0.1, 0.05}};

struct follower {               /* a limb that follows a joint                                       */
  int limb, joint;
  double along[3];              /* u, in the limb's frame; across is its y                           */
  double reference[9];          /* the limb's rotation in the reference pose, back to the joint's    */
  double target[9];             /* of this frame                                                     */
  struct weights weight;
};

struct fitter {
  const struct capture *k;
  const struct creature *c;
  struct dynamics *dynamics;
  double scale;
  int n_followers;
  struct follower followers[N_CAPTURE_ROLES];
  double hips[3], ankles[2][3];          /* where they should be                                     */
  int feet[2];                           /* limbs                                                    */
  double *R, *p;                         /* of joints                 (n_joints x 9), (n_joints x 3) */
  double *axes, *J;                      /* of dofs in the world, of a point (n_dofs x 3), (3 x n_dofs) */
  const double *before;
};

/* out = the least rotation that takes unit vector a to unit vector b, times R. */
static void turn_least(const double *a, const double *b, const double *R, double *out)
{
  double q[4] = {1 + vec3_dot(a, b)}, T[9];
  vec3_cross(a, b, q + 1);
  if (!quat_normalize(q)) { /* opposite: any axis across */
    double other[3] = {fabs(a[0]) < 0.9, fabs(a[0]) >= 0.9, 0};
    q[0] = 0;
    vec3_cross(a, other, q + 1);
    quat_normalize(q);
  }
  quat_to_matrix(q, T);
  mat3_mul(T, R, out);
}

static int unit_vector(const double *from, const double *to, double *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = to[k] - from[k];
  double n = vec3_norm(out);
  for (int k = 0; k < 3; k++)
    out[k] /= n > 0 ? n : 1;
  return n > 1e-6;
}

/* z up, x along the level part of a direction. */
static void level_frame(const double *ahead, double *R)
{
  double n = hypot(ahead[0], ahead[1]), c = n > 1e-9 ? ahead[0] / n : 1, s = n > 1e-9 ? ahead[1] / n : 0;
  const double level[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  memcpy(R, level, sizeof level);
}

/* Where the bone below a role's joint ends: the next role, or the first thing with a length. */
static int bone_end(const struct capture *k, int role)
{
  int joint = k->role[role], next = role + 2;
  int is_last = role >= CAPTURE_TOES && role <= CAPTURE_RIGHT_TOES;
  is_last = is_last || role >= CAPTURE_HAND || role < CAPTURE_THIGH;
  if (!is_last && next < N_CAPTURE_ROLES && k->role[next] >= 0)
    return k->role[next];
  for (int i = joint + 1; i < k->n_joints; i++) {
    int above = i;
    while (above > joint)
      above = k->joints[above].parent;
    if (above == joint && vec3_norm(k->joints[i].offset) > 1e-3)
      return i;
  }
  return -1;
}

/* Whose joint says how a role's limb turns: its own, or the nearest above that there is. Where joints of no length
 * follow, the last of them turns the bone. */
static int joint_of_role(const struct capture *k, int role)
{
  int side = role >= CAPTURE_THIGH ? (role - CAPTURE_THIGH) % 2 : 0, joint = k->role[role];
  if (joint < 0 && role - side == CAPTURE_TOES)
    joint = k->role[CAPTURE_FOOT + side];
  if (joint < 0 && role - side == CAPTURE_HAND)
    joint = k->role[CAPTURE_FOREARM + side];
  if (joint < 0 && role == CAPTURE_HEAD)
    joint = k->role[CAPTURE_CHEST];
  if (k->role[role] < 0 || role < CAPTURE_THIGH)
    return joint;
  int own = joint;
  for (int i = bone_end(k, role); i > own; i = k->joints[i].parent)
    if (vec3_norm(k->joints[i].offset) > 1e-3)
      joint = k->joints[i].parent; /* the highest of these is found last */
  return joint;
}

/* The limb in the reference pose, in the world. */
static void reference_rotation(struct fitter *f, int role, const double facing[9], double *out)
{
  const struct capture *k = f->k;
  struct follower *w = &f->followers[f->n_followers];
  int side = role >= CAPTURE_THIGH ? (role - CAPTURE_THIGH) % 2 : 0, end = k->role[role] >= 0 ? bone_end(k, role) : -1;
  double bone[3], limb[3];
  memcpy(out, facing, 9 * sizeof *out);
  if (role < CAPTURE_THIGH || end < 0 || !unit_vector(f->p + 3 * k->role[role], f->p + 3 * end, bone))
    return;
  if (role - side == CAPTURE_FOOT || role - side == CAPTURE_TOES) {
    level_frame(bone, out);
    return;
  }
  double start[9];
  memcpy(start, facing, sizeof start);
  for (int i = 0; i < f->n_followers; i++) /* from the limb above: forearms bend at elbows, they do not twist */
    if (f->followers[i].limb == f->c->limbs[w->limb].parent)
      mat3_mul(f->R + 9 * f->followers[i].joint, f->followers[i].reference, start);
  mat3_mul_vec(start, w->along, limb);
  turn_least(limb, bone, start, out);
}

static void transpose(const double *R, double *out)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out[3 * i + j] = R[3 * j + i];
}

/* The limb's long axis: to where its child hangs, or the end of its shape. Feet and trunk have theirs ahead and up. */
static void limb_axis(const struct creature *c, int role, int limb, double *u)
{
  static const double origin[3] = {0, 0, 0}, ahead[3] = {1, 0, 0}, up[3] = {0, 0, 1};
  int side = role >= CAPTURE_THIGH ? (role - CAPTURE_THIGH) % 2 : 0;
  if (role < CAPTURE_THIGH || role - side == CAPTURE_FOOT || role - side == CAPTURE_TOES) {
    memcpy(u, role < CAPTURE_THIGH ? up : ahead, sizeof up);
    return;
  }
  const double *end = c->limbs[limb].shape.to;
  for (int i = limb + 1; i < c->n_limbs; i++)
    if (c->limbs[i].parent == limb)
      end = c->limbs[i].at;
  if (!unit_vector(origin, end, u))
    memcpy(u, up, sizeof up);
}

/* Which limb follows which joint, and how they stand to each other in the reference pose. 0 after an error. */
static int find_followers(struct fitter *f, struct diag *d)
{
  const struct capture *k = f->k;
  double left[3], ahead[3], facing[9], back[9], R[9], up[3] = {0, 0, 1};
  capture_kinematics(k, -1, f->R, f->p);
  unit_vector(f->p + 3 * k->role[CAPTURE_RIGHT_THIGH], f->p + 3 * k->role[CAPTURE_THIGH], left);
  vec3_cross(left, up, ahead);
  level_frame(ahead, facing);
  for (int role = 0; role < N_CAPTURE_ROLES; role++) {
    struct follower *w = &f->followers[f->n_followers];
    int side = role >= CAPTURE_THIGH ? (role - CAPTURE_THIGH) % 2 : 0;
    *w = (struct follower){.limb = creature_find_limb(f->c, capture_role_name((enum capture_role)role)),
                           .joint = joint_of_role(k, role)};
    w->weight = weights[role - side];
    if (role - side == CAPTURE_FOREARM && w->limb >= 0 && f->c->limbs[w->limb].n_dofs > 1)
      w->weight.across = 0; /* it turns as the hand needs it */
    if (w->limb < 0) {
      diag_error(d, k->file, 0,
                 "creature '%s' has no limb '%s': it can take neither this file's joints nor a person's motion",
                 f->c->name, capture_role_name((enum capture_role)role));
      return 0;
    }
    if (w->joint < 0)
      continue;
    limb_axis(f->c, role, w->limb, w->along);
    reference_rotation(f, role, facing, R);
    transpose(f->R + 9 * w->joint, back);
    mat3_mul(back, R, w->reference);
    f->n_followers++;
  }
  for (int side = 0; side < 2; side++)
    f->feet[side] = creature_find_limb(f->c, capture_role_name((enum capture_role)(CAPTURE_FOOT + side)));
  return 1;
}

static double creature_leg(const struct creature *c)
{
  return vec3_norm(c->limbs[creature_find_limb(c, "left_shank")].at) +
         vec3_norm(c->limbs[creature_find_limb(c, "left_foot")].at);
}

static double actor_leg(const struct capture *k)
{
  double sum = 0;
  for (int side = 0; side < 2; side++)
    for (int i = k->role[CAPTURE_FOOT + side]; i > k->role[CAPTURE_THIGH + side]; i = k->joints[i].parent)
      sum += 0.5 * vec3_norm(k->joints[i].offset);
  return sum;
}

static void set_targets(struct fitter *f, int frame)
{
  const struct capture *k = f->k;
  capture_kinematics(k, frame, f->R, f->p);
  for (int i = 0; i < f->n_followers; i++)
    mat3_mul(f->R + 9 * f->followers[i].joint, f->followers[i].reference, f->followers[i].target);
  for (int a = 0; a < 3; a++) {
    f->hips[a] = 0.5 * f->scale * (f->p[3 * k->role[CAPTURE_THIGH] + a] + f->p[3 * k->role[CAPTURE_RIGHT_THIGH] + a]);
    for (int side = 0; side < 2; side++)
      f->ankles[side][a] = f->scale * f->p[3 * k->role[CAPTURE_FOOT + side] + a];
  }
}

/* w (R u - R* u), 3 rows */
static void direction_rows(struct fitter *f, const struct follower *w, const double *u, double weight, double *r,
                           double *J)
{
  double R[9], now[3], wanted[3], change[3];
  int body = f->c->limbs[w->limb].body, n = f->c->n_dofs;
  dynamics_rotation(f->dynamics, body, R);
  mat3_mul_vec(R, u, now);
  mat3_mul_vec(w->target, u, wanted);
  for (int a = 0; a < 3; a++)
    r[a] = weight * (now[a] - wanted[a]);
  for (int i = body; J && i >= 3; i = f->c->dofs[i].parent) {
    vec3_cross(f->axes + 3 * i, now, change);
    for (int a = 0; a < 3; a++)
      J[a * n + i] = weight * change[a];
  }
}

/* w (p - p*) of a limb's origin, 3 rows */
static void place_rows(struct fitter *f, int limb, const double *wanted, double weight, double *r, double *J)
{
  const struct limb *l = &f->c->limbs[limb];
  double at[3];
  int n = 3 * f->c->n_dofs;
  dynamics_point(f->dynamics, l->body, l->origin, at);
  for (int a = 0; a < 3; a++)
    r[a] = weight * (at[a] - wanted[a]);
  if (!J)
    return;
  dynamics_point_jacobian(f->dynamics, l->body, l->origin, f->J);
  for (int i = 0; i < n; i++)
    J[i] = weight * f->J[i];
}

static void pose_evaluate(void *user, const double *q, double *r, double *J)
{
  static const double across[3] = {0, 1, 0};
  struct fitter *f = user;
  int n = f->c->n_dofs, row = 0;
  double R[9];
  dynamics_kinematics(f->dynamics, q);
  for (int i = 3; J && i < n; i++) {
    dynamics_rotation(f->dynamics, i, R);
    mat3_mul_vec(R, f->c->dofs[i].axis, f->axes + 3 * i);
  }
  for (int i = 0; i < f->n_followers; i++, row += 6) {
    const struct follower *w = &f->followers[i];
    direction_rows(f, w, w->along, w->weight.along, r + row, J ? J + row * n : NULL);
    direction_rows(f, w, across, w->weight.across, r + row + 3, J ? J + (row + 3) * n : NULL);
  }
  place_rows(f, 0, f->hips, f->k->guesses->hips_weight, r + row, J ? J + row * n : NULL);
  row += 3;
  for (int side = 0; side < 2; side++, row += 3)
    place_rows(f, f->feet[side], f->ankles[side], f->k->guesses->ankle_weight, r + row, J ? J + row * n : NULL);
  for (int i = 0; i < n; i++) {
    r[row + i] = f->k->guesses->stay_weight * (q[i] - f->before[i]);
    if (J)
      J[(row + i) * n + i] = f->k->guesses->stay_weight;
  }
}

/* Somewhere near the first pose: at rest, the root as it should be. */
static void first_guess(struct fitter *f, double *q)
{
  const double *R = f->followers[0].target; /* the pelvis: R = Rz(yaw) Ry(pitch) Rx(roll) */
  creature_rest_pose(f->c, q);
  memcpy(q, f->hips, sizeof f->hips);
  q[3] = atan2(R[3], R[0]);
  q[4] = atan2(-R[6], hypot(R[0], R[3]));
  q[5] = atan2(R[7], R[8]);
}

static void note_errors(struct fitter *f, const double *q, const double *r, struct capture_fit_report *report)
{
  int row = 0;
  for (int i = 0; i < f->n_followers; i++, row += 6) {
    double angle = vec3_norm(r + row) / f->followers[i].weight.along;
    report->worst_angle = fmax(report->worst_angle, angle);
    report->mean_angle += angle / f->n_followers / f->k->n_frames;
  }
  for (int side = 0; side < 2; side++)
    report->worst_foot = fmax(report->worst_foot, vec3_norm(r + row + 3 + 3 * side) / f->k->guesses->ankle_weight);
  for (int i = CREATURE_ROOT_DOFS; i < f->c->n_dofs; i++)
    report->at_limits += q[i] <= f->c->dofs[i].lower || q[i] >= f->c->dofs[i].upper;
}

static void fit_by_role(struct arena *arena, struct fitter *f, double *q, struct capture_fit_report *report)
{
  int n = f->c->n_dofs, m = 6 * f->n_followers + 9 + n;
  double *lower = ARENA_NEW(arena, (size_t)n, double), *upper = ARENA_NEW(arena, (size_t)n, double);
  double *r = ARENA_NEW(arena, (size_t)m, double), *before = ARENA_NEW(arena, (size_t)n, double);
  struct levenberg *l = levenberg_new(arena, n, m);
  struct levenberg_problem p = {
      .n = n, .m = m, .lower = lower, .upper = upper, .user = f, .evaluate = pose_evaluate, .tolerance = 1e-7};
  for (int i = 0; i < n; i++) {
    lower[i] = f->c->dofs[i].lower;
    upper[i] = f->c->dofs[i].upper;
  }
  f->before = before;
  for (int frame = 0; frame < f->k->n_frames; frame++, q += n) {
    set_targets(f, frame);
    if (frame == 0)
      first_guess(f, q);
    else
      memcpy(q, q - n, (size_t)n * sizeof *q);
    memcpy(before, q, (size_t)n * sizeof *q);
    p.max_iterations = frame ? 30 : 300;
    levenberg_solve(l, &p, q);
    if (frame == 0) { /* the rest pose is no reason to stay anywhere */
      memcpy(before, q, (size_t)n * sizeof *q);
      levenberg_solve(l, &p, q);
    }
    pose_evaluate(f, q, r, NULL);
    note_errors(f, q, r, report);
  }
  report->scale = f->scale;
}

double *capture_fit(struct arena *arena, const struct capture *k, const struct creature *c,
                    struct capture_fit_report *report, struct diag *d)
{
  *report = (struct capture_fit_report){0};
  double *q = ARENA_NEW(arena, (size_t)k->n_frames * (size_t)c->n_dofs, double);
  const int *joints = capture_joints_of(arena, k, c);
  if (joints) {
    fit_by_name(arena, k, c, joints, q, report);
    return q;
  }
  if (!k->is_human) {
    for (int i = 0; i < N_CAPTURE_ROLES; i++)
      if (k->role[i] < 0 && i != CAPTURE_ABDOMEN && i != CAPTURE_HEAD && i / 2 != CAPTURE_TOES / 2 &&
          i / 2 != CAPTURE_HAND / 2) {
        diag_error(d, k->file, 0,
                   "no joint looks like the %s of a person, nor have the joints the names of the limbs of '%s'",
                   capture_role_name((enum capture_role)i), c->name);
        break;
      }
    return NULL;
  }
  struct fitter *f = ARENA_NEW(arena, 1, struct fitter);
  *f = (struct fitter){.k = k, .c = c, .dynamics = dynamics_new(arena, c)};
  f->R = ARENA_NEW(arena, 9 * (size_t)k->n_joints, double);
  f->p = ARENA_NEW(arena, 3 * (size_t)k->n_joints, double);
  f->axes = ARENA_NEW(arena, 3 * (size_t)c->n_dofs, double);
  f->J = ARENA_NEW(arena, 3 * (size_t)c->n_dofs, double);
  if (!find_followers(f, d))
    return NULL;
  f->scale = creature_leg(c) / actor_leg(k);
  fit_by_role(arena, f, q, report);
  return q;
}

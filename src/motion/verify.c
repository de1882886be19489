/* Recomputes from positions and forces whether a clip obeys physics. For everybody who is about to use a clip.
 *
 * Nothing of the optimizer is in here, nor what it is made of: the root's equations are Newton's and Euler's for the
 * whole body (dynamics/whole.c), points come from dynamics/kinematics.c. Only torques need the kernels.
 *
 *   force:   P' + m g e_z - sum f                     P  momentum
 *   moment:  L' - sum (r - c) x f                     L  angular momentum about the centre of mass c
 *
 * What happens between frames is in verify_between.c, solid limbs are in verify_solid.c. */
#include "motion/verify.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/tissue.h"
#include "motion/verifier.h"

static const struct verify_line blank[N_VERIFY_MEASURES] = {
  [VERIFY_FORCE] = {.what = "root force residual at frames [body weights]", .bar = 1e-5},
  [VERIFY_MOMENT] = {.what = "root moment residual at frames [body weights x arm]", .bar = 1e-5},
  [VERIFY_FORCE_BETWEEN] = {.what = "root force residual between frames, rms [body weights]", .bar = 0.05},
  [VERIFY_MOMENT_BETWEEN] = {.what = "root moment residual between frames, rms [body weights x arm]", .bar = 0.05},
  [VERIFY_FORCE_PEAK] = {.what = "root force residual between frames, peak [body weights]", .bar = 0.25},
  [VERIFY_MOMENT_PEAK] = {.what = "root moment residual between frames, peak [body weights x arm]", .bar = 0.2},
  [VERIFY_SLIDE] = {.what = "slide of a standing point between frames [sqrt(g leg)]", .bar = 0.1},
  [VERIFY_LIFT] = {.what = "standing point off the ground between frames [leg lengths]", .bar = 0.003},
  [VERIFY_CONE] = {.what = "force outside of the friction cone [body weights]", .bar = 1e-6},
  [VERIFY_SLIP] = {.what = "slip of a point on the ground, per frame [leg lengths]", .bar = 1e-6},
  [VERIFY_PENETRATION] = {.what = "point below the ground or not on it [leg lengths]", .bar = 1e-6},
  [VERIFY_OVERLAP] = {.what = "limbs in each other [share of the smaller radius]", .bar = 0.05},
  [VERIFY_LIMB_GROUND] = {.what = "limb in the ground [standing heights]", .bar = 0.01},
  [VERIFY_JOINT_LIMITS] = {.what = "joint beyond its range [rad]", .bar = 1e-6},
  [VERIFY_TORQUE_LIMITS] = {.what = "torque beyond its limit [share of the limit]", .bar = 1e-6},
  [VERIFY_AIR_FORCE] = {.what = "force on a point in the air [body weights]", .bar = 1e-6},
  [VERIFY_NUMBERS] = {.what = "wrong size, or not a finite number [1: yes]", .bar = 0},
};

void verify_note(struct verify_line *l, double value, int frame, const char *where)
{
  if (isnan(l->value) || value <= l->value)
    return;
  l->value = value;
  l->frame = frame;
  l->where = where;
}

/* ---- numbers ---- */

static int verify_sizes_fit(const struct creature *c, const struct clip *clip)
{
  return clip->n_dofs == c->n_dofs && clip->n_points == c->n_points && clip->n_frames >= (clip->cyclic ? 1 : 4) &&
         clip->dt > 0 && clip->q && clip->force && clip->contact;
}

static void verify_check_frame_numbers(const struct creature *c, const struct clip *clip, int k, struct verify_line *l)
{
  for (int i = 0; i < c->n_dofs; i++)
    if (!isfinite(clip->q[(size_t)k * (size_t)c->n_dofs + (size_t)i]))
      verify_note(l, 1, k, c->dofs[i].name);
  for (int i = 0; i < c->n_points; i++) {
    size_t at = (size_t)k * (size_t)c->n_points + (size_t)i;
    const double *f = clip->force + 3 * at;
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2]) || clip->contact[at] > 1)
      verify_note(l, 1, k, c->points[i].name);
  }
}

static void verify_check_numbers(const struct creature *c, const struct clip *clip, struct verify_line *l)
{
  const double plain[] = {clip->dt,        clip->speed,     clip->strafe,      clip->turn,          clip->advance.x,
                          clip->advance.y, clip->advance.yaw, clip->ground.rise[0], clip->ground.rise[1]};
  if (!verify_sizes_fit(c, clip)) {
    verify_note(l, 1, -1, NULL);
    return;
  }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (!isfinite(plain[i]))
      verify_note(l, 1, -1, NULL);
  for (int k = 0; k < clip->n_frames; k++)
    verify_check_frame_numbers(c, clip, k, l);
}

/* ---- at frames ---- */

void verify_place_points(struct verifier *s)
{
  dynamics_kinematics(s->d, s->q);
  for (int i = 0; i < s->c->n_points; i++)
    dynamics_point(s->d, s->c->points[i].body, s->c->points[i].at, s->at + 3 * i);
}

int verify_touches(const struct clip *clip, int k, int point)
{
  return clip->contact[(size_t)(k % clip->n_frames) * (size_t)clip->n_points + (size_t)point];
}

void verify_force_at(const struct clip *clip, int k, int point, double *f)
{
  memcpy(f, clip->force + 3 * ((size_t)(k % clip->n_frames) * (size_t)clip->n_points + (size_t)point), 3 * sizeof *f);
  if (k < clip->n_frames)
    return;
  double x = f[0], y = f[1], sine = sin(clip->advance.yaw), cosine = cos(clip->advance.yaw);
  f[0] = cosine * x - sine * y;
  f[1] = sine * x + cosine * y;
}

/* The arm at which a body weight counts as a moment: the standing height, or half the stance of a creature that is
 * longer than high. */
static double verify_moment_arm(struct verifier *s)
{
  double arm = s->c->height;
  creature_rest_pose(s->c, s->q);
  verify_place_points(s);
  for (int i = 0; i < s->c->n_points; i++)
    for (int j = 0; j < i; j++)
      arm = fmax(arm, 0.5 * hypot(s->at[3 * i] - s->at[3 * j], s->at[3 * i + 1] - s->at[3 * j + 1]));
  return arm;
}

double verify_along_ground(const struct verifier *s, const double *v)
{
  return hypot(vec3_dot(s->ground.along, v), vec3_dot(s->ground.across, v));
}

struct verify_residual verify_root_residual(struct verifier *s)
{
  struct verify_residual r;
  struct dynamics_whole w;
  dynamics_whole(s->d, s->q, s->v, s->a, &w);
  memcpy(r.force, w.momentum_rate, sizeof r.force);
  memcpy(r.moment, w.angular_rate, sizeof r.moment);
  r.force[2] += w.weight;
  for (int i = 0; i < s->c->n_points; i++) {
    double *x = s->at + 3 * i, *f = s->force + 3 * i;
    dynamics_point(s->d, s->c->points[i].body, s->c->points[i].at, x);
    const double back[3] = {w.com[0] - x[0], w.com[1] - x[1], w.com[2] - x[2]};
    vec3_add_scaled(r.force, f, -1);
    vec3_add_cross(r.moment, back, f);
  }
  for (int k = 0; k < 3; k++) {
    r.force[k] /= s->weight;
    r.moment[k] /= s->weight * s->arm;
  }
  return r;
}

const char *verify_largest_axis(const double *r)
{
  double x = fabs(r[0]), y = fabs(r[1]), z = fabs(r[2]);
  return x >= y && x >= z ? "x" : y >= z ? "y" : "z";
}

/* tau = M a + h - sum J^T f at s->q, v, a, where the bodies are; limits are of the muscles' part. */
static void verify_check_torques(struct verifier *s, int k)
{
  const struct creature *c = s->c;
  dynamics_inverse(s->d, s->q, s->v, s->a, s->tau);
  for (int p = 0; p < c->n_points; p++) {
    dynamics_point_jacobian(s->d, c->points[p].body, c->points[p].at, s->J);
    for (int i = 0; i < 3 * c->n_dofs; i++)
      s->tau[i % c->n_dofs] -= s->J[i] * s->force[3 * p + i / c->n_dofs];
  }
  tissue_subtract(c, s->q, s->v, s->tau);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++) {
    double limit = c->dofs[i].torque_max, unit = limit > 0 ? limit : s->weight * c->height; /* 0: no muscles */
    if (isfinite(limit))
      verify_note(&s->lines[VERIFY_TORQUE_LIMITS], (fabs(s->tau[i]) - limit) / unit, k, c->dofs[i].name);
  }
}

static void verify_check_dynamics(struct verifier *s, int k)
{
  if (!clip_state(s->clip, k, s->q, s->v, s->a))
    return;
  for (int i = 0; i < s->c->n_points; i++)
    verify_force_at(s->clip, k, i, s->force + 3 * i);
  struct verify_residual r = verify_root_residual(s);
  verify_note(&s->lines[VERIFY_FORCE], vec3_norm(r.force), k, verify_largest_axis(r.force));
  verify_note(&s->lines[VERIFY_MOMENT], vec3_norm(r.moment), k, verify_largest_axis(r.moment));
  verify_check_torques(s, k);
}

static void verify_check_force(struct verifier *s, int k, int i)
{
  double f[3];
  const char *name = s->c->points[i].name;
  verify_force_at(s->clip, k, i, f);
  if (verify_touches(s->clip, k, i)) {
    double press = vec3_dot(s->ground.normal, f);
    verify_note(&s->lines[VERIFY_CONE], (verify_along_ground(s, f) - s->c->friction * press) / s->weight, k, name);
    verify_note(&s->lines[VERIFY_CONE], -press / s->weight, k, name);
  } else {
    verify_note(&s->lines[VERIFY_AIR_FORCE], vec3_norm(f) / s->weight, k, name);
  }
}

double verify_leg_of(const struct creature *c, int point)
{
  double leg = c->feet[c->points[point].foot].leg_length;
  return leg > 0 ? leg : c->height;
}

/* Heights at frame k, motion from there to the next. */
static void verify_check_ground(struct verifier *s, int k)
{
  const struct creature *c = s->c;
  clip_frame(s->clip, k, s->q);
  verify_place_points(s);
  for (int i = 0; i < c->n_points; i++) {
    double z = surface_distance(&s->clip->ground, s->at + 3 * i);
    verify_note(&s->lines[VERIFY_PENETRATION], (verify_touches(s->clip, k, i) ? fabs(z) : -z) / verify_leg_of(c, i), k,
                c->points[i].name);
  }
  if (!s->clip->cyclic && k + 1 == s->clip->n_frames)
    return;
  memcpy(s->before, s->at, 3 * (size_t)c->n_points * sizeof *s->at);
  clip_frame(s->clip, k + 1, s->q);
  verify_place_points(s);
  for (int i = 0; i < c->n_points; i++) {
    const double *here = s->before + 3 * i, *next = s->at + 3 * i;
    const double step[3] = {next[0] - here[0], next[1] - here[1], next[2] - here[2]};
    if (verify_touches(s->clip, k, i) && verify_touches(s->clip, k + 1, i))
      verify_note(&s->lines[VERIFY_SLIP], verify_along_ground(s, step) / verify_leg_of(c, i), k, c->points[i].name);
  }
}

static void verify_check_joints(struct verifier *s, int k)
{
  const double *q = s->clip->q + (size_t)k * (size_t)s->c->n_dofs;
  for (int i = 0; i < s->c->n_dofs; i++) {
    const struct dof *dof = &s->c->dofs[i];
    verify_note(&s->lines[VERIFY_JOINT_LIMITS], fmax(dof->lower - q[i], q[i] - dof->upper), k, dof->name);
  }
}

/* ---- all of it ---- */

static struct verifier verify_new_state(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  size_t n = (size_t)c->n_dofs, points = (size_t)c->n_points;
  struct verifier s = {.c = c, .clip = clip, .d = dynamics_new(arena, c)};
  double **state[] = {&s.q, &s.v, &s.a, &s.tau};
  for (size_t i = 0; i < sizeof state / sizeof *state; i++)
    *state[i] = ARENA_NEW(arena, n, double);
  s.force = ARENA_NEW(arena, 3 * points, double);
  s.at = ARENA_NEW(arena, 3 * points, double);
  s.before = ARENA_NEW(arena, 3 * points, double);
  s.J = ARENA_NEW(arena, 3 * n, double);
  s.weight = c->mass * CREATURE_GRAVITY;
  surface_axes(&clip->ground, &s.ground);
  s.arm = verify_moment_arm(&s);
  return s;
}

static void verify_judge(struct verify_report *out)
{
  out->passed = 1;
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    struct verify_line *l = &out->lines[i];
    l->passed = l->value <= l->bar;
    out->passed &= l->passed;
  }
}

void verify_clip(struct arena *arena, const struct creature *c, const struct clip *clip, struct verify_report *out)
{
  verify_transition(arena, c, clip, &(struct verify_neighbours){0}, out);
}

void verify_transition(struct arena *arena, const struct creature *c, const struct clip *clip,
                       const struct verify_neighbours *beside, struct verify_report *out)
{
  memcpy(out->lines, blank, sizeof blank);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    out->lines[i].frame = -1;
  verify_check_numbers(c, clip, &out->lines[VERIFY_NUMBERS]);
  if (out->lines[VERIFY_NUMBERS].value > 0) { /* there is nothing to compute with */
    for (int i = 0; i < VERIFY_NUMBERS; i++)
      out->lines[i].value = NAN;
    verify_judge(out);
    return;
  }
  struct verifier s = verify_new_state(arena, c, clip);
  s.lines = out->lines;
  for (int k = 0; k < clip->n_frames; k++) {
    verify_check_dynamics(&s, k);
    verify_check_ground(&s, k);
    verify_check_joints(&s, k);
    for (int i = 0; i < c->n_points; i++)
      verify_check_force(&s, k, i);
  }
  verify_check_between(arena, &s, beside);
  verify_judge(out);
}

/* ---- junctions ---- */

/* The coordinates of frame k that a motion over the ground changes; frames from n_frames on are a cycle ahead. */
static void verify_ground_pose(const struct clip *clip, int k, double *pose)
{
  memcpy(pose, clip->q + (size_t)(k % clip->n_frames) * (size_t)clip->n_dofs, 4 * sizeof *pose);
  if (k >= clip->n_frames)
    clip_move_pose(clip->advance, pose);
}

static int verify_has_pair(const struct creature *c, const struct clip *clip, int frame)
{
  return clip->n_dofs == c->n_dofs && clip->n_frames > 0 &&
         (clip->cyclic || (frame >= 0 && frame + 2 <= clip->n_frames));
}

double verify_junction(const struct creature *c, const struct clip *transition, int at_end, const struct clip *clip,
                       int frame)
{
  int first = at_end ? transition->n_frames - 2 : 0;
  struct verify_line worst = {.value = 0};
  double here[4], there[4];
  if (transition->cyclic || !verify_has_pair(c, transition, first) || !verify_has_pair(c, clip, frame))
    return INFINITY;
  frame = (frame % clip->n_frames + clip->n_frames) % clip->n_frames; /* which cycle is a motion over the ground */

  /* the motion that takes the clip's first pose of the two to the transition's */
  verify_ground_pose(transition, first, here);
  verify_ground_pose(clip, frame, there);
  struct clip_advance by = {.yaw = here[3] - there[3]};
  clip_move_pose(by, there);
  by.x = here[0] - there[0];
  by.y = here[1] - there[1];

  for (int k = 0; k < 2; k++) {
    const double *q = transition->q + (size_t)(first + k) * (size_t)c->n_dofs;
    const double *p = clip->q + (size_t)((frame + k) % clip->n_frames) * (size_t)c->n_dofs;
    verify_ground_pose(clip, frame + k, there);
    clip_move_pose(by, there);
    for (int i = 0; i < c->n_dofs; i++)
      verify_note(&worst, fabs(q[i] - (i < 4 ? there[i] : p[i])) / (i < 3 ? c->height : 1), k, NULL);
  }
  return worst.value;
}

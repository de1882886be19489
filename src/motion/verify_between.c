/* What happens between the frames of a clip: balance, and points that stand.
 *
 * Between frames the motion is the cubic spline through the frames, which has an acceleration everywhere, and forces
 * are linear: a force that begins or ends between two frames is 0 in the one where the point is in the air. */
#include <math.h>

#include "base/spline.h"
#include "base/vec3.h"
#include "motion/ground.h"
#include "motion/verifier.h"

#define SAMPLES 4 /* between two frames: in the middle of each quarter, so that all of the time counts the same */
#define UNROLL 24 /* frames of the cycles around it that a spline sees: the pull of its ends falls by 3.7 a frame */

/* How many frames, UNROLL at most, a clip has before its frame k, or after it. */
static int between_count(const struct clip *clip, int k, int after)
{
  int n = clip->cyclic ? UNROLL : after ? clip->n_frames - 1 - k : k;
  return n < 0 ? 0 : n < UNROLL ? n : UNROLL;
}

static struct between between_fit(struct arena *arena, const struct clip *clip, const struct verify_neighbours *beside)
{
  size_t n = (size_t)clip->n_dofs;
  const struct clip *from = clip->cyclic ? clip : beside->from, *to = clip->cyclic ? clip : beside->to;
  int last = clip->n_frames - 1, from_frame = clip->cyclic ? 0 : beside->from_frame,
      to_frame = clip->cyclic ? last : beside->to_frame + 1; /* that are the clip's first and last */
  struct between b = {.before = from && from->n_dofs == clip->n_dofs ? between_count(from, from_frame, 0) : 0,
                      .after = to && to->n_dofs == clip->n_dofs ? between_count(to, to_frame, 1) : 0};
  int count = b.before + clip->n_frames + b.after;
  double *q = ARENA_NEW(arena, (size_t)count * n, double), *row = q;
  struct clip_advance first = b.before ? ground_match(clip, 0, from, from_frame) : (struct clip_advance){0, 0, 0};
  struct clip_advance second = b.after ? ground_match(clip, last, to, to_frame) : (struct clip_advance){0, 0, 0};
  for (int k = -b.before; k <= last + b.after; k++, row += n)
    if (k < 0) {
      clip_frame(from, from_frame + k, row);
      clip_move_pose(first, row);
    } else if (k > last) {
      clip_frame(to, to_frame + k - last, row);
      clip_move_pose(second, row);
    } else {
      clip_frame(clip, k, row);
    }
  b.spline = spline_fit(arena, count, n, q, clip->dt, SPLINE_JOINED);
  b.begin = b.before ? 0 : 1;
  b.end = clip->n_frames - (clip->cyclic ? 0 : b.after ? 1 : 2);
  return b;
}

/* Forces at a share u of the way from frame k to the next. */
static void between_enter_forces(struct verifier *s, int k, double u)
{
  double w = 1 - u;
  for (int i = 0; i < s->c->n_points; i++) {
    double f[3];
    verify_force_at(s->clip, k, i, s->force + 3 * i);
    verify_force_at(s->clip, k + 1, i, f);
    for (int axis = 0; axis < 3; axis++)
      s->force[3 * i + axis] = w * s->force[3 * i + axis] + u * f[axis];
  }
}

/* Points that touch at frame k and the next, at a moment between: they slide at J v. */
static void between_check_standing(struct verifier *s, int k)
{
  const struct creature *c = s->c;
  for (int i = 0; i < c->n_points; i++) {
    if (!verify_touches(s->clip, k, i) || !verify_touches(s->clip, k + 1, i))
      continue;
    double velocity[3] = {0, 0, 0}, leg = verify_leg_of(c, i);
    dynamics_point_jacobian(s->d, c->points[i].body, c->points[i].at, s->J);
    for (int j = 0; j < 3 * c->n_dofs; j++)
      velocity[j / c->n_dofs] += s->J[j] * s->v[j % c->n_dofs];
    verify_note(&s->lines[VERIFY_SLIDE], verify_along_ground(s, velocity) / sqrt(CREATURE_GRAVITY * leg), k,
                c->points[i].name);
    verify_note(&s->lines[VERIFY_LIFT], fabs(surface_distance(&s->clip->ground, s->at + 3 * i)) / leg, k,
                c->points[i].name);
  }
}

/* The worst moment says where, the root of the mean square how much. The first and the last interval of a transition
 * are the spline's ends where the clips beyond are not known: they are not judged then. */
void verify_check_between(struct arena *arena, struct verifier *s, const struct verify_neighbours *beside)
{
  struct between b = between_fit(arena, s->clip, beside);
  struct verify_line *force = &s->lines[VERIFY_FORCE_BETWEEN], *moment = &s->lines[VERIFY_MOMENT_BETWEEN];
  double force2 = 0, moment2 = 0, count = (double)(b.end - b.begin) * SAMPLES;
  for (int k = b.begin; k < b.end; k++)
    for (int i = -1; i <= SAMPLES; i++) {
      double u = i < 0 ? 0 : i == SAMPLES ? 1 : (i + 0.5) / SAMPLES;
      spline_at(&b.spline, k + b.before, u, s->q, s->v, s->a);
      between_enter_forces(s, k, u);
      struct verify_residual r = verify_root_residual(s);
      double f = vec3_norm(r.force), m = vec3_norm(r.moment);
      between_check_standing(s, k);
      if (i >= 0 && i < SAMPLES) {
        force2 += f * f;
        moment2 += m * m;
        verify_note(force, f, k, verify_largest_axis(r.force));
        verify_note(moment, m, k, verify_largest_axis(r.moment));
      }
      verify_note(&s->lines[VERIFY_FORCE_PEAK], f, k, verify_largest_axis(r.force));
      verify_note(&s->lines[VERIFY_MOMENT_PEAK], m, k, verify_largest_axis(r.moment));
    }
  force->value = sqrt(force2 / count);
  moment->value = sqrt(moment2 / count);
  verify_check_solids(arena, s, &b);
}

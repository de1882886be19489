/* The clip with every angle filtered, forward and backward.
 *
 * Angles of joints of one or two axes are filtered as they are. Three angles have a pole: near it two of them whirl
 * while the limb hardly moves, and a filter would bend the limb to save them. So balls and the root's attitude are
 * filtered as quaternions, component by component and made unit again, and turned back into the angles nearest to those
 * before. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "capture/butterworth.h"
#include "capture/angles.h"
#include "capture/feedforward.h"

struct smoother {
  const struct creature *c;
  const struct clip *clip;
  struct clip *out;
  struct butterworth filter;
  int pad;
  struct levenberg *l;
  double *x;                    /* a series and what is before and after it (pad + n_frames + pad)     */
  double *quats;                /* of a ball in all frames         ((pad + n_frames + pad) x 4)        */
  double *poses;                /* of all frames                   ((pad + n_frames + pad) x n_dofs)   */
};

/* Filters a series that stands in s->x. A cyclic clip's has its neighbours there already. */
static void smooth_run(struct smoother *s)
{
  int n = s->clip->n_frames;
  if (s->clip->cyclic) {
    butterworth_pass(&s->filter, n + 2 * s->pad, s->x, 0);
    butterworth_pass(&s->filter, n + 2 * s->pad, s->x, 1);
  } else {
    butterworth_both_ways(&s->filter, n, s->pad, s->x);
  }
}

static void smooth_dof(struct smoother *s, int dof)
{
  int n = s->clip->n_frames, width = s->c->n_dofs;
  for (int k = 0; k < n + 2 * s->pad; k++)
    s->x[k] = s->poses[k * width + dof];
  smooth_run(s);
  for (int k = 0; k < n; k++)
    s->out->q[k * width + dof] = s->x[s->pad + k];
}

static void smooth_ball(struct smoother *s, int first)
{
  int n = s->clip->n_frames, all = n + 2 * s->pad, width = s->c->n_dofs;
  const struct dof *dofs = s->c->dofs + first;
  double R[9];
  for (int k = 0; k < all; k++) {
    capture_joint_rotation(dofs, 3, s->poses + k * width + first, R);
    quat_of_matrix(R, s->quats + 4 * k);
    if (k > 0)
      quat_keep_near(s->quats + 4 * (k - 1), s->quats + 4 * k);
  }
  for (int a = 0; a < 4; a++) {
    for (int k = 0; k < all; k++)
      s->x[k] = s->quats[4 * k + a];
    smooth_run(s);
    for (int k = 0; k < all; k++)
      s->quats[4 * k + a] = s->x[k];
  }
  for (int k = 0; k < n; k++) {
    double *q = s->quats + 4 * (s->pad + k), *angles = s->out->q + k * width + first;
    memcpy(angles, s->clip->q + k * width + first, 3 * sizeof *angles);
    if (!quat_normalize(q))
      continue; /* turned to and fro so fast that nothing is left: as it was */
    quat_to_matrix(q, R);
    capture_find_angles(s->l, dofs, 3, R, angles);
  }
}

/* All poses, and those beyond the ends; there a clip that is not cyclic repeats itself, which run() writes over. */
static void smooth_unroll(struct smoother *s)
{
  int n = s->clip->n_frames, width = s->c->n_dofs;
  for (int k = -s->pad; k < n + s->pad; k++) {
    int frame = s->clip->cyclic ? k : k < 0 ? 0 : k < n ? k : n - 1;
    clip_frame(s->clip, frame, s->poses + (k + s->pad) * width);
  }
}

struct clip *capture_smooth(struct arena *arena, const struct creature *c, const struct clip *clip, double cutoff)
{
  struct clip *out = clip_new(arena, c, clip->n_frames, clip->dt);
  double *q = out->q, *force = out->force, rate = 1 / clip->dt;
  unsigned char *contact = out->contact;
  size_t n = (size_t)clip->n_frames;
  *out = *clip;
  out->q = q, out->force = force, out->contact = contact;
  memcpy(q, clip->q, n * (size_t)c->n_dofs * sizeof *q);
  memcpy(force, clip->force, n * (size_t)c->n_points * 3 * sizeof *force);
  memcpy(contact, clip->contact, n * (size_t)c->n_points);
  if (!(cutoff < 0.499 * rate))
    return out;
  struct arena *scratch = arena_new();
  struct smoother s = {c,    clip, out, butterworth_low_pass(cutoff, rate), butterworth_memory(cutoff, rate), NULL,
                       NULL, NULL, NULL};
  size_t all = n + 2 * (size_t)s.pad;
  s.l = levenberg_new(scratch, 3, 9);
  s.x = ARENA_NEW(scratch, all, double);
  s.quats = ARENA_NEW(scratch, 4 * all, double);
  s.poses = ARENA_NEW(scratch, all * (size_t)c->n_dofs, double);
  smooth_unroll(&s);
  for (int i = 0; i < 3; i++)
    smooth_dof(&s, i);
  smooth_ball(&s, 3);
  for (int i = 1; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    if (l->n_dofs == 3)
      smooth_ball(&s, l->first_dof);
    for (int k = 0; k < l->n_dofs && l->n_dofs < 3; k++)
      smooth_dof(&s, l->first_dof + k);
  }
  arena_free(scratch);
  return out;
}

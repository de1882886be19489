/* A clip for animation programs: see exchange.h for units, axes and the order of rotations.
 *
 * The format (Biovision, 1990s, no standard): a tree of joints, each with its OFFSET from its parent's and its
 * CHANNELS, and one line of numbers a frame, in the order of the channels. A point x of a joint is at offset +
 * R1 R2 R3 x in its parent, Ri being the rotation of the i-th channel. */
#include <math.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "exchange/exchange.h"

#define CENTIMETRES 100.0

enum { X, Y, Z };                                    /* their axes                  */
static const int ours[3] = {AXIS_Y, AXIS_Z, AXIS_X}; /* our axis of each of theirs  */
static const int theirs[3] = {Z, X, Y};              /* their axis of each of ours  */

struct joint {                  /* of a limb                                                 */
  int order[3];                 /* axes of its rotations, theirs                             */
  int first_dof, n_direct;      /* dofs that are the first of these rotations ...            */
  int converted;                /* ... or else all three are worked out of the limb's attitude */
  double angles[3];             /* of the last frame, so that the next does not jump [rad]   */
};

struct writer {
  const struct creature *c;
  struct dynamics *dynamics;
  struct joint *joints;         /*                                   (n_limbs) */
  int *sequence, n_written;     /* limbs in the order of the file    (n_limbs) */
  FILE *out;
};

/* ---- rotations ---- */

/* Axes of a joint as channels, if they are coordinate axes; no two are the same, which creature files do not allow. */
static struct joint plan_joint(const struct creature *c, const struct limb *l)
{
  struct joint j = {.order = {Z, X, Y}, .first_dof = l->first_dof, .n_direct = l->n_dofs};
  int used[3] = {0, 0, 0}, n = 0;
  if (l->parent < 0)
    j.first_dof += 3, j.n_direct = 3; /* behind x, y, z */
  for (int i = 0; i < j.n_direct; i++) {
    enum axis_kind kind = c->dofs[j.first_dof + i].kind;
    if (kind == AXIS_ANY)
      j.converted = 1;
    else
      used[theirs[kind]] = 1;
  }
  if (j.converted)
    return j;
  for (; n < j.n_direct; n++)
    j.order[n] = theirs[c->dofs[j.first_dof + n].kind];
  for (int axis = X; axis <= Z; axis++)
    if (!used[axis])
      j.order[n++] = axis;
  return j;
}

/* x plus as many turns as bring it next to y */
static double near(double x, double y)
{
  return x + 2 * PI * round((y - x) / (2 * PI));
}

/* Angles a, b, c of R = R_i(a) R_j(b) R_k(c), for a given c. With s = +1 if i, j, k go round as X, Y, Z do, else -1:
 *   R R_k(-c) = R_i(a) R_j(b), whose column j is cos a e_j + s sin a e_k, and whose row i is cos b e_i + s sin b e_k.
 * Good also where cos b = 0: then any c serves. */
static void angles_for(double R[3][3], const int order[3], double c, const double *before, double *angles)
{
  int i = order[0], j = order[1], k = order[2], s = (j - i + 3) % 3 == 1 ? 1 : -1;
  double cos_a = cos(c) * R[j][j] + s * sin(c) * R[j][i], sin_a = s * cos(c) * R[k][j] + sin(c) * R[k][i];
  double cos_b = cos(c) * R[i][i] - s * sin(c) * R[i][j], sin_b = s * R[i][k];
  angles[0] = near(atan2(sin_a, cos_a), before[0]);
  angles[1] = near(atan2(sin_b, cos_b), before[1]);
  angles[2] = near(c, before[2]);
}

static double distance(const double *a, const double *b)
{
  return fabs(a[0] - b[0]) + fabs(a[1] - b[1]) + fabs(a[2] - b[2]);
}

/* Of the two ways to write a rotation as three angles the one nearer to the frame before. Row i of R is
 * cos b cos c e_i - s cos b sin c e_j + ..., which gives c up to half a turn. */
static void convert(struct joint *joint, double R[3][3])
{
  int i = joint->order[0], j = joint->order[1], s = (j - i + 3) % 3 == 1 ? 1 : -1;
  double one[3], other[3], c = joint->angles[2];
  if (hypot(R[i][i], R[i][j]) > 1e-9)
    c = atan2(-s * R[i][j], R[i][i]);
  angles_for(R, joint->order, c, joint->angles, one);
  angles_for(R, joint->order, c + PI, joint->angles, other);
  const double *nearer = distance(one, joint->angles) <= distance(other, joint->angles) ? one : other;
  for (int k = 0; k < 3; k++)
    joint->angles[k] = nearer[k];
}

/* Rotation of a limb against its parent, in their axes: R_parent^T R_limb. */
static void local_rotation(struct writer *w, const struct limb *l, double R[3][3])
{
  double own[9], parent[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  dynamics_rotation(w->dynamics, l->body, own);
  if (l->parent >= 0)
    dynamics_rotation(w->dynamics, w->c->limbs[l->parent].body, parent);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      R[i][k] = 0;
      for (int m = 0; m < 3; m++)
        R[i][k] += parent[3 * m + ours[i]] * own[3 * m + ours[k]];
    }
}

static void find_angles(struct writer *w, int limb, const double *q)
{
  struct joint *j = &w->joints[limb];
  double R[3][3];
  for (int i = 0; i < j->n_direct && !j->converted; i++) {
    const struct dof *dof = &w->c->dofs[j->first_dof + i];
    j->angles[i] = dof->axis[dof->kind] * q[j->first_dof + i]; /* that component is 1 or -1 */
  }
  if (j->converted) {
    local_rotation(w, &w->c->limbs[limb], R);
    convert(j, R);
  }
}

/* ---- the tree ---- */

static void write_offset(struct writer *w, int depth, const double *at)
{
  fprintf(w->out, "%*sOFFSET", 2 * depth, "");
  for (int k = 0; k < 3; k++)
    fprintf(w->out, " %.8f", CENTIMETRES * at[ours[k]]);
  putc('\n', w->out);
}

static void write_channels(struct writer *w, int depth, const struct joint *j, int is_root)
{
  fprintf(w->out, "%*sCHANNELS %s", 2 * depth, "", is_root ? "6 Xposition Yposition Zposition" : "3");
  for (int k = 0; k < 3; k++)
    fprintf(w->out, " %crotation", "XYZ"[j->order[k]]);
  putc('\n', w->out);
}

/* A limb and all that it carries: recursion is as deep as a creature has limbs. */
static void write_joint(struct writer *w, int limb, int depth)
{
  static const double origin[3] = {0, 0, 0};
  const struct limb *l = &w->c->limbs[limb];
  int is_root = l->parent < 0, is_leaf = 1;
  w->sequence[w->n_written++] = limb;
  fprintf(w->out, "%*s%s %s\n%*s{\n", 2 * depth, "", is_root ? "ROOT" : "JOINT", l->name, 2 * depth, "");
  write_offset(w, depth + 1, is_root ? origin : l->at);
  write_channels(w, depth + 1, &w->joints[limb], is_root);
  for (int i = limb + 1; i < w->c->n_limbs; i++)
    if (w->c->limbs[i].parent == limb) {
      write_joint(w, i, depth + 1);
      is_leaf = 0;
    }
  if (is_leaf) {
    fprintf(w->out, "%*sEnd Site\n%*s{\n", 2 * depth + 2, "", 2 * depth + 2, "");
    write_offset(w, depth + 2, l->shape.to);
    fprintf(w->out, "%*s}\n", 2 * depth + 2, "");
  }
  fprintf(w->out, "%*s}\n", 2 * depth, "");
}

static void write_frame(struct writer *w, const double *q)
{
  static const double origin[3] = {0, 0, 0};
  double at[3];
  dynamics_kinematics(w->dynamics, q);
  dynamics_point(w->dynamics, CREATURE_ROOT_DOFS - 1, origin, at);
  for (int k = 0; k < 3; k++)
    fprintf(w->out, k ? " %.8f" : "%.8f", CENTIMETRES * at[ours[k]]);
  for (int i = 0; i < w->n_written; i++) {
    find_angles(w, w->sequence[i], q);
    for (int k = 0; k < 3; k++)
      fprintf(w->out, " %.8f", TO_DEGREES * w->joints[w->sequence[i]].angles[k]);
  }
  putc('\n', w->out);
}

int exchange_write_bvh(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  size_t n = (size_t)c->n_limbs;
  struct writer w = {.c = c,
                     .dynamics = dynamics_new(arena, c),
                     .joints = ARENA_NEW(arena, n, struct joint),
                     .sequence = ARENA_NEW(arena, n, int),
                     .out = out};
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  for (int i = 0; i < c->n_limbs; i++)
    w.joints[i] = plan_joint(c, &c->limbs[i]);
  fputs("HIERARCHY\n", out);
  write_joint(&w, 0, 0);
  fprintf(out, "MOTION\nFrames: %d\nFrame Time: %.9f\n", clip->n_frames, clip->dt);
  for (int k = 0; k < clip->n_frames; k++) {
    clip_frame(clip, k, q);
    write_frame(&w, q);
  }
  arena_free(arena);
  return fflush(out) != 0 || ferror(out) != 0;
}

/* A clip as a reference motion for imitation learning, in NumPy's format: doc/export.md has the arrays. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "exchange/arrays.h"
#include "exchange/exchange.h"
#include "exchange/frame_state.h"
#include "exchange/tree_order.h"

enum { ROOT_QPOS = 7, ROOT_QVEL = 6 }; /* of a free joint: place and quaternion; speeds */

/* What is collected frame by frame. */
struct motion_table {
  const struct creature *c;
  int n, k;                     /* frames; joints                                                              */
  int *order;                   /* the dof of each joint                                                   (k) */
  double *qpos, *qvel;          /* of a free joint and joints, as MuJoCo has them          (n x 7 + k), (n x 6 + k) */
  double *turn, *turning;       /* of the root: X, Y, Z, W; angular velocity in the world       (n x 4), (n x 3) */
  double *torque, *passive;     /*                                                                      (n x k) */
  double *body, *body_turn;     /* limbs: joint, and X, Y, Z, W          (n x n_limbs x 3), (n x n_limbs x 4) */
  double *at, *force;           /* of contact points                                          (n x n_points x 3) */
  unsigned char *contact, *known; /*                                                   (n x n_points), (n) */
};

/* w, x, y, z to x, y, z, w, of the sign that is nearer to the frame before (NULL: none) */
static void put_turn(const double *R, const double *before, double *out)
{
  double turn[4];
  quat_of_matrix(R, turn);
  memcpy(out, turn + 1, 3 * sizeof *out);
  out[3] = turn[0];
  if (before)
    quat_keep_near(before, out);
}

/* Rates of yaw, pitch and roll as an angular velocity in the world: a body's own axis is the same before and after it
 * turned about it. */
static void find_turning(const struct frame_state *s, double *out)
{
  memset(out, 0, 3 * sizeof *out);
  for (int i = 3; i < CREATURE_ROOT_DOFS; i++) {
    double R[9], axis[3];
    dynamics_rotation(s->dynamics, i, R);
    mat3_mul_vec(R, s->c->dofs[i].axis, axis);
    for (int k = 0; k < 3; k++)
      out[k] += axis[k] * s->v[i];
  }
}

/* Where a frame lacks a neighbour, speeds are those of the way to the one that it has. */
static void complete_speeds(const struct frame_state *s, int f)
{
  int n = s->c->n_dofs, from = f > 0 ? f - 1 : f;
  const double *a = s->clip->q + (size_t)from * (size_t)n, *b = a + n;
  for (int i = 0; !s->known && s->clip->n_frames > 1 && i < n; i++)
    s->v[i] = (i == 3 ? remainder(b[i] - a[i], 4 * acos(0)) : b[i] - a[i]) / s->clip->dt;
}

static void put_root(struct motion_table *t, const struct frame_state *s, size_t f)
{
  double R[9], *qpos = t->qpos + f * (size_t)(ROOT_QPOS + t->k), *qvel = t->qvel + f * (size_t)(ROOT_QVEL + t->k);
  double *turn = t->turn + 4 * f, *turning = t->turning + 3 * f;
  dynamics_rotation(s->dynamics, CREATURE_ROOT_DOFS - 1, R);
  put_turn(R, f ? turn - 4 : NULL, turn);
  find_turning(s, turning);
  memcpy(qpos, s->q, 3 * sizeof *qpos);
  qpos[3] = turn[3];
  memcpy(qpos + 4, turn, 3 * sizeof *qpos);
  memcpy(qvel, s->v, 3 * sizeof *qvel);
  for (int k = 0; k < 3; k++) /* a free joint has its angular velocity in the body's frame */
    qvel[3 + k] = R[k] * turning[0] + R[3 + k] * turning[1] + R[6 + k] * turning[2];
}

static void put_bodies(struct motion_table *t, const struct frame_state *s, size_t f)
{
  for (int i = 0; i < t->c->n_limbs; i++) {
    const struct limb *l = &t->c->limbs[i];
    size_t row = f * (size_t)t->c->n_limbs + (size_t)i;
    double R[9];
    dynamics_rotation(s->dynamics, l->body, R);
    dynamics_point(s->dynamics, l->body, l->origin, t->body + 3 * row);
    put_turn(R, f ? t->body_turn + 4 * (row - (size_t)t->c->n_limbs) : NULL, t->body_turn + 4 * row);
  }
}

static void put_frame(struct motion_table *t, struct frame_state *s, int frame)
{
  size_t f = (size_t)frame, k = (size_t)t->k, points = (size_t)t->c->n_points;
  frame_state_find(s, frame);
  complete_speeds(s, frame);
  put_root(t, s, f);
  put_bodies(t, s, f);
  for (size_t i = 0; i < k; i++) {
    int dof = t->order[i];
    t->qpos[f * (ROOT_QPOS + k) + ROOT_QPOS + i] = s->q[dof];
    t->qvel[f * (ROOT_QVEL + k) + ROOT_QVEL + i] = s->v[dof];
    t->torque[f * k + i] = s->known ? s->torque[dof] : 0;
    t->passive[f * k + i] = s->known ? s->passive[dof] : 0;
  }
  t->known[f] = (unsigned char)s->known;
  memcpy(t->at + 3 * points * f, s->at, 3 * points * sizeof *s->at);
  memcpy(t->force + 3 * points * f, s->force, 3 * points * sizeof *s->force);
  memcpy(t->contact + points * f, s->contact, points);
}

static struct motion_table new_table(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  size_t n = (size_t)clip->n_frames, limbs = (size_t)c->n_limbs, points = (size_t)c->n_points;
  struct motion_table t = {.c = c, .n = clip->n_frames, .k = c->n_dofs - CREATURE_ROOT_DOFS};
  size_t k = (size_t)t.k;
  t.order = ARENA_NEW(arena, (size_t)c->n_dofs, int);
  tree_order(c, t.order);
  t.order += CREATURE_ROOT_DOFS;
  t.qpos = ARENA_NEW(arena, n * (ROOT_QPOS + k), double);
  t.qvel = ARENA_NEW(arena, n * (ROOT_QVEL + k), double);
  t.turn = ARENA_NEW(arena, 4 * n, double);
  t.turning = ARENA_NEW(arena, 3 * n, double);
  t.torque = ARENA_NEW(arena, n * k, double);
  t.passive = ARENA_NEW(arena, n * k, double);
  t.body = ARENA_NEW(arena, 3 * n * limbs, double);
  t.body_turn = ARENA_NEW(arena, 4 * n * limbs, double);
  t.at = ARENA_NEW(arena, 3 * n * points, double);
  t.force = ARENA_NEW(arena, 3 * n * points, double);
  t.contact = ARENA_NEW(arena, n * points, unsigned char);
  t.known = ARENA_NEW(arena, n, unsigned char);
  return t;
}

/* Columns from .. from + width - 1 of rows of a matrix. */
static void add_columns(struct arrays *a, const char *name, const struct motion_table *t, const double *rows,
                        size_t n_columns, size_t from, size_t width)
{
  struct arena *scratch = arena_new();
  double *x = ARENA_NEW(scratch, (size_t)t->n * width, double);
  for (size_t f = 0; f < (size_t)t->n; f++)
    memcpy(x + f * width, rows + f * n_columns + from, width * sizeof *x);
  arrays_add_reals(a, name, (struct arrays_shape){2, {(size_t)t->n, width}}, x);
  arena_free(scratch);
}

static void add_names(struct arrays *a, struct arena *arena, const struct motion_table *t)
{
  const struct creature *c = t->c;
  const char **names = ARENA_NEW(arena, (size_t)(c->n_dofs + c->n_limbs + c->n_points), const char *);
  for (int i = 0; i < t->k; i++)
    names[i] = c->dofs[t->order[i]].name;
  arrays_add_texts(a, "dof_names", (size_t)t->k, names);
  for (int i = 0; i < c->n_limbs; i++)
    names[i] = c->limbs[i].name;
  arrays_add_texts(a, "body_names", (size_t)c->n_limbs, names);
  for (int i = 0; i < c->n_points; i++)
    names[i] = c->points[i].name;
  arrays_add_texts(a, "contact_names", (size_t)c->n_points, names);
}

static void add_facts(struct arrays *a, const struct creature *c, const struct clip *clip)
{
  const double advance[3] = {clip->advance.x, clip->advance.y, clip->advance.yaw};
  arrays_add_text(a, "creature", c->name);
  arrays_add_text(a, "name", clip->name ? clip->name : "motion");
  arrays_add_text(a, "gait", clip->gait);
  arrays_add_real(a, "fps", 1 / clip->dt);
  arrays_add_flags(a, "cyclic", (struct arrays_shape){0, {0}}, &(unsigned char){clip->cyclic != 0});
  if (clip->cyclic)
    arrays_add_reals(a, "advance", (struct arrays_shape){1, {3}}, advance);
}

int exchange_write_npz(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  struct motion_table t = new_table(arena, c, clip);
  struct frame_state s = frame_state_new(arena, c, clip);
  struct arrays *a = arrays_new(arena);
  size_t n = (size_t)t.n, k = (size_t)t.k, limbs = (size_t)c->n_limbs, points = (size_t)c->n_points;
  for (int f = 0; f < t.n; f++)
    put_frame(&t, &s, f);
  add_facts(a, c, clip);
  add_names(a, arena, &t);
  add_columns(a, "root_pos", &t, t.qpos, ROOT_QPOS + k, 0, 3);
  arrays_add_reals(a, "root_rot", (struct arrays_shape){2, {n, 4}}, t.turn);
  add_columns(a, "root_vel", &t, t.qvel, ROOT_QVEL + k, 0, 3);
  arrays_add_reals(a, "root_ang_vel", (struct arrays_shape){2, {n, 3}}, t.turning);
  add_columns(a, "dof_pos", &t, t.qpos, ROOT_QPOS + k, ROOT_QPOS, k);
  add_columns(a, "dof_vel", &t, t.qvel, ROOT_QVEL + k, ROOT_QVEL, k);
  arrays_add_reals(a, "dof_torque", (struct arrays_shape){2, {n, k}}, t.torque);
  arrays_add_reals(a, "dof_torque_passive", (struct arrays_shape){2, {n, k}}, t.passive);
  arrays_add_flags(a, "torque_known", (struct arrays_shape){1, {n}}, t.known);
  arrays_add_reals(a, "body_pos", (struct arrays_shape){3, {n, limbs, 3}}, t.body);
  arrays_add_reals(a, "body_rot", (struct arrays_shape){3, {n, limbs, 4}}, t.body_turn);
  arrays_add_flags(a, "contact", (struct arrays_shape){2, {n, points}}, t.contact);
  arrays_add_reals(a, "contact_pos", (struct arrays_shape){3, {n, points, 3}}, t.at);
  arrays_add_reals(a, "contact_force", (struct arrays_shape){3, {n, points, 3}}, t.force);
  arrays_add_reals(a, "qpos", (struct arrays_shape){2, {n, ROOT_QPOS + k}}, t.qpos);
  arrays_add_reals(a, "qvel", (struct arrays_shape){2, {n, ROOT_QVEL + k}}, t.qvel);
  int failed = arrays_write(a, out);
  arena_free(arena);
  return failed;
}

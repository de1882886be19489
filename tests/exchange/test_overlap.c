/* How deep limbs are in each other, against MuJoCo's collisions of the model that we export: in random poses of animals
 * it must find the same pairs, as deep. Of capsules its formulas are exact too; of other shapes it searches for a way
 * out that need not be the shortest. Skipped where MuJoCo is not installed. */
#include <stdio.h>

#ifndef HAVE_MUJOCO

int main(void)
{
  puts("skipped: built without MuJoCo (Debian: libmujoco-dev)");
  return 77;
}

#else

#include <math.h>

#include "base/rng.h"
#include "bench/mujoco_model.h"
#include "check.h"
#include "creature/gap.h"
#include "dynamics/dynamics.h"
#include "zoo.h"

#define POSES 200

/* ---- the model ---- */

/* Limbs collide, points and the ground do not. Room for as many contacts as there may be. */
static mjModel *solid_model(const struct creature *c)
{
  mjModel *m = mujoco_model(c);
  if (!m)
    return NULL;
  for (int i = 0; i < m->ngeom; i++) {
    int limb = m->names[m->name_geomadr[i]] != '\0' && creature_find_limb(c, mj_id2name(m, mjOBJ_GEOM, i)) >= 0;
    m->geom_contype[i] = m->geom_conaffinity[i] = limb;
  }
  m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  m->nconmax = 20 * m->ngeom * m->ngeom;
  return m;
}

/* The deepest contact of two limbs; 0: none. */
static double deepest_contact(const mjModel *m, const mjData *data, const char *one, const char *other)
{
  int a = mj_name2id(m, mjOBJ_GEOM, one), b = mj_name2id(m, mjOBJ_GEOM, other);
  double deepest = 0;
  for (int i = 0; i < data->ncon; i++) {
    const mjContact *k = &data->contact[i];
    if ((k->geom1 == a && k->geom2 == b) || (k->geom1 == b && k->geom2 == a))
      deepest = fmax(deepest, -k->dist);
  }
  return deepest;
}

/* ---- poses ---- */

static void random_pose(const struct creature *c, struct rng *r, double *q)
{
  creature_rest_pose(c, q);
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
    q[i] = rng_uniform(r, fmax(c->dofs[i].lower, -3), fmin(c->dofs[i].upper, 3));
}

static void place(const struct creature *c, struct dynamics *d, struct solid *solids)
{
  static const double origin[3] = {0, 0, 0};
  for (int i = 0; i < c->n_limbs; i++) {
    struct solid local;
    double x[3], R[9];
    solid_of_limb(&c->limbs[i], 1, &local);
    dynamics_point(d, c->limbs[i].body, origin, x);
    dynamics_rotation(d, c->limbs[i].body, R);
    solid_move(&local, x, R, 3, &solids[i]);
  }
}

static int n_compared[3]; /* two capsules, a capsule and a box, a capsule and an ellipsoid */
static struct { int n; double longer; } shallow;

/* Ours and theirs, as shares of the smaller radius. Beside an ellipsoid their way out is not always the shortest, less
 * so the deeper it is. Not compared: two that are no capsules, of which ours is an approximation (gap.h); a capsule
 * whose axis is inside of the other, which has no one way out. */
static void compare(const struct solid *a, const struct solid *b, double contact)
{
  struct gap g;
  int capsules = (a->kind == SHAPE_CAPSULE) + (b->kind == SHAPE_CAPSULE);
  int box = a->kind == SHAPE_BOX || b->kind == SHAPE_BOX;
  double smaller = fmin(a->radius, b->radius), axis = a->kind == SHAPE_CAPSULE ? a->radius : b->radius;
  gap_between(a, b, &g);
  double ours = fmax(0, -g.gap) / smaller, theirs = contact / smaller;
  if (capsules == 0 || (capsules == 1 && -g.gap > axis))
    return;
  if (capsules == 2 || box) {
    CHECK_NEAR(ours, theirs, 1e-6);
  } else {
    CHECK(ours <= theirs + 2e-4); /* their search ends when it is near enough */
    CHECK(theirs <= ours * (1.4 + 0.5 * ours) + 0.001);
    shallow.n += ours > 0 && ours < 0.3;
    shallow.longer += ours > 0 && ours < 0.3 ? theirs - ours : 0;
  }
  n_compared[capsules == 2 ? 0 : box ? 1 : 2] += ours > 0;
}

static void check_creature(struct arena *arena, const struct creature *c, mjModel *m, mjData *data, struct rng *r)
{
  struct dynamics *d = dynamics_new(arena, c);
  struct solid *solids = ARENA_NEW(arena, (size_t)c->n_limbs, struct solid);
  double *q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  int *order = ARENA_NEW(arena, (size_t)c->n_dofs, int);
  mujoco_dof_order(m, c, order);
  for (int k = 0; k < POSES; k++) {
    random_pose(c, r, q);
    for (int i = 0; i < c->n_dofs; i++)
      data->qpos[i] = q[order[i]];
    mj_kinematics(m, data);
    mj_comPos(m, data);
    mj_collision(m, data);
    CHECK(data->warning[mjWARN_CONTACTFULL].number == 0);
    dynamics_kinematics(d, q);
    place(c, d, solids);
    for (int i = 0; i < c->n_pairs; i++) {
      const struct limb_pair *p = &c->pairs[i];
      compare(&solids[p->a], &solids[p->b], deepest_contact(m, data, c->limbs[p->a].name, c->limbs[p->b].name));
    }
  }
}

int main(void)
{
  static const char *const names[] = {"horse", "human", "dog", "ostrich"};
  for (int i = 0; i < 4; i++) {
    struct arena *arena = arena_new();
    struct rng r = rng_stream(31, (uint64_t)i);
    const struct creature *c = zoo_find(arena, names[i]);
    mjModel *m = c ? solid_model(c) : NULL;
    mjData *data = m ? mj_makeData(m) : NULL;
    if (test_count(data != NULL))
      check_creature(arena, c, m, data, &r);
    mj_deleteData(data);
    mj_deleteModel(m);
    arena_free(arena);
  }
  CHECK_NEAR(shallow.longer / shallow.n, 0, 0.02);
  CHECK(n_compared[0] > 300 && n_compared[1] > 5 && n_compared[2] > 200); /* overlaps */
  return test_finish();
}

#endif

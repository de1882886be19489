/* Our dynamics against MuJoCo's, through the model that we export: an engine that shares no line with ours must agree
 * on masses, positions, mass matrix and inverse dynamics of every creature. Skipped where MuJoCo is not installed. */
#include <stdio.h>

#ifndef HAVE_MUJOCO

int main(void)
{
  puts("skipped: built without MuJoCo (Debian: libmujoco-dev)");
  return 77;
}

#else

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "bench/mujoco_model.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/random_creature.h"
#include "dynamics/tissue.h"
#include "zoo.h"

#define STATES 5

struct pair {
  struct arena *arena;
  const struct creature *c;
  struct dynamics *ours;
  mjModel *m;
  mjData *data;
  size_t n;
  int *order;                   /* our dof of each of MuJoCo's */
  double *q, *v, *a, *w, *tau, *M;
};

static double *room(struct pair *p, size_t count)
{
  return ARENA_NEW(p->arena, count, double);
}

static struct pair pair_of(struct arena *arena, const struct creature *c)
{
  struct pair p = {.arena = arena, .c = c, .ours = dynamics_new(arena, c), .n = (size_t)c->n_dofs};
  p.m = mujoco_model(c);
  p.order = ARENA_NEW(arena, p.n, int);
  p.q = room(&p, p.n), p.v = room(&p, p.n), p.a = room(&p, p.n), p.w = room(&p, p.n), p.tau = room(&p, p.n);
  p.M = room(&p, p.n * p.n);
  if (p.m)
    p.data = mj_makeData(p.m);
  return p;
}

static void pair_clear(struct pair *p)
{
  if (p->data)
    mj_deleteData(p->data);
  if (p->m)
    mj_deleteModel(p->m);
}

/* The largest |x - y| relative to the largest |x|; NaN stays NaN. */
static double deviation(const double *x, const double *y, size_t n)
{
  double most = 0, scale = DBL_MIN;
  for (size_t i = 0; i < n; i++) {
    scale = fmax(scale, fabs(x[i]));
    if (!(fabs(x[i] - y[i]) <= most))
      most = fabs(x[i] - y[i]);
  }
  return most / scale;
}

/* ---- the model ---- */

/* Does a walk through the tree, parents first, meet the dofs in their order? Then MuJoCo's order is ours. */
static int depth_first(const struct creature *c)
{
  for (int i = 1; i < c->n_dofs; i++) {
    int k = i - 1;
    while (k >= 0 && k != c->dofs[i].parent)
      k = c->dofs[k].parent;
    if (k < 0)
      return 0;
  }
  return 1;
}

static void check_order(struct pair *p)
{
  size_t found = 0;
  mujoco_dof_order(p->m, p->c, p->order);
  for (size_t i = 0; i < p->n; i++) {
    for (size_t k = 0; k < p->n; k++)
      found += p->order[k] == (int)i;
    CHECK(!depth_first(p->c) || p->order[i] == (int)i);
  }
  CHECK(found == p->n);
}

static void check_joints(struct pair *p)
{
  for (size_t i = 0; i < p->n; i++) {
    const struct dof *d = &p->c->dofs[p->order[i]];
    const mjModel *m = p->m;
    int bounded = isfinite(d->lower) && isfinite(d->upper);
    CHECK(m->jnt_type[i] == (p->order[i] < 3 ? mjJNT_SLIDE : mjJNT_HINGE));
    CHECK(m->jnt_limited[i] == bounded);
    CHECK(!bounded || (m->jnt_range[2 * i] == d->lower && m->jnt_range[2 * i + 1] == d->upper));
    const struct tissue *spring = p->order[i] < CREATURE_ROOT_DOFS ? NULL : tissue_of_axis(p->c, p->order[i]);
    CHECK(m->jnt_stiffness[i] == (spring ? spring->stiffness : 0));
    CHECK(m->dof_damping[i] == (spring ? spring->damping : 0));
    CHECK(!(m->jnt_stiffness[i] > 0) || m->qpos_spring[i] == d->rest);
    CHECK(deviation(d->axis, m->jnt_axis + 3 * i, 3) < 1e-15);
    int motor = mj_name2id(m, mjOBJ_ACTUATOR, d->name);
    CHECK((motor >= 0) == (p->order[i] >= CREATURE_ROOT_DOFS && d->torque_max > 0));
    CHECK(motor < 0 || !isfinite(d->torque_max) || m->actuator_ctrlrange[2 * motor + 1] == d->torque_max);
  }
}

static void check_rest_pose(struct pair *p)
{
  CHECK(p->m->nkey == 1);
  creature_rest_pose(p->c, p->q);
  for (size_t i = 0; i < p->n; i++)
    CHECK(p->m->key_qpos[i] == p->q[p->order[i]]);
}

/* ---- states ---- */

static void set_state(struct pair *p, struct rng *r)
{
  random_state(r, p->c->n_dofs, p->q, p->v, p->a, p->w);
  for (size_t i = 0; i < p->n; i++) {
    p->data->qpos[i] = p->q[p->order[i]];
    p->data->qvel[i] = p->v[p->order[i]];
    p->data->qacc[i] = p->a[p->order[i]];
  }
  mj_inverse(p->m, p->data);
  dynamics_kinematics(p->ours, p->q);
}

/* The body that a limb's joint moves; -1 for a limb without a joint. */
static int body_of(const mjModel *m, const struct creature *c, const struct limb *l)
{
  return l->n_dofs ? m->jnt_bodyid[mj_name2id(m, mjOBJ_JOINT, c->dofs[l->body].name)] : -1;
}

/* Every limb with a joint is a body, in the same place and attitude; shapes and contact points follow. */
static void check_places(struct pair *p)
{
  static const double origin[3] = {0, 0, 0};
  double x[3], R[9], far = 30;
  for (int i = 0; i < p->c->n_limbs; i++) {
    const struct limb *l = &p->c->limbs[i];
    int body = body_of(p->m, p->c, l), geom = mj_name2id(p->m, mjOBJ_GEOM, l->name);
    const double centre[3] = {l->origin[0] + l->shape.centre[0], l->origin[1] + l->shape.centre[1],
                              l->origin[2] + l->shape.centre[2]};
    dynamics_point(p->ours, l->body, origin, x);
    dynamics_rotation(p->ours, l->body, R);
    CHECK(body == mj_name2id(p->m, mjOBJ_BODY, l->name) || strcmp(l->name, "world") == 0);
    CHECK((geom >= 0) == (l->shape.kind != SHAPE_NONE));
    for (int k = 0; k < 3 && body >= 0; k++)
      CHECK_NEAR(x[k], p->data->xpos[3 * body + k], 1e-13 * far);
    for (int k = 0; k < 9 && body >= 0; k++)
      CHECK_NEAR(R[k], p->data->xmat[9 * body + k], 1e-13);
    dynamics_point(p->ours, l->body, centre, x);
    for (int k = 0; k < 3 && geom >= 0; k++)
      CHECK_NEAR(x[k], p->data->geom_xpos[3 * geom + k], 1e-13 * far);
  }
  for (int i = 0; i < p->c->n_points; i++) {
    int site = mj_name2id(p->m, mjOBJ_SITE, p->c->points[i].name);
    CHECK(site >= 0);
    dynamics_point(p->ours, p->c->points[i].body, p->c->points[i].at, x);
    for (int k = 0; k < 3 && site >= 0; k++)
      CHECK_NEAR(x[k], p->data->site_xpos[3 * site + k], 1e-13 * far);
  }
}

/* Deviation of inverse dynamics, and of the mass matrix. */
static double torque_deviation(struct pair *p)
{
  double *theirs = room(p, p->n);
  dynamics_inverse(p->ours, p->q, p->v, p->a, p->tau);
  for (size_t i = 0; i < p->n; i++)
    theirs[p->order[i]] = p->data->qfrc_inverse[i];
  return deviation(p->tau, theirs, p->n);
}

static double mass_matrix_deviation(struct pair *p)
{
  double *full = room(p, p->n * p->n), *theirs = room(p, p->n * p->n);
  dynamics_mass_matrix(p->ours, p->q, p->M);
  mj_fullM(p->m, full, p->data->qM);
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->n; k++)
      theirs[(size_t)p->order[i] * p->n + (size_t)p->order[k]] = full[i * p->n + k];
  return deviation(p->M, theirs, p->n * p->n);
}

/* Is all tissue either taut, and pulls, or slack, so that MuJoCo's springs without toe region do what ours do? */
static int is_plain(const struct pair *p)
{
  for (int i = 0; i < p->c->n_tissues; i++) {
    const struct tissue *t = &p->c->tissues[i];
    double s = tissue_stretch(t, p->q), force = t->stiffness * s + t->damping * tissue_rate(t, p->v);
    if (t->one_sided && !(fabs(s) > t->toe && (s > 0) == (force > 0)))
      return 0;
  }
  return 1;
}

/* What the model's joints, tendons and actuators give without any control is what tissue gives. */
static double tissue_deviation(struct pair *p)
{
  double *theirs = room(p, p->n);
  memset(p->tau, 0, p->n * sizeof *p->tau);
  tissue_subtract(p->c, p->q, p->v, p->tau);
  mj_fwdPosition(p->m, p->data);
  mj_fwdVelocity(p->m, p->data);
  mj_fwdActuation(p->m, p->data);
  for (size_t i = 0; i < p->n; i++)
    theirs[p->order[i]] = -p->data->qfrc_passive[i] - p->data->qfrc_actuator[i];
  return deviation(p->tau, theirs, p->n);
}

static void check_tissue(struct pair *p, struct rng *r)
{
  int plain = 0;
  p->m->opt.disableflags &= ~mjDSBL_PASSIVE;
  for (int k = 0; k < 20000 && plain < 20; k++) {
    set_state(p, r);
    if (!is_plain(p))
      continue;
    plain++;
    CHECK_NEAR(tissue_deviation(p), 0, 1e-13);
  }
  CHECK_INT(plain, 20);
  for (int i = 0; i < p->m->ntendon; i++) /* MuJoCo's own, and those of actuators: one that is wrong is seen */
    p->m->tendon_stiffness[i] += 1e-3;
  CHECK(p->m->ntendon == 0 || tissue_deviation(p) > 1e-9);
  for (int i = 0; i < p->m->ntendon; i++)
    p->m->tendon_stiffness[i] -= 1e-6;
  p->m->opt.disableflags |= mjDSBL_PASSIVE;
}

/* A test that cannot fail proves nothing: a change of one mass by a millionth must show. */
static void check_sensitivity(struct pair *p, struct rng *r)
{
  p->m->body_mass[1] *= 1 + 1e-6;
  set_state(p, r);
  CHECK(torque_deviation(p) > 1e-9);
  CHECK(mass_matrix_deviation(p) > 1e-9);
}

/* As a model to simulate it makes sense: let go in the rest pose, the creature sinks, but its feet stay on the
 * ground. */
static void check_simulation(struct pair *p)
{
  mjModel *m = p->m;
  double lowest = 1;
  m->opt.disableflags &= ~(mjDSBL_CONSTRAINT | mjDSBL_PASSIVE);
  mj_resetDataKeyframe(m, p->data, 0);
  for (int k = 0; k < 30; k++)
    mj_step(m, p->data);
  mj_kinematics(m, p->data);
  for (int i = 0; i < m->nsite; i++)
    lowest = fmin(lowest, p->data->site_xpos[3 * i + 2] / p->c->height);
  CHECK(p->data->warning[mjWARN_BADQPOS].number == 0 && p->data->warning[mjWARN_BADQACC].number == 0);
  double near = p->c->n_tissues ? 0.1 : 0.02; /* tendons that carry a standing body straighten its feet when it falls */
  CHECK(p->c->n_points == 0 || (lowest > -0.02 && lowest < near));
}

/* Limbs that keep apart collide in MuJoCo, and no others: all geoms at one place would. */
static void check_pairs(struct pair *p)
{
  const mjModel *m = p->m;
  CHECK_INT(m->npair, p->c->n_pairs);
  for (int i = 0; i < p->c->n_pairs && i < m->npair; i++) {
    int a = mj_name2id(m, mjOBJ_GEOM, p->c->limbs[p->c->pairs[i].a].name);
    int b = mj_name2id(m, mjOBJ_GEOM, p->c->limbs[p->c->pairs[i].b].name), found = 0;
    for (int k = 0; k < m->npair; k++)
      found += (m->pair_geom1[k] == a && m->pair_geom2[k] == b) || (m->pair_geom1[k] == b && m->pair_geom2[k] == a);
    CHECK_INT(found, 1);
    CHECK(m->pair_dim[i] == 3 && m->pair_friction[5 * i] == 0.3 && m->pair_margin[i] == 0);
  }
}

/* Folded so that limbs are in each other, and left alone in the air: contacts of pairs, and they part. */
static void check_parting(struct pair *p, struct rng *r)
{
  mjModel *m = p->m;
  mjData *d = p->data;
  int limbs = 0;
  double before = 0, after = 0;
  m->opt.disableflags &= ~(mjDSBL_CONSTRAINT | mjDSBL_PASSIVE);
  for (int k = 0; k < 20 && p->c->n_pairs > 0; k++) {
    mj_resetDataKeyframe(m, d, 0);
    d->qpos[2] += 10 * p->c->height;
    for (int i = CREATURE_ROOT_DOFS; i < m->nq; i++)
      d->qpos[i] += rng_uniform(r, -0.4, 0.4);
    for (int step = 0; step < 40; step++) {
      mj_step(m, d);
      for (int i = 0; i < d->ncon && (step == 0 || step == 39); i++)
        *(step ? &after : &before) += -d->contact[i].dist;
      limbs += d->ncon;
    }
  }
  printf("%-16s limbs in each other: %g m before, %g m after 40 steps, %d contacts\n", p->c->name, before, after,
         limbs);
  CHECK(p->c->n_pairs == 0 || limbs == 0 || after < 0.8 * before);
  CHECK(d->warning[mjWARN_BADQPOS].number == 0 && d->warning[mjWARN_BADQACC].number == 0);
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
}

static void check_creature(struct arena *arena, const struct creature *c, uint64_t seed)
{
  struct pair p = pair_of(arena, c);
  struct rng r = rng_stream(21, seed);
  CHECK(p.m != NULL && p.data != NULL);
  CHECK(p.m && p.m->nv == c->n_dofs && p.m->nq == c->n_dofs);
  if (p.data && p.m->nv == c->n_dofs) {
    check_order(&p);
    check_joints(&p);
    check_rest_pose(&p);
    CHECK_NEAR(mj_getTotalmass(p.m), c->mass, 1e-14 * c->mass);
    for (int k = 0; k < STATES; k++) {
      set_state(&p, &r);
      check_places(&p);
      CHECK_NEAR(torque_deviation(&p), 0, 1e-11);
      CHECK_NEAR(mass_matrix_deviation(&p), 0, 1e-11);
    }
    check_tissue(&p, &r);
    check_pairs(&p);
    check_parting(&p, &r);
    check_simulation(&p);
    p.m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;
    check_sensitivity(&p, &r);
  }
  pair_clear(&p);
}

/* What the zoo may lack: oblique axes, fixed limbs on fixed limbs, every shape, springs, names with meaning in XML. */
static const char odd[] =
    "name = \"<odd> & \\\"even\\\"\"\n"
    "limb world { from = {-0.3, 0, 0} to = {0.2, 0, 0.1} shape = box size = {0.2, 0.3, 0.1} mass = 7 }\n"
    "limb lump  { parent = world at = {0.1, 0.2, 0.3} to = {0.1, 0, 0} radius = 0.1 mass = 1 }\n"
    "limb knob  { parent = lump at = {0, 0.1, 0.1} shape = ellipsoid size = {0.1, 0.2, 0.3} mass = 0.5\n"
    "  com = {0.02, 0.03, 0.01} }\n"
    "limb arm   { parent = knob at = {0, 0.1, 0} to = {0.3, 0.2, 0.1} radius = 0.05 mass = 2\n"
    "  inertia = {0.03, 0.04, 0.05, 0.003, -0.002, 0.001}\n"
    "  axis one { about = {1, 1, 0} range = {-90, 80} rest = 10 stiffness = 3 damping = 0.5 torque = 40 }\n"
    "  axis two { about = {0, -1, 2} } axis three { about = -z } }\n"
    "limb leg   { parent = world mirror = true at = {0, 0.1, 0} to = {0.1, 0.1, -0.5} radius = 0.04 mass = 1.5\n"
    "  axis swing { about = {0, 1, 0.2} } }\n"
    "limb shank { parent = leg to = {0, 0, -0.4} radius = 0.03 mass = 0.7 axis bend { about = y stiffness = 2 } }\n"
    "foot leg   { limb = shank }\n"
    "tendon patella { over = shank.bend slack = 10 stiffness = 40 damping = 0.5 }\n"
    "tendon stop { over = arm.three taut = below slack = -20 stiffness = 30 }\n"
    "tendon long { over = {shank.bend, leg.swing} arms = {-0.7, 1.2} slack = 5 stiffness = 15 damping = 0.1 toe = 3 }\n"
    "tendon both { over = {leg.swing, shank.bend} arms = {1, -1} taut = both slack = 8 stiffness = 9 damping = 0.2 }\n"
    "tendon left_both { over = left_shank.bend taut = both damping = 0.3 }\n"; /* a name that an image has, too */

static void test_odd_creature(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "odd", odd, strlen(odd), &d);
  CHECK(c != NULL);
  if (c)
    check_creature(arena, c, 99);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c)
      check_creature(arena, c, (uint64_t)i);
    arena_free(arena);
  }
  test_odd_creature();
  return test_finish();
}

#endif

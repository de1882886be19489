/* Does MuJoCo believe our clips? A clip is exported as CSV, its creature as MJCF, and from these two files alone
 * MuJoCo's inverse dynamics, with the forces of the file at the points of the file, must find the torques of the file
 * at every dof, muscles' and tissue's together; in a solved gait it must find nothing at the root. Skipped where MuJoCo
 * is not installed. */
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

#include "bench/mujoco_model.h"
#include "check.h"
#include "exchange/smooth_clip.h"
#include "exchange/table.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

struct replay {
  const mjModel *m;
  mjData *data;
  const struct table *t;
  double largest, deviation;    /* of a torque, anywhere                 */
  double root_force, root_moment; /* that nothing explains, the largest  */
};

static double cell(const struct replay *r, int row, const char *what, const char *name, const char *axis)
{
  int column = table_find(r->t, what, name, axis);
  CHECK(column >= 0);
  return table_cell(r->t, row, column);
}

/* What the joint needs by the file: of muscles, and of tissue where it has any. */
static double joint_torque(const struct replay *r, int row, const char *name)
{
  int passive = table_find(r->t, "passive", name, NULL);
  return cell(r, row, "torque", name, NULL) + (passive < 0 ? 0 : table_cell(r->t, row, passive));
}

/* q, v and a of a row that has neighbours: central differences of the file's numbers. */
static void set_state(struct replay *r, int row)
{
  double h = table_cell(r->t, 1, 0) - table_cell(r->t, 0, 0);
  for (int i = 0; i < r->m->nv; i++) {
    const char *name = mj_id2name(r->m, mjOBJ_JOINT, r->m->dof_jntid[i]);
    double before = cell(r, row - 1, "q", name, NULL), now = cell(r, row, "q", name, NULL);
    double after = cell(r, row + 1, "q", name, NULL);
    r->data->qpos[i] = now;
    r->data->qvel[i] = (after - before) / (2 * h);
    r->data->qacc[i] = (after - 2 * now + before) / (h * h);
  }
  mj_inverse(r->m, r->data);
}

/* The file's forces at the sites of their names, as generalised forces; the sites must be where the file says. */
static void add_forces(struct replay *r, int row, double *generalised)
{
  static const char *const axes[3] = {"x", "y", "z"};
  for (int site = 0; site < r->m->nsite; site++) {
    const char *name = mj_id2name(r->m, mjOBJ_SITE, site);
    double force[3], torque[3] = {0, 0, 0}, *at = r->data->site_xpos + 3 * site;
    for (int k = 0; k < 3; k++) {
      force[k] = cell(r, row, "force", name, axes[k]);
      CHECK_NEAR(cell(r, row, "position", name, axes[k]), at[k], 1e-11);
    }
    mj_applyFT(r->m, r->data, force, torque, at, r->m->site_bodyid[site], generalised);
  }
}

static void compare_row(struct replay *r, int row, double *generalised)
{
  memset(generalised, 0, (size_t)r->m->nv * sizeof *generalised);
  set_state(r, row);
  add_forces(r, row, generalised);
  for (int i = 0; i < r->m->nv; i++) {
    const char *name = mj_id2name(r->m, mjOBJ_JOINT, r->m->dof_jntid[i]);
    double theirs = r->data->qfrc_inverse[i] - generalised[i], ours = joint_torque(r, row, name);
    r->largest = fmax(r->largest, fabs(theirs));
    if (!(fabs(ours - theirs) <= r->deviation))
      r->deviation = fabs(ours - theirs); /* NaN stays */
    if (strncmp(name, "root_", 5) == 0 && strlen(name) == 6)
      r->root_force = fmax(r->root_force, fabs(theirs));
    else if (strncmp(name, "root_", 5) == 0)
      r->root_moment = fmax(r->root_moment, fabs(theirs));
  }
}

static struct replay replay(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  struct replay r = {.m = mujoco_model(c), .t = table_of_clip(arena, c, clip), .largest = DBL_MIN};
  double *generalised = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  CHECK(r.m && r.t && r.m->nv == c->n_dofs && r.m->nsite == c->n_points && r.t->n_rows == clip->n_frames);
  if (!r.m || !r.t)
    return (struct replay){.deviation = NAN, .root_force = NAN};
  r.data = mj_makeData(r.m);
  for (int row = 1; row + 1 < r.t->n_rows; row++)
    compare_row(&r, row, generalised);
  mj_deleteData(r.data);
  mj_deleteModel((mjModel *)r.m);
  return r;
}

/* Any motion: the same torques. Differences of q amplify its last bits by 1/h^2. */
static void test_any_motion(void)
{
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    for (int cyclic = 0; c && cyclic < 2; cyclic++) {
      struct replay r = replay(arena, c, smooth_clip(arena, c, 11, cyclic, 1));
      CHECK_NEAR(r.deviation / r.largest, 0, 1e-10);
      CHECK(r.root_force > 0.1 * c->mass); /* these motions do not obey physics, and MuJoCo sees it */
    }
    arena_free(arena);
  }
}

/* A solved gait: the same torques, and nothing at the root, to 1e-5 body weights. */
static void check_gait(const char *creature, const char *gait)
{
  struct arena *arena = arena_new();
  struct spacetime_options o;
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  const struct creature *c = zoo_find(arena, creature);
  CHECK(c != NULL);
  int g = creature_find_gait(c, gait);
  CHECK(g >= 0);
  struct gait_request request = {.c = c, .gait = g, .speed = 0.5 * (c->gaits[g].speed_min + c->gaits[g].speed_max)};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_gait(arena, &request, &o, report);
  CHECK(clip != NULL);
  if (clip) {
    double weight = c->mass * CREATURE_GRAVITY;
    struct replay r = replay(arena, c, clip);
    fprintf(stderr, "%s %s: torques differ by %.1e of the largest; at the root %.1e weights, %.1e weights x height\n",
            creature, gait, r.deviation / r.largest, r.root_force / weight, r.root_moment / (weight * c->height));
    CHECK_NEAR(r.deviation / r.largest, 0, 1e-9);
    CHECK(r.root_force < 1e-5 * weight && r.root_moment < 1e-5 * weight * c->height);
    clip->force[3 * clip->n_points * (clip->n_frames / 2) + 2] += 1e-4 * weight; /* proof that it can fail */
    r = replay(arena, c, clip);
    CHECK(r.root_force > 5e-5 * weight);
  }
  arena_free(arena);
}

int main(void)
{
  test_any_motion();
  check_gait("biped", "walk");
  check_gait("hyq", "trot");
  check_gait("human", "run");
  return test_finish();
}

#endif

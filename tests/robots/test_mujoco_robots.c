/* Robots read by us and compiled by MuJoCo must be the same body: masses, centres, inertias and the places and axes of
 * joints at zero angles, to 1e-9. With names of files it compares those. Skipped where MuJoCo is not installed. */
#include <stdio.h>

#ifndef HAVE_MUJOCO

int main(void)
{
  puts("skipped: built without MuJoCo (Debian: libmujoco-dev)");
  return 77;
}

#else

#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "creature/creature.h"
#include "robots/robots.h"

static double near = 1e-9;
static struct arena *arena;
static mjModel *m;
static mjData *data;

/* The creature's name for a joint is behind its axis, as a comment: "# FL_hip_joint; FR_hip_joint = -angle". */
static const char *axis_line(const char *text, const char *joint, int *second)
{
  size_t n = strlen(joint);
  for (const char *at = strstr(text, joint); at; at = strstr(at + 1, joint)) {
    const char *line = at;
    while (line > text && line[-1] != '\n')
      line--;
    int whole = at[-1] == ' ' && at > line && strchr("; \n", at[n]) && !strncmp(line, "  axis", 6);
    *second = at >= line + 2 && at[-2] == ';';
    if (whole)
      return line;
  }
  return NULL;
}

/* The limb that the axis of this line is of: "limb NAME {" above it; left_ or right_ if it is mirrored. */
static int limb_of_line(const struct creature *c, const char *text, const char *line, int second)
{
  char name[80] = "", image[100];
  while (line > text && strncmp(line, "\nlimb ", 6))
    line--;
  sscanf(line, "\nlimb %79s", name);
  snprintf(image, sizeof image, "%s_%s", second ? "right" : "left", name);
  int plain = creature_find_limb(c, name);
  return plain >= 0 ? plain : creature_find_limb(c, image);
}

/* MuJoCo's body and all that hang on it without joints: mass, centre and inertia about it, in world axes. */
struct lump { double mass, com[3], inertia[6]; };

static void lump_add(struct lump *l, int body)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const double *R = data->ximat + 9 * body, *I = m->body_inertia + 3 * body, *x = data->xipos + 3 * body;
  double mass = m->body_mass[body], sum = l->mass + mass, d[3], r2 = 0;
  if (!(mass > 0))
    return;
  for (int i = 0; i < 3; i++)
    d[i] = l->mass > 0 ? x[i] - l->com[i] : 0, r2 += d[i] * d[i];
  for (int k = 0; k < 6; k++) {
    double own = 0, point = (row[k] == column[k] ? r2 : 0) - d[row[k]] * d[column[k]];
    for (int i = 0; i < 3; i++)
      own += R[3 * row[k] + i] * I[i] * R[3 * column[k] + i];
    l->inertia[k] += own + l->mass * mass / sum * point;
  }
  for (int i = 0; i < 3; i++)
    l->com[i] = l->mass > 0 ? l->com[i] + mass / sum * d[i] : x[i];
  l->mass = sum;
}

static struct lump lump_of(int body)
{
  struct lump l = {0};
  lump_add(&l, body);
  for (int b = body + 1; b < m->nbody; b++) {
    int up = b;
    while (up > body && m->body_jntnum[up] == 0)
      up = m->body_parentid[up];
    if (up == body)
      lump_add(&l, b);
  }
  return l;
}

static void place(const struct creature *c, int limb, double x[3]) /* at zero angles, from the root */
{
  memset(x, 0, 3 * sizeof *x);
  for (; c->limbs[limb].parent >= 0; limb = c->limbs[limb].parent)
    for (int i = 0; i < 3; i++)
      x[i] += c->limbs[limb].at[i];
}

static void compare_mass(const struct limb *l, const double at[3], const struct lump *theirs)
{
  double trace = l->inertia[0] + l->inertia[1] + l->inertia[2];
  CHECK_NEAR(l->mass, theirs->mass, near * theirs->mass);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(at[i] + l->com[i], theirs->com[i], near);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(l->inertia[i], theirs->inertia[i], near * trace);
}

static void compare_joint(const struct creature *c, const char *text, int joint, const double root[3])
{
  const char *name = mj_id2name(m, mjOBJ_JOINT, joint);
  int second, body = m->jnt_bodyid[joint], last = m->body_jntadr[body] + m->body_jntnum[body] - 1;
  const char *line = axis_line(text, name, &second);
  int limb = line ? limb_of_line(c, text, line, second) : -1, found = 0;
  double at[3];
  CHECK(limb >= 0);
  if (limb < 0)
    return;
  place(c, limb, at);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(at[i], data->xanchor[3 * joint + i] - root[i], near);
  const struct limb *l = &c->limbs[limb];
  for (int i = l->first_dof; i < l->first_dof + l->n_dofs; i++) {
    double along = 0;
    for (int k = 0; k < 3; k++)
      along += c->dofs[i].axis[k] * data->xaxis[3 * joint + k];
    found |= fabs(fabs(along) - 1) < near;
  }
  CHECK(found);
  struct lump theirs = lump_of(body);
  for (int i = 0; i < 3; i++)
    theirs.com[i] -= root[i];
  if (joint == last)
    compare_mass(l, at, &theirs);
}

/* All at the pose of the file, from the place of the robot's first body. */
static void compare(const char *path)
{
  struct robots_report report;
  struct diag d;
  char error[1000] = "";
  diag_init(&d);
  const char *text = robots_creature(arena, path, &(struct robots_options){0}, &report, &d);
  const struct creature *c = text ? creature_parse(arena, "robot", text, strlen(text), &d) : NULL;
  char *messages = diag_text(&d);
  fputs(messages, stderr);
  free(messages);
  CHECK(c != NULL);
  m = mj_loadXML(path, NULL, error, sizeof error);
  if (!m)
    fprintf(stderr, "%s: %s\n", path, error);
  CHECK(m != NULL);
  if (!c || !m)
    return;
  data = mj_makeData(m);
  mj_kinematics(m, data);
  int root = 1, joints = 0;
  while (root < m->nbody - 1 && m->body_parentid[root + 1] == 0)
    root++;
  const double *origin = data->xpos + 3 * root, zero[3] = {0};
  struct lump theirs = lump_of(root);
  for (int i = 0; i < 3; i++)
    theirs.com[i] -= origin[i];
  compare_mass(&c->limbs[0], zero, &theirs);
  for (int j = 0; j < m->njnt; j++)
    if (m->jnt_type[j] == mjJNT_HINGE)
      compare_joint(c, text, j, origin), joints++;
  CHECK_INT(joints, c->n_dofs - CREATURE_ROOT_DOFS);
  CHECK_NEAR(c->mass, mj_getTotalmass(m), near * c->mass);
  mj_deleteData(data);
  mj_deleteModel(m);
  diag_clear(&d);
}

int main(int argc, char **argv)
{
  const char *srcdir = getenv("srcdir");
  arena = arena_new();
  for (int i = 1; i < argc; i++)
    compare(argv[i]);
  if (argc == 1) {
    compare(arena_printf(arena, "%s/tests/robots/good/dog.xml", srcdir ? srcdir : "."));
    compare(arena_printf(arena, "%s/tests/robots/good/walker.urdf", srcdir ? srcdir : "."));
    near = 1e-7; /* it keeps corners of meshes as floats */
    compare(arena_printf(arena, "%s/tests/robots/good/meshes.xml", srcdir ? srcdir : "."));
  }
  arena_free(arena);
  return test_finish();
}

#endif

/* The bodies of MJCF: which of those in the world are the robot; their masses and joints. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/text.h"
#include "base/vec3.h"
#include "robots/mjcf.h"

static const char *const truth[] = {"false", "true", "auto", NULL};

/* ---- joints ---- */

int mjcf_read_joint(struct mjcf *m, const struct xml_node *n, int body, const double pos[3], const double quat[4])
{
  static const char *const types[] = {"hinge", "free", "slide", "ball", NULL};
  int type = strcmp(n->name, "freejoint") ? mjcf_word(m, n, "type", types, 0) : 1;
  double one[4] = {1}, R[9], axis[3] = {0, 0, 1}, range[2] = {0};
  if (type >= 2)
    return ROBOT_ERROR(m->r, n, "%s is a %s; a creature has hinges: %s", robot_describe(m->r, n), types[type],
                       type == 3 ? "write it as three hinges" : "fix it, or take it out");
  struct robot_joint *j = robot_add_joint(m->r, n, body);
  j->kind = type == 1 ? ROBOT_FREE : ROBOT_HINGE;
  if (type == 1)
    return 1;
  mjcf_numbers(m, n, "pos", 3, 3, j->pos);
  mjcf_numbers(m, n, "axis", 3, 3, axis);
  mjcf_place_in(pos, quat, j->pos, one);
  double length = vec3_norm(axis);
  if (!(length > 1e-9))
    return ROBOT_ERROR(m->r, n, "axis of %s has no length", robot_describe(m->r, n));
  quat_to_matrix(quat, R);
  mat3_mul_vec(R, axis, j->axis);
  for (int i = 0; i < 3; i++)
    j->axis[i] /= length;
  double ref = 0, slack = 0, stiffness[3] = {0}, damping[3] = {0}, other[3] = {0};
  mjcf_numbers(m, n, "ref", 1, 1, &ref);
  mjcf_numbers(m, n, "springref", 1, 1, &slack);
  mjcf_numbers(m, n, "stiffness", 1, 3, stiffness);
  mjcf_numbers(m, n, "damping", 1, 3, damping);
  j->reference = ref * m->angle;
  j->slack = (slack - ref) * m->angle;
  j->stiffness = stiffness[0];
  j->damping = damping[0];
  int given = mjcf_numbers(m, n, "range", 2, 2, range), limited = mjcf_word(m, n, "limited", truth, 2);
  if (given && (limited == 1 || (limited == 2 && m->autolimits && range[0] != range[1]))) {
    if (!(range[0] < range[1]))
      return ROBOT_ERROR(m->r, n, "range of %s: the least, %g, must be below the greatest, %g",
                         robot_describe(m->r, n), range[0], range[1]);
    j->lower = (range[0] - ref) * m->angle;
    j->upper = (range[1] - ref) * m->angle;
  }
  if (mjcf_numbers(m, n, "armature", 1, 1, other) && other[0] != 0)
    robot_leave_out(m->r, "armature (inertia of rotors)");
  if (mjcf_numbers(m, n, "frictionloss", 1, 1, other) && other[0] != 0)
    robot_leave_out(m->r, "friction of joints");
  if (j->stiffness < 0 || j->damping < 0)
    return ROBOT_ERROR(m->r, n, "stiffness and damping of %s must be at least 0", robot_describe(m->r, n));
  return 1;
}

/* ---- masses that are given ---- */

static int body_read_inertial(struct mjcf *m, const struct xml_node *n, struct robot_body *b)
{
  double quat[4] = {1}, R[9], moments[6] = {0};
  b->has_mass = 1;
  mjcf_place(m, n, b->com, quat);
  if (!mjcf_numbers(m, n, "mass", 1, 1, &b->mass))
    return ROBOT_ERROR(m->r, n, "%s has no mass", robot_describe(m->r, n));
  if (!mjcf_numbers(m, n, "fullinertia", 6, 6, moments) && !mjcf_numbers(m, n, "diaginertia", 3, 3, moments))
    return ROBOT_ERROR(m->r, n, "%s needs diaginertia or fullinertia", robot_describe(m->r, n));
  if (!(b->mass >= 0))
    return ROBOT_ERROR(m->r, n, "mass of %s: must be at least 0, found %g", robot_describe(m->r, n), b->mass);
  quat_to_matrix(quat, R);
  sym3_turn(R, moments, b->inertia);
  return 1;
}

/* ---- the tree ---- */

static int body_read(struct mjcf *m, const struct xml_node *n, int parent, const double pos[3], const double quat[4]);

/* What is in a body, directly or in frames: first all but bodies, so that joints are in the order of qpos. */
static int body_read_content(struct mjcf *m, const struct xml_node *in, int body, const double pos[3],
                             const double quat[4], int bodies)
{
  static const char *const others[] = {"replicate", "composite", "flexcomp", "attach", "plugin"};
  int good = 1;
  for (const struct xml_node *n = in->children; n && good; n = n->next) {
    if (!strcmp(n->name, "frame")) {
      double p[3] = {0}, q[4] = {1};
      mjcf_place(m, n, p, q);
      mjcf_place_in(pos, quat, p, q);
      good = body_read_content(m, n, body, p, q, bodies);
    } else if (bodies) {
      good = strcmp(n->name, "body") || body_read(m, n, body, pos, quat);
    } else if (!strcmp(n->name, "joint") || !strcmp(n->name, "freejoint")) {
      good = mjcf_read_joint(m, n, body, pos, quat);
    } else if (!strcmp(n->name, "geom")) {
      good = mjcf_read_geom(m, n, body, pos, quat);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others && !bodies; i++)
      if (!strcmp(n->name, others[i]))
        good = ROBOT_ERROR(m->r, n, "%s is not read; save the compiled model (MuJoCo: mj_saveLastXML)",
                           robot_describe(m->r, n));
  }
  return good;
}

/* As the compiler of MuJoCo does with what it is told to repair. */
static void body_bound(const struct mjcf *m, struct robot_body *b)
{
  double *I = b->inertia;
  b->mass = fmax(b->mass, m->bound_mass);
  for (int i = 0; i < 3; i++)
    I[i] = fmax(I[i], m->bound_inertia);
  int lacks = I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0];
  if (m->balance && lacks)
    I[0] = I[1] = I[2] = (I[0] + I[1] + I[2]) / 3;
}

static int body_read(struct mjcf *m, const struct xml_node *n, int parent, const double pos[3], const double quat[4])
{
  static const double origin[3] = {0}, straight[4] = {1};
  struct robot *r = m->r;
  if (r->n_bodies == ROBOT_MAX_BODIES)
    return ROBOT_ERROR(r, n, "too many bodies: at most %d", ROBOT_MAX_BODIES);
  int body = r->n_bodies;
  struct robot_body *b = robot_add_body(r, n, parent);
  mjcf_place(m, n, b->pos, b->quat);
  mjcf_place_in(pos, quat, b->pos, b->quat);
  const struct xml_node *inertial = m->from_geoms == 1 ? NULL : xml_child(n, "inertial");
  if (inertial && !body_read_inertial(m, inertial, b))
    return 0;
  if (!body_read_content(m, n, body, origin, straight, 0))
    return 0;
  body_bound(m, b);
  return body_read_content(m, n, body, origin, straight, 1);
}

/* Has something in it a joint that turns? */
static int has_hinge(const struct mjcf *m, const struct xml_node *n)
{
  for (const struct xml_node *c = n->children; c; c = c->next) {
    const char *type = strcmp(c->name, "joint") ? NULL : mjcf_get(m, c, "type");
    if ((!strcmp(c->name, "joint") && (!type || strcmp(type, "free"))) || has_hinge(m, c))
      return 1;
  }
  return 0;
}

/* The robot is what has joints in the world; scenery and loose things beside it are left out. */
static const struct xml_node *find_robot(struct mjcf *m)
{
  const struct xml_node *found = NULL;
  for (const struct xml_node *w = xml_child(m->root, "worldbody"); w; w = xml_next(w, "worldbody"))
    for (const struct xml_node *n = w->children; n; n = n->next) {
      int is_body = !strcmp(n->name, "body") || !strcmp(n->name, "frame");
      if (!is_body || !has_hinge(m, n))
        continue;
      if (found)
        return ROBOT_ERROR(m->r, n, "the world has two things with joints, '%s' and '%s'; a file is one robot",
                           text_clip(xml_get(found, "name") ? xml_get(found, "name") : "").word,
                           text_clip(xml_get(n, "name") ? xml_get(n, "name") : "").word), NULL;
      found = n;
    }
  if (!found)
    ROBOT_ERROR(m->r, m->root, "there is no body with a joint in worldbody");
  return found;
}

static int check_root(struct mjcf *m)
{
  for (int i = 0; i < m->r->n_joints; i++) {
    const struct robot_joint *j = &m->r->joints[i];
    if (j->body > 0 && j->kind == ROBOT_FREE)
      return ROBOT_ERROR(m->r, j->node, "%s: only the first body moves freely", robot_describe(m->r, j->node));
    if (j->body == 0 && j->kind == ROBOT_HINGE)
      return ROBOT_ERROR(m->r, j->node, "%s holds the first body to the world; a creature moves freely: take it out, "
                         "or write <freejoint/>", robot_describe(m->r, j->node));
  }
  return 1;
}

int mjcf_read_bodies(struct mjcf *m)
{
  static const double origin[3] = {0}, straight[4] = {1};
  const struct xml_node *n = find_robot(m);
  double total = 0;
  if (!n)
    return 0;
  if (!strcmp(n->name, "frame")) {
    double p[3] = {0}, q[4] = {1};
    mjcf_place(m, n, p, q);
    const struct xml_node *b = xml_child(n, "body");
    if (!b || !body_read(m, b, -1, p, q))
      return b ? 0 : ROBOT_ERROR(m->r, n, "expected a body in the frame");
  } else if (!body_read(m, n, -1, origin, straight))
    return 0;
  for (int i = 0; i < m->r->n_bodies; i++)
    total += m->r->bodies[i].mass;
  for (int i = 0; m->total_mass > 0 && total > 0 && i < m->r->n_bodies; i++) {
    struct robot_body *b = &m->r->bodies[i];
    b->mass *= m->total_mass / total;
    for (int k = 0; k < 6; k++)
      b->inertia[k] *= m->total_mass / total;
  }
  return check_root(m);
}

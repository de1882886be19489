/* URDF, the format of ROS: links and joints by name, put in order from the one link that no joint carries. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/text.h"
#include "base/vec3.h"
#include "robots/robot.h"

struct urdf {
  struct robot *r;
  int n_links, n_joints, n_worlds;
  const struct xml_node **links, **joints;
  int *parent, *child;          /* links of a joint                       (n_joints) */
};

static int urdf_numbers(struct urdf *u, const struct xml_node *n, const char *key, int count, double *out)
{
  const char *text = xml_get(n, key);
  return text ? robot_numbers(u->r, n, key, text, count, count, out) : 0;
}

/* <origin xyz rpy>: roll, pitch, yaw about axes that stay. */
static void urdf_origin(struct urdf *u, const struct xml_node *in, double pos[3], double quat[4])
{
  static const double x[3] = {1}, y[3] = {0, 1}, z[3] = {0, 0, 1};
  const struct xml_node *n = xml_child(in, "origin");
  double angles[3] = {0}, roll[4], pitch[4], yaw[4], both[4];
  memcpy(quat, (double[4]){1}, 4 * sizeof *quat);
  if (!n)
    return;
  urdf_numbers(u, n, "xyz", 3, pos);
  urdf_numbers(u, n, "rpy", 3, angles);
  quat_about(x, angles[0], roll);
  quat_about(y, angles[1], pitch);
  quat_about(z, angles[2], yaw);
  quat_multiply(pitch, roll, both);
  quat_multiply(yaw, both, quat);
}

static int urdf_inertial(struct urdf *u, const struct xml_node *n, struct robot_body *b)
{
  static const char *const keys[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const struct xml_node *mass = xml_child(n, "mass"), *inertia = xml_child(n, "inertia");
  double quat[4], R[9], given[6] = {0};
  b->has_mass = 1;
  urdf_origin(u, n, b->com, quat);
  if (!mass || !urdf_numbers(u, mass, "value", 1, &b->mass))
    return ROBOT_ERROR(u->r, n, "%s needs <mass value=\"KG\"/>", robot_describe(u->r, n));
  if (!(b->mass >= 0))
    return ROBOT_ERROR(u->r, mass, "mass of %s: must be at least 0, found %g", robot_describe(u->r, n), b->mass);
  for (int i = 0; i < 6; i++)
    if (inertia)
      urdf_numbers(u, inertia, keys[i], 1, &given[i]);
  quat_to_matrix(quat, R);
  sym3_turn(R, given, b->inertia);
  return 1;
}

/* ---- solids ---- */

/* A mesh whose file is there is as large as the box around it; the mass of a link is given. */
static int urdf_mesh(struct urdf *u, const struct xml_node *n, const struct xml_node *geometry, int body, int touches)
{
  const struct xml_node *g = xml_child(geometry, "mesh");
  const char *file = g ? xml_get(g, "filename") : NULL;
  double scale[3] = {1, 1, 1}, R[9], middle[3];
  struct robot_mesh mesh;
  if (!file || !touches || strstr(file, "://"))
    return 1;
  urdf_numbers(u, g, "scale", 3, scale);
  if (robot_read_mesh(u->r->arena, text_beside(u->r->arena, n->file, file), scale, &mesh))
    return 1;
  struct robot_solid *s = &u->r->solids[u->r->n_solids++];
  *s = (struct robot_solid){.node = n, .kind = ROBOT_BOX, .body = body, .touches = touches};
  urdf_origin(u, n, s->pos, s->quat);
  for (int i = 0; i < 3; i++) {
    middle[i] = 0.5 * (mesh.least[i] + mesh.most[i]);
    s->size[i] = fmax(0.5 * (mesh.most[i] - mesh.least[i]), 1e-6);
  }
  double at[3];
  quat_to_matrix(s->quat, R);
  mat3_mul_vec(R, middle, at);
  vec3_add_scaled(s->pos, at, 1);
  return 1;
}

static int urdf_solid(struct urdf *u, const struct xml_node *n, int body, int touches)
{
  static const struct { const char *name, *key[2]; int count[2]; enum robot_solid_kind kind; } known[] = {
    {"box", {"size", NULL}, {3, 0}, ROBOT_BOX},
    {"cylinder", {"radius", "length"}, {1, 1}, ROBOT_CYLINDER},
    {"capsule", {"radius", "length"}, {1, 1}, ROBOT_CAPSULE},
    {"sphere", {"radius", NULL}, {1, 0}, ROBOT_SPHERE}};
  const struct xml_node *geometry = xml_child(n, "geometry");
  struct robot_solid *s = &u->r->solids[u->r->n_solids];
  for (int i = 0; geometry && i < 4; i++) {
    const struct xml_node *g = xml_child(geometry, known[i].name);
    if (!g)
      continue;
    *s = (struct robot_solid){.node = n, .kind = known[i].kind, .body = body, .touches = touches};
    urdf_origin(u, n, s->pos, s->quat);
    for (int k = 0; k < 2 && known[i].key[k]; k++)
      if (!urdf_numbers(u, g, known[i].key[k], known[i].count[k], s->size + k))
        return ROBOT_ERROR(u->r, g, "%s needs %s", robot_describe(u->r, g), known[i].key[k]);
    for (int k = 0; k < (s->kind == ROBOT_BOX ? 3 : s->kind == ROBOT_SPHERE ? 1 : 2); k++) {
      if (!(s->size[k] > 0))
        return ROBOT_ERROR(u->r, g, "size of %s: must be > 0, found %g", robot_describe(u->r, g), s->size[k]);
      s->size[k] *= s->kind == ROBOT_BOX || k == 1 ? 0.5 : 1;
    }
    u->r->n_solids++;
    return 1;
  }
  return !geometry || urdf_mesh(u, n, geometry, body, touches);
}

static int urdf_link(struct urdf *u, const struct xml_node *n, struct robot_body *b)
{
  int body = (int)(b - u->r->bodies);
  const struct xml_node *inertial = xml_child(n, "inertial");
  if (inertial && !urdf_inertial(u, inertial, b))
    return 0;
  for (const struct xml_node *c = xml_child(n, "collision"); c; c = xml_next(c, "collision"))
    if (!urdf_solid(u, c, body, 1))
      return 0;
  for (const struct xml_node *c = xml_child(n, "visual"); c; c = xml_next(c, "visual"))
    if (!urdf_solid(u, c, body, 0))
      return 0;
  return 1;
}

/* ---- joints ---- */

static int urdf_joint(struct urdf *u, const struct xml_node *n, int body)
{
  static const char *const words[] = {"revolute", "continuous", "fixed", "floating", "prismatic", "planar",
                                      "spherical", NULL};
  const char *type = xml_get(n, "type");
  const struct xml_node *axis = xml_child(n, "axis"), *limit = xml_child(n, "limit");
  const struct xml_node *tissue = xml_child(n, "dynamics");
  int kind = 0;
  while (type && words[kind] && strcmp(type, words[kind]))
    kind++;
  if (!type || !words[kind])
    return ROBOT_ERROR(u->r, n, "type of %s: '%s' is not known%s", robot_describe(u->r, n),
                       text_clip(type ? type : "").word, text_suggest(type ? type : "", words).words);
  if (kind == 2)
    return 1;
  if (kind > 2)
    return ROBOT_ERROR(u->r, n, "%s is %s; a creature has hinges: fix it, or take it out", robot_describe(u->r, n),
                       type);
  if (xml_child(n, "mimic"))
    return ROBOT_ERROR(u->r, n, "%s mimics another; joints of a creature are free: take <mimic> out, or fix it",
                       robot_describe(u->r, n));
  struct robot_joint *j = robot_add_joint(u->r, n, body);
  memcpy(j->axis, (double[3]){1}, sizeof j->axis);
  if (axis)
    urdf_numbers(u, axis, "xyz", 3, j->axis);
  double length = vec3_norm(j->axis);
  if (!(length > 1e-9))
    return ROBOT_ERROR(u->r, n, "axis of %s has no length", robot_describe(u->r, n));
  for (int i = 0; i < 3; i++)
    j->axis[i] /= length;
  if (limit && kind == 0) {
    double ends[2] = {0};
    urdf_numbers(u, limit, "lower", 1, &ends[0]);
    urdf_numbers(u, limit, "upper", 1, &ends[1]);
    if (!(ends[0] < ends[1]))
      return ROBOT_ERROR(u->r, limit, "limit of %s: the lower, %g, must be below the upper, %g",
                         robot_describe(u->r, n), ends[0], ends[1]);
    j->lower = ends[0];
    j->upper = ends[1];
  }
  double friction = 0;
  if (limit && urdf_numbers(u, limit, "effort", 1, &j->torque) && !(j->torque > 0))
    j->torque = 0;
  if (limit && xml_get(limit, "velocity"))
    robot_leave_out(u->r, "limits of joint speed");
  if (tissue)
    urdf_numbers(u, tissue, "damping", 1, &j->damping);
  if (tissue && urdf_numbers(u, tissue, "friction", 1, &friction) && friction != 0)
    robot_leave_out(u->r, "friction of joints");
  return j->damping >= 0 || ROBOT_ERROR(u->r, n, "damping of %s must be at least 0", robot_describe(u->r, n));
}

/* ---- the tree ---- */

static int urdf_find_link(const struct urdf *u, const char *name)
{
  for (int i = 0; name && i < u->n_links; i++)
    if (!strcmp(xml_get(u->links[i], "name"), name))
      return i;
  return -1;
}

static int urdf_list(struct urdf *u, const struct xml_node *root)
{
  u->links = ARENA_NEW(u->r->arena, ROBOT_MAX_BODIES, const struct xml_node *);
  u->joints = ARENA_NEW(u->r->arena, ROBOT_MAX_BODIES, const struct xml_node *);
  for (const struct xml_node *n = root->children; n; n = n->next) {
    int is_link = !strcmp(n->name, "link"), is_joint = !strcmp(n->name, "joint");
    if (!is_link && !is_joint)
      continue;
    if (!xml_get(n, "name"))
      return ROBOT_ERROR(u->r, n, "a %s has no name", n->name);
    if (is_link && urdf_find_link(u, xml_get(n, "name")) >= 0)
      return ROBOT_ERROR(u->r, n, "two links are called '%s'", text_clip(xml_get(n, "name")).word);
    int *count = is_link ? &u->n_links : &u->n_joints;
    if (*count == ROBOT_MAX_BODIES)
      return ROBOT_ERROR(u->r, n, "too many links or joints: at most %d", ROBOT_MAX_BODIES);
    (is_link ? u->links : u->joints)[(*count)++] = n;
  }
  return u->n_links > 0 || ROBOT_ERROR(u->r, root, "there is no link");
}

/* Who carries whom. A link has one joint above it at most. */
static int urdf_connect(struct urdf *u)
{
  int *above = ARENA_NEW(u->r->arena, (size_t)u->n_links, int);
  u->parent = ARENA_NEW(u->r->arena, (size_t)u->n_joints, int);
  u->child = ARENA_NEW(u->r->arena, (size_t)u->n_joints, int);
  for (int i = 0; i < u->n_joints; i++) {
    int *ends[2] = {&u->parent[i], &u->child[i]};
    for (int k = 0; k < 2; k++) {
      const char *key = k ? "child" : "parent";
      const struct xml_node *e = xml_child(u->joints[i], key);
      const char *name = e ? xml_get(e, "link") : NULL;
      *ends[k] = urdf_find_link(u, name);
      if (*ends[k] < 0)
        return ROBOT_ERROR(u->r, u->joints[i], "%s of %s: there is no link '%s'", key,
                           robot_describe(u->r, u->joints[i]), text_clip(name ? name : "").word);
    }
    if (above[u->child[i]]++)
      return ROBOT_ERROR(u->r, u->joints[i], "link '%s' has two joints above it: a loop; a creature is a tree",
                         text_clip(xml_get(u->links[u->child[i]], "name")).word);
  }
  int roots = 0, last = -1;
  for (int i = 0; i < u->n_links; i++)
    if (!above[i])
      roots++, last = i;
  if (roots != 1)
    return ROBOT_ERROR(u->r, u->links[0], "%d links have no joint above them; a robot has one such link", roots);
  return last + 1;
}

/* Depth first, children in the order of the file. */
static int urdf_add(struct urdf *u, int link, int joint, int parent, int depth)
{
  struct robot *r = u->r;
  int body = r->n_bodies;
  struct robot_body *b = robot_add_body(r, u->links[link], parent);
  if (depth > XML_MAX_DEPTH)
    return ROBOT_ERROR(r, u->links[link], "links are nested too deeply: at most %d", XML_MAX_DEPTH);
  if (joint >= 0)
    urdf_origin(u, u->joints[joint], b->pos, b->quat);
  if (!urdf_link(u, u->links[link], b) || (joint >= 0 && !urdf_joint(u, u->joints[joint], body)))
    return 0;
  for (int i = 0; i < u->n_joints; i++)
    if (u->parent[i] == link && !urdf_add(u, u->child[i], i, body, depth + 1))
      return 0;
  return 1;
}

/* A link without a mass that only lets the robot float is the world: the link that it carries is the first one. */
static int urdf_pass_world(struct urdf *u, int link)
{
  int below = 0, joint = -1;
  for (int i = 0; i < u->n_joints; i++)
    if (u->parent[i] == link)
      below++, joint = i;
  const char *type = below == 1 ? xml_get(u->joints[joint], "type") : NULL;
  if (!type || strcmp(type, "floating") || xml_child(u->links[link], "inertial"))
    return link;
  u->n_worlds = 1;
  return u->child[joint];
}

int robot_read_urdf(struct robot *r, struct xml_node *root)
{
  struct urdf u = {.r = r};
  r->format = "URDF";
  r->name = xml_get(root, "name");
  robot_make_room(r, root);
  int first = urdf_list(&u, root) ? urdf_connect(&u) : 0;
  first = first ? urdf_pass_world(&u, first - 1) + 1 : 0;
  if (!first || !urdf_add(&u, first - 1, -1, -1, 0))
    return 0;
  if (r->n_bodies + u.n_worlds < u.n_links)
    return ROBOT_ERROR(r, root, "%d links hang in a loop, on nothing; a creature is a tree",
                       u.n_links - r->n_bodies - u.n_worlds);
  return 1;
}

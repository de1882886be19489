/* MJCF, the format of MuJoCo: a tolerant reader. What a creature has a place for is read as MuJoCo compiles it; what
 * changes how the body moves and has none (loops, slides, tendons) is refused by its name; the rest is passed over.
 * Here: the order of reading, included files, classes of defaults, settings of the compiler. */
#include "robots/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/text.h"
#include "base/vec3.h"

#define MAX_INCLUDES 50

/* ---- included files ---- */

struct includes {
  struct robot *r;
  const char *file;             /* that all names are relative to */
  const char *paths[MAX_INCLUDES];
  int n, n_nodes;
};

static struct xml_node *include_read(struct includes *x, const struct xml_node *n)
{
  const char *file = xml_get(n, "file");
  if (!file || !*file)
    return ROBOT_ERROR(x->r, n, "include needs a file: <include file=\"NAME.xml\"/>"), NULL;
  const char *path = text_beside(x->r->arena, x->file, file);
  for (int i = 0; i < x->n; i++)
    if (!strcmp(x->paths[i], path))
      return ROBOT_ERROR(x->r, n, "'%s' is included twice, or by itself", text_clip(file).word), NULL;
  if (x->n == MAX_INCLUDES)
    return ROBOT_ERROR(x->r, n, "too many included files: at most %d", MAX_INCLUDES), NULL;
  x->paths[x->n++] = path;
  return xml_read_file(x->r->arena, path, x->r->d);
}

/* In place of each include of n what stands in the file. */
static int include_expand(struct includes *x, struct xml_node *n)
{
  struct xml_node **at = &n->children, *last = NULL;
  while (*at) {
    struct xml_node *c = *at;
    if (++x->n_nodes > XML_MAX_NODES)
      return ROBOT_ERROR(x->r, c, "too many elements: at most %d, included ones counted", XML_MAX_NODES);
    if (strcmp(c->name, "include")) {
      if (!include_expand(x, c))
        return 0;
      last = c;
      at = &c->next;
      continue;
    }
    struct xml_node *file = include_read(x, c);
    if (!file)
      return 0;
    for (struct xml_node *k = file->children; k; k = k->next)
      k->parent = n;
    if (file->last)
      file->last->next = c->next; /* then it goes on with what was read, which may include, too */
    *at = file->children ? file->children : c->next;
  }
  n->last = last;
  return 1;
}

int mjcf_expand(struct robot *r, struct xml_node *root)
{
  struct includes x = {.r = r, .file = root->file, .paths = {root->file}, .n = 1};
  return include_expand(&x, root);
}

/* ---- classes ---- */

static int class_add(struct mjcf *m, const struct xml_node *n, int parent)
{
  const char *name = xml_get(n, "class");
  int i = m->n_classes++;
  if (i == MJCF_MAX_CLASSES)
    return ROBOT_ERROR(m->r, n, "too many classes of defaults: at most %d", MJCF_MAX_CLASSES);
  if (!name && parent >= 0)
    return ROBOT_ERROR(m->r, n, "a default within another needs a class: <default class=\"NAME\">");
  m->classes[i] = (struct mjcf_class){name ? name : "main", n, parent};
  for (const struct xml_node *c = xml_child(n, "default"); c; c = xml_next(c, "default"))
    if (!class_add(m, c, i))
      return 0;
  return 1;
}

int mjcf_read_classes(struct mjcf *m)
{
  m->classes = ARENA_NEW(m->r->arena, MJCF_MAX_CLASSES + 1, struct mjcf_class);
  for (const struct xml_node *n = xml_child(m->root, "default"); n; n = xml_next(n, "default"))
    if (!class_add(m, n, -1))
      return 0;
  return 1;
}

static int class_find(const struct mjcf *m, const char *name)
{
  for (int i = 0; i < m->n_classes; i++)
    if (!strcmp(m->classes[i].name, name))
      return i;
  return -1;
}

/* Its own, or that which bodies and frames around it say for what is in them. */
static const char *class_of(const struct xml_node *n)
{
  const char *name = xml_get(n, "class");
  for (const struct xml_node *up = n->parent; !name && up; up = up->parent)
    name = xml_get(up, "childclass");
  return name ? name : "main";
}

static int is_actuator(const struct xml_node *n)
{
  static const char *const names[] = {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder",
                                      "muscle", "adhesion"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(n->name, names[i]))
      return 1;
  return 0;
}

/* What a class says about elements of this kind, of several the last. */
static const char *class_value(const struct mjcf_class *c, const struct xml_node *n, const char *key)
{
  const char *found = NULL;
  for (const struct xml_node *k = c->node->children; k; k = k->next)
    if (!strcmp(k->name, n->name) || (is_actuator(k) && is_actuator(n))) {
      const char *value = xml_get(k, key);
      found = value ? value : found;
    }
  return found;
}

const char *mjcf_get(const struct mjcf *m, const struct xml_node *n, const char *key)
{
  const char *value = xml_get(n, key);
  for (int i = class_find(m, class_of(n)); i >= 0 && !value; i = m->classes[i].parent)
    value = class_value(&m->classes[i], n, key);
  if (!value && m->n_classes && class_find(m, class_of(n)) < 0) /* of none that there is: the outermost */
    value = class_value(&m->classes[0], n, key);
  return value;
}

int mjcf_numbers(struct mjcf *m, const struct xml_node *n, const char *key, int least, int most, double *out)
{
  const char *text = mjcf_get(m, n, key);
  return text ? robot_numbers(m->r, n, key, text, least, most, out) : 0;
}

int mjcf_word(struct mjcf *m, const struct xml_node *n, const char *key, const char *const *words, int otherwise)
{
  const char *text = mjcf_get(m, n, key);
  for (int i = 0; text && words[i]; i++)
    if (!strcmp(text, words[i]))
      return i;
  if (text)
    ROBOT_ERROR(m->r, n, "%s of %s: '%s' is not known%s", key, robot_describe(m->r, n), text_clip(text).word,
                text_suggest(text, words).words);
  return otherwise;
}

/* ---- the compiler ---- */

static void compiler_read(struct mjcf *m, const struct xml_node *n)
{
  static const char *const truth[] = {"false", "true", "auto", NULL}, *const angles[] = {"degree", "radian", NULL};
  static const char *const coordinates[] = {"local", "global", NULL};
  const char *seq = xml_get(n, "eulerseq");
  m->angle = mjcf_word(m, n, "angle", angles, m->angle == 1.0) ? 1.0 : TO_RADIANS;
  m->autolimits = mjcf_word(m, n, "autolimits", truth, m->autolimits);
  m->balance = mjcf_word(m, n, "balanceinertia", truth, m->balance);
  int from = mjcf_word(m, n, "inertiafromgeom", truth, m->from_geoms < 0 ? 2 : m->from_geoms);
  m->from_geoms = from == 2 ? -1 : from;
  if (mjcf_word(m, n, "coordinate", coordinates, 0))
    ROBOT_ERROR(m->r, n, "coordinate=\"global\" is not read (nor by today's MuJoCo); save the model in local ones");
  mjcf_numbers(m, n, "inertiagrouprange", 2, 2, m->groups);
  mjcf_numbers(m, n, "boundmass", 1, 1, &m->bound_mass);
  mjcf_numbers(m, n, "boundinertia", 1, 1, &m->bound_inertia);
  mjcf_numbers(m, n, "settotalmass", 1, 1, &m->total_mass);
  const char *folder = xml_get(n, "meshdir") ? xml_get(n, "meshdir") : xml_get(n, "assetdir");
  m->mesh_folder = folder ? folder : m->mesh_folder;
  if (seq && (strlen(seq) != 3 || strspn(seq, "xyzXYZ") != 3))
    ROBOT_ERROR(m->r, n, "eulerseq: expected three of x, y, z, X, Y, Z, found '%s'", text_clip(seq).word);
  else if (seq)
    memcpy(m->eulerseq, seq, 4);
}

int mjcf_read_compiler(struct mjcf *m)
{
  int errors = m->r->d->n_errors;
  for (const struct xml_node *n = xml_child(m->root, "compiler"); n; n = xml_next(n, "compiler"))
    compiler_read(m, n);
  return m->r->d->n_errors == errors;
}

/* ---- places ---- */

static void place_euler(const struct mjcf *m, const double angles[3], double quat[4])
{
  memcpy(quat, (double[4]){1}, 4 * sizeof *quat);
  for (int i = 0; i < 3; i++) {
    double axis[3] = {0}, turn[4], both[4];
    char c = m->eulerseq[i];
    int fixed = c < 'a'; /* capitals: about axes that stay */
    axis[(c | 32) - 'x'] = 1;
    quat_about(axis, angles[i] * m->angle, turn);
    if (fixed)
      quat_multiply(turn, quat, both);
    else
      quat_multiply(quat, turn, both);
    memcpy(quat, both, sizeof both);
  }
}

/* The least rotation that turns z into v. */
static void place_z(const double v[3], double quat[4])
{
  const double z[3] = {0, 0, 1};
  double axis[3], n = vec3_norm(v);
  vec3_cross(z, v, axis);
  double s = vec3_norm(axis), x[3] = {1, 0, 0};
  for (int i = 0; i < 3 && s > 1e-10 * n; i++)
    x[i] = axis[i] / s;
  quat_about(x, atan2(s, v[2]), quat);
}

static int place_xy(const double v[6], double quat[4])
{
  double R[9], x[3], y[3], z[3], n = vec3_norm(v);
  if (!(n > 1e-9))
    return 0;
  for (int i = 0; i < 3; i++)
    x[i] = v[i] / n;
  memcpy(y, v + 3, sizeof y);
  vec3_add_scaled(y, x, -vec3_dot(x, y));
  n = vec3_norm(y);
  if (!(n > 1e-9))
    return 0;
  for (int i = 0; i < 3; i++)
    y[i] /= n;
  vec3_cross(x, y, z);
  for (int i = 0; i < 3; i++)
    R[3 * i] = x[i], R[3 * i + 1] = y[i], R[3 * i + 2] = z[i];
  quat_of_matrix(R, quat);
  return 1;
}

void mjcf_place(struct mjcf *m, const struct xml_node *n, double pos[3], double quat[4])
{
  double v[6] = {0};
  int good = 1;
  mjcf_numbers(m, n, "pos", 3, 3, pos);
  if (mjcf_numbers(m, n, "quat", 4, 4, quat))
    good = quat_normalize(quat);
  else if (mjcf_numbers(m, n, "axisangle", 4, 4, v)) {
    double length = vec3_norm(v), axis[3] = {v[0] / length, v[1] / length, v[2] / length};
    good = length > 1e-9;
    if (good)
      quat_about(axis, v[3] * m->angle, quat);
  } else if (mjcf_numbers(m, n, "euler", 3, 3, v))
    place_euler(m, v, quat);
  else if (mjcf_numbers(m, n, "xyaxes", 6, 6, v))
    good = place_xy(v, quat);
  else if (mjcf_numbers(m, n, "zaxis", 3, 3, v)) {
    good = vec3_norm(v) > 1e-9;
    if (good)
      place_z(v, quat);
  }
  if (!good) {
    ROBOT_ERROR(m->r, n, "the rotation of %s has no length", robot_describe(m->r, n));
    memcpy(quat, (double[4]){1}, 4 * sizeof *quat);
  }
}

void mjcf_place_in(const double pos[3], const double quat[4], double inner_pos[3], double inner_quat[4])
{
  double R[9], p[3], q[4];
  quat_to_matrix(quat, R);
  mat3_mul_vec(R, inner_pos, p);
  for (int i = 0; i < 3; i++)
    inner_pos[i] = pos[i] + p[i];
  quat_multiply(quat, inner_quat, q);
  memcpy(inner_quat, q, sizeof q);
}

/* ---- the whole ---- */

/* What connects bodies otherwise than in a tree. */
static void mjcf_refuse(struct mjcf *m)
{
  for (const struct xml_node *s = xml_child(m->root, "equality"); s; s = xml_next(s, "equality"))
    for (const struct xml_node *n = s->children; n; n = n->next) {
      const char *active = mjcf_get(m, n, "active");
      if (!active || strcmp(active, "false"))
        ROBOT_ERROR(m->r, n, "equality: %s closes a loop or couples joints; a creature is a tree of free joints",
                    robot_describe(m->r, n));
    }
  for (const struct xml_node *s = xml_child(m->root, "tendon"); s; s = xml_next(s, "tendon"))
    for (const struct xml_node *n = s->children; n; n = n->next)
      ROBOT_ERROR(m->r, n, "tendon: %s is not read; a creature's tendons span joints (doc/creature-format.md, tendon)",
                  robot_describe(m->r, n));
}

int robot_read_mjcf(struct robot *r, struct xml_node *root)
{
  struct mjcf m = {.r = r, .root = root, .angle = TO_RADIANS, .eulerseq = "xyz", .autolimits = 1, .from_geoms = -1,
                   .groups = {-1e9, 1e9}};
  r->format = "MJCF";
  r->name = xml_get(root, "model");
  if (!mjcf_expand(r, root))
    return 0;
  for (const struct xml_node *n = root->children; n; n = n->next)
    if (!r->name || !*r->name)
      r->name = xml_get(n, "model");
  robot_make_room(r, root);
  if (!mjcf_read_classes(&m) || !mjcf_read_compiler(&m))
    return 0;
  mjcf_refuse(&m);
  if (!mjcf_read_bodies(&m) || r->d->n_errors)
    return 0;
  return mjcf_read_actuators(&m) && mjcf_read_keyframe(&m);
}

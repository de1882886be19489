/* Geoms of MJCF: what a body is like, and what it weighs where nothing else says so. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/text.h"
#include "base/vec3.h"
#include "robots/mjcf.h"

/* A capsule and its like between two points: z points from the second to the first. */
static int geom_between(struct mjcf *m, const struct xml_node *n, struct robot_solid *s, const double ends[6])
{
  double along[3] = {ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]}, axis[3], z[3] = {0, 0, 1};
  double length = vec3_norm(along), x[3] = {1, 0, 0};
  if (!(length > 1e-12))
    return ROBOT_ERROR(m->r, n, "fromto of %s: the ends are in one place", robot_describe(m->r, n));
  for (int i = 0; i < 3; i++)
    s->pos[i] = 0.5 * (ends[i] + ends[3 + i]);
  vec3_cross(z, along, axis);
  double across = vec3_norm(axis);
  for (int i = 0; i < 3 && across > 1e-10 * length; i++)
    x[i] = axis[i] / across;
  quat_about(x, atan2(across, along[2]), s->quat);
  s->size[s->kind >= ROBOT_BOX ? 2 : 1] = 0.5 * length;
  return 1;
}

/* Sizes; of what has a length, that of fromto. */
static int geom_size(struct mjcf *m, const struct xml_node *n, struct robot_solid *s)
{
  static const int need[] = {1, 2, 2, 3, 3};
  double ends[6];
  int between = s->kind == ROBOT_SPHERE ? 0 : mjcf_numbers(m, n, "fromto", 6, 6, ends);
  int wanted = need[s->kind] - (between > 0), given = mjcf_numbers(m, n, "size", 1, 3, s->size);
  if (between && s->kind >= ROBOT_BOX && given == 1)
    s->size[1] = s->size[0], given = 2;
  if (given < wanted)
    return ROBOT_ERROR(m->r, n, "size of %s: expected %d number%s, found %d", robot_describe(m->r, n), wanted,
                       wanted == 1 ? "" : "s", given);
  if (between && !geom_between(m, n, s, ends))
    return 0;
  for (int i = 0; i < need[s->kind]; i++)
    if (!(s->size[i] > 0))
      return ROBOT_ERROR(m->r, n, "size of %s: must be > 0, found %g", robot_describe(m->r, n), s->size[i]);
  return 1;
}

/* Has it a part in the body's mass? */
static int geom_weighs(struct mjcf *m, const struct xml_node *n, const struct robot_body *b, double *density,
                       double *mass)
{
  double group = 0, given[2] = {1000, NAN};
  mjcf_numbers(m, n, "group", 1, 1, &group);
  mjcf_numbers(m, n, "density", 1, 1, &given[0]);
  mjcf_numbers(m, n, "mass", 1, 1, &given[1]);
  *density = given[0];
  *mass = given[1];
  if (given[0] < 0 || given[1] < 0)
    return ROBOT_ERROR(m->r, n, "density and mass of %s must be at least 0", robot_describe(m->r, n));
  int wanted = m->from_geoms < 0 ? !b->has_mass : m->from_geoms;
  return wanted && group >= m->groups[0] && group <= m->groups[1] && given[1] != 0 && (given[0] != 0 || given[1] > 0);
}

static int geom_touches(struct mjcf *m, const struct xml_node *n)
{
  double collides[2] = {1, 1};
  mjcf_numbers(m, n, "contype", 1, 1, &collides[0]);
  mjcf_numbers(m, n, "conaffinity", 1, 1, &collides[1]);
  return collides[0] != 0 || collides[1] != 0;
}

/* ---- meshes ---- */

/* "assets/foot.stl" is called foot unless it has a name. */
static int mesh_is_called(const struct xml_node *n, const char *name)
{
  const char *own = xml_get(n, "name"), *file = xml_get(n, "file");
  if (own || !file)
    return own && !strcmp(own, name);
  const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
  size_t length = dot ? (size_t)(dot - start) : strlen(start);
  return strlen(name) == length && !strncmp(start, name, length);
}

static const struct xml_node *mesh_find(const struct mjcf *m, const char *name)
{
  for (const struct xml_node *s = xml_child(m->root, "asset"); s; s = xml_next(s, "asset"))
    for (const struct xml_node *n = xml_child(s, "mesh"); n; n = xml_next(n, "mesh"))
      if (mesh_is_called(n, name))
        return n;
  return NULL;
}

/* What the mesh of a geom is; else why it is not known, in words. */
static const char *mesh_load(struct mjcf *m, const struct xml_node *n, struct robot_mesh *out)
{
  double scale[3] = {1, 1, 1};
  const char *name = mjcf_get(m, n, "mesh");
  const struct xml_node *asset = name ? mesh_find(m, name) : NULL;
  const char *file = asset ? mjcf_get(m, asset, "file") : NULL;
  if (!file)
    return arena_printf(m->r->arena, "there is no file of a mesh '%s'", text_clip(name ? name : "").word);
  mjcf_numbers(m, asset, "scale", 3, 3, scale);
  const char *in = m->mesh_folder ? arena_printf(m->r->arena, "%s/%s", m->mesh_folder, file) : file;
  const char *fault = robot_read_mesh(m->r->arena, text_beside(m->r->arena, m->root->file, in), scale, out);
  if (!fault && (xml_get(asset, "refpos") || xml_get(asset, "refquat")))
    fault = "refpos and refquat are not read";
  return fault ? arena_printf(m->r->arena, "'%s': %s", text_clip(in).word, fault) : NULL;
}

/* A mesh has a mass if the body has no other (weighs: 1 by density, 2 itself), and is as large as the box around it. */
static int geom_read_mesh(struct mjcf *m, const struct xml_node *n, int body, const double pos[3],
                          const double quat[4], int weighs, double mass)
{
  struct robot_body *b = &m->r->bodies[body];
  struct robot_mesh mesh;
  int touches = geom_touches(m, n);
  const char *fault = weighs || touches ? mesh_load(m, n, &mesh) : NULL;
  if (weighs && !fault && !mesh.is_closed)
    fault = "its surface encloses next to nothing";
  if (weighs && fault)
    return ROBOT_ERROR(m->r, n, "%s is a mesh, body '%s' has no inertial, and the mesh is not known (%s): give the "
                       "body one, <inertial mass=... pos=... diaginertia=.../>, or the file",
                       robot_describe(m->r, n), text_clip(b->name).word, fault);
  if (fault || !(weighs || touches))
    return 1;
  double place[3] = {0}, turn[4] = {1}, R[9], at[3], inertia[6];
  mjcf_place(m, n, place, turn);
  mjcf_place_in(pos, quat, place, turn);
  quat_to_matrix(turn, R);
  mat3_mul_vec(R, mesh.com, at);
  vec3_add_scaled(at, place, 1);
  sym3_turn(R, mesh.inertia, inertia);
  if (weighs) {
    double share = weighs == 2 ? mass : mass * mesh.volume;
    for (int i = 0; i < 6; i++)
      inertia[i] *= share / mesh.volume;
    robot_add_mass(&b->mass, b->com, b->inertia, share, at, inertia);
  }
  struct robot_solid *s = &m->r->solids[m->r->n_solids];
  double middle[3];
  *s = (struct robot_solid){.node = n, .kind = ROBOT_BOX, .body = body, .touches = touches};
  memcpy(s->quat, turn, sizeof turn);
  for (int i = 0; i < 3; i++) {
    middle[i] = 0.5 * (mesh.least[i] + mesh.most[i]);
    s->size[i] = fmax(0.5 * (mesh.most[i] - mesh.least[i]), 1e-6);
  }
  mat3_mul_vec(R, middle, s->pos);
  vec3_add_scaled(s->pos, place, 1);
  m->r->n_solids++;
  return 1;
}

int mjcf_read_geom(struct mjcf *m, const struct xml_node *n, int body, const double pos[3], const double quat[4])
{
  static const char *const types[] = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "plane", "hfield", "mesh",
                                      "sdf", NULL};
  struct robot_body *b = &m->r->bodies[body];
  double density, mass, own[6];
  int type = mjcf_word(m, n, "type", types, 0), errors = m->r->d->n_errors;
  int weighs = geom_weighs(m, n, b, &density, &mass);
  if (mjcf_get(m, n, "mesh") || type >= 7)
    return geom_read_mesh(m, n, body, pos, quat, weighs ? (isnan(mass) ? 1 : 2) : 0, isnan(mass) ? density : mass) &&
           m->r->d->n_errors == errors;
  if (type >= 5)
    return 1; /* ground */
  struct robot_solid *s = &m->r->solids[m->r->n_solids];
  *s = (struct robot_solid){.node = n, .kind = (enum robot_solid_kind)type, .body = body, .quat = {1}};
  mjcf_place(m, n, s->pos, s->quat);
  if (!geom_size(m, n, s))
    return 0;
  mjcf_place_in(pos, quat, s->pos, s->quat);
  s->touches = geom_touches(m, n);
  if (weighs) {
    double share = isnan(mass) ? density * robot_solid_volume(s) : mass;
    robot_solid_inertia(s, share, own);
    robot_add_mass(&b->mass, b->com, b->inertia, share, s->pos, own);
  }
  m->r->n_solids++;
  return m->r->d->n_errors == errors;
}

/* A creature and its clips as a glTF scene: see exchange.h for nodes, axes and the way over the ground.
 *
 * Limbs are rigid, each with a mesh in its own node. A skin would be one mesh more, of the whole body, whose joints are
 * these nodes: its vertices come into the same data, its bind matrices take the limbs' places at zero angles back. */
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "exchange/exchange.h"
#include "exchange/gltf_data.h"
#include "exchange/mesh.h"
#include "exchange/travel.h"

enum side { MIDDLE, LEFT, RIGHT, SIDES };

struct place { double at[3], turn[4]; }; /* of a node in its parent: our axes; a quaternion w, x, y, z */

struct keys {                   /* accessors of one node in one animation, -1: it does not move so */
  int translation, rotation;
};

struct animation {
  const struct clip *clip;
  const char *name;
  int times;                    /* accessor                                            */
  struct keys *keys;            /*                                          (n_nodes)  */
};

struct look {                   /* of a limb                                           */
  int position, normal, corners; /* accessors                                          */
  int mesh, material;           /* indices in the file; mesh -1: it has no shape       */
};

struct scene {
  struct arena *arena;
  const struct exchange_motion *motion;
  const struct creature *c;
  struct dynamics *dynamics;
  struct gltf_data data;
  int n_nodes;                  /* the ground node is 0, limb i is i + 1               */
  struct place *rest;           /*                                          (n_nodes)  */
  struct look *looks;           /*                                          (n_limbs)  */
  int material[SIDES];          /* index in the file, -1: not used                     */
  int n_meshes, n_materials;
  struct animation *animations; /*                                          (n_clips)  */
};

/* ---- axes: our y, z, x are their X, Y, Z ---- */

static void to_their_axes(const double *ours, double *theirs)
{
  double x = ours[0], y = ours[1], z = ours[2];
  theirs[0] = y, theirs[1] = z, theirs[2] = x;
}

/* w, x, y, z to X, Y, Z, W */
static void to_their_turn(const double *ours, double *theirs)
{
  to_their_axes(ours + 1, theirs);
  theirs[3] = ours[0];
}

/* ---- poses ---- */

/* Of a node in its parent: out = outer^-1 inner, of rotations (row-major) and places in the world. */
static struct place within(const double *outer, const double *outer_at, const double *inner, const double *inner_at)
{
  struct place p;
  double back[9], R[9];
  double apart[3] = {inner_at[0] - outer_at[0], inner_at[1] - outer_at[1], inner_at[2] - outer_at[2]};
  for (int i = 0; i < 9; i++)
    back[i] = outer[i % 3 * 3 + i / 3];
  mat3_mul(back, inner, R);
  mat3_mul_vec(back, apart, p.at);
  quat_of_matrix(R, p.turn);
  return p;
}

/* All nodes in their parents, for a pose of the creature and a place of the ground node (n_nodes). */
static void find_places(struct scene *s, const double *q, struct clip_advance ground, struct place *out)
{
  const double yaw = ground.yaw, at[3] = {ground.x, ground.y, 0};
  const double heading[9] = {cos(yaw), -sin(yaw), 0, sin(yaw), cos(yaw), 0, 0, 0, 1};
  dynamics_kinematics(s->dynamics, q);
  out[0] = (struct place){{at[0], at[1], 0}, {cos(yaw / 2), 0, 0, sin(yaw / 2)}};
  for (int i = 0; i < s->c->n_limbs; i++) {
    const struct limb *l = &s->c->limbs[i];
    double R[9], origin[3], parent[9];
    dynamics_rotation(s->dynamics, l->body, R);
    if (l->parent < 0) {
      dynamics_point(s->dynamics, l->body, l->origin, origin);
      out[i + 1] = within(heading, at, R, origin);
    } else {
      dynamics_rotation(s->dynamics, s->c->limbs[l->parent].body, parent);
      out[i + 1] = within(parent, l->at, R, l->at);
      memcpy(out[i + 1].at, l->at, sizeof l->at); /* where its joint is, whatever the angles */
    }
  }
}

/* ---- animations ---- */

/* Keys of node i, of places (n_keys x n_nodes). The quaternion's sign is that of the key before. */
static struct keys add_keys(struct scene *s, int node, int n_keys, struct place *places, int moves, int turns)
{
  struct arena *scratch = arena_new();
  double *at = ARENA_NEW(scratch, 3 * (size_t)n_keys, double), *turn = ARENA_NEW(scratch, 4 * (size_t)n_keys, double);
  struct keys keys = {-1, -1};
  for (int k = 0; k < n_keys; k++) {
    struct place *p = &places[k * s->n_nodes + node];
    quat_keep_near(k ? places[(k - 1) * s->n_nodes + node].turn : s->rest[node].turn, p->turn);
    to_their_axes(p->at, at + 3 * k);
    to_their_turn(p->turn, turn + 4 * k);
  }
  if (moves)
    keys.translation = gltf_add_reals(&s->data, GLTF_KEYS, n_keys, 3, at, 0);
  if (turns)
    keys.rotation = gltf_add_reals(&s->data, GLTF_KEYS, n_keys, 4, turn, 0);
  arena_free(scratch);
  return keys;
}

/* A clip; a cycle with the frame after its last one. */
static struct animation add_animation(struct scene *s, const struct clip *clip)
{
  struct arena *scratch = arena_new();
  int n_keys = clip->n_frames + (clip->cyclic ? 1 : 0);
  size_t n = (size_t)n_keys;
  struct animation a = {.clip = clip, .keys = ARENA_NEW(s->arena, (size_t)s->n_nodes, struct keys)};
  struct clip_advance *way = ARENA_NEW(scratch, n, struct clip_advance);
  struct place *places = ARENA_NEW(scratch, n * (size_t)s->n_nodes, struct place);
  double *times = ARENA_NEW(scratch, n, double), *q = ARENA_NEW(scratch, (size_t)s->c->n_dofs, double);
  travel_of_clip(clip, n_keys, way);
  for (int k = 0; k < n_keys; k++) {
    times[k] = k * clip->dt;
    clip_frame(clip, k, q);
    find_places(s, q, way[k], places + k * s->n_nodes);
  }
  a.times = gltf_add_reals(&s->data, GLTF_KEYS, n_keys, 1, times, 1);
  a.keys[0] = add_keys(s, 0, n_keys, places, !s->motion->in_place, !s->motion->in_place);
  for (int i = 0; i < s->c->n_limbs; i++)
    a.keys[i + 1] = add_keys(s, i + 1, n_keys, places, i == 0, s->c->limbs[i].n_dofs > 0);
  arena_free(scratch);
  return a;
}

/* The clip's name; if one before it has the same, with its number among the clips. */
static const char *animation_name(struct scene *s, int i)
{
  const struct clip *const *clips = s->motion->clips;
  const char *name = clips[i]->name ? clips[i]->name : "motion";
  for (int k = 0; k < i; k++)
    if (clips[k]->name && !strcmp(clips[k]->name, name))
      return arena_printf(s->arena, "%s %d", name, i + 1);
  return name;
}

/* ---- meshes ---- */

/* By where it is at zero angles. */
static enum side side_of(const struct creature *c, int limb)
{
  double y = c->limbs[limb].shape.centre[1];
  if (c->limbs[limb].mirror == limb)
    return MIDDLE;
  for (int i = limb; i >= 0; i = c->limbs[i].parent)
    y += c->limbs[i].parent < 0 ? 0 : c->limbs[i].at[1];
  return y > 0 ? LEFT : RIGHT;
}

static void add_look(struct scene *s, int limb)
{
  struct arena *scratch = arena_new();
  struct mesh m = mesh_of_shape(scratch, &s->c->limbs[limb].shape);
  struct look *look = &s->looks[limb];
  enum side side = side_of(s->c, limb);
  look->mesh = -1;
  if (m.n_vertices) {
    for (int i = 0; i < m.n_vertices; i++) {
      to_their_axes(m.position + 3 * i, m.position + 3 * i);
      to_their_axes(m.normal + 3 * i, m.normal + 3 * i);
    }
    if (s->material[side] < 0)
      s->material[side] = s->n_materials++;
    *look = (struct look){gltf_add_reals(&s->data, GLTF_VERTICES, m.n_vertices, 3, m.position, 1),
                          gltf_add_reals(&s->data, GLTF_VERTICES, m.n_vertices, 3, m.normal, 0),
                          gltf_add_corners(&s->data, 3 * m.n_triangles, m.corners), s->n_meshes++,
                          s->material[side]};
  }
  arena_free(scratch);
}

/* ---- JSON ---- */

static void write_meshes(struct json *j, const struct scene *s)
{
  json_array(j, "meshes");
  for (int i = 0; i < s->c->n_limbs; i++) {
    const struct look *look = &s->looks[i];
    if (look->mesh < 0)
      continue;
    json_break(j);
    json_object(j, NULL);
    json_text(j, "name", s->c->limbs[i].name);
    json_array(j, "primitives");
    json_object(j, NULL);
    json_object(j, "attributes");
    json_integer(j, "POSITION", look->position);
    json_integer(j, "NORMAL", look->normal);
    json_end(j);
    json_integer(j, "indices", look->corners);
    json_integer(j, "material", look->material);
    json_end(j);
    json_end(j);
    json_end(j);
  }
  json_end(j);
}

/* Linear RGB, as the format counts: bone for the middle, blue for left, vermilion for right, as in our figures. */
static void write_materials(struct json *j, const struct scene *s)
{
  static const char *const names[SIDES] = {"middle", "left", "right"};
  static const double colours[SIDES][4] = {{0.60, 0.53, 0.42, 1}, {0.13, 0.33, 0.60, 1}, {0.68, 0.20, 0.08, 1}};
  json_array(j, "materials");
  for (int m = 0; m < s->n_materials; m++)
    for (int side = 0; side < SIDES; side++)
      if (s->material[side] == m) {
        json_break(j);
        json_object(j, NULL);
        json_text(j, "name", names[side]);
        json_object(j, "pbrMetallicRoughness");
        json_numbers(j, "baseColorFactor", 4, colours[side], 3);
        json_number(j, "metallicFactor", 0, 3);
        json_number(j, "roughnessFactor", 0.7, 3);
        json_end(j);
        json_end(j);
      }
  json_end(j);
}

static void write_children(struct json *j, const struct scene *s, int node)
{
  int n = 0;
  for (int i = 0; i < s->c->n_limbs; i++)
    if (s->c->limbs[i].parent + 1 == node && !n++)
      json_array(j, "children");
  for (int i = 0; i < s->c->n_limbs; i++)
    if (s->c->limbs[i].parent + 1 == node)
      json_integer(j, NULL, i + 1);
  if (n)
    json_end(j);
}

/* The ground node has the creature's name, unless a limb has it. */
static const char *node_name(const struct scene *s, int node)
{
  if (node)
    return s->c->limbs[node - 1].name;
  return creature_find_limb(s->c, s->c->name) < 0 ? s->c->name : arena_printf(s->arena, "%s_ground", s->c->name);
}

static void write_nodes(struct json *j, const struct scene *s)
{
  json_array(j, "nodes");
  for (int i = 0; i < s->n_nodes; i++) {
    double at[3], turn[4];
    to_their_axes(s->rest[i].at, at);
    to_their_turn(s->rest[i].turn, turn);
    json_break(j);
    json_object(j, NULL);
    json_text(j, "name", node_name(s, i));
    if (i) {
      json_numbers(j, "translation", 3, at, 9);
      json_numbers(j, "rotation", 4, turn, 9);
      if (s->looks[i - 1].mesh >= 0)
        json_integer(j, "mesh", s->looks[i - 1].mesh);
    }
    write_children(j, s, i);
    json_end(j);
  }
  json_end(j);
}

static void write_channel(struct json *j, int sampler, int node, const char *path)
{
  json_object(j, NULL);
  json_integer(j, "sampler", sampler);
  json_object(j, "target");
  json_integer(j, "node", node);
  json_text(j, "path", path);
  json_end(j);
  json_end(j);
}

static void write_sampler(struct json *j, int input, int output)
{
  json_object(j, NULL);
  json_integer(j, "input", input);
  json_integer(j, "output", output);
  json_end(j);
}

static void write_animation(struct json *j, const struct scene *s, const struct animation *a)
{
  int n = 0;
  json_break(j);
  json_object(j, NULL);
  json_text(j, "name", a->name);
  json_array(j, "channels");
  for (int i = 0; i < s->n_nodes; i++) {
    if (a->keys[i].translation >= 0)
      write_channel(j, n++, i, "translation");
    if (a->keys[i].rotation >= 0)
      write_channel(j, n++, i, "rotation");
  }
  json_end(j);
  json_array(j, "samplers"); /* linear: what the format has if nothing is said */
  for (int i = 0; i < s->n_nodes; i++) {
    if (a->keys[i].translation >= 0)
      write_sampler(j, a->times, a->keys[i].translation);
    if (a->keys[i].rotation >= 0)
      write_sampler(j, a->times, a->keys[i].rotation);
  }
  json_end(j);
  json_object(j, "extras");
  json_truth(j, "cyclic", a->clip->cyclic);
  json_text(j, "gait", a->clip->gait);
  json_number(j, "speed", a->clip->speed, 9);
  json_end(j);
  json_end(j);
}

static void write_scene(struct json *j, const void *what)
{
  const struct scene *s = what;
  json_object(j, "asset");
  json_text(j, "version", "2.0");
  json_text(j, "generator", "Muybridge");
  json_end(j);
  json_integer(j, "scene", 0);
  json_array(j, "scenes");
  json_object(j, NULL);
  json_text(j, "name", s->c->name);
  json_array(j, "nodes");
  json_integer(j, NULL, 0);
  json_end(j);
  json_end(j);
  json_end(j);
  write_nodes(j, s);
  if (s->n_meshes) {
    write_meshes(j, s);
    write_materials(j, s);
  }
  if (s->motion->n_clips) {
    json_array(j, "animations");
    for (int i = 0; i < s->motion->n_clips; i++)
      write_animation(j, s, &s->animations[i]);
    json_end(j);
  }
}

/* ---- all of it ---- */

static struct scene *make_scene(struct arena *arena, const struct exchange_motion *m)
{
  struct scene *s = ARENA_NEW(arena, 1, struct scene);
  size_t n = (size_t)m->creature->n_limbs + 1;
  *s = (struct scene){.arena = arena,
                      .motion = m,
                      .c = m->creature,
                      .dynamics = dynamics_new(arena, m->creature),
                      .data = gltf_data_new(arena),
                      .n_nodes = (int)n,
                      .rest = ARENA_NEW(arena, n, struct place),
                      .looks = ARENA_NEW(arena, n, struct look),
                      .material = {-1, -1, -1},
                      .animations = ARENA_NEW(arena, (size_t)m->n_clips + 1, struct animation)};
  double *q = ARENA_NEW(arena, (size_t)s->c->n_dofs, double);
  creature_rest_pose(s->c, q);
  find_places(s, q, (struct clip_advance){0, 0, 0}, s->rest);
  for (int i = 0; i < s->c->n_limbs; i++)
    add_look(s, i);
  for (int i = 0; i < m->n_clips; i++) {
    s->animations[i] = add_animation(s, m->clips[i]);
    s->animations[i].name = animation_name(s, i);
  }
  return s;
}

int exchange_write_clips_gltf(const struct exchange_motion *m, FILE *out)
{
  struct arena *arena = arena_new();
  const struct scene *s = make_scene(arena, m);
  int failed = gltf_write_text(&s->data, write_scene, s, out);
  arena_free(arena);
  return failed;
}

int exchange_write_clips_glb(const struct exchange_motion *m, FILE *out)
{
  struct arena *arena = arena_new();
  const struct scene *s = make_scene(arena, m);
  int failed = gltf_write_bytes(&s->data, write_scene, s, out);
  arena_free(arena);
  return failed;
}

int exchange_write_gltf(const struct creature *c, const struct clip *clip, FILE *out)
{
  return exchange_write_clips_gltf(&(struct exchange_motion){c, 1, &clip, 0}, out);
}

int exchange_write_glb(const struct creature *c, const struct clip *clip, FILE *out)
{
  return exchange_write_clips_glb(&(struct exchange_motion){c, 1, &clip, 0}, out);
}

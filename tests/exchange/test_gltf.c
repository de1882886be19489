/* glTF: what was written is read back by code that shares nothing with the writer. Every limb must be where dynamics
 * has it, at every key; meshes must be closed surfaces of the shapes; text and bytes must be the same scene. */
#include <float.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "exchange/exchange.h"
#include "exchange/smooth_clip.h"
#include "motion/resample.h"
#include "zoo.h"

#define MAX_NODES 200

/* ---- JSON, just enough: a value is where its text begins; NULL: there is none ---- */

static const char *blanks(const char *s)
{
  while (*s == ' ' || *s == '\n' || *s == ',' || *s == ':')
    s++;
  return s;
}

static const char *skip_string(const char *s)
{
  for (s++; *s && *s != '"'; s++)
    s += *s == '\\';
  return *s ? s + 1 : s;
}

static const char *skip_value(const char *s)
{
  int depth = 0;
  s = blanks(s);
  do {
    s = blanks(s);
    if (*s == '"') {
      s = skip_string(s);
    } else if (*s == '{' || *s == '[') {
      depth++, s++;
    } else if (*s == '}' || *s == ']') {
      depth--, s++;
    } else {
      while (*s && !strchr(" \n,:{}[]", *s))
        s++;
    }
  } while (*s && depth > 0);
  return s;
}

/* The value of a key of an object. */
static const char *get(const char *object, const char *key)
{
  const char *s = object ? blanks(object) : "";
  if (*s++ != '{')
    return NULL;
  for (s = blanks(s); *s == '"'; s = blanks(skip_value(s))) {
    const char *name = s + 1;
    s = blanks(skip_string(s));
    if (!strncmp(name, key, strlen(key)) && name[strlen(key)] == '"')
      return s;
  }
  return NULL;
}

static const char *item(const char *array, int i)
{
  const char *s = array ? blanks(array) : "";
  if (*s++ != '[')
    return NULL;
  for (s = blanks(s); *s && *s != ']'; s = blanks(skip_value(s)))
    if (i-- == 0)
      return s;
  return NULL;
}

static int count(const char *array)
{
  int n = 0;
  while (item(array, n))
    n++;
  return n;
}

static double number(const char *value, double otherwise) { return value ? strtod(value, NULL) : otherwise; }
static int integer(const char *value, int otherwise) { return (int)number(value, otherwise); }

static int is_text(const char *value, const char *text)
{
  return value && *value == '"' && !strncmp(value + 1, text, strlen(text)) && value[strlen(text) + 1] == '"';
}

/* ---- the two files ---- */

struct file {
  char *all;                    /* as written                                    */
  size_t n;
  const char *json;
  unsigned char *buffer;
  size_t n_buffer;
};

static uint32_t word(const char *at)
{
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static struct file write_file(const char *format, const struct exchange_motion *m)
{
  struct file f = {0};
  struct exchange_several several = {exchange_find_format(format), *m};
  FILE *out = open_memstream(&f.all, &f.n);
  CHECK(out && exchange_write_several(&several, out) == 0);
  if (out)
    fclose(out);
  return f;
}

static struct file read_glb(const struct exchange_motion *m)
{
  struct file f = write_file("glb", m);
  CHECK(f.n > 28 && word(f.all) == 0x46546c67 && word(f.all + 4) == 2 && word(f.all + 8) == f.n);
  size_t length = word(f.all + 12);
  CHECK(length % 4 == 0 && word(f.all + 16) == 0x4e4f534a && f.all[20] == '{');
  const char *bin = f.all + 20 + length;
  CHECK(word(bin + 4) == 0x004e4942 && word(bin) % 4 == 0 && bin + 8 + word(bin) == f.all + f.n);
  f.n_buffer = word(bin);
  f.buffer = malloc(f.n_buffer + 1);
  memcpy(f.buffer, bin + 8, f.n_buffer);
  f.all[20 + length] = 0;
  f.json = f.all + 20;
  return f;
}

static int letter(char c)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(letters, c) : NULL;
  return at ? (int)(at - letters) : -1;
}

static struct file read_gltf(const struct exchange_motion *m)
{
  struct file f = write_file("gltf", m);
  const char *head = "data:application/octet-stream;base64,";
  f.json = f.all;
  const char *uri = get(item(get(f.json, "buffers"), 0), "uri");
  CHECK(uri && !strncmp(uri + 1, head, strlen(head)));
  const char *s = uri ? uri + 1 + strlen(head) : "";
  f.buffer = calloc(f.n + 1, 1);
  for (; letter(s[0]) >= 0; s += 4) {
    uint32_t bits = 0;
    for (int i = 0; i < 4; i++)
      bits = bits << 6 | (uint32_t)(letter(s[i]) < 0 ? 0 : letter(s[i]));
    for (int i = 0; i < 3 && letter(s[i + 1]) >= 0; i++)
      f.buffer[f.n_buffer++] = (unsigned char)(bits >> (16 - 8 * i));
  }
  return f;
}

static void close_file(struct file *f)
{
  free(f->all);
  free(f->buffer);
}

/* ---- accessors ---- */

struct numbers {
  int n, width;
  double x[4 * 4096];
};

static void read_accessor(const struct file *f, int index, struct numbers *out)
{
  const char *a = item(get(f->json, "accessors"), index), *type = get(a, "type");
  const char *view = item(get(f->json, "bufferViews"), integer(get(a, "bufferView"), -1));
  int is_float = integer(get(a, "componentType"), 0) == 5126, size = is_float ? 4 : 2;
  CHECK(a && view && (is_float || integer(get(a, "componentType"), 0) == 5123));
  out->n = integer(get(a, "count"), 0);
  out->width = is_text(type, "SCALAR") ? 1 : is_text(type, "VEC3") ? 3 : is_text(type, "VEC4") ? 4 : 0;
  size_t at = (size_t)integer(get(view, "byteOffset"), 0) + (size_t)integer(get(a, "byteOffset"), 0);
  size_t end = (size_t)integer(get(a, "byteOffset"), 0) + (size_t)(out->n * out->width * size);
  CHECK(out->n > 0 && out->width > 0 && end <= (size_t)integer(get(view, "byteLength"), 0));
  CHECK(at % (size_t)size == 0 && at + (size_t)(out->n * out->width * size) <= f->n_buffer);
  CHECK(out->n * out->width <= (int)(sizeof out->x / sizeof *out->x));
  for (int i = 0; i < out->n * out->width; i++) {
    const char *here = (const char *)f->buffer + at + (size_t)(i * size);
    uint32_t bits = is_float ? word(here) : (uint32_t)(unsigned char)here[0] | (uint32_t)(unsigned char)here[1] << 8;
    float x;
    memcpy(&x, &bits, sizeof x);
    out->x[i] = is_float ? x : bits;
  }
  for (int k = 0; k < out->width && get(a, "min"); k++) { /* as the numbers are, to the bit */
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < out->n; i++) {
      least = fmin(least, out->x[i * out->width + k]);
      most = fmax(most, out->x[i * out->width + k]);
    }
    CHECK(number(item(get(a, "min"), k), NAN) == least && number(item(get(a, "max"), k), NAN) == most);
  }
}

/* ---- nodes ---- */

struct node { int parent; double at[3], turn[4]; }; /* X, Y, Z; X, Y, Z, W */

/* Rotation of a quaternion, as its definition has it: v + 2 w (u x v) + 2 u x (u x v). */
static void turn_vector(const double *q, const double *v, double *out)
{
  double a[3], b[3];
  vec3_cross(q, v, a);
  vec3_cross(q, a, b);
  for (int k = 0; k < 3; k++)
    out[k] = v[k] + 2 * q[3] * a[k] + 2 * b[k];
}

/* A point of a node, in the world. */
static void to_world(const struct node *nodes, int i, const double *local, double *out)
{
  double x[3] = {local[0], local[1], local[2]}, turned[3];
  for (; i >= 0; i = nodes[i].parent) {
    turn_vector(nodes[i].turn, x, turned);
    for (int k = 0; k < 3; k++)
      x[k] = turned[k] + nodes[i].at[k];
  }
  memcpy(out, x, sizeof x);
}

static int read_nodes(const struct file *f, struct node *nodes)
{
  const char *list = get(f->json, "nodes");
  int n = count(list);
  for (int i = 0; i < n && i < MAX_NODES; i++)
    nodes[i] = (struct node){-1, {0, 0, 0}, {0, 0, 0, 1}};
  for (int i = 0; i < n && i < MAX_NODES; i++) {
    const char *node = item(list, i);
    for (int k = 0; k < 3 && get(node, "translation"); k++)
      nodes[i].at[k] = number(item(get(node, "translation"), k), NAN);
    for (int k = 0; k < 4 && get(node, "rotation"); k++)
      nodes[i].turn[k] = number(item(get(node, "rotation"), k), NAN);
    for (int k = 0, child; (child = integer(item(get(node, "children"), k), -1)) >= 0; k++)
      nodes[child].parent = i;
  }
  return n;
}

/* Are all limbs where dynamics has them, after a motion over the ground was taken off? Three points make a frame. */
static void check_limbs(const struct creature *c, struct dynamics *d, const double *q, const struct node *nodes,
                        const double *shift)
{
  static const double points[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  double moved[200];
  memcpy(moved, q, (size_t)c->n_dofs * sizeof *q);
  clip_move_pose((struct clip_advance){shift[0], shift[1], shift[2]}, moved);
  dynamics_kinematics(d, moved);
  for (int i = 0; i < c->n_limbs; i++)
    for (int p = 0; p < 3; p++) {
      double local[3], ours[3], theirs[3];
      for (int k = 0; k < 3; k++)
        local[k] = c->limbs[i].origin[k] + points[p][k];
      dynamics_point(d, c->limbs[i].body, local, ours);
      to_world(nodes, i + 1, (double[3]){points[p][1], points[p][2], points[p][0]}, theirs);
      CHECK_NEAR(theirs[0], ours[1], 1e-6);
      CHECK_NEAR(theirs[1], ours[2], 1e-6);
      CHECK_NEAR(theirs[2], ours[0], 1e-6);
    }
}

static void check_tree(const struct creature *c, const struct file *f, const struct node *nodes, int n)
{
  const char *list = get(f->json, "nodes");
  CHECK_INT(n, c->n_limbs + 1);
  CHECK(is_text(get(item(list, 0), "name"), c->name) && nodes[0].parent == -1);
  for (int i = 0; i < c->n_limbs; i++) {
    CHECK(is_text(get(item(list, i + 1), "name"), c->limbs[i].name));
    CHECK_INT(nodes[i + 1].parent, c->limbs[i].parent + 1);
  }
}

/* ---- animations ---- */

/* Sets all nodes to key k of an animation; also checks the sign of quaternions against the key before. */
static void set_key(const struct file *f, const char *animation, int k, struct node *nodes)
{
  static struct numbers x;
  for (int i = 0; item(get(animation, "channels"), i); i++) {
    const char *channel = item(get(animation, "channels"), i), *target = get(channel, "target");
    const char *sampler = item(get(animation, "samplers"), integer(get(channel, "sampler"), -1));
    struct node *node = &nodes[integer(get(target, "node"), 0)];
    int turns = is_text(get(target, "path"), "rotation"), width = turns ? 4 : 3;
    CHECK(turns || is_text(get(target, "path"), "translation"));
    read_accessor(f, integer(get(sampler, "output"), -1), &x);
    CHECK(x.width == width && k < x.n);
    memcpy(turns ? node->turn : node->at, x.x + k * width, (size_t)width * sizeof *x.x);
    double same = 0, length = 0;
    for (int m = 0; turns && m < 4; m++) {
      same += k ? x.x[4 * k + m] * x.x[4 * k - 4 + m] : 1;
      length += x.x[4 * k + m] * x.x[4 * k + m];
    }
    CHECK(!turns || (same >= 0 && fabs(length - 1) < 1e-6));
  }
}

static void check_times(const struct file *f, const char *animation, const struct clip *clip)
{
  static struct numbers t;
  int input = integer(get(item(get(animation, "samplers"), 0), "input"), -1);
  for (int i = 0; item(get(animation, "samplers"), i); i++)
    CHECK_INT(integer(get(item(get(animation, "samplers"), i), "input"), -1), input);
  read_accessor(f, input, &t);
  CHECK_INT(t.n, clip->n_frames + clip->cyclic);
  for (int i = 0; i < t.n; i++) {
    CHECK_NEAR(t.x[i], i * clip->dt, 1e-6);
    CHECK(i == 0 || t.x[i] > t.x[i - 1]);
  }
}

/* All keys, or every so many. */
static void check_animation(const struct file *f, const struct creature *c, struct dynamics *d, const struct clip *clip,
                            int index, int every)
{
  static struct node nodes[MAX_NODES];
  double q[200];
  const char *animation = item(get(f->json, "animations"), index);
  read_nodes(f, nodes);
  check_times(f, animation, clip);
  for (int k = 0; k < clip->n_frames + clip->cyclic; k += every) {
    set_key(f, animation, k, nodes);
    clip_frame(clip, k, q);
    check_limbs(c, d, q, nodes, (double[3]){0, 0, 0});
  }
}

/* ---- meshes ---- */

/* How far a point is from the surface, about: 0 on it. */
static double off_surface(const struct shape *s, const double *x)
{
  double r[3], along[3] = {0, 0, 0};
  for (int k = 0; k < 3; k++)
    r[k] = x[k] - s->centre[k];
  for (int k = 0; k < 3; k++)
    for (int m = 0; m < 3; m++)
      along[k] += s->frame[3 * m + k] * r[m];
  if (s->kind == SHAPE_BOX)
    return fmax(fmax(fabs(along[0]) - s->size[0] / 2, fabs(along[1]) - s->size[1] / 2),
                fabs(along[2]) - s->size[2] / 2);
  if (s->kind == SHAPE_CAPSULE) {
    double half = fmax(0, s->size[2] / 2 - s->size[0] / 2);
    along[2] -= fmax(-half, fmin(half, along[2]));
    return vec3_norm(along) - s->size[0] / 2;
  }
  for (int k = 0; k < 3; k++)
    along[k] /= s->size[k] / 2;
  return (vec3_norm(along) - 1) * fmin(s->size[0], fmin(s->size[1], s->size[2])) / 2;
}

/* Vertices on the shape, triangles seen from outside, normals along theirs, and nearly the shape's volume. */
static void check_mesh(const struct file *f, const struct limb *l, const char *mesh)
{
  static struct numbers at, normal, corners;
  const char *part = item(get(mesh, "primitives"), 0);
  double volume = 0;
  CHECK(is_text(get(mesh, "name"), l->name));
  read_accessor(f, integer(get(get(part, "attributes"), "POSITION"), -1), &at);
  read_accessor(f, integer(get(get(part, "attributes"), "NORMAL"), -1), &normal);
  read_accessor(f, integer(get(part, "indices"), -1), &corners);
  CHECK(at.n == normal.n && corners.n % 3 == 0 && at.n < 400);
  for (int i = 0; i < at.n; i++) {
    const double *x = at.x + 3 * i, *n = normal.x + 3 * i, ours[3] = {x[2], x[0], x[1]};
    double beyond[3] = {ours[0] + 1e-4 * n[2], ours[1] + 1e-4 * n[0], ours[2] + 1e-4 * n[1]};
    CHECK_NEAR(off_surface(&l->shape, ours), 0, 1e-6);
    CHECK_NEAR(vec3_norm(n), 1, 1e-6);
    CHECK(off_surface(&l->shape, beyond) > 2e-5);
  }
  for (int i = 0; i < corners.n; i += 3) {
    const double *a = at.x + 3 * (int)corners.x[i], *b = at.x + 3 * (int)corners.x[i + 1];
    const double *c = at.x + 3 * (int)corners.x[i + 2];
    double u[3], v[3], out[3], n[3] = {0, 0, 0};
    CHECK(corners.x[i] < at.n && corners.x[i + 1] < at.n && corners.x[i + 2] < at.n);
    for (int k = 0; k < 3; k++) {
      u[k] = b[k] - a[k], v[k] = c[k] - a[k];
      for (int m = 0; m < 3; m++)
        n[k] += normal.x[3 * (int)corners.x[i + m] + k];
    }
    vec3_cross(u, v, out);
    CHECK(vec3_dot(out, n) > 0);
    volume += vec3_dot(a, out) / 6; /* of the tetrahedron with the origin: right only if the surface is closed */
  }
  CHECK(volume < 1.0001 * l->volume && volume > 0.9 * l->volume);
}

static void check_meshes(const struct file *f, const struct creature *c)
{
  for (int i = 0; i < c->n_limbs; i++) {
    const char *node = item(get(f->json, "nodes"), i + 1);
    const char *mesh = item(get(f->json, "meshes"), integer(get(node, "mesh"), -1));
    CHECK((mesh != NULL) == (c->limbs[i].shape.kind != SHAPE_NONE));
    if (!mesh)
      continue;
    check_mesh(f, &c->limbs[i], mesh);
    int material = integer(get(item(get(mesh, "primitives"), 0), "material"), -1);
    const char *name = get(item(get(f->json, "materials"), material), "name"), *limb = c->limbs[i].name;
    CHECK(is_text(name, c->limbs[i].mirror == i ? "middle" : strncmp(limb, "left_", 5) ? "right" : "left"));
  }
}

/* ---- all of it ---- */

static void check_creature(struct arena *arena, const struct creature *c)
{
  static struct node nodes[MAX_NODES];
  struct dynamics *d = dynamics_new(arena, c);
  struct clip *cycle = smooth_clip(arena, c, 5, 1, 0.5), *wild = smooth_clip(arena, c, 5, 0, 4);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  cycle->advance.yaw = 0.7; /* round a bend */
  cycle->advance.y = 0.3;
  wild->name = cycle->name;
  const struct clip *clips[] = {cycle, wild};
  struct exchange_motion m = {c, 2, clips, 0};
  struct file bytes = read_glb(&m), text = read_gltf(&m);
  CHECK(bytes.n_buffer == text.n_buffer && !memcmp(bytes.buffer, text.buffer, bytes.n_buffer));
  check_tree(c, &bytes, nodes, read_nodes(&bytes, nodes));
  creature_rest_pose(c, rest);
  check_limbs(c, d, rest, nodes, (double[3]){0, 0, 0});
  check_meshes(&bytes, c);
  CHECK_INT(count(get(bytes.json, "animations")), 2);
  CHECK(is_text(get(item(get(bytes.json, "animations"), 0), "name"), "walk"));
  CHECK(is_text(get(item(get(bytes.json, "animations"), 1), "name"), "walk 2"));
  check_animation(&bytes, c, d, cycle, 0, 1);
  check_animation(&text, c, d, wild, 1, 7);
  close_file(&bytes);
  close_file(&text);
}

/* On the spot: the ground node rests, all else is as before; the frame after the last is the first again. */
static void test_in_place(void)
{
  static struct node nodes[MAX_NODES], first[MAX_NODES];
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct dynamics *d = dynamics_new(arena, c);
  struct clip *cycle = smooth_clip(arena, c, 5, 1, 0.5);
  cycle->advance = (struct clip_advance){4, 0.5, 0.7};
  const struct clip *clips[] = {cycle};
  struct exchange_motion m = {c, 1, clips, 1};
  struct file f = read_glb(&m);
  const char *animation = item(get(f.json, "animations"), 0);
  double q[200];
  read_nodes(&f, nodes);
  set_key(&f, animation, 0, nodes);
  memcpy(first, nodes, sizeof first);
  clip_frame(cycle, 0, q); /* where the arc begins is not where the root does: the difference is sway */
  double shift[3] = {nodes[1].at[2] - q[0], nodes[1].at[0] - q[1], 0};
  CHECK(hypot(shift[0], shift[1]) < 1.5);
  for (int k = 0; item(get(animation, "channels"), k); k++)
    CHECK(integer(get(get(item(get(animation, "channels"), k), "target"), "node"), 0) > 0);
  check_limbs(c, d, q, nodes, shift);
  set_key(&f, animation, cycle->n_frames, nodes);
  for (int i = 0; i <= c->n_limbs; i++)
    for (int k = 0; k < 4; k++) {
      CHECK_NEAR(nodes[i].at[k % 3], first[i].at[k % 3], 1e-6);
      CHECK_NEAR(fabs(nodes[i].turn[k]), fabs(first[i].turn[k]), 1e-6);
    }
  close_file(&f);
  arena_free(arena);
}

/* Of a motion that is no cycle: who walks 10 m straight ahead stays within a step of the ground node. */
static void test_travel(void)
{
  static struct node nodes[MAX_NODES];
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct clip *walk = clip_new(arena, c, 801, 0.0125);
  walk->name = NULL;
  for (int k = 0; k < walk->n_frames; k++) {
    double *q = walk->q + k * c->n_dofs, t = k * walk->dt;
    q[0] = t + 0.05 * sin(12 * t), q[1] = 0.03 * sin(6 * t), q[2] = 0.6, q[3] = 0.2 * sin(6 * t) + 6.2831853071795862;
  }
  const struct clip *clips[] = {walk};
  struct exchange_motion m = {c, 1, clips, 0};
  struct file f = read_gltf(&m);
  const char *animation = item(get(f.json, "animations"), 0);
  CHECK(is_text(get(animation, "name"), "motion"));
  read_nodes(&f, nodes);
  for (int k = 0; k < walk->n_frames; k += 100) {
    set_key(&f, animation, k, nodes);
    CHECK_NEAR(nodes[0].at[2], k * walk->dt, k && k < 800 ? 0.01 : 0.05); /* the ends are where it is */
    CHECK_NEAR(nodes[0].at[0], 0, 0.02);
    CHECK_NEAR(nodes[0].at[1], 0, 0);
    CHECK_NEAR(fabs(nodes[0].turn[3]), 1, 0.005);
    CHECK_NEAR(nodes[1].at[1], 0.6, 1e-6);
  }
  close_file(&f);
  arena_free(arena);
}

/* A limb of the creature's name, which JSON must escape otherwise; a body without shape, no clip, a full disk. */
static void check_names(struct arena *arena, const char *text, const char *ground)
{
  struct diag diag;
  diag_init(&diag);
  const struct creature *c = creature_parse(arena, "odd", text, strlen(text), &diag);
  char *messages = diag_text(&diag);
  CHECK_STR(messages, "");
  free(messages);
  char *all = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&all, &n);
  CHECK(c && exchange_write_gltf(c, clip_new(arena, c, 1, 0.1), out) == 0);
  fclose(out);
  CHECK(is_text(get(item(get(all, "nodes"), 0), "name"), ground) && count(get(all, "nodes")) == 2);
  CHECK(!get(all, "meshes") && !get(all, "materials") && count(get(all, "animations")) == 1);
  free(all);
  diag_clear(&diag);
}

static void test_odd(void)
{
  struct arena *arena = arena_new();
  check_names(arena, "name = leg\nlimb leg { to = {0.1, 0, -0.5} mass = 5 inertia = {1, 1, 1} }\n", "leg_ground");
  check_names(arena, "name = \"a\\\"b\"\nlimb leg { to = {0.1, 0, -0.5} mass = 5 inertia = {1, 1, 1} }\n", "a\\\"b");
  const struct creature *c = zoo_find(arena, "biped");
  struct exchange_motion none = {c, 0, NULL, 0};
  char *all = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&all, &n), *full = fopen("/dev/full", "w");
  CHECK(exchange_write_clips_gltf(&none, out) == 0);
  fclose(out);
  CHECK(!get(all, "animations") && is_text(get(get(all, "asset"), "version"), "2.0"));
  CHECK(count(get(all, "nodes")) == c->n_limbs + 1);
  if (full) {
    const struct clip *clip = smooth_clip(arena, c, 1, 1, 1);
    CHECK(exchange_write_gltf(c, clip, full) == 1);
    fclose(full);
    full = fopen("/dev/full", "w");
    CHECK(full && exchange_write_glb(c, clip, full) == 1);
    fclose(full);
  }
  free(all);
  arena_free(arena);
}

/* ---- other frame rates ---- */

static double wave(double t, int i) { return (i == 0 ? 4 * t : 0) + 0.3 * sin(6.283185307179586 * t + i); }

/* A cycle of sines at 40 frames a second becomes one at 25, 27 (nearest: closed) or any, and is the same sines. */
static void test_resample(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct clip *cycle = clip_new(arena, c, 40, 0.025);
  cycle->cyclic = 1;
  cycle->advance.x = 4;
  for (int k = 0; k < 40; k++) {
    for (int i = 0; i < c->n_dofs; i++)
      cycle->q[k * c->n_dofs + i] = wave(k * 0.025, i);
    for (int p = 0; p < c->n_points; p++)
      cycle->force[3 * (k * c->n_points + p) + 2] = k, cycle->contact[k * c->n_points + p] = k >= 20;
  }
  static const struct { double fps; enum resample_ends ends; int frames, cyclic; double dt; } cases[] = {
      {25, RESAMPLE_EXACT, 25, 0, 0.04},  {25, RESAMPLE_CLOSED, 25, 1, 0.04}, {27.4, RESAMPLE_EXACT, 28, 0, 1 / 27.4},
      {27.4, RESAMPLE_CLOSED, 27, 1, 1 / 27.0}, {1, RESAMPLE_CLOSED, 3, 1, 1 / 3.0},
      {90, RESAMPLE_EXACT, 90, 0, 1 / 90.0},
      {40, RESAMPLE_EXACT, 40, 0, 0.025}};
  for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
    const struct clip *r = clip_resample(arena, c, cycle, cases[n].fps, cases[n].ends);
    CHECK_INT(r->n_frames, cases[n].frames);
    CHECK_INT(r->cyclic, cases[n].cyclic);
    CHECK_NEAR(r->dt, cases[n].dt, 1e-12);
    for (int k = 0; k < r->n_frames; k++) {
      for (int i = 0; i < c->n_dofs; i++)
        CHECK_NEAR(r->q[k * c->n_dofs + i], wave(k * r->dt, i), cases[n].fps == 40 ? 1e-12 : 2e-4);
      double at = k * r->dt / 0.025, force = at < 39 ? at : 39 * (40 - at);
      CHECK_NEAR(r->force[3 * k * c->n_points + 2], force, 1e-6);
      CHECK_INT(r->contact[k * c->n_points], at >= 19.5 && at < 39.5);
    }
  }
  cycle->cyclic = 0; /* 39 steps: 0.975 s */
  CHECK_INT(clip_resample(arena, c, cycle, 20, RESAMPLE_CLOSED)->n_frames, 20);
  CHECK_INT(clip_resample(arena, c, cycle, 40, RESAMPLE_EXACT)->n_frames, 40);
  CHECK_INT(clip_resample(arena, c, cycle, 1, RESAMPLE_EXACT)->n_frames, 1);
  arena_free(arena);
}

int main(void)
{
  test_in_place();
  test_travel();
  test_odd();
  test_resample();
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c)
      check_creature(arena, c);
    arena_free(arena);
  }
  return test_finish();
}

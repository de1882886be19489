/* Meshes (STL, binary or text, and OBJ), as far as masses and shapes need them: volume, centre, moments, the box around
 * it. By the tetrahedra between a point and each triangle, with their signs: exact for a closed surface, convex or
 * not. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec3.h"
#include "robots/robot.h"

#define MESH_MAX_BYTES (64L << 20)

struct mesh_sum {
  struct robot_mesh *mesh;
  const double *scale;
  double from[3];               /* the point: the first corner          */
  double volume, first[3], second[6]; /* of 1, r, r r^T about it        */
  long n;                       /* triangles                            */
};

static void mesh_corner(struct mesh_sum *m, double at[3])
{
  struct robot_mesh *o = m->mesh;
  for (int i = 0; i < 3; i++) {
    at[i] *= m->scale[i];
    o->least[i] = fmin(o->least[i], at[i]);
    o->most[i] = fmax(o->most[i], at[i]);
  }
}

/* Corners scaled already. */
static void mesh_triangle(struct mesh_sum *m, const double corners[3][3])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double v[3][3], normal[3], s[3];
  if (m->n++ == 0)
    memcpy(m->from, corners[0], sizeof m->from);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++)
      v[k][i] = corners[k][i] - m->from[i];
  vec3_cross(v[1], v[2], normal);
  double det = vec3_dot(v[0], normal);
  m->volume += det / 6;
  for (int i = 0; i < 3; i++) {
    s[i] = v[0][i] + v[1][i] + v[2][i];
    m->first[i] += det / 24 * s[i];
  }
  for (int k = 0; k < 6; k++) {
    int i = row[k], j = column[k];
    m->second[k] += det / 120 * (s[i] * s[j] + v[0][i] * v[0][j] + v[1][i] * v[1][j] + v[2][i] * v[2][j]);
  }
}

/* ---- the files ---- */

static float stl_number(const unsigned char *at)
{
  uint32_t bits = (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int mesh_read_stl(struct mesh_sum *m, const char *bytes, size_t n)
{
  const unsigned char *u = (const unsigned char *)bytes;
  size_t count = n < 84 ? 0 : u[80] | (size_t)u[81] << 8 | (size_t)u[82] << 16 | (size_t)u[83] << 24;
  if (n < 84 || n != 84 + 50 * count)
    return 0;
  for (size_t i = 0; i < count; i++) {
    double v[3][3];
    for (int k = 0; k < 9; k++) {
      v[k / 3][k % 3] = stl_number(u + 84 + 50 * i + 12 + 4 * (size_t)k);
      if (!(fabs(v[k / 3][k % 3]) < 1e6))
        return 0;
    }
    for (int k = 0; k < 3; k++)
      mesh_corner(m, v[k]);
    mesh_triangle(m, (const double (*)[3])v);
  }
  return 1;
}

static const char *mesh_line_end(const char *s)
{
  const char *end = strchr(s, '\n');
  return end ? end : s + strlen(s);
}

/* Three numbers of a line. */
static int mesh_vector(const char *s, double v[3])
{
  for (int i = 0; i < 3; i++) {
    s += strspn(s, " \t");
    s = text_scan_number(s, &v[i]);
    if (!s || !(fabs(v[i]) < 1e6))
      return 0;
  }
  return 1;
}

static int mesh_read_stl_text(struct mesh_sum *m, const char *text)
{
  double v[3][3];
  int n = 0;
  for (const char *s = text; *s; s = mesh_line_end(s), s += *s == '\n') {
    const char *word = s + strspn(s, " \t");
    if (strncmp(word, "vertex ", 7))
      continue;
    if (!mesh_vector(word + 7, v[n % 3]))
      return 0;
    mesh_corner(m, v[n % 3]);
    if (++n % 3 == 0)
      mesh_triangle(m, (const double (*)[3])v);
  }
  return n % 3 == 0;
}

/* The corner that a word of a face names: from 1, or from the end if below 0; -1: none. */
static long obj_corner(const char *word, long n)
{
  double x = 0;
  if (!text_scan_number(word, &x) || !(fabs(x) <= (double)n) || x == 0)
    return -1;
  return x > 0 ? (long)x - 1 : n + (long)x;
}

static int mesh_read_obj(struct mesh_sum *m, struct arena *arena, const char *text)
{
  long n = 0, most = 1;
  for (const char *s = text; *s; s++)
    most += *s == '\n';
  double (*at)[3] = arena_alloc(arena, (size_t)most, sizeof *at);
  for (const char *s = text; *s; s = mesh_line_end(s), s += *s == '\n') {
    if (s[0] == 'v' && (s[1] == ' ' || s[1] == '\t')) {
      if (!mesh_vector(s + 1, at[n]))
        return 0;
      mesh_corner(m, at[n++]);
    } else if (s[0] == 'f' && (s[1] == ' ' || s[1] == '\t')) { /* a fan of triangles */
      const char *end = mesh_line_end(s), *word = s + 1;
      double v[3][3];
      for (int k = 0; (word += strspn(word, " \t\r")) < end; k++, word += strcspn(word, " \t\r\n")) {
        long corner = obj_corner(word, n);
        if (corner < 0)
          return 0;
        if (k > 2)
          memcpy(v[1], v[2], sizeof v[1]);
        memcpy(v[k > 2 ? 2 : k], at[corner], sizeof v[0]);
        if (k >= 2)
          mesh_triangle(m, (const double (*)[3])v);
      }
    }
  }
  return 1;
}

/* ---- the whole ---- */

static int mesh_ends(const char *path, const char *end)
{
  size_t n = strlen(path), m = strlen(end);
  for (size_t i = 0; n >= m && i < m; i++)
    if ((path[n - m + i] | 32) != end[i] && path[n - m + i] != end[i])
      return 0;
  return n >= m;
}

static void mesh_conclude(const struct mesh_sum *m)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  struct robot_mesh *o = m->mesh;
  double sign = m->volume < 0 ? -1 : 1, c[3], second[6];
  o->volume = sign * m->volume;
  for (int i = 0; i < 3; i++) {
    c[i] = sign * m->first[i] / o->volume;
    o->com[i] = m->from[i] + c[i];
  }
  for (int k = 0; k < 6; k++)
    second[k] = sign * m->second[k] - o->volume * c[row[k]] * c[column[k]];
  double trace = second[0] + second[1] + second[2];
  for (int k = 0; k < 6; k++)
    o->inertia[k] = (k < 3 ? trace : 0) - second[k];
}

const char *robot_parse_mesh(const char *path, const char *bytes, size_t n, const double scale[3],
                             struct robot_mesh *out)
{
  struct arena *work = arena_new();
  struct mesh_sum m = {.mesh = out, .scale = scale};
  *out = (struct robot_mesh){.least = {INFINITY, INFINITY, INFINITY}, .most = {-INFINITY, -INFINITY, -INFINITY}};
  int good = mesh_ends(path, ".stl") ? mesh_read_stl(&m, bytes, n) || (m.n == 0 && mesh_read_stl_text(&m, bytes))
                                     : mesh_ends(path, ".obj") && mesh_read_obj(&m, work, bytes);
  arena_free(work);
  if (!good)
    return "STL and OBJ are read, and this is no good one";
  if (m.n == 0)
    return "it has no triangles";
  mesh_conclude(&m);
  double box = (out->most[0] - out->least[0]) * (out->most[1] - out->least[1]) * (out->most[2] - out->least[2]);
  out->is_closed = out->volume > 1e-6 * box;
  return NULL;
}

const char *robot_read_mesh(struct arena *arena, const char *path, const double scale[3], struct robot_mesh *out)
{
  struct arena *work = arena_new();
  size_t n = 0;
  const char *bytes = file_read(work, path, &n), *fault = bytes ? NULL : arena_strdup(arena, strerror(errno));
  if (bytes)
    fault = n > MESH_MAX_BYTES ? "it has more than 64 MiB" : robot_parse_mesh(path, bytes, n, scale, out);
  arena_free(work);
  return fault;
}

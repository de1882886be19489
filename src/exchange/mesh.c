/* See mesh.h. Capsules and ellipsoids are spheres of rings that were stretched; boxes have four vertices a side, so
 * that their edges stay sharp. All are made in the solid's own frame and taken to the limb's at the end. */
#include "exchange/mesh.h"

#include <math.h>

#include "base/angle.h"
#include "base/vec3.h"

#define AROUND 16               /* vertices of a ring                                                */
#define RINGS  9                /* of a sphere, without its two poles; odd: the middle one is an equator */

static struct mesh new_mesh(struct arena *arena, int n_vertices, int n_triangles)
{
  return (struct mesh){n_vertices, n_triangles, ARENA_NEW(arena, 3 * (size_t)n_vertices, double),
                       ARENA_NEW(arena, 3 * (size_t)n_vertices, double),
                       ARENA_NEW(arena, 3 * (size_t)n_triangles, int)};
}

static void add_triangle(struct mesh *m, int a, int b, int c)
{
  int *corners = m->corners + 3 * m->n_triangles++;
  corners[0] = a, corners[1] = b, corners[2] = c;
}

/* A point of the unit sphere, stretched to an ellipsoid or pulled apart to a capsule by `half` up and down, and its
 * normal: that of (x/a)^2 + (y/b)^2 + (z/c)^2 = 1 is along (x/a^2, y/b^2, z/c^2). */
static void add_round_vertex(struct mesh *m, const double unit[3], const double radius[3], double half)
{
  double *at = m->position + 3 * m->n_vertices, *normal = m->normal + 3 * m->n_vertices;
  for (int k = 0; k < 3; k++) {
    at[k] = radius[k] * unit[k] + (k == 2 ? half : 0);
    normal[k] = unit[k] / radius[k];
  }
  double length = vec3_norm(normal);
  for (int k = 0; k < 3; k++)
    normal[k] /= length;
  m->n_vertices++;
}

static void add_ring(struct mesh *m, double polar, const double radius[3], double half)
{
  for (int i = 0; i < AROUND; i++) {
    double angle = 2 * PI * i / AROUND;
    add_round_vertex(m, (double[3]){sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)}, radius, half);
  }
}

/* A sphere of rings from the top (+z) down; a capsule (half > 0) has its equator twice, with the cylinder between. */
static struct mesh make_round(struct arena *arena, const double radius[3], double half)
{
  int is_long = half > 0, n_rings = RINGS + is_long;
  struct mesh m = new_mesh(arena, 2 + n_rings * AROUND, 2 * n_rings * AROUND);
  m.n_vertices = m.n_triangles = 0;
  add_round_vertex(&m, (double[3]){0, 0, 1}, radius, half);
  for (int r = 1; r <= RINGS; r++) {
    double polar = PI * r / (RINGS + 1);
    if (2 * r <= RINGS + 1)
      add_ring(&m, polar, radius, half);
    if (2 * r > RINGS + 1 || (2 * r == RINGS + 1 && is_long))
      add_ring(&m, polar, radius, -half);
  }
  add_round_vertex(&m, (double[3]){0, 0, -1}, radius, -half);
  for (int i = 0; i < AROUND; i++) {
    int next = (i + 1) % AROUND, last = 1 + (n_rings - 1) * AROUND;
    add_triangle(&m, 0, 1 + i, 1 + next);
    for (int r = 0; r + 1 < n_rings; r++) {
      int upper = 1 + r * AROUND, lower = upper + AROUND;
      add_triangle(&m, upper + i, lower + i, lower + next);
      add_triangle(&m, upper + i, lower + next, upper + next);
    }
    add_triangle(&m, last + i, m.n_vertices - 1, last + next);
  }
  return m;
}

static struct mesh make_box(struct arena *arena, const double half[3])
{
  struct mesh m = new_mesh(arena, 24, 12);
  m.n_vertices = m.n_triangles = 0;
  for (int side = 0; side < 6; side++) {
    int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, first = m.n_vertices;
    double sign = side % 2 ? -1 : 1;
    for (int corner = 0; corner < 4; corner++) { /* around: as u, v go, seen from the end of axis */
      double *at = m.position + 3 * m.n_vertices;
      at[axis] = sign * half[axis];
      at[u] = (corner == 0 || corner == 3 ? -1 : 1) * half[u];
      at[v] = (corner < 2 ? -1 : 1) * half[v];
      m.normal[3 * m.n_vertices++ + axis] = sign;
    }
    for (int k = 1; k <= 2; k++)
      add_triangle(&m, first, first + (sign > 0 ? k : k + 1), first + (sign > 0 ? k + 1 : k));
  }
  return m;
}

struct mesh mesh_of_shape(struct arena *arena, const struct shape *s)
{
  double half[3] = {s->size[0] / 2, s->size[1] / 2, s->size[2] / 2}, turned[3];
  struct mesh m = {0};
  if (s->kind == SHAPE_CAPSULE)
    m = make_round(arena, (double[3]){half[0], half[0], half[0]}, fmax(0, half[2] - half[0]));
  else if (s->kind == SHAPE_ELLIPSOID)
    m = make_round(arena, half, 0);
  else if (s->kind == SHAPE_BOX)
    m = make_box(arena, half);
  for (int i = 0; i < m.n_vertices; i++) {
    mat3_mul_vec(s->frame, m.position + 3 * i, turned);
    for (int k = 0; k < 3; k++)
      m.position[3 * i + k] = s->centre[k] + turned[k];
    mat3_mul_vec(s->frame, m.normal + 3 * i, turned);
    for (int k = 0; k < 3; k++)
      m.normal[3 * i + k] = turned[k];
  }
  return m;
}

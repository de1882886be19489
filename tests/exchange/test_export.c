/* Clips for other programs: what was written is read back by code that shares nothing with the writers, and must be
 * the same numbers (CSV) or put every joint in the same place (BVH). */
#include <float.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/vec3.h"
#include "check.h"
#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"
#include "exchange/exchange.h"
#include "exchange/smooth_clip.h"
#include "exchange/table.h"
#include "zoo.h"

/* What the zoo may lack: oblique axes, some only just so, a fixed limb with a joint on it, axes that point back. */
static const char odd[] =
    "limb trunk { from = {-0.3, 0, 0} to = {0.2, 0, 0.1} radius = 0.1 mass = 7 }\n"
    "limb lump  { parent = trunk at = {0.1, 0.2, 0.3} to = {0.1, 0, 0} radius = 0.1 mass = 1 }\n"
    "limb knob  { parent = lump at = {0, 0.1, 0.1} to = {0, 0, 0.1} radius = 0.1 mass = 0.5 }\n"
    "limb arm   { parent = knob to = {0.3, 0.2, 0.1} radius = 0.05 mass = 2\n"
    "  axis one { about = {1, 1, 0} } axis two { about = {0, -1, 2} } axis three { about = -z } }\n"
    "limb hand  { parent = arm to = {0.1, 0, 0} radius = 0.05 mass = 1\n"
    "  axis in { about = z } axis swing { about = {-1, 1e-9, 0} } }\n"
    "limb ball  { parent = hand to = {0.1, 0, 0} radius = 0.05 mass = 1\n"
    "  axis a { about = -x } axis b { about = y } axis c { about = -z } }\n"
    "limb wheel { parent = ball to = {0, 0, 0.1} radius = 0.02 mass = 1 axis spin { about = {0, 1, 1} } }\n"
    "limb lid   { parent = knob to = {0, 0, 0.1} radius = 0.02 mass = 1\n"
    "  axis a { about = x } axis b { about = {0, 1, 1e-9} } axis c { about = z } }\n"
    "limb leg   { parent = trunk mirror = true at = {0, 0.1, 0} to = {0.1, 0.1, -0.5} radius = 0.04 mass = 1.5\n"
    "  axis swing { about = -y } axis side { about = x } }\n"
    "foot leg   { limb = leg }\n";

/* ---- CSV ---- */

/* Does a spring, damper or tendon act on this dof? */
static int has_tissue(const struct creature *c, int dof)
{
  for (int i = 0; i < c->n_tissues; i++)
    for (int k = 0; k < c->tissues[i].n_dofs; k++)
      if (c->tissues[i].dof[k] == dof)
        return 1;
  return 0;
}

static void check_columns(const struct table *t, const struct creature *c)
{
  int passive = 0;
  for (int i = 0; i < c->n_dofs; i++)
    passive += has_tissue(c, i);
  CHECK_INT(t->n_columns, 1 + 2 * c->n_dofs + 7 * c->n_points + passive);
  CHECK_STR(t->names[0], "time");
  for (int i = 0; i < t->n_columns; i++)
    for (int k = 0; k < i; k++)
      CHECK(strcmp(t->names[i], t->names[k]) != 0);
  CHECK(strstr(t->comments, c->name) && strstr(t->comments, "units: time s; q rad, m for root_x"));
}

/* By the kernels that the optimizer uses; the writer went through point Jacobians. */
static void check_torques(const struct table *t, const struct creature *c, const struct clip *k, struct arena *arena)
{
  size_t n = (size_t)c->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), *a = ARENA_NEW(arena, n, double);
  double *tau = ARENA_NEW(arena, n, double), *x = ARENA_NEW(arena, 3 * (size_t)c->n_points, double);
  double *whole = ARENA_NEW(arena, n, double);
  struct dynamics *d = dynamics_new(arena, c);
  int *point = ARENA_NEW(arena, (size_t)c->n_points, int);
  for (int p = 0; p < c->n_points; p++)
    point[p] = p;
  for (int f = 0; f < k->n_frames; f++) {
    struct dynamics_contacts contacts = {c->n_points, point, k->force + 3 * f * c->n_points, NULL};
    int known = clip_state(k, f, q, v, a);
    double scale = DBL_MIN;
    dynamics_residual(d, q, v, a, &contacts, tau, x);
    memcpy(whole, tau, n * sizeof *whole);
    tissue_subtract(c, q, v, tau);
    for (int i = 0; i < c->n_dofs; i++)
      scale = fmax(scale, fmax(fabs(tau[i]), fabs(whole[i])));
    for (int i = 0; i < c->n_dofs; i++) {
      double cell = table_cell(t, f, table_find(t, "torque", c->dofs[i].name, NULL));
      CHECK(known ? fabs(cell - tau[i]) <= 1e-11 * scale : isnan(cell));
      int column = table_find(t, "passive", c->dofs[i].name, NULL);
      CHECK_INT(column >= 0, has_tissue(c, i));
      double passive = column < 0 ? 0 : table_cell(t, f, column);
      CHECK(known ? fabs(cell + passive - whole[i]) <= 1e-11 * scale : column < 0 || isnan(passive));
    }
    for (int i = 0; i < 3 * c->n_points; i++) {
      const char axis[] = {"xyz"[i % 3], '\0'};
      CHECK_NEAR(table_cell(t, f, table_find(t, "position", c->points[i / 3].name, axis)), x[i], 1e-11);
    }
  }
}

/* The same bits, by name. */
static void check_numbers(const struct table *t, const struct creature *c, const struct clip *k)
{
  CHECK_INT(t->n_rows, k->n_frames);
  for (int f = 0; f < k->n_frames; f++) {
    CHECK(table_cell(t, f, 0) == f * k->dt);
    for (int i = 0; i < c->n_dofs; i++)
      CHECK(table_cell(t, f, table_find(t, "q", c->dofs[i].name, NULL)) == k->q[f * c->n_dofs + i]);
    for (int p = 0; p < c->n_points; p++) {
      const double *force = k->force + 3 * (f * c->n_points + p);
      CHECK(table_cell(t, f, table_find(t, "contact", c->points[p].name, NULL)) == k->contact[f * c->n_points + p]);
      CHECK(table_cell(t, f, table_find(t, "force", c->points[p].name, "x")) == force[0]);
      CHECK(table_cell(t, f, table_find(t, "force", c->points[p].name, "y")) == force[1]);
      CHECK(table_cell(t, f, table_find(t, "force", c->points[p].name, "z")) == force[2]);
    }
  }
}

static void check_csv(struct arena *arena, const struct creature *c, int cyclic)
{
  const struct clip *k = smooth_clip(arena, c, 3, cyclic, 1);
  const struct table *t = table_of_clip(arena, c, k);
  CHECK(t != NULL);
  if (!t)
    return;
  check_columns(t, c);
  check_numbers(t, c, k);
  check_torques(t, c, k, arena);
}

static void test_csv_head(void)
{
  struct arena *arena = arena_new();
  const char text[] = "name = ball\nlimb ball { shape = box size = {1, 1, 1} mass = 2 }\n";
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "ball", text, strlen(text), &d);
  struct clip *k = clip_new(arena, c, 3, 0.5);
  k->name = "fall";
  k->gait = k->gait_after = "none";
  k->q[2] = k->q[8] = k->q[14] = 0.25;
  const struct table *t = table_of_clip(arena, c, k);
  CHECK_STR(t->text,
            "# clip 'fall' of creature 'ball', gait none to none: 3 frames, 0.5 s apart\n"
            "# axes: x forward, y left, z up\n"
            "# units: time s; q rad, m for root_x, root_y, root_z; position m; force N; torque N m, N for root_x, "
            "root_y, root_z\n"
            "# force: of the ground on the point; contact: 1 while the point is on the ground\n"
            "# torque: M a + h - J^T force, v and a being central differences of q; at root_* it is what physics does "
            "not explain\n"
            "time,q.root_x,q.root_y,q.root_z,q.root_yaw,q.root_pitch,q.root_roll,torque.root_x,torque.root_y,"
            "torque.root_z,torque.root_yaw,torque.root_pitch,torque.root_roll\n"
            "0,0,0,0.25,0,0,0,nan,nan,nan,nan,nan,nan\n"
            "0.5,0,0,0.25,0,0,0,0,0,19.620000000000001,0,0,0\n"
            "1,0,0,0.25,0,0,0,nan,nan,nan,nan,nan,nan\n");
  diag_clear(&d);
  arena_free(arena);
}

/* ---- BVH, as its readers read it ---- */

struct node {
  const char *name;             /* "" of an end site */
  int parent;                   /* -1: none          */
  double offset[3];
  int n_channels, is_position[6], axis[6];
};

struct scene {
  struct node *nodes;
  int n_nodes, n_frames;
  double frame_time;
  char *at;                     /* next word: text is cut as it is read */
  int broken;
};

#define MAX_NODES 3000

static char *word(struct scene *s)
{
  char *w = s->at + strspn(s->at, " \n");
  size_t n = strcspn(w, " \n");
  s->at = w[n] ? w + n + 1 : w + n;
  w[n] = '\0';
  return w;
}

static void expect(struct scene *s, const char *expected)
{
  if (strcmp(word(s), expected) != 0)
    s->broken = 1;
}

static double number(struct scene *s)
{
  char *end, *w = word(s);
  double x = strtod(w, &end);
  if (*w == '\0' || *end)
    s->broken = 1;
  return x;
}

static void read_offset(struct scene *s, struct node *n)
{
  expect(s, "OFFSET");
  for (int k = 0; k < 3; k++)
    n->offset[k] = number(s);
}

static void read_channels(struct scene *s, struct node *n)
{
  expect(s, "CHANNELS");
  n->n_channels = (int)number(s);
  for (int k = 0; k < n->n_channels && k < 6; k++) {
    const char *w = word(s);
    n->axis[k] = w[0] - 'X';
    n->is_position[k] = strcmp(w + 1, "position") == 0;
    s->broken |= n->axis[k] < 0 || n->axis[k] > 2 || (!n->is_position[k] && strcmp(w + 1, "rotation") != 0);
  }
}

/* What stands between braces, after ROOT, JOINT or End. */
static void read_node(struct scene *s, const char *kind, int parent)
{
  struct node *n = &s->nodes[s->n_nodes];
  int self = s->n_nodes++;
  char *w = word(s);
  *n = (struct node){.name = kind[0] == 'E' ? "" : w, .parent = parent};
  expect(s, "{");
  read_offset(s, n);
  if (kind[0] != 'E')
    read_channels(s, n);
  while (!s->broken && s->n_nodes < MAX_NODES && strcmp(w = word(s), "}") != 0) {
    s->broken |= strcmp(w, "JOINT") != 0 && strcmp(w, "End") != 0;
    read_node(s, w, self);
  }
}

static void read_scene(struct scene *s)
{
  expect(s, "HIERARCHY");
  expect(s, "ROOT");
  read_node(s, "ROOT", -1);
  expect(s, "MOTION");
  expect(s, "Frames:");
  s->n_frames = (int)number(s);
  expect(s, "Frame");
  expect(s, "Time:");
  s->frame_time = number(s);
}

/* R becomes R times a rotation about a coordinate axis. */
static void turn(double *R, int axis, double degrees)
{
  int a = (axis + 1) % 3, b = (axis + 2) % 3;
  double c = cos(degrees * acos(-1) / 180), s = sin(degrees * acos(-1) / 180);
  for (int i = 0; i < 3; i++) {
    double x = R[3 * i + a], y = R[3 * i + b];
    R[3 * i + a] = c * x + s * y;
    R[3 * i + b] = c * y - s * x;
  }
}

/* The next line of numbers: where every node is [cm], and the line's angles. */
static void read_frame(struct scene *s, double (*place)[3], double (*R)[9], double *angles)
{
  for (int i = 0; i < s->n_nodes; i++) {
    const struct node *n = &s->nodes[i];
    double at[3] = {n->offset[0], n->offset[1], n->offset[2]};
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0, 0, 0};
    const double *outer = n->parent < 0 ? one : R[n->parent];
    memcpy(R[i], outer, sizeof one);
    for (int k = 0; k < n->n_channels; k++) {
      double x = number(s);
      if (n->is_position[k]) {
        at[n->axis[k]] += x;
      } else {
        turn(R[i], n->axis[k], x);
        *angles++ = x;
      }
    }
    mat3_mul_vec(outer, at, place[i]);
    vec3_add_scaled(place[i], n->parent < 0 ? origin : place[n->parent], 1);
  }
}

/* X, Y, Z in centimetres are our y, z, x. */
static void check_place(const double *theirs, const double *ours)
{
  for (int k = 0; k < 3; k++)
    CHECK_NEAR(theirs[k] / 100, ours[(k + 1) % 3], 1e-8);
}

static void check_places(const struct scene *s, const struct creature *c, const struct dynamics *d, double (*place)[3])
{
  double at[3], tip[3];
  for (int i = 0, limb; i < s->n_nodes; i++) {
    const struct node *n = &s->nodes[i];
    if ((limb = creature_find_limb(c, *n->name ? n->name : s->nodes[n->parent].name)) < 0) {
      CHECK(limb >= 0);
      continue;
    }
    const struct limb *l = &c->limbs[limb];
    for (int k = 0; k < 3; k++)
      tip[k] = l->origin[k] + l->shape.to[k];
    dynamics_point(d, l->body, *n->name ? l->origin : tip, at);
    check_place(place[i], at);
  }
}

static char *bvh(const struct creature *c, const struct clip *k)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  CHECK(out && exchange_write_bvh(c, k, out) == 0);
  if (out)
    fclose(out);
  return text;
}

/* A joint that turns by less than this from frame to frame has angles that do. */
static void check_steps(const double *before, const double *now, int n, double most)
{
  for (int i = 0; i < n; i++)
    CHECK(fabs(now[i] - before[i]) < most);
}

/* With the most that an angle may change from frame to frame [degrees]. */
static void check_bvh(struct arena *arena, const struct creature *c, const struct clip *k, double most)
{
  char *text = bvh(c, k);
  struct scene s = {.nodes = ARENA_NEW(arena, MAX_NODES, struct node), .at = text};
  struct dynamics *d = dynamics_new(arena, c);
  read_scene(&s);
  CHECK(!s.broken && s.n_frames == k->n_frames);
  CHECK_NEAR(s.frame_time, k->dt, 1e-9);
  double (*place)[3] = arena_alloc(arena, (size_t)s.n_nodes, sizeof *place);
  double (*R)[9] = arena_alloc(arena, (size_t)s.n_nodes, sizeof *R);
  size_t n = 3 * (size_t)s.n_nodes;
  double *angles = ARENA_NEW(arena, n, double), *before = ARENA_NEW(arena, n, double);
  for (int f = 0; f < s.n_frames && !s.broken; f++) {
    memcpy(before, angles, n * sizeof *before);
    read_frame(&s, place, R, angles);
    dynamics_kinematics(d, k->q + f * c->n_dofs);
    check_places(&s, c, d, place);
    if (f > 0)
      check_steps(before, angles, 3 * c->n_limbs, most);
  }
  CHECK(!s.broken && *word(&s) == '\0'); /* and nothing more */
  free(text);
}

static const char leg[] = "name = leg\n"
                          "limb hip { to = {0.5, 0, 0} mass = 5 radius = 0.1 }\n"
                          "limb shin { parent = hip at = {0.25, 0.125, 0} to = {0, 0, -0.5} mass = 1 radius = 0.1\n"
                          "  axis knee { about = -y } axis twist { about = z } }\n";

static void test_bvh_text(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "leg", leg, strlen(leg), &d);
  struct clip *k = clip_new(arena, c, 1, 0.02);
  const double q[] = {1, 2, 3, 0.1, 0.2, 0.3, 2.5, 4};
  CHECK_INT(c->n_dofs, 8);
  memcpy(k->q, q, sizeof q);
  char *text = bvh(c, k);
  CHECK_STR(text, "HIERARCHY\n"
                  "ROOT hip\n"
                  "{\n"
                  "  OFFSET 0.00000000 0.00000000 0.00000000\n"
                  "  CHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation Zrotation\n"
                  "  JOINT shin\n"
                  "  {\n"
                  "    OFFSET 12.50000000 0.00000000 25.00000000\n"
                  "    CHANNELS 3 Xrotation Yrotation Zrotation\n"
                  "    End Site\n"
                  "    {\n"
                  "      OFFSET 0.00000000 -50.00000000 0.00000000\n"
                  "    }\n"
                  "  }\n"
                  "}\n"
                  "MOTION\n"
                  "Frames: 1\n"
                  "Frame Time: 0.020000000\n"
                  "200.00000000 300.00000000 100.00000000 5.72957795 11.45915590 17.18873385 "
                  "-143.23944878 229.18311805 0.00000000\n");
  free(text);
  diag_clear(&d);
  arena_free(arena);
}

/* ---- all of it ---- */

static void check_full_disk(const struct creature *c, const struct clip *k)
{
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    return;
  CHECK(exchange_write_csv(c, k, full) == 1);
  fclose(full);
  CHECK((full = fopen("/dev/full", "w")) && exchange_write_bvh(c, k, full) == 1);
  fclose(full);
}

static void check_creature(struct arena *arena, const struct creature *c, int is_steady)
{
  check_csv(arena, c, 1);
  check_csv(arena, c, 0);
  check_bvh(arena, c, smooth_clip(arena, c, 5, 1, 0.5), is_steady ? 5 : 1000);
  check_bvh(arena, c, smooth_clip(arena, c, 5, 1, 4), is_steady ? 40 : 1000);
  check_full_disk(c, smooth_clip(arena, c, 1, 1, 1));
}

/* Quarter turns, where angles of a converted joint are not unique. */
static struct clip *quarters(struct arena *arena, const struct creature *c)
{
  struct clip *k = smooth_clip(arena, c, 1, 1, 1);
  struct rng r = rng_stream(4, 0);
  for (int i = 0; i < k->n_frames * k->n_dofs; i++)
    k->q[i] = acos(-1) / 2 * (rng_below(&r, 5) - 2);
  return k;
}

static void test_odd(void)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_parse(arena, "odd", odd, strlen(odd), &d);
  CHECK(c != NULL);
  if (c)
    check_creature(arena, c, 0), check_bvh(arena, c, quarters(arena, c), 1000);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  test_csv_head();
  test_bvh_text();
  test_odd();
  for (int i = 0; i < zoo_size(); i++) {
    struct arena *arena = arena_new();
    const struct creature *c = zoo_load(arena, i);
    CHECK(c != NULL);
    if (c)
      check_creature(arena, c, 1);
    arena_free(arena);
  }
  return test_finish();
}

/* A creature of a skeleton that is not a person's: a limb for every joint that has a bone, three axes where it turns,
 * feet where its ends come to the floor.
 *
 * Bones say nothing of flesh. A limb is a capsule along its longest bone, a seventh as thick as long, two ends of a
 * branching one; its mass is that of water, or a share of the given mass. Joints of no length become one with
 * the next; joints that never turn are fixed. Nothing is known of left and right, so nothing is mirrored. Names are
 * those of the joints, so that poses come over exactly. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/vec3.h"
#include "capture/capture.h"

#define SHORT 1e-3       /* a bone shorter than this has no length [m]                               */
#define STILL 1e-3       /* a joint that turns by less is fixed [rad]                                */
#define MAX_POINTS 8

struct bones {
  struct arena *arena;
  const struct capture *k;
  int *limb;                    /* joint -> is it a limb?                        (n_joints)            */
  int *turns;                   /* joint -> about which of x, y, z (bits 0 to 2) it turns in the limb that carries it */
  double *low;                  /* joint -> its lowest height                    (n_joints)            */
  double floor, height;         /* [m]                                                                 */
  double volume;                /* of all limbs [m3]                                                   */
  double mass;                  /* 0: of water                                                         */
};

const char *capture_limb_name(struct arena *arena, const struct capture *k, int joint)
{
  char *name = ARENA_NEW(arena, 64, char);
  int n = 0, same = 0;
  const char *colon = strrchr(k->joints[joint].name, ':'), *text = colon ? colon + 1 : k->joints[joint].name;
  if (!isalpha((unsigned char)*text))
    name[n++] = 'j';
  for (; *text && n < 48; text++)
    name[n++] = isalnum((unsigned char)*text) ? *text : '_';
  for (int i = 0; i < joint; i++) /* names that are the same get a number */
    same += !k->joints[i].is_end && strcmp(k->joints[i].name, k->joints[joint].name) == 0;
  return same ? arena_printf(arena, "%s_%d", name, same + 1) : name;
}

/* ---- the tree ---- */

static double bone_extent(const struct capture *k, int joint)
{
  double most = 0;
  for (int i = joint + 1; i < k->n_joints; i++)
    if (k->joints[i].parent == joint)
      most = fmax(most, vec3_norm(k->joints[i].offset));
  return most;
}

/* The limb that carries a joint. */
static int carrier(const struct bones *b, int joint)
{
  int i = b->k->joints[joint].parent;
  while (i > 0 && !b->limb[i])
    i = b->k->joints[i].parent;
  return i;
}

/* Where a joint is in the frame of the limb that carries it. */
static void place_in_carrier(const struct bones *b, int joint, double *at)
{
  int above = carrier(b, joint);
  at[0] = at[1] = at[2] = 0;
  for (int i = joint; i > above; i = b->k->joints[i].parent)
    vec3_add_scaled(at, b->k->joints[i].offset, 1);
}

/* Ends of a limb: what it carries, at most n of them. */
static int ends_of(const struct bones *b, int limb, int n, int *ends)
{
  int count = 0;
  for (int i = limb + 1; i < b->k->n_joints && count < n; i++)
    if (carrier(b, i) == limb && (b->limb[i] || bone_extent(b->k, i) < SHORT)) {
      double at[3];
      place_in_carrier(b, i, at);
      if (vec3_norm(at) > SHORT)
        ends[count++] = i;
    }
  return count;
}

/* ---- what moves, and how low ---- */

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Rotation of a limb in its carrier, from rotations in the world. */
static void local_turn(const struct bones *b, int joint, const double *R, double *q)
{
  double own[4], parent[4] = {1, 0, 0, 0}, back[4];
  quat_of_matrix(R + 9 * joint, own);
  if (joint > 0)
    quat_of_matrix(R + 9 * carrier(b, joint), parent);
  quat_inverse(parent, back);
  quat_multiply(back, own, q);
}

static void skeleton_watch(struct bones *b)
{
  const struct capture *k = b->k;
  size_t n = (size_t)k->n_joints, frames = (size_t)k->n_frames;
  struct arena *scratch = arena_new();
  double *R = ARENA_NEW(scratch, 9 * n, double), *p = ARENA_NEW(scratch, 3 * n, double);
  double *heights = ARENA_NEW(scratch, n * frames, double), top = -INFINITY, q[4];
  for (size_t f = 0; f < frames; f++) {
    capture_kinematics(k, (int)f, R, p);
    for (size_t i = 0; i < n; i++) {
      local_turn(b, (int)i, R, q);
      for (int a = 0; a < 3; a++)
        b->turns[i] |= (fabs(q[1 + a]) > 0.5 * STILL) << a;
      heights[i * frames + f] = p[3 * i + 2];
    }
  }
  b->floor = INFINITY;
  for (size_t i = 0; i < n; i++) {
    qsort(heights + i * frames, frames, sizeof *heights, compare);
    b->low[i] = heights[i * frames + (size_t)(k->guesses->foot_lowest * (double)frames)];
    b->floor = fmin(b->floor, b->low[i]);
    top = fmax(top, heights[i * frames + frames / 2]);
  }
  b->height = fmax(top - b->floor, 1e-3);
  arena_free(scratch);
}

/* ---- shapes ---- */

struct capsule { double from[3], to[3], radius; };

static struct capsule shape_of(const struct bones *b, int limb)
{
  struct capsule s = {{0, 0, 0}, {0, 0, 0}, 0};
  int ends[64], n = ends_of(b, limb, 64, ends);
  double at[3], other[3], most = 0;
  for (int i = 0; i < n; i++) { /* the two points furthest apart: of the joint itself and the ends */
    place_in_carrier(b, ends[i], at);
    for (int j = -1; j < i; j++) {
      if (j < 0)
        memset(other, 0, sizeof other);
      else
        place_in_carrier(b, ends[j], other);
      double d[3] = {at[0] - other[0], at[1] - other[1], at[2] - other[2]};
      if (vec3_norm(d) > most) {
        most = vec3_norm(d);
        memcpy(s.from, other, sizeof other);
        memcpy(s.to, at, sizeof at);
      }
    }
  }
  s.radius = fmax((n > 1 ? b->k->guesses->branch_radius : b->k->guesses->bone_radius) * most, 2e-3 * b->height);
  return s;
}

static double volume(const struct capsule *s)
{
  double d[3] = {s->to[0] - s->from[0], s->to[1] - s->from[1], s->to[2] - s->from[2]};
  return PI * s->radius * s->radius * (vec3_norm(d) + 4.0 / 3 * s->radius);
}

/* ---- text ---- */

static const struct {
  const char *name, *about;
  int bit;
} axes[3] = {{"flexion", "y", 2}, {"lean", "x", 1}, {"twist", "z", 4}};

static void write_limb(const struct bones *b, int limb, FILE *out)
{
  struct capsule s = shape_of(b, limb);
  double at[3];
  fprintf(out, "limb %s {", capture_limb_name(b->arena, b->k, limb));
  if (limb > 0) {
    place_in_carrier(b, limb, at);
    fprintf(out, " parent = %s  at = {%.5f, %.5f, %.5f} ", capture_limb_name(b->arena, b->k, carrier(b, limb)), at[0],
            at[1], at[2]);
  }
  fprintf(out, " from = {%.5f, %.5f, %.5f}  to = {%.5f, %.5f, %.5f}  radius = %.5f", s.from[0], s.from[1], s.from[2],
          s.to[0], s.to[1], s.to[2], s.radius);
  if (b->mass > 0)
    fprintf(out, "  mass = %.6g", b->mass * volume(&s) / b->volume);
  int turns = b->turns[limb], all = (turns & (turns - 1)) != 0; /* about more than one: a ball, about one: a hinge */
  for (int i = 0; i < 3 && limb > 0; i++)
    if (all || turns & axes[i].bit)
      fprintf(out, "\n  axis %-7s { about = %s  range = {-360, 360} }", axes[i].name, axes[i].about);
  fputs(" }\n", out);
}

/* Ends of this limb that come to the floor. */
static int write_foot(const struct bones *b, int limb, double near, FILE *out)
{
  int ends[64], n = ends_of(b, limb, 64, ends), written = 0;
  for (int i = 0; i < n && written < MAX_POINTS; i++) {
    double at[3];
    if (b->limb[ends[i]] || b->low[ends[i]] > b->floor + near)
      continue;
    place_in_carrier(b, ends[i], at);
    if (!written)
      fprintf(out, "foot %s_foot { limb = %s", capture_limb_name(b->arena, b->k, limb),
              capture_limb_name(b->arena, b->k, limb));
    fprintf(out, "\n  point p%d { at = {%.5f, %.5f, %.5f} }", ++written, at[0], at[1], at[2]);
  }
  if (written)
    fputs(" }\n", out);
  return written;
}

static void skeleton_plan(struct bones *b)
{
  const struct capture *k = b->k;
  size_t n = (size_t)k->n_joints;
  b->limb = ARENA_NEW(b->arena, n, int);
  b->turns = ARENA_NEW(b->arena, n, int);
  b->low = ARENA_NEW(b->arena, n, double);
  for (int i = 0; i < k->n_joints; i++)
    b->limb[i] = !k->joints[i].is_end && (i == 0 || bone_extent(k, i) > SHORT);
  skeleton_watch(b);
  for (int i = 0; i < k->n_joints; i++)
    if (b->limb[i]) {
      struct capsule s = shape_of(b, i);
      b->volume += volume(&s);
    }
}

const char *capture_skeleton(struct arena *arena, const struct capture *k, double mass, struct diag *d)
{
  struct bones b = {.arena = arena, .k = k, .mass = mass};
  char *text = NULL;
  size_t length = 0;
  int feet = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    arena_out_of_memory();
  skeleton_plan(&b);
  fprintf(out,
          "# Built from the skeleton of %s: limbs from its bones, masses from their volume.\nname       = "
          "\"%s\"\nframe_rate = %.6g\n\n",
          capture_name(arena, k->file), capture_name(arena, k->file), round(1e3 / k->dt) / 1e3);
  for (int i = 0; i < k->n_joints; i++)
    if (b.limb[i])
      write_limb(&b, i, out);
  fputc('\n', out);
  for (double near = k->guesses->foot_near * b.height; feet == 0 && near < 2 * b.height; near *= 2)
    for (int i = 0; i < k->n_joints; i++)
      if (b.limb[i])
        feet += write_foot(&b, i, near, out);
  fclose(out);
  if (!feet)
    diag_error(d, k->file, 0, "no end of this skeleton can be a foot");
  const char *kept = feet ? arena_strdup(arena, text) : NULL;
  free(text);
  return kept;
}

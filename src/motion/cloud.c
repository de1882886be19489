/* Clouds of frames, after Kovar, Gleicher and Pighin 2002, "Motion graphs", section 3.1.
 *
 * Points p, p' of two clouds, with weights w that sum to 1 and centres taken off in the plane. Turned by theta, the
 * second misses the first by
 *   sum w |p - R p'|^2 = E + E' - 2 (C cos theta + S sin theta) + sum w (z - z')^2,
 *   C = sum w (x x' + y y'),  S = sum w (y x' - x y'),  E = sum w (x^2 + y^2),
 * which is least where tan theta = S / C: then the bracket is sqrt(C^2 + S^2). Clouds are kept scaled by sqrt(w). */
#include "motion/cloud.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "motion/ground.h"

static const double window_weight[CLOUD_SAMPLES] = {1. / 9, 2. / 9, 3. / 9, 2. / 9, 1. / 9};

struct cloud_point { int body; double at[3], weight; }; /* in the body's frame [m]; weights sum to 1 */

struct cloud_space {
  const struct creature *c;
  struct dynamics *d;
  int n_points;
  struct cloud_point *points;
  double *q;
};

int cloud_step(const struct creature *c, double dt)
{
  int step = (int)lround(0.25 * sqrt(c->height / CREATURE_GRAVITY) / dt);
  return step < 1 ? 1 : step;
}

/* A limb of no shape is its centre of mass. */
static void cloud_add_points(struct cloud_space *s, const struct limb *l)
{
  const double *ends[2] = {l->shape.from, l->shape.to};
  int n = l->shape.kind == SHAPE_NONE ? 1 : 2;
  for (int e = 0; e < n && l->mass > 0; e++) {
    struct cloud_point *p = &s->points[s->n_points++];
    p->body = l->body;
    p->weight = l->mass / (n * s->c->mass);
    for (int i = 0; i < 3; i++)
      p->at[i] = l->origin[i] + (n == 1 ? l->com[i] : ends[e][i]);
  }
}

struct cloud_space *cloud_space_new(struct arena *arena, const struct creature *c)
{
  struct cloud_space *s = ARENA_NEW(arena, 1, struct cloud_space);
  double sum = 0;
  s->c = c;
  s->d = dynamics_new(arena, c);
  s->q = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  s->points = ARENA_NEW(arena, 2 * (size_t)c->n_limbs, struct cloud_point);
  for (int i = 0; i < c->n_limbs; i++)
    cloud_add_points(s, &c->limbs[i]);
  for (int i = 0; i < s->n_points; i++)
    sum += s->points[i].weight;
  for (int i = 0; i < s->n_points; i++)
    s->points[i].weight /= sum; /* 1 already, up to rounding */
  return s;
}

static void cloud_place_points(struct cloud_space *s, struct clouds *out, size_t at, double share, double centre[2])
{
  dynamics_kinematics(s->d, s->q);
  for (int p = 0; p < s->n_points; p++, at++) {
    double world[3], w = share * s->points[p].weight;
    dynamics_point(s->d, s->points[p].body, s->points[p].at, world);
    out->x[at] = world[0], out->y[at] = world[1], out->z[at] = sqrt(w) * world[2];
    centre[0] += w * world[0], centre[1] += w * world[1];
  }
}

static void cloud_centre(const struct cloud_space *s, struct clouds *out, int k)
{
  double *x = out->x + (size_t)k * (size_t)out->size, *y = out->y + (size_t)k * (size_t)out->size;
  const double *centre = out->centre + 2 * k;
  for (int i = 0; i < out->size; i++) {
    double root = sqrt(window_weight[i / s->n_points] * s->points[i % s->n_points].weight);
    x[i] = root * (x[i] - centre[0]);
    y[i] = root * (y[i] - centre[1]);
    out->spread[k] += x[i] * x[i] + y[i] * y[i];
  }
}

struct clouds *clouds_room(struct arena *arena, const struct cloud_space *s, int n_frames)
{
  struct clouds *out = ARENA_NEW(arena, 1, struct clouds);
  *out = (struct clouds){.n_frames = n_frames, .size = s->n_points * CLOUD_SAMPLES};
  size_t frames = (size_t)n_frames, numbers = frames * (size_t)out->size;
  out->x = ARENA_NEW(arena, numbers, double);
  out->y = ARENA_NEW(arena, numbers, double);
  out->z = ARENA_NEW(arena, numbers, double);
  out->spread = ARENA_NEW(arena, frames, double);
  out->centre = ARENA_NEW(arena, 2 * frames, double);
  return out;
}

struct clouds *clouds_new(struct arena *arena, struct cloud_space *s, int n_frames, double dt, cloud_pose *pose,
                          const void *user)
{
  struct clouds *out = clouds_room(arena, s, n_frames);
  int step = cloud_step(s->c, dt);
  for (int k = 0; k < n_frames; k++) {
    for (int w = 0; w < CLOUD_SAMPLES; w++) {
      pose(user, k + (w - CLOUD_SAMPLES / 2) * step, s->q);
      cloud_place_points(s, out, (size_t)k * (size_t)out->size + (size_t)(w * s->n_points), window_weight[w],
                         out->centre + 2 * k);
    }
    cloud_centre(s, out, k);
  }
  return out;
}

/* ---- clips ---- */

struct clip_and_list { const struct clip *clip; const struct clip_list *all; };

/* The clip at an end, if it is in the list and has such a frame. */
static const struct clip *cloud_find_clip(const struct clip_list *all, struct clip_end end)
{
  for (int i = 0; i < all->n; i++)
    if (all->ids[i] == end.clip)
      return all->clips[i]->cyclic || (end.frame >= 0 && end.frame < all->clips[i]->n_frames) ? all->clips[i] : NULL;
  return NULL;
}

/* The pose goes on as it went in the last interval of the clip, for `frames` frames beyond its end (or, below 0, before
 * its start). */
static void cloud_extrapolate(const struct clip *clip, int frames, double *q)
{
  int last = frames > 0 ? clip->n_frames - 1 : 0, inner = frames > 0 ? last - 1 : 1;
  const double *x = clip->q + (size_t)last * (size_t)clip->n_dofs, *y = clip->q + (size_t)inner * (size_t)clip->n_dofs;
  for (int i = 0; i < clip->n_dofs; i++)
    q[i] = x[i] + abs(frames) * (x[i] - y[i]);
}

/* Frame k of a clip, be it beyond the ends of a transition: beyond them it is a frame of the clip at that end. */
static void cloud_frame_beyond(const void *user, int k, double *q)
{
  const struct clip_and_list *in = user;
  const struct clip *clip = in->clip;
  struct clip_advance place = {0, 0, 0};
  for (int hops = 0; !clip->cyclic && (k < 0 || k >= clip->n_frames); hops++) {
    int at_end = k >= 0, held = at_end ? clip->n_frames - 2 : 0;
    struct clip_end end = at_end ? clip->to : clip->from;
    const struct clip *next = hops <= in->all->n ? cloud_find_clip(in->all, end) : NULL;
    if (!next) {
      cloud_extrapolate(clip, at_end ? k - clip->n_frames + 1 : k, q);
      clip_move_pose(place, q);
      return;
    }
    place = ground_after(place, ground_match(clip, held, next, end.frame));
    k += end.frame - held;
    clip = next;
  }
  clip_frame(clip, k, q);
  clip_move_pose(place, q);
}

struct clouds *clouds_of_clip(struct arena *arena, struct cloud_space *s, const struct clip_list *all,
                              const struct clip *clip)
{
  struct clip_and_list in = {clip, all};
  return clouds_new(arena, s, clip->n_frames, clip->dt, cloud_frame_beyond, &in);
}

void clouds_copy(const struct clouds *in, int j, struct clip_advance place, struct clouds *out, int i)
{
  size_t size = (size_t)in->size, from = (size_t)j * size, to = (size_t)i * size;
  double s = sin(place.yaw), c = cos(place.yaw), x = in->centre[2 * j], y = in->centre[2 * j + 1];
  for (size_t k = 0; k < size; k++) {
    out->x[to + k] = c * in->x[from + k] - s * in->y[from + k];
    out->y[to + k] = s * in->x[from + k] + c * in->y[from + k];
  }
  memcpy(out->z + to, in->z + from, size * sizeof *out->z);
  out->spread[i] = in->spread[j];
  out->centre[2 * i] = c * x - s * y + place.x;
  out->centre[2 * i + 1] = s * x + c * y + place.y;
}

/* ---- pairs ---- */

/* Cosine and sine, times a common length, of the turn that brings the second cloud nearest; and the heights' part. */
struct fit { double C, S, height; };

static struct fit cloud_fit(const struct clouds *a, int i, const struct clouds *b, int j)
{
  struct fit f = {0, 0, 0};
  size_t ia = (size_t)i * (size_t)a->size, ib = (size_t)j * (size_t)b->size;
  for (size_t k = 0; k < (size_t)a->size; k++) {
    double x = a->x[ia + k], y = a->y[ia + k], x2 = b->x[ib + k], y2 = b->y[ib + k], dz = a->z[ia + k] - b->z[ib + k];
    f.C += x * x2 + y * y2;
    f.S += y * x2 - x * y2;
    f.height += dz * dz;
  }
  return f;
}

/* What is left of the plane's distances after a turn, without cancellation. */
static double cloud_left_over(const struct clouds *a, int i, const struct clouds *b, int j, double c, double s)
{
  size_t ia = (size_t)i * (size_t)a->size, ib = (size_t)j * (size_t)b->size;
  double sum = 0;
  for (size_t k = 0; k < (size_t)a->size; k++) {
    double dx = a->x[ia + k] - (c * b->x[ib + k] - s * b->y[ib + k]);
    double dy = a->y[ia + k] - (s * b->x[ib + k] + c * b->y[ib + k]);
    sum += dx * dx + dy * dy;
  }
  return sum;
}

double cloud_distance(const struct cloud_space *s, const struct clouds *a, int i, const struct clouds *b, int j)
{
  struct fit f = cloud_fit(a, i, b, j);
  double spread = a->spread[i] + b->spread[j], length = hypot(f.C, f.S), plane = spread - 2 * length;
  if (plane < 1e-4 * spread) /* most digits are gone */
    plane = cloud_left_over(a, i, b, j, length > 0 ? f.C / length : 1, length > 0 ? f.S / length : 0);
  return sqrt(plane + f.height) / s->c->height;
}

struct clip_advance cloud_alignment(const struct clouds *a, int i, const struct clouds *b, int j)
{
  struct fit f = cloud_fit(a, i, b, j);
  double length = hypot(f.C, f.S), c = length > 0 ? f.C / length : 1, s = length > 0 ? f.S / length : 0;
  const double *to = a->centre + 2 * i, *from = b->centre + 2 * j;
  return (struct clip_advance){to[0] - (c * from[0] - s * from[1]), to[1] - (s * from[0] + c * from[1]), atan2(s, c)};
}

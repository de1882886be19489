/* Distances of frames after Kovar, Gleicher and Pighin 2002, "Motion graphs", section 3.1.
 *
 * Points p, p' of two clouds, with weights w that sum to 1 and centres taken off in the plane. Turned by theta, the
 * second misses the first by
 *   sum w |p - R p'|^2 = E + E' - 2 (C cos theta + S sin theta) + sum w (z - z')^2,
 *   C = sum w (x x' + y y'),  S = sum w (y x' - x y'),  E = sum w (x^2 + y^2),
 * which is least where tan theta = S / C: then the bracket is sqrt(C^2 + S^2). Clouds are kept scaled by sqrt(w). */
#include "motion/distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "motion/ground.h"

static const double window_weight[DISTANCE_SAMPLES] = {1. / 9, 2. / 9, 3. / 9, 2. / 9, 1. / 9};

struct cloud_point { int body; double at[3], weight; }; /* in the body's frame [m]; weights sum to 1 */

struct distance_clip {
  int id, n_frames;
  const struct clip *clip;
  double *x, *y, *z;            /* scaled clouds                         (n_frames x size)          */
  double *spread;               /* E                                     (n_frames)                 */
  double **block;               /* distances to clips 0 .. itself        (n_frames x their n_frames) */
};

struct distance_matrix {
  struct arena *arena;
  const struct creature *c;
  struct dynamics *d;
  int n_points, size;           /* size of a cloud: points times poses */
  struct cloud_point *points;
  int n_clips, room;
  struct distance_clip *clips;
  double *q;                    /* of a pose, and of two more            (3 x n_dofs) */
};

/* ---- points ---- */

/* A limb of no shape is its centre of mass. */
static void add_points(struct distance_matrix *m, const struct limb *l)
{
  const double *ends[2] = {l->shape.from, l->shape.to};
  int n = l->shape.kind == SHAPE_NONE ? 1 : 2;
  for (int e = 0; e < n && l->mass > 0; e++) {
    struct cloud_point *p = &m->points[m->n_points++];
    p->body = l->body;
    p->weight = l->mass / (n * m->c->mass);
    for (int i = 0; i < 3; i++)
      p->at[i] = l->origin[i] + (n == 1 ? l->com[i] : ends[e][i]);
  }
}

struct distance_matrix *distance_new(struct arena *arena, const struct creature *c)
{
  struct distance_matrix *m = ARENA_NEW(arena, 1, struct distance_matrix);
  m->arena = arena;
  m->c = c;
  m->d = dynamics_new(arena, c);
  m->q = ARENA_NEW(arena, 3 * (size_t)c->n_dofs, double);
  m->points = ARENA_NEW(arena, 2 * (size_t)c->n_limbs, struct cloud_point);
  double sum = 0;
  for (int i = 0; i < c->n_limbs; i++)
    add_points(m, &c->limbs[i]);
  for (int i = 0; i < m->n_points; i++)
    sum += m->points[i].weight;
  for (int i = 0; i < m->n_points; i++)
    m->points[i].weight /= sum; /* 1 already, up to rounding */
  m->size = m->n_points * DISTANCE_SAMPLES;
  return m;
}

int distance_step(const struct creature *c, double dt)
{
  int step = (int)lround(0.25 * sqrt(c->height / CREATURE_GRAVITY) / dt);
  return step < 1 ? 1 : step;
}

/* ---- windows ---- */

/* The clip at an end, if it was added and has such a frame. */
static const struct clip *find_clip(const struct distance_matrix *m, struct clip_end end)
{
  for (int i = 0; i < m->n_clips; i++) {
    const struct clip *clip = m->clips[i].clip;
    if (m->clips[i].id == end.clip)
      return clip->cyclic || (end.frame >= 0 && end.frame < clip->n_frames) ? clip : NULL;
  }
  return NULL;
}

/* The pose goes on as it went in the last interval of the clip, for `frames` frames beyond its end (or before its
 * start). */
static void extrapolate(const struct distance_matrix *m, const struct clip *clip, int frames, double *q)
{
  size_t n = (size_t)m->c->n_dofs;
  double *end = m->q + n, *inner = end + n;
  int at_end = frames > 0, last = at_end ? clip->n_frames - 1 : 0;
  clip_frame(clip, last, end);
  clip_frame(clip, at_end ? last - 1 : 1, inner);
  for (size_t i = 0; i < n; i++)
    q[i] = end[i] + abs(frames) * (end[i] - inner[i]);
}

/* Frame k of a clip, be it beyond the ends of a transition: from there on the clip at that end tells. */
static void frame_beyond(const struct distance_matrix *m, const struct clip *clip, int k, double *q)
{
  struct clip_advance place = {0, 0, 0};
  for (int hops = 0; !clip->cyclic && (k < 0 || k >= clip->n_frames); hops++) {
    int at_end = k >= 0, held = at_end ? clip->n_frames - 2 : 0;
    struct clip_end end = at_end ? clip->to : clip->from;
    const struct clip *next = hops < m->n_clips ? find_clip(m, end) : NULL;
    if (!next) {
      extrapolate(m, clip, at_end ? k - clip->n_frames + 1 : k, q);
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

/* The cloud of frame k: centred in the plane, scaled. */
static void fill_cloud(struct distance_matrix *m, struct distance_clip *dc, int k)
{
  size_t at = (size_t)k * (size_t)m->size;
  double *x = dc->x + at, *y = dc->y + at, *z = dc->z + at, centre[2] = {0, 0};
  int step = distance_step(m->c, dc->clip->dt), i = 0;
  for (int s = 0; s < DISTANCE_SAMPLES; s++) {
    frame_beyond(m, dc->clip, k + (s - DISTANCE_SAMPLES / 2) * step, m->q);
    dynamics_kinematics(m->d, m->q);
    for (int p = 0; p < m->n_points; p++, i++) {
      double world[3], w = window_weight[s] * m->points[p].weight;
      dynamics_point(m->d, m->points[p].body, m->points[p].at, world);
      x[i] = world[0], y[i] = world[1], z[i] = sqrt(w) * world[2];
      centre[0] += w * x[i], centre[1] += w * y[i];
    }
  }
  for (i = 0; i < m->size; i++) {
    double root = sqrt(window_weight[i / m->n_points] * m->points[i % m->n_points].weight);
    x[i] = root * (x[i] - centre[0]);
    y[i] = root * (y[i] - centre[1]);
    dc->spread[k] += x[i] * x[i] + y[i] * y[i];
  }
}

/* ---- pairs ---- */

/* What is left of the plane's distances after a turn of the second cloud by (c, s), without cancellation. */
static double left_over(const struct distance_clip *a, size_t ia, const struct distance_clip *b, size_t ib, int size,
                        const double turn[2])
{
  double sum = 0, c = turn[0], s = turn[1];
  for (size_t i = 0; i < (size_t)size; i++) {
    double dx = a->x[ia + i] - (c * b->x[ib + i] - s * b->y[ib + i]);
    double dy = a->y[ia + i] - (s * b->x[ib + i] + c * b->y[ib + i]);
    sum += dx * dx + dy * dy;
  }
  return sum;
}

static double pair_distance(const struct distance_matrix *m, const struct distance_clip *a, int i,
                            const struct distance_clip *b, int j)
{
  size_t ia = (size_t)i * (size_t)m->size, ib = (size_t)j * (size_t)m->size;
  double C = 0, S = 0, height = 0, spread = a->spread[i] + b->spread[j];
  for (size_t k = 0; k < (size_t)m->size; k++) {
    double x = a->x[ia + k], y = a->y[ia + k], x2 = b->x[ib + k], y2 = b->y[ib + k], dz = a->z[ia + k] - b->z[ib + k];
    C += x * x2 + y * y2;
    S += y * x2 - x * y2;
    height += dz * dz;
  }
  double length = hypot(C, S), plane = spread - 2 * length;
  if (plane < 1e-4 * spread) { /* most digits are gone */
    double turn[2] = {length > 0 ? C / length : 1, length > 0 ? S / length : 0};
    plane = left_over(a, ia, b, ib, m->size, turn);
  }
  return sqrt(plane + height) / m->c->height;
}

/* The block of clip a against clip b, b <= a. */
static double *new_block(struct distance_matrix *m, const struct distance_clip *a, const struct distance_clip *b)
{
  size_t width = (size_t)b->n_frames;
  double *block = ARENA_NEW(m->arena, (size_t)a->n_frames * width, double);
  for (int i = 0; i < a->n_frames; i++)
    for (int j = 0; j < b->n_frames; j++)
      if (a == b && j < i)
        block[(size_t)i * width + (size_t)j] = block[(size_t)j * width + (size_t)i];
      else
        block[(size_t)i * width + (size_t)j] = pair_distance(m, a, i, b, j);
  return block;
}

static struct distance_clip *make_room(struct distance_matrix *m)
{
  if (m->n_clips == m->room) {
    m->room = m->room ? 2 * m->room : 16;
    struct distance_clip *wider = ARENA_NEW(m->arena, (size_t)m->room, struct distance_clip);
    if (m->n_clips)
      memcpy(wider, m->clips, (size_t)m->n_clips * sizeof *wider);
    m->clips = wider;
  }
  return &m->clips[m->n_clips];
}

int distance_add(struct distance_matrix *m, int id, const struct clip *clip)
{
  struct distance_clip *dc = make_room(m);
  size_t numbers = (size_t)clip->n_frames * (size_t)m->size;
  *dc = (struct distance_clip){.id = id, .n_frames = clip->n_frames, .clip = clip};
  dc->x = ARENA_NEW(m->arena, numbers, double);
  dc->y = ARENA_NEW(m->arena, numbers, double);
  dc->z = ARENA_NEW(m->arena, numbers, double);
  dc->spread = ARENA_NEW(m->arena, (size_t)clip->n_frames, double);
  dc->block = ARENA_NEW(m->arena, (size_t)m->n_clips + 1, double *);
  for (int k = 0; k < clip->n_frames; k++)
    fill_cloud(m, dc, k);
  for (int b = 0; b <= m->n_clips; b++)
    dc->block[b] = new_block(m, dc, &m->clips[b]);
  return m->n_clips++;
}

static size_t row_of(const struct distance_clip *dc, int k)
{
  int n = dc->n_frames;
  return (size_t)(dc->clip->cyclic ? (k % n + n) % n : k);
}

double distance_between(const struct distance_matrix *m, int a, int i, int b, int j)
{
  const struct distance_clip *first = &m->clips[a], *second = &m->clips[b];
  size_t row = row_of(first, i), column = row_of(second, j);
  return a >= b ? first->block[b][row * (size_t)second->n_frames + column]
                : second->block[a][column * (size_t)first->n_frames + row];
}

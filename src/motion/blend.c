/* Blends of two paths: frame by frame, and along a registration curve. */
#include "motion/blend.h"

#include <math.h>
#include <string.h>

#include "motion/ground.h"

static double blend_smooth_step(double s)
{
  s = fmin(1, fmax(0, s));
  return s * s * (3 - 2 * s);
}

void blend_weights(int n, double *weight)
{
  for (int k = 0; k < n; k++)
    weight[k] = blend_smooth_step((double)(k - 1) / (n - 3));
}

/* ---- frame by frame ---- */

struct path *blend_linear(struct arena *arena, const struct creature *c, const struct path *a, const struct path *b)
{
  int n = a->n_frames;
  struct path *out = path_new(arena, c, n, a->dt);
  struct clip_advance place = ground_after(path_ground(a, 0), ground_inverse(path_ground(b, 0)));
  double *weight = ARENA_NEW(arena, (size_t)n, double), *q_b = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  blend_weights(n, weight);
  for (int k = 0; k < n; k++) {
    const struct path *nearer = weight[k] < 0.5 ? a : b;
    const double *q_a = path_pose(a, k);
    double *q = path_pose(out, k), w = weight[k];
    size_t points = (size_t)c->n_points;
    memcpy(q_b, path_pose(b, k), (size_t)c->n_dofs * sizeof *q_b);
    clip_move_pose(place, q_b);
    for (int i = 0; i < c->n_dofs; i++)
      q[i] = (1 - w) * q_a[i] + w * q_b[i];
    out->heading[k] = (1 - w) * a->heading[k] + w * (b->heading[k] + place.yaw);
    memcpy(out->contact + (size_t)k * points, nearer->contact + (size_t)k * points, points);
  }
  return out;
}

/* ---- along a curve ---- */

/* The curve with the two points added at which the blend begins and ends. */
struct course {
  const struct registration *r;
  const struct path *a, *b;
  int n;
  double *u;                    /* points of the curve, real                      (n) */
  double *weight;               /* of b                                           (n) */
  double *time;                 /* of the blend [frames]                          (n) */
};

static double blend_value_at(int n, const double *values, double u)
{
  int k = (int)fmin(fmax(floor(u), 0), n - 2);
  return values[k] + (u - k) * (values[k + 1] - values[k]);
}

/* The point of the curve at which values, which grow, reach a value. */
static double blend_point_of(int n, const double *values, double value)
{
  int k = 0;
  while (k + 2 < n && values[k + 1] < value)
    k++;
  return k + (value - values[k]) / (values[k + 1] - values[k]);
}

/* Puts a point in its place among the others, unless it is there. */
static void blend_add_point(struct course *s, double u)
{
  int at = 0;
  while (at < s->n && s->u[at] < u)
    at++;
  if (at < s->n && s->u[at] == u)
    return;
  memmove(s->u + at + 1, s->u + at, (size_t)(s->n - at) * sizeof *s->u);
  s->u[at] = u;
  s->n++;
}

static struct course blend_lay_out(struct arena *arena, const struct registration *r, const struct path *a,
                                   const struct path *b)
{
  size_t room = (size_t)r->n + 2;
  struct course s = {.r = r, .a = a, .b = b, .u = ARENA_NEW(arena, room, double)};
  s.weight = ARENA_NEW(arena, room, double);
  s.time = ARENA_NEW(arena, room, double);
  double begin = blend_point_of(r->n, r->a, r->a[0] + 1), end = blend_point_of(r->n, r->b, r->b[r->n - 1] - 1);
  for (int k = 0; k < r->n; k++)
    blend_add_point(&s, k);
  blend_add_point(&s, begin);
  blend_add_point(&s, end);
  for (int k = 0; k < s.n; k++)
    s.weight[k] = end > begin ? blend_smooth_step((s.u[k] - begin) / (end - begin)) : s.u[k] > 0.5 * (begin + end);
  for (int k = 1; k < s.n; k++) {
    double da = blend_value_at(r->n, r->a, s.u[k]) - blend_value_at(r->n, r->a, s.u[k - 1]);
    double db = blend_value_at(r->n, r->b, s.u[k]) - blend_value_at(r->n, r->b, s.u[k - 1]);
    double w = 0.5 * (s.weight[k - 1] + s.weight[k]);
    s.time[k] = s.time[k - 1] + (1 - w) * da + w * db;
  }
  return s;
}

/* A path at a real frame: pose and heading. */
static double blend_sample(const struct path *p, double t, double *q)
{
  int k = (int)fmin(fmax(floor(t), 0), p->n_frames - 2);
  double part = t - k;
  const double *x = path_pose(p, k), *y = path_pose(p, k + 1);
  for (int i = 0; i < p->n_dofs; i++)
    q[i] = (1 - part) * x[i] + part * y[i];
  return (1 - part) * p->heading[k] + part * p->heading[k + 1];
}

/* Both motions at a point of the curve: poses in the frame that they share there, and where that frame is in each. */
struct moment {
  double weight, heading_b;     /* of b in the shared frame; a's is 0 */
  double *q_a, *q_b;
  struct clip_advance in_a, in_b;
};

static void blend_look(const struct course *s, double u, double weight, struct moment *m)
{
  const struct registration *r = s->r;
  int k = (int)fmin(fmax(floor(u), 0), r->n - 2);
  const struct clip_advance *p = &r->beside[k];
  double part = u - k, heading_a = blend_sample(s->a, blend_value_at(r->n, r->a, u), m->q_a);
  double heading_b = blend_sample(s->b, blend_value_at(r->n, r->b, u), m->q_b);
  struct clip_advance rel = {p[0].x + part * (p[1].x - p[0].x), p[0].y + part * (p[1].y - p[0].y),
                             p[0].yaw + part * (p[1].yaw - p[0].yaw)};
  m->weight = weight;
  m->in_a = (struct clip_advance){m->q_a[0], m->q_a[1], heading_a};
  m->in_b = ground_after((struct clip_advance){m->q_b[0], m->q_b[1], heading_b}, rel);
  m->heading_b = heading_b - m->in_b.yaw;
  clip_move_pose(ground_inverse(m->in_a), m->q_a);
  clip_move_pose(ground_inverse(m->in_b), m->q_b);
}

/* Way and turn of the shared frame from a moment to the next: between what the two motions do. */
static struct clip_advance blend_step_between(const struct moment *from, const struct moment *to)
{
  struct clip_advance a = ground_after(ground_inverse(from->in_a), to->in_a);
  struct clip_advance b = ground_after(ground_inverse(from->in_b), to->in_b);
  double w = 0.5 * (from->weight + to->weight);
  return (struct clip_advance){(1 - w) * a.x + w * b.x, (1 - w) * a.y + w * b.y, (1 - w) * a.yaw + w * b.yaw};
}

static void blend_set_frame(struct path *out, int k, const struct moment *m, struct clip_advance place)
{
  double *q = path_pose(out, k), w = m->weight;
  for (int i = 0; i < out->n_dofs; i++)
    q[i] = (1 - w) * m->q_a[i] + w * m->q_b[i];
  clip_move_pose(place, q);
  out->heading[k] = place.yaw + w * m->heading_b;
}

/* Points of the curve for the frames of the blend: natural tempo in the first and last interval, even in between. */
static double *blend_frame_points(struct arena *arena, const struct course *s, int n_frames, double *weight)
{
  double *u = ARENA_NEW(arena, (size_t)n_frames, double), all = s->time[s->n - 1];
  for (int k = 0; k < n_frames; k++) {
    double t = k == 0 ? 0 : k == n_frames - 1 ? all : 1 + (k - 1) * (all - 2) / (n_frames - 3);
    double at = blend_point_of(s->n, s->time, t);
    u[k] = blend_value_at(s->n, s->u, at);
    weight[k] = k < 2 ? 0 : k >= n_frames - 2 ? 1 : blend_value_at(s->n, s->weight, at);
  }
  return u;
}

enum { MOST_STRETCHES = 128 };

static void blend_set_contacts(struct arena *arena, const struct course *s, const double *u, struct path *out)
{
  struct registration_contact on[MOST_STRETCHES];
  double *weight = ARENA_NEW(arena, (size_t)s->r->n, double);
  for (int k = 0, i = 0; k < s->r->n; k++) {
    while (s->u[i] < k)
      i++;
    weight[k] = s->weight[i];
  }
  for (int p = 0; p < out->n_points; p++) {
    int n = registration_contacts(s->r, s->a, s->b, p, weight, MOST_STRETCHES, on);
    for (int k = 0; k < out->n_frames; k++)
      for (int i = 0; i < n; i++)
        if (u[k] >= on[i].on && u[k] < on[i].off)
          out->contact[(size_t)k * (size_t)out->n_points + (size_t)p] = 1;
  }
}

struct path *blend_registered(struct arena *arena, const struct creature *c, const struct registration *r,
                              const struct path *a, const struct path *b, int n_frames)
{
  struct arena *scratch = arena_new();
  struct path *out = path_new(arena, c, n_frames, a->dt);
  struct course s = blend_lay_out(scratch, r, a, b);
  size_t n = (size_t)c->n_dofs;
  double *poses = ARENA_NEW(scratch, 4 * n, double), *weight = ARENA_NEW(scratch, (size_t)n_frames, double);
  double *u = blend_frame_points(scratch, &s, n_frames, weight);
  struct moment two[2] = {{.q_a = poses, .q_b = poses + n}, {.q_a = poses + 2 * n, .q_b = poses + 3 * n}};
  struct clip_advance place = {0, 0, 0};
  for (int k = 0; k < n_frames; k++) {
    struct moment *now = &two[k % 2];
    blend_look(&s, u[k], weight[k], now);
    place = k ? ground_after(place, blend_step_between(&two[1 - k % 2], now)) : now->in_a;
    blend_set_frame(out, k, now, place);
  }
  blend_set_contacts(scratch, &s, u, out);
  arena_free(scratch);
  return out;
}

/* The floor and the feet of a captured motion; see floor.h. */
#include "capture/floor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "capture/angles.h"
#include "capture/feedforward.h"
#include "capture/levenberg.h"

struct sample { int frame, point; };

struct floor_problem {
  const struct creature *c;
  const struct clip *clip;
  struct dynamics *d;
  int n_samples, n_free;
  struct sample *samples;
  int *free_dof;                /* unknown -> dof; 0 .. 2 are height and slopes      (n_free) */
  const struct capture_floor_options *o;
  double *q, *J;                /* of a frame, of a point                 (n_dofs), (3 x n_dofs) */
};

void capture_floor_defaults(const struct creature *c, struct capture_floor_options *o)
{
  double size = c->height / CAPTURE_PERSON_HEIGHT;
  *o = (struct capture_floor_options){.speed = 0.35 * sqrt(size), .band = 0.025 * size, .angle_prior = 0.02,
                                      .slope_prior = 0.05, .wider = 2.5, .never = 3, .outlier = 2.5, .lowest = 0.05};
}

/* ---- who stands ---- */

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double lowest_height(const struct capture_tracks *t, int n, int n_points, int point, double share,
                            double *heights)
{
  for (int k = 0; k < n; k++)
    heights[k] = t->place[3 * (k * n_points + point) + 2];
  qsort(heights, (size_t)n, sizeof *heights, compare);
  return heights[(int)(share * n)];
}

/* Is the point slow, and as low as it gets, in this frame? */
static int floor_stands(const struct capture_tracks *t, const struct capture_floor_options *o, double low, int i)
{
  return t->speed[i] < o->speed && t->place[3 * i + 2] < low + (o->with_slope ? o->wider : 1) * o->band;
}

/* Those that stand. The floor is about where the point that stands longest does; points that never come there are left
 * out: hands that wave slowly, and backs that a body of other proportions pushes through the floor. */
static void find_samples(struct floor_problem *f, const struct capture_floor_options *o)
{
  struct arena *scratch = arena_new();
  struct capture_tracks t;
  int n = f->clip->n_frames, points = f->c->n_points, longest = -1;
  double *heights = ARENA_NEW(scratch, (size_t)n, double), *low = ARENA_NEW(scratch, (size_t)points + 1, double),
         floor = 0;
  capture_point_tracks(scratch, f->c, f->clip, &t);
  for (int p = 0; p < points; p++) {
    int count = 0;
    low[p] = lowest_height(&t, n, points, p, o->lowest, heights);
    for (int k = 0; k < n; k++)
      count += floor_stands(&t, o, low[p], k * points + p);
    if (count > longest)
      longest = count, floor = low[p];
  }
  for (int p = 0; p < points; p++)
    for (int k = 0; k < n && fabs(low[p] - floor) <= o->never * o->band; k++)
      if (floor_stands(&t, o, low[p], k * points + p))
        f->samples[f->n_samples++] = (struct sample){k, p};
  arena_free(scratch);
}

/* ---- what can be turned ---- */

static int carries(const struct creature *c, int above, int below)
{
  while (below > above)
    below = c->limbs[below].parent;
  return below == above;
}

/* Points on a limb or below it; -1 if none of them is its own. */
static int points_of(const struct creature *c, int limb)
{
  int n = 0, own = 0;
  for (int p = 0; p < c->n_points; p++) {
    own += c->points[p].limb == limb;
    n += carries(c, limb, c->points[p].limb);
  }
  return own ? n : -1;
}

static void find_free(struct floor_problem *f, int keep_feet)
{
  f->n_free = 3;
  for (int i = 1; i < f->c->n_limbs && !keep_feet; i++) {
    const struct limb *l = &f->c->limbs[i];
    if (points_of(f->c, i) >= 2)
      for (int k = 0; k < l->n_dofs; k++)
        f->free_dof[f->n_free++] = l->first_dof + k;
  }
}

/* ---- the fit ---- */

static void floor_evaluate(void *user, const double *x, double *r, double *J)
{
  struct floor_problem *f = user;
  int n = f->c->n_dofs, m = f->n_samples, frame = -1;
  for (int s = 0; s < m; s++) {
    const struct contact_point *p = &f->c->points[f->samples[s].point];
    double at[3];
    if (f->samples[s].frame != frame) {
      frame = f->samples[s].frame;
      clip_frame(f->clip, frame, f->q);
      for (int i = 3; i < f->n_free; i++)
        f->q[f->free_dof[i]] += x[i];
      dynamics_kinematics(f->d, f->q);
    }
    dynamics_point(f->d, p->body, p->at, at);
    r[s] = at[2] - x[0] - x[1] * at[0] - x[2] * at[1];
    if (!J)
      continue;
    double *row = J + (size_t)s * (size_t)f->n_free;
    dynamics_point_jacobian(f->d, p->body, p->at, f->J);
    row[0] = -1;
    row[1] = f->o->with_slope ? -at[0] : 0;
    row[2] = f->o->with_slope ? -at[1] : 0;
    for (int i = 3; i < f->n_free; i++) {
      int k = f->free_dof[i];
      row[i] = f->J[2 * n + k] - x[1] * f->J[k] - x[2] * f->J[n + k];
    }
  }
  for (int i = 1; i < f->n_free; i++) { /* priors */
    double weight = (i < 3 ? f->o->slope_prior : f->o->angle_prior) * sqrt(m);
    r[m + i - 1] = weight * x[i];
    if (J)
      J[(size_t)(m + i - 1) * (size_t)f->n_free + (size_t)i] = weight;
  }
}

static double rms(const struct floor_problem *f, const double *r)
{
  double sum = 0;
  for (int s = 0; s < f->n_samples; s++)
    sum += r[s] * r[s];
  return f->n_samples ? sqrt(sum / f->n_samples) : 0;
}

static int drop_outliers(struct floor_problem *f, const double *r, double limit)
{
  int kept = 0, before = f->n_samples;
  for (int s = 0; s < before; s++)
    if (fabs(r[s]) <= limit)
      f->samples[kept++] = f->samples[s];
  f->n_samples = kept;
  return before - kept;
}

static int by_frame(const void *a, const void *b)
{
  const struct sample *x = a, *y = b;
  return x->frame != y->frame ? x->frame - y->frame : x->point - y->point;
}

static void floor_solve(struct arena *scratch, struct floor_problem *f, struct capture_floor *out, double *x)
{
  int rows = f->n_samples + f->n_free;
  double *r = ARENA_NEW(scratch, (size_t)rows, double);
  struct levenberg *l = levenberg_new(scratch, f->n_free, rows);
  struct levenberg_problem p = {
      .n = f->n_free, .user = f, .evaluate = floor_evaluate, .max_iterations = 100, .tolerance = 1e-10};
  double mean = 0; /* start at the mean height */
  floor_evaluate(f, x, r, NULL);
  for (int s = 0; s < f->n_samples; s++)
    mean += r[s] / f->n_samples;
  x[0] += mean;
  floor_evaluate(f, x, r, NULL);
  out->rms_before = rms(f, r);
  out->n_samples = f->n_samples;
  /* with all samples; with those near the floor that was found; with those that fit as well as the others */
  for (int round = 0; round < 3; round++) {
    p.m = f->n_samples + f->n_free - 1;
    out->iterations += levenberg_solve(l, &p, x).iterations;
    floor_evaluate(f, x, r, NULL);
    out->rms = rms(f, r);
    double outlier = f->o->outlier * out->rms;
    if (round < 2)
      out->n_dropped += drop_outliers(f, r, round == 0 ? fmax(f->o->band, outlier) : outlier + 1e-6);
  }
}

struct capture_floor capture_fit_floor(struct arena *arena, const struct creature *c, const struct clip *clip,
                                       const struct capture_floor_options *o)
{
  struct arena *scratch = arena_new();
  struct capture_floor out = {.offset = ARENA_NEW(arena, (size_t)c->n_dofs, double)};
  struct capture_floor_options defaults;
  capture_floor_defaults(c, &defaults);
  o = o ? o : &defaults;
  struct floor_problem f = {.c = c, .clip = clip, .d = dynamics_new(scratch, c), .o = o};
  f.samples = ARENA_NEW(scratch, (size_t)clip->n_frames * (size_t)c->n_points + 1, struct sample);
  f.free_dof = ARENA_NEW(scratch, (size_t)c->n_dofs + 3, int);
  f.q = ARENA_NEW(scratch, (size_t)c->n_dofs, double);
  f.J = ARENA_NEW(scratch, 3 * (size_t)c->n_dofs, double);
  find_samples(&f, o);
  qsort(f.samples, (size_t)f.n_samples, sizeof *f.samples, by_frame);
  find_free(&f, o->keep_feet);
  double *x = ARENA_NEW(scratch, (size_t)f.n_free, double);
  if (f.n_samples > 0)
    floor_solve(scratch, &f, &out, x);
  out.height = x[0];
  out.slope[0] = x[1];
  out.slope[1] = x[2];
  for (int i = 3; i < f.n_free; i++)
    out.offset[f.free_dof[i]] = x[i];
  arena_free(scratch);
  return out;
}

/* The rotation that takes the floor's normal to z, and then moves it to 0: of the root's place and attitude. */
static void level_root(const struct creature *c, const struct capture_floor *f, struct levenberg *l, double *q)
{
  double normal = sqrt(1 + f->slope[0] * f->slope[0] + f->slope[1] * f->slope[1]);
  double turn[4] = {1 + 1 / normal, -f->slope[1] / normal, f->slope[0] / normal, 0}; /* 1 + n . z, n x z */
  double T[9], R[9], turned[9], at[3] = {q[0], q[1], q[2] - f->height};
  quat_normalize(turn);
  quat_to_matrix(turn, T);
  mat3_mul_vec(T, at, q);
  capture_joint_rotation(c->dofs + 3, 3, q + 3, R);
  mat3_mul(T, R, turned);
  capture_find_angles(l, c->dofs + 3, 3, turned, q + 3);
}

void capture_apply_floor(const struct creature *c, const struct capture_floor *f, struct clip *clip)
{
  struct arena *scratch = arena_new();
  struct levenberg *l = levenberg_new(scratch, 3, 9);
  for (int k = 0; k < clip->n_frames; k++) {
    double *q = clip->q + (size_t)k * (size_t)c->n_dofs;
    if (f->slope[0] != 0 || f->slope[1] != 0)
      level_root(c, f, l, q);
    else
      q[2] -= f->height;
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      if (f->offset[i] != 0)
        q[i] = fmin(fmax(q[i] + f->offset[i], c->dofs[i].lower), c->dofs[i].upper);
  }
  arena_free(scratch);
}

/* Reference motions from pieces of clips: frames in one row, their derivatives, the torques that they need, windows. */
#include "follow/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spline.h"
#include "dynamics/dynamics.h"
#include "dynamics/reach.h"
#include "dynamics/tissue.h"
#include "motion/ground.h"

#define WINDOWS_OF_CYCLE 8
#define DEFAULT_SECONDS 0.1     /* of a window: Liu 2010, section 3.2.3 */
#define SPLINE_BEYOND 24        /* frames unrolled at either end: what is further away is forgotten like 0.27 to the
                                   power of the distance */
#define LEAST_COSINE 0.3        /* of the pitch of a root that is upright: 73 degrees */

/* ---- frames ---- */

static struct reference *reference_new(struct arena *arena, const struct creature *c, int n_frames, double dt)
{
  struct reference *r = ARENA_NEW(arena, 1, struct reference);
  size_t n = (size_t)n_frames;
  *r = (struct reference){.creature = c, .n_frames = n_frames, .n_dofs = c->n_dofs, .n_points = c->n_points, .dt = dt};
  r->q = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  r->v = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  r->torque = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  r->contact = ARENA_NEW(arena, n * (size_t)c->n_points, unsigned char);
  r->force = ARENA_NEW(arena, n * (size_t)c->n_points * 3, double);
  return r;
}

/* The frame of the arrays of a clip that stands for any frame, and how often `advance` has moved it. */
static int wrap_frame(const struct clip *clip, int k, int *cycles)
{
  int n = clip->n_frames;
  *cycles = !clip->cyclic ? 0 : k >= 0 ? k / n : -((-k + n - 1) / n);
  return k - *cycles * n;
}

/* Forces are the world's: those of a frame turn with it. */
static void copy_forces(struct reference *r, int to, const struct reference_piece *p, int k)
{
  int cycles, m = p->clip->n_points, at = wrap_frame(p->clip, k, &cycles);
  double yaw = p->place.yaw + cycles * p->clip->advance.yaw, s = sin(yaw), c = cos(yaw);
  const double *f = p->clip->force + (size_t)at * (size_t)m * 3;
  double *out = r->force + (size_t)to * (size_t)m * 3;
  memcpy(r->contact + (size_t)to * (size_t)m, p->clip->contact + (size_t)at * (size_t)m, (size_t)m);
  for (int i = 0; i < m; i++, f += 3, out += 3) {
    out[0] = c * f[0] - s * f[1];
    out[1] = s * f[0] + c * f[1];
    out[2] = f[2];
  }
}

static void copy_pose(struct reference *r, int to, const struct reference_piece *p, int k)
{
  double *q = r->q + (size_t)to * (size_t)r->n_dofs;
  clip_frame(p->clip, k, q);
  clip_place_pose(p->clip, p->place, q);
  if (to > 0) { /* yaw goes on smoothly, whatever whole turns the clips have made */
    double before = q[3 - r->n_dofs];
    q[3] = before + ground_wrap(q[3] - before);
  }
}

/* Does the clip have this frame? */
static int has_frame(const struct clip *clip, int k)
{
  return clip->cyclic || (k >= 0 && k < clip->n_frames);
}

/* A neighbour of the first or last frame, from the clip if it goes on there, else as if the velocity did. */
static void end_neighbour(const struct reference *r, const struct reference_piece *p, int k, int frame, double *q)
{
  size_t n = (size_t)r->n_dofs;
  const double *here = r->q + (size_t)frame * n, *other = frame > 0 ? here - n : here + n;
  if (p && has_frame(p->clip, k)) {
    clip_frame(p->clip, k, q);
    clip_place_pose(p->clip, p->place, q);
    q[3] = here[3] + ground_wrap(q[3] - here[3]);
    return;
  }
  for (size_t i = 0; i < n; i++)
    q[i] = 2 * here[i] - other[i];
}

/* Torques of one frame: what is left over for the joints. */
static void frame_torques(const struct reference *r, struct dynamics *d, const int *points, int k, const double *a)
{
  size_t n = (size_t)r->n_dofs, at = (size_t)k * n;
  const double *force = r->force + (size_t)k * (size_t)r->n_points * 3;
  struct dynamics_contacts contacts = {.n = r->n_points, .point = points, .force = force};
  dynamics_residual(d, r->q + at, r->v + at, a, &contacts, r->torque + at, NULL);
  memset(r->torque + at, 0, CREATURE_ROOT_DOFS * sizeof(double));
  tissue_subtract(r->creature, r->q + at, r->v + at, r->torque + at); /* tissue does its part by itself */
}

/* Velocities by central differences, and torques unless they are given. before and after are the frames around the
 * first and last. */
static void reference_derive(struct arena *arena, struct reference *r, const double *before, const double *after)
{
  size_t n = (size_t)r->n_dofs;
  struct dynamics *d = dynamics_new(arena, r->creature);
  double *a = ARENA_NEW(arena, n, double), h = r->dt;
  int *points = ARENA_NEW(arena, (size_t)r->n_points + 1, int);
  for (int p = 0; p < r->n_points; p++)
    points[p] = p;
  for (int k = 0; k < r->n_frames; k++) {
    const double *q = r->q + (size_t)k * n;
    const double *last = k > 0 ? q - n : before, *next = k + 1 < r->n_frames ? q + n : after;
    double *v = r->v + (size_t)k * n;
    for (size_t i = 0; i < n; i++) {
      v[i] = (next[i] - last[i]) / (2 * h);
      a[i] = (next[i] - 2 * q[i] + last[i]) / (h * h);
    }
    if (!r->torques_given)
      frame_torques(r, d, points, k, a);
  }
}

/* ---- windows ---- */

struct cutting {
  struct reference *r;
  int *id, *at;                 /* of the clip that a frame is from; the frame in it, wrapped     (n_frames) */
};

static int contacts_change(const struct reference *r, int k)
{
  size_t m = (size_t)r->n_points;
  return k > 0 && memcmp(r->contact + (size_t)k * m, r->contact + (size_t)(k - 1) * m, m) != 0;
}

int reference_nearest_change(const struct reference *r, int frame, int reach)
{
  for (int off = 0; off <= reach; off++) {
    if (contacts_change(r, frame - off))
      return frame - off;
    if (contacts_change(r, frame + off))
      return frame + off;
  }
  return frame;
}

/* Windows from frame `from` to frame `until`, both being edges: evenly spaced, then moved to where contacts change
 * nearby. */
static void cut_evenly(struct reference *r, int *n, int from, int until, int size)
{
  int count = (until - from + size / 2) / size, least = size >= 4 ? size / 2 : 1;
  if (count < 1)
    count = 1;
  for (int i = 0; i < count; i++) {
    int edge = from + (until - from) * i / count;
    if (i > 0) {
      int moved = reference_nearest_change(r, edge, size / 2);
      if (moved - r->first[*n - 1] >= least && until - moved >= least)
        edge = moved;
    }
    if (i == 0 || (edge - r->first[*n - 1] >= least && until - edge >= least))
      r->first[(*n)++] = edge;
  }
}

/* The model of a window: that of an earlier one with the same frames, or a new one. */
static int find_model(struct cutting *cut, int w)
{
  struct reference *r = cut->r;
  int start = r->first[w], end = r->first[w + 1];
  struct reference_key key = {cut->id[start], cut->at[start], end - start, cut->id[end], cut->at[end], 0};
  for (int m = 0; m < r->n_models; m++)
    if (!memcmp(&r->keys[m], &key, sizeof key))
      return m;
  r->keys[r->n_models] = key;
  r->typical[r->n_models] = w;
  return r->n_models++;
}

/* Edges at the ends of pieces, then evenly between them. n_tracked: the frame at which what is tracked ends. */
static void cut_windows(struct arena *arena, struct cutting *cut, int n_edges, const int *edges, int size,
                        int n_tracked)
{
  struct reference *r = cut->r;
  size_t room = (size_t)r->n_frames + 1;
  int n = 0;
  r->first = ARENA_NEW(arena, room, int);
  for (int e = 0; e + 1 < n_edges; e++) {
    if (edges[e] == n_tracked)
      r->n_windows = n;
    cut_evenly(r, &n, edges[e], edges[e + 1], size);
  }
  r->n_ahead = n;
  r->first[n] = edges[n_edges - 1];
  if (n_tracked >= edges[n_edges - 1])
    r->n_windows = n;
  r->model = ARENA_NEW(arena, (size_t)n, int);
  r->typical = ARENA_NEW(arena, (size_t)n, int);
  r->keys = ARENA_NEW(arena, (size_t)n, struct reference_key);
  for (int w = 0; w < n; w++)
    r->model[w] = find_model(cut, w);
}

/* ---- from pieces ---- */

static int check_pieces(const struct creature *c, int n, const struct reference_piece *p, struct diag *d)
{
  int frames = 0;
  for (int i = 0; i < n; i++) {
    frames += p[i].count;
    if (p[i].clip->n_dofs != c->n_dofs || p[i].clip->n_points != c->n_points) {
      diag_error(d, c->file, 0,
                 "clip '%s' is of another creature: %d degrees of freedom and %d contact points, not %d and %d",
                 p[i].clip->name, p[i].clip->n_dofs, p[i].clip->n_points, c->n_dofs, c->n_points);
      return 0;
    }
    if (fabs(p[i].clip->dt - p[0].clip->dt) > 1e-9 * p[0].clip->dt) {
      diag_error(d, c->file, 0, "clips '%s' and '%s' have different frame rates", p[0].clip->name, p[i].clip->name);
      return 0;
    }
    const double *rise = p[i].clip->ground.rise, *first = p[0].clip->ground.rise;
    if (rise[0] != first[0] || rise[1] != first[1]) {
      diag_error(d, c->file, 0, "clips '%s' and '%s' are on different ground", p[0].clip->name, p[i].clip->name);
      return 0;
    }
    if (rise[1] != 0) {
      diag_error(d, c->file, 0, "clip '%s' is on ground that rises to the side: only slopes along the way of its nose "
                                "can be simulated", p[i].clip->name);
      return 0;
    }
  }
  if (n > 0 && frames >= 4)
    return 1;
  diag_error(d, c->file, 0, "a motion to be tracked must have at least 4 frames, found %d", frames);
  return 0;
}

/* About how many frames a window shall have. */
static int window_size(const struct reference_options *o, int n, const struct reference_piece *p)
{
  int cycle = 0;
  for (int i = 0; i < n && !cycle; i++)
    if (p[i].clip->cyclic)
      cycle = p[i].clip->n_frames;
  double size = cycle ? (double)cycle / WINDOWS_OF_CYCLE
                      : (o && o->window_seconds > 0 ? o->window_seconds : DEFAULT_SECONDS) / p[0].clip->dt;
  if (o && o->window_frames > 0)
    size = o->window_frames;
  return size < 1.5 ? 1 : (int)(size + 0.5);
}

/* Copies the frames of a piece to `to` and on; contacts and forces of its first frame are those of the way one came. */
static void fill_piece(struct cutting *cut, int to, const struct reference_piece *p, const struct reference_piece *came)
{
  for (int k = 0; k < p->count; k++) {
    int cycles;
    copy_pose(cut->r, to + k, p, p->first + k);
    if (k == 0 && came && has_frame(came->clip, came->first + came->count))
      copy_forces(cut->r, to, came, came->first + came->count);
    else
      copy_forces(cut->r, to + k, p, p->first + k);
    cut->id[to + k] = p->id;
    cut->at[to + k] = wrap_frame(p->clip, p->first + k, &cycles);
  }
}

struct reference *reference_of_pieces(struct arena *arena, const struct creature *c, int n,
                                      const struct reference_piece *pieces,
                                      const struct reference_options *o, struct diag *d)
{
  if (!check_pieces(c, n, pieces, d))
    return NULL;
  struct reference_piece *all = ARENA_NEW(arena, (size_t)n + 1, struct reference_piece);
  memcpy(all, pieces, (size_t)n * sizeof *all);
  int tracked = 0, m = n;
  for (int i = 0; i < n; i++)
    tracked += pieces[i].count;
  const struct reference_piece *end = &pieces[n - 1];
  if (end->clip->cyclic)
    all[m++] = (struct reference_piece){end->clip, end->id, end->first + end->count, end->clip->n_frames, end->place};
  int frames = tracked + (m > n ? end->clip->n_frames + 1 : 0);
  struct cutting cut = {.r = reference_new(arena, c, frames, pieces[0].clip->dt)};
  cut.id = ARENA_NEW(arena, 2 * (size_t)frames, int);
  cut.at = cut.id + frames;
  int *edges = ARENA_NEW(arena, (size_t)m + 2, int), n_edges = 0, at = 0;
  for (int i = 0; i < m; at += all[i++].count) {
    fill_piece(&cut, at, &all[i], i ? &all[i - 1] : NULL);
    edges[n_edges++] = at;
  }
  if (m > n) { /* the frame in which the cycle closes */
    struct reference_piece last = all[m - 1];
    last.first += last.count;
    last.count = 1;
    fill_piece(&cut, at, &last, &all[m - 1]);
  }
  edges[n_edges++] = frames - 1;
  double *around = ARENA_NEW(arena, 2 * (size_t)c->n_dofs, double);
  end_neighbour(cut.r, all, all[0].first - 1, 0, around);
  end_neighbour(cut.r, &all[m - 1], all[m - 1].first + all[m - 1].count + (m > n), frames - 1, around + c->n_dofs);
  reference_derive(arena, cut.r, around, around + c->n_dofs);
  cut.r->slope = atan(pieces[0].clip->ground.rise[0]);
  cut_windows(arena, &cut, n_edges, edges, window_size(o, n, pieces), m > n ? tracked : frames - 1);
  return cut.r;
}

struct reference *reference_of_frames(struct arena *arena, const struct creature *c, const struct clip *clip,
                                      const double *torque, const struct reference_options *o, struct diag *d)
{
  struct clip once = *clip;
  once.cyclic = 0;
  struct reference_piece piece = {.clip = &once, .id = 1, .first = 0, .count = clip->n_frames};
  struct reference *r = reference_of_pieces(arena, c, 1, &piece, o, d);
  if (r)
    r->torques_given = torque != NULL;
  if (r && torque)
    memcpy(r->torque, torque, (size_t)r->n_frames * (size_t)r->n_dofs * sizeof *torque);
  for (int k = 0; r && k < r->n_frames; k++)
    memset(r->torque + (size_t)k * (size_t)r->n_dofs, 0, CREATURE_ROOT_DOFS * sizeof(double));
  return r;
}

/* ---- one clip, at any time ---- */

/* Frame k of a clip that is unrolled a little at both ends. Beyond the ends of one that is no cycle it continues as it
 * came, mirrored in its last pose: a captured walk begins and ends in motion. */
static void unrolled_frame(const struct clip *clip, int k, double *end, double *q)
{
  int last = clip->n_frames - 1, at = k < 0 ? 0 : last, mirrored = 2 * at - k;
  if (clip->cyclic || (k >= 0 && k <= last)) {
    clip_frame(clip, k, q);
    return;
  }
  clip_frame(clip, at, end);
  clip_frame(clip, mirrored < 0 ? 0 : mirrored > last ? last : mirrored, q);
  for (int i = 0; i < clip->n_dofs; i++)
    q[i] = 2 * end[i] - q[i];
}

struct reference *reference_of_clip(struct arena *arena, const struct creature *c, const struct clip *clip)
{
  int frames = clip->n_frames + (clip->cyclic != 0), n = frames + 2 * SPLINE_BEYOND;
  size_t width = (size_t)c->n_dofs, p = (size_t)c->n_points;
  struct reference *r = reference_new(arena, c, frames, clip->dt);
  struct arena *scratch = arena_new();
  double *q = ARENA_NEW(scratch, ((size_t)n + 1) * width, double), *end = q + (size_t)n * width;
  for (int k = 0; k < n; k++)
    unrolled_frame(clip, k - SPLINE_BEYOND, end, q + (size_t)k * width);
  struct spline s = spline_fit(scratch, n, width, q, clip->dt, SPLINE_NATURAL);
  memcpy(r->q, q + SPLINE_BEYOND * width, (size_t)frames * width * sizeof *q);
  for (int k = 0; k < frames; k++)
    spline_at(&s, k + SPLINE_BEYOND, 0, NULL, r->v + (size_t)k * width, NULL);
  arena_free(scratch);
  r->cyclic = clip->cyclic != 0;
  r->advance = clip->advance;
  r->climb = clip_climb(clip);
  struct reference_piece whole = {.clip = clip, .count = frames};
  for (int k = 0; k < frames && p; k++)
    copy_forces(r, k, &whole, k);
  r->first = ARENA_NEW(arena, 2, int);
  r->first[1] = frames - 1;
  r->n_windows = r->n_ahead = 1;
  return r;
}

/* Takes whole cycles off a frame, which is left within the reference; how many. */
static int take_cycles(const struct reference *r, int *k)
{
  int n = r->n_frames - 1, cycles = !r->cyclic ? 0 : *k >= 0 ? *k / n : -((-*k + n - 1) / n);
  *k -= cycles * n;
  return cycles;
}

void reference_between(const struct reference *r, int k, double share, double *q, double *v, double *torque)
{
  size_t n = (size_t)r->n_dofs;
  int cycles = take_cycles(r, &k);
  if (k < 0)
    k = 0, share = 0;
  if (k > r->n_frames - 2) {
    share += k - (r->n_frames - 2);
    k = r->n_frames - 2;
    if (share > 1)
      share = 1;
  }
  const double *q0 = r->q + (size_t)k * n, *q1 = q0 + n, *v0 = r->v + (size_t)k * n, *v1 = v0 + n;
  const double *t0 = r->torque + (size_t)k * n, *t1 = t0 + n;
  double s = share, h = r->dt, s2 = s * s, s3 = s2 * s;
  double a0 = 2 * s3 - 3 * s2 + 1, b0 = (s3 - 2 * s2 + s) * h, a1 = 3 * s2 - 2 * s3, b1 = (s3 - s2) * h;
  double c0 = (6 * s2 - 6 * s) / h, d0 = 3 * s2 - 4 * s + 1, d1 = 3 * s2 - 2 * s;
  for (size_t i = 0; q && i < n; i++)
    q[i] = a0 * q0[i] + b0 * v0[i] + a1 * q1[i] + b1 * v1[i];
  for (size_t i = 0; v && i < n; i++)
    v[i] = c0 * (q0[i] - q1[i]) + d0 * v0[i] + d1 * v1[i];
  for (size_t i = 0; torque && i < n; i++)
    torque[i] = (1 - s) * t0[i] + s * t1[i];
  struct clip_advance by = cycles > 0 ? r->advance : ground_inverse(r->advance);
  for (int i = 0; q && i < abs(cycles); i++)
    clip_move_pose(by, q);
  if (q && cycles)
    q[2] += cycles * r->climb;
  if (v && cycles) {
    double turn = cycles * r->advance.yaw, x = v[0], y = v[1];
    v[0] = cos(turn) * x - sin(turn) * y;
    v[1] = sin(turn) * x + cos(turn) * y;
  }
}

void reference_at(const struct reference *r, double frame, double *q, double *v, double *torque)
{
  int k = (int)floor(frame);
  reference_between(r, k, frame - k, q, v, torque);
}

void reference_contacts(const struct reference *r, double frame, unsigned char *contact, double *force)
{
  int last = r->n_frames - 1;
  if (!r->cyclic)
    frame = fmin(last, fmax(0, frame));
  int a = (int)floor(frame);
  double t = frame - a, turn = take_cycles(r, &a) * r->advance.yaw, sn = sin(turn), cs = cos(turn);
  int b = a + 1 > last ? last : a + 1, near = t < 0.5 ? a : b;
  for (int p = 0; p < r->n_points; p++) {
    const double *fa = r->force + 3 * (size_t)(a * r->n_points + p), *fb = r->force + 3 * (size_t)(b * r->n_points + p);
    int both = r->contact[a * r->n_points + p] && r->contact[b * r->n_points + p];
    double share = both ? t : near == b, f[3];
    contact[p] = r->contact[near * r->n_points + p];
    for (int i = 0; i < 3; i++)
      f[i] = contact[p] ? (1 - share) * fa[i] + share * fb[i] : 0;
    force[3 * p] = cs * f[0] - sn * f[1];
    force[3 * p + 1] = sn * f[0] + cs * f[1];
    force[3 * p + 2] = f[2];
  }
}

/* ---- on a slope ---- */

/* Feet as far above the slope as they were above the level ground, the root as high above it, upright as it was. */
static void lay_pose(const struct reference *r, struct dynamics *d, double slope, double *q, struct arena *scratch)
{
  double *goal = ARENA_NEW(scratch, 3 * (size_t)r->n_points + 1, double), rise = tan(slope);
  dynamics_kinematics(d, q);
  for (int p = 0; p < r->n_points; p++) {
    const struct contact_point *c = &r->creature->points[p];
    dynamics_point(d, c->body, c->at, goal + 3 * p);
    goal[3 * p + 2] += rise * goal[3 * p];
  }
  q[2] += rise * q[0];
  reach_goals(reach_new(scratch, r->creature, d, 1), goal, NULL, q);
}

/* Windows are the same motion only if they also point the same way up or down the slope. */
static void part_models(struct reference *r)
{
  struct reference_key *old = r->keys;
  int n = r->n_models, *model = r->model;
  struct arena *scratch = arena_new();
  struct reference_key *keys = ARENA_NEW(scratch, (size_t)n, struct reference_key);
  memcpy(keys, old, (size_t)n * sizeof *keys);
  r->n_models = 0;
  for (int w = 0; w < r->n_ahead; w++) {
    struct reference_key key = keys[model[w]];
    key.heading = 1 + (int)lround(200 * ground_wrap(r->q[(size_t)r->first[w] * (size_t)r->n_dofs + 3]));
    int m = 0;
    while (m < r->n_models && memcmp(&r->keys[m], &key, sizeof key))
      m++;
    if (m == r->n_models) {
      r->keys[m] = key;
      r->typical[r->n_models++] = w;
    }
    model[w] = m;
  }
  arena_free(scratch);
}

void reference_lay(struct reference *r, double slope)
{
  size_t n = (size_t)r->n_dofs;
  struct arena *scratch = arena_new();
  double *around = ARENA_NEW(scratch, 2 * n, double);
  for (size_t i = 0; i < n; i++) { /* as if the velocity went on at the ends */
    around[i] = r->q[n + i] - 2 * r->dt * r->v[i];
    around[n + i] = r->q[((size_t)r->n_frames - 2) * n + i] + 2 * r->dt * r->v[((size_t)r->n_frames - 1) * n + i];
  }
  struct dynamics *d = dynamics_new(scratch, r->creature);
  for (int k = -1; k <= r->n_frames; k++) {
    struct arena *small = arena_new();
    lay_pose(r, d, slope, k < 0 ? around : k == r->n_frames ? around + n : r->q + (size_t)k * n, small);
    arena_free(small);
  }
  reference_derive(scratch, r, around, around + n);
  r->slope = slope;
  part_models(r);
  arena_free(scratch);
}

double reference_seconds(const struct reference *r)
{
  return r->first[r->n_windows] * r->dt;
}

int reference_upright(const struct reference *r, int window)
{
  for (int k = r->first[window]; k <= r->first[window + 1]; k++)
    if (!(cos(r->q[(size_t)k * (size_t)r->n_dofs + 4]) > LEAST_COSINE))
      return 0;
  return 1;
}

/* Warps of rhythm, velocity and direction. */
#include "motion/warp.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"

#define OFF_PATH 0.01 /* weight of a foot's time warp for dofs that do not carry that foot: the paper's */

/* ---- rhythm ---- */

struct rhythm rhythm_of_gait(struct arena *arena, const struct creature *c, const struct gait *g, int n_frames,
                             double dt)
{
  unsigned char *contact = ARENA_NEW(arena, (size_t)n_frames * (size_t)c->n_points, unsigned char);
  for (int k = 0; k < n_frames; k++)
    for (int i = 0; i < c->n_points; i++)
      contact[k * c->n_points + i] = gait_contact(g, i, (k + 0.5) / n_frames) != 0;
  return (struct rhythm){n_frames, c->n_points, dt, contact};
}

struct rhythm rhythm_of_clip(const struct clip *clip)
{
  return (struct rhythm){clip->n_frames, clip->n_points, clip->dt, clip->contact};
}

/* Is a foot on the ground at a frame, any integer? */
static int warp_stands(const struct creature *c, const struct rhythm *r, int foot, int k)
{
  int n = r->n_frames, row = (k % n + n) % n, first = c->feet[foot].first_point;
  for (int i = first; i < first + c->feet[foot].n_points; i++)
    if (r->contact[row * r->n_points + i])
      return 1;
  return 0;
}

int rhythm_contacts(const struct creature *c, const struct rhythm *r, int foot)
{
  int count = 0;
  for (int k = 0; k < r->n_frames; k++)
    count += warp_stands(c, r, foot, k) && !warp_stands(c, r, foot, k - 1);
  return count == 0 && warp_stands(c, r, foot, 0) ? -1 : count;
}

int rhythm_matches(const struct creature *c, const struct rhythm *a, const struct rhythm *b)
{
  for (int foot = 0; foot < c->n_feet; foot++)
    if (rhythm_contacts(c, a, foot) != rhythm_contacts(c, b, foot))
      return 0;
  return 1;
}

/* Change number `which` of a foot between air and ground: 0 the first touch-down, 1 the lift-off after it, 2 the next
 * touch-down, and so on around the cycle [frames]. A foot changes halfway between two frames. */
static double warp_change_at(const struct creature *c, const struct rhythm *r, int foot, int which)
{
  int k = 0, seen = -1;
  while (!(warp_stands(c, r, foot, k) && !warp_stands(c, r, foot, k - 1)))
    k++;
  for (;; k++) {
    seen += warp_stands(c, r, foot, k) != warp_stands(c, r, foot, k - 1);
    if (seen == which)
      return k - 0.5;
  }
}

/* The target's changes and those of the clip that they are paired with. */
struct pairing {
  const struct creature *c;
  const struct rhythm *source, *target;
  int foot, n_changes, first;   /* first: the source's change beside the target's first */
};

/* How far ahead the source is of the target at change i, in cycles. */
static double warp_lead(const struct pairing *p, int i)
{
  return warp_change_at(p->c, p->source, p->foot, p->first + i) / p->source->n_frames -
         warp_change_at(p->c, p->target, p->foot, i) / p->target->n_frames;
}

static double warp_unevenness(const struct pairing *p)
{
  double sum = 0, square = 0;
  for (int i = 0; i < p->n_changes; i++)
    sum += warp_lead(p, i), square += warp_lead(p, i) * warp_lead(p, i);
  return square - sum * sum / p->n_changes;
}

/* In order around the cycle; of the possible starts, the one that hurries least. */
static struct pairing warp_pair_changes(const struct creature *c, const struct rhythm *source,
                                        const struct rhythm *target, int foot)
{
  int contacts = rhythm_contacts(c, target, foot);
  struct pairing best = {c, source, target, foot, contacts > 0 ? 2 * contacts : 0, 0};
  for (int i = 1; i < contacts; i++) {
    struct pairing other = best;
    other.first = 2 * i;
    if (warp_unevenness(&other) < warp_unevenness(&best) - 1e-12)
      best = other;
  }
  return best;
}

/* By how much the feet that step lead, in cycles: the mean around the circle. */
static double warp_common_lead(const struct creature *c, const struct rhythm *source, const struct rhythm *target)
{
  double x = 0, y = 0;
  for (int foot = 0; foot < c->n_feet; foot++) {
    struct pairing p = warp_pair_changes(c, source, target, foot);
    for (int i = 0; i < p.n_changes; i++)
      x += cos(2 * PI * warp_lead(&p, i)), y += sin(2 * PI * warp_lead(&p, i));
  }
  return hypot(x, y) > 1e-9 ? atan2(y, x) / (2 * PI) : 0;
}

/* Time in the source at time t of the target [frames]: linear from change to change. */
static double warp_paired_time(const struct pairing *p, double t)
{
  int n = p->target->n_frames, i = 0;
  double start = warp_change_at(p->c, p->target, p->foot, 0), turns = floor((t - start) / n);
  t -= turns * n;
  while (i + 1 < p->n_changes && t >= warp_change_at(p->c, p->target, p->foot, i + 1))
    i++;
  double from = warp_change_at(p->c, p->target, p->foot, i), until = warp_change_at(p->c, p->target, p->foot, i + 1);
  double a = warp_change_at(p->c, p->source, p->foot, p->first + i);
  double b = warp_change_at(p->c, p->source, p->foot, p->first + i + 1);
  return a + (b - a) * (t - from) / (until - from) + turns * p->source->n_frames;
}

void warp_foot_times(const struct creature *c, const struct rhythm *source, const struct rhythm *target, int foot,
                     double *times)
{
  struct pairing p = warp_pair_changes(c, source, target, foot);
  double shift = p.n_changes ? 0 : warp_common_lead(c, source, target);
  for (int k = 0; k < target->n_frames; k++)
    times[k] = p.n_changes ? warp_paired_time(&p, k) : ((double)k / target->n_frames + shift) * source->n_frames;
}

/* ---- progress and sway ---- */

/* A share of a motion over the ground: along an arc of a circle, evenly. */
static struct clip_advance warp_share_of(struct clip_advance a, double share)
{
  double s = sin(a.yaw), c = cos(a.yaw), det = 2 - 2 * c;
  if (det < 1e-12)
    return (struct clip_advance){share * a.x, share * a.y, share * a.yaw};
  double x = ((1 - c) * a.x - s * a.y) / det, y = (s * a.x + (1 - c) * a.y) / det; /* the point that stays */
  double st = sin(share * a.yaw), ct = cos(share * a.yaw);
  return (struct clip_advance){x - (ct * x - st * y), y - (st * x + ct * y), share * a.yaw};
}

/* Takes even progress off all frames: then the cycle treads on the spot about the origin, its sway left. */
static void warp_stand_still(const struct clip *cycle, double *q)
{
  const double *first = cycle->q;
  size_t n = (size_t)cycle->n_dofs;
  struct clip_advance home = {-first[0], -first[1], 0}, out = {first[0], first[1], 0};
  struct clip_advance advance = ground_after(home, ground_after(cycle->advance, out)); /* seen from its start */
  for (int k = 0; k < cycle->n_frames; k++) {
    memcpy(q + (size_t)k * n, cycle->q + (size_t)k * n, n * sizeof *q);
    clip_move_pose(home, q + (size_t)k * n);
    clip_move_pose(ground_inverse(warp_share_of(advance, (double)k / cycle->n_frames)), q + (size_t)k * n);
  }
}

static void warp_continue(struct clip *cycle, struct clip_advance advance)
{
  for (int k = 0; k < cycle->n_frames; k++)
    clip_move_pose(warp_share_of(advance, (double)k / cycle->n_frames), cycle->q + (size_t)k * (size_t)cycle->n_dofs);
  cycle->advance = advance;
}

/* Does a dof carry a foot? */
static int warp_carries(const struct creature *c, int dof, int foot)
{
  int at = c->points[c->feet[foot].first_point].body;
  while (at > dof)
    at = c->dofs[at].parent;
  return at == dof;
}

/* Adds a weight times the cycle that treads on the spot, at a real time, to a pose. */
static void warp_add_sample(const struct clip *cycle, const double *q, double time, const double *weight, double *out)
{
  int n = cycle->n_frames, whole = (int)floor(time), a = (whole % n + n) % n, b = (a + 1) % n;
  double part = time - whole;
  size_t dofs = (size_t)cycle->n_dofs;
  for (size_t i = 0; i < dofs; i++)
    out[i] += weight[i] * ((1 - part) * q[(size_t)a * dofs + i] + part * q[(size_t)b * dofs + i]);
}

/* Weights of a foot's samples, of each dof, that sum to 1 over the feet (n_feet x n_dofs). */
static double *warp_foot_weights(struct arena *arena, const struct creature *c)
{
  double *w = ARENA_NEW(arena, (size_t)c->n_feet * (size_t)c->n_dofs, double);
  for (int i = 0; i < c->n_dofs; i++) {
    double sum = 0;
    for (int foot = 0; foot < c->n_feet; foot++)
      sum += w[foot * c->n_dofs + i] = warp_carries(c, i, foot) ? 1 : OFF_PATH;
    for (int foot = 0; foot < c->n_feet; foot++)
      w[foot * c->n_dofs + i] /= sum;
  }
  return w;
}

struct clip *warp_rhythm(struct arena *arena, const struct creature *c, const struct clip *cycle,
                         const struct rhythm *target)
{
  struct rhythm source = rhythm_of_clip(cycle);
  struct clip *out = clip_new(arena, c, target->n_frames, target->dt);
  size_t n = (size_t)c->n_dofs;
  double *still = ARENA_NEW(arena, (size_t)cycle->n_frames * n, double), *w = warp_foot_weights(arena, c);
  double *times = ARENA_NEW(arena, (size_t)target->n_frames, double);
  struct clip_advance home = {-cycle->q[0], -cycle->q[1], 0}, there = {cycle->q[0], cycle->q[1], 0};
  warp_stand_still(cycle, still);
  for (int foot = 0; foot < c->n_feet; foot++) {
    warp_foot_times(c, &source, target, foot, times);
    for (int k = 0; k < target->n_frames; k++)
      warp_add_sample(cycle, still, times[k], w + (size_t)foot * n, out->q + (size_t)k * n);
  }
  memcpy(out->contact, target->contact, (size_t)target->n_frames * (size_t)c->n_points);
  out->cyclic = 1;
  out->gait = out->gait_after = cycle->gait;
  out->name = cycle->name;
  out->speed = cycle->speed, out->strafe = cycle->strafe;
  warp_continue(out, ground_after(home, ground_after(cycle->advance, there)));
  return out;
}

void warp_velocity(struct clip *cycle, double speed, double strafe)
{
  struct arena *arena = arena_new();
  size_t count = (size_t)cycle->n_frames * (size_t)cycle->n_dofs;
  double *still = ARENA_NEW(arena, count, double), way = speed * cycle->n_frames * cycle->dt;
  warp_stand_still(cycle, still);
  memcpy(cycle->q, still, count * sizeof *still);
  arena_free(arena);
  cycle->speed = speed;
  cycle->strafe = strafe;
  warp_continue(cycle, (struct clip_advance){way * cos(strafe), way * sin(strafe), 0});
}

/* ---- bend ---- */

/* Turns the path and the heading of frame k by factor * angle[k]; angle may be the path's own heading. */
static void warp_bend(struct path *path, double factor, const double *angle)
{
  double was[2], place[2], last = factor * angle[0];
  memcpy(place, path_pose(path, 0), sizeof place);
  memcpy(was, place, sizeof was);
  for (int k = 0; k < path->n_frames; k++) {
    double *q = path_pose(path, k), step[2] = {q[0] - was[0], q[1] - was[1]}, now = factor * angle[k];
    double s = sin(0.5 * (last + now)), c = cos(0.5 * (last + now));
    memcpy(was, q, sizeof was);
    place[0] += c * step[0] - s * step[1];
    place[1] += s * step[0] + c * step[1];
    q[0] = place[0], q[1] = place[1];
    q[3] += now;
    path->heading[k] += now;
    last = now;
  }
}

void warp_turn(struct path *path, double turn, const double *share)
{
  warp_bend(path, turn, share);
}

void warp_straight(struct path *path)
{
  warp_bend(path, -1, path->heading);
}

/* Turns a measure that grows along the path into shares: 0 in the first two frames, 1 in the last two. */
static void warp_share_out(int n, double *share)
{
  double from = share[1], until = share[n - 2];
  for (int k = 0; k < n; k++)
    share[k] = k <= 1 ? 0 : k >= n - 2 ? 1 : (share[k] - from) / (until - from);
}

void warp_share_circular(const struct creature *c, const struct path *path, double *share)
{
  double small = 1e-3 * sqrt(CREATURE_GRAVITY * c->height) * path->dt; /* standing still is by time */
  for (int k = 0; k < path->n_frames; k++) {
    const double *q = path_pose(path, k), *before = path_pose(path, k ? k - 1 : 0);
    share[k] = k ? share[k - 1] + hypot(q[0] - before[0], q[1] - before[1]) + small : 0;
  }
  warp_share_out(path->n_frames, share);
}

void warp_share_smooth(const struct path *path, double *share)
{
  int n = path->n_frames;
  for (int k = 0; k < n; k++) {
    double s = fmin(1, fmax(0, (double)(k - 1) / (n - 3)));
    share[k] = s * s * (3 - 2 * s);
  }
}

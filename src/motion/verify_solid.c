/* Are bodies solid? How deep limbs are in each other and in the ground, at frames and between (doc/solid.md).
 *
 * Shapes and gaps are those of creature/gap.h, which the optimizer does not use. Between frames the motion is the cubic
 * spline through the frames. Two limbs can pass each other from one sample to the next, so samples alone are not
 * enough. But no point of a limb gets nearer to another than both go: with d the ways of both,
 *
 *   gap after >= gap before - d,     and in between     gap >= (gap before + gap after - d) / 2.
 *
 * By the first, a pair that is far apart is not looked at again before it can have met (an hour of the horse has 3e8
 * pairs at samples); by the second, what may hide between two samples is searched by halving. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/gap.h"
#include "motion/verifier.h"

#define SAMPLES 4     /* between two frames                                                                     */
#define HALVINGS 6    /* of the time between two samples, at most                                               */
#define NEAR_ENOUGH 0.01 /* of the smaller radius: what may remain hidden, a fifth of the bar                   */

struct solids {
  struct verifier *s;
  const struct between *b;
  struct verify_line *overlap, *ground;
  struct solid *local;          /* in the frames of their bodies                                   (n_limbs) */
  struct solid *now, *then;     /* at this sample and the one before; x, y, z and yaw of the root are 0 (n_limbs) */
  double height;                /* of the root now, along the normal of the ground [m]                       */
  double normal[3];             /* of the ground, seen from where the creature looks                         */
  double *way;                  /* that points of the limb have gone so far, at most [m]           (n_limbs) */
  double *due;                  /* ways of both at which the pair may be deeper than any yet [m]   (n_pairs) */
};

/* ---- where limbs are ---- */

/* The ground's normal as it looks to a creature that is turned by yaw. */
static void solids_see_ground(struct solids *x, double yaw)
{
  const double *n = x->s->ground.normal;
  x->normal[0] = cos(yaw) * n[0] + sin(yaw) * n[1];
  x->normal[1] = cos(yaw) * n[1] - sin(yaw) * n[0];
  x->normal[2] = n[2];
}

/* Bodies at a share u of the way from frame k to the next. Neither gaps nor heights depend on where the creature is and
 * where it looks: without that limbs go less far. */
static void solids_pose(struct solids *x, int k, double u)
{
  double *q = x->s->q;
  const struct spline *p = &x->b->spline;
  int row = k + x->b->before, last = row > p->n - 2;
  spline_at(p, last ? row - 1 : row, last ? 1 : u, q, NULL, NULL);
  x->height = surface_distance(&x->s->clip->ground, q);
  solids_see_ground(x, q[3]);
  q[0] = q[1] = q[2] = q[3] = 0;
  dynamics_kinematics(x->s->d, q);
}

static void solids_place(const struct solids *x, int limb, struct solid *out)
{
  static const double origin[3] = {0, 0, 0};
  int body = x->s->c->limbs[limb].body;
  double at[3], R[9];
  dynamics_point(x->s->d, body, origin, at);
  dynamics_rotation(x->s->d, body, R);
  solid_move(&x->local[limb], at, R, 3, out);
}

static double solids_distance(const double *a, const double *b)
{
  double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return vec3_norm(d);
}

/* The way of the point that goes farthest, or more. Of a box (and what is in it) a corner goes farthest. */
static double solids_way(const struct solid *a, const struct solid *b)
{
  if (a->kind == SHAPE_CAPSULE)
    return fmax(solids_distance(a->from, b->from), solids_distance(a->to, b->to));
  double way = solids_distance(a->centre, b->centre);
  for (int i = 0; i < 3; i++) {
    double turn[3] = {a->axes[i] - b->axes[i], a->axes[3 + i] - b->axes[3 + i], a->axes[6 + i] - b->axes[6 + i]};
    way += a->half[i] * vec3_norm(turn);
  }
  return way;
}

/* ---- pairs ---- */

static double solids_smaller_radius(const struct solids *x, const struct limb_pair *p)
{
  return fmin(x->local[p->a].radius, x->local[p->b].radius);
}

/* How much nearer the two may come, or deeper they may be in each other, before it is the deepest overlap yet. */
static double solids_room(const struct solids *x, const struct limb_pair *p, const struct solid *a,
                          const struct solid *b, int frame)
{
  double far = fmin(a->bound, b->bound), radius = solids_smaller_radius(x, p);
  struct gap g;
  if (gap_exceeds(a, b, far))
    return far;
  gap_between(a, b, &g);
  verify_note(x->overlap, -g.gap / radius, frame, p->name);
  return g.gap + x->overlap->value * radius;
}

struct moment { double u, room; struct solid a, b; }; /* of a pair */

/* The deepest overlap of a pair between two moments from frame k to the next. If a deeper overlap was found since a
 * room was taken, there is more of it now: then this searches more than it need. */
static void solids_search(struct solids *x, const struct limb_pair *p, int k, const struct moment *from,
                          const struct moment *until, int halvings)
{
  double way = solids_way(&from->a, &until->a) + solids_way(&from->b, &until->b);
  double hidden = 0.5 * (way - from->room - until->room);
  if (halvings == 0 || !(hidden > NEAR_ENOUGH * solids_smaller_radius(x, p)))
    return;
  struct moment middle = {.u = 0.5 * (from->u + until->u)};
  solids_pose(x, k, middle.u);
  solids_place(x, p->a, &middle.a);
  solids_place(x, p->b, &middle.b);
  middle.room = solids_room(x, p, &middle.a, &middle.b, k);
  solids_search(x, p, k, from, &middle, halvings - 1);
  solids_search(x, p, k, &middle, until, halvings - 1);
}

/* All pairs that may overlap now or may have done so since the sample before, which was at share `since` of the way
 * from frame k; since < 0: what happened since then does not count. */
static void solids_check_pairs(struct solids *x, int k, int frame, double since)
{
  const struct creature *c = x->s->c;
  for (int i = 0; i < c->n_pairs; i++) {
    const struct limb_pair *p = &c->pairs[i];
    double way = x->way[p->a] + x->way[p->b];
    if (way < x->due[i])
      continue;
    const struct solid *a = &x->now[p->a], *b = &x->now[p->b];
    double room = solids_room(x, p, a, b, frame);
    if (since >= 0 && room < way - x->due[i]) {
      struct moment from = {.u = since, .a = x->then[p->a], .b = x->then[p->b]};
      struct moment until = {.u = since + 1.0 / (SAMPLES + 1), .room = room, .a = *a, .b = *b};
      from.room = solids_room(x, p, &from.a, &from.b, k);
      solids_search(x, p, k, &from, &until, HALVINGS);
    }
    x->due[i] = way + room;
  }
}

/* ---- samples ---- */

static void solids_check_ground(struct solids *x, int frame)
{
  const struct creature *c = x->s->c;
  for (int i = 0; i < c->n_limbs; i++)
    if (c->limbs[i].solid)
      verify_note(x->ground, (-x->height - solid_lowest_along(&x->now[i], x->normal) - c->limbs[i].sunk) / c->height,
                  frame, c->limbs[i].name);
}

/* At a share u of the way from frame k to the next; since: as above, there from the frame of the sample before. */
static void solids_look(struct solids *x, int k, double u, double since)
{
  const struct creature *c = x->s->c;
  int frame = k % x->s->clip->n_frames;
  struct solid *then = x->now;
  x->now = x->then;
  x->then = then;
  solids_pose(x, k, u);
  for (int i = 0; i < c->n_limbs; i++)
    if (c->limbs[i].solid) {
      solids_place(x, i, &x->now[i]);
      x->way[i] += solids_way(&x->then[i], &x->now[i]);
    }
  solids_check_ground(x, frame);
  solids_check_pairs(x, u > 0 ? k : k - 1, frame, since);
}

static struct solids solids_new(struct arena *arena, struct verifier *s)
{
  size_t n = (size_t)s->c->n_limbs;
  struct solids x = {.s = s, .overlap = &s->lines[VERIFY_OVERLAP], .ground = &s->lines[VERIFY_LIMB_GROUND]};
  x.local = ARENA_NEW(arena, n, struct solid);
  x.now = ARENA_NEW(arena, n, struct solid);
  x.then = ARENA_NEW(arena, n, struct solid);
  x.way = ARENA_NEW(arena, n, double);
  x.due = ARENA_NEW(arena, (size_t)s->c->n_pairs, double);
  for (int i = 0; i < s->c->n_limbs; i++)
    solid_of_limb(&s->c->limbs[i], 1, &x.local[i]);
  for (int i = 0; i < s->c->n_pairs; i++)
    x.due[i] = -INFINITY;
  return x;
}

/* At all frames, and in the intervals that are judged. */
void verify_check_solids(struct arena *arena, struct verifier *s, const struct between *b)
{
  const struct clip *clip = s->clip;
  struct solids x = solids_new(arena, s);
  x.b = b;
  for (int k = 0; k < clip->n_frames + clip->cyclic; k++) { /* a cycle's first frame ends it, too */
    solids_look(&x, k, 0, k > b->begin && k <= b->end ? SAMPLES / (SAMPLES + 1.0) : -1);
    for (int i = 1; i <= SAMPLES && k >= b->begin && k < b->end; i++)
      solids_look(&x, k, i / (SAMPLES + 1.0), (i - 1) / (SAMPLES + 1.0));
  }
}

/* Pairs of limbs at rest: who touches whom, and who is in the ground. */
#include <math.h>
#include <string.h>

#include "creature/gap.h"
#include "creature/pose.h"

#define NEARLY_TOUCH 0.02 /* of both radii together: limbs so near at rest touch */
#define NEARLY_LEVEL 0.002 /* standing heights: points so little below others stand with them */

static void pairs_place(struct arena *work, const struct creature *c, struct pose_frame *rest, struct solid *solids,
                        double *ground)
{
  double *q = ARENA_NEW(work, (size_t)c->n_dofs, double);
  creature_rest_pose(c, q);
  pose_frames(c, q, rest);
  for (int i = 0; i < c->n_limbs; i++) {
    struct solid local;
    const struct pose_frame *f = &rest[c->limbs[i].body];
    solid_of_limb(&c->limbs[i], 1, &local);
    solid_move(&local, f->p, f->R, 3, &solids[i]);
  }
  *ground = rest[CREATURE_ROOT_DOFS - 1].p[2] - pose_height(c, rest);
}

/* ---- limbs in the ground ---- */

static int pairs_same_leg(const struct creature *c, int i, int j)
{
  return c->feet[c->points[i].foot].first_leg_limb == c->feet[c->points[j].foot].first_leg_limb;
}

/* The depth of a solid under the ground that two points of a foot define, when both touch it: it contains the line
 * through them and the direction to the left. */
static double pairs_depth(const struct solid *s, const double *a, const double *b)
{
  double x = b[0] - a[0], z = b[2] - a[2], length = hypot(x, z) * (x < 0 ? -1 : 1), cosine = x / length,
         sine = z / length;
  const double R[9] = {cosine, 0, sine, 0, 1, 0, -sine, 0, cosine};
  const double down[3] = {0, 0, sine * a[0] - cosine * a[2]}; /* a has height 0 */
  struct solid level;
  solid_move(s, down, R, 3, &level);
  return -solid_lowest(&level);
}

/* Can a leg stand on the two, one behind the other, with no other point of it in the ground? */
static int pairs_can_stand(const struct creature *c, const double *at, int i, int j)
{
  const double *a = at + 3 * i, *b = at + 3 * j;
  if (!pairs_same_leg(c, i, j) || !(fabs(b[0] - a[0]) > fabs(b[2] - a[2])))
    return 0;
  for (int k = 0; k < c->n_points; k++) {
    struct solid point = {.kind = SHAPE_CAPSULE};
    memcpy(point.from, at + 3 * k, sizeof point.from);
    memcpy(point.to, at + 3 * k, sizeof point.to);
    if (pairs_same_leg(c, i, k) && pairs_depth(&point, a, b) > NEARLY_LEVEL * c->height)
      return 0;
  }
  return 1;
}

/* The end of a limb at the joint of its child, as a ball; 0 if it does not end there. */
static int pairs_end(const struct solid *parent, const double *joint, struct solid *ball)
{
  *ball = *parent;
  double from = hypot(hypot(joint[0] - ball->from[0], joint[1] - ball->from[1]), joint[2] - ball->from[2]);
  double to = hypot(hypot(joint[0] - ball->to[0], joint[1] - ball->to[1]), joint[2] - ball->to[2]);
  memcpy(from < to ? ball->to : ball->from, from < to ? ball->from : ball->to, sizeof ball->to);
  return parent->kind == SHAPE_CAPSULE && fmin(from, to) < parent->radius;
}

/* A flat foot may put its own shape into the ground, and the end of the limb above it, whatever the leg does: an ankle
 * as thick as it is high does. At rest the foot need not be flat. */
static void pairs_sink_flat_feet(struct arena *work, const struct creature *c, const struct pose_frame *rest,
                                 const struct solid *solids, struct limb *limbs)
{
  double *at = ARENA_NEW(work, 3 * (size_t)c->n_points, double);
  for (int i = 0; i < c->n_points; i++)
    pose_point(&rest[c->points[i].body], c->points[i].at, at + 3 * i);
  for (int i = 0; i < c->n_points; i++)
    for (int j = 0; j < c->n_points; j++) {
      const double *a = at + 3 * i, *b = at + 3 * j;
      int limb = c->points[i].limb, parent = c->limbs[limb].parent;
      struct solid end;
      if (i == j || parent < 0 || c->limbs[limb].mirror == limb || !pairs_can_stand(c, at, i, j))
        continue; /* a trunk that rolls over its own points has no feet */
      if (limbs[limb].solid)
        limbs[limb].sunk = fmax(limbs[limb].sunk, pairs_depth(&solids[limb], a, b));
      if (limbs[parent].solid && pairs_end(&solids[parent], rest[c->limbs[limb].body].p, &end))
        limbs[parent].sunk = fmax(limbs[parent].sunk, pairs_depth(&end, a, b));
    }
}

/* ---- pairs ---- */

/* In order of a, then b. */
static int pairs_is_before(const struct limb_pair *x, const struct limb_pair *y)
{
  return x->a < y->a || (x->a == y->a && x->b < y->b);
}

/* The pair of the mirror images, in a list that is in order. */
static void pairs_set_mirrors(struct arena *work, const struct creature *c, int n, struct limb_pair *pairs)
{
  int *first = ARENA_NEW(work, (size_t)c->n_limbs + 1, int);
  for (int i = 0; i < n; i++)
    first[pairs[i].a + 1] = i + 1;
  for (int i = 1; i <= c->n_limbs; i++)
    first[i] = first[i] > first[i - 1] ? first[i] : first[i - 1];
  for (int i = 0; i < n; i++) {
    int a = c->limbs[pairs[i].a].mirror, other = c->limbs[pairs[i].b].mirror;
    int low = a < other ? a : other, high = a < other ? other : a;
    pairs[i].mirror = i;
    for (int j = first[low]; j < first[low + 1]; j++)
      if (pairs[j].b == high)
        pairs[i].mirror = j;
  }
}

void creature_sort_pairs(struct arena *arena, struct creature *c, struct limb *limbs)
{
  struct arena *work = arena_new();
  struct solid *solids = ARENA_NEW(work, (size_t)c->n_limbs, struct solid);
  struct limb_pair *kept[2] = {ARENA_NEW(arena, (size_t)(c->n_pairs + c->n_exempt), struct limb_pair),
                               ARENA_NEW(arena, (size_t)(c->n_pairs + c->n_exempt), struct limb_pair)};
  int count[2] = {0, 0}, i = 0, j = 0;
  double ground;
  struct pose_frame *rest = ARENA_NEW(work, (size_t)c->n_dofs, struct pose_frame);
  pairs_place(work, c, rest, solids, &ground);
  for (int n = 0; n < c->n_limbs; n++) /* whatever is in the ground at rest is measured from that depth on */
    limbs[n].sunk = limbs[n].solid && c->n_points > 0 ? fmax(0, ground - solid_lowest(&solids[n])) : 0;
  pairs_sink_flat_feet(work, c, rest, solids, limbs);
  while (i < c->n_pairs || j < c->n_exempt) {
    int is_next = j == c->n_exempt || (i < c->n_pairs && pairs_is_before(&c->pairs[i], &c->exempt[j]));
    struct limb_pair p = is_next ? c->pairs[i++] : c->exempt[j++];
    const struct solid *a = &solids[p.a], *b = &solids[p.b];
    struct gap gap;
    gap_between(a, b, &gap);
    p.rest_gap = gap.gap;
    if (p.why == PAIR_APART || p.why == PAIR_AT_REST)
      p.why = gap.gap < NEARLY_TOUCH * (a->radius + b->radius) ? PAIR_AT_REST : PAIR_APART;
    int exempt = p.why >= PAIR_NEIGHBOURS;
    kept[exempt][count[exempt]++] = p;
  }
  for (int list = 0; list < 2; list++)
    pairs_set_mirrors(work, c, count[list], kept[list]);
  c->n_pairs = count[0], c->pairs = kept[0];
  c->n_exempt = count[1], c->exempt = kept[1];
  arena_free(work);
}

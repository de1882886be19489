/* Pairs of limbs at rest: who touches whom, and who is in the ground. */
#include <math.h>
#include <string.h>

#include "creature/gap.h"
#include "creature/pose.h"

#define NEARLY_TOUCH 0.02 /* of both radii together: limbs so near at rest touch */

static void pairs_place(struct arena *work, const struct creature *c, struct solid *solids, double *ground)
{
  double *q = ARENA_NEW(work, (size_t)c->n_dofs, double);
  struct pose_frame *rest = ARENA_NEW(work, (size_t)c->n_dofs, struct pose_frame);
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
  pairs_place(work, c, solids, &ground);
  for (int n = 0; n < c->n_limbs; n++) /* whatever is in the ground at rest is measured from that depth on */
    limbs[n].sunk = limbs[n].solid && c->n_points > 0 ? fmax(0, ground - solid_lowest(&solids[n])) : 0;
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

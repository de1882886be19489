/* From the sketch to the creature: which limbs keep apart. All pairs of solid limbs do, but those that a joint
 * connects, those that touch when the creature stands at rest, and those that the file exempts (doc/solid.md). */
#include <math.h>

#include "creature/build.h"
#include "creature/gap.h"

#define DEEP_AT_REST 0.01 /* of the standing height                                                              */
#define SKIN_DEEP    0.25 /* of the smaller radius: deeper overlaps at rest look like a mistake in the file      */

/* The limb whose joint moves limb n: itself unless it is fixed. */
static int build_pairs_mover(const struct build *b, int n)
{
  while (b->limbs[n].parent >= 0 && b->limbs[n].n_dofs == 0)
    n = b->limbs[n].parent;
  return n;
}

static int build_pairs_carries(const struct build *b, int a, int n)
{
  int mover = build_pairs_mover(b, n);
  return b->limbs[mover].parent >= 0 && b->limbs[b->limbs[mover].parent].body == b->limbs[a].body;
}

/* What the file says of limbs a and n: 1 must keep clear, 0 may overlap, -1 nothing. */
static int build_pairs_asked(const struct build *b, int a, int n)
{
  int asked = -1;
  for (int i = 0; i < b->k->n_pairs; i++) {
    const struct sketch_pair *p = &b->k->pairs[i];
    for (int turn = 0; turn < 2; turn++) {
      int one = turn ? n : a, other = turn ? a : n;
      if (b->limb_of[one] == &b->k->limbs[p->a] && b->limb_of[other] == &b->k->limbs[p->b] &&
          (p->side_b == SIDE_BOTH || p->side_b == b->side_of[other]))
        asked = p->must_clear;
    }
  }
  return asked;
}

/* Joints between two limbs in the tree. */
static int build_pairs_steps(const struct build *b, int a, int n)
{
  int steps = 0;
  while (a != n) {
    int *deeper = a > n ? &a : &n;
    steps += b->limbs[*deeper].n_dofs > 0;
    *deeper = b->limbs[*deeper].parent;
  }
  return steps;
}

/* All pairs of solid limbs that can move against each other; what only the rest pose can tell is left to
 * creature_sort_pairs(). */
void build_pairs(struct build *b)
{
  size_t n = (size_t)b->c->n_limbs, most = n * (n - 1) / 2;
  struct limb_pair *all = ARENA_NEW(b->k->arena, most, struct limb_pair);
  int total = 0;
  for (int a = 0; a < b->c->n_limbs; a++)
    for (int o = a + 1; o < b->c->n_limbs; o++) {
      if (!b->limbs[a].solid || !b->limbs[o].solid || b->limbs[a].body == b->limbs[o].body)
        continue;
      int asked = build_pairs_asked(b, a, o);
      int neighbours = build_pairs_carries(b, a, o) || build_pairs_carries(b, o, a);
      all[total++] = (struct limb_pair){
          .a = a,
          .b = o,
          .name = arena_printf(b->arena, "%s x %s", b->limbs[a].name, b->limbs[o].name),
          .why = asked == 1 ? PAIR_MUST_CLEAR : asked == 0 ? PAIR_MAY_OVERLAP : neighbours ? PAIR_NEIGHBOURS
                                                                                             : PAIR_APART};
    }
  b->c->n_pairs = total, b->c->pairs = all;
  b->c->n_exempt = 0;
  creature_sort_pairs(b->arena, b->c, b->limbs);
}

/* ---- what looks like a mistake ---- */

static double build_pairs_radius(const struct limb *l)
{
  const double *size = l->shape.size;
  return 0.5 * fmin(size[0], fmin(size[1], size[2]));
}

/* Left images speak for both sides. */
static int build_pairs_is_image(const struct build *b, const struct limb_pair *p)
{
  return b->side_of[p->a] == SIDE_RIGHT || (b->side_of[p->a] == SIDE_BOTH && b->side_of[p->b] == SIDE_RIGHT);
}

/* An overlap at rest of limbs that are far from each other in the tree is a mistake, or flesh: then the file can say
 * so. */
static void build_pairs_check_exempt(struct build *b, const struct limb_pair *p)
{
  const struct sketch_limb *from = b->limb_of[p->b];
  double radius = fmin(build_pairs_radius(&b->limbs[p->a]), build_pairs_radius(&b->limbs[p->b]));
  if (p->why != PAIR_AT_REST || build_pairs_is_image(b, p) || build_pairs_steps(b, p->a, p->b) <= 2 ||
      -p->rest_gap <= SKIN_DEEP * radius)
    return;
  diag_warning(b->d, from->section->file, from->section->line,
               "at rest '%s' is %.2g m deep in '%s', so that nothing keeps them apart; make one thinner, give one "
               "solid = false, or write may_overlap = %s",
               b->limbs[p->b].name, -p->rest_gap, b->limbs[p->a].name, b->limb_of[p->a]->name);
}

static void build_pairs_check_apart(struct build *b, const struct limb_pair *p)
{
  const struct sketch_limb *from = b->limb_of[p->b];
  if (p->why == PAIR_MUST_CLEAR && p->rest_gap < 0 && !build_pairs_is_image(b, p))
    SKETCH_ERROR(b, from->section, "'%s' must clear '%s', but at rest it is %.2g m deep in it", b->limbs[p->b].name,
                 b->limbs[p->a].name, -p->rest_gap);
}

void build_pairs_check(struct build *b)
{
  for (int i = 0; i < b->c->n_pairs; i++)
    build_pairs_check_apart(b, &b->c->pairs[i]);
  for (int i = 0; i < b->c->n_exempt; i++)
    build_pairs_check_exempt(b, &b->c->exempt[i]);
  for (int i = 0; i < b->c->n_limbs; i++) {
    const struct sketch_limb *from = b->limb_of[i];
    if (b->limbs[i].sunk > DEEP_AT_REST * b->c->height && b->side_of[i] != SIDE_RIGHT)
      diag_warning(b->d, from->section->file, from->section->line,
                   "at rest '%s' is %.2g m deep in the ground, from where it is measured; end its shape above the "
                   "points of its foot",
                   b->limbs[i].name, b->limbs[i].sunk);
  }
}

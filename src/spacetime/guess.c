/* See guess.h. */
#include "spacetime/guess.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"

/* How far joints bend in the middle of a swing [rad], and of the way to the end of their range at most. 50 degrees were
 * nearly as good, but led one of 18 gaits of the horse to a costlier optimum. */
#define FOLD       (90 * PI / 180)
#define RANGE_USED 0.6

/* A joint that shortens its leg by less than this share, such as that of the toes, is no place to fold it. */
#define LEAST_SHORTENING 0.03

/* A leg hangs in a tendon if a joint of it relaxes by more than this [rad]: fetlocks do by 70 degrees, a man's ankle by
 * 6. Of 39 gaits of human, dog, ostrich and kangaroo none was cheaper from a second guess. */
#define HANGS 0.3

static void guess_stand(const struct problem *p, double *x)
{
  double touching = 0;
  for (int i = 0; i < p->in.n_frames * p->n_points; i++)
    touching += p->in.on[i];
  for (int k = 0; k < p->in.n_frames; k++) {
    memcpy(x + p->q_var[k], p->in.rest, (size_t)p->n * sizeof *x);
    for (int i = 0; i < 2; i++)
      x[p->q_var[k] + 4 + i] += p->in.tilt[i];
    for (int i = 0; i < p->n_points; i++)
      if (problem_force_var(p, k, i) >= 0)
        x[problem_force_var(p, k, i) + 2] = p->in.n_frames / touching;
  }
}

/* From the top of the leg of a foot to its first contact point, in the plane of travel. */
struct guess_leg { double length, angle; }; /* [m]; forwards of straight down [rad] */

static struct guess_leg guess_measure_leg(struct dynamics *d, const struct creature *c, const struct foot *f,
                                          const double *q)
{
  const struct limb *top = &c->limbs[f->first_leg_limb];
  const struct contact_point *end = &c->points[f->first_point];
  double from[3], to[3];
  dynamics_kinematics(d, q);
  dynamics_point(d, top->body, top->origin, from);
  dynamics_point(d, end->body, end->at, to);
  double ahead = to[0] - from[0], up = to[2] - from[2];
  return (struct guess_leg){hypot(ahead, up), atan2(ahead, -up)};
}

/* Where joint i is in a folded leg: slack, if it hangs in a tendon at rest, else bent to the side on which it shortens
 * the leg, others at rest. q is the rest pose and is left so. */
static double guess_fold_joint(struct dynamics *d, const struct problem *p, const struct foot *f, int i, double *q)
{
  const struct dof *dof = &p->in.c->dofs[i];
  double rest = p->in.rest[i], best = rest;
  double shortest = (1 - LEAST_SHORTENING) * guess_measure_leg(d, p->in.c, f, q).length;
  if (p->in.relaxed[i] != rest)
    return p->in.relaxed[i];
  for (int side = 0; side < 2; side++) {
    q[i] = rest + (side ? -fmin(FOLD, RANGE_USED * (rest - dof->lower)) : fmin(FOLD, RANGE_USED * (dof->upper - rest)));
    double length = guess_measure_leg(d, p->in.c, f, q).length;
    if (length < shortest)
      shortest = length, best = q[i];
  }
  q[i] = rest;
  return best;
}

/* Folds the leg of a foot in `folded`, by a share of what it can; its top joint turns it so that the foot stays under
 * it. */
static void guess_fold_leg(struct dynamics *d, const struct problem *p, const struct foot *f, double share,
                           double *rest, double *folded)
{
  const struct creature *c = p->in.c;
  int top = -1;
  for (int l = f->limb; l >= f->first_leg_limb; l = c->limbs[l].parent)
    for (int i = c->limbs[l].first_dof; i < c->limbs[l].first_dof + c->limbs[l].n_dofs; i++) {
      if (fabs(c->dofs[i].axis[1]) < 0.7) /* not in the plane of travel */
        continue;
      if (l == f->first_leg_limb)
        top = i, folded[i] = rest[i];
      else
        folded[i] = guess_fold_joint(d, p, f, i, rest);
      if (share < 1)
        folded[i] = rest[i] + share * (folded[i] - rest[i]);
    }
  if (top < 0)
    return;
  double turn = guess_measure_leg(d, c, f, rest).angle - guess_measure_leg(d, c, f, folded).angle;
  double angle = rest[top] - turn * c->dofs[top].axis[1]; /* about -y it turns forwards */
  folded[top] = fmax(c->dofs[top].lower, fmin(c->dofs[top].upper, angle));
}

void guess_make(struct arena *arena, const struct problem *p, enum guess which, double *x)
{
  guess_stand(p, x);
  if (which == GUESS_STANDING)
    return;
  size_t n = (size_t)p->n;
  struct dynamics *d = dynamics_new(arena, p->in.c);
  double *rest = memcpy(ARENA_NEW(arena, n, double), p->in.rest, n * sizeof *rest);
  double *folded = memcpy(ARENA_NEW(arena, n, double), rest, n * sizeof *folded);
  for (int i = 0; i < p->in.c->n_feet; i++)
    guess_fold_leg(d, p, &p->in.c->feet[i], 1, rest, folded);
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    for (int k = 0; k < p->in.n_frames && folded[i] != rest[i]; k++)
      x[p->q_var[k] + i] += problem_leg_swing(p, k, i) * (folded[i] - rest[i]);
}

/* How far a leg must be folded to be shorter by so much: a table of lengths over shares, read backwards. */
enum { FOLDS = 16 };
static double guess_share_for(const double *shorter, double by)
{
  int i = 1;
  while (i < FOLDS && shorter[i] < by)
    i++;
  double from = shorter[i - 1], to = shorter[i];
  return (i - 1 + (to > from ? fmin(1, fmax(0, (by - from) / (to - from))) : 0)) / FOLDS;
}

/* Sets the leg of a foot such that it reaches so far ahead of where it is at rest, and so far down. */
static void guess_reach_with(struct dynamics *d, const struct problem *p, const struct foot *f, const double *shorter,
                             double ahead, double down, double *rest, double *q)
{
  const struct creature *c = p->in.c;
  struct guess_leg at_rest = guess_measure_leg(d, c, f, rest);
  double x = at_rest.length * sin(at_rest.angle) + ahead, z = at_rest.length * cos(at_rest.angle) + down;
  guess_fold_leg(d, p, f, guess_share_for(shorter, at_rest.length - hypot(x, z)), rest, q);
  for (int i = c->limbs[f->first_leg_limb].first_dof, top = i + c->limbs[f->first_leg_limb].n_dofs; i < top; i++)
    if (fabs(c->dofs[i].axis[1]) >= 0.7) {
      double angle = q[i] - (atan2(x, z) - at_rest.angle) * c->dofs[i].axis[1];
      q[i] = fmax(c->dofs[i].lower, fmin(c->dofs[i].upper, angle));
    }
}

void guess_reach(struct arena *arena, const struct problem *p, const double *ahead, const double *down, double *x)
{
  size_t n = (size_t)p->n;
  const struct creature *c = p->in.c;
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = memcpy(ARENA_NEW(arena, n, double), p->in.rest, n * sizeof *rest), *q = ARENA_NEW(arena, n, double);
  double *shorter = ARENA_NEW(arena, (size_t)c->n_feet * (FOLDS + 1), double);
  for (int f = 0; f < c->n_feet; f++)
    for (int i = 0; i <= FOLDS; i++) {
      guess_fold_leg(d, p, &c->feet[f], (double)i / FOLDS, rest, memcpy(q, rest, n * sizeof *q));
      shorter[f * (FOLDS + 1) + i] =
          guess_measure_leg(d, c, &c->feet[f], rest).length - guess_measure_leg(d, c, &c->feet[f], q).length;
    }
  for (int k = 0; k < p->in.n_frames; k++) {
    memcpy(q, rest, n * sizeof *q);
    for (int f = 0; f < c->n_feet; f++)
      guess_reach_with(d, p, &c->feet[f], shorter + f * (FOLDS + 1), ahead[k] * c->height, down[k] * c->height, rest,
                       q);
    for (int i = CREATURE_ROOT_DOFS; i < p->n && problem_hold(p, k) == FRAME_FREE; i++)
      x[p->q_var[k] + i] += q[i] - rest[i];
  }
}

int guess_matters(const struct problem_input *in)
{
  for (int i = CREATURE_ROOT_DOFS; i < in->c->n_dofs; i++)
    if (fabs(in->relaxed[i] - in->rest[i]) > HANGS && creature_limb_role(in->c, in->c->dofs[i].limb) == LIMB_LEG)
      return 1;
  return 0;
}

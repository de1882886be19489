/* Which limbs are mirror images of each other: found by where they are, how they turn and what they weigh, since names
 * do not agree (FL and FR, _l and _r, left_ and right_). Robots are not exactly symmetric: an image may be off by a
 * fiftieth of the robot's size; what differs is written as a change of the right one. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "robots/limbs.h"

#define NEAR_PLACE 0.02         /* of the robot's size         */
#define NEAR_AXIS  0.98         /* cosine of 11 degrees        */
#define NEAR_MASS  0.15         /* of the greater mass         */

static void mirror_axis(const double about[3], double out[3]) /* a pseudovector */
{
  out[0] = 0 - about[0], out[1] = about[1], out[2] = 0 - about[2];
}

/* Does limb j look like the mirror image of i, apart from what they carry? */
static int looks_alike(const struct limbs *k, int i, int j)
{
  const struct limb *a = &k->limb[i], *b = &k->limb[j];
  double apart[3] = {a->place[0] - b->place[0], a->place[1] + b->place[1], a->place[2] - b->place[2]}, about[3];
  if (a->n_axes != b->n_axes || a->n_children != b->n_children || vec3_norm(apart) > NEAR_PLACE * k->size ||
      fabs(a->mass - b->mass) > NEAR_MASS * fmax(a->mass, b->mass))
    return 0;
  for (int n = 0; n < a->n_axes; n++) {
    mirror_axis(a->axes[n].about, about);
    if (fabs(vec3_dot(about, b->axes[n].about)) < NEAR_AXIS)
      return 0;
  }
  return 1;
}

/* Is j, with all that hangs on it, the image of i? Then image[] of them all says so. Children are few: each is tried
 * with each. */
static int match(const struct limbs *k, int i, int j, int *image)
{
  if (!looks_alike(k, i, j))
    return 0;
  for (int c = i + 1; c < k->n; c++) {
    if (k->limb[c].parent != i)
      continue;
    int found = 0;
    for (int d = j + 1; d < k->n && !found; d++) {
      int taken = 0;
      for (int e = i + 1; e < c; e++)
        taken |= k->limb[e].parent == i && image[e] == d;
      found = k->limb[d].parent == j && !taken && match(k, c, d, image);
      if (found)
        image[c] = d;
    }
    if (!found)
      return 0;
  }
  image[i] = j;
  return 1;
}

/* Makes i and j, and what hangs on them, a pair; i is the left one. */
static void pair(struct limbs *k, int i, int j, const int *image)
{
  struct limb *l = &k->limb[i], *r = &k->limb[j];
  double about[3];
  l->mirror = j;
  r->mirror = i;
  l->left = 1;
  for (int n = 0; n < l->n_axes; n++) { /* the same angle means the same on both sides */
    struct limbs_axis *a = &r->axes[n];
    mirror_axis(l->axes[n].about, about);
    if (vec3_dot(about, a->about) >= 0)
      continue;
    double lower = a->lower;
    for (int x = 0; x < 3; x++)
      a->about[x] = 0 - a->about[x];
    a->sign = -1;
    a->lower = 0 - a->upper;
    a->upper = 0 - lower;
    a->slack = 0 - a->slack;
  }
  for (int c = i + 1; c < k->n; c++)
    if (k->limb[c].parent == i)
      pair(k, c, image[c], image);
}

/* What hangs on the midline: pairs, and limbs that are their own images. */
static void midline(struct limbs *k, int i, int *image)
{
  k->limb[i].mirror = i;
  for (int c = i + 1; c < k->n; c++) {
    struct limb *l = &k->limb[c];
    if (l->parent != i || l->mirror >= 0)
      continue;
    int partner = -1;
    for (int d = c + 1; d < k->n && partner < 0; d++)
      if (k->limb[d].parent == i && k->limb[d].mirror < 0 && match(k, c, d, image))
        partner = d;
    if (partner >= 0 && l->place[1] >= k->limb[partner].place[1])
      pair(k, c, partner, image);
    else if (partner >= 0 && match(k, partner, c, image))
      pair(k, partner, c, image);
    else if (fabs(l->place[1]) < NEAR_PLACE * k->size && looks_alike(k, c, c))
      midline(k, c, image);
  }
}

void limbs_find_pairs(struct limbs *k)
{
  int *image = ARENA_NEW(k->arena, (size_t)k->n, int);
  midline(k, 0, image);
}

/* ---- as if it were exact ---- */

static void mirror_vector(const double v[3], double out[3]) { out[0] = v[0], out[1] = 0 - v[1], out[2] = v[2]; }

/* The right side is the left one in the mirror; the midline has nothing off it. */
static void symmetric_limb(struct limbs *k, struct limb *l)
{
  if (l->mirror < 0)
    return;
  const struct limb *o = &k->limb[l->mirror];
  if (l == o) {
    l->at[1] = l->place[1] = l->com[1] = l->inertia[3] = l->inertia[5] = 0;
    for (int n = 0; n < l->n_axes; n++) {
      double *a = l->axes[n].about, length;
      a[1] = fabs(a[1]) > 0.7 ? copysign(1, a[1]) : 0;
      if (a[1] != 0)
        a[0] = a[2] = 0;
      length = vec3_norm(a);
      for (int x = 0; x < 3; x++)
        a[x] /= length;
    }
    return;
  }
  if (l->left)
    return;
  mirror_vector(o->at, l->at);
  mirror_vector(o->place, l->place);
  mirror_vector(o->com, l->com);
  l->mass = o->mass;
  memcpy(l->inertia, o->inertia, sizeof l->inertia);
  l->inertia[3] = 0 - l->inertia[3];
  l->inertia[5] = 0 - l->inertia[5];
  for (int n = 0; n < l->n_axes; n++) {
    double sign = l->axes[n].sign;
    const struct robot_joint *joint = l->axes[n].joint;
    l->axes[n] = o->axes[n];
    mirror_axis(o->axes[n].about, l->axes[n].about);
    l->axes[n].sign = sign;
    l->axes[n].joint = joint;
  }
}

void limbs_make_symmetric(struct limbs *k)
{
  for (int i = 0; i < k->n; i++)
    symmetric_limb(k, &k->limb[i]);
}

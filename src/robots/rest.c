/* A pose to stand in. That of the file's keyframe, if it has one. Else legs are bent so that each foot is under the
 * place where its leg joins the body, as wide apart as at zero, level if it is flat, and the leg a little shorter than
 * stretched, within the ranges of the joints; legs that sprawl, as insects' do, stand beside the body. All other joints
 * stay as near to zero as they may. The leg is found by
 * coordinates: one joint after the other by that step which makes the rest less wrong, with ever smaller steps. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "robots/limbs.h"

#define STRETCH_FLAT 0.97       /* of the longest that the leg can be, foot to hip: legs with an ankle  */
#define STRETCH_BALL 0.85       /* and those that end in a point                                        */
#define SPRAWL_OUT   0.65       /* of legs that sprawl: of how far they reach at zero                   */
#define SPRAWL_DOWN  0.50       /* and of their length                                                  */
#define MAX_LEG 32              /* axes of a leg                                                        */

static double clamp(double x, double least, double most) { return x < least ? least : x > most ? most : x; }

struct leg {
  struct limbs *k;
  int foot, n, n_limbs;
  int limb[MAX_LEG];            /* from the foot up to the body                */
  struct limbs_axis *axis[MAX_LEG]; /* from the body to the foot               */
  double at[3];                 /* of the foot's end, in its limb              */
  double wanted[3];             /* place of that end in the root's frame       */
  double R[9], p[3];            /* of what carries the leg                     */
  double length;
};

/* How wrong it is: squares of lengths by the leg's, of angles. */
static double leg_fault(const struct leg *g)
{
  double end[3], fault = 0, R[9], p[3], R_up[9], p_up[3];
  memcpy(R, g->R, sizeof R);
  memcpy(p, g->p, sizeof p);
  for (int i = g->n_limbs - 1; i >= 0; i--) {
    memcpy(R_up, R, sizeof R);
    memcpy(p_up, p, sizeof p);
    limbs_place_one(&g->k->limb[g->limb[i]], 1, R_up, p_up, R, p);
  }
  mat3_mul_vec(R, g->at, end);
  for (int i = 0; i < 3; i++)
    fault += pow((end[i] + p[i] - g->wanted[i]) / g->length, 2);
  if (g->k->limb[g->foot].is_flat)
    fault += 0.5 * (R[6] * R[6] + R[7] * R[7] + R[3] * R[3]);
  for (int i = 0; i < g->n; i++)
    fault += (fabs(g->axis[i]->about[1]) > 0.7 ? 1e-5 : 1e-3) * g->axis[i]->rest * g->axis[i]->rest;
  return fault;
}

static void leg_search(struct leg *g)
{
  double fault = leg_fault(g);
  int sweeps = 0;
  for (double step = 0.4; step > 1e-4 && sweeps < 200; sweeps++) {
    int better = 0;
    for (int i = 0; i < g->n; i++)
      for (int j = i; j < g->n; j++) /* one joint, or two at once: a knee bends with its hip */
        for (int sign = 0; sign < 4; sign++) {
          double *a = &g->axis[i]->rest, *b = &g->axis[j]->rest, before[2] = {*a, *b};
          *a = clamp(*a + (sign & 1 ? step : -step), g->axis[i]->lower, g->axis[i]->upper);
          if (j != i)
            *b = clamp(*b + (sign & 2 ? step : -step), g->axis[j]->lower, g->axis[j]->upper);
          double now = leg_fault(g);
          if (now < fault * (1 - 1e-9))
            fault = now, better = 1;
          else
            *a = before[0], *b = before[1];
        }
    step = better ? step : 0.6 * step;
  }
}

/* Where the end of the foot is in its limb: under the middle of what touches the ground at zero. */
static void leg_end(struct leg *g)
{
  static const double down[3] = {0, 0, -1};
  double low = INFINITY;
  const struct limb *l = &g->k->limb[g->foot];
  const struct robot_solid box = limbs_inertia_box(l);
  memcpy(g->at, l->tip, sizeof g->at);
  if (0 - robot_solid_reach(&box, down) < l->tip[2]) {
    memcpy(g->at, box.pos, sizeof g->at);
    g->at[2] = 0 - robot_solid_reach(&box, down);
  }
  for (int i = 0; i < g->k->n_solids; i++) {
    const struct robot_solid *s = &g->k->solids[i];
    double z = 0 - robot_solid_reach(s, down);
    if (s->body != g->foot || !s->touches || z >= low)
      continue;
    low = z;
    memcpy(g->at, s->pos, sizeof g->at);
    g->at[2] = z;
  }
}

/* A stretched leg can bend either way: the search begins with the knee bent to where there is more room, and hip and
 * ankle half as much against it. */
static void leg_begin(struct leg *g)
{
  struct limbs_axis *swing[3] = {NULL};
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    struct limbs_axis *a = g->axis[i];
    a->rest = clamp(0, a->lower, a->upper);
    if (fabs(a->about[1]) > 0.7 && n < 3)
      swing[n++] = a;
  }
  struct limbs_axis *knee = swing[1];
  if (!knee || fabs(knee->rest) >= 0.3)
    return;
  double bend = fabs(fmin(knee->upper, 3)) >= fabs(fmax(knee->lower, -3)) ? 0.5 : -0.5;
  for (int i = 0; i < n; i++) {
    double share = swing[i] == knee ? 1 : swing[i]->about[1] * knee->about[1] > 0 ? -0.5 : 0.5;
    swing[i]->rest = clamp(swing[i]->rest + share * bend, swing[i]->lower, swing[i]->upper);
  }
}

/* The limbs of the leg, from the foot up to where it joins the body, and their axes, from there down. */
static void leg_chain(struct leg *g)
{
  const struct limb *limb = g->k->limb;
  int i = g->foot;
  g->limb[g->n_limbs++] = i;
  while (limb[limb[i].parent].parent >= 0 && limb[limb[i].parent].n_children == 1 && g->n_limbs < MAX_LEG)
    g->limb[g->n_limbs++] = i = limb[i].parent;
  for (i = g->n_limbs - 1; i >= 0; i--)
    for (int a = 0; a < limb[g->limb[i]].n_axes && g->n < MAX_LEG; a++)
      g->axis[g->n++] = &g->k->limb[g->limb[i]].axes[a];
}

/* Limbs of the leg whose joints swing it to and fro, from the body down: hip, knee, ankle. Of a leg that sprawls the
 * first limb stands for the hip. */
static int leg_swings(const struct leg *g, int sprawls, int joints[MAX_LEG])
{
  int n = 0;
  for (int i = g->n_limbs - 1; i >= 0; i--) {
    const struct limb *l = &g->k->limb[g->limb[i]];
    int swings = sprawls && i == g->n_limbs - 1;
    for (int a = 0; a < l->n_axes; a++)
      swings |= fabs(l->axes[a].about[1]) > 0.7;
    if (swings)
      joints[n++] = g->limb[i];
  }
  if (n == 0)
    joints[n++] = g->limb[g->n_limbs - 1];
  return n;
}

static double leg_part(const struct leg *g, int from, int to) /* from joint to joint, seen from the side */
{
  const double *a = g->k->limb[from].place, *b = g->k->limb[to].place;
  return hypot(a[0] - b[0], a[2] - b[2]);
}

/* Where the end of the foot should be, and how long the leg is. */
static void leg_want(struct leg *g)
{
  const struct limb *limb = g->k->limb, *foot = &limb[g->foot];
  int sprawls = !foot->is_flat && fabs(g->axis[0]->about[2]) > 0.7; /* it turns about the vertical first */
  int joints[MAX_LEG], n = leg_swings(g, sprawls, joints);
  const double *hip = limb[joints[0]].place;
  double end[3];
  g->length = vec3_norm(g->at);
  for (int i = 0; i < 3; i++)
    end[i] = foot->place[i] + g->at[i];
  for (int i = g->foot; i != joints[0]; i = limb[i].parent)
    g->length += vec3_norm(limb[i].at);
  memcpy(g->wanted, end, sizeof end);
  if (sprawls) {
    for (int i = 0; i < 2; i++)
      g->wanted[i] = hip[i] + SPRAWL_OUT * (end[i] - hip[i]);
    g->wanted[2] = hip[2] - SPRAWL_DOWN * g->length;
  } else if (foot->is_flat && n >= 3) { /* the ankle under the hip */
    double reach = leg_part(g, joints[0], joints[1]) + leg_part(g, joints[1], joints[n - 1]);
    const double *ankle = limb[joints[n - 1]].place;
    g->wanted[0] = hip[0] + end[0] - ankle[0];
    g->wanted[2] = hip[2] - STRETCH_FLAT * reach + end[2] - ankle[2];
  } else if (foot->is_flat) {
    g->wanted[2] = hip[2] - STRETCH_FLAT * (hip[2] - end[2]);
  } else {
    g->wanted[0] = hip[0];
    g->wanted[2] = hip[2] - STRETCH_BALL * g->length;
  }
}

/* Bends the leg that ends in `foot`; R and p are room for a pose. */
static void leg_stand(struct limbs *k, int foot, double *R, double *p)
{
  struct leg g = {.k = k, .foot = foot};
  leg_chain(&g);
  leg_end(&g);
  if (g.n == 0)
    return;
  int carrier = k->limb[g.limb[g.n_limbs - 1]].parent;
  limbs_place(k, 1, R, p);
  memcpy(g.R, R + 9 * carrier, sizeof g.R);
  memcpy(g.p, p + 3 * carrier, sizeof g.p);
  leg_want(&g);
  leg_begin(&g);
  leg_search(&g);
  for (int i = 0; i < g.n; i++) { /* what a person would write: hundredths of a degree */
    double *a = &g.axis[i]->rest;
    *a = clamp(round(*a * TO_DEGREES * 100) / 100 * TO_RADIANS, g.axis[i]->lower, g.axis[i]->upper);
  }
}

/* The same angles on both sides, as far as ranges allow. */
static void rest_mirror(struct limbs *k)
{
  for (int i = 1; i < k->n; i++) {
    struct limb *l = &k->limb[i];
    if (l->mirror < 0 || l->left || l->mirror == i)
      continue;
    for (int a = 0; a < l->n_axes; a++)
      l->axes[a].rest = clamp(k->limb[l->mirror].axes[a].rest, l->axes[a].lower, l->axes[a].upper);
  }
}

void limbs_begin_rest(struct limbs *k)
{
  for (int i = 1; i < k->n; i++)
    for (int a = 0; a < k->limb[i].n_axes; a++) {
      struct limbs_axis *x = &k->limb[i].axes[a];
      x->rest = clamp(isnan(x->joint->home) ? 0 : x->sign * x->joint->home, x->lower, x->upper);
    }
}

void limbs_find_rest(struct limbs *k)
{
  int feet = 0;
  double *R = ARENA_NEW(k->arena, 9 * (size_t)k->n, double), *p = ARENA_NEW(k->arena, 3 * (size_t)k->n, double);
  if (k->r->keyframe) {
    k->rest = arena_printf(k->arena, "keyframe '%s'", limbs_clean(k->arena, k->r->keyframe));
    return;
  }
  for (int i = 1; i < k->n && feet < 8; i++)
    if (k->limb[i].is_foot && (k->limb[i].mirror < 0 || k->limb[i].left || k->limb[i].mirror == i))
      leg_stand(k, i, R, p), feet++;
  rest_mirror(k);
  k->rest = feet ? "found: feet under the hips" : "zero, as far as ranges allow";
}

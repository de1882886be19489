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

/* A stretched leg can bend either way: a little, to the side where there is more room, so that the search finds it. */
static void leg_begin(struct leg *g)
{
  int pitch = 0;
  for (int i = 0; i < g->n; i++) {
    struct limbs_axis *a = g->axis[i];
    a->rest = clamp(0, a->lower, a->upper);
    pitch += fabs(a->about[1]) > 0.7;
    if (pitch == 2 && fabs(a->rest) < 0.3 && fabs(a->about[1]) > 0.7) { /* the knee */
      double more = fabs(fmin(a->upper, 3)) >= fabs(fmax(a->lower, -3)) ? 0.5 : -0.5;
      a->rest = clamp(a->rest + more, a->lower, a->upper);
    }
  }
}

/* Where the end of the foot should be, from its place at zero. */
static void leg_want(struct leg *g, const double hip[3], const double end[3])
{
  const struct limb *foot = &g->k->limb[g->foot];
  if (!foot->is_flat && fabs(g->axis[0]->about[2]) > 0.7) { /* a leg that sprawls: it turns about the vertical first */
    for (int i = 0; i < 2; i++)
      g->wanted[i] = hip[i] + SPRAWL_OUT * (end[i] - hip[i]);
    g->wanted[2] = hip[2] - SPRAWL_DOWN * g->length;
    return;
  }
  g->wanted[0] = foot->is_flat ? end[0] : hip[0];
  g->wanted[1] = end[1];
  g->wanted[2] = hip[2] - (foot->is_flat ? STRETCH_FLAT * (hip[2] - end[2]) : STRETCH_BALL * g->length);
}

static void leg_stand(struct limbs *k, int foot, double *R, double *p)
{
  struct leg g = {.k = k, .foot = foot};
  double end[3];
  int top = foot, *chain = g.limb, n = 0;
  for (; k->limb[top].parent >= 0 && n < MAX_LEG; top = k->limb[top].parent) {
    if (k->limb[k->limb[top].parent].n_children > 1 && n > 0 && k->limb[top].mirror == top)
      break;
    chain[n++] = top;
    if (k->limb[k->limb[top].parent].n_children > 1)
      break;
  }
  leg_end(&g);
  double length = vec3_norm(g.at), hip[3];
  int pitches = 0;
  for (int i = n - 1; i >= 0; i--)
    for (int a = 0; a < k->limb[chain[i]].n_axes && g.n < MAX_LEG; a++)
      g.axis[g.n++] = &k->limb[chain[i]].axes[a];
  if (g.n == 0)
    return;
  /* from the first joint that swings the leg to and fro */
  memcpy(hip, k->limb[chain[n - 1]].place, sizeof hip);
  for (int i = n - 1; i >= 0; i--) {
    int swings = 0;
    for (int a = 0; a < k->limb[chain[i]].n_axes; a++)
      swings |= fabs(k->limb[chain[i]].axes[a].about[1]) > 0.7 || (i == n - 1 && fabs(g.axis[0]->about[2]) > 0.7 &&
                                                                  !k->limb[foot].is_flat);
    if (swings && pitches++ == 0)
      memcpy(hip, k->limb[chain[i]].place, sizeof hip);
    else if (pitches)
      length += vec3_norm(k->limb[chain[i]].at);
  }
  g.n_limbs = n;
  limbs_place(k, 1, R, p);
  memcpy(g.R, R + 9 * k->limb[chain[n - 1]].parent, sizeof g.R);
  memcpy(g.p, p + 3 * k->limb[chain[n - 1]].parent, sizeof g.p);
  limbs_place(k, 0, R, p);
  for (int i = 0; i < 3; i++)
    end[i] = p[3 * foot + i] + g.at[i];
  g.length = length;
  leg_want(&g, hip, end);
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

/* A clip as numbers to draw. See plots/traces.h. */
#include "plots/traces.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "dynamics/dynamics.h"
#include "dynamics/tissue.h"

/* ---- names ---- */

enum side traces_side(const char *name)
{
  if (strncmp(name, "left_", 5) == 0) return SIDE_LEFT;
  return strncmp(name, "right_", 6) == 0 ? SIDE_RIGHT : SIDE_MIDDLE;
}

char *traces_plain_name(struct arena *arena, const char *name)
{
  static const int prefix[] = {[SIDE_LEFT] = 5, [SIDE_RIGHT] = 6, [SIDE_MIDDLE] = 0};
  char *plain = text_clean(arena, name + prefix[traces_side(name)], 1);
  for (char *dot = plain; (dot = strchr(dot, '.')) != NULL;) *dot = ' ';
  return plain;
}

/* ---- legs ---- */

static const char *leg_name(struct arena *arena, const struct creature *c, const struct leg *l)
{
  static const char *const words[] = {[SIDE_LEFT] = "left ", [SIDE_RIGHT] = "right ", [SIDE_MIDDLE] = ""};
  const char *name = NULL;
  int last = -1;
  for (int i = 0; i < l->n_points; i++) {
    int foot = c->points[l->points[i]].foot;
    const char *plain = traces_plain_name(arena, c->feet[foot].name);
    if (foot != last) name = name ? arena_printf(arena, "%s, %s", name, plain) : plain;
    last = foot;
  }
  return arena_printf(arena, "%s%s", words[l->side], name);
}

/* The leg whose chain starts with that limb, -1 if there is none. */
static int find_leg(const struct leg *legs, int n, int first_limb)
{
  for (int i = 0; i < n; i++)
    if (legs[i].first_limb == first_limb) return i;
  return -1;
}

static void find_legs(struct arena *arena, struct traces *t)
{
  const struct creature *c = t->creature;
  struct leg *legs = ARENA_NEW(arena, (size_t)c->n_points + 1, struct leg);
  for (int p = 0; p < c->n_points; p++) {
    int first = c->feet[c->points[p].foot].first_leg_limb, i = find_leg(legs, t->n_legs, first);
    if (i < 0) {
      i = t->n_legs++;
      legs[i].first_limb = first;
    }
    int *points = ARENA_NEW(arena, (size_t)legs[i].n_points + 1, int);
    if (legs[i].n_points > 0) memcpy(points, legs[i].points, (size_t)legs[i].n_points * sizeof *points);
    points[legs[i].n_points++] = p;
    legs[i].points = points;
  }
  for (int i = 0; i < t->n_legs; i++) {
    legs[i].side = traces_side(c->points[legs[i].points[0]].name);
    legs[i].name = leg_name(arena, c, &legs[i]);
    legs[i].mirror = find_leg(legs, t->n_legs, c->limbs[legs[i].first_limb].mirror);
    if (legs[i].mirror < 0) legs[i].mirror = i;
  }
  t->legs = legs;
}

/* ---- numbers ---- */

static int complain(const struct creature *c, const struct clip *clip, const char *file, struct diag *d)
{
  if (clip->n_dofs != c->n_dofs || clip->n_points != c->n_points) {
    diag_error(d, file, 0, "the clip has %d dofs and %d contact points, creature '%s' has %d and %d", clip->n_dofs,
               clip->n_points, c->name, c->n_dofs, c->n_points);
    return 1;
  }
  if (clip->n_frames < 3 || !(clip->dt > 0.0 && isfinite(clip->dt))) {
    diag_error(d, file, 0, "a clip must have 3 frames and a time > 0 s between them, this one has %d and %g s",
               clip->n_frames, clip->dt);
    return 1;
  }
  size_t n_q = (size_t)clip->n_frames * (size_t)clip->n_dofs, n_f = 3 * (size_t)clip->n_frames * (size_t)clip->n_points;
  double sum = clip->advance.x + clip->advance.y + clip->advance.yaw;
  for (size_t i = 0; i < n_q; i++) sum += fabs(clip->q[i]) < 1e9 ? 0.0 : NAN;
  for (size_t i = 0; i < n_f; i++) sum += fabs(clip->force[i]) < 1e15 ? 0.0 : NAN;
  if (isfinite(sum)) return 0;
  diag_error(d, file, 0, "the clip has a number that is not finite, or absurdly large");
  return 1;
}

/* The frame behind sample k. */
static int frame_of(const struct traces *t, int k)
{
  int n = t->clip->n_frames;
  return (k + t->first + n) % n;
}

static const double *last_pose(const struct clip *clip)
{
  return clip->q + (size_t)(clip->n_frames - 1) * (size_t)clip->n_dofs;
}

static void fill_axis(struct traces *t)
{
  const struct clip *clip = t->clip;
  double mean = 0.0, turn = clip->cyclic ? clip->advance.yaw : last_pose(clip)[3] - clip->q[3];
  t->turns = fabs(turn) > 0.1;
  for (int k = 0; k < clip->n_frames; k++) mean += clip->q[(size_t)k * (size_t)clip->n_dofs + 3] / clip->n_frames;
  for (int k = 0; k < t->n; k++) {
    t->x[k] = clip->cyclic ? (k + t->first + 0.5) / clip->n_frames : k * clip->dt;
    clip_frame(clip, k + t->first, t->q + (size_t)k * (size_t)clip->n_dofs);
    t->heading[k] = t->turns ? t->q[(size_t)k * (size_t)clip->n_dofs + 3] : mean;
  }
  t->x_hi = clip->cyclic ? 1.0 : t->x[t->n - 1];
  t->x_frame = clip->cyclic ? 1.0 / clip->n_frames : clip->dt;
  t->x_label = clip->cyclic ? "phase of the cycle" : "time [s]";
}

static void fill_forces(struct traces *t)
{
  const struct creature *c = t->creature;
  double weight = c->mass * CREATURE_GRAVITY;
  for (int k = 0; k < t->n; k++) {
    double h = t->heading[k], ch = cos(h), sh = sin(h);
    for (int p = 0; p < c->n_points; p++) {
      const double *f = t->clip->force + 3 * ((size_t)frame_of(t, k) * (size_t)c->n_points + (size_t)p);
      double *out = t->force + 3 * ((size_t)k * (size_t)c->n_points + (size_t)p);
      out[0] = (ch * f[0] + sh * f[1]) / weight;
      out[1] = (ch * f[1] - sh * f[0]) / weight;
      out[2] = f[2] / weight;
    }
  }
}

/* tau = M a + h - sum J^T force, over all points: those in the air have no force. */
static void fill_torques(struct arena *arena, struct traces *t)
{
  const struct creature *c = t->creature;
  size_t n = (size_t)c->n_dofs, n_points = (size_t)c->n_points;
  struct dynamics *dynamics = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, 3 * n, double), *v = q + n, *a = q + 2 * n;
  int *point = ARENA_NEW(arena, n_points + 1, int);
  for (int p = 0; p < c->n_points; p++) point[p] = p;
  for (int k = 0; k < t->n; k++) {
    struct dynamics_contacts contacts = {.n = c->n_points, .point = point,
                                         .force = t->clip->force + 3 * n_points * (size_t)frame_of(t, k)};
    double *torque = t->torque + n * (size_t)k, *place = t->place + 3 * n_points * (size_t)k;
    int known = clip_state(t->clip, k + t->first, q, v, a);
    dynamics_residual(dynamics, q, v, a, &contacts, torque, place);
    tissue_subtract(c, q, v, torque);
    for (size_t i = 0; i < n && !known; i++) torque[i] = NAN;
  }
}

const struct traces *traces_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                                const char *file, struct diag *d)
{
  if (complain(c, clip, file, d)) return NULL;
  struct traces *t = ARENA_NEW(arena, 1, struct traces);
  *t = (struct traces){.creature = c, .clip = clip, .n = clip->n_frames + (clip->cyclic ? 2 : 0),
                       .first = clip->cyclic ? -1 : 0};
  size_t n = (size_t)t->n;
  t->x = ARENA_NEW(arena, n, double);
  t->heading = ARENA_NEW(arena, n, double);
  t->q = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  t->torque = ARENA_NEW(arena, n * (size_t)c->n_dofs, double);
  t->force = ARENA_NEW(arena, 3 * n * (size_t)c->n_points + 1, double);
  t->place = ARENA_NEW(arena, 3 * n * (size_t)c->n_points + 1, double);
  fill_axis(t);
  fill_forces(t);
  fill_torques(arena, t);
  find_legs(arena, t);
  return t;
}

/* ---- asking ---- */

void traces_pose(const struct traces *t, int frame, double *q)
{
  clip_frame(t->clip, frame, q);
}

static int stands(const struct traces *t, int frame, int n_points, const int *points)
{
  const unsigned char *contact = t->clip->contact + (size_t)frame * (size_t)t->clip->n_points;
  for (int i = 0; i < n_points; i++)
    if (contact[points[i]]) return 1;
  return 0;
}

const struct xy *traces_stance(const struct traces *t, struct arena *arena, int n_points, const int *points, int *n)
{
  struct xy *spans = ARENA_NEW(arena, (size_t)t->n + 1, struct xy);
  double half = 0.5 * t->x_frame;
  *n = 0;
  for (int k = 0; k < t->n; k++) {
    if (!stands(t, frame_of(t, k), n_points, points)) continue;
    double from = fmax(0.0, t->x[k] - half), until = fmin(t->x_hi, t->x[k] + half);
    if (!(until - from > 1e-6 * t->x_frame)) continue;
    if (*n > 0 && spans[*n - 1].y > from - 0.5 * half)
      spans[*n - 1].y = until;
    else
      spans[(*n)++] = (struct xy){from, until};
  }
  return spans;
}

double traces_duty(const struct traces *t, int n_points, const int *points)
{
  int n = 0;
  for (int k = 0; k < t->clip->n_frames; k++) n += stands(t, k, n_points, points);
  return (double)n / t->clip->n_frames;
}

void traces_leg_force(const struct traces *t, int leg, int axis, double *out)
{
  const struct leg *l = &t->legs[leg];
  for (int k = 0; k < t->n; k++) {
    const double *force = t->force + 3 * (size_t)k * (size_t)t->clip->n_points;
    out[k] = 0.0;
    for (int i = 0; i < l->n_points; i++) out[k] += force[3 * l->points[i] + axis];
  }
}

void traces_column(const struct traces *t, const double *table, int width, int i, double scale, double *out)
{
  for (int k = 0; k < t->n; k++) out[k] = scale * table[(size_t)k * (size_t)width + (size_t)i];
}

/* ---- words ---- */

char *traces_title(const struct traces *t, struct arena *arena)
{
  const struct clip *clip = t->clip;
  const char *name = *clip->name ? clip->name : *clip->gait ? clip->gait : "a clip";
  return arena_printf(arena, "%s: %s", text_clean(arena, creature_title(arena, t->creature), 1),
                      text_clean(arena, name, 1));
}

/* How far a clip leads: a stride, or the way of the root. */
static double length_of(const struct clip *clip)
{
  size_t n = (size_t)clip->n_dofs;
  double way = 0.0;
  if (clip->cyclic) return hypot(hypot(clip->advance.x, clip->advance.y), clip_climb(clip));
  for (int k = 0; k + 1 < clip->n_frames; k++) {
    const double *q = clip->q + (size_t)k * n;
    way += hypot(q[n] - q[0], q[n + 1] - q[1]);
  }
  return way;
}

char *traces_facts(const struct traces *t, struct arena *arena)
{
  const struct clip *clip = t->clip;
  double time = (clip->cyclic ? clip->n_frames : clip->n_frames - 1) * clip->dt, way = length_of(clip);
  char *facts = arena_printf(arena, "%s m/s, %s of %s in %s s, %d frames", text_number3(arena, way / time),
                             clip->cyclic ? "a stride" : "a way", text_length(arena, way), text_number3(arena, time),
                             clip->n_frames);
  if (fabs(clip->strafe) > 1e-6)
    facts = arena_printf(arena, "%s, %.0f\xc2\xb0 off the nose", facts, clip->strafe * TO_DEGREES);
  if (!surface_is_level(&clip->ground))
    facts = arena_printf(arena, "%s, %.3g\xc2\xb0 %s", facts, surface_steepness(&clip->ground, NULL) * TO_DEGREES,
                         clip_climb(clip) < 0 ? "down" : "up");
  if (!clip->cyclic)
    facts = arena_printf(arena, "%s, a turn of %.0f\xc2\xb0", facts, clip->turn * TO_DEGREES);
  return facts;
}

/* See style.h: asking styles, and what is half of two. */
#include "creature/style.h"

#include <math.h>
#include <stdio.h>

#include "base/angle.h"

#define SAME 1e-9 /* as in symmetry.c */

const char *creature_title(struct arena *arena, const struct creature *c)
{
  const char *title = c->name;
  for (int i = 0; i < c->n_styles; i++)
    title = arena_printf(arena, "%s, %s", title, c->styles[i].name);
  return title;
}

static double style_from(double phase, double other)
{
  double d = phase - other;
  return fabs(d - floor(d + 0.5)); /* the way round the cycle that is shorter */
}

double style_key_share(const struct style_key *k, double phase)
{
  double away = style_from(phase, k->phase) / k->width;
  double s = away < 1.0 ? cos(0.5 * PI * away) : 0.0;
  return s * s;
}

/* ---- between two ---- */

/* The mean of two arrays, of which NULL is all `plain`, or one array if that is not NULL. */
static const double *style_mean(struct arena *arena, int n, const double *a, const double *b, const double *plain,
                                int geometric)
{
  double *mean = ARENA_NEW(arena, (size_t)n, double);
  for (int i = 0; i < n; i++) {
    double x = a ? a[i] : plain ? plain[i] : 1.0, y = b ? b[i] : plain ? plain[i] : 1.0;
    mean[i] = geometric ? sqrt(x * y) : 0.5 * (x + y);
  }
  return mean;
}

const struct style *style_between(struct arena *arena, const struct creature *c, const struct style *a,
                                  const struct style *b)
{
  if (a == b)
    return a;
  struct style *s = ARENA_NEW(arena, 1, struct style);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  s->effort = style_mean(arena, c->n_dofs, a ? a->effort : NULL, b ? b->effort : NULL, NULL, 1);
  s->posture = style_mean(arena, c->n_dofs, a ? a->posture : NULL, b ? b->posture : NULL, NULL, 1);
  s->rest = style_mean(arena, c->n_dofs, a ? a->rest : NULL, b ? b->rest : NULL, rest, 0);
  s->clearance = style_mean(arena, c->n_points, a ? a->clearance : NULL, b ? b->clearance : NULL, NULL, 1);
  int n_a = a ? a->n_weights : 0, n_b = b ? b->n_weights : 0;
  struct style_weight *weights = ARENA_NEW(arena, (size_t)(n_a + n_b), struct style_weight);
  for (int i = 0; i < n_a + n_b; i++) {
    weights[i] = i < n_a ? a->weights[i] : b->weights[i - n_a];
    weights[i].factor = sqrt(weights[i].factor);
  }
  s->weights = weights;
  s->n_weights = n_a + n_b;
  return s;
}

/* ---- the mirror ---- */

static int style_differs(struct creature_asymmetry *why, const char *what, const char *part, double value,
                         double expected)
{
  snprintf(why->what, sizeof why->what, "%s of '%s' is %.6g, but %.6g in the mirror", what, part, value, expected);
  return 0;
}

static int style_same(double x, double y) { return fabs(x - y) <= SAME * fmax(1.0, fmax(fabs(x), fabs(y))); }

static int style_has_key(const struct style *s, const struct style_key *k)
{
  for (int i = 0; i < s->n_keys; i++) {
    const struct style_key *o = &s->keys[i];
    if (o->dof == k->dof && style_same(o->angle, k->angle) && style_from(o->phase, k->phase) < SAME &&
        style_same(o->width, k->width) && style_same(o->weight, k->weight))
      return 1;
  }
  return 0;
}

int style_is_mirrored(const struct creature *c, const struct style *s, double lag, struct creature_asymmetry *why)
{
  struct creature_asymmetry unread, *out = why ? why : &unread;
  for (int i = 0; i < c->n_dofs; i++) {
    const struct dof *d = &c->dofs[i];
    double rest = d->mirror_sign * s->rest[d->mirror];
    if (!style_same(s->effort[i], s->effort[d->mirror]))
      return style_differs(out, "the effort", d->name, s->effort[i], s->effort[d->mirror]);
    if (!style_same(s->posture[i], s->posture[d->mirror]))
      return style_differs(out, "the posture weight", d->name, s->posture[i], s->posture[d->mirror]);
    if (!style_same(s->rest[i], rest))
      return style_differs(out, "the angle to hold [degrees]", d->name, s->rest[i] * TO_DEGREES, rest * TO_DEGREES);
  }
  for (int i = 0; i < c->n_points; i++)
    if (!style_same(s->clearance[i], s->clearance[c->points[i].mirror]))
      return style_differs(out, "the clearance", c->points[i].name, s->clearance[i],
                           s->clearance[c->points[i].mirror]);
  for (int i = 0; i < s->n_keys; i++) {
    struct style_key image = s->keys[i];
    const struct dof *d = &c->dofs[image.dof];
    image.dof = d->mirror;
    image.angle *= d->mirror_sign;
    image.phase += lag;
    if (style_has_key(s, &image))
      continue;
    snprintf(out->what, sizeof out->what, "the angle of '%s' in pose '%s' has no mirror image %g of a cycle later",
             d->name, image.pose, lag);
    return 0;
  }
  return 1;
}

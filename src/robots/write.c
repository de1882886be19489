/* The text of the creature file: limbs in the order of the tree, pairs once, what their right ones have of their own as
 * changes. Numbers have 12 digits: masses, places and moments are those of the robot to a part in 1e11. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "robots/limbs.h"

#define SAME 1e-11              /* what differs by less from the mirror image is rounding: of lengths [m] and shares */

/* A number without a minus sign or digits that are rounding; `scale` is the size of its like. */
static double clean(double x, double scale)
{
  return fabs(x) <= 1e-14 * fmax(scale, 1e-12) ? 0 : x;
}

static void put_vector(FILE *out, const char *key, const double v[3])
{
  fprintf(out, "  %s = {%.12g, %.12g, %.12g}", key, clean(v[0], 1), clean(v[1], 1), clean(v[2], 1));
}

static void put_inertia(FILE *out, const double I[6])
{
  double scale = I[0] + I[1] + I[2];
  fputs("inertia = {", out);
  for (int i = 0; i < 6; i++)
    fprintf(out, "%s%.12g", i ? ", " : "", clean(I[i], scale));
  fputs("}", out);
}

/* ---- angles ---- */

static double degrees(double angle) { return clean(angle * TO_DEGREES, 1); }

/* A joint that turns all the way round, or for which nothing is said, is free. */
static void axis_range(const struct limbs_axis *a, double range[2])
{
  int is_free = !(a->upper - a->lower < 2 * 3.1415927);
  range[0] = is_free ? fmin(-180, degrees(a->rest)) : degrees(a->lower);
  range[1] = is_free ? fmax(180, degrees(a->rest)) : degrees(a->upper);
}

static void put_about(FILE *out, const double v[3])
{
  static const char letters[] = "xyz";
  for (int i = 0; i < 3; i++)
    if (v[(i + 1) % 3] == 0 && v[(i + 2) % 3] == 0) {
      fprintf(out, "about = %s%c", v[i] < 0 ? "-" : "", letters[i]);
      return;
    }
  fprintf(out, "about = {%.12g, %.12g, %.12g}", v[0], v[1], v[2]);
}

/* Does the spring of a joint pull elsewhere than to its rest angle? Then it is a tendon. */
static int has_tendon(const struct limbs_axis *a)
{
  return a->joint->stiffness > 0 && fabs(a->slack - a->rest) > 1e-9;
}

static void put_joint_name(FILE *out, struct arena *arena, const struct limbs_axis *a)
{
  fputs(limbs_clean(arena, a->joint->name), out);
  if (a->sign < 0 || a->joint->reference != 0)
    fprintf(out, " = %sangle", a->sign < 0 ? "-" : "");
  if (a->joint->reference != 0)
    fprintf(out, " + %.6g", degrees(a->joint->reference));
}

static void put_axis(FILE *out, const struct limbs *k, const struct limb *l, int n)
{
  const struct limbs_axis *a = &l->axes[n];
  double range[2];
  axis_range(a, range);
  fprintf(out, "\n  axis %-5s { ", a->name);
  put_about(out, a->about);
  fprintf(out, "  range = {%.10g, %.10g}", range[0], range[1]);
  if (degrees(a->rest) != 0)
    fprintf(out, "  rest = %.10g", degrees(a->rest));
  if (isfinite(a->joint->torque))
    fprintf(out, "  torque = %.10g", a->joint->torque);
  if (a->joint->stiffness > 0 && !has_tendon(a))
    fprintf(out, "  stiffness = %.10g", a->joint->stiffness);
  if (a->joint->damping > 0)
    fprintf(out, "  damping = %.10g", a->joint->damping);
  fputs(" } # ", out);
  put_joint_name(out, k->arena, a);
  if (l->left) {
    fputs("; ", out);
    put_joint_name(out, k->arena, &k->limb[l->mirror].axes[n]);
  }
}

/* ---- limbs ---- */

static int is_right(const struct limbs *k, int i)
{
  return k->limb[i].mirror >= 0 && k->limb[i].mirror != i && !k->limb[i].left;
}

static void put_shape(FILE *out, const struct limb *l)
{
  if (l->shape == LIMB_NONE && vec3_norm(l->to) == 0)
    return;
  fputs("\n ", out);
  if (vec3_norm(l->from) > 0)
    fprintf(out, " from = {%.6g, %.6g, %.6g}", clean(l->from[0], 1), clean(l->from[1], 1), clean(l->from[2], 1));
  fprintf(out, " to = {%.6g, %.6g, %.6g}", clean(l->to[0], 1), clean(l->to[1], 1), clean(l->to[2], 1));
  if (l->shape == LIMB_CAPSULE)
    fprintf(out, "  radius = %.4g", l->radius);
  else if (l->shape != LIMB_NONE)
    fprintf(out, "  shape = %s  size = {%.5g, %.5g, %.5g}", l->shape == LIMB_BOX ? "box" : "ellipsoid", l->size[0],
            l->size[1], l->size[2]);
}

static void put_limb(FILE *out, const struct limbs *k, int i)
{
  const struct limb *l = &k->limb[i];
  const struct limb *up = l->parent < 0 ? NULL : &k->limb[l->parent];
  fprintf(out, "\n# %s", limbs_clean(k->arena, l->body->name));
  if (l->left)
    fprintf(out, ", %s", limbs_clean(k->arena, k->limb[l->mirror].body->name));
  fprintf(out, "\nlimb %s {", l->name);
  if (up) {
    fprintf(out, " parent = %s", up->name);
    if (l->left && !up->left)
      fputs("  mirror = true", out);
    put_vector(out, "at", l->at);
  }
  put_shape(out, l);
  fprintf(out, "\n  mass = %.12g", l->mass);
  put_vector(out, "com", l->com);
  fputs("\n  ", out);
  put_inertia(out, l->inertia);
  for (int a = 0; a < l->n_axes; a++)
    put_axis(out, k, l, a);
  fputs(l->n_axes ? "\n}\n" : " }\n", out); /* what follows an axis is a comment */
}

static void put_feet(FILE *out, const struct limbs *k)
{
  fputs("\n", out);
  for (int i = 0; i < k->n; i++) {
    const struct limb *l = &k->limb[i];
    if (!l->is_foot || is_right(k, i))
      continue;
    fprintf(out, "foot %s { limb = %s", l->name, l->name);
    for (int p = 0; p < l->n_points; p++) {
      const double *at = l->points[p].at;
      fprintf(out, "%spoint %s { at = {%.6g, %.6g, %.6g} }", p && p % 2 == 0 ? "\n  " : "  ", l->points[p].name,
              clean(at[0], 1), l->mirror == i && l->n_points == 1 ? 0 : clean(at[1], 1), clean(at[2], 1));
    }
    fputs(" }\n", out);
  }
}

static void put_tendons(FILE *out, const struct limbs *k)
{
  for (int i = 0; i < k->n; i++)
    for (int a = 0; a < k->limb[i].n_axes; a++) {
      const struct limb *l = &k->limb[i];
      const struct limbs_axis *x = &l->axes[a];
      if (has_tendon(x) && !is_right(k, i))
        fprintf(out, "tendon %s_%s { over = %s.%s  taut = both  slack = %.10g  stiffness = %.10g }\n", l->name, x->name,
                l->name, x->name, degrees(x->slack), x->joint->stiffness);
    }
}

/* ---- what the right ones have of their own ---- */

static int differs(const double *a, const double *b, int n, double scale)
{
  int found = 0;
  for (int i = 0; i < n; i++)
    found |= fabs(a[i] - b[i]) > SAME * scale;
  return found;
}

static void put_axis_change(FILE *out, const struct limbs_axis *l, const struct limbs_axis *r)
{
  const double about[3] = {0 - l->about[0], l->about[1], 0 - l->about[2]};
  double range[2][2];
  int turns = differs(about, r->about, 3, 1), rests = fabs(l->rest - r->rest) > 1e-10, moves;
  axis_range(l, range[0]);
  axis_range(r, range[1]);
  moves = differs(range[0], range[1], 2, 1e3);
  int strong = l->joint->torque != r->joint->torque && isfinite(r->joint->torque);
  int damps = l->joint->damping != r->joint->damping;
  if (!turns && !rests && !moves && !strong && !damps)
    return;
  fprintf(out, "\n  axis %s {", l->name);
  if (turns) {
    fputs(" ", out);
    put_about(out, r->about);
  }
  if (moves)
    fprintf(out, " range = {%.10g, %.10g}", range[1][0], range[1][1]);
  if (rests)
    fprintf(out, " rest = %.10g", degrees(r->rest));
  if (strong)
    fprintf(out, " torque = %.10g", r->joint->torque);
  if (damps)
    fprintf(out, " damping = %.10g", r->joint->damping);
  fputs(" }", out);
}

/* All changes of a limb, without braces; empty if it is the left one in the mirror. */
static char *changes_of(const struct limb *l, const struct limb *r)
{
  const double at[3] = {l->at[0], 0 - l->at[1], l->at[2]}, com[3] = {l->com[0], 0 - l->com[1], l->com[2]};
  const double inertia[6] = {l->inertia[0], l->inertia[1], l->inertia[2], 0 - l->inertia[3], l->inertia[4],
                             0 - l->inertia[5]};
  double trace = inertia[0] + inertia[1] + inertia[2];
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    arena_out_of_memory();
  if (differs(at, r->at, 3, 1))
    put_vector(out, "at", r->at);
  if (differs(com, r->com, 3, 1))
    put_vector(out, "com", r->com);
  if (differs(&l->mass, &r->mass, 1, l->mass))
    fprintf(out, "  mass = %.12g", r->mass);
  if (differs(inertia, r->inertia, 6, trace) || differs(&l->mass, &r->mass, 1, l->mass)) {
    fputs("\n  ", out);
    put_inertia(out, r->inertia);
  }
  for (int a = 0; a < l->n_axes; a++)
    put_axis_change(out, &l->axes[a], &r->axes[a]);
  fclose(out);
  return text;
}

static void put_changes(FILE *out, const struct limbs *k)
{
  int any = 0;
  for (int i = 0; i < k->n; i++) {
    if (!k->limb[i].left)
      continue;
    char *text = changes_of(&k->limb[i], &k->limb[k->limb[i].mirror]);
    if (*text && !any++)
      fputs("\n# what the right side has of its own\n", out);
    if (*text)
      fprintf(out, "change right_%s {%s }\n", k->limb[i].name, text);
    free(text);
  }
}

/* ---- the whole ---- */

static void put_head(FILE *out, const struct limbs *k, const struct robots_options *o)
{
  const struct robot *r = k->r;
  const char *name = r->name && *r->name ? limbs_clean(k->arena, r->name) : "robot";
  fprintf(out, "# Made by muybridge import from a description in %s; doc/robots.md says how. Comments behind axes\n"
               "# name the robot's joints; where their angle is not that of the file, how it follows from it.\n",
          r->format);
  fprintf(out, "# Rest pose: %s.\n", k->rest);
  if (o->symmetric)
    fputs("# Made symmetric: the right side is the left one in the mirror.\n", out);
  if (r->n_left_out) {
    fputs("# Left out, for want of a place:", out);
    for (int i = 0; i < r->n_left_out; i++)
      fprintf(out, "%s %s", i ? "," : "", r->left_out[i]);
    fputs(".\n", out);
  }
  fprintf(out, "\nname     = \"%s\"\nfriction = 0.8                       # estimate\n", name);
}

const char *limbs_write(struct limbs *k, const struct robots_options *o, const char **gaits)
{
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    arena_out_of_memory();
  put_head(out, k, o);
  for (int i = 0; i < k->n; i++)
    if (!is_right(k, i))
      put_limb(out, k, i);
  put_feet(out, k);
  put_tendons(out, k);
  put_changes(out, k);
  const char *sections = limbs_gaits(k, gaits);
  if (sections)
    fprintf(out, "\n# gaits to begin with, by the number of legs; muybridge gaits finds those that cost least\n%s",
            sections);
  fclose(out);
  const char *kept = arena_strdup(k->arena, text);
  free(text);
  return kept;
}

/* The creature as a robot (URDF): see exchange.h. http://wiki.ros.org/urdf/XML */
#include <math.h>
#include <stdarg.h>

#include "base/markup.h"
#include "dynamics/tissue.h"
#include "exchange/exchange.h"

#define NO_LIMIT     1e9        /* of a torque or a speed: the format wants a number            */
#define POINT_RADIUS 1e-3       /* of the spheres at contact points, of the creature's height   */

#define NEXT_TO_NOTHING 1e-6    /* mass of a link between two axes, of that of the limb         */

struct writer {
  const struct creature *c;
  FILE *out;
};

static void __attribute__((format(printf, 2, 3))) put(struct writer *w, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vfprintf(w->out, format, args);
  va_end(args);
}

/* ' key="value"'; a suffix tells apart what has the same name here */
static void put_name(struct writer *w, const char *key, const char *name, const char *suffix)
{
  put(w, " %s=\"", key);
  markup_put_text(w->out, name);
  put(w, "%s\"", suffix);
}

/* Rotation about fixed x, then y, then z, of a matrix (row-major). */
static void put_origin(struct writer *w, const double *at, const double *R)
{
  put(w, "<origin xyz=\"%.17g %.17g %.17g\"", at[0], at[1], at[2]);
  if (R) {
    double pitch = atan2(-R[6], hypot(R[0], R[3])), roll, yaw;
    int locked = hypot(R[0], R[3]) < 1e-9;
    roll = locked ? 0 : atan2(R[7], R[8]);
    yaw = locked ? atan2(-R[1], R[4]) : atan2(R[3], R[0]);
    put(w, " rpy=\"%.17g %.17g %.17g\"", roll, pitch, yaw);
  }
  put(w, "/>");
}

/* ---- links ---- */

static void put_shape(struct writer *w, const char *element, const double *at, const double *R, const char *geometry)
{
  put(w, "    <%s>", element);
  put_origin(w, at, R);
  put(w, "<geometry>%s</geometry></%s>\n", geometry, element);
}

/* A capsule is a cylinder and two spheres. */
static void put_solid(struct writer *w, const char *element, const struct shape *s)
{
  char geometry[120];
  double r = s->size[0] / 2, length = s->size[2] - s->size[0];
  if (s->kind == SHAPE_BOX) {
    snprintf(geometry, sizeof geometry, "<box size=\"%.17g %.17g %.17g\"/>", s->size[0], s->size[1], s->size[2]);
    put_shape(w, element, s->centre, s->frame, geometry);
  } else if (s->kind == SHAPE_ELLIPSOID) {
    snprintf(geometry, sizeof geometry, "<sphere radius=\"%.17g\"/>", cbrt(s->size[0] * s->size[1] * s->size[2]) / 2);
    put_shape(w, element, s->centre, NULL, geometry);
  } else if (s->kind == SHAPE_CAPSULE) {
    for (int end = -1; end <= 1; end += 2) {
      double at[3];
      for (int k = 0; k < 3; k++)
        at[k] = s->centre[k] + end * length / 2 * s->frame[3 * k + 2];
      snprintf(geometry, sizeof geometry, "<sphere radius=\"%.17g\"/>", r);
      put_shape(w, element, at, NULL, geometry);
    }
    snprintf(geometry, sizeof geometry, "<cylinder radius=\"%.17g\" length=\"%.17g\"/>", r, fmax(0, length));
    put_shape(w, element, s->centre, s->frame, geometry);
  }
}

/* I: about the centre of mass, xx yy zz xy xz yz */
static void put_inertial(struct writer *w, double mass, const double *com, const double *I)
{
  put(w, "    <inertial>");
  put_origin(w, com, NULL);
  put(w, "<mass value=\"%.17g\"/>", mass);
  put(w, "<inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\"", I[0], I[1], I[2]);
  put(w, " ixy=\"%.17g\" ixz=\"%.17g\" iyz=\"%.17g\"/></inertial>\n", I[3], I[4], I[5]);
}

static void put_link(struct writer *w, int limb)
{
  const struct limb *l = &w->c->limbs[limb];
  put(w, "  <link");
  put_name(w, "name", l->name, "");
  put(w, ">\n");
  if (l->mass > 0)
    put_inertial(w, l->mass, l->com, l->inertia);
  put_solid(w, "visual", &l->shape);
  if (l->solid)
    put_solid(w, "collision", &l->shape);
  for (int i = 0; i < w->c->n_points; i++) {
    const struct contact_point *p = &w->c->points[i];
    const double at[3] = {p->at[0] - l->origin[0], p->at[1] - l->origin[1], p->at[2] - l->origin[2]};
    if (p->limb != limb)
      continue;
    put(w, "    <collision");
    put_name(w, "name", p->name, "");
    put(w, ">");
    put_origin(w, at, NULL);
    put(w, "<geometry><sphere radius=\"%.17g\"/></geometry></collision>\n", POINT_RADIUS * w->c->height);
  }
  put(w, "  </link>\n");
}

/* Between two axes of a joint. Programs want a mass there, or take one of a kilogram. */
static void put_between(struct writer *w, const struct limb *l, const char *axis)
{
  const double none[3] = {0, 0, 0}, I = NEXT_TO_NOTHING * (l->inertia[0] + l->inertia[1] + l->inertia[2]);
  put(w, "  <link");
  put_name(w, "name", axis, ".link");
  put(w, ">\n");
  put_inertial(w, NEXT_TO_NOTHING * l->mass, none, (const double[6]){I, I, I, 0, 0, 0});
  put(w, "  </link>\n");
}

/* ---- joints ---- */

static void put_ends(struct writer *w, const char *parent, const char *parent_suffix, const char *child,
                     const char *child_suffix)
{
  put(w, "    <parent");
  put_name(w, "link", parent, parent_suffix);
  put(w, "/><child");
  put_name(w, "link", child, child_suffix);
  put(w, "/>");
}

static void put_fixed(struct writer *w, const char *name, const char *parent, const double *at)
{
  put(w, "  <joint");
  put_name(w, "name", name, "");
  put(w, " type=\"fixed\">\n");
  put_ends(w, parent, "", name, "");
  put_origin(w, at, NULL);
  put(w, "</joint>\n");
}

/* One axis. Between the axes of a joint are links that are named for the axis, ".link". */
static void put_axis(struct writer *w, const struct limb *l, int i)
{
  const struct dof *d = &w->c->dofs[l->first_dof + i];
  const struct tissue *spring = tissue_of_axis(w->c, l->first_dof + i);
  const double none[3] = {0, 0, 0};
  int limited = isfinite(d->lower) && isfinite(d->upper), last = i == l->n_dofs - 1;
  const char *carrier = i ? w->c->dofs[l->first_dof + i - 1].name : w->c->limbs[l->parent].name;
  if (!last)
    put_between(w, l, d->name);
  put(w, "  <joint");
  put_name(w, "name", d->name, "");
  put(w, " type=\"%s\">\n", limited ? "revolute" : "continuous");
  put_ends(w, carrier, i ? ".link" : "", last ? l->name : d->name, last ? "" : ".link");
  put_origin(w, i ? none : l->at, NULL);
  put(w, "\n    <axis xyz=\"%.17g %.17g %.17g\"/><limit", d->axis[0], d->axis[1], d->axis[2]);
  if (limited)
    put(w, " lower=\"%.17g\" upper=\"%.17g\"", d->lower, d->upper);
  put(w, " effort=\"%.17g\" velocity=\"%.17g\"/>", fmin(d->torque_max, NO_LIMIT), NO_LIMIT);
  if (spring && spring->damping > 0)
    put(w, "<dynamics damping=\"%.17g\"/>", spring->damping);
  put(w, "\n  </joint>\n");
}

int exchange_write_urdf(const struct creature *c, FILE *out)
{
  struct writer w = {c, out};
  put(&w, "<?xml version=\"1.0\"?>\n<robot");
  put_name(&w, "name", c->name, "");
  put(&w, ">\n");
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    put_link(&w, i);
    if (l->parent >= 0 && l->n_dofs == 0)
      put_fixed(&w, l->name, c->limbs[l->parent].name, l->at);
    for (int k = 0; l->parent >= 0 && k < l->n_dofs; k++)
      put_axis(&w, l, k);
  }
  put(&w, "</robot>\n");
  return fflush(out) != 0 || ferror(out) != 0;
}

/* The creature as a MuJoCo model, for everybody who wants to see it move in another engine, and for the tests that
 * compare ours with that engine. Format: https://mujoco.readthedocs.io/en/stable/XMLreference.html */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/eigen.h"
#include "base/markup.h"
#include "dynamics/tissue.h"
#include "exchange/exchange.h"
#include "exchange/tree_order.h"

#define CONTACT_STEPS   4       /* time constant of contacts in time steps           */
#define STEPS_PER_FRAME 6       /* as our own simulator                              */
#define LIMB_FRICTION   0.3     /* between limbs, as in our own simulator            */
#define MOST_PULL       1e10    /* of a tendon [N m]: MuJoCo wants a number          */
#define POINT_RADIUS    1e-3    /* of the spheres at contact points, of the creature's height */

struct writer {
  const struct creature *c;
  FILE *out;
  int depth;                    /* of nested elements */
  int root_is_free;             /* a free joint instead of three slides and three hinges */
};

/* One line, indented. */
static void __attribute__((format(printf, 2, 3))) line(struct writer *w, const char *format, ...)
{
  va_list args;
  fprintf(w->out, "%*s", 2 * w->depth, "");
  va_start(args, format);
  vfprintf(w->out, format, args);
  va_end(args);
  putc('\n', w->out);
}

/* ---- attributes: a space, a name, values in quotes ---- */

static void text(struct writer *w, const char *key, const char *value)
{
  fprintf(w->out, " %s=\"", key);
  markup_put_text(w->out, value);
  putc('"', w->out);
}

/* A number as digits: the fewest that read back as the same number, 17 at most. */
struct digits { char text[32]; };

static struct digits digits(double x)
{
  struct digits d;
  int precision = 15;
  do
    snprintf(d.text, sizeof d.text, "%.*g", precision, x);
  while (strtod(d.text, NULL) != x && ++precision <= 17);
  return d;
}

static void numbers(struct writer *w, const char *key, int n, const double *x)
{
  fprintf(w->out, " %s=\"", key);
  for (int i = 0; i < n; i++)
    fprintf(w->out, i ? " %s" : "%s", digits(x[i]).text);
  putc('"', w->out);
}

static void number(struct writer *w, const char *key, double x)
{
  numbers(w, key, 1, &x);
}

/* Opens an element on its own line; the caller adds attributes and ends it with end(). */
static void begin(struct writer *w, const char *element)
{
  fprintf(w->out, "%*s<%s", 2 * w->depth, "", element);
}

static void end(struct writer *w)
{
  fputs("/>\n", w->out);
}

/* ---- the parts of a body ---- */

/* Moments about the origin to mass, centre of mass and principal inertia: that of C = J - h h^T / m, the second moment
 * about it, whose axes are the rows of V. MuJoCo would find them itself from fullinertia=, but only to nine digits; it
 * completes the right-handed frame. */
static void write_inertial(struct writer *w, const struct dof *d)
{
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  double com[3], V[3][3], C[3], scratch[12];
  for (int i = 0; i < 3; i++)
    com[i] = d->moment1[i] / d->mass;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      V[i][k] = d->moment2[at[i][k]] - d->mass * com[i] * com[k];
  eigen_symmetric(3, V[0], C, scratch); /* finite: the creature was checked */
  begin(w, "inertial");
  numbers(w, "pos", 3, com);
  number(w, "mass", d->mass);
  numbers(w, "diaginertia", 3, (double[3]){C[1] + C[2], C[0] + C[2], C[0] + C[1]});
  numbers(w, "xyaxes", 6, V[0]);
  end(w);
}

static void write_joint(struct writer *w, int i)
{
  const struct dof *d = &w->c->dofs[i];
  begin(w, "joint");
  text(w, "name", d->name);
  text(w, "type", i < 3 ? "slide" : "hinge");
  numbers(w, "axis", 3, d->axis);
  if (isfinite(d->lower) && isfinite(d->upper)) {
    text(w, "limited", "true");
    numbers(w, "range", 2, (double[2]){d->lower, d->upper});
  }
  const struct tissue *spring = tissue_of_axis(w->c, i);
  if (spring && spring->stiffness > 0.0) {
    number(w, "stiffness", spring->stiffness);
    number(w, "springref", d->rest);
  }
  if (spring && spring->damping > 0.0)
    number(w, "damping", spring->damping);
  end(w);
}

/* Type and half lengths as MuJoCo counts them; a capsule's second is half its cylinder. */
static void write_size(struct writer *w, const struct shape *s)
{
  double half[3] = {s->size[0] / 2, s->size[1] / 2, s->size[2] / 2}, cylinder = half[2] - half[0];
  if (s->kind == SHAPE_BOX || s->kind == SHAPE_ELLIPSOID) {
    text(w, "type", s->kind == SHAPE_BOX ? "box" : "ellipsoid");
    numbers(w, "size", 3, half);
  } else if (cylinder > 1e-9 * half[0]) {
    text(w, "type", "capsule");
    numbers(w, "size", 2, (double[2]){half[0], cylinder});
  } else {
    text(w, "type", "sphere");
    number(w, "size", half[0]);
  }
}

static void write_shape(struct writer *w, const struct limb *l)
{
  const struct shape *s = &l->shape;
  const double *f = s->frame;
  if (s->kind == SHAPE_NONE)
    return;
  begin(w, "geom");
  text(w, "name", l->name);
  text(w, "class", "shape");
  numbers(w, "pos", 3,
          (double[3]){l->origin[0] + s->centre[0], l->origin[1] + s->centre[1], l->origin[2] + s->centre[2]});
  numbers(w, "xyaxes", 6, (double[6]){f[0], f[3], f[6], f[1], f[4], f[7]});
  write_size(w, s);
  end(w);
}

static void write_point(struct writer *w, const struct contact_point *p)
{
  begin(w, "site");
  text(w, "name", p->name);
  numbers(w, "pos", 3, p->at);
  end(w);
  begin(w, "geom"); /* without a name: a limb may have the same */
  text(w, "class", "point");
  numbers(w, "pos", 3, p->at);
  end(w);
}

/* ---- the tree ---- */

/* A limb with its joint, all that is fixed to it, and all that it carries: recursion is as deep as a creature has
 * limbs. */
static void write_body(struct writer *w, const struct limb *l)
{
  const struct creature *c = w->c;
  begin(w, "body");
  text(w, "name", strcmp(l->name, "world") ? l->name : "the world"); /* the one name that MuJoCo keeps for itself */
  numbers(w, "pos", 3, c->dofs[l->first_dof].offset);
  fputs(">\n", w->out);
  w->depth++;
  if (w->root_is_free && l->parent < 0)
    line(w, "<freejoint name=\"root\"/>");
  else
    for (int i = 0; i < l->n_dofs; i++)
      write_joint(w, l->first_dof + i);
  write_inertial(w, &c->dofs[l->body]);
  for (int i = 0; i < c->n_limbs; i++)
    if (c->limbs[i].body == l->body)
      write_shape(w, &c->limbs[i]);
  for (int i = 0; i < c->n_points; i++)
    if (c->points[i].body == l->body)
      write_point(w, &c->points[i]);
  for (int i = tree_next_child(c, l->body, 0); i < c->n_dofs; i = tree_next_child(c, l->body, i + 1))
    write_body(w, &c->limbs[c->dofs[i].limb]);
  w->depth--;
  line(w, "</body>");
}

/* ---- the rest of the model ---- */

static double timestep(const struct creature *c)
{
  return 1.0 / (STEPS_PER_FRAME * c->frame_rate);
}

/* Spheres touch the plane and nothing else; shapes touch those of limbs that keep apart from theirs (write_pairs()).
 * Friction of a pair is the greater of the two.
 * Contacts give way as MuJoCo's do for a creature of a metre, and in proportion for smaller and larger ones. */
static void write_defaults(struct writer *w)
{
  line(w, "<default>");
  w->depth++;
  begin(w, "geom");
  numbers(w, "friction", 3, (double[3]){w->c->friction, 0.005, 0.0001});
  numbers(w, "solref", 2, (double[2]){CONTACT_STEPS * timestep(w->c), 1});
  numbers(w, "solimp", 3, (double[3]){0.9, 0.95, POINT_RADIUS * w->c->height});
  end(w);
  begin(w, "site");
  number(w, "size", 5 * POINT_RADIUS * w->c->height);
  text(w, "rgba", "0.8 0.2 0.1 1");
  end(w);
  line(w, "<default class=\"shape\">");
  line(w, "  <geom contype=\"0\" conaffinity=\"0\" group=\"1\" rgba=\"0.7 0.6 0.5 1\"/>");
  line(w, "</default>");
  line(w, "<default class=\"point\">");
  line(w, "  <geom type=\"sphere\" size=\"%s\" contype=\"1\" conaffinity=\"0\" group=\"3\"/>",
       digits(POINT_RADIUS * w->c->height).text);
  line(w, "</default>");
  w->depth--;
  line(w, "</default>");
}

static void write_world(struct writer *w)
{
  line(w, "<worldbody>");
  w->depth++;
  begin(w, "light"); /* high above, straight down */
  numbers(w, "pos", 3, (double[3]){0, 0, 10 * w->c->height});
  text(w, "directional", "true");
  end(w);
  line(w, "<geom name=\"the ground\" type=\"plane\" size=\"0 0 1\" contype=\"0\" conaffinity=\"1\""
          " rgba=\"0.9 0.9 0.9 1\"/>");
  write_body(w, &w->c->limbs[w->c->dofs[0].limb]);
  w->depth--;
  line(w, "</worldbody>");
}

/* Exactly the pairs of limbs that keep apart touch each other: MuJoCo's own rules, by bits of geoms and parents of
 * bodies, cannot say which. */
static void write_pairs(struct writer *w)
{
  const struct creature *c = w->c;
  if (c->n_pairs == 0)
    return;
  line(w, "<contact>");
  w->depth++;
  for (int i = 0; i < c->n_pairs; i++) {
    begin(w, "pair");
    text(w, "geom1", c->limbs[c->pairs[i].a].name);
    text(w, "geom2", c->limbs[c->pairs[i].b].name);
    numbers(w, "friction", 5, (double[5]){LIMB_FRICTION, LIMB_FRICTION, 0.005, 0.0001, 0.0001});
    end(w);
  }
  w->depth--;
  line(w, "</contact>");
}

/* The spring and damper of an axis are attributes of its joint. */
static int is_of_joint(const struct writer *w, const struct tissue *t)
{
  return tissue_of_axis(w->c, t->dof[0]) == t;
}

/* Names of tendons need not differ: that of an image may be that of another. */
static void tendon_name(struct writer *w, const char *key, int i)
{
  const char *name = w->c->tissues[i].name;
  int same = 1;
  for (int k = 0; k < i; k++)
    same += strcmp(w->c->tissues[k].name, name) == 0;
  fprintf(w->out, " %s=\"", key);
  markup_put_text(w->out, name);
  fprintf(w->out, same > 1 ? ".%d\"" : "\"", same);
}

/* Fixed tendons: their length is the sum of arms times angles. Those that pull to both sides are MuJoCo's springs and
 * dampers; of the others, write_one_sided() gives the force. */
static void write_tendons(struct writer *w)
{
  int n = 0;
  for (int i = 0; i < w->c->n_tissues; i++) {
    const struct tissue *t = &w->c->tissues[i];
    if (is_of_joint(w, t))
      continue;
    if (n++ == 0)
      line(w, "<tendon>");
    w->depth++;
    begin(w, "fixed");
    tendon_name(w, "name", i);
    /* A length below 0 means none to MuJoCo; a spring to both sides is the same when it is turned about. */
    double sign = !t->one_sided && t->slack < 0 ? -1 : 1;
    if (!t->one_sided) {
      number(w, "stiffness", t->stiffness);
      number(w, "damping", t->damping);
      number(w, "springlength", sign * t->slack);
    }
    fputs(">\n", w->out);
    w->depth++;
    for (int m = 0; m < t->n_dofs; m++) {
      begin(w, "joint");
      text(w, "joint", w->c->dofs[t->dof[m]].name);
      number(w, "coef", sign * t->arm[m]);
      end(w);
    }
    w->depth--;
    line(w, "</fixed>");
    w->depth--;
  }
  if (n)
    line(w, "</tendon>");
}

/* MuJoCo before 2.3 has no springs that pull to one side. An actuator without control, whose force is that of a spring
 * and a damper and may not push, is one in every version. It has no toe region, and its damper acts until spring and
 * damper together would push. */
static void write_one_sided(struct writer *w)
{
  int n = 0;
  for (int i = 0; i < w->c->n_tissues; i++) {
    const struct tissue *t = &w->c->tissues[i];
    if (!t->one_sided)
      continue;
    if (n++ == 0)
      line(w, "<!-- tendons that pull to one side: no controls of theirs do anything -->");
    begin(w, "general");
    tendon_name(w, "tendon", i);
    text(w, "gainprm", "0");
    text(w, "biastype", "affine");
    numbers(w, "biasprm", 3, (double[3]){t->stiffness * t->slack, -t->stiffness, 0 - t->damping});
    text(w, "forcelimited", "true");
    numbers(w, "forcerange", 2, (double[2]){-MOST_PULL, 0});
    end(w);
  }
}

static void write_motors(struct writer *w)
{
  line(w, "<actuator>");
  w->depth++;
  for (int i = CREATURE_ROOT_DOFS; i < w->c->n_dofs; i++) {
    const struct dof *d = &w->c->dofs[i];
    if (!(d->torque_max > 0.0))
      continue;
    begin(w, "motor");
    text(w, "name", d->name);
    text(w, "joint", d->name);
    if (isfinite(d->torque_max)) {
      text(w, "ctrllimited", "true");
      numbers(w, "ctrlrange", 2, (double[2]){-d->torque_max, d->torque_max});
    }
    end(w);
  }
  write_one_sided(w); /* last, so that motors keep their places among the controls */
  w->depth--;
  line(w, "</actuator>");
}

/* In MuJoCo's order. A free joint has a place and a quaternion; at rest the root is not turned. */
static void write_rest_pose(struct writer *w)
{
  struct arena *arena = arena_new();
  size_t n = (size_t)w->c->n_dofs;
  double *q = ARENA_NEW(arena, n, double);
  int *order = ARENA_NEW(arena, n, int);
  creature_rest_pose(w->c, q);
  tree_order(w->c, order);
  line(w, "<keyframe>");
  fprintf(w->out, "%*s<key name=\"rest\" qpos=\"", 2 * w->depth + 2, "");
  for (int i = 0; i < w->c->n_dofs; i++) {
    if (w->root_is_free && i == CREATURE_ROOT_DOFS - 1)
      fputs(" 1 0 0 0", w->out);
    else if (!w->root_is_free || i < 3 || i >= CREATURE_ROOT_DOFS)
      fprintf(w->out, i ? " %s" : "%s", digits(q[order[i]]).text);
  }
  fputs("\"/>\n", w->out);
  line(w, "</keyframe>");
  arena_free(arena);
}

static int write_model(const struct creature *c, int root_is_free, FILE *out)
{
  struct writer w = {c, out, 0, root_is_free};
  begin(&w, "mujoco");
  text(&w, "model", c->name);
  fputs(">\n", out);
  w.depth = 1;
  line(&w, "<compiler angle=\"radian\" inertiafromgeom=\"false\"/>");
  line(&w, "<option timestep=\"%s\" gravity=\"0 0 %s\"/>", digits(timestep(c)).text,
       digits(-CREATURE_GRAVITY).text);
  write_defaults(&w);
  write_world(&w);
  write_pairs(&w);
  write_tendons(&w);
  write_motors(&w);
  write_rest_pose(&w);
  fputs("</mujoco>\n", out);
  return fflush(out) != 0 || ferror(out) != 0;
}

int exchange_write_mjcf(const struct creature *c, FILE *out)
{
  return write_model(c, 0, out);
}

int exchange_write_mjcf_free(const struct creature *c, FILE *out)
{
  return write_model(c, 1, out);
}

/* A creature and a clip as a stage of USD, in text: see exchange.h. https://openusd.org/release/api (UsdGeom) */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "dynamics/dynamics.h"
#include "exchange/exchange.h"

struct place { double at[3], turn[4]; }; /* of a limb in the one that carries it; quaternion w, x, y, z */

struct stage {
  struct arena *arena;
  const struct creature *c;
  const struct clip *clip;
  int n;                        /* time samples                                   */
  struct place *places;         /*                              (n x n_limbs)     */
  FILE *out;
  int depth;
};

static void indent(struct stage *s)
{
  fprintf(s->out, "%*s", 4 * s->depth, "");
}

/* A name of a prim: letters, digits and _, beginning with no digit; the limb's number keeps names apart that differ in
 * what is lost. */
static const char *prim_name(struct stage *s, const char *name, int number)
{
  char *safe = arena_printf(s->arena, "%s%s", isdigit((unsigned char)*name) ? "_" : "", *name ? name : "_");
  int changed = strcmp(safe, name) != 0;
  for (char *x = safe; *x; x++)
    if (!(isalnum((unsigned char)*x) && (unsigned char)*x < 0x80) && *x != '_')
      *x = '_', changed = 1;
  return changed ? arena_printf(s->arena, "%s_%d", safe, number) : safe;
}

static void find_places(struct stage *s)
{
  const struct creature *c = s->c;
  struct dynamics *d = dynamics_new(s->arena, c);
  double *q = ARENA_NEW(s->arena, (size_t)c->n_dofs, double), R[9], outer[4], own[4];
  s->places = ARENA_NEW(s->arena, (size_t)s->n * (size_t)c->n_limbs, struct place);
  for (int k = 0; k < s->n; k++) {
    clip_frame(s->clip, k, q);
    dynamics_kinematics(d, q);
    for (int i = 0; i < c->n_limbs; i++) {
      const struct limb *l = &c->limbs[i];
      struct place *p = &s->places[k * c->n_limbs + i];
      dynamics_rotation(d, l->body, R);
      quat_of_matrix(R, own);
      if (l->parent < 0) {
        dynamics_point(d, l->body, l->origin, p->at);
        memcpy(p->turn, own, sizeof own);
      } else {
        dynamics_rotation(d, c->limbs[l->parent].body, R);
        quat_of_matrix(R, outer);
        quat_inverse(outer, outer);
        quat_multiply(outer, own, p->turn);
        memcpy(p->at, l->at, sizeof l->at);
      }
      if (k)
        quat_keep_near(s->places[(k - 1) * c->n_limbs + i].turn, p->turn);
    }
  }
}

static void put_vector(struct stage *s, const char *what, const double *v)
{
  indent(s);
  fprintf(s->out, "%s = (%.9g, %.9g, %.9g)\n", what, v[0], v[1], v[2]);
}

static void put_order(struct stage *s, const char *operations)
{
  indent(s);
  fprintf(s->out, "uniform token[] xformOpOrder = [%s]\n", operations);
}

/* Boxes and ellipsoids are the cube and the sphere of size 1, stretched. */
static void put_shape(struct stage *s, const struct shape *shape)
{
  static const char *const kinds[] = {[SHAPE_CAPSULE] = "Capsule", [SHAPE_BOX] = "Cube", [SHAPE_ELLIPSOID] = "Sphere"};
  double turn[4];
  if (shape->kind == SHAPE_NONE)
    return;
  quat_of_matrix(shape->frame, turn);
  indent(s);
  fprintf(s->out, "def %s \"shape\"\n", kinds[shape->kind]);
  indent(s);
  fputs("{\n", s->out);
  s->depth++;
  indent(s);
  if (shape->kind == SHAPE_CAPSULE)
    fprintf(s->out, "uniform token axis = \"Z\"\n%*sdouble radius = %.9g\n%*sdouble height = %.9g\n", 4 * s->depth, "",
            shape->size[0] / 2, 4 * s->depth, "", fmax(0, shape->size[2] - shape->size[0]));
  else
    fputs(shape->kind == SHAPE_BOX ? "double size = 1\n" : "double radius = 0.5\n", s->out);
  put_vector(s, "double3 xformOp:translate", shape->centre);
  indent(s);
  fprintf(s->out, "quatd xformOp:orient = (%.9g, %.9g, %.9g, %.9g)\n", turn[0], turn[1], turn[2], turn[3]);
  if (shape->kind != SHAPE_CAPSULE)
    put_vector(s, "double3 xformOp:scale", shape->size);
  put_order(s, shape->kind == SHAPE_CAPSULE ? "\"xformOp:translate\", \"xformOp:orient\""
                                            : "\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"");
  s->depth--;
  indent(s);
  fputs("}\n", s->out);
}

static void put_samples(struct stage *s, int limb)
{
  const struct limb *l = &s->c->limbs[limb];
  if (l->parent < 0) {
    indent(s);
    fputs("double3 xformOp:translate.timeSamples = {", s->out);
    for (int k = 0; k < s->n; k++) {
      const double *at = s->places[k * s->c->n_limbs + limb].at;
      fprintf(s->out, " %d: (%.9g, %.9g, %.9g),", k, at[0], at[1], at[2]);
    }
    fputs(" }\n", s->out);
  } else
    put_vector(s, "double3 xformOp:translate", l->at);
  if (l->n_dofs) {
    indent(s);
    fputs("quatd xformOp:orient.timeSamples = {", s->out);
    for (int k = 0; k < s->n; k++) {
      const double *t = s->places[k * s->c->n_limbs + limb].turn;
      fprintf(s->out, " %d: (%.9g, %.9g, %.9g, %.9g),", k, t[0], t[1], t[2], t[3]);
    }
    fputs(" }\n", s->out);
  }
  put_order(s, l->n_dofs ? "\"xformOp:translate\", \"xformOp:orient\"" : "\"xformOp:translate\"");
}

/* A limb and those that it carries: recursion is as deep as a creature has limbs. */
static void put_limb(struct stage *s, int limb)
{
  indent(s);
  fprintf(s->out, "def Xform \"%s\"\n", prim_name(s, s->c->limbs[limb].name, limb));
  indent(s);
  fputs("{\n", s->out);
  s->depth++;
  put_samples(s, limb);
  put_shape(s, &s->c->limbs[limb].shape);
  for (int i = limb + 1; i < s->c->n_limbs; i++)
    if (s->c->limbs[i].parent == limb)
      put_limb(s, i);
  s->depth--;
  indent(s);
  fputs("}\n", s->out);
}

int exchange_write_usda(const struct creature *c, const struct clip *clip, FILE *out)
{
  struct arena *arena = arena_new();
  struct stage s = {.arena = arena, .c = c, .clip = clip, .n = clip->n_frames + (clip->cyclic ? 1 : 0), .out = out};
  const char *name = prim_name(&s, c->name, 0);
  find_places(&s);
  fprintf(out, "#usda 1.0\n(\n    defaultPrim = \"%s\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n"
          "    startTimeCode = 0\n    endTimeCode = %d\n    timeCodesPerSecond = %.9g\n)\n\ndef Xform \"%s\"\n{\n",
          name, s.n - 1, 1 / clip->dt, name);
  s.depth = 1;
  put_limb(&s, 0);
  fputs("}\n", out);
  arena_free(arena);
  return fflush(out) != 0 || ferror(out) != 0;
}

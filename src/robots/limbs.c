/* From bodies to limbs: frames made parallel, bodies that no joint moves made part of what carries them, joints whose
 * axes do not meet made limbs of their own. */
#include "robots/limbs.h"

#include <math.h>
#include <string.h>

#include "base/quat.h"
#include "base/text.h"
#include "base/vec3.h"

#define SAME_PLACE 1e-9         /* [m] axes that are nearer meet */
#define NO_MASS 1e-9            /* [kg] of a limb between two joints of one body */

struct placed {                 /* a body at the pose of the file, from the first body */
  double p[3], R[9], quat[4];
  int limb;                     /* that it is part of */
};

static void body_place(const struct robot_body *b, const struct placed *parent, struct placed *own)
{
  double q[4];
  memcpy(own->quat, b->quat, sizeof own->quat);
  memset(own->p, 0, sizeof own->p);
  if (parent) {
    mat3_mul_vec(parent->R, b->pos, own->p);
    vec3_add_scaled(own->p, parent->p, 1);
    quat_multiply(parent->quat, b->quat, q);
    memcpy(own->quat, q, sizeof q);
  }
  quat_normalize(own->quat);
  quat_to_matrix(own->quat, own->R);
}

/* ---- joints ---- */

/* May a joint be one axis more of the limb, whose joint is at the same place? */
static int joins(const struct limb *l, const double about[3])
{
  double normal[3];
  int n = l->n_axes;
  if (n == 0 || n == LIMBS_MAX_AXES || fabs(vec3_dot(l->axes[n - 1].about, about)) > 0.99999)
    return n == 0;
  vec3_cross(l->axes[0].about, l->axes[1].about, normal);
  return n == 1 || fabs(vec3_dot(normal, about)) > 0.01;
}

static struct limb *limb_add(struct limbs *k, const struct robot_body *b, int parent, const double place[3])
{
  struct limb *l = &k->limb[k->n++];
  l->body = b;
  l->parent = parent;
  l->mirror = -1;
  memcpy(l->place, place, sizeof l->place);
  for (int i = 0; i < 3; i++)
    l->at[i] = place[i] - (parent < 0 ? 0 : k->limb[parent].place[i]);
  if (parent >= 0)
    k->limb[parent].n_children++;
  return l;
}

static void axis_add(struct limb *l, const struct robot_joint *j, const double about[3])
{
  struct limbs_axis *a = &l->axes[l->n_axes++];
  *a = (struct limbs_axis){.joint = j, .sign = 1, .lower = j->lower, .upper = j->upper, .slack = j->slack};
  memcpy(a->about, about, sizeof a->about);
  for (int i = 0; i < 3; i++)
    if (fabs(a->about[i]) < 1e-12)
      a->about[i] = 0;
}

/* The joints of a body: limbs, of which the last is the body's own. Its index; that of the parent without joints. */
static int joints_add(struct limbs *k, int body, const struct placed *own, int parent)
{
  int last = parent;
  for (int i = 0; i < k->r->n_joints; i++) {
    const struct robot_joint *j = &k->r->joints[i];
    double place[3], about[3], apart[3];
    if (j->body != body || j->kind != ROBOT_HINGE)
      continue;
    mat3_mul_vec(own->R, j->pos, place);
    vec3_add_scaled(place, own->p, 1);
    mat3_mul_vec(own->R, j->axis, about);
    memcpy(apart, place, sizeof apart);
    vec3_add_scaled(apart, k->limb[last].place, -1);
    if (last == parent || vec3_norm(apart) > SAME_PLACE || !joins(&k->limb[last], about)) {
      limb_add(k, &k->r->bodies[body], last, place);
      last = k->n - 1;
    }
    axis_add(&k->limb[last], j, about);
  }
  return last;
}

/* ---- what belongs to a limb ---- */

static void mass_add(struct limb *l, const struct robot_body *b, const struct placed *own)
{
  double com[3], inertia[6];
  if (!(b->mass > 0))
    return;
  mat3_mul_vec(own->R, b->com, com);
  for (int i = 0; i < 3; i++)
    com[i] += own->p[i] - l->place[i];
  sym3_turn(own->R, b->inertia, inertia);
  robot_add_mass(&l->mass, l->com, l->inertia, b->mass, com, inertia);
}

static void solids_add(struct limbs *k, const struct placed *placed)
{
  k->solids = ARENA_NEW(k->arena, (size_t)k->r->n_solids, struct robot_solid);
  for (k->n_solids = 0; k->n_solids < k->r->n_solids; k->n_solids++) {
    const struct robot_solid *s = &k->r->solids[k->n_solids];
    const struct placed *own = &placed[s->body];
    struct robot_solid *t = &k->solids[k->n_solids];
    *t = *s;
    t->body = own->limb;
    mat3_mul_vec(own->R, s->pos, t->pos);
    for (int n = 0; n < 3; n++)
      t->pos[n] += own->p[n] - k->limb[own->limb].place[n];
    quat_multiply(own->quat, s->quat, t->quat);
  }
}

static void tip_add(struct limb *l, const struct placed *own)
{
  double way[3];
  for (int i = 0; i < 3; i++)
    way[i] = own->p[i] - l->place[i];
  if (vec3_norm(way) > vec3_norm(l->tip))
    memcpy(l->tip, way, sizeof way);
}

/* ---- limbs without mass ---- */

/* Joint and joint without a mass between them, in one place: one joint of more axes, that of limb i's only child. */
static int limb_dissolves(const struct limbs *k, int i, int child)
{
  const struct limb *l = &k->limb[i], *c = &k->limb[child];
  if (l->mass > 0 || l->n_children != 1 || vec3_norm(c->at) > SAME_PLACE || i == 0)
    return 0;
  struct limb both = *l;
  for (int a = 0; a < c->n_axes; a++) {
    if (!joins(&both, c->axes[a].about))
      return 0;
    both.axes[both.n_axes++] = c->axes[a];
  }
  return 1;
}

/* Gives limb i its child's body and axes, and takes the child out. */
static void limb_dissolve(struct limbs *k, int i, int child)
{
  struct limb *l = &k->limb[i], c = k->limb[child];
  for (int a = 0; a < c.n_axes; a++)
    l->axes[l->n_axes++] = c.axes[a];
  l->body = c.body;
  l->mass = c.mass;
  memcpy(l->com, c.com, sizeof l->com);
  memcpy(l->inertia, c.inertia, sizeof l->inertia);
  memcpy(l->tip, c.tip, sizeof l->tip);
  for (int s = 0; s < k->n_solids; s++)
    k->solids[s].body -= k->solids[s].body > child ? 1 : k->solids[s].body == child ? child - i : 0;
  l->n_children = c.n_children;
  for (int j = child + 1; j < k->n; j++) {
    k->limb[j - 1] = k->limb[j];
    int *parent = &k->limb[j - 1].parent;
    *parent = *parent == child ? i : *parent > child ? *parent - 1 : *parent;
  }
  k->n--;
}

/* A joint that moves no mass, such as that of a sensor: out with it. Its solids become the parent's. */
static void limb_drop(struct limbs *k, int i)
{
  const struct limb *l = &k->limb[i];
  for (int s = 0; s < k->n_solids; s++) {
    if (k->solids[s].body == i)
      vec3_add_scaled(k->solids[s].pos, l->at, 1);
    k->solids[s].body -= k->solids[s].body > i ? 1 : k->solids[s].body == i ? i - l->parent : 0;
  }
  k->limb[l->parent].n_children--;
  for (int j = i + 1; j < k->n; j++) {
    k->limb[j - 1] = k->limb[j];
    k->limb[j - 1].parent -= k->limb[j - 1].parent > i;
  }
  k->n--;
  robot_leave_out(k->r, "joints that move no mass");
}

static int limb_check(struct limbs *k, struct limb *l)
{
  const struct xml_node *n = l->body->node;
  if (l->mass > 0)
    return robot_check_inertia(k->r, n, l->inertia);
  if (l->parent < 0)
    return ROBOT_ERROR(k->r, n, "%s has no mass", robot_describe(k->r, n));
  l->mass = NO_MASS; /* between two joints: next to nothing */
  for (int i = 0; i < 3; i++)
    l->inertia[i] = NO_MASS * 1e-4;
  return 1;
}

int limbs_make(struct limbs *k)
{
  const struct robot *r = k->r;
  static const double origin[3] = {0};
  struct placed *placed = ARENA_NEW(k->arena, (size_t)r->n_bodies, struct placed);
  int good = 1;
  k->limb = ARENA_NEW(k->arena, (size_t)(r->n_bodies + r->n_joints), struct limb);
  for (int i = 0; i < r->n_bodies; i++) {
    const struct robot_body *b = &r->bodies[i];
    body_place(b, b->parent < 0 ? NULL : &placed[b->parent], &placed[i]);
    if (b->parent < 0)
      limb_add(k, b, -1, origin);
    placed[i].limb = b->parent < 0 ? 0 : joints_add(k, i, &placed[i], placed[b->parent].limb);
    struct limb *l = &k->limb[placed[i].limb];
    mass_add(l, b, &placed[i]);
    tip_add(l, &placed[i]);
  }
  solids_add(k, placed);
  for (int i = k->n - 1; i > 0; i--)
    if (!(k->limb[i].mass > 0) && k->limb[i].n_children == 0)
      limb_drop(k, i);
  for (int i = k->n - 1; i > 0; i--)
    if (limb_dissolves(k, k->limb[i].parent, i))
      limb_dissolve(k, k->limb[i].parent, i);
  for (int i = 0; i < k->n; i++) {
    good = limb_check(k, &k->limb[i]) && good;
    k->size = fmax(k->size, vec3_norm(k->limb[i].place));
  }
  for (int s = 0; s < k->n_solids; s++)
    if (k->solids[s].touches)
      k->size = fmax(k->size, vec3_norm(k->limb[k->solids[s].body].place) + vec3_norm(k->solids[s].pos));
  if (good && k->n < 2)
    return ROBOT_ERROR(k->r, r->bodies[0].node, "no joint moves anything");
  return good;
}

struct robot_solid limbs_inertia_box(const struct limb *l)
{
  struct robot_solid s = {.kind = ROBOT_BOX, .quat = {1}, .pos = {l->com[0], l->com[1], l->com[2]}};
  const double *I = l->inertia, trace = I[0] + I[1] + I[2];
  for (int i = 0; i < 3; i++)
    s.size[i] = sqrt(fmax(1.5 * (trace - 2 * I[i]), 1e-3 * trace) / l->mass);
  return s;
}

/* ---- poses ---- */

void limbs_place_one(const struct limb *l, int at_rest, const double *R_parent, const double *p_parent, double *R,
                     double *p)
{
  double turn[9], both[9], quat[4];
  mat3_mul_vec(R_parent, l->at, p);
  vec3_add_scaled(p, p_parent, 1);
  memcpy(R, R_parent, 9 * sizeof *R);
  for (int a = 0; a < l->n_axes; a++) {
    quat_about(l->axes[a].about, at_rest ? l->axes[a].rest : 0, quat);
    quat_to_matrix(quat, turn);
    mat3_mul(R, turn, both);
    memcpy(R, both, sizeof both);
  }
}

void limbs_place(const struct limbs *k, int at_rest, double *R, double *p)
{
  static const double straight[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
  memcpy(R, straight, sizeof straight);
  memcpy(p, origin, sizeof origin);
  for (int i = 1; i < k->n; i++) {
    int up = k->limb[i].parent;
    limbs_place_one(&k->limb[i], at_rest, R + 9 * up, p + 3 * up, R + 9 * i, p + 3 * i);
  }
}

/* ---- the whole ---- */

const char *limbs_text(struct robot *r, const struct robots_options *o, struct robots_report *report)
{
  struct limbs k = {.r = r, .arena = r->arena};
  if (!limbs_make(&k))
    return NULL;
  limbs_find_pairs(&k);
  if (o->symmetric)
    limbs_make_symmetric(&k);
  limbs_begin_rest(&k);
  limbs_find_feet(&k);
  limbs_find_rest(&k);
  limbs_find_points(&k);
  limbs_find_shapes(&k);
  limbs_name(&k);
  *report = (struct robots_report){.format = r->format, .n_limbs = k.n, .rest = k.rest};
  for (int i = 0; i < k.n; i++) {
    const struct limb *l = &k.limb[i];
    report->n_pairs += l->left;
    report->n_axes += l->n_axes;
    report->n_feet += l->is_foot;
    report->mass += l->mass;
  }
  return limbs_write(&k, o, &report->gaits);
}

/* A control graph as arrays: what a reader of them alone does is what the runner does, fragment by fragment: where the
 * path leads, errors of states, offsets of servos, values, targets. */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "control/lqr_teacher.h"
#include "control/policy_arrays.h"
#include "control/runner.h"
#include "exchange/npz.h"
#include "follow/walk.h"

#define PI 3.14159265358979323846

struct motion { double x, y, yaw; };

struct reader {                 /* as doc/policy-arrays.md says, and from the arrays alone */
  const struct npz *z;
  int n, fragment;
  struct motion place, reference_place;
  size_t reference;             /* row of frame_q                                          */
  int seen, left;               /* fragments compared; transitions taken among them        */
  struct rng rng;
  const struct motion_graph *graph;
};

static struct motion compose(struct motion a, struct motion b)
{
  double c = cos(a.yaw), s = sin(a.yaw);
  return (struct motion){a.x + c * b.x - s * b.y, a.y + s * b.x + c * b.y, a.yaw + b.yaw};
}

static struct motion motion_at(const struct npz *z, const char *name, size_t i)
{
  return (struct motion){npz_real(z, name, 3 * i), npz_real(z, name, 3 * i + 1), npz_real(z, name, 3 * i + 2)};
}

static int of_fragment(const struct reader *r, int fragment, int column)
{
  return npz_int(r->z, "fragments", 5 * (size_t)fragment + (size_t)column);
}

static size_t row(const struct reader *r, int column)
{
  return (size_t)(npz_int(r->z, "clip_frame", (size_t)of_fragment(r, r->fragment, 0)) +
                  of_fragment(r, r->fragment, column));
}

static void turned(double angle, double x, double y, double *out)
{
  out[0] = cos(angle) * x - sin(angle) * y;
  out[1] = sin(angle) * x + cos(angle) * y;
}

static void find_errors(const struct reader *r, const double *q, const double *v, double *x)
{
  size_t n = (size_t)r->n, at = r->reference * n;
  double L = npz_real(r->z, "units", 0), speed = npz_real(r->z, "units", 1), rate = npz_real(r->z, "units", 2);
  struct motion here = {npz_real(r->z, "frame_q", at), npz_real(r->z, "frame_q", at + 1),
                        npz_real(r->z, "frame_q", at + 3)};
  struct motion stands = compose(r->reference_place, here);
  double own[2], wanted[2], yaw = stands.yaw;
  turned(-yaw, q[0] - stands.x, q[1] - stands.y, x);
  turned(-q[3], v[0], v[1], own);
  turned(-here.yaw, npz_real(r->z, "frame_v", at), npz_real(r->z, "frame_v", at + 1), wanted);
  for (size_t i = 2; i < n; i++) {
    x[i] = q[i] - npz_real(r->z, "frame_q", at + i);
    x[n + i] = (v[i] - npz_real(r->z, "frame_v", at + i)) / (i == 2 ? speed : rate);
  }
  x[0] /= L, x[1] /= L, x[2] /= L;
  x[3] = remainder(q[3] - yaw, 2 * PI);
  x[n] = (own[0] - wanted[0]) / speed, x[n + 1] = (own[1] - wanted[1]) / speed;
}

static double cut(double x, double most)
{
  return x > most ? most : x < -most ? -most : x;
}

/* The next fragment, or one of the choices there: that which the runner took. */
static int go_on(struct reader *r, int taken)
{
  r->reference = row(r, 2);
  r->reference_place = r->place;
  r->place = compose(r->place, motion_at(r->z, "hop", (size_t)r->fragment));
  r->fragment = of_fragment(r, r->fragment, 3);
  int node = of_fragment(r, r->fragment, 4), n = (int)npz_find(r->z, "choices")->n / 2;
  for (int i = 0; i < n && r->fragment != taken; i++)
    if (npz_int(r->z, "choices", 2 * (size_t)i) == node && npz_int(r->z, "choices", 2 * (size_t)i + 1) == taken) {
      r->place = compose(r->place, motion_at(r->z, "choice_hop", (size_t)i));
      r->fragment = taken;
      r->left++;
    }
  return r->fragment == taken;
}

static void compare(void *user, struct runner *run, int shift)
{
  struct reader *r = user;
  int m = 2 * r->n, joints = r->n - CREATURE_ROOT_DOFS;
  double x[m], near[m], value = 0;
  (void)shift;
  if (r->seen++ > 0)
    CHECK(go_on(r, run->path.fragment));
  CHECK_NEAR(r->place.x, run->path.place.x, 1e-9);
  CHECK_NEAR(r->place.y, run->path.place.y, 1e-9);
  CHECK_NEAR(remainder(r->place.yaw - run->path.place.yaw, 2 * PI), 0, 1e-9);
  find_errors(r, run->q, run->v, x);
  size_t f = (size_t)r->fragment;
  for (int i = 0; i < m; i++) {
    CHECK_NEAR(x[i], run->x[i], 1e-9);
    double most = i < 2 ? npz_real(r->z, "trust", 0) : i == 3 ? npz_real(r->z, "trust", 1) : INFINITY;
    near[i] = cut(x[i], most);
  }
  for (int i = 0; i < joints; i++) {
    double u = npz_real(r->z, "k", f * (size_t)joints + (size_t)i);
    for (int k = 0; k < m; k++)
      u += npz_real(r->z, "K", (f * (size_t)joints + (size_t)i) * (size_t)m + (size_t)k) * near[k];
    CHECK_NEAR(u, run->u[i], 1e-8);
  }
  for (int i = 0; i < m; i++) {
    size_t line = f * (size_t)m + (size_t)i;
    value += 2 * npz_real(r->z, "p", line) * near[i];
    value += npz_real(r->z, "P", line * (size_t)m + (size_t)i) * (x[i] * x[i] - near[i] * near[i]);
    for (int k = 0; k < m; k++)
      value += npz_real(r->z, "P", line * (size_t)m + (size_t)k) * near[i] * near[k];
  }
  CHECK_NEAR(value, run->value, 1e-7 * (1 + fabs(value)));
}

static int choose(void *user, int node, double heading)
{
  struct reader *r = user;
  int first = r->graph->first_segment[node];
  (void)heading;
  return first + rng_below(&r->rng, r->graph->first_segment[node + 1] - first);
}

/* Names, units and targets of the servos. */
static void check_tables(struct arena *arena, const struct npz *z, const struct controls *c)
{
  const struct control_graph *g = c->graph;
  size_t n = (size_t)g->creature->n_dofs;
  CHECK_STR(npz_text(arena, z, "format", 0), "muybridge policy 1");
  CHECK(strstr(npz_text(arena, z, "model", 0), "<mujoco model=\"biped\">"));
  CHECK_NEAR(npz_real(z, "step", 0) * npz_int(z, "steps", 0), g->dt, 1e-15);
  for (size_t i = 0; i < n; i++) {
    CHECK_STR(npz_text(arena, z, "dof_names", i), g->creature->dofs[i].name);
    if (i >= CREATURE_ROOT_DOFS)
      CHECK(npz_real(z, "kp", i - CREATURE_ROOT_DOFS) == g->creature->dofs[i].servo_kp);
  }
  for (int s = 0; s < g->n_strips; s++)
    for (size_t i = 0; i < (size_t)(g->strips[s].n_frames * g->steps) * 3 * n; i += 7)
      CHECK(npz_real(z, "target", (size_t)npz_int(z, "clip_step", (size_t)s) * 3 * n + i) == g->strips[s].target[i]);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  struct diag d;
  struct lqr_teacher_options teacher;
  struct runner_options o;
  char *bytes = NULL;
  size_t n = 0;
  diag_init(&d);
  if (!walk_make(arena, 1, &w))
    return 1;
  const struct motion_graph *motion = graph_new(arena, &w.in, &d);
  const struct control_graph *g = motion ? control_graph_new(arena, motion, 0, &d) : NULL;
  lqr_teacher_defaults(w.creature, &teacher);
  const struct lqr_teacher *t = g ? lqr_teacher_learn(arena, g, &teacher, &d) : NULL;
  CHECK(t != NULL);
  if (!t)
    return test_finish();
  struct controls *c = controls_new(arena, g);
  c->gains = t->gains;
  struct arrays *a = arrays_new(arena);
  policy_arrays_add(a, arena, c);
  FILE *out = open_memstream(&bytes, &n);
  CHECK_INT(arrays_write(a, out), 0);
  fclose(out);
  const struct npz *z = npz_read(arena, (unsigned char *)bytes, n);
  CHECK(z != NULL);
  runner_defaults(w.creature, &o);
  o.world.engine = WORLD_TREE;
  o.candidates = 0;
  o.leash_along = o.leash_aside = INFINITY; /* paths that yield are moved: the reader of this test does not */
  struct runner *run = z ? runner_new(arena, c, &o, &d) : NULL;
  if (run) {
    check_tables(arena, z, c);
    struct reader r = {.z = z, .n = w.creature->n_dofs, .rng = rng_stream(3, 3), .graph = motion};
    r.reference = row(&r, 1);
    run->choose = choose;
    run->choose_user = run->frame_user = &r;
    run->every_fragment = compare;
    runner_start(run, 0, 0, 0, 0, NULL);
    r.place = (struct motion){run->path.place.x, run->path.place.y, run->path.place.yaw};
    r.reference_place = r.place;
    while (run->time < 8 && runner_go(run))
      ;
    CHECK(r.seen > 60 && r.left > 0);
  }
  runner_free(run);
  free(bytes);
  diag_clear(&d);
  arena_free(arena);
  return test_finish();
}

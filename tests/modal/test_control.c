/* Modal control of the biped's walk, solved here: it is followed in its own dynamics and in the world; forces keep to
 * the cone and to the ground; momentum changes by the forces that it says; the same bits twice; edits do what they say;
 * and it can fall, which is told; and planned ahead are rightly the slow modes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "dynamics/tissue.h"
#include "modal/run.h"
#include "modal/settle.h"
#include "modal/squat.h"
#include "follow/walk.h"
#include "zoo.h"

static const struct modal_run *run(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, w->clips[0].clip, o, &d);
  CHECK(r && d.n_errors == 0);
  diag_clear(&d);
  return r;
}

/* No pull, no more friction than there is (the hexagon lies within the cone), nothing on feet in the air, none of them
 * in the ground. */
static void check_contacts(struct arena *arena, const struct modal_run *r)
{
  const struct creature *c = r->creature;
  struct dynamics *d = dynamics_new(arena, c);
  double weight = c->mass * CREATURE_GRAVITY, cone = 0, pull = 0, air = 0, depth = 0;
  for (int k = 1; k < r->n; k++) {
    dynamics_kinematics(d, r->q + (size_t)((k - 1) * r->n_dofs));
    for (int p = 0; p < r->n_points; p++) {
      const double *f = r->used + (size_t)(3 * (k * r->n_points + p));
      double at[3];
      dynamics_point(d, c->points[p].body, c->points[p].at, at);
      cone = fmax(cone, (hypot(f[0], f[1]) - c->friction * f[2]) / weight);
      pull = fmax(pull, -f[2] / weight);
      depth = fmax(depth, -at[2] / c->height);
      if (at[2] > 0.03 * c->height)
        air = fmax(air, fabs(f[2]) / weight);
    }
  }
  CHECK(cone < 1e-9);
  CHECK(pull < 1e-9);
  CHECK(air == 0);
  CHECK(depth < 0.01);
}

/* The centre of mass obeys Newton: its velocity, from differences of poses, changes by weight and used forces. What the
 * linearisation leaves out is the change of the mass matrix within a step. */
static void check_newton(struct arena *arena, const struct modal_run *r)
{
  const struct creature *c = r->creature;
  struct dynamics *d = dynamics_new(arena, c);
  size_t n = (size_t)r->n_dofs;
  double *zero = ARENA_NEW(arena, n, double), com[3][3], sum = 0, most = 0;
  for (int k = 0; k < r->n; k++) {
    struct dynamics_whole w;
    dynamics_whole(d, r->q + (size_t)k * n, zero, zero, &w);
    memmove(com[0], com[1], 6 * sizeof(double));
    memcpy(com[2], w.com, sizeof w.com);
    for (int i = 0; k >= 2 && i < 3; i++) {
      double a = (com[2][i] - 2 * com[1][i] + com[0][i]) / (r->dt * r->dt), f = i == 2 ? -c->mass * CREATURE_GRAVITY
                 : 0;
      for (int p = 0; p < r->n_points; p++)
        f += r->used[(size_t)(3 * (k * r->n_points + p) + i)];
      double off = (c->mass * a - f) / (c->mass * CREATURE_GRAVITY);
      sum += off * off;
      most = fmax(most, fabs(off));
    }
  }
  CHECK(sqrt(sum / (3 * r->n)) < 0.02);
}

static void test_followed(struct arena *arena, const struct walk *w)
{
  struct modal_run_options o;
  modal_run_defaults(w->creature, &o);
  o.seconds = 4;
  const struct modal_run *r = run(arena, w, &o), *again = run(arena, w, &o);
  CHECK(r->success && !r->fault && r->n == r->n_wanted);
  CHECK(r->worst_angle < 0.1 && r->worst_height < 0.02);
  CHECK_INT(r->lemke_failures, 0);
  CHECK(!memcmp(r->q, again->q, (size_t)(r->n * r->n_dofs) * sizeof *r->q));
  check_contacts(arena, r);
  check_newton(arena, r);
  for (int k = 0; k < r->n; k++)
    for (int i = 0; i < CREATURE_ROOT_DOFS; i++)
      if (r->torque[k * r->n_dofs + i] != 0)
        CHECK(!"a torque on the root");
  o.control.footholds = 0; /* on points only footholds balance */
  const struct modal_run *rigid = run(arena, w, &o);
  CHECK(!rigid->success && rigid->fault && rigid->n < rigid->n_wanted);
}

/* Pushed by the paper's force, scaled by weight, it steps aside: it goes on, elsewhere, upright. Where the reference's
 * footholds stay it falls; a push ten times as strong is too much, which is told. */
static void test_pushes(struct arena *arena, const struct walk *w)
{
  struct modal_run_options o;
  modal_run_defaults(w->creature, &o);
  double force = 100 * w->creature->mass / 75;
  struct disturb_push push = {.time = 0.85, .seconds = 0.06, .force = {0, force, 0}, .limb = 1};
  o.seconds = 4;
  o.n_pushes = 1;
  o.pushes = &push;
  o.reaction = 0;
  for (int side = -1; side <= 1; side += 2) {
    push.force[1] = side * force;
    const struct modal_run *r = run(arena, w, &o);
    CHECK(r->success && r->angle[r->n - 1] < 0.1);
    CHECK(side * r->place[2 * (r->n - 1) + 1] > 0.01);
  }
  push.force[1] = 10 * force;
  CHECK(!run(arena, w, &o)->success);
}

/* Pushed hard over the outer edge of a foot and noticed late: who hurries recovers, who sets feet in the reference's
 * time falls. */
static void test_hurry(struct arena *arena, const struct walk *w)
{
  struct modal_run_options o;
  modal_run_defaults(w->creature, &o);
  struct disturb_push push = {.time = 0.94, .seconds = 0.06, .force = {0, -200 * w->creature->mass / 75, 0}, .limb = 1};
  o.seconds = 3.5;
  o.n_pushes = 1;
  o.pushes = &push;
  const struct modal_run *r = run(arena, w, &o);
  CHECK(r->success && r->angle[r->n - 1] < 0.17);
  o.control.hurry = 0;
  CHECK(!run(arena, w, &o)->success);
}

/* Not being aware of nothing changes nothing: a push of no force, and the twin is the creature itself. */
static void test_unaware(struct arena *arena, const struct walk *w)
{
  struct modal_run_options o;
  modal_run_defaults(w->creature, &o);
  struct disturb_push push = {.time = 0.4, .seconds = 0.06, .limb = 1};
  o.seconds = 0.6;
  o.pushes = &push;
  const struct modal_run *free = run(arena, w, &o);
  o.n_pushes = 1;
  const struct modal_run *unaware = run(arena, w, &o);
  double most = 0;
  for (int k = 0; k < free->n * free->n_dofs; k++)
    most = fmax(most, fabs(free->q[k] - unaware->q[k]));
  CHECK(free->n == unaware->n && o.reaction > 0.19);
  CHECK(most < 5e-4); /* but for feet in the air, which are looked at again */
}

static void test_world(struct arena *arena, const struct walk *w)
{
  struct modal_run_options o;
  modal_run_defaults(w->creature, &o);
  o.seconds = 2;
  o.where = MODAL_WORLD;
  const struct modal_run *r = run(arena, w, &o);
  CHECK(r->success && r->worst_angle < 0.15);
}

/* With tendons the joints need what they needed, so that in linearised dynamics nothing changes but what muscles give;
 * in the world, where tendons act by themselves, it walks as before. */
static void test_elastic(struct arena *arena, const struct walk *w)
{
  struct walk elastic = *w;
  struct modal_run_options o;
  elastic.creature = walk_elastic(arena, w->creature);
  modal_run_defaults(w->creature, &o);
  o.seconds = 2;
  const struct modal_run *a = run(arena, w, &o), *b = run(arena, &elastic, &o);
  size_t n = (size_t)a->n_dofs, all = (size_t)a->n * n;
  CHECK(a->n == b->n && !memcmp(a->q, b->q, all * sizeof *a->q));
  double *passive = ARENA_NEW(arena, n, double), *v = ARENA_NEW(arena, n, double), off = 0, sum = 0;
  for (size_t k = n; k < all; k++) { /* a row of q is the end of a step */
    if (k % n == 0) {
      for (size_t i = 0; i < n; i++)
        v[i] = (a->q[k + i] - a->q[k + i - n]) / a->dt;
      memset(passive, 0, n * sizeof *passive);
      tissue_subtract(elastic.creature, a->q + k, v, passive);
    }
    off += fabs(b->torque[k] - a->torque[k] - passive[k % n]);
    sum += fabs(passive[k % n]);
  }
  CHECK(off < 0.02 * sum);
  o.where = MODAL_WORLD;
  for (int e = 0; world_engine_name(e); e++) {
    if (!world_has_engine(e))
      continue;
    o.world.engine = (enum world_engine)e;
    a = run(arena, w, &o), b = run(arena, &elastic, &o);
    printf("%s: root off by %.4f, with tendons %.4f rad; joints %.4f, %.4f\n", world_engine_name(e), a->worst_angle,
           b->worst_angle, a->mean_joint, b->mean_joint);
    CHECK(b->success && b->worst_angle < 0.1 && b->mean_joint < 1.2 * a->mean_joint);
  }
}

/* Twice as slow: half the way. Strides shorter by a tenth: less way, feet where they were asked to be. */
static void test_edits(struct arena *arena, const struct walk *w)
{
  struct reference_edit slow = {EDIT_TEMPO, 0, 100, 0.9, NULL}, shorter = {EDIT_STRIDE, 0, 100, 0.9, NULL};
  struct editable_options g;
  editable_defaults(&g);
  int n = w->creature->n_dofs, last = 1000;
  double far[3], *first = ARENA_NEW(arena, (size_t)n, double);
  for (int k = 0; k < 3; k++) {
    struct editable_reference *reference = editable_new(arena, w->creature, w->clips[0].clip, &g, last + 10);
    if (k)
      CHECK(editable_edit(reference, k == 1 ? &slow : &shorter, 0));
    memcpy(first, editable_frame(reference, 0)->q, (size_t)n * sizeof *first);
    double missed = 0;
    for (int i = 1; i <= last; i++)
      missed = fmax(missed, editable_frame(reference, i)->missed);
    far[k] = editable_frame(reference, last)->q[0] - first[0];
    CHECK(missed < 1e-3);
  }
  CHECK_NEAR(far[1] / far[0], 0.9, 0.01);
  CHECK(far[2] / far[0] > 0.895 && far[2] / far[0] < 0.96); /* it begins a little ahead */
}

/* In a hurry: feet land sooner, the way over the ground stays what it was, and feet that stand stay. */
static void test_pace(struct arena *arena, const struct walk *w)
{
  struct editable_options g;
  editable_defaults(&g);
  struct editable_reference *plain = editable_new(arena, w->creature, w->clips[0].clip, &g, 300);
  struct editable_reference *fast = editable_new(arena, w->creature, w->clips[0].clip, &g, 300);
  struct footholds *f = editable_footholds(fast);
  const struct editable_frame *start = editable_frame(fast, 0);
  double at[2][2];
  int landed[2] = {0, 0};
  for (int p = 0; p < 2; p++) {
    memcpy(at[p], start->point + 3 * p, sizeof at[p]);
    f->legs[f->leg_of_point[p]].stands = start->contact[p];
  }
  editable_pace(fast, 0, 1.5);
  for (int i = 1; i < 40; i++) {
    const struct editable_frame *a = editable_frame(plain, i), *b = editable_frame(fast, i);
    CHECK_NEAR(b->q[0], a->q[0], 0.04);
    for (int p = 0; p < 2; p++)
      if (f->legs[f->leg_of_point[p]].stands && b->contact[p])
        CHECK(hypot(b->point[3 * p] - at[p][0], b->point[3 * p + 1] - at[p][1]) < 5e-3);
  }
  for (int i = 150; i > 0; i--)
    for (int k = 0; k < 2; k++) {
      const struct editable_frame *x = editable_frame(k ? fast : plain, i),
                                       *y = editable_frame(k ? fast : plain, i - 1);
      for (int p = 0; p < 2; p++)
        if (x->contact[p] && !y->contact[p])
          landed[k] = i;
    }
  CHECK(landed[0] > 0 && abs(3 * landed[1] - 2 * landed[0]) < 6);
}

/* A clip that is no cycle and whose feet are in the ground, as captured ones are: its feet stand on the ground, and it
 * begins in motion. */
static void test_sunken(struct arena *arena, const struct walk *w)
{
  const struct clip *walk = w->clips[0].clip;
  int n = walk->n_dofs, p = walk->n_points;
  struct clip *clip = clip_new(arena, w->creature, walk->n_frames, walk->dt);
  struct editable_options g;
  editable_defaults(&g);
  double off = 0, above = -0.01 * w->creature->height;
  clip->name = clip->gait = clip->gait_after = "sunken";
  memcpy(clip->force, walk->force, (size_t)(3 * p * walk->n_frames) * sizeof *walk->force);
  memcpy(clip->contact, walk->contact, (size_t)(p * walk->n_frames));
  for (int k = 0; k < walk->n_frames; k++) {
    clip_frame(walk, k, clip->q + (size_t)(k * n));
    clip->q[(size_t)(k * n + 2)] += above;
  }
  CHECK(settle_clip(arena, w->creature, dynamics_new_dimensionless(arena, w->creature), walk, 2e-3) == NULL);
  struct editable_reference *reference = editable_new(arena, w->creature, clip, &g, 100);
  struct editable_reference *plain = editable_new(arena, w->creature, walk, &g, 100);
  for (int i = 0; i < 100; i++)
    for (int k = 0; k < p; k++)
      if (editable_frame(reference, i)->contact[k])
        off = fmax(off, fabs(editable_frame(reference, i)->point[3 * k + 2]));
  CHECK(off < 2e-3);
  CHECK_NEAR(editable_frame(reference, 0)->v[0], editable_frame(plain, 1)->v[0], 1e-2);
}

/* Another tempo begins softly: the root's velocity has no jump. */
static void test_soft_tempo(struct arena *arena, const struct walk *w)
{
  struct editable_options g;
  editable_defaults(&g);
  struct reference_edit slow = {EDIT_TEMPO, 0.2, 0.6, 0.75, NULL};
  double most[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    struct editable_reference *reference = editable_new(arena, w->creature, w->clips[0].clip, &g, 300);
    if (k)
      CHECK(editable_edit(reference, &slow, 0));
    for (int i = 2; i < 250; i++)
      most[k] = fmax(most[k], fabs(editable_frame(reference, i)->v[0] - editable_frame(reference, i - 1)->v[0]));
  }
  CHECK(most[1] < most[0] + 0.01);
}

/* How far points that stand move from step to step. */
static double slip_of(struct arena *arena, const struct walk *w, const struct reference_edit *e)
{
  struct editable_options g;
  editable_defaults(&g);
  struct editable_reference *reference = editable_new(arena, w->creature, w->clips[0].clip, &g, 1200);
  double slip = 0;
  if (e)
    CHECK(editable_edit(reference, e, 0));
  for (int i = 1; i < 1000; i++) {
    const struct editable_frame *a = editable_frame(reference, i - 1), *b = editable_frame(reference, i);
    for (int p = 0; p < w->creature->n_points; p++)
      if (a->contact[p] && b->contact[p])
        slip = fmax(slip, hypot(a->point[3 * p] - b->point[3 * p], a->point[3 * p + 1] - b->point[3 * p + 1]));
  }
  return slip;
}

/* Stance feet of an edited stride slide no more than those of the clip do between its frames, stretched. */
static void test_standing(struct arena *arena, const struct walk *w)
{
  struct reference_edit longer = {EDIT_STRIDE, 0.2, 100, 1.1, NULL};
  CHECK(slip_of(arena, w, &longer) < 1.1 * slip_of(arena, w, NULL) + 2e-4);
}

/* A laden creature weighs what it should, where it should. */
static void test_load(struct arena *arena, const struct walk *w)
{
  struct disturb_load load = {.mass = 2, .n_limbs = 2, .limbs = {1, 2}};
  const struct creature *laden = disturb_laden(arena, w->creature, &load);
  struct dynamics_whole a, b;
  size_t n = (size_t)w->creature->n_dofs;
  double *q = ARENA_NEW(arena, n, double), *zero = ARENA_NEW(arena, n, double), mass = 0;
  creature_rest_pose(w->creature, q);
  dynamics_whole(dynamics_new(arena, w->creature), q, zero, zero, &a);
  dynamics_whole(dynamics_new(arena, laden), q, zero, zero, &b);
  CHECK_NEAR(b.mass - a.mass, 2, 1e-9);
  for (int i = 0; i < laden->n_limbs; i++)
    mass += laden->limbs[i].mass;
  CHECK_NEAR(mass, b.mass, 1e-9);
  CHECK_NEAR(laden->mass, w->creature->mass, 0); /* units stay */
}

/* Figure 3 of the paper: 30 kg in hands that are held forwards. A window of 12 steps ends in a fall, one of 36 does
 * not. */
static void test_squat(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "human");
  struct modal_run_options o;
  struct squat s;
  struct diag d;
  diag_init(&d);
  squat_defaults(&s);
  s.arms = 0.3;
  const struct clip *clip = squat_clip(arena, c, &s, &d);
  CHECK(clip && clip->n_frames > 600);
  modal_run_defaults(c, &o);
  o.seconds = 7;
  o.load = (struct disturb_load){.from = 2, .mass = 30, .n_limbs = 2,
                                   .limbs = {creature_find_limb(c, "left_hand"), creature_find_limb(c, "right_hand")}};
  for (int window = 12; clip && window <= 36; window += 24) {
    o.control.window = window;
    const struct modal_run *r = modal_run(arena, c, clip, &o, &d);
    CHECK(r && r->success == (window == 36));
  }
  o.load.mass = 0;
  o.control.window = 12;
  const struct modal_run *free_hands = modal_run(arena, c, clip, &o, &d);
  CHECK(free_hands && free_hands->success && free_hands->worst_angle < 0.05);
  s.depth = 0.9;
  CHECK(!squat_clip(arena, c, &s, &d) && d.n_errors == 1);
  diag_clear(&d);
}

/* Mean error of a walk when so many modes from `first` on are planned over the window. */
static double error_with(struct arena *arena, const struct creature *c, const struct clip *clip, int first, int n)
{
  struct modal_run_options o;
  struct diag d;
  int modes[64];
  diag_init(&d);
  modal_run_defaults(c, &o);
  o.seconds = 3;
  for (int i = 0; i < n; i++)
    modes[i] = first + i;
  o.control.chosen = n ? modes : NULL;
  o.control.n_chosen = n;
  const struct modal_run *r = modal_run(arena, c, clip, &o, &d);
  CHECK(r && r->n > 0 && d.n_errors == 0);
  diag_clear(&d);
  return r ? r->success ? r->mean_angle : 10 : NAN;
}

/* Planned ahead must be the modes of low frequency; as many that are further up do worse, the further the worse. */
static void test_choice(struct arena *arena)
{
  const struct creature *c = zoo_find(arena, "human");
  const struct clip *clip = walk_of(arena, c);
  struct modal_run_options o;
  struct diag d;
  diag_init(&d);
  modal_run_defaults(c, &o);
  o.seconds = o.control.step * modal_units(c).time;
  const struct modal_run *one = modal_run(arena, c, clip, &o, &d);
  int low = one->low[0];
  CHECK(low > 4 && low < 64 && MODAL_RIGID + low + 12 <= c->n_dofs);
  double before = error_with(arena, c, clip, MODAL_RIGID, low);
  CHECK(before > 0 && before < 0.05);
  double first = before;
  for (int shift = 4; shift <= 12; shift += 4) {
    double now = error_with(arena, c, clip, MODAL_RIGID + shift, low);
    CHECK(now > before);
    before = now;
  }
  CHECK(before > 2 * first);
  diag_clear(&d);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  if (!walk_make(arena, 0, &w))
    return 1;
  test_followed(arena, &w);
  test_pushes(arena, &w);
  test_unaware(arena, &w);
  test_world(arena, &w);
  test_elastic(arena, &w);
  test_hurry(arena, &w);
  test_pace(arena, &w);
  test_sunken(arena, &w);
  test_soft_tempo(arena, &w);
  test_edits(arena, &w);
  test_standing(arena, &w);
  test_load(arena, &w);
  test_choice(arena);
  test_squat(arena);
  arena_free(arena);
  return test_finish();
}

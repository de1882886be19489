/* Motions under modal control as bytes: all of it comes back; done again it is the same to the bit, in the world by its
 * torques alone; and it would be seen if it were not. */
#include <string.h>

#include "base/bytes.h"
#include "check.h"
#include "modal/record.h"
#include "follow/walk.h"

static int same(const double *a, const double *b, int n)
{
  return !memcmp(a, b, (size_t)n * sizeof *a);
}

static void check_same(const struct modal_run *a, const struct modal_run *b)
{
  int n = a->n * a->n_dofs, p = 3 * a->n * a->n_points;
  CHECK_INT(a->n, b->n);
  CHECK_INT(a->n_wanted, b->n_wanted);
  CHECK(a->dt == b->dt && a->success == b->success && a->worst_angle == b->worst_angle &&
        a->most_missed == b->most_missed);
  CHECK(same(a->q, b->q, n) && same(a->reference, b->reference, n) && same(a->torque, b->torque, n));
  CHECK(same(a->planned, b->planned, p) && same(a->used, b->used, p));
  CHECK(same(a->angle, b->angle, a->n) && same(a->place, b->place, 2 * a->n) &&
        same(a->start, b->start, 2 * a->n_dofs));
}

static void test_round(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  const struct clip *clip = w->clips[0].clip;
  struct modal_source of = {.clip = 3, .after = 4, .arms = 0.5};
  struct store_performance row;
  struct modal_kept kept;
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, clip, o, &d);
  CHECK(r && r->success);
  modal_record_make(arena, "test", &of, r, o, &row);
  CHECK(modal_record_read(arena, w->creature, &row, &kept, &d));
  check_same(r, kept.run);
  CHECK(kept.source.clip == 3 && kept.source.after == 4 && kept.source.arms == 0.5);
  CHECK_INT(kept.options.n_edits, o->n_edits);
  for (int i = 0; i < o->n_edits; i++)
    ((struct reference_edit *)kept.options.edits)[i].clip = o->edits[i].clip;
  kept.clip = clip;
  const struct follow_motion *again = modal_replay(arena, &kept, &d);
  CHECK(again && recording_difference(w->creature, again, r->motion) == 0);
  CHECK(again && same(again->force, r->used, 3 * r->n * r->n_points));
  if (o->where == MODAL_WORLD) { /* and it would be seen if it were not the same */
    kept.run->torque[20 * r->n_dofs + CREATURE_ROOT_DOFS] += 1e-9;
    again = modal_replay(arena, &kept, &d);
    CHECK(again && recording_difference(w->creature, again, r->motion) > 0);
  }
  CHECK_INT(d.n_errors, 0);
  static const enum store_performance_bytes parts[] = {PERFORMANCE_CONTROL, PERFORMANCE_WAY, PERFORMANCE_FORCE,
                                                       PERFORMANCE_REFERENCE};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    row.n_bytes[parts[i]] -= 8;
    CHECK(!modal_record_read(arena, w->creature, &row, &kept, &d));
    row.n_bytes[parts[i]] += 8;
  }
  CHECK(d.n_errors > 0);
  diag_clear(&d);
}

/* ---- version 6 ---- */

/* The control bytes as version 6 wrote them, with its 25 options of the controller and 13 of the world. */
static void put_version_6(struct bytes_writer *w, const struct modal_run *r, const struct modal_run_options *o)
{
  const struct modal_options *c = &o->control;
  const struct world_options *a = &o->world;
  const double numbers[] = {2.71828e-42, r->n_dofs, r->n_points, 1, 0, 0, (double)o->where, o->seconds, o->first,
                            o->slope,
                            o->reaction, 25, c->step, c->window, c->threshold, c->friction, c->place, c->turn, c->speed,
                            c->spin, c->force, c->hold, c->low_place, c->low_speed, c->low_effort, c->high, c->yield,
                            c->footholds, c->swing, c->follow, c->comeback, c->hurry, c->muscle, c->stand, c->frozen,
                            c->still, c->hold_on, 0, 13, (double)a->engine, a->step, a->friction,
                            (double)a->terrain.kind, a->terrain.size, a->terrain.spacing, (double)a->terrain.seed,
                            a->servo_scale, a->contact_erp, a->contact_cfm, a->contact_speed, a->no_limits, a->shapes,
                            o->n_pushes};
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  for (int i = 0; i < o->n_pushes; i++) {
    const struct disturb_push *p = &o->pushes[i];
    const double push[] = {p->time, p->seconds, p->force[0], p->force[1], p->force[2], p->limb};
    bytes_put_reals(w, push, sizeof push / sizeof *push);
  }
  bytes_put_real(w, o->n_edits);
  for (int i = 0; i < o->n_edits; i++) {
    const double edit[] = {(double)o->edits[i].kind, o->edits[i].from, o->edits[i].until, o->edits[i].value};
    bytes_put_reals(w, edit, sizeof edit / sizeof *edit);
  }
  const double load[] = {o->load.from, o->load.mass, o->load.n_limbs, o->load.limbs[0]};
  bytes_put_reals(w, load, (size_t)(3 + (o->load.n_limbs > 0)));
  bytes_put_reals(w, r->start, 2 * (size_t)r->n_dofs);
  bytes_put_reals(w, r->angle, (size_t)r->n);
  bytes_put_reals(w, r->place, 2 * (size_t)r->n);
}

static void put_array(struct arena *arena, struct store_performance *row, enum store_performance_bytes which,
                      const double *x, int n)
{
  struct bytes_writer w = {arena_alloc(arena, 8 * (size_t)n + 1, 1), 0};
  bytes_put_reals(&w, x, (size_t)n);
  row->bytes[which] = w.bytes;
  row->n_bytes[which] = w.n;
}

/* A row of version 6: no frame for the start, and lengths that had been divided by L. It is read, and done again to the
 * bit. */
static void test_version_6(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  const struct clip *clip = w->clips[0].clip;
  struct modal_source of = {.clip = 1};
  struct store_performance row;
  struct modal_kept kept;
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, clip, o, &d);
  int n = r->n * r->n_dofs, p = 3 * r->n * r->n_points;
  modal_record_make(arena, "test", &of, r, o, &row);
  double *q = ARENA_NEW(arena, (size_t)n, double), L = w->creature->height;
  for (int i = 0; i < n; i++)
    q[i] = o->where == MODAL_WORLD && i % r->n_dofs < 3 ? L * (r->q[i] / L) : r->q[i];
  struct bytes_writer control = {NULL, 0};
  put_version_6(&control, r, o);
  control = (struct bytes_writer){arena_alloc(arena, control.n, 1), 0};
  put_version_6(&control, r, o);
  row.bytes[PERFORMANCE_CONTROL] = control.bytes;
  row.n_bytes[PERFORMANCE_CONTROL] = control.n;
  row.n_bytes[PERFORMANCE_WAY] = row.n_bytes[PERFORMANCE_CONTACT] = 0;
  row.n_frames = r->n;
  put_array(arena, &row, PERFORMANCE_Q, q, n);
  put_array(arena, &row, PERFORMANCE_REFERENCE, r->reference, n);
  put_array(arena, &row, PERFORMANCE_TORQUE, r->torque, n);
  put_array(arena, &row, PERFORMANCE_PLANNED, r->planned, p);
  put_array(arena, &row, PERFORMANCE_FORCE, r->used, p);
  CHECK(modal_record_read(arena, w->creature, &row, &kept, &d) && kept.version_6);
  kept.clip = clip;
  for (int i = 0; i < o->n_edits; i++)
    ((struct reference_edit *)kept.options.edits)[i].clip = o->edits[i].clip;
  const struct follow_motion *again = modal_replay(arena, &kept, &d);
  CHECK(again && recording_difference(w->creature, again, kept.recording->motion) == 0);
  CHECK(again && same(again->q + r->n_dofs, q, n));
  CHECK_INT(d.n_errors, 0);
  row.n_bytes[PERFORMANCE_CONTROL] -= 8;
  CHECK(!modal_record_read(arena, w->creature, &row, &kept, &d));
  diag_clear(&d);
}

/* No bytes are a crash: each number of the control bytes in turn is made absurd. */
static void test_damage(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  static const double absurd[] = {-1, 1e300, 0.5, 1e6};
  struct modal_source of = {.clip = 1};
  struct modal_kept read;
  struct store_performance kept;
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, w->clips[0].clip, o, &d);
  modal_record_make(arena, "test", &of, r, o, &kept);
  int refused = 0;
  for (enum store_performance_bytes which = PERFORMANCE_CONTROL; which <= PERFORMANCE_WAY; which++) {
    unsigned char *bytes = (unsigned char *)kept.bytes[which];
    size_t n = kept.n_bytes[which] / 8;
    for (size_t i = 0; i < n && i < 120; i++)
      for (size_t k = 0; k < sizeof absurd / sizeof *absurd; k++) {
        unsigned char was[8];
        memcpy(was, bytes + 8 * i, 8);
        memcpy(bytes + 8 * i, &absurd[k], 8); /* little-endian machines; elsewhere it is other nonsense */
        refused += !modal_record_read(arena, w->creature, &kept, &read, &d);
        memcpy(bytes + 8 * i, was, 8);
      }
  }
  CHECK(refused > 20);
  diag_clear(&d);
}

int main(void)
{
  struct arena *arena = arena_new();
  struct walk w;
  struct modal_run_options o;
  if (!walk_make(arena, 0, &w))
    return 1;
  struct disturb_push push = {.time = 0.4, .seconds = 0.06, .force = {0, 8, 0}, .limb = 1};
  struct reference_edit edits[] = {{EDIT_TEMPO, 0.3, 0.9, 1.05, NULL}, {EDIT_TRANSITION, 0.7, 1, 0, w.clips[0].clip}};
  modal_run_defaults(w.creature, &o);
  o.seconds = 1.2;
  o.pushes = &push;
  o.n_pushes = 1;
  o.edits = edits;
  o.n_edits = 2;
  test_round(arena, &w, &o);
  test_version_6(arena, &w, &o);
  test_damage(arena, &w, &o);
  o.where = MODAL_WORLD;
  o.load = (struct disturb_load){.from = 0.5, .mass = 0.3, .n_limbs = 1, .limbs = {1}};
  test_round(arena, &w, &o);
  o.world.limbs = 0; /* limbs did not touch each other then */
  test_version_6(arena, &w, &o);
  arena_free(arena);
  return test_finish();
}

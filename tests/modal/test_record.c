/* Motions under modal control as bytes: all of it comes back; done again it is the same to the bit, in the world by its
 * torques alone; and it would be seen if it were not. */
#include <string.h>

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
  CHECK(a->dt == b->dt && a->success == b->success && a->worst_angle == b->worst_angle && a->most_missed == b->most_missed);
  CHECK(same(a->q, b->q, n) && same(a->reference, b->reference, n) && same(a->torque, b->torque, n));
  CHECK(same(a->planned, b->planned, p) && same(a->used, b->used, p));
  CHECK(same(a->angle, b->angle, a->n) && same(a->place, b->place, 2 * a->n) && same(a->start, b->start, 2 * a->n_dofs));
}

static void test_round(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  const struct clip *clip = w->clips[0].clip;
  struct modal_source of = {.clip = 3, .after = 4, .arms = 0.5}, source;
  struct modal_run_options read_options;
  struct store_performance kept;
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, clip, o, &d);
  CHECK(r && r->success);
  modal_record_make(arena, "test", &of, r, o, &kept);
  struct modal_run *read = modal_record_read(arena, w->creature, &kept, &source, &read_options, &d);
  CHECK(read != NULL);
  check_same(r, read);
  CHECK(source.clip == 3 && source.after == 4 && source.arms == 0.5);
  CHECK_INT(read_options.n_edits, o->n_edits);
  for (int i = 0; i < o->n_edits; i++)
    ((struct guide_edit *)read_options.edits)[i].clip = o->edits[i].clip;
  const struct modal_run *again = modal_replay(arena, clip, read, &read_options, &d);
  CHECK(again && again->n == r->n && same(again->q, r->q, r->n * r->n_dofs));
  CHECK(again && same(again->used, r->used, 3 * r->n * r->n_points));
  if (o->where == MODAL_WORLD) { /* and it would be seen if it were not the same */
    read->torque[20 * r->n_dofs + CREATURE_ROOT_DOFS] += 1e-9;
    again = modal_replay(arena, clip, read, &read_options, &d);
    CHECK(again && !same(again->q, r->q, r->n * r->n_dofs));
  }
  CHECK_INT(d.n_errors, 0);
  kept.n_bytes[PERFORMANCE_CONTROL] -= 8;
  CHECK(!modal_record_read(arena, w->creature, &kept, &source, &read_options, &d));
  kept.n_bytes[PERFORMANCE_CONTROL] += 8;
  kept.n_bytes[PERFORMANCE_FORCE] -= 8;
  CHECK(!modal_record_read(arena, w->creature, &kept, &source, &read_options, &d));
  CHECK(d.n_errors > 0);
  diag_clear(&d);
}

/* No bytes are a crash: each number of the control bytes in turn is made absurd. */
static void test_damage(struct arena *arena, const struct walk *w, const struct modal_run_options *o)
{
  static const double absurd[] = {-1, 1e300, 0.5, 1e6};
  struct modal_source of = {.clip = 1}, source;
  struct modal_run_options read_options;
  struct store_performance kept;
  struct diag d;
  diag_init(&d);
  const struct modal_run *r = modal_run(arena, w->creature, w->clips[0].clip, o, &d);
  modal_record_make(arena, "test", &of, r, o, &kept);
  unsigned char *bytes = (unsigned char *)kept.bytes[PERFORMANCE_CONTROL];
  size_t n = kept.n_bytes[PERFORMANCE_CONTROL] / 8;
  int refused = 0;
  for (size_t i = 0; i < n && i < 120; i++)
    for (size_t k = 0; k < sizeof absurd / sizeof *absurd; k++) {
      unsigned char was[8];
      memcpy(was, bytes + 8 * i, 8);
      memcpy(bytes + 8 * i, &absurd[k], 8); /* little-endian machines; elsewhere it is other nonsense */
      refused += !modal_record_read(arena, w->creature, &kept, &source, &read_options, &d);
      memcpy(bytes + 8 * i, was, 8);
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
  struct modal_run_push push = {.from = 0.4, .seconds = 0.06, .force = {0, 8, 0}, .limb = 1};
  struct guide_edit edits[] = {{GUIDE_TEMPO, 0.3, 0.9, 1.05, NULL}, {GUIDE_TRANSITION, 0.7, 1, 0, w.clips[0].clip}};
  modal_run_defaults(w.creature, &o);
  o.seconds = 1.2;
  o.pushes = &push;
  o.n_pushes = 1;
  o.edits = edits;
  o.n_edits = 2;
  test_round(arena, &w, &o);
  test_damage(arena, &w, &o);
  o.where = MODAL_WORLD;
  o.load = (struct modal_run_load){.from = 0.5, .mass = 0.3, .n_limbs = 1, .limbs = {1}};
  test_round(arena, &w, &o);
  arena_free(arena);
  return test_finish();
}

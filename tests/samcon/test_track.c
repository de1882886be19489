/* Tracking in the simulated world: what falls and what does not, the same bits for any number of workers, replays,
 * records, and a judge who is not bribed. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "base/bytes.h"
#include "follow/recording.h"
#include "follow/subject.h"
#include "samcon/track.h"
#include "follow/walk.h"

struct stage { struct arena *arena; struct walk walk; const struct reference *r; };

static struct recording *run(struct stage *s, enum track_method method, int guided, int workers,
                                const struct reference *r)
{
  struct track_options o;
  struct diag d;
  diag_init(&d);
  track_defaults(s->walk.creature, method, guided, &o);
  o.workers = workers;
  o.start_place = 0.003;
  o.start_velocity = 0.01;
  o.samples = guided ? 24 : 40;
  o.saved = 4;
  o.identify.samples = 110;
  struct recording *t = track(s->arena, r, &o, &d);
  CHECK(t != NULL && d.n_errors == 0);
  diag_clear(&d);
  return t;
}

static int same_motion(const struct follow_motion *a, const struct follow_motion *b)
{
  size_t n = (size_t)a->n_frames * (size_t)a->n_dofs, p = (size_t)a->n_frames * (size_t)a->n_points;
  return a->n_frames == b->n_frames && !memcmp(a->q, b->q, n * sizeof(double)) && !memcmp(a->torque, b->torque, n *
      sizeof(double)) &&
         !memcmp(a->force, b->force, 3 * p * sizeof(double)) && !memcmp(a->contact, b->contact, p);
}

static void test_methods(struct stage *s)
{
  const struct recording *pd = run(s, TRACK_PD, 0, 1, s->r), *lqr = run(s, TRACK_LQR, 0, 1, s->r);
  CHECK(!pd->judgement.success);
  CHECK(pd->judgement.fault != NULL);
  CHECK(lqr->judgement.success);
  CHECK(lqr->judgement.fault == NULL);
  CHECK(lqr->judgement.stances >= 4);
  CHECK_INT(lqr->judgement.stances_missed, 0);
  CHECK(lqr->judgement.course < 0.1);
  CHECK(lqr->cost.total < pd->cost.total);
  /* the feet carry the body: the mean upward force is its weight */
  double up = 0, weight = s->walk.creature->mass * CREATURE_GRAVITY;
  const struct follow_motion *m = lqr->motion;
  int cycle = 62;
  for (int k = cycle; k < 2 * cycle; k++)
    for (int p = 0; p < m->n_points; p++)
      up += m->force[((size_t)k * (size_t)m->n_points + (size_t)p) * 3 + 2] / cycle;
  CHECK_NEAR(up, weight, 0.03 * weight);
}

/* Guided sampling: two workers and one give the same bits; so does a replay, also of what has been kept as bytes. */
static void test_bits(struct stage *s)
{
  const struct recording *one = run(s, TRACK_SAMCON, 1, 1, s->r), *two = run(s, TRACK_SAMCON, 1, 2, s->r);
  CHECK(one->judgement.success && one->attempts == 1);
  CHECK(same_motion(one->motion, two->motion));
  CHECK_INT(one->samples, two->samples);
  struct store_performance kept;
  struct diag d;
  diag_init(&d);
  recording_pack(s->arena, one, &kept);
  struct recording *read = recording_unpack(s->arena, s->walk.creature, &kept, &d);
  CHECK(read != NULL);
  CHECK(read && same_motion(read->motion, one->motion));
  CHECK(same_motion(recording_replay(s->arena, read, &d), one->motion));
  read->offsets[3] += 1e-9; /* and it would be seen if it were not */
  CHECK(!same_motion(recording_replay(s->arena, read, &d), one->motion));
  kept.n_bytes[PERFORMANCE_CONTROL] -= 8;
  CHECK(recording_unpack(s->arena, s->walk.creature, &kept, &d) == NULL);
  diag_clear(&d);
}

/* ---- tracks of version 6 ---- */

/* The control bytes as version 6 wrote them: all of the reference, the start as errors (0 here). */
static void put_version_6(struct bytes_writer *w, const struct recording *k)
{
  const struct reference *r = k->reference;
  const struct world_options *a = &k->rollout.world;
  size_t frames = (size_t)r->first[r->n_windows] + 1, n = (size_t)r->n_dofs, p = (size_t)r->n_points;
  const double head[] = {3.14159e-42, (double)frames, (double)n, (double)p, r->n_windows, k->n_windows, r->dt, r->slope,
                         (double)k->rollout.drive, a->step, a->friction, (double)a->terrain.kind, a->terrain.size,
                         a->terrain.spacing, (double)a->terrain.seed, a->servo_scale, a->contact_erp, a->contact_cfm,
                         a->contact_speed, a->no_limits, a->shapes};
  bytes_put_reals(w, head, sizeof head / sizeof *head);
  bytes_put_reals(w, r->q, frames * n);
  bytes_put_reals(w, r->v, frames * n);
  bytes_put_reals(w, r->torque, frames * n);
  bytes_put_reals(w, r->force, frames * p * 3);
  for (size_t i = 0; i < frames * p; i++)
    bytes_put_real(w, r->contact[i]);
  for (int i = 0; i <= r->n_windows; i++)
    bytes_put_real(w, r->first[i]);
  for (size_t i = 0; i < 2 * n; i++)
    bytes_put_real(w, 0);
  bytes_put_reals(w, k->offsets, (size_t)r->n_windows * (n - 6));
}

/* They are read and replayed to the bit, and it would be seen if they were not. */
static void test_version_6(struct stage *s)
{
  struct store_performance row;
  struct diag d;
  diag_init(&d);
  struct track_options o; /* from exactly on the reference */
  track_defaults(s->walk.creature, TRACK_LQR, 0, &o);
  o.identify.samples = 110;
  o.rollout.world.limbs = 0; /* they did not touch each other then */
  const struct recording *k = track(s->arena, s->r, &o, &d);
  recording_pack(s->arena, k, &row);
  struct bytes_writer w = {NULL, 0};
  put_version_6(&w, k);
  w = (struct bytes_writer){arena_alloc(s->arena, w.n, 1), 0};
  put_version_6(&w, k);
  row.bytes[PERFORMANCE_CONTROL] = w.bytes;
  row.n_bytes[PERFORMANCE_CONTROL] = w.n;
  row.n_bytes[PERFORMANCE_REFERENCE] = row.n_bytes[PERFORMANCE_PLANNED] = 0;
  row.dt = NAN;
  struct recording *read = recording_unpack(s->arena, s->walk.creature, &row, &d);
  CHECK(read && read->windows == NULL && !memcmp(read->start, k->start, 2 * (size_t)s->r->n_dofs * sizeof *k->start));
  CHECK(read && same_motion(recording_replay(s->arena, read, &d), k->motion));
  CHECK_INT(d.n_errors, 0);
  row.n_bytes[PERFORMANCE_CONTROL] -= 8;
  CHECK(!recording_unpack(s->arena, s->walk.creature, &row, &d));
  if (read) {
    read->start[2] += 1e-9;
    CHECK(!same_motion(recording_replay(s->arena, read, &d), k->motion));
  }
  diag_clear(&d);
}

/* Before limbs touched each other, a world had 13 numbers: read back, such a track has no contact between limbs and is
 * replayed to the bit. Now both options are kept. */
static void test_before_limb_contact(struct stage *s)
{
  enum { AT = 10, OLD = 13 };   /* numbers before the world's count; of the world */
  struct store_performance row;
  struct track_options o;
  struct diag d;
  diag_init(&d);
  track_defaults(s->walk.creature, TRACK_LQR, 0, &o);
  o.identify.samples = 110;
  for (int limbs = 1; limbs >= 0; limbs--) {
    o.rollout.world.limbs = limbs;
    o.rollout.world.limb_friction = 0.4;
    const struct recording *k = track(s->arena, s->r, &o, &d);
    recording_pack(s->arena, k, &row);
    const struct recording *read = recording_unpack(s->arena, s->walk.creature, &row, &d);
    CHECK(read && read->rollout.world.limbs == limbs && read->rollout.world.limb_friction == 0.4);
    const unsigned char *bytes = row.bytes[PERFORMANCE_CONTROL];
    size_t n = row.n_bytes[PERFORMANCE_CONTROL], before = 8 * (AT + 1 + OLD);
    struct bytes_reader u = {.at = bytes + 8 * AT, .left = 8, .arena = s->arena};
    CHECK(bytes_get_real(&u) == OLD + 2);
    unsigned char *old = arena_alloc(s->arena, n, 1);
    struct bytes_writer w = {old + 8 * AT, 0};
    memcpy(old, bytes, before);
    bytes_put_real(&w, OLD);
    memcpy(old + before, bytes + before + 16, n - before - 16);
    row.bytes[PERFORMANCE_CONTROL] = old;
    row.n_bytes[PERFORMANCE_CONTROL] = n - 16;
    read = recording_unpack(s->arena, s->walk.creature, &row, &d);
    CHECK(read && read->rollout.world.limbs == 0);
    CHECK(limbs || (read && same_motion(recording_replay(s->arena, read, &d), k->motion)));
  }
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
}

/* What the figures need is kept too: each saved sample and where it came from. */
static void test_kept_samples(struct stage *s)
{
  struct store_performance kept;
  struct diag d;
  diag_init(&d);
  const struct recording *t = run(s, TRACK_SAMCON, 1, 1, s->r);
  recording_pack(s->arena, t, &kept);
  const struct recording *read = recording_unpack(s->arena, s->walk.creature, &kept, &d);
  CHECK(read != NULL && read->windows != NULL);
  for (int w = 0; w < t->n_windows && read && read->windows; w++) {
    const struct sampled_window *a = &t->windows[w], *b = &read->windows[w];
    CHECK(a->n_samples == b->n_samples && a->n_saved == b->n_saved && a->chosen == b->chosen && a->best == b->best);
    CHECK(!memcmp(a->costs, b->costs, (size_t)a->n_samples * sizeof(double)));
    CHECK(!memcmp(a->saved, b->saved, (size_t)a->n_saved * sizeof(double)));
    CHECK(!memcmp(a->parents, b->parents, (size_t)a->n_saved * sizeof(int)));
    CHECK(a->saved[a->chosen] == a->best);
    CHECK(w == 0 || a->parents[a->chosen] == t->windows[w - 1].chosen); /* the path is one */
  }
  diag_clear(&d);
}

/* The surrogate simulator: a window from the same state ends nearly where it ends in ODE, and not where another one
 * does; what is saved is ODE's, whoever looked for it. */
static void test_surrogate(struct stage *s)
{
  struct arena *arena = arena_new();
  struct rollout_options o;
  struct diag d;
  diag_init(&d);
  rollout_defaults(s->walk.creature, &o);
  struct batches *batches = batches_open(arena, s->r, &o, 1, &d);
  CHECK(batches && batches_has_surrogate(batches));
  struct rollout *ro = batches_rollout(batches);
  int n = s->r->n_dofs - CREATURE_ROOT_DOFS;
  double spread[n];
  for (int i = 0; i < n; i++)
    spread[i] = 0.03;
  rollout_start(ro, s->r->first[3], NULL);
  void *state = arena_alloc(arena, ro->state_size, 1);
  world_save(ro->world, state);
  struct batch b = {.kind = BATCH_SAMPLES, .window = 3, .n = 6, .seed = 5, .spread = spread, .with_mean = 1,
                    .state = state};
  struct batch_sample *ode, *own;
  batches_submit(batches, &b);
  CHECK_INT(batches_collect(batches, arena, &ode, &d), 6);
  b.surrogate = b.stateless = 1;
  batches_submit(batches, &b);
  CHECK_INT(batches_collect(batches, arena, &own, &d), 6);
  for (int i = 0; i < 6; i++) {
    double off = 0, apart = 0;
    for (int k = 0; k < 2 * s->r->n_dofs; k++) {
      off = fmax(off, fabs(ode[i].end[k] - own[i].end[k]));
      apart = fmax(apart, fabs(ode[i].end[k] - ode[(i + 1) % 6].end[k]));
    }
    CHECK(own[i].good && !own[i].state && ode[i].state);
    CHECK(!memcmp(own[i].u, ode[i].u, (size_t)n * sizeof(double)));
    CHECK(off < 0.5 * apart);
  }
  batches_close(batches);
  arena_free(arena);
  diag_clear(&d);
}

/* Plain sampling too gives the same for one worker and two; it need not succeed with so few samples. */
static void test_plain(struct stage *s)
{
  struct diag d;
  diag_init(&d);
  const struct reference *r = subject_clip(s->arena, &s->walk.in, 0, 1, NULL, &d);
  const struct recording *one = run(s, TRACK_SAMCON, 0, 1, r), *two = run(s, TRACK_SAMCON, 0, 2, r);
  CHECK(same_motion(one->motion, two->motion));
  CHECK(one->windows != NULL);
  CHECK(one->windows[0].n_samples > 0 && one->windows[0].n_saved == 4);
}

/* ---- the judge ---- */

static struct follow_motion *perfect(struct stage *s)
{
  const struct reference *r = s->r;
  struct follow_motion *m = follow_motion_new(s->arena, r);
  m->n_frames = r->first[r->n_windows] + 1;
  size_t frames = (size_t)m->n_frames;
  memcpy(m->q, r->q, frames * (size_t)r->n_dofs * sizeof(double));
  memcpy(m->contact, r->contact, frames * (size_t)r->n_points);
  return m;
}

static const char *verdict(struct stage *s, const struct follow_motion *m)
{
  struct judgement j;
  judge(s->arena, s->r, m, NULL, &j);
  CHECK_INT(j.success, j.fault == NULL);
  return j.fault ? j.fault : "none";
}

static void test_judge(struct stage *s)
{
  struct judge_options o;
  judge_defaults(&o);
  double L = s->walk.creature->height;
  int n = s->r->n_dofs, points = s->r->n_points, last = s->r->first[s->r->n_windows];
  CHECK_STR(verdict(s, perfect(s)), "none");
  struct follow_motion *m = perfect(s);
  m->q[40 * n + 2] -= 1.01 * fall_limits_following.height * L;
  CHECK_STR(verdict(s, m), "height");
  m->q[40 * n + 2] += 0.02 * fall_limits_following.height * L;
  CHECK_STR(verdict(s, m), "none");
  m->q[41 * n + 5] += 1.01 * fall_limits_following.angle;
  CHECK_STR(verdict(s, m), "tilt");
  m = perfect(s);
  m->q[50 * n + 3] -= 1.01 * fall_limits_following.angle; /* the wrong way is no better */
  CHECK_STR(verdict(s, m), "tilt");
  m = perfect(s);
  m->q[20 * n + 1] += 1.01 * o.course * L;
  CHECK_STR(verdict(s, m), "course");
  m = perfect(s);
  memset(m->contact, 0, (size_t)m->n_frames * (size_t)points);
  CHECK_STR(verdict(s, m), "none"); /* a hair above the ground is on it */
  for (int k = 0; k < m->n_frames; k++)
    m->ground[k] = -2 * o.hair * L; /* all of it hovers, by two */
  CHECK_STR(verdict(s, m), "feet down");
  m = perfect(s);
  memset(m->contact, 1, (size_t)m->n_frames * (size_t)points);
  CHECK_STR(verdict(s, m), "feet up");
  m = perfect(s);
  for (int k = 0; k < m->n_frames; k++) /* a leg that swings sideways all the time: feet where they should not be */
    m->q[k * n + creature_find_dof(s->walk.creature, "left_thigh.abduction")] += 0.5;
  CHECK_STR(verdict(s, m), "footholds");
  struct judgement still, sliding; /* feet of the walk stand where they stand; all of it moved sideways, they slide */
  m = perfect(s);
  judge(s->arena, s->r, m, NULL, &still);
  double step = 0.002 * L;
  for (int k = 0; k < m->n_frames; k++)
    m->q[k * n + 1] += step * k;
  judge(s->arena, s->r, m, NULL, &sliding);
  double speed = step / s->r->dt / sqrt(CREATURE_GRAVITY * L);
  CHECK(still.slip < 0.05 * speed);
  CHECK_NEAR(sliding.slip, speed, 0.1 * speed);
  CHECK(still.slide < 0.02 && sliding.slide > 10 * still.slide);
  m = perfect(s);
  m->n_frames = last;
  CHECK_STR(verdict(s, m), "end");
  m = perfect(s);
  m->q[30 * n + 4] = NAN;
  CHECK_STR(verdict(s, m), "tilt");
}

/* Samples so wild that none helps: done again with more of them, for any number of workers alike; and what is told is
 * what is kept, replayed to the bit. */
static void test_harder(struct stage *s)
{
  struct track_options o;
  struct recording *t[2];
  struct diag d;
  diag_init(&d);
  track_defaults(s->walk.creature, TRACK_SAMCON, 1, &o);
  o.samples = 4, o.saved = 1, o.spread = 1.0, o.start_place = 0.05, o.start_velocity = 0.3, o.identify.samples = 110;
  for (int i = 0; i < 2; i++) {
    o.workers = i + 1;
    t[i] = track(s->arena, s->r, &o, &d);
    CHECK(t[i] && d.n_errors == 0 && t[i]->attempts == 2);
  }
  CHECK(same_motion(t[0]->motion, t[1]->motion) && t[0]->samples == t[1]->samples);
  CHECK(same_motion(t[0]->motion, recording_replay(s->arena, t[0], &d)));
  diag_clear(&d);
}

int main(void)
{
  struct stage s = {.arena = arena_new()};
  struct diag d;
  diag_init(&d);
  if (!walk_make(s.arena, 0, &s.walk))
    return 99;
  s.r = subject_clip(s.arena, &s.walk.in, 0, 4, NULL, &d);
  if (!s.r)
    return 99;
  test_judge(&s);
  test_methods(&s);
  test_bits(&s);
  test_harder(&s);
  test_kept_samples(&s);
  test_version_6(&s);
  test_before_limb_contact(&s);
  test_surrogate(&s);
  test_plain(&s);
  arena_free(s.arena);
  return test_finish();
}

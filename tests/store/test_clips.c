/* The run file: its clips, what is known of each, finding them, and what is refused. */
#include "store/run_file.h"

static void fill_record(struct clip_summary *m, struct spacetime_report *p, struct verify_report *v)
{
  *m = (struct clip_summary){.period = 0.5, .stride = 1.5, .speed = 3, .cost_of_transport = NAN, .peak_torque = 0.1,
                             .peak_torque_dof = 7, .peak_force = 2.5, .peak_force_point = 1, .lowest_root = 0.9};
  *p = (struct spacetime_report){.status = SPACETIME_REJECTED, .reason = "too low: 'root' at 20 %", .n_vars = 10,
                                 .n_rows = 20, .seconds = 0.25, .solves = 3, .half_cycle = 1, .cost = -0.0,
                                 .n_history = 400};
  p->nlp = (struct nlp_result){NLP_ACCEPTABLE, 17, 1e-300, INFINITY, 1, 2, 3};
  for (int i = 0; i < 400; i++)
    p->history[i] = (struct spacetime_iteration){i, 1.0 / (i + 3), 1e-3 * i, i % 7 ? 1 : NAN};
  memset(v, 0, sizeof *v);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    v->lines[i] = (struct verify_line){"a bar", i, 2, i, i % 2 ? "left_thigh" : NULL, i <= 2};
}

static void check_record(const struct store_record *r, const struct clip_summary *m, const struct spacetime_report *p)
{
  CHECK(r->summary && r->report);
  if (!r->summary || !r->report)
    return;
  CHECK(r->summary->period == m->period && r->summary->stride == m->stride && r->summary->speed == m->speed);
  CHECK(isnan(r->summary->cost_of_transport) && r->summary->peak_torque == m->peak_torque);
  CHECK(r->summary->peak_torque_dof == 7 && r->summary->peak_force == 2.5 && r->summary->peak_force_point == 1);
  CHECK(r->summary->lowest_root == 0.9);
  CHECK(r->report->status == p->status && r->report->n_vars == 10 && r->report->n_rows == 20);
  CHECK_STR(r->report->reason, p->reason);
  CHECK(r->report->seconds == 0.25 && r->report->solves == 3 && r->report->half_cycle == 1 && r->report->cost == 0);
  CHECK(r->report->nlp.status == NLP_ACCEPTABLE && r->report->nlp.iterations == 17 && r->report->nlp.seconds == 1);
  CHECK(r->report->nlp.objective == 1e-300 && r->report->nlp.infeasibility == INFINITY);
  CHECK(r->report->nlp.seconds_evaluating == 2 && r->report->nlp.seconds_hessian == 3);
  CHECK_INT(r->report->n_history, 400);
  for (int i = 0; i < 400; i++) {
    const struct spacetime_iteration *a = &r->report->history[i], *b = &p->history[i];
    CHECK(a->iteration == i && a->objective == b->objective && a->infeasibility == b->infeasibility);
    CHECK(a->dual_infeasibility == b->dual_infeasibility || (i % 7 == 0 && isnan(a->dual_infeasibility)));
  }
}

static void test_records(void)
{
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 1);
  const struct creature *c = NULL;
  struct clip_summary m;
  struct spacetime_report *p = ARENA_NEW(arena, 1, struct spacetime_report);
  struct verify_report v;
  struct store_record out;
  struct diag d;
  int n = 0;
  diag_init(&d);
  fill_record(&m, p, &v);
  struct store *s = open_hopper(arena, path, &c, &d);
  CHECK(store_add_session(s, &(struct store_session){"muybridge 1", "muybridge gait 'x'", "2026-01-31T12:00:00Z"}, &d));
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 2), &(struct store_record){&m, p, &v}, &d), 2);
  CHECK(store_get_record(arena, s, 2, &out, &d));
  check_record(&out, &m, p);
  CHECK(store_get_record(arena, s, 1, &out, &d) && !out.summary && !out.report && !out.verification);
  const struct store_line *lines = store_list_clips(arena, s, &n, &d);
  CHECK(lines && n == 2 && lines[0].id == 1 && lines[1].id == 2);
  CHECK(!lines[0].has_summary && lines[0].verified == -1 && lines[0].summary.period == 0 && !lines[0].clip.q);
  CHECK(lines[1].has_summary && lines[1].verified == 0 && lines[1].summary.period == 0.5);
  CHECK_STR(lines[1].clip.name, "clip-2");
  CHECK(signbit(lines[1].clip.strafe) && lines[1].clip.from.clip == 2);
  store_close(s);
  check_says(&d, "");
  empty_folder();
  arena_free(arena);
}

/* The same clips make the same file, byte for byte; and a run is one file. */
static void test_same_bytes(void)
{
  struct arena *arena = arena_new();
  const char *a = hopper_run(arena, "a.muy", 4), *b = hopper_run(arena, "b.muy", 4);
  size_t n_a, n_b;
  const char *x = read_bytes(arena, a, &n_a), *y = read_bytes(arena, b, &n_b);
  CHECK(n_a == n_b && n_a > 0 && memcmp(x, y, n_a) == 0);
  CHECK(remove(a) == 0 && remove(b) == 0);
  CHECK(rmdir(folder) == 0); /* nothing else was in it */
  CHECK(mkdir(folder, 0755) == 0);
  arena_free(arena);
}

static void test_refused_clips(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, hopper_run(arena, "a.muy", 2), &c, &d);
  struct clip *k = random_clip(arena, c, 1, 3);
  k->force[4] = NAN;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  check_says(&d, "@/a.muy: error: clip 'clip-3' is not written: it has numbers that are not finite\n");
  k = random_clip(arena, c, 1, 3);
  k->advance.x = INFINITY;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  diag_clear(&d);
  k = random_clip(arena, c, 1, 3);
  k->n_dofs = 5, k->n_frames = 20;
  CHECK(store_add_clip(s, k, NULL, &d) == 0);
  check_says(&d, "@/a.muy: error: clip 'clip-3' has 20 frames, 5 dofs and 2 contact points; the file's creature has 12 "
                 "and 2\n");
  CHECK_INT(store_add_clip(s, random_clip(arena, c, 1, 3), NULL, &d), 3); /* it can go on */
  check_says(&d, "");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

static void test_find(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = NULL;
  struct diag d;
  diag_init(&d);
  struct store *s = open_hopper(arena, in_folder(arena, "a.muy"), &c, &d);
  CHECK_INT(store_find_clip(s, NULL, &d), 0);
  check_says(&d, "@/a.muy: error: there are no clips in this run file\n");
  for (int i = 1; i <= 12; i++) {
    struct clip *k = random_clip(arena, c, 1, i);
    k->name = i == 3 ? "walk" : i == 1 ? "trot" : "gallop";
    CHECK_INT(store_add_clip(s, k, NULL, &d), i);
  }
  CHECK_INT(store_find_clip(s, NULL, &d), 1);
  CHECK_INT(store_find_clip(s, "walk", &d), 3);
  CHECK_INT(store_find_clip(s, "11", &d), 11);
  check_says(&d, "");
  CHECK_INT(store_find_clip(s, "wakl", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 'wakl'; did you mean 'walk'?\n");
  CHECK_INT(store_find_clip(s, "13", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 13; they go from 1 to 12\n");
  CHECK_INT(store_find_clip(s, "hop", &d), 0);
  check_says(&d, "@/a.muy: error: there is no clip 'hop'; allowed are trot, gallop, walk\n");
  CHECK_INT(store_find_clip(s, "gallop", &d), 0);
  check_says(&d, "@/a.muy: error: there are 10 clips 'gallop', the first 2, the last 12; say which by its number\n");
  CHECK(store_get_clip(arena, s, 99, &d) == NULL);
  check_says(&d, "@/a.muy: error: there is no clip 99 in this run file\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

/* A clip that does not fit its columns is an error, not a crash; its neighbours are still there. */
static void test_damaged_clip(void)
{
  static const char *const harms[] = {"n_frames = n_frames - 1", "n_frames = 2000000000", "n_dofs = -12",
                                      "n_points = 3", "q = substr(q, 2)", "q = NULL", "contact = NULL", "dt = 0",
                                      "dt = NULL",
                                      "force = zeroblob(7)", "q = replace(q, substr(q, 1, 8), x'000000000000f87f')"};
  struct arena *arena = arena_new();
  const char *path = hopper_run(arena, "a.muy", 2 + (int)(sizeof harms / sizeof *harms));
  struct diag d;
  diag_init(&d);
  for (size_t i = 0; i < sizeof harms / sizeof *harms; i++)
    harm(path, arena_printf(arena, "UPDATE clip SET %s WHERE id = %d", harms[i], (int)i + 2));
  struct store *s = store_open(arena, path, STORE_READ, &d);
  for (int id = 2; s && id < 2 + (int)(sizeof harms / sizeof *harms); id++) {
    CHECK(store_get_clip(arena, s, id, &d) == NULL);
    check_says(&d, arena_printf(arena, "@/a.muy: error: the file is damaged: clip %d, 'clip-%d', is not whole\n", id,
                                id));
  }
  CHECK(s && store_get_clip(arena, s, 1, &d));
  store_close(s);
  harm(path, "UPDATE creature SET n_dofs = 13");
  s = store_open(arena, path, STORE_READ, &d);
  CHECK(s && store_get_creature(arena, s, &d) == NULL);
  check_says(&d, "@/a.muy: error: the file is damaged: its creature 'hopper' is not the one that was written\n");
  store_close(s);
  empty_folder();
  arena_free(arena);
}

int main(void)
{
  run_begin();
  test_records();
  test_same_bytes();
  test_refused_clips();
  test_find();
  test_damaged_clip();
  return run_finish();
}

/* The synthesis loop: the same run for any number of workers, whatever interrupts it: an end that comes early, a stop,
 * a full disk, another process, SIGKILL at twenty moments. And what it makes is valid and plays. */
#include <errno.h>
#include <sys/prctl.h>
#include <time.h>

#include "policy/controller.h"
#include "policy/performance.h"
#include "search/synth.h"
#include "store/run_file.h"

#define CLIPS 7 /* of the runs that are compared: three steps                          */
#define KILLS 20
#define PATIENCE 3000 /* hundredths of a second until a process that was killed must be gone */

static const char task_text[] = "name = direction\n alpha = 0.3\n"
                                "parameter direction { grid = 72  jump_every = 3  drift_every = 1  drift = 5 }\n";

/* ---- runs ---- */

static struct synth_options options_of(int workers)
{
  struct synth_options o;
  synth_defaults(&o);
  o.proposals = 24; /* enough to find something */
  o.clips = CLIPS;
  o.workers = workers;
  o.farm = workers ? FARM_FORK : FARM_INLINE;
  return o;
}

/* A new run file in which nothing has happened yet. */
static const char *new_run(struct arena *arena, const char *name)
{
  const char *path = in_folder(arena, name), *creatures = getenv("MUYBRIDGE_CREATURES");
  struct synth_options o = options_of(1);
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  CHECK(s && store_put_creature(s, arena_printf(arena, "%s/biped.creature", creatures ? creatures : "creatures"), &d));
  struct store_synth told = {.task = store_put_task_text(s, "direction.task", task_text, strlen(task_text), &d),
                             .seed = o.seed,
                             .strategy = choose_names[o.strategy],
                             .branches = o.branches,
                             .alpha = 0.3,
                             .options = synth_options_text(arena, &o),
                             .state = "running"};
  CHECK(store_put_synth(s, &told, &d));
  store_close(s);
  check_says(&d, "");
  return path;
}

/* Goes on with a run; what went wrong is told. */
static enum synth_end go_on(const char *path, const struct synth_options *o)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_WRITE, &d);
  enum synth_end end = s ? synth_run(s, o, &d) : SYNTH_FAILED;
  CHECK((end == SYNTH_FAILED) == (d.n_errors > 0));
  store_close(s);
  diag_clear(&d);
  arena_free(arena);
  return end;
}

/* ---- all that is in a run file but times and memory, as text ---- */

static uint64_t hash(uint64_t h, const void *bytes, size_t n)
{
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n; i++)
    h = (h ^ p[i]) * 1099511628211u;
  return h;
}

static uint64_t hash_clip(const struct clip *k)
{
  size_t frames = (size_t)k->n_frames, points = frames * (size_t)k->n_points;
  const double numbers[] = {k->dt, k->speed, k->strafe, k->turn, k->advance.x, k->advance.y, k->advance.yaw};
  const int ends[] = {k->cyclic, k->n_frames, k->from.clip, k->from.frame, k->to.clip, k->to.frame};
  uint64_t h = hash(hash(14695981039346656037u, numbers, sizeof numbers), ends, sizeof ends);
  h = hash(hash(hash(h, k->name, strlen(k->name) + 1), k->gait, strlen(k->gait) + 1), k->gait_after,
           strlen(k->gait_after));
  return hash(hash(hash(h, k->q, frames * (size_t)k->n_dofs * sizeof *k->q), k->force, 3 * points * sizeof *k->force),
              k->contact, points);
}

static const char *text_of_attempts(struct arena *arena, struct store *s, struct diag *d)
{
  int n = 0;
  const char *text = "";
  struct store_attempt *list = store_list_attempts(arena, s, -1, &n, d);
  CHECK(list != NULL);
  for (int i = 0; list && i < n; i++) {
    const struct store_attempt *a = &list[i];
    text = arena_printf(arena, "%sattempt %d.%d: %s %d:%d %d:%d %a %d, %d %a %a, %a %a, %s %s '%s'", text, a->iteration,
                        a->place, a->kind, a->from_clip, a->from_frame, a->to_clip, a->to_frame, a->turn, a->frames,
                        a->gait, a->speed, a->strafe, a->gain, a->chance, a->outcome, a->status, a->reason);
    for (int k = 0; k < a->n_clips; k++)
      text = arena_printf(arena, "%s %d", text, a->clips[k]);
    text = arena_printf(arena, "%s\n", text);
  }
  return text;
}

static const char *text_of_steps(struct arena *arena, struct store *s, struct diag *d)
{
  int n = 0;
  const char *text = "";
  struct store_step *list = store_list_steps(arena, s, &n, d);
  CHECK(list != NULL);
  for (int i = 0; list && i < n; i++) {
    text = arena_printf(arena, "%sstep %d: %a %a %a of %d,", text, list[i].iteration, list[i].cost, list[i].lower,
                        list[i].upper, list[i].n_candidates);
    for (int k = 0; k < list[i].n_clips; k++)
      text = arena_printf(arena, "%s %d", text, list[i].clips[k]);
    text = arena_printf(arena, "%s\n", text);
  }
  return text;
}

static const char *text_of_run(struct arena *arena, const char *path)
{
  struct diag d;
  struct store_controller c = {0};
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  const char *text = arena_printf(arena, "%s%s", text_of_attempts(arena, s, &d), text_of_steps(arena, s, &d));
  const struct store_line *lines = store_list_clips(arena, s, &n, &d);
  for (int i = 0; lines && i < n; i++) {
    const struct clip *k = store_get_clip(arena, s, lines[i].id, &d);
    CHECK(k != NULL);
    text = arena_printf(arena, "%sclip %d: %016llx\n", text, lines[i].id, k ? (unsigned long long)hash_clip(k) : 0ull);
  }
  CHECK(store_get_controller(arena, s, 0, &c, &d));
  text = arena_printf(arena, "%scontroller: %a, %d %d %d, %016llx\n", text, c.cost, c.n_clips, c.n_nodes, c.n_segments,
                      (unsigned long long)hash(1, c.bytes, c.n_bytes));
  store_close(s);
  check_says(&d, "");
  return text;
}

/* ---- is it any good? ---- */

/* The cost never rises, and is that of the graph as it was then; and the graph is sound. */
static void check_steps(struct arena *arena, struct store *s, const struct creature *c, const struct task *task,
                        struct diag *d)
{
  int n = 0, n_clips = 0;
  struct graph_clip clips[64];
  struct store_step *steps = store_list_steps(arena, s, &n, d);
  CHECK(steps && n > 2);
  for (int i = 0; steps && i < n; i++) {
    for (int k = 0; k < steps[i].n_clips; k++, n_clips++)
      clips[n_clips] = (struct graph_clip){steps[i].clips[k], store_get_clip(arena, s, steps[i].clips[k], d), NULL};
    const struct controller *now =
        controller_new(arena, &(struct graph_input){c, "a", n_clips, clips, 0, NULL}, task, NULL, d);
    CHECK(now && now->graph->n_left_out == 0);
    CHECK_NEAR(now ? now->cost : NAN, steps[i].cost, 1e-3 * fabs(steps[i].cost));
    CHECK(i == 0 || steps[i].cost <= steps[i - 1].cost);
    CHECK(i != n - 1 || (now && graph_check(now->graph, d) == 0));
  }
  CHECK(n_clips >= CLIPS && steps[n - 1].cost < 0.6 * steps[0].cost);
}

static void check_clips(struct arena *arena, struct store *s, const struct creature *c, struct diag *d)
{
  int n = 0;
  const struct store_line *lines = store_list_clips(arena, s, &n, d);
  for (int i = 0; lines && i < n; i++) {
    struct verify_report v;
    verify_clip(arena, c, store_get_clip(arena, s, lines[i].id, d), &v);
    CHECK(v.passed);
  }
}

/* A minute of chance is one valid motion. */
static void check_play(struct arena *arena, struct store *s, const struct creature *c, const struct task *task,
                       struct diag *d)
{
  struct store_controller kept = {0};
  char why[160] = "";
  CHECK(store_get_controller(arena, s, 0, &kept, d));
  struct muy_player_controller *player = muy_player_load_memory(kept.bytes, kept.n_bytes, why, sizeof why);
  CHECK_STR(why, "");
  if (!player)
    return;
  struct performance_request r = {.task = task, .player = player, .seconds = 60, .seed = 1};
  const struct performance *p = performance_play(arena, &r, d);
  CHECK(p != NULL);
  if (p) {
    struct verify_report v;
    verify_clip(arena, c, p->motion, &v);
    CHECK(v.passed && p->motion->n_frames > 60 * 30);
    CHECK_NEAR(p->cost, kept.cost, 0.5 * kept.cost);
  }
  muy_player_unload(player);
}

static void check_result(const char *path)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  const struct creature *c = store_get_creature(arena, s, &d);
  const struct task_file *file = task_parse(arena, "direction.task", task_text, strlen(task_text), &d);
  const struct task *task = task_bind(arena, file, c, &d);
  check_steps(arena, s, c, task, &d);
  check_clips(arena, s, c, &d);
  check_play(arena, s, c, task, &d);
  store_close(s);
  check_says(&d, "");
  arena_free(arena);
}

/* ---- workers ---- */

/* The text of a run that nothing disturbs, for all that follows. */
static const char *test_workers(struct arena *arena)
{
  static const int workers[] = {0, 1, 2, 8}; /* 0: in this process */
  const char *first = NULL;
  for (int i = 0; i < 4; i++) {
    const char *path = new_run(arena, arena_printf(arena, "w%d.muy", workers[i]));
    struct synth_options o = options_of(workers[i]);
    CHECK_INT(go_on(path, &o), SYNTH_CLIPS);
    const char *text = text_of_run(arena, path);
    if (i == 0)
      check_result(path);
    else
      CHECK_STR(text, first);
    first = first ? first : text;
  }
  return first;
}

/* Another seed is another run. */
static void test_seed(struct arena *arena, const char *expected)
{
  const char *path = new_run(arena, "seed.muy");
  struct synth_options o = options_of(2);
  o.seed = 2;
  o.clips = 2;
  CHECK_INT(go_on(path, &o), SYNTH_CLIPS);
  CHECK(strncmp(text_of_run(arena, path), expected, 400) != 0);
}

/* ---- ends, stops and errors: one run, interrupted by all of them ---- */

static double ticking_clock(void)
{
  static double seconds;
  return seconds += 1;
}

/* Stops when it is told something for the n-th time, and looks at what it is told. */
struct watcher {
  int n, until, last_iteration;
  double last_cost;
};

static int watch(void *user, const struct synth_progress *p)
{
  struct watcher *w = user;
  if (!p->words)
    return w->n < w->until;
  CHECK(p->iteration >= w->last_iteration && p->solved >= (p->iteration > 0) && p->failed >= 0 && p->seconds >= 0 &&
        *p->words);
  CHECK(p->n_clips == 0 || p->cost <= p->first_cost);
  CHECK(p->iteration <= 1 || p->cost <= w->last_cost);
  w->last_iteration = p->iteration;
  w->last_cost = p->cost;
  return ++w->n < w->until;
}

/* Stopped after every single attempt, it goes on as if nothing had been. */
static void test_stops(struct arena *arena, const char *expected)
{
  const char *path = new_run(arena, "stops.muy");
  struct synth_options o = options_of(1);
  struct watcher w;
  enum synth_end end = SYNTH_STOPPED;
  int n = 0;
  o.progress = watch;
  o.user = &w;
  for (; n < 40 && end == SYNTH_STOPPED; n++) {
    w = (struct watcher){.until = n == 0 ? 2 : 3, .last_cost = INFINITY}; /* the gait; looking, one attempt */
    end = go_on(path, &o);
  }
  CHECK(end == SYNTH_CLIPS && n > 6);
  CHECK_STR(text_of_run(arena, path), expected);
}

/* Out of time wherever it is, in the middle of steps too, it goes on as if nothing had been. */
static void test_budgets(struct arena *arena, const char *expected)
{
  const char *path = new_run(arena, "budgets.muy");
  struct synth_options o = options_of(2);
  enum synth_end end = SYNTH_BUDGET;
  int n = 0, in_steps = 0;
  o.clock = ticking_clock;
  for (; n < 60 && end == SYNTH_BUDGET; n++) {
    o.budget = 5 + 4 * n;
    end = go_on(path, &o);
    struct arena *own = arena_new();
    struct diag d;
    diag_init(&d);
    struct store *s = store_open(own, path, STORE_READ, &d);
    int n_steps = 0, unfinished = 0;
    CHECK(store_list_steps(own, s, &n_steps, &d) && store_list_attempts(own, s, n_steps, &unfinished, &d));
    in_steps += end == SYNTH_BUDGET && unfinished > 0;
    store_close(s);
    diag_clear(&d);
    arena_free(own);
  }
  CHECK(end == SYNTH_CLIPS && n > 3 && in_steps > 0);
  CHECK_STR(text_of_run(arena, path), expected);
}

static int full_disk(const char *path)
{
  struct synth_options o = options_of(1);
  struct stat about;
  CHECK(stat(path, &about) == 0);
  limit_files((rlim_t)about.st_size + 8192);
  CHECK_INT(go_on(path, &o), SYNTH_FAILED);
  return 0;
}

static int race(const char *path)
{
  struct synth_options o = options_of(1);
  go_on(path, &o); /* to its end, or to an error that says that another is at it */
  return 0;
}

static void race_twice(const char *path)
{
  pid_t other = fork();
  if (other == 0)
    _exit(race(path));
  race(path);
  CHECK(other > 0 && waitpid(other, NULL, 0) == other);
}

static void test_ends(struct arena *arena, const char *expected)
{
  const char *path = new_run(arena, "ends.muy");
  struct synth_options o = options_of(2);
  struct watcher w = {.last_cost = INFINITY};
  o.clock = ticking_clock;
  o.budget = 0.5;
  CHECK_INT(go_on(path, &o), SYNTH_BUDGET);
  o = options_of(2);
  o.progress = watch;
  o.user = &w;
  static const int stops[] = {1, 2};
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    w = (struct watcher){.until = stops[i], .last_cost = INFINITY};
    CHECK_INT(go_on(path, &o), SYNTH_STOPPED);
  }
  o = options_of(2);
  o.target = 1.2;
  CHECK_INT(go_on(path, &o), SYNTH_TARGET);
  CHECK_INT(go_on(path, &o), SYNTH_TARGET); /* at once */
  in_child(full_disk, path);
  race_twice(path);
  o.target = -INFINITY;
  CHECK_INT(go_on(path, &o), SYNTH_CLIPS);
  CHECK_STR(text_of_run(arena, path), expected);
  o.clips = 0;
  o.least_gain = 2; /* nothing is ever enough */
  CHECK_INT(go_on(path, &o), SYNTH_GAIN);
  check_result(path);
}

/* A run file without a synthesis is an error that is told. */
static void test_nothing(struct arena *arena)
{
  const char *path = hopper_run(arena, "hopper.muy", 1);
  struct synth_options o = options_of(1);
  CHECK_INT(go_on(path, &o), SYNTH_FAILED);
}

static void test_options(struct arena *arena)
{
  struct synth_options o = options_of(1), back = options_of(1);
  o.strategy = CHOOSE_UNIFORM, o.branches = 12, o.proposals = 7, o.solves = 3, o.job_seconds = 0.1, o.clips = 9;
  CHECK(synth_options_read(synth_options_text(arena, &o), &back));
  CHECK(back.strategy == CHOOSE_UNIFORM && back.branches == 12 && back.proposals == 7 && back.solves == 3 &&
        back.job_seconds == 0.1);
  CHECK(back.clips == 9 && back.target == -INFINITY);
  o.target = 0.1;
  CHECK(synth_options_read(synth_options_text(arena, &o), &back) && back.target == 0.1);
  CHECK(synth_options_read("strategy=guided branches=8 proposals=1 solves=1 pulls=1 job_seconds=1 clips=1 target=1",
                           &back) &&
        back.task_gradients == 1);
  CHECK(synth_options_read("strategy=guided branches=8 proposals=1 solves=1 job_seconds=1 clips=1 target=1", &back) &&
        back.task_gradients == 0); /* as it was written before there were any */
  CHECK(!synth_options_read("", &back) &&
        !synth_options_read("strategy=clever branches=8 proposals=1 solves=1 pulls=0 job_seconds=1 clips=1 target=1",
                            &back));
  CHECK(!synth_options_read("strategy=guided branches=7 proposals=1 solves=1 pulls=0 job_seconds=1 clips=1 target=1",
                            &back));
  CHECK(!synth_options_read("strategy=guided branches=8 proposals=1 solves=65 pulls=0 job_seconds=1 clips=1 target=1",
                            &back));
}

/* ---- killed at any instant ---- */

static void pause_for(long microseconds)
{
  nanosleep(&(struct timespec){microseconds / 1000000, 1000 * (microseconds % 1000000)}, NULL);
}

/* Waits for all processes of a group, whose orphans are ours to bury. 0: some are still there after a long time. */
static int all_gone(pid_t group)
{
  for (int i = 0; i < PATIENCE; i++) {
    pid_t one = waitpid(-group, NULL, WNOHANG);
    if (one < 0 && errno == ECHILD)
      return 1;
    if (one == 0)
      pause_for(10000);
  }
  return 0;
}

/* Waits until a process writes or ends, that is, until there is a journal beside the run file. */
static void await_write(const char *journal, pid_t child)
{
  siginfo_t ended = {0};
  while (access(journal, F_OK) != 0 && waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         !ended.si_pid)
    pause_for(100);
}

/* Goes on with a run in a process of its own, and kills that so long after its start, or after the start of a write; 1
 * if it came to its end before. */
static int killed_run(const char *path, int workers, long microseconds, const char *journal)
{
  int status = 0;
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    struct synth_options o = options_of(workers);
    setpgid(0, 0);
    test_failures = 0;
    _exit(go_on(path, &o) == SYNTH_CLIPS && !test_failures ? 0 : 1);
  }
  setpgid(child, child);
  if (journal)
    await_write(journal, child);
  pause_for(microseconds);
  CHECK(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
  CHECK(all_gone(child));
  CHECK(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return WIFEXITED(status);
}

static void test_kill(struct arena *arena, const char *expected)
{
  struct rng r = rng_stream((uint64_t)getpid(), 0); /* other moments each time */
  int kills = 0, runs = 0, journals = 0;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  while (kills < KILLS) {
    const char *path = new_run(arena, arena_printf(arena, "k%d.muy", ++runs)),
               *journal = arena_printf(arena, "%s-journal", path);
    struct synth_options o = options_of(1);
    int ended = 0;
    for (int i = 0; i < 10 && kills < KILLS && !ended; i++) {
      int writing = i % 2 && access(journal, F_OK) != 0;
      ended = killed_run(path, 1 + kills % 2, rng_below(&r, writing ? 2000 : 600000), writing ? journal : NULL);
      kills += !ended;
      journals += access(journal, F_OK) == 0;
    }
    if (!ended)
      CHECK_INT(go_on(path, &o), SYNTH_CLIPS);
    CHECK_STR(text_of_run(arena, path), expected);
  }
  fprintf(stderr, "%d kills of %d runs, %d writes cut short\n", kills, runs, journals);
}

/* ---- workers that are killed ---- */

/* A process of a group other than its leader, at random; 0 if there are fewer than two: a worker without a job. */
static pid_t some_worker(pid_t group, struct rng *r)
{
  DIR *all = opendir("/proc");
  pid_t found[64];
  int n = 0;
  for (struct dirent *e; all && (e = readdir(all)) && n < 64;) {
    pid_t pid = (pid_t)atoi(e->d_name);
    if (pid > 0 && pid != group && getpgid(pid) == group)
      found[n++] = pid;
  }
  if (all)
    closedir(all);
  return n < 2 ? 0 : found[rng_below(r, n)];
}

/* As when a machine runs out of memory: it is no fault of the job, and nothing is different in the end. */
static void test_lost(struct arena *arena, const char *expected)
{
  const char *path = new_run(arena, "lost.muy");
  struct rng r = rng_stream((uint64_t)getpid(), 1);
  int status = 0, kills = 0;
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    struct synth_options o = options_of(1);
    setpgid(0, 0);
    _exit(go_on(path, &o) == SYNTH_CLIPS ? 0 : 1);
  }
  setpgid(child, child);
  while (kills < 5 && waitpid(child, &status, WNOHANG) == 0) {
    pause_for(1000 + rng_below(&r, 150000));
    pid_t worker = some_worker(child, &r);
    kills += worker && kill(worker, SIGKILL) == 0;
  }
  CHECK(kills == 5 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(all_gone(child));
  CHECK_STR(text_of_run(arena, path), expected);
}

int main(void)
{
  struct arena *arena = arena_new();
  run_begin();
  test_options(arena);
  test_nothing(arena);
  const char *expected = test_workers(arena);
  test_seed(arena, expected);
  test_stops(arena, expected);
  test_budgets(arena, expected);
  test_ends(arena, expected);
  test_kill(arena, expected);
  test_lost(arena, expected);
  empty_folder();
  arena_free(arena);
  return run_finish();
}

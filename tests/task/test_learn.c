/* The user model learned from logs. Logs that are drawn from a known task give that task back, within the standard
 * errors that are claimed, and these are of the right size; little data changes little; gestures are one change; bad
 * logs are refused with exact words; what is written is a task that reads as what was learned. Seeds are fixed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "check.h"
#include "task/learn.h"
#include "task/task.h"
#include "zoo.h"

#define PI     3.14159265358979323846
#define DEGREE (PI / 180.0)

static struct arena *arena;

static const struct gait gaits[] = {{.name = "walk", .speed_min = 1, .speed_max = 3},
                                    {.name = "trot", .speed_min = 2, .speed_max = 6},
                                    {.name = "pace", .speed_min = 2, .speed_max = 6}};
static const struct creature beast = {.name = "beast", .n_gaits = 3, .n_motions = 3, .gaits = gaits, .height = 1,
                                     .frame_rate = 50};

/* A task of the beast; the file, too. */
static const struct task *task(const char *text, const struct task_file **file)
{
  struct diag d;
  diag_init(&d);
  *file = task_parse(arena, "text", text, strlen(text), &d);
  const struct task *t = *file ? task_bind(arena, *file, &beast, &d) : NULL;
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  diag_clear(&d);
  if (!t)
    exit(test_finish());
  return t;
}

/* ---- logs of a user that is known ---- */

static void put_change(FILE *out, const struct task_parameter *p, double time, double theta)
{
  fprintf(out, "%.6f,%s,", time, p->kind->name);
  if (p->names)
    fprintf(out, "%s\n", p->names[(int)theta]);
  else
    fprintf(out, "%.9g\n", theta / p->kind->scale);
}

static const struct task_log *parse(const char *name, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct task_log *log = task_log_parse(arena, name, text, strlen(text), &d);
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  diag_clear(&d);
  if (!log)
    exit(test_finish());
  return log;
}

/* So many seconds of the task's own user. */
static const struct task_log *drawn(const struct task *t, double seconds, uint64_t seed)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  double theta[8];
  task_initial(t, theta);
  fprintf(out, "# muybridge log 1\n# task %s creature %s\n# seconds %g\n", t->name, t->creature->name, seconds);
  for (int p = 0; p < t->n_parameters; p++)
    put_change(out, &t->parameters[p], 0, theta[p]);
  struct rng rng = rng_stream(seed, 0);
  for (int k = 1; k * t->dt < seconds; k++)
    for (int p = 0; p < t->n_parameters; p++) {
      double next = task_sample(t, p, theta[p], &rng);
      if (next != theta[p])
        put_change(out, &t->parameters[p], k * t->dt, next);
      theta[p] = next;
    }
  fclose(out);
  const struct task_log *log = parse("drawn", text);
  free(text);
  return log;
}

static const struct task_learned *learn(const struct task_file *file, const struct task *t, const struct task_log *log,
                                        double settle)
{
  struct task_learn_options o = {settle};
  struct diag d;
  diag_init(&d);
  const struct task_log **logs = ARENA_NEW(arena, 1, const struct task_log *);
  logs[0] = log;
  const struct task_learned *l = task_learn(arena, file, t, 1, logs, &o, &d);
  char *messages = diag_text(&d);
  CHECK_STR(messages, "");
  free(messages);
  diag_clear(&d);
  if (!l)
    exit(test_finish());
  return l;
}

/* What was learned as text, for the caller to free; and as a task again. */
static char *written(const struct task_learned *l)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  CHECK(task_learned_write(l, out) == 0);
  fclose(out);
  return text;
}

static const struct task *read_back(const struct task_learned *l)
{
  const struct task_file *file;
  char *text = written(l);
  const struct task *t = task(text, &file);
  free(text);
  return t;
}

/* ---- recovery ---- */

/* Deviations of the logarithms of jump_every, drift_every, drift, in standard errors. */
struct score { double squares[3]; int n; };

static void count(struct score *s, const struct task_learned_parameter *x, const struct task *t, int p)
{
  const struct task_parameter *q = &t->parameters[p];
  double z[3] = {log(x->jump_every * q->jump / t->dt) * x->jump_every / x->jump_every_error, 0, 0};
  if (q->drift > 0) {
    z[1] = log(x->drift_every * q->drift / t->dt) * x->drift_every / x->drift_every_error;
    z[2] = log(x->drift / q->width) * x->drift / x->drift_error;
  }
  for (int k = 0; k < 3; k++) {
    CHECK(fabs(z[k]) < 4);
    s->squares[k] += z[k] * z[k];
  }
  s->n++;
}

/* Many logs, each learned from the plain task `base`: deviations are within standard errors, which are neither too
 * small nor too large. parts: how many weights each must have. */
static void check_recovery(const char *truth, const char *base, uint64_t first_seed, double seconds, int parts)
{
  enum { LOGS = 16 };
  const struct task_file *file;
  const struct task *t = task(truth, &file);
  struct score s = {{0}, 0};
  for (int i = 0; i < LOGS; i++) {
    const struct task_log *log = drawn(t, seconds, first_seed + (uint64_t)i);
    const struct task *b = task(base, &file);
    const struct task_learned *l = learn(file, b, log, 0);
    count(&s, &l->parameters[0], t, 0);
    CHECK_INT(l->parameters[0].n_weights, parts);
    CHECK_NEAR(l->parameters[0].jumps + l->parameters[0].drifts, l->parameters[0].n_changes, 1e-6);
    CHECK_NEAR(l->parameters[0].seconds, seconds, 1e-9);
  }
  for (int k = 0; k < (t->parameters[0].drift > 0 ? 3 : 1); k++) { /* means of s.n chi-squares, within five errors */
    CHECK(s.squares[k] / s.n < 1 + 5 * sqrt(2.0 / s.n));
    CHECK(s.squares[k] / s.n > 0.2);
  }
}

static void test_recovery(void)
{
  check_recovery("name = t parameter direction { jump_every = 3 drift_every = 1 drift = 5 }",
                 "name = t parameter direction { jump_every = 3 drift_every = 1 drift = 5 }", 100, 600, 0);
  check_recovery("name = t parameter torso { jump_every = 9 drift_every = 4 drift = 12 }",
                 "name = t parameter torso { }", 200, 1200, 0);
  check_recovery("name = t parameter speed { unit = m/s range = {1, 3} jump_every = 5 drift_every = 2 drift = 0.05 }",
                 "name = t parameter speed { unit = m/s range = {1, 3} }", 300, 800, 0);
  check_recovery("name = t parameter gait { jump_every = 5 }", "name = t parameter gait { }", 400, 600, 0);
  check_recovery("name = t parameter speed { values = {0, 0.5, 1} jump_every = 3 }",
                 "name = t parameter speed { values = {0, 0.5, 1} }", 500, 600, 0);
  check_recovery("name = t parameter gait { jump_every = 3 jump_weights = {8, 1, 1} }", "name = t parameter gait { }",
                 600, 900, 3);
}

/* The laws of jumps, by the chain that comes of the written file: as the truth's, but for what such a log can say. */
static void check_law(const char *truth, const char *base, double seconds, double tolerance)
{
  const struct task_file *file;
  const struct task *t = task(truth, &file), *b = task(base, &file);
  const struct task_learned *l = learn(file, b, drawn(t, seconds, 5), 0);
  const struct task *again = read_back(l);
  const struct task_parameter *p = &again->parameters[0];
  const double *K = task_chain(arena, t, 0), *L = task_chain(arena, again, 0), *B = task_chain(arena, b, 0);
  double off = 0, before = 0;
  CHECK_INT(p->n, t->parameters[0].n);
  CHECK_NEAR(p->jump, again->dt / l->parameters[0].jump_every, 1e-3 * p->jump);
  CHECK_NEAR(p->width, l->parameters[0].drift, 1e-3 * p->width);
  CHECK_INT(p->n_weights, l->parameters[0].n_weights);
  CHECK(p->n_weights > 0);
  for (int k = 0; k < p->n * p->n; k++) { /* total variation of a frame, all rows, against the chance of a change */
    off += 0.5 * fabs(L[k] - K[k]);
    before += 0.5 * fabs(B[k] - K[k]);
  }
  off /= p->n * (t->parameters[0].jump + t->parameters[0].drift);
  before /= p->n * (t->parameters[0].jump + t->parameters[0].drift);
  CHECK(off < tolerance);
  CHECK(before > 2 * tolerance);
}

static void test_laws(void)
{
  check_law("name = t parameter direction { grid = 72 jump_every = 2 drift_every = 4 drift = 3\n"
            "  jump_weights = {0, 0, 8, 0, 1, 0, 4, 0} }", "name = t parameter direction { grid = 72 }", 1500, 0.12);
  check_law("name = t parameter speed { grid = 9 jump_every = 2 drift_every = 6 drift = 0.04\n"
            "  jump_weights = {6, 0, 0, 2} }", "name = t parameter speed { grid = 9 jump_every = 4 }", 1500, 0.12);
  check_law("name = t parameter gait { jump_every = 3 jump_weights = {8, 2, 1} }", "name = t parameter gait { }", 2000,
            0.12);
}

/* ---- little data, gestures ---- */

static void test_little(void)
{
  const struct task_file *file;
  const struct task *t = task("name = t parameter direction { jump_every = 3 drift_every = 1 drift = 5 }", &file);
  const struct task_log *log = parse("short", "# muybridge log 1\n# task t creature beast\n# seconds 0.5\n"
                                              "0,direction,0\n");
  const struct task_learned_parameter *x = &learn(file, t, log, 0)->parameters[0];
  CHECK_INT(x->n_changes, 0);
  CHECK_NEAR(x->jump_every, 3.5, 1e-9); /* one event of the task's, and half a second without any */
  CHECK_NEAR(x->drift_every, 1.5, 1e-9);
  CHECK_NEAR(x->drift, 5 * DEGREE, 1e-9);
  CHECK_NEAR(x->jump_every_error, 3.5, 1e-9);
  CHECK_INT(x->n_weights, 0);
}

/* A slider drawn from 1 to 2 m/s in 30 lines, twice in 10 s, and back at once. */
static void test_gestures(void)
{
  const struct task_file *file;
  const struct task *t = task("name = t parameter speed { unit = m/s range = {1, 3} }", &file);
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  fprintf(out, "# muybridge log 1\r\n# task t creature beast\r\n# seconds 10\r\n0,speed,1\r\n");
  for (int gesture = 0; gesture < 2; gesture++) {
    for (int k = 1; k <= 30; k++)
      fprintf(out, "%g,speed,%g\r\n", 2 + 4 * gesture + k / 60.0, 1 + k / 30.0);
    fprintf(out, "%g,speed,1\r\n", 4.0 + 4 * gesture);
  }
  fclose(out);
  const struct task_learned_parameter *one = &learn(file, t, parse("slider", text), 0.1)->parameters[0];
  CHECK_INT(one->n_changes, 4);
  CHECK(one->jumps > 3.9);
  CHECK_NEAR(one->seconds, 10 - 2 * (29 / 60.0) - 4 * 0.1, 1e-5);
  const struct task_learned_parameter *many = &learn(file, t, parse("slider", text), 0)->parameters[0];
  CHECK_INT(many->n_changes, 62);
  CHECK(many->drifts > 55 && many->drift < 0.1);
  CHECK_NEAR(many->seconds, 10, 1e-9);
  free(text);
}

/* As fast as lines come: still a task that can be bound. */
static void test_restless(void)
{
  const struct task_file *file;
  const struct task *t = task("name = t parameter direction { }", &file);
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  fprintf(out, "# muybridge log 1\n# task t creature beast\n# seconds 20\n0,direction,0\n");
  for (int k = 1; k < 4000; k++)
    fprintf(out, "%g,direction,%d\n", k / 200.0, k * 37 % 360);
  fclose(out);
  const struct task *again = read_back(learn(file, t, parse("restless", text), 0));
  CHECK(again->parameters[0].jump + again->parameters[0].drift < 0.51);
  read_back(learn(file, t, parse("restless", text), 0.1)); /* one gesture of 20 s: nothing is left to learn from */
  free(text);
}

/* ---- the file ---- */

static void test_text(void)
{
  const struct task_file *file;
  const struct task *t = task("name = \"a \\\"b\\\"\" summary = two alpha = 0.2\n"
                              "parameter speed { weight = 2 unit = m/s range = {1, 3} jump_every = 7 }\n"
                              "parameter gait { gaits = {walk, pace} }\n"
                              "parameter torso { jump_every = 2 jump_weights = {1, 2, 3, 4} grid = 36 }", &file);
  const struct task_log *log = parse("evil\nname = x", "# muybridge log 1\n# task a \"b\" creature beast\n# seconds 8\n"
                                                       "0,gait,walk\n0,torso,0\n1,gait,pace\n3,gait,walk\n");
  struct task_learn_options o = {0};
  const struct task_log *logs[] = {log};
  struct diag d;
  diag_init(&d);
  const struct task_learned *l = task_learn(arena, file, t, 1, logs, &o, &d);
  char *messages = diag_text(&d), *text = l ? written(l) : NULL;
  CHECK_STR(messages, "text: warning: no log has parameter 'speed': it stays as it is in the task\n");
  CHECK_STR(text, "# Task 'a \"b\"' with a user as people are, learned by muybridge task --learn from 8 s of 1 log\n"
                  "# with creature 'beast'; +- are standard errors. doc/task-format.md, \"Learned from people\"\n"
                  "#   8 s, 4 lines: evil?name = x\n"
                  "name    = \"a \\\"b\\\"\"\n"
                  "summary = two\n"
                  "alpha   = 0.2\n"
                  "\n"
                  "parameter speed {\n"
                  "  weight       = 2\n"
                  "  unit         = \"m/s\"\n"
                  "  range        = {1, 3}\n"
                  "  # no log has it: as it was\n"
                  "  jump_every   = 7\n"
                  "}\n"
                  "\n"
                  "parameter gait {\n"
                  "  gaits        = {walk, pace}\n"
                  "  jump_every   = 5.333     # +- 3.1 s: 2.0 of 2 changes in 8 s\n"
                  "}\n"
                  "\n"
                  "parameter torso {\n"
                  "  grid         = 36\n"
                  "  jump_every   = 10        # +- 10 s: 0.0 of 0 changes in 8 s\n"
                  "  drift_every  = 9         # +- 9 s: the other 0.0\n"
                  "  drift        = 5         # +- 3.5 degrees\n"
                  "  jump_weights = {1, 2, 3, 4}\n"
                  "}\n");
  free(messages);
  free(text);
  diag_clear(&d);
  if (l)
    read_back(l);
  FILE *full = fopen("/dev/full", "w");
  if (full && l) {
    CHECK(task_learned_write(l, full) == 1);
    fclose(full);
  }
}

/* ---- bad logs ---- */

static const struct creature *biped;

static void check_bad(const char *name)
{
  static const char text[] = "name = \"direction and gait\" parameter direction { } parameter gait { }";
  struct task_learn_options o;
  struct diag d;
  char path[300];
  snprintf(path, sizeof path, "bad/%s", name);
  diag_init(&d);
  task_learn_defaults(&o);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  const struct task *t = task_bind(arena, file, biped, &d);
  const struct task_log *log = task_log_load(arena, path, &d);
  CHECK(!log || !task_learn(arena, file, t, 1, &log, &o, &d));
  bad_files_compare(name, "", &d);
}

static void test_bad(void)
{
  struct diag d;
  diag_init(&d);
  biped = zoo_find(arena, "biped");
  CHECK(!task_log_load(arena, "nowhere.csv", &d) && d.n_errors == 1);
  CHECK(!task_log_parse(arena, "zeros", "# muybridge log 1\n\0", 19, &d) && d.n_errors == 2);
  diag_clear(&d);
  if (bad_files_enter("tests/task"))
    bad_files_each(".csv", 12, check_bad);
}

int main(void)
{
  arena = arena_new();
  test_recovery();
  test_laws();
  test_little();
  test_gestures();
  test_restless();
  test_text();
  test_bad();
  arena_free(arena);
  return test_finish();
}

/* Task files: what good ones mean, in numbers worked out by hand, what is said about bad ones, to the letter, and what
 * frames cost. Data: bad/x.task, loaded and then bound to the biped, must give the messages of bad/x.expected. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "motion/features.h"
#include "task/task.h"

#define PI     3.14159265358979323846
#define DEGREE (PI / 180.0)

static struct arena *arena;

static const struct creature *creature(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, arena_printf(arena, "../../creatures/%s.creature", name), &d);
  CHECK(c != NULL);
  diag_clear(&d);
  if (!c)
    exit(test_finish());
  return c;
}

/* A text that must be a task of this creature; its messages must be these. */
static const struct task *task(const char *text, const struct creature *c, const char *messages)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  const struct task *t = file ? task_bind(arena, file, c, &d) : NULL;
  char *found = diag_text(&d);
  CHECK_STR(found, messages);
  CHECK(t != NULL);
  free(found);
  diag_clear(&d);
  if (!t)
    exit(test_finish());
  return t;
}

/* ---- what good files mean ---- */

static void test_defaults(void)
{
  const struct creature *c = creature("horse"); /* 100 frames a second */
  const struct task *t = task("parameter direction { }", c, "");
  const struct task_parameter *p = &t->parameters[0];
  CHECK_STR(t->name, "text");
  CHECK_STR(t->summary, "");
  CHECK_NEAR(t->alpha, 0.3, 0);
  CHECK_NEAR(t->dt, 1 / 100.0, 1e-17);
  CHECK(t->creature == c);
  CHECK_INT(t->n_parameters, 1);
  CHECK_STR(p->kind->name, "direction");
  CHECK_INT(p->kind->relative, 1);
  CHECK_INT(p->n, 72);
  for (int i = 0; i < 72; i++)
    CHECK_NEAR(p->values[i], 5 * i * DEGREE, 1e-14);
  CHECK_NEAR(p->weight, 1, 0);
  CHECK_NEAR(p->jump, 1 / 300.0, 1e-17);
  CHECK_NEAR(p->drift, 1 / 100.0, 1e-17);
  CHECK_NEAR(p->width, 5 * DEGREE, 1e-16);
  CHECK_INT((long)task_points(t), 72);
}

static void test_given(void)
{
  const struct creature *c = creature("horse");
  const struct task *t = task("name = \"n\" summary = \"s\" alpha = 1\n"
                              "parameter gait { gaits = {trot, walk} jump_every = 5 weight = 2 }\n"
                              "parameter torso { weight = 3 power = 2 grid = 8 jump_every = never drift_every = 0.5 "
                              "drift = 20 }\n"
                              "parameter direction { drift_every = never jump_every = 1 }",
                              c, "");
  CHECK_STR(t->name, "n");
  CHECK_STR(t->summary, "s");
  CHECK_NEAR(t->alpha, 1, 0);
  CHECK_INT(t->n_parameters, 3);
  const struct task_parameter *gait = &t->parameters[0], *torso = &t->parameters[1], *direction = &t->parameters[2];
  CHECK_INT(gait->n, 2);
  CHECK_NEAR(gait->values[0], creature_find_gait(c, "trot"), 0);
  CHECK_STR(gait->names[1], "walk");
  CHECK(gait->names[2] == NULL);
  CHECK_NEAR(gait->jump, 1 / 500.0, 1e-17);
  CHECK_NEAR(gait->drift, 0, 0);
  CHECK_NEAR(gait->weight, 2, 0);
  CHECK_NEAR(torso->weight, 3, 0);
  CHECK_NEAR(torso->power, 2, 0);
  CHECK_INT(torso->n, 8);
  CHECK_NEAR(torso->jump, 0, 0);
  CHECK_NEAR(torso->drift, 1 / 50.0, 1e-17);
  CHECK_NEAR(torso->width, 20 * DEGREE, 1e-16);
  CHECK_INT(direction->n, 24); /* of three parameters */
  CHECK_NEAR(direction->drift, 0, 0);
  CHECK_INT((long)task_points(t), 2 * 8 * 24);
  CHECK_INT(task_find(t, "torso"), 1);
  CHECK_INT(task_find(t, "speed"), -1);
}

/* The horse walks at 1.0 to 1.8 m/s, all its gaits do 1.0 to 13. */
static void test_speed(void)
{
  const struct creature *c = creature("horse");
  double natural = sqrt(9.81 * c->height);
  const struct task_parameter *p = task("parameter speed { }", c, "")->parameters;
  CHECK_INT(p->n, 17);
  CHECK_NEAR(p->values[0], 1.0, 0);
  CHECK_NEAR(p->values[8], 1.4, 1e-15);
  CHECK_NEAR(p->values[16], 1.8, 0);
  CHECK_NEAR(p->width, 0.05 * 0.8, 1e-15);
  CHECK_NEAR(p->unit, natural, 1e-15);
  p = task("parameter speed { gait = all range = {0.25, 0.5} drift = 0.01 grid = 2 }", c, "")->parameters;
  CHECK_NEAR(p->least, 1 + 12 * 0.25, 1e-14);
  CHECK_NEAR(p->values[1], 1 + 12 * 0.5, 1e-14);
  CHECK_NEAR(p->width, 0.12, 1e-15);
  p = task("parameter speed { gait = trot }", c, "")->parameters;
  CHECK_NEAR(p->least, 2.2, 0);
  CHECK_NEAR(p->most, 5.0, 0);
  p = task("parameter speed { unit = natural range = {0.5, 1} drift = 0.1}", c, "")->parameters;
  CHECK_NEAR(p->least, 0.5 * natural, 1e-15);
  CHECK_NEAR(p->most, natural, 1e-15);
  CHECK_NEAR(p->width, 0.1 * natural, 1e-15);
  p = task("parameter speed { unit = m/s values = {1, 2, 4} }", c, "")->parameters;
  CHECK_INT(p->n, 3);
  CHECK_INT(p->listed, 1);
  CHECK_NEAR(p->values[2], 4, 0);
  CHECK_NEAR(p->drift, 0, 0);
  CHECK_NEAR(p->jump, 1 / 400.0, 1e-17);
}

/* Beyond what the gaits do: allowed, with a warning; a gait of one speed only: one value, which never changes. */
static void test_speed_odd(void)
{
  task("parameter speed {\n unit = m/s\n range = {0, 20} }", creature("horse"),
       "text:3: warning: range of parameter 'speed': 0 to 20 m/s, but creature 'horse' does 1 to 13 m/s\n");
  struct gait gait = {.name = "amble", .speed_min = 1, .speed_max = 1};
  struct creature one = {.name = "one", .n_gaits = 1, .n_motions = 1, .gaits = &gait, .height = 1,
                         .frame_rate = 50};
  const struct task *t = task("parameter speed { } parameter gait { }", &one, "");
  CHECK_INT(t->parameters[0].n, 1);
  CHECK_NEAR(t->parameters[0].values[0], 1, 0);
  CHECK_NEAR(t->parameters[0].jump, 0, 0);
  CHECK_INT(t->parameters[1].n, 1);
  struct rng rng = rng_stream(1, 1);
  for (int i = 0; i < 1000; i++)
    for (int p = 0; p < 2; p++)
      CHECK_NEAR(task_sample(t, p, 1 - p, &rng), 1 - p, 0);
  CHECK_NEAR(task_chain(arena, t, 0)[0], 1, 0);
}

/* From standing still on: with the word, in any unit; every creature with feet can. */
static void test_stop(void)
{
  const struct creature *c = creature("horse");
  const struct task *t = task("parameter direction { } parameter speed { range = {stop, 0.5} grid = 8 }", c, "");
  const struct task_parameter *p = &t->parameters[1];
  CHECK_NEAR(p->values[0], 0, 0);
  CHECK_NEAR(p->values[1], 0.2, 1e-15);
  CHECK_NEAR(p->most, 1.4, 1e-15);
  CHECK_INT(task_stand(t), creature_find_gait(c, CREATURE_STAND));
  CHECK_STR(task_value_text(p, 0).words, "stop");
  CHECK_STR(task_value_text(p, 1.4).words, "1.4 m/s");
  CHECK_NEAR(task_speeds(t, 0).least, 1.0, 0);
  CHECK_NEAR(task_speeds(t, task_stand(t)).most, 0, 0);
  p = task("parameter speed { values = {stop, 0, 1} }", c, "")->parameters;
  CHECK(p->n == 3 && p->values[0] == 0);
  CHECK_NEAR(p->values[1], 1.0, 0);
  CHECK_NEAR(p->values[2], 1.8, 1e-15);
  p = task("parameter speed { unit = m/s range = {stop, 2} }", c, "")->parameters;
  CHECK_NEAR(p->least, 0, 0);
  CHECK_INT(task_stand(task("parameter speed { }", c, "")), -1);
  CHECK_INT(task_stand(task("parameter direction { }", c, "")), -1);
  struct gait gait = {.name = "glide", .speed_min = 1, .speed_max = 2};
  struct creature one = {.name = "one", .n_gaits = 1, .n_motions = 1, .gaits = &gait, .height = 1, .frame_rate = 50};
  t = task("parameter speed { range = {stop, 1} }", &one,
           "text:1: warning: range of parameter 'speed': 0 to 2 m/s, but creature 'one' does 1 to 2 m/s\n");
  CHECK_INT(task_stand(t), -1);
}

static void test_initial(void)
{
  const struct creature *c = creature("horse");
  double theta[4];
  task_initial(task("parameter gait { gaits = {pace, walk} } parameter speed { } parameter torso { }", c, ""), theta);
  CHECK_NEAR(theta[0], creature_find_gait(c, "pace"), 0);
  CHECK_NEAR(theta[1], 1.4, 1e-15);
  CHECK_NEAR(theta[2], 0, 0);
  task_initial(task("parameter speed { unit = m/s values = {1, 2, 9} }", c, ""), theta);
  CHECK_NEAR(theta[0], 2, 0);
}

static void test_value_text(void)
{
  const struct creature *c = creature("horse");
  const struct task *t = task("parameter gait { } parameter speed { } parameter torso { }", c, "");
  CHECK_STR(task_value_text(&t->parameters[0], creature_find_gait(c, "tolt")).words, "tolt");
  CHECK_STR(task_value_text(&t->parameters[1], 1.25).words, "1.25 m/s");
  CHECK_STR(task_value_text(&t->parameters[2], PI).words, "180 degrees");
  CHECK_STR(task_value_text(&t->parameters[2], 1.5 * PI).words, "-90 degrees");
  CHECK_STR(task_value_text(&t->parameters[2], 2 * PI).words, "0 degrees");
}

/* The worked example of doc/task-format.md. */
static void test_manual(void)
{
  const struct creature *c = creature("horse");
  const struct task *t = task("name  = \"direction and gait\"\nalpha = 0.3\n"
                              "parameter direction { weight = 1   grid = 36    jump_every = 3  drift_every = 1  "
                              "drift = 5 }\n"
                              "parameter gait      { weight = 10  gaits = all  jump_every = 8 }\n",
                              c, "");
  CHECK_NEAR(t->dt, 1 / 100.0, 1e-17);
  CHECK_NEAR(t->parameters[0].jump, 1 / 300.0, 5e-5);
  CHECK_NEAR(t->parameters[0].drift, 1 / 100.0, 1e-17);
  CHECK_NEAR(t->parameters[0].width, 0.087, 5e-4);
  CHECK_INT(t->parameters[1].n, 6);
  CHECK_NEAR(t->parameters[1].jump, 1 / 800.0, 5e-5);
  CHECK_INT((long)task_points(t), 216);
  struct frame_features f = {.direction = 20 * DEGREE, .speed = 3, .gait = creature_find_gait(c, "trot")};
  double cost = task_cost(&t->parameters[0], &f, 10 * DEGREE) +
                task_cost(&t->parameters[1], &f, creature_find_gait(c, "walk"));
  CHECK_NEAR(cost, 10.156, 5e-4);
}

/* ---- the tasks that come with the program ---- */

static int has_ending(const struct dirent *e, const char *ending)
{
  const char *dot = strrchr(e->d_name, '.');
  return dot && !strcmp(dot, ending);
}
static int is_task(const struct dirent *e) { return has_ending(e, ".task"); }

static void check_with(const struct task_file *file, const char *name)
{
  const struct creature *c = creature(name);
  struct diag d;
  diag_init(&d);
  const struct task *t = task_bind(arena, file, c, &d);
  CHECK(t != NULL);
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_clear(&d);
  for (int p = 0; t && p < t->n_parameters; p++) {
    CHECK(t->parameters[p].n >= 2);
    CHECK(t->parameters[p].jump > 0 && t->parameters[p].jump < 0.02);
  }
  CHECK(t && task_points(t) <= 18 * 18 * 7 * 6);
}

static void test_tasks(void)
{
  static const char *const creatures[] = {"biped", "strider", "triped", "horse", "human", "dog", "ostrich", "hexapod"};
  struct dirent **files;
  int n = scandir("../../tasks", &files, is_task, alphasort), by_size[5] = {0};
  CHECK_INT(n, 9);
  for (int i = 0; i < n; i++) {
    struct diag d;
    diag_init(&d);
    const struct task_file *file = task_load(arena, arena_printf(arena, "../../tasks/%s", files[i]->d_name), &d);
    CHECK(file != NULL);
    CHECK_INT(d.n_errors + d.n_warnings, 0);
    for (size_t k = 0; file && k < sizeof creatures / sizeof *creatures; k++)
      check_with(file, creatures[k]);
    if (file)
      by_size[task_bind(arena, file, creature("biped"), &d)->n_parameters]++;
    diag_clear(&d);
    free(files[i]);
  }
  if (n >= 0)
    free(files);
  CHECK_INT(by_size[1], 3); /* the paper's four, two of heights, and stroll */
  CHECK_INT(by_size[2], 4);
  CHECK_INT(by_size[3], 1);
  CHECK_INT(by_size[4], 1);
}

/* ---- costs ---- */

/* Zero where it is met, the paper's |difference| less the rounding elsewhere, the same both ways round the circle. */
static void test_circle_cost(void)
{
  const char *text = "parameter direction { weight = 2 } parameter torso { power = 2 }";
  const struct task *t = task(text, creature("horse"), "");
  struct frame_features f = {.direction = 3.0, .torso = 0.5, .speed = 1};
  const struct task_parameter *direction = &t->parameters[0], *torso = &t->parameters[1];
  CHECK_NEAR(task_cost(direction, &f, 3.0), 0, 0);
  CHECK_NEAR(task_cost(direction, &f, 2.0), 2 * (sqrt(1 + 0.02 * 0.02) - 0.02), 1e-15);
  CHECK_NEAR(task_cost(direction, &f, 2.0), 2.0, 2 * 0.02);
  CHECK_NEAR(task_cost(torso, &f, 0.5), 0, 0);
  CHECK_NEAR(task_cost(torso, &f, -1.5), pow(sqrt(4 + 0.02 * 0.02) - 0.02, 2), 1e-14);
  for (double x = 0.01; x < PI; x += 0.1) {
    CHECK_NEAR(task_cost(direction, &f, 3.0 + x), task_cost(direction, &f, 3.0 - x), 1e-12);
    CHECK_NEAR(task_cost(direction, &f, 3.0 + x), task_cost(direction, &f, 3.0 + x - 8 * PI), 1e-12);
    CHECK(task_cost(direction, &f, 3.0 + x) > task_cost(direction, &f, 3.0 + x - 0.01));
  }
  f.speed = 0; /* direction then is what the features say it is */
  CHECK_NEAR(task_cost(direction, &f, 3.0), 0, 0);
}

/* The second difference is bounded through 0: |x| alone would give 2 / h. */
static void test_smooth_cost(void)
{
  const struct task *t = task("parameter direction { } parameter speed { }", creature("horse"), "");
  double h = 1e-4, most = 0;
  for (double x = -0.1; x < 0.1; x += h / 2) {
    struct frame_features f = {.direction = x, .speed = 1.4 + x * t->parameters[1].unit}, before = f, after = f;
    before.direction -= h, after.direction += h;
    before.speed -= h * t->parameters[1].unit, after.speed += h * t->parameters[1].unit;
    for (int p = 0; p < 2; p++) {
      double theta = p ? 1.4 : 0;
      double c[] = {task_cost(&t->parameters[p], &before, theta), task_cost(&t->parameters[p], &f, theta),
                    task_cost(&t->parameters[p], &after, theta)};
      most = fmax(most, fabs(c[0] - 2 * c[1] + c[2]) / (h * h));
    }
  }
  CHECK_NEAR(most, 1 / 0.02, 0.01 / 0.02);
}

static void test_other_costs(void)
{
  const struct creature *c = creature("horse");
  const struct task *t = task("parameter speed { weight = 4 } parameter gait { }", c, "");
  struct frame_features f = {.direction = 0, .torso = 0, .speed = 1.4, .gait = 1};
  double natural = sqrt(9.81 * c->height), costs[17], x = 0.4 / natural;
  CHECK_NEAR(task_cost(&t->parameters[0], &f, 1.4), 0, 0);
  CHECK_NEAR(task_cost(&t->parameters[0], &f, 1.8), 4 * (sqrt(x * x + 0.0004) - 0.02), 1e-14);
  CHECK_NEAR(task_cost(&t->parameters[0], &f, 1.0), task_cost(&t->parameters[0], &f, 1.8), 1e-14);
  CHECK_NEAR(task_cost(&t->parameters[1], &f, 1), 0, 0);
  CHECK_NEAR(task_cost(&t->parameters[1], &f, 2), 10, 0);
  task_costs(&t->parameters[1], &f, costs);
  for (int i = 0; i < t->parameters[1].n; i++)
    CHECK_NEAR(costs[i], i == 1 ? 0 : 10, 0);
  f.gait = -1; /* one that the creature does not have */
  CHECK_NEAR(task_cost(&t->parameters[1], &f, 0), 10, 0);
}

static void test_wrap(void)
{
  for (int k = -50; k <= 50; k++) {
    CHECK_NEAR(task_wrap(1 + 2 * PI * k), 1, 1e-12);
    double turn = task_wrap((2 * k + 1) * PI);
    CHECK(turn >= -PI && turn < PI && fabs(fabs(turn) - PI) < 1e-12);
  }
}

/* ---- bad files ---- */

static void check_bad(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_load(arena, arena_printf(arena, "bad/%s", name), &d);
  CHECK_INT(file != NULL, d.n_errors == 0);
  const struct task *t = file ? task_bind(arena, file, creature("biped"), &d) : NULL;
  CHECK_INT(t != NULL, d.n_errors == 0);
  CHECK(d.n_errors + d.n_warnings > 0);
  bad_files_compare(name, "", &d);
}

static void test_bad(void)
{
  bad_files_each(".task", 30, check_bad);
}

/* A creature without gaits has no speeds and no gaits to ask for. */
static void test_no_gaits(void)
{
  struct creature none = {.name = "statue", .height = 1, .frame_rate = 50};
  const char *text = "parameter speed { }\nparameter gait { }\nparameter torso { }";
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  CHECK(file && task_bind(arena, file, &none, &d) == NULL);
  char *found = diag_text(&d);
  CHECK_STR(found, "text:1: error: parameter 'speed': creature 'statue' has no gait\n"
                   "text:2: error: parameter 'gait': creature 'statue' has no gait\n");
  free(found);
  diag_clear(&d);
}

/* ---- damaged files: refused or accepted, never a crash, and what is accepted has chains ---- */

static void damage(char *text, size_t *length, struct rng *rng)
{
  static const char spice[] = "{}=,\"'#/*\n0123456789.-%e \xff";
  for (int k = rng_below(rng, 3); k >= 0 && *length > 1; k--) {
    size_t at = (size_t)rng_below(rng, (int)*length);
    int how = rng_below(rng, 5);
    if (how == 0)
      text[at] = (char)(text[at] ^ (1 << rng_below(rng, 8)));
    else if (how == 1)
      text[at] = spice[rng_below(rng, (int)sizeof spice - 1)];
    else if (how == 2)
      *length = at;
    else if (how == 3)
      memmove(text + at, text + at + 1, *length - at - 1), *length -= 1;
    else
      memmove(text + at / 2, text + at, *length - at), *length -= at - at / 2;
  }
}

/* What a creature without gaits would need. */
static int lacks(const char *text, const struct creature *c, struct task_speeds *v)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
  return file && task_lacks(file, c, v);
}

static void test_lacks(void)
{
  const struct creature *c = creature("horse");
  double natural = sqrt(CREATURE_GRAVITY * c->height);
  struct task_speeds v;
  CHECK_INT(lacks("parameter direction { } parameter torso { } parameter height { }", c, &v), 0);
  CHECK_INT(lacks("parameter speed { }", c, &v), 1);
  CHECK(v.least < 0 && v.most < 0); /* all that it can do */
  CHECK_INT(lacks("parameter direction { } parameter gait { }", c, &v), 1);
  CHECK(v.least < 0 && v.most < 0);
  CHECK_INT(lacks("parameter gait { } parameter speed { unit = m/s range = {1, 3} }", c, &v), 1);
  CHECK_NEAR(v.least, 1, 0);
  CHECK_NEAR(v.most, 3, 0);
  CHECK_INT(lacks("parameter speed { unit = natural values = {0.25, 0.5, 1} }", c, &v), 1);
  CHECK_NEAR(v.least, 0.25 * natural, 1e-12);
  CHECK_NEAR(v.most, natural, 1e-12);
}

static int try_text(const char *text, size_t length, const struct creature *c)
{
  struct arena *own = arena_new();
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(own, "text", text, length, &d);
  CHECK_INT(file != NULL, d.n_errors == 0);
  const struct task *t = file ? task_bind(own, file, c, &d) : NULL;
  CHECK_INT(t != NULL, d.n_errors == 0);
  for (int p = 0; t && p < t->n_parameters; p++) {
    const struct task_parameter *q = &t->parameters[p];
    const double *K = task_chain(own, t, p);
    double sum = 0;
    for (int j = 0; j < q->n; j++)
      sum += K[(q->n - 1) * q->n + j];
    CHECK_NEAR(sum, 1, 1e-13);
    CHECK(q->weight > 0 && isfinite(q->width) && q->jump + q->drift <= 1);
  }
  diag_clear(&d);
  arena_free(own);
  return t != NULL;
}

static void test_damaged(void)
{
  const struct creature *c = creature("horse");
  struct rng rng = rng_stream(4, 0);
  int accepted = 0, runs = 3000;
  static const char *const names[] = {"everything", "speed", "direction_gait"};
  for (int i = 0; i < runs; i++) {
    char *text = bad_files_read(arena_printf(arena, "../../tasks/%s.task", names[i % 3]));
    size_t length = text ? strlen(text) : 0;
    CHECK(length > 100);
    damage(text, &length, &rng);
    char *exact = malloc(length + 1); /* so that a sanitizer sees a step too far */
    memcpy(exact, text, length);
    accepted += try_text(exact, length, c);
    free(exact);
    free(text);
  }
  CHECK(accepted > runs / 20 && accepted < runs * 19 / 20); /* or else nothing was tried */
}

int main(void)
{
  if (!bad_files_enter("tests/task"))
    return 99; /* automake: a hard error */
  arena = arena_new();
  test_defaults();
  test_lacks();
  test_given();
  test_speed();
  test_speed_odd();
  test_stop();
  test_initial();
  test_value_text();
  test_manual();
  test_tasks();
  test_circle_cost();
  test_smooth_cost();
  test_other_costs();
  test_wrap();
  test_bad();
  test_no_gaits();
  test_damaged();
  arena_free(arena);
  return test_finish();
}

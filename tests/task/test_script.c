/* Scripts: what good ones ask for, and what is said about bad ones, to the letter. Data: bad/x.script for
 * everything.task with the horse, bad/direction_x.script for direction.task, must give the messages of
 * bad/x_script.expected. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bad_files.h"
#include "task/script.h"

#define PI     3.14159265358979323846
#define DEGREE (PI / 180.0)

static struct arena *arena;
static const struct task *everything, *direction;

static const struct creature *creature(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, arena_printf(arena, "../../creatures/%s.creature", name), &d);
  diag_clear(&d);
  if (!c)
    exit(99);
  return c;
}

static const struct task *task(const char *name, const char *of)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_load(arena, arena_printf(arena, "../../tasks/%s.task", name), &d);
  const struct task *t = file ? task_bind(arena, file, creature(of), &d) : NULL;
  diag_clear(&d);
  if (!t)
    exit(99);
  return t;
}

static const struct script *script(const char *text, const struct task *t, const char *messages)
{
  struct diag d;
  diag_init(&d);
  const struct script *s = script_parse(arena, "text", text, strlen(text), t, &d);
  char *found = diag_text(&d);
  CHECK_STR(found, messages);
  CHECK(s != NULL);
  free(found);
  diag_clear(&d);
  if (!s)
    exit(test_finish());
  return s;
}

/* ---- good ones ---- */

/* "stop" is 0 m/s; a task that has no such speed comes as near as it can. */
static void test_stop(void)
{
  double theta[5];
  const struct script *s = script("at 0 { speed = 100% }\nat 3 { speed = stop }", task("stroll", "horse"), "");
  script_theta(s, 1, theta);
  CHECK_NEAR(theta[1], 1.4, 1e-15);
  script_theta(s, 3, theta);
  CHECK_NEAR(theta[1], 0, 0);
  s = script("at 0 { speed = stop }", everything,
             "text:1: warning: speed of at '0': the task goes from 1 to 13 m/s; 0 is taken as 1\n");
  script_theta(s, 0, theta);
  CHECK_NEAR(theta[task_find(everything, "speed")], 1, 0);
}

static void test_order(void)
{
  const struct script *s = script("end = 20\nat 8 { gait = trot }\nat 2.5 { direction = 90 torso = -450 }\n"
                                  "at 5 { speed = 3 }\nat 8 { direction = 180 }", everything, "");
  double theta[4];
  CHECK_INT(s->n_commands, 5);
  CHECK_NEAR(s->end, 20, 0);
  for (int i = 1; i < 5; i++)
    CHECK(s->commands[i - 1].time <= s->commands[i].time);
  CHECK_INT(s->commands[0].line, 3);
  CHECK_STR(s->commands[0].file, "text");
  script_theta(s, 2.499, theta); /* everything has direction, torso, gait, speed, height, in this order */
  CHECK_NEAR(theta[0], 0, 0);
  CHECK_NEAR(theta[1], 0, 0);
  CHECK_NEAR(theta[2], 7, 1e-14); /* of 1 to 13 m/s */
  CHECK_NEAR(theta[3], 0, 0);
  script_theta(s, 2.5, theta);
  CHECK_NEAR(theta[0], 90 * DEGREE, 1e-15);
  CHECK_NEAR(theta[1], -90 * DEGREE, 1e-14);
  CHECK_NEAR(theta[2], 7, 1e-14);
  script_theta(s, 1e9, theta);
  CHECK_NEAR(fabs(theta[0]), PI, 1e-15);
  CHECK_NEAR(theta[1], -90 * DEGREE, 1e-14);
  CHECK_NEAR(theta[2], 3, 0);
  CHECK_NEAR(theta[3], creature_find_gait(everything->creature, "trot"), 0);
}

static void test_shares(void)
{
  double theta[4];
  script_theta(script("at 0 { speed = 0% }", everything, ""), 0, theta);
  CHECK_NEAR(theta[2], 1, 0);
  script_theta(script("at 0 { speed = 70.5% }", everything, ""), 0, theta);
  CHECK_NEAR(theta[2], 1 + 12 * 0.705, 1e-14);
  const char *warning = "text:2: warning: speed of at '1': the task goes from 1 to 13 m/s; 20 is taken as 13\n";
  script_theta(script("at 1 {\n speed = 20 }", everything, warning), 1, theta);
  CHECK_NEAR(theta[2], 13, 0);
}

static void test_end(void)
{
  CHECK_NEAR(script("", direction, "")->end, 5, 0);
  CHECK_NEAR(script("at 3 { direction = 1 } at 1 { direction = 2 }", direction, "")->end, 8, 0);
  CHECK_NEAR(script("end = 3 at 3 { direction = 1 }", direction, "")->end, 3, 0);
  const struct script *s = script("at 7 { }", direction, "text:1: warning: at '7' asks for nothing\n");
  CHECK_INT(s->n_commands, 0);
}

/* The scripts that come with the program, for the creatures and tasks that they are made for. */
static void test_examples(void)
{
  static const char *const creatures[] = {"biped", "strider", "triped", "horse"};
  static const char *const tasks[] = {"direction", "direction_torso", "direction_gait", "everything"};
  struct diag d;
  diag_init(&d);
  for (int c = 0; c < 4; c++) {
    for (int t = 0; t < 4; t++) {
      const struct script *s = script_load(arena, "../../tasks/turns.script", task(tasks[t], creatures[c]), &d);
      CHECK(s && s->n_commands == 4 && s->end == 16);
    }
    const struct script *s = script_load(arena, "../../tasks/parade.script", task("everything", creatures[c]), &d);
    CHECK(s && s->n_commands == 13 && s->end == 22);
  }
  CHECK_INT(d.n_errors + d.n_warnings, 0);
  diag_clear(&d);
}

/* ---- bad ones ---- */

static void check_bad(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct task *t = strncmp(name, "direction_", 10) ? everything : direction;
  CHECK(script_load(arena, arena_printf(arena, "bad/%s", name), t, &d) == NULL);
  CHECK(d.n_errors > 0);
  bad_files_compare(name, "_script", &d);
}

static void test_bad(void)
{
  bad_files_each(".script", 12, check_bad);
}

/* ---- damaged ones: refused or accepted, never a crash, and what is accepted is in order ---- */

static int try_text(const char *text, size_t length)
{
  struct arena *own = arena_new();
  struct diag d;
  diag_init(&d);
  const struct script *s = script_parse(own, "text", text, length, everything, &d);
  CHECK_INT(s != NULL, d.n_errors == 0);
  double theta[4];
  for (int i = 0; s && i < s->n_commands; i++) {
    CHECK(s->commands[i].time <= s->end && (i == 0 || s->commands[i - 1].time <= s->commands[i].time));
    script_theta(s, s->commands[i].time, theta);
    CHECK(theta[s->commands[i].parameter] == s->commands[i].theta && isfinite(s->commands[i].theta));
  }
  diag_clear(&d);
  arena_free(own);
  return s != NULL;
}

static void test_damaged(void)
{
  static const char spice[] = "{}=,\"'#/*\n0123456789.-%e \xff";
  struct rng rng = rng_stream(4, 1);
  char *whole = bad_files_read("../../tasks/parade.script");
  int accepted = 0, runs = 2000;
  for (int i = 0; whole && i < runs; i++) {
    size_t length = strlen(whole);
    if (rng_below(&rng, 4) == 0)
      length = (size_t)rng_below(&rng, (int)length);
    char *text = malloc(length + 1); /* its own size, so that a sanitizer sees a step too far */
    memcpy(text, whole, length);
    for (int k = rng_below(&rng, 4); k > 0 && length > 0; k--) {
      char *at = &text[rng_below(&rng, (int)length)];
      if (rng_below(&rng, 2))
        *at = spice[rng_below(&rng, (int)sizeof spice - 1)];
      else
        *at = (char)(*at ^ (1 << rng_below(&rng, 8)));
    }
    accepted += try_text(text, length);
    free(text);
  }
  CHECK(accepted > runs / 20 && accepted < runs * 19 / 20);
  free(whole);
}

int main(void)
{
  if (!bad_files_enter("tests/task"))
    return 99; /* automake: a hard error */
  arena = arena_new();
  everything = task("everything", "horse");
  direction = task("direction", "biped");
  test_order();
  test_stop();
  test_shares();
  test_end();
  test_examples();
  test_bad();
  test_damaged();
  arena_free(arena);
  return test_finish();
}

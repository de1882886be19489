/* What a learned user model is worth: the controller that is made for it costs that user less than the one that is made
 * for the task's own user, and hardly more than the one that knows him exactly. All costs are exact on the grid: the
 * policy that was solved for one model, in the decision process of the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "policy/controller.h"
#include "policy/small_controller.h"
#include "task/learn.h"

/* What the policy of a controller costs a user, who may be another than the one it was made for. */
static double cost_for(struct arena *arena, const struct controller *policy, const struct controller *user)
{
  struct influence_options o;
  influence_defaults(&o);
  const struct influence *i = influence_solve(arena, user->process, policy->values, &o);
  CHECK(i->solved);
  return i->cost;
}

/* A log of so many seconds of a task's own user. */
static char *draw_log(const struct task *t, double seconds)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  struct rng rng = rng_stream(3, 0);
  double theta = 0;
  fprintf(out, "# muybridge log 1\n# task %s creature %s\n# seconds %g\n0,direction,0\n", t->name, t->creature->name,
          seconds);
  for (int k = 1; k * t->dt < seconds; k++) {
    double next = task_sample(t, 0, theta, &rng);
    if (next != theta)
      fprintf(out, "%.6f,direction,%.9g\n", k * t->dt, next * 180 / acos(-1));
    theta = next;
  }
  fclose(out);
  return text;
}

/* The task learned from such a log, through its file. */
static const struct task *learn(const struct small_controller *s, const char *base, const char *log_text)
{
  struct task_learn_options o = {0};
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(s->arena, "base", base, strlen(base), &d);
  const struct task *t = task_bind(s->arena, file, s->creature, &d);
  const struct task_log *log = task_log_parse(s->arena, "log", log_text, strlen(log_text), &d);
  const struct task_learned *l = log ? task_learn(s->arena, file, t, 1, &log, &o, &d) : NULL;
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_clear(&d);
  if (!l)
    exit(test_finish());
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  CHECK(task_learned_write(l, out) == 0);
  fclose(out);
  const struct task *learned = small_task(s, text);
  free(text);
  return learned;
}

/* Who turns to the left by right angles, often, and hardly corrects himself. */
static const char person[] = "name = direction alpha = 0.3\n"
                             "parameter direction { grid = 72  jump_every = 1.5  drift_every = 60  drift = 2\n"
                             "  jump_weights = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,\n"
                             "                  0} }\n";
static const char base[] = "name = direction alpha = 0.3\n"
                           "parameter direction { grid = 72  jump_every = 3  drift_every = 1  drift = 5 }\n";

int main(void)
{
  struct small_controller s = small_controller_new();
  const struct task *true_task = small_task(&s, person);
  char *log = draw_log(true_task, 600);
  const struct controller *exact = small_solve(&s, true_task), *plain = small_solve(&s, small_task(&s, base));
  const struct controller *learned = small_solve(&s, learn(&s, base, log));
  double best = cost_for(s.arena, exact, exact), with = cost_for(s.arena, learned, exact);
  double without = cost_for(s.arena, plain, exact);
  fprintf(stderr, "a frame costs this person %.5f: with the task's own user %.5f, learned %.5f\n", best, without, with);
  CHECK_NEAR(best, exact->cost, 2e-3 * best);
  CHECK(best <= with * (1 + 2e-3));
  CHECK(with - best < 0.25 * (without - best));
  CHECK(without > 1.01 * best);
  free(log);
  small_controller_free(&s);
  return test_finish();
}

/* How well do synthesized controllers do what is asked? A line for each run file: cost, mean absolute errors in play by the task's own user, times to settle within 10
 * degrees (5 % of speed, the right gait) after a step and from how many nodes it does, whether the played motion is valid.
 *
 *   judge RUN...          exit status 1 if a played motion does not verify */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "motion/verify.h"
#include "policy/controller.h"
#include "policy/performance.h"
#include "policy/response.h"
#include "store/store.h"

#define PLAYED 600.0 /* [s] */

static const double degree = 3.14159265358979323846 / 180;

static int compare(const void *left, const void *right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Median over nodes of the time to settle after a step, INFINITY if most never do; and how many of them do. */
static double settle_time(struct arena *arena, const struct response_table *t, int step, double *share)
{
  double *times = ARENA_NEW(arena, (size_t)t->n_nodes, double);
  int n = 0;
  for (int i = 0; i < t->n_nodes; i++)
    if (t->responses[i * t->n_steps + step].applies)
      times[n++] = t->responses[i * t->n_steps + step].rest.time;
  *share = 0;
  for (int i = 0; i < n; i++)
    *share += isfinite(times[i]) ? 1. / n : 0;
  qsort(times, (size_t)n, sizeof *times, compare);
  return n ? times[n / 2] : NAN;
}

static void print_errors(const struct task *t, const struct performance *p)
{
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *x = &t->parameters[i];
    if (x->kind->space == TASK_CATEGORY)
      printf("  %s wrong %.0f %% of the time", x->kind->name, 100 * p->mean_error[i]);
    else
      printf("  %s %.3g %s", x->kind->name, p->mean_error[i] / (x->kind->space == TASK_CIRCLE ? degree : 1), x->kind->unit);
  }
}

static int judge(const char *path, struct diag *d)
{
  struct arena *arena = arena_new();
  struct store *store = store_open(arena, path, STORE_READ, d);
  const struct creature *c = store ? store_get_creature(arena, store, d) : NULL;
  struct store_controller kept;
  const char *file, *text;
  size_t length;
  int valid = 0;
  if (c && store_get_controller(arena, store, 0, &kept, d) && (text = store_get_task_text(arena, store, kept.task, &file, &length, d))) {
    const struct task_file *written = task_parse(arena, file, text, length, d);
    const struct task *t = written ? task_bind(arena, written, c, d) : NULL;
    char why[200];
    struct player_controller *player = player_load_memory(kept.bytes, kept.n_bytes, why, sizeof why);
    struct performance *p = t && player ? performance_play(arena, &(struct performance_request){.task = t, .player = player, .seconds = PLAYED, .seed = 1}, d) : NULL;
    struct response_table *r = p ? response_of_nodes(arena, player, t, 20, d) : NULL;
    if (r) {
      struct verify_report v;
      verify_clip(arena, c, p->motion, &v);
      valid = v.passed;
      printf("%s, %s: %d clips, cost %.4f;  off by", c->name, t->name, kept.n_clips, kept.cost);
      print_errors(t, p);
      printf(";  settles [s]:");
      for (int k = 0; k < r->n_steps; k++) {
        double share, time = settle_time(arena, r, k, &share);
        printf("  %s %.2f (%.0f %%)", response_step_text(t, &r->steps[k]).words, time, 100 * share);
      }
      printf(";  %s\n", valid ? "valid" : "NOT VALID");
      fflush(stdout);
    }
    player_unload(player);
  }
  store_close(store);
  arena_free(arena);
  return valid;
}

int main(int argc, char **argv)
{
  int bad = argc < 2;
  struct diag d;
  diag_init(&d);
  for (int i = 1; i < argc; i++)
    bad += !judge(argv[i], &d);
  char *words = diag_text(&d);
  fputs(words, stderr);
  free(words);
  diag_clear(&d);
  return bad ? 1 : 0;
}

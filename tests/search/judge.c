/* How well do synthesized controllers do what is asked? A line for each run file: cost, mean absolute errors in play
 * by the task's own user, times to settle within 10 degrees (5 % of speed, the right gait) after a step: the median
 * over where one is in play, and from how much of that it settles at all; the same with all decision nodes counted
 * once; whether the played motion is valid.
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

/* How often each node was come to in play. */
static double *count_visits(struct arena *arena, const struct performance *p, const struct response_table *t)
{
  double *visits = ARENA_NEW(arena, (size_t)t->n_nodes, double);
  for (int k = 0; k < p->n_frames; k++)
    if (p->at[k] == 0)
      visits[p->player->segments[p->segment[k]].from] += 1;
  return visits;
}

struct settling {
  double median;                /* over nodes; INFINITY if most never settle                 */
  double share;                 /* of nodes from which it does                               */
  double typical;               /* the median over visits: where one is when something is asked */
  double typical_share;
};

struct visit { double time, weight; };

static int compare_visits(const void *left, const void *right)
{
  return compare(&((const struct visit *)left)->time, &((const struct visit *)right)->time);
}

static double weighted_median(const struct visit *v, int n, double *share)
{
  double total = 0, sum = 0, median = INFINITY;
  *share = 0;
  for (int i = 0; i < n; i++)
    total += v[i].weight;
  for (int i = 0; i < n; i++)
    *share += isfinite(v[i].time) ? v[i].weight / total : 0;
  for (int i = n - 1; i >= 0; i--) /* from above: of an even number the higher */
    if ((sum += v[i].weight) >= 0.5 * total) {
      median = v[i].time;
      break;
    }
  return n ? median : NAN;
}

static struct settling settle_time(struct arena *arena, const struct response_table *t, const double *visits, int step)
{
  struct visit *nodes = ARENA_NEW(arena, (size_t)t->n_nodes, struct visit),
               *used = ARENA_NEW(arena, (size_t)t->n_nodes, struct visit);
  struct settling s;
  int n = 0, m = 0;
  for (int i = 0; i < t->n_nodes; i++) {
    const struct response *r = &t->responses[i * t->n_steps + step];
    if (r->applies)
      nodes[n++] = (struct visit){r->rest.time, 1};
    if (r->applies && visits[i] > 0)
      used[m++] = (struct visit){r->rest.time, visits[i]};
  }
  qsort(nodes, (size_t)n, sizeof *nodes, compare_visits);
  qsort(used, (size_t)m, sizeof *used, compare_visits);
  s.median = weighted_median(nodes, n, &s.share);
  s.typical = weighted_median(used, m, &s.typical_share);
  return s;
}

static void print_errors(const struct task *t, const struct performance *p)
{
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *x = &t->parameters[i];
    if (x->kind->space == TASK_CATEGORY)
      printf("  %s wrong %.0f %% of the time", x->kind->name, 100 * p->mean_error[i]);
    else
      printf("  %s %.3g %s", x->kind->name, p->mean_error[i] / (x->kind->space == TASK_CIRCLE ? degree : 1),
             x->kind->unit);
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
  if (c && store_get_controller(arena, store, 0, &kept, d) &&
      (text = store_get_task_text(arena, store, kept.task, &file, &length, d))) {
    const struct task_file *written = task_parse(arena, file, text, length, d);
    const struct task *t = written ? task_bind(arena, written, c, d) : NULL;
    char why[200];
    struct muy_player_controller *player = muy_player_load_memory(kept.bytes, kept.n_bytes, why, sizeof why);
    struct performance_request request = {.task = t, .player = player, .seconds = PLAYED, .seed = 1};
    struct performance *p = t && player ? performance_play(arena, &request, d) : NULL;
    struct response_table *r = p ? response_of_nodes(arena, player, t, 20, d) : NULL;
    if (r) {
      struct verify_report v;
      verify_clip(arena, c, p->motion, &v);
      valid = v.passed;
      printf("%s, %s: %d clips, cost %.4f;  off by", c->name, t->name, kept.n_clips, kept.cost);
      print_errors(t, p);
      printf(";  settles [s]:");
      const double *visits = count_visits(arena, p, r);
      for (int k = 0; k < r->n_steps; k++) {
        struct settling x = settle_time(arena, r, visits, k);
        printf("  %s %.2f (%.0f %%; all nodes %.2f, %.0f %%)", response_step_text(t, &r->steps[k]).words, x.typical,
               100 * x.typical_share, x.median, 100 * x.share);
      }
      printf(";  %s\n", valid ? "valid" : "NOT VALID");
      fflush(stdout);
    }
    muy_player_unload(player);
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

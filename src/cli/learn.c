/* Learning of control graphs, on the terminal. */
#include "cli/learn.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "follow/batches.h"

void learn_defaults(struct learn_options *o, int argc, char **argv)
{
  *o = (struct learn_options){.jobs = 1, .argc = argc, .argv = argv};
  learning_defaults(&o->learning);
}

int learn_workers(const struct learn_options *o)
{
  return farm_ranks() > 1 ? BATCHES_RANKS : o->jobs;
}

int learn_read_teacher(const char *command, const char *text, struct learn_options *o)
{
  if (!learning_is_teacher(text))
    return cli_usage_error(command, "--teacher: lqr, guided or ahead, found '%s'", text);
  o->learning.teacher = text;
  return CLI_DONE;
}

int learn_read_policy(const char *command, const char *text, struct learn_options *o)
{
  if (strcmp(text, "full") && strcmp(text, "compact"))
    return cli_usage_error(command, "--policy: full or compact, found '%s'", text);
  o->learning.compact = !strcmp(text, "compact");
  return CLI_DONE;
}

/* ---- progress ---- */

struct progress { const struct learn_options *options; const struct learning *learning; int terminal; };

static void print_iteration(const struct progress *p, const struct learning_progress *at)
{
  const struct learning *l = p->learning;
  const struct store_control *k = at->kept;
  int workers = farm_ranks() > 1 ? farm_ranks() - 1 : p->options->jobs;
  if (!strcmp(k->teacher, "lqr")) {
    printf("%s: %d clips, %d fragments, %d features, %d actions; learned by lqr in %.2f core-seconds\n", l->run,
           l->motion->n_clips, l->graph->n_fragments, features_count(l->controls->features),
           features_actions(l->controls->features), k->seconds);
    return;
  }
  printf("iteration %d of %d: %.1f %% of the walk at the first go, %.1f %% of variance left, %.1f core-seconds, "
         "about %.0f s left", at->done, at->n, 100 * k->success, 100 * k->residual, at->seconds,
         at->seconds * (at->n - at->done) / workers);
  if (isfinite(k->robustness))
    printf("; falls after %.1f s", k->robustness);
  printf("\n");
  fflush(stdout);
}

static int show_progress(void *user, const struct learning_progress *at)
{
  const struct progress *p = user;
  int last = at->done == at->n;
  if (at->stage == LEARNING_ITERATION)
    print_iteration(p, at);
  else if (p->terminal && at->stage == LEARNING_MODELS)
    fprintf(stderr, "\r  models of clip %d of %d   %s", at->done, at->n, last ? "\n" : "");
  else if (p->terminal)
    fprintf(stderr, "\r  walk %d of %d   %s", at->done, at->n, last ? "\r              \r" : "");
  return 1;
}

int learn_run(struct arena *arena, struct learning *l, const struct learn_options *o, struct diag *d)
{
  static const int status[] = {[LEARNING_DONE] = CLI_DONE, [LEARNING_FAILED] = CLI_FAILED,
                               [LEARNING_WRONG_INPUT] = CLI_WRONG_INPUT, [LEARNING_STOPPED] = CLI_FAILED};
  struct progress progress = {o, l, isatty(STDERR_FILENO)};
  struct learning_options learning = o->learning;
  learning.workers = learn_workers(o);
  learning.keep = !o->no_store;
  learning.session = cli_session_now(arena, o->argc, o->argv);
  learning.progress = o->quiet ? NULL : show_progress;
  learning.user = &progress;
  return status[learning_run(arena, l, &learning, d)];
}

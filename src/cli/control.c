/* muybridge control: policies for every fragment of a run file's motion graph, and how much they stand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/learn.h"

static const char usage[] =
    "Usage: muybridge control [OPTION]... RUN\n"
    "   or: muybridge track RUN --method guided [OPTION]...\n"
    "Makes a control graph of the clips of RUN: a feedback policy for every tenth of a second of them, with which the\n"
    "creature walks its motion graph in the simulated world, pushed or not. It is kept in RUN and learned only once;\n"
    "guided learning that was stopped goes on after its last iteration. Then trials, if any are asked for.\n\n"
    "  -m, --teacher NAME   lqr (default), identification and Riccati recursion; guided, learning from its own "
    "samples;\n"
    "                       ahead, learning what looking ahead does\n"
    "      --policy P       of lqr: full (default), on all errors of a state; compact, distilled to the paper's "
    "features\n"
    "      --skill CLIP     only this cycle\n"
    "      --iterations N   of guided learning (default 10), of ahead (default 4)\n"
    "      --samples N      drawn at a fragment after the first iteration (default 40)\n"
    "      --first N        drawn in the first (default 40)\n"
    "      --visits N       of a fragment in an iteration (guided: default 100; ahead: 200)\n"
    "      --value W        weight of the lqr teacher's value in the cost of samples (default 10; 0: as in the paper)\n"
    "      --refine         the first iteration only finds the open-loop controls, means of what sampling did\n"
    "      --progressive N  so many iterations learn cycles only; later ones run these and learn transitions (default "
    "0)\n"
    "      --measure N      after every iteration, so many trials of growing pushes, policy alone (guided, ahead: "
    "default 8)\n"
    "      --again          learn anew\n"
    "  -w, --walk S         trials: a random walk of so many seconds over the graph, from perturbed starts\n"
    "  -u, --push SIZE      trials: one push of 0.1 s and so many body weights on the trunk, any direction and phase\n"
    "  -g, --growing RATE   trials: pushes every 2 s that grow by so many body weights a second, until it falls\n"
    "  -n, --trials N       of each (default 20)\n"
    "      --engine E       of the world of trials: ode (default), tree, or mujoco where built in\n"
    "      --no-limb-contact  in that world limbs do not touch each other\n"
    "      --look N         candidates of a round of looking ahead, 0: the policy alone (default 16)\n"
    "      --seconds S      after a push (default 6); of growing ones at most (default 900)\n"
    "      --start X        errors at the start, velocities three times it (default 0.02)\n"
    "  -s, --seed N         of learning and trials (default 1)\n"
    "  -j, --jobs N         workers (default 1); under mpirun the other ranks are the workers\n"
    "      --no-store       do not keep what is learned\n"
    "      --list           what the run file has, and stop\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 learned, and no walk fell, and 19 of 20 pushes were stood; 1 they were not; 2 the input or the "
    "command line\n"
    "is wrong.\n";

struct control_options {
  struct learn_options learn;
  double walk, push, growing;   /* NaN: not asked for */
  double seconds;               /* NaN: as usual      */
  double start;
  int trials, look, list;
  int engine;                   /* enum world_engine  */
  int no_limb_contact;
  int samples, first, visits;   /* 0: as usual        */
  double value;
  int refine, progressive;
};

/* ---- options ---- */

static int read_teacher(char *text, void *options)
{
  struct control_options *o = options;
  return learn_read_teacher("control", text, &o->learn);
}

static int read_policy(char *text, void *options)
{
  struct control_options *o = options;
  return learn_read_policy("control", text, &o->learn);
}

static int read_engine(char *text, void *options)
{
  struct control_options *o = options;
  return cli_read_engine("control", text, &o->engine);
}

static const struct cli_option table[] = {
  CLI_READ("teacher", 'm', read_teacher),
  CLI_READ("method", 'm', read_teacher),
  CLI_READ("policy", 0, read_policy),
  CLI_TEXT("skill", 0, control_options, learn.learning.skill),
  CLI_VALUE("iterations", 0, control_options, learn.learning.iterations, 1, 1000),
  CLI_VALUE("samples", 0, control_options, samples, 2, 1e5),
  CLI_VALUE("first", 0, control_options, first, 2, 1e5),
  CLI_VALUE("visits", 0, control_options, visits, 10, 1e5),
  CLI_VALUE("value", 0, control_options, value, 0, 1e6),
  CLI_FLAG("refine", 0, control_options, refine),
  CLI_VALUE("progressive", 0, control_options, progressive, 0, 1000),
  CLI_VALUE("measure", 0, control_options, learn.learning.measure, 0, 1e4),
  CLI_FLAG("again", 0, control_options, learn.learning.again),
  CLI_VALUE("walk", 'w', control_options, walk, 1, 1e6),
  CLI_VALUE("push", 'u', control_options, push, 0, 100),
  CLI_VALUE("growing", 'g', control_options, growing, 1e-6, 1),
  CLI_VALUE("trials", 'n', control_options, trials, 1, 1e5),
  CLI_READ("engine", 0, read_engine),
  CLI_FLAG("no-limb-contact", 0, control_options, no_limb_contact),
  CLI_VALUE("look", 0, control_options, look, 0, 1e4),
  CLI_VALUE("seconds", 0, control_options, seconds, 0.1, 1e5),
  CLI_VALUE("start", 0, control_options, start, 0, 1),
  CLI_VALUE("seed", 's', control_options, learn.learning.seed, 0, 1e15),
  CLI_VALUE("jobs", 'j', control_options, learn.jobs, 1, 1000),
  CLI_FLAG("no-store", 0, control_options, learn.no_store),
  CLI_FLAG("list", 0, control_options, list),
  CLI_FLAG("quiet", 'q', control_options, learn.quiet),
  CLI_HELP,
  CLI_LAST,
};

const struct cli_syntax control_syntax = {"control", usage, "wrong option", table};

/* ---- trials ---- */

static struct trial_options trial_of(const struct learning *l, const struct control_options *o, enum trial_kind kind)
{
  struct trial_options t;
  trial_defaults(l->creature, kind, &t);
  t.runner.world.engine = (enum world_engine)o->engine;
  t.runner.world.limbs = !o->no_limb_contact;
  t.runner.candidates = l->controls->gains ? o->look : 0;
  t.start = o->start;
  t.seed = o->learn.learning.seed;
  t.workers = learn_workers(&o->learn);
  if (isfinite(o->seconds))
    t.seconds = o->seconds;
  return t;
}

/* In which clips they fell. */
static void print_falls(struct arena *arena, const struct control_graph *g, const struct trial_result *r, int n)
{
  const int *falls = trials_falls(arena, g, r, n);
  const char *before = "  falls: ";
  for (int i = 0; i < g->n_strips; i++)
    if (falls[i]) {
      printf("%s%s (clip %d) %d", before, g->strips[i].clip->name, g->motion->clips[i].id, falls[i]);
      before = ", ";
    }
  if (before[0] == ',')
    printf("\n");
}

/* Runs trials and prints what came of them; how many did not fall, -1 after an error. */
static int run_trials(struct arena *arena, const struct learning *l, const struct control_options *o,
                      const struct trial_options *t, const char *what, struct diag *d)
{
  const struct trial_result *r = trials_run(arena, l->controls, o->trials, t, d);
  if (!r)
    return -1;
  struct trial_summary sum = trials_summary(r, o->trials);
  if (!o->learn.quiet) {
    printf("%s: %d of %d did not fall; mean time %.1f s (deviation %.1f); looked ahead at %.1f %% of fragments; "
           "%.1f times real time on one core; off the path by %.2f L at most\n", what, sum.up, sum.n, sum.mean_seconds,
           sum.deviation, 100 * sum.looks, sum.speed, sum.course);
    print_falls(arena, l->graph, r, o->trials);
  }
  fflush(stdout);
  return sum.up;
}

static int all_trials(struct arena *arena, const struct learning *l, const struct control_options *o, struct diag *d)
{
  int good = 1, up;
  if (isfinite(o->walk)) {
    struct trial_options t = trial_of(l, o, TRIAL_WALK);
    t.seconds = o->walk;
    up = run_trials(arena, l, o, &t, arena_printf(arena, "random walks of %g s", o->walk), d);
    good &= trials_passed(TRIAL_WALK, up, o->trials);
  }
  if (isfinite(o->push)) {
    struct trial_options t = trial_of(l, o, TRIAL_PUSH);
    t.size = o->push;
    up = run_trials(arena, l, o, &t, arena_printf(arena, "a push of %g body weights for %g s", o->push, t.push_seconds),
                    d);
    good &= trials_passed(TRIAL_PUSH, up, o->trials);
  }
  if (isfinite(o->growing)) {
    struct trial_options t = trial_of(l, o, TRIAL_GROWING);
    t.growth = o->growing;
    up = run_trials(arena, l, o, &t, arena_printf(arena, "pushes that grow by %g body weights a second", o->growing),
                    d);
    good &= trials_passed(TRIAL_GROWING, up, o->trials);
  }
  return d->n_errors || !good ? CLI_FAILED : CLI_DONE;
}

/* ---- the work ---- */

static int list_controls(struct arena *arena, const char *run, struct diag *d)
{
  int n = 0;
  struct store *s = store_open(arena, run, STORE_READ, d);
  const struct store_control *c = s ? store_list_controls(arena, s, &n, d) : NULL;
  store_close(s);
  for (int i = 0; c && i < n; i++)
    printf("%4d  %-7s iteration %d of %d, %.1f core-seconds, %.1f %% of variance left, %.1f %% at the first go%s  "
           "(%s)\n", c[i].id,
           c[i].teacher, c[i].iteration, c[i].n_iterations, c[i].seconds, 100 * c[i].residual, 100 * c[i].success,
           isfinite(c[i].robustness) ? arena_printf(arena, ", falls after %.1f s", c[i].robustness) : "",
           learning_words(arena, &c[i]));
  return c ? CLI_DONE : CLI_WRONG_INPUT;
}

static int run_control(struct arena *arena, const char *run, struct control_options *o, struct diag *d)
{
  struct learning l;
  struct learning_options *learning = &o->learn.learning;
  struct guided_options *g = &learning->guided;
  if (o->list)
    return list_controls(arena, run, d);
  if (!learning_open(arena, run, learning->skill, &l, d))
    return CLI_WRONG_INPUT;
  learning_settle(l.creature, learning);
  g->samples = o->samples ? o->samples : g->samples;
  g->samples_first = o->first ? o->first : g->samples_first;
  g->visits = o->visits ? o->visits : g->visits;
  learning->lookahead.visits = o->visits ? o->visits : learning->lookahead.visits;
  g->value_weight = isfinite(o->value) ? o->value : g->value_weight;
  g->refine = o->refine;
  g->cycles_first = o->progressive;
  int status = learn_run(arena, &l, &o->learn, d);
  return status ? status : all_trials(arena, &l, o, d);
}

int control_line(struct arena *arena, const struct cli_line *line)
{
  struct control_options o = {.walk = NAN, .push = NAN, .growing = NAN, .seconds = NAN, .start = 0.02, .trials = 20,
                              .look = 16, .value = NAN};
  struct diag d;
  learn_defaults(&o.learn, line->argc, line->argv);
  int status = cli_read(line, &control_syntax, &o);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("control", "name a run file");
  if (status)
    return status;
  diag_init(&d);
  status = run_control(arena, line->operands[0], &o, &d);
  cli_report(&d);
  diag_clear(&d);
  return status;
}

int cli_control(int argc, char **argv)
{
  static const struct cli_syntax *const syntaxes[] = {&control_syntax};
  struct arena *arena = arena_new();
  int status = control_line(arena, cli_line_new(arena, syntaxes, 1, argc, argv));
  arena_free(arena);
  return status > 0 ? status : cli_finish_output("control");
}

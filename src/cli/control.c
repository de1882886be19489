/* muybridge control: policies for every fragment of a run file's motion graph, and how much they stand. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/solving.h"
#include "cli/steering.h"

static const char usage[] =
    "Usage: muybridge control [OPTION]... RUN\n"
    "   or: muybridge track RUN --method guided [OPTION]...\n"
    "Makes a control graph of the clips of RUN: a feedback policy for every tenth of a second of them, with which the\n"
    "creature walks its motion graph in the simulated world, pushed or not. It is kept in RUN and learned only once;\n"
    "guided learning that was stopped goes on after its last iteration. Then trials, if any are asked for.\n\n"
    "  -m, --teacher NAME   lqr (default), identification and Riccati recursion; guided, learning from its own samples\n"
    "      --policy P       of lqr: full (default), on all errors of a state; compact, distilled to the paper's features\n"
    "      --skill CLIP     only this cycle\n"
    "      --iterations N   of guided learning (default 10)\n"
    "      --samples N      drawn at a fragment after the first iteration (default 40)\n"
    "      --first N        drawn in the first (default 40)\n"
    "      --visits N       of a fragment in an iteration (default 100)\n"
    "      --value W        weight of the lqr teacher's value in the cost of samples (default 10; 0: as in the paper)\n"
    "      --measure N      after every iteration, so many trials of growing pushes, policy alone (guided: default 8)\n"
    "      --again          learn anew\n"
    "  -w, --walk S         trials: a random walk of so many seconds over the graph, from perturbed starts\n"
    "  -u, --push SIZE      trials: one push of 0.1 s and so many body weights on the trunk, any direction and phase\n"
    "  -g, --growing RATE   trials: pushes every 2 s that grow by so many body weights a second, until it falls\n"
    "  -n, --trials N       of each (default 20)\n"
    "      --look N         candidates of a round of looking ahead, 0: the policy alone (default 16)\n"
    "      --seconds S      after a push (default 6); of growing ones at most (default 900)\n"
    "      --start X        errors at the start, velocities three times it (default 0.02)\n"
    "  -s, --seed N         of learning and trials (default 1)\n"
    "  -j, --jobs N         workers (default 1)\n"
    "      --no-store       do not keep what is learned\n"
    "      --list           what the run file has, and stop\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 learned, and no walk fell, and 19 of 20 pushes were stood; 1 they were not; 2 the input or the command line\n"
    "is wrong.\n";

enum {
  OPTION_POLICY = 1000, OPTION_SKILL, OPTION_ITERATIONS, OPTION_SAMPLES, OPTION_FIRST, OPTION_VISITS, OPTION_VALUE, OPTION_MEASURE,
  OPTION_AGAIN, OPTION_LOOK, OPTION_SECONDS, OPTION_START, OPTION_NO_STORE, OPTION_LIST
};

struct control_options {
  struct steering_options steering;
  double walk, push, growing;   /* NaN: not asked for */
  double seconds;               /* NaN: as usual      */
  double start;
  int trials, look, list;
  int samples, first, visits;   /* 0: as usual        */
  double value;
};

/* ---- options ---- */

static int number(const char *option, double least, double most, double *out)
{
  return cli_number("control", option, optarg, least, most, out) ? CLI_DONE : CLI_WRONG_INPUT;
}

static int count(const char *option, double least, double most, int *out)
{
  double x;
  int status = number(option, least, most, &x);
  if (status == CLI_DONE)
    *out = (int)x;
  return status;
}

static int read_long(int k, struct control_options *o)
{
  switch (k) {
  case OPTION_POLICY: return steering_policy("control", optarg, &o->steering);
  case OPTION_SKILL: o->steering.skill = optarg; return CLI_DONE;
  case OPTION_ITERATIONS: return count("--iterations", 1, 1000, &o->steering.iterations);
  case OPTION_SAMPLES: return count("--samples", 2, 1e5, &o->samples);
  case OPTION_FIRST: return count("--first", 2, 1e5, &o->first);
  case OPTION_VISITS: return count("--visits", 10, 1e5, &o->visits);
  case OPTION_VALUE: return number("--value", 0, 1e6, &o->value);
  case OPTION_MEASURE: return count("--measure", 0, 1e4, &o->steering.measure);
  case OPTION_AGAIN: o->steering.again = 1; return CLI_DONE;
  case OPTION_LOOK: return count("--look", 0, 1e4, &o->look);
  case OPTION_SECONDS: return number("--seconds", 0.1, 1e5, &o->seconds);
  case OPTION_START: return number("--start", 0, 1, &o->start);
  case OPTION_NO_STORE: o->steering.no_store = 1; return CLI_DONE;
  case OPTION_LIST: o->list = 1; return CLI_DONE;
  default: return cli_usage_error("control", "wrong option");
  }
}

static int parse_options(int argc, char **argv, struct control_options *o)
{
  static const struct option options[] = {{"teacher", required_argument, NULL, 'm'},
                                          {"method", required_argument, NULL, 'm'},
                                          {"policy", required_argument, NULL, OPTION_POLICY},
                                          {"skill", required_argument, NULL, OPTION_SKILL},
                                          {"iterations", required_argument, NULL, OPTION_ITERATIONS},
                                          {"samples", required_argument, NULL, OPTION_SAMPLES},
                                          {"first", required_argument, NULL, OPTION_FIRST},
                                          {"visits", required_argument, NULL, OPTION_VISITS},
                                          {"value", required_argument, NULL, OPTION_VALUE},
                                          {"measure", required_argument, NULL, OPTION_MEASURE},
                                          {"again", no_argument, NULL, OPTION_AGAIN},
                                          {"walk", required_argument, NULL, 'w'},
                                          {"push", required_argument, NULL, 'u'},
                                          {"growing", required_argument, NULL, 'g'},
                                          {"trials", required_argument, NULL, 'n'},
                                          {"look", required_argument, NULL, OPTION_LOOK},
                                          {"seconds", required_argument, NULL, OPTION_SECONDS},
                                          {"start", required_argument, NULL, OPTION_START},
                                          {"seed", required_argument, NULL, 's'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"no-store", no_argument, NULL, OPTION_NO_STORE},
                                          {"list", no_argument, NULL, OPTION_LIST},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  int status = CLI_DONE;
  double seed = 1;
  for (int k; status == CLI_DONE && (k = getopt_long(argc, argv, "m:w:u:g:n:s:j:qh", options, NULL)) != -1;)
    switch (k) {
    case 'm': status = steering_teacher("control", optarg, &o->steering); break;
    case 'w': status = number("--walk", 1, 1e6, &o->walk); break;
    case 'u': status = number("--push", 0, 100, &o->push); break;
    case 'g': status = number("--growing", 1e-6, 1, &o->growing); break;
    case 'n': status = count("--trials", 1, 1e5, &o->trials); break;
    case 's': status = number("--seed", 0, 1e15, &seed); break;
    case 'j': status = count("--jobs", 1, 1000, &o->steering.jobs); break;
    case 'q': o->steering.quiet = 1; break;
    case 'h': fputs(usage, stdout); return -1;
    default: status = read_long(k, o); break;
    }
  o->steering.seed = (uint64_t)seed;
  return status;
}

/* ---- trials ---- */

static struct trial_options trial_of(const struct steering *s, const struct control_options *o, enum trial_kind kind)
{
  struct trial_options t;
  trial_defaults(s->creature, kind, &t);
  t.runner.candidates = s->controls->gains ? o->look : 0;
  t.start = o->start;
  t.seed = o->steering.seed;
  t.workers = o->steering.jobs;
  if (isfinite(o->seconds))
    t.seconds = o->seconds;
  return t;
}

/* Runs and tells; how many did not fall, -1 after an error. */
static int run_trials(struct arena *arena, const struct steering *s, const struct control_options *o,
                      const struct trial_options *t, const char *what, struct diag *d)
{
  const struct trial_result *r = trials_run(arena, s->controls, o->trials, t, d);
  double looks = 0, course = 0;
  if (!r)
    return -1;
  struct trial_summary sum = trials_summary(r, o->trials);
  for (int i = 0; i < o->trials; i++) {
    looks += r[i].looks / o->trials;
    course = fmax(course, r[i].course);
  }
  if (!o->steering.quiet)
    printf("%s: %d of %d did not fall; mean time %.1f s (deviation %.1f); looked ahead at %.1f %% of fragments; %.1f times "
           "real time on one core; off the path by %.2f L at most\n", what, sum.up, sum.n, sum.mean_seconds, sum.deviation,
           100 * looks, sum.speed, course);
  fflush(stdout);
  return sum.up;
}

static int all_trials(struct arena *arena, const struct steering *s, const struct control_options *o, struct diag *d)
{
  int good = 1, up;
  if (isfinite(o->walk)) {
    struct trial_options t = trial_of(s, o, TRIAL_WALK);
    t.seconds = o->walk;
    up = run_trials(arena, s, o, &t, arena_printf(arena, "random walks of %g s", o->walk), d);
    good &= up == o->trials;
  }
  if (isfinite(o->push)) {
    struct trial_options t = trial_of(s, o, TRIAL_PUSH);
    t.size = o->push;
    up = run_trials(arena, s, o, &t, arena_printf(arena, "a push of %g body weights for %g s", o->push, t.push_seconds), d);
    good &= 20 * up >= 19 * o->trials;
  }
  if (isfinite(o->growing)) {
    struct trial_options t = trial_of(s, o, TRIAL_GROWING);
    t.growth = o->growing;
    up = run_trials(arena, s, o, &t, arena_printf(arena, "pushes that grow by %g body weights a second", o->growing), d);
    good &= up >= 0;
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
    printf("%4d  %-7s iteration %d of %d, %.1f core-seconds, %.1f %% of variance left, %.1f %% at the first go%s  (%s)\n", c[i].id,
           c[i].teacher, c[i].iteration, c[i].n_iterations, c[i].seconds, 100 * c[i].residual, 100 * c[i].success,
           isfinite(c[i].robustness) ? arena_printf(arena, ", falls after %.1f s", c[i].robustness) : "", c[i].options);
  return c ? CLI_DONE : CLI_WRONG_INPUT;
}

static int run_control(struct arena *arena, const char *run, struct control_options *o, struct diag *d)
{
  struct steering s;
  if (o->list)
    return list_controls(arena, run, d);
  if (!steering_open(arena, run, o->steering.skill, &s, d))
    return CLI_WRONG_INPUT;
  struct guided_options *g = &o->steering.guided;
  guided_defaults(s.creature, g);
  g->samples = o->samples ? o->samples : g->samples;
  g->samples_first = o->first ? o->first : g->samples_first;
  g->visits = o->visits ? o->visits : g->visits;
  g->value_weight = isfinite(o->value) ? o->value : g->value_weight;
  if (o->steering.measure < 0)
    o->steering.measure = strcmp(o->steering.teacher, "guided") ? 0 : 8;
  int status = steering_learn(arena, &s, &o->steering, d);
  return status ? status : all_trials(arena, &s, o, d);
}

int cli_control(int argc, char **argv)
{
  struct control_options o = {.walk = NAN, .push = NAN, .growing = NAN, .seconds = NAN, .start = 0.02, .trials = 20,
                              .look = 16, .value = NAN};
  steering_defaults(&o.steering);
  o.steering.measure = -1;
  o.steering.argc = argc;
  o.steering.argv = argv;
  int status = parse_options(argc, argv, &o);
  if (status)
    return status < 0 ? cli_finish_output("control") : status;
  if (argc - optind != 1)
    return cli_usage_error("control", "name a run file");
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  status = run_control(arena, argv[optind], &o, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? status : cli_finish_output("control");
}

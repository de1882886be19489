/* muybridge synth, resume, status: a controller that builds itself, overnight if need be. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/seconds.h"
#include "cli/files.h"
#include "cli/found_gaits.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "search/job.h"
#include "search/synth.h"

#define OPTIONS_TEXT                                                                                                   \
  "      --budget TIME    end after 90s, 30m, 8h ... (default: no limit)\n"                                            \
  "      --clips N        end with this many clips in the graph (default: 40 for a\n"                                  \
  "                       direction, 60 for a speed, 120 to 600 for more)\n"                                           \
  "      --target COST    end at this cost of a frame\n"                                                               \
  "  -j, --jobs N         solve this many at once (default: one for each processor)\n"                                 \
  "      --json           progress as lines of JSON on standard output\n"                                              \
  "  -q, --quiet          print errors only\n"                                                                         \
  "  -h, --help           this text\n\n"

static const char synth_usage[] =
    "Usage: muybridge synth [OPTION]... CREATURE TASK -o RUN\n"
    "Builds a controller without supervision: a first gait, then step by step the transitions and cycles that lower\n"
    "the cost of the task most. Each is solved, verified and stored in RUN at once. A killed synthesis is continued\n"
    "with muybridge resume RUN; Ctrl-C ends it cleanly. For a creature without gait sections it finds gaits first, as\n"
    "muybridge gaits does: the cheapest of all, at the speed where it is cheapest, or those of all speeds if the task\n"
    "asks for speeds or gaits. That takes seconds to minutes of the budget; RUN then holds the creature with them.\n\n"
    "  -o, --output RUN     the run file (needed); must not hold a synthesis yet\n"
    "  -s, --seed N         of the random numbers (default 1)\n"
    "      --strategy NAME  guided, paper or uniform (default guided)\n"
    "      --task-gradients  optimize transitions also for what will be asked while they are played\n"
    "      --style NAME     how all of it is to look: proud, tired, sneaky, limping, laden or a file (may be given\n"
    "                       again)\n"
    "      --branches N     frames of a cycle at which it may be left, even (default 8)\n" OPTIONS_TEXT
    "Exit status: 0 a controller was made, 1 none was found, 2 the input or the command line is wrong.\n";

static const char resume_usage[] =
    "Usage: muybridge resume [OPTION]... RUN\n"
    "Continues a synthesis that was stopped, killed or finished, as if nothing had happened. It ends as given to\n"
    "muybridge synth, unless --clips or --target say otherwise.\n\n" OPTIONS_TEXT
    "Exit status: 0 a controller was made, 1 none was found, 2 the input or the command line is wrong.\n";

static const char status_usage[] =
    "Usage: muybridge status RUN\n"
    "Reports how far a synthesis is, also while it runs.\n\n"
    "  -h, --help  this text\n\n"
    "Exit status: 0 done, 2 the input or the command line is wrong.\n";

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
  (void)signal;
  interrupted = 1;
}

static void catch_signals(void)
{
  struct sigaction act = {.sa_handler = interrupt};
  sigaction(SIGINT, &act, NULL);
  sigaction(SIGTERM, &act, NULL);
}

/* ---- the command line ---- */

struct synthesis {
  const char *command, *output;
  struct cli_styles styles;
  struct synth_options o;
  int json, quiet, terminal;
  int new_clips, new_target;     /* were given                                                */
  int argc;
  char **argv;
  struct store *store;
  int last_iteration;            /* told                                                      */
  double last_time;              /* of the line on the terminal                               */
};

/* "90s", "30m", "8h", or seconds. */
static int read_budget(char *text, void *options)
{
  struct synthesis *s = options;
  char *end;
  double x = strtod(text, &end), unit = strcmp(end, "h") == 0            ? 3600
                                        : strcmp(end, "m") == 0          ? 60
                                        : strcmp(end, "s") == 0 || !*end ? 1
                                                                         : NAN;
  if (end == text || !(x * unit > 0) || !isfinite(x))
    return cli_usage_error(s->command, "--budget takes a time such as 90s, 30m or 8h, not '%s'", text);
  s->o.budget = x * unit;
  return CLI_DONE;
}

static int read_strategy(char *word, void *options)
{
  struct synthesis *s = options;
  for (int i = 0; choose_names[i]; i++)
    if (strcmp(choose_names[i], word) == 0) {
      s->o.strategy = (enum choose_strategy)i;
      return CLI_DONE;
    }
  return cli_usage_error(s->command, "there is no strategy '%s': guided, paper, uniform", word);
}

static int read_branches(char *text, void *options)
{
  struct synthesis *s = options;
  double x;
  if (!cli_number(s->command, "--branches", text, 2, 64, &x))
    return CLI_WRONG_INPUT;
  s->o.branches = (int)x + (int)x % 2;
  return CLI_DONE;
}

static int refuse_new(char *text, void *options)
{
  (void)text;
  return cli_usage_error(((struct synthesis *)options)->command,
                         "this was set by muybridge synth and cannot be changed");
}

#define SHARED_OPTIONS                                                                                                 \
  CLI_VALUE("jobs", 'j', synthesis, o.workers, 1, 1024), CLI_READ("budget", 0, read_budget),                           \
  CLI_VALUE("clips", 0, synthesis, o.clips, 1, 10000), CLI_VALUE("target", 0, synthesis, o.target, -1e9, 1e9),         \
  CLI_FLAG("json", 0, synthesis, json), CLI_FLAG("quiet", 'q', synthesis, quiet), CLI_HELP, CLI_LAST

static const struct cli_option synth_options[] = {
    CLI_TEXT("output", 'o', synthesis, output), CLI_VALUE("seed", 's', synthesis, o.seed, 0, 9e15),
    CLI_READ("strategy", 0, read_strategy), CLI_FLAG("task-gradients", 0, synthesis, o.task_gradients),
    CLI_FLAG("pulls", 0, synthesis, o.task_gradients), /* its former name */
    CLI_READ("branches", 0, read_branches), CLI_STYLE, SHARED_OPTIONS};
static const struct cli_option resume_options[] = {
    CLI_READ("output", 'o', refuse_new), CLI_READ("seed", 's', refuse_new), CLI_READ("strategy", 0, refuse_new),
    CLI_READ_MAYBE("task-gradients", 0, refuse_new), CLI_READ_MAYBE("pulls", 0, refuse_new),
    CLI_READ("branches", 0, refuse_new), CLI_READ("style", 0, refuse_new), SHARED_OPTIONS};
static const struct cli_syntax synth_syntax = {"synth", synth_usage, "wrong option", synth_options};
static const struct cli_syntax resume_syntax = {"resume", resume_usage, "wrong option", resume_options};

/* The exit status, or CLI_HELPED. */
static int parse_line(struct arena *arena, const struct cli_syntax *syntax, int argc, char **argv, struct synthesis *s,
                      struct cli_line **line)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  *s = (struct synthesis){.command = argv[0], .argc = argc, .argv = argv, .last_iteration = -1, .terminal = isatty(2)};
  synth_defaults(&s->o);
  s->o.workers = processors > 1 ? (int)processors : 1;
  int status = cli_parse(arena, syntax, argc, argv, s, line);
  s->styles = cli_line_styles(arena, *line);
  s->new_clips = cli_line_value(*line, "clips", 0) != NULL;
  s->new_target = cli_line_value(*line, "target", 0) != NULL;
  return status;
}

/* ---- watching ---- */

static const char *line_of(struct arena *arena, const struct synthesis *s, const struct synth_progress *p)
{
  const char *left =
      isfinite(s->o.budget) ? arena_printf(arena, ", %.0f s left", fmax(0, s->o.budget - p->seconds)) : "";
  if (!p->n_clips)
    return arena_printf(arena, "step %d: %s", p->iteration, p->words);
  return arena_printf(arena, "step %d: %d clip%s, cost %.4f (first %.4f), %d solved, %d failed%s; %s", p->iteration,
                      p->n_clips, p->n_clips == 1 ? "" : "s", p->cost, p->first_cost, p->solved, p->failed, left,
                      p->words);
}

static void print_json(const struct synth_progress *p)
{
  struct json j = json_to(stdout);
  json_object(&j, NULL);
  json_integer(&j, "step", p->iteration);
  json_integer(&j, "clips", p->n_clips);
  json_number(&j, "cost", p->cost, 6);
  json_number(&j, "first_cost", p->first_cost, 6);
  json_integer(&j, "solved", p->solved);
  json_integer(&j, "failed", p->failed);
  json_number(&j, "seconds", p->seconds, 8);
  json_text(&j, "now", p->words);
  json_end(&j);
  fflush(stdout);
}

static void beat(const struct synthesis *s, const char *line)
{
  char now[32];
  time_t t = time(NULL);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
  store_heartbeat(s->store, now, line);
}

static int watch(void *user, const struct synth_progress *p)
{
  struct synthesis *s = user;
  if (!p->words)
    return !interrupted;
  struct arena *scratch = arena_new();
  const char *line = line_of(scratch, s, p);
  int new_step = p->iteration != s->last_iteration;
  if (new_step || p->seconds - s->last_time > 1) {
    beat(s, line);
    s->last_time = p->seconds;
  }
  if (s->json)
    print_json(p);
  else if (!s->quiet && s->terminal)
    fprintf(stderr, "\r%.*s\033[K", 160, line);
  else if (!s->quiet && new_step)
    fprintf(stderr, "%8.1f s  %s\n", p->seconds, line);
  s->last_iteration = p->iteration;
  arena_free(scratch);
  return !interrupted;
}

/* ---- the work ---- */

static void print_json_end(enum synth_end end, int n_steps, const struct store_controller *c)
{
  struct json j = json_to(stdout);
  json_object(&j, NULL);
  json_text(&j, "end", synth_end_text(end));
  json_integer(&j, "steps", n_steps);
  json_integer(&j, "clips", c->n_clips);
  json_number(&j, "cost", c->cost, 6);
  json_integer(&j, "controller", c->id);
  json_end(&j);
}

/* Returns how many steps there are: without one there is no controller. */
static int print_outcome(const struct synthesis *s, struct arena *arena, enum synth_end end, struct diag *d)
{
  struct store_controller c = {0};
  int n = 0;
  struct store_step *steps = store_list_steps(arena, s->store, &n, d);
  if (!steps || (n && !store_get_controller(arena, s->store, 0, &c, d)) || s->quiet)
    return n;
  if (s->json) {
    print_json_end(end, n, &c);
    return n;
  }
  if (s->terminal)
    fputc('\n', stderr);
  printf("%s: %s\n", s->output, synth_end_text(end));
  if (n)
    printf("  cost of a frame %.4f, from %.4f of the first graph, in %d steps; %d clips, %d decision nodes, %d "
           "choices\n"
           "kept as controller %d; try: muybridge play %s --random 60 -p play.png\n",
           c.cost, steps[0].cost, n, c.n_clips, c.n_nodes, c.n_segments, c.id, s->output);
  else
    printf("  there is no controller yet\n");
  if (end == SYNTH_STOPPED || end == SYNTH_BUDGET)
    printf("it can go on: muybridge resume %s\n", s->output);
  return n;
}

static int run(struct synthesis *s, struct arena *arena, struct diag *d)
{
  s->o.clock = wall_seconds;
  s->o.progress = watch;
  s->o.user = s;
  catch_signals();
  synth_keep_state(arena, s->store, &s->o, "running");
  enum synth_end end = synth_run(s->store, &s->o, d);
  synth_keep_state(arena, s->store, &s->o, synth_end_text(end));
  if (end == SYNTH_FAILED)
    return CLI_FAILED;
  return print_outcome(s, arena, end, d) || end == SYNTH_STOPPED ? CLI_DONE : CLI_FAILED;
}

static int may_go_on(void)
{
  return !interrupted;
}

/* The creature of the run, with gaits that are found if it has none, and what is kept of it: NULL: its files. The exit
 * status. */
static int choose_creature(struct synthesis *s, struct arena *arena, const struct task_file *t,
                           const struct creature **c, const char **text, struct diag *d)
{
  double start = wall_seconds();
  struct found_gaits f = {.workers = s->o.workers, .json = s->json, .quiet = s->quiet, .may_go_on = may_go_on};
  if ((*c)->n_gaits && !(*c)->n_open)
    return CLI_DONE;
  catch_signals();
  int status = found_gaits_search(arena, &f, *c, t, s->store, d);
  s->o.budget = fmax(1e-3, s->o.budget - (wall_seconds() - start));
  if (interrupted && !d->n_errors && status != CLI_DONE)
    fprintf(stderr, "muybridge %s: stopped before gaits were found; nothing is kept of that\n", s->command);
  *c = f.creature;
  *text = f.text;
  return status;
}

static int keep_creature(struct synthesis *s, const struct creature *c, const char *text, struct diag *d)
{
  return text ? store_put_creature_text(s->store, c->file, text, strlen(text), d)
              : store_put_creature_files(s->store, c, d);
}

/* Puts creature, task and options into a new run. The exit status. */
static int begin_in_store(struct synthesis *s, struct arena *arena, const struct creature *c,
                          const struct task_file *file, const char *path, struct diag *d)
{
  const char *text = NULL;
  int status = choose_creature(s, arena, file, &c, &text, d);
  const struct task *t = status == CLI_DONE ? task_bind(arena, file, c, d) : NULL;
  if (!t)
    return status == CLI_DONE ? CLI_WRONG_INPUT : status;
  if (!s->new_clips)
    s->o.clips = task_usual_clips(t);
  return keep_creature(s, c, text, d) && cli_session(arena, s->store, s->argc, s->argv, d) &&
                 synth_begin(arena, s->store, s->output, t, path, &s->o, d)
             ? CLI_DONE
             : CLI_WRONG_INPUT;
}

/* A run file that was made for nothing goes. */
static void forget_store(struct synthesis *s, struct arena *arena)
{
  static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
  store_close(s->store);
  s->store = NULL;
  for (int i = 0; i < 4; i++)
    unlink(arena_printf(arena, "%s%s", s->output, endings[i]));
}

static int begin(struct synthesis *s, struct arena *arena, const char *creature, const char *task, struct diag *d)
{
  const struct creature *c = cli_load_styled(arena, creature, &s->styles, d);
  const char *path = cli_find(arena, task, FIND_TASK, d);
  const struct task_file *t = c && path ? task_load(arena, path, d) : NULL;
  int is_new = access(s->output, F_OK) != 0;
  if (!t || (c->n_gaits && !c->n_open && !task_bind(arena, t, c, d)))
    return CLI_WRONG_INPUT;
  s->store = store_open(arena, s->output, STORE_WRITE, d);
  int status = s->store && synth_may_begin(arena, s->store, s->output, d) ? begin_in_store(s, arena, c, t, path, d)
                                                                          : CLI_WRONG_INPUT;
  if (status != CLI_DONE && s->store && is_new)
    forget_store(s, arena);
  return status;
}

static int finish(struct synthesis *s, struct arena *arena, struct diag *d, int status)
{
  int errors = cli_report(d);
  store_close(s->store);
  arena_free(arena);
  diag_clear(d);
  if (errors && status == CLI_DONE)
    return CLI_WRONG_INPUT;
  return status == CLI_DONE || status == CLI_HELPED ? cli_finish_output(s->command) : status;
}

int cli_synth(int argc, char **argv)
{
  struct synthesis s;
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = parse_line(arena, &synth_syntax, argc, argv, &s, &line);
  if (status == CLI_DONE && line->n_operands != 2)
    status = cli_usage_error("synth", "a creature and a task are needed");
  else if (status == CLI_DONE && !s.output)
    status = cli_usage_error("synth", "--output is needed");
  else if (status == CLI_DONE) {
    status = begin(&s, arena, line->operands[0], line->operands[1], &d);
    if (status == CLI_DONE)
      status = run(&s, arena, &d);
  }
  return finish(&s, arena, &d, status);
}

/* What the run file says about the synthesis comes back into the options. */
static int recall(struct synthesis *s, struct arena *arena, struct diag *d)
{
  struct synth_options given = s->o;
  s->store = store_open(arena, s->output, STORE_WRITE, d);
  int there = s->store ? synth_recall(arena, s->store, s->output, &s->o, d) : -1;
  if (there == 0)
    diag_error(d, s->output, 0, "there is no synthesis in this run file; muybridge synth begins one");
  if (s->new_clips)
    s->o.clips = given.clips;
  if (s->new_target)
    s->o.target = given.target;
  return there == 1 && cli_session(arena, s->store, s->argc, s->argv, d);
}

int cli_resume(int argc, char **argv)
{
  struct synthesis s;
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = parse_line(arena, &resume_syntax, argc, argv, &s, &line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("resume", "a run file is needed");
  else if (status == CLI_DONE) {
    s.output = line->operands[0];
    if (access(s.output, F_OK) != 0)
      diag_error(&d, s.output, 0, "there is no such file");
    status = !d.n_errors && recall(&s, arena, &d) ? run(&s, arena, &d) : CLI_WRONG_INPUT;
  }
  return finish(&s, arena, &d, status);
}

/* ---- status ---- */

static void print_status(struct arena *arena, struct store *store, const char *path, struct diag *d)
{
  struct store_synth told;
  struct store_progress last;
  int n_steps = 0, n = 0, solved = 0, clips = 0, there = store_get_synth(arena, store, &told, d);
  if (there == 0)
    diag_error(d, path, 0, "there is no synthesis in this run file");
  struct store_step *steps = there == 1 ? store_list_steps(arena, store, &n_steps, d) : NULL;
  struct store_attempt *attempts = steps ? store_list_attempts(arena, store, -1, &n, d) : NULL;
  if (!attempts)
    return;
  for (int i = 0; i < n; i++)
    solved += attempts[i].n_clips > 0;
  printf("%s: strategy %s, seed %llu; %s\n", path, told.strategy, (unsigned long long)told.seed, told.state);
  printf("  %d steps, %d attempts: %d solved, %d failed\n", n_steps, n, solved, n - solved);
  printf("  %4s  %5s  %9s  %8s\n", "step", "clips", "cost", "gain");
  for (int i = 0; i < n_steps; i++) {
    clips += steps[i].n_clips;
    printf("  %4d  %5d  %9.4f  %8.4f\n", steps[i].iteration, clips, steps[i].cost,
           i ? steps[i - 1].cost - steps[i].cost : 0);
  }
  if (store_get_progress(arena, store, &last, d) == 1)
    printf("  last heard of at %s: %s\n", last.time, last.words);
}

static const struct cli_option status_options[] = {CLI_HELP, CLI_LAST};
static const struct cli_syntax status_syntax = {"status", status_usage, "wrong option", status_options};

int cli_status(int argc, char **argv)
{
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = cli_parse(arena, &status_syntax, argc, argv, NULL, &line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("status", "a run file is needed");
  else if (status == CLI_DONE) {
    struct store *store = store_open(arena, line->operands[0], STORE_READ, &d);
    if (store)
      print_status(arena, store, line->operands[0], &d);
    store_close(store);
    status = cli_report(&d) ? CLI_WRONG_INPUT : cli_finish_output("status");
  }
  arena_free(arena);
  diag_clear(&d);
  return cli_exit_status(&status_syntax, status);
}

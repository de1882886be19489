/* muybridge policy: the clips of a run file become a controller for a task. */
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "store/run_controller.h"

static const char usage[] =
    "Usage: muybridge policy [OPTION]... RUN TASK\n"
    "Makes a controller of the clips of a run file: finds the best choice at every branch for all that a user of the\n"
    "task may ask, and what a frame costs on average. Keeps task and controller in the run file. TASK is a task file,\n"
    "or the name of one that comes along (direction, direction_gait, direction_torso, speed ...).\n\n"
    "  -o, --output FILE   write the controller for the player, too (FILE.play)\n"
    "  -m, --mirror        first add the mirror images of all transitions, where the clips they join are symmetric;\n"
    "                      of a creature that is not symmetric none are added, and a warning says why\n"
    "      --memory MB     refuse tasks whose grid needs more (default 1074)\n"
    "  -q, --quiet         print errors only\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 done, 1 a file could not be written, 2 the input or the command line is wrong.\n";

struct policy_options {
  const char *output;
  int mirror, quiet;
  double memory;                /* [MB], 0: not given                      */
  int argc;                     /* the whole command line, for the record  */
  char **argv;
};

static const struct cli_option policy_options[] = {
    CLI_TEXT("output", 'o', policy_options, output), CLI_FLAG("mirror", 'm', policy_options, mirror),
    CLI_VALUE("memory", 0, policy_options, memory, 0.001, 1e6), CLI_FLAG("quiet", 'q', policy_options, quiet),
    CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"policy", usage, "wrong option", policy_options};

/* ---- what is printed ---- */

static void print_clips(const struct controller *c)
{
  static const char *const why[] = {[GRAPH_USED] = "", [GRAPH_UNREACHABLE] = "left out: no way leads there",
                                    [GRAPH_NO_WAY_BACK] = "left out: no way leads back"};
  const struct motion_graph *g = c->graph;
  printf("  %4s  %-20s  %6s  %8s  %9s\n", "clip", "name", "frames", "effort", "time");
  for (int i = 0; i < g->n_clips; i++) {
    const struct graph_clip *k = &g->clips[i];
    printf("  %4d  %-20s  %6d  %8.3g", k->id, k->clip->name, k->clip->n_frames,
           k->features[0].counted_effort / c->effort);
    if (g->use[i] == GRAPH_USED)
      printf("  %7.2f %%\n", 100 * c->clip_share[i]);
    else
      printf("  %s\n", why[g->use[i]]);
  }
}

static void print_controller(const char *run, const struct controller *c)
{
  const struct motion_graph *g = c->graph;
  const struct values *v = c->values;
  printf("%s: a controller for '%s', of %d clip%s of %s\n", run, c->task->name, g->n_clips - g->n_left_out,
         g->n_clips - g->n_left_out == 1 ? "" : "s", g->creature->name);
  print_clips(c);
  printf("  %d node%s, %d segments; grid %s; %.3g MB\n", g->n_nodes, g->n_nodes == 1 ? "" : "s", g->n_segments,
         controller_grid_text(c->task).words, (double)c->memory * 1e-6);
  printf("  cost of a frame %.5g, for certain from %.5g to %.5g; %d sweeps, and %d on a coarser grid\n", c->cost,
         c->lower, c->upper, v->sweeps, v->coarse_sweeps);
  printf("  made of: body %.4g", c->body_cost);
  for (int p = 0; p < c->task->n_parameters; p++)
    printf(", %s %.4g", c->task->parameters[p].kind->name, c->task_cost[p]);
  putchar('\n');
}

/* ---- the work ---- */

/* What there is to be made of, and what was made of it. */
struct policy_work {
  struct arena *arena;
  struct store *store;
  const char *run, *task_path;
  const struct controller *controller;
  struct store_controller kept;
};

/* 0 after an error. */
static int make_controller(struct policy_work *w, const struct policy_options *o, struct diag *d)
{
  struct run_controller_options options = {o->mirror, o->memory, cli_session_now(w->arena, o->argc, o->argv)};
  int mirrored = 0;
  w->controller = run_controller_make(w->arena, w->store, w->run, w->task_path, &options, &mirrored, d);
  if (mirrored > 0 && !o->quiet)
    printf("%s: %d mirror image%s added\n", w->run, mirrored, mirrored == 1 ? "" : "s");
  return w->controller != NULL;
}

static int write_bytes(const void *what, FILE *out)
{
  const struct store_controller *c = what;
  return fwrite(c->bytes, 1, c->n_bytes, out) != c->n_bytes;
}

/* Opens the run file, which must be there: 0 after an error. */
static int open_run(struct policy_work *w, struct diag *d)
{
  struct store *s = store_open(w->arena, w->run, STORE_READ, d); /* would not make one */
  store_close(s);
  w->store = s ? store_open(w->arena, w->run, STORE_WRITE, d) : NULL;
  return w->store != NULL;
}

static int run_policy(struct policy_work *w, const struct policy_options *o, struct diag *d)
{
  if (open_run(w, d) && make_controller(w, o, d) && !o->quiet)
    print_controller(w->run, w->controller);
  if (!w->controller)
    return CLI_WRONG_INPUT;
  struct store_session session = cli_session_now(w->arena, o->argc, o->argv);
  if (!run_controller_keep(w->arena, w->store, w->controller, w->task_path, &session, &w->kept, d))
    return CLI_FAILED;
  if (!o->quiet)
    printf("kept as controller %d of %s, %.3g MB, for task %d\n", w->kept.id, w->run, (double)w->kept.n_bytes * 1e-6,
           w->kept.task);
  if (o->output && !cli_write("policy", o->output, write_bytes, &w->kept))
    return CLI_FAILED;
  if (o->output && !o->quiet)
    printf("wrote %s\n", o->output);
  return cli_finish_output("policy");
}

int cli_policy(int argc, char **argv)
{
  struct policy_options o = {.argc = argc, .argv = argv};
  struct cli_line *line;
  struct diag d;
  diag_init(&d);
  struct policy_work w = {.arena = arena_new()};
  int status = cli_parse(w.arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE && line->n_operands != 2)
    status = cli_usage_error("policy", "name a run file and a task");
  else if (status == CLI_DONE && o.output && store_is_run_file(o.output))
    status = cli_usage_error("policy", "'%s' is a run file and would be lost; name another output", o.output);
  else if (status == CLI_DONE) {
    w.run = line->operands[0];
    w.task_path = cli_find(w.arena, line->operands[1], FIND_TASK, &d);
    status = w.task_path ? run_policy(&w, &o, &d) : CLI_WRONG_INPUT;
  }
  if (cli_report(&d) && status == CLI_DONE)
    status = CLI_FAILED;
  store_close(w.store);
  diag_clear(&d);
  arena_free(w.arena);
  return cli_exit_status(&syntax, status);
}

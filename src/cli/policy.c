/* muybridge policy: the clips of a run file become a controller for a task. */
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "policy/controller.h"
#include "store/mirror_images.h"
#include "store/run_inputs.h"

static const char usage[] =
    "Usage: muybridge policy [OPTION]... RUN TASK\n"
    "Makes a controller of the clips of a run file: finds the best choice at every branch for all that a user of the\n"
    "task may ask, and what a frame costs on average. Keeps task and controller in the run file. TASK is a task file,\n"
    "or the name of one that comes along (direction, direction_gait, direction_torso, speed ...).\n\n"
    "  -o, --output FILE   write the controller for the player, too (FILE.play)\n"
    "  -m, --mirror        first add the mirror images of all transitions, where the clips they join are symmetric\n"
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
    printf("  %4d  %-20s  %6d  %8.3g", k->id, k->clip->name, k->clip->n_frames, k->features[0].effort / c->effort);
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
  struct graph_input clips;
  const struct task *task;
  const struct controller *controller;
  struct store_controller kept;
};

/* Adds mirror images and reads the clips again with them. 0 after an error. */
static int add_mirrors(struct policy_work *w, const struct policy_options *o, struct diag *d)
{
  if (!cli_session(w->arena, w->store, o->argc, o->argv, d))
    return 0;
  int added = store_add_mirror_images(w->arena, w->store, &w->clips, d);
  if (added > 0 && !o->quiet)
    printf("%s: %d mirror image%s added\n", w->run, added, added == 1 ? "" : "s");
  return added == 0 || (added > 0 && run_inputs_clips(w->arena, w->store, w->run, &w->clips, d));
}

/* 0 after an error. */
static int make_controller(struct policy_work *w, const struct policy_options *o, struct diag *d)
{
  struct controller_options options;
  const struct task_file *file = task_load(w->arena, w->task_path, d);
  if (!file || !run_inputs_clips(w->arena, w->store, w->run, &w->clips, d))
    return 0;
  w->task = task_bind(w->arena, file, w->clips.creature, d);
  if (!w->task || (o->mirror && !add_mirrors(w, o, d)))
    return 0;
  controller_defaults(&options);
  if (o->memory > 0)
    options.values.memory = (size_t)(o->memory * 1e6);
  const struct motion_graph *g = graph_new(w->arena, &w->clips, d);
  if (!g || graph_check(g, d) > 0) /* a controller is as good as its clips */
    return 0;
  w->controller = controller_solve(w->arena, g, w->task, &options, d);
  return w->controller != NULL;
}

static int keep_controller(struct policy_work *w, const struct policy_options *o, struct diag *d)
{
  const struct controller *c = w->controller;
  const struct motion_graph *g = c->graph;
  w->kept = (struct store_controller){.cost = c->cost, .cost_lower = c->lower, .cost_upper = c->upper,
                                      .n_clips = g->n_clips - g->n_left_out, .n_nodes = g->n_nodes,
                                      .n_segments = g->n_segments};
  w->kept.bytes = controller_bytes(w->arena, c, &w->kept.n_bytes, d);
  if (!w->kept.bytes || !cli_session(w->arena, w->store, o->argc, o->argv, d))
    return 0;
  w->kept.task = store_put_task(w->store, w->task_path, d);
  w->kept.id = w->kept.task ? store_put_controller(w->store, &w->kept, d) : 0;
  return w->kept.id > 0;
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
  if (!keep_controller(w, o, d))
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

/* muybridge plot: figures of creatures and clips. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/controlling.h"
#include "plots/figures.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge plot [OPTION]... KIND FILE\n"
    "   or: muybridge plot --list\n"
    "Draws a figure of a clip in a run file, of the run's newest controller, or of a creature. Figures over several\n"
    "clips take all of the run, those of costs all cyclic ones.\n\n"
    "  -o, --output FILE  where to (.png, .svg or .pdf; default KIND.png)\n"
    "  -c, --clip CLIP    which clip, by number or name (default: the first)\n"
    "  -l, --list         the kinds of figures\n"
    "  -q, --quiet        print errors only\n"
    "  -h, --help         this text\n\n"
    "Exit status: 0 drawn, 1 the picture could not be written, 2 the input or the command line is wrong.\n";

static int list_kinds(void)
{
  for (int i = 0; i < figures_count(); i++)
    printf("%-14s %s\n", figures_kind(i)->name, figures_kind(i)->what);
  return cli_finish_output("plot");
}

/* Costs of all cyclic clips of the run. */
static void gather_points(struct arena *arena, struct store *s, struct figures_input *in, struct diag *d)
{
  int n = 0;
  struct store_line *lines = store_list_clips(arena, s, &n, d);
  struct transport_point *points = ARENA_NEW(arena, (size_t)n + 1, struct transport_point);
  for (int i = 0; lines && i < n; i++) {
    struct store_record record = {NULL, NULL, NULL};
    if (lines[i].clip.cyclic && lines[i].has_summary && store_get_record(arena, s, lines[i].id, &record, d))
      points[in->n_points++] = (struct transport_point){lines[i].clip.gait, lines[i].summary.speed,
                                                        lines[i].summary.cost_of_transport,
                                                        record.report ? record.report->cost : 0};
  }
  in->points = points;
}

/* All clips of the run. */
static void gather_clips(struct arena *arena, struct store *s, struct figures_input *in, struct diag *d)
{
  int n = 0;
  struct store_line *lines = store_list_clips(arena, s, &n, d);
  const struct clip **clips = ARENA_NEW(arena, (size_t)n + 1, const struct clip *);
  for (int i = 0; lines && i < n; i++) {
    clips[in->n_clips] = store_get_clip(arena, s, lines[i].id, d);
    in->n_clips += clips[in->n_clips] != NULL;
  }
  in->clips = clips;
}

#define RESPONSE_SECONDS 8.0

/* What the player that is kept does when something else is asked. */
static const struct response_table *gather_responses(struct arena *arena, const struct store_controller *kept,
                                                     const char *file, const struct task *task, struct diag *d)
{
  char why[200];
  struct player_controller *player = player_load_memory(kept->bytes, kept->n_bytes, why, sizeof why);
  const struct response_table *r = player ? response_of_nodes(arena, player, task, RESPONSE_SECONDS, d) : NULL;
  if (!player)
    diag_error(d, file, 0, "controller %d: %s", kept->id, why);
  player_unload(player);
  return r;
}

/* The newest controller of the run, worked out once more: the run keeps what a player needs, not the values. */
static void gather_controller(struct arena *arena, struct store *s, const char *file, unsigned needs,
                              struct figures_input *in, struct diag *d)
{
  struct store_controller kept;
  struct graph_input clips;
  if (!store_get_controller(arena, s, 0, &kept, d))
    return;
  const struct task *task = controlling_task(arena, s, kept.task, in->creature, d);
  if (task && needs & FIGURES_RESPONSES)
    in->responses = gather_responses(arena, &kept, file, task, d);
  if (!task || !(needs & FIGURES_CONTROLLER) || !controlling_clips(arena, s, file, &clips, d))
    return;
  struct controller *c = controller_new(arena, &clips, task, NULL, d);
  if (c && (c->graph->n_nodes != kept.n_nodes || c->graph->n_segments != kept.n_segments))
    diag_warning(d, file, 0, "clips were added after controller %d was made: drawn as it would be with them", kept.id);
  in->controller = c;
}

/* What the figure needs, from a run file. 0 after an error. */
static int gather_from_run(struct arena *arena, struct store *s, const char *file, unsigned needs, const char *which,
                           struct figures_input *in, struct diag *d)
{
  in->creature = store_get_creature(arena, s, d);
  if (!in->creature)
    return 0;
  if (needs & (FIGURES_CLIP | FIGURES_REPORT)) {
    int id = store_find_clip(s, which, d);
    struct store_record record = {NULL, NULL, NULL};
    in->clip = id ? store_get_clip(arena, s, id, d) : NULL;
    if (!in->clip || !store_get_record(arena, s, id, &record, d))
      return 0;
    in->report = record.report;
  }
  if (needs & FIGURES_CLIPS)
    gather_clips(arena, s, in, d);
  if (needs & FIGURES_POINTS)
    gather_points(arena, s, in, d);
  if (needs & (FIGURES_CONTROLLER | FIGURES_RESPONSES))
    gather_controller(arena, s, file, needs, in, d);
  return !d->n_errors;
}

static int plot(struct arena *arena, const char *kind, const char *file, const char *which, const char *output,
                struct diag *d)
{
  const struct figures_kind *k = figures_find(kind);
  struct figures_input in = {0};
  if (!k)
    return cli_usage_error("plot", "there is no figure '%s'; --list names them", kind);
  if (store_is_run_file(file)) {
    struct store *s = store_open(arena, file, STORE_READ, d);
    int gathered = s && gather_from_run(arena, s, file, k->needs, which, &in, d);
    store_close(s);
    if (!gathered)
      return CLI_WRONG_INPUT;
  } else {
    in.creature = cli_load_creature(arena, file, d);
    if (!in.creature)
      return CLI_WRONG_INPUT;
    if (k->needs & ~(unsigned)FIGURES_CREATURE) {
      diag_error(d, file, 0, "the figure '%s' needs %s: give a run file", kind, figures_needs_text(k->needs));
      return CLI_WRONG_INPUT;
    }
  }
  return figures_draw(kind, &in, output, d) ? CLI_DONE : CLI_FAILED;
}

int cli_plot(int argc, char **argv)
{
  static const struct option options[] = {{"output", required_argument, NULL, 'o'}, {"clip", required_argument, NULL, 'c'},
                                          {"list", no_argument, NULL, 'l'},         {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
  const char *output = NULL, *which = NULL;
  int quiet = 0;
  for (int k; (k = getopt_long(argc, argv, "o:c:lqh", options, NULL)) != -1;)
    switch (k) {
    case 'o': output = optarg; break;
    case 'c': which = optarg; break;
    case 'l': return list_kinds();
    case 'q': quiet = 1; break;
    case 'h': fputs(usage, stdout); return cli_finish_output("plot");
    default: return cli_usage_error("plot", "wrong option");
    }
  if (argc - optind != 2)
    return cli_usage_error("plot", "name a kind of figure and a file");
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  if (!output)
    output = arena_printf(arena, "%s.png", argv[optind]);
  int status = plot(arena, argv[optind], argv[optind + 1], which, output, &d);
  cli_report(&d);
  diag_clear(&d);
  if (status == CLI_DONE && !quiet)
    printf("drew %s\n", output);
  arena_free(arena);
  return status ? status : cli_finish_output("plot");
}

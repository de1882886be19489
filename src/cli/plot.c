/* muybridge plot: figures of creatures and clips. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/performing.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "plots/figures.h"
#include "store/run_inputs.h"
#include "store/store.h"
#include "store/performances.h"

static const char usage[] =
    "Usage: muybridge plot [OPTION]... KIND FILE\n"
    "   or: muybridge plot [OPTION]... all FILE\n"
    "   or: muybridge plot --list\n"
    "Draws a figure of a clip in a run file, of the run's newest controller, or of a creature. Figures over several\n"
    "clips take all of the run, those of costs all cyclic ones. 'all' draws every figure that the file has something\n"
    "for.\n\n"
    "  -o, --output FILE  where to (.png, .svg or .pdf; default KIND.png); of 'all' a folder (default plots)\n"
    "  -c, --clip CLIP    which clip, by number or name (default: the first)\n"
    "  -k, --track N      which track, or motion under modal control, by number (default: the newest)\n"
    "  -f, --format F     of 'all': png, svg or pdf (default png)\n"
    "  -s, --size W[xH]   pixels (PNG) or points that the picture fits into, 32 to 14400 (default: its own size)\n"
    "  -p, --play SCRIPT  what is asked in 'frames' and 'play' (default: 12 s of the task's own user)\n"
    "  -b, --baseline RUN to compare the cost of a synthesis with\n"
    "  -t, --title TEXT   in place of the figure's own\n"
    "  -d, --dark         light on dark, for dark screens\n"
    "  -l, --list         the kinds of figures\n"
    "  -q, --quiet        print errors only\n"
    "  -h, --help         this text\n\n"
    "Exit status: 0 drawn, 1 the picture could not be written, 2 the input or the command line is wrong.\n";

struct plot_options {
  const char *output, *clip, *format, *title, *script, *baseline;
  int width, height, dark, list, quiet, track;
};

static void list_kinds(void)
{
  for (int i = 0; i < figures_count(); i++)
    printf("%-15s %s\n", figures_kind(i)->name, figures_kind(i)->what);
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
  struct muy_player_controller *player = muy_player_load_memory(kept->bytes, kept->n_bytes, why, sizeof why);
  const struct response_table *r = player ? response_of_nodes(arena, player, task, RESPONSE_SECONDS, d) : NULL;
  if (!player)
    diag_error(d, file, 0, "controller %d: %s", kept->id, why);
  muy_player_unload(player);
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
  const struct task *task = run_inputs_task(arena, s, kept.task, in->creature, d);
  if (task && needs & FIGURES_RESPONSES)
    in->responses = gather_responses(arena, &kept, file, task, d);
  if (!task || !(needs & FIGURES_CONTROLLER) || !run_inputs_clips(arena, s, file, &clips, d))
    return;
  struct controller *c = controller_new(arena, &clips, task, NULL, d);
  if (c && (c->graph->n_nodes != kept.n_nodes || c->graph->n_segments != kept.n_segments))
    diag_warning(d, file, 0, "clips were added after controller %d was made: drawn as it would be with them", kept.id);
  in->controller = c;
}

/* The steps of a run's synthesis. NULL if there are none, or after an error. */
static const struct cost_steps *gather_steps(struct arena *arena, struct store *s, const char *what, struct diag *d)
{
  struct store_synth told;
  struct cost_steps *c = ARENA_NEW(arena, 1, struct cost_steps);
  if (store_get_synth(arena, s, &told, d) <= 0)
    return NULL;
  c->steps = store_list_steps(arena, s, &c->n, d);
  c->label = arena_printf(arena, "%s%s, seed %llu", what, told.strategy, (unsigned long long)told.seed);
  return c->steps && c->n > 0 ? c : NULL;
}

static void gather_cost(struct arena *arena, struct store *s, const char *file, const struct plot_options *o,
                        struct figures_input *in, struct diag *d)
{
  in->steps = gather_steps(arena, s, "", d);
  if (!in->steps && !d->n_errors)
    diag_error(d, file, 0, "this run has no steps of a synthesis");
  struct store *other = o->baseline ? store_open(arena, o->baseline, STORE_READ, d) : NULL;
  if (!other)
    return;
  in->baseline = gather_steps(arena, other, "baseline: ", d);
  store_close(other);
  if (!in->baseline && !d->n_errors)
    diag_error(d, o->baseline, 0, "this run has no steps of a synthesis");
}

#define PLAY_SECONDS 12.0

/* A performance of the newest controller, whose player is for the caller to unload. */
static struct muy_player_controller *gather_play(struct arena *arena, const char *file, const struct plot_options *o,
                                             struct figures_input *in, struct diag *d)
{
  struct store_controller kept;
  const struct task *task;
  struct muy_player_controller *player = run_inputs_player(arena, file, 0, &kept, &task, d);
  struct performance_request r = {.task = task, .player = player, .seconds = PLAY_SECONDS, .seed = 1};
  if (player && o->script)
    r.script = cli_load_script(arena, o->script, task, d);
  if (player && !d->n_errors)
    in->play = performance_play(arena, &r, d);
  return player;
}

static const struct recording *read_track(struct arena *arena, struct store *s, int number, const char **title,
                                          struct diag *d)
{
  struct performing p;
  if (!performing_load(arena, s, SERIES_TRACK, number, &p, d))
    return NULL;
  *title = arena_printf(arena, "%s: %s, by %s", p.creature->name, p.kept.what, p.kept.way);
  return p.recording;
}

/* A bar for each track. NULL after an error. */
static const struct torque_squares *gather_squares(struct arena *arena, struct store *s, struct diag *d)
{
  int n = 0;
  struct store_performance *tracks = store_list_performances(arena, s, SERIES_TRACK, &n, d);
  struct torque_squares *t = ARENA_NEW(arena, 1, struct torque_squares);
  t->bars = ARENA_NEW(arena, (size_t)n + 1, struct torque_bar);
  for (int i = 0; tracks && i < n; i++) {
    const char *title;
    const struct recording *track = read_track(arena, s, tracks[i].number, &title, d);
    if (track)
      t->bars[t->n++] = (struct torque_bar){tracks[i].what, arena_printf(arena, "%d, %s", tracks[i].number,
                                                                         tracks[i].way),
                                            recording_torque_squares(track), tracks[i].success};
  }
  return t->n > 0 ? t : NULL;
}

static void gather_tracks(struct arena *arena, struct store *s, const char *file, unsigned needs,
                          const struct plot_options *o, struct figures_input *in, struct diag *d)
{
  if (needs & (FIGURES_TRACK | FIGURES_SAMPLES))
    in->track = read_track(arena, s, o->track, &in->track_title, d);
  if (needs & FIGURES_TRACKS && !(in->squares = gather_squares(arena, s, d)) && !d->n_errors)
    diag_error(d, file, 0, "there are no tracks in this run file");
}

static void gather_modal(struct arena *arena, struct store *s, const struct plot_options *o, struct figures_input *in,
                         struct diag *d)
{
  struct performing *p = ARENA_NEW(arena, 1, struct performing);
  if (!performing_load(arena, s, SERIES_MODAL, o->track, p, d))
    return;
  in->modal = p->modal.run;
  in->modal_options = &p->modal.options;
  in->modal_title = p->kept.what;
}

/* What the figure needs, from a run file. 0 after an error. */
static int gather_from_run(struct arena *arena, struct store *s, const char *file, unsigned needs,
                           const struct plot_options *o, struct figures_input *in, struct diag *d)
{
  in->creature = store_get_creature(arena, s, d);
  if (!in->creature)
    return 0;
  if (needs & (FIGURES_CLIP | FIGURES_REPORT)) {
    int id = store_find_clip(s, o->clip, d);
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
  if (needs & (FIGURES_TRACK | FIGURES_SAMPLES | FIGURES_TRACKS))
    gather_tracks(arena, s, file, needs, o, in, d);
  if (needs & FIGURES_MODAL)
    gather_modal(arena, s, o, in, d);
  if (needs & FIGURES_STEPS)
    gather_cost(arena, s, file, o, in, d);
  return !d->n_errors;
}

/* ---- one figure, or all of them ---- */

/* What a figure needs, from a run file or a creature file. 0 after an error. */
static int gather(struct arena *arena, const struct figures_kind *k, const char *file, const struct plot_options *o,
                  struct figures_input *in, struct diag *d)
{
  if (store_is_run_file(file)) {
    struct store *s = store_open(arena, file, STORE_READ, d);
    int gathered = s && gather_from_run(arena, s, file, k->needs, o, in, d);
    store_close(s);
    return gathered;
  }
  in->creature = cli_load_creature(arena, file, d);
  if (in->creature && k->needs & ~(unsigned)FIGURES_CREATURE)
    diag_error(d, file, 0, "the figure '%s' needs %s: give a run file", k->name, figures_needs_text(k->needs));
  return !d->n_errors;
}

static int plot_one(struct arena *arena, const char *kind, const char *file, const struct plot_options *o,
                    const char *output, struct diag *d)
{
  const struct figures_kind *k = figures_find(kind);
  struct figures_input in = {0};
  if (!k)
    return cli_usage_error("plot", "there is no figure '%s'; --list names them", kind);
  struct muy_player_controller *player = NULL;
  int good = gather(arena, k, file, o, &in, d);
  if (good && k->needs & FIGURES_PLAY)
    player = gather_play(arena, file, o, &in, d);
  if (good && k->needs & FIGURES_CONTROL)
    in.control = control_figures_load(arena, file, d);
  int status = !good || d->n_errors ? CLI_WRONG_INPUT : figures_draw(kind, &in, output, d) ? CLI_DONE : CLI_FAILED;
  muy_player_unload(player);
  if (status == CLI_DONE && !o->quiet)
    printf("drew %s\n", output);
  return status;
}

static unsigned tracks_there_are(struct arena *arena, struct store *s, const struct plot_options *o, struct diag *d)
{
  int n = 0;
  const char *title;
  const struct creature *c = store_get_creature(arena, s, d);
  if (!c || !store_list_performances(arena, s, SERIES_TRACK, &n, d) || n == 0)
    return 0;
  const struct recording *t = read_track(arena, s, o->track, &title, d);
  return FIGURES_TRACKS | (t ? FIGURES_TRACK : 0) | (t && t->windows ? FIGURES_SAMPLES : 0);
}

static unsigned modals_there_are(struct arena *arena, struct store *s, struct diag *d)
{
  int n = 0;
  return store_list_performances(arena, s, SERIES_MODAL, &n, d) && n > 0 ? FIGURES_MODAL : 0;
}

/* Which kinds of figures the file has something for: needs that are met. 0 after an error. */
static int what_there_is(struct arena *arena, const char *file, const struct plot_options *o, unsigned *met,
                         struct diag *d)
{
  *met = FIGURES_CREATURE;
  if (!store_is_run_file(file))
    return cli_load_creature(arena, file, d) != NULL;
  struct store *s = store_open(arena, file, STORE_READ, d);
  int n = 0, n_controllers = 0, id = s ? store_find_clip(s, o->clip, d) : 0;
  struct store_line *lines = id ? store_list_clips(arena, s, &n, d) : NULL;
  struct store_record record = {NULL, NULL, NULL};
  if (id && store_get_record(arena, s, id, &record, d))
    *met |= FIGURES_CLIP | FIGURES_CLIPS | (record.report && record.report->n_history > 0 ? FIGURES_REPORT : 0);
  for (int i = 0; lines && i < n; i++)
    if (lines[i].clip.cyclic && lines[i].has_summary) *met |= FIGURES_POINTS;
  if (s && store_list_controllers(arena, s, &n_controllers, d) && n_controllers > 0)
    *met |= FIGURES_CONTROLLER | FIGURES_RESPONSES | FIGURES_PLAY;
  if (s && gather_steps(arena, s, "", d))
    *met |= FIGURES_STEPS;
  if (s)
    *met |= tracks_there_are(arena, s, o, d) | modals_there_are(arena, s, d);
  const struct store_control *controls = s ? store_list_controls(arena, s, &n, d) : NULL;
  for (int i = 0; controls && i < n; i++)
    *met |= FIGURES_CONTROL | (strcmp(controls[i].teacher, "lqr") ? FIGURES_ITERATIONS : 0);
  store_close(s);
  return !d->n_errors;
}

static int plot_all(struct arena *arena, const char *file, const struct plot_options *o, struct diag *d)
{
  const char *folder = o->output ? o->output : "plots";
  unsigned met = 0;
  int status = CLI_DONE;
  if (!what_there_is(arena, file, o, &met, d))
    return CLI_WRONG_INPUT;
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    diag_error(d, folder, 0, "cannot make this folder: %s", strerror(errno));
    return CLI_FAILED;
  }
  for (int i = 0; i < figures_count() && status == CLI_DONE; i++) {
    const struct figures_kind *k = figures_kind(i);
    if ((k->needs & met) == k->needs)
      status = plot_one(arena, k->name, file, o, arena_printf(arena, "%s/%s.%s", folder, k->name, o->format), d);
    else if (!o->quiet)
      printf("no %s: it needs %s\n", k->name, figures_needs_text(k->needs));
  }
  return status;
}

/* ---- the command ---- */

static int read_size(char *text, void *options)
{
  struct plot_options *o = options;
  return drawing_size("plot", text, (int)CANVAS_MAX, &o->width, &o->height);
}

static int read_format(char *text, void *options)
{
  ((struct plot_options *)options)->format = text;
  if (strcmp(text, "png") && strcmp(text, "svg") && strcmp(text, "pdf"))
    return cli_usage_error("plot", "--format: must be png, svg or pdf, found '%s'", text);
  return CLI_DONE;
}

static const struct cli_option plot_options[] = {
    CLI_TEXT("output", 'o', plot_options, output), CLI_TEXT("clip", 'c', plot_options, clip),
    CLI_VALUE("track", 'k', plot_options, track, 1, 1e9), CLI_READ("format", 'f', read_format),
    CLI_READ("size", 's', read_size), CLI_TEXT("play", 'p', plot_options, script),
    CLI_TEXT("baseline", 'b', plot_options, baseline), CLI_TEXT("title", 't', plot_options, title),
    CLI_FLAG("dark", 'd', plot_options, dark), CLI_FLAG("list", 'l', plot_options, list),
    CLI_FLAG("quiet", 'q', plot_options, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"plot", usage, "wrong option", plot_options};

int cli_plot(int argc, char **argv)
{
  struct plot_options o = {.format = "png"};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  canvas_wish(&(struct canvas_wish){o.width, o.height, o.title, o.dark});
  if (status == CLI_DONE && o.list)
    list_kinds();
  else if (status == CLI_DONE && line->n_operands != 2)
    status = cli_usage_error("plot", "name a kind of figure and a file");
  else if (status == CLI_DONE && strcmp(line->operands[0], "all") == 0)
    status = plot_all(arena, line->operands[1], &o, &d);
  else if (status == CLI_DONE) {
    const char *kind = line->operands[0], *output = o.output ? o.output : arena_printf(arena, "%s.png", kind);
    status = plot_one(arena, kind, line->operands[1], &o, output, &d);
  }
  canvas_wish(NULL);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("plot");
}

/* muybridge film: clips in motion, or a controller that does what it is told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/drawing.h"
#include "cli/files.h"
#include "cli/performing.h"
#include "cli/options.h"
#include "cli/pushing.h"
#include "cli/solving.h"
#include "plots/film.h"
#include "policy/performance.h"
#include "store/run_inputs.h"

static const char usage[] =
    "Usage: muybridge film [OPTION]... RUN[:CLIP]...\n"
    "   or: muybridge film [OPTION]... --play SCRIPT RUN\n"
    "   or: muybridge film [OPTION]... --track N RUN\n"
    "   or: muybridge film [OPTION]... --modal N RUN\n"
    "   or: muybridge film [OPTION]... --pushes LIST RUN\n"
    "Makes a film of clips of run files, each in a panel of its own, of a controller that does what SCRIPT says, of "
    "what\n"
    "'muybridge track' kept, on the ground that it was tracked on, or of a creature that is pushed in the simulated "
    "world.\n"
    "A cycle plays without a seam. CLIP is a number or a name (default: the first).\n\n"
    "  -o, --output FILE      where to: .gif, .svg (moves in browsers), or a folder for pictures (default film.gif)\n"
    "  -v, --view VIEW        side, front, top or three-quarter (default: side, for turns three-quarter)\n"
    "  -g, --ghosts[=N]       show so many earlier poses, pale (1 to 9; without N: 4)\n"
    "  -F, --forces           show where and how the ground pushes\n"
    "  -s, --size W[xH]       of the picture in pixels (default 560, of several panels 800; as high as it needs)\n"
    "  -r, --fps N            pictures a second, 1 to 50; GIF has only 50, 33, 25, 20, ... (default 30)\n"
    "  -x, --speed FACTOR     against real time, 0.001 to 100 (default 1; slower for cycles too short to see)\n"
    "  -t, --title TEXT       in place of the caption, or above several panels\n"
    "      --paper            dark on white instead of light on black\n"
    "  -P, --play SCRIPT      play the run's newest controller\n"
    "  -R, --random SECONDS   the same, and let the task's own user ask\n"
    "      --seed N           of that user (default 1)\n"
    "  -k, --track N          a track in the simulated world (0: the newest)\n"
    "      --modal N          a motion under modal control, with its pushes (0: the newest)\n"
    "      --pushes LIST      the creature under its control graph, learned first if RUN has none, going where --play "
    "or\n"
    "                         --random say, or random paths: TIME:SIZE[:DIRECTION[:LIMB]],... as for 'muybridge "
    "play'\n"
    "      --balls LIST       the same with balls: TIME:SPEED[:DIRECTION[:MASS]],...\n"
    "      --seconds S        of random paths (default 6)\n"
    "  -q, --quiet            print errors only\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 1 the film could not be written, 2 the input or the command line is wrong.\n";

enum { SUBJECTS_MOST = 64, GHOSTS = 4 };

struct film_command {
  struct film_options film;
  const char *output, *script;
  double random, seed;          /* [s], NaN: none */
  double track, modal;          /* NaN: none      */
  struct pushing_options pushing;
  int quiet;
};

/* ---- options ---- */

static int read_view(char *text, void *options)
{
  static const char *const names[] = {[FILM_SIDE] = "side", [FILM_FRONT] = "front", [FILM_TOP] = "top",
                                      [FILM_THREE_QUARTER] = "three-quarter", [FILM_OWN] = NULL};
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], text) == 0) {
      ((struct film_command *)options)->film.scene.view = (enum film_view)i;
      return CLI_DONE;
    }
  return cli_usage_error("film", "--view: must be side, front, top or three-quarter, found '%s'", text);
}

static int read_ghosts(char *text, void *options)
{
  double number = GHOSTS;
  if (text && !cli_number("film", "--ghosts", text, 0, 9, &number))
    return CLI_WRONG_INPUT;
  ((struct film_command *)options)->film.scene.ghosts = (int)floor(number + 0.5);
  return CLI_DONE;
}

static int read_size(char *text, void *options)
{
  struct film_options *f = &((struct film_command *)options)->film;
  return drawing_size("film", text, 4096, &f->width, &f->height);
}

static const struct cli_option film_command[] = {
    CLI_TEXT("output", 'o', film_command, output),
    CLI_READ("view", 'v', read_view),
    CLI_READ_MAYBE("ghosts", 'g', read_ghosts),
    CLI_FLAG("forces", 'F', film_command, film.scene.forces),
    CLI_READ("size", 's', read_size),
    CLI_VALUE("fps", 'r', film_command, film.fps, 1, 50),
    CLI_VALUE("speed", 'x', film_command, film.speed, 0.001, 100),
    CLI_TEXT("title", 't', film_command, film.title),
    CLI_FLAG("paper", 0, film_command, film.scene.paper),
    CLI_TEXT("play", 'P', film_command, script),
    CLI_VALUE("random", 'R', film_command, random, 0.1, 3600),
    CLI_VALUE("seed", 0, film_command, seed, 0, 1e15),
    CLI_VALUE("track", 'k', film_command, track, 0, 1e9),
    CLI_VALUE("modal", 0, film_command, modal, 0, 1e9),
    CLI_TEXT("pushes", 0, film_command, pushing.pushes),
    CLI_TEXT("balls", 0, film_command, pushing.balls),
    CLI_VALUE("seconds", 0, film_command, pushing.seconds, 0.1, 3600),
    CLI_FLAG("quiet", 'q', film_command, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"film", usage, "wrong option", film_command};

static int is_pushed(const struct film_command *o) { return o->pushing.pushes || o->pushing.balls; }

/* ---- what is filmed ---- */

static int load_clip(struct arena *arena, const char *name, struct film_subject *out, struct diag *d)
{
  const char *which, *file = cli_split_run(arena, name, &which);
  if (!store_is_run_file(file)) {
    diag_error(d, file, 0, "this is no run file (.muy)");
    return 0;
  }
  struct store *s = store_open(arena, file, STORE_READ, d);
  out->creature = s ? store_get_creature(arena, s, d) : NULL;
  int id = out->creature ? store_find_clip(s, which, d) : 0;
  out->clip = id ? store_get_clip(arena, s, id, d) : NULL;
  store_close(s);
  return out->clip != NULL;
}

/* Plays the controller; the player must be unloaded when the film is done. */
static struct muy_player_controller *load_play(struct arena *arena, const char *run, const struct film_command *o,
                                           struct film_subject *out, struct diag *d)
{
  struct store_controller kept;
  const struct task *task;
  struct muy_player_controller *player = run_inputs_player(arena, run, 0, &kept, &task, d);
  struct performance_request r = {.task = task, .player = player, .seconds = o->random, .seed = (uint64_t)o->seed};
  if (player && o->script)
    r.script = cli_load_script(arena, o->script, task, d);
  const struct performance *p = player && !d->n_errors ? performance_play(arena, &r, d) : NULL;
  if (p)
    *out = (struct film_subject){.creature = task->creature, .clip = p->motion, .play = p,
                                 .name = text_clean(arena, task->creature->name, 1)};
  return player;
}

static int load_recording(struct arena *arena, const char *run, enum store_series series, int number,
                          struct film_subject *out, struct diag *d)
{
  struct performing *p = ARENA_NEW(arena, 1, struct performing);
  if (!performing_open(arena, run, series, number, p, d))
    return 0;
  const struct rollout_options *o = &p->recording->rollout;
  double dt = p->recording->reference->dt;
  struct film_push *pushes = ARENA_NEW(arena, (size_t)o->n_pushes + 1, struct film_push);
  for (int i = 0; i < o->n_pushes; i++) {
    const struct disturb_push *k = &o->pushes[i];
    pushes[i] = (struct film_push){k->time / dt, (k->time + k->seconds) / dt, k->limb,
                                   {k->force[0], k->force[1], k->force[2]}};
  }
  const char *ground = series == SERIES_TRACK ? ground_words(&o->world.terrain, arena) : "by modal control";
  *out = (struct film_subject){.creature = p->creature, .terrain = &o->world.terrain, .n_pushes = o->n_pushes,
                               .clip = recording_clip(arena, p->recording, series == SERIES_TRACK ? "simulated"
                                                      : "modal"),
                               .pushes = pushes, .name = arena_printf(arena, "%s: %s%s%s", p->creature->name,
                                                                      p->kept.what, *ground ? ", " : "", ground)};
  return 1;
}

/* Forces in the world: those that are counted from where the creature looks are turned. */
static struct film_push *world_pushes(struct arena *arena, const struct scene *scene, const struct pushing_events *e)
{
  const struct clip *m = scene->motion;
  struct film_push *out = ARENA_NEW(arena, (size_t)e->n_pushes + 1, struct film_push);
  for (int i = 0; i < e->n_pushes; i++) {
    const struct disturb_push *p = &e->pushes[i];
    int k = (int)fmin(floor(p->time / m->dt), m->n_frames - 1.0);
    double turn = p->turned ? m->q[(size_t)k * (size_t)m->n_dofs + 3] : 0, c = cos(turn), s = sin(turn);
    out[i] = (struct film_push){p->time / m->dt, (p->time + p->seconds) / m->dt, p->limb,
                                {c * p->force[0] - s * p->force[1], s * p->force[0] + c * p->force[1], p->force[2]}};
  }
  return out;
}

static int load_pushed(struct arena *arena, const char *run, const struct film_command *o, struct film_subject *out,
                       struct diag *d)
{
  struct pushing_options options = o->pushing;
  struct pushed p;
  options.random = o->random;
  options.seed = (uint64_t)o->seed;
  options.learn.quiet = 1;
  int status = pushing_play(arena, run, o->script, &options, &p, d);
  if (status)
    return status;
  const struct creature *c = p.learning.creature;
  *out = (struct film_subject){.creature = c, .clip = p.scene->motion, .n_pushes = p.events->n_pushes,
                               .pushes = world_pushes(arena, p.scene, p.events), .n_balls = p.events->n_balls,
                               .balls = p.scene->balls, .ball_radius = p.events->n_balls ? p.events->balls[0].radius
                               : 0,
                               .name = arena_printf(arena, "%s, simulated and pushed", text_clean(arena, c->name, 1))};
  if (!o->quiet)
    printf("%s, %d push%s, %d ball%s: %s\n", c->name, p.events->n_pushes, p.events->n_pushes == 1 ? "" : "es",
           p.events->n_balls, p.events->n_balls == 1 ? "" : "s",
           p.scene->fallen < 0 ? "it did not fall" : arena_printf(arena, "it fell after %.2f s", p.scene->fell_after));
  return CLI_DONE;
}

/* ---- the work ---- */

static void print_film(const struct film *f, int n, const struct film_subject *subjects, const char *output)
{
  int frames = film_frames(f);
  printf("filmed %s: %d pictures of %d x %d, %.2f s%s\n", output, frames, film_width(f), film_height(f),
         frames * film_hundredths(f) / 100.0, film_closes(f) ? ", no seam" : "");
  for (int i = 0; i < n; i++)
    printf("  %s %s at %.3g of real time\n", subjects[i].creature->name,
           subjects[i].play ? "controller" : subjects[i].clip->name, film_speed(f, i));
}

static int make_film(struct arena *arena, int n, char **names, const struct film_command *o, struct diag *d)
{
  struct film_subject *subjects = ARENA_NEW(arena, (size_t)n, struct film_subject);
  struct muy_player_controller *player = NULL;
  int status = CLI_DONE;
  if (is_pushed(o))
    status = load_pushed(arena, names[0], o, &subjects[0], d);
  else if (o->script || !isnan(o->random))
    player = load_play(arena, names[0], o, &subjects[0], d);
  else if (!isnan(o->track))
    load_recording(arena, names[0], SERIES_TRACK, (int)o->track, &subjects[0], d);
  else if (!isnan(o->modal))
    load_recording(arena, names[0], SERIES_MODAL, (int)o->modal, &subjects[0], d);
  else
    for (int i = 0; i < n; i++) load_clip(arena, names[i], &subjects[i], d);
  if (status)
    return status;
  struct film *f = d->n_errors ? NULL : film_new(arena, n, subjects, &o->film, names[0], d);
  status = !f ? CLI_WRONG_INPUT : film_write(f, o->output, d) ? CLI_DONE : CLI_FAILED;
  if (status == CLI_DONE && !o->quiet)
    print_film(f, n, subjects, o->output);
  muy_player_unload(player);
  return status;
}

/* What the options ask for, once they are known to fit together. The exit status. */
static int check_command(const struct film_command *o, int n)
{
  int plays = o->script || !isnan(o->random) || !isnan(o->track) || !isnan(o->modal) || is_pushed(o);
  if ((o->script != NULL) + !isnan(o->random) + !isnan(o->track) + !isnan(o->modal) > 1)
    return cli_usage_error("film", "--play, --random, --track and --modal: one of them");
  if (is_pushed(o) && (!isnan(o->track) || !isnan(o->modal)))
    return cli_usage_error("film", "%s goes without --pushes and --balls", isnan(o->modal) ? "--track" : "--modal");
  if (n < 1 || n > (plays ? 1 : SUBJECTS_MOST))
    return cli_usage_error("film", plays ? "name one run file" : "name 1 to %d run files, found %d", SUBJECTS_MOST, n);
  if (store_is_run_file(o->output))
    return cli_usage_error("film", "'%s' is a run file and would be lost; name another output", o->output);
  return CLI_DONE;
}

int cli_film(int argc, char **argv)
{
  struct film_command o = {.film = {.scene = {.view = FILM_OWN}}, .output = "film.gif", .random = NAN, .seed = 1,
                           .track = NAN, .modal = NAN};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  pushing_defaults(&o.pushing, argc, argv);
  o.pushing.command = "film";
  o.pushing.seconds = 6;
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE)
    status = check_command(&o, line->n_operands);
  if (status == CLI_DONE)
    status = make_film(arena, line->n_operands, line->operands, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("film");
}

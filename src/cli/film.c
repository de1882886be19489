/* muybridge film: clips in motion, or a controller that does what it is told. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/controlling.h"
#include "cli/drawing.h"
#include "cli/keeping.h"
#include "cli/pushing.h"
#include "cli/solving.h"
#include "plots/film.h"
#include "policy/performance.h"
#include "samcon/record.h"

static const char usage[] =
    "Usage: muybridge film [OPTION]... RUN[:CLIP]...\n"
    "   or: muybridge film [OPTION]... --play SCRIPT RUN\n"
    "   or: muybridge film [OPTION]... --track N RUN\n"
    "   or: muybridge film [OPTION]... --modal N RUN\n"
    "   or: muybridge film [OPTION]... --pushes LIST RUN\n"
    "Makes a film of clips of run files, each in a panel of its own, of a controller that does what SCRIPT says, of what\n"
    "'muybridge track' kept, on the ground that it was tracked on, or of a creature that is pushed in the simulated world.\n"
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
    "      --pushes LIST      the creature under its control graph, learned first if RUN has none, going where --play or\n"
    "                         --random say, or paths by chance: TIME:SIZE[:DIRECTION[:LIMB]],... as for 'muybridge play'\n"
    "      --balls LIST       the same with balls: TIME:SPEED[:DIRECTION[:MASS]],...\n"
    "      --seconds S        of pushed paths by chance (default 6)\n"
    "  -q, --quiet            print errors only\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 done, 1 the film could not be written, 2 the input or the command line is wrong.\n";

enum {
  OPTION_PAPER = 1000, OPTION_SEED, OPTION_PUSHES, OPTION_MODAL, OPTION_BALLS, OPTION_SECONDS,
  SUBJECTS_MOST = 64, GHOSTS = 4
};

struct film_command {
  struct film_options film;
  const char *output, *script;
  double random, seed;          /* [s], NaN: none */
  double track, modal;          /* NaN: none      */
  struct pushing_options pushing;
  int quiet;
};

/* ---- options ---- */

static int read_view(const char *text, enum film_view *view)
{
  static const char *const names[] = {[FILM_SIDE] = "side", [FILM_FRONT] = "front", [FILM_TOP] = "top",
                                      [FILM_THREE_QUARTER] = "three-quarter", [FILM_OWN] = NULL};
  for (int i = 0; names[i]; i++)
    if (strcmp(names[i], text) == 0) {
      *view = (enum film_view)i;
      return CLI_DONE;
    }
  return cli_usage_error("film", "--view: must be side, front, top or three-quarter, found '%s'", text);
}

static int read_whole(const char *option, const char *text, double least, double most, int *out)
{
  double value;
  if (!cli_number("film", option, text, least, most, &value))
    return CLI_WRONG_INPUT;
  *out = (int)floor(value + 0.5);
  return CLI_DONE;
}

static int read_number(const char *option, const char *text, double least, double most, double *out)
{
  return cli_number("film", option, text, least, most, out) ? CLI_DONE : CLI_WRONG_INPUT;
}

static int parse_options(int argc, char **argv, struct film_command *o)
{
  static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                          {"view", required_argument, NULL, 'v'},
                                          {"ghosts", optional_argument, NULL, 'g'},
                                          {"forces", no_argument, NULL, 'F'},
                                          {"size", required_argument, NULL, 's'},
                                          {"fps", required_argument, NULL, 'r'},
                                          {"speed", required_argument, NULL, 'x'},
                                          {"title", required_argument, NULL, 't'},
                                          {"paper", no_argument, NULL, OPTION_PAPER},
                                          {"play", required_argument, NULL, 'P'},
                                          {"random", required_argument, NULL, 'R'},
                                          {"seed", required_argument, NULL, OPTION_SEED},
                                          {"track", required_argument, NULL, 'k'},
                                          {"modal", required_argument, NULL, OPTION_MODAL},
                                          {"pushes", required_argument, NULL, OPTION_PUSHES},
                                          {"balls", required_argument, NULL, OPTION_BALLS},
                                          {"seconds", required_argument, NULL, OPTION_SECONDS},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  int status = CLI_DONE;
  struct film_options *f = &o->film;
  for (int k; status == CLI_DONE && (k = getopt_long(argc, argv, "o:v:g::Fs:r:x:t:P:R:k:qh", options, NULL)) != -1;)
    switch (k) {
    case 'o': o->output = optarg; break;
    case 'v': status = read_view(optarg, &f->scene.view); break;
    case 'g':
      status = optarg ? read_whole("--ghosts", optarg, 0, 9, &f->scene.ghosts) : (f->scene.ghosts = GHOSTS, CLI_DONE);
      break;
    case 'F': f->scene.forces = 1; break;
    case 's': status = drawing_size("film", optarg, 4096, &f->width, &f->height); break;
    case 'r': status = read_number("--fps", optarg, 1, 50, &f->fps); break;
    case 'x': status = read_number("--speed", optarg, 0.001, 100, &f->speed); break;
    case 't': f->title = optarg; break;
    case OPTION_PAPER: f->scene.paper = 1; break;
    case 'P': o->script = optarg; break;
    case 'R': status = read_number("--random", optarg, 0.1, 3600, &o->random); break;
    case OPTION_SEED: status = read_number("--seed", optarg, 0, 1e15, &o->seed); break;
    case OPTION_PUSHES: o->pushing.pushes = optarg; break;
    case OPTION_BALLS: o->pushing.balls = optarg; break;
    case OPTION_SECONDS: status = read_number("--seconds", optarg, 0.1, 3600, &o->pushing.seconds); break;
    case 'k': status = read_number("--track", optarg, 0, 1e9, &o->track); break;
    case OPTION_MODAL: status = read_number("--modal", optarg, 0, 1e9, &o->modal); break;
    case 'q': o->quiet = 1; break;
    case 'h': fputs(usage, stdout); return -1;
    default: return cli_usage_error("film", "wrong option");
    }
  return status;
}

static int is_pushed(const struct film_command *o) { return o->pushing.pushes || o->pushing.balls; }

/* ---- what is filmed ---- */

/* "horse.muy:gallop": the file, and which clip of it; NULL if it does not say. */
static const char *split_name(struct arena *arena, const char *name, const char **clip)
{
  const char *colon = strrchr(name, ':');
  *clip = NULL;
  if (!colon || access(name, F_OK) == 0)
    return name;
  *clip = colon + 1;
  return arena_printf(arena, "%.*s", (int)(colon - name), name);
}

static int load_clip(struct arena *arena, const char *name, struct film_subject *out, struct diag *d)
{
  const char *which, *file = split_name(arena, name, &which);
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
static struct player_controller *load_play(struct arena *arena, const char *run, const struct film_command *o,
                                           struct film_subject *out, struct diag *d)
{
  struct store_controller kept;
  const struct task *task;
  struct player_controller *player = controlling_player(arena, run, 0, &kept, &task, d);
  struct performance_request r = {.task = task, .player = player, .seconds = o->random, .seed = (uint64_t)o->seed};
  if (player && o->script)
    r.script = script_load(arena, controlling_path(arena, o->script, "script"), task, d);
  const struct performance *p = player && !d->n_errors ? performance_play(arena, &r, d) : NULL;
  if (p)
    *out = (struct film_subject){.creature = task->creature, .clip = p->motion, .play = p,
                                 .name = text_clean(arena, task->creature->name, 1)};
  return player;
}

static int load_track(struct arena *arena, const char *run, int id, struct film_subject *out, struct diag *d)
{
  struct store_track kept;
  struct rollout_options world;
  struct store *s = store_open(arena, run, STORE_READ, d);
  const struct creature *c = s ? store_get_creature(arena, s, d) : NULL;
  int found = c && store_get_track(arena, s, id, &kept, d);
  store_close(s);
  const struct track_result *t = found ? record_read(arena, c, &kept, &world, d) : NULL;
  if (!t)
    return 0;
  const char *ground = ground_words(&t->terrain, arena);
  *out = (struct film_subject){.creature = c, .clip = track_clip(arena, t, "simulated"), .terrain = &t->terrain,
                               .name = arena_printf(arena, "%s: %s%s%s", c->name, kept.what, *ground ? ", " : "", ground)};
  return 1;
}

static int load_modal(struct arena *arena, const char *run, int id, struct film_subject *out, struct diag *d)
{
  struct keeping k;
  struct store *s = store_open(arena, run, STORE_READ, d);
  int loaded = s && keeping_load(arena, s, id, &k, d);
  store_close(s);
  if (!loaded)
    return 0;
  struct terrain *ground = ARENA_NEW(arena, 1, struct terrain);
  struct film_push *pushes = ARENA_NEW(arena, (size_t)k.options.n_pushes + 1, struct film_push);
  *ground = (struct terrain){.kind = k.options.slope != 0 ? TERRAIN_SLOPE : TERRAIN_FLAT, .size = k.options.slope};
  for (int i = 0; i < k.options.n_pushes; i++) {
    const struct modal_run_push *p = &k.options.pushes[i];
    pushes[i] = (struct film_push){p->from / k.run->dt, (p->from + p->seconds) / k.run->dt, p->limb,
                                   {p->force[0], p->force[1], p->force[2]}};
  }
  *out = (struct film_subject){.creature = k.creature, .clip = modal_run_clip(arena, k.run, "modal"), .terrain = ground,
                               .n_pushes = k.options.n_pushes, .pushes = pushes,
                               .name = arena_printf(arena, "%s: %s, by modal control", k.creature->name, k.kept.what)};
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
  options.steering.quiet = 1;
  int status = pushing_play(arena, run, o->script, &options, &p, d);
  if (status)
    return status;
  const struct creature *c = p.steering.creature;
  *out = (struct film_subject){.creature = c, .clip = p.scene->motion, .n_pushes = p.events->n_pushes,
                               .pushes = world_pushes(arena, p.scene, p.events), .n_balls = p.events->n_balls,
                               .balls = p.scene->balls, .ball_radius = p.events->n_balls ? p.events->balls[0].radius : 0,
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
  struct player_controller *player = NULL;
  int status = CLI_DONE;
  if (is_pushed(o))
    status = load_pushed(arena, names[0], o, &subjects[0], d);
  else if (o->script || !isnan(o->random))
    player = load_play(arena, names[0], o, &subjects[0], d);
  else if (!isnan(o->track))
    load_track(arena, names[0], (int)o->track, &subjects[0], d);
  else if (!isnan(o->modal))
    load_modal(arena, names[0], (int)o->modal, &subjects[0], d);
  else
    for (int i = 0; i < n; i++) load_clip(arena, names[i], &subjects[i], d);
  if (status)
    return status;
  struct film *f = d->n_errors ? NULL : film_new(arena, n, subjects, &o->film, names[0], d);
  status = !f ? CLI_WRONG_INPUT : film_write(f, o->output, d) ? CLI_DONE : CLI_FAILED;
  if (status == CLI_DONE && !o->quiet)
    print_film(f, n, subjects, o->output);
  player_unload(player);
  return status;
}

int cli_film(int argc, char **argv)
{
  struct film_command o = {.film = {.scene = {.view = FILM_OWN}}, .output = "film.gif", .random = NAN, .seed = 1,
                           .track = NAN, .modal = NAN};
  pushing_defaults(&o.pushing, argc, argv);
  o.pushing.command = "film";
  o.pushing.seconds = 6;
  int status = parse_options(argc, argv, &o);
  int plays = o.script || !isnan(o.random) || !isnan(o.track) || !isnan(o.modal) || is_pushed(&o);
  if (status)
    return status < 0 ? cli_finish_output("film") : status;
  if ((o.script != NULL) + !isnan(o.random) + !isnan(o.track) + !isnan(o.modal) > 1)
    return cli_usage_error("film", "--play, --random, --track and --modal: one of them");
  if (is_pushed(&o) && (!isnan(o.track) || !isnan(o.modal)))
    return cli_usage_error("film", isnan(o.modal) ? "--track goes without --pushes and --balls" : "--modal goes without --pushes and --balls");
  if (argc - optind < 1 || argc - optind > (plays ? 1 : SUBJECTS_MOST))
    return cli_usage_error("film", plays ? "name one run file" : "name 1 to %d run files, found %d", SUBJECTS_MOST,
                           argc - optind);
  if (store_is_run_file(o.output))
    return cli_usage_error("film", "'%s' is a run file and would be lost; name another output", o.output);
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  status = make_film(arena, argc - optind, argv + optind, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? status : cli_finish_output("film");
}

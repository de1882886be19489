/* muybridge track: a clip, or a path through the graph, driven by forces in a simulated world. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/capturing.h"
#include "cli/cli.h"
#include "cli/controlling.h"
#include "cli/modal.h"
#include "cli/solving.h"
#include "cli/tracking.h"
#include "track/captured.h"
#include "track/record.h"
#include "track/retarget.h"
#include "track/subject.h"

static const char usage[] =
    "Usage: muybridge track [OPTION]... RUN [CLIP]\n"
    "   or: muybridge track [OPTION]... --path N RUN\n"
    "   or: muybridge track [OPTION]... --table RUN\n"
    "   or: muybridge track [OPTION]... FILE.bvh\n"
    "   or: muybridge track [OPTION]... --compare RUN|FILE.bvh...\n"
    "Lets the creature do a clip of a run file in a simulated world, driven by its joints alone, and judges whether it did.\n"
    "CLIP is a number or a name (default: the first). A cyclic clip goes on for some cycles; a transition is entered and\n"
    "left in stride. The result is kept in the run file; 'muybridge play --physics' replays it.\n"
    "Captured motion (FILE.bvh) is put on a creature of the actor's size first, and tracked by --method inverse.\n\n"
    "  -m, --method M       pd: servos alone; feed-forward: with the motion's own torques; lqr: window feedback;\n"
    "                       samcon: sampling (default); improved: sampling with covariances that adapt;\n"
    "                       inverse: that, for captured motion, with torques by inverse dynamics;\n"
    "                       modal: modal-space control, with options of its own: see --method modal --help\n"
    "                       guided: learn feedback for the whole graph (muybridge control --help tells more)\n"
    "      --torques T      beside the servos: own (default), from the clip's forces; inverse, by inverse dynamics of\n"
    "                       the filtered motion; none\n"
    "  -g, --guide G        of sampling: lqr (default), around window feedback; none, as in 2010\n"
    "  -n, --samples N      drawn at each window\n"
    "      --saved N        kept of them\n"
    "      --engine E       that tries samples and makes models: own (default), or ode, some ten times slower. What\n"
    "                       comes of it is always simulated in ODE\n"
    "      --spread RAD     how far they go\n"
    "  -s, --seed N         of samples and start (default 1)\n"
    "      --identify N     seed of the models of the windows (default 1)\n"
    "      --models N       samples to a window model (default: as many as are needed)\n"
    "      --start X        begin off the reference: errors of this size, velocities three times it, by chance (default 0)\n"
    "  -c, --cycles N       of a cyclic clip (default 10)\n"
    "      --path N         a path by chance through the graph, with so many transitions\n"
    "      --path-seed N    another path (default 1)\n"
    "  -t, --terrain T      flat (default), slope:DEGREES, steps:M, beams:M, pebbles:M\n"
    "      --friction MU    of the ground (default: the creature's)\n"
    "      --creature FILE  for another creature of similar structure; the result is not kept. Of captured motion: the\n"
    "                       creature that it is put on (default: one of the actor's own size)\n"
    "  -o, --output RUN     of captured motion: keep clip and result in a run file (default: not kept)\n"
    "      --table          all clips of the controller, by several methods, with many seeds\n"
    "      --runs N         of each in the table (default 20)\n"
    "      --methods LIST   of the table (default pd,feed-forward,samcon-plain,lqr,samcon), or of --compare (default\n"
    "                       servos,unfiltered,inverse,covariance,guided)\n"
    "      --compare        the first clips of runs, and motion files: improved sampling without torques, with them, with\n"
    "                       first covariances by them, and guided; -p draws the torques' squares\n"
    "  -j, --jobs N         workers (default 1); started by mpirun, the other ranks are the workers. The result is the same\n"
    "  -p, --picture FILE   draw costs of samples, motion and forces (.png, .svg or .pdf)\n"
    "      --no-store       do not keep the result\n"
    "      --json           the summary for machines\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 tracked (table: as many as asked for), 1 it fell or strayed, 2 the input or the command line is wrong.\n";

enum {
  OPTION_SAVED = 1000, OPTION_SPREAD, OPTION_IDENTIFY, OPTION_START, OPTION_PATH, OPTION_PATH_SEED, OPTION_FRICTION, OPTION_TABLE,
  OPTION_RUNS, OPTION_METHODS, OPTION_NO_STORE, OPTION_JSON, OPTION_MODELS, OPTION_CREATURE, OPTION_ENGINE,
  OPTION_TORQUES, OPTION_COMPARE
};

/* ---- options ---- */

static int read_number(const char *option, double least, double most, double *out)
{
  return cli_number("track", option, optarg, least, most, out) ? CLI_DONE : CLI_WRONG_INPUT;
}

static int read_count(const char *option, double least, double most, int *out)
{
  double x;
  int status = read_number(option, least, most, &x);
  if (status == CLI_DONE)
    *out = (int)x;
  return status;
}

static int read_seed(const char *option, uint64_t *out)
{
  double x;
  int status = read_number(option, 0, 1e15, &x);
  if (status == CLI_DONE)
    *out = (uint64_t)x;
  return status;
}

static int read_method(const char *text, struct tracking_options *o)
{
  o->inverse = !strcmp(text, "inverse");
  o->method_given = 1;
  if (o->inverse) {
    o->method = TRACK_IMPROVED;
    return CLI_DONE;
  }
  for (int m = 0; m < N_TRACK_METHODS; m++)
    if (!strcmp(text, track_method_name((enum track_method)m))) {
      o->method = (enum track_method)m;
      return CLI_DONE;
    }
  return cli_usage_error("track", "--method: pd, feed-forward, lqr, samcon, improved, inverse, guided or modal, found '%s'", text);
}

static int read_guide(const char *text, struct tracking_options *o)
{
  o->guided = !strcmp(text, "lqr");
  return o->guided || !strcmp(text, "none") ? CLI_DONE : cli_usage_error("track", "--guide: lqr or none, found '%s'",
      text);
}

static int read_torques(const char *text, struct tracking_options *o)
{
  static const char *const names[] = {"method's", "own", "inverse", "none"};
  for (int i = TORQUES_OWN; i <= TORQUES_NONE; i++)
    if (!strcmp(text, names[i])) {
      o->torques = (enum tracking_torques)i;
      return CLI_DONE;
    }
  return cli_usage_error("track", "--torques: own, inverse or none, found '%s'", text);
}

static int read_engine(const char *text, struct tracking_options *o)
{
  o->ode = !strcmp(text, "ode");
  return o->ode || !strcmp(text, "own") ? CLI_DONE : cli_usage_error("track", "--engine: own or ode, found '%s'", text);
}

static int read_long(int k, struct tracking_options *o)
{
  switch (k) {
  case OPTION_SAVED: return read_count("--saved", 1, 1e5, &o->saved);
  case OPTION_SPREAD: return read_number("--spread", 0, 3, &o->spread);
  case OPTION_IDENTIFY: return read_seed("--identify", &o->identify_seed);
  case OPTION_MODELS: return read_count("--models", 10, 1e6, &o->models);
  case OPTION_START: return read_number("--start", 0, 1, &o->start);
  case OPTION_PATH: return read_count("--path", 1, 1e4, &o->path);
  case OPTION_PATH_SEED: return read_seed("--path-seed", &o->path_seed);
  case OPTION_FRICTION: return read_number("--friction", 0, 100, &o->friction);
  case OPTION_CREATURE: o->creature = optarg; return CLI_DONE;
  case OPTION_TORQUES: return read_torques(optarg, o);
  case OPTION_ENGINE: return read_engine(optarg, o);
  case OPTION_TABLE: o->table = 1; return CLI_DONE;
  case OPTION_COMPARE: o->compare = 1; return CLI_DONE;
  case OPTION_RUNS: return read_count("--runs", 1, 1e4, &o->runs);
  case OPTION_METHODS: o->methods = optarg; return CLI_DONE;
  case OPTION_NO_STORE: o->no_store = 1; return CLI_DONE;
  case OPTION_JSON: o->json = 1; return CLI_DONE;
  default: return cli_usage_error("track", "wrong option");
  }
}

static int parse_options(int argc, char **argv, struct tracking_options *o)
{
  static const struct option options[] = {{"method", required_argument, NULL, 'm'},
                                          {"guide", required_argument, NULL, 'g'},
                                          {"samples", required_argument, NULL, 'n'},
                                          {"saved", required_argument, NULL, OPTION_SAVED},
                                          {"torques", required_argument, NULL, OPTION_TORQUES},
                                          {"output", required_argument, NULL, 'o'},
                                          {"engine", required_argument, NULL, OPTION_ENGINE},
                                          {"spread", required_argument, NULL, OPTION_SPREAD},
                                          {"seed", required_argument, NULL, 's'},
                                          {"identify", required_argument, NULL, OPTION_IDENTIFY},
                                          {"models", required_argument, NULL, OPTION_MODELS},
                                          {"start", required_argument, NULL, OPTION_START},
                                          {"cycles", required_argument, NULL, 'c'},
                                          {"path", required_argument, NULL, OPTION_PATH},
                                          {"path-seed", required_argument, NULL, OPTION_PATH_SEED},
                                          {"terrain", required_argument, NULL, 't'},
                                          {"friction", required_argument, NULL, OPTION_FRICTION},
                                          {"creature", required_argument, NULL, OPTION_CREATURE},
                                          {"table", no_argument, NULL, OPTION_TABLE},
                                          {"compare", no_argument, NULL, OPTION_COMPARE},
                                          {"runs", required_argument, NULL, OPTION_RUNS},
                                          {"methods", required_argument, NULL, OPTION_METHODS},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"picture", required_argument, NULL, 'p'},
                                          {"no-store", no_argument, NULL, OPTION_NO_STORE},
                                          {"json", no_argument, NULL, OPTION_JSON},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  int status = CLI_DONE;
  for (int k; status == CLI_DONE && (k = getopt_long(argc, argv, "m:g:n:s:c:t:j:p:o:qh", options, NULL)) != -1;)
    switch (k) {
    case 'm': status = read_method(optarg, o); break;
    case 'g': status = read_guide(optarg, o); break;
    case 'n': status = read_count("--samples", 1, 1e6, &o->samples); break;
    case 's': status = read_seed("--seed", &o->seed); break;
    case 'c': status = read_count("--cycles", 1, 1e4, &o->cycles); break;
    case 't': status = tracking_terrain(optarg, &o->terrain) ? CLI_DONE : CLI_WRONG_INPUT; break;
    case 'j': status = read_count("--jobs", 1, 1000, &o->jobs); break;
    case 'p': o->picture = optarg; break;
    case 'o': o->output = optarg; break;
    case 'q': o->quiet = 1; break;
    case 'h': fputs(usage, stdout); return -1;
    default: status = read_long(k, o); break;
    }
  return status;
}

/* ---- the work ---- */

static void show_progress(void *user, int window, int n, double cost)
{
  (void)user;
  fprintf(stderr, "\r  window %d of %d, cost %.3g   %s", window, n, cost, window == n ? "\n" : "");
  fflush(stderr);
}

/* A captured motion, with the torques that it needs where these can be trusted. NULL after an error. */
static struct reference *captured(struct arena *arena, const struct creature *c, const struct clip *clip,
                                  struct tracking_options *o, struct diag *d)
{
  struct captured *k = captured_reference(arena, c, clip, NULL, d);
  if (k && o->inverse)
    o->variances = k->variances;
  return k ? k->reference : NULL;
}

static struct reference *choose_reference(struct arena *arena, const struct graph_input *in, struct store *s,
                                          const char *clip, struct tracking_options *o, const char **title,
                                          struct diag *d)
{
  if (o->path) {
    struct subject_path path = {.transitions = o->path, .seed = o->path_seed};
    const char *names;
    struct reference *r = subject_path(arena, in, &path, NULL, &names, d);
    *title = r ? arena_printf(arena, "a path through clips %s", names) : "";
    return r;
  }
  int id = store_find_clip(s, clip, d);
  for (int i = 0; id && i < in->n_clips; i++)
    if (in->clips[i].id == id) {
      const struct clip *c = in->clips[i].clip;
      *title = c->cyclic ? arena_printf(arena, "clip %d, %s, %d cycles", id, c->name, o->cycles)
                         : arena_printf(arena, "clip %d, %s", id, c->name);
      return o->torques == TORQUES_INVERSE ? captured(arena, in->creature, c, o, d)
                                           : subject_clip(arena, in, i, o->cycles, NULL, d);
    }
  return NULL;
}

/* Keeps the result in the run file; 0 after an error. */
static int keep_result(struct arena *arena, const char *run, const char *title, const struct track_result *r,
                       const struct track_options *t,
                       const struct tracking_options *o, struct diag *d)
{
  struct store_track kept;
  struct store *s = store_open(arena, run, STORE_WRITE, d);
  int id = 0;
  record_make(arena, title, r, t, &kept);
  if (s && controlling_session(arena, s, o->argc, o->argv, d))
    id = store_put_track(s, &kept, d);
  store_close(s);
  if (id && !o->quiet && !o->json)
    printf("kept as track %d; try: muybridge play --physics %s %d\n", id, run, id);
  return id > 0;
}

static int track_one(struct arena *arena, const struct graph_input *in, struct reference *r, const char *title,
                     const struct tracking_options *o, struct diag *d)
{
  struct track_options t;
  tracking_fill(in->creature, o, &t);
  if (o->terrain.kind == TERRAIN_SLOPE)
    reference_lay(r, o->terrain.size);
  if (!o->quiet && isatty(STDERR_FILENO))
    t.progress = show_progress;
  const struct track_result *result = track(arena, r, &t, d);
  if (!result)
    return CLI_WRONG_INPUT;
  if (o->json)
    tracking_print_json(title, result, &t);
  else if (!o->quiet)
    tracking_print(title, result, &t);
  if (!o->no_store && result->motion->n_frames > 0 && !keep_result(arena, in->file, title, result, &t, o, d))
    return CLI_FAILED;
  if (o->picture && !tracking_draw(arena, title, result, o, d))
    return CLI_FAILED;
  return result->judgement.success ? CLI_DONE : CLI_FAILED;
}

/* All clips of the run file, so that one that is in no graph can be tracked too; of the table, those of the
 * controller. */
static int all_clips(struct arena *arena, struct store *s, const char *run, struct graph_input *out, struct diag *d)
{
  int n = 0;
  const struct creature *c = store_get_creature(arena, s, d);
  struct store_line *lines = c ? store_list_clips(arena, s, &n, d) : NULL;
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)n + 1, struct graph_clip);
  for (int i = 0; lines && i < n; i++)
    clips[i] = (struct graph_clip){lines[i].id, store_get_clip(arena, s, lines[i].id, d), NULL};
  *out = (struct graph_input){.creature = c, .file = run, .n_clips = n, .clips = clips};
  if (lines && n == 0)
    diag_error(d, run, 0, "there are no clips in this run file");
  return lines && n > 0 && !d->n_errors;
}

/* All clips for another creature, if one was named; 0 after an error. */
static int retarget(struct arena *arena, struct graph_input *in, const char *name, struct diag *d)
{
  const struct creature *to = name ? cli_load_creature(arena, name, d) : NULL;
  if (!to)
    return !name;
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)in->n_clips, struct graph_clip);
  for (int i = 0; i < in->n_clips; i++) {
    clips[i] = (struct graph_clip){in->clips[i].id, retarget_clip(arena, in->creature, to, in->clips[i].clip, d), NULL};
    if (!clips[i].clip)
      return 0;
  }
  in->creature = to;
  in->clips = clips;
  return 1;
}

static int run_track(struct arena *arena, const char *run, const char *clip, struct tracking_options *o,
                     struct diag *d)
{
  struct graph_input in;
  const char *title = "";
  o->no_store |= o->creature != NULL;
  if (o->inverse && o->torques == TORQUES_OF_METHOD)
    o->torques = TORQUES_INVERSE;
  struct reference *r = NULL;
  struct store *s = store_open(arena, run, STORE_READ, d);
  int whole = o->table || o->path;
  int good = s && (whole ? controlling_clips(arena, s, run, &in, d) : all_clips(arena, s, run, &in, d));
  good = good && retarget(arena, &in, o->creature, d);
  if (good && !o->table)
    r = choose_reference(arena, &in, s, clip, o, &title, d);
  store_close(s); /* before workers are made */
  if (!good || (!o->table && !r))
    return CLI_WRONG_INPUT;
  return o->table ? tracking_table(arena, &in, o, d) : track_one(arena, &in, r, title, o, d);
}

/* ---- a motion file ---- */

/* Keeps a captured clip in a run file of its creature; 0 after an error. */
static int keep_captured(struct arena *arena, const struct capturing *k, const struct tracking_options *o,
                         struct diag *d)
{
  const struct creature *c = k->creature;
  struct store *s = store_open(arena, o->output, STORE_WRITE, d);
  int good = s && controlling_session(arena, s, o->argc, o->argv, d) &&
             (k->text ? store_put_creature_text(s, c->file, k->text, strlen(k->text), d)
                      : store_put_creature(s, c->file, d)) &&
             capturing_keep(arena, s, c, k->clip, d) > 0;
  store_close(s);
  return good;
}

static int run_file(struct arena *arena, const char *path, struct tracking_options *o, struct diag *d)
{
  struct capturing k;
  if (!capturing_load(arena, path, o->creature, &k, d))
    return CLI_WRONG_INPUT;
  if (!o->quiet && !o->json)
    capturing_print(k.creature, k.clip, &k.report);
  if (!o->method_given)
    read_method("inverse", o);
  if (o->torques == TORQUES_OF_METHOD)
    o->torques = TORQUES_INVERSE;
  if (o->output && !keep_captured(arena, &k, o, d))
    return CLI_FAILED;
  o->no_store |= !o->output;
  struct reference *r = captured(arena, k.creature, k.clip, o, d);
  struct graph_input in = {.creature = k.creature, .file = o->output};
  return r ? track_one(arena, &in, r, k.clip->name, o, d) : CLI_WRONG_INPUT;
}

/* ---- the command ---- */

static int wrong_arguments(const struct tracking_options *o, int n, int is_motion)
{
  if (o->compare && n > 0)
    return o->table || o->path ? cli_usage_error("track", "--compare goes without --table and --path") : CLI_DONE;
  if (is_motion && (o->table || o->path))
    return cli_usage_error("track", "--table and --path are for run files");
  if (is_motion && n > 1)
    return cli_usage_error("track", "name one motion file");
  if (!is_motion && o->output)
    return cli_usage_error("track", "--output is for captured motion; tracks of a run file are kept there");
  if (n < 1 || n > (o->table || o->path ? 1 : 2))
    return cli_usage_error("track", o->table || o->path ? "name a run file" :
                           "name a run file, and perhaps one of its clips");
  return CLI_DONE;
}

/* Guided learning is of the whole graph: muybridge control. */
static int wants_guided(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], "--method=guided") || !strcmp(argv[i], "-mguided") ||
        (i + 1 < argc && !strcmp(argv[i + 1], "guided") && (!strcmp(argv[i], "--method") || !strcmp(argv[i], "-m"))))
      return 1;
  return 0;
}

int cli_track(int argc, char **argv)
{
  if (cli_modal_wanted(argc, argv))
    return cli_modal(argc, argv);
  if (wants_guided(argc, argv))
    return cli_control(argc, argv);
  struct tracking_options o;
  tracking_defaults(&o);
  o.argc = argc;
  o.argv = argv;
  int status = parse_options(argc, argv, &o);
  if (status)
    return status < 0 ? cli_finish_output("track") : status;
  int n = argc - optind, is_motion = n > 0 && capturing_is_motion(argv[optind]);
  status = wrong_arguments(&o, n, is_motion);
  if (status)
    return status;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  status = o.compare ? tracking_compare(arena, n, argv + optind, &o, &d) : is_motion ? run_file(arena, argv[optind], &o, &d)
                     : run_track(arena, argv[optind], n > 1 ? argv[optind + 1] : NULL, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? status : cli_finish_output("track");
}

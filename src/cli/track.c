/* muybridge track: a clip, or a path through the graph, driven by forces in a simulated world. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/capturing.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/tracking.h"
#include "follow/captured.h"
#include "follow/recording.h"
#include "follow/retarget.h"
#include "follow/subject.h"
#include "store/run_inputs.h"

static const char usage[] =
    "Usage: muybridge track [OPTION]... RUN [CLIP]\n"
    "   or: muybridge track [OPTION]... --path N RUN\n"
    "   or: muybridge track [OPTION]... --table RUN\n"
    "   or: muybridge track [OPTION]... FILE.bvh\n"
    "   or: muybridge track [OPTION]... --compare RUN|FILE.bvh...\n"
    "Lets the creature do a clip of a run file in a simulated world, driven by its joints alone, and judges whether it "
    "did.\n"
    "CLIP is a number or a name (default: the first). A cyclic clip goes on for some cycles; a transition is entered "
    "and\n"
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
    "      --engine E       of the world in which it is done and judged: ode (default), tree, or mujoco where built "
    "in\n"
    "      --no-limb-contact  limbs do not touch each other\n"
    "      --no-surrogate   try samples and make models in that world, too: some ten times slower. Default: in the "
    "tree\n"
    "                       engine; only what is saved is simulated in the world itself\n"
    "      --spread RAD     how far they go\n"
    "  -s, --seed N         of samples and start (default 1)\n"
    "      --identify N     seed of the models of the windows (default 1)\n"
    "      --models N       samples to a window model (default: as many as are needed)\n"
    "      --start X        begin off the reference: random errors of this size, velocities three times it (default "
    "0)\n"
    "  -c, --cycles N       of a cyclic clip (default 10)\n"
    "      --path N         a random path through the graph, with so many transitions\n"
    "      --path-seed N    another path (default 1)\n"
    "  -t, --terrain T      flat (default), slope:DEGREES, steps:M, beams:M, pebbles:M\n"
    "      --friction MU    of the ground (default: the creature's)\n"
    "      --creature FILE  for another creature of similar structure; the result is not kept. Of captured motion: "
    "the\n"
    "                       creature that it is put on (default: one of the actor's own size)\n"
    "  -o, --output RUN     of captured motion: keep clip and result in a run file (default: not kept)\n"
    "      --table          all clips of the controller, by several methods, with many seeds\n"
    "      --runs N         of each in the table (default 20)\n"
    "      --methods LIST   of the table (default pd,feed-forward,samcon-plain,lqr,samcon), or of --compare (default\n"
    "                       servos,unfiltered,inverse,covariance,guided)\n"
    "      --compare        the first clips of runs, and motion files: improved sampling without torques, with them, "
    "with\n"
    "                       first covariances by them, and guided; -p draws the torques' squares\n"
    "  -j, --jobs N         workers (default 1); started by mpirun, the other ranks are the workers. The result is the "
    "same\n"
    "  -p, --picture FILE   draw costs of samples, motion and forces (.png, .svg or .pdf)\n"
    "      --no-store       do not keep the result\n"
    "      --json           the summary for machines\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 tracked (table: as many as asked for), 1 it fell or strayed, 2 the input or the command line is "
    "wrong.\n";

/* ---- options ---- */

static int read_method(char *text, void *options)
{
  struct tracking_options *o = options;
  o->inverse = !strcmp(text, "inverse");
  o->method_given = 1;
  if (o->inverse) {
    o->request.method = TRACK_IMPROVED;
    return CLI_DONE;
  }
  for (int m = 0; m < N_TRACK_METHODS; m++)
    if (!strcmp(text, track_method_name((enum track_method)m))) {
      o->request.method = (enum track_method)m;
      return CLI_DONE;
    }
  return cli_usage_error("track", "--method: pd, feed-forward, lqr, samcon, improved, inverse, guided or modal, found "
                                  "'%s'", text);
}

static int read_guide(char *text, void *options)
{
  struct tracking_options *o = options;
  o->request.guided = !strcmp(text, "lqr");
  return o->request.guided || !strcmp(text, "none") ? CLI_DONE : cli_usage_error("track", "--guide: lqr or none, found "
                                                                                          "'%s'",
      text);
}

static int read_torques(char *text, void *options)
{
  static const char *const names[] = {"method's", "own", "inverse", "none"};
  struct tracking_options *o = options;
  for (int i = TORQUES_OWN; i <= TORQUES_NONE; i++)
    if (!strcmp(text, names[i])) {
      o->torques = (enum tracking_torques)i;
      return CLI_DONE;
    }
  return cli_usage_error("track", "--torques: own, inverse or none, found '%s'", text);
}

static int read_engine(char *text, void *options)
{
  struct tracking_options *o = options;
  return cli_read_engine("track", text, &o->request.engine);
}

static int read_terrain(char *text, void *options)
{
  struct tracking_options *o = options;
  return tracking_terrain(text, &o->request.terrain) ? CLI_DONE : CLI_WRONG_INPUT;
}

static const struct cli_option table[] = {
  CLI_READ("method", 'm', read_method),
  CLI_READ("torques", 0, read_torques),
  CLI_READ("guide", 'g', read_guide),
  CLI_VALUE("samples", 'n', tracking_options, request.samples, 1, 1e6),
  CLI_VALUE("saved", 0, tracking_options, request.saved, 1, 1e5),
  CLI_READ("engine", 0, read_engine),
  CLI_FLAG("no-limb-contact", 0, tracking_options, request.no_limb_contact),
  CLI_FLAG("no-surrogate", 0, tracking_options, request.no_surrogate),
  CLI_VALUE("spread", 0, tracking_options, request.spread, 0, 3),
  CLI_VALUE("seed", 's', tracking_options, request.seed, 0, 1e15),
  CLI_VALUE("identify", 0, tracking_options, request.identify_seed, 0, 1e15),
  CLI_VALUE("models", 0, tracking_options, request.models, 10, 1e6),
  CLI_VALUE("start", 0, tracking_options, request.start, 0, 1),
  CLI_VALUE("cycles", 'c', tracking_options, request.cycles, 1, 1e4),
  CLI_VALUE("path", 0, tracking_options, path, 1, 1e4),
  CLI_VALUE("path-seed", 0, tracking_options, path_seed, 0, 1e15),
  CLI_READ("terrain", 't', read_terrain),
  CLI_VALUE("friction", 0, tracking_options, request.friction, 0, 100),
  CLI_TEXT("creature", 0, tracking_options, creature),
  CLI_TEXT("output", 'o', tracking_options, output),
  CLI_FLAG("table", 0, tracking_options, table),
  CLI_VALUE("runs", 0, tracking_options, runs, 1, 1e4),
  CLI_TEXT("methods", 0, tracking_options, methods),
  CLI_FLAG("compare", 0, tracking_options, compare),
  CLI_VALUE("jobs", 'j', tracking_options, jobs, 1, 1000),
  CLI_TEXT("picture", 'p', tracking_options, picture),
  CLI_FLAG("no-store", 0, tracking_options, no_store),
  CLI_FLAG("json", 0, tracking_options, json),
  CLI_FLAG("quiet", 'q', tracking_options, quiet),
  CLI_HELP,
  CLI_LAST,
};

static const struct cli_syntax syntax = {"track", usage, "wrong option", table};

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
    o->request.variances = k->variances;
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
      *title = c->cyclic ? arena_printf(arena, "clip %d, %s, %d cycles", id, c->name, o->request.cycles)
                         : arena_printf(arena, "clip %d, %s", id, c->name);
      return o->torques == TORQUES_INVERSE ? captured(arena, in->creature, c, o, d)
                                           : subject_clip(arena, in, i, o->request.cycles, NULL, d);
    }
  return NULL;
}

/* Keeps the result in the run file; 0 after an error. */
static int keep_result(struct arena *arena, const char *run, const char *title, const struct recording *r,
                       const struct tracking_options *o, struct diag *d)
{
  struct store_performance kept;
  struct recording titled = *r;
  titled.what = title;
  recording_pack(arena, &titled, &kept);
  struct store *s = store_open(arena, run, STORE_WRITE, d);
  int id = 0;
  if (s && cli_session(arena, s, o->argc, o->argv, d))
    id = store_put_performance(s, &kept, d);
  store_close(s);
  if (id && !o->quiet && !o->json)
    printf("kept as track %d; try: muybridge play --physics %s %d\n", id, run, id);
  return id > 0;
}

static int track_one(struct arena *arena, const struct graph_input *in, struct reference *r, const char *title,
                     const struct tracking_options *o, struct diag *d)
{
  struct track_options t;
  struct tracking_options own = *o;
  if (!track_choose_ground(r, &o->request.terrain, &own.request.terrain, d))
    return CLI_WRONG_INPUT;
  tracking_fill(in->creature, &own, &t);
  if (!o->quiet && isatty(STDERR_FILENO))
    t.progress = show_progress;
  const struct recording *result = track(arena, r, &t, d);
  if (!result)
    return CLI_WRONG_INPUT;
  if (o->json)
    tracking_print_json(title, result, &t);
  else if (!o->quiet)
    tracking_print(title, result, &t);
  if (!o->no_store && result->motion->n_frames > 0 && !keep_result(arena, in->file, title, result, o, d))
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
  int good = s && (whole ? run_inputs_clips(arena, s, run, &in, d) : all_clips(arena, s, run, &in, d));
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
  int good = s && cli_session(arena, s, o->argc, o->argv, d) &&
             (k->text ? store_put_creature_text(s, c->file, k->text, strlen(k->text), d)
                      : store_put_creature_files(s, c, d)) &&
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

static int track_line(struct arena *arena, const struct cli_line *line)
{
  struct tracking_options o;
  struct diag d;
  tracking_defaults(&o);
  o.argc = line->argc;
  o.argv = line->argv;
  int status = cli_read(line, &syntax, &o), n = line->n_operands, is_motion = n > 0 &&
               capturing_is_motion(line->operands[0]);
  if (status == CLI_DONE)
    status = wrong_arguments(&o, n, is_motion);
  if (status)
    return status;
  diag_init(&d);
  status = o.compare ? tracking_compare(arena, n, line->operands, &o, &d)
           : is_motion ? run_file(arena, line->operands[0], &o, &d)
                       : run_track(arena, line->operands[0], n > 1 ? line->operands[1] : NULL, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  return status;
}

/* Methods that are commands of their own: guided learning, of the whole graph, is muybridge control. */
int cli_track(int argc, char **argv)
{
  static const struct cli_syntax *const syntaxes[] = {&syntax, &control_syntax, &modal_syntax};
  struct arena *arena = arena_new();
  const struct cli_line *line = cli_line_new(arena, syntaxes, 3, argc, argv);
  const char *method = cli_line_value(line, "method", 'm');
  int status = method && !strcmp(method, "modal")    ? modal_line(arena, line)
               : method && !strcmp(method, "guided") ? control_line(arena, line)
                                                     : track_line(arena, line);
  arena_free(arena);
  return status > 0 ? status : cli_finish_output("track");
}

/* muybridge track --method modal: a clip followed by modal-space control, pushed and edited while it plays. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/modal.h"
#include "cli/solving.h"
#include "cli/tracking.h"
#include "modal/run.h"
#include "modal/squat.h"
#include "plots/modal_figures.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge track --method modal [OPTION]... RUN [CLIP]\n"
    "Follows a clip of a run file by modal-space control: at every step the forces of the ground and the modes of low\n"
    "frequency are planned over a window, all other modes for the next step. CLIP is a number or a name (default: the\n"
    "first); a cyclic one goes on and on. Nothing is computed beforehand, so it may be edited while it plays.\n\n"
    "  -w, --window N       steps planned ahead (default 12)\n"
    "      --where W        own: in its own linearised dynamics (default); ode: its torques alone in the simulated world;\n"
    "                       engine: the same with this program's own engine\n"
    "      --seconds S      how long (default 10)\n"
    "      --push N@S[,DEGREES[,LIMB]]  a force of N newtons at second S for 10/120 s, times the root of the size against a\n"
    "                       human's, to the left of straight on by DEGREES (default 90), on a limb (default: the heaviest)\n"
    "      --reaction S     until a push is noticed (default 0.2)\n"
    "      --tempo F@S[-S]  plays F times as fast from a second on, or between two\n"
    "      --stride F@S     F times as far with every step, legs bent to fit\n"
    "      --into CLIP@S[-S]  goes over into another clip of the run, blended (default: over 0.5 s)\n"
    "      --carry KG@S[,LIMB[,LIMB]]  takes up a weight, with the hands or these limbs\n"
    "      --squat DEGREES  in place of a clip: a squat made by hand, arms raised forwards by DEGREES meanwhile\n"
    "  -t, --terrain T      flat (default) or slope:DEGREES, up along x\n"
    "      --friction MU    of the ground (default: the creature's)\n"
    "      --modes A-B      plans modes number A to B over the window in place of those of low frequency (from 6 on)\n"
    "      --paper          as in the paper: feet are set where the reference has them, joints do not give way to feet that\n"
    "                       stand, muscles do not hold, levers and forces of velocity as at rest in the present pose\n"
    "  -p, --picture FILE   draw how far it was off and the forces (.png, .svg or .pdf)\n"
    "      --json           the summary for machines\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 followed, 1 it fell, 2 the input or the command line is wrong.\n";

#define MOST 16

/* "150@2,90,chest" in pieces. */
struct event { double value, from, until; char *rest, *name; };

struct command {
  struct modal_run_options o;
  int n_pushes, n_edits, into;  /* into: which edit names a clip, -1: none */
  struct event pushes[MOST], carry;
  struct guide_edit edits[MOST];
  const char *clip_after, *picture;
  double friction;
  double arms;                  /* of a squat [degrees] */
  int modes[2], json, quiet, carries, paper, squats;
};

enum { WHERE = 2000, SECONDS, PUSH, REACTION, TEMPO, STRIDE, INTO, CARRY, FRICTION, MODES, PAPER, JSON, SQUAT };

int cli_modal_wanted(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--method=modal") || !strcmp(argv[i], "-mmodal"))
      return 1;
    if ((!strcmp(argv[i], "--method") || !strcmp(argv[i], "-m")) && i + 1 < argc && !strcmp(argv[i + 1], "modal"))
      return 1;
  }
  return 0;
}

static int number(const char *option, double least, double most, double *out)
{
  return cli_number("track", option, optarg, least, most, out) ? CLI_DONE : CLI_WRONG_INPUT;
}

/* VALUE@S[-S][,REST]; named: VALUE is a word. */
static int read_event(const char *option, const char *form, int named, struct event *e)
{
  char *at = strchr(optarg, '@'), *end = optarg;
  *e = (struct event){.until = INFINITY};
  if (named && at)
    end = at;
  else if (at)
    e->value = strtod(optarg, &end);
  if (at && end == at && at > optarg) {
    e->from = strtod(at + 1, &end);
    int good = end > at + 1;
    if (good && *end == '-') {
      char *from = end + 1;
      e->until = strtod(from, &end);
      good = end > from && e->until > e->from;
    }
    if (good && isfinite(e->value) && e->from >= 0 && isfinite(e->from) && (*end == 0 || *end == ',')) {
      e->rest = *end == ',' ? end + 1 : NULL;
      if (named) {
        *at = 0;
        e->name = optarg;
      }
      return CLI_DONE;
    }
  }
  return cli_usage_error("track", "%s: %s, found '%s'", option, form, optarg);
}

static int add_push(struct command *c)
{
  if (c->n_pushes == MOST)
    return cli_usage_error("track", "--push: at most %d", MOST);
  return read_event("--push", "N@S[,DEGREES[,LIMB]]", 0, &c->pushes[c->n_pushes++]);
}

static int add_edit(struct command *c, enum guide_edit_kind kind, const char *option, const char *form)
{
  struct event e;
  if (c->n_edits == MOST)
    return cli_usage_error("track", "%s: at most %d edits", option, MOST);
  if (read_event(option, form, kind == GUIDE_TRANSITION, &e) != CLI_DONE)
    return CLI_WRONG_INPUT;
  if (kind != GUIDE_TRANSITION && !(e.value >= 0.2 && e.value <= 5))
    return cli_usage_error("track", "%s: the factor must be 0.2 to 5, found %g", option, e.value);
  if (kind == GUIDE_TRANSITION) {
    if (c->into >= 0)
      return cli_usage_error("track", "--into: once");
    c->into = c->n_edits;
    c->clip_after = e.name;
    if (isinf(e.until))
      e.until = e.from + 0.5;
  }
  c->edits[c->n_edits++] = (struct guide_edit){kind, e.from, e.until, e.value, NULL};
  return CLI_DONE;
}

static int read_where(struct command *c)
{
  c->o.where = strcmp(optarg, "own") ? MODAL_WORLD : MODAL_OWN;
  c->o.world.engine = !strcmp(optarg, "engine") ? WORLD_OWN : WORLD_ODE;
  if (!strcmp(optarg, "own") || !strcmp(optarg, "ode") || !strcmp(optarg, "engine"))
    return CLI_DONE;
  return cli_usage_error("track", "--where: own, ode or engine, found '%s'", optarg);
}

static int read_terrain(struct command *c)
{
  struct terrain t;
  if (!tracking_terrain(optarg, &t))
    return CLI_WRONG_INPUT;
  if (t.kind != TERRAIN_FLAT && t.kind != TERRAIN_SLOPE)
    return cli_usage_error("track", "--terrain: modal control knows flat and slope:DEGREES, found '%s'", optarg);
  c->o.slope = t.kind == TERRAIN_SLOPE ? t.size : 0;
  return CLI_DONE;
}

static int read_modes(struct command *c)
{
  char extra;
  if (sscanf(optarg, "%d-%d%c", &c->modes[0], &c->modes[1], &extra) == 2 && c->modes[0] >= MODAL_RIGID &&
      c->modes[1] >= c->modes[0])
    return CLI_DONE;
  return cli_usage_error("track", "--modes: A-B with A of 6 or more, found '%s'", optarg);
}

static int read_option(int k, struct command *c)
{
  double x;
  switch (k) {
  case 'm': return CLI_DONE;
  case 'w':
    if (number("--window", 1, MODAL_WINDOW_MOST, &x) != CLI_DONE)
      return CLI_WRONG_INPUT;
    c->o.control.window = (int)x;
    return CLI_DONE;
  case WHERE: return read_where(c);
  case SECONDS: return number("--seconds", 0.1, 3600, &c->o.seconds);
  case PUSH: return add_push(c);
  case REACTION: return number("--reaction", 0, 2, &c->o.reaction);
  case TEMPO: return add_edit(c, GUIDE_TEMPO, "--tempo", "F@S[-S]");
  case STRIDE: return add_edit(c, GUIDE_STRIDE, "--stride", "F@S");
  case INTO: return add_edit(c, GUIDE_TRANSITION, "--into", "CLIP@S[-S]");
  case CARRY: c->carries = 1; return read_event("--carry", "KG@S[,LIMB[,LIMB]]", 0, &c->carry);
  case SQUAT: c->squats = 1; return number("--squat", -30, 120, &c->arms);
  case 't': return read_terrain(c);
  case FRICTION: return number("--friction", 0, 100, &c->friction);
  case MODES: return read_modes(c);
  case PAPER: c->paper = 1; return CLI_DONE;
  case 'p': c->picture = optarg; return CLI_DONE;
  case JSON: c->json = 1; return CLI_DONE;
  case 'q': c->quiet = 1; return CLI_DONE;
  case 'h': fputs(usage, stdout); return -1;
  default: return cli_usage_error("track", "wrong option for --method modal");
  }
}

static int parse(int argc, char **argv, struct command *c)
{
  static const struct option options[] = {{"method", required_argument, NULL, 'm'},
                                          {"window", required_argument, NULL, 'w'},
                                          {"where", required_argument, NULL, WHERE},
                                          {"seconds", required_argument, NULL, SECONDS},
                                          {"push", required_argument, NULL, PUSH},
                                          {"reaction", required_argument, NULL, REACTION},
                                          {"tempo", required_argument, NULL, TEMPO},
                                          {"stride", required_argument, NULL, STRIDE},
                                          {"into", required_argument, NULL, INTO},
                                          {"carry", required_argument, NULL, CARRY},
                                          {"squat", required_argument, NULL, SQUAT},
                                          {"terrain", required_argument, NULL, 't'},
                                          {"friction", required_argument, NULL, FRICTION},
                                          {"modes", required_argument, NULL, MODES},
                                          {"paper", no_argument, NULL, PAPER},
                                          {"picture", required_argument, NULL, 'p'},
                                          {"json", no_argument, NULL, JSON},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  int status = CLI_DONE;
  for (int k; status == CLI_DONE && (k = getopt_long(argc, argv, "m:w:t:p:qh", options, NULL)) != -1;)
    status = read_option(k, c);
  return status;
}

/* ---- names into numbers ---- */

static int find_limb(const struct creature *c, const char *name, struct diag *d)
{
  int limb = creature_find_limb(c, name);
  if (limb < 0)
    diag_error(d, c->file, 0, "there is no limb '%s'", name);
  return limb;
}

static int heaviest(const struct creature *c)
{
  int best = 0;
  for (int i = 1; i < c->n_limbs; i++)
    if (c->limbs[i].mass > c->limbs[best].mass)
      best = i;
  return best;
}

static int fill_push(const struct creature *c, const struct event *e, struct modal_run_push *p, struct diag *d)
{
  double degrees = 90;
  char *name = NULL;
  if (e->rest) {
    degrees = strtod(e->rest, &name);
    if (name == e->rest || (*name && *name != ',')) {
      diag_error(d, "--push", 0, "degrees and perhaps a limb after the comma, found '%s'", e->rest);
      return 0;
    }
  }
  *p = (struct modal_run_push){.from = e->from, .seconds = 10.0 / 120 * sqrt(c->height / 0.9)};
  p->limb = name && *name ? find_limb(c, name + 1, d) : heaviest(c);
  p->force[0] = e->value * cos(degrees * 3.14159265358979323846 / 180);
  p->force[1] = e->value * sin(degrees * 3.14159265358979323846 / 180);
  return p->limb >= 0;
}

static int fill_load(struct arena *arena, const struct creature *c, const struct event *e, struct modal_run_load *l,
                     struct diag *d)
{
  const char *names = e->rest ? e->rest : "left_hand,right_hand";
  char *copy = arena_strdup(arena, names);
  *l = (struct modal_run_load){.from = e->from, .mass = e->value};
  for (char *word = strtok(copy, ","); word && l->n_limbs < MODAL_CARRIERS; word = strtok(NULL, ",")) {
    l->limbs[l->n_limbs] = find_limb(c, word, d);
    if (l->limbs[l->n_limbs++] < 0)
      return 0;
  }
  if (!(l->mass > 0 && l->mass <= 10 * c->mass))
    diag_error(d, "--carry", 0, "a weight of more than 0 and at most %g kg, found %g", 10 * c->mass, l->mass);
  return !d->n_errors;
}

static void be_like_the_paper(struct modal_options *o)
{
  o->footing = o->follow = o->muscle = 0;
  o->stand = 0;
  o->frozen = o->still = o->hold = 1;
}

static int complete(struct arena *arena, const struct creature *c, struct command *x, struct diag *d)
{
  struct modal_run_push *pushes = ARENA_NEW(arena, MOST, struct modal_run_push);
  int good = 1;
  for (int i = 0; i < x->n_pushes; i++)
    good &= fill_push(c, &x->pushes[i], &pushes[i], d);
  if (x->carries)
    good &= fill_load(arena, c, &x->carry, &x->o.load, d);
  if (x->modes[0]) {
    int *chosen = ARENA_NEW(arena, (size_t)c->n_dofs + 1, int);
    for (int k = x->modes[0]; k <= x->modes[1] && k < c->n_dofs; k++)
      chosen[x->o.control.n_chosen++] = k;
    x->o.control.chosen = chosen;
  }
  if (x->paper)
    be_like_the_paper(&x->o.control);
  if (!isnan(x->friction))
    x->o.control.friction = x->o.world.friction = x->friction;
  x->o.pushes = pushes;
  x->o.n_pushes = x->n_pushes;
  x->o.edits = x->edits;
  x->o.n_edits = x->n_edits;
  return good;
}

/* ---- the work ---- */

static const char *where_words(const struct modal_run_options *o)
{
  return o->where == MODAL_OWN ? "its own linearised dynamics"
                               : o->world.engine == WORLD_OWN ? "the world, own engine" : "the world, ODE";
}

static void print(const struct modal_run *r, const struct clip *clip, const struct command *x)
{
  double degrees = 180 / 3.14159265358979323846;
  printf("%s, %s: %s by modal control, window %d, in %s\n", r->creature->name, clip->name,
         r->success ? "followed" : "not followed", x->o.control.window, where_words(&x->o));
  if (r->fault)
    printf("  first fault: %s, after %.2f s of %.2f s\n", r->fault, r->n * r->dt, r->n_wanted * r->dt);
  printf("  %d steps of %.2f ms; root off by at most %.2f degrees, %.4f L in height; rms %.2f degrees, joints %.2f degrees\n",
         r->n, 1e3 * r->dt, r->worst_angle * degrees, r->worst_height, r->mean_angle * degrees, r->mean_joint * degrees);
  if (r->n)
    printf("  at the end %.3f m ahead and %.3f m to the left of the clip's own way; feet short of edited footholds by %.4f L\n",
           r->place[2 * r->n - 2], r->place[2 * r->n - 1], r->most_missed);
  printf("  %.0f steps per second of processor, %.1f times real time; %d contact problems unsolved\n",
         r->n / r->seconds_control, r->n * r->dt / r->seconds_control, r->lemke_failures);
}

static void print_json(const struct modal_run *r, const struct clip *clip, const struct command *x)
{
  printf("{\"creature\": \"%s\", \"what\": \"%s\", \"method\": \"modal\", \"where\": \"%s\", \"window\": %d, \"success\": %s, "
         "\"fault\": %s%s%s, \"steps\": %d, \"wanted\": %d, \"dt\": %.6g,\n",
         r->creature->name, clip->name, where_words(&x->o), x->o.control.window, r->success ? "true" : "false",
         r->fault ? "\"" : "", r->fault ? r->fault : "null", r->fault ? "\"" : "", r->n, r->n_wanted, r->dt);
  printf(" \"worst\": {\"angle\": %.6g, \"height\": %.6g}, \"rms\": {\"angle\": %.6g, \"joint\": %.6g}, \"missed\": %.6g, "
         "\"steps_per_second\": %.6g, \"unsolved\": %d}\n",
         r->worst_angle, r->worst_height, r->mean_angle, r->mean_joint, r->most_missed, r->n / r->seconds_control,
         r->lemke_failures);
}

static const struct clip *made_squat(struct arena *arena, const struct creature *c, double arms, struct diag *d)
{
  struct squat s;
  squat_defaults(&s);
  s.arms = arms * 3.14159265358979323846 / 180;
  return squat_clip(arena, c, &s, d);
}

static int run(struct arena *arena, const char *file, const char *which, struct command *x, struct diag *d)
{
  struct store *s = store_open(arena, file, STORE_READ, d);
  const struct creature *c = s ? store_get_creature(arena, s, d) : NULL;
  int id = c ? store_find_clip(s, which, d) : 0, after = id && x->into >= 0 ? store_find_clip(s, x->clip_after, d) : 0;
  const struct clip *clip = id ? store_get_clip(arena, s, id, d) : NULL;
  if (clip && after)
    x->edits[x->into].clip = store_get_clip(arena, s, after, d);
  store_close(s);
  if (clip && x->squats)
    clip = made_squat(arena, c, x->arms, d);
  if (!clip || d->n_errors || !complete(arena, c, x, d))
    return CLI_WRONG_INPUT;
  const struct modal_run *r = modal_run(arena, c, clip, &x->o, d);
  if (!r)
    return CLI_WRONG_INPUT;
  if (x->json)
    print_json(r, clip, x);
  else if (!x->quiet)
    print(r, clip, x);
  if (x->picture && !plot_modal_run(clip->name, r, &x->o, x->picture, d))
    return CLI_FAILED;
  if (x->picture && !x->quiet && !x->json)
    printf("drew %s\n", x->picture);
  return r->success ? CLI_DONE : CLI_FAILED;
}

int cli_modal(int argc, char **argv)
{
  struct command x = {.into = -1, .friction = NAN};
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  modal_run_defaults(NULL, &x.o);
  int status = parse(argc, argv, &x), n = argc - optind;
  if (status == CLI_DONE && (n < 1 || n > 2))
    status = cli_usage_error("track", "name a run file, and perhaps one of its clips");
  if (status == CLI_DONE)
    status = run(arena, argv[optind], n > 1 ? argv[optind + 1] : NULL, &x, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status > 0 ? status : cli_finish_output("track") ? CLI_FAILED : CLI_DONE;
}

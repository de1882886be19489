/* muybridge track --method modal: a clip followed by modal-space control, pushed and edited while it plays. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/tracking.h"
#include "modal/record.h"
#include "plots/modal_figures.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge track --method modal [OPTION]... RUN [CLIP]\n"
    "Follows a clip of a run file by modal-space control: at every step the forces of the ground and the modes of low\n"
    "frequency are planned over a window, all other modes for the next step. CLIP is a number or a name (default: the\n"
    "first); a cyclic one goes on and on. Nothing is computed beforehand, so it may be edited while it plays.\n\n"
    "  -w, --window N       steps planned ahead (default 12)\n"
    "      --where W        linear: in its own linearised dynamics (default); ode, tree, or mujoco where built in: "
    "its\n"
    "                       torques alone in the simulated world of that engine\n"
    "      --no-limb-contact  in that world limbs do not touch each other\n"
    "      --seconds S      how long (default 10)\n"
    "      --push N@S[,DEGREES[,LIMB]]  a force of N newtons at second S for 10/120 s, times the root of the size "
    "against a\n"
    "                       human's, to the left of straight on by DEGREES (default 90), on a limb (default: the "
    "heaviest)\n"
    "      --reaction S     until a push is noticed (default 0.2)\n"
    "      --tempo F@S[-S]  plays F times as fast from a second on, or between two\n"
    "      --stride F@S     F times as far with every step, legs bent to fit\n"
    "      --into CLIP@S[-S]  goes over into another clip of the run, blended (default: over 0.5 s)\n"
    "      --carry KG@S[,LIMB[,LIMB]]  takes up a weight, with the hands or these limbs\n"
    "      --squat DEGREES  in place of a clip: a squat made by hand, arms raised forwards by DEGREES meanwhile\n"
    "  -t, --terrain T      flat (default) or slope:DEGREES, up along x\n"
    "      --friction MU    of the ground (default: the creature's)\n"
    "      --modes A-B      plans modes number A to B over the window in place of those of low frequency (from 6 on)\n"
    "      --paper          as in the paper: feet are set where the reference has them, joints do not give way to feet "
    "that\n"
    "                       stand, muscles do not hold, levers and forces of velocity as at rest in the present pose\n"
    "      --no-store       do not keep the result in the run file\n"
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
  struct reference_edit edits[MOST];
  const char *method, *clip_after, *picture;
  double friction;
  double arms;                  /* of a squat [degrees]; NaN: none */
  int modes[2], json, quiet, carries, paper, no_store, no_limb_contact;
  struct modal_source source;
};

/* VALUE@S[-S][,REST]; named: VALUE is a word. */
static int read_event(const char *option, const char *form, int named, char *text, struct event *e)
{
  char *at = strchr(text, '@'), *end = text;
  *e = (struct event){.until = INFINITY};
  if (named && at)
    end = at;
  else if (at)
    e->value = strtod(text, &end);
  if (at && end == at && at > text) {
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
        e->name = text;
      }
      return CLI_DONE;
    }
  }
  return cli_usage_error("track", "%s: %s, found '%s'", option, form, text);
}

static int read_push(char *text, void *options)
{
  struct command *c = options;
  if (c->n_pushes == MOST)
    return cli_usage_error("track", "--push: at most %d", MOST);
  return read_event("--push", "N@S[,DEGREES[,LIMB]]", 0, text, &c->pushes[c->n_pushes++]);
}

static int add_edit(struct command *c, enum reference_edit_kind kind, const char *option, const char *form, char *text)
{
  struct event e;
  if (c->n_edits == MOST)
    return cli_usage_error("track", "%s: at most %d edits", option, MOST);
  if (read_event(option, form, kind == EDIT_TRANSITION, text, &e) != CLI_DONE)
    return CLI_WRONG_INPUT;
  if (kind != EDIT_TRANSITION && !(e.value >= 0.2 && e.value <= 5))
    return cli_usage_error("track", "%s: the factor must be 0.2 to 5, found %g", option, e.value);
  if (kind == EDIT_TRANSITION) {
    if (c->into >= 0)
      return cli_usage_error("track", "--into: once");
    c->into = c->n_edits;
    c->clip_after = e.name;
    if (isinf(e.until))
      e.until = e.from + 0.5;
  }
  c->edits[c->n_edits++] = (struct reference_edit){kind, e.from, e.until, e.value, NULL};
  return CLI_DONE;
}

static int read_where(char *text, void *options)
{
  struct command *c = options;
  int linear = !strcmp(text, "linear") || !strcmp(text, "own"), engine = WORLD_ODE; /* own, engine: older words */
  c->o.where = linear ? MODAL_LINEAR : MODAL_WORLD;
  if (!linear && strcmp(text, "engine") && world_engine_find(text) < 0)
    return cli_usage_error("track", "--where: linear, ode, tree or mujoco, found '%s'", text);
  int status = linear ? CLI_DONE : cli_read_engine("track", strcmp(text, "engine") ? text : "tree", &engine);
  c->o.world.engine = (enum world_engine)engine;
  return status;
}

static int read_terrain(char *text, void *options)
{
  struct command *c = options;
  struct terrain t;
  if (!tracking_terrain(text, &t))
    return CLI_WRONG_INPUT;
  if (t.kind != TERRAIN_FLAT && t.kind != TERRAIN_SLOPE)
    return cli_usage_error("track", "--terrain: modal control knows flat and slope:DEGREES, found '%s'", text);
  c->o.slope = t.kind == TERRAIN_SLOPE ? t.size : 0;
  return CLI_DONE;
}

static int read_modes(char *text, void *options)
{
  struct command *c = options;
  char extra;
  if (sscanf(text, "%d-%d%c", &c->modes[0], &c->modes[1], &extra) == 2 && c->modes[0] >= MODAL_RIGID &&
      c->modes[1] >= c->modes[0])
    return CLI_DONE;
  return cli_usage_error("track", "--modes: A-B with A of 6 or more, found '%s'", text);
}

static int read_tempo(char *text, void *options)
{
  return add_edit(options, EDIT_TEMPO, "--tempo", "F@S[-S]", text);
}

static int read_stride(char *text, void *options)
{
  return add_edit(options, EDIT_STRIDE, "--stride", "F@S", text);
}

static int read_into(char *text, void *options)
{
  return add_edit(options, EDIT_TRANSITION, "--into", "CLIP@S[-S]", text);
}

static int read_carry(char *text, void *options)
{
  struct command *c = options;
  c->carries = 1;
  return read_event("--carry", "KG@S[,LIMB[,LIMB]]", 0, text, &c->carry);
}

static const struct cli_option table[] = {
  CLI_TEXT("method", 'm', command, method),
  CLI_VALUE("window", 'w', command, o.control.window, 1, MODAL_WINDOW_MOST),
  CLI_READ("where", 0, read_where),
  CLI_VALUE("seconds", 0, command, o.seconds, 0.1, 3600),
  CLI_READ("push", 0, read_push),
  CLI_VALUE("reaction", 0, command, o.reaction, 0, 2),
  CLI_READ("tempo", 0, read_tempo),
  CLI_READ("stride", 0, read_stride),
  CLI_READ("into", 0, read_into),
  CLI_READ("carry", 0, read_carry),
  CLI_VALUE("squat", 0, command, arms, -30, 120),
  CLI_READ("terrain", 't', read_terrain),
  CLI_VALUE("friction", 0, command, friction, 0, 100),
  CLI_READ("modes", 0, read_modes),
  CLI_FLAG("no-limb-contact", 0, command, no_limb_contact),
  CLI_FLAG("paper", 0, command, paper),
  CLI_FLAG("no-store", 0, command, no_store),
  CLI_TEXT("picture", 'p', command, picture),
  CLI_FLAG("json", 0, command, json),
  CLI_FLAG("quiet", 'q', command, quiet),
  CLI_HELP,
  CLI_LAST,
};

const struct cli_syntax modal_syntax = {"track", usage, "wrong option for --method modal", table};

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

static int fill_push(const struct creature *c, const struct event *e, struct disturb_push *p, struct diag *d)
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
  *p = (struct disturb_push){.time = e->from, .seconds = 10.0 / 120 * sqrt(c->height / 0.9)};
  p->limb = name && *name ? find_limb(c, name + 1, d) : heaviest(c);
  p->force[0] = e->value * cos(degrees * PI / 180);
  p->force[1] = e->value * sin(degrees * PI / 180);
  return p->limb >= 0;
}

static int fill_load(struct arena *arena, const struct creature *c, const struct event *e, struct disturb_load *l,
                     struct diag *d)
{
  const char *names = e->rest ? e->rest : "left_hand,right_hand";
  char *copy = arena_strdup(arena, names);
  *l = (struct disturb_load){.from = e->from, .mass = e->value};
  for (char *word = strtok(copy, ","); word && l->n_limbs < DISTURB_CARRIERS; word = strtok(NULL, ",")) {
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
  o->footholds = o->follow = o->muscle = o->swing = o->high = o->hurry = 0;
  o->stand = o->hold_on = 0;
  o->frozen = o->still = o->hold = 1;
}

static int complete(struct arena *arena, const struct creature *c, struct command *x, struct diag *d)
{
  struct disturb_push *pushes = ARENA_NEW(arena, MOST, struct disturb_push);
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
  x->o.world.limbs = !x->no_limb_contact;
  x->o.pushes = pushes;
  x->o.n_pushes = x->n_pushes;
  x->o.edits = x->edits;
  x->o.n_edits = x->n_edits;
  return good;
}

/* ---- the work ---- */

static const char *where_words(const struct modal_run_options *o)
{
  static const char *const worlds[] = {[WORLD_ODE] = "the world, ODE", [WORLD_TREE] = "the world, tree engine",
                                       [WORLD_MUJOCO] = "the world, MuJoCo"};
  return o->where == MODAL_LINEAR ? "linearised dynamics" : worlds[o->world.engine];
}

static void print(const struct modal_run *r, const struct clip *clip, const struct command *x)
{
  printf("%s, %s: %s by modal control, window %d, in %s\n", r->creature->name, clip->name,
         r->success ? "followed" : "not followed", x->o.control.window, where_words(&x->o));
  if (r->fault)
    printf("  first fault: %s, after %.2f s of %.2f s\n", r->fault, r->n * r->dt, r->n_wanted * r->dt);
  printf("  %d steps of %.2f ms; root off by at most %.2f degrees, %.4f L in height; rms %.2f degrees, joints %.2f "
         "degrees\n", r->n, 1e3 * r->dt, r->worst_angle * TO_DEGREES, r->worst_height, r->mean_angle * TO_DEGREES,
         r->mean_joint * TO_DEGREES);
  if (r->n)
    printf("  at the end %.3f m ahead and %.3f m to the left of the clip's own way; feet short of edited footholds by "
           "%.4f L\n",
           r->place[2 * r->n - 2], r->place[2 * r->n - 1], r->most_missed);
  printf("  %.0f steps per second of processor, %.1f times real time; %d contact problems unsolved\n",
         r->n / r->seconds_control, r->n * r->dt / r->seconds_control, r->lemke_failures);
}

static void print_json(const struct modal_run *r, const struct clip *clip, const struct command *x)
{
  struct json j = json_to(stdout);
  json_object(&j, NULL);
  json_text(&j, "creature", r->creature->name);
  json_text(&j, "what", clip->name);
  json_text(&j, "method", "modal");
  json_text(&j, "where", where_words(&x->o));
  json_integer(&j, "window", x->o.control.window);
  json_truth(&j, "success", r->success);
  json_text(&j, "fault", r->fault);
  json_integer(&j, "steps", r->n);
  json_integer(&j, "wanted", r->n_wanted);
  json_number(&j, "dt", r->dt, 6);
  json_break(&j);
  json_number(&j, "end", r->n ? r->angle[r->n - 1] : 0, 6);
  json_object(&j, "worst");
  json_number(&j, "angle", r->worst_angle, 6);
  json_number(&j, "height", r->worst_height, 6);
  json_end(&j);
  json_object(&j, "rms");
  json_number(&j, "angle", r->mean_angle, 6);
  json_number(&j, "joint", r->mean_joint, 6);
  json_end(&j);
  json_number(&j, "missed", r->most_missed, 6);
  json_number(&j, "steps_per_second", r->n / r->seconds_control, 6);
  json_integer(&j, "unsolved", r->lemke_failures);
  json_end(&j);
}

/* Keeps the result in the run file; 0 after an error. */
static int keep_result(struct arena *arena, const char *file, const char *what, const struct modal_run *r,
                       const struct command *x, const struct cli_line *line, struct diag *d)
{
  struct store_performance kept;
  struct store *s = store_open(arena, file, STORE_WRITE, d);
  int id = 0;
  modal_record_make(arena, what, &x->source, r, &x->o, &kept);
  if (s && cli_session(arena, s, line->argc, line->argv, d))
    id = store_put_performance(s, &kept, d);
  store_close(s);
  if (id && !x->quiet && !x->json)
    printf("kept as motion %d under modal control; try: muybridge play --modal %s %d\n", id, file, id);
  return id > 0;
}

/* What is to be followed; NULL after an error. */
static const struct clip *load_source(struct arena *arena, const char *file, const char *which, struct command *x,
                                      const struct creature **c, struct diag *d)
{
  struct store *s = store_open(arena, file, STORE_READ, d);
  *c = s ? store_get_creature(arena, s, d) : NULL;
  x->source.arms = isfinite(x->arms) ? x->arms * PI / 180 : 0;
  x->source.clip = *c && !isfinite(x->arms) ? store_find_clip(s, which, d) : 0;
  x->source.after = *c && x->into >= 0 ? store_find_clip(s, x->clip_after, d) : 0;
  const struct clip *clip = *c && !d->n_errors ? modal_source_clip(arena, s, *c, &x->source, x->n_edits, x->edits, d)
                            : NULL;
  store_close(s);
  return clip;
}

static int run(struct arena *arena, const char *file, const char *which, struct command *x, const struct cli_line *line,
               struct diag *d)
{
  const struct creature *c;
  const struct clip *clip = load_source(arena, file, which, x, &c, d);
  if (!clip || d->n_errors || !complete(arena, c, x, d))
    return CLI_WRONG_INPUT;
  const struct modal_run *r = modal_run(arena, c, clip, &x->o, d);
  if (!r)
    return CLI_WRONG_INPUT;
  if (x->json)
    print_json(r, clip, x);
  else if (!x->quiet)
    print(r, clip, x);
  const char *what = x->source.clip ? arena_printf(arena, "clip %d, %s", x->source.clip, clip->name) : clip->name;
  if (!x->no_store && r->n > 0 && !keep_result(arena, file, what, r, x, line, d))
    return CLI_FAILED;
  if (x->picture && !plot_modal_run(clip->name, r, &x->o, x->picture, d))
    return CLI_FAILED;
  if (x->picture && !x->quiet && !x->json)
    printf("drew %s\n", x->picture);
  return r->success ? CLI_DONE : CLI_FAILED;
}

int modal_line(struct arena *arena, const struct cli_line *line)
{
  struct command x = {.into = -1, .friction = NAN, .arms = NAN};
  struct diag d;
  modal_run_defaults(NULL, &x.o);
  int status = cli_read(line, &modal_syntax, &x), n = line->n_operands;
  if (status == CLI_DONE && (n < 1 || n > 2))
    status = cli_usage_error("track", "name a run file, and perhaps one of its clips");
  if (status)
    return status;
  diag_init(&d);
  status = run(arena, line->operands[0], n > 1 ? line->operands[1] : NULL, &x, line, &d);
  cli_report(&d);
  diag_clear(&d);
  return status;
}

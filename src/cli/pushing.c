/* muybridge play --physics --pushes, --balls: a creature does what it is told in the simulated world, and is pushed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/pushing.h"
#include "base/angle.h"
#include "control/scene.h"
#include "control/task_choice.h"
#include "exchange/exchange.h"
#include "plots/control_figures.h"
#include "store/run_inputs.h"

static const char usage[] =
    "Usage: muybridge play --physics --pushes LIST [OPTION]... RUN [SCRIPT]\n"
    "   or: muybridge play --physics --balls LIST [OPTION]... RUN [SCRIPT]\n"
    "Drives the creature in the simulated world by its control graph (muybridge control), which is learned first if "
    "RUN has none.\n"
    "SCRIPT, or the task's own user with --random, says where to go; without either, paths are random. When it "
    "falls it\n"
    "goes limp and lies.\n\n"
    "      --pushes LIST    TIME:SIZE[:DIRECTION[:LIMB]],... SIZE in body weights for 0.1 s, DIRECTION in degrees from "
    "where it\n"
    "                       looks (0 pushes it forward; default: random), LIMB by name (default: the trunk); or\n"
    "                       every:SECONDS:SIZE, at random\n"
    "      --balls LIST     TIME:SPEED[:DIRECTION[:MASS]],... SPEED in m/s, DIRECTION that it comes from, MASS as "
    "share of the\n"
    "                       creature's (default 0.05)\n"
    "  -r, --random S       so many seconds, by the task's own user\n"
    "      --seconds S      so many seconds, random paths (default 20)\n"
    "      --teacher NAME   lqr (default), guided or ahead\n"
    "      --policy P       full (default) or compact\n"
    "      --engine E       of the world: ode (default), tree, or mujoco where built in\n"
    "      --no-limb-contact  limbs do not touch each other\n"
    "      --look N         candidates of a round of looking ahead, 0: the policy alone (default 16)\n"
    "  -o, --output FILE    write the motion: .csv, .npz, .bvh, .gltf, .glb ...\n"
    "  -p, --picture FILE   draw the worst push and what came of it (.png, .svg or .pdf)\n"
    "  -s, --seed N         another chance (default 1)\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 it did not fall, 1 it did or a file could not be written, 2 the input or the command line is "
    "wrong.\n";

/* ---- options ---- */

static int read_teacher(char *text, void *options)
{
  struct pushing_options *o = options;
  return learn_read_teacher("play", text, &o->learn);
}

static int read_policy(char *text, void *options)
{
  struct pushing_options *o = options;
  return learn_read_policy("play", text, &o->learn);
}

static int read_engine(char *text, void *options)
{
  struct pushing_options *o = options;
  return cli_read_engine("play", text, &o->engine);
}

static int read_output(char *text, void *options)
{
  struct pushing_options *o = options;
  o->output = text;
  return cli_check_motion_file("play", text);
}

static const struct cli_option table[] = {
  CLI_FLAG("physics", 0, pushing_options, physics),
  CLI_TEXT("pushes", 0, pushing_options, pushes),
  CLI_TEXT("balls", 0, pushing_options, balls),
  CLI_VALUE("random", 'r', pushing_options, random, 0.1, 1e5),
  CLI_VALUE("seconds", 0, pushing_options, seconds, 0.1, 1e5),
  CLI_READ("teacher", 0, read_teacher),
  CLI_READ("policy", 0, read_policy),
  CLI_READ("engine", 0, read_engine),
  CLI_FLAG("no-limb-contact", 0, pushing_options, no_limb_contact),
  CLI_VALUE("look", 0, pushing_options, look, 0, 1e4),
  CLI_READ("output", 'o', read_output),
  CLI_TEXT("picture", 'p', pushing_options, picture),
  CLI_VALUE("seed", 's', pushing_options, seed, 0, 1e15),
  CLI_FLAG("quiet", 'q', pushing_options, learn.quiet),
  CLI_HELP,
  CLI_LAST,
};

const struct cli_syntax pushing_syntax = {"play", usage, "wrong option for --pushes and --balls", table};

/* "a:b:c" of up to four parts; how many, 0 when there are more or one is empty. */
static int split(char *text, char *parts[4])
{
  int n = 0;
  for (char *at = text; at; n++) {
    if (n == 4 || !*at)
      return 0;
    parts[n] = at;
    at = strchr(at, ':');
    if (at)
      *at++ = '\0';
  }
  return n;
}

static int number_of(const char *text, double *out)
{
  char *end;
  *out = strtod(text, &end);
  return end != text && !*end && isfinite(*out);
}

/* every:SECONDS:SIZE */
static int many_pushes(const struct creature *c, char *parts[4], double until, struct rng *rng,
                       struct pushing_events *e)
{
  double every, size;
  if (!number_of(parts[1], &every) || !number_of(parts[2], &size) || !(every > 0))
    return 0;
  for (double t = every; t < until && e->n_pushes < PUSHING_MOST; t += every)
    e->pushes[e->n_pushes++] = disturb_push_of(c, t, size, rng_uniform(rng, -180 * TO_RADIANS, 180 * TO_RADIANS));
  return 1;
}

static int one_push(const struct creature *c, char *text, double until, struct rng *rng, struct pushing_events *e)
{
  char *parts[4];
  double size, angle = rng_uniform(rng, -180, 180);
  int n = split(text, parts);
  if (n == 3 && !strcmp(parts[0], "every"))
    return many_pushes(c, parts, until, rng, e);
  double time;
  int limb = disturb_trunk(c);
  if (n < 2 || e->n_pushes >= PUSHING_MOST || !number_of(parts[0], &time) || !number_of(parts[1], &size) ||
      (n > 2 && !number_of(parts[2], &angle)) || (n > 3 && (limb = creature_find_limb(c, parts[3])) < 0))
    return 0;
  e->pushes[e->n_pushes] = disturb_push_of(c, time, size, angle * TO_RADIANS);
  e->pushes[e->n_pushes++].limb = limb;
  return 1;
}

static int one_ball(const struct creature *c, char *text, double until, struct rng *rng, struct pushing_events *e)
{
  char *parts[4];
  double share = 0.05, angle = rng_uniform(rng, -180, 180);
  int n = split(text, parts), i = e->n_balls;
  (void)until;
  if (n < 2 || i >= PUSHING_MOST)
    return 0;
  e->balls[i] = (struct disturb_ball){0};
  if (!number_of(parts[0], &e->balls[i].time) || !number_of(parts[1], &e->speed[i]) || !(e->speed[i] > 0) ||
      (n > 2 && !number_of(parts[2], &angle)) || (n > 3 && (!number_of(parts[3], &share) || !(share > 0))))
    return 0;
  e->balls[i].mass = share * c->mass;
  e->balls[i].radius = 0.12 * c->height;
  e->direction[i] = angle * TO_RADIANS;
  e->n_balls++;
  return 1;
}

/* All entries of a list. The exit status. */
static int read_list(const struct pushing_options *o, const char *option, const struct creature *c, double until,
                     struct rng *rng,
                     struct pushing_events *e)
{
  char copy[4096];
  int push = !strcmp(option, "--pushes");
  const char *text = push ? o->pushes : o->balls;
  if (!text)
    return CLI_DONE;
  snprintf(copy, sizeof copy, "%s", text);
  for (char *at = copy, *next; at; at = next) {
    if ((next = strchr(at, ',')))
      *next++ = '\0';
    char entry[sizeof copy];
    snprintf(entry, sizeof entry, "%s", at);
    if (!(push ? one_push : one_ball)(c, entry, until, rng, e))
      return cli_usage_error(o->command, push ? "%s: TIME:SIZE[:DIRECTION[:LIMB]] or every:SECONDS:SIZE, found '%s'"
                             : "%s: TIME:SPEED[:DIRECTION[:MASS]], found '%s'", option, at);
  }
  return CLI_DONE;
}

/* ---- the work ---- */

struct chance { struct rng rng; const struct motion_graph *graph; };

static int by_chance(void *user, int node, double heading)
{
  struct chance *c = user;
  int first = c->graph->first_segment[node];
  (void)heading;
  return first + rng_below(&c->rng, c->graph->first_segment[node + 1] - first);
}

static void print_scene(const struct learning *s, const struct scene *scene, const struct pushing_events *e,
                        double asked)
{
  double weight = s->creature->mass * CREATURE_GRAVITY;
  printf("%s, %.4g s in the simulated world by %s, %d pushes, %d balls: %s\n", s->creature->name, scene->fell_after,
         s->kept.teacher, e->n_pushes, e->n_balls, scene->fallen < 0 ? "it did not fall" : "it fell");
  if (scene->fallen >= 0)
    printf("  fell after %.2f s of %.4g, then lay limp for %.2f s\n", scene->fell_after, asked,
           (scene->motion->n_frames - scene->fallen) * scene->motion->dt);
  printf("  looked ahead at %ld of %ld fragments; of %ld transitions %ld were put off; %.1f times real time on one "
         "core\n",
         scene->looks, scene->fragments, scene->leaves, scene->put_off,
         scene->fell_after / fmax(scene->processor, 1e-9));
  for (int i = 0; i < e->n_balls; i++)
    printf("  ball %d, thrown at %.2f s: gave %.3f body weights for 0.1 s\n", i + 1, e->balls[i].time,
           scene->ball_impulse[i] / weight / 0.1);
}

static int finish(const struct learning *s, const struct scene *scene, const struct pushing_events *e,
                  const struct pushing_options *o, struct diag *d)
{
  struct control_figures strip = {.graph = s->graph, .controls = s->controls, .scene = scene, .n_pushes = e->n_pushes,
                                 .pushes = e->pushes, .n_balls = e->n_balls};
  int good = 1;
  if (o->output) {
    struct exchange_output output = {exchange_format_of_path(o->output), s->creature, scene->motion};
    good = cli_write("play", o->output, exchange_write, &output);
  }
  if (good && o->picture)
    good = plot_push_strip(&strip, o->picture, d);
  return good && scene->fallen < 0 ? CLI_DONE : CLI_FAILED;
}

void pushing_defaults(struct pushing_options *o, int argc, char **argv)
{
  *o = (struct pushing_options){.command = "play", .random = NAN, .seconds = 20, .look = 16, .seed = 1};
  learn_defaults(&o->learn, argc, argv);
  o->learn.learning.as_kept = 1;
  o->learn.learning.measure = 0;
}

int pushing_play(struct arena *arena, const char *run, const char *script, struct pushing_options *o,
                 struct pushed *out,
                 struct diag *d)
{
  struct learning s;
  struct scene_options scene;
  struct pushing_events *e = ARENA_NEW(arena, 1, struct pushing_events);
  struct muy_player_controller *player = NULL;
  struct rng rng = rng_stream(o->seed, 0x50555348);
  if (!learning_open(arena, run, NULL, &s, d))
    return CLI_WRONG_INPUT;
  learning_settle(s.creature, &o->learn.learning);
  int status = learn_run(arena, &s, &o->learn, d);
  if (status)
    return status;
  struct chance chance = {rng_stream(o->seed, 0x50415448), s.motion};
  scene_defaults(s.creature, &scene);
  scene.runner.world.engine = (enum world_engine)o->engine;
  scene.runner.world.limbs = !o->no_limb_contact;
  scene.runner.candidates = s.controls->gains ? o->look : 0;
  scene.runner.seed = o->seed;
  scene.choose = by_chance;
  scene.choose_user = &chance;
  scene.seconds = isfinite(o->random) ? o->random : o->seconds;
  if (script || isfinite(o->random)) {
    struct store_controller kept;
    const struct task *task;
    player = run_inputs_player(arena, run, 0, &kept, &task, d);
    const struct script *asked = player && script ? cli_load_script(arena, script, task, d) : NULL;
    struct task_choice *asks = player && !d->n_errors ? task_choice_new(arena, s.motion, player, task, asked, o->seed,
                                                                        d) : NULL;
    if (!asks) {
      muy_player_unload(player);
      return CLI_WRONG_INPUT;
    }
    scene.choose = task_choice_segment;
    scene.choose_user = scene.tick_user = asks;
    scene.tick = task_choice_tick;
    scene.seconds = asked ? asked->end : scene.seconds;
  }
  if (read_list(o, "--pushes", s.creature, scene.seconds, &rng, e) ||
      read_list(o, "--balls", s.creature, scene.seconds, &rng, e)) {
    muy_player_unload(player);
    return CLI_WRONG_INPUT;
  }
  scene.n_pushes = e->n_pushes;
  scene.pushes = e->pushes;
  scene.n_balls = e->n_balls;
  scene.balls = e->balls;
  scene.ball_direction = e->direction;
  scene.ball_speed = e->speed;
  const struct scene *played = scene_play(arena, s.controls, &scene, d);
  muy_player_unload(player);
  *out = (struct pushed){s, played, e, scene.seconds};
  return played ? CLI_DONE : CLI_FAILED;
}

static int play_pushed(struct arena *arena, const char *run, const char *script, struct pushing_options *o,
                       struct diag *d)
{
  struct pushed p;
  int status = pushing_play(arena, run, script, o, &p, d);
  if (status)
    return status;
  if (!o->learn.quiet)
    print_scene(&p.learning, p.scene, p.events, p.seconds);
  return finish(&p.learning, p.scene, p.events, o, d);
}

int pushing_line(struct arena *arena, const struct cli_line *line)
{
  struct pushing_options o;
  struct diag d;
  pushing_defaults(&o, line->argc, line->argv);
  int status = cli_read(line, &pushing_syntax, &o), n = line->n_operands;
  if (status == CLI_DONE && (n < 1 || n > 2 || (n == 2 && isfinite(o.random))))
    status = cli_usage_error("play", "name a run file, and perhaps a script; with --random there is no script");
  if (status)
    return status;
  diag_init(&d);
  status = play_pushed(arena, line->operands[0], n > 1 ? line->operands[1] : NULL, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  return status;
}

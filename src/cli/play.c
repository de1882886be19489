/* muybridge play: a controller of a run file does what a script asks, or what the task's own user does. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "cli/cli.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/performing.h"
#include "cli/solving.h"
#include "exchange/exchange.h"
#include "plots/filmstrip.h"
#include "plots/performance.h"
#include "policy/performance.h"
#include "store/run_inputs.h"

static const char usage[] =
    "Usage: muybridge play [OPTION]... RUN SCRIPT\n"
    "   or: muybridge play [OPTION]... --random SECONDS RUN\n"
    "   or: muybridge play [OPTION]... --physics RUN [TRACK]\n"
    "   or: muybridge play [OPTION]... --modal RUN [MOTION]\n"
    "   or: muybridge play --physics --pushes LIST | --balls LIST [OPTION]... RUN [SCRIPT]  (--pushes LIST --help "
    "tells more)\n"
    "Plays a controller that 'muybridge policy' made: SCRIPT says what is asked when (a file, or the name of one that\n"
    "comes along: turns, parade, stroll); --random lets the task's own user ask. Prints how each command was followed\n"
    "and what it cost, and verifies the physics of the whole motion.\n"
    "--physics replays, open loop in the simulated world, what 'muybridge track' kept (default: the newest), says "
    "whether it\n"
    "is the same motion again, and judges it. --modal does so with what 'muybridge track --method modal' kept: torques "
    "alone\n"
    "in the simulated world, or planned again in linearised dynamics.\n\n"
    "  -r, --random S         play so many seconds of random commands\n"
    "  -s, --seed N           another chance (default 1)\n"
    "  -o, --output FILE      write the motion: .csv a table; .bvh, .gltf, .glb for animation; may be given again\n"
    "  -l, --log FILE         write what was asked, done and paid in every frame (CSV)\n"
    "  -p, --picture FILE     draw the way from above, and what was asked and done (.png, .svg or .pdf)\n"
    "  -c, --controller N     which controller (default: the newest)\n"
    "      --start NODE       begin at this decision node (default 0)\n"
    "      --no-verify        do not verify\n"
    "      --physics          replay a track\n"
    "      --engine E         of a track: replay it in another engine, ode, tree or mujoco (default: its own)\n"
    "      --no-limb-contact  of a track: replay it without contact between limbs (default: as it was made)\n"
    "      --modal            replay a motion under modal control\n"
    "  -q, --quiet            print errors only\n"
    "  -h, --help             this text\n\n"
    "Exit status: 0 played and verified, 1 the motion misses a bar or a file could not be written, 2 the input or the\n"
    "command line is wrong.\n";

enum { MOST_OUTPUTS = 8 };

struct play_options {
  double random;                /* [s], NaN: a script                      */
  uint64_t seed;
  int controller, start;
  const char *log, *picture;
  int n_outputs;
  const char *outputs[MOST_OUTPUTS];
  int skip_verification, physics, modal, quiet;
  int engine;                   /* of a track; -1: the one that it was made in */
  int no_limb_contact;          /* of a track */
};

/* ---- options ---- */

static int add_output(char *path, void *options)
{
  struct play_options *o = options;
  if (cli_check_motion_file("play", path))
    return CLI_WRONG_INPUT;
  if (o->n_outputs == MOST_OUTPUTS)
    return cli_usage_error("play", "--output: at most %d files", MOST_OUTPUTS);
  o->outputs[o->n_outputs++] = path;
  return CLI_DONE;
}

static int read_engine(char *text, void *options)
{
  struct play_options *o = options;
  return cli_read_engine("play", text, &o->engine);
}

static const struct cli_option table[] = {
  CLI_VALUE("random", 'r', play_options, random, 0.1, 1e5),
  CLI_VALUE("seed", 's', play_options, seed, 0, 1e15),
  CLI_READ("output", 'o', add_output),
  CLI_TEXT("log", 'l', play_options, log),
  CLI_TEXT("picture", 'p', play_options, picture),
  CLI_VALUE("controller", 'c', play_options, controller, 1, 1e9),
  CLI_VALUE("start", 0, play_options, start, 0, 1e9),
  CLI_FLAG("no-verify", 0, play_options, skip_verification),
  CLI_FLAG("physics", 0, play_options, physics),
  CLI_READ("engine", 0, read_engine),
  CLI_FLAG("no-limb-contact", 0, play_options, no_limb_contact),
  CLI_FLAG("modal", 0, play_options, modal),
  CLI_FLAG("quiet", 'q', play_options, quiet),
  CLI_HELP,
  CLI_LAST,
};

static const struct cli_syntax syntax = {"play", usage, "wrong option", table};

/* ---- what is printed ---- */

/* An error or a distance in a parameter's unit: "3.2 degrees"; of gaits a share of the time. */
static struct text_phrase distance_text(const struct task_parameter *p, double distance)
{
  struct text_phrase text;
  if (p->kind->space == TASK_CATEGORY)
    snprintf(text.words, sizeof text.words, "%.1f %%", 100 * distance);
  else
    snprintf(text.words, sizeof text.words, "%.*f %s", p->kind->decimals, distance / p->kind->scale, p->kind->unit);
  return text;
}

static void print_answer(const struct performance *p, const struct performance_answer *a, double running)
{
  const struct task_parameter *parameter = &p->task->parameters[a->parameter];
  char reached[32] = "not reached";
  if (isfinite(a->reached))
    snprintf(reached, sizeof reached, "%.2f s", a->reached);
  printf("  %7.2f  %-10s %-14s  %-11s  %-13s  %-13s  %9.4f\n", a->time, parameter->kind->name,
         task_value_text(parameter, a->asked).words, reached, distance_text(parameter, a->overshoot).words,
         distance_text(parameter, a->error).words, running);
}

/* With the running cost at the end of each command's time. */
static void print_answers(const struct performance *p, const double *running)
{
  printf("  %7s  %-25s  %-11s  %-13s  %-13s  %9s\n", "time s", "asked", "there after", "beyond by", "then off by",
         "mean cost");
  for (int i = 0; i < p->n_answers; i++) {
    int frame = (int)fmin(p->n_frames - 1, floor(p->answers[i].until / p->dt));
    print_answer(p, &p->answers[i], running[frame]);
  }
}

static void print_running(const struct performance *p, const double *running)
{
  printf("  running cost:");
  for (int part = 1; part <= 4; part++) {
    int frame = (p->n_frames - 1) * part / 4;
    printf("%s %.4f after %.4g s", part == 1 ? "" : ",", running[frame], frame * p->dt);
  }
  putchar('\n');
}

static void print_performance(struct arena *arena, const struct performance *p, const struct store_controller *kept)
{
  double *running = ARENA_NEW(arena, (size_t)p->n_frames, double);
  performance_running(p, running);
  printf("%s, '%s', controller %d: %.4g s, %d frames\n", p->task->creature->name, p->task->name, kept->id,
         (p->n_frames - 1) * p->dt, p->n_frames);
  if (p->n_answers > 0)
    print_answers(p, running);
  print_running(p, running);
  printf("  cost of a frame %.4f (%.4f in the long run, by the task's own user): body %.4f", p->cost, kept->cost,
         p->mean_body);
  for (int i = 0; i < p->n_parameters; i++)
    printf(", %s %.4f", p->task->parameters[i].kind->name, p->mean_task[i]);
  printf("\n  off by, on average:");
  for (int i = 0; i < p->n_parameters; i++)
    printf("%s %s %s", i ? "," : "", p->task->parameters[i].kind->name,
           distance_text(&p->task->parameters[i], p->mean_error[i]).words);
  putchar('\n');
}

/* ---- what is written ---- */

/* Creature and motion to every output, in the format that its name ends with. 0 after a message. */
static int write_motion(const struct creature *c, const struct clip *motion, const struct play_options *o)
{
  int good = 1;
  for (int i = 0; i < o->n_outputs && good; i++) {
    struct exchange_output output = {exchange_format_of_path(o->outputs[i]), c, motion};
    good = cli_write("play", o->outputs[i], exchange_write, &output);
    if (good && !o->quiet)
      printf("wrote %s\n", o->outputs[i]);
  }
  return good;
}

static void write_log_head(const struct performance *p, FILE *out)
{
  fputs("# what was asked, done and paid, frame by frame; angles [rad] are headings in the world, speeds [m/s]\n"
        "# gait: its number in the creature file, from 0; segment: the one that is played; at: its frame that is "
        "shown\n"
        "time,x,y,segment,at,direction,torso,speed,gait,effort",
        out);
  for (int i = 0; i < p->n_parameters; i++)
    if (p->task->parameters[i].measure >= 0)
      fprintf(out, ",%s", p->task->parameters[i].kind->name);
  for (int i = 0; i < p->n_parameters; i++)
    fprintf(out, ",asked.%s", p->task->parameters[i].kind->name);
  fputs(",cost.body", out);
  for (int i = 0; i < p->n_parameters; i++)
    fprintf(out, ",cost.%s", p->task->parameters[i].kind->name);
  fputs(",cost.running\n", out);
}

static int write_log(const void *what, FILE *out)
{
  const struct performance *p = what;
  size_t m = (size_t)p->n_parameters;
  struct arena *scratch = arena_new();
  double *running = ARENA_NEW(scratch, (size_t)p->n_frames, double);
  performance_running(p, running);
  write_log_head(p, out);
  for (int k = 0; k < p->n_frames; k++) {
    const struct frame_features *f = &p->features[k];
    const double *q = p->motion->q + (size_t)k * (size_t)p->motion->n_dofs;
    fprintf(out, "%.17g,%.17g,%.17g,%d,%d,%.17g,%.17g,%.17g,%d,%.17g", k * p->dt, q[0], q[1], p->segment[k], p->at[k],
            f->direction, f->torso, f->speed, f->gait, f->counted_effort);
    for (int i = 0; i < p->task->measures.n; i++)
      fprintf(out, ",%.17g", f->measured[i]);
    for (size_t i = 0; i < m; i++)
      fprintf(out, ",%.17g", p->asked[(size_t)k * m + i]);
    fprintf(out, ",%.17g", p->body_cost[k]);
    for (size_t i = 0; i < m; i++)
      fprintf(out, ",%.17g", p->task_cost[(size_t)k * m + i]);
    fprintf(out, ",%.17g\n", running[k]);
  }
  arena_free(scratch);
  return ferror(out) != 0;
}

/* The exit status. */
static int write_outputs(const struct performance *p, const struct play_options *o, struct diag *d)
{
  int good = write_motion(p->task->creature, p->motion, o);
  if (good && o->log) {
    good = cli_write("play", o->log, write_log, p);
    if (good && !o->quiet)
      printf("wrote %s\n", o->log);
  }
  if (good && o->picture) {
    good = plot_performance(p, o->picture, d);
    if (good && !o->quiet)
      printf("drew %s\n", o->picture);
  }
  return good ? CLI_DONE : CLI_FAILED;
}

/* ---- the work ---- */

/* The whole motion, like any clip. The exit status. */
static int verify(struct arena *arena, const struct performance *p, int quiet)
{
  struct verify_report report;
  verify_clip(arena, p->task->creature, p->motion, &report);
  if (!quiet || !report.passed)
    print_verification(&report);
  if (!report.passed)
    fprintf(stderr, "muybridge play: the motion misses a bar of the verification\n");
  return report.passed ? CLI_DONE : CLI_FAILED;
}

static int play(struct arena *arena, const char *run, const char *script_name, const struct play_options *o,
                struct diag *d)
{
  struct store_controller kept;
  const struct task *task;
  struct muy_player_controller *player = run_inputs_player(arena, run, o->controller, &kept, &task, d);
  const struct script *script = NULL;
  if (player && script_name)
    script = cli_load_script(arena, script_name, task, d);
  struct performance_request r = {.task = task, .player = player, .script = script, .seconds = o->random,
                                  .seed = o->seed, .node = o->start};
  const struct performance *p = player && !d->n_errors ? performance_play(arena, &r, d) : NULL;
  int status = p ? CLI_DONE : CLI_WRONG_INPUT;
  if (p && !o->quiet)
    print_performance(arena, p, &kept);
  if (p && !o->skip_verification)
    status = verify(arena, p, o->quiet);
  int written = p ? write_outputs(p, o, d) : CLI_DONE;
  muy_player_unload(player);
  return status ? status : written;
}

/* ---- in the simulated world ---- */

struct replay { const struct creature *c; struct clip *motion; const struct terrain *ground; };

static int write_replay(const struct replay *r, const struct play_options *o, struct diag *d)
{
  int good = write_motion(r->c, r->motion, o);
  if (good && o->picture)
    good = plot_filmstrip_on(r->c, r->motion, r->ground, o->picture, d);
  return good;
}

/* A motion that is planned again is the same when it is so but for rounding: another version of the program has other
 * last digits. One that is replayed must be the same to the bit. */
#define PLANNED_SAME 1e-3       /* [L], [rad] */

static int is_same(const struct performing *p, double difference)
{
  return difference <= (p->recording->linear ? PLANNED_SAME : 0);
}

/* In the arena. */
static const char *sameness(struct arena *arena, const struct performing *p, double difference)
{
  if (!is_same(p, difference))
    return "NOT the motion that was kept";
  return difference > 0 ? arena_printf(arena, "the same motion but for rounding, %.1g L or rad at most", difference)
                        : "the same motion, bit for bit";
}

static void print_track(const struct performing *p, const char *same, const struct judgement *j)
{
  printf("track %d, %s, by %s: %.2f s, replayed open loop: %s\n", p->kept.number, p->kept.what, p->kept.way,
         p->kept.seconds, same);
  printf("  %s%s; at worst height off by %.3f L, orientation %.1f degrees, foothold %.3f L, course %.3f L\n",
         j->success ? "tracked" : "not tracked: ", j->fault ? j->fault : "", j->height, j->angle * TO_DEGREES, j->foot,
         j->course);
}

static void print_modal(const struct performing *p, const char *same)
{
  const struct recording *k = p->recording;
  printf("motion %d under modal control, %s, in %s: %.2f s, %s: %s\n", p->kept.number, p->kept.what,
         k->linear ? "linearised dynamics" : p->kept.place, k->n_windows * k->reference->dt,
         k->linear ? "planned again" : "replayed open loop", same);
  printf("  %s%s; root off by at most %.2f degrees, %.4f L in height\n", p->kept.success ? "followed"
         : "not followed: ",
         p->kept.fault, k->judgement.angle * TO_DEGREES, k->judgement.height);
}

/* Replays a recorded performance. The exit status: 1 when it is not the motion that was kept, or was judged a
 * failure. */
static int play_recording(struct arena *arena, const char *run, enum store_series series, const char *which,
                          const struct play_options *o, struct diag *d)
{
  struct performing p;
  double number = 0;
  if (which && !cli_number("play", series == SERIES_TRACK ? "TRACK" : "MOTION", which, 1, 1e9, &number))
    return CLI_WRONG_INPUT;
  int elsewhere = 0;            /* in another engine than it was made in, or without contact between limbs */
  const char *elsewhere_words = "";
  double off = NAN;
  if (performing_open(arena, run, series, (int)number, &p, d)) {
    struct world_options *world = &p.recording->rollout.world;
    struct world_options asked = *world;
    asked.engine = o->engine >= 0 ? (enum world_engine)o->engine : asked.engine;
    asked.limbs = o->no_limb_contact ? 0 : asked.limbs;
    elsewhere = series == SERIES_TRACK && (asked.engine != world->engine || asked.limbs != world->limbs);
    elsewhere_words = asked.engine != world->engine ? "in another engine" : "without contact between limbs";
    *world = elsewhere ? asked : *world;
    off = performing_replay(arena, &p, d);
  }
  if (isnan(off))
    return CLI_WRONG_INPUT;
  const char *same = elsewhere && off > 0 ? elsewhere_words : sameness(arena, &p, off);
  struct recording *k = p.recording;
  if (series == SERIES_TRACK)
    judge(arena, k->reference, k->motion, NULL, &k->judgement);
  if (!o->quiet && series == SERIES_TRACK)
    print_track(&p, same, &k->judgement);
  else if (!o->quiet)
    print_modal(&p, same);
  struct replay r = {p.creature, recording_clip(arena, k, "simulated"), &k->rollout.world.terrain};
  int written = write_replay(&r, o, d);
  return (is_same(&p, off) || elsewhere) && k->judgement.success && written ? CLI_DONE : CLI_FAILED;
}

static int play_line(struct arena *arena, const struct cli_line *line)
{
  struct play_options o = {.random = NAN, .seed = 1, .engine = -1};
  struct diag d;
  int status = cli_read(line, &syntax, &o), n = line->n_operands;
  if (status)
    return status;
  int wanted = isnan(o.random) ? 2 : 1;
  if (o.physics && o.modal)
    return cli_usage_error("play", "--physics replays a track, --modal a motion under modal control: not both");
  int replays = o.physics || o.modal;
  if (replays ? n < 1 || n > 2 || !isnan(o.random) : n != wanted)
    return cli_usage_error("play", wanted == 2 ? "name a run file and a script, or --random SECONDS, or --physics, or "
                                                 "--modal"
                                               : "name a run file; with --random there is no script");
  diag_init(&d);
  if (replays)
    status = play_recording(arena, line->operands[0], o.modal ? SERIES_MODAL : SERIES_TRACK,
                            n > 1 ? line->operands[1] : NULL, &o, &d);
  else
    status = play(arena, line->operands[0], wanted == 2 ? line->operands[1] : NULL, &o, &d);
  cli_report(&d);
  diag_clear(&d);
  return status;
}

/* With pushes or balls, the creature is driven by its control graph: pushing.c. */
int cli_play(int argc, char **argv)
{
  static const struct cli_syntax *const syntaxes[] = {&syntax, &pushing_syntax};
  struct arena *arena = arena_new();
  const struct cli_line *line = cli_line_new(arena, syntaxes, 2, argc, argv);
  int pushed = cli_line_value(line, "pushes", 0) || cli_line_value(line, "balls", 0);
  int status = pushed ? pushing_line(arena, line) : play_line(arena, line);
  arena_free(arena);
  return status > 0 ? status : cli_finish_output("play");
}

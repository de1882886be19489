/* muybridge gait: one cycle of a gait, from nothing. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/solving.h"
#include "plots/filmstrip.h"

static const char usage[] =
    "Usage: muybridge gait [OPTION]... CREATURE GAIT\n"
    "Finds a physically valid cycle of a gait, with no motion data: from the creature's rest pose.\n\n"
    "  -s, --speed V       metres per second (default: the middle of the gait's range)\n"
    "  -d, --strafe DEG    direction of travel, to the left of the nose (default 0)\n"
    "  -f, --frames N      frames of the cycle, 8 to 1000, with the period of the creature file\n"
    "                      (default: the creature's frame rate, and the cheapest period near that of the file)\n"
    "  -o, --output RUN    keep the clip in a run file (RUN.muy; made if there is none, else added to)\n"
    "  -p, --picture FILE  draw a filmstrip (.png, .svg or .pdf)\n"
    "      --seconds S     give up after so many seconds of processor time (default 60)\n"
    "      --iterations N  and after so many iterations (default 300)\n"
    "      --whole-cycle   do not use the symmetry of left and right\n"
    "      --bfgs          without exact second derivatives, to see what they are worth\n"
    "  -q, --quiet         print errors only\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 found and verified, 1 not found, 2 the input or the command line is wrong.\n";

enum { OPTION_SECONDS = 1000, OPTION_ITERATIONS, OPTION_WHOLE, OPTION_BFGS };

struct gait_options {
  struct solving solving;
  double speed, strafe;         /* NaN: not given */
  int frames;
};

static int parse_options(int argc, char **argv, struct gait_options *o)
{
  static const struct option options[] = {{"speed", required_argument, NULL, 's'},
                                          {"strafe", required_argument, NULL, 'd'},
                                          {"frames", required_argument, NULL, 'f'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"picture", required_argument, NULL, 'p'},
                                          {"seconds", required_argument, NULL, OPTION_SECONDS},
                                          {"iterations", required_argument, NULL, OPTION_ITERATIONS},
                                          {"whole-cycle", no_argument, NULL, OPTION_WHOLE},
                                          {"bfgs", no_argument, NULL, OPTION_BFGS},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  struct spacetime_options *s = &o->solving.options;
  double number;
  for (int k; (k = getopt_long(argc, argv, "s:d:f:o:p:qh", options, NULL)) != -1;)
    switch (k) {
    case 's':
      if (!cli_number("gait", "--speed", optarg, 0, 1e4, &o->speed))
        return CLI_WRONG_INPUT;
      break;
    case 'd':
      if (!cli_number("gait", "--strafe", optarg, -360, 360, &o->strafe))
        return CLI_WRONG_INPUT;
      break;
    case 'f':
      if (!cli_number("gait", "--frames", optarg, 8, 1000, &number))
        return CLI_WRONG_INPUT;
      o->frames = (int)number;
      break;
    case OPTION_SECONDS:
      if (!cli_number("gait", "--seconds", optarg, 1e-3, 1e6, &s->max_seconds))
        return CLI_WRONG_INPUT;
      break;
    case OPTION_ITERATIONS:
      if (!cli_number("gait", "--iterations", optarg, 1, 100000, &number))
        return CLI_WRONG_INPUT;
      s->max_iterations = (int)number;
      break;
    case OPTION_WHOLE: s->whole_cycle = 1; break;
    case OPTION_BFGS: s->limited_memory = 1; break;
    case 'o': o->solving.output = optarg; break;
    case 'p': o->solving.picture = optarg; break;
    case 'q': o->solving.quiet = 1; break;
    case 'h': fputs(usage, stdout); return -1;
    default: return cli_usage_error("gait", "wrong option");
    }
  return CLI_DONE;
}

/* The gait's index; -1 and a message with the nearest name when there is none. */
static int find_gait(struct arena *arena, const struct creature *c, const char *name)
{
  int gait = creature_find_gait(c, name);
  if (gait >= 0)
    return gait;
  const char **names = ARENA_NEW(arena, (size_t)c->n_gaits + 1, const char *);
  for (int i = 0; i < c->n_gaits; i++)
    names[i] = c->gaits[i].name;
  const char *nearest = text_nearest(name, names);
  fprintf(stderr, "muybridge gait: %s has no gait '%s'", c->name, name);
  if (nearest)
    fprintf(stderr, "; did you mean '%s'?\n", nearest);
  else {
    fputs("; it has:", stderr);
    for (int i = 0; i < c->n_gaits; i++)
      fprintf(stderr, " %s", c->gaits[i].name);
    fputs(c->n_gaits ? "\n" : " none\n", stderr);
  }
  return -1;
}

static int run_gait(struct arena *arena, const char *name, const char *gait_name, struct gait_options *o)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = cli_load_creature(arena, name, &d);
  if (cli_report(&d) || !c)
    return CLI_WRONG_INPUT;
  int gait = find_gait(arena, c, gait_name);
  if (gait < 0)
    return CLI_WRONG_INPUT;
  const struct gait *g = &c->gaits[gait];
  struct gait_request r = {.c = c, .gait = gait, .frames = o->frames};
  r.speed = isnan(o->speed) ? 0.5 * (g->speed_min + g->speed_max) : o->speed;
  r.strafe = isnan(o->strafe) ? 0 : o->strafe * 3.14159265358979323846 / 180;
  if (!solving_open(&o->solving, arena, c))
    return CLI_WRONG_INPUT;
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  struct clip *clip = spacetime_gait(arena, &r, &o->solving.options, report);
  return solving_finish(&o->solving, arena, c, clip, report);
}

int cli_gait(int argc, char **argv)
{
  struct gait_options o = {.speed = NAN, .strafe = NAN};
  solving_init(&o.solving, "gait", argc, argv);
  int status = parse_options(argc, argv, &o);
  if (status)
    return status < 0 ? cli_finish_output("gait") : status;
  if (argc - optind != 2)
    return cli_usage_error("gait", "name a creature and one of its gaits");
  struct arena *arena = arena_new();
  status = run_gait(arena, argv[optind], argv[optind + 1], &o);
  solving_close(&o.solving);
  arena_free(arena);
  return status;
}

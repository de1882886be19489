/* muybridge import: captured motion (BVH) as clips of a run file. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/capturing.h"
#include "cli/cli.h"
#include "cli/solving.h"
#include "plots/filmstrip.h"

static const char usage[] =
    "Usage: muybridge import [OPTION]... FILE.bvh...\n"
    "Puts captured motion on a creature: finds the file's unit and axes, leaves out a first frame that is only for\n"
    "calibration, finds the floor, the feet that stand, and the forces and torques that the motion needs.\n\n"
    "  -C, --creature NAME   the creature to move: of the zoo or a file (default human)\n"
    "      --build FILE      make a creature file of the actor's own size instead, and use it\n"
    "      --mass KG         of the creature that is built (default: 22 kg/m2 times the height squared)\n"
    "  -o, --output RUN      keep the clips in a run file (RUN.muy; made if there is none, else added to)\n"
    "  -p, --picture FILE    draw a filmstrip of the last one (.png, .svg or .pdf)\n"
    "      --unit METRES     length of the file's unit (default: found out)\n"
    "      --up AXIS         X, Y, Z, -X, -Y or -Z (default: found out)\n"
    "      --rate HZ         frames per second of the clips (default: the creature's; those of a file of our own\n"
    "                        stay); 'file': as in the file\n"
    "      --smooth HZ       filter the poses themselves (default: as they were captured)\n"
    "      --cutoff HZ       of the filter for forces (default: the one that keeps the ZMP over the feet)\n"
    "      --keep-first      the first frame is part of the motion, whatever it looks like\n"
    "      --keep-place      do not move the motion to the origin, nor turn it along x\n"
    "      --keep-floor      the floor is at 0 and the feet are right\n"
    "  -q, --quiet           print errors only\n"
    "  -h, --help            this text\n\n"
    "Exit status: 0 done, 1 something could not be written, 2 the input or the command line is wrong.\n";

enum {
  OPTION_BUILD = 1000,
  OPTION_MASS,
  OPTION_UNIT,
  OPTION_UP,
  OPTION_RATE,
  OPTION_SMOOTH,
  OPTION_CUTOFF,
  OPTION_FIRST,
  OPTION_PLACE,
  OPTION_FLOOR
};

struct import_options {
  struct solving solving;
  struct capture_options capture;
  const char *creature, *build;
  double mass;
};

static int parse_numbers(int option, struct import_options *o)
{
  switch (option) {
  case OPTION_MASS: return cli_number("import", "--mass", optarg, 1, 1000, &o->mass);
  case OPTION_UNIT: return cli_number("import", "--unit", optarg, 1e-9, 1e9, &o->capture.unit);
  case OPTION_SMOOTH: return cli_number("import", "--smooth", optarg, 0.05, 1e6, &o->capture.smooth);
  case OPTION_CUTOFF: return cli_number("import", "--cutoff", optarg, 0.05, 1e6, &o->capture.cutoff);
  case OPTION_RATE:
    if (strcmp(optarg, "file") != 0)
      return cli_number("import", "--rate", optarg, 1, 10000, &o->capture.rate);
    o->capture.keep_rate = 1;
    return 1;
  default: return 0;
  }
}

static int parse_options(int argc, char **argv, struct import_options *o)
{
  static const struct option options[] = {
      {"creature", required_argument, NULL, 'C'},    {"build", required_argument, NULL, OPTION_BUILD},
      {"mass", required_argument, NULL, OPTION_MASS}, {"output", required_argument, NULL, 'o'},
      {"picture", required_argument, NULL, 'p'},     {"unit", required_argument, NULL, OPTION_UNIT},
      {"up", required_argument, NULL, OPTION_UP},    {"rate", required_argument, NULL, OPTION_RATE},
      {"smooth", required_argument, NULL, OPTION_SMOOTH}, {"cutoff", required_argument, NULL, OPTION_CUTOFF},
      {"keep-first", no_argument, NULL, OPTION_FIRST},
      {"keep-place", no_argument, NULL, OPTION_PLACE}, {"keep-floor", no_argument, NULL, OPTION_FLOOR},
      {"quiet", no_argument, NULL, 'q'},             {"help", no_argument, NULL, 'h'},
      {NULL, 0, NULL, 0}};
  for (int k; (k = getopt_long(argc, argv, "C:o:p:qh", options, NULL)) != -1;)
    switch (k) {
    case 'C': o->creature = optarg; break;
    case OPTION_BUILD: o->build = optarg; break;
    case OPTION_UP: o->capture.up = optarg; break;
    case OPTION_FIRST: o->capture.keep_first = 1; break;
    case OPTION_PLACE: o->capture.keep_place = 1; break;
    case OPTION_FLOOR: o->capture.keep_floor = 1; break;
    case 'o': o->solving.output = optarg; break;
    case 'p': o->solving.picture = optarg; break;
    case 'q': o->solving.quiet = 1; break;
    case 'h': fputs(usage, stdout); return -1;
    case '?': return cli_usage_error("import", "wrong option");
    default:
      if (!parse_numbers(k, o))
        return CLI_WRONG_INPUT;
    }
  return CLI_DONE;
}

/* One file to one clip. */
static int import_file(struct arena *arena, const struct creature *c, const struct bvh *bvh, struct import_options *o,
                       struct diag *d)
{
  struct capture_report report;
  struct clip *clip = capture_clip(arena, bvh, c, &o->capture, &report, d);
  if (!clip)
    return CLI_WRONG_INPUT;
  if (!o->solving.quiet)
    capturing_print(c, clip, &report);
  int id = o->solving.store ? capturing_keep(arena, o->solving.store, c, clip, d) : 0;
  if (id && !o->solving.quiet)
    printf("kept as clip %d of %s\n", id, o->solving.output);
  if (o->solving.picture && !d->n_errors && plot_filmstrip(c, clip, o->solving.picture, d) && !o->solving.quiet)
    printf("drew %s\n", o->solving.picture);
  return d->n_errors ? CLI_FAILED : CLI_DONE;
}

static int write_text(const char *path, const char *text, struct diag *d)
{
  FILE *out = fopen(path, "w");
  int failed = !out || fputs(text, out) == EOF;
  if (out)
    failed |= fclose(out) != 0;
  if (failed)
    diag_error(d, path, 0, "cannot be written");
  return !failed;
}

static const struct creature *find_creature(struct arena *arena, const struct bvh *first, struct import_options *o,
                                            struct diag *d)
{
  struct capturing_actor actor = {o->build ? NULL : o->creature, o->build, o->mass};
  const char *text;
  const struct creature *c = capturing_creature(arena, first, &actor, &o->capture, &text, d);
  return c && (!text || write_text(o->build, text, d)) ? c : NULL;
}

static int import_files(struct arena *arena, int n, char **paths, struct import_options *o)
{
  struct diag d;
  int status = CLI_DONE;
  diag_init(&d);
  const struct bvh **files = ARENA_NEW(arena, (size_t)n, const struct bvh *);
  for (int i = 0; i < n; i++)
    files[i] = bvh_load(arena, paths[i], &d);
  const struct creature *c = d.n_errors ? NULL : find_creature(arena, files[0], o, &d);
  if (cli_report(&d) || !c || !solving_open(&o->solving, arena, c))
    return CLI_WRONG_INPUT;
  for (int i = 0; i < n && status == CLI_DONE; i++) {
    status = import_file(arena, c, files[i], o, &d);
    cli_report(&d);
  }
  diag_clear(&d);
  return status;
}

int cli_import(int argc, char **argv)
{
  struct import_options o = {.creature = "human"};
  solving_init(&o.solving, "import", argc, argv);
  int status = parse_options(argc, argv, &o);
  if (status)
    return status < 0 ? cli_finish_output("import") : status;
  if (optind == argc)
    return cli_usage_error("import", "name a motion file (.bvh)");
  struct arena *arena = arena_new();
  status = import_files(arena, argc - optind, argv + optind, &o);
  solving_close(&o.solving);
  arena_free(arena);
  return status ? status : cli_finish_output("import");
}

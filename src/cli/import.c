/* muybridge import: captured motion (BVH) as clips of a run file; robots as creature files (import_robot.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/capturing.h"
#include "cli/import_robot.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "plots/filmstrip.h"
#include "robots/robots.h"

static const char usage[] =
    "Usage: muybridge import [OPTION]... FILE.bvh...\n"
    "   or: muybridge import [--symmetric] ROBOT.xml|ROBOT.urdf [-o ROBOT.creature]\n"
    "The first puts captured motion on a creature: finds the file's unit and axes, leaves out a first frame that is\n"
    "only for calibration, finds the floor, the feet that stand, and the forces and torques that the motion needs.\n"
    "The second makes a creature file of a robot's description (MJCF, URDF): limbs, masses, joints and torques are\n"
    "the robot's; pairs of limbs, feet, a rest pose and gaits to begin with are found.\n\n"
    "  -C, --creature NAME   the creature to move: of the zoo or a file (default human)\n"
    "      --build FILE      make a creature file of the actor's own size instead, and use it\n"
    "      --mass KG         of the creature that is built (default: 22 kg/m2 times the height squared)\n"
    "  -o, --output RUN      keep the clips in a run file (RUN.muy; made if there is none, else added to); of a\n"
    "                        robot: the creature file\n"
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
    "      --symmetric       of a robot: the right side as the left one, nothing off the midline; half the work for\n"
    "                        gaits\n"
    "  -q, --quiet           print errors only\n"
    "  -h, --help            this text\n\n"
    "Exit status: 0 done, 1 something could not be written, 2 the input or the command line is wrong.\n";

struct import_options {
  struct solving solving;
  struct capture_options capture;
  const char *creature, *build;
  double mass;
  int symmetric;                /* of a robot */
};

static int read_rate(char *text, void *options)
{
  struct capture_options *o = &((struct import_options *)options)->capture;
  o->keep_rate = strcmp(text, "file") == 0;
  return o->keep_rate || cli_number("import", "--rate", text, 1, 10000, &o->rate) ? CLI_DONE : CLI_WRONG_INPUT;
}

static const struct cli_option import_options[] = {
    CLI_TEXT("creature", 'C', import_options, creature),
    CLI_TEXT("build", 0, import_options, build),
    CLI_VALUE("mass", 0, import_options, mass, 1, 1000),
    CLI_TEXT("output", 'o', import_options, solving.output),
    CLI_TEXT("picture", 'p', import_options, solving.picture),
    CLI_VALUE("unit", 0, import_options, capture.unit, 1e-9, 1e9),
    CLI_TEXT("up", 0, import_options, capture.up),
    CLI_READ("rate", 0, read_rate),
    CLI_VALUE("smooth", 0, import_options, capture.smooth, 0.05, 1e6),
    CLI_VALUE("cutoff", 0, import_options, capture.cutoff, 0.05, 1e6),
    CLI_FLAG("keep-first", 0, import_options, capture.keep_first),
    CLI_FLAG("keep-place", 0, import_options, capture.keep_place),
    CLI_FLAG("keep-floor", 0, import_options, capture.keep_floor),
    CLI_FLAG("symmetric", 0, import_options, symmetric),
    CLI_FLAG("quiet", 'q', import_options, solving.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"import", usage, "wrong option", import_options};

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
  int error = file_write_bytes(path, text, strlen(text));
  if (error)
    diag_error(d, path, 0, "cannot be written: %s", strerror(error));
  return !error;
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

static int import_one_robot(struct arena *arena, const struct cli_line *line, const struct import_options *o)
{
  const struct import_robot_options options = {.symmetric = o->symmetric, .quiet = o->solving.quiet};
  if (line->n_operands > 1)
    return cli_usage_error("import", "one robot at a time");
  return import_robot(arena, line->operands[0], o->solving.output, &options);
}

int cli_import(int argc, char **argv)
{
  struct import_options o = {.creature = "human"};
  struct cli_line *line;
  struct arena *arena = arena_new();
  solving_init(&o.solving, "import", argc, argv);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE && line->n_operands == 0)
    status = cli_usage_error("import", "name a motion file (.bvh) or a robot (.xml, .urdf)");
  else if (status == CLI_DONE && robots_is_robot(line->operands[0]))
    status = import_one_robot(arena, line, &o);
  else if (status == CLI_DONE)
    status = import_files(arena, line->n_operands, line->operands, &o);
  solving_close(&o.solving);
  arena_free(arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("import");
}

/* muybridge: the program. Finds the command and runs it. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "farm/farm.h"
#include "config.h"

static const struct command {
  const char *name, *summary;
  int (*run)(int argc, char **argv);
} commands[] = {
  {"check", "is a creature file well formed? limbs, masses, gaits, a picture", cli_check},
  {"gait", "find a physically valid cycle of a gait, from nothing", cli_gait},
  {"gaits", "find which gaits a creature should use at which speed, from its limbs alone", cli_gaits},
  {"transition", "find a physically valid way from one clip to another", cli_transition},
  {"repertoire", "what a creature can do unasked: stand, set off, halt, turn on the spot", cli_repertoire},
  {"import", "put captured motion (BVH) on a creature; make a creature of a robot (MJCF, URDF)", cli_import},
  {"verify", "recompute the physics of every clip of a run file", cli_verify},
  {"list", "what is in a run file", cli_list},
  {"synth", "build a controller by itself, clip by clip", cli_synth},
  {"resume", "go on with a synthesis that was stopped or killed", cli_resume},
  {"status", "say how a synthesis stands, also while it runs", cli_status},
  {"task", "learn from people how a user of a task behaves", cli_task},
  {"policy", "make a controller of the clips of a run file, for a task", cli_policy},
  {"play", "let a controller do what a script asks, or a random user", cli_play},
  {"track", "let a creature do a clip in a simulated world, driven by its joints", cli_track},
  {"control", "learn feedback for a whole motion graph, and push the creature", cli_control},
  {"view", "a page where the creature lives: steer it, push it, in a browser", cli_view},
  {"watch", "such a page while you edit the creature: save, and it moves anew", cli_watch},
  {"report", "tell all of a run on one page of HTML", cli_make_report},
  {"film", "make a film of clips, of a controller in use, of a track or of pushes", cli_film},
  {"plot", "draw a figure of a clip or a creature", cli_plot},
  {"export", "write clips, a creature or a control graph for another program", cli_export},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

static int help(FILE *out)
{
  fputs("Usage: muybridge COMMAND [OPTION]... FILE...\n"
        "Makes creatures move: from a text file that describes a creature to motion that obeys physics.\n\nCommands:\n",
        out);
  for (size_t i = 0; i < N_COMMANDS; i++)
    fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
  fputs("\n'muybridge COMMAND --help' tells more of a command, 'muybridge --version' the version.\n"
        "Exit status: 0 done, 1 the work failed, 2 the input or the command line is wrong.\n", out);
  return CLI_DONE;
}

int cli_report(struct diag *d)
{
  int errors = d->n_errors;
  char *text = diag_text(d);
  fputs(text, stderr);
  free(text);
  diag_clear(d);
  diag_init(d);
  return errors;
}

int cli_usage_error(const char *command, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "muybridge %s: ", command);
  vfprintf(stderr, format, args);
  fprintf(stderr, "\nTry 'muybridge %s --help'.\n", command);
  va_end(args);
  return CLI_WRONG_INPUT;
}

int cli_finish_output(const char *command)
{
  if (fflush(stdout) == 0 && !ferror(stdout))
    return CLI_DONE;
  fprintf(stderr, "muybridge %s: cannot write to standard output: %s\n", command, strerror(errno));
  return CLI_FAILED;
}

static int run_command(int argc, char **argv)
{
  const char *name = argc > 1 ? argv[1] : "";
  if (argc < 2) {
    help(stderr);
    return CLI_WRONG_INPUT;
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
    return help(stdout);
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    puts(PACKAGE_STRING);
    return CLI_DONE;
  }
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(name, commands[i].name) == 0)
      return commands[i].run(argc - 1, argv + 1);
  fprintf(stderr, "muybridge: there is no command '%s'\nTry 'muybridge --help'.\n", name);
  return CLI_WRONG_INPUT;
}

/* Started by mpirun, ranks other than the first only work for it. */
int main(int argc, char **argv)
{
  int status = CLI_DONE;
  farm_start(&argc, &argv);
  if (farm_rank() > 0)
    cli_serve();
  else
    status = run_command(argc, argv);
  farm_stop();
  return status;
}

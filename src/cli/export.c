/* muybridge export: a creature as a file for another program. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "exchange/exchange.h"

static const char usage[] =
    "Usage: muybridge export [OPTION]... CREATURE\n"
    "Writes a creature in another program's format.\n\n"
    "  -t, --to FORMAT    mjcf: a MuJoCo model whose joints are our degrees of freedom, in the same order (default)\n"
    "  -o, --output FILE  where to (default: standard output)\n"
    "  -h, --help         this text\n";

/* To standard output, or to a file that is there only when all of it is. */
static int write_model(const struct creature *c, const char *path, struct arena *arena)
{
  const char *part = path ? arena_printf(arena, "%s.part", path) : "standard output";
  FILE *out = path ? fopen(part, "w") : stdout;
  int failed = !out || exchange_write_mjcf(c, out);
  if (path && out)
    failed |= fclose(out) != 0;
  else if (out)
    failed |= fflush(out) != 0;
  if (path && !failed)
    failed = rename(part, path) != 0;
  if (!failed)
    return CLI_DONE;
  fprintf(stderr, "muybridge export: cannot write %s: %s\n", path ? path : part, strerror(errno));
  if (path && out)
    remove(part);
  return CLI_FAILED;
}

int cli_export(int argc, char **argv)
{
  static const struct option options[] = {{"to", required_argument, NULL, 't'},
                                          {"output", required_argument, NULL, 'o'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
  const char *output = NULL, *format = "mjcf";
  for (int k; (k = getopt_long(argc, argv, "t:o:h", options, NULL)) != -1;)
    switch (k) {
    case 't': format = optarg; break;
    case 'o': output = optarg; break;
    case 'h': fputs(usage, stdout); return cli_finish_output("export");
    default: return cli_usage_error("export", "wrong option");
    }
  if (strcmp(format, "mjcf") != 0)
    return cli_usage_error("export", "unknown format '%s'; there is: mjcf", format);
  if (optind + 1 != argc)
    return cli_usage_error("export", "name one creature, found %d", argc - optind);
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = cli_load_creature(arena, argv[optind], &d);
  int status = cli_report(&d) || !c ? CLI_WRONG_INPUT : write_model(c, output, arena);
  diag_clear(&d);
  arena_free(arena);
  return status;
}

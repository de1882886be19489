/* muybridge list: what is in a run file. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "store/store.h"

static const char usage[] = "Usage: muybridge list RUN\n"
                            "Prints the clips of a run file: number, name, length, speed, cost of transport, whether they verified.\n\n"
                            "  -h, --help  this text\n";

static void print_line(const struct store_line *l)
{
  static const char *const verdict[] = {"not verified", "misses a bar", "ok"};
  printf("%4d  %-20s  %6d  %8.4g  %8.3g  %8.3g  %8.3g  %s", l->id, l->clip.name, l->clip.n_frames, l->clip.n_frames * l->clip.dt,
         l->summary.speed, l->summary.cost_of_transport, l->summary.peak_torque, verdict[l->verified + 1]);
  if (!l->clip.cyclic)
    printf(", from %d:%d to %d:%d, turn %.4g", l->clip.from.clip, l->clip.from.frame, l->clip.to.clip, l->clip.to.frame,
           l->clip.turn * 180 / 3.14159265358979323846);
  putchar('\n');
}

int cli_list(int argc, char **argv)
{
  static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
  for (int k; (k = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
    if (k != 'h')
      return cli_usage_error("list", "wrong option");
    fputs(usage, stdout);
    return cli_finish_output("list");
  }
  if (optind + 1 != argc)
    return cli_usage_error("list", "name one run file, found %d", argc - optind);
  struct arena *arena = arena_new();
  struct diag d;
  int n = 0;
  diag_init(&d);
  struct store *s = store_open(arena, argv[optind], STORE_READ, &d);
  const struct creature *c = s ? store_get_creature(arena, s, &d) : NULL;
  struct store_line *lines = c ? store_list_clips(arena, s, &n, &d) : NULL;
  store_close(s);
  if (lines) {
    printf("%s: %d clip%s of %s (%d dofs, %g kg)\n", argv[optind], n, n == 1 ? "" : "s", c->name, c->n_dofs, c->mass);
    printf("%4s  %-20s  %6s  %8s  %8s  %8s  %8s\n", "clip", "name", "frames", "time s", "m/s", "CoT", "mgL");
  }
  for (int i = 0; lines && i < n; i++)
    print_line(&lines[i]);
  int status = cli_report(&d) || !lines ? CLI_WRONG_INPUT : cli_finish_output("list");
  diag_clear(&d);
  arena_free(arena);
  return status;
}

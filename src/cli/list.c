/* muybridge list: what is in a run file. */
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "cli/options.h"
#include "store/performances.h"

static const char usage[] = "Usage: muybridge list RUN\n"
                            "Prints the clips of a run file: number, name, length, speed, cost of transport, whether "
                            "they verified;\n"
                            "then its tracks, and its motions under modal control.\n\n"
                            "  -h, --help  this text\n";

static void print_line(const struct store_line *l)
{
  static const char *const verdict[] = {"not verified", "misses a bar", "ok"};
  printf("%4d  %-20s  %6d  %8.4g  %8.3g  %8.3g  %8.3g  %s", l->id, l->clip.name, l->clip.n_frames,
         l->clip.n_frames * l->clip.dt,
         l->summary.speed, l->summary.cost_of_transport, l->summary.peak_torque, verdict[l->verified + 1]);
  if (!l->clip.cyclic)
    printf(", from %d:%d to %d:%d, turn %.4g", l->clip.from.clip, l->clip.from.frame, l->clip.to.clip, l->clip.to.frame,
           l->clip.turn * TO_DEGREES);
  putchar('\n');
}

static void print_tracks(int n, const struct store_performance *t)
{
  if (n)
    printf("%5s  %-32s  %8s  %8s\n", "track", "of", "time s", "by");
  for (int i = 0; i < n; i++)
    printf("%5d  %-32s  %8.4g  %8s  %s%s\n", t[i].number, t[i].what, t[i].seconds, t[i].way,
           t[i].success ? "tracked" : "not tracked: ", t[i].fault);
}

static void print_modals(int n, const struct store_performance *m)
{
  if (n)
    printf("%5s  %-32s  %8s  %8s  %8s\n", "modal", "of", "time s", "in", "degrees");
  for (int i = 0; i < n; i++)
    printf("%5d  %-32s  %8.4g  %8s  %8.3g  %s%s\n", m[i].number, m[i].what, m[i].fault_after, m[i].place,
           m[i].numbers[PERFORMANCE_WORST_ANGLE] * TO_DEGREES, m[i].success ? "followed" : "not followed: ",
           m[i].fault);
}

static int list_run(struct arena *arena, const char *path)
{
  struct diag d;
  int n = 0, n_tracks = 0, n_modals = 0;
  diag_init(&d);
  struct store *s = store_open(arena, path, STORE_READ, &d);
  const struct creature *c = s ? store_get_creature(arena, s, &d) : NULL;
  struct store_line *lines = c ? store_list_clips(arena, s, &n, &d) : NULL;
  const struct store_performance *tracks = lines ? store_list_performances(arena, s, SERIES_TRACK, &n_tracks, &d)
                                           : NULL;
  const struct store_performance *modals = tracks ? store_list_performances(arena, s, SERIES_MODAL, &n_modals, &d)
                                           : NULL;
  store_close(s);
  if (lines) {
    printf("%s: %d clip%s of %s (%d dofs, %g kg)\n", path, n, n == 1 ? "" : "s", c->name, c->n_dofs, c->mass);
    printf("%4s  %-20s  %6s  %8s  %8s  %8s  %8s\n", "clip", "name", "frames", "time s", "m/s", "CoT", "mgL");
  }
  for (int i = 0; lines && i < n; i++)
    print_line(&lines[i]);
  if (modals) {
    print_tracks(n_tracks, tracks);
    print_modals(n_modals, modals);
  }
  int status = cli_report(&d) || !lines ? CLI_WRONG_INPUT : cli_finish_output("list");
  diag_clear(&d);
  return status;
}

static const struct cli_option list_options[] = {CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"list", usage, "wrong option", list_options};

int cli_list(int argc, char **argv)
{
  struct cli_line *line;
  struct arena *arena = arena_new();
  int status = cli_parse(arena, &syntax, argc, argv, NULL, &line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("list", "name one run file, found %d", line->n_operands);
  else if (status == CLI_DONE)
    status = list_run(arena, line->operands[0]);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

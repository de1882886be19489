/* muybridge verify: the physics of every clip, recomputed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "cli/options.h"
#include "cli/solving.h"

static const char usage[] =
    "Usage: muybridge verify [OPTION]... RUN\n"
    "Recomputes from positions and forces alone, with code that shares nothing with the optimizer, whether each clip "
    "of a\n"
    "run file obeys physics and keeps its creature's limits, whether its limbs keep out of each other and of the\n"
    "ground, and whether transitions fit the clips that they join.\n\n"
    "  -c, --clip CLIP   only this clip, by number or name\n"
    "  -q, --quiet       print only what misses its bar\n"
    "  -h, --help        this text\n\n"
    "Exit status: 0 every clip passes, 1 some clip misses a bar, 2 the input or the command line is wrong.\n";

#define JUNCTION_BAR 1e-6

static void print_title(const struct store_line *l)
{
  printf("clip %d, %s: ", l->id, l->clip.name);
  if (l->clip.cyclic)
    printf("cyclic, %d frames, %.4g m/s", l->clip.n_frames, l->clip.speed);
  else
    printf("from clip %d frame %d to clip %d frame %d, %d frames, turn %.4g degrees", l->clip.from.clip,
           l->clip.from.frame,
           l->clip.to.clip, l->clip.to.frame, l->clip.n_frames, l->clip.turn * TO_DEGREES);
  putchar('\n');
}

/* One end of a transition against the clip that it belongs to; 1 if it fits or if that clip is not in this file. */
static int check_end(const struct creature *c, const struct clip *clip, int at_end, const struct clip *other, int frame,
                     int quiet)
{
  if (!other)
    return 1;
  double off = verify_junction(c, clip, at_end, other, frame);
  int fits = off <= JUNCTION_BAR;
  if (!quiet || !fits)
    printf("  %-66s  %9.2g  %9.2g  %s\n", at_end ? "junction with the clip it leads to [rad, L]"
           : "junction with the clip it leaves [rad, L]",
           off, JUNCTION_BAR, fits ? "ok" : "MISSED");
  return fits;
}

/* 1 passed, 0 missed a bar, -1 could not be read */
static int verify_one(struct store *s, const struct creature *c, const struct store_line *line, int quiet)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct verify_report report;
  struct verify_neighbours beside;
  diag_init(&d);
  struct clip *clip = store_get_clip(arena, s, line->id, &d);
  int complete = clip && store_get_neighbours(arena, s, clip, &beside, &d);
  int passed = cli_report(&d) || !complete ? -1 : 1;
  if (passed > 0) {
    verify_transition(arena, c, clip, &beside, &report);
    if (!quiet || !report.passed) {
      print_title(line);
      print_verification(&report);
    }
    passed = report.passed;
    passed &= check_end(c, clip, 0, beside.from, beside.from_frame, quiet);
    passed &= check_end(c, clip, 1, beside.to, beside.to_frame, quiet);
  }
  diag_clear(&d);
  arena_free(arena);
  return passed;
}

static int verify_file(struct arena *arena, const char *path, const char *which, int quiet, struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_READ, d);
  const struct creature *c = s ? store_get_creature(arena, s, d) : NULL;
  int n = 0, missed = 0, looked = 0, wanted = c && which ? store_find_clip(s, which, d) : 0;
  struct store_line *lines = c && (!which || wanted) ? store_list_clips(arena, s, &n, d) : NULL;
  int status = lines ? CLI_DONE : CLI_WRONG_INPUT;
  for (int i = 0; lines && i < n && status == CLI_DONE; i++)
    if (!wanted || lines[i].id == wanted) {
      int passed = verify_one(s, c, &lines[i], quiet);
      status = passed < 0 ? CLI_WRONG_INPUT : CLI_DONE;
      missed += passed == 0;
      looked++;
    }
  store_close(s);
  if (status)
    return status;
  if (!quiet)
    printf("%d clip%s of %s: %d pass, %d miss a bar\n", looked, looked == 1 ? "" : "s", path, looked - missed, missed);
  return missed ? CLI_FAILED : cli_finish_output("verify");
}

struct verify_options { const char *clip; int quiet; };
static const struct cli_option verify_options[] = {CLI_TEXT("clip", 'c', verify_options, clip),
                                                   CLI_FLAG("quiet", 'q', verify_options, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"verify", usage, "wrong option", verify_options};

int cli_verify(int argc, char **argv)
{
  struct verify_options o = {0};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("verify", "name one run file, found %d", line->n_operands);
  else if (status == CLI_DONE)
    status = verify_file(arena, line->operands[0], o.clip, o.quiet, &d);
  if (cli_report(&d))
    status = CLI_WRONG_INPUT;
  diag_clear(&d);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

/* muybridge repertoire: what a creature can do without a word in its file: stand, set off, halt, turn on the spot. */
#include "spacetime/repertoire.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/solving.h"

static const char usage[] =
    "Usage: muybridge repertoire [OPTION]... CREATURE\n"
    "Finds what a creature with feet can do unasked, with nothing about it in its file: stand, set off into its\n"
    "slowest gait and halt from it, turn on the spot by 45, 90, 135 and 180 degrees, step back and to the side,\n"
    "shift its weight, look around, jump in place, leap forward by one and two leg lengths.\n"
    "All of it is verified; of what is not found it says why.\n\n"
    "  -g, --gaits NAMES   set off into these gaits, and halt from them: walk,trot, or all (default: the slowest)\n"
    "      --style NAME    how it is to look: proud, tired, sneaky, limping, laden or a file (may be given again)\n"
    "  -o, --output RUN    keep the clips in a run file (RUN.muy; made if there is none, else added to)\n"
    "      --seconds S     give a motion up after so many seconds of processor time (default 120)\n"
    "  -q, --quiet         print errors only\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 all found and verified, 1 not all, 2 the input or the command line is wrong.\n";

#define MOST_SECONDS 120.0

struct repertoire_command {
  struct solving solving;
  const char *gaits;
  struct cli_styles styles;
};

static const struct cli_option repertoire_options[] = {
    CLI_TEXT("gaits", 'g', repertoire_command, gaits),
    CLI_STYLE,
    CLI_TEXT("output", 'o', repertoire_command, solving.output),
    CLI_VALUE("seconds", 0, repertoire_command, solving.options.max_seconds, 1e-3, 1e6),
    CLI_FLAG("quiet", 'q', repertoire_command, solving.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"repertoire", usage, "wrong option", repertoire_options};

/* The gaits of "walk,trot" or "all". 0 after an error. */
static int choose_gaits(struct arena *arena, const struct creature *c, const char *names,
                        struct repertoire_options *out)
{
  int *gaits = ARENA_NEW(arena, (size_t)c->n_gaits + 1, int), all = strcmp(names, "all") == 0;
  char *rest = arena_strdup(arena, names);
  out->gaits = gaits;
  for (int g = 0; all && g < c->n_gaits; g++)
    gaits[out->n_gaits++] = g;
  while (!all && rest) {
    char *name = rest, *comma = strchr(rest, ',');
    rest = comma ? comma + 1 : NULL;
    if (comma)
      *comma = 0;
    int g = creature_find_gait(c, name), again = 0;
    for (int i = 0; i < out->n_gaits; i++)
      again |= gaits[i] == g;
    if (g < 0 || g >= c->n_gaits || again) {
      fprintf(stderr, "muybridge repertoire: --gaits: %s %s '%s'\n", again ? "twice" : c->name,
              again ? "there is" : "has no gait", name);
      return 0;
    }
    gaits[out->n_gaits++] = g;
  }
  return 1;
}

static int keep_motion(struct solving *s, struct arena *arena, const struct creature *c, struct repertoire_motion *m)
{
  struct diag d;
  struct clip_summary summary;
  diag_init(&d);
  spacetime_summarize(arena, c, m->clip, &summary);
  m->id = store_add_clip(s->store, m->clip, &(struct store_record){&summary, m->report, &m->verified}, &d);
  int errors = cli_report(&d);
  diag_clear(&d);
  return !errors;
}

static void print_motion(struct arena *arena, const struct creature *c, const struct repertoire_motion *m)
{
  if (!m->passed) {
    printf("  %-18s %-8s %6.2f s  %s\n", m->name, m->clip ? "MISSED" : "NOT", m->report->seconds, m->reason);
    return;
  }
  struct clip_summary summary;
  char judged[300];
  spacetime_summarize(arena, c, m->clip, &summary);
  natural_explain(&m->judged, judged, sizeof judged);
  printf("  %-18s %-8s %6.2f s  takes %.3g s, root above %.2f L, peak torque %.2g m g L", m->name, "verified",
         m->report->seconds, summary.period, summary.lowest_root, summary.peak_torque);
  if (m->id)
    printf(", clip %d", m->id);
  printf("%s%s\n", m->cyclic || m->judged.passed ? "" : "; ", m->cyclic || m->judged.passed ? "" : judged);
}

static int run_repertoire(struct arena *arena, const char *name, struct repertoire_command *o)
{
  struct diag d;
  struct repertoire_options chosen = {0};
  const double turns[] = {0.25 * PI, 0.5 * PI, 0.75 * PI, PI};
  int passed = 0, status = CLI_DONE;
  diag_init(&d);
  const struct creature *c = cli_load_styled(arena, name, &o->styles, &d);
  if (cli_report(&d) || !c || (o->gaits && !choose_gaits(arena, c, o->gaits, &chosen)))
    return CLI_WRONG_INPUT;
  chosen.turns = turns;
  chosen.n_turns = sizeof turns / sizeof *turns;
  struct repertoire r = repertoire_plan(arena, c, &chosen);
  if (!r.n) {
    fprintf(stderr, "muybridge repertoire: %s has no foot that reaches the ground at rest\n", c->name);
    return CLI_WRONG_INPUT;
  }
  if (!solving_open(&o->solving, arena, c))
    return CLI_WRONG_INPUT;
  for (int i = 0; i < r.n && status == CLI_DONE; i++) {
    struct repertoire_motion *m = &r.motions[i];
    passed += repertoire_solve(arena, &r, i, &o->solving.options);
    solving_clear_progress(&o->solving);
    if (m->passed && o->solving.store && !keep_motion(&o->solving, arena, c, m))
      status = CLI_FAILED;
    if (!o->solving.quiet)
      print_motion(arena, c, m), fflush(stdout);
    else if (!m->passed)
      fprintf(stderr, "muybridge repertoire: %s: %s\n", m->name, m->reason);
  }
  if (!o->solving.quiet)
    printf("%s: %d of %d motions\n", c->name, passed, r.n);
  int finished = cli_finish_output("repertoire");
  return status ? status : passed < r.n ? CLI_FAILED : finished;
}

int cli_repertoire(int argc, char **argv)
{
  struct repertoire_command o = {.gaits = NULL};
  struct cli_line *line;
  struct arena *arena = arena_new();
  solving_init(&o.solving, "repertoire", argc, argv);
  o.solving.options.max_seconds = MOST_SECONDS;
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("repertoire", "name a creature");
  else if (status == CLI_DONE)
    status = run_repertoire(arena, line->operands[0], &o);
  solving_close(&o.solving);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

/* muybridge gaits: which gaits a creature should use at which speed, from limbs and feet alone. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/options.h"
#include "config.h"
#include "gaits/gaits.h"
#include "gaits/sections.h"
#include "motion/verify.h"
#include "plots/gaits_sheet.h"
#include "spacetime/spacetime.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge gaits [OPTION]... CREATURE\n"
    "Finds which gaits a creature should use at which speed, from its limbs and feet alone; gaits of its file are not\n"
    "used. Footfall orders that its legs allow are solved and judged by what the muscles spend. Prints gait sections\n"
    "that can be pasted into a creature file.\n\n"
    "  -s, --speed A:B      from A to B metres per second, or one speed (default: from creeping to running, by the\n"
    "                       length of its legs)\n"
    "  -o, --output RUN     keep the creature with these gaits, and a clip for each speed, in a new run file\n"
    "  -p, --picture FILE   draw cost over speed, Hildebrand's diagrams and footfalls (.png, .svg or .pdf)\n"
    "      --rounds N       of refinement (default 3)\n"
    "      --rough          do not solve what was found finely: no clips\n"
    "      --style NAME     of its body: laden, limping or a file (may be given again)\n"
    "  -j, --jobs N         solve this many at once (default: one for each processor); changes nothing but the time\n"
    "      --json           print all that was found, trials included, as JSON\n"
    "  -q, --quiet          print the sections only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 a gait was found, 1 none was, 2 the input or the command line is wrong.\n";

struct finding {
  int argc;
  char **argv;
  double from, until;           /* [m/s]; below 0: not given */
  const char *output, *picture;
  int rough, json, quiet, terminal;
  struct gaits_options o;
  struct cli_styles styles;
  struct store *store;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
  (void)signal;
  interrupted = 1;
}

/* "2", "1:12". */
static int read_speeds(char *text, void *options)
{
  struct finding *f = options;
  char *end, *rest = text;
  f->from = strtod(text, &end);
  int good = end != text && f->from > 0 && f->from <= 1e4;
  f->until = f->from;
  if (good && *end == ':')
    rest = end + 1, f->until = strtod(rest, &end), good = end != rest && f->until >= f->from && f->until <= 1e4;
  if (good && !*end)
    return CLI_DONE;
  return cli_usage_error("gaits", "--speed takes a speed above 0 or a range such as 1:12 [m/s], not '%s'", text);
}

static const struct cli_option gaits_options[] = {
    CLI_READ("speed", 's', read_speeds),
    CLI_TEXT("output", 'o', finding, output),
    CLI_TEXT("picture", 'p', finding, picture),
    CLI_VALUE("rounds", 0, finding, o.rounds, 0, 10),
    CLI_FLAG("rough", 0, finding, rough),
    CLI_STYLE,
    CLI_VALUE("jobs", 'j', finding, o.workers, 1, 1024),
    CLI_FLAG("json", 0, finding, json),
    CLI_FLAG("quiet", 'q', finding, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"gaits", usage, "wrong option", gaits_options};

static int show_progress(void *user, const struct gaits_progress *p)
{
  const struct finding *f = user;
  if (f->terminal && !f->quiet) {
    fprintf(stderr, "\r  part %d of %d: %d of %d solves ", p->round + 1, p->rounds, p->done, p->jobs);
    fflush(stderr);
  }
  return !interrupted;
}

/* ---- what was found ---- */

static void print_speeds(const struct gaits_result *r)
{
  printf("%8s  %-28s  %5s  %5s  %5s  %7s  %9s  %s\n", "m/s", "gait", "duty", "lag", "s", "effort", "per way",
         "its clip");
  for (int s = 0; s < r->n_speeds; s++) {
    const struct gaits_speed *x = &r->speeds[s];
    if (x->gait < 0) {
      printf("%8.3g  none: %s\n", x->speed, x->reason);
      continue;
    }
    const struct gaits_trial *t = &r->trials[x->trial];
    printf("%8.3g  %-28s  %5.2f  %5.2f  %5.3g  %7.4f  %9.4f  ", x->speed, t->name.words,
           0.5 * (t->pattern.duty_hind + t->pattern.duty_fore), t->pattern.lag, t->pattern.period, t->effort.rate,
           t->effort.transport);
    if (x->clip)
      printf("%.4f\n", x->effort.transport);
    else
      printf("%s\n", x->fault ? x->fault : "");
  }
}

static void print_found(struct arena *arena, const struct finding *f, const struct gaits_result *r)
{
  int solved = 0;
  for (int i = 0; i < r->n_trials; i++)
    solved += r->trials[i].solved;
  if (!f->quiet) {
    printf("%s: %d of %d footfall orders solved, %.0f s of processor time\n", r->creature->name, solved, r->n_trials,
           r->seconds);
    print_speeds(r);
    for (int i = 0; i < r->n_changes; i++)
      printf("%s gives way to %s at %.3g m/s\n", r->gaits[r->changes[i].from].name, r->gaits[r->changes[i].to].name,
             r->changes[i].speed);
    putchar('\n');
  }
  fputs(gaits_sections(arena, r), stdout);
}

static void json_pattern(struct json *j, const struct pattern *p)
{
  static const char *const family[] = {"alternate", "together", "lead", "ring"};
  json_text(j, "family", family[p->family]);
  json_numbers(j, "duty", 2, (const double[]){p->duty_hind, p->duty_fore}, 4);
  json_number(j, "lag", p->lag, 4);
  json_numbers(j, "lead", 2, (const double[]){p->lead_hind, p->lead_fore}, 4);
  json_numbers(j, "toe_down_heel_off", 2, (const double[]){p->toe_down, p->heel_off}, 4);
  json_number(j, "period", p->period, 6);
}

static void print_json(struct arena *arena, const struct gaits_result *r)
{
  struct json j = json_to(stdout);
  json_object(&j, NULL);
  json_text(&j, "creature", r->creature->name);
  json_array(&j, "gaits");
  for (int i = 0; i < r->n_gaits; i++) {
    json_break(&j);
    json_object(&j, NULL);
    json_text(&j, "name", r->gaits[i].name);
    json_text(&j, "words", r->gaits[i].words);
    json_numbers(&j, "speeds", 2, (const double[]){r->creature->gaits[i].speed_min, r->creature->gaits[i].speed_max},
                 6);
    json_pattern(&j, &r->gaits[i].pattern);
    json_text(&j, "section", sections_of_gait(arena, r->creature, &r->creature->gaits[i], NULL));
    json_end(&j);
  }
  json_end(&j);
  json_array(&j, "changes");
  for (int i = 0; i < r->n_changes; i++) {
    json_object(&j, NULL);
    json_text(&j, "from", r->gaits[r->changes[i].from].name);
    json_text(&j, "to", r->gaits[r->changes[i].to].name);
    json_number(&j, "speed", r->changes[i].speed, 6);
    json_end(&j);
  }
  json_end(&j);
  json_array(&j, "speeds");
  for (int i = 0; i < r->n_speeds; i++) {
    json_break(&j);
    json_object(&j, NULL);
    json_number(&j, "speed", r->speeds[i].speed, 6);
    json_integer(&j, "trial", r->speeds[i].trial);
    json_integer(&j, "cheapest", r->speeds[i].best);
    json_text(&j, "gait", r->speeds[i].gait < 0 ? NULL : r->gaits[r->speeds[i].gait].name);
    json_number(&j, "transport", r->speeds[i].clip ? r->speeds[i].effort.transport : NAN, 6);
    json_text(&j, "fault", r->speeds[i].fault ? r->speeds[i].fault : r->speeds[i].reason);
    json_end(&j);
  }
  json_end(&j);
  json_array(&j, "trials");
  for (int i = 0; i < r->n_trials; i++) {
    const struct gaits_trial *t = &r->trials[i];
    json_break(&j);
    json_object(&j, NULL);
    json_number(&j, "speed", r->speeds[t->speed].speed, 6);
    json_text(&j, "name", t->name.key);
    json_integer(&j, "round", t->round);
    json_pattern(&j, &t->pattern);
    json_truth(&j, "solved", t->solved);
    json_number(&j, "torque", t->solved ? t->effort.torque : NAN, 6);
    json_number(&j, "work", t->solved ? t->effort.work : NAN, 6);
    json_number(&j, "fall", t->solved ? t->effort.fall : NAN, 6);
    json_number(&j, "burst", t->solved ? t->effort.burst : NAN, 6);
    json_number(&j, "transport", t->solved ? t->effort.transport : NAN, 6);
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
}

/* ---- keeping it ---- */

/* The creature's text with the gaits that were found in place of its own. 0 after an error. */
static int keep_creature(struct arena *arena, const struct finding *f, const struct creature *c,
                         const struct gaits_result *r, struct diag *d)
{
  size_t length;
  const char *text = store_creature_text(arena, c, &length, d);
  const char *whole = text ? sections_in_place(arena, c->file, text, length, gaits_sections(arena, r), d) : NULL;
  if (!whole)
    return 0;
  const char *line = "muybridge";
  char now[32];
  time_t t = time(NULL);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
  for (int i = 0; i < f->argc; i++)
    line = arena_printf(arena, "%s %s", line, f->argv[i]);
  return store_put_creature_text(f->store, c->file, whole, strlen(whole), d) &&
         store_add_session(f->store, &(struct store_session){PACKAGE_STRING, line, now}, d);
}

static int keep(struct arena *arena, const struct finding *f, const struct creature *c, const struct gaits_result *r,
                struct diag *d)
{
  int kept = 0;
  if (!keep_creature(arena, f, c, r, d))
    return 0;
  for (int s = 0; s < r->n_speeds; s++) {
    const struct clip *clip = r->speeds[s].clip;
    struct clip_summary summary;
    struct verify_report verification;
    if (!clip)
      continue;
    spacetime_summarize(arena, r->creature, clip, &summary);
    verify_clip(arena, r->creature, clip, &verification);
    if (!store_add_clip(f->store, clip, &(struct store_record){&summary, NULL, &verification}, d))
      return 0;
    kept++;
  }
  if (!f->quiet && !f->json)
    printf("\nkept %d clip%s in %s\n", kept, kept == 1 ? "" : "s", f->output);
  return 1;
}

static int run_gaits(struct arena *arena, const char *name, struct finding *f)
{
  struct diag d;
  int n;
  diag_init(&d);
  const struct creature *c = cli_load_styled(arena, name, &f->styles, &d);
  if (cli_report(&d) || !c)
    return CLI_WRONG_INPUT;
  if (f->output && !(f->store = store_open(arena, f->output, STORE_WRITE, &d)) && cli_report(&d))
    return CLI_WRONG_INPUT;
  signal(SIGINT, interrupt);
  f->o.fine = f->rough ? GAITS_FINE_NONE : f->output ? GAITS_FINE_SPEEDS : GAITS_FINE_GAITS;
  const double *speeds = gaits_speeds(arena, c, f->from, f->until, &n);
  const struct gaits_result *r = gaits_find(arena, c, speeds, n, &f->o, &d);
  if (f->terminal && !f->quiet)
    fprintf(stderr, "\r%78s\r", "");
  if (interrupted)
    fprintf(stderr, "muybridge gaits: stopped\n");
  if (cli_report(&d) || !r)
    return interrupted ? CLI_FAILED : CLI_WRONG_INPUT;
  if (f->json)
    print_json(arena, r);
  else
    print_found(arena, f, r);
  if (r->n_gaits && f->store)
    keep(arena, f, c, r, &d);
  if (r->n_gaits && f->picture && plot_gaits_sheet(r, f->picture, &d) && !f->quiet && !f->json)
    printf("drew %s\n", f->picture);
  int errors = cli_report(&d), status = cli_finish_output("gaits");
  diag_clear(&d);
  return !r->n_gaits || errors ? CLI_FAILED : status;
}

int cli_gaits(int argc, char **argv)
{
  struct finding f = {.argc = argc, .argv = argv, .from = -1, .until = -1, .terminal = isatty(STDERR_FILENO)};
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct cli_line *line;
  struct arena *arena = arena_new();
  gaits_defaults(&f.o);
  f.o.workers = processors > 1 ? (int)processors : 1;
  f.o.progress = show_progress;
  f.o.user = &f;
  int status = cli_parse(arena, &syntax, argc, argv, &f, &line);
  f.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("gaits", "name one creature, found %d", line->n_operands);
  else if (status == CLI_DONE)
    status = run_gaits(arena, line->operands[0], &f);
  store_close(f.store);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

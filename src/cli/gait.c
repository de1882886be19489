/* muybridge gait: one cycle of a gait, from nothing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/angle.h"
#include "base/text.h"
#include "cli/found_gaits.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "gaits/gaits.h"
#include "gaits/sections.h"
#include "plots/filmstrip.h"

static const char usage[] =
    "Usage: muybridge gait [OPTION]... CREATURE GAIT\n"
    "   or: muybridge gait [OPTION]... --speed V CREATURE\n"
    "Finds a physically valid cycle of a gait, with no motion data: from the creature's rest pose. Without a name it\n"
    "takes the gait that costs the muscles least at that speed, as muybridge gaits finds it. What a gait of the file\n"
    "leaves open (period, times of contacts, all of them) is found first, and its section printed.\n\n"
    "  -s, --speed V       metres per second (default: the middle of the gait's range)\n"
    "  -d, --strafe DEG    direction of travel, to the left of the nose (default: ahead; of back and side theirs)\n"
    "      --slope DEG     on ground that rises along the way of travel; below 0: it falls (default 0)\n"
    "  -f, --frames N      frames of the cycle, 8 to 1000, with the period of the creature file\n"
    "                      (default: the creature's frame rate, and the cheapest period near that of the file)\n"
    "      --near RUN[:CLIP]  start from this clip of the same gait, with its share of the period: for a creature that "
    "was\n"
    "                      changed a little (default: from nothing)\n"
    "      --style NAME    how it is to look: proud, tired, sneaky, limping, laden or a file (may be given again)\n"
    "  -o, --output RUN    keep the clip in a run file (RUN.muy; made if there is none, else added to)\n"
    "  -p, --picture FILE  draw a filmstrip (.png, .svg or .pdf)\n"
    "      --seconds S     give up after so many seconds of processor time (default 60)\n"
    "      --iterations N  and after so many iterations (default 300)\n"
    "      --whole-cycle   do not use the symmetry of left and right\n"
    "      --bfgs          without exact second derivatives, to see what they are worth\n"
    "  -q, --quiet         print errors only\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 found and verified, 1 not found, 2 the input or the command line is wrong.\n";

struct gait_options {
  struct solving solving;
  double speed, strafe, slope;  /* NaN: not given */
  int frames;
  const char *near;             /* "RUN:CLIP"; NULL: from nothing */
  struct cli_styles styles;
};

static const struct cli_option gait_options[] = {
    CLI_VALUE("speed", 's', gait_options, speed, 0, 1e4),
    CLI_VALUE("strafe", 'd', gait_options, strafe, -360, 360),
    CLI_VALUE("slope", 0, gait_options, slope, -30, 30),
    CLI_VALUE("frames", 'f', gait_options, frames, 8, 1000),
    CLI_TEXT("near", 0, gait_options, near),
    CLI_STYLE,
    CLI_TEXT("output", 'o', gait_options, solving.output),
    CLI_TEXT("picture", 'p', gait_options, solving.picture),
    CLI_VALUE("seconds", 0, gait_options, solving.options.max_seconds, 1e-3, 1e6),
    CLI_VALUE("iterations", 0, gait_options, solving.options.max_iterations, 1, 100000),
    CLI_FLAG("whole-cycle", 0, gait_options, solving.options.whole_cycle),
    CLI_FLAG("bfgs", 0, gait_options, solving.options.limited_memory),
    CLI_FLAG("quiet", 'q', gait_options, solving.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"gait", usage, "wrong option", gait_options};

/* The gait's index; -1 and a message with the nearest name when there is none. */
static int find_gait(struct arena *arena, const struct creature *c, const char *name)
{
  int gait = creature_find_gait(c, name);
  if (gait >= 0)
    return gait;
  const char **names = ARENA_NEW(arena, (size_t)c->n_motions + 1, const char *);
  for (int i = 0; i < c->n_motions; i++)
    names[i] = c->gaits[i].name;
  const char *nearest = text_nearest(name, names);
  fprintf(stderr, "muybridge gait: %s has no gait '%s'", c->name, name);
  if (nearest)
    fprintf(stderr, "; did you mean '%s'?\n", nearest);
  else {
    fputs("; it has:", stderr);
    for (int i = 0; i < c->n_motions; i++)
      fprintf(stderr, " %s", c->gaits[i].name);
    fputs(c->n_motions ? "\n" : " none\n", stderr);
  }
  return -1;
}

/* The gait that costs the muscles least at a speed, of legs and feet alone. NULL after a message. */
static const struct gaits_result *search_gait(struct arena *arena, const struct creature *c, double speed,
                                              struct gait_options *o, struct diag *d)
{
  struct gaits_options search;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  gaits_defaults(&search);
  search.workers = processors > 1 ? (int)processors : 1;
  search.fine = GAITS_FINE_NONE;
  const struct gaits_result *r = gaits_find(arena, c, &speed, 1, &search, d);
  size_t length;
  if (r && !r->n_gaits) {
    diag_error(d, c->file, 0, "no gait was found at %g m/s: %s", speed, r->speeds[0].reason);
    return NULL;
  }
  const char *text = r && o->solving.output ? store_creature_text(arena, c, &length, d) : NULL;
  if (text)
    o->solving.text = sections_in_place(arena, c->file, text, length, gaits_sections(arena, r), d);
  if (r && !o->solving.quiet)
    printf("%s", gaits_sections(arena, r));
  return r;
}

static int run_found_gait(struct arena *arena, const char *name, struct gait_options *o)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = cli_load_styled(arena, name, &o->styles, &d);
  if (cli_report(&d) || !c)
    return CLI_WRONG_INPUT;
  const struct gaits_result *found = search_gait(arena, c, o->speed, o, &d);
  if (cli_report(&d) || !found)
    return CLI_FAILED;
  if (!solving_open(&o->solving, arena, found->creature))
    return CLI_WRONG_INPUT;
  const struct gaits_trial *t = &found->trials[found->speeds[0].trial];
  struct gait_request r = {.c = found->creature, .speed = o->speed, .near = t->clip,
                           .near_frames = (int)lround(t->pattern.period * c->frame_rate)};
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  struct clip *clip = spacetime_gait(arena, &r, &o->solving.options, report);
  return solving_finish(&o->solving, arena, found->creature, clip, &(struct verify_neighbours){0}, report);
}

static int may_go_on(void)
{
  return 1;
}

/* The creature with a gait of which something was open, if it is one of these. The exit status. */
static int complete_gait(struct arena *arena, const struct creature **c, const char *gait_name, struct gait_options *o,
                         struct diag *d)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct found_gaits f = {.workers = processors > 1 ? (int)processors : 1, .quiet = o->solving.quiet,
                          .may_go_on = may_go_on};
  int is_open = 0;
  for (int i = 0; i < (*c)->n_open; i++)
    is_open |= !strcmp((*c)->open[i].gait.name, gait_name);
  if (!is_open)
    return CLI_DONE;
  int status = found_gaits_complete(arena, &f, *c, gait_name, d);
  cli_report(d);
  *c = f.creature;
  o->solving.text = f.text;
  return status;
}

static int run_gait(struct arena *arena, const char *name, const char *gait_name, struct gait_options *o)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = cli_load_styled(arena, name, &o->styles, &d);
  if (cli_report(&d) || !c)
    return CLI_WRONG_INPUT;
  int status = complete_gait(arena, &c, gait_name, o, &d);
  if (status != CLI_DONE)
    return status;
  int gait = find_gait(arena, c, gait_name);
  if (gait < 0)
    return CLI_WRONG_INPUT;
  const struct gait *g = &c->gaits[gait];
  struct gait_request r = {.c = c, .gait = gait, .frames = o->frames};
  r.speed = isnan(o->speed) ? 0.5 * (g->speed_min + g->speed_max) : o->speed;
  r.strafe = isnan(o->strafe) ? g->strafe : o->strafe * PI / 180;
  r.slope = isnan(o->slope) ? 0 : o->slope * PI / 180;
  if (o->near) {
    struct solving_near near;
    int fits = solving_near_load(arena, o->near, &near, &d) && solving_near_fits(&near, c, g, &d);
    if (cli_report(&d) || !fits)
      return CLI_WRONG_INPUT;
    r.near = near.clip;
    r.near_frames = solving_near_frames(&near, c, g, r.speed);
  }
  if (!solving_open(&o->solving, arena, c))
    return CLI_WRONG_INPUT;
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  struct clip *clip = spacetime_gait(arena, &r, &o->solving.options, report);
  return solving_finish(&o->solving, arena, c, clip, &(struct verify_neighbours){0}, report);
}

int cli_gait(int argc, char **argv)
{
  struct gait_options o = {.speed = NAN, .strafe = NAN, .slope = NAN};
  struct cli_line *line;
  struct arena *arena = arena_new();
  solving_init(&o.solving, "gait", argc, argv);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands == 1 && o.speed > 0)
    status = isnan(o.strafe) && !o.frames && !o.near
                 ? run_found_gait(arena, line->operands[0], &o)
                 : cli_usage_error("gait", "--strafe, --frames and --near need the name of a gait");
  else if (status == CLI_DONE && line->n_operands != 2)
    status = cli_usage_error("gait", "name a creature and one of its gaits, or a creature and --speed");
  else if (status == CLI_DONE)
    status = run_gait(arena, line->operands[0], line->operands[1], &o);
  solving_close(&o.solving);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

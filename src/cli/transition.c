/* muybridge transition: from two frames of one clip to two frames of another. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "cli/options.h"
#include "cli/solving.h"
#include "spacetime/unhurried.h"

static const char usage[] =
    "Usage: muybridge transition [OPTION]... RUN A B\n"
    "   or: muybridge transition [OPTION]... RUN A RUN B\n"
    "Finds a physically valid way from one clip of a run file to another (or back into the same one).\n"
    "A and B are clips by number or name, and a frame: 1, walk, walk:12. It leaves A at that frame and the one after "
    "it,\n"
    "and arrives in B at that frame and the one after it.\n\n"
    "  -t, --turn DEG      turn to the left on the way (default 0)\n"
    "      --jump H        through the air, from a stand to a stand: the centre of mass rises by H leg lengths\n"
    "      --leap D        forward through the air, to a stand D leg lengths away (with --jump: so high)\n"
    "  -f, --frames N      length, with the four shared frames (default: about a cycle for every 90 degrees, and up\n"
    "                      to two more where that is in more haste than an animal would be)\n"
    "      --near RUN[:CLIP]  start from this transition, with its number of frames: for clips that were changed a "
    "little\n"
    "  -o, --output RUN    keep the result there (default: the run file it comes from)\n"
    "  -p, --picture FILE  draw a filmstrip (.png, .svg or .pdf)\n"
    "      --seconds S     give up after so many seconds of processor time (default 300)\n"
    "  -q, --quiet         print errors only\n"
    "  -h, --help          this text\n\n"
    "Exit status: 0 found and verified, 1 not found, 2 the input or the command line is wrong.\n";

#define MOST_SECONDS 300.0      /* long turns at speed, many legs */

struct transition_options {
  struct solving solving;
  double turn;
  struct leap leap;
  int frames;
  const char *near;             /* "RUN:CLIP"; NULL: from nothing */
};

static const struct cli_option transition_options[] = {
    CLI_VALUE("turn", 't', transition_options, turn, -360, 360),
    CLI_VALUE("jump", 0, transition_options, leap.rise, 0.02, 3),
    CLI_VALUE("leap", 0, transition_options, leap.forward, 0.1, 10),
    CLI_VALUE("frames", 'f', transition_options, frames, 8, 2000),
    CLI_TEXT("near", 0, transition_options, near),
    CLI_TEXT("output", 'o', transition_options, solving.output),
    CLI_TEXT("picture", 'p', transition_options, solving.picture),
    CLI_VALUE("seconds", 0, transition_options, solving.options.max_seconds, 1e-3, 1e6),
    CLI_FLAG("quiet", 'q', transition_options, solving.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"transition", usage, "wrong option", transition_options};

/* A clip and a frame of it, from text such as "walk:12". */
struct clip_choice {
  struct clip *clip;
  int id, frame;
};

static int choose_clip(struct arena *arena, struct store *store, const char *run, const char *text,
                       struct clip_choice *out, struct diag *d)
{
  const char *colon = strrchr(text, ':');
  char *name = arena_strdup(arena, text), *end;
  long frame = 0;
  if (colon) {
    name[colon - text] = 0;
    frame = strtol(colon + 1, &end, 10);
    if (end == colon + 1 || *end || frame < 0 || frame > 100000) {
      diag_error(d, run, 0, "'%s': expected CLIP or CLIP:FRAME with a frame from 0, found '%s' after the colon", text,
                 colon + 1);
      return 0;
    }
  }
  out->id = store_find_clip(store, name, d);
  out->clip = out->id ? store_get_clip(arena, store, out->id, d) : NULL;
  out->frame = (int)frame;
  if (out->clip && frame >= out->clip->n_frames) {
    diag_error(d, run, 0, "'%s': clip %d has frames 0 to %d", text, out->id, out->clip->n_frames - 1);
    return 0;
  }
  return out->clip != NULL;
}

static int same_creature(const struct creature *a, const struct creature *b)
{
  int same = a->n_dofs == b->n_dofs && a->n_points == b->n_points && a->mass == b->mass;
  for (int i = 0; same && i < a->n_dofs; i++)
    same = strcmp(a->dofs[i].name, b->dofs[i].name) == 0 && a->dofs[i].mass == b->dofs[i].mass;
  return same;
}

/* Said of what is valid, and yet nothing that an animal would do. */
static void say_haste(const struct natural_report *judged)
{
  for (int i = 0; i < N_NATURAL_MEASURES; i++)
    if (!judged->lines[i].passed)
      printf("  no animal would choose it: %s is %.3g, controllers allow %.3g; give it more --frames or turn less\n",
             judged->lines[i].what, judged->lines[i].value, judged->lines[i].bar);
}

/* Solves, and keeps the result in the output that is open, or opens it. The exit status. */
static int solve_transition(struct arena *arena, const struct transition_request *r, struct transition_options *o)
{
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  struct natural_report judged = {.passed = 1};
  struct verify_neighbours beside = {r->from, r->to, r->from_frame, r->to_frame};
  int cycles = o->frames || r->near ? 0 : UNHURRIED_CYCLES; /* a length that was asked for stays */
  if (!solving_open(&o->solving, arena, r->c))
    return CLI_WRONG_INPUT;
  struct clip *clip = unhurried_transition(arena, r, cycles, &o->solving.options, NULL, report, &judged);
  int status = solving_finish(&o->solving, arena, r->c, clip, &beside, report);
  if (clip && !judged.passed && !o->solving.quiet)
    say_haste(&judged);
  return status;
}

/* The clip to start from, if there is to be one. 0 after an error. */
static int load_near(struct arena *arena, const struct transition_options *o, struct solving_near *near, struct diag *d)
{
  if (!o->near)
    return 1;
  if (!solving_near_load(arena, o->near, near, d))
    return 0;
  if (o->frames && o->frames != near->clip->n_frames) {
    diag_error(d, near->file, 0, "clip %d has %d frames: --frames must be the same, or be left out", near->id,
               near->clip->n_frames);
    return 0;
  }
  return 1;
}

static int run_transition(struct arena *arena, const char *run_a, const char *a, const char *run_b, const char *b,
                          struct transition_options *o, struct diag *d)
{
  int keep_here = !o->solving.output || strcmp(o->solving.output, run_a) == 0, two = strcmp(run_a, run_b) != 0;
  struct solving_near near = {0};
  if (!load_near(arena, o, &near, d)) {
    cli_report(d);
    return CLI_WRONG_INPUT;
  }
  struct store *first = store_open(arena, run_a, keep_here ? STORE_WRITE : STORE_READ, d);
  struct store *second = !first ? NULL : two ? store_open(arena, run_b, STORE_READ, d) : first;
  const struct creature *c = second ? store_get_creature(arena, first, d) : NULL;
  const struct creature *other = c && two ? store_get_creature(arena, second, d) : c;
  struct clip_choice from, to;
  int status = CLI_WRONG_INPUT;
  if (c && other && !same_creature(c, other))
    diag_error(d, run_b, 0, "its creature '%s' is not the '%s' of %s", other->name, c->name, run_a);
  else if (c && other && choose_clip(arena, first, run_a, a, &from, d) &&
           choose_clip(arena, second, run_b, b, &to, d) && (!near.clip || solving_near_fits(&near, c, NULL, d))) {
    struct transition_request r = {.c = c, .from = from.clip, .to = to.clip, .from_frame = from.frame,
                                   .to_frame = to.frame,
                                   .from_id = from.id, .to_id = two ? 0 : to.id, .near = near.clip,
                                   .turn = o->turn * PI / 180, .leap = o->leap, .frames = o->frames};
    o->solving.source = first;
    if (keep_here) {
      o->solving.store = first;
      o->solving.output = run_a;
      first = NULL; /* solving_close() closes it */
    }
    status = solve_transition(arena, &r, o);
  }
  cli_report(d);
  if (two)
    store_close(second);
  store_close(first);
  return status;
}

int cli_transition(int argc, char **argv)
{
  struct transition_options o = {.turn = 0};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  solving_init(&o.solving, "transition", argc, argv);
  o.solving.options.max_seconds = MOST_SECONDS;
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line), n = line->n_operands;
  char **operands = line->operands;
  if (status == CLI_DONE && n != 3 && n != 4)
    status = cli_usage_error("transition", "name a run file, where to leave and where to arrive");
  else if (status == CLI_DONE)
    status = run_transition(arena, operands[0], operands[1], operands[n == 4 ? 2 : 0], operands[n - 1], &o, &d);
  diag_clear(&d);
  solving_close(&o.solving);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

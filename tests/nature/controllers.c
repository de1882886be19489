/* Controllers that turn: what their clips cost, how they sink and tilt, and how long a new direction takes. */
#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "nature/measures.h"
#include "policy/response.h"
#include "spacetime/natural.h"
#include "store/run_inputs.h"

#define CONTROLLERS_SECONDS 8.0 /* watched after each step, as in `muybridge report` */

static const char controllers_head[] =
    "# Turns that one would want?\n"
    "\n"
    "Direction controllers of 40 clips beside what animals would choose: a part of [nature.md](nature.md). This\n"
    "page is printed by a program:\n"
    "\n"
    "    make nature-controllers\n"
    "    tests/nature/nature --controllers horse.muy\n"
    "\n"
    "The first synthesizes controllers of horse, dog, human and ostrich into `nature-runs/`, which takes long;\n"
    "killed, it goes on where it was, and run files that are there are used again: remove them after a change.\n";

static const char controllers_prose[] =
    "\nLooked at are all transitions that are in the motion graph, each against the cycles that it joins\n"
    "(`src/spacetime/natural.h`). Cost: its cost of transport, sum |tau qdot| dt / (m g distance), over that of the\n"
    "costlier cycle. Root: its least height over the least of both cycles, at most 1. Tilt: pitch or roll of the\n"
    "root beyond the largest of both. Lean: trunk, neck or head beyond what they do in both.\n"
    "\n"
    "Steps: from every decision node, a creature that was asked for the direction in which it goes is asked for\n"
    "another one, to the left and to the right. It has settled when the direction of travel is within 10 degrees of\n"
    "it and stays. Shown is the slowest; watched are 8 s.\n";

struct controllers_run {
  struct arena *arena;
  const char *path;
  struct diag d;
};

/* A clip of the graph by its id, NULL if it is not in it. */
static const struct clip *controllers_clip(const struct graph_input *in, int id)
{
  for (int i = 0; i < in->n_clips; i++)
    if (in->clips[i].id == id)
      return in->clips[i].clip;
  return NULL;
}

/* ---- clips ---- */

struct controllers_worst { double value; int clip; const char *where; };

static void controllers_note(struct controllers_worst *w, double value, int clip, const char *where)
{
  if (w->clip < 0 || value > w->value || isnan(value))
    *w = (struct controllers_worst){value, clip, where};
}

static const char *controllers_said(struct arena *arena, const struct graph_input *in,
                                    const struct controllers_worst *w)
{
  const struct clip *clip = in->clips[w->clip].clip;
  return arena_printf(arena, ": clip %d, %.0f degrees in %.2f s%s%s", in->clips[w->clip].id,
                      clip->turn * TO_DEGREES, clip->n_frames * clip->dt, w->where ? ", " : "",
                      w->where ? w->where : "");
}

static void controllers_judge_clips(struct measures *m, struct arena *arena, const struct graph_input *in)
{
  struct controllers_worst worst[N_NATURAL_MEASURES];
  const char *name = in->creature->name;
  int n = 0;
  for (int i = 0; i < N_NATURAL_MEASURES; i++)
    worst[i] = (struct controllers_worst){0, -1, NULL};
  for (int i = 0; i < in->n_clips; i++) {
    const struct clip *clip = in->clips[i].clip;
    const struct clip *from = controllers_clip(in, clip->from.clip), *to = controllers_clip(in, clip->to.clip);
    struct natural_report r;
    if (clip->cyclic || !from || !to)
      continue;
    n++;
    natural_judge(arena, in->creature, clip, from, to, &r);
    for (int k = 0; k < N_NATURAL_MEASURES; k++)
      controllers_note(&worst[k], r.lines[k].value, i, r.lines[k].where);
  }
  if (!n) {
    table_fail(&m->table, "no transitions", "%s", name);
    return;
  }
  table_words(&m->table, arena_printf(arena, "%d, %d transitions", in->n_clips, n), NULL, "%s: clips", name);
  const struct controllers_worst *w = &worst[NATURAL_COST];
  table_number_said(&m->table, table_below(2), w->value, 2, controllers_said(arena, in, w), NULL,
                    "%s: largest cost of transport [of its cycle]", name);
  w = &worst[NATURAL_SINKING];
  table_number_said(&m->table, table_above(0.92), 1 - w->value, 3, controllers_said(arena, in, w), NULL,
                    "%s: lowest root [of its cycle's]", name);
  w = &worst[NATURAL_TILT];
  table_number_said(&m->table, table_below(12), w->value * TO_DEGREES, 1, controllers_said(arena, in, w), NULL,
                    "%s: largest tilt beyond its cycle's [degrees]", name);
  w = &worst[NATURAL_BOW];
  table_number_said(&m->table, table_no_bar(), w->value * TO_DEGREES, 1, controllers_said(arena, in, w), NULL,
                    "%s: largest lean beyond its cycle's [degrees]", name);
  w = &worst[NATURAL_FLING];
  table_number_said(&m->table, table_no_bar(), w->value * TO_DEGREES, 1, controllers_said(arena, in, w), NULL,
                    "%s: farthest joint of trunk or arms beyond its cycle's [degrees]", name);
}

/* ---- steps ---- */

static int controllers_ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const char *controllers_time(struct arena *arena, double seconds)
{
  return isfinite(seconds) ? arena_printf(arena, "%.2f", seconds) : "never";
}

/* Steps by this angle, to either side, from all nodes. */
static void controllers_judge_step(struct measures *m, struct arena *arena, const struct response_table *t,
                                   double degrees)
{
  double *time = ARENA_NEW(arena, (size_t)(t->n_nodes * t->n_steps), double);
  int n = 0, settled = 0;
  for (int i = 0; i < t->n_nodes * t->n_steps; i++) {
    const struct response_step *step = &t->steps[i % t->n_steps];
    int heading = t->task->parameters[step->parameter].kind->heading == TASK_HEADING_OF_TRAVEL;
    if (!heading || fabs(fabs(step->size) * TO_DEGREES - degrees) > 1e-6 || !t->responses[i].applies)
      continue;
    time[n] = t->responses[i].rest.time;
    settled += isfinite(time[n++]);
  }
  qsort(time, (size_t)n, sizeof *time, controllers_ascending);
  const char *name = t->task->creature->name;
  if (!n)
    table_fail(&m->table, "not asked for", "%s: steps of %.0f degrees", name, degrees);
  else
    table_number_said(&m->table, table_below(CONTROLLERS_SECONDS), time[n - 1], 2,
                      arena_printf(arena, " (median %s; %d of %d settle)", controllers_time(arena, time[n / 2]),
                                   settled, n),
                      NULL, "%s: steps of %.0f degrees settle after [s]", name, degrees);
}

static void controllers_judge_steps(struct measures *m, struct controllers_run *run)
{
  struct store_controller kept;
  const struct task *task;
  struct muy_player_controller *player = run_inputs_player(run->arena, run->path, 0, &kept, &task, &run->d);
  const struct response_table *t =
      player ? response_of_nodes(run->arena, player, task, CONTROLLERS_SECONDS, &run->d) : NULL;
  for (int degrees = 30; t && degrees <= 180; degrees *= degrees == 30 ? 3 : 2)
    controllers_judge_step(m, run->arena, t, degrees);
  muy_player_unload(player);
}

/* ---- the page ---- */

static int controllers_judge_run(struct measures *m, const char *path)
{
  struct controllers_run run = {.arena = arena_new(), .path = path};
  struct graph_input in;
  diag_init(&run.d);
  struct store *s = store_open(run.arena, path, STORE_READ, &run.d);
  int there = s && run_inputs_clips(run.arena, s, path, &in, &run.d);
  store_close(s);
  if (there) {
    controllers_judge_clips(m, run.arena, &in);
    controllers_judge_steps(m, &run);
  }
  int errors = run.d.n_errors;
  char *text = diag_text(&run.d);
  fputs(text, stderr);
  free(text);
  diag_clear(&run.d);
  arena_free(run.arena);
  return errors == 0;
}

int measure_controllers(struct measures *m, int n, char **paths)
{
  int good = 1;
  fputs(controllers_head, m->table.out);
  table_section(&m->table, "Clips and steps", controllers_prose);
  for (int i = 0; i < n && good; i++)
    good = controllers_judge_run(m, paths[i]);
  return good;
}

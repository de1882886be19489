/* Progress, summary, verification and keeping of solved clips. */
#include "cli/solving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/angle.h"
#include "cli/files.h"
#include "config.h"
#include "plots/filmstrip.h"

int cli_number(const char *command, const char *option, const char *text, double least, double most, double *out)
{
  char *end;
  *out = strtod(text, &end);
  if (end != text && !*end && *out >= least && *out <= most)
    return 1;
  cli_usage_error(command, "%s: expected a number from %g to %g, found '%s'", option, least, most, text);
  return 0;
}

/* One line that is rewritten on a terminal; nothing elsewhere. */
static int show_progress(void *user, const struct nlp_progress *p)
{
  struct solving *s = user;
  if (s->terminal && !s->quiet) {
    fprintf(stderr, "\r  iteration %3d%s  infeasibility %8.1e  objective %10.4g ", p->iteration,
            p->restoring ? " (restoring)" : "", p->infeasibility, p->objective);
    fflush(stderr);
  }
  return 1;
}

void solving_clear_progress(const struct solving *s)
{
  if (s->terminal && !s->quiet)
    fprintf(stderr, "\r%78s\r", "");
}

static const char *command_line(struct arena *arena, const struct solving *s)
{
  const char *line = "muybridge";
  for (int i = 0; i < s->argc; i++)
    line = arena_printf(arena, "%s %s", line, s->argv[i]);
  return line;
}

void solving_init(struct solving *s, const char *command, int argc, char **argv)
{
  *s = (struct solving){.command = command, .argc = argc, .argv = argv, .terminal = isatty(STDERR_FILENO)};
  spacetime_defaults(&s->options);
  s->options.progress = show_progress;
  s->options.user = s;
}

void solving_close(struct solving *s)
{
  store_close(s->store);
  s->store = NULL;
}

static int begin_session(struct solving *s, struct arena *arena, struct diag *d)
{
  char now[32];
  time_t t = time(NULL);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&t));
  return store_add_session(s->store, &(struct store_session){PACKAGE_STRING, command_line(arena, s), now}, d);
}

/* A run needs no other file: the creature's text comes from the run that it was read from, if it was. */
static int keep_creature(struct solving *s, struct arena *arena, const struct creature *c, struct diag *d)
{
  size_t length = s->text ? strlen(s->text) : 0;
  const char *text = s->text ? s->text : s->source ? store_get_creature_text(arena, s->source, &length, d) : NULL;
  return text ? store_put_creature_text(s->store, c->file, text, length, d)
              : !s->source && store_put_creature_files(s->store, c, d);
}

int solving_open(struct solving *s, struct arena *arena, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  if (s->output && !s->store) {
    s->store = store_open(arena, s->output, STORE_WRITE, &d);
    if (s->store && keep_creature(s, arena, c, &d))
      begin_session(s, arena, &d);
  } else if (s->store) {
    begin_session(s, arena, &d);
  }
  int errors = cli_report(&d);
  diag_clear(&d);
  return !errors;
}

/* ---- a clip to start from ---- */

/* The first name of a that b lacks; NULL: none. */
static const char *lacking(int n_a, const char *(*name)(const struct creature *c, int i), const struct creature *a,
                           int n_b, const struct creature *b)
{
  for (int i = 0; i < n_a; i++) {
    int found = 0;
    for (int k = 0; k < n_b && !found; k++)
      found = !strcmp(name(a, i), name(b, k));
    if (!found)
      return name(a, i);
  }
  return NULL;
}

static const char *axis_name(const struct creature *c, int i) { return c->dofs[i].name; }
static const char *point_name(const struct creature *c, int i) { return c->points[i].name; }

/* Has it the same things, in the same order? 0 after an error. */
static int same_things(const char *what, const char *(*name)(const struct creature *c, int i), int n_was,
                       const struct creature *was, int n_now, const struct creature *now, const char *file,
                       struct diag *d)
{
  const char *gone = lacking(n_was, name, was, n_now, now), *new = lacking(n_now, name, now, n_was, was);
  int same = n_was == n_now;
  for (int i = 0; same && i < n_now; i++)
    same = !strcmp(name(was, i), name(now, i));
  if (same)
    return 1;
  if (gone || new)
    diag_error(d, file, 0, "a clip of its '%s' is no start for '%s': %s '%s' is not in %s", was->name, now->name, what,
               gone ? gone : new, gone ? "the latter" : "the former");
  else
    diag_error(d, file, 0, "a clip of its '%s' is no start for '%s': %ss are in another order", was->name, now->name,
               what);
  return 0;
}

int solving_near_load(struct arena *arena, const char *name, struct solving_near *out, struct diag *d)
{
  const char *which;
  *out = (struct solving_near){.file = cli_split_run(arena, name, &which)};
  if (!store_is_run_file(out->file)) {
    diag_error(d, out->file, 0, "this is no run file (.muy)");
    return 0;
  }
  struct store *s = store_open(arena, out->file, STORE_READ, d);
  out->creature = s ? store_get_creature(arena, s, d) : NULL;
  out->id = out->creature ? store_find_clip(s, which, d) : 0;
  out->clip = out->id ? store_get_clip(arena, s, out->id, d) : NULL;
  store_close(s);
  return out->clip != NULL;
}

int solving_near_fits(const struct solving_near *n, const struct creature *c, const struct gait *gait, struct diag *d)
{
  const struct creature *was = n->creature;
  const struct clip *clip = n->clip;
  if (!same_things("axis", axis_name, was->n_dofs, was, c->n_dofs, c, n->file, d) ||
      !same_things("contact point", point_name, was->n_points, was, c->n_points, c, n->file, d))
    return 0;
  if (gait && !clip->cyclic)
    diag_error(d, n->file, 0, "clip %d, '%s', is a transition: a gait starts from a cycle", n->id, clip->name);
  else if (gait && strcmp(clip->gait, gait->name))
    diag_error(d, n->file, 0, "clip %d is a '%s': a '%s' cannot start from it", n->id, clip->gait, gait->name);
  else if (!gait && clip->cyclic)
    diag_error(d, n->file, 0, "clip %d, '%s', is a cycle: a transition starts from a transition", n->id, clip->name);
  else
    return 1;
  return 0;
}

int solving_near_frames(const struct solving_near *n, const struct creature *c, const struct gait *gait, double speed)
{
  const struct clip *clip = n->clip;
  int old = creature_find_gait(n->creature, clip->gait);
  double period = gait_period(gait, speed);
  double before = old < 0 ? period : gait_period(&n->creature->gaits[old], clip->speed);
  return (int)lround(clip->n_frames * clip->dt * c->frame_rate * period / before);
}

/* ---- the outcome ---- */

static void print_summary(const struct creature *c, const struct clip *clip, const struct clip_summary *m,
                          const struct spacetime_report *r)
{
  printf("%s, %s: found after %d solve%s, %d iterations in the last, %.2f s\n", c->name, clip->name, r->solves,
         r->solves == 1 ? "" : "s", r->nlp.iterations, r->seconds);
  printf("  %s %.4g s in %d frames, %s %.4g m, speed %.4g m/s\n", clip->cyclic ? "period" : "duration", m->period,
         clip->n_frames, clip->cyclic ? "stride" : "way", m->stride, m->speed);
  if (!clip->cyclic)
    printf("  turn %.4g degrees, to %.4g m ahead and %.4g m to the left\n", clip->turn * TO_DEGREES,
           clip->advance.x, clip->advance.y);
  printf("  cost of transport %.3g, cost %.4g\n", m->cost_of_transport, r->cost);
  printf("  peak torque %.3g m g L (%s), peak force %.3g body weights (%s), root never below %.2f L\n", m->peak_torque,
         c->dofs[m->peak_torque_dof].name, m->peak_force, c->points[m->peak_force_point].name, m->lowest_root);
}

void print_verification(const struct verify_report *report)
{
  printf("  %-66s  %9s  %9s\n", "verified from positions and forces alone", "worst", "bar");
  for (int i = 0; i < N_VERIFY_MEASURES; i++) {
    const struct verify_line *l = &report->lines[i];
    printf("  %-66s  %9.2g  %9.2g  %s", l->what, l->value, l->bar, l->passed ? "ok" : "MISSED");
    if (!l->passed && l->where)
      printf(" at frame %d, %s", l->frame, l->where);
    else if (!l->passed && l->frame >= 0)
      printf(" at frame %d", l->frame);
    putchar('\n');
  }
}

static int keep(struct solving *s, const struct creature *c, const struct clip *clip, const struct store_record *about)
{
  struct diag d;
  int id = 0;
  diag_init(&d);
  if (s->store)
    id = store_add_clip(s->store, clip, about, &d);
  if (id && !s->quiet)
    printf("kept as clip %d of %s\n", id, s->output);
  if (s->picture && !d.n_errors && plot_filmstrip(c, clip, s->picture, &d) && !s->quiet)
    printf("drew %s\n", s->picture);
  int errors = cli_report(&d);
  diag_clear(&d);
  return errors ? CLI_FAILED : CLI_DONE;
}

int solving_finish(struct solving *s, struct arena *arena, const struct creature *c, struct clip *clip,
                   const struct verify_neighbours *beside, const struct spacetime_report *report)
{
  solving_clear_progress(s);
  if (!clip) {
    static const char *const verdict[] = {[SPACETIME_REFUSED] = "refused", [SPACETIME_FAILED] = "not found",
                                          [SPACETIME_REJECTED] = "rejected", [SPACETIME_STOPPED] = "stopped"};
    fprintf(stderr, "muybridge %s: %s: %s\n", s->command, verdict[report->status], report->reason);
    return CLI_FAILED;
  }
  struct clip_summary summary;
  struct verify_report verification;
  spacetime_summarize(arena, c, clip, &summary);
  verify_transition(arena, c, clip, beside, &verification);
  if (!s->quiet) {
    print_summary(c, clip, &summary, report);
    print_verification(&verification);
  }
  if (!verification.passed) {
    fprintf(stderr, "muybridge %s: the clip found misses a bar of the verification and is not kept\n", s->command);
    return CLI_FAILED;
  }
  int status = keep(s, c, clip, &(struct store_record){&summary, report, &verification});
  return status ? status : cli_finish_output(s->command);
}

/* Progress, summary, verification and keeping of solved clips. */
#include "cli/solving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/angle.h"
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

static void clear_progress(const struct solving *s)
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
  size_t length = 0;
  const char *text = s->source ? store_get_creature_text(arena, s->source, &length, d) : NULL;
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
  clear_progress(s);
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

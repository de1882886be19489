/* The parts of a report that tell of the synthesis: what was done, what it gained, what failed, where time went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/angle.h"
#include "cli/reporting.h"
#include "plots/cost_steps.h"

#define MOST_FAILURES 200 /* rows of the table */
#define SLOWEST 8

static int solved_of(const struct reporting_search *s)
{
  int solved = 0;
  for (int i = 0; i < s->n_attempts; i++)
    solved += s->attempts[i].n_clips > 0;
  return solved;
}

/* ---- what was done ---- */

/* A run that is told nothing more is running, was killed, or is of a version that did not say how it ends. */
static const char *state_text(const struct reporting_search *s)
{
  const char *state = s->told.state ? s->told.state : "";
  int told = *state && strcmp(state, "running") != 0;
  return told ? state : "the run file does not say: it is still running, or was cut short";
}

static void tell_search(struct reporting *r)
{
  const struct reporting_search *s = &r->search;
  const struct store_step *first = s->steps, *last = s->n_steps ? &s->steps[s->n_steps - 1] : NULL;
  int solved = solved_of(s);
  html_fact(&r->html, "strategy and seed", "%s, %llu", s->told.strategy, (unsigned long long)s->told.seed);
  html_fact(&r->html, "told", "%s", s->told.options);
  html_fact(&r->html, "steps", "%d", s->n_steps);
  html_fact(&r->html, "attempts", "%d: %d solved, %d failed", s->n_attempts, solved, s->n_attempts - solved);
  if (last)
    html_fact(&r->html, "cost of a frame", "%.4f with the first graph, %.4f with the last", first->cost, last->cost);
  html_fact(&r->html, "how it ended", "%s", state_text(s));
}

static void tell_sessions(struct reporting *r)
{
  int n = 0;
  const struct store_session *all = store_list_sessions(r->arena, r->store, &n, r->d);
  for (int i = 0; all && i < n; i++)
    html_fact(&r->html, i ? "" : "commands", "%s, %s: %s", all[i].time, all[i].program, all[i].command);
}

static void tell_last_words(struct reporting *r)
{
  struct store_progress last;
  if (store_get_progress(r->arena, r->store, &last, r->d) == 1)
    html_fact(&r->html, "last heard of", "%s, in the middle of: %s", last.time, last.words);
}

void reporting_what_was_done(struct reporting *r)
{
  const struct motion_graph *g = r->controller->graph;
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"done\">What was done</h2>\n<table class=\"facts\">\n<tbody>\n");
  html_fact(h, "run file", "%s", r->run);
  tell_sessions(r);
  if (r->search.there)
    tell_search(r);
  tell_last_words(r);
  html_fact(h, "controller", "number %d: %d clips, %d decision nodes, %d choices, %.3g MB for the player", r->kept.id,
            r->kept.n_clips, r->kept.n_nodes, r->kept.n_segments, (double)r->kept.n_bytes * 1e-6);
  html_fact(h, "clips beside the graph", "%d", r->n_pool);
  html_table_end(h);
  if (!r->search.there)
    html_element(h, "p class=\"note\"", "This run has no synthesis: its clips were made one by one, so there are no "
                                        "steps and no failures to tell of.");
  if (g->n_nodes != r->kept.n_nodes || g->n_segments != r->kept.n_segments)
    html_element(h, "p class=\"note\"", "Clips were added after controller %d was made: graph, values and policy are "
                                        "as they would be with them (%d nodes, %d choices).", r->kept.id, g->n_nodes,
                 g->n_segments);
}

/* ---- cost ---- */

static const char *label_of(const struct reporting *r, const struct reporting_search *s, const char *what)
{
  return arena_printf(r->arena, "%s%s, seed %llu", what, s->told.strategy, (unsigned long long)s->told.seed);
}

static struct canvas *draw_cost(const struct reporting *r, const void *what, const char *path, struct diag *d)
{
  struct cost_steps run = {label_of(r, &r->search, ""), r->search.n_steps, r->search.steps, 0};
  struct cost_steps other = {label_of(r, &r->other, "baseline: "), r->other.n_steps, r->other.steps, 1};
  (void)what;
  return cost_steps_draw("The cost of the graph", &run, r->other.there ? &other : NULL, path, d);
}

static const char *names_of_step(const struct reporting *r, const struct store_step *step)
{
  const char *names = "";
  for (int k = 0; k < step->n_clips; k++)
    names = arena_printf(r->arena, "%s%s%s", names, k ? ", " : "", reporting_clip_name(r, step->clips[k]));
  return *names ? names : "nothing";
}

static void write_steps(struct reporting *r)
{
  struct html *h = &r->html;
  const struct reporting_search *s = &r->search;
  int clips = 0;
  html_table(h, ">step|>clips|>cost|>gain|>candidates|>time s|added");
  for (int i = 0; i < s->n_steps; i++) {
    const struct store_step *step = &s->steps[i];
    clips += step->n_clips;
    html_row(h);
    html_number(h, "%d", step->iteration);
    html_number(h, "%d", clips);
    html_number(h, "%.4f", step->cost);
    html_number(h, "%.4f", i ? s->steps[i - 1].cost - step->cost : 0.0);
    html_number(h, "%d", step->n_candidates);
    html_number(h, "%.2f", cost_steps_seconds(step));
    html_cell(h, "%s", names_of_step(r, step));
    html_row_end(h);
  }
  html_table_end(h);
}

/* Steps until the baseline's last cost was reached, and the other way round. */
static void compare(struct reporting *r)
{
  const struct store_step *mine = &r->search.steps[r->search.n_steps - 1];
  const struct store_step *theirs = &r->other.steps[r->other.n_steps - 1];
  int swapped = theirs->cost < mine->cost, clips = 0;
  const struct reporting_search *better = swapped ? &r->other : &r->search;
  double target = fmax(mine->cost, theirs->cost);
  html_element(&r->html, "p", "The baseline, %s, ended at %.4f after %d steps; this run at %.4f after %d.", r->baseline,
               theirs->cost, r->other.n_steps, mine->cost, r->search.n_steps);
  for (int i = 0; i < better->n_steps; i++) {
    clips += better->steps[i].n_clips;
    if (better->steps[i].cost > target)
      continue;
    html_element(&r->html, "p", "%s had reached %.4f, where the other ended, in step %d with %d clips.",
                 swapped ? "The baseline" : "This run", target, better->steps[i].iteration, clips);
    return;
  }
}

void reporting_cost(struct reporting *r)
{
  struct html *h = &r->html;
  if (!r->search.there)
    return;
  html_tags(h, "<h2 id=\"cost\">The cost, step by step</h2>\n");
  if (r->search.n_steps < 1) {
    html_element(h, "p", "There are no steps yet.");
    return;
  }
  html_element(h, "p", "What a frame costs on average, over all that will be asked: the effort of the body and how far "
                       "off it is from what is asked. Each step adds what lowers it most.");
  reporting_picture(r, draw_cost, NULL, "The cost of the graph over steps, clips and time");
  html_element(h, "p class=\"note\"", "Steps are weighed with every branch of every cycle open, whether or not "
                                      "anything leaves there yet; the controller at the end has only those that are "
                                      "used, and costs %.4f.", r->kept.cost);
  if (r->other.there)
    compare(r);
  write_steps(r);
}

/* ---- failures ---- */

/* Where a number that begins at s ends; s if none begins there. */
static const char *past_number(const char *s)
{
  const char *end = s;
  while ((*end >= '0' && *end <= '9') || (end > s && *end == '.' && end[1] >= '0' && end[1] <= '9'))
    end++;
  if (end > s && *end == 'e' && (end[1] == '-' || end[1] == '+'))
    for (end += 2; *end >= '0' && *end <= '9';)
      end++;
  return end;
}

static int in_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

const char *reporting_family(struct arena *arena, const char *reason)
{
  char *family = arena_alloc(arena, 3 * strlen(reason) + 1, 1), *out = family;
  for (const char *s = reason; *s;) {
    const char *close = *s == '(' ? strchr(s, ')') : NULL, *end = past_number(s);
    if (close) {
      s = close + 1;
      if (out > family && out[-1] == ' ')
        out--;
    } else if (end > s && (s == reason || !in_word(s[-1]))) {
      memcpy(out, "\xe2\x80\xa6", 3);
      out += 3;
      s = end;
    } else {
      *out++ = *s++;
    }
  }
  *out = 0;
  return family;
}

struct family { const char *outcome, *status, *words; int count; double seconds; };

static int more_of_them(const void *a, const void *b)
{
  const struct family *x = a, *y = b;
  return x->count != y->count ? y->count - x->count : strcmp(x->words, y->words);
}

static struct family *families_of(const struct reporting *r, int *n)
{
  const struct reporting_search *s = &r->search;
  struct family *all = ARENA_NEW(r->arena, (size_t)s->n_attempts + 1, struct family);
  *n = 0;
  for (int i = 0; i < s->n_attempts; i++) {
    const struct store_attempt *a = &s->attempts[i];
    const char *words = reporting_family(r->arena, a->reason ? a->reason : "");
    int k = 0;
    if (a->n_clips > 0)
      continue;
    while (k < *n && (strcmp(all[k].words, words) || strcmp(all[k].status, a->status) ||
                      strcmp(all[k].outcome, a->outcome)))
      k++;
    if (k == *n)
      all[(*n)++] = (struct family){a->outcome, a->status, words, 0, 0};
    all[k].count++;
    all[k].seconds += a->seconds;
  }
  qsort(all, (size_t)*n, sizeof *all, more_of_them);
  return all;
}

/* "turn by 45 degrees from 3 (walk):12 to 3 (walk):43 in 64 frames", "trot at 3.5 m/s". */
static const char *attempt_text(const struct reporting *r, const struct store_attempt *a)
{
  const struct creature *c = r->figures.creature;
  const char *gait = a->gait >= 0 && a->gait < c->n_motions ? c->gaits[a->gait].name : "gait";
  const char *ends = arena_printf(r->arena, "from %s:%d to %s:%d", reporting_clip_name(r, a->from_clip), a->from_frame,
                                  reporting_clip_name(r, a->to_clip), a->to_frame);
  if (strcmp(a->kind, "transition") == 0)
    return arena_printf(r->arena, "turn by %.0f degrees %s in %d frames", a->turn * TO_DEGREES, ends, a->frames);
  const char *going = "";
  if (fabs(a->strafe) > 1e-9)
    going = arena_printf(r->arena, ", %.0f degrees to the left of its nose", a->strafe * TO_DEGREES);
  return arena_printf(r->arena, "%s at %.3g m/s%s%s%s", gait, a->speed, going, a->from_clip ? ", " : "",
                      a->from_clip ? ends : "");
}

static void write_families(struct reporting *r, int failed)
{
  int n = 0;
  struct family *all = families_of(r, &n);
  struct html *h = &r->html;
  html_table(h, ">how many|>share|>processor s|worker|attempt|reason, without its numbers");
  for (int i = 0; i < n; i++) {
    html_row(h);
    html_number(h, "%d", all[i].count);
    html_number(h, "%.0f %%", 100.0 * all[i].count / failed);
    html_number(h, "%.2f", all[i].seconds);
    html_cell(h, "%s", all[i].outcome);
    html_cell(h, "%s", all[i].status);
    html_cell(h, "%s", *all[i].words ? all[i].words : "none given");
    html_row_end(h);
  }
  html_table_end(h);
}

static void write_failures(struct reporting *r)
{
  struct html *h = &r->html;
  int told = 0;
  html_table(h, ">step|attempt|>chance|>processor s|status|reason");
  for (int i = 0; i < r->search.n_attempts && told < MOST_FAILURES; i++) {
    const struct store_attempt *a = &r->search.attempts[i];
    if (a->n_clips > 0)
      continue;
    html_row(h);
    html_number(h, "%d", a->iteration);
    html_cell(h, "%s", attempt_text(r, a));
    html_number(h, "%.0f %%", 100 * a->chance);
    html_number(h, "%.2f", a->seconds);
    html_cell(h, "%s", strcmp(a->outcome, "done") ? a->outcome : a->status);
    html_cell(h, "%s", a->reason);
    html_row_end(h);
    told++;
  }
  html_table_end(h);
}

void reporting_failures(struct reporting *r)
{
  struct html *h = &r->html;
  int failed = r->search.n_attempts - solved_of(&r->search);
  if (!r->search.there)
    return;
  html_tags(h, "<h2 id=\"failures\">What failed, and why</h2>\n");
  html_element(h, "p", "%d of %d attempts gave no clip.%s", failed, r->search.n_attempts,
               failed ? " A failure costs its time and nothing else." : "");
  if (!failed)
    return;
  write_families(r, failed);
  html_element(h, "h3", failed > MOST_FAILURES ? "The first %d of them" : "All %d of them",
               failed > MOST_FAILURES ? MOST_FAILURES : failed);
  html_element(h, "p class=\"note\"", "Clips are named by their number and name, with the frame at which they are left "
                                      "or entered; chance is how likely the strategy thought a success.");
  write_failures(r);
}

/* ---- time and memory ---- */

static void write_parts(struct reporting *r)
{
  static const char *const names[] = {"proposing candidates", "estimating gain and chance", "solving and verifying",
                                      "evaluating graphs"};
  double sums[4] = {0}, all = 0;
  struct html *h = &r->html;
  for (int i = 0; i < r->search.n_steps; i++) {
    const struct store_step *s = &r->search.steps[i];
    sums[0] += s->seconds_proposing;
    sums[1] += s->seconds_estimating;
    sums[2] += s->seconds_solving;
    sums[3] += s->seconds_evaluating;
    all += cost_steps_seconds(s);
  }
  html_table(h, "part|>time by the clock s|>share");
  for (int k = 0; k < 5; k++) {
    double part = k < 4 ? sums[k] : all;
    html_row(h);
    html_cell(h, "%s", k < 4 ? names[k] : "all");
    html_number(h, "%.2f", part);
    html_number(h, "%.1f %%", all > 0 ? 100 * part / all : 0.0);
    html_row_end(h);
  }
  html_table_end(h);
}

static int slower(const void *a, const void *b)
{
  const struct store_attempt *x = *(const struct store_attempt *const *)a, *y = *(const struct store_attempt *const *)b;
  return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : x->id - y->id;
}

static void write_slowest(struct reporting *r)
{
  const struct reporting_search *s = &r->search;
  const struct store_attempt **order = ARENA_NEW(r->arena, (size_t)s->n_attempts + 1, const struct store_attempt *);
  struct html *h = &r->html;
  for (int i = 0; i < s->n_attempts; i++)
    order[i] = &s->attempts[i];
  qsort(order, (size_t)s->n_attempts, sizeof *order, slower);
  html_element(h, "h3", "The slowest attempts");
  html_table(h, ">processor s|>memory MB|>step|attempt|outcome");
  for (int i = 0; i < s->n_attempts && i < SLOWEST; i++) {
    html_row(h);
    html_number(h, "%.2f", order[i]->seconds);
    html_number(h, "%.0f", (double)order[i]->peak_memory * 1e-6);
    html_number(h, "%d", order[i]->iteration);
    html_cell(h, "%s", attempt_text(r, order[i]));
    html_cell(h, "%s", strcmp(order[i]->outcome, "done") ? order[i]->outcome : order[i]->status);
    html_row_end(h);
  }
  html_table_end(h);
}

static void write_memory(struct reporting *r)
{
  size_t peak = 0;
  double seconds[2] = {0, 0};
  struct stat about;
  struct html *h = &r->html;
  for (int i = 0; i < r->search.n_attempts; i++) {
    const struct store_attempt *a = &r->search.attempts[i];
    seconds[a->n_clips > 0] += a->seconds;
    peak = a->peak_memory > peak ? a->peak_memory : peak;
  }
  html_tags(h, "<table class=\"facts\">\n<tbody>\n");
  if (r->search.n_attempts > 0) {
    html_fact(h, "processor time of attempts that were solved", "%.2f s", seconds[1]);
    html_fact(h, "processor time of attempts that failed", "%.2f s", seconds[0]);
    html_fact(h, "most memory of a worker", "%.0f MB", (double)peak * 1e-6);
  }
  html_fact(h, "memory for values and influence", "%.3g MB", (double)r->controller->memory * 1e-6);
  if (stat(r->run, &about) == 0)
    html_fact(h, "run file", "%.3g MB", (double)about.st_size * 1e-6);
  html_table_end(h);
}

void reporting_time(struct reporting *r)
{
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"time\">Time and memory</h2>\n");
  if (r->search.there) {
    html_element(h, "p", "The parts follow one another, so their times by the clock add up; attempts run side by side, "
                         "as many as there are workers, so their processor times may add up to more.");
    write_parts(r);
  }
  write_memory(r);
  if (r->search.n_attempts > 0)
    write_slowest(r);
}

/* The parts of a report that tell of what came of the synthesis: the controller, how it plays, its clips. */
#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "cli/reporting.h"
#include "plots/performance.h"
#include "plots/thumbnail.h"

struct text_phrase reporting_distance(const struct task_parameter *p, double distance)
{
  struct text_phrase text;
  if (p->kind->space == TASK_CATEGORY)
    snprintf(text.words, sizeof text.words, "%.1f %%", 100 * distance);
  else
    snprintf(text.words, sizeof text.words, "%.*f %s", p->kind->decimals, distance / p->kind->scale, p->kind->unit);
  return text;
}

static struct canvas *draw_figure(const struct reporting *r, const void *what, const char *path, struct diag *d)
{
  return figures_canvas(what, &r->figures, path, d);
}

/* ---- creature and task ---- */

void reporting_creature(struct reporting *r)
{
  const struct creature *c = r->figures.creature;
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"creature\">The creature</h2>\n");
  html_element(h, "p", "%s%s%s: %.4g kg, standing %.3g m high at its root, %d limbs, %d degrees of freedom, %d feet "
                       "that touch the ground at %d points; %.4g frames a second.", c->name, c->summary ? ", " : "",
               c->summary ? c->summary : "", c->mass, c->height, c->n_limbs, c->n_dofs, c->n_feet, c->n_points,
               c->frame_rate);
  reporting_picture(r, draw_figure, "creature", "The creature from the side and the front, its numbers and gaits");
}

/* "any angle", "0.5 m/s to 2 m/s", "walk, trot". */
static const char *range_text(const struct reporting *r, const struct task_parameter *p)
{
  const char *text = "";
  if (p->kind->space == TASK_CIRCLE)
    return p->kind->relative ? "any angle, against the heading" : "any angle";
  if (p->kind->space == TASK_INTERVAL)
    return arena_printf(r->arena, "%s to %s", task_value_text(p, p->least).words, task_value_text(p, p->most).words);
  for (int i = 0; i < p->n; i++)
    text = arena_printf(r->arena, "%s%s%s", text, i ? ", " : "", p->names[i]);
  return text;
}

static const char *every_text(const struct reporting *r, double chance)
{
  return chance > 0 ? arena_printf(r->arena, "every %.3g s", r->task->dt / chance) : "never";
}

static void write_parameter(struct reporting *r, const struct task_parameter *p)
{
  struct html *h = &r->html;
  int category = p->kind->space == TASK_CATEGORY;
  html_row(h);
  html_cell(h, "%s", p->kind->name);
  html_cell(h, "%s", range_text(r, p));
  html_number(h, "%d", p->n);
  html_number(h, "%.3g", p->weight);
  html_cell(h, "%s", category ? "any other gait" : reporting_distance(p, p->unit).words);
  html_number(h, category ? "\xe2\x80\x93" : "%.3g", p->power);
  html_cell(h, "%s%s", every_text(r, p->jump), p->weights ? ", not to all alike" : "");
  if (category || !(p->drift > 0))
    html_cell(h, "never");
  else
    html_cell(h, "%s, by about %s", every_text(r, p->drift), reporting_distance(p, p->width).words);
  html_row_end(h);
}

void reporting_task(struct reporting *r)
{
  const struct task *t = r->task;
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"task\">The task</h2>\n");
  html_element(h, "p", "%s%s%s. A user asks and changes his mind at random. A frame costs %.3g times the logarithm of "
                       "its effort, against that of the first gait, and for each parameter its weight times how far "
                       "off the creature is from what is asked.", t->name, t->summary ? ": " : "",
               t->summary ? t->summary : "", t->alpha);
  html_table(h, "asked for|values|>on the grid|>weight|off by this costs the weight|>power|asked anew|drifts");
  for (int i = 0; i < t->n_parameters; i++)
    write_parameter(r, &t->parameters[i]);
  html_table_end(h);
}

/* ---- the controller ---- */

void reporting_controller(struct reporting *r)
{
  const struct controller *c = r->controller;
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"graph\">The controller</h2>\n");
  html_tags(h, "<p>");
  html_say(h, "A frame costs %.4f on average, for certain from %.5f to %.5f: body %.4f", c->cost, c->lower, c->upper,
           c->body_cost);
  for (int i = 0; i < c->task->n_parameters; i++)
    html_say(h, ", %s %.4f", c->task->parameters[i].kind->name, c->task_cost[i]);
  html_tags(h, ".</p>\n<h3>The graph</h3>\n");
  reporting_picture(r, draw_figure, "graph", "The motion graph: cycles as rings, transitions between their frames");
  html_tags(h, "<h3>What is still to come, over what may be asked</h3>\n");
  reporting_picture(r, draw_figure, "values", "The values at the branches");
  html_tags(h, "<h3>Which way is taken, over what may be asked</h3>\n");
  reporting_picture(r, draw_figure, "policy", "The policy at the branches");
}

/* ---- responses ---- */

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *x, int n)
{
  qsort(x, (size_t)n, sizeof *x, ascending);
  return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

static const char *time_text(const struct reporting *r, double seconds)
{
  return isfinite(seconds) ? arena_printf(r->arena, "%.2f", seconds) : "not reached";
}

/* All nodes alike; one that never gets there counts as slower than all others. */
static void write_response(struct reporting *r, int step)
{
  const struct response_table *t = r->figures.responses;
  const struct task_parameter *p = &t->task->parameters[t->steps[step].parameter];
  double *time = ARENA_NEW(r->arena, (size_t)t->n_nodes, double);
  double *beyond = ARENA_NEW(r->arena, (size_t)t->n_nodes, double);
  double left = 0;
  int n = 0, reached = 0;
  for (int i = 0; i < t->n_nodes; i++) {
    const struct response *x = &t->responses[i * t->n_steps + step];
    if (!x->applies)
      continue;
    reached += isfinite(x->rest.time);
    left += x->rest.error;
    time[n] = x->rest.time;
    beyond[n++] = x->rest.overshoot;
  }
  html_row(&r->html);
  html_cell(&r->html, "%s", response_step_text(t->task, &t->steps[step]).words);
  html_number(&r->html, "%d of %d", reached, n);
  html_number(&r->html, "%s", n ? time_text(r, median(time, n)) : "");
  html_number(&r->html, "%s", n ? time_text(r, time[n - 1]) : "");
  html_number(&r->html, "%s", n ? reporting_distance(p, median(beyond, n)).words : "");
  html_number(&r->html, "%s", n ? reporting_distance(p, left / n).words : "");
  html_row_end(&r->html);
}

void reporting_responses(struct reporting *r)
{
  const struct response_table *t = r->figures.responses;
  struct html *h = &r->html;
  if (!t)
    return;
  html_tags(h, "<h2 id=\"response\">How fast it responds</h2>\n");
  html_element(h, "p", "From every decision node something else is asked all of a sudden, and then nothing more for "
                       "%.0f s. Reached: within 10 degrees, 5 %% of the speed, in the right gait, and so from then on.",
               REPORTING_RESPONSE);
  html_table(h, "asked|>reached from|>median s|>slowest s|>beyond by, median|>then off by, mean");
  for (int k = 0; k < t->n_steps; k++)
    write_response(r, k);
  html_table_end(h);
  reporting_picture(r, draw_figure, "response", "Errors over time after something else is asked");
}

/* ---- the sample play ---- */

static struct canvas *draw_play(const struct reporting *r, const void *what, const char *path, struct diag *d)
{
  (void)r;
  return performance_draw(what, path, d);
}

static void write_misses(struct reporting *r, const struct verify_report *v)
{
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!v->lines[i].passed)
      html_element(&r->html, "p", "Missed: %s is %.3g, allowed is %.3g, at frame %d%s%s.", v->lines[i].what,
                   v->lines[i].value, v->lines[i].bar, v->lines[i].frame, v->lines[i].where ? ", " : "",
                   v->lines[i].where ? v->lines[i].where : "");
}

void reporting_play(struct reporting *r)
{
  const struct performance *p = r->play;
  struct html *h = &r->html;
  if (!p)
    return;
  html_tags(h, "<h2 id=\"play\">A minute of play</h2>\n");
  html_element(h, "p", "The task's own user asks for %.0f s (chance 1, from node 0). A frame cost %.4f; in the long "
                       "run it is %.4f.", (p->n_frames - 1) * p->dt, p->cost, r->kept.cost);
  html_table(h, "|>mean cost|>off by, mean");
  for (int i = -1; i < p->n_parameters; i++) {
    html_row(h);
    html_cell(h, "%s", i < 0 ? "body" : p->task->parameters[i].kind->name);
    html_number(h, "%.4f", i < 0 ? p->mean_body : p->mean_task[i]);
    html_number(h, "%s", i < 0 ? "" : reporting_distance(&p->task->parameters[i], p->mean_error[i]).words);
    html_row_end(h);
  }
  html_table_end(h);
  if (r->play_verification.passed)
    html_element(h, "p", "The whole motion, verified as one clip of %d frames, keeps every bar.", p->n_frames);
  write_misses(r, &r->play_verification);
  reporting_picture(r, draw_play, p, "The way from above; what was asked and done over time; costs; clips played");
}

/* ---- clips ---- */

static struct canvas *draw_clip(const struct reporting *r, const void *what, const char *path, struct diag *d)
{
  return thumbnail_draw(r->figures.creature, what, path, d);
}

const char *reporting_clip_name(const struct reporting *r, int id)
{
  const struct motion_graph *g = r->controller->graph;
  for (int i = 0; i < g->n_clips; i++)
    if (g->clips[i].id == id)
      return arena_printf(r->arena, "%d (%s)", id, g->clips[i].clip->name);
  return arena_printf(r->arena, "%d", id);
}

static const char *ends_text(const struct reporting *r, const struct clip *clip)
{
  if (clip->cyclic && fabs(clip->strafe) > 1e-9)
    return arena_printf(r->arena, "cycle, going %.1f degrees to the left of its nose", clip->strafe * TO_DEGREES);
  if (clip->cyclic)
    return "cycle";
  return arena_printf(r->arena, "from %s:%d to %s:%d", reporting_clip_name(r, clip->from.clip), clip->from.frame,
                      reporting_clip_name(r, clip->to.clip), clip->to.frame);
}

static const char *use_text(const struct reporting *r, int i)
{
  enum graph_use use = r->controller->graph->use[i];
  if (use == GRAPH_USED)
    return arena_printf(r->arena, "%.2f %%", 100 * r->controller->clip_share[i]);
  return use == GRAPH_UNREACHABLE ? "left out: no way leads there" : "left out: no way leads back";
}

static void write_clip(struct reporting *r, int i)
{
  const struct graph_clip *k = &r->controller->graph->clips[i];
  const struct reporting_clip *about = &r->clips[i];
  struct html *h = &r->html;
  html_tags(h, "<tr><td>");
  reporting_thumbnail(r, draw_clip, k->clip, arena_printf(r->arena, "Poses of clip %d, %s", k->id, k->clip->name));
  html_tags(h, "</td>");
  html_number(h, "%d", k->id);
  html_cell(h, "%s: %s%s", k->clip->name, ends_text(r, k->clip), about->passed ? "" : "; MISSES A BAR");
  if (about->step >= 0)
    html_number(h, "%d", about->step);
  else
    html_number(h, "\xe2\x80\x93");
  html_number(h, "%.1f", k->clip->advance.yaw * TO_DEGREES);
  html_number(h, "%.2f", about->summary.speed);
  html_number(h, "%.2f", k->clip->n_frames * k->clip->dt);
  html_number(h, "%.2f", k->features[0].counted_effort / r->controller->effort);
  html_number(h, "%s", use_text(r, i));
  html_row_end(h);
}

void reporting_clips(struct reporting *r)
{
  const struct motion_graph *g = r->controller->graph;
  struct html *h = &r->html;
  html_tags(h, "<h2 id=\"clips\">The clips</h2>\n");
  html_element(h, "p", "Poses at even times from the first to the last, each from its right side; where it turns, also "
                       "its way from above. Effort is the sum of squared torques, the first gait's being 1; used is "
                       "the share of the time in which the clip is shown.");
  html_table(h, "poses|>clip|name|>step|>turn \xc2\xb0|>speed m/s|>time s|>effort|>used");
  for (int i = 0; i < g->n_clips; i++)
    write_clip(r, i);
  html_table_end(h);
}

/* ---- verification ---- */

/* Is it worse? What is not a number is worse than any. */
static int worse(double a, double b)
{
  return isnan(b) ? 0 : isnan(a) || a > b;
}

static void write_measure(struct reporting *r, enum verify_measure m)
{
  int at = 0;
  struct html *h = &r->html;
  for (int i = 1; i < r->controller->graph->n_clips; i++)
    if (worse(r->clips[i].verification.lines[m].value, r->clips[at].verification.lines[m].value))
      at = i;
  const struct verify_line *line = &r->clips[at].verification.lines[m];
  int nowhere = line->frame < 0;
  html_row(h);
  html_cell(h, "%s", line->what);
  html_number(h, "%.2g", line->value);
  html_number(h, "%.2g", line->bar);
  html_cell(h, "%s", line->passed ? "ok" : "MISSED");
  html_cell(h, "%s", nowhere ? "" : reporting_clip_name(r, r->controller->graph->clips[at].id));
  html_cell(h, "%s", nowhere ? "" : arena_printf(r->arena, "frame %d%s%s", line->frame, line->where ? ", " : "",
                                                 line->where ? line->where : ""));
  html_row_end(h);
}

static void write_junction(struct reporting *r)
{
  int at = 0;
  struct html *h = &r->html;
  for (int i = 1; i < r->controller->graph->n_clips; i++)
    if (worse(r->clips[i].junction, r->clips[at].junction))
      at = i;
  const struct reporting_clip *k = &r->clips[at];
  html_row(h);
  html_cell(h, "junction with the clip that is left or entered [rad, standing heights]");
  html_number(h, "%.2g", k->junction);
  html_number(h, "%.2g", GRAPH_JUNCTION);
  html_cell(h, "%s", k->junction <= GRAPH_JUNCTION ? "ok" : "MISSED");
  html_cell(h, "%s", k->junction > 0 ? reporting_clip_name(r, r->controller->graph->clips[at].id) : "");
  html_cell(h, "%s", k->junction > 0 ? arena_printf(r->arena, "frame %d", k->junction_frame) : "");
  html_row_end(h);
}

void reporting_verification(struct reporting *r)
{
  struct html *h = &r->html;
  int n = r->controller->graph->n_clips;
  html_tags(h, "<h2 id=\"verification\">Verification</h2>\n");
  html_element(h, "p", "Recomputed for this page from positions and forces alone, with code that shares nothing with "
                       "the optimizer: %d of %d clips keep every bar. The worst of each measure over all of them:",
               r->n_clips_passed, n);
  html_table(h, "measure [unit]|>worst|>bar||clip|where");
  for (int m = 0; m < N_VERIFY_MEASURES; m++)
    write_measure(r, (enum verify_measure)m);
  write_junction(r);
  html_table_end(h);
}

/* See words.h. Advice follows from how a solve ended: one that ran out of time says nothing about the body or its
 * speed; one that got stuck says which constraint it could not meet, and why not, as far as the motion tells. */
#include "spacetime/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"

/* A violation of constraints that counts as none. */
#define WORDS_FEASIBLE 1e-6

/* Of its length: a leg is straight from here on. */
#define WORDS_STRAIGHT 0.97

/* From its stop [rad]: a joint is there. Solutions keep a little away from their bounds. */
#define WORDS_AT_STOP 1e-3

/* Of the violation at the start: a solve that has come so far is on its way, and needs time more than advice. */
#define WORDS_ON_ITS_WAY 0.03

/* So many frames are more than a cycle needs, see the default of frame_rate in doc/creature-format.md. */
#define WORDS_MANY_FRAMES 120

/* ---- legs ---- */

static void words_place(const struct problem *p, int body, const double *at, double out[3])
{
  double unit = p->in.c->height, local[3] = {at[0] / unit, at[1] / unit, at[2] / unit};
  dynamics_point(p->d, body, local, out);
}

/* How far the foot of point i is from the top of its leg, over the leg's length; 0 if it is no foot. */
static double words_stretch(const struct problem *p, int k, int i)
{
  const struct creature *c = p->in.c;
  const struct contact_point *point = &c->points[i];
  if (point->foot < 0 || !(c->feet[point->foot].leg_length > 0))
    return 0;
  const struct limb *top = &c->limbs[c->feet[point->foot].first_leg_limb];
  double hip[3], end[3];
  dynamics_kinematics(p->d, p->x + p->q_var[k]);
  words_place(p, top->body, top->origin, hip);
  words_place(p, point->body, point->at, end);
  return hypot(hypot(end[0] - hip[0], end[1] - hip[1]), end[2] - hip[2]) * c->height /
         c->feet[point->foot].leg_length;
}

/* The joint axis next to point i, of those that carry it, that is at the end of its range; -1 if none is. */
static int words_stopped_joint(const struct problem *p, int k, int i)
{
  for (int j = p->in.c->points[i].body; j >= CREATURE_ROOT_DOFS; j = p->in.c->dofs[j].parent) {
    const struct dof *d = &p->in.c->dofs[j];
    double q = p->x[p->q_var[k] + j];
    if (d->upper > d->lower && (q - d->lower < WORDS_AT_STOP || d->upper - q < WORDS_AT_STOP))
      return j;
  }
  return -1;
}

void words_advise_leg(const struct problem *p, int k, int i, const char *usual, struct row_words *out)
{
  double stretch = words_stretch(p, k, i);
  int stopped = words_stopped_joint(p, k, i);
  out->advice = usual;
  if (stretch > WORDS_STRAIGHT) {
    snprintf(out->text, sizeof out->text, "its leg is straight there, %.0f %% of its length: %s", 100 * stretch,
             p->in.cyclic ? "lower the speed, shorten the period or the contact, or make the leg longer"
                          : "allow more frames, or a smaller turn");
    out->advice = out->text;
  } else if (stopped >= 0) {
    const struct dof *d = &p->in.c->dofs[stopped];
    snprintf(out->text, sizeof out->text, "%s is at the end of its range there (%.0f degrees): widen it, or %s",
             d->name, p->x[p->q_var[k] + stopped] * TO_DEGREES,
             p->in.cyclic ? "lower the speed" : "allow more frames");
    out->advice = out->text;
  }
}

/* ---- balance ---- */

/* From the rest pose of the whole body, or as it is at frame k. */
static void words_centre_of_mass(const struct problem *p, const double *q, double com[2])
{
  const struct creature *c = p->in.c;
  double sum = 0;
  com[0] = com[1] = 0;
  dynamics_kinematics(p->d, q);
  for (int i = 0; i < c->n_dofs; i++) { /* mass and first moment of each body */
    double m = c->dofs[i].mass, at[3];
    if (!(m > 0))
      continue;
    const double centre[3] = {c->dofs[i].moment1[0] / m, c->dofs[i].moment1[1] / m, c->dofs[i].moment1[2] / m};
    words_place(p, i, centre, at);
    com[0] += m * at[0], com[1] += m * at[1], sum += m;
  }
  com[0] /= sum, com[1] /= sum;
}

void words_advise_balance(const struct problem *p, int k, const char *usual, struct row_words *out)
{
  const struct creature *c = p->in.c;
  const double *q = p->x + p->q_var[k];
  double com[2], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  words_centre_of_mass(p, q, com);
  double sine = sin(p->in.heading[k]), cosine = cos(p->in.heading[k]);
  for (int i = 0; i < p->n_points; i++) {
    double at[3];
    if (!problem_touches(p, k, i))
      continue;
    words_place(p, c->points[i].body, c->points[i].at, at);
    double dx = at[0] - com[0], dy = at[1] - com[1];
    const double from[2] = {cosine * dx + sine * dy, cosine * dy - sine * dx}; /* ahead of it, to its left */
    for (int axis = 0; axis < 2; axis++)
      low[axis] = fmin(low[axis], from[axis]), high[axis] = fmax(high[axis], from[axis]);
  }
  static const char *const side[2][2] = {{"ahead of", "behind"}, {"to the left of", "to the right of"}};
  int axis = fmax(low[0], -high[0]) >= fmax(low[1], -high[1]) ? 0 : 1, beyond = -high[axis] > low[axis];
  double off = beyond ? -high[axis] : low[axis]; /* all feet are that far to one side */
  out->advice = usual;
  if (off > 0.05) { /* standing heights */
    snprintf(out->text, sizeof out->text,
             "all feet that stand there are %s the centre of mass, %.2g m or more: let feet on the other side stand "
             "at the same time, or shift the mass",
             side[axis][beyond], off * c->height);
    out->advice = out->text;
  }
}

/* ---- torques ---- */

/* The torque [m g L] of dof i that holds the body still in its rest pose, its weight shared evenly by the points that
 * touch at frame k; 0 if none does. */
static double words_standing_torque(const struct problem *p, int k, int i)
{
  int n = p->n, touching = 0, point[p->n_points];
  double still[n], tau[n], position[3 * p->n_points], force[3 * p->n_points], lambda[3 * p->n_points];
  memset(still, 0, sizeof still);
  memset(lambda, 0, sizeof lambda);
  for (int j = 0; j < p->n_points; j++)
    if (problem_touches(p, k, j))
      point[touching++] = j;
  for (int j = 0; j < touching; j++)
    force[3 * j] = force[3 * j + 1] = 0, force[3 * j + 2] = 1.0 / touching;
  if (!touching)
    return 0;
  dynamics_residual(p->d, p->in.rest, still, still, &(struct dynamics_contacts){touching, point, force, lambda}, tau,
                    position);
  return fabs(tau[i]);
}

void words_advise_torque(const struct problem *p, int k, int i, const char *usual, struct row_words *out)
{
  const struct creature *c = p->in.c;
  double unit = c->mass * CREATURE_GRAVITY * c->height, standing = words_standing_torque(p, k, i) * unit;
  out->advice = usual;
  if (standing > c->dofs[i].torque_max) {
    snprintf(out->text, sizeof out->text,
             "even to stand still at rest on the feet that are down there takes %.3g N m of it, and its limit is %.3g "
             "N m: raise the limit, lighten the body, or let more feet stand at a time",
             standing, c->dofs[i].torque_max);
    out->advice = out->text;
  }
}

/* ---- a solve that found nothing ---- */

/* Which bound of which variable is violated. */
static void words_of_bound(const struct problem *p, int var, double by, char *text, size_t size, const char **advice)
{
  int k = p->in.n_frames - 1;
  while (k > 0 && p->q_var[k] > var)
    k--;
  int dof = var - p->q_var[k];
  if (dof < p->n) {
    snprintf(text, size, "the range of a coordinate (%s, frame %d of %d) is violated by %.2g",
             p->in.c->dofs[dof].name, k, p->in.n_frames, by);
    *advice = "widen it, or lower the speed";
  } else {
    snprintf(text, size, "a foot pulls at the ground (frame %d of %d) by %.2g body weights", k, p->in.n_frames, by);
    *advice = "give it less time on the ground, or lower the speed";
  }
}

/* Which constraint is violated most, by how much, where; and the advice that fits. */
static double words_of_worst(struct arena *arena, struct problem *p, const double *x, char *text, size_t size,
                             struct row_words *words)
{
  struct nlp nlp = problem_nlp(p);
  double *g = ARENA_NEW(arena, (size_t)p->n_rows + 1, double);
  int which = 0;
  nlp.constraints(nlp.self, x, g);
  double worst = nlp_violation(&nlp, x, g, &which);
  memset(words, 0, sizeof *words);
  if (which < 0) {
    words_of_bound(p, -1 - which, worst, text, size, &words->advice);
    return worst;
  }
  const struct row *r = &p->rows[which];
  r->family->words(p, r, words);
  snprintf(text, size, "%s (%s, frame %d of %d) is violated by %.2g %s", words->what, words->subject, r->frame,
           p->in.n_frames, worst, words->unit);
  return worst;
}

/* Out of time, or of iterations while the violation shrinks: nothing is known against the motion. */
static void words_of_haste(const struct problem *p, const char *worst, int is_time, const struct spacetime_options *o,
                           struct spacetime_report *report)
{
  char frames[88] = "", limit[32];
  if (p->in.n_frames > WORDS_MANY_FRAMES && p->in.cyclic)
    snprintf(frames, sizeof frames, ", or solve for fewer than these %d frames (frame_rate of the creature)",
             p->in.n_frames);
  if (is_time)
    snprintf(limit, sizeof limit, "out of time (%.3g s)", o->max_seconds);
  else
    snprintf(limit, sizeof limit, "too many iterations");
  snprintf(report->reason, sizeof report->reason,
           "%s: solve %d was at iteration %d with %d variables, and %.200s%s; that does not say that there is no such "
           "motion: allow more %s%s",
           limit, report->solves, report->nlp.iterations, report->n_vars, worst, *worst ? " there" : "all is met",
           is_time ? "seconds" : "iterations", frames);
}

void words_explain(struct arena *arena, struct problem *p, const double *x, const struct spacetime_options *o,
                   struct spacetime_report *report)
{
  char text[256];
  struct row_words words;
  enum nlp_status status = report->nlp.status;
  double worst = words_of_worst(arena, p, x, text, sizeof text, &words);
  double first = report->n_history ? report->history[0].infeasibility : 0;
  int on_its_way = worst < WORDS_ON_ITS_WAY * first;
  if (worst < WORDS_FEASIBLE)
    text[0] = 0;
  if (status == NLP_TIME || (status == NLP_ITERATIONS && on_its_way)) {
    words_of_haste(p, text, status == NLP_TIME, o, report);
    return;
  }
  int n = snprintf(report->reason, sizeof report->reason, "the optimizer stopped (%s) after %d iterations; ",
                   nlp_status_text(status), report->nlp.iterations);
  if (!*text)
    snprintf(report->reason + n, sizeof report->reason - (size_t)n,
             "all constraints are met but the motion is not yet the best one: allow more iterations");
  else
    snprintf(report->reason + n, sizeof report->reason - (size_t)n, "%s; %s", text, words.advice);
}

/* See learn.h, and doc/task-format.md, "Learned from people".
 *
 * Jumps and drifts of a parameter are two Poisson processes. A change from x to y is of either, with densities J(y | x)
 * and D(y | x); over T seconds
 *
 *   log L = sum log(a J + b D) - (a + b) T           a, b: how many jumps and drifts a second
 *
 * whose maximum is found by expectation and maximization (Dempster, Laird and Rubin 1977), with one jump and one drift
 * as the task has them for good measure (a conjugate prior): little data then changes little. Standard errors are from
 * the observed information sum s s^T, s the derivative of log(a J + b D) by the logarithms of the parameters, which for
 * a Poisson process is that of its likelihood in the mean. Whether the data speak for weights of jumps, and for how
 * many parts, is decided by the Bayesian information criterion (Schwarz 1978). */
#include "task/learn.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "task/room.h"

#define PRIOR     1.0           /* events as the task has them, added to what was seen                          */
#define IMAGES    3             /* turns round the circle, or reflections, that a step may be off               */
#define FAR       8.0           /* widths: no drift goes so far                                                 */
#define ROUNDS    1000          /* of expectation and maximization, at most                                     */
#define CONVERGED 1e-8          /* of all parameters, relative                                                  */
#define FLOOR     1e-3          /* share of a uniform law in one that is given: nothing that was seen is impossible */
#define OFTEN     0.5           /* changes in a frame, at most: a chain has one                                 */

void task_learn_defaults(struct task_learn_options *o)
{
  *o = (struct task_learn_options){.settle = 0.1};
}

const char *task_file_name(const struct task_file *t)
{
  return t->name;
}

/* ---- what was seen of a parameter ---- */

struct learn_data {
  const struct task_parameter *p;
  double frame;                 /* [s]                                                       */
  double seconds;               /* in which a change could begin                             */
  int n;
  double *from, *to;            /* of each change, theta                               (n)   */
  double jump_every, drift_every, width; /* as the task has them, for good measure: finite, more than 0  */
};

/* A gesture: changes that follow each other so fast that they are one. */
struct learn_gesture { double from, to, began, last; int open; };

static void end_gesture(struct learn_data *x, struct learn_gesture *g, double settle, double end)
{
  if (!g->open)
    return;
  x->seconds -= fmin(end, g->last + settle) - g->began;
  if (g->from != g->to) {
    x->from[x->n] = g->from;
    x->to[x->n++] = g->to;
  }
  g->open = 0;
}

static void take_change(struct learn_data *x, struct learn_gesture *g, double time, double theta, double settle,
                        double end)
{
  if (g->open && time - g->last > settle)
    end_gesture(x, g, settle, end);
  if (!g->open && theta != g->to)
    *g = (struct learn_gesture){g->to, theta, time, time, 1};
  else if (g->open)
    g->to = theta, g->last = time;
}

/* The value of a line: 0 after an error. */
static int read_value(const struct task_parameter *p, const struct task_log *log, const struct task_log_line *x,
                      double *theta, struct diag *d)
{
  static const struct text_section file = {0};
  const char *values[] = {x->value};
  const struct text_entry e = {x->parameter, log->file, x->line, 1, values, NULL, &file};
  return task_read_value(p, &e, theta, d);
}

/* Adds what a log has of a parameter. 1 if it has it. */
static int take_log(struct learn_data *x, const struct task_log *log, double settle, struct diag *d)
{
  struct learn_gesture g = {0};
  int seen = 0;
  for (int i = 0; i < log->n_lines; i++) {
    const struct task_log_line *line = &log->lines[i];
    double theta;
    if (strcmp(line->parameter, x->p->kind->name) || !read_value(x->p, log, line, &theta, d))
      continue;
    if (!seen && line->time > 0)
      diag_error(d, log->file, line->line, "%s: its first value must be at time 0, found %g s", line->parameter,
                 line->time);
    if (!seen)
      g.to = theta;
    else
      take_change(x, &g, line->time, theta, settle, log->seconds);
    seen = 1;
  }
  if (seen)
    x->seconds += log->seconds;
  end_gesture(x, &g, settle, log->seconds);
  return seen;
}

/* ---- densities ---- */

struct learn_law {              /* of jumps of a circle or an interval                        */
  int n;                        /* parts                                                      */
  int fixed;                    /* it is not to be learned                                    */
  double weights[TASK_MOST_WEIGHTS];
};

static int is_circle(const struct task_parameter *p) { return p->kind->space == TASK_CIRCLE; }

/* Length of the circle or the interval. */
static double length_of(const struct task_parameter *p) { return is_circle(p) ? 2.0 * PI : p->most - p->least; }

/* In which of n parts a jump lies. */
static int part_of(const struct task_parameter *p, int n, double from, double to)
{
  double share = is_circle(p) ? task_wrap(to - from) / (2.0 * PI) : (to - p->least) / (p->most - p->least);
  if (is_circle(p))
    return ((int)floor(share * n + 0.5) + n) % n;
  int part = (int)floor(share * n);
  return part < 0 ? 0 : part < n ? part : n - 1;
}

static double jump_density(const struct task_parameter *p, const struct learn_law *law, int part)
{
  return law->weights[part] * law->n / length_of(p);
}

/* Of a Gaussian step, over all ways from x to y: round a circle, or by reflections at both ends. *square: the mean of
 * its square over these ways. */
static double drift_density(const struct task_parameter *p, double width, double from, double to, double *square)
{
  double sum = 0.0, squares = 0.0, length = length_of(p), period = is_circle(p) ? length : 2.0 * length;
  double ways[2] = {to - from, 2.0 * p->least - to - from}; /* the second: reflected at the least */
  for (int way = 0; way < (is_circle(p) ? 1 : 2); way++)
    for (int k = -IMAGES; k <= IMAGES; k++) {
      double step = ways[way] + k * period, u = step / width, density = fabs(u) < FAR ? exp(-0.5 * u * u) : 0.0;
      sum += density;
      squares += density * step * step;
    }
  *square = sum > 0.0 ? squares / sum : 0.0;
  return sum / (width * sqrt(2.0 * PI));
}

/* ---- the maximum ---- */

struct learn_fit {
  double jump_rate, drift_rate; /* [1/s]                                                      */
  double width;
  double jumps, drifts;         /* of what was seen                                           */
  double likelihood;            /* its logarithm                                              */
  double posterior;             /* and with what was added for good measure                   */
  struct learn_law law;
};

/* Chance that change i was a jump; the derivatives of its log-likelihood follow from it. */
struct learn_share { double jump, drift, square, likelihood; int part; };

static struct learn_share share_of(const struct learn_data *x, const struct learn_fit *f, int i)
{
  struct learn_share s = {.part = part_of(x->p, f->law.n, x->from[i], x->to[i])};
  double jump = f->jump_rate * jump_density(x->p, &f->law, s.part);
  double drift = f->drift_rate * drift_density(x->p, f->width, x->from[i], x->to[i], &s.square);
  s.jump = jump / (jump + drift);
  s.drift = drift / (jump + drift);
  s.likelihood = log(jump + drift);
  return s;
}

/* The logarithm of the prior: gammas of rates, a Gaussian step's likelihood of the width, a Dirichlet of weights. */
static double log_prior(const struct learn_data *x, const struct learn_fit *f)
{
  double ratio = x->width / f->width, sum = log(f->jump_rate) - f->jump_rate * x->jump_every;
  sum += log(f->drift_rate) - f->drift_rate * x->drift_every - log(f->width) - 0.5 * ratio * ratio;
  for (int k = 0; k < f->law.n && !f->law.fixed; k++)
    sum += log(f->law.weights[k]) / f->law.n;
  return PRIOR * sum;
}

/* The weights for which so many jumps in each part are the likeliest. On a circle the part around no turn at all is
 * left out: a turn that is smaller than half a part is a drift, whatever its law; were it learned, jumps and drifts
 * could take each other's place. */
static void set_weights(const struct task_parameter *p, struct learn_law *law, const double *seen)
{
  double sum = 0.0;
  for (int k = 0; k < law->n; k++) {
    law->weights[k] = (is_circle(p) && k == 0 ? 0.0 : seen[k]) + PRIOR / law->n;
    sum += law->weights[k];
  }
  for (int k = 0; k < law->n; k++)
    law->weights[k] /= sum;
}

/* One round: expectation, then maximization. The likelihood and the posterior are those of f. */
static struct learn_fit improve(const struct learn_data *x, const struct learn_fit *f)
{
  struct learn_fit next = {0};
  double squares = PRIOR * x->width * x->width, seen[TASK_MOST_WEIGHTS] = {0};
  next.likelihood = -(f->jump_rate + f->drift_rate) * x->seconds;
  for (int i = 0; i < x->n; i++) {
    struct learn_share s = share_of(x, f, i);
    next.jumps += s.jump;
    next.drifts += s.drift;
    next.likelihood += s.likelihood;
    squares += s.drift * s.square;
    seen[s.part] += s.jump;
  }
  next.posterior = next.likelihood + log_prior(x, f);
  next.jump_rate = (next.jumps + PRIOR) / (x->seconds + PRIOR * x->jump_every);
  next.drift_rate = (next.drifts + PRIOR) / (x->seconds + PRIOR * x->drift_every);
  next.width = fmin(length_of(x->p) / 4.0, sqrt(squares / (next.drifts + PRIOR)));
  next.law = f->law;
  if (!f->law.fixed)
    set_weights(x->p, &next.law, seen);
  return next;
}

static int has_converged(const struct learn_fit *a, const struct learn_fit *b)
{
  for (int k = 0; k < a->law.n; k++)
    if (fabs(a->law.weights[k] - b->law.weights[k]) > CONVERGED)
      return 0;
  return fabs(a->jump_rate - b->jump_rate) <= CONVERGED * a->jump_rate &&
         fabs(a->drift_rate - b->drift_rate) <= CONVERGED * a->drift_rate &&
         fabs(a->width - b->width) <= CONVERGED * a->width;
}

/* From rates and a width to start with. */
static struct learn_fit fit_from(const struct learn_data *x, const struct learn_law *law, struct learn_fit f)
{
  f.law = *law;
  for (int i = 0; i < ROUNDS; i++) {
    struct learn_fit next = improve(x, &f);
    int done = has_converged(&f, &next);
    f = next;
    if (done)
      break;
  }
  return f;
}

/* With the law that the task has, the best of several starts: a mixture has more than one maximum. */
static struct learn_fit fit_given(const struct learn_data *x, const struct learn_law *law)
{
  static const double starts[] = {1.0, 0.25, 4.0}; /* of the task's width */
  struct learn_fit best = {.posterior = -INFINITY};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    struct learn_fit f = {.jump_rate = 1.0 / x->jump_every, .drift_rate = 1.0 / x->drift_every};
    f.width = fmin(length_of(x->p) / 4.0, starts[i] * x->width);
    f = fit_from(x, law, f);
    if (i == 0 || f.posterior > best.posterior + 1e-6)
      best = f;
  }
  return best;
}

/* The law that the task has, with a little of everything. */
static struct learn_law given_law(const struct task_parameter *p)
{
  struct learn_law law = {.n = p->n_weights ? p->n_weights : 1, .fixed = 1, .weights = {1.0}};
  for (int k = 0; k < p->n_weights; k++)
    law.weights[k] = (1.0 - FLOOR) * p->weights[k] + FLOOR / p->n_weights;
  return law;
}

static struct learn_fit fit_best(const struct learn_data *x)
{
  static const int turns[] = {8, 24, 0}, parts[] = {4, 8, 16, 0}; /* coarser ones are made of finer ones */
  struct learn_law law = given_law(x->p);
  const struct learn_fit given = fit_given(x, &law);
  struct learn_fit best = given;
  double criterion = best.likelihood;
  for (const int *n = is_circle(x->p) ? turns : parts; *n; n++) {
    law = (struct learn_law){.n = *n};
    for (int k = 0; k < *n; k++)
      law.weights[k] = 1.0 / *n;
    struct learn_fit f = fit_from(x, &law, given);
    double c = f.likelihood - 0.5 * (*n - 1) * log(fmax(1.0, x->n));
    if (c > criterion)
      best = f, criterion = c;
  }
  return best;
}

/* ---- standard errors ---- */

/* The information about log(a w_k) of all parts (or log a), log b and log width: n + 2 rows. */
static void add_information(const struct learn_data *x, const struct learn_fit *f, int n, double *I)
{
  int rows = n + 2;
  for (int k = 0; k < n; k++)
    I[k * rows + k] = PRIOR / n;
  I[n * rows + n] = PRIOR;
  I[(n + 1) * rows + n + 1] = 2.0 * PRIOR; /* of log width, one step of a Gaussian says so much */
  for (int i = 0; i < x->n; i++) {
    struct learn_share s = share_of(x, f, i);
    int at[3] = {n > 1 ? s.part : 0, n, n + 1};
    double by[3] = {s.jump, s.drift, s.drift * (s.square / (f->width * f->width) - 1.0)};
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        I[at[a] * rows + at[b]] += by[a] * by[b];
  }
}

/* Variance of sum c_k log(a w_k). */
static double variance_of(int rows, const double *factor, const double *c, double *room)
{
  double sum = 0.0;
  memcpy(room, c, (size_t)rows * sizeof *room);
  matrices_cholesky_solve(rows, factor, 1, room);
  for (int i = 0; i < rows; i++)
    sum += c[i] * room[i];
  return sum;
}

static void find_errors(struct arena *arena, const struct learn_data *x, const struct learn_fit *f,
                        struct task_learned_parameter *out)
{
  struct arena *scratch = arena_new();
  int n = f->law.fixed ? 1 : f->law.n, rows = n + 2;
  double *I = ARENA_NEW(scratch, (size_t)(rows * rows), double), *c = ARENA_NEW(scratch, (size_t)rows, double);
  double *room = ARENA_NEW(scratch, (size_t)rows, double), *errors = ARENA_NEW(arena, (size_t)n, double);
  add_information(x, f, n, I);
  matrices_cholesky(rows, I); /* positive definite: the prior is */
  for (int k = 0; k < n; k++)
    c[k] = n > 1 ? f->law.weights[k] : 1.0; /* log a moves by the mean of log(a w_k) */
  out->jump_every_error = out->jump_every * sqrt(variance_of(rows, I, c, room));
  for (int k = 0; k < n && n > 1; k++) {
    for (int m = 0; m < n; m++)
      c[m] = (m == k) - f->law.weights[m];
    errors[k] = f->law.weights[k] * sqrt(variance_of(rows, I, c, room));
  }
  memset(c, 0, (size_t)rows * sizeof *c);
  c[n] = 1.0;
  out->drift_every_error = out->drift_every * sqrt(variance_of(rows, I, c, room));
  c[n] = 0.0, c[n + 1] = 1.0;
  out->drift_error = out->drift * sqrt(variance_of(rows, I, c, room));
  out->weights_error = errors;
  arena_free(scratch);
}

/* ---- circles and intervals ---- */

static void learn_moving(struct arena *arena, const struct learn_data *x, struct task_learned_parameter *out)
{
  struct learn_fit f = fit_best(x);
  double often = (f.jump_rate + f.drift_rate) * x->frame / OFTEN, slower = fmax(1.0, often);
  out->jumps = f.jumps;
  out->drifts = f.drifts;
  out->jump_every = slower / f.jump_rate;
  out->drift_every = slower / f.drift_rate;
  out->drift = f.width;
  find_errors(arena, x, &f, out);
  if (f.law.fixed)
    return;
  double *weights = ARENA_NEW(arena, (size_t)f.law.n, double);
  memcpy(weights, f.law.weights, (size_t)f.law.n * sizeof *weights);
  out->n_weights = f.law.n;
  out->weights = weights;
}

/* ---- lists and gaits: jumps only ---- */

static int index_of(const struct task_parameter *p, double theta)
{
  int best = 0;
  for (int i = 1; i < p->n; i++)
    if (fabs(p->values[i] - theta) < fabs(p->values[best] - theta))
      best = i;
  return best;
}

struct learn_counts { int n; double *out, *in; }; /* jumps from and to each value (n) */

static double listed_likelihood(const struct learn_data *x, const double *w)
{
  double sum = 0.0;
  for (int i = 0; i < x->n; i++)
    sum += log(w[index_of(x->p, x->to[i])] / (1.0 - w[index_of(x->p, x->from[i])]));
  return sum;
}

/* Weights of a choice among all but the present one (Luce 1959), by minorization and maximization (Hunter 2004); for
 * good measure, one choice among all, of each alike. */
static void fit_choice(const struct learn_counts *c, double *w)
{
  double next[TASK_MOST_WEIGHTS];
  for (int round = 0; round < ROUNDS; round++) {
    double sum = 0.0;
    for (int j = 0; j < c->n; j++) {
      double offered = PRIOR;
      for (int i = 0; i < c->n; i++)
        offered += i == j ? 0.0 : c->out[i] / (1.0 - w[i]);
      next[j] = (c->in[j] + PRIOR / c->n) / offered;
      sum += next[j];
    }
    for (int j = 0; j < c->n; j++)
      w[j] = next[j] / sum;
  }
}

static void learn_listed(struct arena *arena, const struct learn_data *x, struct task_learned_parameter *out)
{
  const struct task_parameter *p = x->p;
  size_t n = (size_t)p->n;
  struct learn_counts c = {p->n, ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double)};
  double *w = ARENA_NEW(arena, n, double), *error = ARENA_NEW(arena, n, double), *given = ARENA_NEW(arena, n, double);
  for (int i = 0; i < x->n; i++) {
    c.out[index_of(p, x->from[i])]++;
    c.in[index_of(p, x->to[i])]++;
  }
  out->jumps = x->n;
  out->jump_every = fmax(x->frame / OFTEN, (x->seconds + PRIOR * x->jump_every) / (x->n + PRIOR));
  out->jump_every_error = out->jump_every / sqrt(x->n + PRIOR);
  if (p->n < 3 || p->n > TASK_MOST_WEIGHTS) /* of two it is always the other one */
    return;
  for (int k = 0; k < p->n; k++) {
    w[k] = 1.0 / p->n;
    given[k] = p->weights ? (1.0 - FLOOR) * p->weights[k] + FLOOR / p->n : w[k];
  }
  fit_choice(&c, w);
  if (listed_likelihood(x, w) - 0.5 * (p->n - 1) * log(fmax(1.0, x->n)) <= listed_likelihood(x, given))
    return;
  for (int k = 0; k < p->n; k++)
    error[k] = sqrt(w[k] * (1.0 - w[k]) / (x->n + PRIOR));
  out->n_weights = p->n;
  out->weights = w;
  out->weights_error = error;
}

/* ---- all parameters ---- */

/* Mean times and width as the task has them; of what it never does, as its kind has them. */
static void set_prior(struct learn_data *x, const struct task *t)
{
  const struct task_parameter *p = x->p;
  x->frame = t->dt;
  x->jump_every = p->jump > 0.0 ? t->dt / p->jump : p->kind->jump_every;
  x->drift_every = p->drift > 0.0 ? t->dt / p->drift : p->kind->drift_every;
  x->width = p->width > 0.0 ? p->width : length_of(p) / 20.0;
}

static void learn_parameter(struct arena *arena, const struct task_learned *l, int index, double settle,
                            struct task_learned_parameter *out, struct diag *d)
{
  struct arena *scratch = arena_new();
  const struct task_parameter *p = &l->task->parameters[index];
  int listed = p->listed || p->kind->space == TASK_CATEGORY, errors_before = d->n_errors;
  size_t most = 0;
  for (int i = 0; i < l->n_logs; i++)
    most += (size_t)l->logs[i]->n_lines;
  struct learn_data x = {.p = p, .from = ARENA_NEW(scratch, most, double), .to = ARENA_NEW(scratch, most, double)};
  set_prior(&x, l->task);
  for (int i = 0; i < l->n_logs; i++)
    out->known |= take_log(&x, l->logs[i], settle, d);
  out->seconds = x.seconds = fmax(0.0, x.seconds);
  out->n_changes = x.n;
  if (!out->known)
    diag_warning(d, l->base->file, 0, "no log has parameter '%s': it stays as it is in the task", p->kind->name);
  else if (d->n_errors == errors_before && p->n > 1 && listed)
    learn_listed(arena, &x, out);
  else if (d->n_errors == errors_before && p->n > 1)
    learn_moving(arena, &x, out);
  arena_free(scratch);
}

/* Is a log of this task and its creature, and does it ask for nothing else? */
static void check_log(struct arena *arena, const struct task_log *log, const struct task *t, struct diag *d)
{
  const char **names = ARENA_NEW(arena, (size_t)t->n_parameters + 1, const char *);
  for (int i = 0; i < t->n_parameters; i++)
    names[i] = t->parameters[i].kind->name;
  if (strcmp(log->task, t->name))
    diag_error(d, log->file, 0, "it is a log of task '%s', not of '%s'", text_clip(log->task).word,
               text_clip(t->name).word);
  if (strcmp(log->creature, t->creature->name))
    diag_error(d, log->file, 0, "it is a log of creature '%s', not of '%s'", text_clip(log->creature).word,
               text_clip(t->creature->name).word);
  for (int i = 0; i < log->n_lines; i++)
    if (task_find(t, log->lines[i].parameter) < 0)
      diag_error(d, log->file, log->lines[i].line, "the task '%s' has no parameter '%s'%s", text_clip(t->name).word,
                 text_clip(log->lines[i].parameter).word, text_suggest(log->lines[i].parameter, names).words);
}

const struct task_learned *task_learn(struct arena *arena, const struct task_file *base, const struct task *task,
                                      int n_logs, const struct task_log *const *logs,
                                      const struct task_learn_options *o, struct diag *d)
{
  int errors_before = d->n_errors;
  struct task_learned *l = ARENA_NEW(arena, 1, struct task_learned);
  struct task_learned_parameter *parameters =
      ARENA_NEW(arena, (size_t)task->n_parameters, struct task_learned_parameter);
  *l = (struct task_learned){base, task, n_logs, logs, 0.0, parameters};
  for (int i = 0; i < n_logs; i++) {
    check_log(arena, logs[i], task, d);
    l->seconds += logs[i]->seconds;
  }
  if (d->n_errors > errors_before)
    return NULL;
  for (int p = 0; p < task->n_parameters; p++)
    learn_parameter(arena, l, p, o->settle, &parameters[p], d);
  return d->n_errors > errors_before ? NULL : l;
}

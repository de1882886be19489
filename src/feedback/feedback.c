/* Window feedback: ridge regression of window models, and the Riccati recursion with its affine term. */
#include "feedback/feedback.h"

#include <math.h>
#include <string.h>

#include "base/matrices.h"
#include "follow/errors.h"

#define MOST_CYCLES 400         /* that a cycle's value may take to settle */
#define SETTLED 1e-7            /* relative change of P and p over a cycle */

const struct feedback_trust feedback_trust = {.place = 0.15, .yaw = 0.3};

void feedback_weights_defaults(struct feedback_weights *w)
{
  *w = (struct feedback_weights){.place = 0.3, .height = 10, .yaw = 1, .tilt = 5, .joint = 1,
                                 .root_velocity = 1, .velocity = 0.1, .control = 2};
}

/* ---- models ---- */

/* Columns of the regression: errors without place, controls, 1, each of about unit size. */
static void fill_row(const struct window_samples *s, int i, double *row)
{
  int m = s->n_errors, half = m / 2, j = 0;
  const double *x = s->x + (size_t)i * (size_t)m, *u = s->u + (size_t)i * (size_t)s->n_controls;
  for (int k = 2; k < m; k++)
    row[j++] = x[k] / (k < half ? s->scale_x : s->scale_v);
  for (int k = 0; k < s->n_controls; k++)
    row[j++] = u[k] / s->scale_u;
  row[j] = 1;
}

/* The coefficients, regressor by regressor, as A, B and d. What does not depend on the place is moved with it. */
static void feedback_unpack(const struct window_samples *s, const double *W, struct window_model *model)
{
  int m = s->n_errors, half = m / 2, j = 0;
  double sn = sin(s->turn), cs = cos(s->turn);
  for (int k = 2; k < m; k++, j++)
    for (int i = 0; i < m; i++)
      model->A[i * m + k] = W[j * m + i] / (k < half ? s->scale_x : s->scale_v);
  for (int k = 0; k < s->n_controls; k++, j++)
    for (int i = 0; i < m; i++)
      model->B[i * s->n_controls + k] = W[j * m + i] / s->scale_u;
  memcpy(model->d, W + (size_t)j * (size_t)m, (size_t)m * sizeof(double));
  model->A[0] = model->A[m + 1] = cs;
  model->A[1] = sn;
  model->A[m] = -sn;
}

static double feedback_residual(const struct window_samples *s, const double *W, int columns, double *row)
{
  double sum = 0;
  int m = s->n_errors;
  for (int i = 0; i < s->n; i++) {
    fill_row(s, i, row);
    for (int e = 0; e < m; e++) {
      double off = s->end[(size_t)i * (size_t)m + (size_t)e];
      for (int j = 0; j < columns; j++)
        off -= row[j] * W[j * m + e];
      sum += off * off;
    }
  }
  return sqrt(sum / (s->n * (double)m));
}

struct window_model *feedback_fit(struct arena *arena, const struct window_samples *s)
{
  int m = s->n_errors, columns = m - 2 + s->n_controls + 1;
  struct window_model *model = ARENA_NEW(arena, 1, struct window_model);
  model->A = ARENA_NEW(arena, (size_t)m * (size_t)m, double);
  model->B = ARENA_NEW(arena, (size_t)m * (size_t)s->n_controls, double);
  model->d = ARENA_NEW(arena, (size_t)m, double);
  model->n_samples = s->n;
  struct arena *scratch = arena_new();
  double *X = ARENA_NEW(scratch, (size_t)s->n * (size_t)columns, double);
  double *N = ARENA_NEW(scratch, (size_t)columns * (size_t)columns, double);
  double *W = ARENA_NEW(scratch, (size_t)columns * (size_t)m, double);
  for (int i = 0; i < s->n; i++)
    fill_row(s, i, X + (size_t)i * (size_t)columns);
  matrices_product_turned(columns, s->n, columns, X, X, N);
  matrices_product_turned(columns, s->n, m, X, s->end, W);
  for (int j = 0; j < columns; j++)
    N[j * columns + j] += s->ridge * s->n + 1e-12;
  int good = matrices_cholesky(columns, N);
  if (good) {
    matrices_cholesky_solve(columns, N, m, W);
    feedback_unpack(s, W, model);
    model->residual = feedback_residual(s, W, columns, X);
  } else {
    model->residual = NAN;
  }
  arena_free(scratch);
  return model;
}

/* ---- Riccati ---- */

struct recursion {
  const struct feedback_problem *problem;
  int m, r;                     /* errors, controls                                      */
  double *Q, *R;                /* diagonals                                             */
  double *S, *SA, *SB, *G, *M, *h, *closed;
};

static void fill_weights(struct recursion *rec)
{
  const struct feedback_weights *w = rec->problem->weights;
  int n = rec->m / 2;
  for (int i = 0; i < n; i++) {
    rec->Q[i] = i < 2 ? w->place : i == 2 ? w->height : i == 3 ? w->yaw : i < 6 ? w->tilt : w->joint;
    rec->Q[n + i] = i < 6 ? w->root_velocity : w->velocity;
  }
  for (int i = 0; i < rec->r; i++)
    rec->R[i] = w->control;
}

/* One window backwards: from the value P, p at its end to gain and value at its start.
 *   S = P + Q,  G = R + B'SB,  K = -inv(G) B'SA,  k = -inv(G) B'(S d + p),  P := A'S(A + BK),  p := A'(S(d + Bk) +
 * p) */
static int feedback_step_back(struct recursion *rec, const struct window_model *model, const double *P, const double *p,
                     struct window_gain *out)
{
  int m = rec->m, r = rec->r;
  memcpy(rec->S, P, (size_t)m * (size_t)m * sizeof *P);
  for (int i = 0; i < m; i++)
    rec->S[i * m + i] += rec->Q[i];
  matrices_product(m, m, m, rec->S, model->A, rec->SA);
  matrices_product(m, m, r, rec->S, model->B, rec->SB);
  matrices_product_turned(r, m, r, model->B, rec->SB, rec->G);
  for (int i = 0; i < r; i++)
    rec->G[i * r + i] += rec->R[i];
  memcpy(rec->h, p, (size_t)m * sizeof *p);
  matrices_apply_add(m, m, rec->S, model->d, rec->h);
  matrices_product_turned(r, m, m, model->B, rec->SA, out->K);
  matrices_product_turned(r, m, 1, model->B, rec->h, out->k);
  if (!matrices_cholesky(r, rec->G))
    return 0;
  matrices_cholesky_solve(r, rec->G, m, out->K);
  matrices_cholesky_solve(r, rec->G, 1, out->k);
  for (int i = 0; i < r * m; i++)
    out->K[i] = -out->K[i];
  for (int i = 0; i < r; i++)
    out->k[i] = -out->k[i];
  matrices_product(m, r, m, rec->SB, out->K, rec->closed);   /* S(A + BK) */
  for (int i = 0; i < m * m; i++)
    rec->closed[i] += rec->SA[i];
  matrices_product_turned(m, m, m, model->A, rec->closed, out->P);
  matrices_symmetrize(m, out->P);
  matrices_apply_add(m, r, rec->SB, out->k, rec->h);         /* S(d + Bk) + p */
  matrices_product_turned(m, m, 1, model->A, rec->h, out->p);
  return 1;
}

static double feedback_change(int n, const double *a, const double *b)
{
  double most = 0, size = 1e-30;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / size;
}

/* The windows from `cycle` on, over and over. P and p are those at its end, which is its start. 0 if that does not
 * go. */
static int feedback_settle(struct recursion *rec, struct window_gain *gains, double *P, double *p)
{
  const struct feedback_problem *f = rec->problem;
  int m = rec->m;
  for (int round = 0; round < MOST_CYCLES; round++) {
    for (int w = f->n - 1; w >= f->cycle; w--) {
      const struct window_gain *next = &gains[w + 1];
      int last = w == f->n - 1;
      if (!feedback_step_back(rec, f->models[f->which[w]], last ? P : next->P, last ? p : next->p, &gains[w]))
        return 0;
    }
    const struct window_gain *start = &gains[f->cycle];
    double off = fmax(feedback_change(m * m, start->P, P), feedback_change(m, start->p, p));
    memcpy(P, start->P, (size_t)(m * m) * sizeof *P);
    memcpy(p, start->p, (size_t)m * sizeof *p);
    if (off < SETTLED)
      break;
    if (!isfinite(off))
      return 0;
  }
  return 1;
}

static struct recursion recursion_new(struct arena *a, const struct feedback_problem *f)
{
  struct recursion rec = {.problem = f, .m = 2 * f->creature->n_dofs, .r = f->creature->n_dofs - CREATURE_ROOT_DOFS};
  size_t m = (size_t)rec.m, r = (size_t)rec.r;
  rec.Q = ARENA_NEW(a, m, double);
  rec.R = ARENA_NEW(a, r, double);
  rec.S = ARENA_NEW(a, m * m, double);
  rec.SA = ARENA_NEW(a, m * m, double);
  rec.SB = ARENA_NEW(a, m * r, double);
  rec.G = ARENA_NEW(a, r * r, double);
  rec.h = ARENA_NEW(a, m, double);
  rec.closed = ARENA_NEW(a, m * m, double);
  fill_weights(&rec);
  return rec;
}

int feedback_solve(struct arena *arena, const struct feedback_problem *f, struct window_gain *gains)
{
  size_t m = 2 * (size_t)f->creature->n_dofs, r = (size_t)f->creature->n_dofs - CREATURE_ROOT_DOFS;
  for (int w = 0; w <= f->n; w++) {
    gains[w].K = ARENA_NEW(arena, m * r, double);
    gains[w].k = ARENA_NEW(arena, r, double);
    gains[w].P = ARENA_NEW(arena, m * m, double);
    gains[w].p = ARENA_NEW(arena, m, double);
  }
  struct arena *scratch = arena_new();
  struct recursion rec = recursion_new(scratch, f);
  double *P = gains[f->n].P, *p = gains[f->n].p;
  if (f->end) {
    memcpy(P, f->end->P, m * m * sizeof *P);
    memcpy(p, f->end->p, m * sizeof *p);
  }
  int good = f->cycle >= f->n || feedback_settle(&rec, gains, P, p);
  for (int w = (f->cycle < f->n ? f->cycle : f->n) - 1; good && w >= 0; w--)
    good = feedback_step_back(&rec, f->models[f->which[w]], gains[w + 1].P, gains[w + 1].p, &gains[w]);
  arena_free(scratch);
  return good;
}

/* ---- use ---- */

static double feedback_clamp(double x, double most)
{
  return x > most ? most : x < -most ? -most : x;
}

/* The errors, those of place and yaw cut. */
static void feedback_cut(int m, const double *x, double *out)
{
  memcpy(out, x, (size_t)m * sizeof *x);
  out[ERRORS_X] = feedback_clamp(x[ERRORS_X], feedback_trust.place);
  out[ERRORS_Y] = feedback_clamp(x[ERRORS_Y], feedback_trust.place);
  out[ERRORS_YAW] = feedback_clamp(x[ERRORS_YAW], feedback_trust.yaw);
}

void feedback_control(const struct creature *c, const struct window_gain *g, const double *x, double *u)
{
  int m = 2 * c->n_dofs, r = c->n_dofs - CREATURE_ROOT_DOFS;
  double near[m];
  feedback_cut(m, x, near);
  matrices_apply(r, m, g->K, near, u);
  for (int i = 0; i < r; i++)
    u[i] += g->k[i];
}

double feedback_value(const struct creature *c, const struct window_gain *g, const double *x)
{
  int m = 2 * c->n_dofs;
  double near[m], sum = 0;
  feedback_cut(m, x, near);
  for (int i = 0; i < m; i++) /* what was cut counts by itself: the further off, the costlier */
    sum += 2 * g->p[i] * near[i] + g->P[i * m + i] * (x[i] * x[i] - near[i] * near[i]);
  return sum + matrices_form(m, g->P, near);
}

/* Contacts as they really are (doc/modal.md, 5): a linear complementarity problem for the displacement of one step.
 *
 * Per point z = (pressing, friction along the edges, lambda), w = (height after the step, slip along the edges +
 * lambda, what friction could still give). Forces that differ from the plan move the rigid modes, and those of low
 * frequency by the share `yield`; the joints hold the others where they were planned to be. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/matrices.h"
#include "base/vec3.h"
#include "modal/room.h"

#define ROWS (MODAL_EDGES + 2)
/* On the diagonal, for points that others make superfluous: at first next to nothing; where Lemke's algorithm drowns in
 * rounding, more. */
static const double softness[] = {1e-6, 1e-4, 1e-2};

/* Directions along the ground, normal to n. */
static void contact_edges(const double n[3], double D[MODAL_EDGES][3])
{
  double a[3] = {n[2], 0, -n[0]}, b[3]; /* the ground never rises to the side */
  vec3_cross(n, a, b);
  for (int k = 0; k < MODAL_EDGES; k++) {
    double t = 2 * PI * k / MODAL_EDGES;
    for (int i = 0; i < 3; i++)
      D[k][i] = cos(t) * a[i] + sin(t) * b[i];
  }
}

/* JS = J modes^T for the points in the problem. */
void modal_to_modes(struct modal *m, int point)
{
  for (int a = 0; a < 3; a++) {
    const double *J = m->J + (size_t)((3 * point + a) * m->n);
    double *out = m->JS + (size_t)((3 * point + a) * m->n);
    for (int mode = 0; mode < m->n; mode++) {
      const double *x = m->modes->shape + (size_t)(mode * m->n);
      double sum = 0;
      for (int i = 0; i < m->n; i++)
        sum += J[i] * x[i];
      out[mode] = sum;
    }
  }
}

static double contact_share(const struct modal *m, int mode)
{
  return mode < MODAL_RIGID ? 1 : m->is_low[mode] ? m->o.yield : 0;
}

/* J S S^T J^T between two points: 3 x 3. Displacements of the problem are in units of h^2, so that its numbers are of
 * the order of forces. */
static void mobility(const struct modal *m, int a, int b, double out[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double *x = m->JS + (size_t)((3 * a + i) * m->n), *y = m->JS + (size_t)((3 * b + j) * m->n);
      double sum = 0;
      for (int mode = 0; mode < m->n; mode++)
        sum += contact_share(m, mode) * x[mode] * y[mode];
      out[3 * i + j] = sum;
    }
}

/* Modal displacement of the step if contacts press as planned. */
void modal_planned_move(struct modal *m, const struct modal_state *s, const double *load)
{
  double h = m->o.step;
  for (int k = 0; k < m->n; k++)
    m->free_move[k] = m->bias[k] + m->low[k] + m->high[k] + m->stand[k] + (load ? load[k] : 0);
  for (int k = 0; k < 3 * m->n_points; k++)
    for (int i = 0; m->plan.planned[k] != 0 && i < m->n; i++)
      m->free_move[i] += m->J[(size_t)(k * m->n + i)] * m->plan.planned[k];
  modes_coordinates(m->modes, s->v, 0, m->n, m->rates);
  modes_drive(m->modes, m->free_move, 0, m->n, m->drive);
  for (int mode = 0; mode < m->n; mode++)
    m->coordinates[mode] = h * (m->rates[mode] + h * m->drive[mode]);
}

/* The planned displacement less what planned forces did where they are free to change. */
static void point_move(const struct modal *m, int p, int count, double out[3])
{
  double h = m->o.step;
  for (int i = 0; i < 3; i++) {
    const double *x = m->JS + (size_t)((3 * p + i) * m->n);
    out[i] = 0;
    for (int mode = 0; mode < m->n; mode++)
      out[i] += x[mode] * m->coordinates[mode] / (h * h);
  }
  for (int k = 0; k < count; k++) {
    double A[9], moved[3];
    int other = m->candidates[k];
    mobility(m, p, other, A);
    mat3_mul_vec(A, m->plan.planned + 3 * other, moved);
    vec3_add_scaled(out, moved, -1);
  }
}

static void fill_block(struct modal *m, int count, int i, int j, const double A[9], const double *n,
                       double D[MODAL_EDGES][3])
{
  int width = ROWS * count;
  const double *u[MODAL_EDGES + 1] = {n};
  for (int k = 0; k < MODAL_EDGES; k++)
    u[k + 1] = D[k];
  for (int b = 0; b <= MODAL_EDGES; b++) {
    double moved[3];
    mat3_mul_vec(A, u[b], moved);
    for (int a = 0; a <= MODAL_EDGES; a++)
      m->C[(ROWS * i + a) * width + ROWS * j + b] = vec3_dot(u[a], moved);
  }
  if (i != j)
    return;
  for (int k = 1; k <= MODAL_EDGES; k++) {
    m->C[(ROWS * i + k) * width + ROWS * i + ROWS - 1] = 1;
    m->C[(ROWS * i + ROWS - 1) * width + ROWS * i + k] = -1;

  }
  m->C[(ROWS * i + ROWS - 1) * width + ROWS * i] = m->mu;
}

/* Height that a point must not fall below: of one in the ground, that from which it is lifted in a few steps. */
static double room_below(double gap)
{
  return gap >= 0 ? gap : 0.2 * gap;
}

static void fill_problem(struct modal *m, struct editable_reference *g, int count)
{
  int width = ROWS * count;
  memset(m->C, 0, (size_t)(width * width) * sizeof *m->C);
  memset(m->h, 0, (size_t)width * sizeof *m->h);
  for (int i = 0; i < count; i++) {
    double n[3], D[MODAL_EDGES][3], move[3], gap = modal_gap(g, m->at + 3 * m->candidates[i], n);
    contact_edges(n, D);
    for (int j = 0; j < count; j++) {
      double A[9];
      mobility(m, m->candidates[i], m->candidates[j], A);
      fill_block(m, count, i, j, A, n, D);
    }
    point_move(m, m->candidates[i], count, move);
    m->h[ROWS * i] = room_below(gap) / (m->o.step * m->o.step) + vec3_dot(n, move);
    for (int k = 0; k < MODAL_EDGES; k++)
      m->h[ROWS * i + 1 + k] = vec3_dot(D[k], move);
  }
}

/* Forces of the solution; of none those of the plan where it presses. */
static void take_forces(struct modal *m, struct editable_reference *g, int count, int solved)
{
  memset(m->plan.used, 0, 3 * (size_t)m->n_points * sizeof *m->plan.used);
  for (int i = 0; i < count; i++) {
    int p = m->candidates[i];
    double n[3], D[MODAL_EDGES][3], *f = m->plan.used + 3 * p;
    modal_gap(g, m->at + 3 * p, n);
    contact_edges(n, D);
    if (!solved) {
      memcpy(f, m->plan.planned + 3 * p, 3 * sizeof *f);
      continue;
    }
    vec3_add_scaled(f, n, m->z[ROWS * i]);
    for (int k = 0; k < MODAL_EDGES; k++)
      vec3_add_scaled(f, D[k], m->z[ROWS * i + 1 + k]);
  }
}

/* Adds what the difference of used and planned forces does, and the torques with which joints hold against it. */
static void contact_correct(struct modal *m, int count)
{
  double h = m->o.step;
  for (int i = 0; i < count; i++) {
    int p = m->candidates[i];
    for (int a = 0; a < 3; a++) {
      double off = m->plan.used[3 * p + a] - m->plan.planned[3 * p + a];
      const double *x = m->JS + (size_t)((3 * p + a) * m->n);
      for (int mode = 0; mode < m->n; mode++) {
        double held = (1 - contact_share(m, mode)) * x[mode] * off;
        m->coordinates[mode] += h * h * contact_share(m, mode) * x[mode] * off;
        for (int k = CREATURE_ROOT_DOFS; held != 0 && k < m->n; k++)
          m->plan.torque[k] -= held * m->modes->weighed[mode * m->n + k];
      }
    }
  }
}

/* Points that were planned to press but are in the air, if there are any, do not. */
static int contact_gather(struct modal *m, struct editable_reference *g)
{
  int count = 0;
  for (int p = 0; p < m->n_points; p++) {
    double n[3];
    if (modal_gap(g, m->at + 3 * p, n) < m->o.ground.near) {
      m->candidates[count++] = p;
      modal_to_modes(m, p);
    }
  }
  return count;
}

/* ---- feet that stay ---- */

#define DEEPER 1e-9             /* so far below its room another point may come [L]                               */

/* What a point lacks for standing still, in units of h^2, with forces f on the points; up: along n alone. */
static void contact_lack(const struct modal *m, struct editable_reference *g, int count, int i, const double *f,
                         double out[3])
{
  double n[3], gap = modal_gap(g, m->at + 3 * m->candidates[i], n);
  point_move(m, m->candidates[i], count, out);
  for (int j = 0; j < count; j++) {
    double A[9], moved[3];
    mobility(m, m->candidates[i], m->candidates[j], A);
    mat3_mul_vec(A, f + 3 * j, moved);
    vec3_add_scaled(out, moved, 1);
  }
  vec3_add_scaled(out, n, room_below(gap) / (m->o.step * m->o.step));
  for (int a = 0; a < 3; a++)
    out[a] = -out[a];
}

/* Changes forces of the points in `stays` so that these stand still; 0 if that has no answer. */
static int contact_hold(struct modal *m, struct editable_reference *g, int count, const unsigned char *stays, double *f)
{
  int n = 0, of[3 * MODAL_HELD];
  double *C = m->C, *h = m->h;
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3 && stays[i]; a++)
      of[n++] = 3 * i + a;
  for (int r = 0; r < n; r++) {
    double out[3], A[9];
    if (of[r] % 3 == 0) {
      contact_lack(m, g, count, of[r] / 3, f, out);
      memcpy(h + r, out, sizeof out);
    }
    for (int k = 0; k <= r; k++) {
      mobility(m, m->candidates[of[r] / 3], m->candidates[of[k] / 3], A);
      C[r * n + k] = A[3 * (of[r] % 3) + of[k] % 3] + (r == k ? softness[0] : 0);
    }
  }
  if (!matrices_solve_positive(n, C, h))
    return 0;
  for (int r = 0; r < n; r++)
    f[of[r]] += h[r];
  return 1;
}

/* Contact problems with friction may have several answers; one in which a foot that stands and is pressed as planned
 * goes on standing is the one that time leads to. Forces that differ as little as may be from the plan and let all
 * these feet stand: an answer if they press, keep to the cone, and no other point goes into the ground. */
static int contact_stay(struct modal *m, struct editable_reference *g, int count)
{
  unsigned char stays[MODAL_HELD] = {0};
  double f[3 * MODAL_HELD], n[3], out[3], t[3];
  int any = 0;
  if (count > MODAL_HELD)
    return 0;
  for (int i = 0; i < count; i++) {
    const double *planned = m->plan.planned + 3 * m->candidates[i];
    stays[i] = vec3_norm(planned) > m->o.ground.pressed;
    any |= stays[i];
    for (int a = 0; a < 3; a++)
      f[3 * i + a] = stays[i] ? planned[a] : 0;
  }
  if (!any || !contact_hold(m, g, count, stays, f))
    return 0;
  for (int i = 0; i < count; i++) {
    modal_gap(g, m->at + 3 * m->candidates[i], n);
    double press = vec3_dot(f + 3 * i, n);
    contact_lack(m, g, count, i, f, out);
    memcpy(t, f + 3 * i, sizeof t);
    vec3_add_scaled(t, n, -press);
    if (!(press >= 0) || !(vec3_norm(t) <= m->mu * press) ||
        !(vec3_dot(out, n) * m->o.step * m->o.step <= (stays[i] ? 1 : DEEPER)))
      return 0;
  }
  memset(m->plan.used, 0, 3 * (size_t)m->n_points * sizeof *m->plan.used);
  for (int i = 0; i < count; i++)
    memcpy(m->plan.used + 3 * m->candidates[i], f + 3 * i, 3 * sizeof *f);
  m->plan.pivots = 0;
  return 1;
}

static int contact_solve(struct modal *m, int count)
{
  int width = ROWS * count;
  double before = 0;
  for (size_t k = 0; k < sizeof softness / sizeof *softness; k++) {
    for (int i = 0; i < count; i++)
      for (int a = 0; a <= MODAL_EDGES; a++)
        if (a == 0 || k > 0)
          m->C[(ROWS * i + a) * width + ROWS * i + a] += softness[k] - (a == 0 || k > 1 ? before : 0);
    if (lemke_solve(m->lemke, width, m->C, m->h, m->z, &m->plan.pivots) == LEMKE_SOLVED)
      return 1;
    before = softness[k];
  }
  return 0;
}

int modal_step(struct modal *m, struct editable_reference *g, const double *load, struct modal_state *s)
{
  double h = m->o.step;
  int count = contact_gather(m, g);
  modal_planned_move(m, s, load);
  m->plan.lemke_failed = 0;
  if (m->o.frozen || !contact_stay(m, g, count)) {
    fill_problem(m, g, count);
    m->plan.lemke_failed = !contact_solve(m, count);
    take_forces(m, g, count, !m->plan.lemke_failed);
  }
  contact_correct(m, count);
  for (int k = 0; k < m->n; k++) {
    double move = 0;
    for (int mode = 0; mode < m->n; mode++)
      move += m->coordinates[mode] * m->modes->shape[mode * m->n + k];
    m->last[k] = (move / h - s->v[k]) / h;
    s->v[k] = move / h;
    s->q[k] += move;
    if (!isfinite(s->q[k]))
      return 0;
  }
  return 1;
}

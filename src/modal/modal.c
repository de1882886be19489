/* The controller: linearisation, long plans for rigid modes and modes of low frequency, short ones for the others. */
#include "modal/modal.h"

#include <math.h>
#include <string.h>

#include "dynamics/tissue.h"
#include "modal/room.h"

void modal_defaults(struct modal_options *o)
{
  *o = (struct modal_options){.step = 0.02, .window = 12, .threshold = 9.2, .friction = -1, .place = 2, .turn = 4,
                              .speed = 1, .spin = 1, .force = 1e-4, .hold = 3, .low_place = 0.5, .low_speed = 2,
                              .low_effort = 5e-3, .high = 80, .yield = 1, .footholds = 1, .swing = 16, .follow = 0.25,
                              .comeback = 30, .hold_on = 1, .hurry = 0.5, .muscle = 16, .stand = 1, .stiffness = 0.113};
  o->footsteps = (struct modal_footstep_options){.farthest = 0.35, .look = 150, .least_height = 0.3, .stretched = 1.06,
                                                 .lag = 0.08, .lag_steps = 4, .far = 0.2, .far_range = 0.1,
                                                 .too_late = 8, .haste = 0.05};
  o->ground = (struct modal_ground_options){.touch = 0.004, .near = 0.03, .settle = 0.3, .pressed = 1e-3,
                                            .loaded = 1e-3, .damping = 3e-2, .lift = 0.2};
}

static void take_scratch(struct arena *arena, struct modal *m)
{
  size_t n = (size_t)m->n, p = (size_t)m->n_points, rows = (MODAL_EDGES + 2) * p;
  double **vectors[] = {&m->bias, &m->low, &m->high, &m->stand, &m->act, &m->last, &m->difference, &m->coordinates,
                        &m->rates,
                        &m->drive, &m->free_move, &m->plan.torque};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = ARENA_NEW(arena, n, double);
  m->is_low = ARENA_NEW(arena, n, unsigned char);
  m->local = ARENA_NEW(arena, 3 * p + 1, double);
  m->at = ARENA_NEW(arena, 3 * p + 1, double);
  m->J = ARENA_NEW(arena, 3 * p * n + 1, double);
  m->JS = ARENA_NEW(arena, 3 * p * n + 1, double);
  m->plan.planned = ARENA_NEW(arena, 3 * p + 1, double);
  m->plan.used = ARENA_NEW(arena, 3 * p + 1, double);
  m->C = ARENA_NEW(arena, rows * rows + 1, double);
  m->h = ARENA_NEW(arena, rows + 1, double);
  m->z = ARENA_NEW(arena, rows + 1, double);
  m->kept = ARENA_NEW(arena, n, double);
  m->kept_forces = ARENA_NEW(arena, 3 * p + 1, double);
  m->rows = ARENA_NEW(arena, 3 * p * n + 1, double);
  m->late = ARENA_NEW(arena, p + 1, int);
  m->candidates = ARENA_NEW(arena, p + 1, int);
}

struct modal *modal_new(struct arena *arena, const struct creature *c, const struct modal_options *o)
{
  struct modal *m = ARENA_NEW(arena, 1, struct modal);
  size_t room = (size_t)o->window * (size_t)c->n_points;
  *m = (struct modal){.c = c, .o = *o, .mass = 1, .n = c->n_dofs, .n_points = c->n_points};
  m->own = m->d = dynamics_new_dimensionless(arena, c);
  m->modes = modes_new(arena, c, o->stiffness);
  m->forces = forces_new(arena, (int)room);
  m->lemke = lemke_new(arena, (MODAL_EDGES + 2) * c->n_points);
  m->plan.contacts = arena_alloc(arena, room + 1, sizeof *m->plan.contacts);
  m->mu = o->friction >= 0 ? o->friction : c->friction;
  take_scratch(arena, m);
  for (int i = 0; i < 3 * m->n_points; i++)
    m->local[i] = c->points[i / 3].at[i % 3] / c->height;
  return m;
}

const struct modal_plan *modal_last(const struct modal *m)
{
  return &m->plan;
}

const struct modes *modal_modes(const struct modal *m)
{
  return m->modes;
}

void modal_load(struct modal *m, struct dynamics *d, double mass)
{
  m->d = d ? d : m->own;
  m->mass = d ? mass : 1;
}

double modal_gap(const struct editable_reference *g, const double *at, double normal[3])
{
  double rise = editable_rise(g, 1), length = sqrt(1 + rise * rise);
  normal[0] = -rise / length;
  normal[1] = 0;
  normal[2] = 1 / length;
  return (at[2] - editable_ground(g, at[0])) / length;
}

/* ---- linearisation ---- */

static void choose_low(struct modal *m)
{
  memset(m->is_low, 0, (size_t)m->n);
  m->plan.n_low = 0;
  if (m->o.chosen) {
    for (int k = 0; k < m->o.n_chosen; k++)
      if (m->o.chosen[k] >= MODAL_RIGID && m->o.chosen[k] < m->n)
        m->is_low[m->o.chosen[k]] = 1;
  } else {
    memset(m->is_low + MODAL_RIGID, 1, (size_t)modes_below(m->modes, m->o.threshold));
  }
  for (int k = 0; k < m->n; k++)
    m->plan.n_low += m->is_low[k];
}

/* Modes, contact points and constant forces at a state. */
static int linearise(struct modal *m, const struct modal_state *s)
{
  int n = m->n;
  for (int i = 0; i < n; i++)
    if (!isfinite(s->q[i]) || !isfinite(s->v[i]))
      return 0;
  if (!modes_at(m->modes, m->d, s->q))
    return 0;
  choose_low(m);
  for (int i = 0; i < n; i++) { /* velocity in the middle of the step, as far as it is known */
    m->rates[i] = m->o.still ? 0 : s->v[i] + 0.5 * m->o.step * m->last[i];
    m->difference[i] = 0;
  }
  dynamics_inverse(m->d, s->q, m->rates, m->difference, m->bias);
  for (int i = 0; i < n; i++)
    m->bias[i] = -m->bias[i] - m->modes->stiffness[i] * (s->q[i] - m->modes->rest[i]);
  dynamics_kinematics(m->own, s->q);
  for (int p = 0; p < m->n_points; p++) {
    dynamics_point(m->own, m->c->points[p].body, m->local + 3 * p, m->at + 3 * p);
    dynamics_point_jacobian(m->own, m->c->points[p].body, m->local + 3 * p, m->J + (size_t)(3 * p * n));
  }
  return 1;
}

/* ---- modes that vibrate ---- */

/* What an impulse moves a mode, j steps later, and at what speed: the mode's difference equation p[k+1] - 2 p[k] +
 * p[k-1] = -w^2 h^2 p[k] + h impulse[k] solved in closed form, sin(j a) / sin(a), cos(a) = 1 - w^2 h^2 / 2. */
struct response { double place[MODAL_WINDOW_MOST + 1], speed[MODAL_WINDOW_MOST + 1]; };

static void respond(double square, double h, int n, struct response *r)
{
  double c = 2 - square * h * h;
  r->place[0] = r->speed[0] = 0;
  for (int j = 1; j <= n; j++) { /* the recurrence of sin(j a) / sin(a), which needs no case for a = 0 */
    r->place[j] = j == 1 ? h : c * r->place[j - 1] - (j > 2 ? r->place[j - 2] : 0);
    r->speed[j] = (r->place[j] - r->place[j - 1]) / h;
  }
}

/* Least actuation that brings a mode nearest to place and speed e at the end of the window; that of the first step. */
static double first_impulse(const struct modal *m, const struct response *r, const double e[2])
{
  double a = m->o.low_effort / m->o.low_place, b = 0, d = m->o.low_effort / m->o.low_speed;
  int n = m->o.window;
  for (int j = 1; j <= n; j++) {
    a += r->place[j] * r->place[j];
    b += r->place[j] * r->speed[j];
    d += r->speed[j] * r->speed[j];
  }
  double det = a * d - b * b;
  return (r->place[n] * (d * e[0] - b * e[1]) + r->speed[n] * (a * e[1] - b * e[0])) / det;
}

/* What planned forces of the ground do to a mode until the end of the window. */
static void add_ground(const struct modal *m, int mode, const struct response *r, double c[2])
{
  int n = m->o.window, last = -1;
  double push[3] = {0};
  for (int k = 0; k < m->plan.n_contacts; k++) {
    int p = m->plan.contacts[k].point, left = n - m->plan.contacts[k].step;
    if (p != last) { /* contacts come point by point */
      const double *x = m->modes->shape + (size_t)(mode * m->n);
      for (int a = 0; a < 3; a++) {
        const double *J = m->J + (size_t)((3 * p + a) * m->n);
        push[a] = 0;
        for (int i = 0; i < m->n; i++)
          push[a] += x[i] * J[i];
      }
      last = p;
    }
    const double *f = m->plan.contacts[k].force;
    double impulse = m->o.step * (push[0] * f[0] + push[1] * f[1] + push[2] * f[2]);
    c[0] += r->place[left] * impulse;
    c[1] += r->speed[left] * impulse;
  }
}

/* Torques for the modes of low frequency, over the window. */
static void plan_low(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  int n = m->o.window;
  const struct editable_frame *end = editable_frame(g, i + n);
  double h = m->o.step;
  for (int k = 0; k < m->n; k++)
    m->difference[k] = end->q[k] - s->q[k];
  memset(m->low, 0, (size_t)m->n * sizeof *m->low);
  modes_coordinates(m->modes, m->difference, MODAL_RIGID, m->n, m->coordinates);
  modes_coordinates(m->modes, end->v, MODAL_RIGID, m->n, m->rates);
  modes_coordinates(m->modes, s->v, MODAL_RIGID, m->n, m->free_move);
  modes_drive(m->modes, m->bias, MODAL_RIGID, m->n, m->drive);
  for (int mode = MODAL_RIGID; mode < m->n; mode++) {
    struct response r;
    if (!m->is_low[mode])
      continue;
    respond(m->modes->square[mode], h, n, &r);
    double c[2] = {r.place[n] * m->free_move[mode], r.speed[n] * m->free_move[mode]};
    for (int j = 1; j <= n; j++) {
      c[0] += r.place[j] * h * m->drive[mode];
      c[1] += r.speed[j] * h * m->drive[mode];
    }
    add_ground(m, mode, &r, c);
    double e[2] = {m->coordinates[mode] - c[0], m->rates[mode] - c[1]};
    m->act[mode] = first_impulse(m, &r, e) / h;
    for (int k = MODAL_RIGID; k < m->n; k++)
      m->low[k] += m->act[mode] * m->modes->weighed[mode * m->n + k];
  }
}

/* What drives each mode that vibrates if contacts press as planned and no joint acts but by `torque` (n; NULL: none at
 * all), into m->drive. */
static void drive_passive(struct modal *m, const double *torque)
{
  for (int k = 0; k < m->n; k++)
    m->free_move[k] = m->bias[k] + (torque ? torque[k] : 0);
  for (int p = 0; p < m->n_points; p++)
    for (int a = 0; a < 3; a++)
      for (int k = 0; k < m->n; k++)
        m->free_move[k] += m->J[(size_t)((3 * p + a) * m->n + k)] * m->plan.planned[3 * p + a];
  modes_drive(m->modes, m->free_move, MODAL_RIGID, m->n, m->drive);
}

/* Torques that bring the other modes to where the reference is one step on; what they are off now dies away like that
 * of a spring with critical damping. To be there at once, as in the paper, throws a foot off the ground when a push
 * that was not noticed has left a joint a hundredth of a radian off. */
static void plan_high(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  const struct editable_frame *now = editable_frame(g, i), *next = editable_frame(g, i + 1);
  double h = m->o.step, w = m->o.high, soft = 1 + 2 * w * h + w * w * h * h;
  for (int k = 0; k < m->n; k++) {
    double a = (next->v[k] - now->v[k]) / h, off = next->q[k] - s->q[k] - h * (s->v[k] + h * a);
    double slow = now->v[k] - s->v[k];
    m->difference[k] = w > 0 ? h * (s->v[k] + h * (a + (w * w * off + 2 * w * slow) / soft)) : next->q[k] - s->q[k];
  }
  drive_passive(m, NULL);
  memset(m->high, 0, (size_t)m->n * sizeof *m->high);
  modes_coordinates(m->modes, m->difference, MODAL_RIGID, m->n, m->coordinates);
  modes_coordinates(m->modes, s->v, MODAL_RIGID, m->n, m->rates);
  for (int mode = MODAL_RIGID; mode < m->n; mode++) {
    if (m->is_low[mode])
      continue;
    m->act[mode] = (m->coordinates[mode] / h - m->rates[mode]) / h - m->drive[mode];
    for (int k = MODAL_RIGID; k < m->n; k++)
      m->high[k] += m->act[mode] * m->modes->weighed[mode * m->n + k];
  }
}

/* Who is not aware of a push does what the twin does, and muscles act against being stretched before any nerve knows of
 * it: every mode has the twin's acceleration (m->kept, of the step that it has just made) and a spring and a damper to
 * the twin. All modes alike, whatever their frequency: a mode that crosses the threshold meanwhile must feel nothing of
 * it. Feet stand by what they needed without the push, the torques of the twin (m->stand). */
static void hold_to_twin(struct modal *m, const struct modal_state *s, const struct modal_state *twin)
{
  double w = m->o.muscle, h = m->o.step, soft = 1 + 2 * w * h + w * w * h * h;
  for (int k = 0; k < m->n; k++) { /* errors as they would be after the step if accelerations were the same */
    double a = m->kept[k], slow = twin->v[k] - h * a - s->v[k], off = twin->q[k] - s->q[k] - h * (s->v[k] + h * a);
    m->difference[k] = a + (w * w * off + 2 * w * slow) / soft;
  }
  modes_coordinates(m->modes, m->difference, MODAL_RIGID, m->n, m->coordinates);
  drive_passive(m, m->stand);
  memset(m->low, 0, (size_t)m->n * sizeof *m->low);
  memset(m->high, 0, (size_t)m->n * sizeof *m->high);
  for (int mode = MODAL_RIGID; mode < m->n; mode++) {
    m->act[mode] = m->coordinates[mode] - m->drive[mode];
    double *torque = m->is_low[mode] ? m->low : m->high;
    for (int k = MODAL_RIGID; k < m->n; k++)
      torque[k] += m->act[mode] * m->modes->weighed[mode * m->n + k];
  }
}

/* Of planned joint torques, tissue gives a part by itself. Muscles give what is left where the step is planned to end:
 * their torque is held for a step, and with what tissue gives at its start stiff tendons would keep joints there. */
static void subtract_tissue(struct modal *m, const struct modal_state *s)
{
  struct modal_units u = modal_units(m->c);
  double *q = m->difference, *v = m->rates, *torque = m->drive;
  modal_planned_move(m, s, NULL);
  for (int k = 0; k < m->n; k++) {
    double move = 0;
    for (int mode = 0; mode < m->n; mode++)
      move += m->coordinates[mode] * m->modes->shape[mode * m->n + k];
    q[k] = s->q[k] + move;
    v[k] = move / m->o.step / u.time;
    torque[k] = 0;
  }
  tissue_subtract(m->c, q, v, torque); /* reads joints alone: angles have no unit */
  for (int k = CREATURE_ROOT_DOFS; k < m->n; k++)
    m->plan.torque[k] += torque[k] / u.torque;
}

static void sum_torques(struct modal *m, const struct modal_state *s)
{
  for (int k = 0; k < m->n; k++)
    m->plan.torque[k] = k < CREATURE_ROOT_DOFS ? 0
                                               : m->low[k] + m->high[k] + m->stand[k] -
                                                     m->modes->stiffness[k] * (s->q[k] - m->modes->rest[k]);
  if (m->c->n_tissues > 0)
    subtract_tissue(m, s);
}

int modal_plan(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  if (m->o.footholds > 0)
    editable_proceed(g, i);
  if (!linearise(m, s))
    return 0;
  if (m->o.footholds > 0)
    modal_place_footsteps(m, g, i, s);
  m->blind = 0;
  modal_plan_rigid(m, g, i, s);
  plan_low(m, g, i, s);
  plan_high(m, g, i, s);
  memset(m->stand, 0, (size_t)m->n * sizeof *m->stand);
  if (m->o.stand)
    modal_stand(m, g, i, s);
  sum_torques(m, s);
  return 1;
}

int modal_plan_unaware(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s,
                       struct modal_state *twin)
{
  size_t n = (size_t)m->n, p = 3 * (size_t)m->n_points;
  memcpy(m->kept, m->last, n * sizeof *m->kept);
  m->blind = 0;
  if (!modal_plan(m, g, i, twin))
    return 0;
  memcpy(m->kept_forces, m->plan.planned, p * sizeof *m->kept_forces);
  if (!modal_step(m, g, NULL, twin))
    return 0;
  memcpy(m->plan.planned, m->kept_forces, p * sizeof *m->kept_forces);
  for (size_t k = 0; k < n; k++) { /* each has its own last acceleration */
    double own = m->kept[k];
    m->kept[k] = m->last[k];
    m->last[k] = own;
  }
  if (!linearise(m, s))
    return 0;
  hold_to_twin(m, s, twin);
  sum_torques(m, s);
  m->blind = 1;
  return 1;
}

void modal_observe(struct modal *m, const double *before, const double *after)
{
  for (int k = 0; k < m->n; k++)
    m->last[k] = (after[k] - before[k]) / m->o.step;
}

void modal_push(struct modal *m, const double *q, int limb, const double force[3], double *load)
{
  const struct limb *l = &m->c->limbs[limb];
  double at[3], *J = m->JS;
  for (int i = 0; i < 3; i++)
    at[i] = (l->origin[i] + l->com[i]) / m->c->height;
  dynamics_kinematics(m->own, q);
  dynamics_point_jacobian(m->own, l->body, at, J);
  for (int k = 0; k < m->n; k++)
    load[k] += J[k] * force[0] + J[m->n + k] * force[1] + J[2 * m->n + k] * force[2];
}

void modal_put(struct bytes_writer *w, const struct modal *m)
{
  bytes_put_reals(w, m->last, (size_t)m->n);
  bytes_put_int(w, m->blind);
}

void modal_get(struct bytes_reader *r, struct modal *m)
{
  for (int i = 0; i < m->n; i++)
    m->last[i] = bytes_get_real(r);
  m->blind = bytes_get_within(r, 0, 1);
}

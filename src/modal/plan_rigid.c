/* Forces of the ground for the rigid modes (doc/modal.md, 3).
 *
 * Rigid modes are the body as a whole: its centre of mass and its mean rotation, with velocities that only forces of
 * the ground change. Their state at the end of the window is linear in these forces: with n steps of h ahead, a force f
 * at step k adds h f to the momentum and h^2 (n - k) f to the way of mass times place, and its moment likewise to the
 * angular momentum. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "modal/room.h"

struct body_ahead {                /* the body as a whole, now and over the window */
  double com[3], speed[3], angular[3];
  double inverse[9];            /* of the inertia about the centre of mass, or of its root (whiten()) */
  double drift[3], slide[3];    /* errors of place and velocity against the reference */
};

/* Axes of yaw, pitch and roll in the world, as columns. */
static void euler_axes(const double *q, double E[9])
{
  double cy = cos(q[3]), sy = sin(q[3]), cp = cos(q[4]), sp = sin(q[4]);
  const double axes[9] = {0, -sy, cy * cp, 0, cy, sy * cp, 1, 0, -sp};
  memcpy(E, axes, sizeof axes);
}

/* Angular momentum as a vector whose square is the energy of the rotation, in units in which the largest inertia is 1:
 * out = sqrt(largest) C^-1 / largest with I = C C^T. */
static void whiten(const double I[9], double out[9])
{
  double c00 = sqrt(I[0]), c10 = I[3] / c00, c20 = I[6] / c00, c11 = sqrt(I[4] - c10 * c10),
         c21 = (I[7] - c20 * c10) / c11;
  double c22 = sqrt(I[8] - c20 * c20 - c21 * c21), s = 1 / sqrt(fmax(I[0], fmax(I[4], I[8])));
  const double inverse[9] = {s / c00, 0, 0, -s * c10 / (c00 * c11), s / c11, 0,
                             s * (c10 * c21 - c20 * c11) / (c00 * c11 * c22), -s * c21 / (c11 * c22), s / c22};
  memcpy(out, inverse, sizeof inverse);
}

/* The inertia about the centre of mass from the root's block of the mass matrix: M = E^T (I + m (r^2 - r r^T)) E. */
static void inverse_inertia(const struct modal *m, const double *q, const double *com, double out[9])
{
  double E[9], F[9], A[9], B[9], I[9], r[3];
  int n = m->n;
  euler_axes(q, E);
  mat3_invert(E, F);
  for (int i = 0; i < 3; i++) {
    r[i] = com[i] - q[i];
    for (int j = 0; j < 3; j++)
      A[3 * i + j] = m->modes->M[(3 + i) * n + 3 + j];
  }
  mat3_mul(A, F, B);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      I[3 * i + j] = F[i] * B[j] + F[3 + i] * B[3 + j] + F[6 + i] * B[6 + j];
      I[3 * i + j] -= m->mass * ((i == j) * vec3_dot(r, r) - r[i] * r[j]);
    }
  if (m->o.frozen)
    mat3_invert(I, out);
  else
    whiten(I, out);
}

static struct body_ahead look(struct modal *m, const struct modal_state *s, const struct editable_frame *now)
{
  struct body_ahead o;
  struct dynamics_whole whole;
  dynamics_whole(m->d, s->q, s->v, m->bias, &whole); /* accelerations do not matter */
  memcpy(o.com, whole.com, sizeof o.com);
  memcpy(o.speed, whole.com_velocity, sizeof o.speed);
  memcpy(o.angular, whole.angular, sizeof o.angular);
  inverse_inertia(m, s->q, o.com, o.inverse);
  for (int i = 0; i < 3; i++) {
    o.drift[i] = o.com[i] - now->com[i];
    o.slide[i] = o.speed[i] - now->speed[i];
  }
  return o;
}

/* Where the centre of mass will be k steps ahead: as the reference has it, off by what it is off now; an error of
 * velocity is taken to fade over the window. */
static void com_ahead(const struct modal *m, const struct body_ahead *o, const struct editable_frame *f, int k,
                      double *com)
{
  double t = m->o.step * k, whole = m->o.step * m->o.window, faded = t * (1 - 0.5 * t / whole);
  for (int i = 0; i < 3; i++)
    com[i] = m->o.frozen ? o->com[i] : f->com[i] + o->drift[i] + faded * o->slide[i];
}

/* ---- contacts of the window ---- */

/* A force of the plan: on one point, the same for a few steps, but for what the clip's own forces differ by. */
static struct forces_contact *new_force(struct modal *m, const double normal[3])
{
  if (m->forces->n == m->forces->room)
    return NULL;
  struct forces_contact *c = &m->forces->contacts[m->forces->n++];
  *c = (struct forces_contact){.mu = m->mu};
  memcpy(c->normal, normal, sizeof c->normal);
  return c;
}

/* Adds step k ahead to a force on a point at x, the centre of mass being at com. */
static void add_step(struct modal *m, const struct body_ahead *o, struct forces_contact *c, int k, const double *arm)
{
  double h = m->o.step, left = h * (m->o.window - k);
  double weight[4] = {sqrt(m->o.place), sqrt(m->o.turn), sqrt(m->o.speed), sqrt(m->o.spin)};
  for (int a = 0; a < 3; a++) {
    double unit[3] = {a == 0, a == 1, a == 2}, moment[3], turn[3];
    vec3_cross(arm, unit, moment);
    mat3_mul_vec(o->inverse, moment, turn);
    for (int i = 0; i < 3; i++) {
      c->B[a][i] += weight[0] * h * left * unit[i] / m->mass;
      c->B[a][3 + i] += weight[1] * h * left * turn[i];
      c->B[a][6 + i] += weight[2] * h * unit[i] / m->mass;
      c->B[a][9 + i] += weight[3] * h * turn[i];
    }
  }
}

/* Notes step k of a point in the plan; force holds what is usual there until the plan is solved. */
static void note(struct modal *m, int k, int point, const double *usual)
{
  int at = m->plan.n_contacts++;
  m->plan.contacts[at].step = k;
  m->plan.contacts[at].point = point;
  m->plan.contacts[at].part = m->forces->n - 1;
  for (int a = 0; a < 3; a++)
    m->plan.contacts[at].force[a] = usual[a];
}

/* A point that is lifted soon has little time left to change anything, and would be asked for the more force the less
 * time it has. Forces of such a point stay near what is usual. */
static double reluctance(struct editable_reference *g, int i, int p, int window)
{
  int left = 1;
  while (left < window && editable_frame(g, i + left)->contact[p])
    left++;
  return (double)window * window / ((double)left * left);
}

/* Steps until a point is down that should stand by now: 0 of those that do, -1 of those that should not, and of a ball
 * that comes down after its heel: the foot turns by itself, if its heel is not pressed instead. */
static int late_by(const struct modal *m, struct editable_reference *g, int i, int p)
{
  const unsigned char *due = editable_frame(g, i)->contact;
  const int *leg = editable_footholds(g)->leg_of_point;
  double n[3], gap = modal_gap(g, m->at + 3 * p, n) - m->o.ground.touch;
  if (!due[p])
    return -1;
  if (gap < 0)
    return 0;
  for (int k = 0; k < m->n_points; k++)
    if (leg[k] == leg[p] && due[k] && modal_gap(g, m->at + 3 * k, n) < m->o.ground.touch)
      return -1;
  return 1 + (int)(gap / (m->o.ground.settle * m->o.step));
}

/* What late feet should carry k steps ahead is carried by those that stand now: so much more by each of them. Otherwise
 * the plan would wait for the next foot, in free fall. */
static double extra_load(const struct modal *m, struct editable_reference *g, int i, int k)
{
  const struct editable_frame *f = editable_frame(g, i + k);
  double lacks = 0;
  int n = 0;
  for (int p = 0; p < m->n_points; p++) {
    lacks += f->contact[p] && k < m->late[p] ? f->force[3 * p + 2] : 0;
    n += f->contact[p] && m->late[p] == 0;
  }
  return n ? lacks / n : 0;
}

/* One point: where it stands now as long as it goes on standing, else where the reference has it. A point
 * that stands now but is being lifted is left out. */
static void gather_point(struct modal *m, struct editable_reference *g, int i, const struct body_ahead *o, int p)
{
  double normal[3];
  int stays = modal_gap(g, m->at + 3 * p, normal) < m->o.ground.touch && editable_frame(g, i)->contact[p], length = 0;
  struct forces_contact *c = NULL;
  double weight = m->o.force * (stays ? reluctance(g, i, p, m->o.window) : 1);
  int first = stays ? 0 : m->late[p] > 1 && !m->o.frozen ? m->late[p] : 1;
  for (int k = first; k < m->o.window; k++) {
    const struct editable_frame *f = editable_frame(g, i + k);
    double com[3], arm[3], usual[3];
    if (!f->contact[p]) {
      stays = 0;
      c = NULL;
      weight = m->o.force;
      continue;
    }
    if (!c || length == m->o.hold) {
      c = new_force(m, normal);
      length = 0;
    }
    if (!c)
      return;
    com_ahead(m, o, f, k, com);
    double more = stays && !m->o.frozen ? extra_load(m, g, i, k) : 0;
    for (int a = 0; a < 3; a++) {
      arm[a] = (stays || m->o.frozen ? m->at[3 * p + a] : f->point[3 * p + a]) - com[a];
      usual[a] = m->o.frozen ? 0 : f->force[3 * p + a] + more * normal[a];
      c->usual[a] = (length * c->usual[a] + usual[a]) / (length + 1);
    }
    add_step(m, o, c, k, arm);
    c->weight += weight;
    note(m, k, p, usual);
    length++;
  }
}

/* Forces of all steps from those that were solved for. Clips' forces vary within a part: what they do beside its mean
 * is left out of what is wanted, which is a matter of a few steps. */
static void spread_forces(struct modal *m)
{
  memset(m->plan.planned, 0, 3 * (size_t)m->n_points * sizeof *m->plan.planned);
  for (int k = 0; k < m->plan.n_contacts; k++) {
    const struct forces_contact *c = &m->forces->contacts[m->plan.contacts[k].part];
    double *f = m->plan.contacts[k].force, sum[3];
    for (int a = 0; a < 3; a++)
      sum[a] = f[a] + c->force[a] - c->usual[a];
    forces_project(sum, c->normal, c->mu, f, NULL);
    if (m->plan.contacts[k].step == 0)
      memcpy(m->plan.planned + 3 * m->plan.contacts[k].point, f, 3 * sizeof *f);
  }
}

/* ---- what is wanted ---- */

static void set_wanted(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s,
                       const struct body_ahead *o)
{
  int n = m->o.window;
  double h = m->o.step, way[3] = {0}, here[3], turn[3], spin[3], *r = m->forces->wanted;
  double weight[4] = {sqrt(m->o.place), sqrt(m->o.turn), sqrt(m->o.speed), sqrt(m->o.spin)};
  const struct editable_frame *now = editable_frame(g, i), *end = editable_frame(g, i + n);
  struct dynamics_whole whole;
  for (int k = 1; k <= n; k++)
    vec3_add_scaled(way, editable_frame(g, i + k)->angular, h);
  for (int k = 0; k < m->n; k++)
    m->difference[k] = now->q[k] - s->q[k];
  dynamics_whole(m->d, s->q, m->difference, m->bias, &whole); /* the way to the reference's pose as a velocity */
  for (int k = 0; k < 3; k++) {
    here[k] = whole.angular[k] + way[k] - n * h * o->angular[k];
    spin[k] = end->angular[k] - o->angular[k];
  }
  mat3_mul_vec(o->inverse, here, turn);
  mat3_mul_vec(o->inverse, spin, here);
  for (int k = 0; k < 3; k++) {
    double gravity = k == 2 ? -1 : 0;
    r[k] = weight[0] * (end->com[k] - o->com[k] - n * h * o->speed[k] - 0.5 * h * h * n * (n + 1) * gravity);
    r[3 + k] = weight[1] * turn[k];
    r[6 + k] = weight[2] * (end->speed[k] - o->speed[k] - n * h * gravity);
    r[9 + k] = weight[3] * here[k];
  }
}

void modal_plan_rigid(struct modal *m, struct editable_reference *g, int i, const struct modal_state *s)
{
  struct body_ahead o = look(m, s, editable_frame(g, i));
  m->forces->n = m->plan.n_contacts = 0;
  for (int p = 0; p < m->n_points; p++)
    m->late[p] = late_by(m, g, i, p);
  for (int p = 0; p < m->n_points; p++)
    gather_point(m, g, i, &o, p);
  set_wanted(m, g, i, s, &o);
  memset(m->forces->dual, 0, sizeof m->forces->dual);
  m->plan.newton = forces_solve(m->forces);
  spread_forces(m);
}

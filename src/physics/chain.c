/* Turns about one to three axes in a row: their rotation, and the angles of a rotation. See chain.h. */
#include "physics/chain.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"

#define LEAST_VOLUME 1e-9       /* of three axes; below, they are locked */
#define NEAR_LOCK    0.5        /* [rad] two ways to write a rotation that are closer than this are both looked at */
#define CLEAR        0.2        /* sine of the angle from lock beyond which one look is enough */

/* out = v turned about the unit vector u by the angle with this cosine and sine. */
static void turn_vector(const double *u, double c, double s, const double *v, double *out)
{
  double along = (1.0 - c) * vec3_dot(u, v), side[3];
  vec3_cross(u, v, side);
  for (int i = 0; i < 3; i++)
    out[i] = c * v[i] + s * side[i] + along * u[i];
}

/* out = R v and out = R^T v for a rotation in rows of four. */
static void turn(const double *R, const double *v, double *out)
{
  out[0] = R[0] * v[0] + R[1] * v[1] + R[2] * v[2];
  out[1] = R[4] * v[0] + R[5] * v[1] + R[6] * v[2];
  out[2] = R[8] * v[0] + R[9] * v[1] + R[10] * v[2];
}

static void turn_back(const double *R, const double *v, double *out)
{
  out[0] = R[0] * v[0] + R[4] * v[1] + R[8] * v[2];
  out[1] = R[1] * v[0] + R[5] * v[1] + R[9] * v[2];
  out[2] = R[2] * v[0] + R[6] * v[1] + R[10] * v[2];
}

/* Rotation about the unit vector u. */
static void turn_matrix(const double *u, double angle, double *R)
{
  double s = sin(angle), k = 1.0 - cos(angle);
  R[0] = 1.0 - k * (u[1] * u[1] + u[2] * u[2]);
  R[1] = k * u[0] * u[1] - s * u[2];
  R[2] = k * u[0] * u[2] + s * u[1];
  R[3] = k * u[0] * u[1] + s * u[2];
  R[4] = 1.0 - k * (u[0] * u[0] + u[2] * u[2]);
  R[5] = k * u[1] * u[2] - s * u[0];
  R[6] = k * u[0] * u[2] - s * u[1];
  R[7] = k * u[1] * u[2] + s * u[0];
  R[8] = 1.0 - k * (u[0] * u[0] + u[1] * u[1]);
}

/* A unit vector perpendicular to u. */
static void set_across(const double *u, double *across)
{
  double e[3] = {0, 0, 0};
  e[fabs(u[0]) < 0.6 ? 0 : fabs(u[1]) < 0.6 ? 1 : 2] = 1;
  vec3_cross(u, e, across);
  double length = vec3_norm(across);
  for (int i = 0; i < 3; i++)
    across[i] /= length;
}

struct chain chain_of(int n, double axis[3][3])
{
  struct chain k = {.n = n};
  memcpy(k.axis, axis, (size_t)n * sizeof k.axis[0]);
  set_across(axis[n - 1], k.across);
  memcpy(k.first[0], axis[0], sizeof axis[0]);
  memcpy(k.first[1], n == 1 ? k.across : axis[1], sizeof axis[0]);
  vec3_cross(k.first[0], k.first[1], k.first[2]);
  if (n < 2)
    return k;
  memcpy(k.last[0], axis[n - 1], sizeof axis[0]);
  memcpy(k.last[1], axis[n - 2], sizeof axis[0]);
  vec3_cross(k.last[0], k.last[1], k.last[2]);
  double d12 = vec3_dot(axis[0], axis[1]), d23 = n == 3 ? vec3_dot(axis[1], axis[2]) : 0;
  k.perpendicular = fabs(d12) < 1e-12 && fabs(d23) < 1e-12;
  if (n == 3) {
    double side[3], A, B;
    vec3_cross(axis[1], axis[2], side);
    k.level = d12 * d23;
    A = vec3_dot(axis[0], axis[2]) - k.level;
    B = vec3_dot(axis[0], side);
    k.shift = atan2(B, A);
    k.radius = hypot(A, B);
    k.shift_c = A / k.radius, k.shift_s = B / k.radius;
  }
  return k;
}

void chain_rotation(const struct chain *k, const double *q, double *R)
{
  double turn[9], product[9];
  turn_matrix(k->axis[0], q[0], R);
  for (int i = 1; i < k->n; i++) {
    turn_matrix(k->axis[i], q[i], turn);
    mat3_mul(R, turn, product);
    memcpy(R, product, sizeof product);
  }
}

void chain_axes(const struct chain *k, const double *q, double axes[3][3])
{
  memcpy(axes[0], k->axis[0], sizeof axes[0]);
  if (k->n < 2)
    return;
  double c = cos(q[0]), s = sin(q[0]), v[3];
  turn_vector(k->axis[0], c, s, k->axis[1], axes[1]);
  if (k->n < 3)
    return;
  turn_vector(k->axis[1], cos(q[1]), sin(q[1]), k->axis[2], v);
  turn_vector(k->axis[0], c, s, v, axes[2]);
}

void chain_follow(const struct chain *k, const double *P, const double *q, double *R, double axes[3][3])
{
  double step[9], before[12];
  memcpy(R, P, 12 * sizeof *R);
  for (int i = 0; i < k->n; i++) {
    turn(R, k->axis[i], axes[i]);
    turn_matrix(k->axis[i], q[i], step);
    memcpy(before, R, sizeof before);
    for (int r = 0; r < 12; r += 4)
      for (int c = 0; c < 3; c++)
        R[r + c] = before[r] * step[c] + before[r + 1] * step[3 + c] + before[r + 2] * step[6 + c];
  }
}

/* ---- angles ----
 * Cosines and sines come from the rotation itself, without a way round by the angles: R takes the last axis to where
 * the chain has it, so each turn is seen as the angle between two vectors. */

/* A turn about an axis: what is asked of it is seldom the angle alone. */
struct bend { double angle, c, s; };

static struct bend turn_by(double angle)
{
  return (struct bend){angle, cos(angle), sin(angle)};
}

/* The same angle, within half a turn of near. */
static double nearest(double angle, double near)
{
  double away = angle - near;
  return fabs(away) <= PI ? angle : angle - 2 * PI * rint(away / (2 * PI));
}

/* How far R turns about u, as well as a turn about u can say it. */
static double twist(const double *R, const double *u)
{
  double Ru[3];
  mat3_mul_vec(R, u, Ru);
  double sine = (R[7] - R[5]) * u[0] + (R[2] - R[6]) * u[1] + (R[3] - R[1]) * u[2];
  return atan2(sine, R[0] + R[4] + R[8] - vec3_dot(u, Ru));
}

/* The turn about u that brings a over b, or as near as it can. Returns the area of the shadows in which that is
 * seen. */
static double turn_between(const double *u, const double *a, const double *b, struct bend *t)
{
  double side[3], p[3], r[3], pu = vec3_dot(u, a), ru = vec3_dot(u, b);
  for (int i = 0; i < 3; i++) /* shadows first: short ones would drown in the rounding of a . b */
    p[i] = a[i] - pu * u[i], r[i] = b[i] - ru * u[i];
  vec3_cross(p, r, side);
  double s = vec3_dot(u, side), c = vec3_dot(p, r), area = sqrt(s * s + c * c);
  t->c = area > 0 ? c / area : 1;
  t->s = area > 0 ? s / area : 0;
  t->angle = atan2(s, c);
  return area;
}

/* The last turn, about `axis`: what it must do to bring `before`, which the turns before it made of k->across, to
 * where R brings k->across. */
static double last_angle(const struct chain *k, const double *R, const double *before, const double *axis)
{
  double after[3], side[3];
  mat3_mul_vec(R, k->across, after);
  vec3_cross(before, after, side);
  return atan2(vec3_dot(axis, side), vec3_dot(before, after) - vec3_dot(axis, before) * vec3_dot(axis, after));
}

static void read_two(const struct chain *k, const double *R, double *q, double axes[3][3])
{
  struct bend first;
  double before[3];
  mat3_mul_vec(R, k->axis[1], axes[1]);
  turn_between(k->axis[0], k->axis[1], axes[1], &first);
  turn_vector(k->axis[0], first.c, first.s, k->axis[1], axes[1]);
  turn_vector(k->axis[0], first.c, first.s, k->across, before);
  q[0] = nearest(first.angle, q[0]);
  q[1] = nearest(last_angle(k, R, before, axes[1]), q[1]);
}

/* Angles of R whose middle one is known, and the middle axis; w: where R brings the last axis. Returns how far they
 * are from those in near. */
static double complete(const struct chain *k, const double *R, const double *w, const double *near,
                       const struct bend *middle, double *q, double *middle_axis)
{
  struct bend first;
  double u[3], e[3], before[3], distance = 0;
  turn_vector(k->axis[1], middle->c, middle->s, k->axis[2], u);
  if (turn_between(k->axis[0], u, w, &first) < LEAST_VOLUME * LEAST_VOLUME)
    first = turn_by(near[0]); /* gimbal lock: the first and the last are one axis, and the last takes what is left */
  turn_vector(k->axis[1], middle->c, middle->s, k->across, e);
  turn_vector(k->axis[0], first.c, first.s, e, before);
  turn_vector(k->axis[0], first.c, first.s, k->axis[1], middle_axis);
  q[0] = nearest(first.angle, near[0]);
  q[1] = nearest(middle->angle, near[1]);
  q[2] = nearest(last_angle(k, R, before, w), near[2]);
  for (int i = 0; i < 3; i++)
    distance += (q[i] - near[i]) * (q[i] - near[i]);
  return distance;
}

static void read_three(const struct chain *k, const double *R, double *q, double axes[3][3])
{
  double *w = axes[2], best[3], other[3], axis[3];
  mat3_mul_vec(R, k->axis[2], w);
  double x = (vec3_dot(k->axis[0], w) - k->level) / k->radius, y;
  if (k->perpendicular) { /* as below, and right to the last digit near lock as well */
    double shadow[3];
    vec3_cross(k->axis[0], w, shadow);
    y = vec3_norm(shadow);
  } else {
    x = fmin(fmax(x, -1), 1); /* what is beyond cannot be reached */
    y = sqrt(1 - x * x);
  }
  double bend = atan2(y, x), c = k->shift_c, s = k->shift_s;
  struct bend way[2] = {{k->shift + bend, c * x - s * y, s * x + c * y},
                        {k->shift - bend, c * x + s * y, s * x - c * y}};
  double away[2] = {fabs(nearest(way[0].angle, q[1]) - q[1]), fabs(nearest(way[1].angle, q[1]) - q[1])};
  int near = away[1] < away[0];
  double distance = complete(k, R, w, q, &way[near], best, axes[1]);
  if ((away[!near] < away[near] + NEAR_LOCK || distance > NEAR_LOCK) &&
      complete(k, R, w, q, &way[!near], other, axis) < distance) {
    memcpy(best, other, sizeof best);
    memcpy(axes[1], axis, sizeof axis);
  }
  memcpy(q, best, sizeof best);
}

static void read_any(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3])
{
  double relative[9], in_parent[3][3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      relative[3 * i + j] = P[i] * R[j] + P[4 + i] * R[4 + j] + P[8 + i] * R[8 + j];
  memcpy(in_parent[0], k->axis[0], sizeof in_parent[0]);
  if (k->n == 1)
    q[0] = nearest(twist(relative, k->axis[0]), q[0]);
  else if (k->n == 2)
    read_two(k, relative, q, in_parent);
  else
    read_three(k, relative, q, in_parent);
  for (int i = 0; i < k->n; i++)
    turn(P, in_parent[i], axes[i]);
}

/* ---- the same, quickly ----
 * In every step of a simulation. The frames `first` and `last` have as their own axes (1) the first axis, the second,
 * and what is across both; (2) the last axis, the one before, and across. With b = q2 - shift, for perpendicular axes:
 *   R axis3   = cos b first1 + sin b (sin q1 first2 - cos q1 first3)
 *   R^T axis1 = cos b last1  + sin b (sin q3 last2  + cos q3 last3)  */

static void read_hinge(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3])
{
  double world[3], seen[3];
  turn(P, k->axis[0], axes[0]);
  turn(R, k->first[1], world);
  turn_back(P, world, seen);
  q[0] = nearest(atan2(vec3_dot(seen, k->first[2]), vec3_dot(seen, k->first[1])), q[0]);
}

static void read_universal(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3])
{
  double last[3], first[3];
  turn(P, k->axis[0], axes[0]);
  turn(R, k->axis[1], axes[1]);
  turn_back(P, axes[1], last);
  turn_back(R, axes[0], first);
  q[0] = nearest(atan2(vec3_dot(last, k->first[2]), vec3_dot(last, k->first[1])), q[0]);
  q[1] = nearest(atan2(vec3_dot(first, k->first[2]), vec3_dot(first, k->first[0])), q[1]);
}

/* What read_ball() has found out about a rotation. */
struct ball { double x, y, u, v, bend; };

/* The angles with sin b of this sign; returns how far they are from those in near. Bits do not depend on near, whole
 * turns apart. */
static double ball_angles(const struct chain *k, const struct ball *b, double side, const double *near, double *q)
{
  q[0] = nearest(atan2(side * b->x, side * b->y), near[0]);
  q[1] = nearest(k->shift + side * b->bend, near[1]);
  q[2] = nearest(atan2(side * b->u, side * b->v), near[2]);
  double d[3] = {q[0] - near[0], q[1] - near[1], q[2] - near[2]};
  return vec3_dot(d, d);
}

/* 0: too near to gimbal lock. */
static int read_ball(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3])
{
  double last[3], first[3], middle[3], found[3], other[3];
  turn(P, k->axis[0], axes[0]);
  turn(R, k->axis[2], axes[2]);
  turn_back(P, axes[2], last);
  turn_back(R, axes[0], first);
  struct ball b = {vec3_dot(last, k->first[1]), -vec3_dot(last, k->first[2]), vec3_dot(first, k->last[1]),
                   vec3_dot(first, k->last[2]), 0};
  double sine = sqrt(b.x * b.x + b.y * b.y);
  if (!(sine > CLEAR))
    return 0;
  b.bend = atan2(sine, vec3_dot(last, k->first[0]));
  double side = fabs(nearest(k->shift - b.bend, q[1]) - q[1]) < fabs(nearest(k->shift + b.bend, q[1]) - q[1]) ? -1 : 1;
  double distance = ball_angles(k, &b, side, q, found);
  if (distance > CLEAR * CLEAR && ball_angles(k, &b, -side, q, other) < distance) {
    memcpy(found, other, sizeof found);
    side = -side;
  }
  memcpy(q, found, sizeof found);
  for (int i = 0; i < 3; i++)
    middle[i] = (b.y * k->first[1][i] + b.x * k->first[2][i]) * (side / sine);
  turn(P, middle, axes[1]);
  return 1;
}

void chain_read(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3])
{
  if (k->n == 1)
    read_hinge(k, P, R, q, axes);
  else if (k->n == 2 && k->perpendicular)
    read_universal(k, P, R, q, axes);
  else if (k->n != 3 || !k->perpendicular || !read_ball(k, P, R, q, axes))
    read_any(k, P, R, q, axes);
}

double chain_dual(int n, double axes[3][3], double dual[3][3])
{
  if (n == 1) {
    memcpy(dual[0], axes[0], sizeof dual[0]);
    return 1;
  }
  if (n == 2) {
    double d = vec3_dot(axes[0], axes[1]), area2 = fmax(1 - d * d, LEAST_VOLUME * LEAST_VOLUME);
    for (int i = 0; i < 3; i++) {
      dual[0][i] = (axes[0][i] - d * axes[1][i]) / area2;
      dual[1][i] = (axes[1][i] - d * axes[0][i]) / area2;
    }
    return sqrt(area2);
  }
  vec3_cross(axes[1], axes[2], dual[0]);
  vec3_cross(axes[2], axes[0], dual[1]);
  vec3_cross(axes[0], axes[1], dual[2]);
  double volume = vec3_dot(axes[0], dual[0]);
  double factor = 1 / (fabs(volume) > LEAST_VOLUME ? volume : copysign(LEAST_VOLUME, volume));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      dual[i][j] *= factor;
  return fabs(volume);
}

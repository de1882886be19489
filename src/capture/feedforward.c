/* Torques that a motion needs; see feedforward.h. Sections and equations are those of Xie and Kry 2021. */
#include "capture/feedforward.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "dynamics/dynamics.h"
#include "capture/zmp.h"

void capture_feedforward_defaults(const struct creature *c, struct capture_feedforward_options *o)
{
  double size = c->height / CAPTURE_PERSON_HEIGHT;
  *o = (struct capture_feedforward_options){.gamma = 0.2 * size,
                                            .patch = -1,
                                            .moment_length = 0.05 * size,
                                            .contact_height = 0.03 * size,
                                            .contact_speed = sqrt(size),
                                            .lowest_cutoff = 0.5,
                                            .highest_cutoff = 20,
                                            .flicker = 0.025,
                                            .flight = 0.05,
                                            .carried = 0.5};
}

/* ---- section 5.2: the ZMP and the feet ---- */

/* need (n_frames): force that the body needs from the ground [body weights]; may be NULL, as zmp. */
static void find_zmp(struct arena *arena, const struct creature *c, const struct clip *clip, const struct clip *smooth,
                     const struct capture_feedforward *f, double patch, double *need)
{
  size_t n = (size_t)c->n_dofs;
  struct dynamics *d = dynamics_new(arena, c);
  double *q = ARENA_NEW(arena, 3 * n, double),
         *hull = ARENA_NEW(arena, (size_t)c->n_points * ZMP_CORNERS * 2 + 2, double);
  for (int k = 0; k < clip->n_frames; k++) {
    struct dynamics_whole w;
    double at[2];
    capture_state(c, smooth, k, q, q + n, q + 2 * n);
    dynamics_whole(d, q, q + n, q + 2 * n, &w);
    double force[3] = {w.momentum_rate[0], w.momentum_rate[1], w.momentum_rate[2] + w.weight};
    int has = dynamics_zmp(&w, 0, at);
    clip_frame(clip, k, q);
    dynamics_kinematics(d, q);
    int size = zmp_support(c, d, f->contact + k * c->n_points, patch, hull);
    f->distance[k] = size ? (has ? zmp_distance(size, hull, at) : INFINITY) : NAN;
    if (need)
      need[k] = vec3_norm(force) / w.weight;
    for (int a = 0; f->zmp && a < 2; a++)
      f->zmp[2 * k + a] = has ? at[a] : NAN;
  }
}

void capture_distances(const struct creature *c, const struct clip *clip, const struct clip *smooth,
                       const unsigned char *contact, double patch, double *distance, double *zmp)
{
  struct arena *scratch = arena_new();
  struct capture_feedforward f = {.contact = (unsigned char *)contact, .distance = distance, .zmp = zmp};
  find_zmp(scratch, c, clip, smooth, &f, patch, NULL);
  arena_free(scratch);
}

/* Share of the frames on the ground whose ZMP is over the feet. */
static double inside_share(int n, const double *distance)
{
  int inside = 0, standing = 0;
  for (int k = 0; k < n; k++) {
    standing += !isnan(distance[k]);
    inside += distance[k] <= 0;
  }
  return standing ? (double)inside / standing : 0;
}

static const double *default_cutoffs(struct arena *arena, const struct capture_feedforward_options *o)
{
  double *list = ARENA_NEW(arena, CAPTURE_CUTOFFS, double);
  for (int i = 0; i < CAPTURE_CUTOFFS; i++)
    list[i] = o->lowest_cutoff * pow(o->highest_cutoff / o->lowest_cutoff, i / (CAPTURE_CUTOFFS - 1.0));
  return list;
}

static double mean_quality(int n, const double *distance, const double *need, double gamma)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += isnan(distance[k]) ? zmp_quality(need[k], 1) : zmp_quality(distance[k], gamma);
  return sum / n;
}

/* The best cutoff; of several the highest, which changes the motion least. */
static double choose_cutoff(struct capture_feedforward *f, const struct creature *c, const struct clip *clip,
                            const struct capture_feedforward_options *o)
{
  int best = 0;
  const double *score = o->choice == CAPTURE_BY_INSIDE ? f->inside_of : f->quality_of;
  for (int i = 0; i < f->n_cutoffs; i++) {
    struct arena *scratch = arena_new();
    double *need = ARENA_NEW(scratch, (size_t)clip->n_frames, double);
    find_zmp(scratch, c, clip, capture_smooth(scratch, c, clip, f->cutoffs[i]), f, o->patch, need);
    f->inside_of[i] = inside_share(clip->n_frames, f->distance);
    f->quality_of[i] = mean_quality(clip->n_frames, f->distance, need, o->gamma);
    if (score[i] >= score[best])
      best = i;
    arena_free(scratch);
  }
  return f->cutoffs[best];
}

/* ---- section 5: wrenches and torques ---- */

struct solver {
  const struct creature *c;
  const struct capture_feedforward_options *o;
  struct dynamics *d;
  struct capture_feedforward *f;
  int n;                        /* limbs that touch the ground                                     */
  int *body;                    /* (n)                                                             */
  double *place;                /* middle of the points of each that touch                 (n x 3) */
  double *wrench;               /* force, moment about the place                           (n x 6) */
  int *touching;                /* how many points of each touch                           (n)     */
  double *points, *shares;      /* of one limb: where they are, their wrenches (n_points x 3), (n_points x 6) */
};

static void find_bodies(struct solver *s, const unsigned char *contact)
{
  s->n = 0;
  for (int p = 0; p < s->c->n_points; p++) {
    int i = 0;
    double at[3];
    if (!contact[p])
      continue;
    while (i < s->n && s->body[i] != s->c->points[p].body)
      i++;
    if (i == s->n) {
      s->body[s->n++] = s->c->points[p].body;
      s->touching[i] = 0;
      memset(s->place + 3 * i, 0, 3 * sizeof *s->place);
    }
    dynamics_point(s->d, s->c->points[p].body, s->c->points[p].at, at);
    s->touching[i]++;
    for (int a = 0; a < 3; a++)
      s->place[3 * i + a] += (at[a] - s->place[3 * i + a]) / s->touching[i];
  }
}

/* A limb cannot pull: the one that would have to pull most is left out, until none has to. */
static void share_among_pushing(struct solver *s, const double *force, const double *moment)
{
  for (;;) {
    int worst = 0;
    capture_share_wrench(s->n, s->place, force, moment, s->o->moment_length, s->wrench);
    for (int i = 1; i < s->n; i++)
      if (s->wrench[6 * i + 2] < s->wrench[6 * worst + 2])
        worst = i;
    if (s->n == 1 || s->wrench[6 * worst + 2] >= 0)
      return;
    s->n--;
    s->body[worst] = s->body[s->n];
    memcpy(s->place + 3 * worst, s->place + 3 * s->n, 3 * sizeof *s->place);
  }
}

/* torque -= J^T w: a dof that carries the limb feels its moment about the dof's axis; the root's slides, the force. */
static void subtract_wrench(struct solver *s, int i, double *torque)
{
  static const double origin[3] = {0, 0, 0};
  const double *force = s->wrench + 6 * i, *moment = force + 3;
  for (int k = s->body[i]; k >= 0; k = s->c->dofs[k].parent) {
    double R[9], axis[3], at[3], about[3], arm[3];
    dynamics_rotation(s->d, k, R);
    mat3_mul_vec(R, s->c->dofs[k].axis, axis);
    if (k < 3) {
      torque[k] -= vec3_dot(axis, force);
      continue;
    }
    dynamics_point(s->d, k, origin, at);
    for (int a = 0; a < 3; a++)
      arm[a] = s->place[3 * i + a] - at[a];
    memcpy(about, moment, sizeof about);
    vec3_add_cross(about, arm, force);
    torque[k] -= vec3_dot(axis, about);
  }
}

/* The force on a limb to those of its points that touch: in parts that bring the middle of the pressure as near to
 * where it should be as pushing can. What remains of the moment, points cannot give. */
static void spread_wrench(struct solver *s, int i, const unsigned char *contact, double *force)
{
  static const double up[3] = {0, 0, 1};
  const double *w = s->wrench + 6 * i, *place = s->place + 3 * i;
  double pressure[3] = {place[0], place[1], 0}, moment[3], sum = 0; /* where the limb's force acts on the ground */
  int n = 0;
  if (w[2] > 0) {
    pressure[0] += (-w[4] - w[0] * place[2]) / w[2];
    pressure[1] += (w[3] - w[1] * place[2]) / w[2];
  }
  for (int p = 0; p < s->c->n_points; p++)
    if (contact[p] && s->c->points[p].body == s->body[i]) {
      dynamics_point(s->d, s->body[i], s->c->points[p].at, s->points + 3 * n);
      s->points[3 * n++ + 2] = 0;
    }
  vec3_cross(pressure, up, moment);
  capture_share_wrench(n, s->points, up, moment, 0.1 * s->o->moment_length, s->shares);
  for (int k = 0; k < n; k++)
    sum += s->shares[6 * k + 2] = fmax(s->shares[6 * k + 2], 0);
  n = 0;
  for (int p = 0; p < s->c->n_points; p++)
    if (contact[p] && s->c->points[p].body == s->body[i]) {
      double part = s->shares[6 * n++ + 2] / sum;
      for (int a = 0; a < 3; a++)
        force[3 * p + a] = part * w[a];
    }
}

/* The leg that a body belongs to. */
static int leg_of(const struct creature *c, int body)
{
  for (int i = 0; i < c->n_feet; i++)
    if (c->limbs[c->feet[i].limb].body == body)
      return c->feet[i].first_leg_limb;
  return -1;
}

/* Does the force on every leg push, within friction? Of all that touches of a leg together: heel and toes share what is
 * sideways. */
static int is_in_cone(const struct solver *s)
{
  for (int i = 0; i < s->n; i++) {
    double force[3] = {0, 0, 0};
    int leg = leg_of(s->c, s->body[i]);
    for (int j = 0; j < s->n; j++)
      if (j == i || (leg >= 0 && leg_of(s->c, s->body[j]) == leg))
        vec3_add_scaled(force, s->wrench + 6 * j, 1);
    if (!(force[2] > 0 && hypot(force[0], force[1]) <= s->c->friction * force[2]))
      return 0;
  }
  return 1;
}

/* Torques, forces and quality of one frame. */
static void solve_frame(struct solver *s, int k)
{
  struct capture_feedforward *f = s->f;
  size_t n = (size_t)f->n_dofs, row = (size_t)k * n;
  const unsigned char *contact = f->contact + k * f->n_points;
  struct dynamics_whole whole;
  dynamics_inverse(s->d, f->q + row, f->v + row, f->a + row, f->torque + row);
  dynamics_whole(s->d, f->q + row, f->v + row, f->a + row, &whole);
  double force[3] = {whole.momentum_rate[0], whole.momentum_rate[1], whole.momentum_rate[2] + whole.weight}, moment[3];
  vec3_cross(whole.com, force, moment);
  vec3_add_scaled(moment, whole.angular_rate, 1);
  dynamics_kinematics(s->d, f->q + row);
  find_bodies(s, contact);
  f->in_cone[k] = 1;
  f->quality[k] = zmp_quality(vec3_norm(force) / whole.weight,
                              1); /* in the air: as long as nothing need carry the body */
  if (s->n == 0)
    return;
  share_among_pushing(s, force, moment);
  for (int i = 0; i < s->n; i++) {
    subtract_wrench(s, i, f->torque + row);
    spread_wrench(s, i, contact, f->force + (size_t)k * (size_t)f->n_points * 3);
  }
  f->in_cone[k] = (unsigned char)is_in_cone(s);
  f->quality[k] = f->in_cone[k] ? zmp_quality(f->distance[k], s->o->gamma) : 0;
}

/* ---- section 5.6: variance of the torques ---- */

static void find_variance(struct capture_feedforward *f)
{
  double largest = 0;
  for (int i = CREATURE_ROOT_DOFS; i < f->n_dofs; i++) {
    double sum = 0, squares = 0;
    int n = 0;
    for (int k = 0; k < f->n_frames; k++)
      if (f->quality[k] > 0) {
        double change = f->torque[k * f->n_dofs + i] -
                        (n ? sum / n : 0); /* Welford's way: no large squares are subtracted */
        sum += f->torque[k * f->n_dofs + i];
        n++;
        squares += change * (f->torque[k * f->n_dofs + i] - sum / n);
      }
    f->variance[i] = n ? squares / n : 0;
    largest = fmax(largest, f->variance[i]);
  }
  for (int i = CREATURE_ROOT_DOFS; i < f->n_dofs; i++)
    f->covariance[i] = largest > 0 ? f->variance[i] / largest : 1;
}

/* ---- all of it ---- */

static struct capture_feedforward *feedforward_new(struct arena *arena, const struct creature *c,
                                                   const struct clip *clip,
                                                   const struct capture_feedforward_options *o)
{
  struct capture_feedforward *f = ARENA_NEW(arena, 1, struct capture_feedforward);
  size_t n = (size_t)clip->n_frames, dofs = (size_t)c->n_dofs, points = (size_t)c->n_points;
  *f = (struct capture_feedforward){
      .n_frames = clip->n_frames, .n_dofs = c->n_dofs, .n_points = c->n_points, .dt = clip->dt};
  f->q = ARENA_NEW(arena, n * dofs, double);
  f->v = ARENA_NEW(arena, n * dofs, double);
  f->a = ARENA_NEW(arena, n * dofs, double);
  f->torque = ARENA_NEW(arena, n * dofs, double);
  f->force = ARENA_NEW(arena, n * points * 3, double);
  f->contact = ARENA_NEW(arena, n * points, unsigned char);
  f->zmp = ARENA_NEW(arena, n * 2, double);
  f->distance = ARENA_NEW(arena, n, double);
  f->in_cone = ARENA_NEW(arena, n, unsigned char);
  f->quality = ARENA_NEW(arena, n, double);
  f->variance = ARENA_NEW(arena, dofs, double);
  f->covariance = ARENA_NEW(arena, dofs, double);
  f->n_cutoffs = o->cutoff > 0 ? 0 : o->n_cutoffs > 0 ? o->n_cutoffs : CAPTURE_CUTOFFS;
  f->cutoffs = o->n_cutoffs > 0 ? o->cutoffs : default_cutoffs(arena, o);
  f->inside_of = ARENA_NEW(arena, (size_t)f->n_cutoffs, double);
  f->quality_of = ARENA_NEW(arena, (size_t)f->n_cutoffs, double);
  return f;
}

static void solve_frames(struct arena *scratch, struct capture_feedforward *f, const struct creature *c,
                         const struct capture_feedforward_options *o)
{
  size_t points = (size_t)c->n_points + 1;
  struct solver s = {.c = c, .o = o, .d = dynamics_new(scratch, c), .f = f};
  s.body = ARENA_NEW(scratch, points, int);
  s.touching = ARENA_NEW(scratch, points, int);
  s.place = ARENA_NEW(scratch, 3 * points, double);
  s.wrench = ARENA_NEW(scratch, 6 * points, double);
  s.points = ARENA_NEW(scratch, 3 * points, double);
  s.shares = ARENA_NEW(scratch, 6 * points, double);
  for (int k = 0; k < f->n_frames; k++)
    solve_frame(&s, k);
}

struct capture_feedforward *capture_feedforward(struct arena *arena, const struct creature *c, const struct clip *clip,
                                                const struct capture_feedforward_options *o)
{
  struct capture_feedforward_options defaults;
  capture_feedforward_defaults(c, &defaults);
  o = o ? o : &defaults;
  if (clip->n_frames < 3 || clip->n_dofs != c->n_dofs || clip->n_points != c->n_points || !(clip->dt > 0))
    return NULL;
  struct arena *scratch = arena_new();
  struct capture_feedforward *f = feedforward_new(arena, c, clip, o);
  size_t n = (size_t)c->n_dofs;
  if (o->given_contacts)
    memcpy(f->contact, clip->contact, (size_t)clip->n_frames * (size_t)c->n_points);
  else
    capture_find_contacts(scratch, c, clip, o, f->contact);
  f->cutoff = o->cutoff > 0 ? o->cutoff : choose_cutoff(f, c, clip, o);
  const struct clip *smooth = capture_smooth(scratch, c, clip, f->cutoff);
  capture_distances(c, clip, smooth, f->contact, o->patch, f->distance, f->zmp);
  f->inside = inside_share(f->n_frames, f->distance);
  for (int k = 0; k < f->n_frames; k++)
    capture_state(c, smooth, k, f->q + (size_t)k * n, f->v + (size_t)k * n, f->a + (size_t)k * n);
  solve_frames(scratch, f, c, o);
  find_variance(f);
  arena_free(scratch);
  return f;
}

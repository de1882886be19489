/* The creature as a whole: centre of mass, momentum and its rate, energy (doc/equations.md, 6). Plain recursion in the
 * world's frame, apart from the kernels; sums are taken about the root so that digits survive far away. */
#include <string.h>

#include "base/vec3.h"
#include "dynamics/room.h"

struct moving_frame { double w[3], al[3], v[3], a[3]; }; /* turning, and motion of the origin */

/* Motion of a point at r from the origin of a frame. */
static void whole_carry(const struct moving_frame *p, const double *r, double *v, double *a)
{
  double wr[3];
  memcpy(v, p->v, sizeof p->v);
  memcpy(a, p->a, sizeof p->a);
  vec3_cross(p->w, r, wr);
  vec3_add_scaled(v, wr, 1.0);
  vec3_add_cross(a, p->al, r);
  vec3_add_cross(a, p->w, wr);
}

static void whole_move_frame(const struct dynamics *d, int i, const struct moving_frame *p, double v, double a,
                             struct moving_frame *m)
{
  const struct body_frame *f = &d->frames[i];
  if (i < 3) { /* a slide along a fixed axis */
    *m = *p;
    vec3_add_scaled(m->v, f->axis, v);
    vec3_add_scaled(m->a, f->axis, a);
    return;
  }
  const double *o = d->frames[d->tree.bodies[i].parent].origin;
  double r[3] = {f->origin[0] - o[0], f->origin[1] - o[1], f->origin[2] - o[2]}, turning[3];
  *m = *p;
  whole_carry(p, r, m->v, m->a);
  vec3_cross(p->w, f->axis, turning);
  vec3_add_scaled(m->w, f->axis, v);
  vec3_add_scaled(m->al, f->axis, a);
  vec3_add_scaled(m->al, turning, v);
}

/* Inertia about the origin from the second moment: tr(J) 1 - J. */
static void whole_inertia_of(const double *J, double *I)
{
  double t = J[0] + J[1] + J[2];
  for (int k = 0; k < 6; k++)
    I[k] = (k < 3 ? t : 0.0) - J[k];
}

/* Adds body i to the sums; its angular momentum is taken about the root's origin. */
static void whole_add_body(const struct dynamics *d, int i, const struct moving_frame *m, struct dynamics_whole *sum)
{
  const struct kernel_body *b = &d->tree.bodies[i];
  const struct body_frame *f = &d->frames[i];
  const double *root = d->frames[2].origin;
  double h[3], J[6], I[6], Iw[3], Ial[3], p[3] = {0}, rate[3] = {0}, wh[3];
  double o[3] = {f->origin[0] - root[0], f->origin[1] - root[1], f->origin[2] - root[2]};
  mat3_mul_vec(f->rotation, b->moment1, h);
  sym3_turn(f->rotation, b->moment2, J);
  whole_inertia_of(J, I);
  sym3_mul_vec(I, m->w, Iw);
  sym3_mul_vec(I, m->al, Ial);
  vec3_cross(m->w, h, wh);

  vec3_add_scaled(p, m->v, b->mass);
  vec3_add_scaled(p, wh, 1.0);
  vec3_add_scaled(rate, m->a, b->mass);
  vec3_add_cross(rate, m->al, h);
  vec3_add_cross(rate, m->w, wh);

  sum->mass += b->mass;
  vec3_add_scaled(sum->com, o, b->mass);
  vec3_add_scaled(sum->com, h, 1.0);
  vec3_add_scaled(sum->momentum, p, 1.0);
  vec3_add_scaled(sum->momentum_rate, rate, 1.0);
  vec3_add_cross(sum->angular, o, p);
  vec3_add_cross(sum->angular, h, m->v);
  vec3_add_scaled(sum->angular, Iw, 1.0);
  vec3_add_cross(sum->angular_rate, o, rate);
  vec3_add_cross(sum->angular_rate, h, m->a);
  vec3_add_scaled(sum->angular_rate, Ial, 1.0);
  vec3_add_cross(sum->angular_rate, m->w, Iw);
  sum->kinetic += 0.5 * b->mass * vec3_dot(m->v, m->v) + vec3_dot(m->v, wh) + 0.5 * vec3_dot(m->w, Iw);
}

void dynamics_whole(struct dynamics *d, const double *q, const double *v, const double *a, struct dynamics_whole *out)
{
  struct moving_frame *frames = d->scratch, still = {{0}, {0}, {0}, {0}};
  const double *root = d->frames[2].origin;
  memset(out, 0, sizeof *out);
  dynamics_kinematics(d, q);
  for (int i = 0; i < d->tree.n; i++) {
    whole_move_frame(d, i, i ? &frames[d->tree.bodies[i].parent] : &still, v[i], a[i], &frames[i]);
    if (d->tree.bodies[i].has_mass)
      whole_add_body(d, i, &frames[i], out);
  }
  double back[3] = {-out->com[0] / out->mass, -out->com[1] / out->mass, -out->com[2] / out->mass};
  vec3_add_cross(out->angular, back, out->momentum);
  vec3_add_cross(out->angular_rate, back, out->momentum_rate);
  for (int k = 0; k < 3; k++) {
    out->com[k] = root[k] - back[k];
    out->com_velocity[k] = out->momentum[k] / out->mass;
    out->com_acceleration[k] = out->momentum_rate[k] / out->mass;
  }
  out->weight = out->mass * d->tree.gravity;
  out->potential = out->weight * out->com[2];
}

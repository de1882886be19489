/* Private to src/dynamics. Inverse dynamics, Newton and Euler's recursion in the bodies' own frames (doc/equations.md,
 * 2).
 *
 * All frames are parallel at zero angles, so that passing a vector over a joint turns two of its components: four
 * products. That is why this kernel works in body frames although the others work in the world's. */
#include "dynamics/kernels.h"
#include "dynamics/lanes.h"

struct motion_state {
  struct vec w, al, acc;        /* of the body's frame and origin, own frame; gravity counts as acceleration */
  struct vec f, n;              /* force and moment about the origin that the joint transmits, own frame     */
  struct mat field;             /* acceleration of points, see acceleration_matrix()                         */
  lane s, c;                    /* of the joint angle                                                        */
};

/* To the child's frame: the vector turned by minus the joint angle. */
static inline struct vec into(const struct kernel_body *b, const struct motion_state *m, struct vec v)
{
  lane s = m->s, c = m->c;
  switch (b->axis) {
  case AXIS_X: return vec(v.x, c * v.y + s * v.z, c * v.z - s * v.y);
  case AXIS_Y: return vec(c * v.x - s * v.z, v.y, c * v.z + s * v.x);
  case AXIS_Z: return vec(c * v.x + s * v.y, c * v.y - s * v.x, v.z);
  default: {
    struct vec u = vec_of(b->direction);
    return fuse(sub(scale(v, c), scale(cross(u, v), s)), u, (1.0 - c) * dot(u, v));
  }
  }
}

/* To the parent's frame. */
static inline struct vec out_of(const struct kernel_body *b, const struct motion_state *m, struct vec v)
{
  lane s = m->s, c = m->c;
  switch (b->axis) {
  case AXIS_X: return vec(v.x, c * v.y - s * v.z, c * v.z + s * v.y);
  case AXIS_Y: return vec(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
  case AXIS_Z: return vec(c * v.x - s * v.y, c * v.y + s * v.x, v.z);
  default: {
    struct vec u = vec_of(b->direction);
    return fuse(add(scale(v, c), scale(cross(u, v), s)), u, (1.0 - c) * dot(u, v));
  }
  }
}

/* Adds the joint's own rate and acceleration to w and al, which stand in the child's frame already. */
static inline void add_joint_rate(const struct kernel_body *b, struct motion_state *m, lane v, lane a)
{
  switch (b->axis) {
  case AXIS_X:
    m->al = vec(m->al.x + a, m->al.y + v * m->w.z, m->al.z - v * m->w.y);
    m->w.x += v;
    break;
  case AXIS_Y:
    m->al = vec(m->al.x - v * m->w.z, m->al.y + a, m->al.z + v * m->w.x);
    m->w.y += v;
    break;
  case AXIS_Z:
    m->al = vec(m->al.x + v * m->w.y, m->al.y - v * m->w.x, m->al.z + a);
    m->w.z += v;
    break;
  default: {
    struct vec u = vec_of(b->direction);
    m->al = fuse(fuse(m->al, cross(m->w, u), v), u, a);
    m->w = fuse(m->w, u, v);
  }
  }
}

static inline lane about_axis(const struct kernel_body *b, struct vec v)
{
  switch (b->axis) {
  case AXIS_X: return v.x;
  case AXIS_Y: return v.y;
  case AXIS_Z: return v.z;
  default: return dot(vec_of(b->direction), v);
  }
}

/* Force and moment about the origin that the body itself needs. */
static inline void body_wrench(const struct kernel_body *b, struct motion_state *m)
{
  if (!b->has_mass) {
    m->f = m->n = vec_zero();
    return;
  }
  const double *j = b->moment2;
  struct sym J = {lane_of(j[0]), lane_of(j[1]), lane_of(j[2]), lane_of(j[3]), lane_of(j[4]), lane_of(j[5])};
  struct vec h = vec_of(b->moment1);
  m->f = fuse(mul(&m->field, h), m->acc, lane_of(b->mass));
  m->n = add(turning_moment(&m->field, &J), cross(h, m->acc));
}

static void kernel_inverse(const struct kernel_tree *t, void *scratch, const double *q, const double *v,
                           const double *a,
                           double *tau)
{
  struct motion_state *state = scratch;
  int n = t->n;

  for (int i = 3; i < n; i++) /* apart from the recursion, so that the processor overlaps them */
    lane_sincos(lane_load(q, i) * t->bodies[i].sign, &state[i].s, &state[i].c);

  /* outwards: the root's slides carry no frame; a constant velocity takes no force, so theirs is left out */
  state[2].w = state[2].al = vec_zero();
  state[2].acc = vec(lane_load(a, 0), lane_load(a, 1), lane_load(a, 2) + t->gravity);
  for (int i = 3; i < n; i++) {
    const struct kernel_body *b = &t->bodies[i];
    struct motion_state *m = &state[i];
    const struct motion_state *p = &state[b->parent];
    struct vec acc = b->has_offset ? add(p->acc, mul(&p->field, vec_of(b->offset))) : p->acc;
    m->acc = into(b, m, acc);
    m->w = into(b, m, p->w);
    m->al = into(b, m, p->al);
    add_joint_rate(b, m, lane_load(v, i) * b->sign, lane_load(a, i) * b->sign);
    if (b->needs_field)
      m->field = acceleration_matrix(m->w, m->al);
    body_wrench(b, m);
  }

  /* inwards */
  state[2].f = state[2].n = vec_zero();
  for (int i = n - 1; i >= 3; i--) {
    const struct kernel_body *b = &t->bodies[i];
    struct motion_state *m = &state[i], *p = &state[b->parent];
    lane_store(tau, (size_t)i, about_axis(b, m->n) * b->sign);
    struct vec f = out_of(b, m, m->f), moment = out_of(b, m, m->n);
    p->f = add(p->f, f);
    p->n = add(p->n, moment);
    if (b->has_offset)
      p->n = add(p->n, cross(vec_of(b->offset), f));
  }
  lane_store(tau, 0, state[2].f.x);
  lane_store(tau, 1, state[2].f.y);
  lane_store(tau, 2, state[2].f.z);
}

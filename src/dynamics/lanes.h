/* Private to src/dynamics. Numbers of which there may be several: the arithmetic of the dynamics kernels.
 *
 * A kernel is compiled with LANES = 1 (a lane is a double) or LANES = 4 (a lane is four doubles, one of each of four
 * states). Every operation is the same in each lane and nothing is reordered, so both give the same bits, with any
 * instruction set. Private to the kernels. */
#ifndef MUYBRIDGE_LANES_H
#define MUYBRIDGE_LANES_H

#include <stdint.h>
#include <string.h>

#ifndef LANES
#error "compile with -DLANES=1 or -DLANES=4"
#endif

#if LANES == 1
typedef double lane;
typedef uint64_t lane_bits;
#else
typedef double lane __attribute__((vector_size(8 * LANES)));
typedef uint64_t lane_bits __attribute__((vector_size(8 * LANES)));
#endif

struct vec { lane x, y, z; };
struct sym { lane xx, yy, zz, xy, xz, yz; };          /* symmetric 3 x 3 */
struct mat { struct vec x, y, z; };                   /* rows            */
struct spatial { struct vec ang, lin; };              /* motion or force, about the root origin */

static inline lane lane_load(const double *p, int i)
{
  lane r;
  memcpy(&r, p + (size_t)LANES * (size_t)i, sizeof r);
  return r;
}

static inline void lane_store(double *p, size_t i, lane v)
{
  memcpy(p + LANES * i, &v, sizeof v);
}

static inline lane lane_of(double v)
{
#if LANES == 1
  return v;
#else
  return v - (lane){0};
#endif
}

static inline lane_bits bits_of(lane x)
{
  lane_bits r;
  memcpy(&r, &x, sizeof r);
  return r;
}

static inline lane from_bits(lane_bits x)
{
  lane r;
  memcpy(&r, &x, sizeof r);
  return r;
}

/* Sine and cosine, accurate to 1e-16 for angles up to 1e5, without branches. The angle less the nearest multiple of
 * pi/2 (whose first two parts have so few bits that k times them is exact) goes into the Taylor series, which are as
 * good as any on [-pi/4, pi/4] with eight terms; bits 0 and 1 of k say which is which. */
static inline void lane_sincos(lane x, lane *sine, lane *cosine)
{
  const double round = 6755399441055744.0; /* 1.5 * 2^52: adding it leaves the integer in the low bits */
  lane t = x * 0.63661977236758134308 + round;
  lane k = t - round;
  lane_bits quadrant = bits_of(t);
  lane r = ((x - k * 0x1.921fb54400000p+0) - k * 0x1.0b4611a600000p-34) - k * 0x1.3198a2e037073p-69;
  lane z = r * r;
  lane s = r + r * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800
         + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0))))))));
  lane c = 1.0 - z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320 - z * (1.0 / 3628800
         - z * (1.0 / 479001600.0 - z * (1.0 / 87178291200.0 - z * (1.0 / 20922789888000.0))))))));
  lane_bits odd = -(quadrant & 1), sb = bits_of(s), cb = bits_of(c);
  lane_bits s_sign = (quadrant & 2) << 62, c_sign = ((quadrant + 1) & 2) << 62;
  *sine = from_bits(((cb & odd) | (sb & ~odd)) ^ s_sign);
  *cosine = from_bits(((sb & odd) | (cb & ~odd)) ^ c_sign);
}

static inline struct vec vec(lane x, lane y, lane z) { return (struct vec){x, y, z}; }
static inline struct vec vec_of(const double *p) { return vec(lane_of(p[0]), lane_of(p[1]), lane_of(p[2])); }
static inline struct vec vec_zero(void) { return vec(lane_of(0), lane_of(0), lane_of(0)); }
static inline struct vec add(struct vec a, struct vec b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline struct vec sub(struct vec a, struct vec b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline struct vec scale(struct vec a, lane s) { return vec(a.x * s, a.y * s, a.z * s); }
static inline lane dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline struct vec cross(struct vec a, struct vec b)
{
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/* a + b s */
static inline struct vec fuse(struct vec a, struct vec b, lane s)
{
  return vec(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline struct vec mul(const struct mat *m, struct vec v)
{
  return vec(dot(m->x, v), dot(m->y, v), dot(m->z, v));
}

static inline struct vec mul_transposed(const struct mat *m, struct vec v)
{
  return vec(m->x.x * v.x + m->y.x * v.y + m->z.x * v.z, m->x.y * v.x + m->y.y * v.y + m->z.y * v.z,
             m->x.z * v.x + m->y.z * v.y + m->z.z * v.z);
}

static inline lane trace(const struct mat *m) { return m->x.x + m->y.y + m->z.z; }

/* The vector whose cross product is the antisymmetric part of m, doubled: of the sum of f r^T it is the sum of r x
 * f. */
static inline struct vec vee(const struct mat *m)
{
  return vec(m->z.y - m->y.z, m->x.z - m->z.x, m->y.x - m->x.y);
}

static inline struct vec mul_sym(const struct sym *m, struct vec v)
{
  return vec(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
             m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

static inline void accumulate_mat(struct mat *a, const struct mat *b)
{
  a->x = add(a->x, b->x);
  a->y = add(a->y, b->y);
  a->z = add(a->z, b->z);
}

/* a b^T */
static inline struct mat outer(struct vec a, struct vec b)
{
  return (struct mat){scale(b, a.x), scale(b, a.y), scale(b, a.z)};
}

/* [w]x J + u h^T: the integral of (u + w x r) r^T dm over a body with moments h (first) and J (second) */
static inline struct mat velocity_moment(struct vec w, struct vec u, struct vec h, const struct sym *J)
{
  return (struct mat){
    vec(u.x * h.x + w.y * J->xz - w.z * J->xy, u.x * h.y + w.y * J->yz - w.z * J->yy,
        u.x * h.z + w.y * J->zz - w.z * J->yz),
    vec(u.y * h.x + w.z * J->xx - w.x * J->xz, u.y * h.y + w.z * J->xy - w.x * J->yz,
        u.y * h.z + w.z * J->xz - w.x * J->zz),
    vec(u.z * h.x + w.x * J->xy - w.y * J->xx, u.z * h.y + w.x * J->yy - w.y * J->xy,
        u.z * h.z + w.x * J->yz - w.y * J->xz)};
}

/* The matrix that takes a point of a body turning with w, al to its acceleration relative to the origin: [al]x +
 * [w]x[w]x. */
static inline struct mat acceleration_matrix(struct vec w, struct vec al)
{
  lane xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return (struct mat){vec(-(yy + zz), xy - al.z, xz + al.y), vec(xy + al.z, -(xx + zz), yz - al.x),
                      vec(xz - al.y, yz + al.x, -(xx + yy))};
}

/* The integral of r x (K r) dm over a body of second moment J. */
static inline struct vec turning_moment(const struct mat *K, const struct sym *J)
{
  lane zy = K->z.x * J->xy + K->z.y * J->yy + K->z.z * J->yz, yz = K->y.x * J->xz + K->y.y * J->yz + K->y.z * J->zz;
  lane xz = K->x.x * J->xz + K->x.y * J->yz + K->x.z * J->zz, zx = K->z.x * J->xx + K->z.y * J->xy + K->z.z * J->xz;
  lane yx = K->y.x * J->xx + K->y.y * J->xy + K->y.z * J->xz, xy = K->x.x * J->xy + K->x.y * J->yy + K->x.z * J->yz;
  return vec(zy - yz, xz - zx, yx - xy);
}

/* ---- motions and forces (doc/equations.md, 1) ---- */
static inline struct spatial spatial_zero(void) { return (struct spatial){vec_zero(), vec_zero()}; }

static inline struct spatial spatial_fuse(struct spatial a, struct spatial b, lane s)
{
  return (struct spatial){fuse(a.ang, b.ang, s), fuse(a.lin, b.lin, s)};
}

static inline struct spatial spatial_add(struct spatial a, struct spatial b)
{
  return (struct spatial){add(a.ang, b.ang), add(a.lin, b.lin)};
}

static inline lane spatial_dot(struct spatial a, struct spatial b) { return dot(a.ang, b.ang) + dot(a.lin, b.lin); }

/* motion x motion */
static inline struct spatial cross_motion(struct spatial a, struct spatial b)
{
  return (struct spatial){cross(a.ang, b.ang), add(cross(a.ang, b.lin), cross(a.lin, b.ang))};
}

/* motion x* force */
static inline struct spatial cross_force(struct spatial a, struct spatial f)
{
  return (struct spatial){add(cross(a.ang, f.ang), cross(a.lin, f.lin)), cross(a.ang, f.lin)};
}

#endif

/* Private to src/physics. The rotation of a joint: one to three turns in a row, each about an axis that the ones before
 * it carry along.
 *
 * R = R(axis 1, q1) R(axis 2, q2) R(axis 3, q3), axes as at zero angles (doc/physics.md, "Angles"). The root's yaw,
 * pitch and roll are such a chain too. Matrices are 3 x 3, row-major. */
#ifndef MUYBRIDGE_CHAIN_H
#define MUYBRIDGE_CHAIN_H

struct chain {
  int n;                        /* 1 to 3                                             */
  double axis[3][3];            /* unit vectors, at zero angles                       */
  int perpendicular;            /* is each axis perpendicular to the next?            */
  double shift, radius, level;  /* of three axes: axis1 . R axis3 = level + radius cos(q2 - shift) */
  double shift_c, shift_s;      /* cosine and sine of the shift                       */
  double across[3];             /* a unit vector perpendicular to the last axis       */
  double first[3][3], last[3][3]; /* see chain.c                                      */
};

struct chain chain_of(int n, double axis[3][3]);

/* The rotation at angles q (n). */
void chain_rotation(const struct chain *k, const double *q, double *R);

/* Where the axes are at angles q, in the frame in which the first stands still. */
void chain_axes(const struct chain *k, const double *q, double axes[3][3]);

/* The other way: rotation R of the child and the axes in the world, from that of its parent P (3 x 4 both) and the
 * angles. */
void chain_follow(const struct chain *k, const double *P, const double *q, double *R, double axes[3][3]);

/* Angles of the joint between two bodies with rotations P (parent) and R, both 3 x 4, rows of four: of the many
 * that there are those nearest to what q holds; and the axes there, in the world. A relative rotation that the chain
 * cannot reach (one or two axes, or oblique ones) gives the angles of one close to it. */
void chain_read(const struct chain *k, const double *P, const double *R, double *q, double axes[3][3]);

/* Dual vectors of the axes: dual i . axis j = (i == j), within the space that the axes span. Returns the volume that
 * the axes span, 1 when perpendicular, 0 at gimbal lock, where the duals are only bounded, not dual. */
double chain_dual(int n, double axes[3][3], double dual[3][3]);

#endif

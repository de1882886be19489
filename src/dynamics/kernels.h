/* Private to src/dynamics. What the kernels see of a creature, and the table of kernels for one set of vector
 * instructions and number of lanes. */
#ifndef MUYBRIDGE_KERNELS_H
#define MUYBRIDGE_KERNELS_H

#include <stddef.h>

#include "dynamics/dynamics.h"

/* A dof as the kernels like it: what they need of it in two cache lines. */
struct kernel_body {
  int parent;
  int axis;                /* enum axis_kind; dofs 0..2 slide, the rest turn            */
  int has_offset, has_mass;
  int needs_field;         /* acceleration of other points than the origin is asked for */
  int pad;
  double sign;             /* -1: turns about the coordinate axis the other way         */
  double mass;
  double direction[3];
  double offset[3];
  double moment1[3];
  double moment2[6];
};

struct kernel_point {
  int body;
  double at[3];
};

struct kernel_tree {
  int n;
  double gravity;          /* downwards, > 0                                            */
  const struct kernel_body *bodies;
  const struct kernel_point *points;
};

struct kernel_table {
  int lanes;
  const char *instructions;
  size_t scratch;          /* bytes per dof                                             */
  void (*inverse)(const struct kernel_tree *t, void *scratch, const double *q, const double *v, const double *a,
                  double *tau);
  void (*mass_matrix)(const struct kernel_tree *t, void *scratch, const double *q, double *M);
  void (*residual)(const struct kernel_tree *t, void *scratch, const double *const qva[3],
                   const struct dynamics_contacts *contacts, double *tau, double *position);
  void (*derivatives)(const struct kernel_tree *t, void *scratch, const double *const qva[3],
                      const struct dynamics_contacts *contacts, struct dynamics_derivatives *out);
  void (*curvature)(const struct kernel_tree *t, void *scratch, const double *const qvaw[4],
                    const struct dynamics_contacts *contacts, struct dynamics_curvature *out);
};

extern const struct kernel_table kernels_generic_x1, kernels_generic_x4, kernels_avx2_x1, kernels_avx2_x4;

#endif

/* The dynamics kernels for one number of lanes and one set of vector instructions.
 *
 * Compiled once for each pair: LANES is 1 or 4, KERNELS the name of the table, INSTRUCTIONS what to call the set. */
#include "dynamics/kernel_curvature.h"
#include "dynamics/kernel_inverse.h"

#define TREE_BYTES (sizeof(struct place) + sizeof(struct motion) + sizeof(struct touch) + sizeof(struct virtual))

const struct kernel_table KERNELS = {
  .lanes = LANES,
  .instructions = INSTRUCTIONS,
  .scratch = TREE_BYTES > sizeof(struct motion_state) ? TREE_BYTES : sizeof(struct motion_state),
  .inverse = kernel_inverse,
  .mass_matrix = kernel_mass_matrix,
  .residual = kernel_residual,
  .derivatives = kernel_derivatives,
  .curvature = kernel_curvature,
};

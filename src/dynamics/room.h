/* Private to src/dynamics. The scratch memory behind struct dynamics. */
#ifndef MUYBRIDGE_DYNAMICS_ROOM_H
#define MUYBRIDGE_DYNAMICS_ROOM_H

#include "dynamics/kernels.h"

struct body_frame {
  double rotation[9];           /* row-major, columns are the body's axes            */
  double origin[3];             /* in the world [m]                                  */
  double axis[3];               /* of its dof, in the world                          */
};

struct dynamics {
  struct kernel_tree tree;
  const struct kernel_table *one, *four;
  void *scratch;                /* of the kernels                                    */
  struct body_frame *frames;    /* by dynamics_kinematics()               (n)        */
  double *M;                    /* by dynamics_forward()                  (n x n)    */
  double *bias, *zero;          /* work vectors; zero stays zero          (n each)   */
};

#endif

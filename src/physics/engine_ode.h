/* Private to src/physics. What the files of the ODE engine share. ODE's types and calls stay in engine_ode*.c
 * (tests/layers.sh). */
#ifndef MUYBRIDGE_ENGINE_ODE_H
#define MUYBRIDGE_ENGINE_ODE_H

#include <ode/ode.h>

#include "physics/room.h"

#ifndef dDOUBLE
#error "ODE with double precision is needed"
#endif

#define LOCK_VOLUME 0.4         /* axes of a joint that span less than this are near gimbal lock */

/* Implicit spring-dampers of one joint, one row of constraints for each dof (engine_ode_motor.c). */
struct ode_motor {
  dJointID joint;               /* AMotor, NULL when there is nothing to do           */
  dJointFeedback feedback;
  double kp[3], kd[3], limit[3];
  double damping[3];            /* h kp + kd                                          */
  double most[3];               /* limit of each row's torque that ODE has now        */
  double plain[3];              /* torque without a row, where damping is 0           */
  double speed[3];              /* that it would give to a dof without inertia        */
  int turning;                  /* axes must be set anew at every step                */
  int has_plain;                /* some damping is 0                                  */
};

/* Beside struct body. */
struct ode_body {
  const struct body *body;
  const struct ode_body *parent; /* NULL: the root                                    */
  dBodyID id;
  const double *spin;           /* ODE's own angular velocity                         */
  int oblique;                  /* two axes that are not perpendicular                */
  double dual[3][3];            /* of the axes in the world, by ode_update()          */
  double volume;                /* that the axes span                                 */
  struct ode_motor servo;
  struct ode_motor tissue;      /* of all tissue that spans the joint: kp is 0; kd by ode_tissue_prepare() */
  dJointID stop;                /* AMotor that keeps the ranges; NULL: no ranges      */
  int held;                     /* bit i: its row i is in use                         */
};

/* Beside struct probe. */
struct ode_contact {
  dJointFeedback feedback;
  double normal[3], ahead[3];   /* of the ground there; first direction of friction   */
  double bound;                 /* most friction, in each direction; < 0: ODE's guess */
  double last_bound, last_most; /* in the try before; what it should have been        */
};

/* A body of ODE's as it is, to the bit; force and torque that have been added up for the next step. */
struct ode_frozen {
  double x[3], q[4], R[12], u[3], s[3], force[3], torque[3];
};

struct ode {
  dWorldID world;
  dThreadingImplementationID threading;
  dJointGroupID touching;       /* contacts of one step                               */
  int broken;                   /* ODE gave up inside a step: build it anew           */
  struct ode_body *bodies;      /* (n_bodies)                                         */
  struct ode_contact *contacts; /* (n_probes)                                         */
  dJointFeedback touches[WORLD_TOUCHES]; /* of limbs that touch each other            */
  struct ode_frozen *frozen;    /* scratch: bodies before a step          (n_bodies)  */
  struct world *predictor;      /* of creatures with tissue over two joints: the tree engine; no state */
  double *inertia;              /* of each dof in the rest pose; of creatures with tissue (n_dofs) */
  double *speed;                /* at the start of the step, likewise     (n_dofs)    */
  double *tissue_torque, *tissue_damping; /* u, D: tissue gives u - D v'  (n_dofs)    */
};

/* engine_ode_state.c: between q and the bodies. Parts of struct engine, but for the last. */
void ode_place(struct world *w);               /* bodies from w->q and w->v          */
int  ode_is_sane(const struct world *w);
void ode_update(struct world *w);              /* angles and axes from the bodies    */
void ode_velocity(const struct world *w, double *v);
void ode_momentum(const struct world *w, double *com, double *momentum, double *angular);
void ode_motion(const struct world *w, int body, double *u, double *spin);
void ode_relative_spin(const struct ode_body *o, double *spin); /* against its parent */

/* engine_ode_tissue.c: tissue as a torque u - D v' of each dof by itself, v' at the end of the step. */
int  ode_tissue_open(struct world *w);         /* 0: that could not be done          */
void ode_tissue_close(struct world *w);
void ode_tissue_prepare(struct world *w, const struct world_target *target); /* only where there is tissue */

/* engine_ode_motor.c: servos, tissue and ranges. */
void ode_motor_build(struct world *w, struct ode_body *o);
int  ode_motor_prepare(struct world *w, const struct world_target *target); /* 0: target not sane */
void ode_motor_collect(struct world *w);       /* torques of the step                */

/* engine_ode_contact.c: contacts of a step, and how large friction in them may be. */
void ode_contact_guess(struct world *w);       /* bounds of friction, from the last step */
void ode_contact_prepare(struct world *w);
int  ode_contact_settled(struct world *w);     /* was the guess good? 0: there is a better one, step again */
void ode_contact_collect(struct world *w);

#endif

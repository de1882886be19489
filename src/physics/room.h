/* What the files of this room share. Inside of src/physics only.
 *
 * ODE works in units in which the creature's mass m, its standing height L and gravity g are 1: its built-in tolerances then fit a fly
 * and a horse alike. Everything below is in these units unless said. */
#ifndef MUYBRIDGE_PHYSICS_ROOM_H
#define MUYBRIDGE_PHYSICS_ROOM_H

#include <ode/ode.h>

#include "base/arena.h"
#include "physics/chain.h"
#include "physics/world.h"

#ifndef dDOUBLE
#error "ODE with double precision is needed"
#endif

#define WORLD_CFM       1e-10   /* of all constraints that are meant to be hard                       */
#define WORLD_ERP       0.2     /* share of a joint's error that a step corrects                      */
#define LOCK_VOLUME     0.4     /* axes of a joint that span less than this are near gimbal lock      */
#define FASTEST         1e3     /* a body faster than this [sqrt(g L)] is lost                        */
#define FASTEST_TURN    1e5     /* [sqrt(g / L)]                                                      */
#define SHAPE_CLEARANCE 0.03    /* limbs that come so near to the ground at rest [L] touch it by the points of feet only */
#define FARTHEST        1e7     /* [L]                                                                */

/* Implicit spring-dampers of one joint, one row of constraints for each dof (motor.c). */
struct motor {
  dJointID joint;               /* AMotor, NULL when there is nothing to do           */
  dJointFeedback feedback;
  double kp[3], kd[3], limit[3];
  double yield[3];              /* h kp + kd                                          */
  double most[3];               /* torque that ODE was told as the limit of each row  */
  double plain[3];              /* torque without a row, where yield is 0             */
  double speed[3];              /* that it would give to a dof without inertia        */
  int turning;                  /* axes must be set anew at every step                */
};

/* Limbs that move as one, and the joint that ties them to their parent. Frames of body and limb are parallel. */
struct body {
  dBodyID id;
  const double *x, *R, *spin;   /* ODE's own place of the centre of mass, rotation (3 x 4), angular velocity */
  int parent;                   /* body; -1 for the root                              */
  int first, n;                 /* dofs of its joint; the root's are 3, 3             */
  struct chain chain;
  double place[3];              /* of the joint, from the parent's centre of mass     */
  double com[3];                /* from the joint, which is the origin of its frame   */
  int oblique;                  /* two axes that are not perpendicular                */
  double axes[3][3], dual[3][3];/* in the world, now, by state_update()               */
  double volume;                /* that the axes span                                 */
  struct motor servo, spring;
  dJointID stop;                /* AMotor that keeps the ranges; NULL: no ranges      */
  int held;                     /* bit i: its row i is in use                         */
};

/* A place on a body that may touch the ground. */
struct probe {
  int body, limb, point;        /* point: of the creature; -1: a shape's              */
  double at[3];                 /* from the body's centre of mass                     */
  double radius;                /* of a ball around it                                */
  double spread[6];             /* of an ellipsoid: F diag(half axes^2) F^T; else 0   */
  dJointFeedback feedback;
  int on;                       /* in this step                                       */
};

struct push {
  int32_t body, limb;
  double force[3], at[3];       /* at: from the body's centre of mass                 */
  double left;                  /* time                                               */
};

/* What a step leaves to the next beside the bodies, in one piece, so that saving is copying. */
struct head {
  uint64_t steps;
  int32_t lost, n_pushes;
  struct push pushes[WORLD_PUSHES];
};

struct world {
  struct arena *arena;
  const struct creature *c;
  struct world_options options;
  double length, time, force, torque; /* units, in SI                                 */
  double h;
  dWorldID ode;
  dThreadingImplementationID threading;
  dJointGroupID touching;       /* contacts of one step                               */
  int broken;                   /* ODE gave up inside a step: build it anew           */
  int limp;                     /* servos are off                                     */
  int n_bodies, n_probes;
  struct body *bodies;          /* parents first                                      */
  int *body_of;                 /* by dof whose body it is                  (n_dofs)  */
  struct probe *probes;         /* contact points first                               */
  double *scratch;              /* (n_dofs)                                           */
  size_t block_size;
  struct head *head;            /* start of the block; then:                          */
  double *q;                    /* angles, continuous; the root's place too (n_dofs)  */
  double *torques;              /* of the last step                         (n_dofs)  */
  double *forces, *limb_forces; /* (n_points x 3), (n_limbs x 3)                      */
  unsigned char *on, *limb_on;  /* (n_points), (n_limbs)                              */
};

/* build.c: bodies and joints from the creature; then ODE's from these, at zero angles. */
void build_bodies(struct world *w);
void build_ode(struct world *w);
void build_discard(struct world *w);

/* state.c: between q and the bodies. */
int  state_set(struct world *w, const double *q, const double *v); /* 0: not finite                               */
int  state_sane(const struct world *w);        /* are all bodies where and as fast as bodies can be?             */
void state_update(struct world *w);            /* angles and axes from the bodies                                */
void state_relative_spin(const struct world *w, const struct body *b, double *spin);

/* motor.c */
void motor_build(struct world *w, struct body *b);
int  motor_prepare(struct world *w, const struct world_target *target); /* 0: target not finite */
void motor_collect(struct world *w);

/* contact.c */
void contact_build(struct world *w);           /* needs the bodies in the rest pose */
void contact_prepare(struct world *w);
void contact_collect(struct world *w);

#endif

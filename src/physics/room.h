/* What the files of this room share. Inside of src/physics only.
 *
 * ODE works in units in which the creature's mass m, its standing height L and gravity g are 1: its built-in
 * tolerances then fit a fly and a horse alike. Everything below is in these units unless said. */
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
#define SHAPE_CLEARANCE 0.03    /* parts of limbs so near to the ground at rest [L] touch it by feet's points only */
#define LARGEST_TARGET  1e6     /* all of one target together, [rad], [sqrt(g / L)], [m g L]            */
#define LARGEST_PUSH    1e6     /* [m g]                                                              */
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
  int has_plain;                /* some yield is 0                                    */
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
  double normal[3], ahead[3];   /* of the ground there; first direction of friction   */
  double grip;                  /* most friction, in each direction; < 0: ODE's guess */
  double last_grip, last_most;  /* in the try before; what it should have been        */
};

/* Scratch of the engine in our own coordinates (own.c). */
struct own;

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
  double per_torque;            /* 1 / torque                                         */
  double h;
  struct own *own;              /* NULL: ODE                                          */
  dWorldID ode;
  dThreadingImplementationID threading;
  dJointGroupID touching;       /* contacts of one step                               */
  int broken;                   /* ODE gave up inside a step: build it anew           */
  int limp;                     /* servos are off                                     */
  int n_bodies, n_probes;
  struct body *bodies;          /* parents first                                      */
  int *body_of;                 /* by dof whose body it is                  (n_dofs)  */
  struct probe *probes;         /* contact points first                               */
  struct frozen *frozen;        /* scratch: bodies before a step            (n_bodies)*/
  size_t block_size;
  struct head *head;            /* start of the block; then:                          */
  double *q;                    /* angles, continuous; the root's place too (n_dofs)  */
  double *v;                    /* speeds, of our own engine only           (n_dofs)  */
  double *torques;              /* of the last step                         (n_dofs)  */
  double *forces, *limb_forces; /* (n_points x 3), (n_limbs x 3)                      */
  unsigned char *on, *limb_on;  /* (n_points), (n_limbs)                              */
};

/* A body of ODE's as it is, to the bit; force and torque that have been added up for the next step. */
struct frozen {
  double x[3], q[4], R[12], u[3], s[3], force[3], torque[3];
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
int  motor_target_is_sane(const struct world *w, const struct world_target *t);
int  motor_prepare(struct world *w, const struct world_target *target); /* 0: target not sane */
void motor_collect(struct world *w);

/* contact.c */
void contact_build(struct world *w);           /* needs the bodies in the rest pose */
double contact_depth(const struct world *w, const struct probe *p, double *x, double *normal);
void contact_ahead(const double *ahead, const double *normal, double *direction);
void contact_guess(struct world *w);           /* of how much each may grip, from the last step          */
void contact_prepare(struct world *w);
int  contact_settled(struct world *w);         /* was the guess good? 0: there is a better one, step again */
void contact_collect(struct world *w);         /* what the step left in the probes' feedback */

/* own.c: the same step in our own coordinates. Bodies' places, rotations and axes are its own, and up to date. */
void own_build(struct world *w);
void own_place(struct world *w);               /* bodies at w->q                    */
void own_push(struct world *w, int body, const double *force, const double *at); /* in the next step */
int  own_step(struct world *w, const struct world_target *target); /* 0: lost       */
void own_momentum(const struct world *w, double *com, double *momentum, double *angular);

#endif

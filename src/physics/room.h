/* Private to src/physics. What the files of this room share: a world without its engine, and what an engine is. No type
 * of a foreign library appears here.
 *
 * Everything is in units in which the creature's mass m, its standing height L and gravity g are 1, unless said:
 * built-in tolerances of engines then fit a fly and a horse alike. */
#ifndef MUYBRIDGE_PHYSICS_ROOM_H
#define MUYBRIDGE_PHYSICS_ROOM_H

#include "base/arena.h"
#include "physics/chain.h"
#include "physics/world.h"

#define WORLD_CFM       1e-10   /* softness of all constraints that are meant to be hard              */
#define WORLD_ERP       0.2     /* share of a joint's error that a step corrects                      */
#define FASTEST         1e3     /* a body faster than this [sqrt(g L)] is lost                        */
#define FASTEST_TURN    1e5     /* [sqrt(g / L)]                                                      */
#define FARTHEST        1e7     /* [L]                                                                */
#define SHAPE_CLEARANCE 0.03    /* parts of limbs so near to the ground at rest [L] touch it by feet's points only */
#define LARGEST_TARGET  1e6     /* all of one target together, [rad], [sqrt(g / L)], [m g L]          */
#define LARGEST_PUSH    1e6     /* [m g]                                                              */

/* Limbs that move as one, and the joint that connects them to their parent. Frames of body and limb are parallel. */
struct body {
  const double *x, *R;          /* centre of mass, rotation (3 x 4): memory of the engine, current between steps */
  int parent;                   /* body; -1 for the root                              */
  int first, n;                 /* dofs of its joint; the root's are 3, 3             */
  struct chain chain;
  double place[3];              /* of the joint, from the parent's centre of mass     */
  double com[3];                /* from the joint, which is the origin of its frame   */
  double axes[3][3];            /* in the world, by the engine's update()             */
};

/* A place on a body that may touch the ground. */
struct probe {
  int body, limb, point;        /* point: of the creature; -1: a shape's              */
  double at[3];                 /* from the body's centre of mass                     */
  double radius;                /* of a ball around it                                */
  double spread[6];             /* of an ellipsoid: F diag(half axes^2) F^T; else 0   */
  int on;                       /* in contact in the last step; by the engine's step() */
  double force[3];              /* of the ground in that step, if on; by step()        */
};

/* Two limbs that touch, or may do so in this step: by limb_contact_find(), before the step. */
struct touch {
  int limb[2], body[2];         /* a, b                                               */
  double gap;                   /* below 0: depth                                     */
  double x[3];                  /* halfway between the surfaces                       */
  double u[3][3];               /* normal from b to a; two directions of friction     */
  double out;                   /* they must part at least so fast, below 0: they may near so fast */
  double force[3];              /* on a in the step; by the engine's step()           */
};

struct push {
  int32_t body, limb;
  double force[3], at[3];       /* at: from the body's centre of mass                 */
  double left;                  /* time                                               */
};

/* What a step leaves to the next beside the engine's own state, in one piece, so that saving is copying. */
struct head {
  uint64_t steps;
  int32_t lost, n_pushes;
  int32_t chart, unused;        /* in which the root's rotation is written: chart.h   */
  double angles[3];             /* yaw, pitch and roll while that is not theirs       */
  struct push pushes[WORLD_PUSHES];
};

struct world {
  struct arena *arena;
  const struct creature *c;
  struct world_options options;
  double length, time, force, torque; /* units, in SI                                 */
  double per_torque;            /* 1 / torque                                         */
  double h;
  const struct engine *engine;
  void *engine_data;            /* by its open()                                      */
  struct limb_contacts *limbs;  /* by limb_contact_build(); NULL: limbs do not touch  */
  struct passive *passive;      /* tissue, by passive_open(); NULL: there is none     */
  struct reduced *reduced;      /* of engines in reduced coordinates, by reduced_open(); else NULL */
  int limp;                     /* servos are off                                     */
  int n_bodies, n_probes;
  struct body *bodies;          /* parents first                                      */
  int *body_of;                 /* by dof whose body it is                  (n_dofs)  */
  struct probe *probes;         /* contact points first                               */
  size_t block_size;
  struct head *head;            /* start of the block; then:                          */
  double *q;                    /* angles, continuous; the root's place too; see chart.h (n_dofs) */
  double *v;                    /* speeds: as set; as they are in reduced coordinates (n_dofs) */
  double *torques;              /* of servos in the last step               (n_dofs)  */
  double *forces, *limb_forces; /* (n_points x 3), (n_limbs x 3)                      */
  unsigned char *on, *limb_on;  /* (n_points), (n_limbs)                              */
};

/* ---- what an engine is ----
 * world.c does what all share (units, pushes in time, lost worlds, the saved block); the engine does the rest. A step
 * reads w->q (and w->v), and leaves w->torques, on and force of the probes, by contact_collect() those of points and
 * limbs. Nothing in it may end the program: a foreign library's errors are caught in the engine's file. */
struct engine {
  /* Makes its data from w->bodies, sets x and R of these. 0: that could not be done. */
  int (*open)(struct world *w);
  void (*close)(struct world *w);

  /* Puts the creature at w->q, w->v, also after a step that failed. */
  void (*set)(struct world *w);

  /* One step; target NULL: limp. 0: it failed; then only set(), restore() and close() follow. */
  int (*step)(struct world *w, const struct world_target *target);

  /* Adds a force on a body at a place (from its centre of mass, in its frame) during the next step. */
  void (*push)(struct world *w, int body, const double *force, const double *at);

  /* Velocity of a body's centre of mass, and its spin (3 each). In reduced coordinates: of a body that is placed. */
  void (*motion)(const struct world *w, int body, double *u, double *spin);

  /* Are all bodies where and as fast as bodies can be? */
  int (*is_sane)(const struct world *w);

  /* After set(), step() and restore(): w->q, and axes of bodies that may touch the ground. */
  void (*update)(struct world *w);

  /* Speeds in SI (n_dofs); centre of mass, momentum and angular momentum about it, in units (3 each). */
  void (*velocity)(const struct world *w, double *v);
  void (*momentum)(const struct world *w, double *com, double *momentum, double *angular);

  /* Its state beyond the block; each may be NULL. */
  size_t (*state_size)(const struct world *w);
  void (*save)(const struct world *w, void *state);
  void (*restore)(struct world *w, const void *state);
};

/* engines.c: the engines of this build; NULL: it does not have this one. */
const struct engine *engine_get(int engine);

/* bodies.c: bodies and joints from the creature. */
void bodies_build(struct world *w);

/* world.c: are these numbers that a creature could follow? */
int  world_target_is_sane(const struct world *w, const struct world_target *t);

/* contact.c: places that may touch the ground, and how deep they are in it. */
void contact_build(struct world *w);           /* needs the bodies in the rest pose                          */
double contact_depth(const struct world *w, const struct probe *p, double *x, double *normal);
void contact_ahead(const double *ahead, const double *normal, double *direction);
void contact_collect(struct world *w);         /* from on and force of the probes to points and limbs        */

/* limb_contact.c: limbs that touch each other. Nothing of it is state: what it remembers from step to step only tells
 * which pairs cannot touch yet. */
struct limb_contacts {
  int n_touches;                /* of the last step                                   */
  struct touch touches[WORLD_TOUCHES];
  int n_solids, n_pairs;
  unsigned now;                 /* counts limb_contact_find()                         */
  struct limb_solid *solids;    /* limbs that keep apart from others      (n_solids)  */
  struct limb_near *pairs;      /* in the creature's order                 (n_pairs)  */
  double *seen;                 /* q of the last limb_contact_find()        (n_dofs)  */
  double *radius, *arm;         /* of a body's solids about its joint; from its parent's joint to its own (n_bodies) */
  double *turned, *moved;       /* scratch                                (n_bodies)  */
  double *travel;               /* at most so far have a body's solids moved until now (n_bodies) */
  double *reach;                /* that, and what they may move soon      (n_bodies)  */
};
void limb_contact_build(struct world *w);      /* needs the bodies                                           */
void limb_contact_find(struct world *w);       /* at the start of a step                                     */
void limb_contact_forget(struct world *w);     /* touches of the last step                                   */

#endif

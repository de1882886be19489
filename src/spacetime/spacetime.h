/* Physically valid motion from nothing: cyclic gaits from a creature's rest pose, transitions between clips.
 *
 * doc/spacetime.md has the formulation. A solve either gives a clip, or a report that says what stood in the way. */
#ifndef MUYBRIDGE_SPACETIME_H
#define MUYBRIDGE_SPACETIME_H

#include "base/arena.h"
#include "motion/clip.h"
#include "nlp/nlp.h"

struct spacetime_options {       /* by spacetime_defaults()                          */
  int max_iterations;
  int patience;                  /* of a single solve that was led astray, see nlp.h  */
  double max_seconds;            /* of processor time, in all                         */
  int limited_memory;            /* BFGS instead of exact second derivatives: to compare with */
  int whole_cycle;               /* do not use the symmetry of half cycles           */
  int (*progress)(void *user, const struct nlp_progress *p); /* 0 stops; may be NULL */
  void *user;
};
void spacetime_defaults(struct spacetime_options *o);

/* A coordinate of the pose that a clip should keep near a value: weight (q - value)^2 in every frame, in units of the
 * biomechanical cost of a frame (of a task_pull: of the task). Its bias to the rest pose is taken off. */
#define SPACETIME_TARGETS 4      /* at most                                          */
struct posture_target {
  int dof;
  double from, to;               /* in the first and the last frame of a transition; of a cycle the same [m], [rad] */
  double weight;                 /* per m^2 or rad^2                                 */
};

/* What the user of a clip will ask of it, where along the clip: the task term of equation 6 of the 2013 paper, as pulls towards a velocity over the
 * ground and a heading of the torso, in the clip's own frame of reference. For costs that are the expectation over what may be asked, quadratic in the
 * error, weight and mean are all that matters. */
struct task_pull {
  double velocity_weight, velocity[2];   /* per (m/s)^2, [m/s]                       */
  double torso_weight, torso;            /* per rad^2, [rad]                         */
  int n_targets;
  struct posture_target targets[SPACETIME_TARGETS]; /* `from` only                   */
};
struct spacetime_task {
  double alpha;                  /* of the logarithm of the biomechanical cost of each frame; the paper takes 0.1 to 1 */
  void (*at)(void *user, double along, struct task_pull *out); /* along: 0 at the first frame, 1 at the last */
  void *user;
};

struct gait_request {
  const struct creature *c;
  int gait;                      /* index into creature->gaits                       */
  double speed;                  /* [m/s]                                            */
  double strafe;                 /* direction of travel, to the left of the nose [rad] */
  int frames;                    /* of the cycle; 0: searched for around the gait's period */
  const struct clip *near;       /* a solved clip of the same gait to start from; may be NULL */
  int n_targets;                 /* postures to keep                                 */
  const struct posture_target *targets;
  const struct spacetime_task *task; /* may be NULL                                  */
};

struct transition_request {
  const struct creature *c;
  const struct clip *from, *to;  /* leaves `from` at frames from_frame, from_frame + 1   */
  int from_frame, to_frame;      /* arrives in `to` at frames to_frame, to_frame + 1     */
  int from_id, to_id;            /* of these clips in the run file, for the record        */
  double turn;                   /* of the heading, to the left [rad]                     */
  int frames;                    /* in all, with the four shared ones; 0: chosen          */
  int n_targets;                 /* postures to keep                                      */
  const struct posture_target *targets;
  const struct spacetime_task *task; /* may be NULL                                       */
};

enum spacetime_status {
  SPACETIME_SOLVED,
  SPACETIME_REFUSED,             /* cannot be, said before solving                        */
  SPACETIME_FAILED,              /* the optimizer found no motion                         */
  SPACETIME_REJECTED,            /* found one that no one would want: crouched, wasteful  */
  SPACETIME_STOPPED              /* by the caller                                         */
};

struct spacetime_iteration { int iteration; double objective, infeasibility, dual_infeasibility; };

struct spacetime_report {
  enum spacetime_status status;
  char reason[512];              /* empty when solved: which constraint, by how much, where, what to try */
  struct nlp_result nlp;         /* of the last solve                                     */
  int n_vars, n_rows;
  double seconds;                /* of processor time in all, the search over tempo included */
  double seconds_evaluating, seconds_hessian; /* of these, of the solves that led to the result, in the problem's functions; in second derivatives */
  int joined;                    /* a transition made of parts that were found one by one: 1, 2 through a third gait */
  int solves;
  int half_cycle;                /* solved with mirror symmetry                           */
  double cost;                   /* the objective, in its own units                       */
  int n_history;
  struct spacetime_iteration history[400]; /* of the last solve                           */
};

/* NULL when not solved. The clip lives in the arena. */
struct clip *spacetime_gait(struct arena *arena, const struct gait_request *r, const struct spacetime_options *o,
                            struct spacetime_report *report);
struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report);

/* How many frames it would have if nobody asked for a number; 0 for a request that would be refused. */
int spacetime_transition_frames(struct arena *arena, const struct transition_request *r);

/* How many it needs at least for what the ground can give: that limits how fast a runner turns, speeds up or brakes. */
int spacetime_least_frames(const struct transition_request *r);

/* What a clip costs and how it is used: for summaries and figures. */
struct clip_summary {
  double period, stride;         /* [s], [m]; of a transition: duration, distance         */
  double speed;                  /* mean, over the ground [m/s]                           */
  double cost_of_transport;      /* mean of |torque * rate| over m g v                    */
  double peak_torque;            /* largest of a joint, over m g L                        */
  int peak_torque_dof;
  double peak_force;             /* largest vertical force of a point, body weights       */
  int peak_force_point;
  double lowest_root;            /* height of the root over L                             */
};
void spacetime_summarize(struct arena *arena, const struct creature *c, const struct clip *clip,
                         struct clip_summary *out);

#endif

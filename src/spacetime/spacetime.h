/* Spacetime: physically valid motion with no motion data. Cyclic gaits from a creature's rest pose, transitions between
 * clips.
 *
 * A request becomes a contact schedule, a nonlinear problem over all frames at once, a solution by Ipopt, and a clip;
 * or a report that says what stood in the way. doc/spacetime.md has the formulation.
 *
 * Gives:     spacetime_gait(), spacetime_transition(), what they would need, and a summary of a clip.
 * May call:  base, creature, dynamics, motion (clips, the verifier), nlp.
 * Inside:    cycle.c (gaits), transition*.c, footholds.c, schedule*.c, leap.c: from a request to a problem and back;
 *            rounds.c: solving, judging, explaining; problem*.c: the problem; formulation.h: the table of constraint
 *            families (rows_*.c) and cost terms (cost_*.c). All other headers of this room are private to it. */
#ifndef MUYBRIDGE_SPACETIME_H
#define MUYBRIDGE_SPACETIME_H

#include "base/arena.h"
#include "motion/clip.h"
#include "nlp/nlp.h"

struct formulation;

/* By spacetime_defaults(). Lengths are leg lengths or standing heights L, forces body weights, torques m g L. The
 * numbers behind each field are its default; they were set on the zoo's gaits and transitions
 * (tests/spacetime/survey.c). */
struct spacetime_options {
  int max_iterations;            /* 300, of a single solve                                                        */
  int patience;                  /* 0: without end; of a single solve that was led astray, see nlp.h              */
  double max_seconds;            /* 60, of processor time, in all                                                 */
  int limited_memory;            /* BFGS instead of exact second derivatives: to compare with                     */
  int whole_cycle;               /* do not use the symmetry of half cycles; never used if the creature has none   */
  const struct formulation *formulation; /* constraints and costs; NULL: all of the table, see formulation.h     */
  int (*progress)(void *user, const struct nlp_progress *p); /* 0 stops; may be NULL                              */
  void *user;

  /* what a motion must keep */
  double swing_height;           /* 0.10 leg lengths, of a foot in the middle of its swing, at least              */
  double free_end_depth;         /* 0.02 L: how deep the end of a limb's centre line may go; limbs are round, and end
                                    a little before it                                                            */
  double feet_apart;             /* 0.4 of their sideways distance at rest, left and right feet, at least         */
  double lane;                   /* 0.12 leg lengths: how far a swinging foot may stray from its lane, at most    */
  double feet_apart_room;        /* 1.5: so much less in a transition at lift-off and touch-down, as the heading turns
                                    while both feet stand                                                         */
  double lane_room;              /* 0.5 leg lengths: the lane is wider there, likewise                            */
  double landing_speed;          /* 0.045 sqrt(g leg length), along each axis, of a foot that comes down or leaves, at
                                    most: less than half of what the verifier allows. INFINITY: any               */
  double torque_change;          /* 0.16 of an axis' peak: how much a torque of muscles may change between
                                    frames, in a gait, where it can; some more remains, as peaks change. 0: any   */
  int torque_iterations;         /* 50, of a solve with rows for that: those that succeed take 10 to 45           */
  int torque_rounds;             /* 6: of these solves                                                            */
  double torque_threshold;       /* 1e-11, of pivots (nlp.h) in these: with 1e-9, one in ten factorisations of a
                                    kangaroo's fast hop broke off as singular, and solves took three times as long */
  double lowest_root;            /* 0.6 L, at every frame                                                         */
  double limb_margin;            /* 0.01 of the thinner limb's radius: by so much limbs keep apart                */
  double ground_depth;           /* 0.005 L: so deep a limb may be in the ground, at frames, beyond its depth at rest */
  double limb_depth;             /* 0.03 of that radius: so deep they may be in each other, between frames        */
  int early_iterations;          /* 80, with rows of limbs that a guess lets expect, before it goes on without them  */
  double leg_reach;              /* 1.25 of what a leg spans: how far a standing foot may travel under the body; pelvis
                                    and spine add to the leg                                                      */
  double cone_margin;            /* 4e-8 squared body weights: how far inside the friction cone forces stay       */

  /* motions that keep all that, and that nobody would want */
  double lowest_mean_root;       /* 0.65 L: below, it crouches                                                    */
  double highest_torque;         /* 20 m g L, of a joint                                                          */

  /* rounds of solves */
  int choose_rounds;             /* 12: with rows that the solution before lacked, such as torque limits           */
  int task_rounds;               /* 4: of the task term, each with the cost of the one before                     */

  /* how a gait starts */
  unsigned guesses;              /* 3: which first guesses are tried where the solver would else start from nothing, bit
                                    by bit: 1 legs folded in their swing, 2 the rest pose; the cheapest is kept    */

  /* tempo of a gait */
  double tempo_range;            /* 0.2 of the gait's period: how far the search for a cheaper one may go         */
  int large;                     /* 1100 coordinates of all frames: from so many on, a coarse solve comes first; a
                                    horse's gait takes half the time so, a biped's would take a third longer      */

  /* how long a transition takes, and when it is made of parts */
  double grip_at_ease, grip_at_most; /* 0.6, 0.75 of the friction there is, on the way                            */
  double sideways_reach;         /* 1.33 leg lengths, of a foot in a cycle, from one side to the other            */
  double longest_piece;          /* 3 cycles: what takes longer is quicker to find in two parts                   */
  double longest_change;         /* 2 cycles: likewise, into another gait, if there is one between                */
  double largest_on_spot;        /* 2e6, frames x DOFs squared: likewise, where it turns on the spot; a dog's turn by
                                    180 degrees has 1.1e6, a centipede's by 45 has 2.8e6                          */
  double longest_polished;       /* 6 cycles: longer wholes converge too slowly from their parts                  */
  double least_turn_divided;     /* 0.5 rad                                                                       */
  double gaits_apart;            /* 1.2: ratio of speeds, at least, for a gait to lie between two others          */

  /* attempts at a transition in one piece */
  double attempt_share;          /* 0.4 of the time that is left, for one attempt                                 */
  int one_attempt;               /* 0; 1: no other after the first, no more time, no parts                        */
  int attempt_patience;          /* 5 iterations, with an attempt that was led astray while there are others      */
  double hopeless_roughness;     /* 3 times the verifier's bar: smoothing alone has never mended that             */
};
void spacetime_defaults(struct spacetime_options *o);

/* A coordinate of the pose that a clip should keep near a value: weight (q - value)^2 in every frame, in units of the
 * biomechanical cost of a frame (of a task_gradient: of the task). Coordinates that a mirror turns about have targets
 * of 0 only in cycles that are solved by halves. */
#define SPACETIME_TARGETS 4      /* at most                                          */
struct posture_target {
  int dof;
  double from, to;               /* in the first and the last frame of a transition; of a cycle the same [m], [rad] */
  double weight;                 /* per m^2 or rad^2                                 */
};

/* What the user of a clip will ask of it, where along the clip: the task term of equation 6 of the 2013 paper, as a
 * target velocity over the ground and a target heading of the torso, in the clip's own frame of reference, with
 * weights. For costs that are the expectation over what may be asked, quadratic in the error, weight and mean are all
 * that matters. */
struct task_gradient {
  double velocity_weight, velocity[2];   /* per (m/s)^2, [m/s]                       */
  double torso_weight, torso;            /* per rad^2, [rad]                         */
  int n_targets;
  struct posture_target targets[SPACETIME_TARGETS]; /* `from` only                   */
};
struct spacetime_task {
  double alpha;                  /* of the logarithm of the biomechanical cost; the 2013 paper takes 0.1 to 1 */
  void (*at)(void *user, double along, struct task_gradient *out); /* along: 0 at the first frame, 1 at the last */
  void *user;
};

struct gait_request {
  const struct creature *c;
  int gait;                      /* index into creature->gaits                       */
  double speed;                  /* along the ground [m/s]                           */
  double strafe;                 /* direction of travel, to the left of the nose [rad] */
  double slope;                  /* of the ground, up along the way of travel [rad]   */
  int frames;                    /* of the cycle; 0: searched for around the gait's period */
  const struct clip *near;       /* a solved clip of the same gait to start from; may be NULL */
  int near_frames;               /* with near and without frames: so many at the creature's frame rate, instead of a
                                    search for the cheapest tempo; 0: that search     */
  int n_targets;                 /* postures to keep                                 */
  const struct posture_target *targets;
  const struct spacetime_task *task; /* may be NULL                                  */
};

/* From a stand to a stand through the air, in lengths of the longest leg. Both 0: no leap. */
struct leap {
  double rise;                   /* of the centre of mass while nothing touches the ground; 0: chosen   */
  double forward;                /* from the one stand to the other                       */
};

struct style_key;               /* creature/style.h */

struct transition_request {
  const struct creature *c;
  const struct clip *from, *to;  /* leaves `from` at frames from_frame, from_frame + 1   */
  int from_frame, to_frame;      /* arrives in `to` at frames to_frame, to_frame + 1     */
  int from_id, to_id;            /* of these clips in the run file, for the record        */
  double turn;                   /* of the heading, to the left [rad]                     */
  struct leap leap;              /* between stands                                        */
  int frames;                    /* in all, with the four shared ones; 0: chosen          */
  const struct clip *near;       /* a solved transition between clips like these, to start from, with its number of
                                    frames (or those asked for, if they are the same); what comes of it is found as
                                    without it, if it does not pass as it is. May be NULL  */
  int n_targets;                 /* postures to keep                                      */
  const struct posture_target *targets;
  const struct spacetime_task *task; /* may be NULL                                       */
  int n_keys;                    /* poses to pass through, as key poses of a style: phase 0 is its first frame, 1 its
                                    last; coordinates of the root [m], [rad], from where it starts */
  const struct style_key *keys;
};

enum spacetime_status {
  SPACETIME_SOLVED,
  SPACETIME_REFUSED,             /* cannot be, reported before solving                    */
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
  double seconds_evaluating;     /* of these, in the problem's functions, by the solves that led to the result */
  double seconds_hessian;        /* of these, in second derivatives                       */
  int joined;                    /* a transition made of parts that were found one by one: 1, 2 through a third gait */
  int solves;
  int half_cycle;                /* solved with mirror symmetry                           */
  double cost;                   /* the objective, unscaled                               */
  double torque_jump;            /* of a gait: largest change of a torque between frames, over its axis' peak */
  int n_history;
  struct spacetime_iteration history[400]; /* of the last solve                           */
};

/* NULL when not solved. The clip lives in the arena. */
struct clip *spacetime_gait(struct arena *arena, const struct gait_request *r, const struct spacetime_options *o,
                            struct spacetime_report *report);
struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report);

/* How many frames it would have, with default options, if the request gave no number; 0 for a request that would be
 * refused. */
int spacetime_transition_frames(struct arena *arena, const struct transition_request *r);

/* How many it needs at least, with default options, for what the ground can give: that limits how fast a runner turns,
 * speeds up or brakes. */
int spacetime_least_frames(const struct transition_request *r);

/* How far feet that stand must reach for it, from where they stand at rest under the body, along the nominal path: the
 * farthest and the mean, in leg lengths. It tells good phases of a cycle to leave it into a stand, or to enter it from
 * one, from bad ones. A request that would be refused is infinite. */
double spacetime_transition_strain(const struct transition_request *r, const struct spacetime_options *o);

/* What a clip costs and how it is used: for summaries and figures. */
struct clip_summary {
  double period, stride;         /* [s], [m]; of a transition: duration, distance         */
  double speed;                  /* mean, over the ground [m/s]                           */
  double cost_of_transport;      /* mean of |torque * rate| over m g v; of what goes nowhere: 0 */
  double power;                  /* the same over m g sqrt(g L); not kept in run files    */
  double peak_torque;            /* largest of a joint, over m g L                        */
  int peak_torque_dof;
  double peak_force;             /* largest vertical force of a point, body weights       */
  int peak_force_point;
  double lowest_root;            /* height of the root above the ground over L            */
};
void spacetime_summarize(struct arena *arena, const struct creature *c, const struct clip *clip,
                         struct clip_summary *out);

#endif

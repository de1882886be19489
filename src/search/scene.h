/* Private to src/search. The scene of a search: the present controller and what is known of its clips. Made again after
 * every step; read-only. */
#ifndef MUYBRIDGE_SCENE_H
#define MUYBRIDGE_SCENE_H

#include "base/rng.h"
#include "policy/controller.h"
#include "search/candidate.h"

/* Numbers that shape a search. scene_settings_defaults() fills them in; all were chosen on syntheses of biped, horse
 * and triped with the tasks of the paper (doc/search.md, "Measured"). */
struct scene_settings {
  double least_share;           /* of a transition's natural length that may be asked for: no animal turns around in a
                                   step, but nothing in the physics of a point foot would prevent it              */
  double small_angle;           /* a small step of a heading, and the distance of strafes [rad]                   */
  double long_answer;           /* a turn that takes longer is asked for by halves [s]                            */
  int coverage_tries;           /* of a missing small step, until it is given up; of a missing cycle twice that   */
  int coverage_from;            /* clips; with several parameters, small steps pay only in a larger graph         */
  size_t large_grid;            /* points of the task's grid: above, gains are predicted on a coarse grid first   */
  int shortlist;                /* of those, predicted once more on the fine grid                                 */
  int paper_candidates;         /* of one step of the paper's strategy                                            */
  int evaluated;                /* solved candidates that are evaluated exactly in a step, the most promising     */
  double also_added_of_one, also_added; /* added too are those that gain this share of the best one's gain on top of
                                   it. With one parameter, only the best: a graph becomes better for its size. With
                                   several there is so much to add that this would take too long                  */
};
void scene_settings_defaults(struct scene_settings *o);

struct scene_clip {
  int id;                       /* in the run file                                                               */
  const struct clip *clip;
  int mirror;                   /* index of the clip that is its mirror image, often itself; -1: none             */
  int shift;                    /* frame k is frame k + shift there                                              */
};

struct scene {
  const struct creature *c;
  const struct task *task;
  const struct controller *controller; /* its graph has branch frames as nodes, and clips in the order of these   */
  struct scene_settings settings; /* defaults; the owner may change them before the scene is used                 */
  int branches;                 /* of a cycle                                                                     */
  int n_clips;
  struct scene_clip *clips;
  int symmetric_body;           /* the creature is its own mirror image: only then do clips have mirror images     */
  int symmetric;                /* and every cyclic clip has its mirror image: so every candidate comes twice      */
  double (*log_effort)(void *user, const struct scene *s,
                       const struct candidate *x); /* of what is not solved yet, over the first clip's */
  void *user;
  const struct predicted_gain_base *base; /* by predicted_gain_prepare(), for whoever asks predicted_gain()           */
};

/* Also determines the mirror images. Clips and controller must outlive the scene. */
struct scene *scene_new(struct arena *arena, const struct controller *controller, int branches);

/* Index of a clip by its id, -1 if it is not there. */
int scene_find(const struct scene *s, int id);

/* Node of a frame of a clip, -1 if none. */
int scene_node(const struct scene *s, int clip, int frame);

/* The candidate seen in a mirror; 0 if it cannot be, because a clip has no mirror image, or it is its own. */
int scene_mirror(const struct scene *s, const struct candidate *x, struct candidate *out);

/* A random candidate of those that the task may need. 0 if this draw gave none. */
int scene_propose(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out);

/* A transition from a cyclic clip (an index) to another or the same, from a random branch of it; of natural length, or
 * possibly shorter. 0 if this draw gave none. */
enum scene_pace { SCENE_NATURAL, SCENE_SHORTER };
int scene_passage(struct arena *scratch, const struct scene *s, struct rng *r, const int ends[2], double turn,
                  enum scene_pace pace, struct candidate *out);

/* What a cyclic clip (an index) does, against its nose: its gait, speed and strafe as they were asked for. */
struct frame_features scene_features(const struct scene *s, int clip);

/* The slowest and the fastest that are asked for of a gait with a strafe and that it has; the same where no speed is
 * asked for. Legs are made for going ahead: across, and so for all strafes beyond 30 degrees, they are slower. */
struct task_speeds scene_speeds(const struct scene *s, int gait, double strafe);

/* A cycle that is wanted, with ways to a cyclic clip (an index) and back. Not all speeds go with all strafes: the
 * nearest that does. */
struct candidate scene_cycle(const struct scene *s, struct rng *r, int hub, const struct frame_features *wanted);

#endif

/* Private to src/search. The scene of a search: the controller as it is, and what is known of its clips. Made anew
 * after every step; read- only. */
#ifndef MUYBRIDGE_SCENE_H
#define MUYBRIDGE_SCENE_H

#include "base/rng.h"
#include "policy/controller.h"
#include "search/candidate.h"

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
  int branches;                 /* of a cycle                                                                     */
  int n_clips;
  struct scene_clip *clips;
  int symmetric;                /* every cyclic clip has its mirror image: so every candidate comes twice          */
  double (*log_effort)(void *user, const struct scene *s, const struct candidate *x); /* of what is not solved yet, over the first clip's */
  void *user;
  const struct outlook_base *base; /* by outlook_prepare(), for whoever asks outlook_gain()                         */
};

/* Finds out about mirrors. Clips and controller must outlive the scene. */
struct scene *scene_new(struct arena *arena, const struct controller *controller, int branches);

/* Index of a clip by its id, -1 if it is not there. */
int scene_find(const struct scene *s, int id);

/* Node of a frame of a clip, -1 if none. */
int scene_node(const struct scene *s, int clip, int frame);

/* The candidate seen in a mirror; 0 if it cannot be, because a clip has no mirror image, or it is its own. */
int scene_mirror(const struct scene *s, const struct candidate *x, struct candidate *out);

/* A candidate at random: what the task makes worth asking for. 0 if this throw of the dice gave none. */
int scene_propose(struct arena *scratch, const struct scene *s, struct rng *r, struct candidate *out);

/* One that is wanted: from a cyclic clip (an index) to another or the same, from any branch of it, at ease or in less
 * time. 0 if this throw of the dice gave none. */
enum scene_pace { SCENE_AT_EASE, SCENE_IN_HASTE };
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

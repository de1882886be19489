/* The control graph: every clip of a motion graph cut into control fragments.
 *
 * A fragment is about a tenth of a second of one clip, with a policy of its own. Fragments end where clips are left
 * and entered, so that a path through the motion graph is a row of whole fragments; in between they are even, moved
 * to where contacts change. Each clip is a strip of frames with velocities and torques, those at its ends being what
 * they are on the clips that it comes from and leads to. doc/control.md. */
#ifndef MUYBRIDGE_CONTROL_GRAPH_H
#define MUYBRIDGE_CONTROL_GRAPH_H

#include "motion/graph.h"
#include "follow/reference.h"

struct control_strip {          /* of a clip                                                                        */
  const struct clip *clip;
  struct reference *reference;  /* its windows are the fragments                                                    */
  int lead;                     /* frame of the reference at which the clip begins                                  */
  int first, n;                 /* its fragments: first .. first + n - 1                                            */
  int n_frames;                 /* of the clip that are shown: all of a cycle, all but the last two of a transition,
                                   of a stand those of one fragment (graph_still_frames())                          */
  double *target;               /* of every step of the world: pose, rate, torque (n_steps x 3 x n_dofs)            */
};

struct control_fragment {
  int strip;
  int from, until;              /* frames of the clip; until may be n_frames, which is where the next one begins     */
  int next;                     /* fragment that follows on the clip, or where a transition arrives                  */
  int node;                     /* of the motion graph, that is where it begins; -1: none                            */
  int mirror;                   /* the fragment that is this one in a mirror; -1: none                               */
};

struct control_graph {          /* lives in the arena of control_graph_new(); read-only                              */
  const struct creature *creature;
  const struct motion_graph *motion;
  int n_strips, n_fragments;
  struct control_strip *strips; /* as the motion graph's clips; those it leaves out have n == 0   (n_strips)         */
  struct control_fragment *fragments; /*                                                          (n_fragments)      */
  double dt;                    /* of a frame [s]                                                                    */
  int steps;                    /* of the world to a frame                                                           */
  double step;                  /* of the world [s]                                                                  */
};

/* NULL after an error. The motion graph must live as long. step: longest of the world [s]; 0: the world's choice. */
struct control_graph *control_graph_new(struct arena *arena, const struct motion_graph *g, double step,
                                        struct diag *d);

/* The fragment that begins at a frame of a clip, 0 .. n_frames; -1: none does. */
int control_graph_at(const struct control_graph *g, int clip, int frame);

/* Poses and speeds of a frame of a fragment's clip, in the clip's own frame (n_dofs); valid as long as the graph. */
const double *control_graph_q(const struct control_graph *g, int strip, int frame);
const double *control_graph_v(const struct control_graph *g, int strip, int frame);

#endif

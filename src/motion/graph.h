/* A motion graph: clips become choices.
 *
 * Nodes are frames of clips at which more than one way leads on: the clip itself, or a transition out of it. A
 * transition T whose first two frames are frames i, i + 1 of a clip A begins at the node A:i, and when its last two
 * frames are frames j, j + 1 of a clip B it ends at B:j, where B goes on. T may itself be left, or entered, in between.
 * A segment is all that happens from a choice at one node to the next node. Where transitions leave and arrive is all
 * that decides; nothing is searched for.
 *
 * A stand is one choice: frames of a pose that is held are all the same (clip_is_still()), so that all of them go by
 * the name of frame 0, wherever transitions leave and arrive. To stand on is a segment of an eighth of the clip:
 * whoever waits can set off soon.
 *
 * A graph without a branch has one node, frame 0 of its first cyclic clip, and one segment. */
#ifndef MUYBRIDGE_GRAPH_H
#define MUYBRIDGE_GRAPH_H

#include "motion/clip.h"
#include "motion/features.h"

struct graph_clip {
  int id;                       /* in the run file, > 0                                                               */
  const struct clip *clip;      /* must live as long as the graph                                                     */
  const struct frame_features *features; /* of an earlier graph with this clip and its ends, or NULL */
};

struct graph_input {
  const struct creature *creature;
  const char *file;             /* the run file, for messages                                                         */
  int n_clips;
  const struct graph_clip *clips; /* play begins in the first cyclic one                                              */
  int branches;                 /* so many frames of every cyclic clip are nodes even if nothing leaves, of a stand
                                   frame 0; even, or 0                                                                */
  const struct features_measures *measures; /* of the task; NULL: none                                                */
};

/* Branch frame k (0 .. branches - 1) of a cycle: evenly spaced, the second half as the first half a cycle on, so that
 * the mirror of a gait has the same ones. */
int graph_branch_frame(int n_frames, int branches, int k);

/* Frames of the segment by which a stand goes on. */
int graph_still_frames(const struct clip *stand);

enum graph_use {
  GRAPH_USED,
  GRAPH_UNREACHABLE,            /* no way leads there from the first cyclic clip                                      */
  GRAPH_NO_WAY_BACK             /* no way leads from there to it                                                      */
};

/* Frames first .. first + count - 1 of a clip are shown; of a cyclic clip, those from n_frames on are a cycle ahead
 * (clip_frame() knows). The frame in which a transition arrives is the same pose in both clips, but not the same
 * forces: these depend on the frame before. Inside of a segment the transition shows it. At a node: the pose is the
 * first of the next segment, but contacts and forces are those of the frame first + count of the last piece, the way
 * one came. */
struct graph_piece {
  int clip;                     /* index into the graph's clips                                                       */
  int first, count;             /* first < n_frames, count > 0                                                        */
  struct clip_advance place;    /* from the clip's own frame to that of the segment: clip_move_pose(place, q)         */
};

struct graph_node { int clip, frame; }; /* index of the clip                                                          */

/* The segment's own frame has its origin below the root at its first frame, and x along the reference heading there.
 * The frame at the node where it ends is not shown: it is the first of the next segment. */
struct graph_segment {
  int from, to;                 /* nodes                                                                              */
  int choice;                   /* index of the clip that is chosen: the node's own, or the transition                */
  int length;                   /* frames shown, > 0                                                                  */
  double turn, x, y;            /* the next segment's own frame, in this one's [rad] (not wrapped), [m]               */
  int n_pieces;
  struct graph_piece *pieces;
  struct frame_features *features; /* of the frames shown, against the reference heading at the start     (length)    */
};

struct motion_graph {           /* lives in the arena of graph_new(); read-only                                       */
  const struct creature *creature;
  const char *file;
  int n_clips, n_left_out;
  struct graph_clip *clips;     /* as given, with their features                                          (n_clips)   */
  enum graph_use *use;          /* those that are left out still have their places in `clips`             (n_clips)   */
  int n_nodes, n_segments;
  struct graph_node *nodes;     /* by clip and frame                                                      (n_nodes)   */
  struct graph_segment *segments; /* by `from`; of one node: the clip that goes on, then transitions in their order   */
  int *first_segment;           /* of a node                                                        (n_nodes + 1)     */
};

/* NULL after errors: frame rates that differ, clips of another creature, ends that name a clip or a frame that is
 * not there, that go round in a circle, or that do not match (verify_junction() above GRAPH_JUNCTION). Clips that
 * cannot be reached or do not lead back are no error: see `use`. */
struct motion_graph *graph_new(struct arena *arena, const struct graph_input *in, struct diag *d);

#define GRAPH_JUNCTION 1e-6     /* largest difference at a junction [rad], [standing heights] */

/* Planar motion of the ground frame from a frame to the next one, in the former; of a transition up to frame
 * n_frames - 2, which is a frame of the clip where it arrives. */
struct clip_advance graph_step(const struct motion_graph *g, int clip, int frame);

/* Looks the finished graph over: every node can be reached from every other, no dead end, segments begin and end at
 * their nodes, junctions fit, and every clip in use keeps the bars of verify_clip(). Returns how many faults there
 * are; each is an error in d. */
int graph_check(const struct motion_graph *g, struct diag *d);

#endif

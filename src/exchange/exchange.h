/* Creatures and clips in the formats of other programs.
 *
 * Writers take a stream and never close it; they return 0, or 1 when the stream could not be written. */
#ifndef MUYBRIDGE_EXCHANGE_H
#define MUYBRIDGE_EXCHANGE_H

#include <stdio.h>

#include "base/arena.h"
#include "creature/creature.h"
#include "motion/clip.h"

/* Clips of one creature for one file. */
struct exchange_motion {
  const struct creature *creature;
  int n_clips;
  const struct clip *const *clips; /*                                           (n_clips)       */
  int in_place;                 /* without the way over the ground                           */
};

/* A format that is written. */
struct exchange_format {
  const char *name;             /* "bvh": what --to takes, and how names of its files end    */
  const char *what;             /* in one line                                               */
  int of_clip;                  /* a clip and its creature; 0: the creature alone            */
  int (*write)(const struct creature *c, const struct clip *clip, FILE *out);
  int (*write_several)(const struct exchange_motion *m, FILE *out); /* several clips in one file; NULL: it cannot */
};

/* The i-th format, NULL after the last one; the one of a name; the one that a clip's file of this name has. */
const struct exchange_format *exchange_format(int i);
const struct exchange_format *exchange_find_format(const char *name);
const struct exchange_format *exchange_format_of_path(const char *path);

/* "csv, bvh": the names of all formats, or of those of clips, with some text before each. */
const char *exchange_list_formats(struct arena *arena, int of_clip, const char *before);

/* What is to be written, and how: exchange_write() takes it as a plain pointer, as writers of whole files do. */
struct exchange_output {
  const struct exchange_format *format;
  const struct creature *creature;
  const struct clip *clip;
};
int exchange_write(const void *output, FILE *out);

/* The same of several clips, for formats with write_several. */
struct exchange_several {
  const struct exchange_format *format;
  struct exchange_motion motion;
};
int exchange_write_several(const void *several, FILE *out);

/* A MuJoCo model (MJCF) of the creature above a ground plane: SI units, radians, masses and moments of inertia as in
 * our own dynamics to the last digit that text can hold.
 *
 * One MuJoCo body for each limb; a limb with a fixed joint becomes part of the body that carries it. Joints have our
 * dofs' names, axes and angles, the root's three slides and three hinges included, so that qpos, qvel and qfrc are
 * our q, v and tau: in depth-first order of the tree, which is the order of MuJoCo (dofs go by name where ours
 * differs). Each axis has a motor of its name with the torque limit. Contact points are sites, and small spheres that
 * alone touch the ground; the shapes of limbs touch each other, those that keep apart (creature->pairs). The keyframe
 * "rest" is the rest pose. */
int exchange_write_mjcf(const struct creature *c, FILE *out);

/* The same, the root having a free joint, "root": qpos begins with its place and a quaternion w, x, y, z; qvel with its
 * velocity and, in the body's frame, its angular velocity. */
int exchange_write_mjcf_free(const struct creature *c, FILE *out);

/* The creature as a robot for programs that read URDF: a link for each limb; a joint of several axes is a row of joints
 * with links next to without mass between them; contact points are small spheres, collisions of their names. SI units;
 * the root is not joined to anything. What the format does not have: ellipsoids (spheres of the same volume), springs
 * and tendons. */
int exchange_write_urdf(const struct creature *c, FILE *out);

/* A clip as a reference motion for imitation learning, in arrays of NumPy (npz): poses and speeds, torques, contacts
 * and their forces, of every frame. doc/export.md lists them. */
int exchange_write_npz(const struct creature *c, const struct clip *clip, FILE *out);

/* A clip as OpenSim's tables. mot: coordinates, of the dofs' names, in radians and metres. sto: forces of the ground on
 * contact points (POINT_force_vx ..., POINT_force_px ..., as external loads) and torques of joints (DOF_moment). The
 * axes are OpenSim's, x forward, Y up, Z to the right, for root_tx, root_ty, root_tz too; angles are ours. Frames whose
 * torques are not known have those of the frame beside. */
int exchange_write_mot(const struct creature *c, const struct clip *clip, FILE *out);
int exchange_write_sto(const struct creature *c, const struct clip *clip, FILE *out);

/* A creature and a clip as a stage of USD, in text (usda): limbs are nested prims with the shapes that USD has
 * (capsules, cubes, spheres), moved by time samples. Metres, Z up. */
int exchange_write_usda(const struct creature *c, const struct clip *clip, FILE *out);

/* A clip as a table of numbers (CSV), one line a frame, every number so that it reads back as the same one. Lines that
 * begin with # say what the columns are, and in which units. Then a line of names:
 *   time                                                                    [s]
 *   q.DOF             every degree of freedom                               [m] for root_x, _y, _z, else [rad]
 *   contact.POINT     1 while the point is on the ground
 *   position.POINT.x  .y .z, of every contact point in the world            [m]
 *   force.POINT.x     .y .z, of the ground on the point, in the world       [N]
 *   torque.DOF        M a + h - sum J^T force, with v and a the central differences of frames: what motors and joints
 *                     must supply; what is left at root_* is the residual   [N] for root_x, _y, _z, else [N m]
 *   passive.DOF       the part of tissue (tendons, springs, dampers) of that, only where there is some; torque is
 *                     without it, that of muscles
 * A frame that lacks a neighbour (first and last of a transition) has no torques: nan. */
int exchange_write_csv(const struct creature *c, const struct clip *clip, FILE *out);

/* A clip as animation programs read it (BVH): a joint for each limb, an end site at the end of each limb that carries
 * no other. Their habits: centimetres, degrees, Y up; the creature looks along Z, its left is X (our y, z, x are their
 * X, Y, Z).
 *
 * Every joint has three rotations, a fixed limb too; the root has X, Y, Z position before them. The order of the
 * rotations is that of the joint's own axes, so that the angles are ours (but for the sign of an axis that points
 * backwards), grow beyond 90 and 180 degrees without a jump, and meet no gimbal lock that the joint itself has not;
 * rotations that a joint lacks follow, and are 0. The root so has Y, X, Z: yaw, pitch, roll. Only a joint with an
 * oblique axis is converted, to Z, X, Y. */
int exchange_write_bvh(const struct creature *c, const struct clip *clip, FILE *out);

/* A creature and its clips as scenes for viewers, engines and Blender (glTF 2.0): one file with all in it, as text
 * (.gltf, the numbers in base64) or as bytes (.glb). Metres, seconds, Y up; the creature looks along Z, its left is X.
 *
 * Nodes are a tree: the ground node, of the creature's name, then a node for each limb, of the limb's name, with the
 * limb's frame and a mesh of its shape. At rest the creature stands in its rest pose. Materials tell left, right and
 * middle apart. A clip is an animation of its name with a key for each frame: the ground node has the way over the
 * ground, evenly along the cycle's arc or, of other clips, smoothed over half a second, and the first limb what is left
 * of it, so that who leaves the ground node alone (in_place) has the creature on a treadmill, with its sway. The other
 * limbs have rotations. Quaternions keep their sign from key to key. A cycle ends with the frame it began with. */
int exchange_write_gltf(const struct creature *c, const struct clip *clip, FILE *out);
int exchange_write_glb(const struct creature *c, const struct clip *clip, FILE *out);
int exchange_write_clips_gltf(const struct exchange_motion *m, FILE *out);
int exchange_write_clips_glb(const struct exchange_motion *m, FILE *out);

#endif

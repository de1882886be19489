/* Private to src/robots. A robot as its file describes it: bodies in a tree, joints, masses and solids, each in the
 * frames of the file. Written by mjcf*.c or urdf.c, changed by nobody after. SI units, radians; quaternions w x y z. */
#ifndef MUYBRIDGE_ROBOTS_ROBOT_H
#define MUYBRIDGE_ROBOTS_ROBOT_H

#include "base/xml.h"

enum robot_joint_kind { ROBOT_HINGE, ROBOT_FREE };
enum robot_solid_kind { ROBOT_SPHERE, ROBOT_CAPSULE, ROBOT_CYLINDER, ROBOT_BOX, ROBOT_ELLIPSOID };

#define ROBOT_MAX_BODIES 1000

struct robot_body {
  const struct xml_node *node;
  const char *name;
  int parent;                   /* body, < own index; -1: the world                                     */
  double pos[3], quat[4];       /* of its frame in the parent's                                         */
  int has_mass;
  double mass, com[3];          /* [kg]; in its frame [m]                                               */
  double inertia[6];            /* about com, along its frame's axes [kg m2]: xx yy zz xy xz yz          */
};

struct robot_joint {            /* of one body in the order in which they turn it                       */
  const struct xml_node *node;
  const char *name;
  enum robot_joint_kind kind;
  int body;
  double pos[3], axis[3];       /* in the body's frame; unit vector                                     */
  double lower, upper;          /* [rad] from the pose of the file; -inf and inf                        */
  double torque;                /* [N m], inf when the file does not say                                */
  double stiffness, slack, damping; /* spring towards the angle slack                                   */
  double home;                  /* angle of the file's keyframe [rad]; NAN                              */
  double reference;             /* what the robot calls the angle of its pose in the file [rad]         */
};

struct robot_solid {
  const struct xml_node *node;
  enum robot_solid_kind kind;
  int body, touches;            /* touches: part of what collides, not only of the picture              */
  double pos[3], quat[4];
  double size[3];               /* half lengths along its axes; radius (and half length along z, without caps) */
};

struct robot {
  const char *name, *format;
  struct arena *arena;
  struct diag *d;
  int n_bodies, n_joints, n_solids;
  struct robot_body *bodies;
  struct robot_joint *joints;
  struct robot_solid *solids;
  const char *keyframe;         /* name of the one that gave home; NULL                                 */
  int n_left_out;
  const char **left_out;        /* what has no place in a creature file, for its head: "armature"       */
};

/* Both return 0 after an error. */
int robot_read_mjcf(struct robot *r, struct xml_node *root);
int robot_read_urdf(struct robot *r, struct xml_node *root);

/* ---- for both readers: read.c ---- */

/* An error at a node; the value is 0. */
static inline int robot_no(void) { return 0; }
#define ROBOT_ERROR(r, n, ...) (diag_error((r)->d, (n)->file, (n)->line, __VA_ARGS__), robot_no())

/* Room for as many of everything as a file has elements. */
void robot_make_room(struct robot *r, const struct xml_node *root);

/* Numbers of a text, at least `least` and at most `most`, finite, of size up to 1e9: how many; 0 after an error, which
 * names the attribute of the node. */
int robot_numbers(struct robot *r, const struct xml_node *n, const char *key, const char *text, int least, int most,
                  double *out);

/* "joint 'knee'", for messages; "a joint" if it has no name. */
const char *robot_describe(const struct robot *r, const struct xml_node *n);

/* Notes once that the file has something that a creature file has no place for. */
void robot_leave_out(struct robot *r, const char *what);

/* Adds one of each, zero but for what is said here; the caller fills in the rest. */
struct robot_body *robot_add_body(struct robot *r, const struct xml_node *n, int parent);
struct robot_joint *robot_add_joint(struct robot *r, const struct xml_node *n, int body);

/* A moment of inertia that a solid body can have, about its centre of mass? If a principal moment exceeds the sum of
 * the others, as in many a description, it is lowered to that, with a warning; 0 after an error if one is not
 * positive. */
int robot_check_inertia(struct robot *r, const struct xml_node *n, double inertia[6]);

/* ---- meshes: mesh.c ---- */

struct robot_mesh {
  double volume, com[3], inertia[6]; /* of density 1, about com, along the axes of the file        */
  double least[3], most[3];     /* the box around it                                               */
  int is_closed;                /* or next to nothing is inside: of an open surface, or a flat one */
};

/* Of a file; each axis times its scale. NULL, or why it cannot be read, in the arena. */
const char *robot_read_mesh(struct arena *arena, const char *path, const double scale[3], struct robot_mesh *out);

/* The same of bytes in memory, n of them and a 0. */
const char *robot_parse_mesh(const char *path, const char *bytes, size_t n, const double scale[3],
                             struct robot_mesh *out);

/* ---- masses of solids: mass.c ---- */

double robot_solid_volume(const struct robot_solid *s);

/* Of a solid with this mass, about its centre, along the axes of its body. */
void robot_solid_inertia(const struct robot_solid *s, double mass, double inertia[6]);

/* Adds a mass to that of a body: *mass, com and inertia about com become those of both. */
void robot_add_mass(double *mass, double com[3], double inertia[6], double m, const double at[3], const double own[6]);

/* How far a solid reaches along a unit vector u of the body's frame, from the body's origin. */
double robot_solid_reach(const struct robot_solid *s, const double u[3]);

#endif

/* Private to src/robots. Steps of reading MJCF; see mjcf.c. */
#ifndef MUYBRIDGE_ROBOTS_MJCF_H
#define MUYBRIDGE_ROBOTS_MJCF_H

#include "robots/robot.h"

#define MJCF_MAX_CLASSES 1000

struct mjcf_class {
  const char *name;
  const struct xml_node *node;  /* <default>                                     */
  int parent;                   /* class, -1: none                               */
};

struct mjcf {
  struct robot *r;
  const struct xml_node *root;
  int n_classes;
  struct mjcf_class *classes;   /* the first is that of everything               */
  /* <compiler> */
  double angle;                 /* radians of the file's unit of angles          */
  char eulerseq[4];
  int autolimits, balance;
  int from_geoms;               /* inertia: 0 never, 1 always, -1 where none is given */
  double groups[2];             /* of geoms that have mass                       */
  double bound_mass, bound_inertia, total_mass;
  const char *mesh_folder;      /* NULL: that of the file                        */
};

/* Puts what files include in their place. 0 after an error. */
int mjcf_expand(struct robot *r, struct xml_node *root);

int mjcf_read_classes(struct mjcf *m);       /* all <default>                     */
int mjcf_read_compiler(struct mjcf *m);      /* all <compiler>                    */

/* The value of an attribute: of the element, or of its class; NULL. `actuators` share their defaults. */
const char *mjcf_get(const struct mjcf *m, const struct xml_node *n, const char *key);

/* Numbers of it: how many; 0 if it is not given, and *out stays, or after an error. */
int mjcf_numbers(struct mjcf *m, const struct xml_node *n, const char *key, int least, int most, double *out);

/* One of several words, NULL-terminated: its index; `otherwise` if it is not given, or after an error. */
int mjcf_word(struct mjcf *m, const struct xml_node *n, const char *key, const char *const *words, int otherwise);

/* pos and quat of a body, frame, geom or inertial, whichever way its rotation is written. */
void mjcf_place(struct mjcf *m, const struct xml_node *n, double pos[3], double quat[4]);

/* Places one frame in another: of `inner`, given in a frame that pos and quat place, where it is beside that. */
void mjcf_place_in(const double pos[3], const double quat[4], double inner_pos[3], double inner_quat[4]);

int mjcf_read_bodies(struct mjcf *m);        /* mjcf_body.c                       */
int mjcf_read_joint(struct mjcf *m, const struct xml_node *n, int body, const double pos[3], const double quat[4]);
int mjcf_read_geom(struct mjcf *m, const struct xml_node *n, int body, const double pos[3],
                   const double quat[4]);    /* mjcf_geom.c                       */
int mjcf_read_actuators(struct mjcf *m);     /* mjcf_actuator.c                   */
int mjcf_read_keyframe(struct mjcf *m);

#endif

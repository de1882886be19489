/* Private to src/exchange. Shapes of limbs as triangles, for formats that draw: few of them, with smooth normals. */
#ifndef MUYBRIDGE_EXCHANGE_MESH_H
#define MUYBRIDGE_EXCHANGE_MESH_H

#include "base/arena.h"
#include "creature/creature.h"

/* In the limb's frame, our axes [m]. */
struct mesh {
  int n_vertices, n_triangles;
  double *position;             /*                                             (n_vertices x 3) */
  double *normal;               /* unit, outward                               (n_vertices x 3) */
  int *corners;                 /* vertices, counter-clockwise from outside    (n_triangles x 3) */
};

/* Of a shape; without vertices if there is none (SHAPE_NONE). All lives in the arena. */
struct mesh mesh_of_shape(struct arena *arena, const struct shape *s);

#endif

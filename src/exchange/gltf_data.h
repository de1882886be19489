/* Private to src/exchange. What is below a glTF 2.0 scene: numbers in one buffer, accessors that say what they are, and
 * the two kinds of file, text and bytes. gltf.c writes scenes with it. Format:
 * https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html */
#ifndef MUYBRIDGE_EXCHANGE_GLTF_DATA_H
#define MUYBRIDGE_EXCHANGE_GLTF_DATA_H

#include <stdio.h>

#include "base/arena.h"
#include "base/json.h"

/* Views of the buffer: numbers of one use each, as the format wants it. A skin's matrices would be keys, too; its
 * joints and weights need a view of their own. */
enum gltf_view { GLTF_VERTICES, GLTF_CORNERS, GLTF_KEYS, GLTF_VIEWS };

struct gltf_accessor {
  enum gltf_view view;
  size_t offset;                /* in the view                                                   */
  int count;                    /* of items                                                      */
  int width;                    /* numbers of an item: 1, 3 or 4                                 */
  int is_float;                 /* 0: whole numbers of 16 bits                                   */
  int has_bounds;
  double least[4], most[4];     /*                                            (width)            */
};

struct gltf_data {
  struct arena *arena;
  struct gltf_bytes { unsigned char *bytes; size_t n, room; } views[GLTF_VIEWS];
  struct gltf_accessor *accessors;
  int n_accessors, room;
};

struct gltf_data gltf_data_new(struct arena *arena);

/* Numbers (count x width), in the order of the format's axes; bounds: with the least and the most of each, as positions
 * and times need. And corners of triangles, 0 to 65534. Both return the index of the accessor. */
int gltf_add_reals(struct gltf_data *d, enum gltf_view view, int count, int width, const double *x, int bounds);
int gltf_add_corners(struct gltf_data *d, int count, const int *x);

/* A file: the scene's own keys, written by scene() into an open object, and the data. 1 if it cannot be written. */
typedef void gltf_scene(struct json *j, const void *what);
int gltf_write_text(const struct gltf_data *d, gltf_scene *scene, const void *what, FILE *out);
int gltf_write_bytes(const struct gltf_data *d, gltf_scene *scene, const void *what, FILE *out);

#endif

/* See gltf_data.h. */
#include "exchange/gltf_data.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"

#define FLOAT      5126         /* what the format calls types and uses of numbers */
#define UINT16     5123
#define VERTICES   34962
#define CORNERS    34963
#define MAGIC      0x46546c67u  /* "glTF" */
#define CHUNK_JSON 0x4e4f534au
#define CHUNK_BIN  0x004e4942u

struct gltf_data gltf_data_new(struct arena *arena)
{
  return (struct gltf_data){.arena = arena};
}

/* ---- numbers ---- */

/* Memory for n items more; what was there before is left to the arena. */
static void *grow(struct arena *arena, void *old, size_t used, size_t n, size_t size, size_t *room)
{
  if (used + n <= *room)
    return old;
  *room = 2 * (used + n);
  char *larger = arena_alloc(arena, *room, size);
  if (used)
    memcpy(larger, old, used * size);
  return larger;
}

static void put_bits(struct gltf_data *d, enum gltf_view view, uint32_t bits, int n)
{
  struct gltf_bytes *v = &d->views[view];
  v->bytes = grow(d->arena, v->bytes, v->n, (size_t)n, 1, &v->room);
  for (int i = 0; i < n; i++)
    v->bytes[v->n++] = (unsigned char)(bits >> 8 * i);
}

/* As the file has it, where numbers must be finite. */
static float to_float(double x)
{
  return isnan(x) ? 0 : (float)fmin(FLT_MAX, fmax(-FLT_MAX, x));
}

static int add_accessor(struct gltf_data *d, struct gltf_accessor a)
{
  size_t room = (size_t)d->room;
  d->accessors = grow(d->arena, d->accessors, (size_t)d->n_accessors, 1, sizeof *d->accessors, &room);
  d->room = (int)room;
  d->accessors[d->n_accessors] = a;
  return d->n_accessors++;
}

int gltf_add_reals(struct gltf_data *d, enum gltf_view view, int count, int width, const double *x, int bounds)
{
  struct gltf_accessor a = {view, d->views[view].n, count, width, 1, bounds, {0}, {0}};
  for (int i = 0; i < count * width; i++) {
    float f = to_float(x[i]);
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    put_bits(d, view, bits, 4);
    a.least[i % width] = i < width ? f : fmin(a.least[i % width], f);
    a.most[i % width] = i < width ? f : fmax(a.most[i % width], f);
  }
  return add_accessor(d, a);
}

int gltf_add_corners(struct gltf_data *d, int count, const int *x)
{
  struct gltf_accessor a = {GLTF_CORNERS, d->views[GLTF_CORNERS].n, count, 1, 0, 0, {0}, {0}};
  for (int i = 0; i < count; i++)
    put_bits(d, GLTF_CORNERS, (uint32_t)x[i], 2);
  return add_accessor(d, a);
}

/* ---- the buffer ---- */

static size_t padded(size_t n)
{
  return (n + 3) / 4 * 4;
}

static size_t view_place(const struct gltf_data *d, int view)
{
  size_t at = 0;
  for (int v = 0; v < view; v++)
    at += padded(d->views[v].n);
  return at;
}

/* Views without numbers are not written: how many come before this one. */
static int view_index(const struct gltf_data *d, int view)
{
  int n = 0;
  for (int v = 0; v < view; v++)
    n += d->views[v].n > 0;
  return n;
}

/* All views, one after the other, each padded with zeros. */
static unsigned char *join_views(const struct gltf_data *d, size_t *n)
{
  *n = view_place(d, GLTF_VIEWS);
  unsigned char *all = ARENA_NEW(d->arena, *n + 1, unsigned char);
  for (int v = 0; v < GLTF_VIEWS; v++)
    if (d->views[v].n)
      memcpy(all + view_place(d, v), d->views[v].bytes, d->views[v].n);
  return all;
}

/* ---- its description ---- */

static void write_accessor(const struct gltf_data *d, struct json *j, const struct gltf_accessor *a)
{
  static const char *const types[] = {[1] = "SCALAR", [3] = "VEC3", [4] = "VEC4"};
  json_break(j);
  json_object(j, NULL);
  json_integer(j, "bufferView", view_index(d, a->view));
  if (a->offset)
    json_integer(j, "byteOffset", (long long)a->offset);
  json_integer(j, "componentType", a->is_float ? FLOAT : UINT16);
  json_integer(j, "count", a->count);
  json_text(j, "type", types[a->width]);
  if (a->has_bounds) {
    json_numbers(j, "min", a->width, a->least, 17);
    json_numbers(j, "max", a->width, a->most, 17);
  }
  json_end(j);
}

static void write_view(const struct gltf_data *d, struct json *j, int view)
{
  static const int targets[] = {[GLTF_VERTICES] = VERTICES, [GLTF_CORNERS] = CORNERS, [GLTF_KEYS] = 0};
  json_break(j);
  json_object(j, NULL);
  json_integer(j, "buffer", 0);
  if (view_place(d, view))
    json_integer(j, "byteOffset", (long long)view_place(d, view));
  json_integer(j, "byteLength", (long long)d->views[view].n);
  if (view == GLTF_VERTICES)
    json_integer(j, "byteStride", 12); /* positions and normals: three floats */
  if (targets[view])
    json_integer(j, "target", targets[view]);
  json_end(j);
}

/* The whole JSON; uri is NULL when the buffer follows as bytes. */
static void write_json(const struct gltf_data *d, gltf_scene *scene, const void *what, size_t n, const char *uri,
                       FILE *out)
{
  struct json j = json_to(out);
  json_object(&j, NULL);
  scene(&j, what);
  if (n) {
    json_array(&j, "accessors");
    for (int i = 0; i < d->n_accessors; i++)
      write_accessor(d, &j, &d->accessors[i]);
    json_end(&j);
    json_array(&j, "bufferViews");
    for (int v = 0; v < GLTF_VIEWS; v++)
      if (d->views[v].n)
        write_view(d, &j, v);
    json_end(&j);
    json_array(&j, "buffers");
    json_object(&j, NULL);
    json_integer(&j, "byteLength", (long long)n);
    if (uri)
      json_text(&j, "uri", uri);
    json_end(&j);
    json_end(&j);
  }
  json_end(&j);
}

/* ---- files ---- */

int gltf_write_text(const struct gltf_data *d, gltf_scene *scene, const void *what, FILE *out)
{
  size_t n;
  const unsigned char *all = join_views(d, &n);
  const char *uri = arena_printf(d->arena, "data:application/octet-stream;base64,%s", base64_text(d->arena, all, n));
  write_json(d, scene, what, n, uri, out);
  return fflush(out) != 0 || ferror(out) != 0;
}

static void put_word(FILE *out, uint32_t x)
{
  for (int i = 0; i < 4; i++)
    putc((int)(x >> 8 * i & 0xff), out);
}

/* A header, the JSON padded with blanks, the buffer, which is padded already. */
static void write_chunks(const char *text, size_t length, const unsigned char *all, size_t n, FILE *out)
{
  size_t total = 12 + 8 + padded(length) + (n ? 8 + n : 0);
  put_word(out, MAGIC);
  put_word(out, 2);
  put_word(out, (uint32_t)total);
  put_word(out, (uint32_t)padded(length));
  put_word(out, CHUNK_JSON);
  fwrite(text, 1, length, out);
  for (size_t i = length; i < padded(length); i++)
    putc(' ', out);
  if (!n)
    return;
  put_word(out, (uint32_t)n);
  put_word(out, CHUNK_BIN);
  fwrite(all, 1, n, out);
}

int gltf_write_bytes(const struct gltf_data *d, gltf_scene *scene, const void *what, FILE *out)
{
  size_t n, length = 0;
  const unsigned char *all = join_views(d, &n);
  char *text = NULL;
  FILE *memory = open_memstream(&text, &length);
  if (!memory)
    return 1;
  write_json(d, scene, what, n, NULL, memory);
  int failed = ferror(memory) | (fclose(memory) != 0);
  if (!failed)
    write_chunks(text, length, all, n, out);
  free(text);
  return failed || fflush(out) != 0 || ferror(out) != 0;
}

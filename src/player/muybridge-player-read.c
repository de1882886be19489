/* Reading controllers: bytes become tables, and whatever playing relies on is checked here, once, so that
 * muybridge-player.c neither checks nor fails. muybridge-player.h has the contract, doc/player-format.md the file. */
#include "muybridge-player.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586476925 /* a whole one [rad] */
#define UNIT_ENOUGH 1e-6             /* by how much the square of a unit vector's length may differ from 1 */

/* ---- the bytes ---- */

enum count { DOFS, POINTS, GAITS, PARAMETERS, CLIPS, NODES, SEGMENTS, FRAMES, PIECES, SHOWN, GRID, TEXT, N_COUNTS };
enum { OLDEST_VERSION = 1, VERSION_WITH_BONES = 2 };
enum { HEADER_BYTES = 32, FLAG_FORCES = 1, MEASURES_SHIFT = 1, MEASURES_MASK = 7 << MEASURES_SHIFT };

struct reader {
  unsigned char *bytes;           /* the file; tables of words are used where they lie */
  size_t length, at;
  uint32_t version, count[N_COUNTS], n_bones;
  struct muy_player_controller *c;
  struct muy_player_clip *clips;      /* the controller's, while they are being filled     */
  struct muy_player_segment *segments;
  struct muy_player_parameter *parameters;
  struct muy_player_bone *bones;
  const char **names;             /* all names, in the order of the file               */
  char *why;
  size_t size;
  int failed;
};

struct block { struct block *next; max_align_t room[]; }; /* memory of a controller, freed together */

static int fail(struct reader *r, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (!r->failed && r->size > 0) vsnprintf(r->why, r->size, format, arguments); /* the first reason is the one told */
  va_end(arguments);
  r->failed = 1;
  return 0;
}

/* Memory that lives as long as the controller; NULL after a failure. */
static void *grab(struct reader *r, size_t count, size_t size)
{
  if (r->failed) return NULL;
  struct block *b = count <= (SIZE_MAX - sizeof *b) / size - 1 ? calloc(1, sizeof *b + (count + 1) * size) : NULL;
  if (!b) {
    fail(r, "out of memory");
    return NULL;
  }
  b->next = r->c->memory;
  r->c->memory = b;
  return b->room;
}

/* Little-endian words become words of this machine, where they are. */
static void make_native(unsigned char *bytes, size_t count, size_t width)
{
  for (size_t i = 0; width > 1 && i < count; i++, bytes += width) {
    uint64_t word = 0;
    for (size_t k = width; k-- > 0;)
      word = word << 8 | bytes[k];
    uint32_t half = (uint32_t)word;
    if (width == 8) memcpy(bytes, &word, 8);
    else memcpy(bytes, &half, 4);
  }
}

/* The next table of the file; tables start at multiples of 8. NULL after a failure. */
static void *take(struct reader *r, size_t rows, size_t columns, size_t width, const char *what)
{
  if (r->failed) return NULL;
  size_t room = r->length - r->at;
  int fits = columns == 0 || rows <= room / width / columns;
  size_t bytes = fits ? rows * columns * width : 0, padding = (8 - bytes % 8) % 8;
  if (!fits || padding > room - bytes) {
    fail(r, "the file ends within the %s", what);
    return NULL;
  }
  unsigned char *table = r->bytes + r->at;
  make_native(table, rows * columns, width);
  r->at += bytes + padding;
  return table;
}

static uint64_t checksum(const unsigned char *bytes, size_t length) /* FNV-1a, 64 bits */
{
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

/* What the file says of itself; 0 after a failure. */
static int read_seal(struct reader *r)
{
  if (r->length < HEADER_BYTES || memcmp(r->bytes, "MUYPLAY", 8) != 0) return fail(r, "this is not a controller file");
  r->at = 8;
  const uint32_t *kind = take(r, 2, 1, 4, "header");
  const uint64_t *seal = take(r, 2, 1, 8, "header");
  if (kind[0] < OLDEST_VERSION || kind[0] > MUY_PLAYER_VERSION)
    return fail(r, "the file has version %lu, this player reads versions %d to %d", (unsigned long)kind[0],
                OLDEST_VERSION, MUY_PLAYER_VERSION);
  uint32_t measures = (kind[1] & MEASURES_MASK) >> MEASURES_SHIFT;
  if (kind[1] & ~(uint32_t)(FLAG_FORCES | MEASURES_MASK) || measures > MUY_PLAYER_MEASURES_MOST)
    return fail(r, "the file has flags that this player does not know");
  if (seal[0] != r->length)
    return fail(r, "the file has %zu bytes, but was written with %llu", r->length, (unsigned long long)seal[0]);
  if (seal[1] != checksum(r->bytes + HEADER_BYTES, r->length - HEADER_BYTES))
    return fail(r, "the file is damaged: its checksum is wrong");
  r->version = kind[0];
  r->c->has_forces = (int)(kind[1] & FLAG_FORCES);
  r->c->n_measures = (int)measures;
  return 1;
}

static int read_counts(struct reader *r)
{
  const uint32_t *count = take(r, N_COUNTS, 1, 4, "header");
  const double *dt = take(r, 1, 1, 8, "header");
  const uint32_t *more = r->version >= VERSION_WITH_BONES ? take(r, 2, 1, 4, "header") : NULL;
  struct muy_player_controller *c = r->c;
  if (r->failed) return 0;
  for (int i = 0; i < N_COUNTS; i++)
    if (count[i] > INT_MAX / 4) return fail(r, "a count in the header is too large");
  if (count[DOFS] < 6) return fail(r, "a creature has 6 dofs or more, not %d", (int)count[DOFS]);
  if (count[CLIPS] < 1 || count[NODES] < 1) return fail(r, "a controller needs a clip and a node");
  if (count[PARAMETERS] > MUY_PLAYER_PARAMETERS_MOST)
    return fail(r, "%d parameters are more than %d", (int)count[PARAMETERS], MUY_PLAYER_PARAMETERS_MOST);
  if (!(*dt >= 1e-4 && *dt <= 1)) return fail(r, "frames must be 0.0001 to 1 s apart, not %g", *dt);
  if (more && (more[0] > count[TEXT] || more[1] != 0)) /* each has a name */
    return fail(r, "the count of bones in the header is impossible");
  memcpy(r->count, count, sizeof r->count);
  r->n_bones = more ? more[0] : 0;
  c->n_bones = (int)r->n_bones;
  c->dt = *dt;
  c->n_dofs = (int)count[DOFS], c->n_points = (int)count[POINTS], c->n_gaits = (int)count[GAITS];
  c->n_parameters = (int)count[PARAMETERS], c->n_clips = (int)count[CLIPS], c->n_nodes = (int)count[NODES];
  c->n_segments = (int)count[SEGMENTS];
  return 1;
}

/* ---- the tables ---- */

static const double *take_finite(struct reader *r, size_t rows, size_t columns, const char *what)
{
  const double *numbers = take(r, rows, columns, 8, what);
  for (size_t i = 0; numbers && i < rows * columns; i++)
    if (!isfinite(numbers[i])) {
      fail(r, "a number of the %s is not finite", what);
      return NULL;
    }
  return numbers;
}

static struct muy_player_motion motion_at(const double *numbers, size_t i)
{
  return (struct muy_player_motion){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
}

static int read_clips(struct reader *r)
{
  size_t n = r->count[CLIPS], frames = r->count[FRAMES], dofs = r->count[DOFS], points = r->count[POINTS], first = 0;
  const uint32_t *head = take(r, n, 2, 4, "clips");
  const double *advance = take_finite(r, n, 3, "advances of clips"), *q = take_finite(r, frames, dofs, "poses");
  const double *force = r->c->has_forces ? take_finite(r, frames, 3 * points, "forces") : NULL;
  const unsigned char *contact = r->c->has_forces ? take(r, frames, points, 1, "contacts") : NULL;
  struct muy_player_clip *clips = grab(r, n, sizeof *clips);
  if (r->failed) return 0;
  for (size_t i = 0; i < n; i++) {
    if (head[2 * i] < 1 || head[2 * i] > frames - first || head[2 * i + 1] > 1)
      return fail(r, "clip %zu has impossible frames", i);
    clips[i] = (struct muy_player_clip){.n_frames = (int)head[2 * i], .cyclic = (int)head[2 * i + 1],
                                    .advance = motion_at(advance, i), .q = q + first * dofs};
    if (r->c->has_forces) clips[i].force = force + first * 3 * points, clips[i].contact = contact + first * points;
    first += head[2 * i];
  }
  if (first != frames) return fail(r, "the clips have %zu frames, but the file has %zu", first, frames);
  for (size_t i = 0; contact && i < frames * points; i++)
    if (contact[i] > 1) return fail(r, "a contact is neither 0 nor 1");
  r->c->clips = r->clips = clips;
  return 1;
}

static int read_nodes(struct reader *r)
{
  size_t n = r->count[NODES];
  const uint32_t *head = take(r, n, 2, 4, "nodes");
  struct muy_player_node *nodes = grab(r, n, sizeof *nodes);
  if (r->failed) return 0;
  for (size_t i = 0; i < n; i++) {
    if (head[2 * i] >= r->count[CLIPS] || head[2 * i + 1] >= (uint32_t)r->c->clips[head[2 * i]].n_frames)
      return fail(r, "node %zu is at a frame that there is not", i);
    nodes[i] = (struct muy_player_node){(int)head[2 * i], (int)head[2 * i + 1]};
  }
  r->c->nodes = nodes;
  return 1;
}

static const struct muy_player_piece *read_pieces(struct reader *r)
{
  size_t n = r->count[PIECES];
  const uint32_t *head = take(r, n, 3, 4, "pieces");
  const double *place = take_finite(r, n, 3, "places of pieces");
  struct muy_player_piece *pieces = grab(r, n, sizeof *pieces);
  for (size_t i = 0; !r->failed && i < n; i++) {
    uint32_t clip = head[3 * i], first = head[3 * i + 1], count = head[3 * i + 2];
    uint32_t frames = clip < r->count[CLIPS] ? (uint32_t)r->c->clips[clip].n_frames : 0;
    if (count < 1 || first >= frames || count > frames - first)
      fail(r, "piece %zu shows frames that there are not", i);
    else
      pieces[i] = (struct muy_player_piece){(int)clip, (int)first, (int)count, motion_at(place, i)};
  }
  return r->failed ? NULL : pieces;
}

static const struct muy_player_features *read_features(struct reader *r)
{
  size_t n = r->count[SHOWN];
  const double *number = take_finite(r, n, 4, "features");
  const uint32_t *gait = take(r, n, 1, 4, "gaits of frames");
  size_t m = (size_t)r->c->n_measures;
  const double *measured = take_finite(r, n, m, "measures of frames");
  struct muy_player_features *features = grab(r, n, sizeof *features);
  for (size_t i = 0; !r->failed && i < n; i++, number += 4) {
    if (gait[i] >= r->count[GAITS]) fail(r, "a frame has gait %lu of %d", (unsigned long)gait[i], r->c->n_gaits);
    else features[i] = (struct muy_player_features){number[0], number[1], number[2], number[3], (int)gait[i], {0}};
    for (size_t k = 0; k < m; k++) features[i].measured[k] = measured[i * m + k];
  }
  return r->failed ? NULL : features;
}

/* Frames of the pieces of a segment. */
static uint64_t frames_of(const struct muy_player_piece *pieces, uint32_t n)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += (uint64_t)pieces[i].count;
  return sum;
}

/* Sorted by node, each node with a way out. */
static int index_segments(struct reader *r)
{
  const struct muy_player_segment *s = r->c->segments;
  int *first = grab(r, (size_t)r->c->n_nodes + 1, sizeof *first), k = 0;
  if (!first) return 0;
  for (int node = 0; node < r->c->n_nodes; node++) {
    first[node] = k;
    while (k < r->c->n_segments && s[k].from == node)
      k++;
    if (k == first[node])
      return fail(r, "no segment leaves node %d, or segments are not in the order of nodes", node);
  }
  if (k < r->c->n_segments) return fail(r, "segment %d is not in the order of nodes", k);
  first[r->c->n_nodes] = k;
  r->c->first_segment = first;
  return 1;
}

static int read_segments(struct reader *r)
{
  size_t n = r->count[SEGMENTS], shown = 0, laid = 0;
  const uint32_t *head = take(r, n, 4, 4, "segments");
  const double *motion = take_finite(r, n, 3, "motions of segments");
  const struct muy_player_piece *pieces = read_pieces(r);
  const struct muy_player_features *features = read_features(r);
  struct muy_player_segment *segments = grab(r, n, sizeof *segments);
  for (size_t i = 0; !r->failed && i < n; i++, head += 4) {
    uint32_t frames = head[2], parts = head[3];
    if (head[0] >= r->count[NODES] || head[1] >= r->count[NODES])
      fail(r, "segment %zu joins nodes that there are not", i);
    else if (parts < 1 || parts > r->count[PIECES] - laid || frames > r->count[SHOWN] - shown
             || frames_of(pieces + laid, parts) != frames)
      fail(r, "segment %zu and its pieces differ in their frames", i);
    else
      segments[i] = (struct muy_player_segment){(int)head[0], (int)head[1], (int)frames, (int)parts,
                                                motion_at(motion, i), pieces + laid, features + shown, NULL};
    laid += parts, shown += frames;
  }
  if (!r->failed && (laid != r->count[PIECES] || shown != r->count[SHOWN]))
    fail(r, "pieces or features belong to no segment");
  r->c->segments = r->segments = segments;
  return !r->failed && index_segments(r);
}

static int is_unit(const double *v, int n)
{
  double square = 0;
  for (int k = 0; k < n; k++)
    square += v[k] * v[k];
  return fabs(square - 1) <= UNIT_ENOUGH;
}

/* The first bone is the root, the others hang on one before them and turn about dofs of joints. */
static int check_bone(struct reader *r, size_t i, const uint32_t *head, const double *turn)
{
  uint32_t parent = head[0], first = head[1], n = head[2], dofs = r->count[DOFS];
  if (i == 0 ? parent != 0 || first != 0 || n != 6 : parent < 1 || parent > i)
    return fail(r, "bone %zu hangs on none before it", i);
  if (i > 0 && (first < 6 || n > dofs || first > dofs - n))
    return fail(r, "bone %zu turns by dofs that there are not", i);
  if (head[3] > MUY_PLAYER_ELLIPSOID) return fail(r, "bone %zu has a shape that there is not", i);
  return is_unit(turn, 4) || fail(r, "bone %zu has a shape whose turn is no rotation", i);
}

static int read_bones(struct reader *r)
{
  size_t n = r->n_bones, dofs = n > 0 ? r->count[DOFS] : 0;
  const uint32_t *head = take(r, n, 4, 4, "bones");
  const double *axes = take_finite(r, dofs, 3, "axes"), *at = take_finite(r, n, 3, "joints of bones");
  const double *solid = take_finite(r, n, 10, "shapes of bones");
  struct muy_player_bone *bones = grab(r, n, sizeof *bones);
  for (size_t i = 0; !r->failed && i < dofs; i++)
    if (!is_unit(axes + 3 * i, 3)) fail(r, "the axis of dof %zu has not the length 1", i);
  for (size_t i = 0; !r->failed && i < n; i++, head += 4, at += 3, solid += 10) {
    if (!check_bone(r, i, head, solid + 3)) return 0;
    bones[i] = (struct muy_player_bone){.parent = (int)head[0] - 1, .first_dof = (int)head[1], .n_dofs = (int)head[2],
                                        .solid = (enum muy_player_solid)head[3]};
    memcpy(bones[i].at, at, sizeof bones[i].at);
    memcpy(bones[i].centre, solid, sizeof bones[i].centre);
    memcpy(bones[i].turn, solid + 3, sizeof bones[i].turn);
    memcpy(bones[i].size, solid + 7, sizeof bones[i].size);
  }
  r->c->axes = n > 0 ? axes : NULL;
  r->c->bones = r->bones = bones;
  return !r->failed;
}

static int check_grid(struct reader *r, int index, const struct muy_player_parameter *p)
{
  for (int i = 1; i < p->n_values; i++)
    if (!(p->values[i] > p->values[i - 1])) return fail(r, "the grid of parameter %d is not ascending", index);
  if (p->space == MUY_PLAYER_CIRCLE && !(p->values[p->n_values - 1] - p->values[0] < TURN))
    return fail(r, "the grid of parameter %d spans a whole turn", index);
  return 1;
}

static int read_parameters(struct reader *r)
{
  size_t n = r->count[PARAMETERS], used = 0, cells = 1;
  const uint32_t *head = take(r, n, 3, 4, "parameters");
  const double *values = take_finite(r, r->count[GRID], 1, "grids");
  struct muy_player_parameter *parameters = grab(r, n, sizeof *parameters);
  for (size_t i = 0; !r->failed && i < n; i++, head += 3) {
    size_t count = head[2];
    if (head[0] > MUY_PLAYER_CATEGORY || head[1] > (head[0] == MUY_PLAYER_CIRCLE))
      fail(r, "parameter %zu lives in a space that there is not", i);
    else if (count < 1 || count > r->count[GRID] - used || cells > r->length / count)
      fail(r, "the grid of parameter %zu has an impossible size", i);
    else {
      parameters[i] = (struct muy_player_parameter){.space = (enum muy_player_space)head[0], .relative = (int)head[1],
                                                .n_values = (int)count, .values = values + used};
      check_grid(r, (int)i, &parameters[i]);
      used += count, cells *= count;
    }
  }
  if (!r->failed && used != r->count[GRID]) fail(r, "grid values belong to no parameter");
  r->c->n_cells = cells;
  r->c->parameters = r->parameters = parameters;
  return !r->failed;
}

static int read_values(struct reader *r)
{
  size_t n = r->count[SEGMENTS], cells = r->c->n_cells;
  const float *values = take(r, n, cells, 4, "values");
  if (r->failed) return 0;
  for (size_t i = 0; i < n * cells; i++)
    if (!isfinite(values[i])) return fail(r, "a value of segment %zu is not finite", i / cells);
  for (size_t i = 0; i < n; i++)
    r->segments[i].values = values + i * cells;
  return 1;
}

/* Finds where each name begins; there must be as many as are needed. */
static int read_text(struct reader *r, size_t needed)
{
  size_t length = r->count[TEXT], found = 0;
  const char *text = take(r, length, 1, 1, "names");
  if (r->failed) return 0;
  if (r->at != r->length) return fail(r, "the file goes on after the names");
  for (size_t i = 0; i < length; i++)
    found += text[i] == 0;
  if (found != needed || text[length - 1] != 0) return fail(r, "the file has %zu names, not %zu", found, needed);
  r->names = grab(r, needed, sizeof *r->names);
  for (size_t i = 0; !r->failed && i < needed; i++, text += strlen(text) + 1)
    r->names[i] = text;
  return !r->failed;
}

static int read_names(struct reader *r)
{
  struct muy_player_controller *c = r->c;
  size_t needed = 1 + (size_t)c->n_dofs + (size_t)c->n_points + (size_t)c->n_gaits + (size_t)c->n_clips + r->n_bones;
  for (int i = 0; i < c->n_parameters; i++)
    needed += 3 + (c->parameters[i].space == MUY_PLAYER_CATEGORY ? (size_t)c->parameters[i].n_values : 0);
  if (!read_text(r, needed)) return 0;
  const char **next = r->names;
  c->creature = *next++;
  c->dof_names = next, next += c->n_dofs;
  c->point_names = next, next += c->n_points;
  c->gait_names = next, next += c->n_gaits;
  for (int i = 0; i < c->n_clips; i++)
    r->clips[i].name = *next++;
  for (int i = 0; i < c->n_parameters; i++) {
    struct muy_player_parameter *p = &r->parameters[i];
    p->name = *next++, p->kind = *next++, p->unit = *next++;
    if (p->space == MUY_PLAYER_CATEGORY) p->categories = next, next += p->n_values;
  }
  for (int i = 0; i < c->n_bones; i++)
    r->bones[i].name = *next++;
  return 1;
}

static int read_tables(struct reader *r)
{
  return read_seal(r) && read_counts(r) && read_clips(r) && read_nodes(r) && read_segments(r)
         && (r->version < VERSION_WITH_BONES || read_bones(r)) && read_parameters(r) && read_values(r)
         && read_names(r);
}

void muy_player_unload(struct muy_player_controller *c)
{
  for (struct block *b = c ? c->memory : NULL, *next; b; b = next) {
    next = b->next;
    free(b);
  }
  free(c);
}

struct muy_player_controller *muy_player_load_memory(const void *bytes, size_t length, char *why, size_t size)
{
  struct reader r = {.length = length, .why = why, .size = size, .c = calloc(1, sizeof *r.c)};
  if (!r.c) fail(&r, "out of memory");
  r.bytes = grab(&r, length, 1);
  if (r.bytes && length > 0) memcpy(r.bytes, bytes, length);
  if (!r.failed && read_tables(&r)) return r.c;
  muy_player_unload(r.c);
  return NULL;
}

/* All of a file; NULL with errno if it cannot be had. */
static unsigned char *read_file(const char *path, size_t *length)
{
  unsigned char *bytes = NULL, *grown;
  size_t room = 0, got = 1;
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  for (*length = 0; got > 0; *length += got) {
    if (room == *length) {
      room = 2 * room + 65536;
      if (!(grown = realloc(bytes, room))) break;
      bytes = grown;
    }
    errno = 0;
    got = fread(bytes + *length, 1, room - *length, f);
  }
  int error = ferror(f) ? (errno ? errno : EIO) : got > 0 ? ENOMEM : 0;
  fclose(f);
  if (!error) return bytes;
  free(bytes);
  errno = error;
  return NULL;
}

struct muy_player_controller *muy_player_load(const char *path, char *why, size_t size)
{
  struct reader r = {.why = why, .size = size}; /* only to complain */
  char reason[160] = "";
  size_t length;
  unsigned char *bytes = read_file(path, &length);
  struct muy_player_controller *c = bytes ? muy_player_load_memory(bytes, length, reason, sizeof reason) : NULL;
  if (!c) fail(&r, "%s: %s%s", path, bytes ? reason : "cannot read this file: ", bytes ? "" : strerror(errno));
  free(bytes);
  return c;
}

/* The player: loads a controller and plays it. muybridge-player.h has the contract, doc/player-format.md the file.
 *
 * The first half reads: bytes become tables, and whatever the second half relies on is checked here, once, so that
 * playing neither checks nor fails. The second half plays. No include but libc's: a game may copy the two files. */
#include "muybridge-player.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586476925 /* a whole one [rad] */

/* ---- reading: the bytes ---- */

enum count { DOFS, POINTS, GAITS, PARAMETERS, CLIPS, NODES, SEGMENTS, FRAMES, PIECES, SHOWN, GRID, TEXT, N_COUNTS };
enum { HEADER_BYTES = 32, FLAG_FORCES = 1, MEASURES_SHIFT = 1, MEASURES_MASK = 7 << MEASURES_SHIFT };

struct reader {
  unsigned char *bytes;           /* the file; tables of words are used where they lie */
  size_t length, at;
  uint32_t count[N_COUNTS];
  struct muy_player_controller *c;
  struct muy_player_clip *clips;      /* the controller's, while they are being filled     */
  struct muy_player_segment *segments;
  struct muy_player_parameter *parameters;
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
  if (kind[0] != MUY_PLAYER_VERSION)
    return fail(r, "the file has version %lu, this player reads version %d", (unsigned long)kind[0],
                MUY_PLAYER_VERSION);
  uint32_t measures = (kind[1] & MEASURES_MASK) >> MEASURES_SHIFT;
  if (kind[1] & ~(uint32_t)(FLAG_FORCES | MEASURES_MASK) || measures > MUY_PLAYER_MEASURES_MOST)
    return fail(r, "the file has flags that this player does not know");
  if (seal[0] != r->length)
    return fail(r, "the file has %zu bytes, but was written with %llu", r->length, (unsigned long long)seal[0]);
  if (seal[1] != checksum(r->bytes + HEADER_BYTES, r->length - HEADER_BYTES))
    return fail(r, "the file is damaged: its checksum is wrong");
  r->c->has_forces = (int)(kind[1] & FLAG_FORCES);
  r->c->n_measures = (int)measures;
  return 1;
}

static int read_counts(struct reader *r)
{
  const uint32_t *count = take(r, N_COUNTS, 1, 4, "header");
  const double *dt = take(r, 1, 1, 8, "header");
  struct muy_player_controller *c = r->c;
  if (r->failed) return 0;
  for (int i = 0; i < N_COUNTS; i++)
    if (count[i] > INT_MAX / 4) return fail(r, "a count in the header is too large");
  if (count[DOFS] < 6) return fail(r, "a creature has 6 dofs or more, not %d", (int)count[DOFS]);
  if (count[CLIPS] < 1 || count[NODES] < 1) return fail(r, "a controller needs a clip and a node");
  if (count[PARAMETERS] > MUY_PLAYER_PARAMETERS_MOST)
    return fail(r, "%d parameters are more than %d", (int)count[PARAMETERS], MUY_PLAYER_PARAMETERS_MOST);
  if (!(*dt >= 1e-4 && *dt <= 1)) return fail(r, "frames must be 0.0001 to 1 s apart, not %g", *dt);
  memcpy(r->count, count, sizeof r->count);
  c->dt = *dt;
  c->n_dofs = (int)count[DOFS], c->n_points = (int)count[POINTS], c->n_gaits = (int)count[GAITS];
  c->n_parameters = (int)count[PARAMETERS], c->n_clips = (int)count[CLIPS], c->n_nodes = (int)count[NODES];
  c->n_segments = (int)count[SEGMENTS];
  return 1;
}

/* ---- reading: the tables ---- */

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
  size_t needed = 1 + (size_t)c->n_dofs + (size_t)c->n_points + (size_t)c->n_gaits + (size_t)c->n_clips;
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
  return 1;
}

static int read_tables(struct reader *r)
{
  return read_seal(r) && read_counts(r) && read_clips(r) && read_nodes(r) && read_segments(r) && read_parameters(r)
         && read_values(r) && read_names(r);
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

/* ---- choosing ---- */

int muy_player_find(const struct muy_player_controller *c, const char *name)
{
  for (int i = 0; i < c->n_parameters; i++)
    if (strcmp(c->parameters[i].name, name) == 0) return i;
  return -1;
}

/* The last grid point at or below theta, 0 if there is none. */
static int point_below(const struct muy_player_parameter *p, double theta)
{
  int low = 0, high = p->n_values;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (p->values[middle] <= theta) low = middle;
    else high = middle;
  }
  return low;
}

/* The two grid points around theta, and the share of the second. */
static double neighbours(const struct muy_player_parameter *p, double theta, int point[2])
{
  int last = p->n_values - 1;
  double from = p->values[0];
  if (p->space == MUY_PLAYER_CATEGORY) {
    point[0] = point[1] = theta > 0 ? theta < last ? (int)(theta + 0.5) : last : 0;
    return 0;
  }
  if (p->space == MUY_PLAYER_CIRCLE) {
    theta = fmod(theta - from, TURN);
    theta = from + (theta < 0 ? theta + TURN : theta);
    point[0] = point_below(p, theta);
    point[1] = point[0] < last ? point[0] + 1 : 0;
    double next = point[0] < last ? p->values[point[1]] : from + TURN;
    return (theta - p->values[point[0]]) / (next - p->values[point[0]]);
  }
  theta = fmax(theta, from); /* beyond the other end there is no next point */
  point[0] = point_below(p, theta);
  point[1] = point[0] < last ? point[0] + 1 : last;
  return point[0] < last ? (theta - p->values[point[0]]) / (p->values[point[1]] - p->values[point[0]]) : 0;
}

struct corner { size_t cell; double weight; }; /* of the grid cell around theta */
enum { CORNERS_MOST = 1 << MUY_PLAYER_PARAMETERS_MOST };

/* Parameter by parameter, each corner so far becomes one or two; cells are numbered row by row. */
static int corners_of(const struct muy_player_controller *c, const double *theta, struct corner *corner)
{
  int n = 1;
  corner[0] = (struct corner){0, 1};
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *p = &c->parameters[i];
    int point[2], splits;
    double share = neighbours(p, theta[i], point);
    splits = share > 0;
    for (int k = 0; k < n; k++) {
      size_t row = corner[k].cell * (size_t)p->n_values;
      if (splits) corner[n + k] = (struct corner){row + (size_t)point[1], corner[k].weight * share};
      corner[k] = (struct corner){row + (size_t)point[0], corner[k].weight * (splits ? 1 - share : 1)};
    }
    n = splits ? 2 * n : n;
  }
  return n;
}

static double value_at(const struct muy_player_segment *s, const struct corner *corner, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += corner[k].weight * (double)s->values[corner[k].cell];
  return sum;
}

double muy_player_value(const struct muy_player_controller *c, int segment, const double *theta)
{
  struct corner corner[CORNERS_MOST];
  return value_at(&c->segments[segment], corner, corners_of(c, theta, corner));
}

int muy_player_choose(const struct muy_player_controller *c, int node, const double *theta)
{
  struct corner corner[CORNERS_MOST];
  int n = corners_of(c, theta, corner), best = c->first_segment[node];
  double least = value_at(&c->segments[best], corner, n);
  for (int i = best + 1; i < c->first_segment[node + 1]; i++) {
    double value = value_at(&c->segments[i], corner, n);
    if (value < least) least = value, best = i;
  }
  return best;
}

/* ---- moving over the ground ---- */

struct muy_player_motion muy_player_compose(struct muy_player_motion a, struct muy_player_motion b)
{
  double s = sin(a.yaw), c = cos(a.yaw);
  return (struct muy_player_motion){a.x + c * b.x - s * b.y, a.y + s * b.x + c * b.y, a.yaw + b.yaw};
}

struct muy_player_motion muy_player_inverse(struct muy_player_motion a)
{
  struct muy_player_motion turn = {0, 0, -a.yaw};
  struct muy_player_motion back = muy_player_compose(turn, (struct muy_player_motion){a.x, a.y, 0});
  return (struct muy_player_motion){-back.x, -back.y, -a.yaw};
}

static double wrap(double angle) /* to (-pi, pi] */
{
  double wrapped = remainder(angle, TURN);
  return wrapped <= -TURN / 2 ? TURN / 2 : wrapped;
}

static const double *pose_of(const struct muy_player_controller *c, const struct muy_player_moment *m)
{
  return c->clips[m->clip].q + (size_t)m->frame * (size_t)c->n_dofs;
}

/* The root in the world: x, y, z, yaw. */
static void root_of(const struct muy_player_controller *c, const struct muy_player_moment *m, double root[4])
{
  const double *q = pose_of(c, m);
  struct muy_player_motion world = muy_player_compose(m->place, (struct muy_player_motion){q[0], q[1], q[3]});
  root[0] = world.x, root[1] = world.y, root[2] = q[2], root[3] = world.yaw;
}

/* ---- playing ---- */

static const struct muy_player_segment *segment_of(const struct muy_player *p)
{
  return &p->controller->segments[p->segment];
}

/* Sets `now` from where the player is in its segment. The heading is kept within a turn so that it stays exact for
 * ever; the pose's yaw takes as many turns as bring it next to `beside`, so that it never jumps. */
static void reach_frame(struct muy_player *p, double beside)
{
  const struct muy_player_piece *piece = &segment_of(p)->pieces[p->piece];
  struct muy_player_moment *now = &p->now;
  *now = (struct muy_player_moment){.clip = piece->clip, .frame = piece->first + p->within,
                                .place = muy_player_compose(p->ground, piece->place)};
  double yaw = now->place.yaw + pose_of(p->controller, now)[3];
  now->place.yaw += TURN * round((beside - yaw) / TURN);
  now->force_clip = now->clip, now->force_frame = now->frame, now->force_yaw = now->place.yaw;
}

/* The forces of `now`, the end of a segment: those of the frame after its last piece. A clip that is not cyclic may end
 * there; then nothing better is known than the forces of the next segment. */
static void keep_forces(struct muy_player *p, const struct muy_player_segment *s, double heading)
{
  const struct muy_player_piece *last = &s->pieces[s->n_pieces - 1];
  const struct muy_player_clip *clip = &p->controller->clips[last->clip];
  int frame = last->first + last->count, over = frame == clip->n_frames;
  if (over && !clip->cyclic) return;
  p->now.force_clip = last->clip, p->now.force_frame = over ? 0 : frame;
  p->now.force_yaw = heading + last->place.yaw + (over ? clip->advance.yaw : 0);
}

/* Decides at a node, with the ground frame already there. */
static void choose_segment(struct muy_player *p, int node)
{
  double theta[MUY_PLAYER_PARAMETERS_MOST];
  for (int i = 0; i < p->controller->n_parameters; i++)
    theta[i] = p->asked[i] - (p->controller->parameters[i].relative ? p->ground.yaw : 0);
  p->segment = muy_player_choose(p->controller, node, theta);
  p->at = p->piece = p->within = 0;
}

static double yaw_of(const struct muy_player *p, const struct muy_player_moment *m)
{
  return m->place.yaw + pose_of(p->controller, m)[3];
}

void muy_player_step(struct muy_player *p)
{
  const struct muy_player_segment *s = segment_of(p);
  double heading = p->ground.yaw;
  int arrives = ++p->at == s->n_frames;
  p->before = p->now;
  p->n_steps++;
  if (++p->within == s->pieces[p->piece].count) p->piece++, p->within = 0;
  if (arrives) {
    p->ground = muy_player_compose(p->ground, s->motion);
    p->ground.yaw = wrap(p->ground.yaw);
    choose_segment(p, s->to);
  }
  reach_frame(p, yaw_of(p, &p->before));
  if (arrives) keep_forces(p, s, heading);
}

int muy_player_advance(struct muy_player *p, double seconds)
{
  if (!(seconds >= 0 && seconds <= MUY_PLAYER_ADVANCE_MOST)) return -1; /* a NaN too */
  int reached = 0;
  for (p->behind -= seconds / p->controller->dt; p->behind < 0; p->behind += 1, reached++)
    muy_player_step(p);
  return reached;
}

int muy_player_peek(const struct muy_player *p)
{
  struct muy_player next = *p;
  next.ground = muy_player_compose(p->ground, segment_of(p)->motion);
  next.ground.yaw = wrap(next.ground.yaw);
  choose_segment(&next, segment_of(p)->to);
  return next.segment;
}

int muy_player_start(struct muy_player *p, int node, double x, double y, double heading)
{
  if (node < 0 || node >= p->controller->n_nodes || !isfinite(x) || !isfinite(y) || !isfinite(heading)) return 0;
  p->ground = (struct muy_player_motion){x, y, wrap(heading)};
  p->behind = 0;
  p->n_steps = 0;
  choose_segment(p, node);
  reach_frame(p, p->ground.yaw);
  p->before = p->now;
  return 1;
}

void muy_player_init(struct muy_player *p, const struct muy_player_controller *c)
{
  *p = (struct muy_player){.controller = c};
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *parameter = &c->parameters[i];
    if (parameter->space == MUY_PLAYER_CIRCLE && !parameter->relative) p->asked[i] = parameter->values[0];
    if (parameter->space == MUY_PLAYER_INTERVAL)
      p->asked[i] = (parameter->values[0] + parameter->values[parameter->n_values - 1]) / 2;
  }
  muy_player_start(p, 0, 0, 0, 0);
}

int muy_player_place(struct muy_player *p, double x, double y, double heading)
{
  if (!isfinite(x) || !isfinite(y) || !isfinite(heading)) return 0;
  const double *q = pose_of(p->controller, &p->now);
  struct muy_player_motion old = p->ground, root = {q[0], q[1], 0};
  struct muy_player_moment now = p->now;
  root = muy_player_compose(segment_of(p)->pieces[p->piece].place, root);
  p->ground = (struct muy_player_motion){0, 0, wrap(heading)};
  root = muy_player_compose(p->ground, root);
  p->ground.x = x - root.x, p->ground.y = y - root.y;
  double turn = p->ground.yaw - old.yaw;
  p->before.place = muy_player_compose(muy_player_compose(p->ground, muy_player_inverse(old)), p->before.place);
  p->before.force_yaw += turn;
  reach_frame(p, yaw_of(p, &p->before));
  p->now.force_clip = now.force_clip, p->now.force_frame = now.force_frame, p->now.force_yaw = now.force_yaw + turn;
  return 1;
}

int muy_player_set(struct muy_player *p, int parameter, double value)
{
  if (parameter < 0 || parameter >= p->controller->n_parameters || !isfinite(value)) return 0;
  const struct muy_player_parameter *what = &p->controller->parameters[parameter];
  if (what->space == MUY_PLAYER_CATEGORY) {
    value = round(value);
    if (!(value >= 0 && value < what->n_values)) return 0;
  }
  if (what->space == MUY_PLAYER_INTERVAL) value = fmin(fmax(value, what->values[0]), what->values[what->n_values - 1]);
  p->asked[parameter] = what->space == MUY_PLAYER_CIRCLE ? wrap(value) : value;
  if (p->n_steps == 0) { /* the first choice was made before anything could be asked */
    choose_segment(p, segment_of(p)->from);
    reach_frame(p, yaw_of(p, &p->before));
  }
  return 1;
}

int muy_player_set_category(struct muy_player *p, int parameter, const char *category)
{
  if (parameter < 0 || parameter >= p->controller->n_parameters) return 0;
  const struct muy_player_parameter *what = &p->controller->parameters[parameter];
  for (int i = 0; what->categories && i < what->n_values; i++)
    if (strcmp(what->categories[i], category) == 0) return muy_player_set(p, parameter, i);
  return 0;
}

/* ---- reading a player ---- */

double muy_player_time(const struct muy_player *p)
{
  return ((double)p->n_steps - p->behind) * p->controller->dt;
}

void muy_player_pose(const struct muy_player *p, double *q)
{
  const struct muy_player_controller *c = p->controller;
  const double *now = pose_of(c, &p->now), *before = pose_of(c, &p->before);
  double root_now[4], root_before[4];
  root_of(c, &p->now, root_now);
  root_of(c, &p->before, root_before);
  for (int i = 0; i < c->n_dofs; i++) {
    double to = i < 4 ? root_now[i] : now[i], from = i < 4 ? root_before[i] : before[i];
    q[i] = p->behind > 0 ? to + p->behind * (from - to) : to;
  }
}

/* Adds a share of the forces of a frame, turned into the world. */
static void add_forces(const struct muy_player_controller *c, const struct muy_player_moment *m, double share,
                       double *force)
{
  const double *own = c->clips[m->force_clip].force + (size_t)m->force_frame * (size_t)c->n_points * 3;
  double sine = sin(m->force_yaw), cosine = cos(m->force_yaw);
  for (int i = 0; i < c->n_points; i++, own += 3, force += 3) {
    force[0] += share * (cosine * own[0] - sine * own[1]);
    force[1] += share * (sine * own[0] + cosine * own[1]);
    force[2] += share * own[2];
  }
}

int muy_player_forces(const struct muy_player *p, double *force)
{
  const struct muy_player_controller *c = p->controller;
  for (int i = 0; i < 3 * c->n_points; i++)
    force[i] = 0;
  if (!c->has_forces) return 0;
  add_forces(c, &p->now, 1 - p->behind, force);
  if (p->behind > 0) add_forces(c, &p->before, p->behind, force);
  return 1;
}

int muy_player_contacts(const struct muy_player *p, unsigned char *contact)
{
  const struct muy_player_controller *c = p->controller;
  const struct muy_player_moment *m = p->behind > 0.5 ? &p->before : &p->now;
  size_t row = (size_t)m->force_frame * (size_t)c->n_points;
  for (int i = 0; i < c->n_points; i++)
    contact[i] = c->has_forces ? c->clips[m->force_clip].contact[row + (size_t)i] : 0;
  return c->has_forces;
}

struct muy_player_features muy_player_features(const struct muy_player *p)
{
  struct muy_player_features f = segment_of(p)->features[p->at];
  f.direction = wrap(f.direction + p->ground.yaw);
  f.torso = wrap(f.torso + p->ground.yaw);
  return f;
}

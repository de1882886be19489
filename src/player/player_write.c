/* Writing controllers. See player_write.h; the order of the bytes is that of doc/player-format.md. */
#include "player_write.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- bytes ---- */

struct writer {
  unsigned char *bytes;
  size_t length, room;
  const char *fault; /* the first one, NULL while there is none */
};

static void put_word(struct writer *w, uint64_t word, size_t width)
{
  if (w->room - w->length < width && !w->fault) {
    size_t room = 2 * w->room + 4096;
    unsigned char *grown = realloc(w->bytes, room);
    if (grown) w->bytes = grown, w->room = room;
    else w->fault = "out of memory";
  }
  for (size_t k = 0; !w->fault && k < width; k++)
    w->bytes[w->length++] = (unsigned char)(word >> 8 * k);
}

static void put_count(struct writer *w, long long count)
{
  if (!w->fault && (count < 0 || count > INT_MAX / 4)) w->fault = "a count or an index is negative or too large";
  put_word(w, (uint64_t)count, 4);
}

static void put_double(struct writer *w, double number)
{
  uint64_t word;
  memcpy(&word, &number, sizeof word);
  put_word(w, word, 8);
}

static void put_float(struct writer *w, float number)
{
  uint32_t word;
  memcpy(&word, &number, sizeof word);
  put_word(w, word, 4);
}

static void put_motion(struct writer *w, struct muy_player_motion m)
{
  put_double(w, m.x);
  put_double(w, m.y);
  put_double(w, m.yaw);
}

static void put_text(struct writer *w, const char *text)
{
  for (; text && *text; text++)
    put_word(w, (unsigned char)*text, 1);
  put_word(w, 0, 1);
}

/* The end of a table. */
static void pad(struct writer *w)
{
  while (!w->fault && w->length % 8)
    put_word(w, 0, 1);
}

/* ---- tables ---- */

static void put_doubles(struct writer *w, const double *numbers, size_t count)
{
  for (size_t i = 0; !w->fault && i < count; i++)
    put_double(w, numbers[i]);
}

static void put_clips(struct writer *w, const struct muy_player_controller *c)
{
  size_t dofs = (size_t)c->n_dofs, points = (size_t)c->n_points;
  for (int i = 0; i < c->n_clips; i++) {
    put_count(w, c->clips[i].n_frames);
    put_count(w, c->clips[i].cyclic);
    if (!c->clips[i].q || (c->has_forces && (!c->clips[i].force || !c->clips[i].contact)))
      w->fault = "a clip has no frames or no forces";
  }
  for (int i = 0; i < c->n_clips; i++)
    put_motion(w, c->clips[i].advance);
  for (int i = 0; !w->fault && i < c->n_clips; i++)
    put_doubles(w, c->clips[i].q, (size_t)c->clips[i].n_frames * dofs);
  if (!c->has_forces) return;
  for (int i = 0; !w->fault && i < c->n_clips; i++)
    put_doubles(w, c->clips[i].force, (size_t)c->clips[i].n_frames * 3 * points);
  for (int i = 0; !w->fault && i < c->n_clips; i++)
    for (size_t k = 0; k < (size_t)c->clips[i].n_frames * points; k++)
      put_word(w, c->clips[i].contact[k], 1);
  pad(w);
}

static void put_segments(struct writer *w, const struct muy_player_controller *c)
{
  for (int i = 0; i < c->n_nodes; i++) {
    put_count(w, c->nodes[i].clip);
    put_count(w, c->nodes[i].frame);
  }
  for (int i = 0; i < c->n_segments; i++) {
    const struct muy_player_segment *s = &c->segments[i];
    put_count(w, s->from);
    put_count(w, s->to);
    put_count(w, s->n_frames);
    put_count(w, s->n_pieces);
    if (!s->pieces || !s->features || !s->values) w->fault = "a segment has no pieces, features or values";
  }
  for (int i = 0; i < c->n_segments; i++)
    put_motion(w, c->segments[i].motion);
}

static void put_pieces(struct writer *w, const struct muy_player_controller *c)
{
  const struct muy_player_segment *end = c->segments + c->n_segments;
  for (const struct muy_player_segment *s = c->segments; !w->fault && s < end; s++)
    for (int k = 0; k < s->n_pieces; k++) {
      put_count(w, s->pieces[k].clip);
      put_count(w, s->pieces[k].first);
      put_count(w, s->pieces[k].count);
    }
  pad(w);
  for (const struct muy_player_segment *s = c->segments; !w->fault && s < end; s++)
    for (int k = 0; k < s->n_pieces; k++)
      put_motion(w, s->pieces[k].place);
}

static void put_features(struct writer *w, const struct muy_player_controller *c)
{
  const struct muy_player_segment *end = c->segments + c->n_segments;
  for (const struct muy_player_segment *s = c->segments; !w->fault && s < end; s++)
    for (int k = 0; k < s->n_frames; k++) {
      const struct muy_player_features *f = &s->features[k];
      const double numbers[4] = {f->direction, f->torso, f->speed, f->effort};
      put_doubles(w, numbers, 4);
    }
  for (const struct muy_player_segment *s = c->segments; !w->fault && s < end; s++)
    for (int k = 0; k < s->n_frames; k++)
      put_count(w, s->features[k].gait);
  pad(w);
  for (const struct muy_player_segment *s = c->segments; !w->fault && s < end; s++)
    for (int k = 0; k < s->n_frames; k++)
      put_doubles(w, s->features[k].measured, (size_t)c->n_measures);
}

/* The tables of bones, none if there are none. */
static void put_bones(struct writer *w, const struct muy_player_controller *c)
{
  const struct muy_player_bone *end = c->bones + c->n_bones;
  if (c->n_bones == 0) return;
  for (const struct muy_player_bone *b = c->bones; !w->fault && b < end; b++) {
    put_count(w, b->parent + 1);
    put_count(w, b->first_dof);
    put_count(w, b->n_dofs);
    put_count(w, (int)b->solid);
  }
  put_doubles(w, c->axes, 3 * (size_t)c->n_dofs);
  for (const struct muy_player_bone *b = c->bones; b < end; b++)
    put_doubles(w, b->at, 3);
  for (const struct muy_player_bone *b = c->bones; b < end; b++) {
    put_doubles(w, b->centre, 3);
    put_doubles(w, b->turn, 4);
    put_doubles(w, b->size, 3);
  }
}

static void put_parameters(struct writer *w, const struct muy_player_controller *c)
{
  size_t cells = 1;
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *p = &c->parameters[i];
    put_count(w, (int)p->space);
    put_count(w, p->relative);
    put_count(w, p->n_values);
    if (!w->fault && !p->values) w->fault = "a parameter has no grid";
    if (!w->fault && p->n_values > 0 && cells > SIZE_MAX / 8 / (size_t)p->n_values) w->fault = "the grid is too large";
    if (!w->fault) cells *= (size_t)p->n_values;
  }
  pad(w);
  for (int i = 0; !w->fault && i < c->n_parameters; i++)
    put_doubles(w, c->parameters[i].values, (size_t)c->parameters[i].n_values);
  for (int i = 0; !w->fault && i < c->n_segments; i++)
    for (size_t k = 0; !w->fault && k < cells; k++)
      put_float(w, c->segments[i].values[k]);
  pad(w);
}

static void put_texts(struct writer *w, const char *const *texts, int n)
{
  for (int i = 0; !w->fault && i < n; i++)
    put_text(w, texts ? texts[i] : "");
}

static void put_names(struct writer *w, const struct muy_player_controller *c)
{
  put_text(w, c->creature);
  put_texts(w, c->dof_names, c->n_dofs);
  put_texts(w, c->point_names, c->n_points);
  put_texts(w, c->gait_names, c->n_gaits);
  for (int i = 0; i < c->n_clips; i++)
    put_text(w, c->clips[i].name);
  for (int i = 0; i < c->n_parameters; i++) {
    const struct muy_player_parameter *p = &c->parameters[i];
    put_text(w, p->name);
    put_text(w, p->kind);
    put_text(w, p->unit);
    if (p->space == MUY_PLAYER_CATEGORY) put_texts(w, p->categories, p->n_values);
  }
  for (int i = 0; i < c->n_bones; i++)
    put_text(w, c->bones[i].name);
}

/* ---- the file ---- */

static void put_counts(struct writer *w, const struct muy_player_controller *c)
{
  long long frames = 0, pieces = 0, shown = 0, grid = 0;
  for (int i = 0; i < c->n_clips; i++)
    frames += c->clips[i].n_frames;
  for (int i = 0; i < c->n_segments; i++)
    pieces += c->segments[i].n_pieces, shown += c->segments[i].n_frames;
  for (int i = 0; i < c->n_parameters; i++)
    grid += c->parameters[i].n_values;
  const long long counts[] = {c->n_dofs, c->n_points, c->n_gaits, c->n_parameters, c->n_clips, c->n_nodes,
                              c->n_segments, frames, pieces, shown, grid, 0 /* bytes of names, later */};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    put_count(w, counts[i]);
  put_double(w, c->dt);
  put_count(w, c->n_bones);
  put_count(w, 0);
}

enum { AT_LENGTH = 16, AT_SUM = 24, AT_COUNTS = 32, AT_TEXT_BYTES = 76 };

static void put_at(struct writer *w, size_t at, uint64_t word, size_t width)
{
  struct writer there = {w->bytes, at, at + width, w->fault};
  put_word(&there, word, width);
}

static void put_file(struct writer *w, const struct muy_player_controller *c)
{
  for (size_t i = 0; i < 8; i++)
    put_word(w, (unsigned char)"MUYPLAY"[i], 1);
  put_word(w, MUY_PLAYER_VERSION, 4);
  if (c->n_measures < 0 || c->n_measures > MUY_PLAYER_MEASURES_MOST) w->fault = "frames have too many measures";
  put_word(w, (c->has_forces ? 1u : 0u) | (unsigned)c->n_measures << 1, 4);
  put_word(w, 0, 8);
  put_word(w, 0, 8);
  put_counts(w, c);
  if (!w->fault) put_clips(w, c);
  if (!w->fault) put_segments(w, c);
  if (!w->fault) put_pieces(w, c);
  if (!w->fault) put_features(w, c);
  if (!w->fault) put_bones(w, c);
  if (!w->fault) put_parameters(w, c);
  size_t before = w->length;
  if (!w->fault) put_names(w, c);
  if (w->fault) return;
  put_at(w, AT_TEXT_BYTES, w->length - before, 4);
  pad(w);
  uint64_t sum = 14695981039346656037u; /* FNV-1a */
  for (size_t i = AT_COUNTS; i < w->length; i++)
    sum = (sum ^ w->bytes[i]) * 1099511628211u;
  put_at(w, AT_LENGTH, w->length, 8);
  put_at(w, AT_SUM, sum, 8);
}

unsigned char *muy_player_write_memory(const struct muy_player_controller *c, size_t *length, char *why, size_t size)
{
  struct writer w = {0};
  put_file(&w, c);
  if (w.fault && size > 0) snprintf(why, size, "%s", w.fault);
  struct muy_player_controller *loaded = w.fault ? NULL : muy_player_load_memory(w.bytes, w.length, why, size);
  if (!loaded) {
    free(w.bytes);
    return NULL;
  }
  muy_player_unload(loaded);
  *length = w.length;
  return w.bytes;
}

/* A new file beside path, whose name is put into `part`. NULL with errno if there can be none. */
static FILE *open_part(const char *path, char *part, size_t room)
{
  FILE *f = NULL;
  for (int attempt = 0; !f && attempt < 100; attempt++) {
    snprintf(part, room, "%s.%ld-%d.part", path, (long)getpid(), attempt);
    f = fopen(part, "wbx");
    if (!f && errno != EEXIST) return NULL;
  }
  return f;
}

static int write_file(const char *path, const unsigned char *bytes, size_t length)
{
  size_t room = strlen(path) + 40;
  char *part = malloc(room);
  FILE *f = part ? open_part(path, part, room) : NULL;
  int done = 0;
  if (f) {
    done = fwrite(bytes, 1, length, f) == length;
    int error = errno;
    if (fclose(f) != 0 && done) done = 0, error = errno;
    if (done && rename(part, path) != 0) done = 0, error = errno;
    if (!done) remove(part);
    errno = error;
  }
  free(part);
  return done;
}

int muy_player_write(const char *path, const struct muy_player_controller *c, char *why, size_t size)
{
  char reason[160] = "";
  size_t length;
  unsigned char *bytes = muy_player_write_memory(c, &length, reason, sizeof reason);
  int done = bytes && write_file(path, bytes, length);
  if (!done && size > 0)
    snprintf(why, size, "%s: cannot write this file: %s", path, bytes ? strerror(errno) : reason);
  free(bytes);
  return done;
}

/* ---- laying pieces ---- */

/* Where the root is in any frame of a clip, cycles included; yaw is added to what `heading` says. */
static struct muy_player_motion frame_at(const struct muy_player_controller *c, int clip, int frame,
                                         const double *heading)
{
  const struct muy_player_clip *k = &c->clips[clip];
  const double *q = k->q + (size_t)(frame % k->n_frames) * (size_t)c->n_dofs;
  struct muy_player_motion at = {q[0], q[1], heading ? *heading : q[3]};
  for (int cycle = frame / k->n_frames; cycle > 0; cycle--)
    at = muy_player_compose(k->advance, at);
  return at;
}

/* Pieces of one run, whose clip is put at `place`; returns how many. */
static int lay_run(const struct muy_player_clip *clip, struct muy_player_run run, struct muy_player_motion place,
                   struct muy_player_piece *pieces, int room)
{
  int n = 0;
  for (int left = run.count; left > 0; n++) {
    int count = left < clip->n_frames - run.first ? left : clip->n_frames - run.first;
    if (n < room) pieces[n] = (struct muy_player_piece){run.clip, run.first, count, place};
    place = muy_player_compose(place, clip->advance);
    run.first = 0;
    left -= count;
  }
  return n;
}

int muy_player_lay(const struct muy_player_controller *c, const struct muy_player_run *runs, int n_runs,
                   const double heading[2], struct muy_player_piece *pieces, int room,
                   struct muy_player_segment *segment)
{
  int n = 0, n_frames = 0;
  struct muy_player_motion next = {0, 0, 0}; /* where the frame after the runs so far is */
  for (int i = 0; i < n_runs; i++) {
    struct muy_player_run run = runs[i];
    if (run.clip < 0 || run.clip >= c->n_clips || run.first < 0 || run.count < 1) return -1;
    const struct muy_player_clip *clip = &c->clips[run.clip];
    if (run.first >= clip->n_frames || run.count > INT_MAX / 4 - n_frames) return -1;
    if (!clip->cyclic && run.count >= clip->n_frames - run.first) return -1;
    struct muy_player_motion first = frame_at(c, run.clip, run.first, i == 0 ? &heading[0] : NULL);
    struct muy_player_motion place = muy_player_compose(next, muy_player_inverse(first));
    int filled = n < room ? n : room;
    n += lay_run(clip, run, place, pieces + filled, room - filled);
    n_frames += run.count;
    next = muy_player_compose(place, frame_at(c, run.clip, run.first + run.count,
                                              i == n_runs - 1 ? &heading[1] : NULL));
  }
  segment->n_frames = n_frames;
  segment->n_pieces = n;
  segment->pieces = pieces;
  segment->motion = next;
  return n;
}

/* ---- gaps ---- */

static double larger(double a, double b) /* a NaN is larger than any */
{
  return isnan(a) || a >= b ? a : b;
}

/* By how much the first frame of `piece`, moved by `by`, differs from the frame that would follow `last`. */
static double gap_between(const struct muy_player_controller *c, const struct muy_player_piece *last,
                          struct muy_player_motion by, const struct muy_player_piece *piece)
{
  const struct muy_player_clip *clip = &c->clips[last->clip];
  int after = last->first + last->count;
  if (!clip->cyclic && after >= clip->n_frames) return 0; /* nothing says how the clip would have gone on */
  size_t dofs = (size_t)c->n_dofs, row_a = (size_t)(after % clip->n_frames) * dofs, row_b = (size_t)piece->first * dofs;
  const double *a = clip->q + row_a, *b = c->clips[piece->clip].q + row_b;
  struct muy_player_motion going = muy_player_compose(last->place, frame_at(c, last->clip, after, NULL));
  struct muy_player_motion coming = muy_player_compose(piece->place, frame_at(c, piece->clip, piece->first, NULL));
  coming = muy_player_compose(by, coming);
  double largest = larger(fabs(going.x - coming.x), fabs(going.y - coming.y));
  largest = larger(largest, fabs(remainder(going.yaw - coming.yaw, 2 * acos(-1))));
  for (size_t i = 2; i < dofs; i++)
    if (i != 3) largest = larger(largest, fabs(a[i] - b[i]));
  return largest;
}

double muy_player_gap(const struct muy_player_controller *c, int *segment)
{
  double largest = 0;
  *segment = 0;
  for (int i = 0; i < c->n_segments; i++) {
    const struct muy_player_segment *s = &c->segments[i];
    double gap = 0;
    for (int k = 1; k < s->n_pieces; k++)
      gap = larger(gap, gap_between(c, &s->pieces[k - 1], (struct muy_player_motion){0, 0, 0}, &s->pieces[k]));
    for (int k = 0; k < c->n_segments; k++)
      if (c->segments[k].from == s->to)
        gap = larger(gap, gap_between(c, &s->pieces[s->n_pieces - 1], s->motion, &c->segments[k].pieces[0]));
    if (!isnan(largest) && !(gap <= largest)) largest = gap, *segment = i;
  }
  return largest;
}

/* Reads the tree and the frames of a motion file; see bvh_read.h.
 *
 * A cursor goes through the text word by word and knows its line. The tree is read with a stack of open joints instead
 * of recursion, so that no file can exhaust the machine's. What is wrong in one joint does not stop the reading; once
 * the tree is wrong, though, nothing is said about the number of numbers in a frame, which follows from it. */
#include "exchange/bvh_read.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/text.h"

#define MAX_FAULTY_FRAMES 20 /* told one by one */

/* A word of the text; not ended by 0. */
struct word {
  const char *at;
  size_t n;
};

struct reader {
  struct arena *arena;
  struct diag *d;
  struct bvh *bvh;
  const char *at, *end;
  int line;
  struct bvh_joint *joints;         /*                                       (BVH_MAX_JOINTS) */
  int open[BVH_MAX_DEPTH], depth;   /* joints whose brace is not yet closed                   */
  unsigned char has_offset[BVH_MAX_JOINTS], has_channels[BVH_MAX_JOINTS];
};

static const char *const channel_names[] = {"Xposition", "Yposition", "Zposition", "Xrotation",
                                            "Yrotation", "Zrotation", NULL};

const char *bvh_channel_name(enum bvh_channel channel)
{
  return channel_names[channel];
}

/* ---- words ---- */

static int is_space(char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static int is_brace(char c)
{
  return c == '{' || c == '}';
}

static void skip_spaces(struct reader *r)
{
  while (r->at < r->end && is_space(*r->at))
    r->at++;
}

static void skip_blank_lines(struct reader *r)
{
  for (skip_spaces(r); r->at < r->end && *r->at == '\n'; skip_spaces(r)) {
    r->at++;
    r->line++;
  }
}

static void skip_line(struct reader *r)
{
  while (r->at < r->end && *r->at != '\n')
    r->at++;
}

/* The next word of this line; n = 0 at its end. A brace is a word of its own. */
static struct word next_word(struct reader *r)
{
  skip_spaces(r);
  struct word w = {r->at, 0};
  if (r->at < r->end && is_brace(*r->at))
    r->at++;
  else
    while (r->at < r->end && *r->at != '\n' && !is_space(*r->at) && !is_brace(*r->at))
      r->at++;
  w.n = (size_t)(r->at - w.at);
  return w;
}

static int is_word(struct word w, const char *text)
{
  return w.n == strlen(text) && strncasecmp(w.at, text, w.n) == 0;
}

/* For messages: printable, and cut if long. */
static struct text_clip show(struct word w)
{
  char text[80];
  size_t n = w.n < sizeof text - 1 ? w.n : sizeof text - 1;
  for (size_t i = 0; i < n; i++)
    text[i] = w.at[i] > 31 && w.at[i] < 127 ? w.at[i] : '?';
  text[n] = '\0';
  return text_clip(text);
}

static void complain(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(struct reader *r, const char *format, ...)
{
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  diag_error(r->d, r->bvh->file, r->line, "%s", text);
}

/* A plain decimal number within bounds. 0 if it is none: hexadecimal, inf and nan are none. */
static int number(struct word w, double *out)
{
  char text[64], *end;
  if (w.n == 0 || w.n >= sizeof text)
    return 0;
  for (size_t i = 0; i < w.n; i++)
    if (!strchr("0123456789+-.eE", w.at[i]) || !w.at[i])
      return 0;
  memcpy(text, w.at, w.n);
  text[w.n] = '\0';
  *out = strtod(text, &end);
  return !*end && fabs(*out) <= BVH_MAX_NUMBER;
}

static int whole_number(struct word w, int least, int most, int *out)
{
  double x;
  if (!number(w, &x) || x < least || x > most || x != floor(x))
    return 0;
  *out = (int)x;
  return 1;
}

/* Words that belong on no line. */
static void expect_end_of_line(struct reader *r, const char *after)
{
  struct word w = next_word(r);
  if (w.n > 0 && !is_brace(*w.at))
    complain(r, "expected nothing more after %s, found '%s'", after, show(w).word);
  if (w.n > 0 && is_brace(*w.at))
    r->at = w.at; /* for whoever reads on */
  else
    skip_line(r);
}

/* ---- the tree ---- */

static struct text_phrase describe(const struct bvh_joint *j)
{
  struct text_phrase p;
  snprintf(p.words, sizeof p.words, j->is_end ? "the end site '%s'" : "joint '%s'", text_clip(j->name).word);
  return p;
}

/* All words up to the brace or the end of the line. */
static const char *read_name(struct reader *r)
{
  skip_spaces(r);
  const char *from = r->at, *until = r->at;
  for (struct word w = next_word(r); w.n > 0; w = next_word(r)) {
    if (is_brace(*w.at)) {
      r->at = w.at;
      break;
    }
    until = r->at;
  }
  int n = until - from > 200 ? 200 : (int)(until - from);
  char *name = ARENA_NEW(r->arena, (size_t)n + 1, char);
  for (int i = 0; i < n; i++)
    name[i] = from[i] > 31 && from[i] < 127 ? from[i] : '?';
  return name;
}

static void open_brace(struct reader *r, const struct bvh_joint *j)
{
  skip_blank_lines(r);
  struct word w = next_word(r);
  if (is_word(w, "{"))
    return;
  complain(r, "expected '{' after %s, found '%s'", describe(j).words, show(w).word);
  r->at = w.at;
}

/* A new joint under the innermost open one. 0 when there is no room for it, which ends the reading. */
static int begin_joint(struct reader *r, int is_end)
{
  int line = r->line, parent = r->depth ? r->open[r->depth - 1] : -1;
  const char *name = read_name(r);
  if (r->bvh->n_joints == BVH_MAX_JOINTS || r->depth == BVH_MAX_DEPTH) {
    complain(r, r->depth == BVH_MAX_DEPTH ? "joints are more than %d deep" : "more than %d joints",
             r->depth == BVH_MAX_DEPTH ? BVH_MAX_DEPTH : BVH_MAX_JOINTS);
    return 0;
  }
  struct bvh_joint *j = &r->joints[r->bvh->n_joints];
  *j = (struct bvh_joint){.name = name, .parent = parent, .line = line, .is_end = is_end};
  j->first_channel = r->bvh->n_channels;
  if (is_end)
    j->name = arena_printf(r->arena, "%s end", parent >= 0 ? r->joints[parent].name : "");
  else if (!*name)
    complain(r, "a joint without a name");
  for (int i = 0; i < r->bvh->n_joints && !is_end; i++)
    if (!r->joints[i].is_end && strcmp(r->joints[i].name, name) == 0 && *name)
      diag_warning(r->d, r->bvh->file, line, "joint '%s' has the name of the one in line %d", text_clip(name).word,
                   r->joints[i].line);
  if (parent >= 0 && r->joints[parent].is_end)
    complain(r, "%s cannot be inside of %s", describe(j).words, describe(&r->joints[parent]).words);
  r->open[r->depth++] = r->bvh->n_joints++;
  open_brace(r, j);
  return 1;
}

static void end_joint(struct reader *r)
{
  int i = r->open[--r->depth];
  const struct bvh_joint *j = &r->joints[i];
  if (!r->has_offset[i])
    diag_error(r->d, r->bvh->file, j->line, "%s has no OFFSET", describe(j).words);
  if (!r->has_channels[i] && !j->is_end)
    diag_error(r->d, r->bvh->file, j->line, "%s has no CHANNELS", describe(j).words);
}

static void read_offset(struct reader *r, int i)
{
  struct bvh_joint *j = &r->joints[i];
  if (r->has_offset[i]++)
    complain(r, "%s has a second OFFSET", describe(j).words);
  for (int k = 0; k < 3; k++) {
    struct word w = next_word(r);
    if (number(w, &j->offset[k]))
      continue;
    if (w.n == 0)
      complain(r, "OFFSET of %s needs 3 numbers, found %d", describe(j).words, k);
    else
      complain(r, "OFFSET of %s: expected a number within +-%g, found '%s'", describe(j).words, BVH_MAX_NUMBER,
               show(w).word);
    skip_line(r);
    return;
  }
  expect_end_of_line(r, "OFFSET");
}

static void add_channel(struct reader *r, struct bvh_joint *j, struct word w)
{
  int kind = 0;
  while (channel_names[kind] && !is_word(w, channel_names[kind]))
    kind++;
  if (!channel_names[kind]) {
    complain(r, "there is no channel '%s'%s", show(w).word, text_suggest(show(w).word, channel_names).words);
    return;
  }
  for (int k = 0; k < j->n_channels; k++)
    if (j->channels[k] == (enum bvh_channel)kind) {
      complain(r, "%s has channel %s twice", describe(j).words, channel_names[kind]);
      return;
    }
  j->channels[j->n_channels++] = (enum bvh_channel)kind;
  r->bvh->n_channels++;
}

static void read_channels(struct reader *r, int i)
{
  struct bvh_joint *j = &r->joints[i];
  int count, found = 0;
  struct word w = next_word(r);
  if (r->has_channels[i]++ || j->is_end) {
    complain(r, j->is_end ? "%s cannot have CHANNELS" : "%s has CHANNELS a second time", describe(j).words);
    skip_line(r);
    return;
  }
  j->first_channel = r->bvh->n_channels;
  if (!whole_number(w, 0, BVH_MAX_CHANNELS, &count)) {
    complain(r, "CHANNELS of %s: expected how many, 0 to %d, found '%s'", describe(j).words, BVH_MAX_CHANNELS,
             show(w).word);
    skip_line(r);
    return;
  }
  for (w = next_word(r); w.n > 0 && !is_brace(*w.at); w = next_word(r))
    if (found++ < BVH_MAX_CHANNELS)
      add_channel(r, j, w);
  if (w.n > 0)
    r->at = w.at;
  if (found != count)
    complain(r, "CHANNELS of %s says %d, but %d follow", describe(j).words, count, found);
}

/* One statement inside of a joint. 0 ends the reading of the tree. */
static int read_statement(struct reader *r, struct word w)
{
  int innermost = r->open[r->depth - 1];
  if (is_word(w, "}")) {
    end_joint(r);
  } else if (is_word(w, "OFFSET")) {
    read_offset(r, innermost);
  } else if (is_word(w, "CHANNELS")) {
    read_channels(r, innermost);
  } else if (is_word(w, "JOINT")) {
    return begin_joint(r, 0);
  } else if (is_word(w, "End")) {
    return begin_joint(r, 1);
  } else if (is_word(w, "MOTION")) {
    const struct bvh_joint *j = &r->joints[innermost];
    complain(r, "MOTION before the '}' of %s, line %d", describe(j).words, j->line);
    return 0;
  } else {
    static const char *const known[] = {"OFFSET", "CHANNELS", "JOINT", "End", "MOTION", NULL};
    complain(r, "expected OFFSET, CHANNELS, JOINT, End Site or '}', found '%s'%s", show(w).word,
             text_nearest(show(w).word, known) ? text_suggest(show(w).word, known).words : "");
    skip_line(r);
  }
  return 1;
}

static int read_tree(struct reader *r)
{
  do {
    skip_blank_lines(r);
    struct word w = next_word(r);
    if (w.n == 0) {
      const struct bvh_joint *j = &r->joints[r->open[r->depth - 1]];
      complain(r, "the file ends before the '}' of %s, line %d", describe(j).words, j->line);
      return 0;
    }
    if (!read_statement(r, w))
      return 0;
  } while (r->depth > 0);
  return 1;
}

static int read_hierarchy(struct reader *r)
{
  static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
  if (r->end - r->at >= 3 && memcmp(r->at, mark, 3) == 0)
    r->at += 3;
  skip_blank_lines(r);
  struct word w = next_word(r);
  if (!is_word(w, "HIERARCHY")) {
    complain(r, w.n ? "expected HIERARCHY, found '%s'" : "expected HIERARCHY, but the file is empty%s", show(w).word);
    return 0;
  }
  skip_blank_lines(r);
  w = next_word(r);
  if (!is_word(w, "ROOT")) {
    complain(r, "expected ROOT, found '%s'", show(w).word);
    return 0;
  }
  if (!begin_joint(r, 0) || !read_tree(r))
    return 0;
  if (r->bvh->n_channels == 0 && !r->d->n_errors)
    complain(r, "no joint has a channel: nothing moves");
  return 1;
}

/* ---- the frames ---- */

/* "Frames:" and "Frame Time:", with or without spaces before the colon. */
static int read_label(struct reader *r, const char *first, const char *second)
{
  char label[32] = "";
  size_t n = 0;
  skip_blank_lines(r);
  const char *start = r->at;
  for (skip_spaces(r); r->at < r->end && *r->at != '\n' && *r->at != ':'; r->at++)
    if (!is_space(*r->at) && n < sizeof label - 1)
      label[n++] = *r->at;
  if (r->at < r->end && *r->at == ':' && strncasecmp(label, first, strlen(first)) == 0 &&
      strcasecmp(label + strlen(first), second) == 0) {
    r->at++;
    return 1;
  }
  r->at = start;
  complain(r, "expected '%s%s%s:', found '%s'", first, *second ? " " : "", second, show(next_word(r)).word);
  return 0;
}

static int read_motion_head(struct reader *r)
{
  skip_blank_lines(r);
  struct word w = next_word(r);
  if (!is_word(w, "MOTION")) {
    if (is_word(w, "ROOT"))
      complain(r, "a second ROOT; a file has one skeleton");
    else
      complain(r, w.n ? "expected MOTION, found '%s'" : "the file ends before MOTION%s", show(w).word);
    return 0;
  }
  if (!read_label(r, "Frames", ""))
    return 0;
  w = next_word(r);
  int good = whole_number(w, 1, BVH_MAX_FRAMES, &r->bvh->n_frames);
  if (!good)
    complain(r, "Frames: expected a whole number from 1 to %d, found '%s'", BVH_MAX_FRAMES, show(w).word);
  skip_line(r);
  if (!read_label(r, "Frame", "Time"))
    return 0;
  w = next_word(r);
  if (!number(w, &r->bvh->frame_time) || !(r->bvh->frame_time >= 1e-5 && r->bvh->frame_time <= 10)) {
    complain(r, "Frame Time: expected seconds from 1e-05 to 10, found '%s'", show(w).word);
    good = 0;
  }
  skip_line(r);
  return good;
}

/* The joint and the channel of a number of a frame, for messages. */
static struct text_phrase describe_channel(const struct reader *r, int channel)
{
  struct text_phrase p = {""};
  for (int i = 0; i < r->bvh->n_joints; i++) {
    const struct bvh_joint *j = &r->joints[i];
    if (channel >= j->first_channel && channel < j->first_channel + j->n_channels)
      snprintf(p.words, sizeof p.words, "%s of '%s'", channel_names[j->channels[channel - j->first_channel]],
               text_clip(j->name).word);
  }
  return p;
}

/* The numbers of a line. 0 after an error. */
static int read_frame(struct reader *r, int frame, double *values)
{
  int n = 0, expected = r->bvh->n_channels;
  double x;
  for (struct word w = next_word(r); w.n > 0; w = next_word(r), n++) {
    if (!number(w, n < expected ? &values[n] : &x)) {
      complain(r, "frame %d, number %d%s%s: expected a number within +-%g, found '%s'", frame + 1, n + 1,
               n < expected ? ", " : "", n < expected ? describe_channel(r, n).words : "", BVH_MAX_NUMBER,
               show(w).word);
      skip_line(r);
      return 0;
    }
  }
  if (n != expected)
    complain(r, "frame %d has %d numbers, but the joints have %d channels", frame + 1, n, expected);
  return n == expected;
}

static void read_frames(struct reader *r)
{
  size_t width = (size_t)r->bvh->n_channels, left = (size_t)(r->end - r->at);
  int faulty = 0, frame = 0, room = r->bvh->n_frames;
  if ((size_t)room > left / (2 * width) + 2) /* a number takes two characters: do not believe more frames than fit */
    room = (int)(left / (2 * width) + 2);
  double *values = ARENA_NEW(r->arena, (size_t)room * width, double), *spare = ARENA_NEW(r->arena, width, double);
  for (skip_blank_lines(r); r->at < r->end && faulty < MAX_FAULTY_FRAMES; skip_blank_lines(r), frame++)
    faulty += !read_frame(r, frame, frame < room ? values + (size_t)frame * width : spare);
  if (faulty == MAX_FAULTY_FRAMES)
    complain(r, "too many faulty frames; the rest was not read");
  else if (frame != r->bvh->n_frames)
    complain(r, "Frames says %d, but %d follow", r->bvh->n_frames, frame);
  r->bvh->values = values;
}

const struct bvh *bvh_parse(struct arena *arena, const char *name, const char *text, size_t length, struct diag *d)
{
  struct bvh *bvh = ARENA_NEW(arena, 1, struct bvh);
  struct reader *r = ARENA_NEW(arena, 1, struct reader);
  int before = d->n_errors;
  bvh->file = arena_strdup(arena, name);
  *r = (struct reader){.arena = arena, .d = d, .bvh = bvh, .at = text, .end = text + length, .line = 1};
  r->joints = ARENA_NEW(arena, BVH_MAX_JOINTS, struct bvh_joint);
  bvh->joints = r->joints;
  if (length > BVH_MAX_BYTES) {
    diag_error(d, name, 0, "the file is larger than %u MiB", BVH_MAX_BYTES >> 20);
    return NULL;
  }
  if (read_hierarchy(r) && read_motion_head(r) && d->n_errors == before)
    read_frames(r);
  return d->n_errors == before ? bvh : NULL;
}

const struct bvh *bvh_load(struct arena *arena, const char *path, struct diag *d)
{
  struct stat about;
  FILE *in = fopen(path, "rb");
  if (!in || fstat(fileno(in), &about) != 0) {
    diag_error(d, path, 0, "cannot be read: %s", strerror(errno));
    if (in)
      fclose(in);
    return NULL;
  }
  if (!S_ISREG(about.st_mode) || about.st_size > (off_t)BVH_MAX_BYTES) {
    diag_error(d, path, 0, S_ISREG(about.st_mode) ? "the file is larger than %u MiB" : "is not a file",
               BVH_MAX_BYTES >> 20);
    fclose(in);
    return NULL;
  }
  char *text = malloc((size_t)about.st_size + 1);
  size_t length = text ? fread(text, 1, (size_t)about.st_size, in) : 0;
  const struct bvh *bvh = NULL;
  if (!text || ferror(in))
    diag_error(d, path, 0, "cannot be read: %s", strerror(errno));
  else
    bvh = bvh_parse(arena, path, text, length, d);
  free(text);
  fclose(in);
  return bvh;
}

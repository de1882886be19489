/* Throws damaged motion files at the reader, and what it accepts at all that makes a clip of it. They may refuse, but
 * must not crash, leak or hang; a tree that is accepted has parents before children, and a clip finite numbers within
 * the limits of the creature.
 *
 * With -fsanitize=fuzzer (clang) and -DMUYBRIDGE_LIBFUZZER it is a libFuzzer target. Otherwise it is a program:
 *   fuzz_bvh [--seconds N] [--seed S] [--run R] FILE...
 * The files are motion files, or creature files, of which a short motion is written as a seed. Run R of seed S is the
 * same on every machine; a run that dies leaves its input in fuzz_bvh.crash, and --run R repeats it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "exchange/exchange.h"
#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is tried ---- */

static int accepted, moved;     /* texts that made a motion, and those that made a clip */
static const struct creature *human;

static void require(int condition, const char *what)
{
  if (condition)
    return;
  fprintf(stderr, "fuzz_bvh: what was accepted is broken: %s\n", what);
  abort();
}

static void check_bvh(const struct bvh *b)
{
  int channels = 0;
  require(b->n_joints >= 1 && b->n_frames >= 1 && b->n_channels >= 1 && b->frame_time > 0, "sizes");
  for (int i = 0; i < b->n_joints; i++) {
    const struct bvh_joint *j = &b->joints[i];
    require(j->parent < i && (j->parent >= 0) == (i > 0), "the tree");
    require(j->n_channels <= BVH_MAX_CHANNELS && (j->n_channels == 0 || j->first_channel == channels), "channels");
    require(isfinite(j->offset[0] + j->offset[1] + j->offset[2]), "an offset");
    channels += j->n_channels;
  }
  require(channels == b->n_channels, "the number of channels");
  for (long i = 0; i < (long)b->n_frames * b->n_channels; i++)
    require(fabs(b->values[i]) <= BVH_MAX_NUMBER, "a value");
}

static void check_clip(const struct clip *clip, const struct creature *c, const struct capture_report *r)
{
  for (int k = 0; k < clip->n_frames; k++) {
    require(r->inverse->quality[k] >= 0 && r->inverse->quality[k] <= 1, "a quality");
    for (int i = 0; i < c->n_dofs; i++) {
      double q = clip->q[k * c->n_dofs + i];
      require(isfinite(q) && isfinite(r->inverse->torque[k * c->n_dofs + i]), "an angle or a torque is not finite");
      require(r->fit.by_name || (q >= c->dofs[i].lower - 1e-9 && q <= c->dofs[i].upper + 1e-9),
              "an angle beyond its limits");
    }
  }
}

static void make_clip(struct arena *arena, const struct bvh *b, struct diag *d)
{
  struct capture_options o = {.keep_rate = 1, .cutoff = 6};
  struct capture_report report;
  struct bvh few = *b; /* a few frames say as much as many */
  if (few.n_frames > 6)
    few.n_frames = 6;
  struct clip *clip = capture_clip(arena, &few, human, &o, &report, d);
  require((clip != NULL) == (d->n_errors == 0), "a clip and an error, or neither");
  if (clip)
    check_clip(clip, human, &report);
  moved += clip != NULL;
  const char *text = capture_creature(arena, &few, 0, &o,
                                      d); /* whatever it is of; absurd lengths are for the next one to refuse */
  if (text)
    creature_parse(arena, "built", text, strlen(text), d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  char *copy = malloc(size ? size : 1); /* exactly so long, for the sanitizer to see who reads beyond */
  memcpy(copy, data, size);
  const struct bvh *b = bvh_parse(arena, "fuzz.bvh", copy, size, &d);
  free(copy);
  require((b != NULL) == (d.n_errors == 0), "a motion and an error, or neither");
  if (b)
    check_bvh(b);
  accepted += b != NULL;
  if (b && human)
    make_clip(arena, b, &d);
  char *messages = diag_text(&d);
  require(strlen(messages) < (DIAG_MAX + 1) * 2000, "messages without end");
  free(messages);
  diag_clear(&d);
  arena_free(arena);
  return 0;
}

#ifndef MUYBRIDGE_LIBFUZZER
/* clang-format off */
static const char *const dictionary[] = {
    "HIERARCHY", "ROOT", "JOINT", "End Site", "End", "OFFSET", "CHANNELS", "MOTION", "Frames:", "Frame Time:", "{",
    "}", "}\n}", "3", "6", "0", "7", "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation",
    "Xrotation Yrotation Zrotation", "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "LeftArm", "Head",
    "left_thigh", "pelvis", ":", "\n", "\r\n", "\r", "\t", " ", "nan", "inf", "-inf", "0x1p3", "1e308", "1e999",
    "-0", "1e-300", "1e6", "-1e6", "360", "1e", ".", "-", "+", "1,5", "999999", "1000000", "0.0083333", "1e-5",
    "\xEF\xBB\xBF", "\xFF", "\x01", "JOINT x\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"};
/* clang-format on */

static struct arena *seeds;     /* creatures of seeds live here */

/* A short motion of a creature, as we write them. The human is also who takes what the fuzzed motions do. */
static size_t write_seed(const char *path, char *bytes)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(seeds, path, &d);
  struct clip *clip = c ? clip_new(seeds, c, 6, 0.02) : NULL;
  FILE *out = fmemopen(bytes, FUZZ_MAX_SIZE, "w");
  if (!c || !out)
    exit(2);
  for (int k = 0; k < 6; k++) {
    creature_rest_pose(c, clip->q + k * c->n_dofs);
    for (int i = 0; i < c->n_dofs; i++)
      clip->q[k * c->n_dofs + i] += 0.05 * sin(k + i);
  }
  exchange_write_bvh(c, clip, out);
  size_t n = (size_t)ftell(out);
  fclose(out);
  if (strcmp(c->name, "human") == 0)
    human = c;
  diag_clear(&d);
  return n;
}

static size_t read_seed(const char *path, char *bytes)
{
  size_t length = strlen(path);
  int is_creature = length > 9 && strcmp(path + length - 9, ".creature") == 0;
  return is_creature ? write_seed(path, bytes) : fuzz_read(path, bytes);
}

int main(int argc, char **argv)
{
  const struct fuzz_target t = {"fuzz_bvh", (int)(sizeof dictionary / sizeof *dictionary), dictionary, read_seed,
                                LLVMFuzzerTestOneInput};
  seeds = arena_new();
  int status = fuzz_main(&t, argc, argv);
  arena_free(seeds);
  if (status == 0)
    printf("%d of them made a motion, %d a clip\n", accepted, moved);
  return status;
}
#endif

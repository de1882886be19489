/* Throws damaged motion files at the reader, and what it accepts at all that makes a clip of it. They may refuse, but
 * must not crash, leak or hang; a tree that is accepted has parents before children, and a clip finite numbers within
 * the limits of the creature.
 *
 * With -fsanitize=fuzzer (clang) and -DMUYBRIDGE_LIBFUZZER it is a libFuzzer target. Otherwise it is a program:
 *   fuzz_bvh [--seconds N] [--seed S] [--run R] FILE...
 * The files are motion files, or creature files, of which a short motion is written as a seed. Run R of seed S is the
 * same on every machine; a run that dies leaves its input in fuzz_bvh.crash, and --run R repeats it. */
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "exchange/capture.h"
#include "exchange/exchange.h"

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
/* ---- damage ---- */

#define MAX_SIZE 60000

struct text {
  size_t n;
  char bytes[MAX_SIZE];
};

/* clang-format off */
static const char *const dictionary[] = {
    "HIERARCHY", "ROOT", "JOINT", "End Site", "End", "OFFSET", "CHANNELS", "MOTION", "Frames:", "Frame Time:", "{",
    "}", "}\n}", "3", "6", "0", "7", "Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation",
    "Xrotation Yrotation Zrotation", "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "LeftArm", "Head",
    "left_thigh", "pelvis", ":", "\n", "\r\n", "\r", "\t", " ", "nan", "inf", "-inf", "0x1p3", "1e308", "1e999",
    "-0", "1e-300", "1e6", "-1e6", "360", "1e", ".", "-", "+", "1,5", "999999", "1000000", "0.0083333", "1e-5",
    "\xEF\xBB\xBF", "\xFF", "\x01", "JOINT x\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"};
/* clang-format on */

static void insert(struct text *t, size_t at, const char *bytes, size_t n)
{
  if (t->n + n > MAX_SIZE)
    return;
  memmove(t->bytes + at + n, t->bytes + at, t->n - at);
  memcpy(t->bytes + at, bytes, n);
  t->n += n;
}

static void erase(struct text *t, size_t at, size_t n)
{
  if (n > t->n - at)
    n = t->n - at;
  memmove(t->bytes + at, t->bytes + at + n, t->n - at - n);
  t->n -= n;
}

static size_t place(struct rng *r, const struct text *t) { return (size_t)rng_below(r, (int)t->n + 1); }

static int is_blank(char c) { return c == ' ' || c == '\n'; }

/* A word, or what stands between two: *at and its length. */
static size_t token(struct rng *r, const struct text *t, size_t *at)
{
  size_t i = place(r, t), end;
  while (i > 0 && i < t->n && !is_blank(t->bytes[i - 1]))
    i--;
  for (end = i; end < t->n && !is_blank(t->bytes[end]);)
    end++;
  *at = i < t->n ? i : t->n;
  return end > *at ? end - *at : 0;
}

static void flip(struct rng *r, struct text *t)
{
  if (t->n > 0)
    t->bytes[rng_below(r, (int)t->n)] ^= (char)(1 << rng_below(r, 8));
}

static void put_word(struct rng *r, struct text *t)
{
  const char *word = dictionary[rng_below(r, (int)(sizeof dictionary / sizeof *dictionary))];
  size_t at, n = token(r, t, &at);
  if (rng_below(r, 2))
    erase(t, at, n); /* in the place of a token, else before it */
  insert(t, at, word, strlen(word));
  if (rng_below(r, 2))
    insert(t, at + (t->n > at), " ", 1);
}

static void copy_token(struct rng *r, struct text *t)
{
  char word[200];
  size_t at, n = token(r, t, &at);
  if (n > sizeof word)
    return;
  memcpy(word, t->bytes + at, n);
  insert(t, place(r, t), word, n);
}

static void swap_tokens(struct rng *r, struct text *t)
{
  char word[200];
  size_t from, to, n = token(r, t, &from);
  if (n > sizeof word)
    return;
  memcpy(word, t->bytes + from, n);
  erase(t, from, n);
  size_t m = token(r, t, &to);
  if (m <= sizeof word) {
    char other[200];
    memcpy(other, t->bytes + to, m);
    erase(t, to, m);
    insert(t, to, word, n);
    insert(t, from < t->n ? from : t->n, other, m);
  }
}

/* Another number in the place of one: the text stays well formed, so that what is computed from it is tried, too. */
static void change_number(struct rng *r, struct text *t)
{
  static const char *const numbers[] = {"0",     "1",   "-1",     "0.5",   "0.3333", "-0.2",  "2",
                                        "10",    "90",  "-180",   "359",   "1e-6",   "1e-12", "1000",
                                        "-1000", "1e5", "1e-300", "1e300", "7%",     "0.01",  "-1e-9"};
  size_t at = place(r, t), end;
  while (at < t->n && !(t->bytes[at] >= '0' && t->bytes[at] <= '9'))
    at++;
  while (at > 0 && at < t->n && strchr("0123456789.-", t->bytes[at - 1]))
    at--;
  for (end = at; end < t->n && strchr("0123456789.e-", t->bytes[end]);)
    end++;
  if (end == at)
    return;
  const char *number = numbers[rng_below(r, (int)(sizeof numbers / sizeof *numbers))];
  erase(t, at, end - at);
  insert(t, at, number, strlen(number));
}

/* The beginning of one and the end of another. */
static void splice(struct rng *r, struct text *t, const struct text *other)
{
  t->n = place(r, t);
  size_t from = place(r, other);
  insert(t, t->n, other->bytes + from, other->n - from);
}

static void damage(struct rng *r, struct text *t, const struct text *other)
{
  size_t at, n;
  switch (rng_below(r, 16)) {
  case 0: flip(r, t); break;
  case 1: n = token(r, t, &at), erase(t, at, n); break;
  case 2: copy_token(r, t); break;
  case 3: swap_tokens(r, t); break;
  case 4: at = place(r, t), erase(t, at, (size_t)rng_below(r, 200)); break; /* a stretch of it */
  case 5: splice(r, t, other); break;
  case 6:
  case 7:
  case 8: put_word(r, t); break;
  default: change_number(r, t); break;
  }
}

/* ---- the program ---- */

static struct text current;
static uint64_t seed = 1;
static long run;

static void on_death(void)
{
  FILE *out = fopen("fuzz_bvh.crash", "wb");
  if (out) {
    fwrite(current.bytes, 1, current.n, out);
    fclose(out);
  }
  fprintf(stderr, "fuzz_bvh: run %ld of seed %llu died; its input is in fuzz_bvh.crash\n", run,
          (unsigned long long)seed);
}

static void on_signal(int number)
{
  on_death();
  _exit(128 + number);
}

/* Of the sanitizers' run time; there is none in a plain build. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch_deaths(void)
{
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(on_death);
  signal(SIGABRT, on_signal);
  signal(SIGALRM, on_signal); /* a run that does not end */
}

/* A short motion of a creature, as we write them. The human is also who takes what the fuzzed motions do. */
static size_t write_seed(struct arena *arena, const char *path, char *bytes)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, path, &d);
  struct clip *clip = c ? clip_new(arena, c, 6, 0.02) : NULL;
  FILE *out = fmemopen(bytes, MAX_SIZE, "w");
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

/* The whole of a file, or its beginning up to the end of a line: frames are long. */
static size_t read_seed(const char *path, char *bytes)
{
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    exit(2);
  }
  size_t n = fread(bytes, 1, MAX_SIZE, in);
  fclose(in);
  while (n == MAX_SIZE && n > 0 && bytes[n - 1] != '\n')
    n--;
  return n;
}

static struct text *read_seeds(struct arena *arena, int n, char **paths)
{
  struct text *seeds = calloc((size_t)n, sizeof *seeds);
  for (int i = 0; i < n; i++) {
    size_t length = strlen(paths[i]);
    int is_creature = length > 9 && strcmp(paths[i] + length - 9, ".creature") == 0;
    seeds[i].n = is_creature ? write_seed(arena, paths[i], seeds[i].bytes) : read_seed(paths[i], seeds[i].bytes);
  }
  return seeds;
}

static void try_once(const struct text *seeds, int n)
{
  struct rng r = rng_stream(seed, (uint64_t)run);
  current = seeds[rng_below(&r, n)];
  for (int k = rng_below(&r, 6); k >= 0; k--)
    damage(&r, &current, &seeds[rng_below(&r, n)]);
  alarm(20);
  LLVMFuzzerTestOneInput((const uint8_t *)current.bytes, current.n);
  alarm(0);
}

int main(int argc, char **argv)
{
  double seconds = 10;
  long only = -1;
  int i = 1;
  struct arena *arena = arena_new();
  for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
    if (!strcmp(argv[i], "--seconds"))
      seconds = atof(argv[i + 1]);
    else if (!strcmp(argv[i], "--seed"))
      seed = strtoull(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--run"))
      only = atol(argv[i + 1]);
    else
      i = argc;
  }
  if (i >= argc) {
    fprintf(stderr, "usage: fuzz_bvh [--seconds N] [--seed S] [--run R] FILE...\n");
    return 2;
  }
  struct text *seeds = read_seeds(arena, argc - i, argv + i);
  time_t end = time(NULL) + (time_t)seconds;
  watch_deaths();
  if (only >= 0)
    run = only, try_once(seeds, argc - i);
  else
    for (run = 0; time(NULL) < end; run++)
      try_once(seeds, argc - i);
  free(seeds);
  arena_free(arena);
  printf("%ld runs, %d of them made a motion, %d a clip\n", only >= 0 ? 1 : run, accepted, moved);
  return 0;
}
#endif

/* Throws damaged creature files at the parser. It may refuse them, but must not crash, leak or hang, and what it
 * accepts must be a creature: finite, with a mirror that is its own inverse.
 *
 * With -fsanitize=fuzzer (clang) and -DMUYBRIDGE_LIBFUZZER it is a libFuzzer target. Otherwise it is a program:
 *   fuzz_creature [--seconds N] [--seed S] [--run R] FILE...
 * It damages the given files for N seconds (10). Run R of seed S is the same on every machine; a run that dies leaves
 * its input in fuzz_creature.crash, and --run R repeats it. */
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "creature/creature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is tried ---- */

static int accepted; /* texts that made a creature */

static void require(int condition, const char *what)
{
  if (condition)
    return;
  fprintf(stderr, "fuzz_creature: an accepted creature is broken: %s\n", what);
  abort();
}

static void check_dof(const struct creature *c, int i)
{
  const struct dof *d = &c->dofs[i];
  double sum = d->mass + d->rest + d->servo_kp + d->servo_kd + d->stiffness + d->damping;
  for (int k = 0; k < 6; k++)
    sum += d->moment2[k] + (k < 3 ? d->moment1[k] + d->axis[k] + d->offset[k] : 0);
  require(isfinite(sum), "a number of a dof is not finite");
  require(d->parent < i && c->dofs[d->mirror].mirror == i, "the tree or the mirror of dofs");
  require(d->lower <= d->rest && d->rest <= d->upper, "rest outside of the range");
  require(d->limb >= 0 && d->limb < c->n_limbs, "the limb of a dof");
}

static void check_gait(const struct creature *c, const struct gait *g)
{
  for (int p = 0; p < c->n_points; p++) {
    double duty = gait_duty(g, p), seen = 0;
    for (int k = 0; k < 100; k++)
      seen += gait_contact(g, p, (k + 0.5) / 100) / 100.0;
    require(duty >= 0 && duty <= 1 + 1e-6, "a duty factor");
    require(fabs(seen - duty) <= 0.011 * (1 + g->n_intervals[p]), "contacts do not add up to the duty factor");
  }
  require(gait_period(g, 1) > 0, "a period");
}

static void check_creature(const struct creature *c)
{
  double *q = calloc((size_t)c->n_dofs, sizeof *q), *m = calloc((size_t)c->n_dofs, sizeof *m);
  require(c->height > 0 && c->mass > 0 && isfinite(c->frame_rate) && c->frame_rate > 0, "height, mass or frame rate");
  creature_rest_pose(c, q);
  creature_mirror_pose(c, q, m);
  creature_mirror_pose(c, m, q);
  for (int i = 0; i < c->n_dofs; i++) {
    check_dof(c, i);
    require(q[i] == c->dofs[i].rest, "the mirror of the mirror");
  }
  for (int i = 0; i < c->n_limbs; i++)
    require(c->limbs[i].mass > 0 && c->limbs[c->limbs[i].mirror].mirror == i, "a limb");
  for (int i = 0; i < c->n_points; i++)
    require(c->points[c->points[i].mirror].mirror == i && c->points[i].body < c->n_dofs, "a contact point");
  for (int i = 0; i < c->n_feet; i++)
    require(isfinite(c->feet[i].leg_length) && c->feet[i].first_leg_limb >= 0, "a leg");
  for (int i = 0; i < c->n_gaits; i++)
    check_gait(c, &c->gaits[i]);
  free(q);
  free(m);
}

/* Does it ask for a file by its full name? Those beside the text's own name cannot exist, see below. */
static int includes_from_root(const uint8_t *data, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    if (data[i] != '(')
      continue;
    size_t j = i + 1;
    while (j < size && (data[j] <= ' ' || data[j] == '"' || data[j] == '\''))
      j++;
    if (j < size && data[j] == '/')
      return 1;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (includes_from_root(data, size))
    return 0;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  char *copy = malloc(size ? size : 1); /* exactly so long, for the sanitizer to see who reads beyond */
  memcpy(copy, data, size);
  const struct creature *c = creature_parse(arena, "/no/such/folder/fuzz.creature", copy, size, &d);
  free(copy);
  char *messages = diag_text(&d);
  require((c != NULL) == (d.n_errors == 0), "a creature and an error, or neither");
  require(strlen(messages) < (DIAG_MAX + 1) * 2000, "messages without end");
  if (c)
    check_creature(c);
  accepted += c != NULL;
  free(messages);
  diag_clear(&d);
  arena_free(arena);
  return 0;
}

#ifndef MUYBRIDGE_LIBFUZZER
/* ---- damage ---- */

#define MAX_SIZE 20000

struct text {
  size_t n;
  char bytes[MAX_SIZE];
};

/* clang-format off */
static const char *const dictionary[] = {
    "limb", "foot", "gait", "axis", "point", "contact", "include(\"x\")", "parent", "at", "from", "to", "shape",
    "radius", "size", "mass", "density", "com", "inertia", "joint", "mirror", "like", "about", "range", "rest",
    "torque", "servo", "period", "speed", "right_lag", "on", "name", "body_mass", "friction", "frame_rate", "true",
    "false", "end", "none", "capsule", "box", "ellipsoid", "hinge", "ball", "fixed", "left_", "right_", "body", "x",
    "-y", "z", "{", "}", "{}", "{0, 0, 0}", "{1, 2}", "=", ",", "(", ")", "\"", "'", "\\", "#", "//", "/*", "*/", "+",
    "*", "|", "limb|mass", "$", "${HOME}", "\n", "\r", "\r\n", "\t", " ", "0", "1", "-1", "0.5", "1e-3", "1e3",
    "1e308", "1e-308", "1e999", "-0", "nan", "inf", "-inf", "0x1p3", "1e", ".", "-", "180", "360", "1e-6", "1000",
    "1e6", "50%", "100%", "%", "10kg", "\xC3\xA9", "\xFF", "\x01", "\xEF\xBB\xBF", "limb a { radius = 0.1 }",
    "axis b { about = y }", "gait g { period = 1 speed = {0, 1} }"};
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
  FILE *out = fopen("fuzz_creature.crash", "wb");
  if (out) {
    fwrite(current.bytes, 1, current.n, out);
    fclose(out);
  }
  fprintf(stderr, "fuzz_creature: run %ld of seed %llu died; its input is in fuzz_creature.crash\n", run,
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

static struct text *read_seeds(int n, char **paths)
{
  struct text *seeds = calloc((size_t)n, sizeof *seeds);
  for (int i = 0; i < n; i++) {
    FILE *in = fopen(paths[i], "rb");
    if (!in) {
      perror(paths[i]);
      exit(2);
    }
    seeds[i].n = fread(seeds[i].bytes, 1, MAX_SIZE, in);
    fclose(in);
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
    fprintf(stderr, "usage: fuzz_creature [--seconds N] [--seed S] [--run R] FILE...\n");
    return 2;
  }
  struct text *seeds = read_seeds(argc - i, argv + i);
  time_t end = time(NULL) + (time_t)seconds;
  watch_deaths();
  if (only >= 0)
    run = only, try_once(seeds, argc - i);
  else
    for (run = 0; time(NULL) < end; run++)
      try_once(seeds, argc - i);
  free(seeds);
  printf("%ld runs, %d of them made a creature\n", only >= 0 ? 1 : run, accepted);
  return 0;
}
#endif

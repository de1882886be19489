/* Damage, and the loop of runs. See driver.h. */
#include "fuzz/driver.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"

static const struct fuzz_target *target;

/* ---- damage ---- */

struct text {
  size_t n;
  char bytes[FUZZ_MAX_SIZE];
};

static void insert(struct text *t, size_t at, const char *bytes, size_t n)
{
  if (t->n + n > FUZZ_MAX_SIZE)
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
  const char *word = target->words[rng_below(r, target->n_words)];
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
  char path[100];
  snprintf(path, sizeof path, "%s.crash", target->name);
  FILE *out = fopen(path, "wb");
  if (out) {
    fwrite(current.bytes, 1, current.n, out);
    fclose(out);
  }
  fprintf(stderr, "%s: run %ld of seed %llu died; its input is in %s\n", target->name, run, (unsigned long long)seed,
          path);
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

size_t fuzz_read(const char *path, char *bytes)
{
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    exit(2);
  }
  size_t n = fread(bytes, 1, FUZZ_MAX_SIZE, in);
  fclose(in);
  while (n == FUZZ_MAX_SIZE && n > 0 && bytes[n - 1] != '\n')
    n--;
  return n;
}

static struct text *read_seeds(int n, char **paths)
{
  struct text *seeds = calloc((size_t)n, sizeof *seeds);
  for (int i = 0; i < n; i++)
    seeds[i].n = target->seed(paths[i], seeds[i].bytes);
  return seeds;
}

static void try_once(const struct text *seeds, int n)
{
  struct rng r = rng_stream(seed, (uint64_t)run);
  current = seeds[rng_below(&r, n)];
  for (int k = rng_below(&r, 6); k >= 0; k--)
    damage(&r, &current, &seeds[rng_below(&r, n)]);
  alarm(20);
  target->run((const uint8_t *)current.bytes, current.n);
  alarm(0);
}

int fuzz_main(const struct fuzz_target *t, int argc, char **argv)
{
  target = t;
  double seconds = 10;
  long only = -1, runs = -1;
  int i = 1;
  for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
    if (!strcmp(argv[i], "--seconds"))
      seconds = atof(argv[i + 1]);
    else if (!strcmp(argv[i], "--seed"))
      seed = strtoull(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--runs"))
      runs = atol(argv[i + 1]);
    else if (!strcmp(argv[i], "--run"))
      only = atol(argv[i + 1]);
    else
      i = argc;
  }
  if (i >= argc) {
    fprintf(stderr, "usage: %s [--seconds N | --runs N] [--seed S] [--run R] FILE...\n", target->name);
    return 2;
  }
  struct text *seeds = read_seeds(argc - i, argv + i);
  time_t end = time(NULL) + (time_t)seconds;
  watch_deaths();
  if (only >= 0)
    run = only, try_once(seeds, argc - i);
  else
    for (run = 0; runs < 0 ? time(NULL) < end : run < runs; run++)
      try_once(seeds, argc - i);
  free(seeds);
  printf("%ld runs, ", only >= 0 ? 1 : run);
  return 0;
}

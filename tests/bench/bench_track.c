/* How many windows a second are simulated for tracking, by how many workers: make bench. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "track/crew.h"
#include "track/subject.h"
#include "track/walk.h"
#include "zoo.h"

#define BATCHES 40
#define SAMPLES 10

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Samples a second. */
static double measure(const struct reference *r, const struct rollout_options *o, int workers, int scout)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  struct crew *crew = crew_open(arena, r, o, workers, &d);
  double start = now();
  for (int i = 0; i < BATCHES; i++) {
    struct batch b = {.kind = BATCH_PERTURBED, .window = i % r->n_windows, .n = SAMPLES, .seed = 1, .stream = (uint64_t)i * 1000,
                      .place = 0.005, .velocity = 0.02, .control = 0.02, .scout = scout};
    crew_submit(crew, &b);
  }
  for (int i = 0; i < BATCHES; i++) {
    struct batch_sample *s;
    if (crew_collect(crew, arena, &s, &d) != SAMPLES)
      return -1;
  }
  double rate = BATCHES * SAMPLES / (now() - start);
  crew_close(crew);
  arena_free(arena);
  return rate;
}

static void bench(const char *name)
{
  struct arena *arena = arena_new();
  struct rollout_options o;
  struct diag d;
  const struct creature *c = zoo_find(arena, name);
  diag_init(&d);
  struct graph_clip clip = {1, walk_of(arena, c), NULL};
  struct graph_input in = {.creature = c, .file = name, .n_clips = 1, .clips = &clip};
  const struct reference *r = clip.clip ? subject_clip(arena, &in, 0, 2, NULL, &d) : NULL;
  if (!r) {
    arena_free(arena);
    return;
  }
  rollout_defaults(c, &o);
  double window = r->first[r->n_windows] * r->dt / r->n_windows;
  for (int scout = 0; scout < 2; scout++) {
    double one = measure(r, &o, 1, scout), two = measure(r, &o, 2, scout);
    printf("%-8s %-4s %7.0f windows of %.0f ms a second with one worker (%.0f times real time), %7.0f with two (%.2f times as many)\n",
           name, scout ? "own" : "ode", one, 1e3 * window, one * window, two, two / one);
  }
  arena_free(arena);
}

int main(void)
{
  printf("tracking: simulated windows; this machine has %ld processors\n", sysconf(_SC_NPROCESSORS_ONLN));
  bench("biped");
  bench("triped");
  bench("horse");
  return 0;
}

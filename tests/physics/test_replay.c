/* Saving and restoring is exact: the same steps give the same bits again, in the same world, in another, in a child
 * process and in another thread, with pushes under way, limbs on the ground and joints at their stops. And nothing
 * gets the program down: bad targets, states and torques lose the world, no more. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "physics/engine_ode.h"
#include "physics/reference.h"
#include "zoo.h"

#define STEPS 150

/* What a run leaves: the state at its end, and all that was read on the way, summed bit by bit. */
struct trace {
  uint64_t sum;
  size_t size;
  unsigned char state[1 << 16];
};

static void add_bits(struct trace *t, const void *data, size_t size)
{
  const unsigned char *c = data;
  for (size_t i = 0; i < size; i++)
    t->sum = (t->sum ^ c[i]) * 0x100000001b3u;
}

/* Targets that make it do all sorts of things, the same for the same seed; limp now and then. */
static void run(struct scene *s, struct world *w, uint64_t seed, struct trace *t)
{
  struct rng r = rng_stream(seed, 8);
  double target[200], v[200], torque[200], force[300];
  unsigned char on[100];
  memset(t, 0, sizeof *t);
  for (int k = 0; k < STEPS; k++) {
    for (size_t i = 0; i < s->n; i++) {
      target[i] = s->rest[i] + rng_uniform(&r, -1, 1);
      v[i] = rng_uniform(&r, -1, 1);
      torque[i] = rng_uniform(&r, -0.1, 0.1) * s->c->mass * s->c->height;
    }
    if (k % 40 == 20) {
      const double push[3] = {3 * s->c->mass, -2 * s->c->mass, s->c->mass};
      world_push(w, 0, push, 9.7 * world_step_seconds(w));
    }
    world_step(w, k % 20 == 19 ? NULL : &(struct world_target){target, k % 2 ? v : NULL, k % 3 ? torque : NULL});
    world_get(w, target, v);
    world_torques(w, torque);
    world_contacts(w, force, on);
    add_bits(t, target, s->n * sizeof *target);
    add_bits(t, v, s->n * sizeof *v);
    add_bits(t, torque, s->n * sizeof *torque);
    add_bits(t, force, 3 * (size_t)s->c->n_points * sizeof *force);
    world_limb_contacts(w, force, on);
    add_bits(t, force, 3 * (size_t)s->c->n_limbs * sizeof *force);
  }
  t->size = world_state_size(w);
  world_save(w, t->state);
}

static int same(const struct trace *a, const struct trace *b)
{
  return a->sum == b->sum && a->size == b->size && !memcmp(a->state, b->state, a->size);
}

struct errand {
  struct scene *s;
  const void *state;
  struct trace *t;
};

static void *in_thread(void *argument)
{
  struct errand *e = argument;
  struct world *w = world_new(e->s->c, &e->s->options);
  world_restore(w, e->state);
  run(e->s, w, 3, e->t);
  world_free(w);
  return NULL;
}

static void in_child(struct scene *s, const void *state, struct trace *t)
{
  int ends[2];
  CHECK(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    world_restore(s->w, state);
    run(s, s->w, 3, t);
    for (size_t done = 0; done < sizeof *t;) {
      ssize_t wrote = write(ends[1], (char *)t + done, sizeof *t - done);
      if (wrote <= 0)
        _exit(1);
      done += (size_t)wrote;
    }
    _exit(0);
  }
  close(ends[1]);
  memset(t, 0, sizeof *t);
  size_t got = 0;
  for (ssize_t n; got < sizeof *t && (n = read(ends[0], (char *)t + got, sizeof *t - got)) > 0;)
    got += (size_t)n;
  close(ends[0]);
  int status;
  waitpid(child, &status, 0);
  CHECK(got == sizeof *t && status == 0);
}

static void check_replay(const char *name, const char *text)
{
  struct scene s = scene_of(name, text);
  struct trace *first = ARENA_NEW(s.arena, 1, struct trace), *again = ARENA_NEW(s.arena, 1, struct trace);
  s.options.shapes = 1;
  s.options.terrain = (struct terrain){TERRAIN_PEBBLES, 0.02 * s.c->height, 0.3 * s.c->height, 5, 0};
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  run(&s, s.w, 2, again); /* into the middle of things, a push under way */
  CHECK(again->size <= sizeof again->state);
  void *state = arena_alloc(s.arena, 1, world_state_size(s.w));
  world_save(s.w, state);
  CHECK_INT(world_lost(s.w), 0);
  run(&s, s.w, 3, first);

  world_restore(s.w, state);
  run(&s, s.w, 3, again);
  CHECK(same(first, again));

  run(&s, s.w, 4, again); /* elsewhere and back */
  CHECK(!same(first, again));
  world_restore(s.w, state);
  run(&s, s.w, 3, again);
  CHECK(same(first, again));

  struct world *other = world_new(s.c, &s.options);
  world_restore(other, state);
  run(&s, other, 3, again);
  CHECK(same(first, again));
  world_free(other);

  in_child(&s, state, again);
  CHECK(same(first, again));

  pthread_t threads[2];
  struct trace *two = ARENA_NEW(s.arena, 2, struct trace);
  struct errand errands[2] = {{&s, state, &two[0]}, {&s, state, &two[1]}};
  for (int i = 0; i < 2; i++)
    CHECK_INT(pthread_create(&threads[i], NULL, in_thread, &errands[i]), 0);
  for (int i = 0; i < 2; i++)
    CHECK_INT(pthread_join(threads[i], NULL), 0);
  CHECK(same(first, &two[0]) && same(first, &two[1]));

  world_restore(s.w, state); /* a bit that differs is seen */
  double *q = s.q, *v = s.v;
  world_get(s.w, q, v);
  v[s.n - 1] = nextafter(v[s.n - 1], 1e9);
  world_set(s.w, q, v);
  run(&s, s.w, 3, again);
  CHECK(!same(first, again));
  printf("%-16s %zu bytes of state, %d steps replayed four ways\n", s.c->name, world_state_size(s.w), STEPS);
  scene_close(&s);
}

/* Whatever is asked for, the program goes on, and the next good state finds a world that does the same as before. */
static void check_contained(const char *name)
{
  struct scene s = scene_of(name, NULL);
  struct trace *first = ARENA_NEW(s.arena, 1, struct trace), *again = ARENA_NEW(s.arena, 1, struct trace);
  static const double bad[] = {NAN,   INFINITY, -INFINITY, 1e308, -1e300, 1e200, 1e150,
                               1e100, 1e60,     1e30,      1e15,  1e12,   1e9,   1e6};
  int lost = 0, n_bad = (int)(sizeof bad / sizeof *bad);
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  run(&s, s.w, 3, first);
  for (int k = 0; k < 4 * n_bad; k++) {
    double x = bad[k / 4], force[3] = {x, 0, 0};
    memcpy(s.target, s.rest, s.n * sizeof *s.target);
    memset(s.v, 0, s.n * sizeof *s.v);
    memset(s.torque, 0, s.n * sizeof *s.torque);
    *(k % 4 == 0 ? &s.target[s.n - 1] : k % 4 == 1 ? &s.v[6] : k % 4 == 2 ? &s.torque[s.n / 2 + 3] : force) = x;
    world_set(s.w, s.rest, s.zero);
    if (k % 4 == 3)
      world_push(s.w, 0, force, 0.01);
    int going = 1;
    for (int i = 0; i < 30 && going; i++)
      going = world_step(s.w, &(struct world_target){s.target, s.v, s.torque});
    CHECK_INT(world_lost(s.w), !going);
    CHECK(isfinite(x) || !going);
    lost += !going;
    CHECK(scene_engine != WORLD_ODE || !((struct ode *)s.w->engine_data)->broken);
    world_get(s.w, s.q, s.v);
    CHECK(going ? isfinite(s.q[0]) && isfinite(s.v[s.n - 1]) : isnan(s.q[0]) && isnan(s.v[s.n - 1]));
  }
  world_set(s.w, s.rest, s.zero);
  run(&s, s.w, 3, again);
  CHECK(same(first, again));
  s.torque[6] = NAN; /* the root's targets are nobody's business */
  memcpy(s.target, s.rest, s.n * sizeof *s.target);
  s.target[0] = NAN;
  CHECK_INT(world_step(s.w, &(struct world_target){.q = s.target}), 1);
  printf("%-16s lost in %d of %d bad cases\n", name, lost, 4 * n_bad);
  CHECK(lost >= 3 * 4);
  scene_close(&s);
}

/* ODE aborts on what is not a number inside of its step. Put it there by force, in a child whose end shows what came
 * of it: the world is lost, the next state finds it whole, and it does the same as ever. */
static void check_abort(void)
{
  struct scene s = scene_of("human", NULL);
  struct trace *first = ARENA_NEW(s.arena, 1, struct trace), *again = ARENA_NEW(s.arena, 1, struct trace);
  scene_open(&s);
  world_set(s.w, s.rest, s.zero);
  run(&s, s.w, 3, first);
  pid_t child = fork();
  if (child == 0) {
    const struct ode *ode = s.w->engine_data;
    int fine = 1;
    for (int k = 0; k < 20; k++) {
      world_set(s.w, s.rest, s.zero);
      dBodySetAngularVel(ode->bodies[k % s.w->n_bodies].id, k % 2 ? NAN : 1e200, 0, INFINITY);
      fine = fine && !world_step(s.w, NULL) && ode->broken && world_lost(s.w);
      world_set(s.w, s.rest, s.zero);
      run(&s, s.w, 3, again);
      fine = fine && same(first, again);
    }
    _exit(fine ? 0 : 3);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), 0);
  scene_close(&s);
}

/* A lost world can be saved and restored like any other. */
static void check_lost_state(void)
{
  struct scene s = scene_of("biped", NULL);
  scene_open(&s);
  s.target[7] = NAN;
  CHECK_INT(world_step(s.w, &(struct world_target){.q = s.target}), 0);
  void *state = arena_alloc(s.arena, 1, world_state_size(s.w));
  world_save(s.w, state);
  world_set(s.w, s.rest, s.zero);
  CHECK_INT(world_lost(s.w), 0);
  world_restore(s.w, state);
  CHECK_INT(world_lost(s.w), 1);
  scene_close(&s);
}

int main(void)
{
  for (int e = 0; scene_next_engine(&e);) {
    for (int i = 0; i < zoo_size(); i++)
      if (scene_engine != WORLD_ODE || strcmp(zoo_name(i), "centipede"))
        check_replay(zoo_name(i), NULL);
    check_replay("oblique", oblique_creature);
    check_replay("elastic", elastic_creature);
    check_contained("biped");
    check_contained("human");
  }
  check_abort();
  check_lost_state();
  return test_finish();
}

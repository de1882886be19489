/* The height of the torso, a kind in one file: what it means for small and large creatures, what it measures on clips,
 * and what it tells the search. And what every kind must keep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "motion/features.h"
#include "task/task.h"

static struct arena *arena;

static const struct creature *creature(const char *name)
{
  struct diag d;
  diag_init(&d);
  const struct creature *c = creature_load(arena, arena_printf(arena, "../../creatures/%s.creature", name), &d);
  CHECK(c != NULL);
  diag_clear(&d);
  if (!c)
    exit(test_finish());
  return c;
}

static const struct task *task(const char *text, const struct creature *c)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(arena, "text", text, strlen(text), &d);
  const struct task *t = file ? task_bind(arena, file, c, &d) : NULL;
  CHECK(t != NULL && d.n_messages == 0);
  diag_clear(&d);
  if (!t)
    exit(test_finish());
  return t;
}

static const char all_kinds[] = "parameter direction { } parameter torso { } parameter height { } parameter speed { }\n"
                                "parameter gait { }\n";

/* ---- what every kind must keep ---- */

/* Who does what is asked is done, pays nothing for it, and pays for anything else; nobody else's features matter. */
static void test_every_kind(void)
{
  const struct task *t = task(all_kinds, creature("horse"));
  int n = 0;
  while (task_kinds[n])
    n++;
  CHECK_INT(t->n_parameters, n);
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *p = &t->parameters[i];
    struct frame_features f = {.direction = 0.3, .torso = -0.2, .speed = 2, .gait = 1, .counted_effort = 0.1};
    for (int k = 0; k < p->n; k++) {
      p->kind->set(p, p->values[k], &f);
      CHECK_NEAR(p->kind->done(p, &f), p->values[k], 0);
      CHECK_NEAR(task_cost(p, &f, p->values[k]), 0, 0);
      CHECK(task_cost(p, &f, p->values[(k + 1) % p->n]) > 0);
    }
    for (int k = 0; k < t->n_parameters; k++)
      if (k != i) {
        double before = task_cost(p, &f, p->values[0]);
        t->parameters[k].kind->set(&t->parameters[k], t->parameters[k].values[1], &f);
        CHECK_NEAR(task_cost(p, &f, p->values[0]), before, 0);
      }
  }
}

/* ---- what a file means ---- */

static void test_shares(void)
{
  const char *const names[] = {"biped", "horse"};
  for (int i = 0; i < 2; i++) {
    const struct creature *c = creature(names[i]);
    const struct task_parameter *p = &task("parameter height { range = {0.8, 1}  grid = 5 }", c)->parameters[0];
    CHECK_NEAR(p->least, 0.8 * c->height, 1e-12);
    CHECK_NEAR(p->values[1], 0.85 * c->height, 1e-12);
    CHECK_NEAR(p->most, c->height, 1e-12);
    CHECK_INT(p->measure, 0);
    struct frame_features low = {.measured = {0.9 * c->height}};
    CHECK_NEAR(task_cost(p, &low, c->height), 0.98, 1e-3); /* a tenth of L costs 1, less the rounding */
  }
  const struct task_parameter *p =
      &task("parameter height { unit = m  range = {1, 1.2}  drift = 0.1 }", creature("horse"))->parameters[0];
  CHECK_NEAR(p->least, 1, 0);
  CHECK_NEAR(p->width, 0.1, 1e-15);
  CHECK_STR(task_value_text(p, 1.1).words, "1.1 m");
}

/* ---- what is measured ---- */

#define N 20
static struct clip *bouncing(const struct creature *c, int n, double height)
{
  struct clip *clip = clip_new(arena, c, n, 1 / c->frame_rate);
  for (int k = 0; k < n; k++) {
    creature_rest_pose(c, clip->q + k * c->n_dofs);
    clip->q[k * c->n_dofs + 2] = height + 0.05 * sin(2 * acos(-1) * k / N);
  }
  clip->gait = clip->gait_after = c->gaits[0].name;
  clip->cyclic = 1;
  return clip;
}

/* A cycle's height is its mean; a transition has the heights of the cycles where they meet, and in between what is left
 * without their bounce. */
static void test_measure(void)
{
  const struct creature *c = creature("biped");
  const struct task *t = task("parameter height { }", c);
  struct clip *low = bouncing(c, N, 0.4), *tall = bouncing(c, N, 0.5), *way = bouncing(c, 3 * N + 2, 0.4);
  struct frame_features *a = features_of_clip(arena, c, low, NULL, NULL, &t->measures),
                        *b = features_of_clip(arena, c, tall, NULL, NULL, &t->measures);
  way->cyclic = 0;
  for (int k = 0; k < way->n_frames; k++)
    way->q[k * c->n_dofs + 2] += 0.1 * fmin(1, k / (3.0 * N));
  for (int k = 0; k < N; k++)
    CHECK(fabs(a[k].measured[0] - 0.4) < 1e-12 && fabs(b[k].measured[0] - 0.5) < 1e-12);
  struct features_end from = {low, a, 0}, to = {tall, b, 3 * N};
  struct frame_features *f = features_of_clip(arena, c, way, &from, &to, &t->measures);
  CHECK_NEAR(f[0].measured[0], 0.4, 1e-12);
  CHECK_NEAR(f[3 * N].measured[0], 0.5, 1e-12);
  CHECK_NEAR(f[3 * N + 1].measured[0], 0.5, 1e-12);
  for (int k = 1; k <= 3 * N; k++)
    CHECK(f[k].measured[0] > f[k - 1].measured[0] - 1e-12 && f[k].measured[1] == 0);
  CHECK_NEAR(features_between(&a[0], &b[0], 0, 0.25, 0).measured[0], 0.425, 1e-12);
}

/* ---- what the search is told ---- */

static void test_search(void)
{
  const struct creature *c = creature("biped");
  const struct task *t = task("parameter direction { } parameter height { range = {0.8, 1.1} }", c);
  const struct task_parameter *p = &t->parameters[1];
  struct rng r = rng_stream(1, 1);
  double least = INFINITY, most = 0;
  for (int i = 0; i < 100; i++) {
    struct frame_features f = {.gait = 0};
    task_draw(t, &r, &f);
    least = fmin(least, p->kind->done(p, &f));
    most = fmax(most, p->kind->done(p, &f));
  }
  CHECK_NEAR(least, p->least, 1e-12);
  CHECK_NEAR(most, p->most, 1e-12);
  CHECK(task_draws(t) && task_turns(t) && !task_strafes(t));

  const double L = c->height;
  struct frame_features cycles[3] = {{.measured = {L}}, {.measured = {0.9 * L}}, {.measured = {0.95 * L}, .gait = 1}};
  struct task_place place = {.task = t, .here = cycles[0], .n_cycles = 3, .cycles = cycles, .small_turn = 0.5};
  struct task_step steps[100];
  CHECK(task_steps_most(t) < 100);
  CHECK_INT(task_steps(&place, steps), 4); /* two turns; down to the next walk, up to the end of what may be asked */
  CHECK(steps[2].cycle == 1 && steps[3].cycle == TASK_CYCLE_NEW);
  CHECK_NEAR(steps[3].to.measured[0], p->most, 1e-12);

  struct posture_target out[SPACETIME_TARGETS];
  const double from[FEATURES_MEASURES] = {L}, to[FEATURES_MEASURES] = {0.9 * L};
  CHECK_INT(task_targets(t, from, to, out), 1);
  CHECK(out[0].dof == 2 && out[0].from == L && out[0].to == 0.9 * L && out[0].weight > 0);
  CHECK_INT(task_usual_clips(t), 120);
  CHECK_INT(task_usual_clips(task("parameter height { }", c)), 60);
}

int main(void)
{
  const char *source = getenv("srcdir");
  char path[4096];
  snprintf(path, sizeof path, "%s/tests/task", source ? source : ".");
  if (chdir(path)) {
    perror(path);
    return 99; /* automake: a hard error */
  }
  arena = arena_new();
  test_every_kind();
  test_shares();
  test_measure();
  test_search();
  arena_free(arena);
  return test_finish();
}

/* A controller that is told how fast to go from 0 on, played: told to stop it halts and stands still; told another
 * direction it turns where it stands; told to go it sets off. The biped, five clips by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "check.h"
#include "policy/controller.h"
#include "spacetime/repertoire.h"
#include "zoo.h"

enum { STAND, WALK, SET_OFF, HALT, LEFT, N_CLIPS };

static const char stroll[] = "alpha = 0.1\n parameter direction { grid = 36 jump_every = 6 }\n"
                             "parameter speed { weight = 4 range = {stop, 0.5} grid = 5 jump_every = 8 }\n";

struct stroll {
  struct arena *arena;
  const struct creature *c;
  struct graph_clip clips[N_CLIPS]; /* the walk first */
  struct muy_player_controller *player;
};

static struct stroll prepare(struct diag *d)
{
  static const int order[N_CLIPS] = {WALK, STAND, SET_OFF, HALT, LEFT};
  const double turn = 0.5 * PI;
  struct stroll s = {.arena = arena_new()};
  struct spacetime_options o;
  char why[160] = "";
  size_t n = 0;
  spacetime_defaults(&o);
  s.c = zoo_find(s.arena, "biped");
  struct repertoire r = repertoire_plan(s.arena, s.c, &(struct repertoire_options){.turns = &turn, .n_turns = 1});
  for (int i = 0; i < N_CLIPS; i++) {
    r.motions[i].id = 1 + i;
    CHECK(repertoire_solve(s.arena, &r, i, &o));
  }
  for (int i = 0; i < N_CLIPS; i++)
    s.clips[i] = (struct graph_clip){1 + order[i], r.motions[order[i]].clip, NULL};
  const struct task_file *file = task_parse(s.arena, "stroll", stroll, strlen(stroll), d);
  const struct task *t = file ? task_bind(s.arena, file, s.c, d) : NULL;
  struct graph_input in = {.creature = s.c, .file = "test.muy", .n_clips = N_CLIPS, .clips = s.clips};
  const struct controller *c = t ? controller_new(s.arena, &in, t, NULL, d) : NULL;
  const void *bytes = c ? controller_bytes(s.arena, c, &n, d) : NULL;
  s.player = bytes ? muy_player_load_memory(bytes, n, why, sizeof why) : NULL;
  CHECK_STR(why, "");
  CHECK(c && controller_fits(s.player, t, "test", d));
  return s;
}

static void run(struct muy_player *p, double seconds)
{
  double until = muy_player_time(p) + seconds;
  while (muy_player_time(p) < until)
    muy_player_step(p);
}

/* The pose does not change for a second, but for rounding. */
static int stands(const struct stroll *s, struct muy_player *p)
{
  int n = s->c->n_dofs, still = 1;
  double before[n], now[n], until = muy_player_time(p) + 1;
  muy_player_pose(p, before);
  while (muy_player_time(p) < until) {
    muy_player_step(p);
    muy_player_pose(p, now);
    for (int i = 0; i < n; i++)
      still &= fabs(now[i] - before[i]) < 1e-9;
  }
  return still && muy_player_features(p).speed < 1e-9;
}

static void test_play(const struct stroll *s)
{
  int n = s->c->n_dofs;
  double at[n], then[n], stride = s->clips[0].clip->n_frames * s->clips[0].clip->dt;
  struct muy_player p;
  muy_player_init(&p, s->player);
  muy_player_set(&p, 0, 0);
  muy_player_set(&p, 1, 0.6);
  run(&p, 3);
  CHECK(muy_player_features(&p).speed > 0.5);
  muy_player_set(&p, 1, 0);
  run(&p, 4 * stride); /* at most one until the phase comes round, and the halt, which takes two and a half here */
  CHECK(stands(s, &p));
  muy_player_pose(&p, at);
  CHECK_STR(s->player->gait_names[muy_player_features(&p).gait], CREATURE_STAND);
  muy_player_set(&p, 0, 0.5 * PI);
  run(&p, 3);
  CHECK(stands(s, &p));
  muy_player_pose(&p, then);
  CHECK(hypot(then[0] - at[0], then[1] - at[1]) < 0.3 * s->c->height);
  CHECK_NEAR(then[3] - at[3], 0.5 * PI, 0.01);
  muy_player_set(&p, 1, 0.6);
  run(&p, 4);
  muy_player_pose(&p, at);
  CHECK(muy_player_features(&p).speed > 0.5);
  CHECK(at[1] - then[1] > 2 * fabs(at[0] - then[0])); /* to the left of where it began */
}

int main(void)
{
  struct diag d;
  diag_init(&d);
  struct stroll s = prepare(&d);
  CHECK_INT(d.n_errors + d.n_warnings, 0);
  if (s.player)
    test_play(&s);
  muy_player_unload(s.player);
  diag_clear(&d);
  arena_free(s.arena);
  return test_finish();
}

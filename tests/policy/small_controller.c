/* See small_controller.h. Turns at three points of the cycle are solved; the rest are their mirror images. */
#include "policy/small_controller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/mirror.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

static const double degree = 3.14159265358979323846 / 180;

static const char direction_task[] = "name = direction\n alpha = 0.3\n"
                                     "parameter direction { grid = 72  jump_every = 3  drift_every = 1  drift = 5 }\n";

static void give_up(const char *what, const char *why)
{
  fprintf(stderr, "small controller: %s: %s\n", what, why);
  exit(99);
}

/* Prints what is in d; ends the program when something is missing. */
static void insist(const void *there, const char *what, struct diag *d)
{
  if (!there) {
    char *text = diag_text(d);
    give_up(what, text);
  }
  diag_clear(d);
}

static void add_clip(struct small_controller *s, const struct clip *clip)
{
  if (s->n_clips == SMALL_MOST_CLIPS)
    give_up("clips", "too many");
  s->clips[s->n_clips] = (struct graph_clip){s->n_clips + 1, clip, NULL};
  s->n_clips++;
}

/* A turn of so many half cycles, in step: it arrives where the walk itself would be by then. And its mirror image. */
static void add_turn(struct small_controller *s, int frame, int half_cycles, double turn, int shift)
{
  static struct spacetime_report report;
  struct spacetime_options o;
  const struct clip *walk = s->clips[0].clip;
  int length = half_cycles * walk->n_frames / 2;
  struct transition_request r = {.c = s->creature, .from = walk, .to = walk, .from_frame = frame,
                                 .to_frame = (frame + length) % walk->n_frames, .from_id = 1, .to_id = 1,
                                 .turn = turn, .frames = length + 2};
  spacetime_defaults(&o);
  struct clip *clip = spacetime_transition(s->arena, &r, &o, &report);
  if (!clip)
    give_up("turn", report.reason);
  add_clip(s, clip);
  clip = clip_mirror(s->arena, s->creature, clip);
  clip->from.frame = (clip->from.frame + shift) % walk->n_frames;
  clip->to.frame = (clip->to.frame + shift) % walk->n_frames;
  add_clip(s, clip);
}

static void solve_clips(struct small_controller *s)
{
  static const struct { int eighth, half_cycles; double turn; } turns[] = { /* those that the biped finds easy */
    {1, 2, 30}, {1, 2, 60}, {1, 3, 90}, {2, 2, -30}, {2, 3, 60}, {3, 2, 30}, {3, 2, 60}, {3, 3, 90}};
  static struct spacetime_report report;
  struct spacetime_options o;
  struct gait_request r = {.c = s->creature, .gait = 0, .speed = 0.6};
  int shift;
  spacetime_defaults(&o);
  const struct clip *walk = spacetime_gait(s->arena, &r, &o, &report);
  if (!walk)
    give_up("walk", report.reason);
  if (!clip_mirror_shift(s->creature, walk, 1e-7, &shift) || walk->n_frames % 2)
    give_up("walk", "it is not its own mirror image");
  add_clip(s, walk);
  for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
    add_turn(s, turns[i].eighth * walk->n_frames / 8, turns[i].half_cycles, turns[i].turn * degree, shift);
}

const struct task *small_task(const struct small_controller *s, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(s->arena, "test.task", text, strlen(text), &d);
  const struct task *task = file ? task_bind(s->arena, file, s->creature, &d) : NULL;
  insist(task, "task", &d);
  return task;
}

const struct controller *small_solve(const struct small_controller *s, const struct task *t)
{
  struct diag d;
  struct graph_input in = {.creature = s->creature, .file = "test.muy", .n_clips = s->n_clips, .clips = s->clips};
  diag_init(&d);
  const struct controller *c = controller_new(s->arena, &in, t, NULL, &d);
  insist(c, "controller", &d);
  return c;
}

struct muy_player_controller *small_player(const struct small_controller *s, const struct controller *c)
{
  struct diag d;
  size_t length;
  char why[160] = "";
  diag_init(&d);
  const void *bytes = controller_bytes(s->arena, c, &length, &d);
  insist(bytes, "player", &d);
  struct muy_player_controller *p = muy_player_load_memory(bytes, length, why, sizeof why);
  if (!p)
    give_up("player", why);
  return p;
}

struct small_controller small_controller_new(void)
{
  struct small_controller s = {.arena = arena_new()};
  s.creature = zoo_load(s.arena, 0); /* the biped */
  if (!s.creature)
    give_up("biped", "it is not in the zoo");
  solve_clips(&s);
  s.task = small_task(&s, direction_task);
  s.controller = small_solve(&s, s.task);
  s.player = small_player(&s, s.controller);
  return s;
}

void small_controller_free(struct small_controller *s)
{
  muy_player_unload(s->player);
  arena_free(s->arena);
}

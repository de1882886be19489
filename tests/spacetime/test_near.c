/* Warm starts: a gait and a transition of a body that was changed a little, from those of the body before. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "motion/verify.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

/* The biped with longer shanks. */
static const struct creature *edited_biped(struct arena *arena, double length)
{
  const struct creature *c = zoo_find(arena, "biped");
  struct diag d;
  FILE *in = fopen(c->file, "rb");
  char *text = ARENA_NEW(arena, 100000, char);
  size_t n = in ? fread(text, 1, 99999, in) : 0;
  if (in)
    fclose(in);
  const char *shank = strstr(text, "-0.259}");
  CHECK(n > 0 && shank != NULL);
  if (!shank)
    return c;
  const char *new = arena_printf(arena, "%.*s%.4f}%s", (int)(shank - text), text, -length, shank + 7);
  diag_init(&d);
  const struct creature *edited = creature_parse(arena, c->file, new, strlen(new), &d);
  CHECK(edited != NULL);
  diag_clear(&d);
  return edited;
}

static void check_valid(struct arena *arena, const struct creature *c, const struct clip *clip,
                        const struct verify_neighbours *beside)
{
  struct verify_report v;
  CHECK(clip != NULL);
  if (!clip)
    return;
  verify_transition(arena, c, clip, beside, &v);
  CHECK(v.passed);
}

static struct gait_request walk_of(const struct creature *c)
{
  return (struct gait_request){.c = c, .gait = creature_find_gait(c, "walk"), .speed = 0.6};
}

static void test_gait(struct arena *arena, const struct creature *a, const struct creature *b)
{
  static struct spacetime_report cold, warm;
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct gait_request before = walk_of(a), r = walk_of(b);
  struct clip *old = spacetime_gait(arena, &before, &o, &warm), *anew = spacetime_gait(arena, &r, &o, &cold);
  check_valid(arena, a, old, &(struct verify_neighbours){0});
  check_valid(arena, b, anew, &(struct verify_neighbours){0});
  r.near = old;
  r.near_frames = old->n_frames;
  struct clip *near = spacetime_gait(arena, &r, &o, &warm);
  check_valid(arena, b, near, &(struct verify_neighbours){0});
  CHECK_INT(near ? near->n_frames : 0, old->n_frames);
  CHECK_NEAR(near ? near->dt : 0, 1 / b->frame_rate, 1e-15);
  CHECK(warm.solves < cold.solves && warm.torque_jump < 0.3);
  CHECK_NEAR(warm.cost, cold.cost, 0.05 * cold.cost); /* near is near, and not what was there before */
  CHECK(near && memcmp(near->q, old->q, (size_t)(old->n_frames * old->n_dofs) * sizeof *old->q) != 0);
  /* other tempos than that of the clip */
  r.near_frames = old->n_frames - 5;
  near = spacetime_gait(arena, &r, &o, &warm);
  CHECK(near && abs(near->n_frames - r.near_frames) <= 1 && near->n_frames % 2 == 0);
  /* jumps of torques may stay: one solve */
  o.torque_change = 0;
  r.near_frames = old->n_frames;
  check_valid(arena, b, spacetime_gait(arena, &r, &o, &warm), &(struct verify_neighbours){0});
  CHECK(warm.solves <= 3);
}

static void test_transition(struct arena *arena, const struct creature *a, const struct creature *b)
{
  static struct spacetime_report report, cold, warm;
  struct spacetime_options o;
  spacetime_defaults(&o);
  struct gait_request walk = walk_of(a), walk_b = walk_of(b);
  struct clip *cycle = spacetime_gait(arena, &walk, &o, &report);
  walk_b.near = cycle;
  walk_b.near_frames = cycle->n_frames;
  struct clip *edited = spacetime_gait(arena, &walk_b, &o, &report);
  struct transition_request r = {.c = a, .from = cycle, .to = cycle, .to_frame = 30, .turn = 1};
  struct clip *turn = spacetime_transition(arena, &r, &o, &report);
  struct verify_neighbours beside = {edited, edited, 0, 30};
  r.c = b;
  r.from = r.to = edited;
  struct clip *anew = spacetime_transition(arena, &r, &o, &cold);
  check_valid(arena, b, anew, &beside);
  r.near = turn;
  struct clip *near = spacetime_transition(arena, &r, &o, &warm);
  check_valid(arena, b, near, &beside);
  CHECK_INT(near ? near->n_frames : 0, turn->n_frames);
  CHECK_NEAR(near ? near->turn : 0, 1, 1e-15);
  CHECK(warm.nlp.iterations <= cold.nlp.iterations && warm.solves <= cold.solves);
  /* one that is not near at all does no harm */
  r.turn = -0.3;
  near = spacetime_transition(arena, &r, &o, &warm);
  check_valid(arena, b, near, &beside);
  CHECK_NEAR(near ? near->advance.yaw : 0, -0.3, 1e-12);
  /* a length that was asked for goes before that of the clip */
  r.frames = turn->n_frames + 10;
  near = spacetime_transition(arena, &r, &o, &warm);
  CHECK_INT(near ? near->n_frames : 0, r.frames);
  /* what cannot be a start */
  r.near = edited;
  CHECK(!spacetime_transition(arena, &r, &o, &warm));
  CHECK_INT(warm.status, SPACETIME_REFUSED);
  CHECK_STR(warm.reason, "the clip to start from is no transition of such a creature");
  walk.near = turn;
  CHECK(!spacetime_gait(arena, &walk, &o, &warm));
  CHECK_STR(warm.reason, "the clip to start from is no cycle of such a creature");
  walk = (struct gait_request){.c = zoo_find(arena, "horse"), .speed = 1, .near = cycle};
  CHECK(!spacetime_gait(arena, &walk, &o, &warm));
  CHECK_STR(warm.reason, "the clip to start from is no cycle of such a creature");
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *a = zoo_find(arena, "biped"), *b = edited_biped(arena, 0.272);
  test_gait(arena, a, b);
  test_transition(arena, a, b);
  arena_free(arena);
  return test_finish();
}

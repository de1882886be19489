/* A clip of a slope is tracked on that slope, and on no other ground. */
#include <math.h>

#include "base/angle.h"
#include "check.h"
#include "follow/subject.h"
#include "samcon/track.h"
#include "spacetime/spacetime.h"
#include "zoo.h"

#define SLOPE (8 * PI / 180)

static struct reference *reference_on_slope(struct arena *arena, const struct creature *c, struct diag *d)
{
  struct gait_request r = {.c = c, .gait = creature_find_gait(c, "walk"), .speed = 0.6, .slope = SLOPE};
  struct spacetime_options o;
  struct spacetime_report report;
  spacetime_defaults(&o);
  struct graph_clip clip = {1, spacetime_gait(arena, &r, &o, &report), NULL};
  struct graph_input in = {.creature = c, .file = "slope", .n_clips = 1, .clips = &clip};
  CHECK(clip.clip != NULL);
  return clip.clip ? subject_clip(arena, &in, 0, 3, NULL, d) : NULL;
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  struct diag d;
  diag_init(&d);
  struct reference *r = reference_on_slope(arena, c, &d);
  struct track_options o;
  CHECK(r != NULL);
  if (!r)
    return test_finish();
  CHECK_NEAR(r->slope, SLOPE, 1e-12);
  track_defaults(c, TRACK_LQR, 1, &o);
  o.identify.samples = 110;
  struct terrain *ground = &o.rollout.world.terrain;
  CHECK(track_choose_ground(r, ground, ground, &d));
  CHECK(ground->kind == TERRAIN_SLOPE);
  CHECK_NEAR(ground->size, SLOPE, 1e-12);
  const struct recording *k = track(arena, r, &o, &d);
  CHECK(k && k->judgement.success);
  CHECK(k && k->judgement.height < 0.02);
  if (k) { /* the body has gone up */
    const struct follow_motion *m = k->motion;
    const double *last = m->q + (size_t)(m->n_frames - 1) * (size_t)m->n_dofs;
    CHECK_NEAR(last[2] - m->q[2], (last[0] - m->q[0]) * tan(SLOPE), 0.03 * c->height);
    CHECK(last[2] - m->q[2] > 0.2 * c->height);
  }
  CHECK(d.n_errors == 0);

  struct terrain other = {.kind = TERRAIN_STEPS, .size = 0.05, .spacing = 0.5}, out;
  CHECK(!track_choose_ground(r, &other, &out, &d));
  CHECK(d.n_errors == 1);
  diag_clear(&d);
  arena_free(arena);
  return test_finish();
}

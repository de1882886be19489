/* Features of frames: of cycles, of transitions between them, of a made motion whose sway is known, and along the
 * segments of a graph; effort against torques that are computed in another way. */
#include <math.h>

#include "dynamics/dynamics.h"
#include "motion/biped_clips.h"
#include "motion/check_graph.h"
#include "motion/features.h"
#include "motion/ground.h"

/* Torques by inverse dynamics without contacts, and those of the contacts by their Jacobians. */
static double effort_of(const struct biped_clips *w, const struct clip *clip)
{
  const struct creature *c = w->c;
  struct dynamics *d = dynamics_new(w->arena, c);
  double *q = ARENA_NEW(w->arena, 7 * (size_t)c->n_dofs, double), *v = q + c->n_dofs, *a = v + c->n_dofs;
  double *tau = a + c->n_dofs, *J = tau + c->n_dofs, sum = 0, unit = c->mass * CREATURE_GRAVITY * c->height;
  int count = 0;
  for (int k = 0; k < clip->n_frames; k++) {
    if (!clip_state(clip, k, q, v, a))
      continue;
    dynamics_inverse(d, q, v, a, tau);
    dynamics_kinematics(d, q);
    for (int p = 0; p < c->n_points; p++) {
      dynamics_point_jacobian(d, c->points[p].body, c->points[p].at, J);
      for (int i = 0; i < 3 * c->n_dofs; i++)
        tau[i % c->n_dofs] -= J[i] * clip->force[3 * (k * c->n_points + p) + i / c->n_dofs];
    }
    for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs; i++)
      sum += tau[i] * tau[i] / (unit * unit);
    count++;
  }
  return sum / count;
}

/* Of the costlier cycle that a clip leads from or to. */
static double usual_effort_of(const struct biped_clips *w, int i)
{
  const struct clip *clip = w->made[i];
  if (clip->cyclic)
    return effort_of(w, clip);
  int from = clip->from.clip - biped_clip_id(0), to = clip->to.clip - biped_clip_id(0);
  return fmax(usual_effort_of(w, from), usual_effort_of(w, to));
}

/* By logarithm, as tasks see it: transitions count linearly beyond their cycles. */
static double log_counted_effort(const struct biped_clips *w, int i)
{
  double effort = effort_of(w, w->made[i]), usual = usual_effort_of(w, i);
  return effort > usual ? log(usual) + effort / usual - 1 : log(effort);
}

static void test_cyclic_features(const struct biped_clips *w, const struct motion_graph *g)
{
  for (int i = 0; i < N_CLIPS; i++) {
    const struct clip *clip = w->made[i];
    CHECK_NEAR(log(g->clips[i].features[0].counted_effort), log_counted_effort(w, i), 1e-9);
    for (int k = 0; clip->cyclic && k < clip->n_frames; k++) {
      const struct frame_features *f = &g->clips[i].features[k];
      CHECK_NEAR(f->direction, 0, 1e-9);
      CHECK_NEAR(f->torso, 0, 1e-6);
      CHECK_NEAR(f->speed, clip->speed, 1e-12);
      CHECK_INT(f->gait, creature_find_gait(w->c, clip->gait));
    }
  }
  CHECK(g->clips[RUN].features[0].counted_effort > g->clips[WALK].features[0].counted_effort);
  /* haste: twelve times the effort of walking counts for more than a radian, whatever the gait */
  CHECK_NEAR(log(features_counted_effort(12 * 0.3, 0.3) / 0.3), 11, 1e-12);
  int hasty = 0;
  for (int i = 0; i < N_CLIPS; i++)
    hasty += g->clips[i].features[0].counted_effort > 1.01 * effort_of(w, w->made[i]);
  CHECK(hasty > 0);
}

/* The first frame of a transition and its last two have the features of the clips there, turned; in between nothing
 * jumps. */
static void test_transition_features(const struct biped_clips *w, const struct motion_graph *g)
{
  for (int i = 0; i < N_CLIPS; i++) {
    const struct clip *clip = w->made[i];
    int n = clip->n_frames;
    const struct frame_features *f = g->clips[i].features;
    for (int end = 0; end < 2 && !clip->cyclic; end++) {
      const struct clip_end *e = end ? &clip->to : &clip->from;
      int at = end ? n - 2 : 0, other = e->clip - biped_clip_id(0), frame = e->frame;
      const struct frame_features *there = &g->clips[other].features[frame % w->made[other]->n_frames];
      double turn = ground_match(clip, at, w->made[other], frame).yaw, tolerance = other == LEFT ? 0.004 : 1e-9;
      CHECK_NEAR(f[at].direction, there->direction + turn, tolerance);
      CHECK_NEAR(f[at].torso, there->torso + turn, tolerance);
      CHECK_NEAR(f[at].speed, there->speed, tolerance);
    }
    for (int k = 0; k + 1 < n && !clip->cyclic; k++) {
      CHECK_NEAR(f[k].direction, f[k + 1].direction, 0.03);
      CHECK_NEAR(f[k].torso, f[k + 1].torso, 0.03);
      CHECK_NEAR(f[k].speed, f[k + 1].speed, 0.03);
      CHECK_INT(f[k].gait, creature_find_gait(w->c, k < (n - 2) / 2 ? clip->gait : clip->gait_after));
    }
  }
  for (int k = 0; k < w->made[LEFT]->n_frames; k++) { /* what is left is right in the mirror */
    const struct frame_features *left = &g->clips[LEFT].features[k], *right = &g->clips[RIGHT].features[k];
    CHECK_NEAR(left->direction, -right->direction, 1e-6);
    CHECK_NEAR(left->torso, -right->torso, 1e-6);
    CHECK_NEAR(left->speed, right->speed, 1e-6);
    CHECK_NEAR(left->counted_effort, right->counted_effort, 1e-12);
  }
}

enum { CYCLE = 12, FRAMES = 30 };

/* Sways on the spot, or while it goes ahead. */
static struct clip *swaying(const struct biped_clips *w, double speed)
{
  struct clip *clip = clip_new(w->arena, w->c, CYCLE, 0.01);
  clip->cyclic = 1;
  clip->advance.x = speed * CYCLE * 0.01;
  for (int k = 0; k < CYCLE; k++) {
    double *q = clip->q + k * w->c->n_dofs, phase = k * 2 * acos(-1) / CYCLE;
    creature_rest_pose(w->c, q);
    q[0] = speed * k * 0.01 + 0.002 * sin(phase), q[1] = 0.003 * cos(phase), q[3] = 0.1 + q[1];
  }
  return clip;
}

/* The same sway, and a speed that grows evenly from 0 to 0.5 m/s: what is left without the sway is known. An end that
 * nobody knows does no harm. */
static void test_made_features(const struct biped_clips *w)
{
  struct clip *still = swaying(w, 0), *walk = swaying(w, 0.5), *t = clip_new(w->arena, w->c, FRAMES, 0.01);
  struct frame_features *standing = features_of_clip(w->arena, w->c, still, NULL, NULL, NULL), *made;
  for (int k = 0; k < CYCLE; k++) {
    CHECK_NEAR(standing[k].speed, 0, 1e-12);
    CHECK_NEAR(standing[k].torso, 0.1, 1e-12);
    CHECK_NEAR(standing[k].direction, standing[k].torso, 0);
    CHECK_INT(standing[k].gait, -1);
  }
  for (int k = 0; k < FRAMES; k++) { /* s: intervals that are faster than the one before */
    double *q = t->q + k * w->c->n_dofs, s = k < 1 ? 0 : k > FRAMES - 2 ? FRAMES - 3 : k - 1;
    clip_frame(still, 5 + k, q);
    q[0] += 0.01 * 0.5 / (FRAMES - 3) * s * (s + 1) / 2 + (k > FRAMES - 2 ? 0.005 : 0);
  }
  struct features_end from = {still, standing, 5};
  struct features_end to = {walk, features_of_clip(w->arena, w->c, walk, NULL, NULL, NULL), 5 + FRAMES - 2};
  made = features_of_clip(w->arena, w->c, t, &from, &to, NULL);
  for (int k = 0; k < FRAMES - 1; k++) {
    CHECK_NEAR(made[k].speed, 0.5 * k / (FRAMES - 2), 0.012);
    CHECK_NEAR(made[k].torso, 0.1, 1e-12);
    CHECK_NEAR(made[k].direction, k ? 0 : 0.1, 1e-9);
  }
  CHECK_NEAR(made[FRAMES - 2].speed, 0.5, 1e-12);
  made = features_of_clip(w->arena, w->c, t, NULL, &to, NULL);
  CHECK_NEAR(made[FRAMES - 2].speed, 0.5, 1e-12);
  CHECK(isfinite(made[0].speed) && isfinite(made[0].direction));
}

/* Features along a segment go where it goes: the sum of the velocities is the way, up to sway within a stride. */
static void test_segment_features(const struct motion_graph *g)
{
  for (int i = 0; i < g->n_segments; i++) {
    const struct graph_segment *s = &g->segments[i];
    double x = 0, y = 0, dt = g->clips[0].clip->dt;
    for (int k = 0; k < s->length; k++) {
      x += s->features[k].speed * cos(s->features[k].direction) * dt;
      y += s->features[k].speed * sin(s->features[k].direction) * dt;
    }
    CHECK_NEAR(x, s->x, 0.05);
    CHECK_NEAR(y, s->y, 0.05);
    for (int next = g->first_segment[s->to]; next < g->first_segment[s->to + 1]; next++) { /* and on without a jump */
      const struct frame_features *last = &s->features[s->length - 1], *first = &g->segments[next].features[0];
      CHECK_NEAR(last->direction, ground_wrap(first->direction + s->turn), 0.03);
      CHECK_NEAR(last->torso, ground_wrap(first->torso + s->turn), 0.03);
      CHECK_NEAR(last->speed, first->speed, 0.03);
    }
  }
}

int main(void)
{
  struct biped_clips w = biped_clips_new(N_CLIPS);
  struct motion_graph *g = new_graph(w.arena, w.c, w.clips, N_CLIPS);
  test_cyclic_features(&w, g);
  test_transition_features(&w, g);
  test_made_features(&w);
  test_segment_features(g);
  arena_free(w.arena);
  return test_finish();
}

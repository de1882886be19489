/* The frame record: all that a page draws of a frame, as numbers of 4 bytes; and what the creature does in the mean
 * over a stride, beside what it is asked. */
#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "motion/ground.h"
#include "stage/room.h"

#define LIMB_NUMBERS  12
#define POINT_NUMBERS 7
#define BALL_NUMBERS  4

static int take(int *at, int n)
{
  int first = *at;
  *at += n;
  return first;
}

struct stage_layout stage_layout_of(const struct stage_cast *c)
{
  const struct creature *k = c->creature;
  struct stage_layout l;
  int at = 2; /* after time and state */
  l.limbs = take(&at, LIMB_NUMBERS * k->n_limbs);
  l.ghost = take(&at, LIMB_NUMBERS * k->n_limbs);
  l.com = take(&at, 3);
  l.capture = take(&at, 3);
  l.points = take(&at, POINT_NUMBERS * k->n_points);
  l.limb_forces = take(&at, 3 * k->n_limbs);
  l.torques = take(&at, k->n_dofs);
  l.balls = take(&at, BALL_NUMBERS * STAGE_BALLS);
  l.asked = take(&at, c->n_parameters);
  l.done = take(&at, c->n_parameters);
  l.clip = take(&at, 1);
  l.frame = take(&at, 1);
  l.node = take(&at, 1);
  l.segment = take(&at, 1);
  l.next = take(&at, 1);
  l.value = take(&at, 1);
  l.heading = take(&at, 1);
  l.length = at;
  return l;
}

/* ---- what it does ---- */

void stage_history_clear(struct stage *s)
{
  s->history.n = 0;
}

void stage_history_add(struct stage *s)
{
  struct stage_history *h = &s->history;
  const struct stage_cast *c = s->cast;
  h->last = h->n > 0 ? (h->last + 1) % h->room : 0;
  h->n += h->n < h->room;
  struct stage_history_frame *f = &h->frames[h->last];
  *f = (struct stage_history_frame){.x = s->now.q[0], .y = s->now.q[1], .yaw = s->now.q[3]};
  for (int i = 0; i < c->n_parameters; i++)
    if (c->measure[i] >= 0)
      f->measured[c->measure[i]] = c->kinds[i]->measure(c->creature, s->now.q);
}

/* Frames of a stride: the cycle that is shown, else the first cycle. */
static int stride_frames(const struct stage *s)
{
  const struct graph_input *in = &s->cast->package.clips;
  if (s->now.clip >= 0 && in->clips[s->now.clip].clip->cyclic)
    return in->clips[s->now.clip].clip->n_frames;
  for (int i = 0; i < in->n_clips; i++)
    if (in->clips[i].clip->cyclic)
      return in->clips[i].clip->n_frames;
  return s->history.room;
}

/* The gait of the frame that is shown: of a transition the old one for its first half. */
static int gait_now(const struct stage *s)
{
  if (s->now.clip < 0)
    return -1;
  const struct clip *k = s->cast->package.clips.clips[s->now.clip].clip;
  return creature_find_gait(s->cast->creature, 2 * s->now.frame < k->n_frames ? k->gait : k->gait_after);
}

/* Features of the last stride, against the world: means of what was seen. */
static struct frame_features last_stride(const struct stage *s)
{
  const struct stage_history *h = &s->history;
  struct frame_features f = {.gait = gait_now(s)};
  int n = stride_frames(s) < h->n - 1 ? stride_frames(s) : h->n - 1;
  const struct stage_history_frame *now = &h->frames[h->last];
  double dx = s->now.v[0] * s->cast->dt, dy = s->now.v[1] * s->cast->dt, time = s->cast->dt;
  if (n > 0) {
    const struct stage_history_frame *then = &h->frames[(h->last - n + h->room) % h->room];
    dx = now->x - then->x, dy = now->y - then->y, time = n * s->cast->dt;
  }
  for (int i = 0; i < (n > 0 ? n : 1); i++) {
    const struct stage_history_frame *k = &h->frames[(h->last - i + h->room) % h->room];
    f.torso += k->yaw / (n > 0 ? n : 1);
    for (int j = 0; j < FEATURES_MEASURES; j++)
      f.measured[j] += k->measured[j] / (n > 0 ? n : 1);
  }
  f.speed = hypot(dx, dy) / time;
  f.torso = ground_wrap(f.torso);
  f.direction = f.speed > 1e-6 ? atan2(dy, dx) : f.torso;
  return f;
}

double stage_done(const struct stage *s, int parameter)
{
  const struct stage_cast *c = s->cast;
  const struct stage_parameter *p = &c->parameters[parameter];
  struct task_parameter asked = {.kind = c->kinds[parameter], .measure = c->measure[parameter]};
  if (!asked.kind || s->history.n == 0)
    return NAN;
  struct frame_features f = last_stride(s);
  double x = asked.kind->done(&asked, &f);
  for (int i = 0; p->names && i < p->n; i++)
    if (p->values[i] == x)
      return i;
  return p->names ? -1 : x;
}

/* ---- the record ---- */

static void put_limbs(struct stage *s, const double *q, float *out)
{
  const struct creature *c = s->cast->creature;
  dynamics_kinematics(s->cast->dynamics, q);
  for (int i = 0; i < c->n_limbs; i++, out += LIMB_NUMBERS) {
    double x[3], R[9];
    dynamics_point(s->cast->dynamics, c->limbs[i].body, c->limbs[i].origin, x);
    dynamics_rotation(s->cast->dynamics, c->limbs[i].body, R);
    for (int k = 0; k < 3; k++)
      out[k] = (float)x[k];
    for (int k = 0; k < 9; k++)
      out[3 + k] = (float)R[k];
  }
}

static void put_points(struct stage *s, float *out)
{
  const struct creature *c = s->cast->creature;
  for (int i = 0; i < c->n_points; i++, out += POINT_NUMBERS) {
    double x[3];
    dynamics_point(s->cast->dynamics, c->points[i].body, c->points[i].at, x);
    for (int k = 0; k < 3; k++) {
      out[k] = (float)x[k];
      out[3 + k] = (float)s->now.force[3 * i + k];
    }
    out[6] = s->now.on[i];
  }
}

/* Centre of mass, and the capture point of an inverted pendulum of its height above the ground. */
static void put_whole(struct stage *s, float *com, float *capture)
{
  const struct creature *c = s->cast->creature;
  struct dynamics_whole w;
  double zero[c->n_dofs];
  memset(zero, 0, sizeof zero);
  dynamics_whole(s->cast->dynamics, s->now.q, s->now.v, zero, &w);
  double height = w.com[2] - stage_height(s, w.com[0], w.com[1]);
  double time = height > 0 ? sqrt(height / CREATURE_GRAVITY) : 0;
  double x = w.com[0] + time * w.com_velocity[0], y = w.com[1] + time * w.com_velocity[1];
  for (int k = 0; k < 3; k++)
    com[k] = (float)w.com[k];
  capture[0] = (float)x;
  capture[1] = (float)y;
  capture[2] = (float)stage_height(s, x, y);
}

void stage_fill_record(struct stage *s)
{
  const struct stage_layout *l = &s->layout;
  const struct creature *c = s->cast->creature;
  float *r = s->record;
  memset(r, 0, (size_t)l->length * sizeof *r);
  r[0] = (float)s->time;
  r[1] = (float)s->state;
  if (s->now.has_ghost)
    put_limbs(s, s->now.ghost, r + l->ghost);
  put_whole(s, r + l->com, r + l->capture);
  put_limbs(s, s->now.q, r + l->limbs); /* leaves the frames of bodies that points need */
  put_points(s, r + l->points);
  for (int i = 0; i < 3 * c->n_limbs; i++)
    r[l->limb_forces + i] = (float)s->now.limb_force[i];
  for (int i = 0; i < c->n_dofs; i++)
    r[l->torques + i] = (float)s->now.torque[i];
  for (int i = 0; i < s->scene.n_balls; i++) {
    const struct disturb_ball *b = &s->scene.balls[i];
    for (int k = 0; k < 3; k++)
      r[l->balls + BALL_NUMBERS * i + k] = (float)b->x[k];
    r[l->balls + BALL_NUMBERS * i + 3] = (float)b->radius;
  }
  for (int i = 0; i < s->cast->n_parameters; i++) {
    r[l->asked + i] = (float)s->scene.asked[i];
    r[l->done + i] = (float)stage_done(s, i);
  }
  r[l->clip] = (float)s->now.clip;
  r[l->frame] = (float)s->now.frame;
  r[l->node] = (float)s->now.node;
  r[l->segment] = (float)s->now.segment;
  r[l->next] = (float)s->now.next;
  r[l->value] = (float)s->now.value;
  r[l->heading] = (float)s->now.heading;
}

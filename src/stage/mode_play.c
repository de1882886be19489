/* Mode play: the kinematic controller. The player of src/player chooses at every node by what is asked; what it shows
 * is what a game would show. */
#include <math.h>
#include <string.h>

#include "control/level.h"
#include "stage/room.h"

static int play_can(const struct stage_cast *c)
{
  return c->player != NULL;
}

/* A node of a clip of the package, or the first. */
static int node_of(const struct stage_cast *c, int clip)
{
  for (int i = 0; clip >= 0 && i < c->player->n_nodes; i++)
    if (c->player_clip[c->player->nodes[i].clip] == clip)
      return i;
  return 0;
}

static void *play_enter(struct stage *s, struct arena *arena, int clip, struct clip_advance at, struct diag *d)
{
  struct muy_player *p = ARENA_NEW(arena, 1, struct muy_player);
  (void)d;
  muy_player_init(p, s->cast->player);
  muy_player_start(p, node_of(s->cast, clip), at.x, at.y, at.yaw);
  for (int i = 0; i < s->cast->n_parameters; i++)
    muy_player_set(p, i, s->scene.asked[i]);
  return p;
}

static enum stage_state play_frame(struct stage *s)
{
  muy_player_step(s->mode_data);
  return STAGE_UP;
}

static void play_asked(struct stage *s, int parameter)
{
  muy_player_set(s->mode_data, parameter, s->scene.asked[parameter]);
}

/* The pose on the ground that there is. */
static void play_pose(const struct stage *s, const struct muy_player *p, double *q)
{
  muy_player_pose(p, q);
  q[2] += level_height(&s->scene.terrain, s->cast->creature, q[0], q[1]);
}

static void play_look(struct stage *s)
{
  const struct muy_player *p = s->mode_data;
  struct muy_player earlier = *p, later = *p;
  int n = s->cast->creature->n_dofs;
  double before[n], after[n];
  earlier.behind = 1; /* the moment before */
  muy_player_step(&later);
  play_pose(s, &earlier, before);
  play_pose(s, p, s->now.q);
  play_pose(s, &later, after);
  muy_player_forces(p, s->now.force);
  muy_player_contacts(p, s->now.on);
  stage_derive(s, p->n_steps > 0 ? before : NULL, s->now.q, after);
  s->now.clip = s->cast->player_clip[p->now.clip];
  s->now.frame = p->now.frame;
  s->now.segment = p->segment;
  s->now.node = p->controller->segments[p->segment].from;
  s->now.next = muy_player_peek(p);
  s->now.heading = p->ground.yaw;
}

/* ---- as bytes ---- */

static void put_motion(struct bytes_writer *w, struct muy_player_motion m)
{
  const double numbers[3] = {m.x, m.y, m.yaw};
  bytes_put_reals(w, numbers, 3);
}

static struct muy_player_motion get_motion(struct bytes_reader *r)
{
  struct muy_player_motion m = {bytes_get_real(r), 0, 0};
  m.y = bytes_get_real(r);
  m.yaw = bytes_get_real(r);
  r->bad |= !isfinite(m.x) || !isfinite(m.y) || !isfinite(m.yaw);
  return m;
}

static void put_moment(struct bytes_writer *w, const struct muy_player_moment *m)
{
  const int ints[] = {m->clip, m->frame, m->force_clip, m->force_frame};
  bytes_put_ints(w, ints, 4);
  put_motion(w, m->place);
  bytes_put_real(w, m->force_yaw);
}

static struct muy_player_moment get_moment(struct bytes_reader *r, const struct muy_player_controller *c)
{
  struct muy_player_moment m = {.clip = bytes_get_within(r, 0, c->n_clips - 1)};
  m.frame = bytes_get_within(r, 0, c->clips[m.clip].n_frames - 1);
  m.force_clip = bytes_get_within(r, 0, c->n_clips - 1);
  m.force_frame = bytes_get_within(r, 0, c->clips[m.force_clip].n_frames - 1);
  m.place = get_motion(r);
  m.force_yaw = bytes_get_real(r);
  r->bad |= !isfinite(m.force_yaw);
  return m;
}

static void play_put(const struct stage *s, struct bytes_writer *w)
{
  const struct muy_player *p = s->mode_data;
  const int ints[] = {p->segment, p->at, p->piece, p->within};
  bytes_put_ints(w, ints, 4);
  put_motion(w, p->ground);
  put_moment(w, &p->now);
  put_moment(w, &p->before);
  bytes_put_bits(w, (uint64_t)p->n_steps, 8);
}

static int play_get(struct stage *s, struct bytes_reader *r)
{
  struct muy_player *p = s->mode_data;
  const struct muy_player_controller *c = p->controller;
  p->segment = bytes_get_within(r, 0, c->n_segments - 1);
  p->at = bytes_get_within(r, 0, c->segments[p->segment].n_frames - 1);
  p->piece = bytes_get_within(r, 0, c->segments[p->segment].n_pieces - 1);
  p->within = bytes_get_within(r, 0, c->segments[p->segment].pieces[p->piece].count - 1);
  p->ground = get_motion(r);
  p->now = get_moment(r, c);
  p->before = get_moment(r, c);
  p->n_steps = (long long)(bytes_get_bits(r, 8) & INT64_MAX);
  memcpy(p->asked, s->scene.asked, sizeof p->asked);
  int shown = 0; /* of the segment, before this frame: it must be where `at` says */
  for (int i = 0; i < p->piece; i++)
    shown += c->segments[p->segment].pieces[i].count;
  return !r->bad && shown + p->within == p->at;
}

const struct stage_mode_kind stage_mode_play = {
  .name = "play", .can = play_can, .enter = play_enter, .frame = play_frame, .look = play_look, .asked = play_asked,
  .put = play_put, .get = play_get,
};

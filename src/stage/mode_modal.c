/* Mode modal: modal control follows a clip in a simulated world, the tree engine, and the clip is edited while it is
 * followed: faster or slower, longer or shorter steps, over into another clip, a limb led by the hand.
 *
 * Its steps are not the frames' (1/120 s of a human): a frame shows the motion between the two steps around it. */
#include <math.h>
#include <string.h>

#include "modal/live.h"
#include "motion/ground.h"
#include "stage/room.h"

#define GO_OVER 0.5              /* seconds in which one clip goes over into another */

struct mode_modal {
  struct modal_live *live;
  struct modal_run_options options;
  const struct clip *const *clips;
  int frames;                   /* since it began                                                                  */
  int clip;                     /* that it is in, or goes over into                                                */
  int led;                      /* 1: a limb is led                                                                */
  int load_limb;                /* that has the load; -1: none                                                     */
  double *before, *v_before;    /* pose and speeds before the last step                             (n_dofs each)  */
};

static int modal_can(const struct stage_cast *c)
{
  for (int i = 0; i < c->package.clips.n_clips; i++)
    if (c->package.clips.clips[i].clip->cyclic)
      return 1;
  return 0;
}

/* ---- beginning ---- */

static int first_cycle(const struct stage_cast *c)
{
  int i = 0;
  while (!c->package.clips.clips[i].clip->cyclic)
    i++;
  return i;
}

/* Modal control knows level ground and slopes. It begins on level ground, which then tilts: the clip's speeds are those
 * of level ground, and a biped that begins with them on a slope of 0.02 falls within a third of a second. */
static int ground_fits(const struct stage *s, struct diag *d)
{
  if (s->scene.terrain.kind <= TERRAIN_SLOPE)
    return 1;
  diag_error(d, "stage", 0, "modal control walks on flat ground and on slopes only");
  return 0;
}

static double slope_of(const struct stage *s)
{
  return s->scene.terrain.kind == TERRAIN_SLOPE ? s->scene.terrain.size : 0;
}

static struct modal_live *make_live(const struct stage *s, const struct mode_modal *m, struct diag *d)
{
  return modal_live_new(s->cast->creature, s->cast->package.clips.n_clips, m->clips, &m->options, d);
}

static void read_options(const struct stage *s, struct modal_run_options *o)
{
  modal_run_defaults(s->cast->creature, o);
  o->where = MODAL_WORLD;
  o->seconds = 0;
  o->world = stage_world_options(s);
  o->world.terrain = (struct terrain){.kind = TERRAIN_FLAT};
  o->control.friction = s->scene.friction;
}

static int take_load(const struct stage *s, struct mode_modal *m)
{
  int limb = s->scene.load_limb;
  if (m->load_limb >= 0 && m->load_limb != limb)
    modal_live_load(m->live, m->load_limb, 0);
  m->load_limb = limb;
  return limb < 0 || modal_live_load(m->live, limb, s->scene.load_mass);
}

static void *modal_enter(struct stage *s, struct arena *arena, int clip, struct clip_advance at, struct diag *d)
{
  struct mode_modal *m = ARENA_NEW(arena, 1, struct mode_modal);
  const struct graph_input *in = &s->cast->package.clips;
  const struct clip **clips = ARENA_NEW(arena, (size_t)in->n_clips, const struct clip *);
  size_t n = (size_t)s->cast->creature->n_dofs;
  if (!ground_fits(s, d))
    return NULL;
  for (int i = 0; i < in->n_clips; i++)
    clips[i] = in->clips[i].clip;
  *m = (struct mode_modal){.clips = clips, .clip = clip < 0 ? first_cycle(s->cast) : clip, .load_limb = -1};
  m->before = ARENA_NEW(arena, n, double);
  m->v_before = ARENA_NEW(arena, n, double);
  s->scene.terrain.level = 0;
  read_options(s, &m->options);
  m->live = make_live(s, m, d);
  if (!m->live)
    return NULL;
  take_load(s, m);
  modal_live_restart(m->live, m->clip, 0,
                     ground_after(at, ground_inverse(ground_frame(clips[m->clip], 0))));
  modal_live_slope(m->live, slope_of(s));
  modal_live_pose(m->live, m->before, m->v_before);
  return m;
}

static void modal_leave(void *data)
{
  struct mode_modal *m = data;
  modal_live_free(m->live);
}

/* ---- going on ---- */

static struct world *modal_world(const struct stage *s)
{
  const struct mode_modal *m = s->mode_data;
  return modal_live_world(m->live);
}

/* The scene's ground becomes what the world's is now: for a ragdoll, which lies on it. */
static void keep_ground(struct stage *s, const struct world *w)
{
  double level = world_ground(w, 0, 0), rise = world_ground(w, 1, 0) - level;
  if (s->scene.terrain.kind == TERRAIN_FLAT && level == 0 && rise == 0)
    return;
  s->scene.terrain = (struct terrain){.kind = TERRAIN_SLOPE, .size = atan(rise), .level = level};
}

static enum stage_state modal_frame(struct stage *s)
{
  struct mode_modal *m = s->mode_data;
  double step = modal_live_step_seconds(m->live), until = (m->frames + 1) * s->cast->dt;
  while (modal_live_steps(m->live) * step < until - 1e-9) {
    modal_live_pose(m->live, m->before, m->v_before);
    stage_fly(s, modal_live_world(m->live), step);
    if (modal_live_step(m->live) != MODAL_LIVE_UP) {
      keep_ground(s, modal_live_world(m->live));
      return STAGE_FALLEN;
    }
  }
  m->frames++;
  return STAGE_UP;
}

static void modal_look(struct stage *s)
{
  const struct mode_modal *m = s->mode_data;
  int n = s->cast->creature->n_dofs;
  size_t points = (size_t)s->cast->creature->n_points;
  double step = modal_live_step_seconds(m->live), q[n], v[n];
  double behind = modal_live_steps(m->live) * step - m->frames * s->cast->dt, share = 1 - behind / step;
  modal_live_pose(m->live, q, v);
  for (int i = 0; i < n; i++) {
    s->now.q[i] = m->before[i] + share * (q[i] - m->before[i]);
    s->now.v[i] = m->v_before[i] + share * (v[i] - m->v_before[i]);
  }
  modal_live_reference(m->live, q, v);
  s->now.heading = q[3];
  s->now.clip = m->clip;
  if (s->scene.show[STAGE_GHOST]) {
    s->now.has_ghost = 1;
    for (int i = 0; i < n; i++)
      s->now.ghost[i] = q[i] - behind * v[i];
  }
  if (modal_live_steps(m->live) == 0)
    return; /* nothing has been planned */
  struct modal_live_report r = modal_live_report(m->live);
  memcpy(s->now.torque, r.given, (size_t)n * sizeof *r.given);
  memcpy(s->now.force, r.used, 3 * points * sizeof *r.used);
  memcpy(s->now.on, r.contact, points);
  world_limb_contacts(modal_live_world(m->live), s->now.limb_force, NULL);
}

/* ---- what is done to it ---- */

static int modal_push_limb(struct stage *s, int limb, const double force[3], double seconds)
{
  struct mode_modal *m = s->mode_data;
  return modal_live_push(m->live, limb, force, seconds);
}

static int modal_grab(struct stage *s)
{
  struct mode_modal *m = s->mode_data;
  const struct stage_drag *d = &s->scene.drag;
  m->led = d->limb >= 0 && modal_live_hold(m->live, d->limb, d->at, d->target);
  if (d->limb < 0)
    modal_live_release(m->live);
  return m->led || d->limb < 0;
}

/* The same state in a world with another friction, of which the controller knows. 0 after an error. */
static int change_friction(struct stage *s, struct mode_modal *m, struct diag *d)
{
  struct mode_modal next = *m;
  struct arena *arena = arena_new();
  struct bytes_writer w = {NULL, 0};
  next.options.world.friction = next.options.control.friction = s->scene.friction;
  next.live = make_live(s, &next, d);
  modal_live_put(&w, m->live);
  w.bytes = arena_alloc(arena, w.n, 1);
  w.n = 0;
  modal_live_put(&w, m->live);
  struct bytes_reader r = {.at = w.bytes, .left = w.n, .arena = arena};
  int good = next.live && modal_live_get(&r, next.live);
  modal_live_free(good ? m->live : next.live);
  if (good)
    *m = next;
  else
    diag_error(d, "stage", 0, "modal control cannot continue with a friction of %g", s->scene.friction);
  arena_free(arena);
  return good;
}

/* The ground tilts slowly about where the creature is: nothing is lifted. */
static int modal_change(struct stage *s, double lift, struct diag *d)
{
  struct mode_modal *m = s->mode_data;
  (void)lift;
  if (!ground_fits(s, d))
    return 0;
  if (s->scene.friction != m->options.world.friction && !change_friction(s, m, d))
    return 0;
  if (!modal_live_slope(m->live, slope_of(s))) {
    diag_error(d, "stage", 0, "modal control cannot walk on a slope of %g radians", s->scene.terrain.size);
    return 0;
  }
  if (take_load(s, m))
    return 1;
  diag_error(d, "stage", 0, "there can be no such load");
  return 0;
}

static int go_over(struct stage *s, struct mode_modal *m, double value)
{
  if (!(value >= 0 && value < s->cast->package.clips.n_clips && value == floor(value)) ||
      !modal_live_go_over(m->live, (int)value, GO_OVER))
    return 0;
  m->clip = (int)value;
  return 1;
}

static int modal_edit(struct stage *s, int kind, double value, struct diag *d)
{
  struct mode_modal *m = s->mode_data;
  int good = kind == STAGE_TEMPO    ? modal_live_tempo(m->live, value)
             : kind == STAGE_STRIDE ? modal_live_stride(m->live, value)
             : kind == STAGE_GO_OVER ? go_over(s, m, value) : 0;
  if (!good)
    diag_error(d, "stage", 0, "edit %d cannot be %g; 0 and 1 are factors on tempo and stride of 0.25 to 4, 2 goes over "
                              "into a clip of 0 to %d", kind, value, s->cast->package.clips.n_clips - 1);
  return good;
}

/* ---- as bytes ---- */

static void modal_put_mode(const struct stage *s, struct bytes_writer *w)
{
  const struct mode_modal *m = s->mode_data;
  size_t n = (size_t)s->cast->creature->n_dofs;
  bytes_put_int(w, m->frames);
  bytes_put_int(w, m->clip);
  bytes_put_int(w, m->led);
  bytes_put_reals(w, m->before, n);
  bytes_put_reals(w, m->v_before, n);
  modal_live_put(w, m->live);
}

static int modal_get_mode(struct stage *s, struct bytes_reader *r)
{
  struct mode_modal *m = s->mode_data;
  size_t n = (size_t)s->cast->creature->n_dofs;
  m->frames = bytes_get_within(r, 0, INT32_MAX - 1);
  m->clip = bytes_get_within(r, 0, s->cast->package.clips.n_clips - 1);
  m->led = bytes_get_within(r, 0, 1);
  const double *before = bytes_get_reals(r, n), *v_before = bytes_get_reals(r, n);
  if (r->bad || !modal_live_get(r, m->live))
    return 0;
  memcpy(m->before, before, n * sizeof *before);
  memcpy(m->v_before, v_before, n * sizeof *v_before);
  double ahead = modal_live_steps(m->live) * modal_live_step_seconds(m->live) - m->frames * s->cast->dt;
  return ahead > -1e-6 && ahead < modal_live_step_seconds(m->live) + 1e-6; /* frames and steps are of one time */
}

const struct stage_mode_kind stage_mode_modal = {
  .name = "modal", .can = modal_can, .enter = modal_enter, .leave = modal_leave, .frame = modal_frame,
  .look = modal_look, .world = modal_world, .change = modal_change, .push = modal_push_limb, .edit = modal_edit,
  .grab = modal_grab, .put = modal_put_mode, .get = modal_get_mode,
};

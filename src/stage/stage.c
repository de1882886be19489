/* The stage: packages opened, modes entered and left, frames. See stage.h. */
#include "stage/stage.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/ground.h"
#include "stage/room.h"

const struct stage_mode_kind *stage_mode_kind(int mode)
{
  static const struct stage_mode_kind *const kinds[N_STAGE_MODES] = {
    [STAGE_CLIP] = &stage_mode_clip,
    [STAGE_PLAY] = &stage_mode_play,
    [STAGE_CONTROL] = &stage_mode_control,
    [STAGE_MODAL] = &stage_mode_modal,
  };
  return mode >= 0 && mode < N_STAGE_MODES ? kinds[mode] : NULL;
}

/* ---- saying why ---- */

int stage_refuse(struct stage *s, const char *format, ...)
{
  va_list args;
  char text[400];
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  free(s->why);
  s->why = strdup(text);
  if (!s->why)
    arena_out_of_memory();
  return 0;
}

int stage_fail(struct stage *s, struct diag *d)
{
  char *text = diag_text(d);
  size_t n = strlen(text);
  while (n > 0 && text[n - 1] == '\n')
    text[--n] = '\0';
  free(s->why);
  s->why = text;
  diag_clear(d);
  return 0;
}

const char *stage_why(const struct stage *s)
{
  return s->why ? s->why : "";
}

int stage_is_open(struct stage *s)
{
  return s->cast ? 1 : stage_refuse(s, "no package is open");
}

void *stage_hand_out(struct stage *s, void *bytes)
{
  free(s->bytes);
  return s->bytes = bytes;
}

/* ---- coming and going ---- */

struct stage *stage_new(void)
{
  struct stage *s = calloc(1, sizeof *s);
  if (!s)
    arena_out_of_memory();
  s->scene.friction = -1;
  s->scene.drag.limb = s->scene.load_limb = -1;
  return s;
}

/* All that belongs to a package. */
static void stage_close(struct stage *s)
{
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (s->mode_data && k->leave)
    k->leave(s->mode_data);
  arena_free(s->mode_arena);
  stage_ragdoll_end(s);
  stage_log_free(s);
  arena_free(s->laden_arena);
  stage_cast_free(s->cast);
  free(s->record);
  free(s->about);
  free(s->bytes);
}

void stage_free(struct stage *s)
{
  if (!s)
    return;
  stage_close(s);
  free(s->why);
  free(s);
}

static void open_moment(struct stage *s)
{
  struct arena *a = s->cast->arena;
  size_t n = (size_t)s->cast->creature->n_dofs, points = (size_t)s->cast->creature->n_points;
  s->now = (struct stage_moment){.q = ARENA_NEW(a, n, double), .v = ARENA_NEW(a, n, double)};
  s->now.torque = ARENA_NEW(a, n, double);
  s->now.ghost = ARENA_NEW(a, n, double);
  s->now.force = ARENA_NEW(a, 3 * points, double);
  s->now.on = ARENA_NEW(a, points, unsigned char);
  s->now.limb_force = ARENA_NEW(a, 3 * (size_t)s->cast->creature->n_limbs, double);
  s->history.room = (int)(STAGE_HISTORY_SECONDS / s->cast->dt) + 2;
  s->history.frames = ARENA_NEW(a, (size_t)s->history.room, struct stage_history_frame);
}

int stage_open(struct stage *s, const void *bytes, size_t n)
{
  struct diag d;
  diag_init(&d);
  struct stage_cast *cast = stage_cast_new(bytes, n, &d);
  if (!cast)
    return stage_fail(s, &d);
  diag_clear(&d); /* warnings */
  char *why = s->why;
  stage_close(s);
  *s = (struct stage){.cast = cast, .why = why, .layout = stage_layout_of(cast)};
  stage_scene_defaults(cast, &s->scene);
  open_moment(s);
  s->record = calloc((size_t)s->layout.length, sizeof *s->record);
  if (!s->record)
    arena_out_of_memory();
  return stage_enter(s, STAGE_CLIP, 0, (struct clip_advance){0, 0, 0});
}

const char *stage_about(struct stage *s)
{
  if (s->cast && !s->about)
    s->about = stage_describe(s);
  return s->about;
}

/* ---- modes ---- */

struct clip_advance stage_here(const struct stage *s)
{
  return (struct clip_advance){s->now.q[0], s->now.q[1], s->now.heading};
}

int stage_enter(struct stage *s, int mode, int clip, struct clip_advance at)
{
  const struct stage_mode_kind *k = stage_mode_kind(mode), *before = stage_mode_kind(s->mode);
  struct diag d;
  diag_init(&d);
  struct arena *arena = arena_new();
  void *data = k->enter(s, arena, clip, at, &d);
  if (!data) {
    arena_free(arena);
    return stage_fail(s, &d);
  }
  diag_clear(&d);
  if (s->mode_data && before->leave)
    before->leave(s->mode_data);
  arena_free(s->mode_arena);
  stage_ragdoll_end(s);
  s->mode = (enum stage_mode)mode;
  s->mode_arena = arena;
  s->mode_data = data;
  s->state = STAGE_UP;
  s->time = 0;
  s->scene.drag.limb = -1;
  s->scene.n_balls = 0;
  stage_history_clear(s);
  stage_look(s);
  stage_history_add(s);
  return 1;
}

int stage_mode(struct stage *s, int mode, int clip)
{
  if (!stage_is_open(s))
    return 0;
  const struct stage_mode_kind *k = stage_mode_kind(mode);
  if (!k)
    return stage_refuse(s, "mode: there is no mode %d", mode);
  if (!k->can(s->cast))
    return stage_refuse(s, "mode: the package has nothing for mode %s", k->name);
  if (clip < -1 || clip >= s->cast->package.clips.n_clips)
    return stage_refuse(s, "mode: there is no clip %d; clips are 0 to %d", clip, s->cast->package.clips.n_clips - 1);
  return stage_enter(s, mode, clip, stage_here(s));
}

int stage_mode_now(const struct stage *s)
{
  return (int)s->mode;
}

int stage_restart(struct stage *s)
{
  if (!stage_is_open(s))
    return 0;
  struct clip_advance here = stage_here(s);
  return stage_enter(s, (int)s->mode, s->mode == STAGE_CLIP ? s->now.clip : -1, here);
}

int stage_place(struct stage *s, double x, double y, double heading)
{
  struct clip_advance at = {x, y, ground_wrap(heading)};
  if (!stage_is_open(s))
    return 0;
  if (!(fabs(x) < 1e6 && fabs(y) < 1e6 && isfinite(heading)))
    return stage_refuse(s, "place: at most 1000 km from the origin, found %g, %g, heading %g", x, y, heading);
  return stage_enter(s, (int)s->mode, s->mode == STAGE_CLIP ? s->now.clip : -1, at);
}

/* ---- frames ---- */

void stage_look(struct stage *s)
{
  const struct creature *c = s->cast->creature;
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  memset(s->now.torque, 0, (size_t)c->n_dofs * sizeof *s->now.torque);
  memset(s->now.force, 0, 3 * (size_t)c->n_points * sizeof *s->now.force);
  memset(s->now.on, 0, (size_t)c->n_points);
  memset(s->now.limb_force, 0, 3 * (size_t)c->n_limbs * sizeof *s->now.limb_force);
  s->now.has_ghost = 0;
  if (s->state != STAGE_UP) {
    stage_ragdoll_look(s);
    return;
  }
  s->now.clip = s->now.frame = s->now.node = s->now.segment = s->now.next = -1;
  s->now.value = s->now.heading = 0;
  k->look(s);
}

/* It has fallen in this frame: as a ragdoll from here. A world that is lost has no state: from what was seen last. */
static enum stage_state stage_fall(struct stage *s, const struct world *w)
{
  int n = s->cast->creature->n_dofs;
  double q[n], v[n];
  memcpy(q, s->now.q, sizeof q);
  memcpy(v, s->now.v, sizeof v);
  if (w && !world_lost(w))
    world_get(w, q, v);
  return stage_ragdoll_start(s, q, v) && !world_lost(s->ragdoll) ? STAGE_FALLEN : STAGE_LOST;
}

int stage_frame(struct stage *s)
{
  if (!stage_is_open(s))
    return STAGE_LOST;
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (s->state == STAGE_UP) {
    s->state = k->frame(s);
    if (s->state == STAGE_FALLEN)
      s->state = stage_fall(s, k->world ? k->world(s) : NULL);
  } else if (s->state == STAGE_FALLEN)
    s->state = stage_ragdoll_frame(s);
  s->time += s->cast->dt;
  stage_look(s);
  stage_history_add(s);
  stage_log_add(s);
  return (int)s->state;
}

const double *stage_pose(struct stage *s)
{
  return s->cast ? s->now.q : NULL;
}

const double *stage_speeds(struct stage *s)
{
  return s->cast ? s->now.v : NULL;
}

const float *stage_record(struct stage *s)
{
  if (!s->cast)
    return NULL;
  stage_fill_record(s);
  return s->record;
}

/* ---- asking ---- */

int stage_ask(struct stage *s, int parameter, double value)
{
  struct muy_player p;
  if (!stage_is_open(s))
    return 0;
  if (parameter < 0 || parameter >= s->cast->n_parameters)
    return stage_refuse(s, "ask: there is no parameter %d; the package has %d", parameter, s->cast->n_parameters);
  muy_player_init(&p, s->cast->player); /* wraps and clamps */
  if (!muy_player_set(&p, parameter, value))
    return stage_refuse(s, "ask: %s cannot be %g", s->cast->parameters[parameter].name, value);
  s->scene.asked[parameter] = p.asked[parameter];
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (k->asked && s->state == STAGE_UP) {
    k->asked(s, parameter);
    stage_look(s);
  }
  return 1;
}

int stage_seek(struct stage *s, int frame)
{
  struct diag d;
  if (!stage_is_open(s))
    return 0;
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (!k->seek)
    return stage_refuse(s, "seek: mode %s has no frames to choose from", k->name);
  diag_init(&d);
  if (!k->seek(s, frame, &d))
    return stage_fail(s, &d);
  stage_history_clear(s);
  stage_look(s);
  stage_history_add(s);
  return 1;
}

int stage_edit(struct stage *s, int kind, double value)
{
  struct diag d;
  if (!stage_is_open(s))
    return 0;
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  if (!k->edit)
    return stage_refuse(s, "edit: mode %s follows nothing that could be edited", k->name);
  diag_init(&d);
  return k->edit(s, kind, value, &d) ? 1 : stage_fail(s, &d);
}

int stage_show(struct stage *s, int what, int on)
{
  if (!stage_is_open(s))
    return 0;
  if (what < 0 || what >= N_STAGE_SHOWS)
    return stage_refuse(s, "show: there is nothing %d to show", what);
  s->scene.show[what] = on != 0;
  stage_look(s);
  return 1;
}

/* ---- counters ---- */

double stage_time(const struct stage *s)
{
  return s->time;
}

int stage_looks(const struct stage *s)
{
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  return s->mode_data && k->looks ? k->looks(s) : 0;
}

int stage_put_off(const struct stage *s)
{
  const struct stage_mode_kind *k = stage_mode_kind(s->mode);
  return s->mode_data && k->put_off ? k->put_off(s) : 0;
}

double stage_value(const struct stage *s)
{
  return s->now.value;
}

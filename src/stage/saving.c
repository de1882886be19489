/* The stage as bytes, and back: it continues with the same bits. For the same package; the recording is not part of
 * it. Bytes may come from a link that somebody sent: all of them are looked at before they are believed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stage/room.h"

static const char magic[8] = {'M', 'U', 'Y', 'S', 'A', 'V', 'E', '1'};

/* ---- saving ---- */

static void put_now(struct bytes_writer *w, const struct stage *s)
{
  size_t n = (size_t)s->cast->creature->n_dofs;
  const int ints[] = {s->now.clip, s->now.frame, s->now.node, s->now.segment, s->now.next};
  bytes_put_reals(w, s->now.q, n);
  bytes_put_reals(w, s->now.v, n);
  bytes_put_ints(w, ints, sizeof ints / sizeof *ints);
  bytes_put_real(w, s->now.value);
  bytes_put_real(w, s->now.heading);
}

static void put_history(struct bytes_writer *w, const struct stage *s)
{
  const struct stage_history *h = &s->history;
  bytes_put_int(w, h->n);
  for (int i = h->n - 1; i >= 0; i--) {
    const struct stage_history_frame *f = &h->frames[(h->last - i + h->room) % h->room];
    const double numbers[3] = {f->x, f->y, f->yaw};
    bytes_put_reals(w, numbers, 3);
    bytes_put_reals(w, f->measured, FEATURES_MEASURES);
  }
}

static void put_world(struct bytes_writer *w, const struct world *world)
{
  size_t n = world ? world_state_size(world) : 0;
  bytes_put_bits(w, n, 4);
  if (world && w->bytes)
    world_save(world, w->bytes + w->n);
  w->n += n;
}

static void put_stage(struct bytes_writer *w, const struct stage *s)
{
  bytes_put(w, magic, sizeof magic);
  bytes_put_bits(w, s->cast->fingerprint, 8);
  bytes_put_int(w, (int)s->mode);
  bytes_put_int(w, (int)s->state);
  bytes_put_real(w, s->time);
  stage_put_scene(w, s);
  put_now(w, s);
  put_history(w, s);
  put_world(w, s->ragdoll);
  stage_mode_kind(s->mode)->put(s, w);
}

const void *stage_save(struct stage *s, size_t *n)
{
  struct bytes_writer w = {NULL, 0};
  *n = 0;
  if (!stage_is_open(s))
    return NULL;
  put_stage(&w, s);
  w.bytes = malloc(w.n);
  if (!w.bytes)
    arena_out_of_memory();
  *n = w.n;
  w.n = 0;
  put_stage(&w, s);
  return stage_hand_out(s, w.bytes);
}

/* ---- restoring ---- */

struct saved {
  enum stage_mode mode;
  enum stage_state state;
  double time;
  struct stage_scene scene;
  const double *q, *v;
  int clip, frame, node, segment, next;
  double value, heading;
  int n_history;
  const double *history;
  const void *ragdoll;          /* NULL: there is none */
  size_t n_ragdoll;
};

static void get_now(struct bytes_reader *r, const struct stage *s, struct saved *out)
{
  size_t n = (size_t)s->cast->creature->n_dofs;
  const struct motion_graph *g = s->cast->graph;
  out->q = bytes_get_reals(r, n);
  out->v = bytes_get_reals(r, n);
  for (size_t i = 0; !r->bad && i < n; i++)
    r->bad |= !isfinite(out->q[i]) || !isfinite(out->v[i]);
  out->clip = bytes_get_within(r, -1, s->cast->package.clips.n_clips - 1);
  out->frame = bytes_get_int(r);
  out->node = bytes_get_within(r, -1, g ? g->n_nodes - 1 : -1);
  out->segment = bytes_get_within(r, -1, g ? g->n_segments - 1 : -1);
  out->next = bytes_get_within(r, -1, g ? g->n_segments - 1 : -1);
  out->value = bytes_get_real(r);
  out->heading = bytes_get_real(r);
  r->bad |= !isfinite(out->heading);
}

static int get_saved(struct bytes_reader *r, const struct stage *s, struct saved *out)
{
  *out = (struct saved){.mode = (enum stage_mode)bytes_get_within(r, STAGE_CLIP, N_STAGE_MODES - 1)};
  out->state = (enum stage_state)bytes_get_within(r, STAGE_LOST, STAGE_FALLEN);
  out->time = bytes_get_real(r);
  r->bad |= !stage_get_scene(r, s, &out->scene);
  get_now(r, s, out);
  out->n_history = bytes_get_within(r, 0, s->history.room);
  out->history = bytes_get_reals(r, (size_t)out->n_history * (3 + FEATURES_MEASURES));
  uint64_t n = bytes_get_bits(r, 4);
  r->bad |= n > r->left;
  out->n_ragdoll = r->bad ? 0 : (size_t)n;
  out->ragdoll = out->n_ragdoll ? bytes_get_array(r, out->n_ragdoll, 1) : NULL;
  const struct stage_mode_kind *k = stage_mode_kind(out->mode);
  r->bad |= !k || !k->can(s->cast) || !(out->time >= 0);
  r->bad |= out->state == STAGE_FALLEN && !out->ragdoll;
  return !r->bad;
}

static int get_ragdoll(struct stage *s, const struct saved *saved)
{
  int n = s->cast->creature->n_dofs;
  double q[n], v[n];
  if (!saved->ragdoll)
    return 1;
  memcpy(q, saved->q, sizeof q);
  memcpy(v, saved->v, sizeof v);
  if (!stage_ragdoll_start(s, q, v) || saved->n_ragdoll != world_state_size(s->ragdoll) ||
      !world_state_is_sound(s->ragdoll, saved->ragdoll))
    return 0;
  world_restore(s->ragdoll, saved->ragdoll);
  return 1;
}

static void set_now(struct stage *s, const struct saved *saved)
{
  size_t n = (size_t)s->cast->creature->n_dofs;
  const double *h = saved->history;
  memcpy(s->now.q, saved->q, n * sizeof *s->now.q);
  memcpy(s->now.v, saved->v, n * sizeof *s->now.v);
  s->now.clip = saved->clip, s->now.frame = saved->frame, s->now.node = saved->node;
  s->now.segment = saved->segment, s->now.next = saved->next;
  s->now.value = saved->value, s->now.heading = saved->heading;
  s->history.n = saved->n_history;
  s->history.last = saved->n_history > 0 ? saved->n_history - 1 : 0;
  for (int i = 0; i < saved->n_history; i++, h += 3 + FEATURES_MEASURES) {
    struct stage_history_frame *f = &s->history.frames[i];
    *f = (struct stage_history_frame){.x = h[0], .y = h[1], .yaw = h[2]};
    memcpy(f->measured, h + 3, sizeof f->measured);
  }
}

/* Takes over what was read. 0: the mode's part of it is wrong. */
static int take_over(struct stage *s, const struct saved *saved, struct bytes_reader *r)
{
  struct clip_advance at = {saved->q[0], saved->q[1], saved->heading};
  s->scene = saved->scene;
  stage_make_laden(s);
  if (!stage_enter(s, (int)saved->mode, -1, at) || !stage_mode_kind(s->mode)->get(s, r) || r->bad || r->left > 0)
    return 0;
  s->scene = saved->scene; /* entering clears what flies and what is held */
  s->time = saved->time;
  if (!get_ragdoll(s, saved))
    return 0;
  s->state = saved->state;
  set_now(s, saved);
  stage_look(s);
  return 1;
}

/* Bytes that the stage made itself, so that there is no other way. */
static void go_back(struct stage *s, const void *bytes, size_t n)
{
  struct saved saved;
  struct arena *arena = arena_new();
  struct bytes_reader r = {.at = (const unsigned char *)bytes + sizeof magic + 8, .left = n - sizeof magic - 8,
                           .arena = arena};
  if (get_saved(&r, s, &saved))
    take_over(s, &saved, &r);
  arena_free(arena);
}

int stage_restore(struct stage *s, const void *bytes, size_t n)
{
  if (!stage_is_open(s))
    return 0;
  struct arena *arena = arena_new();
  struct saved saved;
  size_t n_before;
  struct bytes_reader r = {.at = bytes, .left = n, .arena = arena};
  const unsigned char *head = bytes_take(&r, sizeof magic);
  uint64_t fingerprint = bytes_get_bits(&r, 8);
  if (!head || memcmp(head, magic, sizeof magic) || r.bad || fingerprint != s->cast->fingerprint) {
    arena_free(arena);
    return stage_refuse(s, "restore: %s", head && !memcmp(head, magic, sizeof magic) && !r.bad
                                              ? "this was saved with another package"
                                              : "these bytes are no saved stage");
  }
  unsigned char *copy = memcpy(arena_alloc(arena, r.left + 1, 1), r.at, r.left); /* they may be those handed out */
  r.at = copy;
  const void *made = stage_save(s, &n_before);
  const void *before = memcpy(arena_alloc(arena, n_before, 1), made, n_before);
  int good = get_saved(&r, s, &saved);
  if (good && !take_over(s, &saved, &r)) {
    go_back(s, before, n_before);
    good = 0;
  }
  arena_free(arena);
  return good ? 1 : stage_refuse(s, "restore: the saved stage is damaged");
}

/* The recording: poses, contacts and forces of the last two minutes in a ring, and what file formats make of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exchange/exchange.h"
#include "stage/room.h"

struct stage_log {
  struct arena *arena;
  int room, n, last;            /* a ring of frames; last: where the newest is                                     */
  double *q, *force;            /*                                        (room x n_dofs), (room x n_points x 3)   */
  unsigned char *on;            /*                                                         (room x n_points)       */
};

void stage_log_free(struct stage *s)
{
  if (s->log)
    arena_free(s->log->arena);
  s->log = NULL;
}

void stage_log_on(struct stage *s, int on)
{
  s->log_on = on != 0 && s->cast;
  if (!s->log_on)
    return;
  stage_log_free(s);
  struct arena *arena = arena_new();
  struct stage_log *l = s->log = ARENA_NEW(arena, 1, struct stage_log);
  *l = (struct stage_log){.arena = arena, .room = (int)(STAGE_LOG_SECONDS / s->cast->dt) + 1};
  size_t room = (size_t)l->room, points = (size_t)s->cast->creature->n_points;
  l->q = ARENA_NEW(arena, room * (size_t)s->cast->creature->n_dofs, double);
  l->force = ARENA_NEW(arena, room * points * 3, double);
  l->on = ARENA_NEW(arena, room * points, unsigned char);
}

void stage_log_add(struct stage *s)
{
  struct stage_log *l = s->log;
  size_t n = (size_t)s->cast->creature->n_dofs, points = (size_t)s->cast->creature->n_points;
  if (!s->log_on || !l)
    return;
  l->last = l->n > 0 ? (l->last + 1) % l->room : 0;
  l->n += l->n < l->room;
  memcpy(l->q + (size_t)l->last * n, s->now.q, n * sizeof *l->q);
  memcpy(l->force + (size_t)l->last * points * 3, s->now.force, 3 * points * sizeof *l->force);
  memcpy(l->on + (size_t)l->last * points, s->now.on, points);
}

/* The ring as a clip, the oldest frame first. */
static const struct clip *log_clip(struct arena *arena, const struct stage *s)
{
  const struct stage_log *l = s->log;
  size_t n = (size_t)s->cast->creature->n_dofs, points = (size_t)s->cast->creature->n_points;
  struct clip *k = clip_new(arena, s->cast->creature, l->n, s->cast->dt);
  k->name = k->gait = k->gait_after = "recording";
  for (size_t i = 0; i < (size_t)l->n; i++) {
    size_t from = (size_t)(l->last + 1 + l->room - l->n) + i;
    from %= (size_t)l->room;
    memcpy(k->q + i * n, l->q + from * n, n * sizeof *k->q);
    memcpy(k->force + i * points * 3, l->force + from * points * 3, 3 * points * sizeof *k->force);
    memcpy(k->contact + i * points, l->on + from * points, points);
  }
  return k;
}

const void *stage_export(struct stage *s, const char *format, size_t *n)
{
  *n = 0;
  if (!stage_is_open(s))
    return NULL;
  const struct exchange_format *f = exchange_find_format(format);
  struct arena *arena = arena_new();
  if (!f)
    stage_refuse(s, "export: there is no format '%s'; formats are %s", text_clip(format).word,
                 exchange_list_formats(arena, 0, ""));
  else if (f->of_clip && (!s->log || s->log->n < 3))
    stage_refuse(s, "export: three frames at least must have been recorded, found %d", s->log ? s->log->n : 0);
  else {
    struct exchange_output what = {f, s->cast->creature, f->of_clip ? log_clip(arena, s) : NULL};
    char *text = NULL;
    FILE *out = open_memstream(&text, n);
    int bad = !out || exchange_write(&what, out);
    if (!out || fclose(out) || bad) {
      free(text);
      *n = 0;
      stage_refuse(s, "export: %s could not be written", f->name);
    } else {
      arena_free(arena);
      return stage_hand_out(s, text);
    }
  }
  arena_free(arena);
  return NULL;
}

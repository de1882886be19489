/* See watching.h. A gait is solved in steps, each of which is shown: from the last clip with its number of frames;
 * then without jumps of torques, which takes longer and is seen least; then at the cheapest tempo. */
#include "cli/watching.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/seconds.h"
#include "base/text.h"
#include "cli/watching_task.h"
#include "follow/retarget.h"
#include "motion/verify.h"
#include "config.h"

/* ---- messages ---- */

void watching_tell(int out, enum watching_kind kind, const void *bytes, size_t n)
{
  unsigned char head[9] = {(unsigned char)kind};
  const unsigned char *parts[2] = {head, bytes};
  size_t lengths[2] = {sizeof head, n};
  for (int i = 0; i < 8; i++)
    head[1 + i] = (unsigned char)((unsigned long long)n >> 8 * i & 255);
  for (int i = 0; i < 2; i++)
    for (size_t done = 0; done < lengths[i];) {
      ssize_t more = write(out, parts[i] + done, lengths[i] - done);
      if (more < 0 && errno != EINTR)
        _exit(1); /* nobody listens any more */
      done += more > 0 ? (size_t)more : 0;
    }
}

void watching_say(int out, enum watching_kind kind, const char *format, ...)
{
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  watching_tell(out, kind, text, strlen(text));
}

void watching_tell_errors(int out, struct diag *d)
{
  char *json = NULL, *text = diag_text(d);
  size_t n = 0;
  FILE *stream = open_memstream(&json, &n);
  if (!stream)
    arena_out_of_memory();
  struct json j = json_to(stream);
  json_object(&j, NULL);
  json_array(&j, "messages");
  for (int i = 0; i < d->n_messages; i++)
    if (d->messages[i].level == DIAG_ERROR) {
      json_object(&j, NULL);
      json_text(&j, "file", d->messages[i].file);
      json_integer(&j, "line", d->messages[i].line);
      json_text(&j, "text", d->messages[i].text);
      json_end(&j);
    }
  json_end(&j);
  json_end(&j);
  if (fclose(stream) || !json)
    arena_out_of_memory();
  watching_tell(out, WATCHING_TEXT, text, strlen(text));
  watching_tell(out, WATCHING_ERROR, json, n);
  free(json);
  free(text);
}

void watching_tell_package(struct arena *arena, int out, const struct watching *w, struct stage_package *p,
                           const char *words)
{
  size_t n;
  struct run_package_options o = {.version = PACKAGE_VERSION};
  p->clips.file = w->creature;
  p->note = run_package_note(arena, p->clips.creature, w->creature, &o);
  run_package_hide_folders(arena, p);
  const void *bytes = stage_package_bytes(arena, p, &n);
  watching_tell(out, WATCHING_WORDS, words, strlen(words));
  watching_tell(out, WATCHING_PACKAGE, bytes, n);
}

/* ---- what there was before ---- */

int watching_is_same_body(const struct creature *a, const struct creature *b)
{
  int same = a->n_dofs == b->n_dofs && a->n_points == b->n_points;
  for (int i = 0; same && i < a->n_dofs; i++)
    same = !strcmp(a->dofs[i].name, b->dofs[i].name);
  for (int i = 0; same && i < a->n_points; i++)
    same = !strcmp(a->points[i].name, b->points[i].name);
  return same;
}

const struct clip *watching_near(struct arena *arena, const struct creature *was, const struct clip *clip,
                                 const struct creature *now)
{
  struct diag d;
  if (watching_is_same_body(was, now))
    return clip;
  diag_init(&d);
  const struct clip *other = retarget_clip(arena, was, now, clip, &d); /* NULL: then from nothing */
  diag_clear(&d);
  return other;
}

int watching_near_frames(const struct creature *was, const struct clip *clip, const struct creature *now,
                         const struct gait *gait, double speed)
{
  int old = creature_find_gait(was, clip->gait);
  double period = gait_period(gait, speed), before = old < 0 ? period : gait_period(&was->gaits[old], clip->speed);
  return (int)lround(clip->n_frames * period / before * now->frame_rate / was->frame_rate);
}

/* ---- a gait ---- */

struct gait_work {
  const struct watching *w;
  int out;
  struct arena *arena;
  const struct creature *c;
  const struct gait *gait;
  struct spacetime_options o;
};

/* Shows a clip that passes. 0: it does not. */
static int show_clip(const struct gait_work *g, struct clip *clip)
{
  struct verify_report v;
  struct stage_package p = {.clips = {.creature = g->c, .n_clips = 1}};
  struct graph_clip *one = ARENA_NEW(g->arena, 1, struct graph_clip);
  verify_clip(g->arena, g->c, clip, &v);
  if (!v.passed)
    return 0;
  one[0] = (struct graph_clip){1, clip, NULL};
  p.clips.clips = one;
  watching_tell_package(g->arena, g->out, g->w, &p,
                        arena_printf(g->arena, "%s, %s: %d frames, %.3g s, %.3g m/s; %.2f s of processor time",
                                     g->c->name, clip->name, clip->n_frames, clip->n_frames * clip->dt, clip->speed,
                                     processor_seconds()));
  return 1;
}

/* The cycle in the last package that is of this gait, if there is one. */
static const struct clip *last_cycle(struct gait_work *g, const struct creature **was)
{
  struct stage_package last;
  struct diag d;
  diag_init(&d);
  const struct clip *found = NULL;
  if (g->w->last && stage_package_get(g->arena, g->w->last, g->w->n_last, "last", &last, &d)) {
    *was = last.clips.creature;
    for (int i = 0; i < last.clips.n_clips && !found; i++)
      if (last.clips.clips[i].clip->cyclic && !strcmp(last.clips.clips[i].clip->gait, g->gait->name))
        found = last.clips.clips[i].clip;
  }
  diag_clear(&d);
  return found;
}

/* 0: not found, the report says why. */
static int solve_steps(struct gait_work *g, struct gait_request *r, struct spacetime_report *report)
{
  struct spacetime_options quick = g->o;
  const struct creature *was;
  const struct clip *before = last_cycle(g, &was);
  struct clip *clip = NULL;
  int shown = 0;
  r->near = before ? watching_near(g->arena, was, before, g->c) : NULL;
  if (!r->near) {
    clip = spacetime_gait(g->arena, r, &g->o, report);
    return clip && show_clip(g, clip);
  }
  quick.torque_change = 0;
  r->near_frames = watching_near_frames(was, before, g->c, g->gait, r->speed);
  clip = spacetime_gait(g->arena, r, &quick, report);
  if (clip)
    shown = show_clip(g, clip);
  watching_say(g->out, WATCHING_BUSY, "smoothing the torques of %s", g->gait->name);
  if (clip)
    r->near = clip, r->near_frames = clip->n_frames;
  struct clip *smooth = clip ? spacetime_gait(g->arena, r, &g->o, report) : NULL;
  if (smooth)
    shown |= show_clip(g, smooth);
  if (!smooth) { /* what was near leads nowhere: from nothing */
    r->near = NULL;
    smooth = spacetime_gait(g->arena, r, &g->o, report);
    return (smooth && show_clip(g, smooth)) || shown;
  }
  watching_say(g->out, WATCHING_BUSY, "looking for the cheapest tempo of %s", g->gait->name);
  struct spacetime_report *other = ARENA_NEW(g->arena, 1, struct spacetime_report);
  r->near = smooth;
  r->near_frames = 0;
  struct clip *tempo = spacetime_gait(g->arena, r, &g->o, other);
  if (tempo && tempo->n_frames != smooth->n_frames && other->cost < (1 - 1e-3) * report->cost)
    shown |= show_clip(g, tempo);
  return shown;
}

void watching_solve_gait(const struct watching *w, int out, struct arena *arena, const struct creature *c,
                         struct diag *d)
{
  struct gait_work g = {.w = w, .out = out, .arena = arena, .c = c};
  int gait = w->gait ? creature_find_gait(c, w->gait) : 0;
  if (gait < 0 || gait >= c->n_gaits) {
    diag_error(d, c->file, 0, "%s has no gait '%s'", c->name, w->gait ? w->gait : "");
    return;
  }
  g.gait = &c->gaits[gait];
  struct gait_request r = {.c = c, .gait = gait, .speed = w->speed};
  struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
  if (isnan(r.speed))
    r.speed = 0.5 * (g.gait->speed_min + g.gait->speed_max);
  spacetime_defaults(&g.o);
  watching_say(out, WATCHING_BUSY, "solving %s of %s", g.gait->name, c->name);
  if (!solve_steps(&g, &r, report))
    diag_error(d, c->file, 0, "%s at %.3g m/s: %s", g.gait->name, r.speed,
               report->reason[0] ? report->reason : "the motion found misses a bar of the verification");
}

/* ---- all ---- */

void watching_solve(const struct watching *w, int out)
{
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  const struct creature *c = cli_load_styled(arena, w->creature, &w->styles, &d);
  if (c && !d.n_errors && w->task)
    watching_solve_task(w, out, arena, c, &d);
  else if (c && !d.n_errors)
    watching_solve_gait(w, out, arena, c, &d);
  if (d.n_errors)
    watching_tell_errors(out, &d);
  watching_tell(out, WATCHING_DONE, NULL, 0);
  diag_clear(&d);
  arena_free(arena);
}

const char *const *watching_files(struct arena *arena, const struct watching *w, int *n)
{
  int n_roots = w->styles.n + 2, total = 0;
  const char **roots = ARENA_NEW(arena, (size_t)n_roots, const char *);
  const char *const **lists = ARENA_NEW(arena, (size_t)n_roots, const char *const *);
  int *counts = ARENA_NEW(arena, (size_t)n_roots, int);
  struct diag d;
  diag_init(&d);
  roots[0] = w->creature;
  roots[1] = w->task;
  for (int i = 0; i < w->styles.n; i++)
    roots[2 + i] = cli_find(arena, w->styles.names[i], FIND_STYLE, &d);
  diag_clear(&d);
  for (int i = 0; i < n_roots; i++)
    if (roots[i]) {
      lists[i] = text_files(arena, roots[i], &counts[i]);
      total += counts[i];
    }
  const char **files = ARENA_NEW(arena, (size_t)total + 1, const char *);
  *n = 0;
  for (int i = 0; i < n_roots; i++)
    for (int k = 0; k < counts[i]; k++)
      files[(*n)++] = lists[i][k];
  return files;
}

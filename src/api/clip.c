/* Clips of muybridge.h: solving, verifying, reading, drawing. */
#include <math.h>
#include <string.h>

#include "api/api.h"
#include "capture/capture.h"
#include "exchange/exchange.h"
#include "motion/verify.h"
#include "plots/film.h"
#include "plots/filmstrip.h"

muy_clip *api_clip_new(struct arena *arena, const muy_creature *creature, const struct clip *clip)
{
  muy_clip *out = ARENA_NEW(arena, 1, muy_clip);
  *out = (muy_clip){.arena = arena, .creature = api_creature_share(creature), .clip = clip};
  return out;
}

void muy_clip_free(muy_clip *clip)
{
  if (!clip)
    return;
  muy_creature_free(clip->creature);
  arena_free(clip->arena);
}

const char *muy_clip_name(const muy_clip *clip)
{
  return clip->clip->name ? clip->clip->name : "";
}

int muy_clip_n_frames(const muy_clip *clip)
{
  return clip->clip->n_frames;
}

int muy_clip_n_dofs(const muy_clip *clip)
{
  return clip->clip->n_dofs;
}

int muy_clip_n_points(const muy_clip *clip)
{
  return clip->clip->n_points;
}

int muy_clip_is_cyclic(const muy_clip *clip)
{
  return clip->clip->cyclic;
}

double muy_clip_dt(const muy_clip *clip)
{
  return clip->clip->dt;
}

void muy_clip_advance(const muy_clip *clip, double by[3])
{
  by[0] = clip->clip->advance.x;
  by[1] = clip->clip->advance.y;
  by[2] = clip->clip->advance.yaw;
}

const double *muy_clip_poses(const muy_clip *clip)
{
  return clip->clip->q;
}

const double *muy_clip_forces(const muy_clip *clip)
{
  return clip->clip->force;
}

const unsigned char *muy_clip_contacts(const muy_clip *clip)
{
  return clip->clip->contact;
}

muy_status muy_clip_verify(const muy_clip *clip, muy_measure *measures, int room, int *n)
{
  struct arena *scratch = arena_new();
  struct verify_report report;
  verify_clip(scratch, clip->creature->c, clip->clip, &report);
  for (int i = 0; measures && i < N_VERIFY_MEASURES && i < room; i++) {
    const struct verify_line *l = &report.lines[i];
    measures[i] = (muy_measure){l->what, l->value, l->bar, l->passed, l->frame, l->where};
  }
  if (n)
    *n = N_VERIFY_MEASURES;
  arena_free(scratch);
  return report.passed ? MUY_OK : MUY_FAILED;
}

/* ---- solving ---- */

void muy_solve_defaults(muy_solve_options *o, size_t size)
{
  struct spacetime_options s;
  spacetime_defaults(&s);
  api_set_defaults(o, size, &(muy_solve_options){.size = size, .speed = NAN, .max_iterations = s.max_iterations,
                                                 .max_seconds = s.max_seconds}, sizeof *o);
}

static int report_solve(void *user, const struct nlp_progress *p)
{
  const muy_solve_options *o = user;
  return api_progress(o->progress, o->user, "iterations", p->iteration, 0, p->infeasibility);
}

static muy_status status_of(enum spacetime_status status)
{
  switch (status) {
  case SPACETIME_SOLVED: return MUY_OK;
  case SPACETIME_REFUSED: return MUY_WRONG_INPUT;
  case SPACETIME_STOPPED: return MUY_STOPPED;
  default: return MUY_FAILED;
  }
}

/* What a solve came to: the clip in its arena, or the arena freed and the reason told. */
static muy_status finish_solve(struct arena *arena, const muy_creature *c, const struct clip *clip,
                               const struct spacetime_report *report, struct diag *d, muy_clip **out)
{
  muy_status status = status_of(report->status);
  if (clip) {
    *out = api_clip_new(arena, c, clip);
    (*out)->report = report;
    return MUY_OK;
  }
  if (status != MUY_STOPPED)
    api_fail(d, status, c->c->name, "%s", report->reason);
  arena_free(arena);
  return status;
}

static struct spacetime_options options_of(muy_solve_options *out, const muy_solve_options *given)
{
  struct spacetime_options s;
  muy_solve_defaults(out, sizeof *out);
  api_read_options(out, sizeof *out, given);
  spacetime_defaults(&s);
  s.max_iterations = out->max_iterations;
  s.max_seconds = out->max_seconds;
  s.progress = report_solve;
  s.user = out;
  return s;
}

muy_status muy_solve_gait(const muy_creature *c, const char *gait, const muy_solve_options *given, muy_messages *m,
                          muy_clip **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  muy_solve_options o;
  struct spacetime_options options = options_of(&o, given);
  muy_status status = MUY_WRONG_INPUT;
  int which = -1;
  *out = NULL;
  for (int i = 0; gait && i < c->c->n_motions; i++)
    if (!strcmp(c->c->gaits[i].name, gait))
      which = i;
  if (which < 0) {
    api_fail(d, status, c->c->file, "%s has no gait '%s'", c->c->name, gait ? gait : "");
  } else {
    struct arena *arena = arena_new();
    const struct gait *g = &c->c->gaits[which];
    struct gait_request r = {.c = c->c, .gait = which, .frames = o.frames,
                             .strafe = o.strafe != 0 ? o.strafe : g->strafe,
                             .speed = isnan(o.speed) ? 0.5 * (g->speed_min + g->speed_max) : o.speed};
    struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
    const struct clip *clip = spacetime_gait(arena, &r, &options, report);
    status = finish_solve(arena, c, clip, report, d, out);
  }
  api_diag_close(&messages);
  return status;
}

muy_status muy_solve_transition(const muy_clip *from, int from_frame, const muy_clip *to, int to_frame, double turn,
                                const muy_solve_options *given, muy_messages *m, muy_clip **out)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  muy_solve_options o;
  struct spacetime_options options = options_of(&o, given);
  muy_status status = MUY_WRONG_INPUT;
  *out = NULL;
  if (from->clip->n_dofs != to->clip->n_dofs || from->clip->n_points != to->clip->n_points) {
    api_fail(d, status, "", "the clips are of different creatures");
  } else {
    struct arena *arena = arena_new();
    struct transition_request r = {.c = from->creature->c, .from = from->clip, .to = to->clip, .from_frame = from_frame,
                                   .to_frame = to_frame, .from_id = from->id, .to_id = to->id, .turn = turn,
                                   .frames = o.frames};
    struct spacetime_report *report = ARENA_NEW(arena, 1, struct spacetime_report);
    const struct clip *clip = spacetime_transition(arena, &r, &options, report);
    status = finish_solve(arena, from->creature, clip, report, d, out);
  }
  api_diag_close(&messages);
  return status;
}

/* ---- other programs, pictures ---- */

muy_status muy_clip_write(const muy_clip *clip, const char *path, muy_messages *m)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct exchange_output output = {exchange_format_of_path(path), clip->creature->c, clip->clip};
  muy_status status = output.format ? api_write(arena, path, exchange_write, &output, d)
                                    : api_fail(d, MUY_WRONG_INPUT, path, "the name must end in %s",
                                               exchange_list_formats(arena, 1, "."));
  arena_free(arena);
  api_diag_close(&messages);
  return status;
}

muy_status muy_clip_draw(const muy_clip *clip, const char *path, muy_messages *m)
{
  struct api_diag messages;
  int good = plot_filmstrip(clip->creature->c, clip->clip, path, api_diag_open(&messages, m));
  api_diag_close(&messages);
  return good ? MUY_OK : MUY_FAILED;
}

muy_status muy_clip_film(const muy_clip *clip, const char *path, muy_messages *m)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct film_subject subject = {.creature = clip->creature->c, .clip = clip->clip};
  struct film_options o = {.width = 0};
  struct film *film = film_new(arena, 1, &subject, &o, path, d);
  int good = film && film_write(film, path, d);
  arena_free(arena);
  api_diag_close(&messages);
  return good ? MUY_OK : MUY_FAILED;
}

muy_status muy_clip_import(const char *path, const muy_creature *c, muy_messages *m, muy_clip **out,
                           muy_creature **actor)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new(), *body = c ? NULL : arena_new();
  struct capture_options options = {.fit_floor = !c};
  struct capture_report report;
  muy_creature *made = NULL;
  const struct bvh *bvh = bvh_load(arena, path, d);
  *out = NULL;
  if (actor)
    *actor = NULL;
  if (bvh && !c) {
    const char *text = capture_creature(body, bvh, 0, &options, d);
    const char *file = arena_printf(body, "%s.creature", capture_name(body, path));
    const struct creature *built = text ? creature_parse(body, file, text, strlen(text), d) : NULL;
    made = built ? api_creature_new(body, built, text, strlen(text)) : NULL;
    c = made;
  }
  const struct clip *clip = bvh && c ? capture_clip(arena, bvh, c->c, &options, &report, d) : NULL;
  if (clip) {
    *out = api_clip_new(arena, c, clip);
    (*out)->captured = 1;
    if (actor && made)
      *actor = api_creature_share(made);
  } else {
    arena_free(arena);
  }
  if (made)
    muy_creature_free(made);
  else
    arena_free(body);
  api_diag_close(&messages);
  return *out ? MUY_OK : MUY_WRONG_INPUT;
}

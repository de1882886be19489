/* Mirror images of solved candidates, and what they are worth. */
#include "search/solved.h"

#include <math.h>
#include <string.h>

#include "motion/mirror.h"

/* ---- mirror images ---- */

/* The cycle of a solved candidate is its first clip, if it has one. */
static const struct clip *cycle_of(const struct solved_candidate *f)
{
  return f->clips[0].clip->cyclic ? f->clips[0].clip : NULL;
}

struct reflection {
  const struct scene *s;
  struct solved_candidate *f;
  int own_cycle;                 /* 1: its cycle is its own mirror image, shift frames on                   */
  int shift;
  int mirrored_cycle;            /* index of its mirror image in the candidate; -1: none                           */
};

/* Where an end of a solved clip lies in the mirror; 0 if nowhere. */
static int reflect_end(const struct reflection *r, struct clip_end end, int index, struct clip_end *out, int *new_index)
{
  *new_index = -1;
  if (index >= 0) { /* its own cycle */
    const struct clip *cycle = r->f->clips[index].clip;
    *new_index = r->own_cycle ? index : r->mirrored_cycle;
    *out = (struct clip_end){r->own_cycle ? end.clip : r->f->clips[r->mirrored_cycle].clip->from.clip,
                             r->own_cycle ? (end.frame + r->shift) % cycle->n_frames : end.frame};
    return 1;
  }
  int i = scene_find(r->s, end.clip);
  if (i < 0 || r->s->clips[i].mirror < 0)
    return 0;
  *out = (struct clip_end){r->s->clips[r->s->clips[i].mirror].id,
                           (end.frame + r->s->clips[i].shift) % r->s->clips[i].clip->n_frames};
  return 1;
}

/* A stand-in id is kept in a cyclic clip's `from`, which means nothing there. */
static void add_mirrored_cycle(struct arena *arena, struct reflection *r, int id)
{
  struct clip *m = clip_mirror(arena, r->s->c, r->f->clips[0].clip);
  m->from.clip = id;
  r->mirrored_cycle = r->f->n_clips;
  r->f->clips[r->f->n_clips++] = (struct solved_clip){0, m, -1, -1};
}

static int same_ends(const struct clip *a, const struct clip *b)
{
  return a->from.clip == b->from.clip && a->from.frame == b->from.frame && a->to.clip == b->to.clip &&
         a->to.frame == b->to.frame && a->turn == b->turn;
}

void solved_mirror(struct arena *arena, const struct scene *s, struct solved_candidate *f, int first_id)
{
  struct reflection r = {.s = s, .f = f, .mirrored_cycle = -1};
  const struct clip *cycle = cycle_of(f);
  f->n_clips = f->n_solved;
  if (!s->symmetric_body)
    return;
  r.own_cycle = cycle && clip_mirror_shift(s->c, cycle, 1e-6, &r.shift);
  if (cycle && !r.own_cycle)
    add_mirrored_cycle(arena, &r, first_id);
  for (int i = cycle ? 1 : 0; i < f->n_solved; i++) {
    struct clip *m = clip_mirror(arena, s->c, f->clips[i].clip);
    struct solved_clip entry = {.clip = m};
    if (!reflect_end(&r, f->clips[i].clip->from, f->clips[i].from, &m->from, &entry.from) ||
        !reflect_end(&r, f->clips[i].clip->to, f->clips[i].to, &m->to, &entry.to)) {
      f->n_clips = f->n_solved; /* all or nothing */
      return;
    }
    if (!same_ends(m, f->clips[i].clip))
      f->clips[f->n_clips++] = entry;
  }
}

/* ---- worth ---- */

static int id_in_graph(const struct solved_candidate *f, int i, int stand_in)
{
  const struct solved_clip *x = &f->clips[i];
  return x->id ? x->id : x->clip->cyclic ? x->clip->from.clip : stand_in;
}

/* Only frames where something leads on are nodes: where one could branch off some day is of no interest here. */
static const struct motion_graph *graph_with(struct arena *arena, const struct scene *s,
                                             struct solved_candidate *const *solved_candidates, int n, struct diag *d)
{
  const struct motion_graph *g = s->controller->graph;
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)(g->n_clips + SOLVED_CLIPS * n), struct graph_clip);
  int total = g->n_clips;
  memcpy(clips, g->clips, (size_t)g->n_clips * sizeof *clips);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < solved_candidates[k]->n_clips; i++, total++)
      clips[total] = (struct graph_clip){id_in_graph(solved_candidates[k], i, 2000000000 + total),
                                         solved_candidates[k]->clips[i].clip, NULL};
  return graph_new(arena, &(struct graph_input){s->c, g->file, total, clips, 0, &s->task->measures}, d);
}

double solved_cost(struct arena *scratch, const struct scene *s, struct solved_candidate *const *solved_candidates,
                   int n, struct diag *d)
{
  const struct motion_graph *g = graph_with(scratch, s, solved_candidates, n, d);
  if (!g)
    return INFINITY;
  int *same = ARENA_NEW(scratch, (size_t)g->n_nodes, int);
  for (int i = 0; i < g->n_nodes; i++)
    same[i] =
        g->nodes[i].clip < s->controller->graph->n_clips ? scene_node(s, g->nodes[i].clip, g->nodes[i].frame) : -1;
  struct values_options options;
  values_defaults(&options);
  options.start = s->controller->values;
  options.start_node = same;
  const struct values *values = values_solve(scratch, controller_process(scratch, g, s->task), &options);
  return values->status == VALUES_REFUSED ? (double)INFINITY : values->g;
}

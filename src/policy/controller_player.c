/* A controller as the player has it: its tables from the graph and the task; and from its numbers to the task's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quat.h"
#include "motion/ground.h"
#include "policy/controller.h"
#include "player/player_write.h"

/* ---- from here to the player ---- */

struct maker {
  struct arena *arena;
  const struct controller *c;
  const struct motion_graph *g;
  int *number;                  /* of a clip of the graph among those of the player, -1: left out     (n_clips) */
};

static struct muy_player_motion motion_of(struct clip_advance a)
{
  return (struct muy_player_motion){a.x, a.y, a.yaw};
}

static const struct muy_player_clip *make_clips(struct maker *m, int *n)
{
  struct muy_player_clip *clips = ARENA_NEW(m->arena, (size_t)m->g->n_clips, struct muy_player_clip);
  *n = 0;
  for (int i = 0; i < m->g->n_clips; i++) {
    const struct clip *k = m->g->clips[i].clip;
    m->number[i] = m->g->use[i] == GRAPH_USED ? *n : -1;
    if (m->number[i] >= 0)
      clips[(*n)++] = (struct muy_player_clip){k->name, k->n_frames, k->cyclic, motion_of(k->advance), k->q, k->force,
                                           k->contact};
  }
  return clips;
}

static const struct muy_player_node *make_nodes(const struct maker *m)
{
  struct muy_player_node *nodes = ARENA_NEW(m->arena, (size_t)m->g->n_nodes, struct muy_player_node);
  for (int i = 0; i < m->g->n_nodes; i++)
    nodes[i] = (struct muy_player_node){m->number[m->g->nodes[i].clip], m->g->nodes[i].frame};
  return nodes;
}

/* The player's pieces end where a cyclic clip does: one of the graph's may become several. Counted when out is NULL. */
static int split_piece(const struct maker *m, struct graph_piece piece, struct muy_player_piece *out)
{
  const struct clip *clip = m->g->clips[piece.clip].clip;
  int n = 0;
  while (piece.count > 0) {
    int count = piece.count < clip->n_frames - piece.first ? piece.count : clip->n_frames - piece.first;
    if (out)
      out[n] = (struct muy_player_piece){m->number[piece.clip], piece.first, count, motion_of(piece.place)};
    n++;
    piece.place = ground_after(piece.place, clip->advance);
    piece.first = 0;
    piece.count -= count;
  }
  return n;
}

static void make_pieces(const struct maker *m, const struct graph_segment *s, struct muy_player_segment *out)
{
  for (int i = 0; i < s->n_pieces; i++)
    out->n_pieces += split_piece(m, s->pieces[i], NULL);
  struct muy_player_piece *pieces = ARENA_NEW(m->arena, (size_t)out->n_pieces, struct muy_player_piece);
  for (int i = 0, n = 0; i < s->n_pieces; i++)
    n += split_piece(m, s->pieces[i], pieces + n);
  out->pieces = pieces;
}

static const struct muy_player_segment *make_segments(const struct maker *m)
{
  struct muy_player_segment *segments = ARENA_NEW(m->arena, (size_t)m->g->n_segments, struct muy_player_segment);
  for (int e = 0; e < m->g->n_segments; e++) {
    const struct graph_segment *s = &m->g->segments[e];
    struct muy_player_features *features = ARENA_NEW(m->arena, (size_t)s->length, struct muy_player_features);
    for (int k = 0; k < s->length; k++) {
      const struct frame_features *f = &s->features[k];
      features[k] = (struct muy_player_features){.direction = f->direction, .torso = f->torso, .speed = f->speed,
                                                 .effort = f->counted_effort, .gait = f->gait};
      memcpy(features[k].measured, f->measured, sizeof features[k].measured);
    }
    segments[e] = (struct muy_player_segment){.from = s->from, .to = s->to, .n_frames = s->length,
                                          .motion = {s->x, s->y, s->turn}, .features = features,
                                          .values = m->c->q + (size_t)e * m->c->grid};
    make_pieces(m, s, &segments[e]);
  }
  return segments;
}

/* Categories go by their place in the list: the task's own values of them need not ascend. */
static const double *make_grid(const struct maker *m, const struct task_parameter *p)
{
  double *grid = ARENA_NEW(m->arena, (size_t)p->n, double);
  for (int i = 0; i < p->n; i++)
    grid[i] = p->kind->space == TASK_CATEGORY ? i : p->values[i];
  return grid;
}

static const struct muy_player_parameter *make_parameters(const struct maker *m)
{
  static const enum muy_player_space space[] = {[TASK_CIRCLE] = MUY_PLAYER_CIRCLE,
                                                [TASK_INTERVAL] = MUY_PLAYER_INTERVAL,
                                                [TASK_CATEGORY] = MUY_PLAYER_CATEGORY};
  const struct task *t = m->c->task;
  struct muy_player_parameter *parameters = ARENA_NEW(m->arena, (size_t)t->n_parameters, struct muy_player_parameter);
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *p = &t->parameters[i];
    parameters[i] = (struct muy_player_parameter){p->kind->name, p->kind->name, p->kind->si_unit,
                                              space[p->kind->space], p->kind->relative, p->n, make_grid(m, p),
                                              p->names};
  }
  return parameters;
}

/* Of the gaits that are built in, none is named unless it is shown: then all are. */
static int count_gaits(const struct motion_graph *g)
{
  const struct creature *c = g->creature;
  for (int e = 0; e < g->n_segments; e++)
    for (int k = 0; k < g->segments[e].length; k++)
      if (g->segments[e].features[k].gait >= c->n_gaits)
        return c->n_motions;
  return c->n_gaits;
}

static void name_creature(struct arena *arena, const struct motion_graph *g, struct muy_player_controller *p)
{
  const struct creature *c = g->creature;
  int n_gaits = count_gaits(g);
  const char **dofs = ARENA_NEW(arena, (size_t)c->n_dofs, const char *);
  const char **points = ARENA_NEW(arena, (size_t)c->n_points, const char *);
  const char **gaits = ARENA_NEW(arena, (size_t)n_gaits, const char *);
  for (int i = 0; i < c->n_dofs; i++)
    dofs[i] = c->dofs[i].name;
  for (int i = 0; i < c->n_points; i++)
    points[i] = c->points[i].name;
  for (int i = 0; i < n_gaits; i++)
    gaits[i] = c->gaits[i].name;
  p->creature = c->name;
  p->n_dofs = c->n_dofs, p->dof_names = dofs;
  p->n_points = c->n_points, p->point_names = points;
  p->n_gaits = n_gaits, p->gait_names = gaits;
}

/* The skeleton and the shapes, for whoever draws. */
static void make_bones(struct arena *arena, const struct creature *c, struct muy_player_controller *p)
{
  static const enum muy_player_solid solid[] = {[SHAPE_NONE] = MUY_PLAYER_NO_SOLID,
                                                [SHAPE_CAPSULE] = MUY_PLAYER_CAPSULE,
                                                [SHAPE_BOX] = MUY_PLAYER_BOX,
                                                [SHAPE_ELLIPSOID] = MUY_PLAYER_ELLIPSOID};
  struct muy_player_bone *bones = ARENA_NEW(arena, (size_t)c->n_limbs, struct muy_player_bone);
  double *axes = ARENA_NEW(arena, 3 * (size_t)c->n_dofs, double);
  for (int i = 0; i < c->n_dofs; i++)
    memcpy(axes + 3 * i, c->dofs[i].axis, sizeof c->dofs[i].axis);
  for (int i = 0; i < c->n_limbs; i++) {
    const struct limb *l = &c->limbs[i];
    bones[i] = (struct muy_player_bone){l->name, l->parent, l->n_dofs ? l->first_dof : CREATURE_ROOT_DOFS, l->n_dofs,
                                        {l->at[0], l->at[1], l->at[2]}, solid[l->shape.kind], {0}, {1, 0, 0, 0}, {0}};
    if (l->shape.kind == SHAPE_NONE)
      continue;
    memcpy(bones[i].centre, l->shape.centre, sizeof bones[i].centre);
    memcpy(bones[i].size, l->shape.size, sizeof bones[i].size);
    quat_of_matrix(l->shape.frame, bones[i].turn);
  }
  p->n_bones = c->n_limbs, p->bones = bones, p->axes = axes;
}

const void *controller_bytes(struct arena *arena, const struct controller *c, size_t *length, struct diag *d)
{
  struct arena *scratch = arena_new();
  struct maker m = {scratch, c, c->graph, ARENA_NEW(scratch, (size_t)c->graph->n_clips, int)};
  struct muy_player_controller p = {.dt = c->graph->clips[0].clip->dt, .has_forces = 1, .n_nodes = c->graph->n_nodes,
                                    .n_segments = c->graph->n_segments, .n_parameters = c->task->n_parameters,
                                    .n_measures = c->task->measures.n};
  char why[160];
  name_creature(scratch, c->graph, &p);
  make_bones(scratch, c->graph->creature, &p);
  p.clips = make_clips(&m, &p.n_clips);
  p.nodes = make_nodes(&m);
  p.segments = make_segments(&m);
  p.parameters = make_parameters(&m);
  unsigned char *bytes = muy_player_write_memory(&p, length, why, sizeof why), *kept = NULL;
  arena_free(scratch);
  if (bytes)
    kept = memcpy(ARENA_NEW(arena, *length, unsigned char), bytes, *length);
  else
    diag_error(d, c->graph->file, 0, "this cannot be made a player's file: %s", why);
  free(bytes);
  return kept;
}

/* ---- from the player to the task ---- */

/* 1 if the grids are of the same kind and size. */
static int same_parameter(const struct muy_player_parameter *a, const struct task_parameter *b)
{
  return !strcmp(a->kind, b->kind->name) && a->n_values == b->n && a->relative == b->kind->relative;
}

int controller_fits(const struct muy_player_controller *p, const struct task *t, const char *file, struct diag *d)
{
  const struct creature *c = t->creature;
  int fits = p->n_parameters == t->n_parameters && p->n_measures == t->measures.n;
  for (int i = 0; fits && i < t->n_parameters; i++)
    fits = same_parameter(&p->parameters[i], &t->parameters[i]);
  if (!fits)
    diag_error(d, file, 0, "the controller was not made for the task '%s': its parameters differ",
               text_clip(t->name).word);
  int same = p->n_dofs == c->n_dofs && p->n_points == c->n_points && p->has_forces &&
             (p->n_gaits == c->n_gaits || p->n_gaits == c->n_motions);
  if (!same)
    diag_error(d, file, 0, "the controller is not one of creature '%s'", text_clip(c->name).word);
  return fits && same;
}

double controller_asked(const struct task_parameter *p, double theta)
{
  int nearest = 0;
  if (p->kind->space != TASK_CATEGORY)
    return theta;
  for (int i = 1; i < p->n; i++)
    if (fabs(p->values[i] - theta) < fabs(p->values[nearest] - theta))
      nearest = i;
  return nearest;
}

struct frame_features controller_features(struct muy_player_features f)
{
  struct frame_features out = {.direction = f.direction, .torso = f.torso, .speed = f.speed, .gait = f.gait,
                               .counted_effort = f.effort, .usual_effort = f.effort};
  memcpy(out.measured, f.measured, sizeof out.measured);
  return out;
}

double controller_effort(const struct muy_player_controller *p, const struct creature *c)
{
  int i = 0;
  while (i < p->n_clips - 1 && !p->clips[i].cyclic)
    i++;
  struct arena *scratch = arena_new();
  const struct muy_player_clip *from = &p->clips[i];
  struct clip *clip = clip_new(scratch, c, from->n_frames, p->dt);
  clip->cyclic = from->cyclic;
  clip->advance = (struct clip_advance){from->advance.x, from->advance.y, from->advance.yaw};
  memcpy(clip->q, from->q, (size_t)from->n_frames * (size_t)p->n_dofs * sizeof *clip->q);
  memcpy(clip->force, from->force, (size_t)from->n_frames * (size_t)p->n_points * 3 * sizeof *clip->force);
  memcpy(clip->contact, from->contact, (size_t)from->n_frames * (size_t)p->n_points);
  double effort = features_effort(c, clip);
  arena_free(scratch);
  return effort;
}

/* A package made ready: creature, graph, controller, control graph, and what may be asked. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "control/graph.h"
#include "control/record.h"
#include "stage/room.h"

#define FILE_NAME "package"      /* in messages */

static uint64_t fingerprint(const unsigned char *bytes, size_t n)
{
  uint64_t hash = 1469598103934665603ULL;
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ bytes[i]) * 1099511628211ULL;
  return hash;
}

/* ---- what may be asked ---- */

static const struct task_kind *find_kind(const char *name)
{
  for (int i = 0; task_kinds[i]; i++)
    if (!strcmp(task_kinds[i]->name, name))
      return task_kinds[i];
  return NULL;
}

/* What the player knows of a parameter, in place of what the task would say. Its categories go by their places; those
 * of the task by what they are, which is a gait of the creature. */
static struct stage_parameter parameter_of_player(struct arena *arena, const struct creature *c,
                                                  const struct muy_player_parameter *p)
{
  double *values = ARENA_NEW(arena, (size_t)p->n_values, double);
  for (int i = 0; i < p->n_values; i++)
    values[i] = p->categories ? creature_find_gait(c, p->categories[i]) : p->values[i];
  return (struct stage_parameter){.name = p->name, .kind = p->kind, .unit = p->unit,
                                  .space = p->space == MUY_PLAYER_CIRCLE     ? TASK_CIRCLE
                                           : p->space == MUY_PLAYER_INTERVAL ? TASK_INTERVAL
                                                                             : TASK_CATEGORY,
                                  .relative = p->relative, .n = p->n_values, .values = values,
                                  .names = p->categories};
}

/* The task in the package is the controller's. */
static int task_fits(const struct stage_task *t, const struct muy_player_controller *p)
{
  int fits = t->n_parameters == p->n_parameters;
  for (int i = 0; fits && i < t->n_parameters; i++)
    fits = !strcmp(t->parameters[i].kind, p->parameters[i].kind) && t->parameters[i].n == p->parameters[i].n_values &&
           t->parameters[i].relative == p->parameters[i].relative &&
           (t->parameters[i].names != NULL) == (p->parameters[i].categories != NULL);
  return fits;
}

static int cast_parameters(struct stage_cast *c, struct diag *d)
{
  const struct stage_task *task = c->package.task;
  const struct muy_player_controller *p = c->player;
  c->n_parameters = p ? p->n_parameters : 0;
  if (p && task && !task_fits(task, p)) {
    diag_error(d, FILE_NAME, 0, "the controller in the package was not made for the task '%s': its parameters differ",
               text_clip(task->name).word);
    return 0;
  }
  size_t n = (size_t)c->n_parameters;
  struct stage_parameter *parameters = ARENA_NEW(c->arena, n, struct stage_parameter);
  c->kinds = ARENA_NEW(c->arena, n, const struct task_kind *);
  c->measure = ARENA_NEW(c->arena, n, int);
  for (int i = 0, measures = 0; i < c->n_parameters; i++) {
    parameters[i] = task ? task->parameters[i] : parameter_of_player(c->arena, c->creature, &p->parameters[i]);
    c->kinds[i] = find_kind(parameters[i].kind);
    c->measure[i] = c->kinds[i] && c->kinds[i]->measure && measures < FEATURES_MEASURES ? measures++ : -1;
  }
  c->parameters = parameters;
  return 1;
}

/* ---- controllers ---- */

static int cast_player(struct stage_cast *c, struct diag *d)
{
  char why[200];
  if (!c->package.player)
    return 1;
  c->player = muy_player_load_memory(c->package.player, c->package.n_player, why, sizeof why);
  if (!c->player) {
    diag_error(d, FILE_NAME, 0, "the controller in the package cannot be read: %s", why);
    return 0;
  }
  int used = 0;
  for (int i = 0; i < c->graph->n_clips; i++)
    used += c->graph->use[i] == GRAPH_USED;
  if (c->player->n_dofs != c->creature->n_dofs || c->player->n_points != c->creature->n_points ||
      c->player->n_nodes != c->graph->n_nodes || c->player->n_segments != c->graph->n_segments ||
      c->player->n_clips != used) {
    diag_error(d, FILE_NAME, 0, "the controller in the package has %d clips, %d nodes and %d choices, the graph of the "
                                "clips %d, %d and %d: make the controller anew",
               c->player->n_clips, c->player->n_nodes, c->player->n_segments, used, c->graph->n_nodes,
               c->graph->n_segments);
    return 0;
  }
  c->player_clip = ARENA_NEW(c->arena, (size_t)used, int);
  for (int i = 0, n = 0; i < c->graph->n_clips; i++)
    if (c->graph->use[i] == GRAPH_USED)
      c->player_clip[n++] = i;
  return 1;
}

static int cast_controls(struct stage_cast *c, struct diag *d)
{
  const struct stage_package *p = &c->package;
  if (!p->controls)
    return 1;
  const struct control_graph *g = control_graph_new(c->arena, c->graph, p->step, d);
  c->controls = g ? controls_read(c->arena, g, p->controls, p->n_controls, d) : NULL;
  return c->controls != NULL;
}

/* ---- the whole ---- */

/* One frame rate, and numbers that are finite: all that showing a clip needs. */
static int clips_fit(const struct graph_input *in, struct diag *d)
{
  for (int i = 0; i < in->n_clips; i++) {
    const struct clip *k = in->clips[i].clip;
    double sum = k->advance.x * 0 + k->advance.y * 0 + k->advance.yaw * 0;
    for (size_t j = 0; j < (size_t)k->n_frames * (size_t)k->n_dofs; j++)
      sum += k->q[j] * 0;
    for (size_t j = 0; j < 3 * (size_t)k->n_frames * (size_t)k->n_points; j++)
      sum += k->force[j] * 0;
    if (!(sum == 0)) {
      diag_error(d, FILE_NAME, 0, "clip %d '%s' in the package has numbers that are not finite", i + 1,
                 text_clip(k->name).word);
      return 0;
    }
    if (!(fabs(k->dt - in->clips[0].clip->dt) <= 1e-9)) {
      diag_error(d, FILE_NAME, 0, "clips in the package have different frame rates: %g and %g s a frame",
                 in->clips[0].clip->dt, k->dt);
      return 0;
    }
  }
  return 1;
}

/* A graph, if the clips make one: a run file of single gaits that nothing connects is still worth showing. 0 after an
 * error: something in the package needs the graph. */
static int cast_graph(struct stage_cast *c, struct diag *d)
{
  int cycles = 0, needed = c->package.player || c->package.controls;
  struct diag ignored;
  for (int i = 0; i < c->package.clips.n_clips; i++)
    cycles += c->package.clips.clips[i].clip->cyclic;
  if (!cycles && needed)
    diag_error(d, FILE_NAME, 0, "the package has a controller or a control graph, but none of its clips is a cycle");
  diag_init(&ignored);
  c->graph = cycles ? graph_new(c->arena, &c->package.clips, needed ? d : &ignored) : NULL;
  diag_clear(&ignored);
  return c->graph || !needed;
}

static int cast_fill(struct stage_cast *c, const void *bytes, size_t n, struct diag *d)
{
  if (!stage_package_get(c->arena, bytes, n, FILE_NAME, &c->package, d))
    return 0;
  c->fingerprint = fingerprint(bytes, n);
  c->creature = c->package.clips.creature;
  if (!clips_fit(&c->package.clips, d) || !cast_graph(c, d))
    return 0;
  c->dt = c->package.clips.clips[0].clip->dt;
  c->dynamics = dynamics_new(c->arena, c->creature);
  c->trunk = disturb_trunk(c->creature);
  return cast_player(c, d) && cast_parameters(c, d) && cast_controls(c, d);
}

struct stage_cast *stage_cast_new(const void *bytes, size_t n, struct diag *d)
{
  struct arena *arena = arena_new();
  struct stage_cast *c = ARENA_NEW(arena, 1, struct stage_cast);
  *c = (struct stage_cast){.arena = arena};
  int good = cast_fill(c, bytes, n, d);
  c->package.player = c->package.controls = NULL; /* they point into bytes that are not ours to keep */
  c->package.n_player = c->package.n_controls = 0;
  if (good)
    return c;
  stage_cast_free(c);
  return NULL;
}

void stage_cast_free(struct stage_cast *c)
{
  if (!c)
    return;
  muy_player_unload(c->player);
  arena_free(c->arena);
}

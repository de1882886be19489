/* Policies and values of fragments. */
#include "control/controls.h"

#include <string.h>

#include "base/matrices.h"

struct controls *controls_new(struct arena *arena, const struct control_graph *g)
{
  struct controls *c = ARENA_NEW(arena, 1, struct controls);
  c->graph = g;
  c->features = features_new(arena, g->creature);
  size_t n = (size_t)features_count(c->features);
  c->standard = ARENA_NEW(arena, (size_t)g->n_fragments * n, double);
  for (int i = 0; i < g->n_fragments; i++) {
    const struct control_fragment *f = &g->fragments[i];
    features_of_state(c->features, control_graph_q(g, f->strip, f->from), control_graph_v(g, f->strip, f->from),
                      c->standard + (size_t)i * n);
  }
  return c;
}

void controls_add_compact(struct arena *arena, struct controls *c)
{
  size_t n = (size_t)features_count(c->features), m = (size_t)features_actions(c->features);
  c->compact = ARENA_NEW(arena, (size_t)c->graph->n_fragments, struct compact_policy);
  for (int i = 0; i < c->graph->n_fragments; i++) {
    c->compact[i].M = ARENA_NEW(arena, m * n, double);
    c->compact[i].offset = ARENA_NEW(arena, m, double);
    c->compact[i].variance = ARENA_NEW(arena, m, double);
  }
}

void controls_features(const struct controls *c, int fragment, const double *q, const double *v, const double *x,
                       double *s)
{
  int n = features_count(c->features);
  features_of_state(c->features, q, v, s);
  features_of_errors(c->features, x, s);
  for (int i = 0; i < n; i++)
    s[i] -= c->standard[(size_t)fragment * (size_t)n + (size_t)i];
}

void controls_offsets(const struct controls *c, const double *action, double *u)
{
  const int *dofs = features_action_dofs(c->features);
  memset(u, 0, (size_t)(c->graph->creature->n_dofs - CREATURE_ROOT_DOFS) * sizeof *u);
  for (int i = 0; i < features_actions(c->features); i++)
    u[dofs[i] - CREATURE_ROOT_DOFS] = action[i];
}

void controls_act(const struct controls *c, int fragment, const double *q, const double *v, const double *x,
                  double *u)
{
  if (c->kind == CONTROL_FULL) {
    feedback_control(c->graph->creature, &c->gains[fragment], x, u);
    return;
  }
  int n = features_count(c->features), m = features_actions(c->features);
  const struct compact_policy *p = &c->compact[fragment];
  double s[n], action[m];
  controls_features(c, fragment, q, v, x, s);
  matrices_apply(m, n, p->M, s, action);
  for (int i = 0; i < m; i++)
    action[i] += p->offset[i];
  controls_offsets(c, action, u);
}

double controls_value(const struct controls *c, int fragment, const double *x)
{
  return feedback_value(c->graph->creature, &c->gains[fragment], x);
}

/* Regression of compact policies, and walks that show what full policies do. */
#include "control/distill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/matrices.h"
#include "control/body.h"
#include "control/path.h"
#include "control/runner.h"

#define MOST_FRAGMENTS 2000000  /* of a walk that never sees all fragments: then it ends */

/* ---- training samples ---- */

struct training_set *training_set_new(struct arena *arena, const struct controls *c)
{
  struct training_set *l = ARENA_NEW(arena, 1, struct training_set);
  *l = (struct training_set){c->graph->n_fragments, features_count(c->features), features_actions(c->features), NULL};
  l->of = ARENA_NEW(arena, (size_t)l->n_fragments, struct fragment_samples);
  return l;
}

void training_set_free(struct training_set *l)
{
  for (int i = 0; l && i < l->n_fragments; i++) {
    free(l->of[i].s);
    free(l->of[i].a);
  }
}

void training_set_add(struct training_set *l, int fragment, const double *s, const double *a)
{
  struct fragment_samples *t = &l->of[fragment];
  size_t n = (size_t)l->n_features, m = (size_t)l->n_actions;
  if (t->n == t->room) {
    int room = 2 * t->room + 64;
    double *more_s = realloc(t->s, (size_t)room * n * sizeof *s);
    t->s = more_s ? more_s : t->s;
    double *more_a = realloc(t->a, (size_t)room * m * sizeof *a);
    t->a = more_a ? more_a : t->a;
    if (!more_s || !more_a)
      return;
    t->room = room;
  }
  memcpy(t->s + (size_t)t->n * n, s, n * sizeof *s);
  memcpy(t->a + (size_t)t->n * m, a, m * sizeof *a);
  t->n++;
}

int training_set_read(struct training_set *l, const void *bytes, size_t size)
{
  size_t n = (size_t)l->n_features, m = (size_t)l->n_actions, each = (1 + n + m) * sizeof(double);
  for (size_t at = 0; at + each <= size; at += each) {
    double row[1 + n + m];
    memcpy(row, (const unsigned char *)bytes + at, each);
    if (!(row[0] >= 0 && row[0] < l->n_fragments))
      return 0;
    training_set_add(l, (int)row[0], row + 1, row + 1 + n);
  }
  return size % each == 0;
}

/* ---- mirrors ---- */

/* Features seen in a mirror: left feet are right ones, what points left points right, and turns turn. */
static void mirror_features(const struct controls *c, const double *in, double *out)
{
  const struct creature *k = c->graph->creature;
  static const double fixed[12] = {1, -1, 1, 1, -1, 1, 1, -1, 1, -1, 1, -1};
  static const double foot[3] = {1, -1, 1}, last[3] = {-1, 1, -1};
  int n = features_count(c->features);
  for (int i = 0; i < 12; i++)
    out[i] = fixed[i] * in[i];
  for (int f = 0; f < k->n_feet; f++)
    for (int i = 0; i < 3; i++)
      out[12 + 3 * f + i] = foot[i] * in[12 + 3 * k->feet[f].mirror + i];
  for (int i = 0; i < 3; i++)
    out[n - 3 + i] = last[i] * in[n - 3 + i];
}

static void mirror_actions(const struct controls *c, const double *in, double *out)
{
  const struct creature *k = c->graph->creature;
  const int *dofs = features_action_dofs(c->features);
  int m = features_actions(c->features);
  for (int i = 0; i < m; i++) {
    out[i] = 0;
    for (int j = 0; j < m; j++)
      if (dofs[j] == k->dofs[dofs[i]].mirror)
        out[i] = k->dofs[dofs[i]].mirror_sign * in[j];
  }
}

/* ---- regression ---- */

/* All samples of a fragment, its own and its mirror's, one after the other, to a function. */
struct reading { const struct training_set *l; const struct controls *c; int fragment, mirror; double *s, *a; };

static int count_samples(const struct reading *r)
{
  int other = r->mirror ? r->c->graph->fragments[r->fragment].mirror : -1;
  return r->l->of[r->fragment].n + (other >= 0 && other != r->fragment ? r->l->of[other].n : 0);
}

static void read_sample(struct reading *r, int i)
{
  const struct fragment_samples *own = &r->l->of[r->fragment];
  size_t n = (size_t)r->l->n_features, m = (size_t)r->l->n_actions;
  if (i < own->n) {
    memcpy(r->s, own->s + (size_t)i * n, n * sizeof *r->s);
    memcpy(r->a, own->a + (size_t)i * m, m * sizeof *r->a);
    return;
  }
  const struct fragment_samples *other = &r->l->of[r->c->graph->fragments[r->fragment].mirror];
  mirror_features(r->c, other->s + (size_t)(i - own->n) * n, r->s);
  mirror_actions(r->c, other->a + (size_t)(i - own->n) * m, r->a);
}

static void add_means(struct reading *r, int count, double *mean_s, double *mean_a)
{
  for (int i = 0; i < count; i++) {
    read_sample(r, i);
    for (int k = 0; k < r->l->n_features; k++)
      mean_s[k] += r->s[k] / count;
    for (int k = 0; k < r->l->n_actions; k++)
      mean_a[k] += r->a[k] / count;
  }
}

void training_set_average(struct training_set *l, struct controls *c, double variance, int mirror)
{
  int n = l->n_features, m = l->n_actions;
  double s[n], a[m], mean_s[n];
  for (int i = 0; i < l->n_fragments; i++) {
    struct reading r = {l, c, i, mirror, s, a};
    struct compact_policy *p = &c->compact[i];
    int count = count_samples(&r);
    if (count == 0)
      continue;
    memset(p->M, 0, (size_t)(n * m) * sizeof *p->M);
    memset(p->offset, 0, (size_t)m * sizeof *p->offset);
    memset(mean_s, 0, sizeof mean_s);
    add_means(&r, count, mean_s, p->offset);
    for (int k = 0; k < m; k++)
      p->variance[k] = variance;
  }
}

/* M' = inv(S'S + ridge) S'A with centred samples, offset = mean a - M mean s. 0: singular. */
static int distill_regress(struct arena *scratch, struct reading *r, int count, double ridge, struct compact_policy *p)
{
  int n = r->l->n_features, m = r->l->n_actions;
  double *mean_s = ARENA_NEW(scratch, (size_t)n, double), *mean_a = ARENA_NEW(scratch, (size_t)m, double);
  double *N = ARENA_NEW(scratch, (size_t)(n * n), double), *W = ARENA_NEW(scratch, (size_t)(n * m), double);
  add_means(r, count, mean_s, mean_a);
  for (int i = 0; i < count; i++) {
    read_sample(r, i);
    for (int a = 0; a < n; a++) {
      double s = r->s[a] - mean_s[a];
      for (int b = 0; b < n; b++)
        N[a * n + b] += s * (r->s[b] - mean_s[b]);
      for (int b = 0; b < m; b++)
        W[a * m + b] += s * (r->a[b] - mean_a[b]);
    }
  }
  for (int i = 0; i < n; i++)
    N[i * n + i] += ridge * count;
  if (!matrices_cholesky(n, N))
    return 0;
  matrices_cholesky_solve(n, N, m, W);
  for (int a = 0; a < m; a++) {
    p->offset[a] = mean_a[a];
    for (int b = 0; b < n; b++) {
      p->M[a * n + b] = W[b * m + a];
      p->offset[a] -= W[b * m + a] * mean_s[b];
    }
  }
  return 1;
}

/* Variances that the policy leaves over; the sum of those of the actions themselves. */
static double left_over(struct reading *r, int count, struct compact_policy *p, double *total)
{
  int n = r->l->n_features, m = r->l->n_actions;
  double sum = 0, said[m];
  memset(p->variance, 0, (size_t)m * sizeof *p->variance);
  for (int i = 0; i < count; i++) {
    read_sample(r, i);
    matrices_apply(m, n, p->M, r->s, said);
    for (int a = 0; a < m; a++) {
      double off = r->a[a] - said[a] - p->offset[a];
      p->variance[a] += off * off / count;
      *total += r->a[a] * r->a[a] / count;
    }
  }
  for (int a = 0; a < m; a++)
    sum += p->variance[a];
  return sum;
}

double training_set_fit(struct training_set *l, struct controls *c, double ridge, int mirror)
{
  double left = 0, total = 0, s[l->n_features], a[l->n_actions];
  for (int i = 0; i < l->n_fragments; i++) {
    struct reading r = {l, c, i, mirror, s, a};
    struct arena *scratch = arena_new();
    int count = count_samples(&r);
    if (count > l->n_features && distill_regress(scratch, &r, count, ridge, &c->compact[i]))
      left += left_over(&r, count, &c->compact[i], &total);
    arena_free(scratch);
  }
  return total > 0 ? left / total : 0;
}

/* ---- walks ---- */

void distill_defaults(struct distill_options *o)
{
  *o = (struct distill_options){.samples = 100, .noise = 0.01, .kick = 0.05, .ridge = 1e-6, .seed = 1,
                                .kick_every = 24};
}

struct walk {
  struct controls *c;
  const struct distill_options *o;
  struct control_body *body;
  struct training_set *training;
  struct control_path path;
  struct rng rng;
  int choosing;                 /* the fragment that most wants samples is sought */
};

/* The choice whose first fragment has been seen least. */
static int choose_least(void *user, int node, double heading)
{
  struct walk *w = user;
  const struct motion_graph *m = w->c->graph->motion;
  int best = m->first_segment[node], least = 1 << 30;
  (void)heading;
  if (rng_below(&w->rng, 4) == 0)
    return best + rng_below(&w->rng, m->first_segment[node + 1] - best);
  for (int i = m->first_segment[node]; i < m->first_segment[node + 1]; i++) {
    const struct control_strip *s = &w->c->graph->strips[m->segments[i].choice];
    int count = w->training->of[s->first + s->n - 1].n;
    if (count < least) {
      least = count;
      best = i;
    }
  }
  return best;
}

static void start_walk(struct walk *w)
{
  const struct control_graph *g = w->c->graph;
  int least = 0;
  for (int i = 1; i < g->n_fragments; i++)
    if (w->training->of[i].n < w->training->of[least].n)
      least = i;
  const struct control_fragment *f = &g->fragments[least];
  path_start(g, least, 0, 0, 0, &w->path);
  body_set(w->body, f->strip, f->from, w->path.place, NULL);
}

static void distill_kick(struct walk *w)
{
  const struct creature *c = w->c->graph->creature;
  double size = w->o->kick * sqrt(CREATURE_GRAVITY * c->height);
  world_get(w->body->world, w->body->q, w->body->v);
  for (int i = 0; i < 2; i++)
    w->body->v[i] += size * rng_normal(&w->rng);
  world_set(w->body->world, w->body->q, w->body->v);
}

/* One fragment of a walk; 0 when it fell. */
static int walk_fragment(struct walk *w)
{
  const struct control_graph *g = w->c->graph;
  const struct control_fragment *f = &g->fragments[w->path.fragment];
  int n = g->creature->n_dofs, m = w->training->n_actions, fragment = w->path.fragment;
  double x[2 * n], u[n], s[w->training->n_features], a[m];
  if (rng_below(&w->rng, w->o->kick_every) == 0)
    distill_kick(w);
  if (world_lost(w->body->world))
    return 0;
  world_get(w->body->world, w->body->q, w->body->v);
  path_errors(g, &w->path, w->body->q, w->body->v, x);
  feedback_control(g->creature, &w->c->gains[fragment], x, u);
  controls_features(w->c, fragment, w->body->q, w->body->v, x, s);
  for (int i = 0; i < m; i++)
    a[i] = u[features_action_dofs(w->c->features)[i] - CREATURE_ROOT_DOFS];
  for (int i = 0; i < n - CREATURE_ROOT_DOFS; i++)
    u[i] += w->o->noise * rng_normal(&w->rng);
  if (!body_frames(w->body, f->strip, f->from, f->until, u))
    return 0;
  world_get(w->body->world, w->body->q, NULL);
  if (fall_of(&fall_limits_upright, g->creature, w->body->q, control_graph_q(g, f->strip, f->until), 0).fault)
    return 0;
  training_set_add(w->training, fragment, s, a);
  path_next(g, &w->path, choose_least, w);
  return 1;
}

static int all_seen(const struct walk *w)
{
  for (int i = 0; i < w->training->n_fragments; i++)
    if (w->training->of[i].n < w->o->samples)
      return 0;
  return 1;
}

double distill(struct arena *arena, struct controls *c, const struct distill_options *o, struct diag *d)
{
  struct world_options world;
  world_defaults(c->graph->creature, &world);
  world.engine = WORLD_TREE;
  struct arena *scratch = arena_new();
  struct walk w = {.c = c, .o = o, .body = body_new(scratch, c->graph, &world, d),
                   .rng = rng_stream(o->seed, 0x444953)};
  if (!w.body) {
    arena_free(scratch);
    return NAN;
  }
  w.training = training_set_new(scratch, c);
  controls_add_compact(arena, c);
  start_walk(&w);
  for (long i = 0; i < MOST_FRAGMENTS; i++) {
    if (!walk_fragment(&w))
      start_walk(&w);
    if (i % 64 == 0 && all_seen(&w))
      break;
  }
  double left = training_set_fit(w.training, c, o->ridge, 1);
  training_set_free(w.training);
  body_free(w.body);
  arena_free(scratch);
  return left;
}

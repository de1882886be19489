/* Models of fragments and the Riccati recursion over a control graph. */
#include "control/lqr_teacher.h"

#include "base/seconds.h"
#include "feedback/mirror.h"
#include "follow/batches.h"

void lqr_teacher_defaults(const struct creature *c, struct lqr_teacher_options *o)
{
  *o = (struct lqr_teacher_options){.workers = 1, .still_errors = 0.2, .still_samples = 4};
  identify_defaults(&o->identify);
  o->identify.oversampling = 4; /* one fragment of two is identified, the other is its mirror image */
  feedback_weights_defaults(&o->weights);
  world_defaults(c, &o->world);
  o->world.engine = WORLD_TREE;
}

/* Is a fragment's model that of its mirror image, which comes before it? models: of all fragments, NULL where there is
 * none yet. */
static int has_twin(const struct control_graph *g, int fragment, const struct window_model *const *models)
{
  int twin = g->fragments[fragment].mirror;
  return twin >= 0 && (models[twin] || (twin < fragment && g->fragments[twin].strip == g->fragments[fragment].strip));
}

/* Is it a stand, or does it lead from one or to one? */
static int lqr_is_beside_stand(const struct control_graph *g, const struct control_strip *s)
{
  int beside = clip_is_still(s->clip);
  for (int i = 0; i < g->motion->n_clips; i++) {
    int id = g->motion->clips[i].id, ends = !s->clip->cyclic && (s->clip->from.clip == id || s->clip->to.clip == id);
    beside |= ends && clip_is_still(g->motion->clips[i].clip);
  }
  return beside;
}

/* Where nothing carries a creature on, its balance is held by what little its feet can do: more samples. On a stand
 * they lose the ground where a pose is off by little: smaller errors. */
static struct identify_options identify_options_of(const struct control_graph *g, const struct control_strip *s,
                                                   const struct lqr_teacher_options *o)
{
  struct identify_options i = o->identify;
  if (!lqr_is_beside_stand(g, s))
    return i;
  i.oversampling *= o->still_samples;
  if (clip_is_still(s->clip)) {
    i.place *= o->still_errors;
    i.velocity *= o->still_errors;
    i.control *= o->still_errors;
  }
  return i;
}

/* The models of one strip, into those of all fragments. Mirror images are identified once: models of few samples are
 * noisy, and those of both sides should be the same. 0 after an error. */
static int identify_strip(struct arena *arena, const struct control_graph *g, int strip,
                          const struct lqr_teacher_options *o, const struct window_model **models,
                          struct lqr_teacher *t, struct diag *d)
{
  const struct control_strip *s = &g->strips[strip];
  struct rollout_options ro;
  struct identify_options identify = identify_options_of(g, s, o);
  struct arena *scratch = arena_new();
  unsigned char *left_out = ARENA_NEW(scratch, (size_t)s->n, unsigned char);
  for (int i = 0; i < s->n; i++)
    left_out[i] = (unsigned char)has_twin(g, s->first + i, models);
  identify.left_out = left_out;
  rollout_defaults(g->creature, &ro);
  ro.world = o->world;
  ro.world.step = g->step;
  struct batches *batches = batches_open(scratch, s->reference, &ro, o->workers, d);
  const struct window_model *const *found = batches ? identify_windows(arena, batches, s->reference, &identify, d)
                                                    : NULL;
  for (int i = 0; found && i < s->n; i++)
    models[s->first + i] = left_out[i] ? mirror_model(arena, g->creature, models[g->fragments[s->first + i].mirror])
                                       : found[i];
  if (batches)
    t->seconds += batches_seconds(batches);
  batches_close(batches);
  arena_free(scratch);
  return found != NULL;
}

/* Gains of a strip, from what follows it. 0 if there are none. */
static int solve_strip(struct arena *arena, const struct control_graph *g, int strip,
                       const struct lqr_teacher_options *o, const struct window_model *const *models,
                       struct lqr_teacher *t)
{
  const struct control_strip *s = &g->strips[strip];
  struct window_gain *gains = ARENA_NEW(arena, (size_t)s->n + 1, struct window_gain);
  int after = g->fragments[s->first + s->n - 1].next;
  struct feedback_problem f = {.n = s->n, .cycle = s->clip->cyclic ? 0 : s->n, .which = s->reference->model,
                               .models = models + s->first, .weights = &o->weights, .creature = g->creature,
                               .end = s->clip->cyclic ? NULL : &t->gains[after]};
  if (!feedback_solve(arena, &f, gains))
    return 0;
  for (int i = 0; i < s->n; i++) {
    t->gains[s->first + i] = gains[i];
    t->residual[s->first + i] = models[s->first + i]->residual;
  }
  return 1;
}

/* Strips in an order in which what follows each is there already; one with no such order is left out. */
static int order_strips(struct arena *arena, const struct control_graph *g, int *order)
{
  int n = 0, *done = ARENA_NEW(arena, (size_t)g->n_strips, int);
  for (int progress = 1; progress;) {
    progress = 0;
    for (int i = 0; i < g->n_strips; i++) {
      const struct control_strip *s = &g->strips[i];
      if (done[i] || s->n == 0)
        continue;
      int after = g->fragments[g->fragments[s->first + s->n - 1].next].strip;
      if (!s->clip->cyclic && !done[after])
        continue;
      order[n++] = i;
      done[i] = progress = 1;
    }
  }
  return n;
}

struct lqr_teacher *lqr_teacher_learn(struct arena *arena, const struct control_graph *g,
                                      const struct lqr_teacher_options *o, struct diag *d)
{
  struct lqr_teacher *t = ARENA_NEW(arena, 1, struct lqr_teacher);
  t->gains = ARENA_NEW(arena, (size_t)g->n_fragments, struct window_gain);
  t->residual = ARENA_NEW(arena, (size_t)g->n_fragments, double);
  const struct window_model **models = ARENA_NEW(arena, (size_t)g->n_fragments, const struct window_model *);
  int *order = ARENA_NEW(arena, (size_t)g->n_strips, int), n = order_strips(arena, g, order);
  double from = processor_seconds();
  for (int i = 0; i < n; i++) {
    if (o->progress && !o->progress(o->user, i, n))
      return NULL;
    if (!identify_strip(arena, g, order[i], o, models, t, d))
      return NULL;
    if (!solve_strip(arena, g, order[i], o, models, t)) {
      diag_error(d, g->motion->file, 0, "no feedback can be found for clip %d: its models are not finite",
                 g->motion->clips[order[i]].id);
      return NULL;
    }
  }
  double here = processor_seconds() - from; /* with one worker, jobs are done here */
  t->seconds = o->workers == 0 || o->workers == 1 ? here : here + t->seconds;
  return t;
}

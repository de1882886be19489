/* Window models by regression on simulated windows. */
#include "track/identify.h"

#include <math.h>
#include <string.h>

#define LEAST_SAMPLES 200
#define BATCH 50                /* samples to a job                                         */
#define WILD 1.0                /* an error beyond this is a fall: no model is made of it   */

void identify_defaults(struct identify_options *o)
{
  *o = (struct identify_options){.place = 0.005, .velocity = 0.02, .control = 0.02, .ridge = 1e-4, .seed = 1};
}

static int count_samples(const struct reference *r, const struct identify_options *o)
{
  int row = 2 * r->n_dofs - 2 + r->n_dofs - CREATURE_ROOT_DOFS + 1, n = (5 * row + 1) / 2;
  if (o->samples > 0)
    n = o->samples;
  else if (n < LEAST_SAMPLES)
    n = LEAST_SAMPLES;
  return n + n % 2;
}

struct gathered { int n; double *x, *u, *end; };

static void gather(struct gathered *g, const struct batch_sample *s, int count, int m, int r)
{
  for (int i = 0; i < count; i++) {
    int tame = s[i].good;
    for (int k = 0; tame && k < m; k++)
      tame = fabs(s[i].end[k]) < WILD;
    if (!tame)
      continue;
    memcpy(g->x + (size_t)g->n * (size_t)m, s[i].begin, (size_t)m * sizeof(double));
    memcpy(g->u + (size_t)g->n * (size_t)r, s[i].u, (size_t)r * sizeof(double));
    memcpy(g->end + (size_t)g->n * (size_t)m, s[i].end, (size_t)m * sizeof(double));
    g->n++;
  }
}

static void submit_window(struct crew *crew, const struct reference *r, int model, int samples, const struct identify_options *o)
{
  for (int from = 0; from < samples; from += BATCH) {
    struct batch b = {.kind = BATCH_PERTURBED, .window = r->typical[model], .seed = o->seed, .place = o->place,
                      .velocity = o->velocity, .control = o->control};
    b.n = samples - from < BATCH ? samples - from : BATCH;
    b.stream = (uint64_t)model * 1000000 + (uint64_t)from;
    crew_submit(crew, &b);
  }
}

/* Collects the batches of a model and fits it; NULL after an error. */
static const struct window_model *finish_window(struct arena *arena, struct crew *crew, const struct reference *r, int model,
                                                int samples, const struct identify_options *o, struct diag *d)
{
  struct arena *scratch = arena_new();
  int m = 2 * r->n_dofs, n = r->n_dofs - CREATURE_ROOT_DOFS, w = r->typical[model], good = 1;
  struct gathered g = {.x = ARENA_NEW(scratch, (size_t)samples * (size_t)m, double)};
  g.u = ARENA_NEW(scratch, (size_t)samples * (size_t)n, double);
  g.end = ARENA_NEW(scratch, (size_t)samples * (size_t)m, double);
  for (int from = 0; from < samples && good; from += BATCH) {
    struct batch_sample *s;
    int count = crew_collect(crew, scratch, &s, d);
    good = count >= 0;
    if (good)
      gather(&g, s, count, m, n);
  }
  const double *begin = r->q + (size_t)r->first[w] * (size_t)r->n_dofs, *end = r->q + (size_t)r->first[w + 1] * (size_t)r->n_dofs;
  struct window_samples s = {.n = g.n, .n_errors = m, .n_controls = n, .x = g.x, .u = g.u, .end = g.end, .turn = end[3] - begin[3],
                             .ridge = o->ridge, .scale_x = o->place, .scale_v = o->velocity, .scale_u = o->control};
  const struct window_model *out = good ? feedback_fit(arena, &s) : NULL;
  arena_free(scratch);
  return out;
}

const struct window_model *const *identify_windows(struct arena *arena, struct crew *crew, const struct reference *r,
                                                   const struct identify_options *o, struct diag *d)
{
  const struct window_model **models = ARENA_NEW(arena, (size_t)r->n_models, const struct window_model *);
  int samples = count_samples(r, o), good = 1;
  for (int m = 0; m < r->n_models; m++)
    submit_window(crew, r, m, samples, o);
  for (int m = 0; m < r->n_models && good; m++) {
    models[m] = finish_window(arena, crew, r, m, samples, o, d);
    good = models[m] != NULL;
  }
  return good ? models : NULL;
}

/* Window models by regression on simulated windows. */
#include "feedback/identify.h"

#include <math.h>
#include <string.h>

#define BATCH 50                /* samples to a job                                         */

void identify_defaults(struct identify_options *o)
{
  *o = (struct identify_options){.place = 0.005, .velocity = 0.02, .control = 0.02, .ridge = 1e-4, .seed = 1,
                                 .oversampling = 2, .surrogate = 1, .wild = 1};
}

static int count_samples(const struct reference *r, const struct identify_options *o)
{
  int n = o->samples > 0 ? o->samples : o->oversampling * (2 * r->n_dofs - 2 + r->n_dofs - CREATURE_ROOT_DOFS);
  return n + n % 2;
}

struct gathered { int n; double *x, *u, *end; };

static void identify_gather(struct gathered *g, const struct batch_sample *s, int count, int m, int r, double wild)
{
  for (int i = 0; i < count; i++) {
    int tame = s[i].good;
    for (int k = 0; tame && k < m; k++)
      tame = fabs(s[i].end[k]) < wild;
    if (!tame)
      continue;
    memcpy(g->x + (size_t)g->n * (size_t)m, s[i].start, (size_t)m * sizeof(double));
    memcpy(g->u + (size_t)g->n * (size_t)r, s[i].u, (size_t)r * sizeof(double));
    memcpy(g->end + (size_t)g->n * (size_t)m, s[i].end, (size_t)m * sizeof(double));
    g->n++;
  }
}

/* Random numbers depend on the motion alone, not on what else is identified with it. */
static uint64_t stream_of(const struct reference_key *k)
{
  return (((uint64_t)k->clip * 100003 + (uint64_t)k->frame) * 1009 + (uint64_t)k->end_clip * 31 +
          (uint64_t)k->n_frames) * 100000;
}

static void identify_submit(struct batches *batches, const struct reference *r, int model, int samples,
                          const struct identify_options *o)
{
  for (int from = 0; from < samples; from += BATCH) {
    struct batch b = {.kind = BATCH_PERTURBED, .window = r->typical[model], .seed = o->seed, .place = o->place,
                      .velocity = o->velocity, .control = o->control};
    b.n = samples - from < BATCH ? samples - from : BATCH;
    b.first = from;
    b.surrogate = o->surrogate && reference_upright(r, b.window);
    b.stream = stream_of(&r->keys[model]);
    batches_submit(batches, &b);
  }
}

/* Collects the batches of a model and fits it; NULL after an error. */
static const struct window_model *identify_collect(struct arena *arena, struct batches *batches,
                                                   const struct reference *r, int model, int samples,
                                                   const struct identify_options *o, struct diag *d)
{
  struct arena *scratch = arena_new();
  int m = 2 * r->n_dofs, n = r->n_dofs - CREATURE_ROOT_DOFS, w = r->typical[model], good = 1;
  struct gathered g = {.x = ARENA_NEW(scratch, (size_t)samples * (size_t)m, double)};
  g.u = ARENA_NEW(scratch, (size_t)samples * (size_t)n, double);
  g.end = ARENA_NEW(scratch, (size_t)samples * (size_t)m, double);
  for (int from = 0; from < samples && good; from += BATCH) {
    struct batch_sample *s;
    int count = batches_collect(batches, scratch, &s, d);
    good = count >= 0;
    if (good)
      identify_gather(&g, s, count, m, n, o->wild);
  }
  const double *start = r->q + (size_t)r->first[w] * (size_t)r->n_dofs;
  const double *end = r->q + (size_t)r->first[w + 1] * (size_t)r->n_dofs;
  struct window_samples s = {.n = g.n, .n_errors = m, .n_controls = n, .x = g.x, .u = g.u, .end = g.end,
                             .turn = end[3] - start[3],
                             .ridge = o->ridge, .scale_x = o->place, .scale_v = o->velocity, .scale_u = o->control};
  const struct window_model *out = good ? feedback_fit(arena, &s) : NULL;
  arena_free(scratch);
  return out;
}

/* ---- kept models ---- */

static const struct window_model *identify_find_kept(const struct identify_cache *cache,
                                                     const struct reference_key *key)
{
  for (int i = 0; cache && i < cache->n; i++)
    if (!memcmp(&cache->keys[i], key, sizeof *key))
      return cache->models[i];
  return NULL;
}

static void identify_keep(struct identify_cache *cache, const struct reference_key *key,
                          const struct window_model *model)
{
  if (cache->n == cache->room) {
    cache->room = 2 * cache->room + 64;
    struct reference_key *keys = ARENA_NEW(cache->arena, (size_t)cache->room, struct reference_key);
    const struct window_model **models = ARENA_NEW(cache->arena, (size_t)cache->room, const struct window_model *);
    for (int i = 0; i < cache->n; i++) {
      keys[i] = cache->keys[i];
      models[i] = cache->models[i];
    }
    cache->keys = keys;
    cache->models = models;
  }
  cache->keys[cache->n] = *key;
  cache->models[cache->n++] = model;
}

const struct window_model *const *identify_windows(struct arena *arena, struct batches *batches,
                                                   const struct reference *r,
                                                   const struct identify_options *o, struct diag *d)
{
  const struct window_model **models = ARENA_NEW(arena, (size_t)r->n_models, const struct window_model *);
  struct arena *home = o->cache ? o->cache->arena : arena;
  int samples = count_samples(r, o);
  for (int m = 0; m < r->n_models; m++)
    if (!(o->left_out && o->left_out[m]) && !(models[m] = identify_find_kept(o->cache, &r->keys[m])))
      identify_submit(batches, r, m, samples, o);
  for (int m = 0; m < r->n_models; m++) {
    if (models[m] || (o->left_out && o->left_out[m]))
      continue;
    models[m] = identify_collect(home, batches, r, m, samples, o, d);
    if (!models[m])
      return NULL;
    if (o->cache)
      identify_keep(o->cache, &r->keys[m], models[m]);
  }
  return models;
}

/* Does the task term of equation 6 make better controllers? The transitions of a synthesized graph are solved once
 * more, each shaped by what is asked of it while it is played, and take the place of those without: the same clips,
 * ends, turns and lengths.
 *   compare_task_gradients RUN [FACTOR]...       task gradients times FACTOR, default 1; prints the cost of the
 * graph before and after */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/mirror.h"
#include "search/job.h"
#include "search/task_gradients.h"
#include "store/store.h"

#define BRANCHES 8

struct study {
  struct arena *arena;
  const struct creature *c;
  const struct task *task;
  int n;
  struct graph_clip *clips;
  struct scene *s;
  struct farm *farm;
};

static const struct clip *clip_of(const struct study *y, int id)
{
  for (int i = 0; i < y->n; i++)
    if (y->clips[i].id == id)
      return y->clips[i].clip;
  return NULL;
}

static struct controller *controller_of(struct study *y, struct diag *d)
{
  struct graph_input in = {.creature = y->c, .file = "the run", .n_clips = y->n, .clips = y->clips,
                           .branches = BRANCHES};
  return controller_new(y->arena, &in, y->task, NULL, d);
}

/* The segment that begins with a clip, -1 if none. */
static int segment_of(const struct controller *c, int clip)
{
  for (int e = 0; e < c->graph->n_segments; e++)
    if (c->graph->segments[e].choice == clip)
      return e;
  return -1;
}

/* Clip i solved anew with its task gradients; NULL if it cannot be. */
static struct clip *solve(struct study *y, int i, double factor, double *seconds)
{
  const struct controller *c = y->s->controller;
  const struct clip *old = y->clips[i].clip;
  int e = segment_of(c, i), P = y->task->n_parameters;
  struct task_gradient gradients[TASK_GRADIENTS];
  double *asked[8];
  if (e < 0 || !(c->influence->mass[e] > 0))
    return NULL;
  for (int p = 0; p < P; p++) {
    size_t n = (size_t)y->task->parameters[p].n;
    asked[p] = memcpy(ARENA_NEW(y->arena, n, double), c->influence->theta[e * P + p], n * sizeof(double));
  }
  task_gradients_along(y->arena, y->s, asked, c->graph->segments[e].features, c->graph->segments[e].length, old->turn,
                       gradients);
  for (int k = 0; k < TASK_GRADIENTS; k++)
    gradients[k].velocity_weight *= factor, gradients[k].torso_weight *= factor;
  struct job job = {.candidate = {.kind = CANDIDATE_TRANSITION, .from_clip = old->from.clip,
                                  .from_frame = old->from.frame,
                                  .to_clip = old->to.clip, .to_frame = old->to.frame, .turn = old->turn,
                                  .frames = old->n_frames},
                    .from = clip_of(y, old->from.clip), .to = clip_of(y, old->to.clip), .branches = BRANCHES,
                    .alpha = y->task->alpha, .n_gradients = TASK_GRADIENTS, .gradients = gradients, .max_seconds = 60};
  struct farm_result r;
  size_t n;
  const void *bytes = job_pack(y->arena, &job, &n);
  farm_submit(y->farm, 0, bytes, n);
  if (farm_collect(y->farm, &r) != 1 || r.outcome != FARM_DONE)
    return NULL;
  const struct job_reply *reply = job_reply_unpack(y->arena, r.bytes, r.n_bytes);
  *seconds += reply ? reply->seconds : 0;
  return reply && reply->n_clips ? reply->clips[0].clip : NULL;
}

/* The mirror image of clip i among the clips, -1 if none: it lies right behind it. */
static int mirror_of(const struct study *y, int i)
{
  const struct clip *a = y->clips[i].clip, *b = i + 1 < y->n ? y->clips[i + 1].clip : NULL;
  return b && !b->cyclic && b->n_frames == a->n_frames && b->turn == -a->turn && a->turn != 0 ? i + 1 : -1;
}

static void replace(struct study *y, int i, struct clip *clip)
{
  int m = mirror_of(y, i);
  clip->from = y->clips[i].clip->from, clip->to = y->clips[i].clip->to;
  if (m >= 0) {
    struct clip *mirrored = clip_mirror(y->arena, y->c, clip);
    mirrored->from = y->clips[m].clip->from, mirrored->to = y->clips[m].clip->to;
    y->clips[m] = (struct graph_clip){y->clips[m].id, mirrored, NULL};
  }
  y->clips[i] = (struct graph_clip){y->clips[i].id, clip, NULL};
}

static void compare(struct study *y, double factor, struct diag *d)
{
  struct graph_clip *kept = ARENA_NEW(y->arena, (size_t)y->n, struct graph_clip);
  double seconds = 0, before = y->s->controller->cost, body = y->s->controller->body_cost;
  int solved = 0, tried = 0;
  memcpy(kept, y->clips, (size_t)y->n * sizeof *kept);
  for (int i = 0; i < y->n; i++) {
    struct clip *clip = NULL;
    if (y->clips[i].clip->cyclic || (i > 0 && mirror_of(y, i - 1) == i))
      continue;
    tried++;
    if ((clip = solve(y, i, factor, &seconds)))
      replace(y, i, clip), solved++;
  }
  const struct controller *c = controller_of(y, d);
  if (c)
    printf("task gradients x %g: %d of %d transitions solved anew in %.1f s; cost %.4f -> %.4f, of it effort %.4f -> "
           "%.4f\n",
           factor, solved, tried, seconds, before, c->cost, body, c->body_cost);
  fflush(stdout);
  memcpy(y->clips, kept, (size_t)y->n * sizeof *kept);
}

/* Clips of the graph in the order of its steps; 0 after an error. */
static int load(struct study *y, struct store *store, struct diag *d)
{
  int n_steps = 0;
  const char *file, *text;
  size_t length;
  struct store_synth told;
  struct store_step *steps = store_list_steps(y->arena, store, &n_steps, d);
  if (!steps || store_get_synth(y->arena, store, &told, d) != 1)
    return 0;
  y->c = store_get_creature(y->arena, store, d);
  text = store_get_task_text(y->arena, store, told.task, &file, &length, d);
  const struct task_file *t = y->c && text ? task_parse(y->arena, file, text, length, d) : NULL;
  y->task = t ? task_bind(y->arena, t, y->c, d) : NULL;
  for (int k = 0; k < n_steps; k++)
    y->n += steps[k].n_clips;
  y->clips = ARENA_NEW(y->arena, (size_t)y->n, struct graph_clip);
  y->n = 0;
  for (int k = 0; k < n_steps; k++)
    for (int i = 0; i < steps[k].n_clips; i++)
      y->clips[y->n++] =
          (struct graph_clip){steps[k].clips[i], store_get_clip(y->arena, store, steps[k].clips[i], d), NULL};
  const struct controller *c = y->task && !d->n_errors ? controller_of(y, d) : NULL;
  y->s = c ? scene_new(y->arena, c, BRANCHES) : NULL;
  return y->s != NULL;
}

int main(int argc, char **argv)
{
  struct study y = {.arena = arena_new()};
  struct job_worker worker = {0};
  struct farm_options o = {.kind = FARM_INLINE, .workers = 1, .user = &worker, .run = job_run, .prepare = job_prepare};
  struct diag d;
  diag_init(&d);
  struct store *store = argc > 1 ? store_open(y.arena, argv[1], STORE_READ, &d) : NULL;
  if (store && load(&y, store, &d)) {
    o.shared = store_get_creature_text(y.arena, store, &o.n_shared, &d);
    y.farm = farm_open(y.arena, &o, &d);
    for (int i = 2; i < argc && y.farm; i++)
      compare(&y, atof(argv[i]), &d);
    if (argc == 2 && y.farm)
      compare(&y, 1, &d);
    farm_close(y.farm);
  }
  char *words = diag_text(&d);
  fputs(words, stderr);
  free(words);
  store_close(store);
  job_worker_clear(&worker);
  arena_free(y.arena);
  return 0;
}

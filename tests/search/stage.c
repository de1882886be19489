/* Clips of the biped, solved by the workers' own code. */
#include "stage.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "farm/farm.h"
#include "search/job.h"
#include "search/predicted_gain.h"

const char stage_direction[] = "name = direction\n alpha = 0.3\n"
                               "parameter direction { grid = 72  jump_every = 3  drift_every = 1  drift = 5 }\n";
const char stage_torso[] = "name = torso\n alpha = 0.3\n"
                           "parameter direction { grid = 12  jump_every = 3  drift_every = 1  drift = 5 }\n"
                           "parameter torso { grid = 12  jump_every = 4  drift_every = 1  drift = 5 }\n";
const char stage_speed[] = "name = speed\n alpha = 0.3\n"
                           "parameter speed { grid = 7  jump_every = 6  unit = share  gait = all }\n"
                           "parameter gait { weight = 10  gaits = all  jump_every = 10 }\n";

/* ---- clips, really solved ---- */

/* The biped's file, and what the stage adds to it. */
static const char *stage_text(const struct stage *g, size_t *n)
{
  const char *folder = getenv("MUYBRIDGE_CREATURES");
  char *text = arena_alloc(g->arena, 1, (1 << 16) + 1);
  FILE *in = fopen(arena_printf(g->arena, "%s/biped.creature", folder ? folder : "creatures"), "rb");
  CHECK(in != NULL);
  text[in ? fread(text, 1, 1 << 16, in) : 0] = 0;
  if (in)
    fclose(in);
  const char *all = g->more ? arena_printf(g->arena, "%s%s", text, g->more) : text;
  *n = strlen(all);
  return all;
}

const struct creature *stage_creature(const struct stage *g)
{
  struct diag d;
  size_t n;
  const char *text = stage_text(g, &n);
  diag_init(&d);
  const struct creature *c = creature_parse(g->arena, "biped.creature", text, n, &d);
  CHECK(c != NULL);
  diag_clear(&d);
  return c;
}

static const struct clip *clip_by_id(const struct stage *g, int id)
{
  return id > 0 && id <= g->n_clips ? g->clips[id - 1].clip : NULL;
}

struct solved_candidate stage_solve(struct stage *g, const struct candidate *x)
{
  struct job_worker worker = {0};
  struct farm_options o = {.kind = FARM_INLINE, .workers = 1, .user = &worker, .run = job_run, .prepare = job_prepare};
  struct job job = {.candidate = *x,
                    .max_seconds = 60,
                    .branches = STAGE_BRANCHES,
                    .from = clip_by_id(g, x->from_clip),
                    .to = clip_by_id(g, x->to_clip)};
  struct farm_result r;
  struct solved_candidate f = {.candidate = *x};
  struct diag d;
  size_t n;
  diag_init(&d);
  o.shared = stage_text(g, &o.n_shared);
  struct farm *farm = farm_open(g->arena, &o, &d);
  const void *bytes = job_pack(g->arena, &job, &n);
  farm_submit(farm, 0, bytes, n);
  CHECK_INT(farm_collect(farm, &r), 1);
  const struct job_reply *reply = job_reply_unpack(g->arena, r.bytes, r.n_bytes);
  if (!reply || !reply->n_clips) {
    fprintf(stderr, "a candidate was not solved: %s\n", reply ? reply->reason : r.words);
    exit(99);
  }
  for (int i = 0; i < reply->n_clips; i++)
    f.clips[f.n_clips++] = (struct solved_clip){0, reply->clips[i].clip, reply->clips[i].from, reply->clips[i].to};
  f.n_solved = f.n_clips;
  farm_close(farm);
  job_worker_clear(&worker);
  return f;
}

void stage_give_ids(struct stage *g, struct solved_candidate *f)
{
  for (int i = 0; i < f->n_clips; i++) {
    struct clip *clip = ARENA_NEW(g->arena, 1, struct clip);
    *clip = *f->clips[i].clip;
    if (f->clips[i].from >= 0)
      clip->from.clip = f->clips[f->clips[i].from].id;
    if (f->clips[i].to >= 0)
      clip->to.clip = f->clips[f->clips[i].to].id;
    f->clips[i].clip = clip;
    f->clips[i].id = g->n_clips + 1;
    g->clips[g->n_clips++] = (struct graph_clip){f->clips[i].id, clip, NULL};
  }
}

/* ---- scenes ---- */

const struct task *stage_task_of(const struct stage *g, const char *text)
{
  struct diag d;
  diag_init(&d);
  const struct task_file *file = task_parse(g->arena, "test.task", text, strlen(text), &d);
  const struct task *task = file ? task_bind(g->arena, file, g->c, &d) : NULL;
  if (!task)
    fputs(diag_text(&d), stderr), exit(99);
  diag_clear(&d);
  return task;
}

struct scene *stage_scene_of(const struct stage *g, int n, const char *task)
{
  struct diag d;
  diag_init(&d);
  struct graph_input in = {g->c, "test.muy", n, g->clips, STAGE_BRANCHES, NULL};
  struct controller *c = controller_new(g->arena, &in, stage_task_of(g, task), NULL, &d);
  if (!c)
    fputs(diag_text(&d), stderr), exit(99);
  diag_clear(&d);
  struct scene *s = scene_new(g->arena, c, STAGE_BRANCHES);
  s->base = predicted_gain_prepare(g->arena, s);
  return s;
}

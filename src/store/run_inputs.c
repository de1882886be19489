/* See run_inputs.h. */
#include "store/run_inputs.h"

/* Ids of the clips: those of a synthesis' steps, in their order, or else all on level ground. NULL after an error. */
static int *ids_of_clips(struct arena *arena, struct store *s, int *n, struct diag *d)
{
  int n_steps = 0, n_lines = 0, *ids;
  struct store_step *steps = store_list_steps(arena, s, &n_steps, d);
  struct store_line *lines = steps ? store_list_clips(arena, s, &n_lines, d) : NULL;
  if (!lines)
    return NULL;
  ids = ARENA_NEW(arena, (size_t)n_lines + 1, int);
  *n = 0;
  for (int i = 0; i < n_steps; i++)
    for (int k = 0; k < steps[i].n_clips; k++)
      ids[(*n)++] = steps[i].clips[k];
  for (int i = 0; i < n_lines && !n_steps; i++)
    if (surface_is_level(&lines[i].clip.ground))
      ids[(*n)++] = lines[i].id;
  return ids;
}

int run_inputs_clips(struct arena *arena, struct store *s, const char *run, struct graph_input *out, struct diag *d)
{
  const struct creature *c = store_get_creature(arena, s, d);
  int n = 0, *ids = c ? ids_of_clips(arena, s, &n, d) : NULL;
  if (!ids)
    return 0;
  if (n == 0)
    diag_error(d, run, 0, "there are no clips in this run file");
  struct graph_clip *clips = ARENA_NEW(arena, (size_t)n, struct graph_clip);
  int good = n > 0;
  for (int i = 0; i < n && good; i++) {
    clips[i] = (struct graph_clip){ids[i], store_get_clip(arena, s, ids[i], d), NULL};
    good = clips[i].clip != NULL;
  }
  *out = (struct graph_input){.creature = c, .file = run, .n_clips = n, .clips = clips};
  return good;
}

const struct task *run_inputs_task(struct arena *arena, struct store *s, int id, const struct creature *c,
                                   struct diag *d)
{
  const char *file;
  size_t length;
  const char *text = store_get_task_text(arena, s, id, &file, &length, d);
  const struct task_file *t = text ? task_parse(arena, file, text, length, d) : NULL;
  return t ? task_bind(arena, t, c, d) : NULL;
}

struct muy_player_controller *run_inputs_player(struct arena *arena, const char *run, int id,
                                                struct store_controller *kept, const struct task **task,
                                                struct diag *d)
{
  struct store *s = store_open(arena, run, STORE_READ, d);
  const struct creature *c = s ? store_get_creature(arena, s, d) : NULL;
  int found = c && store_get_controller(arena, s, id, kept, d);
  *task = found ? run_inputs_task(arena, s, kept->task, c, d) : NULL;
  store_close(s);
  char why[160] = "";
  struct muy_player_controller *player = NULL;
  if (*task)
    player = muy_player_load_memory(kept->bytes, kept->n_bytes, why, sizeof why);
  if (*task && !player)
    diag_error(d, run, 0, "controller %d: %s", kept->id, why);
  return player;
}

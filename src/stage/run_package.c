/* Packages of run files. See run_package.h. */
#include "stage/run_package.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "control/record.h"
#include "store/controls.h"
#include "store/run_inputs.h"

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *run_package_note(struct arena *arena, const struct creature *c, const char *run,
                             const struct run_package_options *o)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out)
    arena_out_of_memory();
  struct json j = json_to(out);
  json_object(&j, NULL);
  json_text(&j, "run", base_name(run));
  json_text(&j, "title", o->title ? o->title : creature_title(arena, c));
  json_array(&j, "styles");
  for (int i = 0; i < c->n_styles; i++)
    json_text(&j, NULL, c->styles[i].name);
  json_end(&j);
  json_text(&j, "version", o->version);
  json_end(&j);
  if (fclose(out) != 0 || !text)
    arena_out_of_memory();
  const char *note = arena_strdup(arena, text);
  free(text);
  return note;
}

void run_package_hide_folders(struct arena *arena, struct stage_package *p)
{
  struct creature *c = memcpy(ARENA_NEW(arena, 1, struct creature), p->clips.creature, sizeof *c);
  c->file = base_name(c->file);
  p->clips.creature = c;
  p->clips.file = base_name(p->clips.file);
}

/* One clip of the file, and nothing around it. */
static int open_clip(struct arena *arena, struct store *s, const char *run, const char *which, struct graph_input *out,
                     struct diag *d)
{
  const struct creature *c = store_get_creature(arena, s, d);
  int id = c ? store_find_clip(s, which, d) : 0;
  struct clip *clip = id ? store_get_clip(arena, s, id, d) : NULL;
  struct graph_clip *clips = ARENA_NEW(arena, 1, struct graph_clip);
  if (!clip)
    return 0;
  clip->from = clip->to = (struct clip_end){0};
  clips[0] = (struct graph_clip){id, clip, NULL};
  *out = (struct graph_input){.creature = c, .file = run, .n_clips = 1, .clips = clips};
  return 1;
}

/* The newest policies for the whole graph, of any teacher. 1: they are there; 0: there are none; -1 after an error. */
static int find_control(struct arena *arena, struct store *s, struct store_control *kept, struct diag *d)
{
  int n = 0;
  const struct store_control *all = store_list_controls(arena, s, &n, d);
  if (!all)
    return -1;
  for (int i = n - 1; i >= 0; i--) {
    if (all[i].skill) /* for one clip alone */
      continue;
    int there = store_get_control(arena, s, all[i].teacher, kept, d); /* the newest of its teacher */
    if (there != 1 || !kept->skill)
      return there;
  }
  return 0;
}

/* Policies go in if they are of these clips. */
static void add_control(struct arena *arena, const char *run, const struct store_control *kept,
                        struct stage_package *p, struct diag *d)
{
  struct diag own;
  diag_init(&own);
  const struct motion_graph *motion = graph_new(arena, &p->clips, &own);
  const struct control_graph *graph = motion ? control_graph_new(arena, motion, 0, &own) : NULL;
  const struct controls *c = graph ? controls_read(arena, graph, kept->bytes, kept->n_bytes, &own) : NULL;
  if (c) {
    p->controls = controls_write_short(arena, c, &p->n_controls);
    p->step = graph->step;
  } else {
    diag_warning(d, run, 0, "its control graph is left out, as it does not fit its clips (%s); 'muybridge control' "
                 "learns it anew", own.n_messages ? own.messages[0].text : "no reason is known");
  }
  diag_clear(&own);
}

/* The controller with its task; a run file without one is no error unless one was asked for. */
static int open_controller(struct arena *arena, struct store *s, const struct run_package_options *o,
                           struct stage_package *p, struct diag *d)
{
  int n = 0;
  struct store_controller kept;
  if (!o->controller && !(store_list_controllers(arena, s, &n, d) && n > 0))
    return d->n_errors == 0;
  const struct task *task = store_get_controller(arena, s, o->controller, &kept, d)
                                ? run_inputs_task(arena, s, kept.task, p->clips.creature, d) : NULL;
  if (!task)
    return 0;
  p->player = kept.bytes;
  p->n_player = kept.n_bytes;
  p->task = stage_task_of(arena, task);
  return 1;
}

int run_package_open(struct arena *arena, const char *run, const struct run_package_options *o,
                     struct run_package *out, struct diag *d)
{
  struct stage_package *p = &out->package;
  struct store *s = store_open(arena, run, STORE_READ, d);
  struct store_control control;
  int controlled = 0;
  *out = (struct run_package){0};
  int good = s && (o->clip ? open_clip(arena, s, run, o->clip, &p->clips, d)
                           : run_inputs_clips(arena, s, run, &p->clips, d));
  if (good && !o->clip && !o->no_controller)
    good = open_controller(arena, s, o, p, d);
  if (good && !o->clip && !o->no_control) {
    controlled = find_control(arena, s, &control, d);
    good = controlled >= 0;
  }
  store_close(s);
  if (!good)
    return 0;
  if (controlled == 1)
    add_control(arena, run, &control, p, d);
  run_package_hide_folders(arena, p);
  p->note = run_package_note(arena, p->clips.creature, run, o);
  out->name = o->title ? o->title : creature_title(arena, p->clips.creature);
  if (o->clip)
    out->name = arena_printf(arena, "%s, %s", out->name, p->clips.clips[0].clip->name);
  return 1;
}

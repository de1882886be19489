/* muybridge export: a creature, or clips of it, as a file for another program. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exporting.h"
#include "cli/files.h"
#include "cli/options.h"
#include "exchange/exchange.h"
#include "motion/resample.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge export [OPTION]... CREATURE\n"
    "       muybridge export [OPTION]... RUN...\n"
    "Writes a creature, or a clip or the control graph of a run file (.muy), in another program's format. gltf and\n"
    "glb take all clips of all run files of one creature, each as an animation of its name, unless --clip names\n"
    "one.\n\n"
    "%s" /* --to, from the table of formats */
    "  -c, --clip CLIP    which clip, by number or name (default: the first; of gltf and glb: all)\n"
    "      --fps RATE     at this frame rate, 1 to 1000 (default: the creature's); in gltf and glb, where a cycle\n"
    "                     must close, the one that comes nearest\n"
    "      --in-place     gltf, glb: on the spot, without the way over the ground\n"
    "      --style NAME   the creature with this style (may be given again)\n"
    "  -o, --output FILE  where to (default: standard output); FILE.glb makes gltf glb, and the other way round\n"
    "  -h, --help         this text\n";

struct export_options {
  const char *to, *clip, *output; /* NULL: not given */
  struct cli_styles styles;
  double fps;                     /* 0: not given    */
  int in_place;
};

/* The help text; the first format is the default. */
static const char *write_usage(struct arena *arena)
{
  const char *formats = "";
  const struct exchange_format *f;
  for (int i = 0; (f = exchange_format(i)); i++)
    formats = arena_printf(arena, "%s  %-18s %s: %s%s\n", formats, i ? "" : "-t, --to FORMAT", f->name, f->what,
                           i ? "" : " (default)");
  formats = arena_printf(arena, "%s  %-18s %s: %s\n", formats, "", EXPORTING_POLICY, EXPORTING_POLICY_WHAT);
  return arena_printf(arena, usage, formats);
}

int cli_check_motion_file(const char *command, const char *path)
{
  if (exchange_format_of_path(path))
    return CLI_DONE;
  struct arena *arena = arena_new();
  int status = cli_usage_error(command, "--output: the name must end in %s, found '%s'; films: muybridge film",
                               exchange_list_formats(arena, 1, "."), path);
  arena_free(arena);
  return status;
}

/* What is exported: a creature, and clips of it. */
struct export_work {
  struct arena *arena;
  const struct export_options *options;
  const struct exchange_format *format;
  const struct creature *creature;
  const struct clip **clips;
  int n_clips;
  struct diag *d;
};

/* To standard output, or to a file. */
static int write_output(const struct export_work *w)
{
  const struct export_options *o = w->options;
  const struct exchange_output one = {w->format, w->creature, w->n_clips ? w->clips[0] : NULL};
  const struct exchange_several several = {w->format, {w->creature, w->n_clips, w->clips, o->in_place}};
  int (*write)(const void *what, FILE *out) = w->format->write_several ? exchange_write_several : exchange_write;
  const void *what = w->format->write_several ? (const void *)&several : &one;
  if (o->output)
    return cli_write("export", o->output, write, what) ? CLI_DONE : CLI_FAILED;
  if (!write(what, stdout))
    return CLI_DONE;
  fprintf(stderr, "muybridge export: cannot write standard output: %s\n", strerror(errno));
  return CLI_FAILED;
}

/* A creature's model as text: two that have the same are the same body. NULL if there is no memory for it. */
static char *model_text(const struct creature *c)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out)
    return NULL;
  exchange_write_mjcf(c, out);
  fclose(out);
  return text;
}

/* The creature of a run file, which must be that of the run files before. 0 after an error. */
static int take_creature(struct export_work *w, struct store *s, const char *path, const char *first)
{
  const struct creature *c = store_get_creature(w->arena, s, w->d);
  if (!c || !w->creature) {
    w->creature = c;
    return c != NULL;
  }
  char *one = model_text(w->creature), *other = model_text(c);
  int same = one && other && !strcmp(one, other);
  free(one);
  free(other);
  if (!same)
    diag_error(w->d, path, 0, "it is of another creature ('%s') than %s ('%s'); a file has one", c->name, first,
               w->creature->name);
  return same;
}

static void take_clip(struct export_work *w, struct store *s, int id)
{
  const struct clip *clip = id ? store_get_clip(w->arena, s, id, w->d) : NULL;
  if (clip && w->options->fps > 0)
    clip = clip_resample(w->arena, w->creature, clip, w->options->fps,
                         w->format->write_several ? RESAMPLE_CLOSED : RESAMPLE_EXACT);
  if (!clip)
    return;
  const struct clip **more = ARENA_NEW(w->arena, (size_t)w->n_clips + 1, const struct clip *);
  if (w->n_clips)
    memcpy(more, w->clips, (size_t)w->n_clips * sizeof *more);
  more[w->n_clips++] = clip;
  w->clips = more;
}

static void load_run(struct export_work *w, const char *path, const char *first)
{
  struct store *s = store_open(w->arena, path, STORE_READ, w->d);
  if (!s)
    return;
  if (take_creature(w, s, path, first) && w->format->of_clip) {
    int n = 0;
    const struct store_line *lines = store_list_clips(w->arena, s, &n, w->d);
    if (w->options->clip || !w->format->write_several || n == 0)
      take_clip(w, s, store_find_clip(s, w->options->clip, w->d));
    else
      for (int i = 0; lines && i < n; i++)
        take_clip(w, s, lines[i].id);
  }
  store_close(s);
}

/* What cannot go together: the exit status. */
static int check_options(struct arena *arena, const struct export_work *w, int n, char **paths)
{
  const struct export_options *o = w->options;
  const struct exchange_format *f = w->format;
  int n_runs = 0;
  for (int i = 0; i < n; i++)
    n_runs += store_is_run_file(paths[i]);
  if (o->clip && !f->of_clip)
    return cli_usage_error("export", "a clip has no place in %s; --clip is for %s", f->name,
                           exchange_list_formats(arena, 1, ""));
  if (o->fps > 0 && !f->of_clip)
    return cli_usage_error("export", "%s has no frames; --fps is for %s", f->name,
                           exchange_list_formats(arena, 1, ""));
  if (o->in_place && !f->write_several)
    return cli_usage_error("export", "--in-place is for gltf and glb, not for %s", f->name);
  if (n > 1 && !f->write_several)
    return cli_usage_error("export", "a file of %s is of one run file or creature, found %d", f->name, n);
  for (int i = 0; i < n && f->of_clip; i++)
    if (!store_is_run_file(paths[i]))
      return cli_usage_error("export", "%s is of a clip: name a run file (.muy) instead of '%s'", f->name, paths[i]);
  if (o->output && store_is_run_file(o->output))
    return cli_usage_error("export", "'%s' is a run file and would be lost; name another output", o->output);
  if (n_runs && o->styles.n)
    return cli_usage_error("export", "--style is for a creature; that of a run file has its styles already");
  return CLI_DONE;
}

/* Of formats that hold the same, the one that the name of the output says. */
static const struct exchange_format *choose_format(const struct export_options *o)
{
  const struct exchange_format *f = exchange_find_format(o->to);
  const struct exchange_format *named = o->output ? exchange_format_of_path(o->output) : NULL;
  return f && f->write_several && named && named->write_several ? named : f;
}

/* A policy is of a whole run file. */
static int export_policy(struct arena *arena, int n, char **paths, const struct export_options *o)
{
  if (n != 1 || !store_is_run_file(paths[0]))
    return cli_usage_error("export", "a policy is of one run file (.muy), found %s", n == 1 ? paths[0] : "several");
  if (o->clip || o->fps > 0 || o->in_place || o->styles.n)
    return cli_usage_error("export", "--clip, --fps, --in-place and --style have no place in a policy");
  if (o->output && store_is_run_file(o->output))
    return cli_usage_error("export", "'%s' is a run file and would be lost; name another output", o->output);
  return cli_export_policy(arena, paths[0], o->output);
}

static int export_files(struct arena *arena, int n, char **paths, const struct export_options *o)
{
  struct diag d;
  struct export_work w = {.arena = arena, .options = o, .format = choose_format(o), .d = &d};
  if (!strcmp(o->to, EXPORTING_POLICY))
    return export_policy(arena, n, paths, o);
  if (!w.format)
    return cli_usage_error("export", "unknown format '%s'; there are: %s, " EXPORTING_POLICY, o->to,
                           exchange_list_formats(arena, 0, ""));
  int status = check_options(arena, &w, n, paths);
  if (status != CLI_DONE)
    return status;
  diag_init(&d);
  for (int i = 0; i < n; i++)
    if (store_is_run_file(paths[i]))
      load_run(&w, paths[i], paths[0]);
    else
      w.creature = cli_load_styled(arena, paths[i], &o->styles, &d);
  status = cli_report(&d) ? CLI_WRONG_INPUT : write_output(&w);
  diag_clear(&d);
  return status;
}

static const struct cli_option export_options[] = {
    CLI_TEXT("to", 't', export_options, to), CLI_TEXT("clip", 'c', export_options, clip),
    CLI_VALUE("fps", 0, export_options, fps, 1, 1000), CLI_FLAG("in-place", 0, export_options, in_place),
    CLI_TEXT("output", 'o', export_options, output), CLI_STYLE, CLI_HELP, CLI_LAST};

int cli_export(int argc, char **argv)
{
  struct export_options o = {.to = exchange_format(0)->name};
  struct cli_line *line;
  struct arena *arena = arena_new();
  const struct cli_syntax syntax = {"export", write_usage(arena), "wrong option", export_options};
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands < 1)
    status = cli_usage_error("export", "name one creature or run file, found none");
  else if (status == CLI_DONE)
    status = export_files(arena, line->n_operands, line->operands, &o);
  status = cli_exit_status(&syntax, status);
  arena_free(arena);
  return status;
}

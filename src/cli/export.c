/* muybridge export: a creature, or a clip of it, as a file for another program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/options.h"
#include "exchange/exchange.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge export [OPTION]... CREATURE\n"
    "       muybridge export [OPTION]... RUN\n"
    "Writes a creature, or a clip of a run file (.muy), in another program's format.\n\n"
    "%s" /* --to, from the table of formats */
    "  -c, --clip CLIP    which clip, by number or name (default: the first)\n"
    "      --style NAME   the creature with this style (may be given again)\n"
    "  -o, --output FILE  where to (default: standard output)\n"
    "  -h, --help         this text\n";

struct export_options {
  const char *to, *clip, *output; /* NULL: not given */
  struct cli_styles styles;
};

/* The help text; the first format is the default. */
static const char *write_usage(struct arena *arena)
{
  const char *formats = "";
  const struct exchange_format *f;
  for (int i = 0; (f = exchange_format(i)); i++)
    formats = arena_printf(arena, "%s  %-18s %s: %s%s\n", formats, i ? "" : "-t, --to FORMAT", f->name, f->what,
                           i ? "" : " (default)");
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

/* To standard output, or to a file. */
static int write_output(const struct exchange_output *e, const struct export_options *o)
{
  if (o->output)
    return cli_write("export", o->output, exchange_write, e) ? CLI_DONE : CLI_FAILED;
  if (!exchange_write(e, stdout))
    return CLI_DONE;
  fprintf(stderr, "muybridge export: cannot write standard output: %s\n", strerror(errno));
  return CLI_FAILED;
}

static void load_run(struct arena *arena, const char *path, const struct export_options *o, struct exchange_output *e,
                     struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_READ, d);
  if (!s)
    return;
  e->creature = store_get_creature(arena, s, d);
  int id = e->creature && e->format->of_clip ? store_find_clip(s, o->clip, d) : 0;
  if (id)
    e->clip = store_get_clip(arena, s, id, d);
  store_close(s);
}

static int export_file(struct arena *arena, const char *path, const struct export_options *o)
{
  struct exchange_output e = {.format = exchange_find_format(o->to)};
  struct diag d;
  if (!e.format)
    return cli_usage_error("export", "unknown format '%s'; there are: %s", o->to, exchange_list_formats(arena, 0, ""));
  if (o->clip && !e.format->of_clip)
    return cli_usage_error("export", "a clip has no place in %s; --clip is for %s", o->to,
                           exchange_list_formats(arena, 1, ""));
  if (!store_is_run_file(path) && e.format->of_clip)
    return cli_usage_error("export", "%s is of a clip: name a run file (.muy) instead of '%s'", o->to, path);
  if (o->output && store_is_run_file(o->output))
    return cli_usage_error("export", "'%s' is a run file and would be lost; name another output", o->output);
  if (store_is_run_file(path) && o->styles.n)
    return cli_usage_error("export", "--style is for a creature; that of a run file has its styles already");
  diag_init(&d);
  if (store_is_run_file(path))
    load_run(arena, path, o, &e, &d);
  else
    e.creature = cli_load_styled(arena, path, &o->styles, &d);
  int status = cli_report(&d) ? CLI_WRONG_INPUT : write_output(&e, o);
  diag_clear(&d);
  return status;
}

static const struct cli_option export_options[] = {
    CLI_TEXT("to", 't', export_options, to), CLI_TEXT("clip", 'c', export_options, clip),
    CLI_TEXT("output", 'o', export_options, output), CLI_STYLE, CLI_HELP, CLI_LAST};

int cli_export(int argc, char **argv)
{
  struct export_options o = {.to = exchange_format(0)->name};
  struct cli_line *line;
  struct arena *arena = arena_new();
  const struct cli_syntax syntax = {"export", write_usage(arena), "wrong option", export_options};
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("export", "name one creature or run file, found %d", line->n_operands);
  else if (status == CLI_DONE)
    status = export_file(arena, line->operands[0], &o);
  status = cli_exit_status(&syntax, status);
  arena_free(arena);
  return status;
}

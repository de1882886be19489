/* muybridge export: a creature, or a clip of it, as a file for another program. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/options.h"
#include "exchange/exchange.h"
#include "store/store.h"

static const char usage[] =
    "Usage: muybridge export [OPTION]... CREATURE\n"
    "       muybridge export [OPTION]... RUN\n"
    "Writes a creature, or a clip of a run file (.muy), in another program's format.\n\n"
    "  -t, --to FORMAT    mjcf: a MuJoCo model whose joints are our degrees of freedom, in the same order (default)\n"
    "                     csv: a clip as a table: time, q, contacts and their forces, torques; SI units\n"
    "                     bvh: a clip for animation programs; centimetres, degrees, Y up\n"
    "  -c, --clip CLIP    which clip, by number or name (default: the first)\n"
    "  -o, --output FILE  where to (default: standard output)\n"
    "  -h, --help         this text\n";

enum format { MJCF, CSV, BVH, N_FORMATS };
static const char *const format_names[N_FORMATS] = {"mjcf", "csv", "bvh"};

struct export_options {
  enum format format;
  const char *to, *clip, *output; /* NULL: not given */
};

struct export_subject {
  const struct creature *c;
  const struct clip *clip;      /* NULL: the format has none */
};

static int write_subject(const struct export_subject *e, enum format format, FILE *out)
{
  switch (format) {
  case CSV: return exchange_write_csv(e->c, e->clip, out);
  case BVH: return exchange_write_bvh(e->c, e->clip, out);
  default: return exchange_write_mjcf(e->c, out);
  }
}

/* A file that is written in place: a device or a pipe, which a new file must not replace. */
static int is_special(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

/* To standard output, or to a file that is there only when all of it is. */
static int write_output(const struct export_subject *e, const struct export_options *o, struct arena *arena)
{
  const char *path = o->output, *part = path;
  if (path && !is_special(path))
    part = arena_printf(arena, "%s.part", path);
  FILE *out = path ? fopen(part, "w") : stdout;
  int failed = !out || write_subject(e, o->format, out);
  if (path && out)
    failed |= fclose(out) != 0;
  if (part != path && !failed)
    failed = rename(part, path) != 0;
  if (!failed)
    return CLI_DONE;
  fprintf(stderr, "muybridge export: cannot write %s: %s\n", path ? path : "standard output", strerror(errno));
  if (part != path && out)
    remove(part);
  return CLI_FAILED;
}

static void load_run(struct arena *arena, const char *path, const struct export_options *o, struct export_subject *e,
                     struct diag *d)
{
  struct store *s = store_open(arena, path, STORE_READ, d);
  if (!s)
    return;
  e->c = store_get_creature(arena, s, d);
  int id = e->c && o->format != MJCF ? store_find_clip(s, o->clip, d) : 0;
  if (id)
    e->clip = store_get_clip(arena, s, id, d);
  store_close(s);
}

static int export_file(struct arena *arena, const char *path, const struct export_options *o)
{
  struct export_subject e = {NULL, NULL};
  struct diag d;
  if (o->clip && o->format == MJCF)
    return cli_usage_error("export", "a clip has no place in mjcf; --clip is for csv and bvh");
  if (!store_is_run_file(path) && o->format != MJCF)
    return cli_usage_error("export", "%s is of a clip: name a run file (.muy) instead of '%s'", format_names[o->format],
                           path);
  if (o->output && store_is_run_file(o->output))
    return cli_usage_error("export", "'%s' is a run file and would be lost; name another output", o->output);
  diag_init(&d);
  if (store_is_run_file(path))
    load_run(arena, path, o, &e, &d);
  else
    e.c = cli_load_creature(arena, path, &d);
  int status = cli_report(&d) ? CLI_WRONG_INPUT : write_output(&e, o, arena);
  diag_clear(&d);
  return status;
}

/* The format of that name; N_FORMATS if there is none. */
static enum format find_format(const char *name)
{
  enum format f = MJCF;
  while (f < N_FORMATS && strcmp(format_names[f], name) != 0)
    f++;
  return f;
}

static const struct cli_option export_options[] = {
    CLI_TEXT("to", 't', export_options, to), CLI_TEXT("clip", 'c', export_options, clip),
    CLI_TEXT("output", 'o', export_options, output), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"export", usage, "wrong option", export_options};

int cli_export(int argc, char **argv)
{
  struct export_options o = {.to = "mjcf"};
  struct cli_line *line;
  struct arena *arena = arena_new();
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.format = find_format(o.to);
  if (status == CLI_DONE && o.format == N_FORMATS)
    status = cli_usage_error("export", "unknown format '%s'; there are: mjcf, csv, bvh", o.to);
  else if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("export", "name one creature or run file, found %d", line->n_operands);
  else if (status == CLI_DONE)
    status = export_file(arena, line->operands[0], &o);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

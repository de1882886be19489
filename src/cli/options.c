/* See options.h. The GNU C library takes lines apart, so that abbreviations, --name=value and options after operands
 * are as everywhere. */
#include "cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "cli/solving.h"
#include "physics/world.h"

enum { LONG_BASE = 1000 }; /* what getopt_long() returns of long options; letters are below */

/* As getopt_long() calls it. */
static int takes_value(const struct cli_option *o)
{
  if (o->kind == CLI_OPTION_FLAG || o->kind == CLI_OPTION_HELP)
    return no_argument;
  return o->kind == CLI_OPTION_READ_MAYBE ? optional_argument : required_argument;
}

static int is_named(const struct option *options, int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (!strcmp(options[i].name, name))
      return 1;
  return 0;
}

/* All options of the syntaxes, as getopt_long() wants them. */
static struct option *merge(struct arena *arena, const struct cli_syntax *const *syntaxes, int n, char **letters)
{
  int total = 0, n_options = 0, n_letters = 0;
  for (int i = 0; i < n; i++)
    for (const struct cli_option *o = syntaxes[i]->options; o->name; o++)
      total++;
  struct option *options = ARENA_NEW(arena, (size_t)total + 1, struct option);
  *letters = ARENA_NEW(arena, 3 * (size_t)total + 1, char);
  for (int i = 0; i < n; i++)
    for (const struct cli_option *o = syntaxes[i]->options; o->name; o++) {
      if (!is_named(options, n_options, o->name)) {
        options[n_options] = (struct option){o->name, takes_value(o), NULL, LONG_BASE + n_options};
        n_options++;
      }
      if (o->letter && !strchr(*letters, o->letter)) {
        (*letters)[n_letters++] = o->letter;
        for (int colons = takes_value(o); colons > 0; colons--) /* required_argument is 1, optional_argument 2 */
          (*letters)[n_letters++] = ':';
      }
    }
  return options;
}

struct cli_line *cli_line_new(struct arena *arena, const struct cli_syntax *const *syntaxes, int n, int argc,
                              char **argv)
{
  struct cli_line *line = ARENA_NEW(arena, 1, struct cli_line);
  char *letters;
  const struct option *options = merge(arena, syntaxes, n, &letters);
  *line = (struct cli_line){.argc = argc, .argv = ARENA_NEW(arena, (size_t)argc + 1, char *)};
  memcpy(line->argv, argv, (size_t)argc * sizeof *argv); /* before getopt_long() sorts it */
  size_t most = 1;
  for (int i = 1; i < argc; i++)
    most += strlen(argv[i]); /* "-qhx" are three */
  line->given = ARENA_NEW(arena, most, struct cli_given);
  for (int k; (k = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
    struct cli_given *g = &line->given[line->n_given++];
    g->text = optarg;
    if (k >= LONG_BASE)
      g->name = options[k - LONG_BASE].name;
    else if (k != '?')
      g->letter = (char)k;
  }
  line->n_operands = argc - optind;
  line->operands = argv + optind;
  return line;
}

static int matches(const struct cli_given *g, const char *name, char letter)
{
  return g->name ? !strcmp(g->name, name) : g->letter && g->letter == letter;
}

const char *cli_line_value(const struct cli_line *line, const char *name, char letter)
{
  const char *value = NULL;
  for (int i = 0; i < line->n_given; i++)
    if (matches(&line->given[i], name, letter))
      value = line->given[i].text ? line->given[i].text : "";
  return value;
}

int cli_accept_style(char *text, void *options)
{
  (void)text, (void)options;
  return CLI_DONE;
}

struct cli_styles cli_line_styles(struct arena *arena, const struct cli_line *line)
{
  struct cli_styles styles = {0, ARENA_NEW(arena, (size_t)line->n_given + 1, const char *)};
  for (int i = 0; i < line->n_given; i++)
    if (matches(&line->given[i], "style", 0))
      styles.names[styles.n++] = line->given[i].text;
  return styles;
}

static int read_number(const struct cli_option *o, const char *command, const char *text, void *out)
{
  char name[64];
  double x;
  snprintf(name, sizeof name, "--%s", o->name);
  if (!cli_number(command, name, text, o->least, o->most, &x))
    return CLI_WRONG_INPUT;
  if (o->kind == CLI_OPTION_NUMBER)
    *(double *)out = x;
  else if (o->kind == CLI_OPTION_COUNT)
    *(int *)out = (int)x;
  else
    *(uint64_t *)out = (uint64_t)x;
  return CLI_DONE;
}

static int read_one(const struct cli_syntax *s, const struct cli_option *o, char *text, void *options)
{
  void *out = (char *)options + o->at;
  switch (o->kind) {
  case CLI_OPTION_FLAG: *(int *)out = 1; return CLI_DONE;
  case CLI_OPTION_TEXT: *(const char **)out = text; return CLI_DONE;
  case CLI_OPTION_READ:
  case CLI_OPTION_READ_MAYBE: return o->read(text, options);
  case CLI_OPTION_HELP: fputs(s->usage, stdout); return CLI_HELPED;
  default: return read_number(o, s->command, text, out);
  }
}

static int refuse(const struct cli_syntax *s, const struct cli_given *g)
{
  if (g->name)
    return cli_usage_error(s->command, "%s: --%s", s->wrong, g->name);
  return g->letter ? cli_usage_error(s->command, "%s: -%c", s->wrong, g->letter)
         : cli_usage_error(s->command, "%s", s->wrong);
}

int cli_read(const struct cli_line *line, const struct cli_syntax *syntax, void *options)
{
  int status = CLI_DONE;
  for (int i = 0; i < line->n_given && status == CLI_DONE; i++) {
    const struct cli_given *g = &line->given[i];
    const struct cli_option *o = syntax->options;
    while (o->name && !matches(g, o->name, o->letter))
      o++;
    status = o->name ? read_one(syntax, o, g->text, options) : refuse(syntax, g);
  }
  return status;
}

int cli_parse(struct arena *arena, const struct cli_syntax *syntax, int argc, char **argv, void *options,
              struct cli_line **line)
{
  *line = cli_line_new(arena, &syntax, 1, argc, argv);
  return cli_read(*line, syntax, options);
}

int cli_exit_status(const struct cli_syntax *syntax, int status)
{
  return status == CLI_HELPED ? cli_finish_output(syntax->command) : status;
}

int cli_read_engine(const char *command, const char *text, int *engine)
{
  int found = world_engine_find(text);
  if (world_has_engine(found)) {
    *engine = found;
    return CLI_DONE;
  }
  char built[200] = "";
  for (int i = 0; world_engine_name(i); i++)
    if (world_has_engine(i))
      snprintf(built + strlen(built), sizeof built - strlen(built), "%s%s", built[0] ? ", " : "", world_engine_name(i));
  return found < 0 ? cli_usage_error(command, "--engine: one of %s, found '%s'", built, text)
                   : cli_usage_error(command, "--engine: this build has no %s; it has %s", text, built);
}

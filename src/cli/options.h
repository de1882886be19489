/* Command lines. A command has a table of its options: how each is called, what it may be, where its value goes. A
 * command that is several (track by method, play with pushes or without) has a table for each: its line is taken apart
 * once, by the names of all of them; what was given says which one it is; and that one's table gives the meaning.
 *
 * A table is of static data. Values go into the command's own struct of options, at an offset; what the value is, a
 * number, a whole number or a seed, follows from the type of the field. */
#ifndef MUYBRIDGE_CLI_OPTIONS_H
#define MUYBRIDGE_CLI_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/cli.h"

enum cli_option_kind {
  CLI_OPTION_FLAG, CLI_OPTION_NUMBER, CLI_OPTION_COUNT, CLI_OPTION_SEED, CLI_OPTION_TEXT, CLI_OPTION_READ,
  CLI_OPTION_READ_MAYBE, CLI_OPTION_HELP
};

struct cli_option {
  const char *name;             /* "samples"; NULL ends a table                           */
  char letter;                  /* 'n', or 0                                              */
  enum cli_option_kind kind;
  size_t at;                    /* in the struct of options                               */
  double least, most;           /* of numbers                                             */
  int (*read)(char *text, void *options); /* of what is none of these: the exit status    */
};

/* An option whose number goes to a field: double, int (cut to a whole number) or uint64_t. */
#define CLI_VALUE(name, letter, type, field, least, most)                                                              \
  {name, letter,                                                                                                       \
   _Generic(((struct type *)0)->field, double: CLI_OPTION_NUMBER, int: CLI_OPTION_COUNT, uint64_t: CLI_OPTION_SEED),   \
   offsetof(struct type, field), least, most, NULL}
/* An option without a value, that sets an int to 1. */
#define CLI_FLAG(name, letter, type, field)                                                                            \
  {name, letter, _Generic(((struct type *)0)->field, int: CLI_OPTION_FLAG), offsetof(struct type, field), 0, 0, NULL}
#define CLI_TEXT(name, letter, type, field)                                                                            \
  {name, letter, _Generic(((struct type *)0)->field, const char *: CLI_OPTION_TEXT), offsetof(struct type, field), 0,  \
   0, NULL}
#define CLI_READ(name, letter, function) {name, letter, CLI_OPTION_READ, 0, 0, 0, function}
/* Its value may be left out: --ghosts or --ghosts=3, -g or -g3; the text is then NULL. */
#define CLI_READ_MAYBE(name, letter, function) {name, letter, CLI_OPTION_READ_MAYBE, 0, 0, 0, function}
#define CLI_HELP {"help", 'h', CLI_OPTION_HELP, 0, 0, 0, NULL}
/* --style, any number of times: cli_line_styles() has them. */
#define CLI_STYLE {"style", 0, CLI_OPTION_READ, 0, 0, 0, cli_accept_style}
#define CLI_LAST {NULL, 0, CLI_OPTION_FLAG, 0, 0, 0, NULL}

struct cli_syntax {
  const char *command;          /* as it is called: "track"                               */
  const char *usage;            /* the text of --help                                     */
  const char *wrong;            /* said of an option that it has not: "wrong option"      */
  const struct cli_option *options;
};

/* A command line in parts. */
struct cli_line {
  int argc;                     /* as it was given, for the record                        */
  char **argv;
  int n_given;
  struct cli_given { const char *name; char letter, *text; } *given; /* name or letter; neither: unknown */
  int n_operands;
  char **operands;
};

/* Takes a line apart by the options of n syntaxes, which agree on what takes a value. Options that none has are told of
 * on standard error, and refused by cli_read(). */
struct cli_line *cli_line_new(struct arena *arena, const struct cli_syntax *const *syntaxes, int n, int argc,
                              char **argv);

/* The value that an option of this name or letter was given last ("" for one without a value); NULL: not given. */
const char *cli_line_value(const struct cli_line *line, const char *name, char letter);

/* All values of --style, in order. */
struct cli_styles cli_line_styles(struct arena *arena, const struct cli_line *line);
int cli_accept_style(char *text, void *options);

/* Reads values into the struct of options of a syntax, in the order in which they were given. CLI_DONE; CLI_HELPED
 * after the text of --help; the exit status after an error. */
enum { CLI_HELPED = -1 };
int cli_read(const struct cli_line *line, const struct cli_syntax *syntax, void *options);

/* Both in one for a command that is only one: options into the struct, operands into *line. */
int cli_parse(struct arena *arena, const struct cli_syntax *syntax, int argc, char **argv, void *options,
              struct cli_line **line);

/* The exit status of a command whose options were read: CLI_HELPED is done once the text of --help is written. */
int cli_exit_status(const struct cli_syntax *syntax, int status);

/* What a command may turn out to be: track --method guided and modal, play with pushes. The exit status, or
 * CLI_HELPED. */
extern const struct cli_syntax control_syntax, modal_syntax, pushing_syntax;
int control_line(struct arena *arena, const struct cli_line *line);
int modal_line(struct arena *arena, const struct cli_line *line);
int pushing_line(struct arena *arena, const struct cli_line *line);

#endif

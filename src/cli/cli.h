/* The commands of the program and what they share. Only this room prints to the terminal and decides the exit
 * status. */
#ifndef MUYBRIDGE_CLI_H
#define MUYBRIDGE_CLI_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/find.h"
#include "creature/creature.h"

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_WRONG_INPUT = 2 };

/* argv[0] is the command's name; returns the exit status. */
int cli_check(int argc, char **argv);
int cli_control(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_film(int argc, char **argv);
int cli_gait(int argc, char **argv);
int cli_gaits(int argc, char **argv);
int cli_repertoire(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_make_report(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_play(int argc, char **argv);
int cli_policy(int argc, char **argv);
int cli_resume(int argc, char **argv);
int cli_status(int argc, char **argv);
int cli_synth(int argc, char **argv);
int cli_task(int argc, char **argv);
int cli_track(int argc, char **argv);
int cli_transition(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_view(int argc, char **argv);
int cli_watch(int argc, char **argv);

/* What ranks of MPI other than the first do: solve what they are given, until they are sent home. */
void cli_serve(void);

/* Prints the messages of d on standard error, and clears it. Returns the number of errors. */
int cli_report(struct diag *d);

/* The file of a creature, style, task or script that is given as a path or by name ("horse"). Names are looked for in
 * the working folder, beside the program, in the folders of MUYBRIDGE_PATH, and where make install put them. NULL after
 * an error, which lists where it looked. */
const char *cli_find(struct arena *arena, const char *name, enum find_kind kind, struct diag *d);

/* Load what cli_find() finds. NULL after an error. */
struct script;
struct task;
const struct creature *cli_load_creature(struct arena *arena, const char *name, struct diag *d);

/* The same with styles, by path or by name; see cli_line_styles(). */
struct cli_styles { int n; const char **names; };
const struct creature *cli_load_styled(struct arena *arena, const char *name, const struct cli_styles *styles,
                                       struct diag *d);
const struct script *cli_load_script(struct arena *arena, const char *name, const struct task *task, struct diag *d);

/* "muybridge check: text" and a hint at --help, on standard error; returns CLI_WRONG_INPUT. */
int cli_usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Is a file of this name one that motion can be written to? CLI_DONE, or CLI_WRONG_INPUT after a message. */
int cli_check_motion_file(const char *command, const char *path);

/* The value of --engine: one that this build has (physics/world.h). The exit status. */
int cli_read_engine(const char *command, const char *text, int *engine);

/* Flushes standard output: CLI_DONE, or CLI_FAILED and a message when something could not be written. */
int cli_finish_output(const char *command);

#endif

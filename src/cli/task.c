/* muybridge task: the model of a user, learned from what people asked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/options.h"
#include "task/learn.h"

static const char usage[] =
    "Usage: muybridge task --learn [OPTION]... LOG...\n"
    "Makes a task of what people asked: how often each parameter jumps or drifts, by how much, and to which values.\n"
    "The logs are those that the page of muybridge view saves, all of one task and one creature. The result is a task\n"
    "file for synth and policy, with standard errors in its comments. Little data changes little of the task.\n\n"
    "  -l, --learn               learn from logs\n"
    "  -t, --task TASK           the task that the logs are of, by file or name (default: the one that they name)\n"
    "  -C, --creature CREATURE   the creature, likewise\n"
    "      --settle SECONDS      changes that follow each other within this time are one, such as those of a slider\n"
    "                            that is drawn or a key that is held (default 0.1)\n"
    "  -o, --output FILE.task    where to (default: standard output)\n"
    "  -q, --quiet               print errors only\n"
    "  -h, --help                this text\n\n"
    "Exit status: 0 done, 1 the file could not be written, 2 the input or the command line is wrong.\n";

struct task_options {
  const char *task, *creature, *output; /* NULL: not given */
  int learn, quiet;
  struct task_learn_options learning;
};

static const struct cli_option task_options[] = {
    CLI_FLAG("learn", 'l', task_options, learn), CLI_TEXT("task", 't', task_options, task),
    CLI_TEXT("creature", 'C', task_options, creature), CLI_VALUE("settle", 0, task_options, learning.settle, 0, 60),
    CLI_TEXT("output", 'o', task_options, output), CLI_FLAG("quiet", 'q', task_options, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"task", usage, "wrong option", task_options};

/* ---- what is learned for ---- */

/* The name of the file that a task of this name has, if it comes along: "direction and gait" is direction_gait. */
static const char *file_name(struct arena *arena, const char *name)
{
  static const char *const between[] = {" and ", ", ", " "};
  char *out = arena_strdup(arena, name), *to = out;
  for (const char *from = name; *from;) {
    size_t skip = 0;
    for (size_t i = 0; i < sizeof between / sizeof *between && !skip; i++)
      if (!strncmp(from, between[i], strlen(between[i])))
        skip = strlen(between[i]);
    *to++ = skip ? '_' : *from;
    from += skip ? skip : 1;
  }
  *to = 0;
  return out;
}

/* The path of the task or the creature: as given, or as the first log names it. NULL after an error. */
static const char *find_named(struct arena *arena, const char *given, const struct task_log *log, enum find_kind kind,
                              struct diag *d)
{
  int is_task = kind == FIND_TASK;
  if (given)
    return cli_find(arena, given, kind, d);
  const char *name = is_task ? log->task : log->creature, *path = NULL;
  struct diag own;
  diag_init(&own);
  if (!strpbrk(name, "/.")) /* a name, and nothing that could be a path */
    path = cli_find(arena, file_name(arena, name), kind, &own);
  diag_clear(&own);
  if (!path)
    diag_error(d, log->file, 0, "there is no file of the %s '%s' that it is of; name it: --%s FILE",
               is_task ? "task" : "creature", text_clip(name).word, is_task ? "task" : "creature");
  return path;
}

/* ---- what is printed ---- */

/* "a turn of 90 degrees", "1.2 m/s", "trot": the middle of a part. */
static struct text_phrase part_text(const struct task_learned_parameter *x, const struct task_parameter *p, int part)
{
  int listed = p->listed || p->kind->space == TASK_CATEGORY;
  double share = (part + 0.5) / x->n_weights, theta = p->least + share * (p->most - p->least);
  if (p->kind->space != TASK_CIRCLE)
    return task_value_text(p, listed ? p->values[part] : theta);
  struct text_phrase turn = task_value_text(p, 360.0 * part / x->n_weights * p->kind->scale), out;
  snprintf(out.words, sizeof out.words, "a turn of %.60s", turn.words);
  return out;
}

/* Where most jumps go: the three likeliest, of those with more than their share. */
static void print_weights(const struct task_learned_parameter *x, const struct task_parameter *p)
{
  const char *before = "    most to";
  for (int rank = 0; rank < 3; rank++)
    for (int i = 0; i < x->n_weights; i++) {
      int larger = 0;
      for (int k = 0; k < x->n_weights; k++)
        larger += x->weights[k] > x->weights[i] || (x->weights[k] == x->weights[i] && k < i);
      if (larger == rank && x->weights[i] * x->n_weights > 1) {
        printf("%s %s (%.0f %%)", before, part_text(x, p, i).words, 100 * x->weights[i]);
        before = ",";
      }
    }
  putchar('\n');
}

static void print_parameter(const struct task_learned_parameter *x, const struct task_parameter *p)
{
  const double scale = p->kind->scale;
  if (!x->known) {
    printf("  %s: as in the task\n", p->kind->name);
    return;
  }
  printf("  %s: %d change%s in %.4g s\n", p->kind->name, x->n_changes, x->n_changes == 1 ? "" : "s", x->seconds);
  printf("    jumps every %.3g s +- %.2g (%.1f)\n", x->jump_every, x->jump_every_error, x->jumps);
  if (x->drift_every > 0)
    printf("    drifts every %.3g s +- %.2g (%.1f), by %.3g +- %.2g %s\n", x->drift_every, x->drift_every_error,
           x->drifts, x->drift / scale, x->drift_error / scale, p->kind->unit);
  if (x->n_weights)
    print_weights(x, p);
}

static void print_learned(const struct task_learned *l, const char *output)
{
  printf("%s: '%s' of %s, learned from %d log%s, %.4g s\n", output, l->task->name, l->task->creature->name, l->n_logs,
         l->n_logs == 1 ? "" : "s", l->seconds);
  for (int p = 0; p < l->task->n_parameters; p++)
    print_parameter(&l->parameters[p], &l->task->parameters[p]);
}

/* ---- the work ---- */

/* Is what was learned a task that can be read? It is, unless numbers went astray. */
static int check_written(struct arena *arena, const struct task_learned *l, struct diag *d)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  int good = out && !task_learned_write(l, out);
  if (out)
    fclose(out);
  const struct task_file *file = good ? task_parse(arena, l->task->name, text, n, d) : NULL;
  good = file && task_bind(arena, file, l->task->creature, d);
  free(text);
  return good;
}

static const struct task_learned *learn(struct arena *arena, const struct task_options *o, int n, char **paths,
                                        struct diag *d)
{
  const struct task_log **logs = ARENA_NEW(arena, (size_t)n, const struct task_log *);
  for (int i = 0; i < n; i++)
    logs[i] = task_log_load(arena, paths[i], d);
  if (d->n_errors)
    return NULL;
  const char *task_path = find_named(arena, o->task, logs[0], FIND_TASK, d);
  const char *creature_path = find_named(arena, o->creature, logs[0], FIND_CREATURE, d);
  const struct task_file *base = task_path ? task_load(arena, task_path, d) : NULL;
  const struct creature *c = creature_path ? creature_load(arena, creature_path, d) : NULL;
  const struct task *task = base && c ? task_bind(arena, base, c, d) : NULL;
  return task ? task_learn(arena, base, task, n, logs, &o->learning, d) : NULL;
}

static int run_task(struct arena *arena, const struct task_options *o, int n, char **paths, struct diag *d)
{
  const struct task_learned *l = learn(arena, o, n, paths, d);
  if (!l)
    return CLI_WRONG_INPUT;
  if (!check_written(arena, l, d))
    return CLI_FAILED;
  if (!o->output) {
    task_learned_write(l, stdout);
    return cli_finish_output("task");
  }
  if (!cli_write("task", o->output, task_learned_write, l))
    return CLI_FAILED;
  if (!o->quiet)
    print_learned(l, o->output);
  return cli_finish_output("task");
}

int cli_task(int argc, char **argv)
{
  struct task_options o = {0};
  struct cli_line *line;
  struct diag d;
  struct arena *arena = arena_new();
  task_learn_defaults(&o.learning);
  diag_init(&d);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE && !o.learn)
    status = cli_usage_error("task", "say what to do: --learn LOG...");
  else if (status == CLI_DONE && line->n_operands < 1)
    status = cli_usage_error("task", "name a log, as the page of muybridge view saves it");
  else if (status == CLI_DONE && o.output && store_is_run_file(o.output))
    status = cli_usage_error("task", "'%s' is a run file and would be lost; name another output", o.output);
  else if (status == CLI_DONE)
    status = run_task(arena, &o, line->n_operands, line->operands, &d);
  if (cli_report(&d) && status == CLI_DONE)
    status = CLI_FAILED;
  diag_clear(&d);
  arena_free(arena);
  return cli_exit_status(&syntax, status);
}

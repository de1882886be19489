/* What was learned of a user as a task file: the keys of the task it was learned for, in their order, with those of the
 * user model in new lines, and comments that say where they come from. */
#include <math.h>
#include <string.h>

#include "task/learn.h"
#include "task/room.h"

#define COLUMN  14              /* of the signs = */
#define IN_LINE 12              /* numbers in a line */

/* ---- words ---- */

/* A text that may have anything in it, as a comment that ends with its line. */
static void put_comment(FILE *out, const char *text)
{
  for (; *text; text++)
    putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, out);
}

static int is_plain(const char *word)
{
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-%";
  return *word && !word[strspn(word, plain)];
}

/* A word as the reader wants it: in quotes if it has to be. */
static void put_word(FILE *out, const char *word)
{
  if (is_plain(word)) {
    fputs(word, out);
    return;
  }
  putc('"', out);
  for (; *word; word++) {
    if (*word == '"' || *word == '\\')
      putc('\\', out);
    putc(*word, out);
  }
  putc('"', out);
}

/* ---- keys ---- */

static int is_of_user(const char *key)
{
  static const char *const keys[] = {"jump_every", "drift_every", "drift", "jump_weights"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!strcmp(key, keys[i]))
      return 1;
  return 0;
}

static void put_entry(FILE *out, const struct text_entry *e)
{
  fprintf(out, "  %-*s = ", COLUMN - 2, e->key);
  if (e->n_values != 1)
    putc('{', out);
  for (int i = 0; i < e->n_values; i++) {
    if (i)
      fputs(", ", out);
    put_word(out, e->values[i]);
  }
  fputs(e->n_values != 1 ? "}\n" : "\n", out);
}

static void put_number(FILE *out, const char *key, double x, double error, const char *unit)
{
  char number[32];
  snprintf(number, sizeof number, "%.4g", x);
  fprintf(out, "  %-*s = %-9s # +- %.2g %s", COLUMN - 2, key, number, error, unit);
}

static const char *weights_are(const struct task_parameter *p)
{
  if (p->kind->space == TASK_CIRCLE)
    return "turns to the left of what is asked, evenly round the circle, the first 0 degrees";
  return p->kind->space == TASK_INTERVAL && !p->listed ? "even parts of the range, from the least"
                                                       : "one for each value, in their order";
}

static void put_weights(FILE *out, const struct task_learned_parameter *x, const struct task_parameter *p)
{
  double worst = 0.0;
  for (int i = 0; i < x->n_weights; i++)
    worst = fmax(worst, x->weights_error[i]);
  fprintf(out, "  # %s; +- %.2g at most\n  %-*s = {", weights_are(p), worst, COLUMN - 2, "jump_weights");
  for (int i = 0; i < x->n_weights; i++)
    fprintf(out, "%s%s%.4f", i ? "," : "", i == 0 ? "" : i % IN_LINE ? " " : "\n                  ", x->weights[i]);
  fputs("}\n", out);
}

/* The user model: what was learned, or the task's own. */
static void put_user(FILE *out, const struct task_learned_parameter *x, const struct task_parameter *p,
                     const struct task_asked *a)
{
  if (x->jump_every > 0.0) {
    put_number(out, "jump_every", x->jump_every, x->jump_every_error, "s");
    fprintf(out, ": %.1f of %d change%s in %.4g s\n", x->jumps, x->n_changes, x->n_changes == 1 ? "" : "s",
            x->seconds);
  }
  if (x->drift_every > 0.0) {
    put_number(out, "drift_every", x->drift_every, x->drift_every_error, "s");
    fprintf(out, ": the other %.1f\n", x->drifts);
    put_number(out, "drift", x->drift / p->drift_unit, x->drift_error / p->drift_unit,
               p->drift_unit == p->kind->scale ? p->kind->unit : "in the unit of the range");
    putc('\n', out);
  }
  if (x->n_weights)
    put_weights(out, x, p);
  for (const struct text_entry *e = a->section->entries; e; e = e->next)
    if (is_of_user(e->key) && (x->jump_every <= 0.0 || (!x->n_weights && !strcmp(e->key, "jump_weights"))))
      put_entry(out, e);
}

static void put_parameter(FILE *out, const struct task_learned *l, int index)
{
  const struct task_asked *a = &l->base->parameters[index];
  const struct task_parameter *p = &l->task->parameters[index];
  fprintf(out, "\nparameter %s {\n", p->kind->name);
  for (const struct text_entry *e = a->section->entries; e; e = e->next)
    if (!is_of_user(e->key))
      put_entry(out, e);
  if (!l->parameters[index].known)
    fputs("  # no log has it: as it was\n", out);
  put_user(out, &l->parameters[index], p, a);
  fputs("}\n", out);
}

int task_learned_write(const void *learned, FILE *out)
{
  const struct task_learned *l = learned;
  fprintf(out, "# Task '");
  put_comment(out, l->base->name);
  fprintf(out, "' with a user as people are, learned by muybridge task --learn from %.4g s of", l->seconds);
  fprintf(out, " %d log%s\n# with creature '", l->n_logs, l->n_logs == 1 ? "" : "s");
  put_comment(out, l->task->creature->name);
  fputs("'; +- are standard errors. doc/task-format.md, \"Learned from people\"\n", out);
  for (int i = 0; i < l->n_logs; i++) {
    fprintf(out, "#   %.4g s, %d lines: ", l->logs[i]->seconds, l->logs[i]->n_lines);
    put_comment(out, l->logs[i]->file);
    putc('\n', out);
  }
  fputs("name    = ", out);
  put_word(out, l->base->name);
  if (l->base->summary[0]) {
    fputs("\nsummary = ", out);
    put_word(out, l->base->summary);
  }
  fprintf(out, "\nalpha   = %.6g\n", l->base->alpha);
  for (int p = 0; p < l->task->n_parameters; p++)
    put_parameter(out, l, p);
  return fflush(out) != 0 || ferror(out) != 0;
}

#include "nature/table.h"

#include <math.h>
#include <stdarg.h>

struct table_bar table_no_bar(void)
{
  return (struct table_bar){-INFINITY, INFINITY};
}

struct table_bar table_above(double low)
{
  return (struct table_bar){low, INFINITY};
}

struct table_bar table_below(double high)
{
  return (struct table_bar){-INFINITY, high};
}

struct table_bar table_between(double low, double high)
{
  return (struct table_bar){low, high};
}

void table_section(struct table *t, const char *title, const char *prose)
{
  fprintf(t->out, "\n## %s\n%s\n| what | measured | in nature | bar | |\n|---|---|---|---|---|\n", title, prose);
}

static int table_is_bar(struct table_bar b)
{
  return isfinite(b.low) || isfinite(b.high);
}

static void table_print_bar(FILE *out, struct table_bar b)
{
  if (isfinite(b.low) && isfinite(b.high))
    fprintf(out, "%g to %g", b.low, b.high);
  else if (table_is_bar(b))
    fprintf(out, "%s %g", isfinite(b.low) ? "above" : "below", isfinite(b.low) ? b.low : b.high);
  else
    fputs("–", out);
}

/* The rest of a row, after what was measured. */
static void table_end_row(struct table *t, struct table_bar bar, const char *nature, const char *verdict)
{
  fprintf(t->out, " | %s | ", nature && *nature ? nature : "–");
  table_print_bar(t->out, bar);
  fprintf(t->out, " | %s |\n", verdict);
}

static void table_begin_row(struct table *t, const char *what, va_list arguments)
{
  fputs("| ", t->out);
  vfprintf(t->out, what, arguments);
  fputs(" | ", t->out);
}

static void table_judge(struct table *t, struct table_bar bar, double value, const char *nature)
{
  int met = value > bar.low && value < bar.high;
  if (table_is_bar(bar))
    t->met += met, t->missed += !met;
  table_end_row(t, bar, nature, !table_is_bar(bar) ? "" : met ? "met" : "**missed**");
}

/* Infinite are times only. "-0.00" would differ from "0.00" by nothing that anybody measured. */
static void table_print_number(FILE *out, double value, int decimals)
{
  double unit = pow(10, -decimals);
  if (isnan(value))
    fputs("none", out);
  else if (isinf(value))
    fputs("never", out);
  else
    fprintf(out, "%.*f", decimals, fabs(value) < 0.5 * unit ? 0 : value);
}

void table_number(struct table *t, struct table_bar bar, double value, int decimals, const char *nature,
                  const char *what, ...)
{
  va_list arguments;
  va_start(arguments, what);
  table_begin_row(t, what, arguments);
  va_end(arguments);
  table_print_number(t->out, value, decimals);
  table_judge(t, bar, value, nature);
}

void table_number_said(struct table *t, struct table_bar bar, double value, int decimals, const char *said,
                       const char *nature, const char *what, ...)
{
  va_list arguments;
  va_start(arguments, what);
  table_begin_row(t, what, arguments);
  va_end(arguments);
  table_print_number(t->out, value, decimals);
  fprintf(t->out, "%s", said);
  table_judge(t, bar, value, nature);
}

void table_words(struct table *t, const char *measured, const char *nature, const char *what, ...)
{
  va_list arguments;
  va_start(arguments, what);
  table_begin_row(t, what, arguments);
  va_end(arguments);
  fputs(measured, t->out);
  table_end_row(t, table_no_bar(), nature, "");
}

void table_skip(struct table *t, struct table_bar bar, const char *why, const char *what, ...)
{
  va_list arguments;
  va_start(arguments, what);
  table_begin_row(t, what, arguments);
  va_end(arguments);
  fprintf(t->out, "skipped: %s", why);
  t->skipped++;
  table_end_row(t, bar, NULL, "skipped");
}

void table_fail(struct table *t, const char *why, const char *what, ...)
{
  va_list arguments;
  va_start(arguments, what);
  table_begin_row(t, what, arguments);
  va_end(arguments);
  fputs(why, t->out);
  t->missed++;
  table_end_row(t, table_no_bar(), NULL, "**missed**");
}

/* The page that `nature` prints: sections of prose and tables in Markdown, one row for each measure. */
#ifndef MUYBRIDGE_TESTS_NATURE_TABLE_H
#define MUYBRIDGE_TESTS_NATURE_TABLE_H

#include <stdio.h>

struct table {
  FILE *out;
  int met, missed, skipped;     /* bars                                           */
};

/* A value meets it when low < value < high; NaN does not. No bar: both infinite. */
struct table_bar { double low, high; };
struct table_bar table_no_bar(void);
struct table_bar table_above(double low);
struct table_bar table_below(double high);
struct table_bar table_between(double low, double high);

/* A title, what is measured and how, and the head of a table. */
void table_section(struct table *t, const char *title, const char *prose);

/* A number, with so many decimals. `nature`: what animals do, and who measured it. */
void table_number(struct table *t, struct table_bar bar, double value, int decimals, const char *nature,
                  const char *what, ...) __attribute__((format(printf, 6, 7)));

/* The same with `said` after the number. */
void table_number_said(struct table *t, struct table_bar bar, double value, int decimals, const char *said,
                       const char *nature, const char *what, ...) __attribute__((format(printf, 7, 8)));

/* Words instead of a number, without a bar. */
void table_words(struct table *t, const char *measured, const char *nature, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* A bar that could not be looked at: "skipped: no reference file". */
void table_skip(struct table *t, struct table_bar bar, const char *why, const char *what, ...)
    __attribute__((format(printf, 4, 5)));

/* What could not be measured at all, such as a gait that is not solved: a bar that is missed. */
void table_fail(struct table *t, const char *why, const char *what, ...) __attribute__((format(printf, 3, 4)));

#endif

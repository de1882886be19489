/* Diagnostics: what is wrong with an input, where, and what would be right.
 *
 * Library code collects messages here instead of printing. A message reads "file:line: error: text"; line 0 is left
 * out. The same message about the same line is kept once. */
#ifndef MUYBRIDGE_DIAG_H
#define MUYBRIDGE_DIAG_H

#include <stddef.h>

enum diag_level { DIAG_WARNING, DIAG_ERROR };

struct diag_message {
  enum diag_level level;
  const char *file; /* owned by the diag */
  int line;
  char *text;
};

struct diag {
  struct diag_message *messages; /* in the order in which they were found; those past DIAG_MAX are only counted */
  int n_messages, n_errors, n_warnings;
};

#define DIAG_MAX 50

void diag_init(struct diag *d);
void diag_clear(struct diag *d);

void diag_error(struct diag *d, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *d, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* All messages as text, one a line, sorted by file and line, and how many were only counted; the caller frees it. */
char *diag_text(const struct diag *d);

#endif

/* The look at a text before libConfuse sees it. For text.c, and for store/flatten.c, which looks for includes.
 *
 * libConfuse 3.3 drops some characters without a word (+, *), counts lines wrongly after a comment, expands environment
 * variables, leaks on a broken call, and is unusable for the next text after an unfinished quote. So what it cannot
 * digest is reported here, and what remains is rewritten: comments and carriage returns become blanks, lines stay. */
#ifndef MUYBRIDGE_TEXT_SCAN_H
#define MUYBRIDGE_TEXT_SCAN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

#define TEXT_MAX_BYTES (1u << 20) /* of one file */

/* A copy of the text, fit for libConfuse: never empty, ends in 0. NULL after an error. In *unclosed the line of a '{'
 * without its '}', which libConfuse takes for closed at the end of the file; 0 if there is none. */
char *text_scan(struct arena *arena, const char *file, const char *text, size_t length, int *unclosed, struct diag *d);

void text_complain_size(const char *file, size_t length, struct diag *d);

#endif

/* Words and signs of a text file, for text.c, and for store/flatten.c, which looks for includes.
 *
 * A text is words, the signs = { } ( ) , and comments: from # or // to the end of the line, or between slash-star and
 * star-slash, which do not nest. A word is anything without blanks, signs and quotes; in quotes it may have any of
 * them, but no end of line. In double quotes a backslash is written \\ and a quote \"; in single quotes \\ and \' mean
 * the same, and any other backslash is one. Lines end as they do on any system. */
#ifndef MUYBRIDGE_TEXT_LEX_H
#define MUYBRIDGE_TEXT_LEX_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

#define TEXT_MAX_BYTES (1u << 20) /* of one file */

struct text_lexer {
  const char *file;
  const char *text;              /* a copy: carriage returns and a byte order mark are blanks or line ends            */
  size_t length, at;             /* of the next character                                                             */
  int line;                      /* that it stands in                                                                 */
  struct diag *d;
  int n_errors;
};

/* kind: TEXT_WORD, a sign, or 0 at the end. from .. until - 1 are its characters, quotes included. */
#define TEXT_WORD 'w'
struct text_token { char kind, quote; int line; size_t from, until; };

/* To the beginning of a text, all of which has been looked at: 0 after errors, of which there may be several. */
int text_lex_open(struct arena *arena, const char *file, const char *text, size_t length, struct diag *d,
                  struct text_lexer *lex);

/* To the beginning again. */
void text_lex_rewind(struct text_lexer *lex);

struct text_token text_lex_next(struct text_lexer *lex);

/* What a word says, without its quotes; a sign as it is. */
char *text_lex_word(struct arena *arena, const struct text_lexer *lex, const struct text_token *t);

void text_complain_size(const char *file, size_t length, struct diag *d);

#endif

/* See text_lex.h. The whole text is looked at first, so that all errors of characters and quotes are reported at once;
 * whoever then reads it meets none. */
#include "base/text_lex.h"

#include <math.h>
#include <string.h>

#define NO_QUOTE "text in quotes has no closing quote on its line"

static char lex_at(const struct text_lexer *lex, size_t i) { return i < lex->length ? lex->text[i] : '\0'; }

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static void lex_fail(struct text_lexer *lex, int line, const char *text)
{
  diag_error(lex->d, lex->file, line, "%s", text);
  lex->n_errors++;
}

/* Up to the next word or sign. */
static void skip_blanks(struct text_lexer *lex)
{
  for (;;) {
    char c = lex_at(lex, lex->at), next = lex_at(lex, lex->at + 1);
    if (c == '#' || (c == '/' && next == '/')) {
      while (lex->at < lex->length && lex_at(lex, lex->at) != '\n')
        lex->at++;
    } else if (c == '/' && next == '*') {
      int opened = lex->line;
      for (lex->at += 2; lex->at < lex->length && !(lex_at(lex, lex->at) == '*' && lex_at(lex, lex->at + 1) == '/');)
        lex->line += lex_at(lex, lex->at++) == '\n';
      if (lex->at >= lex->length)
        lex_fail(lex, opened, "this comment is not closed; */ is missing");
      lex->at += lex->at < lex->length ? 2 : 0;
    } else if (is_blank(c)) {
      lex->line += c == '\n';
      lex->at++;
    } else {
      return;
    }
  }
}

static const char NO_VARIABLES[] = "environment variables are not expanded; '${' is not allowed";

/* From a quote to behind the one that closes it. */
static void skip_quotes(struct text_lexer *lex)
{
  char quote = lex_at(lex, lex->at++);
  for (; lex->at < lex->length && lex_at(lex, lex->at) != '\n'; lex->at++) {
    char c = lex_at(lex, lex->at), next = lex_at(lex, lex->at + 1);
    if (c == quote) {
      lex->at++;
      return;
    }
    if (c == '\\' && (next == quote || next == '\\'))
      lex->at++;
    else if (c == '\\' && quote == '"')
      lex_fail(lex, lex->line, "in double quotes a backslash is written \\\\, and a quote \\\"");
    else if (c == '$' && next == '{' && quote == '"')
      lex_fail(lex, lex->line, NO_VARIABLES);
  }
  lex_fail(lex, lex->line, NO_QUOTE);
}

static void skip_word(struct text_lexer *lex)
{
  for (; lex->at < lex->length; lex->at++) {
    char c = lex_at(lex, lex->at), next = lex_at(lex, lex->at + 1);
    if (is_blank(c) || strchr("={}(),\"'#", c) || (c == '/' && (next == '/' || next == '*')))
      return;
    if (c == '+')
      lex_fail(lex, lex->line, "'+' is not allowed here; write 1e3 instead of 1e+3, or put the text in quotes");
    if (c == '*')
      lex_fail(lex, lex->line, "'*' is not allowed here; put the text in quotes");
    if (c == '|')
      lex_fail(lex, lex->line, "'|' is not allowed here; put the text in quotes");
    if (c == '$' && next == '{')
      lex_fail(lex, lex->line, NO_VARIABLES);
  }
}

struct text_token text_lex_next(struct text_lexer *lex)
{
  skip_blanks(lex);
  char c = lex_at(lex, lex->at);
  struct text_token t = {.kind = TEXT_WORD, .line = lex->line, .from = lex->at};
  if (lex->at >= lex->length) {
    t.kind = 0;
  } else if (c == '"' || c == '\'') {
    t.quote = c;
    skip_quotes(lex);
  } else if (strchr("={}(),", c)) {
    t.kind = c;
    lex->at++;
  } else {
    skip_word(lex);
  }
  t.until = lex->at;
  return t;
}

char *text_lex_word(struct arena *arena, const struct text_lexer *lex, const struct text_token *t)
{
  size_t from = t->from + (t->quote != 0), until = t->until - (t->quote != 0), n = 0;
  char *word = arena_alloc(arena, until - from + 1, 1);
  for (size_t i = from; i < until; i++) {
    char c = lex->text[i], next = i + 1 < until ? lex->text[i + 1] : '\0';
    i += t->quote && c == '\\' && (next == t->quote || next == '\\');
    word[n++] = lex->text[i];
  }
  return word;
}

/* ---- a whole text ---- */

void text_complain_size(const char *file, size_t length, struct diag *d)
{
  double tenths = ceil(10.0 * (double)length / TEXT_MAX_BYTES); /* up, so that a little more than 1 does not read 1.0 */
  diag_error(d, file, 0, "file is %.1f MiB, at most 1 MiB is allowed", tenths / 10.0);
}

/* Line ends of other systems and a byte order mark become line ends and blanks. 0 after bytes that no text has. */
static int clean_bytes(struct text_lexer *lex, char *text)
{
  int line = 1;
  if (lex->length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
    memset(text, ' ', 3);
  for (size_t i = 0; i < lex->length; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '\r')
      text[i] = lex_at(lex, i + 1) == '\n' ? ' ' : '\n';
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) {
      diag_error(lex->d, lex->file, line, "not a text file: byte 0x%02x at line %d", c, line);
      return 0;
    }
    line += text[i] == '\n';
  }
  return 1;
}

void text_lex_rewind(struct text_lexer *lex)
{
  lex->at = 0;
  lex->line = 1;
}

int text_lex_open(struct arena *arena, const char *file, const char *text, size_t length, struct diag *d,
                  struct text_lexer *lex)
{
  if (length > TEXT_MAX_BYTES) {
    text_complain_size(file, length, d);
    return 0;
  }
  char *copy = arena_alloc(arena, length + 1, 1);
  *lex = (struct text_lexer){.file = file, .text = copy, .length = length, .line = 1, .d = d};
  if (length)
    memcpy(copy, text, length);
  if (!clean_bytes(lex, copy))
    return 0;
  struct text_token t[4] = {{0}}; /* the last four */
  do {
    memmove(t, t + 1, 3 * sizeof *t);
    t[3] = text_lex_next(lex);
    if (t[1].kind == '=' && t[2].kind == '{' && t[3].kind == '}')
      lex_fail(lex, t[3].line, "nothing between the braces; give a value");
    int cut = t[2].kind == '(' && !t[3].kind;
    if (cut || (t[1].kind == '(' && !(t[2].kind == TEXT_WORD && t[3].kind == ')')))
      lex_fail(lex, t[cut ? 2 : 1].line, "'(' is only for include(\"file\"), with one file in quotes");
  } while (t[3].kind);
  text_lex_rewind(lex);
  return lex->n_errors == 0;
}

/* The look at a text before libConfuse sees it: one pass over its characters, see text_scan.h for why. */
#include "base/text_scan.h"

#include <math.h>
#include <string.h>

#define NO_QUOTE  "text in quotes has no closing quote on its line"

#define MAX_DEPTH 8

enum place { PLAIN, LINE_COMMENT, BLOCK_COMMENT, DOUBLE_QUOTES, SINGLE_QUOTES };

struct scan {
  const char *file;
  struct diag *d;
  char *text; /* the copy, rewritten in place                   */
  size_t length, i;
  enum place place;
  int line;
  int opened;            /* line of the quote or comment we are in         */
  char last[2];          /* the last two that are neither blank nor comment */
  int depth;             /* braces open                                    */
  int braces[MAX_DEPTH]; /* the lines of the outermost of them             */
  int failed;
};

static void fail(struct scan *s, const char *text)
{
  diag_error(s->d, s->file, s->line, "%s", text);
  s->failed = 1;
}

static char at(const struct scan *s, size_t i) { return i < s->length ? s->text[i] : '\0'; }

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* Bytes that no text has, line ends of other systems, a byte order mark. 0 after an error. */
static int clean_bytes(struct scan *s)
{
  int line = 1;
  if (s->length >= 3 && !memcmp(s->text, "\xEF\xBB\xBF", 3))
    memset(s->text, ' ', 3);
  for (size_t i = 0; i < s->length; i++) {
    unsigned char c = (unsigned char)s->text[i];
    if (c == '\r')
      s->text[i] = at(s, i + 1) == '\n' ? ' ' : '\n';
    if (s->text[i] == '\n')
      line++;
    if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) {
      diag_error(s->d, s->file, line, "not a text file: byte 0x%02x at line %d", c, line);
      return 0;
    }
  }
  return 1;
}

/* Is what follows the parenthesis at i one text and a closing parenthesis? libConfuse leaks when it is not. */
static int is_call(const struct scan *s, size_t i)
{
  for (i++; is_blank(at(s, i)); i++) {}
  char quote = at(s, i);
  size_t start = i;
  if (quote == '"' || quote == '\'') {
    for (i++; i < s->length && at(s, i) != quote && at(s, i) != '\n'; i++) {}
    if (at(s, i++) != quote)
      return 0;
  } else {
    while (i < s->length && !is_blank(at(s, i)) && !strchr("\"'#={}()+,*", at(s, i)))
      i++;
    if (i == start)
      return 0;
  }
  while (is_blank(at(s, i)))
    i++;
  return at(s, i) == ')';
}

static void open_place(struct scan *s, enum place place)
{
  s->place = place;
  s->opened = s->line;
}

static void remember(struct scan *s, char c)
{
  if (is_blank(c))
    return;
  s->last[0] = s->last[1];
  s->last[1] = c;
}

static void count_braces(struct scan *s, char c)
{
  if (c == '{' && s->depth < MAX_DEPTH)
    s->braces[s->depth] = s->line;
  if (c == '{')
    s->depth++;
  if (c == '}' && s->depth > 0)
    s->depth--;
}

static void step_plain(struct scan *s)
{
  char c = at(s, s->i), next = at(s, s->i + 1);
  if (c == '#' || (c == '/' && next == '/')) {
    open_place(s, LINE_COMMENT);
    s->text[s->i] = ' ';
    return;
  }
  if (c == '/' && next == '*') {
    open_place(s, BLOCK_COMMENT);
    s->text[s->i] = s->text[s->i + 1] = ' '; /* both, or the star might close it too */
    return;
  }
  if (c == '"')
    open_place(s, DOUBLE_QUOTES);
  if (c == '\'')
    open_place(s, SINGLE_QUOTES);
  if (c == '+')
    fail(s, "'+' is not allowed here; write 1e3 instead of 1e+3, or put the text in quotes");
  if (c == '*')
    fail(s, "'*' is not allowed here; put the text in quotes");
  if (c == '|')
    fail(s, "'|' is not allowed here; put the text in quotes");
  if (c == '(' && !is_call(s, s->i))
    fail(s, "'(' is only for include(\"file\"), with one file in quotes");
  if (c == '}' && s->last[1] == '{' && s->last[0] == '=')
    fail(s, "nothing between the braces; give a value");
  count_braces(s, c);
  remember(s, c);
}

static void step_comment(struct scan *s)
{
  char c = at(s, s->i);
  if (s->place == LINE_COMMENT && c == '\n')
    s->place = PLAIN;
  if (s->place == BLOCK_COMMENT && c == '*' && at(s, s->i + 1) == '/') {
    s->place = PLAIN;
    s->text[s->i++] = ' ';
  }
  if (c != '\n')
    s->text[s->i] = ' ';
}

static void step_quotes(struct scan *s)
{
  char c = at(s, s->i), next = at(s, s->i + 1), quote = s->place == DOUBLE_QUOTES ? '"' : '\'';
  if (c == '\n') {
    fail(s, NO_QUOTE);
    s->place = PLAIN;
  } else if (c == quote) {
    s->place = PLAIN;
  } else if (c == '\\' && (next == quote || next == '\\')) {
    s->i++;
  } else if (c == '\\' && quote == '"') { /* libConfuse has C's escapes, and halts in the middle of a bad one */
    fail(s, "in double quotes a backslash is written \\\\, and a quote \\\"");
  }
}

/* Which places to look in for "${": libConfuse does it in plain text and in double quotes. */
static int is_variable(const struct scan *s)
{
  return (s->place == PLAIN || s->place == DOUBLE_QUOTES) && at(s, s->i) == '$' && at(s, s->i + 1) == '{';
}

static void check_end(struct scan *s)
{
  s->line = s->opened;
  if (s->place == BLOCK_COMMENT)
    fail(s, "this comment is not closed; */ is missing");
  if (s->place == DOUBLE_QUOTES || s->place == SINGLE_QUOTES)
    fail(s, NO_QUOTE);
}

void text_complain_size(const char *file, size_t length, struct diag *d)
{
  double tenths = ceil(10.0 * (double)length / TEXT_MAX_BYTES); /* up, so that a little more than 1 does not read 1.0 */
  diag_error(d, file, 0, "file is %.1f MiB, at most 1 MiB is allowed", tenths / 10.0);
}

char *text_scan(struct arena *arena, const char *file, const char *text, size_t length, int *unclosed, struct diag *d)
{
  *unclosed = 0;
  if (length > TEXT_MAX_BYTES) {
    text_complain_size(file, length, d);
    return NULL;
  }
  struct scan s = {.file = file, .d = d, .length = length, .line = 1, .text = arena_alloc(arena, length + 2, 1)};
  if (length)
    memcpy(s.text, text, length);
  if (!clean_bytes(&s))
    return NULL;
  for (s.i = 0; s.i < length; s.i++) {
    char c = s.text[s.i];
    if (is_variable(&s))
      fail(&s, "environment variables are not expanded; '${' is not allowed");
    if (s.place == PLAIN)
      step_plain(&s);
    else if (s.place == LINE_COMMENT || s.place == BLOCK_COMMENT)
      step_comment(&s);
    else
      step_quotes(&s);
    if (c == '\n')
      s.line++;
  }
  check_end(&s);
  if (s.depth > 0)
    *unclosed = s.braces[s.depth > MAX_DEPTH ? MAX_DEPTH - 1 : s.depth - 1];
  s.text[length] = '\n'; /* never empty: fmemopen() may refuse that */
  return s.failed ? NULL : s.text;
}

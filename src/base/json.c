/* See json.h. */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

struct json json_to(FILE *out)
{
  return (struct json){.out = out};
}

static void put_string(FILE *out, const char *text)
{
  putc('"', out);
  for (const char *s = text; *s;) {
    int n = utf8_length(s);
    if (n == 0)
      fputs(UTF8_REPLACEMENT, out);
    else if (*s == '"' || *s == '\\')
      fprintf(out, "\\%c", *s);
    else if (n == 1 && ((unsigned char)*s < 0x20 || *s == 0x7f))
      fprintf(out, "\\u%04x", (unsigned)*s);
    else
      fwrite(s, 1, (size_t)n, out);
    s += n ? n : 1;
  }
  putc('"', out);
}

/* What stands before a value: a comma, a line's end, its key. */
static void begin_item(struct json *j, const char *key)
{
  if (j->depth > 0) {
    char *items = &j->items[j->depth - 1];
    assert((key != NULL) == (j->close[j->depth - 1] == '}'));
    if (*items)
      fputs(j->broken ? "," : ", ", j->out);
    if (j->broken)
      fprintf(j->out, "\n%*s", j->depth, "");
    *items = 1;
  } else {
    assert(!key);
  }
  j->broken = 0;
  if (key) {
    put_string(j->out, key);
    fputs(": ", j->out);
  }
}

static void open_item(struct json *j, const char *key, char open, char close)
{
  assert(j->depth < JSON_DEPTH);
  begin_item(j, key);
  putc(open, j->out);
  j->close[j->depth] = close;
  j->items[j->depth++] = 0;
}

void json_object(struct json *j, const char *key)
{
  open_item(j, key, '{', '}');
}

void json_array(struct json *j, const char *key)
{
  open_item(j, key, '[', ']');
}

void json_end(struct json *j)
{
  assert(j->depth > 0);
  putc(j->close[--j->depth], j->out);
  j->broken = 0;
  if (j->depth == 0)
    putc('\n', j->out);
}

void json_text(struct json *j, const char *key, const char *text)
{
  begin_item(j, key);
  if (text)
    put_string(j->out, text);
  else
    fputs("null", j->out);
}

void json_number(struct json *j, const char *key, double x, int digits)
{
  begin_item(j, key);
  if (isfinite(x))
    fprintf(j->out, "%.*g", digits, x);
  else
    fputs("null", j->out);
}

void json_integer(struct json *j, const char *key, long long x)
{
  begin_item(j, key);
  fprintf(j->out, "%lld", x);
}

void json_unsigned(struct json *j, const char *key, unsigned long long x)
{
  begin_item(j, key);
  fprintf(j->out, "%llu", x);
}

void json_truth(struct json *j, const char *key, int x)
{
  begin_item(j, key);
  fputs(x ? "true" : "false", j->out);
}

void json_numbers(struct json *j, const char *key, int n, const double *x, int digits)
{
  json_array(j, key);
  for (int i = 0; i < n; i++)
    json_number(j, NULL, x[i], digits);
  json_end(j);
}

void json_break(struct json *j)
{
  j->broken = 1;
}

/* What is written as JSON and as XML is valid, whatever the names and numbers: read by a validator that shares nothing
 * with the writer. With a file's name as its argument, validates that file instead (used by tests of the program). */
#include <stdlib.h>

#include "base/json.h"
#include "base/markup.h"
#include "base/rng.h"
#include "check.h"

/* ---- a validator: RFC 8259, and UTF-8 by decoding ---- */

struct scan { const unsigned char *at, *end; int depth; };

static int scan_value(struct scan *s);

static void scan_space(struct scan *s)
{
  while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
    s->at++;
}

/* One character of UTF-8 in its only allowed form, moving on; -1: it is none. */
static long scan_character(struct scan *s)
{
  static const long least[] = {0, 0x80, 0x800, 0x10000};
  int first = *s->at++, more = first < 0x80             ? 0
                               : (first & 0xe0) == 0xc0 ? 1
                               : (first & 0xf0) == 0xe0 ? 2
                               : (first & 0xf8) == 0xf0 ? 3
                                                        : -1;
  if (more < 0 || s->end - s->at < more)
    return -1;
  long code = more == 0 ? first : first & (0x3f >> more);
  for (int i = 0; i < more; i++, s->at++) {
    if ((*s->at & 0xc0) != 0x80)
      return -1;
    code = code << 6 | (*s->at & 0x3f);
  }
  return code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? -1 : code;
}

static int scan_string(struct scan *s)
{
  if (s->at == s->end || *s->at++ != '"')
    return 0;
  while (s->at < s->end) {
    long c = scan_character(s);
    if (c < 0x20)
      return 0;
    if (c == '"')
      return 1;
    if (c != '\\')
      continue;
    if (s->at == s->end || !strchr("\"\\/bfnrtu", *s->at))
      return 0;
    if (*s->at++ == 'u')
      for (int i = 0; i < 4; i++, s->at++)
        if (s->at == s->end || !*s->at || !strchr("0123456789abcdefABCDEF", *s->at))
          return 0;
  }
  return 0;
}

static int scan_digits(struct scan *s)
{
  const unsigned char *from = s->at;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
    s->at++;
  return s->at > from;
}

static int scan_number(struct scan *s)
{
  if (s->at < s->end && *s->at == '-')
    s->at++;
  const unsigned char *from = s->at;
  if (!scan_digits(s) || (*from == '0' && s->at - from > 1))
    return 0;
  if (s->at < s->end && *s->at == '.' && (s->at++, !scan_digits(s)))
    return 0;
  if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
    s->at++;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-'))
      s->at++;
    return scan_digits(s);
  }
  return 1;
}

static int scan_items(struct scan *s, int close)
{
  s->at++;
  scan_space(s);
  if (s->at < s->end && *s->at == close)
    return s->at++, 1;
  for (;;) {
    scan_space(s);
    if (close == '}') {
      if (!scan_string(s))
        return 0;
      scan_space(s);
      if (s->at == s->end || *s->at++ != ':')
        return 0;
    }
    if (!scan_value(s))
      return 0;
    scan_space(s);
    if (s->at == s->end)
      return 0;
    if (*s->at == close)
      return s->at++, 1;
    if (*s->at++ != ',')
      return 0;
  }
}

static int scan_value(struct scan *s)
{
  static const char *const words[] = {"true", "false", "null"};
  scan_space(s);
  if (s->at == s->end || ++s->depth > 100)
    return 0;
  int good = 0;
  if (*s->at == '{' || *s->at == '[')
    good = scan_items(s, *s->at == '{' ? '}' : ']');
  else if (*s->at == '"')
    good = scan_string(s);
  else if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9'))
    good = scan_number(s);
  for (int i = 0; i < 3 && !good; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(s->end - s->at) >= n && !memcmp(s->at, words[i], n))
      s->at += n, good = 1;
  }
  s->depth--;
  return good;
}

/* One value, or one on each line. */
static int is_json(const char *text, size_t n)
{
  struct scan s = {(const unsigned char *)text, (const unsigned char *)text + n, 0};
  do {
    if (!scan_value(&s))
      return 0;
    scan_space(&s);
  } while (s.at < s.end);
  return 1;
}

static void test_validator(void)
{
  static const char *const good[] = {"{}", "[]", "[1, -2.5e+3, 0, true, null]",
                                     "{\"a\": {\"b\": [\"\\u00e4\xc3\xa4\"]}}", "3\n4"};
  static const char *const bad[] = {"", "{", "[1,]", "{\"a\": nan}", "[inf]", "[01]", "[1.]", "{a: 1}",
                                    "[\"\n\"]", "[\"\xff\"]",
                                    "[\"\xc0\x80\"]", "[\"\xed\xa0\x80\"]", "[\"\\x\"]",
                                    "{\"bi\"ped\": 1}", "[1 2]", "{\"a\" 1}"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    CHECK(is_json(good[i], strlen(good[i])));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(!is_json(bad[i], strlen(bad[i])));
}

/* ---- the writer ---- */

static void test_layout(void)
{
  char *text;
  size_t n;
  FILE *out = open_memstream(&text, &n);
  struct json j = json_to(out);
  json_object(&j, NULL);
  json_text(&j, "name", "bi\"ped\\\n\x01\x7f");
  json_text(&j, "none", NULL);
  json_number(&j, "mass", 0.1, 17);
  json_number(&j, "nan", NAN, 6);
  json_number(&j, "inf", -INFINITY, 6);
  json_break(&j);
  json_numbers(&j, "two", 2, (double[]){1, 1e300}, 6);
  json_array(&j, "empty");
  json_end(&j);
  json_truth(&j, "yes", 3);
  json_integer(&j, "i", -5);
  json_unsigned(&j, "u", 18446744073709551615ULL);
  json_end(&j);
  fclose(out);
  CHECK_STR(text, "{\"name\": \"bi\\\"ped\\\\\\u000a\\u0001\\u007f\", \"none\": null, \"mass\": 0.10000000000000001, "
                  "\"nan\": null, \"inf\": null,\n \"two\": [1, 1e+300], \"empty\": [], \"yes\": true, \"i\": -5, "
                  "\"u\": 18446744073709551615}\n");
  CHECK(is_json(text, n));
  free(text);
}

/* Any bytes as names, any bits as numbers. */
static void test_random(void)
{
  struct rng r = rng_stream(11, 0);
  for (int round = 0; round < 500; round++) {
    char *text, name[40];
    size_t n;
    FILE *out = open_memstream(&text, &n);
    struct json j = json_to(out);
    json_array(&j, NULL);
    for (int k = 0; k < 20; k++) {
      int length = rng_below(&r, (int)sizeof name);
      for (int i = 0; i < length; i++)
        name[i] = (char)(rng_below(&r, 3) ? 1 + rng_below(&r, 255)
                                          : "\xc3\xa4\xf0\x9f\xed\xef\xbf\"\\"[rng_below(&r, 9)]);
      name[length] = '\0';
      double x;
      uint64_t bits = rng_next(&r);
      memcpy(&x, &bits, sizeof x);
      json_object(&j, NULL);
      json_text(&j, name, name);
      json_number(&j, "x", k % 5 ? x : NAN, 1 + rng_below(&r, 17));
      json_end(&j);
    }
    json_end(&j);
    fclose(out);
    CHECK(is_json(text, n));
    free(text);
  }
}

static void test_markup(void)
{
  char *text;
  size_t n;
  FILE *out = open_memstream(&text, &n);
  markup_put_text(out, "a<b&\"c'>\n\x01 \xc3\xa4\xff\xef\xbf\xbf.");
  markup_put_text(out, NULL);
  fclose(out);
  CHECK_STR(text, "a&lt;b&amp;&quot;c'&gt;   \xc3\xa4\xef\xbf\xbd\xef\xbf\xbd.");
  free(text);
}

static int validate_file(const char *path)
{
  static char text[1 << 20];
  FILE *in = fopen(path, "rb");
  size_t n = in ? fread(text, 1, sizeof text, in) : 0;
  if (in)
    fclose(in);
  if (n > 0 && n < sizeof text && is_json(text, n))
    return 0;
  fprintf(stderr, "%s: no JSON\n", path);
  return 1;
}

int main(int argc, char **argv)
{
  if (argc > 1)
    return validate_file(argv[1]);
  test_validator();
  test_layout();
  test_random();
  test_markup();
  return test_finish();
}

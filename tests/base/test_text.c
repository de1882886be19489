/* Text files of keys and sections: lines, includes, numbers, spelling; and the diagnostics that they end in. What is
 * said about bad files is tested, to the letter, in tests/creature/test_creature.c. */
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "check.h"

static const char *const wheel_keys[] = {"size", NULL}, *const car_keys[] = {"colour", "doors", "width", NULL};
static const char *const file_keys[] = {"title", "count", NULL};
static const struct text_schema wheel = {"wheel", wheel_keys, NULL, 4};
static const struct text_schema *const car_sections[] = {&wheel, NULL};
static const struct text_schema car = {"car", car_keys, car_sections, 0};
static const struct text_schema *const file_sections[] = {&car, NULL};
static const struct text_schema schema = {NULL, file_keys, file_sections, 0};

static struct arena *arena;
static struct diag diag;

static const struct text_section *parse(const char *text)
{
  return text_read_memory(arena, "text", text, strlen(text), &schema, &diag);
}

/* Messages so far must be these; forgets them. */
static void check_messages(const char *expected)
{
  char *text = diag_text(&diag);
  CHECK_STR(text, expected);
  free(text);
  diag_clear(&diag);
}

/* Key, values and line of an entry. */
static void check_entry(const struct text_section *s, const char *key, const char *value, int line)
{
  const struct text_entry *e = text_find(s, key);
  CHECK(e != NULL);
  if (!e)
    return;
  CHECK_STR(e->values[e->n_values - 1], value);
  CHECK_INT(e->line, line);
  CHECK(e->section == s);
}

/* ---- reading ---- */

static void test_tree(void)
{
  const struct text_section *f = parse("\xEF\xBB\xBF# first line\n"
                                       "title = 'a # b'  // comment\n"
                                       "/* over\n lines */ count = 3/* glued */\n"
                                       "car red { colour = red//glued\n"
                                       "  doors = {1,\n 2, # in a list\n 3,}\n"
                                       "  wheel front { size = \"1 \\\"in\\\"\" }\r\n"
                                       "  wheel rear\n  { } }\n"
                                       "car red { }");
  check_messages("");
  CHECK(f != NULL);
  if (!f)
    return;
  check_entry(f, "title", "a # b", 2);
  check_entry(f, "count", "3", 4);
  const struct text_section *red = f->sections, *second = red->next;
  CHECK_STR(red->title, "red");
  CHECK_INT(red->line, 5);
  CHECK(red->parent == f && !f->parent && !f->kind);
  check_entry(red, "colour", "red", 5);
  check_entry(red, "doors", "3", 6);
  CHECK_INT(text_find(red, "doors")->n_values, 3);
  check_entry(red->sections, "size", "1 \"in\"", 9);
  CHECK_STR(red->sections->next->title, "rear");
  CHECK_INT(red->sections->next->line, 11);
  CHECK_INT(second->line, 12); /* two sections of one name are both there */
  CHECK(second->next == NULL && second->entries == NULL);
  CHECK(text_find(f, "colour") == NULL);
}

/* Line ends of three systems. */
static void test_line_ends(void)
{
  static const char *const ends[] = {"\n", "\r\n", "\r"};
  for (int i = 0; i < 3; i++) {
    const struct text_section *f = parse(arena_printf(arena, "title = a # c%scount = 2%s", ends[i], ends[i]));
    check_messages("");
    if (f)
      check_entry(f, "count", "2", 2);
  }
}

/* With unknown keys there is a tree, without them. */
static void test_unknown(void)
{
  const struct text_section *f = parse("tite = 3\ncount = 1\ncar a { tite = {1, 2} dors = 3 doors = 4 }");
  check_messages("text:1: error: unknown key 'tite'; did you mean 'title'?\n"
                 "text:3: error: unknown key 'tite' in car 'a'; allowed are colour, doors, width, wheel\n"
                 "text:3: error: unknown key 'dors' in car 'a'; did you mean 'doors'?\n");
  CHECK(f != NULL);
  if (!f)
    return;
  CHECK(text_find(f, "tite") == NULL);
  check_entry(f, "count", "1", 2);
  check_entry(f->sections, "doors", "4", 3);
  CHECK(f->sections->entries->next == NULL);

  char many[2000] = "";
  for (int i = 0; i < 60; i++)
    sprintf(many + strlen(many), "key%d = 1\n", i);
  CHECK(parse(many) == NULL);
  char *text = diag_text(&diag);
  CHECK(strstr(text, "text:51: error: more than 50 unknown keys\n") || strstr(text, "(1 more not shown)"));
  free(text);
  diag_clear(&diag);
}

static void test_limits(void)
{
  CHECK(parse("car a { wheel a {} wheel b {} }\ncar b { wheel a {} wheel b {}\n wheel c {} }") == NULL);
  check_messages("text:3: error: more than 4 wheel sections\n");
  CHECK(parse("") != NULL);
  CHECK(parse("\n") != NULL);
  CHECK(parse("# only a comment") != NULL);
  check_messages("");
}

/* ---- files ---- */

static void write_file(const char *path, const char *text)
{
  FILE *out = fopen(path, "wb");
  CHECK(out != NULL);
  if (!out)
    return;
  fputs(text, out);
  fclose(out);
}

/* A folder with files that include each other: outer -> parts/one -> parts/two. */
static char folder[] = "/tmp/muybridge_test_XXXXXX", *inner, *outer;

static char *part(const char *name) { return arena_printf(arena, "%s/%s", inner, name); }

static void make_folder(void)
{
  CHECK(mkdtemp(folder) != NULL);
  inner = arena_printf(arena, "%s/parts", folder);
  outer = arena_printf(arena, "%s/outer", folder);
  mkdir(inner, 0700);
  write_file(outer, "title = out\ninclude(\"parts/one\") car last { }\n# after\ncount = 9");
  write_file(part("one"), "\ncar first { doors = 1\n}\ninclude('two')\n");
}

static void remove_folder(void)
{
  static const char *const names[] = {"one", "two", "three", "four", "five", "six"};
  for (int i = 0; i < 6; i++)
    unlink(part(names[i]));
  unlink(outer);
  rmdir(inner);
  rmdir(folder);
}

static void test_include(void)
{
  write_file(part("two"), "car second {\n dors = 2 }\n");
  const struct text_section *f = text_read_file(arena, outer, &schema, &diag);
  check_messages(
      arena_printf(arena, "%s:2: error: unknown key 'dors' in car 'second'; did you mean 'doors'?\n", part("two")));
  CHECK(f != NULL);
  if (!f)
    return;
  const struct text_section *first = f->sections, *second = first->next, *last = second->next;
  CHECK_STR(first->title, "first");
  CHECK_STR(first->file, part("one"));
  CHECK_INT(first->line, 2);
  CHECK_STR(second->title, "second");
  CHECK_STR(last->title, "last");
  CHECK_STR(last->file, outer);
  CHECK_INT(last->line, 2);
  check_entry(f, "count", "9", 4);
}

/* The messages about outer must be this one, about one of the parts. */
static void check_failure(const char *name, const char *message)
{
  CHECK(text_read_file(arena, outer, &schema, &diag) == NULL);
  check_messages(arena_printf(arena, "%s:%s\n", part(name), message));
}

static void test_include_failures(void)
{
  write_file(part("two"), "car second {\n doors 2 }\n"); /* an error two files deep */
  check_failure("two", "2: error: expected '=' after 'doors'");
  write_file(part("two"), "include('three') include('three') include('three') include('three')");
  write_file(part("three"), "include('four') include('four') include('four') include('four')");
  write_file(part("four"), "include('five') include('five') include('five') include('five')");
  write_file(part("five"), "include('six') include('six') include('six') include('six')");
  write_file(part("six"), "\n");
  check_failure("four", "1: error: more than 100 files"); /* each a few times, and there are hundreds */
  char *large = arena_alloc(arena, (1 << 20) + 1, 1);
  memset(large, '\n', 1 << 20);
  write_file(part("three"), large); /* four of exactly as much as is allowed */
  check_failure("two", "1: error: the files have more than 4 MiB together");
  write_file(part("two"), arena_printf(arena, "%s ", large));
  check_failure("two", " error: file is 1.1 MiB, at most 1 MiB is allowed");
}

static void test_unreadable(void)
{
  CHECK(text_read_file(arena, inner, &schema, &diag) == NULL);
  check_messages(arena_printf(arena, "%s: error: cannot read this file: it is a folder\n", inner));
  CHECK(text_read_file(arena, part("none"), &schema, &diag) == NULL);
  check_messages(arena_printf(arena, "%s: error: cannot read this file: No such file or directory\n", part("none")));
}

/* ---- numbers ---- */

static int number(const char *value, double *out)
{
  static const struct text_range range = {-1e300, 1e300, 0, "m"};
  const struct text_section *f = parse(arena_printf(arena, "count = \"%s\"", value));
  *out = NAN;
  return f && text_number(text_find(f, "count"), 0, &range, out, &diag);
}

static void test_numbers(void)
{
  static const struct {
    const char *text;
    double value;
  } good[] = {{"1", 1},        {"-1", -1},     {"+1", 1},    {"1.", 1}, {".5", 0.5},   {"1e3", 1000},
              {"1E-3", 0.001}, {"1e+3", 1000}, {"0.1", 0.1}, {"-0", 0}, {"1e-400", 0}, {"00012", 12}};
  static const char *const bad[] = {"",  " 1",  "1 ",    "1,5", "0x10", "nan",   "inf", "-inf", "1e", "e3",   ".",
                                    "-", "--1", "1e3.5", "1f",  "1d3",  "1e400", "one", "1m",   "½",  "1_000"};
  double x;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    CHECK(number(good[i].text, &x));
    CHECK_NEAR(x, good[i].value, 0);
    CHECK_INT(diag.n_errors, 0);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    int before = diag.n_errors;
    CHECK(!number(bad[i], &x));
    CHECK(isnan(x)); /* untouched */
    CHECK_INT(diag.n_errors, before + 1);
  }
  diag_clear(&diag);
}

static void test_ranges(void)
{
  static const struct text_range size = {0, 10, 1, "m"}, least = {0.5, INFINITY, 0, ""};
  const struct text_section *f = parse("count = {1, 0, 11, 10m, 10cm, 0.1}\ntitle = {a, b}");
  const struct text_entry *e = text_find(f, "count");
  double x[6];
  CHECK(text_number(e, 0, &size, x, &diag));
  for (int i = 1; i < 5; i++)
    CHECK(!text_number(e, i, &size, x, &diag));
  CHECK(!text_number(e, 5, &least, x, &diag));
  CHECK_INT(text_numbers(e, 1, 3, &size, x, &diag), 0);
  CHECK(text_string(text_find(f, "title"), &diag) == NULL);
  check_messages("text:1: error: count, value 2: must be > 0 m, found 0\n"
                 "text:1: error: count, value 3: must be at most 10 m, found 11\n"
                 "text:1: error: count, value 4: expected a number, found '10m'; write 10, units are m\n"
                 "text:1: error: count, value 5: expected a number, found '10cm'; write the number alone, units are m\n"
                 "text:1: error: count, value 6: must be at least 0.5, found 0.1\n"
                 "text:1: error: count: expected 1 to 3 values, found 6\n"
                 "text:2: error: title: expected 1 value, found 2\n");
}

/* A program in another locale reads the same numbers. */
static void test_locale(void)
{
  double x;
  if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) {
    CHECK(number("0.5", &x));
    CHECK_NEAR(x, 0.5, 0);
    CHECK(parse("titel = 3") != NULL);
    check_messages("text:1: error: unknown key 'titel'; did you mean 'title'?\n");
  }
  setlocale(LC_ALL, "C");
}

/* ---- words ---- */

static void test_words(void)
{
  static const char *const words[] = {"mass", "radius", "range", "x", "\xC3\xA9t\xC3\xA9", NULL}, *const none[] = {
                                                                                                      NULL};
  CHECK_STR(text_nearest("mas", words), "mass");
  CHECK_STR(text_nearest("msas", words), "mass");
  CHECK_STR(text_nearest("MASS", words), "mass");
  CHECK_STR(text_nearest("rnage", words), "range");
  CHECK_STR(text_nearest("radiuss", words), "radius");
  CHECK(text_nearest("colour", words) == NULL);
  CHECK(text_nearest("y", words) == NULL); /* one letter is no likeness */
  CHECK(text_nearest("", words) == NULL);
  CHECK(text_nearest("mass", none) == NULL);
  CHECK(text_nearest("a word that is longer than any key could possibly be", words) == NULL);
  CHECK_STR(text_suggest("colour", words).words, "; allowed are mass, radius, range, x, \xC3\xA9t\xC3\xA9");
  CHECK_STR(text_suggest("colour", none).words, "");

  const struct text_section *f = parse("title = maas count = {x, y}");
  CHECK_INT(text_word(text_find(f, "title"), words, &diag), -1);
  CHECK_INT(text_word(text_find(f, "count"), words, &diag), -1);
  check_messages("text:1: error: title: 'maas' is not known; did you mean 'mass'?\n"
                 "text:1: error: count: expected 1 value, found 2\n");
  f = parse("title = range");
  CHECK_INT(text_word(text_find(f, "title"), words, &diag), 2);
}

/* Long words are cut, but not through a letter. */
static void test_clip(void)
{
  CHECK_STR(text_clip("short").word, "short");
  CHECK_STR(text_clip("0123456789012345678901234567890123456789").word, "0123456789012345678901234567890123456789");
  CHECK_STR(text_clip("01234567890123456789012345678901234567890").word, "0123456789012345678901234567890123456789...");
  CHECK_STR(text_clip("012345678901234567890123456789012345678\xC3\xA9").word,
            "012345678901234567890123456789012345678...");
}

/* ---- diagnostics ---- */

static void test_diag(void)
{
  struct diag d;
  diag_init(&d);
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_error(&d, "b", 2, "second of %s", "b");
  diag_warning(&d, "b", 2, "third");
  diag_error(&d, "b", 1, "first");
  diag_error(&d, "a", 0, "whole");
  diag_error(&d, "b", 1, "first"); /* again: not counted */
  CHECK_INT(d.n_errors, 3);
  CHECK_INT(d.n_warnings, 1);
  text = diag_text(&d);
  CHECK_STR(text, "a: error: whole\nb:1: error: first\nb:2: error: second of b\nb:2: warning: third\n");
  free(text);
  diag_clear(&d);

  for (int i = 0; i < DIAG_MAX; i++)
    diag_warning(&d, "a", i + 1, "odd");
  diag_error(&d, "a", 1000, "wrong"); /* an error takes the place of a warning */
  CHECK_INT(d.n_messages, DIAG_MAX);
  CHECK_INT(d.n_errors, 1);
  CHECK_INT(d.n_warnings, DIAG_MAX);
  text = diag_text(&d);
  CHECK(strstr(text, "a:1000: error: wrong\n(1 more not shown)\n") != NULL);
  free(text);
  diag_clear(&d);
}

int main(void)
{
  arena = arena_new();
  diag_init(&diag);
  test_tree();
  test_line_ends();
  test_unknown();
  test_limits();
  make_folder();
  test_include();
  test_include_failures();
  test_unreadable();
  remove_folder();
  test_numbers();
  test_ranges();
  test_locale();
  test_words();
  test_clip();
  test_diag();
  arena_free(arena);
  return test_finish();
}

/* Values of a text tree as numbers and words, and the words of complaints about them.
 *
 * A complaint says which key of which section, what was found and what is allowed. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const struct text_entry *text_find(const struct text_section *s, const char *key)
{
  for (const struct text_entry *e = s->entries; e; e = e->next)
    if (!strcmp(e->key, key))
      return e;
  return NULL;
}

/* ---- phrases ---- */

#define CLIP 40 /* characters of a user's word that a message repeats */

struct text_clip text_clip(const char *word)
{
  struct text_clip c = {{0}};
  size_t n = strlen(word);
  if (n <= CLIP) {
    memcpy(c.word, word, n);
    return c;
  }
  n = CLIP;
  while (n > 0 && ((unsigned char)word[n] & 0xC0) == 0x80)
    n--; /* not through a letter of several bytes */
  memcpy(c.word, word, n);
  memcpy(c.word + n, "...", 3);
  return c;
}

struct text_phrase text_describe(const struct text_section *s)
{
  struct text_phrase p = {{0}};
  if (!s->kind)
    return snprintf(p.words, sizeof p.words, "the file"), p;
  snprintf(p.words, sizeof p.words, "%.32s '%s'", s->kind, text_clip(s->title).word);
  if (s->parent && s->parent->kind) {
    size_t n = strlen(p.words);
    snprintf(p.words + n, sizeof p.words - n, " of %.32s '%s'", s->parent->kind, text_clip(s->parent->title).word);
  }
  return p;
}

struct text_phrase text_describe_entry(const struct text_entry *e)
{
  struct text_phrase p = {{0}};
  if (e->section->kind)
    snprintf(p.words, sizeof p.words, "%.32s of %.200s", e->key, text_describe(e->section).words);
  else
    snprintf(p.words, sizeof p.words, "%s", e->key);
  return p;
}

struct text_phrase text_place(const char *file, int line, const char *from)
{
  struct text_phrase p = {{0}};
  int n = snprintf(p.words, sizeof p.words, "line %d", line);
  if (strcmp(file, from))
    snprintf(p.words + n, sizeof p.words - (size_t)n, " of %s", file);
  return p;
}

/* ---- spelling ---- */

#define MAX_WORD 40

static int least(int a, int b) { return a < b ? a : b; }

/* Edits (insert, delete, replace, swap two neighbours) from a to b: optimal string alignment. */
static int distance(const char *a, const char *b)
{
  int rows[3][MAX_WORD + 1]; /* the last three rows of the table */
  int n = (int)strlen(a), m = (int)strlen(b);
  for (int j = 0; j <= m; j++)
    rows[0][j] = j;
  for (int i = 1; i <= n; i++) {
    int *row = rows[i % 3];
    const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int replace = above[j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
      row[j] = least(replace, 1 + least(above[j], row[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *candidates)
{
  size_t length = strlen(word);
  if (length > MAX_WORD)
    return NULL;
  const char *nearest = NULL;
  int best = (int)(length + 1) / 3 + 1; /* one edit for two letters, two for five: more is another word */
  for (; *candidates; candidates++) {
    if (strlen(*candidates) > MAX_WORD)
      continue;
    int edits = distance(word, *candidates);
    if (edits < best) {
      best = edits;
      nearest = *candidates;
    }
  }
  return nearest;
}

struct text_phrase text_suggest(const char *word, const char *const *candidates)
{
  struct text_phrase p = {{0}};
  const char *nearest = text_nearest(word, candidates);
  if (nearest)
    return snprintf(p.words, sizeof p.words, "; did you mean '%s'?", nearest), p;
  if (!candidates[0])
    return p;
  size_t n = (size_t)snprintf(p.words, sizeof p.words, "; allowed %s", candidates[1] ? "are" : "is");
  for (int i = 0; candidates[i]; i++) {
    if (n + strlen(candidates[i]) + 8 > sizeof p.words) { /* room for ", ..." */
      snprintf(p.words + n, sizeof p.words - n, ", ...");
      break;
    }
    n += (size_t)snprintf(p.words + n, sizeof p.words - n, "%s %s", i ? "," : "", candidates[i]);
  }
  return p;
}

/* ---- numbers ---- */

/* Length of the decimal number at the start of a text, 0 if there is none. Not what strtod() takes: no hexadecimal, no
 * "inf", no "nan", no leading blanks. */
static size_t number_length(const char *s)
{
  const char *p = s;
  if (*p == '-' || *p == '+')
    p++;
  const char *digits = p;
  while (isdigit((unsigned char)*p))
    p++;
  size_t n_digits = (size_t)(p - digits);
  if (*p == '.') {
    for (p++; isdigit((unsigned char)*p); p++)
      n_digits++;
  }
  if (n_digits == 0)
    return 0;
  if (*p == 'e' || *p == 'E') {
    const char *e = p + 1;
    if (*e == '-' || *e == '+')
      e++;
    if (isdigit((unsigned char)*e)) {
      while (isdigit((unsigned char)*e))
        e++;
      p = e;
    }
  }
  return (size_t)(p - s);
}

/* strtod() with a decimal point, whatever locale a program that links this library may have set. */
static double to_double(const char *s)
{
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(plain);
  double x = strtod(s, NULL);
  uselocale(before);
  freelocale(plain);
  return x;
}

const char *text_scan_number(const char *text, double *out)
{
  size_t n = number_length(text);
  if (n == 0)
    return NULL;
  *out = to_double(text);
  return text + n;
}

/* "rest of axis 'flexion' of limb 'thigh'", and which value when there are several. */
static struct text_phrase describe_value(const struct text_entry *e, int i)
{
  struct text_phrase p = text_describe_entry(e);
  size_t n = strlen(p.words);
  if (e->n_values > 1)
    snprintf(p.words + n, sizeof p.words - n, ", value %d", i + 1);
  return p;
}

/* Is this what people write for the unit: itself, or "deg" for degrees? */
static int is_unit(const char *word, const char *unit)
{
  size_t n = strlen(word);
  return !strcmp(word, unit) || (n >= 3 && !strncmp(word, unit, n));
}

static void complain_no_number(const struct text_entry *e, int i, const char *unit, struct diag *d)
{
  const char *word = e->values[i];
  size_t n = number_length(word);
  char tail[CLIP + 64] = "";
  int has_unit = n > 0 && n <= CLIP && word[n] != 'x' && word[n] != 'X'; /* 0x10 is no 0 with a unit */
  if (has_unit && is_unit(word + n, unit))
    snprintf(tail, sizeof tail, "; write %.*s, units are %s", (int)n, word, unit);
  else if (has_unit && unit[0])
    snprintf(tail, sizeof tail, "; write the number alone, units are %s", unit);
  diag_error(d, e->file, e->line, "%s: expected a number, found '%s'%s", describe_value(e, i).words,
             text_clip(word).word, tail);
}

/* Names the end of the range that x is beyond. */
static void complain_range(const struct text_entry *e, int i, const struct text_range *r, double x, struct diag *d)
{
  const char *relation = "at least", *gap = r->unit[0] ? " " : "";
  double bound = r->least;
  if (r->least > 0.0 && x <= 0.0)
    bound = 0.0, relation = ">";
  else if (x > r->most)
    bound = r->most, relation = "at most";
  else if (r->open_least)
    relation = ">";
  diag_error(d, e->file, e->line, "%s: must be %s %g%s%s, found %s", describe_value(e, i).words, relation, bound, gap,
             r->unit, text_clip(e->values[i]).word);
}

int text_number(const struct text_entry *e, int i, const struct text_range *range, double *out, struct diag *d)
{
  const char *word = e->values[i];
  size_t n = number_length(word);
  if (n == 0 || word[n])
    return complain_no_number(e, i, range->unit, d), 0;
  double x = to_double(word);
  int enough = range->open_least ? x > range->least : x >= range->least;
  if (!(enough && x <= range->most && isfinite(x)))
    return complain_range(e, i, range, x, d), 0;
  *out = x;
  return 1;
}

static int complain_count(const struct text_entry *e, int n_least, int n_most, struct diag *d)
{
  char allowed[40];
  if (n_least == n_most)
    snprintf(allowed, sizeof allowed, "%d", n_least);
  else
    snprintf(allowed, sizeof allowed, n_most == n_least + 1 ? "%d or %d" : "%d to %d", n_least, n_most);
  diag_error(d, e->file, e->line, "%s: expected %s value%s, found %d", text_describe_entry(e).words, allowed,
             n_most == 1 ? "" : "s", e->n_values);
  return 0;
}

int text_numbers(const struct text_entry *e, int n_least, int n_most, const struct text_range *range, double *out,
                 struct diag *d)
{
  if (e->n_values < n_least || e->n_values > n_most)
    return complain_count(e, n_least, n_most, d);
  int good = 1;
  for (int i = 0; i < e->n_values; i++)
    good &= text_number(e, i, range, &out[i], d);
  return good ? e->n_values : 0;
}

/* ---- words ---- */

const char *text_string(const struct text_entry *e, struct diag *d)
{
  if (e->n_values != 1)
    return complain_count(e, 1, 1, d), NULL;
  if (e->values[0][0])
    return e->values[0];
  diag_error(d, e->file, e->line, "%s: the text between the quotes is empty", text_describe_entry(e).words);
  return NULL;
}

int text_word(const struct text_entry *e, const char *const *words, struct diag *d)
{
  const char *word = text_string(e, d);
  if (!word)
    return -1;
  for (int i = 0; words[i]; i++)
    if (!strcmp(word, words[i]))
      return i;
  diag_error(d, e->file, e->line, "%s: '%s' is not known%s", text_describe_entry(e).words, text_clip(word).word,
             text_suggest(word, words).words);
  return -1;
}

/* Text files of keys and sections: from libConfuse's events to a tree with lines.
 *
 * What libConfuse keeps after parsing is not enough: no lines, and of two sections with one name only the second. So
 * the tree is built while it parses:
 *   a section opens  - every section has a hidden key whose default value libConfuse parses at the opening brace
 *   a value is read  - every key is a list of texts with a callback
 *   a section closes - the section's validation callback
 * The hidden key's name has a control character, which text_scan() refuses, so that no file can write it.
 *
 * At an unknown key libConfuse stops. We then add it to the keys that this kind of section tolerates and start again,
 * so that in the end the tree has all keys; check_section() takes the unknown ones out again, with a message for each.
 *
 * Included files are parsed by the callback of include() in a parser of their own, into the same tree. (libConfuse's
 * own include keeps a stack in static variables that an error leaves corrupt.) */
#include "base/text.h"

#include <assert.h>
#include <confuse.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text_scan.h"

#define HIDDEN_KEY    "\001open"
#define MAX_DEPTH     4          /* of sections, the file itself included   */
#define MAX_NESTED    8          /* includes, one within the other          */
#define MAX_FILES     100        /* of one reading                          */
#define MAX_TOTAL     (4u << 20) /* bytes of these together                 */
#define MAX_TOLERATED 50         /* different unknown keys                  */
#define MAX_KINDS     16         /* of sections in a schema                 */
#define MAX_KEYS      64         /* of a section in a schema                */

struct level {                       /* a section that is open                                    */
  struct text_section *section;
  const struct text_schema *schema;
  struct text_entry *last_entry;
  struct text_section *last_section;
  int n_room;                        /* values that last_entry has room for                       */
  cfg_t *cfg;                        /* its parser, which knows the line                          */
};

struct kind_count {
  const struct text_schema *schema;
  int n;
};

struct tolerated {
  const struct text_schema *schema;
  const char *key;
};

struct reader {
  struct arena *arena;               /* for as long as the reader lives                           */
  struct arena *round;               /* of the present attempt: the tree and the texts            */
  const struct text_schema *schema;
  struct diag *d;
  const char *file;                  /* being read                                                */
  cfg_opt_t *options;                /* the schema and what is tolerated, in libConfuse's terms   */
  struct level levels[MAX_DEPTH];    /* levels[0] is the file itself                              */
  int depth;                         /* sections open                                             */
  int n_nested;                      /* files open, one within the other                          */
  cfg_t *parsers[MAX_FILES];         /* freed together: freeing one resets the lexer under all    */
  int n_parsers;
  size_t total;                      /* bytes read                                                */
  struct kind_count counts[MAX_KINDS];
  struct tolerated tolerated[MAX_TOLERATED];
  int n_tolerated;
  int stopped;                       /* no more to be read in this attempt, for an error or ...   */
  int again;                         /* ... because there is one more key to tolerate             */
};

static struct reader *reading; /* libConfuse's callbacks have no argument of ours */

static struct level *top(struct reader *r) { return &r->levels[r->depth]; }

/* An error after which nothing more is read; only the first is told, those that follow from it are not. */
#define STOP(r, line, ...) \
  ((r)->stopped ? (void)0 : diag_error((r)->d, (r)->file, (line), __VA_ARGS__), (r)->stopped = 1)

/* ---- the schema ---- */

static int index_of(const char *const *words, const char *word)
{
  for (int i = 0; words[i]; i++)
    if (!strcmp(words[i], word))
      return i;
  return -1;
}

static const struct text_schema *find_kind(const struct text_schema *schema, const char *kind)
{
  for (int i = 0; schema->sections && schema->sections[i]; i++)
    if (!strcmp(schema->sections[i]->kind, kind))
      return schema->sections[i];
  return NULL;
}

static const struct text_schema *schema_of(const struct reader *r, const struct text_section *s)
{
  return s->kind ? find_kind(schema_of(r, s->parent), s->kind) : r->schema;
}

/* Keys and kinds of sections: all words that may begin something in a section. */
static const char *const *words_of(struct arena *arena, const struct text_schema *schema)
{
  const char **words = ARENA_NEW(arena, MAX_KEYS + MAX_KINDS + 1, const char *);
  int n = 0;
  for (int i = 0; schema->keys[i]; i++)
    words[n++] = schema->keys[i];
  for (int i = 0; schema->sections && schema->sections[i]; i++)
    words[n++] = schema->sections[i]->kind;
  assert(n <= MAX_KEYS + MAX_KINDS);
  return words;
}

static int is_tolerated(const struct reader *r, const struct text_schema *schema, const char *key)
{
  for (int i = 0; i < r->n_tolerated; i++)
    if (r->tolerated[i].schema == schema && !strcmp(r->tolerated[i].key, key))
      return 1;
  return 0;
}

/* ---- complaints about words that the schema does not have ---- */

/* Does a section around this one know the word? Then a closing brace is missing, more likely than not. */
static int belongs_outside(const struct reader *r, const struct text_section *s, const char *word)
{
  if (!s->kind)
    return 0;
  for (s = s->parent; s; s = s->parent)
    if (index_of(words_of(r->round, schema_of(r, s)), word) >= 0)
      return 1;
  return 0;
}

/* " after 'mass = 8'", the last that was read in the section; nothing at its beginning. */
static struct text_phrase after_last(const struct level *l)
{
  struct text_phrase p = {{0}};
  const struct text_entry *e = l->last_entry;
  if (e)
    snprintf(p.words, sizeof p.words, " after '%s = %s%s'", text_clip(e->key).word, e->n_values > 1 ? "..., " : "",
             text_clip(e->values[e->n_values - 1]).word);
  return p;
}

/* head and after enclose the word: "unknown key", "unexpected"; what it comes after, or nothing. */
static void complain_unknown(struct reader *r, const struct text_section *s, int line, const char *head,
                             const char *word, const char *after)
{
  char where[250] = "";
  if (s->kind)
    snprintf(where, sizeof where, " in %s", text_describe(s).words);
  struct text_phrase tail;
  if (belongs_outside(r, s, word))
    snprintf(tail.words, sizeof tail.words, "; is a '}' missing before it?");
  else if (!strcmp(word, "include"))
    snprintf(tail.words, sizeof tail.words, "; it stands outside of any section");
  else
    tail = text_suggest(word, words_of(r->round, schema_of(r, s)));
  diag_error(r->d, r->file, line, "%s '%s'%s%s%s", head, text_clip(word).word, after, where, tail.words);
}

/* A key that libConfuse did not find: tolerate it and read again. */
static void meet_unknown(struct reader *r, int line, const char *key)
{
  const struct text_schema *schema = top(r)->schema;
  r->stopped = 1;
  if (is_tolerated(r, schema, key)) { /* then it is no plain key but a path, "limb|mass", which libConfuse knows */
    complain_unknown(r, top(r)->section, line, "unknown key", key, "");
  } else if (r->n_tolerated == MAX_TOLERATED) {
    diag_error(r->d, r->file, line, "more than %d unknown keys", MAX_TOLERATED);
  } else {
    r->tolerated[r->n_tolerated++] = (struct tolerated){schema, arena_strdup(r->arena, key)};
    r->again = 1;
  }
}

/* ---- events ---- */

static void add_entry(struct reader *r, const char *key, int line)
{
  struct level *l = top(r);
  struct text_entry *e = ARENA_NEW(r->round, 1, struct text_entry);
  *e = (struct text_entry){.key = arena_strdup(r->round, key), .file = r->file, .line = line, .section = l->section};
  if (l->last_entry)
    l->last_entry->next = e;
  else
    l->section->entries = e;
  l->last_entry = e;
  l->n_room = 0;
}

static void add_value(struct reader *r, const char *value)
{
  struct level *l = top(r);
  struct text_entry *e = l->last_entry;
  if (e->n_values == l->n_room) {
    l->n_room = l->n_room ? 2 * l->n_room : 8;
    const char **more = ARENA_NEW(r->round, (size_t)l->n_room, const char *);
    if (e->n_values)
      memcpy(more, e->values, (size_t)e->n_values * sizeof *more);
    e->values = more;
  }
  e->values[e->n_values++] = arena_strdup(r->round, value);
}

/* libConfuse also sets keys of other sections, by a path: "limb=thigh|mass" = 3. */
static int is_own_key(cfg_t *cfg, const cfg_opt_t *opt)
{
  for (unsigned i = 0; i < cfg_num(cfg); i++)
    if (cfg_getnopt(cfg, i) == opt)
      return 1;
  return 0;
}

static int on_value(cfg_t *cfg, cfg_opt_t *opt, const char *value, void *result)
{
  struct reader *r = reading;
  *(const char **)result = value;
  if (!is_own_key(cfg, opt))
    STOP(r, cfg->line, "'%s' can only be set inside of its section", opt->name);
  if (r->stopped)
    return -1;
  if (opt->nvalues == 1)
    add_entry(r, opt->name, cfg->line); /* libConfuse has cleared what an earlier one gave */
  add_value(r, value);
  return 0;
}

/* One more section of this kind: 0 if that is too many. */
static int count_kind(struct reader *r, const struct text_schema *schema)
{
  int i = 0;
  while (i < MAX_KINDS && r->counts[i].schema && r->counts[i].schema != schema)
    i++;
  assert(i < MAX_KINDS);
  r->counts[i].schema = schema;
  return ++r->counts[i].n <= schema->max_sections || schema->max_sections == 0;
}

/* This must not fail: libConfuse would abort. Whoever is next sees that the reader has stopped. */
static int on_open(cfg_t *cfg, cfg_opt_t *opt, const char *value, void *result)
{
  (void)opt;
  struct reader *r = reading;
  *(const char **)result = value;
  const struct text_schema *schema = find_kind(top(r)->schema, cfg->name);
  if (!schema)
    STOP(r, cfg->line, "section '%s' is not allowed here", cfg->name);
  else if (!count_kind(r, schema))
    STOP(r, cfg->line, "more than %d %s sections", schema->max_sections, schema->kind);
  if (r->stopped)
    return 0;

  struct level *l = top(r);
  struct text_section *s = ARENA_NEW(r->round, 1, struct text_section);
  *s = (struct text_section){.kind = schema->kind,
                             .title = arena_strdup(r->round, cfg->title),
                             .file = r->file,
                             .line = cfg->line,
                             .parent = l->section};
  if (l->last_section)
    l->last_section->next = s;
  else
    l->section->sections = s;
  l->last_section = s;
  assert(r->depth + 1 < MAX_DEPTH);
  r->levels[++r->depth] = (struct level){.section = s, .schema = schema, .cfg = cfg};
  return 0;
}

static int on_close(cfg_t *cfg, cfg_opt_t *opt)
{
  (void)cfg, (void)opt;
  if (reading->stopped)
    return -1;
  reading->depth--;
  return 0;
}

/* ---- what libConfuse says, in plain words ---- */

static void complain_token(struct reader *r, int line, const char *token)
{
  const struct text_entry *e = top(r)->last_entry;
  struct text_phrase after = after_last(top(r));
  int is_word = !strchr("={}(),", token[0]) || token[0] == '\0' || token[1];
  if (e && is_word) /* only inside of braces is a word not taken for a key */
    STOP(r, line, "expected ',' or '}'%s, found '%s'", after.words, text_clip(token).word);
  else if (e && token[0] == ',')
    STOP(r, line, "unexpected ','%s; several values go into braces: {1, 2, 3}", after.words);
  else if (token[0] == '}')
    STOP(r, line, "a value is missing between '=' and '}'");
  else
    STOP(r, line, "unexpected '%s'%s%s", text_clip(token).word, after.words,
         token[0] == '=' && e ? "; is a value or a key missing?" : "");
}

static void complain_no_equal(struct reader *r, int line, const char *key)
{
  if (is_tolerated(r, top(r)->schema, key)) /* not followed by '=', so it was not meant to be a key */
    complain_unknown(r, top(r)->section, line, "unexpected", key, after_last(top(r)).words);
  else
    STOP(r, line, "expected '=' after '%s'", key);
  r->stopped = 1;
}

/* libConfuse tells errors apart only by their texts; newer ones than we know are passed on as they are. */
static void on_error(cfg_t *cfg, const char *format, va_list args)
{
  struct reader *r = reading;
  if (r->stopped)
    return;
  char text[400];
  va_list again;
  va_copy(again, args);
  vsnprintf(text, sizeof text, format, again);
  va_end(again);
  const char *word = strstr(format, "'%s'") ? va_arg(args, const char *) : "";
  int line = cfg->line;
  if (!strcmp(format, "no such option '%s'"))
    meet_unknown(r, line, word);
  else if (!strcmp(format, "missing equal sign after option '%s'"))
    complain_no_equal(r, line, word);
  else if (!strcmp(format, "unexpected token '%s'"))
    complain_token(r, line, word);
  else if (!strcmp(format, "premature end of file"))
    STOP(r, line, "the file ends where a value is expected");
  else if (!strcmp(format, "unexpected closing brace"))
    STOP(r, line, "'}' without a '{' before it");
  else if (!strcmp(format, "missing opening brace for section '%s'"))
    STOP(r, line, "expected '{' after the name of the %s", word);
  else if (!strcmp(format, "missing title for section '%s'"))
    STOP(r, line, "a %s needs a name: %s NAME { ... }", word, word);
  else if (!strcmp(format, "missing parenthesis for function '%s'"))
    STOP(r, line, "expected '(' after '%s'", word);
  else if (!strncmp(format, "no sub-section", 14))
    STOP(r, line, "a key is a word without '|' and '='");
  else
    STOP(r, line, "%s", text);
}

/* ---- files ---- */

static int on_include(cfg_t *cfg, cfg_opt_t *opt, int argc, const char **argv);

static cfg_opt_t list_option(const char *key, char *initial, cfg_callback_t callback)
{
  cfg_opt_t option = CFG_STR_LIST_CB(key, initial, CFGF_NONE, callback);
  return option;
}

static cfg_opt_t *make_options(struct reader *r, const struct text_schema *schema)
{
  cfg_opt_t *options = ARENA_NEW(r->round, MAX_KEYS + MAX_KINDS + MAX_TOLERATED + 2, cfg_opt_t);
  int n = 0;
  for (int i = 0; schema->keys[i]; i++)
    options[n++] = list_option(schema->keys[i], NULL, on_value);
  for (int i = 0; i < r->n_tolerated; i++)
    if (r->tolerated[i].schema == schema)
      options[n++] = list_option(r->tolerated[i].key, NULL, on_value);
  for (int i = 0; schema->sections && schema->sections[i]; i++) {
    const struct text_schema *inner = schema->sections[i];
    cfg_opt_t section = CFG_SEC(inner->kind, make_options(r, inner), CFGF_MULTI | CFGF_TITLE);
    options[n] = section;
    options[n++].validcb = on_close;
  }
  cfg_opt_t include = CFG_FUNC("include", on_include), end = CFG_END();
  options[n++] = schema->kind ? list_option(HIDDEN_KEY, arena_strdup(r->round, "{x}"), on_open) : include;
  options[n] = end;
  return options;
}

/* Parses one file into the tree, at its top level. */
static void parse_text(struct reader *r, const char *file, const char *text, size_t length)
{
  const char *outer = r->file;
  cfg_t *outer_cfg = r->levels[0].cfg;
  int unclosed;
  char *scanned = text_scan(r->round, file, text, length, &unclosed, r->d);
  cfg_t *cfg = scanned ? cfg_init(r->options, CFGF_NONE) : NULL;
  if (!scanned) {
    r->stopped = 1;
    return;
  }
  if (!cfg)
    abort(); /* out of memory */
  r->parsers[r->n_parsers++] = cfg;
  cfg_set_error_function(cfg, on_error);
  r->levels[0].cfg = cfg;
  r->file = file;
  if (cfg_parse_buf(cfg, scanned) != CFG_SUCCESS)
    STOP(r, top(r)->cfg->line, "this line cannot be read; is there an empty key?");
  if (unclosed)
    STOP(r, unclosed, "this '{' is never closed; a '}' is missing");
  r->file = outer;
  r->levels[0].cfg = outer_cfg;
}

/* At most *length bytes of a file, and in *length how many they are. NULL when it cannot be read, and why. */
static char *read_bytes(struct arena *arena, const char *path, size_t *length, const char **why)
{
  FILE *in = fopen(path, "rb");
  *why = in ? NULL : strerror(errno);
  if (!in)
    return NULL;
  char *bytes = arena_alloc(arena, *length, 1);
  *length = fread(bytes, 1, *length, in);
  if (ferror(in))
    *why = strerror(errno);
  fclose(in);
  return *why ? NULL : bytes;
}

/* The name of an included file, as seen from the file that includes it. */
static char *beside(struct arena *arena, const char *file, const char *name)
{
  const char *slash = strrchr(file, '/');
  if (name[0] == '/' || !slash)
    return arena_strdup(arena, name);
  return arena_printf(arena, "%.*s/%s", (int)(slash - file), file, name);
}

/* Only plain files: opening a pipe might wait forever. */
static char *read_included(struct reader *r, const char *path, int line, size_t *length)
{
  struct stat about;
  const char *why = stat(path, &about) ? strerror(errno) : S_ISREG(about.st_mode) ? NULL : "not a file";
  char *bytes = NULL;
  if (!why && about.st_size > TEXT_MAX_BYTES) {
    text_complain_size(path, (size_t)about.st_size, r->d);
    r->stopped = 1;
    return NULL;
  }
  *length = why ? 0 : (size_t)about.st_size;
  if (!why)
    bytes = read_bytes(r->round, path, length, &why);
  if (!bytes)
    STOP(r, line, "cannot read '%s': %s", path, why);
  return bytes;
}

static int on_include(cfg_t *cfg, cfg_opt_t *opt, int argc, const char **argv)
{
  (void)opt;
  struct reader *r = reading;
  if (argc != 1)
    STOP(r, cfg->line, "include needs one file: include(\"file\")");
  else if (r->n_nested == MAX_NESTED)
    STOP(r, cfg->line, "includes nest more than %d deep; does a file include itself?", MAX_NESTED);
  else if (r->n_parsers == MAX_FILES)
    STOP(r, cfg->line, "more than %d files", MAX_FILES);
  if (r->stopped)
    return -1;

  char *path = beside(r->round, r->file, argv[0]);
  size_t length = 0;
  char *bytes = read_included(r, path, cfg->line, &length);
  r->total += length;
  if (r->total > MAX_TOTAL)
    STOP(r, cfg->line, "the files have more than %u MiB together", MAX_TOTAL >> 20);
  if (r->stopped)
    return -1;
  r->n_nested++;
  parse_text(r, path, bytes, length);
  r->n_nested--;
  return r->stopped ? -1 : 0;
}

/* ---- reading ---- */

/* Takes out what does not belong, with a message for each: unknown keys, and the second of two that are the same. */
static void check_section(struct reader *r, const struct text_schema *schema, struct text_section *s)
{
  const struct text_entry *first[MAX_KEYS] = {0};
  struct text_entry **link = &s->entries;
  for (struct text_entry *e = *link; e; e = *link) {
    int k = index_of(schema->keys, e->key);
    assert(k < MAX_KEYS);
    if (k >= 0 && !first[k]) {
      first[k] = e;
      link = &e->next;
      continue;
    }
    r->file = e->file;
    if (k < 0)
      complain_unknown(r, s, e->line, "unknown key", e->key, "");
    else
      diag_error(r->d, e->file, e->line, "%s is given twice, first at %s", text_describe_entry(e).words,
                 text_place(first[k]->file, first[k]->line, e->file).words);
    *link = e->next;
  }
  for (struct text_section *child = s->sections; child; child = child->next)
    check_section(r, find_kind(schema, child->kind), child);
}

/* One attempt, up to the end or the first thing that stops it. */
static struct text_section *read_once(struct reader *r, const char *name, const char *text, size_t length)
{
  struct text_section *file = ARENA_NEW(r->round, 1, struct text_section);
  file->file = arena_strdup(r->round, name);
  r->levels[0] = (struct level){.section = file, .schema = r->schema};
  r->depth = r->n_nested = r->n_parsers = r->stopped = r->again = 0;
  r->total = length;
  memset(r->counts, 0, sizeof r->counts);
  r->options = make_options(r, r->schema);
  parse_text(r, file->file, text, length);
  while (r->n_parsers > 0)
    cfg_free(r->parsers[--r->n_parsers]);
  return file;
}

struct text_section *text_read_memory(struct arena *arena, const char *name, const char *text, size_t length,
                                      const struct text_schema *schema, struct diag *d)
{
  struct reader r = {.arena = arena_new(), .schema = schema, .d = d};
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* libConfuse's messages are told apart in English */
  locale_t before = uselocale(plain);
  struct text_section *file;
  reading = &r;
  for (;;) {
    r.round = arena_new();
    file = read_once(&r, name, text, length);
    if (!r.again)
      break;
    arena_free(r.round);
  }
  reading = NULL;
  uselocale(before);
  freelocale(plain);
  check_section(&r, schema, file);
  arena_adopt(arena, r.round);
  arena_free(r.arena);
  return r.stopped ? NULL : file;
}

struct text_section *text_read_file(struct arena *arena, const char *path, const struct text_schema *schema,
                                    struct diag *d)
{
  struct arena *scratch = arena_new();
  struct stat about;
  struct text_section *file = NULL;
  const char *why = stat(path, &about) ? strerror(errno) : S_ISDIR(about.st_mode) ? "it is a folder" : NULL;
  if (!why && S_ISREG(about.st_mode) && about.st_size > TEXT_MAX_BYTES) {
    text_complain_size(path, (size_t)about.st_size, d);
  } else {
    size_t length = TEXT_MAX_BYTES + 1; /* one too many is enough for text_scan() to say that it is too long */
    char *bytes = why ? NULL : read_bytes(scratch, path, &length, &why);
    if (bytes)
      file = text_read_memory(arena, path, bytes, length, schema, d);
    else
      diag_error(d, path, 0, "cannot read this file: %s", why);
  }
  arena_free(scratch);
  return file;
}

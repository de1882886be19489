/* See xml.h. A cursor goes through the text once; open elements are a chain of parents. */
#include "base/xml.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

struct xml_reader {
  struct arena *arena;
  struct diag *d;
  const char *file, *at, *end;
  int line, depth, n_nodes;
};

/* An error at the cursor's line; the value is 0. */
static int xml_no(void) { return 0; }
#define XML_ERROR(r, ...) (diag_error((r)->d, (r)->file, (r)->line, __VA_ARGS__), xml_no())

static int xml_is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int xml_is_name(char c)
{
  unsigned char u = (unsigned char)c;
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u == '-' ||
         u == '.' || u == ':' || u >= 0x80;
}

static int xml_starts(const struct xml_reader *r, const char *word)
{
  size_t n = strlen(word);
  return (size_t)(r->end - r->at) >= n && !memcmp(r->at, word, n);
}

static void xml_go(struct xml_reader *r, const char *to)
{
  for (; r->at < to; r->at++)
    r->line += *r->at == '\n';
}

static void xml_skip_spaces(struct xml_reader *r)
{
  while (r->at < r->end && xml_is_space(*r->at))
    xml_go(r, r->at + 1);
}

/* Past the end of something that begins here. */
static int xml_skip_to(struct xml_reader *r, const char *what, const char *close)
{
  size_t n = strlen(close);
  int line = r->line;
  for (const char *s = r->at; (size_t)(r->end - s) >= n; s++)
    if (!memcmp(s, close, n)) {
      xml_go(r, s + n);
      return 1;
    }
  r->line = line;
  return XML_ERROR(r, "%s does not end: expected '%s'", what, close);
}

/* A document type: up to its >, past what stands in brackets. */
static int xml_skip_type(struct xml_reader *r)
{
  int brackets = 0;
  for (const char *s = r->at; s < r->end; s++) {
    brackets += (*s == '[') - (*s == ']');
    if (*s == '>' && brackets <= 0) {
      xml_go(r, s + 1);
      return 1;
    }
  }
  return XML_ERROR(r, "the document type does not end: expected '>'");
}

static const char *xml_read_name(struct xml_reader *r)
{
  const char *from = r->at;
  while (r->at < r->end && xml_is_name(*r->at))
    r->at++;
  return arena_printf(r->arena, "%.*s", (int)(r->at - from), from);
}

/* A character by number, as UTF-8: how many bytes; 0 if XML has none of that number. */
static int xml_put_character(unsigned long code, char *out)
{
  if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return 0;
  int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (int i = n - 1; i > 0; i--, code >>= 6)
    out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(lead[n] | code);
  return n;
}

/* The entity between s and its semicolon, at `end`: how many bytes it puts; 0: it is not known. */
static int xml_entity(const char *s, const char *end, char *out)
{
  static const struct { const char *name; char c; } known[] = {
    {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (int i = 0; i < 5; i++)
    if ((size_t)(end - s) == strlen(known[i].name) && !memcmp(s, known[i].name, strlen(known[i].name)))
      return out[0] = known[i].c, 1;
  if (end - s < 2 || end - s > 8 || *s != '#')
    return 0;
  int hex = s[1] == 'x';
  unsigned long code = 0;
  for (s += 1 + hex; s < end; s++) {
    int digit = *s >= '0' && *s <= '9' ? *s - '0' : hex && (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (*s | 32) - 'a' + 10
                                                                                               : -1;
    if (digit < 0)
      return 0;
    code = code * (hex ? 16 : 10) + (unsigned long)digit;
  }
  return xml_put_character(code, out);
}

/* Between its quotes; line ends and tabs become spaces. NULL after an error. */
static const char *xml_read_value(struct xml_reader *r, const char *key)
{
  char quote = r->at < r->end ? *r->at : 0;
  const char *end = quote == '"' || quote == '\'' ? memchr(r->at + 1, quote, (size_t)(r->end - r->at - 1)) : NULL;
  if (!end) {
    XML_ERROR(r, "attribute '%s': expected a value in quotes", text_clip(key).word);
    return NULL;
  }
  char *value = ARENA_NEW(r->arena, (size_t)(end - r->at), char), *out = value;
  for (const char *s = r->at + 1; s < end; s++) {
    const char *semicolon = *s == '&' ? memchr(s, ';', (size_t)(end - s)) : NULL;
    int n = semicolon ? xml_entity(s + 1, semicolon, out) : 0;
    if (*s == '&' && !n) {
      XML_ERROR(r, "attribute '%s': '&' begins no entity that is known; allowed are &amp; &lt; &gt; &quot; &apos; and "
                   "numbers, such as &#228;", text_clip(key).word);
      return NULL;
    }
    if (n) {
      out += n;
      s = semicolon;
    } else {
      *out++ = *s && !xml_is_space(*s) ? *s : ' ';
    }
  }
  *out = '\0';
  xml_go(r, end + 1);
  return value;
}

static int xml_read_attribute(struct xml_reader *r, struct xml_node *n, struct xml_attribute ***end)
{
  struct xml_attribute *a = ARENA_NEW(r->arena, 1, struct xml_attribute);
  if (!xml_is_name(*r->at))
    return XML_ERROR(r, "element '%s': expected an attribute, '>' or '/>'", text_clip(n->name).word);
  a->key = xml_read_name(r);
  xml_skip_spaces(r);
  if (r->at == r->end || *r->at != '=')
    return XML_ERROR(r, "attribute '%s' of element '%s': expected '='", text_clip(a->key).word,
                     text_clip(n->name).word);
  r->at++;
  xml_skip_spaces(r);
  if (xml_get(n, a->key))
    return XML_ERROR(r, "attribute '%s' of element '%s' is given twice", text_clip(a->key).word,
                     text_clip(n->name).word);
  a->value = xml_read_value(r, a->key);
  **end = a;
  *end = &a->next;
  return a->value != NULL;
}

/* An element's opening, after the <. *empty: it is its closing, too. NULL after an error. */
static struct xml_node *xml_read_opening(struct xml_reader *r, struct xml_node *parent, int *empty)
{
  struct xml_node *n = ARENA_NEW(r->arena, 1, struct xml_node);
  struct xml_attribute **end = &n->attributes;
  n->file = r->file;
  n->line = r->line;
  n->name = xml_read_name(r);
  n->parent = parent;
  if (!*n->name || ++r->n_nodes > XML_MAX_NODES || r->depth == XML_MAX_DEPTH) {
    if (!*n->name)
      XML_ERROR(r, "expected the name of an element after '<'");
    else
      XML_ERROR(r, "too many elements: at most %d, nested %d deep", XML_MAX_NODES, XML_MAX_DEPTH);
    return NULL;
  }
  for (;;) {
    xml_skip_spaces(r);
    *empty = xml_starts(r, "/>");
    if (*empty || xml_starts(r, ">")) {
      r->at += 1 + *empty;
      return n;
    }
    if (r->at == r->end) {
      XML_ERROR(r, "the file ends within element '%s'", text_clip(n->name).word);
      return NULL;
    }
    if (!xml_read_attribute(r, n, &end))
      return NULL;
  }
}

static void xml_append(struct xml_node *parent, struct xml_node *n)
{
  if (parent->last)
    parent->last->next = n;
  else
    parent->children = n;
  parent->last = n;
}

/* A closing tag, after the </, of the element that is open. */
static int xml_read_closing(struct xml_reader *r, const struct xml_node *open)
{
  const char *name = xml_read_name(r);
  xml_skip_spaces(r);
  if (!open)
    return XML_ERROR(r, "'</%s>' closes nothing", text_clip(name).word);
  if (strcmp(name, open->name))
    return XML_ERROR(r, "'</%s>' found, but '<%s>' of line %d is open", text_clip(name).word,
                     text_clip(open->name).word, open->line);
  if (!xml_starts(r, ">"))
    return XML_ERROR(r, "'</%s': expected '>'", text_clip(name).word);
  r->at++;
  return 1;
}

/* What stands between two <: text of which nobody asks. 0 at the end of the file, or after an error. */
static int xml_next_tag(struct xml_reader *r)
{
  for (;;) {
    const char *tag = r->at < r->end ? memchr(r->at, '<', (size_t)(r->end - r->at)) : NULL;
    xml_go(r, tag ? tag : r->end);
    if (!tag)
      return 0;
    if (xml_starts(r, "<!--")) {
      if (!xml_skip_to(r, "a comment", "-->"))
        return 0;
    } else if (xml_starts(r, "<![CDATA[")) {
      if (!xml_skip_to(r, "a CDATA section", "]]>"))
        return 0;
    } else if (xml_starts(r, "<?")) {
      if (!xml_skip_to(r, "a processing instruction", "?>"))
        return 0;
    } else if (xml_starts(r, "<!")) {
      if (!xml_skip_type(r))
        return 0;
    } else {
      return 1;
    }
  }
}

struct xml_node *xml_parse(struct arena *arena, const char *name, const char *text, size_t length, struct diag *d)
{
  struct xml_reader r = {.arena = arena, .d = d, .file = arena_strdup(arena, name), .at = text, .end = text + length,
                         .line = 1};
  struct xml_node *root = NULL, *open = NULL;
  int errors = d->n_errors, empty;
  if (length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2)))
    return XML_ERROR(&r, "the file is UTF-16; save it as UTF-8"), NULL;
  while (xml_next_tag(&r)) {
    r.at++;
    if (xml_starts(&r, "/")) {
      r.at++;
      if (!xml_read_closing(&r, open))
        return NULL;
      open = open->parent;
      r.depth--;
      continue;
    }
    if (root && !open)
      return XML_ERROR(&r, "a second outermost element; a file has one, '%s'", text_clip(root->name).word), NULL;
    struct xml_node *n = xml_read_opening(&r, open, &empty);
    if (!n)
      return NULL;
    if (open)
      xml_append(open, n);
    else
      root = n;
    if (!empty)
      open = n, r.depth++;
  }
  if (d->n_errors == errors && open)
    XML_ERROR(&r, "the file ends, but '<%s>' of line %d is open", text_clip(open->name).word, open->line);
  else if (d->n_errors == errors && !root)
    XML_ERROR(&r, "this is no XML: there is no element");
  return d->n_errors == errors ? root : NULL;
}

struct xml_node *xml_read_file(struct arena *arena, const char *path, struct diag *d)
{
  size_t n;
  const char *text = file_read(arena, path, &n);
  if (!text)
    diag_error(d, path, 0, "cannot be read: %s", strerror(errno));
  else if (n > (size_t)XML_MAX_SIZE)
    diag_error(d, path, 0, "is too large: %zu bytes, at most %ld are read", n, XML_MAX_SIZE);
  else
    return xml_parse(arena, path, text, n, d);
  return NULL;
}

const char *xml_get(const struct xml_node *n, const char *key)
{
  for (const struct xml_attribute *a = n->attributes; a; a = a->next)
    if (!strcmp(a->key, key))
      return a->value;
  return NULL;
}

static struct xml_node *xml_find(struct xml_node *n, const char *name)
{
  while (n && strcmp(n->name, name))
    n = n->next;
  return n;
}

struct xml_node *xml_child(const struct xml_node *n, const char *name) { return xml_find(n->children, name); }
struct xml_node *xml_next(const struct xml_node *n, const char *name) { return xml_find(n->next, name); }

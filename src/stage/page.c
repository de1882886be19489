/* Pages: the data in the place that the template has for it. See page.h. */
#include "stage/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/deflate.h"
#include "base/json.h"

static const char *packed_text(struct arena *arena, const void *bytes, size_t n)
{
  size_t length;
  const unsigned char *packed = deflate_bytes(arena, bytes, n, &length);
  return base64_text(arena, packed, length);
}

static void page_data(FILE *out, struct arena *arena, const struct stage_page *p)
{
  struct json j = json_to(out);
  json_object(&j, NULL);
  json_truth(&j, "packed", 1);
  json_text(&j, "live", p->live);
  json_object(&j, "settings");
  if (p->title)
    json_text(&j, "title", p->title);
  json_end(&j);
  json_text(&j, "wasm", packed_text(arena, p->module, p->n_module));
  json_array(&j, "packages");
  for (int i = 0; i < p->n_packages; i++) {
    json_object(&j, NULL);
    json_text(&j, "name", p->packages[i].name);
    json_text(&j, "bytes", packed_text(arena, p->packages[i].bytes, p->packages[i].n_bytes));
    json_end(&j);
  }
  json_end(&j);
  json_end(&j);
}

/* In JSON a "<" can stand inside of texts only. */
static void put_escaped(FILE *out, const char *text, size_t n)
{
  for (size_t i = 0; i < n;) {
    size_t plain = strcspn(text + i, "<");
    fwrite(text + i, 1, plain, out);
    i += plain;
    if (i < n)
      fputs("\\u003c", out), i++;
  }
}

/* What a stream into memory got, as the arena's. */
static const char *take_text(struct arena *arena, FILE *stream, char **text, size_t *n)
{
  int good = fclose(stream) == 0 && *text;
  if (!good)
    arena_out_of_memory();
  char *own = memcpy(ARENA_NEW(arena, *n + 1, char), *text, *n);
  free(*text);
  return own;
}

static FILE *open_text(char **text, size_t *n)
{
  FILE *stream = open_memstream(text, n);
  if (!stream)
    arena_out_of_memory();
  return stream;
}

const char *stage_page_text(struct arena *arena, const struct stage_page *p, size_t *n, struct diag *d)
{
  const char *place = strstr(p->template, STAGE_PAGE_DATA), *after = place ? place + strlen(STAGE_PAGE_DATA) : NULL;
  if (!place || strstr(after, STAGE_PAGE_DATA)) {
    diag_error(d, p->file, 0, "the template of the page must have the line %s once, and has it %s", STAGE_PAGE_DATA,
               place ? "several times" : "not at all");
    return NULL;
  }
  struct arena *work = arena_new();
  char *data = NULL, *page = NULL;
  size_t n_data = 0;
  FILE *out = open_text(&data, &n_data);
  page_data(out, work, p);
  const char *json = take_text(work, out, &data, &n_data);
  out = open_text(&page, n);
  fwrite(p->template, 1, (size_t)(place - p->template), out);
  fputs("<script type=\"application/json\" id=\"stage-data\">", out);
  put_escaped(out, json, n_data);
  fputs("</script>", out);
  fwrite(after, 1, p->n_template - (size_t)(after - p->template), out);
  const char *text = take_text(arena, out, &page, n);
  arena_free(work);
  return text;
}

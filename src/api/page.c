/* Pages in which the creatures of run files live. */
#include <errno.h>
#include <string.h>

#include "api/api.h"
#include "base/file.h"
#include "stage/page.h"
#include "stage/run_package.h"

/* A part of the stage, *n bytes; NULL after an error. */
static const char *read_part(struct arena *arena, const char *name, enum find_kind kind, const char **file, size_t *n,
                             struct diag *d)
{
  *file = api_find(arena, name, kind, d);
  const char *bytes = *file ? file_read(arena, *file, n) : NULL;
  if (*file && !bytes)
    diag_error(d, *file, 0, "cannot read this file: %s", strerror(errno));
  return bytes;
}

struct page_text { const char *text; size_t n; };

static int write_page(const void *what, FILE *out)
{
  const struct page_text *p = what;
  return fwrite(p->text, 1, p->n, out) != p->n;
}

/* The status; *out is the page. */
static muy_status make_page(struct arena *arena, muy_run *const *runs, int n, struct page_text *out, struct diag *d)
{
  struct run_package_options o = {.version = muy_version()};
  struct stage_page_package *packages = ARENA_NEW(arena, (size_t)(n > 0 ? n : 1), struct stage_page_package);
  struct stage_page page = {.n_packages = n, .packages = packages};
  const char *module;
  if (n < 1)
    return api_fail(d, MUY_WRONG_INPUT, "", "a page needs a run file");
  for (int i = 0; i < n; i++) {
    struct run_package run;
    if (!run_package_open(arena, runs[i]->path, &o, &run, d))
      return MUY_WRONG_INPUT;
    packages[i].name = run.name;
    packages[i].bytes = stage_package_bytes(arena, &run.package, &packages[i].n_bytes);
  }
  page.template = read_part(arena, "page", FIND_PAGE, &page.file, &page.n_template, d);
  page.module = read_part(arena, "stage", FIND_MODULE, &module, &page.n_module, d);
  out->text = page.template && page.module ? stage_page_text(arena, &page, &out->n, d) : NULL;
  return out->text ? MUY_OK : MUY_WRONG_INPUT;
}

muy_status muy_write_page(muy_run *const *runs, int n, const char *path, muy_messages *m)
{
  struct api_diag messages;
  struct diag *d = api_diag_open(&messages, m);
  struct arena *arena = arena_new();
  struct page_text page;
  muy_status status = make_page(arena, runs, n, &page, d);
  if (status == MUY_OK)
    status = api_write(arena, path, write_page, &page, d);
  arena_free(arena);
  api_diag_close(&messages);
  return status;
}

/* The page: the template, the module and packages in one HTML file that needs nothing else, from disk or from a server.
 *
 * All that comes from run files goes into one script of JSON data: {"wasm": ..., "packages": [{"name", "bytes"}, ...],
 * "packed": true, "live": ..., "settings": ...}. Module and packages are compressed (base/deflate.h), then base64.
 * A "<" is written \u003c, so that no name can end the script. */
#ifndef MUYBRIDGE_STAGE_PAGE_H
#define MUYBRIDGE_STAGE_PAGE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

/* The line of the template that the data takes the place of. */
#define STAGE_PAGE_DATA "<script type=\"application/json\" id=\"stage-data\">{}</script>"

struct stage_page_package {
  const char *name;             /* that a person chooses it by     */
  const char *what;             /* what can be done with it, in words, for who makes the page; may be NULL */
  const void *bytes;            /* by stage_package_bytes()        */
  size_t n_bytes;
};

struct stage_page {
  const char *file;             /* of the template, for messages                                       */
  const char *template;         /* its text; it may have zeros, which no template has                  */
  size_t n_template;
  const void *module;           /* stage.wasm                                                          */
  size_t n_module;
  int n_packages;
  const struct stage_page_package *packages;
  const char *live;             /* the token with which the page listens to a server; NULL: it does not */
  const char *title;            /* of the page; NULL: its own                                          */
};

/* The whole page, *n characters, in the arena. NULL after an error: a template without the line for the data, or with
 * several. */
const char *stage_page_text(struct arena *arena, const struct stage_page *p, size_t *n, struct diag *d);

#endif

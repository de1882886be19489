/* The stage, for the commands that make pages: its parts, packages of run files, and a page that is served. */
#ifndef MUYBRIDGE_CLI_STAGING_H
#define MUYBRIDGE_CLI_STAGING_H

#include "cli/cli.h"
#include "serve/serve.h"
#include "stage/page.h"
#include "stage/run_package.h"

/* Finds the page and the module of the stage, and fills in these two. 0 after an error. */
int staging_open(struct arena *arena, struct stage_page *page, struct diag *d);

/* The package of "RUN" or "RUN:CLIP". 0 after an error. */
int staging_add(struct arena *arena, const char *name, const struct run_package_options *o,
                struct stage_page_package *out, struct diag *d);

/* What can be done with it, in words: "physics, controller, 17 clips". */
const char *staging_words(struct arena *arena, const struct stage_package *p);

/* ---- serving ---- */

/* Options of the commands that serve, and a table's lines for them. */
struct staging_options {
  int port;                     /* 0: any                            */
  int no_open, quiet;
};
#define STAGING_USAGE                                                                                                  \
  "      --port N         serve on this port of 127.0.0.1 (default: one that is free)\n"                               \
  "      --no-open        do not open a browser (none is opened if standard output is no terminal)\n"

/* Blocks SIGINT, SIGTERM and SIGHUP; returns a descriptor that can be read when one of them comes. -1, with errno, if
 * that cannot be. staging_unblock() is for children of the process, before they do anything. */
int staging_signals(void);
void staging_unblock(void);

/* Says where the page is and opens a browser there. */
void staging_announce(const struct serve *s, const char *command, const struct staging_options *o);

#endif

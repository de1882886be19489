/* See staging.h. */
#include "cli/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/files.h"

static const char *read_part(struct arena *arena, const char *name, enum find_kind kind, const char **file, size_t *n,
                             struct diag *d)
{
  *file = cli_find(arena, name, kind, d);
  const char *bytes = *file ? file_read(arena, *file, n) : NULL;
  if (*file && !bytes)
    diag_error(d, *file, 0, "cannot read this file: %s", strerror(errno));
  return bytes;
}

int staging_open(struct arena *arena, struct stage_page *page, struct diag *d)
{
  const char *module;
  page->template = read_part(arena, "page", FIND_PAGE, &page->file, &page->n_template, d);
  page->module = read_part(arena, "stage", FIND_MODULE, &module, &page->n_module, d);
  return page->template && page->module;
}

int staging_add(struct arena *arena, const char *name, const struct run_package_options *given,
                struct stage_page_package *out, struct diag *d)
{
  struct run_package_options o = *given;
  struct run_package run;
  const char *file = cli_split_run(arena, name, &o.clip);
  if (!store_is_run_file(file)) {
    diag_error(d, file, 0, "this is no run file (.muy)");
    return 0;
  }
  if (!run_package_open(arena, file, &o, &run, d))
    return 0;
  *out = (struct stage_page_package){.name = run.name, .what = staging_words(arena, &run.package)};
  out->bytes = stage_package_bytes(arena, &run.package, &out->n_bytes);
  return 1;
}

const char *staging_words(struct arena *arena, const struct stage_package *p)
{
  int n = p->clips.n_clips;
  return arena_printf(arena, "%s%s%d clip%s", p->controls ? "physics, " : "",
                      p->task ? arena_printf(arena, "controller for %s, ", p->task->name) : "", n, n == 1 ? "" : "s");
}

/* ---- serving ---- */

static sigset_t ends(void)
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP); /* the terminal is closed */
  return set;
}

int staging_signals(void)
{
  sigset_t set = ends();
  return sigprocmask(SIG_BLOCK, &set, NULL) ? -1 : signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void staging_unblock(void)
{
  sigset_t set = ends();
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A browser that a person sees; a program that would draw on this terminal is none. */
static int has_screen(void)
{
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  return (x && *x) || (wayland && *wayland);
}

/* The browser is the child of a child, so that nobody has to wait for it, and is silent. */
static void open_browser(const char *address)
{
  pid_t child = fork();
  if (child == 0) {
    staging_unblock();
    setsid();
    int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0)
      dup2(nothing, 0), dup2(nothing, 1), dup2(nothing, 2);
    if (fork() == 0)
      execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(0);
  }
  if (child > 0)
    waitpid(child, NULL, 0);
}

void staging_announce(const struct serve *s, const char *command, const struct staging_options *o)
{
  printf("%s\n", serve_address(s)); /* a line of its own, for scripts */
  if (!o->quiet)
    printf("muybridge %s: the page is there until Ctrl-C\n", command);
  fflush(stdout);
  if (!o->no_open && isatty(STDOUT_FILENO) && has_screen())
    open_browser(serve_address(s));
}

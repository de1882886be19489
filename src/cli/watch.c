/* muybridge watch: a page that shows what a creature's files say, while they are edited. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "base/seconds.h"
#include "cli/options.h"
#include "cli/staging.h"
#include "cli/watching.h"
#include "serve/changes.h"

static const char usage[] =
    "Usage: muybridge watch [OPTION]... CREATURE [GAIT|TASK]\n"
    "Shows a creature in a page while you edit it: save its file, one that it includes, its style or the task, and\n"
    "the page shows the new motion, solved from the one before. Errors appear in the page with file and line, and the\n"
    "last good motion goes on; files that have errors at the start are waited for. GAIT is one of the creature's\n"
    "(default: its first); with a TASK a small controller is built, and its clips are solved anew. Nothing is kept:\n"
    "muybridge gait and synth do that.\n\n"
    "      --style NAME     how it is to look: proud, tired, sneaky, limping, laden or a file (may be given again)\n"
    "  -s, --speed V        of a gait, metres per second (default: the middle of its range)\n"
    "      --clips N        of the controller (default 16)\n"
    "  -j, --jobs N         solve this many at once for the first controller (default: one for each processor)\n"
    STAGING_USAGE
    "  -q, --quiet          print errors (and the address) only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 ended by Ctrl-C, 1 the page could not be served, 2 the input or the command line is wrong.\n";

struct watch_options {
  struct watching what;
  struct staging_options staging;
};

static const struct cli_option watch_options[] = {
    CLI_STYLE,
    CLI_VALUE("speed", 's', watch_options, what.speed, 0, 1e4),
    CLI_VALUE("clips", 0, watch_options, what.clips, 1, 1000),
    CLI_VALUE("jobs", 'j', watch_options, what.workers, 1, 1024),
    CLI_VALUE("port", 0, watch_options, staging.port, 1, 65535),
    CLI_FLAG("no-open", 0, watch_options, staging.no_open),
    CLI_FLAG("quiet", 'q', watch_options, staging.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"watch", usage, "wrong option", watch_options};

#define POLL_SECONDS 0.5        /* where the system does not tell of changes */

struct watch {
  struct watch_options *o;
  struct stage_page page;       /* template and module                                       */
  struct serve *server;
  struct changes *changes;
  int signals;                  /* descriptor                                                */
  int is_announced;
  pid_t child;                  /* 0: none                                                   */
  int pipe;                     /* from it; -1: none                                         */
  double since;                 /* when it was started [s]                                   */
  unsigned char *heard;         /* of messages that are not whole yet                        */
  size_t n_heard, room;
  unsigned char *last;          /* the last package                                          */
  int n_packages;
  int is_done;                  /* the child said so                                         */
  int is_good;                  /* it reported no error                                      */
};

/* ---- the page ---- */

static char *json_of(const char *key, const char *text)
{
  char *out = NULL;
  size_t n = 0;
  FILE *stream = open_memstream(&out, &n);
  if (!stream)
    arena_out_of_memory();
  struct json j = json_to(stream);
  json_object(&j, NULL);
  if (key)
    json_text(&j, key, text);
  json_end(&j);
  if (fclose(stream) || !out)
    arena_out_of_memory();
  return out;
}

static void tell_page(struct watch *w, const char *event, const char *key, const char *text, enum serve_keep keep)
{
  char *data = json_of(key, text);
  serve_event(w->server, event, data, keep);
  free(data);
}

/* The page for who opens it from now on: with the newest package, or none yet. */
static int renew_page(struct watch *w, struct diag *d)
{
  struct arena *arena = arena_new();
  size_t n = 0;
  const struct watching *what = &w->o->what;
  const char *slash = strrchr(what->creature, '/');
  struct stage_page_package package = {.name = slash ? slash + 1 : what->creature, .bytes = what->last,
                                       .n_bytes = what->n_last};
  w->page.packages = &package;
  w->page.n_packages = what->last != NULL;
  w->page.live = serve_token_now(w->server);
  const char *text = stage_page_text(arena, &w->page, &n, d);
  if (text)
    serve_put(w->server, "", 0, "text/html; charset=utf-8", text, n);
  arena_free(arena);
  return text != NULL;
}

/* Renews the page; the first time its address is told. */
static void show_page(struct watch *w, struct diag *d)
{
  if (renew_page(w, d) && !w->is_announced) {
    staging_announce(w->server, "watch", &w->o->staging);
    w->is_announced = 1;
  }
}

/* Errors before there is a motion: a page that shows them, and waits for one. */
static void show_errors(struct watch *w, const char *json, struct diag *d)
{
  serve_forget(w->server, "busy");
  if (!w->is_announced)
    show_page(w, d);
  serve_event(w->server, "error", json, SERVE_ALWAYS);
}

static void take_package(struct watch *w, const unsigned char *bytes, size_t n, struct diag *d)
{
  char url[128];
  w->last = realloc(w->last, n + 1);
  if (!w->last)
    arena_out_of_memory();
  memcpy(w->last, bytes, n);
  w->o->what.last = w->last;
  w->o->what.n_last = n;
  w->n_packages++;
  snprintf(url, sizeof url, "package?token=%s&n=%d", serve_token(w->server), w->n_packages);
  serve_put(w->server, "package", w->n_packages, "application/octet-stream", bytes, n);
  tell_page(w, "package", "url", url, SERVE_IF_NEWER);
  show_page(w, d);
}

/* ---- the child ---- */

static void end_child(struct watch *w)
{
  if (w->child > 0) {
    kill(-w->child, SIGKILL); /* and all that it started */
    kill(w->child, SIGKILL);
    waitpid(w->child, NULL, 0);
  }
  if (w->pipe >= 0)
    close(w->pipe);
  w->child = 0;
  w->pipe = -1;
  w->n_heard = 0;
}

/* Nothing of the server may stay open in it: a connection that is closed here would not be. */
static void close_others(int kept)
{
  for (int fd = 3; fd < 1024; fd++)
    if (fd != kept)
      close(fd);
}

static int start_child(struct watch *w)
{
  int ends[2];
  end_child(w);
  if (pipe2(ends, O_CLOEXEC))
    return 0;
  fflush(stdout);
  w->since = wall_seconds();
  w->is_done = 0;
  w->is_good = 1;
  w->child = fork();
  if (w->child == 0) {
    setpgid(0, 0);
    staging_unblock();
    close_others(ends[1]);
    watching_solve(&w->o->what, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  w->pipe = ends[0];
  if (w->child < 0)
    w->child = 0;
  else
    setpgid(w->child, w->child);
  return w->child > 0;
}

static void hear_message(struct watch *w, enum watching_kind kind, const char *text, size_t n, struct diag *d)
{
  int quiet = w->o->staging.quiet;
  switch (kind) {
  case WATCHING_BUSY:
    tell_page(w, "busy", "what", text, SERVE_ALWAYS);
    break;
  case WATCHING_WORDS:
    if (!quiet)
      printf("%6.2f s  %s\n", wall_seconds() - w->since, text);
    break;
  case WATCHING_PACKAGE:
    serve_forget(w->server, "error");
    take_package(w, (const unsigned char *)text, n, d);
    break;
  case WATCHING_TEXT:
    fputs(text, stderr);
    break;
  case WATCHING_ERROR:
    w->is_good = 0;
    show_errors(w, text, d);
    break;
  case WATCHING_DONE:
    w->is_done = 1;
    serve_forget(w->server, "busy");
    if (w->is_good) {
      serve_forget(w->server, "error");
      tell_page(w, "good", NULL, NULL, SERVE_ONCE);
    }
    break;
  }
  fflush(stdout);
}

/* Messages that are whole. */
static void hear_messages(struct watch *w, struct diag *d)
{
  size_t at = 0;
  while (w->n_heard - at >= 9) {
    unsigned long long n = 0;
    for (int i = 0; i < 8; i++)
      n |= (unsigned long long)w->heard[at + 1 + (size_t)i] << 8 * i;
    if (n > w->n_heard - at - 9)
      break;
    char *text = (char *)w->heard + at + 9, after = text[n]; /* there is room for one more */
    text[n] = 0;
    hear_message(w, (enum watching_kind)w->heard[at], text, (size_t)n, d);
    text[n] = after;
    at += 9 + (size_t)n;
  }
  memmove(w->heard, w->heard + at, w->n_heard - at);
  w->n_heard -= at;
}

/* A child that ended without a word has crashed. */
static void child_ended(struct watch *w, struct diag *d)
{
  int status = 0;
  waitpid(w->child, &status, 0);
  w->child = 0;
  end_child(w);
  if (w->is_done)
    return;
  char text[160];
  snprintf(text, sizeof text, "{\"messages\": [{\"file\": \"muybridge\", \"line\": 0, \"text\": \"the solver ended by "
           "itself (signal %d): save the file again to try again\"}]}", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  fprintf(stderr, "muybridge watch: the solver ended by itself, signal %d\n",
          WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  show_errors(w, text, d);
}

static void hear_child(struct watch *w, struct diag *d)
{
  if (w->room < w->n_heard + 65536 + 1) {
    w->room = 2 * w->room + 65536 + 1;
    w->heard = realloc(w->heard, w->room);
    if (!w->heard)
      arena_out_of_memory();
  }
  ssize_t n = read(w->pipe, w->heard + w->n_heard, w->room - w->n_heard - 1);
  if (n > 0) {
    w->n_heard += (size_t)n;
    hear_messages(w, d);
  } else if (n == 0) {
    child_ended(w, d);
  }
}

/* ---- the loop ---- */

static void note_files(struct watch *w)
{
  struct arena *arena = arena_new();
  int n = 0;
  const char *const *files = watching_files(arena, &w->o->what, &n);
  changes_add(w->changes, n, files);
  arena_free(arena);
}

/* Until it is told to end. The exit status. */
static int run_loop(struct watch *w, struct diag *d)
{
  note_files(w);
  int good = start_child(w);
  while (good && !d->n_errors) {
    int others[3] = {w->signals, changes_fd(w->changes), w->pipe}, ready[3];
    double seconds = changes_must_poll(w->changes) ? POLL_SECONDS : -1;
    if (serve_wait(w->server, 3, others, ready, seconds) < 0)
      break;
    if (ready[0])
      return CLI_DONE;
    if (ready[2])
      hear_child(w, d);
    if ((ready[1] || seconds > 0) && changes_look(w->changes)) {
      note_files(w); /* it may include others now */
      good = start_child(w);
    }
  }
  if (!d->n_errors)
    fprintf(stderr, "muybridge watch: cannot go on: %s\n", strerror(errno));
  return CLI_FAILED;
}

static int watch_and_serve(struct watch_options *o, struct arena *arena, struct diag *d)
{
  struct serve_options options;
  struct watch w = {.o = o, .pipe = -1};
  if (!staging_open(arena, &w.page, d))
    return CLI_WRONG_INPUT;
  serve_defaults(&options);
  options.port = o->staging.port;
  w.signals = staging_signals();
  w.server = serve_open(&options, d);
  w.changes = w.server ? changes_open(d) : NULL;
  int status = w.changes ? run_loop(&w, d) : CLI_FAILED;
  end_child(&w);
  changes_close(w.changes);
  serve_close(w.server);
  close(w.signals);
  free(w.heard);
  free(w.last);
  return status;
}

/* ---- the command ---- */

static int is_there(const char *path)
{
  return path && !access(path, R_OK);
}

/* Is the second name a gait or a task? 0 after an error. c: NULL: its file has errors, so that its gaits are not known:
 * what is no task is then taken for a gait, unless it can only be a file. */
static int choose_subject(struct arena *arena, const char *name, const struct creature *c, struct watching *w,
                          struct diag *d)
{
  if (!name)
    return 1;
  if (c && creature_find_gait(c, name) >= 0) {
    w->gait = name;
    return 1;
  }
  struct diag own;
  diag_init(&own);
  w->task = cli_find(arena, name, FIND_TASK, &own);
  if (!is_there(w->task))
    w->task = NULL;
  if (!w->task && !c && !strpbrk(name, "./")) {
    w->gait = name;
  } else if (!w->task && !c) {
    diag_error(d, name, 0, "there is no such task");
  } else if (!w->task) {
    const char *gaits = "";
    for (int i = 0; i < c->n_gaits; i++)
      gaits = arena_printf(arena, "%s%s%s", gaits, i ? ", " : "", c->gaits[i].name);
    diag_error(d, name, 0, "this is neither a gait of %s (%s) nor a task", c->name, *gaits ? gaits : "none");
  }
  diag_clear(&own);
  return w->task || w->gait;
}

static void check_there(const char *path, struct diag *d)
{
  if (path && !is_there(path))
    diag_error(d, path, 0, "cannot read this file: %s", strerror(errno));
}

/* Are the files that were named there? What is in them may have errors. 0 after an error. */
static int are_files_there(struct arena *arena, const struct watching *w, struct diag *d)
{
  check_there(w->creature, d);
  for (int i = 0; i < w->styles.n; i++)
    check_there(cli_find(arena, w->styles.names[i], FIND_STYLE, d), d);
  return !d->n_errors;
}

/* A folder for the run file of the first controller, which is gone in the end. */
static int run_in_folder(struct watch_options *o, struct arena *arena, struct diag *d)
{
  const char *parent = getenv("TMPDIR");
  char *folder = arena_printf(arena, "%s/muybridge-watch-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!o->what.task)
    return watch_and_serve(o, arena, d);
  if (!mkdtemp(folder)) {
    diag_error(d, folder, 0, "there is no place for the controller's clips: %s", strerror(errno));
    return CLI_FAILED;
  }
  o->what.run = arena_printf(arena, "%s/controller.muy", folder);
  int status = watch_and_serve(o, arena, d);
  static const char *const endings[] = {"", "-journal", "-wal", "-shm"};
  for (int i = 0; i < 4; i++)
    unlink(arena_printf(arena, "%s%s", o->what.run, endings[i]));
  rmdir(folder);
  return status;
}

static int run_watch(struct watch_options *o, struct arena *arena, int n, char **names, struct diag *d)
{
  const char *path = cli_find(arena, names[0], FIND_CREATURE, d);
  o->what.creature = path;
  const struct creature *c = path ? cli_load_styled(arena, path, &o->what.styles, d) : NULL;
  if (!path)
    return CLI_WRONG_INPUT;
  if (d->n_errors) { /* of what is in the files: the child finds them again, and tells the page */
    c = NULL;
    diag_clear(d);
    diag_init(d);
    if (!are_files_there(arena, &o->what, d))
      return CLI_WRONG_INPUT;
  }
  if (!choose_subject(arena, n > 1 ? names[1] : NULL, c, &o->what, d))
    return CLI_WRONG_INPUT;
  if (c && !c->n_gaits) {
    diag_error(d, path, 0, "%s has no gait to show; muybridge gaits %s finds sections for it", c->name, names[0]);
    return CLI_WRONG_INPUT;
  }
  cli_report(d); /* warnings */
  return run_in_folder(o, arena, d);
}

int cli_watch(int argc, char **argv)
{
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  struct watch_options o = {.what = {.speed = NAN, .clips = 16, .workers = processors > 1 ? (int)processors : 1}};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  o.what.styles = cli_line_styles(arena, line);
  if (status == CLI_DONE && (line->n_operands < 1 || line->n_operands > 2))
    status = cli_usage_error("watch", "name a creature, and perhaps one of its gaits or a task");
  else if (status == CLI_DONE)
    status = run_watch(&o, arena, line->n_operands, line->operands, &d);
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("watch");
}

/* muybridge view: run files as a page in which their creatures live; written to a file, or served until Ctrl-C. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/options.h"
#include "cli/staging.h"
#include "store/store.h"
#include "config.h"

static const char usage[] =
    "Usage: muybridge view [OPTION]... RUN[:CLIP]...\n"
    "Makes a page of HTML in which the creature lives: steer it, push it, throw balls, change the ground. It is one "
    "file\n"
    "that needs no network. With a control graph (muybridge control) it walks in simulated physics; with a controller\n"
    "alone (muybridge synth, policy) it is played; else the clips are shown. CLIP, a number or a name, is shown "
    "alone.\n"
    "Several run files are several creatures to choose from.\n\n"
    "  -o, --output FILE    write the page there; without it, the page is served on this machine alone and opened\n"
    "  -c, --controller N   that of this number (default: the newest)\n"
    "      --no-control     leave the control graph out: a smaller page, without physics under control\n"
    "      --clips-only     leave controller and control graph out\n"
    "  -t, --title TEXT     of the page, in place of the creature's name\n"
    STAGING_USAGE
    "  -q, --quiet          print errors (and the address) only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 done, 1 the page could not be written or served, 2 the input or the command line is wrong.\n";

enum { MOST_RUNS = 64 };

struct view_options {
  const char *output;
  struct run_package_options package;
  int clips_only;
  struct staging_options staging;
};

static const struct cli_option view_options[] = {
    CLI_TEXT("output", 'o', view_options, output),
    CLI_VALUE("controller", 'c', view_options, package.controller, 1, 1e9),
    CLI_FLAG("no-control", 0, view_options, package.no_control),
    CLI_FLAG("clips-only", 0, view_options, clips_only),
    CLI_TEXT("title", 't', view_options, package.title),
    CLI_VALUE("port", 0, view_options, staging.port, 1, 65535),
    CLI_FLAG("no-open", 0, view_options, staging.no_open),
    CLI_FLAG("quiet", 'q', view_options, staging.quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"view", usage, "wrong option", view_options};

/* ---- the page ---- */

static const char *make_page(struct arena *arena, int n, char **names, const struct view_options *o, size_t *length,
                             struct diag *d)
{
  struct stage_page page = {0};
  struct stage_page_package *packages = ARENA_NEW(arena, (size_t)n, struct stage_page_package);
  struct run_package_options of_run = o->package;
  if (n > 1) /* the title is the page's; each creature keeps its name */
    of_run.title = NULL;
  int good = 1;
  for (int i = 0; i < n; i++)
    good &= staging_add(arena, names[i], &of_run, &packages[i], d);
  if (!good || !staging_open(arena, &page, d))
    return NULL;
  page.n_packages = n;
  page.packages = packages;
  page.title = o->package.title;
  const char *text = stage_page_text(arena, &page, length, d);
  for (int i = 0; text && i < n && !o->staging.quiet; i++)
    printf("%s: %s, %.2f MB\n", packages[i].name, packages[i].what, 1e-6 * (double)packages[i].n_bytes);
  return text;
}

static int write_page(const char *output, const char *text, size_t n, int quiet)
{
  int error = file_write_bytes(output, text, n);
  if (error) {
    fprintf(stderr, "muybridge view: cannot write %s: %s\n", output, strerror(error));
    return CLI_FAILED;
  }
  if (!quiet)
    printf("wrote %s, %.2f MB; open it in a browser\n", output, 1e-6 * (double)n);
  return CLI_DONE;
}

static int serve_page(const char *text, size_t n, const struct staging_options *o, struct diag *d)
{
  struct serve_options options;
  serve_defaults(&options);
  options.port = o->port;
  int ended = staging_signals(), ready = 0;
  struct serve *s = serve_open(&options, d);
  if (!s)
    return CLI_FAILED;
  serve_put(s, "", 0, "text/html; charset=utf-8", text, n);
  staging_announce(s, "view", o);
  int status = serve_wait(s, 1, &ended, &ready, -1) < 0 ? CLI_FAILED : CLI_DONE;
  if (status)
    fprintf(stderr, "muybridge view: cannot go on serving: %s\n", strerror(errno));
  serve_close(s);
  close(ended);
  return status;
}

/* ---- the command ---- */

static int check_line(const struct view_options *o, int n)
{
  if (n < 1 || n > MOST_RUNS)
    return cli_usage_error("view", "name 1 to %d run files, found %d", MOST_RUNS, n);
  if (o->output && store_is_run_file(o->output))
    return cli_usage_error("view", "'%s' is a run file and would be lost; name another output", o->output);
  if (o->output && (o->staging.port || o->staging.no_open))
    return cli_usage_error("view", "with --output nothing is served: %s goes without it",
                           o->staging.port ? "--port" : "--no-open");
  return CLI_DONE;
}

int cli_view(int argc, char **argv)
{
  struct view_options o = {.package = {.version = PACKAGE_VERSION}};
  struct cli_line *line;
  struct arena *arena = arena_new();
  struct diag d;
  diag_init(&d);
  int status = cli_parse(arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE)
    status = check_line(&o, line->n_operands);
  if (status == CLI_DONE) {
    size_t n = 0;
    o.package.no_controller = o.clips_only;
    o.package.no_control |= o.clips_only;
    const char *page = make_page(arena, line->n_operands, line->operands, &o, &n, &d);
    cli_report(&d);
    status = !page ? CLI_WRONG_INPUT
             : o.output ? write_page(o.output, page, n, o.staging.quiet) : serve_page(page, n, &o.staging, &d);
  }
  cli_report(&d);
  diag_clear(&d);
  arena_free(arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("view");
}

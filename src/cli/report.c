/* muybridge report: a run as one page, for whoever was asleep while it was made. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/reporting.h"
#include "cli/staging.h"
#include "store/run_inputs.h"
#include "config.h"

static const char usage[] =
    "Usage: muybridge report [OPTION]... RUN\n"
    "Writes one page of HTML that needs no other file: the creature and the task, what was done, the cost step by\n"
    "step, the controller, how it plays, every clip, what failed and why, the verification, time and memory.\n\n"
    "  -o, --output FILE    where to (default report.html)\n"
    "  -b, --baseline RUN2  compare the cost with that of another synthesis\n"
    "      --stage FILE     write a page to play with, too (muybridge view), and link to it\n"
    "  -q, --quiet          print errors only\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 written, 1 the page or a picture in it could not be, 2 the input or the command line is wrong.\n";

/* ---- pictures ---- */

/* The bytes of a file, NULL after an error. */
static void *read_bytes(struct arena *arena, const char *path, size_t *n, struct diag *d)
{
  FILE *in = fopen(path, "rb");
  long length = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
  void *bytes = NULL;
  if (length > 0 && fseek(in, 0, SEEK_SET) == 0) {
    bytes = arena_alloc(arena, (size_t)length, 1);
    *n = (size_t)length;
    if (fread(bytes, 1, *n, in) != *n)
      bytes = NULL;
  }
  if (!bytes)
    diag_error(d, path, 0, "the picture cannot be read back: %s", strerror(errno));
  if (in)
    fclose(in);
  return bytes;
}

/* Draws a file, reads it and removes it. NULL after an error. */
static void *drawn(struct arena *arena, struct reporting *r, reporting_drawer *draw, const void *what,
                   const char *ending, size_t *n)
{
  const char *path = arena_printf(arena, "%s/picture.%s", r->folder, ending);
  struct canvas *cv = draw(r, what, path, r->d);
  void *bytes = cv && canvas_finish(cv, r->d) ? read_bytes(arena, path, n, r->d) : NULL;
  remove(path);
  return bytes;
}

static void no_picture(struct reporting *r, const char *words)
{
  html_element(&r->html, "p class=\"note\"", "(%s: this picture could not be drawn.)", words);
}

/* Whichever is smaller: lines and letters are best as SVG, maps of many colours and many creatures as pixels. */
void reporting_picture(struct reporting *r, reporting_drawer *draw, const void *what, const char *words)
{
  struct arena *scratch = arena_new();
  size_t n_svg = 0, n_png = 0;
  void *svg = drawn(scratch, r, draw, what, "svg", &n_svg);
  void *png = svg ? drawn(scratch, r, draw, what, "png", &n_png) : NULL;
  if (!svg || !png)
    no_picture(r, words);
  else if (n_svg <= n_png)
    html_picture(&r->html, "image/svg+xml", svg, n_svg, words);
  else
    html_picture(&r->html, "image/png", png, n_png, words);
  arena_free(scratch);
}

void reporting_thumbnail(struct reporting *r, reporting_drawer *draw, const void *what, const char *words)
{
  struct arena *scratch = arena_new();
  size_t n = 0;
  void *png = drawn(scratch, r, draw, what, "png", &n);
  if (png)
    html_picture(&r->html, "image/png", png, n, words);
  else
    no_picture(r, words);
  arena_free(scratch);
}

/* ---- what there is ---- */

/* 0 after an error. */
static int gather_search(struct arena *arena, struct store *s, struct reporting_search *out, struct diag *d)
{
  int there = store_get_synth(arena, s, &out->told, d);
  out->there = there == 1;
  if (there < 1)
    return there == 0;
  out->steps = store_list_steps(arena, s, &out->n_steps, d);
  out->attempts = out->steps ? store_list_attempts(arena, s, -1, &out->n_attempts, d) : NULL;
  return out->attempts != NULL;
}

/* Costs of other tasks or creatures can be drawn but not compared. */
static void check_baseline(struct reporting *r, struct store *s)
{
  size_t n[2] = {0, 0}, m[2] = {0, 0};
  const char *file;
  const char *mine = store_get_creature_text(r->arena, r->store, &n[0], r->d);
  const char *theirs = store_get_creature_text(r->arena, s, &n[1], r->d);
  const char *my_task = store_get_task_text(r->arena, r->store, r->search.told.task, &file, &m[0], r->d);
  const char *their_task = store_get_task_text(r->arena, s, r->other.told.task, &file, &m[1], r->d);
  if (!mine || !theirs || !my_task || !their_task)
    return;
  if (n[0] != n[1] || memcmp(mine, theirs, n[0]) || m[0] != m[1] || memcmp(my_task, their_task, m[0]))
    diag_error(r->d, r->baseline, 0, "the baseline has another creature or another task: costs cannot be compared");
}

static int gather_baseline(struct reporting *r)
{
  if (!r->baseline)
    return 1;
  if (!r->search.there)
    diag_error(r->d, r->run, 0, "there is no synthesis in this run file that a baseline could be compared with");
  struct store *s = r->search.there ? store_open(r->arena, r->baseline, STORE_READ, r->d) : NULL;
  int good = s && gather_search(r->arena, s, &r->other, r->d);
  if (good && (!r->other.there || r->other.n_steps < 1))
    diag_error(r->d, r->baseline, 0, "there is no synthesis with steps in this run file to compare with");
  else if (good)
    check_baseline(r, s);
  store_close(s);
  return good && !r->d->n_errors;
}

/* The run keeps what a player needs, not the values: these are worked out once more. */
static int gather_controller(struct reporting *r)
{
  struct graph_input clips;
  char why[200] = "";
  r->figures.creature = store_get_creature(r->arena, r->store, r->d);
  if (!r->figures.creature || !store_get_controller(r->arena, r->store, 0, &r->kept, r->d))
    return 0;
  r->task = run_inputs_task(r->arena, r->store, r->kept.task, r->figures.creature, r->d);
  if (!r->task || !run_inputs_clips(r->arena, r->store, r->run, &clips, r->d))
    return 0;
  r->controller = r->figures.controller = controller_new(r->arena, &clips, r->task, NULL, r->d);
  r->player = muy_player_load_memory(r->kept.bytes, r->kept.n_bytes, why, sizeof why);
  if (!r->player)
    diag_error(r->d, r->run, 0, "controller %d: %s", r->kept.id, why);
  return r->controller && r->player;
}

static int gather_play(struct reporting *r)
{
  struct performance_request request = {.task = r->task, .player = r->player, .seconds = REPORTING_SECONDS, .seed = 1};
  r->figures.responses = response_of_nodes(r->arena, r->player, r->task, REPORTING_RESPONSE, r->d);
  r->play = r->figures.responses ? performance_play(r->arena, &request, r->d) : NULL;
  if (r->play)
    verify_clip(r->arena, r->figures.creature, r->play->motion, &r->play_verification);
  return r->play != NULL;
}

static const struct clip *clip_of(const struct motion_graph *g, int id)
{
  for (int i = 0; i < g->n_clips; i++)
    if (g->clips[i].id == id)
      return g->clips[i].clip;
  return NULL;
}

/* Both ends; graph_new() has made sure that the clips there exist. */
static void check_junctions(const struct motion_graph *g, const struct clip *clip, struct reporting_clip *out)
{
  for (int at_end = 0; at_end < 2 && !clip->cyclic; at_end++) {
    struct clip_end end = at_end ? clip->to : clip->from;
    const struct clip *other = clip_of(g, end.clip);
    double off = other ? verify_junction(g->creature, clip, at_end, other, end.frame) : 0;
    if (off > out->junction) {
      out->junction = off;
      out->junction_frame = at_end ? clip->n_frames - 2 : 0;
    }
  }
}

static int step_of(const struct reporting_search *s, int id)
{
  for (int i = 0; i < s->n_steps; i++)
    for (int k = 0; k < s->steps[i].n_clips; k++)
      if (s->steps[i].clips[k] == id)
        return s->steps[i].iteration;
  return -1;
}

static int gather_clips(struct reporting *r)
{
  const struct motion_graph *g = r->controller->graph;
  int n = 0;
  if (!store_list_clips(r->arena, r->store, &n, r->d))
    return 0;
  r->n_pool = n - g->n_clips;
  r->clips = ARENA_NEW(r->arena, (size_t)g->n_clips, struct reporting_clip);
  for (int i = 0; i < g->n_clips; i++) {
    struct reporting_clip *k = &r->clips[i];
    struct arena *scratch = arena_new();
    const struct clip *clip = g->clips[i].clip;
    spacetime_summarize(scratch, g->creature, clip, &k->summary);
    struct verify_neighbours beside = {clip->cyclic ? NULL : clip_of(g, clip->from.clip),
                                       clip->cyclic ? NULL : clip_of(g, clip->to.clip), clip->from.frame,
                                       clip->to.frame};
    verify_transition(scratch, g->creature, clip, &beside, &k->verification);
    arena_free(scratch);
    check_junctions(g, clip, k);
    k->passed = k->verification.passed && k->junction <= GRAPH_JUNCTION;
    k->step = step_of(&r->search, g->clips[i].id);
    r->n_clips_passed += k->passed;
  }
  return 1;
}

/* ---- the page ---- */

/* The night in a few lines. */
static void write_short(struct reporting *r)
{
  const struct reporting_search *s = &r->search;
  const struct motion_graph *g = r->controller->graph;
  struct html *h = &r->html;
  html_tags(h, "<p class=\"short\">");
  if (s->n_steps > 0)
    html_say(h, "In %d steps and %d attempts the cost of a frame went from %.4f to %.4f. ", s->n_steps, s->n_attempts,
             s->steps[0].cost, s->steps[s->n_steps - 1].cost);
  html_say(h, "The graph has %d clips; %d of them keep every bar of the verification. In a minute of play", g->n_clips,
           r->n_clips_passed);
  for (int i = 0; i < r->play->n_parameters; i++)
    html_say(h, "%s %s was off by %s on average", i ? "," : "", r->task->parameters[i].kind->name,
             reporting_distance(&r->task->parameters[i], r->play->mean_error[i]).words);
  html_say(h, ", and the motion %s.", r->play_verification.passed ? "keeps every bar" : "MISSES a bar");
  html_tags(h, "</p>\n");
}

static void write_contents(struct reporting *r)
{
  static const struct { const char *id, *name; int of_search; } parts[] = {
      {"creature", "creature", 0}, {"task", "task", 0}, {"done", "what was done", 0}, {"cost", "cost", 1},
      {"graph", "controller", 0}, {"response", "responses", 0}, {"play", "play", 0}, {"clips", "clips", 0},
      {"verification", "verification", 0}, {"failures", "failures", 1}, {"time", "time and memory", 0}};
  html_tags(&r->html, "<p class=\"contents\">");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (r->search.there || !parts[i].of_search)
      fprintf(r->html.out, "<a href=\"#%s\">%s</a> ", parts[i].id, parts[i].name);
  html_tags(&r->html, "</p>\n");
}

static void write_page(struct reporting *r)
{
  struct html *h = &r->html;
  html_begin(h, arena_printf(r->arena, "%s: %s", text_clean(r->arena, r->figures.creature->name, 1), r->task->name));
  if (r->stage) {
    html_tags(h, "<p>");
    html_link(h, r->stage, "Play with it");
    html_tags(h, ": steer the creature, push it, change the ground.</p>\n");
  }
  write_short(r);
  write_contents(r);
  reporting_creature(r);
  reporting_task(r);
  reporting_what_was_done(r);
  reporting_cost(r);
  reporting_controller(r);
  reporting_responses(r);
  reporting_play(r);
  reporting_clips(r);
  reporting_verification(r);
  reporting_failures(r);
  reporting_time(r);
  html_end(h);
}

/* ---- the work ---- */

struct written { const char *text; size_t length; };

static int write_bytes(const void *what, FILE *out)
{
  const struct written *page = what;
  return fwrite(page->text, 1, page->length, out) != page->length;
}

/* In memory first: so that there is all of the page or none. The exit status. */
static int make_page(struct reporting *r, const char *output)
{
  char *text = NULL;
  size_t length = 0;
  r->html.out = open_memstream(&text, &length);
  if (r->html.out)
    write_page(r);
  int failed = !r->html.out || ferror(r->html.out);
  failed |= r->html.out && fclose(r->html.out) != 0;
  if (failed)
    diag_error(r->d, output, 0, "there is not enough memory for the page");
  else if (!cli_write("report", output, write_bytes, &(struct written){text, length}))
    failed = 1;
  free(text);
  return failed || r->d->n_errors ? CLI_FAILED : CLI_DONE;
}

/* The exit status. */
static int make_page_in_folder(struct reporting *r, const char *output)
{
  const char *parent = getenv("TMPDIR");
  char *folder = arena_printf(r->arena, "%s/muybridge-report-XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    diag_error(r->d, folder, 0, "there is no place for pictures on their way into the page: %s", strerror(errno));
    return CLI_FAILED;
  }
  r->folder = folder;
  int status = make_page(r, output);
  rmdir(folder);
  return status;
}

static int report(struct reporting *r, const char *output)
{
  r->store = store_open(r->arena, r->run, STORE_READ, r->d);
  int good = r->store && gather_search(r->arena, r->store, &r->search, r->d) && gather_baseline(r) &&
             gather_controller(r) && gather_play(r) && gather_clips(r);
  int status = good ? make_page_in_folder(r, output) : CLI_WRONG_INPUT;
  muy_player_unload(r->player);
  store_close(r->store);
  return status;
}

/* ---- the page to play with ---- */

/* One file as seen from another: by its name alone where both are in the same folder. */
static const char *seen_from(const char *page, const char *path)
{
  const char *a = strrchr(page, '/'), *b = strrchr(path, '/');
  size_t n_a = a ? (size_t)(a - page) + 1 : 0, n_b = b ? (size_t)(b - path) + 1 : 0;
  return n_a == n_b && !strncmp(page, path, n_a) ? path + n_b : path;
}

/* To be called before the run file is opened as a store. The exit status. */
static int make_stage(struct arena *arena, const char *run, const char *output, struct diag *d)
{
  struct stage_page page = {.n_packages = 1};
  struct stage_page_package package;
  size_t n = 0;
  page.packages = &package;
  if (!staging_add(arena, run, &(struct run_package_options){.version = PACKAGE_VERSION}, &package, d) ||
      !staging_open(arena, &page, d))
    return CLI_WRONG_INPUT;
  const char *text = stage_page_text(arena, &page, &n, d);
  if (!text)
    return CLI_WRONG_INPUT;
  return cli_write("report", output, write_bytes, &(struct written){text, n}) ? CLI_DONE : CLI_FAILED;
}

struct report_options { const char *output, *baseline, *stage; int quiet; };

static const struct cli_option report_options[] = {
    CLI_TEXT("output", 'o', report_options, output), CLI_TEXT("baseline", 'b', report_options, baseline),
    CLI_TEXT("stage", 0, report_options, stage),
    CLI_FLAG("quiet", 'q', report_options, quiet), CLI_HELP, CLI_LAST};
static const struct cli_syntax syntax = {"report", usage, "wrong option", report_options};

int cli_make_report(int argc, char **argv)
{
  struct report_options o = {.output = "report.html"};
  struct cli_line *line;
  struct diag d;
  diag_init(&d);
  struct reporting r = {.arena = arena_new(), .d = &d};
  int status = cli_parse(r.arena, &syntax, argc, argv, &o, &line);
  if (status == CLI_DONE && line->n_operands != 1)
    status = cli_usage_error("report", "name one run file, found %d", line->n_operands);
  else if (status == CLI_DONE && (store_is_run_file(o.output) || (o.stage && store_is_run_file(o.stage))))
    status = cli_usage_error("report", "'%s' is a run file and would be lost; name another output",
                             store_is_run_file(o.output) ? o.output : o.stage);
  else if (status == CLI_DONE && o.stage && !strcmp(o.stage, o.output))
    status = cli_usage_error("report", "--stage and --output name the same file, '%s'", o.output);
  else if (status == CLI_DONE) {
    r.run = line->operands[0];
    r.baseline = o.baseline;
    if (o.stage) {
      status = make_stage(r.arena, r.run, o.stage, &d);
      r.stage = seen_from(o.output, o.stage);
    }
    if (status == CLI_DONE)
      status = report(&r, o.output);
    if (status == CLI_DONE && !o.quiet)
      printf("wrote %s\n", o.output);
  }
  cli_report(&d);
  diag_clear(&d);
  arena_free(r.arena);
  return status ? cli_exit_status(&syntax, status) : cli_finish_output("report");
}

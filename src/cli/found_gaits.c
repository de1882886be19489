/* See found_gaits.h. */
#include "cli/found_gaits.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "gaits/gaits.h"
#include "gaits/sections.h"

/* ---- what is said ---- */

struct telling {
  const struct found_gaits *f;
  int terminal, round;          /* the last that was told */
};

static void tell_round(const struct found_gaits *f, const struct gaits_progress *p)
{
  if (f->json) {
    struct json j = json_to(stdout);
    json_object(&j, NULL);
    json_integer(&j, "part", p->round + 1);
    json_integer(&j, "parts", p->rounds);
    json_text(&j, "now", "searching for gaits");
    json_end(&j);
    fflush(stdout);
  } else {
    fprintf(stderr, "searching for gaits, part %d of %d\n", p->round + 1, p->rounds);
  }
}

static int tell(void *user, const struct gaits_progress *p)
{
  struct telling *t = user;
  const struct found_gaits *f = t->f;
  int is_line = t->terminal && !f->json;
  if (is_line && !f->quiet)
    fprintf(stderr, "\rsearching for gaits, part %d of %d: %d of %d solves\033[K", p->round + 1, p->rounds, p->done,
            p->jobs);
  else if (!f->quiet && p->round < p->rounds && p->round != t->round)
    tell_round(f, p);
  t->round = p->round;
  return f->may_go_on();
}

/* lack: what the creature has not. */
static void tell_found(struct arena *arena, const struct found_gaits *f, const struct gaits_result *r,
                       const char *lack)
{
  for (int i = 0; f->json && i < r->n_gaits; i++) {
    const struct gait *g = &r->creature->gaits[i];
    struct json j = json_to(stdout);
    json_object(&j, NULL);
    json_text(&j, "gait", g->name);
    json_text(&j, "words", r->gaits[i].words);
    json_number(&j, "slowest", g->speed_min, 6);
    json_number(&j, "fastest", g->speed_max, 6);
    json_text(&j, "section", sections_of_gait(arena, r->creature, g, NULL));
    json_end(&j);
  }
  if (!f->json)
    printf("%s %s. Found, %.0f s of processor time:\n%s", r->creature->name, lack, r->seconds,
           gaits_sections(arena, r));
  fflush(stdout);
}

/* ---- the search ---- */

static void tell_none(const struct creature *c, const struct gaits_result *r, struct diag *d)
{
  const struct gaits_speed *first = &r->speeds[0], *last = &r->speeds[r->n_speeds - 1];
  diag_error(d, c->file, 0, "%s has no gait sections, and no gait was found at %.3g to %.3g m/s; at %.3g m/s: %s",
             c->name, first->speed, last->speed, first->speed, first->reason);
}

/* NULL: an error in d, or it was stopped. */
static const struct gaits_result *search(struct arena *arena, const struct found_gaits *f, const struct creature *c,
                                         const double *speeds, int n, struct gaits_options *o, struct diag *d)
{
  struct telling telling = {f, isatty(STDERR_FILENO), -1};
  o->fine = GAITS_FINE_NONE;    /* what follows begins with that */
  o->workers = f->workers;
  o->progress = tell;
  o->user = &telling;
  const struct gaits_result *r = gaits_find(arena, c, speeds, n, o, d);
  if (telling.terminal && !f->quiet && !f->json)
    fputs("\r\033[K", stderr);
  return r;
}

static const struct gaits_result *search_all(struct arena *arena, const struct found_gaits *f,
                                             const struct creature *c, const struct task_file *t, struct diag *d)
{
  struct gaits_options o;
  struct task_speeds range;
  int n;
  gaits_defaults(&o);
  o.comfortable = !task_lacks(t, c, &range);
  const double *speeds = gaits_speeds(arena, c, range.least, range.most, &n);
  const struct gaits_result *r = search(arena, f, c, speeds, n, &o, d);
  if (r && !r->n_gaits)
    tell_none(c, r, d);
  return r;
}

/* ---- gaits that leave something open ---- */

/* At both ends of its speeds and between. */
static const struct gaits_result *search_open(struct arena *arena, const struct found_gaits *f,
                                              const struct creature *c, const struct open_gait *open, struct diag *d)
{
  const struct gait *g = &open->gait;
  double speeds[] = {g->speed_min, 0.5 * (g->speed_min + g->speed_max), g->speed_max};
  int n = g->speed_max > g->speed_min ? 3 : 1;
  struct gaits_options o;
  gaits_defaults(&o);
  o.open = open;
  const struct gaits_result *r = search(arena, f, c, speeds, n, &o, d);
  if (r && !r->n_gaits)
    diag_error(d, c->file, 0, "nothing was found for what gait '%s' leaves open; at %.3g m/s: %s", g->name, speeds[0],
               r->speeds[0].reason);
  return r && r->n_gaits ? r : NULL;
}

int found_gaits_complete(struct arena *arena, struct found_gaits *f, const struct creature *c, const char *name,
                         struct diag *d)
{
  size_t length;
  const char *text = store_creature_text(arena, c, &length, d);
  for (int i = 0; i < c->n_open && text; i++) {
    const char *mine = c->open[i].gait.name;
    if (name && strcmp(mine, name) != 0)
      continue;
    const struct gaits_result *r = search_open(arena, f, c, &c->open[i], d);
    if (!r)
      return CLI_FAILED;
    if (!f->quiet)
      tell_found(arena, f, r, arena_printf(arena, "leaves something of its gait %s open", mine));
    text = sections_without_gaits(arena, c->file, text, strlen(text), mine, d);
    text = text ? arena_printf(arena, "%s\n%s", text, gaits_sections(arena, r)) : NULL;
  }
  f->text = text;
  f->creature = text ? creature_parse(arena, c->file, text, strlen(text), d) : NULL;
  return f->creature ? CLI_DONE : CLI_WRONG_INPUT;
}

/* The text of a creature without the gaits that leave something open. */
static const char *text_closed(struct arena *arena, const struct creature *c, const char *text, struct diag *d)
{
  for (int i = 0; i < c->n_open && text; i++)
    text = sections_without_gaits(arena, c->file, text, strlen(text), c->open[i].gait.name, d);
  return text;
}

/* ---- in a run file ---- */

/* The text of the run file's creature, if that is this one with gaits; NULL: it is not. */
static const char *text_of_run(struct arena *arena, struct store *s, const char *bare)
{
  size_t length;
  struct diag own;
  diag_init(&own);
  const char *text = store_get_creature_text(arena, s, &length, &own);
  diag_clear(&own);             /* there is none yet */
  return text && !strncmp(text, bare, strlen(bare)) && strlen(text) > strlen(bare) ? text : NULL;
}

/* Can another text be put into the run file? 0 after an error: better told before the search than after. */
static int is_free(struct arena *arena, struct store *s, const struct creature *c, struct diag *d)
{
  int n = 0;
  const struct store_line *clips = store_list_clips(arena, s, &n, d);
  if (clips && n)
    diag_error(d, c->file, 0, "%s has %s, and the run file holds %d clip%s of a creature without those "
               "that would be found: give another run file", c->name, c->n_open ? "open gaits" : "no gait sections", n,
               n == 1 ? "" : "s");
  return clips && !n;
}

int found_gaits_search(struct arena *arena, struct found_gaits *f, const struct creature *c, const struct task_file *t,
                       struct store *s, struct diag *d)
{
  size_t length;
  const char *bare = store_creature_text(arena, c, &length, d), *closed = bare ? text_closed(arena, c, bare, d) : NULL;
  if (!closed)
    return CLI_WRONG_INPUT;
  f->text = text_of_run(arena, s, closed);
  if (!f->text) {
    if (!is_free(arena, s, c, d))
      return CLI_WRONG_INPUT;
    if (c->n_open)
      return found_gaits_complete(arena, f, c, NULL, d);
    const struct gaits_result *r = search_all(arena, f, c, t, d);
    if (!r || !r->n_gaits)
      return r || !d->n_errors ? CLI_FAILED : CLI_WRONG_INPUT;
    if (!f->quiet)
      tell_found(arena, f, r, "has no gait sections");
    f->text = sections_in_place(arena, c->file, bare, length, gaits_sections(arena, r), d);
  }
  f->creature = f->text ? creature_parse(arena, c->file, f->text, strlen(f->text), d) : NULL;
  return f->creature ? CLI_DONE : CLI_WRONG_INPUT;
}

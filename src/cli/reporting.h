/* The parts of the page that `muybridge report` writes, and what they are made from. */
#ifndef MUYBRIDGE_CLI_REPORTING_H
#define MUYBRIDGE_CLI_REPORTING_H

#include "cli/files.h"
#include "cli/html.h"
#include "motion/verify.h"
#include "plots/figures.h"
#include "policy/performance.h"
#include "spacetime/spacetime.h"

/* A synthesis as the run file tells it. */
struct reporting_search {
  int there;
  struct store_synth told;
  int n_steps, n_attempts;
  struct store_step *steps;
  struct store_attempt *attempts;
};

/* A clip of the graph, looked at once more. */
struct reporting_clip {
  struct clip_summary summary;
  struct verify_report verification;
  double junction;              /* the worse of its ends, 0 of a cycle [rad], [standing heights] */
  int junction_frame;           /* its own                                                       */
  int passed;
  int step;                     /* of the synthesis that added it, -1: none                      */
};

struct reporting {
  struct arena *arena;
  struct diag *d;
  struct html html;
  const char *run, *baseline;   /* paths; baseline may be NULL                                   */
  const char *stage;            /* the page to play with, as seen from this one; NULL: none      */
  const char *folder;           /* for pictures on their way into the page                       */
  struct store *store;
  struct store_controller kept; /* the newest controller ...                                     */
  const struct task *task;
  const struct controller *controller; /* ... worked out once more                               */
  struct muy_player_controller *player;
  struct figures_input figures;
  const struct performance *play;
  struct verify_report play_verification;
  struct reporting_search search, other; /* other: the baseline's                                */
  int n_clips_passed, n_pool;   /* n_pool: clips that are in the run file but not in the graph   */
  struct reporting_clip *clips; /*                                        (graph's n_clips)      */
};

#define REPORTING_SECONDS 60.0  /* of the sample play      */
#define REPORTING_RESPONSE 8.0  /* watched after each step */

/* Draws and embeds a picture. When it cannot be drawn the page says so, and there is an error in d. */
typedef struct canvas *reporting_drawer(const struct reporting *r, const void *what, const char *path, struct diag *d);
void reporting_picture(struct reporting *r, reporting_drawer *draw, const void *what, const char *words);

/* The same of a small picture that there are many of: always of pixels. */
void reporting_thumbnail(struct reporting *r, reporting_drawer *draw, const void *what, const char *words);

/* An error or a distance in a parameter's unit: "3.2 degrees"; of gaits a share of the time. */
struct text_phrase reporting_distance(const struct task_parameter *p, double distance);

/* "1", "12 (walk)" by the id of a clip, which need not be there; in the arena. */
const char *reporting_clip_name(const struct reporting *r, int id);

/* ---- of the synthesis (reporting_search.c) ---- */
void reporting_what_was_done(struct reporting *r);
void reporting_cost(struct reporting *r);
void reporting_failures(struct reporting *r);
void reporting_time(struct reporting *r);

/* A reason without what differs from one attempt to the next: numbers, and what is in brackets. In the arena. */
const char *reporting_family(struct arena *arena, const char *reason);

/* ---- of what came of it (reporting_motion.c) ---- */
void reporting_creature(struct reporting *r);
void reporting_task(struct reporting *r);
void reporting_controller(struct reporting *r);
void reporting_responses(struct reporting *r);
void reporting_play(struct reporting *r);
void reporting_clips(struct reporting *r);
void reporting_verification(struct reporting *r);

#endif

/* The clips of a graph once more, for a creature that was changed: all of them, where they were left and entered, with
 * mirror images; and what is said when that cannot be. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "motion/mirror.h"
#include "motion/verify.h"
#include "search/again.h"
#include "zoo.h"

/* The biped with one text in place of another. */
static const struct creature *edited_biped(struct arena *arena, const char *old, const char *new)
{
  const struct creature *c = zoo_find(arena, "biped");
  struct diag d;
  FILE *in = fopen(c->file, "rb");
  char *text = ARENA_NEW(arena, 100000, char);
  size_t n = in ? fread(text, 1, 99999, in) : 0;
  if (in)
    fclose(in);
  const char *at = strstr(text, old);
  CHECK(n > 0 && at != NULL);
  const char *changed = at ? arena_printf(arena, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) : text;
  diag_init(&d);
  const struct creature *edited = creature_parse(arena, c->file, changed, strlen(changed), &d);
  CHECK(edited != NULL);
  diag_clear(&d);
  return edited;
}

/* A walk, a turn, its mirror image, and a way back into the walk. */
static struct graph_input graph_of(struct arena *arena, const struct creature *c)
{
  static struct spacetime_report report;
  struct spacetime_options o;
  struct graph_clip *clips = ARENA_NEW(arena, 4, struct graph_clip);
  spacetime_defaults(&o);
  struct gait_request walk = {.c = c, .gait = creature_find_gait(c, "walk"), .speed = 0.6};
  struct clip *cycle = spacetime_gait(arena, &walk, &o, &report);
  int n = cycle->n_frames;
  struct transition_request r = {.c = c, .from = cycle, .to = cycle, .from_id = 5, .to_id = 5, .to_frame = 20,
                                 .turn = 0.7};
  struct clip *turn = spacetime_transition(arena, &r, &o, &report), *image = clip_mirror(arena, c, turn);
  image->from = (struct clip_end){5, n / 2};
  image->to = (struct clip_end){5, (20 + n / 2) % n};
  image->name = "image";
  r.from_frame = 10;
  r.to_frame = 30;
  r.turn = 0;
  struct clip *back = spacetime_transition(arena, &r, &o, &report);
  CHECK(turn && back);
  clips[0] = (struct graph_clip){7, turn, NULL}; /* before the cycle that it needs */
  clips[1] = (struct graph_clip){5, cycle, NULL};
  clips[2] = (struct graph_clip){8, image, NULL};
  clips[3] = (struct graph_clip){9, back, NULL};
  return (struct graph_input){.creature = c, .file = "test", .n_clips = 4, .clips = clips};
}

static int count_progress(void *user, int done, int n)
{
  CHECK_INT(n, 4);
  CHECK_INT(done, ++*(int *)user);
  return 1;
}

static int stop(void *user, int done, int n)
{
  (void)user, (void)n;
  return done < 2;
}

static void test_edited(struct arena *arena, const struct graph_input *was)
{
  const struct creature *c = edited_biped(arena, "-0.259}", "-0.272}");
  struct again_options o;
  struct again again;
  struct diag d;
  int done = 0;
  diag_init(&d);
  again_defaults(&o);
  o.progress = count_progress;
  o.user = &done;
  CHECK(again_solve(arena, was, c, NULL, &o, &again, &d));
  CHECK_INT(done, 4);
  CHECK_INT(again.clips.n_clips, 4);
  CHECK_INT(again.n_solved, 3);
  CHECK_INT(again.n_mirrored, 1);
  CHECK_INT(again.n_lost, 0);
  for (int i = 0; i < again.clips.n_clips; i++) {
    const struct clip *old = was->clips[i].clip, *new = again.clips.clips[i].clip;
    CHECK_INT(again.clips.clips[i].id, was->clips[i].id);
    CHECK_STR(new->name, old->name);
    CHECK_INT(new->n_frames, old->n_frames);
    CHECK_INT(new->from.frame, old->from.frame);
    CHECK_INT(new->to.frame, old->to.frame);
    CHECK_NEAR(new->turn, old->turn, 1e-15);
    CHECK(memcmp(new->q, old->q, (size_t)(old->n_frames * old->n_dofs) * sizeof *old->q) != 0);
  }
  struct motion_graph *graph = graph_new(arena, &again.clips, &d); /* junctions fit */
  CHECK(graph && graph_check(graph, &d) == 0);
  /* without mirror images, all are solved */
  o.mirror = 0;
  done = 0;
  CHECK(again_solve(arena, was, c, NULL, &o, &again, &d));
  CHECK_INT(again.n_solved, 4);
  o.progress = stop;
  CHECK(again_solve(arena, was, c, NULL, &o, &again, &d));
  CHECK(again.is_stopped);
  CHECK_INT(d.n_errors, 0);
  diag_clear(&d);
}

static void test_impossible(struct arena *arena, const struct graph_input *was)
{
  struct again_options o;
  struct again again;
  struct diag d;
  diag_init(&d);
  again_defaults(&o);
  CHECK(!again_solve(arena, was, zoo_find(arena, "horse"), NULL, &o, &again, &d));
  CHECK_STR(d.n_messages ? d.messages[0].text : "",
            "axes or contact points have changed: clips of before are no start");
  diag_clear(&d);
  diag_init(&d);
  CHECK(!again_solve(arena, was, edited_biped(arena, "gait walk", "gait stroll"), NULL, &o, &again, &d));
  CHECK_STR(d.n_messages ? d.messages[0].text : "", "no cycle of the controller can be solved any more: clip 5, walk: "
            "the creature has no such gait any more");
  CHECK_INT(again.n_lost, 4);
  diag_clear(&d);
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct graph_input was = graph_of(arena, zoo_find(arena, "biped"));
  test_edited(arena, &was);
  test_impossible(arena, &was);
  arena_free(arena);
  return test_finish();
}

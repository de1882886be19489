/* The motion graph of a small set of solved clips: a random walk over its segments is one long clip that the verifier
 * passes, and what segments say of themselves is what the walk does. Hand-made sets of clips have the faults that a
 * graph must find. Graphs of random shape are in test_graph_random.c, features in test_features.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "motion/biped_clips.h"
#include "motion/check_graph.h"
#include "motion/ground.h"
#include "motion/verify.h"

static void check_node(const struct motion_graph *g, int i, int clip, int frame)
{
  CHECK_INT(g->nodes[i].clip, clip);
  CHECK_INT(g->nodes[i].frame, frame);
}

static void test_structure(const struct biped_clips *w, const struct motion_graph *g)
{
  int n = w->made[WALK]->n_frames;
  CHECK_INT(g->n_left_out, 0);
  CHECK_INT(g->n_nodes, 7);
  check_node(g, 0, WALK, 3);
  check_node(g, 1, WALK, 10);
  check_node(g, 2, WALK, 20);
  check_node(g, 3, WALK, 3 + n / 2);
  check_node(g, 4, WALK, 20 + n / 2);
  check_node(g, 5, LEFT, 6);
  check_node(g, 6, RUN, 9);
  CHECK_INT(g->n_segments, 15);
  CHECK_INT(g->first_segment[0], 0);
  CHECK_INT(g->first_segment[1], 3);
  CHECK_INT(g->first_segment[g->n_nodes], g->n_segments);
  CHECK_INT(g->segments[2].choice, JOINER); /* through the end of LEFT into the walk */
  CHECK_INT(g->segments[2].n_pieces, 3);
  CHECK_INT(g->segments[2].pieces[1].clip, LEFT);
  CHECK_INT(g->segments[2].to, 1);
  for (int i = 0; i < g->n_segments; i++) { /* a whole transition turns by what it was asked for */
    const struct graph_segment *s = &g->segments[i];
    if (s->choice == LATE_LEFT || s->choice == LATE_RIGHT || s->choice == RIGHT || s->choice == SECOND_THOUGHT)
      CHECK_NEAR(s->turn, w->made[s->choice]->turn, 1e-9);
  }
  CHECK_NEAR(g->segments[1].turn + g->segments[11].turn, 0.8, 1e-9); /* LEFT, in two parts */
}

/* ---- a long walk ---- */

struct journey {
  struct clip *clip;
  int n;                        /* frames so far                                                    */
  struct clip_advance place, steps; /* of the segment, by segments; by steps from frame to frame    */
};

/* Adds a frame: its pose as placed; forces and contacts of a frame that may be another clip's. */
static void show(struct journey *j, const struct clip *clip, int frame, struct clip_advance place)
{
  int points = clip->n_points;
  double *q = j->clip->q + (size_t)j->n * (size_t)clip->n_dofs;
  clip_frame(clip, frame, q);
  clip_move_pose(place, q);
  for (int i = 0; i < points; i++) {
    int from = frame % clip->n_frames * points + i;
    double *out = j->clip->force + 3 * (j->n * points + i), *f = clip->force + 3 * from, s = sin(place.yaw);
    double c = cos(place.yaw);
    j->clip->contact[j->n * points + i] = clip->contact[from];
    out[0] = c * f[0] - s * f[1], out[1] = s * f[0] + c * f[1], out[2] = f[2];
  }
  j->n++;
}

/* All frames of a segment but its first, which is shown as the end of the one before; then the frame at its end. */
static void walk_segment(struct journey *j, const struct motion_graph *g, const struct graph_segment *s, int as_arrived)
{
  for (int p = 0; p < s->n_pieces; p++) {
    const struct graph_piece *piece = &s->pieces[p];
    for (int i = 0; i < piece->count; i++) {
      if ((p > 0 || i > 0) || !as_arrived || j->n == 0)
        show(j, g->clips[piece->clip].clip, piece->first + i, ground_after(j->place, piece->place));
      j->steps = ground_after(j->steps, graph_step(g, piece->clip, piece->first + i));
    }
  }
  const struct graph_piece *last = &s->pieces[s->n_pieces - 1];
  if (as_arrived)
    show(j, g->clips[last->clip].clip, last->first + last->count, ground_after(j->place, last->place));
  j->place = ground_after(j->place, (struct clip_advance){s->x, s->y, s->turn});
}

static struct journey walk_randomly(struct arena *arena, const struct motion_graph *g, int n_segments, int as_arrived)
{
  struct rng r = rng_stream(4, 1);
  struct journey j = {.n = 0};
  int longest = 0, node = 0;
  for (int i = 0; i < g->n_segments; i++)
    longest = g->segments[i].length > longest ? g->segments[i].length : longest;
  j.clip = clip_new(arena, g->creature, longest * n_segments + 1, g->clips[0].clip->dt);
  for (int i = 0; i < n_segments; i++) {
    int first = g->first_segment[node];
    const struct graph_segment *s = &g->segments[first + rng_below(&r, g->first_segment[node + 1] - first)];
    walk_segment(&j, g, s, as_arrived);
    node = s->to;
  }
  j.clip->n_frames = j.n;
  return j;
}

static void test_journey(const struct biped_clips *w, const struct motion_graph *g)
{
  struct arena *arena = arena_new();
  struct verify_report report;
  struct journey j = walk_randomly(arena, g, 150, 1);
  verify_clip(arena, w->c, j.clip, &report);
  for (int m = 0; m < N_VERIFY_MEASURES; m++)
    if (!test_count(report.lines[m].passed))
      fprintf(stderr, "journey: %s: %g at frame %d of %d\n", report.lines[m].what, report.lines[m].value,
              report.lines[m].frame, j.n);
  CHECK_NEAR(j.place.x, j.steps.x, 1e-6 * w->c->height * 150);
  CHECK_NEAR(j.place.y, j.steps.y, 1e-6 * w->c->height * 150);
  CHECK_NEAR(j.place.yaw, j.steps.yaw, 1e-9);
  double largest = 0;
  for (int k = 0; k + 1 < j.n; k++)
    largest = fmax(largest, fabs(j.clip->q[(k + 1) * w->c->n_dofs + 3] - j.clip->q[k * w->c->n_dofs + 3]));
  CHECK(largest < 0.1);
  j = walk_randomly(arena, g, 150, 0); /* with the forces of the clip that goes on, physics does not hold */
  verify_clip(arena, w->c, j.clip, &report);
  CHECK(!report.lines[VERIFY_FORCE].passed);
  CHECK(report.lines[VERIFY_SLIP].passed);
  arena_free(arena);
}

/* ---- looking a graph over ---- */

static char *check_text(const struct motion_graph *g, int *faults)
{
  struct diag d;
  diag_init(&d);
  *faults = graph_check(g, &d);
  CHECK_INT(d.n_errors, *faults);
  char *text = diag_text(&d);
  diag_clear(&d);
  return text;
}

static void expect_fault(const struct motion_graph *g, const char *expected)
{
  int faults;
  char *text = check_text(g, &faults);
  CHECK(faults > 0);
  if (!test_count(strstr(text, expected) != NULL))
    fprintf(stderr, "expected '%s' in\n%s", expected, text);
  free(text);
}

/* All clips but the hasty one; then one fault at a time. */
static void test_check(const struct biped_clips *w)
{
  struct arena *arena = arena_new();
  struct motion_graph *g = new_graph(arena, w->c, w->clips, SECOND_THOUGHT);
  int faults;
  char *text = check_text(g, &faults);
  CHECK_INT(faults, 0);
  CHECK_STR(text, "");
  free(text);
  struct graph_segment *s = &g->segments[4], was = *s;
  s->x += 1e-4, expect_fault(g, "jumps by"), *s = was;
  s->turn += 1e-4, expect_fault(g, "jumps by"), *s = was;
  s->length++, expect_fault(g, "frames, but says"), *s = was;
  s->from = s->from ? 0 : 1, expect_fault(g, "is listed at node"), *s = was;
  s->pieces[0].place.y += 1e-4, expect_fault(g, "jumps by"), s->pieces[0].place.y -= 1e-4;
  s->pieces[0].first++, expect_fault(g, "jumps by"), s->pieces[0].first--;
  int ends[32];
  for (int i = 0; i < g->n_segments; i++)
    ends[i] = g->segments[i].to, g->segments[i].to = 0;
  expect_fault(g, "no way leads from node 0 to node 1");
  for (int i = 0; i < g->n_segments; i++)
    g->segments[i].to = ends[i];
  int keep = g->first_segment[1];
  g->first_segment[1] = 0, expect_fault(g, "node 0 is a dead end"), g->first_segment[1] = keep;
  double *joint = &w->made[LEFT]->q[20 * w->c->n_dofs + 8];
  *joint += 1e-3, expect_fault(g, "clip 12 (walk-turn), frame"), *joint -= 1e-3;
  joint = &w->made[LEFT]->q[8];
  *joint += 1e-3, expect_fault(g, "clip 12 (walk-turn) is off by 0.001 where it leaves clip 11"), *joint -= 1e-3;
  arena_free(arena);
}

/* ---- what is left out ---- */

static void test_left_out(const struct biped_clips *w)
{
  struct arena *arena = arena_new();
  const struct graph_clip *c = w->clips;
  const struct graph_clip one_way[] = {c[WALK], c[RUN], c[FASTER]}, lost[] = {c[WALK], c[RUN], c[SLOWER], c[LEFT]};
  struct motion_graph *g = new_graph(arena, w->c, one_way, 3);
  CHECK_INT(g->n_left_out, 2);
  CHECK(g->use[0] == GRAPH_USED && g->use[1] == GRAPH_NO_WAY_BACK && g->use[2] == GRAPH_NO_WAY_BACK);
  CHECK(g->n_nodes == 1 && g->n_segments == 1 && g->nodes[0].frame == 0 && g->nodes[0].clip == 0);
  CHECK_INT(g->segments[0].length, w->made[WALK]->n_frames);
  CHECK_INT(g->segments[0].n_pieces, 1);
  CHECK_NEAR(g->segments[0].x, w->made[WALK]->advance.x, 1e-12);
  g = new_graph(arena, w->c, lost, 4);
  CHECK_INT(g->n_left_out, 2);
  CHECK(g->use[1] == GRAPH_UNREACHABLE && g->use[2] == GRAPH_UNREACHABLE && g->use[3] == GRAPH_USED);
  CHECK(g->n_nodes == 1 && g->n_segments == 2 && g->nodes[0].frame == 3);
  CHECK_INT(g->segments[0].length, w->made[WALK]->n_frames);
  arena_free(arena);
}

/* ---- faults of clips ---- */

static void test_errors(const struct biped_clips *w)
{
  const struct creature *c = w->c;
  struct clip left = *w->made[LEFT];
  struct graph_clip pair[] = {w->clips[WALK], {12, &left, NULL}};
  expect_error(c, pair, 0, "run.muy: error: no clip is cyclic: there is nothing to start with\n");
  left.from.clip = 99;
  expect_error(c, pair, 2, "run.muy: error: clip 12 (walk-turn) comes from clip 99, which is not there\n");
  left.from.clip = 0;
  expect_error(c, pair, 2, "run.muy: error: clip 12 (walk-turn) does not say which clip it comes from\n");
  left = *w->made[LEFT], left.to.frame++;
  double apart = verify_junction(w->c, &left, 1, w->made[WALK], left.to.frame);
  expect_error(c, pair, 2, arena_printf(w->arena, "run.muy: error: clip 12 (walk-turn) goes to frame 6 of clip 11, but "
                                        "does not match there: it is off by %.3g, allowed is 1e-06\n", apart));
  left = *w->made[LEFT], left.dt *= 1.01;
  expect_error(c, pair, 2, arena_printf(w->arena, "run.muy: error: clip 12 (walk-turn) has %.6g frames a second, clip "
                                        "11 has %.6g: all must have the same\n", 1 / left.dt, 1.01 / left.dt));
  left = *w->made[LEFT], left.n_points++;
  expect_error(c, pair, 2, "run.muy: error: clip 12 (walk-turn) is not a motion of biped: it has 16 dofs and 3 contact "
                           "points, not 16 and 2\n");
  left = *w->made[LEFT], left.gait_after = "gallop";
  expect_error(c, pair, 2, "run.muy: error: clip 12 (walk-turn) is in gait 'gallop', which biped does not have\n");
  left = *w->made[LEFT], left.n_frames = 3;
  expect_error(c, pair, 2, "run.muy: error: clip 12 (walk-turn) has 3 frames; it needs 4 at least\n");
  left = *w->made[LEFT], pair[1].id = 11;
  expect_error(c, pair, 2, "run.muy: error: clip 11 (walk-turn) is there twice\n");
  struct clip second = *w->made[SECOND_THOUGHT];
  struct graph_clip three[] = {w->clips[WALK], w->clips[LEFT], {13, &second, NULL}};
  second.from.frame = w->made[LEFT]->n_frames - 1;
  int last = second.from.frame;
  expect_error(c, three, 3, arena_printf(w->arena, "run.muy: error: clip 13 (walk-turn) comes from frames %d and %d of "
                                         "clip 12, which has frames 0 to %d\n", last, last + 1, last));
}

int main(void)
{
  struct biped_clips w = biped_clips_new(N_CLIPS);
  struct motion_graph *g = new_graph(w.arena, w.c, w.clips, N_CLIPS);
  test_structure(&w, g);
  test_journey(&w, g);
  test_check(&w);
  test_left_out(&w);
  test_errors(&w);
  arena_free(w.arena);
  return test_finish();
}

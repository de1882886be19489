/* A stand in a graph: the biped stands, sets off, halts and turns on the spot. To stand is one choice, wherever in the
 * clip transitions leave and arrive, and is made again soon. */
#include <math.h>
#include <stdlib.h>

#include "base/angle.h"
#include "motion/check_graph.h"
#include "motion/ground.h"
#include "spacetime/repertoire.h"
#include "zoo.h"

enum { STAND, WALK, SET_OFF, HALT, LEFT, N_CLIPS };

struct standing {
  struct arena *arena;
  const struct creature *c;
  struct repertoire made;
  struct graph_clip clips[N_CLIPS]; /* the walk comes first, as in a synthesis */
};

static struct standing solve_clips(void)
{
  static const int order[N_CLIPS] = {WALK, STAND, SET_OFF, HALT, LEFT};
  const double turn = 0.25 * PI;
  struct standing s = {.arena = arena_new()};
  struct spacetime_options o;
  spacetime_defaults(&o);
  s.c = zoo_find(s.arena, "biped");
  s.made = repertoire_plan(s.arena, s.c, &(struct repertoire_options){.turns = &turn, .n_turns = 1});
  for (int i = 0; i < N_CLIPS; i++) {
    s.made.motions[i].id = 1 + i;
    if (!test_count(repertoire_solve(s.arena, &s.made, i, &o)))
      fprintf(stderr, "%s: %s\n", s.made.motions[i].name, s.made.motions[i].reason), exit(99);
  }
  for (int i = 0; i < N_CLIPS; i++)
    s.clips[i] = (struct graph_clip){1 + order[i], s.made.motions[order[i]].clip, NULL};
  return s;
}

/* The node of the stand; -1: none, -2: more than one. */
static int stand_node(const struct motion_graph *g, const struct clip *stand)
{
  int found = -1;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->clips[g->nodes[i].clip].clip == stand)
      found = found == -1 ? i : -2;
  return found;
}

static void check_graph(const struct standing *s, const struct motion_graph *g)
{
  const struct clip *stand = s->made.motions[STAND].clip;
  int node = stand_node(g, stand), loops = 0;
  struct diag d;
  diag_init(&d);
  CHECK_INT(graph_check(g, &d), 0);
  char *text = diag_text(&d);
  CHECK_STR(text, "");
  free(text);
  diag_clear(&d);
  CHECK(node >= 0);
  if (node < 0)
    return;
  CHECK_INT(g->nodes[node].frame, 0);
  CHECK_INT(g->first_segment[node + 1] - g->first_segment[node], 3); /* stand on, set off, turn */
  for (int e = g->first_segment[node]; e < g->first_segment[node + 1]; e++) {
    const struct graph_segment *x = &g->segments[e];
    if (g->clips[x->choice].clip == stand) {
      loops++;
      CHECK_INT(x->to, node);
      CHECK_INT(x->length, stand->n_frames / 8);
      CHECK(x->x == 0 && x->y == 0 && x->turn == 0);
      CHECK_NEAR(x->features[0].speed, 0, 1e-12);
    } else if (g->clips[x->choice].clip == s->made.motions[LEFT].clip) {
      CHECK_INT(x->to, node);
      CHECK_NEAR(x->turn, 0.25 * PI, 1e-9);
      CHECK(x->features[0].counted_effort < 100 * features_effort(s->c, s->made.motions[WALK].clip));
    }
  }
  CHECK_INT(loops, 1);
}

/* A transition that says that it leaves another frame of the stand leaves the same choice. */
static void test_any_frame(struct standing *s)
{
  struct clip off = *s->made.motions[SET_OFF].clip, left = *s->made.motions[LEFT].clip;
  struct graph_clip clips[N_CLIPS];
  for (int i = 0; i < N_CLIPS; i++) {
    clips[i] = s->clips[i];
    clips[i].clip = clips[i].id == 1 + SET_OFF ? &off : clips[i].id == 1 + LEFT ? &left : clips[i].clip;
  }
  off.from.frame = 5;
  left.to.frame = 3, left.from.frame = 7;
  check_graph(s, new_graph(s->arena, s->c, clips, N_CLIPS));
}

/* With branches, too, a stand has one node; a gait has as many as asked for. */
static void test_branches(const struct standing *s)
{
  struct diag d;
  diag_init(&d);
  struct graph_input in = {s->c, "run.muy", N_CLIPS, s->clips, 8, NULL};
  const struct motion_graph *g = graph_new(s->arena, &in, &d);
  CHECK_INT(d.n_errors, 0);
  CHECK(g && g->n_nodes >= 9 && stand_node(g, s->made.motions[STAND].clip) >= 0);
  diag_clear(&d);
}

/* Alone it is one node and its loop. */
static void test_alone(const struct standing *s)
{
  struct graph_clip alone = {1, s->made.motions[STAND].clip, NULL};
  const struct motion_graph *g = new_graph(s->arena, s->c, &alone, 1);
  CHECK(g->n_nodes == 1 && g->n_segments == 1 && g->segments[0].to == 0);
}

static void test_still(const struct standing *s)
{
  struct clip *stand = s->made.motions[STAND].clip;
  CHECK(clip_is_still(stand));
  CHECK(!clip_is_still(s->made.motions[WALK].clip));
  CHECK(!clip_is_still(s->made.motions[LEFT].clip));
  double *last = &stand->q[(size_t)(stand->n_frames - 1) * (size_t)stand->n_dofs + 7], was = *last;
  *last += 1e-9;
  CHECK(!clip_is_still(stand));
  *last = was;
}

int main(void)
{
  struct standing s = solve_clips();
  test_still(&s);
  check_graph(&s, new_graph(s.arena, s.c, s.clips, N_CLIPS));
  test_any_frame(&s);
  test_branches(&s);
  test_alone(&s);
  arena_free(s.arena);
  return test_finish();
}

/* Motion graphs of random shape against a search frame by frame: which frames are of use, where one can choose, where
 * each segment leads. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "motion/check_graph.h"
#include "motion/ground.h"
#include "zoo.h"

enum { MADE = 14, LONGEST = 12, ROOM = MADE * LONGEST };
static const struct clip_advance glide = {0.1, 0.02, 0.05}; /* from frame to frame: any two clips can be joined */

struct maze {                  /* frames are clip * LONGEST + frame; names: frames that are the same have the same */
  struct graph_clip clips[MADE];
  struct clip *made[MADE];
  int name[ROOM], kept[ROOM];   /* kept: the step from there to the next frame of the clip is of use */
};

static struct clip_advance power(struct clip_advance a, int n)
{
  struct clip_advance out = {0, 0, 0};
  while (n-- > 0)
    out = ground_after(out, a);
  return out;
}

static struct maze random_maze(struct arena *arena, const struct creature *c, struct rng *r)
{
  struct maze s;
  for (int i = 0; i < MADE; i++) {
    int cyclic = i == 0 || rng_below(r, 4) == 0, n = 4 + rng_below(r, LONGEST - 4);
    struct clip *clip = s.made[i] = clip_new(arena, c, n, 0.01);
    clip->name = clip->gait = clip->gait_after = "walk";
    clip->cyclic = cyclic;
    clip->turn = cyclic ? 0 : glide.yaw * (n - 2);
    clip->advance = power(glide, n);
    for (int k = 0; k < n; k++) {
      creature_rest_pose(c, clip->q + k * c->n_dofs);
      clip_move_pose(power(glide, k), clip->q + k * c->n_dofs);
    }
    s.clips[i] = (struct graph_clip){i + 1, clip, NULL};
    struct clip_end *ends[] = {&clip->from, &clip->to};
    for (int e = 0; e < 2 && !cyclic; e++) {
      int other = rng_below(r, 3) ? rng_below(r, i) : 0;
      *ends[e] = (struct clip_end){other + 1, rng_below(r, s.made[other]->n_frames - !s.made[other]->cyclic)};
    }
  }
  return s;
}

static int at(int clip, int frame) { return clip * LONGEST + frame; }

static int next_frame(const struct maze *s, int frame)
{
  int clip = frame / LONGEST, k = frame % LONGEST + 1;
  return at(clip, s->made[clip]->cyclic ? k % s->made[clip]->n_frames : k);
}

/* Does a step lead on from this frame of its clip? Not from the last two of a transition, which are another clip's. */
static int has_step(const struct maze *s, int frame)
{
  const struct clip *clip = s->made[frame / LONGEST];
  return frame % LONGEST < (clip->cyclic ? clip->n_frames : clip->n_frames - 2);
}

static void unite(struct maze *s, int a, int b)
{
  int old = s->name[a], new = s->name[b];
  for (int i = 0; i < ROOM; i++)
    if (s->name[i] == old)
      s->name[i] = new;
}

/* Marks the names that can be reached from the first frame, or backwards. */
static void flood(const struct maze *s, int backwards, int *seen)
{
  memset(seen, 0, ROOM * sizeof *seen);
  seen[s->name[0]] = 1;
  for (int again = 1; again;) {
    again = 0;
    for (int i = 0; i < ROOM; i++) {
      int near = s->name[i], far = has_step(s, i) ? s->name[next_frame(s, i)] : near, swap = near;
      if (backwards)
        near = far, far = swap;
      if (seen[near] && !seen[far])
        seen[far] = again = 1;
    }
  }
}

static void solve_maze(struct maze *s)
{
  int reached[ROOM], returning[ROOM];
  for (int i = 0; i < ROOM; i++)
    s->name[i] = i;
  for (int i = 0; i < MADE; i++)
    if (!s->made[i]->cyclic) {
      unite(s, at(i, 0), at(s->made[i]->from.clip - 1, s->made[i]->from.frame));
      unite(s, at(i, s->made[i]->n_frames - 2), at(s->made[i]->to.clip - 1, s->made[i]->to.frame));
    }
  flood(s, 0, reached);
  flood(s, 1, returning);
  for (int i = 0; i < ROOM; i++)
    s->kept[i] = has_step(s, i) && reached[s->name[i]] && returning[s->name[next_frame(s, i)]];
}

static int ways_out(const struct maze *s, int name)
{
  int ways = 0;
  for (int i = 0; i < ROOM; i++)
    ways += s->kept[i] && s->name[i] == name;
  return ways;
}

/* Steps on from a frame until the next choice: how many, and where that is. */
static int steps_to_choice(const struct maze *s, int frame, int single, int *end)
{
  int steps = 0;
  do {
    frame = next_frame(s, frame);
    steps++;
    for (int i = 0; i < ROOM && !s->kept[frame]; i++)
      if (s->kept[i] && s->name[i] == s->name[frame])
        frame = i;
  } while (single ? s->name[frame] != s->name[0] : ways_out(s, s->name[frame]) < 2);
  *end = s->name[frame];
  return steps;
}

/* A node's ground frame against its root's: headings are not yaws in the middle of a transition. */
static struct clip_advance node_heading(const struct maze *s, const struct graph_node *n)
{
  return (struct clip_advance){0, 0, ground_heading(s->made[n->clip], n->frame) - glide.yaw * n->frame};
}

static void check_maze_segment(const struct maze *s, const struct motion_graph *g, const struct graph_segment *e)
{
  const struct graph_node *from = &g->nodes[e->from], *to = &g->nodes[e->to];
  int first = at(e->choice, e->choice == from->clip ? from->frame : 0), end;
  CHECK(s->kept[first] && s->name[first] == s->name[at(from->clip, from->frame)]);
  CHECK_INT(steps_to_choice(s, first, g->n_segments == 1, &end), e->length);
  CHECK_INT(end, s->name[at(to->clip, to->frame)]);
  struct clip_advance way = ground_after(power(glide, e->length), node_heading(s, to));
  way = ground_after(ground_inverse(node_heading(s, from)), way);
  CHECK_NEAR(e->x, way.x, 1e-9);
  CHECK_NEAR(e->y, way.y, 1e-9);
  CHECK_NEAR(e->turn, way.yaw, 1e-9);
  int k = 0;
  for (int p = 0; p < e->n_pieces; p++)
    for (int i = 0; i < e->pieces[p].count; i++, k++) { /* every frame is where k steps lead */
      double q[64] = {0};
      clip_frame(s->made[e->pieces[p].clip], e->pieces[p].first + i, q);
      clip_move_pose(e->pieces[p].place, q);
      way = ground_after(ground_inverse(node_heading(s, from)), power(glide, k));
      CHECK_NEAR(q[0], way.x, 1e-9);
      CHECK_NEAR(q[1], way.y, 1e-9);
      CHECK_NEAR(q[3], way.yaw, 1e-9);
    }
  CHECK_INT(k, e->length);
}

static void test_random_mazes(const struct creature *c)
{
  struct rng r = rng_stream(8, 3);
  int most_nodes = 0, left_out = 0, longest = 0;
  for (int trial = 0; trial < 150; trial++) {
    struct arena *arena = arena_new();
    struct maze s = random_maze(arena, c, &r);
    solve_maze(&s);
    struct motion_graph *g = new_graph(arena, c, s.clips, MADE);
    int ways = 0, choices = 0, single = 1;
    for (int name = 0; name < ROOM; name++)
      if (ways_out(&s, name) > 1)
        ways += ways_out(&s, name), choices++, single = 0;
    CHECK_INT(g->n_nodes, single ? 1 : choices);
    CHECK_INT(g->n_segments, single ? 1 : ways);
    for (int i = 0; i < MADE; i++) {
      int used = 0;
      for (int k = 0; k < LONGEST; k++)
        used |= s.kept[at(i, k)];
      CHECK_INT(g->use[i] == GRAPH_USED, used);
    }
    for (int i = 0; i < g->n_segments; i++) {
      check_maze_segment(&s, g, &g->segments[i]);
      longest = g->segments[i].n_pieces > longest ? g->segments[i].n_pieces : longest;
    }
    most_nodes = g->n_nodes > most_nodes ? g->n_nodes : most_nodes;
    left_out += g->n_left_out > 0;
    arena_free(arena);
  }
  CHECK(most_nodes > 6 && left_out > 30 && longest > 2); /* the shapes are not all alike */
}

/* Two transitions that come from each other. */
static void test_circle(struct arena *arena, const struct creature *c)
{
  struct rng r = rng_stream(8, 3);
  struct maze s = random_maze(arena, c, &r);
  for (int i = 1; i < 3; i++) {
    s.made[i]->cyclic = 0;
    s.made[i]->from = (struct clip_end){4 - i, 1};
    s.made[i]->to = (struct clip_end){1, 0};
  }
  expect_error(c, s.clips, 3,
               "run.muy: error: clip 2 (walk) comes from or goes to transitions that come from or go to it\n"
               "run.muy: error: clip 3 (walk) comes from or goes to transitions that come from or go to it\n");
}

int main(void)
{
  struct arena *arena = arena_new();
  const struct creature *c = zoo_find(arena, "biped");
  if (!c)
    exit(99);
  test_random_mazes(c);
  test_circle(arena, c);
  arena_free(arena);
  return test_finish();
}

/* The turtle: clips, segments, features and values from formulas. See turtle.h. */
#include "turtle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double turtle_turn[SEGMENTS] = {0, PI / 6, -PI / 6, PI, 0, PI / 6, -PI / 6, PI / 6, 0};

/* A pose that sways, at a reference point and heading; phase in frames of the crawl. */
static void pose_at(double x, double y, double heading, int phase, double *q)
{
  double a = 2 * PI * phase / CYCLE, sway = 0.01 * sin(a);
  const double pose[DOFS] = {x - sin(heading) * sway, y + cos(heading) * sway, 0.3 + 0.01 * cos(2 * a),
                             heading + 0.1 * sin(a + 1), 0.02 * cos(a), 0.03 * sin(a), 0.5 * sin(a)};
  memcpy(q, pose, sizeof pose);
}

/* Fills a clip that starts at a phase and turns; its own frame is moved away and turned by `away`. The heading is still
 * over the first two and over the last two frames, so these are frames of the crawl. */
static void fill_clip(struct turtle *t, int clip, int n_frames, int phase, double turn, struct muy_player_motion away)
{
  double x = away.x, y = away.y, heading = away.yaw;
  for (int k = 0; k < n_frames; k++) {
    double s = fmin(1, fmax(0, (double)k / (n_frames - 3))), next = away.yaw + turn * s * s * (3 - 2 * s);
    pose_at(x, y, heading, phase + k, t->q[clip][k]);
    for (int i = 0; i < POINTS; i++) {
      int down = (phase + k + 6 * i) % CYCLE < 6;
      double *f = t->force[clip][k][i];
      t->contact[clip][k][i] = (unsigned char)down;
      f[0] = down * 3 * cos(heading), f[1] = down * 3 * sin(heading), f[2] = down * 40.;
    }
    if (k == n_frames - 2) next = heading;
    x += STEP * cos((heading + next) / 2), y += STEP * sin((heading + next) / 2);
    heading = next;
  }
  t->clips[clip] = (struct muy_player_clip){.name = "turn", .n_frames = n_frames, .q = t->q[clip][0],
                                        .force = t->force[clip][0][0], .contact = t->contact[clip][0]};
}

static void fill_clips(struct turtle *t)
{
  fill_clip(t, CRAWL, CYCLE, 0, 0, (struct muy_player_motion){0, 0, 0});
  t->clips[CRAWL].name = "crawl", t->clips[CRAWL].cyclic = 1, t->clips[CRAWL].advance.x = STEP * CYCLE;
  fill_clip(t, LEFT_A, 8, NODE_A, PI / 6, (struct muy_player_motion){3, -2, 0.7});
  fill_clip(t, RIGHT_A, 8, NODE_A, -PI / 6, (struct muy_player_motion){0, 0, 0});
  fill_clip(t, ABOUT, 14, NODE_A, PI, (struct muy_player_motion){-1, 5, -3});
  fill_clip(t, LEFT_B, 8, NODE_B, PI / 6, (struct muy_player_motion){0, 1, 2});
  fill_clip(t, RIGHT_B, 8, NODE_B, -PI / 6, (struct muy_player_motion){0, 0, 0});
}

static double away_of(int clip)
{
  return clip == LEFT_A ? 0.7 : clip == ABOUT ? -3 : clip == LEFT_B ? 2 : 0;
}

/* From a node over a turn (or the crawl) and, where a second run is given, on. */
static void fill_segment(struct turtle *t, int i, int from, int to, const struct muy_player_run *runs, int n_runs)
{
  struct muy_player_segment *s = &t->segments[i];
  double heading[2] = {away_of(runs[0].clip), away_of(runs[n_runs - 1].clip)};
  if (n_runs == 1) heading[1] += turtle_turn[i];
  int n = muy_player_lay(&t->c, runs, n_runs, heading, t->pieces[i], 4, s);
  if (n < 1 || n > 4) fprintf(stderr, "segment %d of the turtle: %d pieces\n", i, n), exit(1);
  s->from = from, s->to = to, s->features = t->features[i], s->values = t->values[i];
  double rate = turtle_turn[i] / s->n_frames;
  for (int k = 0; k < s->n_frames; k++)
    t->features[i][k] =
        (struct muy_player_features){.direction = rate * k, .torso = rate * (k + 1), .speed = STEP * 30,
                                     .effort = 0.01 + 0.1 * fabs(turtle_turn[i]), .gait = i % 2};
}

static void fill_segments(struct turtle *t)
{
  fill_segment(t, A_ON, 0, 1, &(struct muy_player_run){CRAWL, NODE_A, 6}, 1);
  fill_segment(t, A_LEFT, 0, 1, &(struct muy_player_run){LEFT_A, 0, 6}, 1);
  fill_segment(t, A_RIGHT, 0, 1, &(struct muy_player_run){RIGHT_A, 0, 6}, 1);
  fill_segment(t, A_ABOUT, 0, 0, &(struct muy_player_run){ABOUT, 0, 12}, 1);
  fill_segment(t, B_ON, 1, 0, &(struct muy_player_run){CRAWL, NODE_B, 6}, 1); /* over the end of the crawl */
  fill_segment(t, B_LEFT, 1, 0, &(struct muy_player_run){LEFT_B, 0, 6}, 1);
  fill_segment(t, B_RIGHT, 1, 0, &(struct muy_player_run){RIGHT_B, 0, 6}, 1);
  const struct muy_player_run sweep[2] = {{LEFT_B, 0, 6}, {CRAWL, NODE_A, 6}};
  fill_segment(t, B_SWEEP, 1, 1, sweep, 2);
  fill_segment(t, B_ROUND, 1, 0, &(struct muy_player_run){CRAWL, NODE_B, 2 * CYCLE + 6}, 1); /* and over it thrice */
}

/* What is left to turn after the segment, squared; short ways and straight ones first. Only the hasty turn about. */
static void fill_values(struct turtle *t)
{
  for (int e = 0; e < SEGMENTS; e++)
    for (int k = 0; k < HEADINGS; k++)
      for (int mood = 0; mood < 2; mood++) {
        double left = turtle_wrap(t->headings[k] - turtle_turn[e]);
        double cost = left * left + 0.05 * t->segments[e].n_frames + (turtle_turn[e] == 0 ? 0 : 0.01);
        t->values[e][2 * k + mood] = (float)(cost + (e == A_ABOUT && mood == 0 ? 10 : 0));
      }
}

static const char *const dof_names[DOFS] = {"root_x", "root_y", "root_z", "yaw", "pitch", "roll", "tail.wag"};
static const char *const point_names[POINTS] = {"left", "right"}, *const gaits[2] = {"crawl", "turn"};
static const char *const moods[2] = {"calm", "hasty"};
static const double mood_values[2] = {0, 1};

/* Dofs 0 to 2 move the root along x, y, z, 3 to 5 turn it by yaw, pitch, roll. */
static void fill_bones(struct turtle *t)
{
  const double axes[DOFS][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0.6, 0, 0.8}};
  memcpy(t->axes, axes, sizeof axes);
  t->bones[0] = (struct muy_player_bone){"shell", -1, 0, 6, {0, 0, 0}, MUY_PLAYER_ELLIPSOID, {0, 0, 0.1}, {1, 0, 0, 0},
                                         {1, 0.6, 0.4}};
  t->bones[1] = (struct muy_player_bone){"tail", 0, 6, 1, {-0.5, 0.1, 0.05}, MUY_PLAYER_CAPSULE, {-0.1, 0, 0},
                                         {0.6, 0, -0.8, 0}, {0.02, 0.02, 0.2}};
  t->bones[2] = (struct muy_player_bone){"tip", 1, 6, 0, {-0.2, 0, 0.01}, MUY_PLAYER_NO_SOLID, {0}, {1, 0, 0, 0}, {0}};
  t->c.n_bones = BONES, t->c.bones = t->bones, t->c.axes = t->axes[0];
}

void turtle_make(struct turtle *t)
{
  memset(t, 0, sizeof *t);
  t->c = (struct muy_player_controller){.creature = "turtle", .dt = 1. / 30, .n_dofs = DOFS, .n_points = POINTS,
                                    .n_gaits = 2, .n_clips = CLIPS, .n_nodes = 2, .n_segments = SEGMENTS,
                                    .n_parameters = 2, .has_forces = 1, .dof_names = dof_names,
                                    .point_names = point_names, .gait_names = gaits, .clips = t->clips,
                                    .nodes = t->nodes, .segments = t->segments, .parameters = t->parameters};
  t->nodes[0] = (struct muy_player_node){CRAWL, NODE_A}, t->nodes[1] = (struct muy_player_node){CRAWL, NODE_B};
  for (int k = 0; k < HEADINGS; k++)
    t->headings[k] = 2 * PI * k / HEADINGS;
  t->parameters[0] =
      (struct muy_player_parameter){"direction", "direction", "rad", MUY_PLAYER_CIRCLE, 1, HEADINGS, t->headings, NULL};
  t->parameters[1] = (struct muy_player_parameter){"mood", "mood", "", MUY_PLAYER_CATEGORY, 0, 2, mood_values, moods};
  fill_bones(t);
  fill_clips(t);
  fill_segments(t);
  fill_values(t);
}

struct muy_player_controller *turtle_load(struct turtle *t, unsigned char **bytes, size_t *length)
{
  char why[200] = "";
  size_t n = 0;
  unsigned char *file = muy_player_write_memory(&t->c, &n, why, sizeof why);
  struct muy_player_controller *c = file ? muy_player_load_memory(file, n, why, sizeof why) : NULL;
  if (!c) {
    fprintf(stderr, "no turtle: %s\n", why);
    exit(1);
  }
  if (bytes) *bytes = file, *length = n;
  else free(file);
  return c;
}

const struct muy_player_parameter turtle_four[4] = {
    {"direction", "direction", "rad", MUY_PLAYER_CIRCLE, 1, 7, (const double[]){-1, -0.5, 0, 0.2, 1, 2, 4}, NULL},
    {"speed", "speed", "m/s", MUY_PLAYER_INTERVAL, 0, 5, (const double[]){0.5, 1, 1.2, 2, 4}, NULL},
    {"gait", "gait", "", MUY_PLAYER_CATEGORY, 0, 3, (const double[]){0, 2, 5},
     (const char *const[]){"walk", "trot", "run"}},
    {"clock", "clock", "rad", MUY_PLAYER_CIRCLE, 0, 4, (const double[]){0, 1, 2, 5}, NULL}};

void turtle_make_four(struct turtle *t, struct rng *r)
{
  turtle_make(t);
  t->c.parameters = turtle_four, t->c.n_parameters = 4;
  for (int e = 0; e < SEGMENTS; e++) {
    for (int i = 0; i < FOUR_CELLS; i++)
      t->four_values[e][i] = (float)rng_uniform(r, -1, 1);
    t->segments[e].values = t->four_values[e];
  }
}

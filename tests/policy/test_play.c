/* Playing: a small controller goes where a script asks; an hour of chance is one valid motion; costs paid are costs
 * promised; steps of commands, left as right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "motion/ground.h"
#include "motion/verify.h"
#include "policy/controller.h"
#include "policy/performance.h"
#include "policy/response.h"
#include "policy/small_controller.h"

static const double degree = 3.14159265358979323846 / 180;

static struct performance *play(struct arena *arena, const struct performance_request *r)
{
  struct diag d;
  diag_init(&d);
  struct performance *p = performance_play(arena, r, &d);
  if (!p)
    fputs(diag_text(&d), stderr), exit(99);
  diag_clear(&d);
  return p;
}

static struct performance *play_random(struct arena *arena, const struct small_controller *s, double seconds,
                                       uint64_t seed)
{
  return play(arena, &(struct performance_request){.task = s->task, .player = s->player, .seconds = seconds,
                                                   .seed = seed});
}

/* ---- errors that come to rest ---- */

static void test_rest(void)
{
  double falling[] = {-3, -2, -1, 0.5, 0.2, -0.2, 0.1, 0.1}, never[] = {1, 1, 1, 1}, there[] = {0.1, 0.2};
  double angles[] = {-3, 3, 2, 1, 0.1}, whole[] = {3.1, -3, -1, 0.1};
  struct performance_rest r = performance_rest(falling, 8, 0.5, 0.3);
  CHECK_NEAR(r.time, 2, 0);
  CHECK_NEAR(r.overshoot, 0.5, 0);
  CHECK_NEAR(r.error, 0.15, 1e-15);
  r = performance_rest(never, 4, 0.5, 0.3);
  CHECK(isinf(r.time) && r.overshoot == 0 && r.error == 1);
  r = performance_rest(there, 2, 0.5, 0.3);
  CHECK(r.time == 0 && r.overshoot == 0);
  performance_unwrap(angles, 5); /* on the way round the back */
  CHECK_NEAR(angles[0], 360 * degree - 3, 1e-12);
  CHECK_NEAR(angles[1], 3, 0);
  performance_unwrap(whole, 4);
  CHECK_NEAR(whole[0], 3.1 - 360 * degree, 1e-12);
  CHECK_NEAR(performance_rest(whole, 4, 1, 0.2).overshoot, 0.1, 1e-12);
}

/* ---- a script ---- */

static const char script_text[] = "at 1 { direction = 90 }\n at 5 { direction = -90 }\n end = 10\n";

/* Which way the root goes over the last cycle before a time, counted from x. */
static double way_before(const struct performance *p, double time)
{
  int n = p->motion->n_dofs, k = (int)(time / p->dt), cycle = p->player->clips[0].n_frames;
  const double *now = p->motion->q + k * n, *then = p->motion->q + (k - cycle) * n;
  return atan2(now[1] - then[1], now[0] - then[0]);
}

static void check_costs(const struct performance *p, double unit)
{
  double sum = 0, *running = malloc((size_t)p->n_frames * sizeof *running);
  performance_running(p, running);
  for (int k = 0; k < p->n_frames; k++) {
    const struct frame_features *f = &p->features[k];
    double off = fabs(remainder(f->direction - p->asked[k], 360 * degree));
    double cost = sqrt(off * off + 4e-4) - 0.02; /* doc/task-format.md, "What it means" */
    CHECK_NEAR(p->task_cost[k], cost, 1e-12);
    CHECK_NEAR(p->body_cost[k], 0.3 * log(f->counted_effort / unit), 1e-12);
    sum += cost + p->body_cost[k];
    CHECK_NEAR(running[k], sum / (k + 1), 1e-9);
  }
  CHECK_NEAR(p->cost, sum / p->n_frames, 1e-9);
  CHECK_NEAR(p->mean_body + p->mean_task[0], p->cost, 1e-12);
  free(running);
}

static void test_script(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct verify_report v;
  diag_init(&d);
  const struct script *script = script_parse(arena, "test.script", script_text, strlen(script_text), s->task, &d);
  struct performance_request r = {.task = s->task, .player = s->player, .script = script};
  const struct performance *p = play(arena, &r);
  CHECK_INT(p->n_frames, (int)floor(10 / p->dt) + 1);
  CHECK(p->at[0] == 0 && p->at[1] == 1 && fabs(p->motion->q[0]) < 1e-12 && fabs(p->motion->q[1]) < 1e-12);
  CHECK_NEAR(way_before(p, 1), 0, 3 * degree);
  CHECK_NEAR(way_before(p, 4.9), 90 * degree, 3 * degree);
  CHECK_NEAR(way_before(p, 9.9), -90 * degree, 3 * degree);
  for (int k = 0; k < p->n_frames; k++)
    CHECK_NEAR(p->asked[k], k * p->dt < 1 ? 0 : k * p->dt < 5 ? 90 * degree : -90 * degree, 1e-12);
  check_costs(p, s->controller->effort);
  verify_clip(arena, s->creature, p->motion, &v);
  CHECK(v.passed);

  CHECK_INT(p->n_answers, 2);
  for (int i = 0; i < 2; i++) {
    const struct performance_answer *a = &p->answers[i];
    int first = (int)ceil(a->time / p->dt), there = first + (int)round(fmin(a->reached, 9) / p->dt);
    CHECK(a->parameter == 0 && a->time == (i ? 5 : 1) && a->until == (i ? 10 : 5));
    CHECK(a->reached > 0.3 && a->reached < 2.5 && a->overshoot < 10 * degree && a->error < 2 * degree);
    CHECK_NEAR(fabs(a->before), (i ? 180 : 90) * degree, 2 * degree);
    for (int k = there - 1; isfinite(a->reached) && k < there + 50; k++) /* not before, and from then on */
      CHECK((fabs(remainder(p->features[k].direction - a->asked, 360 * degree)) <= 10 * degree) == (k >= there));
  }
  diag_clear(&d);
  arena_free(arena);
}

/* ---- the hour ---- */

/* The same clip between two frames. */
static struct clip part_of(const struct clip *whole, int first, int n)
{
  struct clip part = *whole;
  size_t row = (size_t)first;
  part.n_frames = n;
  part.q += row * (size_t)whole->n_dofs;
  part.force += row * 3 * (size_t)whole->n_points;
  part.contact += row * (size_t)whole->n_points;
  return part;
}

static void report_missed(const struct performance *p, const struct verify_report *v, int first)
{
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!v->lines[i].passed)
      fprintf(stderr, "  %s: %g at frame %d, segment %d\n", v->lines[i].what, v->lines[i].value,
              first + v->lines[i].frame, p->segment[first + v->lines[i].frame]);
}

/* In windows that overlap: a mean over the hour would hide a pop. */
static void check_windows(const struct small_controller *s, const struct performance *p)
{
  enum { WINDOW = 200, APART = 160 };
  struct verify_report v;
  for (int first = 0; first + WINDOW <= p->n_frames; first += APART) {
    struct arena *scratch = arena_new();
    struct clip part = part_of(p->motion, first, WINDOW);
    verify_clip(scratch, s->creature, &part, &v);
    CHECK(v.passed);
    if (!v.passed)
      report_missed(p, &v, first);
    arena_free(scratch);
  }
}

/* Whatever has happened before, at a node the creature is as it was the first time: but for place and yaw, to the bit.
 * The heading is the sum of all turns, and the place the sum of all ways. */
static void check_drift(const struct small_controller *s, const struct performance *p)
{
  const struct motion_graph *g = s->controller->graph;
  int n = p->motion->n_dofs, visits = 0;
  struct clip_advance at = {0, 0, 0};
  for (int k = 1; k < p->n_frames; k++) {
    if (p->at[k] != 0)
      continue;
    const struct graph_segment *came = &g->segments[p->segment[k - 1]];
    const struct graph_node *node = &g->nodes[came->to];
    const double *q = p->motion->q + (size_t)k * (size_t)n, *own = g->clips[node->clip].clip->q + node->frame * n;
    CHECK(q[2] == own[2] && memcmp(q + 4, own + 4, (size_t)(n - 4) * sizeof *q) == 0);
    at = ground_after(at, (struct clip_advance){came->x, came->y, came->turn});
    at.yaw = ground_wrap(at.yaw);
    visits++;
    CHECK_NEAR(q[0], at.x, 1e-7);
    CHECK_NEAR(q[1], at.y, 1e-7);
    CHECK_NEAR(ground_wrap(q[3] - own[3] + ground_heading(g->clips[node->clip].clip, node->frame) - at.yaw), 0, 1e-9);
  }
  CHECK(visits > 3600);
}

static void test_hour(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct verify_report v;
  const struct performance *p = play_random(arena, s, 3600, 1);
  CHECK_NEAR((p->n_frames - 1) * p->dt, 3600, p->dt);
  verify_clip(arena, s->creature, p->motion, &v);
  CHECK(v.passed);
  if (!v.passed)
    report_missed(p, &v, 0);
  check_windows(s, p);
  check_drift(s, p);
  int used[100] = {0}, choices = 0;
  for (int k = 0; k < p->n_frames; k++)
    used[p->segment[k]] = 1;
  for (int e = 0; e < s->controller->graph->n_segments; e++)
    choices += used[e];
  CHECK(choices >= 12);
  arena_free(arena);
}

/* ---- forces at a node are those of the way one came ---- */

static void test_node_forces(const struct small_controller *s)
{
  const struct muy_player_controller *c = s->player;
  struct muy_player p;
  int checked = 0, differ = 0;
  double force[6];
  muy_player_init(&p, c);
  for (int k = 0; k < 20000; k++) {
    const struct muy_player_segment *came = &c->segments[p.segment];
    double yaw = p.ground.yaw + came->pieces[came->n_pieces - 1].place.yaw;
    muy_player_set(&p, 0, k / 300 * 2.0);
    muy_player_step(&p);
    if (p.at != 0)
      continue;
    const struct muy_player_piece *last = &came->pieces[came->n_pieces - 1];
    const struct muy_player_clip *clip = &c->clips[last->clip];
    int frame = (last->first + last->count) % clip->n_frames;
    const double *own = clip->force + frame * 6, *next = c->clips[p.now.clip].force + p.now.frame * 6;
    unsigned char contact[2];
    muy_player_forces(&p, force);
    muy_player_contacts(&p, contact);
    for (int i = 0; i < 2; i++) {
      CHECK_NEAR(force[3 * i + 2], own[3 * i + 2], 0);
      CHECK_NEAR(force[3 * i], cos(yaw) * own[3 * i] - sin(yaw) * own[3 * i + 1], 1e-9);
      CHECK_INT(contact[i], clip->contact[frame * 2 + i]);
      differ += fabs(own[3 * i + 2] - next[3 * i + 2]) > 1e-3;
    }
    checked++;
    struct muy_player moved = p;
    double turned[6];
    muy_player_place(&moved, 3, 4, p.ground.yaw + 1);
    muy_player_forces(&moved, turned);
    CHECK_NEAR(turned[0], cos(1) * force[0] - sin(1) * force[1], 1e-9);
    CHECK_NEAR(turned[5], force[5], 0);
  }
  CHECK(checked > 100 && differ > 10); /* there is something to confuse */
}

/* ---- costs paid and costs promised ---- */

/* Hours of chance: the mean cost is g within its error bars and half a percent for the grid; so are its parts. */
static void check_promise(const struct task *t, const struct controller *c, const struct muy_player_controller *player,
                          int hours)
{
  double mean = 0, square = 0, body = 0, share = 0;
  for (int i = 0; i < hours; i++) {
    struct arena *arena = arena_new();
    struct performance_request r = {.task = t, .player = player, .seconds = 3600, .seed = 100 + (uint64_t)i};
    const struct performance *p = play(arena, &r);
    mean += p->cost / hours;
    square += p->cost * p->cost / hours;
    body += p->mean_body / hours;
    for (int k = 0; k < p->n_frames; k++)
      share += p->segment[k] == 0 ? 1.0 / p->n_frames / hours : 0;
    arena_free(arena);
  }
  double error = sqrt((square - mean * mean) / (hours - 1));
  fprintf(stderr, "'%s': promised %.5f, paid %.5f +- %.5f in %d hours; body %.5f, %.5f; segment 0 %.4f, %.4f\n",
          t->name, c->cost, mean, error, hours, c->body_cost, body, c->segment_share[0], share);
  CHECK(error < 0.02 * c->cost);
  CHECK_NEAR(mean, c->cost, 3 * error + 0.005 * c->cost);
  CHECK_NEAR(body, c->body_cost, 0.05 * c->body_cost);
  CHECK_NEAR(share, c->segment_share[0], 0.05 * c->segment_share[0]);
}

static void test_promise(const struct small_controller *s)
{
  check_promise(s->task, s->controller, s->player, 24);
  const struct task *t = small_task(s, "name = two\n alpha = 0.2\n parameter torso { grid = 36  jump_every = 2 }\n"
                                       "parameter direction { grid = 36  drift_every = 0.5 }");
  const struct controller *c = small_solve(s, t);
  struct muy_player_controller *p = small_player(s, c);
  check_promise(t, c, p, 12);
  muy_player_unload(p);
}

static void test_determinism(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  const struct performance *a = play_random(arena, s, 60, 5), *b = play_random(arena, s, 60, 5),
                           *other = play_random(arena, s, 60, 6);
  size_t bytes = (size_t)a->n_frames * (size_t)a->motion->n_dofs * sizeof(double);
  CHECK(a->n_frames == b->n_frames && memcmp(a->motion->q, b->motion->q, bytes) == 0 && a->cost == b->cost);
  CHECK(memcmp(a->motion->q, other->motion->q, bytes) != 0);
  arena_free(arena);
}

static void test_refusals(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct diag d;
  struct performance_request r = {.task = s->task, .player = s->player, .seconds = 1, .node = 6};
  diag_init(&d);
  CHECK(!performance_play(arena, &r, &d));
  char *text = diag_text(&d);
  CHECK_STR(text, "test.task: error: there is no node 6 to begin at, nodes are 0 to 5\n");
  free(text);
  r.node = 5;
  CHECK(performance_play(arena, &r, &d) != NULL); /* whatever d has seen before */
  r.seconds = 1e9;
  CHECK(!performance_play(arena, &r, &d));
  r.seconds = NAN;
  CHECK(!performance_play(arena, &r, &d));
  diag_clear(&d);
  arena_free(arena);
}

/* ---- responses ---- */

static int node_at(const struct motion_graph *g, int frame)
{
  for (int i = 0; i < g->n_nodes; i++)
    if (g->nodes[i].frame == frame)
      return i;
  return 0;
}

/* To the left from one foot as to the right from the other; each comes to rest; about face takes longest. */
static void test_response(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct diag d;
  const struct motion_graph *g = s->controller->graph;
  int n = g->clips[0].clip->n_frames;
  diag_init(&d);
  const struct response_table *t = response_of_nodes(arena, s->player, s->task, 6, &d);
  CHECK(t && t->n_nodes == 6 && t->n_steps == 5 && t->n_frames == (int)ceil(6 / t->dt));
  CHECK_STR(response_step_text(s->task, &t->steps[0]).words, "direction by -90 degrees");
  for (int node = 0; node < t->n_nodes; node++) {
    int other = node_at(g, (g->nodes[node].frame + n / 2) % n);
    const struct response *r = &t->responses[node * 5], *m = &t->responses[other * 5];
    for (int k = 0; k < 5; k++) {
      CHECK(r[k].node == node && r[k].applies && r[k].rest.time > 0.2 && r[k].rest.time < 2.5);
      CHECK(r[k].rest.overshoot < 5 * degree && r[k].rest.error < 2 * degree);
      CHECK_NEAR(remainder(r[k].error[0] + t->steps[k].size, 360 * degree), 0, 1e-9);
      int back = (int)round(fmin(r[k].rest.time, 5) / t->dt);
      CHECK(fabs(r[k].error[back]) <= 10 * degree && fabs(r[k].error[back - 1]) > 10 * degree);
    }
    for (int k = 0; k < 4; k++)
      CHECK_NEAR(r[k].rest.time, m[3 - k].rest.time, 1e-9);
    CHECK(r[4].rest.time > r[3].rest.time && r[4].rest.time > r[0].rest.time);
  }
  arena_free(arena);
  diag_clear(&d);
}

/* One who only walks at one speed neither runs nor hurries; what he does already is not asked. */
static void test_response_to_others(const struct small_controller *s)
{
  struct arena *arena = arena_new();
  struct diag d;
  const struct task *task = small_task(s, "parameter speed { unit = m/s  range = {0.2, 1} }  parameter gait { }");
  const struct controller *c = small_solve(s, task);
  struct muy_player_controller *p = small_player(s, c);
  diag_init(&d);
  const struct response_table *t = response_of_nodes(arena, p, task, 3, &d);
  CHECK(t && t->n_steps == 5);
  const struct response *r = t->responses;
  CHECK(r[0].applies && isinf(r[0].rest.time)); /* 0.2 m/s: he can only go slower by turning, and then not by much */
  CHECK(r[0].rest.error > 0.2 && r[0].rest.error < 0.41);
  CHECK(!r[1].applies && r[2].applies && isinf(r[2].rest.time));                      /* 0.6, 1  */
  CHECK(!r[3].applies && r[4].applies && isinf(r[4].rest.time) && r[4].rest.error == 1); /* walk, run */
  CHECK_STR(response_step_text(task, &t->steps[2]).words, "speed to 1 m/s");
  CHECK_STR(response_step_text(task, &t->steps[4]).words, "gait to run");
  muy_player_unload(p);
  diag_clear(&d);
  arena_free(arena);
}

int main(void)
{
  test_rest();
  struct small_controller s = small_controller_new();
  test_script(&s);
  test_hour(&s);
  test_node_forces(&s);
  test_promise(&s);
  test_determinism(&s);
  test_refusals(&s);
  test_response(&s);
  test_response_to_others(&s);
  small_controller_free(&s);
  return test_finish();
}

/* Playing and writing down. The order of things in a frame is that of the decision process: what is asked moves, the
 * player steps and, at a node, decides by what is asked now; then the frame costs what it costs. */
#include "policy/performance.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "policy/controller.h"

#define LAST_SECOND 1.0

/* ---- errors ---- */

double performance_error(const struct task_parameter *p, const struct frame_features *f, double asked)
{
  if (p->kind->space == TASK_CATEGORY)
    return p->kind->cost(p, f, asked) > 0;
  double off = p->kind->done(p, f) - asked;
  return p->kind->space == TASK_CIRCLE ? task_wrap(off) : off;
}

double performance_tolerance(const struct task_parameter *p, double asked)
{
  return p->kind->space == TASK_CATEGORY ? 0
                                         : fmax(p->kind->there_share * fabs(asked), p->kind->there_units * p->unit);
}

void performance_unwrap(double *error, int n)
{
  for (int k = n - 2; k >= 0; k--)
    error[k] = error[k + 1] + task_wrap(error[k] - error[k + 1]);
}

static double mean_absolute(const double *error, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++)
    sum += fabs(error[k]);
  return n > 0 ? sum / n : 0;
}

struct performance_rest performance_rest(const double *error, int n, double dt, double tolerance)
{
  struct performance_rest rest = {0};
  int away = n; /* frames until it stays */
  while (away > 0 && fabs(error[away - 1]) <= tolerance)
    away--;
  int last_second = (int)fmin(n, ceil(LAST_SECOND / dt));
  int from = away < n ? away : n - last_second;
  rest.time = away < n ? away * dt : INFINITY;
  rest.error = mean_absolute(error + from, n - from);
  for (int k = 0; k < n; k++)
    rest.overshoot = fmax(rest.overshoot, error[0] > 0 ? -error[k] : error[0] < 0 ? error[k] : 0);
  return rest;
}

/* ---- what is asked ---- */

struct user {
  const struct performance_request *r;
  double *theta;                /* of the task; relative angles as headings in the world  (n_parameters) */
  struct rng *chance;           /* a stream for each parameter                            (n_parameters) */
};

static struct user new_user(struct arena *arena, const struct performance_request *r)
{
  size_t n = (size_t)r->task->n_parameters;
  struct user u = {r, ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, struct rng)};
  for (size_t i = 0; i < n; i++)
    u.chance[i] = rng_stream(r->seed, i);
  task_initial(r->task, u.theta);
  return u;
}

/* What is asked in frame k. Chains on a circle do not mind which way the creature looks, so that they can move in the
 * world. */
static void user_ask(struct user *u, int k, double dt)
{
  if (u->r->script)
    script_theta(u->r->script, k * dt, u->theta);
  else if (k > 0)
    for (int i = 0; i < u->r->task->n_parameters; i++)
      u->theta[i] = task_sample(u->r->task, i, u->theta[i], &u->chance[i]);
}

static void user_set_player(struct muy_player *player, const struct task *t, const double *theta)
{
  for (int i = 0; i < t->n_parameters; i++)
    muy_player_set(player, i, controller_asked(&t->parameters[i], theta[i]));
}

/* ---- writing down ---- */

static struct performance *new_performance(struct arena *arena, const struct performance_request *r, int n_frames)
{
  struct performance *p = ARENA_NEW(arena, 1, struct performance);
  size_t n = (size_t)n_frames, m = (size_t)r->task->n_parameters;
  *p = (struct performance){.task = r->task, .player = r->player, .script = r->script, .n_frames = n_frames,
                            .n_parameters = r->task->n_parameters, .dt = r->player->dt};
  p->motion = clip_new(arena, r->task->creature, n_frames, p->dt);
  p->motion->name = "play";
  p->features = ARENA_NEW(arena, n, struct frame_features);
  p->asked = ARENA_NEW(arena, n * m, double);
  p->body_cost = ARENA_NEW(arena, n, double);
  p->task_cost = ARENA_NEW(arena, n * m, double);
  p->segment = ARENA_NEW(arena, n, int);
  p->at = ARENA_NEW(arena, n, int);
  p->mean_task = ARENA_NEW(arena, m, double);
  p->mean_error = ARENA_NEW(arena, m, double);
  return p;
}

static void write_frame(struct performance *p, int k, const struct muy_player *player, const double *theta, double unit)
{
  size_t row = (size_t)k, m = (size_t)p->n_parameters;
  struct clip *clip = p->motion;
  muy_player_pose(player, clip->q + row * (size_t)clip->n_dofs);
  muy_player_forces(player, clip->force + row * 3 * (size_t)clip->n_points);
  muy_player_contacts(player, clip->contact + row * (size_t)clip->n_points);
  p->features[k] = controller_features(muy_player_features(player));
  p->segment[k] = player->segment;
  p->at[k] = player->at;
  p->body_cost[k] = controller_body_cost(p->task, p->features[k].counted_effort, unit);
  for (size_t i = 0; i < m; i++) {
    p->asked[row * m + i] = theta[i];
    p->task_cost[row * m + i] = task_cost(&p->task->parameters[i], &p->features[k], theta[i]);
  }
}

static void performance_sum_costs(struct performance *p)
{
  size_t m = (size_t)p->n_parameters;
  for (int k = 0; k < p->n_frames; k++) {
    p->mean_body += p->body_cost[k] / p->n_frames;
    for (size_t i = 0; i < m; i++) {
      size_t at = (size_t)k * m + i;
      double error = performance_error(&p->task->parameters[i], &p->features[k], p->asked[at]);
      p->mean_task[i] += p->task_cost[at] / p->n_frames;
      p->mean_error[i] += fabs(error) / p->n_frames;
    }
  }
  p->cost = p->mean_body;
  for (size_t i = 0; i < m; i++)
    p->cost += p->mean_task[i];
}

void performance_running(const struct performance *p, double *out)
{
  double sum = 0;
  for (int k = 0; k < p->n_frames; k++) {
    sum += p->body_cost[k];
    for (int i = 0; i < p->n_parameters; i++)
      sum += p->task_cost[(size_t)k * (size_t)p->n_parameters + (size_t)i];
    out[k] = sum / (k + 1);
  }
}

/* The gaits of the whole, for whoever reads the clip. */
static void name_gaits(struct performance *p)
{
  const struct creature *c = p->task->creature;
  int first = p->features[0].gait, last = p->features[p->n_frames - 1].gait;
  p->motion->gait = first >= 0 && first < c->n_motions ? c->gaits[first].name : "";
  p->motion->gait_after = last >= 0 && last < c->n_motions ? c->gaits[last].name : "";
}

/* ---- answers to a script ---- */

/* The first frame at or after a time, as user_ask() sees it; n_frames if there is none. */
static int frame_from(const struct performance *p, double time)
{
  int k = (int)fmin(p->n_frames, fmax(0, floor(time / p->dt) - 1));
  while (k < p->n_frames && k * p->dt < time)
    k++;
  return k;
}

/* When something else is asked: a turn that comes later must not count as a speed that was not kept. */
static double next_command(const struct script *s, int i)
{
  for (int k = i + 1; k < s->n_commands; k++)
    if (s->commands[k].time > s->commands[i].time)
      return s->commands[k].time;
  return s->end;
}

static struct performance_answer answer_to(const struct performance *p, int i, double *error)
{
  const struct script_command *command = &p->script->commands[i];
  const struct task_parameter *parameter = &p->task->parameters[command->parameter];
  struct performance_answer a = {.time = command->time, .parameter = command->parameter, .asked = command->theta,
                                 .until = next_command(p->script, i)};
  int first = frame_from(p, a.time), n = (a.until < p->script->end ? frame_from(p, a.until) : p->n_frames) - first;
  if (n < 1)
    return a;
  for (int k = 0; k < n; k++)
    error[k] = performance_error(parameter, &p->features[first + k], a.asked);
  a.before = error[0];
  if (parameter->kind->space == TASK_CIRCLE)
    performance_unwrap(error, n);
  struct performance_rest rest = performance_rest(error, n, p->dt, performance_tolerance(parameter, a.asked));
  a.reached = rest.time;
  a.overshoot = rest.overshoot;
  a.error = rest.error;
  return a;
}

static void write_answers(struct arena *arena, struct performance *p)
{
  struct arena *scratch = arena_new();
  double *error = ARENA_NEW(scratch, (size_t)p->n_frames, double);
  p->n_answers = p->script->n_commands;
  p->answers = ARENA_NEW(arena, (size_t)p->n_answers, struct performance_answer);
  for (int i = 0; i < p->n_answers; i++)
    p->answers[i] = answer_to(p, i, error);
  arena_free(scratch);
}

/* ---- all of it ---- */

/* Frames to be played, 0 after an error. */
static int count_frames(const struct performance_request *r, struct diag *d)
{
  double seconds = r->script ? r->script->end : r->seconds, n = floor(seconds / r->player->dt + 1e-9) + 1;
  const char *file = r->script ? r->script->file : r->task->file;
  int errors = d->n_errors;
  if (!(n <= PERFORMANCE_MOST))
    diag_error(d, file, 0, "%g s are %.0f frames, at most %d can be played at once", seconds, n, PERFORMANCE_MOST);
  if (r->node < 0 || r->node >= r->player->n_nodes)
    diag_error(d, file, 0, "there is no node %d to begin at, nodes are 0 to %d", r->node, r->player->n_nodes - 1);
  return d->n_errors > errors ? 0 : (int)fmax(n, 4);
}

struct performance *performance_play(struct arena *arena, const struct performance_request *r, struct diag *d)
{
  if (!controller_fits(r->player, r->task, r->script ? r->script->file : r->task->file, d))
    return NULL;
  int n = count_frames(r, d);
  if (n == 0)
    return NULL;
  struct performance *p = new_performance(arena, r, n);
  struct user user = new_user(arena, r);
  struct muy_player player;
  double unit = controller_effort(r->player, r->task->creature);
  muy_player_init(&player, r->player);
  muy_player_start(&player, r->node, 0, 0, 0);
  for (int k = 0; k < n; k++) {
    user_ask(&user, k, p->dt);
    user_set_player(&player, r->task, user.theta);
    if (k > 0)
      muy_player_step(&player);
    write_frame(p, k, &player, user.theta, unit);
  }
  name_gaits(p);
  performance_sum_costs(p);
  if (r->script)
    write_answers(arena, p);
  return p;
}

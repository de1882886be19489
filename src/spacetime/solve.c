/* What problems have in common before they are solved, and what is asked of their solutions: quality, a task. */
#include "spacetime/solve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "creature/style.h"
#include "dynamics/dynamics.h"
#include "motion/verify.h"
#include "spacetime/formulation.h"
#include "spacetime/joints.h"

void spacetime_defaults(struct spacetime_options *o)
{
  *o = (struct spacetime_options){.max_iterations = 300,
                                  .max_seconds = 60,
                                  .swing_height = 0.10,
                                  .free_end_depth = 0.02,
                                  .feet_apart = 0.4,
                                  .feet_apart_room = 1.5,
                                  .lane = 0.12,
                                  .lane_room = 0.5,
                                  .landing_speed = 0.045,
                                  .torque_change = 0.16,
                                  .torque_iterations = 50,
                                  .torque_rounds = 6,
                                  .torque_threshold = 1e-11,
                                  .lowest_root = 0.6,
                                  .leg_reach = 1.25,
                                  .cone_margin = 4e-8,
                                  .lowest_mean_root = 0.65,
                                  .highest_torque = 20,
                                  .limb_margin = 0.01,
                                  .limb_depth = 0.03,
                                  .ground_depth = 0.005,
                                  .early_iterations = 80,
                                  .choose_rounds = 12,
                                  .task_rounds = 4,
                                  .guesses = 3,
                                  .tempo_range = 0.2,
                                  .large = 1100,
                                  .grip_at_ease = 0.6,
                                  .grip_at_most = 0.75,
                                  .sideways_reach = 1.33,
                                  .longest_piece = 3,
                                  .longest_change = 2,
                                  .largest_on_spot = 2e6,
                                  .longest_polished = 6,
                                  .least_turn_divided = 0.5,
                                  .gaits_apart = 1.2,
                                  .attempt_share = 0.4,
                                  .attempt_patience = 5,
                                  .hopeless_roughness = 3};
}

/* Costs are in standing heights, and so in m g L and sqrt(L / g). The legs of what hangs low between them reach far and
 * swing slowly in such units: torques count too much then, changes too little. These are the prices of a creature whose
 * height is its size. */
static void solve_price_by_size(const struct problem_input *in)
{
  double s = creature_size(in->c) / in->c->height;
  formulation_scale_weight(in, "torque", 1 / (s * s));
  formulation_scale_weight(in, "height", s * s);
  formulation_scale_weight(in, "joint_acceleration", s * s);
  formulation_scale_weight(in, "force_rate", s);
  formulation_scale_weight(in, "force_bend", s * s);
  formulation_scale_weight(in, "force_edge", s);
}

/* Frames in sqrt(size / g) of a creature that is as quick as its size lets it be, and how many times fewer do harm. */
#define SOLVE_DENSE  18.0
#define SOLVE_SPARSE 3.0

double solve_stretch(const struct creature *c, double dt)
{
  double stretch = SOLVE_DENSE * dt / sqrt(creature_size(c) / CREATURE_GRAVITY);
  return stretch > SOLVE_SPARSE ? stretch : 1;
}

void solve_price_by_frames(const struct problem_input *in, double stretch)
{
  double rates = stretch * stretch, bends = rates * rates; /* squares of first and of second differences */
  formulation_scale_weight(in, "acceleration", bends);
  formulation_scale_weight(in, "joint_acceleration", bends);
  formulation_scale_weight(in, "force_rate", rates);
  formulation_scale_weight(in, "force_bend", bends);
  formulation_scale_weight(in, "force_edge", rates);
}

struct problem_input solve_input(struct arena *arena, const struct creature *c, int n_frames, double h,
                                 const struct spacetime_options *o)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= c->height;
  struct problem_input in = {.c = c,
                             .n_frames = n_frames,
                             .h = h,
                             .heading = ARENA_NEW(arena, (size_t)n_frames, double),
                             .rest = rest,
                             .relaxed = joints_relaxed(arena, c, rest),
                             .effort = joints_effort(arena, c),
                             .spin = joints_spin(arena, c, rest),
                             .friction = c->friction,
                             .cone_margin = o->cone_margin,
                             .apart = o->feet_apart,
                             .apart_room = o->feet_apart_room,
                             .lane = o->lane,
                             .lane_room = o->lane_room,
                             .landing_speed = o->landing_speed,
                             .lowest_root = o->lowest_root,
                             .limb_margin = o->limb_margin,
                             .limb_depth = o->limb_depth,
                             .ground_depth = o->ground_depth};
  formulation_set(arena, &in, o->formulation ? o->formulation : &formulation_default);
  solve_price_by_size(&in);
  return in;
}

void solve_set_style(struct arena *arena, struct problem_input *in, const struct style *s)
{
  if (!s)
    return;
  struct style *scaled = ARENA_NEW(arena, 1, struct style);
  size_t n = (size_t)in->c->n_dofs;
  double *rest = ARENA_NEW(arena, n, double), *effort = ARENA_NEW(arena, n, double);
  memcpy(rest, s->rest, n * sizeof *rest);
  for (int i = 0; i < 3; i++)
    rest[i] /= in->c->height;
  for (size_t i = 0; i < n; i++)
    effort[i] = in->effort[i] * s->effort[i];
  in->effort = effort;
  *scaled = *s;
  scaled->rest = rest;
  in->style = scaled;
  for (int i = 0; i < s->n_weights; i++)
    formulation_scale_weight(in, s->weights[i].name, s->weights[i].factor);
}

/* How far the feet are apart at rest, along x or y, in lengths of their legs; 1 at most. */
static double solve_spread(struct arena *arena, const struct creature *c, int axis)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), low = INFINITY, high = -INFINITY, leg = 0;
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_feet; i++) {
    double middle = 0, x[3];
    for (int k = c->feet[i].first_point; k < c->feet[i].first_point + c->feet[i].n_points; k++) {
      dynamics_point(d, c->points[k].body, c->points[k].at, x);
      middle += x[axis] / c->feet[i].n_points;
    }
    low = fmin(low, middle), high = fmax(high, middle);
    leg = fmax(leg, c->feet[i].leg_length);
  }
  return leg > 0 ? fmin(1, (high - low) / leg) : 1;
}

void solve_set_ground(struct arena *arena, struct problem_input *in, const struct surface *ground)
{
  in->ground = *ground;
  if (surface_is_level(ground))
    return;
  in->tilt[0] = -atan(ground->rise[0]) * solve_spread(arena, in->c, 0);
  in->tilt[1] = atan(ground->rise[1]) * solve_spread(arena, in->c, 1);
}

/* Lengths in standing heights; angles are the same in all units. */
static struct posture_target solve_scale_target(struct posture_target t, const struct creature *c)
{
  double unit = t.dof < 3 ? c->height : 1;
  return (struct posture_target){t.dof, t.from / unit, t.to / unit, t.weight * unit * unit};
}

void solve_set_targets(struct arena *arena, struct problem_input *in, const struct posture_target *targets, int n)
{
  struct posture_target *scaled = ARENA_NEW(arena, (size_t)n + 1, struct posture_target);
  for (int i = 0; i < n; i++)
    scaled[i] = solve_scale_target(targets[i], in->c);
  in->n_targets = n;
  in->targets = scaled;
}

int solve_refuse(struct spacetime_report *report, const char *reason)
{
  report->status = SPACETIME_REFUSED;
  snprintf(report->reason, sizeof report->reason, "%s", reason);
  return 0;
}

double solve_roughness(const struct creature *c, const struct clip *clip, const struct verify_neighbours *beside)
{
  struct arena *work = arena_new();
  struct verify_report report;
  double worst = 0;
  verify_transition(work, c, clip, beside ? beside : &(struct verify_neighbours){0}, &report);
  for (int i = 0; i < N_VERIFY_MEASURES; i++)
    if (!report.lines[i].passed)
      worst = fmax(worst, report.lines[i].bar > 0 ? report.lines[i].value / report.lines[i].bar : (double)INFINITY);
  arena_free(work);
  return report.passed ? 0 : fmax(worst, 1);
}

/* ---- the task ---- */

/* A cost of a frame below which it does not count as less: alpha over nothing would be without bound. */
#define LEAST_COST 1e-4

struct problem *solve_for_task(struct arena *arena, struct problem *p, double *x, const struct spacetime_task *task,
                               const struct spacetime_options *o, struct spacetime_report *report)
{
  int n_frames = p->in.n_frames;
  double *factor = ARENA_NEW(arena, (size_t)n_frames, double), *cost = ARENA_NEW(arena, (size_t)n_frames, double);
  struct task_gradient *targets = ARENA_NEW(arena, (size_t)n_frames, struct task_gradient);
  double unit = sqrt(CREATURE_GRAVITY * p->in.c->height); /* of velocities */
  for (int k = 0; k < n_frames; k++) {
    task->at(task->user, n_frames > 1 ? (double)k / (n_frames - 1) : 0, &targets[k]);
    targets[k].velocity_weight *= unit * unit;
    for (int i = 0; i < 2; i++)
      targets[k].velocity[i] /= unit;
    for (int i = 0; i < targets[k].n_targets; i++)
      targets[k].targets[i] = solve_scale_target(targets[k].targets[i], p->in.c);
  }
  struct problem_input in = p->in;
  in.task = targets;
  in.frame_factor = factor;
  for (int round = 0; round < o->task_rounds && report->status == SPACETIME_SOLVED; round++) {
    double mean = 0;
    problem_frame_costs(p, x, cost);
    for (int k = 0; k < n_frames; k++)
      mean += cost[k] / n_frames;
    for (int k = 0; k < n_frames; k++)
      factor[k] = task->alpha / fmax(mean, LEAST_COST);
    p = solve_with_rows_needed(arena, problem_new(arena, &in), x, 1, o, report);
  }
  return p;
}

/* Gaits with no motion data: one cycle of motion from first guesses, at a speed and in a direction. */
#include "spacetime/spacetime.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/angle.h"
#include "base/vec3.h"
#include "creature/style.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/guess.h"
#include "spacetime/schedule.h"
#include "spacetime/solve.h"
#include "spacetime/torque_change.h"

/* Of a cycle: fewer do not show a step. */
#define LEAST_FRAMES 8

/* Of the ground [rad]. */
#define STEEPEST_SLOPE (30 * PI / 180)

/* One cycle as a problem. */
struct cycle {
  const struct gait_request *r;
  const struct gait *gait;
  int n_frames;                 /* of the whole cycle                        */
  double dt;                    /* [s]                                       */
  struct surface ground;
  double velocity[3];           /* along the ground [m/s]                    */
  struct schedule schedule;
  struct problem_input in;
};

/* Of the frames that are solved for, in a cycle of n_frames; as in schedule_of_gait(). */
static const double *cycle_phases(struct arena *arena, int solved, int n_frames)
{
  double *phase = ARENA_NEW(arena, (size_t)solved, double);
  for (int k = 0; k < solved; k++)
    phase[k] = (k + 0.5) / n_frames;
  return phase;
}

static struct cycle cycle_lay_out(struct arena *arena, const struct gait_request *r, int n_frames, double dt,
                                  const struct spacetime_options *o)
{
  const struct creature *c = r->c, *body = body_of(arena, c);
  double L = c->height, time = sqrt(L / CREATURE_GRAVITY);
  struct cycle y = {.r = r, .gait = &c->gaits[r->gait], .n_frames = n_frames, .dt = dt};
  y.velocity[0] = r->speed * cos(r->slope) * cos(r->strafe);
  y.velocity[1] = r->speed * cos(r->slope) * sin(r->strafe);
  y.velocity[2] = r->speed * sin(r->slope);
  if (r->slope != 0)
    y.ground = surface_slope(r->slope, r->strafe);
  y.schedule = schedule_of_gait(arena, body, y.gait, n_frames, o);
  int ahead = fabs(sin(r->strafe)) < 1e-12;
  int mirrored = !o->whole_cycle && ahead && schedule_is_mirrored(body, &y.schedule) && creature_is_symmetric(c, NULL);
  mirrored &= !y.gait->style || style_is_mirrored(c, y.gait->style, 0.5, NULL);
  y.in = solve_input(arena, body, mirrored ? n_frames / 2 : n_frames, dt / time, o);
  solve_set_style(arena, &y.in, y.gait->style);
  y.in.phase = cycle_phases(arena, y.in.n_frames, n_frames);
  y.in.cyclic = 1;
  y.in.coarse = dt * c->frame_rate > 1.5;
  y.in.mirrored = mirrored;
  y.in.together = ahead && schedule_is_together(body, &y.schedule);
  y.in.on = y.schedule.on;
  y.in.swing = y.schedule.swing;
  y.in.clearance = y.schedule.clearance;
  for (int i = 0; i < 3; i++)
    y.in.travel[i] = y.velocity[i] * dt / L;
  solve_set_ground(arena, &y.in, &y.ground);
  solve_set_targets(arena, &y.in, r->targets, r->n_targets);
  y.in.lane += fabs(y.velocity[1]) * dt * n_frames / L; /* sideways steps need room */
  return y;
}

/* The pose of a clip at a phase of its cycle, on the treadmill: a cubic through its frames, as corners of a polygon
 * would be accelerations. */
static void cycle_sample_clip(const struct clip *clip, double phase, double *q, double *work)
{
  double at = phase * clip->n_frames - 0.5, s = at - floor(at), s2 = s * s, s3 = s2 * s;
  double weight[4] = {-0.5 * s + s2 - 0.5 * s3, 1 - 2.5 * s2 + 1.5 * s3, 0.5 * s + 2 * s2 - 1.5 * s3,
                      0.5 * (s3 - s2)}; /* Catmull and Rom's */
  memset(q, 0, (size_t)clip->n_dofs * sizeof *q);
  for (int j = 0; j < 4; j++) {
    clip_frame(clip, (int)floor(at) - 1 + j, work);
    for (int i = 0; i < clip->n_dofs; i++)
      q[i] += weight[j] * work[i];
  }
  q[0] -= clip->advance.x * at / clip->n_frames;
  q[1] -= clip->advance.y * at / clip->n_frames;
  q[2] -= clip_climb(clip) * at / clip->n_frames;
}

/* A solved clip of the same gait, with any number of frames. */
static void cycle_guess_near(struct arena *arena, const struct problem *p, const struct cycle *y,
                             const struct clip *near, double *x)
{
  const struct creature *c = p->in.c;
  double *q = ARENA_NEW(arena, (size_t)p->n, double), *work = ARENA_NEW(arena, (size_t)p->n, double);
  double weight = c->mass * CREATURE_GRAVITY;
  guess_make(arena, p, GUESS_STANDING, x);
  for (int k = 0; k < p->in.n_frames; k++) {
    double phase = (k + 0.5) / y->n_frames;
    cycle_sample_clip(near, phase, q, work);
    for (int i = 0; i < 3; i++)
      q[i] /= c->height;
    memcpy(x + p->q_var[k], q, (size_t)p->n * sizeof *x);
    int frame = (int)(phase * near->n_frames) % near->n_frames;
    for (int i = 0; i < near->n_points; i++) {
      int var = problem_force_var(p, k, i), at = frame * near->n_points + i;
      for (int axis = 0; axis < 3 && var >= 0 && near->contact[at]; axis++)
        x[var + axis] = near->force[3 * at + axis] / weight;
    }
  }
}

/* The solution as a clip in the world: the treadmill's frames carried along, the second half cycle mirrored. */
static struct clip *cycle_clip(struct arena *arena, const struct cycle *y, const struct problem *p, const double *x)
{
  const struct creature *c = y->r->c;
  struct clip *clip = clip_new(arena, c, y->n_frames, y->dt);
  double weight = c->mass * CREATURE_GRAVITY, *pose = ARENA_NEW(arena, (size_t)p->n, double);
  for (int k = 0; k < y->n_frames; k++) {
    int solved = k % p->in.n_frames, is_mirrored = k >= p->in.n_frames;
    double *q = clip->q + (size_t)k * (size_t)p->n;
    memcpy(pose, x + p->q_var[solved], (size_t)p->n * sizeof *pose);
    if (is_mirrored)
      creature_mirror_pose(c, pose, q);
    else
      memcpy(q, pose, (size_t)p->n * sizeof *q);
    for (int i = 0; i < 3; i++)
      q[i] *= c->height;
    for (int i = 0; i < 3; i++)
      q[i] += y->velocity[i] * k * y->dt;
    for (int i = 0; i < c->n_points; i++) {
      int point = is_mirrored ? c->points[i].mirror : i, var = problem_force_var(p, solved, point);
      double *f = clip->force + 3 * (size_t)(k * c->n_points + i);
      clip->contact[k * c->n_points + i] = var >= 0;
      for (int axis = 0; axis < 3 && var >= 0; axis++)
        f[axis] = x[var + axis] * weight * (axis == 1 && is_mirrored ? -1 : 1);
    }
  }
  clip->name = clip->gait = clip->gait_after = y->gait->name;
  clip->cyclic = 1;
  clip->speed = y->r->speed;
  clip->strafe = y->r->strafe;
  clip->ground = y->ground;
  clip->advance = (struct clip_advance){y->velocity[0] * y->n_frames * y->dt, y->velocity[1] * y->n_frames * y->dt, 0};
  return clip;
}

/* How the frames of a cycle are laid out. */
struct tempo {
  int n_frames;
  double dt;                    /* [s]                                                       */
  double smoothness;            /* weight of bends of forces and motion, times this; 1 unless more is needed */
  double joints;                /* weight of accelerations of joints, times this too         */
  double edges;                 /* weight of edges of forces, likewise                       */
  double net_bend;              /* weight of bends of the net force, 0 unless needed         */
  double stretch;               /* 1, or that of solve_stretch()                             */
  int is_sketch;                /* to start another solve from: feet may arrive at any speed */
  double torque_change;         /* see spacetime.h; 0: any                                   */
};

/* The weights as they are, nothing that is only needed where something else failed. */
static struct tempo cycle_plain(int n_frames, double dt)
{
  return (struct tempo){.n_frames = n_frames, .dt = dt, .smoothness = 1, .joints = 1, .edges = 1, .stretch = 1};
}

/* From a clip near by or, if that is NULL, from a guess. */
static struct clip *cycle_solve_from(struct arena *arena, const struct gait_request *r, struct tempo t,
                                     const struct clip *near, enum guess guess, const struct spacetime_options *o,
                                     struct spacetime_report *report)
{
  struct arena *work = arena_new(); /* the problem is large, its solution small */
  struct cycle y = cycle_lay_out(work, r, t.n_frames, t.dt, o);
  if (t.is_sketch)
    y.in.landing_speed = INFINITY;
  solve_price_by_frames(&y.in, t.stretch);
  formulation_scale_weight(&y.in, "acceleration", t.smoothness);
  formulation_scale_weight(&y.in, "joint_acceleration", t.smoothness * t.joints);
  formulation_scale_weight(&y.in, "force_bend", t.smoothness);
  formulation_scale_weight(&y.in, "force_edge", t.edges);
  formulation_set_weight(&y.in, "net_force_bend", t.net_bend);
  y.in.warm = near != NULL;
  y.in.torque_change = t.torque_change;
  struct problem *p = problem_new(work, &y.in);
  double *x = ARENA_NEW(work, (size_t)p->n_vars, double);
  if (near)
    cycle_guess_near(work, p, &y, near, x);
  else
    guess_make(work, p, guess, x);
  report->half_cycle = y.in.mirrored;
  p = solve_with_rows_needed(work, p, x, near != NULL, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(work, p, x, r->task, o, report);
  struct clip *clip = report->status == SPACETIME_SOLVED ? cycle_clip(arena, &y, p, x) : NULL;
  report->torque_jump = clip ? torque_change_worst(p, x) : 0;
  arena_free(work);
  return clip;
}

static int cycle_may_continue(const struct spacetime_report *report)
{
  return report->status != SPACETIME_STOPPED && report->nlp.status != NLP_TIME;
}

static int cycle_guess_matters(const struct gait_request *r, const struct spacetime_options *o)
{
  struct arena *work = arena_new();
  struct problem_input in = solve_input(work, body_of(work, r->c), 1, 1, o);
  int matters = guess_matters(&in);
  arena_free(work);
  return matters;
}

/* From a clip near by or, if that is NULL, from all guesses that can differ; the cheapest result is kept. Results in
 * the same optimum differ by rounding: a later one must be cheaper by a thousandth. The first guess has all the time
 * it needs; the next is not needed, and given up when it is led astray. */
static struct clip *cycle_solve(struct arena *arena, const struct gait_request *r, struct tempo t,
                                const struct clip *near, const struct spacetime_options *o,
                                struct spacetime_report *report)
{
  if (near)
    return cycle_solve_from(arena, r, t, near, GUESS_FOLDED, o, report);
  struct clip *best = NULL;
  struct spacetime_options brief = *o;
  brief.max_iterations = o->early_iterations < o->max_iterations ? o->early_iterations : o->max_iterations;
  brief.patience = o->attempt_patience;
  int all = cycle_guess_matters(r, o);
  for (int g = 0; g < N_GUESSES && cycle_may_continue(report); g++) {
    if (!(o->guesses >> g & 1) || (best && !all))
      continue;
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct clip *other = cycle_solve_from(arena, r, t, NULL, (enum guess)g, best ? &brief : o, &trial);
    if (!best || trial.status == SPACETIME_STOPPED || (other && trial.cost < (1 - 1e-3) * report->cost))
      best = other, *report = trial;
    report->solves = trial.solves, report->seconds = trial.seconds;
  }
  return best;
}

/* ---- requests that cannot be met are refused at once ---- */

/* Places of a cycle at which contacts are looked up. */
#define PHASES 100

/* Of a leg's length: what points on the ground may be off it, as in motion/verify.c. */
#define LEVEL 1e-6

/* The unit normal of the plane through three points; 0: they are on a line. */
static int cycle_plane(const struct creature *c, const int three[3], double normal[3])
{
  const double *a = c->points[three[0]].at, *b = c->points[three[1]].at, *d = c->points[three[2]].at;
  const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
  double sides = vec3_norm(u) * vec3_norm(v);
  vec3_cross(u, v, normal);
  double size = vec3_norm(normal);
  for (int i = 0; i < 3 && size > 0; i++)
    normal[i] /= size;
  return size > 1e-6 * sides;
}

/* Can each leg span what its foot travels while it stands? It swings from straight back to straight forward, the body
 * as low as it may be. */
static int cycle_legs_reach(struct arena *arena, const struct gait_request *r, double period,
                            const struct spacetime_options *o, struct spacetime_report *report)
{
  const struct creature *c = r->c;
  const struct gait *g = &c->gaits[r->gait];
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double);
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_points; i++)
    for (int k = 0; k < g->n_intervals[i]; k++) {
      const struct foot *foot = &c->feet[c->points[i].foot];
      const struct limb *leg = &c->limbs[foot->first_leg_limb];
      double share = g->on[i][k].until - g->on[i][k].from, hip[3];
      dynamics_point(d, leg->body, leg->origin, hip);
      double l = foot->leg_length, h = o->lowest_root * hip[2], spans = l > h ? 2 * sqrt(l * l - h * h) : 0;
      double travel = r->speed * period * (share > 0 ? share : share + 1);
      if (share > 1 - 1e-9 && r->speed > 0) {
        char text[512];
        snprintf(text, sizeof text, "%s stays on the ground for the whole cycle: nothing can be gone that way, speed "
                                    "must be 0", c->points[i].name);
        return solve_refuse(report, text);
      }
      if (travel > o->leg_reach * spans) {
        char text[512];
        snprintf(text, sizeof text,
                 "%s would have to stay on the ground over %.3g m of travel, but its leg spans %.3g m at most: "
                 "lower the speed below %.3g m/s, or give the gait a shorter period or contact",
                 c->points[i].name, travel, spans, r->speed * o->leg_reach * spans / travel);
        return solve_refuse(report, text);
      }
    }
  return 1;
}

/* Points of one rigid limb that are on the ground at the same time must lie in a plane. */
static int cycle_points_are_level(const struct gait_request *r, struct spacetime_report *report)
{
  const struct creature *c = r->c;
  const struct gait *g = &c->gaits[r->gait];
  for (int k = 0; k < PHASES; k++)
    for (int i = 0; i < c->n_points; i++) {
      int three[3], n = 0;
      double normal[3];
      for (int j = 0; j < i; j++) /* those before it on the same limb that span a plane */
        if (n < 3 && c->points[j].body == c->points[i].body && gait_contact(g, j, (k + 0.5) / PHASES)) {
          three[n++] = j;
          if (n == 3 && !cycle_plane(c, three, normal))
            n = 2;
        }
      if (n < 3 || !gait_contact(g, i, (k + 0.5) / PHASES))
        continue;
      const double *a = c->points[three[0]].at, *x = c->points[i].at;
      double off = fabs(normal[0] * (x[0] - a[0]) + normal[1] * (x[1] - a[1]) + normal[2] * (x[2] - a[2]));
      if (off > LEVEL * c->feet[c->points[i].foot].leg_length) {
        char text[512];
        snprintf(text, sizeof text,
                 "%s is %.2g m off the plane through %s, %s and %s of the same limb, so that they cannot all be on the "
                 "ground, as they are at %.2f of the cycle: move it, or let it touch at other times",
                 c->points[i].name, off, c->points[three[0]].name, c->points[three[1]].name, c->points[three[2]].name,
                 (k + 0.5) / PHASES);
        return solve_refuse(report, text);
      }
    }
  return 1;
}

static int cycle_request_is_sane(struct arena *arena, const struct gait_request *r, double period,
                                 const struct spacetime_options *o, struct spacetime_report *report)
{
  const struct gait *g = &r->c->gaits[r->gait];
  int touching = 0;
  for (int i = 0; i < r->c->n_points; i++)
    touching += g->n_intervals[i];
  if (!touching)
    return solve_refuse(report, "no foot touches the ground in this gait");
  if (!isfinite(r->speed) || r->speed < 0 || !isfinite(r->strafe))
    return solve_refuse(report, "speed must be a number >= 0 and the direction a number");
  if (!(fabs(r->slope) <= STEEPEST_SLOPE))
    return solve_refuse(report, "a slope must be a number from -30 to 30 degrees");
  if (r->frames && (r->frames < LEAST_FRAMES || r->frames > 1000))
    return solve_refuse(report, "a cycle takes 8 to 1000 frames");
  if (r->near && (!r->near->cyclic || r->near->n_dofs != r->c->n_dofs || r->near->n_points != r->c->n_points))
    return solve_refuse(report, "the clip to start from is no cycle of such a creature");
  return cycle_points_are_level(r, report) && cycle_legs_reach(arena, r, period, o, report);
}

/* ---- tempo ---- */

/* The nearest even number of frames: half a cycle must be whole frames. */
static int cycle_even(double frames)
{
  int n = 2 * (int)lround(frames / 2);
  return n < LEAST_FRAMES ? LEAST_FRAMES : n;
}

/* As many frames as are needed to see how good a tempo is: half of them, where there are enough. */
static struct tempo cycle_coarse(int n_frames, double dt)
{
  int few = n_frames >= 24 ? cycle_even(0.5 * n_frames) : n_frames;
  struct tempo t = cycle_plain(few, dt * n_frames / few);
  t.is_sketch = few < n_frames;
  return t;
}

/* Walks from the gait's own number of frames towards cheaper periods, each started from its neighbour, within a range
 * of it: a tempo that is free runs to whatever bound it has. The steps are small even numbers of frames. */
static struct clip *cycle_search_tempo(struct arena *arena, const struct gait_request *r, int middle, int *frames,
                                       const struct spacetime_options *o, struct spacetime_report *report)
{
  double dt = 1 / r->c->frame_rate, least = (1 - o->tempo_range) * middle, most = (1 + o->tempo_range) * middle;
  int step = middle < 48 ? 2 : 4;
  struct clip *best = cycle_solve(arena, r, cycle_coarse(middle, dt), r->near, o, report);
  *frames = middle;
  for (int side = 0, moved = 0; best && side < 2 && !moved; side++)
    for (int n = middle + (side ? step : -step); n >= least && n <= most && n >= LEAST_FRAMES;
         n += side ? step : -step) {
      struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
      struct clip *other = cycle_solve(arena, r, cycle_coarse(n, dt), best, o, &trial);
      report->solves = trial.solves, report->seconds = trial.seconds;
      if (!other || !(trial.cost < report->cost))
        break;
      best = other, *report = trial, *frames = n, moved = 1;
    }
  return best;
}

/* The clip itself, with all frames, from the coarse one. */
static struct clip *cycle_refine(struct arena *arena, const struct gait_request *r, struct tempo t, struct clip *rough,
                                 const struct spacetime_options *o, struct spacetime_report *report)
{
  struct clip *fine = rough && rough->n_frames == t.n_frames ? rough : cycle_solve(arena, r, t, rough, o, report);
  if (!fine && rough && cycle_may_continue(report)) /* the coarse motion led astray: from nothing, then */
    fine = cycle_solve(arena, r, t, NULL, o, report);
  return fine;
}

/* What may help a clip that misses a bar. Where frames are far apart: prices by their distance. Where limbs are in each
 * other or in the ground: shorter steps, and a fresh start, as they cannot come out again. Where its balance between
 * frames is not good enough: costlier accelerations of joints first, then bends of the net force, of all forces and of
 * the motion, costlier edges of forces at touch-down and lift-off, and other tempos: slower ones give each stance more
 * frames, faster ones less to travel. */
static const struct cycle_remedy {
  int of_limbs;                 /* 1: where limbs meet each other or the ground; 0: for the balance            */
  int of_slow;                  /* 1: where frames are far apart; the remedies after it stay with it           */
  double smoothness, joints, edges; /* as those of the tempo; one that is not given is 1                       */
  double net_bend;              /* as that of the tempo                                                        */
  double period;                /* that of the clip, times this; 1 if not given                                */
} cycle_remedies[] = {
    {.of_slow = 1},
    {.of_limbs = 1, .period = 0.8},
    {.of_limbs = 1, .period = 0.65},
    {.of_limbs = 1, .period = 0.5},
    {.of_limbs = 1, .period = 0.4},
    {.joints = 3},
    {.period = 0.93},
    {.smoothness = 1.3, .joints = 1.3, .net_bend = 1e-5, .period = 0.93},
    {.joints = 3, .net_bend = 1e-5},
    {.joints = 3, .net_bend = 1e-5, .period = 1.1},
    {.joints = 3, .net_bend = 4e-5},
    {.joints = 3, .net_bend = 4e-5, .period = 1.2},
    {.joints = 3, .period = 1.1},
    {.smoothness = 2, .joints = 3, .edges = 3, .period = 1.1},
    {.smoothness = 10, .joints = 3},
    {.smoothness = 100, .joints = 3},
    {.smoothness = 10, .joints = 3, .period = 1.1},
    {.smoothness = 10, .joints = 3, .period = 1.2},
    {.smoothness = 10, .joints = 3, .period = 1.3},
    {.smoothness = 3, .joints = 3, .edges = 10, .period = 1.1},
    {.smoothness = 3, .joints = 3, .edges = 10, .period = 0.9}};

enum { N_REMEDIES = sizeof cycle_remedies / sizeof *cycle_remedies };

static double cycle_factor(double given)
{
  return given > 0 ? given : 1;
}

/* The tempo of a clip that had so many frames, with a remedy. */
static struct tempo cycle_remedied(int n_frames, double dt, const struct cycle_remedy *m)
{
  struct tempo t = cycle_plain(cycle_even(n_frames * cycle_factor(m->period)), dt);
  t.smoothness = cycle_factor(m->smoothness);
  t.joints = cycle_factor(m->joints);
  t.edges = cycle_factor(m->edges);
  t.net_bend = m->net_bend;
  return t;
}

static int cycle_limbs_meet(const struct creature *c, const struct clip *clip)
{
  struct arena *work = arena_new();
  struct verify_report report;
  verify_clip(work, c, clip, &report);
  arena_free(work);
  return !report.lines[VERIFY_OVERLAP].passed || !report.lines[VERIFY_LIMB_GROUND].passed;
}

/* *used is the tempo of the clip: that of `fine`, then that of the clip returned. */
static struct clip *cycle_mend_roughness(struct arena *arena, const struct gait_request *r, struct clip *fine,
                                         struct tempo *used, const struct spacetime_options *o,
                                         struct spacetime_report *report)
{
  double least = solve_roughness(r->c, fine, NULL);
  int n_frames = fine->n_frames, limbs_meet = least > 0 && cycle_limbs_meet(r->c, fine);
  struct spacetime_options brief = *o; /* from a clip that is almost good: one that takes long is led astray */
  brief.max_iterations = o->early_iterations < o->max_iterations ? o->early_iterations : o->max_iterations;
  for (int i = 0; least > 0 && i < N_REMEDIES && cycle_may_continue(report); i++) {
    const struct cycle_remedy *m = &cycle_remedies[i];
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct tempo t = cycle_remedied(n_frames, fine->dt, m);
    t.stretch = m->of_slow ? solve_stretch(r->c, fine->dt) : used->stretch;
    if ((m->of_limbs && !limbs_meet) || (m->of_slow && t.stretch == 1))
      continue;
    struct clip *other = cycle_solve(arena, r, t, m->of_limbs ? NULL : fine, m->of_limbs ? o : &brief, &trial);
    double rough = other ? solve_roughness(r->c, other, NULL) : (double)INFINITY;
    if (rough < least)
      fine = other, least = rough, *report = trial, *used = t;
    report->solves = trial.solves, report->seconds = trial.seconds;
  }
  return fine;
}

/* One attempt: NULL unless it is as good a clip as the one with jumps. *is_rough: that was all it lacked. */
static struct clip *cycle_try_smooth(struct arena *arena, const struct gait_request *r, const struct clip *fine,
                                     struct tempo t, const struct spacetime_options *o,
                                     struct spacetime_report *report, int *is_rough)
{
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  struct clip *smooth = cycle_solve(arena, r, t, fine, o, &trial);
  *is_rough = smooth && trial.torque_jump < report->torque_jump;
  if (!*is_rough || solve_roughness(r->c, smooth, NULL) > 0)
    smooth = NULL;
  if (smooth)
    *report = trial;
  report->solves = trial.solves, report->seconds = trial.seconds;
  return smooth;
}

/* The clip without jumps of torques: last of all, as nothing else needs it. Where balance between frames suffers, less
 * is asked for. A task has solves of its own, and goes without. */
static struct clip *cycle_smooth_torques(struct arena *arena, const struct gait_request *r, struct clip *fine,
                                         struct tempo t, const struct spacetime_options *o,
                                         struct spacetime_report *report)
{
  struct spacetime_options brief = *o;
  int is_rough;
  if (!(o->torque_change > 0) || r->task || !cycle_may_continue(report) || solve_roughness(r->c, fine, NULL) > 0)
    return fine;
  brief.max_iterations = o->torque_iterations < o->max_iterations ? o->torque_iterations : o->max_iterations;
  brief.choose_rounds = o->torque_rounds;
  t.torque_change = o->torque_change;
  struct clip *smooth = cycle_try_smooth(arena, r, fine, t, &brief, report, &is_rough);
  if (!smooth && is_rough && cycle_may_continue(report)) {
    t.torque_change = 1.5 * o->torque_change;
    smooth = cycle_try_smooth(arena, r, fine, t, &brief, report, &is_rough);
  }
  return smooth ? smooth : fine;
}

/* With a number of frames that was asked for, the period stays what the gait says: other frames are a finer or coarser
 * picture of the same. From nothing, a large clip has a coarse one before it. */
static struct clip *cycle_solve_frames(struct arena *arena, const struct gait_request *r, double period,
                                       const struct spacetime_options *o, struct spacetime_report *report)
{
  struct tempo t = cycle_plain(r->frames, period / r->frames);
  if (r->near || t.n_frames * r->c->n_dofs < o->large)
    return cycle_solve(arena, r, t, r->near, o, report);
  struct clip *rough = cycle_solve(arena, r, cycle_coarse(t.n_frames, t.dt), NULL, o, report);
  return cycle_may_continue(report) ? cycle_refine(arena, r, t, rough, o, report) : NULL;
}

/* At the tempo of a clip near by: from it straight to torques without jumps, as it has none; where that fails, in the
 * usual steps. NULL: not so. */
static struct clip *cycle_solve_near(struct arena *arena, const struct gait_request *r,
                                     const struct spacetime_options *o, struct spacetime_report *report)
{
  struct tempo t = cycle_plain(cycle_even(r->near_frames), 1 / r->c->frame_rate);
  struct spacetime_options brief = *o;
  brief.max_iterations = o->early_iterations < o->max_iterations ? o->early_iterations : o->max_iterations;
  if (o->torque_change > 0 && !r->task) {
    struct tempo smooth = t;
    smooth.torque_change = o->torque_change;
    struct clip *clip = cycle_solve(arena, r, smooth, r->near, &brief, report);
    if ((clip && solve_roughness(r->c, clip, NULL) == 0) || !cycle_may_continue(report))
      return clip;
  }
  struct clip *fine = cycle_solve(arena, r, t, r->near, &brief, report);
  if (!fine || !cycle_may_continue(report))
    return NULL;
  fine = cycle_mend_roughness(arena, r, fine, &t, o, report);
  return cycle_smooth_torques(arena, r, fine, t, o, report);
}

/* ---- a pose that is held ---- */

/* Frames that are solved for where nothing moves: what differs between them is the solver's tolerance. */
#define STILL_FRAMES LEAST_FRAMES

/* Every frame becomes the mean of all: of poses as near as these, and of their forces, the mean balances, too. A mean
 * over both halves of a mirrored cycle is its own mirror image. */
static struct clip *cycle_hold_mean(struct arena *arena, const struct gait_request *r, const struct clip *of,
                                    int n_frames, double dt)
{
  struct clip *clip = clip_new(arena, r->c, n_frames, dt);
  size_t n = (size_t)of->n_dofs, points = (size_t)of->n_points;
  for (int k = 0; k < n_frames; k++) {
    double *q = clip->q + (size_t)k * n, *f = clip->force + 3 * (size_t)k * points;
    for (int j = 0; j < of->n_frames; j++) {
      for (size_t i = 0; i < n; i++)
        q[i] += of->q[(size_t)j * n + i] / of->n_frames;
      for (size_t i = 0; i < 3 * points; i++)
        f[i] += of->force[3 * (size_t)j * points + i] / of->n_frames;
    }
    memcpy(clip->contact + (size_t)k * points, of->contact, points);
  }
  clip->name = of->name;
  clip->gait = of->gait;
  clip->gait_after = of->gait_after;
  clip->cyclic = 1;
  clip->strafe = of->strafe;
  return clip;
}

/* A pose has no tempo to search for, and torques that do not change need no smoothing. */
static struct clip *cycle_solve_still(struct arena *arena, const struct gait_request *r, double period,
                                      const struct spacetime_options *o, struct spacetime_report *report)
{
  int n_frames = r->frames ? r->frames : r->near_frames ? r->near_frames : cycle_even(period * r->c->frame_rate);
  struct clip *few = cycle_solve(arena, r, cycle_plain(STILL_FRAMES, 1 / r->c->frame_rate), r->near, o, report);
  return few ? cycle_hold_mean(arena, r, few, n_frames, r->frames ? period / r->frames : 1 / r->c->frame_rate) : NULL;
}

struct clip *spacetime_gait(struct arena *arena, const struct gait_request *r, const struct spacetime_options *o,
                            struct spacetime_report *report)
{
  const struct gait *g = &r->c->gaits[r->gait];
  memset(report, 0, sizeof *report);
  double period = gait_period(g, r->speed);
  if (!cycle_request_is_sane(arena, r, period, o, report))
    return NULL;
  if (!(r->speed > 0) && !r->task && gait_is_still(r->c, g))
    return cycle_solve_still(arena, r, period, o, report);
  if (r->frames)
    return cycle_solve_frames(arena, r, period, o, report);
  if (r->near && r->near_frames) {
    struct clip *clip = cycle_solve_near(arena, r, o, report);
    if (clip || !cycle_may_continue(report))
      return clip;
  }
  int frames = cycle_even(period * r->c->frame_rate);
  struct clip *rough = cycle_search_tempo(arena, r, frames, &frames, o, report), *fine = NULL;
  struct tempo t = cycle_plain(frames, 1 / r->c->frame_rate);
  if (cycle_may_continue(report))
    fine = cycle_refine(arena, r, t, rough, o, report);
  if (!fine)
    return NULL;
  fine = cycle_mend_roughness(arena, r, fine, &t, o, report);
  return cycle_smooth_torques(arena, r, fine, t, o, report);
}

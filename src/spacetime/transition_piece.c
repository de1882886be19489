/* A transition in one piece: how long it takes, and attempts of more smoothness and more time. */
#include "spacetime/transition_piece.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "spacetime/body.h"
#include "spacetime/formulation.h"
#include "spacetime/way.h"

/* ---- how long ---- */

#define SIDEWAYS_REACH 1.33     /* leg lengths, of a foot in one cycle: from one side to the other */

#define GRIP_AT_EASE 0.6         /* of the friction there is, at most, on the way */
#define GRIP_AT_MOST 0.75

/* Frames that it takes while no more than a share of friction is used: what the ground can give limits how fast a
 * runner turns, speeds up or brakes. The rates have their peaks, half as much again as their means, in the middle. */
static double frames_to_change(const struct transition_request *r, double grip)
{
  double a[2], b[2], most = grip * r->c->friction * CREATURE_GRAVITY;
  way_velocity(r->from, a);
  way_velocity(r->to, b);
  double speed = 0.5 * (hypot(a[0], a[1]) + hypot(b[0], b[1])), change = hypot(b[0] - a[0], b[1] - a[1]);
  return 1.5 * hypot(speed * r->turn, change) / most / r->from->dt;
}

int spacetime_least_frames(const struct transition_request *r)
{
  return (int)ceil(frames_to_change(r, GRIP_AT_MOST));
}

/* Cycles that it takes at least: in a turn, feet far from the middle of a long body have a way to go sideways, by what
 * their legs reach in each cycle. */
static double cycles_to_turn(struct arena *arena, const struct creature *c, double turn)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), most = 0;
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int i = 0; i < c->n_points; i++) {
    double at[3];
    dynamics_point(d, c->points[i].body, c->points[i].at, at);
    double way = fabs(turn) * hypot(at[0] - rest[0], at[1] - rest[1]);
    most = fmax(most, way / (SIDEWAYS_REACH * c->feet[c->points[i].foot].leg_length));
  }
  return most;
}

/* About a cycle for every 90 degrees, at least one, more at speed and for long bodies, and half a cycle more into
 * another gait; then whatever hurries the feet least. */
struct piece piece_plan(struct arena *arena, const struct transition_request *r)
{
  const struct creature *body = body_of(arena, r->c);
  struct stride before = way_stride(arena, body, r->from, r->from_frame, 0),
                after = way_stride(arena, body, r->to, r->to_frame, 1);
  int cycle = (before.cycle.n_frames + after.cycle.n_frames) / 2,
      cycles = 1 + (int)(fabs(r->turn) / (0.5 * 3.14159265358979323846) + 0.4);
  double most_cycles = fmax(cycles, cycles_to_turn(arena, r->c, r->turn));
  int least = (int)fmax(most_cycles * cycle, frames_to_change(r, GRIP_AT_EASE)) +
              (strcmp(r->from->gait_after, r->to->gait) == 0 ? 0 : cycle / 2),
      best = least;
  double cheapest = INFINITY;
  for (int n = least; n < least + cycle; n++) {
    double price = schedule_haste(arena, body, &before, &after, n) + 0.1 * (n - least) / cycle;
    if (price < cheapest)
      best = n, cheapest = price;
  }
  return (struct piece){r, r->frames ? r->frames : best < 8 ? 8 : best, cycle};
}

/* ---- attempts ---- */

#define ATTEMPT_SHARE 0.4       /* of the time that is left */
#define PATIENCE      5         /* with an attempt that was led astray, while there are others */
#define HOPELESS      3         /* roughness that smoothing alone has never mended */

struct attempt {
  int cycles;                   /* beyond the shortest                                      */
  double smoothness;            /* the larger, the dearer are accelerations                 */
};

static const struct attempt attempts[] = {{0, 3}, {0, 10}, {0, 30}, {1, 3}, {1, 10}, {2, 10}};

enum { FIRST_LONGER = 3, N_ATTEMPTS = sizeof attempts / sizeof *attempts };

/* One attempt; from `before`, if that has as many frames. */
static struct clip *try_frames(struct arena *arena, const struct transition_request *r, int n_frames, double smoothness,
                               const struct clip *before, const struct spacetime_options *o,
                               struct spacetime_report *report)
{
  struct arena *work = arena_new(); /* the problem is large, its solution small */
  struct way w = way_lay_out(work, r, n_frames);
  int again = before && before->n_frames == n_frames;
  *formulation_weight(&w.in, "acceleration") *= smoothness;
  struct problem *p = problem_new(work, &w.in);
  double *x = ARENA_NEW(work, (size_t)p->n_vars, double);
  if (again)
    way_guess_again(p, &w, before, x);
  else
    way_guess_blend(work, p, &w, x);
  p = solve_with_rows_needed(work, p, x, again, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(work, p, x, r->task, o, report);
  struct clip *clip = report->status == SPACETIME_SOLVED ? way_clip(arena, &w, p, x) : NULL;
  arena_free(work);
  return clip;
}

/* Smoothing has its price in the forces that hurry: where the first step of it made things worse, so does the next. */
static int is_worth_trying(const struct piece *q, int i, double rough, double before)
{
  if (q->r->frames && (attempts[i].cycles || (rough > HOPELESS && isfinite(rough))))
    return 0;
  return attempts[i].cycles || attempts[i].smoothness <= 10 || (isfinite(rough) && rough < before);
}

struct clip *piece_find(struct arena *arena, const struct piece *q, enum piece_length length,
                        const struct spacetime_options *o, struct spacetime_report *report)
{
  struct clip *best = NULL;
  double rough = INFINITY, before = INFINITY;
  int first = length == PIECE_LONGER ? FIRST_LONGER : 0, last = length == PIECE_SHORTEST ? FIRST_LONGER : N_ATTEMPTS;
  for (int i = first; i < last && rough > 0 && report->seconds <= o->max_seconds; i++) {
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct spacetime_options own = *o; /* no attempt takes all the time from those after it */
    if (!is_worth_trying(q, i, rough, before))
      continue;
    own.max_seconds = trial.seconds + ATTEMPT_SHARE * (o->max_seconds - trial.seconds);
    own.patience = i < N_ATTEMPTS - 1 ? PATIENCE : o->patience;
    struct clip *clip = try_frames(arena, q->r, q->n_frames + attempts[i].cycles * q->cycle, attempts[i].smoothness,
                                   best, &own, &trial);
    before = rough;
    rough = clip ? solve_roughness(q->r->c, clip) : rough;
    if (clip || !best)
      *report = trial, best = clip ? clip : best;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (trial.status == SPACETIME_STOPPED)
      break;
  }
  return best;
}

struct clip *piece_polish(struct arena *arena, const struct transition_request *r, const struct clip *joined,
                          const struct spacetime_options *o, struct spacetime_report *report)
{
  return try_frames(arena, r, joined->n_frames, attempts[0].smoothness, joined, o, report);
}

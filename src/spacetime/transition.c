/* Transitions: from two frames of one clip to two frames of another, turning on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/body.h"
#include "spacetime/solve.h"
#include "spacetime/transition_join.h"
#include "spacetime/way.h"

/* ---- how long ---- */

/* Frames that it takes at least: what the ground can give limits how fast a runner turns, speeds up or brakes. The
 * rates have their peaks, half as much again as their means, in the middle. */
static double frames_to_change(const struct transition_request *r)
{
  double a[2], b[2], most = 0.6 * r->c->friction * CREATURE_GRAVITY;
  way_velocity(r->from, a);
  way_velocity(r->to, b);
  double speed = 0.5 * (hypot(a[0], a[1]) + hypot(b[0], b[1])), change = hypot(b[0] - a[0], b[1] - a[1]);
  return 1.5 * hypot(speed * r->turn, change) / most / r->from->dt;
}

/* About a cycle for every 90 degrees, at least one, more at speed, and half a cycle more into another gait; then
 * whatever hurries the feet least. */
static int frames_for(struct arena *arena, const struct transition_request *r, int *cycle_frames)
{
  const struct creature *body = body_of(arena, r->c);
  struct stride before = way_stride(arena, body, r->from, r->from_frame, 0),
                after = way_stride(arena, body, r->to, r->to_frame, 1);
  int cycle = (before.cycle.n_frames + after.cycle.n_frames) / 2,
      cycles = 1 + (int)(fabs(r->turn) / (0.5 * 3.14159265358979323846) + 0.4);
  int least = (int)fmax(cycles * cycle, frames_to_change(r)) +
              (strcmp(r->from->gait_after, r->to->gait) == 0 ? 0 : cycle / 2),
      best = least;
  double cheapest = INFINITY;
  *cycle_frames = cycle;
  for (int n = least; n < least + cycle; n++) {
    double price = schedule_haste(arena, body, &before, &after, n) + 0.1 * (n - least) / cycle;
    if (price < cheapest)
      best = n, cheapest = price;
  }
  return best < 8 ? 8 : best;
}

static int refuse(struct spacetime_report *report, const char *reason)
{
  report->status = SPACETIME_REFUSED;
  snprintf(report->reason, sizeof report->reason, "%s", reason);
  return 0;
}

static int has_pair(const struct clip *clip, int k)
{
  return clip->cyclic || (k >= 0 && k + 1 < clip->n_frames);
}

static int request_is_sane(const struct transition_request *r, struct spacetime_report *report)
{
  if (!has_pair(r->from, r->from_frame) || !has_pair(r->to, r->to_frame))
    return refuse(report, "that frame and the one after it are not in the clip");
  if (fabs(r->from->dt - r->to->dt) > 1e-9 * r->from->dt)
    return refuse(
        report, "the clips have different frame rates; solve both without --frames, or with frames that give the same");
  if (!isfinite(r->turn) || fabs(r->turn) > 6.3)
    return refuse(report, "a turn must lie between -360 and 360 degrees");
  if (r->frames && (r->frames < 8 || r->frames > 2000))
    return refuse(report, "a transition takes 8 to 2000 frames");
  return 1;
}

#define ATTEMPT_SHARE 0.4       /* of the time that is left */
#define HOPELESS      3         /* roughness that smoothing alone has never mended */

struct attempt {
  int cycles;                   /* beyond the shortest                                      */
  double smoothness;            /* the larger, the dearer are accelerations                 */
};

static const struct attempt attempts[] = {{0, 3}, {0, 10}, {0, 30}, {1, 3}, {1, 10}, {2, 10}};

/* One attempt; from `before`, if that has as many frames. */
static struct clip *try_frames(struct arena *arena, const struct transition_request *r, int n_frames, double smoothness,
                               const struct clip *before, const struct spacetime_options *o,
                               struct spacetime_report *report)
{
  struct way w = way_lay_out(arena, r, n_frames);
  int again = before && before->n_frames == n_frames;
  w.in.weights.acceleration *= smoothness;
  struct problem *p = problem_new(arena, &w.in);
  double *x = ARENA_NEW(arena, (size_t)p->n_vars, double);
  if (again)
    way_guess_again(p, &w, before, x);
  else
    way_guess_blend(arena, p, &w, x);
  p = solve_within_limits(arena, p, x, again, o, report);
  if (r->task && report->status == SPACETIME_SOLVED)
    p = solve_for_task(arena, p, x, r->task, o, report);
  return report->status == SPACETIME_SOLVED ? way_clip(arena, &w, p, x) : NULL;
}

/* In one piece: more smoothness and more time, where the first idea was too hasty; a length that was asked for stays. */
static struct clip *in_one(struct arena *arena, const struct transition_request *r, int n, int cycle,
                           const struct spacetime_options *o, struct spacetime_report *report)
{
  struct clip *best = NULL;
  for (size_t i = 0; i < sizeof attempts / sizeof *attempts && !(r->frames && attempts[i].cycles); i++) {
    struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
    struct spacetime_options own = *o; /* no attempt takes all the time from those after it */
    if (attempts[i].smoothness > 10 && !best)
      continue;
    own.max_seconds = trial.seconds + ATTEMPT_SHARE * (o->max_seconds - trial.seconds);
    struct clip *clip =
        try_frames(arena, r, n + attempts[i].cycles * cycle, attempts[i].smoothness, best, &own, &trial);
    double rough = clip ? solve_roughness(arena, r->c, clip) : (double)INFINITY;
    if (clip || !best)
      *report = trial, best = clip ? clip : best;
    report->solves = trial.solves, report->seconds = trial.seconds;
    if (rough == 0 || trial.status == SPACETIME_STOPPED || report->seconds > o->max_seconds ||
        (r->frames && rough > HOPELESS))
      break;
  }
  return best;
}

/* ---- in parts ---- */

#define LONGEST_WAY 3           /* cycles; what takes longer is quicker to find in two parts                     */
#define LONGEST_POLISHED 6      /* cycles; longer wholes converge too slowly                                     */
#define LEAST_TURN  0.5         /* that is divided [rad]                                                            */
#define WHOLE_SHARE 0.5         /* of the time, to find it in one piece                                         */

/* Half the turn, back to where one was in the cycle, then the rest: through whichever of the clips is a cycle. Into
 * another gait, all of the turn is made in the slower of the two. */
static int halves_of(const struct transition_request *r, struct transition_request half[2])
{
  int change = strcmp(r->from->gait_after, r->to->gait) != 0, cycles = r->from->cyclic && r->to->cyclic;
  int first = cycles && change ? r->from->speed < r->to->speed : r->from->cyclic;
  if (r->frames || r->task || fabs(r->turn) < LEAST_TURN || !(r->from->cyclic || r->to->cyclic))
    return 0;
  half[0] = half[1] = *r;
  half[0].turn = change && cycles ? first * r->turn : r->turn / 2;
  half[1].turn = r->turn - half[0].turn;
  half[0].to = half[1].from = first ? r->from : r->to;
  half[0].to_id = half[1].from_id = first ? r->from_id : r->to_id;
  half[0].to_frame = half[1].from_frame = first ? r->from_frame : r->to_frame;
  return 1;
}

static struct clip *find(struct arena *arena, const struct transition_request *r, const struct spacetime_options *o,
                         struct spacetime_report *report);

static struct clip *in_two(struct arena *arena, const struct transition_request *r,
                           const struct transition_request half[2], const struct spacetime_options *o,
                           struct spacetime_report *report)
{
  struct clip *part[2] = {NULL, NULL};
  double cost = 0;
  for (int i = 0; i < 2; i++) {
    part[i] = find(arena, &half[i], o, report);
    if (!part[i] || solve_roughness(arena, r->c, part[i]) > 0)
      return NULL;
    cost += report->cost * part[i]->n_frames;
  }
  struct clip *whole = transition_join(arena, r->c, part[0], part[1]);
  whole->name = way_name(arena, r);
  report->cost = cost / (part[0]->n_frames + part[1]->n_frames);
  report->joined = 1;
  return whole;
}

/* In one piece if it can be; else, or at once where it is long, in two parts, each of which may be of two again. */
static struct clip *find(struct arena *arena, const struct transition_request *r, const struct spacetime_options *o,
                         struct spacetime_report *report)
{
  struct transition_request half[2];
  struct spacetime_options own = *o;
  int cycle = 0, n = r->frames ? r->frames : frames_for(arena, r, &cycle), divisible = halves_of(r, half);
  struct clip *one = NULL;
  own.max_seconds = divisible ? report->seconds + WHOLE_SHARE * (o->max_seconds - report->seconds) : o->max_seconds;
  if (!divisible || n <= LONGEST_WAY * cycle)
    one = in_one(arena, r, n, cycle, &own, report);
  if (!divisible || (one && solve_roughness(arena, r->c, one) == 0) || report->status == SPACETIME_STOPPED)
    return one;
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  struct clip *two = in_two(arena, r, half, o, &trial);
  if (two || !(one || report->reason[0])) /* else the whole says why */
    *report = trial;
  report->solves = trial.solves, report->seconds = trial.seconds;
  return two ? two : one;
}

/* Parts, found one by one, straighten up between one and the next; as the start for the whole they are so good that it
 * can be solved, too. */
static struct clip *polish(struct arena *arena, const struct transition_request *r, struct clip *joined,
                           const struct spacetime_options *o, struct spacetime_report *report)
{
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  struct clip *whole = try_frames(arena, r, joined->n_frames, attempts[0].smoothness, joined, o, &trial);
  int better = whole && solve_roughness(arena, r->c, whole) == 0;
  if (better)
    *report = trial;
  report->solves = trial.solves, report->seconds = trial.seconds;
  return better ? whole : joined;
}

struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report)
{
  memset(report, 0, sizeof *report);
  struct clip *clip = request_is_sane(r, report) ? find(arena, r, o, report) : NULL;
  int cycle = 0;
  if (!clip || !report->joined)
    return clip;
  frames_for(arena, r, &cycle);
  return clip->n_frames <= LONGEST_POLISHED * cycle ? polish(arena, r, clip, o, report) : clip;
}

int spacetime_transition_frames(struct arena *arena, const struct transition_request *r)
{
  struct spacetime_report report;
  int cycle;
  return !request_is_sane(r, &report) ? 0 : r->frames ? r->frames : frames_for(arena, r, &cycle);
}

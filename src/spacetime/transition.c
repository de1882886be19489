/* Transitions: from two frames of one clip to two frames of another, turning on the way; in one piece or in parts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/transition_join.h"
#include "spacetime/transition_piece.h"
#include "spacetime/way.h"

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

/* A search, and the parts that it has found: a long turn asks for the same part again and again. */
struct part {
  struct transition_request r;
  struct clip *clip;
  double cost;
  int joined;
  struct part *next;
};
struct search {
  struct arena *arena;
  const struct spacetime_options *o;
  struct part *known;
};

static int is_good(const struct creature *c, const struct clip *clip)
{
  return clip && solve_roughness(c, clip) == 0;
}

/* ---- dividing ---- */

#define LONGEST_WAY 3           /* cycles; what takes longer is quicker to find in two parts                     */
#define LONGEST_POLISHED 6      /* cycles; longer wholes converge too slowly                                     */
#define LONGEST_CHANGE 2        /* likewise, into another gait, if there is one between                             */
#define LEAST_TURN  0.5         /* that is divided [rad]                                                            */
#define APART       1.2         /* speeds of gaits, at least, for one to lie between others                         */

static int changes_gait(const struct transition_request *r)
{
  return strcmp(r->from->gait_after, r->to->gait) != 0;
}

/* A way through a frame of a cycle, which may be one of the two clips. */
static void divide(const struct transition_request *r, const struct clip *at, int id, int frame, double first_turn,
                   struct transition_request half[2])
{
  half[0] = half[1] = *r;
  half[0].to = half[1].from = at;
  half[0].to_id = half[1].from_id = id;
  half[0].to_frame = half[1].from_frame = frame;
  half[0].turn = first_turn;
  half[1].turn = r->turn - first_turn;
}

/* Half the turn, back to where one was in the cycle, then the rest: through whichever of the clips is a cycle. Into
 * another gait, all of the turn is made in the slower of the two. */
static int divide_turn(const struct transition_request *r, struct transition_request half[2])
{
  int change = changes_gait(r), cycles = r->from->cyclic && r->to->cyclic;
  int first = cycles && change ? r->from->speed < r->to->speed : r->from->cyclic;
  if (r->frames || r->task || fabs(r->turn) < LEAST_TURN || !(r->from->cyclic || r->to->cyclic))
    return 0;
  divide(r, first ? r->from : r->to, first ? r->from_id : r->to_id, first ? r->from_frame : r->to_frame,
         change && cycles ? first * r->turn : r->turn / 2, half);
  return 1;
}

/* The gait whose speed lies between, as far from either as can be; -1 if there is none. */
static int gait_between(const struct transition_request *r)
{
  double slow = fmin(r->from->speed, r->to->speed), fast = fmax(r->from->speed, r->to->speed), farthest = APART;
  int best = -1;
  for (int g = 0; g < r->c->n_gaits; g++) {
    double speed = 0.5 * (r->c->gaits[g].speed_min + r->c->gaits[g].speed_max);
    double apart = fmin(speed / fmax(slow, 1e-3), fast / fmax(speed, 1e-3));
    if (apart > farthest)
      best = g, farthest = apart;
  }
  return best;
}

static int may_pass_through(const struct transition_request *r)
{
  return !r->frames && !r->task && changes_gait(r) && gait_between(r) >= 0;
}

/* Through a gait between the two, as animals do, the turn in the slower part. */
static int divide_change(struct search *s, const struct transition_request *r, struct transition_request half[2],
                         struct spacetime_report *report)
{
  struct spacetime_report solved;
  int g = gait_between(r);
  struct gait_request between = {
      .c = r->c, .gait = g, .speed = 0.5 * (r->c->gaits[g].speed_min + r->c->gaits[g].speed_max)};
  struct spacetime_options own = *s->o;
  own.max_seconds -= report->seconds;
  struct clip *at = spacetime_gait(s->arena, &between, &own, &solved);
  report->solves += solved.solves, report->seconds += solved.seconds;
  if (!is_good(r->c, at))
    return 0;
  divide(r, at, 0, 0, r->from->speed < r->to->speed ? r->turn : 0, half);
  return 1;
}

/* ---- finding ---- */

static struct clip *find(struct search *s, const struct transition_request *r, struct spacetime_report *report);

static struct part *recall(const struct search *s, const struct transition_request *r)
{
  struct part *p = s->known;
  while (p && !(p->r.from == r->from && p->r.to == r->to && p->r.from_frame == r->from_frame &&
                p->r.to_frame == r->to_frame && fabs(p->r.turn - r->turn) < 1e-12))
    p = p->next;
  return p;
}

/* A part that is good enough to be joined to others, found now or before; NULL if there is none. */
static struct part *find_part(struct search *s, const struct transition_request *r, struct spacetime_report *report)
{
  struct part *p = recall(s, r);
  if (p)
    return p;
  struct clip *clip = find(s, r, report);
  if (!is_good(r->c, clip))
    return NULL;
  p = ARENA_NEW(s->arena, 1, struct part);
  *p = (struct part){*r, clip, report->cost, report->joined, s->known};
  return s->known = p;
}

static struct clip *in_two(struct search *s, const struct transition_request *r,
                           const struct transition_request half[2], struct spacetime_report *report)
{
  int joined = half[0].to == r->from || half[0].to == r->to ? 1 : 2;
  struct part *a = find_part(s, &half[0], report), *b = a ? find_part(s, &half[1], report) : NULL;
  if (!b)
    return NULL;
  struct clip *whole = transition_join(s->arena, r->c, a->clip, b->clip);
  whole->name = way_name(s->arena, r);
  report->status = SPACETIME_SOLVED;
  report->cost = (a->cost * a->clip->n_frames + b->cost * b->clip->n_frames) / (a->clip->n_frames + b->clip->n_frames);
  report->joined = a->joined > 1 || b->joined > 1 ? 2 : joined;
  return whole;
}

/* Another try, whose words count if it found something, or if nothing was said before. */
static struct clip *better_of(struct clip *old, struct clip *new, const struct spacetime_report *trial,
                              struct spacetime_report *report)
{
  int take = new || (!old && !report->reason[0]), solves = trial->solves;
  double seconds = trial->seconds;
  if (take)
    *report = *trial;
  report->solves = solves, report->seconds = seconds;
  return take ? new : old;
}

static int is_over(const struct search *s, const struct transition_request *r, const struct clip *best,
                   const struct spacetime_report *report)
{
  return is_good(r->c, best) || report->status == SPACETIME_STOPPED || report->seconds > s->o->max_seconds;
}

/* In one piece if it can be; else, or at once where it is long, in two parts, each of which may be of two again; then in
 * one piece that takes longer. */
static struct clip *find(struct search *s, const struct transition_request *r, struct spacetime_report *report)
{
  struct piece p = piece_plan(s->arena, r);
  struct transition_request half[2];
  int turns = divide_turn(r, half), passes = may_pass_through(r);
  if (!turns && !passes)
    return piece_find(s->arena, &p, PIECE_ANY, s->o, report);
  struct clip *best = NULL, *other = NULL;
  int is_long = p.n_frames > (passes ? LONGEST_CHANGE : LONGEST_WAY) * p.cycle;
  if (!is_long)
    best = piece_find(s->arena, &p, PIECE_SHORTEST, s->o, report);
  if (is_over(s, r, best, report))
    return best;
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  if (turns || divide_change(s, r, half, &trial))
    other = in_two(s, r, half, &trial);
  best = better_of(best, other, &trial, report);
  if (is_over(s, r, best, report) || trial.status == SPACETIME_STOPPED)
    return best;
  trial = (struct spacetime_report){.solves = report->solves, .seconds = report->seconds};
  other = piece_find(s->arena, &p, is_long ? PIECE_ANY : PIECE_LONGER, s->o, &trial);
  return better_of(best, other, &trial, report);
}

/* Parts, found one by one, straighten up between one and the next; as the start for the whole they are so good that it
 * can be solved, too. */
static struct clip *polish(struct search *s, const struct transition_request *r, struct clip *joined,
                           struct spacetime_report *report)
{
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  struct clip *whole = piece_polish(s->arena, r, joined, s->o, &trial);
  int better = is_good(r->c, whole);
  if (better)
    *report = trial;
  report->solves = trial.solves, report->seconds = trial.seconds;
  return better ? whole : joined;
}

struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report)
{
  struct search s = {arena, o, NULL};
  memset(report, 0, sizeof *report);
  struct clip *clip = request_is_sane(r, report) ? find(&s, r, report) : NULL;
  if (!clip || report->joined != 1) /* a whole through a third gait has no schedule of its own */
    return clip;
  return clip->n_frames <= LONGEST_POLISHED * piece_plan(arena, r).cycle ? polish(&s, r, clip, report) : clip;
}

int spacetime_transition_frames(struct arena *arena, const struct transition_request *r)
{
  struct spacetime_report report;
  return request_is_sane(r, &report) ? piece_plan(arena, r).n_frames : 0;
}

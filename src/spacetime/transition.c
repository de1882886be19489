/* Transitions: from two frames of one clip to two frames of another, turning on the way; in one piece or in parts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spacetime/leap.h"
#include "spacetime/transition_join.h"
#include "spacetime/transition_piece.h"
#include "spacetime/transition_problem.h"

static int transition_has_pair(const struct clip *clip, int k)
{
  return clip->cyclic || (k >= 0 && k + 1 < clip->n_frames);
}

static int transition_request_is_sane(const struct transition_request *r, struct spacetime_report *report)
{
  if (!transition_has_pair(r->from, r->from_frame) || !transition_has_pair(r->to, r->to_frame))
    return solve_refuse(report, "that frame and the one after it are not in the clip");
  if (fabs(r->from->dt - r->to->dt) > 1e-9 * r->from->dt)
    return solve_refuse(
        report, "the clips have different frame rates; solve both without --frames, or with frames that give the same");
  if (!surface_is_level(&r->from->ground) || !surface_is_level(&r->to->ground))
    return solve_refuse(report, "transitions are for clips on level ground");
  if (!leap_is_none(&r->leap) && !leap_is_possible(r->c, r->from->gait_after, r->to->gait))
    return solve_refuse(report, "a leap goes from a stand to a stand");
  if (!leap_is_none(&r->leap) && !(r->leap.rise >= 0 && r->leap.forward >= 0))
    return solve_refuse(report, "a leap goes up and forwards");
  if (!isfinite(r->turn) || fabs(r->turn) > 6.3)
    return solve_refuse(report, "a turn must lie between -360 and 360 degrees");
  if (r->frames && (r->frames < 8 || r->frames > 2000))
    return solve_refuse(report, "a transition takes 8 to 2000 frames");
  if (r->near && (r->near->cyclic || r->near->n_dofs != r->c->n_dofs || r->near->n_points != r->c->n_points))
    return solve_refuse(report, "the clip to start from is no transition of such a creature");
  return 1;
}

/* A search, and the parts that it has found: a long turn asks for the same part again and again. */
struct transition_part {
  struct transition_request r;
  struct clip *clip;
  double cost;
  int joined;
  struct transition_part *next;
};
struct transition_search {
  struct arena *arena;
  const struct spacetime_options *o;
  struct transition_part *known;
};

static int transition_is_good(const struct transition_request *r, const struct clip *clip)
{
  return clip && piece_roughness(r, clip) == 0;
}

/* ---- dividing ---- */

static int transition_changes_gait(const struct transition_request *r)
{
  return strcmp(r->from->gait_after, r->to->gait) != 0;
}

/* Two parts that meet at a frame of a cycle, which may be one of the two clips. */
static void transition_divide(const struct transition_request *r, const struct clip *at, int id, int frame,
                              double first_turn, struct transition_request half[2])
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
static int transition_divide_turn(const struct transition_request *r, const struct spacetime_options *o,
                                  struct transition_request half[2])
{
  int change = transition_changes_gait(r), cycles = r->from->cyclic && r->to->cyclic;
  int first = cycles && change ? r->from->speed < r->to->speed : r->from->cyclic;
  if (r->frames || r->task || !leap_is_none(&r->leap) || fabs(r->turn) < o->least_turn_divided ||
      !(r->from->cyclic || r->to->cyclic))
    return 0;
  transition_divide(r, first ? r->from : r->to, first ? r->from_id : r->to_id, first ? r->from_frame : r->to_frame,
                    change && cycles ? first * r->turn : r->turn / 2, half);
  return 1;
}

/* The gait whose speed lies between, as far from either as can be; -1 if there is none. */
static int transition_gait_between(const struct transition_request *r, const struct spacetime_options *o)
{
  double slow = fmin(r->from->speed, r->to->speed), fast = fmax(r->from->speed, r->to->speed);
  double farthest = o->gaits_apart;
  int best = -1;
  for (int g = 0; g < r->c->n_gaits; g++) {
    double speed = 0.5 * (r->c->gaits[g].speed_min + r->c->gaits[g].speed_max);
    double apart = fmin(speed / fmax(slow, 1e-3), fast / fmax(speed, 1e-3));
    if (apart > farthest)
      best = g, farthest = apart;
  }
  return best;
}

/* Through a gait between the two, as animals do, the turn in the slower part. */
static int transition_divide_change(struct transition_search *s, const struct transition_request *r, int g,
                                    struct transition_request half[2], struct spacetime_report *report)
{
  struct spacetime_report solved;
  struct gait_request between = {
      .c = r->c, .gait = g, .speed = 0.5 * (r->c->gaits[g].speed_min + r->c->gaits[g].speed_max)};
  struct spacetime_options own = *s->o;
  own.max_seconds -= report->seconds;
  struct clip *at = spacetime_gait(s->arena, &between, &own, &solved);
  report->solves += solved.solves, report->seconds += solved.seconds;
  if (!at || solve_roughness(r->c, at, NULL) > 0)
    return 0;
  transition_divide(r, at, 0, 0, r->from->speed < r->to->speed ? r->turn : 0, half);
  return 1;
}

/* ---- finding ---- */

static struct clip *transition_find(struct transition_search *s, const struct transition_request *r,
                                    struct spacetime_report *report);

static struct transition_part *transition_recall(const struct transition_search *s, const struct transition_request *r)
{
  struct transition_part *p = s->known;
  while (p && !(p->r.from == r->from && p->r.to == r->to && p->r.from_frame == r->from_frame &&
                p->r.to_frame == r->to_frame && fabs(p->r.turn - r->turn) < 1e-12))
    p = p->next;
  return p;
}

/* A part that is good enough to be joined to others, found now or before; NULL if there is none. */
static struct transition_part *transition_find_part(struct transition_search *s, const struct transition_request *r,
                                                    struct spacetime_report *report)
{
  struct transition_part *p = transition_recall(s, r);
  if (p)
    return p;
  struct clip *clip = transition_find(s, r, report);
  if (!transition_is_good(r, clip))
    return NULL;
  p = ARENA_NEW(s->arena, 1, struct transition_part);
  *p = (struct transition_part){*r, clip, report->cost, report->joined, s->known};
  return s->known = p;
}

static struct clip *transition_find_in_two(struct transition_search *s, const struct transition_request *r,
                                           const struct transition_request half[2], struct spacetime_report *report)
{
  int joined = half[0].to == r->from || half[0].to == r->to ? 1 : 2;
  struct transition_part *a = transition_find_part(s, &half[0], report);
  struct transition_part *b = a ? transition_find_part(s, &half[1], report) : NULL;
  if (!b)
    return NULL;
  struct clip *whole = transition_join(s->arena, r->c, a->clip, b->clip);
  whole->name = transition_name(s->arena, r);
  report->status = SPACETIME_SOLVED;
  report->cost = (a->cost * a->clip->n_frames + b->cost * b->clip->n_frames) / (a->clip->n_frames + b->clip->n_frames);
  report->joined = a->joined > 1 || b->joined > 1 ? 2 : joined;
  return whole;
}

/* Another attempt, whose report counts if it found something, or if there was no reason before. */
static struct clip *transition_better_of(struct clip *old, struct clip *new, const struct spacetime_report *trial,
                                         struct spacetime_report *report)
{
  int take = new || (!old && !report->reason[0]), solves = trial->solves;
  double seconds = trial->seconds;
  if (take)
    *report = *trial;
  report->solves = solves, report->seconds = seconds;
  return take ? new : old;
}

static int transition_is_over(const struct transition_search *s, const struct transition_request *r,
                              const struct clip *best, const struct spacetime_report *report)
{
  return transition_is_good(r, best) || report->status == SPACETIME_STOPPED || report->seconds > s->o->max_seconds;
}

/* In one piece if it can be; else, or at once where it is long, in two parts, each of which may be of two again; then
 * in one piece that takes longer. */
static struct clip *transition_find(struct transition_search *s, const struct transition_request *r,
                                    struct spacetime_report *report)
{
  const struct spacetime_options *o = s->o;
  struct piece p = piece_plan(s->arena, r, o);
  struct transition_request half[2];
  int turns = transition_divide_turn(r, o, half);
  int between = r->frames || r->task || !transition_changes_gait(r) ? -1 : transition_gait_between(r, o);
  if ((!turns && between < 0) || o->one_attempt)
    return piece_find(s->arena, &p, PIECE_ANY, o, report);
  struct clip *best = NULL, *other = NULL;
  double size = p.n_frames * (double)r->c->n_dofs * r->c->n_dofs; /* as the time of an iteration */
  int is_long = schedule_is_on_spot(r->c, r->from->gait_after, r->to->gait, r->turn)
                    ? size > o->largest_on_spot
                    : p.n_frames > (between >= 0 ? o->longest_change : o->longest_piece) * p.cycle;
  if (!is_long)
    best = piece_find(s->arena, &p, PIECE_SHORTEST, o, report);
  if (transition_is_over(s, r, best, report))
    return best;
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  if (turns || transition_divide_change(s, r, between, half, &trial))
    other = transition_find_in_two(s, r, half, &trial);
  best = transition_better_of(best, other, &trial, report);
  if (transition_is_over(s, r, best, report) || trial.status == SPACETIME_STOPPED)
    return best;
  trial = (struct spacetime_report){.solves = report->solves, .seconds = report->seconds};
  other = piece_find(s->arena, &p, is_long ? PIECE_ANY : PIECE_LONGER, o, &trial);
  return transition_better_of(best, other, &trial, report);
}

struct clip *spacetime_transition(struct arena *arena, const struct transition_request *r,
                                  const struct spacetime_options *o, struct spacetime_report *report)
{
  struct transition_search s = {arena, o, NULL};
  memset(report, 0, sizeof *report);
  int sane = transition_request_is_sane(r, report);
  if (sane && r->near && (!r->frames || r->frames == r->near->n_frames)) {
    struct clip *near = piece_find_near(arena, r, o, report);
    if (near || report->status == SPACETIME_STOPPED)
      return near;
    *report = (struct spacetime_report){.solves = report->solves, .seconds = report->seconds};
  }
  struct clip *clip = sane ? transition_find(&s, r, report) : NULL;
  /* Parts, found one by one, straighten up between one and the next; as the start for the whole they are so good that
   * it can be solved, too. Through a third gait, the whole has no schedule of its own. */
  if (!clip || report->joined != 1 || clip->n_frames > o->longest_polished * piece_plan(arena, r, o).cycle)
    return clip;
  struct spacetime_report trial = {.solves = report->solves, .seconds = report->seconds};
  struct clip *whole = piece_polish(arena, r, clip, o, &trial);
  int better = transition_is_good(r, whole);
  if (better)
    *report = trial;
  report->solves = trial.solves, report->seconds = trial.seconds;
  return better ? whole : clip;
}

double spacetime_transition_strain(const struct transition_request *r, const struct spacetime_options *o)
{
  struct arena *scratch = arena_new();
  struct spacetime_report report;
  double strain = transition_request_is_sane(r, &report)
                      ? transition_strain(scratch, r, piece_plan(scratch, r, o).n_frames, o)
                      : (double)INFINITY;
  arena_free(scratch);
  return strain;
}

int spacetime_transition_frames(struct arena *arena, const struct transition_request *r)
{
  struct spacetime_report report;
  struct spacetime_options o;
  spacetime_defaults(&o);
  return transition_request_is_sane(r, &report) ? piece_plan(arena, r, &o).n_frames : 0;
}

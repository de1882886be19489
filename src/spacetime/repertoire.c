/* The repertoire: see repertoire.h. */
#include "spacetime/repertoire.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle.h"
#include "creature/style.h"
#include "dynamics/dynamics.h"
#include "spacetime/joints.h"
#include "spacetime/transition_piece.h"
#include "spacetime/transition_problem.h"
#include "spacetime/unhurried.h"

/* Of an idle motion: as long as this many sqrt(leg / g), a person's 3 s, and a second at least. */
#define IDLE_TIME   10.0
#define IDLE_LEAST  1.0

/* How far it looks to either side, at most, and how far the weight goes from the middle, of the sideways distance of
 * feet [rad], []. */
#define GAZE        (40 * PI / 180)
#define SHIFT       0.2

/* Leg lengths: how high it jumps in place (people: 0.3 to 0.4 m, from memory), and how far it leaps. */
#define JUMP         0.3
#define LONGEST_LEAP 2

#define PHASES      16          /* of a cycle that is to be left or entered, that are compared             */
#define PHASES_TRIED 2          /* of which so many are solved, at most, until one passes                  */
#define PHASES_APART 3          /* and these are not neighbours                                            */
#define SAME_PRICE  1e-3        /* of what is a mirror image                                               */

/* And in so many cycles more than a transition takes at least; one more must save so much strain. */
#define LENGTHS        4
#define PRICE_OF_CYCLE 0.2
static const double lengths[LENGTHS] = {0, 0.5, 1, 2};

#define MOST_PLACES (LENGTHS * PHASES_TRIED)

/* ---- idle motions ---- */

/* Two poses of some joints, a third and two thirds of the way: the second is the other side of the first. */
static void repertoire_add_key(struct style_key *keys, int *n, const char *pose, int dof, double rest, double by,
                               double weight)
{
  keys[(*n)++] = (struct style_key){pose, dof, rest + by, 0.32, 0.22, weight};
  keys[(*n)++] = (struct style_key){pose, dof, rest - by, 0.68, 0.22, weight};
}

/* 0 if the creature cannot turn its head. */
static int repertoire_look_around(struct arena *arena, const struct creature *c, struct repertoire_motion *m)
{
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), most;
  struct style_key *keys = ARENA_NEW(arena, 2 * (size_t)c->n_dofs, struct style_key);
  creature_rest_pose(c, rest);
  const double *share = joints_gaze(arena, c, rest, &most);
  int n = 0;
  for (int i = CREATURE_ROOT_DOFS; i < c->n_dofs && most > 0; i++)
    if (share[i] != 0)
      repertoire_add_key(keys, &n, "look", i, rest[i], fmin(most, GAZE) * share[i], 1);
  m->keys = keys;
  m->n_keys = n;
  return n > 0;
}

/* The root goes to one side and to the other. */
static int repertoire_shift_weight(struct arena *arena, const struct creature *c, struct repertoire_motion *m)
{
  struct dynamics *d = dynamics_new(arena, c);
  double *rest = ARENA_NEW(arena, (size_t)c->n_dofs, double), left = 0, at[3];
  struct style_key *keys = ARENA_NEW(arena, 2, struct style_key);
  creature_rest_pose(c, rest);
  dynamics_kinematics(d, rest);
  for (int p = 0; p < c->n_points; p++) {
    dynamics_point(d, c->points[p].body, c->points[p].at, at);
    left = fmax(left, fabs(at[1]));
  }
  repertoire_add_key(keys, &m->n_keys, "shift", 1, 0, 2 * SHIFT * left, 20);
  m->keys = keys;
  return left > 0;
}

/* ---- the list ---- */

static struct repertoire_motion *repertoire_add(struct repertoire *r)
{
  return &r->motions[r->n++];
}

static int repertoire_add_cycle(struct repertoire *r, int gait)
{
  const struct gait *g = &r->c->gaits[gait];
  *repertoire_add(r) = (struct repertoire_motion){.name = g->name, .cyclic = 1, .gait = gait,
                                                  .speed = 0.5 * (g->speed_min + g->speed_max), .strafe = g->strafe};
  return r->n - 1;
}

static void repertoire_add_ends(struct arena *arena, struct repertoire *r, int stand, int cycle)
{
  for (int out = 0; out < 2; out++) {
    int from = out ? cycle : stand, to = out ? stand : cycle;
    *repertoire_add(r) = (struct repertoire_motion){
        .name = arena_printf(arena, "%s-%s", r->motions[from].name, r->motions[to].name), .from = from, .to = to};
  }
}

static int repertoire_slowest_gait(const struct creature *c)
{
  int slowest = -1;
  for (int g = 0; g < c->n_gaits; g++)
    if (c->gaits[g].speed_max > 0 && (slowest < 0 || c->gaits[g].speed_min < c->gaits[slowest].speed_min))
      slowest = g;
  return slowest;
}

/* Jumping in place, and forward by one and two leg lengths. */
static void repertoire_add_leaps(struct arena *arena, struct repertoire *r, int stand)
{
  *repertoire_add(r) = (struct repertoire_motion){.name = "stand-jump", .from = stand, .to = stand, .leap.rise = JUMP};
  for (int length = 1; length <= LONGEST_LEAP; length++)
    *repertoire_add(r) = (struct repertoire_motion){.name = arena_printf(arena, "stand-leap-%d", length),
                                                    .from = stand, .to = stand, .leap.forward = length};
}

struct repertoire repertoire_plan(struct arena *arena, const struct creature *c, const struct repertoire_options *o)
{
  static const char *const small[] = {"back", "side", NULL};
  int stand_gait = creature_find_gait(c, CREATURE_STAND), slowest = repertoire_slowest_gait(c);
  int n_gaits = o->gaits ? o->n_gaits : slowest >= 0;
  const int *gaits = o->gaits ? o->gaits : &slowest;
  struct repertoire r = {.c = c};
  if (stand_gait < 0)
    return r;
  r.motions = ARENA_NEW(arena, 16 + 3 * (size_t)n_gaits + 2 * (size_t)o->n_turns, struct repertoire_motion);
  int stand = repertoire_add_cycle(&r, stand_gait);
  for (int i = 0; i < n_gaits; i++)
    repertoire_add_ends(arena, &r, stand, repertoire_add_cycle(&r, gaits[i]));
  int sides = creature_is_symmetric(c, NULL) ? 1 : 2; /* the mirror image of a turn is a turn */
  for (int i = 0; i < o->n_turns; i++)
    for (int side = 0; side < sides; side++)
      *repertoire_add(&r) = (struct repertoire_motion){
          .name = arena_printf(arena, "stand-turn%s-%.0f", side ? "-right" : "", o->turns[i] * TO_DEGREES),
          .from = stand, .to = stand, .turn = side ? -o->turns[i] : o->turns[i]};
  for (int i = 0; small[i]; i++) {
    int gait = creature_find_gait(c, small[i]);
    if (gait >= 0)
      repertoire_add_ends(arena, &r, stand, repertoire_add_cycle(&r, gait));
  }
  for (int idle = 0; idle < 2; idle++) {
    struct repertoire_motion m = {.name = idle ? "stand-look" : "stand-shift", .from = stand, .to = stand};
    double leg = c->feet[0].leg_length;
    m.seconds = fmax(IDLE_LEAST, IDLE_TIME * sqrt(leg / CREATURE_GRAVITY));
    if (idle ? repertoire_look_around(arena, c, &m) : repertoire_shift_weight(arena, c, &m))
      *repertoire_add(&r) = m;
  }
  repertoire_add_leaps(arena, &r, stand);
  return r;
}

/* ---- where a cycle is left or entered, and in how many frames ---- */

struct repertoire_place {
  int phase;                    /* frame of the cycle                                          */
  int frames;                   /* of the transition; 0: as few as it is planned to have       */
  double price;                 /* its strain (footholds.h), and what the longer time costs    */
};

static double repertoire_price(const struct transition_request *r, double longer, const struct spacetime_options *o,
                               int *frames)
{
  struct arena *work = arena_new();
  struct piece p = piece_plan(work, r, o);
  int n = p.n_frames + (int)lround(longer * p.cycle);
  double strain = transition_strain(work, r, n, o);
  arena_free(work);
  *frames = longer > 0 ? n : 0;
  return strain + PRICE_OF_CYCLE * longer;
}

static int repertoire_compare_places(const void *a, const void *b)
{
  const struct repertoire_place *x = a, *y = b;
  return x->price != y->price ? (x->price > y->price) - (x->price < y->price) : x->phase - y->phase;
}

/* The best first: where feet need not reach far for it. Of phases that are as good one is taken, as the other half of a
 * cycle is often the mirror image of the first. Returns how many. */
static int repertoire_places(const struct transition_request *between, int cycle_is_first,
                             const struct spacetime_options *o, struct repertoire_place out[MOST_PLACES])
{
  const struct clip *cycle = cycle_is_first ? between->from : between->to;
  int n = 0;
  for (int l = 0; l < LENGTHS; l++) {
    struct repertoire_place all[PHASES];
    int taken = 0;
    for (int i = 0; i < PHASES; i++) {
      struct transition_request r = *between;
      all[i].phase = i * cycle->n_frames / PHASES;
      *(cycle_is_first ? &r.from_frame : &r.to_frame) = all[i].phase;
      all[i].price = repertoire_price(&r, lengths[l], o, &all[i].frames);
    }
    qsort(all, PHASES, sizeof *all, repertoire_compare_places);
    for (int i = 0; i < PHASES && taken < PHASES_TRIED; i++) {
      int near = 0;
      for (int k = n - taken; k < n; k++) {
        int apart = abs(all[i].phase - out[k].phase);
        apart = apart < cycle->n_frames - apart ? apart : cycle->n_frames - apart;
        near |= apart * PHASES < PHASES_APART * cycle->n_frames || fabs(all[i].price - out[k].price) < SAME_PRICE;
      }
      if (!near)
        out[n++] = all[i], taken++;
    }
  }
  qsort(out, (size_t)n, sizeof *out, repertoire_compare_places);
  return n;
}

/* ---- solving ---- */

static int repertoire_accepts(void *user, struct clip *clip, struct spacetime_report *report)
{
  (void)user;
  return clip && report->status == SPACETIME_SOLVED;
}

static void repertoire_verify(struct arena *arena, const struct repertoire *r, struct repertoire_motion *m)
{
  struct verify_neighbours beside = {0};
  if (!m->clip) {
    snprintf(m->reason, sizeof m->reason, "%s", m->report->reason);
    return;
  }
  if (!m->cyclic)
    beside = (struct verify_neighbours){r->motions[m->from].clip, r->motions[m->to].clip, m->from_frame, m->to_frame};
  verify_transition(arena, r->c, m->clip, &beside, &m->verified);
  m->passed = m->verified.passed;
  for (int i = 0; i < N_VERIFY_MEASURES && !m->reason[0]; i++)
    if (!m->verified.lines[i].passed)
      snprintf(m->reason, sizeof m->reason, "%s is %.2g, the bar is %.2g", m->verified.lines[i].what,
               m->verified.lines[i].value, m->verified.lines[i].bar);
}

static void repertoire_solve_cycle(struct arena *arena, const struct repertoire *r, struct repertoire_motion *m,
                                   const struct spacetime_options *o)
{
  struct gait_request request = {.c = r->c, .gait = m->gait, .speed = m->speed, .strafe = m->strafe};
  m->clip = spacetime_gait(arena, &request, o, m->report);
  repertoire_verify(arena, r, m);
}

/* Between these frames, with all that may help: smoother, in parts, with more time until an animal would choose it. Or
 * in one attempt. */
static void repertoire_try(struct arena *arena, const struct repertoire *r, struct repertoire_motion *m,
                           struct repertoire_place at, int one_attempt, const struct spacetime_options *o)
{
  const struct repertoire_motion *a = &r->motions[m->from], *b = &r->motions[m->to];
  const struct unhurried_check check = {repertoire_accepts, NULL};
  struct spacetime_options own = *o;
  m->from_frame = m->from == 0 ? 0 : at.phase; /* motion 0 is the stand */
  m->to_frame = m->to == 0 ? 0 : at.phase;
  struct transition_request request = {.c = r->c, .from = a->clip, .to = b->clip, .from_frame = m->from_frame,
                                       .to_frame = m->to_frame, .from_id = a->id, .to_id = b->id, .turn = m->turn,
                                       .leap = m->leap, .n_keys = m->n_keys, .keys = m->keys,
                                       .frames = one_attempt ? at.frames : 0};
  if (m->seconds > 0)
    request.frames = (int)lround(m->seconds / a->clip->dt);
  own.one_attempt = one_attempt;
  if (one_attempt && o->early_iterations < o->max_iterations)
    own.max_iterations = o->early_iterations;
  m->report = ARENA_NEW(arena, 1, struct spacetime_report);
  m->judged = (struct natural_report){.passed = 1};
  m->clip = unhurried_transition(arena, &request, one_attempt || m->n_keys ? 0 : UNHURRIED_CYCLES, &own, &check,
                                 m->report, &m->judged);
  if (m->clip)
    m->clip->name = m->name;
  repertoire_verify(arena, r, m);
}

/* The one that passes; of two that do, the more natural; of two that do not, the first. */
static int repertoire_is_better(const struct repertoire_motion *a, const struct repertoire_motion *than)
{
  return !than->report || a->passed > than->passed ||
         (a->passed && than->passed && a->judged.excess < than->judged.excess);
}

int repertoire_solve(struct arena *arena, struct repertoire *r, int i, const struct spacetime_options *o)
{
  struct repertoire_motion *m = &r->motions[i], best = *m;
  const struct clip *a = r->motions[m->from].clip, *b = r->motions[m->to].clip;
  struct repertoire_place places[MOST_PLACES] = {{0}};
  int n = 1, one_attempt = !m->cyclic && m->from != m->to, stopped = 0;
  double seconds = 0;
  if (m->cyclic) {
    m->report = ARENA_NEW(arena, 1, struct spacetime_report);
    repertoire_solve_cycle(arena, r, m, o);
    return m->passed;
  }
  if (!a || !b || !r->motions[m->from].passed || !r->motions[m->to].passed) {
    snprintf(m->reason, sizeof m->reason, "there is no %s",
             r->motions[r->motions[m->from].passed ? m->to : m->from].name);
    m->report = ARENA_NEW(arena, 1, struct spacetime_report);
    m->report->status = SPACETIME_REFUSED;
    return 0;
  }
  if (one_attempt)
    n = repertoire_places(&(struct transition_request){.c = r->c, .from = a, .to = b}, m->from != 0, o, places);
  for (; one_attempt >= 0 && !best.passed && !stopped; one_attempt--)
    for (int k = 0; k < n && !(best.passed && best.judged.passed) && !stopped; k++) {
      struct repertoire_motion trial = *m;
      struct spacetime_options left = *o;
      left.max_seconds -= seconds;
      if (best.report && left.max_seconds <= 0)
        break;
      repertoire_try(arena, r, &trial, places[k], one_attempt, &left);
      seconds += trial.report->seconds;
      stopped = trial.report->status == SPACETIME_STOPPED;
      if (repertoire_is_better(&trial, &best))
        best = trial;
    }
  best.report->seconds = seconds;
  *m = best;
  return m->passed;
}

/* Torques that do not jump: |tau_i of k + 1 - tau_i of k| <= share x peak_i (doc/spacetime.md, "Torques that jump").
 *
 * Without these rows the cheapest motion has a step in its torques wherever a foot comes down or leaves, for a foot
 * that is about to stand may be slowed down by one set of forces and held by another. Muscles cannot: it takes them
 * some 50 ms to be activated.
 *
 * Elsewhere torques are smooth by themselves, and a row is long: it couples four frames. So an axis gets rows at the
 * frames where a solution without them jumps, and at some frames around, or the jump would only move there. The peak is
 * that of the solution looked at; as a spike goes, its axis' peak becomes less, and the next look lowers the bound.
 *
 * It was a cost before: a price of squared changes. That took a fifth off the jumps in twice the time. */
#include "spacetime/torque_change.h"

#include <math.h>
#include <string.h>

#include "base/angle.h"
#include "spacetime/formulation.h"

#define CHANGE_SMALL  0.02      /* of the strongest axis' peak: an axis whose peak is below does not count         */
#define CHANGE_LEEWAY 1.25      /* times the share, before rows are added or bounds lowered: peaks are not known yet  */
#define CHANGE_MARGIN 0.95      /* of the share, as a bound: a peak becomes less with its jump                     */
#define CHANGE_REACH  0.15      /* rows so far around a jump, in sqrt(L / g): five frames of most creatures        */
#define CHANGE_GRADE  0.15      /* of the largest change there was: a bound is not less, for one that is far from a
                                   motion often leads to none                                                      */
#define CHANGE_SINE   1.05      /* times what half a sine over the shortest contact changes by: the share at first */
#define CHANGE_TIGHT  0.6       /* of that share, if that is what is asked for, once it is nearly kept: less costs a
                                   human's run 11 % more, a triped's gallop 19 %                                   */
#define CHANGE_NEARLY 1.5       /* times the share                                                                */

struct change_choice {
  double share;                 /* of an axis' peak, now                                        */
  double *most;                 /* change of an axis                                  (n_dofs)  */
  unsigned char *has_row;       /*                                         (n_frames x n_dofs)  */
  struct change_choice *looser; /* before the share became less, NULL: it did not               */
  int is_least;                 /* the share: a lesser one could not be kept                    */
};

/* Are there torques at frame k and the one after it? */
static int change_is_one(const struct problem *p, int k)
{
  return problem_has_dynamics(p, k) && (p->in.cyclic || problem_has_dynamics(p, k + 1));
}

/* Where torque i of frame k is, one cycle before or after at most: in half a cycle perhaps that of the mirror image. */
struct change_place { int frame, dof; double sign; };
static struct change_place change_place(const struct problem *p, int k, int i)
{
  int n = p->in.n_frames, frame = (k % n + n) % n;
  if (frame == k || !p->in.mirrored)
    return (struct change_place){frame, i, 1};
  return (struct change_place){frame, p->in.c->dofs[i].mirror, p->in.c->dofs[i].mirror_sign};
}

static double change_of(const struct problem *p, int k, int i)
{
  struct change_place next = change_place(p, k + 1, i);
  return next.sign * problem_torque(p, next.frame, next.dof) - problem_torque(p, k, i);
}

/* ---- rows ---- */

static void change_rows(struct row_list *l, int k)
{
  const struct problem *p = l->p;
  const struct change_choice *c = l->chosen;
  for (int i = CREATURE_ROOT_DOFS; i < p->n && change_is_one(p, k); i++)
    if (p->in.every_row || (c && c->has_row[k * p->n + i])) {
      double most = p->in.every_row ? 0.1 : c->most[i];
      row_list_add(l, (struct row){.frame = k, .index = i}, -most, most);
    }
}

static double change_value(const struct problem *p, const struct row *r)
{
  return change_of(p, r->frame, r->index);
}

/* Passes on entries times a sign. */
struct change_visitor {
  visit_entry visit;
  void *to;
  double sign;
};

static void change_visit(void *to, int row, int var, double value)
{
  struct change_visitor *v = to;
  v->visit(v->to, row, var, v->sign * value);
}

static void change_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  struct change_place next = change_place(p, r->frame + 1, r->index);
  struct change_visitor v = {visit, to, -1};
  problem_visit_torque(p, r->frame, r->index, row, change_visit, &v);
  v.sign = next.sign;
  problem_visit_torque(p, next.frame, next.dof, row, change_visit, &v);
}

static void change_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  struct change_place next = change_place(p, r->frame + 1, r->index);
  problem_pull_torque(p, r->frame, r->index, -multiplier);
  problem_pull_torque(p, next.frame, next.dof, next.sign * multiplier);
}

static void change_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "a torque that does not jump";
  out->subject = p->in.c->dofs[r->index].name;
  out->unit = "m g L";
  out->advice = "lower the speed, or allow larger changes of torques";
}

/* ---- which rows ---- */

/* The axis of the other side, whose rows have the same bound: in half a cycle each is the other's second half. */
static int change_twin(const struct problem *p, int i) { return p->in.mirrored ? p->in.c->dofs[i].mirror : i; }

struct change_axes {            /* of the point that was evaluated last                      (n_dofs each) */
  double *peak;                 /* largest torque                                                           */
  double *mean;                 /* largest mean of two frames: near the peak that a spike leaves            */
  double *change;               /* largest change                                                           */
  double strongest;             /* peak of all                                                              */
};

static struct change_axes change_measure(struct arena *arena, const struct problem *p)
{
  size_t n = (size_t)p->n;
  struct change_axes a = {ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double), ARENA_NEW(arena, n, double), 0};
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    int to[2] = {i, change_twin(p, i)};
    for (int k = 0; k < p->in.n_frames; k++)
      for (int side = 0; side < 2 && problem_has_dynamics(p, k); side++) {
        double torque = problem_torque(p, k, i), change = change_is_one(p, k) ? change_of(p, k, i) : 0;
        a.peak[to[side]] = fmax(a.peak[to[side]], fabs(torque));
        a.mean[to[side]] = fmax(a.mean[to[side]], fabs(torque + 0.5 * change));
        a.change[to[side]] = fmax(a.change[to[side]], fabs(change));
      }
    a.strongest = fmax(a.strongest, a.peak[i]);
  }
  return a;
}

static int change_counts(const struct change_axes *a, int i)
{
  return a->peak[i] > 0 && a->peak[i] >= CHANGE_SMALL * a->strongest;
}

static double change_worst(const struct change_axes *a, const struct problem *p)
{
  double worst = 0;
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++)
    if (change_counts(a, i))
      worst = fmax(worst, a->change[i] / a->peak[i]);
  return worst;
}

double torque_change_worst(struct problem *p, const double *x)
{
  struct arena *work = arena_new();
  problem_evaluate(p, x, 1);
  struct change_axes a = change_measure(work, p);
  double worst = change_worst(&a, p);
  arena_free(work);
  return worst;
}

/* Half a sine over the shortest contact of n frames changes by sin(pi / n) of its peak: a share that can be kept. */
static double change_first_share(const struct problem *p)
{
  int n = p->in.n_frames, shortest = n;
  for (int i = 0; i < p->n_points; i++)
    for (int k = 0; k < n; k++)
      if (problem_touches(p, k, i) && !problem_touches(p, k - 1, i)) {
        int count = 1;
        while (count < n && problem_touches(p, k + count, i))
          count++;
        shortest = count < shortest ? count : shortest;
      }
  return fmax(p->in.torque_change, CHANGE_SINE * sin(PI / shortest));
}

/* Rows of axis i around the change from frame k to the next. */
static void change_add_rows(struct change_choice *c, const struct problem *p, int k, int i)
{
  int reach = (int)fmin(ceil(CHANGE_REACH / p->in.h), p->in.n_frames - 1);
  for (int m = k - reach; m <= k + reach; m++) {
    struct change_place at = change_place(p, m, i);
    c->has_row[at.frame * p->n + at.dof] = 1;
  }
}

/* Rows and bounds for axes that change by more than their share. Returns how many axes do. */
static int change_bound_axes(struct change_choice *c, const struct problem *p, const struct change_axes *a)
{
  int count = 0;
  for (int i = CREATURE_ROOT_DOFS; i < p->n; i++) {
    double bar = CHANGE_LEEWAY * c->share * a->peak[i];
    if (!change_counts(a, i) || !(a->change[i] > bar))
      continue;
    c->most[i] = fmax(CHANGE_MARGIN * c->share * a->mean[i], CHANGE_GRADE * a->change[i]);
    for (int k = 0; k < p->in.n_frames; k++)
      if (fabs(change_of(p, k, i)) > bar)
        change_add_rows(c, p, k, i);
    count++;
  }
  return count;
}

static struct change_choice *change_choice_new(struct arena *arena, const struct problem *p)
{
  struct change_choice *c = ARENA_NEW(arena, 1, struct change_choice);
  c->most = ARENA_NEW(arena, (size_t)p->n, double);
  c->has_row = ARENA_NEW(arena, (size_t)(p->n * p->in.n_frames), unsigned char);
  return c;
}

static void change_choice_copy(struct change_choice *to, const struct change_choice *from, const struct problem *p)
{
  to->share = from->share;
  memcpy(to->most, from->most, (size_t)p->n * sizeof *to->most);
  memcpy(to->has_row, from->has_row, (size_t)(p->n * p->in.n_frames));
}

static int change_can_be_less(const struct change_choice *c, const struct problem *p, double worst)
{
  return !c->is_least && worst < CHANGE_NEARLY * c->share && CHANGE_TIGHT * c->share < p->in.torque_change &&
         p->in.torque_change < c->share;
}

/* Cycles only. Where contacts are short the share is large at first, and less once it is nearly kept. */
static int change_choose(struct arena *arena, struct problem *p, const double *x, void **chosen)
{
  if (!(p->in.torque_change > 0) || !p->in.cyclic)
    return 0;
  struct change_choice *c = *chosen;
  if (!c) {
    c = *chosen = change_choice_new(arena, p);
    c->share = change_first_share(p);
  }
  struct arena *work = arena_new();
  problem_evaluate(p, x, 1);
  struct change_axes a = change_measure(work, p);
  if (change_can_be_less(c, p, change_worst(&a, p))) {
    c->looser = change_choice_new(arena, p);
    change_choice_copy(c->looser, c, p);
    c->share = p->in.torque_change;
  }
  int count = change_bound_axes(c, p, &a);
  arena_free(work);
  return count;
}

/* Back to the share that could be kept. */
static int change_relent(struct problem *p, const double *x, enum nlp_status why, void *chosen)
{
  struct change_choice *c = chosen;
  (void)x, (void)why;
  if (!c->looser)
    return 0;
  change_choice_copy(c, c->looser, p);
  c->looser = NULL;
  c->is_least = 1;
  return 1;
}

static double change_shortfall(struct problem *p, const double *x)
{
  return p->in.torque_change > 0 ? torque_change_worst(p, x) : 0;
}

const struct row_family row_family_torque_change = {
    .name = "torque change",
    .frame_rows = change_rows,
    .value = change_value,
    .jacobian = change_jacobian,
    .hand_on = change_hand_on,
    .words = change_words,
    .choose = change_choose,
    .choose_at_start = 1,
    .relent = change_relent,
    .shortfall = change_shortfall,
    .may_lack = 1,
    .endless = "torques jump in one place after the other",
};

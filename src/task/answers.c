/* What a search should try for a task: asks every kind of parameter of it, in the order of task_kinds. And what kinds
 * of headings, and of intervals, have in common there. doc/search.md, "Candidates". */
#include <math.h>

#include "motion/ground.h"
#include "task/room.h"

#define SAME_ANGLE     0.1      /* strafes that are the same [rad]                                                  */
#define SAME_MEASURE   0.2      /* what is measured is the same, in units                                           */
#define ONE_PARAMETER  40       /* clips for turns in one gait                                                      */
#define MOST_CLIPS     600

/* The parameter of kind k, NULL if the task has none. */
static const struct task_parameter *parameter_of(const struct task *t, const struct task_kind *kind)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind == kind)
      return &t->parameters[i];
  return NULL;
}

int task_turns(const struct task *t)
{
  return task_find_heading(t, TASK_HEADING_OF_TRAVEL) >= 0 || task_find_heading(t, TASK_HEADING_OF_TORSO) >= 0;
}

int task_strafes(const struct task *t)
{
  return task_find_heading(t, TASK_HEADING_OF_TRAVEL) >= 0 && task_find_heading(t, TASK_HEADING_OF_TORSO) >= 0;
}

int task_draws(const struct task *t)
{
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->draw)
      return 1;
  return 0;
}

int task_stand(const struct task *t)
{
  struct task_speeds v = {0, INFINITY};
  int asked = 0;
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->narrow) {
      t->parameters[i].kind->narrow(&t->parameters[i], &v);
      asked = 1;
    }
  return asked && v.least <= 0 ? creature_find_gait(t->creature, CREATURE_STAND) : -1;
}

/* ---- cycles ---- */

struct task_speeds task_speeds(const struct task *t, int gait)
{
  const struct gait *g = &t->creature->gaits[gait];
  struct task_speeds v = {g->speed_min, g->speed_max};
  int narrowed = 0;
  for (int i = 0; i < t->n_parameters; i++)
    if (t->parameters[i].kind->narrow) {
      t->parameters[i].kind->narrow(&t->parameters[i], &v);
      narrowed = 1;
    }
  if (!narrowed || v.least >= v.most)
    v.least = v.most = 0.5 * (g->speed_min + g->speed_max);
  return v;
}

void task_draw(const struct task *t, struct rng *r, struct frame_features *f)
{
  f->speed = NAN;
  for (int k = 0; task_kinds[k]; k++) {
    const struct task_parameter *p = parameter_of(t, task_kinds[k]);
    if (p && p->kind->draw)
      p->kind->draw(t, p, r, f);
  }
  if (isnan(f->speed)) /* nobody drew one */
    f->speed = task_speeds(t, f->gait).least;
}

int task_same_cycle(const struct task *t, const struct frame_features *a, const struct frame_features *b,
                    const struct task_parameter *but)
{
  int same = a->gait == b->gait && fabs(ground_wrap(a->direction - b->direction)) < SAME_ANGLE;
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *p = &t->parameters[i];
    if (p->measure >= 0 && p != but)
      same &= fabs(a->measured[p->measure] - b->measured[p->measure]) < SAME_MEASURE * p->unit;
  }
  return same;
}

double task_measured_gap(const struct task *t, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *p = &t->parameters[i];
    if (p->measure >= 0)
      sum += (a[p->measure] - b[p->measure]) / p->unit * ((a[p->measure] - b[p->measure]) / p->unit);
  }
  return sqrt(sum);
}

int task_targets(const struct task *t, const double *from, const double *to, struct posture_target *out)
{
  int n = 0;
  for (int i = 0; i < t->n_parameters; i++) {
    const struct task_parameter *p = &t->parameters[i];
    if (p->measure < 0 || !p->kind->target)
      continue;
    out[n] = p->kind->target(p, from[p->measure]);
    out[n++].to = p->kind->target(p, to[p->measure]).to;
  }
  return n;
}

/* ---- small steps ---- */

int task_steps_most(const struct task *t)
{
  int n = 0;
  for (int i = 0; i < t->n_parameters; i++)
    n += t->parameters[i].n + 4;
  return n;
}

int task_steps(const struct task_place *place, struct task_step *out)
{
  int n = 0;
  for (int k = 0; task_kinds[k]; k++) {
    const struct task_parameter *p = parameter_of(place->task, task_kinds[k]);
    if (p && p->kind->steps)
      n += p->kind->steps(p, place, out + n);
  }
  return n;
}

/* Where both headings are asked for: one changes while the other stays, and the other way round. The torso speaks for
 * both. Where only one is: a turn, and who is turning minds nothing else. */
int task_heading_steps(const struct task_parameter *p, const struct task_place *place, struct task_step *out)
{
  int n = 0, both = task_strafes(place->task);
  if (both && p->kind->heading == TASK_HEADING_OF_TRAVEL)
    return 0;
  for (int side = -1; side <= 1; side += 2) {
    struct task_step x = {.to = place->here, .cycle = TASK_CYCLE_NEAREST};
    x.turn = side * (both ? place->small_angle : place->small_turn);
    if (both) {
      x.to.direction = ground_wrap(place->here.direction - x.turn); /* the torso turns, the direction stays */
      out[n++] = x;
      x.turn = 0; /* and the other way round */
    }
    out[n++] = x;
  }
  return n;
}

int task_interval_steps(const struct task_parameter *p, const struct task_place *place, double least, double most,
                        double same, struct task_step *out)
{
  const struct task_kind *kind = p->kind;
  double here = kind->done(p, &place->here);
  int n = 0;
  for (int side = -1; side <= 1; side += 2) {
    int best = TASK_CYCLE_NEW;
    double gap = INFINITY;
    for (int i = 0; i < place->n_cycles; i++) {
      const struct frame_features *f = &place->cycles[i];
      double more = side * (kind->done(p, f) - here);
      if (task_same_cycle(place->task, f, &place->here, p) && more > 1e-3 * here && more < gap)
        best = i, gap = more;
    }
    struct task_step x = {.to = place->here, .cycle = best};
    double there = best >= 0 ? kind->done(p, &place->cycles[best]) : side < 0 ? least : most;
    kind->set(p, there, &x.to);
    if (best >= 0 || side * (there - here) > same * there)
      out[n++] = x;
  }
  return n;
}

/* ---- how many clips ---- */

/* Turns; with both headings, the ways between strafes. */
int task_heading_clips(const struct task *t, const struct task_parameter *p, int clips)
{
  enum { STRAFES = 4 };
  return task_strafes(t) && p->kind->heading == TASK_HEADING_OF_TORSO ? STRAFES * clips : clips;
}

int task_interval_clips(const struct task *t, const struct task_parameter *p, int clips)
{
  enum { LEVELS = 3 };
  (void)p;
  return task_turns(t) ? LEVELS * clips : clips * 3 / 2;
}

int task_usual_clips(const struct task *t)
{
  int clips = ONE_PARAMETER;
  for (int k = 0; task_kinds[k]; k++) {
    const struct task_parameter *p = parameter_of(t, task_kinds[k]);
    if (p && p->kind->usual_clips)
      clips = p->kind->usual_clips(t, p, clips);
  }
  return clips < MOST_CLIPS ? clips : MOST_CLIPS;
}

/* Where the torso points, against the creature's heading: to look one way and walk another. */
#include "motion/features.h"
#include "task/room.h"

extern const struct task_kind task_kind_torso;

static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return task_difference_cost(task_wrap(f->torso - theta) / p->unit, p->power);
}

static double done(const struct task_parameter *p, const struct frame_features *f) { return (void)p, f->torso; }

static void set(const struct task_parameter *p, double x, struct frame_features *f)
{
  (void)p;
  f->torso = x;
}

static void wish(const struct task_parameter *p, struct task_wish w, struct task_wishes *out)
{
  (void)p;
  out->torso = w;
}

const struct task_kind task_kind_torso = {TASK_HEADING,
                                          .name = "torso",
                                          .jump_every = 4.0,
                                          .heading = TASK_HEADING_OF_TORSO,
                                          .done = done,
                                          .set = set,
                                          .cost = cost,
                                          .wish = wish};

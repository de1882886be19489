/* Where the torso points, against the creature's heading: to look one way and walk another. */
#include "motion/features.h"
#include "task/room.h"

extern const struct task_kind task_kind_torso;

static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return task_difference_cost(task_wrap(f->torso - theta) / p->unit, p->power);
}

const struct task_kind task_kind_torso = {TASK_HEADING, .name = "torso", .jump_every = 4.0, .cost = cost};

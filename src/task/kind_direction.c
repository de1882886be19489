/* The direction of travel, over the ground, against the creature's heading. */
#include "motion/features.h"
#include "task/room.h"

extern const struct task_kind task_kind_direction;

/* Who stands travels nowhere; features.h then gives where the torso points, so that standing is no way out of the cost
 * of going wrong, and turning on the spot is a way to go right. */
static double cost(const struct task_parameter *p, const struct frame_features *f, double theta)
{
  return task_difference_cost(task_wrap(f->direction - theta) / p->unit, p->power);
}

static double done(const struct task_parameter *p, const struct frame_features *f) { return (void)p, f->direction; }

static void set(const struct task_parameter *p, double x, struct frame_features *f)
{
  (void)p;
  f->direction = x;
}

static void wish(const struct task_parameter *p, struct task_wish w, struct task_wishes *out)
{
  (void)p;
  out->travel = w;
}

const struct task_kind task_kind_direction = {TASK_HEADING,
                                              .name = "direction",
                                              .jump_every = 3.0,
                                              .heading = TASK_HEADING_OF_TRAVEL,
                                              .is_arrow = 1,
                                              .done = done,
                                              .set = set,
                                              .cost = cost,
                                              .wish = wish};

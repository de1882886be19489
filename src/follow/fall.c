/* See fall.h. */
#include "follow/fall.h"

#include <math.h>

#include "follow/cost.h"

const struct fall_limits fall_limits_following = {.height = 0.15, .angle = 0.5236};
const struct fall_limits fall_limits_upright = {.share = 0.7, .tilt = 0.8726646};

struct fall fall_of(const struct fall_limits *l, const struct creature *c, const double *q, const double *q_ref,
                    double ground)
{
  struct fall f = {0};
  if (l->height > 0)
    f.height = fabs(q[2] - ground - q_ref[2]) / c->height;
  if (l->angle > 0)
    f.angle = cost_root_angle(c, q, q_ref);
  if ((l->height > 0 && !(f.height <= l->height)) || (l->share > 0 && !(q[2] - ground >= l->share * q_ref[2])))
    f.fault = "height";
  else if ((l->angle > 0 && !(f.angle <= l->angle)) || (l->tilt > 0 && !(cos(q[4]) * cos(q[5]) >= cos(l->tilt))))
    f.fault = "tilt";
  return f;
}

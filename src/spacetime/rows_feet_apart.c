/* Left and right feet keep a share of the sideways distance that they have at rest: legs do not cross. The distance is
 * measured to the left of the nominal heading, and only while one of the two is in the air. */
#include "spacetime/body.h"
#include "spacetime/formulation.h"

static void feet_apart_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  int other = p->in.c->points[i].mirror;
  if (problem_hold(p, k) != FRAME_FREE || body_is_free_end(p->in.c, i) || other <= i ||
      (problem_touches(p, k, i) && problem_touches(p, k, other)))
    return;
  double apart = p->rest_side[i] - p->rest_side[other];
  double share = problem_swing_share(p, k, i) * problem_swing_share(p, k, other);
  if (apart > 0)
    row_list_add(l, (struct row){.frame = k, .index = i, .axis = 1},
                 (p->in.apart - p->in.apart_room * (1 - share)) * apart, NLP_INFINITY);
}

static double feet_apart_value(const struct problem *p, const struct row *r)
{
  int other = p->in.c->points[r->index].mirror;
  double s[2];
  problem_sideways(p, r->frame, s);
  return s[0] * (problem_position(p, r->frame, r->index, 0) - problem_position(p, r->frame, other, 0)) +
         s[1] * (problem_position(p, r->frame, r->index, 1) - problem_position(p, r->frame, other, 1));
}

static void feet_apart_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  double s[2];
  problem_sideways(p, r->frame, s);
  for (int axis = 0; axis < 2; axis++) {
    problem_visit_position(p, r->frame, r->index, axis, s[axis], row, visit, to);
    problem_visit_position(p, r->frame, p->in.c->points[r->index].mirror, axis, -s[axis], row, visit, to);
  }
}

static void feet_apart_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  double s[2];
  problem_sideways(p, r->frame, s);
  for (int axis = 0; axis < 2; axis++) {
    problem_pull_position(p, r->frame, r->index, axis, s[axis] * multiplier);
    problem_pull_position(p, r->frame, p->in.c->points[r->index].mirror, axis, -s[axis] * multiplier);
  }
}

static void feet_apart_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "the distance between left and right feet";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  out->advice = "widen the abduction ranges";
}

const struct row_family row_family_feet_apart = {
    .name = "feet apart",
    .point_rows = feet_apart_rows,
    .value = feet_apart_value,
    .jacobian = feet_apart_jacobian,
    .hand_on = feet_apart_hand_on,
    .words = feet_apart_words,
};

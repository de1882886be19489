/* A foot in the air keeps to its lane: its distance from the root, to the left of the nominal heading, stays within a
 * width of where it is at rest, or of where the transition expects it. Without it legs clear the ground by swinging
 * around it instead of folding. */
#include "spacetime/body.h"
#include "spacetime/formulation.h"

static void lane_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  if (problem_hold(p, k) != FRAME_FREE || body_is_free_end(p->in.c, i) || problem_touches(p, k, i))
    return; /* a foot on the ground is where it came down */
  double leg = p->in.c->feet[p->in.c->points[i].foot].leg_length / p->in.c->height, width = p->in.lane * leg;
  double side = p->in.aside ? p->in.aside[k * p->n_points + i] : p->rest_side[i];
  width += p->in.lane_room * leg * (1 - problem_swing_share(p, k, i));
  row_list_add(l, (struct row){.frame = k, .index = i, .axis = 1}, side - width, side + width);
}

static double lane_value(const struct problem *p, const struct row *r)
{
  const double *root = p->x + p->q_var[r->frame];
  double s[2];
  problem_sideways(p, r->frame, s);
  return s[0] * (problem_position(p, r->frame, r->index, 0) - root[0]) +
         s[1] * (problem_position(p, r->frame, r->index, 1) - root[1]);
}

static void lane_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  double s[2];
  problem_sideways(p, r->frame, s);
  for (int m = 0; m < p->chain_count[r->index]; m++) {
    int j = p->chain[r->index * p->n + m];
    if (j >= 3) /* relative to the root: where that is does not matter */
      visit(to, row, p->q_var[r->frame] + j,
            s[0] * problem_point_slope(p, r->frame, r->index, 0, j) +
                s[1] * problem_point_slope(p, r->frame, r->index, 1, j));
  }
}

static void lane_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  double s[2];
  problem_sideways(p, r->frame, s);
  for (int axis = 0; axis < 2; axis++)
    problem_pull_position(p, r->frame, r->index, axis, s[axis] * multiplier);
}

static void lane_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "a foot that must keep to its side";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  out->advice = p->in.cyclic ? "widen the abduction ranges of that leg"
                             : "allow more frames or a smaller turn, or widen the abduction ranges of that leg";
}

const struct row_family row_family_lane = {
    .name = "lane",
    .point_rows = lane_rows,
    .value = lane_value,
    .jacobian = lane_jacobian,
    .hand_on = lane_hand_on,
    .words = lane_words,
};

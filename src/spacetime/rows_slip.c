/* A contact point that touches at two frames in a row moves with the ground from one to the next,
 *
 *   position(k + 1) - position(k) = -travel   in x and y,
 *
 * where travel is what the treadmill of a cyclic clip moves per frame. Of several points of one leg only what does not
 * follow from the others (held.h). */
#include "spacetime/formulation.h"
#include "spacetime/held.h"
#include "spacetime/words.h"

static void slip_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  if (!problem_touches(p, k, i) || !problem_has_after(p, k) || !problem_touches(p, k + 1, i))
    return;
  if (problem_hold(p, k) != FRAME_FREE && k + 1 < p->in.n_frames && problem_hold(p, k + 1) != FRAME_FREE)
    return;
  int held = held_slip(p, k, i);
  for (int axis = 0; axis < 2; axis++)
    if (held & (axis ? HELD_Y : HELD_X))
      row_list_add(l, (struct row){.frame = k, .index = i, .axis = axis}, -p->in.travel[axis], -p->in.travel[axis]);
}

static double slip_value(const struct problem *p, const struct row *r)
{
  return problem_position(p, r->frame + 1, r->index, r->axis) - problem_position(p, r->frame, r->index, r->axis);
}

static void slip_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  problem_visit_position(p, r->frame + 1, r->index, r->axis, 1, row, visit, to);
  problem_visit_position(p, r->frame, r->index, r->axis, -1, row, visit, to);
}

static void slip_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  problem_pull_position(p, r->frame + 1, r->index, r->axis, multiplier);
  problem_pull_position(p, r->frame, r->index, r->axis, -multiplier);
}

static void slip_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "a foot that must not slip";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  words_advise_leg(p, r->frame, r->index,
                   p->in.cyclic ? "lower the speed, shorten the contact, or widen the joint ranges of that leg"
                                : "allow more frames, a smaller turn, or wider joint ranges of that leg",
                   out);
}

const struct row_family row_family_slip = {
    .name = "slip",
    .point_rows = slip_rows,
    .value = slip_value,
    .jacobian = slip_jacobian,
    .hand_on = slip_hand_on,
    .words = slip_words,
};

/* A contact point that touches is on the ground: its height above it, along the normal, is 0.
 *
 * Of several points of one leg only those whose height does not follow from that of the others (held.h). */
#include "spacetime/formulation.h"
#include "spacetime/held.h"
#include "spacetime/words.h"

static void height_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  if (problem_touches(p, k, i) && problem_hold(p, k) == FRAME_FREE && held_height(p, k, i))
    row_list_add(l, (struct row){.frame = k, .index = i, .axis = 2}, 0, 0);
}

static void height_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "a foot on the ground at height zero";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  if (row_height_value(p, r) > 0)
    words_advise_leg(p, r->frame, r->index,
                     "it does not reach the ground: lower the speed or widen the joint ranges of that leg", out);
  else
    out->advice = "it is pressed into the ground: widen the joint ranges of that leg, so that it can fold";
}

const struct row_family row_family_height = {
    .name = "height",
    .point_rows = height_rows,
    .value = row_height_value,
    .jacobian = row_height_jacobian,
    .hand_on = row_height_hand_on,
    .words = height_words,
};

/* A contact point in the air, and the free end of a limb, is at least as high above the ground, along its normal,
 * as its schedule says: height >= clearance. */
#include "spacetime/body.h"
#include "spacetime/formulation.h"

static void clearance_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  if (!problem_touches(p, k, i) && problem_hold(p, k) == FRAME_FREE)
    row_list_add(l, (struct row){.frame = k, .index = i, .axis = 2}, p->in.clearance[k * p->n_points + i],
                 NLP_INFINITY);
}

static void clearance_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  int is_end = body_is_free_end(p->in.c, r->index);
  out->what = is_end ? "the clearance of a limb's end above the ground" : "the clearance of a foot above the ground";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  out->advice = is_end ? "widen the joint ranges of that limb, or raise its rest pose"
                       : "widen the joint ranges of that leg, or give its swing more time";
}

const struct row_family row_family_clearance = {
    .name = "clearance",
    .point_rows = clearance_rows,
    .value = row_height_value,
    .jacobian = row_height_jacobian,
    .hand_on = row_height_hand_on,
    .words = clearance_words,
};

/* A foot is at rest when it comes down and when it leaves: at the first and the last frame of a stance the speed of a
 * contact point over the ground is at most landing_speed, along each axis.
 *
 * Speed is that of the cubic spline through the frames, which is how a clip is looked at between them. Of a point that
 * comes down at frame k and stands from there on it is
 *
 *   c (V1 + z V2 + z^2 V3 + ...),   z = sqrt(3) - 2 = -0.268,   c = (3 - sqrt(3)) / 2 = 0.634,
 *
 * where Vj is the mean velocity from frame k - j to the one after it; of a point that leaves, the same backwards in
 * time. Three terms suffice: the fourth has a fiftieth of the weight of the first. Without these rows a foot arrives at
 * the speed of its swing and stops within one frame: the spline rings, the foot slides there and back, and so does the
 * mass of the leg, which the balance between frames has to bear (doc/spacetime.md, "Between frames"). */
#include <math.h>

#include "spacetime/formulation.h"
#include "spacetime/words.h"

/* Of V1, V2, V3, times the time between frames. */
enum { TERMS = 3 };
static const double landing_weights[TERMS] = {0.6339745962155614, -0.1698729810778068, 0.0455173280956658};

/* Frames are counted from the stance outwards: 0 is the last one that touches on this side. row.axis holds the axis,
 * and LEAVES for a point that leaves. */
enum { LEAVES = 3 };

static int landing_side(const struct row *r) { return r->axis >= LEAVES ? 1 : -1; }
static int landing_axis(const struct row *r) { return r->axis % LEAVES; }

/* Terms of the sum that are functions of the problem's frames. */
static int landing_count(const struct problem *p, int k, int side)
{
  int n = 0;
  while (n < TERMS && (p->in.cyclic || (k + side * (n + 1) >= 0 && k + side * (n + 1) < p->in.n_frames)))
    n++;
  return n;
}

/* Of the position at frame j, outwards, of a sum of n terms. */
static double landing_coefficient(int j, int n)
{
  return (j > 0 ? landing_weights[j - 1] : 0) - (j < n ? landing_weights[j] : 0);
}

static int landing_is_free(const struct problem *p, int k, int side, int n)
{
  for (int j = 0; j <= n; j++)
    if (p->in.cyclic || problem_hold(p, k + side * j) == FRAME_FREE)
      return 1;
  return 0;
}

/* Does point i stand at frame k and the one further in, and is it in the air on this side? */
static int landing_is_edge(const struct problem *p, int k, int i, int side)
{
  int has_inner = side < 0 ? problem_has_after(p, k) : problem_has_before(p, k);
  return problem_touches(p, k, i) && has_inner && problem_touches(p, k - side, i) && !problem_touches(p, k + side, i);
}

static void landing_rows(struct row_list *l, int k, int i)
{
  const struct problem *p = l->p;
  double leg = p->in.c->feet[p->in.c->points[i].foot].leg_length / p->in.c->height;
  double most = p->in.landing_speed * sqrt(leg > 0 ? leg : 1) * p->in.h;
  for (int side = -1; side <= 1 && isfinite(most); side += 2) {
    int n = landing_count(p, k, side);
    const struct problem_beyond *b = &p->in.beyond[side > 0];
    double sum = 0;
    if (n == 0 || !landing_is_edge(p, k, i, side) || !landing_is_free(p, k, side, n))
      continue;
    for (int j = 0; j < n; j++)
      sum += landing_weights[j];
    for (int axis = 0; axis < 3; axis++) {
      double rest = -p->in.travel[axis] * sum;
      if (n < TERMS && b->known) /* the next term is the neighbouring clip's */
        rest -= landing_weights[n] * b->step[3 * i + axis];
      row_list_add(l, (struct row){.frame = k, .index = i, .axis = axis + (side > 0 ? LEAVES : 0)}, rest - most,
                   rest + most);
    }
  }
}

static double landing_value(const struct problem *p, const struct row *r)
{
  int side = landing_side(r), n = landing_count(p, r->frame, side);
  double sum = 0;
  for (int j = 0; j <= n; j++)
    sum += side * landing_coefficient(j, n) * problem_position(p, r->frame + side * j, r->index, landing_axis(r));
  return sum;
}

static void landing_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  int side = landing_side(r), n = landing_count(p, r->frame, side);
  for (int j = 0; j <= n; j++)
    problem_visit_position(p, r->frame + side * j, r->index, landing_axis(r), side * landing_coefficient(j, n), row,
                           visit, to);
}

static void landing_hand_on(struct problem *p, const struct row *r, double multiplier)
{
  int side = landing_side(r), n = landing_count(p, r->frame, side);
  for (int j = 0; j <= n; j++)
    problem_pull_position(p, r->frame + side * j, r->index, landing_axis(r),
                          side * landing_coefficient(j, n) * multiplier);
}

static void landing_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = landing_side(r) < 0 ? "a foot that comes down at rest" : "a foot that leaves at rest";
  out->subject = p->in.c->points[r->index].name;
  out->unit = "standing heights";
  words_advise_leg(p, r->frame, r->index,
                   p->in.cyclic ? "lower the speed, or give its swing more time"
                                : "allow more frames, or a smaller turn",
                   out);
}

const struct row_family row_family_landing = {
    .name = "landing",
    .point_rows = landing_rows,
    .value = landing_value,
    .jacobian = landing_jacobian,
    .hand_on = landing_hand_on,
    .words = landing_words,
};

/* Walking the control graph. */
#include "control/path.h"

#include <math.h>

#include "control/body.h"
#include "motion/ground.h"

double path_heading(const struct control_graph *g, const struct control_path *p)
{
  const struct control_fragment *f = &g->fragments[p->fragment];
  return p->place.yaw + ground_heading(g->strips[f->strip].clip, f->from);
}

void path_start(const struct control_graph *g, int fragment, double x, double y, double heading,
                struct control_path *p)
{
  const struct control_fragment *f = &g->fragments[fragment];
  struct clip_advance at = ground_frame(g->strips[f->strip].clip, f->from), there = {x, y, heading};
  *p = (struct control_path){.fragment = fragment, .segment = -1, .place = ground_after(there, ground_inverse(at)),
                             .ref_strip = f->strip, .ref_frame = f->from};
  p->ref_place = p->place;
}

void path_errors(const struct control_graph *g, const struct control_path *p, const double *q, const double *v,
                 double *x)
{
  body_errors(g, p->ref_strip, p->ref_frame, p->ref_place, q, v, x);
}

/* From the end of a fragment to the one that follows on its clip, or where that arrives. */
static void go_on(const struct control_graph *g, struct control_path *p)
{
  const struct control_fragment *f = &g->fragments[p->fragment];
  const struct control_strip *s = &g->strips[f->strip];
  p->ref_strip = f->strip;
  p->ref_frame = f->until;
  p->ref_place = p->place;
  if (f->until == s->n_frames && s->clip->cyclic)
    p->place = ground_after(p->place, s->clip->advance);
  else if (f->until == s->n_frames) {
    const struct control_fragment *to = &g->fragments[f->next];
    p->place = ground_after(p->place, ground_match(s->clip, f->until, g->strips[to->strip].clip, to->from));
  }
  p->fragment = f->next;
}

void path_next(const struct control_graph *g, struct control_path *p, path_choice *choose, void *user)
{
  go_on(g, p);
  const struct control_fragment *f = &g->fragments[p->fragment];
  if (f->node < 0)
    return;
  path_take(g, p, choose ? choose(user, f->node, path_heading(g, p)) : g->motion->first_segment[f->node]);
}

void path_take(const struct control_graph *g, struct control_path *p, int segment)
{
  const struct control_fragment *f = &g->fragments[p->fragment];
  int choice = g->motion->segments[segment].choice;
  p->segment = segment;
  if (choice == f->strip)
    return;
  p->place = ground_after(p->place, ground_match(g->strips[f->strip].clip, f->from, g->strips[choice].clip, 0));
  p->fragment = g->strips[choice].first;
}

int path_choose_least(const struct control_graph *g, int node, int *chosen, struct rng *r)
{
  const struct motion_graph *m = g->motion;
  int first = m->first_segment[node], n = m->first_segment[node + 1] - first, best = first, equals = 0;
  for (int i = first; i < first + n; i++) {
    int times = chosen[m->segments[i].choice], least = chosen[m->segments[best].choice];
    equals = times < least ? 1 : equals + (times == least);
    if (times < least || (times == least && rng_below(r, equals) == 0))
      best = i;
  }
  chosen[m->segments[best].choice]++;
  return best;
}

void path_shift(const struct control_graph *g, struct control_path *p, double dx, double dy, double turn)
{
  const struct control_fragment *f = &g->fragments[p->fragment];
  const double *q = control_graph_q(g, f->strip, f->from);
  double s = sin(p->place.yaw), c = cos(p->place.yaw), st = sin(turn), ct = cos(turn);
  double x = p->place.x + c * q[0] - s * q[1], y = p->place.y + s * q[0] + c * q[1]; /* where the root should be */
  struct clip_advance move = {x + dx - (ct * x - st * y), y + dy - (st * x + ct * y), turn};
  p->place = ground_after(move, p->place);
  p->ref_place = ground_after(move, p->ref_place);
}

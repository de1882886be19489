/* The reference for ever: what is held is led on, what is over is dropped, and all of it can be saved. See
 * editable_reference.h. */
#include <math.h>
#include <string.h>

#include "modal/editable_room.h"

#define LEAD_TAKES  2           /* time in which one is where one is led, if it is near                    */
#define LEAD_EASES  4           /* time in which the speed changes that one is led at                      */
#define LEAD_FASTEST 0.03       /* [sqrt(g L)]                                                             */
#define LEAD_BACK   0.01        /* against the way that it goes: steps that are held back must not be too short */
#define STRIDE_PAST 2           /* so far behind the root no foot stands any more [L]                      */

/* ---- what is held ---- */

int editable_hold(struct editable_reference *g, int limb, const double at[3], const double target[3])
{
  enum hold_way way = hold_way_of(g->c, limb);
  struct hold *h = NULL;
  int k, leg = -1;
  for (k = 0; k < EDITABLE_HOLDS && !h; k++) /* the same again, or a free one */
    if (g->holds[k].way != HOLD_NONE && g->holds[k].limb == limb)
      h = &g->holds[k];
  for (k = 0; k < EDITABLE_HOLDS && !h; k++)
    if (g->holds[k].way == HOLD_NONE)
      h = &g->holds[k];
  for (k = 0; k < g->footholds->n_legs && way == HOLD_LEG; k++)
    for (int l = limb; l >= 0; l = g->c->limbs[l].parent)
      leg = g->footholds->legs[k].limb == l ? k : leg;
  if (!h || (way == HOLD_LEG && leg < 0))
    return 0;
  for (k = 0; k < EDITABLE_HOLDS; k++)
    g->holds[k].on &= &g->holds[k] == h;
  if (h->way == HOLD_NONE)
    hold_begin(g->c, h, limb, leg);
  h->on = 1;
  memcpy(h->at, at, sizeof h->at);
  memcpy(h->target, target, sizeof h->target);
  hold_chain_set(&g->chains[h - g->holds], limb);
  return 1;
}

void editable_release(struct editable_reference *g)
{
  for (int k = 0; k < EDITABLE_HOLDS; k++)
    g->holds[k].on = 0;
}

/* Whoever is led by the trunk walks there: the lane goes after what the hand wants, as fast as steps allow. */
static void lead_lane(struct editable_reference *g, const struct hold *h, const double *x)
{
  struct footholds *f = g->footholds;
  double wanted[2] = {0, 0}, fast;
  for (int a = 0; h && h->on && a < 2; a++)
    wanted[a] = (h->target[a] - x[a]) / LEAD_TAKES;
  fast = hypot(wanted[0], wanted[1]);
  for (int a = 0; a < 2 && fast > LEAD_FASTEST; a++)
    wanted[a] *= LEAD_FASTEST / fast;
  double back = fmin(0, wanted[0] * g->ahead[0] + wanted[1] * g->ahead[1] + LEAD_BACK);
  for (int a = 0; a < 2; a++) {
    wanted[a] -= back * g->ahead[a];
    g->lead[a] += (wanted[a] - g->lead[a]) * fmin(1, g->o.step / LEAD_EASES);
    f->led[a] += g->o.step * g->lead[a];
  }
}

/* What is held moves to step `now`, after where the motion without it has the point. */
static void move_holds(struct editable_reference *g, int now)
{
  const struct hold *root = NULL;
  double at[3] = {0, 0, 0};
  int any = hypot(g->lead[0], g->lead[1]) > 0;
  for (int k = 0; k < EDITABLE_HOLDS; k++)
    any |= g->holds[k].way != HOLD_NONE;
  if (any) {
    editable_pose(g, now, 0, g->blend_pose, NULL, NULL);
    dynamics_kinematics(g->own, g->blend_pose);
    for (int k = 0; k < EDITABLE_HOLDS; k++) {
      struct hold *h = &g->holds[k];
      double local[3], x[3];
      if (h->way == HOLD_NONE)
        continue;
      hold_point(g->c, h, local);
      dynamics_point(g->own, g->c->limbs[h->limb].body, local, x);
      if (h->way == HOLD_ROOT && (!root || h->on)) {
        root = h;
        memcpy(at, x, sizeof at);
      }
      hold_aim(h, x);
      hold_move(h, g->o.step);
    }
    lead_lane(g, root, at);
    editable_forget(g, -1);
  }
  g->held_at = now;
}

/* ---- what is over ---- */

/* A stride that all feet are past is a straight line. */
static void fold_stride(struct editable_reference *g, int k)
{
  double by = g->edits[k].value - 1;
  g->stretch += by;
  g->stretch_at -= by * (g->way[k] + g->o.stride_eases / 2);
}

static void drop_edits(struct editable_reference *g, int now)
{
  double along = editable_along(g, now);
  int kept = 0, full = g->n_edits > EDITABLE_EDITS / 2;
  for (int k = 0; k < g->n_edits; k++) {
    const struct reference_edit *e = &g->edits[k];
    int over = e->kind == EDIT_TEMPO && editable_seconds(g, now) > e->until + g->units.time;
    if (full && e->kind == EDIT_STRIDE && along > g->way[k] + g->o.stride_eases + STRIDE_PAST) {
      fold_stride(g, k);
      over = 1;
    }
    g->way[kept] = g->way[k];
    g->edits[kept] = *e;
    kept += !over;
  }
  g->n_edits = kept;
}

void editable_tidy(struct editable_reference *g, int now)
{
  double share;
  int last = editable_passage(g, now - 2, &share);
  for (int k = 0; k < g->n_clips; k++) {
    struct passage *p = &g->clips[k];
    if (!p->began && p->step <= now) {
      p->from = editable_clock(g, p->step);
      p->began = 1;
    }
  }
  if (last > 0 && share >= 1) {
    g->n_clips -= last;
    memmove(g->clips, g->clips + last, (size_t)g->n_clips * sizeof *g->clips);
  }
  drop_edits(g, now);
  move_holds(g, now);
}

double editable_left(struct editable_reference *g, int now)
{
  const struct passage *p = &g->clips[g->n_clips - 1];
  const struct clip *clip = p->what->clip;
  return clip->cyclic ? INFINITY : (clip->n_frames - 1 - editable_frame_of(g, p, now)) * clip->dt;
}

/* ---- as bytes ---- */

#define KEPT 32                 /* steps of the past whose times may be asked for */

static const struct bytes_field passage_fields[] = {
  BYTES_REALS(struct passage, place), BYTES_REALS(struct passage, start), BYTES_INTS(struct passage, step),
  BYTES_REALS(struct passage, length), BYTES_INTS(struct passage, began), BYTES_REALS(struct passage, from), BYTES_END};
static const struct bytes_field edit_fields[] = {
  BYTES_INTS(struct reference_edit, kind), BYTES_REALS(struct reference_edit, from),
  BYTES_REALS(struct reference_edit, until), BYTES_REALS(struct reference_edit, value), BYTES_END};
static const struct bytes_field own_fields[] = {
  BYTES_REALS(struct editable_reference, way), BYTES_REALS(struct editable_reference, ahead),
  BYTES_REALS(struct editable_reference, speed), BYTES_REALS(struct editable_reference, pace),
  BYTES_REALS(struct editable_reference, tempo), BYTES_REALS(struct editable_reference, stretch),
  BYTES_REALS(struct editable_reference, stretch_at), BYTES_REALS(struct editable_reference, level),
  BYTES_REALS(struct editable_reference, o.slope), BYTES_INTS(struct editable_reference, held_at),
  BYTES_REALS(struct editable_reference, lead),
  BYTES_INTS(struct editable_reference, placed), BYTES_INTS(struct editable_reference, n_clock), BYTES_END};
static const struct bytes_field hold_fields[] = {
  BYTES_INTS(struct hold, way), BYTES_INTS(struct hold, limb), BYTES_INTS(struct hold, leg),
  BYTES_INTS(struct hold, on), BYTES_REALS(struct hold, most), BYTES_REALS(struct hold, at),
  BYTES_REALS(struct hold, target), BYTES_REALS(struct hold, off),
  BYTES_REALS(struct hold, rate), BYTES_REALS(struct hold, goal), BYTES_END};

static int first_kept(int now)
{
  return now > KEPT ? now - KEPT : 0;
}

static void put_frames(struct bytes_writer *w, const struct editable_reference *g)
{
  size_t n = (size_t)g->c->n_dofs, p = (size_t)g->c->n_points;
  for (int i = 0; i < EDITABLE_RING; i++) {
    const struct editable_frame *f = &g->ring[i];
    if (f->step < -1)
      continue;
    bytes_put_int(w, f->step);
    bytes_put_reals(w, f->q, n);
    bytes_put_reals(w, f->v, n);
    bytes_put(w, f->contact, p);
    bytes_put_reals(w, f->force, 3 * p);
    bytes_put_reals(w, f->point, 3 * p);
    bytes_put_reals(w, f->com, 3);
    bytes_put_reals(w, f->speed, 3);
    bytes_put_reals(w, f->angular, 3);
    bytes_put_real(w, f->missed);
  }
  bytes_put_int(w, -2);
}

static void get_reals(struct bytes_reader *r, double *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    x[i] = bytes_get_real(r);
}

static void get_frames(struct bytes_reader *r, struct editable_reference *g)
{
  size_t n = (size_t)g->c->n_dofs, p = (size_t)g->c->n_points;
  editable_forget(g, -1);
  for (int step; !r->bad && (step = bytes_get_int(r)) >= -1 && !r->bad;) {
    struct editable_frame *f = editable_slot(g, step);
    f->step = step;
    get_reals(r, f->q, n);
    get_reals(r, f->v, n);
    bytes_get(r, f->contact, p);
    get_reals(r, f->force, 3 * p);
    get_reals(r, f->point, 3 * p);
    get_reals(r, f->com, 3);
    get_reals(r, f->speed, 3);
    get_reals(r, f->angular, 3);
    f->missed = bytes_get_real(r);
  }
}

void editable_put(struct bytes_writer *w, const struct editable_reference *g, int now, int n_clips,
                  const struct clip *const *clips)
{
  bytes_put_int(w, g->n_clips);
  for (int k = 0; k < g->n_clips; k++) {
    int number = 0;
    while (number < n_clips && clips[number] != g->clips[k].what->clip)
      number++;
    bytes_put_int(w, number);
    bytes_put_fields(w, passage_fields, &g->clips[k]);
  }
  bytes_put_int(w, g->n_edits);
  for (int k = 0; k < g->n_edits; k++)
    bytes_put_fields(w, edit_fields, &g->edits[k]);
  bytes_put_fields(w, own_fields, g);
  for (int k = 0; k < EDITABLE_HOLDS; k++)
    bytes_put_fields(w, hold_fields, &g->holds[k]);
  for (int i = first_kept(now); i < g->n_clock; i++) {
    bytes_put_real(w, g->clock[i % g->n_ring]);
    bytes_put_real(w, g->tempos[i % g->n_ring]);
  }
  footholds_put(w, g->footholds, g->c->n_points);
  put_frames(w, g);
}

static int hold_is_sound(const struct editable_reference *g, const struct hold *h)
{
  if (h->way == HOLD_NONE)
    return 1;
  return h->limb >= 0 && h->limb < g->c->n_limbs && h->way == (int)hold_way_of(g->c, h->limb) &&
         (h->way != HOLD_LEG || (h->leg >= 0 && h->leg < g->footholds->n_legs));
}

void editable_get(struct bytes_reader *r, struct editable_reference *g, int now, int n_clips,
                  const struct clip *const *clips)
{
  int n = bytes_get_within(r, 1, EDITABLE_EDITS + 1);
  for (int k = 0; k < n && !r->bad; k++) {
    int number = bytes_get_within(r, 0, n_clips - 1);
    struct passage *p = &g->clips[k];
    *p = (struct passage){.what = editable_know(g, clips[number])};
    bytes_get_fields(r, passage_fields, p);
    r->bad |= !(p->began || (p->step >= now && p->step <= now + EDITABLE_AHEAD)) || !isfinite(p->start) ||
              !isfinite(p->from) || !isfinite(p->place.x + p->place.y + p->place.yaw);
  }
  g->n_clips = n;
  g->n_edits = bytes_get_within(r, 0, EDITABLE_EDITS);
  for (int k = 0; k < g->n_edits && !r->bad; k++)
    bytes_get_fields(r, edit_fields, &g->edits[k]);
  bytes_get_fields(r, own_fields, g);
  r->bad |= g->n_clock < 1 || g->n_clock <= now - 1 || g->n_clock - first_kept(now) > g->n_ring;
  for (int k = 0; k < EDITABLE_HOLDS; k++) {
    bytes_get_fields(r, hold_fields, &g->holds[k]);
    if (r->bad || !hold_is_sound(g, &g->holds[k]))
      r->bad = 1, g->holds[k].way = HOLD_NONE;
    if (g->holds[k].way == HOLD_CHAIN)
      hold_chain_set(&g->chains[k], g->holds[k].limb);
  }
  for (int i = first_kept(now); i < g->n_clock && !r->bad; i++) {
    g->clock[i % g->n_ring] = bytes_get_real(r);
    g->tempos[i % g->n_ring] = bytes_get_real(r);
  }
  footholds_get(r, g->footholds, g->c->n_points);
  get_frames(r, g);
}

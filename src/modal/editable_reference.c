/* See editable_reference.h. Frames are made when they are asked for and kept in a ring. */
#include "modal/editable_reference.h"

#include <math.h>
#include <string.h>

#include "modal/editable_room.h"
#include "modal/settle.h"

#define CLOCK       1024        /* steps of which the time is known, of what plays for ever                */
#define TEMPO_TAKES 0.5         /* time in which the tempo nears what is asked for                         */
#define STRIDES_MEET 0.1        /* strides changed within this way are one change [L]                      */
#define FOOT_EASES  0.32        /* time after lifting and before landing in which a foot is led less       */
#define LONGEST_STANCE 3        /* time for which a foot is taken to stand at most                         */

/* ---- set-up ---- */

static void find_way(struct editable_reference *g, const struct clip *clip)
{
  double *q = g->blend, x, y;
  clip_frame(clip, 0, q);
  x = q[0], y = q[1];
  clip_frame(clip, clip->cyclic ? clip->n_frames : clip->n_frames - 1, q);
  double dx = q[0] - x, dy = q[1] - y, length = hypot(dx, dy);
  double time = clip->dt * (clip->cyclic ? clip->n_frames : clip->n_frames - 1);
  g->speed = time > 0 ? length / time * g->units.time / g->units.length : 0;
  x = length > 1e-6 ? dx / length : 1;
  y = length > 1e-6 ? dy / length : 0;
  g->ahead[0] = x * cos(g->o.place.yaw) - y * sin(g->o.place.yaw);
  g->ahead[1] = x * sin(g->o.place.yaw) + y * cos(g->o.place.yaw);
}

/* Ready to be sampled, once for each clip. */
const struct known *editable_know(struct editable_reference *g, const struct clip *clip)
{
  struct known *k = g->known;
  while (k && k->clip != clip)
    k = k->next;
  if (k)
    return k;
  k = ARENA_NEW(g->arena, 1, struct known);
  *k = (struct known){clip, reference_of_clip(g->arena, g->c, clip), settle_clip(g->arena, g->c, g->own, clip,
                                                                                 g->o.settled), g->known};
  return g->known = k;
}

void editable_defaults(struct editable_options *o)
{
  *o = (struct editable_options){.step = 0.02, .stride_begins = 0.8, .stride_eases = 0.7, .soonest = 8,
                                 .settled = 2e-3};
}

struct editable_reference *editable_new(struct arena *arena, const struct creature *c, const struct clip *clip,
                                        const struct editable_options *o, int most)
{
  struct editable_reference *g = ARENA_NEW(arena, 1, struct editable_reference);
  size_t n = (size_t)c->n_dofs, p = (size_t)c->n_points;
  *g = (struct editable_reference){.c = c, .units = modal_units(c), .o = *o, .arena = arena, .most = most};
  g->own = dynamics_new_dimensionless(arena, c);
  g->reach = reach_new(arena, c, g->own, c->height);
  g->clips[0] = (struct passage){.what = editable_know(g, clip), .place = o->place, .start = o->first, .began = 1};
  if (!clip->cyclic) /* a step before there is none, and it would begin at rest */
    g->clips[0].start += o->step * g->units.time / clip->dt;
  g->n_clips = 1;
  g->n_ring = most > 0 ? most + EDITABLE_RING + 2 : CLOCK;
  g->clock = ARENA_NEW(arena, (size_t)g->n_ring, double);
  g->tempos = ARENA_NEW(arena, (size_t)g->n_ring, double);
  g->n_clock = 1;
  g->tempo = g->tempos[0] = 1;
  g->chains = hold_chains_new(arena, c, g->own, EDITABLE_HOLDS);
  g->pace = 1;
  for (int i = 0; i < EDITABLE_RING; i++) {
    struct editable_frame *f = &g->ring[i];
    f->step = -2;
    f->q = ARENA_NEW(arena, n, double);
    f->v = ARENA_NEW(arena, n, double);
    f->contact = ARENA_NEW(arena, p + 1, unsigned char);
    f->force = ARENA_NEW(arena, 3 * p + 1, double);
    f->point = ARENA_NEW(arena, 3 * p + 1, double);
  }
  g->goal = ARENA_NEW(arena, 3 * p + 1, double);
  g->blend = ARENA_NEW(arena, n, double);
  g->blend_pose = ARENA_NEW(arena, n, double);
  g->zero = ARENA_NEW(arena, n, double);
  g->blend_force = ARENA_NEW(arena, 3 * p + 1, double);
  g->blend_contact = ARENA_NEW(arena, p + 1, unsigned char);
  g->footholds = footholds_new(arena, c, o->step, o->soonest);
  g->placed = -1;
  find_way(g, clip);
  memcpy(g->footholds->ahead, g->ahead, sizeof g->ahead);
  return g;
}

void editable_forget(struct editable_reference *g, int from)
{
  for (int i = 0; i < EDITABLE_RING; i++)
    if (g->ring[i].step >= from)
      g->ring[i].step = -2;
}

void editable_load(struct editable_reference *g, struct dynamics *d)
{
  g->loaded = d;
  editable_forget(g, -1);
}

double editable_rise(const struct editable_reference *g, double x)
{
  return tan(g->o.slope) * x;
}

double editable_ground(const struct editable_reference *g, double x)
{
  return g->level + editable_rise(g, x);
}

void editable_tilt(struct editable_reference *g, double slope, double level)
{
  g->o.slope = slope;
  g->level = level;
  editable_forget(g, -1);
}

/* ---- time ---- */

double editable_seconds(const struct editable_reference *g, int i)
{
  return i * g->o.step * g->units.time;
}

static double ease(double t)
{
  t = fmin(1, fmax(0, t));
  return t * t * (3 - 2 * t);
}

/* Time of the motion at a step: it may run slower or faster than the world's. Its speed changes over a unit of time: a
 * jump would be a push. */
double editable_clock(struct editable_reference *g, int i)
{
  if (i < 0)
    return i * g->o.step * g->units.time;
  while (g->n_clock <= i && (g->most == 0 || g->n_clock < g->most + EDITABLE_RING)) {
    int last = (g->n_clock - 1) % g->n_ring, next = g->n_clock % g->n_ring;
    double rate = g->pace * g->tempos[last], now = editable_seconds(g, g->n_clock - 1) + 1e-9;
    for (int k = 0; k < g->n_edits; k++)
      if (g->edits[k].kind == EDIT_TEMPO)
        rate *= 1 + (g->edits[k].value - 1) * (ease((now - g->edits[k].from) / g->units.time) -
                                               ease((now - g->edits[k].until) / g->units.time));
    double off = g->tempo - g->tempos[last];
    g->clock[next] = g->clock[last] + rate * g->o.step * g->units.time;
    g->tempos[next] = fabs(off) < 1e-9 ? g->tempo : g->tempos[last] + off * fmin(1, g->o.step / TEMPO_TAKES);
    g->n_clock++;
  }
  return g->clock[(i < g->n_clock ? i : g->n_clock - 1) % g->n_ring];
}

double editable_frame_of(struct editable_reference *g, const struct passage *p, int i)
{
  double from = p->began ? p->from : editable_clock(g, p->step);
  return p->start + (editable_clock(g, i) - from) / p->what->clip->dt;
}

static void pose_of(struct editable_reference *g, int passage, int i, double *q)
{
  const struct passage *p = &g->clips[passage];
  reference_at(p->what->reference, editable_frame_of(g, p, i), q, NULL, NULL);
  clip_move_pose(p->place, q);
}

static void contacts_of(struct editable_reference *g, int passage, int i, unsigned char *contact, double *force)
{
  const struct passage *p = &g->clips[passage];
  double s = sin(p->place.yaw), c = cos(p->place.yaw);
  reference_contacts(p->what->reference, editable_frame_of(g, p, i), contact, force);
  for (int k = 0; k < g->c->n_points; k++) {
    double x = force[3 * k], y = force[3 * k + 1];
    force[3 * k] = c * x - s * y;
    force[3 * k + 1] = s * x + c * y;
  }
}

/* ---- transitions ---- */

/* How far two poses and their velocities are apart, without place and heading. */
static double apart(const struct editable_reference *g, const double *q, const double *v, const double *r,
                    const double *w)
{
  double sum = 0, time = g->units.time;
  for (int i = 2; i < g->c->n_dofs; i++) {
    double scale = i == 2 ? 4 / g->units.length : 1;
    if (i != 3)
      sum += scale * scale * ((q[i] - r[i]) * (q[i] - r[i]) + 0.1 * time * time * (v[i] - w[i]) * (v[i] - w[i]));
  }
  return sum;
}

/* Enters the clip where it is most like what plays at that step. */
static void add_passage(struct editable_reference *g, const struct clip *clip, int step, double length)
{
  struct arena *scratch = arena_new();
  size_t n = (size_t)g->c->n_dofs;
  double *q = ARENA_NEW(scratch, 5 * n, double), *v = q + n, *r = q + 2 * n, *w = q + 3 * n, *a = q + 4 * n;
  double best = INFINITY, h = g->o.step * g->units.time;
  int at = 0;
  pose_of(g, g->n_clips - 1, step - 1, v);
  pose_of(g, g->n_clips - 1, step, q);
  for (size_t i = 0; i < n; i++)
    v[i] = (q[i] - v[i]) / h;
  for (int k = clip->cyclic ? 0 : 1; k < (clip->cyclic ? clip->n_frames : clip->n_frames - 1); k++) {
    clip_state(clip, k, r, w, a);
    double d = apart(g, q, v, r, w);
    if (d < best)
      best = d, at = k;
  }
  clip_frame(clip, at, r);
  struct passage *p = &g->clips[g->n_clips++];
  *p = (struct passage){.what = editable_know(g, clip), .place = {0, 0, q[3] - r[3]}, .start = at, .step = step,
                        .length = length};
  double s = sin(p->place.yaw), c = cos(p->place.yaw);
  p->place.x = q[0] - (c * r[0] - s * r[1]);
  p->place.y = q[1] - (s * r[0] + c * r[1]);
  arena_free(scratch);
}

/* How far along the way the root is at a step, before strides are stretched [L]. */
double editable_along(struct editable_reference *g, int i)
{
  pose_of(g, g->n_clips - 1, i, g->blend);
  double along = g->blend[0] * g->ahead[0] + g->blend[1] * g->ahead[1];
  return along / g->units.length;
}

int editable_edit(struct editable_reference *g, const struct reference_edit *e, int now)
{
  if (e->kind == EDIT_TRANSITION ? g->n_clips > EDITABLE_EDITS : g->n_edits == EDITABLE_EDITS)
    return 0;
  int from = (int)ceil(e->from / (g->o.step * g->units.time) - 1e-9);
  if (from < now + 1)
    from = now + 1;
  if (g->most == 0 && from > now + EDITABLE_AHEAD)
    return 0;
  g->n_clock = g->n_clock < from + 1 ? g->n_clock : from + 1;
  struct reference_edit kept = *e;
  kept.from = fmax(e->from, editable_seconds(g, from));
  if (e->kind == EDIT_TRANSITION) {
    add_passage(g, e->clip, from, kept.until - kept.from);
  } else {
    if (e->kind == EDIT_STRIDE)
      g->way[g->n_edits] = editable_along(g, from) + g->o.stride_begins;
    g->edits[g->n_edits++] = kept;
  }
  editable_forget(g, from);
  return 1;
}

void editable_tempo(struct editable_reference *g, double factor, int now)
{
  editable_clock(g, now);
  g->n_clock = now + 1;
  g->tempo = factor;
  editable_forget(g, now + 1);
}

int editable_stride(struct editable_reference *g, double factor, int now)
{
  double change = factor - 1 - g->stretch, way = editable_along(g, now + 1) + g->o.stride_begins;
  int last = -1;
  for (int k = 0; k < g->n_edits; k++)
    if (g->edits[k].kind == EDIT_STRIDE)
      change -= g->edits[k].value - 1, last = k;
  if (last >= 0 && way - g->way[last] < STRIDES_MEET && g->way[last] >= way - g->o.stride_begins) {
    g->edits[last].value += change;
    editable_forget(g, now + 1);
    return 1;
  }
  return editable_edit(g, &(struct reference_edit){.kind = EDIT_STRIDE, .value = 1 + change, .until = INFINITY}, now);
}

/* Which clip plays at a step, and its share; the rest is of the one before. */
int editable_passage(const struct editable_reference *g, int i, double *share)
{
  int last = 0;
  for (int k = 1; k < g->n_clips; k++)
    if (i >= g->clips[k].step)
      last = k;
  double length = g->clips[last].length;
  *share = last && length > 0 ? ease((editable_seconds(g, i) - editable_seconds(g, g->clips[last].step)) / length) : 1;
  return last;
}

/* Pose and contacts of what plays at a step, blended where one clip goes over into another. In SI units. */
static void base_pose(struct editable_reference *g, int i, double *q, unsigned char *contact, double *force)
{
  double share;
  int last = editable_passage(g, i, &share);
  pose_of(g, last, i, q);
  if (contact)
    contacts_of(g, last, i, contact, force);
  if (share >= 1)
    return;
  pose_of(g, last - 1, i, g->blend);
  for (int k = 0; k < g->c->n_dofs; k++)
    q[k] = share * q[k] + (1 - share) * g->blend[k];
  if (contact && share < 0.5)
    contacts_of(g, last - 1, i, contact, force);
}

/* Feet that are kept on the ground for want of another stand. */
static void hold_contacts(const struct editable_reference *g, int i, unsigned char *contact)
{
  for (int p = 0; p < g->c->n_points; p++)
    contact[p] |= i < g->footholds->held[p];
}

/* ---- the ground ---- */

/* Where a place along the way goes: distances are stretched where a stride edit holds. */
static double stretched(const struct editable_reference *g, double s)
{
  double moved = s + (g->stretch * s + g->stretch_at), over = g->o.stride_eases;
  for (int k = 0; k < g->n_edits; k++) {
    if (g->edits[k].kind != EDIT_STRIDE || s <= g->way[k])
      continue;
    double t = fmin(1, (s - g->way[k]) / over), past = fmax(0, s - g->way[k] - over);
    double eased = over * (t * t * t - 0.5 * t * t * t * t); /* integral of ease() */
    moved += (g->edits[k].value - 1) * (eased + past);
  }
  return moved;
}

static void move_place(const struct editable_reference *g, double *x)
{
  double s = x[0] * g->ahead[0] + x[1] * g->ahead[1], by = stretched(g, s) - s;
  x[0] += by * g->ahead[0];
  x[1] += by * g->ahead[1];
  x[2] += editable_ground(g, x[0]);
}

/* How far a point is lifted at a step for feet that are not on the ground where they stand; blended with poses. */
static double lift_at(struct editable_reference *g, int i, int point)
{
  double lift[2] = {0, 0}, share;
  int last = editable_passage(g, i, &share);
  for (int k = 0; k < 2 && last - k >= 0; k++) {
    const struct passage *p = &g->clips[last - k];
    if (p->what->lift)
      lift[k] = settle_at(p->what->lift, p->what->clip, editable_frame_of(g, p, i), point);
  }
  return share * lift[0] + (1 - share) * lift[1];
}

static int is_moved(const struct editable_reference *g)
{
  int moved = g->o.slope != 0 || g->level != 0 || g->stretch != 0 || g->placed >= 0;
  for (int k = 0; k < g->n_clips; k++)
    moved |= g->clips[k].what->lift != NULL;
  for (int k = 0; k < EDITABLE_HOLDS; k++)
    moved |= g->holds[k].way != HOLD_NONE;
  for (int k = 0; k < g->n_edits; k++)
    moved |= g->edits[k].kind == EDIT_STRIDE;
  return moved;
}

/* Where contact points are, at the pose of the last kinematics. */
static void find_points(struct editable_reference *g, double *point)
{
  for (int p = 0; p < g->c->n_points; p++) {
    double at[3];
    for (int i = 0; i < 3; i++)
      at[i] = g->c->points[p].at[i] / g->units.length;
    dynamics_point(g->own, g->c->points[p].body, at, point + 3 * p);
  }
}

/* ---- what is held ---- */

/* 1 in the middle of a leg's swing, 0 while it stands, soft between: a foot that is led aside must land where it
 * should. */
static double swing_share(struct editable_reference *g, int leg, int i)
{
  int most = (int)(FOOT_EASES / g->o.step + 0.5), nearest = most;
  for (int k = 0; k < most && nearest == most; k++)
    for (int side = -1; side <= 1; side += 2) {
      const unsigned char *contact;
      const double *force;
      editable_contacts(g, i + side * k, &contact, &force);
      for (int p = 0; p < g->c->n_points; p++)
        if (g->footholds->leg_of_point[p] == leg && contact[p])
          nearest = k;
    }
  return ease((double)nearest / most);
}

/* Moves the root, or the goals of a leg's points. */
static void lead_body(struct editable_reference *g, const struct hold *h, int i, double *q)
{
  double off[3];
  if (h->way != HOLD_ROOT && h->way != HOLD_LEG)
    return;
  hold_ahead(h, i - g->held_at, g->o.step, off);
  for (int a = 0; h->way == HOLD_ROOT && a < 3; a++)
    q[a] += off[a];
  if (h->way != HOLD_LEG)
    return;
  double share = swing_share(g, h->leg, i);
  for (int p = 0; p < g->c->n_points; p++)
    for (int a = 0; a < 3 && g->footholds->leg_of_point[p] == h->leg; a++)
      g->goal[3 * p + a] += share * off[a];
}

/* The pose of a step, edits and all, in the room's units; without what is held: as it would be. */
double editable_pose(struct editable_reference *g, int i, int held, double *q, unsigned char *contact,
                          double *force)
{
  double missed = 0, lane[2];
  footholds_lane(g->footholds, g->placed >= 0 ? i - g->placed : 0, lane);
  base_pose(g, i, q, contact, force);
  if (contact)
    hold_contacts(g, i, contact);
  for (int k = 0; k < 3; k++)
    q[k] /= g->units.length;
  if (!is_moved(g))
    return 0;
  dynamics_kinematics(g->own, q);
  find_points(g, g->goal);
  for (int p = 0; p < g->c->n_points; p++) {
    g->goal[3 * p + 2] += lift_at(g, i, p);
    move_place(g, g->goal + 3 * p);
    if (g->placed >= 0) {
      double by[3];
      footholds_ahead(g->footholds, g->footholds->leg_of_point[p], i - g->placed, by);
      for (int k = 0; k < 2; k++)
        g->goal[3 * p + k] += by[k] + lane[k];
      g->goal[3 * p + 2] += by[2] + editable_rise(g, by[0] + lane[0]);
    }
  }
  move_place(g, q);
  q[0] += lane[0];
  q[1] += lane[1];
  q[2] += editable_rise(g, lane[0]);
  for (int k = 0; held && k < EDITABLE_HOLDS; k++)
    lead_body(g, &g->holds[k], i, q);
  missed = reach_goals(g->reach, g->goal, NULL, q);
  for (int k = 0; held && k < EDITABLE_HOLDS; k++)
    if (g->holds[k].way == HOLD_CHAIN)
      hold_bend(&g->chains[k], &g->holds[k], i - g->held_at, g->o.step, q);
  return missed;
}

/* ---- footholds ---- */

struct footholds *editable_footholds(struct editable_reference *g)
{
  return g->footholds;
}

void editable_refresh(struct editable_reference *g, int now)
{
  g->placed = now;
  editable_forget(g, -1);
}

void editable_proceed(struct editable_reference *g, int now)
{
  if (g->placed >= 0 && g->placed < now) {
    footholds_advance(g->footholds);
    g->placed = now;
  }
}

void editable_pace(struct editable_reference *g, int now, double pace)
{
  for (int k = 0; k < 2; k++)
    g->footholds->drift[k] = (1 - pace) * g->speed * g->ahead[k] + g->lead[k];
  if (pace == g->pace)
    return;
  g->pace = pace;
  g->n_clock = g->n_clock < now + 1 ? g->n_clock : now + 1;
  editable_refresh(g, now);
}

void editable_due(struct editable_reference *g, int i, const unsigned char **contact, const double **force)
{
  int last = 0;
  for (int c = 1; c < g->n_clips; c++)
    if (i >= g->clips[c].step)
      last = c;
  contacts_of(g, last, i, g->blend_contact, g->blend_force);
  for (int k = 0; k < 3 * g->c->n_points; k++)
    g->blend_force[k] /= g->units.force;
  *contact = g->blend_contact;
  *force = g->blend_force;
}

void editable_contacts(struct editable_reference *g, int i, const unsigned char **contact, const double **force)
{
  editable_due(g, i, contact, force);
  hold_contacts(g, i, g->blend_contact);
}

/* ---- legs ---- */

int editable_leg(struct editable_reference *g, int i, int leg, double from_hip[3], double *length)
{
  const unsigned char *contact;
  const double *force;
  const struct limb *top = &g->c->limbs[g->footholds->legs[leg].limb];
  double hip[3], at[3];
  int n = 0;
  editable_due(g, i, &contact, &force);
  base_pose(g, i, g->blend_pose, NULL, NULL);
  for (int k = 0; k < 3; k++) {
    g->blend_pose[k] /= g->units.length;
    at[k] = top->origin[k] / g->units.length;
    from_hip[k] = 0;
  }
  dynamics_kinematics(g->own, g->blend_pose);
  find_points(g, g->goal);
  dynamics_point(g->own, top->body, at, hip);
  *length = 0;
  for (int p = 0; p < g->c->n_points; p++)
    if (g->footholds->leg_of_point[p] == leg && contact[p]) {
      for (int k = 0; k < 3; k++)
        from_hip[k] += g->goal[3 * p + k] - hip[k];
      *length = fmax(*length, g->c->feet[g->c->points[p].foot].leg_length / g->units.length);
      n++;
    }
  for (int k = 0; k < 3 && n; k++)
    from_hip[k] /= n;
  return n;
}

void editable_lead(struct editable_reference *g, int i, int leg, double by[2])
{
  int stands = 0;
  for (int k = 0, on = hypot(g->lead[0], g->lead[1]) > 0; k * g->o.step < LONGEST_STANCE && on; k++) {
    const unsigned char *contact;
    const double *force;
    editable_due(g, i + k, &contact, &force);
    on = k == 0;
    for (int p = 0; p < g->c->n_points; p++)
      on |= g->footholds->leg_of_point[p] == leg && contact[p];
    stands += on;
  }
  for (int a = 0; a < 2; a++)
    by[a] = 0.5 * stands * g->o.step * g->lead[a];
}

/* ---- frames ---- */

struct editable_frame *editable_slot(struct editable_reference *g, int i)
{
  return &g->ring[(i + EDITABLE_RING) % EDITABLE_RING];
}

const struct editable_frame *editable_frame(struct editable_reference *g, int i)
{
  struct editable_frame *f = editable_slot(g, i);
  struct dynamics_whole whole;
  int n = g->c->n_dofs;
  if (f->step == i)
    return f;
  f->missed = editable_pose(g, i, 1, f->q, f->contact, f->force);
  const struct editable_frame *before = editable_slot(g, i - 1);
  if (before->step != i - 1) {
    editable_pose(g, i - 1, 1, f->v, NULL, NULL);
    before = NULL;
  }
  for (int k = 0; k < n; k++)
    f->v[k] = (f->q[k] - (before ? before->q[k] : f->v[k])) / g->o.step;
  for (int k = 0; k < 3 * g->c->n_points; k++)
    f->force[k] /= g->units.force;
  dynamics_whole(g->loaded ? g->loaded : g->own, f->q, f->v, g->zero, &whole);
  if (g->loaded)
    dynamics_kinematics(g->own, f->q);
  find_points(g, f->point);
  memcpy(f->com, whole.com, sizeof f->com);
  memcpy(f->speed, whole.com_velocity, sizeof f->speed);
  memcpy(f->angular, whole.angular, sizeof f->angular);
  f->step = i;
  return f;
}

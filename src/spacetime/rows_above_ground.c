/* Limbs stay out of the ground along their whole length (doc/solid.md): the lowest point of a limb's shape is at most a
 * little lower than at rest. A row is a place x of the limb, with a radius, at a frame: n.x - radius >= -depth, n the
 * normal of the ground. The ends of a capsule, the corners of a box, or what was the lowest place of an ellipsoid in
 * the motion looked at.
 *
 * Few limbs are ever near the ground. So a place gets its row where a solution without it has it in the ground, at that
 * frame or between it and the next. */
#include <math.h>
#include <string.h>

#include "base/vec3.h"
#include "creature/gap.h"
#include "spacetime/formulation.h"
#include "spacetime/limb_frames.h"

#define MOST_PLACES 8           /* of a limb                                              */
#define NEAR        0.02        /* rows at frames where a place that was in the ground is less high than this [L] */

/* A place of a limb that may touch the ground, in its body's frame. */
struct ground_place {
  int limb, body;
  double at[3], radius;
};

struct ground_choice {
  int n_places;                 /* MOST_PLACES to a limb                                       */
  struct ground_place *places;  /* radius NAN: none                                            */
  unsigned char *has_row;       /*                                        (n_frames x n_places) */
  double *margin;               /* raises a place whose height is less between frames, likewise */
};

/* ---- places ---- */

static void above_ground_add(struct ground_place *p, const struct limb *l, int limb, const double *at, double radius)
{
  *p = (struct ground_place){.limb = limb, .body = l->body, .radius = radius};
  memcpy(p->at, at, sizeof p->at);
}

static void above_ground_places_of(const struct creature *c, int limb, struct ground_place *out)
{
  const struct limb *l = &c->limbs[limb];
  struct solid s;
  solid_of_limb(l, c->height, &s);
  for (int i = 0; i < MOST_PLACES; i++)
    out[i].radius = NAN;
  if (!l->solid)
    return;
  if (s.kind == SHAPE_CAPSULE) {
    above_ground_add(&out[0], l, limb, s.from, s.radius);
    above_ground_add(&out[1], l, limb, s.to, s.radius);
  } else if (s.kind == SHAPE_BOX) {
    for (int k = 0; k < 8; k++) {
      double corner[3];
      memcpy(corner, s.centre, sizeof corner);
      for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
          corner[i] += (k >> axis & 1 ? 1 : -1) * s.half[axis] * s.axes[3 * i + axis];
      above_ground_add(&out[k], l, limb, corner, 0);
    }
  } else {
    above_ground_add(&out[0], l, limb, s.centre, s.radius); /* moved to the lowest place by above_ground_lower() */
  }
}

static struct ground_choice *above_ground_new(struct arena *arena, const struct problem *p)
{
  struct ground_choice *g = ARENA_NEW(arena, 1, struct ground_choice);
  const struct creature *c = p->in.c;
  g->n_places = c->n_limbs * MOST_PLACES;
  g->places = ARENA_NEW(arena, (size_t)g->n_places, struct ground_place);
  g->has_row = ARENA_NEW(arena, (size_t)(g->n_places * p->in.n_frames), unsigned char);
  g->margin = ARENA_NEW(arena, (size_t)(g->n_places * p->in.n_frames), double);
  for (int i = 0; i < c->n_limbs; i++)
    above_ground_places_of(c, i, g->places + i * MOST_PLACES);
  return g;
}

/* The lowest place of an ellipsoid at a frame: as a row's own place. */
static struct ground_place above_ground_lower(const struct problem *p, struct ground_place place,
                                              const struct limb_frame *f)
{
  struct solid s;
  solid_of_limb(&p->in.c->limbs[place.limb], p->in.c->height, &s);
  if (s.kind != SHAPE_ELLIPSOID)
    return place;
  const double *n = p->ground.normal;
  double up[3], own[3], reach = 0;
  for (int i = 0; i < 3; i++) /* the normal in the body's frame, then along the solid's own axes */
    up[i] = n[0] * f->rotation[i] + n[1] * f->rotation[3 + i] + n[2] * f->rotation[6 + i];
  for (int i = 0; i < 3; i++) {
    own[i] = (s.axes[i] * up[0] + s.axes[3 + i] * up[1] + s.axes[6 + i] * up[2]) * s.half[i];
    reach += own[i] * own[i];
  }
  for (int i = 0; i < 3; i++) {
    place.at[i] = s.centre[i];
    for (int k = 0; k < 3; k++)
      place.at[i] -= s.axes[3 * i + k] * s.half[k] * own[k] / sqrt(reach);
  }
  place.radius = 0;
  return place;
}

static double above_ground_height(const struct problem *p, const struct ground_place *place,
                                  const struct limb_frame *frames)
{
  double x[3];
  limb_frame_place(&frames[place->body], place->at, x);
  return vec3_dot(p->ground.normal, x) - place->radius;
}

/* ---- rows ---- */

static double above_ground_least(const struct problem *p, int limb)
{
  return -p->in.ground_depth - p->in.c->limbs[limb].sunk / p->in.c->height;
}

static void above_ground_row(struct row_list *l, int k, const struct ground_place *place, double margin)
{
  struct ground_place *own = ARENA_NEW(l->arena, 1, struct ground_place);
  *own = *place;
  row_list_add(l, (struct row){.frame = k, .index = place->limb, .data = own},
               above_ground_least(l->p, place->limb) + margin, NLP_INFINITY);
}

static void above_ground_rows(struct row_list *l, int k)
{
  const struct ground_choice *g = l->chosen;
  const struct problem *p = l->p;
  if (problem_hold(p, k) != FRAME_FREE)
    return;
  if (p->in.every_row)
    g = above_ground_new(l->arena, p);
  for (int i = 0; g && i < g->n_places; i++)
    if (!isnan(g->places[i].radius) && (p->in.every_row || g->has_row[k * g->n_places + i])) {
      int at = k * g->n_places + i;
      above_ground_row(l, k, &g->places[i], p->in.every_row ? 0 : g->margin[at]);
    }
}

static double above_ground_value(const struct problem *p, const struct row *r)
{
  return above_ground_height(p, r->data, limb_frames_of(p, r->frame));
}

/* By q_j: n_j for the root's place, n.(axis x (place - origin)) for turns. */
static double above_ground_slope(const struct problem *p, const struct limb_frame *f, int dof, const double *place)
{
  const double *n = p->ground.normal;
  if (dof < 3)
    return n[dof];
  double arm[3], motion[3];
  for (int i = 0; i < 3; i++)
    arm[i] = place[i] - f->origin[i];
  vec3_cross(f->axis, arm, motion);
  return vec3_dot(n, motion);
}

static void above_ground_jacobian(const struct problem *p, const struct row *r, int row, visit_entry visit, void *to)
{
  const struct ground_place *place = r->data;
  const struct limb_frame *frames = limb_frames_of(p, r->frame);
  double x[3];
  limb_frame_place(&frames[place->body], place->at, x);
  for (int j = place->body; j >= 0; j = p->in.c->dofs[j].parent)
    if (j >= 3 || p->ground.normal[j] != 0)
      visit(to, row, p->q_var[r->frame] + j, above_ground_slope(p, &frames[j], j, x));
}

/* By q_i and q_j: n.(axis_i x (axis_j x (place - origin_j))), where dof i carries dof j. */
static void above_ground_pairs(const struct problem *p, const struct row *r, visit_pair visit, void *to)
{
  const struct ground_place *place = r->data;
  const struct limb_frame *frames = limb_frames_of(p, r->frame);
  double x[3], arm[3], motion[3], bend[3];
  limb_frame_place(&frames[place->body], place->at, x);
  for (int j = place->body; j >= 3; j = p->in.c->dofs[j].parent) {
    for (int k = 0; k < 3; k++)
      arm[k] = x[k] - frames[j].origin[k];
    vec3_cross(frames[j].axis, arm, motion);
    for (int i = j; i >= 3; i = p->in.c->dofs[i].parent) {
      vec3_cross(frames[i].axis, motion, bend);
      visit(to, p->q_var[r->frame] + i, p->q_var[r->frame] + j, vec3_dot(p->ground.normal, bend));
    }
  }
}

static void above_ground_words(const struct problem *p, const struct row *r, struct row_words *out)
{
  out->what = "the height of a limb above the ground";
  out->subject = p->in.c->limbs[r->index].name;
  out->unit = "standing heights";
  out->advice = "make that limb thinner, or widen the joint ranges of its leg";
}

/* ---- which rows ---- */

/* Heights of all places at all frames. */
struct ground_heights {
  const struct problem *p;
  int n_places;
  double *z;                    /* (n_frames x n_places) */
};

/* The same place of the limb of the other side; of boxes the corners have another order, and the place itself will
 * do. */
static int above_ground_mirror(const struct problem *p, int place)
{
  const struct limb *l = &p->in.c->limbs[place / MOST_PLACES];
  return l->shape.kind == SHAPE_BOX ? place : l->mirror * MOST_PLACES + place % MOST_PLACES;
}

/* Of frame k, which may be beyond the ends of a cycle; infinite beyond those of a transition. */
static double above_ground_at(const struct ground_heights *h, int k, int place)
{
  int n = h->p->in.n_frames, is_beyond = k < 0 || k >= n;
  if (is_beyond && !h->p->in.cyclic)
    return INFINITY;
  if (is_beyond && h->p->in.mirrored)
    place = above_ground_mirror(h->p, place);
  return h->z[((k % n + n) % n) * h->n_places + place];
}

/* The least height between frame k and the next, by the cubic through the four frames around it. */
static double above_ground_between(const struct ground_heights *h, int k, int place)
{
  double z[4], least = INFINITY;
  for (int m = 0; m < 4; m++) {
    z[m] = above_ground_at(h, k - 1 + m, place);
    if (!isfinite(z[m]))
      return INFINITY;
  }
  for (int s = 1; s < 4 && !h->p->in.coarse; s++) {
    double u = s / 4.0;
    least = fmin(least, -u * (u - 1) * (u - 2) / 6 * z[0] + (u + 1) * (u - 1) * (u - 2) / 2 * z[1] -
                            (u + 1) * u * (u - 2) / 2 * z[2] + (u + 1) * u * (u - 1) / 6 * z[3]);
  }
  return least;
}

/* Rows for a place that is in the ground somewhere, at all frames where it is near; where rows are there already and it
 * is lower between frames, they are raised. */
static int above_ground_mark(struct ground_choice *g, const struct ground_heights *h, int i, double least)
{
  const struct problem *p = h->p;
  int marked = 0;
  for (int k = 0; k < p->in.n_frames; k++) {
    int at = k * g->n_places + i;
    double lack = least - fmin(above_ground_between(h, k, i), above_ground_between(h, k - 1, i));
    if (problem_hold(p, k) != FRAME_FREE || above_ground_at(h, k, i) > least + NEAR)
      continue;
    if (!g->has_row[at]) {
      g->has_row[at] = 1;
      marked++;
    } else if (lack > 0.5 * p->in.ground_depth) {
      g->margin[at] += lack;
      marked++;
    }
  }
  return marked;
}

/* The lowest that a place comes, at frames that are free and between all; where, for an ellipsoid, in *lowest. */
static double above_ground_lowest(const struct ground_choice *g, const struct ground_heights *h, int i,
                                  struct ground_place *lowest)
{
  const struct problem *p = h->p;
  double low = INFINITY;
  for (int k = 0; k < p->in.n_frames; k++) {
    double z = above_ground_at(h, k, i);
    if (problem_hold(p, k) == FRAME_FREE && z < low) {
      low = z;
      *lowest = above_ground_lower(p, g->places[i], &limb_frames_of(p, k)[g->places[i].body]);
    }
  }
  for (int k = p->in.cyclic ? 0 : 1; k < p->in.n_frames; k++)
    low = fmin(low, above_ground_between(h, k, i));
  return low;
}

static int above_ground_choose(struct arena *arena, struct problem *p, const double *x, void **chosen)
{
  int first = !*chosen;
  struct ground_choice *g = first ? above_ground_new(arena, p) : *chosen;
  struct arena *work = arena_new();
  struct ground_heights h = {p, g->n_places, ARENA_NEW(work, (size_t)(p->in.n_frames * g->n_places), double)};
  int count = 0;
  *chosen = g;
  problem_evaluate(p, x, 1);
  for (int k = 0; k < p->in.n_frames; k++) {
    const struct limb_frame *frames = limb_frames_of(p, k);
    for (int i = 0; i < g->n_places; i++) {
      int is_place = !isnan(g->places[i].radius);
      struct ground_place here = above_ground_lower(p, g->places[i], &frames[g->places[i].body]);
      h.z[k * g->n_places + i] = is_place ? above_ground_height(p, &here, frames) : INFINITY;
    }
  }
  for (int i = 0; i < g->n_places; i++) {
    struct ground_place lowest = g->places[i];
    double least = above_ground_least(p, g->places[i].limb), half = 0.5 * p->in.ground_depth;
    double bound = !first ? least - half : p->in.warm ? least + half : least + NEAR;
    if (isnan(g->places[i].radius) || above_ground_lowest(g, &h, i, &lowest) > bound)
      continue;
    g->places[i] = lowest;
    count += above_ground_mark(g, &h, i, least);
  }
  arena_free(work);
  return count;
}

const struct row_family row_family_above_ground = {
    .name = "above ground",
    .frame_rows = above_ground_rows,
    .value = above_ground_value,
    .jacobian = above_ground_jacobian,
    .pairs = above_ground_pairs,
    .words = above_ground_words,
    .choose = above_ground_choose,
    .choose_at_start = 1,
    .may_lack = 1,
    .endless = "limbs dip into the ground in one place after the other",
};

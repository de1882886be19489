/* Choosing rows for limbs that must keep apart (doc/solid.md, "In the optimizer").
 *
 * A pair that overlaps gets rows at all frames where it is near. Where it is apart at two frames and overlaps between
 * them, the margins of both grow by what lacks. Limbs that have crossed are another matter: a distance has no side, and
 * rows would only push them through each other between two frames. There, and a little around, the rows are planes
 * first, with one normal for the whole crossing; when nothing crosses any more they become distances, and one more
 * solve takes back what the planes cost. */
#include "spacetime/limbs_apart.h"

#include <math.h>
#include <string.h>

#include "base/vec3.h"

#define SUBSTEPS   4        /* looks from one frame to the next                                               */
#define NEAR       0.5      /* of both radii: rows at frames with a smaller gap                               */
#define CROSSED    0.5      /* of both radii: axes that come so near have crossed, or nearly so               */
#define MORE       1.3      /* times what lacks between frames is added to margins: one round should do         */
#define PADDING    2        /* frames around a crossing, and so near [of both radii]: they get its side, too  */
#define BESIDE     0.25

struct apart_look {
  const struct problem *p;
  struct apart_choice *a;
  int n_frames;                 /* that have rows                                                               */
  int n_samples;                /* SUBSTEPS to a frame; of all of the cycle when half of it is solved for        */
  int first, last;              /* intervals that are looked into: first .. last - 1                            */
  struct limb_pair_place *places; /* of one pair at all samples; gap NAN: far                (n_samples)         */
  unsigned char *crossed;       /* frames of one pair that need a side                       (n_frames)         */
  struct limb_frame *frames;    /* at all samples                                 (n_samples x n_dofs)         */
  double *centres;              /* of solids at all samples                (n_samples x n_limbs x 3)           */
};

struct apart_choice *apart_choice_new(struct arena *arena, const struct problem *p)
{
  struct apart_choice *a = ARENA_NEW(arena, 1, struct apart_choice);
  size_t cells = (size_t)p->in.c->n_pairs * (size_t)p->in.n_frames;
  a->models = limb_pair_models(arena, p->in.c, p->d, p->in.rest);
  a->row_of = ARENA_NEW(arena, cells, int);
  a->given_up = ARENA_NEW(arena, (size_t)p->in.c->n_pairs, char);
  for (size_t i = 0; i < cells; i++)
    a->row_of[i] = -1;
  return a;
}

void apart_choice_give_up(struct apart_choice *a, const struct problem *p, int pair)
{
  a->given_up[pair] = 1;
  for (int k = 0; k < p->in.n_frames; k++)
    a->row_of[pair * p->in.n_frames + k] = -1;
}

/* ---- poses at and between frames ---- */

/* Frame k, which may lie beyond the ends of a cycle; where it is over the ground does not matter. */
static void apart_pose(const struct problem *p, const double *x, int k, double *q)
{
  int n = p->in.n_frames, turns = 0;
  for (; k < 0; k += n)
    turns++;
  for (; k >= n; k -= n)
    turns++;
  const double *from = x + p->q_var[k];
  if (p->in.mirrored && turns % 2)
    creature_mirror_pose(p->in.c, from, q);
  else
    memcpy(q, from, (size_t)p->n * sizeof *q);
}

/* The cubic through the four frames around it, a share u of the way from frame k to the next. */
static void apart_pose_between(const struct problem *p, const double *x, int k, double u, double *q, double *work)
{
  const double weight[4] = {-u * (u - 1) * (u - 2) / 6, (u + 1) * (u - 1) * (u - 2) / 2, -(u + 1) * u * (u - 2) / 2,
                            (u + 1) * u * (u - 1) / 6};
  memset(q, 0, (size_t)p->n * sizeof *q);
  for (int i = 0; i < 4; i++) {
    apart_pose(p, x, k - 1 + i, work);
    for (int j = 0; j < p->n; j++)
      q[j] += weight[i] * work[j];
  }
}

static struct apart_look apart_look_new(struct arena *work, struct apart_choice *a, struct problem *p, const double *x)
{
  int n = p->in.n_frames, cyclic = p->in.cyclic;
  const struct creature *c = p->in.c;
  size_t dofs = (size_t)p->n, limbs = (size_t)c->n_limbs;
  struct apart_look l = {.p = p, .a = a, .n_frames = n, .n_samples = n * SUBSTEPS * (p->in.mirrored ? 2 : 1)};
  size_t samples = (size_t)l.n_samples;
  l.first = cyclic ? 0 : 1, l.last = cyclic ? 2 * n : n - 2;
  l.places = ARENA_NEW(work, samples, struct limb_pair_place);
  l.crossed = ARENA_NEW(work, (size_t)n, unsigned char);
  l.frames = ARENA_NEW(work, samples * dofs, struct limb_frame);
  l.centres = ARENA_NEW(work, samples * limbs * 3, double);
  double *q = ARENA_NEW(work, dofs, double), *other = ARENA_NEW(work, dofs, double);
  for (int s = 0; s < l.n_samples; s++) {
    int k = s / SUBSTEPS, between = s % SUBSTEPS;
    if (between && (p->in.coarse || k < l.first || k >= l.last))
      continue;
    if (between)
      apart_pose_between(p, x, k, (double)between / SUBSTEPS, q, other);
    else
      apart_pose(p, x, k, q);
    struct limb_frame *frames = l.frames + (size_t)s * dofs;
    limb_frames_at(p->d, c, q, frames);
    for (int i = 0; i < c->n_limbs; i++) {
      double local[3];
      for (int m = 0; m < 3; m++)
        local[m] = (c->limbs[i].origin[m] + c->limbs[i].shape.centre[m]) / c->height;
      limb_frame_place(&frames[c->limbs[i].body], local, l.centres + ((size_t)s * limbs + (size_t)i) * 3);
    }
  }
  return l;
}

/* ---- one pair ---- */

static int apart_is_seen(const struct apart_look *l, int s)
{
  int k = s / SUBSTEPS;
  return s % SUBSTEPS == 0 || (!l->p->in.coarse && k >= l->first && k < l->last);
}

/* Sample s, which may be beyond the ends of a cycle; NULL: there is none, or the pair is far there. */
static const struct limb_pair_place *apart_at(const struct apart_look *l, int s)
{
  if (l->p->in.cyclic)
    s = (s % l->n_samples + l->n_samples) % l->n_samples;
  return s >= 0 && s < l->n_samples && !isnan(l->places[s].gap) ? &l->places[s] : NULL;
}

static int apart_is_free(const struct apart_look *l, int k)
{
  return problem_hold(l->p, k) == FRAME_FREE;
}

/* Looks at all samples where the pair is near. 0: nowhere. */
static int apart_look_pair(struct apart_look *l, const struct limb_pair_model *m)
{
  int n_limbs = l->p->in.c->n_limbs, near = 0;
  double reach = m->a.bound + m->b.bound + NEAR * m->c;
  for (int s = 0; s < l->n_samples; s++) {
    const double *a = l->centres + 3 * (s * n_limbs + m->limb_a), *b = l->centres + 3 * (s * n_limbs + m->limb_b);
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    l->places[s].gap = NAN;
    if (!apart_is_seen(l, s) || vec3_dot(d, d) > reach * reach)
      continue;
    limb_pair_look(m, l->frames + (size_t)s * (size_t)l->p->n, &l->places[s]);
    near = 1;
  }
  return near;
}

/* How near the axes come on the straight way from one sample to the next. */
static double apart_swept(const double *a, const double *b)
{
  double ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, x[3], along = -vec3_dot(a, ab), size = vec3_dot(ab, ab);
  double t = size > 0 ? fmax(0, fmin(1, along / size)) : 0;
  for (int i = 0; i < 3; i++)
    x[i] = a[i] + t * ab[i];
  return vec3_norm(x);
}

/* Samples from one that is looked at to the next. */
static int apart_stride(const struct apart_look *l)
{
  return l->p->in.coarse ? SUBSTEPS : 1;
}

/* A crossing between samples s and s + stride: frames beside it, and a little around, need a side. How many. */
static int apart_mark_crossing(struct apart_look *l, const struct limb_pair_model *m, int s)
{
  int n = l->n_frames, k = s / SUBSTEPS, found = 0, cycle = l->n_samples / SUBSTEPS;
  for (int i = k - PADDING; i <= k + 1 + PADDING; i++) {
    const struct limb_pair_place *here = apart_at(l, i * SUBSTEPS);
    int frame = l->p->in.cyclic ? (i + cycle) % cycle : i;
    int beside = i == k || i == k + 1 || (here && here->gap < BESIDE * m->c);
    if (here && beside && frame >= 0 && frame < n && apart_is_free(l, frame))
      l->crossed[frame] = 1, found++;
  }
  return found;
}

/* Marks the frames around places where the axes have crossed, or nearly so. How many. */
static int apart_find_crossings(struct apart_look *l, const struct limb_pair_model *m)
{
  int found = 0, stride = apart_stride(l);
  memset(l->crossed, 0, (size_t)l->n_frames);
  for (int s = 0; s < l->n_samples && m->b.kind == SHAPE_CAPSULE; s += stride) {
    const struct limb_pair_place *here = apart_at(l, s), *next = apart_at(l, s + stride);
    if (here && next && apart_swept(here->d, next->d) < CROSSED * m->c)
      found += apart_mark_crossing(l, m, s);
  }
  return found;
}

/* The side that the pair was given before, in this passing: the frames around k where it is near. NULL: none. */
static const double *apart_known_side(const struct apart_look *l, int pair, int k)
{
  for (int step = -1; step <= 1; step += 2)
    for (int i = k; i >= 0 && i < l->n_frames && !isnan(l->places[i * SUBSTEPS].gap); i += step) {
      int r = l->a->row_of[pair * l->n_frames + i];
      if (r >= 0 && vec3_norm(l->a->rows[r].side.normal) > 0)
        return l->a->rows[r].side.normal;
    }
  return NULL;
}

/* A unit vector along x without its part along u; 0 if nothing is left. */
static int apart_across(const double *x, const double *u, double *out)
{
  double uu = vec3_dot(u, u), along = uu > 0 ? vec3_dot(x, u) / uu : 0;
  for (int i = 0; i < 3; i++)
    out[i] = x[i] - along * u[i];
  double size = vec3_norm(out);
  for (int i = 0; i < 3; i++)
    out[i] /= size;
  return size > 1e-6 * vec3_norm(x);
}

/* The side on which the two should be during the whole crossing around frame k, in b's frame. Limbs that come near and
 * go back again stay on the side from which they came. Limbs that pass each other do so across their way and across the
 * limb, on the side on which they mostly are, or else that of rest. */
static void apart_find_side(const struct apart_look *l, const struct limb_pair_model *m, int k, double *normal)
{
  int first = k * SUBSTEPS, last = first, count = 0, stride = apart_stride(l), farthest = l->n_samples / 2;
  double mean[3] = {0, 0, 0}, way[3], side = 0;
  const double along[3] = {m->b.to[0] - m->b.from[0], m->b.to[1] - m->b.from[1], m->b.to[2] - m->b.from[2]};
  while (apart_at(l, first - stride) && last - first < farthest) /* where they come from, and go to */
    first -= stride;
  while (apart_at(l, last + stride) && last - first < 2 * farthest)
    last += stride;
  for (int s = first; s <= last; s += stride)
    if (apart_at(l, s)->gap < 0)
      vec3_add_scaled(mean, apart_at(l, s)->d, 1), count++;
  const struct limb_pair_place *from = apart_at(l, first), *to = apart_at(l, last);
  int comes = from->gap > 0, goes = to->gap > 0, passes = vec3_dot(from->d, to->d) < 0;
  for (int i = 0; i < 3; i++) {
    way[i] = to->d[i] - from->d[i];
    mean[i] /= count > 0 ? count : 1;
    normal[i] = (comes ? from->d[i] : 0) + (goes ? to->d[i] : 0);
  }
  if (comes + goes > 0 && !(comes && goes && passes) && apart_across(normal, along, normal))
    return;
  vec3_cross(along, way, normal);
  if (!apart_across(normal, along, normal))
    memcpy(normal, m->rest, 3 * sizeof *normal);
  for (int i = 0; i < 3; i++)
    side += normal[i] * (mean[i] + 0.1 * m->c * m->rest[i]);
  for (int i = 0; i < 3 && side < 0; i++)
    normal[i] = -normal[i];
}

/* The row of a pair at a frame; a new one if there is none. */
static struct apart_row *apart_row(struct arena *arena, struct apart_choice *a, const struct problem *p, int pair,
                                   int k, int *added)
{
  int *index = &a->row_of[pair * p->in.n_frames + k];
  if (*index >= 0)
    return &a->rows[*index];
  if (a->n_rows == a->room) {
    int room = 2 * a->room + 64;
    struct apart_row *more = ARENA_NEW(arena, (size_t)room, struct apart_row);
    if (a->n_rows)
      memcpy(more, a->rows, (size_t)a->n_rows * sizeof *more);
    a->rows = more, a->room = room;
  }
  *index = a->n_rows++;
  ++*added;
  a->rows[*index] = (struct apart_row){.pair = pair, .frame = k, .margin = p->in.limb_margin * a->models[pair].thin};
  return &a->rows[*index];
}

/* What lacks between frame k and its neighbours. */
static double apart_lacks(const struct apart_look *l, int k)
{
  double least = INFINITY;
  for (int s = k * SUBSTEPS - SUBSTEPS + 1; s < (k + 1) * SUBSTEPS; s++)
    if (apart_at(l, s))
      least = fmin(least, apart_at(l, s)->gap);
  return -least;
}

static int apart_choose_rows(struct arena *arena, struct apart_look *l, int pair, int crossings)
{
  const struct limb_pair_model *m = &l->a->models[pair];
  int changed = 0;
  for (int k = 0; k < l->n_frames; k++) {
    const struct limb_pair_place *here = &l->places[k * SUBSTEPS];
    if (!apart_is_free(l, k) || isnan(here->gap) || (here->gap > NEAR * m->c && !l->crossed[k]))
      continue;
    int added = 0;
    struct apart_row *r = apart_row(arena, l->a, l->p, pair, k, &added);
    changed += added;
    if (crossings && l->crossed[k]) {
      const double *known = apart_known_side(l, pair, k);
      r->has_side = 1;
      r->side.s = here->s, r->side.t = here->t;
      if (known)
        memmove(r->side.normal, known, sizeof r->side.normal);
      else
        apart_find_side(l, m, k, r->side.normal);
      changed += !added;
    } else if (!added && !r->has_side && apart_lacks(l, k) > l->p->in.limb_depth * m->thin) {
      double margin = fmin(r->margin + MORE * apart_lacks(l, k) + 0.01 * m->thin, fmin(m->thin, m->room));
      changed += margin > r->margin;
      r->margin = fmax(r->margin, margin);
    }
  }
  return changed;
}

/* ---- all pairs ---- */

/* The least gap of the pair in question, frames of other clips apart. */
static double apart_least_gap(const struct apart_look *l)
{
  double least = INFINITY;
  for (int s = 0; s < l->n_samples; s++) {
    int k = s / SUBSTEPS, is_free = s % SUBSTEPS || k >= l->n_frames || apart_is_free(l, k);
    if (is_free && !isnan(l->places[s].gap))
      least = fmin(least, l->places[s].gap);
  }
  return least;
}

int apart_choice_look(struct arena *arena, struct apart_choice *a, struct problem *p, const double *x, int first)
{
  struct arena *work = arena_new();
  struct apart_look l = apart_look_new(work, a, p, x);
  int changed = 0, crossed = 0;
  for (int i = 0; i < p->in.c->n_pairs; i++) {
    const struct limb_pair_model *m = &a->models[i];
    if (a->given_up[i] || !apart_look_pair(&l, m))
      continue;
    double least = apart_least_gap(&l), soon = p->in.warm ? 2 * p->in.limb_margin * m->thin : NEAR * m->c;
    int crossings = apart_find_crossings(&l, m);
    if (-least > p->in.limb_depth * m->thin || (first && least < soon) || crossings)
      changed += apart_choose_rows(arena, &l, i, crossings);
    crossed += crossings;
  }
  for (int i = 0; i < a->n_rows && !crossed; i++)
    if (a->rows[i].has_side && !a->given_up[a->rows[i].pair])
      a->rows[i].has_side = 0, changed++; /* all have passed: they know their sides now */
  arena_free(work);
  return changed;
}

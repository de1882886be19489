/* See creature_bytes.h. Parts of a creature are written as they are in memory, their names after them; indices are
 * looked at when they are read, for whoever believes them uses them without asking. */
#include "creature/creature_bytes.h"

#define MOST 100000              /* parts of one kind that may be believed */

/* ---- writing ---- */

static void put_parts(struct bytes_writer *w, const struct creature *c)
{
  for (int i = 0; i < c->n_dofs; i++) {
    struct dof x = c->dofs[i];
    x.name = NULL;
    bytes_put(w, &x, sizeof x);
    bytes_put_text(w, c->dofs[i].name);
  }
  for (int i = 0; i < c->n_limbs; i++) {
    struct limb x = c->limbs[i];
    x.name = NULL;
    bytes_put(w, &x, sizeof x);
    bytes_put_text(w, c->limbs[i].name);
  }
  for (int i = 0; i < c->n_feet; i++) {
    struct foot x = c->feet[i];
    x.name = NULL;
    bytes_put(w, &x, sizeof x);
    bytes_put_text(w, c->feet[i].name);
  }
  for (int i = 0; i < c->n_points; i++) {
    struct contact_point x = c->points[i];
    x.name = NULL;
    bytes_put(w, &x, sizeof x);
    bytes_put_text(w, c->points[i].name);
  }
}

static void put_gait(struct bytes_writer *w, const struct creature *c, const struct gait *g)
{
  const double numbers[] = {g->period_slow, g->period_fast, g->speed_min, g->speed_max, g->right_lag};
  bytes_put_text(w, g->name);
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  for (int p = 0; p < c->n_points; p++) {
    bytes_put_int(w, g->n_intervals[p]);
    for (int k = 0; k < g->n_intervals[p]; k++) {
      bytes_put_real(w, g->on[p][k].from);
      bytes_put_real(w, g->on[p][k].until);
    }
  }
}

void creature_put(struct bytes_writer *w, const struct creature *c)
{
  const int counts[] = {c->n_dofs, c->n_limbs, c->n_feet, c->n_points, c->n_gaits};
  const double numbers[] = {c->mass, c->friction, c->height, c->frame_rate};
  bytes_put_text(w, c->name);
  bytes_put_text(w, c->summary);
  bytes_put_text(w, c->file);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    bytes_put_int(w, counts[i]);
  bytes_put_reals(w, numbers, sizeof numbers / sizeof *numbers);
  put_parts(w, c);
  for (int i = 0; i < c->n_gaits; i++)
    put_gait(w, c, &c->gaits[i]);
}

/* ---- reading ---- */

static int within(int x, int least, int end)
{
  return x >= least && x < end;
}

static const struct dof *get_dofs(struct bytes_reader *r, const struct creature *c)
{
  struct dof *x = ARENA_NEW(r->arena, (size_t)c->n_dofs, struct dof);
  for (int i = 0; i < c->n_dofs && !r->bad; i++) {
    bytes_get(r, &x[i], sizeof x[i]);
    x[i].name = bytes_get_name(r);
    r->bad |= !within(x[i].parent, -1, i) || !within(x[i].limb, 0, c->n_limbs) || !within(x[i].mirror, 0, c->n_dofs);
  }
  return x;
}

static const struct limb *get_limbs(struct bytes_reader *r, const struct creature *c)
{
  struct limb *x = ARENA_NEW(r->arena, (size_t)c->n_limbs, struct limb);
  for (int i = 0; i < c->n_limbs && !r->bad; i++) {
    bytes_get(r, &x[i], sizeof x[i]);
    x[i].name = bytes_get_name(r);
    r->bad |= !within(x[i].parent, -1, i) || !within(x[i].mirror, 0, c->n_limbs) || !within(x[i].body, 0, c->n_dofs) ||
              !within(x[i].n_dofs, 0, c->n_dofs + 1) || !within(x[i].first_dof, 0, c->n_dofs - x[i].n_dofs + 1);
  }
  return x;
}

static const struct foot *get_feet(struct bytes_reader *r, const struct creature *c)
{
  struct foot *x = ARENA_NEW(r->arena, (size_t)c->n_feet, struct foot);
  for (int i = 0; i < c->n_feet && !r->bad; i++) {
    bytes_get(r, &x[i], sizeof x[i]);
    x[i].name = bytes_get_name(r);
    r->bad |= !within(x[i].limb, 0, c->n_limbs) || !within(x[i].mirror, 0, c->n_feet) ||
              !within(x[i].n_points, 0, c->n_points + 1) ||
              !within(x[i].first_point, 0, c->n_points - x[i].n_points + 1) ||
              !within(x[i].first_leg_limb, 0, c->n_limbs);
  }
  return x;
}

static const struct contact_point *get_points(struct bytes_reader *r, const struct creature *c)
{
  struct contact_point *x = ARENA_NEW(r->arena, (size_t)c->n_points, struct contact_point);
  for (int i = 0; i < c->n_points && !r->bad; i++) {
    bytes_get(r, &x[i], sizeof x[i]);
    x[i].name = bytes_get_name(r);
    r->bad |= !within(x[i].foot, 0, c->n_feet) || !within(x[i].limb, 0, c->n_limbs) ||
              !within(x[i].body, 0, c->n_dofs) || !within(x[i].mirror, 0, c->n_points);
  }
  return x;
}

static void get_gait(struct bytes_reader *r, const struct creature *c, struct gait *g)
{
  double *numbers[] = {&g->period_slow, &g->period_fast, &g->speed_min, &g->speed_max, &g->right_lag};
  int *n = ARENA_NEW(r->arena, (size_t)c->n_points, int);
  const struct interval **on = ARENA_NEW(r->arena, (size_t)c->n_points, const struct interval *);
  g->name = bytes_get_name(r);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bytes_get_real(r);
  for (int p = 0; p < c->n_points && !r->bad; p++) {
    n[p] = bytes_get_within(r, 0, MOST);
    const double *x = bytes_get_reals(r, 2 * (size_t)n[p]);
    struct interval *mine = ARENA_NEW(r->arena, x ? (size_t)n[p] : 0, struct interval);
    for (int k = 0; x && k < n[p]; k++)
      mine[k] = (struct interval){x[2 * k], x[2 * k + 1]};
    on[p] = mine;
  }
  g->n_intervals = n;
  g->on = on;
}

const struct creature *creature_get(struct bytes_reader *r)
{
  struct creature *c = ARENA_NEW(r->arena, 1, struct creature);
  double *numbers[] = {&c->mass, &c->friction, &c->height, &c->frame_rate};
  c->name = bytes_get_name(r);
  c->summary = bytes_get_text(r);
  c->file = bytes_get_name(r);
  c->n_dofs = bytes_get_within(r, CREATURE_ROOT_DOFS, MOST);
  c->n_limbs = bytes_get_within(r, 1, MOST);
  c->n_feet = bytes_get_within(r, 0, MOST);
  c->n_points = bytes_get_within(r, 0, MOST);
  c->n_gaits = bytes_get_within(r, 0, MOST);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    *numbers[i] = bytes_get_real(r);
  r->bad |= (size_t)c->n_dofs * sizeof *c->dofs + (size_t)c->n_limbs * sizeof *c->limbs +
            (size_t)c->n_feet * sizeof *c->feet + (size_t)c->n_points * sizeof *c->points +
            (size_t)c->n_gaits > r->left;
  if (r->bad)
    return NULL;
  c->dofs = get_dofs(r, c);
  c->limbs = get_limbs(r, c);
  c->feet = get_feet(r, c);
  c->points = get_points(r, c);
  struct gait *gaits = ARENA_NEW(r->arena, (size_t)c->n_gaits, struct gait);
  for (int i = 0; i < c->n_gaits && !r->bad; i++)
    get_gait(r, c, &gaits[i]);
  c->gaits = gaits;
  return r->bad ? NULL : c;
}

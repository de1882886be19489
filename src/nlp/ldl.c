/* The multifrontal factorisation: fronts are put together, factored, and what is left of them handed to their
 * parents. */
#pragma GCC optimize("O3") /* loops over columns: vectors make them twice as fast */
#include "nlp/ldl.h"

#include <stdlib.h>
#include <string.h>

#include "base/clones.h"
#include "nlp/dense.h"
#include "nlp/fronts.h"

/* Memory that grows; what it holds is known by its place, since it may move. */
struct pool {
  void *data;
  size_t used, room, size; /* in elements; bytes of one */
};

static int pool_reserve(struct pool *p, size_t more)
{
  if (p->used + more <= p->room)
    return 1;
  size_t room = (p->used + more) + (p->used + more) / 2 + 1024;
  void *data = realloc(p->data, room * p->size);
  if (!data)
    return 0;
  p->data = data;
  p->room = room;
  return 1;
}

/* What a front leaves. */
struct factored {
  int size, eliminated;
  size_t member;        /* in members: eliminated ones first         (size)              */
  size_t panel;         /* in panels: L                              (size x eliminated) */
  size_t diagonal;      /* in panels: D, its diagonal and below it   (2 x eliminated)    */
};

/* What is left of a front for its parent; on a stack. */
struct remainder {
  int size, delayed;    /* the first `delayed` should have been eliminated              */
  size_t member;        /* in members                                (size)             */
  size_t matrix;        /* in stack                                  (size x size)      */
};

struct ldl {
  struct arena *arena;
  const int *row, *col;
  struct fronts fronts;
  struct factored *done;        /*                                        (fronts)      */
  struct remainder *left;       /* stack of n_left                        (fronts)      */
  int n_left;
  struct pool panels, members, stack, work;
  struct pivots pivots;         /*                                        (n)           */
  int *local;                   /* an unknown's row in the front          (n)           */
  int *run_end;                 /* work of add_remainder                  (n)           */
  double *x;                    /* work of solve                          (n)           */
  int negative, delayed, largest;
};

struct ldl *ldl_new(int n, int count, const int *row, const int *col)
{
  struct arena *arena = arena_new();
  size_t room = (size_t)n + 1, entries = (size_t)count + 1;
  struct ldl *l = ARENA_NEW(arena, 1, struct ldl);
  int *own_row = ARENA_NEW(arena, entries, int), *own_col = ARENA_NEW(arena, entries, int);
  memcpy(own_row, row, (size_t)count * sizeof *row);
  memcpy(own_col, col, (size_t)count * sizeof *col);
  *l = (struct ldl){.arena = arena, .row = own_row, .col = own_col};
  l->fronts = fronts_plan(arena, n, count, row, col);
  l->done = ARENA_NEW(arena, (size_t)l->fronts.count + 1, struct factored);
  l->left = ARENA_NEW(arena, (size_t)l->fronts.count + 1, struct remainder);
  l->pivots.order = ARENA_NEW(arena, room, int);
  l->pivots.diagonal = ARENA_NEW(arena, room, double);
  l->pivots.below = ARENA_NEW(arena, room, double);
  l->local = ARENA_NEW(arena, room, int);
  l->run_end = ARENA_NEW(arena, room, int);
  l->x = ARENA_NEW(arena, room, double);
  l->panels.size = l->stack.size = l->work.size = sizeof(double);
  l->members.size = sizeof(int);
  return l;
}

void ldl_free(struct ldl *l)
{
  if (!l)
    return;
  free(l->panels.data);
  free(l->members.data);
  free(l->stack.data);
  free(l->work.data);
  arena_free(l->arena);
}

static double *doubles(const struct pool *p, size_t at)
{
  return (double *)p->data + at;
}

static int *members(const struct ldl *l, size_t at)
{
  return (int *)l->members.data + at;
}

/* ---- a front is put together ---- */

/* A front at work: a dense lower triangle over its members, of which the first `own` are to be eliminated. */
struct front {
  int own, size;
  size_t member;        /* in members                  */
  double *a;            /*               (size x size) */
};

static int list_members(struct ldl *l, const struct front_plan *plan, struct front *f)
{
  int delayed = 0;
  for (int c = 0; c < plan->n_children; c++)
    delayed += l->left[l->n_left - 1 - c].delayed;
  f->own = delayed + plan->own;
  f->size = delayed + plan->size;
  f->member = l->members.used;
  if (!pool_reserve(&l->members, 2 * (size_t)f->size)) /* twice: what it leaves has members too */
    return 0;
  int *member = members(l, f->member), at = 0;
  l->members.used += (size_t)f->size;
  for (int c = 0; c < plan->n_children; c++) {
    const struct remainder *r = &l->left[l->n_left - 1 - c];
    memcpy(member + at, members(l, r->member), (size_t)r->delayed * sizeof *member);
    at += r->delayed;
  }
  memcpy(member + at, plan->member, (size_t)plan->size * sizeof *member);
  for (int i = 0; i < f->size; i++)
    l->local[member[i]] = i;
  l->delayed += delayed;
  l->largest = f->size > l->largest ? f->size : l->largest;
  return 1;
}

static void add_entries(const struct ldl *l, const struct front_plan *plan, const double *values, struct front *f)
{
  size_t n = (size_t)f->size;
  for (int j = 0; j < f->size; j++)
    memset(f->a + (size_t)j * n + (size_t)j, 0, (n - (size_t)j) * sizeof *f->a);
  for (int e = 0; e < plan->n_entries; e++) {
    int k = plan->entry[e], i = l->local[l->row[k]], j = l->local[l->col[k]];
    f->a[i > j ? (size_t)j * n + (size_t)i : (size_t)i * n + (size_t)j] += values[k];
  }
}

/* Where the run of consecutive rows that i is in ends. */
static void find_runs(const int *to, int n, int *run_end)
{
  for (int i = n - 1; i >= 0; i--)
    run_end[i] = i + 1 < n && to[i + 1] == to[i] + 1 ? run_end[i + 1] : i + 1;
}

/* Members keep their order from child to parent, so that a lower triangle falls into a lower triangle. */
static FOR_EACH_PROCESSOR void add_remainder(struct ldl *l, const struct remainder *r, struct front *f)
{
  int *to = members(l, r->member), *run_end = l->run_end;
  const double *from = doubles(&l->stack, r->matrix);
  for (int i = 0; i < r->size; i++)
    to[i] = l->local[to[i]];
  find_runs(to, r->size, run_end);
  for (int j = 0; j < r->size; j++, from += r->size) {
    double *column = f->a + (size_t)to[j] * (size_t)f->size;
    for (int i = j; i < r->size; i = run_end[i]) {
      double *target = column + to[i];
      for (int k = 0; k < run_end[i] - i; k++)
        target[k] += from[i + k];
    }
  }
}

static int assemble(struct ldl *l, const struct front_plan *plan, const double *values, struct front *f)
{
  if (!list_members(l, plan, f))
    return 0;
  l->work.used = 0;
  size_t n = (size_t)f->size, own = (size_t)f->own;
  if (!pool_reserve(&l->work, n * n + own * own + n * own))
    return 0;
  f->a = doubles(&l->work, 0);
  add_entries(l, plan, values, f);
  for (int c = 0; c < plan->n_children; c++) {
    const struct remainder *r = &l->left[--l->n_left];
    add_remainder(l, r, f);
    l->stack.used = r->matrix;
  }
  return 1;
}

/* ---- and taken apart ---- */

/* Factors the block of the own unknowns, in a copy, and solves for the rows below: L into the panel, L D (of the rows
 * after the eliminated ones) into w, which is as high as the front. How many could be eliminated. */
static int factor_panel(struct ldl *l, const struct front *f, double *panel, double *w, double limit)
{
  size_t n = (size_t)f->size, own = (size_t)f->own, rest = n - own;
  double *block = f->a + n * n;
  for (size_t j = 0; j < own; j++)
    memcpy(block + j * own + j, f->a + j * n + j, (own - j) * sizeof *block);
  int count = dense_factor(f->own, block, &l->pivots);
  for (size_t j = 0; j < (size_t)count; j++) {
    memcpy(panel + j * n, block + j * own, own * sizeof *panel);
    memcpy(w + j * n + own, f->a + (size_t)l->pivots.order[j] * n + own, rest * sizeof *w);
  }
  dense_solve_right((int)rest, count, panel, f->size, w + own, f->size);
  count = dense_divide((int)rest, count, &l->pivots, w + own, panel + own, f->size, limit);
  return dense_whole_pivots(&l->pivots, count);
}

/* L D of the own rows that were not eliminated. */
static void complete_products(const struct ldl *l, const struct front *f, int count, const double *panel, double *w)
{
  size_t n = (size_t)f->size;
  const struct pivots *p = &l->pivots;
  for (int i = count; i < f->own; i++)
    for (int j = 0; j < count; j++) {
      double x = panel[(size_t)j * n + (size_t)i];
      w[(size_t)j * n + (size_t)i] = x * p->diagonal[j];
      if (p->below[j] != 0)
        w[(size_t)j * n + (size_t)i] += panel[(size_t)(j + 1) * n + (size_t)i] * p->below[j];
      if (j > 0 && p->below[j - 1] != 0)
        w[(size_t)j * n + (size_t)i] += panel[(size_t)(j - 1) * n + (size_t)i] * p->below[j - 1];
    }
}

/* Rows and columns of the front that are left, in their new order. */
static void copy_rest(const struct ldl *l, const struct front *f, int count, double *to)
{
  size_t n = (size_t)f->size, left = n - (size_t)count, delayed = (size_t)(f->own - count), own = (size_t)f->own;
  const int *order = l->pivots.order + count;
  for (size_t j = 0; j < delayed; j++) {
    for (size_t i = j; i < delayed; i++) {
      size_t a = (size_t)order[i], b = (size_t)order[j];
      to[j * left + i] = a > b ? f->a[b * n + a] : f->a[a * n + b];
    }
    memcpy(to + j * left + delayed, f->a + (size_t)order[j] * n + own, (n - own) * sizeof *to);
  }
  for (size_t j = own; j < n; j++) {
    size_t at = j - own + delayed;
    memcpy(to + at * left + at, f->a + j * n + j, (n - j) * sizeof *to);
  }
}

/* The members in the order of the pivots. */
static void reorder_members(struct ldl *l, const struct front *f)
{
  int *member = members(l, f->member), *work = l->local; /* of no use until the next front */
  for (int i = 0; i < f->own; i++)
    work[i] = member[l->pivots.order[i]];
  memcpy(member, work, (size_t)f->own * sizeof *member);
}

static int push_remainder(struct ldl *l, const struct front *f, int count, const double *panel, const double *w)
{
  int left = f->size - count;
  struct remainder r = {left, f->own - count, l->members.used, l->stack.used};
  if (!pool_reserve(&l->stack, (size_t)left * (size_t)left))
    return 0;
  memcpy(members(l, r.member), members(l, f->member) + count, (size_t)left * sizeof(int));
  l->members.used += (size_t)left;
  l->stack.used += (size_t)left * (size_t)left;
  copy_rest(l, f, count, doubles(&l->stack, r.matrix));
  dense_update(left, count, panel + count, f->size, w + count, f->size, doubles(&l->stack, r.matrix));
  l->left[l->n_left++] = r;
  return 1;
}

static enum ldl_status eliminate(struct ldl *l, const struct front_plan *plan, struct front *f, struct factored *done,
                                 double limit)
{
  size_t n = (size_t)f->size, own = (size_t)f->own, at = l->panels.used;
  if (!pool_reserve(&l->panels, n * own + 2 * own))
    return LDL_MEMORY;
  double *panel = doubles(&l->panels, at), *w = f->a + n * n + own * own;
  int count = factor_panel(l, f, panel, w, limit);
  reorder_members(l, f);
  *done = (struct factored){f->size, count, f->member, at, at + n * (size_t)count};
  l->panels.used = done->diagonal + 2 * (size_t)count;
  complete_products(l, f, count, panel, w);
  l->negative += dense_negative(count, l->pivots.diagonal, l->pivots.below);
  memcpy(doubles(&l->panels, done->diagonal), l->pivots.diagonal, (size_t)count * sizeof(double));
  memcpy(doubles(&l->panels, done->diagonal) + count, l->pivots.below, (size_t)count * sizeof(double));
  if (plan->parent < 0)
    return count == f->size ? LDL_DONE : LDL_SINGULAR;
  return push_remainder(l, f, count, panel, w) ? LDL_DONE : LDL_MEMORY;
}

/* Close to a singular matrix, pivots wait from front to front until one of thousands is dense. Ipopt, told that it is
 * singular, asks for another that is farther from it; seen in long turns, where one factorisation took as long as
 * fifty. */
#define MOST_LABOUR 8           /* times what was planned */

enum ldl_status ldl_factor(struct ldl *l, const double *values, double threshold)
{
  double labour = 0;
  l->panels.used = l->members.used = l->stack.used = 0;
  l->n_left = l->negative = l->delayed = l->largest = 0;
  for (int k = 0; k < l->fronts.count; k++) {
    const struct front_plan *plan = &l->fronts.front[k];
    struct front f;
    if (!assemble(l, plan, values, &f))
      return LDL_MEMORY;
    labour += fronts_cost(f.own, f.size);
    if (labour > MOST_LABOUR * l->fronts.operations)
      return LDL_SINGULAR;
    enum ldl_status status = eliminate(l, plan, &f, &l->done[k], 1 / threshold);
    if (status != LDL_DONE)
      return status;
  }
  return LDL_DONE;
}

int ldl_negative(const struct ldl *l)
{
  return l->negative;
}

struct ldl_facts ldl_facts(const struct ldl *l)
{
  return (struct ldl_facts){l->fronts.count, l->largest, l->delayed, l->fronts.operations};
}

/* ---- solving ---- */

static void gather(const int *member, int n, const double *x, double *to)
{
  for (int i = 0; i < n; i++)
    to[i] = x[member[i]];
}

static void scatter(const int *member, int n, const double *from, double *x)
{
  for (int i = 0; i < n; i++)
    x[member[i]] = from[i];
}

void ldl_solve(struct ldl *l, double *x)
{
  double *t = l->x;
  for (int k = 0; k < l->fronts.count; k++) {
    const struct factored *f = &l->done[k];
    const double *d = doubles(&l->panels, f->diagonal);
    if (!f->eliminated)
      continue;
    gather(members(l, f->member), f->size, x, t);
    dense_forward(f->size, f->eliminated, doubles(&l->panels, f->panel), t);
    dense_solve_pivots(f->eliminated, d, d + f->eliminated, t);
    scatter(members(l, f->member), f->size, t, x);
  }
  for (int k = l->fronts.count - 1; k >= 0; k--) {
    const struct factored *f = &l->done[k];
    if (!f->eliminated)
      continue;
    gather(members(l, f->member), f->size, x, t);
    dense_backward(f->size, f->eliminated, doubles(&l->panels, f->panel), t);
    scatter(members(l, f->member), f->eliminated, t, x);
  }
}

/* dmumps_c() as Ipopt knows it: jobs -1 begin, 1 analyse, 2 factor, 3 solve, -2 end. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "nlp/stand_in.h"

#include <dlfcn.h>
#include <dmumps_c.h>
#include <stdlib.h>

#include "nlp/ldl.h"

enum { BEGIN = -1, END = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };
enum { MUMPS_SINGULAR = -10, MUMPS_MEMORY = -13 };

/* L may grow a thousand times more than MUMPS is told to allow: pivots are chosen within a block first, and those that
 * look small from outside of it (slacks of active constraints above all) have done no harm in any system that was
 * tried. */
#define THRESHOLD_SHARE 1e-3

/* One of Ipopt's solvers. They are few: one, and one more while it looks for feasibility. */
struct session {
  const DMUMPS_STRUC_C *id;
  struct ldl *ldl;
  double pivot_tolerance;       /* Ipopt's, at the first factorisation   */
  int analysed_by_mumps, factored_by_mumps;
  struct session *next;
};

static struct session *sessions;
static struct stand_in_count factorisations;
static int stand_aside;

void stand_in_for_mumps(int yes)
{
  stand_aside = !yes;
}

struct stand_in_count stand_in_factorisations(void)
{
  return factorisations;
}

static void call_mumps(DMUMPS_STRUC_C *id, int job)
{
  static void (*mumps)(DMUMPS_STRUC_C *);
  if (!mumps)
    *(void **)&mumps = dlsym(RTLD_NEXT, "dmumps_c"); /* POSIX's way to a function */
  id->job = job;
  factorisations.mumps += job == FACTOR;
  if (mumps)
    mumps(id);
  else
    id->info[0] = MUMPS_MEMORY;
}

static struct session **find(const DMUMPS_STRUC_C *id)
{
  struct session **s = &sessions;
  while (*s && (*s)->id != id)
    s = &(*s)->next;
  return s;
}

static void begin(DMUMPS_STRUC_C *id)
{
  struct session *s = calloc(1, sizeof *s);
  call_mumps(id, BEGIN);
  if (!s)
    return; /* MUMPS it is, then */
  *s = (struct session){.id = id, .next = sessions};
  sessions = s;
}

static void end(DMUMPS_STRUC_C *id)
{
  struct session **at = find(id), *s = *at;
  if (s) {
    *at = s->next;
    ldl_free(s->ldl);
    free(s);
  }
  call_mumps(id, END);
}

static void report(DMUMPS_STRUC_C *id, int error)
{
  id->info[0] = id->infog[0] = error;
}

static void analyse(DMUMPS_STRUC_C *id, struct session *s)
{
  int count = id->nnz > 0 ? (int)id->nnz : id->nz;
  int *row = malloc(((size_t)count + 1) * sizeof *row), *col = malloc(((size_t)count + 1) * sizeof *col);
  ldl_free(s->ldl);
  s->ldl = NULL;
  s->analysed_by_mumps = 0;
  s->pivot_tolerance = id->cntl[0];
  for (int k = 0; row && col && k < count; k++)
    row[k] = id->irn[k] - 1, col[k] = id->jcn[k] - 1;
  if (row && col)
    s->ldl = ldl_new(id->n, count, row, col);
  free(row);
  free(col);
  report(id, s->ldl ? 0 : MUMPS_MEMORY);
}

static void factor_by_mumps(DMUMPS_STRUC_C *id, struct session *s)
{
  s->factored_by_mumps = 1;
  if (!s->analysed_by_mumps)
    call_mumps(id, ANALYSE);
  s->analysed_by_mumps = 1;
  if (id->info[0] >= 0)
    call_mumps(id, FACTOR);
}

static void factor(DMUMPS_STRUC_C *id, struct session *s)
{
  enum ldl_status status = LDL_MEMORY;
  s->factored_by_mumps = 0;
  if (id->cntl[0] <= s->pivot_tolerance) {
    status = ldl_factor(s->ldl, id->a, THRESHOLD_SHARE * id->cntl[0]);
    factorisations.own++;
  }
  if (status == LDL_MEMORY) {
    factor_by_mumps(id, s);
    return;
  }
  report(id, status == LDL_SINGULAR ? MUMPS_SINGULAR : 0);
  id->infog[11] = ldl_negative(s->ldl);
}

/* From the analysis on, a session is either our own (it has an ldl) or that of MUMPS. */
void dmumps_c(DMUMPS_STRUC_C *id)
{
  struct session *s = *find(id);
  int job = id->job, own = s && (s->ldl || (job == ANALYSE && !stand_aside));
  if (job == BEGIN)
    begin(id);
  else if (job == END)
    end(id);
  else if (!own || (job == SOLVE && s->factored_by_mumps))
    call_mumps(id, job);
  else if (job == ANALYSE)
    analyse(id, s);
  else if (job == FACTOR)
    factor(id, s);
  else
    ldl_solve(s->ldl, id->rhs);
}

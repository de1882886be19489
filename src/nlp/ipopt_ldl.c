/* MA27 as Ipopt calls it: defaults (ma27id), analysis (ma27ad), factorisation (ma27bd), solution for one right-hand
 * side (ma27cd). The arguments are those of HSL's specification of MA27.
 *
 * MA27 has no handle: what it knows of a matrix is in the caller's arrays IKEEP (from the analysis on) and IW (from the
 * factorisation on). Ours have one number there, the index into ipopt_ldl.ldl. */
#include "nlp/ipopt_ldl.h"

#include "config.h"

#ifdef HAVE_LSL_SETMA27
#include <coin/HSLLoader.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "nlp/ldl.h"

/* INFO(1) */
enum { MA27_DONE = 0, MA27_SINGULAR = -5, MA27_REFUSED = -7 };
/* places in INFO, from 0 */
enum { STATUS = 0, REALS_NEEDED = 4, INTEGERS_NEEDED = 5, NEGATIVE = 14, INFO_SIZE = 20 };
enum { ICNTL_SIZE = 30, CNTL_SIZE = 5 };

/* Entries of L may grow to 1e9 by default (nlp_options.pivot_threshold), a thousand times more than with Ipopt's usual
 * pivot tolerance of 1e-6: pivots are chosen within a block first, and those that look small from outside of it (slacks
 * of active constraints above all) have done no harm in any system that was tried. With many long rows that bind, even
 * 1e9 makes thousands of pivots wait. It stays the same when Ipopt raises its tolerance: Ipopt 3.11 does not pass a
 * raised tolerance on to MUMPS either (only with a new analysis). */

/* Ipopt has one set of MA27's functions for the whole process: how many nlp_solve() need ours. */
static struct { pthread_mutex_t lock; int users; } slot = {PTHREAD_MUTEX_INITIALIZER, 0};

static _Thread_local struct ipopt_ldl *current;
static _Thread_local long factorisations;

static void ma27_defaults(ipfint *icntl, double *cntl)
{
  memset(icntl, 0, ICNTL_SIZE * sizeof *icntl);
  memset(cntl, 0, CNTL_SIZE * sizeof *cntl);
}

/* Adds a matrix to those of this nlp_solve(). Returns its index, or -1 if memory runs out. */
static int add_matrix(struct ipopt_ldl *s, int n, int nonzeros, const int *irn, const int *icn)
{
  size_t size = (size_t)nonzeros + 1;
  int *row = malloc(size * sizeof *row), *col = malloc(size * sizeof *col), added = -1;
  struct ldl **list = realloc(s->ldl, ((size_t)s->count + 1) * sizeof(struct ldl *));
  if (list)
    s->ldl = list;
  for (int k = 0; row && col && k < nonzeros; k++)
    row[k] = irn[k] - 1, col[k] = icn[k] - 1;
  if (row && col && list && (list[s->count] = ldl_new(n, nonzeros, row, col)))
    added = s->count++;
  free(row);
  free(col);
  return added;
}

static void ma27_analyse(ipfint *n, ipfint *nz, const ipfint *irn, const ipfint *icn, ipfint *iw, ipfint *liw,
                         ipfint *ikeep, ipfint *iw1, ipfint *nsteps, ipfint *iflag, ipfint *icntl, double *cntl,
                         ipfint *info, double *ops)
{
  int index = current && *n > 0 ? add_matrix(current, *n, *nz, irn, icn) : -1;
  (void)iw, (void)liw, (void)iw1, (void)iflag, (void)icntl, (void)cntl;
  memset(info, 0, INFO_SIZE * sizeof *info);
  info[STATUS] = index < 0 ? MA27_REFUSED : MA27_DONE;
  info[REALS_NEEDED] = info[INTEGERS_NEEDED] = 1; /* the factors are not in the caller's arrays */
  *nsteps = 1;
  *ops = 0;
  if (*n > 0)
    ikeep[0] = index;
}

static void ma27_factor(ipfint *n, ipfint *nz, const ipfint *irn, const ipfint *icn, double *a, ipfint *la, ipfint *iw,
                        ipfint *liw, ipfint *ikeep, ipfint *nsteps, ipfint *maxfrt, ipfint *iw1, ipfint *icntl,
                        double *cntl, ipfint *info)
{
  struct ipopt_ldl *s = current;
  int index = ikeep[0];
  (void)n, (void)nz, (void)irn, (void)icn, (void)la, (void)liw, (void)nsteps, (void)iw1, (void)icntl, (void)cntl;
  memset(info, 0, INFO_SIZE * sizeof *info);
  info[STATUS] = MA27_REFUSED;
  *maxfrt = 1;
  iw[0] = index;
  if (!s || index < 0 || index >= s->count)
    return;
  factorisations++;
  switch (ldl_factor(s->ldl[index], a, s->threshold)) {
  case LDL_DONE: info[STATUS] = MA27_DONE; break;
  case LDL_SINGULAR: info[STATUS] = MA27_SINGULAR; break;
  case LDL_MEMORY: return;
  }
  info[NEGATIVE] = ldl_negative(s->ldl[index]);
}

static void ma27_solve(ipfint *n, double *a, ipfint *la, ipfint *iw, ipfint *liw, double *w, ipfint *maxfrt,
                       double *rhs, ipfint *iw1, ipfint *nsteps, ipfint *icntl, double *cntl)
{
  struct ipopt_ldl *s = current;
  int index = iw[0];
  (void)n, (void)a, (void)la, (void)liw, (void)w, (void)maxfrt, (void)iw1, (void)nsteps, (void)icntl, (void)cntl;
  if (s && index >= 0 && index < s->count)
    ldl_solve(s->ldl[index], rhs);
}

int ipopt_ldl_begin(struct ipopt_ldl *s, double threshold)
{
  int ready;
  *s = (struct ipopt_ldl){.threshold = threshold, .outer = current};
  pthread_mutex_lock(&slot.lock);
  ready = slot.users || !LSL_isMA27available();
  if (ready && slot.users++ == 0)
    LSL_setMA27(ma27_analyse, ma27_factor, ma27_solve, ma27_defaults);
  pthread_mutex_unlock(&slot.lock);
  if (ready)
    current = s;
  return ready;
}

void ipopt_ldl_end(struct ipopt_ldl *s)
{
  current = s->outer;
  pthread_mutex_lock(&slot.lock);
  if (--slot.users == 0)
    LSL_setMA27(NULL, NULL, NULL, NULL);
  pthread_mutex_unlock(&slot.lock);
  for (int i = 0; i < s->count; i++)
    ldl_free(s->ldl[i]);
  free(s->ldl);
  s->ldl = NULL;
  s->count = 0;
}

long ipopt_ldl_factorisations(void)
{
  return factorisations;
}

#else /* an Ipopt that loads MA27 in another way, if at all: nlp_solve() uses MUMPS */

int ipopt_ldl_begin(struct ipopt_ldl *s, double threshold)
{
  (void)threshold;
  *s = (struct ipopt_ldl){0};
  return 0;
}

void ipopt_ldl_end(struct ipopt_ldl *s)
{
  (void)s;
}

long ipopt_ldl_factorisations(void)
{
  return 0;
}

#endif

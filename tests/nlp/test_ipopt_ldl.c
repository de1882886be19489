/* Our linear solver behind Ipopt, and nobody else's: MUMPS answers its callers as ever before, inside and after
 * nlp_solve(), on this thread and on others; the place for MA27 in Ipopt is left as it was found. */
#include "config.h"

#ifdef HAVE_LSL_SETMA27
#include <coin/HSLLoader.h>
#include <coin/IpStdCInterface.h>
#include <dmumps_c.h>
#include <pthread.h>
#include <string.h>

#include "check.h"
#include "nlp/ipopt_ldl.h"
#include "nlp/nlp.h"

/* ---- a caller of MUMPS: 1 x + 2 y = 5, 3 x + 4 y = 6, whose matrix is not symmetric; x = -4, y = 4.5 ---- */

static void check_mumps(void)
{
  static const int row[4] = {1, 1, 2, 2}, col[4] = {1, 2, 1, 2};
  DMUMPS_STRUC_C id;
  double a[4] = {1, 2, 3, 4}, x[2] = {5, 6};
  memset(&id, 0, sizeof id);
  id.sym = 0, id.par = 1, id.job = -1, id.comm_fortran = -987654;
  dmumps_c(&id);
  id.icntl[0] = id.icntl[1] = id.icntl[2] = id.icntl[3] = 0; /* prints nothing */
  id.n = 2, id.nz = 4, id.irn = (int *)row, id.jcn = (int *)col, id.a = a, id.rhs = x;
  id.job = 6; /* analysis, factorisation, solution */
  dmumps_c(&id);
  CHECK_INT(id.infog[0], 0);
  CHECK_NEAR(x[0], -4, 1e-12);
  CHECK_NEAR(x[1], 4.5, 1e-12);
  id.job = -2;
  dmumps_c(&id);
}

/* ---- another user of Ipopt: minimise (x - 3)^2 with the linear solver of their choice ---- */

static Bool user_f(Index n, Number *x, Bool new_x, Number *value, UserDataPtr user)
{
  (void)n, (void)new_x, (void)user;
  *value = (x[0] - 3) * (x[0] - 3);
  return TRUE;
}

static Bool user_grad(Index n, Number *x, Bool new_x, Number *grad, UserDataPtr user)
{
  (void)n, (void)new_x, (void)user;
  grad[0] = 2 * (x[0] - 3);
  return TRUE;
}

static Bool user_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr user)
{
  (void)n, (void)x, (void)new_x, (void)m, (void)g, (void)user;
  return TRUE;
}

static Bool user_jac(Index n, Number *x, Bool new_x, Index m, Index count, Index *row, Index *col, Number *values,
                     UserDataPtr user)
{
  (void)n, (void)x, (void)new_x, (void)m, (void)count, (void)row, (void)col, (void)values, (void)user;
  return TRUE;
}

static Bool user_h(Index n, Number *x, Bool new_x, Number sigma, Index m, Number *lambda, Bool new_lambda, Index count,
                   Index *row, Index *col, Number *values, UserDataPtr user)
{
  (void)n, (void)x, (void)new_x, (void)m, (void)lambda, (void)new_lambda, (void)count, (void)user;
  if (values)
    values[0] = 2 * sigma;
  else
    row[0] = col[0] = 0;
  return TRUE;
}

static enum ApplicationReturnStatus use_ipopt(const char *solver, double *x)
{
  double lower = -10, upper = 10, f;
  IpoptProblem ip = CreateIpoptProblem(1, &lower, &upper, 0, NULL, NULL, 0, 1, 0, user_f, user_g, user_grad, user_jac,
                                       user_h);
  CHECK(AddIpoptStrOption(ip, (char *)(size_t) "linear_solver", (char *)(size_t)solver));
  CHECK(AddIpoptStrOption(ip, (char *)(size_t) "linear_system_scaling", (char *)(size_t) "none"));
  CHECK(AddIpoptStrOption(ip, (char *)(size_t) "sb", (char *)(size_t) "yes"));
  CHECK(AddIpoptIntOption(ip, (char *)(size_t) "print_level", 0));
  *x = 0;
  enum ApplicationReturnStatus status = IpoptSolve(ip, x, NULL, &f, NULL, NULL, NULL, NULL);
  FreeIpoptProblem(ip);
  return status;
}

/* ---- ours: (x - 1)^2 + (y - 2)^2 on the line x + y = 1 ---- */

static double objective(void *self, const double *x)
{
  (void)self;
  return (x[0] - 1) * (x[0] - 1) + (x[1] - 2) * (x[1] - 2);
}

static void gradient(void *self, const double *x, double *g)
{
  (void)self;
  g[0] = 2 * (x[0] - 1), g[1] = 2 * (x[1] - 2);
}

static void constraints(void *self, const double *x, double *g)
{
  (void)self;
  g[0] = x[0] + x[1];
}

static void jacobian(void *self, const double *x, double *v)
{
  (void)self, (void)x;
  v[0] = v[1] = 1;
}

static void hessian(void *self, const double *x, double sigma, const double *lambda, double *v)
{
  (void)self, (void)x, (void)lambda;
  v[0] = v[1] = 2 * sigma;
}

/* Solves, and returns how many factorisations were ours. */
static long check_solve(int mumps, int (*progress)(void *user, const struct nlp_progress *p), void *user)
{
  const double lower[2] = {-10, -10}, upper[2] = {10, 10}, one = 1;
  const int zero[2] = {0, 0}, both[2] = {0, 1};
  struct nlp p = {2, 1, lower, upper, &one, &one, 2, 2, zero, both, both, both, NULL,
                  objective, gradient, constraints, jacobian, hessian};
  struct nlp_options o;
  struct nlp_result r;
  double x[2] = {5, 5};
  long before = ipopt_ldl_factorisations();
  nlp_defaults(&o);
  o.mumps = mumps, o.progress = progress, o.user = user;
  nlp_solve(&p, &o, x, NULL, &r);
  CHECK_INT(r.status, NLP_SOLVED);
  CHECK_NEAR(x[0], 0, 1e-4);
  CHECK_NEAR(x[1], 1, 1e-4);
  return ipopt_ldl_factorisations() - before;
}

/* ---- what others do while nlp_solve() runs ---- */

struct visit { int ours, count, nested; };

static int visit_mumps(void *user, const struct nlp_progress *p)
{
  struct visit *v = user;
  (void)p;
  v->count++;
  CHECK_INT(LSL_isMA27available(), v->ours);
  check_mumps();
  if (v->nested)
    CHECK(check_solve(0, NULL, NULL) > 0);
  return 1;
}

static void *be_another_thread(void *user)
{
  double x;
  (void)user;
  CHECK_INT(ipopt_ldl_factorisations(), 0);
  check_mumps();
  CHECK_INT(use_ipopt("mumps", &x), Solve_Succeeded);
  CHECK_NEAR(x, 3, 1e-6);
  CHECK(use_ipopt("ma27", &x) != Solve_Succeeded); /* there is no MA27: an error, not our answer */
  CHECK_INT(ipopt_ldl_factorisations(), 0);
  return NULL;
}

/* This thread waits inside of nlp_solve() while the other one works. */
static int visit_thread(void *user, const struct nlp_progress *p)
{
  pthread_t thread;
  (void)p;
  ++*(int *)user;
  CHECK_INT(pthread_create(&thread, NULL, be_another_thread, NULL), 0);
  CHECK_INT(pthread_join(thread, NULL), 0);
  return 1;
}

/* MUMPS on another thread at the same time: as many systems as fit into the solve, one at least. */
struct crowd { pthread_mutex_t lock; int stop; };

static void *solve_many(void *user)
{
  struct crowd *c = user;
  int stop = 0;
  while (!stop) {
    check_mumps();
    pthread_mutex_lock(&c->lock);
    stop = c->stop;
    pthread_mutex_unlock(&c->lock);
  }
  return NULL;
}

static void test_crowd(void)
{
  struct crowd c = {.lock = PTHREAD_MUTEX_INITIALIZER};
  pthread_t thread;
  CHECK_INT(pthread_create(&thread, NULL, solve_many, &c), 0);
  for (int i = 0; i < 50; i++)
    CHECK(check_solve(0, NULL, NULL) > 0);
  pthread_mutex_lock(&c.lock);
  c.stop = 1;
  pthread_mutex_unlock(&c.lock);
  CHECK_INT(pthread_join(thread, NULL), 0);
}

/* ---- someone else's MA27 ---- */

static int strangers;

static void stranger_a(ipfint *n, ipfint *nz, const ipfint *irn, const ipfint *icn, ipfint *iw, ipfint *liw,
                       ipfint *ikeep, ipfint *iw1, ipfint *nsteps, ipfint *iflag, ipfint *icntl, double *cntl,
                       ipfint *info, double *ops)
{
  (void)n, (void)nz, (void)irn, (void)icn, (void)iw, (void)liw, (void)ikeep, (void)iw1, (void)nsteps, (void)iflag;
  (void)icntl, (void)cntl, (void)ops;
  strangers++;
  info[0] = -1;
}

static void stranger_b(ipfint *n, ipfint *nz, const ipfint *irn, const ipfint *icn, double *a, ipfint *la, ipfint *iw,
                       ipfint *liw, ipfint *ikeep, ipfint *nsteps, ipfint *maxfrt, ipfint *iw1, ipfint *icntl,
                       double *cntl, ipfint *info)
{
  (void)n, (void)nz, (void)irn, (void)icn, (void)a, (void)la, (void)iw, (void)liw, (void)ikeep, (void)nsteps;
  (void)maxfrt, (void)iw1, (void)icntl, (void)cntl;
  strangers++;
  info[0] = -1;
}

static void stranger_c(ipfint *n, double *a, ipfint *la, ipfint *iw, ipfint *liw, double *w, ipfint *maxfrt,
                       double *rhs, ipfint *iw1, ipfint *nsteps, ipfint *icntl, double *cntl)
{
  (void)n, (void)a, (void)la, (void)iw, (void)liw, (void)w, (void)maxfrt, (void)rhs, (void)iw1, (void)nsteps;
  (void)icntl, (void)cntl;
  strangers++;
}

static void stranger_i(ipfint *icntl, double *cntl)
{
  (void)icntl, (void)cntl;
  strangers++;
}

static void test_taken(void)
{
  double x;
  LSL_setMA27(stranger_a, stranger_b, stranger_c, stranger_i);
  CHECK_INT(check_solve(0, NULL, NULL), 0); /* by MUMPS */
  CHECK_INT(strangers, 0);
  CHECK(LSL_isMA27available());
  CHECK(use_ipopt("ma27", &x) != Solve_Succeeded); /* the stranger is asked, and fails */
  CHECK(strangers > 0);
  LSL_setMA27(NULL, NULL, NULL, NULL);
}

int main(void)
{
  struct visit ours = {1, 0, 0}, nested = {1, 0, 1}, mumps = {0, 0, 0};
  int threads = 0;
  check_mumps();
  CHECK(!LSL_isMA27available());
  CHECK(check_solve(0, visit_mumps, &ours) > 0);
  CHECK(check_solve(0, visit_mumps, &nested) > 0);
  CHECK(check_solve(0, visit_thread, &threads) > 0);
  CHECK_INT(check_solve(1, visit_mumps, &mumps), 0);
  CHECK(ours.count > 1 && nested.count > 1 && threads > 1 && mumps.count > 1);
  CHECK(!LSL_isMA27available());
  check_mumps();
  test_taken();
  test_crowd();
  return test_finish();
}

#else /* Ipopt cannot be given a linear solver: nothing to test */

int main(void)
{
  return 77;
}

#endif

/* The wall around Ipopt: its C interface, options and return codes appear here and nowhere else. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <coin/IpStdCInterface.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "nlp/ipopt_ldl.h"
#include "nlp/nlp.h"

/* OpenBLAS, where it is Ipopt's BLAS, would start threads for short vectors and small matrices. It is asked for by
 * name, since another BLAS may be installed in its place, among the libraries of whoever has this function: the
 * program, or a library that was loaded later. */
static void use_one_thread(void)
{
  void (*set_threads)(int) = NULL;
  *(void **)&set_threads = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"); /* POSIX's way to a function */
  if (set_threads)
    set_threads(1);
}

struct session {
  const struct nlp *p;
  const struct nlp_options *o;
  struct nlp_result *result;
  int stopped;
  int astray;                   /* iterations in a row that were */
};

static Bool eval_f(Index n, Number *x, Bool new_x, Number *value, UserDataPtr user)
{
  struct session *s = user;
  double start = processor_seconds();
  (void)n, (void)new_x;
  *value = s->p->objective(s->p->self, x);
  s->result->seconds_evaluating += processor_seconds() - start;
  return isfinite(*value) ? TRUE : FALSE;
}

static Bool eval_grad_f(Index n, Number *x, Bool new_x, Number *grad, UserDataPtr user)
{
  struct session *s = user;
  double start = processor_seconds();
  (void)n, (void)new_x;
  s->p->gradient(s->p->self, x, grad);
  s->result->seconds_evaluating += processor_seconds() - start;
  return TRUE;
}

static Bool eval_g(Index n, Number *x, Bool new_x, Index m, Number *g, UserDataPtr user)
{
  struct session *s = user;
  double start = processor_seconds();
  (void)n, (void)new_x, (void)m;
  s->p->constraints(s->p->self, x, g);
  s->result->seconds_evaluating += processor_seconds() - start;
  return TRUE;
}

static void copy_structure(const int *row, const int *col, int count, Index *out_row, Index *out_col)
{
  memcpy(out_row, row, (size_t)count * sizeof *row);
  memcpy(out_col, col, (size_t)count * sizeof *col);
}

static Bool eval_jac_g(Index n, Number *x, Bool new_x, Index m, Index count, Index *row, Index *col, Number *values,
                       UserDataPtr user)
{
  struct session *s = user;
  double start = processor_seconds();
  (void)n, (void)new_x, (void)m;
  if (values)
    s->p->jacobian(s->p->self, x, values);
  else
    copy_structure(s->p->jacobian_row, s->p->jacobian_col, count, row, col);
  s->result->seconds_evaluating += processor_seconds() - start;
  return TRUE;
}

static Bool eval_h(Index n, Number *x, Bool new_x, Number sigma, Index m, Number *lambda, Bool new_lambda, Index count,
                   Index *row, Index *col, Number *values, UserDataPtr user)
{
  struct session *s = user;
  double start = processor_seconds();
  (void)n, (void)new_x, (void)m, (void)new_lambda;
  if (values)
    s->p->hessian(s->p->self, x, sigma, lambda, values);
  else
    copy_structure(s->p->hessian_row, s->p->hessian_col, count, row, col);
  double spent = processor_seconds() - start;
  s->result->seconds_evaluating += spent;
  s->result->seconds_hessian += spent;
  return TRUE;
}

/* What a Hessian gets added to its diagonal where it has the wrong curvature: seldom and little on the way to a
 * solution, in every iteration and more and more, each at the price of several factorisations, when it was led astray.
 * Transitions did not come back from there; of gaits from nothing some did, after forty iterations. Once all
 * constraints are nearly met, it is not astray, only slow. */
#define HEAVY_REGULARISATION 1e4
#define FAR_FROM_FEASIBLE 1e-3

static int is_astray(const struct session *s)
{
  return s->o->patience && s->astray > s->o->patience;
}

static Bool intermediate(Index mode, Index iteration, Number objective, Number inf_pr, Number inf_du, Number mu,
                         Number d_norm, Number regularization, Number alpha_du, Number alpha_pr, Index trials,
                         UserDataPtr user)
{
  struct session *s = user;
  struct nlp_progress p = {iteration, mode == 1, objective, inf_pr, inf_du, mu, alpha_pr};
  (void)d_norm, (void)alpha_du, (void)trials;
  s->astray = regularization >= HEAVY_REGULARISATION && inf_pr > FAR_FROM_FEASIBLE ? s->astray + 1 : 0;
  s->result->iterations = iteration;
  if (s->o->progress && !s->o->progress(s->o->user, &p))
    s->stopped = 1;
  return s->stopped || is_astray(s) ? FALSE : TRUE;
}

/* Ipopt's options are picky about types and fail softly: a refused one is a broken invariant. Its C interface wants
 * char *. */
static int set_number(IpoptProblem ip, const char *name, double value)
{
  return AddIpoptNumOption(ip, (char *)(size_t)name, value);
}

static int set_integer(IpoptProblem ip, const char *name, int value)
{
  return AddIpoptIntOption(ip, (char *)(size_t)name, value);
}

static int set_string(IpoptProblem ip, const char *name, const char *value)
{
  return AddIpoptStrOption(ip, (char *)(size_t)name, (char *)(size_t)value);
}

/* ldl.h through the functions of MA27, without MA27's scaling (MC19 is not ours to give), or MUMPS. */
static int set_linear_solver(IpoptProblem ip, int ldl)
{
  if (!ldl)
    return set_string(ip, "linear_solver", "mumps") && set_integer(ip, "mumps_pivot_order", 6);
  return set_string(ip, "linear_solver", "ma27") && set_string(ip, "linear_system_scaling", "none") &&
         set_number(ip, "ma27_pivtol", IPOPT_LDL_PIVOT_TOLERANCE) &&
         set_number(ip, "ma27_pivtolmax", IPOPT_LDL_PIVOT_TOLERANCE_MAX);
}

/* How far inside of its bounds a start is moved, and how large the barrier is at first. */
static int set_start(IpoptProblem ip, enum nlp_start start)
{
  if (start == NLP_AFAR)
    return 1;
  if (start == NLP_NEAR)
    return set_number(ip, "mu_init", 1e-3) && set_number(ip, "bound_push", 1e-4) &&
           set_number(ip, "bound_frac", 1e-4) && set_number(ip, "slack_bound_push", 1e-4) &&
           set_number(ip, "slack_bound_frac", 1e-4);
  return set_string(ip, "warm_start_init_point", "yes") && set_number(ip, "mu_init", 3e-5) &&
         set_number(ip, "warm_start_bound_push", 1e-5) && set_number(ip, "warm_start_bound_frac", 1e-5) &&
         set_number(ip, "warm_start_slack_bound_push", 1e-5) && set_number(ip, "warm_start_slack_bound_frac", 1e-5) &&
         set_number(ip, "warm_start_mult_bound_push", 1e-5);
}

static int set_options(IpoptProblem ip, const struct nlp_options *o)
{
  int ok = set_number(ip, "tol", o->tolerance) && set_number(ip, "constr_viol_tol", o->constraint_tolerance) &&
           set_number(ip, "acceptable_tol", 100 * o->tolerance) &&
           set_number(ip, "acceptable_constr_viol_tol", 10 * o->constraint_tolerance) &&
           set_integer(ip, "max_iter", o->max_iterations) && set_number(ip, "max_cpu_time", o->max_seconds) &&
           set_integer(ip, "print_level", o->verbose) && set_string(ip, "sb", "yes") &&
           set_string(ip, "nlp_scaling_method", "none") && set_string(ip, "option_file_name", "") &&
           set_string(ip, "fixed_variable_treatment", "make_parameter");
  if (ok && o->limited_memory)
    ok = set_string(ip, "hessian_approximation", "limited-memory");
  return ok && set_start(ip, o->start);
}

static enum nlp_status status_of(enum ApplicationReturnStatus code, const struct session *s)
{
  if (s->stopped)
    return NLP_STOPPED;
  if (is_astray(s) && code == User_Requested_Stop)
    return NLP_ASTRAY;
  switch (code) {
  case Solve_Succeeded: return NLP_SOLVED;
  case Solved_To_Acceptable_Level:
  case Feasible_Point_Found: return NLP_ACCEPTABLE;
  case Infeasible_Problem_Detected:
  case Restoration_Failed: return NLP_INFEASIBLE;
  case Maximum_Iterations_Exceeded: return NLP_ITERATIONS;
  case Maximum_CpuTime_Exceeded: return NLP_TIME;
  case Invalid_Number_Detected: return NLP_NUMBERS;
  default: return NLP_FAILED;
  }
}

void nlp_solve(const struct nlp *p, const struct nlp_options *o, double *x, struct nlp_multipliers *multipliers,
               struct nlp_result *result)
{
  struct session s = {p, o, result, 0, 0};
  struct ipopt_ldl linear;
  double start = processor_seconds();
  struct nlp_multipliers none = {0}, *known = multipliers ? multipliers : &none;
  double *g = calloc((size_t)p->m + 1, sizeof *g);
  int ldl = !o->mumps && !getenv("MUYBRIDGE_MUMPS") && ipopt_ldl_begin(&linear, o->pivot_threshold);
  use_one_thread();
  memset(result, 0, sizeof *result);
  result->status = NLP_FAILED;
  IpoptProblem ip = g ? CreateIpoptProblem(p->n, (Number *)p->x_lower, (Number *)p->x_upper, p->m, (Number *)p->g_lower,
                                           (Number *)p->g_upper, p->n_jacobian, p->n_hessian, 0, eval_f, eval_g,
                                           eval_grad_f, eval_jac_g, eval_h)
                      : NULL;
  if (ip && set_options(ip, o) && set_linear_solver(ip, ldl) && SetIntermediateCallback(ip, intermediate)) {
    enum ApplicationReturnStatus code = IpoptSolve(ip, x, g, &result->objective, known->rows, known->lower,
                                                   known->upper, &s);
    result->status = status_of(code, &s);
    result->infeasibility = nlp_violation(p, x, g, &(int){0});
  }
  if (ip)
    FreeIpoptProblem(ip);
  free(g);
  if (ldl)
    ipopt_ldl_end(&linear);
  result->seconds = processor_seconds() - start;
}

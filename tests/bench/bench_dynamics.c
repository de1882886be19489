/* How fast are the dynamics? Microseconds and instructions per state, for creatures of 16 to 75 dofs, beside MuJoCo
 * and DART where they are installed. Every engine starts from the same q, v, a; the states differ from call to call;
 * that results agree is checked first.
 *
 * Times are the least of many rounds, taken in turn with the peers', and depend on the machine; their ratios and the
 * counts of instructions do not. Nothing is asserted about time. --quick: fewer rounds, and instructions are not
 * counted. Usage: bench_dynamics [--quick] */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "bench/instructions.h"
#include "bench/peer.h"
#include "dynamics/dynamics.h"
#include "dynamics/random_creature.h"
#include "zoo.h"

#define STATES 64               /* a multiple of the lanes */
#define GROUPS (STATES / DYNAMICS_LANES)

enum operation { INVERSE, MASS_MATRIX, RESIDUAL, DERIVATIVES, CURVATURE, OPERATIONS };
enum column { ONE, FOUR, PORTABLE_ONE, PORTABLE_FOUR, MUJOCO, DART, COLUMNS };

struct subject {                /* a creature and all that is needed to work on it */
  struct arena *arena;
  const struct creature *c;
  size_t n;
  double *state[4];             /* q, v, a, w: one state after the other           */
  double *lanes[4];             /* the same, in groups of four lanes               */
  int n_contacts, *points;      /* contact points of a stance                      */
  double *force, *lambda;       /* 3 of each contact, states as above              */
  double *force_lanes, *lambda_lanes;
  double *tau, *position, *matrix[4];
  struct dynamics_derivatives derivatives;
  struct dynamics_curvature curvature;
  struct dynamics *fast, *portable;
  struct peer peers[2];
};

struct job {                    /* a cell of the table */
  struct subject *s;
  struct dynamics *d;
  const struct peer *peer;
  void (*call)(void *job, int i);
  int states;                   /* per call              */
  int next;                     /* state of the next call: never that of the last, so that nobody has it ready */
  double seconds, instructions; /* per state, -1: none   */
};

struct effort {
  int rounds;
  double block;                 /* seconds of each round */
  double counted;               /* calls of more seconds than this are not counted: that takes too long */
};

/* ---- the calls that are timed: number i of the states, round and round ---- */

static const double *state_of(const struct job *j, int what, int i)
{
  const struct subject *s = j->s;
  return j->states == 1 ? s->state[what] + (size_t)(i % STATES) * s->n
                        : s->lanes[what] + (size_t)(i % GROUPS) * s->n * DYNAMICS_LANES;
}

static void call_inverse(void *job, int i)
{
  struct job *j = job;
  const double *q = state_of(j, 0, i), *v = state_of(j, 1, i), *a = state_of(j, 2, i);
  if (j->states == 1)
    dynamics_inverse(j->d, q, v, a, j->s->tau);
  else
    dynamics_inverse_x4(j->d, q, v, a, j->s->tau);
}

static void call_mass_matrix(void *job, int i)
{
  struct job *j = job;
  if (j->states == 1)
    dynamics_mass_matrix(j->d, state_of(j, 0, i), j->s->matrix[0]);
  else
    dynamics_mass_matrix_x4(j->d, state_of(j, 0, i), j->s->matrix[0]);
}

static struct dynamics_contacts contacts_of(const struct job *j, int i)
{
  const struct subject *s = j->s;
  size_t n = 3 * (size_t)s->n_contacts;
  size_t one = (size_t)(i % STATES) * n, four = (size_t)(i % GROUPS) * n * DYNAMICS_LANES;
  if (j->states == 1)
    return (struct dynamics_contacts){s->n_contacts, s->points, s->force + one, s->lambda + one};
  return (struct dynamics_contacts){s->n_contacts, s->points, s->force_lanes + four, s->lambda_lanes + four};
}

static void call_residual(void *job, int i)
{
  struct job *j = job;
  const double *q = state_of(j, 0, i), *v = state_of(j, 1, i), *a = state_of(j, 2, i);
  struct dynamics_contacts contacts = contacts_of(j, i);
  if (j->states == 1)
    dynamics_residual(j->d, q, v, a, &contacts, j->s->tau, j->s->position);
  else
    dynamics_residual_x4(j->d, q, v, a, &contacts, j->s->tau, j->s->position);
}

static void call_derivatives(void *job, int i)
{
  struct job *j = job;
  const double *q = state_of(j, 0, i), *v = state_of(j, 1, i), *a = state_of(j, 2, i);
  if (j->states == 1)
    dynamics_derivatives(j->d, q, v, a, NULL, &j->s->derivatives);
  else
    dynamics_derivatives_x4(j->d, q, v, a, NULL, &j->s->derivatives);
}

static void call_curvature(void *job, int i)
{
  struct job *j = job;
  const double *q = state_of(j, 0, i), *v = state_of(j, 1, i), *a = state_of(j, 2, i), *w = state_of(j, 3, i);
  struct dynamics_contacts contacts = contacts_of(j, i);
  if (j->states == 1)
    dynamics_curvature(j->d, q, v, a, w, &contacts, &j->s->curvature);
  else
    dynamics_curvature_x4(j->d, q, v, a, w, &contacts, &j->s->curvature);
}

static void call_peer_inverse(void *job, int i)
{
  struct job *j = job;
  j->peer->inverse(j->peer->model, state_of(j, 0, i), state_of(j, 1, i), state_of(j, 2, i), j->s->tau);
}

static void call_peer_mass_matrix(void *job, int i)
{
  struct job *j = job;
  j->peer->mass_matrix(j->peer->model, state_of(j, 0, i));
}

/* ---- a creature and its states ---- */

static double *numbers(struct subject *s, size_t count)
{
  return ARENA_NEW(s->arena, count, double);
}

/* n numbers of each state, one state after the other, to groups of four lanes. */
static double *in_lanes(struct subject *s, size_t n, const double *states)
{
  size_t L = DYNAMICS_LANES;
  double *lanes = numbers(s, n * STATES);
  for (size_t i = 0; i < STATES; i++)
    for (size_t x = 0; x < n; x++)
      lanes[(i / L * n + x) * L + i % L] = states[i * n + x];
  return lanes;
}

static void fill_states(struct subject *s, struct rng *r)
{
  size_t n = s->n;
  for (int k = 0; k < 4; k++)
    s->state[k] = numbers(s, n * STATES);
  for (size_t i = 0; i < STATES; i++)
    random_state(r, (int)n, s->state[0] + i * n, s->state[1] + i * n, s->state[2] + i * n, s->state[3] + i * n);
  for (int k = 0; k < 4; k++)
    s->lanes[k] = in_lanes(s, n, s->state[k]);
}

/* The contact points on the ground early in the first gait, with random forces and multipliers. */
static void fill_contacts(struct subject *s, struct rng *r)
{
  s->points = ARENA_NEW(s->arena, (size_t)s->c->n_points, int);
  for (int p = 0; p < s->c->n_points; p++)
    if (s->c->n_gaits > 0 && gait_contact(&s->c->gaits[0], p, 0.1))
      s->points[s->n_contacts++] = p;
  size_t n = 3 * (size_t)s->n_contacts;
  s->force = numbers(s, n * STATES), s->lambda = numbers(s, n * STATES);
  for (size_t i = 0; i < n * STATES; i++) {
    s->force[i] = rng_uniform(r, -1, 1) * s->c->mass;
    s->lambda[i] = rng_uniform(r, -1, 1) * s->c->mass;
  }
  s->force_lanes = in_lanes(s, n, s->force);
  s->lambda_lanes = in_lanes(s, n, s->lambda);
}

static void fill_outputs(struct subject *s)
{
  size_t n = s->n * DYNAMICS_LANES, nn = s->n * n, contacts = 3 * (size_t)s->n_contacts;
  double **m = s->matrix;
  s->tau = numbers(s, n);
  s->position = numbers(s, contacts * DYNAMICS_LANES);
  for (int k = 0; k < 4; k++)
    m[k] = numbers(s, nn);
  s->derivatives = (struct dynamics_derivatives){.tau = s->tau, .dq = m[0], .dv = m[1], .M = m[2]};
  s->curvature = (struct dynamics_curvature){.qq = m[0], .qv = m[1], .qa = m[2], .vv = m[3]};
  s->curvature.gq = numbers(s, n), s->curvature.gv = numbers(s, n), s->curvature.ga = numbers(s, n);
  s->curvature.qf = numbers(s, contacts * n);
}

static void subject_init(struct subject *s, struct arena *arena, const struct creature *c)
{
  struct rng r = rng_stream(41, (uint64_t)c->n_dofs);
  *s = (struct subject){.arena = arena, .c = c, .n = (size_t)c->n_dofs};
  fill_states(s, &r);
  fill_contacts(s, &r);
  fill_outputs(s);
  s->fast = dynamics_new(arena, c);
  setenv("MUYBRIDGE_SIMD", "generic", 1);
  s->portable = dynamics_new(arena, c);
  unsetenv("MUYBRIDGE_SIMD");
#ifdef HAVE_MUJOCO
  s->peers[0] = peer_mujoco(c);
#endif
#ifdef HAVE_DART
  s->peers[1] = peer_dart(c);
#endif
}

static void subject_clear(struct subject *s)
{
  for (int k = 0; k < 2; k++)
    if (s->peers[k].model)
      s->peers[k].clear(s->peers[k].model);
}

/* ---- do peers compute the same? ---- */

static double deviation(const double *x, const double *y, size_t n)
{
  double most = 0, scale = DBL_MIN;
  for (size_t i = 0; i < n; i++) {
    scale = fmax(scale, fabs(x[i]));
    if (!(fabs(x[i] - y[i]) <= most))
      most = fabs(x[i] - y[i]);
  }
  return most / scale;
}

/* The largest relative difference in torques and mass matrix over all states. */
static double disagreement(struct subject *s, const struct peer *p)
{
  size_t n = s->n;
  double *tau = numbers(s, n), *M = numbers(s, n * n), most = 0;
  for (size_t i = 0; i < STATES; i++) {
    const double *q = s->state[0] + i * n, *v = s->state[1] + i * n, *a = s->state[2] + i * n;
    memset(s->matrix[0], 0, n * n * sizeof *M);
    dynamics_inverse(s->fast, q, v, a, s->tau);
    dynamics_mass_matrix(s->fast, q, s->matrix[0]);
    p->inverse(p->model, q, v, a, tau);
    p->mass_matrix(p->model, q);
    p->read_mass_matrix(p->model, M);
    double d[2] = {deviation(s->tau, tau, n), deviation(s->matrix[0], M, n * n)};
    for (int k = 0; k < 2; k++)
      if (!(d[k] <= most))
        most = d[k];
  }
  return most;
}

/* ---- measuring ---- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds_of(struct job *j, int calls)
{
  double start = now();
  for (int i = 0; i < calls; i++)
    j->call(j, j->next++);
  return (now() - start) / calls / j->states;
}

/* Peers have neither derivatives nor contacts. */
static int has_peers(enum operation o)
{
  return o == INVERSE || o == MASS_MATRIX;
}

static struct job job_of(struct subject *s, enum operation o, enum column k)
{
  static void (*const calls[OPERATIONS])(void *, int) = {call_inverse, call_mass_matrix, call_residual,
                                                         call_derivatives, call_curvature};
  struct job j = {.s = s, .states = 1, .seconds = -1, .instructions = -1};
  if (k == FOUR || k == PORTABLE_FOUR)
    j.states = DYNAMICS_LANES;
  if (k < MUJOCO) {
    j.d = k < PORTABLE_ONE ? s->fast : s->portable;
    j.call = calls[o];
  } else if (s->peers[k - MUJOCO].model && has_peers(o)) {
    j.peer = &s->peers[k - MUJOCO];
    j.call = o == INVERSE ? call_peer_inverse : call_peer_mass_matrix;
  }
  return j;
}

/* All engines in turn, so that a busy machine is busy for all of them. */
static void measure(struct job *jobs, const struct effort *effort)
{
  int calls[COLUMNS] = {0};
  for (int r = 0; r < effort->rounds; r++)
    for (int k = 0; k < COLUMNS; k++) {
      struct job *j = &jobs[k];
      if (!j->call)
        continue;
      if (!calls[k])
        calls[k] = 2 + (int)(effort->block / (seconds_of(j, STATES) * j->states));
      double t = seconds_of(j, calls[k]);
      j->seconds = j->seconds < 0 || t < j->seconds ? t : j->seconds;
    }
  for (int k = 0; k < COLUMNS; k++)
    if (jobs[k].call && (k <= FOUR || k >= MUJOCO) && jobs[k].seconds * jobs[k].states <= effort->counted)
      jobs[k].instructions = instructions_of_call(jobs[k].call, &jobs[k]) / jobs[k].states;
}

/* ---- printing ---- */

static void print_number(double x, int width, int decimals)
{
  if (x < 0)
    printf("%*s", width, "-");
  else
    printf("%*.*f", width, decimals, x);
}

static void print_row(const struct subject *s, enum operation o, const struct job *jobs)
{
  printf("%-10s%5d", s->c->name, s->c->n_dofs);
  for (int k = ONE; k <= PORTABLE_FOUR; k++) {
    print_number(jobs[k].seconds * 1e6, 9, 2);
    if (k <= FOUR)
      print_number(jobs[k].instructions, 8, 0);
  }
  for (int k = MUJOCO; k <= DART && has_peers(o); k++) {
    double t = jobs[k].seconds;
    print_number(t < 0 ? -1 : t * 1e6, 9, 2);
    print_number(jobs[k].instructions, 8, 0);
    print_number(t < 0 ? -1 : t / jobs[ONE].seconds, 7, 1);
    print_number(t < 0 ? -1 : t / jobs[FOUR].seconds, 7, 1);
  }
  putchar('\n');
}

static void print_head(enum operation o)
{
  static const char *const titles[OPERATIONS] = {
      "inverse dynamics: from q, v, a to torques", "mass matrix: from q",
      "residual: torques less those of contact forces, and positions of contacts, with the contacts of a stance",
      "derivatives: torques, their derivatives in q and v, mass matrix",
      "curvature: second derivatives of w . (torques - contact forces) + lambda . contacts, with those contacts"};
  printf("\n%s\n%32s%17s%9s%9s", titles[o], dynamics_instructions(), "in fours", "generic", "in fours");
  if (has_peers(o))
    printf("%31s%31s", "MuJoCo", "DART");
  printf("\n%-10s%5s%9s%8s%9s%8s%9s%9s", "creature", "dofs", "us", "instr.", "us", "instr.", "us", "us");
  for (int k = MUJOCO; k <= DART && has_peers(o); k++)
    printf("%9s%8s%7s%7s", "us", "instr.", "x ours", "x four");
  putchar('\n');
}

static void print_literature(void)
{
  puts("\nFor reference, measured on ANOTHER machine: floating base, one-axis joints, us at 16 / 22 / 29 / 60 dofs\n"
       "  inverse dynamics   RBDL (native) 0.94 / 1.42 / 1.97 / 4.48     Pinocchio 3.7 1.74 / 2.73 / 3.83 / 8.93\n"
       "                     MuJoCo 2.2.2 2.4 / 3.7 / 5.2 / 11.6         DART 6.12 6.1 / 9.1 / 12.7 / 29\n"
       "  mass matrix        Pinocchio 3.7 1.06 / 1.60 / 2.75 / 5.76\n"
       "  derivatives        Pinocchio 3.7 7.4 / 10.8 / 16.2 / 35.6");
}

static void print_notes(void)
{
  puts("\nus and instr. are per state, also in groups of four; - where counting instructions would take too long.\n"
       "'x ours', 'x four': the peer's time over ours, for one state and in groups of four.\n"
       "MuJoCo: kinematics, comPos, comVel, rne or crb on the exported model without shapes; sparse mass matrix.\n"
       "DART: one body per limb with revolute, universal and Euler joints; one body of no mass at the root.\n"
       "Neither has derivatives of inverse dynamics other than by differences.");
}

/* ---- */

static void print_agreement(struct subject *s)
{
  printf("%-10s%3d dofs, %2d contacts in the stance;", s->c->name, s->c->n_dofs, s->n_contacts);
  for (int k = 0; k < 2; k++)
    if (s->peers[k].model)
      printf(" %s agrees to %.0e;", s->peers[k].name, disagreement(s, &s->peers[k]));
    else
      printf(" no %s;", k ? "DART" : "MuJoCo");
  putchar('\n');
}

static int load(struct subject *s, struct arena *arena, const char *name)
{
  for (int i = 0; i < zoo_size(); i++)
    if (strcmp(zoo_name(i), name) == 0) {
      const struct creature *c = zoo_load(arena, i);
      if (c)
        subject_init(s, arena, c);
      return c != NULL;
    }
  return 0;
}

static void run(enum operation o, struct subject *s, const struct effort *effort)
{
  struct job jobs[COLUMNS];
  for (int k = 0; k < COLUMNS; k++)
    jobs[k] = job_of(s, o, k);
  measure(jobs, effort);
  print_row(s, o, jobs);
  fflush(stdout);
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"biped", "triped", "horse", "human", "centipede"};
  enum { SUBJECTS = sizeof names / sizeof *names };
  struct subject subjects[SUBJECTS];
  struct arena *arena = arena_new();
  int quick = argc == 2 && strcmp(argv[1], "--quick") == 0, loaded = 0;
  struct effort effort = quick ? (struct effort){8, 3e-4, 0} : (struct effort){60, 1e-3, 40e-6};
  if (argc > 1 && !quick) {
    fputs("usage: bench_dynamics [--quick]\n", stderr);
    return 2;
  }
  while (loaded < SUBJECTS && load(&subjects[loaded], arena, names[loaded]))
    print_agreement(&subjects[loaded++]);
  for (int o = 0; o < OPERATIONS && loaded == SUBJECTS; o++) {
    print_head(o);
    for (int i = 0; i < SUBJECTS; i++)
      run(o, &subjects[i], &effort);
  }
  print_notes();
  print_literature();
  for (int i = 0; i < loaded; i++)
    subject_clear(&subjects[i]);
  arena_free(arena);
  return loaded < SUBJECTS;
}

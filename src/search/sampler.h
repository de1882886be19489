/* Private to src/search. Samplers: which parameters to look at next, in a box of continuous and discrete ones.
 *
 * The guided one is the paper's (section 3.2, "Parameter Search"), mended (doc/search.md, equation 18): it wants points
 * that are near to cheap ones or far from all. The even one keeps away from all earlier points, whatever they cost: the
 * paper's uniform sampling. Deterministic in its inputs and in the random numbers given. */
#ifndef MUYBRIDGE_SAMPLER_H
#define MUYBRIDGE_SAMPLER_H

#include "base/arena.h"
#include "base/rng.h"

enum sampler_space {
  SAMPLER_INTERVAL,             /* distance ((x - y) / unit)^2                         */
  SAMPLER_CIRCLE,               /* an angle [rad]: 2 - 2 cos(x - y)                    */
  SAMPLER_CATEGORY              /* 0, 1 .. n - 1: 0 if equal, else 1                   */
};

struct sampler_parameter {
  enum sampler_space space;
  double least, most;           /* of an interval or of a part of a circle             */
  double unit;                  /* of an interval: a difference that counts as 1       */
  int n;                        /* of a category                                       */
};

enum sampler_strategy {
  SAMPLER_GUIDED,               /* the paper's, weights d^-2                                           */
  SAMPLER_LOCAL,                /* weights d^-4: far points count less; better with several parameters */
  SAMPLER_EVEN,
  SAMPLER_RANDOM
};

struct sampler;

/* The parameters are copied. */
struct sampler *sampler_new(struct arena *arena, int n_parameters, const struct sampler_parameter *parameters,
                            enum sampler_strategy strategy);

/* Parameters to look at next (n_parameters). They count as looked at from now on: until their cost is reported, they
 * are taken to be as bad as the worst. */
void sampler_next(struct sampler *s, struct rng *rng, double *out);

/* What parameters cost: those given out, or any others. Costs may be negative; one that is not finite counts as the
 * worst. */
void sampler_report(struct sampler *s, const double *parameters, double cost);

/* What the guided and the local sampler make as small as it can. */
double sampler_promise(const struct sampler *s, const double *parameters);

/* Forgets all costs and points: the graph has changed. */
void sampler_clear(struct sampler *s);

#endif

/* FOR_EACH_PROCESSOR before a function: it is built for several kinds of processors, and the program takes the best one
 * that it runs on. Wider vectors, no fused operations (-ffp-contract=off): the bits are the same on all of them. */
#ifndef MUYBRIDGE_BASE_CLONES_H
#define MUYBRIDGE_BASE_CLONES_H

#include "config.h"

#ifdef HAVE_CLONES
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

#endif

/* Numbers as bytes, the same on every machine: doubles, little-endian, one after the other. For what the run file keeps. */
#ifndef MUYBRIDGE_BASE_PACK_H
#define MUYBRIDGE_BASE_PACK_H

#include <stddef.h>

#include "base/arena.h"

struct pack { unsigned char *bytes; size_t n; };  /* bytes NULL: only counts */

void pack_number(struct pack *p, double x);
void pack_numbers(struct pack *p, const double *x, size_t n);

struct unpack { const unsigned char *bytes; size_t n, at; }; /* at > n: there was less than was asked for */

double unpack_number(struct unpack *u);
double *unpack_numbers(struct unpack *u, struct arena *arena, size_t n); /* never NULL */
int unpack_count(struct unpack *u); /* a number that counts something: -1 if it does not */

#endif

/* See pack.h. */
#include "base/pack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void pack_numbers(struct pack *p, const double *x, size_t n)
{
  for (size_t i = 0; i < n; i++, p->n += 8) {
    uint64_t bits;
    memcpy(&bits, &x[i], sizeof bits);
    for (size_t k = 0; p->bytes && k < 8; k++)
      p->bytes[p->n + k] = (unsigned char)(bits >> (8 * k));
  }
}

void pack_number(struct pack *p, double x)
{
  pack_numbers(p, &x, 1);
}

double unpack_number(struct unpack *u)
{
  uint64_t bits = 0;
  double x = 0;
  u->at += 8;
  if (u->at > u->n)
    return 0;
  for (size_t k = 0; k < 8; k++)
    bits |= (uint64_t)u->bytes[u->at - 8 + k] << (8 * k);
  memcpy(&x, &bits, sizeof x);
  return x;
}

double *unpack_numbers(struct unpack *u, struct arena *arena, size_t n)
{
  if (u->at > u->n || n > (u->n - u->at) / 8) {
    u->at = u->n + 1;
    n = 0;
  }
  double *x = ARENA_NEW(arena, n + 1, double);
  for (size_t i = 0; i < n; i++)
    x[i] = unpack_number(u);
  return x;
}

int unpack_count(struct unpack *u)
{
  double x = unpack_number(u);
  return x >= 0 && x <= 1e7 && floor(x) == x ? (int)x : -1;
}

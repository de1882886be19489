/* See seconds.h. */
#include "base/seconds.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
  struct timespec t = {0};
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double processor_seconds(void)
{
#ifdef CLOCK_PROCESS_CPUTIME_ID
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
#else
  return read_clock(CLOCK_MONOTONIC); /* in a browser there is no other */
#endif
}

double wall_seconds(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

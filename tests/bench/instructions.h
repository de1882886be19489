/* How many machine instructions a call takes: exact, the same in every run, and without a processor's counters. */
#ifndef MUYBRIDGE_BENCH_INSTRUCTIONS_H
#define MUYBRIDGE_BENCH_INSTRUCTIONS_H

/* Of call(context, 0), after a call(context, 1) that warms up. Counted by single-stepping a copy of this process, in
 * which stays what the calls write; a repeated string instruction counts once per repetition. -1 where the system
 * does not allow it. Slow: 2 us per instruction, ten times that in some virtual machines. */
double instructions_of_call(void (*call)(void *context, int i), void *context);

#endif

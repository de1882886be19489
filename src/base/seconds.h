/* Clocks, in seconds from some moment on: for differences only. Results never depend on them. */
#ifndef MUYBRIDGE_BASE_SECONDS_H
#define MUYBRIDGE_BASE_SECONDS_H

double processor_seconds(void); /* that this process has used; of all its threads */
double wall_seconds(void);      /* that have passed, whatever happens to the date */

#endif

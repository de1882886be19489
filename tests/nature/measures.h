/* What `nature` measures: a file for each subject, which says what is measured, how, and what animals do. */
#ifndef MUYBRIDGE_TESTS_NATURE_MEASURES_H
#define MUYBRIDGE_TESTS_NATURE_MEASURES_H

#include "nature/motion.h"
#include "nature/reference.h"
#include "nature/table.h"

struct measures {
  struct table table;
  struct motion_library *library;
  const struct reference_walk *walk; /* a person's; NULL: there is none           */
  const char *creature;              /* torques of this one only; NULL: of all    */
  int all;                           /* the centipede too, which takes long       */
};

void measure_human_walk(struct measures *m);
void measure_arms(struct measures *m);
void measure_horse(struct measures *m);
void measure_dog(struct measures *m);
void measure_torques(struct measures *m);

/* A page of its own, of run files. 0 after an error, which is told. */
int measure_controllers(struct measures *m, int n, char **paths);

/* A gait that is to be measured. NULL, and a row that says so, if it is not solved. */
const struct motion *measures_gait(struct measures *m, const char *creature, const char *gait, double speed);

/* The same with a period that is asked for [s]. */
const struct motion *measures_gait_in(struct measures *m, const char *creature, const char *gait, double speed,
                                      double period);

/* "12 to 34", in the arena. */
const char *measures_range(const struct motion *m, const double *x, const unsigned char *on, int wanted, int decimals);

#endif

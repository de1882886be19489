/* A package for tests, without any search: the biped walks, turns to either side, and has policies to do so in a
 * simulated world. */
#ifndef MUYBRIDGE_TESTS_SMALL_PACKAGE_H
#define MUYBRIDGE_TESTS_SMALL_PACKAGE_H

#include "control/controls.h"
#include "policy/small_controller.h"
#include "stage/package.h"

struct small_package {
  struct small_controller small; /* clips, task, player */
  const struct controls *controls;
  struct stage_package package;
  const void *bytes;
  size_t n;
};

/* Ends the program when something cannot be had. */
struct small_package small_package_new(void);
void small_package_free(struct small_package *p);

#endif

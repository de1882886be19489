/* The program around a fuzz target: damaged copies of seed files, again and again, and what is left of one that died.
 *   NAME [--seconds N | --runs N] [--seed S] [--run R] FILE...
 * Run R of seed S is the same on every machine; a run that dies leaves its input in NAME.crash, and --run R repeats
 * it. */
#ifndef MUYBRIDGE_TESTS_FUZZ_DRIVER_H
#define MUYBRIDGE_TESTS_FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_MAX_SIZE 60000

struct fuzz_target {
  const char *name;             /* "fuzz_bvh"                                                            */
  int n_words;
  const char *const *words;     /* that may stand in the place of others                                 */
  size_t (*seed)(const char *path, char *bytes); /* a file as a text of at most FUZZ_MAX_SIZE bytes: fuzz_read() */
  int (*run)(const uint8_t *data, size_t size);
};

/* The whole of a file, or its beginning up to the end of a line. Ends the program if there is none. */
size_t fuzz_read(const char *path, char *bytes);

/* Exit status. Prints how many runs there were, without an end of the line. */
int fuzz_main(const struct fuzz_target *t, int argc, char **argv);

#endif

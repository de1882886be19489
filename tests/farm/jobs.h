/* Jobs for the tests of the farm, good and bad ones, and a record of how a list of them went. A job is text: a letter
 * that says what to do, and what is needed for it. */
#ifndef MUYBRIDGE_TESTS_FARM_JOBS_H
#define MUYBRIDGE_TESTS_FARM_JOBS_H

#include "farm/farm.h"

/* What run() does with a job that begins with
 *   h  work for a while that depends on the text, and reply with so many random bytes     e  reply with the text
 *   n  reply with how often this process has run an n                                     s  ... with the shared bytes
 *   b  reply with so many bytes of a pattern                                              f  fail with the text
 *   p  tell the text as progress, and reply with it                                       w  wait for the file named
 *   L  tell so many lines of progress
 *   i  reply with facts about the process: see struct facts
 * and with those that do not reply:
 *   V  segmentation fault    A  abort    O  loop for ever     Z  sleep for ever    M  allocate without end
 *   H  allocate too much at once         P  write a part and crash                 Q  write a part and _exit(0)
 *   X  exit(the number)      K  kill itself                   C  close all files and sleep for ever
 *   T  tell its process's number as progress and sleep for ever */
void jobs_run(void *user, const void *in, size_t n_in, struct farm_reply *out);

/* prepare(): keeps the shared bytes for s; fails if they are "bad", or "bad elsewhere" and this is not rank 0. */
int jobs_prepare(void *user, const void *shared, size_t n_shared, struct diag *d);

struct facts {
  int n_files;       /* open ones: standard input, output, error and the pipe to the supervisor       */
  int siblings;      /* children of its parent that are not itself, dead ones too                 */
  int stdout_is_stderr, stdin_is_empty;
  int group;         /* process group                                                             */
  int supervisor;        /* its parent                                                                */
};

struct farm_options jobs_options(enum farm_kind kind, int workers);

/* Runs the jobs and says how each went, one a line, with tags from 0 and a hash of the bytes. */
char *jobs_record(struct arena *arena, const struct farm_options *options, char *const *jobs, int n);

/* A list of n jobs that all go well, some after longer than others, and one that holds every kind of disaster. */
char **jobs_good(struct arena *arena, int n);
char **jobs_bad(struct arena *arena, int *n);

#endif

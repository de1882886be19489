/* What the two halves of watching.h share: messages, warm starts; and the half that is about a task. */
#ifndef MUYBRIDGE_CLI_WATCHING_TASK_H
#define MUYBRIDGE_CLI_WATCHING_TASK_H

#include "cli/watching.h"
#include "spacetime/spacetime.h"
#include "stage/run_package.h"

void watching_tell(int out, enum watching_kind kind, const void *bytes, size_t n);
void watching_say(int out, enum watching_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
void watching_tell_errors(int out, struct diag *d);

/* A new motion; fills in its note. */
void watching_tell_package(struct arena *arena, int out, const struct watching *w, struct stage_package *p,
                           const char *words);

/* The same axes and contact points, in the same order? */
int watching_is_same_body(const struct creature *a, const struct creature *b);

/* A clip of the creature as it was, as a start for one that it is now: itself, or carried over to the other body. NULL:
 * it is no start. */
const struct clip *watching_near(struct arena *arena, const struct creature *was, const struct clip *clip,
                                 const struct creature *now);

/* Frames of a cycle with the same share of the gait's period, which may have changed. */
int watching_near_frames(const struct creature *was, const struct clip *clip, const struct creature *now,
                         const struct gait *gait, double speed);

/* A cycle of the gait, or of the creature's first. Errors go to d. */
void watching_solve_gait(const struct watching *w, int out, struct arena *arena, const struct creature *c,
                         struct diag *d);

/* A controller for the task: the first time synthesized, then of the same clips, solved anew. Errors go to d. */
void watching_solve_task(const struct watching *w, int out, struct arena *arena, const struct creature *c,
                         struct diag *d);

#endif

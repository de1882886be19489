/* A runner at any frame as bytes, and back: it continues with the same bits. For the same controls and options. */
#ifndef MUYBRIDGE_CONTROL_RUNNER_BYTES_H
#define MUYBRIDGE_CONTROL_RUNNER_BYTES_H

#include "base/bytes.h"
#include "control/runner.h"

void runner_put(struct bytes_writer *w, const struct runner *r);

/* 0, and b->bad, if these are not such: then the runner is as before. */
int runner_get(struct bytes_reader *b, struct runner *r);

#endif

/* Gains and values in few bytes, for pages, which have to be loaded: a sixth of what they have in memory.
 *
 * Gains K have 16 bits a number, in parts of the largest of their column, whose numbers share a unit. Of the value's
 * matrix P = D C D, D diagonal with the roots of P's own diagonal, there are D and, as P is symmetric, the upper
 * triangle of C, 16 bits a number: like a correlation it has no units. Offsets and linear terms are floats. */
#ifndef MUYBRIDGE_CONTROL_SHORT_GAINS_H
#define MUYBRIDGE_CONTROL_SHORT_GAINS_H

#include "base/bytes.h"
#include "feedback/feedback.h"

/* m errors, r controls. What is read lives in the reader's arena; 0 if the bytes are damaged. */
void short_gain_put(struct bytes_writer *w, const struct window_gain *g, size_t m, size_t r);
int short_gain_get(struct bytes_reader *b, size_t m, size_t r, struct window_gain *g);

/* The largest difference of two, without units: of gains in parts of the largest of their column, of values in parts of
 * what they would be if only the two errors' own squares counted. */
double short_gain_difference(const struct window_gain *a, const struct window_gain *b, size_t m, size_t r);

#endif

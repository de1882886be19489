/* A reference as bytes, for other processes; its creature is not among them. */
#ifndef MUYBRIDGE_FOLLOW_REFERENCE_BYTES_H
#define MUYBRIDGE_FOLLOW_REFERENCE_BYTES_H

#include "base/bytes.h"
#include "follow/reference.h"

void reference_put(struct bytes_writer *w, const struct reference *r);

/* NULL, and b->bad, if these are not bytes of a reference for this creature. */
const struct reference *reference_get(struct bytes_reader *b, const struct creature *c);

#endif
